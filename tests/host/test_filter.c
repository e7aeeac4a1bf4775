// SPDX-License-Identifier: GPL-2.0
/* Filters: which call is kept, and under which reason the others are counted. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "conf.h"
#include "core/filter.h"

/* The addresses in lists stay where they are until the next filters are made. */
static struct kfi_filter make(const char *items)
{
	static unsigned long addr[KFI_LISTS][KFI_CONF_FUNCS_MAX];
	static struct kfi_conf conf;
	u32 list, i, n[KFI_LISTS] = { 0 };
	struct kfi_conf_err err;
	struct kfi_filter f;
	char text[256];
	int len = snprintf(text, sizeof(text), "begin %s end", items);

	memset(&f, 0xff, sizeof(f));
	if (!CHECK_EQ(conf_parse(&conf, text, (size_t)len, &err), 0))
		return f;
	kfi_filter_init(&f, &conf);
	for (i = 0; i < conf.nfuncs; i++)
		if (conf.funcs[i].resolved) {
			list = conf.funcs[i].list;
			addr[list][n[list]++] = (unsigned long)conf.funcs[i].addr;
		}
	for (list = 0; list < KFI_LISTS; list++)
		kfi_filter_set_list(&f, list, addr[list], n[list]);
	return f;
}

static enum kfi_count kind(const struct kfi_filter *f, unsigned long func, u32 ctx)
{
	return kfi_filter_except_time(f, &(struct kfi_what) {
		.func = func, .ctx = ctx, .depth = 1
	});
}

static enum kfi_count call(const struct kfi_filter *f, unsigned long func, u32 ctx, u64 dur)
{
	return kfi_filter_call(f, &(struct kfi_what) { .func = func, .ctx = ctx, .depth = 1 }, dur);
}

/* The list of record drops nothing, and needs no filter. */
static void recorded(void)
{
	struct kfi_filter f = make("record args 1 ret 0x10 fend");

	CHECK(!f.rare);
	CHECK(kfi_list_has(&f.lists[KFI_LIST_RECORD], 0x10));
	CHECK_EQ(kind(&f, 0x11, KFI_CTX_TASK), KFI_KEPT);
	f = make("record ret 0x10 fend filter exclude 0x11");
	CHECK(f.rare);
	CHECK_EQ(kind(&f, 0x10, KFI_CTX_TASK), KFI_KEPT);
	CHECK_EQ(kind(&f, 0x11, KFI_CTX_TASK), KFI_FILTERED_EXCLUDE);
}

static void times(void)
{
	struct kfi_filter f = make("");

	CHECK_EQ(call(&f, 1, KFI_CTX_TASK, 0), KFI_KEPT);
	CHECK_EQ(call(&f, 1, KFI_CTX_TASK, U64_MAX), KFI_KEPT);
	kfi_filter_set_times(&f, 100, 200);
	CHECK_EQ(call(&f, 1, KFI_CTX_TASK, 99), KFI_FILTERED_MINTIME);
	CHECK_EQ(call(&f, 1, KFI_CTX_TASK, 100), KFI_KEPT);
	CHECK_EQ(call(&f, 1, KFI_CTX_TASK, 200), KFI_KEPT);
	CHECK_EQ(call(&f, 1, KFI_CTX_TASK, 201), KFI_FILTERED_MAXTIME);
	CHECK_EQ(kind(&f, 1, KFI_CTX_TASK), KFI_KEPT);
}

