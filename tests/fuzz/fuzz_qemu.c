// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: traces of QEMU's blocks, and ranges that the user names. The input is the text of
 * --range up to a zero byte, then the trace. The kernel is tests/data/foreign/qemu.vmlinux, or
 * $KFI_FUZZ_VMLINUX.
 */
#include <string.h>
#include <unistd.h>

#include "import/formats.h"
#include "rows.h"

/* make -C tests runs it in tests. */
#define VMLINUX	"data/foreign/qemu.vmlinux"

static void check(const struct kfi_log *log, const struct kfi_row *row)
{
	(void)log;
	MUST(row->entry_ns >= 0);
	MUST(row->func.len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *zero = memchr(data, 0, size);
	const char *vmlinux = getenv("KFI_FUZZ_VMLINUX");
	struct kfi_log log = { 0 };

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
	read_rows(&log, check);
	return 0;
}
