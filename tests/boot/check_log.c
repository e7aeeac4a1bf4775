// SPDX-License-Identifier: GPL-2.0
/*
 * check_log - is this log true? Judges a trace by itself and against the same boot's own words
 *
 * By itself: tl_check() of tests/guest/tracelog.h. Against initcall_debug: the durations of the
 * longest initcalls. Against the stamps of printk and the host's clock: the pace of time.
 * Called by scripts/demo and tests/boot/run, on logs that went through addr2sym.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../guest/tracelog.h"

#define MAX_CALLS	8192
#define NR_LONGEST	10

/* Where the two may differ: in percent, or in microseconds, whichever is larger. */
#define TOLERANCE_PERCENT	2
#define TOLERANCE_US		200
/* How much the pace of two clocks may differ, in percent, and how long is long enough. */
#define PACE_PERCENT		1
#define PACE_SECONDS		1.0
/* What scripts/demo-guest prints before it lets the second run start. */
#define MARK			"kfi demo: now"

/* One initcall as the kernel log tells it. */
struct initcall {
	char name[64];
	double stamp;		/* printk's, of the line "calling" */
	long long usecs;	/* -1 until the line "initcall ... returned" */
	long row;		/* in the trace, -1 if it is not there */
};

static struct initcall calls[MAX_CALLS];
static size_t nr_calls;
/* Stamp of the line "Switched to clocksource": before, durations are counted in ticks. */
static double switched = -1;
/* Stamp from which printk's clock is the clocksource's; x86 uses ticks until it says so. */
static double steady;
static int problems;

static char *read_file(const char *path)
{
	size_t len = 0, room = 1 << 20, n;
	FILE *f = fopen(path, "r");
	char *buf = malloc(room);

	while (f && buf && (n = fread(buf + len, 1, room - len - 1, f)) > 0) {
		len += n;
		if (room - len < 4096)
			buf = realloc(buf, room *= 2);
	}
	if (!f || !buf || ferror(f)) {
		fprintf(stderr, "check_log: %s: %s\n", path, strerror(errno));
		exit(2);
	}
	fclose(f);
	buf[len] = 0;
	if (strlen(buf) != len) {
		fprintf(stderr, "check_log: %s: not a text\n", path);
		exit(2);
	}
	return buf;
}

static void dmesg_line(const char *line)
{
	const char *at = strstr(line, "] ");
	struct initcall *c;
	char name[64];
	double stamp;
	long long us;

	if (!at || sscanf(line, "%*[^[][%lf]", &stamp) + sscanf(line, "[%lf]", &stamp) < 1)
		return;
	at += 2;
	if (sscanf(at, "calling %63[^+ ]", name) == 1 && strchr(at, '@')) {
		if (nr_calls == MAX_CALLS)
			return;
		c = &calls[nr_calls++];
		*c = (struct initcall) { .stamp = stamp, .usecs = -1, .row = -1 };
		strcpy(c->name, name);
	} else if (sscanf(at, "initcall %63[^+ ]%*s returned %*d after %lld usecs",
			  name, &us) == 2) {
		for (size_t i = nr_calls; i-- > 0;) {
			if (calls[i].usecs >= 0 || strcmp(calls[i].name, name))
				continue;
			calls[i].usecs = us;
			break;
		}
	} else if (strstr(at, "Switched to clocksource") && switched < 0) {
		switched = stamp;
	} else if (strstr(at, "sched_clock: Marking stable")) {
		steady = stamp;
	}
}

static void read_dmesg(const char *path)
{
	char *text = read_file(path), *save, *line;

	for (line = strtok_r(text, "\r\n", &save); line; line = strtok_r(NULL, "\r\n", &save))
		dmesg_line(line);
	free(text);
}

/* Several initcalls may bear one name, and be called elsewhere too: the one most alike is it. */
static void match_rows(const struct tracelog *log)
{
	for (size_t i = 0; i < nr_calls; i++) {
		struct initcall *c = &calls[i];
		long row = -1;

		while ((row = tl_find(log, c->name, row + 1)) >= 0) {
			const struct tl_row *r = &log->rows[row];

			if (strncmp(r->caller, "do_one_initcall", 15))
				continue;
			if (c->row < 0 || llabs(r->delta_us - c->usecs) <
			    llabs(log->rows[c->row].delta_us - c->usecs))
				c->row = row;
		}
	}
}

