/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fast path of the entry and exit hooks. It handles a call if the session has no time trigger and
 * no filter except mintime and noints, the clock is a plain counter, and the call is not the first
 * of an interrupt (kfi_fast_can() has the whole list). Everything else takes the slow path
 * (core/call.h, slow.h). Both paths share the shadow stack (core/stack.h, core/frame.h).
 *
 * Compared with function_graph: the shadow stack is its ret_stack, and a frame is an entry of it.
 * But return addresses stay as they are, since the compiler calls an exit hook, too. An entry
 * writes nothing into the log. The exit writes one record, with the duration.
 *
 * A plain frame is a frame that the fast path can push and pop: since its push no interrupt came
 * and its task was not switched out. It has the tag of its session and context (@tag of struct
 * kfi_fast). One comparison of tags decides whether a hook can take the fast path. The tag differs
 * if the session is over, if the stack belongs to another session or is full, or if the topmost
 * frame belongs to another context. The same comparison after the clock was read shows that the
 * frame is still a plain one, because interrupts and task switches clear the tag
 * (kfi_stack_materialise()).
 *
 * The fast path needs no pointer to the session, no lock, and nothing that another CPU writes. It
 * counts calls on the stack, as the slow path does; kfi_call_flush() adds these counts up when the
 * stack is taken from the session. An entry looks for a stop trigger only if there is one: see
 * @entry_tag of struct kfi_fast.
 *
 * Order of the calls: kfi_fast_enter() (core/frame.h) at an entry; kfi_fast_exit() at an exit, and
 * for a call to keep kfi_fast_keep(), then kfi_fast_keep_wide() if the record is not a short one.
 */
#ifndef KFI_FAST_H
#define KFI_FAST_H

#include "core/call.h"

/* True if one instruction reads two neighbours (arm64 ldp): then both are read together, early. */
#if defined(KFI_LOCAL_EXCLUSIVE) && BITS_PER_LONG == 64
#define KFI_FAST_PAIRS		true
#else
#define KFI_FAST_PAIRS		false
#endif

/* True if a record with a number of calls below needs more registers than a hook may use. */
#ifdef __x86_64__
#define KFI_FAST_EARLY		true
#else
#define KFI_FAST_EARLY		false
#endif

/* Read 64 bits. arm has an instruction of its own for two registers (core/port_arm.h). */
#ifndef kfi_read64
#define kfi_read64(p)		(*(p))
#endif

/* Return the bits of @n that a long does not hold. */
static __always_inline unsigned long kfi_fast_high(u64 n)
{
	return BITS_PER_LONG == 32 ? (unsigned long)(n >> 32) : 0;
}

/*
 * Commit the record of the topmost frame's call by its first word, count the call as kept, and pop
 * the frame. All other words of the record are written.
 */
static __always_inline void kfi_fast_kept(struct kfi_stack *s, struct kfi_frame *f,
					  unsigned int ctx, u64 dur, u32 *w, u32 head)
{
	kfi_rec_commit(w, head | (u32)ctx << KFI_W0_CTX_SHIFT);
	kfi_stack_count(&s->kept);
	kfi_fast_pop(s, f, ctx, dur);
}

/*
 * Write a packed record into the current chunk of this CPU, and pop the frame: kfi_fast_keep()
 * describes arguments and result. It checks that the call fits a packed record, reserves space by
 * one addition, fills it, and commits it by its first word. If an interrupt writes records in
 * between, they are behind the reserved space.
 *
 * kfi_fast_keep() calls it at two places, so that the compiler makes a version for @below == 0. On
 * x86 the other version would need one register more than is free (KFI_FAST_EARLY). So it makes the
 * words with @dur before it reserves space, and adds @dur to the caller's frame already.
 */
