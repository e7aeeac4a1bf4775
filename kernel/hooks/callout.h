/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What callouts begin with that a task calls: cyg_profile.c, entry.c, exit.c. No look is taken
 * whether there is a run: without one there is no plain frame.
 */
#ifndef KFI_CALLOUT_H
#define KFI_CALLOUT_H

#include <linux/preempt.h>

#include "hooks/fast.h"
#include "hooks/hook.h"

#ifdef KFI_LOCAL_EXCLUSIVE

/*
 * This may be an interrupt: all bits that tell are looked at at once; a task that has turned
 * softirqs off is taken for one first, and goes the short way out of line.
 */
#define KFI_CALLOUT_OTHER	(NMI_MASK | HARDIRQ_MASK | SOFTIRQ_MASK)

#endif

/**
 * kfi_callout_enter() - A function was entered, by a task if it is to be done.
 * @fast: what there is to be done
 * @s: shadow stack of the current task
 * @func: address of the function
 * @site: address of the call site
 * @at: as kfi_fast_enter()
 *
 * On arm64 @func and @site are read where they are stored: those that are in registers set apart
 * (hooks/entry.c) stay there.
 * Context: a callout, preemption off.
 * Return: as kfi_fast_enter().
 */
#ifdef KFI_LOCAL_EXCLUSIVE
#define kfi_callout_enter(fast, s, func_, site_, at) ({					\
	enum kfi_way _way = kfi_fast_push((fast), (s), (func_), KFI_CTX_TASK,		\
					  preempt_count() & KFI_CALLOUT_OTHER, (at));	\
											\
	if (likely(_way == KFI_WAY_DONE)) {						\
		(*(at))->func = (func_);						\
		(*(at))->site = (site_);						\
	}										\
	_way;										\
})
#else
static __always_inline enum kfi_way kfi_callout_enter(const struct kfi_fast *fast,
						      struct kfi_stack *s, unsigned long func,
						      unsigned long site, struct kfi_frame **at)
{
	if (unlikely(kfi_context() != KFI_CTX_TASK))
		return KFI_WAY_LONG;
	return kfi_fast_enter(fast, s, func, site, KFI_CTX_TASK, at);
}
#endif

/**
 * kfi_callout_exit() - A function returns, likewise.
 * @fast: what there is to be done
 * @s: shadow stack of the current task
 * @func: address of the function
 * @at: as kfi_fast_exit()
 * @dur: as kfi_fast_exit()
 *
 * Context: a callout, preemption off.
 * Return: as kfi_fast_exit().
 */
static __always_inline enum kfi_way kfi_callout_exit(const struct kfi_fast *fast,
						     struct kfi_stack *s, unsigned long func,
						     struct kfi_frame **at, u64 *dur)
{
#ifdef KFI_LOCAL_EXCLUSIVE
	return kfi_fast_drop(fast, s, func, preempt_count(), KFI_CALLOUT_OTHER, at, dur);
#else
	if (unlikely(kfi_context() != KFI_CTX_TASK))
		return KFI_WAY_LONG;
	return kfi_fast_exit(fast, s, func, KFI_CTX_TASK, at, dur);
#endif
}

#endif /* KFI_CALLOUT_H */
