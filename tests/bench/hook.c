// SPDX-License-Identifier: GPL-2.0
/*
 * Measures the cost of a hook on this machine: the recorder's core from entry to exit of a call,
 * beside the two clock reads that each call needs.
 *
 * What a kernel's hook does around the core (current, preemption, context) is counted in guests.
 * Each figure is the minimum of several batches: a disturbance makes a batch longer, never shorter.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "hooks/fast.h"

/* As the kernel has it. */
#define noinline	__attribute__((__noinline__))

#define CHUNK		1024
#define CALLS		20000		/* of a batch */
#define BATCHES		400
#define ROUNDS		10
#define THREADS		2

/* A cpu of the benchmark: its thread, its stack, the nanoseconds a call of its fastest batch. */
struct bench_cpu {
	pthread_t thread;
	struct kfi_run *session;
	struct kfi_stack *stack;
	u32 cpu_nr;
	double best_ns;
};

static pthread_barrier_t batch_barrier;

static u64 wall_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000000000 + (u64)ts.tv_nsec;
}

/* As a kernel's hooks (hooks/cyg_profile.c, hooks/hook.c), without what only a kernel knows. */
static struct kfi_fast fast;
static struct kfi_run *armed;

static noinline void enter_slow(struct kfi_stack *s, unsigned long func)
{
	u32 cpu_nr = s->cpu;

	if (atomic_read(&armed->state) == KFI_TRIGGERED)
		kfi_call_enter(armed, &armed->cpus[cpu_nr], cpu_nr, s, func, func + 8,
			       KFI_CTX_TASK);
}

static noinline void exit_slow(struct kfi_stack *s, unsigned long func)
{
	u32 cpu_nr = s->cpu;

	if (atomic_read(&armed->state) == KFI_TRIGGERED)
		kfi_call_exit(armed, &armed->cpus[cpu_nr], cpu_nr, s, func, KFI_CTX_TASK);
}

static noinline void keep_call(unsigned long func, struct kfi_frame *f, u64 dur,
			       struct kfi_stack *s, u32 below, u64 end)
{
	if (!kfi_fast_keep_packed(&fast, s, f, func - fast.text, fast.text, KFI_CTX_TASK, end, dur,
				  below) &&
	    !kfi_fast_keep_common(&fast, s, f, KFI_CTX_TASK, dur))
		exit_slow(s, func);
}

static noinline void enter_hook(struct kfi_stack *s, unsigned long func)
{
	struct kfi_frame *f;
	enum kfi_path path;

	if (!fast.on)
		return;
	path = kfi_fast_enter(&fast, s, func, func + 8, KFI_CTX_TASK, &f);
	if (path == KFI_PATH_UNDO)
		kfi_fast_undo(s, f, KFI_CTX_TASK);
	if (path != KFI_PATH_DONE)
		enter_slow(s, func);
}

static noinline void exit_hook(struct kfi_stack *s, unsigned long func)
{
	struct kfi_frame *f;
	enum kfi_path path;
	u64 end, dur;
	u32 below;

	if (!fast.on)
		return;
	path = kfi_fast_exit(&fast, s, func, KFI_CTX_TASK, &f, &end, &dur, &below);
	if (path == KFI_PATH_KEEP)
		keep_call(func, f, dur, s, below, end);
	else if (path == KFI_PATH_SLOW)
		exit_slow(s, func);
}

/* The ring is emptied between the batches, outside the time. */
static void clear_chunks(struct kfi_run *session, u32 first, u32 n)
{
	u32 i;

	for (i = first; i < first + n; i++)
		memset(session->ring.chunks[i], 0, CHUNK);
}

static double measure_clock_reads(void)
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

static struct kfi_run *create_session(u32 threads, u64 min)
{
	struct kfi_run *session = aligned_alloc(64, (sizeof(*session) + 63) / 64 * 64);
	u32 i, chunks = KFI_RING_CHUNKS(threads * CALLS, 2 * threads, CHUNK);
	struct kfi_chunk **table = calloc(chunks, sizeof(*table));
	char *pool = aligned_alloc(CHUNK, (size_t)chunks * CHUNK);

	memset(session, 0, sizeof(*session));
	memset(pool, 0, (size_t)chunks * CHUNK);
	session->cpus = aligned_alloc(64, threads * sizeof(*session->cpus));
	memset(session->cpus, 0, threads * sizeof(*session->cpus));
	for (i = 0; i < threads; i++)
		kfi_ring_cpu_init(&session->cpus[i].ring);
	for (i = 0; i < chunks; i++)
		table[i] = (struct kfi_chunk *)(void *)(pool + (size_t)i * CHUNK);
	session->id = 1;
	session->fast_state = &fast;
	session->stop_after = U64_MAX;
	session->filter.min = min;
	session->filter.max = U64_MAX;
	session->filter.ctx_mask = 0xf;
	kfi_ring_init(&session->ring, table, chunks, CHUNK, 0x400000);
	armed = session;
	fast.on = 1;
	kfi_run_start(session, KFI_BY_USER, 0);
	return session;
}

