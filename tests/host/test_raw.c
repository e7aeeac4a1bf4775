// SPDX-License-Identifier: GPL-2.0
/*
 * tools/lib/raw: logs of both byte orders and word sizes, written here with the recorder's own
 * encoder of records; damage of all kinds. tests/data/raw*.raw are such logs: KFI_WRITE=data in the
 * environment writes them anew.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "raw_image.h"
#include "raw_rec.h"

static struct kfi_err err;

static const char header[] =
	"\nKernel Instrumentation Run ID 0\n\n"
	"Logging started at 0 usec by entry to function 0x%s\n"
	"Logging stopped at 700000000 usec by log full\n\n"
	"Number of entries after filters = %u\n\n"
	"Calls kept = %u\nCalls lost = 0\nCalls open = 1\n"
	"Marks kept = 8\nMarks lost = 0\nWatch rows = 2\n"
	"Clock = mct\nClock rate = 24000000 Hz\nKernel = 6.12.0-sample\nWord size = %u\n"
	"Text = 0x%s\nLog format = 4\n\n"
	" Entry    Delta    PID         Function                         Caller                           Entry-ns     Delta-ns     Local-ns Cpu Depth Ctx    Task Marks                Off-ns       Irq-ns\n"
	"-------- -------- -------- -------------------------------- -------------------------------- ------------ ------------ ------------ --- ----- --- ------- -------------- ------------ ------------\n";

#define SEC	((u64)HZ)

/* In order of exit, as a recorder writes them; 24 counts are a microsecond. */
static const struct kfi_rec calls_cpu0[] = {
	{ .func = 0x200, .site = 0x140, .entry = 100, .exit = 340, .local = 241, .pid = 1,
	  .depth = 3 },
	/* Twice the same entry: the outer one first. */
	{ .func = 0x180, .site = 0x120, .entry = 100, .exit = 2500, .local = 2160, .pid = 1,
	  .depth = 2 },
	/* Too short, and too long: filtered by the reader. */
	{ .func = 0x2a0, .site = 0x140, .entry = 3000, .exit = 3005, .local = 5, .pid = 1,
	  .depth = 2 },
	{ .func = 0x2a0, .site = 0x140, .entry = 3000, .exit = 3000 + 20000 * SEC, .local = 5,
	  .pid = 1, .depth = 2 },
	{ .func = 0x300, .site = 0x310, .entry = 4000, .exit = 4000, .pid = 1, .depth = 2,
	  .marks = KFI_MARK_UNWOUND },
	{ .func = 0x400, .site = 0x410, .pid = 0, .depth = 1, .marks = KFI_MARK_NOTIME },
	{ .func = 0x500, .site = 0x510, .entry = 5000, .exit = 5100, .local = 100, .pid = 4194303,
	  .depth = 1023, .ctx = KFI_CTX_HARDIRQ },
	/* Where its task slept: a longer record. */
	{ .func = 0x600, .site = 0x610, .entry = 6000, .exit = 30000, .local = 1000, .pid = 1,
	  .depth = 2, .off = 20000, .irq = 240 },
	/* Parts that are more than the whole, as no recorder writes them. */
	{ .func = 0x680, .site = 0x610, .entry = 6600, .exit = 6700, .local = 101, .pid = 1,
	  .depth = 3, .off = 60, .irq = 50 },
	{ .func = 0x680, .site = 0x610, .entry = 6700, .exit = 6800, .pid = 1, .depth = 3,
	  .off = 101 },
};
static const struct kfi_rec calls_cpu1[] = {
	/* 900 s: times of their own. */
	{ .func = -0x100, .site = 0x710, .entry = 7000, .exit = 7000 + 900 * SEC,
	  .local = 899 * SEC, .pid = 12, .depth = 1, .off = SEC, .irq = 1 },
	{ .func = 0x700, .site = 0x710, .entry = 8000, .exit = 8025, .local = 25, .pid = 12,
	  .depth = 2, .ctx = KFI_CTX_NMI },
};
static const struct kfi_event events[] = {
	{ .kind = KFI_EVENT_SWITCH, .time = 6500, .pid = 1, .value = 12, .text = "kthread d/0",
	  .len = 11 },
	{ .kind = KFI_EVENT_INITCALL, .time = 6600, .pid = 1, .func = 0x680, .value = -19 },
	{ .kind = KFI_EVENT_LEVEL, .time = 0, .text = "early", .len = 5 },
	{ .kind = KFI_EVENT_SYSCALL, .time = 7900, .pid = 12, .value = 4 },
	{ .kind = KFI_EVENT_SYSCALL, .time = 7910, .pid = 12, .value = 5, .text = "compat",
	  .len = 6 },
	{ .kind = KFI_EVENT_SYSRET, .time = 8000, .pid = 12, .value = -38 },
	{ .kind = KFI_EVENT_MARK, .time = (u64)-5, .ctx = KFI_CTX_NMI, .text = "a\tb\xff", .len = 4 },
	{ .kind = KFI_EVENT_MARK, .time = 8100, .ctx = KFI_CTX_SOFTIRQ,
	  .text = "0123456789012345678901234567890123456789"
		  "0123456789012345678901234567890123456789", .len = 80 },
	{ .kind = KFI_EVENT_STACK, .time = 5050, .pid = 7, .depth = 3, .func = 0x500,
	  .site = 0x510, .value = 1234 },
	{ .kind = KFI_EVENT_STACK, .time = 0, .pid = 7, .depth = 2, .func = 0x400, .site = 0x410,
	  .value = 1300 },
	/* Of a later version. */
	{ .kind = 200, .time = 5060 },
};
static const struct kfi_raw_open opened = {
	.func = 0x100, .site = 0x10, .entry = 0, .pid = 1, .cpu = 1, .depth = 1,
	.ctx = KFI_CTX_TASK, .marks = KFI_MARK_OPEN,
};

#define ROWS	11	/* calls */
#define OTHERS	10	/* events of known kinds */
#define LINES	(ROWS + OTHERS)

