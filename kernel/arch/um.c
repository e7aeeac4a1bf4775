// SPDX-License-Identifier: GPL-2.0
/*
 * um, where a kernel is a process of a host: the time stamp counter, if the host lets its
 * processes read it. Its rate is measured against the host's time.
 */
#include <linux/math64.h>
#include <linux/time64.h>
#include <os.h>

#include "arch/arch.h"

/* As on x86: no processor counts slower. Only used until the rate is known. */
const u64 kfi_clock_arch_slowest = 800000000;

/* So long it is measured: what is lost between the readings of two clocks is some ten ns. */
#define MEASURED_NS	(50 * NSEC_PER_MSEC)

/* The host's time when the clock was at @zero. */
static u64 zero_ns;

void kfi_clock_arch_init(struct kfi_clock *clock)
{
	zero_ns = os_nsecs();
	clock->name = "tsc";
	clock->kind = KFI_CLOCK_TSC;
}

void kfi_clock_arch_rate(struct kfi_clock *clock)
{
	u64 counts = kfi_now() - clock->zero, ns = os_nsecs() - zero_ns;

	/* Once: what has been converted with it must stay what it is. */
	if (clock->hz || ns < MEASURED_NS)
		return;
	clock->calibration = "the host's clock";
	clock->hz = mul_u64_u64_div_u64(counts, NSEC_PER_SEC, ns);
}
