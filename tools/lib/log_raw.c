// SPDX-License-Identifier: GPL-2.0
/*
 * Reads a raw log as if it were text: its headers are fed as lines, its rows are made from records.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lines.h"
#include "raw_rec.h"
#include "raw_stream.h"

/**
 * struct kfi_log_raw - state of reading the raw logs of a file
 * @raw: the current log
 * @next: first byte behind it
 * @left: number of bytes from @next
 * @names: room for addresses of the last row as text
 * @number: number of the current log, from 1
 * @made: memory of a log that was made from lines, or NULL
 * @stream: a log that is read as it comes, used instead of @raw; or NULL
 * @fault: the fault of the first damaged log, empty: none
 * @text: text from the first line of the log on, in which there is a text log, too; or NULL
 * @text_len: its length
 * @text_line: number of its first line
 * @in_text: it is being read
 * @file: the input that it is read in place of
 */
struct kfi_log_raw {
	struct kfi_raw raw;
	const char *next;
	size_t left;
	kfi_log_text names;
	u32 number;
	u8 *made;
	struct kfi_raw_stream *stream;
	char fault[320];
	char *text;
	size_t text_len;
	u64 text_line;
	bool in_text;
	struct kfi_in file;
};

bool kfi_log_is_raw(const char *s, size_t len)
{
	return len == strlen(KFI_RAW_LINE) && memcmp(s, KFI_RAW_LINE, len) == 0;
}

/* Keep how much was lost so far: the counters come at the end of the session. */
static void keep_lost(struct kfi_log *log, const struct kfi_raw *raw)
{
	if (!raw->live || log->head.has_rows)
		return;
	log->head.overwritten = log->head.lost = raw->calls_lost;
	log->head.marks_lost = raw->others_lost;
}

/* Read a header. Return: true if rows follow it. */
static bool feed_header(struct kfi_log *log, struct kfi_str text)
{
	struct kfi_row row;
	struct kfi_in in;
	const char *s;
	size_t len;

	kfi_in_memory(&in, log->in.name, text.s, text.len);
	while (kfi_in_line(&in, &s, &len, NULL) > 0) {
		if (kfi_log_feed(log, s, len, &row) != KFI_LINE_RULE)
			continue;
		keep_lost(log, &log->raw->raw);
		/* The title does not matter: rows are made, not read. */
		log->kind = log->raw->raw.nsums ||
			    (!log->raw->raw.nrows && log->title == KFI_LOG_PROFILE) ?
			    KFI_LOG_PROFILE : KFI_LOG_FORMAT3;
		return true;
	}
	return false;
}

/* Keep the fault of the current log, unless there was one before. */
static void keep_first_fault(struct kfi_log_raw *lr)
{
	const struct kfi_raw *raw = lr->stream ? &lr->stream->raw : &lr->raw;

	if (*raw->fault && !*lr->fault)
		snprintf(lr->fault, sizeof(lr->fault), "raw log %u: %s", lr->number, raw->fault);
}

/* Open the log behind the magic at @lr->next. */
static int open_next(struct kfi_log *log, struct kfi_err *err)
{
	struct kfi_log_raw *lr = log->raw;
	struct kfi_raw raw;
	int ret = kfi_raw_open(&raw, log->in.name, lr->next, lr->left, err);

	if (ret)
		return ret;
	keep_first_fault(lr);
	kfi_raw_close(&lr->raw);
	lr->raw = raw;
	lr->number++;
	lr->next += raw.used;
	lr->left -= raw.used;
	return 0;
}

/* Skip the magic of the next log. Return: false: there is none. */
static bool skip_magic(struct kfi_log_raw *lr)
{
	static const char magic[] = KFI_RAW_LINE "\n";

	if (lr->left < strlen(magic) || memcmp(lr->next, magic, strlen(magic)) != 0)
		return false;
	lr->next += strlen(magic);
	lr->left -= strlen(magic);
	return true;
}

/* Begin with the first log that has a header. */
static int begin(struct kfi_log *log, struct kfi_err *err)
{
	do {
		int ret = open_next(log, err);

		if (ret)
			return ret;
		if (feed_header(log, log->raw->raw.text))
			return 0;
	} while (skip_magic(log->raw));
	if (kfi_log_raw_fault(log))
		return kfi_err_set(err, EINVAL, "%s: the header is damaged: %s", log->in.name,
				   kfi_log_raw_fault(log));
	return kfi_err_set(err, EINVAL,
			   "%s: the raw log of a run that is not complete has no rows; read it again later",
			   log->in.name);
}

static int no_memory(const struct kfi_log *log, struct kfi_err *err)
{
	return kfi_err_set(err, ENOMEM, "%s: out of memory", log->in.name);
}

