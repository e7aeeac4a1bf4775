// SPDX-License-Identifier: GPL-2.0
/*
 * Values that cannot be, put where the recorder keeps its own: the run ends there, nothing outside
 * is read or written (the sanitizers look on), and no other run starts.
 */
#include <stdlib.h>

#include "hooks.h"
#include "check.h"
#include "clock.h"
#include "core/call.h"

#define CHUNK		1024
#define NCHUNKS		6
#define A		0x1000
#define B		0x2000

struct machine {
	struct kfi_run run;
	struct kfi_fast fast;
	struct kfi_cpu cpu[1];
	struct kfi_stack *stack;
	struct kfi_chunk *chunks[NCHUNKS];
};

static int overs;

static void over(void)
{
	overs++;
}

/* With one call open. */
static struct machine *make(bool wrap)
{
	struct machine *m = aligned_alloc(64, (sizeof(*m) + 63) / 64 * 64);
	u32 i;

	memset(m, 0, sizeof(*m));
	kfi_bad_forget();
	overs = 0;
	for (i = 0; i < NCHUNKS; i++)
		m->chunks[i] = calloc(1, CHUNK);
	m->stack = calloc(1, sizeof(*m->stack));
	m->run.cpus = m->cpu;
	m->run.id = 1;
	m->run.on_complete = over;
	kfi_fast_close(&m->fast);
	m->run.fast_state = use_fast_path ? &m->fast : NULL;
	m->run.stop_at = U64_MAX;
	m->run.stop_after = U64_MAX;
	m->run.filter.max = U64_MAX;
	m->run.filter.ctx_mask = 0xf;
	kfi_ring_init(&m->run.ring, m->chunks, NCHUNKS, CHUNK, 0);
	kfi_ring_cpu_init(&m->cpu[0].ring);
	m->run.ring.wrap = wrap;
	kfi_run_start(&m->run, KFI_BY_USER, 0);
	stack_of_task(m->stack, 0);
	if (m->run.tag)
		kfi_stack_allow_plain(m->stack, m->run.tag, 0, 0, m->cpu);
	kfi_stack_begin(m->stack, 1, 40);
	return m;
}

static void enter(struct machine *m, unsigned long func)
{
	clock_now++;
	if (!try_fast_enter(m->run.fast_state, m->stack, func, func + 4, KFI_CTX_TASK) &&
	    atomic_read(&m->run.state) == KFI_TRIGGERED)
		kfi_call_enter(&m->run, m->cpu, 0, m->stack, func, func + 4, KFI_CTX_TASK);
}

static void leave(struct machine *m, unsigned long func)
{
	clock_now++;
	if (!try_fast_exit(m->run.fast_state, m->stack, func, KFI_CTX_TASK) &&
	    atomic_read(&m->run.state) == KFI_TRIGGERED)
		kfi_call_exit(&m->run, m->cpu, 0, m->stack, func, KFI_CTX_TASK);
}

/* What must have come of it; then all is given back. */
static void ended_by(struct machine *m, enum kfi_bad what)
{
	struct kfi_run other = { .stop_after = U64_MAX };
	u32 i;

	CHECK_EQ(kfi_bad(), what);
	CHECK(kfi_bad_text());
	CHECK_EQ(atomic_read(&m->run.state), KFI_COMPLETE);
	CHECK_EQ(m->run.stop.cause, KFI_BY_BAD);
	CHECK_EQ(overs, 1);
	CHECK(!kfi_run_start(&other, KFI_BY_USER, 0));
	/* Hooks continue, with nothing to do, and a reader finds nothing outside. */
	enter(m, A);
	leave(m, A);
	CHECK(kfi_stack_valid_frames(m->stack) <= KFI_STACK_DEPTH);
	kfi_call_died(&m->run, m->cpu, 0, m->stack);
	for (i = 0; i < NCHUNKS; i++)
		free(m->chunks[i]);
	free(m->stack);
	free(m);
	kfi_bad_forget();
}

static void below(void)
{
	struct machine *m = make(false);

	enter(m, A);
	local_set(&m->stack->top, (long)&m->stack->root);
	enter(m, B);
	ended_by(m, KFI_BAD_STACK);
	m = make(false);
	enter(m, A);
	local_set(&m->stack->top, (long)&m->stack->root);
	leave(m, A);
	ended_by(m, KFI_BAD_STACK);
}

