// SPDX-License-Identifier: GPL-2.0
/*
 * The cold half of the short way: which runs it is for, and what is rare on it. See kfi_fast.h.
 */
#include "kfi_fast.h"

bool kfi_fast_can(const struct kfi_run *run)
{
	const struct kfi_filter *f = &run->filter;

	return run->gate && kfi_now_is_bare() && !run->repeat && !run->next && !run->prev &&
	       run->stop_after == U64_MAX && !run->watch && !run->profile && !run->ring.wrap &&
	       !run->under && !f->rare && f->max == U64_MAX && (f->ctx_mask >> KFI_CTX_TASK & 1) &&
	       !(run->stop_entry && run->stop_exit);
}

void kfi_fast_open(struct kfi_fast *fast, const struct kfi_run *run)
{
	fast->trigger = run->stop_entry | run->stop_exit;
	fast->room = (long)run->ring.room - KFI_REC_WORDS;
	fast->text = (unsigned long)run->ring.text;
	kfi_fast_set_min(fast, run->filter.min);
	/*
	 * Frames are plain only on stacks that were begun by who has seen the run triggered, and so
	 * all of this.
	 */
	WRITE_ONCE(fast->id, run->fast ?: KFI_FAST_NONE);
}
