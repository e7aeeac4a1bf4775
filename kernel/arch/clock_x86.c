// SPDX-License-Identifier: GPL-2.0
/*
 * The recorder's clock on x86: the time stamp counter. Its rate is known from tsc_init() on.
 */
#include <linux/kernel.h>
#include <asm/cpuid.h>
#include <asm/tsc.h>

#include "arch/clock.h"

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
