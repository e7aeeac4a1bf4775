// SPDX-License-Identifier: GPL-2.0
/*
 * Around the parser of the configuration language: walking a text, printing a configuration, the
 * keyword table, the shipped configurations, and the page, which must name every keyword, limit and
 * reason.
 *
 * Runs in tests/; what is shipped is found relative to it.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "conf.h"

#define PAGE "../Documentation/config-language.rst"
#define REASONS "../Documentation/config-errors.rst"

static struct kfi_conf conf;
static struct kfi_conf_err err;

static char *read_file(const char *name)
{
	FILE *f = fopen(name, "rb");
	char *text;
	size_t n;

	if (!CHECK(f)) {
		printf("# %s\n", name);
		return NULL;
	}
	text = malloc(1 << 17);
	n = fread(text, 1, (1 << 17) - 1, f);
	text[n] = '\0';
	fclose(f);
	return text;
}

struct found {
	const char *text;
	char list[256];
	u32 n;
};

static void add(void *arg, const struct kfi_func *f)
{
	struct found *w = arg;

	sprintf(w->list + strlen(w->list), "%.*s@%zu=%u:%u ", (int)f->len, f->name,
		(size_t)(f->name - w->text), f->line, f->col);
	w->n++;
}

static void walks(void)
{
	static const char text[] = "new begin # f\n trigger start entry a trigger stop exit 0x1f\n"
				   "filter funclist b,c filter noints\nend # g";
	struct found w = { .text = text };

	CHECK_EQ(kfi_conf_walk(text, strlen(text), add, &w, &err), 0);
	CHECK_STR(w.list, "a@35=2:22 0x1f@55=2:42 b@76=3:17 c@78=3:19 ");
}

static void walks_only_right_texts(void)
{
	static const char text[] = "begin trigger start entry a oops end";
	struct found w = { .text = text };

	CHECK_EQ(kfi_conf_walk(text, strlen(text), add, &w, &err), -EINVAL);
	CHECK_EQ(w.n, 0);
	CHECK_EQ(err.col, 29);
}

/* The kernel log, which anybody may read, has reasons without addresses. */
static void hides_addresses(void)
{
	static const char *const reasons[][2] = {
		{ "unknown word '0xffffffff81000000'", "unknown word '0x...'" },
		{ "'0x10000000000000000' is more than 64 bits", "'0x...' is more than 64 bits" },
		{ "ambiguous function: f 0xc0008000 0xC0009000 ...",
		  "ambiguous function: f 0x... 0x... ..." },
		{ "'C0008000' is neither", "'...' is neither" },
		{ "c008000", "..." },
		{ "'4294967296' is more than 4294967295", "'4294967296' is more than 4294967295" },
		{ "byte 0xff is not plain text", "byte 0xff is not plain text" },
		{ "unknown function: facade", "unknown function: facade" },
		{ "", "" },
	};
	struct kfi_conf_err whole = { .line = 3, .col = 4 }, shown;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(reasons); i++) {
		snprintf(whole.reason, sizeof(whole.reason), "%s", reasons[i][0]);
		shown = kfi_conf_err_public(&whole);
		CHECK_STR(shown.reason, reasons[i][1]);
		CHECK_EQ(shown.line, 3);
		CHECK_EQ(shown.col, 4);
	}
}

static void prints_items(void)
{
	static const char text[] = "begin logsize 9 filter funclist b, c trigger stop time 2s end";
	char buf[512];

	CHECK_EQ(conf_parse(&conf, text, strlen(text), &err), 0);
	kfi_conf_format(&conf, buf, sizeof(buf));
	CHECK_STR(buf, "  # trigger start not set\n  trigger stop time 2000000\n"
		  "  filter mintime 0\n  filter maxtime 0\n  filter funclist b c fend\n"
		  "  logentries 9\n");
}

/* All there is, in the order in which it is printed. */
static void prints_all(void)
{
	static const char text[] =
		"  trigger start entry a\n  trigger stop time 3\n  filter mintime 1\n"
		"  filter maxtime 2\n  filter noints\n  filter depth 3\n  filter pid 4 children\n"
		"  filter cpu 5\n  filter funclist b c* fend\n  filter exclude module:d 0x1f fend\n"
		"  filter only under e fend\n  overwrite\n  autorepeat\n"
		"  mark switches initcalls syscalls wakeups callers\n  watch stack 200\n"
		"  logentries 9\n";
	char buf[1024];

	snprintf(buf, sizeof(buf), "begin%send", text);
	CHECK_EQ(conf_parse(&conf, buf, strlen(buf), &err), 0);
	kfi_conf_format(&conf, buf, sizeof(buf));
	CHECK_STR(buf, text);
}

static void prints_what_fits(void)
{
	static const char text[] = "begin trigger start entry f filter funclist b, c end";
	char whole[512];
	size_t len, size;

	CHECK_EQ(conf_parse(&conf, text, strlen(text), &err), 0);
	len = kfi_conf_format(&conf, whole, sizeof(whole));
	CHECK_EQ(len, strlen(whole));
	CHECK_EQ(kfi_conf_format(&conf, NULL, 0), len);
	for (size = 1; size <= len + 1; size++) {
		char *buf = malloc(size);

		CHECK_EQ(kfi_conf_format(&conf, buf, size), len);
		CHECK_EQ(strlen(buf), size - 1);
		CHECK_EQ(strncmp(buf, whole, size - 1), 0);
		free(buf);
	}
}

