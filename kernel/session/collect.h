/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Collecting the log of a complete run, or of a snapshot. Called by log.c, and in a crash by
 * files/crash.c, which uses parts of it.
 */
#ifndef KFI_COLLECT_H
#define KFI_COLLECT_H

#include "session/log.h"

/**
 * kfi_collect() - Make the log of a complete run readable.
 * @log: the log
 *
 * Context: process context, sleeps; under the mutex of session/log.c.
 * Return: 0; -ENOMEM, after which it can be tried again: nothing is lost.
 */
int kfi_collect(struct kfi_log *log);

/**
 * kfi_collect_rows() - Make the rows of a log whose records and open calls are there.
 * @log: the log: nobody writes to its ring any more, @open and @nopen are set
 *
 * Context: process context, sleeps; nobody else uses @log meanwhile.
 * Return: 0 or -ENOMEM, and then nothing has changed.
 */
int kfi_collect_rows(struct kfi_log *log);

/**
 * kfi_collect_counts() - Add the counters of all cpus up.
 * @log: the log; its totals are set
 *
 * Context: any; exact when its run is complete and no callout is under way.
 */
void kfi_collect_counts(struct kfi_log *log);

/**
 * kfi_collect_late() - Apply the time filters once more, to a call that was kept.
 * @log: the log, whose exact times are set; a call that is dropped is counted so in its totals
 * @r: the call
 *
 * Context: any.
 * Return: true if it stays.
 */
bool kfi_collect_late(struct kfi_log *log, const struct kfi_rec *r);

/**
 * kfi_collect_event() - Take note of what is no call.
 * @log: the log, in which it counts
 * @chunk: where it is in the ring
 * @at: likewise
 *
 * Context: any.
 */
void kfi_collect_event(struct kfi_log *log, u32 chunk, u32 at);

#endif /* KFI_COLLECT_H */
