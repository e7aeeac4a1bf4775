/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Functions that were instrumented after inlining (plugin/kfi_plugin.c), on arm:
 *
 *	func:	b	1f			a site: see arch.h
 *		...
 *		bl	kfi_exit		a site, where lr has been saved
 *		pop	{..., pc}
 *		.word	func
 *		...
 *		b	3f			a site, where lr is the return address
 *		bx	lr
 *
 *	1:	mov	ip, lr
 *		bl	kfi_entry
 *		mov	lr, ip
 *		b	func + 4
 *		.word	func
 *	3:	mov	ip, lr
 *		bl	kfi_exit
 *		bx	ip
 *		.word	func
 *
 * In Thumb-2 code a return may have two bytes, too few for a site. So kfi_exit() is called out of
 * line there:
 *
 *	2:	bl	kfi_exit
 *		b	to the return
 *		.word	func
 *
 * The hooks find the function behind the address to which they return: FUNC_* below and entry.h.
 * They may change only ip, and lr as shown. At an exit the stack need not be aligned as for a call.
 * The fast path (hooks/entry.c, hooks/exit.c) is compiled for this. Here are the stubs that save
 * all registers for the slow path, and the calls with which session/cost.c measures the hooks.
 */
#include <linux/linkage.h>
#include <asm/assembler.h>

/*
 * Bytes from the hook's return address to the word with the function's address. Return addresses in
 * Thumb-2 code have bit 0 set.
 */
#ifdef CONFIG_THUMB2_KERNEL
#define FUNC_OF_ENTRY	7
#define FUNC_OF_EXIT	3
#else
#define FUNC_OF_ENTRY	8
#define FUNC_OF_EXIT	4
#endif

	.text

/*
 * Saves all registers that a function may use, and calls @to. Its arguments are the word at
 * @func(lr), @second, and r2 after the instruction @third, for which r4 is the address of the saved
 * registers. Without @func there are no arguments.
 */
.macro SAVING name to func second third:vararg
ENTRY(\name)
	push	{r0-r4, ip, lr}
	mov	r4, sp
	bic	r1, r4, #7
	mov	sp, r1
	.ifnb	\func
	ldr	r0, [lr, #\func]
	mov	r1, \second
	\third
	.endif
	bl	\to
	mov	sp, r4
	pop	{r0-r4, ip, pc}
ENDPROC(\name)
.endm

	SAVING kfi_entry_saving, kfi_hook_enter_outline, FUNC_OF_ENTRY, ip, mov r2, r4
	SAVING kfi_exit_saving, kfi_hook_exit_outline, FUNC_OF_EXIT, #0, ldr r2, [r4]
#ifdef CONFIG_PREEMPTION
	SAVING kfi_resched_saving, kfi_hook_resched
#endif

/* A function that is called n times, as functions are: with hooks, or with its sites disabled. */
.macro CALLS name on
ENTRY(\name)
	push	{r4, lr}
	mov	r4, r0
1:	bl	2f
2:
	.if \on
	W(b)	5f
3:	bl	kfi_exit
	.else
	W(nop)
	W(nop)
	.endif
	W(b)	4f
	.word	\name
4:	subs	r4, r4, #1
	bne	1b
	pop	{r4, pc}
	.if \on
5:	mov	ip, lr
	bl	kfi_entry
	W(mov)	lr, ip
	W(b)	3b
	.word	\name
	.endif
ENDPROC(\name)
.endm

	/* void kfi_hook_calls(u32 n), void kfi_hook_no_calls(u32 n): see hooks/live.h. */
	CALLS kfi_hook_calls, 1
	CALLS kfi_hook_no_calls, 0
