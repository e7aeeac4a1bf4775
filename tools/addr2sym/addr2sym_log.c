// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the log for addr2sym, text or raw: finds out what each line is, and what the header says.
 */
#include "addr2sym.h"
#include "raw.h"

/* Limit of the length of a header; most of it are lines of modules. */
#define HEADER_MAX	(1u << 17)

static bool is_log_begin(const char *s, size_t len)
{
	static const char run[] = "Kernel Instrumentation Run ID";
	size_t n = kfi_log_stamp(s, len);

	return len - n >= sizeof(run) - 1 && memcmp(s + n, run, sizeof(run) - 1) == 0;
}

static int begin_log(struct job *job, const struct kfi_log_head *head, struct kfi_err *err)
{
	if (kfi_resolve_begin(&job->names, job->log.in.name, head))
		return kfi_err_set(err, ENOMEM, "%s: out of memory", job->log.in.name);
	return 0;
}

/* Bring the header behind its first line into memory. The line moves. Return: 0 or -errno. */
static int bring_header(struct kfi_in *in, const char **line, struct kfi_err *err)
{
	size_t len = in->pos - *line, all;
	int ret;

	in->pos = *line;
	ret = kfi_in_peek(in, HEADER_MAX, line, &all, err);
	kfi_in_skip(in, len);
	return ret;
}

/*
 * Read as much of the header as is in memory: its trigger lines stand above the line that says
 * where the kernel was.
 */
static int read_header_ahead(struct job *job, struct kfi_err *err)
{
	const char *s = job->log.in.pos, *end = job->log.in.end;
	struct kfi_log ahead = { .kind = KFI_LOG_KFT, .ranges = &job->names.ranges };
	struct kfi_row row;
	size_t len;

	kfi_ranges_free(&job->names.ranges);
	kfi_in_memory(&ahead.in, job->log.in.name, s, end - s);
	while (!ahead.in_rows && kfi_in_line(&ahead.in, &s, &len, NULL) > 0) {
		/* Another run begins: the header has no rows. */
		if (is_log_begin(s, len))
			break;
		kfi_log_feed(&ahead, s, len, &row);
	}
	return begin_log(job, &ahead.head, err);
}

/* Return true for a row without a header above it, as in a part of a log. */
static bool is_stray_row(const char *s, size_t len, struct kfi_row *row)
{
	static const struct kfi_log format3 = { .kind = KFI_LOG_FORMAT3 };
	static const struct kfi_log historic = { .kind = KFI_LOG_KFT };

	return kfi_log_row(&format3, s, len, row) || kfi_log_row(&historic, s, len, row);
}

/*
 * Print a check line. Its end says that addresses were replaced by names, except where the line is
 * the reason why the log was damaged.
 */
static void put_check_line(struct job *job, const char *s, size_t len)
{
	size_t end = len, reason = strlen(KFI_LOG_CHECK_DAMAGED);
	bool is_reason = len > reason && memcmp(s, KFI_LOG_CHECK_DAMAGED, reason) == 0;

	while (end && (s[end - 1] == '\r' || s[end - 1] == ' '))
		end--;
	kfi_out_put(&job->out, s, end);
	if (!is_reason && !kfi_log_check_names(s, end))
		kfi_out_put(&job->out, KFI_LOG_CHECK_NAMES, strlen(KFI_LOG_CHECK_NAMES));
	kfi_out_put(&job->out, s + end, len - end);
}

static void put_line(struct job *job, enum kfi_log_line line, const struct kfi_row *row,
		     const char *s, size_t len)
{
	if (line == KFI_LINE_ROW || line == KFI_LINE_WATCH)
		put_row(job, row, s, len);
	else if (line == KFI_LINE_SUMS)
		put_sums(job, s, len);
	else if (line == KFI_LINE_MARK)
		put_mark(job, s, len);
	else if (line == KFI_LINE_CHECK)
		put_check_line(job, s, len);
	else
		put_other(job, s, len, !job->log.in_rows);
}

/* Handle a line that printk has cut in two: print the lines in between, then the joined line. */
static void put_cut_line(struct job *job, const char **s, size_t *len)
{
	const struct kfi_log_console *c = &job->log.console;

	if (c->lost.len) {
		kfi_out_put(&job->out, c->lost.s, c->lost.len);
		kfi_out_put(&job->out, "\n", 1);
	}
	if (c->joined.len) {
		*s = c->joined.s;
		*len = c->joined.len;
	}
	*s += c->aside;
	*len -= c->aside;
}

/* Print the header of a raw log, including the rule. */
static int put_header(struct job *job, struct kfi_err *err)
{
	struct kfi_str text = kfi_log_raw_text(&job->log);
	struct kfi_in in;
	const char *s;
	size_t len;
	int ret;

	kfi_log_tally_begin(&job->tally, &job->log);
	ret = begin_log(job, &job->log.head, err);
	if (ret)
		return ret;
	kfi_in_memory(&in, "", text.s, text.len);
	while (kfi_in_line(&in, &s, &len, NULL) > 0) {
		job->log.in.line++;
		put_other(job, s, len, true);
		kfi_out_put(&job->out, "\n", 1);
	}
	return 0;
}

/* End a line, and print the check line that the recorder would have put behind it. */
static void end_line(struct job *job, const struct kfi_row *row, const struct kfi_log_mark *mark,
		     const struct kfi_sums *sums)
{
	char text[KFI_LOG_CHECK_MAX];
	size_t len = kfi_log_check_text(&job->raw_checks, row, mark, sums, text);

	if (row || mark || sums)
		kfi_out_put(&job->out, "\n", 1);
	kfi_out_put(&job->out, text, len);
	job->log.in.line += !!len;
}

