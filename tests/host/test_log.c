// SPDX-License-Identifier: GPL-2.0
/* tools/lib/log: every layout of rows, headers, gaps, and what is no log. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "log.h"

static struct kfi_err err;

#define V1_TITLE	" Entry      Delta       PID      Function    Caller\n" \
			"--------   --------   --------   --------   --------\n"
#define NAMES_TITLE	" Entry      Delta      PID            Function                    Called At\n" \
			"--------   --------   -----   -------------------------   ----------------\n"
#define KFT_TITLE	" Entry    Delta     PID        Function                        Caller\n" \
			"-------- -------- -------- ----------------                 ------------\n"
#define TODAY_TITLE	" Entry    Delta     PID     Function   Caller  Entry-ns     Delta-ns     Local-ns " \
			"Cpu Depth Ctx    Task Marks\n" \
			"-------- -------- -------- -------- --------- --------- --------- -------- --- " \
			"----- --- ------- -----\n"
#define PARTS_TITLE	" Entry    Delta     PID     Function   Caller  Entry-ns     Delta-ns     Local-ns " \
			"Cpu Depth Ctx    Task Marks                Off-ns       Irq-ns\n" \
			"-------- -------- -------- -------- --------- --------- --------- -------- --- " \
			"----- --- ------- -------------- ------------ ------------\n"

#define PROFILE_TITLE	" Function Count Total-ns Local-ns Min-ns Max-ns Off-ns Irq-ns Untimed\n" \
			"-------- -------- -------- -------- --------- --------- --------- --------\n"

static int begin(struct kfi_log *log, const char *text)
{
	kfi_in_memory(&log->in, "log", text, strlen(text));
	kfi_log_start(log);
	return kfi_log_begin(log, &err);
}

static bool str_is(struct kfi_str str, const char *want)
{
	return str.len == strlen(want) && memcmp(str.s, want, str.len) == 0;
}

/* One row of each layout and what must come out. */
static const struct {
	const char *text;
	s64 entry_ns, delta_ns, local_ns;
	const char *func, *caller;
	s32 pid, task, cpu;
	u32 depth;
	u8 ctx, marks;
	enum kfi_log_kind kind;
} rows[] = {
	{ V1_TITLE "      12        500        145    c000877c   c0008110\n", 12000, 500000, -1,
	  "c000877c", "c0008110", 145, 145, -1, 0, KFI_CTX_TASK, 0, KFI_LOG_V1 },
	{ V1_TITLE "      12          0         -1i   c000877c   c0008110\n", 12000, -1, -1,
	  "c000877c", "c0008110", -1, -1, -1, 0, KFI_CTX_HARDIRQ, KFI_MARK_OPEN, KFI_LOG_V1 },
	{ V1_TITLE "      12          5        145i   c000877c   c0008110\n", 12000, 5000, -1,
	  "c000877c", "c0008110", -1, -1, -1, 0, KFI_CTX_HARDIRQ, 0, KFI_LOG_V1 },
	{ NAMES_TITLE "   23662       1333       0                    con_init   console_init+0x78\n",
	  23662000, 1333000, -1, "con_init", "console_init+0x78", 0, 0, -1, 0, KFI_CTX_TASK, 0,
	  KFI_LOG_V1_NAMES },
	{ KFT_TITLE "      10     4000       0 0xc0200100                       0xc0200010\n", 10000,
	  4000000, -1, "0xc0200100", "0xc0200010", 0, 0, -1, 0, KFI_CTX_TASK, 0, KFI_LOG_KFT },
	{ KFT_TITLE "      10        0       0 0xc0200100                       0xc0200010\n", 10000,
	  0, -1, "0xc0200100", "0xc0200010", 0, 0, -1, 0, KFI_CTX_TASK, 0, KFI_LOG_KFT },
	{ KFT_TITLE "      10       -1    -1.9 0xc0200100                       0xc0200010\n", 10000,
	  -1, -1, "0xc0200100", "0xc0200010", -1, -1, -1, 0, KFI_CTX_HARDIRQ, KFI_MARK_OPEN,
	  KFI_LOG_KFT },
	{ KFT_TITLE "     686      876      0.1 start_kernel                     rest_init\n", 686000,
	  876000, -1, "start_kernel", "rest_init", 0, 0, 1, 0, KFI_CTX_TASK, 0, KFI_LOG_KFT },
	{ KFT_TITLE "     686  no exit     7 a  b+0x1\r\n", 686000, -1, -1, "a", "b+0x1", 7, 7, -1, 0,
	  KFI_CTX_TASK, KFI_MARK_OPEN, KFI_LOG_KFT },
	{ TODAY_TITLE "   23662     1333        0 f g+0x10 23662123      1333001        12345   1     2"
	  "   t       0 -\n", 23662123, 1333001, 12345, "f", "g+0x10", 0, 0, 1, 2, KFI_CTX_TASK, 0,
	  KFI_LOG_FORMAT3 },
	{ TODAY_TITLE "       0       -1       -1 f g+0x10 0  -1  -1   0     7   s  4711 notime,open\r\n",
	  0, -1, -1, "f", "g+0x10", -1, 4711, 0, 7, KFI_CTX_SOFTIRQ,
	  KFI_MARK_OPEN | KFI_MARK_NOTIME, KFI_LOG_FORMAT3 },
	{ TODAY_TITLE "       0       -1       -1 f g+0x10 5  -1  9   0     7   n  4711 unwound,new x\n",
	  5, -1, -1, "f", "g+0x10", -1, 4711, 0, 7, KFI_CTX_NMI, KFI_MARK_UNWOUND,
	  KFI_LOG_FORMAT3 },
};

