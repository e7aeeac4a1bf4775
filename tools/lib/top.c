// SPDX-License-Identifier: GPL-2.0
/* Keeps the greatest N of many elements: see top.h. */
#include <stdlib.h>

#include "hash.h"
#include "top.h"

static char *element(const struct kfi_top *t, u32 i)
{
	return (char *)t->at + i * t->size;
}

static bool is_less(const struct kfi_top *t, u32 i, u32 k)
{
	return t->compare(element(t, i), element(t, k)) < 0;
}

static void swap(struct kfi_top *t, u32 i, u32 k)
{
	char x[KFI_TOP_SIZE];

	memcpy(x, element(t, i), t->size);
	memcpy(element(t, i), element(t, k), t->size);
	memcpy(element(t, k), x, t->size);
}

static void sift_down(struct kfi_top *t, u32 i)
{
	for (;;) {
		u32 child = 2 * i + 1;

		if (child >= t->n)
			return;
		if (child + 1 < t->n && is_less(t, child + 1, child))
			child++;
		if (!is_less(t, child, i))
			return;
		swap(t, i, child);
		i = child;
	}
}

int kfi_top_add(struct kfi_top *t, const void *x)
{
	if (t->n == t->max) {
		if (t->n && t->compare(x, t->at) > 0) {
			memcpy(t->at, x, t->size);
			sift_down(t, 0);
		}
		return 0;
	}
	if (kfi_grow(&t->at, &t->room, t->n + 1, t->size))
		return -ENOMEM;
	memcpy(element(t, t->n++), x, t->size);
	for (u32 i = t->n - 1; i && is_less(t, i, (i - 1) / 2); i = (i - 1) / 2)
		swap(t, i, (i - 1) / 2);
	return 0;
}

void kfi_top_sort(struct kfi_top *t)
{
	u32 n = t->n;

	/* As in a heap sort, move the least of the rest behind them. */
	while (t->n > 1) {
		swap(t, 0, t->n - 1);
		t->n--;
		sift_down(t, 0);
	}
	t->n = n;
}
