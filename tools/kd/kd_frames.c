// SPDX-License-Identifier: GPL-2.0
/* Find the thread of execution that continues: see kd_frames.h. */
#include <stdlib.h>

#include "kd_frames.h"

int kd_frames_begin(struct kd_frames *f)
{
	const struct kd_calls *c = f->calls;
	size_t n = (size_t)c->nthreads + 1;

	f->stack = malloc(n * sizeof(*f->stack));
	f->on = calloc(n, sizeof(*f->on));
	f->last = calloc(n, sizeof(*f->last));
	f->end = calloc(n, sizeof(*f->end));
	if (!f->stack || !f->on || !f->last || !f->end)
		return -ENOMEM;
	for (u32 i = 0; i < c->n; i++) {
		const struct kd_node *x = &c->node[i];

		if (!kd_node_is_shown(c, x))
			continue;
		f->last[x->thread] = i;
		if (x->delta >= 0 && x->entry + x->delta > f->end[x->thread])
			f->end[x->thread] = x->entry + x->delta;
	}
	return 0;
}

bool kd_frames_goes_on(const struct kd_frames *f, u32 thread, u32 i)
{
	return f->last[thread] >= i || (f->to_end && f->end[thread] > f->calls->node[i].entry);
}

void kd_frames_leave(struct kd_frames *f, u32 at)
{
	u32 thread = f->stack[f->n - 1];

	f->turn(f->arg, f, thread, false, at);
	f->n--;
	f->on[thread] = false;
}

static void enter(struct kd_frames *f, u32 thread, u32 at)
{
	f->turn(f->arg, f, thread, true, at);
	f->on[thread] = true;
	f->stack[f->n++] = thread;
}

void kd_frames_turn(struct kd_frames *f, u32 i)
{
	const struct kd_node *x = &f->calls->node[i];

	while (f->n && !kd_frames_goes_on(f, f->stack[f->n - 1], i))
		kd_frames_leave(f, i);
	if (f->on[x->thread])
		while (f->stack[f->n - 1] != x->thread)
			kd_frames_leave(f, i);
	if (f->n && f->stack[f->n - 1] == x->thread)
		return;
	/* A task cannot run within another one: end all threads except the ground. */
	while (x->task && f->n > 1)
		kd_frames_leave(f, i);
	enter(f, x->thread, i);
}

void kd_frames_end(struct kd_frames *f)
{
	while (f->n)
		kd_frames_leave(f, f->calls->n);
}

void kd_frames_free(struct kd_frames *f)
{
	free(f->stack);
	free(f->on);
	free(f->last);
	free(f->end);
}
