/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel tells the recorder besides calls. Its hooks are in linux/kfi.h; this is for the
 * recorder itself.
 */
#ifndef KFI_TELL_H
#define KFI_TELL_H

#include "core/call.h"

struct task_struct;

/*
 * Where the patches have put hooks: either a flag sends a task's system calls past them, or all
 * come by anyway.
 */
#if defined(CONFIG_HAVE_SYSCALL_TRACEPOINTS) && \
	(defined(CONFIG_ARM) || defined(CONFIG_ARM64) || defined(CONFIG_GENERIC_ENTRY))
#define KFI_MARKS_SYSCALLS_FLAG	1
#else
#define KFI_MARKS_SYSCALLS_FLAG	0
#endif
#define KFI_MARKS_ARCH_SYSCALLS	(KFI_MARKS_SYSCALLS_FLAG || IS_ENABLED(CONFIG_UML))

/**
 * kfi_tell_switch() - Mark that a cpu leaves one task for another.
 * @run: the live run, triggered, that wants such marks
 * @prev: the task that runs
 * @next: the task that runs next
 * @now: raw clock count
 *
 * Context: kfi_switch().
 */
void kfi_tell_switch(struct kfi_run *run, struct task_struct *prev, struct task_struct *next,
		     u64 now);

/**
 * kfi_tell_syscalls() - Make a task take the path on which system calls are marked.
 * @tsk: the task, which runs next
 *
 * It leaves that path by itself, with its first system call after the run.
 * Context: kfi_switch(), while a run that wants such marks is live.
 */
void kfi_tell_syscalls(struct task_struct *tsk);

/**
 * kfi_tell_wanted() - Say which run is live now.
 * @run: the run, published; NULL: none
 *
 * Context: process context, sleeps.
 */
void kfi_tell_wanted(const struct kfi_run *run);

/**
 * kfi_tell_text() - Mark a text.
 * @text: bytes
 * @len: how many; what is more than KFI_EVENT_TEXT_MAX is cut off
 *
 * Context: any.
 * Return: false if no run is triggered.
 */
bool kfi_tell_text(const char *text, size_t len);

#endif /* KFI_TELL_H */
