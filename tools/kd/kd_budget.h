/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a file of limits for --diff and --gate: lines "NAME < 50ms" or "NAME < +3%". */
#ifndef KFI_KD_BUDGET_H
#define KFI_KD_BUDGET_H

#include "err.h"
#include "kfi_port_host.h"

/**
 * struct kd_limit - a line of a budget
 * @name: name of what is limited
 * @text: the limit as written
 * @ns: the limit in nanoseconds, -1: it limits growth
 * @percent: growth that is allowed
 * @file: name of the file
 * @line: number of the line
 */
struct kd_limit {
	char name[256];
	char text[32];
	s64 ns;
	double percent;
	const char *file;
	u64 line;
};

/**
 * kd_budget_read() - read a file of limits
 * @path: the file
 * @take: called with each line. Return: 0 or -errno, which ends the reading
 * @arg: argument for @take
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_budget_read(const char *path,
		   int (*take)(void *arg, const struct kd_limit *limit, struct kfi_err *err),
		   void *arg, struct kfi_err *err);

#endif /* KFI_KD_BUDGET_H */
