// SPDX-License-Identifier: GPL-2.0
/*
 * The recorder's clock on arm64: the virtual count of the generic timer. Firmware must have made it
 * the same on all cpus (Documentation/arch/arm64/booting.rst), so it needs no more than a look
 * whether it advances.
 */
#include <linux/kernel.h>
#include <asm/sysreg.h>

#include "arch/clock.h"

#define TRIES		10000

/* Below what any such timer counts at; the rate is known from the start. */
const u64 kfi_clock_arch_slowest = 1000000;

void kfi_clock_arch_init(struct kfi_clock *clock)
{
	u64 first, hz = read_sysreg(cntfrq_el0);
	int i;

	if (!hz)
		return;
	clock->kind = KFI_CLOCK_CNTVCT;
	first = kfi_now();
	for (i = 0; i < TRIES; i++) {
		if (kfi_now() <= first)
			continue;
		clock->name = "generic timer (CNTVCT)";
		clock->hz = hz;
		clock->calibration = "CNTFRQ";
		return;
	}
	clock->kind = KFI_CLOCK_NONE;
}

void kfi_clock_arch_rate(struct kfi_clock *clock)
{
	/* It comes with its rate. */
}
