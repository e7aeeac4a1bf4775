// SPDX-License-Identifier: GPL-2.0
/*
 * Raw logs that are read while they are recorded, as /proc/kfi_pipe gives them: to the end as any
 * raw log, and as they come. tests/data/pipe.raw is such a log, pipe_cut.raw its beginning:
 * KFI_WRITE=data in the environment writes them anew.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "log.h"
#include "raw_image.h"

static struct kfi_err err;

static const char start[] =
	"\nKernel Instrumentation Run ID 7\n\n"
	"Logging started at 1000 usec by user action\n";

static const char machine[] =
	"Clock = mct\nClock rate = 24000000 Hz\nKernel = 6.12.0-sample\nWord size = %u\n"
	"Text = 0x%s\nKernel text = 0x%s 4096\nKernel init text = 0x0 0 -\n%sLog format = 5\n";

static const char module[] = "Module = late 0x%s 256 0x0 0 100 100 -\n";

static const char counters[] =
	"Number of entries after filters = 7\n\n"
	"Calls seen = 12\nCalls kept = 6\nCalls filtered = 1\nCalls lost = 4\n"
	"Lost to overwriting = 4\nCalls open = 1\nCalls left out = 0\n"
	"Marks kept = 1\nMarks lost = 0\nMarks left out = 0\n";

/* The header while the session goes on, or at its end. */
static void put_text(struct image *m, bool with_module, bool is_over)
{
	char text_at[32], module_at[32], line[200], all[3000];
	int n;

	snprintf(text_at, sizeof(text_at), m->bits == 64 ? "%016llx" : "%08llx",
		 (unsigned long long)text_of(m));
	snprintf(module_at, sizeof(module_at), m->bits == 64 ? "%016llx" : "%08llx",
		 (unsigned long long)text_of(m) + 0x100000);
	snprintf(line, sizeof(line), module, module_at);
	n = snprintf(all, sizeof(all), "%s%sRead while running = yes\n\n%s\n", start,
		     is_over ? "Logging stopped at 9000 usec by user action\n" :
			       "Logging is running\n", is_over ? counters : "");
	n += snprintf(all + n, sizeof(all) - n, machine, m->bits, text_at, text_at,
		      with_module ? line : "");
	if (is_over)
		n += snprintf(all + n, sizeof(all) - n,
			      "Note = calls were overwritten before /proc/kfi_pipe was read: 4: raise logentries or mintime\n");
	snprintf(all + n, sizeof(all) - n,
		 "\n Entry    Delta    PID         Function                         Caller                           Entry-ns     Delta-ns     Local-ns Cpu Depth Ctx    Task Marks                Off-ns       Irq-ns\n"
		 "-------- -------- -------- -------------------------------- -------------------------------- ------------ ------------ ------------ --- ----- --- ------- -------------- ------------ ------------\n");
	text(m, all);
}

static void put_progress(struct image *m, u64 time, u64 calls)
{
	begin_part(m, KFI_RAW_PROGRESS);
	put(m, ORIGIN + time, 8);
	put(m, calls, 8);
	put(m, 0, 8);
	end_part(m);
}

/* 24 counts are a microsecond. */
static const struct kfi_rec first_cpu0[] = {
	{ .func = 0x200, .site = 0x140, .entry = 2400, .exit = 4800, .local = 2400, .pid = 1,
	  .depth = 3 },
	{ .func = 0x180, .site = 0x120, .entry = 2400, .exit = 9600, .local = 4800, .pid = 1,
	  .depth = 2 },
	/* Filtered by the reader. */
	{ .func = 0x200, .site = 0x140, .entry = 9700, .exit = 9702, .local = 2, .pid = 1,
	  .depth = 2 },
};
static const struct kfi_rec first_cpu1[] = {
	{ .func = 0x200, .site = 0x190, .entry = 4800, .exit = 7200, .local = 2400, .pid = 2,
	  .depth = 1 },
};
/* It was entered long before. */
static const struct kfi_rec second_cpu1[] = {
	{ .func = 0x200, .site = 0x190, .entry = 48000, .exit = 50400, .local = 2400, .pid = 2,
	  .depth = 2 },
	{ .func = 0x180, .site = 0x190, .entry = 1200, .exit = 72000, .local = 68400, .pid = 2,
	  .depth = 1 },
};
static const struct kfi_rec third_cpu0[] = {
	{ .func = 0x100040, .site = 0x190, .entry = 96000, .exit = 98400, .local = 2400, .pid = 1,
	  .depth = 2 },
};
static const struct kfi_event switched = {
	.kind = KFI_EVENT_SWITCH, .time = 96500, .pid = 1, .value = 2, .text = "worker", .len = 6,
};
static const struct kfi_raw_open opened = {
	.func = 0x100, .site = 0x10, .entry = 1000, .pid = 1, .depth = 1,
	.ctx = KFI_CTX_TASK, .marks = KFI_MARK_OPEN,
};

static void put_chunk(struct image *m, u32 cpu, u64 base, const struct kfi_rec *r, size_t n)
{
	chunk(m, ORIGIN + base, cpu);
	for (size_t i = 0; i < n; i++)
		call(m, ORIGIN + base, &r[i]);
	end_chunk(m);
}

