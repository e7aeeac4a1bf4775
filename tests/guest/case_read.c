// SPDX-License-Identifier: GPL-2.0
/*
 * case_read.c - what can be read of a run: the raw log beside its text
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "guest.h"
#include "rawlog.h"

static enum outcome read_raw(struct tracelog *raw, size_t chunk, size_t *len)
{
	char why[200], *data = read_whole_bytes("/proc/kfi_raw", chunk, len);

	if (!data)
		return because(FAIL, "/proc/kfi_raw: %s", strerror(errno));
	if (raw_parse(raw, data, *len, why, sizeof(why))) {
		free(data);
		return because(FAIL, "/proc/kfi_raw: %s", why);
	}
	free(data);
	return PASS;
}

static bool same_row(const struct tl_row *a, const struct tl_row *b)
{
	return a->entry_us == b->entry_us && a->delta_us == b->delta_us &&
	       a->entry_ns == b->entry_ns && a->delta_ns == b->delta_ns &&
	       a->local_ns == b->local_ns && a->off_ns == b->off_ns && a->irq_ns == b->irq_ns &&
	       a->pid == b->pid && a->task == b->task && a->cpu == b->cpu &&
	       a->depth == b->depth && a->ctx == b->ctx && a->marks == b->marks &&
	       !strcmp(a->func, b->func) && !strcmp(a->caller, b->caller);
}

static bool same_event(const struct tl_event *a, const struct tl_event *b)
{
	return a->us == b->us && a->ns == b->ns && a->row == b->row && a->task == b->task &&
	       a->cpu == b->cpu && a->ctx == b->ctx && !strcmp(a->kind, b->kind) &&
	       !strcmp(a->args, b->args);
}

/* The raw log has the header of the text and row by row the same calls. */
static enum outcome compare_raw(const struct tracelog *text)
{
	struct tracelog raw;
	size_t len, i;

	TRY(read_raw(&raw, 1 << 16, &len));
	for (i = 0; i < text->nr_head && i < raw.nr_head; i++)
		if (strcmp(raw.head[i].name, text->head[i].name) ||
		    strcmp(raw.head[i].value, text->head[i].value))
			return because(FAIL, "header: %s = %s in the text, raw %s = %s",
				       text->head[i].name, text->head[i].value,
				       raw.head[i].name, raw.head[i].value);
	if (i < raw.nr_head || i < text->nr_head) {
		const struct tracelog *longer = i < raw.nr_head ? &raw : text;

		/* On a busy host the clock's watchdog wakes up late. */
		if (tl_note(&raw, "has found the tsc unstable") &&
		    !tl_note(text, "has found the tsc unstable"))
			return because(DISTURBED, "the tsc became unstable");
		return because(FAIL, "header: only %s has %s = %s",
			       longer == text ? "the text" : "raw", longer->head[i].name,
			       longer->head[i].value);
	}
	WANT_EQ(raw.nr_rows, text->nr_rows);
	for (i = 0; i < text->nr_rows; i++)
		if (!same_row(&raw.rows[i], &text->rows[i]))
			return because(FAIL, "row %zu: %s %llu %lld in the text, raw %s %llu %lld",
				       i, text->rows[i].func, (long long)text->rows[i].entry_ns,
				       (long long)text->rows[i].delta_ns, raw.rows[i].func,
				       (long long)raw.rows[i].entry_ns,
				       (long long)raw.rows[i].delta_ns);
	WANT_EQ(raw.nr_events, text->nr_events);
	for (i = 0; i < text->nr_events; i++)
		if (!same_event(&raw.events[i], &text->events[i]))
			return because(FAIL, "mark %zu: %llu %s %s in the text, raw %llu %s %s", i,
				       (long long)text->events[i].ns, text->events[i].kind,
				       text->events[i].args, (long long)raw.events[i].ns,
				       raw.events[i].kind, raw.events[i].args);
	tl_free(&raw);
	return PASS;
}

/* All kinds of calls: short and long, switched out, interrupted, of dead tasks, open. */
static enum outcome raw_rows(void)
{
	struct tracelog log;
	size_t text, raw, rows;

