/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The frame protocol: how the hooks push a frame on a shadow stack, and pop it. stack.h describes
 * the stack, its plain frames and their tags.
 *
 * An interrupt may push and pop frames above the current one between any two instructions of a
 * hook. So a push reserves a frame before it fills it, and a pop reads a frame before it frees it.
 * One operation that is atomic on its CPU moves the top of the stack. There are two back ends: an
 * atomic add (x86), and a store that fails if an exception came since the load
 * (KFI_LOCAL_EXCLUSIVE, core/port_arm64.h).
 */
#ifndef KFI_FRAME_H
#define KFI_FRAME_H

#include "core/run.h"

/* ---- both paths ---- */

/**
 * kfi_frame_reserve() - Reserve the first free frame. The caller fills it.
 * @s: the stack
 *
 * Context: the task itself or an interrupt on top of it.
 * Return: the frame. On a full stack it is one of @end, which the caller must free again.
 */
static __always_inline struct kfi_frame *kfi_frame_reserve(struct kfi_stack *s)
{
	struct kfi_frame *f;

	barrier();
	f = (struct kfi_frame *)kfi_local_fetch_add(sizeof(*f), &s->top);
	barrier();	/* reserve, then fill: an interrupt pushes above */
	return f;
}

/**
 * kfi_frame_free() - Free the topmost frame.
 * @s: the stack
 * @f: the frame. The caller has read it and has reset its fields to those of a free frame
 *
 * Context: the task itself or an interrupt on top of it.
 * Return: false if @f is not the topmost frame. Then an interrupt has stopped the session and left
 * its own frames above @f, and no interrupt pushes frames any more.
 */
static __always_inline bool kfi_frame_free(struct kfi_stack *s, struct kfi_frame *f)
{
	barrier();	/* read, then free: an interrupt pushes here next */
#ifdef KFI_LOCAL_EXCLUSIVE
	do {
		if (likely(kfi_local_replace(&s->top, (long)(f + 1), (long)f)))
			return true;
	} while (kfi_stack_top(s) == f + 1);
#else
	if (likely(kfi_local_fetch_add(-(long)sizeof(*f), &s->top) == (long)(f + 1)))
		return true;
	local_add(sizeof(*f), &s->top);
#endif
	return false;
}

/**
 * kfi_stack_fill_plain() - Fill the fields that a plain frame leaves out, and keep its tag.
 * @s: the stack
 * @f: its topmost frame
 *
 * The slow path calls this when it handles the exit of a call that the fast path entered.
 *
 * Context: the task itself or an interrupt on top of it.
 */
static __always_inline void kfi_stack_fill_plain(struct kfi_stack *s, struct kfi_frame *f)
{
	u64 irq = kfi_counter_read(&s->irq);
	u32 tag;

	barrier();	/* read, then check: an interrupt clears the tag before it adds to @irq */
	tag = READ_ONCE(f->tag);
	if (!tag)
		return;
	kfi_frame_set_sums(f, s->off, irq);
	f->at = KFI_AT(s->cpu, tag >> KFI_FAST_CTX_SHIFT);
}

/**
 * kfi_frame_free_reset() - Free the topmost frame, and give the one above a task's tag.
 * @s: the stack
 * @f: the frame. The caller has read it
 *
 * It undoes what kfi_fast_set_context() did for an interrupt's frame. Must hold: the free frames
 * above the first free one have the task's tag or 0. So no frame that a task pushes later can be
 * taken for a frame of an interrupt. Until @f is free the one above is the first free one.
 *
 * Context: the task itself or an interrupt on top of it.
 * Return: as kfi_frame_free().
 */
static __always_inline bool kfi_frame_free_reset(struct kfi_stack *s, struct kfi_frame *f)
{
	f->at = 0;
	if (unlikely(!kfi_frame_free(s, f)))
		return false;
	if (f->depth < KFI_STACK_DEPTH)
		f[1].tag = s->tag;
	return true;
}

