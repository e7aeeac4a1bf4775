// SPDX-License-Identifier: GPL-2.0
/* Removes the commands of TELNET from the bytes of a connection: see telnet.h. */
#include "telnet.h"

enum { IAC = 255, DO_NOT = 254, DO = 253, WILL_NOT = 252, WILL = 251, SB = 250, SE = 240 };

/* Options that are accepted. Without them a terminal server echoes lines, or drops bits. */
enum { BINARY = 0, ECHO_BACK = 1, NO_GO_AHEAD = 3 };

/* Longest subnegotiation: more is noise, and the bytes that follow are text. */
#define SUB_MAX	256

/* PLAIN is for good; a connection that has come to TEXT is TELNET. */
enum { BEGIN, BEGIN_IAC, PLAIN, TEXT, AFTER_IAC, OPTION, SUB, SUB_IAC, AFTER_CR };

static bool get_bit(const u8 *bits, u8 i)
{
	return bits[i / 8] >> i % 8 & 1;
}

static void set_bit(u8 *bits, u8 i, bool on)
{
	bits[i / 8] = (u8)((bits[i / 8] & ~(1 << i % 8)) | on << i % 8);
}

/* Answer only changes of an option, so that the two ends do not answer each other for ever. */
static size_t answer_option(struct kfi_telnet *t, u8 option, u8 *reply)
{
	bool offer = t->verb == WILL || t->verb == WILL_NOT;
	bool want = t->verb == WILL || t->verb == DO;
	u8 *state = offer ? t->on_there : t->on_here;
	bool ok = offer ? option == BINARY || option == ECHO_BACK || option == NO_GO_AHEAD :
			  option == BINARY || option == NO_GO_AHEAD;

	if (want == get_bit(state, option))
		return 0;
	set_bit(state, option, want && ok);
	reply[0] = IAC;
	if (offer)
		reply[1] = want && ok ? DO : DO_NOT;
	else
		reply[1] = want && ok ? WILL : WILL_NOT;
	reply[2] = option;
	return 3;
}

/* Keep a byte of text. Return: number of bytes: 1 or 0. */
static size_t keep_text(struct kfi_telnet *t, u8 c, char *to)
{
	if (c == IAC) {
		t->state = AFTER_IAC;
		return 0;
	}
	t->state = c == '\r' ? AFTER_CR : TEXT;
	*to = (char)c;
	return 1;
}

/* The first bytes, and those of a plain connection. Return: bytes of text: 1 or 0. */
static size_t begin(struct kfi_telnet *t, u8 c, char *to)
{
	if (t->state == BEGIN && c == IAC) {
		t->state = BEGIN_IAC;
		return 0;
	}
	if (t->state == BEGIN_IAC && c >= WILL && c != IAC) {
		t->state = OPTION;
		t->verb = c;
		return 0;
	}
	/* An IAC before it was noise, and is left out: there may be no room for it any more. */
	t->state = PLAIN;
	*to = (char)c;
	return 1;
}

size_t kfi_telnet_feed(struct kfi_telnet *t, char *buf, size_t len, u8 *reply, size_t *replied)
{
	size_t text = 0;

	*replied = 0;
	for (size_t i = 0; i < len; i++) {
		u8 c = (u8)buf[i];

		switch (t->state) {
		case BEGIN:
		case BEGIN_IAC:
		case PLAIN:
			text += begin(t, c, buf + text);
			break;
		case AFTER_IAC:
			t->state = TEXT;
			if (c == IAC) {
				buf[text++] = (char)c;
			} else if (c >= WILL) {
				t->state = OPTION;
				t->verb = c;
			} else if (c == SB) {
				t->state = SUB;
				t->sub = 0;
			}
			break;
		case OPTION:
			t->state = TEXT;
			*replied += answer_option(t, c, reply + *replied);
			break;
		case SUB:
			t->state = c == IAC ? SUB_IAC : SUB;
			if (++t->sub > SUB_MAX)
				t->state = TEXT;
			break;
		case SUB_IAC:
			t->state = c == SE ? TEXT : SUB;
			break;
		case AFTER_CR:
			t->state = TEXT;
			if (c)
				text += keep_text(t, c, buf + text);
			break;
		default:
			text += keep_text(t, c, buf + text);
		}
	}
	return text;
}

bool kfi_telnet_doubles(const struct kfi_telnet *t, char c)
{
	return t->state >= TEXT && (u8)c == IAC;
}
