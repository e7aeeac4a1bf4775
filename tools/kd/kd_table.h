/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of kd: for people, as CSV or as JSON. The schema of the latter two is in
 * Documentation/formats.rst; its version is KD_SCHEMA.
 *
 * The caller begins a table, and then puts rows, cell by cell in the order of the columns.
 */
#ifndef KFI_KD_TABLE_H
#define KFI_KD_TABLE_H

#include "kfi_port_host.h"
#include "out.h"

/* Changes when what a key means changes, or a key goes; not when one is added. */
#define KD_SCHEMA	1

#define KD_COLUMNS_MAX	64

/**
 * enum kd_out - the forms
 */
enum kd_out {
	KD_OUT_TEXT,
	KD_OUT_CSV,
	KD_OUT_JSON,
};

/**
 * struct kd_column - a column
 * @id: letter of -f
 * @title: for people
 * @width: for people; negative: left-aligned, 0: as wide as it is
 * @net: title when net times are shown, NULL: the same
 * @key: for programs
 * @sampled: title for a log of samples, NULL: the same
 * @sampled_key: @key for such a log, NULL: the same
 * @name: for -f and -s, NULL: @key without its unit
 */
struct kd_column {
	char id;
	const char *title;
	int width;
	const char *net;
	const char *key;
	const char *name;
	const char *sampled;
	const char *sampled_key;
};

/**
 * struct kd_table - a table under construction
 * @out: its form
 * @sampled: values are estimates from samples
 * @lines: its last column is where functions begin: kd_line_cell()
 * @col: its columns
 * @n: how many
 * @at: column of the next cell
 * @rows: rows so far
 * @unsure: keys of cells of this row that are a best guess
 * @nunsure: how many
 * @any_unsure: there was one in the table
 */
struct kd_table {
	enum kd_out out;
	bool sampled;
	bool lines;
	const struct kd_column *col[KD_COLUMNS_MAX];
	u32 n;
	u32 at;
	u64 rows;
	const char *unsure[KD_COLUMNS_MAX];
	u32 nunsure;
	bool any_unsure;
};

/**
 * kd_column_named() - find a column by its name
 * @columns: the columns there are
 * @n: how many
 * @word: first byte of the name
 * @len: its length
 *
 * Return: its letter, 0: there is none of that name.
 */
char kd_column_named(const struct kd_column *columns, size_t n, const char *word, size_t len);

/**
 * kd_table_begin() - print the title above the rows
 * @t: zeroed, with @out, @sampled and @lines set
 * @columns: the columns there are
 * @n: how many
 * @format: letters of those to show, in this order; NULL: all
 * @net: net times are shown
 */
void kd_table_begin(struct kd_table *t, const struct kd_column *columns, size_t n,
		    const char *format, bool net);

/**
 * kd_cell_text() - put the next cell: a text
 */
void kd_cell_text(struct kd_table *t, const char *text);

/**
 * kd_cell_count() - put the next cell: a number
 */
void kd_cell_count(struct kd_table *t, s64 v);

/**
 * kd_cell_time() - put the next cell: nanoseconds, for people whole microseconds
 */
void kd_cell_time(struct kd_table *t, s64 ns, bool unsure);

/**
 * kd_cell_percent() - put the next cell: hundredths of a percent
 */
void kd_cell_percent(struct kd_table *t, s64 v, bool unsure);

/**
 * kd_cell_unknown() - put the next cell: unknown
 */
void kd_cell_unknown(struct kd_table *t);

/**
 * kd_cell_pid() - put the next cell: a task, -1 in an interrupt; less: unknown
 */
void kd_cell_pid(struct kd_table *t, s32 pid);

/**
 * kd_cell_time_or_unknown() - put the next cell: a time, or unknown
 * @ns: nanoseconds; negative: unknown
 */
void kd_cell_time_or_unknown(struct kd_table *t, s64 ns);

/**
 * kd_cell_span() - put the next cell: a duration, as the log's Delta has it
 * @entry: when it began, nanoseconds
 * @delta: nanoseconds; negative: unknown
 */
void kd_cell_span(struct kd_table *t, s64 entry, s64 delta);

/**
 * kd_row_put() - print a text into the row that belongs to no column: colours
 * @s: the text
 */
void kd_row_put(const char *s);

/**
 * kd_row_end() - complete the row
 */
void kd_row_end(struct kd_table *t);

/**
 * kd_json_text() - print a text as JSON has it, quotes included
 * @s: the text; bytes above 127 come out as the characters of these numbers
 */
void kd_json_text(const char *s);

/**
 * kd_json_put() - write a text as a string of JSON into an output
 * @out: where to
 * @s: the text
 */
void kd_json_put(struct kfi_out *out, const char *s);

/**
 * kd_capture() - keep what is printed to standard output from now on as a text
 * @text: set by kd_capture_end(): the text, to be freed
 * @size: its bytes
 *
 * Return: standard output as it was, for kd_capture_end(); NULL: no memory.
 */
FILE *kd_capture(char **text, size_t *size);

/**
 * kd_capture_end() - complete the text of kd_capture()
 * @out: from kd_capture()
 *
 * Return: 0; -ENOMEM: it is not whole.
 */
int kd_capture_end(FILE *out);

#endif /* KFI_KD_TABLE_H */
