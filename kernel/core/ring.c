// SPDX-License-Identifier: GPL-2.0
/*
 * The ring buffer: reserving space, taking chunks, reading back. The picture is in core/ring.h.
 */
#include "core/ring.h"

void kfi_ring_init(struct kfi_ring *ring, struct kfi_chunk **chunks, u32 nchunks, u32 chunk_bytes,
		   u64 text)
{
	ring->chunks = chunks;
	ring->nchunks = nchunks;
	ring->room = (u32)((chunk_bytes - sizeof(struct kfi_chunk)) / sizeof(u32));
	ring->text = text;
	ring->wrap = false;
	atomic_set(&ring->next, 0);
	atomic_set(&ring->seq, 0);
}

u32 kfi_ring_chunks_for(u32 entries, u32 ncpus, u32 chunk_bytes)
{
	u32 each = (u32)((chunk_bytes - sizeof(struct kfi_chunk)) / sizeof(u32)) / KFI_REC_WORDS;

	return max_t(u32, (entries + each - 1) / each, ncpus + 1) + ncpus;
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

/* The chunk after @full: a new one, or what an interrupt has put there meanwhile. */
static struct kfi_chunk *next_chunk(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu,
				    struct kfi_chunk *full, u64 base)
{
	struct kfi_chunk *c = READ_ONCE(rc->chunk), *mine;

	if (c != full)
		return c;
	mine = take(ring, rc, cpu, base);
	if (!mine)
		return NULL;
	c = cmpxchg_local(&rc->chunk, full, mine);
	if (likely(c == full))
		return mine;
	/* An interrupt came between and took one too: keep ours for the next time. */
	cmpxchg_local(&rc->spare, NULL, mine);
	return c;
}

struct kfi_chunk *kfi_ring_more(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu,
				u64 time)
{
	return next_chunk(ring, rc, cpu, READ_ONCE(rc->chunk), time);
}

/*
 * Reserve space for @r, or, if that is NULL, @words words. Return: where it begins, or NULL;
 * *@form and *@base are what @r must be encoded with.
 */
static __always_inline u32 *reserve(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu,
				    const struct kfi_rec *r, u64 time, unsigned int words,
				    unsigned int *form, u64 *base)
{
	struct kfi_chunk *c = READ_ONCE(rc->chunk);
	long end;

	for (;;) {
		if (likely(c)) {
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
		}
		c = next_chunk(ring, rc, cpu, c, time);
		if (!c)
			return NULL;
	}
	if (r)
		*base = c->base;
	return c->words + end - words;
}

bool kfi_ring_write(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu,
		    const struct kfi_rec *r)
{
	unsigned int form;
	u64 base;
	u32 *w;

	if (unlikely(ring->wrap))
		return kfi_ring_write_wrap(ring, rc, cpu, r, NULL);
	w = reserve(ring, rc, cpu, r, r->exit, 0, &form, &base);
	if (unlikely(!w))
		return false;
	kfi_rec_encode(w, form, r, ring->text, base);
	return true;
}

bool kfi_ring_write_event(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu,
			  const struct kfi_event *e)
{
	unsigned int words = kfi_event_words(e);
	u32 *w;

	if (unlikely(ring->wrap))
		return kfi_ring_write_wrap(ring, rc, cpu, NULL, e);
	w = reserve(ring, rc, cpu, NULL, e->time, words, NULL, NULL);
	if (!w)
		return false;
	kfi_event_encode(w, words, e);
	return true;
}

u32 *kfi_ring_reserve(struct kfi_ring *ring, struct kfi_ring_cpu *rc, u32 cpu, unsigned int words)
{
	struct kfi_chunk *c = READ_ONCE(rc->chunk);

	/* Look first, so that what is refused again and again does not make the count wrap. */
	if (c && local_read(&c->used) + (long)words > (long)ring->room && !READ_ONCE(rc->spare) &&
	    (u32)atomic_read(&ring->next) >= ring->nchunks)
		return NULL;
	return reserve(ring, rc, cpu, NULL, 0, words, NULL, NULL);
}

u32 kfi_ring_taken(const struct kfi_ring *ring)
{
	u32 n = ring->wrap ? ring->nchunks : (u32)atomic_read(&ring->next);

	return min_t(u32, n, ring->nchunks);
}

u32 kfi_ring_order(const struct kfi_ring *ring, u32 chunk)
{
	return ring->wrap ? READ_ONCE(ring->chunks[chunk]->seq) : chunk + 1;
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
		until = max_t(u64, until, ring->chunks[i]->until);
	return until;
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
