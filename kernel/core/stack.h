/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The shadow stack of a task: its open calls, and those of the interrupts that run on top of it.
 *
 *	frame[0] frame[1] ...      then the free frames, from @top on, each with at == 0
 *	\_ the task's _/ \_ an interrupt's _/
 *
 * The task writes to it, and so do the interrupts and NMIs on its cpu, which push and pop frames
 * above those that they interrupted. So a push reserves a frame before it fills it, and a pop reads
 * a frame before it frees it. Each interrupt pops what it has pushed, unless the session is stopped
 * while it runs: then it leaves its frames. That is why atomic operations move @top, and why a
 * frame that cannot be popped, because others were left above it, is marked as closed.
 *
 * Plain frames are those of the fast path (hooks/fast.h). A frame is plain if it belongs to the
 * task, or to an interrupt whose first frame it is not; if no interrupt came on top of it; and if
 * its task was not switched out. Its @tag, which is not 0, says so. A plain frame leaves @off,
 * @irq_low, @irq_high and the cpu in @at unfilled, because the stack still has the same values.
 * Before one of these facts changes, kfi_stack_materialise() fills the fields of all plain frames
 * and sets their tags to 0. The same is done before a frame without a tag is pushed.
 *
 * Must hold: no plain frame is below a frame without a tag. The first free frame has the tag that a
 * plain frame would have there, or 0; while an interrupt runs that has no frame on the stack, it
 * does not have the task's (kfi_stack_enter_interrupt()). An interrupt that comes between two steps
 * of a push or a pop may find the task's tag there until it has called kfi_stack_enter_interrupt().
 * The free frames above it have the task's tag or 0, so that no frame that a task pushes is taken
 * for an interrupt's; a frame whose pop was interrupted may leave that of an interrupt above it,
 * which the slow path of the next hook there, or the next interrupt, replaces.
 */
#ifndef KFI_STACK_H
#define KFI_STACK_H

#include "kfi_abi.h"
#include "core/counter.h"
#include "core/port.h"

/* Frames of a shadow stack: with these it fits two 4 KiB pages on 64-bit machines. */
#define KFI_STACK_DEPTH		140

/*
 * A tag has the number of its session, and in the highest bits the context of the frame. No tag has
 * KFI_FAST_TRIGGER: struct kfi_fast sets it so that a comparison with a tag fails.
 */
#define KFI_FAST_CTX_SHIFT	30
#define KFI_FAST_TRIGGER	(1u << 29)
#define KFI_FAST_MAX		(KFI_FAST_TRIGGER - 3)

/* The tag while session/cost.c measures the hooks: no session has it. */
#define KFI_FAST_COST		(KFI_FAST_MAX + 1)

/*
 * On 32-bit machines with load and store exclusive, @top and the low half of @dropped are stored by
 * one instruction, which cannot carry into the high half. @kept is counted in the same way.
 * kfi_stack_materialise() moves bit 31 of the low half to the high half. Interrupts make it run
 * often, so it does so long before the low half overflows. On stacks without plain frames the slow
 * path moves the bit.
 */
#if defined(KFI_LOCAL_EXCLUSIVE) && BITS_PER_LONG == 32
#define KFI_STACK_HALVES
#define KFI_DROPPED_BITS	31
#else
#define KFI_DROPPED_BITS	32
#endif

/* Generations that no session has: of a stack that a hook is emptying, and of no stack at all. */
#define KFI_GENERATION_TAKEN		U32_MAX
#define KFI_GENERATION_NEVER		(U32_MAX - 1)

/*
 * Where a call was entered, in 16 bits: the enum kfi_ctx, the cpu + 1, and in the topmost bit
 * whether the call is one of ``only under``, or below one. Because of the + 1 the value is not 0,
 * except on the last of KFI_AT_CPUS cpus.
 */