/* Return: where the log can be cut and is still whole, until then. */
static size_t sample(struct image *m, bool big, u32 bits)
{
	size_t cut;

	*m = (struct image){ .swap = big, .bits = bits };
	head(m, 10, 10000000);
	put_text(m, false, false);
	put_chunk(m, 0, 0, first_cpu0, ARRAY_SIZE(first_cpu0));
	put_chunk(m, 1, 4000, first_cpu1, ARRAY_SIZE(first_cpu1));
	put_progress(m, 10000, 0);
	put_chunk(m, 1, 4000, second_cpu1, ARRAY_SIZE(second_cpu1));
	put_progress(m, 80000, 3);
	cut = m->len;
	/* A module has come. */
	put_text(m, true, false);
	chunk(m, ORIGIN + 90000, 0);
	event(m, &switched);
	for (size_t i = 0; i < ARRAY_SIZE(third_cpu0); i++)
		call(m, ORIGIN + 90000, &third_cpu0[i]);
	end_chunk(m);
	put_progress(m, 99000, 4);
	put_text(m, true, true);
	begin_part(m, KFI_RAW_OPEN);
	open_call(m, &opened);
	end_part(m);
	end(m, 8);
	return cut;
}

static int begin_log(struct kfi_log *log, const struct image *m, size_t len, bool follow)
{
	kfi_in_memory(&log->in, "pipe", m->data, len);
	kfi_log_start(log);
	log->follow = follow;
	return kfi_log_begin(log, &err);
}

/* The items of a log by their entries in microseconds, 'r' a row, 'm' a mark, 'h' a header. */
static const char *items(struct kfi_log *log)
{
	static char all[sizeof(err.text)];
	struct kfi_row row;
	int item, n = 0;

	*all = '\0';
	while ((item = kfi_log_item(log, &row, &err)) > 0) {
		char kind = item == KFI_LINE_ROW ? 'r' : item == KFI_LINE_MARK ? 'm' : 'h';
		s64 us = (kind == 'r' ? row.entry_ns : kind == 'm' ? log->mark.entry_ns : 0) / 1000;

		n += snprintf(all + n, sizeof(all) - n, "%s%c%lld", n ? " " : "", kind,
			      (long long)us);
	}
	if (item < 0)
		snprintf(all, sizeof(all), "%s", err.text);
	return all;
}

static void end_log(struct kfi_log *log)
{
	kfi_log_close(log);
}

static const char in_order[] = "r41 r50 r100 r100 r200 r2000 r4000 m4020";

static void to_the_end(void)
{
	for (int kind = 0; kind < 4; kind++) {
		struct kfi_log log;
		struct image m;

		sample(&m, kind & 1, kind & 2 ? 64 : 32);
		CHECK_EQ(begin_log(&log, &m, m.len, false), 0);
		CHECK(log.head.streamed && !log.head.running && log.head.has_stop);
		CHECK_EQ(log.head.id, 7);
		CHECK_EQ(log.head.overwritten, 4);
		CHECK_STR(items(&log), in_order);
		CHECK_EQ(log.rows, 7);
		CHECK_EQ(kfi_log_check(&log, &err), 0);
		end_log(&log);
	}
}

static void as_it_comes(void)
{
	for (int kind = 0; kind < 4; kind++) {
		struct kfi_log log;
		struct image m;

		sample(&m, kind & 1, kind & 2 ? 64 : 32);
		CHECK_EQ(begin_log(&log, &m, m.len, true), 0);
		CHECK(log.head.streamed && log.head.running && !log.head.has_rows);
		CHECK_STR(items(&log), "r100 r200 r100 r2000 r50 h0 m4020 r4000 h0 r41");
		CHECK(!log.head.running && log.head.has_stop && log.head.has_rows);
		CHECK_EQ(log.head.overwritten, 4);
		CHECK_EQ(log.rows, 7);
		CHECK_EQ(log.others, 1);
		CHECK_EQ(log.run, 0);
		if (!CHECK_EQ(kfi_log_check(&log, &err), 0))
			printf("# %s\n", err.text);
		end_log(&log);
	}
}

/* Where a look of the recorder is over a reader may stop. */
static void cut_between(void)
{
	struct kfi_log log;
	struct image m;
	size_t len = sample(&m, false, 64);

	for (int follow = 0; follow < 2; follow++) {
		CHECK_EQ(begin_log(&log, &m, len, follow), 0);
		CHECK_STR(items(&log), follow ? "r100 r200 r100 r2000 r50" :
						"r50 r100 r100 r200 r2000");
		CHECK(log.head.running && log.head.streamed);
		CHECK_EQ(log.head.overwritten, 3);
		CHECK_EQ(log.head.lost, 3);
		if (!CHECK_EQ(kfi_log_check(&log, &err), 0))
			printf("# %s\n", err.text);
		end_log(&log);
	}
}

