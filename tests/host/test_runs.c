// SPDX-License-Identifier: GPL-2.0
/*
 * Sessions with autorepeat, and sessions one after the other: which call belongs to which
 * iteration, and the accounting of each session, whatever comes in the middle of a hook. Also run
 * under ThreadSanitizer.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "hooks.h"
#include "check.h"
#include "clock.h"
#include "interrupt.h"
#include "hooks/slow.h"

#define CHUNK		4096
#define RUNS		3
#define CPUS		4

/* Sessions, and one stack a cpu. What a kernel holds for the calls that are open is in open[]. */
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

/* Let the hooks see a session that waits for its start. */
static void publish(u32 run)
{
	atomic_set(&m->run[run].state, KFI_PRIMED);
	smp_store_release(&m->live, &m->run[run]);	/* pairs with the hooks */
}

static void make(u32 nruns, u32 nchunks)
{
	u32 i, c;

	m = aligned_alloc(64, (sizeof(*m) + 63) / 64 * 64);
	memset(m, 0, sizeof(*m));
	m->nruns = nruns;
	m->nchunks = nchunks;
	m->stack = calloc(CPUS, sizeof(*m->stack));
	for (i = 0; i < CPUS; i++) {
		stack_of_task(&m->stack[i], i);
		kfi_stack_detach(&m->stack[i]);
	}
	for (i = 0; i < nruns; i++) {
		struct kfi_run *run = &m->run[i];
		struct kfi_chunk **chunks = calloc(nchunks, sizeof(*chunks));

		for (c = 0; c < nchunks; c++)
			chunks[c] = calloc(1, CHUNK);
		run->id = i + 1;
		run->routine = KFI_GENERATION_NEVER;
		run->stop_at = U64_MAX;
		run->start_at = U64_MAX;
		run->stop_after = U64_MAX;
		run->filter.max = U64_MAX;
		run->filter.ctx_mask = 0xf;
		run->cpus = m->cpu[i];
		run->fast_state = use_fast_path ? &m->fast : NULL;
		kfi_ring_init(&run->ring, chunks, nchunks, CHUNK, 0);
		for (c = 0; c < CPUS; c++)
			kfi_ring_cpu_init(&m->cpu[i][c].ring);
	}
	kfi_fast_close(&m->fast);
	publish(0);
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

/* ---- the hooks, as hooks/hook.c has them ---- */

static void enter_on(u32 nr, unsigned long func, unsigned int ctx)
{
	/* Pairs with publish(); in a kernel what follows depends on it. */
	struct kfi_run *run = smp_load_acquire(&m->live);
	struct kfi_hook_context context = {
		.stack = &m->stack[nr], .cpunr = nr, .pid = 40 + nr, .ctx = ctx,
	};

	if (!run || hook_enter(run->fast_state, context.stack, func, ctx))
		return;
	if (kfi_is_routine(run, context.stack, func, run->stop_entry))
		kfi_call_enter(run, &run->cpus[nr], nr, context.stack, func, func + 4, ctx);
	else
		kfi_slow_enter(run, &context, func, func + 4);
}

static void leave_on(u32 nr, unsigned long func, unsigned int ctx)
{
	/* Pairs with publish(); in a kernel what follows depends on it. */
	struct kfi_run *run = smp_load_acquire(&m->live);
	struct kfi_hook_context context = {
		.stack = &m->stack[nr], .cpunr = nr, .pid = 40 + nr, .ctx = ctx,
	};

	if (!run || hook_exit(run->fast_state, context.stack, func, ctx))
		return;
	if (kfi_is_routine(run, context.stack, func, run->stop_exit))
		kfi_call_exit(run, &run->cpus[nr], nr, context.stack, func, ctx);
	else
		kfi_slow_exit(run, &context, func);
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
			if (READ_ONCE(m->stack[nr].generation) == m->run[run].id)
				n += on_stack(&m->stack[nr], first);
		}
	return n;
}

static u64 count(u32 run, enum kfi_count what)
{
	return total(run, what, what);
}

