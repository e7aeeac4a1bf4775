// SPDX-License-Identifier: GPL-2.0
/*
 * The callouts that gcc's and clang's -finstrument-functions put at each function's entry and exit.
 * They record nothing yet: an instrumented kernel must boot before there is anything to measure.
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/kfi.h>
#include <linux/sched.h>

void __cyg_profile_func_enter(void *fn, void *site);
void __cyg_profile_func_exit(void *fn, void *site);

notrace void __cyg_profile_func_enter(void *fn, void *site)
{
}
EXPORT_SYMBOL(__cyg_profile_func_enter);

notrace void __cyg_profile_func_exit(void *fn, void *site)
{
}
EXPORT_SYMBOL(__cyg_profile_func_exit);

notrace void kfi_task_init(struct task_struct *tsk)
{
	tsk->kfi.stack = NULL;
}

notrace void kfi_task_free(struct task_struct *tsk)
{
}
