// SPDX-License-Identifier: GPL-2.0
/*
 * Makes the lines of a boot's critical path: cuts its pieces where long calls begin and end, and
 * folds short pieces into one line. The more lines there would be, the longer a line must be. See
 * kd_boot_path.h.
 */
#include <stdlib.h>

#include "kd_boot.h"

/* Largest number of lines. */
#define LINES		40

/* A part that is shorter than this fraction of the threshold gets no line of its own. */
#define CRUMB		20

/**
 * struct lines - state while lines are made
 * @b: the boot
 * @part: pieces, cut at long calls
 * @init: the calls that task 0, and then task 1, was in, also while the path is in other tasks
 * @at: part of @init that was looked up last
 * @out_of_memory: an allocation failed
 */
struct lines {
	struct kd_boot *b;
	struct boot_pieces part;
	struct boot_pieces init;
	u32 at;
	bool out_of_memory;
};

static s64 length_of(const struct boot_call *c)
{
	return c->end - c->entry;
}

u32 boot_around(const struct kd_boot *b, u32 call, s64 at, s64 length)
{
	const struct boot_call *c = b->call.at;

	while (call != KFI_NONE && c[call].entry >= at)
		call = c[call].prev;
	while (call != KFI_NONE && (c[call].end < at || length_of(&c[call]) < length))
		call = c[call].parent;
	return call;
}

/* Find the calls that are long enough for a line; functions of the scheduler are skipped. */
static void find_long(struct kd_boot *b)
{
	for (u32 i = 0; i < b->call.n; i++) {
		struct boot_call *c = &b->call.at[i];

		c->longer = i;
		if (length_of(c) < b->threshold || boot_role(b, c->func) == BOOT_IS_SLEEP)
			c->longer = c->prev == KFI_NONE ? KFI_NONE : b->call.at[c->prev].longer;
	}
}

static void add_to(struct lines *l, struct boot_pieces *list, const struct boot_piece *p)
{
	if (boot_grow(list))
		l->out_of_memory = true;
	else
		list->at[list->n++] = *p;
}

/* Cut off the last part of a piece that lies in one call, or in none. Return: that call. */
static u32 cut_last(const struct kd_boot *b, u32 *call, s64 to, s64 *from)
{
	const struct boot_call *c = b->call.at;
	u32 in = *call;

	while (in != KFI_NONE && (c[in].longer != in || c[in].entry >= to))
		in = c[in].longer != in ? c[in].longer : c[in].prev;
	*call = in;
	/* Calls that ended before the piece do not contain it: go up to the first that does. */
	for (; in != KFI_NONE && c[in].end < to; in = c[in].parent)
		if (*from < c[in].end)
			*from = c[in].end;
	if (in == *call && in != KFI_NONE && *from < c[in].entry)
		*from = c[in].entry;
	return in;
}

/* Cut a piece at long calls. Its parts are added from the last to the first. */
static void cut(struct lines *l, const struct boot_piece *p, struct boot_pieces *list)
{
	struct boot_piece x = *p;
	u32 call = p->call;

	while (x.to > p->from && !l->out_of_memory) {
		x.from = p->from;
		x.call = cut_last(l->b, &call, x.to, &x.from);
		add_to(l, list, &x);
		x.to = x.from;
	}
}

/* Find the calls of task 0 and task 1, from the end to the start. */
static void cut_init(struct lines *l)
{
	struct kd_boot *b = l->b;
	struct boot_piece x = { .from = b->start, .to = b->end, .kind = BOOT_MIXED };

	l->init.n = 0;
	if (b->init_task != KFI_NONE) {
		x.task = b->init_task;
		x.call = b->task.at[x.task].call;
		x.from = b->task.at[x.task].first;
		if (x.from < b->start)
			x.from = b->start;
		cut(l, &x, &l->init);
		x.to = x.from;
		x.from = b->start;
	}
	x.task = b->boot_task;
	x.call = b->task.at[x.task].call;
	cut(l, &x, &l->init);
}

/* Return the piece that task 0 or 1 was in at a time; callers ask in order of time. */
static const struct boot_piece *init_at(struct lines *l, s64 at)
{
	while (l->at && l->init.at[l->at].to <= at)
		l->at--;
	return &l->init.at[l->at];
}

/* Return the share of @of for a piece of @len, if a call with @own of self time has @of. */
static s64 share(s64 of, s64 len, s64 own)
{
	if (of <= 0 || own <= 0)
		return 0;
	return len >= own ? of : (s64)((__int128)of * len / own);
}

static void add_amount(s64 *sum, s64 v)
{
	*sum = *sum < 0 ? v : *sum + v;
}