/* As kfi_task_take(): what is open on the stacks. No hook uses the session any more. */
static void take(u32 run)
{
	struct kfi_rec r;
	u32 nr, i;

	for (nr = 0; nr < CPUS; nr++) {
		struct kfi_stack *s = &m->stack[nr];

		if (s->generation != m->run[run].id)
			continue;
		for (i = 0; i < kfi_stack_frames(s); i++)
			m->open[run] += kfi_call_open(s, i, &r);
		kfi_call_flush(&m->cpu[run][nr], s);
		kfi_stack_detach(s);
	}
}

/* What go_live() of session/control.c does, when no hook is under way. */
static void publish_next(u32 run)
{
	WRITE_ONCE(m->live, NULL);
	take(run);
	if (run + 1 < m->nruns)
		publish(run + 1);
}

/* To be called for a session that has been taken. */
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

/* ---- iterations ---- */

static void repeat(u32 run)
{
	m->run[run].repeat = true;
	m->run[run].at_entry = true;
	m->run[run].filter.rare = true;
}

static void make_repeat(void)
{
	make(1, 20);
	repeat(0);
	m->run[0].start_entry = 0xa0;
	m->run[0].stop_exit = 0xb0;
}

static bool paused(u32 run)
{
	return state(run) == KFI_TRIGGERED && kfi_run_is_paused(&m->run[run]);
}

static bool recording(u32 run)
{
	return state(run) == KFI_TRIGGERED && !kfi_run_is_paused(&m->run[run]);
}

static void iterations(void)
{
	struct kfi_rec r;

	make_repeat();
	CHECK_EQ(kfi_run_iterations(&m->run[0]), 0);
	call(0xc0, 50);
	CHECK_EQ(state(0), KFI_PRIMED);
	call(0xa0, 100);
	CHECK(recording(0));
	CHECK_EQ(kfi_run_iterations(&m->run[0]), 1);
	call(0xb0, 110);
	CHECK(paused(0));
	CHECK_EQ(kfi_run_iterations(&m->run[0]), 1);
	call(0xc0, 150);
	call(0xb0, 160);
	CHECK(paused(0));
	call(0xa0, 200);
	CHECK(recording(0));
	call(0xc0, 210);
	call(0xb0, 220);
	CHECK(paused(0));
	CHECK_EQ(kfi_run_iterations(&m->run[0]), 2);
	CHECK_EQ(m->run[0].start.time, 100);
	CHECK_EQ(m->run[0].start.func, 0xa0);
	CHECK_EQ(m->run[0].began, 200);
	CHECK_EQ(count(0, KFI_SEEN), 7);
	CHECK_EQ(count(0, KFI_KEPT), 5);
	CHECK_EQ(count(0, KFI_FILTERED_BETWEEN), 2);
	CHECK_EQ(count(0, KFI_NOT_FOUND), 0);
	CHECK(nth(0, 2, &r) && r.func == 0xa0 && r.entry == 200 && r.depth == 1);
	CHECK(kfi_run_end(&m->run[0]));
	CHECK_EQ(state(0), KFI_COMPLETE);
	CHECK_EQ(m->run[0].stop.cause, KFI_BY_USER);
	CHECK_EQ(kfi_run_iterations(&m->run[0]), 2);
	CHECK(!kfi_run_end(&m->run[0]));
	CHECK(!kfi_run_start(&m->run[0], KFI_BY_USER, 0));
	check_all();
	destroy();
}

