/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ELF files that a traced system had in memory besides its kernel: modules and programs.
 *
 * A module is relocatable: its sections are laid out from its load address as the kernel does it
 * (elf_lay.h), without those of its init functions. Any other file has segments, which are moved
 * together. Called by code.c.
 */
#ifndef KFI_IMAGE_H
#define KFI_IMAGE_H

#include "import/code.h"
#include "sym.h"

/**
 * struct kfi_segment - a piece of code
 * @from: first address
 * @size: bytes
 * @data: the bytes in the file
 * @image: its file, NULL: vmlinux
 */
struct kfi_segment {
	u64 from;
	u64 size;
	const u8 *data;
	struct kfi_image *image;
};

/**
 * struct kfi_image - an ELF file at an address
 * @map: the file in memory
 * @len: its length
 * @is_module: it is relocatable
 * @syms: its symbols, at addresses of the file; may be empty
 * @func: functions, by number of the symbol; one more stands for code without a symbol
 * @names: memory of the functions' names
 * @bias: difference between an address in memory and in the file
 * @seg: its code
 * @nseg: number of pieces of code
 * @room: for how many there is room
 */
struct kfi_image {
	void *map;
	size_t len;
	bool is_module;
	struct kfi_syms syms;
	struct kfi_code_func *func;
	char *names;
	u64 bias;
	struct kfi_segment *seg;
	u32 nseg;
	u32 room;
};

/**
 * kfi_image_map() - map an ELF file into memory
 * @path: the file
 * @map: set to it
 * @len: set to its length
 * @err: set to the reason of a failure
 *
 * Return: 0; -EINVAL: it is no ELF file; another -errno. munmap() frees it.
 */
int kfi_image_map(const char *path, void **map, size_t *len, struct kfi_err *err);

/**
 * kfi_image_open() - read an ELF file at its load address
 * @image: set to it
 * @spec: "FILE=ADDRESS", the address in hex; "FILE": at the addresses that are in the file
 * @len: length of @spec
 * @machine: EM_* that the file must have
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno. On success kfi_image_close() must follow.
 */
int kfi_image_open(struct kfi_image **image, const char *spec, size_t len, u16 machine,
		   struct kfi_err *err);

/**
 * kfi_image_segment() - find the code at an address
 * @image: the file
 * @pc: the address
 *
 * Return: the piece, NULL: none.
 */
const struct kfi_segment *kfi_image_segment(const struct kfi_image *image, u64 pc);

/**
 * kfi_image_func() - find the function at an address
 * @image: the file
 * @pc: the address, which has a segment
 *
 * Return: the function; its address is 0 if the file has no symbol for it.
 */
struct kfi_code_func *kfi_image_func(const struct kfi_image *image, u64 pc);

/**
 * kfi_image_close() - free the memory
 * @image: the file, or NULL
 */
void kfi_image_close(struct kfi_image *image);

#endif /* KFI_IMAGE_H */
