// SPDX-License-Identifier: GPL-2.0
/*
 * Prints what is known of a boot: for people one table after the other, for programs one with all
 * columns, in which "part" says what a row is of. See kd_boot.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kd_boot_show.h"
#include "term.h"

/* Characters of a call's callers, for people. */
#define CALLERS_MAX	45

static const struct kd_column columns[] = {
	{ 'S', "", 0, NULL, "part" },
	{ 'e', " Entry    ", 10, NULL, "entry_ns" },
	{ 't', " Length   ", 10, NULL, "length_ns" },
	{ 'P', "  %   ", 6, NULL, "percent" },
	{ 'p', "  Pid  ", 7, NULL, "pid" },
	{ 'T', "Task", -13, NULL, "task" },
	{ 'k', "What", -17, NULL, "kind" },
	{ 'K', "", 0, NULL, "kind_ns" },
	{ 'i', "  Irq  ", 7, NULL, "irq_ns" },
	{ 'w', "Off-cpu   ", 10, NULL, "off_cpu_ns" },
	{ 'o', "Recorded", 8, NULL, "recording_ns" },
	{ 'c', "Count  ", 7, NULL, "count" },
	{ 'v', "Level   ", 8, NULL, "level" },
	{ 'R', "Result      ", 12, NULL, "result" },
	{ 'F', "Function", -28, NULL, "function" },
	{ 'B', "Called by", 0, NULL, "callers" },
	{ 'h', "", 0, NULL, "woken_by" },
};

static const struct {
	const char *key;
	const char *text;
} kinds[BOOT_KINDS] = {
	[BOOT_RAN]		= { "ran", "ran" },
	[BOOT_RUNNABLE]		= { "runnable", "runnable" },
	[BOOT_PREEMPTED]	= { "preempted", "preempted" },
	[BOOT_TIMER]		= { "timer", "timer" },
	[BOOT_DEVICE]		= { "device", "device" },
	[BOOT_RCU]		= { "grace_period", "grace period" },
	[BOOT_CPU_UP]		= { "cpu_up", "CPU start" },
	[BOOT_WAITED]		= { "unknown_wait", "unknown wait" },
	[BOOT_MIXED]		= { "ran_or_waited", "ran/waited" },
	[BOOT_UNKNOWN]		= { "unknown", "unknown" },
};

static const char *name_of(const struct kd_boot *b, u32 func)
{
	return b->kd->in.names.str[func].s;
}

/* Its name, or what it must be; @text: room for a number. */
static const char *task_name(const struct kd_boot *b, u32 task, char text[32])
{
	const struct boot_task *t = &b->task.at[task];
	const char *name = t->name == KFI_NONE ? NULL : b->words.str[t->name].s;

	/* It has the name of the task that made it until it is init. */
	if (t->pid == 1 && (!name || !strncmp(name, "swapper", 7)))
		return "kernel_init";
	if (name)
		return name;
	if (!t->pid && task == b->boot_task)
		return "swapper";
	if (!t->pid)
		snprintf(text, 32, "swapper/%d", t->cpu);
	else
		snprintf(text, 32, "?");
	return text;
}

/* "a < b < c": who called a call. For people no more than fits, up to the initcall. */
static char *callers_of(struct kd_boot *b, const struct boot_row *r, bool all)
{
	const struct boot_call *c = b->call.at;
	u32 up = r->call == KFI_NONE ? KFI_NONE : c[r->call].parent;
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	const char *between = "";

	if (!f)
		return NULL;
	for (; up != KFI_NONE; up = c[up].parent) {
		const char *name = name_of(b, c[up].func);

		if (!all && boot_role(b, c[up].func) == BOOT_IS_INITCALLS)
			break;
		if (!all && (size_t)ftell(f) + strlen(name) > CALLERS_MAX && *between) {
			up = boot_initcall_of(b, up);
			fprintf(f, "%s...%s%s", between, up == KFI_NONE ? "" : between,
				up == KFI_NONE ? "" : name_of(b, c[up].func));
			break;
		}
		fprintf(f, "%s%s", between, name);
		between = " < ";
	}
	if (!all && r->by != KFI_NONE)
		fprintf(f, "%swoken by %s", *between ? "; " : "", name_of(b, r->by));
	return fclose(f) ? NULL : text;
}

