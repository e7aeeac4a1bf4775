// SPDX-License-Identifier: GPL-2.0
/* Statistics of kd --diff: known variances, equal logs, logs that differ. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "stat.h"

static bool near(double a, double b, double part)
{
	return fabs(a - b) <= part * fabs(b);
}

static double uniform(void)
{
	static u64 seed = 88172645463325252ull;

	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

/* Of @df + 1 numbers with this standard deviation. */
static double variance(u32 df, double deviation)
{
	double sum = 0;

	for (u32 i = 0; i < df; i++) {
		double x = deviation * normal();

		sum += x * x / df;
	}
	return sum;
}

/* All have the same variance, or each its own: the prior tells. */
static void prior(void)
{
	struct kfi_prior same, other;
	double var[2000];

	for (u32 i = 0; i < 2000; i++)
		var[i] = variance(8, 0.02);
	same = kfi_stat_prior(var, 2000, 8);
	CHECK(same.df > 100);
	CHECK(near(same.var, 0.0004, 0.05));
	CHECK(near(kfi_stat_moderate(&same, 0.1, 8), 0.0004, 7));

	/* Variances that themselves vary as an inverse chi-square of 4 degrees of freedom does. */
	for (u32 i = 0; i < 2000; i++)
		var[i] = variance(8, 0.02) / variance(4, 1);
	other = kfi_stat_prior(var, 2000, 8);
	CHECK(near(other.df, 4, 0.25));
	CHECK(near(other.var, 0.0004, 0.15));
	CHECK(near(kfi_stat_moderate(&other, 0.1, 8), (other.df * other.var + 0.8) / (other.df + 8),
		   1e-9));

	CHECK(kfi_stat_prior(var, 9, 8).df == 0);
	CHECK(kfi_stat_moderate(&(struct kfi_prior){ 0, 0 }, 0.1, 8) == 0.1);
}

#define LOGS	10
#define FUNCS	30

/* Noise of a function that is heavy-tailed: Student's t of 2 degrees of freedom. */
static double heavy(void)
{
	return normal() / sqrt(-log(uniform()));
}

static bool any_change(void *arg, u32 row, const u32 *order)
{
	return true;
}

/*
 * Logs of two equal sides; one of five is slow as a whole. The first function takes @more in the
 * new ones. Return: whether the t of one is greater than other divisions allow.
 */
static bool differs(double more, double slow, u32 *func)
{
	struct kfi_stat s = { .side = { LOGS / 2, LOGS / 2 } };
	double most;
	bool any = false;

	CHECK_EQ(kfi_stat_init(&s, FUNCS), 0);
	for (u32 log = 0; log < LOGS; log++) {
		double whole = uniform() < 0.2 ? slow : 0;

		for (u32 i = 0; i < FUNCS; i++)
			s.x[i * LOGS + log] = whole + 0.02 * heavy() +
					      (i == 0 && log >= LOGS / 2 ? more : 0);
	}
	s.n = s.tested = FUNCS;
	CHECK_EQ(kfi_stat_others(&s, any_change, NULL, &most), 0);
	kfi_stat_split(&s, NULL);
	for (u32 i = FUNCS; i-- > 0;)
		if (fabs(s.ratio[i] / s.error[i]) > most) {
			any = true;
			*func = i;
		}
	kfi_stat_free(&s);
	return any;
}

/* If nothing differs the division into old and new is as good as any: 1 in 126 is the greatest. */
static void divisions(void)
{
	u32 wrong = 0, found = 0, func = FUNCS;

	for (u32 i = 0; i < 200; i++) {
		wrong += differs(0, 0.3, &func);
		found += differs(0.5, 0, &func) && func == 0;
	}
	CHECK(wrong <= 6);
	CHECK(found >= 180);
}

/* A function whose six values are known, three of them old. */
static void known_divisions(void)
{
	struct kfi_stat s = { .side = { 3, 3 } };
	static const double x[] = { 1, 2, 3, 4, 5, 6 };
	double most;

	CHECK_EQ(kfi_stat_init(&s, 1), 0);
	memcpy(s.x, x, sizeof(x));
	s.n = s.tested = 1;
	CHECK_EQ(kfi_stat_others(&s, any_change, NULL, &most), 0);
	/* 1 2 4 : 3 5 6 gives the root of 3.5. */
	CHECK(near(most, sqrt(3.5), 1e-9));
	kfi_stat_split(&s, NULL);
	CHECK(near(s.ratio[0], 3, 1e-9) && near(s.error[0], sqrt(2.0 / 3), 1e-9));
	kfi_stat_free(&s);
	CHECK(near(kfi_stat_divisions(3, 3), 10, 1e-9));
	CHECK(near(kfi_stat_divisions(5, 5), 126, 1e-9));
	CHECK(near(kfi_stat_divisions(4, 5), 126, 1e-9));
	CHECK(near(kfi_stat_divisions(1, 7), 8, 1e-9));
}

static bool first_does_not_count(void *arg, u32 row, const u32 *order)
{
	u32 *calls = arg;

	++*calls;
	return row > 0;
}

/* The first of two functions has the greatest t, but no change that counts. */
static void changes_that_count(void)
{
	struct kfi_stat s = { .side = { 3, 3 } };
	static const double x[] = { 1, 5, 1, 5, 1, 5, 1, 2, 3, 4, 5, 6 };
	double all, most;
	u32 calls = 0;

	CHECK_EQ(kfi_stat_init(&s, 2), 0);
	memcpy(s.x, x, sizeof(x));
	s.n = s.tested = 2;
	CHECK_EQ(kfi_stat_others(&s, any_change, NULL, &all), 0);
	CHECK(all > 1000);
	CHECK_EQ(kfi_stat_others(&s, first_does_not_count, &calls, &most), 0);
	CHECK(near(most, sqrt(3.5), 1e-9));
	CHECK(calls);
	kfi_stat_free(&s);
}

static const struct check_case cases[] = {
	{ "what the variances of others tell", prior },
	{ "other divisions of the logs", divisions },
	{ "divisions of known values", known_divisions },
	{ "changes that count", changes_that_count },
};

CHECK_MAIN(cases)
