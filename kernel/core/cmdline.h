/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds a parameter in a kernel command line, as the kernel's own parser would. It only reads
 * text; arch/bootline.c knows where the command line is. A small module of its own, so that the
 * host tests and fuzzes it: arch/ is compiled for kernels only.
 */
#ifndef KFI_CMDLINE_H
#define KFI_CMDLINE_H

#include "core/port.h"

/**
 * kfi_cmdline_find() - Find the value of a parameter.
 * @line: the command line
 * @max: its length at most: a NUL before that ends it, too
 * @name: the parameter, without "="
 * @value: where to put the first byte of its value, which lies in @line and has no NUL behind it
 * @len: where to put the length of the value
 *
 * Parameters are separated by blanks; within double quotes a blank is none. Quotes around the
 * value, or around the whole parameter, are not part of the value. What stands behind "--" is for
 * init. Of several values the last one counts. A parameter without "=" has no value.
 *
 * Return: false if there is no such value; @value and @len are left alone then.
 */
bool kfi_cmdline_find(const char *line, size_t max, const char *name, const char **value,
		      size_t *len);

#endif /* KFI_CMDLINE_H */
