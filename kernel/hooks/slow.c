// SPDX-License-Identifier: GPL-2.0
/*
 * The slow path: see slow.h. Called by hook.c and by the host tests.
 */
#include "hooks/fast.h"
#include "hooks/slow.h"

/*
 * Attach a stack to this session, with interrupts off. It belongs to no session: session/control.c
 * detached it when no hook used the session before any more. The generation KFI_GENERATION_TAKEN
 * keeps an NMI from doing the same in between: kfi_stack_begin() would reset the NMI's counts.
 * Return false if an NMI interrupts another hook here; its call is lost.
 */
static bool begin_stack(struct kfi_run *run, const struct kfi_hook_context *context)
{
	struct kfi_stack *s = context->stack;

	if (cmpxchg(&s->generation, 0, KFI_GENERATION_TAKEN))
		return READ_ONCE(s->generation) == run->id;
	if (run->tag)
		kfi_stack_allow_plain(s, run->tag, kfi_fast_trigger(run), context->cpunr,
				      &run->cpus[context->cpunr]);
	kfi_stack_begin(s, run->id, context->pid);
	/* An interrupt that runs already has not prepared the stack. */
	kfi_stack_leave_interrupt(s, context->ctx);
	return true;
}

/* Begin the shadow stack for this session if necessary. Return true if it can hold its calls. */
static bool has_stack(struct kfi_run *run, const struct kfi_hook_context *context)
{
	unsigned long flags;
	bool has;

	if (!context->stack)
		return false;
	if (READ_ONCE(context->stack->generation) == run->id)
		return true;
	kfi_irq_save(flags);
	has = begin_stack(run, context);
	kfi_irq_restore(flags);
	return has;
}

/* Return true if a hook must look for the start trigger. */
static bool awaits_start(const struct kfi_run *run)
{
	int state = atomic_read(&run->state);

	return state == KFI_PRIMED ||
	       (run->repeat && state == KFI_TRIGGERED && kfi_run_is_paused(run));
}

/*
 * Start or resume the session if its start trigger fires now. Return true if this caller did so.
 * @entry, @exit: the function that is entered or left, or 0
 * @at: where to put the raw clock count of the start
 */
static bool try_start(struct kfi_run *run, unsigned long entry, unsigned long exit, u64 *at)
{
	if (!awaits_start(run))
		return false;
	if (entry && entry == run->start_entry)
		return kfi_run_start_at(run, KFI_BY_ENTRY, entry, at);
	if (exit && exit == run->start_exit)
		return kfi_run_start_at(run, KFI_BY_EXIT, exit, at);
	if (run->start_at != U64_MAX && kfi_now() >= run->start_at)
		return kfi_run_start_at(run, KFI_BY_TIME, 0, at);
	return false;
}

/**
 * struct begin - the start of a session, or of an iteration, by the entry of a call
 * @at: raw clock count
 * @irq: what interrupts had taken from the task before
 */
struct begin {
	u64 at;
	u64 irq;
};

/* ---- the callers of a trigger's function ---- */

/*
 * Find through what calls the function was called whose call site is @site, the innermost first.
 * Must hold: this reads the part of the kernel stack that is in use, and nothing else, so it may
 * run wherever a hook may. A record that makes no sense ends the search.
 * Return: how many of @callers were found; the first is @site.
 */
static u32 find_callers(const struct kfi_hook_context *context, unsigned long site,
			unsigned long *callers)
{
	unsigned long at = (unsigned long)context->frame, next, end = (unsigned long)context->end;
	const unsigned long size = 2 * sizeof(long), below = KFI_FRAME_BELOW * sizeof(long);
	bool is_caller = context->is_caller;
	const unsigned long *record;
	unsigned long address;
	u32 n = 1;

	callers[0] = site;
	while (at && at % sizeof(long) == 0 && end >= size && at - below <= end - size &&
	       n < KFI_CALLERS_MAX) {
		record = (const unsigned long *)(at - below);
		next = READ_ONCE(record[0]);
		address = kfi_return_address(READ_ONCE(record[1]));
		if (is_caller && !address)
			break;
		if (is_caller)
			callers[n++] = address;
		else
			is_caller = address == site;
		if (next <= at)
			break;
		at = next;
	}
	return n;
}

