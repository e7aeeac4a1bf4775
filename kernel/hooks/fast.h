/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fast path of the entry and exit hooks, which the compiler calls where a function begins and ends.
 *
 * Compared with function_graph of ftrace: the shadow stack is its ret_stack, and a frame is an
 * entry of it. But return addresses stay as they are, because the compiler calls an exit hook, too.
 * An entry pushes a frame and writes nothing into the log. The exit pops the frame, and writes one
 * record with the duration if the call is kept.
 *
 * There are two paths through a hook, and both work on the same shadow stack (core/stack.h,
 * core/frame.h):
 *
 *	fast path	the usual call. The session (one recording; a "run" in the sources) has no
 *			time trigger, nothing else to do at an entry than to push a frame, and a
 *			clock that is a plain counter. At an exit the hook drops the call because of
 *			mintime, which is ftrace's tracing_thresh, or noints, which drops calls in
 *			interrupts, unless return values are recorded or there is onlyints. It keeps
 *			the call if there are no other filters and no profile, and if the log does
 *			not overwrite. If it cannot keep calls, it takes this path only with mintime
 *			(kfi_fast_part()). The hook reads no session, and writes nothing that
 *			another CPU writes.
 *	slow path	every other call (core/call.h, hooks/slow.h). It finds the session, and
 *			checks all triggers and all filters. The first call of an interrupt is one
 *			of these, because its time is interrupt time of the interrupted calls.
 *
 * A plain frame is a frame that the fast path can push and pop: since its push no interrupt came
 * and its task was not switched out. Only a plain frame has a tag, which is a number for its
 * session and context, that is task, softirq, hard interrupt or NMI (@tag of struct kfi_fast). A
 * hook compares one tag, and knows by that whether it can take the fast path. The tags differ if
 * the session is over, if the stack belongs to another session or is full, or if the topmost frame
 * belongs to another context. Interrupts and task switches set the tags of plain frames to 0
 * (kfi_stack_materialise()), and an interrupt does so before its first call, with the tag of the
 * first free frame, too. So a hook does not look whether it runs in an interrupt. It compares again
 * after it has read the clock: if the tags are still the same, no interrupt came in between, and
 * the time that it has read is right. A stop trigger is looked for only if the session has one: see
 * @entry_tag of struct kfi_fast.
 *
 * The exit hook has two kinds of records, which kfi_abi.h draws. It tries the first, then the
 * second, and leaves a call that fits neither to the slow path:
 *
 *	packed record	the short form, with few bits for each value: kfi_fast_keep_packed(), inline
 *			in the hook. One more word holds the number of calls below that have no
 *			record (@below), unless it is 0.
 *	common record	one word for each value: kfi_fast_keep_common(), out of line. @below must
 *			be 0.
 *
 * Order of the functions, each of which returns what is left to do (enum kfi_path):
 *
 *	entry	kfi_fast_enter() pushes a frame. KFI_PATH_UNDO: an interrupt came, so
 *		kfi_fast_undo() frees the frame, and the slow path pushes it again
 *	exit	kfi_fast_exit() pops a call that is filtered. KFI_PATH_KEEP: the call is kept, so
 *		kfi_fast_keep_packed() or kfi_fast_keep_common() writes its record and pops it.
 *		kfi_fast_exit_by_site() does the same for a hook that has the call site at hand, and
 *		would have to compute the function
 *
 * Kept and filtered calls are counted on the shadow stack, as on the slow path. kfi_call_flush()
 * adds these counts to those of a CPU when the session gives the stack up. On arm the calls with
 * packed records are counted in their chunks instead (@kept of struct kfi_chunk).
 *
 * Unlike ftrace's callbacks the hooks have no recursion guard: they call nothing instrumented, and
 * an interrupt in the middle of a hook pushes and pops above the frame at work
 * (Documentation/design.rst of KFI). The caller has turned preemption off.
 */
#ifndef KFI_FAST_H
#define KFI_FAST_H

#include "core/call.h"

/*
 * True if one instruction loads two neighbouring words (arm64 ldp). @text and @room of struct
 * kfi_fast are neighbours: then @room is loaded at the beginning, together with @text.
 */
#if defined(KFI_LOCAL_EXCLUSIVE) && BITS_PER_LONG == 64
#define KFI_FAST_LOAD_PAIRS	true
#else
#define KFI_FAST_LOAD_PAIRS	false
#endif

/*
 * True if a hook may use so few registers that it runs out of them when it writes a record with
 * @below. Then __kfi_fast_keep_packed() works in another order. It has 64 bits in a register.
 */
