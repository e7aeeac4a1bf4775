// SPDX-License-Identifier: GPL-2.0
/* Text logs: header, title, rule and the order of lines; see log.h. Rows: log_row.c. */
#include <stdio.h>

#include "log.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool starts(const char *s, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len >= n && memcmp(s, word, n) == 0;
}

static bool contains(const char *s, size_t len, const char *word)
{
	return memmem(s, len, word, strlen(word));
}

/* Leading decimal number. */
static bool number(const char *s, size_t len, u64 *val)
{
	u64 v = 0;
	size_t i;

	for (i = 0; i < len && s[i] >= '0' && s[i] <= '9'; i++)
		if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, s[i] - '0', &v))
			return false;
	*val = v;
	return i > 0;
}

bool kfi_str_hex(struct kfi_str str, u64 *addr)
{
	u64 v = 0;

	if (str.len < 3 || str.len > 18 || str.s[0] != '0' || (str.s[1] | 0x20) != 'x')
		return false;
	for (u32 i = 2; i < str.len; i++) {
		int c = str.s[i] | 0x20;

		if (str.s[i] >= '0' && str.s[i] <= '9')
			v = v << 4 | (str.s[i] - '0');
		else if (c >= 'a' && c <= 'f')
			v = v << 4 | (c - 'a' + 10);
		else
			return false;
	}
	*addr = v;
	return true;
}

/* Header lines "Name = decimal number" that matter to tools; all others are skipped. */
static const struct {
	const char *name;
	size_t offset;
} numbers[] = {
	{ "Log format", offsetof(struct kfi_log_head, format) },
	{ "Number of entries after filters", offsetof(struct kfi_log_head, rows) },
	{ "Calls lost", offsetof(struct kfi_log_head, lost) },
	{ "Clock steps back", offsetof(struct kfi_log_head, steps_back) },
};

static void head_value(struct kfi_log *log, const char *s, size_t name_len, const char *val,
		       size_t val_len)
{
	struct kfi_log_head *h = &log->head;
	u64 v;

	if (name_len == 4 && memcmp(s, "Text", 4) == 0) {
		struct kfi_str str = { val, val_len < 64 ? (u32)val_len : 64 };

		h->has_text = kfi_str_hex(str, &h->text);
		return;
	}
	if (name_len == 4 && memcmp(s, "Note", 4) == 0) {
		if (h->nnotes < KFI_LOG_NOTES)
			snprintf(h->note[h->nnotes++], sizeof(h->note[0]), "%.*s",
				 val_len < 159 ? (int)val_len : 159, val);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		if (strlen(numbers[i].name) != name_len || memcmp(s, numbers[i].name, name_len))
			continue;
		if (!number(val, val_len, &v))
			return;
		memcpy((char *)h + numbers[i].offset, &v, sizeof(v));
		if (numbers[i].offset == offsetof(struct kfi_log_head, rows))
			h->has_rows = true;
		return;
	}
}

static void head_line(struct kfi_log *log, const char *s, size_t len)
{
	const char *eq;
	size_t name;
	u64 v;

	if (starts(s, len, "Logging is running")) {
		log->head.running = true;
		return;
	}
	if (number(s, len, &v)) {
		if (contains(s, len, " usecs minimum execution time"))
			log->head.mintime_us = v;
		return;
	}
	eq = memchr(s, '=', len);
	if (!eq)
		return;
	name = eq - s;
	while (name && is_blank(s[name - 1]))
		name--;
	for (eq++; eq < s + len && is_blank(*eq); eq++)
		;
	head_value(log, s, name, eq, s + len - eq);
}

/* The rule: with the title before it, it tells the layout of the rows. */
static void rule(struct kfi_log *log, const char *s, size_t len)
{
	if (log->title)
		log->kind = KFI_LOG_TODAY;
	else if (!starts(s, len, "--------   --------"))
		log->kind = KFI_LOG_KFT;
	else if (starts(s, len, "--------   --------   --------   --------   --------"))
		log->kind = KFI_LOG_V1;
	else
		log->kind = KFI_LOG_V1_NAMES;
	/* With a time filter a finished call is never shorter than its limit. */
	log->zero_open = log->kind == KFI_LOG_V1 ||
			 (log->kind == KFI_LOG_V1_NAMES && log->head.mintime_us);
	if (log->in_rows)
		log->run++;
	else if (log->head.has_rows)
		log->rows_want += log->head.rows;
	log->in_rows = true;
}

static void bad_line(struct kfi_log *log, const char *s, size_t len)
{
	if (log->bad++)
		return;
	log->bad_line = log->in.line;
	snprintf(log->bad_text, sizeof(log->bad_text), "%.*s", len < 60 ? (int)len : 60, s);
}