/* What must come out; addresses from the base of the text. */
static const struct {
	s64 func, site;
	s64 entry_ns, delta_ns, local_ns, off_ns, irq_ns;
	s32 pid, task, cpu;
	u32 depth;
	u8 ctx, marks;
} want[ROWS] = {
	{ 0x400, 0x410, 0, -1, -1, -1, -1, 0, 0, 0, 1, KFI_CTX_TASK, KFI_MARK_NOTIME },
	{ 0x100, 0x10, 0, -1, -1, -1, -1, 1, 1, 1, 1, KFI_CTX_TASK, KFI_MARK_OPEN },
	{ 0x180, 0x120, 4166, 100000, 90000, 0, 0, 1, 1, 0, 2, KFI_CTX_TASK, 0 },
	{ 0x200, 0x140, 4166, 10000, 10000, 0, 0, 1, 1, 0, 3, KFI_CTX_TASK, 0 },
	{ 0x300, 0x310, 166666, -1, -1, -1, -1, 1, 1, 0, 2, KFI_CTX_TASK, KFI_MARK_UNWOUND },
	{ 0x500, 0x510, 208333, 4167, 4166, 0, 0, -1, 4194303, 0, 1023, KFI_CTX_HARDIRQ, 0 },
	{ 0x600, 0x610, 250000, 1000000, 41666, 833333, 10000, 1, 1, 0, 2, KFI_CTX_TASK, 0 },
	{ 0x680, 0x610, 275000, 4166, 4166, 2500, 1666, 1, 1, 0, 3, KFI_CTX_TASK, 0 },
	{ 0x680, 0x610, 279166, 4167, 0, 4167, 0, 1, 1, 0, 3, KFI_CTX_TASK, 0 },
	{ -0x100, 0x710, 291666, 900000000000, 899000000000, 1000000000, 41, 12, 12, 1, 1,
	  KFI_CTX_TASK, 0 },
	{ 0x700, 0x710, 333333, 1042, 1041, 0, 0, -1, 12, 1, 2, KFI_CTX_NMI, 0 },
};

/* Where among the lines marks must be, and the text of them; NULL: the row of a watch. */
static const struct {
	u32 at;
	s64 entry_ns;
	s32 task;
	u8 ctx;
	const char *text;
} want_events[OTHERS] = {
	{ 0, 0, 0, KFI_CTX_TASK, "level early" },
	{ 1, 0, 7, KFI_CTX_TASK, NULL },
	{ 2, 0, 0, KFI_CTX_NMI, "mark a?b?" },
	{ 9, 210416, 7, KFI_CTX_TASK, NULL },
	{ 11, 270833, 1, KFI_CTX_TASK, "switch 12 kthread d/0" },
	{ 12, 275000, 1, KFI_CTX_TASK, "initcall 0x%s680 -19" },
	{ 16, 329166, 12, KFI_CTX_TASK, "syscall 4" },
	{ 17, 329583, 12, KFI_CTX_TASK, "syscall 5 compat" },
	{ 18, 333333, 12, KFI_CTX_TASK, "sysret -38" },
	{ 20, 337500, 0, KFI_CTX_SOFTIRQ, "mark 0123456789012345678901234567890123456789"
		"0123456789012345678901234567890123456789" },
};

/* @version: 0: the current one */
static void sample_of_version(struct image *m, bool big, u32 bits, u32 version)
{
	char top[1400], addr[32];

	*m = (struct image){ .swap = big, .bits = bits, .version = version };
	snprintf(addr, sizeof(addr), bits == 64 ? "%016llx" : "%08llx",
		 (unsigned long long)text_of(m));
	snprintf(top, sizeof(top), header, addr, ROWS, ROWS - 1, bits, addr);
	head(m, 10, 10000 * SEC);
	text(m, top);
	/* Chunks come in no order. */
	chunk(m, ORIGIN + 5000, 1);
	for (size_t i = 0; i < ARRAY_SIZE(calls_cpu1); i++)
		call(m, ORIGIN + 5000, &calls_cpu1[i]);
	end_chunk(m);
	chunk(m, ORIGIN, 3);
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		event(m, &events[i]);
	end_chunk(m);
	begin_part(m, 77);	/* of a later version */
	put(m, 0, 1);
	end_part(m);
	chunk(m, ORIGIN + 300, 0);
	for (size_t i = 0; i < ARRAY_SIZE(calls_cpu0); i++)
		call(m, ORIGIN + 300, &calls_cpu0[i]);
	/* Reserved, and never written: here the records end, whatever is behind. */
	put(m, 0, 4);
	put(m, 0xffffffff, 4);
	put(m, 0xffffffff, 4);
	end_chunk(m);
	begin_part(m, KFI_RAW_OPEN);
	open_call(m, &opened);
	end_part(m);
	end(m, LINES + 1);
}

static void sample(struct image *m, bool big, u32 bits)
{
	sample_of_version(m, big, bits, 0);
}

static bool is_addr(struct kfi_str str, const struct image *m, s64 off)
{
	u64 addr, full = text_of(m) + off;

	return kfi_str_hex(str, &addr) && addr == full && str.len == 2 + m->bits / 4;
}

static int open_image(struct kfi_raw *raw, const struct image *m)
{
	return kfi_raw_open(raw, "raw", m->data + 8, m->len - 8, &err);
}

static void check_event(const struct image *m, int item, const struct kfi_row *row,
			const struct kfi_log_mark *mark, u32 e)
{
	const char *text = want_events[e].text;
	char words[120];

	if (!text) {
		CHECK_EQ(item, KFI_LINE_WATCH);
		CHECK(row->watch);
		CHECK_EQ(row->entry_ns, want_events[e].entry_ns);
		CHECK_EQ(row->delta_ns, -1);
		CHECK_EQ(row->depth, row->entry_ns ? 3 : 2);
		CHECK_EQ(row->task, want_events[e].task);
		CHECK_EQ(row->cpu, 3);
		CHECK_EQ(row->marks, KFI_MARK_STACK | (row->entry_ns ? 0 : KFI_MARK_NOTIME));
		CHECK(is_addr(row->func, m, row->entry_ns ? 0x500 : 0x400));
		CHECK(is_addr(row->caller, m, row->entry_ns ? 0x510 : 0x410));
		return;
	}
	CHECK_EQ(item, KFI_LINE_MARK);
	CHECK_EQ(mark->entry_ns, want_events[e].entry_ns);
	CHECK_EQ(mark->task, want_events[e].task);
	CHECK_EQ(mark->cpu, 3);
	CHECK_EQ(mark->ctx, want_events[e].ctx);
	if (strstr(text, "%s")) {
		snprintf(words, sizeof(words), text, m->bits == 64 ? "ffffffff81000" : "c0008");
		text = words;
	}
	if (!CHECK(mark->text.len == strlen(text) &&
		   memcmp(mark->text.s, text, mark->text.len) == 0))
		printf("# %.*s\n", (int)mark->text.len, mark->text.s);
}

