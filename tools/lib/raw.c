// SPDX-License-Identifier: GPL-2.0
/* Reads raw logs: parts, records, order of the rows; see raw.h. */
#include <stdio.h>
#include <stdlib.h>
#include <zlib.h>

#include "raw_rec.h"

#define MAGIC_LEN	8
#define HEAD_LEN	(sizeof(struct kfi_raw_head) - MAGIC_LEN)

#define NSECS_MAX	((u64)S64_MAX / 2)

/* Largest length: places are counted in units of four bytes. */
#define LEN_MAX		((u64)U32_MAX * 4)

/* Length of a block in bytes: it has as many chunks as fit, at least one. */
#define BLOCK_LEN	65536

/*
 * A call is late if it was entered more than this number of counts before its chunk began. Late
 * calls are kept aside. The number grows if too large a part of all calls is late.
 */
#define LATE_MIN	(1ull << 18)
#define LATE_STEP	4
#define ASIDE_MIN	4096
#define ASIDE_PART	64

void kfi_raw_set_fault(struct kfi_raw *r, const char *what, u64 at)
{
	if (!*r->fault)
		snprintf(r->fault, sizeof(r->fault), "%s at byte %llu", what,
			 (unsigned long long)(r->passed + at + MAGIC_LEN));
}

bool kfi_raw_is_whole(const struct kfi_raw *r, u64 at, u32 bytes)
{
	u64 from = at - sizeof(struct kfi_raw_part), check;

	if (!r->check_bytes)
		return true;
	check = kfi_raw_behind(r, at, bytes) - r->check_bytes;
	return crc32_z(r->passed + from == r->first ? r->head_check : 0, r->data + from,
		       check - from) == kfi_raw_get32(r, check);
}

bool kfi_raw_can_use_damaged(struct kfi_raw *r, u32 kind, u64 at)
{
	if (kind == KFI_RAW_TEXT && !r->text.s) {
		kfi_raw_set_fault(r, "wrong checksum: the header may say what is not true,", at);
		return true;
	}
	r->damaged++;
	kfi_raw_set_fault(r, "wrong checksum: a part is left out,", at);
	return false;
}

void kfi_raw_set_end(struct kfi_raw *r, u64 rows, u64 at, u32 bytes)
{
	u64 all = bytes < sizeof(struct kfi_raw_end) ? 0 : kfi_raw_get64(r, at);
	size_t len = strlen(r->fault);

	r->live = false;
	rows += r->unknown;
	if (r->damaged && all > rows)
		snprintf(r->fault + len, sizeof(r->fault) - len,
			 "; parts left out: %u, rows: %llu", r->damaged,
			 (unsigned long long)(all - rows));
	else if (all != rows)
		kfi_raw_set_fault(r, "the number of rows differs from that of the end", at);
}

bool kfi_raw_is_valid(const struct kfi_raw *r, const struct kfi_raw_call *c)
{
	if (c->ctx >= KFI_CTX_COUNT || c->pid > INT32_MAX)
		return false;
	/* A mark from before the zero of all times has the time 0. */
	if ((c->marks & KFI_MARK_NOTIME) ||
	    (c->event && c->event != KFI_EVENT_STACK && c->entry < r->origin))
		return true;
	return kfi_raw_is_valid_time(r->origin, r->limit, c->entry, c->dur);
}

bool kfi_raw_is_row(struct kfi_raw *r, const struct kfi_raw_call *c, u64 at)
{
	if (!c->marks && !c->event && (c->dur < r->min || c->dur > r->max))
		return false;
	if (c->event >= KFI_EVENTS) {
		r->unknown += !r->counted;
		return false;
	}
	if (!kfi_raw_is_valid(r, c))
		kfi_raw_set_fault(r, "a damaged record", at);
	return kfi_raw_is_valid(r, c);
}

/*
 * Read a rare record. Return: number of words, 0 or -1 as kfi_raw_decode(); *@is_row: it is a row.
 */