/**
 * kfi_stack_push() - Reserve a frame, on the slow path.
 * @s: the stack
 * @ctx: enum kfi_ctx
 * @plain: false if the frame must not be a plain one: the function is a stop trigger
 *
 * The frame is a plain one where that is possible, so that its exit can take the fast path.
 * Context: the task itself or an interrupt on top of it.
 * Return: the frame, which the caller fills; NULL if the stack is full.
 */
static __always_inline struct kfi_frame *kfi_stack_push(struct kfi_stack *s, unsigned int ctx,
							bool plain)
{
	u32 d = kfi_stack_frames(s), tag = plain ? kfi_next_tag(s, d, ctx) : 0;
	struct kfi_frame *f;

	if (!tag)
		kfi_stack_materialise(s);
	if (unlikely(d >= KFI_STACK_DEPTH))
		return NULL;
	/*
	 * Set the tag before the frame is reserved: an interrupt materialises the frames from the
	 * top down to the first one without a tag. One that comes before this line has
	 * materialised all frames below.
	 */
	kfi_stack_top(s)->tag = tag;
	f = kfi_frame_reserve(s);
	/* An interrupt stopped the session and left its frames: the stack is full now. */
	if (unlikely((u32)(f - s->frame) >= KFI_STACK_DEPTH)) {
		local_sub(sizeof(*f), &s->top);
		return NULL;
	}
	if (!tag)
		f->tag = 0;
	return f;
}

/**
 * kfi_stack_pop() - Free the topmost frame, on the slow path.
 * @s: the stack
 * @depth: its depth with that frame
 * @ctx: enum kfi_ctx, now
 *
 * Context: the task itself or an interrupt on top of it.
 */
static __always_inline void kfi_stack_pop(struct kfi_stack *s, u32 depth, unsigned int ctx)
{
	struct kfi_frame *f = &s->frame[depth - 1];

	if (unlikely(!kfi_frame_free_reset(s, f)))
		f->func = 0;
	else if (s->tag)
		f->tag = kfi_next_tag(s, depth - 1, ctx);
}

/* ---- interrupts ---- */

/**
 * kfi_stack_enter_interrupt() - Prepare a stack for the calls of an interrupt that begins.
 * @s: the stack of the task that is interrupted
 *
 * The interrupt will add its time to the stack, and its first frame is not plain. So no frame of
 * the stack stays plain, and the first free frame has no tag. The hooks rely on that: they do not
 * look in which context they run.
 * Context: an interrupt, a softirq or an NMI, before its first call; if a function changes the
 * context, before that.
 */
static __always_inline void kfi_stack_enter_interrupt(struct kfi_stack *s)
{
	if (!s->tag)
		return;
	__kfi_stack_materialise(s);
	if (likely(kfi_stack_is_sound(s)))
		kfi_stack_top(s)->tag = 0;
}

/**
 * kfi_stack_leave_interrupt() - Allow plain frames again behind an interrupt.
 * @s: the stack of the task that was interrupted
 * @ctx: enum kfi_ctx of what was interrupted
 *
 * @interrupts of the stack does not count that interrupt any more. irq_exit() itself and what it
 * calls then come after this.
 * Context: as kfi_stack_enter_interrupt().
 */
static __always_inline void kfi_stack_leave_interrupt(struct kfi_stack *s, unsigned int ctx)
{
	if (s->tag && likely(kfi_stack_is_sound(s)))
		kfi_stack_top(s)->tag = kfi_next_tag(s, kfi_stack_frames(s), ctx);
}

/* ---- the fast path ---- */

/* What a function of the fast path leaves to its caller. */
enum kfi_path {
	KFI_PATH_DONE,	/* nothing: the hook is complete */
	KFI_PATH_SLOW,	/* all: nothing was changed, and the hook takes the slow path */
	KFI_PATH_UNDO,	/* entry: free the frame (kfi_fast_undo()), then take the slow path */
	KFI_PATH_KEEP,	/* exit: write a record and pop the frame (kfi_fast_keep_packed()) */
};

