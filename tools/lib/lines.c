// SPDX-License-Identifier: GPL-2.0
/* Finds lines of a raw log in the text of a console: see lines.h. lines_raw.c makes the log. */
#include <stdlib.h>
#include <zlib.h>

#include "hash.h"
#include "lines.h"

/* Limit of transmissions in one file: more are a hostile file. */
#define SENT_MAX	16

/*
 * Limit of line ends that are tried for a line that other text has interrupted. The other text may
 * look like digits. The limit bounds the time that a hostile text takes.
 */
#define ENDS_MAX	4
#define WORD_MAX	128

u32 kfi_crc32(const u8 *p, size_t n)
{
	return (u32)crc32(0, p, (uInt)n);
}

static bool is_digit(char c)
{
	return (u8)c - (u32)KFI_SERIAL_ZERO < KFI_SERIAL_BASE;
}

static size_t digits(const char *s, const char *end)
{
	const char *p = s;

	while (p < end && is_digit(*p))
		p++;
	return p - s;
}

/* ---- lines that have come ---- */

static struct kfi_lines_sent *find_sent(struct kfi_lines *l, u32 id)
{
	for (u32 i = 0; i < l->nsent; i++)
		if (l->sent[i].id == id)
			return &l->sent[i];
	if (l->nsent == SENT_MAX ||
	    kfi_grow((void **)&l->sent, &l->room, l->nsent + 1, sizeof(*l->sent)))
		return NULL;
	l->sent[l->nsent] = (struct kfi_lines_sent){ .id = id };
	return &l->sent[l->nsent++];
}

static bool is_same(const u8 *kept, const struct kfi_serial_frame *f, const u8 *items)
{
	return (kept[0] | (u32)kept[1] << 8) == f->len && !memcmp(kept + 2, items, f->len);
}

static int store_line(struct kfi_lines *l, const struct kfi_serial_frame *f, const u8 *items)
{
	struct kfi_lines_sent *sent = find_sent(l, f->id);
	u32 room;

	if (!sent && l->nsent < SENT_MAX)
		return -ENOMEM;
	if (!sent) {
		l->excess++;
		return 0;
	}
	room = sent->room;
	if (kfi_grow((void **)&sent->at, &sent->room, f->seq + 1, sizeof(*sent->at)) ||
	    kfi_grow((void **)&l->bytes, &l->size, l->len + 2 + f->len, 1))
		return -ENOMEM;
	memset(sent->at + room, 0, (sent->room - room) * sizeof(*sent->at));
	if (f->seq >= sent->n)
		sent->n = f->seq + 1;
	sent->ended |= f->last;
	if (sent->at[f->seq]) {
		l->differing += !is_same(l->bytes + sent->at[f->seq] - 1, f, items);
		return 0;
	}
	sent->at[f->seq] = l->len + 1;
	sent->have++;
	l->bytes[l->len++] = (u8)f->len;
	l->bytes[l->len++] = (u8)(f->len >> 8);
	memcpy(l->bytes + l->len, items, f->len);
	l->len += f->len;
	return 0;
}

bool kfi_lines_missing(const struct kfi_lines_sent *sent, u32 *from, u32 *to)
{
	while (*from < sent->n && sent->at[*from])
		++*from;
	if (*from >= sent->n) {
		*to = U32_MAX;
		return !sent->ended;
	}
	for (*to = *from; *to + 1 < sent->n && !sent->at[*to + 1];)
		++*to;
	return true;
}

void kfi_lines_free(struct kfi_lines *l)
{
	for (u32 i = 0; i < l->nsent; i++)
		free(l->sent[i].at);
	free(l->sent);
	free(l->bytes);
	*l = (struct kfi_lines){ .other = l->other, .line = l->line, .arg = l->arg };
}

/* ---- lines in a text ---- */

static void pass_other_text(struct kfi_lines *l, const char *s, size_t len)
{
	for (; len && l->ended && (*s == '\r' || *s == '\n'); s++, len--)
		l->ended = *s != '\n';
	l->ended &= !len;
	if (l->other && len)
		l->other(l->arg, s, len);
}