static int read_rare_record(struct kfi_raw *r, u64 at, u32 room, u64 base, u64 *entry, bool *row)
{
	struct kfi_raw_call c;
	int words = kfi_raw_decode(r, at, room, base, &c);

	if (words < 0)
		kfi_raw_set_fault(r, "not a record", at);
	*row = words > 0 && kfi_raw_is_row(r, &c, at);
	*entry = c.entry;
	return words;
}

/* Store at @to where the record of a row is. */
static __always_inline void set_row(struct kfi_raw_at *to, u64 entry, u64 at, u64 chunk)
{
	to->entry = entry;
	to->place = (u32)(at / 4);
	to->chunk = (u32)(chunk / 4);
}

/*
 * Count the rows of a chunk, and put late ones aside; or, if rows have been counted, put them into
 * @r->wait, which has room for them. Counted rows belong to the latest block.
 */
static __always_inline int read_records(struct kfi_raw *r, u64 chunk, u32 room, const bool swap,
					const bool counted)
{
	const u64 base = kfi_raw_get64(r, chunk), min = r->min, max = r->max, late = r->late;
	const u64 origin = r->origin, limit = r->limit;
	u64 at = chunk + sizeof(struct kfi_raw_chunk), entry, dur, least = U64_MAX;
	/* NULL if nothing has been put aside yet, and nothing will be. */
	struct kfi_raw_at *to = r->wait.at ? r->wait.at + r->wait.n : NULL, x;
	const u8 *data = r->data;
	u32 words, rows = 0;
	int ret = 0;

	for (; room && !ret; at += 4 * words, room -= words) {
		words = kfi_raw_times(data + at, swap, room, base, &entry, &dur);
		if (likely(words)) {
			if (unlikely(dur < min || dur > max))
				continue;
			if (unlikely(!kfi_raw_is_valid_time(origin, limit, entry, dur))) {
				kfi_raw_set_fault(r, "a damaged record", at);
				continue;
			}
		} else {
			bool is_row;
			int n = read_rare_record(r, at, room, base, &entry, &is_row);

			if (n <= 0)
				break;
			words = (u32)n;
			if (!is_row)
				continue;
		}
		rows++;
		if (unlikely(entry < base && base - entry > late)) {
			set_row(&x, entry, at, chunk);
			ret = counted ? 0 : kfi_raw_list_add(&r->aside, &x);
		} else if (counted) {
			set_row(to++, entry, at, chunk);
		} else {
			least = entry < least ? entry : least;
		}
	}
	if (counted) {
		r->wait.n = (u32)(to - r->wait.at);
		return 0;
	}
	if (least < r->block[r->nblocks - 1].entry)
		r->block[r->nblocks - 1].entry = least;
	if (__builtin_add_overflow(r->nrows, rows, &r->nrows) || r->nrows == KFI_NONE)
		return -ENOMEM;
	return ret;
}

static int read_chunk(struct kfi_raw *r, u64 chunk, u32 bytes)
{
	u32 room = kfi_raw_get32(r, chunk + 12);

	if (room > (bytes - sizeof(struct kfi_raw_chunk)) / 4) {
		kfi_raw_set_fault(r, "a chunk is shorter than its records", chunk);
		room = (bytes - sizeof(struct kfi_raw_chunk)) / 4;
	}
	if (!r->counted)
		return r->swap ? read_records(r, chunk, room, true, false) :
				 read_records(r, chunk, room, false, false);
	if (kfi_grow((void **)&r->wait.at, &r->wait.room,
		     r->wait.n + room / KFI_REC_PACKED + 1, sizeof(*r->wait.at)))
		return -ENOMEM;
	return r->swap ? read_records(r, chunk, room, true, true) :
			 read_records(r, chunk, room, false, true);
}

