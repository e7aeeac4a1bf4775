// SPDX-License-Identifier: GPL-2.0
/*
 * The hooks' out-of-line half: the fast path for interrupts and for common records, the slow path
 * with what only a kernel knows (which session, which stack, which context), and the hook in the
 * scheduler.
 *
 * Everything here, and everything called from here, runs in hooks: it is not instrumented, takes
 * no lock, does not allocate, print or divide.
 */
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/instrumentation.h>
#include <linux/kfi.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/smp.h>

#include "arch/arch.h"
#include "hooks/hook.h"
#include "hooks/slow.h"

struct kfi_run *kfi_live __read_mostly;
struct kfi_fast kfi_fast __read_mostly = {
	.entry_tag = KFI_FAST_NONE, .tag = KFI_FAST_NONE, .exit_tag = KFI_FAST_NONE,
};

/*
 * The shadow stack of tasks that have none of their own, and of the first task until it gets one.
 * It stays empty.
 */
struct kfi_stack kfi_no_stack = {
	.top = LOCAL_INIT((long)kfi_no_stack.frame),
};

/* The shadow stack of parked tasks: see kfi_is_parked(). It stays empty. */
struct kfi_stack kfi_parked_stack = {
	.top = LOCAL_INIT((long)kfi_parked_stack.frame),
};

/* Return the shadow stack of the current task, or NULL if it has none of its own. */
static __always_inline struct kfi_stack *own_stack(void)
{
	struct kfi_stack *s = READ_ONCE(current->kfi.stack);

	return likely(s != &kfi_no_stack && s != &kfi_parked_stack) ? s : NULL;
}

/*
 * Report the call that was just pushed if a watch wants it. The free bytes are counted from this
 * function's frame on the kernel stack, which is close enough to that of the instrumented function.
 */
static noinline void record_watch(struct kfi_run *run, unsigned int nr, struct kfi_stack *s,
				  unsigned long func, unsigned long site)
{
	unsigned long left = (unsigned long)__builtin_frame_address(0) -
			     (unsigned long)end_of_stack(current);
	struct kfi_event call = { .func = func, .site = site, .ctx = kfi_context() };

	/* Not on the task's stack: an interrupt that runs on a stack of its own. */
	if (left >= THREAD_SIZE)
		left = KFI_WATCH_ELSEWHERE;
	kfi_watch_enter(run, &run->cpus[nr], nr, s, &call, (u32)left);
}

/*
 * Return the end of the kernel stack on which @at lies. An interrupt may have a stack of its own:
 * there only the page that is in use is known, so return the end of the page.
 */
static __always_inline const unsigned long *stack_end(const void *at)
{
	unsigned long stack = (unsigned long)task_stack_page(current), addr = (unsigned long)at;

	return (const unsigned long *)(addr - stack < THREAD_SIZE ? stack + THREAD_SIZE :
								    (addr | (PAGE_SIZE - 1)) + 1);
}

/* Record the arguments of the call that was just pushed, those on the stack, too. */
static noinline void enter_recorded(struct kfi_run *run, unsigned int nr, struct kfi_stack *s,
				    unsigned long func, const unsigned long *args)
{
	const unsigned long *arg = args, *end = stack_end(args);
	unsigned long value[KFI_CONF_ARGS_MAX];
	u32 n;

	for (n = 0; n < run->args; n++) {
		if (n == KFI_ARG_REGISTERS)
			arg = args + KFI_ARGS_TO_STACK;
		/* A function with fewer parameters: what is behind them may be no memory. */
		if (n >= KFI_ARG_REGISTERS && arg >= end)
			break;
		value[n] = *arg++;
	}
	kfi_slow_args(run, &run->cpus[nr], nr, s, func, value, n);
}