#ifdef __x86_64__
#define KFI_FAST_FEW_REGISTERS	true
#else
#define KFI_FAST_FEW_REGISTERS	false
#endif

/* Read 64 bits. arm has an instruction of its own for two registers (core/port_arm.h). */
#ifndef kfi_read64
#define kfi_read64(p)		(*(p))
#endif

/* True if a call with a packed record is counted when its space is reserved (core/port_arm.h). */
#ifdef KFI_CHUNK_COUNTS
#define KFI_FAST_COUNTED true
#else
#define KFI_FAST_COUNTED false
#endif

/* Return the bits of @n that a long does not hold. */
static __always_inline unsigned long kfi_fast_high(u64 n)
{
	return BITS_PER_LONG == 32 ? (unsigned long)(n >> 32) : 0;
}

/*
 * Finish the exit of a call that is kept: store the first word of its record, which makes the
 * record valid, count the call, and pop its frame. Must hold: all other words are written.
 * @is_counted: the call is counted already
 */
static __always_inline void kfi_fast_commit(struct kfi_stack *s, struct kfi_frame *f,
					    unsigned int ctx, u64 dur, u32 *w, u32 head,
					    const bool is_counted)
{
	kfi_rec_commit(w, head | (u32)ctx << KFI_W0_CTX_SHIFT);
	if (!is_counted)
		kfi_stack_count(&s->kept);
	kfi_fast_pop(s, f, ctx, dur);
}

/*
 * Do the work of kfi_fast_keep_packed(): check that the call fits a packed record, reserve space in
 * the current chunk of this CPU, write the record, and pop the frame. One addition reserves the
 * space: an interrupt that writes records in the middle of this gets the space behind it.
 *
 * Word 4 of the record has @dur and the lower bits of the self time, and word 2 has the others.
 * With KFI_FAST_FEW_REGISTERS both times are merged into one number of 64 bits, @both: it has word
 * 4 and above that the bits for word 2. Usually @dur is kept, too, and added to the caller's frame
 * at the end. With @early, no register is free for that: so this is done before the space is
 * reserved, and undone if the chunk is full.
 */
static __always_inline bool __kfi_fast_keep_packed(const struct kfi_fast *fast, struct kfi_stack *s,
						   struct kfi_frame *f, unsigned long func,
						   unsigned long text, unsigned int ctx,
						   u64 end, u64 dur, u32 below)
{
	const bool early = KFI_FAST_FEW_REGISTERS && below;	/* a constant in each copy */
	const long words = KFI_REC_PACKED + (below ? 1 : 0);
	unsigned long site = f->site - text;
	u32 head, *w;
	u64 local, rel, both;
	unsigned long excess;
	struct kfi_chunk *c;
	long used, room = KFI_FAST_LOAD_PAIRS ? fast->room : 0;

	c = READ_ONCE(s->percpu->ring.chunk);
	/*
	 * A packed record has KFI_PACKED_TIME_BITS for @dur, 31 bits for @rel, and
	 * KFI_PACKED_ADDR_BITS each for function and call site. All are shifted so that a value
	 * that does not fit has a bit above the lowest KFI_PACKED_TIME_BITS. So one comparison of
	 * @excess, the OR of all, checks all of them.
	 */
	static_assert(KFI_STACK_DEPTH <= KFI_PACKED_DEPTH_MAX);
	if (early && unlikely((func | site) >> KFI_PACKED_ADDR_BITS))
		return false;
	rel = end - kfi_read64(&c->base);
	excess = (unsigned long)dur | (unsigned long)rel >> (31 - KFI_PACKED_TIME_BITS);
	/* Keeps the order of these ORs: each shifts its operand in the same instruction on arm. */
	OPTIMIZER_HIDE_VAR(excess);
	if (!early)
		excess |= (func | site) >> (KFI_PACKED_ADDR_BITS - KFI_PACKED_TIME_BITS);
	if (unlikely(excess >> KFI_PACKED_TIME_BITS || kfi_fast_high(dur | rel)))
		return false;
	if (unlikely(__builtin_sub_overflow(dur, kfi_read64(&f->child), &local)))
		return false;
	both = KFI_FAST_FEW_REGISTERS ? dur | local << KFI_PACKED_TIME_BITS : 0;
	if (early) {
		kfi_frame_add(&f[-1], dur);
		/* Without this the compiler would merge later, when no register is free. */
		OPTIMIZER_HIDE_VAR(both);
	}
#ifdef KFI_CHUNK_COUNTS
	/* Counts the call, too. Here @used includes this record. */
	used = kfi_local_add_two(&c->used, words, 1);
	room = fast->packed_end + (words - KFI_REC_PACKED);
#else
	used = kfi_local_fetch_add(words, &c->used);
	if (!KFI_FAST_LOAD_PAIRS)
		room = fast->room;
#endif
	/* Unsigned: a negative @used is too large, too. The slow path reports it as a bad state. */
	if (unlikely((unsigned long)used > (unsigned long)room)) {
		if (early)
			kfi_frame_add(&f[-1], -(both & ((1 << KFI_PACKED_TIME_BITS) - 1)));
#ifdef KFI_CHUNK_COUNTS
		kfi_local_add(-1, &c->kept);
#endif
		return false;
	}
	barrier();	/* load what is written only now: fewer registers are in use before */
	w = &((u32 *)c)[used];
	OPTIMIZER_HIDE_VAR(w);	/* so that the compiler puts the offset into the stores below */
	w += offsetof(struct kfi_chunk, words) / sizeof(*w);
	if (KFI_FAST_COUNTED)
		w -= words;
	if (KFI_FAST_FEW_REGISTERS) {
		static_assert(KFI_PACKED_TIME_BITS + KFI_PACKED_LOW_BITS == 32);
		kfi_rec_put_packed(w, (u32)func, (u32)site, (u32)(both >> 32), f->depth, (u32)rel,
				   (u32)both);
	} else {
		kfi_rec_put_packed(w, (u32)func, (u32)site, (u32)local >> KFI_PACKED_LOW_BITS,
				   f->depth, (u32)rel, kfi_rec_beside((u32)dur, (u32)local));
	}
	head = s->head;
	if (below) {
		w[KFI_REC_PACKED] = below;
		head |= KFI_W0_BELOW;
	}
	kfi_fast_commit(s, f, ctx, early ? 0 : dur, w, head, KFI_FAST_COUNTED);
	return true;
}

