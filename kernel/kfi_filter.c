// SPDX-License-Identifier: GPL-2.0
/*
 * The cold half of the filters: from a configuration to what the callouts compare with.
 */
#include "kfi_filter.h"

#define ALL_CTX		((1u << KFI_CTX_COUNT) - 1)
#define TASK_CTX	(1u << KFI_CTX_TASK)

void kfi_filter_init(struct kfi_filter *f, const struct kfi_conf *conf)
{
	u32 i, at;

	f->min = 0;
	f->max = U64_MAX;
	f->ctx_mask = ALL_CTX;
	if (conf->noints)
		f->ctx_mask &= TASK_CTX;
	if (conf->onlyints)
		f->ctx_mask &= ~TASK_CTX;
	/* Insertion: the list is short, and is sorted once. */
	for (i = 0; i < conf->nfuncs; i++) {
		unsigned long func = (unsigned long)conf->funcs[i].addr;

		for (at = i; at && f->funcs[at - 1] > func; at--)
			f->funcs[at] = f->funcs[at - 1];
		f->funcs[at] = func;
	}
	f->nfuncs = conf->nfuncs;
	memcpy(f->num, conf->num, sizeof(f->num));
	f->nums = conf->nums;
	f->rare = f->nfuncs || f->nums;
}

void kfi_filter_set_times(struct kfi_filter *f, u64 min, u64 max)
{
	f->min = min;
	f->max = max;
}

static bool has_func(const struct kfi_filter *f, unsigned long func)
{
	u32 lo = 0, hi = f->nfuncs;

	while (lo < hi) {
		u32 mid = (lo + hi) / 2;

		if (f->funcs[mid] < func)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < f->nfuncs && f->funcs[lo] == func;
}

static bool given(const struct kfi_filter *f, enum kfi_conf_num which)
{
	return f->nums >> which & 1;
}

enum kfi_count kfi_filter_rare(const struct kfi_filter *f, const struct kfi_what *w)
{
	if (given(f, KFI_NUM_PID) && w->pid != f->num[KFI_NUM_PID])
		return KFI_FILTERED_PID;
	if (given(f, KFI_NUM_CPU) && w->cpu != f->num[KFI_NUM_CPU])
		return KFI_FILTERED_CPU;
	if (given(f, KFI_NUM_DEPTH) && w->depth > f->num[KFI_NUM_DEPTH])
		return KFI_FILTERED_DEPTH;
	return f->nfuncs && !has_func(f, w->func) ? KFI_FILTERED_FUNCLIST : KFI_KEPT;
}
