// SPDX-License-Identifier: GPL-2.0
/*
 * Marks: what the kernel reports besides calls, through the hooks for task switches, wake-ups,
 * initcalls and system calls, kfi_mark() and the command mark.
 *
 * Runs in hooks, as hook.c does: a mark may come in any context, NMI included.
 */
#include <linux/compat.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/kfi.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/string.h>
#include <linux/thread_info.h>

#include "core/call.h"
#include "hooks/live.h"
#include "kfi_compat.h"

#if defined(CONFIG_TRACEPOINTS) && defined(CONFIG_HAVE_SYSCALL_TRACEPOINTS)
#include <trace/events/syscalls.h>
#define SHARED_FLAG	1	/* tracepoints use it, too */
#else
#define SHARED_FLAG	0
#endif

/*
 * Return the length of a text, at most @max. strnlen() is instrumented on i386, and reaches
 * instrumented functions with KASAN and KCSAN.
 */
static __always_inline u32 text_len(const char *text, u32 max)
{
	u32 n = 0;

	while (n < max && text[n])
		n++;
	return n;
}

/* Write @e, with the task and the context of the caller and the time @now. Preemption is off. */
static void write_mark(struct kfi_run *run, struct kfi_event *e, u64 now)
{
	unsigned int nr = raw_smp_processor_id();

	if (kfi_is_parked()) {
		kfi_count_add_one(&run->cpus[nr], KFI_MARKS_LOST);
		return;
	}
	e->time = now;
	e->pid = current->pid;
	e->ctx = max_t(u8, e->ctx, kfi_context());
	kfi_call_event(run, &run->cpus[nr], nr, e);
}

/*
 * Return the session that records a mark, with preemption off: the caller turns it on. Return NULL
 * if no session records it.
 * @wanted: bits of kinds of marks: the session must have one of them; 0: no condition
 */
static struct kfi_run *get_run(u32 wanted)
{
	struct kfi_run *run;

	if (!READ_ONCE(kfi_live))
		return NULL;
	preempt_disable_notrace();
	run = kfi_live_run();
	/* A profile has no place for marks. */
	if (run && (!wanted || run->marks & wanted) && !run->profile &&
	    atomic_read_acquire(&run->state) == KFI_TRIGGERED && !kfi_run_is_paused(run))
		return run;
	preempt_enable_notrace();
	return NULL;
}

/*
 * Record @e if a session has marks of that kind: @wanted as for get_run(). Return true if it has.
 */
static bool record_mark(u32 wanted, struct kfi_event *e)
{
	struct kfi_run *run = get_run(wanted);

	if (!run)
		return false;
	write_mark(run, e, kfi_now());
	preempt_enable_notrace();
	return true;
}

/* Record a text that ends at @max bytes, or at a 0 before, as record_mark() does. */
static void record_text(u32 wanted, enum kfi_event_kind kind, s64 value, const char *text, u32 max)
{
	struct kfi_event e = {
		.kind = kind, .value = value, .text = text, .len = text_len(text, max),
	};

	record_mark(wanted, &e);
}

/* ---- switches ---- */

void kfi_mark_switch(struct kfi_run *run, struct task_struct *prev, struct task_struct *next,
		     u64 now)
{
	struct kfi_event e = {
		.kind = KFI_EVENT_SWITCH, .value = next->pid, .text = next->comm,
		.len = text_len(next->comm, sizeof(next->comm)),
	};

	/* An idle task is always runnable, and has nothing to do. */
	if (kfi_stays_runnable(prev) && !is_idle_task(prev))
		e.kind = KFI_EVENT_PREEMPT;
	write_mark(run, &e, now);
}

/* ---- wake-ups ---- */

void kfi_waking(struct task_struct *p)
{
	struct kfi_event e = { .kind = KFI_EVENT_WAKEUP, .value = p->pid };
	struct kfi_run *run = get_run(BIT(KFI_MARKS_WAKEUPS));
	unsigned long funcs[KFI_EVENT_FUNCS_MAX];
	u32 words[KFI_EVENT_FUNC_WORDS];
	const struct kfi_stack *s;
	u64 now;
	u32 n;

	if (!run)
		return;
	now = kfi_now();
	s = READ_ONCE(current->kfi.stack);
	if (READ_ONCE(s->generation) == run->id) {
		/*
		 * At its end irq_exit() runs in task context already, but still belongs to the
		 * interrupt, whose frame is on the stack.
		 */
		e.ctx = max_t(u8, kfi_context(),
			      kfi_stack_ctx_below(s, kfi_stack_valid_frames(s) + 1));
		n = kfi_stack_open(s, e.ctx, funcs, ARRAY_SIZE(funcs));
		kfi_event_set_funcs(&e, words, funcs, n, run->ring.text);
	}
	write_mark(run, &e, now);
	preempt_enable_notrace();
}

void kfi_new_task(struct task_struct *p)
{
	record_text(BIT(KFI_MARKS_WAKEUPS), KFI_EVENT_NEW, p->pid, p->comm, sizeof(p->comm));
}

