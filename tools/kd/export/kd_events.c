// SPDX-License-Identifier: GPL-2.0
/* Makes events on tracks of a log: see kd_events.h. */
#include <stdio.h>
#include <stdlib.h>

#include "kd_events.h"
#include "kd_export.h"

/* The level of a hole: each call is above it. */
#define HOLE		U32_MAX

/**
 * struct kd_slice - a call or a hole that has begun and not ended
 * @end: when it will end, S64_MAX: not known
 * @level: level of the call in its tree
 * @func: its function, KFI_NONE: a hole
 * @hole: name of a hole
 * @row: the row of the call, without its texts
 */
struct kd_slice {
	s64 end;
	u32 level;
	u32 func;
	const char *hole;
	struct kfi_row row;
};

/* Return the number of the part that a time is in. */
static u32 part_of(const struct kd_events *e, s64 at)
{
	s64 part = e->part_ns && at > e->origin ? (at - e->origin) / e->part_ns : 0;

	return part < U32_MAX ? (u32)part : U32_MAX;
}

static s64 end_of_part(const struct kd_events *e, u32 part)
{
	s64 end;

	if (!e->part_ns || __builtin_mul_overflow(e->part_ns, (s64)part + 1, &end) ||
	    __builtin_add_overflow(end, e->origin, &end))
		return S64_MAX;
	return end;
}

/* Report the end of slice @n of a track, counted from the outermost. */
static int tell_end(struct kd_events *e, u32 track, u32 n, s64 at)
{
	const struct kd_track *t = &e->track[track];
	const struct kd_slice *s = &t->slice[n];
	const struct kd_event event = {
		.kind = KD_END, .track = track, .at = at, .func = s->func,
		.name = s->func == KFI_NONE ? s->hole : e->kd->in.names.str[s->func].s,
		.is_open = s->func != KFI_NONE && s->row.delta_ns < 0,
		.unknown = s->end == S64_MAX, .part = t->part,
	};

	return e->event(e->arg, &event);
}

static int tell_begin(struct kd_events *e, u32 track, u32 n, s64 at, bool is_continued)
{
	struct kd_track *t = &e->track[track];
	const struct kd_slice *s = &t->slice[n];
	s64 last = end_of_part(e, t->part);
	bool goes_on = s->end != S64_MAX && s->end > last;
	const struct kd_event event = {
		.kind = KD_BEGIN, .track = track, .at = at, .end = goes_on ? last : s->end,
		.func = s->func,
		.name = s->func == KFI_NONE ? s->hole : e->kd->in.names.str[s->func].s,
		.row = s->func == KFI_NONE ? NULL : &s->row,
		.is_open = s->func != KFI_NONE && s->row.delta_ns < 0, .part = t->part,
		.is_continued = is_continued, .goes_on = goes_on,
	};

	return e->event(e->arg, &event);
}

/* Continue a track in a later part: cut what has not ended at the end of each part before. */
static int go_to_part(struct kd_events *e, u32 track, u32 part)
{
	int ret = 0;

	while (!ret && e->track[track].part < part) {
		struct kd_track *t = &e->track[track];
		s64 at = end_of_part(e, t->part);
		u32 n = t->n;

		for (u32 i = n; i-- > 0 && !ret;)
			ret = tell_end(e, track, i, at);
		t->part = n ? t->part + 1 : part;
		for (u32 i = 0; i < n && !ret; i++)
			ret = tell_begin(e, track, i, at, true);
	}
	return ret;
}

/* End the topmost slice of a track. A slice that ends with a part is not in the next part. */
static int end_slice(struct kd_events *e, u32 track, s64 at)
{
	int ret = go_to_part(e, track, part_of(e, at - 1));
	struct kd_track *t = &e->track[track];

	t->n--;
	return ret ? ret : tell_end(e, track, t->n, at);
}

/* Return the end of the innermost slice with a known end, of the outermost @n. S64_MAX: none. */
static s64 end_of(const struct kd_track *t, u32 n)
{
	while (n && t->slice[n - 1].end == S64_MAX)
		n--;
	return n ? t->slice[n - 1].end : S64_MAX;
}

