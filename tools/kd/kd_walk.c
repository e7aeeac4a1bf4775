// SPDX-License-Identifier: GPL-2.0
/* Reads a log call by call: see kd_walk.h. */
#include "kd_walk.h"

/* In the number of a call: it is one of, or lies in one of, --under. */
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
