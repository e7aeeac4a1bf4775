// SPDX-License-Identifier: GPL-2.0
/*
 * Makes the data of the page of --html: see kd_html.h. Called by kd.c.
 * Memory use grows with the number of calls, by some ten bytes each.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kd_boot_show.h"
#include "kd_events.h"
#include "kd_export.h"
#include "kd_html.h"
#include "kd_html_pack.h"
#include "version.h"

/* Greatest exact integer of JavaScript, whose numbers are floating-point. */
#define TIME_MAX	(1ll << 53)

/* Numbers of holes, in the place of functions. */
#define OFF		0
#define IRQ		1
#define FUNCTION	2

/* Columns of a track, and of marks. */
enum { ENDED, FUNC, TIME, FLAGS, DROPPED, OFF_NS, IRQ_NS, LEFT_NS, COLUMNS };
enum { MARK_TIME, MARK_TRACK, MARK_TEXT, MARK_COLUMNS };
enum { SWITCH_TIME, SWITCH_CPU, SWITCH_FROM, SWITCH_TO, SWITCH_COLUMNS };
enum { WAKE_TIME, WAKE_DELAY, WAKE_FROM, WAKE_TO, WAKE_COLUMNS };

/**
 * struct bytes - a growing array of bytes
 * @at: its bytes
 * @n: how many
 * @room: for how many there is room
 */
struct bytes {
	u8 *at;
	u32 n;
	u32 room;
};

/**
 * struct open_call - a call or hole that has begun on a track and not ended
 * @begin: when it began
 * @delta: its duration; -1: unknown, or it is a hole
 * @local: its self time; -1: unknown
 * @off: the part of @delta switched out
 * @irq: the part of @delta in interrupts
 * @below: durations of the calls directly below it
 * @below_off: the sum of their @off
 * @below_irq: the sum of their @irq
 * @is_hole: it is a hole
 */
struct open_call {
	s64 begin;
	s64 delta;
	s64 local;
	s64 off;
	s64 irq;
	s64 below;
	s64 below_off;
	s64 below_irq;
	bool is_hole;
};

/**
 * struct html_track - a track of the page
 * @column: its columns
 * @last: time of the last event
 * @ended: number of calls that have ended since the last one began
 * @cpu: CPU of the last call
 * @call: calls and holes that have begun and not ended
 * @n: how many
 * @room: for how many there is room
 */
struct html_track {
	struct bytes column[COLUMNS];
	s64 last;
	u32 ended;
	s32 cpu;
	struct open_call *call;
	u32 n;
	u32 room;
};

/**
 * struct wake - a wake-up whose task has not run yet
 * @at: when it happened
 * @track: track of the task or interrupt that caused it
 */
struct wake {
	s64 at;
	u32 track;
};

/**
 * struct html - a page under construction
 * @x: the output file
 * @is_open: the output file is open
 * @logs: number of logs in it
 * @place: where the functions of the first log are
 * @addresses: all functions so far are addresses, and no symbols were given
 * @e: the log as events
 * @b: the log as a boot
 * @boot: visitor of @b
 * @events: visitor of @e
 * @track: tracks
 * @tracks: how many
 * @track_room: for how many there is room
 * @mark: columns of marks
 * @mark_time: time of the last mark
 * @change: columns of switches
 * @change_time: time of the last switch
 * @wake: by flow: wake-ups
 * @wakes: number of wake-ups; number 0 means none
 * @wake_room: for how many there is room
 * @woken: columns of wake-ups
 * @woken_time: time of the last wake-up
 * @texts: texts of marks
 * @gap: periods of which rows are missing; those of @b end with the boot
 * @dots: lines of dots read so far
 * @has_closed: a call that has returned was read
 * @row_end: when the call of the last row returned, or was entered if its exit is not known
 * @calls: number of calls
 * @report: rows of the report of the boot, as JSON; NULL: none
 * @report_size: bytes of it
 * @no_report: reason why there is no report
 */
