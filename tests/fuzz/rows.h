/* SPDX-License-Identifier: GPL-2.0 */
/* What must hold of all rows of other tracers' logs, for the fuzz targets of their readers. */
#ifndef KFI_FUZZ_ROWS_H
#define KFI_FUZZ_ROWS_H

#include "fuzz.h"
#include "log.h"
#include "tree.h"

/* Each has the depth of an open call and one more; parts of a duration are not more than it. */
static void check_row(struct kfi_tree *tree, const struct kfi_row *row)
{
	struct kfi_tree_call call = { .row = row, .func = row->func.len, .caller = KFI_NONE };
	struct kfi_tree_place place;

	MUST(row->depth >= 1 && row->delta_ns >= -1 && row->local_ns >= -1);
	if (row->delta_ns >= 0)
		MUST(row->local_ns <= row->delta_ns && row->off_ns <= row->delta_ns &&
		     row->irq_ns <= row->delta_ns);
	MUST(!kfi_tree_add(tree, &call, &place));
	MUST(place.level <= row->depth);
}

/* Reads a log that is set up, and closes it. @check: called with each row, too */
static void read_rows(struct kfi_log *log,
		      void (*check)(const struct kfi_log *log, const struct kfi_row *row))
{
	struct kfi_tree tree;
	struct kfi_err err;
	struct kfi_row row;
	int item;

	kfi_tree_init(&tree, KFI_TREE_NESTED, NULL, NULL);
	if (!kfi_log_begin(log, &err) && log->import) {
		while ((item = kfi_log_item(log, &row, &err)) > 0) {
			if (item == KFI_LINE_ROW) {
				check(log, &row);
				check_row(&tree, &row);
			} else {
				MUST(log->mark.kind.len <= log->mark.text.len);
			}
		}
		MUST(!item);
		kfi_log_check(log, &err);
	}
	kfi_tree_free(&tree);
	kfi_log_close(log);
}

#endif /* KFI_FUZZ_ROWS_H */