#define KFI_CTX_BITS		2
#define KFI_AT_CPUS		8192
#define KFI_AT_UNDER		0x8000u
#define KFI_AT(cpu, ctx)	((u16)((((cpu) + 1) & (KFI_AT_CPUS - 1)) << KFI_CTX_BITS | (ctx)))
#define KFI_AT_CPU(at)		((u16)((((at) >> KFI_CTX_BITS) - 1) & (KFI_AT_CPUS - 1)))
#define KFI_AT_CTX(at)		((u8)((at) & ((1u << KFI_CTX_BITS) - 1)))

#define KFI_OFF_BITS		56
#define KFI_IRQ_HIGH_BITS	15

/**
 * struct kfi_frame - an open call
 * @tag: of a plain frame @tag of the stack and the context: see above; 0: the frame is no plain one
 * @irq_high: @irq of the stack at entry: the lowest bits of its high word
 * @between: it was entered between two iterations; always 0 in a session without autorepeat
 * @at: where the call was entered: its KFI_AT_CPU, KFI_AT_CTX and KFI_AT_UNDER. 0 while a hook
 *	fills the frame, so that an interrupt takes it for a task's. Of a free frame it is 0, or
 *	that of a task. Of a plain frame only the context is valid
 * @off: @off of the stack at entry, less its highest eight bits
 * @depth: which frame it is, from 1
 * @irq_low: the low word of @irq
 * @dropped: @dropped of the stack at entry
 * @child: raw counts that the calls below have run
 * @entry: raw clock count at entry; 0: the clock did not run
 * @site: address of the call site
 * @func: address of the function; 0: closed, although frames above it are not
 *
 * What an entry fills on the fast path comes last, in the order in which one instruction of arm
 * stores it: kfi_hook_fill() of arch/entry.h.
 *
 * @off and @irq are shortened so that a frame has 56 bytes where a long has 64 bits: the off-CPU
 * time of one call must fit 56 bits, its interrupt time 47 bits.
 */
struct kfi_frame {
	u32 tag;
	u16 irq_high : KFI_IRQ_HIGH_BITS;
	u16 between : 1;
	u16 at;
	u64 off : KFI_OFF_BITS;
	u64 depth : 8;
	u32 irq_low;
	u32 dropped;
	u64 child;
	u64 entry;
	unsigned long site;
	unsigned long func;
};
static_assert(KFI_STACK_DEPTH <= 255);
static_assert(BITS_PER_LONG == 32 || sizeof(struct kfi_frame) == 56);

struct kfi_cpu;

/**
 * struct kfi_stack - a shadow stack
 * @generation: @id of the session in which the calls on it were entered; 0: of none;
 *	KFI_GENERATION_TAKEN while a hook makes it empty for a session
 * @pid: pid of its task, as of the first push in this session
 * @top: address of the first free frame: always valid, see kfi_stack_detach()
 * @overflow: open calls for which there is no frame
 * @tag: the tag of a task's plain frames: @tag of the session, which no other session has; 0: the
 *	session cannot use the fast path
 * @trigger: the function that stops the session by its entry or its exit, which has no plain frame;
 *	0: there is none
 * @head: first word of the packed record of a plain call of the task
 * @cpu: the cpu it was last seen on
 * @percpu: of a stack with plain frames: what the session keeps for that cpu
 * @dropped: calls of this session that are over and have no record: filtered ones, lost ones
 * @kept: calls of this session that have one, without those that are counted in their chunks (@kept
 *	of struct kfi_chunk)
 * @reasons: those of @dropped whose reason a counter of a cpu has. The fast path dropped the others
 *	because of mintime
 * @off: raw counts for which the task was switched out, since any time in the past
 * @irq: raw counts that interrupts took from it, since any time in the past. Each interrupt adds
 *	its own. Where a long is 32 bits, one that comes between the halves of an addition sees too
 *	low a sum at the entries and exits of all its calls, so their differences are right
 * @interrupts: how many interrupts, softirqs and NMIs run on top of its task: a member of struct
 *	kfi_task, which counts those, too, that began before the stack did
 * @is_out: its task was switched out while the session was recorded, and has not been switched in
 * @out_at: kfi_stack_own_clock() at that moment
 * @watched: how many of the calls on it a watch has reported (hooks/slow.h)
 * @follows: mask of sessions of this configuration whose ``filter pid N children`` keeps its calls,
 *	because task N, or a task that it has forked, has forked its task: see session/task.c
 * @root: lies below the first frame, so that each frame has one below; only its @child is used
 * @frame: the open calls
 * @end: above the last frame, never plain ones
 */
