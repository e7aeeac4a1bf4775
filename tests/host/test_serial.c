// SPDX-License-Identifier: GPL-2.0
/*
 * Raw logs as lines on a console: what is read is what was written, byte for byte. With faults on
 * the line, lines that were not hit are kept, the others are known by number, and asking for them
 * again gives the same log.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "core/rec.h"
#include "lines.h"
#include "raw.h"

#define TEXT		0xc0008000ull
#define HEADER		"\nKernel Instrumentation Run ID 10\n\nLog format = 4\n\n Entry Delta\n--------\n"
#define SEEDS		20
#define FAULT_OF	10000	/* bytes: one of them is flipped, one dropped, one doubled */

static u64 rnd_state;

static u32 rnd(u32 n)
{
	rnd_state ^= rnd_state << 13;
	rnd_state ^= rnd_state >> 7;
	rnd_state ^= rnd_state << 17;
	return (u32)(rnd_state >> 32) % n;
}

/* ---- a raw log ---- */

static u8 image[1u << 20] __aligned(8);
static u32 image_len;

static void add(const void *p, u32 n)
{
	memcpy(image + image_len, p, n);
	image_len += n;
}

/* From where on the next checksum is made. */
static u32 image_begin;

static void add_part(u32 kind, const void *p, u32 n)
{
	struct kfi_raw_part part = { .kind = kind, .bytes = n };
	static const u8 zeros[KFI_RAW_ALIGN];
	u32 check;

	add(&part, sizeof(part));
	add(p, n);
	add(zeros, KFI_RAW_PART_BYTES(n) - n - KFI_RAW_CHECK_BYTES);
	check = kfi_crc32(image + image_begin, image_len - image_begin);
	add(&check, sizeof(check));
	image_begin = image_len;
}

/* The chunk that is being filled, behind what stands before its words. */
static u32 chunk[4 + 512];
static u32 used;

static void end_chunk(u32 cpu, u64 base, u32 unused)
{
	struct kfi_raw_chunk head = { .base = base, .cpu = cpu, .words = used + unused };

	memset(chunk + 4 + used, 0, unused * 4);
	memcpy(chunk, &head, sizeof(head));
	add_part(KFI_RAW_CHUNK, chunk, sizeof(head) + head.words * 4);
	used = 0;
}

static u64 now;

static void add_record(const struct kfi_rec *r, u64 base)
{
	unsigned int form = kfi_rec_choose(r, TEXT, base);

	if (used + kfi_rec_count(form) > 490)
		return;
	memset(chunk + 4 + used, 0, kfi_rec_count(form) * 4);
	kfi_rec_encode(chunk + 4 + used, form, r, TEXT, base);
	used += kfi_rec_count(form);
}

static void add_event(void)
{
	struct kfi_event e = {
		.time = now, .value = rnd(100), .text = "kworker/0:1", .len = rnd(12),
		.pid = rnd(3), .kind = KFI_EVENT_SWITCH + rnd(3),
		.func = rnd(4) ? 0 : TEXT + rnd(1 << 20),
	};
	unsigned int words = kfi_event_words(&e);

	if (used + words > 490)
		return;
	memset(chunk + 4 + used, 0, words * 4);
	kfi_event_encode(chunk + 4 + used, words, &e);
	used += words;
}

/* A call with those below it, and what a record may have besides. */
static u64 call(u32 func, u64 site, u32 depth, u64 base)
{
	struct kfi_rec r = {
		.func = TEXT + func * 64, .site = site, .depth = (u16)depth, .pid = 1,
		.entry = now += rnd(100),
	};
	u32 n = depth < 9 ? rnd(4) : 0;
	u64 below = 0;

	for (u32 i = 0; i < n; i++)
		below += call((func * 7 + i) % 900 + 1, r.func + 8 * i + 4, depth + 1, base);
	now += rnd(2000);
	if (!rnd(40))
		r.off = rnd(5000);
	if (!rnd(40))
		r.irq = rnd(500);
	now += r.off + r.irq;
	r.exit = now;
	r.local = r.exit - r.entry - below - r.off - r.irq;
	if (!rnd(3))
		r.below = 1 + rnd(1000);
	if (!rnd(200))
		r.pid = rnd(100);
	if (!rnd(200))
		r.site = rnd(2) ? 0 : 0xffffffff00000000ull + rnd(1000);
	if (!rnd(500))
		r.exit = r.entry += 1ull << (33 + rnd(20));
	if (!rnd(300)) {
		r.marks = 1 + rnd(KFI_MARK_CALL);
		r.entry = r.exit;
	}
	add_record(&r, base);
	if (!rnd(30))
		add_event();
	return r.exit - r.entry - r.off - r.irq;
}

