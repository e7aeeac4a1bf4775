// SPDX-License-Identifier: GPL-2.0
/* Finds names for the addresses of a log: see resolve.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "resolve.h"

#define CACHE_BITS	14
#define LLX(x)		((unsigned long long)(x))

/**
 * struct kfi_cached - the result for an address that has been looked up
 * @addr: the address
 * @from: time from which the result holds; greater than @to: there is no result
 * @to: time until which the result holds
 * @name: the result; empty: the address is in no symbol
 */
struct kfi_cached {
	u64 addr;
	s64 from;
	s64 to;
	struct kfi_name name;
};

static void report(const struct kfi_resolve *r, const char *fmt, ...) kfi_printf(2, 3);

static void report(const struct kfi_resolve *r, const char *fmt, ...)
{
	struct kfi_err line;
	va_list ap;
	char text[sizeof(line.text)];

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	kfi_err_set(&line, 0, "%s", text);
	r->say(r->arg, line.text);
}

bool kfi_files_any(const struct kfi_files *files)
{
	return files->vmlinux || files->map || files->kallsyms || files->modules;
}

/*
 * Read the types of a kernel's file that has no symbols. Return: 0, also if the types are damaged,
 * which is reported, or -errno.
 */
static int load_types(struct kfi_resolve *r, const struct kfi_files *files, struct kfi_err *err)
{
	struct kfi_err why;
	int ret = kfi_btf_open(&r->btf, files->vmlinux, &why);

	/* The symbols are what is missing: @err says so. */
	if (ret == -ENODATA)
		return ret;
	if (ret && ret != -EBADMSG) {
		*err = why;
		return ret;
	}
	if (!files->map && !files->kallsyms)
		return kfi_err_set(err, EINVAL,
				   "%s: has types (BTF), but no symbols: give --map, too",
				   files->vmlinux);
	r->btf_path = files->vmlinux;
	r->looked_for_btf = true;
	if (ret)
		report(r, "%s", why.text);
	return 0;
}

/* Read the symbols of a file, or only the types of a vmlinux without symbols. */
static int load_table(struct kfi_resolve *r, const struct kfi_files *files, const char *path,
		      struct kfi_err *err)
{
	struct kfi_table *t = &r->table[r->ntables];
	int ret = kfi_syms_load(&t->syms, path, err);

	/* BTF may have bytes that look like a symbol. */
	if (!ret && path == files->vmlinux && !t->syms.elf) {
		kfi_syms_free(&t->syms);
		ret = kfi_err_set(err, ENODATA, "%s: not an ELF file", path);
	}
	if (ret == -ENODATA && path == files->vmlinux) {
		ret = load_types(r, files, err);
		return ret == -ENODATA ? -EINVAL : ret;
	}
	if (ret)
		return ret == -ENODATA ? -EINVAL : ret;
	t->path = path;
	r->ntables++;
	if (t->syms.bad_lines) {
		report(r, "%s:%llu: not a line of \"address type name\"; %llu such line%s left out",
		       path, LLX(t->syms.bad_line), LLX(t->syms.bad_lines),
		       t->syms.bad_lines > 1 ? "s" : "");
		r->bad = true;
	}
	if (t->syms.cut_line) {
		report(r, "%s:%llu: this line, the last one, has no newline: its name may be cut, and more lines may be missing; add a newline if the file is complete",
		       path, LLX(t->syms.cut_line));
		r->bad = true;
	}
	if (t->syms.module)
		return kfi_err_set(err, EINVAL,
				   "%s: a module, not a kernel: --modules takes a folder of them",
				   path);
	return 0;
}

/*
 * Find how far the kernel ran from where the tables have it, by a copy of kallsyms, which is the
 * last table. On some architectures kallsyms has no _text.
 */
static void compare_with_kallsyms(struct kfi_resolve *r)
{
	static const char *const places[] = { "_text", "_stext" };
	const struct kfi_table *kallsyms = &r->table[r->ntables - 1];

	for (struct kfi_table *t = r->table; t < kallsyms; t++) {
		u64 is, ran;
		size_t i = 0;

		while (i < ARRAY_SIZE(places) && !(kfi_syms_find(&t->syms, places[i], &is) &&
						   kfi_syms_find(&kallsyms->syms, places[i], &ran)))
			i++;
		if (i < ARRAY_SIZE(places))
			t->ran = ran - is;
		else
			report(r, "%s: no _text or _stext that %s has, too: cannot check where the kernel was loaded",
			       kallsyms->path, t->path);
		t->shift = t->ran;
	}
}

