// SPDX-License-Identifier: GPL-2.0
/* Raw logs: parts, records, order of the rows; see raw.h. */
#include <stdio.h>
#include <stdlib.h>

#include "raw_rec.h"

#define MAGIC_LEN	8
#define HEAD_LEN	(sizeof(struct kfi_raw_head) - MAGIC_LEN)

#define NSECS_MAX	((u64)S64_MAX / 2)

/**
 * struct kfi_raw_at - where the record of a row is
 * @entry: raw count at entry
 * @at: its place, which also decides between equals
 * @chunk: place of what its chunk has above the words, NO_CHUNK: it is an open call
 * @depth: nesting depth
 * @notime: it was entered before the clock ran
 */
struct kfi_raw_at {
	u64 entry;
	u64 at;
	u64 chunk;
	u16 depth;
	bool notime;
};

#define NO_CHUNK	U64_MAX

static void fault(struct kfi_raw *r, const char *what, u64 at)
{
	if (!*r->fault)
		snprintf(r->fault, sizeof(r->fault), "%s at byte %llu", what,
			 (unsigned long long)at + MAGIC_LEN);
}

/* Whether times are such that they can be shown. */
static bool sane(const struct kfi_raw *r, const struct kfi_raw_call *c)
{
	u64 exit = c->entry - r->origin + c->dur;

	if (c->ctx >= KFI_CTX_COUNT || c->pid > INT32_MAX)
		return false;
	/* A mark from before the zero of all times has time 0. */
	if ((c->marks & KFI_MARK_NOTIME) ||
	    (c->event && c->event != KFI_EVENT_STACK && c->entry < r->origin))
		return true;
	/* An hour too many is as wrong as a century, but only that would not fit. */
	return exit >= c->dur && c->entry - r->origin < U64_MAX / 2 &&
	       (!r->hz || exit / r->hz < NSECS_MAX / 1000000000);
}

static int add_row(struct kfi_raw *r, const struct kfi_raw_call *c, u64 at, u64 chunk)
{
	if (!c->marks && !c->event && (c->dur < r->min || c->dur > r->max))
		return 0;
	if (c->event >= KFI_EVENTS) {
		r->unknown++;
		return 0;
	}
	if (!sane(r, c)) {
		fault(r, "a record makes no sense", at);
		return 0;
	}
	if (r->nrows >= KFI_NONE - 1 ||
	    kfi_grow((void **)&r->at, &r->room, r->nrows + 1, sizeof(*r->at)))
		return -ENOMEM;
	r->at[r->nrows++] = (struct kfi_raw_at){
		.entry = c->entry, .at = at, .chunk = chunk, .depth = (u16)c->depth,
		.notime = c->marks & KFI_MARK_NOTIME,
	};
	return 0;
}

static int read_chunk(struct kfi_raw *r, u64 at, u32 bytes)
{
	u64 chunk = at, base;
	struct kfi_raw_call c;
	u32 room;
	int words;

	if (bytes < sizeof(struct kfi_raw_chunk)) {
		fault(r, "a chunk without a head", at);
		return 0;
	}
	base = kfi_raw_get64(r, at);
	room = kfi_raw_get32(r, at + 12);
	if (room > (bytes - sizeof(struct kfi_raw_chunk)) / 4) {
		fault(r, "a chunk that ends before its records", at);
		room = (bytes - sizeof(struct kfi_raw_chunk)) / 4;
	}
	at += sizeof(struct kfi_raw_chunk);
	for (; room; at += 4 * words, room -= words) {
		words = kfi_raw_decode(r, at, room, base, &c);
		if (words < 0)
			fault(r, "what cannot be a record", at);
		if (words <= 0)
			break;
		if (add_row(r, &c, at, chunk))
			return -ENOMEM;
	}
	return 0;
}

static int read_opens(struct kfi_raw *r, u64 at, u32 bytes)
{
	struct kfi_raw_call c;

	for (; bytes >= sizeof(struct kfi_raw_open); at += sizeof(struct kfi_raw_open)) {
		kfi_raw_decode_open(r, at, &c);
		if (add_row(r, &c, at, NO_CHUNK))
			return -ENOMEM;
		bytes -= sizeof(struct kfi_raw_open);
	}
	if (bytes)
		fault(r, "an open call is cut off", at);
	return 0;
}

