/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace of blocks as the QEMU plugin writes it (tools/qemu). It has every block that ran, in
 * order, with its number of instructions, and each move of the stack pointer to another stack.
 *
 *	KFI blocks 1 TARGET		a line; TARGET is QEMU's name: x86_64, aarch64, ...
 *	record...			up to the end of the file
 *
 * A record consists of numbers. A number has seven bits in each byte, the lowest first; the eighth
 * bit is set in all bytes except the last. A signed number is (n << 1) ^ (n >> 63). The first
 * number of a record is N << 2 | KIND: N blocks ran as predicted, and then
 *
 *	KFI_BLOCKS_RUN	NUMBER	this block ran. One more than the largest number so far is a
 *			new block: its address follows, signed and less that of the new block
 *			before, and its instructions
 *	KFI_BLOCKS_CPU	CPU	from here on blocks are those of this processor; first 0
 *	KFI_BLOCKS_STACK FROM TO	the stack pointer was near FROM and now is near TO; both
 *			signed, FROM less the TO before, TO less FROM
 *
 * Prediction: the next block is the one that ran after this block the last time, on the same
 * processor. So most records stand for many blocks. Blocks are numbered from 1; block 0 stands
 * before the first block.
 *
 * blocks.c reads such a trace; qemu.c rebuilds calls from it.
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

/*
 * Limit of predicted blocks in a record, so that a short file cannot stand for a very long trace.
 */
#define KFI_BLOCKS_PREDICTED	4096

/* Limit of the size of a record in bytes. */
#define KFI_BLOCKS_RECORD	64

/* Limit of instructions in a block. QEMU's is 512. */
#define KFI_BLOCKS_INSNS	4096

#define KFI_BLOCKS_CPUS		1024

/**
 * kfi_blocks_put() - write a number
 * @p: where to write; at most 10 bytes
 * @v: the number
 *
 * Return: the next byte.
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
 * @p: where to write; at most 10 bytes
 * @v: the number
 *
 * Return: the next byte.
 */
static inline u8 *kfi_blocks_put_signed(u8 *p, s64 v)
{
	return kfi_blocks_put(p, (u64)v << 1 ^ (u64)(v >> 63));
}

/**
 * struct kfi_blocks_block - a block of code
 * @pc: its address
 * @insns: number of its instructions
 */
struct kfi_blocks_block {
	u64 pc;
	u32 insns;
};

/**
 * struct kfi_blocks_cpu - a processor
 * @next: by number of a block: the block that ran after it the last time, 0: none
 * @room: number of blocks for which @next has room
 * @last: number of the latest block
 */
struct kfi_blocks_cpu {
	u32 *next;
	u32 room;
	u32 last;
};

/**
 * struct kfi_blocks - a trace that is being read; the caller uses the members up to @why
 * @cpu: the processor of the item
 * @pc: address of the block
 * @clock: number of instructions before the block, on all processors
 * @from: value near which the stack pointer was
 * @to: value near which the stack pointer is
 * @why: reason why the rest cannot be read
 * @in: the input
 * @at: number of bytes that have been read
 * @block: by number: the blocks
 * @nblocks: number of blocks, including block 0
 * @room: for how many there is room
 * @per_cpu: by number: the processors
 * @ncpus: number of processors
 * @cpus_room: for how many there is room
 * @predicted: number of predicted blocks that have not been delivered
 * @next_clock: @clock of the next block
 * @new_pc: address of the newest block
 * @kind: KFI_BLOCKS_* of the record behind the predicted blocks; KFI_BLOCKS_KINDS: read a record
 * @operand: numbers of that record
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
	u64 operand[2];
};

/* Items that kfi_blocks_next() delivers. */
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
 * kfi_blocks_next() - read the next block or move of a stack pointer
 * @b: the trace: @b->cpu, @b->pc and @b->clock are set, or @b->cpu, @b->from and @b->to
 * @err: set to the reason of a failure
 *
 * Return: enum kfi_blocks_item; -errno. With KFI_BLOCKS_DAMAGED the rest cannot be read: @b->why
 * says why, and @b->at where.
 */
int kfi_blocks_next(struct kfi_blocks *b, struct kfi_err *err);

/**
 * kfi_blocks_free() - free the memory
 * @b: the trace, or zeroes
 */
void kfi_blocks_free(struct kfi_blocks *b);

#endif /* KFI_BLOCKS_H */
