/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the hooks after inlining find their function and its call site: in registers, in the text
 * and on the stack, as entry_x86.S, entry_arm.S, entry_arm64.S and entry_riscv.S draw it. Only for
 * hooks/entry.c and hooks/exit.c. In these files the compiler does not use ip of arm, x9 and x10 of
 * arm64, and t3 and t4 of riscv.
 */
#ifndef KFI_ENTRY_H
#define KFI_ENTRY_H

#include <linux/kconfig.h>
#include <linux/preempt.h>
#include <linux/types.h>

#include "core/port.h"

#if defined(CONFIG_ARM64) || defined(CONFIG_RISCV)

/* Call kfi_hook_exit_outline() with what is in these registers. No other register changes. */
void kfi_exit_saving(void);

#ifdef CONFIG_ARM64
register unsigned long kfi_return_address asm("x9");
register unsigned long kfi_function asm("x10");
#else
register unsigned long kfi_return_address asm("t3");
register unsigned long kfi_function asm("t4");
#endif

#define kfi_entry_func()	kfi_function
#define kfi_entry_site()	kfi_return_address
#define kfi_exit_func()		kfi_function

static __always_inline void kfi_exit_outline(unsigned long func, bool tried)
{
	kfi_exit_saving();
}

#elif defined(CONFIG_ARM)

/* Call kfi_hook_exit_outline(). The stub finds the function as the hooks do. */
void kfi_exit_saving(void);

register unsigned long kfi_return_address asm("ip");

/*
 * Bytes from the hook's return address to the word with the function's address. Return addresses in
 * Thumb-2 code have bit 0 set.
 */
#define FUNC_OF_ENTRY	(8 - KFI_THUMB_BIT)
#define FUNC_OF_EXIT	(4 - KFI_THUMB_BIT)

/*
 * Read a word of text. The asm is not volatile, so that the compiler reads the word where it is
 * needed, also behind stores: text does not change.
 */
#define kfi_word(at, offset) ({								\
	unsigned long _word;								\
											\
	asm("ldr %0, [%1, %2]" : "=r" (_word) : "r" (at), "i" (offset));		\
	_word;										\
})

#define kfi_entry_func()	kfi_word(__builtin_return_address(0), FUNC_OF_ENTRY)
#define kfi_entry_site()	(kfi_return_address - KFI_THUMB_BIT)
#define kfi_exit_func()		kfi_word(__builtin_return_address(0), FUNC_OF_EXIT)

/*
 * kfi_fast_fill() by one instruction, which stores registers in the order of their numbers: so the
 * members of struct kfi_frame have this order, too. @zero is in its register already.
 */
#ifdef CONFIG_THUMB2_KERNEL
#define SITE_REGISTER	"r10"
#else
#define SITE_REGISTER	"ip"
#endif
#define kfi_hook_fill(above, now, dropped_, zero, func_, site_) do {			\
	register u32 _dropped asm("r5") = (u32)(dropped_);				\
	register u32 _child_low asm("r6") = 0;						\
	register u32 _child_high asm("r7") = (zero);					\
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

static __always_inline void kfi_exit_outline(unsigned long func, bool tried)
{
	kfi_exit_saving();
}

#else

/* Call kfi_hook_exit_outline(). No register that is in use at an exit changes. */
void kfi_exit_saving(unsigned long func, bool tried);

#define CALL_INSN_SIZE	5

/* Bytes of a return. A kernel that shortens the jump at boot fills the rest with int3. */
#if IS_ENABLED(CONFIG_RETHUNK) || IS_ENABLED(CONFIG_MITIGATION_RETHUNK)
#define RETURN_SIZE	5
#else
#define RETURN_SIZE	1
#endif

#define INT3		0xcc

/* Bytes before the call: with kernel IBT endbr64, or a nop of the same length (kfi_plugin.c). */
#define ENDBR_SIZE	(IS_ENABLED(CONFIG_X86_KERNEL_IBT) ? 4 : 0)

/* Return the function that has called kfi_entry(), which returns to @to. */
static __always_inline unsigned long kfi_caller(unsigned long to)
{
	return to - CALL_INSN_SIZE - ENDBR_SIZE;
}

/*
 * Return the function that has called kfi_exit(), which returns to @to: to the function's return.
 * Behind that is an instruction that is never executed, whose operand leads to the function.
 */
static __always_inline unsigned long kfi_leaver(const u8 *to)
{
	to += RETURN_SIZE;
	if ((IS_ENABLED(CONFIG_SLS) || IS_ENABLED(CONFIG_MITIGATION_SLS)) && *to == INT3)
		to++;
	to++;
	return (unsigned long)to + *(const s32 *)to;
}

/* On the stack is the hook's return address, and above it that of the instrumented function. */
#define kfi_entry_func()	kfi_caller(((unsigned long *)__builtin_dwarf_cfa())[-1])
#define kfi_entry_site()	(((unsigned long *)__builtin_dwarf_cfa())[0])
#define kfi_exit_func()		kfi_leaver(__builtin_return_address(0))

/*
 * The call site is on the stack at an exit, too. Reading it takes fewer instructions than computing
 * the function. Kernels with kprobes compute it: return probes replace return addresses, and a
 * probe at a call site keeps the site as it was, so that a call may have an exit but no entry.
 */
#if !IS_ENABLED(CONFIG_KPROBES)
#define KFI_EXIT_BY_SITE
#define kfi_exit_site()		kfi_entry_site()
#endif

static __always_inline void kfi_exit_outline(unsigned long func, bool tried)
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

/* Call kfi_hook_resched(). No register that is in use at an entry or an exit changes. */
void kfi_resched_saving(void);

#endif /* KFI_ENTRY_H */
