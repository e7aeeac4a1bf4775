// SPDX-License-Identifier: GPL-2.0
/*
 * The exit hook of functions that were instrumented after inlining: the fast path (fast.h). The
 * registers in use are those of return values. Apart from that, entry.c describes how such a hook
 * is compiled, and what must hold.
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/kfi.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "arch/entry.h"
#include "hooks/hook.h"

/*
 * Keep a call for which the fast path returned KFI_PATH_MORE. If it does not fit a packed record,
 * the function is read from the frame again, so that no register has to be saved for it.
 */
static __always_inline void keep(const struct kfi_fast *fast, struct kfi_stack *s,
				 struct kfi_frame *f, unsigned long func, u64 end, u64 dur,
				 u32 below)
{
	bool resched;

	if (unlikely(!kfi_fast_keep(fast, s, f, func - fast->text, fast->text,
				    KFI_CTX_TASK, end, dur, below)))
		func = READ_ONCE(f->func);
	else
		func = 0;
	resched = kfi_preempt_enable();
	if (unlikely(func))
		kfi_exit_more(func, false);
	else if (resched)
		kfi_resched_saving();
}

static void exit_again(void);

/*
 * The exit hook: drop the call, keep it, or leave it to hook.c (kfi_exit_more()). The cases of a
 * call to keep differ in the number of registers that they need, so each machine has its own.
 * @again: called by exit_again()
 */
static __always_inline void leave(const bool again)
{
	const struct kfi_fast *fast = &kfi_fast;
	unsigned long func = kfi_exit_func();
	struct kfi_stack *s;
	struct kfi_frame *f;
	enum kfi_path path;
	bool resched;
	u64 end, dur;
	u32 below;

	/* arm loads the address of kfi_fast once; on x86 it is part of instructions. */
	if (IS_ENABLED(CONFIG_ARM))
		OPTIMIZER_HIDE_VAR(fast);
	preempt_disable_notrace();
	s = READ_ONCE(current->kfi.stack);
	path = kfi_hook_exit(fast, s, func, again, &f, &end, &dur, &below);
	if (path == KFI_PATH_MORE) {
		if (IS_ENABLED(CONFIG_ARM64) || again) {
			keep(fast, s, f, func, end, dur, below);
			return;
		}
		if (likely(!below)) {
			keep(fast, s, f, IS_ENABLED(CONFIG_X86) ? f->func : func, end, dur, 0);
			return;
		}
		if (IS_ENABLED(CONFIG_X86)) {
			keep(fast, s, f, f->func, end, dur, below);
			return;
		}
	}
	resched = kfi_preempt_enable();
	if (unlikely(path != KFI_PATH_DONE)) {
		if (IS_ENABLED(CONFIG_ARM) && !again)
			exit_again();
		else
			kfi_exit_more(func, true);
	} else if (resched) {
		kfi_resched_saving();
	}
}

/*
 * arm: start the exit hook again, out of line, where more registers are free. It is needed if the
 * clock is not read by one instruction, or if there are calls below without a record. All registers
 * are call-saved here, so this function has no arguments.
 */
static noinline __maybe_unused void exit_again(void)
{
	leave(true);
}

void kfi_exit(void)
{
	leave(false);
}
EXPORT_SYMBOL(kfi_exit);
