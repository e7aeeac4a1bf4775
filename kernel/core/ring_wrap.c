// SPDX-License-Identifier: GPL-2.0
/*
 * The ring that wraps: writing where the oldest records have to make room. The picture is in
 * core/ring.h; a run that stops when its log is full comes by here never.
 *
 * A writer pins the chunk it writes to, in its cpu's kfi_ring_cpu. The last one of a cpu to have
 * pinned a chunk that is full gives it back; cpus take such chunks in turn.
 */
#include "core/ring.h"

/*
 * How many chunks are looked at before a call is lost. Each cpu owns one or two, rarely some more,
 * so that more than these can be in use in a row only on a machine of very many cpus.
 */
#define TRIES		256

/* A ticket: what a chunk says of whose it is, and since which taking. 0: nobody's. */
#define TICKET_CPU_BITS	14

static int ticket_of(u32 cpu, u32 seq)
{
	return (int)(seq << TICKET_CPU_BITS | (cpu + 1));
}

static bool is_ours(int ticket, u32 cpu)
{
	return ((u32)ticket & ((1u << TICKET_CPU_BITS) - 1)) == cpu + 1;
}

/* Give a chunk back, unless that has been done since it was taken with this ticket. */
static void give_back(struct kfi_chunk *c, int ticket)
{
	/* A full barrier; pairs with claim(): who takes it sees its records whole. */
	atomic_cmpxchg(&c->owner, ticket, 0);
}

/* The turn of which chunk is it? */
static u32 next_in_turn(struct kfi_ring *ring)
{
	u32 at = (u32)atomic_read(&ring->next), seen;

	for (;;) {
		u32 to = at + 1 < ring->nchunks ? at + 1 : 0;

		seen = (u32)atomic_cmpxchg(&ring->next, (int)at, (int)to);
		if (seen == at)
			return at;
		at = seen;
	}
}

/* Throw out what a chunk holds that is ours now; nothing in it is half written. */
static void throw_out(struct kfi_ring *ring, struct kfi_ring_cpu *rc, struct kfi_chunk *c)
{
	u32 used = min_t(u32, (u32)local_read(&c->used), ring->room);
	u32 n[KFI_REC_KINDS] = { 0 };
	unsigned int words;
	struct kfi_rec r;
	u32 at, i;

	for (at = 0; at < used; at += words) {
		words = kfi_rec_decode(c->words + at, ring->room - at, &r, ring->text, c->base);
		if (!words)
			break;
		n[kfi_rec_kind(&r)]++;
		if (!r.marks && !r.event && r.exit > c->until)
			c->until = r.exit;
	}
	for (i = 0; i < KFI_REC_KINDS; i++)
		if (n[i])
			kfi_counter_add(&rc->thrown[i], n[i]);
	memset(c->words, 0, used * sizeof(u32));
}

/* Take a chunk that nobody writes to. */
static struct kfi_chunk *claim(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu, u64 base)
{
	u32 i, seq = (u32)atomic_inc_return(&ring->seq);

	for (i = 0; i < ring->nchunks && i < TRIES; i++) {
		u32 turn = next_in_turn(ring);
		struct kfi_chunk *c;

		if (unlikely(turn >= ring->nchunks)) {
			kfi_bad_found(KFI_BAD_TURN);
			return NULL;
		}
		c = ring->chunks[turn];
		/* The exchange is a full barrier, and pairs with give_back(). */
		if (atomic_read(&c->owner) || atomic_cmpxchg(&c->owner, 0, ticket_of(cpu, seq)))
			continue;
		throw_out(ring, rc, c);
		c->base = base;
		c->cpu = cpu;
		c->seq = seq;
		local_set(&c->used, 0);
		return c;
	}
	return NULL;
}

/*
 * A writer of @level has pinned @c no more. If it was the last one there, and the chunk is not the
 * one that is written to next, nobody else will give it back.
 */
