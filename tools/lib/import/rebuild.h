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
 * Such a trace has no stack pointer, so it does not say to which task a switch goes: it is one
 * whose return addresses are those that the code returns to. Blocks wait until only one is left, or
 * until it does not matter. See struct kfi_rebuild_pick in rebuild_state.h.
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
 * kfi_rebuild_lost() - blocks are missing here
 * @r: the calls
 *
 * What is open stays open until code returns to it.
 */
void kfi_rebuild_lost(struct kfi_rebuild *r);

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
