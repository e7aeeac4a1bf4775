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

enum kfi_fast_part kfi_fast_part(const struct kfi_run *run)
{
	const struct kfi_filter *f = &run->filter;

	/* An entry must only push its frame. */
	if (!run->fast_state || !kfi_clock_is_lockless() || run->stops_by_time || run->watch ||
	    run->args || run->at_entry || (run->stop_entry && run->stop_exit))
		return KFI_FAST_NOTHING;
	if (run->ret || !can_context(f))
		return KFI_FAST_ENTRIES;
	/* A writer must pin its chunk in a ring that wraps. */
	if (!run->ring.wrap && !run->profile && !f->rare && f->max == U64_MAX)
		return KFI_FAST_ALL;
	return f->mintime ? KFI_FAST_DROPS : KFI_FAST_ENTRIES;
}

void kfi_fast_open(struct kfi_fast *fast, struct kfi_run *run)
{
	u32 tag = run->tag ?: KFI_FAST_NONE;

	fast->room = (long)run->ring.room - KFI_REC_WORDS;
#ifdef KFI_CHUNK_COUNTS
	fast->packed_end = fast->room + KFI_REC_PACKED;
#endif
	fast->text = (unsigned long)run->ring.text;
	fast->ring = run->fast == KFI_FAST_ALL ? &run->ring : NULL;
	fast->noints = is_noints(&run->filter);
	kfi_fast_set_min(fast, run->filter.min);
	/*
	 * Plain frames are only on stacks that a hook has begun for this session. Such a hook has
	 * seen the session triggered, and so it sees all of this.
	 */
	WRITE_ONCE(fast->tag, run->fast >= KFI_FAST_DROPS ? tag : KFI_FAST_NONE);
	WRITE_ONCE(fast->exit_tag, kfi_clock_is_counter() ? fast->tag : KFI_FAST_NONE);
	/* KFI_FAST_NONE has this bit already. */
	WRITE_ONCE(fast->entry_tag, tag | (kfi_fast_trigger(run) || !kfi_clock_is_counter() ?
					   KFI_FAST_TRIGGER : 0));
}

/* ---- start and stop ---- */

/* What the last session for the fast path was known by. */
static atomic_t last_fast;

static u64 end_of(u64 began, u64 after)
{
	return after > U64_MAX - began ? U64_MAX : began + after;
}

/* An iteration begins. Return: raw clock count. */
static u64 begin(struct kfi_run *run)
{
	u64 now = kfi_now();

	run->began = now;
	WRITE_ONCE(run->stop_at, end_of(now, run->stop_after));
	return now;
}

void kfi_run_know_stop(struct kfi_run *run, u64 after, u64 zero)
{
	unsigned long flags;

	run->stop_after = after;
	/*
	 * The rate becomes known before other CPUs run, and no interrupt comes here. So no
	 * iteration begins in between, which would have its end already.
	 */
	kfi_irq_save(flags);
	/* Pairs with the release in kfi_run_start_at(). */
	if (atomic_read_acquire(&run->state) == KFI_TRIGGERED && READ_ONCE(run->stop_at) == U64_MAX)
		WRITE_ONCE(run->stop_at, end_of(run->began ? run->began : zero, after));
	kfi_irq_restore(flags);
}

/*
 * A pause is over. An iteration that another hook has found to be over is not the one that begins
 * here: then the count of iterations is another one, and the cmpxchg there fails.
 */
static bool resume(struct kfi_run *run, u64 *at)
{
	u32 phase = (u32)atomic_read(&run->phase);

	if (phase % KFI_PHASES != KFI_PAUSED ||
	    (u32)atomic_cmpxchg(&run->phase, (int)phase, (int)(phase + 1)) != phase)
		return false;
	*at = begin(run);
	phase += KFI_PHASES - KFI_PAUSED;
	/* Pairs with the acquire in pause(): a hook that sees KFI_RECORDING sees stop_at. */
	atomic_set_release(&run->phase, (int)phase);
	return true;
}

