// SPDX-License-Identifier: GPL-2.0
/* The newest of many records, and memory that is filled from its end. */
#include <stdlib.h>

#include "check.h"
#include "core/keep.h"
#include "core/last.h"

/* ---- the newest ---- */

static void add(struct kfi_last *l, u64 when, u32 at)
{
	kfi_last_add(l, &(struct kfi_last_item) { .when = when, .at = at, .depth = at % 3 });
}

/* All permutations of a few, into room for fewer: always the newest, in order. */
static void permutations(void)
{
	u32 room, order[5], code, i, j;

	for (room = 0; room <= 6; room++)
		for (code = 0; code < 3125; code++) {
			struct kfi_last_item items[6];
			struct kfi_last l = { .item = room ? items : NULL, .room = room };
			u32 c = code, want = room < 5 ? room : 5;

			/* Not only permutations: doubles, too. */
			for (i = 0; i < 5; i++, c /= 5) {
				order[i] = c % 5;
				add(&l, order[i], i);
			}
			kfi_last_sort(&l);
			if (!CHECK_EQ(l.n, want))
				return;
			for (i = 0; i + 1 < l.n; i++)
				if (!CHECK(items[i].when <= items[i + 1].when))
					return;
			/* None that was left out is newer than one that is in. */
			for (i = 0; i < 5; i++) {
				for (j = 0; j < l.n && items[j].at != i; j++)
					;
				if (j == l.n && l.n && !CHECK(order[i] <= items[0].when))
					return;
			}
		}
}

/* The order of rows: outer calls before inner ones that were entered in the same tick. */
static void ties(void)
{
	struct kfi_last_item items[4] = {
		{ 7, 2, 0, 3 }, { 7, 1, 9, 1 }, { 7, 1, 8, 3 }, { 6, 9, 9, 9 },
	};
	struct kfi_last l = { .item = items, .room = 4, .n = 4 };

	kfi_last_sort(&l);
	CHECK_EQ(items[0].when, 6);
	CHECK_EQ(items[1].depth, 1);
	CHECK_EQ(items[2].at, 8);
	CHECK_EQ(items[3].chunk, 2);
}

/* Many, at random, with the keys changed in between, as a dump does. */
static void many(void)
{
	static struct kfi_last_item items[300];
	struct kfi_last l = { .item = items, .room = 300 };
	u32 i;

	srand(1);
	for (i = 0; i < 20000; i++)
		add(&l, 1000000 + i * 10ull + (u32)rand() % 10, i);
	CHECK_EQ(l.n, 300);
	for (i = 0; i < l.n; i++) {
		CHECK(items[i].at >= 20000 - 300);
		items[i].when = (u64)rand() << 33;
	}
	kfi_last_sort(&l);
	for (i = 1; i < l.n; i++)
		CHECK(items[i - 1].when <= items[i].when);
}

/* ---- memory ---- */

#define SIZE	120
#define ABOVE	16

static u64 memory[SIZE / 8];

static struct kfi_keep filled(void)
{
	struct kfi_keep k = { .head = (struct kfi_keep_head *)memory, .size = SIZE };

	memset(memory, 0x5a, sizeof(memory));
	CHECK(kfi_keep_begin(&k, ABOVE));
	CHECK(kfi_keep_row(&k, "newest\n", 7));
	CHECK(kfi_keep_row(&k, "older\n", 6));
	kfi_keep_end(&k, "above\n", 6);
	return k;
}

static void keep(void)
{
	struct kfi_keep k = filled();
	const char *mem = (const char *)memory;

	CHECK(kfi_keep_valid(&k));
	CHECK_EQ(k.head->above, 6);
	CHECK(!memcmp(mem + sizeof(*k.head), "above\n", 6));
	CHECK_EQ(k.head->rows, 13);
	CHECK(!memcmp(mem + SIZE - 13, "older\nnewest\n", 13));
}

/* To the last byte, and not one more. */
static void keep_full(void)
{
	struct kfi_keep k = filled();
	char row[SIZE];
	u32 room = SIZE - sizeof(*k.head) - ABOVE - 13;

	memset(row, 'x', sizeof(row));
	CHECK(!kfi_keep_row(&k, row, room + 1));
	CHECK(kfi_keep_row(&k, row, room));
	CHECK(!kfi_keep_row(&k, row, 1));
	CHECK(kfi_keep_row(&k, row, 0));
	kfi_keep_end(&k, row, ABOVE + 5);
	CHECK(kfi_keep_valid(&k));
	CHECK_EQ(k.head->above, ABOVE);
	CHECK_EQ(k.head->rows, 13 + room);
	CHECK_EQ(sizeof(*k.head) + k.head->above + k.head->rows, SIZE);
	/* The same bytes, but another byte begins the rows. */
	k.head->above++;
	k.head->rows--;
	CHECK(!kfi_keep_valid(&k));
}

/* One bit, wherever it is in what is used, is seen; begun and not ended is not valid. */
static void keep_broken(void)
{
	struct kfi_keep k = filled();
	u8 *mem = (u8 *)memory;
	u32 i, bit;

	for (i = 0; i < SIZE; i++)
		for (bit = 1; bit < 256; bit <<= 1) {
			bool used = i < sizeof(*k.head) + 6 || i >= SIZE - 13;

			mem[i] ^= bit;
			if (!CHECK_EQ(kfi_keep_valid(&k), !used))
				return;
			mem[i] ^= bit;
		}
	CHECK(kfi_keep_valid(&k));
	k.size--;
	CHECK(!kfi_keep_valid(&k));
	k.size++;
	CHECK(kfi_keep_begin(&k, ABOVE));
	CHECK(!kfi_keep_valid(&k));
}

static void keep_small(void)
{
	struct kfi_keep k = { .head = (struct kfi_keep_head *)memory, .size = SIZE };

	CHECK(!kfi_keep_begin(&k, SIZE));
	CHECK(!kfi_keep_begin(&k, SIZE - sizeof(*k.head) + 1));
	CHECK(kfi_keep_begin(&k, SIZE - sizeof(*k.head)));
	k.size = sizeof(*k.head) - 1;
	CHECK(!kfi_keep_begin(&k, 0));
	CHECK(!kfi_keep_valid(&k));
}

static const struct check_case cases[] = {
	{ "the newest of few", permutations },
	{ "ties", ties },
	{ "the newest of many", many },
	{ "memory", keep },
	{ "memory that is full", keep_full },
	{ "memory that has changed", keep_broken },
	{ "memory that is too small", keep_small },
};

CHECK_MAIN(cases)
