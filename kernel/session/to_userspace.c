// SPDX-License-Identifier: GPL-2.0
/*
 * Marks: functions that do next to nothing but be entered and left, for triggers to name. This file
 * is the only one of the recorder that is instrumented.
 */
#include <linux/compiler.h>
#include <linux/kfi.h>

#include "session/session.h"

noinline void to_userspace(void)
{
	kfi_life_kernel_init_over();
}
