// SPDX-License-Identifier: GPL-2.0
/* Finds the builds at which a series changes on the same boards: see kd_ask.h and rank.h. */
#include <math.h>
#include <stdlib.h>

#include "kd_ask.h"
#include "rank.h"

/* At most this share of the listed changes are due to chance. */
#define RATE		0.05

/**
 * struct found - a change that counts if the change around it does
 * @series: number of the series
 * @around: row of the change that cut off this part, KFI_NONE: all builds were searched
 * @is_large: large enough to be listed
 */
struct found {
	u32 series;
	u32 around;
	bool is_large;
};

/**
 * struct search - state while changes are searched
 * @part: values of the boots of some builds
 * @board: by boot: its board
 * @cuts: room for one number for each build
 * @chance: by series: probability of its clearest change; later the rate of false changes
 * @n: number of series
 * @room: for how many there is room
 * @found: by row of the list
 * @found_room: for how many there is room
 */
static struct search {
	struct kfi_rank_series part;
	u32 *board;
	u32 *cuts;
	double *chance;
	u32 n;
	u32 room;
	struct found *found;
	u32 found_room;
} search;

/* Find the clearest change in builds @from to @to of the series. Return: its probability. */
static double find_change(struct fleet *f, u32 from, u32 to, u32 *build)
{
	u32 first = f->build[from].first;
	struct kfi_rank_change c;

	search.part.x = f->value + first;
	search.part.board = search.board + first;
	search.part.n = f->build[to - 1].first + f->build[to - 1].boots - first;
	for (u32 i = from + 1; i < to; i++)
		search.cuts[i - from - 1] = f->build[i].first - first;
	c = kfi_rank_find_change(&search.part, search.cuts, to - from - 1);
	*build = from + 1 + c.cut;
	return c.p;
}

/*
 * Add the changes in builds @from to @to. Which of them count is known when all series were
 * searched: here the limits are the highest that drop_chance() may set.
 */
static int add_changes(struct fleet *f, const char *kind, const char *name, u32 from, u32 to,
		       u32 around, struct kfi_err *err)
{
	u32 build = 0, at = f->list.n;
	double p = find_change(f, from, to, &build);
	struct kfi_rank_size size;
	struct fleet_row *r;
	int ret;

	if (around == KFI_NONE)
		search.chance[search.n++] = p;
	if (p > (around == KFI_NONE ? RATE : RATE / 2))
		return 0;
	r = ask_add_row(f, kind, name, 0);
	if (!r || kfi_grow((void **)&search.found, &search.found_room, at + 1,
			   sizeof(*search.found)) ||
	    kfi_rank_size_change(&search.part, f->build[build].first - f->build[from].first,
				 &size))
		return ask_no_memory(err);
	r->key = fabs(size.change);
	r->v[0] = size.before;
	r->v[1] = size.change;
	r->v[2] = p;
	r->v[3] = size.boards;
	r->cut = build;
	search.found[at] = (struct found){ search.n - 1, around,
		ask_is_large(f, size.before, size.before + size.change) };
	ret = add_changes(f, kind, name, from, build, at, err);
	return ret ? : add_changes(f, kind, name, build, to, at, err);
}

static int search_series(struct fleet *f, const char *kind, const char *name, struct kfi_err *err)
{
	if (kfi_grow((void **)&search.chance, &search.room, search.n + 1, sizeof(*search.chance)))
		return ask_no_memory(err);
	return add_changes(f, kind, name, 0, f->builds.count, KFI_NONE, err);
}

/*
 * Of @n series @changed have changed. Each change cuts a series in two parts that are searched,
 * too. Half of RATE * changed / n for each makes at most RATE * changed / n false ones for a change
 * that is found, beside RATE * (n - changed) / n of the first search: RATE of all.
 */
static int drop_chance(struct fleet *f, struct kfi_err *err)
{
	u32 *order = calloc((size_t)search.n + 1, sizeof(*order)), changed = 0, kept = 0;
	double limit;

	if (!order)
		return ask_no_memory(err);
	kfi_rank_adjust(search.chance, search.n, order);
	free(order);
	for (u32 i = 0; i < search.n; i++)
		changed += search.chance[i] <= RATE;
	limit = search.n ? RATE * changed / search.n / 2 : 0;
	for (u32 i = 0; i < f->list.n; i++) {
		struct found *x = &search.found[i];
		bool counts = search.chance[x->series] <= RATE;

		/* A change comes behind the one around it. */
		if (counts && x->around != KFI_NONE)
			counts = search.found[x->around].series != KFI_NONE &&
				 f->list.at[i].v[2] <= limit;
		if (!counts)
			x->series = KFI_NONE;
	}
	for (u32 i = 0; i < f->list.n; i++)
		if (search.found[i].series != KFI_NONE && search.found[i].is_large)
			f->list.at[kept++] = f->list.at[i];
		else
			free(f->list.at[i].name);
	f->list.n = kept;
	return 0;
}

