// SPDX-License-Identifier: GPL-2.0
/*
 * A function that is only there to be entered and left, for triggers to name. This file is the
 * only instrumented one of the recorder.
 */
#include <linux/compiler.h>
#include <linux/kfi.h>

#include "session/session.h"

noinline void to_userspace(void)
{
	kfi_life_kernel_init_over();
}
