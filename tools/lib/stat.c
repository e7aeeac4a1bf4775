// SPDX-License-Identifier: GPL-2.0
/* Computes moderated t tests of many functions at once: see stat.h. */
#include <math.h>
#include <stdlib.h>

#include "stat.h"

/* Least number of variances from which their spread is estimated. */
#define PRIOR_MIN	10

/* Least standard deviation of a logarithm: smaller ones are due to rounding. */
#define RESOLUTION	1e-4

/*
 * Derivatives of the logarithm of the gamma function, computed up to where the series is accurate.
 */
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

/* Invert trigamma() by bisection: it decreases. */
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

int kfi_stat_init(struct kfi_stat *s, u32 n)
{
	size_t logs = (size_t)s->side[0] + s->side[1];

	s->x = calloc((size_t)n * logs + 1, sizeof(*s->x));
	s->ratio = calloc((size_t)n + 1, sizeof(*s->ratio));
	s->error = calloc((size_t)n + 1, sizeof(*s->error));
	s->var = calloc((size_t)n + 1, sizeof(*s->var));
	return s->x && s->ratio && s->error && s->var ? 0 : -ENOMEM;
}

void kfi_stat_split(struct kfi_stat *s, const u32 *order)
{
	u32 logs = s->side[0] + s->side[1];
	double size = sqrt(1.0 / s->side[0] + 1.0 / s->side[1]);

	for (u32 i = 0; i < s->n; i++) {
		const double *x = s->x + (size_t)i * logs;
		double mean[2] = { 0, 0 }, sum = 0;

		for (u32 k = 0; k < logs; k++)
			mean[k >= s->side[0]] += x[order ? order[k] : k] / s->side[k >= s->side[0]];
		for (u32 k = 0; k < logs; k++) {
			double off = x[order ? order[k] : k] - mean[k >= s->side[0]];

			sum += off * off;
		}
		s->ratio[i] = mean[1] - mean[0];
		s->var[i] = fmax(sum / (logs - 2), RESOLUTION * RESOLUTION);
	}
	s->prior = kfi_stat_prior(s->var, s->tested, logs - 2);
	for (u32 i = 0; i < s->n; i++)
		s->error[i] = size * sqrt(kfi_stat_moderate(&s->prior, s->var[i], logs - 2));
}

/* Return a pseudo-random number below @n: the same sequence in each run. */
static u32 random_below(u64 *state, u32 n)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)((*state >> 32) * n >> 32);
}

/* Pick a random division of the logs that is not the real one, nor that with swapped sides. */
static void pick_division(const struct kfi_stat *s, u32 *order, u64 *state)
{
	u32 logs = s->side[0] + s->side[1], moved;

	do {
		moved = 0;
		for (u32 i = logs; i-- > 1;) {
			u32 k = random_below(state, i + 1), x = order[i];

			order[i] = order[k];
			order[k] = x;
		}
		for (u32 i = 0; i < s->side[0]; i++)
			moved += order[i] >= s->side[0];
	} while (!moved || (moved == s->side[0] && moved == s->side[1]));
}

double kfi_stat_divisions(u32 a, u32 b)
{
	double n = a == b ? 0.5 : 1;

	for (u32 i = 1; i <= a; i++)
		n *= (double)(b + i) / i;
	return n;
}

int kfi_stat_others(struct kfi_stat *s,
		    bool (*counts)(void *arg, u32 row, const u32 *order), void *arg, double *most)
{
	u32 logs = s->side[0] + s->side[1], n = s->n, *order = malloc(logs * sizeof(*order));
	u64 state = 1;

	if (!order)
		return -ENOMEM;
	*most = 0;
	s->n = s->tested;
	for (u32 i = 0; i < logs; i++)
		order[i] = i;
	for (u32 i = 0; i < KFI_STAT_DIVISIONS; i++) {
		pick_division(s, order, &state);
		kfi_stat_split(s, order);
		for (u32 k = 0; k < s->tested; k++) {
			double t = fabs(s->ratio[k] / s->error[k]);

			if (t > *most && counts(arg, k, order))
				*most = t;
		}
	}
	s->n = n;
	free(order);
	return 0;
}

void kfi_stat_free(struct kfi_stat *s)
{
	free(s->x);
	free(s->ratio);
	free(s->error);
	free(s->var);
}
