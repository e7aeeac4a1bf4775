// SPDX-License-Identifier: GPL-2.0
/*
 * From function names to addresses, through kallsyms: static functions too, and modules.
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/string.h>
#include <asm/sections.h>

#include "kfi_name.h"

/* Candidates that a message names. */
#define CANDIDATES	4

struct matches {
	unsigned long addr[CANDIDATES];
	unsigned int n;
};

/* Code that exists now: what is thrown away after the boot does not. */
static bool is_code(unsigned long addr)
{
	if (is_kernel_inittext(addr))
		return system_state < SYSTEM_FREEING_INITMEM;
	return is_kernel_text(addr) || kernel_text_address(addr);
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

static void say(struct kfi_conf_err *err, const struct kfi_func *f, const char *what)
{
	err->line = f->line;
	err->col = f->col;
	snprintf(err->reason, sizeof(err->reason), "%s: %.*s", what,
		 (int)min_t(u32, f->len, 64), f->name);
}

static void say_candidates(struct kfi_conf_err *err, const struct kfi_func *f,
			   const struct matches *m)
{
	unsigned int i;
	size_t at;

	say(err, f, "ambiguous function, give an address");
	at = strlen(err->reason);
	for (i = 0; i < min_t(unsigned int, m->n, CANDIDATES); i++)
		at += scnprintf(err->reason + at, sizeof(err->reason) - at, " 0x%lx", m->addr[i]);
	if (m->n > CANDIDATES)
		scnprintf(err->reason + at, sizeof(err->reason) - at, " ...");
}

static int resolve(struct kfi_func *f, struct kfi_conf_err *err)
{
	static char name[KFI_CONF_NAME_MAX + 1];
	struct matches m = { .n = 0 };

	if (f->resolved) {
		if (is_code((unsigned long)f->addr))
			return 0;
		say(err, f, "no code at this address");
		return -EINVAL;
	}
	memcpy(name, f->name, f->len);
	name[f->len] = 0;
	kallsyms_on_each_match_symbol(note_match, name, &m);
	if (!m.n && system_state >= SYSTEM_RUNNING) {
		unsigned long addr = kallsyms_lookup_name(name);

		if (addr)
			note_match(&m, addr);
	}
	if (!m.n) {
		say(err, f, "unknown function");
		return -ENOENT;
	}
	if (m.n > 1) {
		say_candidates(err, f, &m);
		return -EINVAL;
	}
	f->addr = m.addr[0];
	f->resolved = true;
	return 0;
}

int kfi_name_resolve_all(struct kfi_conf *conf, struct kfi_conf_err *err)
{
	int ret = 0;
	u32 i;

	if (conf->start.kind == KFI_TRIG_ENTRY || conf->start.kind == KFI_TRIG_EXIT)
		ret = resolve(&conf->start.func, err);
	if (!ret && (conf->stop.kind == KFI_TRIG_ENTRY || conf->stop.kind == KFI_TRIG_EXIT))
		ret = resolve(&conf->stop.func, err);
	for (i = 0; !ret && i < conf->nfuncs; i++)
		ret = resolve(&conf->funcs[i], err);
	return ret;
}
