// SPDX-License-Identifier: GPL-2.0
/*
 * case_static.c - the run that was compiled in, and reading before any other
 *
 * These come first: a configuration written to /proc/kfi replaces the static run.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

static bool static_run(void)
{
	return kfi_run_id() == 0;
}

/* Without a compiled-in run there is nothing to read, and the files say so. */
static enum outcome no_run(void)
{
	struct tracelog log;
	char why[200], *text;

	if (static_run())
		return because(SKIP, "this kernel has a static run");
	text = read_whole_file("/proc/kfi", 0);
	WANT(text && strstr(text, "No logging run registered"));
	WANT(kfi_write("prime") == -22);
	WANT(kfi_write("start") == -22);
	WANT(kfi_write("stop") == -22);
	text = read_whole_file("/proc/kfi_trace", 0);
	WANT(text);
	WANT(!tl_parse(&log, text, why, sizeof(why)));
	WANT_EQ(log.nr_rows, 0);
	return PASS;
}

static enum outcome static_status(void)
{
	static const char * const lines[] = {
		"status: run id 0, primed, triggered, complete\n",
		"config:\n",
		"  trigger start entry start_kernel\n",
		"  trigger stop entry to_userspace\n",
		"  filter mintime 500\n",
		"  filter maxtime 0\n",
		"  filter noints\n",
		"  logentries ",
	};
	char *text;

	if (!static_run())
		return because(SKIP, "no static run in this kernel");
	WANT(wait_state("complete"));
	text = read_whole_file("/proc/kfi", 0);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		if (!strstr(text, lines[i]))
			return because(FAIL, "status has no line \"%.*s\"",
				       (int)strcspn(lines[i], "\n"), lines[i]);
	return PASS;
}

static enum outcome static_log(void)
{
	struct tracelog log;
	char want[80];

	if (!static_run())
		return because(SKIP, "no static run in this kernel");
	TRY(read_log(&log));
	WANT(log.nr_rows > 10);
	WANT(symbol("start_kernel") && symbol("to_userspace"));
	if (strcmp(log.rows[0].func, hex(symbol("start_kernel"))))
		return because(FAIL, "the log opens with %s, not start_kernel", log.rows[0].func);
	WANT_EQ(log.rows[0].pid, 0);
	WANT_EQ(log.rows[0].depth, 1);
	WANT_EQ(log.rows[0].entry_us, 0);
	/* On every board here the clock runs from the very first call on. */
	WANT(!(log.rows[0].marks & TL_NOTIME));
	WANT_EQ(tl_num(&log, "Calls without time"), 0);
	WANT(!strcmp(tl_text(&log, "Clock since"), "start_kernel"));
	/* Resolving names comes between the clock's first reading and the start. */
	snprintf(want, sizeof(want), " usec by entry to function %s", hex(symbol("start_kernel")));
	WANT(log.started && strstr(log.started, want));
	WANT(!time_is_exact() || atol(log.started + strlen("at ")) < 1000000);
	/* In a slow kernel more calls take half a millisecond than the log has room for. */
	if (!log.stopped || (!strstr(log.stopped, hex(symbol("to_userspace"))) &&
			     (scale_timeout(1) == 1 || !strstr(log.stopped, "by log full"))))
		return because(FAIL, "stopped %s, not at to_userspace, %s",
			       log.stopped ? log.stopped : "never", hex(symbol("to_userspace")));
	WANT(tl_num(&log, "Calls seen") > 10000);
	for (size_t i = 0; i < log.nr_rows; i++) {
		WANT(log.rows[i].ctx == 't');
		WANT(log.rows[i].delta_us == -1 || log.rows[i].delta_ns >= 500000);
	}
	return PASS;
}

/* What the machine's counter said at start_kernel(), and printk's clock at moments of the boot. */
static enum outcome static_clocks(void)
{
	long long entry, printk, last_entry = 0, last_printk = 0;
	struct tracelog log;
	const char *at;
	char *text;
	int n = 0;

	if (!static_run())
		return because(SKIP, "no static run in this kernel");
	TRY(read_log(&log));
	if (tl_text(&log, "Clock at start_kernel"))
		WANT(tl_num(&log, "Clock at start_kernel") > 0);
	text = read_whole_file("/proc/kfi_trace", 0);
	for (at = text; at && (at = strstr(at, "\nPrintk clock = ")); n++) {
		WANT(sscanf(++at, "Printk clock = %lld %lld", &entry, &printk) == 2);
		/* That of printk may tick coarsely. */
		WANT(n == 0 ? entry <= 0 : entry > last_entry && printk >= last_printk);
		last_entry = entry;
		last_printk = printk;
	}
	free(text);
	/* Made, early, subsys, device, late, to_userspace(), collected. */
	WANT_EQ(n, 7);
	return PASS;
}

/* The clock is named, its rate known, and says the time that has really passed. */
static enum outcome static_clock(void)
{
	long long usec;
	struct tracelog log;

	if (!static_run())
		return because(SKIP, "no static run in this kernel");
	TRY(read_log(&log));
	WANT(tl_text(&log, "Clock"));
	WANT(tl_num(&log, "Clock rate") >= 1000000);
	WANT(tl_num(&log, "Clock resolution") >= 1 && tl_num(&log, "Clock resolution") <= 1000);
	WANT(tl_text(&log, "Clock since"));
	WANT(tl_text(&log, "Clock calibration"));
	WANT_EQ(tl_num(&log, "Clock steps back"), 0);
	WANT(log.stopped && sscanf(log.stopped, "at %lld usec", &usec) == 1);
	WANT(usec > 100000);
	/* The trace clock may begin before the kernel's own. */
	WANT(!time_is_exact() || usec / 1000 <= uptime_ms() + 2000);
	return PASS;
}

/*
 * What a reader gets does not depend on how much it asks for at a time. The first part of the log
 * will do: a byte at a time is slow.
 */
static enum outcome static_chunks(void)
{
	static const size_t sizes[] = { 1, 7, 100, 4096 };
	char *whole, part[8192];

	if (!static_run())
		return because(SKIP, "no static run in this kernel");
	whole = read_whole_file("/proc/kfi_trace", 0);
	WANT(whole && strlen(whole) > sizeof(part));
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		int fd = open("/proc/kfi_trace", O_RDONLY);
		size_t len = 0, at;

		WANT(fd >= 0);
		while (len < sizeof(part)) {
			size_t left = sizeof(part) - len;
			ssize_t n = read(fd, part + len, sizes[i] < left ? sizes[i] : left);

			WANT(n > 0 && (size_t)n <= sizes[i]);
			len += n;
		}
		close(fd);
		for (at = 0; at < len && part[at] == whole[at]; at++)
			;
		if (at < len)
			return because(FAIL, "by %zu bytes: byte %zu differs, at: %.60s", sizes[i],
				       at, whole + at);
	}
	return PASS;
}

const struct guest_case static_cases[] = {
	{ "no_run", no_run },
	{ "static_status", static_status },
	{ "static_log", static_log },
	{ "static_clock", static_clock },
	{ "static_clocks", static_clocks },
	{ "static_chunks", static_chunks },
	{ NULL, NULL },
};
