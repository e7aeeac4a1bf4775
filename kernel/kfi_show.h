/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The text of a log and of the status, as Documentation/formats.rst describes it.
 */
#ifndef KFI_SHOW_H
#define KFI_SHOW_H

#include "kfi_log.h"

struct seq_file;

/**
 * kfi_show_header() - Print all that stands above the rows, the rule included.
 * @m: where to
 * @log: a log with a reference
 * @whole: it is collected, and its rows follow
 *
 * Context: process context.
 */
void kfi_show_header(struct seq_file *m, const struct kfi_log *log, bool whole);

/**
 * kfi_show_row() - Print one row.
 * @m: where to
 * @log: a collected log
 * @i: 0..@log->nrows - 1
 *
 * Context: process context.
 */
void kfi_show_row(struct seq_file *m, const struct kfi_log *log, u32 i);

/**
 * kfi_show_status() - Print what cat /proc/kfi shows of a run.
 * @m: where to
 * @log: a log with a reference, or NULL: no run
 *
 * Context: process context, sleeps.
 */
void kfi_show_status(struct seq_file *m, const struct kfi_log *log);

#endif /* KFI_SHOW_H */