/*
 * Finish the push of an interrupt's frame: store its context, and give the free frame above the
 * same tag, because the free frame has the task's. Return true if the frame is still a plain one,
 * that is, if no other interrupt came.
 */
static __always_inline bool kfi_fast_set_context(struct kfi_frame *f, unsigned int ctx, u32 tag)
{
	f->at = (u16)ctx;
	if (f->depth < KFI_STACK_DEPTH)
		f[1].tag = tag;
	barrier();
	return likely(READ_ONCE(f->tag) == tag);
}

/*
 * Return true if the tag of a frame, or that tag with KFI_FAST_TRIGGER, is one of the session in a
 * context. With a memory operand the comparison needs one register.
 * @tag: tag of the frame
 * @of: @tag or @entry_tag of struct kfi_fast, which have no context
 */
static __always_inline bool kfi_fast_has_tag(u32 tag, const u32 *of, unsigned int ctx)
{
	/* KFI_FAST_NONE equals none of these in any context. */
	static_assert(((KFI_FAST_COST | KFI_FAST_TRIGGER) & ((1u << KFI_FAST_CTX_SHIFT) - 1)) <
		      (KFI_FAST_NONE & ((1u << KFI_FAST_CTX_SHIFT) - 1)));
	return kfi_read_equal(of, tag ^ (u32)ctx << KFI_FAST_CTX_SHIFT);
}

#ifdef KFI_LOCAL_EXCLUSIVE

/*
 * Return true if @a and @same_a are the same, and set @zero, a variable, to 0 then: arm has the 0
 * in a register.
 */
#ifndef kfi_local_equal
#define kfi_local_equal(a, same_a, zero)	((zero) = 0, (a) == (same_a))
#endif

/* Return true if both pairs of numbers are the same, with one branch. */
#ifndef kfi_local_equal_both
#define kfi_local_equal_both(a, same_a, b, same_b)	((a) == (same_a) && (b) == (same_b))
#endif

/* kfi_local_store_two(), where it is cheaper if nobody uses the 0 of a store that has succeeded. */
#ifndef kfi_local_pop_two
#define kfi_local_pop_two		kfi_local_store_two
#endif

/*
 * Return true if an entry may push a plain frame although the free frame's tag differs from
 * @entry_tag of struct kfi_fast: the only difference is KFI_FAST_TRIGGER, and @func is not the
 * trigger.
 */
static __always_inline bool kfi_fast_may_push(const struct kfi_stack *s, u32 tag, u32 entry_tag,
					      unsigned long func)
{
	/* KFI_FAST_NONE without that bit is no tag of a frame either. */
	return (entry_tag & ~KFI_FAST_TRIGGER) == tag && func != s->trigger;
}

/*
 * Push a plain frame, for machines with a store that fails if an interrupt came since the load
 * (core/port_arm64.h). All entries use it.
 *
 * The successful store proves that no interrupt came since the top of the stack was loaded. So the
 * tag and the clock, which are read in between, belong together and need not be checked again. An
 * interrupt that comes before the store makes it fail. One that comes later finds a plain frame
 * whose fields are not filled yet, and does not need them.
 * @above: where to put the first frame above the new one
 * @now: where to put the raw clock count
 * @dropped: where to put @dropped of the stack
 * @zero: where to put a 0, for kfi_fast_fill(): on arm it is in a register already
 * Return: KFI_PATH_DONE: the frame is pushed, and kfi_fast_fill() must follow; or KFI_PATH_SLOW.
 */
