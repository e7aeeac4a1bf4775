// SPDX-License-Identifier: GPL-2.0
/*
 * Modules that come and go: which were where at what time, in a table of fixed size; their text in
 * the lists of sessions that name them; and their call sites. One notifier for all three.
 */
#include <linux/init.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "kfi_compat.h"
#include "arch/arch.h"
#include "session/session.h"

static u64 kernel_init_freed;

void kfi_loads_kernel_init_freed(void)
{
	kernel_init_freed = kfi_now();
}

#ifdef CONFIG_MODULES

/* Protects all that follows, and what is kept for each session. */
static DEFINE_MUTEX(module_mutex);

/* ---- load history; a full table forgets the module that was unloaded first ---- */

static struct kfi_load loads[KFI_LOADS_MAX];
static u32 nloads;

/* Changes with the table. */
static u32 loads_version;

/* How many are not in the table, and until when one of them was there. */
static u32 forgotten;
static u64 forgotten_until;

static void forget(u64 until)
{
	forgotten++;
	forgotten_until = max(forgotten_until, until);
}

/*
 * Return a free place, so that the table stays in order of loading; NULL: all modules are loaded.
 */
static struct kfi_load *new_load(void)
{
	u32 i, oldest = KFI_LOADS_MAX;

	if (nloads < KFI_LOADS_MAX)
		return &loads[nloads++];
	for (i = 0; i < KFI_LOADS_MAX; i++)
		if (loads[i].unloaded && (oldest == KFI_LOADS_MAX ||
					  loads[i].unloaded < loads[oldest].unloaded))
			oldest = i;
	if (oldest == KFI_LOADS_MAX) {
		forget(U64_MAX);
		return NULL;
	}
	forget(loads[oldest].unloaded);
	memmove(&loads[oldest], &loads[oldest + 1],
		(KFI_LOADS_MAX - 1 - oldest) * sizeof(*loads));
	return &loads[KFI_LOADS_MAX - 1];
}

/* Return the entry of a module that is loaded; NULL: the table has none. */
static struct kfi_load *find_load(const struct module *mod)
{
	unsigned long size, text = kfi_module_text(mod, false, &size);
	u32 i;

	for (i = 0; i < nloads; i++)
		if (loads[i].text == text && !loads[i].unloaded &&
		    !strcmp(loads[i].name, mod->name))
			return &loads[i];
	return NULL;
}

static void record_load(const struct module *mod, unsigned long state)
{
	struct kfi_load *l = state == MODULE_STATE_COMING ? new_load() : find_load(mod);
	u64 now = kfi_now();

	if (!l)
		return;
	WRITE_ONCE(loads_version, loads_version + 1);
	if (state == MODULE_STATE_COMING) {
		memset(l, 0, sizeof(*l));
		strscpy(l->name, mod->name, sizeof(l->name));
		l->text = kfi_module_text(mod, false, &l->text_size);
		l->init = kfi_module_text(mod, true, &l->init_size);
		l->loaded = now;
		return;
	}
	if (!l->init_over)
		l->init_over = now;
	if (state == MODULE_STATE_GOING)
		l->unloaded = now;
}

static bool was_loaded(const struct kfi_load *l, u64 from, u64 to)
{
	return l->loaded <= to && (!l->unloaded || l->unloaded >= from);
}

u32 kfi_loads_version(void)
{
	return READ_ONCE(loads_version) + !!kernel_init_freed;
}

int kfi_loads_get(struct kfi_loads *out, u64 from, u64 to)
{
	struct kfi_load *load = kvcalloc(KFI_LOADS_MAX, sizeof(*load), GFP_KERNEL);
	u32 i, n = 0;

	if (!load)
		return -ENOMEM;
	mutex_lock(&module_mutex);
	for (i = 0; i < nloads; i++)
		if (was_loaded(&loads[i], from, to))
			load[n++] = loads[i];
	out->forgotten = forgotten_until >= from ? forgotten : 0;
	mutex_unlock(&module_mutex);
	out->load = load;
	out->n = n;
	out->kernel_init_freed = kernel_init_freed;
	return 0;
}

void kfi_loads_peek(struct kfi_loads *out)
{
	*out = (struct kfi_loads) {
		.load = loads, .n = nloads, .forgotten = forgotten,
		.kernel_init_freed = kernel_init_freed
	};
}

/* ---- modules in the lists of sessions ---- */

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

/*
 * Return the place of a module, or a free place if @mod is NULL; KFI_LIST_MODULES: there is none.
 */
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
 * Update the lists of a session when a module is loaded, has run its init function, or is unloaded.
 * The lists of a complete session stay, because its open calls have not been filtered yet.
 * @there: the module stays loaded
 * @first: these lists have not seen the module before
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

static struct known *find_known(const struct module *mod)
{
	struct known *k;

	list_for_each_entry(k, &modules_known, link)
		if (k->mod == mod)
			return k;
	return NULL;
}

/* Remember a module, and update all lists. Without memory for @k the module is in no list. */
static void note_known(const struct module *mod, unsigned long state)
{
	struct known *k = find_known(mod);
	struct kfi_mods *m;

	if (!k && state == MODULE_STATE_COMING) {
		k = kzalloc(sizeof(*k), GFP_KERNEL);
		if (!k)
			return;
		k->mod = mod;
		list_add(&k->link, &modules_known);
	}
	if (!k)
		return;
	k->up = state != MODULE_STATE_COMING;
	list_for_each_entry(m, &runs_watching, link)
		update(m, k, state != MODULE_STATE_GOING, state == MODULE_STATE_COMING);
	if (state == MODULE_STATE_GOING) {
		list_del(&k->link);
		kfree(k);
	}
}

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
	mutex_lock(&module_mutex);
	list_for_each_entry(k, &modules_known, link)
		update(m, k, true, true);
	list_add(&m->link, &runs_watching);
	mutex_unlock(&module_mutex);
}

void kfi_mods_forget(struct kfi_mods *m)
{
	if (!m->run)
		return;
	mutex_lock(&module_mutex);
	list_del(&m->link);
	mutex_unlock(&module_mutex);
	m->run = NULL;
}

/* ---- the notifier ---- */

static int module_changes(struct notifier_block *nb, unsigned long state, void *data)
{
	mutex_lock(&module_mutex);
	record_load(data, state);
	note_known(data, state);
	mutex_unlock(&module_mutex);
	kfi_sites_module(data, state);
	return NOTIFY_OK;
}

static struct notifier_block module_notifier = { .notifier_call = module_changes };

static int __init watch_modules(void)
{
	return register_module_notifier(&module_notifier);
}
early_initcall(watch_modules);

#else

void kfi_loads_peek(struct kfi_loads *out)
{
	*out = (struct kfi_loads) { .kernel_init_freed = kernel_init_freed };
}

u32 kfi_loads_version(void)
{
	return !!kernel_init_freed;
}

int kfi_loads_get(struct kfi_loads *out, u64 from, u64 to)
{
	*out = (struct kfi_loads) { .kernel_init_freed = kernel_init_freed };
	return 0;
}

#endif
