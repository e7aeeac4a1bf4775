/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a crash leaves of a run: its newest calls, and those that were open in the task that
 * crashed.
 */
#ifndef KFI_CRASH_H
#define KFI_CRASH_H

#include "core/last.h"
#include "session/log.h"

struct seq_file;

/* A header with a note for each function of a list and a line for each module fits. */
#define KFI_CRASH_TEXT		49152

/* What rows are counted as. */
enum kfi_excerpt_kind {
	KFI_EXCERPT_CALL,
	KFI_EXCERPT_MARK,
	KFI_EXCERPT_WATCH,
	KFI_EXCERPT_KINDS
};

/**
 * struct kfi_excerpt - the end of a run
 * @log: a copy of its log, with what a header says; it has no rows of its own
 * @last: where its rows are
 * @stack: shadow stack of the task that crashed, whose calls the rows in KFI_ROW_OPEN are
 * @pid: that task
 * @found: rows that the whole log would have, by enum kfi_excerpt_kind
 * @left_out: how many of them do not follow the header that was printed last
 * @open_unknown: the open calls of other tasks are not among them: they could not be counted
 * @text: for printing
 */
struct kfi_excerpt {
	struct kfi_log log;
	struct kfi_last last;
	const struct kfi_stack *stack;
	u32 pid;
	u64 found[KFI_EXCERPT_KINDS];
	u64 left_out[KFI_EXCERPT_KINDS];
	bool open_unknown;
	struct seq_file *text;
};

/**
 * kfi_crash_want() - From now on a crash stops the run.
 *
 * Context: any.
 */
void kfi_crash_want(void);

/**
 * kfi_excerpt_row() - Print a row into the excerpt's own text, over what was there.
 * @e: the excerpt
 * @i: 0..@e->last.n - 1
 *
 * Context: a crash.
 */
void kfi_excerpt_row(struct kfi_excerpt *e, u32 i);

/**
 * kfi_excerpt_head() - Print what stands above the rows into its own text, over what was there.
 * @e: the excerpt
 * @rows: how many of its newest rows are to follow
 *
 * Context: a crash.
 */
void kfi_excerpt_head(struct kfi_excerpt *e, u32 rows);

/**
 * kfi_excerpt_take() - Find the newest calls of a run that has been stopped.
 * @e: where to; its item array and @e->text are set
 * @run: the run; it does not go away meanwhile
 * @room: items of the array; more than KFI_STACK_DEPTH
 *
 * Context: a crash: allocates nothing, waits for nothing.
 */
void kfi_excerpt_take(struct kfi_excerpt *e, const struct kfi_run *run, u32 room);

#endif /* KFI_CRASH_H */
