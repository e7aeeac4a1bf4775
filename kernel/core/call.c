// SPDX-License-Identifier: GPL-2.0
/*
 * The rare half of call.h: full logs, calls whose exit is missing, open calls.
 */
#include "core/call.h"

/* A bad state stops every session, whatever its mode. */
void kfi_call_bad(struct kfi_run *run, enum kfi_bad what)
{
	kfi_bad_found(what);
	kfi_run_stop(run, KFI_BY_BAD, 0);
}

/* A record did not fit: stop the session, unless it overwrites, or is a profile. */
static void full(struct kfi_run *run)
{
	if (unlikely(kfi_bad()))
		kfi_run_stop(run, KFI_BY_BAD, 0);
	else if (!run->ring.wrap && !run->profile)
		kfi_run_stop(run, KFI_BY_FULL, 0);
}

bool kfi_call_write(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, const struct kfi_rec *r)
{
	bool kept;

	if (unlikely(run->profile))
		kept = kfi_prof_add(&run->ring, &cpu->ring, &cpu->prof, cpunr, r);
	else
		kept = kfi_ring_write(&run->ring, &cpu->ring, cpunr, r);
	if (unlikely(!kept)) {
		kfi_count_add_one(cpu, KFI_LOST_FULL);
		full(run);
	}
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
	/* A mark that does not fit does not stop the session. */
	if (!mark || unlikely(kfi_bad()))
		full(run);
}

enum kfi_count kfi_call_filtered_by(const struct kfi_run *run, const struct kfi_rec *r)
{
	return kfi_filter_except_time(&run->filter, &(struct kfi_what) {
		.func = (unsigned long)r->func, .ctx = r->ctx, .depth = r->depth, .pid = r->pid,
		.cpu = r->cpu, .under = r->under, .between = r->between, .follows = r->follows
	});
}

/* Add up what cpus have of a function, from @cpu on. Return: false if none has it. */
static bool add_cpus(const struct kfi_call_profile *p, u32 cpu, u32 end, struct kfi_prof_sum *sum)
{
	struct kfi_prof_sum more;
	bool found = false;

	for (; cpu < end; cpu++) {
		if (!kfi_prof_find(p->run->cpus[cpu].prof, sum->func, &more))
			continue;
		kfi_prof_merge(sum, &more);
		found = true;
	}
	return found;
}

/* Count open calls of a function, from @i on. */
static u32 count_open(const struct kfi_call_profile *p, u32 i, u32 end, u64 func)
{
	u32 n = 0;

	for (; i < end; i++)
		n += p->open[i].func == func &&
		     kfi_call_filtered_by(p->run, &p->open[i]) == KFI_KEPT;
	return n;
}

/* Read the next function, in any order. @at: the next open call, when all entries are read. */
static bool next_sum(const struct kfi_call_profile *p, struct kfi_prof_pos *pos, u32 *at,
		     struct kfi_prof_sum *sum)
{
	struct kfi_prof_sum before;
	u32 cpu, i;

	while (kfi_prof_next(&p->run->ring, pos, sum, &cpu)) {
		before = (struct kfi_prof_sum) { .func = sum->func };
		/* The first cpu that has a function gives the sum of all. */
		if (add_cpus(p, 0, cpu, &before))
			continue;
		add_cpus(p, cpu + 1, p->ncpus, sum);
		sum->untimed += count_open(p, 0, p->nopen, sum->func);
		return true;
	}
	while (*at < p->nopen) {
		i = (*at)++;
		*sum = (struct kfi_prof_sum) { .func = p->open[i].func };
		before = *sum;
		sum->untimed = count_open(p, i, p->nopen, sum->func);
		/* The first open call of a function that has not returned on any cpu. */
		if (sum->untimed && !count_open(p, 0, i, sum->func) &&
		    !add_cpus(p, 0, p->ncpus, &before))
			return true;
	}
	return false;
}

u32 kfi_call_count_sums(const struct kfi_call_profile *p)
{
	struct kfi_prof_pos pos = { 0 };
	struct kfi_prof_sum sum;
	u32 at = 0, n = 0;

	while (next_sum(p, &pos, &at, &sum))
		n++;
	return n;
}

u32 kfi_call_read_sums(const struct kfi_call_profile *p, const struct kfi_prof_sum *after,
		       struct kfi_prof_sum *sums, u32 max)
{
	struct kfi_prof_pos pos = { 0 };
	struct kfi_prof_sum sum;
	u32 at = 0, n = 0, i;

	while (next_sum(p, &pos, &at, &sum)) {
		if (after && kfi_prof_by_total(&sum, after) <= 0)
			continue;
		if (n == max && kfi_prof_by_total(&sum, &sums[n - 1]) > 0)
			continue;
		n += n < max;
		for (i = n - 1; i && kfi_prof_by_total(&sum, &sums[i - 1]) < 0; i--)
			sums[i] = sums[i - 1];
		sums[i] = sum;
	}
	return n;
}

/*
 * Return true if frame @d, which is being filled, is the frame of a function of ``only under``, or
 * above such a frame.
 *
 * If a frame has KFI_AT_UNDER, all frames above it have it, except frames that are not filled yet:
 * at most one each of the task, a softirq, a hard interrupt and an NMI. So it suffices to look at
 * KFI_CTX_COUNT frames. An interrupt that comes while the function's own frame is being filled is
 * not regarded as below the function.
 */
