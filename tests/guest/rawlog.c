// SPDX-License-Identifier: GPL-2.0
/*
 * rawlog - reader of /proc/kfi_raw, see rawlog.h
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rawlog.h"

#define PART_END	1
#define PART_TEXT	2
#define PART_CHUNK	3
#define PART_OPEN	4
#define PART_SUMS	5
#define PART_PROGRESS	6

#define CHECK_BYTES	4

#define EXT_TIME	1
#define EXT_FAR		2
#define EXT_AWAY	4
#define EXT_EVENT	8
#define EXT_BELOW	16

#define HEX_ROOM	20
#define SUM_BYTES	72
#define ROW_ROOM	(2 * HEX_ROOM)
#define TEXT_ROOM	81
#define ARGS_ROOM	256
#define FUNCS_MAX	8

/* Kinds of what is no call, by their numbers. */
enum { SWITCH = 1, INITCALL, LEVEL, SYSCALL, SYSRET, MARK, STACK, PREEMPT, WAKEUP, NEW, EXEC,
	ARGS, RET, CALLERS, KINDS };
static const char * const kinds[] = {
	[SWITCH] = "switch", [INITCALL] = "initcall", [LEVEL] = "level", [SYSCALL] = "syscall",
	[SYSRET] = "sysret", [MARK] = "mark", [STACK] = "stack", [PREEMPT] = "preempt",
	[WAKEUP] = "wakeup", [NEW] = "new", [EXEC] = "exec", [ARGS] = "args", [RET] = "ret",
	[CALLERS] = "callers",
};

struct head {
	char magic[8];
	uint32_t order, version, bits, bytes;
	uint64_t text, origin, hz, min, max;
};

struct call {
	uint64_t func, site, entry, exit, local, off, irq;
	uint32_t pid, cpu, depth, ctx, marks;
	uint32_t below;
	size_t file_order;	/* index in the file: sorts calls that are equal otherwise */
	unsigned int kind;	/* 0: a call */
	int64_t value;
	unsigned int nfuncs, nnumbers;
	union {			/* one of them: there may be a million calls */
		char text[TEXT_ROOM];
		uint64_t funcs[FUNCS_MAX];
		uint64_t numbers[TEXT_ROOM / 8];
	};
};

struct reader {
	struct head head;
	const char *at, *end;
	struct call *calls;
	size_t nr, room;
	const char *text;	/* of the last header */
	uint32_t text_len;
	char *sums;		/* of a profile, from all parts */
	size_t nr_sums;
	unsigned int headers;
	unsigned int progress;	/* parts: it was read while the run went on */
	uint64_t lost[2];	/* calls and others, by the last of them */
	char *why;		/* buffer for the reason of an error */
	size_t why_size;
};

uint32_t crc32_of(const void *bytes, size_t n)
{
	static uint32_t table[256];
	const uint8_t *p = bytes;
	uint32_t crc = ~0u;

	for (uint32_t i = 0; !table[255] && i < 256; i++) {
		uint32_t v = i;

		for (int bit = 0; bit < 8; bit++)
			v = v >> 1 ^ (v & 1 ? 0xedb88320u : 0);
		table[i] = v;
	}
	while (n--)
		crc = crc >> 8 ^ table[(uint8_t)crc ^ *p++];
	return ~crc;
}

static int set_error(struct reader *r, const char *what)
{
	snprintf(r->why, r->why_size, "%s", what);
	return -1;
}

static const char *take_bytes(struct reader *r, size_t bytes)
{
	const char *p = r->at;

	if ((size_t)(r->end - p) < bytes)
		return NULL;
	r->at += bytes;
	return p;
}

static struct call *new_call(struct reader *r)
{
	if (r->nr == r->room) {
		size_t room = r->room ? 2 * r->room : 1024;
		struct call *more = realloc(r->calls, room * sizeof(*more));

		if (!more)
			return NULL;
		r->calls = more;
		r->room = room;
	}
	r->calls[r->nr] = (struct call) { .file_order = r->nr };
	return &r->calls[r->nr++];
}

