// SPDX-License-Identifier: GPL-2.0
/*
 * A log in binary: the head with the header's text, the chunks, the open calls, the end. A profile
 * has its sums in place of chunks and open calls. Each is a piece that fits the buffer of a file.
 */
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/sort.h>
#ifdef CONFIG_X86
#include <asm/setup.h>
#endif

#include "files/files.h"
#include "hooks/live.h"

#define OPENS_PER_PIECE		32
#define SUMS_PER_PIECE		32
static_assert(OPENS_PER_PIECE * sizeof(struct kfi_raw_open) <= KFI_RAW_PIECE_BYTES - SZ_1K);
static_assert(SUMS_PER_PIECE * sizeof(struct kfi_prof_sum) <= KFI_RAW_PIECE_BYTES - SZ_1K);

unsigned long kfi_raw_moved(void)
{
#if defined(CONFIG_X86) || defined(CONFIG_ARM64) || \
	(defined(CONFIG_RISCV) && defined(CONFIG_RANDOMIZE_BASE))
	return kaslr_offset();
#else
	return 0;
#endif
}

static char *header_of(const struct kfi_log *log, bool whole, u32 *len)
{
	struct seq_file m = { .size = PAGE_SIZE };

	for (;; m.size *= 2) {
		m.buf = kvmalloc(m.size, GFP_KERNEL);
		if (!m.buf)
			return NULL;
		m.count = 0;
		kfi_show_header(&m, log, whole);
		if (!seq_has_overflowed(&m))
			break;
		kvfree(m.buf);
	}
	*len = (u32)m.count;
	return m.buf;
}

static int compare_chunks(const void *a, const void *b, const void *priv)
{
	const struct kfi_ring *ring = priv;
	u64 x = kfi_ring_order(ring, *(const u32 *)a), y = kfi_ring_order(ring, *(const u32 *)b);

	kfi_resched();
	return x < y ? -1 : x > y;
}

struct kfi_move kfi_raw_move(bool hide)
{
	return (struct kfi_move) {
		.by = kfi_raw_moved(), .text = KFI_TEXT_BASE,
		/* On riscv init text comes first. */
		.from = (unsigned long)min_t(char *, _text, _sinittext),
		.end = hide ? (unsigned long)_end : 0,
	};
}

/* A copy whose addresses are shown in another way. */
static int copy_log(struct kfi_raw *raw, const struct kfi_move *move)
{
	raw->copy = kvmalloc(sizeof(*raw->copy), GFP_KERNEL);
	if (!raw->copy)
		return -ENOMEM;
	*raw->copy = *raw->log;
	raw->copy->move = *move;
	raw->log = raw->copy;
	return 0;
}

int kfi_raw_prepare_stream(struct kfi_raw *raw, const struct kfi_log *log, bool whole)
{
	*raw = (struct kfi_raw) { .log = log, .whole = whole };
	raw->text = header_of(log, whole, &raw->len);
	return raw->text ? 0 : -ENOMEM;
}

int kfi_raw_prepare(struct kfi_raw *raw, const struct kfi_log *log, bool whole,
		    const struct kfi_move *move)
{
	const struct kfi_ring *ring = &log->run.ring;
	u32 i;

	*raw = (struct kfi_raw) { .log = log, .whole = whole };
	if (move && copy_log(raw, move))
		return -ENOMEM;
	log = raw->log;
	raw->text = header_of(log, whole, &raw->len);
	if (!raw->text)
		return -ENOMEM;
	if (!whole || log->run.profile)
		return 0;
	raw->order = kvmalloc_array(kfi_ring_taken(ring) + 1, sizeof(*raw->order), GFP_KERNEL);
	if (!raw->order)
		return -ENOMEM;
	for (i = 0; i < kfi_ring_taken(ring); i++)
		if (kfi_ring_order(ring, i))
			raw->order[raw->nchunks++] = i;
	sort_r(raw->order, raw->nchunks, sizeof(*raw->order), compare_chunks, NULL, ring);
	return 0;
}

void kfi_raw_forget(struct kfi_raw *raw)
{
	kvfree(raw->text);
	kvfree(raw->order);
	kvfree(raw->copy);
}

static void begin_part(struct seq_file *m, enum kfi_raw_kind kind, u32 bytes)
{
	struct kfi_raw_part part = { .kind = kind, .bytes = bytes };

	seq_write(m, &part, sizeof(part));
}

/* The checksum is of what stands in @m from @from on. */
static void end_part(struct seq_file *m, size_t from)
{
	static const char zeros[KFI_RAW_ALIGN];
	u32 check;

	seq_write(m, zeros, -(m->count - from + sizeof(check)) % KFI_RAW_ALIGN);
	check = kfi_crc32((const u8 *)m->buf + from, m->count - from);
	seq_write(m, &check, sizeof(check));
}

static void write_part(struct seq_file *m, size_t from, enum kfi_raw_kind kind, const void *p,
		       u32 bytes)
{
	begin_part(m, kind, bytes);
	seq_write(m, p, bytes);
	end_part(m, from);
}