struct kfi_stack {
	local_t top __aligned(2 * sizeof(long));	/* and @dropped, as one */
	struct kfi_counter dropped;
	struct kfi_counter kept;
	struct kfi_counter reasons;
	struct kfi_cpu *percpu;
	u32 head;
	u32 tag;
	unsigned long trigger;
	u32 generation;
	u32 pid;
	u32 cpu;
	u16 watched;
	u8 follows;
	bool is_out;
	local_t overflow;
	u64 off;
	struct kfi_counter irq;
	u64 out_at;
	const unsigned int *interrupts;
	struct kfi_frame root;
	struct kfi_frame frame[KFI_STACK_DEPTH];
	struct kfi_frame end[3];
};

/**
 * kfi_stack_top() - Return the first free frame.
 * @s: the stack
 *
 * Return: the frame.
 */
static __always_inline struct kfi_frame *kfi_stack_top(const struct kfi_stack *s)
{
	return (struct kfi_frame *)local_read(&s->top);
}

/**
 * kfi_stack_frames() - Return how many frames are in use.
 * @s: the stack
 *
 * Return: 0..KFI_STACK_DEPTH, unless something is wrong: see kfi_stack_valid_frames().
 */
static inline u32 kfi_stack_frames(const struct kfi_stack *s)
{
	return (u32)(kfi_stack_top(s) - s->frame);
}

/**
 * kfi_stack_is_sound() - Return true if the top of a stack lies in the stack.
 * @s: the stack
 *
 * It may be one frame above for a moment, when an interrupt takes the last frame after a hook has
 * found that there is room for its own.
 * Return: false: it is a bad state (core/bad.h).
 */
static inline bool kfi_stack_is_sound(const struct kfi_stack *s)
{
	return kfi_stack_frames(s) <= KFI_STACK_DEPTH + 1;
}

/**
 * kfi_stack_valid_frames() - Return how many frames are in use, at most KFI_STACK_DEPTH.
 * @s: the stack
 *
 * Loops over frames use this number.
 * Return: 0..KFI_STACK_DEPTH; 0 if it is not sound.
 */
static inline u32 kfi_stack_valid_frames(const struct kfi_stack *s)
{
	u32 n = kfi_stack_frames(s);

	return likely(n <= KFI_STACK_DEPTH) ? n : n == KFI_STACK_DEPTH + 1 ? n - 1 : 0;
}

/**
 * kfi_stack_depth() - Return how many calls are open.
 * @s: the stack
 *
 * Return: calls, those for which there is no frame included.
 */
static inline u32 kfi_stack_depth(const struct kfi_stack *s)
{
	return kfi_stack_frames(s) + (u32)local_read(&s->overflow);
}

/**
 * kfi_stack_ctx_below() - Return the context of the frame below a frame.
 * @s: the stack
 * @depth: depth of a frame
 *
 * Context: the task itself or an interrupt on top of it.
 * Return: enum kfi_ctx of the frame below.
 */
static __always_inline unsigned int kfi_stack_ctx_below(const struct kfi_stack *s, u32 depth)
{
	return depth > 1 ? KFI_AT_CTX(s->frame[depth - 2].at) : KFI_CTX_TASK;
}

/**
 * kfi_plain_tag() - Return the tag of a plain frame.
 * @tag: @tag of its stack
 * @ctx: enum kfi_ctx
 */
static __always_inline u32 kfi_plain_tag(u32 tag, unsigned int ctx)
{
	return tag | (u32)ctx << KFI_FAST_CTX_SHIFT;
}

