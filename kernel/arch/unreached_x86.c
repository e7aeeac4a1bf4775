// SPDX-License-Identifier: GPL-2.0
/*
 * What is referred to, but never used, on x86. In a kernel that is not instrumented the compiler
 * finds that out, and drops the reference; where functions call out it does not inline as much, and
 * the reference stays: of functions that do nothing with these tables, and of a branch for programs
 * of 32 bits. Weak: what a kernel does use, it has.
 */
#include <linux/bug.h>
#include <linux/compiler.h>
#include <linux/types.h>

void convert_to_fxsr(void *fxsave, const void *env);

__weak s32 __retpoline_sites[0];
__weak s32 __retpoline_sites_end[0];
__weak s32 __return_sites[0];
__weak s32 __return_sites_end[0];
__weak s32 __cfi_sites[0];
__weak s32 __cfi_sites_end[0];
__weak s32 __ibt_endbr_seal[0];
__weak s32 __ibt_endbr_seal_end[0];

__weak void convert_to_fxsr(void *fxsave, const void *env)
{
	WARN_ON_ONCE(1);
}
