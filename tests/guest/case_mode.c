// SPDX-License-Identifier: GPL-2.0
/*
 * case_mode.c - what is recorded when not each call is kept: the end, or sums
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

static enum outcome start_run(const char *items)
{
	char text[400];
	int ret;

	snprintf(text, sizeof(text), "new begin\n%s\nend\n", items);
	ret = kfi_write(text);
	if (ret)
		return because(FAIL, "refused with errno %d: %s", -ret, items);
	WANT_EQ(kfi_write("start"), 0);
	return PASS;
}

static bool is_call_of(const struct tl_row *r, const char *addr)
{
	return !strncmp(r->func, addr, strlen(addr));
}

/* What the note says: from here on, in ns, no call is missing; -1: no such note. */
static long long complete_since(const struct tracelog *log)
{
	for (size_t i = 0; i < log->nr_head; i++) {
		const char *after = strstr(log->head[i].value, "all calls that ended after ");

		if (!strcmp(log->head[i].name, "Note") && after)
			return atoll(after + strlen("all calls that ended after "));
	}
	return -1;
}

/* The run outlives its log; the last calls are there, without a hole. */
static enum outcome overwrite(void)
{
	char mkdir_at[32], rmdir_at[32], text[100];
	struct tracelog log;
	long long since, turns = 0, last = 0;
	bool made = false;
	int i;

	snprintf(mkdir_at, sizeof(mkdir_at), "%s", hex(symbol("vfs_mkdir")));
	snprintf(rmdir_at, sizeof(rmdir_at), "%s", hex(symbol("vfs_rmdir")));
	/* A busy machine must not fill the log with interrupts. */
	snprintf(text, sizeof(text), "overwrite filter noints filter pid %d logentries %d",
		 (int)getpid(), scale_timeout(8000));
	TRY(start_run(text));
	for (i = 0; i < 300; i++) {
		WANT(make_dir());
		WANT(remove_dir());
	}
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	WANT(log.stopped && strstr(log.stopped, "by user action"));
	WANT(tl_num(&log, "Lost to overwriting") > 3000);
	WANT_EQ(tl_num(&log, "Lost to log full"), 0);
	WANT(tl_num(&log, "Calls kept") > 7000);
	since = complete_since(&log);
	WANT(since > 0);
	for (size_t r = 0; r < log.nr_rows; r++) {
		const struct tl_row *row = &log.rows[r];
		bool make = is_call_of(row, mkdir_at), drop = is_call_of(row, rmdir_at);

		last = row->entry_ns > (uint64_t)last ? (long long)row->entry_ns : last;
		if ((!make && !drop) || row->delta_ns < 0 ||
		    (long long)row->entry_ns + row->delta_ns <= since)
			continue;
		/* One after the other, and never the same one twice. */
		if (turns && make == made)
			return because(FAIL, "row %zu: a call is missing before it", r);
		made = make;
		turns++;
	}
	WANT(turns > 10);
	WANT(last > since);
	return PASS;
}

/* Nothing was overwritten: no note, nothing lost, and memory that was not used. */
static enum outcome not_full(void)
{
	struct tracelog log;

	TRY(start_run("overwrite filter funclist vfs_mkdir"));
	WANT(make_dir());
	remove_dir();
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	WANT_EQ(log.nr_rows, 1);
	WANT_EQ(tl_num(&log, "Lost to overwriting"), 0);
	WANT_EQ(complete_since(&log), -1);
	WANT(tl_num(&log, "Log memory") > 0);
	WANT(tl_num(&log, "Log memory") < tl_of(&log, "Log memory"));
	return PASS;
}

