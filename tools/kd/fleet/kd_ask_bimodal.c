// SPDX-License-Identifier: GPL-2.0
/* Finds series with two modes: see kd_ask.h. */
#include "kd_ask.h"
#include "rank.h"

/*
 * Shift the values of each build so that all builds have the same median. Otherwise a change
 * between two builds would look like two modes.
 */
static int find_modes(struct fleet *f, const char *kind, const char *name, struct kfi_err *err)
{
	double of = ask_median(f, 0, f->boots), low, high;
	struct kfi_rank_modes m;
	struct fleet_row *r;
	u32 n = f->boots;

	ask_find_medians(f);
	for (u32 i = 0; i < n; i++)
		f->sorted[i] = f->value[i] - f->median[f->boot[i].build] + of;
	kfi_rank_sort(f->sorted, n);
	m = kfi_rank_find_modes(f->sorted, n);
	if (!m.low)
		return 0;
	low = kfi_rank_median(f->sorted, m.low);
	high = kfi_rank_median(f->sorted + m.low, n - m.low);
	if (!ask_is_large(f, low > 0 ? low : 0, high))
		return 0;
	r = ask_add_row(f, kind, name, high - low);
	if (!r)
		return ask_no_memory(err);
	r->v[0] = low;
	r->v[1] = high;
	r->v[2] = n - m.low;
	r->v[3] = m.distance;
	return 0;
}

int ask_bimodal(struct fleet *f, struct kfi_err *err)
{
	int ret = ask_every_series(f, find_modes, err);
	struct kd_table t;

	if (ret)
		return ret;
	ask_sort_rows(f);
	ASK_BEGIN(&t, f, KIND, NAME, LOW, HIGH, SHARE, DISTANCE);
	for (u32 i = 0; i < f->list.n && i < ask_rows(f); i++) {
		const struct fleet_row *r = &f->list.at[i];

		kd_cell_text(&t, r->kind);
		kd_cell_text(&t, r->name);
		ask_time_cell(&t, r->v[0]);
		ask_time_cell(&t, r->v[1]);
		ask_percent_cell(&t, r->v[2], f->boots);
		ask_number_cell(&t, "%.1f", r->v[3]);
		kd_row_end(&t);
	}
	if (f->boots < KFI_RANK_MODES_MIN)
		kd_note("%u boots are too few to find two modes: %u are needed", f->boots,
			KFI_RANK_MODES_MIN);
	return 0;
}
