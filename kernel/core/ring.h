/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ring buffer: one pool of chunks that all cpus fill. No filters, no times, no files here.
 *
 * Each cpu writes into a chunk of its own and takes the next one from the pool when that is full,
 * so that "log full" is one fact for the whole machine and idle cpus waste nothing. Within a chunk
 * records stand in the order in which their space was reserved.
 *
 *	pool:   [chunk 0][chunk 1][chunk 2] ... [chunk n-1]   taken from the left, up to @next
 *	chunk:  base | cpu | used | words: [record][record]...[0]
 *
 * Writers are a cpu and the interrupts and NMIs that nest on it: space is reserved with one
 * kfi_local_add_return(), a new chunk is installed with one cmpxchg_local(). Only taking a chunk
 * touches memory that cpus share.
 *
 * A ring that wraps keeps the end: when its turn comes a chunk is taken again, and its records are
 * evicted and counted. A chunk must not be taken while anyone writes to it: an interrupt may fill
 * many chunks while the writer that it interrupted has only reserved its space. So a chunk has an
 * owner until nobody writes to it any more:
 *
 *	        claim                  full, and no writer of its cpu has it pinned
 *	FREE -----------> OWNED -----------------------------------------------------> FREE
 *
 * One reader can take records out of a ring that wraps while it is written (kfi_ring_take()). The
 * records stay where they are; the reader writes down how far it has read a chunk. A writer that
 * evicts a chunk first exchanges that position, so each record is either taken, or evicted unread
 * and counted as that.
 */
#ifndef KFI_RING_H
#define KFI_RING_H

#include "core/bad.h"
#include "core/counter.h"
#include "core/rec.h"

/* Writers of one cpu that may be at work at once: task, softirq, interrupt, NMI, and some more. */
#define KFI_RING_LEVELS		8

/*
 * @read_pos of struct kfi_chunk: words that the reader has taken, below the lower bits of @seq. So
 * a chunk that is taken again has another position. KFI_READ_NEVER words: it is being claimed.
 */
#define KFI_READ_BITS		12
#define KFI_READ_NEVER		((1u << KFI_READ_BITS) - 1)

/**
 * struct kfi_chunk - a piece of the pool
 * @used: words reserved; may run past the end, which then is where the chunk is full
 * @kept: with KFI_CHUNK_COUNTS: calls that the fast path has kept in it, with packed records. Each
 *	is counted by the operation that reserves its words; one that does not fit is taken off
 * @base: time base of its records; written by the cpu that takes it, before the chunk is installed
 * @evicted_until: latest exit of all calls that were evicted from this chunk; 0: none
 * @cpu: that cpu
 * @owner: of a ring that wraps: the ticket of who may write to it, 0: nobody
 * @seq: of a ring that wraps: its number in the order of taking, from 1; 0: never taken. Written
 *	as @base
 * @read_pos: of a ring that wraps: how far it was read, and in which order it was taken. Written
 *	by the cpu that takes the chunk, and by the reader with a cmpxchg
 * @words: the records; all 0 when the session is configured
 */
struct kfi_chunk {
	local_t used;
#ifdef KFI_CHUNK_COUNTS
	local_t kept;
#endif
	u64 base;
	u64 evicted_until;
	u32 cpu;
	atomic_t owner;
	u64 seq;
	atomic_t read_pos;
	u32 words[] __aligned(8);
};

/**
 * struct kfi_ring - the pool
 * @chunks: the chunks, @nchunks of them
 * @nchunks: how many
 * @room: words in each
 * @text: text base that addresses in records are relative to
 * @marks: words that marks may still take, so that they do not crowd out the calls: half of all at
 *	first; below 0: one has not fitted, and none does any more. Not looked at in a ring that
 *	wraps. Shared by all cpus
 * @wrap: it keeps the end and not the start; set after kfi_ring_init()
 * @fast: the hooks' fast path writes to it, too; never if it wraps. Set before the first record
 * @next: the first chunk that nobody has taken; of a ring that wraps the next one to take again.
 *	Shared by all cpus
 * @seq: of a ring that wraps: how often a chunk was to be taken, modulo 2^32. Shared by all cpus
 * @halves: of a ring that wraps: how often @seq has gone through half of its range. Shared by all
 *	cpus
 */
struct kfi_ring {
	struct kfi_chunk **chunks;
	u32 nchunks;
	u32 room;
	u64 text;
	atomic_t marks;
	bool wrap;
	bool fast;
	atomic_t next;
	atomic_t seq;
	atomic_t halves;
};

/**
 * struct kfi_ring_cpu - a cpu's place in the ring; written by that cpu only
 * @chunk: where it writes; &kfi_ring_none: nowhere yet. So it stays in a ring without @fast, where
 *	the fast path must find no room
 * @slow_chunk: where it writes in a ring without @fast
 * @spare: a chunk that was taken twice at once (by an interrupt on top of a task): used next
 * @level: of a ring that wraps: writers at work, each but the first an interrupt of the one before
 * @pin: what each of them writes into, or is about to
 * @evicted: records that it has evicted when it took a chunk again, by kind; those that
 *	kfi_ring_take() had not taken
 * @evicted_read: those that it had
 */