static bool is_under(const struct kfi_run *run, const struct kfi_stack *s, u32 d,
		     unsigned long func)
{
	u32 i;

	if (!run->filter.lists[KFI_LIST_UNDER].given)
		return false;

	for (i = 1; i <= KFI_CTX_COUNT && i <= d; i++)
		if (s->frame[d - i].at & KFI_AT_UNDER)
			return true;
	return kfi_list_has(&run->filter.lists[KFI_LIST_UNDER], func);
}

/* Set @between of frame @d, which is being filled. Return KFI_AT_UNDER, or 0: see is_under(). */
u16 kfi_call_at_entry(const struct kfi_run *run, struct kfi_stack *s, u32 d, unsigned long func)
{
	s->frame[d].between = kfi_run_is_paused(run);
	return is_under(run, s, d, func) ? KFI_AT_UNDER : 0;
}

/* Make a record without a duration from frame @i: the exit is the entry. */
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
		.cpu = f->tag ? (u16)s->cpu : KFI_AT_CPU(f->at),
		.ctx = KFI_AT_CTX(f->at),
		.under = f->at & KFI_AT_UNDER,
		.between = f->between,
		.follows = s->follows,
		.marks = marks | (f->entry ? 0 : KFI_MARK_NOTIME),
	};
}

/* Return true if one more call without time may be kept: count it in @notime_room. */
static bool notime_fits(struct kfi_run *run)
{
	if (atomic_read(&run->notime_room) <= 0)
		return false;
	return atomic_dec_return(&run->notime_room) >= 0;
}

/*
 * Filter, record and pop the topmost frame, at @depth, whose call has no duration. So the time
 * filters do not apply.
 */
void kfi_call_untimed(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, struct kfi_stack *s,
		      u32 depth, unsigned int ctx, u8 marks)
{
	struct kfi_frame *f = &s->frame[depth - 1];
	enum kfi_count verdict;
	struct kfi_rec r;

	untimed_rec(s, depth - 1, marks, &r);
	verdict = kfi_call_filtered_by(run, &r);
	if (verdict == KFI_KEPT && (r.marks & KFI_MARK_NOTIME) && !notime_fits(run))
		verdict = KFI_LOST_CLOCK;
	if (verdict != KFI_KEPT)
		kfi_call_drop(cpu, s, verdict);
	else if (kfi_call_keep(run, cpu, cpunr, s, &r) && (r.marks & KFI_MARK_NOTIME))
		kfi_count_add_one(cpu, KFI_NOTIME);
	/* The time of its calls is known, and must not count as self time of its caller. */
	if (depth > 1)
		s->frame[depth - 2].child += f->child;
	kfi_stack_pop(s, depth, ctx);
}

/*
 * Handle an exit of @func while the frame of another function is on top: record and pop the frames
 * above the frame of @func, as calls whose exit was not seen.
 * Return: index + 1 of the frame of @func, which is on top now; 0: @func has no frame.
 */
u32 kfi_call_unwind(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, struct kfi_stack *s,
		    unsigned long func, unsigned int ctx)
{
	u32 to = kfi_stack_find(s, func, ctx);
	u32 d;

	/* An interrupt has stopped the session and left its frames. */
	if (unlikely(atomic_read(&run->state) != KFI_TRIGGERED))
		return 0;
	if (unlikely(!kfi_stack_is_sound(s)))
		kfi_call_bad(run, KFI_BAD_STACK);
	if (!to) {
		kfi_count_add_one(cpu, KFI_NOT_FOUND);
		return 0;
	}
	for (d = kfi_stack_frames(s); d > to; d--)
		kfi_call_untimed(run, cpu, cpunr, s, d, ctx, KFI_MARK_UNWOUND);
	return to;
}

void kfi_call_too_deep(struct kfi_run *run, struct kfi_cpu *cpu, struct kfi_stack *s)
{
	if (unlikely(!kfi_stack_is_sound(s)))
		kfi_call_bad(run, KFI_BAD_STACK);
	local_inc(&s->overflow);
	kfi_call_drop(cpu, s, KFI_LOST_DEPTH);
}

void kfi_call_flush(struct kfi_cpu *cpu, const struct kfi_stack *s)
{
	kfi_counter_add(&cpu->count[KFI_SEEN], kfi_stack_seen(s));
	kfi_counter_add(&cpu->count[KFI_KEPT], kfi_stack_kept(s));
	kfi_counter_add(&cpu->count[KFI_FILTERED_MINTIME], kfi_stack_too_short(s));
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
	u32 i, depth = kfi_stack_valid_frames(s);

	kfi_call_flush(cpu, s);
	for (i = 0; i < depth; i++) {
		enum kfi_count verdict;
		struct kfi_rec r;

		if (!kfi_call_open(s, i, &r))
			continue;
		verdict = kfi_call_filtered_by(run, &r);
		if (verdict != KFI_KEPT || kfi_call_write(run, cpu, cpunr, &r))
			kfi_count_add_one(cpu, verdict == KFI_KEPT ? KFI_DIED : verdict);
	}
}
