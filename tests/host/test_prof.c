// SPDX-License-Identifier: GPL-2.0
/*
 * Profiles: every call that was taken is in the sums, whatever comes in the middle of an addition.
 * Also run under ThreadSanitizer.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "check.h"
#include "interrupt.h"
#include "core/call.h"
#include "step.h"

#define CHUNK	1024
#define CPUS	3

/* The clock of the hooks, which these tests do not call. */
u64 kfi_now(void)
{
	return 0;
}

struct prof {
	struct kfi_run run;
	struct kfi_cpu cpu[CPUS];
	struct kfi_chunk **chunks;
	struct kfi_prof_sum *sums;
	u32 n;
	u32 entries;	/* of all cpus, before those of a function are merged */
};

static struct prof *make(u32 nchunks)
{
	struct prof *p = aligned_alloc(64, (sizeof(*p) + 63) / 64 * 64);
	u32 i;

	memset(p, 0, sizeof(*p));
	p->chunks = calloc(nchunks, sizeof(*p->chunks));
	for (i = 0; i < nchunks; i++)
		p->chunks[i] = calloc(1, CHUNK);
	kfi_ring_init(&p->run.ring, p->chunks, nchunks, CHUNK, 0);
	for (i = 0; i < CPUS; i++)
		kfi_ring_cpu_init(&p->cpu[i].ring);
	p->run.profile = true;
	atomic_set(&p->run.state, KFI_TRIGGERED);
	return p;
}

static void destroy(struct prof *p)
{
	u32 i;

	for (i = 0; i < p->run.ring.nchunks; i++)
		free(p->chunks[i]);
	free(p->chunks);
	free(p->sums);
	free(p);
}

static bool add(struct prof *p, u32 cpu, u64 func, u64 dur, u8 marks)
{
	struct kfi_rec r = { .func = func, .entry = 1000, .exit = 1000 + dur, .local = dur / 2,
			     .off = dur / 4, .irq = dur / 8, .marks = marks };

	if (!kfi_call_write(&p->run, &p->cpu[cpu], cpu, &r))
		return false;
	kfi_count_add_one(&p->cpu[cpu], KFI_KEPT);
	return true;
}

/* Each function once, by its total. */
static void collect(struct prof *p)
{
	struct kfi_prof_pos pos = { 0 };
	u32 i, cpu;

	free(p->sums);
	p->sums = calloc(kfi_prof_entries(&p->run.ring) + 1, sizeof(*p->sums));
	for (p->n = 0; kfi_prof_next(&p->run.ring, &pos, &p->sums[p->n], &cpu); )
		p->n++;
	p->entries = p->n;
	qsort(p->sums, p->n, sizeof(*p->sums), kfi_prof_by_func);
	for (i = 0, p->n = 0; i < p->entries; i++)
		if (!p->n || !kfi_prof_merge(&p->sums[p->n - 1], &p->sums[i]))
			p->sums[p->n++] = p->sums[i];
	qsort(p->sums, p->n, sizeof(*p->sums), kfi_prof_by_total);
	for (i = 1; i < p->n; i++)
		CHECK(p->sums[i - 1].total >= p->sums[i].total);
}

static const struct kfi_prof_sum *sum_of(const struct prof *p, u64 func)
{
	static const struct kfi_prof_sum none;
	const struct kfi_prof_sum *found = &none;
	u32 i, n = 0;

	for (i = 0; i < p->n; i++)
		if (p->sums[i].func == func) {
			found = &p->sums[i];
			n++;
		}
	CHECK_EQ(n, 1);
	return found;
}

static u64 counted(const struct prof *p, enum kfi_count what)
{
	u64 n = 0;
	int i;

	for (i = 0; i < CPUS; i++)
		n += kfi_count_read(&p->cpu[i], what);
	return n;
}

