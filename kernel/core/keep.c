// SPDX-License-Identifier: GPL-2.0
/*
 * Fills memory that outlives a reboot, and makes a raw log of what is found there. The picture is
 * in keep.h.
 */
#include "core/keep.h"

static u32 aligned(u32 bytes)
{
	return (bytes + KFI_RAW_ALIGN - 1) & ~(u32)(KFI_RAW_ALIGN - 1);
}

/* Commits and slots begin with their checksum. */
static u32 crc_of(const void *p, u32 bytes)
{
	return kfi_crc32((const u8 *)p + sizeof(u32), bytes - sizeof(u32));
}

static struct kfi_keep_commit *commit_at(const struct kfi_keep *k, u64 number)
{
	return (struct kfi_keep_commit *)(k->mem + (number & 1) * k->commit_bytes);
}

static struct kfi_keep_slot *slot_at(const struct kfi_keep *k, u64 seq)
{
	u64 turns = div_u64(seq, k->nslots);

	return (struct kfi_keep_slot *)(k->mem + 2 * k->commit_bytes) + (seq - turns * k->nslots);
}

static u32 slot_bytes(const struct kfi_keep_slot *s)
{
	return offsetof(struct kfi_keep_slot, data) + aligned(s->part.bytes);
}

void kfi_keep_init(struct kfi_keep *k, void *mem, u32 size)
{
	u32 room = min_t(u32, size / KFI_KEEP_COMMIT_PART, KFI_KEEP_COMMIT_MAX);

	room = aligned(max_t(u32, room, KFI_KEEP_COMMIT_MIN));
	*k = (struct kfi_keep) { .mem = mem, .size = size, .commit_bytes = room, .first = 1 };
	k->nslots = (size - 2 * room) / KFI_KEEP_SLOT_BYTES;
}

/* ---- writing ---- */

void kfi_keep_begin(struct kfi_keep *k)
{
	k->first = k->last + 1;
	k->calls = 0;
	k->others = 0;
}

void kfi_keep_put(struct kfi_keep *k, struct kfi_keep_slot *s)
{
	struct kfi_keep_slot *to = slot_at(k, k->last + 1);

	if (k->last + 1 - k->first >= k->nslots) {
		k->calls -= to->calls;
		k->others -= to->others;
	}
	s->seq = k->last + 1;
	memset(s->data + s->part.bytes, 0, aligned(s->part.bytes) - s->part.bytes);
	s->crc = crc_of(s, slot_bytes(s));
	memcpy(to, s, slot_bytes(s));
	k->calls += s->calls;
	k->others += s->others;
	k->last++;
}

bool kfi_keep_commit(struct kfi_keep *k, struct kfi_keep_commit *c)
{
	struct kfi_keep_commit *to = commit_at(k, k->number + 1);

	c->bytes = sizeof(*c) + aligned(c->part.bytes);
	if (c->bytes > k->commit_bytes)
		return false;
	c->magic = KFI_KEEP_MAGIC;
	c->number = ++k->number;
	c->first = k->first;
	c->last = k->last;
	c->calls = k->calls;
	c->others = k->others;
	c->size = k->size;
	c->part.kind = KFI_RAW_TEXT;
	memset(c->text + c->part.bytes, 0, aligned(c->part.bytes) - c->part.bytes);
	c->crc = crc_of(c, c->bytes);
	c->magic = 0;
	wmb();	/* the slots, before the commit that has them */
	memcpy(to, c, c->bytes);
	wmb();	/* the commit, before its magic */
	WRITE_ONCE(to->magic, KFI_KEEP_MAGIC);
	wmb();	/* before whatever resets the machine */
	return true;
}

/* ---- reading ---- */

/* Return the first slot of a log that no later slot of the same log has replaced. */
static u64 first_slot(const struct kfi_keep *k, const struct kfi_keep_commit *c)
{
	return c->last + 1 - c->first > k->nslots ? c->last + 1 - k->nslots : c->first;
}

