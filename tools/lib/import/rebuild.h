/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls of a kernel from a trace of its blocks.
 *
 *	pc of each block, in the order in which they ran -> kfi_rebuild_block()
 *	  -> the end of the block before (code.h) says what happened between the two
 *	  -> kfi_import_enter(), _exit(), _switch() (import.h)
 *
 * What happened:
 *	call		the block before ends in a call; the return address is kept
 *	return		it ends in a return, and this block is at a return address that is kept
 *	tail call	it ends in a jump, and this block begins another function: a call below
 *			the one that jumped; both return at once
 *	exception	this block begins code for exceptions, and the one before does not go
 *			there: a call that the instruction that returns from exceptions ends
 *	switch		a return from the function that switches stacks
 *
 * To which task does a switch go? A trace may say when the stack pointer moves to another stack: it
 * is the task that was left there. Else it is one whose return addresses are those that the code
 * returns to. Blocks wait until only one is left, or until it does not matter. See struct
 * kfi_rebuild_pick in rebuild_state.h.
 *
 * Code outside of vmlinux has one name for each kind of place (enum kfi_place), and counts as one
 * call for each stay. Called by qemu.c.
 */
#ifndef KFI_REBUILD_H
#define KFI_REBUILD_H

#include "import/code.h"
#include "import/import.h"

struct kfi_rebuild;

/**
 * kfi_rebuild_open() - begin
 * @r: set to it
 * @im: the input
 * @code: the code of the kernel; must outlive @r
 * @err: why not
 *
 * Return: 0 or -ENOMEM. On success kfi_rebuild_close() must follow.
 */
int kfi_rebuild_open(struct kfi_rebuild **r, struct kfi_import *im, struct kfi_code *code,
		     struct kfi_err *err);

/**
 * kfi_rebuild_ranges() - name addresses that are not in the code of the kernel
 * @r: the calls
 * @text: "NAME=FROM-TO", several with commas, or "@FILE" with one a line; NULL: none
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_ranges(struct kfi_rebuild *r, const char *text, struct kfi_err *err);

/**
 * kfi_rebuild_programs() - read modules and programs that were in memory, too
 * @r: the calls
 * @text: "FILE=ADDRESS", several with commas, or "@FILE" with one a line; NULL: none
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_programs(struct kfi_rebuild *r, const char *text, struct kfi_err *err);

/**
 * kfi_rebuild_kaslr() - say how far the kernel was moved from the addresses of vmlinux
 * @r: the calls
 * @text: bytes in hex; NULL: the first blocks show it
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_kaslr(struct kfi_rebuild *r, const char *text, struct kfi_err *err);

/**
 * kfi_rebuild_block() - a block runs
 * @r: the calls
 * @cpu: processor, from 0; those of a trace that does not say it are 0
 * @ns: when
 * @pc: its address
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_block(struct kfi_rebuild *r, u32 cpu, s64 ns, u64 pc, struct kfi_err *err);

/**
 * kfi_rebuild_stack() - the stack pointer of a processor is on another stack
 * @r: the calls
 * @cpu: processor
 * @from: near where it was
 * @to: near where it is
 * @err: why not
 *
 * A trace that says so does it at the latest when the code returns from the function to which the
 * function that switches stacks has returned.
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_stack(struct kfi_rebuild *r, u32 cpu, u64 from, u64 to, struct kfi_err *err);

/**
 * kfi_rebuild_lost() - blocks are missing here
 * @r: the calls
 * @err: why not
 *
 * What is open stays open until code returns to it.
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_lost(struct kfi_rebuild *r, struct kfi_err *err);

/**
 * kfi_rebuild_end() - the trace is over: says what could not be known
 * @r: the calls
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_rebuild_end(struct kfi_rebuild *r, struct kfi_err *err);

/**
 * kfi_rebuild_close() - give back the memory
 * @r: the calls, or NULL
 */
void kfi_rebuild_close(struct kfi_rebuild *r);

#endif /* KFI_REBUILD_H */