/*
 * Estimate how long interrupts, sleep and recording took in a part in which a task ran. Only their
 * sums in the whole call are known. They are divided among its parts in proportion to length.
 */
static void add_amounts(const struct kd_boot *b, struct boot_line *line, const struct boot_piece *p)
{
	const struct boot_call *c = p->call == KFI_NONE ? NULL : &b->call.at[p->call];
	s64 len = p->to - p->from, own, irq, off = 0, recording = -1;

	if (p->kind == BOOT_RAN)
		add_amount(&line->off, 0);
	if (!boot_is_running(p->kind) || !c || c->delta < 0 || c->off < 0 || c->irq < 0) {
		line->unsure |= boot_is_running(p->kind);
		return;
	}
	own = c->delta - c->below;
	irq = c->irq - c->below_irq;
	if (p->kind == BOOT_RAN)
		own -= c->off - c->below_off;
	else
		off = c->off - c->below_off;
	recording = boot_recording(b, c->rows, c->dropped, own);
	line->unsure |= len != own && (irq > 0 || off > 0 || recording > 0);
	add_amount(&line->irq, share(irq, len, own));
	if (p->kind == BOOT_MIXED)
		add_amount(&line->off, share(off, len, own));
	if (recording >= 0)
		add_amount(&line->recording, share(recording, len, own));
}

enum boot_kind boot_greatest_kind(const s64 of[BOOT_KINDS])
{
	enum boot_kind kind = BOOT_RAN;

	for (u32 i = 1; i < BOOT_KINDS; i++)
		if (of[i] > of[kind])
			kind = i;
	return kind;
}

/*
 * Return the innermost call that contains both calls. A call has a lower number than its children.
 */
static u32 common_call(const struct kd_boot *b, u32 x, u32 y)
{
	while (x != y && x != KFI_NONE && y != KFI_NONE) {
		if (x > y)
			x = b->call.at[x].parent;
		else
			y = b->call.at[y].parent;
	}
	return x == y ? x : KFI_NONE;
}

static void new_line(struct lines *l, const struct boot_piece *p, bool folded)
{
	const struct boot_piece *init = init_at(l, p->from);
	struct kd_boot *b = l->b;

	if (boot_grow(&b->line)) {
		l->out_of_memory = true;
		return;
	}
	b->line.at[b->line.n++] = (struct boot_line){
		.from = p->from, .to = p->from, .task = p->task, .call = p->call, .by = p->by,
		.init_call = init->call, .initcall = boot_initcall_of(b, init->call),
		.longest = p->to - p->from, .folded = folded, .irq = -1, .off = -1,
		.recording = -1,
	};
}

static bool is_same(const struct boot_line *line, const struct boot_piece *p)
{
	return !line->folded && line->task == p->task && line->call == p->call &&
	       boot_greatest_kind(line->of) == p->kind;
}

static void add_amounts_of(struct boot_line *to, const struct boot_line *from)
{
	to->pieces += from->pieces;
	to->unsure |= from->unsure;
	for (u32 i = 0; i < BOOT_KINDS; i++)
		to->of[i] += from->of[i];
	if (from->irq >= 0)
		add_amount(&to->irq, from->irq);
	if (from->off >= 0)
		add_amount(&to->off, from->off);
	if (from->recording >= 0)
		add_amount(&to->recording, from->recording);
	to->to = from->to;
}

static bool is_crumb(const struct kd_boot *b, const struct boot_line *line)
{
	return line->folded && line->to - line->from < b->threshold / CRUMB;
}

/* Add a long part: as a line of its own, or to a line that only a short part has interrupted. */
static void add_long(struct lines *l, const struct boot_piece *p)
{
	struct kd_boot *b = l->b;
	struct boot_line *line = b->line.n ? &b->line.at[b->line.n - 1] : NULL;

	if (line && is_same(line, p))
		return;
	if (b->line.n > 1 && line->folded && is_same(line - 1, p) &&
	    (is_crumb(b, line) ||
	     (line->to - line->from < b->threshold && line->task == p->task &&
	      !line->several && line->initcall == line[-1].initcall))) {
		add_amounts_of(line - 1, line);
		b->line.n--;
		return;
	}
	new_line(l, p, false);
}

/*
 * Add a short part to the line of short parts before it, if tasks 0 and 1 are in the same call or
 * initcall, or if the line stays shorter than the threshold. Parts of a long initcall and parts
 * outside of it never share a line.
 */
