// SPDX-License-Identifier: GPL-2.0
/*
 * case_trigger.c - each kind of trigger, each command, and the states between
 *
 * The functions are vfs_mkdir and vfs_rmdir: nothing else in the guest calls them.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

#define MKDIR_TO_RMDIR	"trigger start entry vfs_mkdir\ntrigger stop entry vfs_rmdir"

static bool names_reason(const char *line, const char *phrase, const char *func)
{
	const char *at = line ? strstr(line, phrase) : NULL;

	return at && (!func || !strcmp(at + strlen(phrase), hex(symbol(func))));
}

/* The time in a line "at N usec by ...". */
static long long parse_usec(const char *line)
{
	long long usec;

	return line && sscanf(line, "at %lld usec", &usec) == 1 ? usec : -1;
}

/*
 * Is row @i the call that started the run? Its task has entered nothing before. For how long an
 * interrupt, or the host, comes between the start and its entry nobody knows, but within the run.
 */
static bool is_starting_call(const struct tracelog *log, long i)
{
	const struct tl_row *row = &log->rows[i];

	for (long j = 0; j < i; j++)
		if (log->rows[j].task == row->task && log->rows[j].ctx == 't')
			return false;
	return (long long)row->entry_us <= parse_usec(log->stopped) - parse_usec(log->started);
}

static enum outcome arm_and_start(const char *items)
{
	int id = kfi_run_id();

	TRY(arm_run(items));
	WANT_EQ(kfi_run_id(), id + 1);
	WANT(kfi_state_is("primed"));
	WANT(!kfi_state_is("triggered"));
	WANT(!kfi_state_is("complete"));
	WANT(make_dir());
	WANT(kfi_state_is("triggered"));
	return PASS;
}

static enum outcome entry_entry(void)
{
	const struct tl_row *first;
	struct tracelog log;
	long i;

	TRY(arm_and_start(MKDIR_TO_RMDIR));
	WANT(!kfi_state_is("complete"));
	WANT(remove_dir());
	WANT(kfi_state_is("complete"));
	/* Too late; what stopped the run stays what it was. */
	WANT(kfi_write("stop") < 0);
	TRY(wait_and_read_log(&log));
	WANT(names_reason(log.started, "by entry to function ", "vfs_mkdir"));
	WANT(names_reason(log.stopped, "by entry to function ", "vfs_rmdir"));
	/* The call that starts the run is in it. */
	i = tl_first_call(&log, hex(symbol("vfs_mkdir")));
	WANT(i >= 0);
	first = &log.rows[i];
	WANT(is_starting_call(&log, i));
	WANT(first->delta_ns > 0);
	WANT_EQ(first->pid, getpid());
	WANT_EQ(first->depth, 1);
	/* Its file system's own function, a static one, inside. */
	WANT_EQ(count_rows(&log, "ramfs_mkdir"), 1);
	return PASS;
}

static enum outcome entry_exit(void)
{
	struct tracelog log;
	long i;

	TRY(arm_and_start("trigger start entry vfs_mkdir\ntrigger stop exit vfs_mkdir"));
	WANT(kfi_state_is("complete"));
	TRY(wait_and_read_log(&log));
	remove_dir();
	WANT(names_reason(log.started, "by entry to function ", "vfs_mkdir"));
	WANT(names_reason(log.stopped, "by exit from function ", "vfs_mkdir"));
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	WANT_EQ(count_rows(&log, "ramfs_mkdir"), 1);
	i = tl_find(&log, hex(symbol("vfs_mkdir")), 0);
	WANT(is_starting_call(&log, i));
	WANT(log.rows[i].delta_ns > 0);
	return PASS;
}

static enum outcome exit_exit(void)
{
	struct tracelog log;

	TRY(arm_and_start("trigger start exit vfs_mkdir\ntrigger stop exit vfs_rmdir"));
	WANT(!kfi_state_is("complete"));
	WANT(remove_dir());
	TRY(wait_and_read_log(&log));
	WANT(names_reason(log.started, "by exit from function ", "vfs_mkdir"));
	WANT(names_reason(log.stopped, "by exit from function ", "vfs_rmdir"));
	WANT_EQ(count_rows(&log, "ramfs_mkdir"), 0);
	WANT_EQ(count_rows(&log, "vfs_rmdir"), 1);
	return PASS;
}

static enum outcome static_function(void)
{
	struct tracelog log;

	TRY(arm_run("trigger start entry ramfs_mkdir\ntrigger stop exit ramfs_mkdir"));
	WANT(make_dir());
	TRY(wait_and_read_log(&log));
	remove_dir();
	WANT(names_reason(log.started, "by entry to function ", "ramfs_mkdir"));
	WANT_EQ(count_rows(&log, "ramfs_mkdir"), 1);
	return PASS;
}