int kfi_raw_read_block(struct kfi_raw *r, const struct kfi_raw_block *b)
{
	u32 kind, bytes;
	int ret = 0;

	for (u64 at = b->from; !ret && at < b->to && kfi_raw_part_at(r, at, &kind, &bytes);) {
		at += sizeof(struct kfi_raw_part);
		if (bytes > r->used - at)
			bytes = (u32)(r->used - at);
		if (kind == KFI_RAW_CHUNK && bytes >= sizeof(struct kfi_raw_chunk))
			ret = read_chunk(r, at, bytes);
		at = kfi_raw_behind(r, at, bytes);
	}
	return ret;
}

/* Count a chunk as a part of the latest block, or of a new one. */
static int count_chunk(struct kfi_raw *r, u64 at, u32 bytes)
{
	u64 from = at - sizeof(struct kfi_raw_part), to = kfi_raw_behind(r, at, bytes);

	if (bytes < sizeof(struct kfi_raw_chunk)) {
		kfi_raw_set_fault(r, "a chunk is shorter than its head", at);
		return 0;
	}
	if (!r->nblocks || r->split || to - r->block[r->nblocks - 1].from > BLOCK_LEN) {
		if (kfi_grow((void **)&r->block, &r->block_room, r->nblocks + 1, sizeof(*r->block)))
			return -ENOMEM;
		r->block[r->nblocks++] = (struct kfi_raw_block){ .from = from, .entry = U64_MAX };
		r->split = false;
	}
	r->block[r->nblocks - 1].to = to;
	return read_chunk(r, at, bytes);
}

static int read_opens(struct kfi_raw *r, u64 at, u32 bytes)
{
	struct kfi_raw_call c;

	for (; bytes >= sizeof(struct kfi_raw_open); at += sizeof(struct kfi_raw_open)) {
		bytes -= sizeof(struct kfi_raw_open);
		kfi_raw_decode_open(r, at, &c);
		if (!kfi_raw_is_row(r, &c, at))
			continue;
		r->nrows++;
		r->nopens++;
		if (r->nrows >= KFI_NONE ||
		    kfi_raw_list_add(&r->aside, &(struct kfi_raw_at){
				.entry = c.entry, .place = (u32)(at / 4), .chunk = KFI_NONE }))
			return -ENOMEM;
	}
	if (bytes)
		kfi_raw_set_fault(r, "an open call is cut off", at);
	return 0;
}

static int count_sums(struct kfi_raw *r, u64 at, u32 bytes)
{
	u32 n = bytes / sizeof(struct kfi_prof_sum);

	if (bytes % sizeof(struct kfi_prof_sum))
		kfi_raw_set_fault(r, "a function of a profile is cut off", at);
	r->nsums += n;
	return __builtin_add_overflow(r->nrows, n, &r->nrows) || r->nrows == KFI_NONE ? -ENOMEM : 0;
}

void kfi_raw_set_progress(struct kfi_raw *r, u64 at, u32 bytes)
{
	if (bytes < sizeof(struct kfi_raw_progress))
		return;
	r->live = true;
	r->calls_lost = kfi_raw_get64(r, at + offsetof(struct kfi_raw_progress, calls));
	r->others_lost = kfi_raw_get64(r, at + offsetof(struct kfi_raw_progress, others));
}

/*
 * Return where the next log of the file begins between @from and @to, or @to. A part whose length
 * is damaged, or one of a log that was cut off, may reach beyond that place.
 */
static u64 find_next_log(const struct kfi_raw *r, u64 from, u64 to)
{
	const u8 *magic = memmem(r->data + from, to - from, KFI_RAW_MAGIC, MAGIC_LEN);

	return magic ? (u64)(magic - r->data) : to;
}

/*
 * Count what is there of a part that reaches beyond the end of the log, @end. Records that cannot
 * be are found when they are read; whether sums are right only a checksum says.
 */
static int count_cut_part(struct kfi_raw *r, u32 kind, u64 at, u32 bytes, u64 end)
{
	kfi_raw_set_fault(r, "truncated: the end is missing", end);
	bytes = end > at ? (u32)min_t(u64, bytes, end - at) : 0;
	if (kind == KFI_RAW_CHUNK && bytes >= sizeof(struct kfi_raw_chunk))
		return count_chunk(r, at, bytes);
	if (kind == KFI_RAW_SUMS && !r->check_bytes)
		return count_sums(r, at, bytes);
	return 0;
}

