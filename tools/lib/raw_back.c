// SPDX-License-Identifier: GPL-2.0
/* Raw logs from the last call back: see raw_back.h. */
#include <stdlib.h>

#include "raw_back.h"
#include "raw_rec.h"

/* Between an exit and its record an interrupt may write its own: so many wait for that. */
#define HOLD		16

/* A log in which calls are moved by more than so many places is in no order. */
#define MOVES		32

/* Of longer chunks too much would be in memory. */
#define WORDS_MAX	65536

/**
 * struct place - where one is in a chunk
 * @at: place of the next record
 * @room: words from there on
 * @base: what times are relative to
 * @chunk: its place
 * @cpu: its cpu
 */
struct place {
	u64 at;
	u32 room;
	u64 base;
	u64 chunk;
	u32 cpu;
};

static __always_inline void set_span(struct kfi_raw_span *span, const struct kfi_row *row,
				     const struct place *p)
{
	span->entry = row->entry_ns;
	span->end = row->entry_ns + row->delta_ns;
	span->depth = row->depth;
	span->task = row->task;
	span->cpu = row->cpu;
	span->place = (u32)(p->at / 4);
	span->chunk = (u32)(p->chunk / 4);
}

/* A record that is rare. Return: its words; 0: there is none more; -1: none of it here. */
static int other(struct kfi_raw_back *b, const struct place *p, struct kfi_row *row,
		 struct kfi_raw_span *span, bool *is_row)
{
	const struct kfi_raw *r = b->raw;
	struct kfi_raw_call c;
	int words = kfi_raw_decode(r, p->at, p->room, p->base, &c);

	*is_row = false;
	if (words <= 0)
		return words;
	if (c.event >= KFI_EVENTS) {
		b->unknown++;
		return words;
	}
	if (c.event) {
		b->others++;
		b->marks += c.event != KFI_EVENT_STACK;
		return kfi_raw_sane(r, &c) ? words : -1;
	}
	if (!c.marks && (c.dur < r->min || c.dur > r->max))
		return words;
	/* Open ones of an earlier round, and those without a time, may be over or not. */
	if ((c.marks & ~KFI_MARK_UNWOUND) || !kfi_raw_sane(r, &c))
		return -1;
	c.cpu = p->cpu;
	kfi_raw_make_row(r->origin, r->hz, r->word_bits, &c, row);
	set_span(span, row, p);
	if (c.marks)
		span->end = (s64)kfi_raw_nsecs(r->hz, c.entry - r->origin + c.dur);
	*is_row = true;
	return words;
}

/* Some records of a chunk. Return: how many are calls; -1: none of it here. */
static __always_inline int read_some(struct kfi_raw_back *b, struct place *p, struct kfi_row *row,
				     struct kfi_raw_span *span, const bool swap)
{
	const struct kfi_raw *r = b->raw;
	const u64 min = r->min, max = r->max, origin = r->origin, limit = r->limit, hz = r->hz;
	const u64 base = p->base, text = r->base;
	const u32 bits = r->word_bits;
	int n = 0;
	u32 words;

	for (; p->room && n < KFI_RAW_ROWS; p->at += 4 * words, p->room -= words) {
		const u8 *data = r->data + p->at;
		u32 w0 = kfi_raw_word(data, swap), form = w0 & 0x1f;
		struct kfi_raw_call c;

		words = kfi_raw_words_of[form & 7];
		if (unlikely(w0 >> 7 & KFI_MARK_CALL || words > p->room ||
			     (form != KFI_RAW_PACKED && form != KFI_RAW_IRQ))) {
			bool is_row;
			int ret = other(b, p, &row[n], &span[n], &is_row);

			if (ret < 0)
				return -1;
			if (!ret) {
				p->room = 0;
				return n;
			}
			words = (u32)ret;
			n += is_row;
			continue;
		}
		kfi_raw_decode_packed(data, swap, text, w0, base, &c);
		if (unlikely(c.dur < min || c.dur > max))
			continue;
		if (unlikely(c.ctx >= KFI_CTX_COUNT ||
			     !kfi_raw_sane_time(origin, limit, c.entry, c.dur)))
			return -1;
		c.cpu = p->cpu;
		/* Known to be so: not to be read again. */
		c.marks = 0;
		c.event = KFI_EVENT_NONE;
		kfi_raw_make_row(origin, hz, bits, &c, &row[n]);
		set_span(&span[n], &row[n], p);
		n++;
	}
	return n;
}

