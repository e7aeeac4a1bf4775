// SPDX-License-Identifier: GPL-2.0
/*
 * Rounds of a run that repeats, and runs one after the other: which call belongs to which, what is
 * open at the end of each, and the accounting of each run, whatever comes in the middle of a
 * callout. Also run under ThreadSanitizer.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "callout.h"
#include "check.h"
#include "clock.h"
#include "interrupt.h"
#include "hooks/slow.h"

#define CHUNK		4096
#define RUNS		3
#define CPUS		4

/* Runs, and one stack a cpu. What a kernel holds for the calls that are open is in open[]. */
struct machine {
	struct kfi_run run[RUNS];
	struct kfi_cpu cpu[RUNS][CPUS];
	struct kfi_run *live;
	struct kfi_fast fast;
	struct kfi_stack *stack;
	u64 open[RUNS];
	u32 nruns;
	u32 nchunks;
};

static struct machine *m;

static void make(u32 nruns, u32 nchunks)
{
	u32 i, c;

	m = aligned_alloc(64, (sizeof(*m) + 63) / 64 * 64);
	memset(m, 0, sizeof(*m));
	m->nruns = nruns;
	m->nchunks = nchunks;
	m->stack = calloc(CPUS, sizeof(*m->stack));
	for (i = 0; i < CPUS; i++)
		kfi_stack_forget(&m->stack[i]);
	for (i = 0; i < nruns; i++) {
		struct kfi_run *run = &m->run[i];
		struct kfi_chunk **chunks = calloc(nchunks, sizeof(*chunks));

		for (c = 0; c < nchunks; c++)
			chunks[c] = calloc(1, CHUNK);
		atomic_set(&run->state, i ? KFI_IDLE : KFI_PRIMED);
		run->quick = KFI_STAMP_NEVER;
		run->stop_at = U64_MAX;
		run->start_at = U64_MAX;
		run->stop_after = U64_MAX;
		run->filter.max = U64_MAX;
		run->filter.ctx_mask = 0xf;
		run->cpus = m->cpu[i];
		run->live = &m->live;
		run->gate = short_way ? &m->fast : NULL;
		run->prev = i ? &m->run[i - 1] : NULL;
		run->next = i + 1 < nruns ? &m->run[i + 1] : NULL;
		kfi_ring_init(&run->ring, chunks, nchunks, CHUNK, 0);
	}
	kfi_run_stamps(0);
	kfi_fast_shut(&m->fast);
	m->live = &m->run[0];
}

static void destroy(void)
{
	u32 i, c;

	for (i = 0; i < m->nruns; i++) {
		for (c = 0; c < m->nchunks; c++)
			free(m->run[i].ring.chunks[c]);
		free(m->run[i].ring.chunks);
	}
	free(m->stack);
	free(m);
}

/* ---- the callouts, as hooks/hook.c has them ---- */

static void enter_on(u32 nr, unsigned long func, unsigned int ctx)
{
	struct kfi_run *run = READ_ONCE(m->live);
	struct kfi_here here = { .stack = &m->stack[nr], .cpunr = nr, .pid = 40 + nr, .ctx = ctx };

	if (!run || short_enter(run->gate, here.stack, func, func + 4, ctx))
		return;
	if (kfi_is_quick(run, here.stack, func, run->stop_entry))
		kfi_call_enter(run, &run->cpus[nr], nr, here.stack, func, func + 4, ctx);
	else if (kfi_slow_enter(run, &here, func, func + 4))
		kfi_slow_done(&here);
}

static void leave_on(u32 nr, unsigned long func, unsigned int ctx)
{
	struct kfi_run *run = READ_ONCE(m->live);
	struct kfi_here here = { .stack = &m->stack[nr], .cpunr = nr, .pid = 40 + nr, .ctx = ctx };

	if (!run || short_exit(run->gate, here.stack, func, ctx))
		return;
	if (kfi_is_quick(run, here.stack, func, run->stop_exit))
		kfi_call_exit(run, &run->cpus[nr], nr, here.stack, func, ctx);
	else
		kfi_slow_exit(run, &here, func);
}

