// SPDX-License-Identifier: GPL-2.0
/*
 * The ring buffer: reserve space, take chunks, read back. The picture is in ring.h.
 */
#include "core/ring.h"

struct kfi_chunk kfi_ring_none = {
	.used = LOCAL_INIT(LONG_MAX / 2),
	.base = 1ull << 62,
};

void kfi_ring_init(struct kfi_ring *ring, struct kfi_chunk **chunks, u32 nchunks, u32 chunk_bytes,
		   u64 text)
{
	ring->chunks = chunks;
	ring->nchunks = nchunks;
	ring->room = (u32)((chunk_bytes - sizeof(struct kfi_chunk)) / sizeof(u32));
	ring->text = text;
	atomic_set(&ring->marks, (int)min_t(u64, (u64)nchunks * ring->room / 2, INT_MAX));
	ring->wrap = false;
	ring->fast = false;
	atomic_set(&ring->next, 0);
	atomic_set(&ring->seq, 0);
	atomic_set(&ring->halves, 0);
}

/* Take a chunk for this cpu: what was left over before, or the next of the pool. */
static struct kfi_chunk *take(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu, u64 base)
{
	struct kfi_chunk *c = READ_ONCE(rc->spare);
	int i;

	if (!c || cmpxchg_local(&rc->spare, c, NULL) != c) {
		/* Look first, so that a full pool does not make the counter wrap. */
		if ((u32)atomic_read(&ring->next) >= ring->nchunks)
			return NULL;
		i = atomic_inc_return(&ring->next) - 1;
		if ((u32)i >= ring->nchunks)
			return NULL;
		c = ring->chunks[i];
	}
	c->cpu = cpu;
	c->base = base;
	return c;
}

/* The chunk after @full: a new one, or the one that an interrupt has installed. */
static struct kfi_chunk *next_chunk(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu,
				    struct kfi_chunk *full, u64 base)
{
	struct kfi_chunk *c = kfi_ring_chunk(ring, rc), *mine;

	if (c != full)
		return c;
	mine = take(ring, rc, cpu, base);
	if (!mine)
		return NULL;
	c = cmpxchg_local(kfi_ring_place(ring, rc), full, mine);
	if (likely(c == full))
		return mine;
	/* An interrupt came between and took one too: keep ours for the next time. */
	cmpxchg_local(&rc->spare, NULL, mine);
	return c;
}

struct kfi_chunk *kfi_ring_more(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu,
				u64 time)
{
	return next_chunk(ring, rc, cpu, kfi_ring_chunk(ring, rc), time);
}

/*
 * Reserve space for @r, or, if that is NULL, @words words. Return: where it begins, or NULL;
 * *@form and *@base are what @r must be encoded with.
 */
static __always_inline u32 *reserve(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu,
				    const struct kfi_rec *r, u64 time, unsigned int words,
				    unsigned int *form, u64 *base)
{
	struct kfi_chunk *c = kfi_ring_chunk(ring, rc);
	long end;

	for (;;) {
		if (r) {
			*form = kfi_rec_choose(r, ring->text, c->base);
			words = kfi_rec_count(*form);
		}
		end = kfi_local_add_return(words, &c->used);
		if (likely(end <= (long)ring->room && end >= (long)words))
			break;
		if (unlikely(end < (long)words)) {
			kfi_bad_found(KFI_BAD_CHUNK);
			return NULL;
		}
		c = next_chunk(ring, rc, cpu, c, time);
		if (!c)
			return NULL;
	}
	if (r)
		*base = c->base;
	return c->words + end - words;
}

/*
 * ---- a ring that overwrites ----
 *
 * A writer pins the chunk it writes to, in its CPU's kfi_ring_cpu. The last writer of a CPU that
 * had pinned a full chunk gives it back; CPUs take such chunks in turn.
 */

/*
 * How many chunks are looked at before a call is lost. Each cpu owns one or two, rarely some more,
 * so that more than these can be in use in a row only on a machine of very many cpus.
 */
