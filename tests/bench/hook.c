// SPDX-License-Identifier: GPL-2.0
/*
 * What a hook costs on this machine: the recorder's core between entry and exit of a call, beside
 * the two clock reads that it cannot do without.
 *
 * The shell's share (current, preemption, context) is that of a kernel and is counted in guests. Each
 * figure is the least of several batches: what disturbs a batch makes it longer, never shorter.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "hooks/fast.h"

#define CHUNK		1024
#define CALLS		20000		/* of a batch */
#define BATCHES		400
#define TURNS		10
#define THREADS		2

/* A cpu of the bench: its thread, its stack, its pairs per second. */
struct bench_cpu {
	pthread_t thread;
	struct kfi_run *run;
	struct kfi_stack *stack;
	u32 nr;
	double best_ns;
};

static pthread_barrier_t begin;

static u64 wall_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000 + (u64)ts.tv_nsec;
}

/* As a kernel's hooks (hooks/cyg_profile.c, hooks/hook.c), without what only a kernel knows. */
static struct kfi_fast fast;
static struct kfi_run *live;

static __attribute__((noinline)) void enter_long(struct kfi_stack *s, unsigned long func)
{
	u32 nr = s->cpu;

	if (atomic_read(&live->state) == KFI_TRIGGERED)
		kfi_call_enter(live, &live->cpus[nr], nr, s, func, func + 8, KFI_CTX_TASK);
}

static __attribute__((noinline)) void leave_long(struct kfi_stack *s, unsigned long func)
{
	u32 nr = s->cpu;

	if (atomic_read(&live->state) == KFI_TRIGGERED)
		kfi_call_exit(live, &live->cpus[nr], nr, s, func, KFI_CTX_TASK);
}

static __attribute__((noinline)) void keep(unsigned long func, struct kfi_frame *f, u64 dur,
					   struct kfi_stack *s, u32 below, u64 end)
{
	if (!kfi_fast_keep(&fast, s, f, func - fast.text, fast.text, KFI_CTX_TASK, end, dur,
			   below) &&
	    !kfi_fast_keep_wide(&fast, s, f, KFI_CTX_TASK, dur))
		leave_long(s, func);
}

static __attribute__((noinline)) void enter(struct kfi_stack *s, unsigned long func)
{
	struct kfi_frame *f;
	enum kfi_path path;

	if (!fast.on)
		return;
	path = kfi_fast_enter(&fast, s, func, func + 8, KFI_CTX_TASK, &f);
	if (path == KFI_PATH_MORE)
		kfi_fast_undo(s, f, KFI_CTX_TASK);
	if (path != KFI_PATH_DONE)
		enter_long(s, func);
}

static __attribute__((noinline)) void leave(struct kfi_stack *s, unsigned long func)
{
	struct kfi_frame *f;
	enum kfi_path path;
	u64 end, dur;
	u32 below;

	if (!fast.on)
		return;
	path = kfi_fast_exit(&fast, s, func, KFI_CTX_TASK, &f, &end, &dur, &below);
	if (path == KFI_PATH_MORE)
		keep(func, f, dur, s, below, end);
	else if (path == KFI_PATH_SLOW)
		leave_long(s, func);
}

/* The ring is emptied between the batches, outside the time. */
static void empty(struct kfi_run *run, u32 first, u32 n)
{
	u32 i;

	for (i = first; i < first + n; i++)
		memset(run->ring.chunks[i], 0, CHUNK);
}

static double clock_reads(void)
{
	double best = 1e9;
	int i, batch;
	u64 sink = 0;

	for (batch = 0; batch < BATCHES; batch++) {
		u64 t = wall_ns();

		for (i = 0; i < CALLS; i++) {
			sink += kfi_now();
			sink ^= kfi_now();
		}
		t = wall_ns() - t;
		best = (double)t / CALLS < best ? (double)t / CALLS : best;
	}
	__asm__ volatile("" : : "r" (sink));
	return best;
}

static struct kfi_run *make_run(u32 threads, u64 min)
{
	struct kfi_run *run = aligned_alloc(64, (sizeof(*run) + 63) / 64 * 64);
	u32 i, chunks = kfi_ring_chunks_for(threads * CALLS, 2 * threads, CHUNK);
	struct kfi_chunk **table = calloc(chunks, sizeof(*table));
	char *pool = aligned_alloc(CHUNK, (size_t)chunks * CHUNK);