int kfi_resolve_open(struct kfi_resolve *r, const struct kfi_files *files,
		     void (*say)(void *arg, const char *text), void *arg, struct kfi_err *err)
{
	const char *const paths[KFI_RESOLVE_TABLES] = {
		files->vmlinux, files->map, files->kallsyms,
	};
	int ret = 0;

	*r = (struct kfi_resolve){ .say = say, .arg = arg, .used = true };
	r->cache = calloc(1u << CACHE_BITS, sizeof(*r->cache));
	if (!r->cache)
		return kfi_err_set(err, ENOMEM, "out of memory");
	for (u32 i = 0; i < KFI_RESOLVE_TABLES && !ret; i++)
		if (paths[i])
			ret = load_table(r, files, paths[i], err);
	if (!ret && files->kallsyms)
		compare_with_kallsyms(r);
	if (!ret && files->modules)
		ret = kfi_mods_open(&r->mods, files->modules, err);
	if (ret)
		kfi_resolve_close(r);
	return ret;
}

/* Report a symbol that is at another address than in the header. Return: true if it is. */
static bool report_difference(struct kfi_resolve *r, const struct kfi_table *t, const char *log,
			      const char *symbol, u64 want)
{
	u64 addr;

	want -= t->shift;
	if (!t->syms.wide)
		want = (u32)want;
	if (!kfi_syms_find(&t->syms, symbol, &addr) || addr == want)
		return false;
	report(r, "%s: belongs to another kernel than %s: %s is at 0x%llx and should be at 0x%llx",
	       t->path, log, symbol, LLX(addr), LLX(want));
	r->bad = true;
	return true;
}

/* Compare the build id of a file with that of the log. Return: false if one of them is unknown. */
static bool check_build_id(struct kfi_resolve *r, const char *path, const char *build_id,
			   const char *log, const struct kfi_log_head *h)
{
	if (!*h->build_id || !*build_id)
		return false;
	if (strcmp(h->build_id, build_id) == 0)
		return true;
	report(r, "%s: belongs to another kernel than %s: its build id is %s, the log says %s",
	       path, log, build_id, h->build_id);
	r->bad = true;
	return true;
}

/* Check whether a table belongs to the kernel of the log. Only the first difference is reported. */
static void check_kernel(struct kfi_resolve *r, const struct kfi_table *t, const char *log,
			 const struct kfi_log_head *h)
{
	const struct kfi_range *text = &r->ranges.text, *init = &r->ranges.init;
	const struct {
		const char *symbol;
		bool said;
		u64 addr;
	} marks[] = {
		/* A copy of kallsyms has the addresses at which the kernel ran. */
		{ "_text", t->shift && h->has_kaslr, h->text - h->kaslr + t->shift },
		{ "_stext", text->size, text->addr },
		{ "_etext", text->size, text->addr + text->size },
		{ "_sinittext", init->size, init->addr },
		{ "_einittext", init->size, init->addr + init->size },
	};

	if (check_build_id(r, t->path, t->syms.build_id, log, h))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (marks[i].said && report_difference(r, t, log, marks[i].symbol, marks[i].addr))
			return;
}

static void report_shift(const struct kfi_resolve *r, const struct kfi_table *t, const char *log)
{
	if (t->shift)
		report(r, "%s: the kernel ran 0x%llx %s than the map says: addresses are shifted",
		       log, LLX((s64)t->shift < 0 ? 0 - t->shift : t->shift),
		       (s64)t->shift < 0 ? "lower" : "higher");
}

/*
 * Find the difference between where the kernel ran, by the header's Text, and where a table has
 * _text. A header without Text leaves what a copy of kallsyms says.
 */
static void find_kaslr_shift(struct kfi_resolve *r, struct kfi_table *t, const char *log,
			     const struct kfi_log_head *h)
{
	u64 text = 0, stext = 0;
	bool has_text, has_stext;

	t->shift = t->ran;
	if (!h->has_text || !h->text) {
		report_shift(r, t, log);
		return;
	}
	has_text = kfi_syms_find(&t->syms, "_text", &text);
	has_stext = kfi_syms_find(&t->syms, "_stext", &stext);
	if ((has_text && text == h->text) || (has_stext && stext == h->text))
		t->shift = 0;
	else if (has_text)
		t->shift = h->text - text;
	else if (has_stext)	/* on some architectures kallsyms has no _text */
		t->shift = (h->has_stext ? h->stext : h->text) - stext;
	else if (h->has_kaslr)
		t->shift = h->kaslr;
	else
		report(r, "%s: no _text or _stext: cannot check where the kernel was loaded",
		       t->path);
	report_shift(r, t, log);
	check_kernel(r, t, log, h);
}