/* The boots of one board. */
struct board_boots {
	u32 first;	/* build of its first boot */
	u32 last;
	u32 n;
};

/* Return true if a board has booted a build before @build, and @build or a later one. */
static bool is_comparable(const struct fleet *f, const struct board_boots *of, u32 build)
{
	for (u32 b = 0; b < f->boards.count; b++)
		if (of[b].first < build && of[b].last >= build)
			return true;
	return false;
}

/*
 * Print notes on boots and builds that cannot be compared, because no board has booted before and
 * after.
 */
static int note_boards(const struct fleet *f)
{
	struct board_boots *of = calloc(f->boards.count, sizeof(*of));
	u32 alone = 0, builds = 0, example = 0;

	if (!of)
		return -ENOMEM;
	for (u32 i = 0; i < f->boots; i++) {
		struct board_boots *x = &of[f->boot[i].board];

		x->first = x->n++ ? x->first : f->boot[i].build;
		x->last = f->boot[i].build;
	}
	for (u32 b = 0; b < f->boards.count; b++)
		alone += of[b].first == of[b].last ? of[b].n : 0;
	for (u32 i = 1; i < f->builds.count; i++)
		if (!is_comparable(f, of, i) && !builds++)
			example = i;
	free(of);
	if (alone && f->builds.count > 1)
		kd_note("boots of boards that booted one build only: %u of %u: they are compared with none",
			alone, f->boots);
	if (builds)
		kd_note("builds that cannot be compared: %u, such as %s: no board has booted both an earlier build and it or a later one",
			builds, f->builds.str[example].s);
	return 0;
}

static int find_changes(struct fleet *f, struct kfi_err *err)
{
	struct kfi_rank_series *s = &search.part;
	int ret = 0;

	search = (struct search){ .part = { .boards = f->boards.count, .rank = f->rank,
					    .order = f->order } };
	search.cuts = calloc(f->builds.count, sizeof(*search.cuts));
	search.board = calloc(f->boots, sizeof(*search.board));
	s->of = calloc(f->boards.count, sizeof(*s->of));
	if (!search.cuts || !search.board || !s->of)
		ret = ask_no_memory(err);
	for (u32 i = 0; !ret && i < f->boots; i++)
		search.board[i] = f->boot[i].board;
	ret = ret ? : ask_every_series(f, search_series, err);
	ret = ret ? : drop_chance(f, err);
	free(s->of);
	free(search.cuts);
	free(search.board);
	free(search.chance);
	free(search.found);
	return ret;
}

int ask_changes(struct fleet *f, struct kfi_err *err)
{
	int ret = find_changes(f, err);
	struct kd_table t;

	if (ret)
		return ret;
	ask_sort_rows(f);
	ASK_BEGIN(&t, f, KIND, NAME, BUILD, BEFORE, AFTER, CHANGE, PERCENT, RATE_OF, BOARDS);
	for (u32 i = 0; i < f->list.n && i < ask_rows(f); i++) {
		const struct fleet_row *r = &f->list.at[i];

		kd_cell_text(&t, r->kind);
		kd_cell_text(&t, r->name);
		kd_cell_text(&t, f->builds.str[r->cut].s);
		ask_time_cell(&t, r->v[0]);
		ask_time_cell(&t, r->v[0] + r->v[1]);
		ask_time_cell(&t, r->v[1]);
		ask_percent_cell(&t, r->v[1], r->v[0]);
		ask_number_cell(&t, "%.2g", r->v[2]);
		kd_cell_count(&t, (s64)r->v[3]);
		kd_row_end(&t);
	}
	kd_note("changes: %u, of %u series in %u builds and %u boots; of the series that change about 1 in 20 does by chance",
		f->list.n, search.n, f->builds.count, f->boots);
	return note_boards(f) ? ask_no_memory(err) : 0;
}
