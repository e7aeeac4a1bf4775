/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace of blocks as the QEMU plugin writes it (tools/qemu): every block that ran, in order, with
 * its number of instructions, and when the stack pointer went to another stack.
 *
 *	KFI blocks 1 TARGET		a line; TARGET as QEMU has it: x86_64, aarch64, ...
 *	record...			up to the end of the file
 *
 * A record is numbers. A number has seven bits in each byte, the lowest first, and the eighth bit
 * in all bytes but the last; a signed one is (n << 1) ^ (n >> 63). The first is N << 2 | KIND: N
 * blocks ran as predicted, and then
 *
 *	KFI_BLOCKS_RUN	NUMBER	this block. A number that is one more than the largest so far is a
 *			new block: its address follows, signed and less that of the new block
 *			before, and its instructions
 *	KFI_BLOCKS_CPU	CPU	from here on blocks are those of this processor; first 0
 *	KFI_BLOCKS_STACK FROM TO	the stack pointer was near FROM and now is near TO; both
 *			signed, FROM less the TO before, TO less FROM
 *
 * Prediction: the next block is the one that ran after this block the last time, on the same
 * processor. So most records stand for many blocks. Numbers count from 1; block 0 is before the
 * first one.
 *
 * blocks.c reads such a trace; qemu.c makes calls of it.
 */
#ifndef KFI_BLOCKS_H
#define KFI_BLOCKS_H

#include "err.h"
#include "hash.h"
#include "in.h"
#include "kfi_port_host.h"

#define KFI_BLOCKS_MAGIC	"KFI blocks 1 "

enum kfi_blocks_kind {
	KFI_BLOCKS_RUN,
	KFI_BLOCKS_CPU,
	KFI_BLOCKS_STACK,
	KFI_BLOCKS_KINDS
};

/* No record has more predicted blocks, so that a short file cannot stand for a very long trace. */
#define KFI_BLOCKS_PREDICTED	4096

/* No record has more bytes. */
#define KFI_BLOCKS_RECORD	64

/* No block has more instructions: QEMU has 512. */
#define KFI_BLOCKS_INSNS	4096

#define KFI_BLOCKS_CPUS		1024

/**
 * kfi_blocks_put() - write a number
 * @p: where to; at most 10 bytes
 * @v: the number
 *
 * Return: behind it.
 */
static inline u8 *kfi_blocks_put(u8 *p, u64 v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (u8)v | 0x80;
	*p++ = (u8)v;
	return p;
}

/**
 * kfi_blocks_put_signed() - write a signed number
 * @p: where to; at most 10 bytes
 * @v: the number
 *
 * Return: behind it.
 */
static inline u8 *kfi_blocks_put_signed(u8 *p, s64 v)
{
	return kfi_blocks_put(p, (u64)v << 1 ^ (u64)(v >> 63));
}

/**
 * struct kfi_blocks_block - a block
 * @pc: its address
 * @insns: its instructions
 */
struct kfi_blocks_block {
	u64 pc;
	u32 insns;
};

/**
 * struct kfi_blocks_cpu - a processor
 * @next: by number of a block: the one that ran after it when it ran last, 0: none
 * @room: for how many blocks there is room
 * @last: number of the block that ran last
 */
struct kfi_blocks_cpu {
	u32 *next;
	u32 room;
	u32 last;
};

/**
 * struct kfi_blocks - a trace that is read; the caller uses the fields up to @why
 * @cpu: the processor of the item
 * @pc: address of the block
 * @clock: instructions before the block, of all processors
 * @from: the stack pointer before
 * @to: the stack pointer
 * @why: why the rest cannot be read
 * @in: the input
 * @at: bytes that have been read
 * @block: blocks by number
 * @nblocks: how many, with block 0
 * @room: for how many there is room
 * @per_cpu: by processor
 * @ncpus: how many
 * @cpus_room: for how many there is room
 * @predicted: predicted blocks that are still to be delivered
 * @next_clock: instructions up to the next block
 * @new_pc: address of the newest block
 * @kind: what comes behind the predicted blocks, KFI_BLOCKS_KINDS: a record is to be read
 * @value: of that
 * @value2: its second number
 */
struct kfi_blocks {
	u32 cpu;
	u64 pc;
	u64 clock;
	u64 from;
	u64 to;
	const char *why;
	struct kfi_in *in;
	u64 at;
	struct kfi_blocks_block *block;
	u32 nblocks;
	u32 room;
	struct kfi_blocks_cpu *per_cpu;
	u32 ncpus;
	u32 cpus_room;
	u32 predicted;
	u64 next_clock;
	u64 new_pc;
	u8 kind;
	u64 value;
	u64 value2;
};

/* What kfi_blocks_next() delivers. */
enum kfi_blocks_item {
	KFI_BLOCKS_END,
	KFI_BLOCKS_BLOCK,
	KFI_BLOCKS_MOVE,
	KFI_BLOCKS_DAMAGED,
};

/**
 * kfi_blocks_init() - begin to read a trace of blocks
 * @b: filled
 * @in: the input, behind its first line
 *
 * Return: 0 or -ENOMEM. kfi_blocks_free() must follow in any case.
 */
int kfi_blocks_init(struct kfi_blocks *b, struct kfi_in *in);

/**
 * kfi_blocks_next() - read the next block, or move of a stack pointer
 * @b: the trace: @b->cpu, @b->pc and @b->clock are set, or @b->cpu, @b->from and @b->to
 * @err: set to the reason of a failure
 *
 * Return: enum kfi_blocks_item; KFI_BLOCKS_DAMAGED: the rest cannot be read, and @b->why says why
 * and @b->at where; or -errno.
 */
int kfi_blocks_next(struct kfi_blocks *b, struct kfi_err *err);

/**
 * kfi_blocks_free() - free the memory
 * @b: the trace, or zeroes
 */
void kfi_blocks_free(struct kfi_blocks *b);

#endif /* KFI_BLOCKS_H */
