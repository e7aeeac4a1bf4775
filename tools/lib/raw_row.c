// SPDX-License-Identifier: GPL-2.0
/* Makes rows and marks from the records of a raw log, as structures and as text; see raw.h. */
#include <stdio.h>

#include "raw_rec.h"

static struct kfi_str hex(u32 bits, u64 addr, char *buf)
{
	static const char digit[] = "0123456789abcdef";
	u32 n = bits / 4;

	buf[0] = '0';
	buf[1] = 'x';
	for (u32 i = n; i; i -= 2, addr >>= 8) {
		buf[i + 1] = digit[addr & 15];
		buf[i] = digit[addr >> 4 & 15];
	}
	return (struct kfi_str){ buf, n + 2 };
}

static const struct kfi_event_row kinds[KFI_EVENTS] = KFI_EVENT_ROWS;

/* Copy a text; characters that would break the line become ?. */
static size_t copy_printable(char *out, const u8 *text, u32 len)
{
	for (u32 i = 0; i < len; i++)
		out[i] = text[i] >= ' ' && text[i] <= '~' ? (char)text[i] : '?';
	return len;
}

/* Format the functions in the place of a text. Each takes one word or two. */
static size_t format_functions(const struct kfi_raw *r, const struct kfi_raw_call *c, char *out)
{
	const bool far = c->text_len != 4 * c->nfuncs;
	size_t n = 0;

	for (u32 i = 0; i < c->nfuncs; i++) {
		u64 func = far ? kfi_raw_pair(r, c->text + 8 * i) :
				 kfi_raw_near(r->base, kfi_raw_get32(r, c->text + 4 * i));

		out[n++] = ' ';
		n += hex(r->word_bits, func, out + n).len;
	}
	return n;
}

/*
 * Make a mark. The room is for the longest text that a record can have, 255 bytes; the recorder
 * writes 80.
 */
static void make_mark(struct kfi_raw *r, const struct kfi_raw_call *c, struct kfi_log_mark *m)
{
	size_t n = strlen(kinds[c->event].word);
	u32 len = min_t(u32, c->text_len, KFI_EVENT_TEXT_MAX);

	*m = (struct kfi_log_mark){
		.task = (s32)c->pid, .cpu = (s32)(c->cpu & INT32_MAX), .ctx = c->ctx,
		.kind = { r->words, (u32)n },
	};
	if (c->entry > r->origin)
		m->entry_ns = kfi_raw_nsecs(r->hz, c->entry - r->origin);
	memcpy(r->words, kinds[c->event].word, n);
	for (const char *arg = kinds[c->event].args; *arg; arg++) {
		if (*arg == 's')
			n += format_functions(r, c, r->words + n);
		for (u32 i = 0; *arg == 'a' && i < len / 8; i++)
			n += c->hidden ? sprintf(r->words + n, " ?") :
			     sprintf(r->words + n, " 0x%llx",
				     (unsigned long long)kfi_raw_get64(r, c->text + 8 * i));
		if (*arg == 's' || *arg == 'a' || (*arg == 't' && !len))
			continue;
		r->words[n++] = ' ';
		if (*arg == 'f')
			n += hex(r->word_bits, c->func, r->words + n).len;
		else if (*arg == 'd')
			n += sprintf(r->words + n, "%u", c->depth);
		else if (*arg == 'v' && c->hidden)
			r->words[n++] = '?';
		else if (*arg == 'v')
			n += sprintf(r->words + n, "%lld", (long long)c->value);
		else
			n += copy_printable(r->words + n, r->data + c->text, len);
	}
	m->text = (struct kfi_str){ r->words, (u32)n };
}

int kfi_raw_make_item(struct kfi_raw *r, const struct kfi_raw_call *c, struct kfi_row *row,
		      struct kfi_log_mark *mark)
{
	if (unlikely(c->event && c->event != KFI_EVENT_STACK)) {
		make_mark(r, c, mark);
		return KFI_LINE_MARK;
	}
	kfi_raw_make_row(r->origin, r->hz, r->word_bits, c, row);
	return row->watch ? KFI_LINE_WATCH : KFI_LINE_ROW;
}

