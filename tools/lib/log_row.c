// SPDX-License-Identifier: GPL-2.0
/*
 * Parses a row of a text log, in all layouts: see log.h. Every byte of a log passes through here.
 */
#include "log.h"
#include "log_fixed.h"

/* The greatest times in microseconds: the sum of two fits into s64 in nanoseconds. */
#define USECS_MAX	((u64)S64_MAX / 2000)
#define NSECS_MAX	((u64)S64_MAX / 2)

/**
 * struct cursor - reading position
 * @p: next byte
 * @end: end of the text
 */
struct cursor {
	const char *p;
	const char *end;
};

static __always_inline bool blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Return which of eight bytes, in memory order, is the first that is not 0. */
static __always_inline u32 first_of(u64 v)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return __builtin_ctzll(v) / 8;
#else
	return __builtin_clzll(v) / 8;
#endif
}

/* Columns are wide, so there are many blanks in a row. */
static __always_inline void skip_blanks(struct cursor *c)
{
	const char *p = c->p;

	while (c->end - p >= 8) {
		u64 v = kfi_eight(p) ^ KFI_BLANKS;

		if (v) {
			p += first_of(v);
			break;
		}
		p += 8;
	}
	while (p < c->end && blank(*p))
		p++;
	c->p = p;
}

/* Parse digits. Return: false if there are none or too many. */
static __always_inline bool parse_digits(struct cursor *c, u64 max, u64 *val)
{
	const char *p = c->p;
	u64 v = 0;

	while (p < c->end && (unsigned char)(*p - '0') <= 9) {
		v = v * 10 + (*p - '0');
		if (unlikely(v > max))
			return false;
		p++;
	}
	if (unlikely(p == c->p))
		return false;
	c->p = p;
	*val = v;
	return true;
}

/* Skip blanks, and parse digits or a negative number (-1), up to a blank or the end. */
static __always_inline bool parse_field(struct cursor *c, u64 max, s64 *val)
{
	bool minus;
	u64 v;

	skip_blanks(c);
	minus = c->p < c->end && *c->p == '-';
	if (minus)
		c->p++;
	if (!parse_digits(c, max, &v))
		return false;
	*val = minus ? -1 : (s64)v;
	return c->p == c->end || blank(*c->p);
}

static __always_inline bool parse_token(struct cursor *c, struct kfi_str *str)
{
	const char *p;

	skip_blanks(c);
	for (p = c->p; c->end - p >= 8; p += 8) {
		u64 v = kfi_eight(p), low = (v - KFI_ONES * '!') & ~v & KFI_TOPS;

		/* Only the first mark in @low is reliable: a byte up to ' '. */
		if (low) {
			p += first_of(low);
			break;
		}
	}
	for (; p < c->end && (unsigned char)*p > ' '; p++)
		;
	str->s = c->p;
	str->len = p - c->p;
	c->p = p;
	return str->len && str->len < 4096 && (p == c->end || blank(*p));
}

/* Parse Delta: a duration; -1: the exit was not seen; -2: a watch row, which is no call. */
static __always_inline bool parse_delta(struct cursor *c, struct kfi_row *row, s64 *delta)
{
	if (!parse_field(c, USECS_MAX, delta))
		return false;
	row->watch = unlikely(*delta < 0) && c->p[-1] == '2' && c->p[-2] == '-';
	return true;
}

/* Parse the pid: "145", "-1", "0.1", "-1.9", in v1 "145i". */
static __always_inline bool parse_pid(struct cursor *c, struct kfi_row *row)
{
	bool minus;
	u64 v;

	skip_blanks(c);
	minus = c->p < c->end && *c->p == '-';
	if (minus)
		c->p++;
	if (!parse_digits(c, INT32_MAX, &v))
		return false;
	row->pid = minus ? -1 : (s32)v;
	row->cpu = -1;
	if (c->p < c->end && *c->p == '.') {
		c->p++;
		if (!parse_digits(c, INT32_MAX, &v))
			return false;
		/* One digit is the CPU; 9 means that KFT did not know it. */
		row->cpu = v >= 9 ? -1 : (s32)v;
	} else if (c->p < c->end && *c->p == 'i') {
		c->p++;
		row->pid = -1;
	}
	return c->p == c->end || blank(*c->p);
}

