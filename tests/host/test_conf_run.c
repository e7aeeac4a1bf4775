// SPDX-License-Identifier: GPL-2.0
/*
 * The parser of the configuration language, continued: several lists, patterns and modules; what is
 * recorded beside calls; several blocks.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "conf.h"

#define ITEMS	"trigger, filter, overwrite, profile, autorepeat, mark, watch, record, logentries or end"
#define N	"  # trigger start not set\n  # trigger stop not set\n" \
		"  filter mintime 0\n  filter maxtime 0\n"

static struct kfi_conf conf;
static struct kfi_conf_err err;

/* Parses an exact copy of the text, so that a read past its end is seen. */
static int parse(const char *text)
{
	static char *copy;
	size_t len = strlen(text);

	free(copy);
	copy = malloc(len);
	memcpy(copy, text, len);
	memset(&conf, 0xa5, sizeof(conf));
	return conf_parse(&conf, copy, len, &err);
}

static const struct {
	const char *text;
	const char *items;
} good[] = {
	{ "begin filter funclist a filter funclist b fend end", N "  filter funclist a b fend\n" },
	{ "begin filter exclude a, b filter exclude c end", N "  filter exclude a b c fend\n" },
	{ "begin filter only under a fend filter only under b end",
	  N "  filter only under a b fend\n" },
	{ "begin filter only under a filter exclude b fend filter funclist 0x1 end",
	  N "  filter funclist 0x1 fend\n  filter exclude b fend\n  filter only under a fend\n" },
	{ "begin filter funclist * ? ext4_* *_init ?a? a[b]c [!a-z0-9_]* [a-a] fend end",
	  N "  filter funclist * ? ext4_* *_init ?a? a[b]c [!a-z0-9_]* [a-a] fend\n" },
	{ "begin filter funclist module:ext4, module:snd_*, module:[a-c]? module fend end",
	  N "  filter funclist module:ext4 module:snd_* module:[a-c]? module fend\n" },
	{ "begin filter funclist a autorepeat end", N "  filter funclist a fend\n  autorepeat\n" },
	{ "begin overwrite end", N "  overwrite\n" },
	{ "begin profile autorepeat filter mintime 0 end", N "  profile\n  autorepeat\n" },
	{ "begin autorepeat overwrite end", N "  overwrite\n  autorepeat\n" },
	{ "begin mark syscalls mark switches end", N "  mark switches syscalls\n" },
	{ "begin mark wakeups initcalls switches end", N "  mark switches initcalls wakeups\n" },
	{ "begin mark initcalls logentries 2 end", N "  mark initcalls\n  logentries 2\n" },
	{ "begin watch stack 1 end", N "  watch stack 1\n" },
	{ "begin watch stack 65536 overwrite end", N "  overwrite\n  watch stack 65536\n" },
	{ "begin watch worst-stack end", N "  watch worst-stack\n" },
	{ "begin watch worst-stack 300 mark switches end",
	  N "  mark switches\n  watch worst-stack 300\n" },
	{ "begin watch worst-stack filter noints end",
	  N "  filter noints\n  watch worst-stack\n" },
	{ "begin record args 4 ret a, b_* fend end", N "  record args 4 ret a b_* fend\n" },
	{ "begin record ret module:c watch stack 1 end",
	  N "  watch stack 1\n  record ret module:c fend\n" },
	{ "begin record args 6 0x1 filter funclist a end",
	  N "  filter funclist a fend\n  record args 6 0x1 fend\n" },
	{ "begin logentries 3 end begin logentries 4 end", N "  logentries 3\n" },
};

static void takes(void)
{
	char buf[1024];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		if (!CHECK_EQ(parse(good[i].text), 0)) {
			printf("# %zu: %u:%u: %s\n", i, err.line, err.col, err.reason);
			continue;
		}
		kfi_conf_format(&conf, buf, sizeof(buf));
		CHECK_STR(buf, good[i].items);
	}
}

