/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files in /proc have in common.
 */
#ifndef KFI_PROC_H
#define KFI_PROC_H

/**
 * kfi_proc_may_open() - May a file with kernel addresses be opened?
 *
 * Context: open().
 * Return: 0; -EPERM without CAP_PERFMON, or where addresses are to be hidden even from root.
 */
int kfi_proc_may_open(void);

#endif /* KFI_PROC_H */
