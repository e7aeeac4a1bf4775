// SPDX-License-Identifier: GPL-2.0
/*
 * The ring that wraps: every record that was accepted is read back once or was counted when it was
 * evicted, whatever comes in the middle of a write. A reader beside takes each record once, unless
 * it was evicted before. Also run under ThreadSanitizer.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "check.h"
#include "interrupt.h"
#include "core/ring.h"
#include "step.h"

/* So that common records fill a chunk to its last word. */
#define EACH_CHUNK	10
#define CHUNK	(sizeof(struct kfi_chunk) + EACH_CHUNK * KFI_REC_WORDS * sizeof(u32))
#define TEXT	0x80000000ull
#define PIDS	16

/* What one pid has written: serials from 0 on; the record of each says which it is. */
struct writer {
	u64 tried, kept, sum;
};

struct ring {
	struct kfi_ring ring;
	struct kfi_chunk **chunks;
	struct kfi_ring_cpu rc[4];
	struct writer by[PIDS];
	u64 taken[PIDS];
	u8 *seen;
};

/* Serials of a pid whose records a reader has taken are marked in @seen of the ring. */
#define SERIALS		(1u << 17)

static struct ring *make(u32 nchunks)
{
	struct ring *g = calloc(1, sizeof(*g));
	u32 i;

	g->chunks = calloc(nchunks, sizeof(*g->chunks));
	for (i = 0; i < nchunks; i++)
		g->chunks[i] = calloc(1, CHUNK);
	kfi_ring_init(&g->ring, g->chunks, nchunks, CHUNK, TEXT);
	for (i = 0; i < ARRAY_SIZE(g->rc); i++)
		kfi_ring_cpu_init(&g->rc[i]);
	g->ring.wrap = true;
	return g;
}

static void destroy(struct ring *g)
{
	u32 i;

	for (i = 0; i < g->ring.nchunks; i++)
		free(g->chunks[i]);
	free(g->chunks);
	free(g->seen);
	free(g);
}

static bool write_one(struct ring *g, u32 cpu, u32 pid, u8 marks)
{
	struct writer *w = &g->by[pid];
	u64 serial = w->tried++;
	/* Every 7th is a long one. */
	struct kfi_rec r = { .func = TEXT + serial, .site = TEXT + 4 * pid + cpu, .entry = serial,
			     .exit = serial + (serial % 7 ? 1 : 1ull << 40), .pid = pid,
			     .depth = 1, .marks = marks };

	if (marks)
		r.exit = r.entry;
	if (!kfi_ring_write(&g->ring, &g->rc[cpu], cpu, &r))
		return false;
	w->kept++;
	w->sum += serial;
	return true;
}

/* What is there now, by pid; each record must be one that was written. */
static u64 read_all(struct ring *g, struct writer *got)
{
	struct writer none[PIDS] = { { 0 } };
	u64 n = 0;
	u32 chunk;

	memcpy(got, none, sizeof(none));
	for (chunk = 0; chunk < kfi_ring_taken(&g->ring); chunk++) {
		struct kfi_rec r;
		u32 at = 0, words;

		for (; (words = kfi_ring_read(&g->ring, chunk, at, &r)); at += words, n++) {
			if (!CHECK(r.pid < PIDS))
				return n;
			/* In a chunk of the cpu that wrote it. */
			CHECK_EQ(r.site, TEXT + 4 * r.pid + r.cpu);
			CHECK_EQ(r.entry, r.func - TEXT);
			CHECK(r.entry < g->by[r.pid].tried);
			got[r.pid].kept++;
			got[r.pid].sum += r.entry;
		}
	}
	return n;
}

/* Counts records that were taken: each only once, and as it was written. */
static void count_taken(struct ring *g, const struct kfi_ring_part *part)
{
	struct kfi_rec r = { 0 };
	u32 at, n;

	for (at = 0; at < part->n; at += n) {
		n = kfi_rec_decode(part->words + at, part->n - at, &r, TEXT, part->base);
		if (!CHECK(n && r.pid < PIDS))
			return;
		CHECK_EQ(r.site, TEXT + 4 * r.pid + part->cpu);
		CHECK_EQ(r.entry, r.func - TEXT);
		g->taken[r.pid]++;
		if (g->seen && r.entry < SERIALS)
			CHECK(!g->seen[r.pid * SERIALS + r.entry]++);
	}
}

