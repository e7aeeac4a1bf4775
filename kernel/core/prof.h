/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Profiles: for each function how often it was called, and how long that took; no calls.
 *
 * Each cpu has entries of its own, one for each function it has seen, cut from chunks of the ring's
 * pool. They hang in a tree: two bits of a hash of the function say at each entry where to go on.
 *
 *	root -> [entry of f]
 *		   | 0    | 1    | 2   | 3
 *		[of g]  [of h]         [of i] ...	hashes whose next two bits are 0, 1, 3
 *
 * Entries are only added, by one exchange, local to the cpu, of an empty place; so are sums.
 * Interrupts may come anywhere, and do the same. Nothing is ever moved or taken away.
 */
#ifndef KFI_PROF_H
#define KFI_PROF_H

#include "core/ring.h"

#define KFI_PROF_BITS		2
#define KFI_PROF_WAYS		(1 << KFI_PROF_BITS)

/**
 * struct kfi_prof_entry - a function on a cpu; all 0 at first
 * @count: calls with times
 * @total: raw counts from entry to exit of these, together
 * @local: raw counts spent in the function itself
 * @off: raw counts for which the tasks were switched out
 * @irq: raw counts that interrupts took
 * @max: the longest call
 * @under: U64_MAX less the shortest call, so that it, too, only grows
 * @untimed: calls without times: their marks say why
 * @func: address of the function; 0: not used
 * @child: the next ones
 *
 * Written by its cpu and the interrupts on it.
 */
struct kfi_prof_entry {
	u64 count __aligned(8);	/* i386 would do with 4 */
	u64 total;
	u64 local;
	u64 off;
	u64 irq;
	u64 max;
	u64 under;
	u64 untimed;
	unsigned long func;
	struct kfi_prof_entry *child[KFI_PROF_WAYS];
};

/**
 * kfi_prof_add() - Add a call to the sums of its function.
 * @ring: whose pool has the entries
 * @rc: this cpu's place in it
 * @root: this cpu's first entry
 * @cpu: this cpu
 * @r: the call
 *
 * Context: any, NMI included; the caller stays on @cpu.
 * Return: false if the function is new and the pool is used up: the call is lost.
 */
bool kfi_prof_add(struct kfi_ring *ring, struct kfi_ring_cpu *rc, struct kfi_prof_entry **root,
		  u32 cpu, const struct kfi_rec *r);

/**
 * kfi_prof_entries() - Return how many sums a pool holds at most.
 * @ring: the ring
 *
 * Context: any, when nobody writes.
 * Return: entries of all cpus together.
 */
u32 kfi_prof_entries(const struct kfi_ring *ring);

/**
 * struct kfi_prof_pos - how far entries were read one by one; all 0: at the first
 * @chunk: the chunk
 * @at: entries of it that were read
 */
struct kfi_prof_pos {
	u32 chunk;
	u32 at;
};

/**
 * kfi_prof_next() - Read the next entry, in any order; a function has one for each cpu.
 * @ring: the ring
 * @pos: how far they were read
 * @sum: filled
 * @cpu: set to the cpu whose entry it is
 *
 * Context: any. What is being written may be read in part.
 * Return: false if there are no more.
 */
bool kfi_prof_next(const struct kfi_ring *ring, struct kfi_prof_pos *pos, struct kfi_prof_sum *sum,
		   u32 *cpu);

/**
 * kfi_prof_find() - Look for the entry of a function.
 * @root: a cpu's first entry; NULL: it has none
 * @func: the function
 * @sum: filled
 *
 * Context: as kfi_prof_next().
 * Return: false if there is none.
 */
bool kfi_prof_find(const struct kfi_prof_entry *root, u64 func, struct kfi_prof_sum *sum);

/**
 * kfi_prof_by_func() - Compare two sums, for sorting: by address.
 * @a: a struct kfi_prof_sum
 * @b: another one
 *
 * Return: below, above or 0.
 */
int kfi_prof_by_func(const void *a, const void *b);

/**
 * kfi_prof_by_total() - Compare two sums, for sorting: the longest first, then by address.
 * @a: a struct kfi_prof_sum
 * @b: another one
 *
 * Return: below, above or 0.
 */
int kfi_prof_by_total(const void *a, const void *b);

/**
 * kfi_prof_merge() - Add a sum to another one of the same function.
 * @s: grows
 * @more: the sum
 *
 * Return: false if it is of another function; @s is as it was then.
 */
bool kfi_prof_merge(struct kfi_prof_sum *s, const struct kfi_prof_sum *more);

#endif /* KFI_PROF_H */
