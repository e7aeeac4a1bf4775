// SPDX-License-Identifier: GPL-2.0
/* Robust statistics: known values, and rates of false findings in simulated noise. */
#include <math.h>

#include "check.h"
#include "rank.h"

/* In thousandths: values to compare. */
#define MILLI(x)	llround((x) * 1000)

static double seed = 1;

static double uniform(void)
{
	seed = fmod(seed * 16807, 2147483647.0);
	return seed / 2147483647.0;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

static void test_places(void)
{
	double x[] = { 5, 1, 4, 2, 100 }, room[5];

	kfi_rank_sort(x, 5);
	CHECK_EQ(kfi_rank_median(x, 5), 4);
	CHECK_EQ(MILLI(kfi_rank_median(x, 4)), 3000);
	/* Deviations: 3 2 0 1 96. */
	CHECK_EQ(MILLI(kfi_rank_mad(x, 5, room)), 2965);
	CHECK_EQ(kfi_rank_at(x, 5, 1), 1);
	CHECK_EQ(kfi_rank_at(x, 5, 80), 5);
	CHECK_EQ(kfi_rank_at(x, 5, 81), 100);
	CHECK_EQ(kfi_rank_at(x, 5, 100), 100);
	CHECK_EQ(kfi_rank_median(x, 1), 1);
}

static void test_exact(void)
{
	double a[] = { 1, 2, 3 }, b[] = { 4, 5, 6 }, c[] = { 2.5, 5.5, 7 };
	double low[10], high[10];

	/* Of the 20 ways to choose 3 of 6 places two are as far off: all below, all above. */
	CHECK_EQ(MILLI(kfi_rank_test(a, 3, b, 3)), 100);
	CHECK_EQ(MILLI(kfi_rank_test(b, 3, a, 3)), 100);
	/* U is 1: sums 0 and 1 of 20, twice. */
	CHECK_EQ(MILLI(kfi_rank_test(a, 3, c, 3)), 200);
	CHECK_EQ(MILLI(kfi_rank_test(a, 0, b, 3)), 1000);
	for (int i = 0; i < 10; i++) {
		low[i] = i;
		high[i] = i + 5.5;
	}
	/* U = 10, by the recurrence f(m, n, U) = f(m - 1, n, U - n) + f(m, n - 1, U). */
	CHECK_EQ(llround(kfi_rank_test(low, 10, high, 10) * 1e7), 15047);
}

static void test_ties(void)
{
	double a[] = { 1, 1, 2, 2, 3 }, b[] = { 2, 3, 3, 4, 4 }, same[] = { 7, 7, 7 };

	/* U = 3, variance 25 / 12 * (11 - 60 / 90): by hand. */
	CHECK_EQ(MILLI(kfi_rank_test(a, 5, b, 5)), 52);
	CHECK_EQ(MILLI(kfi_rank_test(same, 3, same, 3)), 1000);
}

static void test_adjust(void)
{
	double p[] = { 0.005, 0.9, 0.01, 0.04 };
	u32 order[4];

	kfi_rank_adjust(p, 4, order);
	CHECK_EQ(MILLI(p[0]), 20);
	CHECK_EQ(MILLI(p[2]), 20);
	CHECK_EQ(MILLI(p[3]), 53);
	CHECK_EQ(MILLI(p[1]), 900);
	kfi_rank_adjust(p, 0, order);
}

#define CUTS	9
#define BOOTS	100

static double rank_room[BOOTS];
static u32 order_room[BOOTS];
static struct kfi_rank_board board_room[BOOTS];

static struct kfi_rank_change find(const double *x, const u32 *board, u32 n, const u32 *cut,
				   u32 ncuts)
{
	struct kfi_rank_series s = {
		x, board, n, BOOTS, rank_room, order_room, board_room,
	};

	return kfi_rank_find_change(&s, cut, ncuts);
}

/* Two boards; the ranks of each are its own. */
static void test_boards(void)
{
	const double x[] = { 1, 2, 100, 3, 4, 5, 101, 102, 103 };
	const u32 board[] = { 0, 0, 1, 0, 0, 0, 1, 1, 1 }, cut = 4, none = 0;
	const u32 other[] = { 0, 0, 0, 0, 1, 1, 1, 1, 1 };
	struct kfi_rank_series s = {
		x, board, 9, 2, rank_room, order_room, board_room,
	};
	struct kfi_rank_size size;

	/*
	 * Board 0: 1 2 3 and 4 5, sum -3, variance 3, weight 1/6. Board 1: 100 and 101 102 103, sum
	 * -1.5, variance 1.25, weight 1/5. In all -0.8 and 0.13333; 0.8 - 0.1 is 1.917 deviations.
	 */
	CHECK_EQ(llround(kfi_rank_find_change(&s, &cut, 1).p * 1e4), 552);
	CHECK_EQ(kfi_rank_size_change(&s, cut, &size), 0);
	CHECK_EQ(size.boards, 2);
	/* Weights are 2 and 1: board 0 counts. */
	CHECK_EQ(MILLI(size.before), 2000);
	CHECK_EQ(MILLI(size.change), 2500);
	/* No cut; and no board on both sides. */
	CHECK_EQ(MILLI(kfi_rank_find_change(&s, &cut, 0).p), 1000);
	CHECK_EQ(MILLI(kfi_rank_find_change(&s, &none, 1).p), 1000);
	s.board = other;
	CHECK_EQ(MILLI(kfi_rank_find_change(&s, &cut, 1).p), 1000);
	CHECK_EQ(kfi_rank_size_change(&s, cut, &size), 0);
	CHECK_EQ(size.boards, 0);
}

/* The probability of several cuts is 0 in a double. The change is at the third. */
static void test_many_boots(void)
{
	enum { BUILDS = 6, BOARDS = 4000, ALL = BUILDS * BOARDS };
	static double x[ALL], rank[ALL];
	static u32 board[ALL], order[ALL];
	static struct kfi_rank_board of[BOARDS];
	struct kfi_rank_series s = { x, board, ALL, BOARDS, rank, order, of };
	const u32 cut[] = { BOARDS, 2 * BOARDS, 3 * BOARDS, 4 * BOARDS, 5 * BOARDS };
	struct kfi_rank_change c;

	for (u32 i = 0; i < ALL; i++) {
		board[i] = i % BOARDS;
		x[i] = (i >= 3 * BOARDS ? 1000 : 0) + i * 7919 % 97;
	}
	c = kfi_rank_find_change(&s, cut, ARRAY_SIZE(cut));
	CHECK_EQ(c.cut, 2);
	CHECK_EQ(MILLI(c.p), 0);
}

static void test_weighted(void)
{
	struct kfi_rank_weighted v[] = { { 5, 1 }, { 1, 2 }, { 3, 1 } };

	CHECK_EQ(MILLI(kfi_rank_weighted_median(v, 3)), 2000);
	CHECK_EQ(MILLI(kfi_rank_weighted_median(v, 2)), 1000);
	CHECK_EQ(MILLI(kfi_rank_weighted_median(v + 1, 2)), 4000);
	CHECK_EQ(MILLI(kfi_rank_weighted_median(v + 1, 1)), 3000);
}

/* A change is found in the right place. */
static void test_change(void)
{
	static double x[BOOTS];
	static u32 board[BOOTS];
	u32 cut[CUTS], found = 0;

	for (u32 i = 0; i < CUTS; i++)
		cut[i] = (i + 1) * BOOTS / (CUTS + 1);
	for (u32 round = 0; round < 1000; round++) {
		struct kfi_rank_change c;

		/* What boards differ by hides the change, unless boards are known. */
		for (u32 i = 0; i < BOOTS; i++) {
			board[i] = (i * 7) % 10;
			x[i] = normal() + (i >= 60 ? 3 : 0) + board[i] * 10;
		}
		c = find(x, board, BOOTS, cut, CUTS);
		found += c.p <= 0.05 && c.cut == 5;
	}
	CHECK(found >= 950);
}

/*
 * Of noise alone one in 20 series has a change, at most: few boots and many, one board and a board
 * for each four boots, slow boards that boot later builds more often, noise with ties.
 */
static void test_noise(void)
{
	static const struct {
		u32 boots, cuts, boards;
		bool is_mixed, has_ties;
	} fleets[] = {
		{ 6, 1, 1, false, false }, { 10, 1, 1, false, false }, { 12, 3, 2, false, false },
		{ 12, 1, 6, false, false }, { 20, 1, 10, false, false }, { 20, 4, 4, true, false },
		{ BOOTS, 9, 1, false, false }, { BOOTS, 9, 10, true, false },
		{ BOOTS, 9, 10, true, true }, { BOOTS, 9, 25, true, false },
		{ BOOTS, 9, 50, false, false }, { BOOTS, 9, 50, true, true },
	};
	static double x[BOOTS];
	static u32 board[BOOTS];

	for (u32 k = 0; k < ARRAY_SIZE(fleets); k++) {
		u32 n = fleets[k].boots, alarms = 0, cut[CUTS];

		for (u32 i = 0; i < fleets[k].cuts; i++)
			cut[i] = (i + 1) * n / (fleets[k].cuts + 1);
		for (u32 turn = 0; turn < 4000; turn++) {
			for (u32 i = 0; i < n; i++) {
				double at = uniform();

				if (fleets[k].is_mixed && i >= n / 2)
					at = sqrt(at);
				board[i] = at * fleets[k].boards;
				x[i] = normal();
				x[i] = (fleets[k].has_ties ? round(x[i]) : x[i]) + board[i] * 10;
			}
			alarms += find(x, board, n, cut, fleets[k].cuts).p <= 0.05;
		}
		CHECK(alarms <= 200);
	}
}

static void test_modes(void)
{
	static double x[BOOTS];
	u32 alarms = 0, found = 0;
	struct kfi_rank_modes m;

	for (u32 round = 0; round < 3000; round++) {
		u32 n = round % 2 ? BOOTS : KFI_RANK_MODES_MIN;

		for (u32 i = 0; i < n; i++)
			x[i] = round % 3 == 0 ? normal() :
			       round % 3 == 1 ? uniform() : -log(uniform());
		kfi_rank_sort(x, n);
		alarms += kfi_rank_find_modes(x, n).low != 0;
		for (u32 i = 0; i < BOOTS; i++)
			x[i] = normal() + (i < 30 ? 8 : 0);
		kfi_rank_sort(x, BOOTS);
		m = kfi_rank_find_modes(x, BOOTS);
		found += m.low == 70;
	}
	CHECK(alarms <= 30);
	CHECK(found >= 2900);
	for (u32 i = 0; i < BOOTS; i++)
		x[i] = 5;
	CHECK_EQ(kfi_rank_find_modes(x, BOOTS).low, 0);
	for (u32 i = 50; i < BOOTS; i++)
		x[i] = 6;
	CHECK_EQ(kfi_rank_find_modes(x, BOOTS).low, 50);
	CHECK_EQ(kfi_rank_find_modes(x, KFI_RANK_MODES_MIN - 1).low, 0);
}

static const struct check_case cases[] = {
	{ "median, deviation, shares", test_places },
	{ "rank test: exact", test_exact },
	{ "rank test: ties", test_ties },
	{ "false discovery rate", test_adjust },
	{ "changes within boards, by hand", test_boards },
	{ "a change whose probability is 0 in a double", test_many_boots },
	{ "median with weights", test_weighted },
	{ "changes of a series", test_change },
	{ "changes of noise", test_noise },
	{ "two modes, and one", test_modes },
};

CHECK_MAIN(cases)
