/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the file and line from which the code at an address was compiled, in the debug information
 * of an ELF file, by libdw. Called by resolve.c.
 */
#ifndef KFI_SOURCE_H
#define KFI_SOURCE_H

#include "err.h"
#include "kfi_port_host.h"

struct kfi_source;

/* Size of a text "file:line". */
#define KFI_SOURCE_TEXT	256

/**
 * kfi_source_open() - open the debug information of a file
 * @src: set to it, or to NULL if the file has none
 * @path: vmlinux or a module, perhaps compressed; must outlive @src
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno. kfi_source_close() must follow.
 */
int kfi_source_open(struct kfi_source **src, const char *path, struct kfi_err *err);

/**
 * kfi_source_root() - find the folder of the kernel's sources
 * @src: debug information, or NULL
 * @addr: address of a function in init/main.c
 * @root: set to the path of the folder with a slash; unchanged if it is unknown
 * @size: its size
 */
void kfi_source_root(struct kfi_source *src, u64 addr, char *root, size_t size);

/**
 * kfi_source_line() - find the file and line of an address
 * @src: debug information, or NULL
 * @addr: the address; for a module as in its symbol table (KFI_SYM_INIT)
 * @root: result of kfi_source_root(), empty: none
 * @text: set to "file:line", KFI_SOURCE_TEXT bytes
 *
 * Return: true if it is known.
 */
bool kfi_source_line(struct kfi_source *src, u64 addr, const char *root, char *text);

/**
 * kfi_source_file() - find the source file of the code at an address
 * @src: debug information, or NULL
 * @addr: as for kfi_source_line()
 * @root: as for kfi_source_line()
 * @text: set to "file", KFI_SOURCE_TEXT bytes
 *
 * This is not the file of the line if the line comes from a header.
 *
 * Return: true if it is known.
 */
bool kfi_source_file(struct kfi_source *src, u64 addr, const char *root, char *text);

/* Largest number of parameters. */
#define KFI_TYPES_MAX		10

/* Kinds of types. */
enum kfi_type_kind {
	KFI_TYPE_UNKNOWN,
	KFI_TYPE_VOID,
	KFI_TYPE_SIGNED,
	KFI_TYPE_UNSIGNED,
	KFI_TYPE_BOOL,
	KFI_TYPE_POINTER,
};

/**
 * struct kfi_param - a parameter, or the result, of a function
 * @name: its name, may be empty
 * @kind: enum kfi_type_kind
 * @bytes: its size in bytes
 */
struct kfi_param {
	char name[48];
	u8 kind;
	u32 bytes;
};

/**
 * struct kfi_types - parameters and result of a function
 * @n: number of parameters
 * @param: the first KFI_TYPES_MAX parameters
 * @result: the result
 */
struct kfi_types {
	u32 n;
	struct kfi_param param[KFI_TYPES_MAX];
	struct kfi_param result;
};

/**
 * kfi_source_types() - find parameters and result of the function that begins at an address
 * @src: debug information, or NULL
 * @addr: as for kfi_source_line()
 * @types: filled if they are known
 *
 * Return: true if they are known.
 */
bool kfi_source_types(struct kfi_source *src, u64 addr, struct kfi_types *types);

/**
 * kfi_source_close() - free the memory
 * @src: debug information, or NULL
 */
void kfi_source_close(struct kfi_source *src);

#endif /* KFI_SOURCE_H */
