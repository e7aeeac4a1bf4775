// SPDX-License-Identifier: GPL-2.0
/*
 * Words, numbers and reasons of the configuration language: the keyword table, the scanner that
 * knows line and column, and the writer of messages. Grammar is core/conf.c's business.
 */
#include "core/conf_tok.h"

#define WORD_SHOWN	32	/* bytes of a word that a message shows */

const struct kfi_conf_word kfi_conf_words[] = {
	[KFI_W_NEW]		= { .word = "new", .at = KFI_AT_COMMAND | KFI_AT_BLOCK },
	[KFI_W_PRIME]		= { .word = "prime", .at = KFI_AT_COMMAND },
	[KFI_W_START]		= { .word = "start", .at = KFI_AT_COMMAND | KFI_AT_EDGE },
	[KFI_W_STOP]		= { .word = "stop", .at = KFI_AT_COMMAND | KFI_AT_EDGE },
	[KFI_W_BEGIN]		= { .word = "begin", .at = KFI_AT_BLOCK },
	[KFI_W_FEND]		= { .word = "fend", .at = KFI_AT_BLOCK },
	[KFI_W_TRIGGER]		= { .word = "trigger", .at = KFI_AT_ITEM },
	[KFI_W_FILTER]		= { .word = "filter", .at = KFI_AT_ITEM },
	[KFI_W_OVERWRITE]	= { .word = "overwrite", .at = KFI_AT_ITEM },
	[KFI_W_PROFILE]		= { .word = "profile", .at = KFI_AT_ITEM },
	[KFI_W_AUTOREPEAT]	= { .word = "autorepeat", .at = KFI_AT_ITEM },
	[KFI_W_MARK]		= { .word = "mark", .at = KFI_AT_COMMAND | KFI_AT_ITEM },
	[KFI_W_WATCH]		= { .word = "watch", .at = KFI_AT_ITEM },
	[KFI_W_LOGENTRIES]	= { .word = "logentries", .at = KFI_AT_ITEM },
	[KFI_W_LOGSIZE]		= { .word = "logsize", .at = KFI_AT_ITEM, .alias = true },
	[KFI_W_END]		= { .word = "end", .at = KFI_AT_ITEM | KFI_AT_BLOCK },
	[KFI_W_ENTRY]		= { .word = "entry", .at = KFI_AT_KIND },
	[KFI_W_EXIT]		= { .word = "exit", .at = KFI_AT_KIND },
	[KFI_W_MINTIME]		= { .word = "mintime", .at = KFI_AT_FILTER },
	[KFI_W_MAXTIME]		= { .word = "maxtime", .at = KFI_AT_FILTER },
	[KFI_W_NOINTS]		= { .word = "noints", .at = KFI_AT_FILTER },
	[KFI_W_NOINT]		= { .word = "noint", .at = KFI_AT_FILTER, .alias = true },
	[KFI_W_ONLYINTS]	= { .word = "onlyints", .at = KFI_AT_FILTER },
	[KFI_W_ONLYINT]		= { .word = "onlyint", .at = KFI_AT_FILTER, .alias = true },
	[KFI_W_FUNCLIST]	= { .word = "funclist", .at = KFI_AT_FILTER },
	[KFI_W_TIME]		= { .word = "time", .at = KFI_AT_KIND | KFI_AT_FILTER },
	[KFI_W_UNTIMED]		= { .word = "untimed", .at = KFI_AT_ITEM, .later = true },
	[KFI_W_TRACETYPE]	= { .word = "tracetype", .at = KFI_AT_ITEM, .later = true },
	[KFI_W_DEPTH]		= { .word = "depth", .at = KFI_AT_FILTER },
	[KFI_W_PID]		= { .word = "pid", .at = KFI_AT_FILTER },
	[KFI_W_CPU]		= { .word = "cpu", .at = KFI_AT_FILTER },
	[KFI_W_EXCLUDE]		= { .word = "exclude", .at = KFI_AT_FILTER },
	[KFI_W_ONLY]		= { .word = "only", .at = KFI_AT_FILTER },
	[KFI_W_UNDER]		= { .word = "under", .at = KFI_AT_ONLY },
	[KFI_W_SWITCHES]	= { .word = "switches", .at = KFI_AT_MARK },
	[KFI_W_INITCALLS]	= { .word = "initcalls", .at = KFI_AT_MARK },
	[KFI_W_SYSCALLS]	= { .word = "syscalls", .at = KFI_AT_MARK },
	[KFI_W_STACK]		= { .word = "stack", .at = KFI_AT_WATCH },
	[KFI_W_WORST_STACK]	= { .word = "worst-stack", .at = KFI_AT_WATCH },
};

