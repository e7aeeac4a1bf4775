/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Statistics of kd --diff: is the difference of two small samples more than chance?
 *
 * Each function has a t test with few degrees of freedom. A moderated t test (G. K. Smyth, Linear
 * models and empirical Bayes methods, 2004) adds what the variances of all functions tell: as if
 * each function had been measured @df times more with variance @var.
 *
 * Which t is more than chance a table of Student's t does not say: noise is not normal, and the
 * functions of a log are not independent of each other. A boot may be slow as a whole, and some
 * calls take several times as long. So the same logs are divided into two sides otherwise, many
 * times. If nothing differs each division is as good as another, whatever the noise; so the
 * greatest t of any function is that of the division in question once in that number of times
 * (P. H. Westfall and S. S. Young, Resampling-based multiple testing, 1993). Called by kd.
 */
#ifndef KFI_STAT_H
#define KFI_STAT_H

#include "kfi_port_host.h"

/* How many other divisions of the logs are looked at, chosen by chance. */
#define KFI_STAT_DIVISIONS	500

/* With fewer divisions even the greatest value of all proves nothing. */
#define KFI_STAT_DIVISIONS_MIN	100

/**
 * struct kfi_prior - what the variances of many functions tell of the variance of each
 * @df: degrees of freedom, 0: nothing, INFINITY: all have the same variance
 * @var: the variance
 */
struct kfi_prior {
	double df;
	double var;
};

/**
 * kfi_stat_prior() - estimate the prior of some variances
 * @var: the variances, none of them 0
 * @n: how many; few numbers allow no estimate
 * @df: degrees of freedom that each has
 *
 * Return: the prior.
 */
struct kfi_prior kfi_stat_prior(const double *var, u32 n, double df);

/**
 * kfi_stat_moderate() - a variance with what the others tell
 * @prior: the prior
 * @var: the variance
 * @df: its degrees of freedom
 *
 * Return: the moderated variance; it has @prior->df + @df degrees of freedom.
 */
double kfi_stat_moderate(const struct kfi_prior *prior, double var, double df);

/**
 * struct kfi_stat - the tests of many functions
 * @side: logs of each side
 * @x: by function, then log, the old ones first: logarithms of the measured times
 * @n: functions
 * @tested: how many of these, the first ones, are tested; the prior is theirs
 * @ratio: by function: difference of the means of the sides
 * @error: by function: its standard error, moderated
 * @var: by function: variance within the sides
 * @prior: what the variances tell
 */
struct kfi_stat {
	u32 side[2];
	double *x;
	u32 n;
	u32 tested;
	double *ratio;
	double *error;
	double *var;
	struct kfi_prior prior;
};

/**
 * kfi_stat_init() - make room
 * @s: zeroed, but for @side
 * @n: number of functions
 *
 * Return: 0 or -ENOMEM; kfi_stat_free() must follow in any case.
 */
int kfi_stat_init(struct kfi_stat *s, u32 n);

/**
 * kfi_stat_split() - compare the sides
 * @s: the tests; @ratio, @error, @var and @prior are set
 * @order: numbers of logs, those of the old side first; NULL: as they are
 */
void kfi_stat_split(struct kfi_stat *s, const u32 *order);

/**
 * kfi_stat_divisions() - how many ways there are to divide logs into two sides
 * @a: logs of one side
 * @b: logs of the other
 *
 * Return: how many; if the sides are of one size, which of them is old makes no difference.
 */
double kfi_stat_divisions(u32 a, u32 b);

/**
 * kfi_stat_others() - what t a comparison of equal logs may give
 * @s: the tests
 * @most: set to what t of a function must exceed: the greatest of any function in other divisions
 *	of the logs
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_stat_others(struct kfi_stat *s, double *most);

/**
 * kfi_stat_free() - free the memory
 * @s: the tests
 */
void kfi_stat_free(struct kfi_stat *s);

#endif /* KFI_STAT_H */
