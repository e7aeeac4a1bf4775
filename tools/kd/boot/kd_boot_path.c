// SPDX-License-Identifier: GPL-2.0
/*
 * The critical path of a boot: walks back from its end through the events of tasks. kd_boot_path.h
 * explains the walk. Pieces are found from the last to the first.
 */
#include <stdlib.h>

#include "kd_boot.h"

/**
 * struct waiter - a task that waited for the task in which the walk is, or for a waiter before it
 * @out: the event with which it was switched out
 * @cause: what it waited for, if the walk only looks why that was late; else BOOT_KINDS
 * @by: the function that stands for @cause
 */
struct waiter {
	u32 out;
	enum boot_kind cause;
	u32 by;
};

BOOT_LIST(waiters, struct waiter);

/**
 * struct walk - state of the walk
 * @b: the boot
 * @piece: the pieces, from the last to the first
 * @from: the time at which the path begins
 * @at: the time that the walk has reached; what is later has been found
 * @task: the task for which the boot waited at @at
 * @event: the latest event of @task until @at, KFI_NONE: none
 * @call: the latest listed call of @task until @at
 * @place: the event that led to @at; each step leads to an earlier one
 * @gap: number of gaps that begin before @at
 * @waiter: the tasks through which the walk came: each waited for the next one, the last one for
 *	@task
 * @is_off: @task did not run at @at
 * @is_done: @from has been reached
 * @failed: an allocation failed
 */
struct walk {
	struct kd_boot *b;
	struct boot_pieces *piece;
	s64 from;
	s64 at;
	u32 task;
	u32 event;
	u32 call;
	u32 place;
	u32 gap;
	struct waiters waiter;
	bool is_off;
	bool is_done;
	bool failed;
};

static const struct boot_event *event(const struct walk *w, u32 i)
{
	return &w->b->event.at[i];
}

static bool is_wake(const struct walk *w, u32 i)
{
	return i != KFI_NONE && event(w, i)->kind == BOOT_WAKE;
}

/* Return true if a task ran after its event @last. */
static bool is_running(const struct walk *w, u32 last)
{
	while (is_wake(w, last))
		last = event(w, last)->prev;
	return last == KFI_NONE || event(w, last)->kind == BOOT_IN;
}

/* Make a piece of the time from @from to @w->at, and go back to @from. */
static void cut_off(struct walk *w, s64 from, const struct boot_piece *p, enum boot_kind kind)
{
	struct boot_piece x = *p;

	if (from >= w->at || w->failed)
		return;
	x.from = from;
	x.to = w->at;
	x.kind = kind;
	w->at = from;
	if (boot_grow(w->piece))
		w->failed = true;
	else
		w->piece->at[w->piece->n++] = x;
}

/*
 * Make pieces of the time from @from to @w->at, and go back to @from. Where rows are missing the
 * kind is unknown.
 */
static void add_piece(struct walk *w, s64 from, enum boot_kind kind, u32 task, u32 call, u32 by)
{
	const struct boot_piece p = { .task = task, .call = call, .by = by };
	const struct kd_boot *b = w->b;

	if (from < w->from)
		from = w->from;
	for (; w->gap; w->gap--) {
		const struct boot_gap *g = &b->gap.at[w->gap - 1];

		if (g->to <= from)
			break;
		cut_off(w, g->to, &p, kind);
		cut_off(w, from > g->from ? from : g->from, &p, BOOT_UNKNOWN);
		if (from > g->from)
			break;
	}
	cut_off(w, from, &p, kind);
	w->is_done |= w->at <= w->from || w->failed;
}

static void add_own(struct walk *w, s64 from, enum boot_kind kind)
{
	add_piece(w, from, kind, w->task, w->call, KFI_NONE);
}

/* Continue in a task at the time at which it was switched out: it ran before that. */
static void go_on_before(struct walk *w, u32 out)
{
	w->task = event(w, out)->task;
	w->event = event(w, out)->prev;
	w->call = event(w, out)->call;
	w->place = out;
}

/* Continue in the task that woke or made another one. */
static void go_on_in_other(struct walk *w, u32 i)
{
	w->task = event(w, i)->other;
	w->event = event(w, i)->other_event;
	w->call = event(w, i)->other_call;
	w->place = i;
}

static void add_waiter(struct walk *w, u32 out, enum boot_kind cause, u32 by)
{
	/* A thread without work waits for nothing: another task waits for its work. */
	if (boot_waited_for_work(w->b, out))
		return;
	if (boot_grow(&w->waiter)) {
		w->failed = true;
		w->is_done = true;
		return;
	}
	w->waiter.at[w->waiter.n++] = (struct waiter){ out, cause, by };
}

/*
 * Continue at @w->at in the task that waited for this one. If that task already waited, the time
 * since then has this kind. Else it was at work: continue with what it did.
 */
