/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of call sites, made by the assembler. Makefile.kfi has the compiler include this file
 * first in each file that is instrumented.
 *
 * The compiler inserts the calls of the hooks, and does not tell where. Its output goes through the
 * assembler, in which a macro may have the name of an instruction. The macros below emit the same
 * instruction by another spelling. If it is a call of a hook, they put its place into a section
 * first; arch.h has the layout of an entry. All other instructions, inline assembly too, come out
 * unchanged.
 *
 * objtool knows that sections of such a name hold places of code and no targets of branches.
 */
#ifndef KFI_SITES_H
#define KFI_SITES_H

#if defined(CONFIG_X86)

/*
 * A function may end with a jump to the exit hook. A nop in place of a jump would not return, so
 * the macro turns the jump into a call and a return.
 */
#if defined(CONFIG_RETHUNK) || defined(CONFIG_MITIGATION_RETHUNK)
#define KFI_ASM_RETURN	"\t\t{load} jmp __x86_return_thunk\n"
#else
#define KFI_ASM_RETURN	"\t\tret\n\t\tint3\n"
#endif

#ifdef CONFIG_X86_64
#define KFI_ASM_CALL	"callq"
#else
#define KFI_ASM_CALL	"calll"
#endif

/* gcc writes "call HOOK", clang "callq HOOK@PLT" (calll on i386). */
asm(".macro kfi_site\n"
	"	.pushsection __patchable_function_entries.kfi, \"aw\"\n"
	"	.long 7777f - .\n"
	"	.popsection\n"
	"7777:\n"
	".endm\n"
	".macro call to:vararg\n"
	"	.irp hook, __cyg_profile_func_enter, __cyg_profile_func_exit\n"
	"		.ifeqs \"\\to\", \"\\hook\"\n"
	"			kfi_site\n"
	"		.endif\n"
	"		.ifeqs \"\\to\", \"\\hook@PLT\"\n"
	"			kfi_site\n"
	"		.endif\n"
	"	.endr\n"
	"	{load} " KFI_ASM_CALL " \\to\n"
	".endm\n"
	".macro " KFI_ASM_CALL " to:vararg\n"
	"	call \\to\n"
	".endm\n"
#ifndef CONFIG_FRAME_POINTER
	".macro jmp to:vararg\n"
	"	.ifeqs \"\\to\", \"__cyg_profile_func_exit\"\n"
	"		call \\to\n"
	KFI_ASM_RETURN
	"	.else\n"
	"		.ifeqs \"\\to\", \"__cyg_profile_func_exit@PLT\"\n"
	"			call \\to\n"
	KFI_ASM_RETURN
	"		.else\n"
	"			{load} jmp \\to\n"
	"		.endif\n"
	"	.endif\n"
	".endm\n"
#endif
);

#elif defined(CONFIG_ARM)

/* The second word of an entry is for the instruction. A branch to a hook ends its function. */
asm(".macro kfi_site insn, to:vararg\n"
    "	.ifeqs \"\\to\", \"__cyg_profile_func_enter\"\n"
    "		kfi_place\n"
    "	.endif\n"
    "	.ifeqs \"\\to\", \"__cyg_profile_func_exit\"\n"
    "		kfi_place\n"
    "	.endif\n"
    "	\\insn \\to\n"
    ".endm\n"
    ".macro kfi_place\n"
    "	.pushsection __patchable_function_entries.kfi, \"aw\"\n"
    "	.long 7777f - ., 0\n"
    "	.popsection\n"
    "7777:\n"
    ".endm\n"
    ".macro bl to:vararg\n"
    "	kfi_site blal, \\to\n"
    ".endm\n"
    ".macro b to:vararg\n"
    "	kfi_site bal, \\to\n"
    ".endm\n");

#elif defined(CONFIG_ARM64)

/*
 * There is no other spelling of bl, so the macro emits its opcode and a relocation. Two more words
 * of an entry are for instructions: see arch.h.
 */
asm(".macro kfi_site\n"
    "	.pushsection __patchable_function_entries.kfi, \"aw\"\n"
    "	.long 7777f - ., 0, 0\n"
    "	.popsection\n"
    "7777:\n"
    ".endm\n"
    ".macro bl to:vararg\n"
    "	.ifeqs \"\\to\", \"__cyg_profile_func_enter\"\n"
    "		kfi_site\n"
    "	.endif\n"
    "	.ifeqs \"\\to\", \"__cyg_profile_func_exit\"\n"
    "		kfi_site\n"
    "	.endif\n"
    "	.reloc ., R_AARCH64_CALL26, \\to\n"
    "	.inst 0x94000000\n"
    ".endm\n");

/*
 * Drop xpaclri, which is "hint 7". gcc emits it twice in each function: it removes the signature
 * from the return address that is passed to a hook as the call site, even if return addresses are
 * not signed. All other hints come out unchanged: the macro removes itself, emits the instruction,
 * and defines itself again.
 */
#ifndef CONFIG_ARM64_PTR_AUTH_KERNEL
asm(".macro kfi_drop_xpaclri\n"
    "	.macro hint n:vararg\n"
    "		.ifnes \"\\n\", \"7\"\n"
    "			.purgem hint\n"
    "			hint \\n\n"
    "			kfi_drop_xpaclri\n"
    "		.endif\n"
    "	.endm\n"
    ".endm\n"
    "kfi_drop_xpaclri\n");
#endif

#endif

#endif /* KFI_SITES_H */
