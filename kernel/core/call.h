/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The recorder proper: what the callouts do between the entry and the exit of a function.
 *
 * Everything is inline that a normal call needs; what is rare is in core/call.c. Called by
 * hooks/hook.c with preemption off; by the host tests from threads and signal handlers.
 *
 *	        prime          start trigger          stop trigger, log full
 *	IDLE ----------> PRIMED -------------> TRIGGERED ------------------> COMPLETE
 *	   `--------------- start ---------------^
 *	                   ^------ stop trigger --`	with autorepeat: a round is over
 *
 * A run is changed by whoever wins the cmpxchg of its state; STARTING and STOPPING last while the
 * winner writes down when and why. Who completes a run arms the one after it and shows it to the
 * callouts.
 *
 * Each start is a round, and has a stamp, which the shadow stacks bear. Stamps are counted through
 * all rounds of all runs of a configuration, so a higher one is a later one.
 */
#ifndef KFI_CALL_H
#define KFI_CALL_H

#include "kfi_abi.h"
#include "core/bad.h"
#include "core/counter.h"
#include "core/filter.h"
#include "core/port.h"
#include "core/prof.h"
#include "core/ring.h"
#include "core/stack.h"

struct kfi_fast;

enum kfi_state {
	KFI_IDLE,
	KFI_PRIMED,
	KFI_STARTING,
	KFI_TRIGGERED,
	KFI_STOPPING,
	KFI_COMPLETE,
};

/* The last stamp after which a round may follow; what is left is for the runs after that. */
#define KFI_STAMP_LAST		0xffff0000u

/* Why a run started or stopped. */
enum kfi_cause {
	KFI_BY_NOTHING,
	KFI_BY_ENTRY,
	KFI_BY_EXIT,
	KFI_BY_TIME,
	KFI_BY_USER,
	KFI_BY_FULL,	/* stop only */
	KFI_BY_CRASH,	/* stop only */
	KFI_BY_BAD,	/* stop only: core/bad.h */
};

/**
 * struct kfi_edge - the start or the stop of a run
 * @cause: why
 * @func: the function, for KFI_BY_ENTRY and KFI_BY_EXIT
 * @time: raw clock count
 */
struct kfi_edge {
	enum kfi_cause cause;
	unsigned long func;
	u64 time;
};

/**
 * struct kfi_cpu - what the recorder keeps per cpu; no other cpu writes to it while a run is live
 * @ring: its place in the ring
 * @count: its share of the counters
 * @prof: its first entry, in a profile
 */
struct kfi_cpu {
	struct kfi_ring_cpu ring;
	struct kfi_counter count[KFI_COUNTS];
	struct kfi_prof_entry *prof;
} ____cacheline_aligned;

/**
 * struct kfi_run - a run, as the callouts see it
 * @state: enum kfi_state
 * @quick: stamp of the stacks with which a callout has nothing to do but its call; it is that of
 *	the run, or KFI_STAMP_NEVER: before the start, and in a run that something may follow
 * @under: ``only under`` is asked for
 * @stop_entry: stop when this function is entered; 0: no such trigger
 * @stop_exit: stop when this function has returned; 0: no such trigger
 * @stop_at: stop at this raw clock count; U64_MAX: never. Written by the winner of STARTING
 * @filter: which calls are kept
 * @start_entry: as @stop_entry
 * @start_exit: as @stop_exit
 * @start_at: as @stop_at; 0: no such trigger
 * @stop_after: raw counts from start to stop; U64_MAX: no such trigger
 * @cpus: what is kept per cpu, by its number: not per-cpu data, which does not exist yet at
 *	start_kernel
 * @marks: bit per enum kfi_conf_mark: which marks are wanted
 * @marks_ahead: likewise, by this run or one after it
 * @watch: enum kfi_conf_watch: what is watched
 * @watch_limit: with fewer bytes free than these a function is reported
 * @profile: calls are added up, not kept
 * @notime_room: calls without time that may still be kept: they must not fill the log
 * @id: number of the run, from 1
 * @stamp: stamp of its last round; 0: it never started
 * @first_stamp: that of its first round
 * @rounds: how often it started
 * @began: raw clock count at the last of these
 * @repeat: its stop trigger arms it again
 * @next: the run after this one, or NULL
 * @prev: the run before this one, or NULL
 * @live: where callouts look for the run that is live
 * @over: called when it is complete and nothing follows, from anywhere, or NULL
 * @gate: where they look for what they need on the short way (hooks/fast.h), or NULL
 * @fast: by what its plain frames are known; 0: it is not for the short way
 * @start: when and why it started first; written by the winner of STARTING
 * @stop: when and why it, or its last round, stopped; written by the winner of STOPPING
 * @ring: where its records are
 *
 * @quick, @fast, @stamp, @first_stamp, @rounds and @began are written by the winner of STARTING,
 * all else but for what is said above by the configuring process before it is published.
 */
