/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lays out the code of a module as the kernel's loader does: sections in the order of the file,
 * each at its alignment, those of init functions apart. sym_elf.c and source.c use it, which must
 * agree.
 */
#ifndef KFI_ELF_LAY_H
#define KFI_ELF_LAY_H

#include <gelf.h>

#include "sym.h"

/**
 * struct kfi_elf_lay - a layout under construction
 * @size: bytes of text and of init text so far
 */
struct kfi_elf_lay {
	u64 size[2];
};

/**
 * kfi_elf_is_code() - check whether a section is code that the kernel loads
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
 * @name: name of the section
 * @at: set to the address of its first byte: see KFI_SYM_INIT
 *
 * Return: false if the section is too large for a module.
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