struct kfi_ring_cpu {
	struct kfi_chunk *chunk;
	struct kfi_chunk *slow_chunk;
	struct kfi_chunk *spare;
	local_t level;
	struct kfi_chunk *pin[KFI_RING_LEVELS];
	struct kfi_counter evicted[KFI_REC_KINDS];
	struct kfi_counter evicted_read[KFI_REC_KINDS];
};

/*
 * What a cpu has in the place of a chunk before it takes its first one: a chunk that is full. So a
 * writer need not check whether its cpu has one. All cpus share this chunk, and only add to @used.
 * @used begins in the middle of its range: it stays larger than the room of any chunk, and an
 * addition that is lost does no harm. @base is so far from all times that no packed record fits: so
 * the fast path adds nothing.
 */
extern struct kfi_chunk kfi_ring_none;

/**
 * kfi_ring_cpu_init() - Let a cpu begin to use a ring.
 * @rc: its place in the ring, zeroed
 *
 * Context: any; the cpu does not use the ring yet.
 */
static inline void kfi_ring_cpu_init(struct kfi_ring_cpu *rc)
{
	rc->chunk = &kfi_ring_none;
	rc->slow_chunk = &kfi_ring_none;
}

/* Return where the chunk that a cpu writes to is stored. */
static __always_inline struct kfi_chunk **kfi_ring_place(const struct kfi_ring *ring,
							 struct kfi_ring_cpu *rc)
{
	return ring->fast ? &rc->chunk : &rc->slow_chunk;
}

/**
 * kfi_ring_chunk() - Return the chunk that a cpu writes to.
 * @ring: the ring
 * @rc: the cpu's place in it
 *
 * Return: the chunk; &kfi_ring_none: it has not written yet.
 */
static __always_inline struct kfi_chunk *kfi_ring_chunk(const struct kfi_ring *ring,
							struct kfi_ring_cpu *rc)
{
	return READ_ONCE(*kfi_ring_place(ring, rc));
}

/**
 * kfi_ring_init() - Begin to use a pool.
 * @ring: the ring
 * @chunks: table of zeroed chunks, each of @chunk_bytes, 8-byte aligned
 * @nchunks: how many
 * @chunk_bytes: bytes of each chunk, header included; a multiple of 8, at least 256
 * @text: address that the addresses in records are stored relative to
 *
 * Context: any; nobody may use the ring yet.
 */
void kfi_ring_init(struct kfi_ring *ring, struct kfi_chunk **chunks, u32 nchunks, u32 chunk_bytes,
		   u64 text);

/*
 * How many chunks of @bytes a number of calls needs, common records assumed. Each of the @cpus that
 * may write can leave one chunk half empty. Never less than a ring that wraps needs: two for each
 * cpu, and one more. A macro, because compiled-in memory is that large.
 */
#define KFI_RING_CHUNKS(calls, cpus, bytes)	\
	((cpus) + (KFI_RING_FULL(calls, bytes) > (cpus) + 1 ? KFI_RING_FULL(calls, bytes) : \
							     (cpus) + 1))
#define KFI_RING_FULL(calls, bytes)	\
	(((calls) + KFI_RING_RECORDS(bytes) - 1) / KFI_RING_RECORDS(bytes))
#define KFI_RING_RECORDS(bytes)	\
	(((bytes) - sizeof(struct kfi_chunk)) / (KFI_REC_WORDS * sizeof(u32)))

/**
 * kfi_ring_used() - Return how many words of a chunk are reserved.
 * @ring: the ring
 * @c: a chunk of it; a writer that found no room at its end has reserved past it
 */
static inline u32 kfi_ring_used(const struct kfi_ring *ring, const struct kfi_chunk *c)
{
	return min_t(u32, (u32)local_read(&c->used), ring->room);
}

/**
 * kfi_ring_write() - Write one record.
 * @ring: the ring
 * @rc: this cpu's place in it
 * @cpu: this cpu
 * @r: the call; @r->cpu is not looked at
 *
 * Context: any, NMI included; the caller stays on @cpu (preemption off).
 * Return: false if the pool is used up, or, in a ring that wraps, all of it is being written to:
 * the call is lost.
 */
bool kfi_ring_write(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu,
		    const struct kfi_rec *r);

/**
 * kfi_ring_more() - Give a cpu the next chunk.
 * @ring: a ring with @fast
 * @rc: this cpu's place in it; its chunk is full
 * @cpu: this cpu
 * @time: raw clock count, near those of the records to come
 *
 * Context: any, NMI included; the caller stays on @cpu.
 * Return: the chunk; NULL if the pool is used up.
 */
struct kfi_chunk *kfi_ring_more(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu,
				u64 time);

/**
 * kfi_ring_reserve() - Take words of the pool for something that is no record.
 * @ring: a ring without records
 * @rc: this cpu's place in it
 * @cpu: this cpu
 * @words: how many, always the same
 *
 * Context: any, NMI included; the caller stays on @cpu.
 * Return: where they begin, all 0; NULL if the pool is used up.
 */