static const struct {
	const char *text;
	u32 line, col;
	const char *reason;
} bad[] = {
	/* Lists. */
	{ "begin filter only", 1, 18, "end of text, where under is expected" },
	{ "begin filter only f end", 1, 19, "unknown word 'f', where under is expected" },
	{ "begin filter only under end", 1, 25,
	  "'end' is a keyword, where a function (name or 0x address) is expected" },
	{ "begin filter under f end", 1, 14,
	  "'under', where mintime, maxtime, noints, onlyints, funclist, time, depth, pid, cpu, exclude or only is expected" },
	{ "begin filter exclude", 1, 21, "end of text, where a function is expected" },
	{ "begin\nfilter exclude a", 2, 17, "missing fend: end of text in the list of line 2" },
	/* Patterns and modules. */
	{ "begin trigger start entry ext4_* end", 1, 27,
	  "'ext4_*': a trigger takes one function, no pattern" },
	{ "begin trigger stop exit a[b] end", 1, 25,
	  "'a[b]': a trigger takes one function, no pattern" },
	{ "begin trigger start entry module:a end", 1, 27,
	  "'module:a': a trigger takes one function, no module" },
	{ "begin filter funclist f[] end", 1, 23,
	  "'f[]': a [ ] that is empty, backwards or not closed" },
	{ "begin filter funclist f[!] end", 1, 23,
	  "'f[!]': a [ ] that is empty, backwards or not closed" },
	{ "begin filter funclist f[b-a] end", 1, 23,
	  "'f[b-a]': a [ ] that is empty, backwards or not closed" },
	{ "begin filter funclist f[a end", 1, 23,
	  "'f[a': a [ ] that is empty, backwards or not closed" },
	{ "begin filter funclist f[ end", 1, 23,
	  "'f[': a [ ] that is empty, backwards or not closed" },
	{ "begin filter funclist f[a-] end", 1, 23,
	  "'f[a-]': a [ ] that is empty, backwards or not closed" },
	{ "begin filter funclist f[a", 1, 23,
	  "'f[a': a [ ] that is empty, backwards or not closed" },
	{ "begin filter funclist f[a-", 1, 23,
	  "'f[a-': a [ ] that is empty, backwards or not closed" },
	{ "begin filter funclist f[", 1, 23, "'f[': a [ ] that is empty, backwards or not closed" },
	{ "begin filter funclist f[*] end", 1, 23,
	  "'f[*]': a [ ] that is empty, backwards or not closed" },
	{ "begin filter funclist f]* end", 1, 23,
	  "'f]*' is neither a function name nor a 0x address" },
	{ "begin filter funclist 0[a]* end", 1, 23,
	  "'0[a]*' is neither a function name nor a 0x address" },
	{ "begin filter funclist 0x1* end", 1, 23, "'0x1*' is no address: 0x and hex digits" },
	{ "begin filter funclist ext4:f end", 1, 23,
	  "'ext4:f' is neither a function name nor a 0x address" },
	{ "begin filter funclist module: end", 1, 23,
	  "'module:' is neither a function name nor a 0x address" },
	{ "begin filter funclist module:a:b end", 1, 23,
	  "'module:a:b' is neither a function name nor a 0x address" },
	{ "begin filter funclist module:[ end", 1, 23,
	  "'module:[': a [ ] that is empty, backwards or not closed" },
	/* What is recorded. */
	{ "begin profile\noverwrite end", 2, 1, "'overwrite' contradicts the item in line 1" },
	{ "begin overwrite\nprofile end", 2, 1, "'profile' contradicts the item in line 1" },
	{ "begin profile\nwatch stack 1 end", 2, 1, "'watch' contradicts the item in line 1" },
	{ "begin\nwatch worst-stack\nprofile end", 3, 1, "'profile' contradicts the item in line 2" },
	{ "begin profile\nmark switches end", 2, 1, "'mark' contradicts the item in line 1" },
	{ "begin mark switches\nprofile end", 2, 1, "'profile' contradicts the item in line 1" },
	{ "begin mark\nsyscalls profile end", 2, 10, "'profile' contradicts the item in line 2" },
	{ "begin profile\nprofile end", 2, 1, "'profile' is given twice, first in line 1" },
	{ "begin overwrite overwrite end", 1, 17, "'overwrite' is given twice, first in line 1" },
	{ "begin autorepeat\nautorepeat end", 2, 1, "'autorepeat' is given twice, first in line 1" },
	{ "begin mark end", 1, 12,
	  "'end', where switches, initcalls, syscalls, wakeups or callers is expected" },
	{ "begin mark x end", 1, 12,
	  "unknown word 'x', where switches, initcalls, syscalls, wakeups or callers is expected" },
	{ "begin mark syscalls\nmark syscalls end", 2, 6,
	  "'syscalls' is given twice, first in line 1" },
	{ "begin mark wakeups mark wakeups end", 1, 25,
	  "'wakeups' is given twice, first in line 1" },
	{ "begin mark wakeups\nprofile end", 2, 1, "'profile' contradicts the item in line 1" },
	{ "begin watch 5 end", 1, 13, "unknown word '5', where stack or worst-stack is expected" },
	{ "begin watch stack end", 1, 19, "'end', where a decimal number is expected" },
	{ "begin watch stack 0 end", 1, 19, "'0' is less than 1" },
	{ "begin watch stack 65537 end", 1, 19, "'65537' is more than 65536" },
	{ "begin watch worst-stack 0x5 end", 1, 25, "'0x5', where a decimal number is expected" },
	{ "begin watch worst-stack 0 end", 1, 25, "'0' is less than 1" },
	{ "begin watch worst-stack", 1, 24,
	  "missing end: end of text in the block begun in line 1" },
	{ "begin watch stack 1\nwatch worst-stack end", 2, 1,
	  "'watch' is given twice, first in line 1" },
	{ "begin record a end", 1, 14, "unknown word 'a', where args or ret is expected" },
	{ "begin record args a end", 1, 19, "'a', where a decimal number is expected" },
	{ "begin record args 0 a end", 1, 19, "'0' is less than 1" },
	{ "begin record args 11 a end", 1, 19, "'11' is more than 10" },
	{ "begin record args 2 end", 1, 21,
	  "'end' is a keyword, where a function (name or 0x address) is expected" },
	{ "begin record ret fend end", 1, 18,
	  "'fend' is a keyword, where a function (name or 0x address) is expected" },
	{ "begin\nrecord ret a", 2, 13, "missing fend: end of text in the list of line 2" },
	{ "begin record ret a fend\nrecord args 1 b end", 2, 1,
	  "'record' is given twice, first in line 1" },
	{ "begin profile\nrecord ret a end", 2, 1, "'record' contradicts the item in line 1" },
	{ "begin record ret a\nprofile end", 2, 1, "'profile' contradicts the item in line 1" },
	/* Blocks: a later one must be right, too. */
	{ "begin end\nbegin x end", 2, 7,
	  "unknown word 'x', where " ITEMS " is expected" },
	{ "begin end\nnew end", 2, 5, "'end', where 'begin' is expected" },
	{ "begin end\nbegin", 2, 6, "missing end: end of text in the block begun in line 2" },
	{ "begin end begin end end", 1, 21, "'end' after end" },
};

