/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The text of a log and of the status, as Documentation/formats.rst describes it.
 */
#ifndef KFI_SHOW_H
#define KFI_SHOW_H

#include <linux/math64.h>
#include <linux/time64.h>

#include "session/log.h"

struct seq_file;

/* Digits of an address, and the width of the columns of functions and callers. */
#define KFI_ADDR_DIGITS		((int)(2 * sizeof(long)))
#define KFI_NAME_WIDTH		32

/**
 * kfi_show_us() - Convert what was rounded to nanoseconds.
 * @ns: nanoseconds
 *
 * Context: process context.
 * Return: microseconds, rounded down.
 */
static inline u64 kfi_show_us(u64 ns)
{
	return div_u64(ns, NSEC_PER_USEC);
}

/**
 * kfi_show_ns() - Convert a difference of raw counts, by the rate that belongs to a log.
 * @log: the log
 * @counts: raw counts
 *
 * Context: process context.
 * Return: nanoseconds, rounded down.
 */
static inline u64 kfi_show_ns(const struct kfi_log *log, u64 counts)
{
	return kfi_clock_ns(counts, log->hz);
}

/**
 * kfi_show_origin() - What Entry counts from: the start, or the clock's own beginning if that was
 * later.
 * @log: the log
 *
 * Context: process context.
 * Return: raw clock count.
 */
static inline u64 kfi_show_origin(const struct kfi_log *log)
{
	return log->run.start.time ?: kfi_clock.zero;
}

/**
 * kfi_show_elapsed() - How long did the run take?
 * @log: the log
 *
 * Context: process context.
 * Return: nanoseconds from the origin to the stop; 0 if there was none.
 */
static inline u64 kfi_show_elapsed(const struct kfi_log *log)
{
	u64 stop = log->run.stop.time;

	return stop ? kfi_show_ns(log, stop - kfi_show_origin(log)) : 0;
}

/**
 * kfi_show_state() - In which state is the run?
 * @log: the log
 *
 * Context: any.
 * Return: enum kfi_state; who sees KFI_COMPLETE sees why.
 */
static inline int kfi_show_state(const struct kfi_log *log)
{
	return atomic_read_acquire(&log->run.state);
}

/**
 * kfi_show_header() - Print all that stands above the rows, the rule included.
 * @m: where to
 * @log: a log with a reference
 * @whole: it is collected, and its rows follow
 *
 * Context: process context.
 */
void kfi_show_header(struct seq_file *m, const struct kfi_log *log, bool whole);

/**
 * kfi_show_machine() - Print what is needed to give names to addresses.
 * @m: where to
 * @log: a log with a reference
 * @whole: it is collected
 *
 * Context: process context.
 */
void kfi_show_machine(struct seq_file *m, const struct kfi_log *log, bool whole);

/**
 * kfi_show_notes() - Print why a log is not what one would expect.
 * @m: where to
 * @log: a log with a reference
 * @whole: it is collected
 *
 * Context: process context.
 */
void kfi_show_notes(struct seq_file *m, const struct kfi_log *log, bool whole);

/**
 * kfi_show_state_note() - Print why a run is not complete, or was over before it started.
 * @m: where to
 * @log: a log with a reference
 *
 * Context: process context.
 */
void kfi_show_state_note(struct seq_file *m, const struct kfi_log *log);

/**
 * kfi_show_sum_title() - Print the title and the rule of a profile.
 * @m: where to
 *
 * Context: process context.
 */
void kfi_show_sum_title(struct seq_file *m);

/**
 * kfi_show_sum() - Print a row of a profile.
 * @m: where to
 * @log: a collected log
 * @s: one of its sums
 *
 * Context: process context.
 */
void kfi_show_sum(struct seq_file *m, const struct kfi_log *log, const struct kfi_prof_sum *s);

/**
 * kfi_show_rec() - Print a record as a row.
 * @m: where to
 * @log: the log that it belongs to
 * @r: the record
 * @e: the event, if it is one
 *
 * Context: any.
 */
void kfi_show_rec(struct seq_file *m, const struct kfi_log *log, const struct kfi_rec *r,
		  const struct kfi_event *e);

/**
 * kfi_show_row() - Print one row.
 * @m: where to
 * @log: a collected log
 * @i: 0..@log->nrows - 1
 *
 * Context: process context.
 */
void kfi_show_row(struct seq_file *m, const struct kfi_log *log, u32 i);

/**
 * kfi_show_mark() - Print a mark.
 * @m: where to
 * @log: a collected log
 * @e: the mark
 *
 * Context: process context.
 */
void kfi_show_mark(struct seq_file *m, const struct kfi_log *log, const struct kfi_event *e);

/**
 * kfi_show_watch_lowest() - Print how low the stack was seen, if it is watched.
 * @m: where to
 * @log: a log with a reference
 *
 * Context: process context.
 */
void kfi_show_watch_lowest(struct seq_file *m, const struct kfi_log *log);

/**
 * kfi_show_event_counts() - Print what was counted of marks and watches.
 * @m: where to
 * @log: a collected log
 *
 * Context: process context.
 */
void kfi_show_event_counts(struct seq_file *m, const struct kfi_log *log);

/**
 * kfi_show_status() - Print what cat /proc/kfi shows of the run that has its turn.
 * @m: where to
 * @first: the first log of a configuration, with a reference; NULL: no run
 *
 * Context: process context, sleeps.
 */
void kfi_show_status(struct seq_file *m, struct kfi_log *first);

#endif /* KFI_SHOW_H */
