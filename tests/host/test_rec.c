// SPDX-License-Identifier: GPL-2.0
/* Records: what goes in comes out, in as few words as the layout allows. */
#include "check.h"
#include "core/rec.h"

#define TEXT	0xffffffff81000000ull
#define BASE	0x123456789aull

/* The largest depth of a common record. */
#define DEPTH_MAX	((1u << (32 - KFI_REC_LOCAL_BITS)) - 1)

struct row {
	const char *name;
	struct kfi_rec r;
	unsigned int words;
};

static const struct row rows[] = {
	/* function, call site, entry, exit, local, pid, cpu, depth, ctx, marks, event, off, irq */
	{ "packed", { TEXT + 0x100, TEXT + 0x204, BASE + 10, BASE + 20, 3, 1, 0, 1, 0, 0 }, 5 },
	{ "all zero times", { TEXT, TEXT, BASE, BASE, 0, 0, 0, 1, 0, 0 }, 5 },
	{ "largest of all that is packed",
	  { TEXT + 0xffffff, TEXT + 0xffffff, BASE, BASE + 0xfffff, 0xfffff, KFI_PID_MAX, 0, 255, 3, 0 },
	  5 },
	{ "each bit of a local time",
	  { TEXT, TEXT, BASE, BASE + 0xfffff, 0xa55a5, 1, 0, 0xaa, 1, 0 }, 5 },
	{ "a duration too long", { TEXT, TEXT, BASE, BASE + 0x100000, 0, 1, 0, 1, 0, 0 }, 6 },
	{ "a local time too long", { TEXT, TEXT, BASE, BASE + 0x100001, 0x100000, 1, 0, 1, 0, 0 }, 6 },
	{ "too deep", { TEXT, TEXT, BASE, BASE + 1, 0, 1, 0, 256, 0, 0 }, 6 },
	{ "a function too far", { TEXT + 0x1000000, TEXT, BASE, BASE + 1, 0, 1, 0, 1, 0, 0 }, 6 },
	{ "a call site before", { TEXT, TEXT - 1, BASE, BASE + 1, 0, 1, 0, 1, 0, 0 }, 6 },
	{ "unwound", { TEXT, TEXT, BASE, BASE, 0, 1, 0, 1, 0, KFI_MARK_UNWOUND }, 6 },
	{ "largest short duration",
	  { TEXT, TEXT, BASE - 0xfffffff0ull, BASE + 15, 7, 5, 0, 31, 1, 0 }, 6 },
	{ "one more", { TEXT, TEXT, BASE - 0xfffffff0ull, BASE + 16, 7, 5, 0, 32, 2, 0 }, 13 },
	{ "largest short local time",
	  { TEXT, TEXT, BASE, BASE + (1u << 22), (1u << 22) - 1, 5, 0, DEPTH_MAX, 1, 0 }, 6 },
	{ "one more", { TEXT, TEXT, BASE, BASE + (1u << 22), 1u << 22, 5, 0, 32, 2, 0 }, 13 },
	{ "exit before the base", { TEXT, TEXT, BASE - 200, BASE - 100, 100, 5, 0, 33, 3, 0 }, 5 },
	{ "exit far before the base", { TEXT, TEXT, 5, 6, 1, 5, 0, 33, 3, 0 }, 13 },
	{ "latest near exit",
	  { TEXT, TEXT, BASE + 0x7fffffff, BASE + 0x7fffffff, 0, 1, 0, 1, 0, 0 }, 5 },
	{ "one later", { TEXT, TEXT, BASE + 0x80000000, BASE + 0x80000000, 0, 1, 0, 1, 0, 0 }, 13 },
	{ "nearest and farthest function",
	  { TEXT + 0x7fffffff, TEXT - 0x80000000, BASE, BASE, 0, 1, 0, 1, 0, 0 }, 6 },
	{ "far function", { TEXT + 0x80000000, TEXT, BASE, BASE, 0, 1, 0, 1, 0, 0 }, 11 },
	{ "far call site", { TEXT, 1ull << 40, BASE, BASE, 0, 1, 0, 1, 0, 0 }, 11 },
	{ "everything",
	  { 1ull << 40, 1ull << 63, 0, ~0ull, ~0ull >> 1, KFI_PID_MAX, 0, DEPTH_MAX, 3,
	    KFI_MARK_NOTIME | KFI_MARK_UNWOUND, 0, 1ull << 50, 1ull << 51 },
	  21 },
	{ "open", { TEXT, TEXT, BASE, BASE, 0, 1, 7, 1, 0, KFI_MARK_OPEN }, 6 },
	{ "open, far from the base", { TEXT, TEXT, 5, 5, 0, 1, 7, 1, 0, KFI_MARK_OPEN }, 13 },
	{ "interrupted", { TEXT, TEXT, BASE, BASE + 9, 3, 1, 0, 1, 0, 0, 0, 0, 6 }, 6 },
	{ "interrupted, largest that is packed",
	  { TEXT, TEXT, BASE - 0xfffffff0ull, BASE + 15, 0xfffff, 1, 0, 1, 0, 0, 0, 0, 0xfffff }, 6 },
	{ "interrupted, each bit",
	  { TEXT, TEXT, BASE, BASE + 0xffffff, 0x5aa5a, 1, 0, 1, 0, 0, 0, 0, 0xa55a5 }, 6 },
	{ "interrupted for longer",
	  { TEXT, TEXT, BASE, BASE + 0x200000, 3, 1, 0, 1, 0, 0, 0, 0, 0x100000 }, 8 },
	{ "interrupted, and ran for long",
	  { TEXT, TEXT, BASE, BASE + 0x200000, 0x100000, 1, 0, 1, 0, 0, 0, 0, 6 }, 8 },
	{ "interrupted, too deep", { TEXT, TEXT, BASE, BASE + 9, 3, 1, 0, 300, 0, 0, 0, 0, 6 }, 8 },
	{ "interrupted for very long",
	  { TEXT, TEXT, BASE, BASE + (1ull << 33), 3, 1, 0, 1, 0, 0, 0, 0, 1ull << 32 }, 17 },
	{ "switched out", { TEXT, TEXT, BASE, BASE + 9, 3, 1, 0, 1, 0, 0, 0, 6, 0 }, 6 },
	{ "switched out, most of the time",
	  { TEXT, TEXT, BASE - 0xffffffff, BASE, 0xfffff, 1, 0, 1, 0, 0, 0, 0xffe00001, 0 }, 6 },
	{ "switched out, the calls below ran longer",
	  { TEXT, TEXT, BASE - 0xffffffff, BASE, 0xfffff, 1, 0, 1, 0, 0, 0, 0xffe00000, 0 }, 7 },
	{ "switched out for more than there was",
	  { TEXT, TEXT, BASE, BASE + 9, 3, 1, 0, 1, 0, 0, 0, 8, 0 }, 7 },
	{ "switched out and interrupted",
	  { TEXT, TEXT, BASE, BASE + 99, 3, 1, 0, 1, 0, 0, 0, 20, 0xfffff }, 7 },
	{ "switched out, interrupted for long",
	  { TEXT, TEXT, BASE - 0xffffffff, BASE, 3, 1, 0, 1, 0, 0, 0, 0xffffffff, 0x100000 }, 8 },
	{ "switched out for very long",
	  { TEXT, TEXT, BASE, BASE + (1ull << 33), 3, 1, 0, 1, 0, 0, 0, 1ull << 32, 6 }, 17 },
	{ "calls below without a record",
	  { TEXT, TEXT, BASE, BASE + 9, 3, 1, 0, 1, 0, 0, 0, 0, 0, U32_MAX }, 6 },
	{ "the same, interrupted",
	  { TEXT, TEXT, BASE, BASE + 9, 3, 1, 0, 1, 0, 0, 0, 0, 6, 7 }, 7 },
	{ "the same, switched out",
	  { TEXT, TEXT, BASE, BASE + 9, 3, 1, 0, 1, 0, 0, 0, 6, 0, 7 }, 7 },
	{ "the same, both", { TEXT, TEXT, BASE, BASE + 99, 3, 1, 0, 1, 0, 0, 0, 20, 9, 7 }, 8 },
	{ "the same, too deep to be packed",
	  { TEXT, TEXT, BASE, BASE + 9, 3, 1, 0, 300, 0, 0, 0, 0, 0, 7 }, 8 },
	{ "the same, interrupted and too deep",
	  { TEXT, TEXT, BASE, BASE + 9, 3, 1, 0, 300, 0, 0, 0, 0, 6, 7 }, 12 },
	{ "the same, for very long",
	  { TEXT, TEXT, BASE, BASE + (1ull << 33), 3, 1, 0, 1, 0, 0, 0, 1ull << 32, 6, 7 }, 18 },
};

