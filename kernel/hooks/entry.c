// SPDX-License-Identifier: GPL-2.0
/*
 * What functions call first that were instrumented after inlining: the fast path of fast.h. All
 * else is done by kfi_entry_saving(), in arch/entry_x86.S and arch/entry_arm64.S, where is said
 * what such functions look like.
 *
 * In use are the registers that arguments are passed in; on x86 not %rax, which says how many of
 * them are vector registers, of which a kernel has none. So this file is compiled with those as
 * such that a function leaves alone (see Makefile), and only the few are saved that the fast path
 * takes: none on arm64. Nobody else knows of that: nothing may be called here, but jumped to at
 * the end what saves them all. scripts/check-sites looks after it.
 *
 * Where functions are instrumented after inlining call sites are nops without a run, so it is not
 * asked whether there is one.
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/kfi.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "arch/entry.h"
#include "hooks/hook.h"

/* Return: is all done? */
static __always_inline bool enter(const struct kfi_fast *fast)
{
	struct kfi_stack *s;
	struct kfi_frame *f;
	enum kfi_way way;

	preempt_disable_notrace();
	s = READ_ONCE(current->kfi.stack);
	way = kfi_hook_enter(fast, s, kfi_entry_func(), kfi_entry_site(), &f);
	if (unlikely(way == KFI_WAY_MORE))
		kfi_fast_undo(s, f, KFI_CTX_TASK);
	preempt_enable_notrace();
	return likely(way == KFI_WAY_DONE);
}

void kfi_entry(void)
{
	if (!enter(&kfi_fast))
		kfi_entry_saving();
}
EXPORT_SYMBOL(kfi_entry);

/* The same for kfi_hook_calls(). */
void kfi_entry_measured(void)
{
	if (!enter(&kfi_cost_fast))
		kfi_entry_measured_saving();
}
