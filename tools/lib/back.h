/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is recursion, of calls that come from the last one back: outer ones before inner ones.
 *
 *	task:	depth 1  start 10, main
 *		depth 2  start 50, read		the call that was seen last at each depth
 *		depth 3  start 70, lock
 *
 * A call lies in those that stand above it. That holds as long as the calls of a task nest, each at
 * the depth that it says; whatever does not look like that is not for this, and whoever asks has
 * the trees of tree.h. The answer is that of kfi_tree_again() then. Constant time for each call but
 * for gaps, where outer calls are missing; memory goes with the tasks and how deep they go. Called
 * by kd.
 */
#ifndef KFI_BACK_H
#define KFI_BACK_H

#include "hash.h"
#include "kfi_port_host.h"

/* So many tasks are at hand. */
#define KFI_BACK_LATEST	64

/**
 * struct kfi_back_at - the call that was seen last at some depth
 * @entry: when it was entered; S64_MAX: there is none
 * @func: its function; KFI_NONE: what it calls is no recursion
 */
struct kfi_back_at {
	s64 entry;
	u32 func;
};

/**
 * struct kfi_back_task - a task
 * @at: by depth; below 1 there is what holds all
 * @room: for how many there is room
 */
struct kfi_back_task {
	struct kfi_back_at *at;
	u32 room;
};

/**
 * struct kfi_back_latest - a task that was seen not long ago
 * @key: its key, U64_MAX: none
 * @task: its number
 */
struct kfi_back_latest {
	u64 key;
	u32 task;
};

/**
 * struct kfi_back - calls seen so far; private
 * @task: the tasks
 * @ntasks: how many
 * @room: for how many there is room
 * @places: for how many calls all of them have room
 * @task_of: their keys to their numbers
 * @latest: those seen last
 * @least: by function, first entry of its calls seen so far
 * @funcs: how many there are
 * @touch: a call ended when the next one was entered
 * @empty: a call took no time
 * @same: a call was entered at the same time as the one around it
 */
struct kfi_back {
	struct kfi_back_task *task;
	u32 ntasks;
	u32 room;
	u64 places;
	struct kfi_map task_of;
	struct kfi_back_latest latest[KFI_BACK_LATEST];
	s64 *least;
	u32 funcs;
	bool touch;
	bool empty;
	bool same;
};

/**
 * kfi_back_init() - begin
 * @b: filled; kfi_back_free() must follow
 */
void kfi_back_init(struct kfi_back *b);

/**
 * kfi_back_call() - the call whose exit is before that of all seen so far
 * @b: calls
 * @entry: when it was entered
 * @end: its exit
 * @func: number of its function, KFI_NONE: what it calls is no recursion, nor is it
 * @depth: its nesting depth
 * @task: its task
 * @cpu: its cpu
 *
 * Return: 1: it lies in a call of the same function; 0: it does not; 2: nobody can say; -ENOMEM.
 */
int kfi_back_call(struct kfi_back *b, s64 entry, s64 end, u32 func, u32 depth, s32 task, s32 cpu);

/**
 * kfi_back_sure() - whether the answers were right
 * @b: calls
 * @rounded: times are rounded, so that two may be the same and were not
 *
 * Calls that take no time, where one ends when the next begins, may be in either.
 *
 * Return: true if so.
 */
static inline bool kfi_back_sure(const struct kfi_back *b, bool rounded)
{
	return !(b->touch && b->empty) && !(b->same && rounded);
}

/**
 * kfi_back_free() - give back the memory
 * @b: calls
 */
void kfi_back_free(struct kfi_back *b);

#endif /* KFI_BACK_H */