/* Find the symbols of the modules in the header. */
static int find_modules(struct kfi_resolve *r)
{
	struct kfi_err err;

	free(r->module_syms);
	r->module_syms = NULL;
	if (!r->mods.n || !r->ranges.n)
		return 0;
	r->module_syms = calloc(r->ranges.n, sizeof(*r->module_syms));
	if (!r->module_syms)
		return -ENOMEM;
	for (u32 i = 0; i < r->ranges.n; i++) {
		int ret = kfi_mods_find(&r->mods, &r->ranges.module[i], &r->module_syms[i], &err);

		if (ret)
			report(r, "%s", err.text);
		r->bad |= ret && ret != -ENOENT;
	}
	return 0;
}

/* Empty the cache: a hostile file may have very many headers. */
static void clear_cache(struct kfi_resolve *r)
{
	for (u32 i = 0; i < 1u << CACHE_BITS && r->used; i++)
		r->cache[i] = (struct kfi_cached){ .from = 1 };
	r->used = false;
}

/* Find the range in which no module can be. */
static void find_kernel_text(struct kfi_resolve *r)
{
	const struct kfi_ranges *ranges = &r->ranges;
	bool silent = !ranges->text.size && !ranges->init.size && !ranges->n;

	r->kernel_text = silent ? 0 : ranges->text.addr;
	r->kernel_text_size = r->ntables != 1 ? 0 : silent ? U64_MAX : ranges->text.size;
}

int kfi_resolve_begin(struct kfi_resolve *r, const char *name, const struct kfi_log_head *head)
{
	clear_cache(r);
	find_kernel_text(r);
	for (u32 i = 0; i < r->ntables; i++)
		find_kaslr_shift(r, &r->table[i], name, head);
	if (r->btf && r->btf_path)
		check_build_id(r, r->btf_path, kfi_btf_build_id(r->btf), name, head);
	return find_modules(r);
}

/* Keep a name that was composed. */
static struct kfi_str copy_name(struct kfi_resolve *r, const char *s, size_t len)
{
	u32 i = kfi_names_get(&r->names, s, (u32)len);

	return i == KFI_NONE ? (struct kfi_str){ "?", 1 } : r->names.str[i];
}

static struct kfi_source *source_of(struct kfi_resolve *r, const struct kfi_syms *syms)
{
	struct kfi_err err;
	u64 main_c;

	for (u32 i = 0; i < r->ntables; i++) {
		struct kfi_table *t = &r->table[i];

		if (&t->syms != syms)
			continue;
		if (!t->looked && syms->elf && !kfi_source_open(&t->source, t->path, &err) &&
		    kfi_syms_find(syms, "start_kernel", &main_c))
			kfi_source_root(t->source, main_c, r->root, sizeof(r->root));
		t->looked = true;
		return t->source;
	}
	return kfi_mods_source(&r->mods, syms);
}

struct kfi_str kfi_resolve_label(struct kfi_resolve *r, const struct kfi_syms *syms,
				 const struct kfi_sym *sym, char *label)
{
	struct kfi_str str = kfi_syms_label(syms, sym, label);
	char file[KFI_SOURCE_TEXT];

	if (str.s != label || !kfi_source_file(source_of(r, syms), sym->addr, r->root, file))
		return str;
	str.len = (u32)snprintf(label, KFI_SYM_LABEL, "%.*s@%s", (int)sym->name.len, sym->name.s,
				file);
	return str;
}

/* Return true if @path equals @end, or ends in a slash and @end. */
static bool path_ends_with(struct kfi_str path, struct kfi_str end)
{
	const char *at = path.s + path.len - end.len;

	return end.len && end.len <= path.len && memcmp(at, end.s, end.len) == 0 &&
	       (end.len == path.len || at[-1] == '/');
}

bool kfi_resolve_in(struct kfi_resolve *r, const struct kfi_syms *syms, const struct kfi_sym *sym,
		    struct kfi_str file)
{
	char path[KFI_SOURCE_TEXT];

	if (kfi_source_file(source_of(r, syms), sym->addr, r->root, path))
		return path_ends_with((struct kfi_str){ path, (u32)strlen(path) }, file);
	return path_ends_with(file, sym->file);
}

