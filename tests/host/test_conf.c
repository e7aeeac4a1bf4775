// SPDX-License-Identifier: GPL-2.0
/*
 * The parser of the configuration language: what it takes, with what meaning, and every way to be
 * refused with its line, column and reason. Walking, printing and the page: test_conf_text.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "conf.h"

/* Rows leave out what is 0. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#define N "  filter mintime 0\n  filter maxtime 0\n"
#define NOSTART "  # trigger start not set\n"
#define NOSTOP "  # trigger stop not set\n"

/* What may stand where an item, or a filter, is expected. */
#define ITEMS	"trigger, filter, overwrite, profile, autorepeat, mark, watch, record, logentries or end " \
		"is expected"
#define FILTERS	"mintime, maxtime, noints, onlyints, funclist, time, depth, pid, cpu, exclude or " \
		"only is expected"

static struct kfi_conf conf;
static struct kfi_conf_err err;
static struct kfi_conf_text mark;

/* Parses an exact copy of the text, so that a read past its end is seen. */
static char *copy;
static int parse(const char *text, size_t len)
{
	free(copy);
	copy = malloc(len ? len : 1);
	memcpy(copy, text, len);
	memset(&err, 0x5a, sizeof(err));
	err.reason[sizeof(err.reason) - 1] = '\0';
	memset(&conf, 0xa5, sizeof(conf));
	return conf_parse(&conf, copy, len, &err);
}

/* What is right, and how it is printed back, which is what it means. */
static const struct {
	const char *text;
	const char *items;
} good[] = {
	{ "begin end", NOSTART NOSTOP N },
	{ "new begin end", NOSTART NOSTOP N },
	{ " \t\r\n#c\nnew#\nbegin\r\nend # end\n\n# new begin", NOSTART NOSTOP N },
	{ "begin\ntrigger start entry start_kernel\ntrigger stop entry to_userspace\n"
	  "filter mintime 500\nfilter maxtime 0\nfilter noints\nend\n",
	  "  trigger start entry start_kernel\n  trigger stop entry to_userspace\n"
	  "  filter mintime 500\n  filter maxtime 0\n  filter noints\n" },
	{ "begin trigger stop exit f trigger start exit g end",
	  "  trigger start exit g\n  trigger stop exit f\n" N },
	{ "begin trigger start time 0 trigger stop time 1 end",
	  "  trigger start time 0\n  trigger stop time 1\n" N },
	{ "begin trigger start time 9223372036854775 trigger stop time 9223372036s end",
	  "  trigger start time 9223372036854775\n  trigger stop time 9223372036000000\n" N },
	{ "begin trigger start time 5ms trigger stop time 20s end",
	  "  trigger start time 5000\n  trigger stop time 20000000\n" N },
	{ "begin filter mintime 4294967295 filter maxtime 4294967295 end", NOSTART NOSTOP
	  "  filter mintime 4294967295\n  filter maxtime 4294967295\n" },
	{ "begin filter mintime 4294s filter maxtime 4294967ms end", NOSTART NOSTOP
	  "  filter mintime 4294000000\n  filter maxtime 4294967000\n" },
	{ "begin filter maxtime 7us filter mintime 007 end", NOSTART NOSTOP
	  "  filter mintime 7\n  filter maxtime 7\n" },
	{ "begin filter mintime 9 filter maxtime 0 end", NOSTART NOSTOP
	  "  filter mintime 9\n  filter maxtime 0\n" },
	{ "begin filter time 500,1000 end", NOSTART NOSTOP
	  "  filter mintime 500\n  filter maxtime 1000\n" },
	{ "begin filter time 1ms , 0 end", NOSTART NOSTOP
	  "  filter mintime 1000\n  filter maxtime 0\n" },
	{ "begin filter noint end", NOSTART NOSTOP N "  filter noints\n" },
	{ "begin filter onlyint end", NOSTART NOSTOP N "  filter onlyints\n" },
	{ "begin filter onlyints end", NOSTART NOSTOP N "  filter onlyints\n" },
	{ "begin logentries 1 end", NOSTART NOSTOP N "  logentries 1\n" },
	{ "begin logsize 16777216 end", NOSTART NOSTOP N "  logentries 16777216\n" },
	{ "begin filter cpu 0 filter pid 4194304 filter depth 1023 end", NOSTART NOSTOP N
	  "  filter depth 1023\n  filter pid 4194304\n  filter cpu 0\n" },
	{ "begin filter pid 12 children filter cpu 3 end", NOSTART NOSTOP N
	  "  filter pid 12 children\n  filter cpu 3\n" },
	{ "begin filter pid 0 filter funclist a fend filter depth 1 end", NOSTART NOSTOP N
	  "  filter depth 1\n  filter pid 0\n  filter funclist a fend\n" },
	{ "begin filter funclist a fend end", NOSTART NOSTOP N "  filter funclist a fend\n" },
	{ "begin filter funclist a b c end", NOSTART NOSTOP N "  filter funclist a b c fend\n" },
	{ "begin filter funclist a, b ,c,d\nfilter noints end", NOSTART NOSTOP N
	  "  filter noints\n  filter funclist a b c d fend\n" },
	{ "begin filter funclist a#b\n0xC0de a fend logentries 5 end", NOSTART NOSTOP N
	  "  filter funclist a 0xC0de a fend\n  logentries 5\n" },
	{ "begin filter funclist ending filters newer trigger start entry start2 end",
	  "  trigger start entry start2\n" NOSTOP N
	  "  filter funclist ending filters newer fend\n" },
	{ "begin trigger start entry .L_f$x.isra.0 trigger stop exit $a end",
	  "  trigger start entry .L_f$x.isra.0\n  trigger stop exit $a\n" N },
	{ "begin trigger start entry deadbeef trigger stop exit 0xffffffffffffffff end",
	  "  trigger start entry deadbeef\n  trigger stop exit 0xffffffffffffffff\n" N },
	{ "begin trigger start entry 0x000000000000000001 trigger stop exit 0xA end",
	  "  trigger start entry 0x000000000000000001\n  trigger stop exit 0xA\n" N },
	{ "begin trigger start entry Begin trigger stop exit END end",
	  "  trigger start entry Begin\n  trigger stop exit END\n" N },
};

