// SPDX-License-Identifier: GPL-2.0
/*
 * --export ctf: a folder in the Common Trace Format 1.8, as babeltrace2 and Trace Compass read it:
 *
 *	metadata	what is in the other files
 *	track-N		entries and exits on a track, and its marks
 *	names		names of tracks, all with time 0, since they are known at the end
 *	lost		number of lost calls, without events; only if any were lost
 *
 * Each file is a stream of packets, with nothing before, between or behind them.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kd_events.h"
#include "kd_export.h"
#include "kd_proto.h"

/* Numbers of events, as in the metadata. */
enum { CTF_ENTRY = 0, CTF_EXIT = 1, CTF_MARK = 2, CTF_TRACK = 3 };

#define MAGIC	0xc1fc1fc1u

/* A packet ends after about this number of bytes. */
#define PACKET	32768

/* The header of a packet, as the metadata describe it. Sizes are in bits. */
struct packet {
	u32 magic;
	u32 stream_id;
	u64 begin;
	u64 end;
	u64 content_size;
	u64 packet_size;
	u64 events_discarded;
};

static_assert(sizeof(struct packet) == 48);

/**
 * struct stream - one file
 * @bytes: events of the packet under construction
 * @begin: time of its first event
 * @end: time of its last event
 */
struct stream {
	struct kd_proto bytes;
	s64 begin;
	s64 end;
};

/**
 * struct ctf - the folder under construction
 * @x: the export
 * @events: the log
 * @stream: by track
 * @n: number of tracks
 * @room: for how many there is room
 * @err: set to the reason of a failure
 */
struct ctf {
	struct kd_export *x;
	struct kd_events events;
	struct stream *stream;
	u32 n;
	u32 room;
	struct kfi_err *err;
};

static void put(struct stream *s, const void *data, u32 n)
{
	kd_proto_bytes(&s->bytes, data, n);
}

static void put_u32(struct stream *s, u32 v)
{
	put(s, &v, sizeof(v));
}

static void put_s64(struct stream *s, s64 v)
{
	put(s, &v, sizeof(v));
}

static void put_string(struct stream *s, const char *text)
{
	put(s, text, (u32)strlen(text) + 1);
}

/* End the packet. */
static int flush(struct ctf *f, struct stream *s, const char *name, u64 lost)
{
	const u64 bits = 8 * (sizeof(struct packet) + (u64)s->bytes.n);
	const struct packet head = {
		.magic = MAGIC, .begin = (u64)s->begin, .end = (u64)s->end, .content_size = bits,
		.packet_size = bits, .events_discarded = lost,
	};
	int ret = s->bytes.failed ? -ENOMEM :
		  kd_folder_append(f->x, name, &head, sizeof(head), f->err);

	if (!ret && s->bytes.n)
		ret = kd_folder_append(f->x, name, s->bytes.data, s->bytes.n, f->err);
	s->bytes.n = 0;
	return ret;
}

static int flush_track(struct ctf *f, u32 track)
{
	char name[32];

	snprintf(name, sizeof(name), "track-%u", track);
	return flush(f, &f->stream[track], name, 0);
}

/* Write the header and the context of an event. */
static void begin_event(struct ctf *f, struct stream *s, u8 id, u32 track, s64 at)
{
	const struct kd_track *t = &f->events.track[track];

	if (!s->bytes.n)
		s->begin = at;
	s->end = at;
	put(s, &id, sizeof(id));
	put_s64(s, at);
	put_u32(s, track);
	put_u32(s, (u32)(t->ctx == KFI_CTX_TASK ? t->pid : -1));
}

static void put_call(struct stream *s, const struct kd_event *e)
{
	const struct kfi_row *row = e->row;

	put_string(s, e->name);
	put_u32(s, row ? (u32)row->cpu : -1u);
	put_s64(s, e->end == S64_MAX || (row && row->delta_ns < 0) ? -1 : e->end - e->at);
	put_s64(s, row ? row->local_ns : -1);
	put_s64(s, row ? row->off_ns : -1);
	put_s64(s, row ? row->irq_ns : -1);
	/* babeltrace2 2.0.4 shows the string of an earlier event instead of an empty one. */
	put_string(s, row && row->delta_ns < 0 ? kd_why_open(row) : "no");
}

static int add_event(void *arg, const struct kd_event *e)
{
	static const u8 id[] = {
		[KD_BEGIN] = CTF_ENTRY, [KD_END] = CTF_EXIT, [KD_INSTANT] = CTF_MARK,
	};
	struct ctf *f = arg;
	struct stream *s;

	if (e->track >= f->n &&
	    kfi_grow((void **)&f->stream, &f->room, e->track + 1, sizeof(*f->stream)))
		return -ENOMEM;
	for (; f->n <= e->track; f->n++)
		f->stream[f->n] = (struct stream){ .begin = -1 };
	s = &f->stream[e->track];
	begin_event(f, s, id[e->kind], e->track, e->at);
	if (e->kind == KD_BEGIN)
		put_call(s, e);
	else
		put_string(s, e->name);
	if (e->kind == KD_INSTANT)
		put_u32(s, e->flow);
	return s->bytes.n < PACKET ? 0 : flush_track(f, e->track);
}