struct kfi_run {
	atomic_t state;
	u32 quick;
	bool under;
	unsigned long stop_entry;
	unsigned long stop_exit;
	u64 stop_at;
	struct kfi_cpu *cpus;
	u32 marks;
	u32 marks_ahead;
	u32 watch;
	atomic_t watch_limit;
	struct kfi_filter filter;
	unsigned long start_entry;
	unsigned long start_exit;
	u64 start_at;
	u64 stop_after;
	bool profile;
	atomic_t notime_room;
	u32 id;
	u32 stamp;
	u32 first_stamp;
	u32 rounds;
	u64 began;
	bool repeat;
	struct kfi_run *next;
	struct kfi_run *prev;
	struct kfi_run **live;
	void (*over)(void);
	struct kfi_fast *gate;
	u32 fast;
	struct kfi_edge start;
	struct kfi_edge stop;
	struct kfi_ring ring;
};

/**
 * kfi_run_has() - Is a stamp one of this run's?
 * @run: the run
 * @stamp: a stamp
 *
 * Context: any.
 * Return: true if it is.
 */
static inline bool kfi_run_has(const struct kfi_run *run, u32 stamp)
{
	u32 first = READ_ONCE(run->first_stamp);

	return first && stamp >= first && stamp <= READ_ONCE(run->stamp);
}

/**
 * kfi_run_between() - Does a run that repeats wait for its next round?
 * @run: the run
 *
 * Context: any.
 * Return: true if it had a round and waits for another one.
 */
static inline bool kfi_run_between(const struct kfi_run *run)
{
	/* Pairs with the release in kfi_run_stop(). */
	return atomic_read_acquire(&run->state) == KFI_PRIMED && run->rounds;
}

/**
 * kfi_count_add_one() - Count one.
 * @cpu: this cpu
 * @what: what to count
 *
 * Context: any; the caller stays on its cpu.
 */
static __always_inline void kfi_count_add_one(struct kfi_cpu *cpu, enum kfi_count what)
{
	kfi_counter_add(&cpu->count[what], 1);
}

/**
 * kfi_count_read() - Read a counter.
 * @cpu: any cpu
 * @what: which
 *
 * Context: any; exact when that cpu records nothing.
 * Return: the count.
 */
static inline u64 kfi_count_read(const struct kfi_cpu *cpu, enum kfi_count what)
{
	return kfi_counter_read(&cpu->count[what]);
}

/**
 * kfi_run_start_at() - Start a run that is idle or primed, and tell when that was.
 * @run: the run
 * @cause: why
 * @func: the function whose entry or exit it was, or 0
 * @at: where to put the raw clock count; untouched if this caller did not start it
 *
 * Context: any.
 * Return: true if this caller started it.
 */
bool kfi_run_start_at(struct kfi_run *run, enum kfi_cause cause, unsigned long func, u64 *at);

/**
 * kfi_run_start() - Start a run that is idle or primed.
 * @run: the run
 * @cause: why
 * @func: the function whose entry or exit it was, or 0
 *
 * Context: any.
 * Return: true if this caller started it.
 */