/*
 * End the slices that are over when a slice of @level begins. A slice that ends at this moment may
 * be around the new one, if that takes no time. A slice of unknown end is over if it is not
 * around the new one.
 */
static int end_until(struct kd_events *e, u32 track, s64 at, u32 level)
{
	int ret = 0;

	while (!ret && e->track[track].n) {
		const struct kd_track *t = &e->track[track];
		const struct kd_slice *s = &t->slice[t->n - 1];
		s64 end = end_of(t, t->n);

		if (end < at || (end == at && s->level >= level))
			ret = end_slice(e, track, end);
		else if (s->end == S64_MAX && s->level >= level)
			ret = end_slice(e, track, at);
		else
			break;
	}
	return ret;
}

static int begin_slice(struct kd_events *e, u32 track, s64 at, const struct kd_slice *slice)
{
	int ret = go_to_part(e, track, part_of(e, at));
	struct kd_track *t = &e->track[track];

	if (ret)
		return ret;
	if (kfi_grow((void **)&t->slice, &t->room, t->n + 1, sizeof(*t->slice)))
		return -ENOMEM;
	t->slice[t->n++] = *slice;
	return tell_begin(e, track, t->n - 1, at, false);
}

static u32 new_track(struct kd_events *e, s32 pid, s32 cpu, u8 ctx, u32 lane)
{
	if (e->n >= KD_NOBODY ||
	    kfi_grow((void **)&e->track, &e->room, e->n + 1, sizeof(*e->track)))
		return KFI_NONE;
	e->track[e->n] = (struct kd_track){
		.pid = pid, .cpu = cpu, .ctx = ctx, .lane = lane,
		.name = KFI_NONE, .next = KFI_NONE,
	};
	return e->n++;
}

/* Return the first lane of a task, or of a kind of interrupt on a CPU; KFI_NONE: out of memory. */
static u32 track_of(struct kd_events *e, s32 task, s32 cpu, u8 ctx)
{
	bool by_cpu = ctx != KFI_CTX_TASK || !task;
	u64 key = (u64)(by_cpu ? ctx + 1 : 0) << 32 | (u32)(by_cpu ? cpu : task);
	u32 *at = kfi_map_get(&e->of, key, e->n);

	if (!at)
		return KFI_NONE;
	if (*at == e->n)
		return new_track(e, by_cpu ? 0 : task, by_cpu ? cpu : -1, ctx, 0);
	return *at;
}

u32 kd_events_task(struct kd_events *e, s32 pid, s32 cpu)
{
	return track_of(e, pid, cpu, KFI_CTX_TASK);
}

static bool fits(const struct kd_track *t, s64 end, u32 level)
{
	return !t->n || (t->slice[t->n - 1].level < level &&
			 (end == S64_MAX || end_of(t, t->n) >= end));
}

/* Find a lane in which a call nests, and end the slices in it that are over. */
static int find_lane(struct kd_events *e, u32 *track, s64 at, s64 end, u32 level)
{
	for (;;) {
		struct kd_track *t;
		u32 next;
		int ret = end_until(e, *track, at, level);

		if (ret)
			return ret;
		t = &e->track[*track];
		if (fits(t, end, level))
			return 0;
		next = t->next;
		if (next == KFI_NONE) {
			next = new_track(e, t->pid, t->cpu, t->ctx, t->lane + 1);
			if (next == KFI_NONE)
				return -ENOMEM;
			e->track[*track].next = next;
		}
		*track = next;
	}
}

/* The first part begins with --from, or with the log. */
static void see(struct kd_events *e, s64 at)
{
	if (e->origin >= 0)
		return;
	e->origin = e->kd->opt.filter.from ? e->kd->opt.filter.from_ns : at;
	if (e->origin < 0)
		e->origin = 0;
}

