/* SPDX-License-Identifier: GPL-2.0 */
/* The initcalls of a log, for kd's list of them (--initcalls) and its report of a boot. */
#ifndef KFI_KD_INITCALLS_H
#define KFI_KD_INITCALLS_H

#include "kd.h"
#include "kd_walk.h"

/**
 * struct kd_initcall - an initcall
 * @entry: nanoseconds; if the log has no call of it, when it returned
 * @delta: duration, -1: unknown
 * @local: local time, -1: unknown
 * @func: number of its name
 * @pid: process
 * @level: number of the level's name, KFI_NONE: unknown
 * @call: --boot: number of its listed call, KFI_NONE: none
 * @result: number of the text of its result, KFI_NONE: unknown
 * @waits: --boot: time that recording took in tasks that it waited for
 * @unsure: @waits is a best guess
 * @excluded: the filters exclude it
 */
struct kd_initcall {
	s64 entry;
	s64 delta;
	s64 local;
	u32 func;
	s32 pid;
	u32 level;
	u32 call;
	u32 result;
	s64 waits;
	bool unsure;
	bool excluded;
};

/**
 * struct kd_initcalls - the initcalls of a log
 * @kd: the run
 * @one: the initcalls
 * @n: how many
 * @room: for how many there is room
 * @words: names of levels, texts of results
 * @level: the current level, KFI_NONE: none
 * @latest: maps (process, function) to the latest call
 * @sites: maps the address of a call site to whether it lies in do_one_initcall()
 * @marks: the log has marks of initcalls
 */
struct kd_initcalls {
	struct kd *kd;
	struct kd_initcall *one;
	u32 n;
	u32 room;
	struct kfi_names words;
	u32 level;
	struct kfi_map latest;
	struct kfi_map sites;
	bool marks;
};

/**
 * kd_initcalls_call() - add a call to the list, if it is an initcall
 * @l: zeroed before the first, but for @kd and @level = KFI_NONE
 * @c: the call
 * @place: where it lies
 *
 * Return: 0 or -ENOMEM.
 */
int kd_initcalls_call(struct kd_initcalls *l, const struct kfi_tree_call *c,
		      const struct kfi_tree_place *place);

/**
 * kd_initcalls_mark() - handle a mark that may be of an initcall
 * @l: the list
 * @m: the mark
 *
 * Return: 0 or -ENOMEM.
 */
int kd_initcalls_mark(struct kd_initcalls *l, const struct kfi_log_mark *m);

/**
 * kd_initcalls_sort() - put the list in order
 * @l: the list, which is complete
 * @by_time: sort by duration, the longest first; else by entry
 */
void kd_initcalls_sort(struct kd_initcalls *l, bool by_time);

/**
 * kd_initcalls_has() - check whether a call in the list is an initcall for sure
 * @l: the list, after the last item of the log
 * @x: the call
 *
 * Return: true if so.
 */
static inline bool kd_initcalls_has(const struct kd_initcalls *l, const struct kd_initcall *x)
{
	/*
	 * do_one_initcall() also calls functions that are no initcalls: marks, if any, tell which
	 * are.
	 */
	return !l->marks || x->result != KFI_NONE || x->delta < 0;
}

/**
 * kd_initcalls_free() - free the memory
 * @l: the list
 */
void kd_initcalls_free(struct kd_initcalls *l);

/**
 * kd_mark_word() - find a word of a mark's text
 * @m: the mark
 * @at: number of the word, from 0: the kind of the mark
 *
 * Return: the word; empty if the mark has fewer words.
 */
struct kfi_str kd_mark_word(const struct kfi_log_mark *m, u32 at);

/**
 * kd_mark_pid() - read the pid that is the first word behind the kind of a mark
 * @m: the mark
 * @pid: set to the pid
 *
 * Return: false if the word is no pid.
 */
bool kd_mark_pid(const struct kfi_log_mark *m, s32 *pid);

#endif /* KFI_KD_INITCALLS_H */