static void enter(unsigned long func, u64 at)
{
	clock_now = at;
	enter_on(0, func, KFI_CTX_TASK);
}

static void leave(unsigned long func, u64 at)
{
	clock_now = at;
	leave_on(0, func, KFI_CTX_TASK);
}

static void call(unsigned long func, u64 at)
{
	enter(func, at);
	leave(func, at + 1);
}

/* ---- accounting ---- */

static u64 total(u32 run, enum kfi_count first, enum kfi_count last)
{
	u64 n = 0;
	u32 nr;

	for (; first <= last; first++)
		for (nr = 0; nr < CPUS; nr++) {
			n += kfi_count_read(&m->cpu[run][nr], first);
			if (kfi_run_has(&m->run[run], READ_ONCE(m->stack[nr].stamp)))
				n += on_stack(&m->stack[nr], first);
		}
	return n;
}

static u64 count(u32 run, enum kfi_count what)
{
	return total(run, what, what);
}

/* As kfi_task_take(): what is open on the stacks. */
static void take(u32 run)
{
	struct kfi_rec r;
	u32 nr, i;

	for (nr = 0; nr < CPUS; nr++) {
		struct kfi_stack *s = &m->stack[nr];
		u32 stamp = READ_ONCE(s->stamp);

		if (!kfi_run_has(&m->run[run], stamp) ||
		    cmpxchg(&s->stamp, stamp, KFI_STAMP_TAKEN) != stamp)
			continue;
		for (i = 0; i < kfi_stack_frames(s); i++)
			m->open[run] += kfi_call_open(s, i, &r);
		kfi_call_flush(&m->cpu[run][nr], s);
		smp_store_release(&s->stamp, 0);
	}
}

/* To be called when nothing is live any more, or for a run that has been taken. */
static void check_identity(u32 run)
{
	u64 records = 0;
	struct kfi_rec r;
	u32 chunk;

	CHECK_EQ(count(run, KFI_SEEN), count(run, KFI_KEPT) +
		 total(run, KFI_FILTERED_FIRST, KFI_FILTERED_LAST) +
		 total(run, KFI_LOST_FIRST, KFI_LOST_LAST) + count(run, KFI_DIED) + m->open[run]);
	for (chunk = 0; chunk < kfi_ring_taken(&m->run[run].ring); chunk++) {
		u32 at = 0, words;

		for (; (words = kfi_ring_read(&m->run[run].ring, chunk, at, &r)); at += words)
			records++;
	}
	CHECK_EQ(records, count(run, KFI_KEPT) + count(run, KFI_DIED));
}

static void check_all(void)
{
	u32 i;

	for (i = 0; i < m->nruns; i++) {
		take(i);
		check_identity(i);
	}
}

/* The n-th record of a run, in the order of writing. */
static bool nth(u32 run, u32 n, struct kfi_rec *r)
{
	u32 chunk;

	for (chunk = 0; chunk < kfi_ring_taken(&m->run[run].ring); chunk++) {
		u32 at = 0, words;

		for (; (words = kfi_ring_read(&m->run[run].ring, chunk, at, r)); at += words)
			if (!n--)
				return true;
	}
	return false;
}

static int state(u32 run)
{
	return atomic_read(&m->run[run].state);
}

/* ---- rounds ---- */

static void make_repeat(u32 nruns)
{
	make(nruns, 20);
	m->run[0].repeat = true;
	m->run[0].start_entry = 0xa0;
	m->run[0].stop_exit = 0xb0;
}

