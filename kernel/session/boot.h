/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The run of the boot: compiled in, or given on the kernel's command line.
 */
#ifndef KFI_BOOT_H
#define KFI_BOOT_H

#include <linux/types.h>

struct kfi_log;
struct seq_file;

/**
 * kfi_boot() - Choose the clock and arm the run of the boot, if there is one.
 *
 * Context: the beginning of start_kernel(), once: one cpu, interrupts off, no allocator.
 */
void kfi_boot(void);

/**
 * kfi_boot_show() - Say why nothing, or something else, was armed at boot.
 * @m: where to: the status
 *
 * Context: process context.
 */
void kfi_boot_show(struct seq_file *m);

/**
 * kfi_boot_notes() - Say in a log what became of kfi.conf= otherwise than asked for.
 * @m: where to: the header of the log
 * @log: a log of the boot
 *
 * Context: any.
 */
void kfi_boot_notes(struct seq_file *m, const struct kfi_log *log);

#endif /* KFI_BOOT_H */
