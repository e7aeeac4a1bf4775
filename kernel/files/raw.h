/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A log in binary, as kfi_abi.h lays it out: what lies in memory, copied.
 */
#ifndef KFI_RAW_H
#define KFI_RAW_H

#include "session/log.h"

struct seq_file;

/**
 * struct kfi_raw - what is made before a raw log is written
 * @log: the log; its reference is the caller's
 * @whole: it is collected
 * @text: its header
 * @len: length of @text in bytes
 * @nchunks: chunks that are written
 * @order: which they are, in the order in which they were taken
 */
struct kfi_raw {
	const struct kfi_log *log;
	bool whole;
	char *text;
	u32 len;
	u32 nchunks;
	u32 *order;
};

/**
 * kfi_raw_prepare() - Make ready to write a log.
 * @raw: filled; all 0 before
 * @log: a log with a reference
 * @whole: it is collected
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM; kfi_raw_forget() is needed in either case.
 */
int kfi_raw_prepare(struct kfi_raw *raw, const struct kfi_log *log, bool whole);

/**
 * kfi_raw_forget() - Give the memory back.
 * @raw: as given to kfi_raw_prepare(), or all 0
 *
 * Context: process context.
 */
void kfi_raw_forget(struct kfi_raw *raw);

/**
 * kfi_raw_pieces() - In how many pieces is it written?
 * @raw: made ready
 *
 * Context: process context.
 * Return: pieces, at least 2.
 */
u32 kfi_raw_pieces(const struct kfi_raw *raw);

/**
 * kfi_raw_piece() - Write one piece.
 * @m: where to
 * @raw: made ready
 * @i: which piece: 0..kfi_raw_pieces() - 1
 *
 * Context: process context.
 */
void kfi_raw_piece(struct seq_file *m, const struct kfi_raw *raw, u32 i);

#endif /* KFI_RAW_H */