static void rounds(void)
{
	struct kfi_rec r;

	make_repeat(1);
	call(0xc0, 50);
	CHECK_EQ(state(0), KFI_PRIMED);
	call(0xa0, 100);
	call(0xb0, 110);
	CHECK_EQ(state(0), KFI_PRIMED);
	call(0xc0, 150);
	call(0xb0, 160);
	call(0xa0, 200);
	CHECK_EQ(state(0), KFI_TRIGGERED);
	call(0xc0, 210);
	call(0xb0, 220);
	CHECK_EQ(state(0), KFI_PRIMED);
	CHECK_EQ(m->run[0].rounds, 2);
	CHECK_EQ(m->run[0].start.time, 100);
	CHECK_EQ(m->run[0].start.func, 0xa0);
	CHECK_EQ(m->run[0].began, 200);
	CHECK_EQ(m->run[0].stop.func, 0xb0);
	CHECK_EQ(m->run[0].stop.time, 221);
	CHECK_EQ(count(0, KFI_KEPT), 5);
	CHECK(nth(0, 2, &r) && r.func == 0xa0 && r.entry == 200 && r.depth == 1);
	CHECK(kfi_run_end(&m->run[0]));
	CHECK_EQ(state(0), KFI_COMPLETE);
	CHECK_EQ(m->run[0].stop.cause, KFI_BY_USER);
	CHECK(!kfi_run_end(&m->run[0]));
	check_all();
	destroy();
}

/* What is open at the end of a round is a row, written when the stack is used again. */
static void open_at_the_end(void)
{
	struct kfi_rec r;

	make_repeat(1);
	enter(0xa0, 100);
	enter(0xc0, 110);
	enter(0xb0, 120);
	leave(0xb0, 130);
	/* c returns between the rounds, a in the next one. */
	leave(0xc0, 140);
	enter(0xa0, 200);
	CHECK(nth(0, 1, &r) && r.func == 0xa0 && r.entry == 100 && r.marks == KFI_MARK_OPEN);
	CHECK(nth(0, 2, &r) && r.func == 0xc0 && r.depth == 2 && r.marks == KFI_MARK_OPEN);
	CHECK_EQ(count(0, KFI_DIED), 2);
	leave(0xa0, 210);
	CHECK(nth(0, 3, &r) && r.func == 0xa0 && r.entry == 200 && r.depth == 1 && !r.marks);
	leave(0xa0, 220);
	CHECK_EQ(count(0, KFI_NOT_FOUND), 1);
	enter(0xd0, 230);
	CHECK(kfi_run_end(&m->run[0]));
	take(0);
	CHECK_EQ(m->open[0], 1);
	check_identity(0);
	/* A stack that is left alone in one round is of the round before still. */
	destroy();
	make_repeat(1);
	enter(0xa0, 100);
	enter_on(1, 0xd0, KFI_CTX_TASK);
	call(0xb0, 110);
	call(0xa0, 200);
	call(0xb0, 210);
	call(0xa0, 300);
	kfi_run_end(&m->run[0]);
	take(0);
	CHECK_EQ(m->open[0], 1);
	CHECK_EQ(count(0, KFI_DIED), 1);
	check_identity(0);
	destroy();
}

/* From one entry of a function to the next: it stops one round and is the first of the next. */
static void round_to_round(void)
{
	struct kfi_rec r;
	int i;

	make(1, 20);
	m->run[0].repeat = true;
	m->run[0].start_entry = 0xa0;
	m->run[0].stop_entry = 0xa0;
	for (i = 0; i < 5; i++) {
		call(0xa0, 100 + 10 * i);
		call(0xb0, 105 + 10 * i);
	}
	CHECK_EQ(m->run[0].rounds, 5);
	CHECK_EQ(count(0, KFI_KEPT), 10);
	CHECK(nth(0, 8, &r) && r.func == 0xa0 && r.entry == 140 && r.exit == 141);
	kfi_run_end(&m->run[0]);
	check_all();
	/* By exits: the call is of the round that it ends. */
	destroy();
	make(1, 20);
	m->run[0].repeat = true;
	m->run[0].start_exit = 0xa0;
	m->run[0].stop_exit = 0xa0;
	for (i = 0; i < 5; i++)
		call(0xa0, 100 + 10 * i);
	CHECK_EQ(m->run[0].rounds, 5);
	CHECK_EQ(count(0, KFI_KEPT), 4);
	CHECK_EQ(count(0, KFI_NOT_FOUND), 0);
	kfi_run_end(&m->run[0]);
	check_all();
	destroy();
}

