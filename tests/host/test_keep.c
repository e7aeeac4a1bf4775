// SPDX-License-Identifier: GPL-2.0
/*
 * A log in memory that outlives a reboot: whatever is cut off or damaged, a log is found of which
 * all rows are as they were written and the missing ones are counted, or none is.
 */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "core/port.h"
/* Each barrier of the source that is included next is one, and looks at the memory. */
static void at_barrier(void);
#undef wmb
#define wmb()	at_barrier()	/* memory barrier */
#include "core/keep.c"
#include "core/rec.h"
#include "raw.h"

#define NSLOTS		5
#define SIZE		(2 * KFI_KEEP_COMMIT_MIN + NSLOTS * KFI_KEEP_SLOT_BYTES)
#define TEXT		0x80000000ull
#define ORIGIN		1000
#define MORE		"Chunks dropped = 0\n"
#define TITLE		"\n Entry\n--------\n"

static u64 memory[SIZE / 8];
static u8 before[SIZE], after[SIZE];
static struct kfi_keep keep;

/* A commit has three barriers. At the second one all of it is there but its magic. */
static void at_barrier(void)
{
	static u32 barriers;

	if (++barriers % 3 == 2)
		CHECK_EQ(commit_at(&keep, keep.number)->magic, 0);
}

/* A slot says by its functions which it is; it has one to five calls. */
static u32 calls_of(u64 seq)
{
	return 1 + (u32)seq % 5;
}

static u64 func_of(u64 seq, u32 i)
{
	return TEXT + seq * 64 + i;
}

static void put_slot(void)
{
	static struct kfi_keep_slot s;
	struct kfi_raw_chunk *head = (struct kfi_raw_chunk *)s.data;
	u64 seq = keep.last + 1;
	u32 words = 0;

	memset(&s, 0xa5, sizeof(s));
	for (u32 i = 0; i < calls_of(seq); i++) {
		struct kfi_rec r = {
			.func = func_of(seq, i), .site = TEXT + 1, .entry = ORIGIN + seq * 1000 + i,
			.exit = ORIGIN + seq * 1000 + 500, .local = 1, .pid = 1, .depth = 1 + i,
		};
		unsigned int form = kfi_rec_choose(&r, TEXT, ORIGIN);

		kfi_rec_encode((u32 *)(head + 1) + words, form, &r, TEXT, ORIGIN);
		words += kfi_rec_count(form);
	}
	*head = (struct kfi_raw_chunk){ .base = ORIGIN, .words = words };
	s.part = (struct kfi_raw_part){ KFI_RAW_CHUNK, (u32)(sizeof(*head) + 4 * words) };
	s.calls = (u16)calls_of(seq);
	s.others = 0;
	kfi_keep_put(&keep, &s);
}

static bool commit_text(const char *text, size_t len)
{
	static u64 room[2 * KFI_KEEP_COMMIT_MIN / 8];
	struct kfi_keep_commit *c = (struct kfi_keep_commit *)room;

	memset(room, 0x5a, sizeof(room));
	c->until = 7;
	c->missed = 0;
	c->head = (struct kfi_raw_head){
		.magic = { KFI_RAW_MAGIC }, .order = KFI_RAW_ORDER, .version = KFI_RAW_VERSION,
		.word_bits = 64, .bytes = sizeof(c->head), .text = TEXT, .origin = ORIGIN,
		.hz = 1000000, .max = U64_MAX,
	};
	c->part.bytes = (u32)len;
	memcpy(c->text, text, len);
	return kfi_keep_commit(&keep, c);
}

static void commit(void)
{
	char text[64];

	/* Texts of several lengths, so that all kinds of padding are there. */
	snprintf(text, sizeof(text), "Log %.*s\n" TITLE, (int)(keep.number % 9), "abcdefghi");
	CHECK(commit_text(text, strlen(text)));
}

static void begin(void)
{
	memset(memory, 0, sizeof(memory));
	kfi_keep_init(&keep, memory, SIZE);
	kfi_keep_begin(&keep);
}

