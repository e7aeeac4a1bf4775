/* SPDX-License-Identifier: GPL-2.0 */
/* The readers of this folder, each in its own file, and their table. */
#ifndef KFI_IMPORT_FORMATS_H
#define KFI_IMPORT_FORMATS_H

#include "import/import.h"

/* formats.c: all readers, up to NULL, for struct kfi_log */
extern const struct kfi_import_format *const kfi_import_formats[];

/* ftrace.c: text of the tracers function_graph and function, and of events */
extern const struct kfi_import_format kfi_import_ftrace;

/* initcalls.c: a kernel log with initcall_debug */
extern const struct kfi_import_format kfi_import_initcalls;

/* perf.c: samples, as perf script prints them */
extern const struct kfi_import_format kfi_import_perf;

/* qemu.c: blocks of translated code, as QEMU traces and logs them */
extern const struct kfi_import_format kfi_import_qemu;

/* tracedat.c: trace.dat of trace-cmd */
extern const struct kfi_import_format kfi_import_tracedat;

#endif /* KFI_IMPORT_FORMATS_H */
