/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the hooks of all kinds of instrumentation share: cyg_profile.c (before inlining), entry.c
 * and exit.c (after inlining). They begin with the fast path for tasks, inline; it does not ask
 * whether there is a run: without one no frame is plain. All else is in hook.c.
 */
#ifndef KFI_HOOK_H
#define KFI_HOOK_H

#include "hooks/fast.h"
#include "hooks/live.h"

/**
 * kfi_enter_long() - A function was entered: what the fast path does not know.
 * @func: address of the function
 * @site: address of the call site
 *
 * Context: a hook.
 */
void kfi_enter_long(unsigned long func, unsigned long site);

/**
 * kfi_exit_long() - A function returns: likewise.
 * @func: address of the function
 *
 * Context: a hook.
 */
void kfi_exit_long(unsigned long func);

/**
 * kfi_enter_other() - A function was entered, and the hook has not been able to do it.
 * @func: address of the function
 * @site: address of the call site
 *
 * Context: a hook.
 */
void kfi_enter_other(unsigned long func, unsigned long site);

/**
 * kfi_exit_other() - A function returns, likewise.
 * @func: address of the function
 * @tried: the inline half has tried the fast path, unless KFI_HOOK_OTHER says that it has not
 *
 * Context: a hook.
 */
void kfi_exit_other(unsigned long func, bool tried);

/**
 * kfi_keep_wide() - The call of the topmost frame returns; kfi_fast_keep() has said false.
 * @rel: the function, relative to @text of kfi_fast
 * @top: above the frame
 * @dur: raw counts since it was entered
 * @s: shadow stack of the current task
 * @ctx: enum kfi_ctx
 *
 * Context: a hook, preemption off; it is on again then.
 */
void kfi_keep_wide(unsigned long rel, struct kfi_frame *top, u64 dur, struct kfi_stack *s,
		   unsigned int ctx);

/**
 * kfi_hook_resched() - Let the current task be preempted, if it should be.
 *
 * Context: the end of a hook.
 */
void kfi_hook_resched(void);

/* What functions call that were instrumented before inlining: hooks/cyg_profile.c. */
void __cyg_profile_func_enter(void *func, void *site);
void __cyg_profile_func_exit(void *func, void *site);

/* What functions call that were instrumented after inlining: hooks/entry.c, hooks/exit.c. */
void kfi_entry(void);
void kfi_exit(void);

/* kfi_enter_other() for them: no register changes that is in use there. */
void kfi_entry_saving(void);

/*
 * Bits of preempt_count() with which the inline half of a hook does not try the fast path. arm64
 * tests all of them by one instruction, so a task that has turned softirqs off is left out, too: it
 * takes the fast path out of line.
 */
#ifdef KFI_LOCAL_EXCLUSIVE
#define KFI_HOOK_OTHER	(NMI_MASK | HARDIRQ_MASK | SOFTIRQ_MASK)
#ifdef KFI_LOCAL_BITS
static_assert(KFI_HOOK_OTHER == KFI_LOCAL_BITS);
#endif
#else
#define KFI_HOOK_OTHER	(NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET)
#endif

/**
 * kfi_hook_enter() - A function was entered, by a task if it is to be done.
 * @fast: what there is to be done
 * @s: shadow stack of the current task
 * @func: address of the function
 * @site: address of the call site
 * @at: as kfi_fast_enter()
 *
 * On arm64 @func and @site are read where they are stored, on arm @site: those that are in
 * registers set apart (hooks/entry.c) stay there.
 * Context: a hook, preemption off.
 * Return: as kfi_fast_enter().
 */
#ifdef KFI_LOCAL_EXCLUSIVE
#ifndef kfi_hook_fill
#define kfi_hook_fill		kfi_fast_fill
#endif
#define kfi_hook_enter_of(fast, s, func, site, at) ({					\
	long _dropped;									\
	u64 _now;									\
	enum kfi_way _way = kfi_fast_push((fast), (s), (func), KFI_CTX_TASK,		\
					  preempt_count(), KFI_HOOK_OTHER, (at), &_now,	\
					  &_dropped);					\
											\
	if (likely(_way == KFI_WAY_DONE))						\
		kfi_hook_fill(*(at), _now, _dropped, (func), (site));			\
	_way;										\
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
static __always_inline enum kfi_way kfi_hook_enter(const struct kfi_fast *fast,
							   struct kfi_stack *s,
							   unsigned long func, unsigned long site,
							   struct kfi_frame **at)
{
	if (unlikely(kfi_context() != KFI_CTX_TASK))
		return KFI_WAY_LONG;
	return kfi_fast_enter(fast, s, func, site, KFI_CTX_TASK, at);
}
#endif

/**
 * kfi_hook_exit() - A function returns, likewise.
 * @fast: what there is to be done
 * @s: shadow stack of the current task
 * @func: address of the function
 * @asked: the clock is to be asked how it is read: see KFI_CLOCK_ASKED
 * @at: as kfi_fast_exit()
 * @end: as kfi_fast_exit()
 * @dur: as kfi_fast_exit()
 * @below: as kfi_fast_exit()
 *
 * Context: a hook, preemption off.
 * Return: as kfi_fast_exit().
 */
static __always_inline enum kfi_way kfi_hook_exit(const struct kfi_fast *fast,
							  struct kfi_stack *s, unsigned long func,
							  const bool asked, struct kfi_frame **at,
							  u64 *end, u64 *dur, u32 *below)
{
#ifdef KFI_LOCAL_EXCLUSIVE
	return kfi_fast_drop(fast, s, func, preempt_count(), KFI_HOOK_OTHER, asked, at, end, dur,
			     below);
#else
	if (unlikely(kfi_context() != KFI_CTX_TASK))
		return KFI_WAY_LONG;
	return kfi_fast_exit(fast, s, func, KFI_CTX_TASK, at, end, dur, below);
#endif
}

#endif /* KFI_HOOK_H */
