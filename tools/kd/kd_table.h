/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of kd: for people, as CSV or as JSON. Documentation/formats.rst has the schema of CSV and
 * JSON; its version is KD_SCHEMA.
 *
 * The caller begins a table, and then puts rows cell by cell, in the order of the columns.
 */
#ifndef KFI_KD_TABLE_H
#define KFI_KD_TABLE_H

#include "kfi_port_host.h"
#include "out.h"

/* Changes when a key changes its meaning or is removed; not when a key is added. */
#define KD_SCHEMA	1

#define KD_COLUMNS_MAX	64

/**
 * enum kd_out - output forms
 */
enum kd_out {
	KD_OUT_TEXT,
	KD_OUT_CSV,
	KD_OUT_JSON,
};

/**
 * struct kd_column - a column
 * @id: its letter in -f
 * @title: title for people
 * @width: width for people; negative: left-aligned, 0: as wide as the text
 * @net: title when net times are shown, NULL: the same
 * @key: key for programs
 * @sampled: title for a log of samples, NULL: the same
 * @sampled_key: @key for such a log, NULL: the same
 * @name: name in -f and -s, NULL: @key without its unit
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
 * @out: its output form
 * @sampled: values are estimates from samples
 * @lines: its last column is the source line of a function: see kd_line_cell()
 * @col: its columns
 * @n: how many
 * @at: column of the next cell
 * @rows: number of rows so far
 * @unsure: keys of the cells of this row that are best guesses
 * @nunsure: number of such cells
 * @any_unsure: the table has such a cell
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
 * @n: number of columns
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
 * @n: number of columns
 * @format: letters of the columns to show, in this order; NULL: all
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
 * kd_cell_unknown() - put the next cell: an unknown value
 */
void kd_cell_unknown(struct kd_table *t);

/**
 * kd_cell_pid() - put the next cell: a task, -1: an interrupt, less: unknown
 */
void kd_cell_pid(struct kd_table *t, s32 pid);

/**
 * kd_cell_time_or_unknown() - put the next cell: a time, or unknown
 * @ns: nanoseconds; negative: unknown
 */
void kd_cell_time_or_unknown(struct kd_table *t, s64 ns);

/**
 * kd_cell_span() - put the next cell: a duration, as Delta in the log
 * @entry: when it began, nanoseconds
 * @delta: nanoseconds; negative: unknown
 */
void kd_cell_span(struct kd_table *t, s64 entry, s64 delta);

/**
 * kd_row_put() - print a text that belongs to no column, such as a colour
 * @s: the text
 */
void kd_row_put(const char *s);

/**
 * kd_row_end() - complete the row
 */
void kd_row_end(struct kd_table *t);

/**
 * kd_json_text() - print a text as a string of JSON, quotes included
 * @s: the text; a byte above 127 becomes the character with that number
 */
void kd_json_text(const char *s);

/**
 * kd_json_put() - write a text as a string of JSON into an output
 * @out: where to write it
 * @s: the text
 */
void kd_json_put(struct kfi_out *out, const char *s);

/**
 * kd_capture() - redirect standard output into memory
 * @text: set by kd_capture_end() to the text, which the caller frees
 * @size: set to the size of the text
 *
 * Return: the previous standard output, for kd_capture_end(); NULL: out of memory.
 */
FILE *kd_capture(char **text, size_t *size);

/**
 * kd_capture_end() - complete the text of kd_capture()
 * @out: from kd_capture()
 *
 * Return: 0; -ENOMEM: the text is not whole.
 */
int kd_capture_end(FILE *out);

#endif /* KFI_KD_TABLE_H */