static void takes(void)
{
	char buf[1024];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(good); i++) {
		int ret = parse(good[i].text, strlen(good[i].text));

		if (!CHECK_EQ(ret, 0)) {
			printf("# %zu: %u:%u: %s\n", i, err.line, err.col, err.reason);
			continue;
		}
		CHECK_EQ(err.line, 0x5a5a5a5a);
		CHECK_EQ((unsigned char)err.reason[0], 0x5a);
		CHECK(kfi_conf_format(&conf, buf, sizeof(buf)) < sizeof(buf));
		CHECK_STR(buf, good[i].items);
	}
}

static const struct {
	const char *text;
	u32 line, col;
	const char *reason;
} bad[] = {
	/* The block. */
	{ "", 1, 1, "end of text, where 'begin' is expected" },
	{ "# only\n", 2, 1, "end of text, where 'begin' is expected" },
	{ "start", 1, 1, "'start', where 'begin' is expected" },
	{ "new", 1, 4, "end of text, where 'begin' is expected" },
	{ "new new begin end", 1, 5, "'new', where 'begin' is expected" },
	{ "newbegin end", 1, 1, "'newbegin', where 'begin' is expected" },
	{ "beginning end", 1, 1, "'beginning', where 'begin' is expected" },
	{ "\nbegin\n", 3, 1, "missing end: end of text in the block begun in line 2" },
	{ "begin filter noints", 1, 20, "missing end: end of text in the block begun in line 1" },
	{ "begin\nend x", 2, 5, "'x' after end" },
	{ "begin end fend", 1, 11, "'fend' after end" },
	{ "begin end ,", 1, 11, "',' after end" },
	/* Items. */
	{ "begin ending end", 1, 7,
	  "unknown word 'ending', where " ITEMS },
	{ "begin Filter", 1, 7,
	  "unknown word 'Filter', where " ITEMS },
	{ "begin prime end", 1, 7,
	  "'prime', where " ITEMS },
	{ "begin begin end", 1, 7,
	  "'begin', where " ITEMS },
	{ "begin , end", 1, 7,
	  "unknown word ',', where " ITEMS },
	{ "begin untimed end", 1, 7, "'untimed' is not supported yet" },
	{ "begin tracetype timed end", 1, 7, "'tracetype' is not supported yet" },
	/* Filters with a number. */
	{ "begin filter depth 0 end", 1, 20, "'0' is less than 1" },
	{ "begin filter depth 1024 end", 1, 20, "'1024' is more than 1023" },
	{ "begin filter pid 4194305 end", 1, 18, "'4194305' is more than 4194304" },
	{ "begin filter cpu 8192 end", 1, 18, "'8192' is more than 8191" },
	{ "begin filter cpu -1 end", 1, 18, "'-1', where a decimal number is expected" },
	{ "begin filter pid end", 1, 18, "'end', where a decimal number is expected" },
	{ "begin filter pid 3us end", 1, 18, "'3us', where a decimal number is expected" },
	{ "begin filter pid 1\nfilter cpu 1\nfilter pid 2 end", 3, 8, "'pid' is given twice, first in line 1" },
	{ "begin filter cpu 1 children end", 1, 20, "'children', where " ITEMS },
	{ "begin depth 3 end", 1, 7, "'depth', where " ITEMS },
	/* Triggers. */
	{ "begin trigger", 1, 14, "end of text, where start or stop is expected" },
	{ "begin trigger end", 1, 15, "'end', where start or stop is expected" },
	{ "begin trigger begun entry f end", 1, 15,
	  "unknown word 'begun', where start or stop is expected" },
	{ "begin trigger start f end", 1, 21,
	  "unknown word 'f', where entry, exit or time is expected" },
	{ "begin trigger stop stop end", 1, 20, "'stop', where entry, exit or time is expected" },
	{ "begin trigger start entry", 1, 26, "end of text, where a function is expected" },
	{ "begin trigger start entry , f end", 1, 27, "',', where a function is expected" },
	{ "begin trigger start entry end", 1, 27,
	  "'end' is a keyword, where a function (name or 0x address) is expected" },
	{ "begin trigger start entry f\n trigger start time 3 end", 2, 10,
	  "'start' is given twice, first in line 1" },
	{ "begin\ntrigger stop exit f trigger stop exit f end", 2, 29,
	  "'stop' is given twice, first in line 2" },
	{ "begin trigger start entry f g end", 1, 29,
	  "unknown word 'g', where " ITEMS },
	{ "begin trigger start time end", 1, 26,
	  "'end', where a time (microseconds, or with us, ms, s) is expected" },
	{ "begin trigger start time", 1, 25,
	  "end of text, where a time (microseconds, or with us, ms, s) is expected" },
	{ "begin trigger stop time 0 end", 1, 25, "'0' is less than 1" },
	{ "begin trigger stop time 0s end", 1, 25, "'0s' is less than 1" },
	{ "begin trigger start time 9223372036854776 end", 1, 26,
	  "'9223372036854776' is more than 9223372036854775 microseconds" },
	{ "begin trigger start time 18446744073709551616 end", 1, 26,
	  "'18446744073709551616' is more than 9223372036854775 microseconds" },
	{ "begin trigger start time 99999999999999999999999999999999999 end", 1, 26,
	  "'99999999999999999999999999999999...' is more than 9223372036854775 microseconds" },
	{ "begin trigger start time 9223372037s end", 1, 26,
	  "'9223372037s' is more than 9223372036854775 microseconds" },
	{ "begin trigger start time 18446744073710s end", 1, 26,
	  "'18446744073710s' is more than 9223372036854775 microseconds" },
	{ "begin trigger start time 18446744073709552ms end", 1, 26,
	  "'18446744073709552ms' is more than 9223372036854775 microseconds" },
	/* Functions. */
	{ "begin trigger start entry 80081000 end", 1, 27,
	  "'80081000' is neither a function name nor a 0x address" },
	{ "begin trigger start entry 0X80 end", 1, 27,
	  "'0X80' is neither a function name nor a 0x address" },
	{ "begin trigger start entry f-g end", 1, 27,
	  "'f-g' is neither a function name nor a 0x address" },
	{ "begin trigger start entry f() end", 1, 27,
	  "'f()' is neither a function name nor a 0x address" },
	{ "begin trigger start entry 0x end", 1, 27, "'0x' is no address: 0x and hex digits" },
	{ "begin trigger start entry 0xc00g end", 1, 27, "'0xc00g' is no address: 0x and hex digits" },
	{ "begin trigger start entry 0x10000000000000000 end", 1, 27,
	  "'0x10000000000000000' is more than 64 bits" },
	{ "begin trigger start entry 0x00 end", 1, 27,
	  "'0x00' is not the address of a function" },
	/* Filters. */
	{ "begin filter", 1, 13, "end of text, where " FILTERS },
	{ "begin filter minimum 5", 1, 14,
	  "unknown word 'minimum', where " FILTERS },
	{ "begin filter an_unreasonably_long_word_for_a_filter_this_is 5", 1, 14,
	  "unknown word 'an_unreasonably_long_word_for_a_...', where " FILTERS },
	{ "begin filter mintime end", 1, 22,
	  "'end', where a time (microseconds, or with us, ms, s) is expected" },
	{ "begin filter mintime 5m end", 1, 22,
	  "'5m', where a time (microseconds, or with us, ms, s) is expected" },
	{ "begin filter mintime 5uss end", 1, 22,
	  "'5uss', where a time (microseconds, or with us, ms, s) is expected" },
	{ "begin filter mintime .5ms end", 1, 22,
	  "'.5ms', where a time (microseconds, or with us, ms, s) is expected" },
	{ "begin filter mintime ms end", 1, 22,
	  "'ms', where a time (microseconds, or with us, ms, s) is expected" },
	{ "begin filter mintime -1 end", 1, 22,
	  "'-1', where a time (microseconds, or with us, ms, s) is expected" },
	{ "begin filter mintime 0x10 end", 1, 22,
	  "'0x10', where a time (microseconds, or with us, ms, s) is expected" },
	{ "begin filter mintime , end", 1, 22,
	  "',', where a time (microseconds, or with us, ms, s) is expected" },
	{ "begin filter mintime 500 us end", 1, 26,
	  "unknown word 'us', where " ITEMS },
	{ "begin filter mintime 4294967296 end", 1, 22,
	  "'4294967296' is more than 4294967295 microseconds" },
	{ "begin filter maxtime 4295s end", 1, 22, "'4295s' is more than 4294967295 microseconds" },
	{ "begin filter maxtime 4294968ms end", 1, 22,
	  "'4294968ms' is more than 4294967295 microseconds" },
	{ "begin filter mintime 6 filter maxtime 5 end", 1, 39,
	  "maxtime '5' is below mintime (6 us)" },
	{ "begin filter maxtime 5 filter mintime 6 end", 1, 39,
	  "mintime '6' is above maxtime (5 us)" },
	{ "begin filter time 6,5 end", 1, 21, "maxtime '5' is below mintime (6 us)" },
	{ "begin filter time 6 7 end", 1, 21, "'7', where ',' and the maximum are expected" },
	{ "begin filter time 6", 1, 20, "end of text, where ',' and the maximum are expected" },
	{ "begin filter time 6, end", 1, 22,
	  "'end', where a time (microseconds, or with us, ms, s) is expected" },
	{ "begin filter time ,6 end", 1, 19,
	  "',', where a time (microseconds, or with us, ms, s) is expected" },
	{ "begin filter mintime 1\nfilter mintime 1 end", 2, 8,
	  "'mintime' is given twice, first in line 1" },
	{ "begin filter maxtime 1\nfilter maxtime 1 end", 2, 8,
	  "'maxtime' is given twice, first in line 1" },
	{ "begin filter maxtime 1\nfilter time 1,1 end", 2, 8,
	  "'time' is given twice, first in line 1" },
	{ "begin filter time 1,1\nfilter mintime 1 end", 2, 8,
	  "'mintime' is given twice, first in line 1" },
	{ "begin filter noints\nfilter noint end", 2, 8, "'noint' is given twice, first in line 1" },
	{ "begin filter onlyint\nfilter onlyints end", 2, 8,
	  "'onlyints' is given twice, first in line 1" },
	{ "begin filter noints\nfilter onlyints end", 2, 8,
	  "'onlyints' contradicts the filter in line 1" },
	{ "begin\n\nfilter onlyint\nfilter noint end", 4, 8,
	  "'noint' contradicts the filter in line 3" },
	/* Function lists. */
	{ "begin filter funclist", 1, 22, "end of text, where a function is expected" },
	{ "begin filter funclist fend end", 1, 23,
	  "'fend' is a keyword, where a function (name or 0x address) is expected" },
	{ "begin filter funclist filter noints end", 1, 23,
	  "'filter' is a keyword, where a function (name or 0x address) is expected" },
	{ "begin\nfilter funclist a b\n", 3, 1,
	  "missing fend: end of text in the list of line 2" },
	{ "begin filter funclist a,, b end", 1, 25, "',', where a function is expected" },
	{ "begin filter funclist ,a end", 1, 23, "',', where a function is expected" },
	{ "begin filter funclist a, fend end", 1, 26,
	  "'fend' is a keyword, where a function (name or 0x address) is expected" },
	{ "begin filter funclist a time b fend end", 1, 25,
	  "'time' is a keyword, where a function (name or 0x address) is expected" },
	{ "begin filter funclist a fend fend end", 1, 30,
	  "'fend', where " ITEMS },
	/* The log. */
	{ "begin logentries end", 1, 18, "'end', where a decimal number is expected" },
	{ "begin logentries", 1, 17, "end of text, where a decimal number is expected" },
	{ "begin logentries 5k end", 1, 18, "'5k', where a decimal number is expected" },
	{ "begin logentries 5s end", 1, 18, "'5s', where a decimal number is expected" },
	{ "begin logentries 0 end", 1, 18, "'0' is less than 1" },
	{ "begin logentries 16777217 end", 1, 18, "'16777217' is more than 16777216" },
	{ "begin logentries 4294967297 end", 1, 18, "'4294967297' is more than 16777216" },
	{ "begin logentries 18446744073709551617 end", 1, 18,
	  "'18446744073709551617' is more than 16777216" },
	{ "begin logentries 5\nlogsize 5 end", 2, 1, "'logsize' is given twice, first in line 1" },
	/* Bytes; columns are bytes, and a carriage return is one. */
	{ "begin\x01 end", 1, 6, "byte 0x01 is not plain text" },
	{ "begin\n # caf\xc3\xa9\nend", 2, 7, "byte 0xc3 is not plain text" },
	{ "begin end\x7f", 1, 10, "byte 0x7f is not plain text" },
	{ "begin end #\xff", 1, 12, "byte 0xff is not plain text" },
	{ "begin\r\n\r\nfoo", 3, 1,
	  "unknown word 'foo', where " ITEMS },
	{ "\xef\xbb\xbf" "begin end", 1, 1, "byte 0xef is not plain text" },
	{ "begin\f end", 1, 6, "byte 0x0c is not plain text" },
};

