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
 */
#ifndef KFI_RING_H
#define KFI_RING_H

#include "kfi_event.h"
#include "kfi_rec.h"

/**
 * struct kfi_chunk - a piece of the pool
 * @base: time base of its records; written by the cpu that takes it, before the chunk is installed
 * @cpu: that cpu
 * @used: words reserved; may run past the end, which then is where the chunk is full
 * @words: the records; all 0 when the run is configured
 */
struct kfi_chunk {
	u64 base;
	u32 cpu;
	local_t used;
	u32 words[];
};

/**
 * struct kfi_ring - the pool
 * @chunks: the chunks, @nchunks of them
 * @nchunks: how many
 * @room: words in each
 * @text: text base that addresses in records are relative to
 * @next: the first chunk that nobody has taken; shared by all cpus
 */
struct kfi_ring {
	struct kfi_chunk **chunks;
	u32 nchunks;
	u32 room;
	u64 text;
	atomic_t next;
};

/**
 * struct kfi_ring_cpu - a cpu's place in the ring; written by that cpu only
 * @chunk: where it writes, or NULL
 * @spare: a chunk that was taken twice at once (by an interrupt on top of a task): used next
 */
struct kfi_ring_cpu {
	struct kfi_chunk *chunk;
	struct kfi_chunk *spare;
};

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

/**
 * kfi_ring_chunks_for() - How many chunks hold so many calls?
 * @entries: calls
 * @ncpus: cpus that may write, each of which can leave one chunk half empty
 * @chunk_bytes: bytes of a chunk
 *
 * Context: any.
 * Return: chunks; common records assumed.
 */
u32 kfi_ring_chunks_for(u32 entries, u32 ncpus, u32 chunk_bytes);

/**
 * kfi_ring_write() - Write one record.
 * @ring: the ring
 * @rc: this cpu's place in it
 * @cpu: this cpu
 * @r: the call; @r->cpu is not looked at
 *
 * Context: any, NMI included; the caller stays on @cpu (preemption off).
 * Return: false if the pool is used up: the call is lost.
 */
bool kfi_ring_write(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu,
		    const struct kfi_rec *r);

/**
 * kfi_ring_write_event() - Write what is no call.
 * @ring: the ring
 * @rc: this cpu's place in it
 * @cpu: this cpu
 * @e: the event; @e->cpu is not looked at
 *
 * Context: any, NMI included; the caller stays on @cpu (preemption off).
 * Return: false if the pool is used up: the event is lost.
 */
bool kfi_ring_write_event(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu,
			  const struct kfi_event *e);

/**
 * kfi_ring_taken() - How many chunks of the pool have been taken?
 * @ring: the ring
 *
 * Context: any.
 * Return: 0..@ring->nchunks.
 */
u32 kfi_ring_taken(const struct kfi_ring *ring);

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