static void add_short(struct lines *l, const struct boot_piece *p)
{
	struct kd_boot *b = l->b;
	struct boot_line *line = b->line.n ? &b->line.at[b->line.n - 1] : NULL;
	const struct boot_piece *init = init_at(l, p->from);
	u32 initcall = boot_initcall_of(b, init->call);
	u32 common;

	if (!line || !line->folded || line->initcall != initcall ||
	    (line->init_call != init->call && initcall == KFI_NONE &&
	     p->to - line->from >= b->threshold)) {
		new_line(l, p, true);
		return;
	}
	line->several |= line->task != p->task;
	common = common_call(b, line->init_call, init->call);
	if (common != KFI_NONE)
		line->init_call = common;
	if (line->longest >= p->to - p->from)
		return;
	if (common == KFI_NONE)
		line->init_call = init->call;
	line->longest = p->to - p->from;
	line->task = p->task;
	line->call = p->call;
}

/* Set the kind of a piece without marks if its call ran, or was off CPU, for all its self time. */
static void find_kind(const struct kd_boot *b, struct boot_piece *p)
{
	const struct boot_call *c = p->call == KFI_NONE ? NULL : &b->call.at[p->call];
	s64 off;

	if (p->kind != BOOT_MIXED || !c || c->delta < 0 || c->off < 0)
		return;
	off = c->off - c->below_off;
	if (off <= 0)
		p->kind = BOOT_RAN;
	else if (off >= c->delta - c->below)
		p->kind = BOOT_WAITED;
}

static void add_line(struct lines *l, const struct boot_piece *p)
{
	struct kd_boot *b = l->b;
	struct boot_line *line;

	if (p->to - p->from >= b->threshold)
		add_long(l, p);
	else
		add_short(l, p);
	if (l->out_of_memory)
		return;
	line = &b->line.at[b->line.n - 1];
	if (line->by != p->by)
		line->by = KFI_NONE;
	line->pieces++;
	line->of[p->kind] += p->to - p->from;
	line->to = p->to;
	add_amounts(b, line, p);
}

/* Return how well a short piece suits a line beside it, or the least if that line is NULL. */
static int affinity(const struct boot_line *line, const struct boot_line *crumb)
{
	if (!line)
		return -1;
	if (line->task != crumb->task || line->several || crumb->several)
		return 0;
	return line->initcall == crumb->initcall ? 2 : 1;
}

/* Add short lines to the neighbour that they suit best, else to the line before. */
static void sweep(struct kd_boot *b)
{
	u32 n = 0;

	for (u32 i = 0; i < b->line.n; i++) {
		struct boot_line *x = &b->line.at[i], sum;
		struct boot_line *before = n ? &b->line.at[n - 1] : NULL;
		struct boot_line *next = i + 1 < b->line.n ? x + 1 : NULL;

		if (!is_crumb(b, x) || (!before && !next)) {
			b->line.at[n++] = *x;
		} else if (affinity(next, x) > affinity(before, x)) {
			sum = *next;
			add_amounts_of(&sum, x);
			sum.from = x->from;
			sum.to = next->to;
			*next = sum;
		} else {
			before->several |= before->folded && !affinity(before, x);
			add_amounts_of(before, x);
		}
	}
	b->line.n = n;
	/* A line of several tasks is named after the call of task 0 or 1. */
	for (u32 i = 0; i < n; i++)
		if (b->line.at[i].several)
			b->line.at[i].call = b->line.at[i].init_call;
}

/* Make the lines for a threshold. */
static void make_lines(struct lines *l)
{
	struct kd_boot *b = l->b;

	find_long(b);
	l->part.n = b->line.n = 0;
	cut_init(l);
	for (u32 i = b->piece.n; i-- > 0 && !l->out_of_memory;) {
		struct boot_piece x = b->piece.at[i];

		if (boot_is_running(x.kind)) {
			cut(l, &x, &l->part);
			continue;
		}
		x.call = boot_waits_in(b, boot_around(b, x.call, x.to, b->threshold));
		add_to(l, &l->part, &x);
	}
	if (!l->init.n || l->out_of_memory)
		return;
	l->at = l->init.n - 1;
	for (u32 i = l->part.n; i-- > 0 && !l->out_of_memory;) {
		find_kind(b, &l->part.at[i]);
		add_line(l, &l->part.at[i]);
	}
	sweep(b);
}

/* Add with saturation: calls that overlap without nesting must not overflow the sum. */
static void add_up(s64 *sum, s64 v)
{
	if (v > 0 && __builtin_add_overflow(*sum, v, sum))
		*sum = S64_MAX;
}

static u64 less(u64 x, u64 y)
{
	return x < y ? 0 : x - y;
}

/* Return the innermost long call around another one, NULL: none. */
static struct boot_call *long_parent(const struct kd_boot *b, u32 call)
{
	u32 i = b->call.at[call].parent;