static uint64_t join_words(const uint32_t *w)
{
	return w[0] | (uint64_t)w[1] << 32;
}

static uint64_t resolve_address(const struct reader *r, uint32_t rel)
{
	uint64_t a = r->head.text + (uint64_t)(int64_t)(int32_t)rel;

	return r->head.bits == 32 ? (uint32_t)a : a;
}

/* What is no call: word 6 and what follows it are laid out differently. */
static int read_event(struct reader *r, const uint32_t *w, uint32_t words, struct call *c)
{
	uint32_t len = w[6] >> 16 & 255;
	const uint32_t *more = w + 7;

	c->kind = w[6] >> 8 & 255;
	if (!c->kind || c->kind >= KINDS || len >= TEXT_ROOM)
		return set_error(r, "a mark of unknown kind");
	c->entry = join_words(w + 1);
	c->value = join_words(w + 3);
	c->depth = w[5] & 0xffff;
	c->func = c->site = 0;
	if (w[6] & EXT_FAR) {
		c->func = join_words(more);
		c->site = join_words(more + 2);
		more += 4;
	}
	if (words != (uint32_t)(more - w) + (len + 3) / 4)
		return set_error(r, "a mark's length does not fit");
	c->nfuncs = w[5] >> 16;
	if (c->nfuncs > FUNCS_MAX || (c->nfuncs && len != 4 * c->nfuncs && len != 8 * c->nfuncs))
		return set_error(r, "a mark's functions do not fit");
	for (uint32_t i = 0; i < c->nfuncs; i++)
		c->funcs[i] = len == 4 * c->nfuncs ? resolve_address(r, more[i]) :
			      join_words(more + 2 * i);
	if (c->nfuncs)
		len = 0;
	if (c->kind == ARGS)
		c->nnumbers = len / 8;
	memcpy(c->text, more, len);
	for (uint32_t i = 0; c->kind != ARGS && i < len; i++)
		if (c->text[i] < ' ' || c->text[i] > '~')
			c->text[i] = '?';
	c->marks = !c->entry;
	return words;
}

/*
 * The packed forms: 5 words of a call that was never away; one more if it was interrupted (1), or
 * switched out (2), which follows from the time of the calls below; two more for both (3).
 */
static void read_packed(const struct reader *r, const uint32_t *w, uint32_t form, struct call *c)
{
	uint32_t last = form == 5 ? w[4] : w[5];
	uint32_t second = w[2] >> 24 << 12 | last >> 20;
	uint64_t dur = form == 5 ? last % (1 << 20) : w[4];

	c->func = resolve_address(r, w[1] % (1 << 24));
	c->site = resolve_address(r, w[2] % (1 << 24));
	c->depth = w[1] >> 24;
	c->entry = c->exit - dur;
	c->local = form == 5 ? second : last % (1 << 20);
	if (form == 1 || form == 3)
		c->irq = second;
	if (form == 2)
		c->off = dur - c->local - second;
	if (form == 3)
		c->off = w[6];
}

/* Drop a call outside the time limits: the recorder keeps a little more, the reader is exact. */
static void drop_filtered(struct reader *r, const struct call *c)
{
	uint64_t dur = c->exit - c->entry;

	if (!c->marks && (dur < r->head.min || dur > r->head.max))
		r->nr--;
}

