// SPDX-License-Identifier: GPL-2.0
/* Reads symbols from the text of System.map or /proc/kallsyms: see sym.h. */
#include <stdlib.h>

#include "in.h"
#include "sym_build.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/*
 * Parse "address type name [module]". Return: 1: a symbol, 0: nothing of interest, -1: no symbol.
 */
static int parse_line(const char *p, const char *end, struct kfi_sym *sym)
{
	u64 addr = 0;
	int digits;

	while (p < end && is_blank(*p))
		p++;
	if (p == end)
		return 0;
	for (digits = 0; p < end; p++, digits++) {
		int c = *p | 0x20, d;

		if (*p >= '0' && *p <= '9')
			d = *p - '0';
		else if (c >= 'a' && c <= 'f')
			d = c - 'a' + 10;
		else
			break;
		addr = addr << 4 | d;
	}
	if (digits < 1 || digits > 16 || p == end || !is_blank(*p)) {
		/* nm lists undefined symbols ("U name") without an address. */
		return digits == 0 && end - p > 2 && is_blank(p[1]) ? 0 : -1;
	}
	while (p < end && is_blank(*p))
		p++;
	if (end - p < 3 || !is_blank(p[1]))
		return -1;
	sym->type = *p++;
	if (sym->type <= ' ' || sym->type > '~')
		return -1;
	while (p < end && is_blank(*p))
		p++;
	sym->name.s = p;
	while (p < end && *p > ' ' && *p <= '~')
		p++;
	sym->name.len = p - sym->name.s;
	if (!sym->name.len || (p < end && !is_blank(*p)))
		return -1;
	while (p < end && is_blank(*p))
		p++;
	if (p < end && *p == '[') {
		const char *close = memchr(p, ']', end - p);

		if (!close)
			return -1;
		sym->module = (struct kfi_str){ p + 1, (u32)(close - p - 1) };
	}
	/* $a, $t, $d of ARM mark the kind of code; .L are labels of a compiler. */
	if (*sym->name.s == '$' || (sym->name.len > 2 && memcmp(sym->name.s, ".L", 2) == 0))
		return 0;
	if (*sym->name.s == '.' && sym->name.len > 1) {
		sym->name.s++;
		sym->name.len--;
	}
	sym->addr = addr;
	return 1;
}

static int read_lines(struct kfi_syms *t, const char *name, size_t len, struct kfi_err *err)
{
	struct kfi_in in;
	const char *s;
	size_t n;

	kfi_in_memory(&in, name, t->text, len);
	while (kfi_in_line(&in, &s, &n, err) > 0) {
		struct kfi_sym sym = { 0 };
		int got = parse_line(s, s + n, &sym);

		if (got < 0 && !t->bad_lines++)
			t->bad_line = in.line;
		if (got >= 0 && in.cut) {
			t->cut_line = in.line;
			sym.is_cut = true;
		}
		if (got > 0 && kfi_syms_add(t, &sym))
			return kfi_err_set(err, ENOMEM, "%s: out of memory", name);
	}
	if (!t->naddr && !t->ndata)
		return kfi_err_set(err, ENODATA,
				   "%s: not a symbol table (no line of \"address type name\")",
				   name);
	return 0;
}

int kfi_syms_parse(struct kfi_syms *syms, const char *name, const void *data, size_t len,
		   struct kfi_err *err)
{
	struct kfi_syms t = { 0 };
	int ret;

	t.text = malloc(len ? len : 1);
	if (!t.text)
		return kfi_err_set(err, ENOMEM, "%s: out of memory", name);
	if (len)
		memcpy(t.text, data, len);
	ret = read_lines(&t, name, len, err);
	if (!ret)
		ret = kfi_syms_finish(&t, name, err);
	if (ret)
		kfi_syms_free(&t);
	else
		*syms = t;
	return ret;
}