/*
 * Print the last check line. If the log has a fault, print one that agrees with no rows: the
 * listing must not look better than the log.
 */
static void end_listing(struct job *job, const char *fault)
{
	if (!fault) {
		end_line(job, NULL, NULL, NULL);
		return;
	}
	kfi_out_put(&job->out, KFI_LOG_CHECK_DAMAGED, strlen(KFI_LOG_CHECK_DAMAGED));
	kfi_out_put(&job->out, fault, strlen(fault));
	kfi_out_put(&job->out, "\n", 1);
	job->log.in.line++;
}

/* Convert a raw log, whose first line was read, to the text that it stands for. */
static int convert_raw(struct job *job, struct kfi_err *err)
{
	/*
	 * A log with all columns that kfi_raw_line() writes, even if a hostile header names fewer.
	 */
	static const struct kfi_log format3 = { .kind = KFI_LOG_FORMAT3, .off_irq = true };
	int item = KFI_LINE_RULE, ret;
	char line[KFI_RAW_TEXT_MAX];
	struct kfi_row row;
	size_t len;

	/* From here on, line numbers in messages are those of the output. */
	job->log.in.line = 0;
	for (; item > 0; item = kfi_log_item(&job->log, &row, err)) {
		term_tick();
		if (item == KFI_LINE_RULE) {
			end_line(job, NULL, NULL, NULL);
			job->raw_checks.on = job->log.checks.on &&
					     job->log.head.format >= KFI_CHECK_FORMAT;
			ret = put_header(job, err);
			if (ret)
				return ret;
			continue;
		}
		job->log.in.line++;
		if (item == KFI_LINE_MARK) {
			len = kfi_raw_mark_line(&job->log.mark, line);
			kfi_log_tally_mark(&job->tally, &job->log.mark);
			if (kfi_log_mark(line, len, &job->log.mark))
				put_mark(job, line, len);
			end_line(job, NULL, &job->log.mark, NULL);
		} else if (item == KFI_LINE_SUMS) {
			len = kfi_raw_sums_line(&job->log.sums, line);
			if (kfi_log_sums(line, len, &job->log.sums))
				put_sums(job, line, len);
			end_line(job, NULL, NULL, &job->log.sums);
		} else {
			if (item == KFI_LINE_ROW)
				kfi_log_tally_row(&job->tally, &row);
			len = kfi_raw_line(&row, line);
			if (kfi_log_row(&format3, line, len, &row))
				put_row(job, &row, line, len);
			end_line(job, &row, NULL, NULL);
		}
	}
	end_listing(job, item < 0 ? err->text : kfi_log_raw_fault(&job->log));
	return item;
}

/* Return: 1 if a raw log begins with this line, 0, -errno. */
static int begin_raw(struct job *job, const char **s, size_t len, struct kfi_err *err)
{
	struct kfi_ranges *ranges = job->log.ranges;
	int ret = 0;

	job->log.ranges = &job->names.ranges;
	if (job->log.in.line == 1 && kfi_log_is_raw(*s, len))
		ret = kfi_log_raw(&job->log, err) ? : 1;
	else if (!job->log.in_rows)
		ret = kfi_log_lines(&job->log, s, len, err);
	if (!ret)
		job->log.ranges = ranges;
	return ret;
}

int convert(struct job *job, struct kfi_err *err)
{
	struct kfi_str block;
	u64 addr;
	struct kfi_row row;
	const char *s;
	size_t len;
	int ret;

	kfi_log_start(&job->log);
	for (;;) {
		enum kfi_log_line line;

		term_tick();
		while (kfi_log_fast_row(&job->log, &s, &len, &row)) {
			term_tick();
			kfi_log_tally_row(&job->tally, &row);
			put_row(job, &row, s, len);
			kfi_out_put(&job->out, "\n", 1);
		}
		ret = kfi_in_line(&job->log.in, &s, &len, err);
		if (ret <= 0)
			return ret;
		ret = is_log_begin(s, len) ? bring_header(&job->log.in, &s, err) : 0;
		if (ret)
			return ret;
		if (unlikely(!job->log.in_rows) && memchr(s, 0, len) && term_shows())
			return kfi_err_set(err, EINVAL,
					   "%s: neither a KFI log nor text: not written to a terminal",
					   job->log.in.name);
		if (!job->log.in_rows && find_block(s, len, &block, &addr)) {
			ret = job->blocks ? 0 : begin_log(job, &job->log.head, err);
			if (ret)
				return ret;
			put_block(job, s, len, block, addr);
			if (!job->log.in.cut)
				kfi_out_put(&job->out, "\n", 1);
			continue;
		}
		ret = begin_raw(job, &s, len, err);
		if (ret)
			return ret < 0 ? ret : convert_raw(job, err);
		line = kfi_log_feed(&job->log, s, len, &row);
		if (!job->log.in_rows && (job->log.in.line == 1 || is_log_begin(s, len))) {
			ret = read_header_ahead(job, err);
			if (ret)
				return ret;
		}
		if (line == KFI_LINE_RULE)
			kfi_log_tally_begin(&job->tally, &job->log);
		else if (line == KFI_LINE_ROW)
			kfi_log_tally_row(&job->tally, &row);
		else if (line == KFI_LINE_MARK)
			kfi_log_tally_mark(&job->tally, &job->log.mark);
		if (unlikely(!job->log.in_rows) && is_stray_row(s, len, &row))
			line = KFI_LINE_ROW;
		if (unlikely(job->log.console.busy))
			put_cut_line(job, &s, &len);
		put_line(job, line, &row, s, len);
		if (!job->log.in.cut)
			kfi_out_put(&job->out, "\n", 1);
	}
}
