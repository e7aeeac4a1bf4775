/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A text in memory that outlives a reboot: the end of a log. Its newest rows are put in first, from
 * the end of the memory towards its beginning, until there is no room for one more; then what
 * stands above the rows. So all memory is used, and the length of no row has to be known before.
 *
 *	struct kfi_keep_head | above, @above bytes | ... | rows, @rows bytes, up to the end
 */
#ifndef KFI_KEEP_H
#define KFI_KEEP_H

#include "core/port.h"

#define KFI_KEEP_MAGIC		0x7065656b2d69666bULL	/* "kfi-keep" in a little endian machine */

/**
 * struct kfi_keep_head - what stands at the beginning of the memory
 * @magic: KFI_KEEP_MAGIC; written last
 * @size: bytes of the memory, this included
 * @above: bytes of the text above the rows
 * @rows: bytes of the rows
 * @sum: of both texts
 */
struct kfi_keep_head {
	u64 magic;
	u32 size;
	u32 above;
	u32 rows;
	u32 sum;
};
static_assert(sizeof(struct kfi_keep_head) == 24);

/**
 * struct kfi_keep - the memory
 * @head: its beginning
 * @size: its length in bytes
 * @top: bytes at its beginning that rows must leave alone
 * @rows: bytes of rows that are in it
 */
struct kfi_keep {
	struct kfi_keep_head *head;
	u32 size;
	u32 top;
	u32 rows;
};

/**
 * kfi_keep_begin() - Begin to fill the memory; what was in it is invalid from now on.
 * @k: the memory; @k->head and @k->size are set
 * @above: how long the text above the rows will be at most
 *
 * Context: any.
 * Return: false if the memory is too small even for that.
 */
bool kfi_keep_begin(struct kfi_keep *k, u32 above);

/**
 * kfi_keep_row() - Put a row in front of those that are in it.
 * @k: the memory
 * @text: the row, line end included
 * @len: its length
 *
 * Context: any.
 * Return: false if it does not fit: it is not in it, and older ones must not be put in any more.
 */
bool kfi_keep_row(struct kfi_keep *k, const char *text, u32 len);

/**
 * kfi_keep_end() - Put in what stands above the rows, and make the memory valid.
 * @k: the memory
 * @text: that text
 * @len: its length; what is longer than was said is cut off at the end
 *
 * Context: any.
 */
void kfi_keep_end(struct kfi_keep *k, const char *text, u32 len);

/**
 * kfi_keep_valid() - Is there a text in the memory?
 * @k: the memory, with whatever is in it; @k->head and @k->size are set
 *
 * Context: any.
 * Return: true if it was filled, to the end, and nothing has changed since.
 */
bool kfi_keep_valid(const struct kfi_keep *k);

#endif /* KFI_KEEP_H */