static inline bool kfi_run_start(struct kfi_run *run, enum kfi_cause cause, unsigned long func)
{
	u64 at;

	return kfi_run_start_at(run, cause, func, &at);
}

/**
 * kfi_run_stop() - Stop a run, or a round of it: flips its state, nothing else.
 * @run: the run
 * @cause: why
 * @func: the function whose entry or exit it was, or 0
 *
 * By a trigger a run that repeats is primed again, else it is complete, and the next one is live.
 * Calls that are being recorded on other cpus meanwhile may still be written.
 * Context: any, NMI included.
 * Return: true if this caller stopped it.
 */
bool kfi_run_stop(struct kfi_run *run, enum kfi_cause cause, unsigned long func);

/**
 * kfi_run_end_waiting() - Complete a run that is not being recorded.
 * @run: the run
 * @state: KFI_IDLE or KFI_PRIMED: what it must be in
 * @cause: why
 *
 * Context: any.
 * Return: true if this caller completed it.
 */
bool kfi_run_end_waiting(struct kfi_run *run, enum kfi_state state, enum kfi_cause cause);

/**
 * kfi_run_end() - Complete a run by command, whatever its state.
 * @run: the run
 *
 * Context: process context; one caller at a time.
 * Return: false if it is complete already.
 */
bool kfi_run_end(struct kfi_run *run);

/**
 * kfi_run_stamps() - Count stamps anew.
 * @last: the next one is one more than this
 *
 * Context: no run is live, and no stack bears a stamp.
 */
void kfi_run_stamps(u32 last);

/**
 * kfi_call_write() - Keep a call, or count it as lost.
 * @run: its run
 * @cpu: this cpu
 * @cpunr: its number
 * @r: the call
 * @as: KFI_KEPT, or KFI_DIED for a call that is open for ever
 *
 * A full log stops the run, unless it is one that overwrites, or a profile.
 * Context: any; the caller stays on its cpu.
 * Return: true if it is kept.
 */
bool kfi_call_write(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, const struct kfi_rec *r,
		    enum kfi_count as);

/**
 * kfi_call_event() - Keep what is no call, or count it as lost.
 * @run: its run, triggered
 * @cpu: this cpu
 * @cpunr: its number
 * @e: the event
 *
 * One that does not fit makes the log as full as a call does.
 * Context: any; the caller stays on its cpu.
 */
void kfi_call_event(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr,
		    const struct kfi_event *e);

/**
 * kfi_call_open() - Describe a call that is still open.
 * @s: the shadow stack
 * @i: its frame
 * @r: where to put it, marked KFI_MARK_OPEN
 *
 * Context: the stack must not change meanwhile.
 * Return: false if the frame is closed: its call has been accounted for.
 */
bool kfi_call_open(const struct kfi_stack *s, u32 i, struct kfi_rec *r);

/**
 * kfi_call_kind() - What becomes of a recorded call, whatever it took?
 * @run: its run
 * @r: the call
 *
 * Context: any.
 * Return: KFI_KEPT, or why it is filtered.
 */
enum kfi_count kfi_call_kind(const struct kfi_run *run, const struct kfi_rec *r);

/**
 * kfi_call_died() - Write the open calls of a stack that will never be seen to return.
 *
 * What is known of them is filtered: function and context.
 * @run: the run whose calls they are
 * @cpu: this cpu
 * @cpunr: its number
 * @s: the shadow stack; the caller gives it another stamp
 *
 * Context: any; the caller stays on its cpu, the stack does not change meanwhile.
 */
void kfi_call_died(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, struct kfi_stack *s);

/**
 * kfi_call_flush() - Count as a cpu's what the short way has counted on a stack.
 * @cpu: any cpu of the run
 * @s: the shadow stack; the caller gives it another stamp
 *
 * Context: any; the stack does not change meanwhile, and nobody else counts on @cpu.
 */
void kfi_call_flush(struct kfi_cpu *cpu, const struct kfi_stack *s);