static struct html {
	struct kd_export x;
	bool is_open;
	u32 logs;
	struct kd_place place;
	bool addresses;
	struct kd_events e;
	struct kd_boot b;
	struct kd_visit boot;
	struct kd_visit events;
	struct html_track *track;
	u32 tracks;
	u32 track_room;
	struct bytes mark[MARK_COLUMNS];
	s64 mark_time;
	struct bytes change[SWITCH_COLUMNS];
	s64 change_time;
	struct wake *wake;
	u32 wakes;
	u32 wake_room;
	struct bytes woken[WAKE_COLUMNS];
	s64 woken_time;
	struct kfi_names texts;
	struct boot_gaps gap;
	u64 dots;
	bool has_closed;
	s64 row_end;
	u64 calls;
	char *report;
	size_t report_size;
	struct kfi_err no_report;
} html;

static int put_number(struct bytes *b, u64 v)
{
	if (b->n > U32_MAX - 16 || kfi_grow((void **)&b->at, &b->room, b->n + 10, 1))
		return -ENOMEM;
	for (; v > 0x7f; v >>= 7)
		b->at[b->n++] = (u8)(v | 0x80);
	b->at[b->n++] = (u8)v;
	return 0;
}

static u64 as_signed(s64 v)
{
	return (u64)v << 1 ^ (u64)(v >> 63);
}

static int put_known(struct bytes *b, bool known, s64 v)
{
	return put_number(b, known ? as_signed(v) + 1 : 0);
}

static struct html_track *track_of(struct html *h, u32 track)
{
	if (track >= h->tracks &&
	    kfi_grow((void **)&h->track, &h->track_room, track + 1, sizeof(*h->track)))
		return NULL;
	for (; h->tracks <= track; h->tracks++)
		h->track[h->tracks] = (struct html_track){ .cpu = -1 };
	return &h->track[track];
}

/*
 * Write the time of a begin or an end. In a log that is out of order, it may be before the last one
 * of the track: then it is moved to that.
 */
static int put_time(struct html_track *t, s64 at)
{
	s64 since = at > t->last ? at - t->last : 0;

	if (at < 0 || at > TIME_MAX)
		return -ERANGE;
	t->last += since;
	return put_number(&t->column[TIME], (u64)since);
}

static int put_flags(struct html_track *t, const struct kfi_row *row)
{
	u32 flags = row->delta_ns >= 0 ? 0 : row->marks & KFI_MARK_NOTIME ? HTML_NOTIME :
		    row->marks & KFI_MARK_UNWOUND ? HTML_UNWOUND : HTML_OPEN;

	if (row->cpu == t->cpu)
		return put_number(&t->column[FLAGS], flags);
	t->cpu = row->cpu;
	return put_number(&t->column[FLAGS], flags | HTML_CPU) ||
	       put_number(&t->column[FLAGS], as_signed(row->cpu)) ? -ENOMEM : 0;
}

static int begin_call(struct html *h, struct html_track *t, const struct kd_event *e)
{
	const struct kfi_row *row = e->row;
	struct open_call c = { .begin = e->at, .delta = -1, .is_hole = !row };
	u32 func = row ? e->func + FUNCTION : strcmp(e->name, KD_NAME_OFF) ? IRQ : OFF;

	if (row) {
		c.delta = row->delta_ns;
		c.local = row->local_ns;
		c.off = row->off_ns;
		c.irq = row->irq_ns;
		h->calls++;
	}
	if (kfi_grow((void **)&t->call, &t->room, t->n + 1, sizeof(*t->call)) ||
	    put_number(&t->column[ENDED], t->ended) || put_number(&t->column[FUNC], func) ||
	    (row && (put_flags(t, row) || put_number(&t->column[DROPPED], row->below))))
		return -ENOMEM;
	t->ended = 0;
	t->call[t->n++] = c;
	return put_time(t, e->at);
}