/* In the head: the id is made of that and the text. */
static u64 log_max;
static bool same_heads;

static void add_log(u32 chunks)
{
	struct kfi_raw_head head = {
		.magic = { KFI_RAW_MAGIC }, .order = KFI_RAW_ORDER, .version = KFI_RAW_VERSION,
		.word_bits = 32, .bytes = sizeof(head), .text = TEXT, .hz = 24000000,
		.max = log_max,
	};
	struct kfi_raw_open open[3] = { { .func = TEXT, .pid = 1 }, { .depth = 2, .marks = 4 } };
	struct kfi_raw_end end = { .rows = 12345 };

	image_begin = image_len;
	add(&head, sizeof(head));
	add_part(KFI_RAW_TEXT, HEADER, strlen(HEADER));
	now = 1000000;
	for (u32 i = 0; i < chunks; i++) {
		u64 base = now;

		while (used < 440)
			call(rnd(50), TEXT + rnd(1000), 1 + rnd(3), base);
		end_chunk(rnd(8) ? 0 : rnd(4), base, rnd(10));
	}
	add_part(KFI_RAW_OPEN, open, sizeof(open));
	add_part(77, "another kind", 12);
	add_part(KFI_RAW_END, &end, sizeof(end));
}

static void make_image(u64 seed, u32 chunks)
{
	rnd_state = 0x9e3779b97f4a7c15ull * (seed + 1);
	log_max = U64_MAX - (same_heads ? 0 : seed);
	image_len = used = 0;
	add_log(chunks);
}

/* ---- to lines ---- */

#define TABLE	1024

static char sent[2u << 20];
static u32 sent_len, lines_sent, last_seq;
/* Of each line, by its number: where it begins, and its length. */
static u32 line_at[20000], line_len[20000];

static void write_line(void *arg, u32 seq, const char *line, u32 len)
{
	if (!CHECK(len <= KFI_SERIAL_LINE_MAX + 1) || !CHECK(seq < 20000))
		return;
	line_at[seq] = sent_len;
	line_len[seq] = len + 1;
	memcpy(sent + sent_len, line, len - 1);
	/* As a terminal does. */
	memcpy(sent + sent_len + len - 1, "\r\n", 2);
	sent_len += len + 1;
	lines_sent++;
	last_seq = seq;
}

static void count_line(void *arg, u32 seq, const char *line, u32 len)
{
	last_seq = seq;
}

/* How addresses are shown. */
static struct kfi_move move;

static bool encode(const void *raw, u32 len, u32 table)
{
	static struct kfi_serial s;
	static u32 memory[KFI_SERIAL_DEFS_MAX * 4];
	bool ok;

	sent_len = lines_sent = 0;
	kfi_serial_init(&s, table, memory, write_line, NULL);
	s.move = move;
	ok = kfi_serial_log(&s, raw, len);
	if (ok)
		kfi_serial_last(&s);
	return ok;
}

/* ---- and back ---- */

static u8 *got;
static size_t got_len;
static char fault[320];

static int decode(struct kfi_lines *l)
{
	struct kfi_err err;

	free(got);
	got = NULL;
	return kfi_lines_raw(l, "console", &got, &got_len, fault, sizeof(fault), &err);
}

static bool same(const void *raw, size_t len)
{
	return CHECK_EQ(got_len, len) && CHECK(memcmp(got, raw, len) == 0) && CHECK_STR(fault, "");
}

static void back_and_forth(const void *raw, u32 len, u32 table)
{
	struct kfi_lines l = { 0 };

	if (!CHECK(encode(raw, len, table)))
		return;
	for (u32 i = 0; i < sent_len; i++)
		CHECK((sent[i] >= '!' && sent[i] <= '~') || sent[i] == '\r' || sent[i] == '\n');
	CHECK_EQ(kfi_lines_feed(&l, sent, sent_len, false), sent_len);
	CHECK_EQ(l.nsent, 1);
	CHECK_EQ(l.damaged, 0);
	if (CHECK_EQ(decode(&l), 0))
		same(raw, len);
	kfi_lines_free(&l);
}

