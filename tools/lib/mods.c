// SPDX-License-Identifier: GPL-2.0
/* Finds the modules below a folder: see mods.h. */
#include <fts.h>
#include <stdlib.h>

#include "mods.h"

/* The kernel's size of a module may be larger by this, because the loader rounds up to pages. */
#define SLACK	65536

/* Limit of files; a kernel with all modules has a tenth of that. */
#define FILES_MAX	100000

/**
 * struct kfi_mod - the file of a module
 * @name: name of the module
 * @path: path of the file
 * @tried: it has been read, or could not be read
 * @syms: its symbols; empty: it could not be read
 * @why: reason why it could not be read
 * @looked: its debug information has been looked for
 * @source: its debug information, or NULL
 */
struct kfi_mod {
	char *name;
	char *path;
	bool tried;
	struct kfi_syms syms;
	struct kfi_err why;
	bool looked;
	struct kfi_source *source;
};

static char fold_dash(char c)
{
	return c == '-' ? '_' : c;
}

/*
 * Return the module "snd_pcm" for "snd-pcm.ko" or "snd-pcm.ko.xz". NULL: no module, or out of
 * memory.
 */
static char *module_name(const char *file)
{
	static const char *const ends[] = { ".ko", ".ko.gz", ".ko.xz", ".ko.zst" };
	size_t len = strlen(file);

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		size_t n = strlen(ends[i]);
		char *name;

		if (len <= n || strcmp(file + len - n, ends[i]) != 0)
			continue;
		name = strndup(file, len - n);
		for (char *p = name; p && *p; p++)
			*p = fold_dash(*p);
		return name;
	}
	return NULL;
}

static int by_name(const void *a, const void *b)
{
	const struct kfi_mod *x = a, *y = b;
	int d = strcmp(x->name, y->name);

	return d ? d : strcmp(x->path, y->path);
}

static int add(struct kfi_mods *mods, const FTSENT *e)
{
	struct kfi_mod m = { .name = module_name(e->fts_name) };

	if (!m.name)
		return 0;
	m.path = strdup(e->fts_path);
	if (!m.path || kfi_grow((void **)&mods->mod, &mods->room, mods->n + 1, sizeof(m))) {
		free(m.path);
		free(m.name);
		return -ENOMEM;
	}
	mods->mod[mods->n++] = m;
	return 0;
}

int kfi_mods_open(struct kfi_mods *mods, const char *dir, struct kfi_err *err)
{
	char *const paths[] = { (char *)dir, NULL };
	struct kfi_mods m = { .dir = dir };
	FTS *fts = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
	u32 seen = 0;
	FTSENT *e;
	int ret = fts ? 0 : -errno;

	while (!ret && (e = fts_read(fts))) {
		if (++seen > FILES_MAX) {
			fts_close(fts);
			kfi_mods_free(&m);
			return kfi_err_set(err, E2BIG, "%s: more than %u files: not a folder of modules",
					   dir, FILES_MAX);
		}
		if (e->fts_info == FTS_F)
			ret = add(&m, e);
		else if (e->fts_level == 0 && (e->fts_info == FTS_NS || e->fts_info == FTS_DNR))
			ret = -e->fts_errno;
	}
	if (fts)
		fts_close(fts);
	if (ret)
		kfi_err_set(err, -ret, "%s: %s", dir, strerror(-ret));
	else if (!m.n)
		ret = kfi_err_set(err, EINVAL, "%s: no module (.ko) in this folder", dir);
	if (ret) {
		kfi_mods_free(&m);
		return ret;
	}
	qsort(m.mod, m.n, sizeof(*m.mod), by_name);
	*mods = m;
	return 0;
}

static bool is_named(const struct kfi_mod *m, const char *name)
{
	const char *p = m->name;

	for (; *p && *p == fold_dash(*name); p++)
		name++;
	return !*p && !*name;
}

static bool size_matches(u64 need, u64 have)
{
	return need <= have && have - need < SLACK;
}

/* Read the file of a module, and compare its sizes with those in the log. */
static int try_file(struct kfi_mod *m, const struct kfi_module_range *module, struct kfi_err *err)
{
	static const char *const what[] = { "text", "init text" };
	const u64 have[] = { module->code.size, module->init.size };

	if (!m->tried) {
		m->tried = true;
		if (!kfi_syms_load(&m->syms, m->path, &m->why) && !m->syms.module) {
			kfi_syms_free(&m->syms);
			kfi_err_set(&m->why, EINVAL, "%s: not a module", m->path);
		}
	}
	if (!m->syms.naddr)
		return kfi_err_set(err, EBADMSG, "%s", m->why.text);
	if (m->syms.wide != (module->code.addr > U32_MAX))
		return kfi_err_set(err, EBADMSG, "%s: a module of another machine, of %s bits",
				   m->path, m->syms.wide ? "64" : "32");
	for (int i = 0; i < 2; i++)
		if (!size_matches(m->syms.size[i], have[i]))
			return kfi_err_set(err, EBADMSG,
					   "%s: a module of another build: its %s takes %llu bytes, the log says %llu",
					   m->path, what[i], (unsigned long long)m->syms.size[i],
					   (unsigned long long)have[i]);
	return 0;
}

int kfi_mods_find(struct kfi_mods *mods, const struct kfi_module_range *module,
		  const struct kfi_syms **syms,
		  struct kfi_err *err)
{
	int ret = -ENOENT;

	for (u32 i = 0; i < mods->n; i++) {
		if (!is_named(&mods->mod[i], module->name))
			continue;
		ret = try_file(&mods->mod[i], module, err);
		if (!ret) {
			*syms = &mods->mod[i].syms;
			return 0;
		}
	}
	if (ret == -ENOENT)
		kfi_err_set(err, ENOENT, "%s: no module %s in this folder", mods->dir,
			    module->name);
	return ret;
}

struct kfi_source *kfi_mods_source(struct kfi_mods *mods, const struct kfi_syms *syms)
{
	for (u32 i = 0; i < mods->n; i++) {
		struct kfi_mod *m = &mods->mod[i];

		if (&m->syms != syms)
			continue;
		if (!m->looked)
			kfi_source_open(&m->source, m->path, NULL);
		m->looked = true;
		return m->source;
	}
	return NULL;
}

void kfi_mods_free(struct kfi_mods *mods)
{
	for (u32 i = 0; i < mods->n; i++) {
		kfi_syms_free(&mods->mod[i].syms);
		kfi_source_close(mods->mod[i].source);
		free(mods->mod[i].name);
		free(mods->mod[i].path);
	}
	free(mods->mod);
	*mods = (struct kfi_mods){ 0 };
}
