// SPDX-License-Identifier: GPL-2.0
/* Adds up the calls that have the same path from the root: see kd_paths.h. */
#include <stdio.h>
#include <stdlib.h>

#include "kd_export.h"
#include "kd_paths.h"
#include "kd_walk.h"

/* Bit in the number of a function: its calls have no duration. */
#define OPEN		0x80000000u

static void add(u64 *sum, u64 v)
{
	if (__builtin_add_overflow(*sum, v, sum))
		*sum = U64_MAX;
}

static u64 less(u64 a, u64 b)
{
	return a > b ? a - b : 0;
}

static int new_path(struct kd_paths *p, struct kd_path x)
{
	if (p->n >= KD_NOBODY || kfi_grow((void **)&p->at, &p->room, p->n + 1, sizeof(*p->at)))
		return -ENOMEM;
	p->at[p->n++] = x;
	return 0;
}

/* Return true if a call below a path lies in calls of its function that have a duration. */
static bool is_recursive_path(const struct kd_paths *p, u32 path, u32 func)
{
	for (; path != KFI_NONE; path = p->at[path].parent)
		if (p->at[path].kind == KD_PATH_CALLS && p->at[path].func == func)
			return true;
	return false;
}

/* Return the number of a path, KFI_NONE: out of memory. */
static u32 path_of(struct kd_paths *p, u32 parent, u32 func, bool open)
{
	u32 *at = kfi_map_get(&p->of, (u64)parent << 32 | func | (open ? OPEN : 0), p->n);
	struct kd_path x = {
		.parent = parent, .func = func, .kind = open ? KD_PATH_OPEN : KD_PATH_CALLS,
	};

	if (!at)
		return KFI_NONE;
	if (*at < p->n)
		return *at;
	x.is_recursive = !open && is_recursive_path(p, parent, func);
	return new_path(p, x) ? KFI_NONE : p->n - 1;
}

static int add_call(void *arg, const struct kfi_tree_call *call, struct kfi_tree_place *place,
		    bool taken)
{
	const struct kfi_row *row = call->row;
	struct kd_paths *p = arg;
	u32 parent = place->parent, id;
	struct kd_path *x;

	place->frame->id = KD_NOBODY;
	if (!taken)
		return 0;
	if (parent == KFI_NONE || parent == KD_NOBODY)
		parent = row->ctx;
	id = path_of(p, parent, call->func, row->delta_ns < 0);
	if (id == KFI_NONE)
		return -ENOMEM;
	place->frame->id = id;
	x = &p->at[id];
	x->calls++;
	if (row->delta_ns < 0)
		return 0;
	add(&x->total, row->delta_ns);
	if (row->off_ns > 0)
		add(&x->off, row->off_ns);
	if (row->irq_ns > 0)
		add(&x->irq, row->irq_ns);
	if (row->local_ns > 0)
		add(&x->self, row->local_ns);
	return 0;
}

/* A historic log has no self times: the self time of a call is known when the call is over. */
static void call_over(void *arg, const struct kfi_tree_frame *f)
{
	s64 local = f->delta_ns - f->child_ns;
	struct kd_paths *p = arg;

	if (f->local_ns >= 0 || f->delta_ns < 0 || KD_NUMBER(f->id) == KD_NOBODY)
		return;
	p->kd->res.unsure |= f->unsure || local < 0;
	if (local > 0)
		add(&p->at[KD_NUMBER(f->id)].self, local);
}

static int add_part(struct kd_paths *p, u32 parent, enum kd_path_kind kind, u64 time)
{
	if (!time)
		return 0;
	return new_path(p, (struct kd_path){
		.parent = parent, .kind = kind, .total = time, .self = time,
	});
}

/*
 * Add paths for the time of a path that is neither its self time nor in the paths @below it. The
 * log rounds each number, and calls of historic logs need not nest. So the parts may be more than
 * the whole: then the self time is reduced.
 */
static int add_parts(struct kd_paths *p, u32 path, const struct kd_path *below)
{
	struct kd_path *x = &p->at[path];
	u64 off = less(x->off, below->off), irq = less(x->irq, below->irq), left;

	if (x->kind != KD_PATH_CALLS) {
		x->total = below->total;
		x->off = below->off;
		x->irq = below->irq;
		return 0;
	}
	if (x->total < below->total)
		x->total = below->total;
	left = x->total - below->total;
	if (x->self > left)
		x->self = left;
	left -= x->self;
	off = off < left ? off : left;
	left -= off;
	irq = irq < left ? irq : left;
	left -= irq;
	return add_part(p, path, KD_PATH_OFF, off) || add_part(p, path, KD_PATH_IRQ, irq) ||
	       add_part(p, path, KD_PATH_LEFT, left) ? -ENOMEM : 0;
}

