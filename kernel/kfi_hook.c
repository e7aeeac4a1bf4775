// SPDX-License-Identifier: GPL-2.0
/*
 * The callouts that -finstrument-functions puts at each function's entry and exit.
 *
 * Hot: nothing here, or called from here, is instrumented, takes a lock, allocates, prints or
 * divides. Without a live run a callout is one load, one test and a return.
 */
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/kfi.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/smp.h>
#include <linux/start_kernel.h>

#include "kfi_boot.h"
#include "kfi_call.h"
#include "kfi_cost.h"
#include "kfi_hook.h"
#include "kfi_log.h"
#include "kfi_tell.h"
#include "kfi_watch.h"

struct kfi_run kfi_before_boot;
struct kfi_run *kfi_live __read_mostly = &kfi_before_boot;

void __cyg_profile_func_enter(void *func, void *site);
void __cyg_profile_func_exit(void *func, void *site);

/* The shadow stack of the current task, begun for this run; NULL if it has none. */
static __always_inline struct kfi_stack *stack_of(const struct kfi_run *run)
{
	struct kfi_stack *s = READ_ONCE(current->kfi.stack);

	if (likely(s) && unlikely(READ_ONCE(s->run) != run->id))
		kfi_stack_begin(s, run->id, current->pid);
	return s;
}

/*
 * A call while the run is not triggered. Return: true if it is now, so that this call belongs to
 * it.
 */
static noinline bool enter_waiting(struct kfi_run *run, unsigned long func)
{
	if (atomic_read(&run->state) != KFI_PRIMED)
		return false;
	if (func == run->start_entry)
		return kfi_run_start(run, KFI_BY_ENTRY, func);
	if (run->start_at != U64_MAX && kfi_now() >= run->start_at)
		return kfi_run_start(run, KFI_BY_TIME, 0);
	return false;
}

static noinline void exit_waiting(struct kfi_run *run, unsigned long func)
{
	if (atomic_read(&run->state) != KFI_PRIMED)
		return;
	if (func == run->start_exit)
		kfi_run_start(run, KFI_BY_EXIT, func);
	else if (run->start_at != U64_MAX && kfi_now() >= run->start_at)
		kfi_run_start(run, KFI_BY_TIME, 0);
}

/* The call has been pushed; its frame is as near to where the function's will be as need be. */
static noinline void enter_watched(struct kfi_run *run, unsigned int nr, struct kfi_stack *s,
				   unsigned long func, unsigned long site)
{
	unsigned long left = (unsigned long)__builtin_frame_address(0) -
			     (unsigned long)end_of_stack(current);
	struct kfi_event call = { .func = func, .site = site, .ctx = kfi_context() };

	/* An interrupt may have a stack of its own. */
	if (left >= THREAD_SIZE)
		left = KFI_WATCH_ELSEWHERE;
	kfi_watch_enter(run, &run->cpus[nr], nr, s, &call, (u32)left);
}

static __always_inline void enter(struct kfi_run *run, unsigned long func, unsigned long site)
{
	unsigned int nr = raw_smp_processor_id();
	struct kfi_cpu *cpu = &run->cpus[nr];
	struct kfi_stack *s;
	bool first = false;

	if (unlikely(atomic_read(&run->state) != KFI_TRIGGERED)) {
		first = enter_waiting(run, func);
		if (!first)
			return;
	} else if (unlikely(func == run->stop_entry)) {
		kfi_run_stop(run, KFI_BY_ENTRY, func);
		return;
	}
	s = stack_of(run);
	if (unlikely(!s)) {
		kfi_count_add_one(cpu, KFI_SEEN);
		kfi_count_add_one(cpu, KFI_LOST_STACK);
		return;
	}
	kfi_call_enter(run, cpu, nr, s, func, site, kfi_context());
	/* The call that starts the run is entered when it starts, not when it has been started. */
	if (unlikely(first))
		s->frame[0].entry = run->start.time;
	if (unlikely(run->watch))
		enter_watched(run, nr, s, func, site);
}

