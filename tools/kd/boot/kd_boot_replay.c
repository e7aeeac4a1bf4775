// SPDX-License-Identifier: GPL-2.0
/* Replays a boot from its start, without the time that a function took. See kd_boot_without.h. */
#include <stdlib.h>

#include "kd_boot_without.h"

/**
 * struct anchor - a moment of a task in the log, and the same moment in the replay
 * @at: time in the log
 * @now: time in the replay
 * @runs: the task runs from there on
 */
struct anchor {
	s64 at;
	s64 now;
	bool runs;
};

/**
 * struct point - a moment that matters to the replay and is no event
 * @at: time in the log
 * @call: work that ends, or a call that waited for some; KFI_NONE: a task is seen first
 * @task: the task
 */
struct point {
	s64 at;
	u32 call;
	u32 task;
};

BOOT_LIST(points, struct point);

/**
 * struct done - the latest work of a kind that was done in the replay
 * @now: when it ended, in the replay
 * @task: the task that did it
 */
struct done {
	s64 now;
	u32 task;
};

/**
 * struct replay - state of the replay
 * @b: the boot
 * @cuts: the time that the function took
 * @doubts: enum boot_doubt
 * @when: by event: its time in the replay
 * @next: by wake-up of a thread without work: the first wake-up that the thread did then, KFI_NONE:
 *	none
 * @anchor: by task: its latest anchor
 * @point: moments that are no events, in order of time
 * @done: by role of the function that does the work: the latest work
 * @longer: waits of task 1 that are longer than in the log, or NULL
 */
struct replay {
	struct kd_boot *b;
	const struct boot_cuts *cuts;
	unsigned int doubts;
	s64 *when;
	u32 *next;
	struct anchor *anchor;
	struct points point;
	struct done done[BOOT_ROLES];
	struct boot_longers *longer;
};

static const struct boot_event *event(const struct replay *r, u32 i)
{
	return &r->b->event.at[i];
}

/* Return the new time at which a task reaches a moment of the log where it runs or waits. */
static s64 time_of(const struct replay *r, u32 task, s64 at)
{
	const struct anchor *a = &r->anchor[task];

	if (at <= a->at)
		return a->now;
	return a->now + (at - a->at) - boot_spans_in(&r->cuts->task[task], a->at, at);
}

static void set_anchor(struct replay *r, u32 task, s64 at, s64 now)
{
	r->anchor[task].at = at;
	r->anchor[task].now = now;
}

/* Return how long a wait for a CPU is, in which other tasks work on that CPU. */
static s64 cpu_wait(const struct replay *r, u32 cpu, s64 from, s64 to)
{
	return from < to ? to - from - boot_spans_in(&r->cuts->cpu[cpu], from, to) : 0;
}

/*
 * Return how long a preempted task waits for the CPU that it left. In the log another CPU may have
 * taken the task later. Without the function one of the two would have been free earlier.
 */
static s64 preempted_wait(const struct replay *r, const struct boot_event *e, u32 out)
{
	s64 from = event(r, out)->at, wait = cpu_wait(r, e->cpu, from, e->at);
	u32 in = event(r, out)->prev;

	while (in != KFI_NONE && event(r, in)->kind == BOOT_WAKE)
		in = event(r, in)->prev;
	if (in == KFI_NONE || event(r, in)->kind != BOOT_IN)
		return wait;
	return min_t(s64, wait, cpu_wait(r, event(r, in)->cpu, from, e->at));
}

/* Return true if a task was in the function all of a time. */
static bool is_cut(const struct replay *r, u32 task, s64 from, s64 to)
{
	return from < to && boot_spans_in(&r->cuts->task[task], from, to) == to - from;
}

/* Return true if a wake-up is the first one to find its task asleep. @out: set to its switch-out */
static bool ends_sleep(const struct replay *r, u32 i, u32 *out)
{
	*out = event(r, i)->prev;
	return *out != KFI_NONE && event(r, *out)->kind == BOOT_BLOCKS &&
	       r->b->task.at[event(r, i)->task].pid;
}

/* Finds for each wake-up of a thread without work the first wake-up that the thread does then. */
static int find_next(struct replay *r)
{
	struct kd_boot *b = r->b;
	u32 *pending = malloc((b->task.n + 1) * sizeof(*pending)), out;

	if (!pending)
		return -ENOMEM;
	for (u32 i = 0; i < b->task.n; i++)
		pending[i] = KFI_NONE;
	for (u32 i = 0; i < b->event.n; i++) {
		const struct boot_event *e = &b->event.at[i];

		r->next[i] = KFI_NONE;
		if (e->kind == BOOT_BLOCKS && boot_waited_for_work(b, i))
			pending[e->task] = KFI_NONE;
		if (e->kind != BOOT_WAKE)
			continue;
		if (!boot_is_by_interrupt(b, e) && pending[e->other] != KFI_NONE) {
			r->next[pending[e->other]] = i;
			pending[e->other] = KFI_NONE;
		}
		if (ends_sleep(r, i, &out) && boot_waited_for_work(b, out))
			pending[e->task] = i;
	}
	free(pending);
	return 0;
}

