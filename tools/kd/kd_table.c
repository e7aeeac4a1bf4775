// SPDX-License-Identifier: GPL-2.0
/* Prints tables as text, CSV and JSON: see kd_table.h. */
#include <stdio.h>
#include <stdlib.h>

#include "kd_table.h"
#include "term.h"

/* The row so far. It is printed when it is complete. */
static struct kfi_out line;

void kd_row_put(const char *s)
{
	kfi_out_put(&line, s, strlen(s));
}

static void put_char(char c)
{
	kfi_out_put(&line, &c, 1);
}

/* Print a text in @width columns: right-aligned, or left-aligned if @width is negative. */
static void put_in(const char *s, size_t len, int width)
{
	size_t want = (size_t)abs(width);

	if (width < 0)
		kfi_out_put(&line, s, len);
	if (want > len)
		kfi_out_fill(&line, ' ', want - len);
	if (width >= 0)
		kfi_out_put(&line, s, len);
}

static void put_number(s64 v, const char *mark, int width)
{
	char text[32], *end = text + sizeof(text), *s;
	size_t n = strlen(mark);

	memcpy(end - n, mark, n);
	s = kfi_out_number(v, end - n);
	put_in(s, end - s, width);
}

void kd_json_put(struct kfi_out *out, const char *s)
{
	kfi_out_json(out, s);
}

void kd_json_text(const char *s)
{
	line.file = stdout;
	kd_json_put(&line, s);
	kfi_out_flush(&line);
}

static void csv_text(const char *s)
{
	if (!strpbrk(s, ",\"\r\n")) {
		kd_row_put(s);
		return;
	}
	put_char('"');
	for (; *s; s++) {
		if (*s == '"')
			put_char('"');
		put_char(*s);
	}
	put_char('"');
}

static const char *key_of(const struct kd_table *t, const struct kd_column *c)
{
	return t->sampled && c->sampled_key ? c->sampled_key : c->key;
}

static const char *title_of(const struct kd_table *t, const struct kd_column *c, bool net)
{
	if (t->sampled && c->sampled)
		return c->sampled;
	return net && c->net ? c->net : c->title;
}

static void text_head(const struct kd_table *t, bool net)
{
	static const char dashes[] = "-----------------------------------";

	fputs(term_ink(TERM_TITLE), stdout);
	for (u32 i = 0; i < t->n; i++)
		printf("%s%-*s", i ? " " : "", abs(t->col[i]->width),
		       title_of(t, t->col[i], net));
	puts(term_ink(TERM_PLAIN));
	for (u32 i = 0; i < t->n; i++) {
		int width = abs(t->col[i]->width);

		printf("%s%.*s", i ? " " : "", width ? width : 8, dashes);
	}
	putchar('\n');
}

/* Return the length of a key without its unit, as in "time_ns". */
static size_t stem(const char *key)
{
	size_t n = strlen(key);

	return n > 3 && (!strcmp(key + n - 3, "_ns") || !strcmp(key + n - 3, "_us")) ? n - 3 : n;
}

static bool is_named(const char *name, size_t n, const char *word, size_t len)
{
	if (n != len)
		return false;
	for (size_t i = 0; i < n; i++)
		if (name[i] != word[i] && !(name[i] == '_' && word[i] == '-'))
			return false;
	return true;
}

char kd_column_named(const struct kd_column *columns, size_t n, const char *word, size_t len)
{
	for (const struct kd_column *c = columns; c < columns + n; c++)
		if ((c->name && is_named(c->name, strlen(c->name), word, len)) ||
		    is_named(c->key, stem(c->key), word, len) ||
		    is_named(c->key, strlen(c->key), word, len))
			return c->id;
	return 0;
}

/* Column with the source line, which any table can have behind its own columns. */
static const struct kd_column source = { 0, "Source", 0, NULL, "source" };

