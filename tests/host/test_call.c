// SPDX-License-Identifier: GPL-2.0
/*
 * Calls from entry to exit: durations, local times, what is never finished, and that calls seen =
 * kept + filtered + lost + open, whatever happens. Also run under ThreadSanitizer.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "hooks.h"
#include "check.h"
#include "clock.h"
#include "interrupt.h"
#include "core/call.h"

#define CHUNK		4096
#define NCHUNKS		4000

struct machine {
	struct kfi_run run;
	struct kfi_fast fast;
	struct kfi_cpu cpu[4];
	struct kfi_stack *stack;
	struct kfi_chunk **chunks;
};

static struct machine *make(u32 nchunks)
{
	struct machine *m = aligned_alloc(64, (sizeof(*m) + 63) / 64 * 64);
	u32 i;

	memset(m, 0, sizeof(*m));
	m->chunks = calloc(nchunks, sizeof(*m->chunks));
	for (i = 0; i < nchunks; i++)
		m->chunks[i] = calloc(1, CHUNK);
	m->stack = calloc(4, sizeof(*m->stack));
	m->run.id = 1;
	m->run.cpus = m->cpu;
	m->run.fast_state = use_fast_path ? &m->fast : NULL;
	m->run.stop_at = U64_MAX;
	m->run.stop_after = U64_MAX;
	m->run.filter.max = U64_MAX;
	m->run.filter.ctx_mask = 0xf;
	atomic_set(&m->run.notime_room, 10);
	kfi_ring_init(&m->run.ring, m->chunks, nchunks, CHUNK, 0);
	for (i = 0; i < 4; i++)
		kfi_ring_cpu_init(&m->cpu[i].ring);
	kfi_run_start(&m->run, KFI_BY_USER, 0);
	for (i = 0; i < 4; i++) {
		stack_of_task(&m->stack[i], i);
		if (m->run.tag)
			kfi_stack_allow_plain(&m->stack[i], m->run.tag, kfi_fast_trigger(&m->run),
					      i, &m->cpu[i]);
		kfi_stack_begin(&m->stack[i], 1, 40 + i);
	}
	return m;
}

/* A session that cannot use the fast path. */
static struct machine *make_long(u32 nchunks)
{
	bool was = use_fast_path;
	struct machine *m;

	use_fast_path = false;
	m = make(nchunks);
	use_fast_path = was;
	return m;
}

static void destroy(struct machine *m)
{
	u32 i;

	for (i = 0; i < m->run.ring.nchunks; i++)
		free(m->chunks[i]);
	free(m->chunks);
	free(m->stack);
	free(m);
}

static void enter_on(struct machine *m, u32 nr, unsigned long func, unsigned int ctx)
{
	struct kfi_stack *s = &m->stack[nr];

	if (!hook_enter(m->run.fast_state, s, func, ctx) &&
	    atomic_read(&m->run.state) == KFI_TRIGGERED)
		kfi_call_enter(&m->run, &m->cpu[nr], nr, s, func, func + 4, ctx);
}

static void leave_on(struct machine *m, u32 nr, unsigned long func, unsigned int ctx)
{
	struct kfi_stack *s = &m->stack[nr];

	if (!hook_exit(m->run.fast_state, s, func, ctx) &&
	    atomic_read(&m->run.state) == KFI_TRIGGERED)
		kfi_call_exit(&m->run, &m->cpu[nr], nr, s, func, ctx);
}

/* The context of the first cpu becomes an interrupt's, and again what it was. */
static void irq_enter(struct machine *m)
{
	interrupt_enter(&m->stack[0]);
}

static void irq_exit(struct machine *m, unsigned int ctx)
{
	interrupt_exit(&m->stack[0], ctx);
}

static void enter(struct machine *m, unsigned long func, unsigned int ctx, u64 at)
{
	clock_now = at;
	enter_on(m, 0, func, ctx);
}

static void leave(struct machine *m, unsigned long func, unsigned int ctx, u64 at)
{
	clock_now = at;
	leave_on(m, 0, func, ctx);
}

static void switch_out(struct machine *m, u64 at)
{
	kfi_stack_switch_out(&m->stack[0], at, kfi_counter_read(&m->stack[0].irq));
}

static void switch_in(struct machine *m, u64 at)
{
	kfi_stack_switch_in(&m->stack[0], at, 0, &m->cpu[0]);
}

static u64 total(struct machine *m, enum kfi_count first, enum kfi_count last)
{
	u64 n = 0;
	unsigned int cpu;

	for (; first <= last; first++)
		for (cpu = 0; cpu < 4; cpu++)
			n += kfi_count_read(&m->cpu[cpu], first) +
			     (m->stack[cpu].generation == m->run.id ?
			      on_stack(&m->stack[cpu], first) : 0);
	return n;
}

static u64 count(struct machine *m, enum kfi_count what)
{
	return total(m, what, what);
}