static void round_trip(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct kfi_rec *r = &rows[i].r;
		u32 w[KFI_REC_WORDS_MAX + 1] = { 0 };
		struct kfi_rec got = { 0 };
		unsigned int form = kfi_rec_choose(r, TEXT, BASE), words = kfi_rec_count(form);

		CHECK_EQ(words, rows[i].words);
		kfi_rec_encode(w, form, r, TEXT, BASE);
		CHECK_EQ(w[words], 0);
		CHECK_EQ(kfi_rec_decode(w, words, &got, TEXT, BASE), words);
		if (!CHECK(!memcmp(r, &got, sizeof(got))))
			CHECK_STR("differs", rows[i].name);
		/* Cut short by one word it is no record. */
		CHECK_EQ(kfi_rec_decode(w, words - 1, &got, TEXT, BASE), 0);
	}
}

/* As if the kernel had not been moved: all addresses and the text base are less. */
static void moved(void)
{
	const u64 by = 0x1234000;
	const struct kfi_move move = { .by = by, .text = TEXT };

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		struct kfi_rec want = rows[i].r, got = { 0 };
		u32 w[KFI_REC_WORDS_MAX] = { 0 };
		unsigned int form = kfi_rec_choose(&want, TEXT, BASE);

		kfi_rec_encode(w, form, &want, TEXT, BASE);
		kfi_rec_move(w, &move);
		CHECK(kfi_rec_decode(w, kfi_rec_count(form), &got, TEXT - by, BASE));
		want.func = (unsigned long)(want.func ? want.func - by : 0);
		want.site = (unsigned long)(want.site ? want.site - by : 0);
		/* A 0 that is near the text base is moved with it. */
		if (!rows[i].r.func || !rows[i].r.site)
			continue;
		if (!CHECK(!memcmp(&want, &got, sizeof(got))))
			CHECK_STR("differs", rows[i].name);
	}
}

