/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hooks that have more to do than record their call: triggers, shadow stacks of no session yet,
 * tasks without a stack, and all hooks of a session with autorepeat.
 *
 * One session is live at a time. Before another one is published no hook uses the one before any
 * more, and all stacks have been made stacks of no session (session/control.c). So a hook finds its
 * stack as one of its own session, or empty.
 */
#ifndef KFI_SLOW_H
#define KFI_SLOW_H

#include "core/call.h"

/**
 * struct kfi_here - where a hook is
 * @stack: shadow stack of the current task, or NULL
 * @cpunr: number of this cpu
 * @pid: pid of the current task
 * @ctx: enum kfi_ctx
 * @still: this cpu stands still for a snapshot; then @stack is NULL
 */
struct kfi_here {
	struct kfi_stack *stack;
	u32 cpunr;
	u32 pid;
	unsigned int ctx;
	bool still;
};

/**
 * kfi_is_routine() - Return true if a hook only has to record its call.
 * @run: the live run
 * @s: shadow stack of the current task, or NULL
 * @func: address of the function
 * @trigger: address of the function that stops the session by such an entry or exit, or 0
 *
 * Then the hook calls kfi_call_enter() or kfi_call_exit() and is done. It does no harm if the hook
 * reads the state late: until a session starts, no stack has its generation.
 * Context: any; the caller stays on its cpu.
 */
static __always_inline bool kfi_is_routine(const struct kfi_run *run, const struct kfi_stack *s,
					   unsigned long func, unsigned long trigger)
{
	return likely(atomic_read(&run->state) == KFI_TRIGGERED) && likely(func != trigger) &&
	       likely(s) && likely(READ_ONCE(s->generation) == READ_ONCE(run->routine));
}

/**
 * kfi_slow_enter() - Handle a function entry that is no routine one.
 * @run: the live run
 * @here: where the hook is
 * @func: address of the function
 * @site: address of the call site
 *
 * A call that ends an iteration by its entry is the first of the next one if it begins that, too.
 * Context: any; the caller stays on its cpu.
 * Return: true if the call is on the stack now.
 */
bool kfi_slow_enter(struct kfi_run *run, const struct kfi_here *here, unsigned long func,
		    unsigned long site);

/**
 * kfi_slow_exit() - Handle a function exit that is no routine one.
 * @run: the live run
 * @here: where the hook is
 * @func: address of the function
 *
 * Context: any; the caller stays on its cpu.
 */
void kfi_slow_exit(struct kfi_run *run, const struct kfi_here *here, unsigned long func);

/*
 * Watching how much of the kernel stack is left: when a function is entered with fewer bytes free
 * than a limit, the calls that are open on its shadow stack are put into the log, whatever the
 * filters say. Rows of a watch are no calls, and count as none.
 */
#define KFI_WATCH_ELSEWHERE	U32_MAX	/* not on the stack of the current task */

/**
 * kfi_watch_init() - Set the watch of a run.
 * @run: the run
 * @kind: what is watched, if anything
 * @bytes: the limit; 0: none, the first function entered is the lowest so far
 *
 * Context: before the run is published.
 */
void kfi_watch_init(struct kfi_run *run, enum kfi_conf_watch kind, u32 bytes);

/**
 * kfi_watch_limit() - With how many bytes free is a function reported?
 * @run: the run
 *
 * Context: any.
 * Return: with fewer than these; with KFI_WATCH_WORST the fewest seen; U32_MAX: none seen yet.
 */
u32 kfi_watch_limit(const struct kfi_run *run);

/**
 * kfi_watch_enter() - A function was entered while a watch is set.
 * @run: the live run, triggered
 * @cpu: this cpu
 * @cpunr: its number
 * @s: shadow stack of the current task, with the call on it, unless that is too deep
 * @call: the call: its function, call site and context; what else there is, is filled in here
 * @left: bytes free on the kernel stack, or KFI_WATCH_ELSEWHERE
 *
 * Reports each call once as long as the stack does not get higher: @s->watched says how many of the
 * calls on it have been.
 * Context: any; the caller stays on its cpu.
 */
void kfi_watch_enter(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, struct kfi_stack *s,
		     struct kfi_event *call, u32 left);

#endif /* KFI_SLOW_H */