static void refused(const char *text, int ret, u32 line, u32 col, const char *reason)
{
	unsigned char *c = (unsigned char *)&conf;
	size_t i;

	CHECK_EQ(parse(text), ret);
	if (!CHECK_STR(err.reason, reason) || !CHECK_EQ(err.line, line) || !CHECK_EQ(err.col, col))
		printf("# of: %.60s\n", text);
	for (i = 0; i < sizeof(conf) && c[i] == 0xa5; i++)
		;
	CHECK_EQ(i, sizeof(conf));
}

static void refuses(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		refused(bad[i].text, -EINVAL, bad[i].line, bad[i].col, bad[i].reason);
}

static void fields(void)
{
	static const char text[] =
		"begin filter only under a* b filter funclist module:c 0x1 filter exclude d\n"
		"mark initcalls syscalls watch worst-stack 7 autorepeat overwrite end";

	CHECK_EQ(parse(text), 0);
	CHECK_EQ(conf.nfuncs, 5);
	CHECK_EQ(conf.funcs[0].kind, KFI_FUNC_PATTERN);
	CHECK_EQ(conf.funcs[0].list, KFI_LIST_UNDER);
	CHECK_EQ(conf.funcs[1].kind, KFI_FUNC_NAME);
	CHECK_EQ(conf.funcs[1].list, KFI_LIST_UNDER);
	CHECK_EQ(conf.funcs[2].kind, KFI_FUNC_MODULE);
	CHECK_EQ(conf.funcs[2].list, KFI_LIST_ONLY);
	CHECK_EQ(conf.funcs[2].len, 8);
	CHECK_EQ(conf.funcs[3].kind, KFI_FUNC_ADDR);
	CHECK_EQ(conf.funcs[3].list, KFI_LIST_ONLY);
	CHECK(conf.funcs[3].resolved && !conf.funcs[2].resolved && !conf.funcs[0].resolved);
	CHECK_EQ(conf.funcs[4].list, KFI_LIST_EXCLUDE);
	CHECK_EQ(conf.mode, KFI_MODE_OVERWRITE);
	CHECK_EQ(conf.marks, 1u << KFI_MARKS_INITCALLS | 1u << KFI_MARKS_SYSCALLS);
	CHECK_EQ(conf.watch, KFI_WATCH_WORST);
	CHECK_EQ(conf.watch_bytes, 7);
	CHECK(conf.autorepeat);
	CHECK_EQ(parse("begin record args 3 ret e end"), 0);
	CHECK_EQ(conf.funcs[0].list, KFI_LIST_RECORD);
	CHECK_EQ(conf.args, 3);
	CHECK(conf.ret);
	CHECK_EQ(parse("begin end"), 0);
	CHECK(!conf.args && !conf.ret);
	CHECK_EQ(conf.mode, KFI_MODE_START);
	CHECK_EQ(conf.watch, KFI_WATCH_NONE);
	CHECK(!conf.marks && !conf.watch_bytes && !conf.autorepeat);
	CHECK_EQ(parse("begin profile end"), 0);
	CHECK_EQ(conf.mode, KFI_MODE_PROFILE);
}

