/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The short way of callouts: what most calls need, and nothing else. A task's own calls, no
 * interrupt on top of it, in a run without triggers at times and without filters but noints and
 * mintime, by a clock that is a bare counter. All else goes the long way, kfi_call.h and
 * kfi_slow.h, on the same shadow stack: see kfi_stack.h on plain frames.
 *
 * One comparison tells: a frame of the stack bears by what the run is known (struct kfi_fast, @id).
 * It does not when the run is over, when the stack is one of another run, has no more frames, or
 * has an interrupt's calls on it. After the clock has been read it tells as well that no interrupt
 * came, and that the task was not away: whatever does that settles the frame.
 *
 * No pointer to the run is needed, nor a lock, nor what another cpu writes. Calls are counted on
 * the stack; who takes the calls off it adds these up (kfi_call_flush()).
 */
#ifndef KFI_FAST_H
#define KFI_FAST_H

#include "kfi_call.h"

/* What no plain frame bears. */
#define KFI_FAST_NONE		U32_MAX

/**
 * struct kfi_fast - what callouts look at first
 * @on: a run is live; 0: there is nothing to do
 * @id: @fast of the run, while it is triggered and for the short way; else KFI_FAST_NONE
 * @room: that of its ring, less one common record
 * @trigger: the function that stops it by its entry or its exit; 0: there is none
 * @text: text base of its ring
 * @min: that of its filter, but less than what a clock seems to show that has stepped back
 *
 * There is one in a kernel. @on is written by who publishes a run, or takes it away, and when the
 * last one is complete; @min also while the run is live: only upwards; all else by the winner of
 * STARTING, and @id of STOPPING.
 */
struct kfi_fast {
	u32 on;
	u32 id;
	unsigned long trigger;
	u64 min;
	unsigned long text;
	long room;
};

/* What has become of a callout. */
enum kfi_way {
	KFI_WAY_DONE,	/* all is done */
	KFI_WAY_LONG,	/* nothing: it must go the long way */
	KFI_WAY_MORE,	/* entered: kfi_fast_undo(), and the long way; left: kfi_fast_keep() */
};

/**
 * kfi_fast_can() - Is a run for the short way?
 * @run: the run, about to start
 *
 * Context: any.
 * Return: true if it is.
 */
bool kfi_fast_can(const struct kfi_run *run);

/**
 * kfi_fast_open() - Let callouts go the short way.
 * @fast: what they look at
 * @run: the run, for which kfi_fast_can() holds; @run->fast is set
 *
 * Context: any; in state STARTING.
 */
void kfi_fast_open(struct kfi_fast *fast, const struct kfi_run *run);

/**
 * kfi_fast_set_min() - Set mintime.
 * @fast: what callouts look at
 * @min: raw counts
 *
 * Context: any; callouts may be reading.
 */
static inline void kfi_fast_set_min(struct kfi_fast *fast, u64 min)
{
	WRITE_ONCE(fast->min, min_t(u64, min, S64_MAX));
}

/**
 * kfi_fast_enter() - A function was entered by a task.
 * @fast: what there is to be done
 * @s: shadow stack of the current task
 * @func: address of the function
 * @site: address of the call site
 * @at: where to put the frame, for KFI_WAY_MORE
 *
 * Context: a task, or, before the context says so, an interrupt; the caller stays on its cpu.
 * Return: what has been done.
 */
static __always_inline enum kfi_way kfi_fast_enter(const struct kfi_fast *fast,
						   struct kfi_stack *s, unsigned long func,
						   unsigned long site, struct kfi_frame **at)
{
	struct kfi_frame *f = kfi_stack_top(s);
	u32 id = READ_ONCE(fast->id);

	if (unlikely(f->fast != id) || unlikely(func == fast->trigger))
		return KFI_WAY_LONG;
	kfi_counter_add(&s->seen, 1);
	f = (struct kfi_frame *)kfi_local_fetch_add(sizeof(*f), &s->top);
	barrier();	/* reserve, then fill: an interrupt pushes above */
	f->func = func;
	f->site = site;
	f->child = 0;
	f->entry = kfi_now_bare();
	barrier();	/* read the clock, then look whether anything came before */
	*at = f;
	return likely(f->fast == id) ? KFI_WAY_DONE : KFI_WAY_MORE;
}

