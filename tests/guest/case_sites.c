// SPDX-License-Identifier: GPL-2.0
/*
 * case_sites.c - call sites are nops but while a run is primed or recorded
 *
 * What the code is, in a function of the kernel and one of the module, is read by the module.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

#define SECOND_CPU	"/sys/devices/system/cpu/cpu1/online"

/* Return: the number of call sites, -1 if this kernel cannot disable them; @on is set. */
static long read_sites(bool *on)
{
	char *text = read_whole_file("/proc/kfi", 0);
	char *at = text ? strstr(text, "sites ") : NULL, word[8];
	long n = -1;

	if (at && sscanf(at, "sites %ld, %7s", &n, word) == 2)
		*on = !strcmp(word, "on");
	free(text);
	return n;
}

static bool sites_are_off(void)
{
	bool on = true;

	read_sites(&on);
	return !on;
}

bool wait_sites_off(void)
{
	return wait_until(sites_are_off);
}

/* Are sites as wanted in the status, in the kernel's code, and in the module's? */
static enum outcome check_sites(bool want)
{
	bool on;

	WANT(read_sites(&on) > 0);
	WANT_EQ(on, want);
	WANT_EQ(module_command("sites"), 0);
	WANT_EQ(module_result("kernel", 0), want);
	WANT_EQ(module_result("module", 0), want);
	return PASS;
}

static enum outcome prepare(void)
{
	bool on;

	if (read_sites(&on) < 0)
		return because(SKIP, "this kernel cannot turn call sites off");
	kfi_write("stop");
	WANT(wait_sites_off());
	return module_load();
}

/* After the boot, whatever was compiled in, no run is left. */
static enum outcome off_after_boot(void)
{
	bool on;
	long n = read_sites(&on);

	if (n < 0)
		return because(SKIP, "this kernel cannot turn call sites off");
	WANT(n > 10000);
	if (kfi_run_id() == 0)
		WANT(wait_state("complete"));
	WANT(wait_sites_off());
	return PASS;
}

