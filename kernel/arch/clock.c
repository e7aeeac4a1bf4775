// SPDX-License-Identifier: GPL-2.0
/*
 * Chooses the recorder's clock and converts its counts: the half that all architectures share. Not
 * instrumented. Only kfi_clock_read_sched() runs in hooks.
 */
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/sched/clock.h>
#include <linux/timekeeping.h>

#include "arch/arch.h"

/* A counter that does not advance in this number of reads stands still. */
#define TRIES		10000

/* A sched_clock() that does not advance in this number of reads ticks with jiffies: useless. */
#define SCHED_TRIES	100000

struct kfi_clock kfi_clock;

struct kfi_clock_pair kfi_clock_pairs[KFI_CLOCK_PAIRS];

/* Where the clock and the kernel's time stood late in the boot; 0 before that. */
static u64 drift_count, drift_ktime;

u64 kfi_clock_read_sched(void)
{
	return sched_clock();
}

bool kfi_clock_advances(struct kfi_clock *clock, enum kfi_clock_kind kind)
{
	u64 first;
	int i;

	clock->kind = kind;
	first = kfi_now();
	for (i = 0; i < TRIES; i++)
		if (kfi_now() > first)
			return true;
	clock->kind = KFI_CLOCK_NONE;
	return false;
}

void kfi_clock_init(const char *since)
{
	kfi_clock_arch_init(&kfi_clock);
	if (kfi_clock.kind == KFI_CLOCK_NONE)
		return;
	kfi_clock.since = since;
	kfi_clock.zero = kfi_now();
}

/* The last resort: nanoseconds of the scheduler, once they advance finely. */
static void try_sched(const char *since)
{
	u64 first = sched_clock();
	int i;

	for (i = 0; first && i < SCHED_TRIES; i++) {
		if (sched_clock() == first)
			continue;
		if (sched_clock() - first > NSEC_PER_USEC * 100)
			return;
		kfi_clock.name = "sched_clock";
		kfi_clock.since = since;
		kfi_clock.calibration = "the kernel's own nanoseconds";
		kfi_clock.hz = NSEC_PER_SEC;
		kfi_clock.zero = sched_clock();
		WRITE_ONCE(kfi_clock.kind, KFI_CLOCK_SCHED);
		return;
	}
}

void kfi_clock_update(void)
{
	if (kfi_clock.kind != KFI_CLOCK_NONE && kfi_clock.kind != KFI_CLOCK_SCHED)
		kfi_clock_arch_rate(&kfi_clock);
}

void kfi_clock_pair(struct kfi_clock_pair *pair)
{
	unsigned long flags;
	u64 before;

	/* Nothing comes between the readings. At start_kernel() lockdep is not there yet. */
	raw_local_irq_save(flags);
	before = kfi_now();
	pair->printk_ns = local_clock();
	pair->count = before + (kfi_now() - before) / 2;
	raw_local_irq_restore(flags);
}

void kfi_clock_pair_boot(void)
{
	static u32 n;

	if (n == KFI_CLOCK_PAIRS - 1)
		return;
	kfi_clock_pair(&kfi_clock_pairs[n]);
	n += kfi_clock_pairs[n].count != 0;
}

static int __init kfi_clock_early(void)
{
	if (kfi_clock.kind == KFI_CLOCK_NONE)
		try_sched("the early initcalls");
	kfi_clock_pair_boot();
	return 0;
}
early_initcall(kfi_clock_early);

static int __init kfi_clock_between(void)
{
	kfi_clock_pair_boot();
	return 0;
}
subsys_initcall(kfi_clock_between);
device_initcall(kfi_clock_between);

static int __init kfi_clock_late(void)
{
	if (kfi_clock.kind == KFI_CLOCK_NONE)
		try_sched("the late initcalls");
	kfi_clock_pair_boot();
	drift_count = kfi_now();
	drift_ktime = ktime_get_raw_ns();
	return 0;
}
late_initcall(kfi_clock_late);

u64 kfi_clock_ns(u64 counts, u64 hz)
{
	u64 rem, s;

	if (!hz)
		return 0;
	s = div64_u64_rem(counts, hz, &rem);
	return s * NSEC_PER_SEC + div64_u64(rem * NSEC_PER_SEC, hz);
}

static u64 us_to_counts(u64 us, u64 hz)
{
	u64 rem, s = div64_u64_rem(us, USEC_PER_SEC, &rem);

	if (s && hz > U64_MAX / (s + 1))
		return U64_MAX;
	return s * hz + div64_u64(rem * hz + USEC_PER_SEC - 1, USEC_PER_SEC);
}

u64 kfi_clock_at_most(u64 us)
{
	return us_to_counts(us, kfi_clock.hz ?: kfi_clock_arch_slowest);
}

u64 kfi_clock_at_least(u64 us)
{
	return kfi_clock.hz ? us_to_counts(us, kfi_clock.hz) : U64_MAX;
}

bool kfi_clock_drift(s64 *ppm, u64 *ms)
{
	u64 clock, kernel;

	if (!drift_ktime || !kfi_clock.hz)
		return false;
	kernel = ktime_get_raw_ns() - drift_ktime;
	clock = kfi_clock_ns(kfi_now() - drift_count, kfi_clock.hz);
	*ms = div_u64(kernel, NSEC_PER_MSEC);
	if (*ms < 10)
		return false;
	*ppm = div64_s64((s64)(clock - kernel), (s64)*ms);	/* ns per ms is ppm */
	return true;
}
