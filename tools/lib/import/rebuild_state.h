/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State and functions that the parts of rebuild.h share.
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
 * struct kfi_rebuild_task - a task, as far as tasks can be told apart
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
 * struct kfi_rebuild_pick - the tasks to which a cpu may have switched
 * @on: the task is not known yet
 * @task: the tasks that are possible
 * @ntasks: how many
 * @room: for how many there is room
 * @taken: by task, how many of its calls have returned since
 * @ret: return addresses of calls that were made since; where an exception began,
 *	the block before and IN_EXCEPTION
 * @nrets: how many
 * @ret_room: for how many there is room
 * @wait: the blocks since
 * @nwait: how many
 * @wait_room: for how many there is room
 *
 * A return to an address that is not in @ret is one of the task. So a task whose next return
 * address differs is not possible.
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
 * @guessed: several tasks were possible, so it may be another one of them
 * @moved: the stack pointer has moved since the function that switches stacks was entered
 * @from: the stack pointer before it moved, or near that
 * @to: the stack pointer after it moved, or near that
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
 * @guessed: switches of which several tasks were possible
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
 * kfi_rebuild_at() - make the time and place of a call or mark, for import.h
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
 * kfi_rebuild_no_memory() - set the error that there is no memory
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
 * Return: its number, KFI_NONE: no memory.
 */
u32 kfi_rebuild_new_task(struct kfi_rebuild *r, u32 cpu);

/**
 * kfi_rebuild_func_id() - return the number that import.h has for a function
 * @r: the calls
 * @func: the function
 *
 * Return: the number, KFI_NONE: no memory.
 */
u32 kfi_rebuild_func_id(struct kfi_rebuild *r, struct kfi_code_func *func);

/**
 * kfi_rebuild_push() - begin a call of the task that a cpu runs
 * @r: the calls
 * @cpu: the processor
 * @ns: when
 * @func: the function, NULL: a place
 * @id: number of the name of that place
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
 * @n: how many stay open
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
 * Return: true if so, also if the call was replaced by a shorter one.
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
 * Return: its index, @t->n: there is none within the innermost exception.
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
 * If a call of the block's function is open, the code has returned to it in an unknown way. Else
 * the block begins a call of which only the function is known.
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_resync(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *b,
		       struct kfi_err *err);

/**
 * kfi_rebuild_begins_exception() - check whether a block begins an exception
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
 * kfi_rebuild_return_address() - find the end of the call instruction that has really run
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
 * kfi_rebuild_switch() - switch the task of a cpu, at the return of the function that does it
 * @r: the calls
 * @cpu: the processor
 * @ns: when
 * @b: the block that it returns to
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_switch(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *b,
		       struct kfi_err *err);

/**
 * kfi_rebuild_wait() - keep a block of a cpu whose task is not known yet
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
 * kfi_rebuild_pick() - take the possible task that was left first, and stop waiting
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
 * kfi_rebuild_move_wait() - keep a block until it is known how far the kernel was moved
 * @r: the calls
 * @cpu: the processor
 * @ns: when
 * @pc: address of the block
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_move_wait(struct kfi_rebuild *r, u32 cpu, s64 ns, u64 pc, struct kfi_err *err);

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
 * kfi_rebuild_unmoved() - run a block; in the kernel its address is that of vmlinux
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
