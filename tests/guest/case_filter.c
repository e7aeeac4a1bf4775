// SPDX-License-Identifier: GPL-2.0
/*
 * case_filter.c - each filter, and the log that gets full
 *
 * Every log goes through tl_check(), so that the accounting is checked with each of them.
 */
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "guest.h"

static long long now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

/* How long make_dir() took in record_work(), by this process's own clock. */
static long long mkdir_ns;

/* From `start` to `stop`, with something of every kind in between. */
static enum outcome record_work(const char *items, struct tracelog *log)
{
	char text[1000];
	int ret;

	snprintf(text, sizeof(text), "new begin %s end", items);
	ret = kfi_write(text);
	if (ret)
		return because(FAIL, "refused with errno %d: %s", -ret, items);
	WANT_EQ(kfi_write("start"), 0);
	mkdir_ns = -now_ns();
	make_dir();
	mkdir_ns += now_ns();
	sleep_ms(30);
	spin_ms(60);
	remove_dir();
	/* It may be full, hence complete, by itself. */
	WANT(!kfi_write("stop") || kfi_state_is("complete"));
	return wait_and_read_log(log);
}

static enum outcome none(void)
{
	struct tracelog log;

	TRY(record_work("logentries 200000", &log));
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	WANT_EQ(tl_num(&log, "Total entries filtered"), 0);
	WANT(tl_num(&log, "Execution time filter count") <= 0);
	return PASS;
}

/* A call is as short as it should be if the host does not stop the guest in it. */
static enum outcome check_mkdir_short(void)
{
	if (mkdir_ns >= 20000000)
		return because(DISTURBED, "mkdir() took %lld ns", mkdir_ns);
	return PASS;
}

static enum outcome mintime(void)
{
	struct tracelog log;
	bool slept = false;

	TRY(record_work("filter mintime 20000", &log));
	TRY(check_mkdir_short());
	for (size_t i = 0; i < log.nr_rows; i++) {
		WANT(log.rows[i].delta_ns >= 20000000 || log.rows[i].marks == TL_OPEN);
		slept |= log.rows[i].pid == getpid() && log.rows[i].delta_ns > 0;
	}
	WANT(slept);
	TRY(lost_nothing(&log, NULL));
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 0);
	WANT(tl_num(&log, "Execution time filter count") > 10);
	return PASS;
}

static enum outcome maxtime(void)
{
	struct tracelog log;

	TRY(record_work("filter maxtime 20000 logentries 200000", &log));
	TRY(check_mkdir_short());
	for (size_t i = 0; i < log.nr_rows; i++)
		WANT(log.rows[i].delta_ns < 20001000);	/* limits are whole microseconds */
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	/* At least the sleep of 30 ms. */
	WANT(tl_num(&log, "Execution time filter count") > 0);
	return PASS;
}

/* Sleeps of 30 ms lie between the limits, one of 300 ms and what takes no time do not. */
static enum outcome min_and_max(void)
{
	long long shortest = -1;
	struct tracelog log;
	long kept = 0;

	TRY(arm_run("filter mintime 10000\nfilter maxtime 200000"));
	WANT_EQ(kfi_write("start"), 0);
	make_dir();
	remove_dir();
	sleep_ms(300);
	for (int i = 0; i < 3; i++) {
		long long ns = -now_ns();

		sleep_ms(30);
		ns += now_ns();
		if (shortest < 0 || ns < shortest)
			shortest = ns;
	}
	WANT_EQ(kfi_write("stop"), 0);
	if (shortest >= 200000000)
		return because(DISTURBED, "a sleep of 30 ms took %lld ns", shortest);
	TRY(wait_and_read_log(&log));
	for (size_t i = 0; i < log.nr_rows; i++) {
		const struct tl_row *r = &log.rows[i];

		WANT(r->delta_us == -1 || (r->delta_ns >= 10000000 && r->delta_ns < 200001000));
		kept += r->task == getpid() && r->delta_ns >= 30000000;
	}
	WANT(kept > 0);
	WANT(tl_num(&log, "Execution time filter count") > 10);
	return PASS;
}