/* Count parts up to the end, or until too much is kept aside. */
static int count_parts(struct kfi_raw *r)
{
	bool is_progress = false;
	u64 log_end = r->len;
	u32 kind, bytes;
	int ret = 0;

	while (!ret && kfi_raw_part_at(r, r->used, &kind, &bytes)) {
		u64 at = r->used + sizeof(struct kfi_raw_part);
		u64 behind = kfi_raw_behind(r, at, bytes);
		/* Without a checksum the zeros at the end may be missing. */
		bool is_cut = (r->check_bytes ? behind : at + bytes) > r->len;

		/* A log without an end, another one follows. */
		if (unlikely(memcmp(r->data + r->used, KFI_RAW_MAGIC, MAGIC_LEN) == 0)) {
			log_end = r->used;
			break;
		}
		is_progress = false;
		if (unlikely(is_cut || !kfi_raw_is_whole(r, at, bytes))) {
			/* The part may end in the magic. */
			u64 next = find_next_log(r, r->used,
						 min_t(u64, behind + MAGIC_LEN - 1, r->len));

			if (is_cut || next < behind) {
				log_end = next;
				ret = count_cut_part(r, kind, at, bytes, log_end);
				break;
			}
			if (!kfi_raw_can_use_damaged(r, kind, at)) {
				r->used = behind;
				r->split = true;
				continue;
			}
		}
		r->used = behind;
		is_progress = kind == KFI_RAW_PROGRESS;
		if (kind == KFI_RAW_TEXT)
			r->text = (struct kfi_str){ (const char *)r->data + at, bytes };
		else if (kind == KFI_RAW_CHUNK)
			ret = count_chunk(r, at, bytes);
		else if (kind == KFI_RAW_OPEN)
			ret = read_opens(r, at, bytes);
		else if (kind == KFI_RAW_SUMS)
			ret = count_sums(r, at, bytes);
		else if (kind == KFI_RAW_PROGRESS)
			kfi_raw_set_progress(r, at, bytes);
		else if (kind == KFI_RAW_END) {
			kfi_raw_set_end(r, r->nrows, at, bytes);
			return 0;
		}
		if (r->aside.n - r->nopens > ASIDE_MIN + r->nrows / ASIDE_PART &&
		    !(r->late >> 62))
			return -EAGAIN;
	}
	/* A stream may end for now after a part KFI_RAW_PROGRESS. */
	if (!ret && !(r->live && is_progress && r->used == log_end))
		kfi_raw_set_fault(r, "truncated: the end is missing", log_end);
	r->used = log_end;
	return ret;
}

/* Count the rows, and find out how long before its chunk a call may have been entered. */
static int count_rows(struct kfi_raw *r)
{
	int ret;

	r->late = LATE_MIN;
	r->used = r->first;
	while ((ret = count_parts(r)) == -EAGAIN) {
		r->late <<= LATE_STEP;
		r->used = r->first;
		r->text = (struct kfi_str){ NULL, 0 };
		*r->fault = '\0';
		r->live = false;
		r->split = false;
		r->nblocks = r->nrows = r->nopens = r->nsums = r->unknown = r->aside.n = 0;
		r->damaged = 0;
	}
	if (r->nsums && r->nrows != r->nsums) {
		kfi_raw_set_fault(r, "a log of calls has sums of a profile", r->first);
		r->nsums = 0;
	}
	r->sum_part = r->first;
	r->counted = true;
	return ret;
}

void kfi_raw_call_at(const struct kfi_raw *r, const struct kfi_raw_at *at, struct kfi_raw_call *c)
{
	u64 chunk = 4 * (u64)at->chunk;

	if (at->chunk == KFI_NONE) {
		kfi_raw_decode_open(r, 4 * (u64)at->place, c);
		return;
	}
	/* This cannot fail: the record was checked when its chunk was counted. */
	kfi_raw_decode(r, 4 * (u64)at->place, KFI_REC_WORDS_MAX, kfi_raw_get64(r, chunk), c);
	if (!(c->marks & KFI_MARK_OPEN))
		c->cpu = kfi_raw_get32(r, chunk + 8);
}

