/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the entry and exit hooks of functions that were instrumented after inlining find in
 * registers, in text and on the stack: see entry_x86.S, entry_arm.S and entry_arm64.S. Only for
 * hooks/entry.c and hooks/exit.c; in these ip of arm and x9 and x10 of arm64 are set apart.
 */
#ifndef KFI_ENTRY_H
#define KFI_ENTRY_H

#include <linux/kconfig.h>
#include <linux/preempt.h>
#include <linux/types.h>

#ifdef CONFIG_ARM64

/* kfi_exit_other(), of what is in these registers; no other one changes. */
void kfi_exit_saving(void);

register unsigned long kfi_return_address asm("x9");
register unsigned long kfi_function asm("x10");

#define kfi_entry_func()	kfi_function
#define kfi_entry_site()	kfi_return_address
#define kfi_exit_func()		kfi_function

static __always_inline void kfi_exit_more(unsigned long func, bool tried)
{
	kfi_exit_saving();
}

#elif defined(CONFIG_ARM)

/* kfi_exit_other(), of the function that it finds as the hooks do. */
void kfi_exit_saving(void);

register unsigned long kfi_return_address asm("ip");

/* Behind where it returns to: return addresses in Thumb-2 code have bit 0 set. */
#define THUMB_BIT	IS_ENABLED(CONFIG_THUMB2_KERNEL)
#define FUNC_OF_ENTRY	(8 - THUMB_BIT)
#define FUNC_OF_EXIT	(4 - THUMB_BIT)

/* Not before it is needed: text does not change, whatever is stored elsewhere. */
#define kfi_word(at, offset) ({								\
	unsigned long _word;								\
											\
	asm("ldr %0, [%1, %2]" : "=r" (_word) : "r" (at), "i" (offset));		\
	_word;										\
})

#define kfi_entry_func()	kfi_word(__builtin_return_address(0), FUNC_OF_ENTRY)
#define kfi_entry_site()	(kfi_return_address - THUMB_BIT)
#define kfi_exit_func()		kfi_word(__builtin_return_address(0), FUNC_OF_EXIT)

static __always_inline void kfi_exit_more(unsigned long func, bool tried)
{
	kfi_exit_saving();
}

#else

/* kfi_exit_other(): no register changes that is in use there. */
void kfi_exit_saving(unsigned long func, bool tried);

#define CALL_INSN_SIZE	5

/* What the kernel makes of the jump as it boots is not longer, and filled with int3. */
#if IS_ENABLED(CONFIG_RETHUNK) || IS_ENABLED(CONFIG_MITIGATION_RETHUNK)
#define RETURN_SIZE	5
#else
#define RETURN_SIZE	1
#endif

#define INT3		0xcc

/* With kernel IBT endbr64, or a nop that is as long, is before the call: see kfi_plugin.c. */
#define ENDBR_SIZE	(IS_ENABLED(CONFIG_X86_KERNEL_IBT) ? 4 : 0)

static __always_inline unsigned long kfi_caller(unsigned long to)
{
	return to - CALL_INSN_SIZE - ENDBR_SIZE;
}

/* Behind the return is the operand of a test, behind its opcode. */
static __always_inline unsigned long kfi_leaver(const u8 *to)
{
	to += RETURN_SIZE;
	if ((IS_ENABLED(CONFIG_SLS) || IS_ENABLED(CONFIG_MITIGATION_SLS)) && *to == INT3)
		to++;
	to++;
	return (unsigned long)to + *(const s32 *)to;
}

/* What is on the stack where they were called: from where they return to, and their caller. */
#define kfi_entry_func()	kfi_caller(((unsigned long *)__builtin_dwarf_cfa())[-1])
#define kfi_entry_site()	(((unsigned long *)__builtin_dwarf_cfa())[0])
#define kfi_exit_func()		kfi_leaver(__builtin_return_address(0))

static __always_inline void kfi_exit_more(unsigned long func, bool tried)
{
	kfi_exit_saving(func, tried);
}

#endif

/**
 * kfi_preempt_enable() - preempt_enable_notrace(), in a hook that may call nothing but at its end.
 *
 * Context: a hook.
 * Return: true: the task should be preempted now, by kfi_resched_saving() at the end.
 */
static __always_inline bool kfi_preempt_enable(void)
{
#if defined(CONFIG_PREEMPTION) && !defined(CONFIG_X86)
	barrier();
	return unlikely(__preempt_count_dec_and_test());
#else
	/* x86 calls the scheduler by a stub that saves all registers. */
	preempt_enable_notrace();
	return false;
#endif
}

/* kfi_hook_resched(): no register changes that is in use at an entry or an exit. */
void kfi_resched_saving(void);

#endif /* KFI_ENTRY_H */
