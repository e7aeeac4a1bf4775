/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rebuilds the calls of a kernel from a trace of its blocks.
 *
 *	pc of each block, in the order in which they ran -> kfi_rebuild_block()
 *	  -> the end of the block before (code.h) says what happened between the two
 *	  -> kfi_import_enter(), _exit(), _switch() (import.h)
 *
 * The events are:
 *	call		the block before ends in a call; the return address is kept
 *	return		it ends in a return, and this block is at a return address that is kept
 *	tail call	it ends in a jump, and this block begins another function: a call below
 *			the one that jumped; both return at once
 *	exception	this block begins code for exceptions, and the block before does not jump
 *			there: a call that ends with the instruction that returns from exceptions
 *	switch		a return from the function that switches stacks
 *
 * A trace may tell when the stack pointer moves to another stack. Then the task of a switch is the
 * one that was left on that stack. Otherwise it is a task with the return addresses that the code
 * returns to. Blocks wait until only one task is possible, or until the task does not matter. See
 * struct kfi_rebuild_pick in rebuild_state.h.
 *
 * Code outside of vmlinux has one name for each kind of place (enum kfi_place). Each visit to such
 * code counts as one call. Called by qemu.c.
 */
#ifndef KFI_REBUILD_H
#define KFI_REBUILD_H

#include "import/code.h"
#include "import/import.h"

struct kfi_rebuild;

/**
 * kfi_rebuild_open() - prepare to rebuild calls
 * @r: set to the new state
 * @im: the input
 * @code: the code of the kernel; must outlive @r
 * @err: set to the reason of a failure
 *
 * Return: 0 or -ENOMEM. On success kfi_rebuild_close() must follow.
 */
int kfi_rebuild_open(struct kfi_rebuild **r, struct kfi_import *im, struct kfi_code *code,
		     struct kfi_err *err);

/**
 * kfi_rebuild_ranges() - name addresses that are not in the code of the kernel
 * @r: the calls
 * @text: "NAME=FROM-TO", several with commas, or "@FILE" with one a line; NULL: none
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_ranges(struct kfi_rebuild *r, const char *text, struct kfi_err *err);

/**
 * kfi_rebuild_programs() - read modules and programs that were also in memory
 * @r: the calls
 * @text: "FILE=ADDRESS", several with commas, or "@FILE" with one a line; NULL: none
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_programs(struct kfi_rebuild *r, const char *text, struct kfi_err *err);

/**
 * kfi_rebuild_kaslr() - set how far the kernel was moved from the addresses of vmlinux
 * @r: the calls
 * @text: bytes in hex; NULL: find it from the first blocks
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_kaslr(struct kfi_rebuild *r, const char *text, struct kfi_err *err);

/**
 * kfi_rebuild_block() - add a block that runs
 * @r: the calls
 * @cpu: processor, from 0; 0 if the trace does not tell
 * @ns: time
 * @pc: its address
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_block(struct kfi_rebuild *r, u32 cpu, s64 ns, u64 pc, struct kfi_err *err);

/**
 * kfi_rebuild_stack() - move the stack pointer of a processor to another stack
 * @r: the calls
 * @cpu: processor
 * @from: value near which it was
 * @to: value near which it is
 * @err: set to the reason of a failure
 *
 * A trace that tells of such a move does so before the caller of the function that switches stacks
 * returns.
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_stack(struct kfi_rebuild *r, u32 cpu, u64 from, u64 to, struct kfi_err *err);

/**
 * kfi_rebuild_lost() - skip a place where blocks are missing
 * @r: the calls
 * @err: set to the reason of a failure
 *
 * Open calls stay open until code returns to them.
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_lost(struct kfi_rebuild *r, struct kfi_err *err);

/**
 * kfi_rebuild_end() - end the trace, and note what could not be found out
 * @r: the calls
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_end(struct kfi_rebuild *r, struct kfi_err *err);

/**
 * kfi_rebuild_close() - free the memory
 * @r: the calls, or NULL
 */
void kfi_rebuild_close(struct kfi_rebuild *r);

#endif /* KFI_REBUILD_H */
