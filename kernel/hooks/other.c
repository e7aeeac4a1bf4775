// SPDX-License-Identifier: GPL-2.0
/*
 * What callouts do not begin with, being leaf functions made for what tasks call: what interrupts
 * call, and records that are not packed. It is the short way all the same; what that cannot do goes
 * the long way from here. Called by hooks/cyg_profile.c, and where functions are instrumented after
 * inlining by arch/entry_x86.S and arch/entry_arm64.S.
 */
#include <linux/compiler.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "hooks/fast.h"
#include "hooks/hook.h"

void kfi_enter_other(unsigned long func, unsigned long site)
{
	unsigned int ctx = kfi_context();
	struct kfi_stack *s;
	struct kfi_frame *f;
	enum kfi_way way;

	preempt_disable_notrace();
	s = READ_ONCE(current->kfi.stack);
	way = kfi_fast_enter(&kfi_fast, s, func, site, ctx, &f);
	if (unlikely(way == KFI_WAY_MORE))
		kfi_fast_undo(s, f, ctx);
	preempt_enable_notrace();
	if (unlikely(way != KFI_WAY_DONE))
		kfi_enter_long(func, site);
}

void kfi_keep_wide(unsigned long rel, struct kfi_frame *top, u64 dur, struct kfi_stack *s,
		   unsigned int ctx)
{
	bool kept = kfi_fast_keep_wide(&kfi_fast, s, top - 1, ctx, dur);
	unsigned long func = rel + kfi_fast.text;

	preempt_enable_notrace();
	if (unlikely(!kept))
		kfi_exit_long(func);
}

void kfi_exit_other(unsigned long func, bool tried)
{
	unsigned int ctx = kfi_context();
	enum kfi_way way;
	struct kfi_stack *s;
	struct kfi_frame *f;
	unsigned long rel;
	u64 dur;

	if (tried && ctx == KFI_CTX_TASK) {
		kfi_exit_long(func);
		return;
	}
	preempt_disable_notrace();
	s = READ_ONCE(current->kfi.stack);
	way = kfi_fast_exit(&kfi_fast, s, func, ctx, &f, &dur);
	if (way == KFI_WAY_MORE) {
		rel = func - kfi_fast.text;
		if (unlikely(!kfi_fast_keep(&kfi_fast, s, f, rel, kfi_fast.text, ctx, dur))) {
			kfi_keep_wide(rel, f + 1, dur, s, ctx);
			return;
		}
	}
	preempt_enable_notrace();
	if (unlikely(way == KFI_WAY_LONG))
		kfi_exit_long(func);
}
