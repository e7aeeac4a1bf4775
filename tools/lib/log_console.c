// SPDX-License-Identifier: GPL-2.0
/*
 * Reads a log in the text of a console, as captured on a serial line, after cat or a crash:
 *
 *	[    1.065151]   12   34   1 0xc0100000 0xc0100010 ...	stamped, by printk or a host
 *	[2024-01-01 12:00:01]   12   34   1 0xc0100000 ...	stamped with a host's time of day
 *	  12   34   1 0xc01[    1.066000] usb 1-1: new device	a row that printk has cut in two
 *	00000 0xc0100010 ...
 *
 * The text behind stamps, and rows joined from pieces, are passed to kfi_log_line(). See log.h.
 */
#include "log.h"

/* A second, in nanoseconds. */
#define SECOND	1000000000ull

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Return the length of a stamp "[    1.065151]", "[12.5 0.1]", "[    T1]", "[   C0]"; 0: none. */
static size_t bracket_length(const char *s, size_t len, bool first)
{
	bool dot = false, any = false;
	size_t i = 1;

	if (len < 3 || *s != '[')
		return 0;
	while (i < len && s[i] == ' ')
		i++;
	if (!first && i < len && (s[i] == 'T' || s[i] == 'C')) {
		dot = true;
		i++;
	}
	for (; i < len && s[i] != ']'; i++) {
		if (!digit(s[i]) && s[i] != '.' && s[i] != ' ')
			return 0;
		dot |= s[i] == '.' && any;
		any |= digit(s[i]);
	}
	return i < len && dot && any ? i + 1 : 0;
}

/* Return true if a text begins like a pattern, in which 0 stands for a digit. */
static bool is_like(const char *s, size_t len, const char *pattern)
{
	size_t n = strlen(pattern);

	if (len < n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (pattern[i] == '0' ? !digit(s[i]) : s[i] != pattern[i])
			return false;
	return true;
}

/* Return true if a text begins with a word of three letters out of a list, and a blank. */
static bool is_one_of(const char *s, size_t len, const char *words)
{
	for (; len > 3 && s[3] == ' ' && *words; words += 3)
		if (!memcmp(s, words, 3))
			return true;
	return false;
}

/* Return the length of "2024-01-01 ", "2024-01-01T" or "Jan  1 "; 0: none. */
static size_t date_length(const char *s, size_t len)
{
	if (is_like(s, len, "0000-00-00 ") || is_like(s, len, "0000-00-00T"))
		return sizeof("0000-00-00T") - 1;
	if (!is_one_of(s, len, "JanFebMarAprMayJunJulAugSepOctNovDec"))
		return 0;
	return is_like(s + 3, len - 3, " 00 ") || is_like(s + 3, len - 3, "  0 ") ? 7 : 0;
}

/* Return the length of "12:00:01", "12:00:01.123" or "12:00:01.123456+01:00"; 0: none. */
static size_t clock_length(const char *s, size_t len)
{
	size_t i = sizeof("00:00:00") - 1;

	if (!is_like(s, len, "00:00:00"))
		return 0;
	if (i + 1 < len && (s[i] == '.' || s[i] == ',') && digit(s[i + 1]))
		for (i++; i < len && digit(s[i]); i++)
			;
	if (i < len && s[i] == 'Z')
		i++;
	else if (is_like(s + i, len - i, "+00:00") || is_like(s + i, len - i, "-00:00"))
		i += sizeof("+00:00") - 1;
	else if (is_like(s + i, len - i, "+0000") || is_like(s + i, len - i, "-0000"))
		i += sizeof("+0000") - 1;
	return i;
}

/*
 * Return the length of the stamp of a host, with the blank behind it; 0: none. It is a time of day,
 * perhaps with a date, perhaps in brackets, as terminal programs and loggers write it. Behind a
 * date the "HOST kernel: " of a journal belongs to it.
 */
static size_t host_stamp_length(const char *s, size_t len)
{
	bool bracket = len && *s == '[';
	bool weekday = is_one_of(s + bracket, len - bracket, "MonTueWedThuFriSatSun");
	size_t i = bracket + (weekday ? 4 : 0), date = date_length(s + i, len - i), n;
	static const char kernel[] = "kernel: ";
	const char *blank;

	i += date;
	n = clock_length(s + i, len - i);
	if (!n || (weekday && !date))
		return 0;
	i += n;
	/* "Mon Jan  1 12:00:01 2024", as dmesg -T writes it. */
	if (weekday && is_like(s + i, len - i, " 0000"))
		i += sizeof(" 0000") - 1;
	if (bracket && (i == len || s[i++] != ']'))
		return 0;
	if (i == len || s[i] == '\r')
		return i;
	if (s[i++] != ' ')
		return 0;
	n = strlen(kernel);
	blank = date && !bracket ? memchr(s + i, ' ', len - i) : NULL;
	if (!blank || blank == s + i || (size_t)(s + len - blank) <= n ||
	    memcmp(blank + 1, kernel, n))
		return i;
	return (size_t)(blank + 1 - s) + n;
}

size_t kfi_log_stamp(const char *s, size_t len)
{
	size_t host, n = 0, more;

	while (n < len && s[n] == '\r')
		n++;
	host = host_stamp_length(s + n, len - n);
	if (host)
		host = n += host;
	if (len - n > 3 && s[n] == '<' && digit(s[n + 1])) {
		size_t i = n + 2;

		while (i < len && digit(s[i]))
			i++;
		if (i < len && s[i] == '>')
			n = i + 1;
	}
	more = bracket_length(s + n, len - n, true);
	if (!more)
		return host;
	do {
		n += more;
		/* One blank belongs to the stamp, more blanks belong to the row. */
		if (n < len && s[n] == ' ' && !bracket_length(s + n, len - n, false))
			n++;
		more = bracket_length(s + n, len - n, false);
	} while (more);
	return n;
}

size_t kfi_log_printk_stamp(const char *s, size_t len, u64 *ns)
{
	size_t n = kfi_log_stamp(s, len), i = 0;
	u64 unit = SECOND, v = 0;

	while (i < n && s[i] == '\r')
		i++;
	i += host_stamp_length(s + i, n - i);
	if (i >= n)
		return 0;
	while (i < n && s[i] != '[')
		i++;
	for (i++; i < n && s[i] == ' '; i++)
		;
	for (; i < n && digit(s[i]); i++)
		if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, s[i] - '0', &v))
			return 0;
	if (v > S64_MAX / SECOND - 1 || i == n || s[i++] != '.')
		return 0;
	for (v *= SECOND; i < n && digit(s[i]) && unit > 1; i++) {
		unit /= 10;
		v += unit * (u64)(s[i] - '0');
	}
	if (i == n || s[i] != ']' || unit == SECOND)
		return 0;
	*ns = v;
	return n;
}

