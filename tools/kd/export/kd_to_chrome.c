// SPDX-License-Identifier: GPL-2.0
/*
 * --export chrome: the trace event format, JSON, as chrome://tracing, ui.perfetto.dev and
 * speedscope read it. A track is a thread of one process. Times are microseconds with three
 * decimals.
 */
#include <stdio.h>

#include "kd_split.h"

static void put_time(struct kd_export *x, s64 ns)
{
	char text[8];

	kd_put_number(x, ns / 1000);
	kfi_out_put(&x->out, text, sprintf(text, ".%03u", (u32)(ns % 1000)));
}

/* Write "key":number after another member. */
static void put_field(struct kd_export *x, const char *key, u64 v)
{
	kd_put_text(x, ",\"");
	kd_put_text(x, key);
	kd_put_text(x, "\":");
	kd_put_number(x, v);
}

static void put_event(struct kd_export *x, const char *phase, u32 track, s64 at, const char *name)
{
	kd_put_text(x, ",\n{\"ph\":\"");
	kd_put_text(x, phase);
	kd_put_text(x, "\",\"pid\":1,\"tid\":");
	kd_put_number(x, track + 1);
	kd_put_text(x, ",\"ts\":");
	put_time(x, at);
	if (!name)
		return;
	kd_put_text(x, ",\"name\":");
	kd_json_put(&x->out, name);
}

/*
 * Write how the time of a call is divided; historic logs do not tell. A call that is cut has only
 * the part of this file.
 */
static void put_args(struct kd_export *x, const struct kd_event *e)
{
	const struct kfi_row *row = e->row;

	kd_put_text(x, ",\"args\":{\"cpu\":");
	if (row->cpu >= 0)
		kd_put_number(x, row->cpu);
	else
		kd_put_text(x, "null");
	if (e->is_continued || e->goes_on) {
		kd_put_text(x, ",\"cut\":");
		kd_json_put(&x->out, kd_why_cut(e));
		put_field(x, "begin_ns", row->entry_ns);
		if (row->delta_ns >= 0)
			put_field(x, "whole_ns", row->delta_ns);
	}
	if (row->local_ns >= 0)
		put_field(x, "self_ns", row->local_ns);
	if (row->off_ns >= 0)
		put_field(x, "off_cpu_ns", row->off_ns);
	if (row->irq_ns >= 0)
		put_field(x, "irq_ns", row->irq_ns);
	if (row->delta_ns < 0) {
		kd_put_text(x, ",\"open\":");
		kd_json_put(&x->out, kd_why_open(row));
	}
	kd_put_text(x, "}");
}

static void put_begin(struct kd_export *x, const struct kd_event *e)
{
	bool open = e->end == S64_MAX;

	put_event(x, open ? "B" : "X", e->track, e->at, e->name);
	if (!open) {
		kd_put_text(x, ",\"dur\":");
		put_time(x, e->end - e->at);
	}
	kd_put_text(x, e->row ? ",\"cat\":\"call\"" : ",\"cat\":\"hole\"");
	if (e->row)
		put_args(x, e);
	kd_put_text(x, "}");
}

/*
 * Write a wake-up as an arrow from the call in which it happens to the call that goes on or begins.
 */
static void put_instant(struct kd_export *x, const struct kd_event *e)
{
	if (!e->woken) {
		put_event(x, "i", e->track, e->at, e->name);
		kd_put_text(x, strncmp(e->name, "level ", 6) ? ",\"cat\":\"mark\",\"s\":\"t\"}" :
			    ",\"cat\":\"mark\",\"s\":\"g\"}");
	}
	if (!e->flow)
		return;
	put_event(x, e->woken ? "f" : "s", e->track, e->at, "wakeup");
	put_field(x, "id", e->flow);
	kd_put_text(x, e->woken && e->inside ? ",\"cat\":\"wakeup\",\"bp\":\"e\"}" :
		    ",\"cat\":\"wakeup\"}");
}

static int add_event(void *arg, const struct kd_event *e)
{
	struct kd_part *p = kd_split_part(arg, e->part);

	if (!p)
		return -EINVAL;
	if (kd_set_add(&p->tracks, e->track) < 0)
		return -ENOMEM;
	if (e->kind == KD_BEGIN) {
		put_begin(p->x, e);
	} else if (e->kind == KD_INSTANT) {
		put_instant(p->x, e);
	} else if (e->unknown) {
		put_event(p->x, "E", e->track, e->at, NULL);
		kd_put_text(p->x, "}");
	}
	return 0;
}

static void put_tracks(const struct kd_part *p, const struct kd_events *e)
{
	char name[KD_TRACK_NAME];

	for (u32 i = 0; i < p->tracks.n; i++) {
		if (!p->tracks.has[i])
			continue;
		kd_track_name(e, i, name);
		put_event(p->x, "M", i, 0, "thread_name");
		kd_put_text(p->x, ",\"args\":{\"name\":");
		kd_json_put(&p->x->out, name);
		kd_put_text(p->x, "}}");
	}
}

static void put_lost(struct kd_export *x, s64 at, u64 lost)
{
	put_event(x, "C", 0, at, "calls lost");
	kd_put_text(x, ",\"args\":{\"lost\":");
	kd_put_number(x, lost);
	kd_put_text(x, "}}");
}

static int put_head(struct kd_export *x)
{
	const struct kfi_log_head *h = &x->kd->in.head;

	kd_put_text(x, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"kernel\":");
	kd_json_put(&x->out, h->kernel);
	kd_put_text(x, ",\"build_id\":");
	kd_json_put(&x->out, h->build_id);
	kd_put_text(x, ",\"clock\":");
	kd_json_put(&x->out, h->clock);
	kd_put_text(x, ",\"filters\":");
	kd_json_put(&x->out, h->filters);
	put_field(x, "calls_filtered", h->filtered);
	put_field(x, "calls_lost", h->lost);
	kd_put_text(x, "},\"traceEvents\":[\n{\"ph\":\"M\",\"pid\":1,\"name\":\"process_name\"");
	kd_put_text(x, ",\"args\":{\"name\":\"kernel\"}}");
	return 0;
}

static void put_end(const struct kd_part *p, const struct kd_events *e)
{
	u64 lost = p->x->kd->in.head.lost;

	put_tracks(p, e);
	if (lost) {
		put_lost(p->x, 0, 0);
		put_lost(p->x, e->end, lost);
	}
	kd_put_text(p->x, "\n]}\n");
}

int kd_export_chrome(struct kd_export *x, struct kfi_err *err)
{
	struct kd_split s = { .x = x, .begin = put_head, .err = err };
	struct kd_events e = { .event = add_event, .arg = &s };
	int ret = kd_split_read(&s, &e);

	for (u32 i = 0; i < s.n && !ret; i++)
		if (s.part[i])
			put_end(s.part[i], &e);
	kd_events_free(&e);
	return kd_split_close(&s, ret);
}
