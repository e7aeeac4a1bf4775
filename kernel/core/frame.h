/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The frame protocol: how the hooks push a frame on a shadow stack, and pop it. stack.h has the
 * stack.
 *
 * Interrupts push and pop above the frame at work, at any point. So a push reserves a frame and
 * then fills it, and a pop reads and then frees. The top moves by one operation that is atomic on
 * its CPU. There are two back ends: an add or exchange, and a store that fails if an exception came
 * since the load (KFI_LOCAL_EXCLUSIVE, core/port_arm64.h).
 */
#ifndef KFI_FRAME_H
#define KFI_FRAME_H

#include "core/run.h"

/* ---- both paths ---- */

/**
 * kfi_frame_reserve() - Reserve the first free frame, which is to be filled then.
 * @s: the stack
 *
 * Context: the task itself or an interrupt on top of it.
 * Return: the frame; above the last one if there was none.
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
 * kfi_frame_free() - Free a frame, which has been read and is as a free one should be.
 * @s: the stack
 * @f: its topmost frame
 *
 * Context: the task itself or an interrupt on top of it.
 * Return: false if it is not the topmost one: the session was stopped in an interrupt, which has
 * left its frames above this one. No interrupt pushes any more then.
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
 * kfi_stack_fill() - Fill what is not filled in the topmost frame, which stays a plain one.
 * @s: the stack
 * @f: the frame
 *
 * Context: the task itself or an interrupt on top of it.
 */
static __always_inline void kfi_stack_fill(struct kfi_stack *s, struct kfi_frame *f)
{
	u64 irq = kfi_sum_read(&s->irq);

	barrier();	/* read, then look: an interrupt that adds to it settles the frame before */
	if (!READ_ONCE(f->fast))
		return;
	kfi_frame_away(f, s->off, irq);
	f->at = KFI_AT(s->cpu, f->fast >> KFI_FAST_CTX_SHIFT);
}

/**
 * kfi_stack_leave_above() - The topmost frame is about to go: let those above be the task's.
 * @s: the stack
 * @f: the frame
 *
 * Context: the task itself or an interrupt on top of it.
 */
static __always_inline void kfi_stack_leave_above(struct kfi_stack *s, struct kfi_frame *f)
{
	if (f->depth < KFI_STACK_DEPTH)
		f[1].fast = s->fast;
}

/**
 * kfi_stack_push() - Reserve a frame, on the slow path.
 * @s: the stack
 * @ctx: enum kfi_ctx
 * @plain: the call may have a plain frame: it is not that of a trigger
 *
 * Context: the task itself or an interrupt on top of it.
 * Return: the frame, to be filled; NULL if there is none left.
 */
static __always_inline struct kfi_frame *kfi_stack_push(struct kfi_stack *s, unsigned int ctx,
							bool plain)
{
	u32 d = kfi_stack_frames(s), fast = 0;
	unsigned long flags = 0;
	struct kfi_frame *f;
	bool softirq;

	if (likely(d < KFI_STACK_DEPTH) &&
	    (ctx == KFI_CTX_TASK || ctx == kfi_stack_below(s, d + 1)) && plain)
		fast = kfi_stack_next(s, d);
	if (!fast)
		kfi_stack_settle(s);
	if (unlikely(d >= KFI_STACK_DEPTH))
		return NULL;
	/*
	 * Plain from before it is on top: an interrupt settles the frames from there down to the
	 * first that is not plain. One that comes before this leaves all below settled.
	 */
	if (fast)
		kfi_stack_top(s)->fast = fast;
	/*
	 * A softirq at the end of an interrupt: the free frame may have what is plain for the
	 * interrupt. Another one would take the reserved frame for the interrupt's, and what it
	 * takes for that frame's.
	 */
	softirq = ctx != KFI_CTX_TASK && ctx < kfi_stack_below(s, d + 1);
	if (unlikely(softirq)) {
		kfi_irq_save(flags);
		kfi_stack_top(s)->fast = 0;
	}
	f = kfi_frame_reserve(s);
	if (unlikely(softirq))
		kfi_irq_restore(flags);
	/* An interrupt in which the session was stopped has left its frames. */
	if (unlikely((u32)(f - s->frame) >= KFI_STACK_DEPTH)) {
		local_sub(sizeof(*f), &s->top);
		return NULL;
	}
	if (!fast)
		f->fast = 0;
	return f;
}