static void destroy_session(struct kfi_run *session)
{
	free(session->ring.chunks[0]);
	free(session->ring.chunks);
	free(session->cpus);
	free(session);
}

static void *run_batches(void *arg)
{
	struct bench_cpu *c = arg;
	struct kfi_run *session = c->session;
	cpu_set_t set;
	int i, batch;

	CPU_ZERO(&set);
	CPU_SET(c->cpu_nr, &set);
	pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
	c->best_ns = 1e9;
	for (batch = 0; batch < BATCHES; batch++) {
		u64 t;

		pthread_barrier_wait(&batch_barrier);
		if (!c->cpu_nr) {
			clear_chunks(session, 0, session->ring.nchunks);
			kfi_ring_init(&session->ring, session->ring.chunks, session->ring.nchunks,
				      CHUNK, session->ring.text);
		}
		memset(&session->cpus[c->cpu_nr].ring, 0, sizeof(session->cpus[c->cpu_nr].ring));
		kfi_ring_cpu_init(&session->cpus[c->cpu_nr].ring);
		pthread_barrier_wait(&batch_barrier);
		t = wall_ns();
		for (i = 0; i < CALLS / 4; i++) {
			enter_hook(c->stack, 0x401000);
			enter_hook(c->stack, 0x402000);
			exit_hook(c->stack, 0x402000);
			enter_hook(c->stack, 0x403000);
			exit_hook(c->stack, 0x403000);
			exit_hook(c->stack, 0x401000);
			enter_hook(c->stack, 0x404000);
			exit_hook(c->stack, 0x404000);
		}
		t = wall_ns() - t;
		c->best_ns = (double)t / CALLS < c->best_ns ? (double)t / CALLS : c->best_ns;
	}
	return NULL;
}

static const unsigned int no_interrupts;

/* Nanoseconds per call, entry and exit together, on the slowest of @threads cpus. */
static double measure_calls(u32 threads, u64 min)
{
	struct kfi_run *session = create_session(threads, min);
	struct bench_cpu cpu[THREADS];
	double worst = 0;
	u32 i;

	pthread_barrier_init(&batch_barrier, NULL, threads);
	for (i = 0; i < threads; i++) {
		cpu[i] = (struct bench_cpu) { .session = session, .cpu_nr = i };
		cpu[i].stack = aligned_alloc(64, (sizeof(struct kfi_stack) + 63) / 64 * 64);
		memset(cpu[i].stack, 0, sizeof(struct kfi_stack));
		cpu[i].stack->interrupts = &no_interrupts;
		kfi_stack_allow_plain(cpu[i].stack, session->tag, 0, i, &session->cpus[i]);
		kfi_stack_begin(cpu[i].stack, session->id, 100 + i);
		pthread_create(&cpu[i].thread, NULL, run_batches, &cpu[i]);
	}
	for (i = 0; i < threads; i++) {
		pthread_join(cpu[i].thread, NULL);
		worst = cpu[i].best_ns > worst ? cpu[i].best_ns : worst;
		free(cpu[i].stack);
	}
	pthread_barrier_destroy(&batch_barrier);
	if (atomic_read(&session->state) != KFI_TRIGGERED) {
		fprintf(stderr, "hook: the log was full: the figures are wrong\n");
		exit(1);
	}
	destroy_session(session);
	return worst;
}

static void keep_minimum(double *to, double ns)
{
	if (!*to || ns < *to)
		*to = ns;
}

int main(void)
{
	double clock = 0, kept = 0, dropped = 0, two_threads = 0;

	/* In turn: a host that others use, too, is slower for seconds. */
	for (int round = 0; round < ROUNDS; round++) {
		keep_minimum(&clock, measure_clock_reads());
		keep_minimum(&kept, measure_calls(1, 0));
		keep_minimum(&dropped, measure_calls(1, 1ull << 40));
		if (sysconf(_SC_NPROCESSORS_ONLN) >= THREADS)
			keep_minimum(&two_threads, measure_calls(THREADS, 0));
	}
	printf("%-44s %8s  %s\n", "a call, entry and exit together", "ns", "two clock reads = 1");
	printf("%-44s %8.1f  %.2f\n", "two clock reads", clock, 1.0);
	printf("%-44s %8.1f  %.2f\n", "kept", kept, kept / clock);
	printf("%-44s %8.1f  %.2f\n", "dropped by mintime", dropped, dropped / clock);
	if (two_threads > 0)
		printf("%-44s %8.1f  %.2f times the calls of one\n", "kept, on two cpus at once",
		       two_threads, THREADS * kept / two_threads);
	return 0;
}
