// SPDX-License-Identifier: GPL-2.0
/*
 * Lists single calls: the first call of each function (--first), which is a timeline of a boot, and
 * the longest calls (--longest). Memory use grows with functions, and with the number of calls
 * shown.
 */
#include <stdlib.h>

#include "kd_walk.h"
#include "top.h"

#define LONGEST		20

/**
 * struct one - a call
 * @entry: nanoseconds
 * @delta: duration, -1: unknown
 * @local: local time, -1: unknown
 * @func: number of its function
 * @caller: function of the call around it, KFI_NONE: none in the log
 * @pid: process
 * @cpu: processor, -1: unknown
 * @ctx: context
 */
struct one {
	s64 entry;
	s64 delta;
	s64 local;
	u32 func;
	u32 caller;
	s32 pid;
	s32 cpu;
	u8 ctx;
};

/**
 * struct list - the calls found so far
 * @kd: the run
 * @top: the earliest or longest calls, struct one
 * @seen: by function: its first call is in @top, for --first
 * @seen_room: for how many functions there is room
 */
struct list {
	struct kd *kd;
	struct kfi_top top;
	bool *seen;
	u32 seen_room;
};

static const struct kd_column columns[] = {
	{ 'e', " Entry    ", 10, NULL, "entry_ns" },
	{ 't', " Duration ", 10, NULL, "duration_ns" },
	{ 'l', " Local    ", 10, NULL, "local_ns" },
	{ 'p', "  Pid  ", 7, NULL, "pid" },
	{ 'k', "Task", -15, NULL, "comm" },
	{ 'C', "Cpu", 3, NULL, "cpu" },
	{ 'x', "Ctx", 3, NULL, "ctx" },
	{ 'F', "Function", -35, NULL, "function" },
	{ 'B', "Called by", -35, NULL, "caller" },
};

static int keep(struct list *l, const struct kfi_tree_call *c, const struct kfi_tree_place *place)
{
	const struct kfi_row *row = c->row;

	return kfi_top_add(&l->top, &(struct one){
		.entry = row->entry_ns, .delta = row->delta_ns, .local = row->local_ns,
		.func = c->func, .caller = place->parent_func, .pid = row->pid, .cpu = row->cpu,
		.ctx = row->ctx,
	});
}

static bool is_shown(struct list *l, u32 func)
{
	struct kd *kd = l->kd;

	return kd_filter_func(&kd->opt.filter, &kd->in.matches, &kd->in.names, func);
}

static int first_call(void *arg, const struct kfi_tree_call *c, struct kfi_tree_place *place,
		      bool taken)
{
	struct list *l = arg;
	u32 old = l->seen_room;

	if (!taken || !is_shown(l, c->func))
		return 0;
	if (kfi_grow((void **)&l->seen, &l->seen_room, c->func + 1, sizeof(*l->seen)))
		return -ENOMEM;
	memset(l->seen + old, 0, l->seen_room - old);
	if (l->seen[c->func])
		return 0;
	l->seen[c->func] = true;
	return keep(l, c, place);
}

static int long_call(void *arg, const struct kfi_tree_call *c, struct kfi_tree_place *place,
		     bool taken)
{
	struct list *l = arg;

	return taken && c->row->delta_ns >= 0 && is_shown(l, c->func) ? keep(l, c, place) : 0;
}

/* Sort by entry: an earlier call counts as greater. */
static int by_entry(const void *a, const void *b)
{
	const struct one *x = a, *y = b;

	if (x->entry != y->entry)
		return x->entry > y->entry ? -1 : 1;
	return x->func > y->func ? -1 : x->func < y->func;
}

static int by_length(const void *a, const void *b)
{
	const struct one *x = a, *y = b;

	if (x->delta != y->delta)
		return x->delta < y->delta ? -1 : 1;
	return by_entry(a, b);
}

static void print(struct list *l)
{
	struct kd_table t = { .out = l->kd->opt.out, .lines = l->kd->opt.srcline };

	kd_table_begin(&t, columns, ARRAY_SIZE(columns),
		       kd_shows_comm(l->kd) ? NULL : "etlpCxFB", false);
	for (u32 i = 0; i < l->top.n && t.rows < l->kd->opt.num; i++) {
		const struct one *x = (const struct one *)l->top.at + i;

		if (l->kd->opt.time_ns && (x->delta < 0 || x->delta < l->kd->opt.time_ns))
			continue;
		kd_cell_time_or_unknown(&t, l->kd->in.head.no_entry ? -1 : x->entry);
		kd_cell_span(&t, x->entry, x->delta);
		kd_cell_time_or_unknown(&t, x->delta < 0 ? -1 : x->local);
		kd_cell_pid(&t, x->pid);
		if (kd_shows_comm(l->kd))
			kd_comm_cell(l->kd, &t, x->pid, x->entry);
		if (x->cpu < 0)
			kd_cell_unknown(&t);
		else
			kd_cell_count(&t, x->cpu);
		kd_cell_text(&t, (const char[]){ KFI_CTX_LETTERS[x->ctx], '\0' });
		kd_cell_text(&t, l->kd->in.names.str[x->func].s);
		kd_cell_text(&t, x->caller == KFI_NONE ? "-" : l->kd->in.names.str[x->caller].s);
		kd_line_cell(l->kd, &t, x->func);
		kd_row_end(&t);
	}
}

int kd_first(struct kd *kd, struct kfi_err *err)
{
	const bool longest = kd->opt.mode == KD_LONGEST;
	struct list l = {
		.kd = kd,
		.top = {
			.size = sizeof(struct one),
			.max = !longest ? U64_MAX : kd->opt.num == U64_MAX ? LONGEST : kd->opt.num,
			.compare = longest ? by_length : by_entry,
		},
	};
	struct kd_visit visit = { .call = longest ? long_call : first_call, .arg = &l };
	int ret;

	ret = kd_walk(kd, &visit, err);
	if (!ret) {
		kfi_top_sort(&l.top);
		print(&l);
	}
	free(l.top.at);
	free(l.seen);
	return ret;
}
