/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sums of each function of a log, for kd's table of functions and its comparison of logs. Time adds
 * up the calls whose exit was seen; of recursive calls only the outermost count. Local adds up the
 * self times of these calls; Sub-time is the difference of the two. Off-cpu, Irq and On-cpu divide
 * Time into the time switched out, the time in interrupts, and the rest.
 */
#ifndef KFI_KD_SUM_H
#define KFI_KD_SUM_H

#include "hash.h"
#include "hist.h"
#include "kd.h"
#include "kd_walk.h"

/* What to collect besides the sums of functions. */
#define KD_WANT_EDGES	0x1	/* who called whom */
#define KD_WANT_HIST	0x2	/* percentiles */
#define KD_WANT_PARTS	0x4	/* time on a CPU, switched out, in interrupts */
#define KD_WANT_SPAN	0x8	/* time of the first and the last call */

/**
 * struct kd_func - sums of a function, times in nanoseconds
 * @calls: number of calls
 * @timed: number of calls with a duration
 * @all: sum of all durations
 * @time: sum of durations without calls that lie in a call of the same function
 * @local: sum of self times
 * @on: the part of @time on a cpu
 * @off: the part of @time switched out
 * @irq: the part of @time in interrupts
 * @below: number of calls below those in @time that have rows
 * @dropped: number of calls below those in @time that have no row
 * @all_below: number of calls below those in @all that have rows
 * @all_dropped: number of calls below those in @all that have no row
 * @children: number of calls directly below those in @all
 * @min: shortest duration
 * @max: longest duration
 * @first: when its first call was entered
 * @last: when its last call ended, or was entered if that has no duration
 * @best: its pair with the longest time, KFI_NONE: none
 * @callers: number of functions that call it, itself among them
 * @unsure: @local is a best guess
 * @calls_itself: it is one of its callers
 * @seen: @first and @last are set
 * @ends_levels: its calls end initcall levels
 * @no_off: for a call in @time, the time switched out is unknown
 * @no_irq: for a call in @time, the time in interrupts is unknown
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
	bool calls_itself;
	bool seen;
	bool ends_levels;
	bool no_off;
	bool no_irq;
};

/**
 * struct kd_edge - a pair of caller and called function, which are different functions
 * @time: sum of the durations of @calls
 * @calls: number of calls by calls of @from that the filters select
 * @from: the caller
 * @to: the called function
 * @is_taken: the filters select one of the calls
 */
struct kd_edge {
	u64 time;
	u64 calls;
	u32 from;
	u32 to;
	bool is_taken;
};

/**
 * struct kd_sum - the sums
 * @kd: the run
 * @want: KD_WANT_*
 * @cost: cost to subtract for each call below
 * @func: by number of the function
 * @room: for how many @func has room
 * @known: number of elements of @func in use
 * @hist: by number of the function: durations, for percentiles
 * @hist_room: for how many @hist has room
 * @edge: pairs, in the end sorted by caller and time
 * @nedges: how many
 * @edge_room: for how many there is room
 * @edge_of: maps (caller, called) to a number in @edge, while the log is read
 * @all_local: sum of all local times, without what recording took
 * @is_all_unknown: a part of that sum is unknown
 * @all_samples: weight of all samples, whatever the filter takes
 * @levels: names of initcall levels, if the log has such marks
 * @level_ns: by number of the level: its length
 * @level_room: for how many there is room
 * @level: the current level, KFI_NONE: none
 * @level_from: begin of @level, nanoseconds
 * @level_to: latest end of @level, nanoseconds
 * @levels_end: when the function returns that runs the next levels, nanoseconds; -1: unknown
 * @boot_end: the same of kernel_init()
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
	bool is_all_unknown;
	u64 all_samples;
	struct kfi_names levels;
	u64 *level_ns;
	u32 level_room;
	u32 level;
	s64 level_from;
	s64 level_to;
	s64 levels_end;
	s64 boot_end;
};

/**
 * kd_sum_begin() - prepare to read a log
 * @s: zeroed, but for @kd, @want and @cost; kd_sum_free() must follow in any case
 * @visit: filled: the visitor; it gives each selected call the number of its function
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
 * kd_sum_row() - add a call without its tree: all calls of a recursion add to its time
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
