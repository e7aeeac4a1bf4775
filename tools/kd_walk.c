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
	if (kd->filter.calls) {
		under = place.parent != KFI_NONE && place.parent & UNDER;
		taken = kd_filter_call(&kd->filter, &kd->matches, &kd->names, &call, &place,
				       &under);
		if (taken < 0)
			return taken;
		if (place.parent != KFI_NONE)
			place.parent = KD_NUMBER(place.parent);
	}
	kd->taken += taken;
	ret = v->call(v->arg, &call, &place, taken);
	if (under)
		place.frame->id |= UNDER;
	return ret;
}

int kd_walk(struct kd *kd, const struct kd_visit *v, struct kfi_err *err)
{
	struct kfi_tree tree;
	int ret;

	kfi_tree_init(&tree, kd->rule, v->over, v->arg);
	tree.rounds = kd->head.rounds > 1;
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
		kfi_err_set(err, ENOMEM, "%s: out of memory", kd->log.in.name);
	return ret;
}

int kd_walk_list(struct kd *kd, const struct kd_visit *v, struct kfi_err *err)
{
	if (kd->kind == KFI_LOG_PROFILE)
		return kfi_err_set(err, EINVAL, "%s: a profile has sums, no calls to be listed",
				   kd->log.in.name);
	return kd_walk(kd, v, err);
}