/* Takes what a chunk has that was not taken yet. */
static void take_chunk(struct ring *g, u32 chunk)
{
	u32 words[CHUNK / sizeof(u32)];
	struct kfi_ring_part part = {
		.order = kfi_ring_order(&g->ring, chunk), .words = words
	};

	if (kfi_ring_take(&g->ring, chunk, &part))
		count_taken(g, &part);
}

static void take_all(struct ring *g)
{
	u32 chunk;

	for (chunk = 0; chunk < g->ring.nchunks; chunk++)
		take_chunk(g, chunk);
}

static u64 taken(const struct ring *g)
{
	u64 n = 0;
	int i;

	for (i = 0; i < PIDS; i++)
		n += g->taken[i];
	return n;
}

static u64 evicted_read(const struct ring *g)
{
	u64 n = 0;
	int i;

	for (i = 0; i < 4 * KFI_REC_KINDS; i++)
		n += kfi_counter_read(&g->rc[i % 4].evicted_read[i / 4]);
	return n;
}

static u64 evicted(const struct ring *g, enum kfi_rec_kind first, enum kfi_rec_kind last)
{
	u64 n = 0;
	int i;

	for (; first <= last; first++)
		for (i = 0; i < 4; i++)
			n += kfi_counter_read(&g->rc[i].evicted[first]);
	return n;
}

static u64 written(const struct ring *g)
{
	u64 n = 0;
	int i;

	for (i = 0; i < PIDS; i++)
		n += g->by[i].kept;
	return n;
}

/* Nobody writes: all that was accepted is there or counted, and chunks but the current are free. */
static void check_all(struct ring *g)
{
	struct writer got[PIDS];
	u32 i, c, owned = 0, current = 0;

	CHECK_EQ(read_all(g, got) + evicted(g, 0, KFI_REC_KINDS - 1) + evicted_read(g), written(g));
	for (i = 0; i < PIDS; i++)
		CHECK(got[i].kept <= g->by[i].kept);
	for (i = 0; i < 4; i++) {
		current += g->rc[i].slow_chunk != &kfi_ring_none;
		CHECK_EQ(local_read(&g->rc[i].level), 0);
		for (c = 0; c < KFI_RING_LEVELS; c++)
			CHECK(!g->rc[i].pin[c]);
	}
	for (c = 0; c < g->ring.nchunks; c++)
		owned += atomic_read(&g->chunks[c]->owner) != 0;
	CHECK_EQ(owned, current);
}

static void keeps_the_end(void)
{
	struct ring *g = make(5);
	struct writer got[PIDS];
	u64 i, first, since;
	struct kfi_rec r;

	for (i = 0; i < 1000; i++) {
		CHECK(write_one(g, 0, 1, 0));
		/* Four full chunks less the end of each are always there; the fifth is being filled. */
		if (i > 60)
			CHECK(read_all(g, got) >= 24);
	}
	check_all(g);
	/* What there is are the last ones, without a hole. */
	read_all(g, got);
	first = 1000 - got[1].kept;
	CHECK_EQ(got[1].sum, (first + 999) * got[1].kept / 2);
	CHECK(first > 900 && first < 980);
	/* What ended last of those that are gone. */
	since = kfi_ring_since(&g->ring);
	for (i = 0; i < first; i++)
		CHECK(i + (i % 7 ? 1 : 1ull << 40) <= since);
	CHECK(kfi_ring_read(&g->ring, 0, 0, &r) && r.cpu == 0);
	destroy(g);
}

static void complete_since(void)
{
	struct ring *g = make(3);
	u64 i;

	CHECK_EQ(kfi_ring_since(&g->ring), 0);
	for (i = 1; i <= 3 * EACH_CHUNK; i++) {
		struct kfi_rec r = { .func = TEXT, .entry = 10 * i, .exit = 10 * i + 5 };

		CHECK(kfi_ring_write(&g->ring, &g->rc[0], 0, &r));
	}
	CHECK_EQ(kfi_ring_since(&g->ring), 0);
	CHECK(kfi_ring_write(&g->ring, &g->rc[0], 0, &(struct kfi_rec) { .entry = 1, .exit = 2 }));
	CHECK_EQ(kfi_ring_since(&g->ring), 10 * EACH_CHUNK + 5);
	CHECK_EQ(evicted(g, KFI_REC_CALL, KFI_REC_CALL), EACH_CHUNK);
	destroy(g);
}