#define WRAP_TRIES	256

/* A ticket (@owner of a chunk): the owning CPU, and the number of the taking. 0: no owner. */
#define TICKET_CPU_BITS	14

static int ticket_of(u32 cpu, u64 seq)
{
	return (int)((u32)seq << TICKET_CPU_BITS | (cpu + 1));
}

static bool is_ours(int ticket, u32 cpu)
{
	return ((u32)ticket & ((1u << TICKET_CPU_BITS) - 1)) == cpu + 1;
}

/* Give a chunk back, unless that has been done since it was taken with this ticket. */
static void give_back(struct kfi_chunk *c, int ticket)
{
	/* A full barrier; pairs with claim(): the next owner sees complete records. */
	atomic_cmpxchg(&c->owner, ticket, 0);
}

/*
 * The number of the next taking, in 64 bits, also where an atomic operation has 32. The cpu that
 * draws the first number of a half of the 32-bit range counts that half. The count is read before
 * the number is drawn, so it may be one too low and is never too high: then its lowest bit is not
 * the highest one of the number.
 */
static u64 next_seq(struct kfi_ring *ring)
{
	u32 halves = (u32)atomic_read(&ring->halves);
	u32 low = (u32)atomic_inc_return(&ring->seq);	/* a full barrier: read, then draw */

	if (unlikely(!(low << 1)))
		atomic_inc(&ring->halves);
	halves += (halves ^ low >> 31) & 1;
	return (u64)(halves >> 1) << 32 | low;
}

/* Return the index of the chunk whose turn it is. */
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

static int start_pos(u64 seq)
{
	return (int)((u32)seq << KFI_READ_BITS);
}

/* Count records from @at on, up to @end. Return: where it stopped. */
static u32 count_records(const struct kfi_ring *ring, struct kfi_chunk *c, u32 at, u32 end,
			 struct kfi_counter *counter)
{
	u32 n[KFI_REC_KINDS] = { 0 };
	unsigned int words;
	struct kfi_rec r;
	u32 i;

	for (; at < end; at += words) {
		words = kfi_rec_decode(c->words + at, ring->room - at, &r, ring->text, c->base);
		if (!words)
			break;
		n[kfi_rec_kind(&r)]++;
		if (!r.marks && !r.event && r.exit > c->evicted_until)
			c->evicted_until = r.exit;
	}
	for (i = 0; i < KFI_REC_KINDS; i++)
		if (n[i])
			kfi_counter_add(&counter[i], n[i]);
	return at;
}

/* Evict the records of a chunk that this CPU owns now. All of them are complete. */
static void evict(struct kfi_ring *ring, struct kfi_ring_cpu *rc, struct kfi_chunk *c)
{
	u32 used = kfi_ring_used(ring, c), at = 0;
	/* A full barrier; pairs with kfi_ring_take(): what it copies after that does not count. */
	u32 read = (u32)atomic_xchg(&c->read_pos, KFI_READ_NEVER) & KFI_READ_NEVER;

	if (unlikely(read))
		at = count_records(ring, c, 0, read, rc->evicted_read);
	count_records(ring, c, at, used, rc->evicted);
	memset(c->words, 0, used * sizeof(u32));
}

/* Take a chunk that nobody writes to. */
static struct kfi_chunk *claim(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu, u64 base)
{
	u64 seq = next_seq(ring);
	u32 i;

