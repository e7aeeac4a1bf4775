/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the modules below a folder by name: NAME.ko, also compressed. A module is read when needed.
 *
 * As in modprobe, - and _ in names are equal. Called by resolve.c.
 */
#ifndef KFI_MODS_H
#define KFI_MODS_H

#include "ranges.h"
#include "source.h"
#include "sym.h"

struct kfi_mod;

/**
 * struct kfi_mods - the modules of a folder
 * @dir: the folder
 * @mod: the modules, by name, then path
 * @n: how many
 * @room: for how many there is room
 */
struct kfi_mods {
	const char *dir;
	struct kfi_mod *mod;
	u32 n;
	u32 room;
};

/**
 * kfi_mods_open() - find the modules
 * @mods: filled
 * @dir: folder; must outlive @mods
 * @err: set to the reason of a failure
 *
 * Return: 0; -EINVAL: there is no module; another -errno. On success kfi_mods_free() must follow.
 */
int kfi_mods_open(struct kfi_mods *mods, const char *dir, struct kfi_err *err);

/**
 * kfi_mods_find() - find the symbols of a module that was loaded
 * @mods: the folder
 * @module: the module, as in the header of the log
 * @syms: set to its symbols, which stay valid; see KFI_SYM_INIT
 * @err: set to the reason of a failure
 *
 * Return: 0; -ENOENT: no file of that name; -EBADMSG: files of that name have other sizes than the
 * log says; another -errno.
 */
int kfi_mods_find(struct kfi_mods *mods, const struct kfi_module_range *module,
		  const struct kfi_syms **syms,
		  struct kfi_err *err);

/**
 * kfi_mods_source() - find the debug information of a module
 * @mods: the folder
 * @syms: result of kfi_mods_find()
 *
 * Return: the debug information, which stays valid; NULL: none.
 */
struct kfi_source *kfi_mods_source(struct kfi_mods *mods, const struct kfi_syms *syms);

/**
 * kfi_mods_free() - free the memory
 * @mods: empty afterwards
 */
void kfi_mods_free(struct kfi_mods *mods);

#endif /* KFI_MODS_H */