/**
 * kfi_stack_pop() - Free the topmost frame, on the slow path.
 * @s: the stack
 * @depth: its depth with that frame
 *
 * Context: the task itself or an interrupt on top of it.
 */
static __always_inline void kfi_stack_pop(struct kfi_stack *s, u32 depth)
{
	struct kfi_frame *f = &s->frame[depth - 1];

	f->at = 0;
	kfi_stack_leave_above(s, f);
	if (unlikely(!kfi_frame_free(s, f)))
		f->func = 0;
	else if (s->fast)
		f->fast = kfi_stack_next(s, depth - 1);
}

/* ---- the fast path ---- */

/* What has become of a hook. */
enum kfi_way {
	KFI_WAY_DONE,	/* all is done */
	KFI_WAY_LONG,	/* nothing: it must take the slow path */
	KFI_WAY_MORE,	/* entered: kfi_fast_undo(), and the slow path; left: kfi_fast_keep() */
};

/* @any of struct kfi_fast is not what a free frame bears: may this function have the frame? */
static __always_inline bool kfi_fast_may_push(const struct kfi_stack *s, u32 plain, u32 any,
					      unsigned long func)
{
	/* No plain frame bears what is left of KFI_FAST_NONE. */
	return (any & ~KFI_FAST_TRIGGER) == plain && func != s->trigger;
}

/* A frame is an interrupt's: those above may be known as a task's. Return: is it plain still? */
static __always_inline bool kfi_fast_mark(struct kfi_frame *f, unsigned int ctx, u32 id)
{
	f->at = (u16)ctx;
	if (f->depth < KFI_STACK_DEPTH)
		f[1].fast = id;
	barrier();
	return likely(READ_ONCE(f->fast) == id);
}

#ifdef KFI_LOCAL_EXCLUSIVE

/*
 * The heart of all entries, and of tasks' exits, where a store can fail if an interrupt came
 * (core/port_arm64.h): what is read before, the clock, too, is valid together with what is stored,
 * and need not be looked at again. An interrupt that comes later finds a plain frame, though not
 * filled, or none. kfi_fast_fill() is to follow.
 */
static __always_inline enum kfi_way kfi_fast_push(const struct kfi_fast *fast,
						  struct kfi_stack *s, unsigned long func,
						  unsigned int ctx, u32 flags, const u32 other,
						  struct kfi_frame **above, u64 *now,
						  long *dropped)
{
	struct kfi_frame *top = (struct kfi_frame *)kfi_local_load_two(&s->top, dropped);
	u32 plain = READ_ONCE(top->fast);
	u32 any = kfi_stack_plain(READ_ONCE(fast->any), ctx);

	if (likely(kfi_local_is(flags, other, plain, any)))
		*now = kfi_now_counter();
	else if ((flags & other) || !kfi_fast_may_push(s, plain, any, func) || !kfi_now_bare(now))
		return KFI_WAY_LONG;
	top++;
	OPTIMIZER_HIDE_VAR(top);	/* not kept in another register, too */
	if (!kfi_local_store_two(&s->top, (long)top, *dropped))
		return KFI_WAY_LONG;
	*above = top;
	return KFI_WAY_DONE;
}

/* Fill the frame below @above that kfi_fast_push() has pushed. */
static __always_inline void kfi_fast_fill(struct kfi_frame *above, u64 now, long dropped,
					  unsigned long func, unsigned long site)
{
	above[-1].dropped = (u32)dropped;
	above[-1].child = 0;
	above[-1].entry = now;
	above[-1].site = site;
	above[-1].func = func;
}

/*
 * Where a long has 32 bits so have all times on the fast path: what lasts while the high half of
 * the clock changes takes the slow path.
 */
static __always_inline bool kfi_fast_is_narrow(u64 now, u64 entry)
{
	return KFI_FAST_BITS == 64 || (now ^ entry) >> 32 == 0;
}

#ifndef kfi_fast_look
/*
 * Read the clock, then look: is the frame below @top a plain one, of this function? What is to be
 * kept is not stored by what notices interrupts.
 */
static __always_inline bool kfi_fast_look(struct kfi_frame *top, unsigned long func, u32 flags,
					  const u32 other, u32 id, u64 *now, u64 *entry)
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
	return kfi_local_same(flags, other, of, func, READ_ONCE(top[-1].fast), id) &&
	       kfi_fast_is_narrow(*now, *entry);
}
#endif

