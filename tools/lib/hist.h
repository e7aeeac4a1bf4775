/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Percentiles of many numbers in little memory: buckets whose width grows with the number.
 *
 *	0 1 2 ... 31 | 32 33 ... 63 | 64 66 ... 126 | 128 132 ...	KFI_HIST_SUB in each octave
 *
 * A bucket has the greatest number that fell into it, and that number is the result: a number that
 * was put in, not less than the true percentile, and at most 1/KFI_HIST_SUB of it more. Memory goes
 * with the octaves in use. Called by kd.
 */
#ifndef KFI_HIST_H
#define KFI_HIST_H

#include "kfi_port_host.h"

#define KFI_HIST_SUB		32
#define KFI_HIST_OCTAVES	60

/**
 * struct kfi_hist_bucket - numbers that are nearly the same
 * @count: how many
 * @top: the greatest of them
 */
struct kfi_hist_bucket {
	u64 count;
	u64 top;
};

/**
 * struct kfi_hist - some numbers
 * @octave: KFI_HIST_SUB buckets each, NULL: none in use
 */
struct kfi_hist {
	struct kfi_hist_bucket *octave[KFI_HIST_OCTAVES];
};

/**
 * kfi_hist_add() - one number more
 * @h: zeroed before the first use
 * @v: the number
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_hist_add(struct kfi_hist *h, u64 v);

/**
 * kfi_hist_at() - the number that a percentage of all numbers does not exceed
 * @h: the numbers
 * @count: how many were put in
 * @percent: 1 to 100
 *
 * Return: the number; 0 when none was put in.
 */
u64 kfi_hist_at(const struct kfi_hist *h, u64 count, u32 percent);

/**
 * kfi_hist_free() - give back the memory
 * @h: empty afterwards
 */
void kfi_hist_free(struct kfi_hist *h);

#endif /* KFI_HIST_H */