	for (i = 0; i < ring->nchunks && i < WRAP_TRIES; i++) {
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
		evict(ring, rc, c);
		c->base = base;
		c->cpu = cpu;
		c->seq = seq;
		local_set(&c->used, 0);
		/* Pairs with kfi_ring_take(): a reader of this position sees the empty chunk. */
		atomic_set_release(&c->read_pos, start_pos(seq));
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
	if (READ_ONCE(rc->slow_chunk) == c)
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
	if (unlikely(READ_ONCE(rc->slow_chunk) != c))
		let_go(rc, cpu, level, c);
}

/* Pin the chunk of this cpu, be it kfi_ring_none. */
static struct kfi_chunk *pin(struct kfi_ring_cpu *rc, u32 cpu, long level)
{
	for (;;) {
		struct kfi_chunk *c = READ_ONCE(rc->slow_chunk);

		WRITE_ONCE(rc->pin[level], c);
		barrier();	/* pin, then look: an interrupt gives back what is not pinned */
		if (likely(READ_ONCE(rc->slow_chunk) == c))
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

	if (READ_ONCE(rc->slow_chunk) != full)
		return true;
	mine = claim(ring, rc, cpu, base);
	if (!mine)
		return READ_ONCE(rc->slow_chunk) != full;
	if (unlikely(cmpxchg_local(&rc->slow_chunk, full, mine) != full))
		give_back(mine, atomic_read(&mine->owner));
	return true;
}

/* Write into a chunk that is pinned for @level. Interrupts write at higher levels. */
static bool write_at_level(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu, long level,
			   const struct kfi_rec *r, const struct kfi_event *e)
{
	unsigned int words = e ? kfi_event_words(e) : 0, form = 0;
	struct kfi_chunk *c;
	bool next;
	long end;

	for (;;) {
		c = pin(rc, cpu, level);
		if (r) {
			form = kfi_rec_choose(r, ring->text, c->base);
			words = kfi_rec_count(form);
		}
		/*
		 * Check first: what is rejected while no other chunk is free must not make @used
		 * wrap.
		 */
		if (likely(local_read(&c->used) + (long)words <= (long)ring->room)) {
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

/* Write a call or an event into a ring that wraps. */
static bool write_wrap(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu,
		       const struct kfi_rec *r, const struct kfi_event *e)
{
	long level = kfi_local_add_return(1, &rc->level) - 1;
	bool kept = false;

	if (unlikely(level < 0))
		kfi_bad_found(KFI_BAD_LEVEL);
	else if (likely(level < KFI_RING_LEVELS))
		kept = write_at_level(ring, rc, cpu, level, r, e);
	local_dec(&rc->level);
	return kept;
}

/* ---- writing ---- */

bool kfi_ring_write(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu,
		    const struct kfi_rec *r)
{
	unsigned int form;
	u64 base;
	u32 *w;

	if (unlikely(ring->wrap))
		return write_wrap(ring, rc, cpu, r, NULL);
	w = reserve(ring, rc, cpu, r, r->exit, 0, &form, &base);
	if (unlikely(!w))
		return false;
	kfi_rec_encode(w, form, r, ring->text, base);
	return true;
}

/* Return true if one more mark of @words words may be kept. */
static bool mark_fits(struct kfi_ring *ring, unsigned int words)
{
	/* Check first, so that rejected marks do not make the counter wrap. */
	if (atomic_read(&ring->marks) < 0)
		return false;
	return atomic_sub_return((int)words, &ring->marks) >= 0;
}

bool kfi_ring_write_event(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu,
			  const struct kfi_event *e)
{
	unsigned int words = kfi_event_words(e);
	u32 *w;

	if (unlikely(ring->wrap))
		return write_wrap(ring, rc, cpu, NULL, e);
	if (e->kind != KFI_EVENT_STACK && !mark_fits(ring, words))
		return false;
	w = reserve(ring, rc, cpu, NULL, e->time, words, NULL, NULL);
	if (!w)
		return false;
	kfi_event_encode(w, words, e);
	return true;
}

u32 *kfi_ring_reserve(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu, unsigned int words)
{
	struct kfi_chunk *c = kfi_ring_chunk(ring, rc);

	/*
	 * Check first: a profile goes on when it is full, and what is rejected again and again must
	 * not make @used wrap.
	 */
	if (local_read(&c->used) + (long)words > (long)ring->room && !READ_ONCE(rc->spare) &&
	    (u32)atomic_read(&ring->next) >= ring->nchunks)
		return NULL;
	return reserve(ring, rc, cpu, NULL, 0, words, NULL, NULL);
}

u32 kfi_ring_taken(const struct kfi_ring *ring)
{
	u32 n = ring->wrap ? ring->nchunks : (u32)atomic_read(&ring->next);

	return min_t(u32, n, ring->nchunks);
}

u64 kfi_ring_kept(const struct kfi_ring *ring)
{
	u64 n = 0;
#ifdef KFI_CHUNK_COUNTS
	u32 i;

	for (i = 0; i < kfi_ring_taken(ring); i++)
		n += (unsigned long)local_read(&ring->chunks[i]->kept);
#endif
	return n;
}

u64 kfi_ring_order(const struct kfi_ring *ring, u32 chunk)
{
	return ring->wrap ? ring->chunks[chunk]->seq : chunk + 1;
}

u32 kfi_ring_newest(const struct kfi_ring *ring, u32 n)
{
	u32 next;

	if (!ring->wrap)
		return kfi_ring_taken(ring) - 1 - n;
	next = (u32)atomic_read(&ring->next);
	return n < next ? next - 1 - n : next - 1 - n + ring->nchunks;
}

u64 kfi_ring_since(const struct kfi_ring *ring)
{
	u64 until = 0;
	u32 i;

	for (i = 0; i < ring->nchunks; i++)
		until = max_t(u64, until, ring->chunks[i]->evicted_until);
	return until;
}

/* ---- taking ---- */

/* Find where complete records end. Do not read past the chunk if it is evicted now. */
static u32 find_end(const struct kfi_ring *ring, const struct kfi_chunk *c, u32 at)
{
	struct kfi_rec r;
	u32 words;

	while (at < ring->room &&
	       (words = kfi_rec_decode(c->words + at, ring->room - at, &r, ring->text, c->base)))
		at += words;
	return at;
}

bool kfi_ring_has_unread(const struct kfi_ring *ring, const struct kfi_chunk *c)
{
	u32 read = (u32)atomic_read_acquire(&c->read_pos) & KFI_READ_NEVER;

	return read < ring->room && READ_ONCE(c->words[read]);
}

bool kfi_ring_take(struct kfi_ring *ring, u32 chunk, struct kfi_ring_part *part)
{
	struct kfi_chunk *c = ring->chunks[chunk];
	/* Pairs with the release in claim(). */
	u32 pos = (u32)atomic_read_acquire(&c->read_pos), from = pos & KFI_READ_NEVER;

	/* A chunk that was taken again has another order before it has another position. */
	if (from >= ring->room || kfi_ring_order(ring, chunk) != part->order)
		return false;
	part->n = find_end(ring, c, from) - from;
	if (!part->n)
		return false;
	part->base = c->base;
	part->cpu = c->cpu;
	memcpy(part->words, c->words + from, part->n * sizeof(u32));
	/* A full barrier; pairs with evict(), which exchanges the position before it clears. */
	return (u32)atomic_cmpxchg(&c->read_pos, (int)pos, (int)(pos + part->n)) == pos;
}

unsigned int kfi_ring_read(const struct kfi_ring *ring, u32 chunk, u32 at, struct kfi_rec *r)
{
	const struct kfi_chunk *c = ring->chunks[chunk];

	if (at >= ring->room)
		return 0;
	r->cpu = (u16)c->cpu;
	return kfi_rec_decode(c->words + at, ring->room - at, r, ring->text, c->base);
}

bool kfi_ring_event(const struct kfi_ring *ring, u32 chunk, u32 at, struct kfi_event *e)
{
	const struct kfi_chunk *c = ring->chunks[chunk];

	e->cpu = (u16)c->cpu;
	/* Pairs with the release in kfi_rec_commit(). */
	return kfi_rec_form(smp_load_acquire(&c->words[at])) > KFI_REC_WORDS &&
	       kfi_event_decode(c->words + at, e);
}