/* Begin a hole in the innermost call of a track, if a call is around the hole. */
static int begin_hole(struct kd_events *e, u32 track, s64 at, s64 end, const char *name)
{
	const struct kd_slice hole = { .end = end, .level = HOLE, .func = KFI_NONE, .hole = name };
	int ret = end_until(e, track, at, HOLE);
	const struct kd_track *t = &e->track[track];

	if (ret || !t->n || t->slice[t->n - 1].level == HOLE ||
	    (end != S64_MAX && end_of(t, t->n) < end))
		return ret;
	return begin_slice(e, track, at, &hole);
}

/* An interrupt makes a hole in its task, or in a lesser kind of interrupt on its CPU. */
static int interrupt(struct kd_events *e, const struct kfi_row *row)
{
	u32 track = KFI_NONE;

	if (row->delta_ns < 0)
		return 0;
	for (u8 ctx = row->ctx; track == KFI_NONE && ctx-- > KFI_CTX_TASK;) {
		u32 at = track_of(e, row->task, row->cpu, ctx);
		int ret = at == KFI_NONE ? -ENOMEM : end_until(e, at, row->entry_ns, HOLE);

		if (ret)
			return ret;
		if (e->track[at].n || ctx == KFI_CTX_TASK)
			track = at;
	}
	return begin_hole(e, track, row->entry_ns, row->entry_ns + row->delta_ns, KD_NAME_IRQ);
}

/*
 * Fit a call into its track. Times of imports are rounded, so a call may seem to end after its
 * caller, or to begin before the call in front of it has ended.
 */
static int fit_in(struct kd_events *e, u32 track, s64 *at, struct kd_slice *slice,
		  const struct kfi_tree_place *place)
{
	const struct kd_track *t;
	s64 limit = S64_MAX;
	u32 n;
	int ret;

	if (slice->end != S64_MAX)
		slice->end = place->frame->end;
	if (*at > slice->end)
		*at = slice->end;
	ret = end_until(e, track, *at, place->level);
	t = &e->track[track];
	for (n = t->n; n && t->slice[n - 1].level >= place->level; n--)
		;
	if (ret || n == t->n)
		return ret;
	/* Move it behind the call in front of it, and into its caller. */
	*at = end_of(t, n + 1);
	if (n)
		limit = end_of(t, n);
	if (slice->end == S64_MAX)
		return 0;
	slice->end = slice->row.delta_ns < limit - *at ? *at + slice->row.delta_ns : limit;
	if (slice->end < *at)
		slice->end = *at;
	return 0;
}

static int add_call(void *arg, const struct kfi_tree_call *call, struct kfi_tree_place *place,
		    bool taken)
{
	const struct kfi_row *row = call->row;
	struct kd_events *e = arg;
	struct kd_slice slice = {
		.end = row->delta_ns < 0 ? S64_MAX : row->entry_ns + row->delta_ns,
		.level = place->level, .func = call->func, .row = *row,
	};
	s64 last = slice.end == S64_MAX ? row->entry_ns : slice.end;
	s64 at = row->entry_ns;
	u32 track = place->parent != KFI_NONE ? place->parent :
		    track_of(e, row->task, row->cpu, row->ctx);
	int ret = 0;

	if (track == KFI_NONE)
		return -ENOMEM;
	place->frame->id = track;
	see(e, row->entry_ns);
	if (e->kd->in.rule == KFI_TREE_NESTED) {
		ret = fit_in(e, track, &at, &slice, place);
		if (ret)
			return ret;
	}
	if (e->end < last)
		e->end = last;
	if (place->parent == KFI_NONE && row->ctx != KFI_CTX_TASK &&
	    kfi_tree_by_depth(e->kd->in.rule))
		ret = interrupt(e, row);
	if (ret || !taken)
		return ret;
	ret = find_lane(e, &track, at, slice.end, place->level);
	place->frame->id = track;
	return ret ? ret : begin_slice(e, track, at, &slice);
}

static bool is_shown(const struct kd_events *e, const struct kfi_row *at)
{
	return kd_filter_row(&e->kd->opt.filter, at) && !e->kd->opt.filter.pattern[KD_UNDER].text;
}

