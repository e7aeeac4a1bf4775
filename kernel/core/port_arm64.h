/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The arm64 back end for words that one CPU and the interrupts on it change: load and store
 * exclusive. A store fails if an exception has returned since the load. Included by port.h.
 *
 * So a hook that loads a word, then reads all that must be valid with it, and then stores, knows
 * that no interrupt came between (core/frame.h). No other store may come between the two: it could
 * make the store fail, too.
 */
#ifndef KFI_PORT_ARM64_H
#define KFI_PORT_ARM64_H

#define KFI_LOCAL_EXCLUSIVE

/**
 * kfi_local_load() - Read a word that is to be stored.
 * @l: the word
 *
 * Context: any; the caller stays on its cpu.
 * Return: the word.
 */
static __always_inline long kfi_local_load(const local_t *l)
{
	long v;

	asm volatile("ldxr %0, %1" : "=r" (v) : "Q" (l->a.counter) : "memory");
	return v;
}

/**
 * kfi_local_store() - Store the word, unless an interrupt came since it was loaded.
 * @l: the word, which kfi_local_load() has read
 * @v: what it becomes
 *
 * Context: as kfi_local_load().
 * Return: false if nothing was stored.
 */
static __always_inline bool kfi_local_store(local_t *l, long v)
{
	u32 failed;

	asm volatile("stxr %w0, %2, %1"
		     : "=&r" (failed), "+Q" (l->a.counter) : "r" (v) : "memory");
	return likely(!failed);
}

/**
 * kfi_local_replace() - Store a word in place of another one.
 * @l: the word
 * @old: what it should be
 * @v: what it becomes
 *
 * Context: as kfi_local_load().
 * Return: false if nothing was stored: the word was not @old, or an interrupt came in between.
 */
static __always_inline bool kfi_local_replace(local_t *l, long old, long v)
{
	return likely(kfi_local_load(l) == old) && kfi_local_store(l, v);
}

/**
 * kfi_local_load_two() - kfi_local_load() of a word and the next one, at once.
 * @l: the word, at a multiple of the size of both
 * @next: where to put the next one
 *
 * Context: as kfi_local_load().
 * Return: the word.
 */
static __always_inline long kfi_local_load_two(const local_t *l, long *next)
{
	long v;

	asm volatile("ldxp %0, %1, %2"
		     : "=&r" (v), "=&r" (*next) : "Q" (l->a.counter) : "memory");
	return v;
}

/**
 * kfi_local_store_two() - kfi_local_store() of a word and the next one, at once.
 * @l: the word, which kfi_local_load_two() has read
 * @v: what it becomes
 * @next: what the next one becomes
 *
 * Context: as kfi_local_load().
 * Return: false if nothing was stored.
 */
static __always_inline bool kfi_local_store_two(local_t *l, long v, long next)
{
	u32 failed;

	asm volatile("stxp %w0, %2, %3, %1"
		     : "=&r" (failed), "+Q" (l->a.counter) : "r" (v), "r" (next) : "memory");
	return likely(!failed);
}

/**
 * kfi_local_peek_two() - Read two longs at once, at this point; neither is to be stored.
 * @p: what they are in
 * @at: how far behind @p the first one is, in bytes: a constant, -512..504
 * @next: where to put the second one
 *
 * Return: the first one.
 */
#define kfi_local_peek_two(p, at, next) ({						\
	unsigned long _v;								\
											\
	asm volatile("ldp %0, %1, [%2, %3]"						\
		     : "=&r" (_v), "=r" (*(next)) : "r" (p), "i" (at) : "memory");	\
	_v;										\
})

/* The bits of times on the fast path. */
#define KFI_FAST_TIME_BITS		64

#define kfi_local_equal_both(a, same_a, b, same_b) ({					\
	bool _same;									\
											\
	asm("cmp %1, %2\n\tccmp %w3, %w4, #0, eq"					\
	    : "=@cceq" (_same) : "r" (a), "r" (same_a), "r" (b), "r" (same_b));		\
	_same;										\
})

#endif /* KFI_PORT_ARM64_H */
