/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A call on the slow path: its frame is pushed at the function's entry; at the exit the frame is
 * popped, and the call is filtered and written.
 *
 * Inline is all that a normal call needs; the rest is in call.c. Called by hooks/slow.c and
 * hooks/hook.c with preemption off, and by the host tests from threads and signal handlers.
 */
#ifndef KFI_CALL_H
#define KFI_CALL_H

#include "core/frame.h"

/**
 * kfi_call_write() - Keep a call, or count it as lost.
 * @run: its session
 * @cpu: this cpu
 * @cpunr: its number
 * @r: the call
 *
 * A full log stops the session, unless it is one that overwrites, or a profile.
 * Context: any; the caller stays on its cpu, and counts the call if it is kept.
 * Return: true if it is kept.
 */
bool kfi_call_write(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, const struct kfi_rec *r);

/**
 * kfi_call_keep() - Keep a call that is over, or count it as lost.
 * @run: its session
 * @cpu: this cpu
 * @cpunr: its number
 * @s: the shadow stack
 * @r: the call
 *
 * Context: as kfi_call_write().
 * Return: true if it is kept.
 */
static __always_inline bool kfi_call_keep(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr,
					  struct kfi_stack *s, const struct kfi_rec *r)
{
	bool kept = kfi_call_write(run, cpu, cpunr, r);

	if (likely(kept))
		kfi_stack_keep(s);
	else
		kfi_stack_drop(s);
	return kept;
}

/**
 * kfi_call_drop() - Filter a call that is over, or count it as lost.
 * @cpu: this cpu
 * @s: the shadow stack
 * @why: what to count
 *
 * Context: as kfi_call_write().
 */
static __always_inline void kfi_call_drop(struct kfi_cpu *cpu, struct kfi_stack *s,
					  enum kfi_count why)
{
	kfi_count_add_one(cpu, why);
	kfi_stack_drop(s);
}

/**
 * kfi_call_event() - Keep an event, or count it as lost.
 * @run: its session, triggered
 * @cpu: this cpu
 * @cpunr: its number
 * @e: the event
 *
 * If a row of a watch does not fit, the log is full, as with a call. A mark that does not fit is
 * only counted.
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
 * Context: the stack must not change at the same time.
 * Return: false if the frame is closed: its call has been accounted for.
 */
bool kfi_call_open(const struct kfi_stack *s, u32 i, struct kfi_rec *r);

/**
 * kfi_call_filtered_by() - Return the filter that drops a call, or KFI_KEPT.
 * @run: its session
 * @r: the call
 *
 * Time filters are not applied.
 */
enum kfi_count kfi_call_filtered_by(const struct kfi_run *run, const struct kfi_rec *r);

/**
 * struct kfi_call_profile - a profile that a crash reads
 * @run: its session
 * @ncpus: cpus that @run has
 * @open: its open calls, those that are filtered included
 * @nopen: how many
 */
struct kfi_call_profile {
	const struct kfi_run *run;
	u32 ncpus;
	const struct kfi_rec *open;
	u32 nopen;
};

/**
 * kfi_call_count_sums() - Count the functions of a profile.
 * @p: the profile
 *
 * Context: any. What is being written may be read in part.
 * Return: how many.
 */
u32 kfi_call_count_sums(const struct kfi_call_profile *p);

/**
 * kfi_call_read_sums() - Read some functions of a profile, in the order of kfi_prof_by_total().
 * @p: the profile
 * @after: the last one that was read; NULL: from the first one on
 * @sums: filled: all cpus together; open calls are calls without times
 * @max: room in @sums
 *
 * Needs no memory for all functions, but reads them all each time.
 * Context: any. What is being written may be read in part.
 * Return: how many; 0: there are no more.
 */
u32 kfi_call_read_sums(const struct kfi_call_profile *p, const struct kfi_prof_sum *after,
		       struct kfi_prof_sum *sums, u32 max);

/**
 * kfi_call_died() - Write the open calls of a stack whose task has died.
 *
 * All filters apply to them but those of time, because the durations are unknown.
 * @run: the session whose calls they are
 * @cpu: this cpu
 * @cpunr: its number
 * @s: the shadow stack; the caller makes it one of no session
 *
 * Context: any; the caller stays on its cpu, the stack does not change at the same time.
 */
void kfi_call_died(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, struct kfi_stack *s);