static void any_log(void)
{
	for (u32 seed = 0; seed < 30; seed++) {
		make_image(seed, 1 + seed);
		/* Tables that fill up, and that do not. */
		back_and_forth(image, image_len, seed % 2 ? KFI_SERIAL_DEFS_MIN : TABLE);
	}
}

static void several_logs(void)
{
	make_image(1, 3);
	add_log(2);
	back_and_forth(image, image_len, TABLE);
}

/* Those of both byte orders, which test_raw.c writes. */
static void files(void)
{
	static const char *const name[] = { "raw32le", "raw32be", "raw64le", "raw64be", "profile",
					      "profile_be" };
	char path[100];

	for (u32 i = 0; i < ARRAY_SIZE(name); i++) {
		FILE *f;

		snprintf(path, sizeof(path), "data/%s.raw", name[i]);
		f = fopen(path, "rb");
		if (!CHECK(f))
			return;
		image_len = (u32)fread(image, 1, sizeof(image), f);
		fclose(f);
		back_and_forth(image, image_len, TABLE);
	}
}

/* Words that no record can begin with, and some behind the end of a chunk. */
static void odd_words(void)
{
	make_image(3, 1);
	used = 5;
	memset(chunk, 0, sizeof(chunk));
	chunk[4] = 0;
	chunk[5] = 0xdeadbeef;
	chunk[7] = 0xffffffff;
	end_chunk(3, 1, 400);
	for (used = 0; used < 480; used++)
		chunk[4 + used] = rnd(2) ? rnd(U32_MAX) : 0x1f;
	end_chunk(1, U64_MAX, 0);
	back_and_forth(image, image_len, TABLE);
}

/* They may be addresses, or parts of records that have some. */
static void hidden_words(void)
{
	const u32 odd = 0xdeadbeef;

	move = (struct kfi_move){ .text = TEXT, .from = TEXT, .end = TEXT + (1u << 20) };
	for (u32 w0 = 0; w0 < 2; w0++) {
		struct kfi_lines l = { 0 };

		make_image(3, 1);
		memset(chunk, 0, sizeof(chunk));
		chunk[4] = w0 * KFI_REC_WORDS_MAX;
		chunk[5] = odd;
		used = 5;
		end_chunk(3, 1, 9);
		CHECK(encode(image, image_len, TABLE));
		CHECK_EQ(kfi_lines_feed(&l, sent, sent_len, false), sent_len);
		if (CHECK_EQ(decode(&l), 0)) {
			CHECK_EQ(got_len, image_len);
			CHECK(!memmem(got, got_len, &odd, sizeof(odd)));
		}
		kfi_lines_free(&l);
	}
	move = (struct kfi_move){ 0 };
}

static void no_raw_log(void)
{
	make_image(4, 1);
	image[0] = 'x';
	CHECK(!encode(image, image_len, TABLE));
	make_image(4, 1);
	CHECK(!encode(image, image_len - 8, TABLE));
	/* Padding that is not 0 would be lost. */
	make_image(4, 1);
	image[sizeof(struct kfi_raw_head) + 8 + strlen(HEADER)] = 1;
	CHECK(KFI_RAW_PART_BYTES(strlen(HEADER)) > strlen(HEADER) + KFI_RAW_CHECK_BYTES &&
	      !encode(image, image_len, TABLE));
	/* Before version 4 parts have no checksum. */
	make_image(4, 1);
	image[12] = 3;
	CHECK(!encode(image, image_len, TABLE));
}

