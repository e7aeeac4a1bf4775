/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds names for the addresses of a log, from symbol tables, from the place where the kernel ran,
 * and from the modules that were loaded at the time.
 *
 * The tables are those of the options that addr2sym, sym2addr and kd share (KFI_RESOLVE_OPTIONS).
 * If several are given, the first one that knows an address names it, in the order of struct
 * kfi_files. The library never prints: messages go to a function of the tool.
 */
#ifndef KFI_RESOLVE_H
#define KFI_RESOLVE_H

#include "btf.h"
#include "log.h"
#include "mods.h"
#include "opt.h"

/**
 * struct kfi_files - files with symbols; NULL: not given
 * @vmlinux: ELF file of the kernel; with @map or @kallsyms also one without symbols, or BTF alone,
 *	which has only types
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

/* Rows of a table of options: symbols of the kernel. @letter: short option for the map, 0: none */
#define KFI_RESOLVE_OPTIONS(files, letter)						\
	{ (letter), "map", KFI_OPT_STR, "FILE", &(files).map, .help =			\
	  "System.map of the kernel, or another symbol table" },			\
	{ 0, "vmlinux", KFI_OPT_STR, "FILE", &(files).vmlinux, .help =			\
	  "ELF file of the kernel, or with --map only its BTF;\n"			\
	  "tells static functions of the same name apart. A log\n"			\
	  "must have its build id" },							\
	{ 0, "kallsyms", KFI_OPT_STR, "FILE", &(files).kallsyms, .help =		\
	  "copy of /proc/kallsyms, read as root" }

/* A row for a tool that finds names for the addresses of modules. */
#define KFI_RESOLVE_MODULES(files)							\
	{ 0, "modules", KFI_OPT_STR, "DIR", &(files).modules, .help =			\
	  "modules (.ko) of the kernel, in this folder and below" }

#define KFI_RESOLVE_TABLES	3

/**
 * struct kfi_table - a symbol table of the kernel
 * @syms: its symbols
 * @path: its file
 * @ran: distance from where the table has the kernel to where a copy of kallsyms has it
 * @shift: difference to subtract from an address before it is looked up: @ran, or what the header
 *	of a log says
 * @looked: its debug information has been looked for
 * @source: its debug information, or NULL
 */
struct kfi_table {
	struct kfi_syms syms;
	const char *path;
	u64 ran;
	u64 shift;
	bool looked;
	struct kfi_source *source;
};

/**
 * struct kfi_name - the name of an address
 * @str: name of the function, with "@file" and "[module]" where needed; stays valid
 * @off: distance of the address from the begin of the function
 */
struct kfi_name {
	struct kfi_str str;
	u64 off;
};

struct kfi_cached;

/**
 * struct kfi_resolve - state of naming addresses; private except the first six members
 * @ranges: ranges of code in the header; filled before kfi_resolve_begin()
 * @bad: a table belongs to another kernel; this was reported
 * @found: number of addresses with a name
 * @unknown: number of addresses without a name
 * @first_unknown: the first address without a name
 * @inside: number of functions that are not where a symbol begins: the symbols are wrong
 * @first_inside: the first of these functions
 * @inside_at: maps the address of each of them to 1
 * @merged: number of names that stand for several functions
 * @first_merged: the first of these names
 * @ntables: number of tables
 * @table: the tables
 * @mods: the modules, if a folder was given
 * @btf: types of the kernel's functions for tables without debug information, or NULL
 * @btf_path: its file
 * @looked_for_btf: it has been looked for
 * @used_btf: types of a function came from it
 * @module_syms: by module of @ranges: its symbols, or NULL
 * @root: folder of the kernel's sources when they were compiled; empty: unknown
 * @names: names that were composed
 * @shared: names that several functions have
 * @shared_at: by number of such a name: its address, U64_MAX: several addresses
 * @nshared: length of @shared_at
 * @cache: results for addresses that were looked up
 * @used: the cache is not empty
 * @kernel_text: begin of a range that is in the kernel's own text at any time
 * @kernel_text_size: size of that range
 * @say: called with each message to the user
 * @arg: argument for @say
 */
struct kfi_resolve {
	struct kfi_ranges ranges;
	bool bad;
	u64 found;
	u64 unknown;
	u64 first_unknown;
	u64 inside;
	u64 first_inside;
	struct kfi_map inside_at;
	u32 merged;
	struct kfi_str first_merged;
	u32 ntables;
	struct kfi_table table[KFI_RESOLVE_TABLES];
	struct kfi_mods mods;
	struct kfi_btf *btf;
	const char *btf_path;
	bool looked_for_btf;
	bool used_btf;
	const struct kfi_syms **module_syms;
	char root[256];
	struct kfi_names names;
	struct kfi_names shared;
	u64 *shared_at;
	u32 nshared;
	struct kfi_cached *cache;
	bool used;
	u64 kernel_text;
	u64 kernel_text_size;
	void (*say)(void *arg, const char *text);
	void *arg;
};

