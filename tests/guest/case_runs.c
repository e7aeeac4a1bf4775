// SPDX-License-Identifier: GPL-2.0
/*
 * case_runs.c - runs that repeat, and several runs one after the other
 *
 * Of each log the accounting must hold as of any other: that is tl_check()'s.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

#define MAX_LOGS	8
#define LOG_BEGIN	"\nKernel Instrumentation Run ID "

/* All logs of /proc/kfi_trace, each judged. Return: how many, or -1 with a reason. */
static int read_logs(struct tracelog *log)
{
	char *text = read_whole_file("/proc/kfi_trace", 0), *at, *next, why[200];
	int n = 0;

	if (!text) {
		because(FAIL, "/proc/kfi_trace: %s", strerror(errno));
		return -1;
	}
	for (at = strstr(text, LOG_BEGIN); at && n < MAX_LOGS; at = next) {
		char *one;

		next = strstr(at + 1, LOG_BEGIN);
		one = next ? strndup(at, next - at) : strdup(at);
		if (tl_parse(&log[n], one, why, sizeof(why))) {
			because(FAIL, "log %d: %s", n, why);
			return -1;
		}
		if (tl_check(&log[n], stderr)) {
			because(FAIL, "log %d is wrong: see the console", n);
			return -1;
		}
		n++;
	}
	free(text);
	return n;
}

static enum outcome read_n_logs(struct tracelog *log, int want)
{
	int n = read_logs(log);

	if (n < 0)
		return FAIL;
	WANT_EQ(n, want);
	return PASS;
}

static bool status_has(const char *words)
{
	char *text = read_whole_file("/proc/kfi", 0);
	bool yes = text && strstr(text, words);

	free(text);
	return yes;
}

static enum outcome write_and_prime(const char *text)
{
	WANT_EQ(kfi_write(text), 0);
	WANT_EQ(kfi_write("prime"), 0);
	return PASS;
}

/* ---- autorepeat ---- */

static enum outcome repeats(void)
{
	struct tracelog log;
	long long end_us = 0;	/* of the round before the last one */
	long last = -1, i = -1;

	TRY(arm_run("autorepeat trigger start entry vfs_mkdir trigger stop exit vfs_mkdir\n"
		    "filter noints"));
	for (int n = 0; n < 5; n++) {
		WANT(make_dir());
		WANT(remove_dir());
		WANT(kfi_state_is("primed"));
		WANT(!kfi_state_is("triggered"));
		WANT(!kfi_state_is("complete"));
	}
	WANT(status_has("\nrounds 5\n"));
	WANT(status_has("  autorepeat\n"));
	WANT(status_has("trigger was not seen again yet"));
	WANT_EQ(kfi_write("stop"), 0);
	WANT(kfi_state_is("complete"));
	WANT(kfi_write("stop") < 0);
	TRY(wait_and_read_log(&log));
	WANT_EQ(tl_num(&log, "Rounds"), 5);
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 5);
	WANT_EQ(count_rows(&log, "ramfs_mkdir"), 5);
	/* What is called between two rounds is filtered. */
	WANT_EQ(count_rows(&log, "vfs_rmdir"), 0);
	WANT(tl_num(&log, "Between rounds filter count") > 5);
	WANT(strstr(log.started, hex(symbol("vfs_mkdir"))));
	WANT(strstr(log.stopped, "by user action"));
	/* What comes before the first call is of other tasks, or of interrupts. */
	WANT(tl_first_call(&log, hex(symbol("vfs_mkdir"))) >= 0);
	/* Each round begins with its own call. After the first one its callers are seen, too. */
	while ((i = tl_find(&log, hex(symbol("vfs_mkdir")), i + 1)) >= 0) {
		WANT(last < 0 ? log.rows[i].depth == 1 : log.rows[i].depth > 1);
		if (last >= 0)
			end_us = (log.rows[last].entry_ns + log.rows[last].delta_ns) / 1000;
		last = i;
	}
	WANT(tl_num(&log, "Last round began") >= end_us);
	/* Where an interrupt is recorded after a round has begun, and before its first call. */
	if (tl_num(&log, "Last round began") < (long long)log.rows[last].entry_us)
		return because(DISTURBED, "an interrupt came at the beginning of the last round");
	WANT_EQ(tl_num(&log, "Last round began"), log.rows[last].entry_us);
	/* It begins anew from nothing. */
	WANT_EQ(kfi_write("prime"), 0);
	WANT(make_dir());
	WANT(remove_dir());
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	WANT_EQ(tl_num(&log, "Rounds"), 1);
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	return PASS;
}

