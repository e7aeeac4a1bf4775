/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The shadow stack of a task: its open calls, the interrupts that run on top of it included.
 *
 *	frame[0] frame[1] ... frame[depth - 1]   then frames that nobody uses, each with child == 0
 *	\_ the task's _/ \_ an interrupt's _/
 *
 * Written by the task, and by the interrupts and NMIs on its cpu, which push and pop evenly above
 * what they interrupted. So a push reserves first and fills then, and a pop reads first and frees
 * then, and plain loads and stores do.
 */
#ifndef KFI_STACK_H
#define KFI_STACK_H

#include "kfi_abi.h"
#include "kfi_port.h"

/* Frames of a shadow stack: with these it fits two 4 KiB pages on 64-bit machines. */
#define KFI_STACK_DEPTH		200

/**
 * struct kfi_frame - an open call
 * @entry: raw clock count at entry; 0: the clock did not run
 * @child: raw counts spent in the calls below, interrupts included; 0 whenever the frame is free
 * @func: address of the function
 * @site: address of the call site
 */
struct kfi_frame {
	u64 entry;
	u64 child;
	unsigned long func;
	unsigned long site;
};

/**
 * struct kfi_stack - a shadow stack
 * @run: id of the run whose calls are on it; 0: of none
 * @depth: open calls; runs on past KFI_STACK_DEPTH while calls are too deep to be kept
 * @pid: pid of its task, as of the first push in this run
 * @ctx: enum kfi_ctx of each frame
 * @frame: the open calls
 */
struct kfi_stack {
	u32 run;
	u32 depth;
	u32 pid;
	u8 ctx[KFI_STACK_DEPTH];
	struct kfi_frame frame[KFI_STACK_DEPTH];
};

/**
 * kfi_stack_begin() - Make a stack empty, for a run.
 * @s: the stack; it holds nothing of this run
 * @run: id of the run, not 0
 * @pid: pid of its task
 *
 * Context: the task itself or an interrupt on top of it. An interrupt that comes in the middle begins
 * the stack itself, pushes, pops, and leaves it as empty as it is made here.
 */
void kfi_stack_begin(struct kfi_stack *s, u32 run, u32 pid);

/**
 * kfi_stack_find() - Which frame does an exit belong to that is not on top?
 * @s: the stack
 * @func: the function that returns
 * @ctx: context it returns in: calls that it interrupted are out of reach
 *
 * Context: the task itself or an interrupt on top of it.
 * Return: the frame's index + 1, or 0 if the entry was not seen.
 */
u32 kfi_stack_find(const struct kfi_stack *s, unsigned long func, unsigned int ctx);

#endif /* KFI_STACK_H */