int kfi_raw_item(struct kfi_raw *r, struct kfi_row *row, struct kfi_log_mark *mark)
{
	struct kfi_raw_call c;
	int ret = kfi_raw_record(r, &c);

	return unlikely(ret <= 0) ? ret : kfi_raw_make_item(r, &c, row, mark);
}

/* Make a row that is no plain call. Return: false: it is a mark or a watch row. */
static bool make_rare_row(const struct kfi_raw *r, const struct kfi_raw_at *at, struct kfi_row *row)
{
	struct kfi_raw_call c;

	kfi_raw_call_at(r, at, &c);
	if (c.event)
		return false;
	kfi_raw_make_row(r->origin, r->hz, r->word_bits, &c, row);
	return true;
}

/* Prefetch records this number of records ahead. */
#define PREFETCH	16

/* Make rows. The parameters are constants, or loaded before the loop. */
static __always_inline u32 make_rows(const struct kfi_raw *r, struct kfi_row *row, u32 max,
				     const bool swap)
{
	const struct kfi_raw_at *at = max ? r->ready.at + r->at : NULL;
	const struct kfi_raw_at *end = max ? r->ready.at + r->ready.n : NULL;
	const u64 origin = r->origin, hz = r->hz, text = r->base;
	const u32 bits = r->word_bits;
	const u8 *data = r->data;
	u32 n;

	for (n = 0; n < max; n++, at++, row++) {
		/*
		 * Records in order of entry are not in order of place, so they are not in the
		 * cache.
		 */
		if (likely(at + PREFETCH < end))
			__builtin_prefetch(data + 4 * (u64)at[PREFETCH].place);
		const u8 *p = data + 4 * (u64)at->place, *chunk = data + 4 * (u64)at->chunk;
		u32 w0 = kfi_raw_word(p, swap), form = w0 & KFI_W0_FORM;
		struct kfi_raw_call c;
		u64 base;

		if (unlikely(at->chunk == KFI_NONE ||
			     (w0 & ~KFI_W0_BELOW) >> KFI_W0_MARK_SHIFT & KFI_MARK_CALL ||
			     (form != KFI_REC_PACKED && form != KFI_REC_IRQ))) {
			if (!make_rare_row(r, at, row))
				break;
			continue;
		}
		memcpy(&base, chunk, sizeof(base));
		kfi_raw_decode_packed(p, swap, text, w0, swap ? __builtin_bswap64(base) : base,
				      &c);
		c.cpu = kfi_raw_word(chunk + 8, swap);
		/* It is known that there are none, so do not read them again. */
		c.marks = 0;
		c.event = KFI_EVENT_NONE;
		kfi_raw_make_row(origin, hz, bits, &c, row);
	}
	return n;
}

u32 kfi_raw_rows(struct kfi_raw *r, struct kfi_row *row, u32 max)
{
	u32 n = min_t(u32, max, r->ready.n - r->at);

	n = r->swap ? make_rows(r, row, n, true) : make_rows(r, row, n, false);
	r->at += n;
	return n;
}

/* Go to the next part that has functions of a profile. */
static bool next_sums(struct kfi_raw *r)
{
	u32 kind, bytes;

	while (r->sum_part < r->used && kfi_raw_part_at(r, r->sum_part, &kind, &bytes)) {
		bool is_cut, is_right;

		r->sum = r->sum_part + sizeof(struct kfi_raw_part);
		r->sum_part = kfi_raw_behind(r, r->sum, bytes);
		r->sums_left = 0;
		if (kind != KFI_RAW_SUMS || r->sum > r->used)
			continue;
		/* Of a part that was cut off there is no checksum to compare. */
		is_cut = r->sum_part > r->used;
		is_right = is_cut ? !r->check_bytes : kfi_raw_is_whole(r, r->sum, bytes);
		if (!is_right)
			continue;
		bytes = (u32)min_t(u64, bytes, r->used - r->sum);
		r->sums_left = bytes / sizeof(struct kfi_prof_sum);
		if (r->sums_left)
			return true;
	}
	return false;
}