/* kfi_fast_look() for a clock that is not read by one instruction. */
static __always_inline bool kfi_fast_look_asked(const struct kfi_fast *fast, struct kfi_frame *top,
						unsigned long func, u32 flags, const u32 other,
						u64 *now, u64 *entry)
{
	if (!kfi_now_bare(now))
		return false;
	barrier();
	*entry = top[-1].entry;
	return kfi_local_same(flags, other, READ_ONCE(top[-1].func), func,
			      READ_ONCE(top[-1].fast), READ_ONCE(fast->id)) &&
	       kfi_fast_is_narrow(*now, *entry);
}

/* @asked: the clock is to be asked how it is read. */
static __always_inline enum kfi_way kfi_fast_drop(const struct kfi_fast *fast, struct kfi_stack *s,
						  unsigned long func, u32 flags,
						  const u32 other, const bool asked,
						  struct kfi_frame **at, u64 *end, u64 *dur,
						  u32 *below)
{
	long dropped;
	struct kfi_frame *top = (struct kfi_frame *)kfi_local_load_two(&s->top, &dropped);
	unsigned long min;
	u64 now, entry;
	u32 id;

#if BITS_PER_LONG == 64
	static_assert(offsetof(struct kfi_fast, min) ==
		      offsetof(struct kfi_fast, counted) + sizeof(long));
	id = (u32)kfi_local_peek_two(fast, offsetof(struct kfi_fast, counted), &min);
#else
	id = READ_ONCE(fast->counted);
#endif
	if (unlikely(!(asked ?
		       kfi_fast_look_asked(fast, top, func, flags, other, &now, &entry) :
		       kfi_fast_look(top, func, flags, other, id, &now, &entry))))
		return KFI_WAY_LONG;
#if BITS_PER_LONG == 32
	min = READ_ONCE(fast->min);
#endif
	top--;
	OPTIMIZER_HIDE_VAR(top);
	*at = top;
	*end = now;
	*dur = KFI_FAST_BITS == 64 ? now - entry : (u32)now - (u32)entry;
	if ((unsigned long)*dur >= min) {
		*below = (u32)dropped - top->dropped;
		return KFI_WAY_MORE;
	}
	if (likely(kfi_local_store_two(&s->top, (long)top, dropped + 1))) {
		kfi_frame_add(&top[-1], *dur);
		return KFI_WAY_DONE;
	}
	return KFI_WAY_LONG;
}

#endif

/**
 * kfi_fast_enter() - A function was entered.
 * @fast: what there is to be done
 * @s: shadow stack of the current task
 * @func: address of the function
 * @site: address of the call site
 * @ctx: enum kfi_ctx
 * @at: where to put the frame, for KFI_WAY_MORE
 *
 * Context: any; the caller stays on its cpu.
 * Return: what has been done.
 */
static __always_inline enum kfi_way kfi_fast_enter(const struct kfi_fast *fast,
						   struct kfi_stack *s, unsigned long func,
						   unsigned long site, unsigned int ctx,
						   struct kfi_frame **at)
{
	struct kfi_frame *f;
	u32 plain;
#ifdef KFI_LOCAL_EXCLUSIVE
	long dropped;
	u64 now;
#else
	bool timed;
	u32 any;
#endif

#ifdef KFI_LOCAL_EXCLUSIVE
	if (kfi_fast_push(fast, s, func, ctx, 0, 1, &f, &now, &dropped) != KFI_WAY_DONE)
		return KFI_WAY_LONG;
	kfi_fast_fill(f, now, dropped, func, site);
	f--;
	/* An interrupt that has come since has settled the frame: then it has its cpu, too. */
	plain = kfi_stack_plain(s->fast, ctx);
	if (ctx != KFI_CTX_TASK && !kfi_fast_mark(f, ctx, plain))
		f->at = KFI_AT(s->cpu, ctx);
	return KFI_WAY_DONE;
#else
	f = kfi_stack_top(s);
	plain = READ_ONCE(f->fast);
	any = kfi_stack_plain(READ_ONCE(fast->any), ctx);
	if (unlikely(plain != any) && !kfi_fast_may_push(s, plain, any, func))
		return KFI_WAY_LONG;
	f = kfi_frame_reserve(s);
	f->func = func;
	f->site = site;
	f->child = 0;
	f->dropped = kfi_stack_now_dropped(s);
	timed = kfi_now_bare(&f->entry);
	barrier();	/* read the clock, then look whether anything came before */
	*at = f;
	if (unlikely(!timed))
		return KFI_WAY_MORE;
	if (ctx == KFI_CTX_TASK)
		return likely(f->fast == plain) ? KFI_WAY_DONE : KFI_WAY_MORE;
	return kfi_fast_mark(f, ctx, plain) ? KFI_WAY_DONE : KFI_WAY_MORE;
#endif
}

