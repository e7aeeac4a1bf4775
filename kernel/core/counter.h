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
static __always_inline void kfi_counter_add(struct kfi_counter *c, u64 n)
{
#if BITS_PER_LONG == 32
	u32 low = (u32)kfi_local_add_return((long)(u32)n, &c->low);

	/* If the sum is less than what was added, @low has overflowed. */
	if (unlikely(low < (u32)n || n >> 32))
		kfi_local_add((long)(u32)(n >> 32) + (low < (u32)n), &c->high);
#else
	kfi_local_add((long)n, &c->low);
#endif
}

/**
 * kfi_counter_read() - Read a counter.
 * @c: the counter
 *
 * Where a long is 32 bits, and an interrupt counts in between, the result may be wrong: read the
 * counter until it stays the same, as kfi_call_read_clock() does, or when its cpu counts nothing.
 *
 * Return: the count.
 */
static __always_inline u64 kfi_counter_read(const struct kfi_counter *c)
{
	u64 n = (unsigned long)local_read(&c->low);

#if BITS_PER_LONG == 32
	n |= (u64)(u32)local_read(&c->high) << 32;
#endif
	return n;
}

#endif /* KFI_COUNTER_H */
