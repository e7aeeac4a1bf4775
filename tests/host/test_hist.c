// SPDX-License-Identifier: GPL-2.0
/* tools/lib/hist: percentiles against those of sorted numbers, the bound of the error, no memory. */
#include <stdlib.h>

#include "check.h"
#include "hist.h"

static int by_size(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* The same from sorted numbers: a value that at least this percentage does not exceed. */
static u64 exact(const u64 *v, u64 n, u32 percent)
{
	return v[(n * percent + 99) / 100 - 1];
}

static void against_sorted(u64 (*number)(u32 i), u32 n)
{
	struct kfi_hist h = { .octave = { NULL } };
	u64 *v = malloc(n * sizeof(*v));

	for (u32 i = 0; i < n; i++) {
		v[i] = number(i);
		CHECK_EQ(kfi_hist_add(&h, v[i]), 0);
	}
	qsort(v, n, sizeof(*v), by_size);
	for (u32 percent = 1; percent <= 100; percent++) {
		u64 want = exact(v, n, percent), got = kfi_hist_at(&h, n, percent);

		CHECK(got >= want);
		CHECK(got - want <= want / KFI_HIST_SUB);
		CHECK(bsearch(&got, v, n, sizeof(*v), by_size) != NULL);
	}
	CHECK_EQ(kfi_hist_at(&h, n, 100), v[n - 1]);
	kfi_hist_free(&h);
	free(v);
}

static u64 small(u32 i)
{
	return i % 70;
}

static u64 wide(u32 i)
{
	u64 v = i * 0x9e3779b97f4a7c15ull;

	v ^= v >> 29;
	return v >> v % 63;
}

static u64 one(u32 i)
{
	return 123456789;
}

static u64 edges(u32 i)
{
	return i < 64 ? 1ull << i : U64_MAX;
}

static void test_sorted(void)
{
	against_sorted(small, 1000);
	against_sorted(wide, 5000);
	against_sorted(one, 3);
	against_sorted(edges, 66);
}

static void test_few(void)
{
	struct kfi_hist h = { .octave = { NULL } };

	CHECK_EQ(kfi_hist_at(&h, 0, 50), 0);
	kfi_hist_add(&h, 7);
	CHECK_EQ(kfi_hist_at(&h, 1, 1), 7);
	CHECK_EQ(kfi_hist_at(&h, 1, 100), 7);
	kfi_hist_add(&h, 900);
	CHECK_EQ(kfi_hist_at(&h, 2, 50), 7);
	CHECK_EQ(kfi_hist_at(&h, 2, 51), 900);
	kfi_hist_free(&h);
}

static void test_no_memory(void)
{
	struct kfi_hist h = { .octave = { NULL } };

	check_fail_alloc(0);
	CHECK_EQ(kfi_hist_add(&h, 5), -ENOMEM);
	check_fail_alloc(-1);
	CHECK_EQ(kfi_hist_add(&h, 5), 0);
	CHECK_EQ(kfi_hist_at(&h, 1, 50), 5);
	kfi_hist_free(&h);
}

static const struct check_case cases[] = {
	{ "percentiles are those of the sorted numbers, within the bound", test_sorted },
	{ "few numbers", test_few },
	{ "no memory", test_no_memory },
};

CHECK_MAIN(cases)