static void above(void)
{
	struct machine *m = make(false);

	enter(m, A);
	local_set(&m->stack->top, (long)&m->stack->end[2]);
	enter(m, B);
	ended_by(m, KFI_BAD_STACK);
	m = make(false);
	enter(m, A);
	local_set(&m->stack->top, (long)&m->stack->end[2]);
	leave(m, A);
	ended_by(m, KFI_BAD_STACK);
}

/* Far away: the fast path, which cannot be used, would look there. */
static void elsewhere(void)
{
	bool was = use_fast_path;
	struct machine *m;

	use_fast_path = false;
	m = make(false);
	enter(m, A);
	local_set(&m->stack->top, 0);
	leave(m, A);
	CHECK_EQ(kfi_stack_find(m->stack, A, KFI_CTX_TASK), 0);
	kfi_stack_switch_out(m->stack, 1, 0);
	ended_by(m, KFI_BAD_STACK);
	use_fast_path = was;
}

/* An interrupt looks for the first free frame, too. */
static void interrupted(void)
{
	struct machine *m = make(false);

	enter(m, A);
	local_set(&m->stack->top, 0);
	interrupt_enter(m->stack);
	interrupt_exit(m->stack, KFI_CTX_TASK);
	local_set(&m->stack->top, (long)&m->stack->root);
	leave(m, A);
	ended_by(m, KFI_BAD_STACK);
}

static void too_deep(void)
{
	struct machine *m = make(false);

	enter(m, A);
	/* A call that is not the topmost one takes the slow path. */
	local_set(&m->stack->overflow, -1);
	leave(m, B);
	ended_by(m, KFI_BAD_OVER);
}

/* A count below 0 would have records written before the chunk. */
static void chunk(bool wrap, long used)
{
	struct machine *m = make(wrap);
	struct kfi_chunk *c;

	enter(m, A);
	enter(m, B);
	leave(m, B);
	c = kfi_ring_chunk(&m->run.ring, &m->cpu[0].ring);
	CHECK(c != &kfi_ring_none);
	local_set(&c->used, used);
	leave(m, A);
	/* On the fast path the count went up by one record before. */
	CHECK(local_read(&c->used) < 2 * KFI_REC_WORDS);
	ended_by(m, KFI_BAD_CHUNK);
}

static void chunk_used(void)
{
	chunk(false, -100000);
	chunk(false, -2 * KFI_REC_WORDS - 1);
	chunk(true, -100000);
	chunk(true, -1);
}

static void turn(void)
{
	struct machine *m = make(true);

	enter(m, A);
	atomic_set(&m->run.ring.next, NCHUNKS);
	leave(m, A);
	ended_by(m, KFI_BAD_TURN);
	m = make(true);
	enter(m, A);
	atomic_set(&m->run.ring.next, -1);
	leave(m, A);
	ended_by(m, KFI_BAD_TURN);
}

static void level(void)
{
	struct machine *m = make(true);

	enter(m, A);
	local_set(&m->cpu[0].ring.level, -1);
	leave(m, A);
	ended_by(m, KFI_BAD_LEVEL);
}

/* Without any of that nothing is bad. */
static void sound(void)
{
	struct machine *m = make(false);
	u32 i;

	for (i = 0; i < 2 * KFI_STACK_DEPTH; i++)
		enter(m, A);
	for (i = 0; i < 2 * KFI_STACK_DEPTH + 3; i++)
		leave(m, A);
	CHECK_EQ(kfi_bad(), KFI_BAD_NOTHING);
	CHECK(!kfi_bad_text());
	CHECK(kfi_run_end(&m->run));
	CHECK_EQ(m->run.stop.cause, KFI_BY_USER);
	for (i = 0; i < NCHUNKS; i++)
		free(m->chunks[i]);
	free(m->stack);
	free(m);
}

static const struct check_case cases[] = {
	{ "nothing is bad", sound },
	{ "the top is below a stack", below },
	{ "the top is above a stack", above },
	{ "the top is elsewhere", elsewhere },
	{ "the top is elsewhere when an interrupt comes", interrupted },
	{ "a negative number of calls too deep", too_deep },
	{ "a negative number of words used of a chunk", chunk_used },
	{ "the turn of no chunk", turn },
	{ "a negative number of writers", level },
};

int main(void)
{
	return run_on_both_paths(cases, ARRAY_SIZE(cases));
}