/* Hooks read the limits while they change, half by half where a long has 32 bits. */
static void changing_times(void)
{
	static const u64 limits[] = {
		0, 1, 0x10, U32_MAX - 0x10, U32_MAX, 1ull + U32_MAX, 0x10ull + U32_MAX,
		0x2f0000000ull, 0x310000000ull, U64_MAX - 1, U64_MAX
	};
	const u64 low = BITS_PER_LONG == 32 ? U32_MAX : U64_MAX;
	u64 min, max, mins[2], maxs[2];
	u32 i, j, k;

	for (i = 0; i < ARRAY_SIZE(limits); i++)
		for (j = 0; j < ARRAY_SIZE(limits); j++) {
			for (k = 0; k < 2; k++) {
				mins[k] = limits[k ? j : i];
				maxs[k] = mins[k];
				kfi_filter_widen(&mins[k], &maxs[k]);
				CHECK(mins[k] <= limits[k ? j : i]);
				CHECK(maxs[k] >= limits[k ? j : i]);
			}
			min = (mins[0] & low) | (mins[1] & ~low);
			max = (maxs[0] & low) | (maxs[1] & ~low);
			CHECK(min <= mins[0] || min <= mins[1]);
			CHECK(max >= maxs[0] || max >= maxs[1]);
		}
}

static void contexts(void)
{
	struct kfi_filter no = make("filter noints"), only = make("filter onlyints");
	unsigned int ctx;

	CHECK_EQ(kind(&no, 1, KFI_CTX_TASK), KFI_KEPT);
	CHECK_EQ(kind(&only, 1, KFI_CTX_TASK), KFI_FILTERED_ONLYINTS);
	for (ctx = KFI_CTX_SOFTIRQ; ctx < KFI_CTX_COUNT; ctx++) {
		CHECK_EQ(kind(&no, 1, ctx), KFI_FILTERED_NOINTS);
		CHECK_EQ(kind(&only, 1, ctx), KFI_KEPT);
	}
}

static void lists(void)
{
	struct kfi_filter f = make("filter funclist 0x30 0x10 0x20 0x10 fend");

	CHECK_EQ(f.lists[KFI_LIST_ONLY].n, 3);
	CHECK(!f.lists[KFI_LIST_EXCLUDE].given && !f.lists[KFI_LIST_UNDER].given);
	CHECK_EQ(kind(&f, 0x10, KFI_CTX_TASK), KFI_KEPT);
	CHECK_EQ(kind(&f, 0x20, KFI_CTX_NMI), KFI_KEPT);
	CHECK_EQ(kind(&f, 0x30, KFI_CTX_TASK), KFI_KEPT);
	CHECK_EQ(kind(&f, 0x0f, KFI_CTX_TASK), KFI_FILTERED_FUNCLIST);
	CHECK_EQ(kind(&f, 0x11, KFI_CTX_TASK), KFI_FILTERED_FUNCLIST);
	CHECK_EQ(kind(&f, 0x31, KFI_CTX_TASK), KFI_FILTERED_FUNCLIST);
}

static void exclude(void)
{
	struct kfi_filter f = make("filter exclude 0x20 0x10 fend filter exclude 0x40");

	CHECK_EQ(kind(&f, 0x10, KFI_CTX_TASK), KFI_FILTERED_EXCLUDE);
	CHECK_EQ(kind(&f, 0x20, KFI_CTX_HARDIRQ), KFI_FILTERED_EXCLUDE);
	CHECK_EQ(kind(&f, 0x40, KFI_CTX_TASK), KFI_FILTERED_EXCLUDE);
	CHECK_EQ(kind(&f, 0x30, KFI_CTX_TASK), KFI_KEPT);
	/* It beats a funclist, and has nothing to do with what is below. */
	f = make("filter funclist 0x10 0x20 fend filter exclude 0x20 0x30");
	CHECK_EQ(kind(&f, 0x10, KFI_CTX_TASK), KFI_KEPT);
	CHECK_EQ(kind(&f, 0x20, KFI_CTX_TASK), KFI_FILTERED_EXCLUDE);
	CHECK_EQ(kind(&f, 0x30, KFI_CTX_TASK), KFI_FILTERED_EXCLUDE);
	CHECK_EQ(kind(&f, 0x40, KFI_CTX_TASK), KFI_FILTERED_FUNCLIST);
}