static void kinds(void)
{
	struct ring *g = make(3);
	int i;

	for (i = 0; i < 61; i++)
		CHECK(write_one(g, 0, 1, i % 3 == 0 ? KFI_MARK_NOTIME : i % 3 == 1 ?
				KFI_MARK_NOTIME | KFI_MARK_OPEN : KFI_MARK_UNWOUND));
	CHECK_EQ(evicted(g, KFI_REC_NOTIME, KFI_REC_NOTIME), 14);
	CHECK_EQ(evicted(g, KFI_REC_OPEN, KFI_REC_OPEN), 13);
	CHECK_EQ(evicted(g, KFI_REC_CALL, KFI_REC_CALL), 13);
	CHECK_EQ(kfi_ring_since(&g->ring), 0);
	check_all(g);
	destroy(g);
}

/* A cpu that writes no more keeps its chunk; the others go round it. */
static void idle_cpu(void)
{
	struct ring *g = make(7);
	struct writer got[PIDS];
	int i;

	CHECK(write_one(g, 2, 2, 0));
	for (i = 0; i < 500; i++)
		CHECK(write_one(g, i & 1, i & 1, 0));
	read_all(g, got);
	CHECK_EQ(got[2].kept, 1);
	check_all(g);
	destroy(g);
}

/* All chunks are being written to by others: the call is lost, and the ring is as it was. */
static void none_free(void)
{
	struct ring *g = make(2);
	int i;

	CHECK(write_one(g, 0, 1, 0));
	CHECK(write_one(g, 1, 2, 0));
	for (i = 0; i < 5; i++)
		CHECK(!write_one(g, 2, 3, 0));
	for (i = 0; i < 100; i++)
		write_one(g, 1, 2, 0);
	check_all(g);
	destroy(g);
}

static void order(void)
{
	struct ring *g = make(5);
	u32 i, n, chunk;

	for (i = 0; i < 140; i++)
		write_one(g, 0, 1, KFI_MARK_UNWOUND);
	for (n = 0; n < 5; n++) {
		chunk = kfi_ring_newest(&g->ring, n);
		if (CHECK(chunk < 5))
			CHECK_EQ(kfi_ring_order(&g->ring, chunk), 14 - n);
	}
	CHECK(g->chunks[kfi_ring_newest(&g->ring, 0)] == g->rc[0].slow_chunk);
	destroy(g);
	/* Of a ring that does not wrap as well. */
	g = make(5);
	g->ring.wrap = false;
	for (i = 0; i < 25; i++)
		write_one(g, 0, 1, KFI_MARK_UNWOUND);
	CHECK_EQ(kfi_ring_taken(&g->ring), 3);
	for (n = 0; n < 3; n++) {
		CHECK_EQ(kfi_ring_newest(&g->ring, n), 2 - n);
		CHECK_EQ(kfi_ring_order(&g->ring, n), n + 1);
	}
	destroy(g);
}

/*
 * More chunks than 32 bits count are taken in a long session: the order goes on, and none of them
 * looks as if it had never been taken. Every second number is drawn by one cpu, the others by
 * another.
 */
static void order_of_many(void)
{
	static const u64 from[] = { (1ull << 31) - 3, (1ull << 32) - 3, 3ull << 31, 1ull << 33 };
	u32 i, k, n, chunk;

	for (k = 0; k < ARRAY_SIZE(from); k++) {
		struct ring *g = make(7);
		u64 last = 0, order;

		/* As if this number of chunks had been taken before. */
		atomic_set(&g->ring.seq, (int)(u32)from[k]);
		atomic_set(&g->ring.halves, (int)(from[k] >> 31));
		for (i = 0; i < 140; i++)
			write_one(g, i & 1, 1 + (i & 1), KFI_MARK_UNWOUND);
		for (n = 7; n--;) {
			chunk = kfi_ring_newest(&g->ring, n);
			order = kfi_ring_order(&g->ring, chunk);
			CHECK(order > last && order > from[k]);
			last = order;
		}
		CHECK_EQ(last, from[k] + 14);
		check_all(g);
		destroy(g);
	}
}

/* Nobody writes: all that was accepted was taken, or evicted before. */
static void check_taken(struct ring *g)
{
	u32 i;

	check_all(g);
	take_all(g);
	CHECK_EQ(taken(g) + evicted(g, 0, KFI_REC_KINDS - 1), written(g));
	CHECK(evicted_read(g) <= taken(g));
	for (i = 0; i < g->ring.nchunks; i++)
		CHECK(!kfi_ring_has_unread(&g->ring, g->chunks[i]));
}