static int longer(const void *a, const void *b)
{
	const struct initcall *x = a, *y = b;

	return (x->usecs < y->usecs) - (x->usecs > y->usecs);
}

static void compare_initcalls(const struct tracelog *log)
{
	int done = 0, bad = 0, missing = 0;

	qsort(calls, nr_calls, sizeof(*calls), longer);
	printf("%-36s %12s %12s\n", "initcall", "kernel us", "trace us");
	for (size_t i = 0; i < nr_calls && done < NR_LONGEST && calls[i].usecs > 0; i++) {
		const struct initcall *c = &calls[i];
		long long us, limit;

		if (c->stamp < switched)
			continue;
		us = c->row < 0 ? -1 : log->rows[c->row].delta_us;
		if (us < 0) {
			if (++missing <= NR_LONGEST)
				printf("%-36s %12lld %12s\n", c->name, c->usecs,
				       c->row < 0 ? "not traced" : "not ended");
			continue;
		}
		limit = c->usecs * TOLERANCE_PERCENT / 100;
		if (limit < TOLERANCE_US)
			limit = TOLERANCE_US;
		printf("%-36s %12lld %12lld%s\n", c->name, c->usecs, us,
		       llabs(us - c->usecs) > limit ? "  DIFFER" : "");
		bad += llabs(us - c->usecs) > limit;
		done++;
	}
	problems += bad;
	if (!done) {
		printf("initcalls: FAILED: none to compare, %zu in the kernel log\n", nr_calls);
		problems++;
		return;
	}
	printf("initcalls: %d of the %d longest since the clock agree within %d %% or %d us\n",
	       done - bad, done, TOLERANCE_PERCENT, TOLERANCE_US);
}

/* Slope of y over x by least squares. */
static double slope(const double *x, const double *y, size_t n)
{
	double mx = 0, my = 0, xx = 0, xy = 0;

	for (size_t i = 0; i < n; i++) {
		mx += x[i] / n;
		my += y[i] / n;
	}
	for (size_t i = 0; i < n; i++) {
		xx += (x[i] - mx) * (x[i] - mx);
		xy += (x[i] - mx) * (y[i] - my);
	}
	return xx > 0 ? xy / xx : 0;
}

/* When the run of a log started, in seconds of the trace clock. */
static double zero_of(const struct tracelog *log)
{
	double usec;

	return log->started && sscanf(log->started, "at %lf usec", &usec) == 1 ? usec / 1e6 : 0;
}

static void judge_pace(const char *what, const double *x, const double *y, size_t n)
{
	double s, length = n ? x[n - 1] - x[0] : 0;

	if (n < 3 || length < PACE_SECONDS) {
		printf("%s: too little to compare: %zu events in %.3f s\n", what, n, length);
		return;
	}
	s = slope(x, y, n);
	printf("%s: pace %.5f over %.3f s, %zu events%s\n", what, s, length, n,
	       fabs(s - 1) * 100 > PACE_PERCENT ? "  DIFFER" : "");
	problems += fabs(s - 1) * 100 > PACE_PERCENT;
}

struct event {
	double x, y;
};

static int by_time(const void *a, const void *b)
{
	const struct event *p = a, *q = b;

	return (p->x > q->x) - (p->x < q->x);
}

/*
 * Entry of an initcall in the trace against printk's stamp of the line before it; and the start of
 * a later run, if there is one, against the line printed just before.
 */
static void compare_printk(const struct tracelog *log, double run_start, double run_stamp)
{
	static struct event e[MAX_CALLS + 1];
	static double x[MAX_CALLS + 1], y[MAX_CALLS + 1];
	double zero = zero_of(log);
	size_t n = 0;

	for (size_t i = 0; i < nr_calls; i++)
		if (calls[i].row >= 0 && calls[i].stamp > steady)
			e[n++] = (struct event) {
				zero + log->rows[calls[i].row].entry_ns / 1e9, calls[i].stamp,
			};
	if (run_start > 0 && run_stamp > steady)
		e[n++] = (struct event) { run_start, run_stamp };
	qsort(e, n, sizeof(*e), by_time);
	for (size_t i = 0; i < n; i++) {
		x[i] = e[i].x;
		y[i] = e[i].y;
	}
	judge_pace("trace and printk", x, y, n);
}