/* The parts of kfi_call_enter() and kfi_call_exit() that are rare. */
void kfi_call_too_deep(struct kfi_run *run, struct kfi_cpu *cpu, struct kfi_stack *s);
void kfi_call_bad(struct kfi_run *run, enum kfi_bad what);
u16 kfi_call_under(const struct kfi_run *run, const struct kfi_stack *s, u32 d,
		   unsigned long func);
u32 kfi_call_unwind(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, struct kfi_stack *s,
		    unsigned long func, unsigned int ctx);
void kfi_call_untimed(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, struct kfi_stack *s,
		      u32 depth, u8 marks);

/**
 * kfi_read() - Read the clock and what interrupts have taken, as one value.
 * @s: shadow stack of the current task
 * @irq: where to put @s->irq
 *
 * An interrupt that comes between adds to @irq, and then both are read again. So it falls wholly
 * before or wholly after the time that is returned, and every difference of two such pairs is
 * exact.
 * Context: any; the caller stays on its cpu.
 * Return: raw clock count; 0 while no clock runs.
 */
static __always_inline u64 kfi_read(const struct kfi_stack *s, u64 *irq)
{
	u64 now;

	do {
		*irq = kfi_sum_read(&s->irq);
		barrier();
		now = kfi_now();
		barrier();
	} while (unlikely(*irq != kfi_sum_read(&s->irq)));
	return now;
}

/**
 * kfi_call_enter() - A function was entered.
 * @run: the live run, triggered
 * @cpu: this cpu
 * @cpunr: its number
 * @s: shadow stack of the current task, begun for @run
 * @func: address of the function
 * @site: address of the call site
 * @ctx: enum kfi_ctx
 *
 * The call's time begins after what interrupts took while it was pushed: that is given to the
 * caller.
 * Context: any; the caller stays on its cpu.
 */
static __always_inline void kfi_call_enter(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr,
					   struct kfi_stack *s, unsigned long func,
					   unsigned long site, unsigned int ctx)
{
	u32 d = kfi_stack_frames(s), fast = 0;
	struct kfi_frame *f;
	u64 now, irq;
	u16 at;

	kfi_count_add_one(cpu, KFI_SEEN);
	if (likely(d < KFI_STACK_DEPTH) &&
	    (ctx == KFI_CTX_TASK || ctx == kfi_stack_below(s, d + 1)) &&
	    func != run->stop_entry && func != run->stop_exit)
		fast = kfi_stack_next(s, d);
	if (!fast)
		kfi_stack_settle(s);
	if (unlikely(d >= KFI_STACK_DEPTH)) {
		kfi_call_too_deep(run, cpu, s);
		return;
	}
	/*
	 * Plain from before it is on top: an interrupt settles the frames from there down to the
	 * first that is not plain. One that comes before this leaves all below settled.
	 */
	if (fast)
		kfi_stack_top(s)->fast = fast;
	barrier();
	f = (struct kfi_frame *)kfi_local_add_return(sizeof(*f), &s->top) - 1;
	barrier();	/* reserve, then fill: an interrupt pushes above */
	d = (u32)(f - s->frame);
	/* One in which the run was stopped has left its frames. */
	if (unlikely(d >= KFI_STACK_DEPTH)) {
		local_sub(sizeof(*f), &s->top);
		kfi_call_too_deep(run, cpu, s);
		return;
	}
	kfi_counter_add(&s->longer, 1);
	if (!fast)
		f->fast = 0;
	/* What irq_exit() calls once the context says task again is still part of the interrupt. */
	if (likely(ctx == KFI_CTX_TASK))
		ctx = kfi_stack_below(s, d + 1);
	at = KFI_AT(cpunr, ctx);
	if (unlikely(run->under))
		at |= kfi_call_under(run, s, d, func);
	f->func = func;
	f->site = site;
	f->child = 0;
	f->off = s->off;
	now = kfi_read(s, &irq);
	f->irq = irq;
	f->entry = now;
	barrier();	/* an interrupt's watch looks at this, then at the frame */
	f->at = at;
	barrier();	/* from here on it sees by this that it does not come upon a task */
	if (s->fast)
		f[1].fast = kfi_stack_next(s, d + 1);
	if (unlikely(now >= READ_ONCE(run->stop_at)))
		kfi_run_stop(run, KFI_BY_TIME, 0);
}