const u32 kfi_conf_nwords = ARRAY_SIZE(kfi_conf_words);

static_assert(ARRAY_SIZE(kfi_conf_words) == KFI_W_COUNT, "rows");

bool kfi_tok_is(const char *s, size_t len, const char *word)
{
	while (len && *word && *s == *word) {
		s++;
		word++;
		len--;
	}
	return !len && !*word;
}

static enum kfi_word_id find_word(const char *s, size_t len)
{
	u32 i;

	for (i = 0; i < KFI_W_COUNT; i++)
		if (kfi_tok_is(s, len, kfi_conf_words[i].word))
			return i;
	return KFI_W_NONE;
}

bool kfi_conf_is_word(const char *word, size_t len)
{
	return find_word(word, len) != KFI_W_NONE;
}

void kfi_conf_put(struct kfi_conf_out *o, const char *s, size_t len)
{
	for (; len; len--, s++, o->len++) {
		if (o->len + 1 < o->size) {
			o->buf[o->len] = *s;
			o->buf[o->len + 1] = '\0';
		}
	}
}

void kfi_conf_puts(struct kfi_conf_out *o, const char *s)
{
	for (; *s; s++)
		kfi_conf_put(o, s, 1);
}

void kfi_conf_putu(struct kfi_conf_out *o, u64 v)
{
	char digits[20];
	u32 n = ARRAY_SIZE(digits);

	do {
		u64 q = div_u64(v, 10);

		digits[--n] = '0' + (char)(v - q * 10);
		v = q;
	} while (v);
	kfi_conf_put(o, &digits[n], ARRAY_SIZE(digits) - n);
}

static void put_tok(struct kfi_conf_out *o, const struct kfi_tok *t)
{
	if (!t->len) {
		kfi_conf_puts(o, "end of text");
		return;
	}
	kfi_conf_puts(o, "'");
	kfi_conf_put(o, t->s, min_t(u32, t->len, WORD_SHOWN));
	kfi_conf_puts(o, t->len > WORD_SHOWN ? "...'" : "'");
}

static bool expected(u32 i, u64 place)
{
	const struct kfi_conf_word *w = &kfi_conf_words[i];

	return (w->at & place) && !w->alias && !w->later;
}

static void put_expected(struct kfi_conf_out *o, u64 place)
{
	u32 i, left = 0;

	for (i = 0; i < KFI_W_COUNT; i++)
		left += expected(i, place);
	for (i = 0; i < KFI_W_COUNT; i++) {
		if (!expected(i, place))
			continue;
		kfi_conf_puts(o, kfi_conf_words[i].word);
		left--;
		if (left)
			kfi_conf_puts(o, left == 1 ? " or " : ", ");
	}
}

int kfi_conf_fail(struct kfi_conf_err *err, const struct kfi_tok *at, u64 num, const char *reason)
{
	static const char hex[] = "0123456789abcdef";
	struct kfi_conf_out o = { .buf = err->reason, .size = sizeof(err->reason) };

	err->line = at->line;
	err->col = at->col;
	err->reason[0] = '\0';
	for (; *reason; reason++) {
		switch (*reason) {
		case '@':
			put_tok(&o, at);
			break;
		case '%':
			kfi_conf_putu(&o, num);
			break;
		case '$':
			kfi_conf_put(&o, &hex[(num >> 4) & 15], 1);
			kfi_conf_put(&o, &hex[num & 15], 1);
			break;
		case '&':
			put_expected(&o, num);
			break;
		default:
			kfi_conf_put(&o, reason, 1);
		}
	}
	return -EINVAL;
}

