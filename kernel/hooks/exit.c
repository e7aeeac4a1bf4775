// SPDX-License-Identifier: GPL-2.0
/*
 * The exit hook of functions that were instrumented after inlining: as entry.c, but the registers
 * in use are those of return values.
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/kfi.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "arch/entry.h"
#include "hooks/hook.h"

/*
 * KFI_WAY_MORE, to the end. The function is looked up again if its record is no packed one: no
 * register should be saved for it.
 */
static __always_inline void keep(struct kfi_stack *s, struct kfi_frame *f, u64 dur, u32 below)
{
	unsigned long func = 0;
	bool resched;

	if (unlikely(!kfi_fast_keep(&kfi_fast, s, f, f->func - kfi_fast.text, kfi_fast.text,
				    KFI_CTX_TASK, dur, below)))
		func = READ_ONCE(f->func);
	resched = kfi_preempt_enable();
	if (unlikely(func))
		kfi_exit_more(func, false);
	else if (resched)
		kfi_resched_saving();
}

/*
 * The same if there are calls below without a record, on x86. It needs a register more than are
 * free, so it is out of line: no other exit should save one. For two arguments there are registers.
 * @top: above the frame
 * @more: @dur, and @below above it. Where @dur has more bits all of them are set: then a packed
 *	record has no room for it either way
 */
static noinline __maybe_unused void keep_below(struct kfi_frame *top, u64 more)
{
	keep(READ_ONCE(current->kfi.stack), top - 1, (u32)more, more >> 32);
}

void kfi_exit(void)
{
	unsigned long func = kfi_exit_func();
	struct kfi_stack *s;
	struct kfi_frame *f;
	enum kfi_way way;
	bool resched;
	u32 below;
	u64 dur;

	preempt_disable_notrace();
	s = READ_ONCE(current->kfi.stack);
	way = kfi_hook_exit(&kfi_fast, s, func, &f, &dur, &below);
	if (way == KFI_WAY_MORE) {
		if (!IS_ENABLED(CONFIG_X86))
			keep(s, f, dur, below);
		else if (unlikely(below))
			keep_below(f + 1, min_t(u64, dur, U32_MAX) | (u64)below << 32);
		else
			keep(s, f, dur, 0);
		return;
	}
	resched = kfi_preempt_enable();
	if (unlikely(way == KFI_WAY_LONG))
		kfi_exit_more(func, true);
	else if (resched)
		kfi_resched_saving();
}
EXPORT_SYMBOL(kfi_exit);
