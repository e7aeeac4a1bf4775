/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Statistics of kd --diff: finds out whether the difference of two small samples is more than
 * chance.
 *
 * Each function has a t test with few degrees of freedom. A moderated t test (G. K. Smyth, Linear
 * models and empirical Bayes methods, 2004) adds what the variances of all functions tell: as if
 * each function had been measured @df times more with variance @var.
 *
 * A table of Student's t does not tell which t is more than chance: noise is not normal, and the
 * functions of a log depend on each other. A boot may be slow as a whole, and some calls take
 * several times as long. So the same logs are divided into two sides in many other ways. If nothing
 * differs, each division is as good as another, whatever the noise. Then the greatest t of any
 * function comes from the division in question once in that number of divisions (P. H. Westfall and
 * S. S. Young, Resampling-based multiple testing, 1993). Only changes that would be reported count:
 * a function that takes one of two times, which differ a little, can have any t. Called by kd.
 */
#ifndef KFI_STAT_H
#define KFI_STAT_H

#include "kfi_port_host.h"

/* Number of other divisions of the logs that are tried, chosen at random. */
#define KFI_STAT_DIVISIONS	500

/* With fewer divisions not even the greatest t of all is significant. */
#define KFI_STAT_DIVISIONS_MIN	100

/**
 * struct kfi_prior - what the variances of many functions tell of the variance of each
 * @df: degrees of freedom, 0: no information, INFINITY: all have the same variance
 * @var: the variance
 */
struct kfi_prior {
	double df;
	double var;
};

/**
 * kfi_stat_prior() - estimate the prior from some variances
 * @var: the variances, none of them 0
 * @n: number of variances; few of them allow no estimate
 * @df: degrees of freedom of each
 *
 * Return: the prior.
 */
struct kfi_prior kfi_stat_prior(const double *var, u32 n, double df);

/**
 * kfi_stat_moderate() - combine a variance with the prior
 * @prior: the prior
 * @var: the variance
 * @df: its degrees of freedom
 *
 * Return: the moderated variance; it has @prior->df + @df degrees of freedom.
 */
double kfi_stat_moderate(const struct kfi_prior *prior, double var, double df);

/**
 * struct kfi_stat - the tests of many functions
 * @side: number of logs of each side
 * @x: by function, then log, the old ones first: logarithms of the measured times
 * @n: number of functions
 * @tested: number of functions that are tested, which are the first ones; the prior is theirs
 * @ratio: by function: difference of the means of the sides
 * @error: by function: its standard error, moderated
 * @var: by function: variance within the sides
 * @prior: prior of the variances
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
 * kfi_stat_init() - allocate the arrays
 * @s: zeroed, but for @side
 * @n: number of functions
 *
 * Return: 0 or -ENOMEM; kfi_stat_free() must follow in any case.
 */
int kfi_stat_init(struct kfi_stat *s, u32 n);

/**
 * kfi_stat_split() - compare the sides
 * @s: the tests; @ratio, @error, @var and @prior are set
 * @order: numbers of the logs, those of the old side first; NULL: in their own order
 */
void kfi_stat_split(struct kfi_stat *s, const u32 *order);

/**
 * kfi_stat_divisions() - return in how many ways logs can be divided into two sides
 * @a: number of logs of one side
 * @b: number of logs of the other side
 *
 * Return: the number. With sides of one size, exchanging the sides makes no new division.
 */
double kfi_stat_divisions(u32 a, u32 b);

/**
 * kfi_stat_others() - find which t a comparison of equal logs may have
 * @s: the tests
 * @counts: called with the row of a function and a division, as in kfi_stat_split(). Return: true
 *	if the function's change between these sides is one that would be reported
 * @arg: argument for @counts
 * @most: set to the t that a function must exceed: the greatest of any change that counts in other
 *	divisions of the logs
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_stat_others(struct kfi_stat *s,
		    bool (*counts)(void *arg, u32 row, const u32 *order), void *arg, double *most);

/**
 * kfi_stat_free() - free the memory
 * @s: the tests
 */
void kfi_stat_free(struct kfi_stat *s);

#endif /* KFI_STAT_H */