/* Read the header again, of the same run. */
static int feed_stream_header(struct kfi_log *log, struct kfi_err *err)
{
	struct kfi_log_session session = log->session;
	struct kfi_log_counts counts = log->counts;
	u32 run = log->run;
	bool ruled = log->ruled;

	if (!feed_header(log, log->raw->stream->raw.text))
		return kfi_err_set(err, EINVAL, "%s: the raw log has no header", log->in.name);
	if (log->kind != KFI_LOG_FORMAT3)
		return kfi_err_set(err, EINVAL, "%s: a profile cannot be followed", log->in.name);
	log->run = ruled ? run : log->run;
	log->counts = counts;
	log->session.rows = session.rows;
	log->session.others = session.others;
	return KFI_LINE_RULE;
}

static int begin_stream(struct kfi_log *log, struct kfi_err *err)
{
	struct kfi_log_raw *lr = log->raw;
	struct kfi_row row;
	int ret;

	lr->stream = calloc(1, sizeof(*lr->stream));
	if (!lr->stream)
		return no_memory(log, err);
	lr->number = 1;
	ret = kfi_raw_stream_open(lr->stream, &log->in, err);
	if (!ret)
		ret = kfi_raw_stream_item(lr->stream, &row, &log->mark, err);
	if (ret == KFI_LINE_RULE)
		ret = feed_stream_header(log, err);
	if (ret >= 0 && ret != KFI_LINE_RULE)
		ret = kfi_err_set(err, EINVAL, "%s: the raw log has no header", log->in.name);
	return ret < 0 ? ret : 0;
}

static int read_stream(struct kfi_log *log, struct kfi_row *row, struct kfi_err *err)
{
	struct kfi_raw_stream *stream = log->raw->stream;
	int ret = kfi_raw_stream_item(stream, row, &log->mark, err);

	keep_lost(log, &stream->raw);
	if (ret == KFI_LINE_RULE)
		return feed_stream_header(log, err);
	log->rows += ret == KFI_LINE_ROW;
	log->others += ret == KFI_LINE_WATCH || ret == KFI_LINE_MARK;
	if (!log->numbers && (ret == KFI_LINE_ROW || ret == KFI_LINE_WATCH))
		kfi_log_names(row, log->raw->names);
	return ret;
}

int kfi_log_raw(struct kfi_log *log, struct kfi_err *err)
{
	struct kfi_log_raw *lr = calloc(1, sizeof(*lr));
	int ret;

	if (!lr)
		return no_memory(log, err);
	log->raw = lr;
	if (log->follow)
		return begin_stream(log, err);
	ret = kfi_in_rest(&log->in, &lr->next, &lr->left, err);
	return ret ? : begin(log, err);
}

/* Begin to read a raw log that is made from lines. */
static int begin_lines(struct kfi_log *log, struct kfi_lines *lines, struct kfi_err *err)
{
	struct kfi_log_raw *lr = calloc(1, sizeof(*lr));
	int ret;

	if (!lr)
		return no_memory(log, err);
	log->raw = lr;
	ret = kfi_lines_raw(lines, log->in.name, &lr->made, &lr->left, lr->fault,
			    sizeof(lr->fault), err);
	if (ret)
		return ret;
	lr->next = (const char *)lr->made + strlen(KFI_RAW_MAGIC);
	lr->left -= strlen(KFI_RAW_MAGIC);
	return begin(log, err);
}

/* Look for the header of a text log in text that is none of the lines. */
static void find_text_log(void *arg, const char *s, size_t len)
{
	static const char line[] = "Log format = ";
	bool *found = arg;

	*found |= memmem(s, len, line, strlen(line)) != NULL;
}

/*
 * Copy a line, and what follows it, to one place: other text may have cut a line of the log in two.
 * The line itself does not stay in its place.
 */
static int copy_rest(struct kfi_log *log, const char *line, size_t len, char **text, size_t *size,
		     struct kfi_err *err)
{
	const char *rest;
	char *all = NULL;
	size_t more;
	int ret;

	ret = kfi_in_rest(&log->in, &rest, &more, err);
	if (!ret) {
		all = malloc(len + 1 + more);
		ret = all ? 0 : no_memory(log, err);
	}
	if (!ret) {
		memcpy(all, line, len);
		all[len] = '\n';
		memcpy(all + len + 1, rest, more);
		*text = all;
		*size = len + 1 + more;
	}
	return ret;
}

