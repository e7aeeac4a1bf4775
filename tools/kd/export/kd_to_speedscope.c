// SPDX-License-Identifier: GPL-2.0
/*
 * --export speedscope: JSON of speedscope, with a profile of samples for each context. A sample is
 * a path, and its weight is the self time of the path.
 */
#include <stdlib.h>

#include "kd_export.h"
#include "kd_paths.h"

static void put_name(struct kd_export *x, const char *name, bool first)
{
	kd_put_text(x, first ? "\n{\"name\":" : ",\n{\"name\":");
	kd_json_put(&x->out, name);
	kd_put_text(x, "}");
}

/* Write the frames in the order of kd_path_frame(). */
static int put_frames(struct kd_export *x, const struct kd_paths *p)
{
	u32 n = kd_frames(p);

	for (u32 i = 0; i < n; i++) {
		char *open;
		const char *name = kd_frame_name(p, i, &open);

		if (!name)
			return -ENOMEM;
		put_name(x, name, !i);
		free(open);
	}
	return 0;
}

static int put_sample(struct kd_export *x, struct kd_paths *p, u32 path)
{
	u32 n = kd_paths_stack(p, path);

	for (u32 i = 0; i < n; i++) {
		kd_put_text(x, i ? "," : "[");
		kd_put_number(x, kd_path_frame(&p->at[p->stack[i]]));
	}
	kd_put_text(x, "]");
	return n ? 0 : -ENOMEM;
}

/* Write the samples of a context, or their weights. */
static int put_list(struct kd_export *x, struct kd_paths *p, u32 root, const u32 *root_of,
		    bool weights)
{
	const char *between = "";
	int ret = 0;

	for (u32 i = 0; i < p->n && !ret; i++) {
		if (!p->at[i].self || root_of[i] != root)
			continue;
		kd_put_text(x, between);
		between = ",\n";
		if (weights)
			kd_put_number(x, p->at[i].self);
		else
			ret = put_sample(x, p, i);
	}
	return ret;
}

static int put_profile(struct kd_export *x, struct kd_paths *p, u32 root, const u32 *root_of)
{
	int ret;

	kd_put_text(x, "{\"type\":\"sampled\",\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":");
	kd_put_number(x, p->at[root].total);
	kd_put_text(x, ",\"name\":");
	kd_json_put(&x->out, kd_path_name(p, &p->at[root]));
	kd_put_text(x, ",\n\"samples\":[\n");
	ret = put_list(x, p, root, root_of, false);
	kd_put_text(x, "],\n\"weights\":[\n");
	if (!ret)
		ret = put_list(x, p, root, root_of, true);
	kd_put_text(x, "]}");
	return ret;
}

static int put_profiles(struct kd_export *x, struct kd_paths *p)
{
	u32 *root_of = calloc(p->n, sizeof(*root_of));
	bool any = false;
	int ret = 0;

	if (!root_of)
		return -ENOMEM;
	for (u32 i = 0; i < p->n; i++)
		root_of[i] = p->at[i].parent == KFI_NONE ? i : root_of[p->at[i].parent];
	for (u32 i = 0; i < KFI_CTX_COUNT && !ret; i++) {
		/*
		 * Leave out contexts without time, except the profile of tasks: a file needs one
		 * profile.
		 */
		if (!p->at[i].total && (i || p->n > KFI_CTX_COUNT))
			continue;
		kd_put_text(x, any ? ",\n" : "");
		any = true;
		ret = put_profile(x, p, i, root_of);
	}
	free(root_of);
	return ret;
}

int kd_export_speedscope(struct kd_export *x, struct kfi_err *err)
{
	struct kd_paths p = { .kd = x->kd };
	int ret = kd_paths_read(&p, err);
	char title[KD_TITLE];

	kd_put_text(x, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",");
	kd_put_text(x, "\"exporter\":\"kd\",\"name\":");
	kd_export_title(x, title);
	kd_json_put(&x->out, title);
	kd_put_text(x, ",\"profiles\":[\n");
	if (!ret && put_profiles(x, &p))
		ret = kfi_err_set(err, ENOMEM, "out of memory");
	kd_put_text(x, "],\n\"shared\":{\"frames\":[");
	if (!ret && put_frames(x, &p))
		ret = kfi_err_set(err, ENOMEM, "out of memory");
	kd_put_text(x, "]}}\n");
	kd_paths_free(&p);
	return ret;
}
