// SPDX-License-Identifier: GPL-2.0
/* Symbol tables from System.map or kallsyms text: rules in sym.h. */
#include <stdlib.h>

#include "in.h"
#include "sym.h"

/* Linker's marks: they name a place, not a function. */
static const char *const marks[] = {
	"_text", "_stext", "_etext", "_sinittext", "_einittext", "__init_begin", "__init_end",
	"stext", "_start", "_end",
};
static const char *const mark_endings[] = {
	"_start", "_end", "_begin", "_START", "_END", "_BEGIN",
};

/* Behind these there is no code until the next symbol. */
static const char *const ends[] = { "_etext", "_einittext", "__init_end", "_end" };

static bool equals(const struct kfi_str *s, const char *word)
{
	return s->len == strlen(word) && memcmp(s->s, word, s->len) == 0;
}

static bool is_mark(const struct kfi_str *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (equals(s, marks[i]))
			return true;
	if (s->len < 2 || s->s[0] != '_' || s->s[1] != '_')
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(mark_endings); i++) {
		u32 n = strlen(mark_endings[i]);

		if (s->len > n && memcmp(s->s + s->len - n, mark_endings[i], n) == 0)
			return true;
	}
	return false;
}

static bool is_end(const struct kfi_str *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (equals(s, ends[i]))
			return true;
	return false;
}

