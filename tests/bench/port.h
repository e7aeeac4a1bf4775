/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the benchmarks take in place of kfi_port_host.h's own: the machine's counter, read inline,
 * and operations that are atomic on one cpu only, as a kernel has them. Those of the host tests
 * are atomic among threads, for ThreadSanitizer, and cost a bus lock each on x86.
 */
#ifndef BENCH_PORT_H
#define BENCH_PORT_H

#if !defined(__x86_64__)
#error "the benchmarks know x86_64 only"
#endif

static inline u64 kfi_now(void)
{
	return __builtin_ia32_rdtsc();
}

typedef struct {
	long v;
} local_t;

#define local_read(l)		(*(const volatile long *)&(l)->v)
#define local_set(l, i)		(*(volatile long *)&(l)->v = (i))

static inline void local_inc(local_t *l)
{
	__asm__ volatile("incq %0" : "+m" (l->v));
}

static inline void local_dec(local_t *l)
{
	__asm__ volatile("decq %0" : "+m" (l->v));
}

static inline void local_add(long i, local_t *l)
{
	__asm__ volatile("addq %1, %0" : "+m" (l->v) : "er" (i) : "memory");
}

static inline void local_sub(long i, local_t *l)
{
	__asm__ volatile("subq %1, %0" : "+m" (l->v) : "er" (i) : "memory");
}

static inline long kfi_local_fetch_add(long i, local_t *l)
{
	__asm__ volatile("xaddq %0, %1" : "+r" (i), "+m" (l->v) : : "memory");
	return i;
}

#define kfi_local_add_return(i, l)	(kfi_local_fetch_add((i), (l)) + (long)(i))

static inline long kfi_local_cmpxchg(local_t *l, long old, long new)
{
	__asm__ volatile("cmpxchgq %2, %1" : "+a" (old), "+m" (l->v) : "r" (new) : "memory");
	return old;
}

#endif /* BENCH_PORT_H */
