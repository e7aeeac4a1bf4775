// SPDX-License-Identifier: GPL-2.0
/*
 * Lists of a boot: open calls, the longest parts of the path, what the path waited for, functions
 * that ran most, and initcalls. See kd_boot.h.
 */
#include <stdlib.h>

#include "kd_boot_show.h"
#include "top.h"

/* Number of rows of a list without -n. */
#define ROWS		10
/* Number of rows of the first list without -n. */
#define FIRST_ROWS	5

static u64 boot_rows(const struct kd_boot *b, u64 rows)
{
	return b->kd->opt.num == U64_MAX ? rows : b->kd->opt.num;
}

/* Print the calls that were open when the log ended, if the boot was not over then. */
int boot_show_open(struct kd_boot *b, struct kd_table *t)
{
	u32 call = b->init_task == KFI_NONE ? KFI_NONE : b->task.at[b->init_task].call;
	u64 n = boot_rows(b, ROWS);
	bool begun = false;
	int ret = 0;

	if (call == KFI_NONE && b->boot_task != KFI_NONE)
		call = b->task.at[b->boot_task].call;
	for (; call != KFI_NONE && n && !ret; call = b->call.at[call].prev) {
		const struct boot_call *c = &b->call.at[call];
		struct boot_row r = boot_row("open", c->entry, b->end - c->entry);

		r.call = call;
		r.task = b->init_task == KFI_NONE ? b->boot_task : b->init_task;

		if (!c->is_open || c->end < b->end)
			continue;
		if (!begun)
			boot_table(t, "etTFB",
				   "Calls that had not returned, the innermost first: they took at least this long");
		begun = true;
		ret = boot_row_put(b, t, &r);
		n--;
	}
	return ret;
}

/* The lines of the path that have the same function and task. */
struct share {
	s64 ns;
	s64 longest;
	s64 of[BOOT_KINDS];
	u32 lines;
	u32 func;
	u32 task;
	u32 call;
	s64 at;
};

BOOT_LIST(shares, struct share);

/* The shares of a path: @place maps a task and a name to the number of a share. */
struct division {
	struct shares list;
	struct kfi_map place;
	struct kfi_map who;
	u32 whos;
};

/* Sort by length, the longest first, then by time. */
static int by_share(const void *a, const void *b)
{
	const struct share *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns > y->ns ? -1 : 1;
	return x->call < y->call ? -1 : x->call > y->call;
}

static int add_share(struct division *d, const struct kd_boot *b, const struct boot_line *l)
{
	u32 func = l->call == KFI_NONE ? KFI_NONE : b->call.at[l->call].func;
	u32 task = l->several ? KFI_NONE : l->task;
	u32 name = l->several ? KFI_NONE : boot_name_at(b, task, l->from);
	u32 *who = kfi_map_get(&d->who, (u64)task << 32 | name, d->whos), *at;
	struct shares *list = &d->list;
	s64 length = l->to - l->from;
	struct share *x;

	if (!who)
		return -ENOMEM;
	d->whos += *who == d->whos;
	at = kfi_map_get(&d->place, (u64)*who << 32 | func, list->n);
	if (!at || (*at == list->n && boot_grow(list)))
		return -ENOMEM;
	if (*at == list->n)
		list->at[list->n++] = (struct share){ .longest = -1, .func = func, .task = task };
	x = &list->at[*at];
	x->ns += length;
	x->lines++;
	for (u32 i = 0; i < BOOT_KINDS; i++)
		x->of[i] += l->of[i];
	if (length > x->longest) {
		x->longest = length;
		x->call = l->call;
		x->at = l->from;
	}
	return 0;
}

int boot_show_longest(struct kd_boot *b, struct kd_table *t)
{
	u64 n = boot_rows(b, FIRST_ROWS);
	struct division d = { 0 };
	int ret = 0;

	for (u32 i = 0; i < b->line.n && !ret; i++)
		ret = add_share(&d, b, &b->line.at[i]);
	if (d.list.n)
		qsort(d.list.at, d.list.n, sizeof(*d.list.at), by_share);
	if (n && !ret)
		boot_table(t, "tPTkFB",
			   "Where the time went: the longest pieces of the boot, by function and task");
	for (u32 i = 0; i < d.list.n && i < n && !ret; i++) {
		const struct share *x = &d.list.at[i];
		struct boot_row r = boot_row("longest", -1, x->ns);

		r.count = x->lines;
		r.several = x->task == KFI_NONE;
		r.task = x->task;
		r.at = x->at;
		r.call = x->call;
		r.kind = boot_greatest_kind(x->of);
		r.kind_ns = x->of[r.kind];
		ret = boot_row_put(b, t, &r);
	}
	free(d.list.at);
	kfi_map_free(&d.place);
	kfi_map_free(&d.who);
	return ret;
}

/* A function, or what was waited for in it, with a sum of times. */
struct sum {
	u64 ns;
	u32 count;
	u32 func;
	u32 by;
	u8 kind;
	bool unsure;
};

BOOT_LIST(sums, struct sum);

/* Sort by sum, the greatest first. Equal sums stay in the order in which they were seen. */
static int by_time(const void *a, const void *b)
{
	const struct sum *x = a, *y = b;

	if (x->ns != y->ns)
		return x->ns < y->ns ? -1 : 1;
	return x->func > y->func ? -1 : x->func < y->func;
}

