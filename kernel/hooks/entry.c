// SPDX-License-Identifier: GPL-2.0
/*
 * The entry hook of functions that were instrumented after inlining: the fast path (fast.h) of
 * tasks, and on x86 and arm of interrupts. Everything else is done by kfi_entry_saving() in
 * arch/entry_x86.S, entry_arm.S, entry_arm64.S and entry_riscv.S, which describe such functions.
 *
 * At an entry the argument registers are in use. (%rax of x86 is not: it would have the number of
 * arguments in vector registers, and a kernel has none.) So this file is compiled with the argument
 * registers as call-saved ones (see Makefile), and the hook saves only those few that it needs:
 * none on arm64, one on x86, a few on riscv, and all by one instruction on arm. No other function
 * knows this convention. Must hold: the hook calls nothing. It ends with a jump to a stub that
 * saves all registers (scripts/check-sites tests it).
 *
 * Call sites are nops without a session, so the hook does not check whether there is one.
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/kfi.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "arch/entry.h"
#include "hooks/hook.h"

/*
 * x86: handle an entry that kfi_entry() did not. In an interrupt this is the fast path, which saves
 * fewer registers than kfi_entry_saving(). Must hold: kfi_entry() jumps to this function, so that
 * the stack is the same.
 */
static noinline __maybe_unused void enter_outline(void)
{
	unsigned int ctx = kfi_context();
	enum kfi_path path = KFI_PATH_SLOW;
	struct kfi_stack *s;
	struct kfi_frame *f;

	/* Preemption is off in an interrupt. */
	if (likely(ctx != KFI_CTX_TASK)) {
		s = READ_ONCE(current->kfi.stack);
		path = kfi_fast_enter(&kfi_fast, s, kfi_entry_func(), kfi_entry_site(), ctx, &f);
		if (unlikely(path == KFI_PATH_UNDO))
			kfi_fast_undo(s, f, ctx);
	}
	if (unlikely(path != KFI_PATH_DONE))
		kfi_entry_saving();
}

/*
 * The entry hook: push a plain frame. If that fails, or if an interrupt came during the push
 * (KFI_PATH_UNDO), leave the entry to hook.c, on x86 by way of enter_outline().
 */
void kfi_entry(void)
{
	struct kfi_stack *s;
	struct kfi_frame *f;
	enum kfi_path path;
	bool resched;

	preempt_disable_notrace();
	s = READ_ONCE(current->kfi.stack);
	path = kfi_hook_enter(&kfi_fast, s, kfi_entry_func(), kfi_entry_site(), &f);
	if (unlikely(path == KFI_PATH_UNDO))
		kfi_fast_undo(s, f, KFI_CTX_TASK);
	resched = kfi_preempt_enable();
	if (likely(path == KFI_PATH_DONE)) {
		if (resched)
			kfi_resched_saving();
	} else if (IS_ENABLED(CONFIG_X86)) {
		enter_outline();
	} else {
		kfi_entry_saving();
	}
}
EXPORT_SYMBOL(kfi_entry);
