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

/* Return: as kfi_hook_exit(). Preemption is on again, but for KFI_WAY_MORE; @resched: as there. */
static __always_inline enum kfi_way leave(const struct kfi_fast *fast, unsigned long func,
					  struct kfi_stack **s, struct kfi_frame **f, u64 *dur,
					  bool *resched)
{
	enum kfi_way way;

	preempt_disable_notrace();
	*s = READ_ONCE(current->kfi.stack);
	way = kfi_hook_exit(fast, *s, func, f, dur);
	if (way != KFI_WAY_MORE)
		*resched = kfi_preempt_enable();
	return way;
}

/*
 * KFI_WAY_MORE. Return: 0, or the function, whose record is no packed one. That is looked up again:
 * no register should be saved for it.
 */
static __always_inline unsigned long keep(const struct kfi_fast *fast, struct kfi_stack *s,
					  struct kfi_frame *f, u64 dur, bool *resched)
{
	unsigned long func = 0;

	if (unlikely(!kfi_fast_keep(fast, s, f, f->func - fast->text, fast->text, KFI_CTX_TASK,
				    dur)))
		func = READ_ONCE(f->func);
	*resched = kfi_preempt_enable();
	return func;
}

void kfi_exit(void)
{
	unsigned long func = kfi_exit_func();
	struct kfi_stack *s;
	struct kfi_frame *f;
	enum kfi_way way;
	bool resched;
	u64 dur;

	way = leave(&kfi_fast, func, &s, &f, &dur, &resched);
	if (way == KFI_WAY_MORE) {
		func = keep(&kfi_fast, s, f, dur, &resched);
		if (unlikely(func))
			kfi_exit_more(func, false);
		else if (resched)
			kfi_resched_saving();
	} else if (unlikely(way == KFI_WAY_LONG)) {
		kfi_exit_more(func, true);
	} else if (resched) {
		kfi_resched_saving();
	}
}
EXPORT_SYMBOL(kfi_exit);

/* The same for kfi_hook_calls(). */
void kfi_exit_measured(void)
{
	unsigned long func = kfi_exit_func();
	struct kfi_stack *s;
	struct kfi_frame *f;
	enum kfi_way way;
	bool resched;
	u64 dur;

	way = leave(&kfi_cost_fast, func, &s, &f, &dur, &resched);
	if (way == KFI_WAY_MORE)
		func = keep(&kfi_cost_fast, s, f, dur, &resched);
	if (unlikely(way != KFI_WAY_DONE && func))
		kfi_exit_measured_more(func);
	else if (resched)
		kfi_resched_saving();
}
