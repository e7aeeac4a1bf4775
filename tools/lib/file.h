/* SPDX-License-Identifier: GPL-2.0 */
/* Files that a tool writes, which must not be those that it reads. Used by kd and kfi-capture. */
#ifndef KFI_FILE_H
#define KFI_FILE_H

#include "kfi_port_host.h"

/* A name of standard input for kfi_file_same(). */
#define KFI_FILE_STDIN	"/dev/stdin"

/**
 * kfi_file_same() - check whether two names are of one file
 * @a: a name; the file need not exist
 * @b: another one
 *
 * Return: true if so; false also for the null device, where nothing can be overwritten.
 */
bool kfi_file_same(const char *a, const char *b);

#endif /* KFI_FILE_H */
