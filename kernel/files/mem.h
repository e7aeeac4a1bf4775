/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The end of a run in memory that outlives a warm reboot: kfi.mem= and /proc/kfi_last.
 */
#ifndef KFI_MEM_H
#define KFI_MEM_H

struct kfi_excerpt;
struct kfi_run;
struct seq_file;

/**
 * kfi_mem_write() - Put the newest calls of a run, as many as fit, where kfi.mem= says.
 * @e: for what has to be remembered meanwhile
 * @run: the run, stopped; it does not go away meanwhile
 *
 * Does nothing without such memory.
 * Context: a crash.
 */
void kfi_mem_write(struct kfi_excerpt *e, const struct kfi_run *run);

#endif /* KFI_MEM_H */
