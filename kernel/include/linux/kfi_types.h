/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What linux/sched.h needs to know of KFI: the member of task_struct, and nothing that would make
 * every file of a kernel depend on the recorder. linux/kfi.h holds the hooks themselves.
 */
#ifndef _LINUX_KFI_TYPES_H
#define _LINUX_KFI_TYPES_H

struct kfi_stack;

/**
 * struct kfi_task - what KFI keeps in a task
 * @stack: the task's shadow stack, or one that stands for none. Written by kfi_task_init() and
 *         kfi_task_free(); read by the hooks through current.
 * @interrupts: how many interrupts, softirqs and NMIs run on top of it, one on top of the other:
 *         kfi_interrupt_enter() counts them whether anything is recorded or not.
 *
 * Empty, and so without size, in a kernel without KFI.
 */
struct kfi_task {
#ifdef CONFIG_KFI
	struct kfi_stack *stack;
	unsigned int interrupts;
#endif
};

/*
 * Functions that ftrace hides from its graph tracer must be hidden from KFI too: what changes
 * current midway would enter on one task's shadow stack and leave on another's.
 */
#ifdef CONFIG_KFI
#define kfi_notrace notrace
#else
#define kfi_notrace
#endif

#endif /* _LINUX_KFI_TYPES_H */