static void sums(void)
{
	struct prof *p = make(10);
	const struct kfi_prof_sum *s;

	CHECK(add(p, 0, 0x1000, 80, 0));
	CHECK(add(p, 0, 0x2000, 8000, 0));
	CHECK(add(p, 1, 0x1000, 16, 0));
	CHECK(add(p, 0, 0x1000, 160, 0));
	CHECK(add(p, 2, 0x1000, 0, KFI_MARK_UNWOUND));
	CHECK(add(p, 2, 0x3000, 0, KFI_MARK_NOTIME));
	CHECK(add(p, 2, 0x4000, 0, 0));
	collect(p);
	CHECK_EQ(p->n, 4);
	CHECK_EQ(p->sums[0].func, 0x2000);
	s = sum_of(p, 0x1000);
	CHECK_EQ(s->count, 3);
	CHECK_EQ(s->untimed, 1);
	CHECK_EQ(s->total, 256);
	CHECK_EQ(s->local, 128);
	CHECK_EQ(s->off, 64);
	CHECK_EQ(s->irq, 32);
	CHECK_EQ(s->min, 16);
	CHECK_EQ(s->max, 160);
	s = sum_of(p, 0x3000);
	CHECK_EQ(s->count, 0);
	CHECK_EQ(s->untimed, 1);
	CHECK_EQ(s->min, 0);
	s = sum_of(p, 0x4000);
	CHECK_EQ(s->count, 1);
	CHECK_EQ(s->min, 0);
	CHECK_EQ(s->max, 0);
	CHECK_EQ(counted(p, KFI_KEPT), 7);
	destroy(p);
}

/* What a crash reads, some functions at a time, is what collect() has, and open calls. */
static void read_in_crash(void)
{
	static const u64 open_funcs[] = { 0x2000, 0x9000, 0x2000, 0x8000, 0x9000, 0x7000 };
	struct kfi_rec open[ARRAY_SIZE(open_funcs)] = { 0 };
	struct kfi_prof_sum sums[200];
	struct prof *p = make(60);
	struct kfi_call_profile all = { &p->run, CPUS, open, ARRAY_SIZE(open) };
	u32 i, n, some, room;

	p->run.cpus = p->cpu;
	/* The call at 0x7000 is dropped. */
	p->run.filter = (struct kfi_filter) {
		.ctx_mask = ~0u, .rare = true, .nums = 1u << KFI_NUM_DEPTH,
		.num[KFI_NUM_DEPTH] = 4,
	};
	for (i = 0; i < 600; i++)
		CHECK(add(p, i * i % CPUS, 0x1000 + 16 * (i % 97), i,
			  i % 5 ? 0 : KFI_MARK_UNWOUND));
	for (i = 0; i < ARRAY_SIZE(open); i++) {
		open[i].func = open_funcs[i];
		open[i].depth = open_funcs[i] == 0x7000 ? 5 : 1;
	}
	CHECK(add(p, 2, 0x2000, 9, 0));
	CHECK(add(p, 0, 0x3000, 9, 0));
	collect(p);
	CHECK_EQ(p->n, 99);
	for (i = 0; i < p->n; i++)
		p->sums[i].untimed += p->sums[i].func == 0x2000 ? 2 : 0;
	CHECK_EQ(kfi_call_count_sums(&all), 101);
	for (room = 1; room < 103; room += 17) {
		for (n = 0; ; n += some) {
			some = kfi_call_read_sums(&all, n ? &sums[n - 1] : NULL, sums + n, room);
			if (!some)
				break;
			CHECK_EQ(some, min_t(u32, room, 101 - n));
		}
		CHECK_EQ(n, 101);
		CHECK(memcmp(sums, p->sums, 99 * sizeof(*sums)) == 0);
		CHECK_EQ(sums[99].func, 0x8000);
		CHECK_EQ(sums[99].untimed, 1);
		CHECK_EQ(sums[100].func, 0x9000);
		CHECK_EQ(sums[100].untimed, 2);
	}
	destroy(p);
}

/* Sums of the same function on several cpus, in any order; untimed calls have no minimum. */
static void merges(void)
{
	struct kfi_prof_sum s[] = {
		{ .func = 1, .untimed = 3 }, { .func = 1, .count = 2, .min = 7, .max = 9 },
		{ .func = 1, .count = 1, .min = 5, .max = 5 }, { .func = 1, .untimed = 1 },
		{ .func = 2, .count = 1, .total = 1ull << 60, .min = 1 },
		{ .func = 2, .count = 1, .total = 1ull << 60, .min = 1 },
	};
	u32 i;

	for (i = 1; i < 4; i++)
		CHECK(kfi_prof_merge(&s[0], &s[i]));
	CHECK(!kfi_prof_merge(&s[0], &s[4]));
	CHECK(kfi_prof_merge(&s[4], &s[5]));
	CHECK_EQ(s[0].count, 3);
	CHECK_EQ(s[0].untimed, 4);
	CHECK_EQ(s[0].min, 5);
	CHECK_EQ(s[0].max, 9);
	CHECK_EQ(s[4].total, 1ull << 61);
}

