/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State and functions that the files behind rebuild.h share.
 *
 *	rebuild.c		how a block follows the one before, and the public functions
 *	rebuild_stack.c		open calls of tasks
 *	rebuild_switch.c	to which task a cpu has switched
 *	rebuild_move.c		how far the kernel was moved
 */
#ifndef KFI_REBUILD_STATE_H
#define KFI_REBUILD_STATE_H

#include "import/rebuild.h"

/* Flags of a call: how it began, and what it is. */
#define KFI_FRAME_TAIL		1	/* a jump, not a call: it returns with the call below */
#define KFI_FRAME_EXCEPTION	2	/* begun by an exception, an interrupt or a system call */
#define KFI_FRAME_SWITCH	4	/* it is the function that switches stacks */
#define KFI_FRAME_THUNK		8	/* a thunk: the function that it jumps to takes its place */
#define KFI_FRAME_PLACE		16	/* not a function but an enum kfi_place */

/* Number of ranges of addresses that the user can name. */
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
 * @func: the function, NULL: an enum kfi_place
 * @flags: KFI_FRAME_*
 * @ctx: enum kfi_ctx
 * @at: exception: the block that ran last before it, or NULL
 */
struct kfi_rebuild_frame {
	u64 ret;
	struct kfi_code_func *func;
	const struct kfi_block *at;
	u8 flags;
	u8 ctx;
};

/**
 * struct kfi_rebuild_task - a task that can be told apart from others
 * @f: its open calls
 * @n: how many
 * @room: for how many there is room
 * @thread: its number in import.h
 * @left: number of the switch that left it; 0: it runs
 * @stack: value near which its stack pointer was then, 0: unknown
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
 * @ns: time
 * @pc: its address
 */
struct kfi_rebuild_waiting {
	s64 ns;
	u64 pc;
};

/**
 * struct kfi_rebuild_pick - the tasks to which a cpu may have switched
 * @is_active: the task is not known yet
 * @task: the tasks that are possible
 * @ntasks: how many
 * @room: for how many there is room
 * @nreturned: by task: number of its calls that have returned since the switch
 * @ret: return addresses of calls made since the switch; where an exception began, the block before
 *	it and IN_EXCEPTION
 * @nrets: how many
 * @ret_room: for how many there is room
 * @wait: blocks since the switch
 * @nwait: how many
 * @wait_room: for how many there is room
 *
 * A return to an address that is not in @ret ends a call of the task. So a task whose next return
 * address differs is not possible.
 */
