// SPDX-License-Identifier: GPL-2.0
/* From which builds on a series changes: see kd_ask.h. */
#include <math.h>
#include <stdlib.h>

#include "kd_ask.h"
#include "rank.h"

/* A change, and the whole of a list of them, is by chance in less than one of 20 cases. */
#define RATE		0.05

/* The clearest change of builds @from to @to of the series. Return: its probability. */
static double find_change(struct fleet *f, u32 from, u32 to, u32 *build, u32 *cut)
{
	u32 first = f->build[from].first;
	u32 n = f->build[to - 1].first + f->build[to - 1].boots - first;
	struct kfi_rank_change c;

	if (to - from < 2)
		return 1;
	for (u32 i = from + 1; i < to; i++)
		cut[i - from - 1] = f->build[i].first - first;
	c = kfi_rank_find_change(f->value + first, n, cut, to - from - 1, f->rank, f->order);
	*build = from + 1 + c.cut;
	return c.p;
}

/* Adds the changes of builds @from to @to, of which one is known. Return: 0 or -ENOMEM. */
static int add_changes(struct fleet *f, const char *kind, const char *name, u32 from, u32 to,
		       u32 *cuts)
{
	u32 build = 0, first = f->build[from].first, middle, end;
	double p = find_change(f, from, to, &build, cuts), before, after;
	struct fleet_row *r;

	if (p > RATE)
		return 0;
	middle = f->build[build].first;
	end = f->build[to - 1].first + f->build[to - 1].boots;
	if (add_changes(f, kind, name, from, build, cuts) ||
	    add_changes(f, kind, name, build, to, cuts))
		return -ENOMEM;
	before = ask_median(f, first, middle);
	after = ask_median(f, middle, end);
	if (!ask_is_large(f, before, after))
		return 0;
	r = ask_add_row(f, kind, name, fabs(after - before));
	if (!r)
		return -ENOMEM;
	r->v[0] = before;
	r->v[1] = after;
	r->v[2] = p;
	r->cut = build;
	return 0;
}

/* The probability of each series, then the rate of false ones. */
static double *chance;
static u32 nchances, chance_room, next_chance;
static u32 *cuts;

static int first_pass(struct fleet *f, const char *kind, const char *name, struct kfi_err *err)
{
	u32 build;

	if (kfi_grow((void **)&chance, &chance_room, nchances + 1, sizeof(*chance)))
		return ask_no_memory(err);
	chance[nchances++] = find_change(f, 0, f->builds.count, &build, cuts);
	return 0;
}

static int second_pass(struct fleet *f, const char *kind, const char *name, struct kfi_err *err)
{
	if (next_chance >= nchances || chance[next_chance++] > RATE)
		return 0;
	return add_changes(f, kind, name, 0, f->builds.count, cuts) ? ask_no_memory(err) : 0;
}

int ask_changes(struct fleet *f, struct kfi_err *err)
{
	struct kd_table t;
	u32 *order;
	int ret;

	nchances = next_chance = 0;
	cuts = calloc(f->builds.count, sizeof(*cuts));
	ret = cuts ? ask_every_series(f, first_pass, err) : ask_no_memory(err);
	order = calloc((size_t)nchances + 1, sizeof(*order));
	if (!ret && !order)
		ret = ask_no_memory(err);
	if (!ret) {
		kfi_rank_adjust(chance, nchances, order);
		ret = ask_every_series(f, second_pass, err);
	}
	free(order);
	free(cuts);
	free(chance);
	chance = NULL;
	chance_room = 0;
	if (ret)
		return ret;
	ask_sort_rows(f);
	ASK_BEGIN(&t, f, KIND, NAME, BUILD, BEFORE, AFTER, CHANGE, PERCENT, RATE_OF);
	for (u32 i = 0; i < f->list.n && i < ask_rows(f); i++) {
		const struct fleet_row *r = &f->list.at[i];

		kd_cell_text(&t, r->kind);
		kd_cell_text(&t, r->name);
		kd_cell_text(&t, f->builds.str[r->cut].s);
		ask_time_cell(&t, r->v[0]);
		ask_time_cell(&t, r->v[1]);
		ask_time_cell(&t, r->v[1] - r->v[0]);
		ask_percent_cell(&t, r->v[1] - r->v[0], r->v[0]);
		ask_number_cell(&t, "%.2g", r->v[2]);
		kd_row_end(&t);
	}
	kd_note("changes: %u, of %u series in %u builds and %u boots; of the series that change about 1 in 20 does by chance",
		f->list.n, nchances, f->builds.count, f->boots);
	return 0;
}