static int end_call(struct html_track *t, s64 at)
{
	struct open_call *c = &t->call[t->n - 1], *above = t->n > 1 ? c - 1 : NULL;
	bool parts = c->delta >= 0 && c->off >= 0 && c->irq >= 0;
	bool whole = parts && c->local >= 0;
	s64 off = c->off - c->below_off, irq = c->irq - c->below_irq;
	int ret = put_time(t, at);

	if (ret)
		return ret;
	t->n--;
	t->ended++;
	if (c->is_hole)
		return 0;
	if (above && c->delta >= 0)
		above->below += c->delta;
	if (above && parts) {
		above->below_off += c->off;
		above->below_irq += c->irq;
	}
	return put_known(&t->column[OFF_NS], parts, off) ||
	       put_known(&t->column[IRQ_NS], parts, irq) ||
	       put_known(&t->column[LEFT_NS], whole, c->delta - c->below - off - irq - c->local) ?
	       -ENOMEM : 0;
}

/* Write a wake-up, now that its task runs. */
static int add_wake(struct html *h, const struct kd_event *e)
{
	const struct wake *w;
	s64 since;

	if (!e->woken) {
		if (kfi_grow((void **)&h->wake, &h->wake_room, e->flow + 1, sizeof(*h->wake)))
			return -ENOMEM;
		h->wake[e->flow] = (struct wake){ e->at, e->track };
		h->wakes = e->flow + 1;
		return 0;
	}
	w = &h->wake[e->flow];
	since = w->at - h->woken_time;
	if (e->flow >= h->wakes || e->at < w->at)
		return 0;
	h->woken_time = w->at;
	return put_number(&h->woken[WAKE_TIME], as_signed(since)) ||
	       put_number(&h->woken[WAKE_DELAY], (u64)(e->at - w->at)) ||
	       put_number(&h->woken[WAKE_FROM], w->track) ||
	       put_number(&h->woken[WAKE_TO], e->track) ? -ENOMEM : 0;
}

static int add_mark(struct html *h, const struct kd_event *e)
{
	u32 text = kfi_names_get(&h->texts, e->name, (u32)strlen(e->name));
	s64 since = e->at - h->mark_time;

	if (e->at < 0 || e->at > TIME_MAX)
		return -ERANGE;
	if (e->flow && add_wake(h, e))
		return -ENOMEM;
	if (e->woken)
		return 0;
	h->mark_time = e->at;
	return text == KFI_NONE || put_number(&h->mark[MARK_TIME], as_signed(since)) ||
	       put_number(&h->mark[MARK_TRACK], e->track) ||
	       put_number(&h->mark[MARK_TEXT], text) ? -ENOMEM : 0;
}

static int add_event(void *arg, const struct kd_event *e)
{
	struct html *h = arg;
	struct html_track *t = track_of(h, e->track);

	if (!t)
		return -ENOMEM;
	if (e->kind == KD_BEGIN)
		return begin_call(h, t, e);
	return e->kind == KD_END ? end_call(t, e->at) : add_mark(h, e);
}

/* End the calls that are open at the end of the log. */
static int end_tracks(struct html *h)
{
	int ret = 0;

	for (u32 i = 0; i < h->tracks; i++) {
		struct html_track *t = &h->track[i];

		while (!ret && t->n)
			ret = end_call(t, h->e.end < t->last ? t->last : h->e.end);
	}
	return ret;
}

/* Rows are missing at a line of dots, and before the first row if others were overwritten. */
static int look_for_gap(struct html *h, const struct kfi_row *row)
{
	const struct kfi_log_head *head = &h->x.kd->in.head;
	u64 dots = h->x.kd->in.log.gaps;
	bool first = !h->has_closed && row->delta_ns >= 0 && (head->overwritten || head->left_out);
	s64 from = first ? 0 : h->row_end;

	if ((dots != h->dots || first) && row->entry_ns > from) {
		if (boot_grow(&h->gap))
			return -ENOMEM;
		h->gap.at[h->gap.n++] = (struct boot_gap){ from, row->entry_ns };
	}
	h->dots = dots;
	h->has_closed |= row->delta_ns >= 0;
	h->row_end = row->entry_ns + (row->delta_ns > 0 ? row->delta_ns : 0);
	return 0;
}

static int add_call(void *arg, const struct kfi_tree_call *call, struct kfi_tree_place *place,
		    bool taken)
{
	struct html *h = arg;
	u64 addr;

	if (h->addresses)
		h->addresses = kd_address(h->x.kd, h->x.kd->in.names.str[call->func], &addr);
	if (look_for_gap(h, call->row))
		return -ENOMEM;
	return h->events.call(h->events.arg, call, place, taken);
}

