// SPDX-License-Identifier: GPL-2.0
/*
 * The table of readers. It is a file of its own so that only programs that use the table, such as
 * kd, are linked with the readers and their libraries.
 */
#include "import/formats.h"

const struct kfi_import_format *const kfi_import_formats[] = {
	&kfi_import_ftrace,
	&kfi_import_qemu,
	&kfi_import_initcalls,
	&kfi_import_perf,
	&kfi_import_tracedat,
	NULL
};