/* The log in @mem. Return: its commit with number 0 if there is none; *@ok: nothing is wrong. */
static struct kfi_keep_commit look(void *mem, struct kfi_keep_lost *lost, bool *ok)
{
	static u64 out[(SIZE + 64) / 8];
	const struct kfi_keep_commit *c;
	u64 rows = 0, slots = 0, seq = 0, calls = 0, window;
	struct kfi_log_mark mark;
	struct kfi_err err;
	struct kfi_keep k;
	struct kfi_row row;
	struct kfi_raw raw;
	u32 len;

	kfi_keep_init(&k, mem, SIZE);
	c = kfi_keep_find(&k, lost);
	*ok = true;
	if (!c)
		return (struct kfi_keep_commit){ 0 };
	len = kfi_keep_log(&k, c, MORE, strlen(MORE), out);
	*ok = CHECK(len <= SIZE + strlen(MORE)) && CHECK(!memcmp(out, KFI_RAW_MAGIC, 8)) &&
	      CHECK_EQ(kfi_raw_open(&raw, "kept", (u8 *)out + 8, len - 8, &err), 0);
	if (!*ok)
		return *c;
	*ok = CHECK_STR(raw.fault, "") && CHECK_EQ(raw.used, len - 8) &&
	      CHECK(memmem(raw.text.s, raw.text.len, "\n" MORE TITLE, strlen("\n" MORE TITLE)));
	/* Whole slots of this log, each of them once, in their order. */
	while (*ok && kfi_raw_item(&raw, &row, &mark) > 0) {
		u64 at = (row.func_at - TEXT) / 64, i = (row.func_at - TEXT) % 64;

		slots += !i;
		*ok = CHECK(i ? at == seq : at > seq) && CHECK(at >= c->first && at <= c->last) &&
		      CHECK(i < calls_of(at));
		seq = at;
		rows++;
	}
	kfi_raw_close(&raw);
	window = c->last + 1 - c->first > NSLOTS ? NSLOTS : c->last + 1 - c->first;
	for (seq = c->last + 1 - window; seq <= c->last; seq++)
		calls += calls_of(seq);
	*ok = *ok && CHECK_EQ(c->calls, calls) && CHECK_EQ(rows + lost->calls, calls) &&
	      CHECK_EQ(lost->others, 0) && CHECK_EQ(slots + lost->slots, window);
	return *c;
}

static bool has(u64 number, u64 first, u64 last, u32 lost_slots)
{
	struct kfi_keep_lost lost = { 0 };
	struct kfi_keep_commit c;
	bool ok;

	c = look(memory, &lost, &ok);
	return ok && CHECK_EQ(c.number, number) && CHECK_EQ(c.first, number ? first : 0) &&
	       CHECK_EQ(c.last, number ? last : 0) && CHECK_EQ(lost.slots, lost_slots);
}

/* Few, more than fit, another log, and one without a slot. */
static void logs(void)
{
	begin();
	CHECK(has(0, 0, 0, 0));
	put_slot();
	CHECK(has(0, 0, 0, 0));
	commit();
	CHECK(has(1, 1, 1, 0));
	for (u64 i = 2; i < 40; i++) {
		put_slot();
		commit();
		if (!CHECK(has(i, 1, i, 0)))
			return;
	}
	kfi_keep_begin(&keep);
	CHECK(has(39, 1, 39, 0));
	commit();
	CHECK(has(40, 40, 39, 0));
	put_slot();
	put_slot();
	commit();
	CHECK(has(41, 40, 41, 0));
}

/* What is filled again before the next commit is missing in the log of the last one. */
static void filled_again(void)
{
	begin();
	for (u32 i = 0; i < 7; i++)
		put_slot();
	commit();
	for (u32 i = 0; i <= NSLOTS; i++) {
		if (!CHECK(has(1, 1, 7, i)))
			return;
		put_slot();
	}
	CHECK(has(1, 1, 7, NSLOTS));
	kfi_keep_begin(&keep);
	put_slot();
	CHECK(has(1, 1, 7, NSLOTS));
	commit();
	CHECK(has(2, 14, 14, 0));
}

