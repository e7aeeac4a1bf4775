/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading the recorder's clock: the best counter that is seen to advance. The hooks read it raw;
 * counts are converted when a log is read. Included by core/port.h. What chooses the clock is in
 * arch/clock.c.
 */
#ifndef KFI_PORT_CLOCK_H
#define KFI_PORT_CLOCK_H

#include <linux/compiler.h>
#include <linux/types.h>

/* How the counter is read. The arch part of kfi_now() knows those that are cheap to read. */
enum kfi_clock_kind {
	KFI_CLOCK_NONE,
	KFI_CLOCK_TSC,		/* x86 time stamp counter */
	KFI_CLOCK_CNTVCT,	/* arm generic timer, as kfi_choose_count() has it: arm64 only */
	KFI_CLOCK_CNTVCT_STABLE,	/* the same, read around an erratum: arm64 only */
	KFI_CLOCK_CNTPCT,	/* arm generic timer, physical count: 32-bit arm only */
	KFI_CLOCK_MMIO,		/* 64-bit counter in two 32-bit registers */
	KFI_CLOCK_SCHED,	/* sched_clock(), where there is nothing better */
	KFI_CLOCK_TIME,		/* riscv time CSR */
};

/**
 * struct kfi_clock - the clock in use
 * @kind: how it is read; KFI_CLOCK_NONE until one is chosen, which happens once. Later it changes
 *	only from KFI_CLOCK_CNTVCT to KFI_CLOCK_CNTVCT_STABLE, which is the same count
 * @low: register with the low half, for KFI_CLOCK_MMIO
 * @high: register with the high half
 * @base: a count of the last two minutes but not of the last seconds, in 1 << KFI_CLOCK_BASE_SHIFT
 * @map: entry of the kernel's page table that maps them, which is lost once, in paging_init(); a
 *	word that is 0 while the system sleeps and @base is not to be trusted
 * @map_to: what to write there
 * @zero: raw count when the clock was chosen
 * @safe_from: raw count from which on it is read around an erratum; 0: no erratum was found
 * @hz: counts per second; 0 while unknown
 * @name: as the log shows it
 * @since: when it was chosen
 * @calibration: where @hz comes from
 *
 * Written by the cpu that boots, before there are others; later only @base and @map; and @hz and
 * what explains it, and on arm64 @kind, @name and @safe_from, by kfi_clock_update().
 */
struct kfi_clock {
	enum kfi_clock_kind kind;
#ifdef CONFIG_ARM
	void __iomem *low;
	void __iomem *high;
	u32 base;
	volatile u32 *map;
	u32 map_to;
#endif
	u64 zero;
	u64 safe_from;
	u64 hz;
	const char *name;
	const char *since;
	const char *calibration;
};

extern struct kfi_clock kfi_clock;

u64 kfi_clock_read_sched(void);
u64 kfi_clock_read_mmio(void);	/* arm */
u64 kfi_clock_read_other(void);	/* arm64 */

/*
 * Each architecture has KFI_CLOCK_COUNTER, the clock that one instruction reads, and that
 * instruction: kfi_now_counter(), which returns the raw count. kfi_clock_is_counter() must hold.
 */
#if defined(CONFIG_X86) || defined(CONFIG_UML_X86)

#ifdef CONFIG_X86
#include <asm/msr.h>
#else
#define rdtsc()		__builtin_ia32_rdtsc()
#endif

#define KFI_CLOCK_COUNTER	KFI_CLOCK_TSC

static __always_inline u64 kfi_now_counter(void)
{
	return rdtsc();
}

#elif defined(CONFIG_RISCV)

#define KFI_CLOCK_COUNTER	KFI_CLOCK_TIME

static __always_inline u64 kfi_now_counter(void)
{
	u64 count;

	asm volatile("csrr %0, time" : "=r" (count));
	return count;
}

#elif defined(CONFIG_ARM64)

#include <asm/alternative-macros.h>
#include <asm/cpucaps.h>

struct alt_instr;

#define KFI_CLOCK_COUNTER	KFI_CLOCK_CNTVCT

/**
 * kfi_choose_count() - Decide which count kfi_now_counter() reads: a callback of alternatives.
 * @alt: not used
 * @from: the instruction that reads the virtual count
 * @to: where to put the one that is to be executed
 * @n: 1
 */
void kfi_choose_count(struct alt_instr *alt, __le32 *from, __le32 *to, int n);

/*
 * Without the barrier that would keep the read in its place: it may be a little early, and costs
 * what reading a register costs. kfi_choose_count() may make it the physical count.
 */