static void refused(const char *text, size_t len, int ret, u32 line, u32 col,
		    const char *reason)
{
	unsigned char *c = (unsigned char *)&conf;
	size_t i;

	CHECK_EQ(parse(text, len), ret);
	if (!CHECK_STR(err.reason, reason) || !CHECK_EQ(err.line, line) || !CHECK_EQ(err.col, col))
		printf("# of: %.60s\n", text);
	for (i = 0; i < sizeof(conf) && c[i] == 0xa5; i++)
		;
	CHECK_EQ(i, sizeof(conf));
	CHECK(strlen(reason) < sizeof(err.reason));
}

static void refuses(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++)
		refused(bad[i].text, strlen(bad[i].text), -EINVAL, bad[i].line,
			bad[i].col, bad[i].reason);
	refused("begin\n\0end", 10, -EINVAL, 2, 1, "byte 0x00 is not plain text");
	refused("begin end\0", 10, -EINVAL, 1, 10, "byte 0x00 is not plain text");
}

/* Every proper beginning of a correct text is rejected, and none is read past its end. */
static void cut_short(void)
{
	static const char text[] = "new begin trigger start entry f trigger stop time 5s # c\n"
				   "filter time 1,2 filter noints filter funclist a, b fend logentries 7 end";
	size_t len;

	for (len = 0; len < sizeof(text) - 1; len++)
		if (!CHECK_EQ(parse(text, len), -EINVAL))
			printf("# at %zu\n", len);
	CHECK_EQ(parse(text, len), 0);
}

