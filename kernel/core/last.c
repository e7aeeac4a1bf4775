// SPDX-License-Identifier: GPL-2.0
/*
 * A heap: to find the newest records, and to sort them.
 */
#include "core/last.h"

/* Order of the printed rows; what else is there keeps the order definite. */
static bool before(const struct kfi_last_item *a, const struct kfi_last_item *b)
{
	if (a->when != b->when)
		return a->when < b->when;
	if (a->depth != b->depth)
		return a->depth < b->depth;
	if (a->chunk != b->chunk)
		return a->chunk < b->chunk;
	return a->at < b->at;
}

/* Whether @a has to be nearer to the top: of the oldest, or of the newest. */
static bool above(const struct kfi_last_item *a, const struct kfi_last_item *b, bool newest)
{
	return newest ? before(b, a) : before(a, b);
}

/* Let what is at @i sink to where it belongs among the first @n. */
static void sink(struct kfi_last_item *item, u32 n, u32 i, bool newest)
{
	struct kfi_last_item it = item[i];
	u32 child;

	for (; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && above(&item[child + 1], &item[child], newest))
			child++;
		if (!above(&item[child], &it, newest))
			break;
		item[i] = item[child];
	}
	item[i] = it;
}

void kfi_last_add(struct kfi_last *l, const struct kfi_last_item *new)
{
	u32 i, parent;

	if (l->n == l->room) {
		if (l->n && before(&l->item[0], new)) {
			l->item[0] = *new;
			sink(l->item, l->n, 0, false);
		}
		return;
	}
	for (i = l->n++; i && before(new, &l->item[parent = (i - 1) / 2]); i = parent)
		l->item[i] = l->item[parent];
	l->item[i] = *new;
}

void kfi_last_sort(struct kfi_last *l)
{
	u32 i;

	for (i = l->n / 2; i-- > 0; )
		sink(l->item, l->n, i, true);
	for (i = l->n; i-- > 1; ) {
		struct kfi_last_item newest = l->item[0];

		l->item[0] = l->item[i];
		sink(l->item, i, 0, true);
		l->item[i] = newest;
	}
}
