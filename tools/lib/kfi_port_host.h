/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Host half of core/port.h: the names of the kernel that core uses, implemented with C11 and libc.
 *
 * local_t and atomic_t are C11 atomics here, so that ThreadSanitizer sees what the core relies on.
 */
#ifndef KFI_PORT_HOST_H
#define KFI_PORT_HOST_H

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;

#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#ifndef __always_inline
#define __always_inline		inline __attribute__((__always_inline__))
#endif
#define notrace			__attribute__((__no_instrument_function__))
#define __aligned(n)		__attribute__((__aligned__(n)))
#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define U16_MAX			UINT16_MAX
#define U64_MAX			UINT64_MAX
#define U32_MAX			UINT32_MAX
#define S64_MAX			INT64_MAX
#define smp_mb()		__sync_synchronize()	/* a fence for all, as in a kernel */
#define wmb()			smp_mb()
#define barrier()		__asm__ __volatile__("" ::: "memory")
#define OPTIMIZER_HIDE_VAR(v)	__asm__("" : "+r" (v))

#define min_t(t, a, b)		((t)(a) < (t)(b) ? (t)(a) : (t)(b))
#define max_t(t, a, b)		((t)(a) > (t)(b) ? (t)(a) : (t)(b))

/* Relaxed atomics stand for the kernel's volatile accesses. */
#define READ_ONCE(x)		__atomic_load_n(&(x), __ATOMIC_RELAXED)
#define WRITE_ONCE(x, v)	__atomic_store_n(&(x), (v), __ATOMIC_RELAXED)
#define kfi_read_equal(p, v)	(READ_ONCE(*(p)) == (v))
#define smp_load_acquire(p)	__atomic_load_n((p), __ATOMIC_ACQUIRE)
#define smp_store_release(p, v)	__atomic_store_n((p), (v), __ATOMIC_RELEASE)

#define kfi_swab32(v)		__builtin_bswap32(v)
#define kfi_swab64(v)		__builtin_bswap64(v)
#define fls64(v)		((v) ? 64 - __builtin_clzll(v) : 0)

/* The CRC-32 of zlib. lines.c has the function. */
u32 kfi_crc32(const u8 *p, size_t n);

#ifdef KFI_HOST_FAST
#include KFI_HOST_FAST	/* what follows, for benchmarks */
#else

/* The clock of host programs that run hooks. These programs define it. */
u64 kfi_now(void);

/* Data that only its own CPU, and interrupts on that CPU, change. */
typedef struct {
	_Atomic long v;
} local_t;

#define local_read(l)		atomic_load_explicit(&(l)->v, memory_order_relaxed)
#define local_set(l, i)		atomic_store_explicit(&(l)->v, (i), memory_order_relaxed)
#define local_inc(l)		atomic_fetch_add_explicit(&(l)->v, 1, memory_order_relaxed)
#define local_dec(l)		atomic_fetch_sub_explicit(&(l)->v, 1, memory_order_relaxed)
#define local_sub(i, l)		atomic_fetch_sub_explicit(&(l)->v, (long)(i), memory_order_relaxed)
#define local_add(i, l)		atomic_fetch_add_explicit(&(l)->v, (long)(i), memory_order_relaxed)
#define kfi_local_add_return(i, l)	\
	(atomic_fetch_add_explicit(&(l)->v, (long)(i), memory_order_relaxed) + (long)(i))

#define kfi_local_fetch_add(i, l)	\
	atomic_fetch_add_explicit(&(l)->v, (long)(i), memory_order_relaxed)

static inline long kfi_local_cmpxchg(local_t *l, long old, long new)
{
	atomic_compare_exchange_strong_explicit(&l->v, &old, new, memory_order_relaxed,
						memory_order_relaxed);
	return old;
}

#endif

#define LOCAL_INIT(i)		{ (i) }

#ifdef KFI_HOST_EXCLUSIVE
#include "exclusive.h"
#endif

#define kfi_local_add(i, l)	local_add((i), (l))
#define kfi_now_lockless(count)	(*(count) = kfi_now(), true)
#define kfi_clock_is_lockless()	true
#define kfi_now_counter()	kfi_now()
#define kfi_clock_is_counter()	true
#define KFI_CLOCK_SEVERAL		true

/* Data that all CPUs change; fully ordered. */
#define cmpxchg(p, o, n) __extension__ ({						\
	__typeof__(*(p)) old_ = (o);							\
	__atomic_compare_exchange_n((p), &old_, (n), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);	\
	old_; })

/* A host cannot hold off signals: in the tests all interrupts are NMIs. */
#define kfi_irq_save(flags)	((flags) = 0)
#define kfi_irq_restore(flags)	((void)(flags))

#define cmpxchg_local(p, o, n) __extension__ ({						\
	__typeof__(*(p)) old_ = (o);							\
	__atomic_compare_exchange_n((p), &old_, (n), 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);	\
	old_; })

#define kfi_local64_cmpxchg(p, o, n)	cmpxchg_local((p), (o), (n))
#define kfi_local64_read(p)		READ_ONCE(*(p))

/* Data that all cpus change; fully ordered, as the kernel's value-returning operations are. */
typedef struct {
	_Atomic int v;
} atomic_t;

#define atomic_read(a)		atomic_load_explicit(&(a)->v, memory_order_relaxed)
#define atomic_read_acquire(a)	atomic_load_explicit(&(a)->v, memory_order_acquire)
#define atomic_set(a, i)	atomic_store_explicit(&(a)->v, (i), memory_order_relaxed)
#define atomic_set_release(a, i) atomic_store_explicit(&(a)->v, (i), memory_order_release)
#define atomic_inc(a)		atomic_fetch_add_explicit(&(a)->v, 1, memory_order_relaxed)
#define atomic_inc_return(a)	((int)((u32)atomic_fetch_add(&(a)->v, 1) + 1))
#define atomic_dec_return(a)	((int)((u32)atomic_fetch_sub(&(a)->v, 1) - 1))
#define atomic_sub_return(i, a)	((int)((u32)atomic_fetch_sub(&(a)->v, (i)) - (u32)(i)))

static inline int atomic_xchg(atomic_t *a, int new)
{
	return atomic_exchange(&a->v, new);
}

static inline int atomic_cmpxchg(atomic_t *a, int old, int new)
{
	atomic_compare_exchange_strong(&a->v, &old, new);
	return old;
}

#if LONG_MAX > 0x7fffffffL
#define BITS_PER_LONG		64
#else
#define BITS_PER_LONG		32
#endif
#define KFI_TEXT_IS_NEAR	0	/* the host's logs are of any kernel */
#define ____cacheline_aligned	__attribute__((__aligned__(64)))

typedef void (*swap_func_t)(void *a, void *b, int size);

/* As in linux/sort.h; without a function that swaps pass NULL. */
static inline void sort(void *base, size_t num, size_t size,
			int (*compare)(const void *, const void *), swap_func_t swap)
{
	(void)swap;
	if (num)
		qsort(base, num, size, compare);
}

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

static inline u64 div64_u64(u64 dividend, u64 divisor)
{
	return dividend / divisor;
}

#endif /* KFI_PORT_HOST_H */
