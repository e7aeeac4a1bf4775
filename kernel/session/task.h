/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The shadow stacks of all tasks: who has one, and what is still open on them.
 */
#ifndef KFI_TASK_H
#define KFI_TASK_H

#include "session/log.h"

/**
 * kfi_task_boot() - Give the boot task its stack, and every task that is forked from now on.
 *
 * Context: start_kernel, before there is any other task.
 */
void kfi_task_boot(void);

/**
 * kfi_task_give_all() - Give every task a stack that has none, and see that new ones get theirs.
 *
 * Context: process context, sleeps. Nothing to undo: an unused stack costs memory only.
 * Return: 0 or -ENOMEM.
 */
int kfi_task_give_all(void);

/**
 * kfi_task_set_runs() - Say whose open calls are handed over when a task dies.
 * @first: the first run of a configuration; the others are its @next
 *
 * All stacks are of no run afterwards.
 * Context: process context, or the boot; no run is live, and none of them has started.
 */
void kfi_task_set_runs(struct kfi_run *first);

/**
 * kfi_task_count_open() - How many calls of a run may be open?
 * @run: the run
 *
 * Context: under the lock of the stacks, or while all cpus stand still.
 * Return: as many or more.
 */
u32 kfi_task_count_open(const struct kfi_run *run);

/**
 * kfi_task_copy_open() - Copy the open calls of a run off all stacks, and leave them there.
 * @run: the run
 * @open: where to; room for kfi_task_count_open()
 *
 * Context: under the lock of the stacks, or while all cpus stand still.
 * Return: how many there were.
 */
u32 kfi_task_copy_open(const struct kfi_run *run, struct kfi_rec *open);

/**
 * kfi_task_add_counts() - Add up what the short way of callouts has counted on all stacks.
 * @run: the run
 * @to: what a copy of it keeps for a cpu
 *
 * Context: while all cpus stand still.
 */
void kfi_task_add_counts(const struct kfi_run *run, struct kfi_cpu *to);

/**
 * kfi_task_take() - Take the open calls of a complete run off all stacks.
 * @run: the run; no callout records for it any more, but later runs may be live
 * @open: where to put an array of them, to be freed with kvfree()
 * @nopen: where to put their number
 *
 * After that, no dying task hands anything over to @run. A callout of a later run that has found
 * such calls before may still be writing them to the log of @run.
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM, and then nothing has changed.
 */
int kfi_task_take(struct kfi_run *run, struct kfi_rec **open, u32 *nopen);

/**
 * kfi_task_look_open() - Count what is open on all stacks, in a crash.
 * @run: a run that has been stopped
 * @total: where to count the calls that its filters drop, and what was counted on the stacks
 * @nopen: where to put the number of the others
 *
 * Context: any, a crash included: it does not wait for the lock.
 * Return: false if somebody has the lock: nothing was counted then.
 */
bool kfi_task_look_open(const struct kfi_run *run, u64 *total, u32 *nopen);

#endif /* KFI_TASK_H */
