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

/* Shown of what is wrong, and of the calls below the first of these. */
#define MAX_SHOWN	6
#define MAX_BELOW	40

struct call {
	const struct tl_row *row;
	int64_t below;		/* Delta - Off of the calls directly below */
	int64_t irq;		/* what they say of interrupts */
	int64_t off;
	int nr;			/* how many they are */
	bool vague;		/* one of them has no times */
};

/* The open calls of one thread of execution; an idle task is one per cpu. */
struct chain {
	int task, cpu;
	struct call *call;
	size_t nr, room;
};

struct sums {
	struct chain *chain;
	size_t nr, last;
	FILE *out;
	const struct tl_row *end;	/* of all rows */
	int bad;
};

/* The two levels of calls below one. */
static void show_below(const struct sums *s, const struct tl_row *up)
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

static void bad(struct sums *s, const struct call *c, const char *what, int64_t is, int64_t want)
{
	if (s->bad++ < MAX_SHOWN && s->out)
		fprintf(s->out, "times: %s of task %d, depth %d, ctx %c, entry %" PRIu64
			" ns, %d calls below: %s %" PRId64 ", the rows say %" PRId64 "\n",
			c->row->func, c->row->task, c->row->depth, c->row->ctx, c->row->entry_ns,
			c->nr, what, is, want);
	if (s->bad == 1 && s->out)
		show_below(s, c->row);
}

static bool off_by(int64_t a, int64_t b, int64_t most)
{
	return a - b > most || b - a > most;
}

/* Nothing comes below this call any more: judge it, then count it for the one above. */
static void close_call(struct sums *s, struct chain *t)
{
	const struct call *c = &t->call[--t->nr];
	const struct tl_row *r = c->row;
	struct call *up = t->nr ? &t->call[t->nr - 1] : NULL;
	/* Each of the numbers is rounded by itself. */
	int64_t most = 3 * c->nr + 4;

	if (r->delta_ns < 0) {
		if (up)
			up->vague = true;
		return;
	}
	if (!c->vague) {
		if (off_by(r->delta_ns - r->off_ns, r->local_ns + c->below, most))
			bad(s, c, "Delta - Off", r->delta_ns - r->off_ns, r->local_ns + c->below);
		if (r->ctx == 't' && off_by(r->irq_ns, c->irq, most))
			bad(s, c, "Irq", r->irq_ns, c->irq);
		if (c->off > r->off_ns + most)
			bad(s, c, "Off", r->off_ns, c->off);
	}
	if (!up)
		return;
	up->nr++;
	up->below += r->delta_ns - r->off_ns;
	up->off += r->off_ns;
	up->irq += r->ctx != 't' && up->row->ctx == 't' ? r->delta_ns : r->irq_ns;
}

static struct chain *chain_of(struct sums *s, const struct tl_row *r)
{
	int cpu = r->task ? -1 : r->cpu;
	struct chain *more;

	if (s->last < s->nr && s->chain[s->last].task == r->task && s->chain[s->last].cpu == cpu)
		return &s->chain[s->last];
	for (s->last = 0; s->last < s->nr; s->last++)
		if (s->chain[s->last].task == r->task && s->chain[s->last].cpu == cpu)
			return &s->chain[s->last];
	more = realloc(s->chain, (s->nr + 1) * sizeof(*more));
	if (!more)
		return NULL;
	s->chain = more;
	more[s->nr] = (struct chain) { .task = r->task, .cpu = cpu };
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
static bool depth_fits(const struct tl_row *r, const struct tl_row *p)
{
	static const char ranks[] = "tshn";
	long rank = strchr(ranks, r->ctx) - strchr(ranks, p ? p->ctx : 't');
	int gap = r->depth - (p ? p->depth : 0) - 1;

	/* What irq_exit() calls counts as the interrupt's, and another one may come to it. */
	if (!rank && r->ctx == 'h')
		rank = 1;
	return !gap || (gap > 0 && gap <= rank);
}

static bool open_call(struct sums *s, const struct tl_row *r)
{
	struct chain *t = chain_of(s, r);

	if (!t)
		return false;
	while (t->nr && !is_below(r, t->call[t->nr - 1].row))
		close_call(s, t);
	if (t->nr == t->room) {
		size_t room = t->room ? 2 * t->room : 32;
		struct call *call = realloc(t->call, room * sizeof(*call));

		if (!call)
			return false;
		t->call = call;
		t->room = room;
	}
	t->call[t->nr] = (struct call) { .row = r };
	if (!depth_fits(r, t->nr ? t->call[t->nr - 1].row : NULL))
		bad(s, &t->call[t->nr], "Depth", r->depth,
		    t->nr ? t->call[t->nr - 1].row->depth + 1 : 1);
	t->nr++;
	return true;
}

int tl_check_times(const struct tracelog *log, FILE *out)
{
	struct sums s = { .out = out, .end = log->rows + log->nr_rows };

	if (tl_num(log, "Calls filtered") || tl_num(log, "Calls lost") ||
	    tl_num(log, "Calls without time") || tl_num(log, "Calls left out") > 0)
		return 0;
	for (size_t i = 0; i < log->nr_rows; i++) {
		if (log->rows[i].marks & (TL_STACK | TL_OTHER))
			continue;
		if (!open_call(&s, &log->rows[i])) {
			s.bad++;
			break;
		}
	}
	for (size_t i = 0; i < s.nr; i++) {
		while (s.chain[i].nr)
			close_call(&s, &s.chain[i]);
		free(s.chain[i].call);
	}
	free(s.chain);
	return s.bad;
}
