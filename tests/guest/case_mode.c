// SPDX-License-Identifier: GPL-2.0
/*
 * case_mode.c - what is recorded when not each call is kept: the end, or sums
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

static enum outcome begin(const char *items)
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

static bool is_func(const struct tl_row *r, const char *addr)
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
	char mkdir_at[32], rmdir_at[32];
	struct tracelog log;
	long long since, turns = 0, last = 0;
	bool made = false;
	int i;

	snprintf(mkdir_at, sizeof(mkdir_at), "%s", hex(symbol("vfs_mkdir")));
	snprintf(rmdir_at, sizeof(rmdir_at), "%s", hex(symbol("vfs_rmdir")));
	TRY(begin("overwrite logentries 8000"));
	for (i = 0; i < 300; i++) {
		WANT(make_dir());
		WANT(drop_dir());
	}
	WANT_EQ(kfi_write("stop"), 0);
	TRY(finish(&log));
	WANT(log.stopped && strstr(log.stopped, "by user action"));
	WANT(tl_num(&log, "Lost to overwriting") > 3000);
	WANT_EQ(tl_num(&log, "Lost to log full"), 0);
	WANT(tl_num(&log, "Calls kept") > 7000);
	since = complete_since(&log);
	WANT(since > 0);
	for (size_t r = 0; r < log.nr_rows; r++) {
		const struct tl_row *row = &log.rows[r];
		bool make = is_func(row, mkdir_at), drop = is_func(row, rmdir_at);

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

/* Nothing was overwritten: no note, and nothing lost. */
static enum outcome not_full(void)
{
	struct tracelog log;

	TRY(begin("overwrite filter funclist vfs_mkdir"));
	WANT(make_dir());
	drop_dir();
	WANT_EQ(kfi_write("stop"), 0);
	TRY(finish(&log));
	WANT_EQ(log.nr_rows, 1);
	WANT_EQ(tl_num(&log, "Lost to overwriting"), 0);
	WANT_EQ(complete_since(&log), -1);
	return PASS;
}

static void busy(int ms)
{
	long long end = uptime_ms() + ms;

	while (uptime_ms() < end) {
		pid_t pid = fork();

		if (!pid) {
			free(slurp("/proc/self/status", 0));
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

/* The smallest log there is, on all cpus, with interrupts and tasks that die, marks between. */
static enum outcome small(void)
{
	static const char * const items[] = {
		"overwrite logentries 1",
		"overwrite logentries 100 mark switches",
		"overwrite logentries 300 filter noints mark syscalls watch worst-stack",
	};
	pid_t pid[3];
	int i;

	for (i = 0; i < 3; i++) {
		pid[i] = fork();
		if (!pid[i]) {
			busy(4000);
			_exit(0);
		}
	}
	for (i = 0; i < 9; i++) {
		struct tracelog log;

		TRY(begin(items[i % 3]));
		sleep_ms(150);
		/* A snapshot, while all of it is being overwritten. */
		TRY(read_log(&log));
		WANT(tl_num(&log, "Lost to overwriting") > 0);
		tl_free(&log);
		WANT(!kfi_state("complete"));
		WANT_EQ(kfi_write("stop"), 0);
		TRY(finish(&log));
		WANT(tl_num(&log, "Lost to overwriting") > 100);
		WANT(tl_num(&log, "Calls kept") > 20);
		WANT(i % 3 == 0 || tl_num(&log, "Marks lost") > 0);
		WANT(complete_since(&log) > 0);
		tl_free(&log);
	}
	for (i = 0; i < 3; i++)
		waitpid(pid[i], NULL, 0);
	return PASS;
}

const struct guest_case mode_cases[] = {
	{ "mode_overwrite", overwrite },
	{ "mode_overwrite_not_full", not_full },
	{ "mode_overwrite_small", small },
	{ NULL, NULL },
};