static enum outcome noints(void)
{
	struct tracelog log;

	TRY(record_work("filter noints logentries 200000", &log));
	for (size_t i = 0; i < log.nr_rows; i++)
		WANT(log.rows[i].ctx == 't');
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	/* 60 ms of a busy processor hold some timer interrupts. */
	WANT(tl_num(&log, "No Interrupt functions filter count") > 5);
	return PASS;
}

static enum outcome onlyints(void)
{
	struct tracelog log;

	TRY(record_work("filter onlyints logentries 200000", &log));
	WANT(log.nr_rows > 5);
	for (size_t i = 0; i < log.nr_rows; i++) {
		WANT(log.rows[i].ctx != 't');
		WANT_EQ(log.rows[i].pid, -1);
	}
	WANT(tl_num(&log, "Only Interrupt functions filter count") > 5);
	return PASS;
}

static enum outcome funclist(void)
{
	struct tracelog log;

	TRY(record_work("filter funclist vfs_mkdir ramfs_mkdir fend", &log));
	WANT_EQ(log.nr_rows, 2);
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	WANT_EQ(count_rows(&log, "ramfs_mkdir"), 1);
	WANT(log.rows[1].depth > log.rows[0].depth);
	WANT(tl_num(&log, "Function List filter count") > 10);
	return PASS;
}

/* Depth counts from the calls that were entered first after the start. */
static enum outcome depth(void)
{
	struct tracelog log;

	TRY(record_work("filter depth 2 logentries 200000", &log));
	for (size_t i = 0; i < log.nr_rows; i++)
		WANT(log.rows[i].depth <= 2);
	/* mkdir() and the like are too deep, the system calls that call them are not. */
	WANT(log.nr_rows > 5);
	WANT_EQ(count_rows(&log, "ramfs_mkdir"), 0);
	WANT(tl_num(&log, "Depth filter count") > 10);
	return PASS;
}

static enum outcome pid(void)
{
	struct tracelog log;
	char items[80];

	snprintf(items, sizeof(items), "filter pid %d logentries 200000", (int)getpid());
	TRY(record_work(items, &log));
	for (size_t i = 0; i < log.nr_rows; i++)
		WANT_EQ(log.rows[i].task, getpid());
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	WANT(tl_num(&log, "Pid filter count") > 0);
	return PASS;
}

/* Make a directory in a child of a child. */
static pid_t make_dir_in_grandchild(void)
{
	int status, ends[2];
	pid_t pid = 0;

	if (pipe(ends))
		return -1;
	if (!fork()) {
		pid = fork();
		if (!pid) {
			make_dir();
			remove_dir();
			_exit(0);
		}
		waitpid(pid, &status, 0);
		_exit(write(ends[1], &pid, sizeof(pid)) != sizeof(pid));
	}
	if (read(ends[0], &pid, sizeof(pid)) != sizeof(pid))
		pid = -1;
	wait(&status);
	close(ends[0]);
	close(ends[1]);
	return pid;
}

/* Record this task, perhaps with its children, while it and others make directories. */
static enum outcome record_children(const char *follow, struct tracelog *log, pid_t *grandchild)
{
	pid_t other;
	char text[120];

	other = fork();
	if (!other) {
		raise(SIGSTOP);
		make_dir();
		remove_dir();
		_exit(0);
	}
	waitpid(other, NULL, WUNTRACED);
	snprintf(text, sizeof(text), "new begin filter pid %d %s logentries 400000 end", getpid(),
		 follow);
	WANT_EQ(kfi_write(text), 0);
	WANT_EQ(kfi_write("start"), 0);
	make_dir();
	remove_dir();
	*grandchild = make_dir_in_grandchild();
	kill(other, SIGCONT);
	waitpid(other, NULL, 0);
	WANT_EQ(kfi_write("stop"), 0);
	WANT(*grandchild > 0);
	TRY(wait_and_read_log(log));
	for (size_t i = 0; i < log->nr_rows; i++)
		WANT(log->rows[i].task != other);
	return PASS;
}

