/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One record of a raw log: a call, an open call, a mark or a row of a watch, whatever machine wrote
 * it. Called by raw.c, which knows where records are.
 */
#ifndef KFI_RAW_REC_H
#define KFI_RAW_REC_H

#include "raw.h"

/* What a record's first word can say. */
#define KFI_RAW_WORDS_MAX	31

/**
 * struct kfi_raw_call - one record, decoded; times are raw counts
 * @func: function
 * @site: call site
 * @entry: at entry
 * @dur: from entry to exit
 * @local: what the function itself ran
 * @off: switched out
 * @irq: in interrupts
 * @value: of a mark or a row of a watch
 * @text: place of its text
 * @text_len: its length
 * @pid: task
 * @cpu: cpu, of open calls; that of others is with their chunk
 * @depth: nesting depth
 * @ctx: enum kfi_ctx
 * @marks: KFI_MARK_*
 * @event: enum kfi_event_kind, or one of a later version
 */
struct kfi_raw_call {
	u64 func;
	u64 site;
	u64 entry;
	u64 dur;
	u64 local;
	u64 off;
	u64 irq;
	s64 value;
	u64 text;
	u32 text_len;
	u32 pid;
	u32 cpu;
	u32 depth;
	u8 ctx;
	u8 marks;
	u8 event;
};

/* Numbers at a place of a log. */
static inline u16 kfi_raw_get16(const struct kfi_raw *r, u64 at)
{
	u16 v;

	memcpy(&v, r->data + at, sizeof(v));
	return r->swap ? __builtin_bswap16(v) : v;
}

static inline u32 kfi_raw_get32(const struct kfi_raw *r, u64 at)
{
	u32 v;

	memcpy(&v, r->data + at, sizeof(v));
	return r->swap ? __builtin_bswap32(v) : v;
}

static inline u64 kfi_raw_get64(const struct kfi_raw *r, u64 at)
{
	u64 v;

	memcpy(&v, r->data + at, sizeof(v));
	return r->swap ? __builtin_bswap64(v) : v;
}

/* Two words of a record, the lower half first in any byte order. */
static inline u64 kfi_raw_pair(const struct kfi_raw *r, u64 at)
{
	return kfi_raw_get32(r, at) | (u64)kfi_raw_get32(r, at + 4) << 32;
}

/**
 * kfi_raw_decode() - understand a record of a chunk
 * @r: the log
 * @at: its place
 * @room: words there are from there on, at least one
 * @base: what times of its chunk are relative to
 * @c: filled
 *
 * Return: its words; 0: there is none more; -1: what is there can be none.
 */
int kfi_raw_decode(const struct kfi_raw *r, u64 at, u32 room, u64 base, struct kfi_raw_call *c);

/**
 * kfi_raw_decode_open() - understand an open call
 * @r: the log
 * @at: its place
 * @c: filled
 */
void kfi_raw_decode_open(const struct kfi_raw *r, u64 at, struct kfi_raw_call *c);

/**
 * kfi_raw_record() - the record of a row
 * @r: the log
 * @i: which, in order of entry
 * @c: filled, its cpu, too
 */
void kfi_raw_record(const struct kfi_raw *r, u32 i, struct kfi_raw_call *c);

#endif /* KFI_RAW_REC_H */
