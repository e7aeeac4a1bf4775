// SPDX-License-Identifier: GPL-2.0
/* Reads a raw log while it is recorded: see raw_stream.h. */
#include <stdlib.h>

#include "raw_rec.h"
#include "raw_stream.h"

#define MAGIC_LEN	8
#define PART_LEN	sizeof(struct kfi_raw_part)

/*
 * Limit of the length of a part: a text with all modules that the recorder remembers has some 30
 * KiB.
 */
#define PART_MAX	(1u << 20)

/* A batch of this length is delivered even if more of it may come. */
#define BATCH_MAX	(1u << 20)

static int no_memory(const struct kfi_raw_stream *s, struct kfi_err *err)
{
	return kfi_err_set(err, ENOMEM, "%s: out of memory", s->in->name);
}

/* End the log here because of a fault. Return: 0. */
static int end_with_fault(struct kfi_raw_stream *s, const char *what)
{
	kfi_raw_set_fault(&s->raw, what, s->len);
	s->is_over = true;
	return 0;
}

/* Bring bytes into memory, at @in->pos. Return: 1; 0: the input ends before; -errno. */
static int bring(struct kfi_in *in, size_t n, struct kfi_err *err)
{
	const char *s;
	size_t len;
	int ret = kfi_in_peek(in, n, &s, &len, err);

	return ret ? ret : len >= n;
}

int kfi_raw_stream_open(struct kfi_raw_stream *s, struct kfi_in *in, struct kfi_err *err)
{
	const size_t len = sizeof(struct kfi_raw_head) - MAGIC_LEN;
	int ret;

	*s = (struct kfi_raw_stream){ .in = in };
	ret = bring(in, len, err);
	if (ret >= 0)
		ret = kfi_raw_begin(&s->raw, in->name, in->pos, in->end - in->pos, err);
	if (ret)
		return ret;
	ret = bring(in, s->raw.used, err);
	if (ret <= 0)
		return ret ? ret : kfi_err_set(err, EINVAL, "%s: the raw log ends in its header",
					       in->name);
	in->pos += s->raw.used;
	s->raw.passed = s->raw.used;
	s->raw.data = NULL;
	s->raw.len = 0;
	return 0;
}

/* Keep the place of record @c, which is a row. Return: 0 or -ENOMEM. */
static int keep(struct kfi_raw_stream *s, const struct kfi_raw_call *c, u64 at, u32 chunk)
{
	s->count++;
	return kfi_raw_list_add(&s->rows, &(struct kfi_raw_at){
		.entry = c->entry + c->dur, .place = (u32)(at / 4), .chunk = chunk,
	});
}

static int keep_chunk(struct kfi_raw_stream *s, u64 chunk, u32 bytes)
{
	u64 at = chunk + sizeof(struct kfi_raw_chunk), base;
	struct kfi_raw *r = &s->raw;
	struct kfi_raw_call c;
	u32 room;
	int n;

	if (bytes < sizeof(struct kfi_raw_chunk)) {
		kfi_raw_set_fault(r, "a chunk is shorter than its head", chunk);
		return 0;
	}
	base = kfi_raw_get64(r, chunk);
	room = kfi_raw_get32(r, chunk + 12);
	if (room > (bytes - sizeof(struct kfi_raw_chunk)) / 4) {
		kfi_raw_set_fault(r, "a chunk is shorter than its records", chunk);
		room = (bytes - sizeof(struct kfi_raw_chunk)) / 4;
	}
	for (; room; at += 4 * (u64)n, room -= (u32)n) {
		n = kfi_raw_decode(r, at, room, base, &c);
		if (n < 0)
			kfi_raw_set_fault(r, "not a record", at);
		if (n <= 0)
			break;
		if (c.marks & KFI_MARK_NOTIME)
			c.dur = 0;
		if (kfi_raw_is_row(r, &c, at) && keep(s, &c, at, (u32)(chunk / 4)))
			return -ENOMEM;
	}
	return 0;
}

static int keep_opens(struct kfi_raw_stream *s, u64 at, u32 bytes)
{
	struct kfi_raw_call c;

	for (; bytes >= sizeof(struct kfi_raw_open); at += sizeof(struct kfi_raw_open)) {
		bytes -= sizeof(struct kfi_raw_open);
		kfi_raw_decode_open(&s->raw, at, &c);
		if (kfi_raw_is_row(&s->raw, &c, at) && keep(s, &c, at, KFI_NONE))
			return -ENOMEM;
	}
	if (bytes)
		kfi_raw_set_fault(&s->raw, "an open call is cut off", at);
	return 0;
}

