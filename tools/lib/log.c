// SPDX-License-Identifier: GPL-2.0
/* Reads text logs: header, title, rule and the order of lines; see log.h. log_row.c reads rows. */
#include <stdio.h>

#include "import/import.h"
#include "lines.h"
#include "ranges.h"
#include "log.h"
#include "raw.h"

/* Bytes in which the begin of a log of KFI is looked for, if it was taken for another one. */
#define HEAD_LOOK	4096

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

/* Parse eight hex digits at once, the first one the highest. Return: false if they are none. */
static bool hex_eight(const char *s, u64 *v)
{
	const u64 ones = 0x0101010101010101, tops = ones << 7;
	u64 c, digit, letter;

	memcpy(&c, s, sizeof(c));
	/*
	 * @digit is 0 to 9 for a digit, @letter is 1 to 6 for a letter; other characters set bit 7
	 *	below.
	 */
	digit = c ^ ones * '0';
	letter = (c | ones * 0x20) ^ ones * 0x60;
	if ((c | ((digit + ones * (127 - 9)) &
		  ((letter + ones * (127 - 6)) | ~(letter + ones * 127)))) & tops)
		return false;
	c = (c & ones * 15) + (c >> 6 & ones) * 9;
	c = (c << 4 | c >> 8) & 0x00ff00ff00ff00ff;
	c = (c | c >> 8) & 0x0000ffff0000ffff;
	*v = __builtin_bswap32((u32)(c | c >> 16));
	return true;
}

bool kfi_str_hex_digits(struct kfi_str str, u64 *v)
{
	u64 sum = 0, low;

	if (!str.len || str.len > 16)
		return false;
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && str.len == 16) {
		if (!hex_eight(str.s, &sum) || !hex_eight(str.s + 8, &low))
			return false;
		*v = sum << 32 | low;
		return true;
	}
	for (u32 i = 0; i < str.len; i++) {
		int c = str.s[i] | 0x20;

		if (str.s[i] >= '0' && str.s[i] <= '9')
			sum = sum << 4 | (str.s[i] - '0');
		else if (c >= 'a' && c <= 'f')
			sum = sum << 4 | (c - 'a' + 10);
		else
			return false;
	}
	*v = sum;
	return true;
}

bool kfi_log_mark_is(const struct kfi_log_mark *m, const char *kind)
{
	return m->kind.len == strlen(kind) && memcmp(m->kind.s, kind, m->kind.len) == 0;
}

const char *kfi_log_mark_addresses(const struct kfi_log_mark *m)
{
	const char *end = m->text.s + m->text.len, *blank;

	/* Numbers follow the function: the depth and the arguments. */
	if (kfi_log_mark_is(m, "args") || kfi_log_mark_is(m, "ret")) {
		blank = memchr(m->text.s, ' ', m->text.len);
		blank = blank ? memchr(blank + 1, ' ', (size_t)(end - blank - 1)) : NULL;
		return blank ? blank : end;
	}
	return kfi_log_mark_is(m, "initcall") || kfi_log_mark_is(m, "wakeup") ||
	       kfi_log_mark_is(m, "callers") ? end : m->text.s;
}

bool kfi_str_hex(struct kfi_str str, u64 *addr)
{
	return str.len > 2 && str.s[0] == '0' && (str.s[1] | 0x20) == 'x' &&
	       kfi_str_hex_digits((struct kfi_str){ str.s + 2, str.len - 2 }, addr);
}

/* Add an address to the sum. A name has no address: then the sums of addresses are not compared. */
static void check_address(struct kfi_log_checks *c, struct kfi_str str)
{
	u64 addr = 0;

	kfi_str_hex(str, &addr);
	kfi_check_add(&c->now.addresses, addr);
}

static void add_row_to_checks(struct kfi_log_checks *c, const struct kfi_row *row)
{
	const s64 ns[] = { row->entry_ns, row->delta_ns, row->local_ns, row->off_ns, row->irq_ns };

	kfi_check_row(&c->now, ns, (u32)row->task, (u32)row->cpu, row->depth, row->ctx,
		      row->marks, row->below);
	check_address(c, row->func);
	check_address(c, row->caller);
}

static __always_inline void check_row(struct kfi_log *log, const struct kfi_row *row)
{
	if (log->checks.on)
		add_row_to_checks(&log->checks, row);
}

