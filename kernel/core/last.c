// SPDX-License-Identifier: GPL-2.0
/*
 * The newest of many records: a heap with the oldest on top.
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

/* Let what is at @i sink to where it belongs among the first @n. */
static void sink(struct kfi_last_item *item, u32 n, u32 i)
{
	struct kfi_last_item it = item[i];
	u32 child;

	for (; (child = 2 * i + 1) < n; i = child) {
		if (child + 1 < n && before(&item[child + 1], &item[child]))
			child++;
		if (!before(&item[child], &it))
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
			sink(l->item, l->n, 0);
		}
		return;
	}
	for (i = l->n++; i && before(new, &l->item[parent = (i - 1) / 2]); i = parent)
		l->item[i] = l->item[parent];
	l->item[i] = *new;
}

static int compare(const void *a, const void *b)
{
	return before(a, b) ? -1 : before(b, a);
}

void kfi_last_sort(struct kfi_last *l)
{
	sort(l->item, l->n, sizeof(*l->item), compare, NULL);
}
