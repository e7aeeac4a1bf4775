/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hooks of KFI in the rest of a kernel, one call per site, and their stubs for a kernel built
 * without it. The patches in kernel-patch/ call these; nothing else of the recorder is public.
 */
#ifndef _LINUX_KFI_H
#define _LINUX_KFI_H

#include <linux/kfi_types.h>
#include <linux/types.h>

struct pt_regs;
struct task_struct;

#ifdef CONFIG_KFI

/* The shadow stack of tasks that have none. The first task has it from its first function on. */
extern struct kfi_stack kfi_no_stack;
#define KFI_INIT_TASK	.kfi = { .stack = &kfi_no_stack },

/**
 * kfi_start_kernel() - arm the session of the boot
 * @site: where start_kernel() was called
 *
 * Context: the beginning of start_kernel().
 */
void kfi_start_kernel(void *site);

/**
 * kfi_task_init() - give a new task its shadow stack
 * @tsk: the task, still holding its parent's members by copy
 *
 * Context: fork, may sleep; before the task can run and only where a failure ends in free_task().
 */
void kfi_task_init(struct task_struct *tsk);

/**
 * kfi_task_free() - record the open calls of a dead task, and free its shadow stack
 * @tsk: the task, which no cpu runs any more
 *
 * Context: free_task(), any context that may call it; does not sleep.
 */
void kfi_task_free(struct task_struct *tsk);

/**
 * to_userspace() - mark the last moment before init's program is executed
 *
 * It is there to be a trigger: instrumented and never inlined. It also notes that init code is
 * freed, and runs the selftest if the kernel's command line asks for it.
 */
void to_userspace(void);

/**
 * kfi_switch() - a task switch begins
 * @prev: the task that runs
 * @next: the task that runs next
 *
 * Right before switch_to(): what runs after this is no time of @prev.
 * Context: the scheduler, run queue locked, interrupts off.
 */
void kfi_switch(struct task_struct *prev, struct task_struct *next);

/**
 * kfi_interrupt_enter() - an interrupt, a softirq or an NMI begins
 *
 * Beside where preempt_count() is changed. Before it if a function may do that, which is then the
 * first call of the interrupt, as of __irq_enter(); __nmi_enter() has no function for it.
 * Context: any, NMI included; may be called by code that must not be instrumented.
 */
void kfi_interrupt_enter(void);

/**
 * kfi_interrupt_exit() - an interrupt, a softirq or an NMI has ended
 *
 * Right after preempt_count() says so.
 * Context: as kfi_interrupt_enter().
 */
void kfi_interrupt_exit(void);

/**
 * kfi_waking() - a task is being woken; linux/kfi_trace.h
 * @p: the task
 *
 * Context: any in which a task can be woken, no NMI; preemption off, @p->pi_lock may be held.
 */
void kfi_waking(struct task_struct *p);

/**
 * kfi_new_task() - a new task is about to run for the first time; linux/kfi_trace.h
 * @p: the task, made by the current one
 *
 * Context: process context, interrupts off, locks held.
 */
void kfi_new_task(struct task_struct *p);

/**
 * kfi_exec() - the current task executes another program; linux/kfi_trace.h
 *
 * Context: process context.
 */
void kfi_exec(void);

/**
 * kfi_initcall_level() - initcalls of another level begin
 * @level: its name
 *
 * Context: process context.
 */
void kfi_initcall_level(const char *level);

/**
 * kfi_initcall() - an initcall, or the init function of a module, has returned
 * @fn: the function
 * @ret: what it returned
 *
 * Context: process context.
 */
void kfi_initcall(int (*fn)(void), int ret);

/**
 * kfi_syscall() - a system call is entered
 * @nr: its number
 *
 * Called on the path of system calls that are traced, so other system calls have no cost. um has
 * one path only, and checks for a session at each system call.
 * Context: process context.
 */
void kfi_syscall(long nr);

/**
 * kfi_sysret() - a system call returns
 * @ret: its value, an error as -errno
 *
 * Context: as kfi_syscall().
 */
void kfi_sysret(long ret);

/**
 * kfi_mark() - put a mark into the log, if a session is triggered
 * @text: up to 80 bytes, the rest is cut off
 *
 * For code of drivers and boards. Characters that are not printable are shown as question marks.
 * Context: any, NMI included.
 */
void kfi_mark(const char *text);

/**
 * kfi_crash() - a panic or an oops begins
 *
 * If the log will be saved, the session is stopped here, before calls of the crash itself fill the
 * log.
 * Context: any, NMI included.
 */
void kfi_crash(void);

#else

static inline void kfi_start_kernel(void *site) { }
static inline void kfi_task_init(struct task_struct *tsk) { }
static inline void kfi_task_free(struct task_struct *tsk) { }
static inline void to_userspace(void) { }
static inline void kfi_switch(struct task_struct *prev, struct task_struct *next) { }
static inline void kfi_interrupt_enter(void) { }
static inline void kfi_interrupt_exit(void) { }
static inline void kfi_initcall_level(const char *level) { }
static inline void kfi_initcall(int (*fn)(void), int ret) { }
static inline void kfi_syscall(long nr) { }
static inline void kfi_sysret(long ret) { }
static inline void kfi_mark(const char *text) { }
static inline void kfi_crash(void) { }
#define KFI_INIT_TASK

#endif

/**
 * kfi_int3() - handle a breakpoint at a call site that is being changed (x86); linux/kfi_trace.h
 * @regs: registers at the breakpoint; behind the site, if the return value is true
 *
 * Context: before anything else of the exception is handled; any, NMI included. Not instrumented.
 * Return: true if the breakpoint was the recorder's.
 */
bool kfi_int3(struct pt_regs *regs);

#endif /* _LINUX_KFI_H */
