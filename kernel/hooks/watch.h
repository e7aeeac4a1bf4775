/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Watching how much of the kernel stack is left: when a function is entered with fewer bytes free
 * than a limit, the calls that are open on its shadow stack are put into the log, whatever the
 * filters say. Rows of a watch are no calls, and count as none.
 */
#ifndef KFI_WATCH_H
#define KFI_WATCH_H

#include "core/call.h"

#define KFI_WATCH_ELSEWHERE	U32_MAX	/* not on the stack of the current task */

/**
 * kfi_watch_init() - Set the watch of a run.
 * @run: the run
 * @kind: what is watched, if anything
 * @bytes: the limit; 0: none, the first function entered is the lowest so far
 *
 * Context: before the run is published.
 */
void kfi_watch_init(struct kfi_run *run, enum kfi_conf_watch kind, u32 bytes);

/**
 * kfi_watch_limit() - With how many bytes free is a function reported?
 * @run: the run
 *
 * Context: any.
 * Return: with fewer than these; with KFI_WATCH_WORST the fewest seen; U32_MAX: none seen yet.
 */
u32 kfi_watch_limit(const struct kfi_run *run);

/**
 * kfi_watch_enter() - A function was entered while a watch is set.
 * @run: the live run, triggered
 * @cpu: this cpu
 * @cpunr: its number
 * @s: shadow stack of the current task, with the call on it, unless that is too deep
 * @call: the call: its function, call site and context; what else there is, is filled in here
 * @left: bytes free on the kernel stack, or KFI_WATCH_ELSEWHERE
 *
 * Reports each call once as long as the stack does not get higher: @s->watched says how many of the
 * calls on it have been.
 * Context: any; the caller stays on its cpu.
 */
void kfi_watch_enter(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, struct kfi_stack *s,
		     struct kfi_event *call, u32 left);

#endif /* KFI_WATCH_H */
