// SPDX-License-Identifier: GPL-2.0
/* Percentiles from buckets: see hist.h. */
#include <stdlib.h>

#include "hist.h"

#define SUB_BITS	5

static_assert(1 << SUB_BITS == KFI_HIST_SUB);
static_assert(KFI_HIST_OCTAVES == 64 - SUB_BITS + 1);

int kfi_hist_add(struct kfi_hist *h, u64 v)
{
	u32 top_bit = v < KFI_HIST_SUB ? SUB_BITS : 63 - __builtin_clzll(v);
	u32 octave = v < KFI_HIST_SUB ? 0 : top_bit - SUB_BITS + 1;
	struct kfi_hist_bucket *b = h->octave[octave];

	if (unlikely(!b)) {
		b = calloc(KFI_HIST_SUB, sizeof(*b));
		if (!b)
			return -ENOMEM;
		h->octave[octave] = b;
	}
	b += v >> (top_bit - SUB_BITS) & (KFI_HIST_SUB - 1);
	b->count++;
	if (v > b->top)
		b->top = v;
	return 0;
}

u64 kfi_hist_at(const struct kfi_hist *h, u64 count, u32 percent)
{
	/* The rank, rounded up, computed without overflow. */
	u64 want = count / 100 * percent + (count % 100 * percent + 99) / 100, seen = 0;

	for (u32 i = 0; i < KFI_HIST_OCTAVES; i++) {
		for (u32 k = 0; h->octave[i] && k < KFI_HIST_SUB; k++) {
			seen += h->octave[i][k].count;
			if (seen && seen >= want)
				return h->octave[i][k].top;
		}
	}
	return 0;
}

void kfi_hist_free(struct kfi_hist *h)
{
	for (u32 i = 0; i < KFI_HIST_OCTAVES; i++)
		free(h->octave[i]);
	*h = (struct kfi_hist){ .octave = { NULL } };
}
