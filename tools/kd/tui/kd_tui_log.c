// SPDX-License-Identifier: GPL-2.0
/*
 * Reads a log for the terminal browser (--tui): see kd_tui.h. The log is read once, by three
 * visitors: this file keeps the calls; the report of the boot and the table of functions are those
 * of kd.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kd_boot.h"
#include "kd_boot_show.h"
#include "kd_tui.h"

/**
 * struct reading - state while the log is read
 * @log: the log in memory
 * @b: the log as a boot
 * @boot: visitor of @b
 * @sum: visitor of the sums
 * @last: the latest root
 * @ends: rows of the report: where each ends in the text, and its call
 * @n: how many
 * @room: for how many there is room
 * @failed: an allocation failed
 */
struct reading {
	struct tui_log *log;
	struct kd_boot b;
	struct kd_visit boot;
	struct kd_visit sum;
	u32 last;
	struct tui_line *ends;
	u32 n;
	u32 room;
	bool failed;
};

static int no_memory(const struct tui_log *log, struct kfi_err *err)
{
	return kfi_err_set(err, ENOMEM, "%s: out of memory", log->kd->in.log.in.name);
}

/* Add a call to the calls and to the sums, which number calls by their functions. */
static int add_call(void *arg, const struct kfi_tree_call *call, struct kfi_tree_place *place,
		    bool taken)
{
	struct reading *r = arg;
	struct tui_log *log = r->log;
	const struct kfi_row *row = call->row;
	u32 parent = place->parent, id = log->n;
	int ret;

	if (id >= KD_NOBODY ||
	    kfi_grow((void **)&log->call, &log->room, id + 1, sizeof(*log->call)))
		return -ENOMEM;
	if (parent == KD_NOBODY)
		parent = KFI_NONE;
	log->call[log->n++] = (struct tui_call){
		.entry = row->entry_ns, .delta = row->delta_ns, .func = call->func,
		.parent = parent, .child = KFI_NONE, .next = KFI_NONE, .task = row->task,
		.cpu = (s16)row->cpu,
		.ctx = row->ctx, .marks = row->marks,
	};
	ret = r->sum.call(r->sum.arg, call, place, taken);
	place->frame->id = id;
	return ret;
}

static void call_over(void *arg, const struct kfi_tree_frame *f)
{
	struct reading *r = arg;
	struct kfi_tree_frame frame = *f;
	u32 id = KD_NUMBER(f->id);
	s64 local = f->local_ns;
	struct tui_call *c;

	if (id >= r->log->n)
		return;
	c = &r->log->call[id];
	frame.id = c->func;
	r->sum.over(r->sum.arg, &frame);
	if (f->delta_ns < 0)
		return;
	if (local < 0) {
		local = f->delta_ns - f->child_ns;
		if (f->unsure || local < 0) {
			c->marks |= TUI_UNSURE;
			r->log->kd->res.unsure = true;
		}
	}
	c->local = local < 0 ? 0 : local;
}

static int add_item(void *arg, int item)
{
	struct reading *r = arg;

	return r->sum.item(r->sum.arg, item);
}

/* Link calls with the same parent to a list. A call has a lower number than its children. */
static void link_calls(struct tui_log *log)
{
	log->root = KFI_NONE;
	for (u32 i = log->n; i-- > 0;) {
		struct tui_call *c = &log->call[i];
		struct tui_call *above = c->parent == KFI_NONE ? NULL : &log->call[c->parent];
		u32 *first = above ? &above->child : &log->root;

		c->next = *first;
		*first = i;
		if (above && above->delta < 0 &&
		    __builtin_add_overflow(above->local, c->delta < 0 ? c->local : c->delta,
					   &above->local))
			above->local = S64_MAX;
	}
}

