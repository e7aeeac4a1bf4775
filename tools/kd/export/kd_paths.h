/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The calls of a log by their path from the root, for the formats that add up calls:
 *
 *	(tasks)				a root for each context
 *	  start_kernel (open)		calls without a duration: a path of their own, no self time
 *	    setup_arch
 *	      (switched out)		time of setup_arch() that is not its self time
 *	      (interrupts)
 *	      (left out)		calls below that are not in the log, or not in the export
 *
 * Must hold: the total of a path is its self time plus the totals of the paths below it. For the
 * outermost calls of a function, the sum of the totals is Time in kd's table, that of the self
 * times Local, that of the calls Count. Memory use grows with the number of paths and of open
 * calls.
 */
#ifndef KFI_KD_PATHS_H
#define KFI_KD_PATHS_H

#include "kd.h"

/**
 * enum kd_path_kind - what a path ends with
 * @KD_PATH_ROOT: a context
 * @KD_PATH_CALLS: calls that have a duration
 * @KD_PATH_OPEN: calls that have none
 * @KD_PATH_OFF: time in which the task was switched out
 * @KD_PATH_IRQ: time of interrupts
 * @KD_PATH_LEFT: time of calls that are not in the log or the export
 */
enum kd_path_kind {
	KD_PATH_ROOT,
	KD_PATH_CALLS,
	KD_PATH_OPEN,
	KD_PATH_OFF,
	KD_PATH_IRQ,
	KD_PATH_LEFT,
};

/**
 * struct kd_path - calls with the same path, times in nanoseconds
 * @total: sum of their durations; for calls without a duration, of the calls below them
 * @self: the part of @total in the function itself
 * @off: the part of @total switched out
 * @irq: the part of @total in interrupts
 * @calls: number of calls
 * @parent: number of the path above, lower than that of this path; KFI_NONE: a root
 * @func: number of the function; of a root its context
 * @kind: enum kd_path_kind
 * @is_recursive: a path above ends with calls of the same function that have a duration
 */
struct kd_path {
	u64 total;
	u64 self;
	u64 off;
	u64 irq;
	u64 calls;
	u32 parent;
	u32 func;
	u8 kind;
	bool is_recursive;
};

/**
 * struct kd_paths - all paths of a log
 * @kd: the run
 * @at: the paths, the roots first
 * @n: how many
 * @room: for how many there is room
 * @of: maps (parent, function, has a duration) to a path
 * @stack: the paths above one: see kd_paths_stack()
 * @stack_room: for how many there is room
 */
struct kd_paths {
	struct kd *kd;
	struct kd_path *at;
	u32 n;
	u32 room;
	struct kfi_map of;
	u32 *stack;
	u32 stack_room;
};

/**
 * kd_paths_read() - read a log to its end
 * @p: zeroed, but for @p->kd
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno; kd_paths_free() must follow in any case.
 */
int kd_paths_read(struct kd_paths *p, struct kfi_err *err);

/**
 * kd_paths_stack() - list a path and all paths above it
 * @p: the paths
 * @path: number of the path
 *
 * Return: number of paths in the list; @p->stack has their numbers until the next call, the root
 * first. 0: out of memory.
 */
u32 kd_paths_stack(struct kd_paths *p, u32 path);

/**
 * kd_path_name() - return the name of the last frame of a path
 * @p: the paths
 * @x: the path
 *
 * Return: the name of a function, or the text that stands for it; without KD_NAME_OPEN.
 */
const char *kd_path_name(const struct kd_paths *p, const struct kd_path *x);

/**
 * kd_path_frame() - return the number of a path's last frame, for formats that number them
 * @x: the path
 *
 * Return: the number. Calls of a function with a duration are one frame, those without another.
 */
u32 kd_path_frame(const struct kd_path *x);

/**
 * kd_frames() - return how many frames there are
 * @p: the paths
 *
 * Return: a number greater than all results of kd_path_frame().
 */
u32 kd_frames(const struct kd_paths *p);

/**
 * kd_frame_name() - return the name of a frame, with KD_NAME_OPEN
 * @p: the paths
 * @frame: its number
 * @open: set to memory that the caller must free, or NULL
 *
 * Return: the name, NULL: out of memory.
 */
const char *kd_frame_name(const struct kd_paths *p, u32 frame, char **open);

/**
 * kd_paths_free() - free the memory
 * @p: the paths
 */
void kd_paths_free(struct kd_paths *p);

#endif /* KFI_KD_PATHS_H */
