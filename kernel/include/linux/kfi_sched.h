/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hooks of KFI where the scheduler has tracepoints: these are wrapped, so that the patch needs
 * no line at each. With the tracepoints compiled out, too. To be included behind
 * trace/events/sched.h, by the files that call them.
 */
#ifndef _LINUX_KFI_SCHED_H
#define _LINUX_KFI_SCHED_H

#include <linux/kfi.h>

#ifdef CONFIG_KFI
#define trace_sched_waking(p)		(kfi_waking(p), trace_sched_waking(p))
#define trace_sched_wakeup_new(p)	(kfi_new_task(p), trace_sched_wakeup_new(p))
#define trace_sched_process_exec(p, old_pid, bprm) \
	(kfi_exec(), trace_sched_process_exec(p, old_pid, bprm))
#endif

#endif /* _LINUX_KFI_SCHED_H */