static void fields(void)
{
	static const char text[] = "begin\n\ttrigger start entry 0xC0008000 trigger stop exit\n do_exit\n"
				   "filter funclist f1\n,  0x1 fend end";

	CHECK_EQ(parse(text, strlen(text)), 0);
	CHECK_EQ(conf.start.kind, KFI_TRIG_ENTRY);
	CHECK_EQ(conf.start.func.addr, 0xc0008000);
	CHECK(conf.start.func.resolved && conf.start.func.kind == KFI_FUNC_ADDR);
	CHECK_EQ(conf.start.func.line, 2);
	CHECK_EQ(conf.start.func.col, 22);
	CHECK_EQ(conf.start.func.len, 10);
	CHECK_EQ(conf.start.usecs, 0);
	CHECK_EQ(conf.stop.kind, KFI_TRIG_EXIT);
	CHECK_EQ(conf.stop.func.addr, 0);
	CHECK(!conf.stop.func.resolved && conf.stop.func.kind != KFI_FUNC_ADDR);
	CHECK_EQ(conf.stop.func.line, 3);
	CHECK_EQ(conf.stop.func.col, 2);
	CHECK(!memcmp(conf.stop.func.name, "do_exit", 7) && conf.stop.func.len == 7);
	CHECK(conf.stop.func.name == copy + (strstr(text, "do_exit") - text));
	CHECK_EQ(conf.nfuncs, 2);
	CHECK_EQ(conf.funcs[0].line, 4);
	CHECK_EQ(conf.funcs[0].col, 17);
	CHECK_EQ(conf.funcs[1].line, 5);
	CHECK_EQ(conf.funcs[1].col, 4);
	CHECK_EQ(conf.funcs[1].addr, 1);
	CHECK(!conf.funcs[2].name && !conf.funcs[KFI_CONF_FUNCS_MAX - 1].name);
	CHECK_EQ(conf.logentries, 0);
	CHECK(!conf.noints && !conf.onlyints);
}