/* A reader that is fast enough gets all, however it cuts; a slow one gets the end. */
static void readers(void)
{
	u32 every, i;

	for (every = 1; every < 100; every++) {
		struct ring *g = make(5);

		g->seen = calloc(PIDS, SERIALS);
		for (i = 0; i < 1000; i++) {
			CHECK(write_one(g, i / 40 & 1, 1 + (i / 40 & 1), 0));
			if (i % every == 0)
				take_all(g);
		}
		check_taken(g);
		if (every < 3 * EACH_CHUNK / 2)
			CHECK_EQ(taken(g), 1000);
		if (every > 6 * EACH_CHUNK)
			CHECK(taken(g) < 1000 && taken(g) > 20);
		destroy(g);
	}
}

/* What was not complete when the reader came is taken later: nothing is passed over. */
static void half_written(void)
{
	struct ring *g = make(5);
	struct kfi_chunk *c;
	u32 first, at;

	CHECK(write_one(g, 0, 1, 0));
	c = g->rc[0].slow_chunk;
	CHECK(kfi_ring_has_unread(&g->ring, c));
	take_all(g);
	CHECK_EQ(taken(g), 1);
	CHECK(!kfi_ring_has_unread(&g->ring, c));
	CHECK(write_one(g, 0, 1, 0));
	CHECK(write_one(g, 0, 1, 0));
	/* As if the second one had not been committed yet. */
	at = (u32)atomic_read(&c->read_pos) & KFI_READ_NEVER;
	first = c->words[at];
	c->words[at] = 0;
	CHECK(!kfi_ring_has_unread(&g->ring, c));
	take_all(g);
	CHECK_EQ(taken(g), 1);
	c->words[at] = first;
	check_taken(g);
	CHECK_EQ(taken(g), 3);
	destroy(g);
}

/* ---- an interrupt at every instruction of a write, that overwrites the whole ring ---- */

static struct ring *stepped;
static u32 inner_writes, other_writes;
static long inner_step;

static void outer_write(void)
{
	write_one(stepped, 0, 1, 0);
}

static void nmi(void)
{
	u32 i;

	for (i = 0; i < 3 * EACH_CHUNK; i++)
		write_one(stepped, 0, 3, 0);
}

static void interrupt_write(void)
{
	write_one(stepped, 0, 2, 0);
}

static void interrupt(void)
{
	u32 i;

	for (i = 0; i < inner_writes; i++)
		if (inner_step && i == inner_writes / 2)
			step_into(interrupt_write, nmi, inner_step);
		else
			interrupt_write();
	/* At the same time, on another cpu. */
	for (i = 0; i < other_writes; i++)
		write_one(stepped, 1, 4, 0);
}

/* ---- a reader and writers at every instruction of the other one ---- */

static u32 stepped_words[CHUNK / sizeof(u32)];
static struct kfi_ring_part stepped_part;
static bool stepped_taken;

static void take_stepped(void)
{
	stepped_taken = kfi_ring_take(&stepped->ring, 0, &stepped_part);
}

static void take_all_stepped(void)
{
	take_all(stepped);
}

/* @turns: how often the ring was written to its end before; @writes: into a chunk that is read. */
static bool taken_at(u32 turns, u32 writes, u32 others, long n)
{
	bool came;
	u32 i;

	stepped = make(5);
	inner_step = 0;
	inner_writes = writes;
	other_writes = others;
	for (i = 0; i < turns * 5 * EACH_CHUNK + 4; i++) {
		write_one(stepped, 0, 1, 0);
		if (i == 2)
			take_all(stepped);
	}
	stepped_part = (struct kfi_ring_part) {
		.order = kfi_ring_order(&stepped->ring, 0), .words = stepped_words
	};
	came = step_into(take_stepped, interrupt, n);
	if (stepped_taken)
		count_taken(stepped, &stepped_part);
	check_taken(stepped);
	destroy(stepped);
	return came;
}

static bool written_at(u32 fill, long n)
{
	bool came;
	u32 i;

	stepped = make(5);
	for (i = 0; i < fill; i++)
		write_one(stepped, 0, 1, 0);
	came = step_into(outer_write, take_all_stepped, n);
	check_taken(stepped);
	destroy(stepped);
	return came;
}

