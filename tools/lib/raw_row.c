// SPDX-License-Identifier: GPL-2.0
/* Rows and marks of a raw log, as structures and as the text that they stand for; see raw.h. */
#include <stdio.h>

#include "raw_rec.h"

static inline u64 nsecs(const struct kfi_raw *r, u64 counts)
{
	if (!r->hz || !counts)
		return 0;
	if (r->hz == 1000000000)
		return counts;
	/* The same with one division. */
	if (likely(counts <= U64_MAX / 1000000000))
		return counts * 1000000000 / r->hz;
	return counts / r->hz * 1000000000 + counts % r->hz * 1000000000 / r->hz;
}

/* Those of a 32-bit kernel have wrapped. */
static inline u64 address(const struct kfi_raw *r, u64 addr)
{
	return r->word_bits == 32 ? (u32)addr : addr;
}

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

/* Marks by enum kfi_event_kind: the word, and a letter for each of what follows it. */
static const struct {
	const char *word;
	const char *args;	/* f function, v value, t text if there is any */
} kinds[KFI_EVENTS] = {
	[KFI_EVENT_SWITCH]	= { "switch", "vt" },
	[KFI_EVENT_INITCALL]	= { "initcall", "fv" },
	[KFI_EVENT_LEVEL]	= { "level", "t" },
	[KFI_EVENT_SYSCALL]	= { "syscall", "vt" },
	[KFI_EVENT_SYSRET]	= { "sysret", "v" },
	[KFI_EVENT_MARK]	= { "mark", "t" },
};

/* What is not plain text would break the line. */
static size_t plain(char *out, const u8 *text, u32 len)
{
	for (u32 i = 0; i < len; i++)
		out[i] = text[i] >= ' ' && text[i] <= '~' ? (char)text[i] : '?';
	return len;
}

/* Room for every kind: a byte of the length can say 255, the recorder writes 80. */
static void make_mark(struct kfi_raw *r, const struct kfi_raw_call *c, struct kfi_log_mark *m)
{
	size_t n = strlen(kinds[c->event].word);
	u32 len = min_t(u32, c->text_len, KFI_EVENT_TEXT_MAX);

	*m = (struct kfi_log_mark){
		.task = (s32)c->pid, .cpu = (s32)(c->cpu & INT32_MAX), .ctx = c->ctx,
		.kind = { r->words, (u32)n },
	};
	if (c->entry > r->origin)
		m->entry_ns = nsecs(r, c->entry - r->origin);
	memcpy(r->words, kinds[c->event].word, n);
	for (const char *arg = kinds[c->event].args; *arg; arg++) {
		if (*arg == 't' && !len)
			continue;
		r->words[n++] = ' ';
		if (*arg == 'f')
			n += hex(r->word_bits, c->func, r->words + n).len;
		else if (*arg == 'v')
			n += sprintf(r->words + n, "%lld", (long long)c->value);
		else
			n += plain(r->words + n, r->data + c->text, len);
	}
	m->text = (struct kfi_str){ r->words, (u32)n };
}

/* Field by field: to clear it all first would take longer than the rest. */
static __always_inline void make_row(const struct kfi_raw *r, const struct kfi_raw_call *c,
			    struct kfi_row *row)
{
	u64 at = c->entry - r->origin;

	row->func.s = row->caller.s = row->args.s = NULL;
	row->func.len = row->caller.len = row->args.len = 0;
	row->func_at = address(r, c->func);
	row->site = address(r, c->site);
	row->numbers = (u8)r->word_bits;
	row->task = (s32)c->pid;
	row->pid = c->ctx == KFI_CTX_TASK ? row->task : -1;
	row->cpu = (s32)(c->cpu & INT32_MAX);
	row->depth = c->depth;
	row->ctx = c->ctx;
	row->marks = c->marks;
	row->watch = c->event == KFI_EVENT_STACK;
	row->entry_ns = c->marks & KFI_MARK_NOTIME ? 0 : nsecs(r, at);
	row->delta_ns = row->local_ns = row->off_ns = row->irq_ns = -1;
	if (unlikely(row->watch || c->marks))
		return;
	/* Differences of rounded times, as in the text. */
	row->delta_ns = nsecs(r, at + c->dur) - row->entry_ns;
	row->local_ns = min_t(u64, nsecs(r, c->local), row->delta_ns);
	row->off_ns = min_t(u64, nsecs(r, c->off), row->delta_ns);
	row->irq_ns = min_t(u64, nsecs(r, c->irq), row->delta_ns - row->off_ns);
}

