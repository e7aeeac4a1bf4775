/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A record of a raw log: a call, an open call, a mark or a watch row, whatever machine wrote it.
 * Called by raw.c, which knows where the records are.
 */
#ifndef KFI_RAW_REC_H
#define KFI_RAW_REC_H

#include "core/rec.h"
#include "raw.h"

/* Masks of a packed address and of a packed time. */
#define RAW_ADDR	((1u << KFI_PACKED_ADDR_BITS) - 1)
#define RAW_TIME	((1u << KFI_PACKED_TIME_BITS) - 1)

/**
 * struct kfi_raw_call - a decoded record; times are counts of the clock
 * @func: function
 * @site: call site
 * @entry: count at the entry
 * @dur: counts from entry to exit
 * @local: counts that the function itself ran
 * @off: counts switched out
 * @irq: counts in interrupts
 * @value: value of a mark or a watch row
 * @text: place of the text
 * @text_len: length of the text
 * @nfuncs: number of functions that stand in the place of a text
 * @hidden: the values of a mark were replaced by 0
 * @pid: the task
 * @cpu: CPU of an open call; other records have it in their chunk
 * @depth: depth of nesting
 * @below: number of calls below it that have no record
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
	u32 nfuncs;
	u32 pid;
	u32 cpu;
	u32 depth;
	u32 below;
	u8 ctx;
	u8 marks;
	u8 event;
	bool hidden;
};

/* Read a number at a place of a log. */
static inline u16 kfi_raw_get16(const struct kfi_raw *r, u64 at)
{
	u16 v;

	memcpy(&v, r->data + at, sizeof(v));
	return r->swap ? __builtin_bswap16(v) : v;
}

static __always_inline u32 kfi_raw_word(const u8 *p, bool swap)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap32(v) : v;
}

static inline u32 kfi_raw_get32(const struct kfi_raw *r, u64 at)
{
	return kfi_raw_word(r->data + at, r->swap);
}

static inline u64 kfi_raw_get64(const struct kfi_raw *r, u64 at)
{
	u64 v;

	memcpy(&v, r->data + at, sizeof(v));
	return r->swap ? __builtin_bswap64(v) : v;
}

/* Read two words of a record, the lower half first in any byte order. */
static inline u64 kfi_raw_pair(const struct kfi_raw *r, u64 at)
{
	return kfi_raw_get32(r, at) | (u64)kfi_raw_get32(r, at + 4) << 32;
}

/* Return a near address. For a 32-bit kernel it wraps: the caller cuts it to 32 bits. */
static inline u64 kfi_raw_near(u64 text, u32 rel)
{
	return text + (u64)(s64)(s32)rel;
}

/* Number of words by the three bits of the form, for kfi_raw_times(). */
static const u8 kfi_raw_words_of[8] = KFI_REC_FORM_WORDS;

/**
 * kfi_raw_decode_packed() - decode the most frequent kind of record
 * @p: the record
 * @swap: it has the other byte order
 * @text: value that near addresses are relative to
 * @w0: its first word: of a form up to KFI_REC_PACKED but KFI_REC_AWAY
 * @base: count that times of its chunk are relative to
 * @c: filled member by member: clearing all of it first would take longer
 */
static __always_inline void kfi_raw_decode_packed(const u8 *p, bool swap, u64 text, u32 w0,
						  u64 base, struct kfi_raw_call *c)
{
	u32 func = kfi_raw_word(p + 4, swap), site = kfi_raw_word(p + 8, swap);
	u32 form = w0 & KFI_W0_FORM;
	u32 last = kfi_raw_word(p + (form == KFI_REC_PACKED ? 16 : 20), swap);
	u32 split = last >> KFI_PACKED_TIME_BITS |
		    site >> KFI_PACKED_ADDR_BITS << KFI_PACKED_LOW_BITS;

	c->func = kfi_raw_near(text, func & RAW_ADDR);
	c->site = kfi_raw_near(text, site & RAW_ADDR);
	c->off = c->irq = 0;
	c->value = 0;
	c->text = 0;
	c->text_len = c->cpu = 0;
	c->pid = w0 >> KFI_W0_PID_SHIFT;
	c->depth = func >> KFI_PACKED_ADDR_BITS;
	c->ctx = w0 >> KFI_W0_CTX_SHIFT & 3;
	c->below = 0;
	if (unlikely(w0 & KFI_W0_BELOW))
		c->below = kfi_raw_word(p + 4 * kfi_raw_words_of[form], swap);
	c->marks = 0;
	c->event = KFI_EVENT_NONE;
	if (likely(form == KFI_REC_PACKED)) {
		c->dur = last & RAW_TIME;
		c->local = split;
	} else {
		c->dur = kfi_raw_word(p + 16, swap);
		c->local = last & RAW_TIME;
		if (form == KFI_REC_OFF)
			c->off = c->dur - c->local - split;
		else
			c->irq = split;
		if (form == KFI_REC_BOTH)
			c->off = kfi_raw_word(p + 24, swap);
	}
	c->entry = base + (u64)(s64)(s32)kfi_raw_word(p + 12, swap) - c->dur;
}

