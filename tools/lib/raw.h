/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Raw logs, /proc/kfi_raw: the memory of a recorder, in any byte order and word size.
 *
 * kfi_abi.h and Documentation/format-raw.rst describe the layout. Records are decoded here and not
 * by the recorder's own code, which knows only the machine that it runs on. A file is read twice:
 * first to count its rows and to find how far they are from being in order, then to make the rows
 * in order. Memory use grows with open calls and with calls that took very long. Parts with a wrong
 * checksum are left out and reported. Called by log_raw.c.
 */
#ifndef KFI_RAW_H
#define KFI_RAW_H

#include "hash.h"
#include "kfi_abi.h"
#include "kfi_port_host.h"
#include "log.h"

/* The first line of a raw log; its newline is the last byte of the magic. */
#define KFI_RAW_LINE		"\211KFIraw"

/* Largest size of a row as text. */
#define KFI_RAW_TEXT_MAX	320

struct kfi_raw_at;

/**
 * struct kfi_raw_list - places of rows
 * @at: the places
 * @n: how many
 * @room: for how many there is room
 */
struct kfi_raw_list {
	struct kfi_raw_at *at;
	u32 n;
	u32 room;
};

/**
 * struct kfi_raw_block - chunks that follow each other
 * @from: place of the part with the first chunk
 * @to: end of the last chunk
 * @entry: earliest entry of its rows, except those kept aside
 */
struct kfi_raw_block {
	u64 from;
	u64 to;
	u64 entry;
};

/**
 * struct kfi_raw - a raw log in memory; private except the first eight members
 * @text: the header
 * @nrows: number of rows and marks
 * @used: number of bytes of the log, after the magic; another log may follow
 * @word_bits: 32 or 64
 * @fault: the first fault, empty: none
 * @live: the log comes from /proc/kfi_pipe, and ends before the session does
 * @calls_lost: @live: number of calls that were overwritten before they could be read
 * @others_lost: @live: number of marks and watch rows that were overwritten
 * @data: the bytes after the magic
 * @len: number of bytes, which may include other logs
 * @passed: number of bytes of the log between the magic and @data
 * @swap: it has the other byte order
 * @check_bytes: number of bytes of a part's checksum: 0 before KFI_RAW_CHECK_VERSION
 * @head_check: checksum of the head, which that of the first part continues
 * @damaged: number of parts that are left out because of a wrong checksum
 * @first: place of the first part in @data
 * @counted: rows have been counted
 * @base: value that near addresses are relative to
 * @origin: count of the clock at which Entry is 0
 * @hz: counts per second, 0: unknown
 * @limit: upper limit of counts after @origin
 * @min: closed calls of fewer counts become no rows
 * @max: closed calls of more counts become no rows
 * @late: rows entered this number of counts before their chunk began are kept in @aside
 * @block: the blocks
 * @nblocks: number of blocks
 * @block_room: for how many there is room
 * @split: the next chunk begins a block, since parts before it were left out
 * @next_block: number of the first block that has not been read
 * @aside: places of open calls and late rows
 * @nopens: number of open calls
 * @next_aside: number of the first element of @aside that is not in @ready
 * @wait: places of the rows of blocks that have been read
 * @ready: places of the rows that come next, in order
 * @at: number of the first element of @ready that has not been delivered
 * @spare: room for sorting
 * @nsums: number of functions of a profile, which has no other rows
 * @sum_part: place of the next part to search for functions of a profile
 * @sum: place of the next function of a profile
 * @sums_left: number of functions from @sum on
 * @unknown: number of records of unknown kinds, which are in no row
 * @words: text of the last mark
 */
