/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sums of each function of a log: what kd's table of functions and its comparison of logs show.
 *
 * Time adds up the calls whose exit was seen, of recursive calls the outermost. Local adds up what
 * these calls ran themselves; Sub-time is the difference of the two. Of the same calls as Time,
 * Off-cpu adds up the time switched out, Irq the time in interrupts, On-cpu what remains.
 */
#ifndef KFI_KD_SUM_H
#define KFI_KD_SUM_H

#include "hash.h"
#include "hist.h"
#include "kd.h"
#include "kd_walk.h"

/* What to collect besides the sums. */
#define KD_WANT_EDGES	0x1	/* who called whom */
#define KD_WANT_HIST	0x2	/* percentiles */
#define KD_WANT_PARTS	0x4	/* on a cpu, switched out, in interrupts */
#define KD_WANT_SPAN	0x8	/* when it was called first, and last */

/**
 * struct kd_func - sums of one function, times in nanoseconds
 * @calls: calls, with or without a duration
 * @timed: those with a duration
 * @all: sum of their durations
 * @time: the same without calls within calls of the function
 * @local: sum of their local times
 * @on: the part of @time on a cpu
 * @off: the part of @time switched out
 * @irq: the part of @time in interrupts
 * @below: calls below those in @time that have rows
 * @dropped: those that have none
 * @all_below: calls below those in @all that have rows
 * @all_dropped: those that have none
 * @children: calls directly below those in @all
 * @min: shortest
 * @max: longest
 * @first: when its first call was entered
 * @last: when its last call ended, or was entered if that has no duration
 * @best: its pair that costs most, KFI_NONE: none
 * @callers: functions that call it
 * @unsure: @local is a best guess
 * @seen: @first and @last are set
 * @no_off: of a call in @time it is not known how long it was switched out
 * @no_irq: the same of interrupts
 */
struct kd_func {
	u64 calls;
	u64 timed;
	u64 all;
	u64 time;
	u64 local;
	u64 on;
	u64 off;
	u64 irq;
	u64 below;
	u64 dropped;
	u64 all_below;
	u64 all_dropped;
	u64 children;
	u64 min;
	u64 max;
	s64 first;
	s64 last;
	u32 best;
	u32 callers;
	bool unsure;
	bool seen;
	bool no_off;
	bool no_irq;
};

/**
 * struct kd_edge - one function called by another
 * @time: sum of the durations of these calls
 * @calls: how many
 * @from: the caller
 * @to: the called function
 */
struct kd_edge {
	u64 time;
	u64 calls;
	u32 from;
	u32 to;
};

/**
 * struct kd_sum - the sums
 * @kd: the run
 * @want: KD_WANT_*
 * @cost: cost to subtract for each call below
 * @func: by number of the function
 * @room: for how many @func has room
 * @known: how many of @func are in use
 * @hist: durations, by number of the function, if they are wanted
 * @hist_room: for how many @hist has room
 * @edge: pairs, in the end by caller and time
 * @nedges: how many
 * @edge_room: for how many there is room
 * @edge_of: (caller, called) to its place in @edge, while the log is read
 * @all_local: sum of all local times
 * @all_samples: weight of all samples, whatever the filter takes
 * @levels: names of initcall levels, of logs with such marks
 * @level_ns: by number of the level: how long it took
 * @level_room: for how many there is room
 * @level: the level that goes on, KFI_NONE: none
 * @level_from: since when, nanoseconds
 */
struct kd_sum {
	struct kd *kd;
	u32 want;
	struct kd_cost cost;
	struct kd_func *func;
	u32 room;
	u32 known;
	struct kfi_hist *hist;
	u32 hist_room;
	struct kd_edge *edge;
	u32 nedges;
	u32 edge_room;
	struct kfi_map edge_of;
	u64 all_local;
	u64 all_samples;
	struct kfi_names levels;
	u64 *level_ns;
	u32 level_room;
	u32 level;
	s64 level_from;
};

/**
 * kd_sum_begin() - begin with sums, before a log is read
 * @s: zeroed, but for @kd, @want and @cost; kd_sum_free() must follow in any case
 * @visit: filled: the visitor; it gives each call that is taken the number of its function
 */
void kd_sum_begin(struct kd_sum *s, struct kd_visit *visit);

/**
 * kd_sum_end() - complete the sums, after the log was read
 * @s: the sums
 */
void kd_sum_end(struct kd_sum *s);

/**
 * kd_sum_read() - read a log to its end
 * @s: zeroed, but for @kd, @want and @cost
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno; kd_sum_free() must follow in any case.
 */
int kd_sum_read(struct kd_sum *s, struct kfi_err *err);

/**
 * kd_sum_row() - add a call, without its tree: of a recursion all calls add to its time
 * @s: the sums
 * @func: number of its function
 * @row: the call
 *
 * Return: 0 or -ENOMEM.
 */
int kd_sum_row(struct kd_sum *s, u32 func, const struct kfi_row *row);

/**
 * kd_sum_known() - check whether a column has a value
 * @s: the sums
 * @func: number of a function
 * @key: letter of the column
 *
 * Return: true if so.
 */
bool kd_sum_known(const struct kd_sum *s, u32 func, char key);

/**
 * kd_sum_value() - return the value that a column shows and is sorted by
 * @s: the sums
 * @func: number of a function
 * @key: letter of the column
 *
 * Return: nanoseconds, a number, or hundredths of a percent; 0 for columns of text.
 */
u64 kd_sum_value(const struct kd_sum *s, u32 func, char key);

/**
 * kd_sum_free() - free the memory
 * @s: the sums
 */
void kd_sum_free(struct kd_sum *s);

#endif /* KFI_KD_SUM_H */