/* When a call is entered decides whether it is kept, not when it returns. */
static void across(void)
{
	struct kfi_rec r;

	make_repeat();
	enter(0xa0, 100);
	enter(0xc0, 110);
	call(0xb0, 120);
	/* c and a return during the pause. */
	leave(0xc0, 140);
	CHECK(nth(0, 1, &r) && r.func == 0xc0 && r.exit == 140 && r.depth == 2 && !r.marks);
	leave(0xa0, 150);
	CHECK(nth(0, 2, &r) && r.func == 0xa0 && r.exit == 150 && r.depth == 1 && !r.marks);
	/* d and e are entered during it; a resumes, deeper than at first. */
	enter(0xd0, 160);
	enter(0xe0, 170);
	enter(0xa0, 200);
	leave(0xa0, 210);
	CHECK(nth(0, 3, &r) && r.func == 0xa0 && r.entry == 200 && r.depth == 3);
	leave(0xe0, 220);
	CHECK_EQ(count(0, KFI_KEPT), 4);
	CHECK_EQ(count(0, KFI_FILTERED_BETWEEN), 1);
	enter(0xf0, 230);
	CHECK(kfi_run_end(&m->run[0]));
	/* Those that are open are filtered by the same rule. */
	CHECK(kfi_call_open(&m->stack[0], 0, &r) && r.func == 0xd0);
	CHECK_EQ(kfi_call_filtered_by(&m->run[0], &r), KFI_FILTERED_BETWEEN);
	CHECK(kfi_call_open(&m->stack[0], 1, &r) && r.func == 0xf0);
	CHECK_EQ(kfi_call_filtered_by(&m->run[0], &r), KFI_KEPT);
	take(0);
	CHECK_EQ(m->open[0], 2);
	check_identity(0);
	/* A session after it finds nothing of that in its frames. */
	m->run[0].repeat = false;
	m->run[0].at_entry = false;
	m->run[0].id = 9;
	publish(0);
	call(0xa0, 300);
	CHECK(!m->stack[0].frame[0].between);
	destroy();
}

/* From one entry of a function to the next: it ends one iteration and is the first of the next. */
static void one_to_the_next(void)
{
	struct kfi_rec r;
	int i;

	make(1, 20);
	repeat(0);
	m->run[0].start_entry = 0xa0;
	m->run[0].stop_entry = 0xa0;
	for (i = 0; i < 5; i++) {
		call(0xa0, 100 + 10 * i);
		call(0xb0, 105 + 10 * i);
	}
	CHECK_EQ(kfi_run_iterations(&m->run[0]), 5);
	CHECK_EQ(count(0, KFI_KEPT), 10);
	CHECK_EQ(count(0, KFI_FILTERED_BETWEEN), 0);
	CHECK(nth(0, 8, &r) && r.func == 0xa0 && r.entry == 140 && r.exit == 141);
	kfi_run_end(&m->run[0]);
	check_all();
	/* By exits: the call is of the iteration that it ends. */
	destroy();
	make(1, 20);
	repeat(0);
	m->run[0].start_exit = 0xa0;
	m->run[0].stop_exit = 0xa0;
	for (i = 0; i < 5; i++)
		call(0xa0, 100 + 10 * i);
	CHECK_EQ(kfi_run_iterations(&m->run[0]), 5);
	CHECK_EQ(count(0, KFI_KEPT), 4);
	CHECK_EQ(count(0, KFI_NOT_FOUND), 0);
	kfi_run_end(&m->run[0]);
	check_all();
	destroy();
}

/* The rate of the clock, and with it the end of a session, may be known only after the start. */
static void late_stop_time(void)
{
	make_repeat();
	m->run[0].stop_exit = 0;
	m->run[0].stops_by_time = true;
	CHECK_EQ(kfi_fast_part(&m->run[0]), KFI_FAST_NOTHING);
	kfi_run_know_stop(&m->run[0], U64_MAX, 0);
	call(0xa0, 100);
	CHECK_EQ(m->run[0].stop_at, U64_MAX);
	call(0xc0, 500);
	CHECK(recording(0));
	kfi_run_know_stop(&m->run[0], 450, 0);
	CHECK_EQ(m->run[0].stop_at, 550);
	/* A better rate does not move the end of an iteration that has begun. */
	kfi_run_know_stop(&m->run[0], 460, 0);
	CHECK_EQ(m->run[0].stop_at, 550);
	call(0xc0, 550);
	CHECK(paused(0));
	call(0xa0, 600);
	CHECK_EQ(m->run[0].stop_at, 1060);
	kfi_run_end(&m->run[0]);
	destroy();
}