	memset(run, 0, sizeof(*run));
	memset(pool, 0, (size_t)chunks * CHUNK);
	run->cpus = aligned_alloc(64, threads * sizeof(*run->cpus));
	memset(run->cpus, 0, threads * sizeof(*run->cpus));
	for (i = 0; i < chunks; i++)
		table[i] = (struct kfi_chunk *)(void *)(pool + (size_t)i * CHUNK);
	run->id = 1;
	run->fast_state = &fast;
	run->stop_after = U64_MAX;
	run->filter.min = min;
	run->filter.max = U64_MAX;
	run->filter.ctx_mask = 0xf;
	kfi_ring_init(&run->ring, table, chunks, CHUNK, 0x400000);
	live = run;
	fast.on = 1;
	kfi_run_start(run, KFI_BY_USER, 0);
	return run;
}

static void free_run(struct kfi_run *run)
{
	free(run->ring.chunks[0]);
	free(run->ring.chunks);
	free(run->cpus);
	free(run);
}

static void *work(void *arg)
{
	struct bench_cpu *c = arg;
	struct kfi_run *run = c->run;
	cpu_set_t set;
	int i, batch;

	CPU_ZERO(&set);
	CPU_SET(c->nr, &set);
	pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
	c->best_ns = 1e9;
	for (batch = 0; batch < BATCHES; batch++) {
		u64 t;

		pthread_barrier_wait(&begin);
		if (!c->nr) {
			empty(run, 0, run->ring.nchunks);
			kfi_ring_init(&run->ring, run->ring.chunks, run->ring.nchunks, CHUNK,
				      run->ring.text);
		}
		memset(&run->cpus[c->nr].ring, 0, sizeof(run->cpus[c->nr].ring));
		pthread_barrier_wait(&begin);
		t = wall_ns();
		for (i = 0; i < CALLS / 4; i++) {
			enter(c->stack, 0x401000);
			enter(c->stack, 0x402000);
			leave(c->stack, 0x402000);
			enter(c->stack, 0x403000);
			leave(c->stack, 0x403000);
			leave(c->stack, 0x401000);
			enter(c->stack, 0x404000);
			leave(c->stack, 0x404000);
		}
		t = wall_ns() - t;
		c->best_ns = (double)t / CALLS < c->best_ns ? (double)t / CALLS : c->best_ns;
	}
	return NULL;
}

/* Nanoseconds per call, entry and exit together, on the slowest of @threads cpus. */
static double calls(u32 threads, u64 min)
{
	struct kfi_run *run = make_run(threads, min);
	struct bench_cpu cpu[THREADS];
	double worst = 0;
	u32 i;

	pthread_barrier_init(&begin, NULL, threads);
	for (i = 0; i < threads; i++) {
		cpu[i] = (struct bench_cpu) { .run = run, .nr = i };
		cpu[i].stack = aligned_alloc(64, (sizeof(struct kfi_stack) + 63) / 64 * 64);
		memset(cpu[i].stack, 0, sizeof(struct kfi_stack));
		kfi_stack_begin(cpu[i].stack, run->id, 100 + i);
		kfi_stack_allow(cpu[i].stack, run->tag, 0, i, &run->cpus[i]);
		pthread_create(&cpu[i].thread, NULL, work, &cpu[i]);
	}
	for (i = 0; i < threads; i++) {
		pthread_join(cpu[i].thread, NULL);
		worst = cpu[i].best_ns > worst ? cpu[i].best_ns : worst;
		free(cpu[i].stack);
	}
	pthread_barrier_destroy(&begin);
	if (atomic_read(&run->state) != KFI_TRIGGERED) {
		fprintf(stderr, "hook: the log was full: the figures are wrong\n");
		exit(1);
	}
	free_run(run);
	return worst;
}

static void take_least(double *to, double ns)
{
	if (!*to || ns < *to)
		*to = ns;
}

int main(void)
{
	double clock = 0, kept = 0, dropped = 0, two = 0;

	/* In turn: a host that others use, too, is slower for seconds. */
	for (int turn = 0; turn < TURNS; turn++) {
		take_least(&clock, clock_reads());
		take_least(&kept, calls(1, 0));
		take_least(&dropped, calls(1, 1ull << 40));
		if (sysconf(_SC_NPROCESSORS_ONLN) >= THREADS)
			take_least(&two, calls(THREADS, 0));
	}
	printf("%-44s %8s  %s\n", "a call, entry and exit together", "ns", "two clock reads = 1");
	printf("%-44s %8.1f  %.2f\n", "two clock reads", clock, 1.0);
	printf("%-44s %8.1f  %.2f\n", "kept", kept, kept / clock);
	printf("%-44s %8.1f  %.2f\n", "dropped by mintime", dropped, dropped / clock);
	if (two > 0)
		printf("%-44s %8.1f  %.2f times the calls of one\n", "kept, on two cpus at once", two,
		       THREADS * kept / two);
	return 0;
}