static int show_sums(struct kd_boot *b, struct kd_table *t, const struct kfi_top *top,
		     const char *part)
{
	for (u32 i = 0; i < top->n; i++) {
		const struct sum *s = (const struct sum *)top->at + i;
		struct boot_row r = boot_row(part, -1, (s64)s->ns);

		r.count = s->count;
		r.func = s->func;
		r.by = s->by;
		r.kind = s->kind;
		r.guess = s->unsure;

		if (boot_row_put(b, t, &r))
			return -ENOMEM;
	}
	return 0;
}

/* Print the functions that ran longest, in all tasks and interrupts except idle tasks. */
int boot_show_functions(struct kd_boot *b, struct kd_table *t)
{
	struct kfi_top top = { sizeof(struct sum), boot_rows(b, ROWS), by_time };
	int ret = 0;

	for (u32 i = 0; i < b->func.n && !ret; i++) {
		const struct boot_func *f = &b->func.at[i];
		struct sum s = { f->local < S64_MAX ? f->local : S64_MAX,
				 f->calls < U32_MAX ? (u32)f->calls : U32_MAX, i, KFI_NONE,
				 BOOT_KINDS, f->unsure };

		if (s.ns)
			ret = kfi_top_add(&top, &s);
	}
	kfi_top_sort(&top);
	boot_table(t, "tPcF", "Functions with the most time of their own, on any CPU, none idle");
	if (!ret)
		ret = show_sums(b, t, &top, "function");
	free(top.at);
	return ret;
}

/* Print what the path waited for: by function, and by what ended the wait. */
int boot_show_waits(struct kd_boot *b, struct kd_table *t)
{
	struct kfi_top top = { sizeof(struct sum), boot_rows(b, ROWS), by_time };
	struct kfi_map place = { 0 };
	struct sums sums = { 0 };
	int ret = 0;

	for (u32 i = 0; i < b->piece.n && !ret; i++) {
		const struct boot_piece *p = &b->piece.at[i];
		u32 call, func, *at;

		if (!boot_is_waiting(p->kind))
			continue;
		call = boot_waits_in(b, boot_around(b, p->call, p->to, 0));
		func = call == KFI_NONE ? KFI_NONE : b->call.at[call].func;
		at = kfi_map_get(&place, (u64)p->kind << 56 ^ (u64)func << 24 ^ p->by, sums.n);
		if (!at || (*at == sums.n && boot_grow(&sums))) {
			ret = -ENOMEM;
			break;
		}
		if (*at == sums.n)
			sums.at[sums.n++] = (struct sum){ 0, 0, func, p->by, p->kind, false };
		sums.at[*at].ns += p->to - p->from;
		sums.at[*at].count++;
	}
	for (u32 i = 0; i < sums.n && !ret; i++)
		ret = kfi_top_add(&top, &sums.at[i]);
	kfi_top_sort(&top);
	if (top.n) {
		boot_table(t, "tPckFB", "What the path waited for");
		ret = ret ? : show_sums(b, t, &top, "wait");
	}
	free(sums.at);
	free(top.at);
	kfi_map_free(&place);
	return ret;
}

/*
 * Without recording a call would have been shorter, so fewer interrupts would have come in it.
 * Return: the time that recording took, and what interrupts did in that time besides recording.
 */
static s64 with_interrupts(const struct kd_boot *b, const struct boot_call *c, s64 recording)
{
	const struct kfi_log_head *h = &b->kd->in.head;
	s64 ran = c->delta - c->off;
	double irq;

	if (recording <= 0 || c->off < 0 || c->irq < 0 || ran <= 0 || !h->noints_cost_ns ||
	    !h->has_start || !h->has_stop || h->stop_us <= h->start_us)
		return recording;
	irq = (double)c->irq -
	      boot_part(b, (double)h->noints * (double)h->noints_cost_ns, ran);
	return irq <= 0 ? recording : recording + (s64)(irq * (double)recording / (double)ran);
}

/* Print the longest initcalls, and all those that wait for another driver. */
int boot_show_initcalls(struct kd_boot *b, struct kd_table *t)
{
	static const char deferred[] = "-517";
	struct kd_initcalls *l = &b->initcalls;
	bool recording = boot_recording(b, 0, 0, 0) >= 0, begun = false;
	u64 n = boot_rows(b, ROWS);

	kd_initcalls_sort(l, true);
	for (u32 i = 0; i < l->n; i++) {
		const struct kd_initcall *x = &l->one[i];
		const char *result = x->result == KFI_NONE ? NULL : l->words.str[x->result].s;
		bool waits = result && !strcmp(result, deferred);
		struct boot_row r = boot_row("initcall", x->entry, x->delta);

		r.func = x->func;
		r.task = boot_task(b, x->pid, -1);
		if (x->call != KFI_NONE) {
			const struct boot_call *c = &b->call.at[x->call];

			r.off = c->off;
			r.recording = boot_recording(b, c->all_rows, c->all_dropped,
						     x->delta - (c->off < 0 ? 0 : c->off));
			r.recording = with_interrupts(b, c, r.recording);
		}
		if (r.recording >= 0) {
			r.recording = min_t(s64, r.recording + x->waits, x->delta);
			r.unsure = x->unsure;
		}
		r.level = x->level == KFI_NONE ? NULL : l->words.str[x->level].s;
		r.result = waits && t->out == KD_OUT_TEXT ? "EPROBE_DEFER" : result;

		if (r.task == KFI_NONE)
			return -ENOMEM;
		if (!kd_initcalls_has(l, x) || (!n && !waits))
			continue;
		if (!begun)
			boot_table(t, recording ? "etoPvRF" : "etPvRF",
				   "The longest initcalls, and those to be tried again");
		begun = true;
		n -= n > 0;
		if (boot_row_put(b, t, &r))
			return -ENOMEM;
	}
	return 0;
}