/**
 * struct found - what was found at an address
 * @syms: table with its symbol, or NULL
 * @sym: the symbol
 * @addr: the address as that table has it
 * @off: distance from the symbol, or without a symbol from the begin of the module's text
 * @module: the module that contains it; empty: none
 * @init: it is in the text of the module's init functions
 */
struct found {
	const struct kfi_syms *syms;
	const struct kfi_sym *sym;
	u64 addr;
	u64 off;
	struct kfi_str module;
	bool init;
};

/* Find an address in the text of a module that was loaded. */
static bool find_in_module(const struct kfi_resolve *r, u64 addr,
			   const struct kfi_module_range *module,
			   const struct kfi_range *code, struct found *f)
{
	f->syms = r->module_syms ? r->module_syms[module - r->ranges.module] : NULL;
	f->module = (struct kfi_str){ module->name, (u32)strlen(module->name) };
	f->init = code == &module->init;
	f->addr = addr - code->addr + (f->init ? KFI_SYM_INIT : 0);
	f->sym = f->syms ? kfi_syms_at(f->syms, f->addr, &f->off) : NULL;
	if (f->sym && (f->sym->addr >= KFI_SYM_INIT) == f->init)
		return true;
	for (u32 i = 0; i < r->ntables; i++) {
		const struct kfi_table *t = &r->table[i];

		f->syms = &t->syms;
		f->addr = addr - t->shift;
		f->sym = kfi_syms_at(f->syms, f->addr, &f->off);
		if (f->sym && kfi_str_same(&f->sym->module, &f->module) &&
		    f->sym->addr + t->shift - code->addr < code->size)
			return true;
	}
	f->syms = NULL;
	f->off = addr - code->addr;
	return true;
}

/* Find an address in the kernel's own text, or one that no line of the header explains. */
static bool find_in_tables(const struct kfi_resolve *r, u64 addr, bool modules, struct found *f)
{
	for (u32 i = 0; i < r->ntables; i++) {
		const struct kfi_table *t = &r->table[i];

		f->syms = &t->syms;
		f->addr = addr - t->shift;
		f->sym = kfi_syms_at(f->syms, f->addr, &f->off);
		if (!f->sym || (f->sym->module.len && !modules))
			continue;
		f->module = f->sym->module;
		return true;
	}
	return false;
}

/*
 * Find what is at an address. @c: set to the time for which the result holds. Return: false if not
 * found.
 */
static bool find_code(const struct kfi_resolve *r, u64 addr, s64 us, struct found *f,
		      struct kfi_cached *c)
{
	const struct kfi_ranges *ranges = &r->ranges;
	const struct kfi_range *code = NULL;
	const struct kfi_module_range *module;
	enum kfi_range_kind place = kfi_ranges_at(ranges, addr, us, &module, &code);
	u32 holders = kfi_ranges_count(ranges, addr);

	*c = (struct kfi_cached){ .addr = addr, .from = 1, .to = 0 };
	if (place == KFI_RANGE_KERNEL)
		code = &ranges->init;
	if (!holders) {
		c->from = INT64_MIN;
		c->to = KFI_ANY_TIME;
	} else if (holders == 1 && us != KFI_ANY_TIME &&
		   (place == KFI_RANGE_KERNEL || place == KFI_RANGE_MODULE)) {
		c->from = code->from;
		c->to = min_t(s64, code->to, KFI_ANY_TIME - 1);
	}
	switch (place) {
	case KFI_RANGE_UNKNOWN:
		/*
		 * Symbols of modules in the tables count only if the header does not list all
		 * modules.
		 */
		return find_in_tables(r, addr, !ranges->text.size || ranges->forgotten, f);
	case KFI_RANGE_KERNEL:
		return find_in_tables(r, addr, false, f);
	case KFI_RANGE_MODULE:
		return find_in_module(r, addr, module, code, f);
	default:
		return false;
	}
}

/* Record that several functions have this name. */
static void note_shared_name(struct kfi_resolve *r, const struct kfi_sym *sym)
{
	u32 old = r->nshared, id = kfi_names_get(&r->shared, sym->name.s, sym->name.len);

	if (id == KFI_NONE || kfi_grow((void **)&r->shared_at, &r->nshared, id + 1, sizeof(u64)))
		return;
	memset(r->shared_at + old, 0, (r->nshared - old) * sizeof(u64));
	if (!r->shared_at[id])
		r->shared_at[id] = sym->addr;
	if (r->shared_at[id] == sym->addr || r->shared_at[id] == U64_MAX)
		return;
	r->shared_at[id] = U64_MAX;
	if (!r->merged++)
		r->first_merged = r->shared.str[id];
}

