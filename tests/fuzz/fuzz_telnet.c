// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes as what a terminal server sends. Wherever they are cut, the text and the answers are
 * the same, no byte is written past their ends, and a text without TELNET's own bytes comes out
 * whole, as does any text of a connection that does not begin with such bytes.
 */
#include <string.h>

#include "telnet.h"
#include "fuzz.h"

/**
 * struct came - what has come of the bytes
 * @text: the text
 * @len: bytes of it
 * @reply: what was answered
 * @replied: bytes of that
 */
struct came {
	char *text;
	size_t len;
	u8 *reply;
	size_t replied;
};

/* A piece in memory of just its size, as is the room for the answer. */
static void feed(struct kfi_telnet *t, struct came *c, const uint8_t *data, size_t size)
{
	char *buf = malloc(size ? size : 1);
	u8 *reply = malloc(KFI_TELNET_REPLY_MAX(size));
	size_t len, replied;

	MUST(buf && reply);
	memcpy(buf, data, size);
	len = kfi_telnet_feed(t, buf, size, reply, &replied);
	MUST(len <= size && replied <= KFI_TELNET_REPLY_MAX(size));
	memcpy(c->text + c->len, buf, len);
	memcpy(c->reply + c->replied, reply, replied);
	c->len += len;
	c->replied += replied;
	free(buf);
	free(reply);
}

/* @step: bytes of a piece. */
static struct came all(const uint8_t *data, size_t size, size_t step)
{
	struct kfi_telnet t = { 0 };
	struct came c = { .text = malloc(size + 1), .reply = malloc(2 * size + 3) };
	size_t at, n;

	MUST(c.text && c.reply);
	for (at = 0; at < size; at += n) {
		n = step < size - at ? step : size - at;
		feed(&t, &c, data + at, n);
	}
	return c;
}

static int is_plain(const uint8_t *data, size_t size)
{
	if (size && data[0] != 255)
		return 1;
	for (size_t i = 0; i < size; i++)
		if (data[i] == 255 || (data[i] == '\0' && i && data[i - 1] == '\r'))
			return 0;
	return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct came whole, pieces;

	if (!size)
		return 0;
	whole = all(data + 1, size - 1, size);
	pieces = all(data + 1, size - 1, 1 + data[0] % 16);
	MUST(whole.len == pieces.len && memcmp(whole.text, pieces.text, whole.len) == 0);
	MUST(whole.replied == pieces.replied &&
	     memcmp(whole.reply, pieces.reply, whole.replied) == 0);
	MUST(whole.replied % 3 == 0);
	MUST(!is_plain(data + 1, size - 1) ||
	     (whole.len == size - 1 && memcmp(whole.text, data + 1, size - 1) == 0));
	free(whole.text);
	free(whole.reply);
	free(pieces.text);
	free(pieces.reply);
	return 0;
}
