// SPDX-License-Identifier: GPL-2.0
/*
 * tracelog_times - do the times of a whole log add up, row by row? Part of the judge, tracelog.h
 *
 * In a log that nothing is missing of, each call's time is accounted for by what its own row says
 * and what the rows below it say. With a sum over the calls directly below, interrupts included:
 *
 *	Delta - Off = Local + sum of (Delta - Off)
 *	Irq         = sum of Delta of interrupts + sum of Irq of the others	(in task context)
 *	Off        >= sum of Off
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tracelog.h"

/* Limits on the mismatches that are printed, and on the calls below the first one. */
#define MAX_REPORTED	6
#define MAX_BELOW	40

struct call {
	const struct tl_row *row;
	/* Sums over the calls directly below */
	int64_t below;		/* Delta - Off */
	int64_t irq;		/* Irq, or Delta of an interrupt */
	int64_t off;		/* Off */
	int nr;			/* their number */
	bool untimed_below;	/* one of them has no times */
};

/* The open calls of one thread of execution; an idle task is one per cpu. */
struct call_stack {
	int task, cpu;
	struct call *call;
	size_t nr, room;
};

struct times_check {
	struct call_stack *stacks;
	size_t nr, last;
	FILE *out;
	const struct tl_row *end;	/* of all rows */
	int bad;
};

/* The two levels of calls below one. */
static void print_calls_below(const struct times_check *s, const struct tl_row *up)
{
	int shown = 0;

	for (const struct tl_row *r = up + 1; r < s->end && shown < MAX_BELOW &&
	     r->entry_ns < up->entry_ns + up->delta_ns; r++) {
		if (r->depth > up->depth + 2 || r->task != up->task)
			continue;
		fprintf(s->out, "times: %*s%s ctx %c entry %" PRIu64 " delta %" PRId64 " local %"
			PRId64 " off %" PRId64 " irq %" PRId64 "\n", 2 * (r->depth - up->depth),
			"", r->func, r->ctx, r->entry_ns, r->delta_ns, r->local_ns, r->off_ns,
			r->irq_ns);
		shown++;
	}
}

static void report_mismatch(struct times_check *s, const struct call *c, const char *what,
			    int64_t is, int64_t want)
{
	if (s->bad++ < MAX_REPORTED && s->out)
		fprintf(s->out, "times: %s of task %d, depth %d, ctx %c, entry %" PRIu64
			" ns, %d calls below: %s %" PRId64 ", the rows say %" PRId64 "\n",
			c->row->func, c->row->task, c->row->depth, c->row->ctx, c->row->entry_ns,
			c->nr, what, is, want);
	if (s->bad == 1 && s->out)
		print_calls_below(s, c->row);
}

static bool differs_by_more(int64_t a, int64_t b, int64_t most)
{
	return a - b > most || b - a > most;
}

/* The call has returned: check its times, then add them to those of its caller. */
static void pop_call(struct times_check *s, struct call_stack *t)
{
	const struct call *c = &t->call[--t->nr];
	const struct tl_row *r = c->row;
	struct call *up = t->nr ? &t->call[t->nr - 1] : NULL;
	/* Each of the numbers is rounded by itself. */
	int64_t most = 3 * c->nr + 4;

	if (r->delta_ns < 0) {
		if (up)
			up->untimed_below = true;
		return;
	}
	if (!c->untimed_below) {
		if (differs_by_more(r->delta_ns - r->off_ns, r->local_ns + c->below, most))
			report_mismatch(s, c, "Delta - Off", r->delta_ns - r->off_ns,
					r->local_ns + c->below);
		if (r->ctx == 't' && differs_by_more(r->irq_ns, c->irq, most))
			report_mismatch(s, c, "Irq", r->irq_ns, c->irq);
		if (c->off > r->off_ns + most)
			report_mismatch(s, c, "Off", r->off_ns, c->off);
	}
	if (!up)
		return;
	up->nr++;
	up->below += r->delta_ns - r->off_ns;
	up->off += r->off_ns;
	up->irq += r->ctx != 't' && up->row->ctx == 't' ? r->delta_ns : r->irq_ns;
}

