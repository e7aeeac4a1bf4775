// SPDX-License-Identifier: GPL-2.0
/*
 * Finds how far KASLR has moved the kernel of a trace: see kfi_rebuild_move in rebuild_state.h.
 *
 * The first blocks at kernel addresses are kept, with the changes of stacks between them. The
 * kernel is at the place where, by the code of vmlinux, most of these blocks end in a jump or a
 * call to the next one.
 */
#include <stdlib.h>

#include "import/rebuild_state.h"

/* The search begins when this number of blocks is kept. Repetitions of a block do not count. */
#define BLOCKS		512

/*
 * Limit of the repetitions of a block that are kept, besides the last one: each repetition of an
 * instruction with a rep prefix is a block. The others make no calls, since no function calls
 * itself so often that early.
 */
#define REPEATS		64

/* Kernels are moved by a multiple of this. */
#define STEP		0x10000

/* A place is rejected after this number of pairs that do not fit. */
#define MISSES_MAX	8

/* A place needs this number of pairs that fit. */
#define HITS_MIN	16

/* Count pairs of blocks that fit and that do not, if the kernel was moved by @by. */
static int count_pairs(struct kfi_rebuild *r, u64 by, u32 *hits, u32 *misses, struct kfi_err *err)
{
	const struct kfi_rebuild_move *m = &r->move;

	*hits = *misses = 0;
	for (u32 i = 0; i + 1 < m->n && (!by || *misses < MISSES_MAX); i++) {
		u64 pc = m->wait[i].pc - by, next = m->wait[i + 1].pc - by;
		const struct kfi_block *b;

		if (!(m->wait[i].pc >> 63) || m->wait[i].cpu != m->wait[i + 1].cpu ||
		    m->wait[i].is_stack || m->wait[i + 1].is_stack)
			continue;
		if (!kfi_code_is_in(r->code, pc)) {
			++*misses;
			continue;
		}
		b = kfi_code_block(r->code, pc);
		if (!b)
			return kfi_rebuild_no_memory(r, err);
		if (b->last == KFI_END_CALL || b->last == KFI_END_JUMP ||
		    b->last == KFI_END_BRANCH) {
			if (next == b->target || (b->last == KFI_END_BRANCH && next == b->end))
				++*hits;
			else if (next - pc >= b->end - pc)
				++*misses;
			/* Otherwise QEMU has ended the block early, as behind a write to cr3. */
		}
	}
	return 0;
}

/* Set r->move.offset to the place that fits best; 0 if none does. */
static int find(struct kfi_rebuild *r, struct kfi_err *err)
{
	struct kfi_rebuild_move *m = &r->move;
	u32 hits, misses, best = 0;
	u64 first = 0;
	int ret = count_pairs(r, 0, &hits, &misses, err);

	if (ret || hits >= misses)
		return ret;
	for (u32 i = 0; !first && i < m->n; i++)
		if (m->wait[i].pc >> 63 && !m->wait[i].is_stack)
			first = m->wait[i].pc;
	for (u64 by = (first - m->from - m->size + STEP) & ~(u64)(STEP - 1);
	     !ret && first - by - m->from < m->size; by += STEP) {
		ret = count_pairs(r, by, &hits, &misses, err);
		if (hits >= HITS_MIN && hits > 8 * misses && hits > best) {
			best = hits;
			m->offset = by;
		}
	}
	return ret;
}

int kfi_rebuild_moved(struct kfi_rebuild *r, struct kfi_err *err)
{
	struct kfi_rebuild_move *m = &r->move;
	int ret = m->n ? find(r, err) : 0;

	m->is_searching = false;
	for (u32 i = 0; !ret && i < m->n; i++) {
		const struct kfi_rebuild_early *e = &m->wait[i];

		ret = e->is_stack ? kfi_rebuild_stack(r, e->cpu, e->from, e->pc, err) :
				    kfi_rebuild_block(r, e->cpu, e->ns, e->pc, err);
	}
	free(m->wait);
	m->wait = NULL;
	m->n = m->room = 0;
	return ret;
}

int kfi_rebuild_move_wait(struct kfi_rebuild *r, const struct kfi_rebuild_early *early,
			  struct kfi_err *err)
{
	struct kfi_rebuild_move *m = &r->move;
	const struct kfi_rebuild_early *last = m->n ? &m->wait[m->n - 1] : NULL;

	if (last && !early->is_stack && !last->is_stack && last->pc == early->pc &&
	    last->cpu == early->cpu) {
		m->repeats++;
	} else {
		m->repeats = 0;
		m->changes++;
	}
	if (m->repeats > REPEATS)
		m->n--;
	if (kfi_grow((void **)&m->wait, &m->room, m->n + 1, sizeof(*m->wait)))
		return kfi_rebuild_no_memory(r, err);
	m->wait[m->n++] = *early;
	return m->changes < BLOCKS ? 0 : kfi_rebuild_moved(r, err);
}

int kfi_rebuild_kaslr(struct kfi_rebuild *r, const char *text, struct kfi_err *err)
{
	struct kfi_rebuild_move *m = &r->move;
	bool wide = kfi_code_span(r->code, &m->from, &m->size);
	struct kfi_str s;

	m->is_searching = !text && wide;
	if (!text)
		return 0;
	s = (struct kfi_str){ text, (u32)strlen(text) };
	if (!kfi_str_hex(s, &m->offset) && !kfi_str_hex_digits(s, &m->offset))
		return kfi_err_set(err, EINVAL, "--kaslr %.80s: expected an offset in hex", text);
	return 0;
}
