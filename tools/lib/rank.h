/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Robust statistics of many boots: a few unusual boots change them little, and they assume nothing
 * about the distribution of noise. Called by kd --fleet. stat.h has the statistics of kd --diff and
 * --gate.
 */
#ifndef KFI_RANK_H
#define KFI_RANK_H

#include "kfi_port_host.h"

/**
 * kfi_rank_sort() - sort numbers in ascending order
 * @x: the numbers
 * @n: number of values
 */
void kfi_rank_sort(double *x, u32 n);

/**
 * kfi_rank_median() - return the median
 * @x: numbers in ascending order
 * @n: number of values, not 0
 *
 * Return: the median.
 */
double kfi_rank_median(const double *x, u32 n);

/**
 * kfi_rank_at() - return a percentile
 * @x: numbers in ascending order
 * @n: number of values, not 0
 * @percent: the percentage, 1 to 100
 *
 * Return: the least of the numbers that this percentage of them does not exceed.
 */
double kfi_rank_at(const double *x, u32 n, u32 percent);

/**
 * kfi_rank_mad() - return the median absolute deviation from the median
 * @x: numbers in ascending order
 * @n: number of values, not 0
 * @room: room for @n numbers
 *
 * Return: the deviation, times 1.4826: for normal noise this is the standard deviation.
 */
double kfi_rank_mad(const double *x, u32 n, double *room);

/**
 * kfi_rank_test() - test whether two samples differ in location (Mann and Whitney 1947)
 * @a: numbers in ascending order
 * @na: number of values in @a
 * @b: numbers in ascending order
 * @nb: number of values in @b
 *
 * Exact for up to 20 numbers a side without ties; else the normal approximation with a correction
 * for ties.
 *
 * Return: the probability of such a difference or a greater one, in either direction, by chance.
 */
double kfi_rank_test(const double *a, u32 na, const double *b, u32 nb);

/**
 * kfi_rank_adjust() - compute the false discovery rate of many tests (Benjamini and Hochberg 1995)
 * @p: probabilities; each is replaced by the rate of false ones among all that are not greater
 * @n: number of values
 * @order: room for @n numbers
 */
void kfi_rank_adjust(double *p, u32 n, u32 *order);

/**
 * struct kfi_rank_board - the numbers of a board in a series
 * @end: end of its numbers in @order
 * @before: number of its numbers before the cut
 * @sum: sum of the ranks of these, each less the mean rank
 * @ties: sum of t^3 - t over groups of t equal numbers
 */
struct kfi_rank_board {
	u32 end;
	u32 before;
	double sum;
	double ties;
};

/**
 * struct kfi_rank_series - numbers in order of time, each of a board
 * @x: the numbers
 * @board: by number: its board
 * @n: number of values
 * @boards: number of boards
 * @rank: room for @n numbers: the rank among the numbers of the same board
 * @order: room for @n numbers: sorted by board, then by number
 * @of: room for @boards
 */
struct kfi_rank_series {
	const double *x;
	const u32 *board;
	u32 n;
	u32 boards;
	double *rank;
	u32 *order;
	struct kfi_rank_board *of;
};

/**
 * struct kfi_rank_change - where a series changes
 * @cut: number of the cut
 * @p: upper limit of the probability that chance makes a change as clear as this at any cut
 */
struct kfi_rank_change {
	u32 cut;
	double p;
};

/**
 * kfi_rank_find_change() - find the clearest change of a series
 * @s: the series; its room is filled
 * @cut: places where the series may change: before these numbers, in order
 * @ncuts: number of places
 *
 * At each cut the numbers before it are compared with those behind it, each with those of the same
 * board (van Elteren 1960): the sums of ranks of all boards are added, that of a board of n numbers
 * with the weight 1 / (n + 1). A board with numbers on one side only does not count. The normal
 * approximation is corrected for ties and continuity. The probability is that of the clearest cut
 * times the number of cuts that can be compared.
 *
 * Return: the change.
 */
struct kfi_rank_change kfi_rank_find_change(struct kfi_rank_series *s, const u32 *cut, u32 ncuts);

/**
 * struct kfi_rank_size - how large a change is
 * @before: median of the boards' medians before the cut
 * @change: median of the changes of the boards' medians
 * @boards: number of boards that count; 0: the other members are not set
 */
struct kfi_rank_size {
	double before;
	double change;
	u32 boards;
};

/**
 * kfi_rank_size_change() - compute how large the change at a cut is, within boards
 * @s: a series whose room kfi_rank_find_change() has filled; @rank and @of are overwritten
 * @cut: number behind the cut
 * @size: filled
 *
 * The weight of a board is its smaller number of values, before or behind the cut.
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_rank_size_change(struct kfi_rank_series *s, u32 cut, struct kfi_rank_size *size);

/**
 * struct kfi_rank_weighted - a number with a weight
 * @x: the number
 * @weight: the weight
 */
struct kfi_rank_weighted {
	double x;
	double weight;
};

/**
 * kfi_rank_weighted_median() - return the median of numbers with weights
 * @v: the numbers; they are sorted
 * @n: number of values, not 0
 *
 * Return: the number at which half of the weight is reached, or the mean of the two around it.
 */
double kfi_rank_weighted_median(struct kfi_rank_weighted *v, u32 n);

/**
 * struct kfi_rank_modes - a sample in two groups
 * @low: size of the lower group, 0: the sample has no two groups
 * @distance: distance of the means, in standard deviations within the groups (D of Ashman 1994)
 */
struct kfi_rank_modes {
	u32 low;
	double distance;
};

/* Least distance of two modes. Normal noise has 2.7, uniform noise has 3.5. */
#define KFI_RANK_DISTANCE	5.0

/* Least size of a sample. */
#define KFI_RANK_MODES_MIN	50

/**
 * kfi_rank_find_modes() - find out whether a sample has two modes
 * @x: numbers in ascending order
 * @n: number of values
 *
 * The sample is cut where the variance within the groups is least; each group must have a tenth of
 * it.
 *
 * Return: the groups; @low is 0 if their distance is less than KFI_RANK_DISTANCE.
 */
struct kfi_rank_modes kfi_rank_find_modes(const double *x, u32 n);

#endif /* KFI_RANK_H */
