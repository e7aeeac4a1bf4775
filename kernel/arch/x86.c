// SPDX-License-Identifier: GPL-2.0
/*
 * x86: the time stamp counter, whose rate is known from tsc_init() on, and call sites.
 *
 * An enabled site is "call rel32", a disabled one "test $imm32, %eax". Both have one byte of
 * opcode and the same four bytes after it. So one byte changes, and an NMI that runs there
 * meanwhile sees one or the other. The test changes the flags, as a call may.
 *
 * A call before a return is disabled by a return; so are all exits of functions that were
 * instrumented after inlining. This is not done where a return must be followed by int3, or jumps
 * to a safe one.
 */
#include <linux/kconfig.h>
#include <linux/kernel.h>
#include <asm/cpuid.h>
#include <asm/sync_core.h>
#include <asm/tsc.h>

#include "arch/arch.h"

/* cpuid 1, edx: there is a time stamp counter. cpu_has() does not work yet at start_kernel. */
#define CPUID_TSC	BIT(4)
#define TRIES		1000

/* No processor that runs these kernels counts slower; only used until the rate is known. */
const u64 kfi_clock_arch_slowest = IS_ENABLED(CONFIG_X86_64) ? 800000000 : 60000000;

static bool advances(void)
{
	u64 first = rdtsc();
	int i;

	for (i = 0; i < TRIES; i++)
		if (rdtsc() > first)
			return true;
	return false;
}

void kfi_clock_arch_init(struct kfi_clock *clock)
{
	if (!IS_ENABLED(CONFIG_X86_64) && !(cpuid_edx(1) & CPUID_TSC))
		return;
	if (!advances())
		return;
	clock->name = "tsc";
	clock->kind = KFI_CLOCK_TSC;
}

void kfi_clock_arch_rate(struct kfi_clock *clock)
{
	if (!tsc_khz)
		return;
	clock->calibration = "tsc_khz of the kernel";
	clock->hz = (u64)tsc_khz * 1000;
}

#ifdef CONFIG_KFI_PATCH_SITES

#define CALL	0xe8
#define TEST	0xa9
#define RET	0xc3
#define SIZE	5

void kfi_sites_write_one(struct kfi_site *s, void *text, bool on)
{
	u8 *op = text;
	bool returns = op[SIZE] == RET && !IS_ENABLED(CONFIG_SLS) &&
		       !IS_ENABLED(CONFIG_MITIGATION_SLS);

	if (!on && *op == CALL)
		*(volatile u8 *)op = returns ? RET : TEST;
	else if (on && (*op == TEST || *op == RET))
		*(volatile u8 *)op = CALL;
}

void kfi_sites_flush(const struct kfi_window *w)
{
	sync_core();
}

bool kfi_sites_boot_begin(struct kfi_window *w)
{
	return true;
}

void kfi_sites_boot_end(const struct kfi_window *w)
{
	sync_core();
}

void kfi_sites_sync(void)
{
	sync_core();
}

#endif /* CONFIG_KFI_PATCH_SITES */
