/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads a raw log while it is recorded, from /proc/kfi_pipe.
 *
 * Rows are delivered in order of exit as they arrive, not in order of entry: a call that has not
 * returned has no row. Everything up to a part KFI_RAW_PROGRESS is a batch, which is sorted. Memory
 * use grows with the largest batch, never with the log. Called by log_raw.c.
 */
#ifndef KFI_RAW_STREAM_H
#define KFI_RAW_STREAM_H

#include "in.h"
#include "raw.h"

/**
 * struct kfi_raw_stream - a raw log that is read as it comes; private except the first two members
 * @raw: its head, its text, its fault, and how much was lost so far
 * @is_over: the end has been read
 * @in: the input
 * @bytes: the parts of the current batch
 * @len: number of bytes in @bytes
 * @room: for how many there is room
 * @rows: places of the rows in the batch
 * @next: number of the first row that was not delivered
 * @count: number of rows so far
 * @is_progress: the last part was KFI_RAW_PROGRESS, so the input may end here
 * @text: the header
 */
struct kfi_raw_stream {
	struct kfi_raw raw;
	bool is_over;
	struct kfi_in *in;
	u8 *bytes;
	u32 len;
	u32 room;
	struct kfi_raw_list rows;
	u32 next;
	u64 count;
	bool is_progress;
	char *text;
};

/**
 * kfi_raw_stream_open() - read the head of a raw log
 * @s: filled
 * @in: the input, after the magic; must outlive @s
 * @err: set to the reason of a failure
 *
 * Return: 0, -EINVAL, -ENOMEM, or the error of reading. On success kfi_raw_stream_close() must
 * follow.
 */
int kfi_raw_stream_open(struct kfi_raw_stream *s, struct kfi_in *in, struct kfi_err *err);

/**
 * kfi_raw_stream_item() - make the next row or mark as soon as it has come
 * @s: the log
 * @row: filled if it is a row, with addresses as numbers: see kfi_log_names()
 * @mark: filled if it is a mark, with addresses as numbers
 * @err: set to the reason of a failure
 *
 * Return: KFI_LINE_ROW, KFI_LINE_WATCH or KFI_LINE_MARK; KFI_LINE_RULE: @s->raw.text is new or has
 * changed; 0: the input is over; -errno.
 */
int kfi_raw_stream_item(struct kfi_raw_stream *s, struct kfi_row *row, struct kfi_log_mark *mark,
			struct kfi_err *err);

/**
 * kfi_raw_stream_close() - free the memory
 * @s: the log
 */
void kfi_raw_stream_close(struct kfi_raw_stream *s);

#endif /* KFI_RAW_STREAM_H */