static u64 open_frames(const struct kfi_stack *s)
{
	u32 i, depth = kfi_stack_frames(s);
	struct kfi_rec r;
	u64 n = 0;

	for (i = 0; i < depth; i++)
		n += kfi_call_open(s, i, &r);
	return n;
}

/* The identity; the calls that are still on the stacks are open. */
static void check_identity(struct machine *m)
{
	u64 open = count(m, KFI_DIED);
	unsigned int i;

	for (i = 0; i < 4; i++)
		if (m->stack[i].generation == m->run.id)
			open += open_frames(&m->stack[i]);
	CHECK_EQ(count(m, KFI_SEEN), count(m, KFI_KEPT) +
		 total(m, KFI_FILTERED_FIRST, KFI_FILTERED_LAST) +
		 total(m, KFI_LOST_FIRST, KFI_LOST_LAST) + open);
}

/* The n-th record of the ring, in the order of exit. */
static bool nth_rec(struct machine *m, u32 n, struct kfi_rec *r)
{
	u32 chunk;

	for (chunk = 0; chunk < kfi_ring_taken(&m->run.ring); chunk++) {
		u32 at = 0, words;

		for (; (words = kfi_ring_read(&m->run.ring, chunk, at, r)); at += words)
			if (!n--)
				return true;
	}
	return false;
}

static void nested(void)
{
	struct machine *m = make(10);
	struct kfi_rec r;

	/* a calls b, b is interrupted by i (first function in task context still), i calls j. */
	enter(m, 0xa0, KFI_CTX_TASK, 100);
	enter(m, 0xb0, KFI_CTX_TASK, 110);
	enter(m, 0x10, KFI_CTX_TASK, 120);
	irq_enter(m);
	enter(m, 0x20, KFI_CTX_HARDIRQ, 125);
	leave(m, 0x20, KFI_CTX_HARDIRQ, 128);
	irq_exit(m, KFI_CTX_TASK);
	leave(m, 0x10, KFI_CTX_TASK, 130);
	leave(m, 0xb0, KFI_CTX_TASK, 150);
	leave(m, 0xa0, KFI_CTX_TASK, 200);
	if (CHECK(nth_rec(m, 0, &r))) {
		CHECK_EQ(r.func, 0x20);
		CHECK_EQ(r.site, 0x24);
		CHECK_EQ(r.entry, 125);
		CHECK_EQ(r.exit, 128);
		CHECK_EQ(r.ctx, KFI_CTX_HARDIRQ);
		CHECK_EQ(r.depth, 4);
		CHECK_EQ(r.pid, 40);
	}
	CHECK(nth_rec(m, 1, &r) && r.func == 0x10 && r.local == 7);
	CHECK(nth_rec(m, 2, &r) && r.func == 0xb0 && r.local == 30 && r.exit - r.entry == 40);
	CHECK(nth_rec(m, 3, &r) && r.func == 0xa0 && r.local == 60 && r.depth == 1);
	CHECK(!nth_rec(m, 4, &r));
	CHECK_EQ(count(m, KFI_KEPT), 4);
	check_identity(m);
	destroy(m);
}

