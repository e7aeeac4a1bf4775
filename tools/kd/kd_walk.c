// SPDX-License-Identifier: GPL-2.0
/* Reads a log call by call: see kd_walk.h. */
#include <stdlib.h>

#include "kd_walk.h"

/* Bit in the id of a tree frame: the call is one of --under, or lies in one. */
#define UNDER		0x80000000u

static_assert((UNDER | KD_NOBODY) != KFI_NONE);

static int walk_call(struct kd *kd, struct kfi_tree *tree, const struct kd_visit *v,
		     struct kfi_err *err)
{
	struct kfi_tree_call call = { .id = KD_NOBODY };
	struct kfi_tree_place place;
	bool under = false;
	int ret = kd_call(kd, &call, err), taken = 1;

	if (ret)
		return ret;
	if (kfi_tree_add(tree, &call, &place))
		return -ENOMEM;
	if (kd->opt.filter.calls) {
		under = place.parent != KFI_NONE && place.parent & UNDER;
		taken = kd_filter_call(&kd->opt.filter, &kd->in.matches, &kd->in.names, &call,
				       &place, &under);
		if (taken < 0)
			return taken;
		if (place.parent != KFI_NONE)
			place.parent = KD_NUMBER(place.parent);
	}
	kd->res.taken += taken;
	ret = v->call(v->arg, &call, &place, taken);
	if (under)
		place.frame->id |= UNDER;
	return ret;
}

int kd_walk(struct kd *kd, const struct kd_visit *v, struct kfi_err *err)
{
	struct kfi_tree tree;
	int ret;

	kfi_tree_init(&tree, kd->in.rule, v->over, v->arg);
	tree.rounds = kd->in.head.rounds > 1;
	while ((ret = kd_item(kd, err)) > 0) {
		if (ret == KFI_LINE_MARK)
			kd_tree_mark(kd, &tree);
		if (likely(ret == KFI_LINE_ROW))
			ret = walk_call(kd, &tree, v, err);
		else
			ret = v->item ? v->item(v->arg, ret) : 0;
		if (ret)
			break;
	}
	if (ret == 0)
		kfi_tree_flush(&tree);
	kfi_tree_free(&tree);
	if (ret == -ENOMEM)
		kfi_err_set(err, ENOMEM, "%s: out of memory", kd->in.log.in.name);
	return ret;
}

/**
 * struct pair - the ids that two visitors gave the same call
 * @id: the ids; of a free pair the first is the next free pair
 */
struct pair {
	u32 id[2];
};

/**
 * struct both - state while two visitors read a log
 * @visit: the visitors
 * @pair: pairs of the calls that are not over
 * @n: number of pairs that have been made
 * @room: for how many there is room
 * @free: the first free pair, KFI_NONE: none
 */
struct both {
	const struct kd_visit *visit[2];
	struct pair *pair;
	u32 n;
	u32 room;
	u32 free;
};

static u32 new_pair(struct both *w)
{
	u32 n = w->free;

	if (n != KFI_NONE) {
		w->free = w->pair[n].id[0];
		return n;
	}
	if (w->n >= KD_NOBODY ||
	    kfi_grow((void **)&w->pair, &w->room, w->n + 1, sizeof(*w->pair)))
		return KFI_NONE;
	return w->n++;
}

static int both_call(void *arg, const struct kfi_tree_call *call, struct kfi_tree_place *place,
		     bool taken)
{
	struct both *w = arg;
	struct kfi_tree_place at = *place;
	u32 parent = place->parent, n = new_pair(w);
	bool known = parent != KFI_NONE && parent != KD_NOBODY;
	int ret = n == KFI_NONE ? -ENOMEM : 0;

	for (u32 i = 0; i < 2 && !ret; i++) {
		at.parent = known ? w->pair[parent].id[i] : parent;
		ret = w->visit[i]->call(w->visit[i]->arg, call, &at, taken);
		w->pair[n].id[i] = at.frame->id;
	}
	at.frame->id = n;
	return ret;
}

static void both_over(void *arg, const struct kfi_tree_frame *f)
{
	struct both *w = arg;
	struct kfi_tree_frame frame = *f;
	u32 n = KD_NUMBER(f->id);

	if (n >= w->n)
		return;
	for (u32 i = 0; i < 2; i++) {
		frame.id = w->pair[n].id[i];
		if (w->visit[i]->over)
			w->visit[i]->over(w->visit[i]->arg, &frame);
	}
	w->pair[n].id[0] = w->free;
	w->free = n;
}

static int both_item(void *arg, int item)
{
	struct both *w = arg;
	int ret = 0;

	for (u32 i = 0; i < 2 && !ret; i++)
		if (w->visit[i]->item)
			ret = w->visit[i]->item(w->visit[i]->arg, item);
	return ret;
}

int kd_walk_both(struct kd *kd, const struct kd_visit *a, const struct kd_visit *b,
		 struct kfi_err *err)
{
	struct both w = { .visit = { a, b }, .free = KFI_NONE };
	const struct kd_visit visit = {
		.call = both_call, .over = both_over, .item = both_item, .arg = &w,
	};
	int ret = kd_walk(kd, &visit, err);

	free(w.pair);
	return ret;
}
