// SPDX-License-Identifier: GPL-2.0
/*
 * What functions call first that were instrumented after inlining: the short way of kfi_fast.h. All
 * else is done by kfi_entry_saving(), in kfi_entry_x86.S, where is said what such functions look
 * like.
 *
 * In use are the registers that arguments are passed in; not %rax, which says how many of them are
 * vector registers, of which a kernel has none, nor %r10 and %r11. So this file is compiled with
 * all others as such that a function leaves alone (see Makefile), and only those few are saved that
 * the short way takes. Nobody else knows of that: nothing may be called here, but jumped to at the
 * end what saves them all. scripts/check-sites looks after it.
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/kfi.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <asm/ibt.h>

#include "kfi_cost.h"
#include "kfi_fast.h"
#include "kfi_hook.h"

#define CALL_INSN_SIZE	5

/* From where it returns to; a function that is never jumped to has no endbr64. */
static __always_inline unsigned long caller_of(unsigned long to)
{
	const u32 *func = (const u32 *)(to - CALL_INSN_SIZE);

	return (unsigned long)(is_endbr(func[-1]) ? func - 1 : func);
}

/* Return: is all done? @from: above where it returns to. */
static __always_inline bool enter(const struct kfi_fast *fast, const unsigned long *from)
{
	enum kfi_way way = KFI_WAY_LONG;
	struct kfi_stack *s;
	struct kfi_frame *f;

	preempt_disable_notrace();
	s = READ_ONCE(current->kfi.stack);
	if (likely(kfi_context() == KFI_CTX_TASK))
		way = kfi_fast_enter(fast, s, caller_of(from[-1]), from[0], KFI_CTX_TASK, false,
				     &f);
	if (unlikely(way == KFI_WAY_MORE))
		kfi_fast_undo(s, f, KFI_CTX_TASK);
	preempt_enable_notrace();
	return likely(way == KFI_WAY_DONE);
}

void kfi_entry(void)
{
	if (unlikely(kfi_fast.on & 1) && !enter(&kfi_fast, __builtin_dwarf_cfa()))
		kfi_entry_saving();
}
EXPORT_SYMBOL(kfi_entry);

/* The same for kfi_hook_calls(). */
void kfi_entry_measured(void)
{
	if (unlikely(kfi_cost_fast.on & 1) && !enter(&kfi_cost_fast, __builtin_dwarf_cfa()))
		kfi_entry_measured_saving();
}