static void away(void)
{
	struct machine *m = make(10);
	struct kfi_rec r;

	/*
	 * a calls b, which sleeps from 120 to 150; from 160 to 170 an interrupt: irq_enter, which is
	 * entered before the context tells, a handler, and what runs softirqs when it does not any more.
	 */
	enter(m, 0xa0, KFI_CTX_TASK, 100);
	enter(m, 0xb0, KFI_CTX_TASK, 110);
	switch_out(m, 120);
	switch_in(m, 150);
	enter(m, 0x10, KFI_CTX_TASK, 160);
	irq_enter(m);
	leave(m, 0x10, KFI_CTX_HARDIRQ, 162);
	enter(m, 0x20, KFI_CTX_HARDIRQ, 162);
	irq_exit(m, KFI_CTX_TASK);
	enter(m, 0x28, KFI_CTX_TASK, 163);
	irq_enter(m);
	enter(m, 0x30, KFI_CTX_SOFTIRQ, 164);
	leave(m, 0x30, KFI_CTX_SOFTIRQ, 165);
	irq_exit(m, KFI_CTX_TASK);
	leave(m, 0x28, KFI_CTX_TASK, 168);
	leave(m, 0x20, KFI_CTX_TASK, 170);
	leave(m, 0xb0, KFI_CTX_TASK, 180);
	leave(m, 0xa0, KFI_CTX_TASK, 200);
	CHECK(nth_rec(m, 0, &r) && r.func == 0x10 && r.ctx == KFI_CTX_HARDIRQ && !r.irq);
	CHECK(nth_rec(m, 1, &r) && r.func == 0x30 && r.ctx == KFI_CTX_SOFTIRQ);
	CHECK(nth_rec(m, 2, &r) && r.func == 0x28 && r.ctx == KFI_CTX_HARDIRQ && r.local == 4);
	CHECK(nth_rec(m, 3, &r) && r.func == 0x20 && r.ctx == KFI_CTX_HARDIRQ && r.local == 3);
	CHECK(nth_rec(m, 4, &r) && r.func == 0xb0 && r.off == 30 && r.irq == 10 && r.local == 30);
	CHECK(nth_rec(m, 5, &r) && r.func == 0xa0 && r.off == 30 && r.irq == 10 && r.local == 30);
	/* A task that was switched out before it had an open call has not been away from any. */
	switch_out(m, 210);
	switch_in(m, 220);
	enter(m, 0xa0, KFI_CTX_TASK, 230);
	leave(m, 0xa0, KFI_CTX_TASK, 240);
	CHECK(nth_rec(m, 6, &r) && r.off == 0 && r.irq == 0 && r.local == 10);
	/* Switched in without having been seen to go, and a clock that steps back. */
	enter(m, 0xa0, KFI_CTX_TASK, 250);
	switch_in(m, 260);
	switch_out(m, 270);
	switch_in(m, 265);
	leave(m, 0xa0, KFI_CTX_TASK, 280);
	CHECK(nth_rec(m, 7, &r) && r.off == 0 && r.local == 30);
	/* What it calls in the middle of being switched out is its own time, and counted once. */
	enter(m, 0xa0, KFI_CTX_TASK, 300);
	switch_out(m, 310);
	enter(m, 0xc0, KFI_CTX_TASK, 315);
	leave(m, 0xc0, KFI_CTX_TASK, 330);
	switch_in(m, 400);
	leave(m, 0xa0, KFI_CTX_TASK, 420);
	CHECK(nth_rec(m, 8, &r) && r.func == 0xc0 && r.off == 0 && r.local == 15);
	CHECK(nth_rec(m, 9, &r) && r.func == 0xa0 && r.off == 75 && r.local == 30);
	check_identity(m);
	destroy(m);
}

/* A hard interrupt upon a softirq is in the time of the softirq, and counts once. */
static void nested_interrupts(void)
{
	struct machine *m = make(10);
	struct kfi_rec r;

	enter(m, 0xa0, KFI_CTX_TASK, 100);
	irq_enter(m);
	enter(m, 0x10, KFI_CTX_SOFTIRQ, 110);
	irq_enter(m);
	enter(m, 0x20, KFI_CTX_HARDIRQ, 120);
	leave(m, 0x20, KFI_CTX_HARDIRQ, 130);
	irq_exit(m, KFI_CTX_SOFTIRQ);
	leave(m, 0x10, KFI_CTX_SOFTIRQ, 150);
	irq_exit(m, KFI_CTX_TASK);
	leave(m, 0xa0, KFI_CTX_TASK, 200);
	CHECK(nth_rec(m, 1, &r) && r.func == 0x10 && r.irq == 10 && r.local == 30);
	CHECK(nth_rec(m, 2, &r) && r.func == 0xa0 && r.irq == 40 && r.local == 60);
	destroy(m);
}

/* Frames that nobody uses say "task", so that an interrupt is told from what it came upon. */
static void free_frames(void)
{
	struct machine *m = make(10);
	struct kfi_stack *s = &m->stack[0];
	u32 i;

	irq_enter(m);
	enter(m, 0xa0, KFI_CTX_HARDIRQ, 100);
	irq_enter(m);
	enter(m, 0xb0, KFI_CTX_NMI, 110);
	leave(m, 0xb0, KFI_CTX_NMI, 120);
	irq_exit(m, KFI_CTX_HARDIRQ);
	leave(m, 0xa0, KFI_CTX_HARDIRQ, 130);
	for (i = 0; i < KFI_STACK_DEPTH; i++)
		CHECK_EQ(s->frame[i].at, 0);
	enter(m, 0xa0, KFI_CTX_HARDIRQ, 140);
	kfi_stack_begin(s, 2, 7);
	CHECK_EQ(kfi_stack_depth(s), 0);
	CHECK_EQ(s->frame[0].at, 0);
	CHECK_EQ(s->pid, 7);
	/* A frame that cannot be popped because others were left above it is closed. */
	enter(m, 0xa0, KFI_CTX_TASK, 150);
	enter(m, 0xb0, KFI_CTX_HARDIRQ, 160);
	kfi_stack_pop(s, 1, KFI_CTX_TASK);
	CHECK_EQ(kfi_stack_depth(s), 2);
	CHECK_EQ(open_frames(s), 1);
	destroy(m);
}

/* ---- an interrupt at the moment at which a hook has read the clock ---- */

static struct machine *interrupted_machine;