/* Record by what the function of a trigger was called, if the session has such marks. */
static void record_callers(struct kfi_run *run, const struct kfi_hook_context *context,
			   unsigned long func, unsigned long site, u64 now)
{
	struct kfi_cpu *cpu = &run->cpus[context->cpunr];
	unsigned long callers[KFI_CALLERS_MAX];
	u32 words[KFI_EVENT_FUNC_WORDS], n, i;
	struct kfi_event e = {
		.kind = KFI_EVENT_CALLERS, .time = now, .func = func, .pid = context->pid,
		.ctx = (u8)context->ctx,
	};

	if (context->still) {
		kfi_count_add_one(cpu, KFI_MARKS_LOST);
		return;
	}
	n = find_callers(context, site, callers);
	for (i = 0; i < n; i += KFI_EVENT_FUNCS_MAX) {
		kfi_event_set_funcs(&e, words, callers + i, min_t(u32, n - i, KFI_EVENT_FUNCS_MAX),
				    run->ring.text);
		kfi_call_event(run, cpu, context->cpunr, &e);
	}
}

static bool wants_callers(const struct kfi_run *run)
{
	return unlikely(run->marks & 1u << KFI_MARKS_CALLERS);
}

/*
 * Push the frame of a call, or count the call as lost. Return: as kfi_slow_enter().
 * @begin: the start, if this call has started the session or an iteration; or NULL
 */
static bool push(struct kfi_run *run, const struct kfi_hook_context *context, unsigned long func,
		 unsigned long site, const struct begin *begin)
{
	struct kfi_cpu *cpu = &run->cpus[context->cpunr];
	struct kfi_stack *s = context->stack;
	u32 depth;

	if (unlikely(context->still)) {
		kfi_counter_add(&cpu->still_seen, 1);
		kfi_counter_add(&cpu->still_lost, 1);
		return false;
	}
	if (!has_stack(run, context)) {
		kfi_count_add_one(cpu, KFI_SEEN);
		kfi_count_add_one(cpu, KFI_LOST_STACK);
		return false;
	}
	depth = kfi_stack_depth(s);
	kfi_call_enter(run, cpu, context->cpunr, s, func, site, context->ctx);
	/*
	 * The entry of the call that starts a session is the time of the start. If an interrupt was
	 * recorded since then, the entry stays as it is: the interrupt does not lie in the call.
	 */
	if (begin && depth < KFI_STACK_DEPTH && !kfi_frame_irq(&s->frame[depth], begin->irq))
		s->frame[depth].entry = begin->at;
	return true;
}

bool kfi_slow_enter(struct kfi_run *run, const struct kfi_hook_context *context, unsigned long func,
		    unsigned long site)
{
	struct begin begin = {
		.irq = context->stack ? kfi_counter_read(&context->stack->irq) : 0,
	};
	/* Pairs with the release in kfi_run_start_at(). */
	bool triggered = atomic_read_acquire(&run->state) == KFI_TRIGGERED;

	if (triggered && func == run->stop_entry) {
		/* Before the stop: afterwards the log may be read. */
		if (wants_callers(run) && !kfi_run_is_paused(run))
			record_callers(run, context, func, site, kfi_now());
		kfi_run_stop(run, KFI_BY_ENTRY, func);
		if (!run->repeat)
			return false;
	}
	if (try_start(run, func, 0, &begin.at)) {
		if (wants_callers(run) && func == run->start_entry)
			record_callers(run, context, func, site, begin.at);
		return push(run, context, func, site, &begin);
	}
	return triggered && push(run, context, func, site, NULL);
}

