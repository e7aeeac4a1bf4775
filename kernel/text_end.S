/* SPDX-License-Identifier: GPL-2.0 */
/* Where the recorder's code ends: see text_begin.S. */
#include <linux/objtool.h>

	.text
	.globl	__stop_kfi_text
__stop_kfi_text:
	ANNOTATE_NOENDBR
	nop

	.section .text.unlikely, "ax"
	.globl	__stop_kfi_unlikely
__stop_kfi_unlikely:
	ANNOTATE_NOENDBR
	nop
