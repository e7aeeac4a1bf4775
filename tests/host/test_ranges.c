// SPDX-License-Identifier: GPL-2.0
/* tools/lib/ranges: lines of the table of modules, and what was at an address at a time. */
#include <stdio.h>
#include <string.h>

#include "check.h"
#include "ranges.h"

static int line(struct kfi_ranges *ranges, const char *s)
{
	return kfi_ranges_line(ranges, s, strlen(s));
}

static void good_lines(void)
{
	struct kfi_ranges ranges = { 0 };
	const struct kfi_module_range *l;

	CHECK_EQ(line(&ranges, "Kernel text = 0xffffffff81000000 2097152\r"), 0);
	CHECK_EQ(ranges.text.addr, 0xffffffff81000000);
	CHECK_EQ(ranges.text.size, 2097152);
	CHECK_EQ(line(&ranges, "Kernel init text = 0xc0400000 4096 -"), 0);
	CHECK_EQ(ranges.init.size, 4096);
	CHECK_EQ(ranges.init.to, KFI_ANY_TIME);
	CHECK_EQ(line(&ranges, "Kernel init text = 0xc0400000 4096 77"), 0);
	CHECK_EQ(ranges.init.to, 77);
	CHECK_EQ(line(&ranges, "Modules forgotten = 12"), 0);
	CHECK_EQ(ranges.forgotten, 12);
	CHECK_EQ(line(&ranges, "Module = e1000 0xbf000000 10 0xbf100000 20 -5 7 -"), 0);
	if (!CHECK_EQ(ranges.n, 1))
		return;
	l = &ranges.module[0];
	CHECK_STR(l->name, "e1000");
	CHECK_EQ(l->code.addr, 0xbf000000);
	CHECK_EQ(l->code.size, 10);
	CHECK_EQ(l->code.from, -5);
	CHECK_EQ(l->code.to, KFI_ANY_TIME);
	CHECK_EQ(l->init.addr, 0xbf100000);
	CHECK_EQ(l->init.size, 20);
	CHECK_EQ(l->init.from, -5);
	CHECK_EQ(l->init.to, 7);
	kfi_ranges_free(&ranges);
	CHECK_EQ(ranges.n, 0);
	CHECK_EQ(ranges.forgotten, 0);
}

static void bad_lines(void)
{
	static const char *const t[] = {
		"", "Module = ", "Module = a", "Module = a 0x1 2 0x3 4 5 6", "Module = a 1 2 0x3 4 5 6 7",
		"Module = a 0x1 -2 0x3 4 5 6 7", "Module = a 0x1 2 0x3 4 5 6 x",
		"Module = a 0x1 2 0x3 4 5 6 --7", "Module = a 0x1 99999999999 0x3 4 5 6 7",
		"Module = a 0x1 2 0x3 4 5 6 99999999999999999999", " Module = a 0x1 2 0x3 4 5 6 7",
		"Module = 0123456789012345678901234567890123456789012345678901234567890123 0x1 2 0x3 4 5 6 7",
		"Kernel text = 0xc0100000", "Kernel init text = 0xc0400000 4096",
		"Modules forgotten = many",
	};
	struct kfi_ranges ranges = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		CHECK_EQ(line(&ranges, t[i]), 0);
		if (!CHECK_EQ(ranges.n, 0) || !CHECK(!ranges.text.size && !ranges.init.size))
			check_true(false, t[i], __FILE__, __LINE__);
	}
	CHECK_EQ(ranges.forgotten, 0);
	check_fail_alloc(0);
	CHECK_EQ(line(&ranges, "Module = a 0x1 2 0x3 4 5 6 7"), -ENOMEM);
	check_fail_alloc(-1);
}

static void places(void)
{
	static const struct {
		u64 addr;
		s64 us;
		enum kfi_range_kind place;
		const char *name;
		bool init;
	} t[] = {
		{ 0xc0100000, 5, KFI_RANGE_KERNEL }, { 0xc01000ff, 5, KFI_RANGE_KERNEL },
		{ 0xc0100100, 5, KFI_RANGE_UNKNOWN }, { 0xc00fffff, 5, KFI_RANGE_UNKNOWN },
		{ 0xc0400000, 100, KFI_RANGE_KERNEL }, { 0xc0400000, 101, KFI_RANGE_FREED },
		{ 0xc0400000, KFI_ANY_TIME, KFI_RANGE_KERNEL },
		{ 0xbf000000, -51, KFI_RANGE_UNKNOWN }, { 0xbf000000, -50, KFI_RANGE_MODULE,
							  "old" },
		{ 0xbf000fff, 200, KFI_RANGE_MODULE, "old" }, { 0xbf000000, 201,
								KFI_RANGE_UNKNOWN },
		{ 0xbf001000, 100, KFI_RANGE_UNKNOWN },
		{ 0xbf010000, -20, KFI_RANGE_MODULE, "old", true }, { 0xbf010000, -19,
								      KFI_RANGE_UNKNOWN },
		{ 0xbf000000, 300, KFI_RANGE_MODULE, "new" },
		{ 0xbf000000, KFI_ANY_TIME, KFI_RANGE_MODULE, "new" },
		{ 0xc0400010, 350, KFI_RANGE_MODULE, "new", true }, { 0xc0400010, 401,
								      KFI_RANGE_FREED },
	};
	struct kfi_ranges ranges = { 0 };

	line(&ranges, "Kernel text = 0xc0100000 256");
	line(&ranges, "Kernel init text = 0xc0400000 256 100");
	line(&ranges, "Module = old 0xbf000000 4096 0xbf010000 256 -50 -20 200");
	line(&ranges, "Module = new 0xbf000000 8192 0xc0400000 256 300 400 -");
	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		const struct kfi_module_range *l;
		const struct kfi_range *c;

		if (!CHECK_EQ(kfi_ranges_at(&ranges, t[i].addr, t[i].us, &l, &c), t[i].place))
			printf("# case %zu\n", i);
		else if (t[i].name && CHECK_STR(l->name, t[i].name))
			CHECK(c == (t[i].init ? &l->init : &l->code));
	}
	kfi_ranges_free(&ranges);
	/* A header that says nothing. */
	{
		const struct kfi_module_range *l;
		const struct kfi_range *c;

		CHECK_EQ(kfi_ranges_at(&ranges, 0, 0, &l, &c), KFI_RANGE_UNKNOWN);
	}
}

/* As many as a recorder never lists cost time, but no more than a bound. */
static void very_many(void)
{
	struct kfi_ranges ranges = { 0 };

	for (u32 i = 0; i < KFI_RANGES_MAX + 3; i++)
		if (!CHECK_EQ(line(&ranges, "Module = m 0xbf000000 16 0xbf010000 16 1 2 -"), 0))
			break;
	CHECK_EQ(ranges.n, KFI_RANGES_MAX);
	CHECK_EQ(ranges.forgotten, 3);
	kfi_ranges_free(&ranges);
}

static const struct check_case cases[] = {
	{ "lines of a header", good_lines },
	{ "lines that are none", bad_lines },
	{ "what was where at what time", places },
	{ "very many modules", very_many },
};

CHECK_MAIN(cases)
