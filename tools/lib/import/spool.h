/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps the records of an import in order of entry. A record is written once, completed by its
 * exit, and read once. The newest records are in memory. Older ones are in a temporary file without
 * a name, which is made only if they do not fit into memory. Used by import.c.
 *
 * In the file a record that is complete is packed. It has a mask, and then the fields that are not
 * as expected, in 2, 4 or 8 bytes:
 *
 *	bits of the mask	field			it is expected to be
 *	0-1			entry_ns		that of the record before
 *	2-3			func			0
 *	4-5			caller			KFI_NONE
 *	6-7			delta_ns		-1
 *	8-9			local_ns		delta_ns
 *	10-11			depth			that of the record before
 *	12-13			site			that of the record before
 *	14-15			thread			that of the record before
 *	16-17			cpu, ctx; marks		those of the record before; 0
 *	18-19			off_ns			0 if there is a duration, otherwise -1
 *	20-21			irq_ns			as off_ns
 *	24			is_mark			the text follows the fields
 *	31			the record is not complete: all of struct kfi_spool_rec follows
 *
 * Two bits of the mask are 0 if the field is as expected, otherwise 1, 2, 3 for 2, 4, 8 bytes. A
 * call of ftrace takes 12 to 18 bytes.
 */
#ifndef KFI_SPOOL_H
#define KFI_SPOOL_H

#include <assert.h>
#include <stddef.h>

#include "err.h"
#include "kfi_port_host.h"

/* Limit of the length of a mark's text. */
#define KFI_SPOOL_TEXT	1024

/**
 * struct kfi_spool_rec - a call or a mark; the members from @marks on change at the exit of a call
 * @entry_ns: time of the entry on the clock of the input; -1: unknown
 * @site: call site, U64_MAX: unknown
 * @func: number of the function; of a mark the length of its text
 * @caller: number of the calling function, KFI_NONE: unknown, or the call is an interrupt
 * @thread: number of its thread
 * @depth: number of open calls of its thread, including this one
 * @cpu: processor, -1: unknown
 * @ctx: enum kfi_ctx
 * @is_mark: it is a mark
 * @marks: KFI_MARK_*
 * @waits: kfi_spool_exit() will perhaps complete it
 * @unused: 0
 * @delta_ns: as in struct kfi_row, as the next three
 * @local_ns: self time
 * @off_ns: switched out
 * @irq_ns: in interrupts
 */
struct kfi_spool_rec {
	s64 entry_ns;
	u64 site;
	u32 func;
	u32 caller;
	u32 thread;
	u32 depth;
	s16 cpu;
	u8 ctx;
	bool is_mark;
	u8 marks;
	bool waits;
	u16 unused;
	s64 delta_ns;
	s64 local_ns;
	s64 off_ns;
	s64 irq_ns;
};

static_assert(sizeof(struct kfi_spool_rec) == 72, "no holes: records go into a file as they are");

/* Offset of the members that change at the exit of a call. */
#define KFI_SPOOL_EXIT	offsetof(struct kfi_spool_rec, marks)

struct kfi_spool_late;

/**
 * struct kfi_spool - the records; private, except @text
 * @text: text of the mark that was read last
 * @buf: the newest records, not packed; while reading, bytes of the file if there is one
 * @base: place of the first byte of @buf; while reading, its offset in the file
 * @len: number of bytes in @buf
 * @at: while reading, the next byte of @buf
 * @size: number of bytes of all records, as they are in @buf; while reading, as they are read
 * @fd: the temporary file, -1: there is none
 * @file_len: its length, without @packed
 * @packed: packed records that will be written to the file
 * @packed_len: how many bytes
 * @last: the last record that was packed or unpacked
 * @late: the records in the file that wait for their exits, in order
 * @nlate: how many
 * @late_room: for how many there is room
 * @late_done: how many of them have become complete
 */
struct kfi_spool {
	const char *text;
	char *buf;
	u64 base;
	size_t len;
	size_t at;
	u64 size;
	int fd;
	u64 file_len;
	char *packed;
	size_t packed_len;
	struct kfi_spool_rec last;
	struct kfi_spool_late *late;
	u32 nlate;
	u32 late_room;
	u32 late_done;
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
 * @text: text of a mark, of @rec->func bytes, at most KFI_SPOOL_TEXT; NULL: it is a call
 * @place: set to its place
 *
 * Return: 0; -errno of the temporary file, or -ENOMEM.
 */
int kfi_spool_add(struct kfi_spool *s, const struct kfi_spool_rec *rec, const char *text,
		  u64 *place);

/**
 * kfi_spool_exit() - complete a record: write the members from KFI_SPOOL_EXIT on
 * @s: the records
 * @place: its place; the record waits
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
 * @rec: set to it, valid until the next call, as is @s->text for a mark
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