static enum outcome by_address(void)
{
	struct tracelog log;
	char items[200];

	WANT(symbol("vfs_mkdir"));
	snprintf(items, sizeof(items), "trigger start entry 0x%lx\ntrigger stop exit 0x%lx",
		 symbol("vfs_mkdir"), symbol("vfs_mkdir"));
	TRY(arm_run(items));
	WANT(make_dir());
	TRY(wait_and_read_log(&log));
	remove_dir();
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	return PASS;
}

static enum outcome stop_time(void)
{
	struct tracelog log;
	long long usec, begun = uptime_ms();
	size_t late = 0, after = 0, cpus = (size_t)sysconf(_SC_NPROCESSORS_ONLN);

	TRY(arm_and_start("trigger start entry vfs_mkdir\ntrigger stop time 50000"));
	sleep_ms(200);
	remove_dir();
	WANT(wait_state("complete"));
	begun = uptime_ms() - begun + 1;
	TRY(wait_and_read_log(&log));
	WANT(parse_usec(log.started) >= 0);
	usec = parse_usec(log.stopped) - parse_usec(log.started);
	WANT(usec >= 50000 && usec <= begun * 1000);
	WANT(strstr(log.stopped, "by time at 50000 usec from start trigger"));
	/*
	 * The first call after that time stops the run, however long the machine was idle. The hook
	 * of a call on another cpu may have begun before the stop, and read the clock after it.
	 */
	for (size_t i = 0; i < log.nr_rows; i++) {
		late += log.rows[i].entry_us > 50000;
		after += log.rows[i].entry_us > (uint64_t)usec;
	}
	WANT(late <= cpus);
	WANT(after < cpus);
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	return PASS;
}

static enum outcome start_time_past(void)
{
	struct tracelog log;

	TRY(arm_run("trigger start time 1000\ntrigger stop entry vfs_mkdir"));
	WANT(wait_state("triggered"));
	WANT(make_dir());
	remove_dir();
	TRY(wait_and_read_log(&log));
	WANT(log.started && strstr(log.started, "by time at 1000 usec"));
	WANT(log.nr_rows > 0);
	return PASS;
}

/* The trace clock may have begun seconds before the kernel's own: a short run tells its time. */
static enum outcome start_time_ahead(void)
{
	struct tracelog log;
	char items[100];
	long long now, begun = uptime_ms();
	bool early;

