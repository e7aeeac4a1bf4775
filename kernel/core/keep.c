// SPDX-License-Identifier: GPL-2.0
/*
 * Fills memory that outlives a reboot, and checks what is found there. The picture is in keep.h.
 */
#include "core/keep.h"

/* FNV-1a. */
#define SUM_BEGIN	0x811c9dc5u
#define SUM_FACTOR	0x01000193u

static u32 sum(u32 s, const u8 *p, u32 n)
{
	while (n--)
		s = (s ^ *p++) * SUM_FACTOR;
	return s;
}

/* Of the lengths, too: they say which texts these are. */
static u32 sum_of(const struct kfi_keep_head *h)
{
	const u8 *mem = (const u8 *)h;
	u32 s;

	s = sum(SUM_BEGIN, mem + offsetof(struct kfi_keep_head, size), 3 * sizeof(u32));
	s = sum(s, mem + sizeof(*h), h->above);
	return sum(s, mem + h->size - h->rows, h->rows);
}

bool kfi_keep_begin(struct kfi_keep *k, u32 above)
{
	k->rows = 0;
	if (k->size < sizeof(*k->head))
		return false;
	k->head->magic = 0;
	if (above > k->size - sizeof(*k->head))
		return false;
	k->top = sizeof(*k->head) + above;
	return true;
}

bool kfi_keep_row(struct kfi_keep *k, const char *text, u32 len)
{
	if (len > k->size - k->top - k->rows)
		return false;
	k->rows += len;
	memcpy((u8 *)k->head + k->size - k->rows, text, len);
	return true;
}

void kfi_keep_end(struct kfi_keep *k, const char *text, u32 len)
{
	struct kfi_keep_head *h = k->head;

	len = min_t(u32, len, k->top - sizeof(*h));
	memcpy(h + 1, text, len);
	h->size = k->size;
	h->above = len;
	h->rows = k->rows;
	h->sum = sum_of(h);
	barrier();
	h->magic = KFI_KEEP_MAGIC;
}

bool kfi_keep_valid(const struct kfi_keep *k)
{
	const struct kfi_keep_head *h = k->head;

	if (k->size < sizeof(*h) || h->magic != KFI_KEEP_MAGIC || h->size != k->size)
		return false;
	if (h->above > h->size - sizeof(*h) || h->rows > h->size - sizeof(*h) - h->above)
		return false;
	return h->sum == sum_of(h);
}