static void name_length(void)
{
	char text[KFI_CONF_NAME_MAX + 64];
	int n = sprintf(text, "begin filter funclist ");

	memset(text + n, 'x', KFI_CONF_NAME_MAX);
	strcpy(text + n + KFI_CONF_NAME_MAX, " end");
	CHECK_EQ(parse(text, strlen(text)), 0);
	CHECK_EQ(conf.funcs[0].len, KFI_CONF_NAME_MAX);
	strcpy(text + n + KFI_CONF_NAME_MAX, "x end");
	refused(text, strlen(text), -E2BIG, 1, 23,
		"'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' is longer than 511 bytes");
}

static void list_length(void)
{
	char text[KFI_CONF_FUNCS_MAX * 8 + 64];
	char *p = text + sprintf(text, "begin filter funclist");
	u32 i;

	for (i = 0; i < KFI_CONF_FUNCS_MAX; i++)
		p += sprintf(p, " f%u", i);
	strcpy(p, " end");
	CHECK_EQ(parse(text, strlen(text)), 0);
	CHECK_EQ(conf.nfuncs, KFI_CONF_FUNCS_MAX);
	CHECK_EQ(conf.funcs[KFI_CONF_FUNCS_MAX - 1].len, 4);
	strcpy(p, "\ng end");
	refused(text, strlen(text), -E2BIG, 2, 1,
		"'g': the lists of a block take at most 128 functions");
}

