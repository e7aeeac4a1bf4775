/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the parts of rebuild.h share: the state, and what each part does for the others.
 *
 *	rebuild.c		how a block follows the one before, and the public functions
 *	rebuild_stack.c		open calls of tasks
 *	rebuild_switch.c	to which task a cpu has switched
 *	rebuild_move.c		how far the kernel was moved
 */
#ifndef KFI_REBUILD_STATE_H
#define KFI_REBUILD_STATE_H

#include "import/rebuild.h"

/* How a call began, and what it is. */
#define KFI_FRAME_TAIL		1	/* a jump, not a call: it returns with the one below */
#define KFI_FRAME_EXCEPTION	2	/* begun by an exception, an interrupt or a system call */
#define KFI_FRAME_SWITCH	4	/* it is the function that switches stacks */
#define KFI_FRAME_THUNK		8	/* it is a thunk: what it jumps to takes its place */
#define KFI_FRAME_PLACE		16	/* it is no function: enum kfi_place */

/* Ranges of addresses that the user can name. */
#define KFI_NAMED_RANGES	64

/**
 * struct kfi_rebuild_range - addresses that the user has named
 * @from: the first
 * @to: the last
 * @func: number of its name
 * @has_run: a block has run there
 * @name: "[NAME]"
 */
struct kfi_rebuild_range {
	u64 from;
	u64 to;
	u32 func;
	bool has_run;
	char name[64];
};

/**
 * struct kfi_rebuild_frame - an open call
 * @ret: return address; 0: unknown, or there is none
 * @func: the function, NULL: a place
 * @flags: see above
 * @ctx: enum kfi_ctx
 * @at: the block that ran last before an exception, or NULL
 */
struct kfi_rebuild_frame {
	u64 ret;
	struct kfi_code_func *func;
	const struct kfi_block *at;
	u8 flags;
	u8 ctx;
};

/**
 * struct kfi_rebuild_task - a task, as far as one can tell them apart
 * @f: its open calls
 * @n: how many
 * @room: for how many there is room
 * @thread: its number for import.h
 * @left: when a cpu left it, as a number that grows; 0: it runs
 * @stack: near where its stack pointer was then, 0: unknown
 */
struct kfi_rebuild_task {
	struct kfi_rebuild_frame *f;
	u32 n;
	u32 room;
	u32 thread;
	u64 left;
	u64 stack;
};

/**
 * struct kfi_rebuild_waiting - a block whose task is not known yet
 * @ns: when
 * @pc: its address
 */
struct kfi_rebuild_waiting {
	s64 ns;
	u64 pc;
};

/**
 * struct kfi_rebuild_pick - to which task has a cpu switched?
 * @on: it is not known yet
 * @task: those that it can be
 * @ntasks: how many
 * @room: for how many there is room
 * @taken: by each of them, how many of its calls have returned since
 * @ret: return addresses of calls that were made since; where an exception began,
 *	the block before and IN_EXCEPTION
 * @nrets: how many
 * @ret_room: for how many there is room
 * @wait: the blocks since
 * @nwait: how many
 * @wait_room: for how many there is room
 *
 * Each return that belongs to none of @ret belongs to the task: a task whose next return address
 * differs is not the one.
 */
struct kfi_rebuild_pick {
	bool on;
	u32 *task;
	u32 *taken;
	u32 ntasks;
	u32 room;
	u32 taken_room;
	u64 *ret;
	u32 nrets;
	u32 ret_room;
	struct kfi_rebuild_waiting *wait;
	u32 nwait;
	u32 wait_room;
};

/**
 * struct kfi_rebuild_cpu - a processor
 * @task: the task that it runs, KFI_NONE: it has not run yet
 * @block: the block that ran last, NULL: none, or it was in a place
 * @place: that place, or KFI_PLACES
 * @range: 1 and the number of the range that it is in, 0: none
 * @program: the function of a program that it is in, NULL: none
 * @guessed: the task was one of several that were left: it may be another one of these
 * @moved: the stack pointer has moved since the function that switches stacks was entered
 * @from: from near here
 * @to: to near here
 * @left: the task that it has left, while its stack pointer is not known; else KFI_NONE
 * @pick: which task it runs
 */
struct kfi_rebuild_cpu {
	u32 task;
	const struct kfi_block *block;
	u8 place;
	u8 range;
	struct kfi_code_func *program;
	bool guessed;
	bool moved;
	u64 from;
	u64 to;
	u32 left;
	struct kfi_rebuild_pick pick;
};

