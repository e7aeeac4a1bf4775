// SPDX-License-Identifier: GPL-2.0
/*
 * case_selftest.c - the recorder's own test: what it says on a sound machine, what it leaves alone,
 * and when it is rejected
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

/* Its checks: of the logs, for each cpu, and how many of these can be skipped. */
#define LOG_CHECKS	15
#define CPU_CHECKS	36
#define NESTED_CHECKS	7

static bool status_has(const char *words)
{
	char *text = read_whole_file("/proc/kfi", 0);
	bool yes = text && strstr(text, words);

	free(text);
	return yes;
}

/* The last verdict in the kernel log, and the line before it, which has the reason of a failure. */
static enum outcome check_verdict(void)
{
	static const char mark[] = "kfi: selftest: ", skip[] = "no interrupt on top of another one";
	const char *at, *last = NULL, *before = "";
	int passed, failed, skipped = 0;

	for (at = kernel_log(); (at = strstr(at, mark)); last = at, at += strlen(mark)) {
		if (last && isdigit(last[strlen(mark)]))
			skipped = 0;
		skipped += !strncmp(at + strlen(mark), skip, strlen(skip));
		before = last ? last : before;
	}
	WANT(last);
	if (sscanf(last, "kfi: selftest: %d passed, %d failed", &passed, &failed) != 2)
		return because(FAIL, "no verdict: %.*s", (int)strcspn(last, "\n"), last);
	if (failed)
		return because(FAIL, "%d failed, the last: %.*s", failed,
			       (int)strcspn(before, "\n"), before);
	WANT_EQ(passed, LOG_CHECKS + CPU_CHECKS * sysconf(_SC_NPROCESSORS_ONLN) -
			NESTED_CHECKS * skipped);
	return skipped ?
	       because(DISTURBED, "no softirq came on top of the task that waits for it") : PASS;
}

enum outcome check_selftest_passed(void)
{
	enum outcome out;

	WANT(!status_has("error:"));
	out = check_verdict();
	/* A boot cannot be repeated here. */
	return out == DISTURBED ? SKIP : out;
}

static enum outcome passes(void)
{
	int ret;

	/* The case before may have left a session armed. */
	WANT_EQ(kfi_write("new begin end"), 0);
	ret = kfi_write("selftest\n");
	TRY(check_verdict());
	WANT_EQ(ret, 0);
	return check_selftest_passed();
}

/* The configuration, for one call of vfs_mkdir(), can be primed, and records that call. */
static enum outcome records_one_call(void)
{
	struct tracelog log;

	WANT_EQ(kfi_write("prime"), 0);
	WANT(make_dir());
	WANT(remove_dir());
	TRY(wait_and_read_log(&log));
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	return PASS;
}

/* A complete log is the same as before, with its number. */
static enum outcome keeps_the_log(void)
{
	char *before, *after, *rows;
	struct tracelog log;
	int id;

	TRY(arm_run("trigger start entry vfs_mkdir trigger stop exit vfs_mkdir"));
	WANT(make_dir());
	WANT(remove_dir());
	TRY(wait_and_read_log(&log));
	id = kfi_run_id();
	before = read_whole_file("/proc/kfi_trace", 0);
	WANT(before);
	WANT_EQ(kfi_write("selftest"), 0);
	WANT_EQ(kfi_run_id(), id);
	WANT(kfi_state_is("complete"));
	after = read_whole_file("/proc/kfi_trace", 0);
	WANT(after);
	WANT(!strcmp(before, after));
	rows = strstr(after, "\n---");
	WANT(rows && strstr(rows, hex(symbol("vfs_mkdir"))));
	free(before);
	free(after);
	/* And the configuration can be used again. */
	return records_one_call();
}

/* One that waits for `prime` waits on. */
static enum outcome keeps_the_configuration(void)
{
	WANT_EQ(kfi_write("begin trigger start entry vfs_mkdir trigger stop exit vfs_mkdir\n"
			  "filter mintime 0 end"), 0);
	WANT_EQ(kfi_write("selftest"), 0);
	WANT(status_has("  trigger start entry vfs_mkdir\n"));
	WANT(!kfi_state_is("primed"));
	WANT(!status_has("\nsites ") || wait_sites_off());
	return records_one_call();
}

static enum outcome check_rejected(void)
{
	WANT_EQ(kfi_write("selftest"), -EBUSY);
	WANT(status_has(": a run is primed or being recorded: stop it first\n"));
	return PASS;
}

/* While a run is armed, recorded, between two rounds, or followed by another that is armed. */
static enum outcome rejected_while_busy(void)
{
	TRY(arm_run("trigger start entry vfs_mkdir"));
	TRY(check_rejected());
	WANT(kfi_state_is("primed"));
	WANT_EQ(kfi_write("start"), 0);
	TRY(check_rejected());
	WANT(kfi_state_is("triggered"));
	WANT_EQ(kfi_write("stop"), 0);
	WANT_EQ(kfi_write("selftest"), 0);
	TRY(arm_run("autorepeat trigger start entry vfs_mkdir trigger stop exit vfs_mkdir"));
	WANT(make_dir());
	WANT(remove_dir());
	TRY(check_rejected());
	WANT_EQ(kfi_write("stop"), 0);
	WANT_EQ(kfi_write("begin end begin trigger start entry vfs_mkdir end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(check_rejected());
	WANT_EQ(kfi_write("stop"), 0);
	WANT_EQ(kfi_write("selftest"), 0);
	return PASS;
}

/* While another process tests; what that one tests is not disturbed by it. */
static enum outcome one_at_a_time(void)
{
	static const char why[] = "kfi: line 1 column 1: the selftest is running\n";
	int ret, status;
	pid_t pid;

	ret = kfi_write("begin logentries 100 end");
	WANT_EQ(ret, 0);
	pid = fork();
	WANT(pid >= 0);
	if (!pid) {
		for (int i = 0; i < 5; i++)
			if (kfi_write("selftest"))
				_exit(1);
		_exit(0);
	}
	while (!ret && !waitpid(pid, &status, WNOHANG))
		ret = kfi_write("begin logentries 100 end");
	WANT_EQ(ret, -EBUSY);
	WANT(strstr(kernel_log(), why));
	WANT_EQ(waitpid(pid, &status, 0), pid);
	WANT_EQ(status, 0);
	WANT(status_has("  logentries 100\n"));
	return check_verdict();
}

const struct guest_case selftest_cases[] = {
	{ "selftest_passes", passes },
	{ "selftest_keeps_the_log", keeps_the_log },
	{ "selftest_keeps_the_configuration", keeps_the_configuration },
	{ "selftest_rejected_while_busy", rejected_while_busy },
	{ "selftest_one_at_a_time", one_at_a_time },
	{ NULL, NULL },
};
