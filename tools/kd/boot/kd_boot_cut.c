// SPDX-License-Identifier: GPL-2.0
/*
 * Finds how long each task and each CPU of a boot was in a function, and when CPUs were busy. See
 * kd_boot_without.h.
 */
#include <stdlib.h>

#include "kd_boot_without.h"

/*
 * Add a period to a list. Periods come in order of their begin; only what is beyond the last
 * counts.
 */
static int add_span(struct boot_spans *l, s64 from, s64 to)
{
	const struct boot_span *last = l->n ? &l->at[l->n - 1] : NULL;

	if (last && from < last->to)
		from = last->to;
	if (from >= to)
		return 0;
	if (boot_grow(l))
		return -ENOMEM;
	last = l->n ? &l->at[l->n - 1] : NULL;
	l->at[l->n++] = (struct boot_span){
		.from = from, .to = to, .before = last ? last->before + last->to - last->from : 0,
	};
	return 0;
}

/* Return the number of periods that begin before @at. */
static u32 spans_before(const struct boot_spans *l, s64 at)
{
	u32 low = 0, high = l->n;

	while (low < high) {
		u32 mid = low + (high - low) / 2;

		if (l->at[mid].from < at)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Return the sum of all periods of a list up to @at. */
static s64 sum_until(const struct boot_spans *l, s64 at)
{
	u32 n = spans_before(l, at);
	const struct boot_span *x;

	if (!n)
		return 0;
	x = &l->at[n - 1];
	return x->before + (at < x->to ? at : x->to) - x->from;
}

s64 boot_spans_in(const struct boot_spans *l, s64 from, s64 to)
{
	return l->n && from < to ? sum_until(l, to) - sum_until(l, from) : 0;
}

/* Add a period in which a task ran on a CPU. */
static int add_run(const struct kd_boot *b, struct boot_cuts *c, u32 task, u32 cpu, s64 from,
		   s64 to)
{
	const struct boot_spans *cut = &c->task[task];
	const struct boot_task *t = &b->task.at[task];
	s64 busy_to = to;
	u32 i = spans_before(cut, from);

	if (!t->pid && t->idle_from < busy_to)
		busy_to = t->idle_from;
	if (add_span(&c->busy[cpu], from, busy_to))
		return -ENOMEM;
	/* The period before may reach into this one. */
	for (i -= i > 0; i < cut->n && cut->at[i].from < to; i++) {
		const struct boot_span *x = &cut->at[i];

		if (add_span(&c->cpu[cpu], max_t(s64, from, x->from), min_t(s64, to, x->to)))
			return -ENOMEM;
	}
	return 0;
}

/* Add what ran on each CPU, from each switch to the next one of the same CPU. */
static int add_runs(const struct kd_boot *b, struct boot_cuts *c)
{
	u32 *in = malloc((b->cpus + 1) * sizeof(*in));
	int ret = in ? 0 : -ENOMEM;

	for (u32 i = 0; in && i < b->cpus; i++)
		in[i] = KFI_NONE;
	for (u32 i = 0; i < b->event.n && !ret; i++) {
		const struct boot_event *e = &b->event.at[i], *from;

		if (e->kind != BOOT_IN)
			continue;
		from = in[e->cpu] == KFI_NONE ? NULL : &b->event.at[in[e->cpu]];
		in[e->cpu] = i;
		/*
		 * If @from is set, the event before is the switch-out of the idle task that has
		 * started the CPU.
		 */
		if (from)
			ret = add_run(b, c, from->task, e->cpu, from->at, e->at);
		else if (!b->task.at[e[-1].task].pid)
			ret = add_run(b, c, e[-1].task, e->cpu, b->task.at[e[-1].task].first,
				      e->at);
	}
	for (u32 i = 0; i < b->cpus && !ret; i++)
		ret = add_run(b, c, b->event.at[in[i]].task, i, b->event.at[in[i]].at, b->end);
	free(in);
	return ret;
}

int boot_cuts_make(struct kd_boot *b, struct boot_cuts *c)
{
	c->task = calloc(b->task.n + 1, sizeof(*c->task));
	c->cpu = calloc(b->cpus + 1, sizeof(*c->cpu));
	c->busy = calloc(b->cpus + 1, sizeof(*c->busy));
	if (!c->task || !c->cpu || !c->busy)
		return -ENOMEM;
	/* The list of calls is in order of entry. */
	for (u32 i = 0; i < b->removed.n; i++) {
		const struct boot_removed *x = &b->removed.at[i];
		s64 to = x->call == KFI_NONE ? x->to : b->call.at[x->call].end;

		if (add_span(&c->task[x->task], x->from, to < b->end ? to : b->end))
			return -ENOMEM;
	}
	return add_runs(b, c);
}

void boot_cuts_free(const struct kd_boot *b, struct boot_cuts *c)
{
	for (u32 i = 0; c->task && i < b->task.n; i++)
		free(c->task[i].at);
	for (u32 i = 0; c->cpu && i < b->cpus; i++)
		free(c->cpu[i].at);
	for (u32 i = 0; c->busy && i < b->cpus; i++)
		free(c->busy[i].at);
	free(c->task);
	free(c->cpu);
	free(c->busy);
}
