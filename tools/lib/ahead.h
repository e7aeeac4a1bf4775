/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A log read ahead by a thread of its own, while what was read is looked at.
 *
 *	thread:	kfi_log_item() -> batches -> caller: kfi_ahead_item()
 *
 * The thread has the log to itself. The caller's struct kfi_log is a copy: it has what belongs to
 * the item read last, and is whole again where a run begins, at the end, and after
 * kfi_ahead_stop(). Items come out as they would without the thread, in the same order. Called by
 * kd.
 */
#ifndef KFI_AHEAD_H
#define KFI_AHEAD_H

#include "log.h"

struct kfi_ahead;

/**
 * kfi_ahead_helps() - whether a thread is of use
 * @log: a log that has been begun
 *
 * It is not for small files, nor for pipes, of which somebody may want to see what came so far, nor
 * where no cpu is free: to hand items over costs more than it saves then.
 *
 * Return: true if so.
 */
bool kfi_ahead_helps(const struct kfi_log *log);

/**
 * kfi_ahead_start() - go on reading in a thread
 * @log: a log that has been begun, of a file that is mapped. Not to be read by other means before
 *	kfi_ahead_stop(); its @lives stay those of the run that goes on
 *
 * Return: the thread, NULL: there is none.
 */
struct kfi_ahead *kfi_ahead_start(struct kfi_log *log);

/**
 * kfi_ahead_item() - kfi_log_item() of what the thread has read
 * @a: the thread
 * @row: filled if it is a row; its slices, and those in the log, are valid until the next call
 * @err: why not
 *
 * Return: as kfi_log_item().
 */
int kfi_ahead_item(struct kfi_ahead *a, struct kfi_row *row, struct kfi_err *err);

/**
 * kfi_ahead_rows() - kfi_log_rows() of what the thread has read
 * @a: the thread
 * @row: set to the first of them; they, and their slices, are valid until the next call
 * @n: how many at most
 *
 * Return: how many; 0: what comes next kfi_ahead_item() says.
 */
u32 kfi_ahead_rows(struct kfi_ahead *a, struct kfi_row **row, u32 n);

/**
 * kfi_ahead_stop() - end the thread
 * @a: the thread, or NULL; the log can be closed then
 */
void kfi_ahead_stop(struct kfi_ahead *a);

#endif /* KFI_AHEAD_H */
