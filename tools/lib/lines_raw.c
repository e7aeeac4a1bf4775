// SPDX-License-Identifier: GPL-2.0
/*
 * Makes a raw log from lines: see lines.h. If lines are missing, the other lines become parts of
 * their own, so that the log has every record that has come.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/rec.h"
#include "hash.h"
#include "lines.h"

/* Text for a header whose end is lost. Rows need the rule and the title. */
#define NOTE	"\nNote = lines of this header were lost on the console\n"
#define RULE	"\n Entry Delta Entry-ns\n--------\n"

/**
 * struct raw_writer - a raw log under construction
 * @s: decoder of the lines
 * @out: the log
 * @len: number of bytes in @out
 * @size: bytes for which there is room
 * @logs: number of heads read so far
 * @parts: number of heads and parts read so far
 * @check_bytes: number of bytes of a part's checksum: 0 before KFI_RAW_CHECK_VERSION
 * @begin: place from which on the next checksum is made: of the head, or of the open part
 * @in_part: a part is open
 * @kind: kind of the open part
 * @part: place of the open part's struct kfi_raw_part
 * @in_chunk: the open part has records, whose number is set when it is closed
 * @left: number of words of the open part that are still to come
 * @text: base of addresses
 * @hole: text of the open part is missing
 * @has_text: the log has its text
 * @gap: lines before this one are missing
 * @lost: lines of the log are missing
 * @headless: the head of the log is missing
 * @records: number of records
 * @unknown: number of records whose function or call site is unknown
 * @skipped: number of lines of logs without a head, or with impossible contents
 * @failed: an allocation failed
 */
struct raw_writer {
	struct kfi_serial *s;
	u8 *out;
	u32 len;
	u32 size;
	u32 logs;
	u32 parts;
	u32 check_bytes;
	u32 begin;
	bool in_part;
	u32 kind;
	u32 part;
	bool in_chunk;
	u32 left;
	u64 text;
	bool hole;
	bool has_text;
	bool gap;
	bool lost;
	bool headless;
	u32 records;
	u32 unknown;
	u32 skipped;
	bool failed;
};

static void put(struct raw_writer *m, const void *p, u32 n)
{
	if (m->failed || n > U32_MAX - m->len ||
	    kfi_grow((void **)&m->out, &m->size, m->len + n, 1)) {
		m->failed = true;
		return;
	}
	memcpy(m->out + m->len, p, n);
	m->len += n;
}

static void put32(struct raw_writer *m, u32 v)
{
	v = m->s->swap ? __builtin_bswap32(v) : v;
	put(m, &v, sizeof(v));
}

static void put64(struct raw_writer *m, u64 v)
{
	v = m->s->swap ? __builtin_bswap64(v) : v;
	put(m, &v, sizeof(v));
}

static void set32(struct raw_writer *m, u32 at, u32 v)
{
	v = m->s->swap ? __builtin_bswap32(v) : v;
	if (!m->failed)
		memcpy(m->out + at, &v, sizeof(v));
}

/* Complete a text in front of a missing line, with what a reader needs. */
static void end_text_at_gap(struct raw_writer *m)
{
	put(m, NOTE, strlen(NOTE));
	put(m, RULE, strlen(RULE));
	m->hole = false;
}

/*
 * Close a part. Its length is known only now: it differs from the announced one if lines are
 * missing.
 */
static void close_part(struct raw_writer *m)
{
	static const u8 zeros[KFI_RAW_ALIGN];
	u32 bytes;

	if (m->in_part && m->hole)
		end_text_at_gap(m);
	if (m->in_part) {
		bytes = m->len - m->part - sizeof(struct kfi_raw_part);
		set32(m, m->part + 4, bytes);
		if (m->in_chunk)
			set32(m, m->part + sizeof(struct kfi_raw_part) +
				 offsetof(struct kfi_raw_chunk, words),
			      (bytes - sizeof(struct kfi_raw_chunk)) / 4);
		put(m, zeros, -(bytes + m->check_bytes) % KFI_RAW_ALIGN);
		if (m->check_bytes && !m->failed)
			put32(m, kfi_crc32(m->out + m->begin, m->len - m->begin));
		m->begin = m->len;
	}
	m->in_part = false;
	m->in_chunk = false;
}

