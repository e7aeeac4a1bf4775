// SPDX-License-Identifier: GPL-2.0
/*
 * --export pprof: a message Profile, compressed with gzip, for "go tool pprof" and other viewers. A
 * sample is a path, with the innermost function first, and has the calls and the self time of the
 * path. Texts are numbers in a table of strings, whose first one is empty.
 */
#include <stdlib.h>
#include <zlib.h>

#include "kd_export.h"
#include "kd_paths.h"
#include "kd_proto.h"

/* Field numbers of the messages in profile.proto. */
enum profile {
	PROFILE_TYPE = 1,
	PROFILE_SAMPLE,
	PROFILE_MAPPING,
	PROFILE_LOCATION,
	PROFILE_FUNCTION,
	PROFILE_STRING,
	PROFILE_DURATION = 10,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_TYPE,
};
enum value_type { TYPE_NAME = 1, TYPE_UNIT };
enum sample { SAMPLE_LOCATIONS = 1, SAMPLE_VALUES };
enum mapping { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_BUILD_ID, MAPPING_HAS_FUNCTIONS };
enum location { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_LINE = 4, LINE_FUNCTION = 1 };
enum function { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_SYSTEM_NAME };

/* Numbers of the first strings. The strings of the frames follow. */
enum { S_NONE, S_CALLS, S_COUNT, S_TIME, S_NANOSECONDS, S_TITLE, S_BUILD_ID, S_FRAMES };

/**
 * struct pprof - state while a profile is written
 * @x: the file
 * @paths: the calls
 * @p: the part of the message that is under construction
 * @z: the compressor
 * @frame: by kd_path_frame(): number of its location, 0: it has none yet
 * @used: frames that have a location, in the order of the locations
 * @n: how many
 * @below: log of samples: by path, how many of its samples are in paths below; NULL: a log of calls
 * @ids: locations of a sample
 * @ids_room: for how many there is room
 */
struct pprof {
	struct kd_export *x;
	struct kd_paths paths;
	struct kd_proto p;
	z_stream z;
	u32 *frame;
	u32 *used;
	u32 n;
	u64 *below;
	u64 *ids;
	u32 ids_room;
};

static int pack(struct pprof *f, const void *data, u32 n, int flush)
{
	u8 out[4096];

	f->z.next_in = (void *)data;
	f->z.avail_in = n;
	do {
		f->z.next_out = out;
		f->z.avail_out = sizeof(out);
		if (deflate(&f->z, flush) == Z_STREAM_ERROR)
			return -ENOMEM;
		kfi_out_put(&f->x->out, (const char *)out, sizeof(out) - f->z.avail_out);
	} while (!f->z.avail_out);
	return 0;
}

/* Write what is complete: parts of a message simply follow each other. */
static int write_part(struct pprof *f)
{
	int ret = f->p.failed ? -ENOMEM : pack(f, f->p.data, f->p.n, Z_NO_FLUSH);

	f->p.n = 0;
	return ret;
}

/* Return the number of the location of a frame, 0: out of memory. */
static u64 location_of(struct pprof *f, const struct kd_path *path)
{
	u32 frame = kd_path_frame(path);

	if (!f->frame[frame]) {
		f->used[f->n++] = frame;
		f->frame[frame] = f->n;
	}
	return f->frame[frame];
}

static int put_sample(struct pprof *f, u32 path)
{
	const struct kd_path *x = &f->paths.at[path];
	/* A sample counts only for the path that is its whole chain, not for the paths above. */
	const u64 values[] = { x->calls - (f->below ? f->below[path] : 0), x->self };
	u32 n = kd_paths_stack(&f->paths, path), sample;

	if (!n || kfi_grow((void **)&f->ids, &f->ids_room, n, sizeof(*f->ids)))
		return -ENOMEM;
	for (u32 i = 0; i < n; i++)
		f->ids[i] = location_of(f, &f->paths.at[f->paths.stack[n - 1 - i]]);
	sample = kd_proto_begin(&f->p, PROFILE_SAMPLE);
	kd_proto_packed(&f->p, SAMPLE_LOCATIONS, f->ids, n);
	kd_proto_packed(&f->p, SAMPLE_VALUES, values, ARRAY_SIZE(values));
	kd_proto_end(&f->p, sample);
	return write_part(f);
}

static void put_pair(struct pprof *f, u32 field, u32 a, u64 va, u32 b, u64 vb)
{
	u32 at = kd_proto_begin(&f->p, field);

	kd_proto_number(&f->p, a, va);
	kd_proto_number(&f->p, b, vb);
	kd_proto_end(&f->p, at);
}

