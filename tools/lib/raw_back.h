/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The calls of a raw log from the last one back: in the order of their exits, the last first, so
 * that a call comes before those within it.
 *
 *	chunks of cpu 0		... 7 8 9 <-
 *	chunks of cpu 1		... 5 6 <-	kfi_raw_back_next(): which chunk comes next
 *
 * For who adds up calls, and need not see them in order of entry: nothing has to be counted before
 * and put in order. It is for logs in which nothing is wrong, and rare things are not: of all
 * others it says so, and they can be read as ever, see raw.h. Memory goes with the chunks, four
 * bytes each, and with the calls of one chunk of each cpu. Called by kd.
 */
#ifndef KFI_RAW_BACK_H
#define KFI_RAW_BACK_H

#include "raw.h"

/* A call that has not returned ends behind all others. */
#define KFI_RAW_NO_END	(S64_MAX - 1)

/**
 * struct kfi_raw_span - a call, for what it lies in
 * @entry: nanoseconds
 * @end: nanoseconds; KFI_RAW_NO_END: it has not returned
 * @func: for the caller's use
 * @depth: nesting depth
 * @task: task
 * @cpu: cpu
 * @place: for kfi_raw_back_row()
 * @chunk: likewise
 */
struct kfi_raw_span {
	s64 entry;
	s64 end;
	u32 func;
	u32 depth;
	s32 task;
	s32 cpu;
	u32 place;
	u32 chunk;
};

/**
 * struct kfi_raw_lane - what is left of a cpu
 * @cpu: its number
 * @chunk: places of its chunks
 * @nchunks: how many have not been read
 * @room: for how many there is room
 * @span: calls that have been read, in order of exit
 * @n: how many are left
 * @low: up to there they wait for the next chunk: what an interrupt wrote meanwhile may be in it
 * @span_room: for how many there is room
 * @last: exit of the one taken last
 */
struct kfi_raw_lane {
	u32 cpu;
	u32 *chunk;
	u32 nchunks;
	u32 room;
	struct kfi_raw_span *span;
	u32 n;
	u32 low;
	u32 span_room;
	s64 last;
};

/* So many cpus at most. */
#define KFI_RAW_LANES	64

/* So many calls of a chunk are delivered at once. */
#define KFI_RAW_ROWS	64

/**
 * struct kfi_raw_back - a raw log that is read from the last call back; private but for the first
 * two
 * @rows: calls that have been read
 * @others: marks and rows of watches
 * @marks: of these the marks
 * @raw: the log
 * @lane: cpus
 * @nlanes: how many
 * @open: calls that have not returned, the outer ones first
 * @nopens: how many
 * @open_room: for how many there is room
 * @unknown: records of kinds that are not known
 * @want: rows by the end of the log
 */
struct kfi_raw_back {
	u64 rows;
	u64 others;
	u64 marks;
	struct kfi_raw *raw;
	struct kfi_raw_lane lane[KFI_RAW_LANES];
	u32 nlanes;
	struct kfi_raw_span *open;
	u32 nopens;
	u32 open_room;
	u64 unknown;
	u64 want;
};

/**
 * typedef kfi_raw_rows_fn - told about some calls, in no order
 * @arg: as given
 * @row: the calls
 * @span: the same, in short; @span->func is to be set
 * @n: how many
 *
 * Return: 0; 1: it is not for this; -ENOMEM.
 */
typedef int (*kfi_raw_rows_fn)(void *arg, const struct kfi_row *row, struct kfi_raw_span *span,
			       u32 n);

/**
 * kfi_raw_back_open() - find the chunks and read the open calls
 * @b: filled; kfi_raw_back_close() must follow in any case
 * @raw: the log, of which nothing has been read
 * @fn: told about the open calls
 * @arg: its first argument
 *
 * Return: 0; 1: it is not for this; -ENOMEM.
 */
int kfi_raw_back_open(struct kfi_raw_back *b, struct kfi_raw *raw, kfi_raw_rows_fn fn, void *arg);

/**
 * kfi_raw_back_next() - some calls more
 * @b: the log
 * @fn: told about calls when their chunk is read
 * @arg: its first argument
 * @lane: set to the lane whose next calls are the last ones: those above the mark that is set
 * @until: calls of that lane are to be taken as long as their exit is not before this
 *
 * Return: 1; 0: there is none more; 2: it is not for this; -ENOMEM.
 */
int kfi_raw_back_next(struct kfi_raw_back *b, kfi_raw_rows_fn fn, void *arg,
		      struct kfi_raw_lane **lane, s64 *until);

/**
 * kfi_raw_back_row() - the row of a call
 * @b: the log
 * @span: the call
 * @row: filled
 */
void kfi_raw_back_row(const struct kfi_raw_back *b, const struct kfi_raw_span *span,
		      struct kfi_row *row);

/**
 * kfi_raw_back_order() - which of two calls kfi_raw_item() would have first
 * @b: the log
 * @x: a call
 * @y: another one, or the same
 *
 * Return: less than 0: @x, more: @y, 0: they are the same.
 */
int kfi_raw_back_order(const struct kfi_raw_back *b, const struct kfi_raw_span *x,
		       const struct kfi_raw_span *y);

/**
 * kfi_raw_back_whole() - whether all that the log's end promises has been read, after the last call
 * @b: the log
 *
 * Return: true if so: the log is at its end then for kfi_raw_item(), too.
 */
bool kfi_raw_back_whole(struct kfi_raw_back *b);

/**
 * kfi_raw_back_close() - give back the memory
 * @b: the log
 */
void kfi_raw_back_close(struct kfi_raw_back *b);

#endif /* KFI_RAW_BACK_H */