static void text_length(void)
{
	char *text = malloc(KFI_CONF_TEXT_MAX + 1);

	memset(text, ' ', KFI_CONF_TEXT_MAX + 1);
	memcpy(text, "begin end", 9);
	CHECK_EQ(parse(text, KFI_CONF_TEXT_MAX), 0);
	refused(text, KFI_CONF_TEXT_MAX + 1, -E2BIG, 1, 1,
		"the text is longer than 65536 bytes");
	CHECK_EQ(kfi_conf_command(text, KFI_CONF_TEXT_MAX + 1, &mark, &err), -E2BIG);
	free(text);
}

#define NO_COMMAND	", where new, prime, start, stop, selftest, begin or mark is expected"

static const struct {
	const char *text;
	int ret;
	u32 line, col;
	const char *reason;
} commands[] = {
	{ "new begin end", KFI_CMD_NEW },
	{ "# c\n new", KFI_CMD_NEW },
	{ "begin end", KFI_CMD_NEW },
	{ "prime", KFI_CMD_PRIME },
	{ "prime\n", KFI_CMD_PRIME },
	{ " start \t\r\n # now", KFI_CMD_START },
	{ "stop\n\n", KFI_CMD_STOP },
	{ "selftest\n", KFI_CMD_SELFTEST },
	{ "selftests", -EINVAL, 1, 1, "'selftests'" NO_COMMAND },
	{ "selftest now", -EINVAL, 1, 10, "'now' after a command that takes nothing" },
	{ "", -EINVAL, 1, 1, "end of text" NO_COMMAND },
	{ "\n", -EINVAL, 2, 1, "end of text" NO_COMMAND },
	{ "stopping", -EINVAL, 1, 1, "'stopping'" NO_COMMAND },
	{ "STOP", -EINVAL, 1, 1, "'STOP'" NO_COMMAND },
	{ "end", -EINVAL, 1, 1, "'end'" NO_COMMAND },
	{ "newer", -EINVAL, 1, 1, "'newer'" NO_COMMAND },
	{ "start stop", -EINVAL, 1, 7, "'stop' after a command that takes nothing" },
	{ "mark a #b  c \t\r\n # end", KFI_CMD_MARK },
	{ "mark x", KFI_CMD_MARK },
	{ "mark", -EINVAL, 1, 5, "a mark without a text" },
	{ "mark \t\nx", -EINVAL, 1, 7, "a mark without a text" },
	{ "mark a\tb", -EINVAL, 1, 7, "byte 0x09 is not plain text" },
	{ "mark a\xe9", -EINVAL, 1, 7, "byte 0xe9 is not plain text" },
	{ "mark a\nstop", -EINVAL, 2, 1, "'stop' after a mark, which takes one line" },
	{ "marks a", -EINVAL, 1, 1, "'marks'" NO_COMMAND },
	{ "prime\n,", -EINVAL, 2, 1, "',' after a command that takes nothing" },
	{ "stop\x80", -EINVAL, 1, 5, "byte 0x80 is not plain text" },
};