void kfi_exec(void)
{
	record_text(BIT(KFI_MARKS_WAKEUPS), KFI_EVENT_EXEC, 0, current->comm,
		    sizeof(current->comm));
}

/* ---- initcalls ---- */

void kfi_initcall_level(const char *level)
{
	record_text(BIT(KFI_MARKS_INITCALLS), KFI_EVENT_LEVEL, 0, level, KFI_EVENT_TEXT_MAX);
}

void kfi_initcall(int (*fn)(void), int ret)
{
	struct kfi_event e = {
		.kind = KFI_EVENT_INITCALL, .func = kfi_code_address(fn), .value = ret,
	};

	record_mark(BIT(KFI_MARKS_INITCALLS), &e);
}

/* ---- system calls ---- */

#if KFI_MARKS_SYSCALLS_FLAG

void kfi_mark_flag_task(struct task_struct *tsk)
{
	if (!SHARED_FLAG && !test_task_syscall_work(tsk, SYSCALL_TRACEPOINT))
		set_task_syscall_work(tsk, SYSCALL_TRACEPOINT);
}

#if SHARED_FLAG
/* The flag has a count of tracepoint users: an empty probe makes the recorder one of them. */
static void empty_probe(void *data, struct pt_regs *regs, long nr)
{
}

/*
 * The probe is registered; it can be. Protected by log_mutex of session/control.c, but for
 * may_probe(): nobody else comes here before control_ready(), an initcall of the same level that is
 * linked later.
 */
static bool probed, can_probe;

static void set_empty_probe(bool on)
{
	if (on == probed || !can_probe)
		return;
	if (on)
		probed = !register_trace_sys_enter(empty_probe, NULL);
	else
		probed = unregister_trace_sys_enter(empty_probe, NULL);
}

static int __init may_probe(void)
{
	const struct kfi_run *run = READ_ONCE(kfi_live);

	can_probe = true;
	set_empty_probe(run && run->marks & BIT(KFI_MARKS_SYSCALLS));
	return 0;
}
early_initcall(may_probe);
#else
static void set_empty_probe(bool on)
{
}
#endif

void kfi_mark_prepare(const struct kfi_run *run)
{
	struct task_struct *p, *t;
	bool on = run && run->marks & BIT(KFI_MARKS_SYSCALLS);

	set_empty_probe(on);
	if (!on || SHARED_FLAG)
		return;
	smp_mb();	/* pairs with that in drop_flag() */
	rcu_read_lock();
	for_each_process_thread(p, t)
		kfi_mark_flag_task(t);
	rcu_read_unlock();
}

/* Return true if the live session wants marks of system calls. */
static bool syscalls_wanted(void)
{
	const struct kfi_run *run;
	bool wanted;

	preempt_disable_notrace();
	run = READ_ONCE(kfi_live);
	wanted = run && run->marks & BIT(KFI_MARKS_SYSCALLS);
	preempt_enable_notrace();
	return wanted;
}

/*
 * Clear the current task's flag if no session has marks of system calls any more. Its next system
 * calls then do not reach the hooks.
 */
static void drop_flag(void)
{
	if (SHARED_FLAG || !test_syscall_work(SYSCALL_TRACEPOINT) || syscalls_wanted())
		return;
	clear_syscall_work(SYSCALL_TRACEPOINT);
	/*
	 * Pairs with the barrier in kfi_mark_prepare(): either that function sees the cleared flag
	 * and sets it again, or the next line sees the session.
	 */
	smp_mb__after_atomic();
	if (syscalls_wanted())
		set_syscall_work(SYSCALL_TRACEPOINT);
}

#else

void kfi_mark_flag_task(struct task_struct *tsk)
{
}

void kfi_mark_prepare(const struct kfi_run *run)
{
}

static void drop_flag(void)
{
}

#endif

void kfi_syscall(long nr)
{
	struct kfi_event e = { .kind = KFI_EVENT_SYSCALL, .value = nr };

	if (in_compat_syscall()) {
		e.text = "compat";
		e.len = strlen(e.text);
	}
	record_mark(BIT(KFI_MARKS_SYSCALLS), &e);
}

void kfi_sysret(long ret)
{
	struct kfi_event e = { .kind = KFI_EVENT_SYSRET, .value = ret };

	record_mark(BIT(KFI_MARKS_SYSCALLS), &e);
	drop_flag();
}

/* ---- texts ---- */

bool kfi_mark_text(const char *text, size_t len)
{
	struct kfi_event e = {
		.kind = KFI_EVENT_MARK, .text = text,
		.len = min_t(size_t, len, KFI_EVENT_TEXT_MAX),
	};

	return record_mark(0, &e);
}

void kfi_mark(const char *text)
{
	kfi_mark_text(text, text_len(text, KFI_EVENT_TEXT_MAX));
}
EXPORT_SYMBOL_GPL(kfi_mark);