/**
 * kfi_raw_decode() - decode a record of a chunk
 * @r: the log
 * @at: its place
 * @room: number of words from there on, at least one
 * @base: count that times of its chunk are relative to
 * @c: filled
 *
 * Return: number of words; 0: there are no more; -1: these words are no record.
 */
int kfi_raw_decode(const struct kfi_raw *r, u64 at, u32 room, u64 base, struct kfi_raw_call *c);

/**
 * kfi_raw_decode_open() - decode an open call
 * @r: the log
 * @at: its place
 * @c: filled
 */
void kfi_raw_decode_open(const struct kfi_raw *r, u64 at, struct kfi_raw_call *c);

/**
 * kfi_raw_times() - decode only the entry and the duration of a frequent kind of record
 * @p: the record
 * @swap: it has the other byte order
 * @room: number of words from there on, at least one
 * @base: count that times of its chunk are relative to
 * @entry: set to the count at entry
 * @dur: set to the counts from entry to exit
 *
 * Return: number of words; 0: it is not a call without marks: use kfi_raw_decode().
 */
static __always_inline u32 kfi_raw_times(const u8 *p, bool swap, u32 room, u64 base, u64 *entry,
					 u64 *dur)
{
	u32 w0 = kfi_raw_word(p, swap), form = w0 & KFI_W0_FORM, words;

	if (unlikely(w0 & (0x18 | (KFI_MARK_CALL << KFI_W0_MARK_SHIFT & ~KFI_W0_BELOW))))
		return 0;
	words = kfi_raw_words_of[form];
	if (w0 & KFI_W0_BELOW)
		words = kfi_rec_is_packed(form) ? words + 1 : 0;
	if (unlikely(words - 1 >= room))
		return 0;
	*dur = kfi_raw_word(p + 16, swap) & (form == KFI_REC_PACKED ? RAW_TIME : U32_MAX);
	*entry = base + (u64)(s64)(s32)kfi_raw_word(p + 12, swap) - *dur;
	return words;
}

/* Convert counts of a clock with @hz counts a second to nanoseconds. */
static __always_inline u64 kfi_raw_nsecs(u64 hz, u64 counts)
{
	if (hz == 1000000000)
		return counts;
	if (!hz || !counts)
		return 0;
	/* The usual case, with one division. */
	if (likely(counts <= U64_MAX / 1000000000))
		return counts * 1000000000 / hz;
	return counts / hz * 1000000000 + counts % hz * 1000000000 / hz;
}

/* Fill a row member by member: clearing all of it first would take longer. */
static __always_inline void kfi_raw_make_row(u64 origin, u64 hz, u32 bits,
					     const struct kfi_raw_call *c, struct kfi_row *row)
{
	/* Addresses of a 32-bit kernel have wrapped. */
	u64 at = c->entry - origin, mask = bits == 32 ? U32_MAX : U64_MAX;
	u64 entry = c->marks & KFI_MARK_NOTIME ? 0 : kfi_raw_nsecs(hz, at), delta, off;

	row->func.s = row->caller.s = row->args.s = NULL;
	row->func.len = row->caller.len = row->args.len = 0;
	row->func_at = c->func & mask;
	row->site = c->site & mask;
	row->numbers = (u8)bits;
	row->task = (s32)c->pid;
	row->pid = c->ctx == KFI_CTX_TASK ? (s32)c->pid : -1;
	row->cpu = (s32)(c->cpu & INT32_MAX);
	row->depth = c->depth;
	row->ctx = c->ctx;
	row->marks = c->marks;
	row->below = c->marks ? 0 : c->below;
	row->watch = c->event == KFI_EVENT_STACK;
	row->entry_ns = entry;
	if (unlikely(c->event || c->marks)) {
		row->delta_ns = row->local_ns = row->off_ns = row->irq_ns = -1;
		return;
	}
	/* The difference of rounded times, as in a text log. */
	delta = kfi_raw_nsecs(hz, at + c->dur) - entry;
	off = min_t(u64, kfi_raw_nsecs(hz, c->off), delta);
	row->delta_ns = delta;
	row->local_ns = min_t(u64, kfi_raw_nsecs(hz, c->local), delta);
	row->off_ns = off;
	row->irq_ns = min_t(u64, kfi_raw_nsecs(hz, c->irq), delta - off);
}

/* Return true if times have values that can be shown. */
static __always_inline bool kfi_raw_is_valid_time(u64 origin, u64 limit, u64 entry, u64 dur)
{
	u64 at = entry - origin;

	/* Reject only times that do not fit; a smaller error in a time is not found here. */
	return at + dur >= dur && at < U64_MAX / 2 && at + dur <= limit;
}

/**
 * kfi_raw_is_valid() - check whether a record can be shown
 * @r: the log
 * @c: the record
 *
 * Return: true if so.
 */
bool kfi_raw_is_valid(const struct kfi_raw *r, const struct kfi_raw_call *c);