int kfi_log_lines(struct kfi_log *log, const char **s, size_t len, struct kfi_err *err)
{
	bool has_text_log = false;
	struct kfi_lines lines = { .other = find_text_log, .arg = &has_text_log };
	char *text;
	int ret;

	if (log->no_lines || memchr(*s, 0, len) || !kfi_lines_possible(*s, len))
		return 0;
	log->copied_line = strndup(*s, len);
	if (!log->copied_line)
		return no_memory(log, err);
	*s = log->copied_line;
	ret = copy_rest(log, *s, len, &text, &len, err);
	if (ret)
		return ret;
	if (kfi_lines_feed(&lines, text, len, false) < 0)
		ret = no_memory(log, err);
	else if (lines.nsent)
		ret = begin_lines(log, &lines, err) ? : 1;
	if (ret > 0 && has_text_log && log->both) {
		log->raw->text = text;
		log->raw->text_len = len;
		log->raw->text_line = log->in.line;
		text = NULL;
	} else if (ret > 0 && has_text_log && !*log->raw->fault) {
		snprintf(log->raw->fault, sizeof(log->raw->fault),
			 "has a text log, too, which is left out");
	}
	log->no_lines = !ret;
	kfi_lines_free(&lines);
	free(text);
	return ret;
}

/*
 * Go on with the text log among the lines of the raw log, which have been read: in a text log, they
 * are like any other output of the console.
 */
static void begin_text(struct kfi_log *log)
{
	struct kfi_log_raw *lr = log->raw;

	lr->in_text = true;
	lr->file = log->in;
	kfi_in_memory(&log->in, lr->file.name, lr->text, lr->text_len);
	log->in.idle = lr->file.idle;
	log->in.line = lr->text_line - 1;
	memcpy(log->in.fault, lr->file.fault, sizeof(log->in.fault));
	log->in_rows = false;
	log->no_lines = true;
	log->console.seen = true;
}

int kfi_log_raw_item(struct kfi_log *log, struct kfi_row *row, struct kfi_err *err)
{
	struct kfi_log_raw *lr = log->raw;
	int ret;

	if (lr->stream)
		return read_stream(log, row, err);
	if (lr->in_text)
		return kfi_log_text_item(log, row, err);
	ret = kfi_raw_item(&lr->raw, row, &log->mark);

	if (likely(ret)) {
		if (unlikely(ret < 0))
			return kfi_err_set(err, ENOMEM, "%s: out of memory", log->in.name);
		log->rows += ret == KFI_LINE_ROW;
		log->others += ret != KFI_LINE_ROW;
		if (!log->numbers && ret != KFI_LINE_MARK)
			kfi_log_names(row, lr->names);
		return ret;
	}
	if (kfi_raw_sums(&lr->raw, &log->sums, lr->names[0])) {
		log->rows += log->sums.count + log->sums.untimed;
		return KFI_LINE_SUMS;
	}
	while (lr->left) {
		if (!skip_magic(lr)) {
			keep_first_fault(lr);
			if (!*lr->fault)
				snprintf(lr->fault, sizeof(lr->fault),
					 "unknown data follows the raw log");
			break;
		}
		ret = open_next(log, err);
		if (ret)
			return ret;
		if (feed_header(log, lr->raw.text))
			return KFI_LINE_RULE;
	}
	if (!lr->text)
		return 0;
	begin_text(log);
	return kfi_log_text_item(log, row, err);
}

u32 kfi_log_raw_rows(struct kfi_log *log, struct kfi_row *row, u32 max)
{
	struct kfi_log_raw *lr = log->raw;
	/* A stream has room for the text of only one row. */
	u32 n = lr->stream || lr->in_text ? 0 : kfi_raw_rows(&lr->raw, row, log->numbers ? max : 1);

	log->rows += n;
	if (n && !log->numbers)
		kfi_log_names(row, lr->names);
	return n;
}

struct kfi_str kfi_log_raw_text(const struct kfi_log *log)
{
	return log->raw->raw.text;
}

const char *kfi_log_raw_fault(const struct kfi_log *log)
{
	if (!log->raw)
		return NULL;
	keep_first_fault(log->raw);
	return *log->raw->fault ? log->raw->fault : NULL;
}

bool kfi_log_has_records(const struct kfi_log *log)
{
	return log->raw && !log->raw->in_text;
}

int kfi_log_raw_percent(const struct kfi_log *log)
{
	const struct kfi_raw *raw = &log->raw->raw;

	return raw->nblocks ? (int)(raw->next_block * 100ull / raw->nblocks) : -1;
}

void kfi_log_raw_close(struct kfi_log *log)
{
	if (log->raw) {
		kfi_raw_close(&log->raw->raw);
		if (log->raw->stream)
			kfi_raw_stream_close(log->raw->stream);
		if (log->raw->in_text)
			kfi_in_close(&log->raw->file);
		free(log->raw->stream);
		free(log->raw->made);
		free(log->raw->text);
	}
	free(log->raw);
	log->raw = NULL;
	free(log->copied_line);
	log->copied_line = NULL;
}
