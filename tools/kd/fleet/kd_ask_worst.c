// SPDX-License-Identifier: GPL-2.0
/* Shows what takes longer in the slow boots than in the others: see kd_ask.h. */
#include "kd_ask.h"
#include "rank.h"

/* A boot whose total is this or longer counts as slow. */
static double slow_from;

/* Compare how long a function is on the critical path of the slow boots and of the others. */
static int compare_slow(struct fleet *f, const char *kind, const char *name, struct kfi_err *err)
{
	double sum[2] = { 0, 0 };
	u32 n[2] = { 0, 0 };
	struct fleet_row *r;

	for (u32 i = 0; i < f->boots; i++) {
		bool slow = f->boot[i].total >= slow_from;

		sum[slow] += f->value[i];
		n[slow]++;
	}
	for (u32 i = 0; i < 2; i++)
		sum[i] = n[i] ? sum[i] / n[i] : 0;
	r = ask_add_row(f, kind, name, sum[1] - sum[0]);
	if (!r)
		return ask_no_memory(err);
	r->v[0] = sum[0];
	r->v[1] = sum[1];
	return 0;
}

int ask_worst(struct fleet *f, struct kfi_err *err)
{
	double all = 0;
	struct kd_table t;
	u32 slow = 0;
	int ret;

	ask_take_totals(f);
	slow_from = kfi_rank_at(ask_sort_values(f, f->sorted, 0, f->boots), f->boots, 95);
	for (u32 i = 0; i < f->boots; i++)
		slow += f->boot[i].total >= slow_from;
	ret = ask_each_series(f, "path", "length_ns", compare_slow, err);
	if (ret)
		return ret;
	ask_sort_rows(f);
	for (u32 i = 0; i < f->list.n; i++)
		all += f->list.at[i].key;
	ASK_BEGIN(&t, f, NAME, USUAL, SLOW, MORE, PART);
	for (u32 i = 0; i < f->list.n && i < ask_rows(f); i++) {
		const struct fleet_row *r = &f->list.at[i];

		kd_cell_text(&t, r->name);
		ask_time_cell(&t, r->v[0]);
		ask_time_cell(&t, r->v[1]);
		ask_time_cell(&t, r->key);
		ask_percent_cell(&t, r->key, all);
		kd_row_end(&t);
	}
	kd_note("slow: %u of %u boots, which took the p95 or longer: %.0f us; their critical path is %.0f us longer on average",
		slow, f->boots, slow_from / 1000, all / 1000);
	return 0;
}