static void what_ends_it(void)
{
	int i;

	/* The stop time ends a round. */
	make_repeat(1);
	m->run[0].stop_exit = 0;
	m->run[0].stop_after = 50;
	call(0xa0, 100);
	call(0xc0, 148);
	CHECK_EQ(state(0), KFI_TRIGGERED);
	call(0xc0, 150);
	CHECK_EQ(state(0), KFI_PRIMED);
	CHECK_EQ(m->run[0].stop.cause, KFI_BY_TIME);
	call(0xa0, 200);
	CHECK_EQ(m->run[0].stop_at, 250);
	/* That a callout has found the time of an earlier round to be up is no reason to stop. */
	CHECK(!kfi_run_stop(&m->run[0], KFI_BY_TIME, 0));
	CHECK_EQ(state(0), KFI_TRIGGERED);
	/* The user ends the run. */
	CHECK(kfi_run_end(&m->run[0]));
	CHECK_EQ(state(0), KFI_COMPLETE);
	check_all();
	destroy();
	/* So does a log that is full. */
	make_repeat(1);
	m->run[0].ring.nchunks = 1;
	for (i = 0; i < 1000 && state(0) != KFI_COMPLETE; i++) {
		call(0xa0, 100 + 10 * i);
		call(0xb0, 105 + 10 * i);
	}
	CHECK(i > 60 && i < 120);
	CHECK_EQ(m->run[0].stop.cause, KFI_BY_FULL);
	check_all();
	destroy();
	/* And stamps that are used up; there is one left for the run after this one. */
	make_repeat(2);
	kfi_run_stamps(KFI_STAMP_LAST - 2);
	m->run[1].start_entry = 0xa0;
	call(0xa0, 100);
	call(0xb0, 110);
	CHECK_EQ(state(0), KFI_PRIMED);
	call(0xa0, 200);
	call(0xb0, 210);
	CHECK_EQ(state(0), KFI_COMPLETE);
	CHECK_EQ(m->run[0].stop.cause, KFI_BY_EXIT);
	call(0xa0, 300);
	CHECK_EQ(count(1, KFI_KEPT), 1);
	kfi_run_end(&m->run[1]);
	check_all();
	destroy();
}

/* ---- runs ---- */

static void one_after_the_other(void)
{
	struct kfi_rec r;

	make(3, 20);
	m->run[0].start_entry = 0xa0;
	m->run[0].stop_entry = 0xb0;
	m->run[1].start_entry = 0xb0;
	m->run[1].stop_exit = 0xc0;
	m->run[2].start_exit = 0xc0;
	enter(0xa0, 100);
	enter(0xb0, 110);
	/* b stops the first run, and is the first call of the second. What was open is the first's. */
	CHECK_EQ(state(0), KFI_COMPLETE);
	CHECK_EQ(state(1), KFI_TRIGGERED);
	CHECK(m->live == &m->run[1]);
	CHECK_EQ(count(0, KFI_SEEN), 1);
	CHECK_EQ(count(0, KFI_DIED), 1);
	CHECK(nth(0, 0, &r) && r.func == 0xa0 && r.entry == 100 && r.marks == KFI_MARK_OPEN);
	leave(0xb0, 120);
	CHECK(nth(1, 0, &r) && r.func == 0xb0 && r.entry == 110 && r.exit == 120 && r.depth == 1);
	enter(0xd0, 130);
	call(0xc0, 140);
	/* The third is started by the exit that stops the second. */
	CHECK_EQ(state(1), KFI_COMPLETE);
	CHECK_EQ(state(2), KFI_TRIGGERED);
	CHECK_EQ(m->run[2].start.time, 141);
	/* Its first callout on this stack is an exit; the short way is its alone. */
	leave(0xd0, 150);
	CHECK_EQ(count(1, KFI_DIED), 1);
	CHECK_EQ(count(2, KFI_NOT_FOUND), 1);
	CHECK(kfi_is_quick(&m->run[2], &m->stack[0], 0xa0, 0));
	call(0xe0, 160);
	CHECK(kfi_run_end(&m->run[2]));
	CHECK(m->live == &m->run[2]);
	check_all();
	CHECK_EQ(count(1, KFI_SEEN), 3);
	CHECK_EQ(count(2, KFI_SEEN), 1);
	destroy();
}