static void under(void)
{
	struct kfi_filter f = make("filter only under 0x20 fend");
	struct kfi_what w = { .func = 0x20, .depth = 1 };

	CHECK_EQ(kfi_filter_except_time(&f, &w), KFI_FILTERED_UNDER);
	w.under = true;
	CHECK_EQ(kfi_filter_except_time(&f, &w), KFI_KEPT);
	w.func = 0x30;
	CHECK_EQ(kfi_filter_except_time(&f, &w), KFI_KEPT);
	f = make("filter only under 0x20 fend filter funclist 0x40 fend");
	CHECK_EQ(kfi_filter_except_time(&f, &w), KFI_FILTERED_FUNCLIST);
	f = make("filter funclist 0x30 fend");
	w.under = false;
	CHECK_EQ(kfi_filter_except_time(&f, &w), KFI_KEPT);
}

/* A list of any length and order is sorted, and each address is there once. */
static void long_lists(void)
{
	static unsigned long addr[3000];
	static struct kfi_filter f;
	u32 n, i;

	for (n = 0; n <= ARRAY_SIZE(addr); n = n < 20 ? n + 1 : n * 2 + 1) {
		u32 seed = n;

		for (i = 0; i < n; i++) {
			seed = seed * 1103515245 + 12345;
			addr[i] = 3 * (seed >> 16 & 2047);
		}
		f.lists[KFI_LIST_ONLY] = (struct kfi_list) { .given = true };
		kfi_filter_set_list(&f, KFI_LIST_ONLY, addr, n);
		CHECK(f.lists[KFI_LIST_ONLY].n <= n);
		for (i = 1; i < f.lists[KFI_LIST_ONLY].n; i++)
			CHECK(addr[i - 1] < addr[i]);
		for (seed = n, i = 0; i < n; i++) {
			seed = seed * 1103515245 + 12345;
			CHECK(kfi_list_has(&f.lists[KFI_LIST_ONLY], 3 * (seed >> 16 & 2047)));
			CHECK(!kfi_list_has(&f.lists[KFI_LIST_ONLY], 3 * (seed >> 16 & 2047) + 1));
		}
	}
}

static void ranges(void)
{
	static const struct {
		unsigned long base, size, in[2], out[2];
	} t[] = {
		{ 0xbf000000, 0x1000, { 0xbf000000, 0xbf000fff }, { 0xbeffffff, 0xbf001000 } },
		{ 0xbf000000, 0x1001, { 0xbf000000, 0xbf001fff }, { 0xbeffffff, 0xbf002000 } },
		{ 0xbf000800, 0x900, { 0xbf000800, 0xbf0010ff }, { 0xbeffffff, 0xbf002000 } },
		{ 0xbf000000, 1, { 0xbf000000, 0xbf000000 }, { 0xbeffffff, 0xbf001000 } },
		{ ~0ul & ~0x1ffful, 0x2000, { ~0ul - 0x1fff, ~0ul }, { ~0ul - 0x2000, 0 } },
		{ 0x10000000, 0x1000000, { 0x10000000, 0x10ffefff }, { 0x0fffffff, 0x11000000 } },
	};
	struct kfi_filter f = make("filter exclude module:a module:b");
	struct kfi_list *l = &f.lists[KFI_LIST_EXCLUDE];
	size_t i;
	int j;

	for (i = 0; i < ARRAY_SIZE(t); i++) {
		unsigned long r = kfi_range(t[i].base, t[i].size);

		for (j = 0; j < 2; j++) {
			CHECK(kfi_in_range(r, t[i].in[j]));
			CHECK(!kfi_in_range(r, t[i].out[j]));
		}
	}
	CHECK_EQ(kfi_range(0xbf000000, 0), 0);
	CHECK(!kfi_in_range(0, 0) && !kfi_in_range(0, 0xbf000000) && !kfi_in_range(0, ~0ul));
	CHECK(l->given && l->modules && !l->n);
	CHECK_EQ(kind(&f, 0xbf000010, KFI_CTX_TASK), KFI_KEPT);
	l->range[KFI_RANGES - 1] = kfi_range(0xbf000000, 0x1000);
	CHECK_EQ(kind(&f, 0xbf000010, KFI_CTX_TASK), KFI_FILTERED_EXCLUDE);
	CHECK_EQ(kind(&f, 0xbf001010, KFI_CTX_TASK), KFI_KEPT);
	l->range[0] = kfi_range(0xbf001000, 0x1000);
	CHECK_EQ(kind(&f, 0xbf001010, KFI_CTX_TASK), KFI_FILTERED_EXCLUDE);
}

