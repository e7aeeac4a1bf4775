// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: the readers of other tracers' logs. The first byte says which; the rest is the log.
 * Of trace.dat libtracecmd reads all, so it is not in this.
 */
#include "import/formats.h"
#include "rows.h"

static const char *const formats[] = { NULL, "ftrace", "initcalls", "kfi", "perf" };

static void check(const struct kfi_log *log, const struct kfi_row *row)
{
	MUST(row->delta_ns < 0 ? row->marks && row->local_ns < 0 : !row->marks);
	MUST(!log->head.no_entry || !row->entry_ns);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kfi_log log = { 0 };

	if (!size)
		return 0;
	kfi_in_memory(&log.in, "fuzz", data + 1, size - 1);
	kfi_log_start(&log);
	log.formats = kfi_import_formats;
	log.input = formats[*data % ARRAY_SIZE(formats)];
	read_rows(&log, check);
	return 0;
}
