// SPDX-License-Identifier: GPL-2.0
/* Raw logs: parts, records, order of the rows; see raw.h. */
#include <stdio.h>
#include <stdlib.h>

#include "raw_rec.h"

#define MAGIC_LEN	8
#define HEAD_LEN	(sizeof(struct kfi_raw_head) - MAGIC_LEN)

#define NSECS_MAX	((u64)S64_MAX / 2)

/* Places are counted by fours. */
#define LEN_MAX		((u64)U32_MAX * 4)

/**
 * struct kfi_raw_at - where the record of a row is
 * @entry: raw count at entry
 * @place: of four bytes each, which also decides between equals
 * @chunk: number of its chunk, KFI_NONE: it is an open call
 */
struct kfi_raw_at {
	u64 entry;
	u32 place;
	u32 chunk;
};

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

static int add_row(struct kfi_raw *r, const struct kfi_raw_call *c, u64 at, u32 chunk)
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
		.entry = c->entry, .place = (u32)(at / 4), .chunk = chunk,
	};
	return 0;
}

static int read_chunk(struct kfi_raw *r, u64 at, u32 bytes)
{
	u64 base;
	struct kfi_raw_call c;
	u32 room;
	int words;

	if (bytes < sizeof(struct kfi_raw_chunk)) {
		fault(r, "a chunk without a head", at);
		return 0;
	}
	if (kfi_grow((void **)&r->chunk, &r->chunk_room, r->nchunks + 1, sizeof(*r->chunk)))
		return -ENOMEM;
	r->chunk[r->nchunks++] = at;
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
		if (add_row(r, &c, at, r->nchunks - 1))
			return -ENOMEM;
	}
	return 0;
}

static int read_opens(struct kfi_raw *r, u64 at, u32 bytes)
{
	struct kfi_raw_call c;

	for (; bytes >= sizeof(struct kfi_raw_open); at += sizeof(struct kfi_raw_open)) {
		kfi_raw_decode_open(r, at, &c);
		if (add_row(r, &c, at, KFI_NONE))
			return -ENOMEM;
		bytes -= sizeof(struct kfi_raw_open);
	}
	if (bytes)
		fault(r, "an open call is cut off", at);
	return 0;
}

static void record_of(const struct kfi_raw *r, const struct kfi_raw_at *at, struct kfi_raw_call *c)
{
	if (at->chunk == KFI_NONE) {
		kfi_raw_decode_open(r, 4 * (u64)at->place, c);
		return;
	}
	/* It was one when it was indexed, and within its chunk. */
	kfi_raw_decode(r, 4 * (u64)at->place, KFI_RAW_WORDS_MAX,
		       kfi_raw_get64(r, r->chunk[at->chunk]), c);
	if (!(c->marks & KFI_MARK_OPEN))
		c->cpu = kfi_raw_get32(r, r->chunk[at->chunk] + 8);
}

/* qsort() passes no argument. */
static const struct kfi_raw *sorting;

