/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads a log for most modes of kd: delivers each call with its place in its tree, and whether the
 * filters select it. Memory use grows with the number of open calls.
 */
#ifndef KFI_KD_WALK_H
#define KFI_KD_WALK_H

#include "kd.h"

/* Id of an unknown call. Ids that visitors give are lower. */
#define KD_NOBODY	0x7ffffffeu

/* Return the id in a frame, without the bit that the walk keeps there. */
#define KD_NUMBER(id)	((id) & 0x7fffffff)

/**
 * @call: called for each call; sets @place->frame->id to an id, at most KD_NOBODY, which calls
 *	below it have as @place->parent. @taken: the filters select it. Return: 0 or -errno
 * @over: called for each call that has ended: see KD_NUMBER(); or NULL
 * @item: called for each item that is no call, with its KFI_LINE_*; or NULL. Return: 0 or -errno
 * @arg: first argument of all three
 */
struct kd_visit {
	int (*call)(void *arg, const struct kfi_tree_call *call, struct kfi_tree_place *place,
		    bool taken);
	kfi_tree_over_fn over;
	int (*item)(void *arg, int item);
	void *arg;
};

/**
 * kd_walk() - read a log to its end
 * @kd: the run
 * @v: the callbacks
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_walk(struct kd *kd, const struct kd_visit *v, struct kfi_err *err);

/**
 * kd_walk_both() - read a log to its end, for two visitors
 * @kd: the run
 * @a: one visitor
 * @b: the other visitor, which is called second; each gives ids of its own
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_walk_both(struct kd *kd, const struct kd_visit *a, const struct kd_visit *b,
		 struct kfi_err *err);

#endif /* KFI_KD_WALK_H */
