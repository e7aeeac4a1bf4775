// SPDX-License-Identifier: GPL-2.0
/* Records of boots: what is read, why a line is no record, and allocations that fail. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "record.h"

#define HEAD	"{\"kfi\":\"record\",\"version\":1,\"board\":\"a\",\"boot\":\"1\",\"build\":\"v\"," \
		"\"time\":1,\"complete\":1,\"total_ns\":9"
#define PHASES	",\"phase.name\":[\"p\"],\"phase.entry_ns\":[0],\"phase.length_ns\":[9]"
#define PATH	",\"path.kind\":[],\"path.function\":[],\"path.entry_ns\":[],\"path.length_ns\":[]"
#define FUNCS	",\"function.name\":[\"f\",\"g\"],\"function.count\":[1,2]," \
		"\"function.total_ns\":[null,4],\"function.self_ns\":[null,4],\"function.max_ns\":[null,2]"
/* Numbers of two functions. */
#define TWO	",\"function.count\":[1,2],\"function.total_ns\":[1,4]," \
		"\"function.self_ns\":[1,4],\"function.max_ns\":[1,2]}"
#define WHOLE	HEAD PHASES PATH FUNCS "}"

static int parse(struct kfi_record *r, const char *s, struct kfi_err *err)
{
	return kfi_record_parse(r, s, strlen(s), "x", 7, err);
}

static void test_whole(void)
{
	struct kfi_record r;
	struct kfi_err err = { "" };

	CHECK_EQ(parse(&r, WHOLE, &err), 0);
	CHECK_STR(err.text, "");
	CHECK_STR(kfi_record_text(&r, r.text[KFI_RECORD_BOARD]), "a");
	CHECK(!kfi_record_text(&r, r.text[KFI_RECORD_ARCH]));
	CHECK_EQ(r.number[KFI_RECORD_TOTAL], 9);
	CHECK_EQ(r.number[KFI_RECORD_LOST], -1);
	CHECK_EQ(r.list[KFI_RECORD_FUNCS].n, 2);
	CHECK_EQ(r.list[KFI_RECORD_FUNCS].row[0].number[KFI_RECORD_TOTAL_NS], -1);
	CHECK_EQ(r.list[KFI_RECORD_FUNCS].row[1].number[KFI_RECORD_MAX_NS], 2);
	kfi_record_free(&r);
}

static void test_wrong(void)
{
	static const struct {
		const char *text;
		const char *why;
	} wrong[] = {
		{ "{\"kfi\":", "x:7:7: not JSON: " },
		{ "[]", "x:7: not a JSON object" },
		{ "{\"kfi\":\"boot\"}", "x:7: not a record of a boot" },
		{ "{\"kfi\":\"record\",\"version\":2}", "x:7: a record of another version" },
		{ "{\"kfi\":\"record\",\"version\":1}", "x:7: board is missing" },
		{ HEAD "}", "x:7: phase.name is missing" },
		{ HEAD ",\"phase.name\":1}", "x:7: phase.name is no array" },
		{ HEAD ",\"phase.name\":[null]}", "x:7: phase.name is missing" },
		{ HEAD ",\"phase.name\":[\"p\"],\"phase.entry_ns\":[]}",
		  "x:7: phase.entry_ns has 0 elements, and phase.name has 1" },
		{ HEAD ",\"phase.name\":[\"p\"],\"phase.entry_ns\":[-1]}",
		  "x:7: phase.entry_ns is not a whole number of 0 or more" },
		{ HEAD ",\"run\":1.5}", "x:7: run is not a whole number" },
		{ HEAD ",\"arch\":1}", "x:7: arch is not a text" },
		{ HEAD ",\"arch\":\"a\",\"arch\":\"b\"}", "not JSON: " },
		{ HEAD PHASES PATH ",\"function.name\":[\"f\",\"f\"]" TWO,
		  "x:7: function.name has f twice" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct kfi_record r;
		struct kfi_err err = { "" };

		CHECK_EQ(parse(&r, wrong[i].text, &err), -EINVAL);
		if (!CHECK(strstr(err.text, wrong[i].why)))
			printf("# %s\n", err.text);
		kfi_record_free(&r);
	}
}

static void test_memory(void)
{
	struct kfi_record r;
	struct kfi_err err;
	long n = 0;
	int ret;

	do {
		check_fail_alloc(n++);
		ret = parse(&r, WHOLE, &err);
		if (check_alloc_failed())
			CHECK_EQ(ret, -ENOMEM);
		kfi_record_free(&r);
	} while (check_alloc_failed() && n < 1000);
	check_fail_alloc(-1);
	CHECK_EQ(ret, 0);
	CHECK(n > 5);
}

static const struct check_case cases[] = {
	{ "a record", test_whole },
	{ "what is none", test_wrong },
	{ "no memory", test_memory },
};

CHECK_MAIN(cases)