struct kfi_rebuild_pick {
	bool is_active;
	u32 *task;
	u32 *nreturned;
	u32 ntasks;
	u32 room;
	u32 nreturned_room;
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
 * @block: the latest block, NULL: none, or it was outside of vmlinux
 * @place: enum kfi_place of the latest block, or KFI_PLACES
 * @range: 1 + the number of the range that contains the latest block, 0: none
 * @program: function of a program that contains the latest block, NULL: none
 * @guessed: several tasks were possible, so @task may be wrong
 * @moved: the stack pointer has moved since the function that switches stacks was entered
 * @from: value near which the stack pointer was before it moved
 * @to: value near which the stack pointer is after it moved
 * @left: the task that it has left, until the stack pointer of that task is known; else KFI_NONE
 * @pick: tasks that it may run
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
 * struct kfi_rebuild_early - a block, or a change of stacks, that is kept until it is known how far
 * the kernel was moved
 * @ns: time of a block
 * @pc: address of a block; of a change the @to of kfi_rebuild_stack()
 * @from: the @from of kfi_rebuild_stack()
 * @cpu: processor
 * @is_stack: it is a change of stacks
 */
struct kfi_rebuild_early {
	s64 ns;
	u64 pc;
	u64 from;
	u32 cpu;
	bool is_stack;
};

/**
 * struct kfi_rebuild_move - how far KASLR has moved the kernel
 * @is_searching: the offset is not known yet
 * @offset: difference between the addresses of the trace and those of vmlinux
 * @from: lowest address of the code of vmlinux
 * @size: number of bytes from @from
 * @wait: the first blocks at kernel addresses
 * @n: how many
 * @room: for how many there is room
 * @changes: how many of them are not the same as the block before
 * @repeats: how often the last block has run again
 */
struct kfi_rebuild_move {
	bool is_searching;
	u64 offset;
	u64 from;
	u64 size;
	struct kfi_rebuild_early *wait;
	u32 n;
	u32 room;
	u32 changes;
	u32 repeats;
};

/**
 * struct kfi_rebuild - state of rebuilding
 * @im: the input, which gets the calls
 * @code: the code
 * @cpu: processors
 * @ncpus: how many
 * @cpu_room: for how many there is room
 * @task: tasks
 * @ntasks: how many
 * @task_room: for how many there is room
 * @places: by enum kfi_place: number of its name
 * @range: ranges that the user has named
 * @nranges: how many
 * @has_programs: the user has given ELF files
 * @near: kfi_code_near()
 * @order: number of switches so far, for @left of tasks
 * @started: the kernel runs at the addresses that it was linked for
 * @lost: blocks are missing before the next one
 * @boot: address of start_kernel, U64_MAX: unknown
 * @boots: how often it has run
 * @has_stacks: the trace tells when the stack pointer moves to another stack
 * @move: how far the kernel was moved
 * @waiting_cpu: the CPU whose blocks wait, KFI_NONE: none
 * @switches: number of switches of tasks
 * @guessed: number of switches for which several tasks were possible
 * @jumps: number of tail calls
 * @resyncs: number of blocks of which nothing explains how they follow the block before
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
	u64 boot;
	u64 boots;
	bool has_stacks;
	struct kfi_rebuild_move move;
	u32 waiting_cpu;
	u64 switches;
	u64 guessed;
	u64 jumps;
	u64 resyncs;
};

/**
 * kfi_rebuild_at() - make the time and place of a call or mark, for import.h
 * @cpu: the processor
 * @ns: time
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
 * kfi_rebuild_no_memory() - set the error for a failed allocation
 * @r: the calls
 * @err: set
 *
 * Return: -ENOMEM.
 */
int kfi_rebuild_no_memory(const struct kfi_rebuild *r, struct kfi_err *err);

/**
 * kfi_rebuild_new_task() - add a task that has not run before
 * @r: the calls
 * @cpu: the processor that runs it
 *
 * Return: its number, KFI_NONE: out of memory.
 */
u32 kfi_rebuild_new_task(struct kfi_rebuild *r, u32 cpu);

/**
 * kfi_rebuild_func_id() - return the number that import.h has for a function
 * @r: the calls
 * @func: the function
 *
 * Return: the number, KFI_NONE: out of memory.
 */
u32 kfi_rebuild_func_id(struct kfi_rebuild *r, struct kfi_code_func *func);

/**
 * kfi_rebuild_push() - begin a call of the task that a cpu runs
 * @r: the calls
 * @cpu: the processor
 * @ns: time
 * @func: the function, NULL: code outside of vmlinux
 * @id: number of the name of such code
 * @ret: return address, 0: unknown, or there is none
 * @flags: KFI_FRAME_*
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_push(struct kfi_rebuild *r, u32 cpu, s64 ns, struct kfi_code_func *func, u32 id,
		     u64 ret, u8 flags, struct kfi_err *err);

/**
 * kfi_rebuild_pop_to() - end the innermost calls of the task that a cpu runs
 * @r: the calls
 * @cpu: the processor
 * @ns: when
 * @n: number of calls that stay open
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_pop_to(struct kfi_rebuild *r, u32 cpu, s64 ns, u32 n, struct kfi_err *err);

/**
 * kfi_rebuild_is_ret() - check whether a call returns to a block
 * @r: the calls
 * @ret: return address of the call, 0: none
 * @pc: address of the block
 *
 * Return: true if so, also if a shorter call has replaced the call.
 */
static inline bool kfi_rebuild_is_ret(const struct kfi_rebuild *r, u64 ret, u64 pc)
{
	return ret && ret - pc <= r->near;
}

/**
 * kfi_rebuild_find_ret() - find the call that returns to an address
 * @r: the calls
 * @t: the task
 * @pc: the address
 *
 * Return: its index, @t->n: none within the innermost exception.
 */
u32 kfi_rebuild_find_ret(const struct kfi_rebuild *r, const struct kfi_rebuild_task *t, u64 pc);

/**
 * kfi_rebuild_find_exception() - find the innermost exception
 * @t: the task
 *
 * Return: its index, @t->n: there is none.
 */
u32 kfi_rebuild_find_exception(const struct kfi_rebuild_task *t);

/**
 * kfi_rebuild_resync() - close or open calls so that they fit a block that nothing explains
 * @r: the calls
 * @cpu: the processor
 * @ns: when
 * @b: the block
 * @err: set to the reason of a failure
 *
 * If a call of the block's function is open, the code has returned to it in an unknown way.
 * Otherwise the block begins a call, of which only the function is known.
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_resync(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *b,
		       struct kfi_err *err);

/**
 * kfi_rebuild_begins_exception() - check whether a block begins an exception
 * @b: the block
 *
 * A return of a call may lead to any other place in such a function.
 *
 * Return: true if so.
 */
static inline bool kfi_rebuild_begins_exception(const struct kfi_block *b)
{
	return b->func->flags & KFI_CODE_EXCEPTION &&
	       (b->is_entry || b->func->flags & KFI_CODE_STUBS);
}

/**
 * kfi_rebuild_return_address() - find the end of the call instruction that really ran
 * @r: the calls
 * @a: the block with the call
 * @b: the block that was called
 *
 * Return: the end of a later call instruction, if the first one was patched; else the end of @a.
 */
u64 kfi_rebuild_return_address(struct kfi_rebuild *r, const struct kfi_block *a,
			       const struct kfi_block *b);

/*
 * rebuild_switch.c
 */

/**
 * kfi_rebuild_switch() - switch the task of a CPU, when the function that switches stacks returns
 * @r: the calls
 * @cpu: the processor
 * @ns: when
 * @b: the block to which it returns
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_switch(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *b,
		       struct kfi_err *err);

/**
 * kfi_rebuild_wait() - keep a block of a CPU whose task is not known yet
 * @r: the calls
 * @cpu: the processor, which waits
 * @ns: when
 * @pc: address of the block
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_wait(struct kfi_rebuild *r, u32 cpu, s64 ns, u64 pc, struct kfi_err *err);

/**
 * kfi_rebuild_pick() - choose the possible task that was left first, and stop waiting
 * @r: the calls
 * @cpu: the processor, which waits
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_pick(struct kfi_rebuild *r, u32 cpu, struct kfi_err *err);

/*
 * rebuild_move.c
 */

/**
 * kfi_rebuild_move_wait() - keep a block, or a change of stacks, until the offset is known
 * @r: the calls
 * @early: what is kept
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_move_wait(struct kfi_rebuild *r, const struct kfi_rebuild_early *early,
			  struct kfi_err *err);

/**
 * kfi_rebuild_moved() - find how far the kernel was moved, and run the blocks that wait
 * @r: the calls
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_moved(struct kfi_rebuild *r, struct kfi_err *err);

/*
 * rebuild.c
 */

/**
 * kfi_rebuild_unmoved() - run a block whose address is that of vmlinux if it is in the kernel
 * @r: the calls
 * @cpu: the processor
 * @ns: when
 * @pc: address of the block
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_unmoved(struct kfi_rebuild *r, u32 cpu, s64 ns, u64 pc, struct kfi_err *err);

/**
 * kfi_rebuild_run() - run a block whose task is known
 * @r: the calls
 * @cpu: the processor
 * @ns: when
 * @pc: address of the block
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_run(struct kfi_rebuild *r, u32 cpu, s64 ns, u64 pc, struct kfi_err *err);

#endif /* KFI_REBUILD_STATE_H */
