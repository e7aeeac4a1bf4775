// SPDX-License-Identifier: GPL-2.0
/*
 * --export folded: a line "FUNCTION;FUNCTION;FUNCTION NANOSECONDS" for each path with self time,
 * for flamegraph.pl and inferno.
 */
#include "kd_export.h"
#include "kd_paths.h"

static void put_frame(struct kd_export *x, const struct kd_paths *p, const struct kd_path *path)
{
	kd_put_line_text(x, kd_path_name(p, path), ";");
	if (path->kind == KD_PATH_OPEN)
		kd_put_text(x, KD_NAME_OPEN);
}

static int put_stack(struct kd_export *x, struct kd_paths *p, u32 path)
{
	u32 n = kd_paths_stack(p, path);

	if (!n)
		return -ENOMEM;
	for (u32 i = 0; i < n; i++) {
		if (i)
			kd_put_text(x, ";");
		put_frame(x, p, &p->at[p->stack[i]]);
	}
	kd_put_text(x, " ");
	kd_put_number(x, p->at[path].self);
	kd_put_text(x, "\n");
	return 0;
}

int kd_export_folded(struct kd_export *x, struct kfi_err *err)
{
	struct kd_paths p = { .kd = x->kd };
	int ret = kd_paths_read(&p, err);

	for (u32 i = 0; !ret && i < p.n; i++)
		if (p.at[i].self && put_stack(x, &p, i))
			ret = kfi_err_set(err, ENOMEM, "out of memory");
	kd_paths_free(&p);
	return ret;
}
