/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A log in binary, as kfi_abi.h lays it out: what lies in memory, copied.
 */
#ifndef KFI_RAW_H
#define KFI_RAW_H

#include "kfi_log.h"

struct seq_file;

/**
 * kfi_raw_text() - Print the header of a log into memory.
 * @log: a log with a reference
 * @whole: it is collected
 * @len: where to put its length in bytes
 *
 * Context: process context, sleeps.
 * Return: the text, to be freed with kvfree(); NULL if there is no memory.
 */
char *kfi_raw_text(const struct kfi_log *log, bool whole, u32 *len);

/**
 * kfi_raw_pieces() - In how many pieces is a raw log written?
 * @log: a log with a reference
 * @whole: it is collected
 *
 * Context: process context.
 * Return: pieces, at least 2.
 */
u32 kfi_raw_pieces(const struct kfi_log *log, bool whole);

/**
 * kfi_raw_piece() - Write one piece.
 * @m: where to
 * @log: the log
 * @whole: it is collected
 * @text: its header, from kfi_raw_text()
 * @len: length of @text
 * @i: which piece: 0..kfi_raw_pieces() - 1
 *
 * Context: process context.
 */
void kfi_raw_piece(struct seq_file *m, const struct kfi_log *log, bool whole, const char *text,
		   u32 len, u32 i);

#endif /* KFI_RAW_H */
