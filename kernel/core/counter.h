/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A 64-bit counter to which one CPU, and the interrupts and NMIs on it, add without a lock. All
 * counters of the recorder are of this kind; readers add them up.
 */
#ifndef KFI_COUNTER_H
#define KFI_COUNTER_H

#include "core/port.h"

/**
 * struct kfi_counter - counts; interrupts and NMIs on the same cpu may count in between
 * @low: the count, or its low half where a long is 32 bits
 * @high: the high half there
 *
 * One operation changes each half, and the result of the one on @low says exactly whether @high
 * must change. So the count is right whenever no addition is half done, in whatever order
 * interrupts and NMIs came.
 */
struct kfi_counter {
	local_t low;
#if BITS_PER_LONG == 32
	local_t high;
#endif
};

/**
 * kfi_counter_add() - Count some.
 * @c: the counter
 * @n: how many
 *
 * Context: any; the caller stays on the counter's cpu.
 */
static __always_inline void kfi_counter_add(struct kfi_counter *c, u32 n)
{
#if BITS_PER_LONG == 32
	/* If the sum is less than @n, @low has overflowed. */
	if (unlikely((unsigned long)kfi_local_add_return(n, &c->low) < n))
		kfi_local_add(1, &c->high);
#else
	kfi_local_add(n, &c->low);
#endif
}

/**
 * kfi_counter_add_all() - Count as many as another counter did.
 * @c: the counter
 * @n: how many
 *
 * Context: as kfi_counter_add().
 */
static inline void kfi_counter_add_all(struct kfi_counter *c, u64 n)
{
#if BITS_PER_LONG == 32
	kfi_local_add((long)(u32)(n >> 32), &c->high);
#else
	local_add((long)(n - (u32)n), &c->low);
#endif
	kfi_counter_add(c, (u32)n);
}

/**
 * kfi_counter_read() - Read a counter.
 * @c: the counter
 *
 * Context: any; exact when its cpu counts nothing.
 * Return: the count.
 */
static inline u64 kfi_counter_read(const struct kfi_counter *c)
{
	u64 n = (unsigned long)local_read(&c->low);

#if BITS_PER_LONG == 32
	n |= (u64)(u32)local_read(&c->high) << 32;
#endif
	return n;
}

#endif /* KFI_COUNTER_H */
