// SPDX-License-Identifier: GPL-2.0
/*
 * Tells whether a function is instrumented: by the table of call sites, or, without one, by a
 * direct call of the entry hook in its code. The linker may lead such a call through a veneer;
 * then the answer is unknown.
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/types.h>
#include <linux/uaccess.h>
#include <asm/sections.h>

#include "arch/arch.h"

extern void __cyg_profile_func_enter(void *func, void *site);

#if defined(CONFIG_X86)

#define STEP	1

/* e8 rel32. A pattern inside another instruction would have to hit the very address. */
static bool is_call_to(const void *at, unsigned long pc, unsigned long target)
{
	const u8 *code = at;
	s32 rel;

	if (code[0] != 0xe8)
		return false;
	memcpy(&rel, code + 1, sizeof(rel));
	return pc + 5 + rel == target;
}

#elif defined(CONFIG_ARM) && !defined(CONFIG_THUMB2_KERNEL)

#define STEP	4

/* bl: cond 1011 imm24, from pc + 8. */
static bool is_call_to(const void *at, unsigned long pc, unsigned long target)
{
	u32 code = *(const u32 *)at;
	s32 words = (s32)(code << 8) >> 8;

	return (code & 0x0f000000) == 0x0b000000 && pc + 8 + (long)words * 4 == target;
}

#elif defined(CONFIG_ARM64)

#define STEP	4

/* bl: 100101 imm26. */
static bool is_call_to(const void *at, unsigned long pc, unsigned long target)
{
	u32 code = *(const u32 *)at;
	s32 words = (s32)(code << 6) >> 6;

	return (code & 0xfc000000) == 0x94000000 && pc + (long)words * 4 == target;
}

#elif defined(CONFIG_RISCV)

#define STEP	2

/* auipc ra, hi20; jalr ra, lo12(ra); or jal ra, where the linker has shortened that. */
static bool is_call_to(const void *at, unsigned long pc, unsigned long target)
{
	const u16 *code = at;
	u32 first = code[0] | (u32)code[1] << 16;
	u32 second = code[2] | (u32)code[3] << 16;
	s32 offset;

	if ((first & 0xfff) == 0x0ef) {
		offset = ((s32)first >> 31) * 0x100000 + (first & 0xff000) +
			 (first >> 20 & 1) * 0x800 + (first >> 21 & 0x3ff) * 2;
		return pc + offset == target;
	}
	if ((first & 0xfff) != 0x097 || (second & 0xfffff) != 0x080e7)
		return false;
	offset = (s32)(first & 0xfffff000) + ((s32)second >> 20);
	return pc + offset == target;
}

#else

#define STEP	0

static bool is_call_to(const void *at, unsigned long pc, unsigned long target)
{
	return false;
}

#endif

enum kfi_instrumented kfi_instrumented(unsigned long func)
{
	unsigned long target = (unsigned long)__cyg_profile_func_enter;
	unsigned long size, offset, at;
	u8 code[8];

	/* Modules may be out of reach of a direct call; init code may be gone. */
	if (!is_kernel_text(func))
		return KFI_INSTRUMENTED_UNKNOWN;
	if (!kallsyms_lookup_size_offset(func, &size, &offset) || offset)
		return KFI_INSTRUMENTED_UNKNOWN;
	if (IS_ENABLED(CONFIG_KFI_PATCH_SITES))
		return kfi_sites_has(func, size) ? KFI_INSTRUMENTED_YES : KFI_INSTRUMENTED_NO;
	if (!STEP)
		return KFI_INSTRUMENTED_UNKNOWN;
	for (at = func; at + sizeof(code) <= func + size; at += STEP) {
		if (copy_from_kernel_nofault(code, (void *)at, sizeof(code)))
			return KFI_INSTRUMENTED_UNKNOWN;
		if (is_call_to(code, at, target))
			return KFI_INSTRUMENTED_YES;
	}
	return KFI_INSTRUMENTED_NO;
}