int kfi_raw_begin(struct kfi_raw *r, const char *name, const void *data, size_t len,
		  struct kfi_err *err)
{
	u32 order, bytes;

	*r = (struct kfi_raw){ .data = data, .len = len };
	if (len < HEAD_LEN)
		return kfi_err_set(err, EINVAL, "%s: the raw log ends in its header", name);
	order = kfi_raw_get32(r, offsetof(struct kfi_raw_head, order) - MAGIC_LEN);
	r->swap = order != KFI_RAW_ORDER;
	if (r->swap && __builtin_bswap32(order) != KFI_RAW_ORDER)
		return kfi_err_set(err, EINVAL, "%s: the log has no known byte order: it is damaged",
				   name);
#define FIELD(x)	(offsetof(struct kfi_raw_head, x) - MAGIC_LEN)
	/* This version has everything that earlier versions have. */
	if (kfi_raw_get32(r, FIELD(version)) - 1 >= KFI_RAW_VERSION)
		return kfi_err_set(err, EINVAL, "%s: a raw log of version %u; this program reads version %u",
				   name, kfi_raw_get32(r, FIELD(version)), KFI_RAW_VERSION);
	r->check_bytes = kfi_raw_get32(r, FIELD(version)) < KFI_RAW_CHECK_VERSION ?
			 0 : KFI_RAW_CHECK_BYTES;
	r->word_bits = kfi_raw_get32(r, FIELD(word_bits));
	bytes = kfi_raw_get32(r, FIELD(bytes));
	r->base = kfi_raw_get64(r, FIELD(text));
	r->origin = kfi_raw_get64(r, FIELD(origin));
	r->hz = kfi_raw_get64(r, FIELD(hz));
	r->min = kfi_raw_get64(r, FIELD(min));
	r->max = kfi_raw_get64(r, FIELD(max));
#undef FIELD
	if ((r->word_bits != 32 && r->word_bits != 64) || bytes < sizeof(struct kfi_raw_head) ||
	    bytes % KFI_RAW_ALIGN || bytes - MAGIC_LEN > len || r->hz >> 34)
		return kfi_err_set(err, EINVAL, "%s: the header has impossible values: it is damaged",
				   name);
	r->used = bytes - MAGIC_LEN;
	r->head_check = (u32)crc32(0, (const u8 *)KFI_RAW_MAGIC, MAGIC_LEN);
	r->head_check = (u32)crc32(r->head_check, data, (u32)r->used);
	r->limit = U64_MAX;
	if (r->hz && r->hz < U64_MAX / (NSECS_MAX / 1000000000))
		r->limit = r->hz * (NSECS_MAX / 1000000000) - 1;
	r->first = r->used;
	return 0;
}

int kfi_raw_open(struct kfi_raw *r, const char *name, const void *data, size_t len,
		 struct kfi_err *err)
{
	int ret = kfi_raw_begin(r, name, data, len, err);

	if (ret)
		return ret;
	if (len > LEN_MAX)
		return kfi_err_set(err, EFBIG, "%s: a raw log of more than %llu bytes", name,
				   (unsigned long long)LEN_MAX);
	if (count_rows(r) || kfi_raw_order(r)) {
		kfi_raw_close(r);
		return kfi_err_set(err, ENOMEM, "%s: out of memory", name);
	}
	return 0;
}

void kfi_raw_close(struct kfi_raw *r)
{
	free(r->block);
	free(r->aside.at);
	free(r->wait.at);
	free(r->ready.at);
	free(r->spare.at);
	r->block = NULL;
	r->aside = r->wait = r->ready = r->spare = (struct kfi_raw_list){ NULL, 0, 0 };
	r->nblocks = r->next_block = r->next_aside = r->at = r->nrows = r->nsums = 0;
}
