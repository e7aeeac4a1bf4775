// SPDX-License-Identifier: GPL-2.0
/*
 * The ring: every record that was accepted is read back once. Also run under ThreadSanitizer: cpus are
 * threads, interrupts are signals.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "check.h"
#include "interrupt.h"
#include "core/ring.h"

/* So that common records fill a chunk to its last word. */
#define CHUNK	(sizeof(struct kfi_chunk) + 20 * KFI_REC_WORDS * sizeof(u32))
#define TEXT	0x80000000ull

static struct kfi_chunk **make_chunks(u32 n)
{
	struct kfi_chunk **chunks = calloc(n, sizeof(*chunks));
	u32 i;

	for (i = 0; i < n; i++)
		chunks[i] = calloc(1, CHUNK);
	return chunks;
}

static void free_chunks(struct kfi_chunk **chunks, u32 n)
{
	while (n--)
		free(chunks[n]);
	free(chunks);
}

static struct kfi_rec rec(u32 pid, u64 serial)
{
	/* Every 50th is a long one. */
	return (struct kfi_rec) { .func = TEXT + serial, .site = TEXT, .entry = serial,
				  .exit = serial + (serial % 50 ? 1 : 1ull << 40),
				  .pid = pid, .depth = 1 };
}

/* Counts the records per pid; each pid's serials must be exactly 0..count - 1 in some order. */
static u32 read_all(const struct kfi_ring *ring, u32 pid, u64 *serial_sum)
{
	u32 chunk, n = 0;

	*serial_sum = 0;
	for (chunk = 0; chunk < kfi_ring_taken(ring); chunk++) {
		struct kfi_rec r;
		u32 at = 0, words;

		for (; (words = kfi_ring_read(ring, chunk, at, &r)); at += words) {
			if (r.pid != pid)
				continue;
			n++;
			*serial_sum += r.func - TEXT;
			CHECK_EQ(r.entry, r.func - TEXT);
		}
	}
	return n;
}

static void until_full(void)
{
	u32 n = 5, room, got, wrote = 0, taken;
	struct kfi_chunk **chunks = make_chunks(n);
	struct kfi_ring_cpu rc = { 0 };
	struct kfi_ring ring;
	u64 sum;

	kfi_ring_init(&ring, chunks, n, CHUNK, TEXT);
	kfi_ring_cpu_init(&rc);
	room = (CHUNK - sizeof(struct kfi_chunk)) / sizeof(u32) / KFI_REC_PACKED;
	for (;;) {
		struct kfi_rec r = rec(7, wrote * 50 + 1);

		if (!kfi_ring_write(&ring, &rc, 3, &r))
			break;
		wrote++;
		CHECK(kfi_ring_taken(&ring) <= n);
	}
	CHECK_EQ(wrote, n * room);
	CHECK_EQ(kfi_ring_taken(&ring), n);
	for (got = 0, taken = 0; taken < n; taken++) {
		struct kfi_rec r;
		u32 at = 0, words;

		for (; (words = kfi_ring_read(&ring, taken, at, &r)); at += words, got++)
			CHECK_EQ(r.cpu, 3);
	}
	CHECK_EQ(got, wrote);
	CHECK(!kfi_ring_write(&ring, &rc, 3, &(struct kfi_rec) { .depth = 1 }));
	CHECK_EQ(read_all(&ring, 8, &sum), 0);
	free_chunks(chunks, n);
}

static void enough_chunks(void)
{
	CHECK_EQ(KFI_RING_CHUNKS(60, 1, CHUNK), 4);
	CHECK_EQ(KFI_RING_CHUNKS(60, 2, CHUNK), 5);
	CHECK_EQ(KFI_RING_CHUNKS(61, 2, CHUNK), 6);
	/* Two for each cpu and one more, however few the entries. */
	CHECK_EQ(KFI_RING_CHUNKS(1, 1, CHUNK), 3);
	CHECK_EQ(KFI_RING_CHUNKS(60, 5, CHUNK), 11);
}

/* ---- cpus that write at once, each interrupted again and again ---- */

#define CPUS		4
#define EACH		20000

struct cpu {
	struct kfi_ring *ring;
	struct kfi_ring_cpu rc;
	u32 nr;
	u64 wrote, irq_wrote;
};

