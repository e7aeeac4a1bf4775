/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The recorder's clock: the best counter that is seen to advance, read raw by the callouts and
 * converted when a log is read. Reading it is inline here; choosing it and its rate are in
 * arch/clock.c and, per architecture, in arch/clock_arm.c, arch/clock_arm64.c, arch/clock_um.c and
 * arch/clock_x86.c.
 */
#ifndef KFI_CLOCK_H
#define KFI_CLOCK_H

#include <linux/compiler.h>
#include <linux/types.h>

/* How the counter is read. The arch part of kfi_now() knows those that are cheap to read. */
enum kfi_clock_kind {
	KFI_CLOCK_NONE,
	KFI_CLOCK_TSC,		/* x86 time stamp counter */
	KFI_CLOCK_CNTVCT,	/* arm generic timer, virtual count */
	KFI_CLOCK_CNTPCT,	/* arm generic timer, physical count */
	KFI_CLOCK_MMIO,		/* 64-bit counter in two 32-bit registers */
	KFI_CLOCK_SCHED,	/* sched_clock(), where there is nothing better */
};

/**
 * struct kfi_clock - the clock in use
 * @kind: how it is read; KFI_CLOCK_NONE until one is chosen, which happens once
 * @low: register with the low half, for KFI_CLOCK_MMIO
 * @high: register with the high half
 * @map: entry of the kernel's page table that maps them; it is lost once, in paging_init()
 * @map_to: what to write there
 * @zero: raw count when the clock was chosen
 * @hz: counts per second; 0 while unknown
 * @name: as the log shows it
 * @since: when it was chosen
 * @calibration: where @hz comes from
 *
 * Written by the cpu that boots, before there are others; later only @hz and what explains it.
 */
struct kfi_clock {
	enum kfi_clock_kind kind;
#ifdef CONFIG_ARM
	void __iomem *low;
	void __iomem *high;
	volatile u32 *map;
	u32 map_to;
#endif
	u64 zero;
	u64 hz;
	const char *name;
	const char *since;
	const char *calibration;
};

extern struct kfi_clock kfi_clock;

u64 kfi_clock_read_sched(void);

#if defined(CONFIG_X86) || defined(CONFIG_UML_X86)

#ifdef CONFIG_X86
#include <asm/msr.h>
#else
#define rdtsc()		__builtin_ia32_rdtsc()
#endif

/**
 * kfi_now() - Read the clock.
 *
 * Context: any, NMI included.
 * Return: raw count; 0 while no clock runs.
 */
static __always_inline u64 kfi_now(void)
{
	if (likely(kfi_clock.kind == KFI_CLOCK_TSC))
		return rdtsc();
	return kfi_clock.kind == KFI_CLOCK_NONE ? 0 : kfi_clock_read_sched();
}

/**
 * kfi_now_bare() - Read the clock, which is a bare counter.
 *
 * Context: any. Who calls it while kfi_now_is_bare() does not hold must not use what it returns.
 * Return: raw count.
 */
static __always_inline u64 kfi_now_bare(void)
{
	return rdtsc();
}

/**
 * kfi_now_is_bare() - Is the clock a counter that an instruction reads?
 *
 * Context: any.
 * Return: true if it is; then it will always be.
 */
static __always_inline bool kfi_now_is_bare(void)
{
	return kfi_clock.kind == KFI_CLOCK_TSC;
}

#elif defined(CONFIG_ARM64)

/*
 * kfi_now() of arm64: see that of x86. Without the barrier that would keep the read in its place:
 * it may be a little early, and costs what reading a register costs.
 */
static __always_inline u64 kfi_now(void)
{
	u64 count;

	if (likely(kfi_clock.kind == KFI_CLOCK_CNTVCT)) {
		asm volatile("mrs %0, cntvct_el0" : "=r" (count));
		return count;
	}
	return kfi_clock.kind == KFI_CLOCK_NONE ? 0 : kfi_clock_read_sched();
}

/* kfi_now_bare() of arm64: see that of x86. */
static __always_inline u64 kfi_now_bare(void)
{
	u64 count;

	asm volatile("mrs %0, cntvct_el0" : "=r" (count));
	return count;
}

/* kfi_now_is_bare() of arm64: likewise. */
static __always_inline bool kfi_now_is_bare(void)
{
	return kfi_clock.kind == KFI_CLOCK_CNTVCT;
}

#elif defined(CONFIG_ARM)

u64 kfi_clock_read_mmio(void);

