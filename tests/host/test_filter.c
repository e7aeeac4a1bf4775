// SPDX-License-Identifier: GPL-2.0
/* Filters: which call is kept, and under which reason the others are counted. */
#include <stdio.h>

#include "check.h"
#include "kfi_filter.h"

static struct kfi_filter make(const char *items)
{
	static struct kfi_conf conf;
	struct kfi_conf_err err;
	struct kfi_filter f;
	char text[256];
	int n = snprintf(text, sizeof(text), "begin %s end", items);

	memset(&f, 0xff, sizeof(f));
	if (CHECK_EQ(kfi_conf_parse(&conf, text, (size_t)n, KFI_CONF_ANY, &err), 0))
		kfi_filter_init(&f, &conf);
	return f;
}

static enum kfi_count kind(const struct kfi_filter *f, unsigned long func, u32 ctx)
{
	return kfi_filter_kind(f, &(struct kfi_what) { .func = func, .ctx = ctx, .depth = 1 });
}

static enum kfi_count call(const struct kfi_filter *f, unsigned long func, u32 ctx, u64 dur)
{
	return kfi_filter_call(f, &(struct kfi_what) { .func = func, .ctx = ctx, .depth = 1 }, dur);
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

	CHECK_EQ(f.nfuncs, 4);
	CHECK_EQ(kind(&f, 0x10, KFI_CTX_TASK), KFI_KEPT);
	CHECK_EQ(kind(&f, 0x20, KFI_CTX_NMI), KFI_KEPT);
	CHECK_EQ(kind(&f, 0x30, KFI_CTX_TASK), KFI_KEPT);
	CHECK_EQ(kind(&f, 0x0f, KFI_CTX_TASK), KFI_FILTERED_FUNCLIST);
	CHECK_EQ(kind(&f, 0x11, KFI_CTX_TASK), KFI_FILTERED_FUNCLIST);
	CHECK_EQ(kind(&f, 0x31, KFI_CTX_TASK), KFI_FILTERED_FUNCLIST);
}

static void numbers(void)
{
	struct kfi_filter f = make("filter depth 3 filter pid 0 filter cpu 1");
	struct kfi_what w = { .func = 1, .depth = 3, .pid = 0, .cpu = 1 };

	CHECK_EQ(kfi_filter_kind(&f, &w), KFI_KEPT);
	w.depth = 4;
	CHECK_EQ(kfi_filter_kind(&f, &w), KFI_FILTERED_DEPTH);
	w.cpu = 0;
	CHECK_EQ(kfi_filter_kind(&f, &w), KFI_FILTERED_CPU);
	w.pid = 1;
	CHECK_EQ(kfi_filter_kind(&f, &w), KFI_FILTERED_PID);
	w.ctx = KFI_CTX_HARDIRQ;
	CHECK_EQ(kfi_filter_kind(&f, &w), KFI_FILTERED_PID);
	f = make("filter depth 1 filter funclist 0x10 fend");
	w = (struct kfi_what) { .func = 0x10, .depth = 1, .pid = 7, .cpu = 7 };
	CHECK_EQ(kfi_filter_kind(&f, &w), KFI_KEPT);
	w.func = 0x20;
	CHECK_EQ(kfi_filter_kind(&f, &w), KFI_FILTERED_FUNCLIST);
}

static const struct check_case cases[] = {
	{ "time limits include their bounds", times },
	{ "noints and onlyints", contexts },
	{ "function lists", lists },
	{ "depth, pid and cpu", numbers },
};

CHECK_MAIN(cases)