/* A run that is ended by command before its start makes room for the next one all the same. */
static void passed_over(void)
{
	make(2, 20);
	m->run[1].start_entry = 0xa0;
	CHECK(kfi_run_end(&m->run[0]));
	CHECK_EQ(state(0), KFI_COMPLETE);
	CHECK_EQ(m->run[0].start.cause, KFI_BY_NOTHING);
	CHECK_EQ(state(1), KFI_PRIMED);
	call(0xa0, 100);
	CHECK_EQ(count(1, KFI_KEPT), 1);
	check_all();
	destroy();
}

static u32 told;

static void tell_over(void)
{
	told++;
}

/* It is told once that nothing is left to record; when it is told that has come true. */
static void over(void)
{
	u32 i;

	make_repeat(2);
	told = 0;
	for (i = 0; i < 2; i++)
		m->run[i].over = tell_over;
	call(0xa0, 100);
	call(0xb0, 110);
	call(0xa0, 200);
	CHECK(kfi_run_end(&m->run[0]));
	CHECK_EQ(told, 0);
	CHECK(kfi_run_start(&m->run[1], KFI_BY_USER, 0));
	CHECK_EQ(told, 0);
	CHECK(kfi_run_stop(&m->run[1], KFI_BY_FULL, 0));
	CHECK_EQ(told, 1);
	CHECK(!kfi_run_end(&m->run[1]));
	CHECK_EQ(told, 1);
	destroy();
	/* In a crash nobody is bothered. */
	make(1, 20);
	m->run[0].over = tell_over;
	CHECK(kfi_run_start(&m->run[0], KFI_BY_USER, 0));
	CHECK(kfi_run_stop(&m->run[0], KFI_BY_CRASH, 0));
	CHECK_EQ(told, 1);
	destroy();
}

/* ---- in the middle of a callout ---- */

/* The run has been stopped meanwhile, and the next round, or run, started; then an interrupt. */
static void next_begins(void)
{
	struct kfi_run *run = m->live;

	kfi_run_stop(run, KFI_BY_EXIT, 0xb0);
	CHECK(kfi_run_start(m->live, KFI_BY_ENTRY, 0xa0));
	enter_on(0, 0x10, KFI_CTX_HARDIRQ);
	enter_on(0, 0x20, KFI_CTX_HARDIRQ);
	leave_on(0, 0x20, KFI_CTX_HARDIRQ);
	leave_on(0, 0x10, KFI_CTX_HARDIRQ);
}

static void changed_in_a_callout(void)
{
	u32 nruns, read;

	for (nruns = 1; nruns <= 2; nruns++) {
		for (read = 0; read < (short_way ? 5 : 3); read++) {
			/* The short way reads the clock in vain before it sees that it is none. */
			bool in_vain = short_way && read % 2;

			make_repeat(nruns);
			m->run[0].repeat = nruns == 1;
			call(0xa0, 100);
			enter(0xc0, 110);
			at_read = next_begins;
			reads_left = (int)read;
			call(0xd0, 120);
			leave(0xc0, 130);
			CHECK(!at_read);
			call(0xe0, 140);
			kfi_run_end(m->live);
			check_all();
			/* An interrupt upon a callout of the run before has no stack to be on. */
			CHECK_EQ(total(nruns - 1, KFI_LOST_FIRST, KFI_LOST_LAST),
				 nruns == 2 && !in_vain ? 2 : 0);
			CHECK_EQ(m->stack[0].busy, 0);
			destroy();
		}
	}
}