/* Find the first and the longest call of each function. */
static int find_calls(struct tui_log *log)
{
	u32 n = log->kd->in.names.count;

	log->first = malloc(((size_t)n + 1) * sizeof(*log->first));
	log->longest = malloc(((size_t)n + 1) * sizeof(*log->longest));
	if (!log->first || !log->longest)
		return -ENOMEM;
	memset(log->first, 0xff, n * sizeof(*log->first));
	memset(log->longest, 0xff, n * sizeof(*log->longest));
	for (u32 i = 0; i < log->n; i++) {
		const struct tui_call *c = &log->call[i];
		u32 *longest = &log->longest[c->func];

		if (log->first[c->func] == KFI_NONE)
			log->first[c->func] = i;
		if (*longest == KFI_NONE || c->delta > log->call[*longest].delta)
			*longest = i;
	}
	return 0;
}

static int find_tasks(struct tui_log *log)
{
	struct kfi_map number = { 0 };
	struct tui_task *t = NULL;
	int ret = 0;

	for (u32 i = 0; i < log->n; i++) {
		const struct tui_call *c = &log->call[i];

		if (!t || t->task != c->task) {
			u32 *at = kfi_map_get(&number, (u32)c->task, log->ntasks);

			if (!at || kfi_grow((void **)&log->task, &log->task_room, log->ntasks + 1,
					    sizeof(*log->task))) {
				ret = -ENOMEM;
				break;
			}
			t = &log->task[*at];
			if (*at == log->ntasks)
				log->task[log->ntasks++] = (struct tui_task){
					.sums = TUI_NO_SUMS, .task = c->task,
				};
		}
		tui_sums_add(&t->sums, log, i);
		t->open += c->delta < 0;
	}
	kfi_map_free(&number);
	return ret;
}

