/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that fill a symbol table, for sym_text.c and sym_elf.c only. */
#ifndef KFI_SYM_BUILD_H
#define KFI_SYM_BUILD_H

#include "sym.h"

/**
 * kfi_syms_add() - put a symbol into a table that is being filled
 * @syms: zeroed at first
 * @sym: the symbol; what its slices point into must outlive the table
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_syms_add(struct kfi_syms *syms, const struct kfi_sym *sym);

/**
 * kfi_syms_finish() - sort a table that has been filled
 * @syms: table; to be freed on failure
 * @name: as messages name it
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_syms_finish(struct kfi_syms *syms, const char *name, struct kfi_err *err);

#endif /* KFI_SYM_BUILD_H */