/* A session may start before the clock: its end counts from when that ran, as its times do. */
static void stop_time_before_clock(void)
{
	make_repeat();
	m->run[0].stop_exit = 0;
	m->run[0].stops_by_time = true;
	kfi_run_know_stop(&m->run[0], U64_MAX, 0);
	call(0xa0, 0);
	CHECK(recording(0));
	kfi_run_know_stop(&m->run[0], 450, 1000);
	CHECK_EQ(m->run[0].stop_at, 1450);
	call(0xc0, 1448);
	CHECK(recording(0));
	call(0xc0, 1450);
	CHECK(paused(0));
	kfi_run_end(&m->run[0]);
	destroy();
}

/* The iteration in which the time was up is over, and the next one begins, before this ends it. */
static void iteration_changes(void)
{
	CHECK(kfi_run_stop(&m->run[0], KFI_BY_ENTRY, 0xb0));
	m->run[0].stop_after = 0;
	CHECK(kfi_run_start(&m->run[0], KFI_BY_ENTRY, 0xa0));
}

static void what_ends_it(void)
{
	int i;

	/* The stop time ends an iteration. */
	make_repeat();
	m->run[0].stop_exit = 0;
	m->run[0].stop_after = 50;
	call(0xa0, 100);
	call(0xc0, 148);
	CHECK(recording(0));
	call(0xc0, 150);
	CHECK(paused(0));
	CHECK_EQ(count(0, KFI_KEPT), 3);
	call(0xc0, 160);
	CHECK_EQ(count(0, KFI_FILTERED_BETWEEN), 1);
	call(0xa0, 200);
	CHECK_EQ(m->run[0].stop_at, 250);
	/* That a hook has found the time of an earlier iteration to be up is no reason to stop. */
	CHECK(!kfi_run_stop(&m->run[0], KFI_BY_TIME, 0));
	CHECK(recording(0));
	clock_now = 260;
	at_read = iteration_changes;
	reads_left = 0;
	CHECK(!kfi_run_stop(&m->run[0], KFI_BY_TIME, 0));
	CHECK(!at_read);
	CHECK(recording(0));
	CHECK_EQ(kfi_run_iterations(&m->run[0]), 3);
	/* The user ends the session, be it paused or not. */
	CHECK(kfi_run_end(&m->run[0]));
	CHECK_EQ(state(0), KFI_COMPLETE);
	check_all();
	destroy();
	make_repeat();
	call(0xa0, 100);
	call(0xb0, 110);
	CHECK(paused(0));
	CHECK(!kfi_run_stop(&m->run[0], KFI_BY_EXIT, 0xb0));
	CHECK(kfi_run_start(&m->run[0], KFI_BY_USER, 0));
	CHECK(!kfi_run_start(&m->run[0], KFI_BY_USER, 0));
	CHECK(recording(0));
	call(0xb0, 120);
	CHECK(kfi_run_stop(&m->run[0], KFI_BY_CRASH, 0));
	CHECK_EQ(state(0), KFI_COMPLETE);
	check_all();
	destroy();
	/* So does a log that is full. */
	make_repeat();
	m->run[0].ring.nchunks = 1;
	for (i = 0; i < 1000 && state(0) != KFI_COMPLETE; i++) {
		call(0xa0, 100 + 10 * i);
		call(0xb0, 105 + 10 * i);
	}
	CHECK(i > 60 && i < 120);
	CHECK_EQ(m->run[0].stop.cause, KFI_BY_FULL);
	check_all();
	destroy();
}

/* ---- sessions ---- */

