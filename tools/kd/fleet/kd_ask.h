/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Answers questions about the records of a fleet. Only complete boots count: the others have no
 * total.
 *
 * A series has a number for each boot: its total, the length of a phase, or the time of a function.
 * A boot without the function counts as 0, as in kd --diff. Builds are in order of their first
 * boot.
 *
 * The records are in a file (kd_store.h), or their series come from standard input, once, for the
 * questions that need nothing else (kd_ask_stream.c).
 */
#ifndef KFI_KD_ASK_H
#define KFI_KD_ASK_H

#include "kd.h"
#include "kd_store.h"

/* Columns of the answers. */
enum {
	BUILD, DATE, BOOTS, BOARDS, MEDIAN, MAD, P95, CHANGE, PERCENT, BAR, NAME, FIRST, LAST,
	TREND, KIND, BEFORE, AFTER, RATE_OF, BOARD, SCORE, LOW, HIGH, SHARE, DISTANCE, SLOW,
	USUAL, MORE, PART, BOOT, TOTAL, COMPLETE, LOG
};

/**
 * struct fleet_boot - a boot
 * @id: its row in the database
 * @build: number of its build in @builds of struct fleet
 * @board: number of its board in @boards
 * @total: how long it took, nanoseconds
 */
struct fleet_boot {
	s64 id;
	u32 build;
	u32 board;
	double total;
};

/**
 * struct fleet_build - a build
 * @first: number of its first boot, in @boot of struct fleet
 * @boots: number of its boots
 * @time: time of its first boot
 */
struct fleet_build {
	u32 first;
	u32 boots;
	s64 time;
};

/**
 * struct fleet_row - a row of a list: a series, with what its question has computed
 * @name: its name
 * @kind: "boot", "phase" or "function"
 * @key: value that the list is sorted by
 * @v: numbers for the columns
 * @median: medians by build, or NULL
 * @cut: number of the build at which it changes
 */
struct fleet_row {
	char *name;
	const char *kind;
	double key;
	double v[4];
	double *median;
	u32 cut;
};

/**
 * struct fleet_list - rows of an answer
 * @at: the rows
 * @n: how many
 * @room: for how many there is room
 */
struct fleet_list {
	struct fleet_row *at;
	u32 n;
	u32 room;
};

/**
 * struct fleet - state while a question is answered
 * @kd: the options
 * @store: the records; NULL if there is a stream
 * @stream: where series are read from, NULL: from the records
 * @boot: boots, in order of their builds
 * @boot_room: for how many there is room
 * @boots: how many
 * @builds: names of builds, in order of their first boots
 * @build: the builds
 * @build_room: for how many there is room
 * @boards: names of boards
 * @of: maps the row of a boot in the database to its number
 * @value: by boot: the series that was read last
 * @unknown: number of values of boots that are not known
 * @sorted: room for one number for each boot, as are the next three
 * @more: more room
 * @rank: room for ranks
 * @order: room for an order
 * @median: by build: medians of the series that was read last
 * @least: smallest difference that counts, nanoseconds
 * @list: rows of the answer
 */
struct fleet {
	struct kd *kd;
	struct store *store;
	struct fleet_stream *stream;
	struct fleet_boot *boot;
	u32 boot_room;
	u32 boots;
	struct kfi_names builds;
	struct fleet_build *build;
	u32 build_room;
	struct kfi_names boards;
	struct kfi_map of;
	double *value;
	u32 unknown;
	double *sorted;
	double *more;
	double *rank;
	u32 *order;
	double *median;
	double least;
	struct fleet_list list;
};

typedef int (*fleet_series_fn)(struct fleet *f, const char *kind, const char *name,
			       struct kfi_err *err);

/**
 * struct fleet_question - a question
 * @name: its name in --ask; NULL ends the list
 * @ask: prints the answer
 * @has_page: --html has its answer
 * @has_stream: a fleet from standard input has its answer
 * @has_functions: --func and -s have an effect
 * @has_least: -t and --threshold have an effect
 */
struct fleet_question {
	const char *name;
	int (*ask)(struct fleet *f, struct kfi_err *err);
	bool has_page;
	bool has_stream;
	bool has_functions;
	bool has_least;
};

/* All questions, the default first. */
extern const struct fleet_question fleet_questions[];

/**
 * fleet_check_question() - check whether a question exists, and the options have an effect on it
 * @opt: the options; --ask has the question
 * @is_stream: the fleet comes from standard input
 * @err: set to the reason of a failure
 *
 * Return: 0 or -EINVAL.
 */
int fleet_check_question(const struct kd_options *opt, bool is_stream, struct kfi_err *err);

/**
 * fleet_ask() - answer the question of --ask, or write the page of --html
 * @kd: the options
 * @s: the records, NULL: series come from standard input
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int fleet_ask(struct kd *kd, struct store *s, struct kfi_err *err);

/* A fleet that comes from standard input, in kd_ask_stream.c. */

