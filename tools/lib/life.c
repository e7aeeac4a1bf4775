// SPDX-License-Identifier: GPL-2.0
/* Which code was where at what time: see life.h. */
#include <stdlib.h>

#include "life.h"
#include "log.h"

/**
 * struct words - the rest of a line
 * @p: next byte
 * @end: behind the last
 */
struct words {
	const char *p;
	const char *end;
};

static bool word(struct words *w, struct kfi_str *str)
{
	while (w->p < w->end && (*w->p == ' ' || *w->p == '\t' || *w->p == '\r'))
		w->p++;
	str->s = w->p;
	while (w->p < w->end && (unsigned char)*w->p > ' ')
		w->p++;
	str->len = (u32)(w->p - str->s);
	return str->len;
}

static bool number(struct kfi_str str, u64 max, u64 *val)
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

/* "0xADDRESS BYTES" */
static bool code(struct words *w, struct kfi_code *c)
{
	struct kfi_str addr, size;

	return word(w, &addr) && word(w, &size) && kfi_str_hex(addr, &c->addr) &&
	       number(size, U32_MAX, &c->size);
}

/* "123", "-123" before the start, "-" not yet. */
static bool moment(struct words *w, s64 *us)
{
	struct kfi_str str;
	bool minus;
	u64 v;

	if (!word(w, &str))
		return false;
	*us = KFI_ANY_TIME;
	minus = *str.s == '-';
	if (minus && str.len == 1)
		return true;
	if (!number((struct kfi_str){ str.s + minus, str.len - minus }, S64_MAX / 2, &v))
		return false;
	*us = minus ? -(s64)v : (s64)v;
	return true;
}

static int add_module(struct kfi_lives *lives, struct words *w)
{
	struct kfi_life l = { .name = "" };
	struct kfi_str name;

	if (!word(w, &name) || name.len >= sizeof(l.name) || !code(w, &l.code) ||
	    !code(w, &l.init) || !moment(w, &l.code.from) || !moment(w, &l.init.to) ||
	    !moment(w, &l.code.to))
		return 0;
	if (lives->n == KFI_LIVES_MAX) {
		lives->forgotten++;
		return 0;
	}
	memcpy(l.name, name.s, name.len);
	l.init.from = l.code.from;
	if (kfi_grow((void **)&lives->life, &lives->room, lives->n + 1, sizeof(l)))
		return -ENOMEM;
	lives->life[lives->n++] = l;
	return 0;
}

static bool is_line(struct words *w, const char *name)
{
	size_t n = strlen(name);

	if ((size_t)(w->end - w->p) < n || memcmp(w->p, name, n) != 0)
		return false;
	w->p += n;
	return true;
}

int kfi_lives_line(struct kfi_lives *lives, const char *s, size_t len)
{
	struct words w = { s, s + len };
	struct kfi_str str;
	struct kfi_code c = { .from = -KFI_ANY_TIME, .to = KFI_ANY_TIME };

	if (is_line(&w, "Module = "))
		return add_module(lives, &w);
	if (is_line(&w, "Kernel text = ") && code(&w, &c))
		lives->text = c;
	else if (is_line(&w, "Kernel init text = ") && code(&w, &c) && moment(&w, &c.to))
		lives->init = c;
	else if (is_line(&w, "Modules forgotten = ") && word(&w, &str))
		number(str, U32_MAX, &lives->forgotten);
	return 0;
}

static bool holds(const struct kfi_code *c, u64 addr)
{
	return addr - c->addr < c->size;
}

static bool held(const struct kfi_code *c, u64 addr, s64 us)
{
	return holds(c, addr) && (us == KFI_ANY_TIME || (us >= c->from && us <= c->to));
}

enum kfi_place kfi_lives_at(const struct kfi_lives *lives, u64 addr, s64 us,
			    const struct kfi_life **life, const struct kfi_code **part)
{
	if (holds(&lives->text, addr) || held(&lives->init, addr, us))
		return KFI_PLACE_KERNEL;
	/* Times are whole microseconds: of two in the same one the later. */
	for (u32 i = lives->n; i-- > 0;) {
		const struct kfi_life *l = &lives->life[i];

		*life = l;
		*part = held(&l->code, addr, us) ? &l->code : &l->init;
		if (held(*part, addr, us))
			return KFI_PLACE_MODULE;
	}
	return holds(&lives->init, addr) ? KFI_PLACE_GONE : KFI_PLACE_OPEN;
}

u32 kfi_lives_holders(const struct kfi_lives *lives, u64 addr)
{
	u32 n = 0;

	if (holds(&lives->text, addr))
		return 0;
	n += holds(&lives->init, addr);
	for (u32 i = 0; i < lives->n; i++)
		n += holds(&lives->life[i].code, addr) + holds(&lives->life[i].init, addr);
	return n;
}

void kfi_lives_free(struct kfi_lives *lives)
{
	free(lives->life);
	*lives = (struct kfi_lives){ 0 };
}
