// SPDX-License-Identifier: GPL-2.0
/*
 * --export callgrind: functions with self times, and the calls between functions with their counts
 * and costs, for callgrind_annotate and KCachegrind. These programs add up all lines of a function,
 * so each path is written by itself. A recursive call counts as another function, "NAME'2", as in
 * the files of callgrind. Otherwise its time would count twice for the function.
 */
#include "kd_export.h"
#include "kd_paths.h"

static void put_function(struct kd_export *x, const struct kd_paths *p, const struct kd_path *path)
{
	kd_put_line_text(x, kd_path_name(p, path), "");
	if (path->kind == KD_PATH_OPEN)
		kd_put_text(x, KD_NAME_OPEN);
	if (path->is_recursive)
		kd_put_text(x, "'2");
}

static void put_call(struct kd_export *x, const struct kd_paths *p, const struct kd_path *path)
{
	kd_put_text(x, "cfn=");
	put_function(x, p, path);
	kd_put_text(x, "\ncalls=");
	/* A hole has no calls. Write one, so that its time is shown. */
	kd_put_number(x, path->calls ? path->calls : 1);
	kd_put_text(x, " 0\n0 ");
	kd_put_number(x, path->total);
	kd_put_text(x, "\n");
}

static void put_path(struct kd_export *x, const struct kd_paths *p, const struct kd_path *path)
{
	kd_put_text(x, "\nfn=");
	put_function(x, p, path);
	kd_put_text(x, "\n0 ");
	kd_put_number(x, path->self);
	kd_put_text(x, "\n");
	if (path->parent == KFI_NONE)
		return;
	kd_put_text(x, "\nfn=");
	put_function(x, p, &p->at[path->parent]);
	kd_put_text(x, "\n");
	put_call(x, p, path);
}

static void put_head(struct kd_export *x)
{
	char title[KD_TITLE];

	kd_export_title(x, title);
	kd_put_text(x, "# callgrind format\nversion: 1\ncreator: kd\ncmd: ");
	kd_put_line_text(x, title, "");
	kd_put_text(x, "\npositions: line\nevents: ns\nfl=???\n");
}

int kd_export_callgrind(struct kd_export *x, struct kfi_err *err)
{
	struct kd_paths p = { .kd = x->kd };
	u64 total = 0;
	int ret = kd_paths_read(&p, err);

	put_head(x);
	for (u32 i = 0; !ret && i < p.n; i++) {
		if (i >= KFI_CTX_COUNT || p.at[i].total)
			put_path(x, &p, &p.at[i]);
		total += p.at[i].self;
	}
	kd_put_text(x, "\ntotals: ");
	kd_put_number(x, total);
	kd_put_text(x, "\n");
	kd_paths_free(&p);
	return ret;
}
