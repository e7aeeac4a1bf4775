// SPDX-License-Identifier: GPL-2.0
/*
 * case_script.c - what people do by hand: cat, echo, and scripts/kfi-trace
 *
 * With busybox, the shell of most boards.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

/* Runs a line in a shell; its output in /tmp/out, its messages in /tmp/err. */
static int shell(const char *line)
{
	char text[1000];
	int status;
	pid_t pid;

	snprintf(text, sizeof(text), "{ %s; } >/tmp/out 2>/tmp/err", line);
	pid = fork();
	if (!pid) {
		execl("/bin/sh", "sh", "-c", text, NULL);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool file_has(const char *path, const char *words)
{
	char *text = read_whole_file(path, 0);
	bool yes = text && strstr(text, words);

	free(text);
	return yes;
}

static enum outcome skip_without_shell(void)
{
	return because(SKIP, "no shell in this guest");
}

static enum outcome by_hand(void)
{
	struct tracelog log;

	if (access("/bin/kfi-trace", X_OK))
		return skip_without_shell();
	WANT_EQ(shell("echo 'new begin trigger start entry vfs_mkdir trigger stop exit vfs_mkdir end'"
		      " >/proc/kfi && echo prime >/proc/kfi &&"
		      " mkdir /tmp/one && rmdir /tmp/one"), 0);
	TRY(wait_and_read_log(&log));
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	return PASS;
}

/* A configuration of many lines, with more than a page of comment, from a file. */
static enum outcome from_a_file(void)
{
	FILE *f = fopen("/tmp/conf", "w");

	if (access("/bin/kfi-trace", X_OK))
		return skip_without_shell();
	WANT(f);
	fputs("new begin\n", f);
	for (int i = 0; i < 300; i++)
		fputs("# a line of comment that says nothing of interest\n", f);
	fputs("filter mintime 12345\nend\n", f);
	WANT(!fclose(f));
	WANT_EQ(shell("cat /tmp/conf >/proc/kfi"), 0);
	WANT(file_has("/proc/kfi", "  filter mintime 12345\n"));
	/* And a wrong one is known by its status. */
	WANT(shell("echo 'new begin nonsense end' >/proc/kfi") != 0);
	return PASS;
}

static enum outcome trace_one(void)
{
	struct tracelog log;
	char why[200];

	if (access("/bin/kfi-trace", X_OK))
		return skip_without_shell();
	WANT_EQ(shell("kfi-trace -i vfs_mkdir mkdir /tmp/two; r=$?; rmdir /tmp/two; exit $r"), 0);
	WANT(!tl_parse(&log, read_whole_file("/tmp/out", 0), why, sizeof(why)));
	WANT_EQ(tl_check(&log, stderr), 0);
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	WANT_EQ(count_rows(&log, "ramfs_mkdir"), 1);
	return PASS;
}

static enum outcome trace_options(void)
{
	if (access("/bin/kfi-trace", X_OK))
		return skip_without_shell();
	WANT_EQ(shell("kfi-trace -m 3 -M 90000 -I -n 3000 -o /tmp/log vfs_mkdir mkdir /tmp/two;"
		      " r=$?; rmdir /tmp/two; exit $r"), 0);
	WANT(file_has("/proc/kfi", "  filter mintime 3\n"));
	WANT(file_has("/proc/kfi", "  filter maxtime 90000\n"));
	WANT(file_has("/proc/kfi", "  filter onlyints\n"));
	WANT(file_has("/proc/kfi", "  logentries 3000\n"));
	WANT(file_has("/tmp/log", "Number of entries after filters"));
	return PASS;
}

static enum outcome trace_refused(void)
{
	if (access("/bin/kfi-trace", X_OK))
		return skip_without_shell();
	WANT_EQ(shell("kfi-trace no_such_function"), 2);
	WANT(file_has("/tmp/err", "cannot trace no_such_function: line 2 column 21"));
	WANT_EQ(shell("kfi-trace -m soon vfs_mkdir"), 2);
	WANT(file_has("/tmp/err", "soon"));
	WANT_EQ(shell("kfi-trace -w 1 vfs_mkdir"), 1);
	WANT(file_has("/tmp/err", "vfs_mkdir was not called within 1 s"));
	WANT_EQ(shell("kfi-trace"), 2);
	return PASS;
}

const struct guest_case script_tools_cases[] = {
	{ "script_by_hand", by_hand },
	{ "script_from_a_file", from_a_file },
	{ "script_kfi_trace", trace_one },
	{ "script_kfi_trace_options", trace_options },
	{ "script_kfi_trace_refused", trace_refused },
	{ NULL, NULL },
};
