/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What arm64 has (core/port_arm64.h), on a host, so that what relies on it is stepped through, too: a
 * store that fails if an interrupt, a signal of step.h, has come since the word was read. Included
 * by kfi_port_host.h where KFI_HOST_EXCLUSIVE is defined; the stores are in step.h.
 */
#ifndef KFI_TEST_EXCLUSIVE_H
#define KFI_TEST_EXCLUSIVE_H

#define KFI_LOCAL_EXCLUSIVE

/* A word has been read, and no interrupt came since. */
extern volatile bool exclusive_held;

bool exclusive_store(local_t *l, long v);
bool exclusive_store_two(local_t *l, long v, long next);

static inline long kfi_local_load(const local_t *l)
{
	exclusive_held = true;
	barrier();
	return local_read(l);
}

static inline long kfi_local_load_two(const local_t *l, long *next)
{
	long v = kfi_local_load(l);

	*next = local_read(l + 1);
	return v;
}

static inline unsigned long kfi_local_peek_two(const volatile void *p, long at, unsigned long *next)
{
	const volatile unsigned long *both = (const volatile void *)((const volatile char *)p + at);
	unsigned long v = both[0];

	*next = both[1];
	return v;
}

/* As on arm: the calls that the fast path keeps are counted in their chunks. */
#define KFI_CHUNK_COUNTS

static inline long kfi_local_add_two(local_t *l, long i, long next)
{
	long v, second;

	do
		v = kfi_local_load_two(l, &second);
	while (!exclusive_store_two(l, v + i, second + next));
	return v + i;
}

/* As narrow as where a long has 32 bits. */
#define KFI_FAST_TIME_BITS		32

#define kfi_local_store(l, v)		exclusive_store((l), (v))
#define kfi_local_store_two(l, v, n)	exclusive_store_two((l), (v), (n))
#define kfi_local_replace(l, old, v)	(kfi_local_load(l) == (old) && kfi_local_store((l), (v)))

#endif /* KFI_TEST_EXCLUSIVE_H */
