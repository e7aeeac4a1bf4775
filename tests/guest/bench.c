// SPDX-License-Identifier: GPL-2.0
/*
 * bench.c - what the instrumentation costs, in time of the guest's clock
 *
 * Run by init with kfi_guest=bench, on any kernel. Under QEMU's -icount shift=0 with one cpu a
 * nanosecond is an instruction, and the figures repeat. Each line that it says is
 *
 *	bench WORK MODE NS CALLS
 *
 * with the time that the work took and the calls that were recorded meanwhile, 0 where none were.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "guest.h"

#define READS	5000
#define FORKS	200

static long long now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void reads(void)
{
	static char page[4096];
	int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY);

	for (int i = 0; i < READS; i++)
		if (read(zero, page, sizeof(page)) < 0 || write(null, page, sizeof(page)) < 0)
			break;
	close(zero);
	close(null);
}

static void forks(void)
{
	for (int i = 0; i < FORKS; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
}

static const struct {
	const char *name;
	void (*run)(void);
} works[] = {
	{ "5000-reads-and-writes", reads }, { "200-forks", forks },
};

/* ---- what records meanwhile ---- */

#define TRACING "/sys/kernel/tracing/"

static bool put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return ok;
}

/* The number in a header line of the log; the rows are not read. */
static long long header(const char *name)
{
	char text[8192], *at;
	int fd = open("/proc/kfi_trace", O_RDONLY);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = 0;
	at = strstr(text, name);
	return at ? atoll(at + strlen(name)) : 0;
}

static bool nothing(void)
{
	return true;
}

static bool kept_begin(void)
{
	return !kfi_write("new begin logentries 2000000 end") && !kfi_write("start");
}

static bool dropped_begin(void)
{
	return !kfi_write("new begin filter mintime 4000s logentries 1000 end") && !kfi_write("start");
}

static long long kfi_end(void)
{
	kfi_write("stop");
	return header("Calls seen = ");
}

static bool graph_begin(void)
{
	return put(TRACING "current_tracer", "function_graph");
}

static long long graph_end(void)
{
	put(TRACING "current_tracer", "nop");
	return 0;
}

static const struct {
	const char *name;
	bool (*begin)(void);
	long long (*end)(void);
} modes[] = {
	{ "off", nothing, NULL },
	{ "kfi-kept", kept_begin, kfi_end },
	{ "kfi-dropped", dropped_begin, kfi_end },
	{ "function-graph", graph_begin, graph_end },
};

void bench(void (*say)(const char *fmt, ...))
{
	say("bench boot - %lld 0", now_ns(CLOCK_BOOTTIME));
	mount("tracefs", "/sys/kernel/tracing", "tracefs", 0, NULL);
	for (size_t w = 0; w < sizeof(works) / sizeof(*works); w++)
		works[w].run();	/* what the first time costs more is not counted */
	for (size_t m = 0; m < sizeof(modes) / sizeof(*modes); m++)
		for (size_t w = 0; w < sizeof(works) / sizeof(*works); w++) {
			long long t, calls = 0;

			if (!modes[m].begin())
				continue;
			t = now_ns(CLOCK_MONOTONIC);
			works[w].run();
			t = now_ns(CLOCK_MONOTONIC) - t;
			if (modes[m].end)
				calls = modes[m].end();
			say("bench %s %s %lld %lld", works[w].name, modes[m].name, t, calls);
		}
}