static u8 mark_bit(const char *s, size_t len)
{
	static const struct {
		const char *word;
		u8 mark;
	} words[] = {
		{ "open", KFI_MARK_OPEN },
		{ "unwound", KFI_MARK_UNWOUND },
		{ "notime", KFI_MARK_NOTIME },
		{ "stack", KFI_MARK_STACK },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i].word) == len && memcmp(words[i].word, s, len) == 0)
			return words[i].mark;
	return 0;
}

/* Parse "below=17". Return: false if it is damaged. */
static bool parse_below(const char *s, size_t len, u32 *val)
{
	static const char word[] = "below=";
	struct cursor c = { s + sizeof(word) - 1, s + len };
	u64 v;

	if (len < sizeof(word) - 1 || memcmp(s, word, sizeof(word) - 1))
		return true;
	if (!parse_digits(&c, U32_MAX, &v) || c.p != c.end)
		return false;
	*val = (u32)v;
	return true;
}

/* Parse "-", or words joined by commas; words of later versions are skipped. */
static bool parse_marks(struct cursor *c, struct kfi_row *row)
{
	struct kfi_str str;
	u32 from = 0;

	if (!parse_token(c, &str))
		return false;
	row->marks = 0;
	row->below = 0;
	if (str.len == 1 && *str.s == '-')
		return true;
	for (u32 i = 0; i <= str.len; i++) {
		if (i < str.len && str.s[i] != ',')
			continue;
		row->marks |= mark_bit(str.s + from, i - from);
		if (!parse_below(str.s + from, i - from, &row->below))
			return false;
		from = i + 1;
	}
	return true;
}

/* Parse Entry-ns Delta-ns Local-ns Cpu Depth Ctx Task Marks, and if @off_irq Off-ns Irq-ns. */
static __always_inline bool format3_columns(struct cursor *c, struct kfi_row *row, bool off_irq)
{
	static const char letters[] = KFI_CTX_LETTERS;
	struct kfi_str str;
	const char *ctx;
	s64 v;

	if (!parse_field(c, NSECS_MAX, &row->entry_ns) || row->entry_ns < 0 ||
	    !parse_field(c, NSECS_MAX, &row->delta_ns) || !parse_field(c, NSECS_MAX,
								       &row->local_ns) ||
	    !parse_field(c, INT32_MAX, &v))
		return false;
	row->cpu = (s32)v;
	if (!parse_field(c, INT32_MAX, &v) || v < 0)
		return false;
	row->depth = (u32)v;
	if (!parse_token(c, &str) || str.len != 1)
		return false;
	ctx = memchr(letters, *str.s, sizeof(letters) - 1);
	if (!ctx)
		return false;
	row->ctx = ctx - letters;
	if (!parse_field(c, INT32_MAX, &v))
		return false;
	row->task = (s32)v;
	if (c->end - c->p >= 2 && c->p[1] == '-' && (c->end - c->p == 2 || blank(c->p[2]))) {
		row->marks = 0;
		row->below = 0;
		c->p += 2;
	} else if (!parse_marks(c, row)) {
		return false;
	}
	row->off_ns = -1;
	row->irq_ns = -1;
	return !off_irq || (parse_field(c, NSECS_MAX, &row->off_ns) && parse_field(c, NSECS_MAX,
										   &row->irq_ns));
}

/* Parse Entry, Delta and PID. */
static bool parse_start_columns(struct cursor *c, struct kfi_row *row, u64 *usecs, s64 *delta)
{
	skip_blanks(c);
	if (!parse_digits(c, USECS_MAX, usecs) || c->p == c->end || !blank(*c->p))
		return false;
	skip_blanks(c);
	if (c->end - c->p > 8 && memcmp(c->p, "no exit", 7) == 0) {
		c->p += 7;
		*delta = -1;
		row->watch = false;
	} else if (!parse_delta(c, row, delta)) {
		return false;
	}
	return parse_pid(c, row);
}