static void check_mark(struct kfi_log_checks *c, const struct kfi_log_mark *mark)
{
	kfi_check_mark(&c->now, (u64)mark->entry_ns, (u32)mark->task, (u32)mark->cpu, mark->ctx);
	kfi_check_text(&c->now.addresses, mark->text.s, mark->text.len);
}

static void check_sums(struct kfi_log_checks *c, const struct kfi_sums *s)
{
	const u64 v[] = {
		s->count, s->total, s->local, s->min, s->max, s->off, s->irq, s->untimed
	};

	c->now.lines++;
	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		kfi_check_add(&c->now.numbers, v[i]);
	check_address(c, s->func);
}

/* Handle a line of the header: its check line, or one that this is about. */
static void check_header(struct kfi_log *log, const char *s, size_t len)
{
	struct kfi_log_head *h = &log->head;
	char want[40];
	int n;

	if (!starts(s, len, KFI_CHECK_HEADER)) {
		kfi_check_header(&h->check, s, len);
		return;
	}
	h->is_checked = true;
	n = sprintf(want, KFI_CHECK_HEADER "%08x", (u32)h->check);
	if (len != (size_t)n || memcmp(s, want, len) != 0)
		log->checks.heads++;
}

static void restart_checks(struct kfi_log_checks *c, u64 line)
{
	c->now = (struct kfi_check){ 0 };
	c->gap = false;
	c->after = line;
}

/*
 * Handle "# check LINES NUMBERS ADDRESSES", with " names" behind it if addr2sym replaced addresses.
 */
static void check_line(struct kfi_log *log, const char *s, size_t len)
{
	struct kfi_log_checks *c = &log->checks;
	char text[KFI_LOG_CHECK_MAX], want[KFI_LOG_CHECK_MAX];
	bool names = kfi_log_check_names(s, len);
	size_t n;

	if (starts(s, len, KFI_LOG_CHECK_DAMAGED) && !*c->why) {
		n = strlen(KFI_LOG_CHECK_DAMAGED);
		snprintf(c->why, sizeof(c->why), "%.*s", (int)(len - n), s + n);
	}
	n = (size_t)sprintf(want, "# check %u %08x %08x", c->now.lines, (u32)c->now.numbers,
			    (u32)c->now.addresses) - (names ? 8 : 0);
	snprintf(text, sizeof(text), "%.*s", (int)min_t(size_t, len, sizeof(text)), s);
	/* A check line that is damaged itself does not agree either. */
	if (!c->gap && (len != strlen(want) + (names ? strlen(KFI_LOG_CHECK_NAMES) : 0) ||
			memcmp(text, want, n) != 0) && !c->damaged++) {
		c->from = c->after;
		c->to = log->in.line;
	}
	c->due = true;
	restart_checks(c, log->in.line);
}

bool kfi_log_check_names(const char *s, size_t len)
{
	size_t n = strlen(KFI_LOG_CHECK_NAMES);

	return len > n && memcmp(s + len - n, KFI_LOG_CHECK_NAMES, n) == 0;
}

size_t kfi_log_check_text(struct kfi_log_checks *c, const struct kfi_row *row,
			  const struct kfi_log_mark *mark, const struct kfi_sums *sums, char *text)
{
	size_t len = 0;

	if (!c->on)
		return 0;
	if (row)
		add_row_to_checks(c, row);
	else if (mark)
		check_mark(c, mark);
	else if (sums)
		check_sums(c, sums);
	if (c->now.lines == KFI_CHECK_LINES || (!row && !mark && !sums && c->now.lines)) {
		len = sprintf(text, "# check %u %08x %08x" KFI_LOG_CHECK_NAMES "\n", c->now.lines,
			      (u32)c->now.numbers, (u32)c->now.addresses);
		restart_checks(c, 0);
	}
	return len;
}

static u64 subtract(u64 all, u64 some)
{
	return all > some ? all - some : 0;
}

static void set_count(struct kfi_log_count *count, const struct kfi_log *log, u64 want, u64 have)
{
	if (!count->number)
		*count = (struct kfi_log_count){ want, have, log->run + 1 };
}

/*
 * Compare what the current session has with what its header says. Sums over all sessions would hide
 * what one lacks behind what another has too much, or behind lines of dots in another.
 */
