// SPDX-License-Identifier: GPL-2.0
/*
 * The cold half of the short way: which runs it is for, and what is rare on it. See hooks/fast.h.
 */
#include "hooks/fast.h"

static bool is_noints(const struct kfi_filter *f)
{
	return f->ctx_mask == 1u << KFI_CTX_TASK;
}

/* All contexts, or tasks only. */
static bool can_context(const struct kfi_filter *f)
{
	const u32 all = (1u << KFI_CTX_COUNT) - 1;

	return (f->ctx_mask & all) == all || is_noints(f);
}

bool kfi_fast_can(const struct kfi_run *run)
{
	const struct kfi_filter *f = &run->filter;

	return run->gate && kfi_now_is_bare() && !run->repeat && !run->next && !run->prev &&
	       run->stop_after == U64_MAX && !run->watch && !run->profile && !run->ring.wrap &&
	       !run->under && !f->rare && f->max == U64_MAX && can_context(f) &&
	       !(run->stop_entry && run->stop_exit);
}

void kfi_fast_open(struct kfi_fast *fast, struct kfi_run *run)
{
	fast->room = (long)run->ring.room - KFI_REC_WORDS;
	fast->text = (unsigned long)run->ring.text;
	fast->ring = &run->ring;
	fast->noints = is_noints(&run->filter);
	kfi_fast_set_min(fast, run->filter.min);
	/*
	 * Frames are plain only on stacks that were begun by who has seen the run triggered, and so
	 * all of this.
	 */
	WRITE_ONCE(fast->id, run->fast ?: KFI_FAST_NONE);
	/* KFI_FAST_NONE has this bit already. */
	WRITE_ONCE(fast->any, fast->id | (kfi_fast_trigger(run) ? KFI_FAST_TRIGGER : 0));
}

/* Return: the chunk with room for a record, or NULL. */
static struct kfi_chunk *chunk_with_room(const struct kfi_fast *fast, struct kfi_stack *s, u64 time)
{
	struct kfi_chunk *c = READ_ONCE(s->here->ring.chunk);

	if (c && local_read(&c->used) <= fast->room)
		return c;
	return kfi_ring_more(fast->ring, &s->here->ring, s->cpu, time);
}

bool kfi_fast_keep_wide(const struct kfi_fast *fast, struct kfi_stack *s, struct kfi_frame *f,
			unsigned int ctx, u64 dur)
{
	u64 local = dur - f->child, rel;
	struct kfi_chunk *c;
	long used;
	u32 *w;

	c = chunk_with_room(fast, s, f->entry + dur);
	if (!c)
		return false;
	rel = f->entry + dur - c->base;
	/* A child that took longer makes a local time of many bits, too. */
	if ((rel | dur) >> 31 | local >> KFI_REC_LOCAL_BITS ||
	    kfi_rec_is_far(f->func - fast->text) || kfi_rec_is_far(f->site - fast->text))
		return false;
	used = kfi_local_fetch_add(KFI_REC_WORDS, &c->used);
	if ((unsigned long)used > (unsigned long)fast->room)
		return false;
	barrier();	/* nothing of what is written is in a register before */
	w = c->words + used;
	w[1] = (u32)f->func - (u32)fast->text;
	w[2] = (u32)f->site - (u32)fast->text;
	w[3] = (u32)rel;
	w[4] = (u32)dur;
	w[5] = (u32)local | (u32)f->depth << KFI_REC_LOCAL_BITS;
	kfi_fast_kept(s, f, ctx, dur, w, s->head - KFI_REC_PACKED + KFI_REC_WORDS);
	return true;
}
