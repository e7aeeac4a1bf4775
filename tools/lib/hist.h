/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Percentiles of many numbers in little memory, by buckets whose width grows with the number:
 *
 *	0 1 2 ... 31 | 32 33 ... 63 | 64 66 ... 126 | 128 132 ...	KFI_HIST_SUB in each octave
 *
 * The result is the greatest number that fell into a bucket. So it is a number that was added, not
 * less than the true percentile, and at most 1/KFI_HIST_SUB of it more. Memory use grows with the
 * octaves in use. Called by kd.
 */
#ifndef KFI_HIST_H
#define KFI_HIST_H

#include "kfi_port_host.h"

#define KFI_HIST_SUB		32
#define KFI_HIST_OCTAVES	60

/**
 * struct kfi_hist_bucket - numbers that are nearly equal
 * @count: how many numbers
 * @top: the greatest number
 */
struct kfi_hist_bucket {
	u64 count;
	u64 top;
};

/**
 * struct kfi_hist - a histogram
 * @octave: KFI_HIST_SUB buckets each, NULL: no bucket is in use
 */
struct kfi_hist {
	struct kfi_hist_bucket *octave[KFI_HIST_OCTAVES];
};

/**
 * kfi_hist_add() - add a number
 * @h: zeroed before the first use
 * @v: the number
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_hist_add(struct kfi_hist *h, u64 v);

/**
 * kfi_hist_at() - find the number that a percentage of all numbers does not exceed
 * @h: the numbers
 * @count: how many numbers were added
 * @percent: 1 to 100
 *
 * Return: the number; 0: none was added.
 */
u64 kfi_hist_at(const struct kfi_hist *h, u64 count, u32 percent);

/**
 * kfi_hist_free() - free the memory
 * @h: empty afterwards
 */
void kfi_hist_free(struct kfi_hist *h);

#endif /* KFI_HIST_H */
