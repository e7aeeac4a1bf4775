// SPDX-License-Identifier: GPL-2.0
/*
 * Shows calls as they come out of /proc/kfi_pipe (--follow), in order of exit, and at the end the
 * table of functions. There are no trees: the caller of a call is known only when the caller
 * returns. Memory use grows with functions and tasks, never with the log.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kd_sum.h"
#include "kd_table.h"

static const struct kd_column columns[] = {
	{ 'e', " Exit     ", 10, NULL, "exit_ns" },
	{ 't', " Duration ", 10, NULL, "duration_ns" },
	{ 'l', " Local    ", 10, NULL, "local_ns" },
	{ 'p', "  Pid  ", 7, NULL, "pid" },
	{ 'C', "Cpu", 3, NULL, "cpu" },
	{ 'x', "Ctx", 3, NULL, "ctx" },
	{ 'd', "Depth", 5, NULL, "depth" },
	{ 'F', "Function", 0, NULL, "function" },
	{ 'M', "Mark", 0, NULL, "mark" },
};

#define FORMAT		"etlpCxF"
#define PROGRAM_FORMAT	"etlpCxdFM"

/* Deeper calls are not indented further. */
#define INDENT_MAX	30

/**
 * struct follow - state of --follow
 * @kd: the run
 * @t: the table of calls
 * @sum: sums of the functions
 * @lost: number of lost calls that were reported
 */
struct follow {
	struct kd *kd;
	struct kd_table t;
	struct kd_sum sum;
	u64 lost;
};

static volatile sig_atomic_t stopped;

static void on_sigint(int sig)
{
	stopped = 1;
}

/* Print what was read, since no more input has come. */
static void flush(void)
{
	fflush(stdout);
}

void kd_follow_input(struct kd *kd)
{
	struct sigaction sa = { .sa_handler = on_sigint };

	/* A second SIGINT ends kd. */
	sa.sa_flags = (int)SA_RESETHAND;
	sigaction(SIGINT, &sa, NULL);
	kd->in.log.in.live = true;
	kd->in.log.in.stop = &stopped;
	kd->in.log.in.idle = flush;
}

/* Print a function and a mark: for programs as two cells, for people as one, indented by depth. */
static void put_name(struct kd_table *t, u32 depth, const char *name, const char *mark)
{
	u32 indent = depth > INDENT_MAX ? INDENT_MAX : depth;
	char text[512];

	if (t->out == KD_OUT_TEXT) {
		snprintf(text, sizeof(text), "%*s%s%s%s", (int)(2 * indent), "", name,
			 mark ? *name ? "  # " : "# " : "", mark ? mark : "");
		kd_cell_text(t, text);
		return;
	}
	kd_cell_count(t, depth);
	kd_cell_text(t, name);
	if (mark)
		kd_cell_text(t, mark);
	else
		kd_cell_unknown(t);
}

static void put_place(struct kd_table *t, s32 pid, s32 cpu, u8 ctx)
{
	kd_cell_pid(t, pid);
	kd_cell_count(t, cpu);
	kd_cell_text(t, (const char[]){ KFI_CTX_LETTERS[ctx], '\0' });
}

static void put_row(struct follow *f, const struct kfi_row *row, const char *name)
{
	s64 delta = row->delta_ns;

	kd_cell_time_or_unknown(&f->t, delta < 0 ? -1 : row->entry_ns + delta);
	kd_cell_span(&f->t, row->entry_ns, delta);
	kd_cell_time_or_unknown(&f->t, delta < 0 ? -1 : row->local_ns);
	put_place(&f->t, row->pid, row->cpu, row->ctx);
	put_name(&f->t, row->depth ? row->depth - 1 : 0, name,
		 row->watch ? "stack" : row->marks & KFI_MARK_OPEN ? "open" : NULL);
	kd_row_end(&f->t);
}

static void put_mark(struct follow *f, const struct kfi_log_mark *m)
{
	char text[512];

	snprintf(text, sizeof(text), "%.*s", (int)m->text.len, m->text.s);
	kd_cell_time(&f->t, m->entry_ns, false);
	kd_cell_unknown(&f->t);
	kd_cell_unknown(&f->t);
	put_place(&f->t, m->ctx == KFI_CTX_TASK ? m->task : -1, m->cpu, m->ctx);
	put_name(&f->t, 0, "", text);
	kd_row_end(&f->t);
}