/* By command: before it returns. */
static enum outcome commanded(void)
{
	TRY(prepare());
	TRY(check_sites(false));
	WANT_EQ(kfi_write("new begin end"), 0);
	TRY(check_sites(false));
	WANT_EQ(kfi_write("prime"), 0);
	TRY(check_sites(true));
	WANT_EQ(kfi_write("start"), 0);
	TRY(check_sites(true));
	WANT_EQ(kfi_write("stop"), 0);
	TRY(check_sites(false));
	WANT_EQ(kfi_write("start"), -16);
	TRY(check_sites(false));
	/* Not primed, and a new one in place of one that is. */
	WANT_EQ(kfi_write("new begin end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	TRY(check_sites(true));
	WANT_EQ(kfi_write("stop"), 0);
	WANT_EQ(kfi_write("prime"), 0);
	TRY(check_sites(true));
	WANT_EQ(kfi_write("new begin end"), 0);
	TRY(check_sites(false));
	return module_unload();
}

/* By a trigger, wherever it fires. */
static enum outcome triggered(void)
{
	struct tracelog log;

	TRY(prepare());
	TRY(arm_run("trigger start entry vfs_mkdir\ntrigger stop exit vfs_mkdir"));
	TRY(check_sites(true));
	WANT(make_dir());
	WANT(remove_dir());
	WANT(kfi_state_is("complete"));
	WANT(wait_sites_off());
	TRY(check_sites(false));
	TRY(wait_and_read_log(&log));
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	WANT_EQ(count_rows(&log, "ramfs_mkdir"), 1);
	tl_free(&log);
	/* Full, in the middle of anything. */
	WANT_EQ(kfi_write("new begin logentries 300 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	WANT(wait_state("complete"));
	WANT(wait_sites_off());
	TRY(wait_and_read_log(&log));
	tl_free(&log);
	TRY(check_sites(false));
	return module_unload();
}

/* Rounds, and runs that follow another: until the last of them is over. */
static enum outcome several(void)
{
	struct tracelog log;

	TRY(prepare());
	TRY(arm_run("autorepeat trigger start entry vfs_mkdir\ntrigger stop exit vfs_mkdir"));
	for (int i = 0; i < 3; i++) {
		WANT(make_dir());
		WANT(remove_dir());
		sleep_ms(50);
		TRY(check_sites(true));
	}
	WANT_EQ(kfi_write("stop"), 0);
	TRY(check_sites(false));
	TRY(wait_and_read_log(&log));
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 3);
	tl_free(&log);
	WANT_EQ(kfi_write("new begin trigger start entry vfs_mkdir trigger stop exit vfs_mkdir end "
			  "begin trigger start entry vfs_rmdir trigger stop exit vfs_rmdir end"),
		0);
	WANT_EQ(kfi_write("prime"), 0);
	WANT(make_dir());
	sleep_ms(50);
	TRY(check_sites(true));
	WANT(remove_dir());
	WANT(wait_sites_off());
	TRY(check_sites(false));
	return module_unload();
}

/* A module is as the kernel is when it comes, its init function too. */
static enum outcome module_comes(void)
{
	struct tracelog log;

	TRY(prepare());
	TRY(module_unload());
	WANT_EQ(kfi_write("new begin logentries 1000000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	TRY(module_load());
	TRY(check_sites(true));
	WANT_EQ(module_command("call 7"), 0);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(check_sites(false));
	TRY(wait_and_read_log(&log));
	WANT_EQ(count_rows(&log, "kfi_test_outer"), 7);
	/* One by kfi_test_init_late(). */
	WANT_EQ(count_rows(&log, "kfi_test_inner"), 3 * 7 + 1);
	tl_free(&log);
	/* This one comes while they are off. */
	TRY(module_unload());
	TRY(module_load());
	TRY(check_sites(false));
	TRY(record_command(&log, "call 5", "kfi_test_do_call", "kfi_test_do_call", ""));
	WANT_EQ(count_rows(&log, "kfi_test_outer"), 5);
	WANT_EQ(count_rows(&log, "kfi_test_inner"), 3 * 5);
	tl_free(&log);
	WANT(wait_sites_off());
	return module_unload();
}

/* Processes that come and go, and a cpu, where that can be. */
static void make_load(long long until)
{
	for (int i = 0; i < 2; i++)
		if (!fork()) {
			while (uptime_ms() < until) {
				pid_t pid = fork();

				if (!pid) {
					free(read_whole_file("/proc/meminfo", 0));
					_exit(0);
				}
				waitpid(pid, NULL, 0);
			}
			_exit(0);
		}
	while (uptime_ms() < until && write_file(SECOND_CPU, "0")) {
		sleep_ms(30);
		write_file(SECOND_CPU, "1");
		sleep_ms(30);
	}
	write_file(SECOND_CPU, "1");
	while (wait(NULL) > 0)
		;
}

/*
 * Sites are enabled and disabled under load, at any moment: the accounting, which
 * wait_and_read_log() checks, stays exact.
 */
static enum outcome under_load(void)
{
	struct tracelog log;
	long long until, kept = 0;
	int rounds = 0;
	pid_t pid;

	TRY(prepare());
	until = uptime_ms() + 6000;
	pid = fork();
	if (!pid) {
		make_load(until);
		_exit(0);
	}
	while (uptime_ms() < until || rounds < 10) {
		TRY(check_sites(false));
		WANT_EQ(kfi_write("new begin logentries 20000 filter mintime 3 end"), 0);
		WANT_EQ(kfi_write(rounds & 1 ? "prime" : "start"), 0);
		if (rounds & 1)
			WANT_EQ(kfi_write("start"), 0);
		sleep_ms(rounds % 7 * 5);
		/* It may be full, hence complete, by itself. */
		kfi_write("stop");
		WANT(wait_sites_off());
		TRY(wait_and_read_log(&log));
		WANT(tl_num(&log, "Calls seen") > 0);
		kept += tl_num(&log, "Calls kept");
		tl_free(&log);
		rounds++;
	}
	waitpid(pid, NULL, 0);
	WANT(kept > 1000);
	return module_unload();
}

/* A process that calls @work again and again, until it is killed. */
static pid_t run_repeatedly(void (*work)(void))
{
	pid_t pid = fork();

	while (!pid)
		work();
	return pid;
}

static void kill_child(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static void toggle_sites(void)
{
	kfi_write("new begin filter mintime 3 end");
	kfi_write("prime");
	kfi_write("stop");
}

static void exchange_nmis(void)
{
	module_command("pingpong 2000");
}

/* NMIs come all the time while sites are changed, and what they call has sites. */
static enum outcome nmis(void)
{
	bool on;
	pid_t pid;

	TRY(prepare());
	if (module_command("pingpong 1")) {
		TRY(module_unload());
		return because(SKIP, "no NMIs here");
	}
	pid = run_repeatedly(exchange_nmis);
	for (int i = 0; i < 8; i++) {
		WANT_EQ(kfi_write("new begin filter mintime 3 end"), 0);
		WANT_EQ(kfi_write("prime"), 0);
		WANT(read_sites(&on) > 0);
		WANT(on);
		WANT_EQ(kfi_write("stop"), 0);
		WANT(wait_sites_off());
	}
	kill_child(pid);
	return module_unload();
}

/*
 * A kprobe on the recorder, or on what its hooks call, is rejected: the code that handles it is
 * instrumented, and would hit that probe again without end. On instrumented functions kprobes work,
 * with a session and without one, and all calls are recorded. None is missed while sites are
 * changed.
 */
static enum outcome probed(void)
{
	struct tracelog log;
	pid_t pid;
	int ret;

	TRY(prepare());
	ret = module_command("probe 0");
	if (ret == -EOPNOTSUPP) {
		TRY(module_unload());
		return because(SKIP, "this kernel has no kprobes");
	}
	WANT_EQ(ret, 0);
	if (module_result("not", 0)) {
		char *text = read_whole_file("/proc/kfi_test", 0);

		return because(FAIL, "not refused: %.*s", (int)strcspn(text, "\n"), text);
	}
	WANT(module_result("refused", 0) >= 19);
	WANT_EQ(kfi_write("new begin logentries 1600000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	WANT_EQ(module_command("probe 100"), 0);
	WANT_EQ(module_result("hits", 0), 300);
	WANT_EQ(module_result("hits", 1), 100);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	TRY(lost_nothing(&log, NULL));
	WANT_EQ(count_rows(&log, "kfi_test_inner"), 300);
	tl_free(&log);
	WANT(wait_sites_off());
	pid = run_repeatedly(toggle_sites);
	ret = module_command("probe 4000");
	kill_child(pid);
	WANT_EQ(ret, 0);
	WANT_EQ(module_result("hits", 0), 12000);
	WANT_EQ(module_result("hits", 1), 4000);
	kfi_write("stop");
	WANT(wait_sites_off());
	return module_unload();
}

const struct guest_case sites_cases[] = {
	{ "sites_off_after_boot", off_after_boot },
	{ "sites_commanded", commanded },
	{ "sites_triggered", triggered },
	{ "sites_several", several },
	{ "sites_module_comes", module_comes },
	{ "sites_under_load", under_load },
	{ "sites_nmis", nmis },
	{ "sites_probed", probed },
	{ NULL, NULL },
};