static void reader_at_every_instruction(void)
{
	static const u32 writes[][2] = { { 1, 0 }, { 8, 0 }, { 48, 0 }, { 60, 0 }, { 6, 40 } };
	/* The last one makes the write evict a chunk. */
	static const u32 fills[] = { 4, 9, 60 };
	u32 turns, i;
	long n;

	/* Some of the instructions of each, and all of them together. */
	for (turns = 0; turns < 2; turns++)
		for (i = 0; i < ARRAY_SIZE(writes); i++)
			for (n = i; taken_at(turns, writes[i][0], writes[i][1], n);
			     n += ARRAY_SIZE(writes))
				;
	for (i = 0; i < ARRAY_SIZE(fills); i++)
		for (n = i; written_at(fills[i], n); n += 3)
			;
}

/* A chunk that was taken again since it was found has records that come after those of others. */
static void taken_again_since(void)
{
	u32 words[CHUNK / sizeof(u32)], i;
	struct ring *g = make(5);
	struct kfi_ring_part part = { .words = words };

	write_one(g, 0, 1, 0);
	part.order = kfi_ring_order(&g->ring, 0);
	for (i = 0; kfi_ring_order(&g->ring, 0) == part.order; i++)
		write_one(g, 0, 1, 0);
	write_one(g, 0, 1, 0);
	CHECK(!kfi_ring_take(&g->ring, 0, &part));
	part.order = kfi_ring_order(&g->ring, 0);
	CHECK(kfi_ring_take(&g->ring, 0, &part));
	destroy(g);
}

/* @fill: records there before, so that the write comes to a chunk that has room, or is full. */
static bool interrupted_at(u32 fill, u32 writes, u32 others, long n, long inner)
{
	bool came;
	u32 i;

	stepped = make(5);
	inner_step = inner;
	inner_writes = writes;
	other_writes = others;
	for (i = 0; i < fill; i++)
		write_one(stepped, 0, 1, 0);
	came = step_into(outer_write, interrupt, n);
	CHECK_EQ(stepped->by[1].kept, fill + 1);
	check_all(stepped);
	for (i = 0; i < 100; i++)
		write_one(stepped, 0, 1, 0);
	check_all(stepped);
	destroy(stepped);
	return came;
}

static void every_instruction(void)
{
	static const struct {
		u32 fill, writes, others;
	} tries[] = {
		{ 0, 60, 0 }, { 3, 60, 0 }, { EACH_CHUNK - 2, 60, 60 },
		/* The chunk is filled to its end, or just over it. */
		{ 5, 4, 0 }, { 5, 5, 0 }, { 5, 15, 0 },
		/* Then it is taken again: by the interrupt, by another cpu. */
		{ 4, 45, 0 }, { 4, 7, 26 }, { 4, 7, 29 }, { 4, 7, 32 }, { 4, 7, 35 },
		{ 4, 48, 0 }, { 4, 52, 0 }, { 9, 44, 0 }, { 9, 48, 0 },
	};
	u32 i;
	long n;

	for (i = 0; i < ARRAY_SIZE(tries); i++)
		for (n = 0; interrupted_at(tries[i].fill, tries[i].writes, tries[i].others, n, 0); n++)
			;
}

static void nested_interrupts(void)
{
	long n, inner = 1;

	for (n = 0; interrupted_at(EACH_CHUNK - 2, 65, 0, n, inner); n += 13)
		inner = inner * 7 % 601;
	inner = 1;
	for (n = 0; interrupted_at(4, 20, 20, n, inner); n += 13)
		inner = inner * 7 % 601;
}

/* Deeper than there are levels: lost, and nothing else. */
static void too_many_levels(void)
{
	struct ring *g = make(3);

	local_set(&g->rc[0].level, KFI_RING_LEVELS - 1);
	CHECK(write_one(g, 0, 1, 0));
	local_set(&g->rc[0].level, KFI_RING_LEVELS);
	CHECK(!write_one(g, 0, 1, 0));
	CHECK_EQ(local_read(&g->rc[0].level), KFI_RING_LEVELS);
	local_set(&g->rc[0].level, 0);
	check_all(g);
	destroy(g);
}

/* ---- cpus that write at once, each interrupted again and again ---- */

#define CPUS		3
#define EACH		5000

struct cpu {
	struct ring *g;
	u32 nr;
};

static __thread struct cpu *this_cpu;
static __thread int interrupts;

static void on_interrupt(int sig)
{
	struct cpu *c = this_cpu;
	int i, level;

	if (!c || interrupts == 2)
		return;
	level = ++interrupts;
	for (i = 0; i < (level == 1 ? 4 * EACH_CHUNK : 3); i++) {
		write_one(c->g, c->nr, 4 * level + c->nr, 0);
		if (i == 7 && level == 1)
			raise(SIGUSR2);
	}
	interrupts--;
}