static void return_to_waiter(struct walk *w, enum boot_kind kind, u32 by)
{
	struct waiter x;
	u32 last;

	if (!w->waiter.n) {
		add_own(w, w->from, BOOT_UNKNOWN);
		w->is_done = true;
		return;
	}
	x = w->waiter.at[--w->waiter.n];
	w->task = event(w, x.out)->task;
	w->call = event(w, x.out)->call;
	for (last = x.out; last != KFI_NONE && last >= w->place; last = event(w, last)->prev)
		w->call = event(w, last)->call;
	w->event = last;
	if (last != KFI_NONE && event(w, last)->kind == BOOT_BLOCKS) {
		if (x.cause != BOOT_KINDS) {
			kind = x.cause;
			by = x.by;
		}
		add_piece(w, event(w, last)->at, kind, w->task, w->call, by);
		go_on_before(w, last);
	} else {
		w->is_off = !is_running(w, last);
	}
}

/* Handle a task of which nothing is known before this moment. */
static void no_history(struct walk *w)
{
	struct kd_boot *b = w->b;
	const struct boot_task *t = &b->task.at[w->task];

	if (w->task == b->boot_task) {
		add_own(w, w->from, BOOT_RAN);
		w->is_done = true;
	} else if (!t->pid) {
		add_own(w, t->first, BOOT_RAN);
		return_to_waiter(w, BOOT_CPU_UP, KFI_NONE);
	} else if (w->task == b->init_task && !b->has_wakeups) {
		/* The first task made it, and has not slept before that. */
		w->task = b->boot_task;
		w->event = KFI_NONE;
		w->call = b->task.at[b->boot_task].call;
	} else {
		return_to_waiter(w, BOOT_UNKNOWN, KFI_NONE);
	}
}

static bool is_softirq_thread(const struct walk *w, u32 task)
{
	static const char name[] = "ksoftirqd/";
	u32 n = w->b->task.at[task].name;

	return n != KFI_NONE && !strncmp(w->b->words.str[n].s, name, strlen(name));
}

/* Handle a task that was switched out and that an interrupt woke. */
static void woken_by_interrupt(struct walk *w, u32 wake, u32 out)
{
	const struct boot_event *e = event(w, wake);

	w->place = wake;
	if (w->waiter.n && boot_waited_for_work(w->b, out)) {
		return_to_waiter(w, e->cause, e->by);
		return;
	}
	add_piece(w, event(w, out)->at, e->cause, event(w, out)->task, event(w, out)->call, e->by);
	go_on_before(w, out);
}

/* Find why a task was woken that had been switched out. */
static void look_at_wakeup(struct walk *w, u32 wake, u32 out)
{
	const struct boot_event *e = event(w, wake);

	if (e->ctx == KFI_CTX_SOFTIRQ && is_softirq_thread(w, e->other)) {
		w->place = wake;
		add_waiter(w, out, e->cause, e->by);
		go_on_in_other(w, wake);
	} else if (boot_is_by_interrupt(w->b, e)) {
		woken_by_interrupt(w, wake, out);
	} else {
		w->place = wake;
		add_waiter(w, out, BOOT_KINDS, KFI_NONE);
		go_on_in_other(w, wake);
	}
}

/* Handle a task that was switched in, and no mark says when it was switched out before. */
static void first_wakeup(struct walk *w, u32 wake)
{
	const struct boot_event *e;

	if (wake == KFI_NONE) {
		no_history(w);
		return;
	}
	e = event(w, wake);
	add_own(w, e->at, BOOT_RUNNABLE);
	w->place = wake;
	if (boot_is_by_interrupt(w->b, e))
		return_to_waiter(w, BOOT_UNKNOWN, KFI_NONE);
	else
		go_on_in_other(w, wake);
}

/*
 * Find why a task was not running before now, and since when. It was switched in now, or still
 * waits for that. @last: its latest event before now.
 */
static void look_before(struct walk *w, u32 last)
{
	const struct kd_boot *b = w->b;
	const struct boot_event *e;
	u32 wake = KFI_NONE, out;

	for (out = last; is_wake(w, out); out = event(w, out)->prev)
		wake = out;
	if (out == KFI_NONE) {
		first_wakeup(w, wake);
		return;
	}
	e = event(w, out);
	w->call = e->call;
	if (e->kind == BOOT_IN) {
		add_own(w, e->at, BOOT_UNKNOWN);
		w->event = out;
	} else if (e->kind == BOOT_NEW) {
		add_own(w, e->at, BOOT_RUNNABLE);
		go_on_in_other(w, out);
	} else if (e->kind == BOOT_STAYS || !b->task.at[e->task].pid) {
		/* An idle task never blocks. */
		add_own(w, e->at, BOOT_PREEMPTED);
		go_on_before(w, out);
	} else if (wake != KFI_NONE) {
		add_own(w, event(w, wake)->at, BOOT_RUNNABLE);
		look_at_wakeup(w, wake, out);
	} else if (!b->has_wakeups) {
		add_own(w, e->at, BOOT_WAITED);
		go_on_before(w, out);
	} else {
		/* The task was woken on its way out, or the mark is lost. */
		bool woken = is_wake(w, e->prev) && !b->kd->in.head.marks_lost;

		add_own(w, e->at, woken ? BOOT_RUNNABLE : BOOT_UNKNOWN);
		go_on_before(w, out);
	}
}