/**
 * kfi_fast_undo() - Take an entry back in which an interrupt came; the long way is to follow.
 * @s: the stack; kfi_fast_enter() said KFI_WAY_MORE
 * @f: what it gave
 *
 * Not if the interrupt has left frames above, since the run was stopped in it: then this call stays
 * open below them, and there is nothing to follow.
 * Context: as kfi_fast_enter().
 */
static __always_inline void kfi_fast_undo(struct kfi_stack *s, struct kfi_frame *f)
{
	if (likely(kfi_local_fetch_add(-(long)sizeof(*f), &s->top) == (long)(f + 1)))
		kfi_counter_take_back(&s->seen);
	else
		local_add(sizeof(*f), &s->top);
}

/* The call of the topmost frame is accounted for: give its time to the caller, free the frame. */
static __always_inline void kfi_fast_pop(struct kfi_stack *s, struct kfi_frame *f, u64 dur)
{
	f[-1].child += dur;
	barrier();	/* read, then free: an interrupt pushes here next */
	if (likely(kfi_local_fetch_add(-(long)sizeof(*f), &s->top) == (long)(f + 1)))
		return;
	/* The run was stopped in an interrupt, which has left its frames above this one. */
	local_add(sizeof(*f), &s->top);
	f->func = 0;
}

/**
 * kfi_fast_exit() - A function returns to a task.
 * @fast: what there is to be done
 * @s: shadow stack of the current task
 * @func: address of the function
 * @at: where to put its frame, for KFI_WAY_MORE
 * @dur: where to put the raw counts since it was entered, likewise
 *
 * Context: as kfi_fast_enter().
 * Return: what has been done; KFI_WAY_MORE: the call is to be kept.
 */
static __always_inline enum kfi_way kfi_fast_exit(const struct kfi_fast *fast,
						  struct kfi_stack *s, unsigned long func,
						  struct kfi_frame **at, u64 *dur)
{
	struct kfi_frame *f = kfi_stack_top(s) - 1;
	u64 now;

	if (unlikely(f->func != func))
		return KFI_WAY_LONG;
	now = kfi_now_bare();
	barrier();	/* read the clock, then look whether anything came before */
	if (unlikely(f->fast != READ_ONCE(fast->id)))
		return KFI_WAY_LONG;
	/* A clock that has stepped back makes it long, and is seen when the call is to be kept. */
	*at = f;
	*dur = now - f->entry;
	if (*dur >= fast->min)
		return KFI_WAY_MORE;
	kfi_counter_add(&s->dropped, 1);
	kfi_fast_pop(s, f, *dur);
	return KFI_WAY_DONE;
}

/**
 * kfi_fast_keep() - Write the record of a call that returns.
 * @fast: what there is to be done
 * @s: shadow stack of the current task; kfi_fast_exit() said KFI_WAY_MORE, and no more has happened
 * @f: what it gave; not read again, for an interrupt in which the run was stopped may have left
 *	frames above it
 * @dur: what it gave
 *
 * Context: as there.
 * Return: false: it must go the long way: the record is no common one, or the chunk is full.
 */
static __always_inline bool kfi_fast_keep(const struct kfi_fast *fast, struct kfi_stack *s,
					  struct kfi_frame *f, u64 dur)
{
	struct kfi_chunk *c = READ_ONCE(s->here->ring.chunk);
	u64 local = dur - f->child, rel;
	long used;
	u32 *w;

	if (unlikely(!c))
		return false;
	rel = f->entry + dur - c->base;
	/* A child that took longer makes a local time of many bits, too. */
	if (unlikely((rel | dur) >> 31 | local >> KFI_REC_LOCAL_BITS) ||
	    unlikely(kfi_rec_is_far(f->func - fast->text) || kfi_rec_is_far(f->site - fast->text)))
		return false;
	used = kfi_local_fetch_add(KFI_REC_WORDS, &c->used);
	/* As unsigned: less than nothing is more than all, and found to be bad on the long way. */
	if (unlikely((unsigned long)used > (unsigned long)fast->room))
		return false;
	barrier();	/* nothing of what is written is in a register before */
	w = c->words + used;
	w[1] = (u32)f->func - (u32)fast->text;
	w[2] = (u32)f->site - (u32)fast->text;
	w[3] = (u32)rel;
	w[4] = (u32)dur;
	w[5] = (u32)local | (u32)f->depth << KFI_REC_LOCAL_BITS;
	kfi_rec_commit(w, s->head);
	kfi_count_add_one(s->here, KFI_KEPT);
	kfi_fast_pop(s, f, dur);
	return true;
}

#endif /* KFI_FAST_H */