static void take_interrupt(void)
{
	u64 at = clock_now;

	irq_enter(interrupted_machine);
	enter(interrupted_machine, 0x10, KFI_CTX_HARDIRQ, at + 1);
	leave(interrupted_machine, 0x10, KFI_CTX_HARDIRQ, at + 8);
	irq_exit(interrupted_machine, KFI_CTX_TASK);
	clock_now = at + 10;
}

/* Root a calls b from 110 to 150; the interrupt comes while b is pushed, or popped. */
static void interrupt_at(int read, u64 b_entry, u64 b_exit)
{
	struct machine *m = make(10);
	struct kfi_rec r;

	interrupted_machine = m;
	enter(m, 0xa0, KFI_CTX_TASK, 100);
	at_read = take_interrupt;
	reads_left = read;
	enter(m, 0xb0, KFI_CTX_TASK, 110);
	leave(m, 0xb0, KFI_CTX_TASK, 150);
	CHECK(!at_read);
	leave(m, 0xa0, KFI_CTX_TASK, 200);
	/* Wherever it comes: 7 for the interrupt, and the rest is divided among a and b. */
	CHECK(nth_rec(m, 0, &r) && r.func == 0x10 && r.local == 7);
	CHECK(nth_rec(m, 1, &r) && r.func == 0xb0);
	CHECK_EQ(r.entry, b_entry);
	CHECK_EQ(r.exit, b_exit);
	CHECK_EQ(r.local, b_exit - b_entry - (read ? 7 : 0));
	CHECK_EQ(r.irq, read ? 7 : 0);
	CHECK(nth_rec(m, 2, &r) && r.func == 0xa0);
	CHECK_EQ(r.local, 100 - (b_exit - b_entry) - (read ? 0 : 7));
	CHECK_EQ(r.irq, 7);
	check_identity(m);
	destroy(m);
}

/* The run is stopped while the interrupt is at work, which therefore leaves its call open. */
static void stop_in_interrupt(void)
{
	irq_enter(interrupted_machine);
	enter(interrupted_machine, 0x10, KFI_CTX_HARDIRQ, clock_now);
	kfi_run_stop(&interrupted_machine->run, KFI_BY_USER, 0);
}

static void stopped_in_interrupt(void)
{
	int read;

	for (read = 0; read < 4; read++) {
		struct machine *m = make(10);
		struct kfi_rec r;

		/* There is a chunk, so each hook from here on reads the clock once. */
		enter(m, 0xc0, KFI_CTX_TASK, 50);
		leave(m, 0xc0, KFI_CTX_TASK, 60);
		interrupted_machine = m;
		at_read = stop_in_interrupt;
		reads_left = read;
		enter(m, 0xa0, KFI_CTX_TASK, 100);
		if (at_read)
			enter(m, 0xb0, KFI_CTX_TASK, 110);
		if (at_read)
			leave(m, 0xb0, KFI_CTX_TASK, 150);
		if (at_read)
			leave(m, 0xa0, KFI_CTX_TASK, 200);
		CHECK(!at_read);
		/* The interrupt's call is open, and so is all that it lies in. */
		CHECK_EQ(count(m, KFI_SEEN), 1 + (read == 0 ? 2 : 3));
		CHECK_EQ(open_frames(&m->stack[0]), read == 3 ? 2 : 2 + (read > 0));
		CHECK_EQ(count(m, KFI_KEPT), 1 + (read == 3));
		CHECK(kfi_call_open(&m->stack[0], kfi_stack_frames(&m->stack[0]) - 1, &r) &&
		      r.func == 0x10);
		check_identity(m);
		destroy(m);
	}
}

static void in_a_push(void)
{
	/* b begins after the interrupt, which is its caller's. */
	interrupt_at(0, 120, 150);
}

static void in_a_pop(void)
{
	/* b ends after the interrupt, which is its own. */
	interrupt_at(1, 110, 160);
}

static void filtered_children(void)
{
	struct machine *m = make(10);
	struct kfi_rec r;

	/* Local time is exact although the child is not in the log. */
	m->run.filter.min = 50;
	m->fast.min = 50;
	enter(m, 0xa0, KFI_CTX_TASK, 100);
	enter(m, 0xb0, KFI_CTX_TASK, 110);
	leave(m, 0xb0, KFI_CTX_TASK, 150);
	leave(m, 0xa0, KFI_CTX_TASK, 200);
	CHECK(nth_rec(m, 0, &r) && r.func == 0xa0 && r.local == 60);
	CHECK(!nth_rec(m, 1, &r));
	CHECK_EQ(count(m, KFI_FILTERED_MINTIME), 1);
	check_identity(m);
	destroy(m);
}

