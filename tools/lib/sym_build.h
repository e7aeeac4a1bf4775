/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that build a symbol table, for sym_text.c and sym_elf.c only. */
#ifndef KFI_SYM_BUILD_H
#define KFI_SYM_BUILD_H

#include "sym.h"

/**
 * kfi_syms_add() - add a symbol to a table under construction
 * @syms: zeroed at first
 * @sym: the symbol; the memory of its texts must outlive the table
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_syms_add(struct kfi_syms *syms, const struct kfi_sym *sym);

/**
 * kfi_syms_finish() - sort a table that is complete
 * @syms: table; to be freed on failure
 * @name: its name in messages
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_syms_finish(struct kfi_syms *syms, const char *name, struct kfi_err *err);

#endif /* KFI_SYM_BUILD_H */