/* Order of entry; of two in the same count the outer one first. */
static int by_entry(const void *a, const void *b)
{
	const struct kfi_raw_at *x = a, *y = b;

	if (x->entry != y->entry)
		return x->entry < y->entry ? -1 : 1;
	if (x->depth != y->depth && !x->notime && !y->notime)
		return x->depth < y->depth ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

#define DIGIT_BITS	11
#define DIGITS		(1u << DIGIT_BITS)

/* By one digit of the entry, keeping the order of equal ones. Return: whether @to has them now. */
static bool sort_digit(const struct kfi_raw_at *from, struct kfi_raw_at *to, u32 n, u64 least,
		       u32 shift)
{
	static u32 at[DIGITS];
	u32 sum = 0;

	memset(at, 0, sizeof(at));
	for (u32 i = 0; i < n; i++)
		at[(from[i].entry - least) >> shift & (DIGITS - 1)]++;
	if (at[(from[0].entry - least) >> shift & (DIGITS - 1)] == n)
		return false;
	for (u32 i = 0; i < DIGITS; i++) {
		u32 count = at[i];

		at[i] = sum;
		sum += count;
	}
	for (u32 i = 0; i < n; i++)
		to[at[(from[i].entry - least) >> shift & (DIGITS - 1)]++] = from[i];
	return true;
}

/* Digit by digit, the last first; then what has the same entry. */
static int sort_rows(struct kfi_raw *r)
{
	struct kfi_raw_at *a = r->at, *b = malloc((size_t)r->nrows * sizeof(*b)), *x;
	u64 least = U64_MAX, most = 0;

	if (!b)
		return -ENOMEM;
	for (u32 i = 0; i < r->nrows; i++) {
		least = a[i].entry < least ? a[i].entry : least;
		most = a[i].entry > most ? a[i].entry : most;
	}
	for (u32 shift = 0; shift < 64 && (most - least) >> shift; shift += DIGIT_BITS) {
		if (!sort_digit(a, b, r->nrows, least, shift))
			continue;
		x = a;
		a = b;
		b = x;
	}
	for (u32 i = 0, k; i < r->nrows; i = k) {
		for (k = i + 1; k < r->nrows && a[k].entry == a[i].entry; k++)
			;
		if (k > i + 1)
			qsort(a + i, k - i, sizeof(*a), by_entry);
	}
	free(b);
	r->at = a;
	r->room = r->nrows;
	return 0;
}

/* Parts up to the end. */
static int read_parts(struct kfi_raw *r)
{
	int ret = 0;

	while (!ret && r->used < r->len) {
		u64 at = r->used + sizeof(struct kfi_raw_part);
		u32 kind, bytes;

		if (at > r->len)
			break;
		kind = kfi_raw_get32(r, r->used);
		bytes = kfi_raw_get32(r, r->used + 4);
		if (bytes > r->len - at) {
			fault(r, "truncated: no end", r->len);
			/* What is there of a chunk is good. */
			if (kind == KFI_RAW_CHUNK && r->len - at >= sizeof(struct kfi_raw_chunk))
				ret = read_chunk(r, at, (u32)(r->len - at));
			break;
		}
		r->used = at + bytes;
		/* The magic is as long as what all is aligned to. */
		r->used += -r->used & (KFI_RAW_ALIGN - 1);
		if (kind == KFI_RAW_TEXT)
			r->text = (struct kfi_str){ (const char *)r->data + at, bytes };
		else if (kind == KFI_RAW_CHUNK)
			ret = read_chunk(r, at, bytes);
		else if (kind == KFI_RAW_OPEN)
			ret = read_opens(r, at, bytes);
		else if (kind == KFI_RAW_END && bytes >= sizeof(struct kfi_raw_end)) {
			if (kfi_raw_get64(r, at) != r->nrows + (u64)r->unknown)
				fault(r, "rows are missing, or too many, by the end", at);
			return 0;
		}
	}
	if (!ret)
		fault(r, "truncated: no end", r->len);
	r->used = r->len;
	return ret;
}

int kfi_raw_open(struct kfi_raw *r, const char *name, const void *data, size_t len,
		 struct kfi_err *err)
{
	u32 order, bytes;

	*r = (struct kfi_raw){ .data = data, .len = len };
	if (len < HEAD_LEN)
		return kfi_err_set(err, EINVAL, "%s: a raw log that is cut in its head", name);
	order = kfi_raw_get32(r, offsetof(struct kfi_raw_head, order) - MAGIC_LEN);
	r->swap = order != KFI_RAW_ORDER;
	if (r->swap && __builtin_bswap32(order) != KFI_RAW_ORDER)
		return kfi_err_set(err, EINVAL, "%s: a raw log of no known byte order", name);
#define FIELD(x)	(offsetof(struct kfi_raw_head, x) - MAGIC_LEN)
	if (kfi_raw_get32(r, FIELD(version)) != KFI_RAW_VERSION)
		return kfi_err_set(err, EINVAL, "%s: a raw log of version %u; known is %u", name,
				   kfi_raw_get32(r, FIELD(version)), KFI_RAW_VERSION);
	r->word_bits = kfi_raw_get32(r, FIELD(word_bits));
	bytes = kfi_raw_get32(r, FIELD(bytes));
	r->base = kfi_raw_get64(r, FIELD(text));
	r->origin = kfi_raw_get64(r, FIELD(origin));
	r->hz = kfi_raw_get64(r, FIELD(hz));
	r->min = kfi_raw_get64(r, FIELD(min));
	r->max = kfi_raw_get64(r, FIELD(max));
#undef FIELD
	if ((r->word_bits != 32 && r->word_bits != 64) || bytes < sizeof(struct kfi_raw_head) ||
	    bytes % KFI_RAW_ALIGN || bytes - MAGIC_LEN > len || r->hz >> 34)
		return kfi_err_set(err, EINVAL, "%s: a raw log whose head makes no sense", name);
	r->used = bytes - MAGIC_LEN;
	if (read_parts(r)) {
		kfi_raw_close(r);
		return kfi_err_set(err, ENOMEM, "%s: out of memory", name);
	}
	if (r->nrows && sort_rows(r)) {
		kfi_raw_close(r);
		return kfi_err_set(err, ENOMEM, "%s: out of memory", name);
	}
	return 0;
}

void kfi_raw_record(const struct kfi_raw *r, u32 i, struct kfi_raw_call *c)
{
	const struct kfi_raw_at *at = &r->at[i];

	if (at->chunk == NO_CHUNK) {
		kfi_raw_decode_open(r, at->at, c);
		return;
	}
	/* It was one when it was indexed, and within its chunk. */
	kfi_raw_decode(r, at->at, KFI_RAW_WORDS_MAX, kfi_raw_get64(r, at->chunk), c);
	if (!(c->marks & KFI_MARK_OPEN))
		c->cpu = kfi_raw_get32(r, at->chunk + 8);
}

void kfi_raw_close(struct kfi_raw *r)
{
	free(r->at);
	r->at = NULL;
	r->nrows = 0;
}