static void put_kind(struct kd_table *t, const struct boot_row *r)
{
	int percent = 100;
	char text[64];

	if (r->kind == BOOT_KINDS) {
		kd_cell_unknown(t);
		return;
	}
	if (t->out != KD_OUT_TEXT) {
		kd_cell_text(t, kinds[r->kind].key);
		return;
	}
	if (r->kind_ns >= 0 && r->length > 0)
		percent = (int)(((__int128)r->kind_ns * 200 / r->length + 1) / 2);
	if (percent == 100)
		snprintf(text, sizeof(text), "%s", kinds[r->kind].text);
	else
		snprintf(text, sizeof(text), "%s %d %%", kinds[r->kind].text, percent);
	kd_cell_text(t, text);
}

static void put_length(struct kd_table *t, const struct boot_row *r)
{
	if (r->from < 0 || r->guess)
		r->length < 0 ? kd_cell_unknown(t) : kd_cell_time(t, r->length, r->guess);
	else
		kd_cell_span(t, r->from, r->length);
}

static void put_amount(struct kd_table *t, s64 ns, bool unsure)
{
	if (ns < 0)
		kd_cell_unknown(t);
	else
		kd_cell_time(t, ns, unsure);
}

static void put_text(struct kd_table *t, const char *text)
{
	if (text)
		kd_cell_text(t, text);
	else
		kd_cell_unknown(t);
}

static void put_pid(struct kd_table *t, const struct boot_row *r, const struct boot_task *task)
{
	if (task)
		kd_cell_count(t, task->pid);
	else if (r->several && t->out == KD_OUT_TEXT)
		kd_cell_text(t, "-");
	else
		kd_cell_unknown(t);
}

static void put_task(const struct kd_boot *b, struct kd_table *t, const struct boot_row *r)
{
	char text[32];

	if (r->task != KFI_NONE)
		kd_cell_text(t, task_name(b, r->task, text));
	else
		put_text(t, r->several && t->out == KD_OUT_TEXT ? "(several)" : NULL);
}

static void put_percent(const struct kd_boot *b, struct kd_table *t, const struct boot_row *r)
{
	s64 all = b->end - b->start;

	if (!r->of_boot || r->length < 0 || all <= 0)
		kd_cell_unknown(t);
	else
		kd_cell_percent(t, (s64)((__int128)r->length * 10000 / all), false);
}

static void put_function(const struct kd_boot *b, struct kd_table *t, const struct boot_row *r)
{
	u32 func = r->call == KFI_NONE ? r->func : b->call.at[r->call].func;

	if (r->name)
		kd_cell_text(t, r->name);
	else if (func == KFI_NONE && t->out == KD_OUT_TEXT)
		kd_cell_text(t, "-");
	else if (func == KFI_NONE)
		kd_cell_unknown(t);
	else
		kd_cell_text(t, name_of(b, func));
}

static int put_callers(struct kd_boot *b, struct kd_table *t, const struct boot_row *r)
{
	char *text;

	if (t->out != KD_OUT_TEXT && r->call == KFI_NONE) {
		kd_cell_unknown(t);
		return 0;
	}
	text = callers_of(b, r, t->out != KD_OUT_TEXT);
	if (!text)
		return -ENOMEM;
	kd_cell_text(t, text);
	free(text);
	return 0;
}

static int put_cell(struct kd_boot *b, struct kd_table *t, const struct boot_row *r, char id)
{
	const struct boot_task *task = r->task == KFI_NONE ? NULL : &b->task.at[r->task];

	switch (id) {
	case 'S':
		kd_cell_text(t, r->part);
		return 0;
	case 'e':
		kd_cell_time_or_unknown(t, r->from);
		return 0;
	case 't':
		put_length(t, r);
		return 0;
	case 'P':
		put_percent(b, t, r);
		return 0;
	case 'p':
		put_pid(t, r, task);
		return 0;
	case 'T':
		put_task(b, t, r);
		return 0;
	case 'k':
		put_kind(t, r);
		return 0;
	case 'K':
		kd_cell_time_or_unknown(t, r->kind_ns);
		return 0;
	case 'i':
		put_amount(t, r->irq, r->unsure);
		return 0;
	case 'w':
		/* One that ran was not switched out. */
		put_amount(t, r->off, r->unsure && r->kind != BOOT_RAN);
		return 0;
	case 'o':
		put_amount(t, r->recording, r->unsure);
		return 0;
	case 'c':
		r->count < 0 ? kd_cell_unknown(t) : kd_cell_count(t, r->count);
		return 0;
	case 'v':
		put_text(t, r->level);
		return 0;
	case 'R':
		put_text(t, r->result);
		return 0;
	case 'F':
		put_function(b, t, r);
		return 0;
	case 'h':
		put_text(t, r->by == KFI_NONE ? NULL : name_of(b, r->by));
		return 0;
	default:
		return put_callers(b, t, r);
	}
}

