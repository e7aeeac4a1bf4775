// SPDX-License-Identifier: GPL-2.0
/*
 * The rare half of the filters: from a configuration to what the hooks compare with.
 */
#include "core/filter.h"

#define ALL_CTX		((1u << KFI_CTX_COUNT) - 1)
#define TASK_CTX	(1u << KFI_CTX_TASK)

void kfi_filter_init(struct kfi_filter *f, const struct kfi_conf *conf)
{
	u32 i;

	f->min = 0;
	f->mintime = conf->mintime_us;
	f->max = U64_MAX;
	f->ctx_mask = ALL_CTX;
	if (conf->noints)
		f->ctx_mask &= TASK_CTX;
	if (conf->onlyints)
		f->ctx_mask &= ~TASK_CTX;
	memcpy(f->num, conf->num, sizeof(f->num));
	f->nums = conf->nums;
	f->follows = 0;
	f->rare = f->nums;
	memset(f->lists, 0, sizeof(f->lists));
	for (i = 0; i < conf->nfuncs; i++) {
		struct kfi_list *l = &f->lists[conf->funcs[i].list];

		l->given = true;
		l->modules |= conf->funcs[i].kind == KFI_FUNC_MODULE;
		f->rare |= conf->funcs[i].list != KFI_LIST_RECORD;
	}
}

static int by_address(const void *a, const void *b)
{
	unsigned long x = *(const unsigned long *)a, y = *(const unsigned long *)b;

	return x < y ? -1 : x > y;
}

void kfi_filter_set_list(struct kfi_filter *f, enum kfi_conf_list list, unsigned long *addr, u32 n)
{
	struct kfi_list *l = &f->lists[list];
	u32 i, kept = 0;

	sort(addr, n, sizeof(*addr), by_address, NULL);
	for (i = 0; i < n; i++)
		if (!kept || addr[kept - 1] != addr[i])
			addr[kept++] = addr[i];
	l->addr = addr;
	l->n = kept;
}

void kfi_filter_set_times(struct kfi_filter *f, u64 min, u64 max)
{
	WRITE_ONCE(f->min, min);
	WRITE_ONCE(f->max, max);
}

bool kfi_list_has(const struct kfi_list *l, unsigned long func)
{
	u32 lo = 0, hi = l->n, i;

	while (lo < hi) {
		u32 mid = (lo + hi) / 2;

		if (l->addr[mid] < func)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < l->n && l->addr[lo] == func)
		return true;
	for (i = 0; l->modules && i < KFI_RANGES; i++)
		if (kfi_in_range(READ_ONCE(l->range[i]), func))
			return true;
	return false;
}

static bool given(const struct kfi_filter *f, enum kfi_conf_num which)
{
	return f->nums >> which & 1;
}

enum kfi_count kfi_filter_rare(const struct kfi_filter *f, const struct kfi_what *w)
{
	const struct kfi_list *l;

	if (given(f, KFI_NUM_PID) && w->pid != f->num[KFI_NUM_PID] && !(w->follows & f->follows))
		return KFI_FILTERED_PID;
	if (given(f, KFI_NUM_CPU) && w->cpu != f->num[KFI_NUM_CPU])
		return KFI_FILTERED_CPU;
	if (given(f, KFI_NUM_DEPTH) && w->depth > f->num[KFI_NUM_DEPTH])
		return KFI_FILTERED_DEPTH;
	l = &f->lists[KFI_LIST_EXCLUDE];
	if (l->given && kfi_list_has(l, w->func))
		return KFI_FILTERED_EXCLUDE;
	l = &f->lists[KFI_LIST_ONLY];
	if (l->given && !kfi_list_has(l, w->func))
		return KFI_FILTERED_FUNCLIST;
	return f->lists[KFI_LIST_UNDER].given && !w->under ? KFI_FILTERED_UNDER : KFI_KEPT;
}