/* Return the track of a task + 1, 0 if the filters exclude the task, or -ENOMEM. */
static s64 shown_task(struct html *h, s32 pid)
{
	const struct kfi_log_mark *m = &h->x.kd->in.log.mark;
	const struct kfi_row at = { .entry_ns = m->entry_ns, .task = pid, .cpu = m->cpu };
	u32 track;

	if (!kd_filter_row(&h->x.kd->opt.filter, &at))
		return 0;
	track = kd_events_task(&h->e, pid, m->cpu);
	return track == KFI_NONE ? -ENOMEM : (s64)track + 1;
}

/* Read the task in "KIND PID ..." into @pid. Return true if there is one. */
static bool task_in(const struct kfi_log_mark *m, s32 *pid)
{
	char word[16], *end;

	if (m->text.len <= m->kind.len)
		return false;
	snprintf(word, sizeof(word), "%.*s", (int)(m->text.len - m->kind.len),
		 m->text.s + m->kind.len);
	*pid = (s32)strtol(word, &end, 10);
	return end != word;
}

/* Handle "switch PID NAME": from now on a CPU runs another task. */
static int add_switch(struct html *h)
{
	const struct kfi_log_mark *m = &h->x.kd->in.log.mark;
	s64 since = m->entry_ns - h->change_time, from, to;
	s32 pid;

	if (m->cpu < 0 || !task_in(m, &pid))
		return 0;
	from = shown_task(h, m->task);
	to = shown_task(h, pid);
	if (from < 0 || to < 0)
		return -ENOMEM;
	if (!from && !to)
		return 0;
	if (m->entry_ns < 0 || m->entry_ns > TIME_MAX)
		return -ERANGE;
	h->change_time = m->entry_ns;
	return put_number(&h->change[SWITCH_TIME], as_signed(since)) ||
	       put_number(&h->change[SWITCH_CPU], (u64)m->cpu) ||
	       put_number(&h->change[SWITCH_FROM], (u64)from) ||
	       put_number(&h->change[SWITCH_TO], (u64)to) ? -ENOMEM : 0;
}

static int add_item(void *arg, int item)
{
	struct html *h = arg;
	const struct kfi_log_mark *m = &h->x.kd->in.log.mark;
	int ret = h->events.item(h->events.arg, item);

	if (!ret && item == KFI_LINE_MARK &&
	    (kfi_log_mark_is(m, "switch") || kfi_log_mark_is(m, "preempt")))
		ret = add_switch(h);
	return ret;
}

/* Get the rows of kd --boot --json. The report can only print to standard output. */
static int read_report(struct html *h, struct kfi_err *err)
{
	FILE *out = kd_capture(&h->report, &h->report_size);
	struct kd *kd = h->x.kd;
	int ret;

	if (!out)
		return kfi_err_set(err, ENOMEM, "out of memory");
	kd->opt.out = KD_OUT_JSON;
	ret = boot_report(&h->b, err);
	kd->opt.out = KD_OUT_TEXT;
	if (kd_capture_end(out) && !ret)
		ret = kfi_err_set(err, ENOMEM, "out of memory");
	return ret;
}

