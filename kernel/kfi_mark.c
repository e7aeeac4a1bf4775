// SPDX-License-Identifier: GPL-2.0
/*
 * Marks: functions that do nothing but be entered and left, for triggers to name. This file is the
 * only one of the recorder that is instrumented.
 */
#include <linux/compiler.h>
#include <linux/kfi.h>

noinline void to_userspace(void)
{
	/* Without this gcc sees a function without effect, and drops the call. */
	barrier();
}
