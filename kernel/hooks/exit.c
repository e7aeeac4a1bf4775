// SPDX-License-Identifier: GPL-2.0
/*
 * The exit hook of functions that were instrumented after inlining: the fast path (fast.h). The
 * registers in use are those of return values, on x86 the first of them: functions that return a
 * value in two registers call kfi_exit_wide() there. Apart from that, entry.c describes how such a
 * hook is compiled, and what must hold.
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/kfi.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "arch/entry.h"
#include "hooks/hook.h"

/*
 * Keep a call for which the fast path returned KFI_PATH_KEEP: write a packed record and pop the
 * frame. If the call does not fit, hook.c keeps it. For that the function is read from the frame
 * again, so that no register holds it while the record is written.
 */
static __always_inline void keep(const struct kfi_fast *fast, struct kfi_stack *s,
				 struct kfi_frame *f, unsigned long func, unsigned int ctx,
				 u64 end, u64 dur, u32 below)
{
	/* On x86 a constant is a part of instructions. */
	unsigned long text = IS_ENABLED(CONFIG_X86) ? KFI_TEXT_BASE : fast->text;
	bool resched;

	if (unlikely(!kfi_fast_keep_packed(fast, s, f, func - text, text, ctx, end, dur, below)))
		func = READ_ONCE(f->func);
	else
		func = 0;
	resched = kfi_preempt_enable();
	if (unlikely(func))
		kfi_exit_outline(func, false);
	else if (resched)
		kfi_resched_saving();
}

/*
 * What the exit hook compares with its frame: the function; or the call site, where that takes
 * fewer instructions. Then the function is computed only for a call that is not handled here.
 * exit_of_task() is the fast path of tasks.
 */
#ifdef KFI_EXIT_BY_SITE
#define exit_id()	kfi_exit_site()
#define exit_func(id)	((void)(id), kfi_exit_func())
#define fast_exit	kfi_fast_exit_by_site
#define exit_of_task(fast, s, id, ...) \
	kfi_fast_exit_by_site((fast), (s), (id), KFI_CTX_TASK, __VA_ARGS__)
#else
#define exit_id()	kfi_exit_func()
#define exit_func(id)	(id)
#define fast_exit	kfi_fast_exit
#define exit_of_task(fast, s, id, ...) kfi_hook_exit((fast), (s), (id), false, __VA_ARGS__)
#endif

/*
 * arm: drop a task's call, with a clock that is not read by one instruction. Return false if that
 * fails, or if the call is kept: retry_exit() does that, because a second way into keep() would
 * make it longer for all clocks. It does not try where that would be of no use: with other clocks,
 * and without mintime, since all calls are kept then.
 */
static __always_inline bool drop_any_clock(const struct kfi_fast *fast, struct kfi_stack *s,
					   unsigned long func)
{
	struct kfi_frame *f;
	u64 end, dur;
	u32 below;

	return READ_ONCE(fast->exit_tag) == KFI_FAST_NONE && fast->min &&
	       kfi_hook_exit(fast, s, func, true, &f, &end, &dur, &below) == KFI_PATH_DONE;
}

static void retry_exit(void);

/*
 * x86: handle an exit that kfi_exit() did not. In an interrupt this is the fast path, but for calls
 * that are kept although calls below have no record. Must hold: kfi_exit() jumps to this function,
 * so that the stack is the same.
 */
static noinline __maybe_unused void exit_outline(void)
{
	unsigned long id = exit_id();
	unsigned int ctx = kfi_context();
	enum kfi_path path = KFI_PATH_SLOW;
	struct kfi_stack *s;
	struct kfi_frame *f;
	u64 end, dur;
	u32 below;

	/* Preemption is off in an interrupt. */
	if (likely(ctx != KFI_CTX_TASK)) {
		s = READ_ONCE(current->kfi.stack);
		path = fast_exit(&kfi_fast, s, id, ctx, &f, &end, &dur, &below);
		if (path == KFI_PATH_KEEP && likely(!below) &&
		    likely(kfi_fast_keep_packed(&kfi_fast, s, f, f->func - KFI_TEXT_BASE,
						KFI_TEXT_BASE, ctx, end, dur, 0)))
			path = KFI_PATH_DONE;
	}
	if (unlikely(path != KFI_PATH_DONE))
		kfi_exit_outline(exit_func(id), true);
}

/*
 * The exit hook: drop the call, keep it, or leave it to hook.c (kfi_exit_outline()). On x86
 * exit_outline() does the latter.
 *
 * The code that keeps a call needs more registers if calls below have no record (@below). arm64 and
 * riscv have enough of them for both cases. On x86 each case has an end of the hook of its own, so
 * that the compiler assigns registers to each. On arm the hook handles @below == 0 of tasks, and
 * retry_exit() handles the other calls.
 * @is_retry: called by retry_exit()
 */
static __always_inline void exit_hook(const bool is_retry)
{
	const struct kfi_fast *fast = &kfi_fast;
	unsigned long id = exit_id();
	unsigned int ctx = KFI_CTX_TASK;
	struct kfi_stack *s;
	struct kfi_frame *f;
	enum kfi_path path;
	bool resched;
	u64 end, dur;
	u32 below;

	/* So that arm loads the address of kfi_fast once. On x86 it is part of instructions. */
	if (IS_ENABLED(CONFIG_ARM))
		OPTIMIZER_HIDE_VAR(fast);
	preempt_disable_notrace();
	s = READ_ONCE(current->kfi.stack);
	if (is_retry) {
		ctx = kfi_context_of(preempt_count());
		path = fast_exit(fast, s, id, ctx, &f, &end, &dur, &below);
	} else {
		path = exit_of_task(fast, s, id, &f, &end, &dur, &below);
		if (KFI_CLOCK_SEVERAL && path == KFI_PATH_SLOW && drop_any_clock(fast, s, id))
			path = KFI_PATH_DONE;
	}
	if (path == KFI_PATH_KEEP) {
		if (IS_ENABLED(CONFIG_ARM64) || IS_ENABLED(CONFIG_RISCV) || is_retry) {
			keep(fast, s, f, id, ctx, end, dur, below);
			return;
		}
		if (likely(!below)) {
			keep(fast, s, f, IS_ENABLED(CONFIG_X86) ? f->func : id, ctx, end, dur, 0);
			return;
		}
		if (IS_ENABLED(CONFIG_X86)) {
			keep(fast, s, f, f->func, ctx, end, dur, below);
			return;
		}
	}
	resched = kfi_preempt_enable();
	if (unlikely(path != KFI_PATH_DONE)) {
		if (IS_ENABLED(CONFIG_ARM) && !is_retry)
			retry_exit();
		else if (IS_ENABLED(CONFIG_X86))
			exit_outline();
		else
			kfi_exit_outline(exit_func(id), true);
	} else if (resched) {
		kfi_resched_saving();
	}
}

/*
 * arm: run the exit hook once more, in a function of its own, which saves the registers that it
 * needs. This is for interrupts, for calls below that have no record, and for calls that are kept
 * with a clock that is not read by one instruction; the first try has changed nothing. All
 * registers are call-saved here, so this function has no arguments.
 */
static noinline __maybe_unused void retry_exit(void)
{
	exit_hook(true);
}

void kfi_exit(void)
{
	exit_hook(false);
}
EXPORT_SYMBOL(kfi_exit);

#ifdef CONFIG_X86
/* In arch/entry_x86.S. */
void kfi_exit_wide(void);
EXPORT_SYMBOL(kfi_exit_wide);
#endif
