/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ARMv7 back end for words that one CPU and the interrupts on it change: as port_arm64.h, which
 * describes these functions. A store fails if an exception has returned since the load, since the
 * kernel ends each with a store exclusive of its own (svc_exit in entry-header.S). Included by
 * port.h.
 */
#ifndef KFI_PORT_ARM_H
#define KFI_PORT_ARM_H

#define KFI_LOCAL_EXCLUSIVE

static __always_inline long kfi_local_load(const local_t *l)
{
	long v;

	asm volatile("ldrex %0, %1" : "=r" (v) : "Q" (l->a.counter) : "memory");
	return v;
}

static __always_inline bool kfi_local_store(local_t *l, long v)
{
	u32 failed;

	asm volatile("strex %0, %2, %1"
		     : "=&r" (failed), "+Q" (l->a.counter) : "r" (v) : "memory");
	return likely(!failed);
}

static __always_inline long kfi_local_load_two(const local_t *l, long *next)
{
	u64 both;

	asm volatile("ldrexd %0, %H0, %1" : "=&r" (both) : "Q" (l->a.counter) : "memory");
	*next = (long)(both >> 32);
	return (long)both;
}

static __always_inline bool kfi_local_store_two(local_t *l, long v, long next)
{
	u64 both = (u32)v | (u64)(u32)next << 32;
	u32 failed;

	asm volatile("strexd %0, %2, %H2, %1"
		     : "=&r" (failed), "+Q" (l->a.counter) : "r" (both) : "memory");
	return likely(!failed);
}

/* At one branch: the second comparison, and the look at the bits, only if the ones before held. */
#define kfi_local_same(flags, bits, a, same_a, b, same_b) ({				\
	unsigned long _bits = (flags);							\
	bool _same;									\
											\
	if ((bits) == KFI_LOCAL_BITS)							\
		asm(".syntax unified\n\tcmp %2, %3\n\titt eq\n\tcmpeq %4, %5\n\t"	\
		    "lsrseq %1, %1, #8"							\
		    : "=@cceq" (_same), "+&r" (_bits)					\
		    : "r" (a), "r" (same_a), "r" (b), "r" (same_b));			\
	else										\
		_same = !(_bits & (bits)) && (a) == (same_a) && (b) == (same_b);	\
	_same;										\
})

/* KFI_HOOK_OTHER: with these a shift tells whether one is set. */
#define KFI_LOCAL_BITS		0x00ffff00

static __always_inline long kfi_local_fetch_add(long i, local_t *l)
{
	long v;

	do
		v = kfi_local_load(l);
	while (!kfi_local_store(l, v + i));
	return v;
}

#define kfi_local_add_return(i, l)	(kfi_local_fetch_add((long)(i), (l)) + (long)(i))
#define kfi_local_add(i, l)		((void)kfi_local_fetch_add((long)(i), (l)))

#endif /* KFI_PORT_ARM_H */
