// SPDX-License-Identifier: GPL-2.0
/*
 * --export bootchart: the report of kd --boot as a picture, with time from left to right: the
 * phases and levels of initcalls, the critical path with a line for each task, and the longest
 * initcalls. --from and --to choose a part of it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kd_boot_show.h"
#include "kd_svg.h"

/* Names of tasks and headings stand to the left of the boxes. */
#define LEFT		150
#define WIDTH		(KD_SVG_WIDTH - LEFT - KD_SVG_MARGIN)

/* Height of what is above the boxes. */
#define TOP		78

/* Number of initcalls in the picture. */
#define INITCALLS	20

static const char *const colours[BOOT_KINDS] = {
	[BOOT_RAN] = "#8fc98f", [BOOT_RUNNABLE] = "#f2d06b", [BOOT_PREEMPTED] = "#f0a35e",
	[BOOT_TIMER] = "#c9a6e4", [BOOT_DEVICE] = "#e88f8f", [BOOT_RCU] = "#9fb8e8",
	[BOOT_CPU_UP] = "#7fd0d0", [BOOT_WAITED] = "#bbbbbb", [BOOT_MIXED] = "#c3dcb0",
	[BOOT_UNKNOWN] = "#e0e0e0",
};

/**
 * struct chart - the picture
 * @x: the file
 * @b: the boot
 * @from: its left side, nanoseconds
 * @to: its right side
 * @y: where the next line of boxes is
 * @task: tasks of the path, in order of appearance
 * @tasks: how many
 * @shown: initcalls, in order of time
 * @nshown: number of initcalls in @shown
 */
struct chart {
	struct kd_export *x;
	struct kd_boot b;
	s64 from;
	s64 to;
	u32 y;
	u32 *task;
	u32 tasks;
	const struct kd_initcall *shown[INITCALLS];
	u32 nshown;
};

static double at(const struct chart *c, s64 time)
{
	return LEFT + (double)(time - c->from) / (c->to - c->from) * WIDTH;
}

/*
 * Draw the part of a box that is within the picture. @more: text for its title. @bare: do not write
 * its name into it.
 */
static void put_box(struct chart *c, s64 from, s64 to, const char *fill, const char *name,
		    const char *more, bool bare)
{
	s64 left = from < c->from ? c->from : from, right = to > c->to ? c->to : to;
	struct kd_box box = { .x = at(c, left), .y = c->y, .fill = fill, .bare = bare };
	char begin[32], length[32], title[256];

	if (left >= right)
		return;
	box.w = at(c, right) - box.x;
	if (box.w < KD_SVG_LEAST)
		box.w = KD_SVG_LEAST;
	snprintf(title, sizeof(title), "at %s for %s%s\n%lld ns, %lld ns",
		 boot_time_text(from, begin), boot_time_text(to - from, length), more,
		 (long long)from, (long long)(to - from));
	kd_svg_box(c->x, &box, name, title);
}

static void put_heading(struct chart *c, const char *text)
{
	c->y += KD_SVG_LINE;
	kd_svg_text(c->x, KD_SVG_MARGIN, c->y + KD_SVG_LINE - 5, KD_SVG_WIDTH, text);
	c->y += KD_SVG_LINE;
}

static void put_phases(struct chart *c)
{
	const struct kd_boot *b = &c->b;

	kd_svg_text(c->x, KD_SVG_MARGIN, c->y + KD_SVG_LINE - 5, LEFT - KD_SVG_MARGIN, "Phases");
	for (u32 i = 0; i < b->phase.n; i++)
		put_box(c, b->phase.at[i].from,
			i + 1 < b->phase.n ? b->phase.at[i + 1].from : b->end,
			i % 2 ? "#b5cde8" : "#d7e4f2", b->words.str[b->phase.at[i].name].s, "",
			false);
	c->y += KD_SVG_LINE;
}

/*
 * Draw a line of boxes for each task. A line of the path with several tasks counts for the longest.
 */
static void put_path(struct chart *c)
{
	struct kd_boot *b = &c->b;
	char name[32], more[96];

	for (u32 i = 0; i < c->tasks; i++) {
		kd_svg_text(c->x, KD_SVG_MARGIN, c->y + KD_SVG_LINE - 5, LEFT - 2 * KD_SVG_MARGIN,
			    boot_task_name(b, c->task[i], -1, name));
		for (u32 k = 0; k < b->line.n; k++) {
			const struct boot_line *l = &b->line.at[k];
			enum boot_kind kind = boot_greatest_kind(l->of);

			if (l->task != c->task[i])
				continue;
			snprintf(more, sizeof(more), ", %s%s", boot_kind_text(kind),
				 l->several ? ", of several tasks" : l->folded ? ", short calls" : "");
			put_box(c, l->from, l->to, colours[kind], l->call == KFI_NONE ? "?" :
				b->kd->in.names.str[b->call.at[l->call].func].s, more, false);
		}
		c->y += KD_SVG_LINE;
	}
}

static void put_initcalls(struct chart *c)
{
	const struct kd_initcalls *l = &c->b.initcalls;

	for (u32 i = 0; i < c->nshown; i++) {
		const struct kd_initcall *x = c->shown[i];
		const char *name = c->b.kd->in.names.str[x->func].s;
		char more[128], length[32], label[256];
		s64 end = x->entry + x->delta;
		double right = at(c, end > c->to ? c->to : end), room;

		snprintf(more, sizeof(more), "%s%s", x->level == KFI_NONE ? "" : ", ",
			 x->level == KFI_NONE ? "" : l->words.str[x->level].s);
		put_box(c, x->entry, end, "#8fc98f", name, more, true);
		snprintf(label, sizeof(label), "%s %s", name, boot_time_text(x->delta, length));
		/*
		 * The label stands behind the box, or before the box if there is no room behind it.
		 */
		room = (double)strlen(label) * KD_SVG_CHAR;
		kd_svg_text(c->x, right + 5 + room < KD_SVG_WIDTH ? right + 5 :
			    at(c, x->entry < c->from ? c->from : x->entry) - 5 - room,
			    c->y + KD_SVG_LINE - 5, room + 1, label);
		c->y += KD_SVG_LINE;
	}
}

