// SPDX-License-Identifier: GPL-2.0
/*
 * What functions call last that were instrumented after inlining: for exits what kfi_entry.c is for
 * entries. In use are the registers in which values are returned, %rax and %rdx.
 */
#include <linux/compiler.h>
#include <linux/export.h>
#include <linux/kconfig.h>
#include <linux/kfi.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "kfi_cost.h"
#include "kfi_fast.h"
#include "kfi_hook.h"

/* What the kernel makes of the jump as it boots is not longer, and filled with int3. */
#if IS_ENABLED(CONFIG_RETHUNK) || IS_ENABLED(CONFIG_MITIGATION_RETHUNK)
#define RETURN_SIZE	5
#else
#define RETURN_SIZE	1
#endif

#define INT3		0xcc

/* From where it returns to: behind the return is the operand of a test, behind its opcode. */
static __always_inline unsigned long caller_of(const u8 *to)
{
	to += RETURN_SIZE;
	if ((IS_ENABLED(CONFIG_SLS) || IS_ENABLED(CONFIG_MITIGATION_SLS)) && *to == INT3)
		to++;
	to++;
	return (unsigned long)to + *(const s32 *)to;
}

/* Return: what is done; KFI_WAY_MORE: it is to be kept by a record that is not packed. */
static __always_inline enum kfi_way leave(const struct kfi_fast *fast, unsigned long func)
{
	enum kfi_way way = KFI_WAY_LONG;
	struct kfi_stack *s;
	struct kfi_frame *f;
	u64 dur;

	preempt_disable_notrace();
	s = READ_ONCE(current->kfi.stack);
	if (likely(kfi_context() == KFI_CTX_TASK))
		way = kfi_fast_exit(fast, s, func, KFI_CTX_TASK, &f, &dur);
	if (way == KFI_WAY_MORE &&
	    likely(kfi_fast_keep(fast, s, f, func - fast->text, KFI_CTX_TASK, dur)))
		way = KFI_WAY_DONE;
	preempt_enable_notrace();
	return way;
}

void kfi_exit(void)
{
	unsigned long func;
	enum kfi_way way;

	if (likely(!(kfi_fast.on & 1)))
		return;
	func = caller_of(__builtin_return_address(0));
	way = leave(&kfi_fast, func);
	if (unlikely(way != KFI_WAY_DONE))
		kfi_exit_saving(func, way == KFI_WAY_LONG);
}
EXPORT_SYMBOL(kfi_exit);

/*
 * The same for kfi_hook_calls(). Written out once more: from a function that both inline gcc saves
 * registers before the first test.
 */
void kfi_exit_measured(void)
{
	unsigned long func;

	if (likely(!(kfi_cost_fast.on & 1)))
		return;
	func = caller_of(__builtin_return_address(0));
	if (unlikely(leave(&kfi_cost_fast, func) != KFI_WAY_DONE))
		kfi_exit_measured_saving(func);
}