static void keyword_table(void)
{
	char text[128];
	u32 i, j;

	for (i = 0; i < KFI_W_COUNT; i++) {
		const struct kfi_conf_word *w = &kfi_conf_words[i];

		if (!CHECK(w->word && w->word[0] && w->at))
			continue;
		for (j = 0; j < i; j++)
			CHECK(strcmp(w->word, kfi_conf_words[j].word));
		CHECK(conf_is_word(w->word, strlen(w->word)));
		CHECK(!conf_is_word(w->word, strlen(w->word) - 1) || !strcmp(w->word, "noints") ||
		      !strcmp(w->word, "onlyints"));
		CHECK(!(w->alias && w->later));
		/* No keyword is a function. */
		sprintf(text, "begin trigger start entry %s end", w->word);
		CHECK_EQ(conf_parse(&conf, text, strlen(text), &err), -EINVAL);
		CHECK(strstr(err.reason, "is a keyword"));
		/* Words for later are rejected as such where they may stand. */
		sprintf(text, "begin %s%s 1 end", w->at & KFI_AT_FILTER ? "filter " : "", w->word);
		if (!w->later)
			continue;
		CHECK_EQ(conf_parse(&conf, text, strlen(text), &err), -EINVAL);
		CHECK(strstr(err.reason, "is not supported yet"));
	}
	CHECK(!conf_is_word("", 0));
	CHECK(!conf_is_word("endx", 4));
	CHECK(conf_is_word("endx", 3));
}

static void parse_shipped(const char *name)
{
	char *text = read_file(name);

	if (!text)
		return;
	if (!CHECK_EQ(conf_parse(&conf, text, strlen(text), &err), 0))
		printf("# %s:%u:%u: %s\n", name, err.line, err.col, err.reason);
	CHECK(conf.start.kind != KFI_TRIG_NONE && conf.stop.kind != KFI_TRIG_NONE);
	free(text);
}

static void shipped(void)
{
	glob_t g;
	size_t i;

	parse_shipped("../kernel/kfistatic.conf");
	CHECK_EQ(conf.mintime_us, 500);
	CHECK(conf.noints);
	if (!CHECK_EQ(glob("../configs/examples/*.conf", 0, NULL, &g), 0))
		return;
	CHECK(g.gl_pathc >= 3);
	for (i = 0; i < g.gl_pathc; i++)
		parse_shipped(g.gl_pathv[i]);
	globfree(&g);
}

static void page_names_keywords(void)
{
	char *page = read_file(PAGE), want[64];
	u32 i;

	for (i = 0; page && i < KFI_W_COUNT; i++) {
		sprintf(want, "``%s``", kfi_conf_words[i].word);
		if (!CHECK(strstr(page, want)))
			printf("# %s lacks %s\n", PAGE, want);
	}
	free(page);
}

static void page_names_limits(void)
{
	static const u64 limits[] = {
		KFI_CONF_TEXT_MAX, KFI_CONF_FUNCS_MAX, KFI_CONF_NAME_MAX, KFI_CONF_ENTRIES_MAX,
		KFI_CONF_FILTER_US_MAX, KFI_CONF_TRIGGER_US_MAX, KFI_CONF_BLOCKS_MAX,
		KFI_CONF_WATCH_MAX, KFI_CONF_MARK_MAX,
	};
	char *page = read_file(PAGE), want[64];
	size_t i;

	for (i = 0; page && i < ARRAY_SIZE(limits); i++) {
		sprintf(want, " %llu", (unsigned long long)limits[i]);
		if (!CHECK(strstr(page, want)))
			printf("# %s lacks %s\n", PAGE, want);
	}
	free(page);
}

/* A reason as the page writes it: WORD, N, HH and WORDS for what is filled in. */
static void as_in_page(char *to, const char *reason, size_t len)
{
	static const char * const names[] = { "@", "'WORD'", "%", "N", "$", "HH", "&", "WORDS" };
	size_t i, j;

	*to = '\0';
	for (i = 0; i < len; i++) {
		for (j = 0; j < ARRAY_SIZE(names) && reason[i] != *names[j]; j += 2)
			;
		if (j < ARRAY_SIZE(names))
			strcat(to, names[j + 1]);
		else
			strncat(to, reason + i, 1);
	}
}

/* Reasons are the string literals of the parser that hold a blank; none is broken over lines. */
static void page_names_reasons(const char *source)
{
	char *page = read_file(REASONS), *text = read_file(source), want[256];
	const char *p, *end;
	int n = 0;

	for (p = text; page && p && (p = strchr(p, '"')); p = end + 1) {
		end = strchr(p + 1, '"');
		if (!end)
			break;
		if (end - p > 120 || !memchr(p, ' ', end - p) || end - p < 6 || p[-1] == '\'')
			continue;
		as_in_page(want, p + 1, end - p - 1);
		n++;
		if (!CHECK(strstr(page, want)))
			printf("# %s lacks: %s\n", REASONS, want);
	}
	CHECK(n >= 3);
	free(text);
	free(page);
}

static void page_names_all_reasons(void)
{
	page_names_reasons("../kernel/core/conf_parse.c");
	page_names_reasons("../kernel/core/conf_tok.c");
}

static const struct check_case cases[] = {
	{ "walk delivers each function with its place", walks },
	{ "walk delivers nothing of a refused text", walks_only_right_texts },
	{ "what may be an address is hidden from the kernel log", hides_addresses },
	{ "items are printed, each on a line", prints_items },
	{ "all items are printed", prints_all },
	{ "printing keeps to the buffer, whatever its size", prints_what_fits },
	{ "the keyword table", keyword_table },
	{ "shipped configurations are right", shipped },
	{ "the page names every keyword", page_names_keywords },
	{ "the page names every limit", page_names_limits },
	{ "the page names every reason", page_names_all_reasons },
};

CHECK_MAIN(cases)