/**
 * kfi_next_tag() - Return the tag of a plain frame on top of some frames; 0: it cannot be plain.
 * @s: the stack
 * @frames: how many frames are below it
 * @ctx: enum kfi_ctx, now
 *
 * A plain frame has the context of the frame below it. At the beginning of an interrupt the context
 * may be that of what was interrupted still, and in irq_exit() it may be that again. If that is a
 * softirq, the tag is no task's, so only hooks that look at the context take it.
 * Context: the task itself or an interrupt on top of it.
 */
static __always_inline u32 kfi_next_tag(const struct kfi_stack *s, u32 frames, unsigned int ctx)
{
	unsigned int below;

	if (!s->tag || frames >= KFI_STACK_DEPTH)
		return 0;
	below = kfi_stack_ctx_below(s, frames + 1);
	if (ctx == KFI_CTX_TASK)
		return below == KFI_CTX_TASK && *s->interrupts ? 0 : kfi_plain_tag(s->tag, below);
	return ctx == below ? kfi_plain_tag(s->tag, below) : 0;
}

/* The half of kfi_stack_materialise() that has something to do. */
void __kfi_stack_materialise(struct kfi_stack *s);

/**
 * kfi_stack_materialise() - Fill the fields that plain frames leave out, and set their tags to 0.
 * @s: the stack
 *
 * To be called before an interrupt adds its time to the stack, before a task switch, and before a
 * frame without a tag is pushed.
 *
 * Context: the task itself or an interrupt on top of it; the scheduler, interrupts off.
 */
static __always_inline void kfi_stack_materialise(struct kfi_stack *s)
{
	if (s->tag)
		__kfi_stack_materialise(s);
}

/**
 * kfi_frame_set_sums() - Fill in the two sums of the stack, as of the entry of a call.
 * @f: the frame of the call
 * @off: @off of its stack
 * @irq: @irq of its stack
 *
 * Context: the task itself or an interrupt on top of it.
 */
static __always_inline void kfi_frame_set_sums(struct kfi_frame *f, u64 off, u64 irq)
{
	f->off = off;
	f->irq_low = (u32)irq;
	f->irq_high = irq >> 32;
}

/**
 * kfi_frame_off() - Return how long the task was switched out since a call was entered.
 * @f: the frame of the call, filled
 * @off: @off of its stack
 *
 * Context: as kfi_frame_set_sums().
 * Return: raw counts.
 */
static __always_inline u64 kfi_frame_off(const struct kfi_frame *f, u64 off)
{
	return (off - f->off) & ((1ull << KFI_OFF_BITS) - 1);
}

/**
 * kfi_frame_irq() - Return how much time interrupts took since a call was entered.
 * @f: the frame of the call, filled
 * @irq: @irq of its stack
 *
 * Context: as kfi_frame_set_sums().
 * Return: raw counts.
 */
static __always_inline u64 kfi_frame_irq(const struct kfi_frame *f, u64 irq)
{
	return (irq - f->irq_low - ((u64)f->irq_high << 32)) &
	       ((1ull << (32 + KFI_IRQ_HIGH_BITS)) - 1);
}

/**
 * kfi_stack_dropped_low() - Return how many calls have got no record until now.
 * @s: the stack
 *
 * Only the lower KFI_DROPPED_BITS are valid: the number is for differences.
 * Context: the task itself or an interrupt on top of it.
 */
static __always_inline u32 kfi_stack_dropped_low(const struct kfi_stack *s)
{
	return (u32)local_read(&s->dropped.low);
}

/**
 * kfi_frame_dropped_below() - Return how many calls below a call have no record.
 * @f: the frame of the call
 * @dropped: kfi_stack_dropped_low()
 *
 * For a plain frame the difference of both words suffices, as in kfi_fast_exit_task(), because
 * kfi_stack_materialise() moves counts to the high half only after all frames have lost their tags.
 * Context: as kfi_frame_set_sums().
 * Return: calls, those of interrupts included; the rest of a division by 1 << KFI_DROPPED_BITS.
 */
static __always_inline u32 kfi_frame_dropped_below(const struct kfi_frame *f, u32 dropped)
{
	return (dropped - f->dropped) << (32 - KFI_DROPPED_BITS) >> (32 - KFI_DROPPED_BITS);
}