static __always_inline u64 kfi_now_counter(void)
{
	u64 count;

	asm volatile(ALTERNATIVE_CB("mrs %0, cntvct_el0\n", ARM64_ALWAYS_SYSTEM, kfi_choose_count)
		     : "=r" (count));
	return count;
}

#elif defined(CONFIG_ARM)

#include <asm/io.h>

/* A cpu without a generic timer (Cortex-A9) does not know the instruction that reads it. */
#define KFI_CLOCK_COUNTER	KFI_CLOCK_CNTPCT

/* Counts of a unit of kfi_clock.base: 11 s at 24 MHz. */
#define KFI_CLOCK_BASE_SHIFT	28

/* So far from the base the low half is enough: a quarter of its range. */
#define KFI_CLOCK_AHEAD_MAX	(1u << 30)

/*
 * Reads a counter in two registers, if they are mapped: a register on the bus takes longer than
 * all else that a hook does, so only the low half is read, and the rest comes from a count that was
 * read before. kfi_clock_read_mmio() says why that is right.
 */
static __always_inline bool kfi_clock_try_mmio(u64 *count)
{
	u32 base, ahead;

	if (unlikely(!*kfi_clock.map))
		return false;
	base = READ_ONCE(kfi_clock.base);
	ahead = __raw_readl(kfi_clock.low) - (base << KFI_CLOCK_BASE_SHIFT);
	if (unlikely(ahead >= KFI_CLOCK_AHEAD_MAX))
		return false;
	*count = ((u64)base << KFI_CLOCK_BASE_SHIFT) + ahead;
	return true;
}

/* By halves: the compiler finds it hard to keep two registers side by side. */
static __always_inline u64 kfi_now_counter(void)
{
	u32 low, high;

	asm volatile("mrrc p15, 0, %0, %1, c14" : "=r" (low), "=r" (high));
	return (u64)high << 32 | low;
}

#endif

/* True if there is a lockless clock that kfi_now_counter() does not read. */
#define KFI_CLOCK_SEVERAL		IS_ENABLED(CONFIG_ARM)

#ifndef CONFIG_ARM
static __always_inline bool kfi_clock_try_mmio(u64 *count)
{
	return false;
}
#endif

/* Return how the clock is read. Only on arm64 this may change once there is a clock. */
static __always_inline enum kfi_clock_kind kfi_clock_kind(void)
{
	return IS_ENABLED(CONFIG_ARM64) ? READ_ONCE(kfi_clock.kind) : kfi_clock.kind;
}

/**
 * kfi_clock_is_counter() - Return true if kfi_now_counter() can read the clock.
 *
 * This does not change, except on arm64, where kfi_clock_update() may find an erratum.
 */
static __always_inline bool kfi_clock_is_counter(void)
{
	return kfi_clock_kind() == KFI_CLOCK_COUNTER;
}

/**
 * kfi_clock_is_lockless() - Return true if kfi_now_lockless() can read the clock.
 *
 * This changes as kfi_clock_is_counter() does.
 */
static __always_inline bool kfi_clock_is_lockless(void)
{
	return kfi_clock_is_counter() || (KFI_CLOCK_SEVERAL && kfi_clock_kind() == KFI_CLOCK_MMIO);
}

/**
 * kfi_now_lockless() - Read a clock that needs no lock and calls no function.
 * @count: where to put the raw count, which is valid only if kfi_clock_is_lockless() holds
 *
 * Return: false if the clock cannot be read so at this moment; kfi_now() can.
 */
static __always_inline bool kfi_now_lockless(u64 *count)
{
	if (!KFI_CLOCK_SEVERAL || kfi_clock_is_counter()) {
		*count = kfi_now_counter();
		return true;
	}
	return kfi_clock_kind() == KFI_CLOCK_MMIO && kfi_clock_try_mmio(count);
}

/**
 * kfi_now() - Read the clock.
 *
 * Context: any, NMI included.
 * Return: raw count; 0 while no clock runs.
 */
static __always_inline u64 kfi_now(void)
{
	if (likely(kfi_clock_is_counter()))
		return kfi_now_counter();
	if (IS_ENABLED(CONFIG_ARM64))
		return kfi_clock_read_other();
	if (KFI_CLOCK_SEVERAL && kfi_clock_kind() == KFI_CLOCK_MMIO)
		return kfi_clock_read_mmio();
	return kfi_clock_kind() == KFI_CLOCK_NONE ? 0 : kfi_clock_read_sched();
}

#endif /* KFI_PORT_CLOCK_H */