	WANT_EQ(kfi_write("new begin logentries 200000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	fork_children(3);
	sleep_ms(50);
	kfi_write("stop");
	TRY(wait_and_read_log(&log));
	rows = log.nr_rows;
	WANT(rows > 1000);
	WANT(tl_num(&log, "Calls open") > 0);
	TRY(compare_raw(&log));
	tl_free(&log);
	free(read_whole_bytes("/proc/kfi_trace", 1 << 16, &text));
	free(read_whole_bytes("/proc/kfi_raw", 1 << 16, &raw));
	printf("# %zu rows: %zu bytes of text, %zu raw\n", rows, text, raw);
	WANT(raw < text / 4);
	return PASS;
}

/* Chunks that were taken again, in the order of that. */
static enum outcome raw_overwrite(void)
{
	struct tracelog log;

	WANT_EQ(kfi_write("new begin overwrite logentries 3000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	fork_children(3);
	TRY(read_log(&log));
	WANT(log.running && tl_num(&log, "Lost to overwriting") > 0);
	tl_free(&log);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	WANT(tl_num(&log, "Lost to overwriting") > 0 && log.nr_rows > 1000);
	TRY(compare_raw(&log));
	tl_free(&log);
	return PASS;
}

/* The recorder keeps a little too much; a reader drops that, and then the header is right. */
static enum outcome raw_filter(void)
{
	struct tracelog log;

	WANT_EQ(kfi_write("new begin filter mintime 20 filter maxtime 30 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	fork_children(20);
	kfi_write("stop");
	TRY(wait_and_read_log(&log));
	WANT(log.nr_rows > 20 && tl_num(&log, "Execution time filter count") > 20);
	TRY(compare_raw(&log));
	tl_free(&log);
	return PASS;
}

/* Marks and rows of a watch are in it, too. */
static enum outcome raw_marks(void)
{
	bool record = is_after_inlining();
	struct tracelog log;
	char text[300];
	long waking;

	TRY(module_load());
	TRY(module_unload());
	snprintf(text, sizeof(text),
		 "new begin mark switches syscalls initcalls wakeups callers watch stack 65536\n"
		 "filter mintime 20 trigger stop entry vfs_mkdir%s logentries 1000000 end",
		 record ? " record args 10 ret ksys_dup3 fend" : "");
	WANT_EQ(kfi_write(text), 0);
	WANT_EQ(kfi_write("start"), 0);
	fork_children(2);
	TRY(module_load());
	syscall(SYS_dup3, -1, -1, 0);
	WANT_EQ(kfi_write("mark of 1  2\n"), 0);
	WANT(make_dir());
	WANT(remove_dir());
	TRY(wait_and_read_log(&log));
	TRY(module_unload());
	WANT(tl_find_event(&log, "switch", "", 0) >= 0);
	WANT_EQ(tl_find_event(&log, "syscall", "", 0) >= 0, can_mark_syscalls());
	WANT_EQ(tl_find_event(&log, "sysret", "", 0) >= 0, can_mark_syscalls());
	WANT(tl_find_event(&log, "initcall", "", 0) >= 0);
	waking = tl_find_event(&log, "wakeup", "", 0);
	WANT(waking >= 0 && strstr(log.events[waking].args, " 0x"));
	WANT(tl_find_event(&log, "new", "", 0) >= 0);
	WANT(tl_find_event(&log, "mark", "of 1  2", 0) >= 0);
	WANT(tl_find_event(&log, "callers", hex(symbol("vfs_mkdir")), 0) >= 0);
	WANT_EQ(tl_find_event(&log, "args", hex(symbol("ksys_dup3")), 0) >= 0, record);
	WANT_EQ(tl_find_event(&log, "ret", hex(symbol("ksys_dup3")), 0) >= 0, record);
	WANT(tl_num(&log, "Watch rows") > 100 && tl_num(&log, "Calls kept") > 10);
	TRY(compare_raw(&log));
	tl_free(&log);
	return PASS;
}

/* However it is read, in pieces that cut everything, it is the same file. */
static enum outcome raw_pieces(void)
{
	size_t lens[2], i;
	struct tracelog raw;
	char *data[2];

	TRY(arm_run("trigger start entry vfs_mkdir\ntrigger stop exit vfs_mkdir"));
	make_dir();
	remove_dir();
	WANT(wait_state("complete"));
	for (i = 0; i < 2; i++) {
		data[i] = read_whole_bytes("/proc/kfi_raw", i ? 7 : 1 << 16, &lens[i]);
		WANT(data[i]);
	}
	WANT_EQ(lens[0], lens[1]);
	WANT(!memcmp(data[0], data[1], lens[0]));
	TRY(read_raw(&raw, 1 << 16, &lens[0]));
	WANT_EQ(count_rows(&raw, "vfs_mkdir"), 1);
	return PASS;
}

/* Before there is anything to be read: a header without rows. */
static enum outcome raw_waiting(void)
{
	struct tracelog raw;
	size_t len;

	TRY(arm_run("trigger start entry vfs_mkdir"));
	TRY(read_raw(&raw, 1 << 16, &len));
	WANT_EQ(raw.nr_rows, 0);
	WANT(raw.header_complete && !raw.started);
	WANT(tl_note(&raw, "the start trigger was not seen yet"));
	tl_free(&raw);
	return PASS;
}

/* ---- snapshots ---- */

static long long clock_rate(const struct tracelog *log)
{
	return tl_num(log, "Clock rate");
}

/* Every call that was over in the snapshot is in the log of the run, as it was. */
static enum outcome is_snapshot_of(const struct tracelog *snap, const struct tracelog *log)
{
	size_t i, j, from = 0;

	for (i = 0; i < snap->nr_rows; i++) {
		const struct tl_row *r = &snap->rows[i];

		if (r->marks & TL_OPEN)
			continue;
		/* Both are in order of entry. */
		while (from < log->nr_rows && log->rows[from].entry_ns < r->entry_ns)
			from++;
		for (j = from; j < log->nr_rows && log->rows[j].entry_ns == r->entry_ns; j++)
			if (same_row(r, &log->rows[j]))
				break;
		if (j == log->nr_rows || log->rows[j].entry_ns != r->entry_ns)
			return because(FAIL, "%s at %lld ns for %lld is in the snapshot, not in the log",
				       r->func, (long long)r->entry_ns, (long long)r->delta_ns);
	}
	return PASS;
}

/* Forks until SIGTERM, or until the case has ended. */
static void fork_until_sigterm(int unused)
{
	(void)unused;
	catch_sigterm();
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	while (!sigterm_received())
		fork_children(1);
}

/* For how many usec all cpus stood still at most for one of the last check_headers(). */
static long long longest_still;

/* Open @n snapshots and check only their headers: do the counters add up? */
static enum outcome check_headers(int n)
{
	char buf[16384], why[200];
	struct tracelog log;
	long long still;

	longest_still = 0;
	while (n--) {
		int fd = open("/proc/kfi_trace", O_RDONLY);
		char *end;
		ssize_t len = 0, got;

		WANT(fd >= 0);
		while ((got = read(fd, buf + len, sizeof(buf) - 1 - len)) > 0)
			len += got;
		close(fd);
		buf[len] = 0;
		end = strstr(buf, "\n\n Entry");
		WANT(end);
		*end = 0;
		end = strstr(buf, "stood still for ");
		WANT(end && sscanf(end, "stood still for %lld", &still) == 1);
		longest_still = still > longest_still ? still : longest_still;
		WANT(!tl_parse(&log, strdup(buf), why, sizeof(why)));
		WANT(log.running);
		WANT_EQ(tl_num(&log, "Calls seen"),
			tl_num(&log, "Calls kept") + tl_num(&log, "Calls filtered") +
			tl_num(&log, "Calls lost") + tl_num(&log, "Calls open"));
		tl_free(&log);
	}
	return PASS;
}

#define SNAPSHOTS	3

/* Under load on every cpu: each snapshot can be true, and the run does not mind. */
static enum outcome snapshots(void)
{
	struct tracelog snap[SNAPSHOTS], log;
	long long seen = 0;
	long long begun = uptime_ms(), mintime;
	char text[100];
	pid_t pids[3];
	int i;

	if (time_is_exact())
		return because(SKIP, "needs cpus that run at once");
	/* A slow machine has long calls and slow snapshots: what is kept must have room. */
	fork_children(10);
	mintime = (uptime_ms() - begun) * 1000 / 10;
	snprintf(text, sizeof(text), "new begin logentries 200000 filter mintime %lld end",
		 mintime > scale_timeout(1000) ? mintime : scale_timeout(1000));
	WANT_EQ(kfi_write(text), 0);
	for (i = 0; i < 3; i++)
		pids[i] = start_in_background(fork_until_sigterm, 0);
	WANT_EQ(kfi_write("start"), 0);
	for (i = 0; i < SNAPSHOTS; i++) {
		sleep_ms(50);
		TRY(check_headers(8));
		TRY(read_log(&snap[i]));
		WANT(snap[i].running && !snap[i].stopped);
		WANT(snap[i].nr_rows > 10);
		WANT(tl_num(&snap[i], "Calls seen") > seen);
		WANT(tl_num(&snap[i], "Calls open") > 0);
		seen = tl_num(&snap[i], "Calls seen");
		/* The status is no snapshot. */
		WANT(kfi_state_is("triggered") && !kfi_state_is("complete"));
	}
	WANT_EQ(kfi_write("stop"), 0);
	for (i = 0; i < 3; i++) {
		kill(pids[i], SIGTERM);
		waitpid(pids[i], NULL, 0);
	}
	TRY(wait_and_read_log(&log));
	WANT(!log.running && log.stopped);
	TRY(lost_nothing(&log, NULL));
	WANT(tl_num(&log, "Calls seen") > seen);
	for (i = 0; i < SNAPSHOTS; i++) {
		WANT(tl_num(&log, "Calls kept") >= tl_num(&snap[i], "Calls kept"));
		/* The rate may have been refined between, and all times with it. */
		if (clock_rate(&snap[i]) == clock_rate(&log))
			TRY(is_snapshot_of(&snap[i], &log));
		tl_free(&snap[i]);
	}
	tl_free(&log);
	return PASS;
}

static int reader_pipe[2];

static void read_one_byte(int unused)
{
	char c;

	(void)unused;
	if (read(reader_pipe[0], &c, 1) != 1)
		_exit(1);
}

/* The row of vfs_read() of a task in which it waited, or -1. */
static long find_waiting_read(const struct tracelog *log, pid_t pid)
{
	const char *func = hex(symbol("vfs_read"));
	long i = -1;

	while ((i = tl_find(log, func, i + 1)) >= 0)
		if (log->rows[i].task == pid &&
		    (log->rows[i].marks == TL_OPEN || log->rows[i].off_ns > 0))
			break;
	return i;
}

static pid_t reader;

static bool reader_sleeps(void)
{
	return task_sleeps(reader);
}

/* What is open in a snapshot goes on: the reader is not over, then over, in one piece. */
static enum outcome snapshot_open(void)
{
	struct tracelog snap, log;
	long long slept;
	long i;

	WANT(!pipe(reader_pipe));
	WANT_EQ(kfi_write("new begin filter mintime 1000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	reader = start_in_background(read_one_byte, 0);
	WANT(wait_until(reader_sleeps));
	slept = -uptime_ms();
	sleep_ms(20);
	TRY(read_log(&snap));
	slept += uptime_ms();
	WANT(write(reader_pipe[1], "x", 1) == 1);
	waitpid(reader, NULL, 0);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	i = find_waiting_read(&snap, reader);
	WANT(i >= 0);
	WANT(snap.rows[i].marks == TL_OPEN);
	i = find_waiting_read(&log, reader);
	WANT(i >= 0);
	WANT(!log.rows[i].marks && log.rows[i].delta_ns / 1000000 >= slept - slept / 100 - 1);
	tl_free(&snap);
	tl_free(&log);
	return PASS;
}

/* A snapshot stays what it is while it is read, whatever becomes of its run. */
static enum outcome snapshot_outlives(void)
{
	int fd, again;
	struct tracelog snap;
	char buf[64], *text;

	WANT_EQ(kfi_write("new begin filter mintime 100 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	fork_children(3);
	fd = open("/proc/kfi_trace", O_RDONLY);
	WANT(fd >= 0);
	WANT(read(fd, buf, sizeof(buf)) == sizeof(buf));
	WANT_EQ(kfi_write("stop"), 0);
	WANT_EQ(kfi_write("new begin end"), 0);
	again = open("/proc/kfi_trace", O_RDONLY);
	WANT(again >= 0);
	text = calloc(1, 1 << 22);
	WANT(text);
	memcpy(text, buf, sizeof(buf));
	for (size_t at = sizeof(buf); at < (1 << 22) - 1; ) {
		ssize_t n = read(fd, text + at, (1 << 22) - 1 - at);

		WANT(n >= 0);
		if (!n)
			break;
		at += n;
	}
	close(fd);
	close(again);
	TRY(parse_and_check_log(&snap, text, "the snapshot"));
	WANT(tl_note(&snap, "snapshot of a live run at "));
	WANT(snap.nr_rows > 0);
	return PASS;
}

/* The raw log of a live run is one, too. */
static enum outcome snapshot_raw(void)
{
	struct tracelog raw;
	size_t len;
	pid_t pid = start_in_background(fork_until_sigterm, 0);

	WANT_EQ(kfi_write("new begin overwrite logentries 20000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	fork_children(1);
	TRY(read_raw(&raw, 1 << 16, &len));
	WANT(raw.running && raw.nr_rows > 100);
	WANT_EQ(tl_check(&raw, stderr), 0);
	WANT_EQ(kfi_write("stop"), 0);
	kill(pid, SIGTERM);
	waitpid(pid, NULL, 0);
	tl_free(&raw);
	return PASS;
}

/* The memory for a copy of a large log takes many calls, which are recorded, too. */
static enum outcome snapshot_large(void)
{
	static char piece[1 << 16];
	long calls = calls_of_a_fork();
	/* With KCSAN a snapshot makes five calls for each that it has. */
	bool kcsan = has_kcsan();
	char conf[100];
	size_t raw = 0;
	ssize_t n;
	int fd;

	WANT(calls > 0);
	/* Without ticks and what they wake, which would fill the log of a large or slow kernel. */
	snprintf(conf, sizeof(conf),
		 "new begin logentries %ld filter noints filter pid %d children end",
		 kcsan ? 3000000 : 1000000 + 10 * calls, (int)getpid());
	WANT_EQ(kfi_write(conf), 0);
	WANT_EQ(kfi_write("start"), 0);
	fork_children((int)(220000 / calls) + 1);
	for (int i = 0; i < (kcsan ? 1 : 2); i++) {
		fd = open("/proc/kfi_raw", O_RDONLY);
		WANT(fd >= 0);
		for (raw = 0; (n = read(fd, piece, sizeof(piece))) > 0;)
			raw += (size_t)n;
		close(fd);
		if (n < 0 || raw < 3000000 || kfi_state_is("complete"))
			return because(FAIL, "snapshot %d: %zu bytes%s", i + 1, raw,
				       kfi_state_is("complete") ? ", and the log is full" : "");
	}
	WANT_EQ(kfi_write("stop"), 0);
	return PASS;
}

/*
 * A snapshot has exact time limits, the session goes on with those that it had: a call that is a
 * hundredth too short is recorded, and dropped when all is collected.
 */
static enum outcome snapshot_mintime(void)
{
	unsigned long addr;
	struct tracelog log;
	long long used, room;
	long i, late = 0;

	if (!time_is_exact())
		return skip_inexact_time();
	TRY(module_load());
	WANT_EQ(kfi_write("new begin filter mintime 1000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	TRY(read_log(&log));
	WANT(log.running);
	used = tl_num(&log, "Log memory");
	room = tl_of(&log, "Log memory");
	tl_free(&log);
	WANT_EQ(module_command("spin 1000"), 0);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	WANT_EQ(count_rows(&log, "kfi_test_spins"), 1);
	/* Those that the timer, or a slow clock, has made longer are left. */
	addr = symbol("kfi_test_spin");
	for (i = -1; (i = tl_find(&log, hex(addr), i + 1)) >= 0; late++)
		WANT(log.rows[i].delta_ns >= 999999);
	if (late >= 500) {
		tl_free(&log);
		TRY(module_unload());
		return because(SKIP, "calls that are to take 990 us take 1000");
	}
	/* The memory of 1000 records. */
	printf("# %lld bytes of records, then %lld\n", used, tl_num(&log, "Log memory"));
	WANT(tl_num(&log, "Log memory") >= used + 20 * 1000);
	/* A snapshot says how much memory the session has, not its own. */
	WANT_EQ(room, tl_of(&log, "Log memory"));
	tl_free(&log);
	return module_unload();
}

static void send_nmis(int n)
{
	char command[40];

	/* The last cpu is the one that gets them. */
	use_cpu(0);
	snprintf(command, sizeof(command), "nmi %d", n);
	for (;;)
		module_command(command);
}

/* NMIs come where nothing else does: between the words that are copied. */
static enum outcome snapshot_nmi(void)
{
	struct tracelog snap;
	long nmi = 0;
	pid_t pid;

	TRY(module_load());
	if (module_command("nmi 1")) {
		TRY(module_unload());
		return because(SKIP, "no NMIs here");
	}
	WANT_EQ(kfi_write("new begin filter funclist kfi_test_nmi kfi_test_nmi_work end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	pid = start_in_background(send_nmis, 50);
	for (int i = 0; i < 4; i++) {
		TRY(read_log(&snap));
		TRY(check_headers(8));
		WANT(snap.running);
		for (size_t j = 0; j < snap.nr_rows; j++)
			nmi += snap.rows[j].ctx == 'n';
		tl_free(&snap);
	}
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	kfi_write("stop");
	TRY(wait_and_read_log(&snap));
	WANT(nmi > 0);
	tl_free(&snap);
	return module_unload();
}

static void exchange_nmis(int n)
{
	char command[40];

	snprintf(command, sizeof(command), "pingpong %d", n);
	for (;;)
		module_command(command);
}

/* They come all the time, and to copy a ring that wraps takes longer than from one to the next. */
static enum outcome snapshot_nmis(void)
{
	struct tracelog log;
	long long lost;
	pid_t pid;

	TRY(module_load());
	if (module_command("pingpong 1")) {
		TRY(module_unload());
		return because(SKIP, "no NMIs here");
	}
	WANT_EQ(kfi_write("new begin overwrite logentries 50000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	WANT_EQ(module_command("call 20000"), 0);
	TRY(check_headers(20));
	printf("# all cpus stood still for at most %lld usec", longest_still);
	pid = start_in_background(exchange_nmis, 2000);
	TRY(check_headers(20));
	printf(", while NMIs came for %lld\n", longest_still);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	kfi_write("stop");
	TRY(wait_and_read_log(&log));
	lost = tl_num(&log, "Lost to snapshot");
	tl_free(&log);
	TRY(module_unload());
	return lost ? PASS : because(DISTURBED, "no NMI came while all cpus stood still");
}

/* ---- the cost of a hook ---- */

static int parse_hook_cost(const struct tracelog *log, double *kept, double *filtered)
{
	const char *text = tl_text(log, "Callout cost");

	return text ? sscanf(text, "%lf ns kept, %lf ns filtered", kept, filtered) : 0;
}

/* The least ns that @command takes, of many short trials since a tick may come each millisecond. */
static double least_module_ns(const char *command)
{
	double best = 1e18;

	for (int i = 0; i < 40; i++) {
		double ns;

		if (module_command(command))
			return -1;
		ns = module_result("took", 0);
		if (ns < best)
			best = ns;
	}
	return best;
}

/*
 * The time in ns of a call. "call 10" makes 50 calls, "call 20" 100: the difference leaves out
 * what a trial takes besides, as the read of the clock, whose functions have hooks too. On the slow
 * path 200 calls would take as long as there is between two ticks.
 */
static double measure_module_call_ns(void)
{
	return (least_module_ns("call 20") - least_module_ns("call 10")) / 50;
}

/* On arm64 a module that is more than 128 MiB away takes three instructions more to call a hook. */
static bool is_module_far(void)
{
#ifdef __aarch64__
	return llabs((long long)(symbol("kfi_test_outer") - symbol("kfi_entry"))) > 128 << 20;
#else
	return false;
#endif
}

/*
 * What the header says of calls that are filtered is what calls of a module take longer, which take
 * @off ns without recording. Before inlining the hooks have arguments, which the header counts.
 */
static enum outcome filtered_cost(const char *conf, double off)
{
	double kept, filtered, on, percent;
	struct tracelog log;
	const char *when;

	WANT_EQ(kfi_write(conf), 0);
	WANT_EQ(kfi_write("start"), 0);
	on = measure_module_call_ns();
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	WANT_EQ(parse_hook_cost(&log, &kept, &filtered), 2);
	when = tl_text(&log, "Instrumented");
	percent = when && !strcmp(when, "after inlining") ? 6 : 20;
	if (is_module_far())
		percent += 6;
	printf("# a filtered call of a module takes %.0f ns more; header: %.0f\n", on - off,
	       filtered);
	tl_free(&log);
	if (filtered < (on - off) * (100 - percent) / 100 ||
	    filtered > (on - off) * (100 + percent) / 100)
		return because(FAIL, "%s: the header says %.0f ns, calls take %.0f more", conf,
			       filtered, on - off);
	return PASS;
}

/* What the header says is about what calls of a module take longer while they are recorded. */
static enum outcome cost(void)
{
	double kept, filtered, off, full;
	struct tracelog log;

	if (!time_is_exact())
		return skip_inexact_time();
	TRY(module_load());
	off = measure_module_call_ns();
	TRY(filtered_cost("new begin filter mintime 60s end", off));
	/* An entry compares its function with that of the trigger, which may be the recorder's. */
	TRY(filtered_cost("new begin trigger stop entry to_userspace filter mintime 60s end", off));
	TRY(filtered_cost("new begin trigger stop entry kfi_hook_interrupts filter mintime 60s end",
			  off));
	TRY(filtered_cost("new begin overwrite filter mintime 60s end", off));
	/* The slow path: of exits, of all hooks. */
	TRY(filtered_cost("new begin profile filter mintime 60s end", off));
	TRY(filtered_cost("new begin trigger stop time 1000s filter mintime 60s end", off));
	WANT_EQ(kfi_write("new begin logentries 200000 filter noints end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	full = measure_module_call_ns();
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	TRY(lost_nothing(&log, NULL));
	WANT_EQ(parse_hook_cost(&log, &kept, &filtered), 2);
	printf("# a call of a module takes %.0f ns, %.0f kept; header: %.0f\n", off, full, kept);
	WANT(filtered > 0 && filtered <= kept * 1.5 && kept < 100000);
	if (kept < (full - off) / 4 || kept > (full - off) * 4)
		return because(FAIL, "kept: the header says %.0f ns, calls take %.0f more", kept,
			       full - off);
	tl_free(&log);
	return module_unload();
}

/* A file that was opened while the run waited says so, though it starts before it is read. */
static enum outcome opened_before(void)
{
	static char text[1 << 14];
	ssize_t n;
	int fd;

	WANT_EQ(kfi_write("new begin end"), 0);
	fd = open("/proc/kfi_trace", O_RDONLY);
	WANT(fd >= 0);
	WANT_EQ(kfi_write("start"), 0);
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	kfi_write("stop");
	WANT(n > 0);
	WANT(strstr(text, "Logging not yet triggered\n"));
	WANT(!strstr(text, "Logging is running") && !strstr(text, "Logging st"));
	WANT(!strstr(text, "snapshot"));
	return PASS;
}

/* ---- reading a large log leaves the processor to others ---- */

/* In memory shared with measure_longest_wait(): the longest time for which it did not run. */
static volatile long long *longest_wait;

static long long clock_ns(clockid_t clock)
{
	struct timespec ts;

	clock_gettime(clock, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static void measure_longest_wait(int unused)
{
	long long last = clock_ns(CLOCK_MONOTONIC), now;

	(void)unused;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;; last = now) {
		now = clock_ns(CLOCK_MONOTONIC);
		if (now - last > *longest_wait)
			*longest_wait = now - last;
	}
}

/* Read the end of a file, from where it is opened: all before is printed, and thrown away. */
static enum outcome open_and_seek(const char *path, long long *open_ns, long long *seek_ns)
{
	long long from = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	int fd = open(path, O_RDONLY);
	char c;

	WANT(fd >= 0);
	*open_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - from;
	from = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
	WANT_EQ(pread(fd, &c, 1, 12000000), 1);
	*seek_ns = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - from;
	close(fd);
	return PASS;
}

/*
 * A process that is always ready to run waits no longer for one that sorts a log, or looks for a
 * place in it, than for any other: both take far longer than it may have to wait.
 */
static enum outcome yields_cpu(void)
{
	long long open_ns = 0, seek_ns = 0;
	enum outcome out;
	pid_t pid;

	if (!time_is_exact())
		return skip_inexact_time();
	longest_wait = mmap(NULL, sizeof(*longest_wait), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	WANT(longest_wait != MAP_FAILED);
	WANT_EQ(kfi_write("new begin logentries 60000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	/* Until it is full. To ask would collect it. */
	fork_children(60);
	pid = start_in_background(measure_longest_wait, 0);
	sleep_ms(50);
	*longest_wait = 0;
	out = open_and_seek("/proc/kfi_trace", &open_ns, &seek_ns);
	printf("# opening took %lld ms, seeking %lld ms; another process waited %lld ms\n",
	       open_ns / 1000000, seek_ns / 1000000, *longest_wait / 1000000);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	TRY(out);
	WANT(open_ns > 200000000 && seek_ns > 200000000);
	WANT(*longest_wait < 60000000);
	return PASS;
}

/*
 * What a process that holds memory leaves, in KiB: the kernel does not give the last few MiB away.
 * The index of MANY_ROWS rows is larger.
 */
#define LEFT_KB		12288
#define MANY_ROWS	1500000

/*
 * Linux reserves so much that LEFT_KB could never be reached: where there are huge pages, and below
 * 16 MB (ZONE_DMA) a share of all memory.
 */
static enum outcome reserve_little(void)
{
	const char *path = "/proc/sys/vm/min_free_kbytes";
	char *text = read_whole_file(path, 0);
	bool much = text && atol(text) > LEFT_KB / 2;
	FILE *f;

	free(text);
	if (much) {
		f = fopen(path, "w");
		WANT(f && fprintf(f, "%d\n", LEFT_KB / 4) > 0 && !fclose(f));
	}
	f = fopen("/proc/sys/vm/lowmem_reserve_ratio", "w");
	WANT(!f || (fputs("0 0\n", f) > 0 && !fclose(f)));
	return PASS;
}

/* Holds all memory but LEFT_KB, says so by a byte, and waits. */
static void hold_memory(int fd)
{
	const size_t size = 1 << 17;

	while (meminfo_kb("MemFree") > LEFT_KB) {
		char *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				-1, 0);

		if (at == MAP_FAILED)
			break;
		memset(at, 1, size);
	}
	if (write(fd, "", 1) == 1)
		for (;;)
			pause();
}

/*
 * If there is no memory for the index of a large log, the read fails, and can be repeated. No
 * process is killed for the index.
 */
static enum outcome without_memory(void)
{
	char text[80], c;
	int to[2], fd, err, status;
	pid_t pid;

	if (!time_is_exact())
		return because(SKIP, "another task may need memory in the meantime");
	if (meminfo_kb("HighTotal") || meminfo_kb("CmaTotal"))
		return because(SKIP, "a part of the memory is not for the kernel");
	TRY(module_load());
	snprintf(text, sizeof(text), "new begin filter noints logentries %d end", MANY_ROWS);
	WANT_EQ(kfi_write(text), 0);
	WANT_EQ(kfi_write("start"), 0);
	/* Until it is full. To read the status would collect it. */
	while (!kfi_write("mark more"))
		WANT_EQ(module_command("call 10000"), 0);
	WANT_EQ(pipe(to), 0);
	TRY(reserve_little());
	/* Free pages that another cpu keeps for itself would not be given to this one. */
	use_cpu(0);
	pid = fork();
	if (!pid)
		hold_memory(to[1]);
	close(to[1]);
	WANT_EQ(read(to[0], &c, 1), 1);
	fd = open("/proc/kfi_trace", O_RDONLY);
	err = fd < 0 ? errno : 0;
	close(fd);
	if (waitpid(pid, &status, WNOHANG))
		return because(FAIL, "the process that held memory was killed; open: %s",
			       strerror(err));
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	WANT_EQ(err, ENOMEM);
	fd = open("/proc/kfi_trace", O_RDONLY);
	WANT(fd >= 0);
	close(fd);
	return PASS;
}

const struct guest_case read_cases[] = {
	{ "read_opened_before", opened_before },
	{ "read_raw_rows", raw_rows },
	{ "read_raw_overwrite", raw_overwrite },
	{ "read_raw_filter", raw_filter },
	{ "read_raw_marks", raw_marks },
	{ "read_raw_pieces", raw_pieces },
	{ "read_raw_waiting", raw_waiting },
	{ "read_snapshots", snapshots },
	{ "read_snapshot_open", snapshot_open },
	{ "read_snapshot_outlives", snapshot_outlives },
	{ "read_snapshot_raw", snapshot_raw },
	{ "read_snapshot_large", snapshot_large },
	{ "read_snapshot_mintime", snapshot_mintime },
	{ "read_snapshot_nmi", snapshot_nmi },
	{ "read_snapshot_nmis", snapshot_nmis },
	{ "read_cost", cost },
	{ "read_yields_cpu", yields_cpu },
	{ "read_without_memory", without_memory },
	{ NULL, NULL },
};
