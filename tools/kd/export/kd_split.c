// SPDX-License-Identifier: GPL-2.0
/* The files of an export that shows time: see kd_split.h. */
#include <stdio.h>
#include <stdlib.h>

#include "kd_split.h"

int kd_set_add(struct kd_set *s, u32 i)
{
	u32 old = s->n;

	if (i >= s->n) {
		if (kfi_grow((void **)&s->has, &s->n, i + 1, sizeof(*s->has)))
			return -ENOMEM;
		memset(s->has + old, 0, (s->n - old) * sizeof(*s->has));
	}
	if (s->has[i])
		return 0;
	s->has[i] = true;
	return 1;
}

/* Put the number of a part before the suffix of a file's name. Return: NULL: out of memory. */
static char *path_of(const char *path, u32 part)
{
	const char *base = strrchr(path, '/'), *suffix;
	char *out;

	base = base ? base + 1 : path;
	suffix = strrchr(base, '.');
	if (!suffix || suffix == base)
		suffix = base + strlen(base);
	return asprintf(&out, "%.*s.%u%s", (int)(suffix - path), path, part + 1, suffix) < 0 ?
	       NULL : out;
}

static struct kd_export *open_part(struct kd_split *s, u32 part)
{
	struct kd_export *x = calloc(1, sizeof(*x));
	char *path = path_of(s->x->path, part);

	if (!x || !path) {
		kfi_err_set(s->err, ENOMEM, "out of memory");
	} else {
		x->kd = s->x->kd;
		x->option = s->x->option;
		x->path = path;
		if (!kd_export_open(x, s->err))
			return x;
	}
	free(path);
	free(x);
	return NULL;
}

static struct kd_part *new_part(struct kd_split *s, u32 part)
{
	struct kd_part *new = calloc(1, sizeof(*new));

	if (new)
		new->x = s->x->kd->opt.split_ns ? open_part(s, part) : s->x;
	else
		kfi_err_set(s->err, ENOMEM, "out of memory");
	if (new && new->x)
		return new;
	free(new);
	return NULL;
}

struct kd_part *kd_split_part(struct kd_split *s, u32 part)
{
	u32 n = s->n;

	if (part < n && s->part[part])
		return s->part[part];
	if (part >= KD_PARTS_MAX) {
		kfi_err_set(s->err, EINVAL,
			    "--split: more than %u files; give a longer time, or --from and --to",
			    KD_PARTS_MAX);
		return NULL;
	}
	if (part >= n) {
		if (kfi_grow((void **)&s->part, &s->room, part + 1, sizeof(*s->part))) {
			kfi_err_set(s->err, ENOMEM, "out of memory");
			return NULL;
		}
		for (; s->n <= part; s->n++)
			s->part[s->n] = NULL;
	}
	s->part[part] = new_part(s, part);
	if (s->part[part] && s->begin(s->part[part]->x)) {
		kfi_err_set(s->err, ENOMEM, "out of memory");
		return NULL;
	}
	return s->part[part];
}

int kd_split_read(struct kd_split *s, struct kd_events *e)
{
	e->kd = s->x->kd;
	e->part_ns = e->kd->opt.split_ns;
	e->origin = -1;
	/* Open the first part even if the log has no events. */
	return kd_split_part(s, 0) ? kd_events_read(e, s->err) : -EINVAL;
}

int kd_split_close(struct kd_split *s, int ret)
{
	for (u32 i = 0; i < s->n; i++) {
		struct kd_part *p = s->part[i];

		if (!p)
			continue;
		if (p->x != s->x) {
			ret = kd_export_close(p->x, ret, s->err);
			free((char *)p->x->path);
			free(p->x);
		}
		free(p->tracks.has);
		free(p->names.has);
		free(p);
	}
	free(s->part);
	return ret;
}
