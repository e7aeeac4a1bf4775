// SPDX-License-Identifier: GPL-2.0
/* Keeps which code was where at what time: see ranges.h. */
#include <stdlib.h>

#include "ranges.h"
#include "log.h"

/**
 * struct words - reading position in a line
 * @p: next byte
 * @end: end of the line
 */
struct words {
	const char *p;
	const char *end;
};

static bool next_word(struct words *w, struct kfi_str *str)
{
	while (w->p < w->end && (*w->p == ' ' || *w->p == '\t' || *w->p == '\r'))
		w->p++;
	str->s = w->p;
	while (w->p < w->end && (unsigned char)*w->p > ' ')
		w->p++;
	str->len = (u32)(w->p - str->s);
	return str->len;
}

static bool parse_number(struct kfi_str str, u64 max, u64 *val)
{
	u64 v = 0;

	for (u32 i = 0; i < str.len; i++) {
		if (str.s[i] < '0' || str.s[i] > '9' || v > (max - (str.s[i] - '0')) / 10)
			return false;
		v = v * 10 + (str.s[i] - '0');
	}
	*val = v;
	return str.len;
}

/* Parse "0xADDRESS BYTES". */
static bool parse_range(struct words *w, struct kfi_range *c)
{
	struct kfi_str addr, size;

	return next_word(w, &addr) && next_word(w, &size) && kfi_str_hex(addr, &c->addr) &&
	       parse_number(size, U32_MAX, &c->size);
}

/* Parse a time: "123", "-123" before the start, "-" not yet. */
static bool parse_time(struct words *w, s64 *us)
{
	struct kfi_str str;
	bool minus;
	u64 v;

	if (!next_word(w, &str))
		return false;
	*us = KFI_ANY_TIME;
	minus = *str.s == '-';
	if (minus && str.len == 1)
		return true;
	if (!parse_number((struct kfi_str){ str.s + minus, str.len - minus }, S64_MAX / 2, &v))
		return false;
	*us = minus ? -(s64)v : (s64)v;
	return true;
}

static int add_module(struct kfi_ranges *ranges, struct words *w)
{
	struct kfi_module_range l = { .name = "" };
	struct kfi_str name;

	if (!next_word(w, &name) || name.len >= sizeof(l.name) || !parse_range(w, &l.code) ||
	    !parse_range(w, &l.init) || !parse_time(w, &l.code.from) || !parse_time(w,
										    &l.init.to) ||
	    !parse_time(w, &l.code.to))
		return 0;
	if (ranges->n == KFI_RANGES_MAX) {
		ranges->forgotten++;
		return 0;
	}
	memcpy(l.name, name.s, name.len);
	l.init.from = l.code.from;
	if (kfi_grow((void **)&ranges->module, &ranges->room, ranges->n + 1, sizeof(l)))
		return -ENOMEM;
	ranges->module[ranges->n++] = l;
	return 0;
}

static bool has_key(struct words *w, const char *name)
{
	size_t n = strlen(name);

	if ((size_t)(w->end - w->p) < n || memcmp(w->p, name, n) != 0)
		return false;
	w->p += n;
	return true;
}

int kfi_ranges_line(struct kfi_ranges *ranges, const char *s, size_t len)
{
	struct words w = { s, s + len };
	struct kfi_str str;
	struct kfi_range c = { .from = -KFI_ANY_TIME, .to = KFI_ANY_TIME };

	if (has_key(&w, "Module = "))
		return add_module(ranges, &w);
	if (has_key(&w, "Kernel text = ") && parse_range(&w, &c))
		ranges->text = c;
	else if (has_key(&w, "Kernel init text = ") && parse_range(&w, &c) && parse_time(&w, &c.to))
		ranges->init = c;
	else if (has_key(&w, "Modules forgotten = ") && next_word(&w, &str))
		parse_number(str, U32_MAX, &ranges->forgotten);
	return 0;
}

static bool contains(const struct kfi_range *c, u64 addr)
{
	return addr - c->addr < c->size;
}

static bool contains_at(const struct kfi_range *c, u64 addr, s64 us)
{
	return contains(c, addr) && (us == KFI_ANY_TIME || (us >= c->from && us <= c->to));
}

enum kfi_range_kind kfi_ranges_at(const struct kfi_ranges *ranges, u64 addr, s64 us,
				  const struct kfi_module_range **module,
				  const struct kfi_range **part)
{
	if (contains(&ranges->text, addr) || contains_at(&ranges->init, addr, us))
		return KFI_RANGE_KERNEL;
	/*
	 * Times are whole microseconds: of two ranges in the same microsecond, use the later one.
	 */
	for (u32 i = ranges->n; i-- > 0;) {
		const struct kfi_module_range *l = &ranges->module[i];

		*module = l;
		*part = contains_at(&l->code, addr, us) ? &l->code : &l->init;
		if (contains_at(*part, addr, us))
			return KFI_RANGE_MODULE;
	}
	return contains(&ranges->init, addr) ? KFI_RANGE_FREED : KFI_RANGE_UNKNOWN;
}

u32 kfi_ranges_count(const struct kfi_ranges *ranges, u64 addr)
{
	u32 n = 0;

	if (contains(&ranges->text, addr))
		return 0;
	n += contains(&ranges->init, addr);
	for (u32 i = 0; i < ranges->n; i++)
		n += contains(&ranges->module[i].code, addr) + contains(&ranges->module[i].init,
									addr);
	return n;
}

void kfi_ranges_free(struct kfi_ranges *ranges)
{
	free(ranges->module);
	*ranges = (struct kfi_ranges){ 0 };
}