/* Whether a call is to be taken before another one: of two that end at once the outer one. */
static inline bool is_before(const struct kfi_raw_span *a, const struct kfi_raw_span *b)
{
	return unlikely(a->end == b->end) ? a->depth < b->depth : a->end > b->end;
}

/* By exit; those of an interrupt may have come in between. Return: whether there were but few. */
static bool put_in_order(struct kfi_raw_span *a, u32 n)
{
	u64 moves = 0;

	for (u32 i = 1, k; i < n; i++) {
		struct kfi_raw_span x;

		if (likely(!is_before(&a[i - 1], &a[i])))
			continue;
		x = a[i];
		for (k = i; k && is_before(&a[k - 1], &x); k--)
			a[k] = a[k - 1];
		a[k] = x;
		moves += i - k;
		if (moves > MOVES * (u64)n)
			return false;
	}
	return true;
}

/* The chunk of a cpu before those that have been read. Return: 0; 1: not for this; -ENOMEM. */
static int load(struct kfi_raw_back *b, struct kfi_raw_lane *l, kfi_raw_rows_fn fn, void *arg)
{
	const struct kfi_raw *r = b->raw;
	u64 chunk = 4 * (u64)l->chunk[--l->nchunks];
	struct place p = {
		.at = chunk + sizeof(struct kfi_raw_chunk), .room = kfi_raw_get32(r, chunk + 12),
		.base = kfi_raw_get64(r, chunk), .chunk = chunk, .cpu = l->cpu,
	};
	struct kfi_raw_span held[HOLD];
	struct kfi_row rows[KFI_RAW_ROWS];
	u32 nheld = l->n, n = 0;
	int ret, got;

	for (u32 i = 0; i < nheld; i++)
		held[i] = l->span[i];
	if (kfi_grow((void **)&l->span, &l->span_room,
		     p.room / KFI_RAW_WORDS_MIN + 1 + KFI_RAW_ROWS + HOLD, sizeof(*l->span)))
		return -ENOMEM;
	while (p.room) {
		got = r->swap ? read_some(b, &p, rows, l->span + n, true) :
				read_some(b, &p, rows, l->span + n, false);
		if (got < 0)
			return 1;
		ret = fn(arg, rows, l->span + n, (u32)got);
		if (ret)
			return ret;
		n += (u32)got;
	}
	b->rows += n;
	for (u32 i = 0; i < nheld; i++)
		l->span[n + i] = held[i];
	l->n = n + nheld;
	if (!put_in_order(l->span, l->n))
		return 1;
	l->low = !l->nchunks ? 0 : l->n < HOLD ? l->n : HOLD;
	return l->n && l->span[l->n - 1].end > l->last;
}

int kfi_raw_back_next(struct kfi_raw_back *b, kfi_raw_rows_fn fn, void *arg,
		      struct kfi_raw_lane **lane, s64 *until)
{
	struct kfi_raw_lane *best = NULL;
	s64 first = 0, second = -S64_MAX;
	int ret;

	for (u32 i = 0; i < b->nlanes; i++) {
		struct kfi_raw_lane *l = &b->lane[i];
		s64 end;

		while (unlikely(l->n == l->low) && l->nchunks) {
			ret = load(b, l, fn, arg);
			if (ret)
				return ret < 0 ? ret : 2;
		}
		if (l->n == l->low)
			continue;
		end = l->span[l->n - 1].end;
		if (!best || end > first) {
			second = best ? first : second;
			best = l;
			first = end;
		} else if (end > second) {
			second = end;
		}
	}
	*lane = best;
	*until = second;
	return best != NULL;
}

/* A chunk goes to its cpu. Return: 0; 1: not for this; -ENOMEM. */
static int add_chunk(struct kfi_raw_back *b, u64 at, u32 bytes)
{
	u32 cpu = kfi_raw_get32(b->raw, at + 8), words = kfi_raw_get32(b->raw, at + 12), i;
	struct kfi_raw_lane *l;

	if (bytes < sizeof(struct kfi_raw_chunk) ||
	    words > (bytes - sizeof(struct kfi_raw_chunk)) / 4 || words > WORDS_MAX)
		return 1;
	for (i = 0; i < b->nlanes && b->lane[i].cpu != cpu; i++)
		;
	if (i == KFI_RAW_LANES)
		return 1;
	l = &b->lane[i];
	if (i == b->nlanes) {
		*l = (struct kfi_raw_lane){ .cpu = cpu, .last = S64_MAX };
		b->nlanes++;
	}
	if (kfi_grow((void **)&l->chunk, &l->room, l->nchunks + 1, sizeof(*l->chunk)))
		return -ENOMEM;
	l->chunk[l->nchunks++] = (u32)(at / 4);
	return 0;
}

