/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rawlog - read a /proc/kfi_raw or kfi_pipe of this machine and turn it into the rows of its text
 *
 * The tests' own reader, after Documentation/format-raw.rst: it shares no code with the recorder or
 * the tools, so that a misunderstanding shows.
 */
#ifndef RAWLOG_H
#define RAWLOG_H

#include "tracelog.h"

/**
 * crc32_of() - compute a CRC-32, as of zlib
 * @bytes: the bytes
 * @n:     how many
 *
 * Return: the checksum.
 */
uint32_t crc32_of(const void *bytes, size_t n);

/**
 * raw_parse() - read a raw log
 * @log:  filled in as tl_parse() fills it from the text; release with tl_free()
 * @data: the bytes; they are read only, and needed no longer
 * @len:  how many
 * @why:  on error, what is wrong
 * @size: of @why
 *
 * Return: 0, or -1.
 */
int raw_parse(struct tracelog *log, const char *data, size_t len, char *why, size_t size);

#endif