/* Tasks that were forked since the configuration, and their children; no task from before. */
static enum outcome children(void)
{
	struct tracelog log;
	size_t rows = 0;
	pid_t pid;

	TRY(record_children("children", &log, &pid));
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 2);
	for (size_t i = 0; i < log.nr_rows; i++)
		rows += log.rows[i].task == pid;
	WANT(rows > 100);
	WANT(tl_num(&log, "Pid filter count") > 0);
	tl_free(&log);
	TRY(record_children("", &log, &pid));
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	tl_free(&log);
	return PASS;
}

/* A directory made on each cpu, however rarely the host runs them: this task goes there. */
static enum outcome make_dir_on_each_cpu(int cpus)
{
	cpu_set_t before, one;

	sched_getaffinity(0, sizeof(before), &before);
	for (int cpu = 0; cpu < cpus; cpu++) {
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		WANT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
		WANT(make_dir());
		WANT(remove_dir());
	}
	sched_setaffinity(0, sizeof(before), &before);
	return PASS;
}

static enum outcome cpu(void)
{
	int cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct tracelog log;

	for (int want = 0; want < 2; want++) {
		char text[80];

		snprintf(text, sizeof(text), "new begin filter cpu %d logentries 200000 end", want);
		WANT_EQ(kfi_write(text), 0);
		WANT_EQ(kfi_write("start"), 0);
		TRY(make_dir_on_each_cpu(cpus));
		WANT_EQ(kfi_write("stop"), 0);
		TRY(wait_and_read_log(&log));
		for (size_t i = 0; i < log.nr_rows; i++)
			WANT_EQ(log.rows[i].cpu, want);
		WANT_EQ(count_rows(&log, "vfs_mkdir"), want < cpus);
		/* With one cpu the first round has nothing to drop. */
		WANT((want == 0 && cpus == 1) || tl_num(&log, "Cpu filter count") > 0);
		tl_free(&log);
	}
	return PASS;
}

static enum outcome funclist_mixed(void)
{
	struct tracelog log;
	char items[200];

	snprintf(items, sizeof(items), "filter funclist vfs_mkdir, 0x%lx fend",
		 symbol("vfs_rmdir"));
	TRY(record_work(items, &log));
	WANT_EQ(log.nr_rows, 2);
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	WANT_EQ(count_rows(&log, "vfs_rmdir"), 1);
	return PASS;
}

static enum outcome combined(void)
{
	struct tracelog log;

	TRY(record_work("filter noints filter mintime 9s filter funclist vfs_mkdir fend", &log));
	WANT_EQ(log.nr_rows, 0);
	/* What is too short is not looked for in the list. */
	WANT(tl_num(&log, "Execution time filter count") > 10);
	tl_free(&log);
	TRY(record_work("filter noints filter mintime 1 filter funclist vfs_mkdir fend", &log));
	WANT(log.nr_rows >= 1);
	WANT_EQ(count_rows(&log, "vfs_mkdir"), (long)log.nr_rows);
	WANT(tl_num(&log, "Function List filter count") >= 1);
	return PASS;
}

static enum outcome log_full(void)
{
	struct tracelog log;
	long long kept;
	long made;
	int i;

	TRY(record_work("logentries 100", &log));
	WANT(log.stopped && strstr(log.stopped, "by log full"));
	kept = tl_num(&log, "Calls kept");
	/* At least what was asked for, and no less than two chunks of 2048 bytes a cpu. */
	if (kept < 100 || kept > 100 + 101 * (1 + 2 * sysconf(_SC_NPROCESSORS_CONF)))
		return because(FAIL, "logentries 100, but %lld calls kept", kept);
	tl_free(&log);
	/* Room for some directories: others call, too. */
	TRY(arm_run("logentries 3000"));
	WANT_EQ(kfi_write("start"), 0);
	for (i = 0; i < 50 && !kfi_state_is("complete"); i++) {
		make_dir();
		remove_dir();
	}
	WANT(kfi_state_is("complete"));
	TRY(wait_and_read_log(&log));
	WANT(log.stopped && strstr(log.stopped, "by log full"));
	WANT(tl_note(&log, "log full after "));
	WANT(tl_note(&log, "raise logentries or mintime"));
	kept = tl_num(&log, "Calls kept");
	WANT(kept >= 3000);
	/* What is kept is the start, without a hole: all that was made but for the last one. */
	made = count_rows(&log, "vfs_mkdir");
	if (made > i || made < i - 1)
		return because(FAIL, "%d directories made, %ld in the log", i, made);
	return PASS;
}

