// SPDX-License-Identifier: GPL-2.0
/* tools/lib/import/spool: records come back as they were added and completed, packed or not. */
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "hash.h"
#include "import/spool.h"

/* Calls that are open at once, and records that are more than the memory of a spool holds. */
#define DEPTH		6000
#define MANY		120000

/* What was added: to compare it with what is read. */
static struct kfi_spool_rec *want;
static u64 *place;
static u32 nwant;

static u64 seed;

static u64 number(void)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return seed >> 16 ^ seed >> 40;
}

/* Return a number of at most 0, 1, 2, 4 or 8 bytes. */
static u64 some(void)
{
	static const u64 masks[] = { 0, 0xff, U16_MAX, U32_MAX, U64_MAX };

	return (number() << 24 ^ number()) & masks[number() % ARRAY_SIZE(masks)];
}

static void make_text(u32 n, char *text, u32 len)
{
	for (u32 i = 0; i < len; i++)
		text[i] = (char)('a' + (n + i) % 26);
}

/* Add a record with most of its members as in the one before, as in a trace. */
static int add(struct kfi_spool *s, bool is_mark, bool waits)
{
	struct kfi_spool_rec *r = &want[nwant];
	char text[KFI_SPOOL_TEXT];

	*r = (struct kfi_spool_rec){
		.site = U64_MAX, .caller = KFI_NONE, .delta_ns = -1, .local_ns = -1, .off_ns = -1,
		.irq_ns = -1, .depth = 1,
	};
	if (nwant) {
		r->entry_ns = r[-1].entry_ns;
		r->site = r[-1].site;
		r->thread = r[-1].thread;
		r->depth = r[-1].depth;
		r->cpu = r[-1].cpu;
		r->ctx = r[-1].ctx;
	}
	switch (number() % 16) {
	case 0:
		r->site = some();
		break;
	case 1:
		r->thread = (u32)some();
		break;
	case 2:
		r->cpu = (s16)some();
		break;
	case 3:
		r->ctx = (u8)some();
		break;
	case 4:
		r->depth = (u32)some();
		break;
	case 5:
		r->marks = (u8)some();
		break;
	case 6:
		r->entry_ns = (s64)some();
		break;
	case 7:
		r->off_ns = (s64)some();
		r->irq_ns = (s64)some();
		break;
	}
	r->entry_ns = (s64)((u64)r->entry_ns + number() % 1000);
	r->func = is_mark ? (u32)number() % (KFI_SPOOL_TEXT + 1) : (u32)some();
	r->caller = (u32)some();
	r->is_mark = is_mark;
	r->waits = waits;
	make_text(nwant, text, is_mark ? r->func : 0);
	return kfi_spool_add(s, r, is_mark ? text : NULL, &place[nwant++]);
}

static int complete(struct kfi_spool *s, u32 n)
{
	struct kfi_spool_rec *r = &want[n];

	r->marks = (u8)(number() % 3);
	r->waits = false;
	r->delta_ns = number() % 50 ? (s64)some() : -1;
	r->local_ns = number() % 2 ? r->delta_ns : (s64)some();
	r->off_ns = number() % 8 ? -(r->delta_ns < 0) : (s64)some();
	r->irq_ns = number() % 8 ? -(r->delta_ns < 0) : (s64)some();
	return kfi_spool_exit(s, place[n], r);
}

/* Read all records. Return: how many are as expected. */
static u32 read_all(struct kfi_spool *s)
{
	const struct kfi_spool_rec *rec = NULL;
	char text[KFI_SPOOL_TEXT];
	u32 n = 0, same = 0;
	int ret = kfi_spool_read(s);

	while (!ret && (ret = kfi_spool_next(s, &rec)) > 0 && n < nwant) {
		const struct kfi_spool_rec *w = &want[n];

		make_text(n++, text, w->is_mark ? w->func : 0);
		same += rec->entry_ns == w->entry_ns && rec->site == w->site &&
			rec->func == w->func && rec->caller == w->caller &&
			rec->thread == w->thread && rec->depth == w->depth && rec->cpu == w->cpu &&
			rec->ctx == w->ctx && rec->is_mark == w->is_mark &&
			rec->marks == w->marks && rec->delta_ns == w->delta_ns &&
			rec->local_ns == w->local_ns && rec->off_ns == w->off_ns &&
			rec->irq_ns == w->irq_ns &&
			(!w->is_mark || !memcmp(s->text, text, w->func));
		ret = 0;
	}
	CHECK_EQ(ret, 0);
	CHECK_EQ(n, nwant);
	CHECK_EQ(kfi_spool_next(s, &rec), 0);
	return same;
}

