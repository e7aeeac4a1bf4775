// SPDX-License-Identifier: GPL-2.0
/*
 * From function names to addresses, through kallsyms: static functions too, and modules.
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <asm/sections.h>

#include "kfi_compat.h"
#include "arch/arch.h"
#include "core/conf.h"
#include "session/session.h"

/* Candidates that a message names. */
#define CANDIDATES	4

/**
 * struct matches - the functions of one name
 * @name: the name
 * @addr: the first addresses
 * @n: how many there are
 */
struct matches {
	const char *name;
	unsigned long addr[CANDIDATES];
	unsigned int n;
};

/**
 * struct fill - a list being filled with what its patterns match
 * @conf: the configuration
 * @list: enum kfi_conf_list
 * @addr: memory for addresses, @room of them
 * @room: how many fit
 * @n: how many there are, whether they fit or not
 */
struct fill {
	const struct kfi_conf *conf;
	u32 list;
	unsigned long *addr;
	u32 room;
	u32 n;
};

/* By FUNC of the configuration: it has matched something. One configuration at a time. */
static bool matched[KFI_CONF_FUNCS_MAX];

/* Return true if the address is in code that exists now. Init text is freed after the boot. */
static bool is_code(unsigned long addr)
{
	if (is_kernel_inittext(addr))
		return system_state < SYSTEM_FREEING_INITMEM;
	return is_kernel_text(addr) || kernel_text_address(addr);
}

/* Return true if a function begins at the address, which may be wider than those of this kernel. */
static bool is_function(u64 addr)
{
	unsigned long at = (unsigned long)addr, size, offset;

	return at == addr && is_code(at) && kallsyms_lookup_size_offset(at, &size, &offset) &&
	       !offset;
}

static int note_match(void *data, unsigned long addr)
{
	struct matches *m = data;

	if (!is_code(addr))
		return 0;
	if (m->n < CANDIDATES)
		m->addr[m->n] = addr;
	m->n++;
	return 0;
}

static KFI_SYMBOL_FN(note_module_match, data, name, addr)
{
	struct matches *m = data;

	return strcmp(name, m->name) ? 0 : note_match(data, addr);
}

/* Before there are tasks that could load one there are no modules. */
static bool modules_possible(void)
{
	return system_state > SYSTEM_BOOTING;
}

static void set_error(struct kfi_conf_err *err, const struct kfi_func *f, const char *what)
{
	*err = (struct kfi_conf_err){ .line = f->line, .col = f->col };
	snprintf(err->reason, sizeof(err->reason), "%s: %.*s", what,
		 (int)min_t(u32, f->len, 64), f->name);
}

static void set_candidates(struct kfi_conf_err *err, const struct kfi_func *f,
			   const struct matches *m)
{
	unsigned int i;
	size_t at;

	set_error(err, f, "ambiguous function, give an address");
	at = strlen(err->reason);
	for (i = 0; i < min_t(unsigned int, m->n, CANDIDATES); i++)
		at += scnprintf(err->reason + at, sizeof(err->reason) - at, " 0x%lx", m->addr[i]);
	if (m->n > CANDIDATES)
		scnprintf(err->reason + at, sizeof(err->reason) - at, " ...");
}

static int resolve(struct kfi_func *f, struct kfi_conf_err *err)
{
	static char name[KFI_CONF_NAME_MAX + 1];
	struct matches m = { .name = name };

	if (f->resolved) {
		if (is_function(f->addr))
			return 0;
		set_error(err, f, "no function begins at this address");
		return -EINVAL;
	}
	memcpy(name, f->name, f->len);
	name[f->len] = 0;
	kallsyms_on_each_match_symbol(note_match, name, &m);
	if (modules_possible())
		kfi_each_module_symbol(note_module_match, &m);
	if (!m.n) {
		set_error(err, f, "unknown function");
		return -ENOENT;
	}
	if (m.n > 1) {
		set_candidates(err, f, &m);
		return -EINVAL;
	}
	f->addr = m.addr[0];
	f->resolved = true;
	return 0;
}

/* ---- lists ---- */

static void add(struct fill *f, unsigned long addr)
{
	if (f->n < f->room)
		f->addr[f->n] = addr;
	f->n++;
}

static KFI_SYMBOL_FN(note_symbol, data, name, addr)
{
	struct fill *f = data;
	bool in = false;
	u32 i;

	/*
	 * Mapping symbols of arm, arm64 and riscv ($a, $d, $x) are no functions, nor are labels
	 * that the linker of riscv needs (.L0).
	 */
	if (name[0] == '$' || (name[0] == '.' && name[1] == 'L'))
		return 0;
	for (i = 0; i < f->conf->nfuncs; i++) {
		const struct kfi_func *p = &f->conf->funcs[i];

		if (p->list != f->list || p->kind != KFI_FUNC_PATTERN ||
		    !kfi_match(p->name, p->len, name))
			continue;
		if (!in && !is_code(addr))
			return 0;
		matched[i] = true;
		in = true;
	}
	if (in)
		add(f, addr);
	return 0;
}