/* The next item, with its names made. */
static int next_item(struct kfi_raw *raw, struct kfi_row *row, struct kfi_log_mark *mark)
{
	int item = kfi_raw_item(raw, row, mark);
	static kfi_log_text text;

	if (item == KFI_LINE_ROW || item == KFI_LINE_WATCH)
		kfi_log_names(row, text);
	return item;
}

static void all_kinds(void)
{
	for (int kind = 0; kind < 4; kind++) {
		struct image m;
		struct kfi_raw raw;
		struct kfi_log_mark mark;
		struct kfi_row row;

		sample(&m, kind & 1, kind & 2 ? 64 : 32);
		if (!CHECK_EQ(open_image(&raw, &m), 0))
			continue;
		CHECK_STR(raw.fault, "");
		CHECK_EQ(raw.used, m.len - 8);
		CHECK_EQ(raw.word_bits, m.bits);
		CHECK_EQ(raw.nrows, LINES);
		for (u32 line = 0, i = 0, e = 0; line < raw.nrows && line < LINES; line++) {
			int item = next_item(&raw, &row, &mark);

			if (e < OTHERS && want_events[e].at == line) {
				check_event(&m, item, &row, &mark, e++);
				continue;
			}
			if (!CHECK_EQ(item, KFI_LINE_ROW) || !CHECK(i < ROWS))
				break;
			CHECK(is_addr(row.func, &m, want[i].func));
			CHECK(is_addr(row.caller, &m, want[i].site));
			CHECK_EQ(row.entry_ns, want[i].entry_ns);
			CHECK_EQ(row.delta_ns, want[i].delta_ns);
			CHECK_EQ(row.local_ns, want[i].local_ns);
			CHECK_EQ(row.off_ns, want[i].off_ns);
			CHECK_EQ(row.irq_ns, want[i].irq_ns);
			CHECK_EQ(row.pid, want[i].pid);
			CHECK_EQ(row.task, want[i].task);
			CHECK_EQ(row.cpu, want[i].cpu);
			CHECK_EQ(row.depth, want[i].depth);
			CHECK_EQ(row.ctx, want[i].ctx);
			CHECK_EQ(row.marks, want[i].marks);
			CHECK(!row.watch);
			i++;
		}
		kfi_raw_close(&raw);
	}
}

/* Rows that come some at once are those that come one by one. */
static void at_once(void)
{
	for (int kind = 0; kind < 12; kind++) {
		struct image m;
		struct kfi_raw one, some;
		struct kfi_log_mark mark;
		struct kfi_row a, b[5];
		u32 max = (u32)kind / 4 * 2 + 1, rows = 0;
		int item = 1;

		sample(&m, kind & 1, kind & 2 ? 64 : 32);
		if (!CHECK_EQ(open_image(&one, &m), 0) || !CHECK_EQ(open_image(&some, &m), 0))
			return;
		while (item) {
			u32 n = kfi_raw_rows(&some, b, max);

			CHECK(n <= max);
			rows += n;
			for (u32 i = 0; i < n; i++) {
				/* What a structure has between its fields is no matter. */
				memset(&a, 0x55, sizeof(a));
				CHECK_EQ(kfi_raw_item(&one, &a, &mark), KFI_LINE_ROW);
				CHECK(a.entry_ns == b[i].entry_ns && a.delta_ns == b[i].delta_ns);
				CHECK(a.local_ns == b[i].local_ns && a.off_ns == b[i].off_ns);
				CHECK(a.irq_ns == b[i].irq_ns && a.numbers == b[i].numbers);
				CHECK(a.func_at == b[i].func_at && a.site == b[i].site);
				CHECK(a.pid == b[i].pid && a.task == b[i].task);
				CHECK(a.cpu == b[i].cpu && a.depth == b[i].depth);
				CHECK(a.ctx == b[i].ctx && a.marks == b[i].marks);
				CHECK(!b[i].watch && !b[i].args.len);
			}
			if (n)
				continue;
			item = kfi_raw_item(&one, &a, &mark);
			CHECK_EQ(kfi_raw_item(&some, b, &mark), item);
			rows += item == KFI_LINE_ROW;
		}
		CHECK_EQ(rows, ROWS);
		kfi_raw_close(&one);
		kfi_raw_close(&some);
	}
}

/* A row as text is read back as the same row. */
static void as_text(void)
{
	static const struct kfi_log today = { .kind = KFI_LOG_FORMAT3, .off_irq = true };
	char line[KFI_RAW_TEXT_MAX];
	struct kfi_log_mark mark;
	struct kfi_row row, back;
	struct kfi_raw raw;
	struct image m;

	sample(&m, false, 64);
	CHECK_EQ(open_image(&raw, &m), 0);
	for (u32 i = 0; i < raw.nrows; i++) {
		int item = next_item(&raw, &row, &mark);
		struct kfi_log_mark again;
		size_t len;

		if (item == KFI_LINE_MARK) {
			len = kfi_raw_mark_line(&mark, line);
			CHECK(len == strlen(line));
			if (!CHECK(kfi_log_mark(line, len, &again)))
				continue;
			CHECK_EQ(again.entry_ns, mark.entry_ns);
			CHECK_EQ(again.cpu, mark.cpu);
			CHECK_EQ(again.task, mark.task);
			CHECK_EQ(again.ctx, mark.ctx);
			CHECK(again.text.len == mark.text.len &&
			      memcmp(again.text.s, mark.text.s, mark.text.len) == 0);
			continue;
		}
		len = kfi_raw_line(&row, line);
		CHECK(len == strlen(line));
		if (!CHECK(kfi_log_row(&today, line, len, &back)))
			continue;
		CHECK_EQ(back.entry_ns, row.entry_ns);
		CHECK_EQ(back.delta_ns, row.delta_ns);
		CHECK_EQ(back.local_ns, row.local_ns);
		CHECK_EQ(back.off_ns, row.off_ns);
		CHECK_EQ(back.irq_ns, row.irq_ns);
		CHECK_EQ(back.pid, row.pid);
		CHECK_EQ(back.task, row.task);
		CHECK_EQ(back.marks, row.marks);
		CHECK_EQ(back.depth, row.depth);
		CHECK_EQ(back.watch, row.watch);
	}
	/* Delta is the difference of whole microseconds, not the whole microseconds of one. */
	row = (struct kfi_row){ .entry_ns = 1999, .delta_ns = 1, .func = { "f", 1 },
				.caller = { "g", 1 } };
	kfi_raw_line(&row, line);
	CHECK(memcmp(line, "       1        1        0 f ", 29) == 0);
	kfi_raw_close(&raw);
}

