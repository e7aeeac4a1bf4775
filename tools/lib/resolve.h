/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the addresses of a log are called: symbol tables, where the kernel ran, and which module was
 * where at that time, put together.
 *
 * The tables are those of the options that addr2sym, sym2addr and kd have in common
 * (KFI_RESOLVE_OPTIONS). Of several the first that knows an address names it, in the order of
 * struct kfi_files. Never prints: messages go to a function of the tool.
 */
#ifndef KFI_RESOLVE_H
#define KFI_RESOLVE_H

#include "log.h"
#include "mods.h"
#include "opt.h"

/**
 * struct kfi_files - where symbols are; NULL: not given
 * @vmlinux: ELF file of the kernel
 * @map: System.map, or any other symbol table
 * @kallsyms: copy of /proc/kallsyms
 * @modules: folder with modules
 */
struct kfi_files {
	const char *vmlinux;
	const char *map;
	const char *kallsyms;
	const char *modules;
};

/* Rows of a table of options. @letter: of the map, 0: none */
#define KFI_RESOLVE_OPTIONS(files, letter)						\
	{ (letter), "map", KFI_OPT_STR, "FILE", &(files).map, .help =			\
	  "System.map of the kernel, or another symbol table" },			\
	{ 0, "vmlinux", KFI_OPT_STR, "FILE", &(files).vmlinux, .help =			\
	  "ELF file of the kernel; tells static functions of the\n"			\
	  "same name apart. A log must have its build id" },				\
	{ 0, "kallsyms", KFI_OPT_STR, "FILE", &(files).kallsyms, .help =		\
	  "copy of /proc/kallsyms, read as root" },					\
	{ 0, "modules", KFI_OPT_STR, "DIR", &(files).modules, .help =			\
	  "modules (.ko) of the kernel, in this folder and below" }

#define KFI_RESOLVE_TABLES	3

/**
 * struct kfi_table - a symbol table of the kernel
 * @syms: its symbols
 * @path: its file
 * @shift: what to take from an address before it is looked up
 * @looked: for its debug information
 * @source: that
 */
struct kfi_table {
	struct kfi_syms syms;
	const char *path;
	u64 shift;
	bool looked;
	struct kfi_source *source;
};

/**
 * struct kfi_name - what an address is called
 * @str: name of the function, with "@file" and "[module]" where needed; stays valid
 * @off: by how much the address is behind its beginning
 */
struct kfi_name {
	struct kfi_str str;
	u64 off;
};

struct kfi_cached;

/**
 * struct kfi_resolve - one run of a tool; private but for the first seven
 * @ranges: which code was where, by the header: to be filled before kfi_resolve_begin()
 * @bad: a table is of another kernel, which was reported
 * @found: addresses that had a name
 * @unknown: addresses that had none
 * @first_unknown: the first of them
 * @inside: functions that are not where their symbol is: the symbols are of another kernel
 * @first_inside: the first of them
 * @merged: names that addresses of several functions have: nothing tells them apart
 * @first_merged: the first of them
 * @ntables: tables there are
 * @table: the tables
 * @mods: modules, if a folder was given
 * @module_syms: of each module of @ranges its symbols, or NULL
 * @root: folder of the kernel's sources, when they were compiled, as far as it is known
 * @names: names that were put together
 * @twins: names that several functions have
 * @twin_at: by number of such a name where it was found, U64_MAX: at several addresses
 * @ntwins: how many there is room for
 * @cache: addresses looked up
 * @used: there are any
 * @kernel_text: addresses from here on are in the kernel's own text, whatever the time
 * @kernel_text_size: their number
 * @say: called with each message to the user
 * @arg: given to @say
 */
struct kfi_resolve {
	struct kfi_ranges ranges;
	bool bad;
	u64 found;
	u64 unknown;
	u64 first_unknown;
	u64 inside;
	u64 first_inside;
	u32 merged;
	struct kfi_str first_merged;
	u32 ntables;
	struct kfi_table table[KFI_RESOLVE_TABLES];
	struct kfi_mods mods;
	const struct kfi_syms **module_syms;
	char root[256];
	struct kfi_names names;
	struct kfi_names twins;
	u64 *twin_at;
	u32 ntwins;
	struct kfi_cached *cache;
	bool used;
	u64 kernel_text;
	u64 kernel_text_size;
	void (*say)(void *arg, const char *text);
	void *arg;
};

/**
 * kfi_files_any() - check whether there is anything to resolve with
 * @files: the options
 *
 * Return: true if so.
 */
bool kfi_files_any(const struct kfi_files *files);

/**
 * kfi_resolve_open() - read the tables
 * @r: filled; what @say is given are lines without newline
 * @files: where they are; the names must outlive @r
 * @say: called with each message to the user
 * @arg: given to @say
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno. On success kfi_resolve_close() must follow.
 */
