/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the kernel's loader puts the code of a module: sections in the order of the file, each at
 * its alignment, those of init functions apart. Used by sym_elf.c and source.c, which must agree.
 */
#ifndef KFI_ELF_LAY_H
#define KFI_ELF_LAY_H

#include <gelf.h>

#include "sym.h"

/**
 * struct kfi_elf_lay - a layout being made
 * @size: bytes of text and of init text so far
 */
struct kfi_elf_lay {
	u64 size[2];
};

/**
 * kfi_elf_is_code() - whether a section is code that is loaded
 * @sh: the section
 *
 * Return: true if so.
 */
static inline bool kfi_elf_is_code(const GElf_Shdr *sh)
{
	return (sh->sh_flags & SHF_ALLOC) && (sh->sh_flags & SHF_EXECINSTR);
}

/**
 * kfi_elf_lay_add() - place the next code section
 * @lay: the layout, zeroed at first
 * @sh: the section
 * @name: its name
 * @at: set to where its first byte goes: see KFI_SYM_INIT
 *
 * Return: false if it cannot be one of a module: it is too large.
 */
static inline bool kfi_elf_lay_add(struct kfi_elf_lay *lay, const GElf_Shdr *sh, const char *name,
				   u64 *at)
{
	bool init = strncmp(name, ".init", 5) == 0;
	u64 *size = &lay->size[init];
	u64 align = sh->sh_addralign ? sh->sh_addralign : 1;

	if (align > KFI_SYM_REACH || (align & (align - 1)) || sh->sh_size > U32_MAX ||
	    *size > U32_MAX)
		return false;
	*size = (*size + align - 1) & ~(align - 1);
	*at = *size + (init ? KFI_SYM_INIT : 0);
	*size += sh->sh_size;
	return true;
}

#endif /* KFI_ELF_LAY_H */