/**
 * fleet_stream_open() - begin to read
 * @f: the fleet; fleet_stream_close() must follow in any case
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int fleet_stream_open(struct fleet *f, struct kfi_err *err);

/**
 * fleet_stream_boots() - read builds and boots
 * @f: the fleet
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int fleet_stream_boots(struct fleet *f, struct kfi_err *err);

/**
 * fleet_stream_each() - call a function for each series, with the values of its boots
 * @f: the fleet; its stream is read to the end
 * @fn: the function
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int fleet_stream_each(struct fleet *f, fleet_series_fn fn, struct kfi_err *err);

/**
 * fleet_stream_close() - free the memory of the stream
 * @f: the fleet
 */
void fleet_stream_close(struct fleet *f);

/* What the questions share, in kd_ask.c. */

/**
 * ask_each_series() - call a function for each name of a table, with the values of its boots
 * @f: the fleet
 * @kind: the table
 * @column: column of the table
 * @fn: the function
 * @err: set to the reason of a failure
 *
 * The rows of a name follow each other, as in the index.
 *
 * Return: 0 or -errno.
 */
int ask_each_series(struct fleet *f, const char *kind, const char *column, fleet_series_fn fn,
		    struct kfi_err *err);

/**
 * ask_fill_unknown() - give boots whose value is unknown the median of those that have a value
 * @f: the fleet; a value below 0 is unknown: no call of the function returned
 *
 * So these boots count neither as fast nor as slow.
 */
void ask_fill_unknown(struct fleet *f);

/**
 * ask_column() - return the column of functions that -s chooses
 * @f: the fleet
 */
const char *ask_column(const struct fleet *f);

/**
 * ask_every_series() - call a function for the total, each phase and each function
 * @f: the fleet
 * @fn: the function
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int ask_every_series(struct fleet *f, fleet_series_fn fn, struct kfi_err *err);

/**
 * ask_take_totals() - fill @f->value with the totals
 */
void ask_take_totals(struct fleet *f);

/**
 * ask_sort_values() - copy and sort @f->value of the boots @from to @to
 * @room: room for them
 *
 * Return: @room.
 */
double *ask_sort_values(struct fleet *f, double *room, u32 from, u32 to);

/**
 * ask_median() - return the median of the values of ask_sort_values()
 */
double ask_median(struct fleet *f, u32 from, u32 to);

/**
 * ask_find_medians() - set @f->median for all builds
 */
void ask_find_medians(struct fleet *f);

/**
 * ask_is_large() - check whether a difference is as large as the options require
 */
bool ask_is_large(const struct fleet *f, double before, double after);

/**
 * ask_add_row() - add a row to the list
 *
 * Return: the row, NULL: out of memory.
 */
struct fleet_row *ask_add_row(struct fleet *f, const char *kind, const char *name, double key);

/**
 * ask_sort_rows() - sort the list, the greatest key first
 */
void ask_sort_rows(struct fleet *f);

/**
 * ask_free_rows() - make the list empty
 */
void ask_free_rows(struct fleet *f);

/**
 * ask_rows() - return how many rows of a list are printed
 */
u64 ask_rows(const struct fleet *f);

/**
 * ask_begin() - begin a table with the given columns
 */
void ask_begin(struct kd_table *t, const struct fleet *f, const u8 *ids, u32 n);

#define ASK_BEGIN(t, f, ...)	ask_begin(t, f, (const u8[]){ __VA_ARGS__ }, \
					  sizeof((const u8[]){ __VA_ARGS__ }))

/* Print a cell: nanoseconds; a part of a whole; a number in a format. Round a number. */
void ask_time_cell(struct kd_table *t, double ns);
void ask_percent_cell(struct kd_table *t, double part, double of);
void ask_number_cell(struct kd_table *t, const char *format, double v);
s64 ask_whole(double v);

/**
 * ask_no_memory() - set the error for a failed allocation
 *
 * Return: -ENOMEM.
 */
int ask_no_memory(struct kfi_err *err);

/*
 * The functions that answer. Each is in a file of its name; the first three are in kd_ask_trend.c.
 */
int ask_trend(struct fleet *f, struct kfi_err *err);
int ask_phases(struct fleet *f, struct kfi_err *err);
int ask_functions(struct fleet *f, struct kfi_err *err);
int ask_changes(struct fleet *f, struct kfi_err *err);
int ask_outliers(struct fleet *f, struct kfi_err *err);
int ask_bimodal(struct fleet *f, struct kfi_err *err);
int ask_worst(struct fleet *f, struct kfi_err *err);

/**
 * ask_page() - write a page with the answers of all questions, in kd_fleet_page.c
 * @f: the fleet
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int ask_page(struct fleet *f, struct kfi_err *err);

#endif /* KFI_KD_ASK_H */