/* An interrupt that is recorded between the start and its call does not lie in that. */
static void interrupt_after_start(void)
{
	clock_now += 5;
	enter_on(0, 0x10, KFI_CTX_HARDIRQ);
	clock_now += 10;
	leave_on(0, 0x10, KFI_CTX_HARDIRQ);
}

static void started_late(void)
{
	u32 read;

	for (read = 0; read < 2; read++) {
		struct kfi_rec r;

		make_repeat(1);
		at_read = interrupt_after_start;
		reads_left = (int)read;
		call(0xa0, 100);
		CHECK(!at_read);
		call(0xa0, 200);
		CHECK_EQ(m->run[0].start.time, 100);
		if (read) {
			CHECK(nth(0, 0, &r) && r.func == 0x10 && r.entry == 105);
			CHECK(nth(0, 1, &r) && r.func == 0xa0 && r.entry == 115);
		} else {
			/* Before the start it is not seen. */
			CHECK(nth(0, 0, &r) && r.func == 0xa0 && r.entry == 100);
		}
		kfi_run_end(&m->run[0]);
		check_all();
		destroy();
	}
}

/* The same, after the callout has looked at the run and before it has looked at its stack. */
static void late(void)
{
	struct kfi_here here;

	make(2, 20);
	m->run[0].start_entry = 0xa0;
	here = (struct kfi_here) { .stack = &m->stack[0], .pid = 40 };
	call(0xa0, 100);
	kfi_run_stop(&m->run[0], KFI_BY_USER, 0);
	kfi_run_start(&m->run[1], KFI_BY_USER, 0);
	enter(0xc0, 110);
	/* What the callout has seen. */
	atomic_set(&m->run[0].state, KFI_TRIGGERED);
	CHECK(!kfi_slow_enter(&m->run[0], &here, 0xd0, 0));
	kfi_slow_exit(&m->run[0], &here, 0xd0);
	CHECK_EQ(count(0, KFI_SEEN), 1);
	CHECK_EQ(m->stack[0].stamp, m->run[1].stamp);
	leave(0xc0, 120);
	CHECK_EQ(count(1, KFI_KEPT), 1);
	check_all();
	destroy();
}

/* Somebody is at work on the stack, or there is none. */
static void taken(void)
{
	struct kfi_here here = { .stack = NULL };

	make_repeat(1);
	call(0xa0, 100);
	kfi_call_flush(&m->cpu[0][0], &m->stack[0]);
	m->stack[0].stamp = KFI_STAMP_TAKEN;
	call(0xc0, 110);
	CHECK_EQ(count(0, KFI_LOST_STACK), 1);
	CHECK_EQ(count(0, KFI_NOT_FOUND), 0);
	CHECK(!kfi_slow_enter(&m->run[0], &here, 0xc0, 0));
	kfi_slow_exit(&m->run[0], &here, 0xc0);
	CHECK_EQ(count(0, KFI_LOST_STACK), 2);
	m->stack[0].stamp = 0;
	kfi_run_end(&m->run[0]);
	check_all();
	destroy();
}

/* An NMI comes while its cpu stands still for a snapshot: nothing that is copied changes. */
static void still(void)
{
	struct kfi_here here = { .stack = NULL, .ctx = KFI_CTX_NMI, .still = true };
	struct kfi_cpu before;

	make_repeat(1);
	call(0xa0, 100);
	before = m->run[0].cpus[0];
	CHECK(!kfi_slow_enter(&m->run[0], &here, 0xc0, 0));
	CHECK(!kfi_slow_enter(&m->run[0], &here, 0xd0, 0));
	kfi_slow_exit(&m->run[0], &here, 0xd0);
	kfi_slow_exit(&m->run[0], &here, 0xc0);
	CHECK(!memcmp(&before.ring, &m->run[0].cpus[0].ring, sizeof(before.ring)));
	CHECK(!memcmp(&before.count, &m->run[0].cpus[0].count, sizeof(before.count)));
	CHECK_EQ(kfi_counter_read(&m->run[0].cpus[0].still_seen), 2);
	CHECK_EQ(kfi_counter_read(&m->run[0].cpus[0].still_lost), 2);
	kfi_run_end(&m->run[0]);
	check_all();
	destroy();
}