	while (i != KFI_NONE && b->call.at[i].longer != i)
		i = b->call.at[i].parent;
	return i == KFI_NONE ? NULL : &b->call.at[i];
}

/* Add up for each long call what lies in the long calls below it, and what does not. */
static void sum_calls(struct kd_boot *b)
{
	find_long(b);
	for (u32 i = 0; i < b->call.n; i++) {
		struct boot_call *c = &b->call.at[i], *p = long_parent(b, i);

		c->rows = c->all_rows;
		c->dropped = c->all_dropped;
		c->below = c->below_off = c->below_irq = 0;
		if (c->longer != i || !p)
			continue;
		p->rows = less(p->rows, c->all_rows + 1);
		p->dropped = less(p->dropped, c->all_dropped);
		add_up(&p->below, c->delta);
		add_up(&p->below_off, c->off);
		add_up(&p->below_irq, c->irq);
	}
}

/* Return how long recording took in a piece. Adds to @unknown where the log does not tell. */
static s64 recording_of(struct lines *l, const struct boot_piece *p, s64 *unknown)
{
	s64 sum = 0;

	l->part.n = 0;
	cut(l, p, &l->part);
	for (u32 i = 0; i < l->part.n; i++) {
		struct boot_line line = { .recording = -1 };

		add_amounts(l->b, &line, &l->part.at[i]);
		if (line.recording < 0)
			*unknown += l->part.at[i].to - l->part.at[i].from;
		else
			sum += line.recording;
	}
	return sum;
}

/*
 * Estimate how long recording took in the tasks that an initcall waited for. That part of its
 * time does not come from its own calls. Only tasks on the critical path of the initcall count. If
 * the log has no long calls of such a task, and while the path waits for a CPU, recording is taken
 * to have had the same part of the time as of what the initcall itself ran. The path may wait for
 * the CPU on which the initcall still runs. That time is its own, so what is left of the time
 * switched out is the most that counts.
 */
static int add_waits(struct lines *l, struct kd_initcall *x)
{
	const struct boot_call *c = &l->b->call.at[x->call];
	s64 own = boot_recording(l->b, c->all_rows, c->all_dropped,
				 c->off < 0 ? 0 : c->delta - c->off);
	s64 unknown = 0, ran = 0, ready = 0;
	struct boot_pieces piece = { 0 };
	int ret = boot_path_of_call(l->b, x->call, &piece);

	for (u32 i = 0; i < piece.n; i++) {
		const struct boot_piece *p = &piece.at[i];

		if (p->kind == BOOT_RUNNABLE || p->kind == BOOT_PREEMPTED) {
			ready += p->to - p->from;
		} else if (p->kind == BOOT_RAN && p->task != c->task) {
			ran += p->to - p->from;
			x->waits += recording_of(l, p, &unknown);
		}
	}
	if (c->off >= 0)
		ready = min_t(s64, ready, max_t(s64, c->off - ran, 0));
	unknown += ready;
	x->unsure = unknown > 0;
	if (c->off >= 0)
		x->waits += share(own, unknown, c->delta - c->off);
	free(piece.at);
	return ret;
}

/* Estimate the cost of recording in the waits of all initcalls. */
static int find_waits(struct lines *l)
{
	struct kd_initcalls *list = &l->b->initcalls;
	int ret = 0;

	if (!l->b->has_wakeups || boot_recording(l->b, 0, 0, 0) < 0)
		return 0;
	l->b->threshold = l->b->base;
	sum_calls(l->b);
	for (u32 i = 0; i < list->n && !ret; i++)
		if (list->one[i].call != KFI_NONE && list->one[i].delta >= 0)
			ret = add_waits(l, &list->one[i]);
	return ret;
}

int boot_lines(struct kd_boot *b)
{
	/* Shares of the boot to try as the threshold, in thousandths. */
	static const u32 try[] = { 1, 2, 3, 5, 7, 10, 14, 20, 30, 50, 70, 100 };
	struct lines l = { .b = b };

	if (find_waits(&l))
		l.out_of_memory = true;
	for (u32 i = 0; i < ARRAY_SIZE(try); i++) {
		b->threshold = (b->end - b->start) / 1000 * try[i];
		if (b->kd->opt.time || b->threshold < b->base)
			b->threshold = b->base;
		make_lines(&l);
		if (b->kd->opt.time || b->line.n <= LINES)
			break;
	}
	/* The sums depend on the threshold. */
	sum_calls(b);
	make_lines(&l);
	free(l.part.at);
	free(l.init.at);
	return l.out_of_memory ? -ENOMEM : 0;
}
