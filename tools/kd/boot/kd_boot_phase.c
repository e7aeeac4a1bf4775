// SPDX-License-Identifier: GPL-2.0
/* The phases of a boot. See kd_boot.h. */
#include <stdlib.h>

#include "kd_boot.h"

int boot_begin_phase(struct kd_boot *b, s64 from, bool weak, const char *name, u32 len)
{
	u32 word = kfi_names_get(&b->words, name, len);

	if (word == KFI_NONE || boot_grow(&b->phase))
		return -ENOMEM;
	b->phase.at[b->phase.n++] = (struct boot_phase){ from, word, weak };
	return 0;
}

static int by_time(const void *a, const void *b)
{
	const struct boot_phase *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

/* Leave out phases that are outside of the boot, and sort the others. */
static void sort_phases(struct kd_boot *b)
{
	u32 n = 0;

	for (u32 i = 0; i < b->phase.n; i++)
		if (b->phase.at[i].from >= b->start && b->phase.at[i].from <= b->end)
			b->phase.at[n++] = b->phase.at[i];
	b->phase.n = n;
	if (n)
		qsort(b->phase.at, n, sizeof(*b->phase.at), by_time);
}

int boot_end_phases(struct kd_boot *b)
{
	static const char between[] = "other CPUs, driver core";
	static const char after[] = "after initcalls: root file system";
	static const char user[] = "user space";
	bool has_levels = b->initcalls.level != KFI_NONE;
	u32 n = 0;
	int ret = 0;

	for (u32 i = 0; i < b->phase.n; i++)
		if (!has_levels || !b->phase.at[i].weak)
			b->phase.at[n++] = b->phase.at[i];
	b->phase.n = n;
	if (has_levels && b->early_end >= 0)
		ret = boot_begin_phase(b, b->early_end, false, between, strlen(between));
	if (!ret && b->setup_end >= 0)
		ret = boot_begin_phase(b, b->setup_end, false, after, strlen(after));
	if (!ret && b->user >= 0)
		ret = boot_begin_phase(b, b->user, false, user, strlen(user));
	sort_phases(b);
	return ret;
}