static void unwound(void)
{
	struct machine *m = make(10);
	struct kfi_rec r;

	/* b never returns: a does. What b's calls took is not a's own time. */
	enter(m, 0xa0, KFI_CTX_TASK, 100);
	enter(m, 0xb0, KFI_CTX_TASK, 110);
	enter(m, 0xc0, KFI_CTX_TASK, 120);
	leave(m, 0xc0, KFI_CTX_TASK, 150);
	leave(m, 0xa0, KFI_CTX_TASK, 200);
	CHECK(nth_rec(m, 1, &r) && r.func == 0xb0 && r.marks == KFI_MARK_UNWOUND && r.entry == 110);
	CHECK(nth_rec(m, 2, &r) && r.func == 0xa0 && r.local == 70 && !r.marks);
	CHECK_EQ(kfi_stack_depth(&m->stack[0]), 0);
	/* The exit of an interrupt's function does not reach what the interrupt came upon. */
	enter(m, 0xa0, KFI_CTX_TASK, 300);
	irq_enter(m);
	enter(m, 0xb0, KFI_CTX_HARDIRQ, 310);
	leave(m, 0xa0, KFI_CTX_HARDIRQ, 320);
	irq_exit(m, KFI_CTX_TASK);
	CHECK_EQ(kfi_stack_depth(&m->stack[0]), 2);
	CHECK_EQ(count(m, KFI_NOT_FOUND), 1);
	/* But once the interrupt is over, what it left is closed. */
	leave(m, 0xa0, KFI_CTX_TASK, 330);
	CHECK_EQ(kfi_stack_depth(&m->stack[0]), 0);
	leave(m, 0xa0, KFI_CTX_TASK, 340);
	CHECK_EQ(count(m, KFI_NOT_FOUND), 2);
	check_identity(m);
	destroy(m);
}

static void too_deep(void)
{
	struct machine *m = make(10);
	unsigned long i, n = KFI_STACK_DEPTH + 20;

	for (i = 0; i < n; i++)
		enter(m, 0x1000 + i, KFI_CTX_TASK, 100 + i);
	CHECK_EQ(count(m, KFI_LOST_DEPTH), 20);
	check_identity(m);
	while (i--)
		leave(m, 0x1000 + i, KFI_CTX_TASK, 1000);
	CHECK_EQ(kfi_stack_depth(&m->stack[0]), 0);
	CHECK_EQ(count(m, KFI_KEPT), KFI_STACK_DEPTH);
	check_identity(m);
	destroy(m);
}

static void without_clock(void)
{
	struct machine *m = make_long(10);
	struct kfi_rec r;
	int i;

	m->run.filter.min = 1000000;
	enter(m, 0xa0, KFI_CTX_TASK, 0);
	for (i = 0; i < 20; i++) {
		enter(m, 0xb0, KFI_CTX_TASK, 0);
		leave(m, 0xb0, KFI_CTX_TASK, 0);
	}
	leave(m, 0xa0, KFI_CTX_TASK, 5000);
	CHECK(nth_rec(m, 0, &r) && r.marks == KFI_MARK_NOTIME);
	CHECK_EQ(count(m, KFI_NOTIME), 10);
	CHECK_EQ(count(m, KFI_LOST_CLOCK), 11);
	check_identity(m);
	destroy(m);
}

static void clock_steps_back(void)
{
	struct machine *m = make(10);
	struct kfi_rec r;

	enter(m, 0xa0, KFI_CTX_TASK, 1000);
	leave(m, 0xa0, KFI_CTX_TASK, 900);
	CHECK(nth_rec(m, 0, &r) && r.entry == 1000 && r.exit == 1000 && r.local == 0);
	CHECK_EQ(count(m, KFI_STEPS_BACK), 1);
	check_identity(m);
	destroy(m);
}

static void full(void)
{
	struct machine *m = make(1);
	int i;

	for (i = 0; i < 1000; i++) {
		enter(m, 0xa0, KFI_CTX_TASK, 1000);
		leave(m, 0xa0, KFI_CTX_TASK, 1000);
		if (atomic_read(&m->run.state) != KFI_TRIGGERED)
			break;
	}
	CHECK_EQ(atomic_read(&m->run.state), KFI_COMPLETE);
	CHECK_EQ(m->run.stop.cause, KFI_BY_FULL);
	CHECK_EQ(count(m, KFI_LOST_FULL), 1);
	check_identity(m);
	destroy(m);
}

static void stop_time(void)
{
	struct machine *m = make_long(10);

	m->run.stop_at = 500;
	enter(m, 0xa0, KFI_CTX_TASK, 100);
	leave(m, 0xa0, KFI_CTX_TASK, 499);
	CHECK_EQ(atomic_read(&m->run.state), KFI_TRIGGERED);
	enter(m, 0xa0, KFI_CTX_TASK, 500);
	CHECK_EQ(atomic_read(&m->run.state), KFI_COMPLETE);
	CHECK_EQ(m->run.stop.cause, KFI_BY_TIME);
	CHECK_EQ(m->run.stop.time, 500);
	check_identity(m);
	destroy(m);
}