/* Return true if a number of microseconds is a number of nanoseconds, rounded down. */
static __always_inline bool same_time(u64 usecs, s64 ns)
{
	return (u64)ns - usecs * 1000 < 1000;
}

/*
 * Return true if the columns of a row of format 3 agree: a digit that was lost on a serial line
 * must not change a table. Entry and Delta are Entry-ns and Delta-ns in microseconds, as the
 * recorder rounds them. The parts of a duration are not more than the whole.
 */
static __always_inline bool columns_agree(const struct kfi_row *row, u64 usecs, s64 delta)
{
	if (!same_time(usecs, row->entry_ns))
		return false;
	if (unlikely(delta < 0 || row->delta_ns < 0))
		return delta < 0 && row->delta_ns < 0;
	return same_time(usecs + (u64)delta, row->entry_ns + row->delta_ns) &&
	       row->local_ns <= row->delta_ns && row->off_ns <= row->delta_ns &&
	       row->irq_ns <= row->delta_ns;
}

/* Return true if PID agrees with Ctx and Task. */
static __always_inline bool has_pid(const struct kfi_row *row)
{
	return row->pid == (row->ctx == KFI_CTX_TASK ? row->task : -1);
}

bool kfi_log_row(const struct kfi_log *log, const char *s, size_t len, struct kfi_row *row)
{
	struct cursor c = { s, s + len };
	u64 usecs;
	s64 delta;

	row->numbers = 0;
	if (!parse_start_columns(&c, row, &usecs, &delta))
		return false;
	if (!parse_token(&c, &row->func) || !parse_token(&c, &row->caller))
		return false;
	if (likely(log->kind == KFI_LOG_FORMAT3)) {
		row->args = (struct kfi_str){ NULL, 0 };
		if (!format3_columns(&c, row, log->off_irq) || !columns_agree(row, usecs, delta) ||
		    !has_pid(row))
			return false;
		if (unlikely(row->watch))
			row->delta_ns = -1;
		if (row->delta_ns < 0)
			row->local_ns = row->off_ns = row->irq_ns = -1;
		return true;
	}
	if (unlikely(delta == 0 && log->zero_open))
		delta = -1;
	row->entry_ns = usecs * 1000;
	row->delta_ns = delta < 0 ? -1 : delta * 1000;
	row->local_ns = row->off_ns = row->irq_ns = -1;
	row->task = row->pid;
	row->depth = 0;
	row->below = 0;
	row->ctx = row->pid < 0 ? KFI_CTX_HARDIRQ : KFI_CTX_TASK;
	row->marks = delta < 0 ? KFI_MARK_OPEN : 0;
	skip_blanks(&c);
	while (c.end > c.p && blank(c.end[-1]))
		c.end--;
	row->args = (struct kfi_str){ c.p, (u32)(c.end - c.p) };
	if (c.p == c.end || (c.end - c.p > 2 && memcmp(c.p, "0x", 2) == 0))
		return true;
	/* Files and lines that addr2sym has added are not arguments. */
	row->args.len = 0;
	return *c.p == '#';
}

#if KFI_FIXED
/* Largest size of a row of format 3, with names of up to 32 bytes and the longest numbers. */
#define FORMAT3_LEN	(KFI_FIXED_TAIL + KFI_FIXED_FORMAT3)

/* Parse Entry, Delta, PID and Function from KFI_FIXED_CALLER bytes. */
static __always_inline bool fixed_front(const char *s, struct kfi_row *row)
{
	u32 func = kfi_fixed_name(s + KFI_FIXED_FUNC);
	s64 pid;

	if (!func || !kfi_fixed_start(s) || !kfi_fixed_signed(kfi_eight(s + 18), &pid))
		return false;
	row->func = (struct kfi_str){ s + KFI_FIXED_FUNC, func };
	row->args = (struct kfi_str){ NULL, 0 };
	row->pid = (s32)pid;
	row->below = 0;
	row->numbers = 0;
	row->watch = false;
	return true;
}

