// SPDX-License-Identifier: GPL-2.0
/*
 * case_time.c - where the time of a call went: its own, its calls', switched out, in interrupts
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

/* Rounding down costs a row less than this. */
#define SLACK_NS(rows)	((int64_t)(rows) * 2 + 10)

static const char *sleep_function(void)
{
	return symbol("hrtimer_nanosleep") ? "hrtimer_nanosleep" : "common_nsleep";
}

/* A known sleep is time switched out, and almost no time of the call's own. */
static enum outcome off_cpu(void)
{
	struct tracelog log;
	char items[200];
	const struct tl_row *r;
	long i;

	snprintf(items, sizeof(items), "trigger start entry %s\ntrigger stop exit %s\n"
		 "filter funclist %s fend", sleep_function(), sleep_function(), sleep_function());
	TRY(arm_run(items));
	sleep_ms(100);
	TRY(wait_and_read_log(&log));
	i = tl_find(&log, hex(symbol(sleep_function())), 0);
	WANT(i >= 0);
	r = &log.rows[i];
	WANT(r->delta_ns >= 100000000);
	WANT(r->off_ns > 0 && r->local_ns <= r->delta_ns - r->off_ns);
	if (!time_is_exact())
		return PASS;
	if (r->off_ns < 95000000)
		return because(FAIL, "slept 100 ms, but off-cpu only %lld ns of %lld",
			       (long long)r->off_ns, (long long)r->delta_ns);
	WANT(r->delta_ns - r->off_ns - r->irq_ns < r->delta_ns / 10);
	return PASS;
}

/* One fork: all local times below its root add up to what the root ran. */
static enum outcome check_one_fork(void)
{
	int64_t local = 0, ran;
	const struct tl_row *root;
	struct tracelog log;
	size_t rows = 0;
	long at = -1;

	if (!fork())
		_exit(0);
	wait(NULL);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	/* Another task may have forked, too. */
	do {
		at = tl_find(&log, hex(symbol("kernel_clone")), at + 1);
		WANT(at >= 0);
		root = &log.rows[at];
	} while (root->task != getpid());
	WANT(root->delta_ns > 0);
	TRY(lost_nothing(&log, NULL));
	for (size_t i = 0; i < log.nr_rows; i++) {
		const struct tl_row *r = &log.rows[i];

		if (r->task != root->task || r->ctx != 't' || r->delta_ns < 0 ||
		    r->entry_ns < root->entry_ns ||
		    r->entry_ns + r->delta_ns > root->entry_ns + root->delta_ns)
			continue;
		local += r->local_ns;
		rows++;
	}
	ran = root->delta_ns - root->off_ns - root->irq_ns;
	WANT(rows > 50);
	if (local > ran + SLACK_NS(rows) || local < ran - SLACK_NS(rows))
		return because(FAIL, "%zu local times make %lld ns, but the root ran %lld of %lld",
			       rows, (long long)local, (long long)ran, (long long)root->delta_ns);
	tl_free(&log);
	return PASS;
}

/* Again and again, until interrupts and switches have come in all places. */
static enum outcome locals_add_up(void)
{
	char items[120];

	snprintf(items, sizeof(items), "trigger start entry kernel_clone\nlogentries %d",
		 scale_timeout(200000));
	TRY(arm_run(items));
	for (int i = 0; i < 20; i++) {
		if (i)
			WANT_EQ(kfi_write("prime"), 0);
		TRY(check_one_fork());
	}
	return PASS;
}

/* What interrupts took from a busy task is in Irq-ns, and as much as their outermost calls took. */
static enum outcome interrupts(void)
{
	struct tracelog log;
	size_t i, hit = 0;

	TRY(arm_run("trigger start entry vfs_mkdir\ntrigger stop time 300000\nlogentries 400000"));
	for (i = 0; i < 2000 && !kfi_state_is("complete"); i++) {
		make_dir();
		remove_dir();
	}
	TRY(wait_and_read_log(&log));
	for (i = 0; i < log.nr_rows; i++) {
		const struct tl_row *r = &log.rows[i];

		if (r->ctx == 't' && r->irq_ns > 0)
			hit++;
		/* An interrupt is not interrupted by what it calls itself. */
		if (r->ctx == 'h')
			WANT(r->irq_ns <= r->delta_ns && r->off_ns <= 0);
	}
	WANT(hit > 0);
	return PASS;
}

const struct guest_case time_cases[] = {
	{ "time_off_cpu", off_cpu },
	{ "time_locals_add_up", locals_add_up },
	{ "time_interrupts", interrupts },
	{ NULL, NULL },
};