struct kfi_raw_head kfi_raw_head_of(const struct kfi_log *log)
{
	return (struct kfi_raw_head) {
		.magic = { KFI_RAW_MAGIC },
		.order = KFI_RAW_ORDER,
		.version = KFI_RAW_VERSION,
		.word_bits = BITS_PER_LONG,
		.bytes = sizeof(struct kfi_raw_head),
		.text = kfi_move_addr(&log->move, log->run.ring.text),
		.origin = kfi_show_origin(log),
		.hz = log->hz,
		.min = log->run.filter.min,
		.max = log->run.filter.max,
	};
}

void kfi_raw_write_text(struct seq_file *m, const struct kfi_raw *raw)
{
	write_part(m, m->count, KFI_RAW_TEXT, raw->text, raw->len);
}

static void write_head(struct seq_file *m, const struct kfi_raw *raw)
{
	struct kfi_raw_head head = kfi_raw_head_of(raw->log);
	size_t from = m->count;

	seq_write(m, &head, sizeof(head));
	write_part(m, from, KFI_RAW_TEXT, raw->text, raw->len);
}

struct kfi_raw_chunk kfi_raw_chunk_of(const struct kfi_ring *ring, const struct kfi_chunk *c)
{
	return (struct kfi_raw_chunk) {
		.base = c->base,
		.cpu = c->cpu,
		.words = kfi_ring_used(ring, c),
	};
}

void kfi_raw_write_chunk(struct seq_file *m, const struct kfi_raw_chunk *head, const u32 *words)
{
	u32 bytes = head->words * sizeof(u32);
	size_t from = m->count;

	begin_part(m, KFI_RAW_CHUNK, sizeof(*head) + bytes);
	seq_write(m, head, sizeof(*head));
	seq_write(m, words, bytes);
	end_part(m, from);
}

static void write_chunk(struct seq_file *m, const struct kfi_ring *ring, u32 i)
{
	struct kfi_raw_chunk head = kfi_raw_chunk_of(ring, ring->chunks[i]);

	kfi_raw_write_chunk(m, &head, ring->chunks[i]->words);
}

void kfi_raw_write_progress(struct seq_file *m, const struct kfi_raw_progress *progress)
{
	write_part(m, m->count, KFI_RAW_PROGRESS, progress, sizeof(*progress));
}

struct kfi_raw_open kfi_raw_open_of(const struct kfi_log *log, const struct kfi_rec *r)
{
	return (struct kfi_raw_open) {
		.func = kfi_move_addr(&log->move, r->func),
		.site = kfi_move_addr(&log->move, r->site),
		.entry = r->entry,
		.pid = r->pid,
		.cpu = r->cpu,
		.depth = r->depth,
		.ctx = r->ctx,
		.marks = r->marks,
	};
}

static void write_opens(struct seq_file *m, const struct kfi_log *log, u32 from)
{
	u32 i, n = min_t(u32, log->nopen - from, OPENS_PER_PIECE);
	size_t begin = m->count;

	begin_part(m, KFI_RAW_OPEN, n * sizeof(struct kfi_raw_open));
	for (i = from; i < from + n; i++) {
		struct kfi_raw_open o = kfi_raw_open_of(log, &log->open[i]);

		seq_write(m, &o, sizeof(o));
	}
	end_part(m, begin);
}

static void write_sums(struct seq_file *m, const struct kfi_log *log, u32 from)
{
	u32 i, n = min_t(u32, log->nrows - from, SUMS_PER_PIECE);
	size_t begin = m->count;

	begin_part(m, KFI_RAW_SUMS, n * sizeof(struct kfi_prof_sum));
	for (i = from; i < from + n; i++) {
		struct kfi_prof_sum s = log->sums[i];

		s.func = kfi_move_addr(&log->move, s.func);
		seq_write(m, &s, sizeof(s));
	}
	end_part(m, begin);
}

static void write_end(struct seq_file *m, const struct kfi_log *log, bool whole)
{
	struct kfi_raw_end end = { .rows = whole ? log->nrows : 0 };

	write_part(m, m->count, KFI_RAW_END, &end, sizeof(end));
}

/* Pieces: head, chunks, opens, end; without the middle while nothing is collected. */
static u32 open_pieces(const struct kfi_raw *raw)
{
	if (raw->whole && raw->log->run.profile)
		return DIV_ROUND_UP(raw->log->nrows, SUMS_PER_PIECE);
	return raw->whole ? DIV_ROUND_UP(raw->log->nopen, OPENS_PER_PIECE) : 0;
}

u32 kfi_raw_pieces(const struct kfi_raw *raw)
{
	return 1 + raw->nchunks + open_pieces(raw) + 1;
}

void kfi_raw_piece(struct seq_file *m, const struct kfi_raw *raw, u32 i)
{
	if (!i)
		write_head(m, raw);
	else if (i <= raw->nchunks)
		write_chunk(m, &raw->log->run.ring, raw->order[i - 1]);
	else if (i <= open_pieces(raw) && raw->log->run.profile)
		write_sums(m, raw->log, (i - 1) * SUMS_PER_PIECE);
	else if (i <= raw->nchunks + open_pieces(raw))
		write_opens(m, raw->log, (i - 1 - raw->nchunks) * OPENS_PER_PIECE);
	else
		write_end(m, raw->log, raw->whole);
}
