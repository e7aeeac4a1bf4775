/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compressed data as a stream of plain bytes: gzip, xz and zstd, recognised by their first bytes.
 *
 * zlib, liblzma and libzstd do the work; this is their common interface. Members that follow each
 * other are one stream. Called by in.c.
 */
#ifndef KFI_UNPACK_H
#define KFI_UNPACK_H

#include "kfi_port_host.h"

/* The kind is recognised by this number of first bytes. */
#define KFI_UNPACK_MAGIC	6

struct kfi_unpack;

/**
 * kfi_unpack_known() - check whether data is compressed in a way that is known here
 * @s: first byte
 * @len: how many there are
 *
 * Return: true if so.
 */
bool kfi_unpack_known(const void *s, size_t len);

/**
 * kfi_unpack_open() - begin
 * @s: the first bytes, for which kfi_unpack_known() is true
 * @len: how many
 *
 * Return: a stream that kfi_unpack_close() must end, or NULL: out of memory.
 */
struct kfi_unpack *kfi_unpack_open(const void *s, size_t len);

/**
 * kfi_unpack_run() - go on
 * @u: the stream
 * @s: next compressed byte; moved on
 * @end: behind the last of those in memory
 * @last: there are no more behind @end
 * @out: where the plain bytes go
 * @room: for how many there is room; not 0
 * @fault: set to the fault, if there is one
 *
 * Return: bytes made; 0: more input is wanted, or with @last the end; -1: see @fault.
 */
ssize_t kfi_unpack_run(struct kfi_unpack *u, const u8 **s, const u8 *end, bool last, void *out,
		       size_t room, const char **fault);

/**
 * kfi_unpack_close() - free the memory
 * @u: the stream, or NULL
 */
void kfi_unpack_close(struct kfi_unpack *u);

#endif /* KFI_UNPACK_H */