static int keep_text(struct kfi_raw_stream *s, u64 at, u32 bytes)
{
	char *text = malloc(bytes + 1);

	if (!text)
		return -ENOMEM;
	memcpy(text, s->bytes + at, bytes);
	free(s->text);
	s->text = text;
	s->raw.text = (struct kfi_str){ text, bytes };
	return KFI_LINE_RULE;
}

/* Append the part at @in->pos to the batch. Return: 0 or -ENOMEM. */
static int copy_part(struct kfi_raw_stream *s, u32 len)
{
	if (kfi_grow((void **)&s->bytes, &s->room, s->len + len, 1))
		return -ENOMEM;
	memcpy(s->bytes + s->len, s->in->pos, len);
	s->in->pos += len;
	s->raw.data = s->bytes;
	s->raw.len = s->len += len;
	return 0;
}

static int read_part(struct kfi_raw_stream *s, u32 kind, u64 at, u32 bytes)
{
	s->is_progress = false;
	if (!kfi_raw_is_whole(&s->raw, at, bytes) && !kfi_raw_can_use_damaged(&s->raw, kind, at))
		return 0;
	s->is_progress = kind == KFI_RAW_PROGRESS;
	switch (kind) {
	case KFI_RAW_TEXT:
		return keep_text(s, at, bytes);
	case KFI_RAW_CHUNK:
		return keep_chunk(s, at, bytes);
	case KFI_RAW_OPEN:
		return keep_opens(s, at, bytes);
	case KFI_RAW_PROGRESS:
		kfi_raw_set_progress(&s->raw, at, bytes);
		return 0;
	case KFI_RAW_END:
		kfi_raw_set_end(&s->raw, s->count, at, bytes);
		s->is_over = true;
		return 0;
	default:
		return 0;
	}
}

/* Sort by exit, which @entry of a place has here; equal ones as in the log. */
static int by_exit(const void *a, const void *b)
{
	const struct kfi_raw_at *x = a, *y = b;

	if (x->entry != y->entry)
		return x->entry < y->entry ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

/* Read parts until there are rows to deliver. Return: 0, KFI_LINE_RULE, -errno. */
static int read_batch(struct kfi_raw_stream *s, struct kfi_err *err)
{
	struct kfi_raw head = s->raw;
	u32 kind, bytes, len;
	int ret = 0;

	while (!ret && !s->is_over && s->len < BATCH_MAX && !(s->rows.n && s->is_progress)) {
		ret = bring(s->in, PART_LEN, err);
		if (ret < 0)
			return ret;
		if (!ret && s->in->pos == s->in->end && s->is_progress && s->raw.live) {
			s->is_over = true;
			break;
		}
		if (!ret)
			return end_with_fault(s, "truncated: the end is missing");
		head.data = (const u8 *)s->in->pos;
		kind = kfi_raw_get32(&head, 0);
		bytes = kfi_raw_get32(&head, 4);
		/* Rows before a new text belong to the old header: deliver them first. */
		if (kind == KFI_RAW_TEXT && s->rows.n)
			return 0;
		if (bytes > PART_MAX)
			return end_with_fault(s, "a damaged part");
		len = (u32)kfi_raw_behind(&s->raw, PART_LEN, bytes);
		ret = bring(s->in, len, err);
		if (ret < 0)
			return ret;
		if (!ret)
			return end_with_fault(s, "truncated: the end is missing");
		if (copy_part(s, len))
			return no_memory(s, err);
		ret = read_part(s, kind, s->len - len + PART_LEN, bytes);
		if (ret < 0)
			return no_memory(s, err);
	}
	return ret;
}

int kfi_raw_stream_item(struct kfi_raw_stream *s, struct kfi_row *row, struct kfi_log_mark *mark,
			struct kfi_err *err)
{
	struct kfi_raw_call c;
	int ret;

	while (s->next == s->rows.n) {
		if (s->is_over)
			return 0;
		s->raw.passed += s->len;
		s->len = s->next = s->rows.n = 0;
		ret = read_batch(s, err);
		if (s->rows.n)
			qsort(s->rows.at, s->rows.n, sizeof(*s->rows.at), by_exit);
		if (ret)
			return ret;
	}
	kfi_raw_call_at(&s->raw, &s->rows.at[s->next++], &c);
	return kfi_raw_make_item(&s->raw, &c, row, mark);
}

void kfi_raw_stream_close(struct kfi_raw_stream *s)
{
	free(s->bytes);
	free(s->rows.at);
	free(s->text);
	*s = (struct kfi_raw_stream){ .in = s->in };
}