/* A number of at most @bits bits, often of all of them. */
static u64 some(u32 bits)
{
	u64 r = (u64)random() << 40 ^ (u64)random() << 20 ^ (u64)random();

	return bits ? r >> (64 - bits) >> random() % 3 : 0;
}

/* Records of all forms are read as the recorder would read them. */
static void forms(void)
{
	u32 seen[KFI_REC_WORDS + 2] = { 0 };

	srandom(1);
	for (u32 i = 0; i < 200000; i++) {
		const u64 text = 0xffffffff81000000, base = 1ull << 40;
		u32 w[KFI_REC_WORDS_MAX] = { 0 }, words, form;
		struct kfi_raw raw = { .data = (const u8 *)w, .base = text };
		struct kfi_rec r = {
			.func = text + some(23 + random() % 3), .site = text + some(23 + random() % 3),
			.exit = base + some(30 + random() % 3), .pid = (u32)some(22),
			.depth = (u16)some(7 + random() % 3), .ctx = random() & 3,
			.off = random() & 1 ? some(30 + random() % 4) : 0,
			.irq = random() & 1 ? some(18 + random() % 16) : 0,
			.local = some(18 + random() % 6),
			.below = random() & 1 ? (u32)some(random() % 33) : 0,
		}, got = { 0 };
		struct kfi_raw_call c;

		r.entry = r.exit - r.local - r.off - r.irq - some(18 + random() % 4);
		form = kfi_rec_choose(&r, text, base);
		words = kfi_rec_count(form);
		kfi_rec_encode(w, form, &r, text, base);
		CHECK_EQ(kfi_rec_count(w[0]), words);
		form = kfi_rec_form(form);
		CHECK_EQ(kfi_rec_form(w[0]), form);
		seen[form < KFI_REC_WORDS ? form : KFI_REC_WORDS + (form > KFI_REC_WORDS)]++;
		if (!CHECK_EQ(kfi_rec_decode(w, words, &got, text, base), words) ||
		    !CHECK(!memcmp(&r, &got, sizeof(r))) ||
		    !CHECK_EQ(kfi_raw_decode(&raw, 0, words, base, &c), words) ||
		    !CHECK(c.func == r.func && c.site == r.site && c.entry == r.entry &&
			   c.dur == r.exit - r.entry && c.local == r.local && c.off == r.off &&
			   c.irq == r.irq && c.below == r.below && c.pid == r.pid &&
			   c.depth == r.depth && c.ctx == r.ctx &&
			   c.marks == r.marks && !c.event))
			printf("# form %u, call %u\n", form, i);
		CHECK_EQ(kfi_raw_decode(&raw, 0, words - 1, base, &c), -1);
	}
	for (u32 i = 1; i < ARRAY_SIZE(seen); i++)
		CHECK(seen[i] > 100);
}

static void goldens(void)
{
	const char *dir = getenv("KFI_WRITE");

	for (int kind = 0; kind < 4; kind++) {
		static u8 is[sizeof(((struct image *)0)->data)];
		char path[300];
		struct image m;
		size_t n = 0;
		FILE *f;

		sample(&m, kind & 1, kind & 2 ? 64 : 32);
		snprintf(path, sizeof(path), "%s/raw%u%s.raw", dir ? dir : "data", m.bits,
			 kind & 1 ? "be" : "le");
		f = fopen(path, dir ? "wb" : "rb");
		if (!CHECK(f))
			continue;
		if (dir)
			fwrite(m.data, 1, m.len, f);
		else
			n = fread(is, 1, sizeof(is), f);
		fclose(f);
		if (!dir && (!CHECK_EQ(n, m.len) || !CHECK(memcmp(is, m.data, n) == 0)))
			printf("# %s\n", path);
	}
}

/* However it is cut: no more rows than there were, and the cut is reported. */
static void cut(void)
{
	struct image m;
	u32 before = 0;

	sample(&m, true, 32);
	for (size_t len = 0; len < m.len - 8; len++) {
		u8 *copy = malloc(len ? len : 1);
		struct kfi_raw raw;
		int ret;

		memcpy(copy, m.data + 8, len);
		ret = kfi_raw_open(&raw, "raw", copy, len, &err);
		if (len < sizeof(struct kfi_raw_head) - 8) {
			CHECK_EQ(ret, -EINVAL);
		} else if (CHECK_EQ(ret, 0)) {
			CHECK(*raw.fault);
			CHECK(raw.nrows >= before && raw.nrows <= LINES);
			before = raw.nrows;
			for (u32 i = 0; i < raw.nrows; i++) {
				struct kfi_log_mark mark;
				struct kfi_row row;

				next_item(&raw, &row, &mark);
			}
			kfi_raw_close(&raw);
		}
		free(copy);
	}
	CHECK_EQ(before, LINES);
}

/* One number of the head or of a part that is not as it should be, without checksums. */
static void damage(void)
{
	static const struct {
		size_t at;	/* from the magic on */
		u32 val;
		int ret;
		const char *text;
	} t[] = {
		{ 8, 0x01020305, -EINVAL, "raw: the log has no known byte order: it is damaged" },
		{ 12, 5, -EINVAL, "raw: a raw log of version 5; this program reads version 4" },
		{ 12, 0, -EINVAL, "raw: a raw log of version 0; this program reads version 4" },
		{ 12, 1, 0, "" },
		{ 12, 2, 0, "" },
		{ 16, 16, -EINVAL, "raw: the header has impossible values: it is damaged" },
		{ 20, 63, -EINVAL, "raw: the header has impossible values: it is damaged" },
		{ 20, 56, -EINVAL, "raw: the header has impossible values: it is damaged" },
		{ 20, 0xfffffff8, -EINVAL, "raw: the header has impossible values: it is damaged" },
		{ 44, 4, -EINVAL, "raw: the header has impossible values: it is damaged" },
		{ 68, 0xffffffff, 0, "truncated: the end is missing at byte " },
		{ 36, 1, 0, "a damaged record at byte " },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct kfi_raw raw;
		struct image m;

		sample_of_version(&m, false, 64, 3);
		memcpy(m.data + t[i].at, &t[i].val, 4);
		if (!CHECK_EQ(open_image(&raw, &m), t[i].ret))
			continue;
		if (t[i].ret) {
			CHECK_STR(err.text, t[i].text);
			continue;
		}
		CHECK(memcmp(raw.fault, t[i].text, strlen(t[i].text)) == 0);
		kfi_raw_close(&raw);
	}
}

