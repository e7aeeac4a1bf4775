// SPDX-License-Identifier: GPL-2.0
/*
 * Words, numbers, functions and reasons of the configuration language: the keyword table, the
 * scanner that counts lines and columns, what may stand where a function is expected, and the
 * writer of messages. The grammar is in conf_parse.c.
 */
#include "core/conf_tok.h"

#define WORD_SHOWN	32	/* bytes of a word that a message shows */

const struct kfi_conf_word kfi_conf_words[] = {
	[KFI_W_NEW]		= { .word = "new", .at = KFI_AT_COMMAND | KFI_AT_BLOCK },
	[KFI_W_PRIME]		= { .word = "prime", .at = KFI_AT_COMMAND },
	[KFI_W_START]		= { .word = "start", .at = KFI_AT_COMMAND | KFI_AT_EDGE },
	[KFI_W_STOP]		= { .word = "stop", .at = KFI_AT_COMMAND | KFI_AT_EDGE },
	[KFI_W_SELFTEST]	= { .word = "selftest", .at = KFI_AT_COMMAND },
	[KFI_W_BEGIN]		= { .word = "begin", .at = KFI_AT_COMMAND | KFI_AT_BLOCK },
	[KFI_W_FEND]		= { .word = "fend", .at = KFI_AT_BLOCK },
	[KFI_W_TRIGGER]		= { .word = "trigger", .at = KFI_AT_ITEM },
	[KFI_W_FILTER]		= { .word = "filter", .at = KFI_AT_ITEM },
	[KFI_W_OVERWRITE]	= { .word = "overwrite", .at = KFI_AT_ITEM },
	[KFI_W_PROFILE]		= { .word = "profile", .at = KFI_AT_ITEM },
	[KFI_W_AUTOREPEAT]	= { .word = "autorepeat", .at = KFI_AT_ITEM },
	[KFI_W_MARK]		= { .word = "mark", .at = KFI_AT_COMMAND | KFI_AT_ITEM },
	[KFI_W_WATCH]		= { .word = "watch", .at = KFI_AT_ITEM },
	[KFI_W_RECORD]		= { .word = "record", .at = KFI_AT_ITEM },
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
	[KFI_W_CHILDREN]	= { .word = "children", .at = KFI_AT_PID },
	[KFI_W_SWITCHES]	= { .word = "switches", .at = KFI_AT_MARK },
	[KFI_W_INITCALLS]	= { .word = "initcalls", .at = KFI_AT_MARK },
	[KFI_W_SYSCALLS]	= { .word = "syscalls", .at = KFI_AT_MARK },
	[KFI_W_WAKEUPS]		= { .word = "wakeups", .at = KFI_AT_MARK },
	[KFI_W_CALLERS]		= { .word = "callers", .at = KFI_AT_MARK },
	[KFI_W_STACK]		= { .word = "stack", .at = KFI_AT_WATCH },
	[KFI_W_WORST_STACK]	= { .word = "worst-stack", .at = KFI_AT_WATCH },
	[KFI_W_ARGS]		= { .word = "args", .at = KFI_AT_RECORD },
	[KFI_W_RET]		= { .word = "ret", .at = KFI_AT_RECORD },
};

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

	*err = (struct kfi_conf_err){ .line = at->line, .col = at->col };
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

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* An address has at least 7 digits, and 0x before it or letters in it; others are decimal. */
struct kfi_conf_err kfi_conf_err_public(const struct kfi_conf_err *err)
{
	struct kfi_conf_err public = { .line = err->line, .col = err->col };
	struct kfi_conf_out o = { .buf = public.reason, .size = sizeof(public.reason) };
	const char *at = err->reason;

	while (*at) {
		bool is_prefixed = at > err->reason && (at[-1] == 'x' || at[-1] == 'X');
		size_t n = 0;
		bool has_letter = false;

		for (; hex_digit(at[n]) >= 0; n++)
			has_letter |= at[n] > '9';
		if (n > 6 && (is_prefixed || has_letter))
			kfi_conf_puts(&o, "...");
		else
			kfi_conf_put(&o, at, n);
		at += n;
		if (*at)
			kfi_conf_put(&o, at++, 1);
	}
	return public;
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

/* Return the microseconds of the unit behind a number; 0: it is no unit of time. */
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

/* ---- functions: names, addresses, patterns, modules ---- */

static int tok_address(const struct kfi_tok *t, u64 *addr, struct kfi_conf_err *err)
{
	u64 v = 0;
	u32 i;

	for (i = 2; i < t->len; i++) {
		int digit = hex_digit(t->s[i]);

		if (digit < 0)
			return kfi_conf_fail(err, t, 0, "@ is no address: 0x and hex digits");
		if (v >> 60)
			return kfi_conf_fail(err, t, 0, "@ is more than 64 bits");
		v = v << 4 | (u32)digit;
	}
	if (t->len == 2)
		return kfi_conf_fail(err, t, 0, "@ is no address: 0x and hex digits");
	if (!v)
		return kfi_conf_fail(err, t, 0, "@ is not the address of a function");
	*addr = v;
	return 0;
}

static bool name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '.' || c == '$';
}