static struct call_stack *find_call_stack(struct times_check *s, const struct tl_row *r)
{
	int cpu = r->task ? -1 : r->cpu;
	struct call_stack *more;

	if (s->last < s->nr && s->stacks[s->last].task == r->task && s->stacks[s->last].cpu == cpu)
		return &s->stacks[s->last];
	for (s->last = 0; s->last < s->nr; s->last++)
		if (s->stacks[s->last].task == r->task && s->stacks[s->last].cpu == cpu)
			return &s->stacks[s->last];
	more = realloc(s->stacks, (s->nr + 1) * sizeof(*more));
	if (!more)
		return NULL;
	s->stacks = more;
	more[s->nr] = (struct call_stack) { .task = r->task, .cpu = cpu };
	return &more[s->nr++];
}

static uint64_t exit_ns(const struct tl_row *r)
{
	return r->entry_ns + r->delta_ns;
}

/*
 * Is @r below @p? An interrupt that comes when @p's exit has been seen, but its place on the shadow
 * stack is not free yet, is deeper than @p and yet no longer within it.
 */
static bool is_below(const struct tl_row *r, const struct tl_row *p)
{
	if (p->depth >= r->depth)
		return false;
	return p->delta_ns < 0 || r->delta_ns < 0 || exit_ns(p) > r->entry_ns ||
	       exit_ns(r) <= exit_ns(p);
}

/*
 * Nothing is missing: so there is a row for each depth above. But an interrupt may come when a
 * place is taken by a call that has not been entered yet, and so may another one on top of that.
 */
static bool is_depth_possible(const struct tl_row *r, const struct tl_row *p)
{
	static const char ranks[] = "tshn";
	long rank = strchr(ranks, r->ctx) - strchr(ranks, p ? p->ctx : 't');
	int gap = r->depth - (p ? p->depth : 0) - 1;

	/* What irq_exit() calls counts as the interrupt's, and another one may come to it. */
	if (!rank && r->ctx == 'h')
		rank = 1;
	return !gap || (gap > 0 && gap <= rank);
}

static bool push_call(struct times_check *s, const struct tl_row *r)
{
	struct call_stack *t = find_call_stack(s, r);

	if (!t)
		return false;
	while (t->nr && !is_below(r, t->call[t->nr - 1].row))
		pop_call(s, t);
	if (t->nr == t->room) {
		size_t room = t->room ? 2 * t->room : 32;
		struct call *call = realloc(t->call, room * sizeof(*call));

		if (!call)
			return false;
		t->call = call;
		t->room = room;
	}
	t->call[t->nr] = (struct call) { .row = r };
	if (!is_depth_possible(r, t->nr ? t->call[t->nr - 1].row : NULL))
		report_mismatch(s, &t->call[t->nr], "Depth", r->depth,
				t->nr ? t->call[t->nr - 1].row->depth + 1 : 1);
	t->nr++;
	return true;
}

int tl_check_times(const struct tracelog *log, FILE *out)
{
	struct times_check s = { .out = out, .end = log->rows + log->nr_rows };

	if (tl_num(log, "Calls filtered") || tl_num(log, "Calls lost") ||
	    tl_num(log, "Calls without time") || tl_num(log, "Calls left out") > 0)
		return 0;
	for (size_t i = 0; i < log->nr_rows; i++) {
		if (log->rows[i].marks & (TL_STACK | TL_OTHER))
			continue;
		if (!push_call(&s, &log->rows[i])) {
			s.bad++;
			break;
		}
	}
	for (size_t i = 0; i < s.nr; i++) {
		while (s.stacks[i].nr)
			pop_call(&s, &s.stacks[i]);
		free(s.stacks[i].call);
	}
	free(s.stacks);
	return s.bad;
}