static __always_inline void leave(struct kfi_run *run, unsigned long func)
{
	unsigned int nr = raw_smp_processor_id();
	struct kfi_stack *s;

	if (unlikely(atomic_read(&run->state) != KFI_TRIGGERED)) {
		exit_waiting(run, func);
		return;
	}
	s = stack_of(run);
	if (likely(s))
		kfi_call_exit(run, &run->cpus[nr], nr, s, func, kfi_context());
	if (unlikely(func == run->stop_exit))
		kfi_run_stop(run, KFI_BY_EXIT, func);
}

/*
 * The callouts. Preemption is off from reading kfi_live until nothing of the run is used any more:
 * that is what unpublish() waits for. A state that is read late is no harm: the run's own fields do
 * not change between its start and its end but for stop_at, which is "never" until the start sets
 * it.
 */
static noinline void enter_live(void *func, void *site)
{
	struct kfi_run *run;

	if (unlikely(READ_ONCE(kfi_live) == &kfi_before_boot)) {
		if (func != start_kernel)
			return;
		kfi_boot();
	}
	preempt_disable_notrace();
	run = READ_ONCE(kfi_live);
	if (likely(run))
		enter(run, (unsigned long)func, (unsigned long)site);
	preempt_enable_notrace();
}

static noinline void leave_live(void *func)
{
	struct kfi_run *run;

	/* Before there is a current task there is nobody's preemption to disable. */
	if (unlikely(READ_ONCE(kfi_live) == &kfi_before_boot))
		return;
	preempt_disable_notrace();
	run = READ_ONCE(kfi_live);
	if (likely(run))
		leave(run, (unsigned long)func);
	preempt_enable_notrace();
}

static noinline void enter_other(struct kfi_run *run, unsigned long func, unsigned long site)
{
	preempt_disable_notrace();
	enter(run, func, site);
	preempt_enable_notrace();
}

static noinline void leave_other(struct kfi_run *run, unsigned long func)
{
	preempt_disable_notrace();
	leave(run, func);
	preempt_enable_notrace();
}

void kfi_hook_calls(struct kfi_run *run, u32 n)
{
	unsigned long func = (unsigned long)kfi_hook_calls;

	while (n--) {
		enter_other(run, func, func);
		leave_other(run, func);
	}
}

/* Leaf functions while nothing is recorded: what needs registers is out of line. */
void __cyg_profile_func_enter(void *func, void *site)
{
	if (unlikely(READ_ONCE(kfi_live)))
		enter_live(func, site);
}
EXPORT_SYMBOL(__cyg_profile_func_enter);

void __cyg_profile_func_exit(void *func, void *site)
{
	if (unlikely(READ_ONCE(kfi_live)))
		leave_live(func);
}
EXPORT_SYMBOL(__cyg_profile_func_exit);

/* The hook in context_switch(), with the run queue locked and interrupts off. */
void kfi_switch(struct task_struct *prev, struct task_struct *next)
{
	struct kfi_run *run = READ_ONCE(kfi_live);
	struct kfi_stack *s;
	u64 now;

	if (likely(!run) || run == &kfi_before_boot)
		return;
	if (unlikely(run->marks & BIT(KFI_MARKS_SYSCALLS)))
		kfi_tell_syscalls(next);
	if (atomic_read(&run->state) != KFI_TRIGGERED)
		return;
	now = kfi_now();
	if (unlikely(run->marks & BIT(KFI_MARKS_SWITCHES)))
		kfi_tell_switch(run, prev, next, now);
	s = prev->kfi.stack;
	if (s && s->run == run->id)
		kfi_stack_switch_out(s, now);
	s = next->kfi.stack;
	if (s && s->run == run->id)
		kfi_stack_switch_in(s, now);
}
