// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the report of a boot: for people one table after the other, for programs one table with
 * all columns, whose column "part" names the table of a row. See kd_boot.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kd_boot_show.h"

/* Number of programs in their list without -n. */
#define PROGRAMS	10

/*
 * Return how long recording the boot took, -1: unknown: the cost of a call that the kernel has
 * measured, times the number of calls. The header counts the calls of the whole log, so the log
 * must end with the boot.
 */
static s64 recording(const struct kd_boot *b)
{
	const struct kfi_log_head *h = &b->kd->in.head;
	u64 ns, more;
	double noints;

	if (b->log_end > b->end || !h->has_cost ||
	    __builtin_mul_overflow(b->kd->res.calls, h->cost_ns, &ns) ||
	    (h->filtered && !h->filtered_cost_ns) ||
	    __builtin_mul_overflow(h->filtered, h->filtered_cost_ns, &more) ||
	    __builtin_add_overflow(ns, more, &ns) || ns > S64_MAX)
		return -1;
	/* Both numbers are from the header. */
	noints = kd_noints_ns(h);
	if (noints >= 0x1p62)
		return -1;
	ns += (u64)noints;
	return ns > S64_MAX ? -1 : (s64)ns;
}

/* Print a row with a name. @of_boot: its time is a part of the boot */
static int put_named(struct kd_boot *b, struct kd_table *t, struct boot_row r, const char *name,
		     bool of_boot)
{
	r.name = name;
	r.of_boot = of_boot;
	return boot_row_put(b, t, &r);
}

/* Print the row for the time before the boot. */
static int show_before(struct kd_boot *b, struct kd_table *t)
{
	const struct kfi_log_head *h = &b->kd->in.head;
	int ret = put_named(b, t, boot_row("before", -1, (s64)h->start_kernel_ns),
			    "(before the kernel: what the clock said)", false);

	if (!ret && kd_is_boot(b->kd) && h->start_us <= S64_MAX / 1000)
		ret = put_named(b, t, boot_row("arming", -1, (s64)h->start_us * 1000),
				"(the recorder was armed)", false);
	return ret;
}

static int show_phases(struct kd_boot *b, struct kd_table *t)
{
	struct boot_row took = boot_row("recording", -1, recording(b));
	const struct kfi_log_head *h = &b->kd->in.head;
	int ret = 0;

	boot_table(t, "etPF", "Phases");
	if (h->start_kernel_ns && h->start_kernel_ns <= S64_MAX)
		ret = show_before(b, t);
	for (u32 i = 0; !ret && i < b->phase.n; i++) {
		s64 from = b->phase.at[i].from;
		s64 to = i + 1 < b->phase.n ? b->phase.at[i + 1].from : b->end;

		ret = put_named(b, t, boot_row("phase", from, to - from),
				b->words.str[b->phase.at[i].name].s, true);
	}
	if (!ret)
		ret = put_named(b, t, boot_row("boot", b->start, b->end - b->start), "(the boot)",
				true);
	took.count = (s64)(b->kd->res.calls + b->kd->in.head.filtered);
	took.guess = true;
	/* For people the total stands above all tables. */
	if (!ret && took.length >= 0 && t->out != KD_OUT_TEXT)
		ret = put_named(b, t, took, "(recording took about so much of it)", true);
	if (!ret && b->log_end > b->end)
		ret = put_named(b, t, boot_row("later", b->end, b->log_end - b->end), "(later)",
				false);
	return ret;
}

/* Print the programs that were started later, each with the time up to the next one. */
static int show_programs(struct kd_boot *b, struct kd_table *t)
{
	u64 n = b->kd->opt.num == U64_MAX ? PROGRAMS : b->kd->opt.num;
	int ret = 0;

	if (b->program.n && n)
		boot_table(t, "etpF", b->kd->opt.until ?
			   "Programs that were started, up to the next one" :
			   "Programs that were started after the boot, up to the next one");
	for (u32 i = 0; i < b->program.n && i < n && !ret; i++) {
		const struct boot_program *x = &b->program.at[i];
		s64 to = i + 1 < b->program.n ? x[1].at : b->log_end;
		struct boot_row r = boot_row("program", x->at, to - x->at);

		r.task = boot_task(b, x->pid, -1);
		if (r.task == KFI_NONE)
			return -ENOMEM;
		ret = put_named(b, t, r, b->words.str[x->name].s, false);
	}
	return ret;
}

