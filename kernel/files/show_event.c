// SPDX-License-Identifier: GPL-2.0
/*
 * Printing what is no call: marks, each a line of its own between the rows, and what the header
 * says of marks and watches.
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>

#include "files/crash.h"
#include "files/show.h"
#include "hooks/watch.h"

/* What is not plain text would break the line, or whoever looks at it. */
static void show_text(struct seq_file *m, const struct kfi_event *e)
{
	u32 i;

	for (i = 0; i < e->len; i++)
		seq_putc(m, isascii(e->text[i]) && isprint(e->text[i]) ? e->text[i] : '?');
}

static void show_arg(struct seq_file *m, const struct kfi_event *e, char arg)
{
	if (arg == 't' && !e->len)
		return;
	seq_putc(m, ' ');
	if (arg == 'f')
		seq_printf(m, "0x%0*lx", KFI_ADDR_DIGITS, (unsigned long)e->func);
	else if (arg == 'v')
		seq_printf(m, "%lld", e->value);
	else
		show_text(m, e);
}

void kfi_show_mark(struct seq_file *m, const struct kfi_log *log, const struct kfi_event *e)
{
	const struct kfi_event_row *kind = &kfi_event_kinds[e->kind];
	u64 ns = 0, origin = kfi_show_origin(log);
	const char *arg;

	if (e->time > origin)
		ns = kfi_show_ns(log, e->time - origin);
	seq_printf(m, "# %8llu %12llu %3u %7u %c %s", kfi_show_us(ns), ns, e->cpu, e->pid,
		   KFI_CTX_LETTERS[e->ctx], kind->word);
	for (arg = kind->args; *arg; arg++)
		show_arg(m, e, *arg);
	seq_putc(m, '\n');
}

void kfi_show_watch_lowest(struct seq_file *m, const struct kfi_log *log)
{
	u32 lowest = log->lowest.value ? (u32)log->lowest.value : U32_MAX;

	if (!log->run.watch)
		return;
	if (log->run.watch == KFI_WATCH_WORST)
		lowest = min(lowest, kfi_watch_limit(&log->run));
	if (lowest == U32_MAX || lowest == log->conf.watch_bytes)
		return;
	seq_printf(m, "Watch lowest = %u bytes free", lowest);
	/* Whose row was lost, or is not read yet, is not known. */
	if (log->lowest.value == lowest)
		seq_printf(m, ", task %u, at entry to function 0x%0*lx", log->lowest.pid,
			   KFI_ADDR_DIGITS, (unsigned long)log->lowest.func);
	seq_putc(m, '\n');
}

void kfi_show_event_counts(struct seq_file *m, const struct kfi_log *log)
{
	const u64 *n = log->total;

	seq_printf(m, "Marks kept = %llu\n", n[KFI_MARKS_KEPT]);
	seq_printf(m, "Marks lost = %llu\n", n[KFI_MARKS_LOST]);
	if (log->excerpt)
		seq_printf(m, "Marks left out = %llu\n", log->excerpt->left_out[KFI_EXCERPT_MARK]);
	if (!log->run.watch)
		return;
	seq_printf(m, "Watch rows = %llu\n", n[KFI_WATCH_KEPT]);
	seq_printf(m, "Watch rows lost = %llu\n", n[KFI_WATCH_LOST]);
	if (log->excerpt)
		seq_printf(m, "Watch rows left out = %llu\n",
			   log->excerpt->left_out[KFI_EXCERPT_WATCH]);
	kfi_show_watch_lowest(m, log);
}