static void count_session(const struct kfi_log *log, struct kfi_log_counts *counts)
{
	const struct kfi_log_session *now = &log->session;
	u64 rows = log->rows - now->rows, others = log->others - now->others;
	bool gaps = log->gaps > now->gaps;

	if (rows + log->bad - now->bad < now->rows_want && !gaps)
		set_count(&counts->few_rows, log, now->rows_want, rows);
	if (rows > now->rows_want && now->counted)
		set_count(&counts->many_rows, log, now->rows_want, rows);
	if (others < now->others_want && !gaps)
		set_count(&counts->few_others, log, now->others_want, others);
	if (log->checks.due && log->checks.now.lines && !log->checks.gap)
		set_count(&counts->unchecked, log, log->checks.now.lines, 0);
}

static void begin_session(struct kfi_log *log)
{
	const struct kfi_log_head *h = &log->head;

	count_session(log, &log->counts);
	log->session = (struct kfi_log_session){
		.rows = log->rows, .others = log->others, .gaps = log->gaps, .bad = log->bad,
		.rows_want = h->has_rows ? subtract(h->rows, h->calls_dropped) : 0,
		.others_want = subtract(subtract(h->marks, h->marks_out) +
					subtract(h->watch_rows, h->watch_out), h->others_dropped),
		.counted = h->has_rows,
	};
}

/* Forget the header of the run before. */
static void forget_header(struct kfi_log *log)
{
	log->in_rows = false;
	log->head = (struct kfi_log_head){ 0 };
	if (log->ranges)
		kfi_ranges_free(log->ranges);
}

/*
 * Handle the rule: together with the title before it, it shows the layout of the rows. Amid rows it
 * begins a run that has no header.
 */
static void read_rule(struct kfi_log *log, const char *s, size_t len)
{
	if (log->title == KFI_LOG_FORMAT3 || log->title == KFI_LOG_PROFILE)
		log->kind = log->title;
	else if (!starts(s, len, "--------   --------"))
		log->kind = KFI_LOG_KFT;
	else if (starts(s, len, "--------   --------   --------   --------   --------"))
		log->kind = KFI_LOG_V1;
	else
		log->kind = KFI_LOG_V1_NAMES;
	if (log->in_rows)
		forget_header(log);
	/* With a time filter a finished call is never shorter than its limit. */
	log->zero_open = log->kind == KFI_LOG_V1 ||
			 (log->kind == KFI_LOG_V1_NAMES && log->head.mintime_us);
	begin_session(log);
	log->run += log->ruled;
	log->ruled = true;
	log->in_rows = true;
	log->console.titled = false;
	log->rows_before = log->rows;
	/* A header that is damaged may name a format that has no check lines. */
	log->checks.on = log->kind >= KFI_LOG_FORMAT3;
	log->checks.heads += !log->head.is_checked &&
			     log->head.format >= KFI_CHECK_HEADER_FORMAT;
	log->checks.due = false;
	restart_checks(&log->checks, log->in.line);
}

void kfi_log_bad(struct kfi_log *log, const char *s, size_t len)
{
	if (log->bad++)
		return;
	log->bad_line = log->in.line;
	snprintf(log->bad_text, sizeof(log->bad_text), "%.*s", len < 60 ? (int)len : 60, s);
}

/* Return true for dashes and blanks, false for "------------[ cut here ]". */
static bool is_rule(const struct kfi_log *log, const char *s, size_t len, bool stamped)
{
	if (!starts(s, len, "--------") || ((stamped || log->console.seen) && !log->console.titled))
		return false;
	for (size_t i = 0; i < len; i++)
		if (s[i] != '-' && !is_blank(s[i]))
			return false;
	return true;
}

/* Return true if the calls that the header announces have all come. */
static bool has_all_rows(const struct kfi_log *log)
{
	return log->head.has_rows && log->rows - log->rows_before >= log->head.rows;
}

/* Classify a line among the rows that is no row: a gap, other text on the console, or damage. */
static enum kfi_log_line classify_stray(struct kfi_log *log, const char *s, size_t len,
					bool stamped)
{
	struct kfi_log_console *c = &log->console;
	bool over = has_all_rows(log);
	bool number = *s >= '0' && *s <= '9';
	size_t dots = 0;

	if ((over && (c->seen || !number)) || ((stamped || c->stamped) && !number)) {
		c->others_within++;
		return KFI_LINE_OTHER;
	}
	while (dots < len && s[dots] == '.')
		dots++;
	if (dots == len) {
		log->gaps++;
		log->checks.gap = true;
		return KFI_LINE_GAP;
	}
	kfi_log_bad(log, s, len);
	return KFI_LINE_BAD;
}