static void start(struct kfi_spool *s, u64 from)
{
	seed = from;
	nwant = 0;
	want = malloc(MANY * sizeof(*want));
	place = malloc(MANY * sizeof(*place));
	if (!want || !place)
		abort();
	CHECK_EQ(kfi_spool_init(s), 0);
}

static void finish(struct kfi_spool *s)
{
	kfi_spool_free(s);
	free(want);
	free(place);
}

/* Add @n records; calls end innermost first, and up to @open of them are open. */
static void test_nested(u32 n, u32 open, u64 from)
{
	struct kfi_spool s;
	static u32 stack[DEPTH];
	u32 depth = 0, failed = 0;

	start(&s, from);
	while (nwant < n) {
		bool mark = number() % 20 == 0, waits = !mark && depth < open && number() % 8;

		if (waits)
			stack[depth++] = nwant;
		failed += add(&s, mark, waits) != 0;
		/* Most calls are short; sometimes all of them end. */
		while (depth && (number() % 2 || (open > 20 && nwant % 50000 == 0)))
			failed += complete(&s, stack[--depth]) != 0;
	}
	/* Some stay open. */
	for (; depth > open / 2; depth--)
		failed += complete(&s, stack[depth - 1]) != 0;
	CHECK_EQ(failed, 0);
	CHECK_EQ(s.fd >= 0, n > 40000);
	CHECK_EQ(read_all(&s), n);
	finish(&s);
}

static void test_memory(void)
{
	test_nested(0, 0, 1);
	test_nested(1, 1, 2);
	for (u64 i = 0; i < 20; i++)
		test_nested(500, 20, i);
}

static void test_file(void)
{
	for (u64 i = 0; i < 4; i++)
		test_nested(MANY, 20, i);
}

/* Many calls are open while all records go to the file, and end afterwards. */
static void test_late(void)
{
	struct kfi_spool s;
	u32 failed = 0, open[DEPTH];

	start(&s, 7);
	for (u32 i = 0; i < DEPTH; i++) {
		open[i] = nwant;
		failed += add(&s, false, true) != 0;
		for (u32 j = 0; j < 9; j++)
			failed += add(&s, false, false) != 0;
	}
	CHECK(s.fd >= 0 && s.base > place[open[DEPTH / 4]]);
	/* Not in their order. */
	for (u32 i = 0; i < DEPTH; i++)
		if (i % 7)
			failed += complete(&s, open[i * 7 % DEPTH]) != 0;
	while (nwant < MANY)
		failed += add(&s, false, false) != 0;
	for (u32 i = 0; i < DEPTH; i += 7)
		failed += complete(&s, open[i * 7 % DEPTH]) != 0;
	CHECK_EQ(failed, 0);
	CHECK_EQ(s.nlate - s.late_done, 0);
	CHECK_EQ(read_all(&s), MANY);
	finish(&s);
}

/* A call of a function graph takes 18 bytes at most. */
static void test_size(void)
{
	struct kfi_spool s;
	u64 at;

	CHECK_EQ(kfi_spool_init(&s), 0);
	for (u32 i = 0; i < MANY; i++) {
		struct kfi_spool_rec r = {
			.entry_ns = i * 1000, .site = U64_MAX, .func = i % 3000,
			.caller = i % 200, .thread = 3, .cpu = 1, .depth = 5 + i % 20,
			.delta_ns = i, .local_ns = i / 2,
		};

		if (kfi_spool_add(&s, &r, NULL, &at)) {
			CHECK(false);
			break;
		}
	}
	CHECK_EQ(kfi_spool_read(&s), 0);
	CHECK(s.size <= 18ull * MANY);
	kfi_spool_free(&s);
}

static void test_no_memory(void)
{
	struct kfi_spool s = { .fd = -1 };
	long n = 0;

	for (;; n++) {
		check_fail_alloc(n);
		if (!kfi_spool_init(&s))
			break;
		kfi_spool_free(&s);
	}
	check_fail_alloc(-1);
	CHECK_EQ(n, 2);
	kfi_spool_free(&s);
	start(&s, 1);
	check_fail_alloc(0);
	while (nwant < MANY && !add(&s, false, true))
		;
	check_fail_alloc(-1);
	CHECK(nwant < MANY);
	finish(&s);
}

static void test_no_file(void)
{
	struct kfi_spool s;
	int ret = 0;

	setenv("TMPDIR", "/nowhere", 1);
	start(&s, 1);
	while (nwant < MANY && !ret)
		ret = add(&s, false, false);
	CHECK_EQ(ret, -ENOENT);
	finish(&s);
	unsetenv("TMPDIR");
}

static const struct check_case cases[] = {
	{ "records in memory", test_memory },
	{ "records in a file", test_file },
	{ "records that are completed in the file", test_late },
	{ "records are packed", test_size },
	{ "no memory", test_no_memory },
	{ "no temporary file", test_no_file },
};

CHECK_MAIN(cases)