/* One record; returns its words, 0 at the end of a chunk, -1 for nonsense. */
static int read_record(struct reader *r, const uint32_t *w, uint32_t room, uint64_t base,
		       uint32_t cpu)
{
	static const uint32_t short_forms[] = { 0, 6, 6, 7, 8, 5 };
	uint32_t form = w[0] & 31, words = form < 6 ? short_forms[form] : form, ext = 0;
	bool packed = form && form < 6 && form != 4, below = packed && w[0] >> 7 & 1;
	const uint32_t *more = w + 7;
	struct call *c;
	uint64_t dur;

	if (!w[0])
		return 0;
	words += below;
	if (!words || words > room)
		return set_error(r, "a record's length");
	c = new_call(r);
	if (!c)
		return set_error(r, "out of memory");
	c->cpu = cpu;
	c->ctx = w[0] >> 5 & 3;
	c->marks = packed ? 0 : w[0] >> 7 & 7;
	c->pid = w[0] >> 10;
	if (form > 6 && w[6] & EXT_EVENT)
		return read_event(r, w, words, c);
	c->exit = base + (uint64_t)(int64_t)(int32_t)w[3];
	if (packed) {
		read_packed(r, w, form, c);
		if (below)
			c->below = w[words - 1];
		drop_filtered(r, c);
		return words;
	}
	c->func = resolve_address(r, w[1]);
	c->site = resolve_address(r, w[2]);
	dur = w[4];
	c->local = w[5] & 0x3fffff;
	c->depth = w[5] >> 22;
	if (form > 6)
		ext = w[6];
	if (form == 4) {
		c->off = w[6];
		c->irq = w[7];
	}
	if (ext & EXT_TIME) {
		c->exit = join_words(more);
		dur = join_words(more + 2);
		c->local = join_words(more + 4);
		more += 6;
	}
	if (ext & EXT_FAR) {
		c->func = join_words(more);
		c->site = join_words(more + 2);
		more += 4;
	}
	if (ext & EXT_AWAY) {
		c->off = join_words(more);
		c->irq = join_words(more + 2);
		more += 4;
	}
	if (ext & EXT_BELOW)
		c->below = *more++;
	if (form > 6 && words != (uint32_t)(more - w))
		return set_error(r, "a record's length does not fit its extensions");
	c->entry = c->exit - dur;
	if (c->marks & 4)
		c->cpu = w[5] & 0x3fffff;
	drop_filtered(r, c);
	return words;
}

static int read_chunk(struct reader *r, const char *p, uint32_t bytes)
{
	uint32_t room, at = 0, *words;
	uint32_t cpu;
	uint64_t base;
	int ret = 0;

	if (bytes < 16)
		return set_error(r, "a chunk without a head");
	memcpy(&base, p, 8);
	memcpy(&cpu, p + 8, 4);
	memcpy(&room, p + 12, 4);
	if (bytes != 16 + 4 * room)
		return set_error(r, "a chunk's length");
	words = malloc(4 * room + 4);
	if (!words)
		return set_error(r, "out of memory");
	memcpy(words, p + 16, 4 * room);
	while (at < room && (ret = read_record(r, words + at, room - at, base, cpu)) > 0)
		at += ret;
	free(words);
	return ret < 0 ? -1 : 0;
}

static int read_open(struct reader *r, const char *p, uint32_t bytes)
{
	struct { uint64_t func, site, entry; uint32_t pid; uint16_t cpu, depth;
		 uint8_t ctx, marks, pad[6]; } o;

	for (; bytes >= 40; p += 40, bytes -= 40) {
		struct call *c = new_call(r);

		if (!c)
			return set_error(r, "out of memory");
		memcpy(&o, p, 40);
		c->func = o.func;
		c->site = o.site;
		c->entry = c->exit = o.entry;
		c->pid = o.pid;
		c->cpu = o.cpu;
		c->depth = o.depth;
		c->ctx = o.ctx;
		c->marks = o.marks;
	}
	return bytes ? set_error(r, "the length of open calls") : 0;
}

static int compare_calls(const void *a, const void *b)
{
	const struct call *x = *(const struct call * const *)a;
	const struct call *y = *(const struct call * const *)b;

	if (x->entry != y->entry)
		return x->entry < y->entry ? -1 : 1;
	if (x->depth != y->depth && !((x->marks | y->marks) & 1))
		return x->depth < y->depth ? -1 : 1;
	return x->file_order < y->file_order ? -1 : 1;
}