static __always_inline bool fixed_format3(const char *s, struct kfi_row *row)
{
	u32 caller = kfi_fixed_name(s + KFI_FIXED_CALLER);

	row->caller = (struct kfi_str){ s + KFI_FIXED_CALLER, caller };
	return caller && fixed_front(s, row) && kfi_fixed_tail(s + KFI_FIXED_TAIL, row) &&
	       columns_agree(row, kfi_fixed_eight(s), (s64)kfi_fixed_eight(s + 9)) && has_pid(row);
}

/* Parse a call of KFT whose exit was seen. Its line ends soon behind Caller. */
static __always_inline bool fixed_kft(const char *s, struct kfi_row *row, size_t *len)
{
	u32 end = kfi_fixed_last(s + KFI_FIXED_CALLER, &row->caller);

	if (!end || !fixed_front(s, row))
		return false;
	*len = KFI_FIXED_CALLER + end;
	row->entry_ns = (s64)kfi_fixed_eight(s) * 1000;
	row->delta_ns = (s64)kfi_fixed_eight(s + 9) * 1000;
	row->local_ns = row->off_ns = row->irq_ns = -1;
	row->task = row->pid;
	row->cpu = -1;
	row->depth = 0;
	row->ctx = row->pid < 0 ? KFI_CTX_HARDIRQ : KFI_CTX_TASK;
	row->marks = 0;
	return true;
}

bool kfi_log_row_fixed(const struct kfi_log *log, const char *s, const char *end,
		       struct kfi_row *row, size_t *len)
{
	if (log->kind == KFI_LOG_FORMAT3) {
		*len = FORMAT3_LEN;
		return log->off_irq && end - s > FORMAT3_LEN && s[FORMAT3_LEN] == '\n' &&
		       fixed_format3(s, row);
	}
	return log->kind == KFI_LOG_KFT && end - s >= KFI_FIXED_CALLER + KFI_FIXED_LAST &&
	       fixed_kft(s, row, len);
}
#else
bool kfi_log_row_fixed(const struct kfi_log *log, const char *s, const char *end,
		       struct kfi_row *row, size_t *len)
{
	return false;
}
#endif

/* Parse "# Entry-us Entry-ns Cpu Task Ctx KIND ARGS". */
bool kfi_log_mark(const char *s, size_t len, struct kfi_log_mark *mark)
{
	static const char letters[] = KFI_CTX_LETTERS;
	struct cursor c = { s, s + len };
	struct kfi_str str;
	const char *ctx;
	s64 us, cpu, task;

	if (!len || *c.p++ != '#')
		return false;
	if (!parse_field(&c, USECS_MAX, &us) || !parse_field(&c, NSECS_MAX, &mark->entry_ns) ||
	    us < 0 || mark->entry_ns < 0 || !same_time((u64)us, mark->entry_ns) ||
	    !parse_field(&c, INT32_MAX, &cpu) ||
	    !parse_field(&c, INT32_MAX, &task) || !parse_token(&c, &str) || str.len != 1)
		return false;
	ctx = memchr(letters, *str.s, sizeof(letters) - 1);
	if (!ctx)
		return false;
	mark->ctx = ctx - letters;
	mark->cpu = (s32)cpu;
	mark->depth = 0;
	mark->task = (s32)task;
	if (!parse_token(&c, &mark->kind))
		return false;
	while (c.end > c.p && blank(c.end[-1]))
		c.end--;
	mark->text = (struct kfi_str){ mark->kind.s, (u32)(c.end - mark->kind.s) };
	return true;
}

/* Parse "Function Count Total-ns Local-ns Min-ns Max-ns Off-ns Irq-ns Untimed". */
bool kfi_log_sums(const char *s, size_t len, struct kfi_sums *sums)
{
	u64 *const col[] = { &sums->count, &sums->total, &sums->local, &sums->min,
			     &sums->max, &sums->off, &sums->irq, &sums->untimed };
	struct cursor c = { s, s + len };

	if (!parse_token(&c, &sums->func))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(col); i++) {
		s64 v;

		if (!parse_field(&c, NSECS_MAX, &v) || v < 0)
			return false;
		*col[i] = v;
	}
	return true;
}
