// SPDX-License-Identifier: GPL-2.0
/*
 * case_load.c - the recorder under load: processes that are born and die on every cpu
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
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

#define CGROUPS	"/tmp/cgroups"
#define CGROUP	CGROUPS "/kfi"
#define THREADS	300

static int sleeping_thread(void *arg)
{
	(void)arg;
	while (pause() < 0)
		;
	return 0;
}

/* Become a process of the cgroup. All that it makes are threads. */
static void start_threads(int unused)
{
	static _Alignas(16) char stack[THREADS][4096];
	const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;

	(void)unused;
	if (!write_file(CGROUP "/cgroup.procs", "0"))
		_exit(1);
	for (int i = 0; i < THREADS; i++)
		if (clone(sleeping_thread, stack[i] + sizeof(stack[i]), flags, NULL) < 0)
			_exit(1);
	sleeping_thread(NULL);
}

/* Read for how many bytes in slabs the cgroup is charged. */
static enum outcome read_charge(long long *bytes)
{
	char *stat = read_whole_file(CGROUP "/memory.stat", 0);
	const char *line = stat ? strstr(stat, "\nslab_unreclaimable ") : NULL;
	bool is_read = line && sscanf(line, " slab_unreclaimable %lld", bytes) == 1;

	free(stat);
	WANT(is_read);
	return PASS;
}

static enum outcome check_charge(void)
{
	enum outcome out;
	long long bytes;
	pid_t pid;

	WANT(write_file(CGROUPS "/cgroup.subtree_control", "+memory"));
	WANT(!mkdir(CGROUP, 0755));
	/* From the first configuration on tasks have stacks. */
	WANT_EQ(kfi_write("new begin end"), 0);
	pid = start_in_background(start_threads, 0);
	/* Linux adds up the counts of its CPUs every two seconds. */
	sleep_ms(5000);
	out = read_charge(&bytes);
	WANT_EQ(waitpid(pid, NULL, WNOHANG), 0);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	TRY(out);
	/*
	 * A struct task_stack takes 8 KiB. All else of a thread, above all its task_struct, takes
	 * less, but more than 1 KiB.
	 */
	if (bytes / THREADS <= 8192 + 1024)
		return because(FAIL, "%lld bytes of a thread were charged", bytes / THREADS);
	return PASS;
}

/* A memory cgroup is charged for the shadow stacks of its tasks, as for their kernel stacks. */
static enum outcome charged_stacks(void)
{
	enum outcome out;
	char *controllers;

	mkdir(CGROUPS, 0755);
	if (mount("cgroup2", CGROUPS, "cgroup2", 0, NULL)) {
		rmdir(CGROUPS);
		WANT_EQ(errno, ENODEV);
		return because(SKIP, "no cgroups in this kernel");
	}
	controllers = read_whole_file(CGROUPS "/cgroup.controllers", 0);
	out = controllers && strstr(controllers, "memory") ? check_charge() :
	      because(SKIP, "no memory cgroups in this kernel");
	free(controllers);
	rmdir(CGROUP);
	umount(CGROUPS);
	rmdir(CGROUPS);
	return out;
}

const struct guest_case load_cases[] = {
	{ "load_stopped_midway", stopped_midway },
	{ "load_dying_tasks", dying_tasks },
	{ "load_many_runs", many_runs },
	{ "load_charged_stacks", charged_stacks },
	{ NULL, NULL },
};