static void death(void)
{
	struct machine *m = make(10);
	struct kfi_rec r;

	enter(m, 0xa0, KFI_CTX_TASK, 100);
	enter(m, 0xb0, KFI_CTX_TASK, 200);
	irq_enter(m);
	enter(m, 0xc0, KFI_CTX_HARDIRQ, 300);
	m->run.filter.ctx_mask = 1 << KFI_CTX_TASK;
	kfi_call_died(&m->run, &m->cpu[1], 1, &m->stack[0]);
	m->stack[0].generation = 0;
	CHECK_EQ(count(m, KFI_FILTERED_NOINTS), 1);
	CHECK(nth_rec(m, 1, &r) && r.func == 0xb0 && r.marks == KFI_MARK_OPEN && r.entry == 200);
	/* Where it began, not where its end was noticed. */
	CHECK_EQ(r.cpu, 0);
	CHECK_EQ(count(m, KFI_DIED), 2);
	check_identity(m);
	destroy(m);
}

/* 71.6 minutes were the end of the historic clock. */
static void long_call(void)
{
	const u64 ns = 3 * (1ull << 32) * 1000 + 7;
	struct machine *m = make(1);
	struct kfi_rec r;

	enter(m, 0xa0, KFI_CTX_TASK, 100 + ns);
	enter(m, 0xb0, KFI_CTX_TASK, 200 + ns);
	leave(m, 0xb0, KFI_CTX_TASK, 200 + 2 * ns);
	leave(m, 0xa0, KFI_CTX_TASK, 300 + 2 * ns);
	CHECK(nth_rec(m, 0, &r) && r.func == 0xb0);
	CHECK_EQ(r.entry, 200 + ns);
	CHECK_EQ(r.exit - r.entry, ns);
	CHECK_EQ(r.local, ns);
	CHECK(nth_rec(m, 1, &r) && r.func == 0xa0);
	CHECK_EQ(r.exit - r.entry, ns + 200);
	CHECK_EQ(r.local, 200);
	destroy(m);
}

static void states(void)
{
	struct machine *m = make(1);

	CHECK(!kfi_run_start(&m->run, KFI_BY_USER, 0));
	CHECK(kfi_run_stop(&m->run, KFI_BY_USER, 0));
	CHECK(!kfi_run_stop(&m->run, KFI_BY_FULL, 0));
	CHECK(!kfi_run_start(&m->run, KFI_BY_USER, 0));
	CHECK_EQ(m->run.stop.cause, KFI_BY_USER);
	atomic_set(&m->run.state, KFI_PRIMED);
	m->run.stop_after = U64_MAX - 1;
	clock_now = 100;
	CHECK(kfi_run_start(&m->run, KFI_BY_ENTRY, 0xa0));
	CHECK_EQ(m->run.stop_at, U64_MAX);
	CHECK_EQ(m->run.start.func, 0xa0);
	destroy(m);
}

/* ---- cpus with a task each, a real clock and interrupts anywhere ---- */

#define CPUS		2
#define ROUNDS		3000

struct cpu {
	struct machine *m;
	u32 nr;
};

static __thread struct cpu *this_cpu;
static __thread bool in_interrupt;
static __thread bool in_softirq;

/* The outermost function of an interrupt that came to a task, or to a softirq, and others. */
enum {
	HARD_FN = 0x100,
	INNER_FN = 0x200,
	HARD_IN_SOFT_FN = 0x300,
	SOFT_FN = 0x400,
	TASK_FN = 0x1000,
};

static void on_interrupt(int sig)
{
	struct cpu *c = this_cpu;
	unsigned long func = in_softirq ? HARD_IN_SOFT_FN : HARD_FN;
	struct kfi_stack *s;

	if (!c || in_interrupt)
		return;
	in_interrupt = true;
	s = &c->m->stack[c->nr];
	/* It is entered before the context says so. */
	enter_on(c->m, c->nr, func, in_softirq ? KFI_CTX_SOFTIRQ : KFI_CTX_TASK);
	interrupt_enter(s);
	enter_on(c->m, c->nr, INNER_FN, KFI_CTX_HARDIRQ);
	leave_on(c->m, c->nr, INNER_FN, KFI_CTX_HARDIRQ);
	leave_on(c->m, c->nr, func, KFI_CTX_HARDIRQ);
	interrupt_exit(s, in_softirq ? KFI_CTX_SOFTIRQ : KFI_CTX_TASK);
	in_interrupt = false;
}

/* A softirq with interrupts on, as at the end of local_bh_enable(). */
static void softirq(struct cpu *c)
{
	in_softirq = true;
	interrupt_enter(&c->m->stack[c->nr]);
	enter_on(c->m, c->nr, SOFT_FN, KFI_CTX_SOFTIRQ);
	leave_on(c->m, c->nr, SOFT_FN, KFI_CTX_SOFTIRQ);
	in_softirq = false;
	interrupt_exit(&c->m->stack[c->nr], KFI_CTX_TASK);
}

