/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A raw log in memory that outlives a reboot. Chunks are copied one by one into a circle of slots;
 * a commit makes what has been copied since the last one part of the log.
 *
 *	commit 0, text | commit 1, text | slot 0 | slot 1 | ...
 *	commit:	struct kfi_keep_commit | struct kfi_raw_head | part KFI_RAW_TEXT
 *	slot:	struct kfi_keep_slot, with a part KFI_RAW_CHUNK or KFI_RAW_OPEN
 *
 * Must hold: a reset at any moment leaves the log of the last commit, or of the one before. So
 * commits take turns, and everything has a checksum. A slot of the log that has been filled again,
 * or is damaged, is missing and counted. There is one writer; hooks never write here.
 */
#ifndef KFI_KEEP_H
#define KFI_KEEP_H

#include "kfi_abi.h"
#include "core/port.h"

#define KFI_KEEP_MAGIC		0x32706565692d666bULL	/* another one when the layout changes */

/* Bytes of a slot: a chunk of the ring with what stands before it fits. */
#define KFI_KEEP_SLOT_BYTES	2048

/* Bytes of a commit with its text: a part of the memory within these limits. */
#define KFI_KEEP_COMMIT_PART	8
#define KFI_KEEP_COMMIT_MIN	8192
#define KFI_KEEP_COMMIT_MAX	49152

/**
 * struct kfi_keep_slot - a slot
 * @crc: checksum of what follows, up to the end of the part
 * @calls: rows of the part that are calls
 * @others: rows of it that are none
 * @seq: slots that were filled in this boot until then; it is slot @seq modulo their number
 * @part: kind and length of the part
 * @data: the part, and zeros up to a multiple of KFI_RAW_ALIGN
 */
struct kfi_keep_slot {
	u32 crc;
	u16 calls;
	u16 others;
	u64 seq;
	struct kfi_raw_part part;
	u8 data[KFI_KEEP_SLOT_BYTES - 24];
};
static_assert(sizeof(struct kfi_keep_slot) == KFI_KEEP_SLOT_BYTES);

/**
 * struct kfi_keep_commit - which slots are a log, and what stands above its rows
 * @crc: checksum of what follows, up to the end of the text
 * @bytes: of all that
 * @magic: KFI_KEEP_MAGIC; written last
 * @number: commits are counted; the valid one with the higher number is the last
 * @first: @seq of the first slot of the log; earlier ones are of another
 * @last: @seq of its last slot
 * @until: raw clock count: calls that returned later may be missing; 0: a crash has ended the log
 * @calls: calls in the slots of the log
 * @others: other rows in them
 * @missed: chunks that were overwritten before they could be copied
 * @size: bytes of the memory
 * @head: head of the raw log
 * @part: kind and length of the text
 * @text: the text, and zeros up to a multiple of KFI_RAW_ALIGN
 */
struct kfi_keep_commit {
	u32 crc;
	u32 bytes;
	u64 magic;
	u64 number;
	u64 first;
	u64 last;
	u64 until;
	u32 calls;
	u32 others;
	u32 missed;
	u32 size;
	struct kfi_raw_head head;
	struct kfi_raw_part part;
	u8 text[];
};
static_assert(sizeof(struct kfi_keep_commit) == 136);

/**
 * struct kfi_keep - the memory
 * @mem: its beginning, aligned to 8 bytes; NULL: there is none
 * @size: bytes of it
 * @commit_bytes: bytes of a commit with its text
 * @nslots: slots
 * @first: @first of the next commit
 * @last: the slot that was filled last
 * @number: commits so far
 * @calls: @calls of the next commit
 * @others: its @others
 */
struct kfi_keep {
	u8 *mem;
	u32 size;
	u32 commit_bytes;
	u32 nslots;
	u64 first;
	u64 last;
	u64 number;
	u32 calls;
	u32 others;
};

/**
 * struct kfi_keep_lost - what is missing of a log
 * @slots: slots that are damaged, or were filled again
 * @calls: calls in them
 * @others: other rows in them
 */
struct kfi_keep_lost {
	u32 slots;
	u32 calls;
	u32 others;
};

/**
 * kfi_keep_init() - Lay the memory out; what is in it stays.
 * @k: filled
 * @mem: the memory
 * @size: bytes of it, a multiple of 8, at least twice KFI_KEEP_COMMIT_MIN and some slots
 */
void kfi_keep_init(struct kfi_keep *k, void *mem, u32 size);

/**
 * kfi_keep_begin() - Begin a log. The one before stays until the first commit.
 * @k: the memory
 */
void kfi_keep_begin(struct kfi_keep *k);

/**
 * kfi_keep_put() - Fill the next slot.
 * @k: the memory
 * @s: made elsewhere; its part and its rows are set
 */
void kfi_keep_put(struct kfi_keep *k, struct kfi_keep_slot *s);

/**
 * kfi_keep_commit() - Make a log of what was put into slots.
 * @k: the memory
 * @c: made elsewhere, with room for @k->commit_bytes: @until, @missed, @head, the length of @part
 *	and @text are set
 *
 * Return: false if the text is too long.
 */
bool kfi_keep_commit(struct kfi_keep *k, struct kfi_keep_commit *c);

/**
 * kfi_keep_find() - Look for a log.
 * @k: the memory, or a copy of it
 * @lost: filled: what is missing of it
 *
 * Return: its commit; NULL: there is no log.
 */
const struct kfi_keep_commit *kfi_keep_find(const struct kfi_keep *k, struct kfi_keep_lost *lost);

/**
 * kfi_keep_log() - Make a raw log of what was found.
 * @k: as given to kfi_keep_find()
 * @c: what that has returned
 * @more: lines to insert above the title of the rows
 * @len: bytes of them
 * @out: where to; room for @k->size and @len
 *
 * Return: bytes of it.
 */
u32 kfi_keep_log(const struct kfi_keep *k, const struct kfi_keep_commit *c, const char *more,
		 u32 len, void *out);

#endif /* KFI_KEEP_H */
