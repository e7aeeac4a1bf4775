// SPDX-License-Identifier: GPL-2.0
/*
 * --export flamegraph: a picture of all paths, with the roots at the bottom. The width of a box is
 * time on a CPU: time switched out is not drawn, since idle tasks and threads that wait would fill
 * the picture.
 * Calls stand in the order of their first call.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kd_boot_show.h"
#include "kd_paths.h"
#include "kd_svg.h"

/* Height of what is above the flames, and below them. */
#define TOP	48
#define BOTTOM	30

/**
 * struct place - the box of a path
 * @width: time of the path without time switched out
 * @at: time to the left of the box
 * @used: the part of @width that boxes above it have taken so far
 * @level: number of boxes below it
 * @drawn: the box is wide enough to be drawn
 */
struct place {
	u64 width;
	u64 at;
	u64 used;
	u32 level;
	bool drawn;
};

/**
 * struct flames - the picture
 * @x: the file
 * @p: the paths
 * @place: by path
 * @all: time of all roots
 * @off: time switched out
 * @levels: how many levels are drawn
 * @narrow: paths that are not drawn
 */
struct flames {
	struct kd_export *x;
	struct kd_paths p;
	struct place *place;
	u64 all;
	u64 off;
	u32 levels;
	u64 narrow;
};

/* Place the boxes: a path has a greater number than its parent. */
static void lay_out(struct flames *f)
{
	for (u32 i = f->p.n; i-- > 0;) {
		const struct kd_path *x = &f->p.at[i];
		struct place *l = &f->place[i];

		if (x->kind == KD_PATH_OFF) {
			f->off += x->self;
			continue;
		}
		l->width += x->self;
		if (x->parent == KFI_NONE)
			f->all += l->width;
		else
			f->place[x->parent].width += l->width;
	}
	for (u32 i = 0, root = 0; i < f->p.n; i++) {
		const struct kd_path *x = &f->p.at[i];
		struct place *l = &f->place[i];
		struct place *below = x->parent == KFI_NONE ? NULL : &f->place[x->parent];

		if (x->kind == KD_PATH_OFF)
			continue;
		if (below) {
			l->level = below->level + 1;
			l->at = below->at + below->used;
			below->used += l->width;
		} else if (i) {
			l->at = f->place[root].at + f->place[root].width;
			root = i;
		}
		l->drawn = l->width && (double)l->width / f->all *
			   (KD_SVG_WIDTH - 2 * KD_SVG_MARGIN) >= KD_SVG_LEAST;
		if (l->drawn && f->levels <= l->level)
			f->levels = l->level + 1;
		f->narrow += !l->drawn && x->kind != KD_PATH_ROOT;
	}
}

/* Return a warm colour that depends on the name alone, so that it is the same in all pictures. */
static const char *colour_of(const struct flames *f, const struct kd_path *x, char text[8])
{
	u32 hash = 5381;

	if (x->kind == KD_PATH_ROOT)
		return "#dddddd";
	if (x->kind == KD_PATH_IRQ)
		return "#d9b3e6";
	if (x->kind == KD_PATH_LEFT)
		return "#cccccc";
	for (const char *s = kd_path_name(&f->p, x); *s; s++)
		hash = hash * 33 + (unsigned char)*s;
	snprintf(text, 8, "#%02x%02x%02x", 230 + hash % 26, 130 + hash / 26 % 100,
		 60 + hash / 2600 % 50);
	return text;
}

static const char *unit_of(const struct kfi_log_head *h)
{
	return h->sampled == KFI_SAMPLED_EVENTS ? "events" : "ns";
}

/* Format a time, or a number of events. */
static const char *weight_text(const struct flames *f, u64 v, char text[32])
{
	if (f->x->kd->in.head.sampled != KFI_SAMPLED_EVENTS)
		return boot_time_text((s64)v, text);
	snprintf(text, 32, "%llu events", (unsigned long long)v);
	return text;
}

static int put_path(struct flames *f, u32 path)
{
	const double unit = (double)(KD_SVG_WIDTH - 2 * KD_SVG_MARGIN) / f->all;
	const struct kd_path *x = &f->p.at[path];
	const struct place *l = &f->place[path];
	const struct kfi_log_head *h = &f->x->kd->in.head;
	char title[200], colour[8], total[32], self[32], *name;
	struct kd_box box = {
		.x = KD_SVG_MARGIN + l->at * unit, .w = l->width * unit,
		.y = TOP + (f->levels - 1 - l->level) * KD_SVG_LINE,
		.fill = colour_of(f, x, colour), .open = x->kind == KD_PATH_OPEN,
	};

	if (asprintf(&name, "%s%s", kd_path_name(&f->p, x),
		     x->kind == KD_PATH_OPEN ? KD_NAME_OPEN : "") < 0)
		return -ENOMEM;
	weight_text(f, x->total, total);
	weight_text(f, x->self, self);
	snprintf(title, sizeof(title), "total %s, self %s, %s %llu; %.1f %%\n%llu %s, %llu %s",
		 total, self, h->sampled ? "samples" : "calls", (unsigned long long)x->calls,
		 100.0 * l->width / f->all, (unsigned long long)x->total, unit_of(h),
		 (unsigned long long)x->self, unit_of(h));
	kd_svg_box(f->x, &box, name, title);
	free(name);
	return 0;
}

static int put_picture(struct flames *f)
{
	const struct kfi_log_head *h = &f->x->kd->in.head;
	char text[256], all[32], off[32];
	int ret = 0;

	lay_out(f);
	kd_svg_begin(f->x, TOP + f->levels * KD_SVG_LINE + BOTTOM, "Flame graph");
	snprintf(text, sizeof(text), "%s on CPUs; switched out, and not shown: %s",
		 boot_time_text((s64)f->all, all), boot_time_text((s64)f->off, off));
	if (h->sampled)
		snprintf(text, sizeof(text), "Sampled: %llu samples of %s, %s by their periods%s",
			 (unsigned long long)h->samples, h->event,
			 weight_text(f, f->all, all),
			 h->sampled == KFI_SAMPLED_TIME ? ": times are estimates" : "");
	kd_svg_text(f->x, KD_SVG_MARGIN, 40, KD_SVG_WIDTH, text);
	for (u32 i = 0; i < f->p.n && !ret; i++)
		if (f->place[i].drawn)
			ret = put_path(f, i);
	snprintf(text, sizeof(text),
		 "Dashed: calls without an exit. Too narrow to be drawn: %llu call paths.",
		 (unsigned long long)f->narrow);
	kd_svg_text(f->x, KD_SVG_MARGIN, TOP + f->levels * KD_SVG_LINE + 18, KD_SVG_WIDTH, text);
	kd_svg_end(f->x);
	return ret;
}

int kd_export_flamegraph(struct kd_export *x, struct kfi_err *err)
{
	struct flames f = { .x = x, .p = { .kd = x->kd } };
	int ret = kd_paths_read(&f.p, err);

	if (!ret) {
		f.place = calloc(f.p.n, sizeof(*f.place));
		if (!f.place || put_picture(&f))
			ret = kfi_err_set(err, ENOMEM, "out of memory");
	}
	free(f.place);
	kd_paths_free(&f.p);
	return ret;
}
