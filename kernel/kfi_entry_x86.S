/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What functions call that were instrumented after inlining (plugin/kfi_plugin.c), with no argument:
 *
 *	func:	endbr64				if the kernel has it
 *		call kfi_entry			a site: see kfi_sites.h
 *		...
 *		call kfi_exit			a site
 *		ret				or jmp __x86_return_thunk; int3 may follow
 *		.byte 0xa9; .long func - .	never executed
 *
 * The stack is as it is at a function's first instruction, and at its return: above the address to
 * which the stub returns lies that of the function's caller. No register may change but those that
 * are free at this place: what it saves is therefore written down at each of them.
 */
#include <linux/linkage.h>
#include <asm/nospec-branch.h>

#define CALL_INSN_SIZE	5
#define JMP32_INSN_SIZE	5
#define RET_INSN_SIZE	1
#define INT3_INSN_OPCODE	0xcc

	.text

/*
 * In use: the registers that arguments are passed in. Not %rax, which says how many of them are
 * vector registers, of which a kernel has none, and not that of nested functions.
 */
SYM_FUNC_START(kfi_entry)
	pushq	%rcx
	pushq	%rdx
	pushq	%rsi
	pushq	%rdi
	pushq	%r8
	pushq	%r9
	movq	6*8(%rsp), %rdi
	movq	7*8(%rsp), %rsi
	subq	$CALL_INSN_SIZE, %rdi
#ifdef CONFIG_X86_KERNEL_IBT
	/* A function that is never jumped to has no endbr64; it may have been overwritten. */
	movl	-4(%rdi), %eax
	cmpl	$0xfa1e0ff3, %eax
	je	.Lendbr
	cmpl	$0x001f0f66, %eax
	jne	.Lfunc
.Lendbr:
	subq	$4, %rdi
.Lfunc:
#endif
	call	__cyg_profile_func_enter
	popq	%r9
	popq	%r8
	popq	%rdi
	popq	%rsi
	popq	%rdx
	popq	%rcx
	RET
SYM_FUNC_END(kfi_entry)

/* In use: what values are returned in. */
SYM_FUNC_START(kfi_exit)
	pushq	%rax
	pushq	%rdx
	movq	2*8(%rsp), %rax
#if defined(CONFIG_RETHUNK) || defined(CONFIG_MITIGATION_RETHUNK)
	/* A jump; what the kernel makes of it as it boots is not longer, and filled with int3. */
	addq	$JMP32_INSN_SIZE, %rax
#else
	addq	$RET_INSN_SIZE, %rax
#endif
#if defined(CONFIG_SLS) || defined(CONFIG_MITIGATION_SLS)
	cmpb	$INT3_INSN_OPCODE, (%rax)
	jne	.Loperand
	incq	%rax
.Loperand:
#endif
	/* From the operand, behind one byte of opcode. */
	movslq	1(%rax), %rdi
	leaq	1(%rax, %rdi), %rdi
	call	__cyg_profile_func_exit
	popq	%rdx
	popq	%rax
	RET
SYM_FUNC_END(kfi_exit)
