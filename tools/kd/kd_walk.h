/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads a log for most modes of kd: delivers each call with its place in its tree, and whether the
 * filters select it. Memory grows with the calls that are open.
 */
#ifndef KFI_KD_WALK_H
#define KFI_KD_WALK_H

#include "kd.h"

/* The number of an unknown call. The numbers of visitors are lower. */
#define KD_NOBODY	0x7ffffffeu

/* The number in a frame, without the bit that the walk has in it. */
#define KD_NUMBER(id)	((id) & 0x7fffffff)

/**
 * struct kd_visit - callbacks of a visitor
 * @call: called for each call; sets @place->frame->id to a number of its own, which calls below
 *	have as @place->parent. @taken: the filters take it. Return: 0 or -errno
 * @over: called for each call that has ended: see KD_NUMBER(); or NULL
 * @item: called for each item that is no call, KFI_LINE_*; or NULL. Return: 0 or -errno
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
 * @b: the other one, which is called second; each has numbers of its own
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_walk_both(struct kd *kd, const struct kd_visit *a, const struct kd_visit *b,
		 struct kfi_err *err);

#endif /* KFI_KD_WALK_H */