static int put_head(struct pprof *f)
{
	const struct kfi_log_head *h = &f->x->kd->in.head;
	s64 span = kfi_log_head_span(h);
	u32 at;

	put_pair(f, PROFILE_TYPE, TYPE_NAME, S_CALLS, TYPE_UNIT, S_COUNT);
	put_pair(f, PROFILE_TYPE, TYPE_NAME, S_TIME, TYPE_UNIT, S_NANOSECONDS);
	at = kd_proto_begin(&f->p, PROFILE_MAPPING);
	kd_proto_number(&f->p, MAPPING_ID, 1);
	kd_proto_number(&f->p, MAPPING_FILE, S_TITLE);
	kd_proto_number(&f->p, MAPPING_BUILD_ID, S_BUILD_ID);
	kd_proto_number(&f->p, MAPPING_HAS_FUNCTIONS, 1);
	kd_proto_end(&f->p, at);
	if (span > 0)
		kd_proto_number(&f->p, PROFILE_DURATION, (u64)span * 1000);
	kd_proto_number(&f->p, PROFILE_COMMENT, S_TITLE);
	kd_proto_number(&f->p, PROFILE_DEFAULT_TYPE, S_TIME);
	return write_part(f);
}

static int put_frame(struct pprof *f, u32 id)
{
	u32 at = kd_proto_begin(&f->p, PROFILE_FUNCTION), line;

	kd_proto_number(&f->p, FUNCTION_ID, id);
	kd_proto_number(&f->p, FUNCTION_NAME, S_FRAMES + id - 1);
	kd_proto_number(&f->p, FUNCTION_SYSTEM_NAME, S_FRAMES + id - 1);
	kd_proto_end(&f->p, at);
	at = kd_proto_begin(&f->p, PROFILE_LOCATION);
	kd_proto_number(&f->p, LOCATION_ID, id);
	kd_proto_number(&f->p, LOCATION_MAPPING, 1);
	line = kd_proto_begin(&f->p, LOCATION_LINE);
	kd_proto_number(&f->p, LINE_FUNCTION, id);
	kd_proto_end(&f->p, line);
	kd_proto_end(&f->p, at);
	return write_part(f);
}

static int put_strings(struct pprof *f)
{
	char title[KD_TITLE];
	const struct kfi_log_head *h = &f->x->kd->in.head;
	bool events = h->sampled == KFI_SAMPLED_EVENTS;
	const char *const first[] = {
		[S_NONE] = "", [S_CALLS] = h->sampled ? "samples" : "calls", [S_COUNT] = "count",
		[S_TIME] = events ? h->event : "time",
		[S_NANOSECONDS] = events ? "count" : "nanoseconds", [S_TITLE] = title,
		[S_BUILD_ID] = h->build_id,
	};
	int ret = 0;

	static_assert(ARRAY_SIZE(first) == S_FRAMES);
	kd_export_title(f->x, title);
	for (u32 i = 0; i < S_FRAMES; i++)
		kd_proto_text(&f->p, PROFILE_STRING, first[i]);
	for (u32 i = 0; i < f->n && !ret; i++) {
		char *open;
		const char *name = kd_frame_name(&f->paths, f->used[i], &open);

		if (!name)
			return -ENOMEM;
		kd_proto_text(&f->p, PROFILE_STRING, name);
		free(open);
		ret = write_part(f);
	}
	return ret;
}

static int count_below(struct pprof *f)
{
	const struct kd_path *x = f->paths.at;

	if (!f->x->kd->in.head.sampled)
		return 0;
	f->below = calloc(f->paths.n, sizeof(*f->below));
	for (u32 i = 0; f->below && i < f->paths.n; i++)
		if (x[i].parent != KFI_NONE && x[i].kind == KD_PATH_CALLS &&
		    x[x[i].parent].kind == KD_PATH_CALLS)
			f->below[x[i].parent] += x[i].calls;
	return f->below ? 0 : -ENOMEM;
}

static int put_profile(struct pprof *f)
{
	u32 frames = kd_frames(&f->paths);
	int ret;

	f->frame = calloc(frames, sizeof(*f->frame));
	f->used = calloc(frames, sizeof(*f->used));
	ret = f->frame && f->used && !count_below(f) ? put_head(f) : -ENOMEM;
	for (u32 i = 0; i < f->paths.n && !ret; i++)
		if (f->paths.at[i].self || f->paths.at[i].calls)
			ret = put_sample(f, i);
	for (u32 i = 1; i <= f->n && !ret; i++)
		ret = put_frame(f, i);
	return ret ? ret : put_strings(f) || pack(f, "", 0, Z_FINISH) ? -ENOMEM : 0;
}

int kd_export_pprof(struct kd_export *x, struct kfi_err *err)
{
	struct pprof f = { .x = x, .paths = { .kd = x->kd } };
	int ret = kd_paths_read(&f.paths, err);

	/* 16 asks for a header of gzip. */
	if (!ret && deflateInit2(&f.z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8,
				 Z_DEFAULT_STRATEGY) != Z_OK)
		ret = kfi_err_set(err, ENOMEM, "out of memory");
	if (!ret) {
		if (put_profile(&f))
			ret = kfi_err_set(err, ENOMEM, "out of memory");
		deflateEnd(&f.z);
	}
	kd_paths_free(&f.paths);
	free(f.p.data);
	free(f.frame);
	free(f.used);
	free(f.below);
	free(f.ids);
	return ret;
}
