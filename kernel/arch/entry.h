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

/* kfi_hook_exit_outline(), of what is in these registers; no other one changes. */
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

/* kfi_hook_exit_outline(), of the function that it finds as the hooks do. */
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

/* kfi_fast_fill(), by one instruction: registers that it stores lie in memory in their order. */
#ifdef CONFIG_THUMB2_KERNEL
#define SITE_REGISTER	"r10"
#else
#define SITE_REGISTER	"ip"
#endif
#define kfi_hook_fill(above, now, dropped_, func_, site_) do {				\
	register u32 _dropped asm("r5") = (u32)(dropped_);				\
	register u32 _child_low asm("r6") = 0;						\
	register u32 _child_high asm("r7") = 0;						\
	register u32 _low asm("r8") = (u32)(now);					\
	register u32 _high asm("r9") = (u32)((now) >> 32);				\
	register unsigned long _site asm(SITE_REGISTER) = (site_);			\
	register unsigned long _func asm("lr") = (func_);				\
											\
	static_assert(offsetof(struct kfi_frame, dropped) == sizeof(struct kfi_frame) - 28); \
	static_assert(offsetof(struct kfi_frame, child) == sizeof(struct kfi_frame) - 24); \
	static_assert(offsetof(struct kfi_frame, entry) == sizeof(struct kfi_frame) - 16); \
	static_assert(offsetof(struct kfi_frame, site) == sizeof(struct kfi_frame) - 8); \
	asm volatile("stmdb %0, {%1, %2, %3, %4, %5, %6, %7}"				\
		     : : "r" (above), "r" (_dropped), "r" (_child_low),			\
			 "r" (_child_high), "r" (_low), "r" (_high), "r" (_site),	\
			 "r" (_func) : "memory");					\
} while (0)

static __always_inline void kfi_exit_more(unsigned long func, bool tried)
{
	kfi_exit_saving();
}

#else

/* kfi_hook_exit_outline(): no register changes that is in use there. */
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