/* All lists of a block share one limit. */
static void list_length(void)
{
	char text[KFI_CONF_FUNCS_MAX * 8 + 128];
	char *p = text + sprintf(text, "begin filter exclude e filter funclist");
	u32 i;

	for (i = 1; i < KFI_CONF_FUNCS_MAX; i++)
		p += sprintf(p, " f%u", i);
	strcpy(p, " end begin filter funclist a b end");
	CHECK_EQ(parse(text), 0);
	CHECK_EQ(conf.nfuncs, KFI_CONF_FUNCS_MAX);
	strcpy(p, "\nfilter only under a end");
	refused(text, -E2BIG, 2, 19, "'a': the lists of a block take at most 128 functions");
}

/* Each block begins with nothing given, and is read by its number. */
static void blocks(void)
{
	static const char text[] = "new begin filter noints logentries 1 filter funclist a b end\n"
				   "begin trigger start entry f filter onlyints filter funclist c end\n"
				   "new begin mark switches logentries 3 end";
	size_t len = strlen(text);

	CHECK_EQ(kfi_conf_count(text, len, &err), 3);
	CHECK_EQ(kfi_conf_parse_block(&conf, text, len, 0, &err), 0);
	CHECK(conf.noints && !conf.onlyints && !conf.marks);
	CHECK_EQ(conf.logentries, 1);
	CHECK_EQ(conf.nfuncs, 2);
	CHECK(!strncmp(conf.funcs[0].name, "a ", 2) && !strncmp(conf.funcs[1].name, "b ", 2));
	CHECK_EQ(conf.start.kind, KFI_TRIG_NONE);
	CHECK_EQ(kfi_conf_parse_block(&conf, text, len, 1, &err), 0);
	CHECK(!conf.noints && conf.onlyints);
	CHECK_EQ(conf.logentries, 0);
	CHECK_EQ(conf.nfuncs, 1);
	CHECK(!strncmp(conf.funcs[0].name, "c ", 2) && !conf.funcs[1].name);
	CHECK_EQ(conf.start.kind, KFI_TRIG_ENTRY);
	CHECK_EQ(conf.start.func.line, 2);
	CHECK_EQ(kfi_conf_parse_block(&conf, text, len, 2, &err), 0);
	CHECK_EQ(conf.marks, 1u << KFI_MARKS_SWITCHES);
	CHECK_EQ(conf.nfuncs, 0);
	memset(&conf, 0xa5, sizeof(conf));
	memset(&err, 0x5a, sizeof(err));
	CHECK_EQ(kfi_conf_parse_block(&conf, text, len, 3, &err), -ENOENT);
	CHECK_EQ(conf.nfuncs, 0xa5a5a5a5);
	CHECK_EQ(err.line, 0x5a5a5a5a);
}

static void block_count(void)
{
	char text[16 * (KFI_CONF_BLOCKS_MAX + 1)] = "";
	u32 i;

	for (i = 0; i < KFI_CONF_BLOCKS_MAX; i++)
		strcat(text, "begin end\n");
	CHECK_EQ(kfi_conf_count(text, strlen(text), &err), KFI_CONF_BLOCKS_MAX);
	strcat(text, "new begin end");
	refused(text, -E2BIG, KFI_CONF_BLOCKS_MAX + 1, 5, "'begin': a text holds at most 8 blocks");
	CHECK_EQ(kfi_conf_count("begin x", 7, &err), -EINVAL);
}

static const struct check_case cases[] = {
	{ "right texts and their meaning", takes },
	{ "wrong texts: line, column, reason, nothing changed", refuses },
	{ "what the fields hold", fields },
	{ "longest lists", list_length },
	{ "several blocks", blocks },
	{ "most blocks", block_count },
};

CHECK_MAIN(cases)