/* Report how many calls were overwritten since the last report. */
static void put_lost(struct follow *f)
{
	u64 lost = f->kd->in.log.head.overwritten;

	char text[32];

	if (lost <= f->lost)
		return;
	if (f->t.out == KD_OUT_TEXT) {
		printf("# calls overwritten before they could be read: %llu\n",
		       (unsigned long long)(lost - f->lost));
	} else {
		/* A row of which only the mark is known. */
		snprintf(text, sizeof(text), "lost %llu", (unsigned long long)(lost - f->lost));
		for (size_t i = 1; i < strlen(PROGRAM_FORMAT); i++)
			kd_cell_unknown(&f->t);
		kd_cell_text(&f->t, text);
		kd_row_end(&f->t);
	}
	f->lost = lost;
}

static int show_call(struct follow *f, struct kfi_err *err)
{
	struct kd *kd = f->kd;
	const struct kfi_row *row = kd->in.row;
	struct kfi_tree_call call = { 0 };
	int ret = kd_call(kd, &call, err);

	if (ret)
		return ret;
	if (!kd_filter_row(&kd->opt.filter, row))
		return 0;
	if (kd_filter_match(&kd->opt.filter, &kd->in.matches, &kd->in.names, call.func) < 0 ||
	    kd_sum_row(&f->sum, call.func, row))
		return -ENOMEM;
	if (!kd_filter_func(&kd->opt.filter, &kd->in.matches, &kd->in.names, call.func))
		return 0;
	kd->res.taken++;
	if (row->delta_ns >= kd->opt.time_ns || !kd->opt.time_ns)
		put_row(f, row, kd->in.names.str[call.func].s);
	return 0;
}

static int show_other(struct follow *f, int item)
{
	struct kd *kd = f->kd;
	const struct kfi_log_mark *m = &kd->in.log.mark;
	const struct kfi_row *row = kd->in.row;
	char name[256];

	if (kd->opt.no_marks || kd->opt.filter.pattern[KD_FUNC].text || kd->opt.time_ns)
		return 0;
	if (item == KFI_LINE_MARK) {
		if (kd_filter_mark(&kd->opt.filter, m))
			put_mark(f, m);
	} else if (kd_filter_row(&kd->opt.filter, row)) {
		snprintf(name, sizeof(name), "%.*s", (int)row->func.len, row->func.s);
		put_row(f, row, name);
	}
	return 0;
}

static int follow(struct follow *f, struct kfi_err *err)
{
	struct kd *kd = f->kd;
	int item, ret = 0;

	while (!ret && !stopped && (item = kd_item(kd, err)) != 0) {
		if (item < 0)
			return item;
		put_lost(f);
		ret = item == KFI_LINE_ROW ? show_call(f, err) : show_other(f, item);
	}
	if (ret == -ENOMEM)
		kfi_err_set(err, ENOMEM, "%s: out of memory", kd->in.log.in.name);
	kd->in.head = kd->in.log.head;
	return ret;
}

int kd_follow(struct kd *kd, struct kfi_err *err)
{
	struct follow f = { .kd = kd, .t = { .out = kd->opt.out }, .sum = { .kd = kd } };
	struct kd_visit unused;
	int ret;

	f.sum.want = kd_summary_want(kd);
	if (f.sum.want & KD_WANT_EDGES)
		return kfi_err_set(err, EINVAL, "--follow does not know callers: leave out -s %s",
				   kd->opt.sort);
	kd_sum_begin(&f.sum, &unused);
	kd_table_begin(&f.t, columns, ARRAY_SIZE(columns),
		       f.t.out == KD_OUT_TEXT ? FORMAT : PROGRAM_FORMAT, false);
	ret = follow(&f, err);
	put_lost(&f);
	if (!ret && f.t.out == KD_OUT_TEXT) {
		putchar('\n');
		ret = kd_summary_print(&f.sum, err);
	}
	kd_sum_free(&f.sum);
	return ret;
}