/* Elsewhere it is a fault. Rows before the end are delivered wherever it is. */
static void cut_anywhere(void)
{
	struct image m;
	size_t cut = sample(&m, false, 64);
	u64 before[2] = { 0 };
	u32 whole = 0;

	for (size_t len = 9; len < m.len; len++)
		for (int follow = 0; follow < 2; follow++) {
			struct kfi_log log;

			if (begin_log(&log, &m, len, follow)) {
				CHECK(len < cut);
				end_log(&log);
				continue;
			}
			items(&log);
			CHECK(log.rows >= before[follow] && log.rows <= 7);
			before[follow] = log.rows;
			whole += kfi_log_check(&log, &err) == 0;
			end_log(&log);
		}
	/* Three looks, two readers. */
	CHECK_EQ(whole, 6);
	CHECK_EQ(before[0], 7);
	CHECK_EQ(before[1], 7);
}

/* Bytes come one by one: what is whole is delivered, and nothing twice. */
static void byte_by_byte(void)
{
	struct kfi_log log;
	struct image m;
	int fd[2];

	sample(&m, false, 64);
	if (!CHECK_EQ(pipe(fd), 0))
		return;
	if (!fork()) {
		for (size_t i = 0; i < m.len; i++)
			if (write(fd[1], m.data + i, 1) != 1)
				_exit(1);
		_exit(0);
	}
	close(fd[1]);
	dup2(fd[0], STDIN_FILENO);
	close(fd[0]);
	CHECK_EQ(kfi_in_open(&log.in, "-", &err), 0);
	log.in.live = true;
	kfi_log_start(&log);
	log.follow = true;
	CHECK_EQ(kfi_log_begin(&log, &err), 0);
	CHECK_STR(items(&log), "r100 r200 r100 r2000 r50 h0 m4020 r4000 h0 r41");
	CHECK_EQ(kfi_log_check(&log, &err), 0);
	end_log(&log);
}

/* An input that is stopped is over, however much would come. */
static void stopped(void)
{
	static const volatile sig_atomic_t stop = 1;
	struct kfi_log log;
	int fd[2];

	if (!CHECK_EQ(pipe(fd), 0))
		return;
	dup2(fd[0], STDIN_FILENO);
	CHECK_EQ(kfi_in_open(&log.in, "-", &err), 0);
	log.in.stop = &stop;
	kfi_log_start(&log);
	log.follow = true;
	CHECK_EQ(kfi_log_begin(&log, &err), -EINVAL);
	end_log(&log);
	close(fd[0]);
	close(fd[1]);
}

static void refused(void)
{
	static const char line[] = "Kernel Instrumentation Run ID 0\n";
	struct kfi_log log;

	kfi_in_memory(&log.in, "text", line, strlen(line));
	kfi_log_start(&log);
	log.follow = true;
	CHECK_EQ(kfi_log_begin(&log, &err), -EINVAL);
	CHECK_STR(err.text, "text: not a raw log: only what comes from /proc/kfi_pipe can be followed");
	end_log(&log);
}

/* Bytes are changed one by one: nothing is read outside of what is there. */
static void damage(void)
{
	static const u8 flips[] = { 0x01, 0x80, 0xff };
	struct image m, bad;

	sample(&m, false, 64);
	for (size_t i = 8; i < m.len; i++)
		for (int v = 0; v < 3; v++) {
			struct kfi_log log;

			bad = m;
			bad.data[i] ^= flips[v];
			if (!begin_log(&log, &bad, bad.len, true)) {
				items(&log);
				kfi_log_check(&log, &err);
			}
			end_log(&log);
		}
}

static void no_memory(void)
{
	struct image m;

	sample(&m, false, 64);
	for (int n = 0; n < 8; n++) {
		struct kfi_log log;

		check_fail_alloc(n);
		if (!begin_log(&log, &m, m.len, true))
			items(&log);
		check_fail_alloc(-1);
		end_log(&log);
	}
}

static void golden(const char *name, const u8 *data, size_t len)
{
	const char *dir = getenv("KFI_WRITE");
	char path[256];
	u8 was[16384];
	size_t n;
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir ? dir : "data", name);
	f = fopen(path, dir ? "w" : "r");
	if (!CHECK(f != NULL))
		return;
	if (dir) {
		CHECK_EQ(fwrite(data, 1, len, f), len);
	} else {
		n = fread(was, 1, sizeof(was), f);
		CHECK(n == len && memcmp(was, data, len) == 0);
	}
	fclose(f);
}

static void goldens(void)
{
	struct image m;
	size_t cut = sample(&m, false, 64);

	golden("pipe.raw", m.data, m.len);
	golden("pipe_cut.raw", m.data, cut);
}

static const struct check_case cases[] = {
	{ "a stream as any raw log", to_the_end },
	{ "a stream as it comes", as_it_comes },
	{ "cut where a look is over", cut_between },
	{ "cut anywhere", cut_anywhere },
	{ "bytes that come one by one", byte_by_byte },
	{ "an input that is stopped", stopped },
	{ "what cannot be followed", refused },
	{ "damage", damage },
	{ "no memory", no_memory },
	{ "the samples in tests/data", goldens },
};

CHECK_MAIN(cases)