/**
 * struct kfi_rebuild_early - a block that waits until it is known how far the kernel was moved
 * @ns: when
 * @pc: its address
 * @cpu: processor
 */
struct kfi_rebuild_early {
	s64 ns;
	u64 pc;
	u32 cpu;
};

/**
 * struct kfi_rebuild_move - how far KASLR has moved the kernel
 * @finding: it is not known yet
 * @by: bytes
 * @from: first address of the code of vmlinux
 * @size: bytes from there
 * @wait: blocks, from the first one in the kernel's half of the addresses on
 * @n: how many
 * @room: for how many there is room
 */
struct kfi_rebuild_move {
	bool finding;
	u64 by;
	u64 from;
	u64 size;
	struct kfi_rebuild_early *wait;
	u32 n;
	u32 room;
};

/**
 * struct kfi_rebuild - the calls
 * @im: where they go
 * @code: the code
 * @cpu: processors
 * @ncpus: how many
 * @cpu_room: for how many there is room
 * @task: tasks
 * @ntasks: how many
 * @task_room: for how many there is room
 * @places: numbers of the names of places
 * @range: what the user has named
 * @nranges: how many
 * @has_programs: the user has given ELF files
 * @near: kfi_code_near()
 * @order: counts switches
 * @started: the kernel runs at its own addresses
 * @lost: blocks are missing before the next one
 * @has_stacks: the trace says when the stack pointer goes to another stack
 * @move: how far the kernel was moved
 * @picking: the cpu whose blocks wait, KFI_NONE: none
 * @switches: of tasks
 * @guessed: those where several tasks were left
 * @jumps: tail calls
 * @resyncs: where nothing explains how a block came after the one before
 */
struct kfi_rebuild {
	struct kfi_import *im;
	struct kfi_code *code;
	struct kfi_rebuild_cpu *cpu;
	u32 ncpus;
	u32 cpu_room;
	struct kfi_rebuild_task *task;
	u32 ntasks;
	u32 task_room;
	u32 places[KFI_PLACES];
	struct kfi_rebuild_range range[KFI_NAMED_RANGES];
	u32 nranges;
	bool has_programs;
	u64 near;
	u64 order;
	bool started;
	bool lost;
	bool has_stacks;
	struct kfi_rebuild_move move;
	u32 picking;
	u64 switches;
	u64 guessed;
	u64 jumps;
	u64 resyncs;
};

/**
 * kfi_rebuild_at() - where a call or mark goes
 * @cpu: the processor
 * @ns: when
 * @ctx: enum kfi_ctx
 */
static inline struct kfi_import_at kfi_rebuild_at(u32 cpu, s64 ns, u8 ctx)
{
	return (struct kfi_import_at){ .ns = ns, .cpu = (s32)cpu, .ctx = ctx };
}

/*
 * rebuild_stack.c
 */

/**
 * kfi_rebuild_no_memory() - say that there is no memory
 * @r: the calls
 * @err: set
 *
 * Return: -ENOMEM.
 */
int kfi_rebuild_no_memory(const struct kfi_rebuild *r, struct kfi_err *err);

/**
 * kfi_rebuild_new_task() - a task that has not run before
 * @r: the calls
 * @cpu: the processor that runs it
 *
 * Return: its number, KFI_NONE: no memory.
 */
u32 kfi_rebuild_new_task(struct kfi_rebuild *r, u32 cpu);

/**
 * kfi_rebuild_func_id() - number of a function for import.h
 * @r: the calls
 * @func: the function
 *
 * Return: the number, KFI_NONE: no memory.
 */
u32 kfi_rebuild_func_id(struct kfi_rebuild *r, struct kfi_code_func *func);

/**
 * kfi_rebuild_push() - a call begins, of the task that a cpu runs
 * @r: the calls
 * @cpu: the processor
 * @ns: when
 * @func: the function, NULL: a place
 * @id: number of the name of that place
 * @ret: return address, 0: unknown, or there is none
 * @flags: KFI_FRAME_*
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_push(struct kfi_rebuild *r, u32 cpu, s64 ns, struct kfi_code_func *func, u32 id,
		     u64 ret, u8 flags, struct kfi_err *err);

/**
 * kfi_rebuild_pop_to() - the innermost calls return, of the task that a cpu runs
 * @r: the calls
 * @cpu: the processor
 * @ns: when
 * @n: how many stay open
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_pop_to(struct kfi_rebuild *r, u32 cpu, s64 ns, u32 n, struct kfi_err *err);

/**
 * kfi_rebuild_is_ret() - whether a block is where a call returns to
 * @r: the calls
 * @ret: return address of the call, 0: none
 * @pc: address of the block
 *
 * Return: true if so, also if the call was replaced by a shorter one.
 */
