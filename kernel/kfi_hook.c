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
#include "kfi_slow.h"
#include "kfi_tell.h"
#include "kfi_watch.h"

struct kfi_run kfi_before_boot;
struct kfi_run *kfi_live __read_mostly = &kfi_before_boot;

void __cyg_profile_func_enter(void *func, void *site);
void __cyg_profile_func_exit(void *func, void *site);

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

/* What the short ways below do not know. */
static noinline void enter_slowly(struct kfi_run *run, unsigned long func, unsigned long site)
{
	struct kfi_here here = {
		.stack = READ_ONCE(current->kfi.stack), .cpunr = raw_smp_processor_id(),
		.pid = current->pid, .ctx = kfi_context(),
	};

	run = kfi_slow_enter(run, &here, func, site);
	if (!run)
		return;
	if (unlikely(run->watch))
		enter_watched(run, here.cpunr, here.stack, func, site);
	kfi_slow_done(&here);
}

static noinline void leave_slowly(struct kfi_run *run, unsigned long func)
{
	struct kfi_here here = {
		.stack = READ_ONCE(current->kfi.stack), .cpunr = raw_smp_processor_id(),
		.pid = current->pid, .ctx = kfi_context(),
	};

	kfi_slow_exit(run, &here, func);
}

static __always_inline void enter(struct kfi_run *run, unsigned long func, unsigned long site)
{
	struct kfi_stack *s = READ_ONCE(current->kfi.stack);
	unsigned int nr = raw_smp_processor_id();

	if (!kfi_is_quick(run, s, func, run->stop_entry)) {
		enter_slowly(run, func, site);
		return;
	}
	kfi_call_enter(run, &run->cpus[nr], nr, s, func, site, kfi_context());
	if (unlikely(run->watch))
		enter_watched(run, nr, s, func, site);
}

static __always_inline void leave(struct kfi_run *run, unsigned long func)
{
	struct kfi_stack *s = READ_ONCE(current->kfi.stack);
	unsigned int nr = raw_smp_processor_id();

	if (kfi_is_quick(run, s, func, run->stop_exit))
		kfi_call_exit(run, &run->cpus[nr], nr, s, func, kfi_context());
	else
		leave_slowly(run, func);
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
	if (unlikely(run->marks_ahead & BIT(KFI_MARKS_SYSCALLS)))
		kfi_tell_syscalls(next);
	if (atomic_read(&run->state) != KFI_TRIGGERED)
		return;
	now = kfi_now();
	if (unlikely(run->marks & BIT(KFI_MARKS_SWITCHES)))
		kfi_tell_switch(run, prev, next, now);
	s = prev->kfi.stack;
	if (s && s->stamp == run->stamp)
		kfi_stack_switch_out(s, now);
	s = next->kfi.stack;
	if (s && s->stamp == run->stamp)
		kfi_stack_switch_in(s, now);
}
