/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Raw logs, /proc/kfi_raw: the memory of a recorder, of either byte order and word size.
 *
 * The layout is in kfi_abi.h and Documentation/formats.rst. Records are decoded here and not by the
 * recorder's own code, which knows only the machine it runs on. A file is read twice: once to count
 * its rows and to see how far they are from being in order, once to make them, in order. Memory
 * grows with open calls and with calls that took very long. Damaged parts are left out and
 * reported. Called by log_raw.c.
 */
#ifndef KFI_RAW_H
#define KFI_RAW_H

#include "hash.h"
#include "kfi_abi.h"
#include "kfi_port_host.h"
#include "log.h"

/* The first line of a file that is a raw log; its newline is the last byte of the magic. */
#define KFI_RAW_LINE		"\211KFIraw"

/* Room for a row as text. */
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
 * struct kfi_raw_block - some chunks, one behind the other
 * @from: place of the first one's part
 * @to: behind the last one
 * @entry: no row of them was entered before, but for those aside
 */
struct kfi_raw_block {
	u64 from;
	u64 to;
	u64 entry;
};

/**
 * struct kfi_raw - one raw log in memory; private but for the first eight
 * @text: the text above its rows
 * @nrows: rows and marks there are
 * @used: bytes of it, after the magic; another log may follow
 * @word_bits: 32 or 64
 * @fault: its fault, empty: none
 * @live: it was read while the session went on (/proc/kfi_pipe), and ends before the session does
 * @calls_lost: if so: calls that were overwritten before they could be read
 * @others_lost: marks and rows of watches, too
 * @data: where it is, the magic not counted
 * @len: bytes there are, others' included
 * @passed: bytes of the log before @data, behind the magic
 * @swap: it is of the other byte order
 * @first: place of the first part
 * @counted: rows have been counted
 * @base: what near addresses are relative to
 * @origin: count of the clock at Entry 0
 * @hz: counts per second, 0: not known
 * @limit: no count from @origin on is higher
 * @min: closed calls of fewer counts are no rows
 * @max: those of more neither
 * @late: rows entered by so much before their chunk began are in @aside
 * @block: the blocks
 * @nblocks: how many
 * @block_room: for how many there is room
 * @next_block: first one that has not been read
 * @aside: open calls and late rows
 * @nopens: how many are open calls
 * @next_aside: first one that is not in @now
 * @wait: rows of blocks that have been read
 * @now: rows that come next, in order
 * @at: first of them that has not been made
 * @spare: what lists are sorted into
 * @nsums: functions of a profile, which has no other rows
 * @sum_part: place of the first part that has not been looked at for these
 * @sum: place of the next one
 * @sums_left: how many are there
 * @unknown: records of kinds that are not known, and are in no row
 * @words: text of the mark made last
 */
struct kfi_raw {
	struct kfi_str text;
	u32 nrows;
	size_t used;
	u32 word_bits;
	char fault[128];
	bool live;
	u64 calls_lost;
	u64 others_lost;
	const u8 *data;
	size_t len;
	u64 passed;
	bool swap;
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
	u32 next_block;
	struct kfi_raw_list aside;
	u32 nopens;
	u32 next_aside;
	struct kfi_raw_list wait;
	struct kfi_raw_list now;
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
 * kfi_raw_open() - understand a raw log
 * @raw: filled
 * @name: as messages name it
 * @data: the bytes behind the magic; must outlive @raw
 * @len: its length
 * @err: set to the reason of a failure
 *
 * Return: 0, also when something is wrong behind the head, see @raw->fault; -EINVAL when the head
 * is of no known version; -ENOMEM. On success kfi_raw_close() must follow.
 */
int kfi_raw_open(struct kfi_raw *raw, const char *name, const void *data, size_t len,
		 struct kfi_err *err);

/**
 * kfi_raw_begin() - understand the head of a raw log
 * @raw: filled: @raw->used, and all that the head says
 * @name: as messages name it
 * @data: the bytes behind the magic
 * @len: how many there are
 * @err: set to the reason of a failure
 *
 * Return: 0, -EINVAL: it is of no known version.
 */
int kfi_raw_begin(struct kfi_raw *raw, const char *name, const void *data, size_t len,
		  struct kfi_err *err);

/**
 * kfi_raw_item() - make the next row, or mark, in order of entry
 * @raw: the log
 * @row: filled if it is a row, with numbers for names: kfi_log_names()
 * @mark: filled if it is a mark; the same
 *
 * Return: KFI_LINE_ROW, KFI_LINE_WATCH or KFI_LINE_MARK; 0: there is none more; -ENOMEM.
 */
int kfi_raw_item(struct kfi_raw *raw, struct kfi_row *row, struct kfi_log_mark *mark);

/**
 * kfi_raw_rows() - kfi_raw_item() of the next ones, as far as they are calls
 * @raw: the log
 * @row: filled
 * @n: how many at most
 *
 * Return: how many; 0: kfi_raw_item() has the next item.
 */
u32 kfi_raw_rows(struct kfi_raw *raw, struct kfi_row *row, u32 n);

/**
 * kfi_raw_sums() - the next function of a profile
 * @raw: the log
 * @sums: filled
 * @text: KFI_RAW_TEXT_MAX bytes, for its address
 *
 * Return: false: there is none more.
 */
bool kfi_raw_sums(struct kfi_raw *raw, struct kfi_sums *sums, char *text);

/**
 * kfi_raw_sums_line() - a function of a profile as the text log has it
 * @sums: the function
 * @text: KFI_RAW_TEXT_MAX bytes
 *
 * Return: its length.
 */
size_t kfi_raw_sums_line(const struct kfi_sums *sums, char *text);

/**
 * kfi_raw_line() - a row as the text log has it
 * @row: a row that kfi_raw_item() made, with its names
 * @text: KFI_RAW_TEXT_MAX bytes
 *
 * Return: its length.
 */
size_t kfi_raw_line(const struct kfi_row *row, char *text);

/**
 * kfi_raw_mark_line() - a mark as the text log has it
 * @mark: a mark that kfi_raw_item() made
 * @text: KFI_RAW_TEXT_MAX bytes
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
