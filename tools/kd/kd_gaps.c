// SPDX-License-Identifier: GPL-2.0
/*
 * Gaps (--gaps): the longest times in which a thread of execution neither entered nor left a
 * function of the log. During a gap the innermost call ran, or code that is not in the log, or the
 * task was switched out. Memory grows with open calls and the number of gaps shown.
 */
#include <stdlib.h>

#include "kd_walk.h"
#include "top.h"

#define GAPS		20

/* Used in place of a function at the entry or the exit of the call. */
#define ENTRY		KFI_NONE
#define EXIT		KFI_NONE

/**
 * struct open - a call that is open
 * @seen: time of the last event in it: its entry, or an exit of a call below; -1: unknown
 * @after: function that returned at @seen, or ENTRY
 * @pid: its process
 * @next: next free number
 * @taken: the filters select it
 */
struct open {
	s64 seen;
	u32 after;
	s32 pid;
	u32 next;
	bool taken;
};

/**
 * struct gap - a gap
 * @from: when it begins
 * @length: its length, nanoseconds
 * @func: function in which it lies
 * @after: function that returned before it, or ENTRY
 * @before: function that was called after it, or EXIT
 * @pid: its process
 */
struct gap {
	s64 from;
	s64 length;
	u32 func;
	u32 after;
	u32 before;
	s32 pid;
};

/**
 * struct gaps - the gaps found so far
 * @kd: the run
 * @open: open calls, by number
 * @nopen: numbers in use or free
 * @room: for how many there is room
 * @free: first free number, KFI_NONE: none
 * @top: the longest gaps, struct gap
 * @failed: an allocation failed
 */
struct gaps {
	struct kd *kd;
	struct open *open;
	u32 nopen;
	u32 room;
	u32 free;
	struct kfi_top top;
	bool failed;
};

static const struct kd_column columns[] = {
	{ 'e', " Entry    ", 10, NULL, "entry_ns" },
	{ 't', " Length   ", 10, NULL, "length_ns" },
	{ 'p', "  Pid  ", 7, NULL, "pid" },
	{ 'k', "Task", -15, NULL, "comm" },
	{ 'F', "Function", -32, NULL, "function" },
	{ 'A', "After", -32, NULL, "after" },
	{ 'B', "Before", -32, NULL, "before" },
};

static int by_length(const void *a, const void *b)
{
	const struct gap *x = a, *y = b;

	if (x->length != y->length)
		return x->length < y->length ? -1 : 1;
	/* Of equal gaps the earlier one counts as longer. */
	return x->from > y->from ? -1 : x->from < y->from;
}

static int found(struct gaps *g, const struct open *o, u32 func, s64 until, u32 before)
{
	s64 length = until - o->seen;
	struct gap x = { o->seen, length, func, o->after, before, o->pid };

	if (o->seen < 0 || !o->taken || length <= 0)
		return 0;
	if (!kd_filter_func(&g->kd->opt.filter, &g->kd->in.matches, &g->kd->in.names, func))
		return 0;
	return kfi_top_add(&g->top, &x);
}

static int add_call(void *arg, const struct kfi_tree_call *c, struct kfi_tree_place *place,
		    bool taken)
{
	const struct kfi_row *row = c->row;
	struct gaps *g = arg;
	u32 id = g->free;

	if (place->parent != KFI_NONE && place->parent < g->nopen) {
		struct open *p = &g->open[place->parent];

		if (found(g, p, place->parent_func, row->entry_ns, c->func))
			return -ENOMEM;
		if (row->delta_ns < 0)
			p->seen = -1;
		else if (p->seen < row->entry_ns + row->delta_ns)
			p->seen = row->entry_ns + row->delta_ns;
		p->after = c->func;
	}
	if (id == KFI_NONE) {
		id = g->nopen;
		if (id >= KD_NOBODY ||
		    kfi_grow((void **)&g->open, &g->room, id + 1, sizeof(*g->open)))
			return -ENOMEM;
		g->nopen++;
	} else {
		g->free = g->open[id].next;
	}
	g->open[id] = (struct open){
		.seen = row->marks & KFI_MARK_NOTIME ? -1 : row->entry_ns, .after = ENTRY,
		.pid = row->pid, .taken = taken,
	};
	place->frame->id = id;
	return 0;
}

static void call_over(void *arg, const struct kfi_tree_frame *f)
{
	struct gaps *g = arg;
	u32 id = KD_NUMBER(f->id);

	if (id >= g->nopen)
		return;
	if (f->delta_ns >= 0 && found(g, &g->open[id], f->func, f->end, EXIT))
		g->failed = true;
	g->open[id].next = g->free;
	g->free = id;
}

static const char *name_of(const struct gaps *g, u32 func, const char *otherwise)
{
	return func == KFI_NONE ? otherwise : g->kd->in.names.str[func].s;
}

static void print(const struct gaps *g)
{
	struct kd_table t = { .out = g->kd->opt.out, .lines = g->kd->opt.srcline };

	kd_table_begin(&t, columns, ARRAY_SIZE(columns),
		       kd_shows_comm(g->kd) ? NULL : "etpFAB", false);
	for (u32 i = 0; i < g->top.n; i++) {
		const struct gap *x = (const struct gap *)g->top.at + i;

		if (x->length < g->kd->opt.time_ns)
			break;
		kd_cell_time(&t, x->from, false);
		kd_cell_span(&t, x->from, x->length);
		kd_cell_count(&t, x->pid);
		if (kd_shows_comm(g->kd))
			kd_comm_cell(g->kd, &t, x->pid, x->from);
		kd_cell_text(&t, g->kd->in.names.str[x->func].s);
		kd_cell_text(&t, name_of(g, x->after, "(its entry)"));
		kd_cell_text(&t, name_of(g, x->before, "(its exit)"));
		kd_line_cell(g->kd, &t, x->func);
		kd_row_end(&t);
	}
}

int kd_gaps(struct kd *kd, struct kfi_err *err)
{
	struct gaps g = {
		.kd = kd,
		.free = KFI_NONE,
		.top = {
			sizeof(struct gap), kd->opt.num == U64_MAX ? GAPS : kd->opt.num, by_length
		},
	};
	struct kd_visit visit = { .call = add_call, .over = call_over, .arg = &g };
	int ret;

	ret = kd_walk(kd, &visit, err);
	if (!ret && g.failed)
		ret = kfi_err_set(err, ENOMEM, "out of memory");
	if (!ret) {
		kfi_top_sort(&g.top);
		print(&g);
	}
	free(g.open);
	free(g.top.at);
	return ret;
}
