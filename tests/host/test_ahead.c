// SPDX-License-Identifier: GPL-2.0
/* tools/lib/ahead: what the thread reads is what would be read without it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ahead.h"
#include "check.h"

#define CALLS	3000

static char path[] = "/tmp/kfi-test-ahead-XXXXXX";

/* Three runs: calls with marks and a bad line among them, a profile, calls. */
static bool make_file(void)
{
	int fd = mkstemp(path);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

	if (!CHECK(f))
		return false;
	for (int run = 0; run < 3; run++) {
		fprintf(f, "Kernel Instrumentation Run ID %d\n\n", run);
		if (run == 1) {
			fprintf(f, " Function Count Total-ns Local-ns Min-ns Max-ns Off-ns Irq-ns Untimed\n"
				"-------- -------- -------- -------- ---------\n");
			for (int i = 0; i < 700; i++)
				fprintf(f, "func%d 1 2 2 2 2 0 0 %d\n", i, i);
			continue;
		}
		fprintf(f, "Number of entries after filters = %d\n\n Entry    Delta     PID     Function   "
			"Caller  Entry-ns\n-------- --------\n", CALLS);
		for (int i = 0; i < CALLS; i++) {
			fprintf(f, "%8d %8d %8d %-32s %-32s %12d %12d %12d %3d %5u   %c %7d -\n", i, 1, i % 9,
				i % 7 ? "one_name" : "another_name", "caller+0x10", i * 1000, 1000,
				500, i % 2, 1, 't', i % 9);
			if (i % 400 == 3)
				fprintf(f, "# %d %d 0 7 t mark number %d\n", i, i * 1000, i);
			if (i == 1234)
				fprintf(f, "no row at all\n");
		}
	}
	return CHECK_EQ(fclose(f), 0);
}

static bool same(struct kfi_str a, struct kfi_str b)
{
	return a.len == b.len && memcmp(a.s, b.s, a.len) == 0;
}

static bool same_item(int item, const struct kfi_log *p, const struct kfi_row *a,
		      const struct kfi_log *q, const struct kfi_row *b)
{
	if (item == KFI_LINE_ROW)
		return a->entry_ns == b->entry_ns && a->pid == b->pid && a->cpu == b->cpu &&
		       same(a->func, b->func) && same(a->caller, b->caller);
	if (item == KFI_LINE_MARK)
		return p->mark.entry_ns == q->mark.entry_ns && same(p->mark.text, q->mark.text) &&
		       same(p->mark.kind, q->mark.kind);
	if (item == KFI_LINE_SUMS)
		return p->sums.untimed == q->sums.untimed && same(p->sums.func, q->sums.func);
	return p->head.id == q->head.id && p->run == q->run && p->rows == q->rows &&
	       p->bad == q->bad && p->in.line == q->in.line;
}

static void all_items(void)
{
	struct kfi_row a, b;
	struct kfi_log p, q;
	struct kfi_err err;
	struct kfi_ahead *ahead;
	int item, marks = 0, sums = 0, runs = 0;

	if (!CHECK_EQ(kfi_log_open(&p, path, &err), 0) || !CHECK_EQ(kfi_log_open(&q, path, &err), 0))
		return;
	ahead = kfi_ahead_start(&q);
	if (!CHECK(ahead))
		goto out;
	do {
		item = kfi_log_item(&p, &a, &err);
		if (!CHECK_EQ(kfi_ahead_item(ahead, &b, &err), item) ||
		    !CHECK(same_item(item, &p, &a, &q, &b)))
			break;
		marks += item == KFI_LINE_MARK;
		sums += item == KFI_LINE_SUMS;
		runs += item == KFI_LINE_RULE;
	} while (item > 0);
	CHECK_EQ(marks, 16);
	CHECK_EQ(sums, 700);
	CHECK_EQ(runs, 2);
	CHECK_EQ(q.bad, 2);
	CHECK_EQ(kfi_ahead_item(ahead, &b, &err), 0);
	kfi_ahead_stop(ahead);
out:
	kfi_log_close(&p);
	kfi_log_close(&q);
}

/* The same, some rows at once, as many as there may be. */
static void some_at_once(void)
{
	struct kfi_log p, q;
	struct kfi_row a, b, *rows;
	struct kfi_err err;
	struct kfi_ahead *ahead;
	int item = 1;
	u32 at_once = 0;

	if (!CHECK_EQ(kfi_log_open(&p, path, &err), 0) || !CHECK_EQ(kfi_log_open(&q, path, &err), 0))
		return;
	ahead = kfi_ahead_start(&q);
	while (CHECK(ahead) && item > 0) {
		u32 n = kfi_ahead_rows(ahead, &rows, 7);

		CHECK(n <= 7);
		at_once += n;
		for (u32 i = 0; i < n; i++) {
			CHECK_EQ(kfi_log_item(&p, &a, &err), KFI_LINE_ROW);
			CHECK(same_item(KFI_LINE_ROW, &p, &a, &q, &rows[i]));
		}
		if (n)
			continue;
		item = kfi_log_item(&p, &a, &err);
		if (!CHECK_EQ(kfi_ahead_item(ahead, &b, &err), item) ||
		    !CHECK(same_item(item, &p, &a, &q, &b)))
			break;
	}
	CHECK(at_once > CALLS);
	kfi_ahead_stop(ahead);
	kfi_log_close(&p);
	kfi_log_close(&q);
}

static void stopped(void)
{
	for (int n = 0; n < 5000; n = 3 * n + 1) {
		struct kfi_ahead *ahead;
		struct kfi_log log;
		struct kfi_err err;
		struct kfi_row row;

		if (!CHECK_EQ(kfi_log_open(&log, path, &err), 0))
			return;
		ahead = kfi_ahead_start(&log);
		for (int i = 0; ahead && i < n; i++)
			kfi_ahead_item(ahead, &row, &err);
		kfi_ahead_stop(ahead);
		kfi_log_close(&log);
	}
}

static void begin(void)
{
	make_file();
}

static void end(void)
{
	CHECK_EQ(unlink(path), 0);
}

static const struct check_case cases[] = {
	{ "a file is made", begin },
	{ "items are those that would be read without a thread", all_items },
	{ "rows that come some at once are the same", some_at_once },
	{ "a thread is stopped before its end", stopped },
	{ "the file is removed", end },
};

CHECK_MAIN(cases)
