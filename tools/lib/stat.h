/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Statistics of kd --diff: is the difference of two small samples more than chance?
 *
 * Each function has a t test with few degrees of freedom. A moderated t test (G. K. Smyth, Linear
 * models and empirical Bayes methods, 2004) adds what the variances of all functions tell: as if
 * each function had been measured @df times more with variance @var. Many tests at once are
 * judged together: the false discovery rate is controlled by the procedure of Benjamini and
 * Hochberg (1995). Called by kd.
 */
#ifndef KFI_STAT_H
#define KFI_STAT_H

#include "kfi_port_host.h"

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
 * @n: how many; of few nothing can be told
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
 * kfi_stat_t() - two-sided p value of Student's t
 * @t: the statistic
 * @df: degrees of freedom, or INFINITY
 *
 * Return: how likely chance alone makes it as far from 0.
 */
double kfi_stat_t(double t, double df);

/**
 * kfi_stat_quantile() - the t that has a p value
 * @p: the two-sided p value
 * @df: degrees of freedom, or INFINITY
 *
 * Return: t.
 */
double kfi_stat_quantile(double p, double df);

/**
 * kfi_stat_limit() - the greatest p value that is a discovery
 * @p: p values; sorted
 * @n: how many
 * @rate: false discovery rate
 *
 * Return: the limit: smaller and equal ones are discoveries; below 0: none is.
 */
double kfi_stat_limit(double *p, u32 n, double rate);

#endif /* KFI_STAT_H */