/* Return true for a stamp of printk, which has microseconds: "[    1.065151]". */
static bool is_printk_stamp(const char *s, size_t len)
{
	size_t n = bracket_length(s, len, true);

	if (n < sizeof("[0.065151]") - 1 || s[n - 8] != '.')
		return false;
	for (size_t i = n - 7; i < n - 1; i++)
		if (!digit(s[i]))
			return false;
	return true;
}

/*
 * Return the place of a stamp of printk within a line; 0: none. The text of a mark may have other
 * numbers in brackets.
 */
static size_t find_stamp(const char *s, size_t len)
{
	const char *p = s, *end = s + len;

	while (p < end && (p = memchr(p, '[', end - p))) {
		if (p > s && is_printk_stamp(p, end - p))
			return p - s;
		p++;
	}
	return 0;
}

/* Append a piece to those that are kept. Return: false if there is no room. */
static bool append_piece(struct kfi_log_console *c, const char *s, size_t len)
{
	if (len > sizeof(c->text) - c->len)
		return false;
	memcpy(c->text + c->len, s, len);
	c->len += (u32)len;
	return true;
}

/* Return true if the pieces make a whole line. */
static bool is_whole(const struct kfi_log *log, const char *s, size_t len)
{
	struct kfi_log_mark mark;
	struct kfi_sums sums;
	struct kfi_row row;

	return !log->in_rows || kfi_log_row(log, s, len, &row) || kfi_log_mark(s, len, &mark) ||
	       (log->kind == KFI_LOG_PROFILE && kfi_log_sums(s, len, &sums));
}

/* Give up the pieces. They are damage if they may have been a row, or a line of a header. */
static void lose_pieces(struct kfi_log *log)
{
	struct kfi_log_console *c = &log->console;

	c->lost = (struct kfi_str){ c->text, c->len };
	if (log->in_rows || c->named)
		kfi_log_bad(log, c->text, c->len);
	c->len = 0;
}

/*
 * The title of a log completes no pieces: what stood before it was no line of this log, such as the
 * last words of a program that a crash has interrupted.
 */
enum kfi_log_line kfi_log_console(struct kfi_log *log, const char *s, size_t len,
				  struct kfi_row *row)
{
	struct kfi_log_console *c = &log->console;
	size_t n = kfi_log_stamp(s, len);
	u32 had = c->len;

	c->aside = 0;
	c->joined.len = c->lost.len = 0;
	c->busy = had;
	if (had && kfi_log_is_title(s + n, len - n)) {
		lose_pieces(log);
		had = 0;
	}
	if (n) {
		c->seen = true;
		return kfi_log_line(log, s + n, len - n, row, true);
	}
	n = log->in_rows && c->stamped ? 0 : find_stamp(s, len);
	if (n && append_piece(c, s, n)) {
		c->seen = c->busy = true;
		c->aside = (u32)n;
		c->others_within++;
		return KFI_LINE_OTHER;
	}
	if (!had)
		return kfi_log_line(log, s, len, row, false);
	c->busy = true;
	if (len <= sizeof(c->text) - had) {
		memcpy(c->text + had, s, len);
		if (is_whole(log, c->text, had + len)) {
			c->len = 0;
			c->joined = (struct kfi_str){ c->text, (u32)(had + len) };
			return kfi_log_line(log, c->text, had + len, row, false);
		}
	}
	lose_pieces(log);
	return kfi_log_line(log, s, len, row, false);
}
