/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of kd share: its options, and what one run of it knows about its log. */
#ifndef KFI_KD_H
#define KFI_KD_H

#include "err.h"
#include "log.h"
#include "tree.h"

/**
 * struct kd - one run of kd
 * @num: -n: functions to show, U64_MAX: all
 * @time_us: -t: show functions with at least this time
 * @depth: -d: deepest level of a call trace to show
 * @name_len: -m: longest name in a call trace, 0: not given
 * @format: -f, or NULL
 * @sort: -s, or NULL
 * @longer: -l
 * @trace: -c
 * @interlaced: -i
 * @at_parse: -r
 * @help: -h
 * @version: -V
 * @log: the log
 * @names: functions of the log
 * @rule: how trees are made of this log
 * @first: the first row, read ahead
 * @has_first: it has not been delivered yet
 * @addresses: functions are addresses, not names
 * @calls: rows read
 * @opened: calls without a duration, marked open or, in historic logs, not marked
 * @unwound: calls without a duration because an outer call returned first
 * @notime: calls entered before the clock ran
 * @no_clock: a call entered before the clock ran has been seen
 * @recursive: calls within a call of the same function
 * @hidden: calls not shown because they are too deep
 * @unordered: rows entered before the row above them
 * @unsure: a value with a question mark was printed
 * @no_off_irq: a column or key was asked for that needs Off-ns and Irq-ns, which a call has not
 * @last_ns: entry of the last row
 * @last_run: run of the last row
 * @status: exit status so far
 */
struct kd {
	u64 num;
	u64 time_us;
	u64 depth;
	u64 name_len;
	const char *format;
	const char *sort;
	bool longer;
	bool trace;
	bool interlaced;
	bool at_parse;
	bool help;
	bool version;

	struct kfi_log log;
	struct kfi_names names;
	enum kfi_tree_rule rule;
	struct kfi_row first;
	bool has_first;
	bool addresses;
	u64 calls;
	u64 opened;
	u64 unwound;
	u64 notime;
	bool no_clock;
	u64 recursive;
	u64 hidden;
	u64 unordered;
	bool unsure;
	bool no_off_irq;
	s64 last_ns;
	u32 last_run;
	int status;
};

/**
 * kd_next() - the next call of the log, numbered for the trees and counted
 * @kd: the run
 * @row: filled
 * @call: filled, but for @call->id
 * @new_run: set when the row is the first one of another run
 * @err: why not
 *
 * Return: 1, 0 at the end, or -errno.
 */
int kd_next(struct kd *kd, struct kfi_row *row, struct kfi_tree_call *call, bool *new_run,
	    struct kfi_err *err);

/**
 * kd_summary() - print the table of functions
 * @kd: the run
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kd_summary(struct kd *kd, struct kfi_err *err);

/**
 * kd_trace() - print the call trace
 * @kd: the run
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kd_trace(struct kd *kd, struct kfi_err *err);

/**
 * kd_columns() - check a column format; bad letters are reported and taken out
 * @kd: the run; its status becomes 1 for a bad letter
 * @format: the letters asked for
 * @known: the letters there are
 * @out: filled, NUL-terminated
 * @size: its size
 */
void kd_columns(struct kd *kd, const char *format, const char *known, char *out, size_t size);

#endif /* KFI_KD_H */