/* A round is over within a call: that call is kept; what it calls after that is not. */
static enum outcome stop_within_a_call(void)
{
	struct tracelog log;
	long i = -1;

	TRY(arm_run("autorepeat trigger start entry vfs_mkdir trigger stop entry ramfs_mkdir\n"
		    "filter noints"));
	for (int n = 0; n < 4; n++) {
		WANT(make_dir());
		WANT(remove_dir());
	}
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	WANT_EQ(tl_num(&log, "Rounds"), 4);
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 4);
	WANT_EQ(count_rows(&log, "ramfs_mkdir"), 0);
	while ((i = tl_find(&log, hex(symbol("vfs_mkdir")), i + 1)) >= 0)
		WANT(!log.rows[i].marks && log.rows[i].delta_ns > 0);
	return PASS;
}

/* From one call of a function to the next: no call of it is missed. */
static enum outcome round_to_round(void)
{
	struct tracelog log;

	TRY(arm_run("autorepeat trigger start entry vfs_mkdir trigger stop entry vfs_mkdir\n"
		    "filter noints filter funclist vfs_mkdir vfs_rmdir"));
	for (int n = 0; n < 6; n++) {
		WANT(make_dir());
		WANT(remove_dir());
	}
	WANT(kfi_state_is("triggered"));
	WANT_EQ(kfi_write("new begin end"), -EBUSY);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	WANT_EQ(tl_num(&log, "Rounds"), 6);
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 6);
	WANT_EQ(count_rows(&log, "vfs_rmdir"), 6);
	return PASS;
}

static enum outcome stop_time_and_full(void)
{
	struct tracelog log;
	char items[200];

	TRY(arm_run("autorepeat trigger start entry vfs_mkdir trigger stop time 20ms"));
	for (int n = 0; n < 3; n++) {
		WANT(make_dir());
		WANT(remove_dir());
		sleep_ms(100);
		WANT(kfi_state_is("primed"));
		WANT(!kfi_state_is("triggered"));
	}
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	WANT_EQ(tl_num(&log, "Rounds"), 3);
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 3);
	tl_free(&log);
	/* A log that is full is the end. */
	snprintf(items, sizeof(items), "autorepeat logentries 300\n"
		 "filter funclist vfs_mkdir ramfs_mkdir fend filter pid %d filter noints\n"
		 "trigger start entry vfs_mkdir trigger stop exit vfs_mkdir", (int)getpid());
	TRY(arm_run(items));
	for (int n = 0; n < 500 && !kfi_state_is("complete"); n++) {
		WANT(make_dir());
		WANT(remove_dir());
	}
	TRY(wait_and_read_log(&log));
	WANT(strstr(log.stopped, "by log full"));
	WANT(tl_num(&log, "Rounds") > 1);
	return PASS;
}

/* ---- several runs ---- */

/* A run is armed soon after the one before it is complete. */
static const char *awaited_run;

static bool is_awaited_run_armed(void)
{
	return status_has(awaited_run) && kfi_state_is("primed");
}

static bool wait_run_armed(const char *turn)
{
	awaited_run = turn;
	return wait_until(is_awaited_run_armed);
}

static enum outcome three_runs(void)
{
	struct tracelog log[MAX_LOGS];
	int id;
	long i;