/* Compose "label[module]", or "[module]" or "[module:init]" if there is no symbol. */
static struct kfi_str format_name(struct kfi_resolve *r, const struct found *f)
{
	char label[KFI_SYM_LABEL], text[KFI_SYM_LABEL + 80];
	struct kfi_str name = { "", 0 };
	int n;

	if (f->syms)
		name = kfi_resolve_label(r, f->syms, f->sym, label);
	if (f->syms && f->sym->is_shared && !f->module.len && name.s != label)
		note_shared_name(r, f->sym);
	if (!f->module.len || name.len >= KFI_SYM_LABEL || f->module.len > 64)
		return name.s == label ? copy_name(r, label, name.len) : name;
	n = snprintf(text, sizeof(text), "%.*s[%.*s%s]", (int)name.len, name.s,
		     (int)f->module.len, f->module.s, !f->syms && f->init ? ":init" : "");
	return copy_name(r, text, n);
}

static bool resolve_address(struct kfi_resolve *r, u64 addr, s64 us, struct kfi_name *name,
			    struct kfi_cached *c)
{
	struct found f = { .module = { "", 0 } };
	bool known = find_code(r, addr, us, &f, c);

	r->used = true;
	name->str = known ? format_name(r, &f) : (struct kfi_str){ NULL, 0 };
	name->off = f.off;
	c->name = *name;
	return known;
}

bool kfi_resolve_line(struct kfi_resolve *r, u64 addr, s64 us, bool call, char *text)
{
	struct found f = { .module = { "", 0 } };
	struct kfi_cached c;

	if (!find_code(r, addr, us, &f, &c) || !f.syms)
		return false;
	return kfi_source_line(source_of(r, f.syms), f.addr - (call && f.off), r->root, text);
}

/* Return the BTF of the kernel, or NULL. */
static struct kfi_btf *find_btf(struct kfi_resolve *r)
{
	struct kfi_err why;
	int ret;

	for (u32 i = 0; i < r->ntables && !r->looked_for_btf && !r->btf; i++) {
		const struct kfi_table *t = &r->table[i];

		if (!t->syms.elf || source_of(r, &t->syms))
			continue;
		ret = kfi_btf_open(&r->btf, t->path, &why);
		if (ret && ret != -ENODATA)
			report(r, "%s", why.text);
	}
	r->looked_for_btf = true;
	return r->btf;
}

/*
 * Find the types of a function of the kernel itself in BTF, if its table has no debug information.
 * BTF is made of that, so it has nothing that is missing there, except a function of the same name.
 */
static bool find_in_btf(struct kfi_resolve *r, const struct kfi_syms *syms, struct kfi_str name,
			struct kfi_types *types)
{
	const struct kfi_sym *sym;
	u32 n, same = 0;
	bool known;

	if (source_of(r, syms))
		return false;
	n = kfi_syms_named(syms, name.s, name.len, &sym);
	for (u32 i = 0; i < n; i++)
		same += !sym[i].module.len;
	known = same && kfi_btf_types(find_btf(r), name, same, types);
	r->used_btf |= known;
	return known;
}

bool kfi_resolve_types(struct kfi_resolve *r, u64 addr, s64 us, struct kfi_types *types)
{
	struct found f = { .module = { "", 0 } };
	struct kfi_cached c;

	if (!find_code(r, addr, us, &f, &c) || !f.syms || f.off)
		return false;
	return kfi_source_types(source_of(r, f.syms), f.addr, types) ||
	       (!f.module.len && find_in_btf(r, f.syms, f.sym->name, types));
}

bool kfi_resolve_named(struct kfi_resolve *r, struct kfi_str name, struct kfi_types *types)
{
	const struct kfi_sym *sym;

	for (u32 i = 0; i < r->ntables; i++) {
		const struct kfi_syms *syms = &r->table[i].syms;

		if ((kfi_syms_named(syms, name.s, name.len, &sym) == 1 &&
		     kfi_source_types(source_of(r, syms), sym->addr, types)) ||
		    find_in_btf(r, syms, name, types))
			return true;
	}
	return false;
}