/**
 * kfi_call_flush() - Add the counts that the fast path keeps on a stack to those of a cpu.
 * @cpu: any cpu of the session
 * @s: the shadow stack; the caller makes it one of no session
 *
 * Context: any; the stack does not change at the same time, and nobody else counts on @cpu.
 */
void kfi_call_flush(struct kfi_cpu *cpu, const struct kfi_stack *s);

/* The rare parts of kfi_call_enter() and kfi_call_exit(). */
void kfi_call_too_deep(struct kfi_run *run, struct kfi_cpu *cpu, struct kfi_stack *s);
void kfi_call_bad(struct kfi_run *run, enum kfi_bad what);
u16 kfi_call_at_entry(const struct kfi_run *run, struct kfi_stack *s, u32 d, unsigned long func);
u32 kfi_call_unwind(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, struct kfi_stack *s,
		    unsigned long func, unsigned int ctx);
void kfi_call_untimed(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, struct kfi_stack *s,
		      u32 depth, unsigned int ctx, u8 marks);

/**
 * kfi_call_read_clock() - Read the clock and the time that interrupts took, as one value.
 * @s: shadow stack of the current task
 * @irq: where to put @s->irq
 *
 * An interrupt that comes between adds to @irq, and then both are read again. So it falls wholly
 * before or wholly after the time that is returned, and every difference of two such pairs is
 * exact.
 * Context: any; the caller stays on its cpu.
 * Return: raw clock count; 0 while no clock runs.
 */
static __always_inline u64 kfi_call_read_clock(const struct kfi_stack *s, u64 *irq)
{
	u64 now;

	do {
		*irq = kfi_counter_read(&s->irq);
		barrier();
		now = kfi_now();
		barrier();
	} while (unlikely(*irq != kfi_counter_read(&s->irq)));
	return now;
}

/**
 * kfi_call_read_all() - Read the clock, and what has been added up on the stack until then.
 * @s: shadow stack of the current task
 * @irq: where to put @s->irq
 * @dropped: where to put kfi_stack_dropped_low()
 *
 * Does the same as kfi_call_read_clock() for three values.
 * Context: as kfi_call_read_clock().
 * Return: as kfi_call_read_clock().
 */
static __always_inline u64 kfi_call_read_all(const struct kfi_stack *s, u64 *irq, u32 *dropped)
{
	u64 now;

	do {
		*dropped = kfi_stack_dropped_low(s);
		barrier();
		now = kfi_call_read_clock(s, irq);
		barrier();
	} while (unlikely(*dropped != kfi_stack_dropped_low(s)));
	return now;
}

/**
 * kfi_call_enter() - Handle a function entry on the slow path: push its frame.
 * @run: the live session, triggered
 * @cpu: this cpu
 * @cpunr: its number
 * @s: shadow stack of the current task, begun for @run
 * @func: address of the function
 * @site: address of the call site
 * @ctx: enum kfi_ctx
 *
 * The call begins after the time that interrupts took while its frame was pushed. That time counts
 * for the calling function.
 * Context: any; the caller stays on its cpu.
 */
static __always_inline void kfi_call_enter(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr,
					   struct kfi_stack *s, unsigned long func,
					   unsigned long site, unsigned int ctx)
{
	struct kfi_frame *f = kfi_stack_push(s, ctx, func != run->stop_entry &&
						     func != run->stop_exit);
	u32 dropped, d;
	u64 now, irq;
	u16 at;

	if (unlikely(!f)) {
		kfi_call_too_deep(run, cpu, s);
		return;
	}
	d = (u32)(f - s->frame);
	if (likely(ctx == KFI_CTX_TASK)) {
		/* In irq_exit() the context may be task again, but the interrupt has not ended. */
		ctx = kfi_stack_ctx_below(s, d + 1);
		if (unlikely(ctx != KFI_CTX_TASK && atomic_read(&run->state) != KFI_TRIGGERED)) {
			/* Or it has stopped the session and left its frames. */
			if (!kfi_frame_free(s, f))
				f->func = 0;
			return;
		}
	}
	at = KFI_AT(cpunr, ctx);
	if (unlikely(run->at_entry))
		at |= kfi_call_at_entry(run, s, d, func);
	f->func = func;
	f->site = site;
	f->child = 0;
	now = kfi_call_read_all(s, &irq, &dropped);
	kfi_frame_set_sums(f, s->off, irq);
	f->dropped = dropped;
	f->entry = now;
	barrier();	/* a watch in an interrupt reads @at, then the other fields */
	f->at = at;
	barrier();	/* from here on an interrupt knows by @at what it interrupted */
	if (s->tag)
		f[1].tag = kfi_next_tag(s, d + 1, ctx);
	if (unlikely(now >= READ_ONCE(run->stop_at)))
		kfi_run_stop(run, KFI_BY_TIME, 0);
}

