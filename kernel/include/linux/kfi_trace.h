/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hooks of KFI where the kernel has tracepoints. Macros wrap these calls, so that the patch needs
 * no line at each of them. They work in a kernel without CONFIG_TRACEPOINTS, too, where the
 * tracepoints are empty functions.
 *
 * x86's handler of breakpoints asks the kernel's own text patching first. KFI is asked next, before
 * anything that is instrumented runs.
 *
 * Include this behind the header that declares what the file calls.
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

#if defined(CONFIG_KFI_PATCH_SITES) && defined(CONFIG_X86)
#define poke_int3_handler(regs) \
	(poke_int3_handler(regs) || kfi_int3(regs))
#endif

#endif /* _LINUX_KFI_TRACE_H */