static bool is_good(const struct kfi_keep *k, const struct kfi_keep_commit *c)
{
	return c->magic == KFI_KEEP_MAGIC && c->size == k->size && c->bytes <= k->commit_bytes &&
	       c->part.bytes < k->commit_bytes &&
	       c->bytes == sizeof(*c) + aligned(c->part.bytes) && c->last < S64_MAX &&
	       c->first <= c->last + 1 && c->crc == crc_of(c, c->bytes);
}

/* Return a slot, or NULL if it is damaged or was filled again. */
static const struct kfi_keep_slot *good_slot(const struct kfi_keep *k, u64 seq)
{
	const struct kfi_keep_slot *s = slot_at(k, seq);

	if (s->seq != seq || s->part.bytes > sizeof(s->data) || s->crc != crc_of(s, slot_bytes(s)))
		return NULL;
	return s;
}

const struct kfi_keep_commit *kfi_keep_find(const struct kfi_keep *k, struct kfi_keep_lost *lost)
{
	const struct kfi_keep_commit *c = commit_at(k, 0), *other = commit_at(k, 1);
	u64 seq;

	if (!is_good(k, c) || (is_good(k, other) && other->number > c->number))
		c = other;
	if (!is_good(k, c))
		return NULL;
	*lost = (struct kfi_keep_lost) { .calls = c->calls, .others = c->others };
	for (seq = first_slot(k, c); seq <= c->last; seq++) {
		const struct kfi_keep_slot *s = good_slot(k, seq);

		lost->slots += !s;
		lost->calls -= s ? s->calls : 0;
		lost->others -= s ? s->others : 0;
	}
	return c;
}

/* Return where the title of the rows begins: behind the last blank line. */
static u32 title_at(const u8 *text, u32 len)
{
	while (len > 1 && (text[len - 1] != '\n' || text[len - 2] != '\n'))
		len--;
	return len ? len - 1 : 0;
}

static u8 *put(u8 *to, const void *from, u32 bytes)
{
	memcpy(to, from, bytes);
	return to + bytes;
}

static u8 *begin_part(u8 *to, enum kfi_raw_kind kind, u32 bytes)
{
	struct kfi_raw_part part = { .kind = kind, .bytes = bytes };

	return put(to, &part, sizeof(part));
}

/* The checksum is of what stands from @from on. */
static u8 *end_part(u8 *to, const u8 *from)
{
	u32 zeros = -((u32)(to - from) + KFI_RAW_CHECK_BYTES) % KFI_RAW_ALIGN, check;

	memset(to, 0, zeros);
	to += zeros;
	check = kfi_crc32(from, (size_t)(to - from));
	return put(to, &check, sizeof(check));
}

u32 kfi_keep_log(const struct kfi_keep *k, const struct kfi_keep_commit *c, const char *more,
		 u32 len, void *out)
{
	u32 bytes = c->part.bytes, title = title_at(c->text, bytes);
	struct kfi_raw_end end = {};
	u8 *to = out, *from = out;
	u64 seq;

	to = put(to, &c->head, sizeof(c->head));
	to = begin_part(to, KFI_RAW_TEXT, bytes + len);
	to = put(to, c->text, title);
	to = put(to, more, len);
	to = put(to, c->text + title, bytes - title);
	to = end_part(to, from);
	for (seq = first_slot(k, c); seq <= c->last; seq++) {
		const struct kfi_keep_slot *s = good_slot(k, seq);

		if (!s)
			continue;
		end.rows += s->calls + s->others;
		from = to;
		to = put(to, &s->part, sizeof(s->part) + s->part.bytes);
		to = end_part(to, from);
	}
	from = to;
	to = begin_part(to, KFI_RAW_END, sizeof(end));
	to = put(to, &end, sizeof(end));
	return (u32)(end_part(to, from) - (u8 *)out);
}