enum kfi_log_line kfi_log_feed(struct kfi_log *log, const char *s, size_t len, struct kfi_row *row)
{
	if (likely(log->in_rows) && likely(!log->console.busy) &&
	    likely(kfi_log_row(log, s, len, row)) && likely(!row->watch)) {
		log->rows++;
		check_row(log, row);
		return KFI_LINE_ROW;
	}
	return kfi_log_console(log, s, len, row);
}

bool kfi_log_fast_row(struct kfi_log *log, const char **s, size_t *len, struct kfi_row *row)
{
	if (unlikely(!log->in_rows) || unlikely(log->console.busy) ||
	    !kfi_log_row_fixed(log, log->in.pos, log->in.end, row, len))
		return false;
	*s = kfi_in_take(&log->in, *len + 1);
	log->rows++;
	check_row(log, row);
	return true;
}

/* Begin a run: forget what belongs to the run before. */
static void begin_run(struct kfi_log *log, const char *s, size_t len, bool stamped)
{
	struct kfi_log_console *c = &log->console;

	forget_header(log);
	c->seen |= c->others_before;
	c->named = true;
	c->titled = false;
	c->stamped = stamped;
	kfi_log_head_line(&log->head, s, len);
}

bool kfi_log_is_title(const char *s, size_t len)
{
	while (len && is_blank(*s)) {
		s++;
		len--;
	}
	return starts(s, len, "Kernel Instrumentation Run ID");
}

enum kfi_log_line kfi_log_line(struct kfi_log *log, const char *s, size_t len,
			       struct kfi_row *row, bool stamped)
{
	if (log->in_rows && kfi_log_row(log, s, len, row)) {
		log->others += row->watch;
		log->rows += !row->watch;
		check_row(log, row);
		return row->watch ? KFI_LINE_WATCH : KFI_LINE_ROW;
	}
	if (is_rule(log, s, len, stamped)) {
		read_rule(log, s, len);
		return KFI_LINE_RULE;
	}
	while (len && is_blank(s[len - 1]))
		len--;
	while (len && is_blank(*s)) {
		s++;
		len--;
	}
	if (len && *s == '#' && log->in_rows && log->kind == KFI_LOG_FORMAT3 &&
	    kfi_log_mark(s, len, &log->mark)) {
		log->others++;
		if (log->checks.on)
			check_mark(&log->checks, &log->mark);
		return KFI_LINE_MARK;
	}
	if (log->in_rows && log->checks.on && starts(s, len, "# check ")) {
		check_line(log, s, len);
		return KFI_LINE_CHECK;
	}
	if (!len || *s == '#')
		return KFI_LINE_OTHER;
	if (kfi_log_is_title(s, len)) {
		begin_run(log, s, len, stamped);
		return KFI_LINE_OTHER;
	}
	if (starts(s, len, "Function ") && contains(s, len, "Total-ns")) {
		log->title = KFI_LOG_PROFILE;
		log->console.titled = true;
		return KFI_LINE_OTHER;
	}
	if (starts(s, len, "Entry ") && contains(s, len, "Delta")) {
		log->title = contains(s, len, "Entry-ns") ? KFI_LOG_FORMAT3 : KFI_LOG_KFT;
		log->console.titled = true;
		log->args = contains(s, len, "Arg 1");
		log->off_irq = contains(s, len, "Off-ns") && contains(s, len, "Irq-ns");
		return KFI_LINE_OTHER;
	}
	if (!log->in_rows) {
		log->console.others_before |= !log->console.named;
		check_header(log, s, len);
		kfi_log_head_line(&log->head, s, len);
		if (log->ranges && kfi_ranges_line(log->ranges, s, len))
			log->ranges->forgotten++;	/* out of memory */
		return KFI_LINE_OTHER;
	}
	if (log->kind == KFI_LOG_PROFILE && kfi_log_sums(s, len, &log->sums)) {
		log->rows += log->sums.count + log->sums.untimed;
		check_sums(&log->checks, &log->sums);
		return KFI_LINE_SUMS;
	}
	return classify_stray(log, s, len, stamped);
}

void kfi_log_start(struct kfi_log *log)
{
	struct kfi_in in = log->in;

	*log = (struct kfi_log){ .in = in, .kind = KFI_LOG_KFT, .title = KFI_LOG_KFT };
}