/* What lies outside of the kernel has one address, in any form. */
static void hidden(void)
{
	const struct kfi_move move = {
		.by = 0x1234000, .text = TEXT, .from = TEXT - 1, .end = TEXT + 0x300,
	};

	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		struct kfi_rec want = rows[i].r, got = { 0 };
		unsigned int form = kfi_rec_choose(&want, TEXT, BASE);
		u32 w[KFI_REC_WORDS_MAX] = { 0 };

		kfi_rec_encode(w, form, &want, TEXT, BASE);
		kfi_rec_move(w, &move);
		CHECK(kfi_rec_decode(w, kfi_rec_count(form), &got, TEXT - move.by, BASE));
		if (want.func < move.from || want.func > move.end)
			want.func = move.end;
		if (want.site < move.from || want.site > move.end)
			want.site = move.end;
		want.func -= move.by;
		want.site -= move.by;
		if (!CHECK(!memcmp(&want, &got, sizeof(got))))
			CHECK_STR("differs", rows[i].name);
	}
}

static void no_record(void)
{
	u32 w[KFI_REC_WORDS_MAX] = { 0 };
	struct kfi_rec r;
	u32 words;

	CHECK_EQ(kfi_rec_decode(w, ARRAY_SIZE(w), &r, TEXT, BASE), 0);
	CHECK_EQ(kfi_rec_decode(w, 0, &r, TEXT, BASE), 0);
	/* A length that no set of extensions has. */
	for (words = KFI_REC_WORDS + 1; words < 32; words++) {
		w[0] = words;
		w[KFI_REC_WORDS] = 0;
		CHECK_EQ(kfi_rec_decode(w, ARRAY_SIZE(w), &r, TEXT, BASE),
			 words == KFI_REC_WORDS + 1 ? words : 0);
	}
}

static const struct check_case cases[] = {
	{ "records come out as they went in", round_trip },
	{ "addresses can be moved", moved },
	{ "addresses outside of the kernel can be hidden", hidden },
	{ "what is no record is not read as one", no_record },
};

CHECK_MAIN(cases)