static void fork_for(int ms)
{
	long long end = uptime_ms() + ms;

	while (uptime_ms() < end) {
		pid_t pid = fork();

		if (!pid) {
			free(read_whole_file("/proc/self/status", 0));
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

/* The smallest log there is, on all cpus, with interrupts and tasks that die, marks between. */
static enum outcome smallest(void)
{
	static const char * const items[] = {
		"overwrite logentries 1",
		"overwrite logentries 100 mark switches",
		"overwrite logentries 300 filter noints mark syscalls watch worst-stack",
	};
	pid_t pid[3];
	int i;

	/* Busy as long as the case: how long it takes to read a log depends on the board. */
	for (i = 0; i < 3; i++) {
		pid[i] = fork();
		if (!pid[i]) {
			catch_sigterm();
			prctl(PR_SET_PDEATHSIG, SIGTERM);
			while (!sigterm_received())
				fork_for(20);
			_exit(0);
		}
	}
	for (i = 0; i < 9; i++) {
		struct tracelog log;

		TRY(start_run(items[i % 3]));
		sleep_ms(150);
		/* A snapshot, while all of it is being overwritten. */
		TRY(read_log(&log));
		WANT(tl_num(&log, "Lost to overwriting") > 0);
		tl_free(&log);
		WANT(!kfi_state_is("complete"));
		WANT_EQ(kfi_write("stop"), 0);
		TRY(wait_and_read_log(&log));
		WANT(tl_num(&log, "Lost to overwriting") > 100);
		WANT(tl_num(&log, "Calls kept") > 20);
		if (i % 3 == 1 || (i % 3 == 2 && can_mark_syscalls()))
			WANT(tl_num(&log, "Marks lost") > 0);
		WANT(complete_since(&log) > 0);
		tl_free(&log);
	}
	for (i = 0; i < 3; i++) {
		kill(pid[i], SIGTERM);
		waitpid(pid[i], NULL, 0);
	}
	return PASS;
}

/* ---- profile ---- */

static enum outcome read_profile(struct tracelog *log)
{
	TRY(wait_and_read_log(log));
	WANT(log->profile);
	WANT_EQ(log->nr_rows, 0);
	WANT(log->nr_sums > 0);
	return PASS;
}

/* The same work, once with a log and once with a profile: the same calls. */
static enum outcome profile(void)
{
	static const char * const funcs[] = {
		"vfs_mkdir", "vfs_rmdir", "ramfs_mkdir", "ramfs_mknod", "dput",
	};
	const char *items = "filter noints filter pid %d logentries 400000 %s";
	struct tracelog log, sums;
	char text[200];
	int i;

	for (i = 0; i < 2; i++) {
		snprintf(text, sizeof(text), items, (int)getpid(), i ? "profile" : "");
		TRY(start_run(text));
		for (int n = 0; n < 25; n++) {
			WANT(make_dir());
			WANT(remove_dir());
		}
		WANT_EQ(kfi_write("stop"), 0);
		if (i)
			TRY(read_profile(&sums));
		else
			TRY(wait_and_read_log(&log));
	}
	for (i = 0; i < (int)(sizeof(funcs) / sizeof(*funcs)); i++) {
		const char *at = hex(symbol(funcs[i]));
		const struct tl_sum *s = tl_sum(&sums, at);
		long rows = count_rows(&log, funcs[i]);

		if (!rows && !s && i >= 2)
			continue;
		if (!s || (long)s->count != rows)
			return because(FAIL, "%s: %ld calls in the log, %ld in the profile",
				       funcs[i], rows, s ? (long)s->count : 0);
		if (i < 2)
			WANT(rows == 25 && s->total_ns > 0 && s->local_ns > 0);
	}
	WANT(sums.stopped && strstr(sums.stopped, "by user action"));
	WANT_EQ(tl_num(&sums, "Lost to log full"), 0);
	/* Its raw log has sums: see serial_profile. */
	WANT(read_whole_file("/proc/kfi_raw", 0));
	return PASS;
}

/* Open calls are there, too: without times. A function of one call has its time thrice. */
static enum outcome profile_untimed(void)
{
	struct tracelog log;
	const struct tl_sum *s;

	TRY(start_run("profile trigger stop entry vfs_rmdir filter funclist vfs_mkdir do_rmdir"));
	WANT(make_dir());
	remove_dir();
	TRY(read_profile(&log));
	s = tl_sum(&log, hex(symbol("vfs_mkdir")));
	WANT(s && s->count == 1 && !s->untimed && s->total_ns > 0);
	s = tl_sum(&log, hex(symbol("do_rmdir")));
	WANT(s && !s->count && s->untimed == 1);
	WANT_EQ(log.nr_sums, 2);
	WANT_EQ(tl_num(&log, "Calls open"), 1);
	return PASS;
}

/* All cpus, interrupts, tasks that die, and a snapshot at the same time. */
static enum outcome profile_load(void)
{
	struct tracelog log, then;
	pid_t pid[3];
	int i;

	TRY(start_run("profile"));
	for (i = 0; i < 3; i++) {
		pid[i] = fork();
		if (!pid[i]) {
			fork_for(1500);
			_exit(0);
		}
	}
	sleep_ms(300);
	TRY(read_log(&then));
	WANT(then.profile && then.running);
	for (i = 0; i < 3; i++)
		waitpid(pid[i], NULL, 0);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(read_profile(&log));
	WANT(tl_num(&log, "Calls kept") > 50000);
	WANT(log.nr_sums > 300);
	TRY(lost_nothing(&log, "depth"));
	/* Sums only grow. */
	for (size_t n = 0; n < then.nr_sums; n++) {
		const struct tl_sum *old = &then.sums[n], *new = tl_sum(&log, old->func);

		WANT(new && new->count >= old->count && new->total_ns >= old->total_ns &&
		     new->max_ns >= old->max_ns);
		WANT(!old->count || new->min_ns <= old->min_ns);
	}
	return PASS;
}

/* No room for all functions: those there are go on, and the run does. */
static enum outcome profile_small(void)
{
	struct tracelog log;

	TRY(start_run("profile logentries 1"));
	fork_for(300);
	WANT(!kfi_state_is("complete"));
	WANT_EQ(kfi_write("stop"), 0);
	TRY(read_profile(&log));
	WANT(tl_num(&log, "Lost to log full") > 100);
	WANT(tl_num(&log, "Calls kept") > 100);
	WANT(log.nr_sums < 200);
	WANT(tl_note(&log, "no room for all functions"));
	return PASS;
}

const struct guest_case mode_cases[] = {
	{ "mode_profile", profile },
	{ "mode_profile_untimed", profile_untimed },
	{ "mode_profile_load", profile_load },
	{ "mode_profile_small", profile_small },
	{ "mode_overwrite", overwrite },
	{ "mode_overwrite_not_full", not_full },
	{ "mode_overwrite_smallest", smallest },
	{ NULL, NULL },
};
