// SPDX-License-Identifier: GPL-2.0
/* Finds boards that are slower or faster than the others: see kd_ask.h. */
#include <math.h>
#include <stdlib.h>

#include "kd_ask.h"
#include "rank.h"

/* A board beyond this number of deviations is an outlier (Iglewicz and Hoaglin 1993). */
#define OUTLIER		3.5
#define BOARDS_MIN	5

static int by_board(const void *a, const void *b)
{
	const struct fleet_row *x = a, *y = b;

	return x->cut < y->cut ? -1 : x->cut > y->cut ? 1 : x->key < y->key ? -1 : x->key > y->key;
}

/* Make a row for each board: the median of its boots, each less the median of its build. */
static int board_rows(struct fleet *f, struct kfi_err *err)
{
	u32 n = 0;

	ask_take_totals(f);
	ask_find_medians(f);
	for (u32 i = 0; i < f->boots; i++) {
		double over = f->boot[i].total - f->median[f->boot[i].build];
		struct fleet_row *r = ask_add_row(f, "boot", "", over);

		if (!r)
			return ask_no_memory(err);
		r->cut = f->boot[i].board;
	}
	qsort(f->list.at, f->list.n, sizeof(*f->list.at), by_board);
	for (u32 i = 0, end; i < f->list.n; i = end) {
		struct fleet_row *r = &f->list.at[i], board = *r;

		for (end = i; end < f->list.n && f->list.at[end].cut == r->cut; end++)
			f->sorted[end - i] = f->list.at[end].key;
		board.v[0] = end - i;
		board.key = kfi_rank_median(f->sorted, end - i);
		r = &f->list.at[n++];
		free(r->name);
		board.name = strdup(f->boards.str[board.cut].s);
		*r = board;
		if (!r->name)
			return ask_no_memory(err);
		for (u32 k = i + (n - 1 == i); k < end; k++) {
			free(f->list.at[k].name);
			f->list.at[k].name = NULL;
		}
	}
	f->list.n = n;
	return 0;
}

int ask_outliers(struct fleet *f, struct kfi_err *err)
{
	int ret = board_rows(f, err);
	double mad, middle, of;
	u64 found = 0;
	struct kd_table t;

	if (ret)
		return ret;
	of = ask_median(f, 0, f->boots);
	for (u32 i = 0; i < f->list.n; i++)
		f->sorted[i] = f->list.at[i].key;
	kfi_rank_sort(f->sorted, f->list.n);
	middle = kfi_rank_median(f->sorted, f->list.n);
	mad = kfi_rank_mad(f->sorted, f->list.n, f->more);
	for (u32 i = 0; i < f->list.n; i++) {
		f->list.at[i].v[1] = f->list.at[i].key - middle;
		f->list.at[i].key = fabs(f->list.at[i].v[1]);
	}
	ask_sort_rows(f);
	ASK_BEGIN(&t, f, BOARD, BOOTS, CHANGE, PERCENT, SCORE);
	for (u32 i = 0; i < f->list.n && f->list.n >= BOARDS_MIN; i++) {
		const struct fleet_row *r = &f->list.at[i];
		double score = mad > 0 ? r->v[1] / mad : r->v[1] ? INFINITY : 0;

		if (fabs(score) <= OUTLIER || !ask_is_large(f, of, of + r->v[1]))
			continue;
		if (found++ >= ask_rows(f))
			continue;
		kd_cell_text(&t, r->name);
		kd_cell_count(&t, (s64)r->v[0]);
		ask_time_cell(&t, r->v[1]);
		ask_percent_cell(&t, r->v[1], of);
		ask_number_cell(&t, "%.1f", score);
		kd_row_end(&t);
	}
	if (f->list.n < BOARDS_MIN)
		kd_note("%u boards are too few to find outliers: %u are needed", f->list.n,
			BOARDS_MIN);
	else
		kd_note("outliers: %llu of %u boards: more than %.1f deviations from the median of all boards, in the same builds",
			(unsigned long long)found, f->list.n, OUTLIER);
	return 0;
}
