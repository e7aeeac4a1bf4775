// SPDX-License-Identifier: GPL-2.0
/*
 * The table of readers. It stands alone, so only a program that names it links the readers and the
 * libraries that they need: kd does.
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
