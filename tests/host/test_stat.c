// SPDX-License-Identifier: GPL-2.0
/* Statistics of kd --diff: values of tables, priors of known variances, false discoveries. */
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "stat.h"

static bool near(double a, double b, double part)
{
	return fabs(a - b) <= part * fabs(b);
}

/* Two-sided quantiles as printed in every table. */
static void student(void)
{
	static const struct {
		double p, df, t;
	} t[] = {
		{ 0.05, 1, 12.706 }, { 0.05, 2, 4.303 }, { 0.05, 4, 2.776 }, { 0.01, 8, 3.355 },
		{ 0.01, 30, 2.750 }, { 0.001, 10, 4.587 }, { 0.05, 120, 1.980 },
		{ 0.05, INFINITY, 1.960 }, { 0.01, INFINITY, 2.576 }, { 0.00002, 8, 8.907 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		CHECK(near(kfi_stat_quantile(t[i].p, t[i].df), t[i].t, 0.002));
		CHECK(near(kfi_stat_t(-t[i].t, t[i].df), t[i].p, 0.02));
	}
	CHECK(kfi_stat_t(0, 5) == 1);
	CHECK(kfi_stat_t(1e9, 1) < 1e-8);
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

/* The example of the paper: 15 p values, of which four are discoveries at 0.05. */
static void discoveries(void)
{
	double p[] = { 0.0298, 0.0001, 0.3240, 0.0019, 0.0095, 0.0004, 0.0201, 0.0278, 0.0344,
		       0.0459, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000 };
	double none[] = { 0.02, 0.5 };

	CHECK(kfi_stat_limit(p, ARRAY_SIZE(p), 0.05) == 0.0095);
	CHECK(kfi_stat_limit(none, 2, 0.01) < 0);
	CHECK(kfi_stat_limit(NULL, 0, 0.01) < 0);
}

static const struct check_case cases[] = {
	{ "Student's t", student },
	{ "what the variances of others tell", prior },
	{ "false discoveries", discoveries },
};

CHECK_MAIN(cases)