int kd_html(struct kd *kd, struct kfi_err *err)
{
	struct html *h = &html;
	const struct kd_visit visit = { .call = add_call, .item = add_item, .arg = h };
	int ret;

	h->x.kd = kd;
	h->x.path = kd->opt.html;
	h->x.option = "--html";
	h->addresses = !kd->in.resolve;
	h->e = (struct kd_events){ .kd = kd, .event = add_event, .arg = h };
	h->events = kd_events_visit(&h->e);
	ret = boot_begin(&h->b, kd, &h->boot, err);
	if (!ret && !h->is_open)
		ret = kd_export_open(&h->x, err);
	if (ret)
		return ret;
	h->is_open = true;
	ret = kd_walk_both(kd, &h->boot, &visit, err);
	ret = ret ? : kd_events_end(&h->e, err);
	ret = ret ? : end_tracks(h);
	if (ret == -ERANGE)
		return kfi_err_set(err, ERANGE, "%s: --html cannot show times beyond 104 days",
				   kd->in.log.in.name);
	if (ret)
		return ret == -ENOMEM ? kfi_err_set(err, ENOMEM, "out of memory") : ret;
	ret = h->calls ? kd_check_place(&h->place, kd, h->addresses, kd->in.log.in.name, err) : 0;
	if (ret)
		return ret;
	if (kd->opt.filter.calls)
		kd_note("the page has %llu of %llu calls: those that the options choose",
			(unsigned long long)h->calls, (unsigned long long)kd->res.calls);
	ret = boot_end(&h->b, &h->no_report);
	if (ret == -EINVAL && kd->opt.dmesg)
		return kfi_err_set(err, EINVAL, "--dmesg needs the log of a boot: %s",
				   h->no_report.text);
	if (ret == -EINVAL && kd->opt.until)
		return kfi_err_set(err, EINVAL, "%s", h->no_report.text);
	if (ret == -EINVAL)
		return 0;
	if (ret)
		*err = h->no_report;
	return ret ? : read_report(h, err);
}

static int pack_names(struct kd_packer *p, const struct kfi_names *names)
{
	struct bytes b = { 0 };
	int ret = 0;

	for (u32 i = 0; i < names->count && !ret; i++) {
		struct kfi_str s = names->str[i];

		ret = put_number(&b, s.len);
		if (!ret && (b.n > U32_MAX - s.len ||
			     kfi_grow((void **)&b.at, &b.room, b.n + s.len, 1)))
			ret = -ENOMEM;
		if (!ret && s.len)
			memcpy(b.at + b.n, s.s, s.len);
		b.n += ret ? 0 : s.len;
	}
	if (!ret)
		kd_pack_section(p, b.at, b.n);
	free(b.at);
	return ret;
}

/* Print "key":number after another member. */
static void json_number(struct kfi_out *o, const char *key, u64 v)
{
	char text[32], *end = text + sizeof(text), *s;

	kfi_out_put(o, ",", 1);
	kd_json_put(o, key);
	s = kfi_out_number(v > S64_MAX ? S64_MAX : (s64)v, end);
	kfi_out_put(o, ":", 1);
	kfi_out_put(o, s, end - s);
}

static void json_word(struct kfi_out *o, const char *text)
{
	kfi_out_put(o, text, strlen(text));
}

static void json_text(struct kfi_out *o, const char *key, const char *text)
{
	kfi_out_put(o, ",", 1);
	kd_json_put(o, key);
	kfi_out_put(o, ":", 1);
	kd_json_put(o, text);
}

/* Print what the header says, in the order in which the page shows it. */
static void json_head(struct kfi_out *o, const struct html *h)
{
	const struct kfi_log_head *head = &h->x.kd->in.head;
	const struct {
		const char *name;
		u64 value;
		bool is_known;
	} counters[] = {
		{ "Session", head->id, true },
		{ "Started at, us", head->start_us, head->has_start },
		{ "Stopped at, us", head->stop_us, head->has_stop },
		{ "Calls in this page", h->calls, true },
		{ "Calls kept", head->rows, head->has_rows },
		{ "Calls filtered", head->filtered, true },
		{ "Calls lost", head->lost, true },
		{ "Calls left out", head->left_out, true },
		{ "Calls not returned", h->x.kd->res.opened, true },
		{ "Calls unwound", h->x.kd->res.unwound, true },
		{ "Marks kept", head->marks, true },
		{ "Marks lost", head->marks_lost, true },
		{ "Clock steps back", head->steps_back, true },
		{ "Recording a call takes, ns", head->cost_ns, head->has_cost },
	};

	json_word(o, "{\"version\":1");
	json_text(o, "kd", KFI_VERSION);
	json_text(o, "log", h->x.kd->in.log.in.name);
	json_text(o, "kernel", head->kernel);
	json_text(o, "build_id", head->build_id);
	json_text(o, "clock", head->clock);
	json_text(o, "filters", head->filters);
	json_text(o, "start_by", head->start_by);
	json_text(o, "stop_by", head->stop_by);
	json_number(o, "end", (u64)h->e.end);
	json_number(o, "calls", h->calls);
	json_number(o, "of_calls", h->x.kd->res.calls);
	json_word(o, head->format < KFI_BELOW_FORMAT ? ",\"below\":false" : ",\"below\":true");
	json_number(o, "lost", head->lost);
	json_word(o, ",\"counters\":{\"Log format\":");
	json_word(o, head->format ? "" : "0");
	if (head->format) {
		char text[32];

		snprintf(text, sizeof(text), "%llu", (unsigned long long)head->format);
		json_word(o, text);
	}
	for (size_t i = 0; i < ARRAY_SIZE(counters); i++)
		if (counters[i].is_known)
			json_number(o, counters[i].name, counters[i].value);
	for (u32 i = 0; i < head->ncounters; i++)
		json_number(o, head->counter[i].name, head->counter[i].value);
	json_word(o, "}");
}

