/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symbol tables: System.map, the text of /proc/kallsyms, or an ELF file; addresses to names and
 * back.
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
 * @type: type letter, as in the file
 * @twin: another code symbol has this name, at another address
 * @end: behind it there is no code until the next one; known of those by address
 * @module: the module it is in, by kallsyms; empty: none
 * @file: of a static symbol its source, as far as the symbol table knows; empty: not known
 */
struct kfi_sym {
	u64 addr;
	struct kfi_str name;
	char type;
	bool twin;
	bool end;
	struct kfi_str module;
	struct kfi_str file;
};

/* In the table of a module: addresses of its text begin at 0, those of its init text here. */
#define KFI_SYM_INIT	(1ull << 48)

/**
 * struct kfi_syms - a symbol table; constant once loaded
 * @addr: the code symbols by address, one per address
 * @naddr: how many
 * @start: their addresses
 * @below: how many of them are below each piece of the range they are in; one piece more
 * @piece_bits: bits of an address within a piece
 * @pieces: how many
 * @name: the code symbols by name, then address; each pair of name and address once
 * @nname: how many
 * @data: the symbols that are no code, by name
 * @ndata: how many
 * @text: what names point into
 * @elf: they are from an ELF file
 * @module: it is a module, not yet at any address: see KFI_SYM_INIT
 * @build_id: of the ELF file, in hex; empty: it has none
 * @size: of a module, bytes of its text and of its init text in memory
 * @bad_lines: lines of the file that are no symbol
 * @bad_line: number of the first of them
 * @wide: addresses have more than 32 bits
 * @code_room: for how many @addr has room, while it is built
 * @data_room: for how many @data has
 */
struct kfi_syms {
	struct kfi_sym *addr;
	u32 naddr;
	u64 *start;
	u32 *below;
	u32 piece_bits;
	u32 pieces;
	struct kfi_sym *name;
	u32 nname;
	struct kfi_sym *data;
	u32 ndata;
	char *text;
	bool elf;
	bool module;
	char build_id[72];
	u64 size[2];
	u64 bad_lines;
	u64 bad_line;
	bool wide;
	u32 code_room;
	u32 data_room;
};

/**
 * kfi_syms_load() - read a symbol table
 * @syms: filled; untouched on failure
 * @path: System.map, a copy of /proc/kallsyms, vmlinux or a module; "-": standard input
 * @err: set to the reason of a failure
 *
 * Return: 0; -EINVAL when the file has no symbol; another -errno. On success kfi_syms_free() must
 * follow.
 */
int kfi_syms_load(struct kfi_syms *syms, const char *path, struct kfi_err *err);

/**
 * kfi_syms_parse() - read a symbol table that is text, from memory
 * @syms: filled; untouched on failure
 * @name: as messages name it
 * @data: the text; copied
 * @len: its length
 * @err: set to the reason of a failure
 *
 * Return: as kfi_syms_load().
 */
int kfi_syms_parse(struct kfi_syms *syms, const char *name, const void *data, size_t len,
		   struct kfi_err *err);

/**
 * kfi_syms_elf() - read the symbols of an ELF file, from memory
 * @syms: filled; untouched on failure
 * @name: as messages name it
 * @data: the file
 * @len: its length
 * @err: set to the reason of a failure
 *
 * Return: as kfi_syms_load().
 */
int kfi_syms_elf(struct kfi_syms *syms, const char *name, const void *data, size_t len,
		 struct kfi_err *err);

/**
 * kfi_syms_is_elf() - check whether data is an ELF file
 * @data: its beginning
 * @len: its length
 *
 * Return: true if so.
 */
bool kfi_syms_is_elf(const void *data, size_t len);

/**
 * kfi_syms_free() - free the memory
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
 * kfi_syms_parts() - what a compiler has made of a function: name.isra.0, name.part.0
 * @syms: table
 * @name: name of the function
 * @len: its length
 * @first: set to the first of them, by name
 *
 * Return: how many; 0: none.
 */
u32 kfi_syms_parts(const struct kfi_syms *syms, const char *name, u32 len,
		   const struct kfi_sym **first);

/**
 * kfi_syms_is_data() - check whether a name is that of a symbol that is no code
 * @syms: table
 * @name: name
 * @len: its length
 *
 * Return: true if so.
 */
bool kfi_syms_is_data(const struct kfi_syms *syms, const char *name, u32 len);

/**
 * kfi_syms_find() - a symbol of any kind by its name
 * @syms: table
 * @name: name
 * @addr: set to its address
 *
 * Return: whether there is one; of several the lowest code symbol.
 */
bool kfi_syms_find(const struct kfi_syms *syms, const char *name, u64 *addr);

/* Room for a label. */
#define KFI_SYM_LABEL	512

/**
 * kfi_syms_label() - what to call a symbol so that it is not taken for another one
 * @syms: table
 * @sym: symbol of it
 * @label: KFI_SYM_LABEL bytes, where a longer name is put together
 *
 * It is "name" if no other code symbol of the table has it, or nothing else is known of it; else
 * "name@file", where two have the same file "name@0xADDRESS".
 *
 * Return: the label.
 */
struct kfi_str kfi_syms_label(const struct kfi_syms *syms, const struct kfi_sym *sym, char *label);

#endif /* KFI_SYM_H */
