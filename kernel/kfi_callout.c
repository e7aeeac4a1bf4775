// SPDX-License-Identifier: GPL-2.0
/*
 * The callouts that -finstrument-functions puts at each function's entry and exit: the short way of
 * kfi_fast.h, for most calls. All else is done in kfi_hook.c. After inlining kfi_entry.c and
 * kfi_exit.c are called instead.
 *
 * Leaf functions, which save no register and have no frame: what calls anything is out of line, and
 * called last. Without a live run a callout is one comparison and a return. Preemption is off
 * as long as a callout is at work on a shadow stack, as kfi_hook.c has it.
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/kfi.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "kfi_cost.h"
#include "kfi_fast.h"
#include "kfi_hook.h"
#include "kfi_log.h"

void __cyg_profile_func_enter(void *func, void *site);
void __cyg_profile_func_exit(void *func, void *site);

/* The call is to be kept; preemption is off. */
static noinline void keep(struct kfi_stack *s, struct kfi_frame *f, u64 dur)
{
	unsigned long func;

	if (likely(kfi_fast_keep(&kfi_fast, s, f, dur))) {
		preempt_enable_notrace();
		return;
	}
	func = f->func;
	preempt_enable_notrace();
	kfi_exit_long(func);
}

void __cyg_profile_func_enter(void *func, void *site)
{
	enum kfi_way way = KFI_WAY_LONG;
	struct kfi_stack *s;
	struct kfi_frame *f;

	if (likely(!(kfi_fast.on & 1)))	/* one instruction */
		return;
	preempt_disable_notrace();
	s = READ_ONCE(current->kfi.stack);
	if (likely(kfi_context() == KFI_CTX_TASK))
		way = kfi_fast_enter(&kfi_fast, s, (unsigned long)func, (unsigned long)site, &f);
	if (unlikely(way == KFI_WAY_MORE))
		kfi_fast_undo(s, f);
	preempt_enable_notrace();
	if (unlikely(way != KFI_WAY_DONE))
		kfi_enter_long((unsigned long)func, (unsigned long)site);
}
EXPORT_SYMBOL(__cyg_profile_func_enter);

void __cyg_profile_func_exit(void *func, void *site)
{
	enum kfi_way way = KFI_WAY_LONG;
	struct kfi_stack *s;
	struct kfi_frame *f;
	u64 dur;

	if (likely(!(kfi_fast.on & 1)))	/* one instruction */
		return;
	preempt_disable_notrace();
	s = READ_ONCE(current->kfi.stack);
	if (likely(kfi_context() == KFI_CTX_TASK))
		way = kfi_fast_exit(&kfi_fast, s, (unsigned long)func, &f, &dur);
	if (way == KFI_WAY_MORE) {
		keep(s, f, dur);
		return;
	}
	preempt_enable_notrace();
	if (unlikely(way == KFI_WAY_LONG))
		kfi_exit_long((unsigned long)func);
}
EXPORT_SYMBOL(__cyg_profile_func_exit);

/* ---- measuring them (kfi_cost.c): the same, but for the run, which is not the live one ---- */

static noinline void measured_enter(struct kfi_run *run, unsigned long func)
{
	struct kfi_stack *s = READ_ONCE(current->kfi.stack);
	enum kfi_way way = KFI_WAY_LONG;
	struct kfi_frame *f;

	if (likely(kfi_context() == KFI_CTX_TASK))
		way = kfi_fast_enter(run->gate, s, func, func, &f);
	if (unlikely(way == KFI_WAY_MORE))
		kfi_fast_undo(s, f);
	if (unlikely(way != KFI_WAY_DONE))
		kfi_enter_run(run, func, func);
}

static noinline void measured_exit(struct kfi_run *run, unsigned long func)
{
	struct kfi_stack *s = READ_ONCE(current->kfi.stack);
	enum kfi_way way = KFI_WAY_LONG;
	struct kfi_frame *f;
	u64 dur;

	if (likely(kfi_context() == KFI_CTX_TASK))
		way = kfi_fast_exit(run->gate, s, func, &f, &dur);
	if (unlikely(way == KFI_WAY_LONG) ||
	    (way == KFI_WAY_MORE && unlikely(!kfi_fast_keep(run->gate, s, f, dur))))
		kfi_exit_run(run, func);
}

void kfi_hook_calls(struct kfi_run *run, u32 n)
{
	unsigned long func = (unsigned long)kfi_hook_calls;

	while (n--) {
		measured_enter(run, func);
		measured_exit(run, func);
	}
}