static inline bool kfi_rebuild_is_ret(const struct kfi_rebuild *r, u64 ret, u64 pc)
{
	return ret && ret - pc <= r->near;
}

/**
 * kfi_rebuild_find_ret() - the call that returns to an address
 * @r: the calls
 * @t: the task
 * @pc: the address
 *
 * Return: its index, @t->n: there is none within the innermost exception.
 */
u32 kfi_rebuild_find_ret(const struct kfi_rebuild *r, const struct kfi_rebuild_task *t, u64 pc);

/**
 * kfi_rebuild_find_exception() - the innermost exception
 * @t: the task
 *
 * Return: its index, @t->n: there is none.
 */
u32 kfi_rebuild_find_exception(const struct kfi_rebuild_task *t);

/**
 * kfi_rebuild_resync() - nothing explains why a block runs
 * @r: the calls
 * @cpu: the processor
 * @ns: when
 * @b: the block
 * @err: why not
 *
 * If its function is open, it was returned to in an unknown way; else it is a call of which only
 * the function is known.
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_resync(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *b,
		       struct kfi_err *err);

/**
 * kfi_rebuild_begins_exception() - whether an exception begins with a block
 * @b: the block
 *
 * Code that was called may return to any other place of such a function.
 *
 * Return: true if so.
 */
static inline bool kfi_rebuild_begins_exception(const struct kfi_block *b)
{
	return b->func->flags & KFI_CODE_EXCEPTION &&
	       (b->is_entry || b->func->flags & KFI_CODE_STUBS);
}

/**
 * kfi_rebuild_return_address() - the end of the call instruction that has really run
 * @r: the calls
 * @a: the block with the call
 * @b: the block that was called
 *
 * Return: that of a later call, if the code of the first one was patched; else that of @a.
 */
u64 kfi_rebuild_return_address(struct kfi_rebuild *r, const struct kfi_block *a,
			       const struct kfi_block *b);

/*
 * rebuild_switch.c
 */

/**
 * kfi_rebuild_switch() - a cpu returns from the function that switches stacks
 * @r: the calls
 * @cpu: the processor
 * @ns: when
 * @b: the block that it returns to
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_switch(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *b,
		       struct kfi_err *err);

/**
 * kfi_rebuild_wait() - a block runs whose task is not known
 * @r: the calls
 * @cpu: the processor, which waits
 * @ns: when
 * @pc: address of the block
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_wait(struct kfi_rebuild *r, u32 cpu, s64 ns, u64 pc, struct kfi_err *err);

/**
 * kfi_rebuild_pick() - end the waiting: of the possible tasks it is the one that was left first
 * @r: the calls
 * @cpu: the processor, which waits
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_pick(struct kfi_rebuild *r, u32 cpu, struct kfi_err *err);

/*
 * rebuild_move.c
 */

/**
 * kfi_rebuild_move_wait() - a block runs, and it is not known how far the kernel was moved
 * @r: the calls
 * @cpu: the processor
 * @ns: when
 * @pc: address of the block
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_move_wait(struct kfi_rebuild *r, u32 cpu, s64 ns, u64 pc, struct kfi_err *err);

/**
 * kfi_rebuild_moved() - find how far the kernel was moved, and let the blocks run that wait
 * @r: the calls
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_moved(struct kfi_rebuild *r, struct kfi_err *err);

/*
 * rebuild.c
 */

/**
 * kfi_rebuild_unmoved() - a block runs, at an address of vmlinux if it is in the kernel
 * @r: the calls
 * @cpu: the processor
 * @ns: when
 * @pc: address of the block
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_unmoved(struct kfi_rebuild *r, u32 cpu, s64 ns, u64 pc, struct kfi_err *err);

/**
 * kfi_rebuild_run() - a block runs, and its task is known
 * @r: the calls
 * @cpu: the processor
 * @ns: when
 * @pc: address of the block
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_run(struct kfi_rebuild *r, u32 cpu, s64 ns, u64 pc, struct kfi_err *err);

#endif /* KFI_REBUILD_STATE_H */
