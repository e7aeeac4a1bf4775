// SPDX-License-Identifier: GPL-2.0
/* Shows totals, phases and functions from build to build: see kd_ask.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "kd_ask.h"
#include "rank.h"

/*
 * Print the medians: for people a block of one to eight eighths for each, for programs the numbers.
 */
static int trend_cell(struct fleet *f, struct kd_table *t, const double *median)
{
	static const char *const blocks[] = {
		"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█",
	};
	double least = INFINITY, most = 0;
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return -ENOMEM;
	for (u32 i = 0; i < f->builds.count; i++) {
		least = fmin(least, median[i]);
		most = fmax(most, median[i]);
	}
	for (u32 i = 0; i < f->builds.count; i++) {
		double height = most > least ? (median[i] - least) / (most - least) : 0;

		if (t->out == KD_OUT_TEXT)
			fputs(blocks[(int)(height * 7.999)], out);
		else
			fprintf(out, "%s%lld", i ? " " : "", (long long)ask_whole(median[i]));
	}
	if (fclose(out)) {
		free(text);
		return -ENOMEM;
	}
	kd_cell_text(t, text);
	free(text);
	return 0;
}

/* Print one row for each build. */
int ask_trend(struct fleet *f, struct kfi_err *err)
{
	struct kd_table t;
	double most = 0;

	ASK_BEGIN(&t, f, BUILD, DATE, BOOTS, BOARDS, MEDIAN, MAD, P95, CHANGE, PERCENT, BAR);
	ask_take_totals(f);
	ask_find_medians(f);
	for (u32 i = 0; i < f->builds.count; i++)
		most = fmax(most, f->median[i]);
	for (u32 i = 0; i < f->builds.count && i < f->kd->opt.num; i++) {
		const struct fleet_build *b = &f->build[i];
		double *x = ask_sort_values(f, f->sorted, b->first, b->first + b->boots);
		char date[32], bar[32] = "";
		struct kfi_map boards = { 0 };
		time_t time = b->time;
		struct tm tm;

		for (u32 k = b->first; k < b->first + b->boots; k++)
			if (!kfi_map_get(&boards, f->boot[k].board, 0)) {
				kfi_map_free(&boards);
				return ask_no_memory(err);
			}
		strftime(date, sizeof(date), "%Y-%m-%d", gmtime_r(&time, &tm));
		memset(bar, '#', most > 0 ? (size_t)(f->median[i] * 30 / most) : 0);
		kd_cell_text(&t, f->builds.str[i].s);
		kd_cell_text(&t, date);
		kd_cell_count(&t, b->boots);
		kd_cell_count(&t, boards.count);
		ask_time_cell(&t, f->median[i]);
		ask_time_cell(&t, kfi_rank_mad(x, b->boots, f->more));
		ask_time_cell(&t, kfi_rank_at(x, b->boots, 95));
		if (i)
			ask_time_cell(&t, f->median[i] - f->median[i - 1]);
		else
			kd_cell_unknown(&t);
		ask_percent_cell(&t, i ? f->median[i] - f->median[i - 1] : 0,
				 i ? f->median[i - 1] : 0);
		kd_cell_text(&t, t.out == KD_OUT_TEXT ? bar : "");
		kd_row_end(&t);
		kfi_map_free(&boards);
	}
	return 0;
}

/* Keep the medians of a series. Functions are sorted by the last median, phases stay in order. */
static int keep_series(struct fleet *f, const char *kind, const char *name, struct kfi_err *err)
{
	struct fleet_row *r;

	ask_find_medians(f);
	r = ask_add_row(f, kind, name, f->median[f->builds.count - 1]);
	if (!r)
		return ask_no_memory(err);
	r->median = calloc(f->builds.count, sizeof(*r->median));
	if (!r->median)
		return ask_no_memory(err);
	memcpy(r->median, f->median, f->builds.count * sizeof(*r->median));
	return 0;
}

static int show_series(struct fleet *f, u64 rows, struct kfi_err *err)
{
	u32 last = f->builds.count - 1;
	struct kd_table t;

	ASK_BEGIN(&t, f, NAME, FIRST, LAST, CHANGE, PERCENT, TREND);
	for (u32 i = 0; i < f->list.n && i < rows; i++) {
		const double *median = f->list.at[i].median;

		kd_cell_text(&t, f->list.at[i].name);
		ask_time_cell(&t, median[0]);
		ask_time_cell(&t, median[last]);
		ask_time_cell(&t, median[last] - median[0]);
		ask_percent_cell(&t, median[last] - median[0], median[0]);
		if (trend_cell(f, &t, median))
			return ask_no_memory(err);
		kd_row_end(&t);
	}
	return 0;
}

int ask_phases(struct fleet *f, struct kfi_err *err)
{
	int ret = ask_each_series(f, "phase", "length_ns", keep_series, err);

	if (!ret) {
		ask_take_totals(f);
		ret = keep_series(f, "boot", "(the boot)", err);
	}
	return ret ? : show_series(f, f->kd->opt.num, err);
}

int ask_functions(struct fleet *f, struct kfi_err *err)
{
	int ret = ask_each_series(f, "function", ask_column(f), keep_series, err);

	ask_sort_rows(f);
	return ret ? : show_series(f, ask_rows(f), err);
}