enum kfi_log_line kfi_log_feed(struct kfi_log *log, const char *s, size_t len, struct kfi_row *row)
{
	if (likely(log->in_rows) && likely(kfi_log_row(log, s, len, row))) {
		log->rows++;
		return KFI_LINE_ROW;
	}
	if (starts(s, len, "--------")) {
		rule(log, s, len);
		return KFI_LINE_OTHER;
	}
	while (len && is_blank(s[len - 1]))
		len--;
	while (len && is_blank(*s)) {
		s++;
		len--;
	}
	if (!len || *s == '#')
		return KFI_LINE_OTHER;
	if (starts(s, len, "Kernel Instrumentation Run ID")) {
		if (log->in_rows)
			log->run++;
		log->in_rows = false;
		log->head = (struct kfi_log_head){ 0 };
		return KFI_LINE_OTHER;
	}
	if (starts(s, len, "Entry ") && contains(s, len, "Delta")) {
		log->title = contains(s, len, "Entry-ns");
		log->args = contains(s, len, "Arg 1");
		log->off_irq = contains(s, len, "Off-ns") && contains(s, len, "Irq-ns");
		return KFI_LINE_OTHER;
	}
	if (!log->in_rows) {
		head_line(log, s, len);
		return KFI_LINE_OTHER;
	}
	for (size_t i = 0; i < len; i++) {
		if (s[i] != '.') {
			bad_line(log, s, len);
			return KFI_LINE_BAD;
		}
	}
	log->gaps++;
	return KFI_LINE_GAP;
}

void kfi_log_start(struct kfi_log *log)
{
	struct kfi_in in = log->in;

	*log = (struct kfi_log){ .kind = KFI_LOG_KFT };
	log->in = in;
}

/*
 * A listing with v1's columns and no time filter in its header: delta 0 is an exit not seen in a v1
 * log, and a short call in a later one. The later ones have -1 or "no exit" somewhere.
 */
static int look_ahead(struct kfi_log *log, struct kfi_err *err)
{
	struct kfi_log ahead = { .kind = log->kind, .in_rows = true };
	struct kfi_row row;
	const char *s;
	size_t len;
	int ret;

	ret = kfi_in_rest(&log->in, &s, &len, err);
	if (ret)
		return ret;
	kfi_in_memory(&ahead.in, log->in.name, s, len);
	log->zero_open = true;
	while (kfi_in_line(&ahead.in, &s, &len, NULL) > 0) {
		if (kfi_log_feed(&ahead, s, len, &row) == KFI_LINE_ROW && row.delta_ns < 0) {
			log->zero_open = false;
			break;
		}
		if (ahead.run || !ahead.in_rows)
			break;
	}
	return 0;
}

int kfi_log_begin(struct kfi_log *log, struct kfi_err *err)
{
	struct kfi_row row;
	const char *s;
	size_t len;
	int ret;

	while ((ret = kfi_in_line(&log->in, &s, &len, err)) > 0) {
		kfi_log_feed(log, s, len, &row);
		if (!log->in_rows)
			continue;
		if (log->kind == KFI_LOG_V1_NAMES && !log->zero_open)
			return look_ahead(log, err);
		return 0;
	}
	if (ret < 0)
		return ret;
	return kfi_err_set(err, EINVAL, "%s: not a KFI log: %s", log->in.name,
			   log->in.line ? "no line of dashes before the calls" : "it is empty");
}

int kfi_log_open(struct kfi_log *log, const char *path, struct kfi_err *err)
{
	int ret;

	ret = kfi_in_open(&log->in, path, err);
	if (ret)
		return ret;
	kfi_log_start(log);
	ret = kfi_log_begin(log, err);
	if (ret)
		kfi_log_close(log);
	return ret;
}

int kfi_log_next(struct kfi_log *log, struct kfi_row *row, struct kfi_err *err)
{
	const char *s;
	size_t len;
	int ret;

	while ((ret = kfi_in_line(&log->in, &s, &len, err)) > 0)
		if (kfi_log_feed(log, s, len, row) == KFI_LINE_ROW)
			return 1;
	return ret;
}

int kfi_log_check(const struct kfi_log *log, struct kfi_err *err)
{
	if (log->bad)
		return kfi_err_set(err, EBADMSG,
				   "%s:%llu: not a call: \"%s\"; %llu such line%s left out",
				   log->in.name, (unsigned long long)log->bad_line, log->bad_text,
				   (unsigned long long)log->bad, log->bad > 1 ? "s" : "");
	if (log->rows < log->rows_want && !log->gaps)
		return kfi_err_set(err, EBADMSG,
				   "%s: truncated: the header says %llu calls, %llu are there",
				   log->in.name, (unsigned long long)log->rows_want,
				   (unsigned long long)log->rows);
	return 0;
}

void kfi_log_close(struct kfi_log *log)
{
	kfi_in_close(&log->in);
}