/* Choose the columns of the path: leave out amounts below a hundredth of the boot. */
static void choose_columns(const struct kd_boot *b, bool marks, char format[16])
{
	s64 irq = 0, recorded = 0, least = (b->end - b->start) / 100;

	for (u32 i = 0; i < b->line.n; i++) {
		irq += b->line.at[i].irq > 0 ? b->line.at[i].irq : 0;
		recorded += b->line.at[i].recording > 0 ? b->line.at[i].recording : 0;
	}
	snprintf(format, 16, "etPp%sk%s%s%sFB", marks ? "T" : "", marks ? "" : "w",
		 irq > least ? "i" : "", recorded > least ? "o" : "");
}

static int show_path(struct kd_boot *b, struct kd_table *t)
{
	bool marks = b->has_switches && b->init_task != KFI_NONE;
	char title[160], format[16];
	int ret = 0;

	choose_columns(b, marks, format);
	snprintf(title, sizeof(title), "%s (calls of %lld us and longer by name; shorter ones added up)",
		 marks ? "The critical path" : "What tasks 0 and 1 did",
		 (long long)b->threshold / 1000);
	boot_table(t, format, title);
	for (u32 i = 0; !ret && i < b->line.n; i++) {
		const struct boot_line *l = &b->line.at[i];
		struct boot_row r = boot_row("path", l->from, l->to - l->from);

		r.kind = boot_greatest_kind(l->of);
		r.kind_ns = l->of[r.kind];
		r.irq = l->irq;
		r.off = l->off;
		r.recording = l->recording;
		r.count = l->pieces;
		r.several = l->several;
		r.task = l->several ? KFI_NONE : l->task;
		r.call = l->call;
		r.by = l->by;
		r.unsure = l->unsure;
		ret = boot_messages_put(b, t, l->from);
		ret = ret ? : boot_row_put(b, t, &r);
	}
	return ret ? : boot_messages_put(b, t, b->end);
}

/* Print how long the path was in each state. */
static int show_kinds(struct kd_boot *b, struct kd_table *t)
{
	s64 sum[BOOT_KINDS] = { 0 };
	int ret = 0;

	for (u32 i = 0; i < b->line.n; i++)
		for (u32 k = 0; k < BOOT_KINDS; k++)
			sum[k] += b->line.at[i].of[k];
	boot_table(t, "tPk", "The path, added up");
	for (u32 k = 0; k < BOOT_KINDS && !ret; k++) {
		struct boot_row r = boot_row("kind", -1, sum[k]);

		r.kind_ns = sum[k];
		r.kind = k;

		if (sum[k])
			ret = boot_row_put(b, t, &r);
	}
	return ret;
}

const char *boot_begin_text(const struct kd_boot *b)
{
	return b->kd->in.log.import ? "the first initcall of the log" : "start_kernel";
}

/* Print how long the boot took. */
void boot_show_answer(const struct kd_boot *b)
{
	const char *from = boot_begin_text(b);
	char text[32];

	boot_time_text(b->end - b->start, text);
	if (b->kd->opt.out != KD_OUT_TEXT)
		return;
	if (b->is_over)
		printf("The boot took %s, from %s to %s.\n", text, from, b->end_by);
	else
		printf("The boot was not over when the log ended, %s after %s.\n", text, from);
	if (recording(b) > 0)
		printf("Recording took about %s of it.\n", boot_time_text(recording(b), text));
}

/* Print the notes about this report. Other notes come from kd.c. */
void boot_show_notes(const struct kd_boot *b)
{
	const struct kfi_log_head *h = &b->kd->in.head;

	if (h->filtered)
		kd_note("calls that the filters dropped are in the time of their callers%s%s",
			*h->filters ? ": " : "", h->filters);
	if (!b->has_switches || b->init_task == KFI_NONE)
		kd_note("no marks of switches: what tasks 0 and 1 waited for is not known");
	else if (!b->has_wakeups)
		kd_note("no marks of wake-ups: what ended a wait is not known");
	if (h->marks_lost)
		kd_note("marks are missing: the path is unknown in places");
}

int boot_show(struct kd_boot *b)
{
	struct kd_table t = { .out = b->kd->opt.out };
	int ret = 0;

	boot_show_answer(b);
	if (!b->is_over)
		ret = boot_show_open(b, &t);
	ret = ret ? : boot_show_longest(b, &t);
	ret = ret ? : show_kinds(b, &t);
	ret = ret ? : show_phases(b, &t);
	ret = ret ? : show_programs(b, &t);
	ret = ret ? : show_path(b, &t);
	ret = ret ? : boot_show_waits(b, &t);
	ret = ret ? : boot_show_functions(b, &t);
	ret = ret ? : boot_show_initcalls(b, &t);
	fflush(stdout);
	boot_show_notes(b);
	return ret;
}