int kfi_raw_item(struct kfi_raw *r, struct kfi_row *row, struct kfi_log_mark *mark)
{
	struct kfi_raw_call c;
	int ret = kfi_raw_record(r, &c);

	if (unlikely(ret <= 0))
		return ret;
	if (unlikely(c.event && c.event != KFI_EVENT_STACK)) {
		make_mark(r, &c, mark);
		return KFI_LINE_MARK;
	}
	make_row(r, &c, row);
	return row->watch ? KFI_LINE_WATCH : KFI_LINE_ROW;
}

/* A row that is no plain call. Return: false: it is a mark, or of a watch. */
static bool other_row(const struct kfi_raw *r, const struct kfi_raw_at *at, struct kfi_row *row)
{
	struct kfi_raw_call c;

	kfi_raw_call_at(r, at, &c);
	if (c.event)
		return false;
	make_row(r, &c, row);
	return true;
}

u32 kfi_raw_rows(struct kfi_raw *r, struct kfi_row *row, u32 max)
{
	/* A copy that nobody else has: what is in it need not be looked up for each row. */
	const struct kfi_raw own = *r;
	u32 n = 0;

	max = min_t(u32, max, own.now.n - own.at);
	for (; n < max; n++) {
		const struct kfi_raw_at *at = &own.now.at[own.at + n];
		u64 place = 4 * (u64)at->place, chunk = 4 * (u64)at->chunk;
		struct kfi_raw_call c;
		u32 w0 = kfi_raw_get32(&own, place), form = w0 & 0x1f;

		if (likely(at->chunk != KFI_NONE) && !(w0 >> 7 & KFI_MARK_CALL) &&
		    likely(form == KFI_RAW_PACKED || form == KFI_RAW_IRQ)) {
			kfi_raw_decode_packed(&own, place, w0, kfi_raw_get64(&own, chunk), &c);
			c.cpu = kfi_raw_get32(&own, chunk + 8);
			make_row(&own, &c, &row[n]);
		} else if (!other_row(r, at, &row[n])) {
			break;
		}
	}
	r->at += n;
	return n;
}

void kfi_log_names(struct kfi_row *row, kfi_log_text text)
{
	if (!row->numbers)
		return;
	row->func = hex(row->numbers, row->func_at, text[0]);
	row->caller = hex(row->numbers, row->site, text[1]);
	row->numbers = 0;
}

size_t kfi_raw_line(const struct kfi_row *row, char *text)
{
	static const char *const words[KFI_MARK_BITS] = { "notime", "unwound", "open", "stack" };
	s64 us = row->entry_ns / 1000, delta_us = row->watch ? -2 : -1;
	char marks[32] = "-";
	size_t at = 0;

	if (row->delta_ns >= 0)
		delta_us = (row->entry_ns + row->delta_ns) / 1000 - us;
	for (u32 i = 0; i < KFI_MARK_BITS; i++)
		if (row->marks >> i & 1)
			at += snprintf(marks + at, sizeof(marks) - at, "%s%s", at ? "," : "",
				       words[i]);
	return snprintf(text, KFI_RAW_TEXT_MAX,
			"%8lld %8lld %8d %-32.*s %-32.*s %12lld %12lld %12lld %3d %5u   %c %7d %-14s %12lld %12lld",
			(long long)us, (long long)delta_us, row->pid,
			(int)row->func.len, row->func.s, (int)row->caller.len, row->caller.s,
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