#ifndef kfi_frame_add
/**
 * kfi_frame_add() - Add the time of a call to the child time of its caller.
 * @f: the frame of the caller
 * @ran: raw counts that the call has run
 *
 * Context: as kfi_frame_set_sums().
 */
static __always_inline void kfi_frame_add(struct kfi_frame *f, u64 ran)
{
	f->child += ran;
}
#endif

/*
 * With KFI_STACK_HALVES: move bit 31 of the low half to the high half. An interrupt may do the same
 * at any point. Only the one that clears the bit adds to @high. Inline, because hooks contain it
 * that may call nothing (hooks/entry.c).
 */
static __always_inline void kfi_stack_carry(struct kfi_counter *c)
{
#ifdef KFI_STACK_HALVES
	long low = local_read(&c->low);

	if (unlikely(low < 0) && kfi_local_cmpxchg(&c->low, low, low & LONG_MAX) == low)
		local_inc(&c->high);
#endif
}

/**
 * kfi_stack_count() - Count a call that is over, on the fast path.
 * @c: where: @dropped or @kept of its stack
 *
 * Context: the task itself or an interrupt on top of it.
 */
static __always_inline void kfi_stack_count(struct kfi_counter *c)
{
#ifdef KFI_STACK_HALVES
	kfi_local_add(1, &c->low);
#else
	kfi_counter_add(c, 1);
#endif
}

/*
 * The same on the slow path. On a stack without plain frames kfi_stack_materialise() does nothing,
 * so the carry is done here.
 */
static __always_inline void kfi_stack_count_slow(struct kfi_stack *s, struct kfi_counter *c)
{
	kfi_stack_count(c);
	if (!s->tag)
		kfi_stack_carry(c);
}

/**
 * kfi_stack_keep() - Count a call that is over and has a record.
 * @s: the stack
 *
 * Context: the task itself or an interrupt on top of it.
 */
static __always_inline void kfi_stack_keep(struct kfi_stack *s)
{
	kfi_stack_count_slow(s, &s->kept);
}

/**
 * kfi_stack_drop() - Count a call that is over and has no record.
 * @s: the stack
 *
 * A counter of a cpu has the reason.
 * Context: the task itself or an interrupt on top of it.
 */
static __always_inline void kfi_stack_drop(struct kfi_stack *s)
{
	kfi_stack_count_slow(s, &s->dropped);
	kfi_counter_add(&s->reasons, 1);
}

/*
 * Return a clock that runs only while the topmost call itself runs: it stands still in calls below
 * that call, and in interrupts on top of it.
 */
static inline u64 kfi_stack_own_clock(const struct kfi_stack *s, u64 now, u64 irq)
{
	return now - irq - (likely(kfi_stack_is_sound(s)) ? kfi_stack_top(s)[-1].child : 0);
}

/**
 * kfi_stack_switch_out() - Note that a task is switched out.
 * @s: its stack
 * @now: raw clock count
 * @irq: @irq of the stack, read together with @now (kfi_call_read_clock())
 *
 * switch_to() of some architectures calls instrumented functions. They are recorded as calls of the
 * task. Their time does not count as off-CPU time, because @out_at is a count of
 * kfi_stack_own_clock().
 * Context: the scheduler, interrupts off.
 */
static inline void kfi_stack_switch_out(struct kfi_stack *s, u64 now, u64 irq)
{
	s->out_at = kfi_stack_own_clock(s, now, irq);
	s->is_out = true;
}

/**
 * kfi_stack_switch_in() - Add the time for which a task was switched out to @off of its stack.
 * @s: its stack
 * @now: raw clock count
 * @cpu: number of this cpu
 * @percpu: what the session keeps for it
 *
 * Context: the scheduler, interrupts off; the task runs nowhere else.
 */
static inline void kfi_stack_switch_in(struct kfi_stack *s, u64 now, u32 cpu,
				       struct kfi_cpu *percpu)
{
	s64 away = (s64)(kfi_stack_own_clock(s, now, kfi_counter_read(&s->irq)) - s->out_at);