/* Read all rows. Return: number of these. */
static u32 count_items(struct kfi_raw *raw)
{
	struct kfi_log_mark mark;
	struct kfi_row row;
	u32 n = 0;

	while (next_item(raw, &row, &mark) > 0)
		n++;
	return n;
}

/* If a bit of a log is changed, opening it fails, or it has a fault, and the rows it counted. */
static void every_bit(void)
{
	for (int kind = 0; kind < 2; kind++) {
		struct kfi_raw raw;
		struct image m;
		u32 kept = 0;

		sample(&m, kind, kind ? 32 : 64);
		/* Another log follows. */
		memcpy(m.data + m.len, m.data, 8);
		m.len += 8;
		for (size_t bit = 8 * 8; bit < 8 * (m.len - 8); bit++) {
			m.data[bit / 8] ^= (u8)(1 << bit % 8);
			if (!open_image(&raw, &m)) {
				if (!CHECK(*raw.fault))
					printf("# bit %zu of byte %zu\n", bit % 8, bit / 8);
				kept += raw.nrows > 0;
				CHECK_EQ(count_items(&raw), raw.nrows - raw.nsums);
				kfi_raw_close(&raw);
			}
			m.data[bit / 8] ^= (u8)(1 << bit % 8);
		}
		/* All but the bits of lengths and of the magic words of the head. */
		CHECK(kept > 7 * m.len);
	}
}

/* Rows of a part with a wrong checksum are left out; the others are all there. */
static void wrong_checksum(void)
{
	struct kfi_log_mark mark;
	struct kfi_row row;
	struct kfi_raw raw;
	struct image m;
	u32 rows = 0, of_cpu1 = 0;
	char text[128];
	size_t at;

	sample(&m, false, 64);
	at = 64 + 8;
	at += KFI_RAW_PART_BYTES(m.data[68] | m.data[69] << 8);
	m.data[at + 40] ^= 1;
	CHECK_EQ(open_image(&raw, &m), 0);
	snprintf(text, sizeof(text),
		 "wrong checksum: a part is left out, at byte %zu; parts left out: 1, rows: %zu",
		 at + 8, ARRAY_SIZE(calls_cpu1));
	CHECK_STR(raw.fault, text);
	CHECK_EQ(raw.nrows, LINES - ARRAY_SIZE(calls_cpu1));
	for (int item; (item = next_item(&raw, &row, &mark)) > 0; rows++)
		of_cpu1 += item == KFI_LINE_ROW && row.cpu == 1 && !(row.marks & KFI_MARK_OPEN);
	CHECK_EQ(rows, raw.nrows);
	CHECK_EQ(of_cpu1, 0);
	kfi_raw_close(&raw);
}

static void old_versions(void)
{
	for (u32 version = 1; version < 4; version++) {
		struct kfi_raw raw;
		struct image m;

		sample_of_version(&m, version == 2, 64, version);
		CHECK_EQ(open_image(&raw, &m), 0);
		CHECK_STR(raw.fault, "");
		CHECK_EQ(raw.nrows, LINES);
		kfi_raw_close(&raw);
	}
}

/* Records that are none, and chunks that lie. */
static void bad_records(void)
{
	static const struct {
		u32 word0, word6;
		const char *text;
	} t[] = {
		{ 9, 0, "not a record at byte 88" },
		{ 7 | 31, 0, "not a record at byte 88" },
		{ 8, 0, "not a record at byte 88" },
		{ 7, 8, "not a record at byte 88" },
		{ 7, 1, "not a record at byte 88" },
		{ 7, 16, "not a record at byte 88" },
		{ 7, 0, "the number of rows differs from that of the end at byte " },
	};
	struct kfi_raw raw;
	struct image m;

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		m = (struct image){ .bits = 32 };
		head(&m, 0, U64_MAX);
		chunk(&m, ORIGIN, 0);
		put(&m, t[i].word0, 4);
		for (int w = 1; w < 6; w++)
			put(&m, 0, 4);
		put(&m, t[i].word6, 4);
		put(&m, 0, 4);
		end_chunk(&m);
		end(&m, 5);
		CHECK_EQ(open_image(&raw, &m), 0);
		CHECK(memcmp(raw.fault, t[i].text, strlen(t[i].text)) == 0);
		CHECK_EQ(raw.nrows, i == ARRAY_SIZE(t) - 1);
		kfi_raw_close(&raw);
	}
	/* More words than bytes. */
	m = (struct image){ .bits = 32 };
	head(&m, 0, U64_MAX);
	chunk(&m, ORIGIN, 0);
	m.len -= 4;
	put(&m, 9, 4);
	end_part(&m);
	end(&m, 0);
	CHECK_EQ(open_image(&raw, &m), 0);
	CHECK(memcmp(raw.fault, "a chunk is shorter than its records", 35) == 0);
	kfi_raw_close(&raw);
}

/* Arguments and return values: of 64 bits in both byte orders, whatever the size of a word. */
static const struct {
	struct kfi_event e;
	const char *text;
} recorded[] = {
	{ { .func = 0x200, .depth = 3, .text = (const char *)(const u64[]){
		1, 0xffffffff, 0x8000000000000000, 0x123456789abcdef0, 5, U64_MAX }, .len = 48 },
	  "args 0x%s200 3 0x1 0xffffffff 0x8000000000000000 0x123456789abcdef0 0x5 "
	  "0xffffffffffffffff" },
	{ { .func = -0x100, .depth = U16_MAX, .text = (const char *)(const u64[]){ 0 }, .len = 8 },
	  "args 0x%s 65535 0x0" },
	{ { .func = 0x200, .depth = 3, .value = -517 }, "ret 0x%s200 3 -517" },
	{ { .func = 0x200, .depth = 4, .value = S64_MAX }, "ret 0x%s200 4 9223372036854775807" },
	{ { .func = 0x200, .depth = 5, .value = INT64_MIN }, "ret 0x%s200 5 -9223372036854775808" },
};

