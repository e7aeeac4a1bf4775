/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kd's filters: parses their options, and decides for each call. Trees are made of all calls, so
 * filters do not change self times and parents.
 */
#ifndef KFI_KD_FILTER_H
#define KFI_KD_FILTER_H

#include <regex.h>

#include "err.h"
#include "hash.h"
#include "log.h"
#include "tree.h"

#define KD_LIST_MAX	64

/* The options that a function's name can match. */
enum kd_pattern_kind {
	KD_FUNC,	/* --func: functions to show */
	KD_UNDER,	/* --under: calls in these functions */
	KD_CALLERS,	/* --callers: callers of these functions */
	KD_CALLEES,	/* --callees: functions that these call */
	KD_PATTERNS
};

/**
 * struct kd_pattern - names as an option has them: globs, or one regular expression
 * @text: as given, NULL: not given
 * @glob: the globs
 * @n: number of globs
 * @re: the expression, if @n is 0
 */
struct kd_pattern {
	const char *text;
	char *glob[KD_LIST_MAX];
	u32 n;
	regex_t re;
};

/**
 * struct kd_range - numbers from @min to @max
 */
struct kd_range {
	s64 min;
	s64 max;
};

/**
 * struct kd_filter - the filters of a run
 * @pattern: by enum kd_pattern_kind: the names
 * @pids: --pid as given, or NULL
 * @cpus: --cpu as given, or NULL
 * @ctxs: --ctx as given, or NULL
 * @from: --from as given, or NULL
 * @to: --to as given, or NULL
 * @pid: ranges of processes
 * @npids: number of ranges in @pid; 0: all
 * @cpu: ranges of CPUs
 * @ncpus: number of ranges in @cpu; 0: all
 * @ctx: mask of enum kfi_ctx
 * @from_ns: earliest entry
 * @to_ns: entries must be before this
 * @depth: deepest level of a tree
 * @calls: a filter leaves out some calls
 */
struct kd_filter {
	struct kd_pattern pattern[KD_PATTERNS];
	const char *pids;
	const char *cpus;
	const char *ctxs;
	const char *from;
	const char *to;
	struct kd_range pid[KD_LIST_MAX];
	u32 npids;
	struct kd_range cpu[KD_LIST_MAX];
	u32 ncpus;
	u32 ctx;
	s64 from_ns;
	s64 to_ns;
	u64 depth;
	bool calls;
};

/* Bits beside those of enum kd_pattern_kind: the log has such a process, CPU, or time. */
#define KD_SEEN_PID	(1u << KD_PATTERNS)
#define KD_SEEN_CPU	(2u << KD_PATTERNS)
#define KD_SEEN_TIME	(4u << KD_PATTERNS)

/**
 * struct kd_matches - names that matched
 * @bits: by number of the name: mask of enum kd_pattern_kind
 * @n: number of names that were matched
 * @room: for how many there is room
 * @seen: mask of the patterns that matched a name, and of KD_SEEN_*
 */
struct kd_matches {
	u8 *bits;
	u32 n;
	u32 room;
	u8 seen;
};

/**
 * kd_filter_see() - keep whether a log has the processes, CPUs and times of the filter
 * @f: the filter
 * @m: matches of the log: @m->seen is updated
 * @task: process of a call or a mark
 * @cpu: its CPU
 * @entry_ns: when it was entered
 */
void kd_filter_see(const struct kd_filter *f, struct kd_matches *m, s32 task, s32 cpu,
		   s64 entry_ns);

/**
 * kd_filter_parse() - parse the options
 * @f: texts as given, and @f->depth
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno; kd_filter_free() must follow in any case.
 */
int kd_filter_parse(struct kd_filter *f, struct kfi_err *err);

/**
 * kd_filter_free() - free the memory
 * @f: the filter
 */
void kd_filter_free(struct kd_filter *f);

/**
 * kd_glob_matches() - check whether a name matches a glob
 * @glob: the glob
 * @name: the name, which may also equal @glob, since names may have brackets: name[module]
 *
 * Return: true if so.
 */
bool kd_glob_matches(const char *glob, const char *name);

/**
 * kd_filter_match() - return which patterns a name matches
 * @f: the filter
 * @m: zeroed before the first use; the caller frees its @bits
 * @names: names of functions
 * @func: number of a function
 *
 * Return: mask of enum kd_pattern_kind, or -ENOMEM.
 */
int kd_filter_match(const struct kd_filter *f, struct kd_matches *m,
		    const struct kfi_names *names, u32 func);

/**
 * kd_filter_func() - check whether --func selects a function; without it all are selected
 * @f: the filter
 * @m: as for kd_filter_match()
 * @names: names of functions
 * @func: number of a function
 *
 * Return: true if so.
 */
bool kd_filter_func(const struct kd_filter *f, struct kd_matches *m,
		    const struct kfi_names *names, u32 func);

/**
 * kd_filter_row() - check whether a call passes the filters of process, cpu, context and time
 * @f: the filter
 * @row: the call
 *
 * Return: true if so.
 */
bool kd_filter_row(const struct kd_filter *f, const struct kfi_row *row);

/**
 * kd_filter_mark() - check whether a mark passes the filters of kd_filter_row()
 * @f: the filter
 * @m: the mark
 *
 * Return: true if so.
 */
bool kd_filter_mark(const struct kd_filter *f, const struct kfi_log_mark *m);

/**
 * kd_filter_call() - check whether a call passes all filters
 * @f: the filter
 * @m: as for kd_filter_match()
 * @names: names of functions
 * @c: the call
 * @place: its place in its tree
 * @under: whether its parent is, or lies in, one of --under; set to whether the call does
 *
 * --func is ignored: it chooses the functions that are shown.
 *
 * Return: 1, 0 if the call is left out, or -ENOMEM.
 */
int kd_filter_call(const struct kd_filter *f, struct kd_matches *m, const struct kfi_names *names,
		   const struct kfi_tree_call *c, const struct kfi_tree_place *place, bool *under);

/**
 * kd_time() - parse a time: 12 (microseconds), 300ns, 500us, 1.5ms, 2s
 * @text: the text
 * @ns: set to nanoseconds
 *
 * Return: true if it is a time.
 */
bool kd_time(const char *text, s64 *ns);

#endif /* KFI_KD_FILTER_H */
