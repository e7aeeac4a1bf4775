/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The newest of many records, in order of entry, in memory that exists before: for a crash. It
 * knows the place of a record, not what is in it.
 */
#ifndef KFI_LAST_H
#define KFI_LAST_H

#include "core/port.h"

/**
 * struct kfi_last_item - one record
 * @when: raw clock count: of the exit while records are added, of the entry once they are sorted
 * @chunk: where it is, as in struct kfi_row
 * @at: likewise
 * @depth: of two with the same @when the lesser one stands first
 */
struct kfi_last_item {
	u64 when;
	u32 chunk;
	u32 at;
	u32 depth;
};

/**
 * struct kfi_last - the newest records
 * @item: a heap with the oldest on top, until it is sorted
 * @room: items there are
 * @n: items used
 */
struct kfi_last {
	struct kfi_last_item *item;
	u32 room;
	u32 n;
};

/**
 * kfi_last_add() - Add a record; the oldest one falls out when there is no room.
 * @l: the records; begins as all zero but for @l->item and @l->room
 * @new: the record
 *
 * Context: any; takes time logarithmic in @l->room.
 */
void kfi_last_add(struct kfi_last *l, const struct kfi_last_item *new);

/**
 * kfi_last_sort() - Sort by @when, the oldest first.
 * @l: the records, whose @when may have been changed
 *
 * Context: any; no allocation. Nothing can be added afterwards.
 */
void kfi_last_sort(struct kfi_last *l);

#endif /* KFI_LAST_H */
