/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Symbol tables: System.map, the text of /proc/kallsyms, or an ELF file. They convert addresses to
 * names and back.
 *
 * Rules: Code symbols (types t and w) are used; all types are used only if the table has no code at
 * all. Of several names at one address, that of a function comes before a mark of the linker
 * (_stext, __init_begin), a global before a weak before a local one, and otherwise the last in the
 * file counts. An address belongs to the nearest symbol below it, unless that marks the end of code
 * or is more than KFI_SYM_REACH away. A name with several addresses is ambiguous; it is never
 * chosen silently.
 */
#ifndef KFI_SYM_H
#define KFI_SYM_H

#include "err.h"
#include "hash.h"
#include "kfi_port_host.h"

/* No function is longer than this. */
#define KFI_SYM_REACH	(1u << 20)

/**
 * struct kfi_sym - a symbol
 * @addr: address
 * @name: name, without the dot of ppc64 dot symbols; no NUL behind it
 * @type: type letter, as in the file
 * @is_shared: another code symbol has this name, at another address
 * @end: no code follows until the next symbol; set in the table by address
 * @is_cut: no newline follows in the file, so the name may lack its end
 * @module: its module, from kallsyms; empty: none
 * @file: source file of a static symbol, as far as the table knows; empty: unknown
 */
struct kfi_sym {
	u64 addr;
	struct kfi_str name;
	char type;
	bool is_shared;
	bool end;
	bool is_cut;
	struct kfi_str module;
	struct kfi_str file;
};

/* In the table of a module: text begins at address 0, init text at this address. */
#define KFI_SYM_INIT	(1ull << 48)

/**
 * struct kfi_syms - a symbol table; constant once loaded
 * @addr: the code symbols by address, one per address
 * @naddr: length of @addr
 * @start: addresses of @addr
 * @below: by piece of the address range: number of symbols below it; one piece more than @pieces
 * @piece_bits: number of address bits within a piece
 * @pieces: number of pieces
 * @name: the code symbols by name, then address; each pair of name and address only once
 * @nname: length of @name
 * @data: symbols that are no code, by name
 * @ndata: length of @data
 * @text: memory that names point into
 * @elf: the table is from an ELF file
 * @module: it is the table of a module, without a load address: see KFI_SYM_INIT
 * @build_id: build id of the ELF file, in hex; empty: none
 * @size: module: bytes of its text and of its init text in memory
 * @bad_lines: number of lines of the file that are no symbol
 * @bad_line: number of the first such line
 * @cut_line: number of the last line if it has no newline; 0: it has one
 * @wide: addresses have more than 32 bits
 * @code_room: number of symbols for which @addr has room, while the table is built
 * @data_room: number of symbols for which @data has room, while the table is built
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
	u64 cut_line;
	bool wide;
	u32 code_room;
	u32 data_room;
};

/**
 * kfi_syms_load() - read a symbol table
 * @syms: filled; unchanged on failure
 * @path: System.map, a copy of /proc/kallsyms, vmlinux or a module; "-": standard input
 * @err: set to the reason of a failure
 *
 * Return: 0; -ENODATA: the file has no symbol; another -errno. On success kfi_syms_free() must
 * follow.
 */
int kfi_syms_load(struct kfi_syms *syms, const char *path, struct kfi_err *err);

/**
 * kfi_syms_parse() - read a symbol table in text form from memory
 * @syms: filled; unchanged on failure
 * @name: its name in messages
 * @data: the text; copied
 * @len: its length
 * @err: set to the reason of a failure
 *
 * Return: as kfi_syms_load().
 */
int kfi_syms_parse(struct kfi_syms *syms, const char *name, const void *data, size_t len,
		   struct kfi_err *err);

/**
 * kfi_syms_elf() - read the symbols of an ELF file from memory
 * @syms: filled; unchanged on failure
 * @name: its name in messages
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
 * @data: its first bytes
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
 * kfi_syms_at() - find the symbol that an address belongs to
 * @syms: table
 * @addr: address
 * @off: set to its distance from the symbol's address
 *
 * A Thumb function's address has bit 0 set in pointers but not in the table: its distance is 0.
 *
 * Return: the symbol, NULL: the address is in none.
 */
const struct kfi_sym *kfi_syms_at(const struct kfi_syms *syms, u64 addr, u64 *off);

/**
 * kfi_syms_named() - find all code symbols of a name
 * @syms: table
 * @name: name
 * @len: its length
 * @first: set to the first of them; they follow each other in order of address
 *
 * Return: number of symbols.
 */
u32 kfi_syms_named(const struct kfi_syms *syms, const char *name, u32 len,
		   const struct kfi_sym **first);

/**
 * kfi_syms_parts() - find what the compiler made of a function: name.isra.0, name.part.0
 * @syms: table
 * @name: name of the function
 * @len: its length
 * @first: set to the first of them, in order of name
 *
 * Return: number of symbols.
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
 * kfi_syms_find() - find a symbol of any kind by its name
 * @syms: table
 * @name: name
 * @addr: set to its address
 *
 * Return: false if there is none. Of several, the lowest code symbol is found.
 */
bool kfi_syms_find(const struct kfi_syms *syms, const char *name, u64 *addr);

/* Size of a label. */
#define KFI_SYM_LABEL	512

/**
 * kfi_syms_label() - return an unambiguous name of a symbol
 * @syms: table
 * @sym: a symbol of the table
 * @label: room for a composed name, KFI_SYM_LABEL bytes
 *
 * The label is "name" if no other code symbol of the table has this name, or if nothing else is
 * known of the symbol. Otherwise it is "name@file", or, if two have the same file,
 * "name@0xADDRESS".
 *
 * Return: the label.
 */
struct kfi_str kfi_syms_label(const struct kfi_syms *syms, const struct kfi_sym *sym, char *label);

#endif /* KFI_SYM_H */