static int put_names(struct ctf *f)
{
	struct stream s = { .begin = 0 };
	char name[KD_TRACK_NAME];
	int ret;

	for (u32 i = 0; i < f->n; i++) {
		if (f->stream[i].begin < 0)
			continue;
		kd_track_name(&f->events, i, name);
		begin_event(f, &s, CTF_TRACK, i, 0);
		put_string(&s, name);
	}
	ret = flush(f, &s, "names", 0);
	free(s.bytes.data);
	return ret;
}

/* The time at which calls were lost is unknown. */
static int put_lost(struct ctf *f)
{
	u64 lost = f->x->kd->in.head.lost;
	struct stream s = { .begin = 0 };
	int ret = 0;

	if (!lost)
		return 0;
	ret = flush(f, &s, "lost", 0);
	s.end = f->events.end;
	return ret ? ret : flush(f, &s, "lost", lost);
}

static void put_fact(struct kd_export *x, const char *key, const char *text)
{
	kd_put_text(x, "\t");
	kd_put_text(x, key);
	kd_put_text(x, " = \"");
	kd_put_line_text(x, text, "\\\"");
	kd_put_text(x, "\";\n");
}

static void put_metadata(struct kd_export *x)
{
	static const char head[] =
		"/* CTF 1.8 */\n"
		"typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
		"typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
		"typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n"
		"typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
		"typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n"
		"trace {\n\tmajor = 1;\n\tminor = 8;\n\tbyte_order = %s;\n"
		"\tpacket.header := struct { uint32_t magic; uint32_t stream_id; };\n};\n"
		"env {\n\tdomain = \"kernel\";\n\ttracer_name = \"kfi\";\n";
	static const char rest[] =
		"};\n"
		"clock {\n\tname = \"kfi\";\n\tdescription = \"time since the log began\";\n"
		"\tfreq = 1000000000;\n};\n"
		"typealias integer {\n\tsize = 64; align = 8; signed = false;\n"
		"\tmap = clock.kfi.value;\n} := time_t;\n"
		"stream {\n\tid = 0;\n"
		"\tpacket.context := struct {\n"
		"\t\ttime_t timestamp_begin;\n\t\ttime_t timestamp_end;\n"
		"\t\tuint64_t content_size;\n\t\tuint64_t packet_size;\n"
		"\t\tuint64_t events_discarded;\n\t};\n"
		"\tevent.header := struct { uint8_t id; time_t timestamp; };\n"
		"\tevent.context := struct { uint32_t track; int32_t tid; };\n};\n"
		"event {\n\tname = \"entry\";\n\tid = 0;\n\tstream_id = 0;\n\tfields := struct {\n"
		"\t\tstring func;\n\t\tint32_t cpu;\n\t\tint64_t total_ns;\n"
		"\t\tint64_t self_ns;\n\t\tint64_t off_cpu_ns;\n\t\tint64_t irq_ns;\n"
		"\t\tstring open;\n\t};\n};\n"
		"event {\n\tname = \"exit\";\n\tid = 1;\n\tstream_id = 0;\n"
		"\tfields := struct { string func; };\n};\n"
		"event {\n\tname = \"mark\";\n\tid = 2;\n\tstream_id = 0;\n"
		"\tfields := struct { string text; uint32_t flow; };\n};\n"
		"event {\n\tname = \"track\";\n\tid = 3;\n\tstream_id = 0;\n"
		"\tfields := struct { string name; };\n};\n";
	const struct kfi_log_head *h = &x->kd->in.head;
	const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
	char text[sizeof(head)];

	snprintf(text, sizeof(text), head, little ? "le" : "be");
	kd_put_text(x, text);
	put_fact(x, "kernel", h->kernel);
	put_fact(x, "build_id", h->build_id);
	put_fact(x, "clock_source", h->clock);
	put_fact(x, "filters", h->filters);
	kd_put_text(x, "\tcalls_lost = ");
	kd_put_number(x, h->lost);
	kd_put_text(x, ";\n\tcalls_filtered = ");
	kd_put_number(x, h->filtered);
	kd_put_text(x, ";\n");
	kd_put_text(x, rest);
}

/* Write "metadata" last: readers reject an incomplete folder, since it has none. */
static int put_rest(struct ctf *f)
{
	int ret = 0;

	for (u32 i = 0; i < f->n && !ret; i++)
		if (f->stream[i].bytes.n)
			ret = flush_track(f, i);
	ret = ret ? : put_names(f);
	ret = ret ? : put_lost(f);
	ret = ret ? : kd_folder_begin(f->x, "metadata", f->err);
	if (ret)
		return ret;
	put_metadata(f->x);
	return kd_folder_end(f->x, "metadata", f->err);
}

int kd_export_ctf(struct kd_export *x, struct kfi_err *err)
{
	struct ctf f = {
		.x = x, .events = { .kd = x->kd, .event = add_event, .arg = &f }, .err = err,
	};
	int ret = kd_events_read(&f.events, err);

	if (!ret)
		ret = put_rest(&f);
	if (ret == -ENOMEM)
		kfi_err_set(err, ENOMEM, "out of memory");
	for (u32 i = 0; i < f.n; i++)
		free(f.stream[i].bytes.data);
	free(f.stream);
	kd_events_free(&f.events);
	return ret;
}
