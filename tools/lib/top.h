/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The greatest N of many: a heap, the least of them on top, so that each one more costs the
 * logarithm of N. Called by kd.
 */
#ifndef KFI_TOP_H
#define KFI_TOP_H

#include "kfi_port_host.h"

/**
 * struct kfi_top - the greatest so far
 * @size: bytes of one; at most KFI_TOP_SIZE
 * @max: how many are kept
 * @compare: as for qsort(): below 0: the first one is less
 * @at: they; not in order
 * @n: how many
 * @room: for how many there is room
 */
struct kfi_top {
	size_t size;
	u64 max;
	int (*compare)(const void *a, const void *b);
	void *at;
	u32 n;
	u32 room;
};

#define KFI_TOP_SIZE	128

/**
 * kfi_top_add() - one more
 * @t: @size, @max and @compare are set, the rest is zero before the first; @at is the caller's to
 *	free
 * @x: it is copied, if it is kept
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_top_add(struct kfi_top *t, const void *x);

/**
 * kfi_top_sort() - put them in order, the greatest first; none can be added any more
 * @t: the greatest
 */
void kfi_top_sort(struct kfi_top *t);

#endif /* KFI_TOP_H */