static __always_inline enum kfi_path kfi_fast_push(const struct kfi_fast *fast,
						   struct kfi_stack *s, unsigned long func,
						   unsigned int ctx, struct kfi_frame **above,
						   u64 *now, long *dropped, u32 *zero)
{
	struct kfi_frame *top = (struct kfi_frame *)kfi_local_load_two(&s->top, dropped);
	u32 tag = READ_ONCE(top->tag);
	u32 entry_tag = kfi_plain_tag(READ_ONCE(fast->entry_tag), ctx);

	if (likely(kfi_local_equal(tag, entry_tag, *zero))) {
		*now = kfi_now_counter();
	} else {
		if (!kfi_fast_may_push(s, tag, entry_tag, func) || !kfi_now_lockless(now))
			return KFI_PATH_SLOW;
		*zero = 0;
		OPTIMIZER_HIDE_VAR(*zero);	/* arm: keeps the comparison one branch */
	}
	top++;
	OPTIMIZER_HIDE_VAR(top);	/* not kept in another register, too */
	if (!kfi_local_store_two(&s->top, (long)top, *dropped))
		return KFI_PATH_SLOW;
	*above = top;
	return KFI_PATH_DONE;
}

/*
 * Fill the frame that kfi_fast_push() has pushed: the one below @above. @zero is only for
 * kfi_hook_fill() of arch/entry.h, which has the same arguments.
 */
static __always_inline void kfi_fast_fill(struct kfi_frame *above, u64 now, long dropped,
					  u32 zero, unsigned long func, unsigned long site)
{
	above[-1].dropped = (u32)dropped;
	above[-1].child = 0;
	above[-1].entry = now;
	above[-1].site = site;
	above[-1].func = func;
}

/*
 * Return true if the fast path can subtract two times. Where a long has 32 bits it subtracts only
 * their low halves, so the high halves must be the same.
 */
static __always_inline bool kfi_fast_is_narrow(u64 now, u64 entry)
{
	return KFI_FAST_TIME_BITS == 64 || (now ^ entry) >> 32 == 0;
}

#ifndef kfi_fast_check
/*
 * Read the clock, then check that the frame below @top is a plain one of @func. Return true if it
 * is.
 *
 * The order matters: an interrupt between the two takes the tag away, so if the tag is there, the
 * time is that of an undisturbed call. A call that is dropped is checked once more, by the store
 * that frees its frame. A call that is kept has no such store, so this check must be complete.
 * @tag: the tag that the frame must have
 */
static __always_inline bool kfi_fast_check(struct kfi_frame *top, unsigned long func, u32 tag,
					   u64 *now, u64 *entry)
{
	unsigned long of;

	*now = kfi_now_counter();
#if BITS_PER_LONG == 64
	static_assert(offsetof(struct kfi_frame, func) ==
		      offsetof(struct kfi_frame, site) + sizeof(long));
	kfi_local_peek_two(top, (long)offsetof(struct kfi_frame, site) - (long)sizeof(*top), &of);
#else
	barrier();
	of = top[-1].func;
#endif
	*entry = top[-1].entry;
	return kfi_local_equal_both(of, func, READ_ONCE(top[-1].tag), tag) &&
	       kfi_fast_is_narrow(*now, *entry);
}
#endif

/*
 * The same as kfi_fast_check(), for a clock that is not read by one instruction. It may take long
 * to read, so this does not read it if no exit takes the fast path.
 */
static __always_inline bool kfi_fast_check_any_clock(const struct kfi_fast *fast,
						     struct kfi_frame *top, unsigned long func,
						     u64 *now, u64 *entry)
{
	u32 tag = READ_ONCE(fast->tag);

	if (tag == KFI_FAST_NONE || !kfi_now_lockless(now))
		return false;
	barrier();
	*entry = top[-1].entry;
	return kfi_local_equal_both(READ_ONCE(top[-1].func), func, READ_ONCE(top[-1].tag), tag) &&
	       kfi_fast_is_narrow(*now, *entry);
}

/*
 * Handle the exit of a task's function, as kfi_fast_exit() describes. Pops the frame of a call that
 * mintime drops; the frame of a call to keep stays.
 * @any_clock: true: the clock may need more than one instruction (KFI_CLOCK_SEVERAL)
 */
