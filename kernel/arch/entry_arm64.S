/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that were instrumented after inlining (plugin/kfi_plugin.c) branch away and back:
 *
 *	func:	b	1f			a site: see arch.h
 *		...
 *		b	2f			a site
 *		ret
 *
 *	1:	mov	x9, x30
 *		adr	x10, func
 *		bl	kfi_entry
 *		mov	x30, x9
 *		b	func + 4
 *	2:	adr	x10, func
 *		b	kfi_exit		and from there to the caller
 *
 * A hook may change only registers that are free at this place; x9 and x10 change only here. The
 * fast path (hooks/entry.c, hooks/exit.c) is compiled for this. Here are the stubs that save all
 * registers for the slow path, and the calls with which session/cost.c measures the hooks.
 */
#include <linux/linkage.h>
#include <asm/assembler.h>

	.text

/*
 * Saves all registers that a function may use, and calls @to. Its arguments are the function,
 * @second, and x2 after the instruction @third.
 */
.macro SAVING name to second third:vararg
SYM_FUNC_START(\name)
	stp	x29, x30, [sp, #-96]!
	mov	x29, sp
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	stp	x6, x7, [sp, #64]
	stp	x8, x9, [sp, #80]
	\third
	mov	x0, x10
	mov	x1, \second
	bl	\to
	ldp	x0, x1, [sp, #16]
	ldp	x2, x3, [sp, #32]
	ldp	x4, x5, [sp, #48]
	ldp	x6, x7, [sp, #64]
	ldp	x8, x9, [sp, #80]
	ldp	x29, x30, [sp], #96
	ret
SYM_FUNC_END(\name)
.endm

	SAVING kfi_entry_saving, kfi_hook_enter_outline, x9, add x2, sp, #16
	SAVING kfi_exit_saving, kfi_hook_exit_outline, xzr, mov x2, x0
#ifdef CONFIG_PREEMPTION
	SAVING kfi_resched_saving, kfi_hook_resched, xzr
#endif

/* A function that is called n times, as functions are: with hooks, or with its sites disabled. */
.macro CALLS name on
SYM_FUNC_START(\name)
	stp	x29, x30, [sp, #-32]!
	mov	x29, sp
	str	x19, [sp, #16]
	mov	w19, w0
.Lcall\@:
	bl	.Lfunc\@
	subs	w19, w19, #1
	b.ne	.Lcall\@
	ldr	x19, [sp, #16]
	ldp	x29, x30, [sp], #32
	ret
.Lfunc\@:
	.if \on
	b	.Lentry\@
	b	.Lexit\@
	.else
	nop
	nop
	.endif
	ret
	.if \on
.Lentry\@:
	mov	x9, x30
	adr	x10, .Lfunc\@
	bl	kfi_entry
	mov	x30, x9
	b	.Lfunc\@ + 4
.Lexit\@:
	adr	x10, .Lfunc\@
	b	kfi_exit
	.endif
SYM_FUNC_END(\name)
.endm

	/* void kfi_hook_calls(u32 n), void kfi_hook_no_calls(u32 n): see hooks/live.h. */
	CALLS kfi_hook_calls, 1
	CALLS kfi_hook_no_calls, 0