bool kfi_raw_sums(struct kfi_raw *r, struct kfi_sums *sums, char *text)
{
	u64 v[sizeof(struct kfi_prof_sum) / sizeof(u64)], hz = r->hz, at, most;
	const u64 limit = min_t(u64, r->limit, S64_MAX / 2);
	struct kfi_prof_sum s;

	do {
		if (!r->nsums || (!r->sums_left && !next_sums(r)))
			return false;
		at = r->sum;
		r->sum += sizeof(s);
		r->sums_left--;
		most = 0;
		for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
			v[i] = kfi_raw_get64(r, at + i * sizeof(*v));
			most = i ? max_t(u64, most, v[i]) : 0;
		}
		if (most > limit && !*r->fault)
			snprintf(r->fault, sizeof(r->fault),
				 "a damaged function of a profile at byte %llu",
				 (unsigned long long)at + strlen(KFI_RAW_MAGIC));
	} while (most > limit);
	memcpy(&s, v, sizeof(s));
	*sums = (struct kfi_sums){
		.func = hex(r->word_bits, s.func, text), .count = s.count,
		.total = kfi_raw_nsecs(hz, s.total), .local = kfi_raw_nsecs(hz, s.local),
		.min = kfi_raw_nsecs(hz, s.min), .max = kfi_raw_nsecs(hz, s.max),
		.off = kfi_raw_nsecs(hz, s.off), .irq = kfi_raw_nsecs(hz, s.irq),
		.untimed = s.untimed,
	};
	return true;
}

size_t kfi_raw_sums_line(const struct kfi_sums *s, char *text)
{
	return snprintf(text, KFI_RAW_TEXT_MAX,
			"%-32.*s %10llu %14llu %14llu %12llu %12llu %14llu %14llu %10llu",
			(int)s->func.len, s->func.s, (unsigned long long)s->count,
			(unsigned long long)s->total, (unsigned long long)s->local,
			(unsigned long long)s->min, (unsigned long long)s->max,
			(unsigned long long)s->off, (unsigned long long)s->irq,
			(unsigned long long)s->untimed);
}

void kfi_log_names(struct kfi_row *row, kfi_log_text text)
{
	if (!row->numbers)
		return;
	row->func = hex(row->numbers, row->func_at, text[0]);
	row->caller = row->site == U64_MAX ? (struct kfi_str){ "", 0 } :
					      hex(row->numbers, row->site, text[1]);
	row->numbers = 0;
}

size_t kfi_raw_line(const struct kfi_row *row, char *text)
{
	static const char *const words[KFI_MARK_BITS] = { "notime", "unwound", "open", "stack" };
	s64 us = row->entry_ns / 1000, delta_us = row->watch ? -2 : -1;
	char marks[40] = "-";
	size_t at = 0;

	if (row->delta_ns >= 0)
		delta_us = (row->entry_ns + row->delta_ns) / 1000 - us;
	for (u32 i = 0; i < KFI_MARK_BITS; i++)
		if (row->marks >> i & 1)
			at += snprintf(marks + at, sizeof(marks) - at, "%s%s", at ? "," : "",
				       words[i]);
	if (row->below)
		snprintf(marks + at, sizeof(marks) - at, "%sbelow=%u", at ? "," : "", row->below);
	return snprintf(text, KFI_RAW_TEXT_MAX,
			"%8lld %8lld %8d %-32.*s %-32.*s %12lld %12lld %12lld %3d %5u   %c %7d %-14s %12lld %12lld",
			(long long)us, (long long)delta_us, row->pid,
			(int)row->func.len, row->func.s, row->caller.len ? (int)row->caller.len : 1,
			row->caller.len ? row->caller.s : "?",
			(long long)row->entry_ns, (long long)row->delta_ns,
			(long long)row->local_ns, row->cpu, row->depth, KFI_CTX_LETTERS[row->ctx],
			row->task, marks, (long long)row->off_ns, (long long)row->irq_ns);
}

size_t kfi_raw_mark_line(const struct kfi_log_mark *m, char *text)
{
	return snprintf(text, KFI_RAW_TEXT_MAX, "# %8lld %12lld %3d %7d %c %.*s",
			(long long)m->entry_ns / 1000, (long long)m->entry_ns, m->cpu, m->task,
			KFI_CTX_LETTERS[m->ctx], (int)m->text.len, m->text.s);
}
