/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of the recorder share that other code of the kernel calls: in which context it
 * was, and whether there is a kernel to speak of yet.
 */
#ifndef KFI_HOOK_H
#define KFI_HOOK_H

#include <linux/preempt.h>

#include "kfi_abi.h"
#include "kfi_log.h"

/*
 * Stands for the run until start_kernel: callouts come before there is a current task, and before
 * bss is cleared, where kfi_live therefore is not. Only its address is used.
 */
extern struct kfi_run kfi_before_boot;

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