/**
 * kfi_raw_is_row() - check whether a record is a row
 * @r: the log; a record with impossible values is set as its fault, an unknown kind is counted
 * @c: the record
 * @at: its place
 *
 * Return: true if so.
 */
bool kfi_raw_is_row(struct kfi_raw *r, const struct kfi_raw_call *c, u64 at);

/**
 * kfi_raw_set_fault() - set the fault of a log, unless it has one
 * @r: the log
 * @what: text of the fault
 * @at: place of the fault
 */
void kfi_raw_set_fault(struct kfi_raw *r, const char *what, u64 at);

/**
 * kfi_raw_set_progress() - read a part KFI_RAW_PROGRESS
 * @r: the log
 * @at: its place
 * @bytes: its length
 */
void kfi_raw_set_progress(struct kfi_raw *r, u64 at, u32 bytes);

/**
 * kfi_raw_make_item() - make a row or a mark from a record
 * @r: the log
 * @c: the record
 * @row: as for kfi_raw_item()
 * @mark: as for kfi_raw_item()
 *
 * Return: KFI_LINE_ROW, KFI_LINE_WATCH or KFI_LINE_MARK.
 */
int kfi_raw_make_item(struct kfi_raw *r, const struct kfi_raw_call *c, struct kfi_row *row,
		      struct kfi_log_mark *mark);

/* Read the head of the part at a place. Return: false: there is no part. */
static inline bool kfi_raw_part_at(const struct kfi_raw *r, u64 at, u32 *kind, u32 *bytes)
{
	if (at >= r->len || r->len - at < sizeof(struct kfi_raw_part))
		return false;
	*kind = kfi_raw_get32(r, at);
	*bytes = kfi_raw_get32(r, at + 4);
	return true;
}

/*
 * Return the place of the next part. Parts are aligned relative to the magic, whose length is a
 * multiple of the alignment.
 */
static inline u64 kfi_raw_behind(const struct kfi_raw *r, u64 at, u32 bytes)
{
	return (at + bytes + r->check_bytes + KFI_RAW_ALIGN - 1) & ~(u64)(KFI_RAW_ALIGN - 1);
}

/**
 * kfi_raw_is_whole() - compare the checksum of a part
 * @r: the log, which has all of the part
 * @at: place of what follows its struct kfi_raw_part
 * @bytes: number of these bytes
 *
 * Return: true if the checksum is right, or if the log has none.
 */
bool kfi_raw_is_whole(const struct kfi_raw *r, u64 at, u32 bytes);

/**
 * kfi_raw_can_use_damaged() - set a fault for a part with a wrong checksum
 * @r: the log
 * @kind: enum kfi_raw_kind
 * @at: place of what follows its struct kfi_raw_part
 *
 * Return: false if it is to be left out: it is not the first text, without which there would be no
 * rows.
 */
bool kfi_raw_can_use_damaged(struct kfi_raw *r, u32 kind, u64 at);

/**
 * kfi_raw_set_end() - compare the number of rows with that of the end
 * @r: the log
 * @rows: number of rows that have been read
 * @at: place of struct kfi_raw_end
 * @bytes: its length
 */
void kfi_raw_set_end(struct kfi_raw *r, u64 rows, u64 at, u32 bytes);

/**
 * struct kfi_raw_at - the place of the record of a row
 * @entry: count at entry
 * @place: place of the record in units of four bytes; it also orders records with equal @entry
 * @chunk: place of its chunk's head, in the same units; KFI_NONE: an open call
 */
struct kfi_raw_at {
	u64 entry;
	u32 place;
	u32 chunk;
};

/* Append a place to a list. Return: 0 or -ENOMEM. */
static inline int kfi_raw_list_add(struct kfi_raw_list *list, const struct kfi_raw_at *at)
{
	if (unlikely(list->n == list->room) &&
	    kfi_grow((void **)&list->at, &list->room, list->n + 1, sizeof(*at)))
		return -ENOMEM;
	list->at[list->n++] = *at;
	return 0;
}

/**
 * kfi_raw_call_at() - decode the record of a row
 * @r: the log
 * @at: its place
 * @c: filled, including the CPU
 */
void kfi_raw_call_at(const struct kfi_raw *r, const struct kfi_raw_at *at, struct kfi_raw_call *c);

/**
 * kfi_raw_read_block() - put the calls of a block into @r->wait, except those kept aside
 * @r: the log
 * @b: the block
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_raw_read_block(struct kfi_raw *r, const struct kfi_raw_block *b);

/**
 * kfi_raw_order() - prepare kfi_raw_record(), after everything has been counted
 * @r: the log
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_raw_order(struct kfi_raw *r);

/**
 * kfi_raw_record() - read the record of the next row, in order of entry
 * @r: the log
 * @c: filled, including the CPU
 *
 * Return: 1, 0: there are no more, -ENOMEM.
 */
int kfi_raw_record(struct kfi_raw *r, struct kfi_raw_call *c);

#endif /* KFI_RAW_REC_H */
