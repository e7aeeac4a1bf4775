// SPDX-License-Identifier: GPL-2.0
/*
 * Printing a profile: a table of functions in the place of rows.
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>

#include "files/show.h"

void kfi_show_sum_title(struct seq_file *m)
{
	seq_printf(m, "\n %-*s %10s %14s %14s %12s %12s %14s %14s %10s\n", KFI_NAME_WIDTH - 1,
		   "Function", "Count", "Total-ns", "Local-ns", "Min-ns", "Max-ns", "Off-ns",
		   "Irq-ns", "Untimed");
	seq_printf(m, "%.*s ---------- -------------- -------------- ------------ ------------ -------------- -------------- ----------\n",
		   KFI_NAME_WIDTH, "----------------------------------------");
}

void kfi_show_sum(struct seq_file *m, const struct kfi_log *log, const struct kfi_prof_sum *s)
{
	seq_printf(m, "0x%0*lx%*s %10llu %14llu %14llu %12llu %12llu %14llu %14llu %10llu\n",
		   KFI_ADDR_DIGITS, (unsigned long)s->func,
		   KFI_NAME_WIDTH - 2 - KFI_ADDR_DIGITS, "", s->count,
		   kfi_show_ns(log, s->total), kfi_show_ns(log, s->local),
		   kfi_show_ns(log, s->min), kfi_show_ns(log, s->max),
		   kfi_show_ns(log, s->off), kfi_show_ns(log, s->irq), s->untimed);
}
