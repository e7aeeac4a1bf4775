// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: the readers of other tracers' logs. The first byte says which; the rest is the log.
 * Checks what must hold of all rows: each has the depth of an open call and one more, and parts of
 * a duration are not more than it. Of trace.dat libtracecmd reads all, so it is not in this.
 */
#include "fuzz.h"
#include "import/formats.h"
#include "log.h"
#include "tree.h"

static const char *const formats[] = { NULL, "ftrace", "initcalls", "kfi", "perf" };

static void check_row(struct kfi_tree *tree, const struct kfi_log *log, const struct kfi_row *row)
{
	struct kfi_tree_call call = { .row = row, .func = row->func.len, .caller = KFI_NONE };
	struct kfi_tree_place place;

	MUST(row->depth >= 1 && row->delta_ns >= -1 && row->local_ns >= -1);
	MUST(row->delta_ns < 0 ? row->marks && row->local_ns < 0 : !row->marks);
	if (row->delta_ns >= 0)
		MUST(row->local_ns <= row->delta_ns && row->off_ns <= row->delta_ns &&
		     row->irq_ns <= row->delta_ns);
	MUST(!log->head.no_entry || !row->entry_ns);
	MUST(!kfi_tree_add(tree, &call, &place));
	MUST(place.level <= row->depth);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kfi_log log = { 0 };
	struct kfi_tree tree;
	struct kfi_err err;
	struct kfi_row row;
	int item;

	if (!size)
		return 0;
	kfi_in_memory(&log.in, "fuzz", data + 1, size - 1);
	kfi_log_start(&log);
	log.formats = kfi_import_formats;
	log.input = formats[*data % ARRAY_SIZE(formats)];
	kfi_tree_init(&tree, KFI_TREE_NESTED, NULL, NULL);
	if (!kfi_log_begin(&log, &err) && log.import) {
		while ((item = kfi_log_item(&log, &row, &err)) > 0) {
			if (item == KFI_LINE_ROW)
				check_row(&tree, &log, &row);
			else
				MUST(log.mark.kind.len <= log.mark.text.len);
		}
		MUST(!item);
		kfi_log_check(&log, &err);
	}
	kfi_tree_free(&tree);
	kfi_log_close(&log);
	return 0;
}
