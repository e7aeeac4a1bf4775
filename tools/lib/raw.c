// SPDX-License-Identifier: GPL-2.0
/* Raw logs: parts, records, order of the rows; see raw.h. */
#include <stdio.h>
#include <stdlib.h>

#include "raw.h"

#define MAGIC_LEN	8
#define HEAD_LEN	(sizeof(struct kfi_raw_head) - MAGIC_LEN)

/* Word 6 of a longer record: which parts follow it, and their words. */
#define EXT_TIME	0x1u
#define EXT_FAR		0x2u
#define EXT_AWAY	0x4u
#define EXT_KNOWN	(EXT_TIME | EXT_FAR | EXT_AWAY)
#define COMMON_WORDS	6

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

/**
 * struct call - one record, decoded; times are raw counts
 * @func: function
 * @site: call site
 * @entry: at entry
 * @dur: from entry to exit
 * @local: what the function itself ran
 * @off: switched out
 * @irq: in interrupts
 * @pid: task
 * @cpu: cpu
 * @depth: nesting depth
 * @ctx: enum kfi_ctx
 * @marks: KFI_MARK_*
 */
struct call {
	u64 func;
	u64 site;
	u64 entry;
	u64 dur;
	u64 local;
	u64 off;
	u64 irq;
	u32 pid;
	u32 cpu;
	u32 depth;
	u8 ctx;
	u8 marks;
};

static u16 get16(const struct kfi_raw *r, u64 at)
{
	u16 v;

	memcpy(&v, r->data + at, sizeof(v));
	return r->swap ? __builtin_bswap16(v) : v;
}

static u32 get32(const struct kfi_raw *r, u64 at)
{
	u32 v;

	memcpy(&v, r->data + at, sizeof(v));
	return r->swap ? __builtin_bswap32(v) : v;
}

static u64 get64(const struct kfi_raw *r, u64 at)
{
	u64 v;

	memcpy(&v, r->data + at, sizeof(v));
	return r->swap ? __builtin_bswap64(v) : v;
}

/* Two words of a record, the lower half first in any byte order. */
static u64 pair(const struct kfi_raw *r, u64 at)
{
	return get32(r, at) | (u64)get32(r, at + 4) << 32;
}

/* Those of a 32-bit kernel wrap: hex() shows as many digits as it has. */
static u64 near(const struct kfi_raw *r, u32 rel)
{
	return r->base + (u64)(s64)(s32)rel;
}

static void fault(struct kfi_raw *r, const char *what, u64 at)
{
	if (!*r->fault)
		snprintf(r->fault, sizeof(r->fault), "%s at byte %llu", what,
			 (unsigned long long)at + MAGIC_LEN);
}

/* A record of @room words at most. Return: its words, 0: there is none more, -1: it can be none. */
static int decode(const struct kfi_raw *r, u64 at, u32 room, u64 base, struct call *c)
{
	u32 w0 = get32(r, at), words = w0 & 0x1f, ext = 0, want = COMMON_WORDS;
	u64 exit, more = at + 4 * (COMMON_WORDS + 1);

	if (!w0)
		return 0;
	if (words < COMMON_WORDS || words > room)
		return -1;
	if (words > COMMON_WORDS) {
		ext = get32(r, at + 4 * COMMON_WORDS);
		want += 1 + (ext & EXT_TIME ? 6 : 0) + (ext & EXT_FAR ? 4 : 0) +
			(ext & EXT_AWAY ? 4 : 0);
	}
	if (words != want || (ext & ~EXT_KNOWN))
		return -1;
	*c = (struct call){
		.func = near(r, get32(r, at + 4)), .site = near(r, get32(r, at + 8)),
		.dur = get32(r, at + 16), .local = get32(r, at + 20) & 0x3fffff,
		.pid = w0 >> 10, .ctx = w0 >> 5 & 3, .marks = w0 >> 7 & 7,
		.depth = get32(r, at + 20) >> 22,
	};
	exit = base + (u64)(s64)(s32)get32(r, at + 12);
	if (ext & EXT_TIME) {
		exit = pair(r, more);
		c->dur = pair(r, more + 8);
		c->local = pair(r, more + 16);
		more += 24;
	}
	if (ext & EXT_FAR) {
		c->func = pair(r, more);
		c->site = pair(r, more + 8);
		more += 16;
	}
	if (ext & EXT_AWAY) {
		c->off = pair(r, more);
		c->irq = pair(r, more + 8);
	}
	c->entry = exit - c->dur;
	return words;
}