static void recurse(struct cpu *c, unsigned int depth)
{
	struct kfi_stack *s = &c->m->stack[c->nr];
	unsigned int i;
	u64 now, irq;

	enter_on(c->m, c->nr, TASK_FN + depth, KFI_CTX_TASK);
	for (i = 0; depth < 3 && i < 3; i++)
		recurse(c, depth + 1);
	if (depth == 3)
		softirq(c);
	/* The scheduler, as in the kernel with interrupts off. */
	if (depth == 2) {
		in_interrupt = true;
		now = kfi_call_read_clock(s, &irq);
		kfi_stack_switch_out(s, now, irq);
		kfi_stack_switch_in(s, kfi_now(), c->nr, &c->m->cpu[c->nr]);
		in_interrupt = false;
	}
	leave_on(c->m, c->nr, TASK_FN + depth, KFI_CTX_TASK);
}

static void *run_cpu(void *arg)
{
	struct cpu *c = arg;
	int i;

	this_cpu = c;
	for (i = 0; i < ROUNDS; i++) {
		recurse(c, 0);
		if (i % 64 == 0)
			raise(SIGUSR1);
	}
	this_cpu = NULL;
	return NULL;
}

static void interrupt_all(bool on)
{
	interrupt_every(ITIMER_REAL, on ? 200 : 0, on_interrupt);
}

/* The calls of one function on one cpu, none within another, in order of time. */
struct spans {
	struct kfi_rec *r;
	size_t n;
};

static int by_entry(const void *a, const void *b)
{
	const struct kfi_rec *x = a, *y = b;

	return x->entry < y->entry ? -1 : x->entry > y->entry;
}

/* Chunks are in no order: one that an interrupt has taken in between is used later. */
static struct spans spans_of(struct machine *m, u32 cpu, u64 func)
{
	struct spans to = { calloc(count(m, KFI_KEPT), sizeof(*to.r)), 0 };
	struct kfi_rec r;
	u32 chunk, words;

	for (chunk = 0; chunk < kfi_ring_taken(&m->run.ring); chunk++) {
		u32 at = 0;

		for (; (words = kfi_ring_read(&m->run.ring, chunk, at, &r)); at += words)
			if (r.cpu == cpu && r.func == func)
				to.r[to.n++] = r;
	}
	qsort(to.r, to.n, sizeof(*to.r), by_entry);
	return to;
}