/**
 * kfi_fast_undo() - Take an entry back in which an interrupt came; the slow path is to follow.
 * @s: the stack; kfi_fast_enter() said KFI_WAY_MORE
 * @f: what it gave
 * @ctx: as there
 *
 * Not if the interrupt has left frames above, since the run was stopped in it: then this call stays
 * open below them, and there is nothing to follow.
 * Context: as kfi_fast_enter().
 */
static __always_inline void kfi_fast_undo(struct kfi_stack *s, struct kfi_frame *f,
					  unsigned int ctx)
{
	if (ctx != KFI_CTX_TASK) {
		f->at = 0;
		kfi_stack_leave_above(s, f);
	}
	if (unlikely(!kfi_frame_free(s, f)) && ctx != KFI_CTX_TASK)
		f->at = KFI_AT(s->cpu, ctx);
}

/* The call of the topmost frame is accounted for: give its time to the caller, free the frame. */
static __always_inline void kfi_fast_pop(struct kfi_stack *s, struct kfi_frame *f,
					 unsigned int ctx, u64 dur)
{
	kfi_frame_add(&f[-1], dur);
	if (ctx != KFI_CTX_TASK) {
		f->at = 0;
		kfi_stack_leave_above(s, f);
	}
	if (unlikely(!kfi_frame_free(s, f)))
		f->func = 0;
}

/**
 * kfi_fast_exit() - A function returns.
 * @fast: what there is to be done
 * @s: shadow stack of the current task
 * @func: address of the function
 * @ctx: enum kfi_ctx, now
 * @at: where to put its frame, for KFI_WAY_MORE
 * @end: where to put the raw clock count, likewise
 * @dur: where to put the raw counts since it was entered, likewise
 * @below: where to put how many calls below it have no record, likewise
 *
 * Context: as kfi_fast_enter().
 * Return: what has been done; KFI_WAY_MORE: the call is to be kept.
 */
static __always_inline enum kfi_way kfi_fast_exit(const struct kfi_fast *fast,
						  struct kfi_stack *s, unsigned long func,
						  unsigned int ctx, struct kfi_frame **at,
						  u64 *end, u64 *dur, u32 *below)
{
	struct kfi_frame *f;
	u32 dropped;
	bool noints;
	u64 now;

#ifdef KFI_LOCAL_EXCLUSIVE
	if (ctx == KFI_CTX_TASK) {
		enum kfi_way way = kfi_fast_drop(fast, s, func, 0, 1, false, at, end, dur, below);

		if (KFI_CLOCK_ASKED && way == KFI_WAY_LONG)
			way = kfi_fast_drop(fast, s, func, 0, 1, true, at, end, dur, below);
		return way;
	}
#endif
	f = kfi_stack_top(s) - 1;
	if (unlikely(f->func != func))
		return KFI_WAY_LONG;
	if (unlikely(!kfi_now_bare(&now)))
		return KFI_WAY_LONG;
	/* A clock that has stepped back makes it long, and is seen when the call is to be kept. */
	*at = f;
	*end = now;
	*dur = now - f->entry;
	noints = ctx != KFI_CTX_TASK && fast->noints;
	if (*dur >= fast->min && !noints) {
		dropped = kfi_stack_now_dropped(s);
		/*
		 * Read, then look. Accesses that are volatile stay in their order, and what has
		 * been read of the frame need not be read again.
		 */
		if (unlikely(READ_ONCE(f->fast) != kfi_stack_plain(READ_ONCE(fast->id), ctx)))
			return KFI_WAY_LONG;
		*below = dropped - f->dropped;
		return KFI_WAY_MORE;
	}
	barrier();	/* read the clock, then look whether anything came before */
	if (unlikely(f->fast != kfi_stack_plain(READ_ONCE(fast->id), ctx)))
		return KFI_WAY_LONG;
	if (noints) {
		kfi_count_add_one(s->here, KFI_FILTERED_NOINTS);
		kfi_stack_drop_for(s);
	} else {
		kfi_stack_count(&s->dropped);
	}
	kfi_fast_pop(s, f, ctx, *dur);
	return KFI_WAY_DONE;
}

#endif /* KFI_FRAME_H */