/* A log of an unusual size: not a multiple of anything. */
static enum outcome log_entries(void)
{
	struct tracelog log;

	TRY(record_work("logentries 1001 filter funclist vfs_mkdir fend", &log));
	WANT_EQ(log.nr_rows, 1);
	WANT(!tl_note(&log, "log full"));
	return PASS;
}

/*
 * How many calls were entered below kfi_test_outer(), with or without a row: the least of all its
 * calls, since interrupts add some now and then. -1: there is no such call.
 */
static long min_calls_below(const struct tracelog *log)
{
	const char *at = hex(symbol("kfi_test_outer"));
	long least = -1, i = -1;

	while ((i = tl_find(log, at, i + 1)) >= 0) {
		const struct tl_row *r = &log->rows[i];
		long n = r->below;

		if (r->delta_ns < 0)
			continue;
		for (size_t k = 0; k < log->nr_rows; k++)
			n += is_below(&log->rows[k], r);
		if (least < 0 || n < least)
			least = n;
	}
	return least;
}

/* Calls that have no row are counted: in a log, in a snapshot of it, and in each round. */
static enum outcome below(void)
{
	const long all = 4;	/* kfi_test_middle(), and three times kfi_test_inner() */
	struct tracelog log;
	char text[200];

	TRY(module_load());
	snprintf(text, sizeof(text), "new begin filter pid %d logentries 200000 end",
		 (int)getpid());
	WANT_EQ(kfi_write(text), 0);
	WANT_EQ(kfi_write("start"), 0);
	WANT_EQ(module_command("call 20"), 0);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	WANT_EQ(min_calls_below(&log), all);
	tl_free(&log);

	WANT_EQ(kfi_write("new begin filter funclist kfi_test_outer fend end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	WANT_EQ(module_command("call 20"), 0);
	TRY(read_log(&log));
	WANT(log.running);
	WANT_EQ(count_rows(&log, "kfi_test_outer"), 20);
	WANT_EQ(min_calls_below(&log), all);
	tl_free(&log);
	WANT_EQ(module_command("call 20"), 0);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	WANT_EQ(count_rows(&log, "kfi_test_outer"), 40);
	WANT_EQ(min_calls_below(&log), all);
	tl_free(&log);

	TRY(arm_run("autorepeat trigger start entry kfi_test_outer\n"
		    "trigger stop exit kfi_test_outer\nfilter funclist kfi_test_outer fend"));
	WANT_EQ(module_command("call 20"), 0);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	WANT_EQ(tl_num(&log, "Rounds"), 20);
	WANT_EQ(min_calls_below(&log), all);
	TRY(module_unload());
	return PASS;
}

const struct guest_case filter_cases[] = {
	{ "filter_none", none },
	{ "filter_mintime", mintime },
	{ "filter_maxtime", maxtime },
	{ "filter_min_and_max", min_and_max },
	{ "filter_noints", noints },
	{ "filter_onlyints", onlyints },
	{ "filter_funclist", funclist },
	{ "filter_depth", depth },
	{ "filter_pid", pid },
	{ "filter_children", children },
	{ "filter_cpu", cpu },
	{ "filter_funclist_mixed", funclist_mixed },
	{ "filter_combined", combined },
	{ "filter_below", below },
	{ "log_full", log_full },
	{ "log_entries", log_entries },
	{ NULL, NULL },
};