static bool is_pattern(const char *s, u32 len)
{
	for (; len; s++, len--)
		if (*s == '*' || *s == '?' || *s == '[' || *s == ']')
			return true;
	return false;
}

/*
 * Return how many bytes behind a '[' are a set and its ']'; 0: it is no set. A set is a list of
 * bytes that a name may have, and of ranges of them. After a '!' it is all bytes that are not in
 * the list.
 */
static u32 set_bytes(const char *s, u32 len)
{
	u32 i = len && s[0] == '!', first = i;

	while (i < len && name_byte(s[i])) {
		if (i + 2 < len && s[i + 1] == '-') {
			if (!name_byte(s[i + 2]) || s[i + 2] < s[i])
				return 0;
			i += 2;
		}
		i++;
	}
	return i > first && i < len && s[i] == ']' ? i + 1 : 0;
}

/* The bytes @s of a token are a name or, if @pattern says so, a pattern of names. */
static int check_name(const struct kfi_tok *t, const char *s, u32 len, bool pattern,
		      struct kfi_conf_err *err)
{
	u32 i;

	for (i = 0; i < len; i++) {
		if (pattern && (s[i] == '*' || s[i] == '?'))
			continue;
		if (pattern && s[i] == '[') {
			u32 set = set_bytes(s + i + 1, len - i - 1);

			if (!set)
				return kfi_conf_fail(err, t, 0,
						     "@: a [ ] that is empty, backwards or not closed");
			i += set;
			continue;
		}
		if (!name_byte(s[i]) || (!i && hex_digit(s[i]) >= 0 && hex_digit(s[i]) < 10))
			return kfi_conf_fail(err, t, 0,
					     "@ is neither a function name nor a 0x address");
	}
	return 0;
}

static int check_kind(const struct kfi_tok *t, bool many, enum kfi_func_kind kind,
		      struct kfi_conf_err *err)
{
	if (many)
		return 0;
	if (kind == KFI_FUNC_PATTERN)
		return kfi_conf_fail(err, t, 0, "@: a trigger takes one function, no pattern");
	if (kind == KFI_FUNC_MODULE)
		return kfi_conf_fail(err, t, 0, "@: a trigger takes one function, no module");
	return 0;
}

int kfi_tok_func(const struct kfi_tok *t, bool many, struct kfi_func *f, struct kfi_conf_err *err)
{
	const u32 prefix = sizeof(KFI_CONF_MODULE) - 1;
	enum kfi_func_kind kind;
	u64 addr = 0;
	int ret;

	if (!t->len || t->s[0] == ',')
		return kfi_conf_fail(err, t, 0, "@, where a function is expected");
	if (t->word != KFI_W_NONE)
		return kfi_conf_fail(err, t, 0,
				     "@ is a keyword, where a function (name or 0x address) is expected");
	if (t->len > KFI_CONF_NAME_MAX) {
		kfi_conf_fail(err, t, KFI_CONF_NAME_MAX, "@ is longer than % bytes");
		return -E2BIG;
	}
	if (t->len > prefix && kfi_tok_is(t->s, prefix, KFI_CONF_MODULE)) {
		kind = KFI_FUNC_MODULE;
		ret = check_name(t, t->s + prefix, t->len - prefix, true, err);
	} else if (t->len >= 2 && t->s[0] == '0' && t->s[1] == 'x') {
		kind = KFI_FUNC_ADDR;
		ret = tok_address(t, &addr, err);
	} else {
		kind = is_pattern(t->s, t->len) ? KFI_FUNC_PATTERN : KFI_FUNC_NAME;
		ret = check_name(t, t->s, t->len, kind == KFI_FUNC_PATTERN, err);
	}
	if (!ret)
		ret = check_kind(t, many, kind, err);
	if (ret)
		return ret;
	*f = (struct kfi_func) {
		.name = t->s, .addr = addr, .len = t->len, .line = t->line, .col = t->col,
		.kind = (u8)kind, .resolved = addr != 0,
	};
	return 0;
}

/* ---- matching; the parser has seen to it that a pattern is one ---- */

/* Set @in if the set behind a '[' has the byte @c. Return the bytes of the set and its ']'. */
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

/* Return how many bytes of the pattern match the byte @c; 0: the pattern does not match it. */
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
