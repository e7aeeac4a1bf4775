// SPDX-License-Identifier: GPL-2.0
/* tools/lib/top: the greatest of many, in order, whatever the order they come in. */
#include <stdlib.h>

#include "check.h"
#include "top.h"

static int by_size(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return x < y ? -1 : x > y;
}

/* Numbers below @n, by steps of @step, which has no factor in common with it. */
static void test_one(u32 n, u32 step, u64 max)
{
	struct kfi_top t = { .size = sizeof(u32), .max = max, .compare = by_size };
	u32 want = max < n ? (u32)max : n;

	for (u32 i = 0; i < n; i++) {
		u32 v = (u32)((u64)i * step % n);

		CHECK_EQ(kfi_top_add(&t, &v), 0);
	}
	CHECK_EQ(t.n, want);
	kfi_top_sort(&t);
	CHECK_EQ(t.n, want);
	for (u32 i = 0; i < want; i++)
		CHECK_EQ(((u32 *)t.at)[i], n - 1 - i);
	free(t.at);
}

static void test_orders(void)
{
	for (u32 max = 0; max < 20; max++) {
		test_one(101, 1, max);
		test_one(101, 100, max);
		test_one(101, 37, max);
	}
	test_one(101, 37, 101);
	test_one(101, 37, U64_MAX);
	test_one(1, 1, 3);
}

static void test_no_memory(void)
{
	struct kfi_top t = { .size = sizeof(u32), .max = 3, .compare = by_size };
	u32 v = 1;

	check_fail_alloc(0);
	CHECK_EQ(kfi_top_add(&t, &v), -ENOMEM);
	check_fail_alloc(-1);
	CHECK_EQ(t.n, 0);
	kfi_top_sort(&t);
	free(t.at);
}

static const struct check_case cases[] = {
	{ "the greatest, in order", test_orders },
	{ "no memory", test_no_memory },
};

CHECK_MAIN(cases)
