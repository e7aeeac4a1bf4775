/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Raw logs of machines of both byte orders and word sizes, built part by part with the recorder's
 * own encoder of records. For tests of their readers.
 */
#ifndef KFI_TEST_RAW_IMAGE_H
#define KFI_TEST_RAW_IMAGE_H

#include <string.h>

#include "core/rec.h"
#include "raw.h"

#define HZ	24000000
#define ORIGIN	1000000

/**
 * struct image - a raw log under construction
 * @swap: for a machine of the other byte order
 * @bits: of a long there
 * @version: of the log; 0: the current one
 * @event_bits: added to word 5 of events
 * @len: bytes so far
 * @part: where the part that is being written begins
 * @begin: from where on its checksum is made: from the head for the first part
 * @data: the bytes, aligned as in memory
 */
struct image {
	bool swap;
	u32 bits;
	u32 version;
	u32 event_bits;
	size_t len;
	size_t part;
	size_t begin;
	u8 data[8192];
};

static inline void put(struct image *m, u64 v, size_t bytes)
{
	u8 *p = m->data + m->len;

	/* Little endian unless swapped, whatever the machine that the test runs on. */
	for (size_t i = 0; i < bytes; i++)
		p[m->swap ? bytes - 1 - i : i] = (u8)(v >> 8 * i);
	m->len += bytes;
}

static inline void begin_part(struct image *m, u32 kind)
{
	m->part = m->len;
	put(m, kind, 4);
	put(m, 0, 4);
}

static inline void end_part(struct image *m)
{
	size_t len = m->len, check_bytes;

	m->len = m->part + 4;
	put(m, len - m->part - 8, 4);
	m->len = len;
	check_bytes = m->version && m->version < KFI_RAW_CHECK_VERSION ? 0 : KFI_RAW_CHECK_BYTES;
	while ((m->len + check_bytes) % KFI_RAW_ALIGN)
		put(m, 0, 1);
	if (check_bytes)
		put(m, kfi_crc32(m->data + m->begin, m->len - m->begin), check_bytes);
	m->begin = m->len;
}

static inline u64 text_of(const struct image *m)
{
	return m->bits == 64 ? 0xffffffff81000000 : 0xc0008000;
}

static inline void head(struct image *m, u64 min, u64 max)
{
	m->begin = m->len;
	memcpy(m->data + m->len, KFI_RAW_MAGIC, 8);
	m->len += 8;
	put(m, KFI_RAW_ORDER, 4);
	put(m, m->version ?: KFI_RAW_VERSION, 4);
	put(m, m->bits, 4);
	put(m, sizeof(struct kfi_raw_head), 4);
	put(m, text_of(m), 8);
	put(m, ORIGIN, 8);
	put(m, HZ, 8);
	put(m, min, 8);
	put(m, max, 8);
}

static inline void text(struct image *m, const char *s)
{
	begin_part(m, KFI_RAW_TEXT);
	memcpy(m->data + m->len, s, strlen(s));
	m->len += strlen(s);
	end_part(m);
}

static inline void chunk(struct image *m, u64 base, u32 cpu)
{
	begin_part(m, KFI_RAW_CHUNK);
	put(m, base, 8);
	put(m, cpu, 4);
	put(m, 0, 4);
}

/* One call: times in counts since the origin, addresses from the base of the text. */
static inline void call(struct image *m, u64 base, const struct kfi_rec *r)
{
	u32 w[KFI_REC_WORDS_MAX] = { 0 };
	struct kfi_rec c = *r;
	unsigned int form, words;

	c.func += text_of(m);
	c.site += text_of(m);
	c.entry += ORIGIN;
	c.exit += ORIGIN;
	form = kfi_rec_choose(&c, text_of(m), base);
	words = kfi_rec_count(form);
	kfi_rec_encode(w, form, &c, text_of(m), base);
	for (unsigned int i = 0; i < words; i++)
		put(m, w[i], 4);
}

/*
 * What is no call: times in counts since the origin, but for 0. Bytes of text are never swapped,
 * but arguments of functions are numbers of 64 bits.
 */
static inline void event(struct image *m, const struct kfi_event *event)
{
	u32 w[KFI_REC_WORDS_MAX] = { 0 }, words, text_words;
	struct kfi_event e = *event;

	e.time += e.time ? ORIGIN : 0;
	e.func += e.func ? text_of(m) : 0;
	e.site += e.site ? text_of(m) : 0;
	words = kfi_event_words(&e);
	text_words = (e.len + 3) / 4;
	kfi_event_encode(w, words, &e);
	w[5] |= m->event_bits;
	for (u32 i = 0; i < words - (e.nfuncs ? 0 : text_words); i++)
		put(m, w[i], 4);
	if (e.nfuncs)
		return;
	for (u32 i = 0; e.kind == KFI_EVENT_ARGS && i < e.len / 8; i++) {
		u64 value;

		memcpy(&value, e.text + 8 * i, sizeof(value));
		put(m, value, sizeof(value));
	}
	if (e.kind == KFI_EVENT_ARGS)
		return;
	memcpy(m->data + m->len, e.text ? e.text : "", e.len);
	m->len += 4 * text_words;
}

static inline void end_chunk(struct image *m)
{
	size_t len = m->len;

	m->len = m->part + 8 + 12;
	put(m, (len - m->part - 24) / 4, 4);
	m->len = len;
	end_part(m);
}

static inline void open_call(struct image *m, const struct kfi_raw_open *o)
{
	put(m, text_of(m) + o->func, 8);
	put(m, text_of(m) + o->site, 8);
	put(m, ORIGIN + o->entry, 8);
	put(m, o->pid, 4);
	put(m, o->cpu, 2);
	put(m, o->depth, 2);
	put(m, o->ctx, 1);
	put(m, o->marks, 1);
	put(m, 0, 6);
}

static inline void end(struct image *m, u64 rows)
{
	begin_part(m, KFI_RAW_END);
	put(m, rows, 8);
	end_part(m);
}

#endif /* KFI_TEST_RAW_IMAGE_H */