/*
 * Find out what delta 0 means in a listing with the columns of format 1 and no time filter in its
 * header: an exit that was not seen, or, in a later log, a short call. Later logs have -1 or "no
 * exit" in some row.
 */
static int read_ahead(struct kfi_log *log, struct kfi_err *err)
{
	struct kfi_log ahead = {
		.kind = log->kind, .title = log->title, .in_rows = true, .ruled = true,
	};
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

/* Read a line of another tracer's log. Return: 0 or -errno. */
static int import_line(struct kfi_log *log, const char *s, size_t len, struct kfi_err *err)
{
	const struct kfi_import_format *format;
	int ret;

	if (!log->import) {
		format = kfi_import_look(log, s, len);
		ret = format ? kfi_import_begin(log, format, err) : 0;
		if (!format || ret)
			return ret;
	}
	format = log->import->format;
	return format->whole ? format->whole(log->import, s, len, err) :
			       format->line(log->import, s, len, err);
}

/* Read the rest of another tracer's log. */
static int import_rest(struct kfi_log *log, struct kfi_err *err)
{
	const char *s;
	size_t len;
	int ret = 0;

	while (!ret && log->import->format->line &&
	       (ret = kfi_in_line(&log->in, &s, &len, err)) > 0)
		ret = log->import->format->line(log->import, s, len, err);
	return ret ? ret : kfi_import_end(log, err);
}

/* Return true if a log of KFI begins in a text. */
static bool has_kfi_log(const char *s, size_t len)
{
	struct kfi_in in;
	const char *line;
	size_t n;

	kfi_in_memory(&in, "", s, len);
	while (kfi_in_line(&in, &line, &n, NULL) > 0)
		if (kfi_log_is_raw(line, n) || kfi_log_is_title(line, n))
			return true;
	return false;
}

/* Read the log of another tracer, which --input names. Return: 0 or -errno. */
static int import_all(struct kfi_log *log, const struct kfi_import_format *format,
		      struct kfi_err *err)
{
	const char *s;
	size_t len;
	bool is_kfi;
	int ret = kfi_in_peek(&log->in, HEAD_LOOK, &s, &len, err);

	if (ret)
		return ret;
	is_kfi = has_kfi_log(s, len);
	ret = kfi_in_line(&log->in, &s, &len, err);
	if (ret <= 0)
		return ret ? ret : kfi_err_set(err, EINVAL, "%s: it is empty", log->in.name);
	ret = kfi_import_begin(log, format, err) ? : import_line(log, s, len, err);
	ret = ret ? ret : import_rest(log, err);
	if (ret != -EINVAL || !is_kfi)
		return ret;
	return kfi_err_set(err, EINVAL, "%s: --input %s: this is a log of KFI: leave out --input",
			   log->in.name, format->name);
}

/* Report that the input has no log of KFI. */
static int report_no_log(struct kfi_log *log, struct kfi_err *err)
{
	if (log->follow && log->in.line)
		return kfi_err_set(err, EINVAL, "%s: not a raw log: only what comes from /proc/kfi_pipe can be followed",
				   log->in.name);
	if (log->import)
		return kfi_import_end(log, err);
	if (log->console.named)
		return kfi_err_set(err, EINVAL, "%s: only the header of a log: the run %s",
				   log->in.name, log->head.has_start ?
				   "is going on, or the log was cut off" :
				   "had not started when it was read");
	if (log->head.no_run)
		return kfi_err_set(err, EINVAL, "%s: no log: no run was registered when it was read",
				   log->in.name);
	return kfi_err_set(err, EINVAL, "%s: not a KFI log: %s", log->in.name,
			   log->in.line ? "no line of dashes before the calls" : "it is empty");
}

int kfi_log_begin(struct kfi_log *log, struct kfi_err *err)
{
	struct kfi_row row;
	const char *s;
	size_t len;
	int ret;

	if (log->input && kfi_import_named(log->formats, log->input))
		return import_all(log, kfi_import_named(log->formats, log->input), err);
	while ((ret = kfi_in_line(&log->in, &s, &len, err)) > 0) {
		if (kfi_log_is_raw(s, len))
			return kfi_log_raw(log, err);
		if (log->follow)
			break;
		if (!log->input && !log->console.named) {
			ret = import_line(log, s, len, err);
			if (ret || (log->import && !log->import->format->weak))
				return ret ? ret : import_rest(log, err);
		}
		ret = kfi_log_lines(log, &s, len, err);
		if (!ret)
			kfi_log_feed(log, s, len, &row);
		if (log->import && (ret || log->console.named))
			kfi_import_close(log);
		if (ret)
			return ret < 0 ? ret : 0;
		if (!log->in_rows)
			continue;
		if (log->kind == KFI_LOG_V1_NAMES && !log->zero_open)
			return read_ahead(log, err);
		return 0;
	}
	return ret < 0 ? ret : report_no_log(log, err);
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

/*
 * Look for lines of a raw log behind a text log that is complete. Return: 1 if one has begun, 0, or
 * -ENOMEM.
 */
static int begin_lines_behind(struct kfi_log *log, const char **s, size_t *len, struct kfi_err *err)
{
	int ret;

	if (!log->both || log->no_lines || !log->in_rows || !has_all_rows(log) ||
	    !kfi_lines_possible(*s, *len))
		return 0;
	ret = kfi_log_lines(log, s, *len, err);
	if (ret >= 0 || ret == -ENOMEM)
		return ret;
	/* No log can be made of them: for the text log, they are damage behind it. */
	kfi_log_bad(log, log->copied_line, strlen(log->copied_line));
	kfi_log_raw_close(log);
	*len = 0;
	log->no_lines = true;
	return 0;
}

int kfi_log_text_item(struct kfi_log *log, struct kfi_row *row, struct kfi_err *err)
{
	const char *s;
	size_t len;
	int ret;

	if (likely(kfi_log_fast_row(log, &s, &len, row)))
		return KFI_LINE_ROW;
	while ((ret = kfi_in_line(&log->in, &s, &len, err)) > 0) {
		enum kfi_log_line line;

		ret = begin_lines_behind(log, &s, &len, err);
		if (ret)
			return ret < 0 ? ret : KFI_LINE_RULE;
		line = kfi_log_feed(log, len ? s : "", len, row);
		if (line >= KFI_LINE_ROW && line <= KFI_LINE_RULE)
			return line;
	}
	return ret;
}

int kfi_log_item(struct kfi_log *log, struct kfi_row *row, struct kfi_err *err)
{
	if (unlikely(log->raw))
		return kfi_log_raw_item(log, row, err);
	if (unlikely(log->import))
		return kfi_import_item(log, row, err);
	return kfi_log_text_item(log, row, err);
}

u32 kfi_log_rows(struct kfi_log *log, struct kfi_row *row, u32 n)
{
	if (log->import)
		return kfi_import_rows(log, row, n);
	return log->raw ? kfi_log_raw_rows(log, row, n) : 0;
}

int kfi_log_next(struct kfi_log *log, struct kfi_row *row, struct kfi_err *err)
{
	int ret;

	do
		ret = kfi_log_item(log, row, err);
	while (ret > 0 && ret != KFI_LINE_ROW);
	return ret;
}

int kfi_log_percent(const struct kfi_log *log)
{
	const struct kfi_in *in = &log->in;
	const char *start = in->map, *at = in->unpack ? (const char *)in->zpos : in->pos;

	if (log->raw)
		return kfi_log_raw_percent(log);
	if (log->import && log->in_rows)
		return kfi_import_percent(log);
	if (!start || at < start || at > start + in->map_len)
		return -1;
	return (int)((double)(at - start) * 100 / (double)in->map_len);
}

/* Return the number of a session as a part of a message, if the file has several. */
static const char *name_session(const struct kfi_log *log, const struct kfi_log_count *count,
				char which[30])
{
	*which = '\0';
	if (log->run)
		snprintf(which, 30, "of run %u ", count->number);
	return which;
}

static int report_count(const struct kfi_log *log, const char *fault,
			const struct kfi_log_count *count, const char *what, struct kfi_err *err)
{
	char which[30];

	return kfi_err_set(err, EBADMSG, "%s: %s: the header %ssays %llu %s, %llu are there",
			   log->in.name, fault, name_session(log, count, which),
			   (unsigned long long)count->want, what, (unsigned long long)count->have);
}

int kfi_log_check(const struct kfi_log *log, struct kfi_err *err)
{
	struct kfi_log_counts counts = log->counts;
	char more[100] = "", which[30] = "";

	count_session(log, &counts);
	if (counts.few_rows.number)
		snprintf(more, sizeof(more), "; the header %ssays %llu calls, %llu are there",
			 name_session(log, &counts.few_rows, which),
			 (unsigned long long)counts.few_rows.want,
			 (unsigned long long)counts.few_rows.have);
	if (*log->in.fault)
		return kfi_err_set(err, EBADMSG, "%s: ends behind line %llu: %s%s", log->in.name,
				   (unsigned long long)log->in.line, log->in.fault, more);
	if (log->import && log->import->bad_byte)
		return kfi_err_set(err, EBADMSG, "%s: byte %llu: %s; the rest is left out",
				   log->in.name, (unsigned long long)log->import->bad_byte,
				   log->import->bad_why);
	if (log->bad && log->import)
		return kfi_err_set(err, EBADMSG, "%s:%llu:%u: %s: \"%s\"; %llu such line%s left out",
				   log->in.name, (unsigned long long)log->bad_line,
				   log->import->bad_column, log->import->bad_why, log->bad_text,
				   (unsigned long long)log->bad, log->bad > 1 ? "s" : "");
	if (log->bad)
		return kfi_err_set(err, EBADMSG,
				   "%s:%llu: not a call: \"%s\"; %llu such line%s left out%s",
				   log->in.name, (unsigned long long)log->bad_line, log->bad_text,
				   (unsigned long long)log->bad, log->bad > 1 ? "s" : "", more);
	if (*log->checks.why)
		return kfi_err_set(err, EBADMSG, "%s: made from a damaged log: %s", log->in.name,
				   log->checks.why);
	if (log->checks.damaged)
		return kfi_err_set(err, EBADMSG,
				   "%s: damaged or incomplete: lines %llu to %llu do not agree with their check line; %llu such place%s%s",
				   log->in.name, (unsigned long long)log->checks.from + 1,
				   (unsigned long long)log->checks.to,
				   (unsigned long long)log->checks.damaged,
				   log->checks.damaged > 1 ? "s" : "", more);
	if (counts.unchecked.number)
		return kfi_err_set(err, EBADMSG,
				   "%s: damaged or incomplete: the last %llu lines %shave no check line%s",
				   log->in.name, (unsigned long long)counts.unchecked.want,
				   name_session(log, &counts.unchecked, which), more);
	if (kfi_log_raw_fault(log))
		return kfi_err_set(err, EBADMSG, "%s: %s", log->in.name, kfi_log_raw_fault(log));
	if (log->checks.heads)
		return kfi_err_set(err, EBADMSG,
				   "%s: damaged or incomplete: a header does not agree with its check line, so counters may be wrong%s",
				   log->in.name, more);
	if (counts.few_rows.number)
		return report_count(log, "truncated", &counts.few_rows, "calls", err);
	if (counts.many_rows.number)
		return report_count(log, "doubled or mixed", &counts.many_rows, "calls", err);
	if (counts.few_others.number)
		return report_count(log, "truncated", &counts.few_others, "marks and watch rows",
				    err);
	return 0;
}

u32 kfi_log_faults(const struct kfi_log *log, const struct kfi_log_tally *tally,
		   struct kfi_err fault[KFI_LOG_FAULTS])
{
	u32 n = 0;

	if (kfi_log_check(log, &fault[n]))
		n++;
	if (tally->format > KFI_LOG_FORMAT)
		kfi_err_set(&fault[n++], EBADMSG,
			    "%s: log format %llu: this version knows %u, and columns may mean something else",
			    log->in.name, (unsigned long long)tally->format, KFI_LOG_FORMAT);
	if (tally->misplaced)
		kfi_err_set(&fault[n++], EBADMSG,
			    "%s: mixed up: %llu of %llu calls stand behind calls that were entered later; copy the log again",
			    log->in.name, (unsigned long long)tally->misplaced,
			    (unsigned long long)tally->calls);
	if (tally->misplaced_marks)
		kfi_err_set(&fault[n++], EBADMSG,
			    "%s: mixed up: %llu of %llu marks are not between the calls and marks of their time; copy the log again",
			    log->in.name, (unsigned long long)tally->misplaced_marks,
			    (unsigned long long)tally->marks);
	return n;
}

void kfi_log_close(struct kfi_log *log)
{
	kfi_log_raw_close(log);
	kfi_import_close(log);
	kfi_in_close(&log->in);
}