static const struct {
	const char *pattern, *yes[4], *no[4];
} patterns[] = {
	{ "f", { "f" }, { "", "ff", "g", "F" } },
	{ "*", { "f", "", "any_thing.isra.0" }, { NULL } },
	{ "**", { "f", "" }, { NULL } },
	{ "?", { "f", "." }, { "", "ff" } },
	{ "ext4_*", { "ext4_", "ext4_sync_fs" }, { "ext4", "_ext4_x", "ext3_x" } },
	{ "*_init", { "_init", "a_init", "_init_init", "a_init_init" }, { "init", "a_inits", "_ini" } },
	{ "a*b*c", { "abc", "abbc", "aXbXcXbXc" }, { "abcb", "ac", "acb", "bac" } },
	{ "*ab", { "ab", "aab", "abab" }, { "aba", "b" } },
	{ "a?c", { "abc", "a_c" }, { "ac", "abbc" } },
	{ "a[bc]d", { "abd", "acd" }, { "ad", "aed", "abcd", "a[d" } },
	{ "[a-cx-z]", { "a", "c", "x", "z" }, { "d", "w", "", "-" } },
	{ "[!a-c]x", { "dx", "_x" }, { "ax", "cx", "x" } },
	{ "*[0-9]", { "a0", "9", "a10" }, { "a", "0a" } },
	{ "*[a-b]*c", { "ac", "xbxc", "abcbc" }, { "xc", "a", "acb" } },
	{ "[a-a]", { "a" }, { "-", "b" } },
	{ "$a.x_1", { "$a.x_1" }, { "$aXx_1" } },
};

static void matching(void)
{
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(patterns); i++) {
		u32 len = strlen(patterns[i].pattern);
		char *p = malloc(len);

		/* Without a byte behind it. */
		memcpy(p, patterns[i].pattern, len);
		for (j = 0; j < 4 && patterns[i].yes[j]; j++)
			if (!CHECK(kfi_match(p, len, patterns[i].yes[j])))
				printf("# %s %s\n", patterns[i].pattern, patterns[i].yes[j]);
		for (j = 0; j < 4 && patterns[i].no[j]; j++)
			if (!CHECK(!kfi_match(p, len, patterns[i].no[j])))
				printf("# %s %s\n", patterns[i].pattern, patterns[i].no[j]);
		free(p);
	}
	CHECK(kfi_match_module(&(struct kfi_func) { .name = "module:kfi_*", .len = 12 }, "kfi_a"));
	CHECK(!kfi_match_module(&(struct kfi_func) { .name = "module:kfi_*", .len = 12 }, "module"));
}

/* The C library has the same patterns, and another way to match them. */
static void as_the_library(void)
{
	static const char * const pieces[] = {
		"*", "?", "a", "b", "[ab]", "[!a]", "[a-c]", "[b-b]", "[!b-cd]", "_", "*", "ab",
	};
	char pattern[64], name[16];
	u32 seed = 1, i, n;

	for (n = 0; n < 200000; n++) {
		pattern[0] = '\0';
		for (i = 0; i < (seed >> 8) % 6; i++)
			strcat(pattern, pieces[(seed >> (9 + 3 * i)) % ARRAY_SIZE(pieces)]);
		seed = seed * 1103515245 + 12345;
		for (i = 0; i < (seed >> 20) % 9; i++)
			name[i] = "abcd_"[(seed >> (6 + 2 * i)) % 5];
		name[i] = '\0';
		seed = seed * 1103515245 + 12345;
		if (!CHECK_EQ(kfi_match(pattern, strlen(pattern), name), !fnmatch(pattern, name, 0)))
			printf("# %s %s\n", pattern, name);
	}
}

