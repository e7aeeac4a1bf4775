/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The run that is compiled in.
 */
#ifndef KFI_BOOT_H
#define KFI_BOOT_H

#include <linux/types.h>

struct kfi_conf_err;

/**
 * kfi_boot() - Choose the clock and arm the compiled-in run, if there is one.
 *
 * Context: the entry callout of start_kernel, once: one cpu, interrupts off, no allocator.
 */
void kfi_boot(void);

/**
 * kfi_boot_error() - Why was the compiled-in run refused?
 *
 * Context: any.
 * Return: the reason, or NULL if it was not.
 */
const struct kfi_conf_err *kfi_boot_error(void);

#endif /* KFI_BOOT_H */