/* Did this interrupt come within the time of one of these calls, or when that was over? */
static bool within(const struct spans *of, const struct kfi_rec *hard)
{
	size_t lo = 0, hi = of->n;

	while (lo < hi) {
		size_t mid = (lo + hi) / 2;

		if (of->r[mid].entry <= hard->entry)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && of->r[lo - 1].exit >= hard->exit;
}

static void interrupted(void)
{
	struct machine *m;
	struct cpu cpus[CPUS];
	pthread_t threads[CPUS];
	u64 calls = 67ull * ROUNDS * CPUS;	/* 1 + 3 + 9 + 27 + 27 softirqs a round */
	u64 local = 0, roots = 0, taken = 0, irq = 0;
	struct spans tasks[CPUS], softs[CPUS];
	struct kfi_rec r;
	u32 i, chunk;

	real_clock = true;
	m = make(NCHUNKS);
	interrupt_all(true);
	for (i = 0; i < CPUS; i++) {
		cpus[i] = (struct cpu) { .m = m, .nr = i };
		pthread_create(&threads[i], NULL, run_cpu, &cpus[i]);
	}
	for (i = 0; i < CPUS; i++)
		pthread_join(threads[i], NULL);
	interrupt_all(false);
	real_clock = false;
	for (i = 0; i < CPUS; i++)
		CHECK_EQ(kfi_stack_depth(&m->stack[i]), 0);
	CHECK_EQ(count(m, KFI_NOT_FOUND), 0);
	CHECK_EQ(total(m, KFI_LOST_FIRST, KFI_LOST_LAST), 0);
	CHECK(count(m, KFI_SEEN) > calls);
	CHECK_EQ((count(m, KFI_SEEN) - calls) % 2, 0);
	CHECK_EQ(count(m, KFI_KEPT), count(m, KFI_SEEN));
	check_identity(m);
	for (i = 0; i < CPUS; i++) {
		tasks[i] = spans_of(m, i, TASK_FN);
		softs[i] = spans_of(m, i, SOFT_FN);
	}
	/* All local times together are what the roots ran: nothing is counted twice. */
	for (chunk = 0; chunk < kfi_ring_taken(&m->run.ring); chunk++) {
		u32 at = 0, words;

		for (; (words = kfi_ring_read(&m->run.ring, chunk, at, &r)); at += words) {
			CHECK(r.local + r.off + r.irq <= r.exit - r.entry);
			if (r.ctx == KFI_CTX_TASK)
				local += r.local;
			if (r.depth == 1 && r.ctx == KFI_CTX_TASK) {
				roots += r.exit - r.entry - r.off - r.irq;
				taken += r.irq;
			}
			/* Outside all calls there is nobody to take it from. */
			if (r.func == SOFT_FN ||
			    (r.func == HARD_FN && within(&tasks[r.cpu], &r)) ||
			    (r.func == HARD_IN_SOFT_FN && !within(&softs[r.cpu], &r)))
				irq += r.exit - r.entry;
		}
	}
	CHECK_EQ(local, roots);
	/* What the roots say of interrupts is what the interrupts themselves say. */
	CHECK_EQ(taken, irq);
	for (i = 0; i < CPUS; i++) {
		free(tasks[i].r);
		free(softs[i].r);
	}
	destroy(m);
}

/* What is open in a context, the innermost first, and nothing of what it interrupted. */
static void open_functions(void)
{
	struct machine *m = make(4);
	struct kfi_stack *s = m->stack;
	unsigned long f[4];
	u32 i;

	CHECK_EQ(kfi_stack_open(s, KFI_CTX_TASK, f, 4), 0);
	enter(m, 0xa0, KFI_CTX_TASK, 100);
	enter(m, 0xb0, KFI_CTX_TASK, 110);
	CHECK(kfi_stack_open(s, KFI_CTX_TASK, f, 4) == 2 && f[0] == 0xb0 && f[1] == 0xa0);
	CHECK_EQ(kfi_stack_open(s, KFI_CTX_HARDIRQ, f, 4), 0);
	irq_enter(m);
	enter(m, 0xc0, KFI_CTX_HARDIRQ, 120);
	enter(m, 0xd0, KFI_CTX_HARDIRQ, 130);
	CHECK(kfi_stack_open(s, KFI_CTX_HARDIRQ, f, 4) == 2 && f[0] == 0xd0 && f[1] == 0xc0);
	/* A softirq at the end of the interrupt: that is not what it interrupted. */
	irq_exit(m, KFI_CTX_TASK);
	irq_enter(m);
	enter(m, 0xe0, KFI_CTX_SOFTIRQ, 140);
	CHECK(kfi_stack_open(s, KFI_CTX_SOFTIRQ, f, 4) == 3 && f[0] == 0xe0 && f[2] == 0xc0);
	CHECK(kfi_stack_open(s, KFI_CTX_SOFTIRQ, f, 2) == 2 && f[1] == 0xd0);
	CHECK_EQ(kfi_stack_open(s, KFI_CTX_NMI, f, 4), 0);
	leave(m, 0xe0, KFI_CTX_SOFTIRQ, 150);
	irq_exit(m, KFI_CTX_TASK);
	leave(m, 0xd0, KFI_CTX_TASK, 160);
	leave(m, 0xc0, KFI_CTX_TASK, 170);
	/* What is being pushed below an interrupt is no frame of it, nor is what is closed. */
	enter(m, 0xc0, KFI_CTX_TASK, 180);
	s->frame[2].at = 0;
	CHECK_EQ(kfi_stack_open(s, KFI_CTX_SOFTIRQ, f, 4), 0);
	s->frame[1].func = 0;
	CHECK(kfi_stack_open(s, KFI_CTX_TASK, f, 4) == 2 && f[0] == 0xc0 && f[1] == 0xa0);
	/* The innermost calls have no frame: nothing is known of them. */
	for (i = kfi_stack_frames(s); i <= KFI_STACK_DEPTH; i++)
		enter(m, 0xd0, KFI_CTX_TASK, 190);
	CHECK_EQ(kfi_stack_open(s, KFI_CTX_TASK, f, 4), 0);
	destroy(m);
}

static const struct check_case cases[] = {
	{ "durations and local times of nested calls and interrupts", nested },
	{ "time switched out and time in interrupts", away },
	{ "interrupts upon interrupts", nested_interrupts },
	{ "frames that are free, or closed", free_frames },
	{ "an interrupt while a call is pushed", in_a_push },
	{ "an interrupt while a call is popped", in_a_pop },
	{ "the run is stopped in an interrupt, in a hook", stopped_in_interrupt },
	{ "local time when the child is filtered", filtered_children },
	{ "calls that do not return are unwound", unwound },
	{ "calls that are too deep", too_deep },
	{ "calls before the clock runs", without_clock },
	{ "a clock that steps back", clock_steps_back },
	{ "the log is full", full },
	{ "stop by time", stop_time },
	{ "a task dies with open calls", death },
	{ "functions that are open in a context", open_functions },
	{ "a call longer than 32 bits of microseconds", long_call },
	{ "states", states },
	{ "interrupts anywhere, on two cpus", interrupted },
};

int main(void)
{
	return run_on_both_paths(cases, ARRAY_SIZE(cases));
}