u32 *kfi_ring_reserve(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu, unsigned int words);

/**
 * kfi_ring_write_event() - Write what is no call.
 * @ring: the ring
 * @rc: this cpu's place in it
 * @cpu: this cpu
 * @e: the event; @e->cpu is not looked at
 *
 * Context: any, NMI included; the caller stays on @cpu (preemption off).
 * Return: false if the pool is used up, or the part of it that marks may take: the event is lost.
 */
bool kfi_ring_write_event(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu,
			  const struct kfi_event *e);

/**
 * kfi_ring_taken() - Return how many chunks of the pool may have been taken.
 * @ring: the ring
 *
 * Return: 0..@ring->nchunks; all of them if the ring wraps: chunks that were never taken are empty.
 */
u32 kfi_ring_taken(const struct kfi_ring *ring);

/**
 * kfi_ring_kept() - Return how many kept calls are counted in chunks.
 * @ring: the ring
 *
 * These calls are not counted anywhere else: not by a cpu, and not on a shadow stack.
 * Context: any; exact when nobody writes.
 * Return: calls; 0 without KFI_CHUNK_COUNTS (core/port_arm.h).
 */
u64 kfi_ring_kept(const struct kfi_ring *ring);

/**
 * kfi_ring_order() - Return a number that orders chunks by when they were taken.
 * @ring: the ring
 * @chunk: 0..kfi_ring_taken() - 1
 *
 * Of two records of one cpu, the one in the chunk that was taken first was reserved first.
 * Return: a number that grows from chunk to chunk; 0: never taken.
 */
u64 kfi_ring_order(const struct kfi_ring *ring, u32 chunk);

/**
 * kfi_ring_newest() - Find a chunk by its place in the order of taking, the newest first.
 * @ring: the ring
 * @n: 0: the newest, 1: the one before, ... kfi_ring_taken() - 1
 *
 * Without memory or search, for a dump when all is lost. In a ring that wraps the order is not
 * strict where a chunk was passed over because its cpu still wrote to it.
 * Return: the chunk.
 */
u32 kfi_ring_newest(const struct kfi_ring *ring, u32 n);

/**
 * kfi_ring_since() - Return the time from which on a ring is complete.
 * @ring: the ring
 *
 * Context: any, when nobody writes.
 * Return: raw clock count: no call that ended later was evicted; 0: no call was evicted.
 */
u64 kfi_ring_since(const struct kfi_ring *ring);

/**
 * struct kfi_ring_part - records that were taken out of a chunk
 * @order: kfi_ring_order() of the chunk when it was found; if it was taken again since, what it
 *	has now comes after all that was older
 * @base: time base of the records
 * @cpu: the cpu that wrote them
 * @n: words
 * @words: room for those of a chunk
 */
struct kfi_ring_part {
	u64 order;
	u64 base;
	u32 cpu;
	u32 n;
	u32 *words;
};

/**
 * kfi_ring_has_unread() - Return true if kfi_ring_take() would find records in a chunk.
 * @ring: a ring that wraps, whose chunks have fewer than KFI_READ_NEVER words
 * @c: a chunk of it
 *
 * Context: any; writers may be at work.
 */
bool kfi_ring_has_unread(const struct kfi_ring *ring, const struct kfi_chunk *c);

/**
 * kfi_ring_take() - Copy the records of a chunk that have not been taken yet, and mark them so.
 * @ring: as kfi_ring_has_unread()
 * @chunk: 0..@ring->nchunks - 1
 * @part: @order and @words are set; the rest is filled
 *
 * Records of one cpu come in the order in which their space was reserved if chunks are taken in
 * their order. A record that is not complete ends the part.
 * Context: one caller at a time; writers may be at work.
 * Return: false if there is none, or if the chunk was evicted since: then they count as evicted.
 */
bool kfi_ring_take(struct kfi_ring *ring, u32 chunk, struct kfi_ring_part *part);

/**
 * kfi_ring_read() - Decode the record at a place of a chunk.
 * @ring: the ring
 * @chunk: 0..kfi_ring_taken() - 1
 * @at: word within the chunk; 0 for the first record
 * @r: where to put it
 *
 * Context: any; when writers may still be at work, what they have not finished ends the chunk.
 * Return: words to add to @at for the next record; 0 at the end of the chunk.
 */
unsigned int kfi_ring_read(const struct kfi_ring *ring, u32 chunk, u32 at, struct kfi_rec *r);

/**
 * kfi_ring_event() - Decode the event at a place of a chunk.
 * @ring: the ring
 * @chunk: its chunk
 * @at: word within the chunk, where kfi_ring_read() has read an event
 * @e: where to put it; its text lies in the chunk
 *
 * Context: as kfi_ring_read().
 * Return: false if there is none.
 */
bool kfi_ring_event(const struct kfi_ring *ring, u32 chunk, u32 at, struct kfi_event *e);

#endif /* KFI_RING_H */
