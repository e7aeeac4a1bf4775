/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hooks of KFI where the kernel has tracepoints. Macros wrap these calls, so that the patch needs
 * no line at each of them. They work in a kernel without CONFIG_TRACEPOINTS, too, where the
 * tracepoints are empty functions.
 *
 * Include this behind trace/events/sched.h or trace/events/initcall.h, in files that call these.
 */
#ifndef _LINUX_KFI_TRACE_H
#define _LINUX_KFI_TRACE_H

#include <linux/kfi.h>

#ifdef CONFIG_KFI
#define trace_initcall_level(level) \
	(kfi_initcall_level(level), trace_initcall_level(level))
#define trace_sched_waking(p) \
	(kfi_waking(p), trace_sched_waking(p))
#define trace_sched_wakeup_new(p) \
	(kfi_new_task(p), trace_sched_wakeup_new(p))
#define trace_sched_process_exec(p, old_pid, bprm) \
	(kfi_exec(), trace_sched_process_exec(p, old_pid, bprm))
#endif

#endif /* _LINUX_KFI_TRACE_H */
