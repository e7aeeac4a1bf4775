/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Collecting the log of a complete run. Called by kfi_log.c only.
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

#endif /* KFI_COLLECT_H */
