/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of the recorder share that other code of the kernel calls: the two ways of
 * callouts, and in which context they were.
 */
#ifndef KFI_HOOK_H
#define KFI_HOOK_H

#include <linux/kfi.h>
#include <linux/preempt.h>

#include "kfi_abi.h"
#include "session/log.h"

/* What the callouts look at first. */
extern struct kfi_fast kfi_fast;

/**
 * kfi_enter_long() - A function was entered: what the short way does not know.
 * @func: address of the function
 * @site: address of the call site
 *
 * Context: a callout.
 */
void kfi_enter_long(unsigned long func, unsigned long site);

/**
 * kfi_exit_long() - A function returns: likewise.
 * @func: address of the function
 *
 * Context: a callout.
 */
void kfi_exit_long(unsigned long func);

/**
 * kfi_enter_run() - A function was entered, in a run that is not the live one.
 * @run: the run, triggered
 * @func: address of the function
 * @site: address of the call site
 *
 * Context: preemption off.
 */
void kfi_enter_run(struct kfi_run *run, unsigned long func, unsigned long site);

/**
 * kfi_exit_run() - A function returns, likewise.
 * @run: the run, triggered
 * @func: address of the function
 *
 * Context: preemption off.
 */
void kfi_exit_run(struct kfi_run *run, unsigned long func);

/**
 * kfi_enter_other() - A function was entered, and the callout has not been able to do it.
 * @func: address of the function
 * @site: address of the call site
 *
 * Context: a callout.
 */
void kfi_enter_other(unsigned long func, unsigned long site);

/**
 * kfi_exit_other() - A function returns, likewise.
 * @func: address of the function
 * @tried: a task's call need not try the short way again
 *
 * Context: a callout.
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
 * Context: a callout, preemption off; it is on again then.
 */
void kfi_keep_wide(unsigned long rel, struct kfi_frame *top, u64 dur, struct kfi_stack *s,
		   unsigned int ctx);

/* What functions call that were instrumented after inlining: hooks/entry.c, hooks/exit.c. */
void kfi_entry(void);
void kfi_exit(void);

/* kfi_enter_other() for them: no register changes that is in use there. */
void kfi_entry_saving(void);

/**
 * kfi_context() - In which context is this?
 *
 * Context: any.
 * Return: enum kfi_ctx.
 */
static __always_inline unsigned int kfi_context(void)
{
	unsigned int count = preempt_count();

	if (likely(!(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET))))
		return KFI_CTX_TASK;
	if (count & NMI_MASK)
		return KFI_CTX_NMI;
	return count & HARDIRQ_MASK ? KFI_CTX_HARDIRQ : KFI_CTX_SOFTIRQ;
}

#endif /* KFI_HOOK_H */