/* A text that fits to the last byte, and one that does not. */
static void long_text(void)
{
	static char text[KFI_KEEP_COMMIT_MIN];
	size_t room = KFI_KEEP_COMMIT_MIN - sizeof(struct kfi_keep_commit);

	begin();
	memset(text, 'x', sizeof(text));
	memcpy(text + room - strlen(TITLE) - 1, "\n" TITLE, strlen("\n" TITLE));
	CHECK(commit_text(text, room));
	CHECK(has(1, 1, 0, 0));
	CHECK(!commit_text(text, room + 1));
	CHECK(has(1, 1, 0, 0));
	commit();
	CHECK(has(2, 1, 0, 0));
}

/* Some way into an operation: what it has changed up to @at is there; or what is behind. */
static bool mixed(size_t at, bool back, struct kfi_keep_commit *c, struct kfi_keep_lost *lost)
{
	u8 *mem = (u8 *)memory;
	bool ok;

	memcpy(mem, back ? before : after, at);
	memcpy(mem + at, (back ? after : before) + at, SIZE - at);
	*c = look(mem, lost, &ok);
	return ok;
}

/* Each operation is cut at each byte: the log of one of the last two commits is there. */
static void cut(void)
{
	begin();
	for (u32 step = 0; step < 30; step++) {
		bool commits = step % 3 == 2;
		u64 number = keep.number;

		memcpy(before, memory, SIZE);
		if (step == 16)
			kfi_keep_begin(&keep);
		if (commits)
			commit();
		else
			put_slot();
		memcpy(after, memory, SIZE);
		for (size_t at = 0; at < SIZE; at++) {
			struct kfi_keep_commit c;
			struct kfi_keep_lost lost;

			if (before[at] == after[at])
				continue;
			for (u32 back = 0; back < 2; back++) {
				if (!CHECK(mixed(at, back, &c, &lost)))
					return;
				if (!CHECK(c.number == number ||
					   (commits && c.number == number + 1)))
					return;
			}
		}
		memcpy(memory, after, SIZE);
	}
	CHECK(has(10, 12, 20, 0));
}

/* Any byte, changed in one bit or in all: nothing wrong is found; nearly always a log is. */
static void damaged(void)
{
	struct kfi_keep_lost lost;
	u8 *mem = (u8 *)memory;
	u32 seen = 0;

	begin();
	for (u32 i = 0; i < 9; i++) {
		put_slot();
		if (i % 3)
			commit();
	}
	memcpy(before, memory, SIZE);
	for (size_t at = 0; at < SIZE; at++)
		for (u32 i = 0; i < 2; i++) {
			struct kfi_keep_commit c;
			bool ok;

			mem[at] ^= i ? 0xff : 1u << at % 8;
			c = look(mem, &lost, &ok);
			mem[at] = before[at];
			if (!CHECK(ok) || !CHECK(keep.number - c.number <= 1))
				return;
			seen += lost.slots;
		}
	/* Each byte of each slot that is in use counts. */
	CHECK(seen > 2 * NSLOTS * 60);
}

/* Both commits are gone; or it is no such memory, or another one. */
static void none(void)
{
	struct kfi_keep_lost lost;
	struct kfi_keep k;

	begin();
	put_slot();
	commit();
	commit();
	kfi_keep_init(&k, memory, SIZE - 8);
	CHECK(!kfi_keep_find(&k, &lost));
	((u8 *)memory)[8] ^= 1;
	CHECK(has(1, 1, 1, 0));
	((u8 *)memory)[KFI_KEEP_COMMIT_MIN + 8] ^= 1;
	CHECK(has(0, 0, 0, 0));
	srand(1);
	for (u32 i = 0; i < SIZE; i++)
		((u8 *)memory)[i] = (u8)rand();
	CHECK(has(0, 0, 0, 0));
}

static const struct check_case cases[] = {
	{ "logs", logs },
	{ "slots that were filled again", filled_again },
	{ "a long text", long_text },
	{ "cut anywhere", cut },
	{ "damaged anywhere", damaged },
	{ "no log", none },
};

CHECK_MAIN(cases)