static uint64_t counts_to_ns(const struct reader *r, uint64_t counts)
{
	uint64_t hz = r->head.hz;

	return hz ? counts / hz * 1000000000 + counts % hz * 1000000000 / hz : 0;
}

static int64_t min_i64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* As "0x%0*llx", of which a large log has half a million. */
static void put_hex(char *out, int digits, uint64_t v)
{
	*out++ = '0';
	*out++ = 'x';
	for (int i = digits; i--; v >>= 4)
		out[i] = "0123456789abcdef"[v & 15];
	out[digits] = 0;
}

static void make_row(const struct reader *r, const struct call *c, struct tl_row *row, char *hex)
{
	/* Their bits: notime, unwound, open. */
	static const unsigned int marks[] = { TL_NOTIME, TL_UNWOUND, TL_OPEN };
	int digits = r->head.bits / 4;

	*row = (struct tl_row) {
		.delta_us = -1, .delta_ns = -1, .local_ns = -1, .off_ns = -1, .irq_ns = -1,
		.pid = c->ctx ? -1 : (int)c->pid, .task = c->pid, .cpu = c->cpu,
		.depth = c->depth, .ctx = "tshn"[c->ctx], .func = hex, .caller = hex + HEX_ROOM,
	};
	put_hex(hex, digits, c->func);
	put_hex(hex + HEX_ROOM, digits, c->site);
	for (int i = 0; i < 3; i++)
		if (c->marks >> i & 1)
			row->marks |= marks[i];
	if (!(c->marks & 1))
		row->entry_ns = counts_to_ns(r, c->entry - r->head.origin);
	row->entry_us = row->entry_ns / 1000;
	if (c->kind) {
		row->marks |= TL_STACK;
		row->delta_us = -2;
	} else if (!c->marks) {
		uint64_t exit = counts_to_ns(r, c->exit - r->head.origin);

		row->delta_ns = exit - row->entry_ns;
		row->delta_us = exit / 1000 - row->entry_us;
		row->local_ns = min_i64(counts_to_ns(r, c->local), row->delta_ns);
		row->off_ns = min_i64(counts_to_ns(r, c->off), row->delta_ns);
		row->irq_ns = min_i64(counts_to_ns(r, c->irq), row->delta_ns - row->off_ns);
		row->below = c->below;
	}
}

/* Appends the functions of a mark. */
static void put_funcs(const struct reader *r, const struct call *c, char *args)
{
	for (unsigned int i = 0; i < c->nfuncs; i++)
		args += sprintf(args, " 0x%0*llx", (int)r->head.bits / 4,
				(unsigned long long)c->funcs[i]);
}

/* Appends the arguments that a function was called with. */
static void put_numbers(const struct call *c, char *args)
{
	for (unsigned int i = 0; i < c->nnumbers; i++)
		args += sprintf(args, " 0x%llx", (unsigned long long)c->numbers[i]);
}

static void make_event(const struct reader *r, const struct call *c, size_t row,
		       struct tl_event *e, char *args)
{
	const char *space = c->text[0] ? " " : "";
	unsigned long long func = c->func;
	int digits = r->head.bits / 4;
	long long value = c->value;

	*e = (struct tl_event) {
		.row = row, .task = c->pid, .cpu = c->cpu, .ctx = "tshn"[c->ctx],
		.kind = kinds[c->kind], .args = args,
	};
	if (c->entry > r->head.origin)
		e->ns = counts_to_ns(r, c->entry - r->head.origin);
	e->us = e->ns / 1000;
	switch (c->kind) {
	case INITCALL:
		sprintf(args, "0x%0*llx %lld", digits, func, value);
		break;
	case ARGS:
		put_numbers(c, args + sprintf(args, "0x%0*llx %u", digits, func, c->depth));
		break;
	case RET:
		sprintf(args, "0x%0*llx %u %lld", digits, func, c->depth, value);
		break;
	case CALLERS:
		put_funcs(r, c, args + sprintf(args, "0x%0*llx", digits, func));
		break;
	case WAKEUP:
		put_funcs(r, c, args + sprintf(args, "%lld", value));
		break;
	case SWITCH:
	case PREEMPT:
	case NEW:
	case SYSCALL:
	case SYSRET:
		sprintf(args, "%lld%s%s", value, space, c->text);
		break;
	default:
		strcpy(args, c->text);
	}
}