	WANT_EQ(kfi_write("new begin end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	now = parse_usec(log.started);
	WANT(now > 0);
	/* Reading that log may have taken seconds. */
	now += (uptime_ms() - begun) * 1000;
	begun = uptime_ms();
	snprintf(items, sizeof(items), "trigger start time %lld\ntrigger stop entry vfs_mkdir",
		 now + 5000000);
	TRY(arm_run(items));
	early = kfi_state_is("triggered");
	if (uptime_ms() > begun + 4000)
		return because(DISTURBED, "5 seconds were over before the run was looked at");
	WANT(!early);
	WANT(wait_state("triggered"));
	WANT(uptime_ms() > begun + 4000);
	WANT(make_dir());
	remove_dir();
	TRY(wait_and_read_log(&log));
	WANT(parse_usec(log.started) >= now + 5000000);
	WANT(log.started && strstr(log.started, "by time at "));
	WANT(log.nr_rows > 0);
	return PASS;
}

static enum outcome cmd_start_stop(void)
{
	struct tracelog log;

	WANT_EQ(kfi_write("new begin end"), 0);
	WANT(!kfi_state_is("primed"));
	WANT_EQ(kfi_write("start\n"), 0);
	WANT(kfi_state_is("triggered"));
	WANT(make_dir());
	remove_dir();
	WANT_EQ(kfi_write("stop\n"), 0);
	TRY(wait_and_read_log(&log));
	WANT(names_reason(log.started, "by user action", NULL));
	WANT(names_reason(log.stopped, "by user action", NULL));
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	WANT_EQ(count_rows(&log, "vfs_rmdir"), 1);
	return PASS;
}

/* Without a start trigger `prime` waits for `start`. */
static enum outcome no_trigger(void)
{
	struct tracelog log;

	TRY(arm_run("filter mintime 0"));
	sleep_ms(50);
	WANT(!kfi_state_is("triggered"));
	WANT_EQ(kfi_write("start"), 0);
	WANT(make_dir());
	remove_dir();
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	return PASS;
}

static enum outcome cmd_states(void)
{
	struct tracelog log;
	int id;

	/* With KASAN each allocation makes a thousand calls: a full log would end the session. */
	WANT_EQ(kfi_write("new begin " MKDIR_TO_RMDIR " overwrite end"), 0);
	id = kfi_run_id();
	WANT_EQ(kfi_write("start"), 0);
	/* While it runs nothing but `stop` is taken, and the run goes on. */
	WANT(kfi_write("start") < 0);
	WANT(kfi_write("prime") < 0);
	WANT_EQ(kfi_write("new begin end"), -EBUSY);
	WANT_EQ(kfi_run_id(), id);
	WANT(kfi_state_is("triggered"));
	WANT(!kfi_state_is("complete"));
	WANT_EQ(kfi_write("stop"), 0);
	WANT(kfi_state_is("complete"));
	/* A complete run is over: only a new one follows. */
	WANT(kfi_write("stop") < 0);
	WANT(kfi_write("start") < 0);
	TRY(wait_and_read_log(&log));
	WANT(log.nr_rows > 0);
	WANT_EQ(kfi_write("new begin " MKDIR_TO_RMDIR " end"), 0);
	WANT_EQ(kfi_run_id(), id + 1);
	WANT(!kfi_state_is("complete"));
	return PASS;
}

/* A complete run is primed again without a new block, and records anew. */
static enum outcome prime_again(void)
{
	struct tracelog log;
	int id;

	TRY(arm_run(MKDIR_TO_RMDIR "\nfilter funclist vfs_mkdir fend"));
	id = kfi_run_id();
	for (int i = 0; i < 3; i++) {
		WANT(make_dir());
		WANT(remove_dir());
		WANT(kfi_state_is("complete"));
		TRY(wait_and_read_log(&log));
		WANT_EQ(log.nr_rows, 1);
		WANT_EQ(kfi_run_id(), id + i);
		WANT_EQ(kfi_write("prime"), 0);
		WANT(kfi_state_is("primed"));
		WANT(!kfi_state_is("complete"));
		tl_free(&log);
	}
	return PASS;
}

/* A primed run that has not begun may be replaced. */
static enum outcome replace_primed(void)
{
	struct tracelog log;

	TRY(arm_run("trigger start entry vfs_rmdir\ntrigger stop exit vfs_rmdir"));
	TRY(arm_run("trigger start entry vfs_mkdir\ntrigger stop exit vfs_mkdir"));
	WANT(make_dir());
	remove_dir();
	TRY(wait_and_read_log(&log));
	WANT(names_reason(log.started, "by entry to function ", "vfs_mkdir"));
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	return PASS;
}

static enum outcome empty_log(struct tracelog *log)
{
	char why[200];
	char *text = read_whole_file("/proc/kfi_trace", 0);

	WANT(text);
	WANT(!tl_parse(log, text, why, sizeof(why)));
	WANT_EQ(log->nr_rows, 0);
	return PASS;
}

static enum outcome says_why_empty(void)
{
	struct tracelog log;

	WANT_EQ(kfi_write("new begin " MKDIR_TO_RMDIR " end"), 0);
	TRY(empty_log(&log));
	WANT(tl_note(&log, "never primed"));
	WANT_EQ(kfi_write("prime"), 0);
	TRY(empty_log(&log));
	WANT(tl_note(&log, "trigger was not seen"));
	return PASS;
}

/* The names and numbers of the status stand as they were written. */
static enum outcome status_text(void)
{
	static const char * const lines[] = {
		", not primed, not triggered, not complete\n",
		"\nconfig:\n",
		"  trigger start entry vfs_mkdir\n",
		"  trigger stop time 123456\n",
		"  filter mintime 7\n",
		"  filter maxtime 800\n",
		"  filter onlyints\n",
		"  filter funclist vfs_mkdir vfs_rmdir fend\n",
		"  logentries 1234\n",
	};
	char *text;

	WANT_EQ(kfi_write("new begin trigger start entry vfs_mkdir trigger stop time 123456\n"
			  "filter mintime 7 filter maxtime 800 filter onlyints\n"
			  "filter funclist vfs_mkdir vfs_rmdir fend logentries 1234 end"), 0);
	text = read_whole_file("/proc/kfi", 0);
	WANT(text);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		if (!strstr(text, lines[i]))
			return because(FAIL, "status has no \"%s\", it is: %.300s", lines[i], text);
	return PASS;
}

const struct guest_case trigger_cases[] = {
	{ "trigger_entry_entry", entry_entry },
	{ "trigger_entry_exit", entry_exit },
	{ "trigger_exit_exit", exit_exit },
	{ "trigger_static_function", static_function },
	{ "trigger_by_address", by_address },
	{ "trigger_stop_time", stop_time },
	{ "trigger_start_time_past", start_time_past },
	{ "trigger_start_time_ahead", start_time_ahead },
	{ "command_start_stop", cmd_start_stop },
	{ "command_no_trigger", no_trigger },
	{ "command_states", cmd_states },
	{ "command_prime_again", prime_again },
	{ "command_replace_primed", replace_primed },
	{ "reading_says_why_empty", says_why_empty },
	{ "status_text", status_text },
	{ NULL, NULL },
};