/* Take one step back. */
static void step(struct walk *w)
{
	u32 last = w->event;
	const struct boot_event *e;

	if (w->is_off) {
		w->is_off = false;
		look_before(w, last);
		return;
	}
	/* A wake-up of a task that runs has no effect. */
	while (is_wake(w, last))
		last = event(w, last)->prev;
	if (last == KFI_NONE) {
		no_history(w);
		return;
	}
	e = event(w, last);
	if (e->kind == BOOT_IN) {
		add_own(w, e->at, e->is_cut ? BOOT_UNKNOWN : BOOT_RAN);
		look_before(w, e->prev);
		return;
	}
	/* The task ran, because it did something, but no mark tells since when. */
	add_own(w, e->at, BOOT_UNKNOWN);
	if (e->kind == BOOT_NEW)
		go_on_in_other(w, last);
	else
		go_on_before(w, last);
}

/* Start the walk at the end of the boot or of the log. Then the task need not be running. */
static void begin_at_end(struct walk *w)
{
	struct kd_boot *b = w->b;
	const struct boot_task *t = &b->task.at[b->end_task];
	u32 last = t->event;
	bool woken = false;

	w->task = b->end_task;
	w->event = t->event;
	w->call = t->call;
	if (b->kd->in.head.marks_lost && b->last_mark >= 0)
		add_own(w, b->last_mark, BOOT_UNKNOWN);
	for (; is_wake(w, last); last = event(w, last)->prev)
		woken = true;
	if (b->is_over || last == KFI_NONE || event(w, last)->kind == BOOT_IN)
		return;
	if (event(w, last)->kind != BOOT_BLOCKS || woken) {
		w->is_off = true;
		return;
	}
	add_own(w, event(w, last)->at, BOOT_WAITED);
	go_on_before(w, last);
}

/* Make the path of a log without marks. */
static void path_of_rows(struct walk *w)
{
	struct kd_boot *b = w->b;

	if (b->init_task != KFI_NONE) {
		w->task = b->init_task;
		w->call = b->task.at[b->init_task].call;
		add_own(w, b->task.at[b->init_task].first, BOOT_MIXED);
	}
	w->task = b->boot_task;
	w->call = b->task.at[b->boot_task].call;
	/* There is no other task for which it could have waited. */
	add_own(w, b->start, b->init_task == KFI_NONE ? BOOT_MIXED : BOOT_RAN);
}

static void reverse(struct kd_boot *b)
{
	for (u32 i = 0, k = b->piece.n; i + 1 < k; i++) {
		struct boot_piece x = b->piece.at[i];

		b->piece.at[i] = b->piece.at[--k];
		b->piece.at[k] = x;
	}
}

/* Return the latest event of a task up to a time, KFI_NONE: none. */
static u32 last_event(const struct kd_boot *b, u32 task, s64 at)
{
	u32 low = 0, high = b->event.n;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (b->event.at[mid].at <= at)
			low = mid + 1;
		else
			high = mid;
	}
	while (low && b->event.at[low - 1].task != task)
		low--;
	return low ? low - 1 : KFI_NONE;
}

int boot_path_of_call(struct kd_boot *b, u32 call, struct boot_pieces *piece)
{
	const struct boot_call *c = &b->call.at[call];
	struct walk w = {
		.b = b, .piece = piece, .from = c->entry, .at = c->end, .task = c->task,
		.call = call, .place = KFI_NONE, .gap = b->gap.n,
	};

	w.event = last_event(b, c->task, c->end);
	w.is_done = c->end <= c->entry || w.event == KFI_NONE;
	while (w.gap && b->gap.at[w.gap - 1].from >= c->end)
		w.gap--;
	while (!w.is_done)
		step(&w);
	free(w.waiter.at);
	return w.failed ? -ENOMEM : 0;
}

int boot_path(struct kd_boot *b)
{
	struct walk w = {
		.b = b, .piece = &b->piece, .from = b->start, .at = b->end, .place = KFI_NONE,
		.gap = b->gap.n,
	};

	w.is_done = b->end <= b->start;
	if (!b->has_switches || b->end_task == KFI_NONE) {
		path_of_rows(&w);
	} else {
		begin_at_end(&w);
		while (!w.is_done)
			step(&w);
	}
	reverse(b);
	free(w.waiter.at);
	return w.failed ? -ENOMEM : 0;
}