static void decode_open(const struct kfi_raw *r, u64 at, struct call *c)
{
	*c = (struct call){
		.func = get64(r, at), .site = get64(r, at + 8),
		.entry = get64(r, at + 16), .pid = get32(r, at + 24), .cpu = get16(r, at + 28),
		.depth = get16(r, at + 30), .ctx = r->data[at + 32],
		.marks = (r->data[at + 33] & 7) | KFI_MARK_OPEN,
	};
}

static u64 nsecs(const struct kfi_raw *r, u64 counts)
{
	if (!r->hz)
		return 0;
	return counts / r->hz * 1000000000 + counts % r->hz * 1000000000 / r->hz;
}

/* Whether times are such that they can be shown. */
static bool sane(const struct kfi_raw *r, const struct call *c)
{
	u64 exit = c->entry - r->origin + c->dur;

	if (c->ctx >= KFI_CTX_COUNT || c->pid > INT32_MAX)
		return false;
	if (c->marks & KFI_MARK_NOTIME)
		return true;
	/* An hour too many is as wrong as a century, but only that would not fit. */
	return exit >= c->dur && c->entry - r->origin < U64_MAX / 2 &&
	       (!r->hz || exit / r->hz < NSECS_MAX / 1000000000);
}

static int add_row(struct kfi_raw *r, const struct call *c, u64 at, u64 chunk)
{
	if (!c->marks && (c->dur < r->min || c->dur > r->max))
		return 0;
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
	struct call c;
	u32 room;
	int words;

	if (bytes < sizeof(struct kfi_raw_chunk)) {
		fault(r, "a chunk without a head", at);
		return 0;
	}
	base = get64(r, at);
	room = get32(r, at + 12);
	if (room > (bytes - sizeof(struct kfi_raw_chunk)) / 4) {
		fault(r, "a chunk that ends before its records", at);
		room = (bytes - sizeof(struct kfi_raw_chunk)) / 4;
	}
	at += sizeof(struct kfi_raw_chunk);
	for (; room; at += 4 * words, room -= words) {
		words = decode(r, at, room, base, &c);
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
	struct call c;

	for (; bytes >= sizeof(struct kfi_raw_open); at += sizeof(struct kfi_raw_open)) {
		decode_open(r, at, &c);
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

/* Parts up to the end. */
static int read_parts(struct kfi_raw *r)
{
	int ret = 0;

	while (!ret && r->used < r->len) {
		u64 at = r->used + sizeof(struct kfi_raw_part);
		u32 kind, bytes;

		if (at > r->len)
			break;
		kind = get32(r, r->used);
		bytes = get32(r, r->used + 4);
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
			if (get64(r, at) != r->nrows)
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
	order = get32(r, offsetof(struct kfi_raw_head, order) - MAGIC_LEN);
	r->swap = order != KFI_RAW_ORDER;
	if (r->swap && __builtin_bswap32(order) != KFI_RAW_ORDER)
		return kfi_err_set(err, EINVAL, "%s: a raw log of no known byte order", name);
#define FIELD(x)	(offsetof(struct kfi_raw_head, x) - MAGIC_LEN)
	if (get32(r, FIELD(version)) != KFI_RAW_VERSION)
		return kfi_err_set(err, EINVAL, "%s: a raw log of version %u; known is %u", name,
				   get32(r, FIELD(version)), KFI_RAW_VERSION);
	r->word_bits = get32(r, FIELD(word_bits));
	bytes = get32(r, FIELD(bytes));
	r->base = get64(r, FIELD(text));
	r->origin = get64(r, FIELD(origin));
	r->hz = get64(r, FIELD(hz));
	r->min = get64(r, FIELD(min));
	r->max = get64(r, FIELD(max));
#undef FIELD
	if ((r->word_bits != 32 && r->word_bits != 64) || bytes < sizeof(struct kfi_raw_head) ||
	    bytes % KFI_RAW_ALIGN || bytes - MAGIC_LEN > len || r->hz >> 34)
		return kfi_err_set(err, EINVAL, "%s: a raw log whose head makes no sense", name);
	r->used = bytes - MAGIC_LEN;
	if (read_parts(r)) {
		kfi_raw_close(r);
		return kfi_err_set(err, ENOMEM, "%s: out of memory", name);
	}
	if (r->nrows)
		qsort(r->at, r->nrows, sizeof(*r->at), by_entry);
	return 0;
}

static struct kfi_str hex(const struct kfi_raw *r, u64 addr, char *buf)
{
	static const char digit[] = "0123456789abcdef";
	u32 n = r->word_bits / 4;

	buf[0] = '0';
	buf[1] = 'x';
	for (u32 i = n; i; i--, addr >>= 4)
		buf[i + 1] = digit[addr & 15];
	return (struct kfi_str){ buf, n + 2 };
}

void kfi_raw_row(struct kfi_raw *r, u32 i, struct kfi_row *row)
{
	const struct kfi_raw_at *at = &r->at[i];
	struct call c;

	if (at->chunk == NO_CHUNK) {
		decode_open(r, at->at, &c);
	} else {
		/* It was one when it was indexed, and within its chunk. */
		decode(r, at->at, 31, get64(r, at->chunk), &c);
		c.cpu = get32(r, at->chunk + 8);
	}
	*row = (struct kfi_row){
		.delta_ns = -1, .local_ns = -1, .off_ns = -1, .irq_ns = -1,
		.func = hex(r, c.func, r->names[0]), .caller = hex(r, c.site, r->names[1]),
		.pid = c.ctx == KFI_CTX_TASK ? (s32)c.pid : -1, .task = (s32)c.pid,
		.cpu = (s32)(c.cpu & INT32_MAX), .depth = c.depth, .ctx = c.ctx, .marks = c.marks,
	};
	if (!(c.marks & KFI_MARK_NOTIME))
		row->entry_ns = nsecs(r, c.entry - r->origin);
	if (c.marks)
		return;
	/* Differences of rounded times, as in the text. */
	row->delta_ns = nsecs(r, c.entry - r->origin + c.dur) - row->entry_ns;
	row->local_ns = min_t(u64, nsecs(r, c.local), row->delta_ns);
	row->off_ns = min_t(u64, nsecs(r, c.off), row->delta_ns);
	row->irq_ns = min_t(u64, nsecs(r, c.irq), row->delta_ns - row->off_ns);
}

size_t kfi_raw_line(const struct kfi_row *row, char *text)
{
	static const char *const words[KFI_MARK_BITS] = { "notime", "unwound", "open" };
	s64 exit = row->entry_ns + row->delta_ns, us = row->entry_ns / 1000;
	char marks[32] = "-";
	size_t at = 0;

	for (u32 i = 0; i < KFI_MARK_BITS; i++)
		if (row->marks >> i & 1)
			at += snprintf(marks + at, sizeof(marks) - at, "%s%s", at ? "," : "",
				       words[i]);
	return snprintf(text, KFI_RAW_TEXT_MAX,
			"%8lld %8lld %8d %-32.*s %-32.*s %12lld %12lld %12lld %3d %5u   %c %7d %-14s %12lld %12lld",
			(long long)us,
			row->delta_ns < 0 ? -1 : (long long)(exit / 1000 - us), row->pid,
			(int)row->func.len, row->func.s, (int)row->caller.len, row->caller.s,
			(long long)row->entry_ns, (long long)row->delta_ns,
			(long long)row->local_ns, row->cpu, row->depth, KFI_CTX_LETTERS[row->ctx],
			row->task, marks, (long long)row->off_ns, (long long)row->irq_ns);
}

void kfi_raw_close(struct kfi_raw *r)
{
	free(r->at);
	r->at = NULL;
	r->nrows = 0;
}
