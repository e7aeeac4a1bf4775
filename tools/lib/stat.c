// SPDX-License-Identifier: GPL-2.0
/* Moderated t tests and false discovery rates: see stat.h. */
#include <math.h>
#include <stdlib.h>

#include "stat.h"

/* With fewer variances their spread is not known. */
#define PRIOR_MIN	10

/* The logarithmic derivatives of the gamma function: up to where the series is good. */
static double trigamma(double x)
{
	double sum = 0, y;

	for (; x < 8; x++)
		sum += 1 / (x * x);
	y = 1 / (x * x);
	return sum + 1 / x + y / 2 + y / x * (1.0 / 6 - y * (1.0 / 30 - y * (1.0 / 42 - y / 30)));
}

static double digamma(double x)
{
	double sum = 0, y;

	for (; x < 8; x++)
		sum -= 1 / x;
	y = 1 / (x * x);
	y *= 1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y / 240));
	return sum + log(x) - 0.5 / x - y;
}

/* trigamma() falls: by halving. */
static double inverse_trigamma(double v)
{
	double low = 1e-8, high = 1e8;

	for (int i = 0; i < 200; i++) {
		double mid = sqrt(low * high);

		if (trigamma(mid) > v)
			low = mid;
		else
			high = mid;
	}
	return low;
}

struct kfi_prior kfi_stat_prior(const double *var, u32 n, double df)
{
	double mean = 0, spread = 0, offset = digamma(df / 2) - log(df / 2);
	struct kfi_prior prior = { 0, 0 };

	if (n < PRIOR_MIN)
		return prior;
	for (u32 i = 0; i < n; i++)
		mean += (log(var[i]) - offset) / n;
	for (u32 i = 0; i < n; i++) {
		double e = log(var[i]) - offset - mean;

		spread += e * e / (n - 1);
	}
	spread -= trigamma(df / 2);
	if (spread <= 0) {
		prior.df = INFINITY;
		prior.var = exp(mean);
		return prior;
	}
	prior.df = 2 * inverse_trigamma(spread);
	prior.var = exp(mean + digamma(prior.df / 2) - log(prior.df / 2));
	return prior;
}

double kfi_stat_moderate(const struct kfi_prior *prior, double var, double df)
{
	if (isinf(prior->df))
		return prior->var;
	return (prior->df * prior->var + df * var) / (prior->df + df);
}

/* Continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
	double c = 1, d = 1 - (a + b) * x / (a + 1), f;

	d = 1 / d;
	f = d;
	for (int m = 1; m < 500; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)), step;

		d = 1 / (1 + even * d);
		c = 1 + even / c;
		f *= c * d;
		d = 1 / (1 + odd * d);
		c = 1 + odd / c;
		step = c * d;
		f *= step;
		if (fabs(step - 1) < 1e-14)
			break;
	}
	return f;
}

/* The regularised incomplete beta function. */
static double beta(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x >= 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double kfi_stat_t(double t, double df)
{
	/* Student's t is nearly normal then. */
	if (df > 1e6)
		return erfc(fabs(t) / sqrt(2));
	return beta(df / 2, 0.5, df / (df + t * t));
}

double kfi_stat_quantile(double p, double df)
{
	double low = 0, high = 1;

	while (kfi_stat_t(high, df) > p && high < 1e9)
		high *= 2;
	for (int i = 0; i < 100; i++) {
		double mid = (low + high) / 2;

		if (kfi_stat_t(mid, df) > p)
			low = mid;
		else
			high = mid;
	}
	return high;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

double kfi_stat_limit(double *p, u32 n, double rate)
{
	if (n)
		qsort(p, n, sizeof(*p), by_value);
	for (u32 i = n; i-- > 0;)
		if (p[i] <= rate * (i + 1) / n)
			return p[i];
	return -1;
}