/* Fill a list with the functions that it names and with those that its patterns match. */
static void fill_list(struct fill *f)
{
	bool patterns = false;
	u32 i;

	for (i = 0; i < f->conf->nfuncs; i++) {
		const struct kfi_func *p = &f->conf->funcs[i];

		if (p->list != f->list)
			continue;
		patterns |= p->kind == KFI_FUNC_PATTERN;
		if (p->resolved)
			add(f, (unsigned long)p->addr);
	}
	if (!patterns)
		return;
	kallsyms_on_each_symbol(note_symbol, f);
	if (modules_possible())
		kfi_each_module_symbol(note_symbol, f);
}

u32 kfi_name_fill(const struct kfi_conf *conf, struct kfi_filter *filter, unsigned long *addr,
		  u32 room)
{
	struct fill f = { .conf = conf, .addr = addr, .room = room };
	u32 from[KFI_LISTS + 1] = { 0 };

	kfi_filter_init(filter, conf);
	for (f.list = 0; f.list < KFI_LISTS; f.list++) {
		fill_list(&f);
		from[f.list + 1] = f.n;
	}
	for (f.list = 0; f.n <= room && f.list < KFI_LISTS; f.list++)
		kfi_filter_set_list(filter, f.list, addr + from[f.list],
				    from[f.list + 1] - from[f.list]);
	return f.n;
}

/* Return the FUNC to blame for too many functions: the first pattern, or else the first FUNC. */
static const struct kfi_func *first_pattern(const struct kfi_conf *conf)
{
	u32 i;

	for (i = 0; i < conf->nfuncs && conf->funcs[i].kind != KFI_FUNC_PATTERN; i++)
		;
	return &conf->funcs[i < conf->nfuncs ? i : 0];
}

static int too_many(const struct kfi_conf *conf, u32 n, u32 max, struct kfi_conf_err *err)
{
	const struct kfi_func *f = first_pattern(conf);

	*err = (struct kfi_conf_err){ .line = f->line, .col = f->col };
	snprintf(err->reason, sizeof(err->reason),
		 "the lists match too many functions: %u, more than %u", n, max);
	return -E2BIG;
}

int kfi_name_count(const struct kfi_conf *conf, u32 max, struct kfi_conf_err *err)
{
	struct fill f = { .conf = conf };
	u32 i;

	memset(matched, 0, sizeof(matched));
	for (f.list = 0; f.list < KFI_LISTS; f.list++)
		fill_list(&f);
	for (i = 0; i < conf->nfuncs; i++) {
		if (conf->funcs[i].kind != KFI_FUNC_PATTERN || matched[i])
			continue;
		set_error(err, &conf->funcs[i], "no function matches");
		return -ENOENT;
	}
	return f.n > max ? too_many(conf, f.n, max, err) : (int)f.n;
}

int kfi_name_lists(const struct kfi_conf *conf, struct kfi_filter *filter, unsigned long **addr,
		   struct kfi_conf_err *err)
{
	int n = kfi_name_count(conf, KFI_CONF_MATCHES_MAX, err);
	unsigned long *memory = NULL;

	if (n < 0)
		return n;
	if (n) {
		memory = kmalloc_array(n, sizeof(*memory), GFP_KERNEL | __GFP_NOWARN);
		if (!memory) {
			set_error(err, &conf->funcs[0], "no memory for the list");
			return -ENOMEM;
		}
	}
	if (kfi_name_fill(conf, filter, memory, n) > n) {
		set_error(err, first_pattern(conf),
			  "a module was loaded at this moment, try again");
		kfree(memory);
		return -EBUSY;
	}
	*addr = memory;
	return 0;
}

static bool is_named(const struct kfi_trigger *t)
{
	return t->kind == KFI_TRIG_ENTRY || t->kind == KFI_TRIG_EXIT;
}

/* Refuse to record what the hooks of this kernel do not know. */
static int check_record(const struct kfi_conf *conf, struct kfi_conf_err *err)
{
	u32 i;

	if (!conf->args && !conf->ret)
		return 0;
	if (KFI_ARG_REGISTERS)
		return 0;
	for (i = 0; conf->funcs[i].list != KFI_LIST_RECORD; i++)
		;
	*err = (struct kfi_conf_err){ .line = conf->funcs[i].line, .col = conf->funcs[i].col };
	snprintf(err->reason, sizeof(err->reason),
		 "record needs a kernel that is instrumented after inlining (CONFIG_KFI_AFTER_INLINING)");
	return -EOPNOTSUPP;
}

int kfi_name_resolve_all(struct kfi_conf *conf, struct kfi_conf_err *err)
{
	int ret = check_record(conf, err);
	u32 i;

	if (!ret && is_named(&conf->start))
		ret = resolve(&conf->start.func, err);
	if (!ret && is_named(&conf->stop))
		ret = resolve(&conf->stop.func, err);
	for (i = 0; !ret && i < conf->nfuncs; i++)
		if (conf->funcs[i].kind <= KFI_FUNC_ADDR)
			ret = resolve(&conf->funcs[i], err);
	return ret;
}