/* Record what else a session wants of a call that was just pushed: a watch, its arguments. */
static __always_inline void record_extras(struct kfi_run *run, unsigned int nr, struct kfi_stack *s,
					  unsigned long func, unsigned long site,
					  const unsigned long *args)
{
	if (unlikely(run->watch))
		record_watch(run, nr, s, func, site);
	if (unlikely(run->args) && args)
		enter_recorded(run, nr, s, func, args);
}

/*
 * Find the first frame record for the callers of a trigger's function, and how far the stack may be
 * read. Before inlining that is a record of the hooks. After inlining a function has no frame yet
 * when it calls the entry hook: the stub has saved the pointer to its caller's record beside the
 * arguments. Without frame pointers only the call site is known.
 */
static __always_inline void find_frame(struct kfi_hook_context *context, const unsigned long *args)
{
#if defined(CONFIG_FRAME_POINTER) && !defined(CONFIG_ARM) && !defined(CONFIG_UML)
	const unsigned long *own = __builtin_frame_address(0);

	context->frame = own;
#ifdef CONFIG_KFI_AFTER_INLINING
	context->frame = args ? (const unsigned long *)args[KFI_ARGS_TO_FRAME] : NULL;
	context->is_caller = true;
#endif
	context->end = stack_end(own);
	if (context->frame < own)
		context->frame = NULL;
#endif
}

/* Return true if this CPU stands still for a snapshot. Idle tasks are parked for another reason. */
static __always_inline bool is_still(void)
{
	return kfi_is_parked() && !is_idle_task(current);
}

/* Handle an entry for which kfi_is_routine() is false. */
static noinline void enter_not_routine(struct kfi_run *run, unsigned long func, unsigned long site,
				       const unsigned long *args)
{
	struct kfi_hook_context context = {
		.stack = own_stack(), .cpunr = raw_smp_processor_id(),
		.pid = current->pid, .ctx = kfi_context(), .still = is_still(),
	};

	if (unlikely(run->marks & BIT(KFI_MARKS_CALLERS)))
		find_frame(&context, args);
	if (kfi_slow_enter(run, &context, func, site))
		record_extras(run, context.cpunr, context.stack, func, site, args);
}

/* Handle an exit for which kfi_is_routine() is false. */
static noinline void exit_not_routine(struct kfi_run *run, unsigned long func)
{
	struct kfi_hook_context context = {
		.stack = own_stack(), .cpunr = raw_smp_processor_id(),
		.pid = current->pid, .ctx = kfi_context(), .still = is_still(),
	};

	kfi_slow_exit(run, &context, func);
}

/* Handle an entry on the slow path. */
static __always_inline void enter_slow(struct kfi_run *run, unsigned long func, unsigned long site,
				       const unsigned long *args)
{
	struct kfi_stack *s = own_stack();
	unsigned int nr = raw_smp_processor_id();

	if (!kfi_is_routine(run, s, func, run->stop_entry)) {
		enter_not_routine(run, func, site, args);
		return;
	}
	kfi_call_enter(run, &run->cpus[nr], nr, s, func, site, kfi_context());
	record_extras(run, nr, s, func, site, args);
}

/* Handle an exit on the slow path. */
static __always_inline void exit_slow(struct kfi_run *run, unsigned long func, unsigned long ret)
{
	struct kfi_stack *s = own_stack();
	unsigned int nr = raw_smp_processor_id();

	if (unlikely(run->ret))
		kfi_slow_ret(run, &run->cpus[nr], nr, s, func, ret);
	if (kfi_is_routine(run, s, func, run->stop_exit))
		kfi_call_exit(run, &run->cpus[nr], nr, s, func, kfi_context());
	else
		exit_not_routine(run, func);
}

/* The session whose calls kfi_hook_calls_of() makes, and the shadow stack that they are on. */
static struct kfi_run *measured_run;
static struct kfi_stack *measured_stack;

/* Return the session of a call on the slow path, or NULL. */
static __always_inline struct kfi_run *slow_run(void)
{
	struct kfi_run *run = kfi_live_run();

	if (likely(run))
		return run;
	/* No session is live while calls are measured; other tasks are not on this stack. */
	return READ_ONCE(current->kfi.stack) == READ_ONCE(measured_stack) ? measured_run : NULL;
}

