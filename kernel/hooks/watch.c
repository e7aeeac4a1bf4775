// SPDX-License-Identifier: GPL-2.0
/*
 * Watches: who is entered with little of the kernel stack left.
 */
#include "hooks/watch.h"

void kfi_watch_init(struct kfi_run *run, enum kfi_conf_watch kind, u32 bytes)
{
	run->watch = kind;
	atomic_set(&run->watch_limit, (int)(bytes ? bytes : U32_MAX));
}

u32 kfi_watch_limit(const struct kfi_run *run)
{
	return (u32)atomic_read(&run->watch_limit);
}

/* Is this to be reported? A new low is the limit from now on; one cpu has each. */
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

/* A call on the shadow stack; false: it is closed, or not filled yet, so entered after this. */
static bool from_frame(const struct kfi_stack *s, u32 i, struct kfi_event *e)
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

	/* What was reported at this depth or above has returned. */
	if (from >= depth)
		from = depth - 1;
	if (!is_low(run, left)) {
		s->watched = from;
		return;
	}
	/* Before the reports: an interrupt that comes meanwhile is to report its own calls. */
	WRITE_ONCE(s->watched, depth);
	for (i = from; i < depth - 1; i++) {
		if (i >= KFI_STACK_DEPTH) {
			kfi_count_add_one(cpu, KFI_WATCH_LOST);
			continue;
		}
		if (!from_frame(s, i, &e))
			continue;
		e.depth = (u16)(i + 1);
		kfi_call_event(run, cpu, cpunr, &e);
	}
	/* The call itself is reported even when it is too deep for a frame. */
	if (depth > KFI_STACK_DEPTH || !from_frame(s, depth - 1, &e)) {
		e.func = call->func;
		e.site = call->site;
		e.ctx = call->ctx;
		e.time = kfi_now();
	}
	e.depth = (u16)min_t(u32, depth, U16_MAX);
	kfi_call_event(run, cpu, cpunr, &e);
}