static int by_depth(const void *a, const void *b)
{
	const struct kfi_raw_span *x = a, *y = b;

	return x->depth < y->depth ? -1 : x->depth > y->depth;
}

static int add_opens(struct kfi_raw_back *b, u64 at, u32 bytes, kfi_raw_rows_fn fn, void *arg)
{
	const struct kfi_raw *r = b->raw;
	struct kfi_raw_call c;
	struct kfi_row row;
	int ret = 0;

	if (bytes % sizeof(struct kfi_raw_open))
		return 1;
	for (; bytes && !ret; at += sizeof(struct kfi_raw_open)) {
		struct place p = { .at = at, .chunk = 4 * (u64)KFI_NONE };
		struct kfi_raw_span *span;

		bytes -= sizeof(struct kfi_raw_open);
		kfi_raw_decode_open(r, at, &c);
		if (c.marks != KFI_MARK_OPEN || !kfi_raw_sane(r, &c))
			return 1;
		if (kfi_grow((void **)&b->open, &b->open_room, b->nopens + 1, sizeof(*b->open)))
			return -ENOMEM;
		kfi_raw_make_row(r->origin, r->hz, r->word_bits, &c, &row);
		span = &b->open[b->nopens++];
		set_span(span, &row, &p);
		span->end = KFI_RAW_NO_END;
		b->rows++;
		ret = fn(arg, &row, span, 1);
	}
	return ret;
}

int kfi_raw_back_open(struct kfi_raw_back *b, struct kfi_raw *r, kfi_raw_rows_fn fn, void *arg)
{
	u64 at = r->first;
	u32 kind, bytes;
	int ret = 0;

	b->rows = b->others = b->marks = b->unknown = b->want = 0;
	b->raw = r;
	b->nlanes = b->nopens = b->open_room = 0;
	b->open = NULL;
	if (r->counted || !r->whole)
		return 1;
	while (!ret && kfi_raw_part_at(r, at, &kind, &bytes)) {
		at += sizeof(struct kfi_raw_part);
		if (kind == KFI_RAW_CHUNK)
			ret = add_chunk(b, at, bytes);
		else if (kind == KFI_RAW_OPEN)
			ret = add_opens(b, at, bytes, fn, arg);
		else if (kind == KFI_RAW_END && bytes >= sizeof(struct kfi_raw_end)) {
			b->want = kfi_raw_get64(r, at);
			break;
		}
		at = kfi_raw_behind(at, bytes);
	}
	if (b->nopens)
		qsort(b->open, b->nopens, sizeof(*b->open), by_depth);
	return ret;
}

static struct kfi_raw_call call_of(const struct kfi_raw_back *b, const struct kfi_raw_span *span)
{
	const struct kfi_raw_at at = { .place = span->place, .chunk = span->chunk };
	struct kfi_raw_call c;

	kfi_raw_call_at(b->raw, &at, &c);
	return c;
}

void kfi_raw_back_row(const struct kfi_raw_back *b, const struct kfi_raw_span *span,
		      struct kfi_row *row)
{
	struct kfi_raw_call c = call_of(b, span);

	kfi_raw_make_row(b->raw->origin, b->raw->hz, b->raw->word_bits, &c, row);
}

int kfi_raw_back_order(const struct kfi_raw_back *b, const struct kfi_raw_span *x,
		       const struct kfi_raw_span *y)
{
	u64 ex, ey;

	if (likely(x->entry != y->entry))
		return x->entry < y->entry ? -1 : 1;
	/* Counts may be finer than nanoseconds. */
	ex = call_of(b, x).entry;
	ey = call_of(b, y).entry;
	if (ex != ey)
		return ex < ey ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

bool kfi_raw_back_whole(struct kfi_raw_back *b)
{
	if (b->want != b->rows + b->others + b->unknown || b->want >= KFI_NONE)
		return false;
	/* It has been counted, and nothing is left. */
	b->raw->nrows = (u32)(b->rows + b->others);
	b->raw->counted = true;
	return true;
}

void kfi_raw_back_close(struct kfi_raw_back *b)
{
	for (u32 i = 0; i < b->nlanes; i++) {
		free(b->lane[i].chunk);
		free(b->lane[i].span);
	}
	free(b->open);
	b->open = NULL;
	b->nlanes = b->nopens = 0;
}
