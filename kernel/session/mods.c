// SPDX-License-Identifier: GPL-2.0
/*
 * Modules that come and go: their text is put into the lists of runs that name them, before their
 * init function runs, and taken out when it is gone.
 */
#include <linux/init.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/slab.h>

#include "kfi_compat.h"
#include "core/match.h"
#include "session/mods.h"

/**
 * struct known - a module that is there
 * @link: in modules_known
 * @mod: the module
 * @up: its init function has returned: its init text is gone, or is about to go
 */
struct known {
	struct list_head link;
	const struct module *mod;
	bool up;
};

/* Protects both lists, and what is kept for each run. */
static DEFINE_MUTEX(mods_mutex);
static LIST_HEAD(runs_watching);
static LIST_HEAD(modules_known);

static unsigned long range_of(const struct known *k, bool init)
{
	unsigned long size, base = kfi_module_text(k->mod, init, &size);

	return init && k->up ? 0 : kfi_range(base, size);
}

static bool is_listed(const struct kfi_conf *conf, u32 list, const char *name)
{
	u32 i;

	for (i = 0; i < conf->nfuncs; i++) {
		const struct kfi_func *f = &conf->funcs[i];

		if (f->list == list && f->kind == KFI_FUNC_MODULE && kfi_match_module(f, name))
			return true;
	}
	return false;
}

/* The place of a module, or a free one if @mod is NULL; KFI_LIST_MODULES: there is none. */
static u32 place_of(const struct kfi_mods *m, u32 list, const struct module *mod)
{
	u32 i;

	for (i = 0; i < KFI_LIST_MODULES && m->in[list][i] != mod; i++)
		;
	return i;
}

static void set_place(struct kfi_mods *m, u32 list, u32 place, const struct known *k, bool there)
{
	unsigned long *range = &m->run->filter.lists[list].range[2 * place];

	m->in[list][place] = there ? k->mod : NULL;
	WRITE_ONCE(range[0], there ? range_of(k, false) : 0);
	WRITE_ONCE(range[1], there ? range_of(k, true) : 0);
}

/*
 * A module has come, is up, or goes. In a run that is complete it stays what it was: its open calls
 * are still to be filtered. @first: this run has not been told of it before.
 */
static void update(struct kfi_mods *m, const struct known *k, bool there, bool first)
{
	u32 list, place;

	if (atomic_read(&m->run->state) == KFI_COMPLETE)
		return;
	for (list = 0; list < KFI_LISTS; list++) {
		place = place_of(m, list, k->mod);
		if (place == KFI_LIST_MODULES) {
			if (!there || !is_listed(m->conf, list, k->mod->name))
				continue;
			place = place_of(m, list, NULL);
		}
		if (place == KFI_LIST_MODULES)
			m->missed += first;
		else
			set_place(m, list, place, k, there);
	}
}

static struct known *find(const struct module *mod)
{
	struct known *k;

	list_for_each_entry(k, &modules_known, link)
		if (k->mod == mod)
			return k;
	return NULL;
}

static int module_changes(struct notifier_block *nb, unsigned long state, void *data)
{
	struct kfi_mods *m;
	struct known *k;

	mutex_lock(&mods_mutex);
	k = find(data);
	if (!k && state == MODULE_STATE_COMING) {
		k = kzalloc(sizeof(*k), GFP_KERNEL);
		if (k) {
			k->mod = data;
			list_add(&k->link, &modules_known);
		}
	}
	if (k) {
		k->up = state != MODULE_STATE_COMING;
		list_for_each_entry(m, &runs_watching, link)
			update(m, k, state != MODULE_STATE_GOING,
			       state == MODULE_STATE_COMING);
		if (state == MODULE_STATE_GOING) {
			list_del(&k->link);
			kfree(k);
		}
	}
	mutex_unlock(&mods_mutex);
	/* Without memory for it a module is in no list; that is no reason to refuse it. */
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = { .notifier_call = module_changes };

static int __init watch_modules(void)
{
	return register_module_notifier(&module_notifier);
}
early_initcall(watch_modules);

void kfi_mods_watch(struct kfi_mods *m, struct kfi_run *run, const struct kfi_conf *conf)
{
	bool wanted = false;
	struct known *k;
	u32 list;

	for (list = 0; list < KFI_LISTS; list++)
		wanted |= run->filter.lists[list].modules;
	if (!wanted)
		return;
	m->run = run;
	m->conf = conf;
	mutex_lock(&mods_mutex);
	list_for_each_entry(k, &modules_known, link)
		update(m, k, true, true);
	list_add(&m->link, &runs_watching);
	mutex_unlock(&mods_mutex);
}

void kfi_mods_forget(struct kfi_mods *m)
{
	if (!m->run)
		return;
	mutex_lock(&mods_mutex);
	list_del(&m->link);
	mutex_unlock(&mods_mutex);
	m->run = NULL;
}