static void takes_commands(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		memset(&err, 0x5a, sizeof(err));
		CHECK_EQ(kfi_conf_command(commands[i].text, strlen(commands[i].text), &mark,
					  &err),
			 commands[i].ret);
		if (commands[i].ret >= 0) {
			CHECK_EQ(err.line, 0x5a5a5a5a);
			continue;
		}
		CHECK_STR(err.reason, commands[i].reason);
		CHECK_EQ(err.line, commands[i].line);
		CHECK_EQ(err.col, commands[i].col);
	}
	CHECK_EQ(kfi_conf_command("stop\0", 5, &mark, &err), -EINVAL);
	CHECK_STR(err.reason, "byte 0x00 is not plain text");
	free(copy);
	copy = NULL;
}

/* What may still come: see kfi_conf_first() and kfi_conf_is_begun(). */
static void whole_or_not(void)
{
	static const struct {
		const char *text;
		enum kfi_conf_first first;
		bool begun;
	} texts[] = {
		{ "", KFI_FIRST_NONE, true },
		{ " # begin end\n\t", KFI_FIRST_NONE, true },
		{ "# x\nbegin", KFI_FIRST_BEGIN, true },
		{ "begin end", KFI_FIRST_BEGIN, false },
		{ "begin end # more\n", KFI_FIRST_BEGIN, false },
		{ "begin end\nbegin filter", KFI_FIRST_BEGIN, true },
		{ "begin end\nnew begin\n", KFI_FIRST_BEGIN, true },
		{ "begin filter funclist a fend", KFI_FIRST_BEGIN, true },
		{ "new begin", KFI_FIRST_BEGIN, true },
		{ "new begin end", KFI_FIRST_BEGIN, false },
		/* The last word may go on, unless a blank is behind it. */
		{ "begin filter mintim", KFI_FIRST_BEGIN, true },
		{ "begin filter mintim ", KFI_FIRST_BEGIN, false },
		{ "begin end\nprime\n", KFI_FIRST_BEGIN, false },
		{ "begin mintime 5 end", KFI_FIRST_BEGIN, false },
		{ "begin end end", KFI_FIRST_BEGIN, false },
		{ "begin filter mintime 9 filter maxtime 8", KFI_FIRST_BEGIN, true },
		{ "begin filter mintime 9 filter maxtime 8\n", KFI_FIRST_BEGIN, false },
		{ "begin\x01", KFI_FIRST_OTHER, false },
		{ "beginning", KFI_FIRST_OTHER, true },
		{ "start", KFI_FIRST_OTHER, true },
		{ "\x01 begin", KFI_FIRST_OTHER, false },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		CHECK_EQ(kfi_conf_first(texts[i].text, strlen(texts[i].text)), texts[i].first);
		CHECK_EQ(kfi_conf_is_begun(texts[i].text, strlen(texts[i].text)), texts[i].begun);
	}
}