	TRY(write_and_prime("new begin trigger start entry vfs_mkdir trigger stop entry vfs_rmdir\n"
			    "filter noints end\n"
			    "begin trigger start entry vfs_rmdir trigger stop exit vfs_rmdir end\n"
			    "new begin trigger start exit vfs_mkdir trigger stop exit vfs_rmdir\n"
			    "filter funclist vfs_rmdir logentries 500 end"));
	id = kfi_run_id();
	WANT(status_has("\nrun 1 of 3\n"));
	WANT(make_dir());
	WANT(kfi_state_is("triggered"));
	/* The call that stops the first run is in none. */
	WANT(remove_dir());
	WANT(wait_run_armed("\nrun 2 of 3\n"));
	WANT(!kfi_state_is("triggered"));
	WANT_EQ(kfi_run_id(), id + 1);
	TRY(read_n_logs(log, 1));
	WANT(make_dir());
	WANT(remove_dir());
	WANT(wait_run_armed("\nrun 3 of 3\n"));
	WANT_EQ(kfi_run_id(), id + 2);
	TRY(read_n_logs(log, 2));
	/* What happened before it was armed is not recorded, and it says for how long. */
	WANT(tl_num(&log[0], "Gap before") < 0);
	WANT(tl_num(&log[1], "Gap before") > 0);
	WANT(tl_first_call(&log[0], hex(symbol("vfs_mkdir"))) >= 0);
	WANT_EQ(count_rows(&log[0], "vfs_rmdir"), 0);
	WANT(strstr(log[0].stopped, hex(symbol("vfs_rmdir"))));
	i = tl_first_call(&log[1], hex(symbol("vfs_rmdir")));
	WANT(i >= 0);
	WANT_EQ(count_rows(&log[1], "vfs_rmdir"), 1);
	WANT_EQ(count_rows(&log[1], "vfs_mkdir"), 0);
	WANT(make_dir());
	WANT(kfi_state_is("triggered"));
	WANT(remove_dir());
	WANT(kfi_state_is("complete"));
	TRY(read_n_logs(log, 3));
	WANT_EQ(count_rows(&log[0], "vfs_rmdir"), 0);
	WANT_EQ(log[2].nr_rows, 1);
	WANT(strstr(log[2].started, hex(symbol("vfs_mkdir"))));
	/* All of them begin anew. */
	WANT_EQ(kfi_write("prime"), 0);
	WANT(status_has("\nrun 1 of 3\n"));
	WANT_EQ(kfi_run_id(), id + 3);
	return PASS;
}

static enum outcome run_commands(void)
{
	WANT_EQ(kfi_write("new begin end begin end begin trigger start entry vfs_mkdir end"), 0);
	WANT(!kfi_state_is("primed"));
	WANT_EQ(kfi_write("start"), 0);
	WANT(make_dir());
	/* `stop` ends the current run and arms the next. */
	WANT_EQ(kfi_write("stop"), 0);
	WANT(status_has("\nrun 2 of 3\n"));
	WANT(kfi_state_is("primed"));
	WANT(!kfi_state_is("triggered"));
	WANT_EQ(kfi_write("prime"), -EBUSY);
	WANT_EQ(kfi_write("start"), 0);
	WANT_EQ(kfi_write("start"), -EBUSY);
	WANT(remove_dir());
	WANT_EQ(kfi_write("stop"), 0);
	/* A run that has not begun is passed over, and a wrong block refuses them all. */
	WANT(status_has("\nrun 3 of 3\n"));
	WANT_EQ(kfi_write("new begin end begin logentries 0 end"), -EINVAL);
	WANT(status_has("\nrun 3 of 3\n"));
	WANT_EQ(kfi_write("stop"), 0);
	WANT(kfi_state_is("complete"));
	WANT_EQ(kfi_write("stop"), -EBUSY);
	WANT(status_has("stopped by user action before the start trigger was seen"));
	return PASS;
}

/* While a run waits for its trigger new ones may replace it; while one is recorded not. */
static enum outcome replaced(void)
{
	struct tracelog log[MAX_LOGS];
	int id;

	TRY(write_and_prime("new begin trigger start entry vfs_mkdir trigger stop exit vfs_mkdir end "
			    "begin trigger start entry vfs_rmdir end"));
	id = kfi_run_id();
	WANT(make_dir());
	WANT_EQ(kfi_run_id(), id + 1);
	/* Whether the second one is armed yet or not. */
	TRY(write_and_prime("new begin trigger start entry vfs_rmdir end begin end"));
	WANT_EQ(kfi_run_id(), id + 2);
	WANT(remove_dir());
	WANT(kfi_state_is("triggered"));
	WANT_EQ(kfi_write("new begin end"), -EBUSY);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(read_n_logs(log, 1));
	WANT(tl_first_call(&log[0], hex(symbol("vfs_rmdir"))) >= 0);
	return PASS;
}

/* ---- under load ---- */

