// SPDX-License-Identifier: GPL-2.0
/* Rows and columns of the tables of a boot. See kd_boot_show.h. */
#include <stdio.h>
#include <stdlib.h>

#include "kd_boot_show.h"
#include "term.h"

/* Longest text of a call's callers, for people. */
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

const char *boot_kind_key(enum boot_kind kind)
{
	return kinds[kind].key;
}

static const char *name_of(const struct kd_boot *b, u32 func)
{
	return b->kd->in.names.str[func].s;
}

const char *boot_kind_text(enum boot_kind kind)
{
	return kinds[kind].text;
}

const char *boot_task_name(const struct kd_boot *b, u32 task, s64 at, char text[32])
{
	const struct boot_task *t = &b->task.at[task];
	u32 number = boot_name_at(b, task, at);
	const char *name = number == KFI_NONE ? NULL : b->words.str[number].s;

	/* Until task 1 executes init, it has the name of the task that made it. */
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

/* Return the callers of a call as "a < b < c", up to the initcall: all, or as many as fit. */
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
		kd_cell_text(t, boot_task_name(b, r->task, r->at < 0 ? r->from : r->at, text));
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
		/* A task that ran was not switched out. */
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

/* Print a cell of a message. For people only time and text have one: nothing else is missing. */
static void put_message_cell(struct kd_table *t, const struct boot_row *r, char id)
{
	if (id == 'e' && r->from >= 0)
		kd_cell_time(t, r->from, r->unsure);
	else if (id == 'e')
		kd_cell_unknown(t);
	else
		kd_cell_text(t, id == 'k' ? r->part : id == 'F' ? r->name : "");
}

int boot_row_put(struct kd_boot *b, struct kd_table *t, const struct boot_row *r)
{
	for (u32 i = 0; i < t->n; i++) {
		char id = t->col[i]->id;

		if (r->is_message && (t->out == KD_OUT_TEXT || id == 'e'))
			put_message_cell(t, r, id);
		else if (put_cell(b, t, r, id))
			return -ENOMEM;
	}
	kd_row_end(t);
	if (b->row)
		b->row(b->row_arg, b, r);
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

const char *boot_time_text(s64 ns, char text[32])
{
	double us = (double)ns / 1000;

	/* Rounding must not lead to 1000 of a unit. */
	if (us < 999.5)
		snprintf(text, 32, "%.0f us", us);
	else if (us < 999950)
		snprintf(text, 32, "%.1f ms", us / 1000);
	else
		snprintf(text, 32, "%.3f s", us / 1000000);
	return text;
}
