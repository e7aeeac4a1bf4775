/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The rare cases of the slow path, in which a hook has more to do than record its call: triggers,
 * shadow stacks of no session yet, tasks without a stack, watches, arguments and return values, and
 * all hooks of a session with autorepeat.
 *
 * One session is live at a time. Before the next one is published, no hook uses the session before
 * it any more, and all stacks were made stacks of no session (session/control.c). So a hook finds
 * that its stack belongs to its own session, or is empty.
 */
#ifndef KFI_SLOW_H
#define KFI_SLOW_H

#include "core/call.h"

/**
 * struct kfi_hook_context - the context in which a hook runs
 * @stack: shadow stack of the current task, or NULL
 * @cpunr: number of this cpu
 * @pid: pid of the current task
 * @ctx: enum kfi_ctx
 * @still: this cpu stands still for a snapshot; then @stack is NULL
 * @frame: a frame record on the kernel stack, or NULL. It is one of a hook, or, if @is_caller, that
 *	of the function that called the instrumented one
 * @end: the end of that stack, or of the part of it that is known to be mapped
 * @is_caller: see @frame
 */
struct kfi_hook_context {
	struct kfi_stack *stack;
	u32 cpunr;
	u32 pid;
	unsigned int ctx;
	bool still;
	const unsigned long *frame;
	const unsigned long *end;
	bool is_caller;
};

/*
 * A frame record, by a pointer to it: the pointer to the caller's record and the return address, in
 * this order. On riscv they are below where the pointer points.
 */
#if defined(__riscv)
#define KFI_FRAME_BELOW		2
#else
#define KFI_FRAME_BELOW		0
#endif

/**
 * kfi_return_address() - Return the address that a function returns to.
 * @stored: the address as the function has stored it
 *
 * On arm64 it may be signed (pointer authentication): XPACLRI, a hint that older processors skip,
 * removes the signature.
 */
static inline unsigned long kfi_return_address(unsigned long stored)
{
#ifdef CONFIG_ARM64
	register unsigned long lr asm("x30") = stored;

	asm("hint #7" : "+r" (lr));
	return lr;
#else
	return stored;
#endif
}

/* Callers of a function that one trigger reports, in several marks. */
#define KFI_CALLERS_MAX		(3 * KFI_EVENT_FUNCS_MAX)

/**
 * kfi_is_routine() - Return true if a hook only has to record its call.
 * @run: the live session
 * @s: shadow stack of the current task, or NULL
 * @func: address of the function
 * @trigger: address of the function that stops the session by such an entry or exit, or 0
 *
 * If so, the hook calls kfi_call_enter() or kfi_call_exit() and is done. A hook that reads the
 * state late does no harm: until a session starts, no stack has its generation.
 * Context: any; the caller stays on its cpu.
 */
static __always_inline bool kfi_is_routine(const struct kfi_run *run, const struct kfi_stack *s,
					   unsigned long func, unsigned long trigger)
{
	return likely(atomic_read(&run->state) == KFI_TRIGGERED) && likely(func != trigger) &&
	       likely(s) && likely(READ_ONCE(s->generation) == READ_ONCE(run->routine));
}

/**
 * kfi_slow_enter() - Handle a function entry for which kfi_is_routine() is false.
 * @run: the live session
 * @context: the context of the hook
 * @func: address of the function
 * @site: address of the call site
 *
 * If the entry ends one iteration and starts the next, the call is recorded as the first of the
 * next.
 * Context: any; the caller stays on its cpu.
 * Return: true if the call is on the stack now.
 */
bool kfi_slow_enter(struct kfi_run *run, const struct kfi_hook_context *context, unsigned long func,
		    unsigned long site);

/**
 * kfi_slow_exit() - Handle a function exit for which kfi_is_routine() is false.
 * @run: the live session
 * @context: the context of the hook
 * @func: address of the function
 *
 * Context: any; the caller stays on its cpu.
 */
void kfi_slow_exit(struct kfi_run *run, const struct kfi_hook_context *context, unsigned long func);

/*
 * Watching how much of the kernel stack is left: when a function is entered with fewer bytes free
 * than a limit, the calls that are open on its shadow stack are put into the log, whatever the
 * filters say. Rows of a watch are no calls, and count as none.
 */
#define KFI_WATCH_ELSEWHERE	U32_MAX	/* not on the stack of the current task */

/**
 * kfi_watch_init() - Set the watch of a session.
 * @run: the session
 * @kind: what is watched, if anything
 * @bytes: the limit; 0: none, the first function entered is the lowest so far
 *
 * Context: before the session is published.
 */
void kfi_watch_init(struct kfi_run *run, enum kfi_conf_watch kind, u32 bytes);

/**
 * kfi_watch_limit() - Return the limit of a watch, in bytes of free stack.
 * @run: the session
 *
 * Return: with fewer than these; with KFI_WATCH_WORST the fewest seen; U32_MAX: none seen yet.
 */
u32 kfi_watch_limit(const struct kfi_run *run);

/**
 * kfi_watch_enter() - Handle a function entry while a watch is set.
 * @run: the live session, triggered
 * @cpu: this cpu
 * @cpunr: its number
 * @s: shadow stack of the current task, with the call on it, unless that is too deep
 * @call: the call: its function, call site and context; what else there is, is filled in here
 * @left: bytes free on the kernel stack, or KFI_WATCH_ELSEWHERE
 *
 * Reports a call once while it is open: @s->watched is the number of calls on the stack that were
 * reported.
 * Context: any; the caller stays on its cpu.
 */
void kfi_watch_enter(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, struct kfi_stack *s,
		     struct kfi_event *call, u32 left);

/*
 * Arguments and return values of the functions of ``record``, as rows that are no calls. They obey
 * all filters but those of time. Their times lie inside the call, whose depth they have.
 */

/**
 * kfi_slow_args() - Record the arguments of a call that is on the shadow stack now.
 * @run: the live session, with @args
 * @cpu: this cpu
 * @cpunr: its number
 * @s: shadow stack of the current task, or NULL
 * @func: address of the function
 * @args: the arguments
 * @nargs: how many, up to @run->args
 *
 * Context: any; the caller stays on its cpu.
 */
void kfi_slow_args(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, const struct kfi_stack *s,
		   unsigned long func, const unsigned long *args, u32 nargs);

/**
 * kfi_slow_ret() - Record the return value of a call that is still on the shadow stack.
 * @run: the live session, with @ret
 * @cpu: this cpu
 * @cpunr: its number
 * @s: shadow stack of the current task, or NULL
 * @func: address of the function
 * @value: the register of return values
 *
 * Context: as kfi_slow_args().
 */
void kfi_slow_ret(struct kfi_run *run, struct kfi_cpu *cpu, u32 cpunr, const struct kfi_stack *s,
		  unsigned long func, unsigned long value);

#endif /* KFI_SLOW_H */