/* A few bytes that stand for more words than any line may. */
static void many_zeros(void)
{
	static const u32 zeros[KFI_SERIAL_ZEROS_MAX];
	struct kfi_raw_chunk head = { .words = KFI_SERIAL_ZEROS_MAX };
	struct kfi_lines l = { 0 };
	static struct kfi_serial s;
	static u32 memory[TABLE * 4];

	make_image(5, 1);
	sent_len = 0;
	kfi_serial_init(&s, TABLE, memory, write_line, NULL);
	CHECK(kfi_serial_log(&s, image, sizeof(struct kfi_raw_head)));
	for (u32 i = 0; i < 30; i++) {
		kfi_serial_chunk(&s, &head, zeros);
		s.stands = 0;
	}
	CHECK(kfi_serial_last(&s));
	CHECK_EQ(s.seq, 3);
	CHECK(kfi_lines_feed(&l, sent, sent_len, false) >= 0);
	if (CHECK_EQ(decode(&l), 0)) {
		CHECK(got_len < 2 * KFI_SERIAL_STANDS_MAX);
		CHECK_STR(fault, "1 lines cannot be read");
	}
	kfi_lines_free(&l);
}

/* As many zeros as there are take more lines, and come back. */
static void long_chunk(void)
{
	const u32 words = 1u << 16;
	u32 *part = calloc(words + 4, sizeof(*part));
	struct kfi_raw_chunk head = { .words = words };

	make_image(5, 0);
	image_len = sizeof(struct kfi_raw_head);
	image_begin = 0;
	memcpy(part, &head, sizeof(head));
	add_part(KFI_RAW_CHUNK, part, (words + 4) * 4);
	back_and_forth(image, image_len, TABLE);
	CHECK(last_seq > words * 4 / KFI_SERIAL_STANDS_MAX);
	free(part);
}

/* Numbers do not begin again: lines of a log that has too many would be taken for others. */
static void too_many_lines(void)
{
	static struct kfi_serial s;
	static u32 memory[TABLE * 4];

	make_image(6, 20);
	for (u32 left = 0; left < 2; left++) {
		sent_len = lines_sent = 0;
		kfi_serial_init(&s, TABLE, memory, count_line, NULL);
		s.seq = (1u << KFI_SERIAL_SEQ_BITS) - (left ? 4 : 10000);
		CHECK_EQ(kfi_serial_log(&s, image, image_len), !left);
		CHECK_EQ(kfi_serial_last(&s), !left);
		CHECK(last_seq < 1u << KFI_SERIAL_SEQ_BITS);
		if (left)
			CHECK_EQ(last_seq, (1u << KFI_SERIAL_SEQ_BITS) - 1);
	}
}

/* ---- faults ---- */

static char wire[4u << 20];
static u32 wire_len;
static bool hit[20000];

static void put_wire(const char *s, u32 n)
{
	memcpy(wire + wire_len, s, n);
	wire_len += n;
}

/* A line on its way. Return: whether a fault hit its characters. */
static bool transmit(const char *s, u32 n, bool printk)
{
	bool bad = false, cut = false;

	for (u32 i = 0; i < n; i++) {
		bool frame = s[i] != '\r' && s[i] != '\n';

		if (printk && !rnd(3000)) {
			static const char text[] = "[    1.234567] usb 1-1: ~new| ~/device\r\n";

			put_wire(text, strlen(text));
			/* The head of a line must be whole, and one cut is mended. */
			bad |= i && frame && (i < 2 + KFI_SERIAL_HEAD_DIGITS || cut);
			cut = i && frame;
		}
		if (!rnd(FAULT_OF)) {
			bad |= frame;
			continue;
		}
		wire[wire_len++] = s[i];
		if (!rnd(FAULT_OF)) {
			wire[wire_len - 1] ^= 1 << rnd(8);
			bad |= frame;
		}
		if (!rnd(FAULT_OF)) {
			wire[wire_len++] = s[i];
			bad |= frame && s[i] != KFI_SERIAL_BEGIN && s[i] != KFI_SERIAL_END;
		}
	}
	return bad;
}

static void transmit_lines(u32 from, u32 to, bool printk)
{
	for (u32 seq = from; seq <= to; seq++)
		hit[seq] = transmit(sent + line_at[seq], line_len[seq], printk);
}

/* In pieces, as they come; bytes that are not taken are given again. */
static void feed(struct kfi_lines *l)
{
	u32 at = 0, to = 0;

	while (at < wire_len) {
		u32 next = to + 1 + rnd(700);
		ssize_t n;

		to = min_t(u32, wire_len, next);
		n = kfi_lines_feed(l, wire + at, to - at, to < wire_len);
		if (!CHECK(n >= 0))
			return;
		at += (u32)n;
	}
	wire_len = 0;
}

