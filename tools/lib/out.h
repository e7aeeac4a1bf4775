/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fast output of many short pieces: a buffer in front of a stream of the caller.
 *
 * Used where a line is printed for each call; other output uses stdio. kfi_out_flush() must be
 * called before stdio is used on the same stream.
 */
#ifndef KFI_OUT_H
#define KFI_OUT_H

#include <stdio.h>

#include "hash.h"
#include "kfi_port_host.h"

#define KFI_OUT_SIZE	65536

/* Number of bytes that are stored at once, even if fewer count. */
#define KFI_OUT_FEW	32

/**
 * struct kfi_out - one stream
 * @file: the stream
 * @n: number of bytes that are not written yet
 * @buf: these bytes, and room for KFI_OUT_FEW more
 */
struct kfi_out {
	FILE *file;
	size_t n;
	char buf[KFI_OUT_SIZE + KFI_OUT_FEW];
};

/**
 * kfi_out_flush() - write all bytes to the stream
 * @o: the output
 */
static inline void kfi_out_flush(struct kfi_out *o)
{
	if (o->n)
		fwrite_unlocked(o->buf, 1, o->n, o->file);
	o->n = 0;
}

/**
 * kfi_out_put() - append bytes
 * @o: the output
 * @s: first byte
 * @len: number of bytes
 */
static inline void kfi_out_put(struct kfi_out *o, const char *s, size_t len)
{
	if (unlikely(len > KFI_OUT_SIZE - o->n)) {
		kfi_out_flush(o);
		if (len > KFI_OUT_SIZE) {
			fwrite(s, 1, len, o->file);
			return;
		}
	}
	if (len)
		memcpy(o->buf + o->n, s, len);
	o->n += len;
}

/**
 * kfi_out_pattern() - append the first bytes of a longer text
 * @o: the output
 * @s: first byte
 * @len: number of bytes; KFI_OUT_FEW bytes behind them can be read
 */
static inline void kfi_out_pattern(struct kfi_out *o, const char *s, size_t len)
{
	if (unlikely(len > KFI_OUT_SIZE - o->n)) {
		kfi_out_put(o, s, len);
		return;
	}
	for (size_t i = 0; i < len; i += KFI_OUT_FEW)
		memcpy(o->buf + o->n + i, s + i, KFI_OUT_FEW);
	o->n += len;
}

/**
 * kfi_out_fill() - append a byte several times
 * @o: the output
 * @c: the byte
 * @count: number of times
 */
static inline void kfi_out_fill(struct kfi_out *o, char c, size_t count)
{
	if (likely(count <= KFI_OUT_FEW && count <= KFI_OUT_SIZE - o->n)) {
		memset(o->buf + o->n, c, KFI_OUT_FEW);
		o->n += count;
		return;
	}
	while (count) {
		size_t n = count;

		if (o->n == KFI_OUT_SIZE)
			kfi_out_flush(o);
		if (n > KFI_OUT_SIZE - o->n)
			n = KFI_OUT_SIZE - o->n;
		memset(o->buf + o->n, c, n);
		o->n += n;
		count -= n;
	}
}

/**
 * kfi_out_right() - append bytes, right-aligned
 * @o: the output
 * @s: first byte
 * @len: number of bytes
 * @width: width of the field
 */
static inline void kfi_out_right(struct kfi_out *o, const char *s, size_t len, size_t width)
{
	if (len < width)
		kfi_out_fill(o, ' ', width - len);
	kfi_out_put(o, s, len);
}

/**
 * kfi_out_number() - format a number in decimal digits
 * @v: the number
 * @end: end of the room for the digits; 20 bytes before it must be free
 *
 * Return: pointer to the first digit or the minus.
 */
static inline char *kfi_out_number(s64 v, char *end)
{
	u64 u = v < 0 ? 0 - (u64)v : (u64)v;

	do
		*--end = '0' + u % 10;
	while (u /= 10);
	if (v < 0)
		*--end = '-';
	return end;
}

/**
 * kfi_out_json() - append a text as a string of JSON, quotes included
 * @o: the output
 * @s: the text; a byte above 127 becomes the character with that number
 */
static inline void kfi_out_json(struct kfi_out *o, const char *s)
{
	char code[8];

	kfi_out_put(o, "\"", 1);
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			kfi_out_put(o, "\\", 1);
		if (c < ' ' || c > '~')
			kfi_out_put(o, code, sprintf(code, "\\u%04x", c));
		else
			kfi_out_put(o, s, 1);
	}
	kfi_out_put(o, "\"", 1);
}

#endif /* KFI_OUT_H */
