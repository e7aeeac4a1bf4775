// SPDX-License-Identifier: GPL-2.0
/*
 * case_load.c - the recorder under load: processes that are born and die on every cpu
 */
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

static void fork_for(int ms)
{
	long long end = uptime_ms() + ms;

	while (uptime_ms() < end) {
		pid_t pid = fork();

		if (!pid) {
			free(read_whole_file("/proc/meminfo", 0));
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

static void make_load(int ms)
{
	for (int i = 0; i < 3; i++)
		if (!fork()) {
			fork_for(ms);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
}

/* `stop` while every cpu is in the middle of something. */
static enum outcome stopped_midway(void)
{
	struct tracelog log;
	pid_t pid;

	WANT_EQ(kfi_write("new begin filter mintime 100 end"), 0);
	pid = fork();
	if (!pid) {
		make_load(1500);
		_exit(0);
	}
	sleep_ms(200);
	WANT_EQ(kfi_write("start"), 0);
	sleep_ms(800);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	waitpid(pid, NULL, 0);
	WANT(tl_num(&log, "Calls seen") > 1000);
	WANT(log.nr_rows > 0);
	return PASS;
}

/* Tasks die during the run: what they had open is in the log, and counted. */
static enum outcome dying_tasks(void)
{
	struct tracelog log;
	bool other = false;
	const char *clone;
	long forks = 0;

	WANT_EQ(kfi_write("new begin logentries 1000000 filter noints end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	for (int i = 0; i < 5; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
	WANT(!kfi_write("stop") || kfi_state_is("complete"));
	TRY(wait_and_read_log(&log));
	clone = hex(symbol("kernel_clone"));
	for (size_t i = 0; i < log.nr_rows; i++) {
		other |= log.rows[i].task > getpid();
		/* The kernel may begin a thread of its own at the same time. */
		forks += log.rows[i].task == getpid() && !strcmp(log.rows[i].func, clone);
	}
	WANT(other);
	WANT_EQ(forks, 5);
	return PASS;
}

/* Runs one after the other, on and off, while the machine is busy: nothing may leak or stick. */
static enum outcome many_runs(void)
{
	struct tracelog log;
	pid_t pid = fork();
	size_t rows = 0;

	if (!pid) {
		make_load(4000);
		_exit(0);
	}
	for (int i = 0; i < 20; i++) {
		WANT_EQ(kfi_write("new begin logentries 500 filter mintime 5 end"), 0);
		WANT_EQ(kfi_write("start"), 0);
		sleep_ms(20 + i);
		/* It may be full, hence complete, by itself. */
		kfi_write("stop");
		TRY(wait_and_read_log(&log));
		rows += log.nr_rows;
		tl_free(&log);
	}
	waitpid(pid, NULL, 0);
	WANT(rows > 2000);
	return PASS;
}

const struct guest_case load_cases[] = {
	{ "load_stopped_midway", stopped_midway },
	{ "load_dying_tasks", dying_tasks },
	{ "load_many_runs", many_runs },
	{ NULL, NULL },
};
