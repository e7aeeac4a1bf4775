/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds parameters and results of the kernel's functions in BTF, by libbpf. BTF is what is left of
 * the types in a kernel without debug information. It has the names of functions but no addresses,
 * so a name that stands for several functions is unknown here. Called by resolve.c.
 *
 * It reads no BTF of modules, which continues that of their kernel.
 */
#ifndef KFI_BTF_H
#define KFI_BTF_H

#include "err.h"
#include "hash.h"
#include "source.h"

struct kfi_btf;

/**
 * kfi_btf_open() - read the BTF of a file
 * @btf: set to it, or to NULL on failure
 * @path: ELF file with a section .BTF, or BTF alone, perhaps compressed
 * @err: set to the reason of a failure
 *
 * Return: 0; -ENODATA: the file has none; -EBADMSG: its BTF is damaged; another -errno. On success
 * kfi_btf_close() must follow.
 */
int kfi_btf_open(struct kfi_btf **btf, const char *path, struct kfi_err *err);

/**
 * kfi_btf_parse() - read the BTF of a file in memory
 * @btf: set to it, or to NULL on failure
 * @name: its name in messages
 * @data: the file; not needed afterwards
 * @len: its length
 * @err: set to the reason of a failure
 *
 * Return: as kfi_btf_open().
 */
int kfi_btf_parse(struct kfi_btf **btf, const char *name, const void *data, size_t len,
		  struct kfi_err *err);

/**
 * kfi_btf_build_id() - get the build id of the file
 * @btf: BTF
 *
 * Return: the build id in hex; empty: there is none, as in BTF alone.
 */
const char *kfi_btf_build_id(const struct kfi_btf *btf);

/**
 * kfi_btf_types() - find parameters and result of a function
 * @btf: BTF, or NULL
 * @name: name of the function
 * @symbols: number of the kernel's functions that have this name
 * @types: filled if they are known
 *
 * They are known if all prototypes that BTF has for the name agree, and if there are at least as
 * many of them as functions. BTF may have one prototype for several functions of a name: pahole
 * before version 1.25 writes only the first one, whatever the others are. If the first one was
 * inlined everywhere, its types are wrong for the function that has the symbol; nothing in BTF
 * shows that.
 *
 * A function in assembly has type void and no parameters in BTF. KFI does not record such
 * functions.
 *
 * Return: true if they are known.
 */
bool kfi_btf_types(const struct kfi_btf *btf, struct kfi_str name, u32 symbols,
		   struct kfi_types *types);

/**
 * kfi_btf_close() - free the memory
 * @btf: BTF, or NULL
 */
void kfi_btf_close(struct kfi_btf *btf);

#endif /* KFI_BTF_H */