/* Of two that were entered in the same count the outer one first. */
static int by_depth(const void *a, const void *b)
{
	const struct kfi_raw_at *x = a, *y = b;
	struct kfi_raw_call c, d;

	record_of(sorting, x, &c);
	record_of(sorting, y, &d);
	if (c.depth != d.depth && !((c.marks | d.marks) & KFI_MARK_NOTIME))
		return c.depth < d.depth ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

#define DIGIT_BITS	8
#define DIGITS		(1u << DIGIT_BITS)

/* So many fit into the nearest cache, twice. */
#define BUCKET		512

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

static void limits(const struct kfi_raw_at *a, u32 n, u64 *least, u64 *most)
{
	*least = U64_MAX;
	*most = 0;
	for (u32 i = 0; i < n; i++) {
		*least = a[i].entry < *least ? a[i].entry : *least;
		*most = a[i].entry > *most ? a[i].entry : *most;
	}
}

/* Few are put where they belong one by one; they are mostly in order. */
static void sort_few(const struct kfi_raw_at *from, struct kfi_raw_at *to, u32 n)
{
	for (u32 i = 0, k; i < n; i++) {
		struct kfi_raw_at x = from[i];

		for (k = i; k && to[k - 1].entry > x.entry; k--)
			to[k] = to[k - 1];
		to[k] = x;
	}
}

/* Digit by digit, the last first, from @a to @b; @a is lost. */
static void sort_digits(struct kfi_raw_at *a, struct kfi_raw_at *b, u32 n)
{
	struct kfi_raw_at *from = a, *to = b, *x;
	u64 least, most;

	if (n <= 16) {
		sort_few(a, b, n);
		return;
	}
	limits(a, n, &least, &most);
	for (u32 shift = 0; shift < 64 && (most - least) >> shift; shift += DIGIT_BITS) {
		if (!sort_digit(from, to, n, least, shift))
			continue;
		x = from;
		from = to;
		to = x;
	}
	if (from != b)
		memcpy(b, a, (size_t)n * sizeof(*a));
}

/*
 * The records of a cpu stand in order of exit, which is nearly that of entry: put into buckets of
 * some length of time each, one after the other, they go to few places of memory at a time. What is
 * in a bucket is then sorted where memory is near. The rows move to @b.
 */
static int sort_buckets(struct kfi_raw *r, struct kfi_raw_at *b, struct kfi_raw_at *spare)
{
	u32 want = r->nrows / BUCKET + 1, shift = 0, n, sum = 0, *at;
	u64 least, most;

	limits(r->at, r->nrows, &least, &most);
	while (shift < 63 && (most - least) >> shift >= want)
		shift++;
	n = (u32)((most - least) >> shift) + 1;
	at = calloc((size_t)n + 1, sizeof(*at));
	if (!at)
		return -ENOMEM;
	for (u32 i = 0; i < r->nrows; i++)
		at[(r->at[i].entry - least) >> shift]++;
	for (u32 i = 0; i < n; i++) {
		u32 count = at[i];

		at[i] = sum;
		sum += count;
	}
	for (u32 i = 0; i < r->nrows; i++)
		spare[at[(r->at[i].entry - least) >> shift]++] = r->at[i];
	/* Now each is where its bucket ends. */
	for (u32 i = 0, from = 0; i < n; from = at[i++])
		sort_digits(spare + from, b + from, at[i] - from);
	free(at);
	return 0;
}

static int sort_rows(struct kfi_raw *r)
{
	struct kfi_raw_at *spare = malloc((size_t)r->nrows * sizeof(*spare)), *a = r->at;
	int ret = spare ? sort_buckets(r, a, spare) : -ENOMEM;

	free(spare);
	sorting = r;
	for (u32 i = 0, k; !ret && i < r->nrows; i = k) {
		for (k = i + 1; k < r->nrows && a[k].entry == a[i].entry; k++)
			;
		if (k > i + 1)
			qsort(a + i, k - i, sizeof(*a), by_depth);
	}
	return ret;
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
	if (len > LEN_MAX)
		return kfi_err_set(err, EFBIG, "%s: a raw log of more than %llu bytes", name,
				   (unsigned long long)LEN_MAX);
	if (len < HEAD_LEN)
		return kfi_err_set(err, EINVAL, "%s: a raw log that is cut in its head", name);
	order = kfi_raw_get32(r, offsetof(struct kfi_raw_head, order) - MAGIC_LEN);
	r->swap = order != KFI_RAW_ORDER;
	if (r->swap && __builtin_bswap32(order) != KFI_RAW_ORDER)
		return kfi_err_set(err, EINVAL, "%s: a raw log of no known byte order", name);
#define FIELD(x)	(offsetof(struct kfi_raw_head, x) - MAGIC_LEN)
	/* What version 1 has version 2 has, too. */
	if (kfi_raw_get32(r, FIELD(version)) - 1 >= KFI_RAW_VERSION)
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
	record_of(r, &r->at[i], c);
}

void kfi_raw_close(struct kfi_raw *r)
{
	free(r->at);
	free(r->chunk);
	r->at = NULL;
	r->chunk = NULL;
	r->nrows = 0;
}
