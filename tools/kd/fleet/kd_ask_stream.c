// SPDX-License-Identifier: GPL-2.0
/*
 * Reads a fleet that kfi-fleet prints: see kd_ask.h.
 *
 * The input has rows as ClickHouse's format RowBinary has them: kind and name, each as length and
 * bytes; keys of boots and a number of each, each as count and 64-bit numbers, the lowest byte
 * first. Lengths and counts are LEB128. Kinds, in this order:
 *
 *	build	in order of time: its boots, and keys of their boards
 *	boot, phase, function	a series: boots that have it, and nanoseconds
 *	end	the last row
 *
 * A boot may come twice, with the same number. The greatest number stands for an unknown time.
 */
#include <endian.h>
#include <stdlib.h>

#include "in.h"
#include "kd_ask.h"

/* Numbers that are brought into memory at once, and the longest text. */
#define AT_ONCE		4096
#define TEXT_MAX	4096

/**
 * struct fleet_stream - the input
 * @in: the input
 * @offset: of the next byte
 * @kind: of the row that was read last
 * @name: of that row
 * @key: its boots
 * @number: its numbers
 * @n: how many
 * @key_room: for how many there is room
 * @number_room: for how many there is room
 */
struct fleet_stream {
	struct kfi_in in;
	u64 offset;
	char kind[TEXT_MAX + 1];
	char name[TEXT_MAX + 1];
	u64 *key;
	u64 *number;
	u32 n;
	u32 key_room;
	u32 number_room;
};

static int is_wrong(const struct fleet_stream *s, const char *what, struct kfi_err *err)
{
	return kfi_err_set(err, EINVAL, "%s: byte %llu: %s; kd --fleet - reads what kfi-fleet update prints",
			   s->in.name, (unsigned long long)s->offset, what);
}

/* Bring @len bytes into memory. */
static int read_bytes(struct fleet_stream *s, size_t len, const char **at, struct kfi_err *err)
{
	size_t got;
	int ret = kfi_in_peek(&s->in, len, at, &got, err);

	if (ret)
		return ret;
	if (got < len)
		return is_wrong(s, "the input ends in the middle", err);
	kfi_in_skip(&s->in, len);
	s->offset += len;
	return 0;
}

static int read_count(struct fleet_stream *s, u32 most, u32 *count, struct kfi_err *err)
{
	u64 v = 0;

	for (u32 shift = 0; shift < 35; shift += 7) {
		const char *at;
		int ret = read_bytes(s, 1, &at, err);

		if (ret)
			return ret;
		v |= (u64)(*at & 0x7f) << shift;
		if (*at & 0x80)
			continue;
		*count = (u32)v;
		return v <= most ? 0 : is_wrong(s, "a length is too large", err);
	}
	return is_wrong(s, "a length has too many bytes", err);
}

static int read_text(struct fleet_stream *s, char *text, struct kfi_err *err)
{
	const char *at;
	u32 len = 0;
	int ret = read_count(s, TEXT_MAX, &len, err);

	ret = ret ? : read_bytes(s, len, &at, err);
	if (ret)
		return ret;
	memcpy(text, at, len);
	text[len] = '\0';
	return 0;
}

static int read_numbers(struct fleet_stream *s, u64 **list, u32 *room, u32 *n, struct kfi_err *err)
{
	int ret = read_count(s, KFI_NONE - 1, n, err);

	for (u32 i = 0, more; !ret && i < *n; i += more) {
		const char *at;

		more = *n - i < AT_ONCE ? *n - i : AT_ONCE;
		ret = read_bytes(s, more * sizeof(**list), &at, err);
		if (!ret && kfi_grow((void **)list, room, i + more, sizeof(**list)))
			ret = ask_no_memory(err);
		if (!ret)
			memcpy(*list + i, at, more * sizeof(**list));
	}
	for (u32 i = 0; !ret && i < *n; i++)
		(*list)[i] = le64toh((*list)[i]);
	return ret;
}

