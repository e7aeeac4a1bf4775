/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The code of a kernel by blocks: how each block ends.
 *
 * A trace of translated blocks says where each block begins. Where a block ends, and whether it
 * ends in a call, a jump or a return, is in the code of vmlinux. Each block is decoded once, with
 * capstone, when the trace first gets there. Called by rebuild.c.
 */
#ifndef KFI_CODE_H
#define KFI_CODE_H

#include "err.h"
#include "hash.h"
#include "kfi_port_host.h"

/**
 * enum kfi_block_end - the last instruction of a block
 * @KFI_END_NEXT: none of the others: the code continues behind it
 * @KFI_END_CALL: a call of @target
 * @KFI_END_CALL_REG: a call of an address in a register or in memory
 * @KFI_END_JUMP: a jump to @target
 * @KFI_END_BRANCH: a jump to @target under a condition
 * @KFI_END_JUMP_REG: a jump to an address in a register or in memory
 * @KFI_END_RETURN: a return
 * @KFI_END_ERET: a return from an exception, an interrupt or a system call
 */
enum kfi_block_end {
	KFI_END_NEXT,
	KFI_END_CALL,
	KFI_END_CALL_REG,
	KFI_END_JUMP,
	KFI_END_BRANCH,
	KFI_END_JUMP_REG,
	KFI_END_RETURN,
	KFI_END_ERET,
};

/* Special properties of a function. */
#define KFI_CODE_EXCEPTION	1	/* exceptions, interrupts or system calls begin in it */
#define KFI_CODE_SWITCH		2	/* it returns on the stack of another task */
#define KFI_CODE_THUNK		4	/* it only jumps to the function that is really called */
#define KFI_CODE_PART		8	/* a part of another function, which jumps to it */
#define KFI_CODE_NEW_TASK	16	/* a new task begins in it */
#define KFI_CODE_STUBS		32	/* KFI_CODE_EXCEPTION at many places in it */
#define KFI_CODE_NAMED		64	/* not in vmlinux: its name includes the name of its file */

/**
 * struct kfi_code_func - a function
 * @addr: its address
 * @name: its name
 * @flags: KFI_CODE_*
 * @ctx: enum kfi_ctx in which it and its callees run; KFI_CTX_TASK: that of its caller
 * @id: number for the caller's use, at first KFI_NONE
 */
struct kfi_code_func {
	u64 addr;
	struct kfi_str name;
	u8 flags;
	u8 ctx;
	u32 id;
};

/**
 * struct kfi_block - a block of code, as QEMU translates it
 * @pc: its address
 * @end: address behind its last instruction
 * @target: address that the last instruction jumps to or calls, if known; else 0
 * @func: the function that contains it
 * @within: number of bytes from @pc: a next block that begins in them continues this block
 * @last: enum kfi_block_end
 * @is_entry: it is the beginning of the function
 */
struct kfi_block {
	u64 pc;
	u64 end;
	u64 target;
	struct kfi_code_func *func;
	u32 within;
	u8 last;
	bool is_entry;
};

struct kfi_code;

/**
 * kfi_code_open() - read a vmlinux
 * @code: set to it
 * @path: the file
 * @err: set to the reason of a failure
 *
 * Return: 0; -EINVAL: no ELF file of a known architecture, or without code; another -errno. On
 * success kfi_code_close() must follow.
 */
int kfi_code_open(struct kfi_code **code, const char *path, struct kfi_err *err);

/**
 * kfi_code_span() - get the range of addresses of vmlinux's code
 * @code: the code
 * @from: set to its lowest address
 * @size: set to the number of bytes from there
 *
 * Return: true if addresses have 64 bits.
 */
bool kfi_code_span(const struct kfi_code *code, u64 *from, u64 *size);

/**
 * kfi_code_add() - read a module or a program that was also in memory
 * @code: the code
 * @spec: "FILE=ADDRESS", or "FILE" of a file that can be loaded at one address only
 * @len: its length
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_code_add(struct kfi_code *code, const char *spec, size_t len, struct kfi_err *err);

/**
 * kfi_code_is_in() - check whether an address is in the code of the kernel or of a module
 * @code: the code
 * @pc: the address
 *
 * Return: true if so.
 */
bool kfi_code_is_in(const struct kfi_code *code, u64 pc);

/**
 * kfi_code_block() - find the block that begins at an address; decode it if it is new
 * @code: the code
 * @pc: the address, which kfi_code_is_in()
 *
 * Return: the block, valid until kfi_code_close(); NULL: out of memory.
 */
const struct kfi_block *kfi_code_block(struct kfi_code *code, u64 pc);

/**
 * kfi_code_program() - find the function of a program that runs at an address
 * @code: the code
 * @pc: the address, not kfi_code_is_in()
 *
 * Return: the function, NULL: the address is in none of the programs.
 */
struct kfi_code_func *kfi_code_program(const struct kfi_code *code, u64 pc);

/**
 * kfi_code_named() - find the address of a function by its name
 * @code: the code
 * @s: first byte
 * @len: length
 *
 * Return: the address, the lowest of several; U64_MAX: none.
 */
u64 kfi_code_named(const struct kfi_code *code, const char *s, u32 len);

/**
 * enum kfi_place - kinds of code outside of vmlinux and modules
 * @KFI_PLACE_FIRMWARE: firmware
 * @KFI_PLACE_LOADER: boot loader, or code of QEMU in its place
 * @KFI_PLACE_UNPACK: the code that unpacks the kernel
 * @KFI_PLACE_ENTRY: the kernel, before it uses the addresses that it was linked for
 * @KFI_PLACE_VECTORS: a copy of the exception vectors at another address
 * @KFI_PLACE_OTHER: kernel addresses outside of vmlinux: modules that were not given, BPF
 * @KFI_PLACE_USER: user space
 */
enum kfi_place {
	KFI_PLACE_FIRMWARE,
	KFI_PLACE_LOADER,
	KFI_PLACE_UNPACK,
	KFI_PLACE_ENTRY,
	KFI_PLACE_VECTORS,
	KFI_PLACE_OTHER,
	KFI_PLACE_USER,
	KFI_PLACES
};

/**
 * kfi_code_place() - find out what runs at an address outside of the kernel's code
 * @code: the code
 * @pc: the address, not kfi_code_is_in()
 * @last: the previous place, KFI_PLACES: none
 * @started: the kernel has run at the addresses that it was linked for
 *
 * Return: the place.
 */
enum kfi_place kfi_code_place(const struct kfi_code *code, u64 pc, enum kfi_place last,
			      bool started);

/**
 * kfi_code_near() - return how far before its end a patched call may return to
 * @code: the code
 *
 * x86 replaces calls by shorter ones, and fills the rest with nops.
 *
 * Return: number of bytes.
 */
u64 kfi_code_near(const struct kfi_code *code);

/**
 * kfi_code_close() - free the memory
 * @code: the code, or NULL
 */
void kfi_code_close(struct kfi_code *code);

#endif /* KFI_CODE_H */