static void replaced(void)
{
	u64 at = 0;

	/* A hook has seen it armed; before it comes to start it, a command takes it back. */
	make(1, 20);
	atomic_set(&m->run[0].state, KFI_IDLE);
	CHECK(!kfi_run_start_at(&m->run[0], KFI_BY_ENTRY, 0xa0, &at));
	CHECK_EQ(state(0), KFI_IDLE);
	CHECK_EQ(at, 0);
	CHECK(kfi_run_start_at(&m->run[0], KFI_BY_USER, 0, &at));
	CHECK_EQ(state(0), KFI_TRIGGERED);
	destroy();
}

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
	/* b stops the first one, and is in none. */
	CHECK_EQ(state(0), KFI_COMPLETE);
	CHECK_EQ(state(1), KFI_IDLE);
	CHECK(m->live == &m->run[0]);
	CHECK_EQ(count(0, KFI_SEEN), 1);
	publish_next(0);
	CHECK_EQ(m->open[0], 1);
	leave(0xb0, 120);
	call(0xb0, 130);
	CHECK_EQ(state(1), KFI_TRIGGERED);
	CHECK(nth(1, 0, &r) && r.func == 0xb0 && r.entry == 130 && r.exit == 131 && r.depth == 1);
	enter(0xd0, 140);
	call(0xc0, 150);
	CHECK_EQ(state(1), KFI_COMPLETE);
	publish_next(1);
	CHECK_EQ(state(2), KFI_PRIMED);
	call(0xc0, 160);
	CHECK_EQ(m->run[2].start.time, 161);
	/* Its first hook on this stack is an exit. */
	leave(0xd0, 170);
	CHECK_EQ(count(2, KFI_NOT_FOUND), 1);
	CHECK(kfi_is_routine(&m->run[2], &m->stack[0], 0xa0, 0));
	call(0xe0, 180);
	CHECK(kfi_run_end(&m->run[2]));
	check_all();
	CHECK_EQ(count(1, KFI_SEEN), 3);
	CHECK_EQ(count(2, KFI_SEEN), 1);
	/* All of them use the fast path. */
	for (u32 i = 0; i < 3; i++)
		CHECK_EQ(!!m->run[i].tag, use_fast_path);
	destroy();
}

static u32 completions;

static void count_completion(void)
{
	completions++;
}

/* It is told once that a session is complete; when it is told that has come true. */
static void completion_is_reported(void)
{
	make_repeat();
	completions = 0;
	m->run[0].on_complete = count_completion;
	call(0xa0, 100);
	call(0xb0, 110);
	call(0xa0, 200);
	CHECK_EQ(completions, 0);
	CHECK(kfi_run_stop(&m->run[0], KFI_BY_FULL, 0));
	CHECK_EQ(completions, 1);
	CHECK(!kfi_run_end(&m->run[0]));
	CHECK_EQ(completions, 1);
	destroy();
	/* One that has not begun. */
	make(1, 20);
	m->run[0].on_complete = count_completion;
	CHECK(kfi_run_end(&m->run[0]));
	CHECK_EQ(m->run[0].start.cause, KFI_BY_NOTHING);
	CHECK_EQ(completions, 2);
	destroy();
	/* In a crash nobody is bothered. */
	make(1, 20);
	m->run[0].on_complete = count_completion;
	CHECK(kfi_run_start(&m->run[0], KFI_BY_USER, 0));
	CHECK(kfi_run_stop(&m->run[0], KFI_BY_CRASH, 0));
	CHECK_EQ(completions, 2);
	destroy();
}

/* ---- in the middle of a hook ---- */

static void interrupt(void)
{
	interrupt_enter(&m->stack[0]);
	enter_on(0, 0x10, KFI_CTX_HARDIRQ);
	enter_on(0, 0x20, KFI_CTX_HARDIRQ);
	leave_on(0, 0x20, KFI_CTX_HARDIRQ);
	leave_on(0, 0x10, KFI_CTX_HARDIRQ);
	interrupt_exit(&m->stack[0], KFI_CTX_TASK);
}

/* The session was paused and resumed; then an interrupt came. */
static void next_begins(void)
{
	struct kfi_run *run = m->live;

	CHECK(kfi_run_stop(run, KFI_BY_EXIT, 0xb0));
	CHECK(kfi_run_start(run, KFI_BY_ENTRY, 0xa0));
	interrupt();
}

/* It is paused, and an interrupt comes then. */
static void pause_begins(void)
{
	CHECK(kfi_run_stop(m->live, KFI_BY_EXIT, 0xb0));
	interrupt();
}

