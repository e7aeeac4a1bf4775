// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes as lines of a raw log on a console. The first byte chooses:
 *
 *	't'	the text of a console
 *	'l'	lines whose checksums fit: number (1 byte), length (1), items
 *	else	a raw log: what is written of it must come back
 *
 * Nothing may be read past the end, and the log that is made can be read.
 */
#include <string.h>

#include "lines.h"
#include "raw.h"
#include "fuzz.h"

#define TABLE	256

static char text[1 << 22];
static u32 text_len;

static void write_line(void *arg, u32 seq, const char *line, u32 len)
{
	(void)arg;
	(void)seq;
	if (text_len + len > sizeof(text))
		return;
	memcpy(text + text_len, line, len);
	text_len += len;
}

static u8 *make(struct kfi_lines *l, size_t *len, char *fault, size_t size)
{
	struct kfi_err err;
	struct kfi_raw raw;
	u8 *out;

	if (kfi_lines_raw(l, "fuzz", &out, len, fault, size, &err))
		return NULL;
	MUST(*len >= 8);
	if (kfi_raw_open(&raw, "fuzz", out + 8, *len - 8, &err) == 0)
		kfi_raw_close(&raw);
	return out;
}

static void any_text(const uint8_t *data, size_t size)
{
	struct kfi_lines l = { 0 };
	size_t len, half = size / 2;
	char fault[64];
	ssize_t n = kfi_lines_feed(&l, (const char *)data, half, true);

	MUST(n >= 0 && (size_t)n <= half);
	MUST(kfi_lines_feed(&l, (const char *)data + n, size - n, false) == (ssize_t)(size - n));
	free(make(&l, &len, fault, sizeof(fault)));
	kfi_lines_free(&l);
}

static void any_lines(const uint8_t *data, size_t size)
{
	static u8 bytes[1 << 16];
	static u32 at[256];
	struct kfi_lines_sent sent = { .at = at };
	struct kfi_lines l = { .sent = &sent, .nsent = 1, .bytes = bytes };
	char fault[320];
	size_t len;

	memset(at, 0, sizeof(at));
	while (size > 2 && l.len < sizeof(bytes) - 300) {
		u32 seq = data[0], n = data[1];

		data += 2;
		size -= 2;
		if (n > size)
			n = (u32)size;
		if (!at[seq])
			sent.have++;
		at[seq] = l.len + 1;
		if (seq >= sent.n)
			sent.n = seq + 1;
		bytes[l.len++] = (u8)n;
		bytes[l.len++] = 0;
		memcpy(bytes + l.len, data, n);
		l.len += n;
		data += n;
		size -= n;
	}
	free(make(&l, &len, fault, sizeof(fault)));
}

static u32 get32(const u8 *p, bool swap)
{
	u32 v;

	memcpy(&v, p, sizeof(v));
	return swap ? __builtin_bswap32(v) : v;
}

/* Make the checksums right: those of lines are made from what was sent. */
static void set_checks(u8 *data, size_t size)
{
	size_t at = 0, begin = 0, all;
	bool swap = false;

	while (size - at >= 8) {
		u32 bytes = get32(data + at + 4, swap), check;

		if (size - at >= sizeof(struct kfi_raw_head) &&
		    memcmp(data + at, KFI_RAW_MAGIC, 8) == 0) {
			swap = get32(data + at + 8, false) != KFI_RAW_ORDER;
			begin = at;
			at += sizeof(struct kfi_raw_head);
			continue;
		}
		all = KFI_RAW_PART_BYTES((size_t)bytes);
		if (all > size - at - 8)
			return;
		at += 8 + all - KFI_RAW_CHECK_BYTES;
		check = kfi_crc32(data + begin, at - begin);
		check = swap ? __builtin_bswap32(check) : check;
		memcpy(data + at, &check, sizeof(check));
		begin = at += KFI_RAW_CHECK_BYTES;
	}
}

static void any_log(uint8_t *data, size_t size)
{
	static struct kfi_serial s;
	static u32 memory[TABLE * 4];
	struct kfi_lines l = { 0 };
	char fault[64];
	size_t len;
	u8 *out;

	set_checks(data, size);
	text_len = 0;
	MUST(sizeof(memory) >= kfi_serial_memory(TABLE));
	kfi_serial_init(&s, TABLE, memory, write_line, NULL);
	if (size < sizeof(struct kfi_raw_head) || size > 1 << 16 ||
	    memcmp(data, KFI_RAW_MAGIC, 8) != 0 || !kfi_serial_log(&s, data, (u32)size))
		return;
	kfi_serial_last(&s);
	MUST(kfi_lines_feed(&l, text, text_len, false) == (ssize_t)text_len);
	out = make(&l, &len, fault, sizeof(fault));
	MUST(out && !*fault && len == size && memcmp(out, data, len) == 0);
	free(out);
	kfi_lines_free(&l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	u8 *copy;

	if (!size)
		return 0;
	/* Where chunks lie is aligned, as a log in memory is. */
	copy = malloc(size);
	if (!copy)
		return 0;
	memcpy(copy, data + (*data == 't' || *data == 'l'), size - (*data == 't' || *data == 'l'));
	if (*data == 't')
		any_text(copy, size - 1);
	else if (*data == 'l')
		any_lines(copy, size - 1);
	else
		any_log(copy, size);
	free(copy);
	return 0;
}
