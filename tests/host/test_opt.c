// SPDX-License-Identifier: GPL-2.0
/* tools/lib/opt: options with and without a letter, which are rejected and how, and the help. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "opt.h"

static bool flag;
static bool longer;
static u64 num;
static u64 depth;
static const char *name;

static const struct kfi_opt options[] = {
	{ 'f', "flag", KFI_OPT_FLAG, NULL, &flag, .help = "a flag" },
	{ .type = KFI_OPT_HEAD, .help = "\nMore:" },
	{ 'n', "num", KFI_OPT_NUM, "NUM", &num, 1, 9, "a number\nof few digits" },
	{ 0, "longer", KFI_OPT_FLAG, NULL, &longer, .help = "no letter" },
	{ 0, "depth", KFI_OPT_NUM, "NUM", &depth, 0, 7, "no letter, a number" },
	{ 0, "name", KFI_OPT_STR, "TEXT", &name, .help = "no letter, a text" },
};

/* Words up to the first NULL. Return: as kfi_opt_parse(). */
static int parse(struct kfi_err *err, const char *a, const char *b, const char *c)
{
	char *argv[] = { (char *)"x", (char *)a, (char *)b, (char *)c, NULL };
	int argc = 1;

	while (argv[argc])
		argc++;
	flag = longer = false;
	num = depth = 0;
	name = NULL;
	return kfi_opt_parse(options, ARRAY_SIZE(options), argc, argv, NULL, err);
}

static void expect_bad(const char *a, const char *b, const char *text)
{
	struct kfi_err err = { "" };

	CHECK_EQ(parse(&err, a, b, NULL), -EINVAL);
	CHECK_STR(err.text, text);
}

static void test_taken(void)
{
	struct kfi_err err;

	CHECK_EQ(parse(&err, "-fn3", "file", NULL), 2);
	CHECK(flag && num == 3 && !longer);
	CHECK_EQ(parse(&err, "--longer", "--depth=0", "--name=a b"), 4);
	CHECK(longer && !depth && name && strcmp(name, "a b") == 0);
	CHECK_EQ(parse(&err, "file", "--depth", "7"), 3);
	CHECK_EQ(depth, 7);
	CHECK_EQ(parse(&err, "-f", "--flag", "file"), 3);
	CHECK_EQ(parse(&err, "--depth=1", "--depth=2", "file"), 3);
	CHECK_EQ(depth, 2);
}

static void test_refused(void)
{
	expect_bad("-x", NULL, "unknown option -x");
	expect_bad("--none", NULL, "unknown option --none");
	expect_bad("-n", NULL, "option -n needs an argument");
	expect_bad("--depth", NULL, "option --depth needs an argument");
	expect_bad("--flag=1", NULL, "option --flag=1 takes no argument");
	expect_bad("--longer=1", NULL, "option --longer=1 takes no argument");
	expect_bad("--num", "10", "option -n needs a number from 1 to 9, not \"10\"");
	expect_bad("--depth", "8", "option --depth needs a number from 0 to 7, not \"8\"");
	expect_bad("--name=a", "--name=a", "option --name is given twice, and takes one argument");
	expect_bad("--depth", "-1", "option --depth needs a number from 0 to 7, not \"-1\"");
}

static void test_help(void)
{
	static const char want[] =
		"  -f, --flag            a flag\n"
		"\nMore:\n"
		"  -n, --num NUM         a number\n"
		"                        of few digits\n"
		"      --longer          no letter\n"
		"      --depth NUM       no letter, a number\n"
		"      --name TEXT       no letter, a text\n";
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (!CHECK(out))
		return;
	kfi_opt_help(options, ARRAY_SIZE(options), 0, out);
	fclose(out);
	CHECK_STR(text, want);
	free(text);
}

static const struct check_case cases[] = {
	{ "options that are taken", test_taken },
	{ "options that are refused, by name", test_refused },
	{ "the help", test_help },
};

CHECK_MAIN(cases)