static void changed_in_a_hook(void)
{
	u32 read;

	for (read = 0; read < 6; read++) {
		bool pauses = read >= 3;

		make_repeat();
		call(0xa0, 100);
		enter(0xc0, 110);
		at_read = pauses ? pause_begins : next_begins;
		reads_left = (int)read % 3;
		call(0xd0, 120);
		leave(0xc0, 130);
		CHECK(!at_read);
		call(0xe0, 140);
		kfi_run_end(m->live);
		check_all();
		CHECK_EQ(total(0, KFI_LOST_FIRST, KFI_LOST_LAST), 0);
		CHECK_EQ(count(0, KFI_NOT_FOUND), 0);
		CHECK_EQ(m->open[0], 0);
		/* The calls of the interrupt, and e. */
		CHECK_EQ(count(0, KFI_FILTERED_BETWEEN), pauses ? 3 : 0);
		CHECK_EQ(count(0, KFI_KEPT), pauses ? 3 : 6);
		destroy();
	}
}

/* An interrupt that is recorded between the start and its call does not lie in that. */
static void interrupt_after_start(void)
{
	clock_now += 5;
	interrupt_enter(&m->stack[0]);
	enter_on(0, 0x10, KFI_CTX_HARDIRQ);
	clock_now += 10;
	leave_on(0, 0x10, KFI_CTX_HARDIRQ);
	interrupt_exit(&m->stack[0], KFI_CTX_TASK);
}

