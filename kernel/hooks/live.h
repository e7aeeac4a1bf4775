/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The live state: which session the hooks record, what the fast path compares with, and what the
 * rest of the recorder may ask of the hooks.
 */
#ifndef KFI_LIVE_H
#define KFI_LIVE_H

#include <linux/cpumask.h>
#include <linux/kfi.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <asm/sections.h>

#include "core/run.h"

/* The session that the hooks record; NULL: none. Published with release, read once in each hook. */
extern struct kfi_run *kfi_live;

/* The text base of the ring of each session. */
#define KFI_TEXT_BASE		((unsigned long)_text)

/* The fast-path state, which the hooks look at first. */
extern struct kfi_fast kfi_fast;

/**
 * kfi_context() - Return the context of the caller, an enum kfi_ctx.
 */
static __always_inline unsigned int kfi_context(void)
{
	unsigned int count = preempt_count();

	if (likely(!(count & (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET))))
		return KFI_CTX_TASK;
	if (count & NMI_MASK)
		return KFI_CTX_NMI;
	return count & HARDIRQ_MASK ? KFI_CTX_HARDIRQ : KFI_CTX_SOFTIRQ;
}

/**
 * kfi_context_of() - Do the same as kfi_context(), where the caller is rarely a task.
 * @count: preempt_count()
 *
 * arm tests each of these masks by one instruction, but not all of them together.
 */
static __always_inline unsigned int kfi_context_of(unsigned int count)
{
	if (count & (NMI_MASK | HARDIRQ_MASK))
		return count & NMI_MASK ? KFI_CTX_NMI : KFI_CTX_HARDIRQ;
	return count & SOFTIRQ_OFFSET ? KFI_CTX_SOFTIRQ : KFI_CTX_TASK;
}

/* ---- parked tasks ---- */

/* The shadow stack of a parked task. It stays empty. */
extern struct kfi_stack kfi_parked_stack;

/**
 * kfi_is_parked() - Return true if the current task has no shadow stack for now.
 *
 * A task parks itself while it holds its CPU still for a snapshot. Only NMIs come then; their calls
 * and marks are lost, and counted apart. An idle task is parked from when its CPU is about to go
 * offline until it comes back: see kfi_live_run().
 */
static __always_inline bool kfi_is_parked(void)
{
	return unlikely(READ_ONCE(current->kfi.stack) == &kfi_parked_stack);
}

/**
 * kfi_live_run() - Get the session that a hook records.
 *
 * Must hold: when a session is freed no hook uses it. kfi_control_quiesce() waits for the CPUs that
 * are online, and for one that is going offline until it has reported itself dead. What such a CPU
 * runs after that is its idle task, which was parked while the CPU was online, and gets no session.
 * Context: preemption off.
 * Return: the session, or NULL.
 */
static __always_inline struct kfi_run *kfi_live_run(void)
{
	if (kfi_is_parked() && !cpu_online(raw_smp_processor_id()))
		return NULL;
	/* Pairs with the release in kfi_control_publish(). */
	return READ_ONCE(kfi_live);
}

/* ---- events: hooks/mark.c ---- */

/*
 * How system calls reach the hooks. KFI_MARKS_SYSCALLS_FLAG: the hooks are on the path that a task
 * takes only if its flag for system call tracepoints is set. On um all system calls reach them.
 * Other architectures have no such hooks.
 */
#if defined(CONFIG_HAVE_SYSCALL_TRACEPOINTS) && \
	(defined(CONFIG_ARM) || defined(CONFIG_ARM64) || defined(CONFIG_GENERIC_ENTRY))
#define KFI_MARKS_SYSCALLS_FLAG	1
#else
#define KFI_MARKS_SYSCALLS_FLAG	0
#endif
#define KFI_MARKS_ARCH_SYSCALLS	(KFI_MARKS_SYSCALLS_FLAG || IS_ENABLED(CONFIG_UML))

/**
 * kfi_mark_switch() - Record a mark for a task switch.
 * @run: the live session, which is triggered and has marks of switches
 * @prev: the task that runs
 * @next: the task that runs next
 * @now: raw clock count
 *
 * Context: kfi_switch().
 */
void kfi_mark_switch(struct kfi_run *run, struct task_struct *prev, struct task_struct *next,
		     u64 now);

/**
 * kfi_mark_flag_task() - Set the flag with which a task's system calls reach the hooks.
 * @tsk: the task, which runs next
 *
 * Does nothing where tracepoints set that flag. Otherwise the task clears it when its first system
 * call after the session returns.
 * Context: kfi_switch(), while a session with marks of system calls is live; kfi_mark_prepare().
 */
void kfi_mark_flag_task(struct task_struct *tsk);

/**
 * kfi_mark_prepare() - Set the flags or the probe that the marks of a new live session need.
 * @run: the session, published; NULL: none is live now
 *
 * Context: process context, sleeps.
 */
void kfi_mark_prepare(const struct kfi_run *run);

/**
 * kfi_mark_text() - Record a mark with a text.
 * @text: bytes
 * @len: number of bytes; the text is cut off at KFI_EVENT_TEXT_MAX
 *
 * Return: false if no session is triggered.
 */
bool kfi_mark_text(const char *text, size_t len);

/* ---- measuring the hooks, for session/cost.c ---- */

/**
 * kfi_hook_calls() - Call the hooks as functions do.
 * @n: calls, one after the other, not 0
 *
 * Context: no session is live, interrupts off; current has a shadow stack that nobody else uses.
 */
void kfi_hook_calls(u32 n);

/**
 * kfi_hook_no_calls() - Do the same as kfi_hook_calls(), but with disabled call sites.
 * @n: as kfi_hook_calls()
 */
void kfi_hook_no_calls(u32 n);

/**
 * kfi_hook_calls_of() - Do the same as kfi_hook_calls(), for a session.
 * @run: the session, triggered, not live; kfi_fast is open for it if it can use the fast path
 * @n: as kfi_hook_calls()
 *
 * Context: as kfi_hook_calls().
 */
void kfi_hook_calls_of(struct kfi_run *run, u32 n);

/**
 * kfi_hook_interrupts() - Have the hooks see interrupts with calls below their first one.
 * @run: as kfi_hook_calls_of(); its exits use the fast path
 * @n: interrupts
 * @calls: calls below the first one of each, not 0
 *
 * Context: as kfi_hook_calls().
 */
void kfi_hook_interrupts(struct kfi_run *run, u32 n, u32 calls);

#endif /* KFI_LIVE_H */