static inline bool cache_covers(const struct kfi_cached *c, u64 addr, s64 us)
{
	return c->addr == addr && us >= c->from && us <= c->to;
}

/* The usual case: a function of the kernel whose name no other function has. */
static inline bool find_plain(struct kfi_resolve *r, u64 addr, struct kfi_name *name)
{
	const struct kfi_table *t = &r->table[0];
	const struct kfi_sym *sym;

	if (!kfi_resolve_is_plain(r, addr))
		return false;
	sym = kfi_syms_at(&t->syms, addr - t->shift, &name->off);
	if (!sym || sym->is_shared || sym->module.len)
		return false;
	name->str = sym->name;
	r->found++;
	return true;
}

/* All other cases, whose results are cached. */
static bool find_cached(struct kfi_resolve *r, u64 addr, s64 us, struct kfi_name *name)
{
	u64 slot = (addr * 0x9e3779b97f4a7c15ull) >> (64 - CACHE_BITS);
	struct kfi_cached *c = &r->cache[slot], *other = &r->cache[slot ^ 1];
	bool known;

	if (likely(cache_covers(c, addr, us))) {
		*name = c->name;
		known = name->str.len;
	} else if (cache_covers(other, addr, us)) {
		*name = other->name;
		known = name->str.len;
	} else {
		/* Keep the previous result in the second place. */
		*other = *c;
		known = resolve_address(r, addr, us, name, c);
	}
	r->found += known;
	/* Address 0 ends an unwound stack: it has no name and is not counted as unknown. */
	if (unlikely(!known) && addr && !r->unknown++)
		r->first_unknown = addr;
	return known;
}

bool kfi_resolve_at(struct kfi_resolve *r, u64 addr, s64 us, struct kfi_name *name)
{
	return likely(find_plain(r, addr, name)) || find_cached(r, addr, us, name);
}

/* Count a function that is not where a symbol begins, once for all of its calls. */
static void count_inside(struct kfi_resolve *r, u64 addr)
{
	u32 *counted = kfi_map_get(&r->inside_at, addr, 0);

	if (counted && *counted)
		return;
	if (counted)
		*counted = 1;
	if (!r->inside++)
		r->first_inside = addr;
}

bool kfi_resolve_function(struct kfi_resolve *r, u64 addr, s64 us, struct kfi_name *name)
{
	if (unlikely(!kfi_resolve_at(r, addr, us, name)))
		return false;
	if (unlikely(name->off) && name->str.s[name->str.len - 1] != ']')
		count_inside(r, addr);
	return true;
}

void kfi_resolve_forget(struct kfi_resolve *r)
{
	kfi_ranges_free(&r->ranges);
	kfi_map_free(&r->inside_at);
	r->bad = false;
	r->found = r->unknown = r->inside = 0;
}

int kfi_resolve_check(const struct kfi_resolve *r, const char *log, struct kfi_err *err)
{
	if (!r->inside)
		return 0;
	if (r->inside == 1)
		return kfi_err_set(err, EBADMSG,
				   "%s: wrong symbols: the function 0x%llx does not begin at a symbol: the symbols are of another kernel",
				   log, LLX(r->first_inside));
	return kfi_err_set(err, EBADMSG,
			   "%s: wrong symbols: 0x%llx and %llu more function%s do not begin at a symbol: the symbols are of another kernel",
			   log, LLX(r->first_inside), LLX(r->inside - 1), r->inside > 2 ? "s" : "");
}

struct kfi_str kfi_resolve_full(struct kfi_resolve *r, const struct kfi_name *name)
{
	char text[2 * KFI_SYM_LABEL];
	int n;

	if (!name->off || name->str.len > KFI_SYM_LABEL)
		return name->str;
	n = snprintf(text, sizeof(text), "%.*s+0x%llx", (int)name->str.len, name->str.s,
		     LLX(name->off));
	return copy_name(r, text, n);
}

void kfi_resolve_close(struct kfi_resolve *r)
{
	for (u32 i = 0; i < r->ntables; i++) {
		kfi_syms_free(&r->table[i].syms);
		kfi_source_close(r->table[i].source);
	}
	kfi_mods_free(&r->mods);
	kfi_btf_close(r->btf);
	kfi_ranges_free(&r->ranges);
	kfi_map_free(&r->inside_at);
	kfi_names_free(&r->names);
	kfi_names_free(&r->shared);
	free(r->shared_at);
	free(r->module_syms);
	free(r->cache);
	*r = (struct kfi_resolve){ 0 };
}