/* Return the task for which a thread without work was woken; task 1 if the log does not tell. */
static u32 client_of(const struct replay *r, u32 wake)
{
	u32 i = r->next[wake], out;

	while (i != KFI_NONE && ends_sleep(r, i, &out) && boot_waited_for_work(r->b, out))
		i = r->next[i];
	return i == KFI_NONE ? r->b->init_task : event(r, i)->task;
}

/* Return when an interrupt ends the sleep of a task. */
static s64 wake_by_interrupt(const struct replay *r, u32 i, u32 out)
{
	const struct boot_event *e = event(r, i);
	s64 now;

	if (!boot_waited_for_work(r->b, out))
		return time_of(r, e->task, e->at);
	now = time_of(r, client_of(r, i), e->at);
	return now > r->when[out] ? now : r->when[out];
}

static void replay_wake(struct replay *r, u32 i)
{
	const struct boot_event *e = event(r, i);
	bool by_interrupt = boot_is_by_interrupt(r->b, e);
	u32 out;

	if (ends_sleep(r, i, &out)) {
		r->when[i] = by_interrupt ? wake_by_interrupt(r, i, out) :
					    time_of(r, e->other, e->at);
		return;
	}
	r->when[i] = time_of(r, by_interrupt ? e->task : e->other, e->at);
	/* If the task ran, it had no reason to wait: the event was there before the wait. */
	if (r->doubts & BOOT_DOUBT_JOIN && !by_interrupt && r->anchor[e->task].runs &&
	    r->when[i] > time_of(r, e->task, e->at))
		set_anchor(r, e->task, e->at, r->when[i]);
}

static int add_longer(struct replay *r, u32 task, s64 at, s64 more, u32 call, u32 by)
{
	if (!r->longer || task != r->b->init_task || more <= 0)
		return 0;
	if (boot_grow(r->longer))
		return -ENOMEM;
	r->longer->at[r->longer->n++] = (struct boot_longer){ at, more, call, by };
	return 0;
}

/* Return when a task is switched in that slept, or waited for a CPU, since @out. */
static s64 end_of_wait(const struct replay *r, const struct boot_event *e, u32 out, u32 wake)
{
	const struct boot_event *o = event(r, out);
	s64 from = r->when[out], now;

	if (o->kind == BOOT_IN)
		return time_of(r, e->task, e->at);
	if (is_cut(r, e->task, o->at, e->at)) {
		/* In the function the task waits at most for the work of others on its CPU. */
		if (!(r->doubts & BOOT_DOUBT_CPU))
			return from;
		return from + boot_spans_in(&r->cuts->busy[e->cpu], o->at, e->at) -
		       boot_spans_in(&r->cuts->cpu[e->cpu], o->at, e->at);
	}
	if (o->kind == BOOT_STAYS)
		return from + preempted_wait(r, e, out);
	if (o->kind != BOOT_BLOCKS || wake == KFI_NONE || !r->b->task.at[e->task].pid)
		return from + cpu_wait(r, e->cpu, o->at, e->at);
	now = r->when[wake] + cpu_wait(r, e->cpu, event(r, wake)->at, e->at);
	return now > from ? now : from;
}

/* Return the latest switch of a task up to event @last. @wake: set to the first wake-up after it */
static u32 last_switch(const struct replay *r, u32 last, u32 *wake)
{
	*wake = KFI_NONE;
	for (; last != KFI_NONE && event(r, last)->kind == BOOT_WAKE; last = event(r, last)->prev)
		*wake = last;
	return last;
}

static int replay_in(struct replay *r, u32 i)
{
	const struct boot_event *e = event(r, i), *o;
	u32 wake, out = last_switch(r, e->prev, &wake);

	if (out == KFI_NONE && wake == KFI_NONE) {
		r->when[i] = time_of(r, e->task, e->at);
		return 0;
	}
	if (out == KFI_NONE) {
		r->when[i] = r->when[wake] + cpu_wait(r, e->cpu, event(r, wake)->at, e->at);
		return 0;
	}
	o = event(r, out);
	r->when[i] = end_of_wait(r, e, out, wake);
	return add_longer(r, e->task, e->at, r->when[i] - r->when[out] - (e->at - o->at),
			  boot_waits_in(r->b, boot_around(r->b, o->call, o->at, 0)),
			  wake == KFI_NONE ? KFI_NONE : event(r, wake)->other);
}

static int replay_event(struct replay *r, u32 i)
{
	const struct boot_event *e = event(r, i);
	int ret = 0;

	if (e->kind == BOOT_WAKE) {
		replay_wake(r, i);
		return 0;
	}
	if (e->kind == BOOT_IN)
		ret = replay_in(r, i);
	else
		r->when[i] = time_of(r, e->kind == BOOT_NEW ? e->other : e->task, e->at);
	set_anchor(r, e->task, e->at, r->when[i]);
	r->anchor[e->task].runs = e->kind == BOOT_IN;
	return ret;
}