static __thread struct cpu *this_cpu;
static __thread bool in_interrupt;	/* of one level: they do not nest */

static void on_interrupt(int sig)
{
	struct cpu *c = this_cpu;
	struct kfi_rec r;

	if (!c || in_interrupt)
		return;
	in_interrupt = true;
	r = rec(100 + c->nr, c->irq_wrote);
	if (kfi_ring_write(c->ring, &c->rc, c->nr, &r))
		c->irq_wrote++;
	in_interrupt = false;
}

static void *run_cpu(void *arg)
{
	struct cpu *c = arg;
	u64 i;

	this_cpu = c;
	for (i = 0; i < EACH; i++) {
		struct kfi_rec r = rec(c->nr + 1, c->wrote);

		if (kfi_ring_write(c->ring, &c->rc, c->nr, &r))
			c->wrote++;
		if (i % 64 == 0)
			raise(SIGUSR1);
	}
	this_cpu = NULL;
	return NULL;
}

static void interrupt_all(bool on)
{
	interrupt_every(ITIMER_REAL, on ? 100 : 0, on_interrupt);
}

static void many_cpus(void)
{
	u32 n = CPUS * EACH * 40 / CHUNK + 100, i;
	struct kfi_chunk **chunks = make_chunks(n);
	static struct cpu cpus[CPUS];
	pthread_t threads[CPUS];
	struct kfi_ring ring;

	kfi_ring_init(&ring, chunks, n, CHUNK, TEXT);
	interrupt_all(true);
	for (i = 0; i < CPUS; i++) {
		cpus[i] = (struct cpu) { .ring = &ring, .nr = i };
		kfi_ring_cpu_init(&cpus[i].rc);
		pthread_create(&threads[i], NULL, run_cpu, &cpus[i]);
	}
	for (i = 0; i < CPUS; i++)
		pthread_join(threads[i], NULL);
	interrupt_all(false);
	for (i = 0; i < CPUS; i++) {
		u64 sum, w = cpus[i].wrote, iw = cpus[i].irq_wrote;

		CHECK(w > EACH / 2);
		CHECK(iw > 0);
		CHECK_EQ(read_all(&ring, i + 1, &sum), w);
		CHECK_EQ(sum, w * (w - 1) / 2);
		CHECK_EQ(read_all(&ring, 100 + i, &sum), iw);
		CHECK_EQ(sum, iw * (iw - 1) / 2);
	}
	free_chunks(chunks, n);
}

/* ---- a reader that looks on while a cpu writes sees whole records only ---- */

#define LARGE	(1 << 20)

static bool writer_done;

static void *watch(void *arg)
{
	struct kfi_ring *ring = arg;
	bool last;

	do {
		u64 sum, n;

		last = __atomic_load_n(&writer_done, __ATOMIC_ACQUIRE);
		/* One cpu without interrupts: what can be read is a prefix of what was written. */
		n = read_all(ring, 1, &sum);
		CHECK_EQ(sum, n * (n - 1) / 2);
	} while (!last);
	return NULL;
}

static void live_reader(void)
{
	struct kfi_chunk *chunk = calloc(1, LARGE);
	static struct cpu cpu;
	struct kfi_ring ring;
	pthread_t reader;
	struct kfi_rec r;
	u64 i;

	kfi_ring_init(&ring, &chunk, 1, LARGE, TEXT);
	cpu = (struct cpu) { .ring = &ring };
	kfi_ring_cpu_init(&cpu.rc);
	writer_done = false;
	/* The chunk is taken before there is a reader: taking one is not ordered against readers. */
	for (i = 0; i < EACH; i++) {
		r = rec(1, i);
		CHECK(kfi_ring_write(&ring, &cpu.rc, 0, &r));
		if (!i)
			pthread_create(&reader, NULL, watch, &ring);
	}
	__atomic_store_n(&writer_done, true, __ATOMIC_RELEASE);
	pthread_join(reader, NULL);
	free(chunk);
}

static const struct check_case cases[] = {
	{ "a ring is filled to the last record, and read back", until_full },
	{ "chunks for a number of entries", enough_chunks },
	{ "cpus and their interrupts write at once", many_cpus },
	{ "what is read is whole", live_reader },
};

CHECK_MAIN(cases)
