// SPDX-License-Identifier: GPL-2.0
/*
 * Profiles: find the entry of a function, add to it, read all entries. The picture is in prof.h.
 */
#include "core/prof.h"

#define ENTRY_WORDS	(sizeof(struct kfi_prof_entry) / sizeof(u32))

/* Chunks are cut into entries from their first word on, which is aligned. */
static_assert(sizeof(struct kfi_prof_entry) % sizeof(u64) == 0, "entries are aligned");

static u32 hash(unsigned long func)
{
	/* The golden ratio: its product's high bits depend on all bits of the address. */
	return ((u32)(func >> 2) ^ (u32)((u64)func >> 32)) * 0x9e3779b1u;
}

/* Return the entry of a function, which is made if necessary; NULL: there is no room for it. */
static struct kfi_prof_entry *find(struct kfi_ring *ring, struct kfi_ring_cpu *rc,
				   struct kfi_prof_entry **root, u32 cpu, unsigned long func)
{
	struct kfi_prof_entry **link = root, *mine = NULL, *e;
	u32 h = hash(func);

	for (;;) {
		e = READ_ONCE(*link);
		if (unlikely(!e)) {
			if (!mine) {
				mine = (void *)kfi_ring_reserve(ring, rc, cpu, ENTRY_WORDS);
				if (!mine)
					return NULL;
				mine->func = func;
				barrier();	/* fill, then show */
			}
			e = cmpxchg_local(link, NULL, mine);
			if (likely(!e))
				return mine;
		}
		if (e->func == func)
			break;
		link = &e->child[h >> (32 - KFI_PROF_BITS)];
		h <<= KFI_PROF_BITS;
	}
	/* An interrupt has put it there before us: ours is never used. */
	if (unlikely(mine))
		mine->func = 0;
	return e;
}

static __always_inline void add(u64 *sum, u64 n)
{
	u64 old, seen = kfi_local64_read(sum);

	if (!n)
		return;
	do {
		old = seen;
		seen = kfi_local64_cmpxchg(sum, old, old + n);
	} while (unlikely(seen != old));
}

static __always_inline void grow(u64 *max, u64 n)
{
	u64 old, seen = kfi_local64_read(max);

	while (n > seen) {
		old = seen;
		seen = kfi_local64_cmpxchg(max, old, n);
		if (likely(seen == old))
			break;
	}
}

bool kfi_prof_add(struct kfi_ring *ring, struct kfi_ring_cpu *rc, struct kfi_prof_entry **root,
		  u32 cpu, const struct kfi_rec *r)
{
	struct kfi_prof_entry *e = find(ring, rc, root, cpu, (unsigned long)r->func);
	u64 dur = r->exit - r->entry;

	if (unlikely(!e))
		return false;
	if (unlikely(r->marks)) {
		add(&e->untimed, 1);
		return true;
	}
	add(&e->count, 1);
	add(&e->total, dur);
	add(&e->local, r->local);
	add(&e->off, r->off);
	add(&e->irq, r->irq);
	grow(&e->max, dur);
	grow(&e->under, U64_MAX - dur);
	return true;
}

/* Entries of a chunk, those that are not used included. */
static u32 entries_of(const struct kfi_ring *ring, u32 chunk)
{
	return kfi_ring_used(ring, ring->chunks[chunk]) / (u32)ENTRY_WORDS;
}

u32 kfi_prof_entries(const struct kfi_ring *ring)
{
	u32 chunk, n = 0;

	for (chunk = 0; chunk < kfi_ring_taken(ring); chunk++)
		n += entries_of(ring, chunk);
	return n;
}

static struct kfi_prof_sum sum_of(const struct kfi_prof_entry *e)
{
	return (struct kfi_prof_sum) {
		.func = e->func, .count = e->count, .total = e->total, .local = e->local,
		.off = e->off, .irq = e->irq, .max = e->max,
		.min = e->count ? U64_MAX - e->under : 0, .untimed = e->untimed,
	};
}

bool kfi_prof_next(const struct kfi_ring *ring, struct kfi_prof_pos *pos, struct kfi_prof_sum *sum,
		   u32 *cpu)
{
	for (; pos->chunk < kfi_ring_taken(ring); pos->chunk++, pos->at = 0) {
		const struct kfi_chunk *c = ring->chunks[pos->chunk];
		const struct kfi_prof_entry *e = (const void *)c->words;

		while (pos->at < entries_of(ring, pos->chunk)) {
			*sum = sum_of(&e[pos->at++]);
			*cpu = c->cpu;
			if (sum->func)
				return true;
		}
	}
	return false;
}

bool kfi_prof_find(const struct kfi_prof_entry *root, u64 func, struct kfi_prof_sum *sum)
{
	u32 h = hash((unsigned long)func);
	const struct kfi_prof_entry *e = root;

	for (; e && e->func != func; h <<= KFI_PROF_BITS)
		e = READ_ONCE(e->child[h >> (32 - KFI_PROF_BITS)]);
	if (e)
		*sum = sum_of(e);
	return e;
}

int kfi_prof_by_func(const void *a, const void *b)
{
	const struct kfi_prof_sum *x = a, *y = b;

	if (x->func != y->func)
		return x->func < y->func ? -1 : 1;
	return 0;
}

int kfi_prof_by_total(const void *a, const void *b)
{
	const struct kfi_prof_sum *x = a, *y = b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	return kfi_prof_by_func(a, b);
}

bool kfi_prof_merge(struct kfi_prof_sum *s, const struct kfi_prof_sum *more)
{
	if (s->func != more->func)
		return false;
	if (more->count && (!s->count || more->min < s->min))
		s->min = more->min;
	s->max = max_t(u64, s->max, more->max);
	s->count += more->count;
	s->total += more->total;
	s->local += more->local;
	s->off += more->off;
	s->irq += more->irq;
	s->untimed += more->untimed;
	return true;
}