/* Draw five to ten times at the top, with vertical lines below them. */
static void put_axis(struct chart *c, u32 height)
{
	s64 step = 1, first;
	char text[128], time[32];

	while ((c->to - c->from) / step > 10)
		step *= (c->to - c->from) / step > 20 ? 10 : (c->to - c->from) / step > 10 ? 2 : 1;
	first = c->from % step ? c->from - c->from % step + step : c->from;
	for (s64 t = first; t >= c->from && t <= c->to; t += step) {
		snprintf(text, sizeof(text),
			 "<line x1=\"%.2f\" x2=\"%.2f\" y1=\"%u\" y2=\"%u\" stroke=\"#dddddd\"/>\n",
			 at(c, t), at(c, t), TOP - 8, height - 2 * KD_SVG_LINE);
		kd_put_text(c->x, text);
		kd_svg_text(c->x, at(c, t), TOP - 12, KD_SVG_WIDTH - at(c, t),
			    t ? boot_time_text(t, time) : "0");
		if (c->to - t < step)
			break;
	}
}

/* Draw the colours of the kinds that the path has. */
static void put_legend(struct chart *c)
{
	double x = KD_SVG_MARGIN;

	for (u32 k = 0; k < BOOT_KINDS; k++) {
		struct kd_box box = { .x = x, .y = c->y + 4, .fill = colours[k] };
		s64 sum = 0;
		char length[32];

		for (u32 i = 0; i < c->b.line.n; i++)
			sum += c->b.line.at[i].of[k];
		if (!sum)
			continue;
		box.w = (double)strlen(boot_kind_text(k)) * KD_SVG_CHAR + 8;
		kd_svg_box(c->x, &box, boot_kind_text(k), boot_time_text(sum, length));
		x += box.w + 8;
	}
	c->y += 2 * KD_SVG_LINE;
}

static int by_entry(const void *a, const void *b)
{
	const struct kd_initcall *const *x = a, *const *y = b;

	return (*x)->entry < (*y)->entry ? -1 : (*x)->entry > (*y)->entry;
}

/* Choose the part of the boot, the tasks and the initcalls to draw. */
static int choose(struct chart *c)
{
	struct kd_boot *b = &c->b;

	c->task = calloc(b->task.n ? b->task.n : 1, sizeof(*c->task));
	if (!c->task)
		return -ENOMEM;
	for (u32 i = 0; i < b->line.n; i++) {
		const struct boot_line *l = &b->line.at[i];
		u32 k = 0;

		while (k < c->tasks && c->task[k] != l->task)
			k++;
		if (k == c->tasks && l->from < c->to && l->to > c->from)
			c->task[c->tasks++] = l->task;
	}
	kd_initcalls_sort(&b->initcalls, true);
	for (u32 i = 0; i < b->initcalls.n && c->nshown < INITCALLS; i++) {
		const struct kd_initcall *x = &b->initcalls.one[i];

		if (kd_initcalls_has(&b->initcalls, x) && x->delta > 0 && x->entry < c->to &&
		    x->entry + x->delta > c->from)
			c->shown[c->nshown++] = x;
	}
	qsort(c->shown, c->nshown, sizeof(*c->shown), by_entry);
	return 0;
}

static int put_chart(struct chart *c)
{
	const struct kd_boot *b = &c->b;
	char text[160], length[32];
	u32 height;

	if (choose(c))
		return -ENOMEM;
	height = TOP + (7 + c->tasks + c->nshown) * KD_SVG_LINE;
	kd_svg_begin(c->x, height, "Boot chart");
	boot_time_text(b->end - b->start, length);
	if (b->is_over)
		snprintf(text, sizeof(text), "The boot took %s, from %s to %s", length,
			 boot_begin_text(b), b->end_by);
	else
		snprintf(text, sizeof(text), "The boot was not over when the log ended, %s after %s",
			 length, boot_begin_text(b));
	kd_svg_text(c->x, KD_SVG_MARGIN, 40, KD_SVG_WIDTH, text);
	put_axis(c, height);
	c->y = TOP;
	put_phases(c);
	put_heading(c, b->has_switches && b->init_task != KFI_NONE ? "Critical path" :
		    "What tasks 0 and 1 did");
	put_path(c);
	put_heading(c, "The longest initcalls");
	put_initcalls(c);
	put_legend(c);
	kd_svg_end(c->x);
	return 0;
}

int kd_export_bootchart(struct kd_export *x, struct kfi_err *err)
{
	const struct kd_filter *f = &x->kd->opt.filter;
	struct chart c = { .x = x };
	struct kd_visit visit;
	int ret = boot_begin(&c.b, x->kd, &visit, err);

	ret = ret ? : kd_walk(x->kd, &visit, err);
	ret = ret ? : boot_end(&c.b, err);
	if (!ret) {
		c.from = f->from_ns > c.b.start ? f->from_ns : c.b.start;
		c.to = f->to_ns < c.b.end ? f->to_ns : c.b.end;
		if (c.from >= c.to)
			ret = kfi_err_set(err, EINVAL, "nothing of the boot is between --from and --to");
		else if (boot_lines(&c.b) || put_chart(&c))
			ret = kfi_err_set(err, ENOMEM, "out of memory");
	}
	free(c.task);
	boot_free(&c.b);
	return ret;
}