static int read_row(struct fleet_stream *s, struct kfi_err *err)
{
	u32 n = 0;
	int ret = read_text(s, s->kind, err);

	ret = ret ? : read_text(s, s->name, err);
	ret = ret ? : read_numbers(s, &s->key, &s->key_room, &s->n, err);
	ret = ret ? : read_numbers(s, &s->number, &s->number_room, &n, err);
	return ret ? : n == s->n ? 0 : is_wrong(s, "each boot has one number", err);
}

int fleet_stream_open(struct fleet *f, struct kfi_err *err)
{
	f->stream = calloc(1, sizeof(*f->stream));
	return f->stream ? kfi_in_open(&f->stream->in, "-", err) : ask_no_memory(err);
}

/*
 * Add the boots of the build that was read last. A boot that came before, of another build, counts
 * there. A build without boots of its own is none.
 */
static int add_build(struct fleet *f, struct kfi_err *err)
{
	struct fleet_stream *s = f->stream;
	u32 build = f->builds.count, first = f->boots;
	char board[20];

	for (u32 i = 0; i < s->n; i++) {
		u32 *at = kfi_map_get(&f->of, s->key[i], f->boots);
		struct fleet_boot *x;

		if (!at || kfi_grow((void **)&f->boot, &f->boot_room, f->boots + 1,
				    sizeof(*f->boot)))
			return ask_no_memory(err);
		if (*at != f->boots)
			continue;
		snprintf(board, sizeof(board), "%llx", (unsigned long long)s->number[i]);
		x = &f->boot[f->boots++];
		*x = (struct fleet_boot){
			.build = build,
			.board = kfi_names_get(&f->boards, board, (u32)strlen(board)),
		};
		if (x->board == KFI_NONE)
			return ask_no_memory(err);
	}
	if (f->boots == first)
		return 0;
	if (kfi_names_get(&f->builds, s->name, (u32)strlen(s->name)) == KFI_NONE ||
	    kfi_grow((void **)&f->build, &f->build_room, build + 1, sizeof(*f->build)))
		return ask_no_memory(err);
	if (f->builds.count == build)
		return is_wrong(s, "a build comes twice", err);
	f->build[build] = (struct fleet_build){ .first = first, .boots = f->boots - first };
	return 0;
}

int fleet_stream_boots(struct fleet *f, struct kfi_err *err)
{
	int ret = read_row(f->stream, err);

	while (!ret && !strcmp(f->stream->kind, "build")) {
		ret = add_build(f, err);
		ret = ret ? : read_row(f->stream, err);
	}
	return ret || f->boots ? ret : is_wrong(f->stream, "no boot", err);
}

int fleet_stream_each(struct fleet *f, fleet_series_fn fn, struct kfi_err *err)
{
	static const char *const kinds[] = { "boot", "phase", "function" };
	struct fleet_stream *s = f->stream;
	int ret = 0;

	while (!ret && strcmp(s->kind, "end")) {
		const char *kind = NULL;

		for (u32 i = 0; i < ARRAY_SIZE(kinds); i++)
			if (!strcmp(s->kind, kinds[i]))
				kind = kinds[i];
		if (!kind)
			return is_wrong(s, "a row that is no series", err);
		memset(f->value, 0, f->boots * sizeof(*f->value));
		for (u32 i = 0; i < s->n; i++) {
			const u32 *at = kfi_map_find(&f->of, s->key[i]);

			if (at)
				f->value[*at] = s->number[i] == U64_MAX ? -1 : (double)s->number[i];
		}
		ask_fill_unknown(f);
		ret = fn(f, kind, s->name, err);
		ret = ret ? : read_row(s, err);
	}
	return ret;
}

void fleet_stream_close(struct fleet *f)
{
	if (!f->stream)
		return;
	kfi_in_close(&f->stream->in);
	free(f->stream->key);
	free(f->stream->number);
	free(f->stream);
}
