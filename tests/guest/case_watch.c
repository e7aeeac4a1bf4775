// SPDX-License-Identifier: GPL-2.0
/*
 * case_watch.c - who is entered with little of the kernel stack left
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

static enum outcome record_mkdir(const char *items, struct tracelog *log)
{
	char text[300];

	snprintf(text, sizeof(text), "new begin\n%s\nend\n", items);
	WANT_EQ(kfi_write(text), 0);
	WANT_EQ(kfi_write("start"), 0);
	make_dir();
	remove_dir();
	kfi_write("stop");
	return wait_and_read_log(log);
}

/* "N bytes free, task N, at entry to function 0x..." of the header. */
static enum outcome parse_lowest(const struct tracelog *log, unsigned int *bytes, int *task,
				 char func[32])
{
	const char *s = tl_text(log, "Watch lowest");

	WANT(s);
	WANT(sscanf(s, "%u bytes free, task %d, at entry to function %31s", bytes, task,
		    func) == 3);
	return PASS;
}

/* Every call finds fewer bytes than the largest stack has, whatever the filters say. */
static enum outcome all(void)
{
	struct tracelog log;
	unsigned int bytes;
	char func[32];
	long i;
	int task;

	TRY(record_mkdir("watch stack 65536\nfilter funclist vfs_mkdir\nlogentries 200000", &log));
	WANT(tl_num(&log, "Watch rows") > 50);
	WANT_EQ(tl_num(&log, "Watch rows lost"), 0);
	WANT_EQ(tl_num(&log, "Calls kept"), 1);
	i = tl_find(&log, hex(symbol("vfs_rmdir")), 0);
	WANT(i >= 0);
	WANT_EQ(log.rows[i].marks, TL_STACK);
	WANT_EQ(log.rows[i].delta_us, -2);
	/* vfs_mkdir is there twice: as a call, and as a row of the watch. */
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 2);
	TRY(parse_lowest(&log, &bytes, &task, func));
	WANT(bytes > 500 && bytes < 32768);
	WANT(tl_find(&log, func, 0) >= 0);
	return PASS;
}

/* A call on the stack is reported once, not again with each call below it. */
static enum outcome once(void)
{
	struct tracelog log;
	size_t i, again = 0, rows = 0;

	TRY(record_mkdir("watch stack 65536\nfilter funclist vfs_mkdir\nlogentries 200000", &log));
	for (i = 0; i < log.nr_rows; i++) {
		const struct tl_row *r = &log.rows[i];
		size_t j;

		if (!(r->marks & TL_STACK) || r->task != getpid())
			continue;
		rows++;
		for (j = i + 1; j < log.nr_rows && log.rows[j].entry_ns == r->entry_ns; j++)
			again += (log.rows[j].marks & TL_STACK) && log.rows[j].task == r->task &&
				 log.rows[j].depth == r->depth;
	}
	WANT(rows > 50);
	/* An interrupt between a call and its own report may report it before. */
	if (again > rows / 100)
		return because(FAIL, "%zu of %zu rows are there twice", again, rows);
	return PASS;
}

/* Nothing is reported that finds more than what is asked for. */
static enum outcome none(void)
{
	struct tracelog log;

	TRY(record_mkdir("watch stack 1", &log));
	WANT_EQ(tl_num(&log, "Watch rows"), 0);
	WANT(!tl_text(&log, "Watch lowest"));
	WANT(log.nr_rows > 50);
	return PASS;
}

/* Whether a watch has reported another task, or an interrupt. */
static bool others_reported(const struct tracelog *log)
{
	for (size_t i = 0; i < log->nr_rows; i++) {
		const struct tl_row *r = &log->rows[i];

		if ((r->marks & TL_STACK) && (r->task != getpid() || r->ctx != 't'))
			return true;
	}
	return false;
}

/* Each report is of fewer bytes than all before; the last is what header and status say. */
static enum outcome worst(void)
{
	struct tracelog log;
	unsigned int bytes, again;
	char func[32], *status, *line;
	long stacks;
	int task;

	/*
	 * From vfs_mkdir() on: the write of "start" may have had less stack than mkdir() will have,
	 * and Linux may move the stack by up to a KiB at each system call.
	 */
	TRY(arm_run("trigger start entry vfs_mkdir\nwatch worst-stack\nfilter funclist vfs_mkdir"));
	make_dir();
	remove_dir();
	kfi_write("stop");
	TRY(wait_and_read_log(&log));
	stacks = tl_num(&log, "Watch rows");
	if (stacks <= 3 && others_reported(&log))
		return because(DISTURBED, "another call had less stack than mkdir() has");
	WANT(stacks > 3);
	TRY(parse_lowest(&log, &bytes, &task, func));
	status = read_whole_file("/proc/kfi", 0);
	line = status ? strstr(status, "Watch lowest = ") : NULL;
	WANT(line && sscanf(line, "Watch lowest = %u bytes free", &again) == 1);
	WANT_EQ(again, bytes);
	free(status);
	WANT(tl_find(&log, func, 0) >= 0);
	tl_free(&log);

	/* What nobody fell below is not reported. */
	char items[80];

	snprintf(items, sizeof(items), "watch worst-stack %u\nfilter funclist vfs_mkdir",
		 bytes / 2);
	TRY(record_mkdir(items, &log));
	WANT_EQ(tl_num(&log, "Watch rows"), 0);
	return PASS;
}

const struct guest_case watch_cases[] = {
	{ "watch_all", all },
	{ "watch_once", once },
	{ "watch_none", none },
	{ "watch_worst", worst },
	{ NULL, NULL },
};