static void json_tracks(struct kfi_out *o, const struct html *h)
{
	char name[KD_TRACK_NAME];

	json_word(o, ",\"tracks\":[");
	for (u32 i = 0; i < h->e.n; i++) {
		kd_track_name(&h->e, i, name);
		json_word(o, i ? ",\n{\"name\":" : "\n{\"name\":");
		kd_json_put(o, name);
		json_number(o, "ctx", h->e.track[i].ctx);
		json_number(o, "lane", h->e.track[i].lane);
		if (h->e.track[i].cpu < 0)
			json_number(o, "pid", (u64)(u32)h->e.track[i].pid);
		json_word(o, "}");
	}
	json_word(o, "]");
}

static void json_lines(struct kfi_out *o, struct kd *kd)
{
	if (!kd->opt.srcline)
		return;
	json_word(o, ",\"lines\":[");
	for (u32 i = 0; i < kd->in.names.count; i++) {
		const char *line = kd_line_of(kd, i);

		json_word(o, i ? "," : "");
		if (line)
			kd_json_put(o, line);
		else
			json_word(o, "null");
	}
	json_word(o, "]");
}

/* Print when the critical path goes to another task, and to which task. */
static void json_hops(struct kfi_out *o, const struct kd_boot *b)
{
	u32 task = b->piece.n ? b->piece.at[0].task : KFI_NONE;
	bool any = false;

	json_word(o, ",\"hops\":[");
	for (u32 i = 0; i < b->piece.n; i++) {
		const struct boot_piece *p = &b->piece.at[i];
		char text[64];

		if (p->task == task)
			continue;
		task = p->task;
		if (task >= b->task.n)
			continue;
		snprintf(text, sizeof(text), "%s[%lld,%d]", any ? "," : "", (long long)p->from,
			 b->task.at[task].pid);
		json_word(o, text);
		any = true;
	}
	json_word(o, "]");
}

static void json_boot(struct kfi_out *o, const struct html *h)
{
	json_word(o, ",\"boot\":{");
	if (!h->report) {
		json_word(o, "\"why\":");
		kd_json_put(o, h->no_report.text);
	} else {
		json_word(o, h->b.is_over ? "\"over\":true" : "\"over\":false");
		json_text(o, "begin_by", boot_begin_text(&h->b));
		json_text(o, "end_by", h->b.is_over ? h->b.end_by : "");
		json_number(o, "start", (u64)h->b.start);
		json_number(o, "end", (u64)h->b.end);
		json_number(o, "threshold", (u64)h->b.threshold);
		json_hops(o, &h->b);
		json_word(o, ",\"rows\":[");
		kfi_out_put(o, h->report, h->report_size);
		json_word(o, "]");
	}
	json_word(o, "}");
}

/* Print the times whose rows are missing. */
static void json_gaps(struct kfi_out *o, const struct html *h)
{
	json_word(o, ",\"gaps\":[");
	for (u32 i = 0; i < h->gap.n; i++) {
		char text[64];

		snprintf(text, sizeof(text), "%s[%lld,%lld]", i ? "," : "",
			 (long long)h->gap.at[i].from, (long long)h->gap.at[i].to);
		json_word(o, text);
	}
	json_word(o, "]");
}