/**
 * kfi_call_exit() - A function returns.
 * @run: the live run, triggered
 * @cpu: this cpu
 * @cpunr: its number
 * @s: shadow stack of the current task, begun for @run
 * @func: address of the function
 * @ctx: enum kfi_ctx, now
 *
 * Context: any; the caller stays on its cpu.
 */
static __always_inline void kfi_call_exit(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr,
					  struct kfi_stack *s, unsigned long func,
					  unsigned int ctx)
{
	long over = local_read(&s->over);
	u64 now, irq, off, dur, ran;
	enum kfi_count verdict;
	struct kfi_frame *f;
	u32 d;

	if (unlikely(over)) {
		if (unlikely(over < 0))
			kfi_call_bad(run, KFI_BAD_OVER);
		kfi_local_cmpxchg(&s->over, over, over - 1);
		return;
	}
	d = kfi_stack_frames(s);
	/* Unless it is plain, and in its own context, this may add to what interrupts took. */
	if (unlikely(d - 1 >= KFI_STACK_DEPTH ||
		     ctx != s->frame[d - 1].fast >> KFI_FAST_CTX_SHIFT))
		kfi_stack_settle(s);
	if (unlikely(d - 1 >= KFI_STACK_DEPTH || s->frame[d - 1].func != func)) {
		d = kfi_call_unwind(run, cpu, cpunr, s, func, ctx);
		if (!d)
			return;
	}
	f = &s->frame[d - 1];
	kfi_stack_fill(s, f);
	now = kfi_read(s, &irq);
	/* The run was stopped in an interrupt that has just left its calls open: so is this one. */
	if (unlikely(kfi_stack_frames(s) != d))
		return;
	if (unlikely(!f->entry)) {
		kfi_call_untimed(run, cpu, cpunr, s, d, KFI_MARK_NOTIME);
		return;
	}
	if (unlikely(now < f->entry)) {
		kfi_count_add_one(cpu, KFI_STEPS_BACK);
		now = f->entry;
	}
	dur = now - f->entry;
	off = s->off - f->off;
	irq -= f->irq;
	ran = likely(off + irq <= dur) ? dur - off - irq : 0;
	/*
	 * irq_enter() is entered before the context says interrupt, irq_exit() left after it did.
	 */
	if (KFI_AT_CTX(f->at) > ctx)
		ctx = KFI_AT_CTX(f->at);
	verdict = kfi_filter_call(&run->filter, &(struct kfi_what) {
		.func = func, .ctx = ctx, .depth = d, .pid = s->pid, .cpu = cpunr,
		.under = f->at & KFI_AT_UNDER
	}, dur);
	if (likely(verdict != KFI_KEPT)) {
		kfi_count_add_one(cpu, verdict);
	} else {
		struct kfi_rec r = {
			.func = func,
			.site = f->site,
			.entry = f->entry,
			.exit = now,
			.local = likely(f->child <= ran) ? ran - f->child : 0,
			.off = off,
			.irq = irq,
			.pid = s->pid,
			.depth = (u16)d,
			.ctx = (u8)ctx,
		};

		kfi_call_write(run, cpu, cpunr, &r, KFI_KEPT);
	}
	if (unlikely(now >= READ_ONCE(run->stop_at)))
		kfi_run_stop(run, KFI_BY_TIME, 0);
	/*
	 * An interrupt's outermost call is not the interrupted function's, but was taken from it.
	 * What other interrupts took of it has been added before. One that came since the clock was
	 * read has added its time, too, and is no part of it: so this adds, and does not set.
	 */
	if (unlikely(ctx > kfi_stack_below(s, d)))
		kfi_sum_add(&s->irq, dur - irq);
	else if (d > 1)
		s->frame[d - 2].child += ran;
	kfi_stack_pop(s, d);
}

#endif /* KFI_CALL_H */