int boot_row_put(struct kd_boot *b, struct kd_table *t, const struct boot_row *r)
{
	for (u32 i = 0; i < t->n; i++)
		if (put_cell(b, t, r, t->col[i]->id))
			return -ENOMEM;
	kd_row_end(t);
	return 0;
}

void boot_table(struct kd_table *t, const char *format, const char *title)
{
	if (t->out != KD_OUT_TEXT) {
		if (!t->n)
			kd_table_begin(t, columns, ARRAY_SIZE(columns), NULL, false);
		return;
	}
	*t = (struct kd_table){ .out = KD_OUT_TEXT };
	printf("\n%s%s%s\n", term_ink(TERM_TITLE), title, term_ink(TERM_PLAIN));
	kd_table_begin(t, columns, ARRAY_SIZE(columns), format, false);
}

/*
 * What recording took: so much for each call, as the kernel has measured it. -1: unknown. The
 * header counts the calls of the whole log, so the log must end with the boot.
 */
static s64 recording(const struct kd_boot *b)
{
	const struct kfi_log_head *h = &b->kd->in.head;
	u64 ns, more;

	if (b->log_end > b->end || !h->has_cost ||
	    __builtin_mul_overflow(b->kd->res.calls, h->cost_ns, &ns) ||
	    (h->filtered && !h->filtered_cost_ns) ||
	    __builtin_mul_overflow(h->filtered, h->filtered_cost_ns, &more) ||
	    __builtin_add_overflow(ns, more, &ns) || ns > S64_MAX)
		return -1;
	return (s64)ns;
}

/* A row of which a name says what it is. @of_boot: it is a part of the boot */
static int put_named(struct kd_boot *b, struct kd_table *t, struct boot_row r, const char *name,
		     bool of_boot)
{
	r.name = name;
	r.of_boot = of_boot;
	return boot_row_put(b, t, &r);
}

static int show_phases(struct kd_boot *b, struct kd_table *t)
{
	struct boot_row took = boot_row("recording", -1, recording(b));
	int ret = 0;

	boot_table(t, "etPF", "Phases");
	if (b->before_ns >= 0)
		ret = put_named(b, t, boot_row("before", -1, b->before_ns), "(before the kernel)",
				false);
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
	if (!ret && took.length >= 0)
		ret = put_named(b, t, took, "(recording took about so much of it)", true);
	if (!ret && b->log_end > b->end)
		ret = put_named(b, t, boot_row("later", b->end, b->log_end - b->end), "(later)",
				false);
	return ret;
}

/* Columns of the path: amounts that are less than a hundredth of the boot are none. */
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

		r.kind = boot_line_kind(l);
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
		ret = boot_row_put(b, t, &r);
	}
	return ret;
}

/* How much of the path was of which kind. */
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

/* The answer. */
static void show_answer(const struct kd_boot *b)
{
	long long us = b->end / 1000 - b->start / 1000;

	if (b->kd->opt.out != KD_OUT_TEXT)
		return;
	if (b->is_over)
		printf("The boot took %lld us, from start_kernel to %s.\n", us, b->end_by);
	else
		printf("The boot was not over when the log ended, %lld us after start_kernel.\n",
		       us);
}

/* What the reader must know of this report. Other notes come from kd.c. */
static void show_notes(const struct kd_boot *b)
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

	show_answer(b);
	if (!b->is_over)
		ret = boot_show_open(b, &t);
	ret = ret ? : show_phases(b, &t);
	ret = ret ? : show_path(b, &t);
	ret = ret ? : show_kinds(b, &t);
	ret = ret ? : boot_show_waits(b, &t);
	ret = ret ? : boot_show_functions(b, &t);
	ret = ret ? : boot_show_initcalls(b, &t);
	fflush(stdout);
	show_notes(b);
	return ret;
}
