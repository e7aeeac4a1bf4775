// SPDX-License-Identifier: GPL-2.0
/* Robust statistics: see rank.h. */
#include <math.h>
#include <stdlib.h>

#include "rank.h"

/* Largest number of values on a side of an exact test. */
#define EXACT	20

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

void kfi_rank_sort(double *x, u32 n)
{
	if (n)
		qsort(x, n, sizeof(*x), by_value);
}

double kfi_rank_median(const double *x, u32 n)
{
	return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

double kfi_rank_at(const double *x, u32 n, u32 percent)
{
	u64 at = ((u64)n * percent + 99) / 100;

	return x[at ? at - 1 : 0];
}

double kfi_rank_mad(const double *x, u32 n, double *room)
{
	double median = kfi_rank_median(x, n);

	for (u32 i = 0; i < n; i++)
		room[i] = fabs(x[i] - median);
	kfi_rank_sort(room, n);
	return 1.4826 * kfi_rank_median(room, n);
}

/*
 * Return the share of the ways to choose @na of @na + @nb places whose sum is at least as far off.
 */
static double exact_p_value(double u, u32 na, u32 nb)
{
	static double ways[EXACT + 1][EXACT * EXACT + 1];
	double all = 0, tail = 0, limit = u < (double)na * nb / 2 ? u : (double)na * nb - u;

	/*
	 * ways[k][s]: ways in which k of the places so far belong to @a, with s numbers of @b below
	 * them.
	 */
	for (u32 k = 0; k <= na; k++)
		for (u32 s = 0; s <= na * nb; s++)
			ways[k][s] = k == 0 && s == 0;
	for (u32 place = 0; place < na + nb; place++)
		for (u32 k = na < place + 1 ? na : place + 1; k > 0; k--) {
			u32 below = place + 1 - k;

			if (below > nb)
				break;
			for (u32 s = below; s <= na * nb; s++)
				ways[k][s] += ways[k - 1][s - below];
		}
	for (u32 s = 0; s <= na * nb; s++) {
		all += ways[na][s];
		if (s <= limit)
			tail += ways[na][s];
	}
	return 2 * tail < all ? 2 * tail / all : 1;
}

/* Return the probability of a sum of ranks, by the normal approximation. @ties: sum of t^3 - t */
static double approximate_p_value(double u, double na, double nb, double ties)
{
	double n = na + nb;
	double var = na * nb / 12 * (n + 1 - (n > 1 ? ties / (n * (n - 1)) : 0));
	double off = fabs(u - na * nb / 2) - 0.5;

	if (var <= 0 || off <= 0)
		return 1;
	return erfc(off / sqrt(var) / M_SQRT2);
}

double kfi_rank_test(const double *a, u32 na, const double *b, u32 nb)
{
	double ties = 0, u = 0;
	u32 i = 0, j = 0;

	if (!na || !nb)
		return 1;
	while (i < na || j < nb) {
		double v = j == nb || (i < na && a[i] <= b[j]) ? a[i] : b[j];
		double in_a = 0, in_b = 0, before = j;

		for (; i < na && a[i] == v; i++)
			in_a++;
		for (; j < nb && b[j] == v; j++)
			in_b++;
		u += in_a * (before + in_b / 2);
		ties += pow(in_a + in_b, 3) - (in_a + in_b);
	}
	if (!ties && na <= EXACT && nb <= EXACT)
		return exact_p_value(u, na, nb);
	return approximate_p_value(u, na, nb, ties);
}

/* qsort() passes no argument. */
static const double *sorting;

static int by_number(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	if (sorting[x] != sorting[y])
		return sorting[x] < sorting[y] ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void sort_order(const double *x, u32 n, u32 *order)
{
	for (u32 i = 0; i < n; i++)
		order[i] = i;
	sorting = x;
	if (n)
		qsort(order, n, sizeof(*order), by_number);
}

void kfi_rank_adjust(double *p, u32 n, u32 *order)
{
	double least = 1;

	sort_order(p, n, order);
	for (u32 i = n; i-- > 0;) {
		double q = p[order[i]] * n / (i + 1);

		least = q < least ? q : least;
		p[order[i]] = least;
	}
}

/* Sort the numbers by board, then by size. @end of a board is the begin of the next one. */
static void sort_boards(struct kfi_rank_series *s)
{
	u32 at = 0;

	for (u32 i = 0; i < s->boards; i++)
		s->of[i] = (struct kfi_rank_board){ 0 };
	for (u32 i = 0; i < s->n; i++)
		s->of[s->board[i]].end++;
	for (u32 i = 0; i < s->boards; i++) {
		u32 n = s->of[i].end;

		s->of[i].end = at;
		at += n;
	}
	for (u32 i = 0; i < s->n; i++)
		s->order[s->of[s->board[i]].end++] = i;
	sorting = s->x;
	at = 0;
	for (u32 i = 0; i < s->boards; i++) {
		if (s->of[i].end - at > 1)
			qsort(s->order + at, s->of[i].end - at, sizeof(*s->order), by_number);
		at = s->of[i].end;
	}
}

/* Compute the ranks within each board, less their mean. */
static void rank_boards(struct kfi_rank_series *s)
{
	u32 at = 0;

	for (u32 b = 0; b < s->boards; b++) {
		const u32 *order = s->order + at;
		u32 n = s->of[b].end - at;

		at = s->of[b].end;
		for (u32 i = 0, end; i < n; i = end) {
			for (end = i; end < n && s->x[order[end]] == s->x[order[i]]; end++)
				;
			for (u32 k = i; k < end; k++)
				s->rank[order[k]] = (i + end - (double)n) / 2;
			s->of[b].ties += pow(end - i, 3) - (end - i);
		}
	}
}

/* Return how many standard deviations the cut of @before is off; -1: no board can be compared. */
static double compare_boards(const struct kfi_rank_series *s)
{
	double all = 0, variance = 0, step = 0;

	for (u32 b = 0; b < s->boards; b++) {
		const struct kfi_rank_board *of = &s->of[b];
		double n = of->end - (b ? s->of[b - 1].end : 0), na = of->before, weight, var;

		if (!na || na == n)
			continue;
		weight = 1 / (n + 1);
		var = na * (n - na) / 12 * (n + 1 - of->ties / (n * (n - 1)));
		if (var <= 0)
			continue;
		all += weight * of->sum;
		variance += weight * weight * var;
		step = fmax(step, weight);
	}
	if (variance <= 0)
		return -1;
	all = fabs(all) - step / 2;
	return all > 0 ? all / sqrt(variance) : 0;
}

struct kfi_rank_change kfi_rank_find_change(struct kfi_rank_series *s, const u32 *cut, u32 ncuts)
{
	struct kfi_rank_change best = { 0, 1 };
	u32 at = 0, compared = 0;
	double clearest = 0;

	sort_boards(s);
	rank_boards(s);
	for (u32 i = 0; i < ncuts; i++) {
		double off;

		for (; at < cut[i]; at++) {
			s->of[s->board[at]].before++;
			s->of[s->board[at]].sum += s->rank[at];
		}
		off = compare_boards(s);
		if (off < 0)
			continue;
		compared++;
		/* The probability of several cuts may be too small for a double. */
		if (off > clearest) {
			clearest = off;
			best.cut = i;
		}
	}
	if (compared)
		best.p = fmin(1, erfc(clearest / M_SQRT2) * compared);
	return best;
}

static int by_weighted(const void *a, const void *b)
{
	const struct kfi_rank_weighted *v = a, *w = b;

	return v->x < w->x ? -1 : v->x > w->x;
}

double kfi_rank_weighted_median(struct kfi_rank_weighted *v, u32 n)
{
	double all = 0, sum = 0;
	u32 i;

	qsort(v, n, sizeof(*v), by_weighted);
	for (i = 0; i < n; i++)
		all += v[i].weight;
	for (i = 0; i + 1 < n; i++) {
		sum += v[i].weight;
		if (2 * sum >= all)
			break;
	}
	return 2 * sum == all && i + 1 < n ? (v[i].x + v[i + 1].x) / 2 : v[i].x;
}

int kfi_rank_size_change(struct kfi_rank_series *s, u32 cut, struct kfi_rank_size *size)
{
	struct kfi_rank_weighted *before = calloc(s->boards, 2 * sizeof(*before));
	struct kfi_rank_weighted *change;
	u32 at = 0;

	if (!before)
		return -ENOMEM;
	change = before + s->boards;
	*size = (struct kfi_rank_size){ 0 };
	for (u32 b = 0; b < s->boards; b++) {
		u32 n = s->of[b].end - at, na = 0, nb = 0;
		double *x = s->rank + at;

		/* First the numbers before the cut, then those behind it, each in order. */
		for (u32 i = 0; i < n; i++)
			if (s->order[at + i] < cut)
				x[na++] = s->x[s->order[at + i]];
		for (u32 i = 0; i < n; i++)
			if (s->order[at + i] >= cut)
				x[na + nb++] = s->x[s->order[at + i]];
		at = s->of[b].end;
		if (!na || !nb)
			continue;
		before[size->boards].x = kfi_rank_median(x, na);
		change[size->boards].x = kfi_rank_median(x + na, nb) - before[size->boards].x;
		before[size->boards].weight = change[size->boards].weight = na < nb ? na : nb;
		size->boards++;
	}
	if (size->boards) {
		size->before = kfi_rank_weighted_median(before, size->boards);
		size->change = kfi_rank_weighted_median(change, size->boards);
	}
	free(before);
	return 0;
}

struct kfi_rank_modes kfi_rank_find_modes(const double *x, u32 n)
{
	struct kfi_rank_modes best = { 0, 0 };
	double all = 0, squares = 0, low = 0, low_squares = 0, least = INFINITY;
	u32 tenth = n / 10;

	if (n < KFI_RANK_MODES_MIN)
		return best;
	/* Subtract the median, so that squares of large numbers do not hide the differences. */
	for (u32 i = 0; i < n; i++) {
		double v = x[i] - x[n / 2];

		all += v;
		squares += v * v;
	}
	for (u32 i = 0; i + 1 < n; i++) {
		double v = x[i] - x[n / 2], a = i + 1, b = n - a, within, low_var, high_var, apart;

		low += v;
		low_squares += v * v;
		low_var = (low_squares - low * low / a) / a;
		high_var = (squares - low_squares - (all - low) * (all - low) / b) / b;
		low_var = low_var > 0 ? low_var : 0;
		high_var = high_var > 0 ? high_var : 0;
		within = low_var * a + high_var * b;
		if (within >= least || x[i] == x[i + 1])
			continue;
		least = within;
		apart = (all - low) / b - low / a;
		best.low = a < tenth || b < tenth ? 0 : i + 1;
		best.distance = low_var + high_var > 0 ? apart / sqrt((low_var + high_var) / 2) :
				INFINITY;
	}
	if (best.distance < KFI_RANK_DISTANCE)
		best.low = 0;
	return best;
}
