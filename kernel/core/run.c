// SPDX-License-Identifier: GPL-2.0
/*
 * Starting and stopping a session. The picture of the states is in run.h.
 */
#include "core/run.h"

/* ---- the fast path ---- */

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

/* ---- start and stop ---- */

/* The last stamp that was given out, and what the last run for the fast path was known by. */
static atomic_t last_stamp, last_fast;

void kfi_run_stamps(u32 last)
{
	atomic_set(&last_stamp, (int)last);
}

bool kfi_run_start_at(struct kfi_run *run, enum kfi_cause cause, unsigned long func, u64 *at)
{
	u32 stamp;
	u64 now;

	if (unlikely(kfi_bad()))
		return false;
	if (atomic_cmpxchg(&run->state, KFI_PRIMED, KFI_STARTING) != KFI_PRIMED &&
	    atomic_cmpxchg(&run->state, KFI_IDLE, KFI_STARTING) != KFI_IDLE)
		return false;
	now = kfi_now();
	stamp = (u32)atomic_inc_return(&last_stamp);
	if (!run->rounds) {
		run->start.cause = cause;
		run->start.func = func;
		run->start.time = now;
		WRITE_ONCE(run->first_stamp, stamp);
	}
	run->rounds++;
	run->began = now;
	*at = now;
	WRITE_ONCE(run->stop_at, run->stop_after > U64_MAX - now ? U64_MAX : now + run->stop_after);
	WRITE_ONCE(run->stamp, stamp);
	if (kfi_fast_can(run)) {
		run->fast = (u32)atomic_inc_return(&last_fast) % KFI_FAST_MAX + 1;
		kfi_fast_open(run->gate, run);
		/* Pairs with check_fast_path() of session/control.c, which may find an erratum. */
		smp_mb();
		if (!kfi_now_is_bare())
			kfi_fast_shut(run->gate);
	}
	if (!run->repeat && !run->next)
		WRITE_ONCE(run->quick, stamp);
	/* Pairs with the acquire of the hooks: who sees TRIGGERED sees stop_at and the start. */
	atomic_set_release(&run->state, KFI_TRIGGERED);
	return true;
}

/* In state STOPPING: the run is over, the next one's turn has come. */
static void complete(struct kfi_run *run)
{
	bool crashed = run->stop.cause == KFI_BY_CRASH;
	struct kfi_run *next = kfi_bad() ? NULL : run->next;

	/* After a crash nothing follows: what there is is to be found where hooks look. */
	if (next && !crashed) {
		atomic_cmpxchg(&next->state, KFI_IDLE, KFI_PRIMED);
		/* Pairs with READ_ONCE in the hooks: an address dependency. */
		smp_store_release(run->live, next);
	} else if (run->gate) {
		WRITE_ONCE(run->gate->on, 0);
	}
	/* Last, and pairs with the acquire of readers: who sees COMPLETE sees why, and the next. */
	atomic_set_release(&run->state, KFI_COMPLETE);
	if (!next && run->over && !crashed)
		run->over();
}

static void note_stop(struct kfi_run *run, enum kfi_cause cause, unsigned long func)
{
	run->stop.cause = cause;
	run->stop.func = func;
	run->stop.time = kfi_now();
}

/* May another round follow one that was stopped by @cause? */
static bool repeats(const struct kfi_run *run, enum kfi_cause cause)
{
	return run->repeat && run->stamp < KFI_STAMP_LAST &&
	       (cause == KFI_BY_ENTRY || cause == KFI_BY_EXIT || cause == KFI_BY_TIME);
}

bool kfi_run_stop(struct kfi_run *run, enum kfi_cause cause, unsigned long func)
{
	/* What a hook found out in one round does not count in the next. */
	if (cause == KFI_BY_TIME && kfi_now() < READ_ONCE(run->stop_at))
		return false;
	if (atomic_cmpxchg(&run->state, KFI_TRIGGERED, KFI_STOPPING) != KFI_TRIGGERED)
		return false;
	if (run->fast)
		kfi_fast_shut(run->gate);
	note_stop(run, cause, func);
	if (repeats(run, cause))
		atomic_set_release(&run->state, KFI_PRIMED);
	else
		complete(run);
	return true;
}

bool kfi_run_end_waiting(struct kfi_run *run, enum kfi_state state, enum kfi_cause cause)
{
	if (atomic_cmpxchg(&run->state, state, KFI_STOPPING) != (int)state)
		return false;
	note_stop(run, cause, 0);
	complete(run);
	return true;
}

bool kfi_run_end(struct kfi_run *run)
{
	/* A run that repeats may go on from one state to the other meanwhile. */
	while (atomic_read(&run->state) != KFI_COMPLETE)
		if (kfi_run_stop(run, KFI_BY_USER, 0) ||
		    kfi_run_end_waiting(run, KFI_PRIMED, KFI_BY_USER) ||
		    kfi_run_end_waiting(run, KFI_IDLE, KFI_BY_USER))
			return true;
	return false;
}