static int instant(struct kd_events *e, struct kd_event *event, const struct kfi_row *at)
{
	struct kd_track *t;
	int ret;

	if (!is_shown(e, at))
		return 0;
	event->kind = KD_INSTANT;
	event->at = at->entry_ns;
	event->track = track_of(e, at->task, at->cpu, at->ctx);
	if (event->track == KFI_NONE)
		return -ENOMEM;
	ret = end_until(e, event->track, event->at, HOLE - 1);
	if (!ret)
		ret = go_to_part(e, event->track, part_of(e, event->at));
	t = &e->track[event->track];
	event->inside = t->n;
	event->part = t->part;
	return ret ? ret : e->event(e->arg, event);
}

/* Return the track of the task in "KIND PID NAME", and set its name. KFI_NONE: none. */
static u32 named_task(struct kd_events *e, const struct kfi_log_mark *m, const char **name)
{
	char *word = e->text + m->kind.len, *end;
	long pid = strtol(word, &end, 10);
	u32 track;

	*name = *end == ' ' ? end + 1 : NULL;
	if (end == word)
		return KFI_NONE;
	track = track_of(e, (s32)pid, m->cpu, KFI_CTX_TASK);
	if (track != KFI_NONE && *name)
		e->track[track].name = kfi_names_get(&e->words, *name, strlen(*name));
	return track;
}

/*
 * Handle a switch of a CPU from the task of a mark to another one, which a wake-up may have caused.
 */
static int switch_tasks(struct kd_events *e, const struct kfi_log_mark *m, u32 to)
{
	struct kfi_row at = { .entry_ns = m->entry_ns, .task = e->track[to].pid, .cpu = m->cpu };
	struct kd_event event = { .name = "woken", .flow = e->track[to].flow, .woken = true };
	u32 from = track_of(e, m->task, m->cpu, KFI_CTX_TASK);
	int ret;

	if (from == KFI_NONE)
		return -ENOMEM;
	ret = begin_hole(e, from, m->entry_ns, S64_MAX, KD_NAME_OFF);
	if (!ret)
		ret = end_until(e, to, m->entry_ns, HOLE);
	e->track[to].flow = 0;
	/* Both ends of an arrow must be in the same part. */
	if (e->track[to].flow_part != part_of(e, m->entry_ns))
		event.flow = 0;
	return ret || !event.flow ? ret : instant(e, &event, &at);
}

static int add_mark(struct kd_events *e, const struct kfi_log_mark *m)
{
	bool switches = kfi_log_mark_is(m, "switch") || kfi_log_mark_is(m, "preempt");
	bool wakes = kfi_log_mark_is(m, "wakeup") || kfi_log_mark_is(m, "new");
	const struct kfi_row at = {
		.entry_ns = m->entry_ns, .task = m->task, .cpu = m->cpu, .ctx = m->ctx,
			.depth = m->depth,
	};
	struct kd_event event = { .name = e->text };
	const char *name;
	u32 to = KFI_NONE;
	int ret = 0;

	snprintf(e->text, sizeof(e->text), "%.*s", (int)m->text.len, m->text.s);
	if (switches || wakes)
		to = named_task(e, m, &name);
	if (switches && to != KFI_NONE)
		return switch_tasks(e, m, to);
	/*
	 * A new task may have the pid of a dead one, whose last call is still open. In a log that
	 * is out of order, that call may begin after the mark.
	 */
	if (to != KFI_NONE && e->track[to].pid > 0 && kfi_log_mark_is(m, "new"))
		ret = end_until(e, to, max_t(s64, m->entry_ns, e->kd->in.tally.last_ns), 0);
	if (ret)
		return ret;
	if (to != KFI_NONE && !e->track[to].flow && is_shown(e, &at)) {
		e->track[to].flow = event.flow = ++e->flows;
		e->track[to].flow_part = part_of(e, at.entry_ns);
	}
	if (kfi_log_mark_is(m, "exec") && m->text.len > m->kind.len) {
		to = track_of(e, m->task, m->cpu, KFI_CTX_TASK);
		if (to == KFI_NONE)
			return -ENOMEM;
		name = e->text + m->kind.len + 1;
		e->track[to].name = kfi_names_get(&e->words, name, strlen(name));
	}
	return instant(e, &event, &at);
}

