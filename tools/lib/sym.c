// SPDX-License-Identifier: GPL-2.0
/* Keeps symbol tables, whatever they were read from: sym.h has the rules. */
#include <stdio.h>
#include <stdlib.h>

#include "in.h"
#include "sym_build.h"

/* Marks of the linker: they name a place, not a function. */
static const char *const marks[] = {
	"_text", "_stext", "_etext", "_sinittext", "_einittext", "__init_begin", "__init_end",
	"stext", "_start", "_end",
};
static const char *const mark_endings[] = {
	"_start", "_end", "_begin", "_START", "_END", "_BEGIN",
};

/* No code follows these marks until the next symbol. */
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

/* Return the rank of a symbol among those at one address: the highest gives the name. */
static int name_preference(const struct kfi_sym *s)
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

/* Sort by address, and equal ones by place in the file, into which names point. */
static int by_addr(const void *a, const void *b)
{
	const struct kfi_sym *x = a, *y = b;

	if (x->addr != y->addr)
		return x->addr < y->addr ? -1 : 1;
	return x->name.s < y->name.s ? -1 : x->name.s > y->name.s;
}

static u32 one_per_address(struct kfi_sym *s, u32 n)
{
	u32 out = 0;

	for (u32 i = 0; i < n; i++) {
		if (!out || s[out - 1].addr != s[i].addr)
			s[out++] = s[i];
		else if (name_preference(&s[i]) >= name_preference(&s[out - 1]))
			s[out - 1] = s[i];
	}
	return out;
}

/* Mark names that several symbols have. @s: sorted by name */
static void mark_shared_names(struct kfi_sym *s, u32 n)
{
	for (u32 i = 1; i < n; i++)
		if (s[i].addr != s[i - 1].addr && kfi_str_same(&s[i].name, &s[i - 1].name))
			s[i].is_shared = s[i - 1].is_shared = true;
}

static u32 remove_duplicates(struct kfi_sym *s, u32 n)
{
	u32 out = 0;

	for (u32 i = 0; i < n; i++)
		if (!out || by_name(&s[out - 1], &s[i]) != 0)
			s[out++] = s[i];
	return out;
}

int kfi_syms_add(struct kfi_syms *t, const struct kfi_sym *sym)
{
	if (is_code(sym->type)) {
		if (kfi_grow((void **)&t->addr, &t->code_room, t->naddr + 1, sizeof(*sym)))
			return -ENOMEM;
		t->addr[t->naddr++] = *sym;
		return 0;
	}
	if (kfi_grow((void **)&t->data, &t->data_room, t->ndata + 1, sizeof(*sym)))
		return -ENOMEM;
	t->data[t->ndata++] = *sym;
	return 0;
}

/* Build the index with which kfi_syms_at() finds a symbol without a search. */
static int build_index(struct kfi_syms *t)
{
	u64 range = t->naddr ? t->addr[t->naddr - 1].addr - t->addr[0].addr : 0;
	u32 n = 0;

	while (range >> t->piece_bits > 2 * (u64)t->naddr)
		t->piece_bits++;
	t->pieces = (u32)(range >> t->piece_bits) + 1;
	t->start = malloc((t->naddr ? t->naddr : 1) * sizeof(*t->start));
	t->below = malloc((t->pieces + 1) * sizeof(*t->below));
	if (!t->start || !t->below)
		return -ENOMEM;
	for (u32 i = 0; i < t->naddr; i++) {
		t->start[i] = t->addr[i].addr;
		t->addr[i].end = is_end(&t->addr[i].name);
	}
	for (u32 i = 0; i < t->pieces; i++) {
		while (n < t->naddr && (t->start[n] - t->start[0]) >> t->piece_bits < i)
			n++;
		t->below[i] = n;
	}
	t->below[t->pieces] = t->naddr;
	return 0;
}

int kfi_syms_finish(struct kfi_syms *t, const char *name, struct kfi_err *err)
{
	bool zero = true;

	if (!t->naddr) {
		t->addr = t->data;
		t->naddr = t->ndata;
		t->data = NULL;
		t->ndata = 0;
	}
	for (u32 i = 0; i < t->naddr; i++) {
		t->wide |= !t->elf && t->addr[i].addr > U32_MAX;
		zero &= t->addr[i].addr == 0;
	}
	/* The text of a module begins at 0. */
	if (zero && t->naddr && !t->module)
		return kfi_err_set(err, EINVAL,
				   "%s: all addresses are 0 (kallsyms read without root?)", name);
	t->name = malloc((t->naddr ? t->naddr : 1) * sizeof(*t->name));
	if (!t->name)
		return kfi_err_set(err, ENOMEM, "%s: out of memory", name);
	if (t->naddr) {
		qsort(t->addr, t->naddr, sizeof(*t->addr), by_name);
		mark_shared_names(t->addr, t->naddr);
		memcpy(t->name, t->addr, t->naddr * sizeof(*t->name));
		qsort(t->addr, t->naddr, sizeof(*t->addr), by_addr);
	}
	if (t->ndata)
		qsort(t->data, t->ndata, sizeof(*t->data), by_name);
	t->nname = remove_duplicates(t->name, t->naddr);
	t->naddr = one_per_address(t->addr, t->naddr);
	if (build_index(t))
		return kfi_err_set(err, ENOMEM, "%s: out of memory", name);
	return 0;
}

