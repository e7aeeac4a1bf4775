/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Collecting the log of a complete run, or of a snapshot. Called by kfi_log.c only.
 */
#ifndef KFI_COLLECT_H
#define KFI_COLLECT_H

#include "kfi_log.h"

/**
 * kfi_collect() - Make the log of a complete run readable.
 * @log: the log
 *
 * Context: process context, sleeps; under the mutex of kfi_log.c.
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

#endif /* KFI_COLLECT_H */