static void faults_asked_again(void)
{
	for (u32 seed = 0; seed < SEEDS; seed++) {
		struct kfi_lines l = { 0 };
		u32 from, to, rounds;

		make_image(seed, 150);
		CHECK(encode(image, image_len, TABLE));
		transmit_lines(0, last_seq, true);
		feed(&l);
		for (rounds = 0; rounds < 20 && CHECK_EQ(l.nsent, 1); rounds++) {
			from = 0;
			if (!kfi_lines_missing(&l.sent[0], &from, &to))
				break;
			transmit_lines(from, min_t(u32, to, last_seq), true);
			feed(&l);
			rounds -= from != 0 || to != U32_MAX ? 1 : 0;
		}
		CHECK_EQ(l.sent[0].have, last_seq + 1);
		if (CHECK_EQ(decode(&l), 0))
			same(image, image_len);
		kfi_lines_free(&l);
	}
}

static u32 rows_of(const void *raw, size_t len)
{
	struct kfi_raw r;
	struct kfi_err err;
	u32 n;

	if (!CHECK_EQ(kfi_raw_open(&r, "raw", (const u8 *)raw + 8, len - 8, &err), 0))
		return 0;
	n = r.nrows;
	kfi_raw_close(&r);
	return n;
}

/* Each line has its part of the rows: those of lines that have come are all in the log. */
static void faults_not_asked(void)
{
	u32 lost = 0, unknown = 0;

	for (u32 seed = 0; seed < SEEDS; seed++) {
		struct kfi_lines l = { 0 };
		u32 missing = 0, from, to, all;

		make_image(seed, 150);
		all = rows_of(image, image_len);
		CHECK(encode(image, image_len, TABLE));
		transmit_lines(0, last_seq, true);
		/* The heads come twice; here what comes is of interest, and not whether. */
		hit[0] = transmit(sent + line_at[0], line_len[0], false) && hit[0];
		hit[last_seq] = transmit(sent + line_at[last_seq], line_len[last_seq], false) &&
				hit[last_seq];
		feed(&l);
		if (!CHECK_EQ(l.nsent, 1))
			continue;
		for (u32 seq = 0; seq <= last_seq; seq++)
			CHECK(hit[seq] || (seq < l.sent[0].n && l.sent[0].at[seq]));
		for (from = 0; kfi_lines_missing(&l.sent[0], &from, &to); from = to + 1) {
			CHECK(to <= last_seq);
			missing += to - from + 1;
		}
		CHECK_EQ(l.sent[0].have + missing, last_seq + 1);
		CHECK(missing > 0);
		if (!CHECK_EQ(decode(&l), 0))
			continue;
		snprintf(wire, 100, "%u of %u lines are missing:", missing, last_seq + 1);
		CHECK(memcmp(fault, wire, strlen(wire)) == 0);
		/* A line has about 60 calls. */
		CHECK(rows_of(got, got_len) + missing * 120 >= all);
		CHECK(rows_of(got, got_len) < all);
		lost += missing;
		unknown += strstr(fault, "are not known") != NULL;
		kfi_lines_free(&l);
	}
	CHECK(lost > SEEDS);
	CHECK(unknown > 0);
}

/* A number of each call, with its function and its call site, or 0 in place of these. */
static u64 number_of(const struct kfi_row *row, u32 unknown)
{
	const u64 values[] = {
		(u64)row->entry_ns, (u64)row->delta_ns, (u64)row->local_ns, (u64)(u32)row->task,
		row->depth, unknown & KFI_SERIAL_NO_FUNC ? 0 : row->func_at,
		unknown & KFI_SERIAL_NO_SITE ? 0 : row->site,
	};
	u64 sum = 1;

	for (u32 i = 0; i < ARRAY_SIZE(values); i++) {
		sum = (sum ^ values[i]) * 0x9e3779b97f4a7c15ull;
		sum ^= sum >> 29;
	}
	return sum;
}