static int add_watch(struct kd_events *e, const struct kfi_row *row)
{
	struct kd_event event = { .name = e->text };

	snprintf(e->text, sizeof(e->text), "stack %.*s", (int)row->func.len, row->func.s);
	return instant(e, &event, row);
}

static int add_item(void *arg, int item)
{
	struct kd_events *e = arg;

	if (item == KFI_LINE_MARK) {
		see(e, e->kd->in.log.mark.entry_ns);
		if (e->end < e->kd->in.log.mark.entry_ns)
			e->end = e->kd->in.log.mark.entry_ns;
		return add_mark(e, &e->kd->in.log.mark);
	}
	return item == KFI_LINE_WATCH ? add_watch(e, e->kd->in.row) : 0;
}

/* End all slices whose end is known. The others get no end, and go on in all parts. */
static int end_all(struct kd_events *e)
{
	int ret = 0;

	for (u32 i = 0; i < e->n && !ret; i++) {
		while (!ret && end_of(&e->track[i], e->track[i].n) != S64_MAX)
			ret = end_until(e, i, end_of(&e->track[i], e->track[i].n), 0);
		if (!ret && e->track[i].n)
			ret = go_to_part(e, i, part_of(e, e->end - 1));
	}
	return ret;
}

struct kd_visit kd_events_visit(struct kd_events *e)
{
	return (struct kd_visit){ .call = add_call, .item = add_item, .arg = e };
}

int kd_events_end(struct kd_events *e, struct kfi_err *err)
{
	s64 span = kfi_log_head_span(&e->kd->in.head);
	int ret;

	if (e->end < span * 1000)
		e->end = span * 1000;
	ret = end_all(e);
	return ret == -ENOMEM ? kfi_err_set(err, ENOMEM, "out of memory") : ret;
}

int kd_events_read(struct kd_events *e, struct kfi_err *err)
{
	struct kd_visit visit = kd_events_visit(e);
	int ret = kd_walk(e->kd, &visit, err);

	if (ret == -ENOMEM)
		return kfi_err_set(err, ENOMEM, "out of memory");
	return ret ? ret : kd_events_end(e, err);
}

const char *kd_why_open(const struct kfi_row *row)
{
	if (row->marks & KFI_MARK_NOTIME)
		return "entered before the clock ran";
	return row->marks & KFI_MARK_UNWOUND ? "an outer call returned first" : "not returned";
}

const char *kd_why_cut(const struct kd_event *e)
{
	return !e->is_continued ? "ends later" : e->goes_on ? "began before, ends later" :
	       "began before";
}

void kd_track_name(const struct kd_events *e, u32 track, char text[KD_TRACK_NAME])
{
	static const char *const context[KFI_CTX_COUNT] = {
		[KFI_CTX_TASK] = "idle", [KFI_CTX_SOFTIRQ] = "softirqs",
		[KFI_CTX_HARDIRQ] = "interrupts", [KFI_CTX_NMI] = "NMIs",
	};
	const struct kd_track *t = &e->track[track];
	int n;

	if (t->cpu >= 0)
		n = snprintf(text, KD_TRACK_NAME, "cpu %d: %s", t->cpu, context[t->ctx]);
	else if (t->ctx != KFI_CTX_TASK)
		n = snprintf(text, KD_TRACK_NAME, "%s", context[t->ctx]);
	else
		n = snprintf(text, KD_TRACK_NAME, "%.80s (%d)",
			     t->name == KFI_NONE ? "task" : e->words.str[t->name].s, t->pid);
	if (t->lane)
		snprintf(text + n, KD_TRACK_NAME - n, ", %u", t->lane + 1);
}

void kd_events_free(struct kd_events *e)
{
	for (u32 i = 0; i < e->n; i++)
		free(e->track[i].slice);
	free(e->track);
	kfi_map_free(&e->of);
	kfi_names_free(&e->words);
}