static void *run_cpu(void *arg)
{
	struct cpu *c = arg;
	int i;

	this_cpu = c;
	for (i = 0; i < EACH; i++) {
		write_one(c->g, c->nr, c->nr, 0);
		if (i % 64 == 0)
			raise(SIGUSR1);
	}
	this_cpu = NULL;
	return NULL;
}

/* By processor time: a busy machine must not have time for nothing else. */
static void interrupt_all(bool on)
{
	struct sigaction sa = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART };

	sigaction(SIGUSR2, &sa, NULL);
	interrupt_every(ITIMER_PROF, on ? 5000 : 0, on_interrupt);
}

static void many_cpus(void)
{
	/* The least that a ring for this number of cpus has. */
	struct ring *g = make(KFI_RING_CHUNKS(1, CPUS, CHUNK));
	struct cpu cpus[CPUS];
	pthread_t threads[CPUS];
	u32 i;

	interrupt_all(true);
	for (i = 0; i < CPUS; i++) {
		cpus[i] = (struct cpu) { .g = g, .nr = i };
		pthread_create(&threads[i], NULL, run_cpu, &cpus[i]);
	}
	for (i = 0; i < CPUS; i++)
		pthread_join(threads[i], NULL);
	interrupt_all(false);
	/* How many of them are kept is up to the host, which may stop a thread that holds a chunk. */
	for (i = 0; i < CPUS; i++) {
		CHECK_EQ(g->by[i].tried, EACH);
		CHECK(g->by[i].kept > 0);
		CHECK(g->by[4 + i].kept > 0);
	}
	/* No chunk was left behind: each cpu alone loses nothing. */
	for (i = 0; i < CPUS; i++)
		for (u32 k = 0; k < 4 * EACH_CHUNK; k++)
			CHECK(write_one(g, i, i, 0));
	check_all(g);
	destroy(g);
}

/*
 * A reader takes words while they may be cleared, and drops them if they were. ThreadSanitizer
 * would report that.
 */
#ifndef __SANITIZE_THREAD__

static bool writers_done;

static void *run_reader(void *arg)
{
	bool last;

	do {
		last = __atomic_load_n(&writers_done, __ATOMIC_ACQUIRE);
		take_all(arg);
	} while (!last);
	return NULL;
}

/* A reader on the side, of rings that are small and large. */
static void reader_beside(u32 nchunks)
{
	struct ring *g = make(nchunks);
	pthread_t threads[CPUS], reader;
	struct cpu cpus[CPUS];
	u32 i;

	g->seen = calloc(PIDS, SERIALS);
	writers_done = false;
	interrupt_all(true);
	pthread_create(&reader, NULL, run_reader, g);
	for (i = 0; i < CPUS; i++) {
		cpus[i] = (struct cpu) { .g = g, .nr = i };
		pthread_create(&threads[i], NULL, run_cpu, &cpus[i]);
	}
	for (i = 0; i < CPUS; i++)
		pthread_join(threads[i], NULL);
	__atomic_store_n(&writers_done, true, __ATOMIC_RELEASE);
	pthread_join(reader, NULL);
	interrupt_all(false);
	check_taken(g);
	destroy(g);
}

static void many_cpus_and_reader(void)
{
	u32 i;

	for (i = 0; i < 4; i++)
		reader_beside(KFI_RING_CHUNKS(1, CPUS, CHUNK) + 20 * i);
}

#endif

static const struct check_case cases[] = {
	{ "the end is kept, the rest counted", keeps_the_end },
	{ "since when it is complete", complete_since },
	{ "evicted records are counted by kind", kinds },
	{ "a cpu that writes no more", idle_cpu },
	{ "no chunk is free", none_free },
	{ "chunks in the order of taking", order },
	{ "more chunks than 32 bits count", order_of_many },
	{ "readers take what is new", readers },
	{ "a reader finds a record that is not complete", half_written },
	{ "a reader and writers at each instruction of the other", reader_at_every_instruction },
	{ "a chunk that was taken again is not read as the one before", taken_again_since },
	{ "interrupts at each instruction of a write", every_instruction },
	{ "interrupts at the instructions of interrupts", nested_interrupts },
	{ "interrupts upon interrupts upon interrupts", too_many_levels },
	{ "cpus and their interrupts write at once", many_cpus },
#ifndef __SANITIZE_THREAD__
	{ "a reader beside them", many_cpus_and_reader },
#endif
};

CHECK_MAIN(cases)