static void open_part(struct raw_writer *m, u32 kind)
{
	close_part(m);
	/* Without a text there are no rows. */
	if (m->lost && !m->has_text && kind != KFI_RAW_TEXT) {
		open_part(m, KFI_RAW_TEXT);
		m->hole = true;
		close_part(m);
	}
	m->has_text |= kind == KFI_RAW_TEXT;
	m->in_part = true;
	m->kind = kind;
	m->part = m->len;
	put32(m, kind);
	put32(m, 0);
}

static void open_chunk(struct raw_writer *m, u64 base, u32 cpu, u32 words)
{
	open_part(m, KFI_RAW_CHUNK);
	put64(m, base);
	put32(m, cpu);
	put32(m, 0);
	m->in_chunk = true;
	m->left = words;
}

static void put_words(struct raw_writer *m, const u32 *w, u32 n)
{
	for (u32 i = 0; i < n; i++)
		put32(m, w[i]);
}

/* Write a call whose function or call site is unknown, as address 0, at which there is no code. */
static void put_unknown_call(struct raw_writer *m, const struct kfi_serial_item *item)
{
	u32 w[KFI_REC_WORDS_MAX] = { 0 };
	struct kfi_rec r = { 0 };
	unsigned int form;

	m->unknown++;
	if (!kfi_rec_decode(item->w, item->n, &r, m->text, m->s->base))
		return;
	if (item->unknown & KFI_SERIAL_NO_FUNC)
		r.func = 0;
	if (item->unknown & KFI_SERIAL_NO_SITE)
		r.site = 0;
	form = kfi_rec_choose(&r, m->text, m->s->base);
	kfi_rec_encode(w, form, &r, m->text, m->s->base);
	put_words(m, w, kfi_rec_count(form));
}

static bool put_chunk_item(struct raw_writer *m, const struct kfi_serial_item *item)
{
	if (!m->in_chunk)
		open_chunk(m, m->s->base, m->s->cpu, U32_MAX);
	if (item->n > m->left)
		return false;
	if (m->left != U32_MAX)
		m->left -= item->n;
	m->records += item->kind == KFI_SERIAL_RECORD;
	if (item->kind == KFI_SERIAL_RECORD && item->unknown)
		put_unknown_call(m, item);
	else if (item->kind != KFI_SERIAL_ZEROS)
		put_words(m, item->w, item->n);
	else
		for (u32 i = 0; i < item->n; i++)
			put32(m, 0);
	return true;
}

/* Write text. After a gap it continues at the beginning of a line of text. */
static void put_text(struct raw_writer *m, const u8 *p, u32 n)
{
	if (!m->in_part && m->gap) {
		open_part(m, KFI_RAW_TEXT);
		m->hole = true;
	}
	if (!m->hole)
		put(m, p, n);
}

static bool put_head(struct raw_writer *m, const struct kfi_serial_item *item)
{
	struct kfi_raw_head head;

	memcpy(&head, item->bytes, sizeof(head));
	close_part(m);
	m->headless = m->has_text = m->lost = false;
	m->s->swap = head.order != KFI_RAW_ORDER;
	m->text = m->s->swap ? __builtin_bswap64(head.text) : head.text;
	m->check_bytes = (m->s->swap ? __builtin_bswap32(head.version) : head.version) >=
			 KFI_RAW_CHECK_VERSION ? KFI_RAW_CHECK_BYTES : 0;
	m->begin = m->len;
	put(m, &head, sizeof(head));
	return memcmp(head.magic, KFI_RAW_MAGIC, sizeof(head.magic)) == 0;
}