/* The stamp of the first line with these words in a file of console times. */
static double stamp_of(const char *path, const char *words)
{
	char *text = read_file(path), *line = strstr(text, words);
	double stamp = -1;

	while (line && line > text && line[-1] != '\n')
		line--;
	if (!line || sscanf(line, "%*f [%lf]", &stamp) != 1)
		stamp = -1;
	free(text);
	return stamp;
}

/* Lines "HOST-SECONDS [ STAMP] text": when they were printed and when the host got them. */
static void compare_host(const char *path)
{
	static double x[MAX_CALLS], y[MAX_CALLS];
	char *text = read_file(path), *save, *line;
	double host, stamp, last = 0;
	bool live = false;
	size_t n = 0;

	for (line = strtok_r(text, "\n", &save); line && n < MAX_CALLS;
	     line = strtok_r(NULL, "\n", &save)) {
		if (sscanf(line, "%lf [%lf]", &host, &stamp) != 2)
			continue;
		/*
		 * What was printed before the console was there comes all at once when it is
		 * enabled; what is read back with dmesg has old stamps.
		 */
		if (!live) {
			live = strstr(line, "console [") && strstr(line, "] enabled");
			continue;
		}
		if (stamp <= steady || stamp <= last)
			continue;
		last = stamp;
		x[n] = stamp;
		y[n++] = host;
	}
	judge_pace("printk and host", x, y, n);
	free(text);
}

static void usage(int status)
{
	fputs("usage: check_log [-f FUNCTION] [-d DMESG [-t TIMES [-r LATER]]] LOG\n"
	      "Checks a trace (a text of /proc/kfi_trace, resolved or not).\n"
	      "  -f FUNCTION  which must be that of the first row\n"
	      "  -d DMESG     kernel log of the boot with initcall_debug: compare durations\n"
	      "  -t TIMES     console lines with the host's times\n"
	      "  -r LATER     log of a run that started just after the line \"" MARK "\"\n"
	      "status: 0 all holds, 1 something does not, 2 could not run\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	const char *first = NULL, *dmesg = NULL, *host = NULL, *later = NULL;
	double run_start = -1, run_stamp = -1;
	struct tracelog log, next;
	char why[200];
	int opt;

	while ((opt = getopt(argc, argv, "f:d:t:r:h")) != -1) {
		switch (opt) {
		case 'f': first = optarg; break;
		case 'd': dmesg = optarg; break;
		case 't': host = optarg; break;
		case 'r': later = optarg; break;
		case 'h': usage(0); break;
		default: usage(2);
		}
	}
	if (optind != argc - 1)
		usage(2);
	if (tl_parse(&log, read_file(argv[optind]), why, sizeof(why))) {
		printf("%s: %s\n", argv[optind], why);
		return 1;
	}
	problems = tl_check(&log, stdout);
	if (!log.nr_rows) {
		printf("no rows\n");
		problems++;
	} else if (first && tl_opening(&log, first) < 0) {
		printf("the first row is %s, not %s\n", log.rows[0].func, first);
		problems++;
	}
	if (!problems)
		printf("log: %zu rows, %lld calls seen, accounting, order, nesting and times hold\n",
		       log.nr_rows, tl_num(&log, "Calls seen"));
	if (dmesg) {
		read_dmesg(dmesg);
		match_rows(&log);
		compare_initcalls(&log);
		if (later && host) {
			if (tl_parse(&next, read_file(later), why, sizeof(why))) {
				printf("%s: %s\n", later, why);
				return 1;
			}
			run_start = zero_of(&next);
			run_stamp = stamp_of(host, MARK);
			tl_free(&next);
		}
		compare_printk(&log, run_start, run_stamp);
		if (host)
			compare_host(host);
	}
	tl_free(&log);
	return problems ? 1 : 0;
}