/* ---- cpus with a task each, a real clock, interrupts and triggers anywhere ---- */

#define ROUNDS		300	/* of each run that repeats, at least, before it is ended */

/* Set when the cpus are to come to an end. */
static bool enough;

/* Callouts under way on a cpu, and how often there was none again: to wait until all have passed. */
static u32 inside[CPUS], passed[CPUS];
static __thread int this_nr = -1;

static void begin_callout(void)
{
	__atomic_fetch_add(&inside[this_nr], 1, __ATOMIC_SEQ_CST);
}

static void end_callout(void)
{
	if (__atomic_sub_fetch(&inside[this_nr], 1, __ATOMIC_SEQ_CST) == 0)
		__atomic_fetch_add(&passed[this_nr], 1, __ATOMIC_SEQ_CST);
}

static void out_enter(unsigned long func, unsigned int ctx)
{
	begin_callout();
	enter_on((u32)this_nr, func, ctx);
	end_callout();
}

static void out_leave(unsigned long func, unsigned int ctx)
{
	begin_callout();
	leave_on((u32)this_nr, func, ctx);
	end_callout();
}

static void on_interrupt(int sig)
{
	static __thread bool nested;

	if (this_nr < 0 || nested)
		return;
	nested = true;
	out_enter(0x100, KFI_CTX_HARDIRQ);
	out_enter(0xa0, KFI_CTX_HARDIRQ);
	out_leave(0xa0, KFI_CTX_HARDIRQ);
	out_leave(0x100, KFI_CTX_HARDIRQ);
	nested = false;
}

static void recurse(unsigned int depth, u32 *seed)
{
	unsigned int i;

	out_enter(0x1000 + depth, KFI_CTX_TASK);
	for (i = 0; depth < 3 && i < 3; i++)
		recurse(depth + 1, seed);
	*seed = *seed * 1103515245 + 12345;
	/* Some of these start and stop rounds. */
	if (*seed >> 16 & 1) {
		out_enter(0xa0, KFI_CTX_TASK);
		out_leave(0xa0, KFI_CTX_TASK);
	} else if (*seed >> 17 & 1) {
		out_enter(0xb0, KFI_CTX_TASK);
		out_leave(0xb0, KFI_CTX_TASK);
	}
	out_leave(0x1000 + depth, KFI_CTX_TASK);
}

static void *run_cpu(void *arg)
{
	u32 nr = (u32)(uintptr_t)arg, seed = nr;
	int i;

	this_nr = (int)nr;
	for (i = 0; !__atomic_load_n(&enough, __ATOMIC_RELAXED); i++) {
		recurse(0, &seed);
		if (i % 16 == 0)
			raise(SIGUSR1);
	}
	this_nr = -1;
	return NULL;
}

static void pass(void)
{
	u32 nr;

	for (nr = 0; nr < CPUS; nr++) {
		u32 was = __atomic_load_n(&passed[nr], __ATOMIC_SEQ_CST);

		while (__atomic_load_n(&inside[nr], __ATOMIC_SEQ_CST) &&
		       was == __atomic_load_n(&passed[nr], __ATOMIC_SEQ_CST))
			sched_yield();
	}
}

static void interrupt_all(bool on)
{
	interrupt_every(ITIMER_REAL, on ? 200 : 0, on_interrupt);
}

/* Wait until a run has had so many rounds, or is complete because its log is full. */
static void wait_rounds(const struct kfi_run *run, u32 rounds)
{
	struct timespec ms = { 0, 1000000 };
	u32 first;

	do {
		nanosleep(&ms, NULL);
		first = READ_ONCE(run->first_stamp);
	} while ((!first || READ_ONCE(run->stamp) - first + 1 < rounds) &&
		 atomic_read(&run->state) != KFI_COMPLETE);
}