static bool is_event(const struct call *c)
{
	return c->kind && c->kind != STACK;
}

/* Rows and marks, in their order. */
static int make_rows_and_events(struct reader *r, struct tracelog *log)
{
	const struct call **order = malloc((r->nr + 1) * sizeof(*order));
	size_t events = 0;
	char *more;

	if (!order)
		return set_error(r, "out of memory");
	for (size_t i = 0; i < r->nr; i++) {
		order[i] = &r->calls[i];
		events += is_event(order[i]);
	}
	qsort(order, r->nr, sizeof(*order), compare_calls);
	/* Two blocks, as tl_free() frees them; what they point to stands behind the rows. */
	log->rows = malloc((r->nr + 1) * (sizeof(*log->rows) + ROW_ROOM) + events * ARGS_ROOM);
	log->events = malloc((events + 1) * sizeof(*log->events));
	if (!log->rows || !log->events) {
		free(order);
		return set_error(r, "out of memory");
	}
	more = (char *)(log->rows + r->nr + 1);
	for (size_t i = 0; i < r->nr; i++) {
		const struct call *c = order[i];

		if (is_event(c)) {
			make_event(r, c, log->nr_rows, &log->events[log->nr_events++], more);
			more += ARGS_ROOM;
		} else {
			make_row(r, c, &log->rows[log->nr_rows++], more);
			more += ROW_ROOM;
		}
	}
	free(order);
	return 0;
}

/* The last one counts. */
static int read_text(struct reader *r, struct tracelog *log)
{
	char *text = malloc(r->text_len + 1);

	if (!text)
		return set_error(r, "out of memory");
	memcpy(text, r->text, r->text_len);
	text[r->text_len] = 0;
	if (tl_parse(log, text, r->why, r->why_size))
		return -1;
	if (r->headers != 1 && !tl_text(log, "Read while running"))
		return set_error(r, "not one header");
	return 0;
}

/*
 * The functions of a profile: function, calls with times, then total, local, off, irq, min, max;
 * then calls without times.
 */
static int make_sums(struct reader *r, struct tracelog *log)
{
	char *hex;

	log->profile = true;
	log->sums = calloc(r->nr_sums + 1, sizeof(*log->sums) + HEX_ROOM);
	if (!log->sums)
		return set_error(r, "out of memory");
	hex = (char *)(log->sums + r->nr_sums);
	for (; log->nr_sums < r->nr_sums; log->nr_sums++, hex += HEX_ROOM) {
		uint64_t v[9];

		memcpy(v, r->sums + log->nr_sums * SUM_BYTES, SUM_BYTES);
		put_hex(hex, r->head.bits / 4, v[0]);
		log->sums[log->nr_sums] = (struct tl_sum) {
			.func = hex, .count = v[1], .total_ns = counts_to_ns(r, v[2]),
			.local_ns = counts_to_ns(r, v[3]), .off_ns = counts_to_ns(r, v[4]),
			.irq_ns = counts_to_ns(r, v[5]), .min_ns = counts_to_ns(r, v[6]),
			.max_ns = counts_to_ns(r, v[7]), .untimed = v[8],
		};
	}
	return 0;
}