static void fork_until_sigterm(void)
{
	catch_sigterm();
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	while (!sigterm_received()) {
		pid_t pid = fork();

		if (!pid) {
			for (int i = 0; i < 20; i++)
				free(read_whole_file("/proc/self/stat", 0));
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
	_exit(0);
}

/* Three processes that fork until the caller kills the one returned, or dies. */
static pid_t start_load(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 0; i < 3; i++)
		if (!fork())
			fork_until_sigterm();
	for (;;)
		pause();
}

static long rounds_wanted;

static bool enough_rounds(void)
{
	char *text = read_whole_file("/proc/kfi", 0), *at = text ? strstr(text, "\nrounds ") : NULL;
	long rounds = at ? atol(at + strlen("\nrounds ")) : 0;

	free(text);
	return rounds > rounds_wanted;
}

/*
 * Thousands of rounds on all cpus, begun and ended by whatever task comes by, or by interrupts,
 * with one run read while the next is recorded.
 */
static enum outcome under_load(void)
{
	static const char form[] =
		"new begin autorepeat trigger start entry vfs_read trigger stop entry vfs_read\n"
		"filter mintime %d logentries 200000 end\n"
		"begin autorepeat trigger start exit vfs_read trigger stop exit vfs_open\n"
		"filter mintime %d logentries 200000 end\n"
		"begin autorepeat trigger start entry update_process_times\n"
		"trigger stop exit update_process_times filter onlyints overwrite logentries 5000 end\n"
		"begin trigger stop time 300ms filter mintime %d end";
	/* Longer in a slow kernel, whose logs would be long else, and read often. */
	int mintime = scale_timeout(1000);
	struct tracelog log[MAX_LOGS];
	char text[700];
	pid_t pid;
	int n;

	if (time_is_exact())
		return because(SKIP, "needs cpus that run at once");
	snprintf(text, sizeof(text), form, mintime, mintime, mintime);
	for (int turn = 0; turn < 2; turn++) {
		if (turn)
			WANT_EQ(kfi_write("prime"), 0);
		else
			TRY(write_and_prime(text));
		pid = start_load();
		for (int i = 0; i < 3; i++) {
			rounds_wanted = i == 2 ? 50 : 500;
			WANT(wait_until(enough_rounds));
			kfi_write("stop");
			n = read_logs(log);
			if (n < 0)
				return FAIL;
			/* The last one may be a snapshot of the run that is recorded. */
			WANT(n == i + 1 || n == i + 2);
			WANT(tl_num(&log[i], "Rounds") > (i == 2 ? 20 : 100));
			WANT(tl_num(&log[i], "Calls seen") > 100);
			for (int j = 0; j < n; j++)
				tl_free(&log[j]);
		}
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		WANT_EQ(kfi_write("start"), 0);
		WANT(wait_state("complete"));
		TRY(read_n_logs(log, 4));
		WANT(log[2].nr_rows > 100 && log[3].nr_rows > 0);
		for (int j = 0; j < 4; j++)
			tl_free(&log[j]);
	}
	return PASS;
}

/* A log takes at most three quarters of the memory. Other pages change the numbers a little. */
static enum outcome leave_memory(void)
{
	const char *small = "new begin logentries 100 end";
	char text[80];

	for (int n = 16 << 20; n > 100000; n -= n / 8) {
		long long before, after;

		WANT_EQ(kfi_write(small), 0);
		before = meminfo_kb("MemAvailable");
		WANT(before > 0);
		snprintf(text, sizeof(text), "new begin logentries %d end", n);
		WANT_EQ(kfi_write(text), 0);
		after = meminfo_kb("MemAvailable");
		if (after < before / 5)
			return because(FAIL, "logentries %d left %lld of %lld KiB", n, after,
				       before);
	}
	WANT_EQ(kfi_write(small), 0);
	return PASS;
}

const struct guest_case runs_cases[] = {
	{ "runs_repeat", repeats },
	{ "runs_within_a_call", stop_within_a_call },
	{ "runs_round_to_round", round_to_round },
	{ "runs_stop_time_and_full", stop_time_and_full },
	{ "runs_three", three_runs },
	{ "runs_commands", run_commands },
	{ "runs_replaced", replaced },
	{ "runs_under_load", under_load },
	{ "runs_leave_memory", leave_memory },
	{ NULL, NULL },
};