/**
 * kfi_call_exit() - Handle a function exit on the slow path: filter, record and pop the call.
 * @run: the live session, triggered
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
	long overflow = local_read(&s->overflow);
	u64 now, irq, off, dur, ran;
	unsigned int call_ctx = ctx;
	enum kfi_count verdict;
	struct kfi_frame *f;
	u32 d, dropped;

	if (unlikely(overflow)) {
		if (unlikely(overflow < 0))
			kfi_call_bad(run, KFI_BAD_OVER);
		/*
		 * Interrupts leave the count as they find it, unless one stops the session. Its
		 * calls stay open then, and so does this one: the cmpxchg fails, and that is all.
		 */
		kfi_local_cmpxchg(&s->overflow, overflow, overflow - 1);
		return;
	}
	d = kfi_stack_frames(s);
	/* This exit may add to @irq of the stack if the frame is not a plain one of @ctx. */
	if (unlikely(d - 1 >= KFI_STACK_DEPTH ||
		     ctx != s->frame[d - 1].tag >> KFI_FAST_CTX_SHIFT))
		kfi_stack_materialise(s);
	if (unlikely(d - 1 >= KFI_STACK_DEPTH || s->frame[d - 1].func != func)) {
		d = kfi_call_unwind(run, cpu, cpunr, s, func, ctx);
		if (!d)
			return;
	}
	f = &s->frame[d - 1];
	kfi_stack_fill_plain(s, f);
	now = kfi_call_read_all(s, &irq, &dropped);
	/*
	 * The session was stopped, and what an interrupt has taken since may not have been counted,
	 * or it has left its frames: this call stays open, too.
	 */
	if (unlikely(kfi_stack_frames(s) != d || atomic_read(&run->state) != KFI_TRIGGERED))
		return;
	if (unlikely(!f->entry)) {
		kfi_call_untimed(run, cpu, cpunr, s, d, ctx, KFI_MARK_NOTIME);
		return;
	}
	if (unlikely(now < f->entry)) {
		kfi_count_add_one(cpu, KFI_STEPS_BACK);
		now = f->entry;
	}
	dur = now - f->entry;
	off = kfi_frame_off(f, s->off);
	irq = kfi_frame_irq(f, irq);
	ran = likely(off + irq <= dur) ? dur - off - irq : 0;
	/*
	 * irq_enter() is entered before the context becomes interrupt, and irq_exit() is left after
	 * the context has become task again.
	 */
	if (KFI_AT_CTX(f->at) > ctx)
		call_ctx = KFI_AT_CTX(f->at);
	verdict = kfi_filter_call(&run->filter, &(struct kfi_what) {
		.func = func, .ctx = call_ctx, .depth = d, .pid = s->pid, .cpu = cpunr,
		.under = f->at & KFI_AT_UNDER, .between = f->between, .follows = s->follows
	}, dur);
	if (likely(verdict != KFI_KEPT)) {
		kfi_call_drop(cpu, s, verdict);
	} else {
		struct kfi_rec r = {
			.func = func,
			.site = f->site,
			.entry = f->entry,
			.exit = now,
			.local = likely(f->child <= ran) ? ran - f->child : 0,
			.off = off,
			.irq = irq,
			.below = kfi_frame_dropped_below(f, dropped),
			.pid = s->pid,
			.depth = (u16)d,
			.ctx = (u8)call_ctx,
		};

		kfi_call_keep(run, cpu, cpunr, s, &r);
	}
	if (unlikely(now >= READ_ONCE(run->stop_at)))
		kfi_run_stop(run, KFI_BY_TIME, 0);
	/*
	 * The outermost call of an interrupt is no child of the interrupted function: its time goes
	 * to @irq of the stack. Interrupts on top of it have added their own time already. One that
	 * came after the clock was read may have added to @irq, too, so this must add, not set.
	 */
	if (unlikely(call_ctx > kfi_stack_ctx_below(s, d)))
		kfi_counter_add(&s->irq, dur - irq);
	else if (d > 1)
		s->frame[d - 2].child += ran;
	kfi_stack_pop(s, d, ctx);
}

#endif /* KFI_CALL_H */
