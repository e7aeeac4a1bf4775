// SPDX-License-Identifier: GPL-2.0
/*
 * What may stand where the configuration language wants a function: names, addresses, patterns,
 * modules. Nothing here knows which functions there are.
 */
#include "core/conf_tok.h"

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
 * Of the bytes behind a '[', how many are its set and the ']'? A set is bytes of names and ranges
 * of them, behind a '!' all others. Return: 0 if it is none.
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