int kfi_syms_load(struct kfi_syms *syms, const char *path, struct kfi_err *err)
{
	struct kfi_in in;
	const char *s;
	size_t len;
	int ret;

	ret = kfi_in_whole(&in, path, &s, &len, err);
	if (ret)
		return ret;
	ret = kfi_syms_is_elf(s, len) ? kfi_syms_elf(syms, in.name, s, len, err) :
		kfi_syms_parse(syms, in.name, s, len, err);
	kfi_in_close(&in);
	return ret;
}

void kfi_syms_free(struct kfi_syms *syms)
{
	free(syms->addr);
	free(syms->start);
	free(syms->below);
	free(syms->name);
	free(syms->data);
	free(syms->text);
	*syms = (struct kfi_syms){ 0 };
}

const struct kfi_sym *kfi_syms_at(const struct kfi_syms *syms, u64 addr, u64 *off)
{
	u64 piece;
	u32 lo = 0, hi = syms->naddr;
	const struct kfi_sym *s;

	if (!hi || addr < syms->start[0])
		return NULL;
	piece = (addr - syms->start[0]) >> syms->piece_bits;
	if (piece < syms->pieces) {
		lo = syms->below[piece];
		hi = syms->below[piece + 1];
	} else {
		lo = hi;
	}
	/* lo: number of symbols that are not above addr. */
	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		if (syms->start[mid] <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	s = &syms->addr[lo - 1];
	*off = addr - syms->start[lo - 1];
	if (*off == 1 && !syms->wide)
		*off = 0;
	if (*off && (*off > KFI_SYM_REACH || s->end))
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

static bool is_part(const struct kfi_sym *s, const char *name, u32 len, char mark)
{
	return s->name.len > len && memcmp(s->name.s, name, len) == 0 && s->name.s[len] == mark;
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

u32 kfi_syms_parts(const struct kfi_syms *syms, const char *name, u32 len,
		   const struct kfi_sym **first)
{
	u32 at = lower_bound(syms->name, syms->nname, name, len), n = 0;

	/* '.' sorts before all other characters of a name, except '$'. */
	while (at < syms->nname && (has_name(&syms->name[at], name, len) ||
				    (is_part(&syms->name[at], name, len, '$'))))
		at++;
	while (at + n < syms->nname && is_part(&syms->name[at + n], name, len, '.'))
		n++;
	*first = &syms->name[at];
	return n;
}

bool kfi_syms_is_data(const struct kfi_syms *syms, const char *name, u32 len)
{
	u32 at = lower_bound(syms->data, syms->ndata, name, len);

	return at < syms->ndata && has_name(&syms->data[at], name, len);
}

bool kfi_syms_find(const struct kfi_syms *syms, const char *name, u64 *addr)
{
	u32 len = strlen(name), at = lower_bound(syms->name, syms->nname, name, len);

	if (at < syms->nname && has_name(&syms->name[at], name, len)) {
		*addr = syms->name[at].addr;
		return true;
	}
	at = lower_bound(syms->data, syms->ndata, name, len);
	if (at == syms->ndata || !has_name(&syms->data[at], name, len))
		return false;
	*addr = syms->data[at].addr;
	return true;
}

struct kfi_str kfi_syms_label(const struct kfi_syms *syms, const struct kfi_sym *sym, char *label)
{
	u32 n, same_file = 0, others = 0;
	const struct kfi_sym *same;
	int len;

	if (likely(!sym->is_shared) || !sym->file.len)
		return sym->name;
	n = kfi_syms_named(syms, sym->name.s, sym->name.len, &same);
	for (u32 i = 0; i < n; i++) {
		if (same[i].addr == sym->addr || !kfi_str_same(&same[i].module, &sym->module))
			continue;
		others++;
		same_file += kfi_str_same(&same[i].file, &sym->file);
	}
	/* A global symbol, of which there can be only one, keeps the plain name. */
	if (!others || sym->name.len > KFI_SYM_LABEL / 2)
		return sym->name;
	if (same_file || sym->file.len > KFI_SYM_LABEL / 2 - 20)
		len = snprintf(label, KFI_SYM_LABEL, "%.*s@0x%0*llx", (int)sym->name.len,
			       sym->name.s, syms->wide ? 16 : 8, (unsigned long long)sym->addr);
	else
		len = snprintf(label, KFI_SYM_LABEL, "%.*s@%.*s", (int)sym->name.len, sym->name.s,
			       (int)sym->file.len, sym->file.s);
	return (struct kfi_str){ label, (u32)len };
}
