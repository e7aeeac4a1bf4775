// SPDX-License-Identifier: GPL-2.0
/* Parameters in a command line: what the kernel's own parser takes for their values. */
#include <stdlib.h>

#include "check.h"
#include "core/cmdline.h"

/* The value of "a" in @line as a string; NULL if it has none. Nothing stands behind the line. */
static const char *value_of(const char *line, size_t max)
{
	char *exact = malloc(max ? max : 1);
	static char text[80];
	const char *value;
	bool found;
	size_t len;

	memcpy(exact, line, max);
	found = kfi_cmdline_find(exact, max, "a", &value, &len);
	if (found) {
		found = CHECK(value >= exact && value + len <= exact + max) &&
			CHECK(len < sizeof(text)) && CHECK(!memchr(value, '\0', len));
		if (found)
			memcpy(text, value, len);
		text[found ? len : 0] = '\0';
	}
	free(exact);
	return found ? text : NULL;
}

static void table(void)
{
	static const struct {
		const char *line;
		const char *want;	/* NULL: there is no value */
	} rows[] = {
		{ "", NULL },
		{ "a", NULL },
		{ "b=1", NULL },
		{ "ab=1 ba=2", NULL },
		{ "a=", "" },
		{ "a=1", "1" },
		{ "  a=1", "1" },
		{ "a=1 ", "1" },
		{ "b a=1 c", "1" },
		{ "b\ta=1\nc", "1" },
		{ "b\xa0" "a=1", "1" },
		{ "a=1=2", "1=2" },
		{ "=a=1", NULL },
		/* The last one counts. */
		{ "a=1 a=2", "2" },
		{ "a=1 a", "1" },
		/* Quotes: of the value, of the whole, within. */
		{ "a=\"1 2\" b=3", "1 2" },
		{ "\"a=1 2\" b=3", "1 2" },
		{ "a=1\" \"2 b=3", "1\" \"2" },
		{ "a=\"1 2", "1 2" },
		{ "\"a=1 2", "1 2" },
		{ "a=\"", "" },
		{ "a=\"\"", "" },
		{ "\"a=\"", "" },
		{ "\"", NULL },
		{ "\"a", NULL },
		{ "a\"", NULL },
		/* The kernel takes one quote off at the end, whichever it belongs to. */
		{ "\"a=\"1\"\"", "1\"" },
		{ "a=1\"", "1\"" },
		{ "b=\"x a=1\"", NULL },
		{ "b=\"x a=1", NULL },
		{ "b=\"x\" a=1", "1" },
		/* What follows is for init. */
		{ "-- a=1", NULL },
		{ "a=1 -- a=2", "1" },
		{ "\"--\" a=1", NULL },
		{ "--x a=1", "1" },
		{ "--=x a=1", "1" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		const char *got = value_of(rows[i].line, strlen(rows[i].line));

		if (!rows[i].want)
			check_true(!got, rows[i].line, __FILE__, __LINE__);
		else
			check_str(got, rows[i].want, rows[i].line, __FILE__, __LINE__);
	}
}

/* A line ends at its length or at a NUL, whichever comes first. */
static void ends(void)
{
	CHECK_STR(value_of("a=123", 4), "12");
	CHECK_STR(value_of("a=123\0a=4", 9), "123");
	CHECK(!value_of("a=1", 1));
	CHECK(!value_of("a=1", 0));
	CHECK_STR(value_of("a=1", 2), "");
}

static void names(void)
{
	static const char line[] = "kfi=off kfi.conf=\"begin end\" kfi.dump=panic,9";
	const char *value;
	size_t len;

	CHECK(kfi_cmdline_find(line, sizeof(line), "kfi", &value, &len) && len == 3);
	CHECK(kfi_cmdline_find(line, sizeof(line), "kfi.conf", &value, &len) && len == 9);
	CHECK(!kfi_cmdline_find(line, sizeof(line), "kfi.con", &value, &len));
	CHECK(!kfi_cmdline_find(line, sizeof(line), "conf", &value, &len));
}

static const struct check_case cases[] = {
	{ "lines", table },
	{ "ends", ends },
	{ "names", names },
};

CHECK_MAIN(cases)