static __always_inline bool kfi_fast_pack(const struct kfi_fast *fast, struct kfi_stack *s,
					  struct kfi_frame *f, unsigned long func,
					  unsigned long text, unsigned int ctx, u64 end, u64 dur,
					  u32 below)
{
	const bool early = KFI_FAST_EARLY && below;
	unsigned long site = f->site - text;
	u32 head, *w;
	u64 local, rel;
	unsigned long wide;
	struct kfi_chunk *c;
	long used, room = KFI_FAST_PAIRS ? fast->room : 0;

	c = READ_ONCE(s->percpu->ring.chunk);
	if (unlikely(!c))
		return false;
	rel = end - kfi_read64(&c->base);
	/*
	 * A packed record has KFI_PACKED_TIME_BITS for @dur, 31 bits for @rel, and
	 * KFI_PACKED_ADDR_BITS each for function and call site. One comparison checks all: @wide
	 * has a bit above the lowest KFI_PACKED_TIME_BITS if one of them does not fit.
	 */
	static_assert(KFI_STACK_DEPTH <= KFI_PACKED_DEPTH_MAX);
	if (early && unlikely((func | site) >> KFI_PACKED_ADDR_BITS))
		return false;
	wide = (unsigned long)dur | (unsigned long)rel >> (31 - KFI_PACKED_TIME_BITS);
	OPTIMIZER_HIDE_VAR(wide);	/* in this order a shift is free on some machines */
	if (!early)
		wide |= (func | site) >> (KFI_PACKED_ADDR_BITS - KFI_PACKED_TIME_BITS);
	if (unlikely(wide >> KFI_PACKED_TIME_BITS || kfi_fast_high(dur | rel)))
		return false;
	if (unlikely(__builtin_sub_overflow(dur, kfi_read64(&f->child), &local)))
		return false;
	if (early) {
		kfi_frame_add(&f[-1], dur);
		dur |= local << KFI_PACKED_TIME_BITS;
		local <<= KFI_PACKED_TIME_BITS;
		OPTIMIZER_HIDE_VAR(local);	/* shift this one again */
		site |= local >> 32 << KFI_PACKED_ADDR_BITS;
		OPTIMIZER_HIDE_VAR(site);	/* not later */
		OPTIMIZER_HIDE_VAR(dur);
	}
	used = kfi_local_fetch_add(KFI_REC_PACKED + (below ? 1 : 0), &c->used);
	if (!KFI_FAST_PAIRS)
		room = fast->room;
	/* Unsigned: a negative @used is too large, too. The slow path reports it as a bad state. */
	if (unlikely((unsigned long)used > (unsigned long)room)) {
		if (early)
			kfi_frame_add(&f[-1], -(dur & ((1 << KFI_PACKED_TIME_BITS) - 1)));
		return false;
	}
	barrier();	/* keeps the compiler from loading what is written before this */
	w = &((u32 *)c)[used];
	OPTIMIZER_HIDE_VAR(w);	/* so that the offset below is part of the stores */
	w += offsetof(struct kfi_chunk, words) / sizeof(*w);
	kfi_rec_put_packed(w, (u32)func, early ? (u32)site : kfi_rec_site((u32)site, (u32)local),
			   f->depth, (u32)rel);
	w[4] = early ? (u32)dur : kfi_rec_beside((u32)dur, (u32)local);
	head = s->head;
	if (below) {
		w[KFI_REC_PACKED] = below;
		head |= KFI_W0_BELOW;
	}
	kfi_fast_kept(s, f, ctx, early ? 0 : dur, w, head);
	return true;
}

/**
 * kfi_fast_keep() - Write a packed record of a call that returns, and pop its frame.
 * @fast: the fast-path state
 * @s: shadow stack of the current task, for which kfi_fast_exit() has just returned KFI_PATH_MORE
 * @f: the frame from kfi_fast_exit(). Do not look for it again: if an interrupt stopped the
 *	session, its frames may be above @f
 * @func: the function, relative to @text
 * @text: text base: @text of @fast
 * @ctx: the same as for kfi_fast_exit()
 * @end: raw clock count at the exit, from kfi_fast_exit()
 * @dur: raw counts since the entry, from kfi_fast_exit()
 * @below: calls below without a record, from kfi_fast_exit()
 *
 * Context: any; the caller stays on its cpu.
 * Return: true if it is done; false if the call does not fit a packed record, or the chunk is full:
 * then nothing is popped, and the caller tries kfi_fast_keep_wide().
 */
static __always_inline bool kfi_fast_keep(const struct kfi_fast *fast, struct kfi_stack *s,
					  struct kfi_frame *f, unsigned long func,
					  unsigned long text, unsigned int ctx, u64 end, u64 dur,
					  u32 below)
{
	/* Two calls, so that a call with @below == 0 spends no instruction on it. */
	if (unlikely(below))
		return kfi_fast_pack(fast, s, f, func, text, ctx, end, dur, below);
	return kfi_fast_pack(fast, s, f, func, text, ctx, end, dur, 0);
}

/**
 * kfi_fast_keep_wide() - Write a common record of a call that returns, and pop its frame.
 * @fast: the fast-path state
 * @s: shadow stack of the current task, for which kfi_fast_keep() has just returned false
 * @f: the same as for kfi_fast_keep()
 * @ctx: the same as for kfi_fast_keep()
 * @dur: the same as for kfi_fast_keep()
 *
 * Takes the next chunk of the ring if the last one is full.
 * Context: any; the caller stays on its cpu.
 * Return: true if it is done; false if the call must take the slow path, because its record is
 * longer than a common one or the log is full.
 */
bool kfi_fast_keep_wide(const struct kfi_fast *fast, struct kfi_stack *s, struct kfi_frame *f,
			unsigned int ctx, u64 dur);

#endif /* KFI_FAST_H */