int kfi_scan_init(struct kfi_scan *s, const char *text, size_t len, struct kfi_conf_err *err)
{
	const struct kfi_tok top = { .s = text, .line = 1, .col = 1, .word = KFI_W_NONE };

	if (len > KFI_CONF_TEXT_MAX) {
		kfi_conf_fail(err, &top, KFI_CONF_TEXT_MAX, "the text is longer than % bytes");
		return -E2BIG;
	}
	*s = (struct kfi_scan) { .text = text, .len = len, .line = 1, .col = 1 };
	return 0;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Printable ASCII and blanks are all that a text may contain, in comments too. */
static bool is_fine(char c)
{
	return (c >= ' ' && c <= '~') || is_blank(c);
}

static void step(struct kfi_scan *s)
{
	if (s->text[s->pos++] == '\n') {
		s->line++;
		s->col = 1;
	} else {
		s->col++;
	}
}

static void skip_blank(struct kfi_scan *s)
{
	bool comment = false;

	for (; s->pos < s->len; step(s)) {
		char c = s->text[s->pos];

		if (c == '#')
			comment = true;
		else if (c == '\n')
			comment = false;
		if (!is_fine(c) || (!comment && !is_blank(c)))
			return;
	}
}

int kfi_scan_next(struct kfi_scan *s, struct kfi_tok *t, struct kfi_conf_err *err)
{
	struct kfi_tok tok;

	skip_blank(s);
	tok = (struct kfi_tok) {
		.s = s->text + s->pos, .line = s->line, .col = s->col, .word = KFI_W_NONE,
	};
	for (; s->pos < s->len; step(s)) {
		char c = s->text[s->pos];

		if (!is_fine(c)) {
			tok.line = s->line;
			tok.col = s->col;
			return kfi_conf_fail(err, &tok, (u8)c, "byte 0x$ is not plain text");
		}
		if (is_blank(c) || c == '#' || (c == ',' && tok.len))
			break;
		tok.len++;
		if (c == ',') {
			step(s);
			break;
		}
	}
	if (tok.len)
		tok.word = find_word(tok.s, tok.len);
	*t = tok;
	return 0;
}

int kfi_scan_line(struct kfi_scan *s, struct kfi_tok *t, struct kfi_conf_err *err)
{
	struct kfi_tok tok;
	u32 end, i;

	while (s->pos < s->len && (s->text[s->pos] == ' ' || s->text[s->pos] == '\t'))
		step(s);
	tok = (struct kfi_tok) {
		.s = s->text + s->pos, .line = s->line, .col = s->col, .word = KFI_W_NONE,
	};
	for (end = s->pos; end < s->len && s->text[end] != '\n'; end++)
		if (!is_blank(s->text[end]))
			tok.len = end + 1 - s->pos;
	for (i = 0; i < tok.len; i++) {
		if (tok.s[i] >= ' ' && tok.s[i] <= '~')
			continue;
		tok.col += i;
		return kfi_conf_fail(err, &tok, (u8)tok.s[i], "byte 0x$ is not plain text");
	}
	while (s->pos < end)
		step(s);
	*t = tok;
	return 0;
}

/* Factor to microseconds of the unit behind a number; 0: no unit of time. */
static u32 unit_of(const char *s, u32 len)
{
	if (!len || kfi_tok_is(s, len, "us"))
		return 1;
	if (kfi_tok_is(s, len, "ms"))
		return 1000;
	if (kfi_tok_is(s, len, "s"))
		return 1000000;
	return 0;
}

int kfi_tok_number(const struct kfi_tok *t, bool unit, u64 min, u64 max, u64 *v,
		   struct kfi_conf_err *err)
{
	bool over = false;
	u64 n = 0;
	u32 i, factor;

	for (i = 0; i < t->len && t->s[i] >= '0' && t->s[i] <= '9'; i++) {
		u32 digit = t->s[i] - '0';

		if (n > (U64_MAX - 9) / 10)
			over = true;
		else
			n = n * 10 + digit;
	}
	factor = unit ? unit_of(t->s + i, t->len - i) : i == t->len;
	if (!i || !factor)
		return kfi_conf_fail(err, t, 0, unit ?
				     "@, where a time (microseconds, or with us, ms, s) is expected" :
				     "@, where a decimal number is expected");
	if (n > U64_MAX / 1000000 && factor > 1)
		over = true;
	n *= factor;
	if (over || n > max)
		return kfi_conf_fail(err, t, max, unit ? "@ is more than % microseconds" :
				     "@ is more than %");
	if (n < min)
		return kfi_conf_fail(err, t, min, "@ is less than %");
	*v = n;
	return 0;
}
