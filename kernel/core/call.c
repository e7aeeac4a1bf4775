// SPDX-License-Identifier: GPL-2.0
/*
 * The cold half of the recorder: starting, stopping, and calls that do not end as they should.
 * The hot half and the picture of the states are in core/call.h.
 */
#include "core/call.h"
#include "hooks/fast.h"

/* The last stamp that was given out, and what the last run for the short way was known by. */
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
	}
	if (!run->repeat && !run->next)
		WRITE_ONCE(run->quick, stamp);
	/* Pairs with the acquire of the callouts: who sees TRIGGERED sees stop_at and the start. */
	atomic_set_release(&run->state, KFI_TRIGGERED);
	return true;
}

/* In state STOPPING: the run is over, the next one's turn has come. */
static void complete(struct kfi_run *run)
{
	bool crashed = run->stop.cause == KFI_BY_CRASH;
	struct kfi_run *next = kfi_bad() ? NULL : run->next;

	/* After a crash nothing follows: what there is is to be found where callouts look. */
	if (next && !crashed) {
		atomic_cmpxchg(&next->state, KFI_IDLE, KFI_PRIMED);
		/* Pairs with READ_ONCE in the callouts: an address dependency. */
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
	/* What a callout found out in one round does not count in the next. */
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

/* What is wrong ends any run. */
void kfi_call_bad(struct kfi_run *run, enum kfi_bad what)
{
	kfi_bad_found(what);
	kfi_run_stop(run, KFI_BY_BAD, 0);
}

/* No room: that is the end of most runs. */
static void full(struct kfi_run *run)
{
	if (unlikely(kfi_bad()))
		kfi_run_stop(run, KFI_BY_BAD, 0);
	else if (!run->ring.wrap && !run->profile)
		kfi_run_stop(run, KFI_BY_FULL, 0);
}

bool kfi_call_write(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, const struct kfi_rec *r,
		    enum kfi_count as)
{
	bool kept;

	if (unlikely(run->profile))
		kept = kfi_prof_add(&run->ring, &cpu->ring, &cpu->prof, cpunr, r);
	else
		kept = kfi_ring_write(&run->ring, &cpu->ring, cpunr, r);
	kfi_count_add_one(cpu, likely(kept) ? as : KFI_LOST_FULL);
	if (unlikely(!kept))
		full(run);
	return kept;
}

void kfi_call_event(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr,
		    const struct kfi_event *e)
{
	bool mark = e->kind != KFI_EVENT_STACK;

	if (likely(kfi_ring_write_event(&run->ring, &cpu->ring, cpunr, e))) {
		kfi_count_add_one(cpu, mark ? KFI_MARKS_KEPT : KFI_WATCH_KEPT);
		return;
	}
	kfi_count_add_one(cpu, mark ? KFI_MARKS_LOST : KFI_WATCH_LOST);
	full(run);
}

enum kfi_count kfi_call_kind(const struct kfi_run *run, const struct kfi_rec *r)
{
	return kfi_filter_kind(&run->filter, &(struct kfi_what) {
		.func = (unsigned long)r->func, .ctx = r->ctx, .depth = r->depth, .pid = r->pid,
		.cpu = r->cpu, .under = r->under
	});
}

/*
 * Is frame @d, which is being filled, one of a function of ``only under``, or above one?
 *
 * If a frame is then all above it are, but for those that have not been filled yet: of the task, a
 * softirq, a hard interrupt and an NMI, one each at most. What interrupts the filling of the
 * function's own frame is not below it.
 * Return: KFI_AT_UNDER or 0.
 */
u16 kfi_call_under(const struct kfi_run *run, const struct kfi_stack *s, u32 d, unsigned long func)
{
	u32 i;

	for (i = 1; i <= KFI_CTX_COUNT && i <= d; i++)
		if (s->frame[d - i].at & KFI_AT_UNDER)
			return KFI_AT_UNDER;
	return kfi_list_has(&run->filter.lists[KFI_LIST_UNDER], func) ? KFI_AT_UNDER : 0;
}

/* A frame as a record without duration: its exit is its entry. */
static void untimed_rec(const struct kfi_stack *s, u32 i, u8 marks, struct kfi_rec *r)
{
	const struct kfi_frame *f = &s->frame[i];

	*r = (struct kfi_rec) {
		.func = f->func,
		.site = f->site,
		.entry = f->entry,
		.exit = f->entry,
		.pid = s->pid,
		.depth = (u16)(i + 1),
		.cpu = f->fast ? (u16)s->cpu : KFI_AT_CPU(f->at),
		.ctx = KFI_AT_CTX(f->at),
		.under = f->at & KFI_AT_UNDER,
		.marks = marks | (f->entry ? 0 : KFI_MARK_NOTIME),
	};
}

/* May one more call without time be kept? */
static bool notime_fits(struct kfi_run *run)
{
	if (atomic_read(&run->notime_room) <= 0)
		return false;
	return atomic_dec_return(&run->notime_room) >= 0;
}

/* Close the frame on top, at @depth: no duration is known, so the time filters do not apply. */
void kfi_call_untimed(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, struct kfi_stack *s,
		      u32 depth, u8 marks)
{
	struct kfi_frame *f = &s->frame[depth - 1];
	enum kfi_count verdict;
	struct kfi_rec r;

	untimed_rec(s, depth - 1, marks, &r);
	verdict = kfi_call_kind(run, &r);
	if (verdict == KFI_KEPT && (r.marks & KFI_MARK_NOTIME) && !notime_fits(run))
		verdict = KFI_LOST_CLOCK;
	if (verdict != KFI_KEPT)
		kfi_count_add_one(cpu, verdict);
	else if (kfi_call_write(run, cpu, cpunr, &r, KFI_KEPT) && (r.marks & KFI_MARK_NOTIME))
		kfi_count_add_one(cpu, KFI_NOTIME);
	/* What its calls ran is known, and is no local time of its caller. */
	if (depth > 1)
		s->frame[depth - 2].child += f->child;
	kfi_stack_pop(s, depth);
}

/*
 * The exit of @func does not belong to the top frame: close what is above its own frame.
 * Return: index + 1 of that frame, which is on top then, or 0.
 */
u32 kfi_call_unwind(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, struct kfi_stack *s,
		    unsigned long func, unsigned int ctx)
{
	u32 to = kfi_stack_find(s, func, ctx);
	u32 d;

	if (unlikely(!kfi_stack_is_sound(s)))
		kfi_call_bad(run, KFI_BAD_STACK);
	if (!to) {
		kfi_count_add_one(cpu, KFI_NOT_FOUND);
		return 0;
	}
	for (d = kfi_stack_frames(s); d > to; d--)
		kfi_call_untimed(run, cpu, cpunr, s, d, KFI_MARK_UNWOUND);
	return to;
}

void kfi_call_too_deep(struct kfi_run *run, struct kfi_cpu *cpu, struct kfi_stack *s)
{
	if (unlikely(!kfi_stack_is_sound(s)))
		kfi_call_bad(run, KFI_BAD_STACK);
	local_inc(&s->over);
	kfi_count_add_one(cpu, KFI_LOST_DEPTH);
}

void kfi_call_flush(struct kfi_cpu *cpu, const struct kfi_stack *s)
{
	kfi_counter_add_all(&cpu->count[KFI_SEEN], kfi_counter_read(&s->seen));
	kfi_counter_add_all(&cpu->count[KFI_KEPT], kfi_counter_read(&s->kept));
	kfi_counter_add_all(&cpu->count[KFI_FILTERED_MINTIME], kfi_stack_dropped(s));
}

bool kfi_call_open(const struct kfi_stack *s, u32 i, struct kfi_rec *r)
{
	if (!s->frame[i].func)
		return false;
	untimed_rec(s, i, KFI_MARK_OPEN, r);
	return true;
}

void kfi_call_died(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, struct kfi_stack *s)
{
	u32 i, depth = kfi_stack_held(s);

	kfi_call_flush(cpu, s);
	for (i = 0; i < depth; i++) {
		enum kfi_count verdict;
		struct kfi_rec r;

		if (!kfi_call_open(s, i, &r))
			continue;
		verdict = kfi_call_kind(run, &r);
		if (verdict == KFI_KEPT)
			kfi_call_write(run, cpu, cpunr, &r, KFI_DIED);
		else
			kfi_count_add_one(cpu, verdict);
	}
}