static void arguments(void)
{
	for (int kind = 0; kind < 4; kind++) {
		struct image m = { .swap = kind & 1, .bits = kind & 2 ? 64 : 32 };
		const char *high = m.bits == 64 ? "ffffffff81000" : "c0008";
		const char *below = m.bits == 64 ? "ffffffff80ffff00" : "c0007f00";
		char words[200], line[KFI_RAW_TEXT_MAX];
		struct kfi_log_mark mark, again;
		struct kfi_row row;
		struct kfi_raw raw;

		head(&m, 0, U64_MAX);
		chunk(&m, ORIGIN, 3);
		for (size_t i = 0; i < ARRAY_SIZE(recorded); i++) {
			struct kfi_event e = recorded[i].e;

			e.kind = e.len ? KFI_EVENT_ARGS : KFI_EVENT_RET;
			e.time = 24 * (i + 1);
			e.pid = 7;
			e.ctx = KFI_CTX_SOFTIRQ;
			e.site = 0x140;
			event(&m, &e);
		}
		end_chunk(&m);
		end(&m, ARRAY_SIZE(recorded));
		if (!CHECK_EQ(open_image(&raw, &m), 0))
			continue;
		CHECK_STR(raw.fault, "");
		CHECK_EQ(raw.nrows, ARRAY_SIZE(recorded));
		for (size_t i = 0; i < ARRAY_SIZE(recorded); i++) {
			CHECK_EQ(next_item(&raw, &row, &mark), KFI_LINE_MARK);
			CHECK_EQ(mark.entry_ns, 1000 * (i + 1));
			CHECK(mark.task == 7 && mark.cpu == 3 && mark.ctx == KFI_CTX_SOFTIRQ);
			snprintf(words, sizeof(words), recorded[i].text, i == 1 ? below : high);
			if (!CHECK(mark.text.len == strlen(words) &&
				   memcmp(mark.text.s, words, mark.text.len) == 0))
				printf("# %.*s\n", (int)mark.text.len, mark.text.s);
			CHECK(kfi_log_mark(line, kfi_raw_mark_line(&mark, line), &again));
			CHECK(again.text.len == mark.text.len &&
			      memcmp(again.text.s, mark.text.s, mark.text.len) == 0);
		}
		CHECK_EQ(kfi_raw_item(&raw, &row, &mark), 0);
		kfi_raw_close(&raw);
	}
}

/* Values that the kernel had to hide. */
static void hidden_arguments(void)
{
	static const char zeros[16];
	static const char *const text[] = {
		"args 0xc0008200 3 ? ?", "ret 0xc0008200 3 ?", "sysret 0",
	};
	struct kfi_event e[] = {
		{ .kind = KFI_EVENT_ARGS, .func = 0x200, .depth = 3, .text = zeros,
		  .len = sizeof(zeros) },
		{ .kind = KFI_EVENT_RET, .func = 0x200, .depth = 3 },
		{ .kind = KFI_EVENT_SYSRET },
	};
	struct image m = { .bits = 32 };
	struct kfi_log_mark mark;
	struct kfi_row row;
	struct kfi_raw raw;

	head(&m, 0, U64_MAX);
	chunk(&m, ORIGIN, 3);
	for (size_t i = 0; i < ARRAY_SIZE(e); i++) {
		m.event_bits = i < 2 ? KFI_EVENT_HIDDEN : 0;
		e[i].time = i + 1;
		event(&m, &e[i]);
	}
	end_chunk(&m);
	end(&m, ARRAY_SIZE(e));
	if (!CHECK_EQ(open_image(&raw, &m), 0))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(e); i++) {
		CHECK_EQ(next_item(&raw, &row, &mark), KFI_LINE_MARK);
		CHECK(mark.text.len == strlen(text[i]) &&
		      memcmp(mark.text.s, text[i], mark.text.len) == 0);
	}
	kfi_raw_close(&raw);
}

