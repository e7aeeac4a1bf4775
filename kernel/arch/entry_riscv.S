/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that were instrumented after inlining (plugin/kfi_plugin.c) jump away and back, on
 * riscv:
 *
 *	func:	j	1f			a site: see arch.h
 *		...
 *		j	2f			a site
 *		ret
 *
 *	1:	mv	t3, ra
 *		lla	t4, func
 *		call	kfi_entry
 *		mv	ra, t3
 *		j	func + 4
 *	2:	lla	t4, func
 *		tail	kfi_exit		and from there to the caller
 *
 * A hook may change only registers that are free at this place; t3 and t4 change only here. At an
 * entry the arguments are in use, and t2, by which a nested function finds the variables of the
 * function around it. The linker may need t0 and t1 to reach a hook. The fast path (hooks/entry.c,
 * hooks/exit.c) is compiled for this. Here are the stubs that save all registers for the slow path,
 * and the calls with which session/cost.c measures the hooks.
 */
#include <linux/linkage.h>

	.text

/*
 * Saves all registers that a function may use, and calls @to. Its arguments are the function,
 * @second, and a2 after the instruction @third. ra and s0 are saved where a function with a frame
 * pointer saves them, and s0 is this frame pointer.
 */
.macro SAVING name to second third:vararg
SYM_FUNC_START(\name)
	addi	sp, sp, -96
	sd	a0, 0(sp)
	sd	a1, 8(sp)
	sd	a2, 16(sp)
	sd	a3, 24(sp)
	sd	a4, 32(sp)
	sd	a5, 40(sp)
	sd	a6, 48(sp)
	sd	a7, 56(sp)
	sd	t2, 64(sp)
	sd	t3, 72(sp)
	sd	s0, 80(sp)
	sd	ra, 88(sp)
	addi	s0, sp, 96
	\third
	mv	a0, t4
	mv	a1, \second
	call	\to
	ld	a0, 0(sp)
	ld	a1, 8(sp)
	ld	a2, 16(sp)
	ld	a3, 24(sp)
	ld	a4, 32(sp)
	ld	a5, 40(sp)
	ld	a6, 48(sp)
	ld	a7, 56(sp)
	ld	t2, 64(sp)
	ld	t3, 72(sp)
	ld	s0, 80(sp)
	ld	ra, 88(sp)
	addi	sp, sp, 96
	ret
SYM_FUNC_END(\name)
.endm

	SAVING kfi_entry_saving, kfi_hook_enter_outline, t3, mv a2, sp
	SAVING kfi_exit_saving, kfi_hook_exit_outline, zero, mv a2, a0
#ifdef CONFIG_PREEMPTION
	SAVING kfi_resched_saving, kfi_hook_resched, zero
#endif

/* Instructions of four bytes, as those of sites are; the assembler would choose shorter ones. */
.macro JUMP to
	.insn	uj 0x6f, zero, \to
.endm
.macro NOP
	.insn	i 0x13, 0, zero, zero, 0
.endm

/* A function that is called n times, as functions are: with hooks, or with its sites disabled. */
.macro CALLS name on
SYM_FUNC_START(\name)
	addi	sp, sp, -16
	sd	s1, 0(sp)
	sd	ra, 8(sp)
	mv	s1, a0
.Lcall\@:
	jal	.Lfunc\@
	addiw	s1, s1, -1
	bnez	s1, .Lcall\@
	ld	s1, 0(sp)
	ld	ra, 8(sp)
	addi	sp, sp, 16
	ret
.Lfunc\@:
	.if \on
	JUMP	.Lentry\@
.Lbody\@:
	JUMP	.Lexit\@
	.else
	NOP
	NOP
	.endif
	ret
	.if \on
.Lentry\@:
	mv	t3, ra
	lla	t4, .Lfunc\@
	call	kfi_entry
	mv	ra, t3
	j	.Lbody\@
.Lexit\@:
	lla	t4, .Lfunc\@
	tail	kfi_exit
	.endif
SYM_FUNC_END(\name)
.endm

	/* void kfi_hook_calls(u32 n), void kfi_hook_no_calls(u32 n): see hooks/live.h. */
	CALLS kfi_hook_calls, 1
	CALLS kfi_hook_no_calls, 0
