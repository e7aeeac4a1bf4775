/* SPDX-License-Identifier: GPL-2.0 */
/*
 * As kfi_sites.h, for riscv: a file of its own, so that other kernels need not be built anew when
 * it changes.
 */
#ifndef KFI_SITES_RISCV_H
#define KFI_SITES_RISCV_H

/*
 * Other calls keep their own name, so that the linker can shorten them. A call of a hook must not
 * be shortened. With -fPIE gcc writes the hook's name with @plt. A tail call is the end of its
 * function.
 */
asm(".macro kfi_site insn, to\n"
	"	.pushsection __patchable_function_entries.kfi, \"aw\"\n"
	"	.long 7777f - ., 0\n"
	"	.popsection\n"
	"	.option push\n"
	"	.option norelax\n"
	"7777:\n"
	"	\\insn \\to\n"
	"	.option pop\n"
	".endm\n"
	".macro kfi_call insn, to:vararg\n"
	"	.ifeqs \"\\to\", \"__cyg_profile_func_enter\"\n"
	"		kfi_site \\insn, \\to\n"
	"	.else\n"
	"	.ifeqs \"\\to\", \"__cyg_profile_func_exit\"\n"
	"		kfi_site \\insn, \\to\n"
	"	.else\n"
	"	.ifeqs \"\\to\", \"__cyg_profile_func_enter@plt\"\n"
	"		kfi_site \\insn, \\to\n"
	"	.else\n"
	"	.ifeqs \"\\to\", \"__cyg_profile_func_exit@plt\"\n"
	"		kfi_site \\insn, \\to\n"
	"	.else\n"
	"		\\insn \\to\n"
	"	.endif\n"
	"	.endif\n"
	"	.endif\n"
	"	.endif\n"
	".endm\n"
	".macro kfi_name insn\n"
	"	.macro \\insn to:vararg\n"
	"		.purgem \\insn\n"
	"		kfi_call \\insn, \\to\n"
	"		kfi_name \\insn\n"
	"	.endm\n"
	".endm\n"
	"kfi_name call\n"
	"kfi_name tail\n");

#endif /* KFI_SITES_RISCV_H */