/* Add up from the last path to the first: a path has a greater number than its parent. */
static int add_up(struct kd_paths *p)
{
	struct kd_path *below = calloc(p->n, sizeof(*below));
	int ret = below ? 0 : -ENOMEM;

	for (u32 i = p->n; !ret && i-- > 0;) {
		const struct kd_path *x = &p->at[i];
		u32 parent = x->parent;

		ret = add_parts(p, i, &below[i]);
		x = &p->at[i];
		if (parent == KFI_NONE)
			continue;
		add(&below[parent].total, x->total);
		add(&below[parent].off, x->off);
		add(&below[parent].irq, x->irq);
	}
	free(below);
	return ret;
}

int kd_paths_read(struct kd_paths *p, struct kfi_err *err)
{
	struct kd_visit visit = { .call = add_call, .over = call_over, .arg = p };
	int ret = 0;

	for (u32 i = 0; i < KFI_CTX_COUNT && !ret; i++)
		ret = new_path(p, (struct kd_path){
			.parent = KFI_NONE, .func = i, .kind = KD_PATH_ROOT,
		});
	if (!ret)
		ret = kd_walk(p->kd, &visit, err);
	if (!ret)
		ret = add_up(p);
	return ret == -ENOMEM ? kfi_err_set(err, ENOMEM, "out of memory") : ret;
}

u32 kd_paths_stack(struct kd_paths *p, u32 path)
{
	u32 n = 0;

	for (u32 i = path; i != KFI_NONE; i = p->at[i].parent)
		n++;
	if (kfi_grow((void **)&p->stack, &p->stack_room, n, sizeof(*p->stack)))
		return 0;
	for (u32 i = n; i-- > 0; path = p->at[path].parent)
		p->stack[i] = path;
	return n;
}

/*
 * Numbers of frames that are no function. From FRAME_FIRST on each function has two: closed and
 * open.
 */
enum { FRAME_OFF = KFI_CTX_COUNT, FRAME_IRQ, FRAME_LEFT, FRAME_FIRST };

u32 kd_path_frame(const struct kd_path *x)
{
	switch (x->kind) {
	case KD_PATH_ROOT:
		return x->func;
	case KD_PATH_OFF:
		return FRAME_OFF;
	case KD_PATH_IRQ:
		return FRAME_IRQ;
	case KD_PATH_LEFT:
		return FRAME_LEFT;
	default:
		return FRAME_FIRST + 2 * x->func + (x->kind == KD_PATH_OPEN);
	}
}

u32 kd_frames(const struct kd_paths *p)
{
	return FRAME_FIRST + 2 * p->kd->in.names.count;
}

static const char *frame_name(const struct kd_paths *p, u32 frame)
{
	static const char *const words[FRAME_FIRST] = {
		[KFI_CTX_TASK] = "(tasks)", [KFI_CTX_SOFTIRQ] = "(softirqs)",
		[KFI_CTX_HARDIRQ] = "(interrupts)", [KFI_CTX_NMI] = "(NMIs)",
		[FRAME_OFF] = KD_NAME_OFF, [FRAME_IRQ] = KD_NAME_IRQ, [FRAME_LEFT] = KD_NAME_LEFT,
	};

	return frame < FRAME_FIRST ? words[frame] :
	       p->kd->in.names.str[(frame - FRAME_FIRST) / 2].s;
}

const char *kd_path_name(const struct kd_paths *p, const struct kd_path *x)
{
	return frame_name(p, kd_path_frame(x));
}

const char *kd_frame_name(const struct kd_paths *p, u32 frame, char **open)
{
	const char *name = frame_name(p, frame);

	*open = NULL;
	if (frame < FRAME_FIRST || (frame - FRAME_FIRST) % 2 == 0)
		return name;
	return asprintf(open, "%s" KD_NAME_OPEN, name) < 0 ? NULL : *open;
}

void kd_paths_free(struct kd_paths *p)
{
	free(p->at);
	free(p->stack);
	kfi_map_free(&p->of);
}