/* Arguments are whole numbers of 64 bits, and a record has as many words as they need. */
static void bad_arguments(void)
{
	static const struct {
		u32 words, len, nfuncs;
		bool good;
	} t[] = {
		{ 11 + 2, 8, 0, true },
		{ 11, 0, 0, true },
		{ 11 + 20, 80, 0, true },
		/* Half a number, or bytes of it. */
		{ 11 + 1, 4, 0, false },
		{ 11 + 3, 12, 0, false },
		{ 11 + 2, 7, 0, false },
		/* Other words than those of the length. */
		{ 11 + 2, 16, 0, false },
		{ 11 + 4, 8, 0, false },
		{ 11 + 20, 255, 0, false },
		/* Functions in the place of a text, which this kind does not have. */
		{ 11 + 2, 8, 1, false },
		{ 11 + 2, 8, 2, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		for (int swap = 0; swap < 2; swap++) {
			struct image m = { .swap = swap, .bits = 64 };
			struct kfi_log_mark mark;
			struct kfi_row row;
			struct kfi_raw raw;
			u32 args;

			head(&m, 0, U64_MAX);
			chunk(&m, ORIGIN, 0);
			put(&m, t[i].words, 4);
			put(&m, ORIGIN, 8);
			put(&m, 0, 8);
			put(&m, 2 | t[i].nfuncs << KFI_EVENT_FUNCS_SHIFT, 4);
			put(&m, KFI_EXT_EVENT | KFI_EXT_FAR |
				KFI_EVENT_ARGS << KFI_EVENT_KIND_SHIFT |
				t[i].len << KFI_EVENT_LEN_SHIFT, 4);
			for (u32 w = 7; w < t[i].words; w++)
				put(&m, 0, 4);
			end_chunk(&m);
			end(&m, t[i].good);
			CHECK_EQ(open_image(&raw, &m), 0);
			CHECK_STR(raw.fault, t[i].good ? "" : "not a record at byte 88");
			if (!CHECK_EQ(raw.nrows, t[i].good))
				printf("# %zu\n", i);
			if (t[i].good && CHECK_EQ(next_item(&raw, &row, &mark), KFI_LINE_MARK)) {
				for (args = 0; mark.text.len; mark.text.len--)
					args += mark.text.s[mark.text.len - 1] == ' ';
				CHECK_EQ(args, 2 + t[i].len / 8);
			}
			kfi_raw_close(&raw);
		}
	}
}

/* A part of a record that a later version has is skipped, and the next record is found. */
static void later_parts(void)
{
	static const u32 words[] = {
		8 | 42 << 10, 0x100, 0x200, 900, 90, 30 | 2 << 22, 32, 0xffffffff
	};
	struct kfi_log_mark mark;
	struct kfi_row row;
	struct kfi_raw raw;
	struct image m = { .bits = 32 };

	head(&m, 0, U64_MAX);
	chunk(&m, ORIGIN, 0);
	for (int twice = 0; twice < 2; twice++)
		for (size_t i = 0; i < ARRAY_SIZE(words); i++)
			put(&m, words[i], 4);
	end_chunk(&m);
	end(&m, 2);
	CHECK_EQ(open_image(&raw, &m), 0);
	CHECK_EQ(*raw.fault, 0);
	for (int twice = 0; twice < 2; twice++) {
		CHECK_EQ(next_item(&raw, &row, &mark), KFI_LINE_ROW);
		CHECK_EQ(row.pid, 42);
		CHECK_EQ(row.depth, 2);
	}
	kfi_raw_close(&raw);
}

/* 32-bit addresses wrap; 64-bit ones may be far away. */
static void far_and_around(void)
{
	static const struct kfi_rec far = {
		.func = 0x7f0000000000, .site = 0x7f0000000010, .entry = 1, .exit = 2, .depth = 1,
	};
	struct kfi_raw raw;
	struct kfi_log_mark mark;
	struct kfi_row row;
	struct image m = { .bits = 64 };

	head(&m, 0, U64_MAX);
	chunk(&m, ORIGIN, 0);
	call(&m, ORIGIN, &far);
	end_chunk(&m);
	end(&m, 1);
	CHECK_EQ(open_image(&raw, &m), 0);
	CHECK_EQ(raw.nrows, 1);
	next_item(&raw, &row, &mark);
	CHECK(is_addr(row.func, &m, 0x7f0000000000));
	CHECK(is_addr(row.caller, &m, 0x7f0000000010));
	kfi_raw_close(&raw);

	m = (struct image){ .bits = 32, .swap = true };
	head(&m, 0, U64_MAX);
	chunk(&m, ORIGIN, 0);
	put(&m, 6, 4);
	put(&m, 0x7f000000, 4);
	put(&m, 0xbf000000 - 0xc0008000, 4);
	for (int w = 3; w < 6; w++)
		put(&m, 0, 4);
	end_chunk(&m);
	end(&m, 1);
	CHECK_EQ(open_image(&raw, &m), 0);
	CHECK_EQ(raw.nrows, 1);
	next_item(&raw, &row, &mark);
	CHECK(row.func.len == 10 && memcmp(row.func.s, "0x3f008000", 10) == 0);
	CHECK(row.caller.len == 10 && memcmp(row.caller.s, "0xbf000000", 10) == 0);
	kfi_raw_close(&raw);
}

static void no_memory(void)
{
	struct kfi_raw raw;
	struct image m;
	int ret;

	sample(&m, false, 32);
	check_fail_alloc(0);
	ret = open_image(&raw, &m);
	check_fail_alloc(-1);
	CHECK_EQ(ret, -ENOMEM);
}

/* Through the reader of logs: two of them in a file, the first one cut or not. */
static void in_logs(void)
{
	for (int cut_at = 0; cut_at < 2; cut_at++) {
		struct image one, two;
		struct kfi_log log;
		struct kfi_row row;
		u8 both[2 * sizeof(one.data)];
		size_t n;
		int item, rows = 0, rules = 0;

		sample(&one, false, 32);
		sample(&two, true, 64);
		n = one.len - (cut_at ? 24 : 0);
		memcpy(both, one.data, n);
		memcpy(both + n, two.data, two.len);
		kfi_in_memory(&log.in, "log", both, n + two.len);
		kfi_log_start(&log);
		CHECK_EQ(kfi_log_begin(&log, &err), 0);
		CHECK_EQ(log.kind, KFI_LOG_FORMAT3);
		CHECK_EQ(log.head.rows, ROWS);
		while ((item = kfi_log_item(&log, &row, &err)) > 0) {
			rows += item == KFI_LINE_ROW;
			rules += item == KFI_LINE_RULE;
		}
		CHECK_EQ(item, 0);
		CHECK_EQ(rows, 2 * ROWS);
		CHECK_EQ(log.others, 2 * OTHERS);
		CHECK_EQ(rules, 1);
		CHECK_EQ(kfi_log_check(&log, &err), cut_at ? -EBADMSG : 0);
		kfi_log_close(&log);
	}
}

#define MANY	60000

/* One of many calls, and where its record is. */
struct many {
	u64 entry;
	u32 depth, place, func;
};

static int by_order(const void *a, const void *b)
{
	const struct many *x = a, *y = b;

	if (x->entry != y->entry)
		return x->entry < y->entry ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

/* Add the zeros and the checksum of the part from @from to @at. Return: what is behind them. */
static u8 *end_native_part(u8 *at, const u8 *from)
{
	u32 check;

	for (; (size_t)(at - from + KFI_RAW_CHECK_BYTES) % KFI_RAW_ALIGN; at++)
		*at = 0;
	check = kfi_crc32(from, (size_t)(at - from));
	memcpy(at, &check, sizeof(check));
	return at + sizeof(check);
}

/* Chunks of 40 records of two cpus; of @late calls one took very long. Return: bytes. */
static size_t make_many(u8 *data, struct many *m, u32 late, bool shuffled, unsigned int *seed)
{
	struct kfi_raw_head h = {
		.magic = KFI_RAW_MAGIC, .order = KFI_RAW_ORDER, .version = KFI_RAW_VERSION,
		.word_bits = 64, .bytes = sizeof(h), .origin = ORIGIN, .hz = 1000000000,
		.max = U64_MAX,
	};
	const u32 each = 40, bytes = sizeof(struct kfi_raw_chunk) + 24 * each;
	struct kfi_raw_part p = { KFI_RAW_CHUNK, bytes };
	struct kfi_raw_end end = { MANY };
	u8 *at = data + sizeof(h), *from = data;
	u32 nchunks = MANY / each;

	memcpy(data, &h, sizeof(h));
	for (u32 i = 0; i < nchunks; i++) {
		/* Those of a cpu one behind the other, or here and there. */
		u32 turn = shuffled ? (u32)((u64)i * 7919 % nchunks) : i;
		u32 cpu = turn >= nchunks / 2;
		u64 base = ORIGIN + 100000000 + (u64)(turn % (nchunks / 2)) * each * 1000;
		struct kfi_raw_chunk c = { base, cpu, 6 * each };

		memcpy(at, &p, sizeof(p));
		memcpy(at + sizeof(p), &c, sizeof(c));
		at += sizeof(p) + sizeof(c);
		for (u32 k = 0; k < each; k++, at += 24, m++) {
			/* Many are entered in the same count. */
			u64 exit = k * 1000 + rand_r(seed) % 8 * 100, dur = rand_r(seed) % 60 * 100;
			u32 depth = 1 + rand_r(seed) % 5;

			if (rand_r(seed) % late == 0)
				dur = rand_r(seed) % 90000000;
			*m = (struct many){ base + exit - dur, depth, (u32)(at - data), i * each + k };
			memcpy(at, (u32[]){ 6 | 1 << 10, m->func, 0, (u32)exit, (u32)dur,
					    depth << 22 }, 24);
		}
		at = end_native_part(at, from);
		from = at;
	}
	p = (struct kfi_raw_part){ KFI_RAW_END, sizeof(end) };
	memcpy(at, &p, sizeof(p));
	memcpy(at + sizeof(p), &end, sizeof(end));
	return end_native_part(at + sizeof(p) + sizeof(end), from) - data;
}

/* Rows come in order, however many blocks they are from, with little else in memory. */
static void many_blocks(void)
{
	static const struct {
		u32 late;
		bool shuffled;
	} t[] = { { MANY * 2, false }, { 500, false }, { 500, true }, { 3, false }, { 1, true } };
	u8 *data = malloc(64 * MANY);
	struct many *m = malloc(MANY * sizeof(*m));
	unsigned int seed = 1;

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		size_t len = make_many(data, m, t[i].late, t[i].shuffled, &seed);
		struct kfi_log_mark mark;
		struct kfi_row row;
		struct kfi_raw raw;
		u32 n = 0;

		qsort(m, MANY, sizeof(*m), by_order);
		if (!CHECK_EQ(kfi_raw_open(&raw, "raw", data + 8, len - 8, &err), 0))
			continue;
		CHECK_STR(raw.fault, "");
		CHECK_EQ(raw.nrows, MANY);
		while (kfi_raw_item(&raw, &row, &mark) == KFI_LINE_ROW)
			if (n >= MANY || !CHECK_EQ(row.func_at, m[n++].func))
				break;
		CHECK_EQ(n, MANY);
		if (!t[i].shuffled && t[i].late > 3)
			CHECK(raw.wait.room + raw.ready.room + raw.spare.room < MANY / 2);
		kfi_raw_close(&raw);
	}
	free(data);
	free(m);
}

/* Functions in the place of a mark's text: they are words, near or far, and not bytes. */
static void functions(void)
{
	static const u64 rel[KFI_EVENT_FUNCS_MAX] = { 0, 0x100, -0x100ull, 4, 8, 12, 16, 20 };

	for (int kind = 0; kind < 8; kind++) {
		struct kfi_event e = { .kind = KFI_EVENT_WAKEUP, .time = 1, .value = KFI_PID_MAX };
		struct image m = { .swap = kind & 1, .bits = kind & 2 ? 64 : 32 };
		unsigned long funcs[KFI_EVENT_FUNCS_MAX];
		u32 w[KFI_EVENT_FUNC_WORDS], n = 0;
		struct kfi_log_mark mark;
		struct kfi_row row;
		struct kfi_raw raw;
		char line[200];

		head(&m, 0, U64_MAX);
		text(&m, "Log format = 4\n");
		chunk(&m, ORIGIN, 0);
		event(&m, &e);
		n = sprintf(line, "wakeup %u", KFI_PID_MAX);
		for (u32 i = 0; i < ARRAY_SIZE(rel); i++) {
			funcs[i] = text_of(&m) + rel[i];
			/* Of a kernel of 32 bits nothing is far. */
			if (kind & 4 && m.bits == 64 && i == 3)
				funcs[i] = 0xffff000000001000;
			n += sprintf(line + n, m.bits == 64 ? " 0x%016lx" : " 0x%08lx", funcs[i]);
		}
		kfi_event_set_funcs(&e, w, funcs, ARRAY_SIZE(rel), text_of(&m));
		e.time = 2;
		event(&m, &e);
		end_chunk(&m);
		end(&m, 2);
		if (!CHECK_EQ(open_image(&raw, &m), 0))
			continue;
		CHECK_STR(raw.fault, "");
		CHECK_EQ(next_item(&raw, &row, &mark), KFI_LINE_MARK);
		CHECK(mark.text.len == 14 && !memcmp(mark.text.s, line, 14));
		CHECK_EQ(next_item(&raw, &row, &mark), KFI_LINE_MARK);
		if (!CHECK(mark.text.len == n && !memcmp(mark.text.s, line, n)))
			printf("# %.*s\n# %s\n", (int)mark.text.len, mark.text.s, line);
		CHECK_EQ(next_item(&raw, &row, &mark), 0);
		kfi_raw_close(&raw);
	}
}

static const struct check_case cases[] = {
	{ "both byte orders and word sizes", all_kinds },
	{ "rows that come some at once", at_once },
	{ "rows as text", as_text },
	{ "records of all forms", forms },
	{ "the samples in tests/data", goldens },
	{ "cut anywhere", cut },
	{ "damaged heads and parts", damage },
	{ "what can be no record", bad_records },
	{ "parts of a later version", later_parts },
	{ "every bit", every_bit },
	{ "wrong checksum", wrong_checksum },
	{ "versions without checksums", old_versions },
	{ "far addresses, and such that wrap", far_and_around },
	{ "functions of a mark", functions },
	{ "arguments and return values", arguments },
	{ "hidden arguments and return values", hidden_arguments },
	{ "damaged arguments", bad_arguments },
	{ "no memory", no_memory },
	{ "rows of many blocks, in order", many_blocks },
	{ "raw logs as logs", in_logs },
};

CHECK_MAIN(cases)