/* How many were lost so far never becomes less, and in the end is what the header says. */
static int read_progress(struct reader *r, const char *p, uint32_t bytes)
{
	uint64_t v[3];

	if (bytes != sizeof(v))
		return set_error(r, "the length of the progress");
	memcpy(v, p, sizeof(v));
	if (v[1] < r->lost[0] || v[2] < r->lost[1])
		return set_error(r, "less is lost than before");
	memcpy(r->lost, v + 1, sizeof(r->lost));
	r->progress++;
	return 0;
}

static int read_sums(struct reader *r, const char *p, uint32_t bytes)
{
	char *sums = realloc(r->sums, r->nr_sums * SUM_BYTES + bytes + 1);

	if (!sums)
		return set_error(r, "out of memory");
	r->sums = sums;
	memcpy(sums + r->nr_sums * SUM_BYTES, p, bytes);
	r->nr_sums += bytes / SUM_BYTES;
	return bytes % SUM_BYTES ? set_error(r, "the length of the sums") : 0;
}

/* Parts up to the end, which says how many rows there must be. */
static int read_parts(struct reader *r, struct tracelog *log, uint64_t *rows)
{
	const char *p, *begin = r->at - sizeof(r->head);
	uint32_t part[2], check;
	int ret;

	for (;; begin = r->at) {
		p = take_bytes(r, 8);
		if (!p)
			return set_error(r, "no end");
		memcpy(part, p, 8);
		p = take_bytes(r, ((size_t)part[1] + CHECK_BYTES + 7) & ~(size_t)7);
		if (!p)
			return set_error(r, "a part is cut off");
		memcpy(&check, r->at - CHECK_BYTES, CHECK_BYTES);
		if (check != crc32_of(begin, (size_t)(r->at - CHECK_BYTES - begin)))
			return set_error(r, "a part's checksum");
		switch (part[0]) {
		case PART_TEXT:
			r->text = p;
			r->text_len = part[1];
			r->headers++;
			ret = 0;
			break;
		case PART_PROGRESS:
			ret = read_progress(r, p, part[1]);
			break;
		case PART_CHUNK:
			ret = read_chunk(r, p, part[1]);
			break;
		case PART_OPEN:
			ret = read_open(r, p, part[1]);
			break;
		case PART_SUMS:
			ret = read_sums(r, p, part[1]);
			break;
		case PART_END:
			memcpy(rows, p, 8);
			return read_text(r, log);
		default:
			ret = set_error(r, "a part of unknown kind");
		}
		if (ret)
			return ret;
	}
}

int raw_parse(struct tracelog *log, const char *data, size_t len, char *why, size_t size)
{
	struct reader r = { .at = data, .end = data + len, .why = why, .why_size = size };
	const char *p = take_bytes(&r, sizeof(r.head));
	uint64_t rows = 0;
	int ret = -1;

	*log = (struct tracelog) { 0 };
	if (!p)
		return set_error(&r, "shorter than a head");
	memcpy(&r.head, p, sizeof(r.head));
	if (memcmp(r.head.magic, "\x89KFIraw\n", 8) || r.head.order != 0x01020304 ||
	    r.head.version != 4 || r.head.bytes != sizeof(r.head) ||
	    r.head.bits != 8 * sizeof(long))
		return set_error(&r, "not a head of version 4 of this machine");
	if (read_parts(&r, log, &rows))
		goto out;
	if (r.at != r.end) {
		set_error(&r, "something stands behind the end");
		goto out;
	}
	if (rows != r.nr + r.nr_sums) {
		snprintf(why, size, "%zu rows, the end says %llu", r.nr + r.nr_sums,
			 (unsigned long long)rows);
		goto out;
	}
	if (r.progress && tl_num(log, "Lost to overwriting") != (long long)r.lost[0]) {
		snprintf(why, size, "%lld calls were lost by the header, %llu before",
			 tl_num(log, "Lost to overwriting"), (unsigned long long)r.lost[0]);
		goto out;
	}
	if (r.sums ? make_sums(&r, log) : make_rows_and_events(&r, log))
		goto out;
	ret = 0;
out:
	free(r.calls);
	free(r.sums);
	return ret;
}
