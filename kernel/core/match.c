// SPDX-License-Identifier: GPL-2.0
/*
 * Matching names with patterns. That a pattern is one has been seen to by the parser.
 */
#include "core/match.h"

/* The set behind a '[': is the byte in it? Return: bytes of the set and its ']'. */
static u32 match_set(const char *s, char c, bool *in)
{
	bool not = s[0] == '!';
	u32 i;

	*in = false;
	for (i = not; s[i] != ']'; i++) {
		char last = s[i + 1] == '-' ? s[i + 2] : s[i];

		if (c >= s[i] && c <= last)
			*in = true;
		if (s[i + 1] == '-')
			i += 2;
	}
	*in ^= not;
	return i + 1;
}

/* Return: how many bytes of the pattern stand for the byte @c; 0: they do not. */
static u32 match_byte(const char *s, u32 len, char c)
{
	bool in;
	u32 n;

	if (!len)
		return 0;
	if (s[0] == '[') {
		n = 1 + match_set(s + 1, c, &in);
		return in ? n : 0;
	}
	return s[0] == '?' || s[0] == c;
}

bool kfi_match(const char *pattern, u32 len, const char *name)
{
	const char *again = NULL;	/* where the last '*' tries next */
	u32 at = 0, star = 0;
	u32 n;

	for (;;) {
		if (at < len && pattern[at] == '*') {
			star = ++at;
			again = name;
			continue;
		}
		if (!*name)
			return at == len;
		n = match_byte(pattern + at, len - at, *name);
		if (n) {
			at += n;
			name++;
		} else if (again) {
			/* The '*' takes one byte more. */
			at = star;
			name = ++again;
		} else {
			return false;
		}
	}
}