/* kfi_now() of arm: see that of x86. */
static __always_inline u64 kfi_now(void)
{
	u64 count;

	switch (kfi_clock.kind) {
	case KFI_CLOCK_CNTVCT:
		asm volatile("mrrc p15, 1, %Q0, %R0, c14" : "=r" (count));
		return count;
	case KFI_CLOCK_CNTPCT:
		asm volatile("mrrc p15, 0, %Q0, %R0, c14" : "=r" (count));
		return count;
	case KFI_CLOCK_MMIO:
		return kfi_clock_read_mmio();
	case KFI_CLOCK_SCHED:
		return kfi_clock_read_sched();
	default:
		return 0;
	}
}

/*
 * kfi_now_bare() of arm: see that of x86. An exit reads the clock before it knows whether it may:
 * a cpu without a generic timer (Cortex-A9) would not know the instruction.
 */
static __always_inline u64 kfi_now_bare(void)
{
	u64 count = 0;

	if (kfi_clock.kind == KFI_CLOCK_CNTVCT)
		asm volatile("mrrc p15, 1, %Q0, %R0, c14" : "=r" (count));
	else if (kfi_clock.kind == KFI_CLOCK_CNTPCT)
		asm volatile("mrrc p15, 0, %Q0, %R0, c14" : "=r" (count));
	return count;
}

/* kfi_now_is_bare() of arm: likewise. */
static __always_inline bool kfi_now_is_bare(void)
{
	return kfi_clock.kind == KFI_CLOCK_CNTVCT || kfi_clock.kind == KFI_CLOCK_CNTPCT;
}

#else

/* kfi_now() where no counter is known: see that of x86. */
static __always_inline u64 kfi_now(void)
{
	return kfi_clock.kind == KFI_CLOCK_NONE ? 0 : kfi_clock_read_sched();
}

/* There is none that is bare. */
static __always_inline u64 kfi_now_bare(void)
{
	return kfi_now();
}

static __always_inline bool kfi_now_is_bare(void)
{
	return false;
}

#endif

/**
 * kfi_clock_init() - Choose the clock, if one of the architecture's counters advances.
 * @since: where in the boot this is, for the log
 *
 * Context: the beginning of start_kernel(): interrupts off, one cpu, no allocator.
 */
void kfi_clock_init(const char *since);

/**
 * kfi_clock_update() - Ask whether the rate of the clock is known, or known better, by now.
 *
 * Context: process context.
 * Return: true if the rate was changed by this call.
 */
bool kfi_clock_update(void);

/**
 * kfi_clock_ns() - Convert a difference of raw counts.
 * @counts: raw counts
 * @hz: counts per second, below 2^34; 0: not known
 *
 * Context: any, but divides.
 * Return: nanoseconds, rounded down; 0 while the rate is not known.
 */
u64 kfi_clock_ns(u64 counts, u64 hz);

/**
 * kfi_clock_at_most() - A number of raw counts that takes no longer than a given time.
 * @us: microseconds
 *
 * Exact, rounded up, once the rate is known; before that, on the side that makes a time filter keep
 * too much: counts of the slowest clock that may be in use.
 * Context: any, but divides.
 * Return: raw counts; U64_MAX if they do not fit.
 */
u64 kfi_clock_at_most(u64 us);

/**
 * kfi_clock_at_least() - A number of raw counts that takes no less than a given time.
 * @us: microseconds
 *
 * As kfi_clock_at_most(), on the other side while the rate is unknown.
 * Context: any, but divides.
 * Return: raw counts; U64_MAX if they do not fit, or while the rate is unknown.
 */
u64 kfi_clock_at_least(u64 us);

/**
 * kfi_clock_drift() - Compare the clock with the kernel's own time.
 * @ppm: parts per million by which the clock is fast against CLOCK_MONOTONIC_RAW
 * @ms: milliseconds over which this was measured, since late in the boot
 *
 * Context: process context.
 * Return: false if it cannot be said yet.
 */
bool kfi_clock_drift(s64 *ppm, u64 *ms);

/*
 * The architecture's half. kfi_clock_arch_init() sets kind and name, leaves them alone if no
 * counter advances, and sets hz and calibration if it knows them; kfi_clock_arch_rate() sets the
 * latter two when the kernel has found them out. kfi_clock_arch_slowest is the lowest rate that
 * @kind can have.
 */
void kfi_clock_arch_init(struct kfi_clock *clock);
void kfi_clock_arch_rate(struct kfi_clock *clock);
extern const u64 kfi_clock_arch_slowest;

#endif /* KFI_CLOCK_H */