/*
 * Preemption is off from the read of kfi_live until the last use of the session: unpublish() waits
 * for that. A hook may read the session's state late. This does no harm, because between start and
 * end only stop_at changes, and it is "never" until the start sets it.
 */
void kfi_hook_enter_slow(unsigned long func, unsigned long site, const unsigned long *args)
{
	struct kfi_run *run;

	/* The last session is complete, and the call sites are not nops yet. */
	if (unlikely(!READ_ONCE(kfi_fast.on)))
		return;
	preempt_disable_notrace();
	run = slow_run();
	if (likely(run))
		enter_slow(run, func, site, args);
	preempt_enable_notrace();
}

void kfi_hook_exit_slow(unsigned long func, unsigned long ret)
{
	struct kfi_run *run;

	if (unlikely(!READ_ONCE(kfi_fast.on)))
		return;
	preempt_disable_notrace();
	run = slow_run();
	if (likely(run))
		exit_slow(run, func, ret);
	preempt_enable_notrace();
}

/* ---- the fast path out of line: interrupts, common records ---- */

void kfi_hook_enter_outline(unsigned long func, unsigned long site, const unsigned long *args)
{
	unsigned int ctx = kfi_context();
	struct kfi_stack *s;
	struct kfi_frame *f;
	enum kfi_path path;

	preempt_disable_notrace();
	s = READ_ONCE(current->kfi.stack);
	path = kfi_fast_enter(&kfi_fast, s, func, site, ctx, &f);
	if (unlikely(path == KFI_PATH_UNDO))
		kfi_fast_undo(s, f, ctx);
	preempt_enable_notrace();
	if (unlikely(path != KFI_PATH_DONE))
		kfi_hook_enter_slow(func, site, args);
}

void kfi_hook_keep_common(unsigned long rel, struct kfi_frame *top, u64 dur, struct kfi_stack *s,
			  unsigned int ctx)
{
	bool kept = kfi_fast_keep_common(&kfi_fast, s, top - 1, ctx, dur);
	unsigned long func = rel + kfi_fast.text;

	preempt_enable_notrace();
	/* Exits whose return values are recorded do not use the fast path. */
	if (unlikely(!kept))
		kfi_hook_exit_slow(func, 0);
}

void kfi_hook_exit_outline(unsigned long func, bool tried, unsigned long ret)
{
	unsigned int ctx = kfi_context();
	enum kfi_path path;
	struct kfi_stack *s;
	struct kfi_frame *f;
	unsigned long rel;
	u64 end, dur;
	u32 below;

	if (tried && ctx == KFI_CTX_TASK) {
		kfi_hook_exit_slow(func, ret);
		return;
	}
	preempt_disable_notrace();
	s = READ_ONCE(current->kfi.stack);
	path = kfi_fast_exit(&kfi_fast, s, func, ctx, &f, &end, &dur, &below);
	/* A shortcut: a session whose calls are kept on the slow path only has no chunk here. */
	if (path == KFI_PATH_KEEP && !kfi_fast.ring)
		path = KFI_PATH_SLOW;
	if (path == KFI_PATH_KEEP) {
		rel = func - kfi_fast.text;
		if (unlikely(!kfi_fast_keep_packed(&kfi_fast, s, f, rel, kfi_fast.text, ctx, end,
						   dur, below))) {
			kfi_hook_keep_common(rel, f + 1, dur, s, ctx);
			return;
		}
	}
	preempt_enable_notrace();
	if (unlikely(path == KFI_PATH_SLOW))
		kfi_hook_exit_slow(func, ret);
}

/*
 * hooks/entry.c and hooks/exit.c turn preemption on by kfi_preempt_enable(). If that did not call
 * the scheduler and it should be called, they end with this function.
 */