static void put_sum(struct raw_writer *m, const struct kfi_prof_sum *sum)
{
	u64 v[sizeof(*sum) / sizeof(u64)];

	memcpy(v, sum, sizeof(v));
	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		put64(m, v[i]);
	m->records++;
}

static bool put_item(struct raw_writer *m, const struct kfi_serial_item *item)
{
	if (item->kind != KFI_SERIAL_HEAD && m->headless)
		return true;
	switch (item->kind) {
	case KFI_SERIAL_HEAD:
		return put_head(m, item);
	case KFI_SERIAL_PART:
		open_part(m, item->part);
		break;
	case KFI_SERIAL_BYTES:
		put_text(m, item->bytes, item->n);
		break;
	case KFI_SERIAL_CHUNK:
		open_chunk(m, item->base, item->cpu, item->size);
		break;
	case KFI_SERIAL_OPENS:
		open_part(m, KFI_RAW_OPEN);
		break;
	case KFI_SERIAL_OPEN:
		if (!m->in_part || m->kind != KFI_RAW_OPEN)
			open_part(m, KFI_RAW_OPEN);
		put(m, item->bytes, sizeof(struct kfi_raw_open));
		break;
	case KFI_SERIAL_SUMS:
		open_part(m, KFI_RAW_SUMS);
		break;
	case KFI_SERIAL_SUM:
		if (!m->in_part || m->kind != KFI_RAW_SUMS)
			open_part(m, KFI_RAW_SUMS);
		put_sum(m, &item->sum);
		break;
	case KFI_SERIAL_ROWS:
		open_part(m, KFI_RAW_END);
		put64(m, item->base);
		close_part(m);
		break;
	case KFI_SERIAL_LAST:
		close_part(m);
		break;
	case KFI_SERIAL_LINE_END:
		break;
	default:
		return put_chunk_item(m, item);
	}
	return true;
}

/* Handle the first line after missing ones, which may belong to the same part. */
static void resume_after_gap(struct raw_writer *m)
{
	struct kfi_serial *s = m->s;

	if (m->in_part && m->kind == KFI_RAW_TEXT && !m->hole) {
		/* Cut the text at the end of a line: a part of a number would be a wrong number. */
		while (m->len > m->part + sizeof(struct kfi_raw_part) && m->out[m->len - 1] != '\n')
			m->len--;
		m->hole = true;
	}
	if (s->parts != m->parts || s->logs != m->logs) {
		close_part(m);
		s->base = s->time;
		m->headless |= s->logs != m->logs;
	}
	if (m->in_chunk)
		m->left = U32_MAX;
}

/* Return: false if the line has impossible contents. */
static bool read_line(struct raw_writer *m, const u8 *items)
{
	struct kfi_serial_item item = { 0 };
	struct kfi_serial *s = m->s;

	if (!kfi_serial_begin(s, items + 2, items[0] | (u32)items[1] << 8))
		return false;
	m->lost |= m->gap;
	if (m->gap)
		resume_after_gap(m);
	else if (s->logs != m->logs || s->parts != m->parts)
		return false;
	do {
		if (!kfi_serial_read(s, &item) || !put_item(m, &item))
			return false;
	} while (item.kind != KFI_SERIAL_LINE_END && !m->failed);
	m->skipped += m->headless;
	return true;
}

static void describe_missing(const struct kfi_lines_sent *sent, const struct raw_writer *m,
			     char *text,
			     size_t size)
{
	u32 missing = sent->n - sent->have, from = 0, to, n = 0;
	size_t len = strlen(text);

	if (!missing && sent->ended && !m->skipped)
		return;
	len += snprintf(text + len, size - len, "%s", *text ? "; " : "");
	if (len < size && m->skipped)
		len += snprintf(text + len, size - len, "%u lines cannot be read%s", m->skipped,
				missing || !sent->ended ? ", " : "");
	if (len < size && (missing || !sent->ended))
		len += snprintf(text + len, size - len, "%u of %u%s lines are missing:", missing,
				sent->n, sent->ended ? "" : " or more");
	for (; len < size && kfi_lines_missing(sent, &from, &to); from = to + 1) {
		if (++n > 8) {
			len += snprintf(text + len, size - len, " ...");
			break;
		}
		len += snprintf(text + len, size - len, from == to ? " %u" : to == U32_MAX ?
				" from %u on" : " %u-%u", from, to);
		if (to == U32_MAX)
			break;
	}
	if (len < size && m->unknown)
		snprintf(text + len, size - len, "; the functions of %u calls are not known",
			 m->unknown);
}