static int by_number(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/*
 * The calls of a log: their numbers if @all is NULL, also without function, call site, or both.
 * Else each is among @all. Return: how many numbers; how many calls without a function.
 */
static u32 check_calls(const void *raw, size_t len, u64 *numbers, u32 room, const u64 *all,
		       u32 nall)
{
	struct kfi_log_mark mark;
	struct kfi_row row;
	struct kfi_raw r;
	struct kfi_err err;
	u32 n = 0, nameless = 0;
	int ret;

	if (!CHECK_EQ(kfi_raw_open(&r, "raw", (const u8 *)raw + 8, len - 8, &err), 0))
		return 0;
	while ((ret = kfi_raw_item(&r, &row, &mark)) > 0) {
		u64 number = number_of(&row, 0);

		if (ret != KFI_LINE_ROW)
			continue;
		for (u32 unknown = 0; !all && unknown <= KFI_SERIAL_NO_CALL; unknown++)
			if (CHECK(n < room))
				numbers[n++] = number_of(&row, unknown);
		if (all)
			CHECK(bsearch(&number, all, nall, sizeof(*all), by_number));
		nameless += !row.func_at;
	}
	CHECK_EQ(ret, 0);
	kfi_raw_close(&r);
	if (!all)
		qsort(numbers, n, sizeof(*numbers), by_number);
	return all ? nameless : n;
}

/*
 * Each line is lost in turn: all rows of the others are there, but for their functions. None has
 * the function or the call site of another one.
 */
static void one_line_lost(void)
{
	static u32 rows[20000];
	static u64 numbers[800000];
	u32 all, sum = 0, calls, nameless = 0;

	make_image(5, 20);
	all = rows_of(image, image_len);
	calls = check_calls(image, image_len, numbers, ARRAY_SIZE(numbers), NULL, 0);
	CHECK(encode(image, image_len, TABLE));
	for (u32 lost = 1; lost <= last_seq; lost++) {
		struct kfi_lines l = { 0 };

		wire_len = 0;
		for (u32 seq = 0; seq <= last_seq; seq++)
			if (seq != lost)
				put_wire(sent + line_at[seq], line_len[seq]);
		CHECK(kfi_lines_feed(&l, wire, wire_len, false) >= 0);
		if (CHECK_EQ(decode(&l), 0)) {
			rows[lost] = all - rows_of(got, got_len);
			sum += rows[lost];
			CHECK(rows[lost] < 300);
			nameless += check_calls(got, got_len, NULL, 0, numbers, calls);
		}
		kfi_lines_free(&l);
	}
	/* Each row was missing once, with its line. */
	CHECK_EQ(sum, all);
	CHECK(nameless > 0);
	wire_len = 0;
}

static void without_head(void)
{
	struct kfi_lines l = { 0 };

	make_image(6, 2);
	CHECK(encode(image, image_len, TABLE));
	wire_len = 0;
	transmit(sent + line_at[1], sent_len - line_at[1], false);
	CHECK(kfi_lines_feed(&l, wire, wire_len, false) >= 0);
	CHECK_EQ(decode(&l), -EBADMSG);
	kfi_lines_free(&l);
	wire_len = 0;
}

/* What looks like lines that are cut, over and over, takes no longer than a slow line. */
static void hostile_text(void)
{
	static char text[1u << 18];
	static const u32 digits[] = { 12, 200, 2000 };
	struct timespec from, to;
	long ms, least = 0;
	ssize_t taken;

	for (u32 d = 0; d < 2 * ARRAY_SIZE(digits); d++) {
		u32 n = 0, step = d % 2 ? 16 : sizeof(text), words = digits[d / 2];
		struct kfi_lines l = { 0 };

		while (n < sizeof(text) - 8192) {
			for (u32 i = 0; i < 2000; i += words) {
				text[n++] = KFI_SERIAL_BEGIN;
				memset(text + n, 'a', words);
				n += words;
				text[n++] = ' ';
			}
			for (u32 i = 0; i < 4; i++) {
				text[n++] = '\n';
				memset(text + n, 'b', 400);
				n += 400;
				text[n++] = KFI_SERIAL_END;
			}
		}
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
		for (u32 at = 0, end = 0; end < n; at += (u32)taken) {
			end = min_t(u32, n, end + step);
			taken = kfi_lines_feed(&l, text + at, end - at, end < n);
			if (!CHECK(taken >= 0))
				break;
		}
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
		ms = (to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000;
		if (!d)
			least = ms + 1;
		CHECK(ms < 5 * least);
		CHECK_EQ(l.nsent, 0);
		kfi_lines_free(&l);
	}
}

static char others[1000];

static void other_text(void *arg, const char *s, size_t len)
{
	if (CHECK(strlen(others) + len < sizeof(others)))
		strncat(others, s, len);
}

/* Text of others goes where it belongs: before, after and within lines, in pieces, too. */
static void text_of_others(void)
{
	for (u32 piece = 1; piece < 500; piece += 7) {
		struct kfi_lines l = { .other = other_text };
		u32 cut, to = 0, at = 0;

		make_image(7, 1);
		CHECK(encode(image, image_len, TABLE));
		*others = '\0';
		wire_len = 0;
		put_wire("~ # cat\r\n", 9);
		put_wire(sent + line_at[0], line_len[0]);
		cut = KFI_SERIAL_HEAD_DIGITS + 1;
		cut += piece % (line_len[1] - cut - 4);
		put_wire(sent + line_at[1], cut);
		put_wire("[ 1] a\r\n[ 2] b\r\n", 16);
		put_wire(sent + line_at[1] + cut, sent_len - line_at[1] - cut);
		put_wire("~ # ", 4);
		while (at < wire_len) {
			to = min_t(u32, wire_len, to + piece);
			at += (u32)kfi_lines_feed(&l, wire + at, to - at, to < wire_len);
		}
		CHECK_EQ(l.damaged, 0);
		if (CHECK_EQ(decode(&l), 0))
			same(image, image_len);
		CHECK_STR(others, "~ # cat\r\n[ 1] a\r\n[ 2] b\r\n~ # ");
		kfi_lines_free(&l);
	}
	wire_len = 0;
}

/* What begins like a line, and is none, is text of others: a prompt, a line that is damaged. */
static void text_like_lines(void)
{
	static const char text[] = "~/src/linux-6.12$ ls\r\n~0123456789abcd|\r\n~/src/linux-6.12";

	for (u32 piece = 1; piece < sizeof(text); piece++) {
		struct kfi_lines l = { .other = other_text };
		u32 len = strlen(text), to = 0, at = 0;

		*others = '\0';
		while (at < len) {
			to = min_t(u32, len, to + piece);
			at += (u32)kfi_lines_feed(&l, text + at, to - at, to < len);
		}
		CHECK_STR(others, text);
		CHECK_EQ(l.damaged, 3);
		kfi_lines_free(&l);
	}
}

/* Lines of two logs, one behind the other and mixed. */
static void two_transmissions(void)
{
	struct kfi_lines l = { 0 };
	static u8 first[1 << 16];
	u32 len;

	make_image(8, 2);
	memcpy(first, image, len = image_len);
	CHECK(encode(image, image_len, TABLE));
	wire_len = 0;
	put_wire(sent, sent_len);
	make_image(9, 2);
	CHECK(encode(image, image_len, TABLE));
	put_wire(sent, sent_len);
	CHECK(kfi_lines_feed(&l, wire, wire_len, false) >= 0);
	CHECK_EQ(l.nsent, 2);
	if (CHECK_EQ(decode(&l), 0) && CHECK_EQ(got_len, len + image_len)) {
		CHECK(memcmp(got, first, len) == 0);
		CHECK(memcmp(got + len, image, image_len) == 0);
	}
	kfi_lines_free(&l);
	wire_len = 0;
}

/* The id has 12 bits: two logs of one console log may have the same. */
static void same_id(void)
{
	const u32 head = sizeof(struct kfi_raw_head) + 8 + KFI_RAW_PART_BYTES((u32)strlen(HEADER));
	struct kfi_lines l = { 0 };

	same_heads = true;
	wire_len = 0;
	for (u32 i = 0; i < 2; i++) {
		static struct kfi_serial s;
		static u32 memory[TABLE * 4];

		make_image(11 + i, 2);
		sent_len = 0;
		kfi_serial_init(&s, TABLE, memory, write_line, NULL);
		CHECK(kfi_serial_log(&s, image, head));
		CHECK(kfi_serial_log(&s, image + head, image_len - head));
		kfi_serial_last(&s);
		put_wire(sent, sent_len);
	}
	CHECK(kfi_lines_feed(&l, wire, wire_len, false) >= 0);
	same_heads = false;
	CHECK_EQ(l.nsent, 1);
	if (CHECK_EQ(decode(&l), 0))
		CHECK(strstr(fault, "differ from one of the same number"));
	kfi_lines_free(&l);
	wire_len = 0;
}

static void many_transmissions(void)
{
	struct kfi_lines l = { 0 };

	wire_len = 0;
	for (u32 i = 0; i < 17; i++) {
		make_image(20 + i, 1);
		CHECK(encode(image, image_len, TABLE));
		put_wire(sent, sent_len);
	}
	CHECK(kfi_lines_feed(&l, wire, wire_len, false) >= 0);
	CHECK_EQ(l.nsent, 16);
	if (CHECK_EQ(decode(&l), 0)) {
		char want[80];

		snprintf(want, sizeof(want), "%u lines of further logs are left out", lines_sent);
		CHECK_STR(fault, want);
	}
	kfi_lines_free(&l);
	wire_len = 0;
}

/* Digits, all of value 0, for one byte more than the longest line holds. */
static void too_long_line(void)
{
	u32 len = KFI_SERIAL_HEAD_DIGITS +
		  2 * ((KFI_SERIAL_BYTES_MAX + 1) * 8 / KFI_SERIAL_PAIR_BITS + 1);
	struct kfi_lines l = { 0 };
	struct kfi_serial_frame f;
	u8 items[8 + KFI_SERIAL_BYTES_MAX + 1];
	char text[2 + KFI_SERIAL_LINE_MAX + 4];

	text[0] = KFI_SERIAL_BEGIN;
	memset(text + 1, KFI_SERIAL_ZERO, len);
	text[1 + len] = KFI_SERIAL_END;
	for (; len > KFI_SERIAL_HEAD_DIGITS + 2 * KFI_SERIAL_FULL; len -= 2) {
		items[sizeof(items) - 1] = 0x55;
		kfi_serial_frame(text + 1, len, &f, items);
		CHECK_EQ(items[sizeof(items) - 1], 0x55);
		text[1 + len] = KFI_SERIAL_END;
		CHECK_EQ(kfi_lines_feed(&l, text, 2 + len, false), 2 + len);
		CHECK_EQ(l.nsent, 0);
	}
	kfi_lines_free(&l);
}

static void no_memory(void)
{
	make_image(10, 2);
	CHECK(encode(image, image_len, TABLE));
	for (long n = 0; ; n++) {
		struct kfi_lines l = { 0 };
		ssize_t fed;
		int ret = 0;

		check_fail_alloc(n);
		fed = kfi_lines_feed(&l, sent, sent_len, false);
		if (fed >= 0)
			ret = decode(&l);
		if (!check_alloc_failed()) {
			check_fail_alloc(-1);
			CHECK_EQ(ret, 0);
			kfi_lines_free(&l);
			return;
		}
		check_fail_alloc(-1);
		CHECK(fed == -ENOMEM || ret == -ENOMEM);
		kfi_lines_free(&l);
	}
}

static const struct check_case cases[] = {
	{ "any log comes back byte for byte", any_log },
	{ "several logs in one transmission", several_logs },
	{ "logs of both byte orders and word sizes", files },
	{ "words that are no record", odd_words },
	{ "words that are no record are hidden", hidden_words },
	{ "what is no raw log is rejected", no_raw_log },
	{ "a line that stands for too much is not read", many_zeros },
	{ "a chunk that takes more than a line stands for", long_chunk },
	{ "more lines than there are numbers are not written", too_many_lines },
	{ "a hostile text takes no longer than others", hostile_text },
	{ "with faults, lines asked for again give the same log", faults_asked_again },
	{ "with faults, other lines are kept and damaged ones are reported", faults_not_asked },
	{ "without one line all rows of the others are there", one_line_lost },
	{ "nothing is made of lines without their head", without_head },
	{ "text of others is passed on", text_of_others },
	{ "text that begins like a line is passed on", text_like_lines },
	{ "two transmissions", two_transmissions },
	{ "two logs with the same id", same_id },
	{ "more logs than there is room for", many_transmissions },
	{ "a line that is too long", too_long_line },
	{ "no memory", no_memory },
};
CHECK_MAIN(cases)