/**
 * kfi_fast_keep_packed() - Keep a call that returns: write a packed record, and pop its frame.
 * @fast: the fast-path state
 * @s: shadow stack of the current task, for which kfi_fast_exit() has just returned KFI_PATH_KEEP
 * @f: the frame from kfi_fast_exit(). It need not be the topmost one any more: an interrupt that
 *	stopped the session has left its own frames above
 * @func: the function, relative to @text
 * @text: text base: @text of @fast
 * @ctx: the same as for kfi_fast_exit()
 * @end: raw clock count at the exit, from kfi_fast_exit()
 * @dur: raw counts since the entry, from kfi_fast_exit()
 * @below: calls below without a record, from kfi_fast_exit()
 *
 * Context: any; the caller stays on its cpu.
 * Return: true if the call is kept and popped; false if it does not fit a packed record, or the
 * chunk is full. Then nothing is popped, and the caller tries kfi_fast_keep_common().
 */
static __always_inline bool kfi_fast_keep_packed(const struct kfi_fast *fast, struct kfi_stack *s,
						 struct kfi_frame *f, unsigned long func,
						 unsigned long text, unsigned int ctx,
						 u64 end, u64 dur, u32 below)
{
	/* Two copies: the one for the usual case, @below == 0, has no code for @below. */
	if (unlikely(below))
		return __kfi_fast_keep_packed(fast, s, f, func, text, ctx, end, dur, below);
	return __kfi_fast_keep_packed(fast, s, f, func, text, ctx, end, dur, 0);
}

/**
 * kfi_fast_keep_common() - Keep a call that returns: write a common record, and pop its frame.
 * @fast: the fast-path state
 * @s: shadow stack of the current task, for which kfi_fast_keep_packed() has just returned false
 * @f: the same as for kfi_fast_keep_packed()
 * @ctx: the same as for kfi_fast_keep_packed()
 * @dur: the same as for kfi_fast_keep_packed()
 *
 * Takes the next chunk of the ring if the current one is full. Reads the number of calls below
 * without a record again, because an interrupt may have changed it.
 * Context: any; the caller stays on its cpu.
 * Return: true if the call is kept and popped; false if it must take the slow path, because it does
 * not fit a common record, the log is full, or exits of this session keep none (kfi_fast_part()).
 */
bool kfi_fast_keep_common(const struct kfi_fast *fast, struct kfi_stack *s, struct kfi_frame *f,
			  unsigned int ctx, u64 dur);

#endif /* KFI_FAST_H */