void kfi_slow_exit(struct kfi_run *run, const struct kfi_hook_context *context, unsigned long func)
{
	u64 began;

	/* Pairs with the release in kfi_run_start_at(). */
	if (atomic_read_acquire(&run->state) == KFI_TRIGGERED) {
		if (has_stack(run, context))
			kfi_call_exit(run, &run->cpus[context->cpunr], context->cpunr,
				      context->stack, func, context->ctx);
		if (func == run->stop_exit)
			kfi_run_stop(run, KFI_BY_EXIT, func);
	}
	try_start(run, 0, func, &began);
}

/* ---- common records of the fast path ---- */

/* Return: the chunk with room for a record, or NULL. */
static struct kfi_chunk *chunk_with_room(const struct kfi_fast *fast, struct kfi_stack *s, u64 time)
{
	struct kfi_chunk *c = READ_ONCE(s->percpu->ring.chunk);

	if (local_read(&c->used) <= fast->room)
		return c;
	if (!fast->ring)
		return NULL;
	return kfi_ring_more(fast->ring, &s->percpu->ring, s->cpu, time);
}

bool kfi_fast_keep_common(const struct kfi_fast *fast, struct kfi_stack *s, struct kfi_frame *f,
			  unsigned int ctx, u64 dur)
{
	u64 local = dur - f->child, rel;
	struct kfi_chunk *c;
	long used;
	u32 *w;

	/*
	 * A common record has no room for the number of calls below that have no record. If that
	 * number was 0 in kfi_fast_exit(), an interrupt came since: the slow path reads the clock
	 * again.
	 */
	if (kfi_frame_dropped_below(f, kfi_stack_dropped_low(s)))
		return false;

	c = chunk_with_room(fast, s, f->entry + dur);
	if (!c)
		return false;
	rel = f->entry + dur - c->base;
	/* If the calls below took longer than the call, @local is negative: too many bits, too. */
	if ((rel | dur) >> 31 | local >> KFI_REC_LOCAL_BITS ||
	    kfi_rec_is_far(f->func - fast->text) || kfi_rec_is_far(f->site - fast->text))
		return false;
	used = kfi_local_fetch_add(KFI_REC_WORDS, &c->used);
	if ((unsigned long)used > (unsigned long)fast->room)
		return false;
	barrier();	/* load what is written only now: fewer registers are in use before */
	w = c->words + used;
	kfi_rec_put_common(w, (u32)f->func - (u32)fast->text, (u32)f->site - (u32)fast->text,
			   (u32)rel, (u32)dur, (u32)local, f->depth);
	/* @head of the stack is that of a packed record: replace the form in its lowest bits. */
	kfi_fast_commit(s, f, ctx, dur, w, s->head - KFI_REC_PACKED + KFI_REC_WORDS, false);
	return true;
}

/* ---- watches ---- */

void kfi_watch_init(struct kfi_run *run, enum kfi_conf_watch kind, u32 bytes)
{
	run->watch = kind;
	atomic_set(&run->watch_limit, (int)(bytes ? bytes : U32_MAX));
}

u32 kfi_watch_limit(const struct kfi_run *run)
{
	return (u32)atomic_read(&run->watch_limit);
}

/*
 * Return true if @left bytes are few enough for a report. With KFI_WATCH_WORST a new lowest number
 * becomes the limit; if several cpus find one at once, only those report that lower the limit.
 */
static bool is_low(struct kfi_run *run, u32 left)
{
	u32 limit = kfi_watch_limit(run), was;

	while (left < limit) {
		if (run->watch != KFI_WATCH_WORST)
			return true;
		was = (u32)atomic_cmpxchg(&run->watch_limit, (int)limit, (int)left);
		if (was == limit)
			return true;
		limit = was;
	}
	return false;
}

/*
 * Fill in @e from frame @i. Return false if the frame is closed, or was reserved later and is not
 * filled yet.
 */
static bool event_from_frame(const struct kfi_stack *s, u32 i, struct kfi_event *e)
{
	const struct kfi_frame *f = &s->frame[i];
	u16 at = READ_ONCE(f->at);

	if (!at || !f->func)
		return false;
	e->func = f->func;
	e->site = f->site;
	e->time = f->entry;
	e->ctx = KFI_AT_CTX(at);
	return true;
}

