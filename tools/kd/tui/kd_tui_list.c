// SPDX-License-Identifier: GPL-2.0
/*
 * Makes the lists of the terminal browser (--tui): functions, callers and callees, tasks. It also
 * has the sums of calls, which trees use, too. See kd_tui.h.
 */
#include <stdlib.h>

#include "kd_tui.h"

static void add(s64 *sum, s64 v)
{
	if (*sum < 0)
		*sum = 0;
	if (__builtin_add_overflow(*sum, v, sum))
		*sum = S64_MAX;
}

void tui_sums_add(struct tui_sums *s, const struct tui_log *log, u32 call)
{
	const struct tui_call *c = &log->call[call];

	if (!s->count++)
		s->first = call;
	add(&s->least, c->delta < 0 ? c->local : c->delta);
	if (c->delta < 0)
		return;
	add(&s->total, c->delta);
	add(&s->self, c->local);
	s->unsure |= (c->marks & TUI_UNSURE) != 0;
	if (c->delta > s->max)
		s->max = c->delta;
}

int tui_sums_compare(const struct tui_sums *a, const struct tui_sums *b, enum tui_sort sort)
{
	s64 x = 0, y = 0;

	switch (sort) {
	case TUI_BY_FIRST:
		break;
	case TUI_BY_TOTAL:
		x = a->least;
		y = b->least;
		break;
	case TUI_BY_SELF:
		x = a->self;
		y = b->self;
		break;
	case TUI_BY_COUNT:
		x = (s64)a->count;
		y = (s64)b->count;
		break;
	case TUI_BY_MAX:
		x = a->max;
		y = b->max;
		break;
	}
	if (x != y)
		return x > y ? -1 : 1;
	return a->first < b->first ? -1 : a->first > b->first;
}

static int sort_rows(const void *a, const void *b, void *sort)
{
	const struct tui_sums *x = a, *y = b;

	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	return tui_sums_compare(x, y, *(enum tui_sort *)sort);
}

static int sort_tasks(const void *a, const void *b, void *sort)
{
	const struct tui_task *x = a, *y = b;

	return tui_sums_compare(&x->sums, &y->sums, *(enum tui_sort *)sort);
}

void tui_list_sort(struct tui_list *list, enum tui_sort sort)
{
	if (list->n)
		qsort_r(list->row, list->n, sizeof(*list->row), sort_rows, &sort);
}

void tui_tasks_sort(struct tui_log *log, enum tui_sort sort)
{
	if (log->ntasks)
		qsort_r(log->task, log->ntasks, sizeof(*log->task), sort_tasks, &sort);
}

static int add_row(struct tui_list *list, const struct tui_sums *s)
{
	if (kfi_grow((void **)&list->row, &list->room, list->n + 1, sizeof(*list->row)))
		return -ENOMEM;
	list->row[list->n++] = *s;
	return 0;
}

/* Add up the calls of a function. Of recursive calls only the outermost counts in the time. */
static struct tui_sums sums_of(const struct tui_log *log, u32 func)
{
	const struct kd_sum *sum = &log->sum;
	struct tui_sums s = TUI_NO_SUMS;

	s.func = func;
	s.count = sum->func[func].calls;
	s.first = log->first[func];
	s.part = TUI_SELF;
	s.unsure = sum->func[func].unsure;
	if (kd_sum_known(sum, func, 't'))
		s.total = (s64)min_t(u64, kd_sum_value(sum, func, 't'), S64_MAX);
	s.least = s.total;
	if (kd_sum_known(sum, func, 'l'))
		s.self = (s64)min_t(u64, kd_sum_value(sum, func, 'l'), S64_MAX);
	if (kd_sum_known(sum, func, 'Z'))
		s.max = (s64)min_t(u64, kd_sum_value(sum, func, 'Z'), S64_MAX);
	return s;
}

int tui_list_functions(struct tui_list *list, const struct tui_log *log)
{
	list->n = 0;
	for (u32 i = 0; i < log->sum.known; i++) {
		struct tui_sums s;

		if (!log->sum.func[i].calls || log->first[i] == KFI_NONE)
			continue;
		s = sums_of(log, i);
		if (add_row(list, &s))
			return -ENOMEM;
	}
	return 0;
}

/* Add a call to the row of a function. @row_of maps function and part to a row. */
static int count(struct tui_list *list, struct kfi_map *row_of, const struct tui_log *log,
		 enum tui_part part, u32 func, u32 call)
{
	u32 *at = kfi_map_get(row_of, (u64)part << 32 | func, list->n);
	struct tui_sums s = TUI_NO_SUMS;

	s.func = func;
	s.part = part;
	if (!at || (*at == list->n && add_row(list, &s)))
		return -ENOMEM;
	tui_sums_add(&list->row[*at], log, call);
	return 0;
}

int tui_list_butterfly(struct tui_list *list, const struct tui_log *log, u32 func)
{
	struct kfi_map row_of = { 0 };
	struct tui_sums s = sums_of(log, func);
	int ret = 0;

	list->n = 0;
	for (u32 i = log->first[func]; i < log->n && !ret; i++) {
		const struct tui_call *c = &log->call[i];
		u32 above = c->parent == KFI_NONE ? KFI_NONE : log->call[c->parent].func;

		if (c->func == func)
			ret = count(list, &row_of, log, TUI_CALLER, above, i);
		if (above == func && !ret)
			ret = count(list, &row_of, log, TUI_CALLEE, c->func, i);
	}
	kfi_map_free(&row_of);
	/* Bound self times as the tables of kd do: calls may overlap without nesting. */
	for (u32 i = 0; i < list->n; i++)
		if (list->row[i].self > list->row[i].total) {
			list->row[i].self = list->row[i].total;
			list->row[i].unsure = true;
		}
	return ret ? : add_row(list, &s);
}