static __always_inline enum kfi_path kfi_fast_exit_task(const struct kfi_fast *fast,
							struct kfi_stack *s, unsigned long func,
							const bool any_clock,
							struct kfi_frame **at, u64 *end, u64 *dur,
							u32 *below)
{
	long dropped;
	struct kfi_frame *top = (struct kfi_frame *)kfi_local_load_two(&s->top, &dropped);
	unsigned long min;
	u64 now, entry;
	u32 tag;

	static_assert(offsetof(struct kfi_fast, min) ==
		      offsetof(struct kfi_fast, exit_tag) + sizeof(long));
	tag = (u32)kfi_local_peek_two(fast, offsetof(struct kfi_fast, exit_tag), &min);
	if (unlikely(!(any_clock ?
		       kfi_fast_check_any_clock(fast, top, func, &now, &entry) :
		       kfi_fast_check(top, func, tag, &now, &entry))))
		return KFI_PATH_SLOW;
	top--;
	OPTIMIZER_HIDE_VAR(top);
	*at = top;
	*end = now;
	*dur = KFI_FAST_TIME_BITS == 64 ? now - entry : (u32)now - (u32)entry;
	if ((unsigned long)*dur >= min) {
		*below = (u32)dropped - top->dropped;
		return KFI_PATH_KEEP;
	}
	if (likely(kfi_local_pop_two(&s->top, (long)top, dropped + 1))) {
		kfi_frame_add(&top[-1], *dur);
		return KFI_PATH_DONE;
	}
	return KFI_PATH_SLOW;
}

#endif

/**
 * kfi_fast_enter() - Handle a function entry on the fast path: push a plain frame.
 * @fast: the fast-path state
 * @s: shadow stack of the current task
 * @func: address of the function
 * @site: address of the call site
 * @ctx: enum kfi_ctx
 * @at: where to put the frame, for kfi_fast_undo()
 *
 * The tag of the free frame decides: it equals @entry_tag only if the session records, the stack
 * belongs to it and has a free frame, and the caller runs in the same context. With a store that
 * can fail, that is all. Without one, the tag is compared again after the clock was read, because
 * an interrupt in between takes it away.
 * Context: any; the caller stays on its cpu.
 * Return: KFI_PATH_DONE; KFI_PATH_SLOW: nothing was changed; KFI_PATH_UNDO: an interrupt came after
 * the frame was reserved, or the clock could not be read, and kfi_fast_undo() must follow.
 */
static __always_inline enum kfi_path kfi_fast_enter(const struct kfi_fast *fast,
						    struct kfi_stack *s, unsigned long func,
						    unsigned long site, unsigned int ctx,
						    struct kfi_frame **at)
{
	struct kfi_frame *f;
	u32 tag;
#ifdef KFI_LOCAL_EXCLUSIVE
	long dropped;
	u32 zero;
	u64 now;
#else
	bool timed;
#endif

#ifdef KFI_LOCAL_EXCLUSIVE
	if (kfi_fast_push(fast, s, func, ctx, &f, &now, &dropped, &zero) != KFI_PATH_DONE)
		return KFI_PATH_SLOW;
	kfi_fast_fill(f, now, dropped, zero, func, site);
	f--;
	/* An interrupt that came since the push has materialised the frame: set its cpu, too. */
	tag = kfi_plain_tag(s->tag, ctx);
	if (ctx != KFI_CTX_TASK && !kfi_fast_set_context(f, ctx, tag))
		f->at = KFI_AT(s->cpu, ctx);
	return KFI_PATH_DONE;
#else
	f = kfi_stack_top(s);
	tag = READ_ONCE(f->tag);
	if (unlikely(!kfi_fast_has_tag(tag, &fast->entry_tag, ctx)) &&
	    (!kfi_fast_has_tag(tag | KFI_FAST_TRIGGER, &fast->entry_tag, ctx) ||
	     func == s->trigger))
		return KFI_PATH_SLOW;
	f = kfi_frame_reserve(s);
	f->func = func;
	f->site = site;
	f->child = 0;
	f->dropped = kfi_stack_dropped_low(s);
	timed = kfi_now_lockless(&f->entry);
	barrier();	/* read the clock, then check the tag */
	*at = f;
	if (unlikely(!timed))
		return KFI_PATH_UNDO;
	/* Still the same: @tag of a stack does not change while a hook uses the stack. */
	tag = kfi_plain_tag(s->tag, ctx);
	if (ctx == KFI_CTX_TASK)
		return likely(f->tag == tag) ? KFI_PATH_DONE : KFI_PATH_UNDO;
	return kfi_fast_set_context(f, ctx, tag) ? KFI_PATH_DONE : KFI_PATH_UNDO;
#endif
}

