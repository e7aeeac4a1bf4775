/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads input by lines. A file is mapped; anything else (pipe, terminal, /proc) is read in blocks.
 * Data compressed by gzip, xz or zstd is unpacked on the way, whatever the file is called.
 *
 * A line is a slice of the map or of a block, and is never copied. Used by log.c, sym.c and the
 * tools.
 */
#ifndef KFI_IN_H
#define KFI_IN_H

#include <signal.h>

#include "err.h"
#include "kfi_port_host.h"

#define KFI_IN_IDLE_MS	200

/**
 * struct kfi_in - an input; members are private except the first seven
 * @name: its name in messages
 * @idle: called every KFI_IN_IDLE_MS while the input gives nothing, and for each block that is read
 *	or unpacked; NULL unless the caller sets it
 * @live: data of a pipe is delivered as it comes, without waiting for a whole block
 * @stop: when the caller sets it to another value than 0, the input ends, at the latest after
 *	KFI_IN_IDLE_MS if @idle is set; or NULL
 * @line: number of the last line, from 1
 * @cut: the last line had no newline: it is the end of the input and perhaps incomplete
 * @fault: reason why the input ends before the file does: it cannot be unpacked; empty: none
 * @pos: next byte to deliver; see kfi_in_take()
 * @end: end of the bytes in memory; see kfi_in_take()
 * @map: start of the map, or NULL
 * @map_len: its length
 * @passed: the part of a map before it is not kept in memory; NULL if all is kept
 * @buf: block buffer of inputs that are not mapped, or NULL
 * @cap: its size
 * @fd: descriptor that gives more, or -1
 * @sniffed: it is known whether the input is compressed
 * @unpack: state of unpacking, or NULL
 * @zpos: next compressed byte in memory
 * @zend: end of the compressed bytes in memory
 * @zbuf: block buffer of compressed inputs that are not mapped, or NULL
 */
struct kfi_in {
	const char *name;
	void (*idle)(void);
	bool live;
	const volatile sig_atomic_t *stop;
	u64 line;
	bool cut;
	char fault[96];
	const char *pos;
	const char *end;
	void *map;
	size_t map_len;
	const char *passed;
	char *buf;
	size_t cap;
	int fd;
	bool sniffed;
	struct kfi_unpack *unpack;
	const u8 *zpos;
	const u8 *zend;
	u8 *zbuf;
};

/**
 * kfi_in_open() - open a file for reading by lines
 * @in: filled
 * @path: file, or "-" for standard input; must outlive @in
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno. On success kfi_in_close() must follow.
 */
int kfi_in_open(struct kfi_in *in, const char *path, struct kfi_err *err);

/**
 * kfi_in_memory() - read lines of a text in memory
 * @in: filled
 * @name: its name in messages
 * @data: the text, which must outlive @in
 * @len: its length
 */
void kfi_in_memory(struct kfi_in *in, const char *name, const void *data, size_t len);

/**
 * kfi_in_line() - read the next line
 * @in: the input; if it cannot be unpacked it ends, see @in->fault
 * @s: set to its first byte; valid until the next call
 * @len: set to its length, without newline
 * @err: set to the reason of a failure
 *
 * Return: 1, 0 at the end, or -errno.
 */
int kfi_in_line(struct kfi_in *in, const char **s, size_t *len, struct kfi_err *err);

/**
 * kfi_in_take() - deliver a line that the caller has found in the bytes in memory
 * @in: the input
 * @len: its length, with its newline
 *
 * Return: its first byte.
 */
static inline const char *kfi_in_take(struct kfi_in *in, size_t len)
{
	const char *s = in->pos;

	in->pos += len;
	in->line++;
	return s;
}

/**
 * kfi_in_peek() - bring the next bytes into memory
 * @in: the input, which may end early, see @in->fault; slices delivered so far become invalid
 * @want: least number of bytes
 * @s: set to the first byte not yet delivered
 * @len: set to the number of bytes; less than @want only at the end
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno. kfi_in_skip() delivers them.
 */
int kfi_in_peek(struct kfi_in *in, size_t want, const char **s, size_t *len, struct kfi_err *err);

/**
 * kfi_in_skip() - deliver bytes that are no line
 * @in: the input
 * @len: number of bytes, which must be in memory
 */
static inline void kfi_in_skip(struct kfi_in *in, size_t len)
{
	in->pos += len;
}

/**
 * kfi_in_rest() - bring the rest of the input into memory
 * @in: the input, which may end early, see @in->fault; slices delivered so far become invalid
 * @s: set to the first byte not yet delivered
 * @len: set to the number of bytes; kfi_in_line() still delivers them
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_in_rest(struct kfi_in *in, const char **s, size_t *len, struct kfi_err *err);

/**
 * kfi_in_whole() - open a file and bring all of it into memory
 * @in: filled
 * @path: file, or "-" for standard input; must outlive @in
 * @s: set to its first byte; valid until kfi_in_close()
 * @len: set to its length, unpacked
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno, -EBADMSG if it cannot be unpacked. On success kfi_in_close() must follow.
 */
int kfi_in_whole(struct kfi_in *in, const char *path, const char **s, size_t *len,
		 struct kfi_err *err);

/**
 * kfi_in_close() - free what kfi_in_open() allocated
 * @in: the input; may be closed twice
 */
void kfi_in_close(struct kfi_in *in);

#endif /* KFI_IN_H */