static u32 height(const struct kfi_prof_entry *e)
{
	u32 i, below = 0;

	for (i = 0; e && i < KFI_PROF_WAYS; i++)
		below = max_t(u32, below, height(e->child[i]));
	return e ? below + 1 : 0;
}

static void many_functions(void)
{
	struct prof *p = make(800);
	u64 i, total = 0;

	for (i = 0; i < 15000; i++)
		CHECK(add(p, 0, 0xc0008000 + 36 * (i % 5000), i, 0));
	collect(p);
	CHECK_EQ(p->n, 5000);
	CHECK(height(p->cpu[0].prof) < 16);
	for (i = 0; i < p->n; i++) {
		CHECK_EQ(p->sums[i].count, 3);
		CHECK_EQ(p->sums[i].max - p->sums[i].min, 10000);
		total += p->sums[i].total;
	}
	CHECK_EQ(total, 15000ull * 14999 / 2);
	destroy(p);
}

/* Addresses whose hashes are the same, or nearly, hang one below the other. */
static void same_hash(void)
{
	struct prof *p = make(800);
	u64 i;

	for (i = 0; i < 600; i++)
		CHECK(add(p, 0, (i << 32 | (i << 2)) + 4, 5, 0));
	for (i = 0; i < 600; i++)
		CHECK(add(p, 0, (i << 32 | (i << 2)) + 4, 5, 0));
	collect(p);
	CHECK_EQ(p->n, 600);
	destroy(p);
}

/* No room for more functions: their calls are lost, the others go on, the run does too. */
static void used_up(void)
{
	struct prof *p = make(2);
	u64 i, known = 0;

	for (i = 0; i < 100; i++)
		known += add(p, 0, 0x1000 + 16 * i, 10, 0);
	CHECK(known > 10 && known < 30);
	for (i = 0; i < 100; i++)
		CHECK_EQ(add(p, 0, 0x1000 + 16 * i, 10, 0), i < known);
	CHECK(!add(p, 1, 0x1000, 10, 0));
	CHECK_EQ(counted(p, KFI_KEPT), 2 * known);
	CHECK_EQ(counted(p, KFI_LOST_FULL), 201 - 2 * known);
	CHECK_EQ(atomic_read(&p->run.state), KFI_TRIGGERED);
	/* A rejected request takes nothing: otherwise the count of words would wrap some day. */
	CHECK(local_read(&kfi_ring_chunk(&p->run.ring, &p->cpu[0].ring)->used) <=
	      (long)(CHUNK / 4 + 64));
	collect(p);
	CHECK_EQ(p->n, known);
	destroy(p);
}

/* ---- an interrupt at every instruction ---- */

static struct prof *stepped;
static u32 irq_funcs;

static void outer_add(void)
{
	add(stepped, 0, 0x1000, 1000, 0);
}

static void interrupt(void)
{
	u32 i;

	/* The same function first, then others, which take its place in the tree. */
	add(stepped, 0, 0x1000, 8, 0);
	for (i = 1; i < irq_funcs; i++)
		add(stepped, 0, 0x1000 + 4 * i, 8, 0);
	add(stepped, 0, 0x1000, 4000, 0);
	add(stepped, 0, 0x1000, 0, KFI_MARK_UNWOUND);
}