/**
 * kfi_fast_undo() - Free the frame of a disturbed entry, which the slow path then handles.
 * @s: the stack, for which kfi_fast_enter() returned KFI_PATH_UNDO
 * @f: the frame that kfi_fast_enter() stored in @at
 * @ctx: the same as for kfi_fast_enter()
 *
 * If the interrupt stopped the session and left frames above @f, the frame cannot be freed. The
 * call then stays open, and the slow path finds no live session.
 * Context: as kfi_fast_enter().
 */
static __always_inline void kfi_fast_undo(struct kfi_stack *s, struct kfi_frame *f,
					  unsigned int ctx)
{
	if (ctx == KFI_CTX_TASK)
		kfi_frame_free(s, f);
	else if (unlikely(!kfi_frame_free_reset(s, f)))
		f->at = KFI_AT(s->cpu, ctx);
}

/*
 * Free the topmost frame of a call that has been counted: add its duration to the child time of the
 * calling function. If the session was stopped in an interrupt that left its frames above, mark the
 * frame as closed.
 */
static __always_inline void kfi_fast_pop(struct kfi_stack *s, struct kfi_frame *f,
					 unsigned int ctx, u64 dur)
{
	kfi_frame_add(&f[-1], dur);
	if (unlikely(ctx == KFI_CTX_TASK ? !kfi_frame_free(s, f) : !kfi_frame_free_reset(s, f)))
		f->func = 0;
}

/**
 * kfi_fast_exit_top() - Handle a function exit on the fast path: drop the call, or have it kept.
 * @fast: the fast-path state
 * @s: shadow stack of the current task
 * @f: its topmost frame, which the caller knows to be that of the call if it is a plain one
 * @ctx: enum kfi_ctx, now
 * @end: where to put the raw clock count; for KFI_PATH_KEEP, as the following two
 * @dur: where to put the raw counts since the function was entered
 * @below: where to put how many calls below it have no record
 *
 * The tag of the frame is compared after the clock was read. A call that is shorter than mintime,
 * or filtered by noints, is counted, and its frame is popped.
 * Context: as kfi_fast_enter().
 * Return: KFI_PATH_DONE: the call was dropped; KFI_PATH_SLOW: nothing was changed; KFI_PATH_KEEP:
 * the call is to be kept, and its frame is still there for kfi_fast_keep_packed().
 */
static __always_inline enum kfi_path kfi_fast_exit_top(const struct kfi_fast *fast,
						       struct kfi_stack *s, struct kfi_frame *f,
						       unsigned int ctx, u64 *end, u64 *dur,
						       u32 *below)
{
	u32 dropped;
	bool noints;
	u64 now;

	if (unlikely(!kfi_now_lockless(&now)))
		return KFI_PATH_SLOW;
	/* If the clock stepped back, @dur is huge: kfi_fast_keep_packed() rejects it. */
	*end = now;
	*dur = now - f->entry;
	noints = ctx != KFI_CTX_TASK && fast->noints;
	if (*dur >= fast->min && !noints) {
		dropped = kfi_stack_dropped_low(s);
		/*
		 * Read @dropped, then check the tag. The compiler keeps the order of volatile
		 * accesses. A barrier() would make it read the frame again.
		 */
		if (unlikely(!kfi_fast_has_tag(READ_ONCE(f->tag), &fast->tag, ctx)))
			return KFI_PATH_SLOW;
		*below = dropped - f->dropped;
		return KFI_PATH_KEEP;
	}
	barrier();	/* read the clock, then check the tag */
	if (unlikely(!kfi_fast_has_tag(f->tag, &fast->tag, ctx)))
		return KFI_PATH_SLOW;
	if (noints) {
		kfi_count_add_one(s->percpu, KFI_FILTERED_NOINTS);
		kfi_stack_drop(s);
	} else {
		kfi_stack_count(&s->dropped);
	}
	kfi_fast_pop(s, f, ctx, *dur);
	return KFI_PATH_DONE;
}

