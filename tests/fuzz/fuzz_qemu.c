// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: traces of QEMU's blocks, and ranges that the user names. The input is the text of
 * --range up to a zero byte, then the trace. The kernel is tests/data/foreign/qemu.vmlinux, or
 * $KFI_FUZZ_VMLINUX. Checks what must hold of all rows.
 */
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "import/formats.h"
#include "log.h"
#include "tree.h"

/* make -C tests runs it in tests. */
#define VMLINUX	"data/foreign/qemu.vmlinux"

static void check_row(struct kfi_tree *tree, const struct kfi_row *row)
{
	struct kfi_tree_call call = { .row = row, .func = row->func.len, .caller = KFI_NONE };
	struct kfi_tree_place place;

	MUST(row->depth >= 1 && row->entry_ns >= 0);
	MUST(row->delta_ns >= -1 && row->local_ns >= -1);
	if (row->delta_ns >= 0)
		MUST(row->local_ns <= row->delta_ns && row->off_ns <= row->delta_ns &&
		     row->irq_ns <= row->delta_ns);
	MUST(row->func.len);
	MUST(!kfi_tree_add(tree, &call, &place));
	MUST(place.level <= row->depth);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *zero = memchr(data, 0, size);
	const char *vmlinux = getenv("KFI_FUZZ_VMLINUX");
	struct kfi_log log = { 0 };
	struct kfi_tree tree;
	struct kfi_err err;
	struct kfi_row row;
	int item;

	/* A range in a file is not one of the input's. */
	if (!zero || *data == '@')
		return 0;
	kfi_in_memory(&log.in, "fuzz", zero + 1, size - (size_t)(zero + 1 - data));
	kfi_log_start(&log);
	log.formats = kfi_import_formats;
	log.input = "qemu";
	log.vmlinux = vmlinux ? vmlinux : VMLINUX;
	log.named_ranges = *data ? (const char *)data : NULL;
	MUST(access(log.vmlinux, R_OK) == 0);
	kfi_tree_init(&tree, KFI_TREE_NESTED, NULL, NULL);
	if (!kfi_log_begin(&log, &err) && log.import) {
		while ((item = kfi_log_item(&log, &row, &err)) > 0) {
			if (item == KFI_LINE_ROW)
				check_row(&tree, &row);
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