struct kfi_raw {
	struct kfi_str text;
	u32 nrows;
	size_t used;
	u32 word_bits;
	char fault[160];
	bool live;
	u64 calls_lost;
	u64 others_lost;
	const u8 *data;
	size_t len;
	u64 passed;
	bool swap;
	u32 check_bytes;
	u32 head_check;
	u32 damaged;
	size_t first;
	bool counted;
	u64 base;
	u64 origin;
	u64 hz;
	u64 limit;
	u64 min;
	u64 max;
	u64 late;
	struct kfi_raw_block *block;
	u32 nblocks;
	u32 block_room;
	bool split;
	u32 next_block;
	struct kfi_raw_list aside;
	u32 nopens;
	u32 next_aside;
	struct kfi_raw_list wait;
	struct kfi_raw_list ready;
	u32 at;
	struct kfi_raw_list spare;
	u32 nsums;
	u64 sum_part;
	u64 sum;
	u32 sums_left;
	u32 unknown;
	char words[256];
};

/**
 * kfi_raw_open() - read a raw log
 * @raw: filled
 * @name: its name in messages
 * @data: the bytes after the magic; must outlive @raw
 * @len: its length
 * @err: set to the reason of a failure
 *
 * Return: 0, also if the log has a fault behind its head, see @raw->fault; -EINVAL: unknown
 * version; -ENOMEM. On success kfi_raw_close() must follow.
 */
int kfi_raw_open(struct kfi_raw *raw, const char *name, const void *data, size_t len,
		 struct kfi_err *err);

/**
 * kfi_raw_begin() - read the head of a raw log
 * @raw: filled: @raw->used, and what the head says
 * @name: its name in messages
 * @data: the bytes after the magic
 * @len: number of bytes
 * @err: set to the reason of a failure
 *
 * Return: 0, -EINVAL: unknown version.
 */
int kfi_raw_begin(struct kfi_raw *raw, const char *name, const void *data, size_t len,
		  struct kfi_err *err);

/**
 * kfi_raw_item() - make the next row or mark, in order of entry
 * @raw: the log
 * @row: filled if it is a row, with addresses as numbers: see kfi_log_names()
 * @mark: filled if it is a mark, with addresses as numbers
 *
 * Return: KFI_LINE_ROW, KFI_LINE_WATCH or KFI_LINE_MARK; 0: there are no more; -ENOMEM.
 */
int kfi_raw_item(struct kfi_raw *raw, struct kfi_row *row, struct kfi_log_mark *mark);

/**
 * kfi_raw_rows() - make the next rows, as far as they are plain calls
 * @raw: the log
 * @row: filled
 * @n: largest number of rows
 *
 * Return: number of rows; 0: kfi_raw_item() has the next item.
 */
u32 kfi_raw_rows(struct kfi_raw *raw, struct kfi_row *row, u32 n);

/**
 * kfi_raw_sums() - read the next function of a profile
 * @raw: the log
 * @sums: filled
 * @text: room for its address, KFI_RAW_TEXT_MAX bytes
 *
 * Return: false: there are no more.
 */
bool kfi_raw_sums(struct kfi_raw *raw, struct kfi_sums *sums, char *text);

/**
 * kfi_raw_sums_line() - format a function of a profile as a line of a text log
 * @sums: the function
 * @text: filled; KFI_RAW_TEXT_MAX bytes
 *
 * Return: its length.
 */
size_t kfi_raw_sums_line(const struct kfi_sums *sums, char *text);

/**
 * kfi_raw_line() - format a row as a line of a text log
 * @row: a row that kfi_raw_item() made, with its names
 * @text: filled; KFI_RAW_TEXT_MAX bytes
 *
 * Return: its length.
 */
size_t kfi_raw_line(const struct kfi_row *row, char *text);

/**
 * kfi_raw_mark_line() - format a mark as a line of a text log
 * @mark: a mark that kfi_raw_item() made
 * @text: filled; KFI_RAW_TEXT_MAX bytes
 *
 * Return: its length.
 */
size_t kfi_raw_mark_line(const struct kfi_log_mark *mark, char *text);

/**
 * kfi_raw_close() - free the memory
 * @raw: the log; may be closed twice
 */
void kfi_raw_close(struct kfi_raw *raw);

#endif /* KFI_RAW_H */