/* Describe the lines that belong to none of the logs. */
static void describe_left_out(const struct kfi_lines *l, char *text, size_t size)
{
	size_t len = strlen(text);

	if (l->differing)
		len += snprintf(text + len, size - len,
				"%s%llu lines differ from one of the same number: of another log?",
				len ? "; " : "", (unsigned long long)l->differing);
	if (l->excess && len < size)
		snprintf(text + len, size - len, "%s%llu lines of further logs are left out",
			 len ? "; " : "", (unsigned long long)l->excess);
}

/* Add one transmission to @m->out. */
static int put_transmission(struct kfi_lines *l, const struct kfi_lines_sent *sent,
			    struct raw_writer *m)
{
	void *memory = malloc(kfi_serial_memory(KFI_SERIAL_DEFS_MAX));

	if (!memory)
		return -ENOMEM;
	kfi_serial_init(m->s, KFI_SERIAL_DEFS_MAX, memory, NULL, NULL);
	m->logs = m->parts = 0;
	m->in_part = m->in_chunk = false;
	m->gap = m->hole = false;
	m->headless = true;
	m->skipped = m->unknown = 0;
	for (u32 seq = 0; seq < sent->n && !m->failed; seq++) {
		if (!sent->at[seq]) {
			m->gap = true;
			continue;
		}
		if (read_line(m, l->bytes + sent->at[seq] - 1)) {
			m->gap = false;
		} else {
			m->skipped++;
			m->gap = true;
		}
		m->logs = m->s->logs;
		m->parts = m->s->parts;
	}
	close_part(m);
	free(memory);
	return m->failed ? -ENOMEM : 0;
}

bool kfi_lines_rows(struct kfi_lines *l, const struct kfi_lines_sent *sent, u64 *rows, u64 *all)
{
	static const char name[] = "\nNumber of entries after filters = ";
	struct raw_writer m = { .s = malloc(sizeof(*m.s)) };
	const u8 *p = NULL;

	if (m.s && put_transmission(l, sent, &m) == 0 && m.len)
		p = memmem(m.out, m.len, name, strlen(name));
	*rows = m.records;
	*all = 0;
	if (p)
		for (p += strlen(name); p < m.out + m.len && *p >= '0' && *p <= '9'; p++)
			*all = *all * 10 + *p - '0';
	free(m.out);
	free(m.s);
	return p && *all;
}

int kfi_lines_raw(struct kfi_lines *l, const char *name, u8 **raw, size_t *len, char *fault,
		  size_t size, struct kfi_err *err)
{
	struct raw_writer m = { .s = malloc(sizeof(*m.s)) };
	int ret = m.s ? 0 : -ENOMEM;

	*fault = '\0';
	for (u32 i = 0; !ret && i < l->nsent; i++) {
		ret = put_transmission(l, &l->sent[i], &m);
		if (!ret)
			describe_missing(&l->sent[i], &m, fault, size);
	}
	describe_left_out(l, fault, size);
	free(m.s);
	if (!ret && m.len) {
		*raw = m.out;
		*len = m.len;
		return 0;
	}
	free(m.out);
	if (ret)
		return kfi_err_set(err, ENOMEM, "%s: out of memory", name);
	return kfi_err_set(err, EBADMSG, "%s: the first line of the log is missing: %s; show it again with cat /proc/kfi_serial",
			   name, fault);
}