static void layouts(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct kfi_log log;
		struct kfi_row row;

		if (!CHECK_EQ(begin(&log, rows[i].text), 0) ||
		    !CHECK_EQ(kfi_log_next(&log, &row, &err), 1))
			continue;
		CHECK_EQ(log.kind, rows[i].kind);
		CHECK_EQ(row.entry_ns, rows[i].entry_ns);
		CHECK_EQ(row.delta_ns, rows[i].delta_ns);
		CHECK_EQ(row.local_ns, rows[i].local_ns);
		CHECK(str_is(row.func, rows[i].func));
		CHECK(str_is(row.caller, rows[i].caller));
		CHECK_EQ(row.pid, rows[i].pid);
		CHECK_EQ(row.task, rows[i].task);
		CHECK_EQ(row.cpu, rows[i].cpu);
		CHECK_EQ(row.depth, rows[i].depth);
		CHECK_EQ(row.ctx, rows[i].ctx);
		CHECK_EQ(row.marks, rows[i].marks);
		CHECK_EQ(kfi_log_next(&log, &row, &err), 0);
		CHECK_EQ(kfi_log_check(&log, &err), 0);
	}
}

/* Off-ns and Irq-ns, or that they are not known. */
static void parts(void)
{
	static const struct {
		const char *text;
		s64 off_ns, irq_ns;
	} t[] = {
		{ PARTS_TITLE "1 9 0 f g 1000 9000 900 0 1 t 0 -                 1234           56\n",
		  1234, 56 },
		{ PARTS_TITLE "1 9 0 f g 1000 9000 900 0 1 t 0 - 0 0\r\n", 0, 0 },
		{ PARTS_TITLE "1 9 0 f g 1000 9000 900 0 1 t 0 - 7 8 9 later\n", 7, 8 },
		{ PARTS_TITLE "1 9 0 f g 1000 9000 900 0 1 t 0 later           7 -1\n", 7, -1 },
		{ PARTS_TITLE "1 -1 0 f g 1000 -1 -1 0 1 t 0 open             -1 -1\n", -1, -1 },
		{ PARTS_TITLE "1 -1 0 f g 1000 -1 5 0 1 t 0 unwound,open       6 7\n", -1, -1 },
		/* Early logs of format 3 have no such columns, historic ones neither. */
		{ TODAY_TITLE "1 9 0 f g 1000 9000 900 0 1 t 0 -\n", -1, -1 },
		{ TODAY_TITLE "1 9 0 f g 1000 9000 900 0 1 t 0 - 7 8\n", -1, -1 },
		{ KFT_TITLE "1 9 0 f g\n", -1, -1 },
		{ V1_TITLE "      12        500        145    c000877c   c0008110\n", -1, -1 },
		/* The title of another run counts for its rows only. */
		{ PARTS_TITLE "Kernel Instrumentation Run ID 1\n" TODAY_TITLE
		  "1 9 0 f g 1000 9000 900 0 1 t 0 -\n", -1, -1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct kfi_log log;
		struct kfi_row row;

		if (!CHECK_EQ(begin(&log, t[i].text), 0) ||
		    !CHECK_EQ(kfi_log_next(&log, &row, &err), 1))
			continue;
		if (!CHECK_EQ(row.off_ns, t[i].off_ns) || !CHECK_EQ(row.irq_ns, t[i].irq_ns))
			check_true(false, t[i].text, __FILE__, __LINE__);
		CHECK_EQ(kfi_log_next(&log, &row, &err), 0);
		CHECK_EQ(kfi_log_check(&log, &err), 0);
	}
}

/* Delta -2: a row that is no call, in whatever layout. */
static void watch_rows(void)
{
	static const struct {
		const char *text;
		int item;
	} t[] = {
		{ PARTS_TITLE "1 -2 0 f g 1000 -1 -1 0 1 t 0 stack -1 -1\n", KFI_LINE_WATCH },
		{ TODAY_TITLE "1 -2 0 f g 1000 -1 -1 0 1 t 0 stack\n", KFI_LINE_WATCH },
		{ KFT_TITLE "1 -2 3 f g\n", KFI_LINE_WATCH },
		{ KFT_TITLE "1 -1 3 f g\n", KFI_LINE_ROW },
		{ KFT_TITLE "1 -12 3 f g\n", KFI_LINE_ROW },
		{ KFT_TITLE "1 2 3 f g\n", KFI_LINE_ROW },
		{ KFT_TITLE "1  no exit 3 f g\n", KFI_LINE_ROW },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct kfi_log log;
		struct kfi_row row;

		memset(&row, 0xff, sizeof(row));
		CHECK_EQ(begin(&log, t[i].text), 0);
		if (!CHECK_EQ(kfi_log_item(&log, &row, &err), t[i].item))
			check_true(false, t[i].text, __FILE__, __LINE__);
		CHECK_EQ(row.watch, t[i].item == KFI_LINE_WATCH);
		CHECK(!row.watch || (row.delta_ns == -1 && row.local_ns == -1));
		CHECK(str_is(row.func, "f"));
		CHECK_EQ(log.rows, t[i].item == KFI_LINE_ROW);
		CHECK_EQ(log.others, t[i].item == KFI_LINE_WATCH);
		/* kfi_log_next() passes over it. */
		CHECK_EQ(begin(&log, t[i].text), 0);
		CHECK_EQ(kfi_log_next(&log, &row, &err), t[i].item == KFI_LINE_ROW);
	}
}

static void marks(void)
{
	static const struct {
		const char *text;
		bool ok;
		s64 entry_ns;
		s32 cpu, task;
		u8 ctx;
		const char *kind, *words;
	} t[] = {
		{ "# 12 12345 1 47 t switch 47 48", true, 12345, 1, 47, KFI_CTX_TASK, "switch",
		  "switch 47 48" },
		{ "#12 12345 0 0 n mark  two words \r", true, 12345, 0, 0, KFI_CTX_NMI, "mark",
		  "mark  two words" },
		{ "# 12 12345 0 0 h level", true, 12345, 0, 0, KFI_CTX_HARDIRQ, "level", "level" },
		{ "# 12 12345 0 0 h", false }, { "# 12 12345 0 0 x level 1", false },
		{ "# 12 12345 0 0 tt level 1", false }, { "# 12 12345 0 t level 1", false },
		{ "# -1 12345 0 0 t level 1", false }, { "# 12 -5 0 0 t level 1", false },
		{ "# a comment", false }, { "#", false }, { "", false }, { "12 12345 0 0 t l 1", false },
		{ "# 12 99999999999999999999 0 0 t level 1", false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct kfi_log_mark m;

		if (!CHECK_EQ(kfi_log_mark(t[i].text, strlen(t[i].text), &m), t[i].ok))
			check_true(false, t[i].text, __FILE__, __LINE__);
		if (!t[i].ok)
			continue;
		CHECK_EQ(m.entry_ns, t[i].entry_ns);
		CHECK_EQ(m.cpu, t[i].cpu);
		CHECK_EQ(m.task, t[i].task);
		CHECK_EQ(m.ctx, t[i].ctx);
		CHECK(str_is(m.kind, t[i].kind));
		CHECK(str_is(m.text, t[i].words));
	}
}

/* Where marks are comments: above the rule, in historic logs. Where they are missed: everywhere. */
static void marks_in_logs(void)
{
	static const struct {
		const char *head, *title;
		u64 marks;
		bool whole;
	} t[] = {
		{ "Marks kept = 1\n", TODAY_TITLE, 1, true },
		{ "", TODAY_TITLE, 1, true },
		{ "Marks kept = 2\n", TODAY_TITLE, 1, false },
		{ "Marks kept = 1\nWatch rows = 1\n", TODAY_TITLE, 1, false },
		{ "", KFT_TITLE, 0, true },
		{ "", NAMES_TITLE, 0, true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct kfi_log log;
		struct kfi_row row;
		char text[1024];
		int item;

		snprintf(text, sizeof(text), "%s# 1 1 0 0 t mark above\n%s  # 2 2000 0 0 t mark in\n"
			 "# 3 3000 0\n", t[i].head, t[i].title);
		CHECK_EQ(begin(&log, text), 0);
		while ((item = kfi_log_item(&log, &row, &err)) > 0)
			CHECK_EQ(item, KFI_LINE_MARK);
		CHECK_EQ(log.others, t[i].marks);
		CHECK_EQ(log.bad, 0);
		CHECK_EQ(kfi_log_check(&log, &err), t[i].whole ? 0 : -EBADMSG);
	}
}

static void sums(void)
{
	static const char *const bad[] = {
		"", "f", "f 1 2 3 4 5 6 7", "f 1 2 3 4 5 6 7 x", "f 1 2 3 4 5 6 7 8x", "f 1 2 -1 4 5 6 7 8",
		"f 1 99999999999999999999 3 4 5 6 7 8",
	};
	static const char good[] = "  0xc0100400  1 2 3 4 5 6 7 8 later \r";
	struct kfi_sums p;

	CHECK(kfi_log_sums(good, strlen(good), &p));
	CHECK(str_is(p.func, "0xc0100400"));
	CHECK_EQ(p.count, 1);
	CHECK_EQ(p.total, 2);
	CHECK_EQ(p.local, 3);
	CHECK_EQ(p.min, 4);
	CHECK_EQ(p.max, 5);
	CHECK_EQ(p.off, 6);
	CHECK_EQ(p.irq, 7);
	CHECK_EQ(p.untimed, 8);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		if (!CHECK(!kfi_log_sums(bad[i], strlen(bad[i]), &p)))
			check_true(false, bad[i], __FILE__, __LINE__);
}

/* A profile, a run with calls, a profile: each by its own title; no calls are missed. */
static void profiles(void)
{
	static const char text[] = "Number of entries after filters = 10\n" PROFILE_TITLE
		"f 1 2 3 4 5 6 7 8\nno row\n" "Kernel Instrumentation Run ID 1\n" TODAY_TITLE
		"1 1 0 f g 1000 1000 900 0 1 t 0 -\n" "Kernel Instrumentation Run ID 2\n" PROFILE_TITLE
		"g 1 2 3 4 5 6 7 8\n";
	static const int want[] = { KFI_LINE_SUMS, KFI_LINE_RULE, KFI_LINE_ROW, KFI_LINE_RULE,
				    KFI_LINE_SUMS, 0 };
	struct kfi_log log;
	struct kfi_row row;

	CHECK_EQ(begin(&log, text), 0);
	CHECK_EQ(log.kind, KFI_LOG_PROFILE);
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		CHECK_EQ(kfi_log_item(&log, &row, &err), want[i]);
	CHECK_EQ(log.run, 2);
	CHECK_EQ(log.head.id, 2);
	CHECK_EQ(log.bad, 1);
	CHECK_EQ(log.rows, 9 + 1 + 9);
	CHECK(!log.counts.few_rows.number && !log.counts.many_rows.number);
	CHECK_EQ(log.session.rows_want, 0);
}

static void arguments(void)
{
	struct kfi_log log;
	struct kfi_row row;

	CHECK_EQ(begin(&log, KFT_TITLE
		       "1 2 3 f g   0xc0fe1e00 0x00000011 0xbffff000 0x00000000 \n"), 0);
	CHECK_EQ(kfi_log_next(&log, &row, &err), 1);
	CHECK(str_is(row.args, "0xc0fe1e00 0x00000011 0xbffff000 0x00000000"));
}

/* Lines in the place of a row that are none. */
static const char *const not_rows[] = {
	"1 2 3", "1 2 3 f", "1 2 3 f g h", "x 2 3 f g", "1 x 3 f g", "1 2 x f g", "1 2 3x f g",
	"-1 2 3 f g", "1 2 3.x f g", "99999999999999999999 2 3 f g", "1 99999999999999999999 3 f g",
	"1 2 99999999999 f g", "1 no exit", "words in a row of five", "\x01\x02\xff", "1 2 3 f\x01g h",
};

static void bad_rows(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(not_rows); i++) {
		struct kfi_log log;
		struct kfi_row row;
		char text[512];

		snprintf(text, sizeof(text), KFT_TITLE "1 2 3 f g\n%s\n4 5 6 h i\n", not_rows[i]);
		CHECK_EQ(begin(&log, text), 0);
		CHECK_EQ(kfi_log_next(&log, &row, &err), 1);
		if (!CHECK_EQ(kfi_log_next(&log, &row, &err), 1))
			continue;
		if (!CHECK(str_is(row.func, "h")))
			check_true(false, not_rows[i], __FILE__, __LINE__);
		CHECK_EQ(log.bad, 1);
		CHECK_EQ(log.bad_line, 4);
		CHECK_EQ(kfi_log_next(&log, &row, &err), 0);
		CHECK_EQ(kfi_log_check(&log, &err), -EBADMSG);
	}
}

/* Whatever is cut off: a row with fewer columns is none. */
static void cut_row(const char *text)
{
	struct kfi_log log;
	struct kfi_row row;
	char cut[1024];

	if (!CHECK(strlen(text) < sizeof(cut)))
		return;
	for (size_t n = strlen(text) - 2; text[n - 1] != '\n'; n--) {
		memcpy(cut, text, n);
		cut[n] = '\0';
		CHECK_EQ(begin(&log, cut), 0);
		CHECK_EQ(kfi_log_next(&log, &row, &err), 1);
		CHECK_EQ(kfi_log_next(&log, &row, &err), 0);
		CHECK_EQ(kfi_log_check(&log, &err), -EBADMSG);
	}
}

static void cut_today(void)
{
	cut_row(TODAY_TITLE
		"1 1 0 f g 1000 1000 900 0 1 t 0 -\n2 1 0 f g 2000 1000 900 0 1 t 0 -\n");
	cut_row(PARTS_TITLE
		"1 1 0 f g 1000 1000 900 0 1 t 0 - 7 8\n2 1 0 f g 2000 1000 900 0 1 t 0 - 7 8\n");
}

static const char full[] =
	"\nKernel Instrumentation Run ID 11\n\n"
	"Logging started at 0 usec by entry to function 0xc0e00b1c\n"
	"Logging is running\n"
	"\nFilters:\n\t500 usecs minimum execution time\n\t900 usecs maximum execution time\n\n"
	"Number of entries after filters = 2\n\n"
	"Calls lost = 64\nLost to overwriting = 60\nMarks kept = 0\nMarks lost = 9\nRounds = 4\n"
	"Unknown = 5\nClock steps back = 3\nText = 0xc0008000\nKASLR offset = 0x2000\nKernel text = 0xc0100000 2097152\nLog format = 3\n"
	"Note = log full after 510 ms: raise logentries or mintime\nNote = second\n"
	"Clock rate = nonsense\n\n";

static void header(void)
{
	struct kfi_log log;
	struct kfi_row row;
	char text[2048];

	snprintf(text, sizeof(text), "%s%s%s", full, TODAY_TITLE,
		 "1 1 0 f g 1000 1000 900 0 1 t 0 -\n\n# comment\n2 1 0 f g 2000 1000 900 0 1 t 0 -\n");
	CHECK_EQ(begin(&log, text), 0);
	CHECK_EQ(log.head.format, 3);
	CHECK(log.head.has_text);
	CHECK_EQ(log.head.text, 0xc0008000);
	CHECK(log.head.has_kaslr);
	CHECK_EQ(log.head.kaslr, 0x2000);
	CHECK(log.head.has_stext);
	CHECK_EQ(log.head.stext, 0xc0100000);
	CHECK_EQ(log.head.rows, 2);
	CHECK_EQ(log.head.id, 11);
	CHECK_EQ(log.head.lost, 64);
	CHECK_EQ(log.head.overwritten, 60);
	CHECK_EQ(log.head.marks_lost, 9);
	CHECK_EQ(log.head.rounds, 4);
	CHECK_EQ(log.head.steps_back, 3);
	CHECK_EQ(log.head.mintime_us, 500);
	CHECK(log.head.running);
	CHECK_EQ(log.head.nnotes, 2);
	CHECK_STR(log.head.note[0], "log full after 510 ms: raise logentries or mintime");
	CHECK_EQ(kfi_log_next(&log, &row, &err), 1);
	CHECK_EQ(kfi_log_next(&log, &row, &err), 1);
	CHECK_EQ(kfi_log_next(&log, &row, &err), 0);
	CHECK_EQ(kfi_log_check(&log, &err), 0);

	/* One call less than promised. */
	snprintf(text, sizeof(text), "%s%s%s", full, TODAY_TITLE,
		 "1 1 0 f g 1000 1000 900 0 1 t 0 -\n");
	CHECK_EQ(begin(&log, text), 0);
	while (kfi_log_next(&log, &row, &err) > 0)
		;
	CHECK_EQ(kfi_log_check(&log, &err), -EBADMSG);
	CHECK_STR(err.text, "log: truncated: the header says 2 calls, 1 are there");
}

static void gaps_and_runs(void)
{
	struct kfi_log log;
	struct kfi_row row;
	char text[4096];

	snprintf(text, sizeof(text), "Number of entries after filters = 9\n" NAMES_TITLE
		 "1 2 3 f g\n .\n .\n .\n4 5 6 h i\n");
	CHECK_EQ(begin(&log, text), 0);
	while (kfi_log_next(&log, &row, &err) > 0)
		;
	CHECK_EQ(log.rows, 2);
	CHECK_EQ(log.gaps, 3);
	CHECK_EQ(kfi_log_check(&log, &err), 0);

	snprintf(text, sizeof(text), "%s%s%s%s%s", full, KFT_TITLE, "1 2 3 f g\n1 2 3 f g\n", full,
		 KFT_TITLE "1 2 3 f g\n1 2 3 f g\n");
	CHECK_EQ(begin(&log, text), 0);
	while (kfi_log_next(&log, &row, &err) > 0)
		;
	CHECK_EQ(log.rows, 4);
	CHECK_EQ(log.session.rows_want, 2);
	CHECK_EQ(log.run, 1);
	CHECK_EQ(kfi_log_check(&log, &err), 0);
}

/* What a session lacks counts, whatever other sessions have: dots, or too many rows. */
static void counts_of_sessions(void)
{
	static const struct {
		const char *first, *second;
		const char *want;
	} t[] = {
		{ "1 2 3 f g\n .\n", "1 2 3 f g\n",
		  "log: truncated: the header of run 2 says 2 calls, 1 are there" },
		{ "1 2 3 f g\n", "1 2 3 f g\n .\n",
		  "log: truncated: the header of run 1 says 2 calls, 1 are there" },
		{ "1 2 3 f g\n1 2 3 f g\n1 2 3 f g\n", "1 2 3 f g\n",
		  "log: truncated: the header of run 2 says 2 calls, 1 are there" },
		{ "1 2 3 f g\n .\n", "1 2 3 f g\n1 2 3 f g\n1 2 3 f g\n",
		  "log: doubled or mixed: the header of run 2 says 2 calls, 3 are there" },
		{ "1 2 3 f g\n .\n", "1 2 3 f g\n1 2 3 f g\n", NULL },
		{ "1 2 3 f g\n .\n", ".\n1 2 3 f g\n", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct kfi_log log;
		struct kfi_row row;
		char text[4096];

		snprintf(text, sizeof(text), "%s%s%s%s%s%s", full, KFT_TITLE, t[i].first, full,
			 KFT_TITLE, t[i].second);
		CHECK_EQ(begin(&log, text), 0);
		while (kfi_log_next(&log, &row, &err) > 0)
			;
		CHECK_EQ(kfi_log_check(&log, &err), t[i].want ? -EBADMSG : 0);
		if (t[i].want)
			CHECK_STR(err.text, t[i].want);
	}
}

/* Delta 0 in v1's columns: open or short, by what else is known. */
static void delta_zero(void)
{
	static const struct {
		const char *text;
		s64 delta;
	} t[] = {
		{ NAMES_TITLE "1 0 3 f g\n", -1 },
		{ NAMES_TITLE "1 0 3 f g\n2 -1 3 f g\n", 0 },
		{ NAMES_TITLE "1 0 3 f g\n2 no exit 3 f g\n", 0 },
		{ "500 usecs minimum execution time\n" NAMES_TITLE "1 0 3 f g\n2 -1 3 f g\n", -1 },
		{ KFT_TITLE "1 0 3 f g\n", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		struct kfi_log log;
		struct kfi_row row;

		CHECK_EQ(begin(&log, t[i].text), 0);
		CHECK_EQ(kfi_log_next(&log, &row, &err), 1);
		CHECK_EQ(row.delta_ns, t[i].delta);
	}
}

static void no_log(void)
{
	struct kfi_log log;

	CHECK_EQ(begin(&log, ""), -EINVAL);
	CHECK_STR(err.text, "log: not a KFI log: it is empty");
	CHECK_EQ(begin(&log, "hello\nworld"), -EINVAL);
	CHECK_STR(err.text, "log: not a KFI log: no line of dashes before the calls");
	CHECK_EQ(kfi_log_open(&log, "/nonexistent/log", &err), -ENOENT);
	CHECK_EQ(kfi_log_open(&log, "/", &err), -EISDIR);
}

static void hex(void)
{
	static const struct {
		const char *text;
		bool ok;
		u64 val;
	} t[] = {
		{ "0x0", true, 0 }, { "0xC001d804", true, 0xc001d804 }, { "0x", false, 0 },
		{ "x1", false, 0 }, { "0xffffffffffffffff", true, U64_MAX },
		{ "0x10000000000000000", false, 0 }, { "0x12g", false, 0 }, { "", false, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		u64 v = 0;

		CHECK_EQ(kfi_str_hex((struct kfi_str){ t[i].text, strlen(t[i].text) }, &v), t[i].ok);
		CHECK_EQ(v, t[i].val);
	}
}

static bool same_str(struct kfi_str a, const char *base_a, struct kfi_str b, const char *base_b)
{
	return a.len == b.len && (!a.len || a.s - base_a == b.s - base_b);
}

static bool same_row(const struct kfi_row *a, const char *base_a, const struct kfi_row *b,
		     const char *base_b)
{
	return a->entry_ns == b->entry_ns && a->delta_ns == b->delta_ns &&
	       a->local_ns == b->local_ns && a->off_ns == b->off_ns && a->irq_ns == b->irq_ns &&
	       a->pid == b->pid && a->task == b->task && a->cpu == b->cpu && a->depth == b->depth &&
	       a->ctx == b->ctx && a->marks == b->marks && a->watch == b->watch &&
	       a->numbers == b->numbers && same_str(a->func, base_a, b->func, base_b) &&
	       same_str(a->caller, base_a, b->caller, base_b) &&
	       same_str(a->args, base_a, b->args, base_b);
}

/* One blank before a row and one behind it, and its columns are not where they usually are. */
static bool same_shifted(const struct kfi_log *log, const char *s, size_t len, bool *is_row)
{
	struct kfi_row a, b;
	char *exact = malloc(len ? len : 1), *shifted = malloc(len + 2);
	bool x, y, ok;

	/* Exactly as long: reading beyond is seen. */
	memcpy(exact, s, len);
	shifted[0] = shifted[len + 1] = ' ';
	memcpy(shifted + 1, s, len);
	x = kfi_log_row(log, exact, len, &a);
	y = kfi_log_row(log, shifted, len + 2, &b);
	ok = x == y && (!x || same_row(&a, exact, &b, shifted + 1));
	*is_row = x;
	free(exact);
	free(shifted);
	return ok;
}

/* What is taken for a row at a glance, among other lines, is one. */
static bool same_fixed(const struct kfi_log *log, const char *s, size_t len, size_t behind,
		       bool *is_fixed)
{
	char *text = malloc(len + 1 + behind);
	struct kfi_row a, b;
	size_t got = 0;
	bool ok = true;

	memcpy(text, s, len);
	memset(text + len, ' ', behind + 1);
	text[len] = '\n';
	*is_fixed = kfi_log_row_fixed(log, text, text + len + 1 + behind, &a, &got);
	if (*is_fixed)
		ok = got == len && kfi_log_row(log, text, len, &b) &&
		     same_row(&a, text, &b, text);
	free(text);
	return ok;
}

/* Rows as printf() makes them are read by blocks, others byte by byte: what comes out is the same. */
static void blocks(void)
{
	static const char format[] = "%8lld %8lld %8d %-32s %-32s %12lld %12lld %12lld %3d %5u   %c "
				     "%7d %-14s %12lld %12lld";
	static const char bytes[] = " 0123456789-tshni#,.\tx+";
	static const enum kfi_log_kind kinds[] = { KFI_LOG_KFT, KFI_LOG_FORMAT3 };
	static const char *const names[] = { "f", "start_kernel", "0xffffffff81000000",
					     "a_name_that_is_as_wide_as_it_goes",
					     "a_name_that_is_wider_than_its_column_is+0x12" };
	struct kfi_log log = { .off_irq = true };
	unsigned int seed = 1, found = 0, fixed = 0, today = 0, today_fixed = 0;
	bool is_row, is_fixed;

	for (u32 i = 0; i < 60000; i++) {
		long long v[8], us, delta, off, irq;
		char line[512], ctx;
		int pid, task;
		int len;

		for (u32 k = 0; k < ARRAY_SIZE(v); k++) {
			v[k] = (long long)rand_r(&seed) << (rand_r(&seed) % 14);
			v[k] >>= rand_r(&seed) % 44;
			if (rand_r(&seed) % 16 == 0)
				v[k] = -1;
		}
		us = v[0] / 1000;
		delta = v[1] / 1000;
		off = v[6];
		irq = v[7];
		ctx = KFI_CTX_LETTERS[v[7] & 3];
		pid = (int)(v[2] % 100000);
		task = (int)(v[2] % 1000000);
		/* Most have columns that agree. */
		if (rand_r(&seed) % 8) {
			v[3] = v[3] < 0 ? 1 : v[3];
			us = v[3] / 1000;
			delta = v[1] < 0 ? -1 : (v[3] + v[1]) / 1000 - us;
			v[4] = v[1] < 0 || v[4] < 0 ? -1 : v[4] % (v[1] + 1);
			off = v[1] < 0 || off < 0 ? -1 : off % (v[1] + 1);
			irq = v[1] < 0 || irq < 0 ? -1 : irq % (v[1] + 1);
			task = task < 0 ? 0 : task;
			pid = ctx == 't' ? task : -1;
		}
		len = snprintf(line, sizeof(line), format, us, delta, pid,
			       names[rand_r(&seed) % ARRAY_SIZE(names)],
			       names[rand_r(&seed) % ARRAY_SIZE(names)], v[3], v[1], v[4],
			       (int)(v[5] % 1000), (u32)(v[6] & 0xffff), ctx, task,
			       v[0] % 9 ? "-" : "unwound", off, irq);
		log.kind = kinds[i & 1];
		if (log.kind == KFI_LOG_KFT)
			len = 92;
		for (u32 k = rand_r(&seed) % 4; k-- > 1;)
			line[rand_r(&seed) % len] = bytes[rand_r(&seed) % (sizeof(bytes) - 1)];
		if (rand_r(&seed) % 8 == 0)
			len = rand_r(&seed) % len;
		if (!CHECK(same_shifted(&log, line, len, &is_row)))
			printf("# %.*s\n", len, line);
		if (!CHECK(same_fixed(&log, line, len, rand_r(&seed) % 60, &is_fixed)))
			printf("# %.*s\n", len, line);
		CHECK(is_row || !is_fixed);
		found += is_row;
		fixed += is_fixed;
		today += is_row && log.kind == KFI_LOG_FORMAT3;
		today_fixed += is_fixed && log.kind == KFI_LOG_FORMAT3;
	}
	/* Many are rows: else this would test nothing. */
	CHECK(found > 20000);
	CHECK(today > 5000);
#ifdef __SSE2__
	CHECK(fixed > 2000);
	CHECK(today_fixed > 500);
#endif
}

/* Each byte of a row at a glance is any other byte once. */
static void every_byte(void)
{
	static const char rows_of[2][200] = {
		"   12345      678       47 0xffffffff81001234               vfs_read+0x12"
		"                        12345678       678001          234   1    12   t      47 -"
		"                         0            5",
		"   12345      678       -1 vfs_read                         0xffffffff81001234  ",
	};
	struct kfi_log log = { .off_irq = true };

	for (u32 kind = 0; kind < 2; kind++) {
		u32 len = (u32)strlen(rows_of[kind]), fixed = 0;
		bool is_fixed;

		log.kind = kind ? KFI_LOG_KFT : KFI_LOG_FORMAT3;
		for (u32 i = 0; i < len * 256; i++) {
			char line[200];

			memcpy(line, rows_of[kind], len);
			line[i / 256] = (char)i;
			/* That would be another line. */
			if ((char)i == '\n')
				continue;
			if (!CHECK(same_fixed(&log, line, len, 100, &is_fixed)))
				printf("# %.*s\n", (int)len, line);
			fixed += is_fixed;
		}
#ifdef __SSE2__
		CHECK(fixed > len);
#endif
	}
}

static const struct check_case cases[] = {
	{ "a row of each layout", layouts },
	{ "columns where they usually are, and elsewhere", blocks },
	{ "rows at a glance", every_byte },
	{ "time switched out and in interrupts", parts },
	{ "rows that are no calls", watch_rows },
	{ "marks", marks },
	{ "marks in logs", marks_in_logs },
	{ "rows of a profile", sums },
	{ "profiles among other runs", profiles },
	{ "argument columns", arguments },
	{ "lines that are no rows", bad_rows },
	{ "today's row cut anywhere", cut_today },
	{ "today's header", header },
	{ "gaps, several runs", gaps_and_runs },
	{ "calls that are missing in one of several sessions", counts_of_sessions },
	{ "delta 0 in v1's columns", delta_zero },
	{ "what is no log", no_log },
	{ "hex addresses", hex },
};

CHECK_MAIN(cases)
