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

static void times(void)
{
	struct kfi_filter f = make("");

	CHECK_EQ(kfi_filter_call(&f, 1, KFI_CTX_TASK, 0), KFI_KEPT);
	CHECK_EQ(kfi_filter_call(&f, 1, KFI_CTX_TASK, U64_MAX), KFI_KEPT);
	kfi_filter_set_times(&f, 100, 200);
	CHECK_EQ(kfi_filter_call(&f, 1, KFI_CTX_TASK, 99), KFI_FILTERED_MINTIME);
	CHECK_EQ(kfi_filter_call(&f, 1, KFI_CTX_TASK, 100), KFI_KEPT);
	CHECK_EQ(kfi_filter_call(&f, 1, KFI_CTX_TASK, 200), KFI_KEPT);
	CHECK_EQ(kfi_filter_call(&f, 1, KFI_CTX_TASK, 201), KFI_FILTERED_MAXTIME);
	CHECK_EQ(kfi_filter_kind(&f, 1, KFI_CTX_TASK), KFI_KEPT);
}

static void contexts(void)
{
	struct kfi_filter no = make("filter noints"), only = make("filter onlyints");
	unsigned int ctx;

	CHECK_EQ(kfi_filter_kind(&no, 1, KFI_CTX_TASK), KFI_KEPT);
	CHECK_EQ(kfi_filter_kind(&only, 1, KFI_CTX_TASK), KFI_FILTERED_ONLYINTS);
	for (ctx = KFI_CTX_SOFTIRQ; ctx < KFI_CTX_COUNT; ctx++) {
		CHECK_EQ(kfi_filter_kind(&no, 1, ctx), KFI_FILTERED_NOINTS);
		CHECK_EQ(kfi_filter_kind(&only, 1, ctx), KFI_KEPT);
	}
}

static void lists(void)
{
	struct kfi_filter f = make("filter funclist 0x30 0x10 0x20 0x10 fend");

	CHECK_EQ(f.nfuncs, 4);
	CHECK_EQ(kfi_filter_kind(&f, 0x10, KFI_CTX_TASK), KFI_KEPT);
	CHECK_EQ(kfi_filter_kind(&f, 0x20, KFI_CTX_NMI), KFI_KEPT);
	CHECK_EQ(kfi_filter_kind(&f, 0x30, KFI_CTX_TASK), KFI_KEPT);
	CHECK_EQ(kfi_filter_kind(&f, 0x0f, KFI_CTX_TASK), KFI_FILTERED_FUNCLIST);
	CHECK_EQ(kfi_filter_kind(&f, 0x11, KFI_CTX_TASK), KFI_FILTERED_FUNCLIST);
	CHECK_EQ(kfi_filter_kind(&f, 0x31, KFI_CTX_TASK), KFI_FILTERED_FUNCLIST);
}

static const struct check_case cases[] = {
	{ "time limits include their bounds", times },
	{ "noints and onlyints", contexts },
	{ "function lists", lists },
};

CHECK_MAIN(cases)
