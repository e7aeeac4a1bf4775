/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tracelog - read a text of /proc/kfi_trace and say whether it can be true
 *
 * The tests' own reader, kept apart from the recorder and from tools/lib on purpose: it checks
 * them. Used inside the guest by the cases and on the host by tests/boot/check_log.
 */
#ifndef TRACELOG_H
#define TRACELOG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum tl_mark {
	TL_OPEN		= 1,	/* not returned when the run stopped */
	TL_UNWOUND	= 2,	/* an outer call returned first */
	TL_NOTIME	= 4,	/* began before the clock ran */
	TL_STACK	= 8,	/* a row of a watch, no call */
	TL_OTHER	= 16,	/* a mark that this reader does not know */
};

struct tl_row {
	uint64_t entry_us;
	int64_t delta_us;	/* -1: exit not seen */
	uint64_t entry_ns;
	int64_t delta_ns;
	int64_t local_ns;
	int64_t off_ns;		/* switched out during the call; -1 with delta_ns */
	int64_t irq_ns;		/* taken by interrupts during the call */
	int pid;		/* -1 in interrupt context */
	int task;
	int cpu;
	int depth;
	char ctx;		/* t task, s softirq, h hardirq, n NMI */
	unsigned int marks;
	unsigned int below;	/* calls below that have no row */
	const char *func;	/* a name, or hex with 0x */
	const char *caller;
};

/* A line between the rows. */
struct tl_event {
	uint64_t us;
	uint64_t ns;
	size_t row;		/* the first row below it */
	int task;
	int cpu;
	char ctx;
	const char *kind;
	const char *args;	/* the rest of the line, maybe empty */
};

/* A row of a profile. */
struct tl_sum {
	const char *func;
	uint64_t count;
	uint64_t total_ns;
	uint64_t local_ns;
	uint64_t min_ns;
	uint64_t max_ns;
	uint64_t off_ns;
	uint64_t irq_ns;
	uint64_t untimed;
};

struct tl_line {
	const char *name;
	const char *value;
};

struct tracelog {
	struct tl_row *rows;
	size_t nr_rows;
	struct tl_event *events;
	size_t nr_events;
	bool profile;		/* no rows, but sums */
	struct tl_sum *sums;
	size_t nr_sums;
	size_t nr_checks;	/* check lines, all of them right */
	struct tl_line *head;	/* the lines "name = value" */
	size_t nr_head;
	const char *started;	/* "at N usec by ...", NULL if there is no such line */
	const char *stopped;
	bool running;		/* "Logging is running": header only, or a snapshot */
	bool header_complete;	/* the dashed line that ends the header was read */
	bool header_checked;	/* it has a check line */
	uint64_t header_sum;	/* over the header, to compare with that */
	char *text;
};

/**
 * tl_parse() - read a log
 * @log:  filled in; release with tl_free(), also after an error
 * @text: the log; taken over, must be from malloc()
 * @why:  on error the line number and what is wrong there
 * @size: of @why
 *
 * Return: 0, or -1 if a row cannot be read.
 */
int tl_parse(struct tracelog *log, char *text, char *why, size_t size);

/**
 * tl_free() - release what tl_parse() took
 * @log: the log
 */
void tl_free(struct tracelog *log);

/**
 * tl_text() - the text of a header line
 * @log:  the log
 * @name: what stands left of " = "
 *
 * Return: the text to the right, or NULL.
 */
const char *tl_text(const struct tracelog *log, const char *name);

/**
 * tl_num() - the number of a header line
 * @log:  the log
 * @name: what stands left of " = "
 *
 * Return: the number, -1 if there is no such line or no number in it.
 */
long long tl_num(const struct tracelog *log, const char *name);

/**
 * tl_of() - the second number of a header line "name = N of N ..."
 * @log:  the log
 * @name: what stands left of " = "
 *
 * Return: the number, -1 if there is no such line or no such number in it.
 */
long long tl_of(const struct tracelog *log, const char *name);

/**
 * tl_note() - return true if there is a note with these words
 * @log:   the log
 * @words: what to look for in the lines "Note = ..."
 *
 * Return: true if one holds @words.
 */
bool tl_note(const struct tracelog *log, const char *words);

/**
 * tl_find() - first row of a function
 * @log:  the log
 * @func: as it stands in the Function column; or only its name, where "+0x..." follows
 * @from: index to begin at
 *
 * Return: index of the row, or -1.
 */
long tl_find(const struct tracelog *log, const char *func, size_t from);

/**
 * tl_first_call() - row of the call that started the run
 * @log:  the log
 * @func: its function, as for tl_find()
 *
 * A run starts before that call is recorded. If an interrupt comes between, its rows are before,
 * and so is what other cpus call at that time; but nothing of the same task.
 *
 * Return: index of the row, or -1.
 */
long tl_first_call(const struct tracelog *log, const char *func);

/**
 * tl_find_event() - first line between the rows of a kind
 * @log:  the log
 * @kind: its kind
 * @args: what its arguments begin with
 * @from: index to begin at
 *
 * Return: its index, or -1.
 */
long tl_find_event(const struct tracelog *log, const char *kind, const char *args, size_t from);

/**
 * tl_parse_sum() - read a row of a profile. Part of tl_parse()
 * @s:    filled in
 * @line: the row; cut into words
 *
 * Return: 0, or -1 if it is none.
 */
int tl_parse_sum(struct tl_sum *s, char *line);

/**
 * tl_sum() - the sums of a function
 * @log:  a profile
 * @func: as it stands in the Function column
 *
 * Return: its row, or NULL.
 */
const struct tl_sum *tl_sum(const struct tracelog *log, const char *func);

/**
 * tl_check_sums() - check whether the sums of a profile can be true. Part of tl_check()
 * @log: the log
 * @out: as for tl_check()
 *
 * Return: number of complaints.
 */
int tl_check_sums(const struct tracelog *log, FILE *out);

/**
 * tl_check() - all that must hold for any log of a stopped run, and for a snapshot of a live one
 * @log: the log
 * @out: where complaints go, one a line, the first few; may be NULL
 *
 * The accounting adds up, rows stand in order of entry, calls of one task nest, no local time is
 * negative or longer than its call, microseconds are those of the nanoseconds; in a snapshot
 * nothing is later than itself.
 *
 * Return: number of complaints.
 */
int tl_check(const struct tracelog *log, FILE *out);

/**
 * tl_check_times() - check that the times of all calls add up. Part of tl_check()
 * @log: the log
 * @out: where complaints go, the first few; may be NULL
 *
 * Only of a log that no filter and no loss has taken rows from.
 *
 * Return: number of complaints.
 */
int tl_check_times(const struct tracelog *log, FILE *out);

#endif