static void started_late(void)
{
	u32 read;

	for (read = 0; read < 2; read++) {
		struct kfi_rec r;

		make_repeat();
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

/* An NMI in the middle of making the stack one of the session; or there is no stack. */
static void taken(void)
{
	struct kfi_hook_context context = { .stack = NULL };

	make_repeat();
	call(0xa0, 100);
	kfi_call_flush(&m->cpu[0][0], &m->stack[0]);
	m->stack[0].generation = KFI_GENERATION_TAKEN;
	call(0xc0, 110);
	CHECK_EQ(count(0, KFI_LOST_STACK), 1);
	CHECK_EQ(count(0, KFI_NOT_FOUND), 0);
	CHECK(!kfi_slow_enter(&m->run[0], &context, 0xc0, 0));
	kfi_slow_exit(&m->run[0], &context, 0xc0);
	CHECK_EQ(count(0, KFI_LOST_STACK), 2);
	m->stack[0].generation = 0;
	kfi_run_end(&m->run[0]);
	check_all();
	destroy();
}

/*
 * The rest of an interrupt in which a session has started at 100, and a call of the task: the
 * session has these two, and @before calls before them.
 */
static void check_rest_of_interrupt(u32 before)
{
	struct kfi_rec r;

	enter_on(0, 0x50, KFI_CTX_HARDIRQ);
	clock_now = 110;
	leave_on(0, 0x50, KFI_CTX_HARDIRQ);
	interrupt_exit(&m->stack[0], KFI_CTX_TASK);
	call(0xa0, 120);
	CHECK_EQ(m->stack[0].frame[0].tag, m->run[0].tag);
	CHECK(nth(0, before, &r) && r.func == 0x50 && r.ctx == KFI_CTX_HARDIRQ);
	CHECK(nth(0, before + 1, &r) && r.func == 0xa0 && r.ctx == KFI_CTX_TASK);
	CHECK_EQ(kfi_counter_read(&m->stack[0].irq), 10);
	kfi_run_end(&m->run[0]);
	check_all();
	destroy();
}

/*
 * A session starts while an interrupt runs, and the first hook on that stack is an exit: what the
 * interrupt calls then is not the task's.
 */
static void started_in_interrupt(void)
{
	make(1, 20);
	m->run[0].start_exit = 0x30;
	clock_now = 100;
	interrupt_enter(&m->stack[0]);
	leave_on(0, 0x30, KFI_CTX_HARDIRQ);
	leave_on(0, 0x20, KFI_CTX_HARDIRQ);
	check_rest_of_interrupt(0);
}

/*
 * The stack begins while an interrupt runs, in a hook that sees the context of the task still: that
 * of a function which changes the context.
 */
static void started_before_context(void)
{
	struct kfi_rec r;

	make(1, 20);
	CHECK(kfi_run_start(&m->run[0], KFI_BY_USER, 0));
	clock_now = 100;
	interrupt_enter(&m->stack[0]);
	enter_on(0, 0x30, KFI_CTX_TASK);
	leave_on(0, 0x30, KFI_CTX_HARDIRQ);
	CHECK(nth(0, 0, &r) && r.func == 0x30 && r.ctx == KFI_CTX_HARDIRQ);
	check_rest_of_interrupt(1);
}

/* An NMI comes while its cpu stands still for a snapshot: nothing that is copied changes. */
static void stands_still(void)
{
	struct kfi_hook_context context = { .stack = NULL, .ctx = KFI_CTX_NMI, .still = true };
	struct kfi_cpu before;

	make_repeat();
	call(0xa0, 100);
	before = m->run[0].cpus[0];
	CHECK(!kfi_slow_enter(&m->run[0], &context, 0xc0, 0));
	CHECK(!kfi_slow_enter(&m->run[0], &context, 0xd0, 0));
	kfi_slow_exit(&m->run[0], &context, 0xd0);
	kfi_slow_exit(&m->run[0], &context, 0xc0);
	CHECK(!memcmp(&before.ring, &m->run[0].cpus[0].ring, sizeof(before.ring)));
	CHECK(!memcmp(&before.count, &m->run[0].cpus[0].count, sizeof(before.count)));
	CHECK_EQ(kfi_counter_read(&m->run[0].cpus[0].still_seen), 2);
	CHECK_EQ(kfi_counter_read(&m->run[0].cpus[0].still_lost), 2);
	kfi_run_end(&m->run[0]);
	check_all();
	destroy();
}

/* ---- cpus with a task each, a real clock, interrupts and triggers anywhere ---- */

#define ITERATIONS	300	/* of each session that repeats, at least, before it is ended */

/* Set when the cpus are to come to an end. */
static bool enough;

/* Hooks at work on a cpu, and how often there was none again: to wait until all have passed. */
static u32 inside[CPUS], passed[CPUS];
static __thread int this_nr = -1;

static void begin_hook(void)
{
	__atomic_fetch_add(&inside[this_nr], 1, __ATOMIC_SEQ_CST);
}

static void end_hook(void)
{
	if (__atomic_sub_fetch(&inside[this_nr], 1, __ATOMIC_SEQ_CST) == 0)
		__atomic_fetch_add(&passed[this_nr], 1, __ATOMIC_SEQ_CST);
}

static void enter_counted(unsigned long func, unsigned int ctx)
{
	begin_hook();
	enter_on((u32)this_nr, func, ctx);
	end_hook();
}

static void leave_counted(unsigned long func, unsigned int ctx)
{
	begin_hook();
	leave_on((u32)this_nr, func, ctx);
	end_hook();
}

static void on_interrupt(int sig)
{
	static __thread bool nested;

	if (this_nr < 0 || nested)
		return;
	nested = true;
	begin_hook();
	count_interrupt(&m->stack[this_nr], 1);
	if (smp_load_acquire(&m->live))		/* pairs with publish() */
		kfi_stack_enter_interrupt(&m->stack[this_nr]);
	enter_counted(0x100, KFI_CTX_HARDIRQ);
	enter_counted(0xa0, KFI_CTX_HARDIRQ);
	leave_counted(0xa0, KFI_CTX_HARDIRQ);
	leave_counted(0x100, KFI_CTX_HARDIRQ);
	count_interrupt(&m->stack[this_nr], -1);
	if (smp_load_acquire(&m->live))		/* as above */
		kfi_stack_leave_interrupt(&m->stack[this_nr], KFI_CTX_TASK);
	end_hook();
	nested = false;
}

static void recurse(unsigned int depth, u32 *seed)
{
	unsigned int i;

	enter_counted(0x1000 + depth, KFI_CTX_TASK);
	for (i = 0; depth < 3 && i < 3; i++)
		recurse(depth + 1, seed);
	*seed = *seed * 1103515245 + 12345;
	/* Some of these start and stop iterations. */
	if (*seed >> 16 & 1) {
		enter_counted(0xa0, KFI_CTX_TASK);
		leave_counted(0xa0, KFI_CTX_TASK);
	} else if (*seed >> 17 & 1) {
		enter_counted(0xb0, KFI_CTX_TASK);
		leave_counted(0xb0, KFI_CTX_TASK);
	}
	leave_counted(0x1000 + depth, KFI_CTX_TASK);
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

/* Wait until a session has had @n iterations, or is complete because its log is full. */
static void wait_iterations(const struct kfi_run *run, u32 n)
{
	struct timespec ms = { 0, 1000000 };

	do {
		nanosleep(&ms, NULL);
	} while (kfi_run_iterations(run) < n && atomic_read(&run->state) != KFI_COMPLETE);
}

/* Wait until @calls calls were kept, or the session is complete because its log is full. */
static void wait_calls(const struct kfi_run *run, u64 calls)
{
	struct timespec ms = { 0, 1000000 };

	do
		nanosleep(&ms, NULL);
	while (kfi_ring_taken(&run->ring) < calls / (CHUNK / 24) &&
	       atomic_read(&run->state) != KFI_COMPLETE);
}

static void many_threads(void)
{
	pthread_t threads[CPUS];
	u32 i;

	real_clock = true;
	enough = false;
	make(RUNS, 4000);
	for (i = 0; i < RUNS; i++) {
		if (i != 2)
			repeat(i);
		m->run[i].start_entry = 0xa0;
		m->run[i].stop_entry = i == 1 ? 0xb0 : 0;
		m->run[i].stop_exit = i == 1 ? 0 : 0xb0;
	}
	interrupt_all(true);
	for (i = 0; i < CPUS; i++)
		pthread_create(&threads[i], NULL, run_cpu, (void *)(uintptr_t)i);
	/* Each is ended and taken, and the next one published, while the CPUs go on calling. */
	for (i = 0; i < RUNS; i++) {
		wait_iterations(&m->run[i], i != 2 ? ITERATIONS : 1);
		kfi_run_end(&m->run[i]);
		CHECK_EQ(state(i), KFI_COMPLETE);
		WRITE_ONCE(m->live, NULL);
		pass();
		publish_next(i);
		check_identity(i);
	}
	__atomic_store_n(&enough, true, __ATOMIC_RELAXED);
	for (i = 0; i < CPUS; i++)
		pthread_join(threads[i], NULL);
	interrupt_all(false);
	real_clock = false;
	for (i = 0; i < RUNS; i++) {
		check_identity(i);
		CHECK(count(i, KFI_SEEN) > 0);
		CHECK_EQ(count(i, KFI_STEPS_BACK), 0);
		CHECK_EQ(count(i, KFI_FILTERED_BETWEEN) > 0, i != 2);
	}
	destroy();
}

/* A session without autorepeat, started and stopped by triggers: the fast path. */
static void many_threads_one_session(void)
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
	WRITE_ONCE(m->live, NULL);
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
	{ "iterations", iterations },
	{ "calls across the end and the start of an iteration", across },
	{ "the call that ends an iteration begins the next", one_to_the_next },
	{ "a stop time that is known only after the start", late_stop_time },
	{ "a stop time that counts from when the clock ran", stop_time_before_clock },
	{ "what ends a session that repeats", what_ends_it },
	{ "a session that is being replaced does not start", replaced },
	{ "sessions, one after the other", one_after_the_other },
	{ "who is completions that it is over", completion_is_reported },
	{ "a change in the middle of a hook", changed_in_a_hook },
	{ "an interrupt between a start and its call", started_late },
	{ "a stack that is taken, or missing", taken },
	{ "a session starts in an interrupt", started_in_interrupt },
	{ "a session starts before the context of an interrupt", started_before_context },
	{ "an NMI while its cpu stands still for a snapshot", stands_still },
	{ "iterations and sessions on four cpus, interrupts anywhere", many_threads },
	{ "a run on four cpus, interrupts anywhere", many_threads_one_session },
};

int main(void)
{
	return run_on_both_paths(cases, ARRAY_SIZE(cases));
}
