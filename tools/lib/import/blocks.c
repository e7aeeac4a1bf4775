// SPDX-License-Identifier: GPL-2.0
/* Reads a trace of blocks that the QEMU plugin has written: see blocks.h. */
#include <stdlib.h>

#include "import/blocks.h"

int kfi_blocks_init(struct kfi_blocks *b, struct kfi_in *in)
{
	*b = (struct kfi_blocks){ .in = in, .kind = KFI_BLOCKS_KINDS, .nblocks = 1 };
	if (kfi_grow((void **)&b->block, &b->room, 1, sizeof(*b->block)))
		return -ENOMEM;
	b->block[0] = (struct kfi_blocks_block){ 0 };
	return 0;
}

static int no_memory(const struct kfi_blocks *b, struct kfi_err *err)
{
	return kfi_err_set(err, ENOMEM, "%s: out of memory", b->in->name);
}

static int damaged(struct kfi_blocks *b, const char *why)
{
	b->why = why;
	return KFI_BLOCKS_DAMAGED;
}

/* Read a number. Return: the next byte; NULL: the number is not whole, or has more than 64 bits. */
static const u8 *take_number(const u8 *p, const u8 *end, u64 *v)
{
	*v = 0;
	for (unsigned int shift = 0; p && p < end && shift < 64; shift += 7, p++) {
		if (shift == 63 && *p > 1)
			return NULL;
		*v |= (u64)(*p & 0x7f) << shift;
		if (*p < 0x80)
			return p + 1;
	}
	return NULL;
}

static const u8 *take_signed(const u8 *p, const u8 *end, u64 *v)
{
	p = take_number(p, end, v);
	*v = *v >> 1 ^ -(*v & 1);
	return p;
}

static int add_block(struct kfi_blocks *b, u64 pc, u32 insns, struct kfi_err *err)
{
	if (kfi_grow((void **)&b->block, &b->room, b->nblocks + 1, sizeof(*b->block)))
		return no_memory(b, err);
	b->block[b->nblocks++] = (struct kfi_blocks_block){ pc, insns };
	return 0;
}

/* Make room for predictions of all blocks on the current processor. */
static int grow_cpu(struct kfi_blocks *b, struct kfi_err *err)
{
	struct kfi_blocks_cpu *c;
	u32 room;

	if (b->cpu >= b->ncpus) {
		if (kfi_grow((void **)&b->per_cpu, &b->cpus_room, b->cpu + 1, sizeof(*b->per_cpu)))
			return no_memory(b, err);
		memset(b->per_cpu + b->ncpus, 0, (b->cpu + 1 - b->ncpus) * sizeof(*b->per_cpu));
		b->ncpus = b->cpu + 1;
	}
	c = &b->per_cpu[b->cpu];
	room = c->room;
	if (room >= b->nblocks)
		return 0;
	if (kfi_grow((void **)&c->next, &c->room, b->nblocks, sizeof(*c->next)))
		return no_memory(b, err);
	memset(c->next + room, 0, (c->room - room) * sizeof(*c->next));
	return 0;
}

/* Read a record. Return: 0, an item, or -errno. */
static int read_record(struct kfi_blocks *b, struct kfi_err *err)
{
	const char *s;
	const u8 *p, *end;
	u64 head, pc = 0, insns = 0;
	size_t len;
	int ret = kfi_in_peek(b->in, KFI_BLOCKS_RECORD, &s, &len, err);

	if (ret)
		return ret;
	if (!len)
		return damaged(b, NULL);
	p = (const u8 *)s;
	end = p + len;
	p = take_number(p, end, &head);
	b->kind = head & 3;
	if (b->kind == KFI_BLOCKS_STACK) {
		p = take_signed(p, end, &b->operand[0]);
		p = take_signed(p, end, &b->operand[1]);
	} else {
		p = take_number(p, end, &b->operand[0]);
	}
	if (p && b->kind == KFI_BLOCKS_RUN && b->operand[0] == b->nblocks) {
		p = take_signed(p, end, &pc);
		p = take_number(p, end, &insns);
	}
	if (!p)
		return damaged(b, len < KFI_BLOCKS_RECORD ?
				  "the trace ends in the middle of a record: copy it again" :
				  "a number has more than 64 bits: the trace is damaged");
	if (b->kind == KFI_BLOCKS_KINDS || head >> 2 > KFI_BLOCKS_PREDICTED ||
	    (b->kind == KFI_BLOCKS_RUN && (!b->operand[0] || b->operand[0] > b->nblocks)) ||
	    (b->kind == KFI_BLOCKS_CPU && b->operand[0] >= KFI_BLOCKS_CPUS) ||
	    insns > KFI_BLOCKS_INSNS)
		return damaged(b, "the record has an impossible value: the trace is damaged");
	b->predicted = (u32)(head >> 2);
	b->at += (u64)(p - (const u8 *)s);
	kfi_in_skip(b->in, (size_t)(p - (const u8 *)s));
	ret = grow_cpu(b, err);
	if (!ret && b->kind == KFI_BLOCKS_RUN && b->operand[0] == b->nblocks) {
		b->new_pc += pc;
		ret = add_block(b, b->new_pc, (u32)insns, err);
		ret = ret ? : grow_cpu(b, err);
	}
	return ret;
}

static int run_block(struct kfi_blocks *b, u32 number)
{
	const struct kfi_blocks_block *x = &b->block[number];

	b->per_cpu[b->cpu].last = number;
	b->pc = x->pc;
	b->clock = b->next_clock;
	b->next_clock += x->insns;
	return KFI_BLOCKS_BLOCK;
}

int kfi_blocks_next(struct kfi_blocks *b, struct kfi_err *err)
{
	struct kfi_blocks_cpu *c;
	u8 kind;
	int ret;

	for (;;) {
		if (likely(b->predicted)) {
			u32 next;

			c = &b->per_cpu[b->cpu];
			next = c->next[c->last];
			b->predicted--;
			return likely(next) ? run_block(b, next) :
			       damaged(b, "the record predicts a block that has not run: the trace is damaged");
		}
		kind = b->kind;
		b->kind = KFI_BLOCKS_KINDS;
		if (kind == KFI_BLOCKS_RUN) {
			c = &b->per_cpu[b->cpu];
			c->next[c->last] = (u32)b->operand[0];
			return run_block(b, (u32)b->operand[0]);
		}
		if (kind == KFI_BLOCKS_STACK) {
			b->from = b->to + b->operand[0];
			b->to = b->from + b->operand[1];
			return KFI_BLOCKS_MOVE;
		}
		if (kind == KFI_BLOCKS_CPU)
			b->cpu = (u32)b->operand[0];
		ret = read_record(b, err);
		if (ret < 0)
			return ret;
		if (ret)
			return b->why ? ret : KFI_BLOCKS_END;
	}
}

void kfi_blocks_free(struct kfi_blocks *b)
{
	for (u32 i = 0; i < b->ncpus; i++)
		free(b->per_cpu[i].next);
	free(b->per_cpu);
	free(b->block);
}
