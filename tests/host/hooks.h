/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hooks as in a kernel (hooks/cyg_profile.c, hooks/hook.c): the fast path if a test wants it, and
 * if the session can use it, then the slow path. Tests of both run all their cases twice.
 */
#ifndef KFI_TEST_HOOKS_H
#define KFI_TEST_HOOKS_H

#include <stdio.h>

#include "check.h"
#include "hooks/fast.h"

/* Which path hooks try first; it takes effect when a session begins. */
static bool use_fast_path;

/* How many went that path to the end. */
static _Atomic u64 fast_path_calls;

/* How many interrupts run on top of a task, which is that of one stack: see struct kfi_task. */
static unsigned int interrupts_of[8];

/* Make a stack that of task @nr, on top of which no interrupt runs. */
static inline void stack_of_task(struct kfi_stack *s, u32 nr)
{
	interrupts_of[nr] = 0;
	s->interrupts = &interrupts_of[nr];
}

/* Add to how many interrupts run on top of the task of a stack. */
static inline void count_interrupt(const struct kfi_stack *s, int n)
{
	interrupts_of[s->interrupts - interrupts_of] += (unsigned int)n;
}

/* kfi_interrupt_enter() and kfi_interrupt_exit() of hooks/hook.c, while a session is live. */
static inline void interrupt_enter(struct kfi_stack *s)
{
	count_interrupt(s, 1);
	kfi_stack_enter_interrupt(s);
}

static inline void interrupt_exit(struct kfi_stack *s, unsigned int ctx)
{
	count_interrupt(s, -1);
	kfi_stack_leave_interrupt(s, ctx);
}

/* What a stack has counted of what a cpu counts, and what kfi_call_flush() will add there. */
static inline u64 on_stack(const struct kfi_stack *s, enum kfi_count what)
{
	switch (what) {
	case KFI_SEEN:
		return kfi_stack_seen(s);
	case KFI_KEPT:
		return kfi_stack_kept(s);
	case KFI_FILTERED_MINTIME:
		return kfi_stack_too_short(s);
	default:
		return 0;
	}
}

/* Return true if the fast path has handled the entry, and the exit. */
static inline bool try_fast_enter(const struct kfi_fast *fast, struct kfi_stack *s,
				  unsigned long func, unsigned long site, unsigned int ctx)
{
	enum kfi_path path = KFI_PATH_SLOW;
	struct kfi_frame *f;

	if (fast)
		path = kfi_fast_enter(fast, s, func, site, ctx, &f);
	if (path == KFI_PATH_UNDO)
		kfi_fast_undo(s, f, ctx);
	if (path == KFI_PATH_DONE)
		atomic_fetch_add_explicit(&fast_path_calls, 1, memory_order_relaxed);
	return path == KFI_PATH_DONE;
}

/* Handle an exit as a hook does that knows the function, or the call site: @id. */
static inline bool try_exit(const struct kfi_fast *fast, struct kfi_stack *s, unsigned long id,
			    bool is_site, unsigned int ctx)
{
	enum kfi_path path = KFI_PATH_SLOW;
	struct kfi_frame *f = NULL;
	u64 end = 0, dur = 0;
	u32 below = 0;

	if (fast)
		path = is_site ?
		       kfi_fast_exit_by_site(fast, s, id, ctx, &f, &end, &dur, &below) :
		       kfi_fast_exit(fast, s, id, ctx, &f, &end, &dur, &below);
	return path == KFI_PATH_DONE ||
	       (path == KFI_PATH_KEEP &&
		(kfi_fast_keep_packed(fast, s, f, f->func - fast->text, fast->text, ctx, end, dur,
				      below) ||
		 kfi_fast_keep_common(fast, s, f, ctx, dur)));
}

static inline bool try_fast_exit(const struct kfi_fast *fast, struct kfi_stack *s,
				 unsigned long func, unsigned int ctx)
{
	return try_exit(fast, s, func, false, ctx);
}

static inline bool try_fast_exit_by_site(const struct kfi_fast *fast, struct kfi_stack *s,
					 unsigned long site, unsigned int ctx)
{
	return try_exit(fast, s, site, true, ctx);
}

/*
 * The same, as a kernel's hooks do it: they do not look for an interrupt, but try the fast path of
 * a task first.
 */
static inline bool hook_enter(const struct kfi_fast *fast, struct kfi_stack *s, unsigned long func,
			      unsigned int ctx)
{
	return try_fast_enter(fast, s, func, func + 4, KFI_CTX_TASK) ||
	       (ctx != KFI_CTX_TASK && try_fast_enter(fast, s, func, func + 4, ctx));
}

static inline bool hook_exit(const struct kfi_fast *fast, struct kfi_stack *s, unsigned long func,
			     unsigned int ctx)
{
	return try_fast_exit(fast, s, func, KFI_CTX_TASK) ||
	       (ctx != KFI_CTX_TASK && try_fast_exit(fast, s, func, ctx));
}

/* The whole of a test that runs its cases on both paths. Return: its exit status. */
static inline int run_on_both_paths(const struct check_case *cases, size_t n)
{
	int bad = check_run(cases, n);

	printf("# the same, on the fast path\n");
	use_fast_path = true;
	bad |= check_run(cases, n);
	return bad || !fast_path_calls;
}

#endif /* KFI_TEST_HOOKS_H */
