// SPDX-License-Identifier: GPL-2.0
/*
 * The rare half of the shadow stack. Frames are pushed and popped in frame.h.
 */
#include "core/rec.h"
#include "core/stack.h"

void kfi_stack_init(struct kfi_stack *s, const unsigned int *interrupts)
{
	memset(s, 0, offsetof(struct kfi_stack, frame[1]));
	memset(s->end, 0, sizeof(s->end));
	s->interrupts = interrupts;
	kfi_stack_detach(s);
}

void kfi_stack_begin(struct kfi_stack *s, u32 generation, u32 pid)
{
	struct kfi_frame *f = s->frame;
	u32 depth, tag = s->tag;

	/* Each new task does this. One store resets @irq_high, @between and @at. */
	for (depth = 1; depth <= KFI_STACK_DEPTH; depth++, f++) {
		f->tag = tag;
		f->irq_high = 0;
		f->at = 0;
		f->between = 0;
		f->depth = depth;
		f->func = 0;	/* until a hook fills the frame */
	}
	s->pid = pid;
	s->head = kfi_rec_head(KFI_REC_PACKED, pid, KFI_CTX_TASK, 0);
	s->is_out = false;
	s->watched = 0;
	s->dropped = (struct kfi_counter) { 0 };
	s->kept = (struct kfi_counter) { 0 };
	s->reasons = (struct kfi_counter) { 0 };
	local_set(&s->overflow, 0);
	local_set(&s->top, (long)s->frame);
	barrier();	/* an interrupt that sees the new generation must see an empty stack */
	WRITE_ONCE(s->generation, generation);
}

void kfi_stack_allow_plain(struct kfi_stack *s, u32 tag, unsigned long trigger, u32 cpu,
			   struct kfi_cpu *percpu)
{
	s->trigger = trigger;
	s->cpu = cpu;
	s->percpu = percpu;
	s->tag = tag;
}

void kfi_stack_detach(struct kfi_stack *s)
{
	s->tag = 0;
	s->frame[0].tag = 0;
	local_set(&s->overflow, 0);
	local_set(&s->top, (long)s->frame);
	WRITE_ONCE(s->generation, 0);
}

#ifdef KFI_STACK_HALVES

static u64 counted(const struct kfi_counter *c)
{
	return (unsigned long)local_read(&c->low) +
	       ((u64)(unsigned long)local_read(&c->high) << KFI_DROPPED_BITS);
}

#else

static u64 counted(const struct kfi_counter *c)
{
	return kfi_counter_read(c);
}

#endif

u64 kfi_stack_dropped(const struct kfi_stack *s)
{
	return counted(&s->dropped);
}

u64 kfi_stack_kept(const struct kfi_stack *s)
{
	return counted(&s->kept);
}

/*
 * An interrupt that comes while a frame is filled here fills all of these frames with the same
 * values, and adds its own time to the stack only after that.
 */
void __kfi_stack_materialise(struct kfi_stack *s)
{
	u64 irq = kfi_counter_read(&s->irq);
	u32 d, tag, ctx;

	barrier();	/* read, then check: a frame that an interrupt has filled has no tag */
	for (d = kfi_stack_valid_frames(s); d; d--) {
		struct kfi_frame *f = &s->frame[d - 1];

		tag = READ_ONCE(f->tag);
		ctx = tag >> KFI_FAST_CTX_SHIFT;
		/*
		 * If an interrupt stops the session and leaves its frames, the hook that it has
		 * interrupted may give the first of them the tag of a free frame.
		 */
		if (!tag || KFI_AT_CTX(f->at) > ctx)
			break;

		kfi_frame_set_sums(f, s->off, irq);
		/* The hook of an interrupt stores @at, or has reset it to free the frame. */
		if (ctx == KFI_CTX_TASK || f->at)
			f->at = KFI_AT(s->cpu, ctx);
		barrier();	/* fill, then clear the tag */
		WRITE_ONCE(f->tag, 0);
	}
	kfi_stack_carry(&s->dropped);
	kfi_stack_carry(&s->kept);
}

u64 kfi_stack_seen(const struct kfi_stack *s)
{
	u64 n = kfi_stack_dropped(s) + kfi_stack_kept(s);
	u32 d;

	for (d = kfi_stack_valid_frames(s); d; d--)
		if (s->frame[d - 1].func)
			n++;
	return n;
}

u32 kfi_stack_find(const struct kfi_stack *s, unsigned long func, unsigned int ctx)
{
	u32 d = kfi_stack_valid_frames(s);

	for (; d && KFI_AT_CTX(s->frame[d - 1].at) >= ctx; d--)
		if (s->frame[d - 1].func == func)
			return d;
	return 0;
}

u32 kfi_stack_open(const struct kfi_stack *s, unsigned int ctx, unsigned long *funcs, u32 max)
{
	u32 d = kfi_stack_valid_frames(s), n = 0;

	if (local_read(&s->overflow))
		return 0;
	for (; d && n < max && KFI_AT_CTX(READ_ONCE(s->frame[d - 1].at)) >= ctx; d--)
		if (s->frame[d - 1].func)
			funcs[n++] = s->frame[d - 1].func;
	return n;
}