void kfi_hook_resched(void)
{
	preempt_disable_notrace();
	preempt_enable_notrace();
}

/* ---- measuring the hooks ---- */

/*
 * After inlining these two are in arch/entry_x86.S, entry_arm.S, entry_arm64.S and entry_riscv.S.
 * They are not inlined: scripts/check-sites knows the function whose calls of hooks are no call
 * sites.
 */
#ifndef CONFIG_KFI_AFTER_INLINING
noinline void kfi_hook_calls(u32 n)
{
	while (n--) {
		__cyg_profile_func_enter(kfi_hook_calls, kfi_hook_calls);
		__cyg_profile_func_exit(kfi_hook_calls, kfi_hook_calls);
	}
}

noinline void kfi_hook_no_calls(u32 n)
{
	while (n--)
		barrier();
}
#endif

void kfi_hook_calls_of(struct kfi_run *run, u32 n)
{
	WRITE_ONCE(measured_run, run);
	WRITE_ONCE(measured_stack, current->kfi.stack);	/* last: an NMI looks at it first */
	kfi_hook_calls(n);
	WRITE_ONCE(measured_stack, NULL);
}

void kfi_hook_interrupts(struct kfi_run *run, u32 n, u32 calls)
{
	unsigned long func = kfi_code_address(kfi_hook_interrupts);

	while (n--) {
		__preempt_count_add(HARDIRQ_OFFSET);
		kfi_stack_enter_interrupt(current->kfi.stack);
		enter_slow(run, func, func, NULL);
		kfi_hook_calls(calls);
		exit_slow(run, func, 0);
		__preempt_count_sub(HARDIRQ_OFFSET);
		kfi_stack_leave_interrupt(current->kfi.stack, KFI_CTX_TASK);
	}
}

/* ---- interrupts ---- */

/*
 * Calls of an interrupt that end before the first of these hooks, or begin after the second one,
 * are taken for the task's. Without a live session the stack is left alone, because another CPU may
 * be taking the calls off it (kfi_task_take()). Nothing here is instrumented.
 */
noinstr void kfi_interrupt_enter(void)
{
	current->kfi.interrupts++;
	if (likely(!READ_ONCE(kfi_live)))
		return;
	instrumentation_begin();
	kfi_stack_enter_interrupt(READ_ONCE(current->kfi.stack));
	instrumentation_end();
}

noinstr void kfi_interrupt_exit(void)
{
	current->kfi.interrupts--;
	if (likely(!READ_ONCE(kfi_live)))
		return;
	instrumentation_begin();
	kfi_stack_leave_interrupt(READ_ONCE(current->kfi.stack), kfi_context());
	instrumentation_end();
}

/* ---- the scheduler ---- */

/* The hook in context_switch(). The runqueue is locked, and interrupts are off. */
void kfi_switch(struct task_struct *prev, struct task_struct *next)
{
	struct kfi_run *run = READ_ONCE(kfi_live);
	unsigned int nr = raw_smp_processor_id();
	struct kfi_stack *s;
	u64 now, irq;

	if (likely(!run))
		return;
	if (unlikely(run->marks & BIT(KFI_MARKS_SYSCALLS)))
		kfi_mark_flag_task(next);
	/* Pairs with the release in kfi_run_start_at(): a mark needs @fast of the ring. */
	if (atomic_read_acquire(&run->state) != KFI_TRIGGERED)
		return;
	now = kfi_call_read_clock(prev->kfi.stack, &irq);
	if (unlikely(run->marks & BIT(KFI_MARKS_SWITCHES)) && !kfi_run_is_paused(run))
		kfi_mark_switch(run, prev, next, now);
	s = prev->kfi.stack;
	if (s->generation == run->id)
		kfi_stack_switch_out(s, now, irq);
	s = next->kfi.stack;
	if (s->generation == run->id)
		kfi_stack_switch_in(s, now, nr, &run->cpus[nr]);
}