/* Wait until so many calls were kept, or the run is complete because its log is full. */
static void wait_calls(const struct kfi_run *run, u64 calls)
{
	struct timespec ms = { 0, 1000000 };

	do
		nanosleep(&ms, NULL);
	while (kfi_ring_taken(&run->ring) < calls / (CHUNK / 24) &&
	       atomic_read(&run->state) != KFI_COMPLETE);
}

static void storm(void)
{
	pthread_t threads[CPUS];
	u32 i;

	real_clock = true;
	enough = false;
	make(RUNS, 4000);
	for (i = 0; i < RUNS; i++) {
		m->run[i].repeat = i != 2;
		m->run[i].start_entry = 0xa0;
		m->run[i].stop_entry = i == 1 ? 0xb0 : 0;
		m->run[i].stop_exit = i == 1 ? 0 : 0xb0;
	}
	interrupt_all(true);
	for (i = 0; i < CPUS; i++)
		pthread_create(&threads[i], NULL, run_cpu, (void *)(uintptr_t)i);
	/* Two runs are ended and collected while the others go on. */
	for (i = 0; i < 2; i++) {
		wait_rounds(&m->run[i], ROUNDS);
		kfi_run_end(&m->run[i]);
		CHECK_EQ(state(i), KFI_COMPLETE);
		pass();
		take(i);
		pass();
		check_identity(i);
	}
	wait_rounds(&m->run[2], 1);
	__atomic_store_n(&enough, true, __ATOMIC_RELAXED);
	for (i = 0; i < CPUS; i++)
		pthread_join(threads[i], NULL);
	interrupt_all(false);
	real_clock = false;
	kfi_run_end(&m->run[2]);
	for (i = 0; i < CPUS; i++)
		CHECK_EQ(m->stack[i].busy, 0);
	take(2);
	for (i = 0; i < RUNS; i++) {
		check_identity(i);
		CHECK(count(i, KFI_SEEN) > 0);
		CHECK_EQ(count(i, KFI_STEPS_BACK), 0);
		CHECK_EQ(m->run[i].rounds, m->run[i].stamp - m->run[i].first_stamp + 1);
		if (i)
			CHECK(m->run[i].first_stamp > m->run[i - 1].stamp);
	}
	destroy();
}

/* A run that nothing follows, started and stopped by triggers: the short way. */
static void storm_once(void)
{
	pthread_t threads[CPUS];
	u32 i;

	real_clock = true;
	enough = false;
	make(1, 4000);
	m->run[0].start_entry = 0xa0;
	m->run[0].stop_exit = 0xc0;
	m->run[0].filter.min = 3000;
	interrupt_all(true);
	for (i = 0; i < CPUS; i++)
		pthread_create(&threads[i], NULL, run_cpu, (void *)(uintptr_t)i);
	wait_calls(&m->run[0], 20000);
	kfi_run_end(&m->run[0]);
	/* Taken while they go on calling. */
	pass();
	take(0);
	__atomic_store_n(&enough, true, __ATOMIC_RELAXED);
	for (i = 0; i < CPUS; i++)
		pthread_join(threads[i], NULL);
	interrupt_all(false);
	real_clock = false;
	check_identity(0);
	CHECK(count(0, KFI_FILTERED_MINTIME) > 0);
	CHECK_EQ(count(0, KFI_STEPS_BACK), 0);
	destroy();
}

static const struct check_case cases[] = {
	{ "rounds", rounds },
	{ "open at the end of a round", open_at_the_end },
	{ "the call that ends a round begins the next", round_to_round },
	{ "what ends a run that repeats", what_ends_it },
	{ "runs, one after the other", one_after_the_other },
	{ "a run that is passed over", passed_over },
	{ "who is told that it is over", over },
	{ "a change in the middle of a callout", changed_in_a_callout },
	{ "an interrupt between a start and its call", started_late },
	{ "a callout that is late", late },
	{ "a stack that is taken, or missing", taken },
	{ "an NMI while its cpu stands still for a snapshot", still },
	{ "rounds and runs on four cpus, interrupts anywhere", storm },
	{ "a run on four cpus, interrupts anywhere", storm_once },
};

CALLOUT_MAIN(cases)