static bool is_code(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

/* How gladly a symbol lends its name to an address. */
static int rank(const struct kfi_sym *s)
{
	int r = is_mark(&s->name) ? 0 : 4;

	if (s->type == 'T')
		return r + 2;
	return r + (s->type == 'W' || s->type == 'w');
}

static int by_name(const void *a, const void *b)
{
	const struct kfi_sym *x = a, *y = b;
	u32 n = x->name.len < y->name.len ? x->name.len : y->name.len;
	int d = memcmp(x->name.s, y->name.s, n);

	if (d)
		return d;
	if (x->name.len != y->name.len)
		return x->name.len < y->name.len ? -1 : 1;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Place in the file decides last: names point into the file. */
static int by_addr(const void *a, const void *b)
{
	const struct kfi_sym *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->name.s < y->name.s ? -1 : x->name.s > y->name.s;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* "address type name [module]". Return: 1 a symbol, 0 nothing to see, -1 no symbol. */
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
	if (end - p > 2 && *p == '[') {
		const char *close = memchr(p, ']', end - p);

		if (close)
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

static u32 one_per_address(struct kfi_sym *s, u32 n)
{
	u32 out = 0;

	for (u32 i = 0; i < n; i++) {
		if (!out || s[out - 1].addr != s[i].addr)
			s[out++] = s[i];
		else if (rank(&s[i]) >= rank(&s[out - 1]))
			s[out - 1] = s[i];
	}
	return out;
}

static u32 no_doubles(struct kfi_sym *s, u32 n)
{
	u32 out = 0;

	for (u32 i = 0; i < n; i++)
		if (!out || by_name(&s[out - 1], &s[i]) != 0)
			s[out++] = s[i];
	return out;
}

/* Reads all lines; code symbols go to @t->addr, others to @t->data. */
static int read_lines(struct kfi_syms *t, const char *name, size_t len, struct kfi_err *err)
{
	u32 code_room = 0, data_room = 0;
	struct kfi_in in;
	const char *s;
	size_t n;

	kfi_in_memory(&in, name, t->text, len);
	while (kfi_in_line(&in, &s, &n, err) > 0) {
		struct kfi_sym sym = { 0 };
		int got = parse_line(s, s + n, &sym);

		if (got < 0 && !t->bad_lines++)
			t->bad_line = in.line;
		if (got <= 0)
			continue;
		if (is_code(sym.type)) {
			if (kfi_grow((void **)&t->addr, &code_room, t->naddr + 1, sizeof(sym)))
				return kfi_err_set(err, ENOMEM, "%s: out of memory", name);
			t->addr[t->naddr++] = sym;
			t->wide |= sym.addr > U32_MAX;
		} else {
			if (kfi_grow((void **)&t->data, &data_room, t->ndata + 1, sizeof(sym)))
				return kfi_err_set(err, ENOMEM, "%s: out of memory", name);
			t->data[t->ndata++] = sym;
		}
	}
	if (!t->naddr && !t->ndata)
		return kfi_err_set(err, EINVAL,
				   "%s: not a symbol table (no line of \"address type name\")",
				   name);
	if (t->naddr)
		return 0;
	t->addr = t->data;
	t->naddr = t->ndata;
	t->data = NULL;
	t->ndata = 0;
	for (u32 i = 0; i < t->naddr; i++)
		t->wide |= t->addr[i].addr > U32_MAX;
	return 0;
}

int kfi_syms_parse(struct kfi_syms *syms, const char *name, const void *data, size_t len,
		   struct kfi_err *err)
{
	struct kfi_syms t = { 0 };
	bool zero = true;
	int ret;

	t.text = malloc(len ? len : 1);
	if (!t.text)
		return kfi_err_set(err, ENOMEM, "%s: out of memory", name);
	if (len)
		memcpy(t.text, data, len);
	ret = read_lines(&t, name, len, err);
	if (ret)
		goto fail;
	for (u32 i = 0; i < t.naddr && zero; i++)
		zero = t.addr[i].addr == 0;
	if (zero) {
		ret = kfi_err_set(err, EINVAL,
				  "%s: all addresses are 0 (kallsyms read without root?)", name);
		goto fail;
	}
	t.name = malloc(t.naddr * sizeof(*t.name));
	if (!t.name) {
		ret = kfi_err_set(err, ENOMEM, "%s: out of memory", name);
		goto fail;
	}
	memcpy(t.name, t.addr, t.naddr * sizeof(*t.name));
	qsort(t.addr, t.naddr, sizeof(*t.addr), by_addr);
	qsort(t.name, t.naddr, sizeof(*t.name), by_name);
	if (t.ndata)
		qsort(t.data, t.ndata, sizeof(*t.data), by_name);
	t.nname = no_doubles(t.name, t.naddr);
	t.naddr = one_per_address(t.addr, t.naddr);
	*syms = t;
	return 0;
fail:
	kfi_syms_free(&t);
	return ret;
}

int kfi_syms_load(struct kfi_syms *syms, const char *path, struct kfi_err *err)
{
	struct kfi_in in;
	const char *s;
	size_t len;
	int ret;

	ret = kfi_in_open(&in, path, err);
	if (ret)
		return ret;
	ret = kfi_in_rest(&in, &s, &len, err);
	if (ret == 0 && *in.fault)
		ret = kfi_err_set(err, EBADMSG, "%s: cannot be unpacked: %s", in.name, in.fault);
	if (ret == 0)
		ret = kfi_syms_parse(syms, in.name, s, len, err);
	kfi_in_close(&in);
	return ret;
}

void kfi_syms_free(struct kfi_syms *syms)
{
	free(syms->addr);
	free(syms->name);
	free(syms->data);
	free(syms->text);
	*syms = (struct kfi_syms){ 0 };
}

const struct kfi_sym *kfi_syms_at(const struct kfi_syms *syms, u64 addr, u64 *off)
{
	u32 lo = 0, hi = syms->naddr;
	const struct kfi_sym *s;

	/* lo: how many symbols are not above addr. */
	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (syms->addr[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return NULL;
	s = &syms->addr[lo - 1];
	*off = addr - s->addr;
	if (*off == 1 && !syms->wide)
		*off = 0;
	if (*off && (*off > KFI_SYM_REACH || is_end(&s->name)))
		return NULL;
	return s;
}

static u32 lower_bound(const struct kfi_sym *t, u32 n, const char *name, u32 len)
{
	struct kfi_sym key = { .addr = 0, .name = { name, len } };
	u32 lo = 0, hi = n;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (by_name(&t[mid], &key) < 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static bool has_name(const struct kfi_sym *s, const char *name, u32 len)
{
	return s->name.len == len && memcmp(s->name.s, name, len) == 0;
}

u32 kfi_syms_named(const struct kfi_syms *syms, const char *name, u32 len,
		   const struct kfi_sym **first)
{
	u32 at = lower_bound(syms->name, syms->nname, name, len), n = 0;

	while (at + n < syms->nname && has_name(&syms->name[at + n], name, len))
		n++;
	*first = &syms->name[at];
	return n;
}

bool kfi_syms_is_data(const struct kfi_syms *syms, const char *name, u32 len)
{
	u32 at = lower_bound(syms->data, syms->ndata, name, len);

	return at < syms->ndata && has_name(&syms->data[at], name, len);
}