int kfi_resolve_open(struct kfi_resolve *r, const struct kfi_files *files,
		     void (*say)(void *arg, const char *text), void *arg, struct kfi_err *err);

/**
 * kfi_resolve_begin() - a header has been read: find out where the kernel ran, and whose it is
 * @r: the tables; @r->ranges has the header's lines
 * @name: of the log
 * @head: the header
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_resolve_begin(struct kfi_resolve *r, const char *name, const struct kfi_log_head *head);

/**
 * kfi_resolve_at() - what an address is called
 * @r: the tables
 * @addr: the address, as in the log
 * @us: when, on the axis of Entry, or KFI_ANY_TIME
 * @name: filled if it is found
 *
 * Return: whether it is.
 */
bool kfi_resolve_at(struct kfi_resolve *r, u64 addr, s64 us, struct kfi_name *name);

/**
 * kfi_resolve_line() - which file and line an address was compiled from
 * @r: the tables
 * @addr: the address, as in the log
 * @us: when, on the axis of Entry, or KFI_ANY_TIME
 * @call: it is where a call returns to: the line of the call is meant
 * @text: set to "file:line", KFI_SOURCE_TEXT bytes
 *
 * Return: whether it is known.
 */
bool kfi_resolve_line(struct kfi_resolve *r, u64 addr, s64 us, bool call, char *text);

/**
 * kfi_resolve_types() - parameters and result of a function
 * @r: the tables
 * @addr: where it begins, as in the log
 * @us: when, on the axis of Entry, or KFI_ANY_TIME
 * @types: filled if they are known
 *
 * Return: whether they are known.
 */
bool kfi_resolve_types(struct kfi_resolve *r, u64 addr, s64 us, struct kfi_types *types);

/**
 * kfi_resolve_named() - parameters and result of a function of the kernel whose address is unknown
 * @r: the tables
 * @name: its name, which only one function has
 * @types: filled if they are known
 *
 * Return: whether they are known.
 */
bool kfi_resolve_named(struct kfi_resolve *r, struct kfi_str name, struct kfi_types *types);

/**
 * kfi_resolve_label() - what to call a symbol of a table
 * @r: the tables
 * @syms: one of them
 * @sym: symbol of it
 * @label: KFI_SYM_LABEL bytes, where a longer name is put together
 *
 * As kfi_syms_label(), but with the whole path where there is debug information.
 *
 * Return: the label.
 */
struct kfi_str kfi_resolve_label(struct kfi_resolve *r, const struct kfi_syms *syms,
				 const struct kfi_sym *sym, char *label);

/**
 * kfi_resolve_in() - check whether a symbol was compiled from a file
 * @r: the tables
 * @syms: one of them
 * @sym: symbol of it
 * @file: its path, or the end of it from a slash on; where there is no debug information its last
 *	part alone is looked at
 *
 * Return: true if so; false also where it is not known.
 */
bool kfi_resolve_in(struct kfi_resolve *r, const struct kfi_syms *syms, const struct kfi_sym *sym,
		    struct kfi_str file);

/**
 * kfi_resolve_function() - kfi_resolve_at() of a function that was traced
 * @r: the tables
 * @addr: the address
 * @us: when
 * @name: filled if it is found
 *
 * A function that was traced begins at its symbol. Counts those of the kernel itself that do not;
 * symbols of modules may have been stripped.
 *
 * Return: as kfi_resolve_at().
 */
bool kfi_resolve_function(struct kfi_resolve *r, u64 addr, s64 us, struct kfi_name *name);

/**
 * kfi_resolve_check() - check whether all functions are where their symbols are, after the last one
 * @r: the tables
 * @log: name of the log
 * @err: why the symbols are wrong
 *
 * Return: 0 or -EBADMSG.
 */
int kfi_resolve_check(const struct kfi_resolve *r, const char *log, struct kfi_err *err);

/**
 * kfi_resolve_is_plain() - check whether an address has the same name at any time
 * @r: the symbols, after kfi_resolve_begin()
 * @addr: the address
 *
 * Return: true if so: it is in the kernel's own text.
 */
static inline bool kfi_resolve_is_plain(const struct kfi_resolve *r, u64 addr)
{
	return addr - r->kernel_text < r->kernel_text_size;
}

/**
 * kfi_resolve_full() - a name with its offset
 * @r: the tables
 * @name: what kfi_resolve_at() filled
 *
 * Return: "name+0xOFF", without an offset of 0; stays valid.
 */
struct kfi_str kfi_resolve_full(struct kfi_resolve *r, const struct kfi_name *name);

/**
 * kfi_resolve_close() - free the memory
 * @r: the tables; may be closed twice
 */
void kfi_resolve_close(struct kfi_resolve *r);

#endif /* KFI_RESOLVE_H */
