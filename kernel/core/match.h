/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Does a name match a pattern of the configuration language?
 */
#ifndef KFI_MATCH_H
#define KFI_MATCH_H

#include "core/conf.h"

/**
 * kfi_match() - Does a whole name match a pattern?
 * @pattern: a pattern or a name that the parser has taken; no NUL needed behind it
 * @len: its length
 * @name: the name, with NUL
 *
 * Context: any; takes time linear in the length of @name but for patterns with several ``*``.
 * Return: true if it does.
 */
bool kfi_match(const char *pattern, u32 len, const char *name);

/**
 * kfi_match_module() - Is a module one that a FUNC of the kind KFI_FUNC_MODULE stands for?
 * @f: the FUNC
 * @name: name of the module, with NUL
 *
 * Context: any.
 * Return: true if it is.
 */
static inline bool kfi_match_module(const struct kfi_func *f, const char *name)
{
	const u32 prefix = sizeof(KFI_CONF_MODULE) - 1;

	return kfi_match(f->name + prefix, f->len - prefix, name);
}

#endif /* KFI_MATCH_H */