/**
 * kfi_files_any() - check whether symbols were given
 * @files: the options
 *
 * Return: true if so.
 */
bool kfi_files_any(const struct kfi_files *files);

/**
 * kfi_resolve_open() - read the tables
 * @r: filled; @say gets lines without newline
 * @files: the files; the names must outlive @r
 * @say: called with each message to the user
 * @arg: argument for @say
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno. On success kfi_resolve_close() must follow.
 */
int kfi_resolve_open(struct kfi_resolve *r, const struct kfi_files *files,
		     void (*say)(void *arg, const char *text), void *arg, struct kfi_err *err);

/**
 * kfi_resolve_begin() - find where the kernel ran, after a header has been read
 * @r: the tables; @r->ranges has the header's lines
 * @name: name of the log
 * @head: the header
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_resolve_begin(struct kfi_resolve *r, const char *name, const struct kfi_log_head *head);

/**
 * kfi_resolve_at() - find the name of an address
 * @r: the tables
 * @addr: the address, as in the log
 * @us: time on the axis of Entry, or KFI_ANY_TIME
 * @name: filled if it is found
 *
 * Return: true if it is found.
 */
bool kfi_resolve_at(struct kfi_resolve *r, u64 addr, s64 us, struct kfi_name *name);

/**
 * kfi_resolve_line() - find the source line of an address
 * @r: the tables
 * @addr: the address, as in the log
 * @us: time on the axis of Entry, or KFI_ANY_TIME
 * @call: the address is where a call returns to: find the line of the call
 * @text: set to "file:line", KFI_SOURCE_TEXT bytes
 *
 * Return: true if it is known.
 */
bool kfi_resolve_line(struct kfi_resolve *r, u64 addr, s64 us, bool call, char *text);

/**
 * kfi_resolve_types() - find the parameters and the result of a function
 * @r: the tables
 * @addr: its first address, as in the log
 * @us: time on the axis of Entry, or KFI_ANY_TIME
 * @types: filled if they are known
 *
 * Return: true if they are known.
 */
bool kfi_resolve_types(struct kfi_resolve *r, u64 addr, s64 us, struct kfi_types *types);

/**
 * kfi_resolve_named() - find parameters and result of a function of the kernel by its name
 * @r: the tables
 * @name: its name, which only one function has
 * @types: filled if they are known
 *
 * Return: true if they are known.
 */
bool kfi_resolve_named(struct kfi_resolve *r, struct kfi_str name, struct kfi_types *types);

/**
 * kfi_resolve_label() - return a name for a symbol of a table
 * @r: the tables
 * @syms: one of the tables
 * @sym: a symbol of the table
 * @label: room for a composed name, KFI_SYM_LABEL bytes
 *
 * As kfi_syms_label(), but with the whole path of the file if there is debug information.
 *
 * Return: the label.
 */
struct kfi_str kfi_resolve_label(struct kfi_resolve *r, const struct kfi_syms *syms,
				 const struct kfi_sym *sym, char *label);

/**
 * kfi_resolve_in() - check whether a symbol was compiled from a file
 * @r: the tables
 * @syms: one of the tables
 * @sym: a symbol of the table
 * @file: path of the file, or the end of it after a slash; without debug information only the last
 *	part counts
 *
 * Return: true if so; false also if it is unknown.
 */
bool kfi_resolve_in(struct kfi_resolve *r, const struct kfi_syms *syms, const struct kfi_sym *sym,
		    struct kfi_str file);

/**
 * kfi_resolve_function() - do kfi_resolve_at() for the address of a traced function
 * @r: the tables
 * @addr: the address
 * @us: time
 * @name: filled if it is found
 *
 * A traced function begins at its symbol. Functions of the kernel that do not are counted; symbols
 * of modules may have been stripped.
 *
 * Return: as kfi_resolve_at().
 */
bool kfi_resolve_function(struct kfi_resolve *r, u64 addr, s64 us, struct kfi_name *name);

/**
 * kfi_resolve_forget() - begin another log with the same tables
 * @r: the tables, which belong to its kernel
 */
void kfi_resolve_forget(struct kfi_resolve *r);

/**
 * kfi_resolve_check() - check after the last row whether all functions begin at their symbols
 * @r: the tables
 * @log: name of the log
 * @err: set to the reason why the symbols are wrong
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
 * kfi_resolve_full() - return a name with its offset
 * @r: the tables
 * @name: result of kfi_resolve_at()
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
