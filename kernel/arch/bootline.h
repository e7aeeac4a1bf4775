/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's command line before the kernel itself has looked at it.
 */
#ifndef KFI_BOOTLINE_H
#define KFI_BOOTLINE_H

#include <linux/types.h>

/**
 * kfi_bootline_find() - Find the value of a parameter at start_kernel.
 * @name: the parameter, without "="
 * @value: where to put the first byte of its value; it is gone after the boot
 * @len: where to put its length
 *
 * As kfi_cmdline_find(), in the line that setup_arch() will make of what the boot loader gave and
 * what is compiled in. What comes from a bootconfig is not in it.
 * Context: the beginning of start_kernel(): one cpu, interrupts off.
 * Return: false if there is no such value, or if this machine's line cannot be read so early.
 */
bool kfi_bootline_find(const char *name, const char **value, size_t *len);

#endif /* KFI_BOOTLINE_H */