/* @before: calls of the function that were there, and @others: functions that were. */
static bool interrupted_at(u32 before, u32 others, u32 funcs, long n)
{
	const struct kfi_prof_sum *s;
	bool came;
	u32 i;

	stepped = make(60);
	irq_funcs = funcs;
	for (i = 0; i < others; i++)
		add(stepped, 0, 0x1004 + 4 * i, 16, 0);
	for (i = 0; i < before; i++)
		add(stepped, 0, 0x1000, 16, 0);
	came = step_into(outer_add, interrupt, n);
	collect(stepped);
	s = sum_of(stepped, 0x1000);
	CHECK_EQ(s->count, before + 1 + 2 * came);
	CHECK_EQ(s->total, 16 * before + 1000 + 4008 * came);
	CHECK_EQ(s->local, 8 * before + 500 + 2004 * came);
	CHECK_EQ(s->off, 4 * before + 250 + 1002 * came);
	CHECK_EQ(s->irq, 2 * before + 125 + 501 * came);
	CHECK_EQ(s->max, came ? 4000 : 1000);
	CHECK_EQ(s->min, came ? 8 : before ? 16 : 1000);
	CHECK_EQ(s->untimed, came);
	/* One entry for a function, whichever cpu comes first. */
	CHECK_EQ(stepped->entries, stepped->n);
	CHECK_EQ(stepped->n, 1 + (came && others + 1 < funcs ? funcs - 1 : others));
	destroy(stepped);
	return came;
}

static void every_instruction(void)
{
	static const u32 tries[][3] = {
		{ 0, 0, 1 }, { 3, 0, 1 }, { 0, 0, 20 }, { 1, 10, 5 }, { 0, 7, 30 }, { 0, 8, 1 },
	};
	u32 i;
	long n;

	for (i = 0; i < ARRAY_SIZE(tries); i++)
		for (n = 0; interrupted_at(tries[i][0], tries[i][1], tries[i][2], n); n++)
			;
}

/* ---- cpus at once, each interrupted again and again ---- */

#define EACH		20000

struct cpu {
	struct prof *p;
	u32 nr;
	u64 adds;
};

static __thread struct cpu *this_cpu;
static __thread bool in_interrupt;

static void on_interrupt(int sig)
{
	struct cpu *c = this_cpu;

	if (!c || in_interrupt)
		return;
	in_interrupt = true;
	c->adds += add(c->p, c->nr, 0x1000 + 16 * (c->adds % 97), 3, 0);
	in_interrupt = false;
}

static void *run_cpu(void *arg)
{
	struct cpu *c = arg;
	u64 i;

	this_cpu = c;
	for (i = 0; i < EACH; i++) {
		add(c->p, c->nr, 0x1000 + 16 * (i % 97), 5, 0);
		if (i % 64 == 0)
			raise(SIGUSR1);
	}
	this_cpu = NULL;
	return NULL;
}

/* By processor time: a busy machine must not have time for nothing else. */
static void interrupt_all(bool on)
{
	interrupt_every(ITIMER_PROF, on ? 1000 : 0, on_interrupt);
}

static void many_cpus(void)
{
	struct prof *p = make(200);
	u64 count = 0, total = 0, adds = 0;
	pthread_t threads[CPUS];
	struct cpu cpus[CPUS];
	u32 i;

	interrupt_all(true);
	for (i = 0; i < CPUS; i++) {
		cpus[i] = (struct cpu) { .p = p, .nr = i };
		pthread_create(&threads[i], NULL, run_cpu, &cpus[i]);
	}
	for (i = 0; i < CPUS; i++) {
		pthread_join(threads[i], NULL);
		adds += cpus[i].adds;
	}
	interrupt_all(false);
	collect(p);
	CHECK_EQ(p->n, 97);
	for (i = 0; i < p->n; i++) {
		count += p->sums[i].count;
		total += p->sums[i].total;
	}
	CHECK(adds > 0);
	CHECK_EQ(count, CPUS * EACH + adds);
	CHECK_EQ(total, 5ull * CPUS * EACH + 3 * adds);
	CHECK_EQ(counted(p, KFI_KEPT), count);
	destroy(p);
}

static const struct check_case cases[] = {
	{ "sums of functions, over all cpus", sums },
	{ "sums are merged", merges },
	{ "sums are read in a crash", read_in_crash },
	{ "many functions", many_functions },
	{ "functions with the same hash", same_hash },
	{ "the pool is used up", used_up },
	{ "interrupts at each instruction of an addition", every_instruction },
	{ "cpus and their interrupts add at once", many_cpus },
};

CHECK_MAIN(cases)
