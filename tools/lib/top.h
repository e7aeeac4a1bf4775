/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps the greatest N of many elements in a heap with the least of them on top, so that adding an
 * element takes time proportional to the logarithm of N. Called by kd.
 */
#ifndef KFI_TOP_H
#define KFI_TOP_H

#include "kfi_port_host.h"

/**
 * struct kfi_top - the greatest elements so far
 * @size: size of an element; at most KFI_TOP_SIZE
 * @max: number of elements to keep
 * @compare: as for qsort(): negative: the first one is less
 * @at: the elements; not in order
 * @n: number of elements
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
 * kfi_top_add() - add an element
 * @t: @size, @max and @compare are set, the rest is zero before the first call; the caller frees
 *	@at
 * @x: the element; it is copied if it is kept
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_top_add(struct kfi_top *t, const void *x);

/**
 * kfi_top_sort() - sort the elements, the greatest first; no more can be added
 * @t: the elements
 */
void kfi_top_sort(struct kfi_top *t);

#endif /* KFI_TOP_H */