/* Parse two pieces as one line. Return: 1, 0: they are no line, -ENOMEM. */
static int parse_frame(struct kfi_lines *l, const char *a, size_t alen, const char *b, size_t blen)
{
	u8 items[8 + KFI_SERIAL_BYTES_MAX];
	char text[KFI_SERIAL_LINE_MAX];
	struct kfi_serial_frame f;

	if (alen + blen > sizeof(text))
		return 0;
	memcpy(text, a, alen);
	memcpy(text + alen, b, blen);
	if (!kfi_serial_frame(text, (u32)(alen + blen), &f, items))
		return 0;
	if (l->line)
		l->line(l->arg, a, alen, b, blen);
	return store_line(l, &f, items + 8) ? -ENOMEM : 1;
}

/* Try places before @s + @have for the end of the first piece. Return: as parse_frame(). */
static int parse_split_frame(struct kfi_lines *l, const char *s, size_t have, const char *rest,
			     const char *bar)
{
	size_t from = max_t(size_t, KFI_SERIAL_HEAD_DIGITS, have - min_t(size_t, have, WORD_MAX));
	int ret;

	for (const char *at = s + have; at > s + from; at--) {
		ret = parse_frame(l, s + 1, at - s - 1, rest, bar - rest);
		if (ret > 0)
			pass_other_text(l, at, rest - at);
		if (ret)
			return ret;
	}
	return 0;
}

/*
 * Parse a line in which other text stands:
 *
 *	~ digits TEXT OF OTHERS newline digits |
 *
 * The other text may begin with what looks like digits, and may contain the end character. Return:
 * as parse_frame(); *@used is set to the number of bytes of all that. @l->looked and
 * @l->ends_tried are those of the last call for the same line.
 */
static int parse_interrupted_frame(struct kfi_lines *l, const char *s, const char *end, size_t have,
				   size_t *used)
{
	const char *bar = s + max_t(size_t, have, l->looked), *rest;
	int ret = 0;

	end = s + min_t(size_t, end - s, KFI_LINES_SPAN_MAX);
	l->looked = (u32)(end - s);
	for (; !ret && l->ends_tried < ENDS_MAX; l->ends_tried++) {
		bar = bar < end ? memchr(bar, KFI_SERIAL_END, end - bar) : NULL;
		if (!bar)
			return 0;
		for (rest = bar; is_digit(rest[-1]);)
			rest--;
		if (rest > s + have && (rest[-1] == '\n' || rest[-1] == '\r'))
			ret = parse_split_frame(l, s, have, rest, bar);
		*used = ++bar - s;
	}
	return ret;
}

ssize_t kfi_lines_feed(struct kfi_lines *l, const char *s, size_t len, bool more)
{
	const char *begin = s, *end = s + len, *mark;
	size_t have, used;
	int ret;

	for (; s < end; s = mark + used, l->looked = l->ends_tried = 0) {
		mark = memchr(s, KFI_SERIAL_BEGIN, end - s);
		pass_other_text(l, s, (mark ? mark : end) - s);
		if (mark != begin)
			l->looked = l->ends_tried = 0;
		if (!mark)
			break;
		have = 1 + digits(mark + 1, end);
		used = have + 1;
		ret = 0;
		if (mark + have == end) {
			if (more && have < KFI_SERIAL_LINE_MAX)
				return mark - begin;
			used = have;
		} else if (mark[have] == KFI_SERIAL_END) {
			ret = parse_frame(l, mark + 1, have - 1, mark, 0);
		} else if (have > KFI_SERIAL_HEAD_DIGITS) {
			ret = parse_interrupted_frame(l, mark, end, have, &used);
			if (!ret)
				used = have;
			if (!ret && more && end - mark < KFI_LINES_SPAN_MAX)
				return mark - begin;
		} else {
			/* Other text contains the first character of a line. */
			used = 1;
			pass_other_text(l, mark, 1);
			continue;
		}
		if (ret < 0)
			return ret;
		if (!ret)
			pass_other_text(l, mark, used);
		l->ended = ret;
		l->damaged += !ret;
	}
	return (ssize_t)len;
}

bool kfi_lines_possible(const char *s, size_t len)
{
	const char *end = s + len;

	while ((s = memchr(s, KFI_SERIAL_BEGIN, end - s))) {
		size_t have = digits(++s, end);

		if (have >= KFI_SERIAL_HEAD_DIGITS)
			return true;
		s += have;
	}
	return false;
}
