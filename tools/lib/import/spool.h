/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps the records of an import in order of entry. A record is written once, completed by its
 * exit, and read once. The newest records are in memory. Older ones are in a temporary file without
 * a name, which is made only if they do not fit into memory. Used by import.c.
 */
#ifndef KFI_SPOOL_H
#define KFI_SPOOL_H

#include <assert.h>
#include <stddef.h>

#include "err.h"
#include "kfi_port_host.h"

/**
 * struct kfi_spool_rec - a call or a mark; the last six members change at the exit of a call
 * @entry_ns: time of the entry on the clock of the input; -1: unknown
 * @site: call site, U64_MAX: unknown
 * @func: number of the function; of a mark the length of its text, which follows the record
 * @caller: number of the calling function, KFI_NONE: unknown, or the call is an interrupt
 * @thread: number of its thread
 * @cpu: processor, -1: unknown
 * @ctx: enum kfi_ctx
 * @is_mark: it is a mark
 * @delta_ns: as in struct kfi_row, as the next three
 * @local_ns: self time
 * @off_ns: switched out
 * @irq_ns: in interrupts
 * @depth: number of open calls of its thread, including this one
 * @marks: KFI_MARK_*
 */
struct kfi_spool_rec {
	s64 entry_ns;
	u64 site;
	u32 func;
	u32 caller;
	u32 thread;
	s16 cpu;
	u8 ctx;
	bool is_mark;
	s64 delta_ns;
	s64 local_ns;
	s64 off_ns;
	s64 irq_ns;
	u32 depth;
	u32 marks;
};

static_assert(sizeof(struct kfi_spool_rec) == 72, "no holes: records go into a file as they are");

/* Offset of the members that change at the exit of a call. */
#define KFI_SPOOL_EXIT	offsetof(struct kfi_spool_rec, delta_ns)

/**
 * struct kfi_spool - the records; private
 * @buf: the newest records; while reading, the current ones
 * @base: place of the first byte of @buf
 * @len: number of bytes in @buf
 * @at: while reading, the next byte of @buf
 * @size: number of bytes of all records
 * @fd: the temporary file, -1: there is none
 */
struct kfi_spool {
	char *buf;
	u64 base;
	size_t len;
	size_t at;
	u64 size;
	int fd;
};

/**
 * kfi_spool_init() - make an empty spool
 * @s: filled
 *
 * Return: 0 or -ENOMEM. On success kfi_spool_free() must follow.
 */
int kfi_spool_init(struct kfi_spool *s);

/**
 * kfi_spool_add() - add a record
 * @s: the records
 * @rec: the record
 * @text: text of a mark, of @rec->func bytes; NULL: it is a call
 * @place: set to its place
 *
 * Return: 0; -errno of the temporary file.
 */
int kfi_spool_add(struct kfi_spool *s, const struct kfi_spool_rec *rec, const char *text,
		  u64 *place);

/**
 * kfi_spool_exit() - complete a record: write the members from KFI_SPOOL_EXIT on
 * @s: the records
 * @place: its place
 * @rec: the record; other members are ignored
 *
 * Return: 0 or -errno.
 */
int kfi_spool_exit(struct kfi_spool *s, u64 place, const struct kfi_spool_rec *rec);

/**
 * kfi_spool_read() - begin to read the records, after all are complete
 * @s: the records
 *
 * Return: 0 or -errno.
 */
int kfi_spool_read(struct kfi_spool *s);

/**
 * kfi_spool_next() - read the next record
 * @s: the records
 * @rec: set to it, valid until the next call; the text of a mark follows it
 *
 * Return: 1, 0: there are no more, or -errno.
 */
int kfi_spool_next(struct kfi_spool *s, const struct kfi_spool_rec **rec);

/**
 * kfi_spool_free() - free the memory, and remove the file
 * @s: the records, or zeroes
 */
void kfi_spool_free(struct kfi_spool *s);

/**
 * kfi_spool_file() - make a temporary file without a name, in $TMPDIR
 *
 * Return: a descriptor or -errno.
 */
int kfi_spool_file(void);

/**
 * kfi_spool_write() - write bytes to a file
 * @fd: a file
 * @s: first byte
 * @len: number of bytes
 * @place: offset in the file
 *
 * Return: 0 or -errno.
 */
int kfi_spool_write(int fd, const char *s, size_t len, u64 place);

#endif /* KFI_SPOOL_H */
