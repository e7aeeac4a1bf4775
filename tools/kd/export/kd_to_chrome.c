// SPDX-License-Identifier: GPL-2.0
/*
 * --export chrome: the trace event format, JSON, as chrome://tracing, ui.perfetto.dev and
 * speedscope read it. A track is a thread of one process. Times are microseconds with three
 * decimals.
 */
#include <stdio.h>

#include "kd_events.h"
#include "kd_export.h"

static void put_time(struct kd_export *x, s64 ns)
{
	char text[8];

	kd_put_number(x, ns / 1000);
	kfi_out_put(&x->out, text, sprintf(text, ".%03u", (u32)(ns % 1000)));
}

/* "key":number behind another one */
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

/* What of the time of a call is whose; historic logs do not know it. */
static void put_args(struct kd_export *x, const struct kfi_row *row)
{
	kd_put_text(x, ",\"args\":{\"cpu\":");
	if (row->cpu >= 0)
		kd_put_number(x, row->cpu);
	else
		kd_put_text(x, "null");
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
		put_args(x, e->row);
	kd_put_text(x, "}");
}

/* A wake-up is an arrow from the call in which it happens to the one that goes on or begins. */
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
	struct kd_export *x = arg;

	if (e->kind == KD_BEGIN) {
		put_begin(x, e);
	} else if (e->kind == KD_INSTANT) {
		put_instant(x, e);
	} else if (e->unknown) {
		put_event(x, "E", e->track, e->at, NULL);
		kd_put_text(x, "}");
	}
	return 0;
}

static void put_tracks(struct kd_export *x, const struct kd_events *e)
{
	char name[KD_TRACK_NAME];

	for (u32 i = 0; i < e->n; i++) {
		if (!e->track[i].used)
			continue;
		kd_track_name(e, i, name);
		put_event(x, "M", i, 0, "thread_name");
		kd_put_text(x, ",\"args\":{\"name\":");
		kd_json_put(&x->out, name);
		kd_put_text(x, "}}");
	}
}

static void put_lost(struct kd_export *x, s64 at, u64 lost)
{
	put_event(x, "C", 0, at, "calls lost");
	kd_put_text(x, ",\"args\":{\"lost\":");
	kd_put_number(x, lost);
	kd_put_text(x, "}}");
}

static void put_head(struct kd_export *x)
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
}

int kd_export_chrome(struct kd_export *x, struct kfi_err *err)
{
	struct kd_events e = { .kd = x->kd, .event = add_event, .arg = x };
	u64 lost = x->kd->in.head.lost;
	int ret;

	put_head(x);
	ret = kd_events_read(&e, err);
	put_tracks(x, &e);
	if (lost) {
		put_lost(x, 0, 0);
		put_lost(x, e.end, lost);
	}
	kd_put_text(x, "\n]}\n");
	kd_events_free(&e);
	return ret;
}