/* Return the first call that was entered at a time or later, or @log->n if there is none. */
static u32 first_from(const struct tui_log *log, s64 at)
{
	u32 low = 0, high = log->n;

	if (!log->ordered) {
		while (low < high && log->call[low].entry < at)
			low++;
		return low;
	}
	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (log->call[middle].entry < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Return the call of a function that was entered at a time, KFI_NONE: none. */
static u32 entered(const struct tui_log *log, s64 at, u32 func)
{
	for (u32 i = first_from(log, at); i < log->n; i++) {
		if (log->ordered && log->call[i].entry > at)
			break;
		if (log->call[i].entry == at && log->call[i].func == func)
			return i;
	}
	return KFI_NONE;
}

/* Return the innermost call of a task that was open at a time, or the next one that was entered. */
static u32 around(const struct tui_log *log, s64 at, bool known, s32 task)
{
	u32 from = first_from(log, at), i = from;

	if (from < log->n && log->call[from].entry == at &&
	    (!known || log->call[from].task == task))
		return from;
	while (known && i-- > 0) {
		const struct tui_call *c = &log->call[i];

		if (c->task != task || c->ctx != KFI_CTX_TASK)
			continue;
		while (c->delta >= 0 && c->entry + c->delta <= at && c->parent != KFI_NONE)
			c = &log->call[c->parent];
		return (u32)(c - log->call);
	}
	return from < log->n ? from : log->n ? log->n - 1 : KFI_NONE;
}

/* Return the line of the path that has most of a kind. */
static const struct boot_line *line_of_kind(const struct kd_boot *b, enum boot_kind kind)
{
	const struct boot_line *best = NULL;

	for (u32 i = 0; i < b->line.n; i++)
		if (!best || b->line.at[i].of[kind] > best->of[kind])
			best = &b->line.at[i];
	return best;
}

/* Return the call that a row of the report is about, or KFI_NONE. */
static u32 place_of(const struct tui_log *log, const struct kd_boot *b, const struct boot_row *r)
{
	u32 call = r->call, func = r->func, task = r->task;
	s64 from = r->from;

	if (call == KFI_NONE && func == KFI_NONE && from < 0 && r->kind < BOOT_KINDS) {
		const struct boot_line *l = line_of_kind(b, r->kind);

		if (!l)
			return KFI_NONE;
		call = l->call;
		from = l->from;
		task = l->several ? KFI_NONE : l->task;
	}
	if (call != KFI_NONE) {
		func = b->call.at[call].func;
		from = b->call.at[call].entry;
	}
	if (func != KFI_NONE && from >= 0)
		return entered(log, from, func);
	if (func != KFI_NONE)
		return log->longest[func];
	if (from < 0)
		return KFI_NONE;
	return around(log, from, task != KFI_NONE, task == KFI_NONE ? 0 : b->task.at[task].pid);
}

static int add_end(struct reading *r, u32 place)
{
	fflush(stdout);
	if (kfi_grow((void **)&r->ends, &r->room, r->n + 1, sizeof(*r->ends)))
		return -ENOMEM;
	r->ends[r->n++] = (struct tui_line){ .from = (size_t)ftell(stdout), .place = place };
	return 0;
}

static void add_row(void *arg, struct kd_boot *b, const struct boot_row *row)
{
	struct reading *r = arg;

	r->failed |= add_end(r, place_of(r->log, b, row)) != 0;
}

int tui_text_cut(struct tui_text *t, const struct tui_line *place, u32 n)
{
	u32 k = 0;

	for (size_t at = 0; at < t->size;) {
		const char *end = memchr(t->text + at, '\n', t->size - at);
		size_t next = end ? (size_t)(end + 1 - t->text) : t->size;
		struct tui_line l = {
			.from = at, .len = (u32)(next - at - (end != NULL)), .place = KFI_NONE,
		};

		while (k < n && place[k].from < next)
			k++;
		if (k < n && place[k].from == next)
			l.place = place[k].place;
		if (kfi_grow((void **)&t->line, &t->room, t->n + 1, sizeof(*t->line)))
			return -ENOMEM;
		t->line[t->n++] = l;
		at = next;
	}
	return 0;
}

void tui_text_free(struct tui_text *t)
{
	free(t->text);
	free(t->line);
	*t = (struct tui_text){ 0 };
}

/* Get the text of kd --boot. The report can only print to standard output. */
static int read_report(struct reading *r, struct kfi_err *err)
{
	struct tui_text *t = &r->log->report;
	FILE *out = kd_capture(&t->text, &t->size);
	int ret;

	if (!out)
		return no_memory(r->log, err);
	r->b.row = add_row;
	r->b.row_arg = r;
	ret = boot_report(&r->b, err);
	if ((kd_capture_end(out) || r->failed) && !ret)
		ret = no_memory(r->log, err);
	if (!ret && tui_text_cut(t, r->ends, r->n))
		ret = no_memory(r->log, err);
	/* The first line of the report is about the whole boot. */
	if (!ret && t->n && r->b.start >= 0)
		t->line[0].place = around(r->log, r->b.start, false, 0);
	return ret;
}

int tui_log_read(struct tui_log *log, struct kd *kd, struct kfi_err *err)
{
	struct reading r = { .log = log };
	struct kd_visit visit = {
		.call = add_call, .over = call_over, .item = add_item, .arg = &r,
	};
	int ret;

	*log = (struct tui_log){ .kd = kd, .root = KFI_NONE, .sum = { .kd = kd } };
	ret = boot_begin(&r.b, kd, &r.boot, err);
	kd_sum_begin(&log->sum, &r.sum);
	ret = ret ? : kd_walk_both(kd, &r.boot, &visit, err);
	if (!ret) {
		kd_sum_end(&log->sum);
		log->ordered = !kd->in.tally.late;
		link_calls(log);
		if (find_calls(log) || find_tasks(log))
			ret = no_memory(log, err);
	}
	if (!ret) {
		ret = boot_end(&r.b, &log->no_report);
		if (ret == -EINVAL)
			ret = 0;
		else if (ret)
			*err = log->no_report;
		else
			ret = read_report(&r, err);
	}
	boot_free(&r.b);
	free(r.ends);
	return ret;
}

void tui_log_free(struct tui_log *log)
{
	free(log->call);
	free(log->first);
	free(log->longest);
	free(log->task);
	tui_text_free(&log->report);
	kd_sum_free(&log->sum);
	*log = (struct tui_log){ .kd = log->kd, .root = KFI_NONE };
}