/* A text in two pieces: how much of the second belongs to a comment of the first. */
static void comment_in_pieces(void)
{
	static const struct {
		const char *before, *text;
		size_t n;
	} pieces[] = {
		{ "", "# a", 0 },
		{ "begin", " end", 0 },
		{ "begin # a", "b\nend", 1 },
		{ "begin # a # b", "c # d\nend", 5 },
		{ "begin #", "end", 3 },
		{ "begin # a\n", "end", 0 },
		{ "begin # a\n b", "end", 0 },
		{ "# a", "\nend", 0 },
		{ "# a", "", 0 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(pieces); i++)
		CHECK_EQ(kfi_conf_rest_of_comment(pieces[i].before, strlen(pieces[i].before),
						  pieces[i].text, strlen(pieces[i].text)),
			 pieces[i].n);
}

/* The text of a mark is what stands between the blanks of its line. */
static void marks(void)
{
	char text[KFI_CONF_MARK_MAX + 16] = "mark \t a #b  c \t\r\n # end";

	CHECK_EQ(kfi_conf_command(text, strlen(text), &mark, &err), KFI_CMD_MARK);
	CHECK_EQ(mark.len, 7);
	CHECK(mark.s == text + 7);
	memset(text + 5, 'x', KFI_CONF_MARK_MAX + 1);
	CHECK_EQ(kfi_conf_command(text, 5 + KFI_CONF_MARK_MAX, &mark, &err), KFI_CMD_MARK);
	CHECK_EQ(mark.len, KFI_CONF_MARK_MAX);
	mark.len = 7;
	CHECK_EQ(kfi_conf_command(text, 6 + KFI_CONF_MARK_MAX, &mark, &err), -E2BIG);
	CHECK_STR(err.reason, "the text of a mark is longer than 80 bytes");
	CHECK_EQ(err.col, 6);
	CHECK_EQ(mark.len, 7);
	CHECK_EQ(kfi_conf_command("stop", 4, &mark, &err), KFI_CMD_STOP);
	CHECK_EQ(mark.len, 7);
}

static const struct check_case cases[] = {
	{ "right texts and their meaning", takes },
	{ "wrong texts: line, column, reason, nothing changed", refuses },
	{ "a text cut short is rejected", cut_short },
	{ "what the fields hold", fields },
	{ "longest name", name_length },
	{ "longest funclist", list_length },
	{ "longest text", text_length },
	{ "commands", takes_commands },
	{ "a text that is whole, and what it begins with", whole_or_not },
	{ "a comment of a text in two pieces", comment_in_pieces },
	{ "the text of a mark", marks },
};

CHECK_MAIN(cases)
