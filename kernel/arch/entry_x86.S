/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that were instrumented after inlining (plugin/kfi_plugin.c) call with no argument:
 *
 *	func:	endbr64				if the kernel has it, or a nop as long
 *		call kfi_entry			a site: see arch.h
 *		...
 *		call kfi_exit			a site; kfi_exit_wide: see there
 *		ret				or jmp __x86_return_thunk; int3 may follow
 *		.byte 0xa9; .long func - .	never executed
 *
 * At both calls the stack is as at the function's first instruction: above the return address of
 * the hook lies that of the function. A hook may change only registers that are free there. The
 * fast path (hooks/entry.c, hooks/exit.c) is compiled for this. Here are the stubs that save all
 * registers for the slow path, and the calls with which session/cost.c measures the hooks.
 */
#include <linux/linkage.h>
#include <asm/frame.h>
#include <asm/nops.h>
#include <asm/nospec-branch.h>

#define CALL_INSN_SIZE	5
#ifdef CONFIG_X86_KERNEL_IBT
#define ENDBR_SIZE	4
#else
#define ENDBR_SIZE	0
#endif

#if defined(CONFIG_RETHUNK) || defined(CONFIG_MITIGATION_RETHUNK)
#define RETURN_SIZE	5
#else
#define RETURN_SIZE	1
#endif

	.text

/*
 * Calls kfi_hook_enter_outline(). The stack has the return addresses of the hook and of the
 * function, as for kfi_entry(). The registers of arguments are pushed so that they lie in memory in
 * their order.
 */
SYM_FUNC_START(kfi_entry_saving)
	FRAME_BEGIN
	pushq	%r9
	pushq	%r8
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	movq	%rsp, %rdx
	movq	FRAME_OFFSET + 6*8(%rsp), %rdi
	movq	FRAME_OFFSET + 7*8(%rsp), %rsi
	subq	$CALL_INSN_SIZE + ENDBR_SIZE, %rdi
	call	kfi_hook_enter_outline
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%rcx
	popq	%r8
	popq	%r9
	FRAME_END
	RET
SYM_FUNC_END(kfi_entry_saving)

/*
 * Calls kfi_hook_exit_outline() with its own arguments, whose registers are free at an exit, and
 * with the return value.
 */
SYM_FUNC_START(kfi_exit_saving)
	FRAME_BEGIN
	pushq	%rax
	pushq	%rdx
	movq	%rax, %rdx
	call	kfi_hook_exit_outline
	popq	%rdx
	popq	%rax
	FRAME_END
	RET
SYM_FUNC_END(kfi_exit_saving)

/*
 * The exit hook of functions that return a value in two registers: there are few. kfi_exit() does
 * not save the second register. The function is found as by kfi_leaver() of entry.h.
 */
SYM_FUNC_START(kfi_exit_wide)
	movq	(%rsp), %rdi
#if defined(CONFIG_SLS) || defined(CONFIG_MITIGATION_SLS)
	cmpb	$0xcc, RETURN_SIZE(%rdi)
	jne	.Lno_int3
	incq	%rdi
.Lno_int3:
#endif
	movslq	RETURN_SIZE + 1(%rdi), %rsi
	leaq	RETURN_SIZE + 1(%rdi, %rsi), %rdi
	xorl	%esi, %esi
	jmp	kfi_exit_saving
SYM_FUNC_END(kfi_exit_wide)

/* A function that is called n times, as functions are: with hooks, or with its sites disabled. */
.macro CALLS name on
SYM_FUNC_START(\name)
	FRAME_BEGIN
	pushq	%rbx
	movl	%edi, %ebx
.Lcall\@:
	pushq	$\name			/* the call site */
.Lfunc\@:
	.fill	ENDBR_SIZE, 1, 0x90
	.if \on
	call	kfi_entry
	.else
	.byte	BYTES_NOP5
	.endif
	.if \on
	call	kfi_exit
	.else
	.byte	BYTES_NOP5
	.endif
	/* What follows the call in a function, with nops of the same length instead of a return. */
	.fill	RETURN_SIZE, 1, 0x90
	.byte	0xa9
	.long	.Lfunc\@ - .
	popq	%rax
	decl	%ebx
	jnz	.Lcall\@
	popq	%rbx
	FRAME_END
	RET
SYM_FUNC_END(\name)
.endm

	/* void kfi_hook_calls(u32 n), void kfi_hook_no_calls(u32 n): see hooks/live.h. */
	CALLS kfi_hook_calls, 1
	CALLS kfi_hook_no_calls, 0
