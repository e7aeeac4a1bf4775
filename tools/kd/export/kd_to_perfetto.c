// SPDX-License-Identifier: GPL-2.0
/*
 * --export perfetto: the binary trace of ui.perfetto.dev and trace_processor. The file is a message
 * Trace, which consists of packets of one sequence. A function's name is a number, which the first
 * packet that uses it defines.
 */
#include <stdlib.h>

#include "kd_proto.h"
#include "kd_split.h"

/* Field numbers of the messages in protos/perfetto/trace. */
enum trace { TRACE_PACKET = 1 };
enum packet {
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_EVENT = 11,
	PACKET_INTERNED = 12,
	PACKET_FLAGS = 13,
	PACKET_TRACK = 60,
};
enum interned { INTERNED_EVENT_NAME = 2, INTERNED_IID = 1, INTERNED_TEXT = 2 };
enum track_descriptor {
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_PARENT = 5,
	TRACK_COUNTER = 8,
};
enum process { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum counter { COUNTER_UNIT = 3, COUNTER_UNIT_COUNT = 2 };
enum event {
	EVENT_ANNOTATION = 4,
	EVENT_TYPE = 9,
	EVENT_NAME_IID = 10,
	EVENT_TRACK = 11,
	EVENT_CATEGORY = 22,
	EVENT_NAME = 23,
	EVENT_COUNTER = 30,
	EVENT_FLOW = 47,
	EVENT_LAST_FLOW = 48,
};
enum type { TYPE_BEGIN = 1, TYPE_END, TYPE_INSTANT, TYPE_COUNTER };
enum annotation { ANNOTATION_UINT = 3, ANNOTATION_TEXT = 6, ANNOTATION_NAME = 10 };

/* Values of sequence_flags: names are defined from here on; the packet needs these names. */
#define FLAG_CLEARED	1
#define FLAG_NEEDED	2

/* Tracks that are not in the log. Tracks of the log are numbered from UUID_FIRST on. */
enum { UUID_KERNEL = 1, UUID_LOST, UUID_FIRST };

/**
 * struct trace_file - state while a trace is written
 * @split: its files
 * @part: the file of the current event
 * @events: the log
 * @p: the packet under construction
 * @packet: its begin in @p
 */
struct trace_file {
	struct kd_split split;
	struct kd_part *part;
	struct kd_events events;
	struct kd_proto p;
	u32 packet;
};

static void begin_packet(struct trace_file *f, u32 flags)
{
	f->packet = kd_proto_begin(&f->p, TRACE_PACKET);
	kd_proto_number(&f->p, PACKET_SEQUENCE, 1);
	kd_proto_number(&f->p, PACKET_FLAGS, flags);
}

static int end_packet(struct trace_file *f)
{
	kd_proto_end(&f->p, f->packet);
	return kd_proto_write(&f->p, &f->part->x->out);
}

static u32 begin_event(struct trace_file *f, enum type type, u64 uuid, s64 at)
{
	u32 event;

	begin_packet(f, FLAG_NEEDED);
	kd_proto_number(&f->p, PACKET_TIMESTAMP, at);
	event = kd_proto_begin(&f->p, PACKET_EVENT);
	kd_proto_number(&f->p, EVENT_TYPE, type);
	kd_proto_number(&f->p, EVENT_TRACK, uuid);
	return event;
}

static void put_number(struct trace_file *f, const char *name, s64 v)
{
	u32 at;

	if (v < 0)
		return;
	at = kd_proto_begin(&f->p, EVENT_ANNOTATION);
	kd_proto_text(&f->p, ANNOTATION_NAME, name);
	kd_proto_number(&f->p, ANNOTATION_UINT, v);
	kd_proto_end(&f->p, at);
}

static void put_text(struct trace_file *f, const char *name, const char *text)
{
	u32 at = kd_proto_begin(&f->p, EVENT_ANNOTATION);

	kd_proto_text(&f->p, ANNOTATION_NAME, name);
	kd_proto_text(&f->p, ANNOTATION_TEXT, text);
	kd_proto_end(&f->p, at);
}

static void put_row(struct trace_file *f, const struct kd_event *e)
{
	const struct kfi_row *row = e->row;

	kd_proto_text(&f->p, EVENT_CATEGORY, "call");
	put_number(f, "cpu", row->cpu);
	if (e->is_continued || e->goes_on) {
		put_text(f, "cut", kd_why_cut(e));
		put_number(f, "begin_ns", row->entry_ns);
		put_number(f, "whole_ns", row->delta_ns);
	}
	put_number(f, "self_ns", row->local_ns);
	put_number(f, "off_cpu_ns", row->off_ns);
	put_number(f, "irq_ns", row->irq_ns);
	if (row->delta_ns < 0)
		put_text(f, "open", kd_why_open(row));
}

/* Define the name of a function in a packet. */
static int define(struct trace_file *f, const struct kd_event *e)
{
	u32 interned, name;
	int ret = kd_set_add(&f->part->names, e->func);

	if (ret <= 0)
		return ret;
	interned = kd_proto_begin(&f->p, PACKET_INTERNED);
	name = kd_proto_begin(&f->p, INTERNED_EVENT_NAME);
	kd_proto_number(&f->p, INTERNED_IID, e->func + 1);
	kd_proto_text(&f->p, INTERNED_TEXT, e->name);
	kd_proto_end(&f->p, name);
	kd_proto_end(&f->p, interned);
	return 0;
}

static int put_begin(struct trace_file *f, const struct kd_event *e)
{
	u32 event = begin_event(f, TYPE_BEGIN, e->track + UUID_FIRST, e->at);
	int ret = 0;

	if (e->row) {
		kd_proto_number(&f->p, EVENT_NAME_IID, e->func + 1);
		put_row(f, e);
	} else {
		kd_proto_text(&f->p, EVENT_NAME, e->name);
		kd_proto_text(&f->p, EVENT_CATEGORY, "hole");
	}
	kd_proto_end(&f->p, event);
	if (e->row)
		ret = define(f, e);
	return ret ? ret : end_packet(f);
}

static int put_instant(struct trace_file *f, const struct kd_event *e)
{
	u32 event = begin_event(f, TYPE_INSTANT, e->track + UUID_FIRST, e->at);

	kd_proto_text(&f->p, EVENT_NAME, e->name);
	kd_proto_text(&f->p, EVENT_CATEGORY, "mark");
	if (e->flow)
		kd_proto_fixed(&f->p, e->woken ? EVENT_LAST_FLOW : EVENT_FLOW, e->flow);
	kd_proto_end(&f->p, event);
	return end_packet(f);
}

/* Define a process, a counter or, below the process, a track of the log. */
static int put_track(struct trace_file *f, u64 uuid, const char *name)
{
	u32 track, of;

	begin_packet(f, uuid == UUID_KERNEL ? FLAG_CLEARED : FLAG_NEEDED);
	track = kd_proto_begin(&f->p, PACKET_TRACK);
	kd_proto_number(&f->p, TRACK_UUID, uuid);
	if (uuid == UUID_KERNEL) {
		of = kd_proto_begin(&f->p, TRACK_PROCESS);
		kd_proto_number(&f->p, PROCESS_PID, 1);
		kd_proto_text(&f->p, PROCESS_NAME, name);
		kd_proto_end(&f->p, of);
	} else {
		kd_proto_text(&f->p, TRACK_NAME, name);
		kd_proto_number(&f->p, TRACK_PARENT, UUID_KERNEL);
	}
	if (uuid == UUID_LOST) {
		of = kd_proto_begin(&f->p, TRACK_COUNTER);
		kd_proto_number(&f->p, COUNTER_UNIT, COUNTER_UNIT_COUNT);
		kd_proto_end(&f->p, of);
	}
	kd_proto_end(&f->p, track);
	return end_packet(f);
}

static int put_named(struct trace_file *f, u32 track)
{
	char name[KD_TRACK_NAME];

	kd_track_name(&f->events, track, name);
	return put_track(f, track + UUID_FIRST, name);
}

static int add_event(void *arg, const struct kd_event *e)
{
	struct trace_file *f = arg;
	u32 event;
	int ret;

	f->part = kd_split_part(&f->split, e->part);
	if (!f->part)
		return -EINVAL;
	ret = kd_set_add(&f->part->tracks, e->track);
	if (ret > 0)
		ret = put_named(f, e->track);
	if (ret)
		return ret;
	if (e->kind == KD_BEGIN)
		return put_begin(f, e);
	if (e->kind == KD_INSTANT)
		return put_instant(f, e);
	event = begin_event(f, TYPE_END, e->track + UUID_FIRST, e->at);
	kd_proto_end(&f->p, event);
	return end_packet(f);
}

/* The time at which calls were lost is unknown. */
static int put_lost(struct trace_file *f, s64 at, u64 lost)
{
	u32 event = begin_event(f, TYPE_COUNTER, UUID_LOST, at);

	kd_proto_number(&f->p, EVENT_COUNTER, lost);
	kd_proto_end(&f->p, event);
	return end_packet(f);
}

/* Define the tracks at the end, when their names are known. */
static int put_end(struct trace_file *f)
{
	u64 lost = f->part->x->kd->in.head.lost;
	int ret = 0;

	for (u32 i = 0; i < f->part->tracks.n && !ret; i++)
		if (f->part->tracks.has[i])
			ret = put_named(f, i);
	if (ret || !lost)
		return ret;
	return put_track(f, UUID_LOST, "calls lost") || put_lost(f, 0, 0) ||
	       put_lost(f, f->events.end, lost) ? -ENOMEM : 0;
}

/* Define the process that all tracks belong to. */
static int put_head(struct kd_export *x)
{
	struct kd_part part = { .x = x };
	struct trace_file f = { .part = &part };
	int ret = put_track(&f, UUID_KERNEL, "kernel");

	free(f.p.data);
	return ret;
}

int kd_export_perfetto(struct kd_export *x, struct kfi_err *err)
{
	struct trace_file f = {
		.split = { .x = x, .begin = put_head, .err = err },
		.events = { .event = add_event, .arg = &f },
	};
	int ret = kd_split_read(&f.split, &f.events);

	for (u32 i = 0; i < f.split.n && !ret; i++) {
		f.part = f.split.part[i];
		if (f.part)
			ret = put_end(&f);
	}
	if (ret == -ENOMEM)
		kfi_err_set(err, ENOMEM, "out of memory");
	kd_events_free(&f.events);
	free(f.p.data);
	return kd_split_close(&f.split, ret);
}