static int pack_json(struct kd_packer *p, struct html *h, char *const *note, u32 n)
{
	static struct kfi_out o;
	char *text = NULL;
	size_t size = 0;

	o.file = open_memstream(&text, &size);
	if (!o.file)
		return -ENOMEM;
	json_head(&o, h);
	json_tracks(&o, h);
	json_lines(&o, h->x.kd);
	json_boot(&o, h);
	json_gaps(&o, h);
	json_word(&o, ",\"notes\":[");
	for (u32 i = 0; i < n; i++) {
		json_word(&o, i ? ",\n" : "\n");
		kd_json_put(&o, note[i]);
	}
	json_word(&o, "]}\n");
	kfi_out_flush(&o);
	if (fclose(o.file))
		n = U32_MAX;
	else
		kd_pack_section(p, text, size);
	free(text);
	return n == U32_MAX ? -ENOMEM : 0;
}

static int write_data(struct html *h, char *const *note, u32 n)
{
	static struct kd_packer p;
	int ret;

	if (kd_pack_begin(&p, &h->x.out))
		return -ENOMEM;
	ret = pack_names(&p, &h->x.kd->in.names) || pack_names(&p, &h->texts) ? -ENOMEM : 0;
	for (u32 i = 0; i < MARK_COLUMNS; i++)
		kd_pack_section(&p, h->mark[i].at, h->mark[i].n);
	for (u32 i = 0; i < SWITCH_COLUMNS; i++)
		kd_pack_section(&p, h->change[i].at, h->change[i].n);
	for (u32 i = 0; i < WAKE_COLUMNS; i++)
		kd_pack_section(&p, h->woken[i].at, h->woken[i].n);
	for (u32 i = 0; i < h->e.n; i++) {
		static const struct html_track none;
		const struct html_track *t = i < h->tracks ? &h->track[i] : &none;

		for (u32 c = 0; c < COLUMNS; c++)
			kd_pack_section(&p, t->column[c].at, t->column[c].n);
	}
	if (!ret)
		ret = pack_json(&p, h, note, n);
	kd_pack_end(&p);
	return ret;
}

/* Free everything except the output file. */
static void free_all(struct html *h)
{
	const struct kd_export x = h->x;
	const struct kd_place place = h->place;
	bool is_open = h->is_open;
	u32 logs = h->logs;

	boot_free(&h->b);
	kd_events_free(&h->e);
	free(h->gap.at);
	for (u32 i = 0; i < h->tracks; i++) {
		free(h->track[i].call);
		for (u32 c = 0; c < COLUMNS; c++)
			free(h->track[i].column[c].at);
	}
	free(h->track);
	for (u32 i = 0; i < MARK_COLUMNS; i++)
		free(h->mark[i].at);
	for (u32 i = 0; i < SWITCH_COLUMNS; i++)
		free(h->change[i].at);
	for (u32 i = 0; i < WAKE_COLUMNS; i++)
		free(h->woken[i].at);
	free(h->wake);
	kfi_names_free(&h->texts);
	free(h->report);
	memset(h, 0, sizeof(*h));
	h->x = x;
	h->is_open = is_open;
	h->logs = logs;
	h->place = place;
}

int kd_html_end(int ret, char *const *note, u32 n, bool more, struct kfi_err *err)
{
	struct html *h = &html;

	if (!ret) {
		if (h->logs++)
			kfi_out_put(&h->x.out, "\n", 1);
		else
			kfi_out_put(&h->x.out, (const char *)kd_page_before, kd_page_before_size);
		if (write_data(h, note, n))
			ret = kfi_err_set(err, ENOMEM, "out of memory");
		if (!more)
			kfi_out_put(&h->x.out, (const char *)kd_page_behind, kd_page_behind_size);
	}
	if (h->is_open && (ret || !more)) {
		ret = kd_export_close(&h->x, ret, err);
		h->is_open = false;
	}
	free_all(h);
	return ret;
}
