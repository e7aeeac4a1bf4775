/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fast path of the entry and exit hooks. It handles a call if the session has no time trigger and
 * no filter except mintime and noints, the clock is a plain counter, and the call is not the first
 * of an interrupt. Everything else takes the slow path (core/call.h, slow.h). Both paths share the
 * shadow stack: core/stack.h explains plain frames.
 *
 * One comparison decides: a plain frame has the number of its session (@id of struct kfi_fast). It
 * differs if the session is over, if the stack is one of another session or has no more frames, or
 * if the topmost frame is of another context. The same comparison after the clock has been read
 * tells that no interrupt came and that the task was not switched out: both materialise the frame.
 *
 * The fast path needs no pointer to the session, no lock, and nothing that another CPU writes. It
 * counts calls on the stack, as the slow path does; the code that takes the calls off the stack
 * adds these up (kfi_call_flush()). An entry looks for a trigger only if there is one: see @any.
 */
#ifndef KFI_FAST_H
#define KFI_FAST_H

#include "core/call.h"

/* Is what lies side by side read at once? Then it is read together, else where it is needed. */
#if defined(KFI_LOCAL_EXCLUSIVE) && BITS_PER_LONG == 64
#define KFI_FAST_PAIRS		true
#else
#define KFI_FAST_PAIRS		false
#endif

/* Reads two registers at once, where that takes another instruction. */
#ifndef kfi_read64
#define kfi_read64(p)		(*(p))
#endif

/* What there is above a long. */
static __always_inline unsigned long kfi_fast_high(u64 n)
{
	return BITS_PER_LONG == 32 ? (unsigned long)(n >> 32) : 0;
}

/* The record of the call of the topmost frame is complete but for its first word. */
static __always_inline void kfi_fast_kept(struct kfi_stack *s, struct kfi_frame *f,
					  unsigned int ctx, u64 dur, u32 *w, u32 head)
{
	kfi_rec_commit(w, head | (u32)ctx << KFI_W0_CTX_SHIFT);
	kfi_stack_count(&s->kept);
	kfi_fast_pop(s, f, ctx, dur);
}

/* kfi_fast_keep(), which knows whether @below is 0. */
static __always_inline bool kfi_fast_pack(const struct kfi_fast *fast, struct kfi_stack *s,
					  struct kfi_frame *f, unsigned long func,
					  unsigned long text, unsigned int ctx, u64 end, u64 dur,
					  u32 below)
{
	unsigned long site = f->site - text;
	u64 local, rel;
	unsigned long wide;
	struct kfi_chunk *c;
	long used, room = KFI_FAST_PAIRS ? fast->room : 0;
	u32 head, *w;

	c = READ_ONCE(s->here->ring.chunk);
	if (unlikely(!c))
		return false;
	rel = end - kfi_read64(&c->base);
	/* What is to have 24 bits, 20, or 31; and no child took longer. Each depth has bits. */
	static_assert(KFI_STACK_DEPTH <= KFI_PACKED_DEPTH_MAX);
	wide = (unsigned long)dur | (unsigned long)rel >> (31 - KFI_PACKED_TIME_BITS);
	OPTIMIZER_HIDE_VAR(wide);	/* in this order a shift is free on some machines */
	wide |= (func | site) >> (KFI_PACKED_ADDR_BITS - KFI_PACKED_TIME_BITS);
	if (unlikely(wide >> KFI_PACKED_TIME_BITS || kfi_fast_high(dur | rel)))
		return false;
	if (unlikely(__builtin_sub_overflow(dur, kfi_read64(&f->child), &local)))
		return false;
	used = kfi_local_fetch_add(KFI_REC_PACKED + (below ? 1 : 0), &c->used);
	if (!KFI_FAST_PAIRS)
		room = fast->room;
	/* As unsigned: less than nothing is more than all, and found to be bad on the slow path. */
	if (unlikely((unsigned long)used > (unsigned long)room))
		return false;
	barrier();	/* nothing of what is written is in a register before */
	w = &((u32 *)c)[used];
	OPTIMIZER_HIDE_VAR(w);	/* what is before the words is part of the offset below */
	w += offsetof(struct kfi_chunk, words) / sizeof(*w);
	kfi_rec_put_packed(w, (u32)func, (u32)site, f->depth, (u32)rel, (u32)local);
	w[4] = kfi_rec_beside((u32)dur, (u32)local);
	head = s->head;
	if (below) {
		w[KFI_REC_PACKED] = below;
		head |= KFI_W0_BELOW;
	}
	kfi_fast_kept(s, f, ctx, dur, w, head);
	return true;
}

/**
 * kfi_fast_keep() - Write the record of a call that returns, as KFI_REC_PACKED.
 * @fast: what there is to be done
 * @s: shadow stack of the current task; kfi_fast_exit() said KFI_WAY_MORE, and no more has happened
 * @f: what it gave; not read again, for an interrupt in which the run was stopped may have left
 *	frames above it
 * @func: the function, relative to @text
 * @text: that of @fast
 * @ctx: as there
 * @end: what it gave
 * @dur: what it gave
 * @below: what it gave
 *
 * Context: as there.
 * Return: false: it is no such record, or the chunk is full: kfi_fast_keep_wide() is to be tried.
 */
static __always_inline bool kfi_fast_keep(const struct kfi_fast *fast, struct kfi_stack *s,
					  struct kfi_frame *f, unsigned long func,
					  unsigned long text, unsigned int ctx, u64 end, u64 dur,
					  u32 below)
{
	/* Twice, so that calls without one have no instruction for it. */
	if (unlikely(below))
		return kfi_fast_pack(fast, s, f, func, text, ctx, end, dur, below);
	return kfi_fast_pack(fast, s, f, func, text, ctx, end, dur, 0);
}

/**
 * kfi_fast_keep_wide() - Write the record of a call that returns, as a common one.
 * @fast: what there is to be done
 * @s: shadow stack of the current task; kfi_fast_keep() has said false
 * @f: as there
 * @ctx: as there
 * @dur: as there
 *
 * Takes the next chunk if the last one is full.
 * Context: as there.
 * Return: false: the call must take the slow path: its record is longer, or the log is full.
 */
bool kfi_fast_keep_wide(const struct kfi_fast *fast, struct kfi_stack *s, struct kfi_frame *f,
			unsigned int ctx, u64 dur);

#endif /* KFI_FAST_H */
