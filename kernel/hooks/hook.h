/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the hooks of both kinds of instrumentation share: cyg_profile.c (before inlining), entry.c
 * and exit.c (after inlining). They try the fast path for tasks, which is inline here. Everything
 * else is out of line, in hook.c: common records, the slow path, and interrupts on the fast path.
 * After inlining, entry.c and exit.c handle interrupts on x86 (in functions of their own), and on
 * arm (KFI_HOOK_INTERRUPTS).
 * The fast path does not check whether a session is live: without one no frame has its tag.
 */
#ifndef KFI_HOOK_H
#define KFI_HOOK_H

#include "hooks/fast.h"
#include "hooks/live.h"

/**
 * kfi_hook_enter_slow() - Handle a function entry on the slow path, if a session is live.
 * @func: address of the function
 * @site: address of the call site
 * @args: the registers of its arguments, in their order: KFI_ARG_REGISTERS; the other arguments are
 *	on the stack, from @args + KFI_ARGS_TO_STACK on; NULL: not known
 *
 * Context: a hook.
 */
void kfi_hook_enter_slow(unsigned long func, unsigned long site, const unsigned long *args);

/**
 * kfi_hook_exit_slow() - Handle a function exit on the slow path, if a session is live.
 * @func: address of the function
 * @ret: the register of its return value; before inlining any number
 *
 * Context: a hook.
 */
void kfi_hook_exit_slow(unsigned long func, unsigned long ret);

/**
 * kfi_hook_enter_outline() - Handle a function entry that the inline half of the hook did not.
 * @func: address of the function
 * @site: address of the call site
 * @args: as kfi_hook_enter_slow()
 *
 * Tries the fast path in any context, then takes the slow path.
 * Context: a hook.
 */
void kfi_hook_enter_outline(unsigned long func, unsigned long site, const unsigned long *args);

/**
 * kfi_hook_exit_outline() - Handle a function exit that the inline half of the hook did not.
 * @func: address of the function
 * @tried: true if the inline half has tried the fast path for tasks
 * @ret: as kfi_hook_exit_slow()
 *
 * Tries the fast path unless it was tried for a task, then takes the slow path.
 * Context: a hook.
 */
void kfi_hook_exit_outline(unsigned long func, bool tried, unsigned long ret);

/**
 * kfi_hook_keep_common() - Keep a call with a common record, or take the slow path.
 * @rel: the function, relative to @text of kfi_fast
 * @top: the first frame above that of the call
 * @dur: raw counts since it was entered
 * @s: shadow stack of the current task
 * @ctx: enum kfi_ctx
 *
 * kfi_fast_keep_packed() has just returned false for the call.
 * Context: a hook, preemption off. This turns it on.
 */
void kfi_hook_keep_common(unsigned long rel, struct kfi_frame *top, u64 dur, struct kfi_stack *s,
			  unsigned int ctx);

/**
 * kfi_hook_resched() - Let the current task be preempted, if it should be.
 *
 * Context: the end of a hook.
 */
void kfi_hook_resched(void);

/* Called by functions that were instrumented before inlining: hooks/cyg_profile.c. */
void __cyg_profile_func_enter(void *func, void *site);
void __cyg_profile_func_exit(void *func, void *site);

/* Called by functions that were instrumented after inlining: hooks/entry.c, hooks/exit.c. */
void kfi_entry(void);
void kfi_exit(void);

/* Call kfi_hook_enter_outline() from kfi_entry(): saves all registers that are in use there. */
void kfi_entry_saving(void);

/*
 * True if the inline half of the entry hook tries the fast path in interrupts, too, where it has
 * failed for tasks. On arm after inlining, all registers that this needs are saved anyway.
 */
#define KFI_HOOK_INTERRUPTS	(IS_ENABLED(CONFIG_ARM) && IS_ENABLED(CONFIG_KFI_AFTER_INLINING))

/**
 * kfi_hook_enter() - Handle a function entry on the fast path if it is a task's; with
 * KFI_HOOK_INTERRUPTS in an interrupt, too.
 * @fast: the fast-path state
 * @s: shadow stack of the current task
 * @func: address of the function
 * @site: address of the call site
 * @at: as kfi_fast_enter()
 *
 * With KFI_LOCAL_EXCLUSIVE this is a macro, so that an argument can stay in the register that
 * arch/entry.h sets apart for it until it is stored: @func and @site on arm64, @site on arm.
 * Context: a hook, preemption off.
 * Return: as kfi_fast_enter().
 */
#ifdef KFI_LOCAL_EXCLUSIVE
#ifndef kfi_hook_fill
#define kfi_hook_fill		kfi_fast_fill
#endif
#define kfi_hook_enter_of(fast, s, func, site, at) ({					\
	long _dropped;									\
	u32 _zero;									\
	u64 _now;									\
	enum kfi_path _path = kfi_fast_push((fast), (s), (func), KFI_CTX_TASK, (at),	\
					    &_now, &_dropped, &_zero);			\
											\
	if (likely(_path == KFI_PATH_DONE))						\
		kfi_hook_fill(*(at), _now, _dropped, _zero, (func), (site));			\
	else if (KFI_HOOK_INTERRUPTS)							\
		_path = kfi_fast_enter((fast), (s), (func), (site),			\
				       kfi_context_of(preempt_count()), (at));		\
	_path;										\
})
#ifdef CONFIG_ARM64
#define kfi_hook_enter		kfi_hook_enter_of
#else
#define kfi_hook_enter(fast, s, func, site, at) ({					\
	unsigned long _entered = (func);						\
											\
	kfi_hook_enter_of((fast), (s), _entered, (site), (at));				\
})
#endif
#else
#define kfi_hook_enter(fast, s, func, site, at)						\
	kfi_fast_enter((fast), (s), (func), (site), KFI_CTX_TASK, (at))
#endif

/**
 * kfi_hook_exit() - Handle a function exit on the fast path if it is a task's.
 * @fast: the fast-path state
 * @s: shadow stack of the current task
 * @func: address of the function
 * @any_clock: true: the clock may need more than one instruction: see KFI_CLOCK_SEVERAL
 * @at: as kfi_fast_exit()
 * @end: as kfi_fast_exit()
 * @dur: as kfi_fast_exit()
 * @below: as kfi_fast_exit()
 *
 * Context: a hook, preemption off.
 * Return: as kfi_fast_exit().
 */
static __always_inline enum kfi_path kfi_hook_exit(const struct kfi_fast *fast,
						   struct kfi_stack *s, unsigned long func,
						   const bool any_clock, struct kfi_frame **at,
						   u64 *end, u64 *dur, u32 *below)
{
#ifdef KFI_LOCAL_EXCLUSIVE
	return kfi_fast_exit_task(fast, s, func, any_clock, at, end, dur, below);
#else
	return kfi_fast_exit(fast, s, func, KFI_CTX_TASK, at, end, dur, below);
#endif
}

#endif /* KFI_HOOK_H */
