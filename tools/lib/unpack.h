/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Unpacks compressed data as a stream: gzip, xz and zstd, recognised by their first bytes.
 *
 * zlib, liblzma and libzstd do the work; this is their common interface. Members that follow each
 * other are one stream. Called by in.c.
 */
#ifndef KFI_UNPACK_H
#define KFI_UNPACK_H

#include "kfi_port_host.h"

/* Number of first bytes that show the format. */
#define KFI_UNPACK_MAGIC	6

struct kfi_unpack;

/**
 * kfi_unpack_known() - check whether data is compressed in a known format
 * @s: first byte
 * @len: number of bytes
 *
 * Return: true if so.
 */
bool kfi_unpack_known(const void *s, size_t len);

/**
 * kfi_unpack_open() - begin to unpack
 * @s: the first bytes, for which kfi_unpack_known() is true
 * @len: number of bytes
 *
 * Return: a stream that kfi_unpack_close() must end, or NULL: out of memory.
 */
struct kfi_unpack *kfi_unpack_open(const void *s, size_t len);

/**
 * kfi_unpack_run() - unpack some bytes
 * @u: the stream
 * @s: next compressed byte; moved on
 * @end: end of the compressed bytes in memory
 * @last: no more bytes follow @end
 * @out: room for the decoded bytes
 * @room: size of @out, not 0
 * @fault: set to the fault, if there is one
 *
 * Return: number of decoded bytes; 0: more input is needed, or with @last the end; -1: see @fault.
 */
ssize_t kfi_unpack_run(struct kfi_unpack *u, const u8 **s, const u8 *end, bool last, void *out,
		       size_t room, const char **fault);

/**
 * kfi_unpack_close() - free the memory
 * @u: the stream, or NULL
 */
void kfi_unpack_close(struct kfi_unpack *u);

#endif /* KFI_UNPACK_H */