void kd_table_begin(struct kd_table *t, const struct kd_column *columns, size_t n,
		    const char *format, bool net)
{
	for (size_t i = 0; !format && i < n; i++)
		t->col[t->n++] = &columns[i];
	for (; format && *format && t->n < KD_COLUMNS_MAX - 1; format++)
		for (size_t i = 0; i < n; i++)
			if (columns[i].id == *format)
				t->col[t->n++] = &columns[i];
	if (t->lines)
		t->col[t->n++] = &source;
	line.file = stdout;
	if (t->out == KD_OUT_TEXT)
		text_head(t, net);
	if (t->out != KD_OUT_CSV)
		return;
	for (u32 i = 0; i < t->n; i++)
		printf("%s,", key_of(t, t->col[i]));
	puts("unsure");
}

/* Print what separates a cell from the one before. */
static const struct kd_column *cell(struct kd_table *t)
{
	const struct kd_column *c = t->col[t->at];

	switch (t->out) {
	case KD_OUT_TEXT:
		if (t->at)
			put_char(' ');
		break;
	case KD_OUT_CSV:
		if (t->at)
			put_char(',');
		break;
	case KD_OUT_JSON:
		kd_row_put(t->at ? ",\"" : t->rows ? ",\n{\"" : "\n{\"");
		kd_row_put(key_of(t, c));
		kd_row_put("\":");
		break;
	}
	t->at++;
	return c;
}

static void unsure(struct kd_table *t, const struct kd_column *c)
{
	t->unsure[t->nunsure++] = key_of(t, c);
	t->any_unsure = true;
}

void kd_cell_text(struct kd_table *t, const char *text)
{
	const struct kd_column *c = cell(t);

	if (t->out == KD_OUT_TEXT)
		put_in(text, strlen(text), c->width);
	else if (t->out == KD_OUT_CSV)
		csv_text(text);
	else
		kd_json_put(&line, text);
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
	put_in(text, strlen(text), people ? c->width : 0);
}

void kd_cell_unknown(struct kd_table *t)
{
	const struct kd_column *c = cell(t);

	if (t->out == KD_OUT_TEXT)
		put_in("?", 1, c->width);
	else if (t->out == KD_OUT_JSON)
		kd_row_put("null");
}

void kd_cell_pid(struct kd_table *t, s32 pid)
{
	if (pid < -1)
		kd_cell_unknown(t);
	else
		kd_cell_count(t, pid);
}

void kd_cell_time_or_unknown(struct kd_table *t, s64 ns)
{
	if (ns < 0)
		kd_cell_unknown(t);
	else
		kd_cell_time(t, ns, false);
}

void kd_cell_span(struct kd_table *t, s64 entry, s64 delta)
{
	/*
	 * For people, print the difference of whole microseconds, so that printed durations nest.
	 */
	if (t->out == KD_OUT_TEXT && delta >= 0)
		kd_cell_time(t, ((entry + delta) / 1000 - entry / 1000) * 1000, false);
	else
		kd_cell_time_or_unknown(t, delta);
}

void kd_row_end(struct kd_table *t)
{
	if (t->out == KD_OUT_CSV) {
		put_char(',');
		for (u32 i = 0; i < t->nunsure; i++) {
			kd_row_put(i ? " " : "");
			kd_row_put(t->unsure[i]);
		}
	} else if (t->out == KD_OUT_JSON) {
		for (u32 i = 0; i < t->nunsure; i++) {
			kd_row_put(i ? "," : ",\"unsure\":[");
			kd_json_put(&line, t->unsure[i]);
		}
		kd_row_put(t->nunsure ? "]}" : "}");
	}
	if (t->out != KD_OUT_JSON)
		put_char('\n');
	kfi_out_flush(&line);
	t->at = 0;
	t->nunsure = 0;
	t->rows++;
}

FILE *kd_capture(char **text, size_t *size)
{
	FILE *out = stdout, *memory = open_memstream(text, size);

	if (!memory)
		return NULL;
	fflush(stdout);
	stdout = memory;
	return out;
}

int kd_capture_end(FILE *out)
{
	bool failed = ferror(stdout);

	failed |= fclose(stdout) != 0;
	stdout = out;
	return failed ? -ENOMEM : 0;
}