	kfi_stack_materialise(s);
	s->cpu = cpu;
	s->percpu = percpu;
	if (s->is_out && away > 0)
		s->off += (u64)away;
	s->is_out = false;
}

/**
 * kfi_stack_dropped() - Return how many calls are over and have no record.
 * @s: the stack
 *
 * Context: any; exact if the stack does not change at the same time.
 * Return: calls, in this session.
 */
u64 kfi_stack_dropped(const struct kfi_stack *s);

/**
 * kfi_stack_kept() - Return how many calls have a record and are not counted in their chunks.
 * @s: the stack
 *
 * Context: as kfi_stack_dropped().
 * Return: calls, in this session.
 */
u64 kfi_stack_kept(const struct kfi_stack *s);

/**
 * kfi_stack_too_short() - Return how many calls mintime dropped on the fast path.
 * @s: the stack
 *
 * Context: as kfi_stack_dropped().
 * Return: calls, in this session.
 */
static inline u64 kfi_stack_too_short(const struct kfi_stack *s)
{
	return kfi_stack_dropped(s) - kfi_counter_read(&s->reasons);
}

/**
 * kfi_stack_seen() - Return how many calls were entered.
 * @s: the stack
 *
 * This is the number of calls that are over plus the number of open ones. A call for which there
 * was no frame counts as over. Calls that are counted in their chunks (kfi_ring_kept()) are not
 * included.
 * Context: as kfi_stack_dropped().
 * Return: calls, in this session.
 */
u64 kfi_stack_seen(const struct kfi_stack *s);

/**
 * kfi_stack_init() - Initialise a stack, detached from sessions.
 * @s: uninitialised memory
 * @interrupts: that of the task whose stack it is
 *
 * Does not touch most of the frames: kfi_stack_begin() fills them.
 */
void kfi_stack_init(struct kfi_stack *s, const unsigned int *interrupts);

/**
 * kfi_stack_begin() - Empty a stack for a session.
 * @s: the stack, detached; it has KFI_GENERATION_TAKEN
 * @generation: @id of the session
 * @pid: pid of its task
 *
 * Context: the task itself or an interrupt on top of it. If an interrupt comes while this function
 * runs, its calls are lost, and counted as lost.
 */
void kfi_stack_begin(struct kfi_stack *s, u32 generation, u32 pid);

/**
 * kfi_stack_allow_plain() - Allow plain frames on a stack that kfi_stack_begin() will empty.
 * @s: the stack, detached
 * @tag: @tag of the session
 * @trigger: the function that has none, or 0
 * @cpu: number of this cpu
 * @percpu: what the session keeps for it
 *
 * Context: as kfi_stack_begin().
 */
void kfi_stack_allow_plain(struct kfi_stack *s, u32 tag, unsigned long trigger, u32 cpu,
			   struct kfi_cpu *percpu);

/**
 * kfi_stack_detach() - Detach a stack from its session.
 * @s: the stack, zeroed or used before; no hook uses it
 */
void kfi_stack_detach(struct kfi_stack *s);

/**
 * kfi_stack_find() - Find the frame of an exit whose function is not on top.
 * @s: the stack
 * @func: the function that returns
 * @ctx: context it returns in: frames of interrupted contexts are not searched
 *
 * Context: the task itself or an interrupt on top of it.
 * Return: the frame's index + 1, or 0 if the entry was not seen.
 */
u32 kfi_stack_find(const struct kfi_stack *s, unsigned long func, unsigned int ctx);

/**
 * kfi_stack_open() - List the functions that are open in a context, the innermost first.
 * @s: the stack
 * @ctx: the context. Frames of interrupted contexts are left out: a hook may be changing them
 * @funcs: where to put their addresses
 * @max: how many at most
 *
 * Context: the task itself or an interrupt on top of it, outside of the hooks of calls.
 * Return: number of functions; 0 if some calls have no frame, because these are the innermost ones.
 */
u32 kfi_stack_open(const struct kfi_stack *s, unsigned int ctx, unsigned long *funcs, u32 max);

#endif /* KFI_STACK_H */