static void work_ends(struct replay *r, enum boot_role role, const struct point *p)
{
	s64 now = time_of(r, p->task, p->at);

	if (now > r->done[role].now)
		r->done[role] = (struct done){ now, p->task };
}

/* Handle the return of a call that waits until all work of a kind is done. */
static int join(struct replay *r, enum boot_role work, const struct point *p)
{
	const struct boot_call *c = &r->b->call.at[p->call];
	const struct done *done = &r->done[work];
	s64 now = time_of(r, p->task, p->at);

	if (now >= done->now || done->task == p->task || is_cut(r, p->task, c->entry, c->end))
		return 0;
	set_anchor(r, p->task, p->at, done->now);
	return add_longer(r, p->task, p->at, done->now - now, p->call, done->task);
}

static int replay_point(struct replay *r, const struct point *p)
{
	struct kd_boot *b = r->b;
	u32 parent = b->init_task;
	int role, ret = 0;

	if (p->call == KFI_NONE) {
		/* A task without a mark of its creation was most likely made by task 1. */
		if (p->task == parent || b->task.at[parent].first > p->at)
			parent = b->boot_task;
		if (p->task != b->boot_task)
			set_anchor(r, p->task, p->at, time_of(r, parent, p->at));
		return 0;
	}
	role = boot_role(b, b->call.at[p->call].func);
	if (role == BOOT_IS_ASYNC || role == BOOT_IS_PROBE || role == BOOT_IS_WORK)
		work_ends(r, role, p);
	if (role == BOOT_JOINS_ASYNC || role == BOOT_JOINS_PROBE ||
	    (role == BOOT_JOINS_SOME_ASYNC && r->doubts & BOOT_DOUBT_JOIN))
		ret = join(r, BOOT_IS_ASYNC, p);
	if (role == BOOT_JOINS_PROBE && !ret)
		ret = join(r, BOOT_IS_PROBE, p);
	if (role == BOOT_JOINS_SOME_WORK && r->doubts & BOOT_DOUBT_JOIN)
		ret = join(r, BOOT_IS_WORK, p);
	return ret;
}

/* Sort by time; the beginning of a task before its calls, and work before the calls around it. */
static int by_time(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	if (x->call != y->call)
		return x->call > y->call ? -1 : 1;
	return x->task < y->task ? -1 : x->task > y->task;
}

static int find_points(struct replay *r)
{
	struct kd_boot *b = r->b;

	for (u32 i = 0; i < b->task.n; i++) {
		if (boot_grow(&r->point))
			return -ENOMEM;
		r->point.at[r->point.n++] = (struct point){ b->task.at[i].first, KFI_NONE, i };
	}
	for (u32 i = 0; i < b->call.n; i++) {
		const struct boot_call *c = &b->call.at[i];

		if (!boot_is_join(boot_role(b, c->func)) || c->is_open || c->end > b->end)
			continue;
		if (boot_grow(&r->point))
			return -ENOMEM;
		r->point.at[r->point.n++] = (struct point){ c->end, i, c->task };
	}
	qsort(r->point.at, r->point.n, sizeof(*r->point.at), by_time);
	return 0;
}

static int replay(struct replay *r)
{
	struct kd_boot *b = r->b;
	u32 p = 0;
	int ret = 0;

	for (u32 i = 0; i < b->task.n; i++)
		r->anchor[i] = (struct anchor){ b->start, b->start, false };
	for (u32 i = 0; i < BOOT_ROLES; i++)
		r->done[i] = (struct done){ b->start, KFI_NONE };
	for (u32 i = 0; i < b->event.n && !ret; i++) {
		for (; p < r->point.n && r->point.at[p].at <= event(r, i)->at && !ret; p++)
			ret = replay_point(r, &r->point.at[p]);
		ret = ret ? : replay_event(r, i);
	}
	for (; p < r->point.n && !ret; p++)
		ret = replay_point(r, &r->point.at[p]);
	return ret;
}

int boot_replay(struct kd_boot *b, const struct boot_cuts *c, unsigned int doubts, s64 *end,
		struct boot_longers *longer)
{
	struct replay r = { .b = b, .cuts = c, .doubts = doubts, .longer = longer };
	int ret = -ENOMEM;

	r.when = malloc((b->event.n + 1) * sizeof(*r.when));
	r.next = malloc((b->event.n + 1) * sizeof(*r.next));
	r.anchor = malloc((b->task.n + 1) * sizeof(*r.anchor));
	if (r.when && r.next && r.anchor && !find_points(&r) && !find_next(&r))
		ret = replay(&r);
	if (!ret)
		*end = time_of(&r, b->end_task, b->end);
	free(r.when);
	free(r.next);
	free(r.anchor);
	free(r.point.at);
	return ret;
}
