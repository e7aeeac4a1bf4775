/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A kernel of a few functions for QEMU's board virt (arm64), whose calls are known. The plugin has
 * traced it, and tests/cli/qemu.t counts the calls in the trace; there is how to make both files.
 *
 * start_kernel calls initcalls[] 3 times each, a leaf 100 times, a recursive function with depth 10,
 * a function that jumps to another one 7 times, and makes 5 system calls. Two threads of the same
 * function then take 4 turns each, in another order than they have waited in.
 */
	.macro	function name
	.globl	\name
	.type	\name, %function
\name:
	.endm
	.macro	enter
	stp	x29, x30, [sp, #-32]!
	str	x19, [sp, #16]
	.endm
	.macro	leave
	ldr	x19, [sp, #16]
	ldp	x29, x30, [sp], #32
	ret
	.endm
	.text
	.globl	_start
/* The first GiB of memory at its own address, and in the kernel's half of the addresses. */
_start:
	adrp	x0, tables
	mov	x1, #0x40000000
	mov	x2, #0x701
	orr	x2, x2, x1
	str	x2, [x0, #8]
	msr	ttbr0_el1, x0
	msr	ttbr1_el1, x0
	mov	x1, #0xff
	msr	mair_el1, x1
	ldr	x1, =0x180190019
	msr	tcr_el1, x1
	isb
	mrs	x1, sctlr_el1
	orr	x1, x1, #1
	msr	sctlr_el1, x1
	isb
	ldr	x0, =stacks + 16384
	mov	sp, x0
	ldr	x0, =vectors
	msr	vbar_el1, x0
	ldr	x0, =start_kernel
	br	x0

function start_kernel
	enter
	mov	x19, #3
1:	bl	do_initcalls
	subs	x19, x19, #1
	b.ne	1b
	mov	x19, #100
2:	bl	leaf
	subs	x19, x19, #1
	b.ne	2b
	mov	x0, #10
	bl	recursive
	mov	x19, #7
3:	bl	jumps
	subs	x19, x19, #1
	b.ne	3b
	mov	x19, #5
4:	svc	#0
	subs	x19, x19, #1
	b.ne	4b
	bl	run_threads
	bl	power_off

function do_initcalls
	enter
	ldr	x19, =initcalls
1:	ldr	x0, [x19], #8
	cbz	x0, 2f
	blr	x0
	b	1b
2:	leave

function first_init
	ret
function second_init
	enter
	bl	leaf
	leave

function leaf
	ret

function recursive
	enter
	mov	x19, x0
	subs	x0, x0, #1
	b.eq	1f
	bl	recursive
1:	leave

function jumps
	b	jumped
function jumped
	ret

/* Of two threads the one that has waited less goes on first. */
function run_threads
	enter
	mov	x19, #4
	bl	run_first
	bl	run_second
	sub	x19, x19, #1
1:	bl	run_second
	bl	run_first
	subs	x19, x19, #1
	b.ne	1b
	leave

function run_first
	enter
	ldr	x0, =contexts
	add	x1, x0, #64
	bl	__switch_to
	leave
function run_second
	enter
	ldr	x0, =contexts
	add	x1, x0, #128
	bl	__switch_to
	leave

function thread
1:	bl	turn
	bl	schedule
	b	1b
function turn
	ret
/* Back to start_kernel. */
function schedule
	enter
	mov	x0, sp
	ldr	x1, =stacks
	sub	x0, x0, x1
	lsr	x0, x0, #14
	ldr	x1, =contexts
	add	x0, x1, x0, lsl #6
	bl	__switch_to
	leave

function __switch_to
	enter
	bl	cpu_switch_to
	leave
function cpu_switch_to
	mov	x9, sp
	stp	x19, x29, [x0]
	stp	x9, x30, [x0, #16]
	ldp	x19, x29, [x1]
	ldp	x9, x30, [x1, #16]
	mov	sp, x9
	ret
function ret_from_fork
	bl	schedule_tail
	b	thread
function schedule_tail
	enter
	leave

function power_off
	ldr	w0, =0x84000008
	hvc	#0
	b	.

function el1h_64_sync
	enter
	bl	do_svc
	ldr	x19, [sp, #16]
	ldp	x29, x30, [sp], #32
	eret
function do_svc
	ret

	.balign	2048
function vectors
	.balign	128
	b	.
	.rept	3
	.balign	128
	b	.
	.endr
	.balign	128
	b	el1h_64_sync
	.balign	128
	b	.
	.balign	2048

	.type	initcalls, %object
initcalls:
	.quad	first_init, second_init, 0
	.balign	64
	.type	contexts, %object
contexts:
	.fill	8, 8, 0
	.quad	0, 0, stacks + 32768, ret_from_fork, 0, 0, 0, 0
	.quad	0, 0, stacks + 49152, ret_from_fork, 0, 0, 0, 0
	.balign	4096
	.type	tables, %object
tables:	.fill	512, 8, 0
/* Three of 16 KiB each; memory behind the kernel is free. */
	.set	stacks, tables + 4096
