// SPDX-License-Identifier: GPL-2.0
/* Prints the output of kfi-capture: text of the board with the host's times, and the progress. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "capture.h"

/* Milliseconds between lines of progress: on a terminal, and elsewhere. */
#define PROGRESS_MS		1000
#define PROGRESS_FILE_MS	10000

/* Write text. Each line begins with its time. */
static void put_text(FILE *f, bool *newline, u64 ms, const char *s, size_t len)
{
	for (; len; len--, s++) {
		if (*s == '\r')
			continue;
		if (*newline)
			fprintf(f, "[%5llu.%03llu] ", (unsigned long long)ms / 1000,
				(unsigned long long)ms % 1000);
		*newline = *s == '\n';
		putc((*s >= ' ' && *s <= '~') || *s == '\n' || *s == '\t' ? *s : '?', f);
	}
	fflush(f);
}

/* Remember the first error in writing a file. The capture goes on: its log comes once. */
static void check_file(FILE *f, int *error)
{
	if (ferror(f) && !*error)
		*error = errno ? : EIO;
}

void show_text(struct show *s, const char *text, size_t len)
{
	put_text(stdout, &s->shown_newline, now_ms() - s->begin, text, len);
	check_file(stdout, &s->text_error);
	if (!s->log)
		return;
	put_text(s->log, &s->log_newline, now_ms() - s->begin, text, len);
	check_file(s->log, &s->log_error);
}

void show_line(struct show *s, const char *a, size_t alen, const char *b, size_t blen)
{
	if (!s->bytes)
		s->first_line = now_ms();
	s->last_line = now_ms();
	s->bytes += alen + blen + 4;
	if (!s->log)
		return;
	fprintf(s->log, "%s%c%.*s%.*s%c\n", s->log_newline ? "" : "\n", KFI_SERIAL_BEGIN, (int)alen,
		a, (int)blen, b, KFI_SERIAL_END);
	s->log_newline = true;
	fflush(s->log);
	check_file(s->log, &s->log_error);
}

/* Return the seconds until all lines are there; 0: unknown. */
static u64 time_left(const struct show *s, struct kfi_lines *l, const struct kfi_lines_sent *sent)
{
	u64 per_line = s->bytes / max_t(u64, sent->have, 1);
	u64 rows, all, lines = sent->n - sent->have;

	if (!sent->ended) {
		if (!kfi_lines_rows(l, sent, &rows, &all) || !rows)
			return 0;
		lines += sent->have * (all - min_t(u64, rows, all)) / rows;
	}
	return (lines * per_line + s->rate - 1) / s->rate;
}

/* Return true if it is time to print the progress; @s->rate is updated then. */
static bool is_due(struct show *s, bool terminal)
{
	u64 now = now_ms(), ms = now - s->progress;

	if (ms < (terminal ? PROGRESS_MS : PROGRESS_FILE_MS))
		return false;
	if (s->bytes > s->before) {
		u64 rate = (s->bytes - s->before) * 1000 / ms;

		s->rate = s->rate ? (3 * s->rate + rate) / 4 : rate;
	}
	s->progress = now;
	return true;
}

void show_progress(struct show *s, struct kfi_lines *l, const struct kfi_lines_sent *sent)
{
	bool terminal = isatty(STDERR_FILENO);
	char text[40] = "";
	u64 left;

	if (!sent || !is_due(s, terminal))
		return;
	if (s->bytes != s->before && s->rate) {
		left = time_left(s, l, sent);
		if (left)
			snprintf(text, sizeof(text), ", %llu s left", (unsigned long long)left);
	}
	s->before = s->bytes;
	fprintf(stderr, terminal ? "\r\033[Kkfi-capture: %u lines, %u missing, %llu bytes/s%s\r" :
				   "kfi-capture: %u lines, %u missing, %llu bytes/s%s\n",
		sent->have, sent->n - sent->have, (unsigned long long)s->rate, text);
}

void show_stream(struct show *s)
{
	bool terminal = isatty(STDERR_FILENO);

	if (!is_due(s, terminal))
		return;
	fprintf(stderr, terminal ? "\r\033[Kkfi-capture: %llu bytes, %llu bytes/s\r" :
				   "kfi-capture: %llu bytes, %llu bytes/s\n",
		(unsigned long long)s->bytes,
		(unsigned long long)(s->bytes == s->before ? 0 : s->rate));
	s->before = s->bytes;
}