/* Return: true if this caller has ended an iteration. */
static bool pause(struct kfi_run *run, enum kfi_cause cause)
{
	u32 phase = (u32)atomic_read_acquire(&run->phase);

	if (phase % KFI_PHASES != KFI_RECORDING ||
	    (cause == KFI_BY_TIME && kfi_now() < READ_ONCE(run->stop_at)))
		return false;
	return (u32)atomic_cmpxchg(&run->phase, (int)phase, (int)(phase + KFI_PAUSED)) == phase;
}

bool kfi_run_start_at(struct kfi_run *run, enum kfi_cause cause, unsigned long func, u64 *at)
{
	if (unlikely(kfi_bad()))
		return false;
	/* Pairs with the release below: after TRIGGERED the start is complete. */
	if (run->repeat && atomic_read_acquire(&run->state) == KFI_TRIGGERED)
		return resume(run, at);
	/* A hook may have seen a session armed that is being replaced: it is idle by now. */
	if (atomic_cmpxchg(&run->state, KFI_PRIMED, KFI_STARTING) != KFI_PRIMED &&
	    (cause != KFI_BY_USER ||
	     atomic_cmpxchg(&run->state, KFI_IDLE, KFI_STARTING) != KFI_IDLE))
		return false;
	*at = begin(run);
	run->start.cause = cause;
	run->start.func = func;
	run->start.time = *at;
	run->fast = kfi_fast_part(run);
	if (run->fast) {
		run->ring.fast = run->fast == KFI_FAST_ALL;
		run->tag = (u32)atomic_inc_return(&last_fast) % KFI_FAST_MAX + 1;
		kfi_fast_open(run->fast_state, run);
		/* Pairs with check_fast_path() of session/control.c, which may find an erratum. */
		smp_mb();
		if (!kfi_clock_is_lockless())
			kfi_fast_close(run->fast_state);
	}
	if (!run->repeat)
		WRITE_ONCE(run->routine, run->id);
	/* Pairs with the acquire of the hooks: after TRIGGERED they see stop_at and the start. */
	atomic_set_release(&run->state, KFI_TRIGGERED);
	return true;
}

/* In state STOPPING: the session is over. */
static void complete(struct kfi_run *run, enum kfi_cause cause, unsigned long func)
{
	run->stop.cause = cause;
	run->stop.func = func;
	run->stop.time = kfi_now();
	if (run->fast_state)
		WRITE_ONCE(run->fast_state->on, 0);
	/* Pairs with the acquire of readers: after COMPLETE they see why. */
	atomic_set_release(&run->state, KFI_COMPLETE);
	/* A crash must find the session as it is. */
	if (run->on_complete && cause != KFI_BY_CRASH)
		run->on_complete();
}

bool kfi_run_stop(struct kfi_run *run, enum kfi_cause cause, unsigned long func)
{
	if (run->repeat && (cause == KFI_BY_ENTRY || cause == KFI_BY_EXIT || cause == KFI_BY_TIME))
		return pause(run, cause);
	/* Pairs with the release in kfi_run_start_at(): after TRIGGERED the tag is seen. */
	if (atomic_read_acquire(&run->state) != KFI_TRIGGERED)
		return false;
	/*
	 * First: until the state changes all hooks may take the slow path, but no hook may find the
	 * session over while another one still takes the fast path.
	 */
	if (run->tag)
		kfi_fast_close(run->fast_state);
	/* A full barrier. */
	if (atomic_cmpxchg(&run->state, KFI_TRIGGERED, KFI_STOPPING) != KFI_TRIGGERED)
		return false;
	complete(run, cause, func);
	return true;
}

/* Complete a session that is not being recorded, but in @state. */
static bool end_waiting(struct kfi_run *run, enum kfi_state state)
{
	if (atomic_cmpxchg(&run->state, state, KFI_STOPPING) != (int)state)
		return false;
	complete(run, KFI_BY_USER, 0);
	return true;
}

bool kfi_run_end(struct kfi_run *run)
{
	/* A hook may start or stop it at the same time. */
	while (atomic_read(&run->state) != KFI_COMPLETE)
		if (kfi_run_stop(run, KFI_BY_USER, 0) || end_waiting(run, KFI_PRIMED) ||
		    end_waiting(run, KFI_IDLE))
			return true;
	return false;
}
