/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symbol tables: System.map or the text of /proc/kallsyms, addresses to names and back.
 *
 * Rules. Code symbols (types t and w) are used; all types only when the table has no code at all.
 * Of several names at one address a function's goes before a linker's mark (_stext, __init_begin),
 * a global before a weak before a local one, else the last in the file. An address belongs to the
 * nearest symbol below, unless that marks the end of code or is more than KFI_SYM_REACH away.
 * A name that stands at several addresses is ambiguous; it is never picked silently.
 */
#ifndef KFI_SYM_H
#define KFI_SYM_H

#include "err.h"
#include "hash.h"
#include "kfi_port_host.h"

/* Further than this behind its start no function reaches. */
#define KFI_SYM_REACH	(1u << 20)

/**
 * struct kfi_sym - one symbol
 * @addr: address
 * @name: name, without the dot of ppc64 dot symbols; no NUL behind it
 * @module: the module it is in, by kallsyms; empty: none
 * @type: type letter, as in the file
 */
struct kfi_sym {
	u64 addr;
	struct kfi_str name;
	struct kfi_str module;
	char type;
};

/**
 * struct kfi_syms - a symbol table; constant once loaded
 * @addr: the code symbols by address, one per address
 * @naddr: how many
 * @name: the code symbols by name, then address; each pair of name and address once
 * @nname: how many
 * @data: the symbols that are no code, by name
 * @ndata: how many
 * @text: the text they were read from, names point into it
 * @bad_lines: lines of the file that are no symbol
 * @bad_line: number of the first of them
 * @wide: addresses have more than 32 bits
 */
struct kfi_syms {
	struct kfi_sym *addr;
	u32 naddr;
	struct kfi_sym *name;
	u32 nname;
	struct kfi_sym *data;
	u32 ndata;
	char *text;
	u64 bad_lines;
	u64 bad_line;
	bool wide;
};

/**
 * kfi_syms_load() - read a symbol table
 * @syms: filled; untouched on failure
 * @path: System.map or a copy of /proc/kallsyms; "-": standard input
 * @err: why not
 *
 * Return: 0; -EINVAL when the file has no symbol; another -errno. On success kfi_syms_free() must
 * follow.
 */
int kfi_syms_load(struct kfi_syms *syms, const char *path, struct kfi_err *err);

/**
 * kfi_syms_parse() - as kfi_syms_load(), from memory
 * @syms: filled; untouched on failure
 * @name: as messages name it
 * @data: the text; copied
 * @len: its length
 * @err: why not
 *
 * Return: as kfi_syms_load().
 */
int kfi_syms_parse(struct kfi_syms *syms, const char *name, const void *data, size_t len,
		   struct kfi_err *err);

/**
 * kfi_syms_free() - give back the memory
 * @syms: table, empty afterwards
 */
void kfi_syms_free(struct kfi_syms *syms);

/**
 * kfi_syms_at() - which symbol an address belongs to
 * @syms: table
 * @addr: address
 * @off: set to its distance from the symbol's address
 *
 * A Thumb function's address has bit 0 set in pointers but not in the table: its distance is 0.
 *
 * Return: the symbol, NULL when the address lies in none.
 */
const struct kfi_sym *kfi_syms_at(const struct kfi_syms *syms, u64 addr, u64 *off);

/**
 * kfi_syms_named() - all code symbols of a name
 * @syms: table
 * @name: name
 * @len: its length
 * @first: set to the first of them; they stand one after the other, addresses ascending
 *
 * Return: how many; 0: none.
 */
u32 kfi_syms_named(const struct kfi_syms *syms, const char *name, u32 len,
		   const struct kfi_sym **first);

/**
 * kfi_syms_is_data() - whether a name is that of a symbol that is no code
 * @syms: table
 * @name: name
 * @len: its length
 *
 * Return: true if so.
 */
bool kfi_syms_is_data(const struct kfi_syms *syms, const char *name, u32 len);

#endif /* KFI_SYM_H */