static void numbers(void)
{
	struct kfi_filter f = make("filter depth 3 filter pid 0 filter cpu 1");
	struct kfi_what w = { .func = 1, .depth = 3, .pid = 0, .cpu = 1 };

	CHECK_EQ(kfi_filter_except_time(&f, &w), KFI_KEPT);
	w.depth = 4;
	CHECK_EQ(kfi_filter_except_time(&f, &w), KFI_FILTERED_DEPTH);
	w.cpu = 0;
	CHECK_EQ(kfi_filter_except_time(&f, &w), KFI_FILTERED_CPU);
	w.pid = 1;
	CHECK_EQ(kfi_filter_except_time(&f, &w), KFI_FILTERED_PID);
	/* Another session of the configuration follows this task, then this one. */
	f.follows = 4;
	w.follows = 2;
	CHECK_EQ(kfi_filter_except_time(&f, &w), KFI_FILTERED_PID);
	w.follows = 6;
	CHECK_EQ(kfi_filter_except_time(&f, &w), KFI_FILTERED_CPU);
	w.follows = 0;
	w.ctx = KFI_CTX_HARDIRQ;
	CHECK_EQ(kfi_filter_except_time(&f, &w), KFI_FILTERED_PID);
	f = make("filter depth 1 filter funclist 0x10 fend");
	w = (struct kfi_what) { .func = 0x10, .depth = 1, .pid = 7, .cpu = 7 };
	CHECK_EQ(kfi_filter_except_time(&f, &w), KFI_KEPT);
	w.func = 0x20;
	CHECK_EQ(kfi_filter_except_time(&f, &w), KFI_FILTERED_FUNCLIST);
}

/* The fast path knows the context and the duration only, so these come first. */
static void first_reason(void)
{
	struct kfi_filter f = make("filter noints filter mintime 1 filter depth 3");
	struct kfi_what w = { .func = 1, .depth = 4 };

	CHECK(f.mintime);
	kfi_filter_set_times(&f, 100, 200);
	CHECK_EQ(kfi_filter_call(&f, &w, 99), KFI_FILTERED_MINTIME);
	CHECK_EQ(kfi_filter_call(&f, &w, 100), KFI_FILTERED_DEPTH);
	CHECK_EQ(kfi_filter_call(&f, &w, 201), KFI_FILTERED_MAXTIME);
	w.depth = 3;
	CHECK_EQ(kfi_filter_call(&f, &w, 200), KFI_KEPT);
	CHECK_EQ(kfi_filter_call(&f, &w, 201), KFI_FILTERED_MAXTIME);
	w.ctx = KFI_CTX_SOFTIRQ;
	CHECK_EQ(kfi_filter_call(&f, &w, 99), KFI_FILTERED_NOINTS);
	w.between = true;
	CHECK_EQ(kfi_filter_call(&f, &w, 99), KFI_FILTERED_BETWEEN);
	CHECK(!make("filter maxtime 1").mintime);
}

static const struct check_case cases[] = {
	{ "a list of record", recorded },
	{ "time limits include their bounds", times },
	{ "time limits that change", changing_times },
	{ "noints and onlyints", contexts },
	{ "function lists", lists },
	{ "exclude lists", exclude },
	{ "only under", under },
	{ "long lists", long_lists },
	{ "of several reasons the first counts", first_reason },
	{ "modules in lists", ranges },
	{ "names and patterns", matching },
	{ "patterns, as the C library has them", as_the_library },
	{ "depth, pid and cpu", numbers },
};

CHECK_MAIN(cases)
