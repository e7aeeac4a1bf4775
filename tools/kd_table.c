// SPDX-License-Identifier: GPL-2.0
/* Tables in text, CSV and JSON: see kd_table.h. */
#include <stdio.h>
#include <stdlib.h>

#include "kd_table.h"
#include "out.h"
#include "term.h"

/* A text in so many columns, to the right, or with a negative width to the left. */
static void put(const char *s, size_t len, int width)
{
	static const char blanks[] = "                                                ";
	size_t want = (size_t)abs(width), n = want > len ? want - len : 0;

	if (width < 0)
		fwrite_unlocked(s, 1, len, stdout);
	for (; n; n -= n < sizeof(blanks) ? n : sizeof(blanks) - 1)
		fwrite_unlocked(blanks, 1, n < sizeof(blanks) ? n : sizeof(blanks) - 1, stdout);
	if (width >= 0)
		fwrite_unlocked(s, 1, len, stdout);
}

static void put_number(s64 v, const char *mark, int width)
{
	char text[32], *end = text + sizeof(text), *s;
	size_t n = strlen(mark);

	memcpy(end - n, mark, n);
	s = kfi_out_number(v, end - n);
	put(s, end - s, width);
}

void kd_json_text(const char *s)
{
	putchar('"');
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (c < ' ' || c > '~')
			printf("\\u%04x", c);
		else
			putchar_unlocked(c);
	}
	putchar('"');
}

static void csv_text(const char *s)
{
	if (!strpbrk(s, ",\"\r\n")) {
		fputs(s, stdout);
		return;
	}
	putchar('"');
	for (; *s; s++) {
		if (*s == '"')
			putchar('"');
		putchar(*s);
	}
	putchar('"');
}

static void text_head(const struct kd_table *t, bool net)
{
	static const char dashes[] = "-----------------------------------";

	fputs(term_ink(TERM_TITLE), stdout);
	for (u32 i = 0; i < t->n; i++)
		printf("%s%-*s", i ? " " : "", abs(t->col[i]->width),
		       net && t->col[i]->net ? t->col[i]->net : t->col[i]->title);
	puts(term_ink(TERM_PLAIN));
	for (u32 i = 0; i < t->n; i++) {
		int width = abs(t->col[i]->width);

		printf("%s%.*s", i ? " " : "", width ? width : 8, dashes);
	}
	putchar('\n');
}

void kd_table_begin(struct kd_table *t, const struct kd_column *columns, size_t n,
		    const char *format, bool net)
{
	for (size_t i = 0; !format && i < n; i++)
		t->col[t->n++] = &columns[i];
	for (; format && *format && t->n < KD_COLUMNS_MAX; format++)
		for (size_t i = 0; i < n; i++)
			if (columns[i].id == *format)
				t->col[t->n++] = &columns[i];
	if (t->out == KD_OUT_TEXT)
		text_head(t, net);
	if (t->out != KD_OUT_CSV)
		return;
	for (u32 i = 0; i < t->n; i++)
		printf("%s,", t->col[i]->key);
	puts("unsure");
}

/* What stands before a cell. */
static const struct kd_column *cell(struct kd_table *t)
{
	const struct kd_column *c = t->col[t->at];

	switch (t->out) {
	case KD_OUT_TEXT:
		if (t->at)
			putchar_unlocked(' ');
		break;
	case KD_OUT_CSV:
		if (t->at)
			putchar_unlocked(',');
		break;
	case KD_OUT_JSON:
		fputs_unlocked(t->at ? ",\"" : t->rows ? ",\n{\"" : "\n{\"", stdout);
		fputs_unlocked(c->key, stdout);
		fputs_unlocked("\":", stdout);
		break;
	}
	t->at++;
	return c;
}

static void unsure(struct kd_table *t, const struct kd_column *c)
{
	t->unsure[t->nunsure++] = c->key;
	t->any_unsure = true;
}

void kd_cell_text(struct kd_table *t, const char *text)
{
	const struct kd_column *c = cell(t);

	if (t->out == KD_OUT_TEXT)
		put(text, strlen(text), c->width);
	else if (t->out == KD_OUT_CSV)
		csv_text(text);
	else
		kd_json_text(text);
}

void kd_cell_count(struct kd_table *t, s64 v)
{
	const struct kd_column *c = cell(t);

	put_number(v, "", t->out == KD_OUT_TEXT ? c->width : 0);
}

void kd_cell_time(struct kd_table *t, s64 ns, bool guess)
{
	const struct kd_column *c = cell(t);

	if (guess)
		unsure(t, c);
	if (t->out == KD_OUT_TEXT)
		put_number(ns / 1000, guess ? "?" : "", c->width);
	else
		put_number(ns, "", 0);
}

void kd_cell_percent(struct kd_table *t, s64 v, bool guess)
{
	const struct kd_column *c = cell(t);
	bool people = t->out == KD_OUT_TEXT;
	char text[32];

	if (guess)
		unsure(t, c);
	snprintf(text, sizeof(text), "%s%lld.%02d%s", v < 0 ? "-" : "", llabs((long long)v) / 100,
		 (int)llabs((long long)v % 100), people && guess ? "?" : "");
	printf("%*s", people ? c->width : 0, text);
}

void kd_cell_unknown(struct kd_table *t)
{
	const struct kd_column *c = cell(t);

	if (t->out == KD_OUT_TEXT)
		put("?", 1, c->width);
	else if (t->out == KD_OUT_JSON)
		fputs("null", stdout);
}

void kd_cell_time_or_unknown(struct kd_table *t, s64 ns)
{
	if (ns < 0)
		kd_cell_unknown(t);
	else
		kd_cell_time(t, ns, false);
}

void kd_row_end(struct kd_table *t)
{
	if (t->out == KD_OUT_CSV) {
		putchar(',');
		for (u32 i = 0; i < t->nunsure; i++)
			printf("%s%s", i ? " " : "", t->unsure[i]);
	} else if (t->out == KD_OUT_JSON) {
		for (u32 i = 0; i < t->nunsure; i++)
			printf("%s\"%s\"", i ? "," : ",\"unsure\":[", t->unsure[i]);
		fputs(t->nunsure ? "]}" : "}", stdout);
	}
	if (t->out != KD_OUT_JSON)
		putchar('\n');
	t->at = 0;
	t->nunsure = 0;
	t->rows++;
}
