/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the recorder's code begins: Makefile links this object first and text_end.o last, so all of
 * that lies in between, in each of the sections that gcc puts functions into. session/control.c has
 * kprobes reject it. Of two names of one address kallsyms prefers the one that does not begin so.
 * objtool wants an instruction where it finds the address of no function.
 */
#include <linux/objtool.h>

	.text
	.globl	__start_kfi_text
__start_kfi_text:
	ANNOTATE_NOENDBR
	nop

	.section .text.unlikely, "ax"
	.globl	__start_kfi_unlikely
__start_kfi_unlikely:
	ANNOTATE_NOENDBR
	nop