static void let_go(struct kfi_ring_cpu *rc, u32 cpu, long level, struct kfi_chunk *c)
{
	int ticket = atomic_read(&c->owner);
	long i;

	if (!is_ours(ticket, cpu))
		return;
	/*
	 * An interrupt may have taken it, and made it the next one, before. If one moves on from it
	 * after this, it gives it back itself: the ticket is another one then.
	 */
	barrier();
	if (READ_ONCE(rc->chunk) == c)
		return;
	for (i = 0; i < level; i++)
		if (READ_ONCE(rc->pin[i]) == c)
			return;
	give_back(c, ticket);
}

static void unpin(struct kfi_ring_cpu *rc, u32 cpu, long level, struct kfi_chunk *c)
{
	WRITE_ONCE(rc->pin[level], NULL);
	barrier();	/* an interrupt that sees no pin gives the chunk back itself */
	if (unlikely(READ_ONCE(rc->chunk) != c) && c)
		let_go(rc, cpu, level, c);
}

/* Pin the chunk of this cpu, be it NULL. */
static struct kfi_chunk *pin(struct kfi_ring_cpu *rc, u32 cpu, long level)
{
	for (;;) {
		struct kfi_chunk *c = READ_ONCE(rc->chunk);

		WRITE_ONCE(rc->pin[level], c);
		barrier();	/* pin, then look: an interrupt gives back what is not pinned */
		if (likely(READ_ONCE(rc->chunk) == c))
			return c;
		/* It may be another cpu's by now, or ours, again, and left to us. */
		unpin(rc, cpu, level, c);
	}
}

/* Put a new chunk in the place of @full, if no interrupt has. */
static bool go_on(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu, struct kfi_chunk *full,
		  u64 base)
{
	struct kfi_chunk *mine;

	if (READ_ONCE(rc->chunk) != full)
		return true;
	mine = claim(ring, rc, cpu, base);
	if (!mine)
		return READ_ONCE(rc->chunk) != full;
	if (unlikely(cmpxchg_local(&rc->chunk, full, mine) != full))
		give_back(mine, atomic_read(&mine->owner));
	return true;
}

static bool write_at(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu, long level,
		     const struct kfi_rec *r, const struct kfi_event *e)
{
	unsigned int words = e ? kfi_event_words(e) : 0, form = 0;
	struct kfi_chunk *c;
	bool next;
	long end;

	for (;;) {
		c = pin(rc, cpu, level);
		if (c && r) {
			form = kfi_rec_choose(r, ring->text, c->base);
			words = kfi_rec_count(form);
		}
		/* Look first, so that what is refused again and again does not make it wrap. */
		if (likely(c) && local_read(&c->used) + (long)words <= (long)ring->room) {
			end = kfi_local_add_return(words, &c->used);
			if (unlikely(end < (long)words)) {
				kfi_bad_found(KFI_BAD_CHUNK);
				unpin(rc, cpu, level, c);
				return false;
			}
			if (likely(end <= (long)ring->room))
				break;
		}
		next = go_on(ring, rc, cpu, c, r ? r->exit : e->time);
		unpin(rc, cpu, level, c);
		if (!next)
			return false;
	}
	if (r)
		kfi_rec_encode(c->words + end - words, form, r, ring->text, c->base);
	else
		kfi_event_encode(c->words + end - words, words, e);
	barrier();	/* write, then unpin */
	unpin(rc, cpu, level, c);
	return true;
}

bool kfi_ring_write_wrap(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu,
			 const struct kfi_rec *r, const struct kfi_event *e)
{
	long level = kfi_local_add_return(1, &rc->level) - 1;
	bool kept = false;

	if (unlikely(level < 0))
		kfi_bad_found(KFI_BAD_LEVEL);
	else if (likely(level < KFI_RING_LEVELS))
		kept = write_at(ring, rc, cpu, level, r, e);
	local_dec(&rc->level);
	return kept;
}