void kfi_watch_enter(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, struct kfi_stack *s,
		     struct kfi_event *call, u32 left)
{
	u32 depth = kfi_stack_depth(s), from = s->watched, i;
	struct kfi_event e = { .kind = KFI_EVENT_STACK, .value = left, .pid = s->pid };

	/* Reported calls at this depth or above have returned. */
	if (from >= depth)
		from = depth - 1;
	if (kfi_run_is_paused(run) || !is_low(run, left)) {
		s->watched = (u16)from;
		return;
	}
	/* Before the reports: an interrupt that comes during these reports only its own calls. */
	WRITE_ONCE(s->watched, (u16)min_t(u32, depth, U16_MAX));
	for (i = from; i < depth - 1; i++) {
		if (i >= KFI_STACK_DEPTH) {
			kfi_count_add_one(cpu, KFI_WATCH_LOST);
			continue;
		}
		if (!event_from_frame(s, i, &e))
			continue;
		e.depth = (u16)(i + 1);
		kfi_call_event(run, cpu, cpunr, &e);
	}
	/* The call itself is reported even when it is too deep for a frame. */
	if (depth > KFI_STACK_DEPTH || !event_from_frame(s, depth - 1, &e)) {
		e.func = call->func;
		e.site = call->site;
		e.ctx = call->ctx;
		e.time = kfi_now();
	}
	e.depth = (u16)min_t(u32, depth, U16_MAX);
	kfi_call_event(run, cpu, cpunr, &e);
}

/* ---- arguments and return values ---- */

/*
 * Fill in @e from the call of @func that is on top. Return false if its arguments and return values
 * are not recorded, or if it has no frame.
 */
static bool event_of_recorded(const struct kfi_run *run, u32 cpunr, const struct kfi_stack *s,
			      unsigned long func, struct kfi_event *e)
{
	struct kfi_rec r;
	u32 d;

	if (!kfi_list_has(&run->filter.lists[KFI_LIST_RECORD], func))
		return false;
	if (!s || READ_ONCE(s->generation) != run->id || local_read(&s->overflow) ||
	    atomic_read(&run->state) != KFI_TRIGGERED || kfi_run_is_paused(run))
		return false;
	d = kfi_stack_frames(s);
	/* Its exit is unwound if frames of calls that have no exit are above it. */
	if (d - 1 >= KFI_STACK_DEPTH || !kfi_call_open(s, d - 1, &r) || r.func != func)
		return false;
	r.cpu = (u16)cpunr;
	if (kfi_call_filtered_by(run, &r) != KFI_KEPT)
		return false;
	*e = (struct kfi_event) {
		.func = func, .site = r.site, .time = r.entry, .pid = r.pid, .depth = r.depth,
		.ctx = r.ctx,
	};
	return true;
}

void kfi_slow_args(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, const struct kfi_stack *s,
		   unsigned long func, const unsigned long *args, u32 nargs)
{
	u64 value[KFI_CONF_ARGS_MAX];
	struct kfi_event e;
	u32 n;

	if (!event_of_recorded(run, cpunr, s, func, &e))
		return;
	for (n = 0; n < nargs; n++)
		value[n] = args[n];
	e.kind = KFI_EVENT_ARGS;
	e.text = (const char *)value;
	e.len = n * (u32)sizeof(*value);
	kfi_call_event(run, cpu, cpunr, &e);
}

void kfi_slow_ret(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, const struct kfi_stack *s,
		  unsigned long func, unsigned long value)
{
	struct kfi_event e;

	if (!event_of_recorded(run, cpunr, s, func, &e))
		return;
	e.kind = KFI_EVENT_RET;
	e.time = max_t(u64, kfi_now(), e.time);
	e.value = (s64)(long)value;
	kfi_call_event(run, cpu, cpunr, &e);
}