/**
 * kfi_fast_exit() - Handle a function exit on the fast path, by the function.
 * @fast: the fast-path state
 * @s: shadow stack of the current task
 * @func: address of the function
 * @ctx: enum kfi_ctx, now
 * @at: where to put the frame, for KFI_PATH_KEEP
 * @end: as kfi_fast_exit_top()
 * @dur: as kfi_fast_exit_top()
 * @below: as kfi_fast_exit_top()
 *
 * The topmost frame must be a plain one of @func.
 * Context: as kfi_fast_enter().
 * Return: as kfi_fast_exit_top().
 */
static __always_inline enum kfi_path kfi_fast_exit(const struct kfi_fast *fast,
						   struct kfi_stack *s, unsigned long func,
						   unsigned int ctx, struct kfi_frame **at,
						   u64 *end, u64 *dur, u32 *below)
{
#ifdef KFI_LOCAL_EXCLUSIVE
	if (ctx == KFI_CTX_TASK) {
		enum kfi_path path = kfi_fast_exit_task(fast, s, func, false, at, end, dur, below);

		/* A second time for any clock, so that other clocks do not slow down the first. */
		if (KFI_CLOCK_SEVERAL && path == KFI_PATH_SLOW)
			path = kfi_fast_exit_task(fast, s, func, true, at, end, dur, below);
		return path;
	}
#endif
	*at = kfi_stack_top(s) - 1;
	if (unlikely((*at)->func != func))
		return KFI_PATH_SLOW;
	return kfi_fast_exit_top(fast, s, *at, ctx, end, dur, below);
}

/**
 * kfi_fast_exit_by_site() - Handle a function exit on the fast path, by the call site.
 * @fast: the fast-path state
 * @s: shadow stack of the current task
 * @site: address of the call site, that is, what the function returns to
 * @ctx: enum kfi_ctx, now
 * @at: where to put the frame, for KFI_PATH_KEEP
 * @end: as kfi_fast_exit_top()
 * @dur: as kfi_fast_exit_top()
 * @below: as kfi_fast_exit_top()
 *
 * The topmost frame must be a plain one of a call from @site. As long as each call on the stack has
 * an entry and an exit, that is the frame that kfi_fast_exit() finds by the function. If an exit is
 * missing, the next one is that of a caller. Its call site is another one, unless the same
 * instruction has called both, one inside the other; kfi_fast_exit() would confuse two calls of the
 * same function, one inside the other.
 * Must hold: nobody replaces the return addresses of functions.
 * Context: as kfi_fast_enter().
 * Return: as kfi_fast_exit_top().
 */
static __always_inline enum kfi_path kfi_fast_exit_by_site(const struct kfi_fast *fast,
							   struct kfi_stack *s, unsigned long site,
							   unsigned int ctx, struct kfi_frame **at,
							   u64 *end, u64 *dur, u32 *below)
{
	*at = kfi_stack_top(s) - 1;
	if (unlikely((*at)->site != site))
		return KFI_PATH_SLOW;
	return kfi_fast_exit_top(fast, s, *at, ctx, end, dur, below);
}

#endif /* KFI_FRAME_H */
