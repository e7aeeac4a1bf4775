// SPDX-License-Identifier: GPL-2.0
/*
 * check_log - check a trace by itself and against the kernel log of the same boot
 *
 * By itself: tl_check() of tests/guest/tracelog.h. Against initcall_debug: the durations of the
 * initcalls. Against the stamps of printk and the host's clock: the pace of time.
 * Called by scripts/demo and tests/boot/run, on logs that went through addr2sym.
 *
 * An initcall of the kernel log is found in the trace by its mark, not by its duration: a task has
 * as many marks "initcall" as lines "initcall ... returned", in the same order. The row is the call
 * of that function right below the do_one_initcall() in which the mark lies. The kernel takes its
 * two times outside of the function. What passed there is in the trace, too: it is the local time
 * of do_one_initcall(), its time off CPU and in interrupts, and the other calls below it. If the
 * host paused the guest there, or another task ran, that is reported as disturbed.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../guest/tracelog.h"

#define MAX_INITCALLS		8192
#define NR_LONGEST		10
#define STATUS_DISTURBED	4
/* Where the two may differ: in percent, or in microseconds, whichever is larger. */
#define TOLERANCE_PERCENT	2
#define TOLERANCE_US		200
/* How much the pace of two clocks may differ, in percent, and how long is long enough. */
#define PACE_PERCENT		1
#define PACE_SECONDS		1.0
/* Stamps that are wrong by this many steps of printk's clock must not decide about the pace. */
#define PACE_STEPS		4
/* What scripts/demo-guest prints before it lets the second run start. */
#define DEMO_LINE		"kfi demo: now"

/* One initcall of the kernel log. */
struct initcall {
	char name[128];
	bool module;		/* of a module, which addr2sym may not know */
	int task;
	double stamp;		/* printk's, of the line "calling" */
	int result;
	long long usecs;	/* -1 until the line "initcall ... returned" */
	bool in_ticks;		/* @usecs counts ticks: begun before "Switched to clocksource" */
	long mark;		/* in the trace, -1 if it is not there */
	long outer;		/* row of do_one_initcall(), -1 if it was dropped */
	long row;		/* of the function; -1: the same */
	long long outside_ns;	/* what the trace has in @outer besides @row */
};

static struct initcall initcalls[MAX_INITCALLS];
static size_t nr_initcalls;
/* The first line "Switched to clocksource" was seen. Stamps do not say what came before it. */
static bool clocksource_seen;
/* "Run /init as init process" was seen: initcalls after it are modules', after the trace. */
static bool init_started;
/* Stamp from which printk's clock is the clocksource's; x86 uses ticks until it says so. */
static double stable_stamp;
/*
 * The step of printk's clock: the least time between two stamps. On um it is a tick, 10 ms,
 * and a stamp is older than that while the host is late with a tick.
 */
static double stamp_step;
/* Names of all instrumented functions, one a line, behind a line end; NULL: all are. */
static char *instrumented;
static int problems, nr_agree, nr_disturbed;

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

static void parse_dmesg_line(const char *line)
{
	const char *at = strstr(line, "] ");
	struct initcall *c;
	static double last_stamp;
	const char *pid, *ret;
	char name[128];
	double stamp;
	long long us;
	int result;

	if (!at || sscanf(line, "%*[^[][%lf]", &stamp) + sscanf(line, "[%lf]", &stamp) < 1)
		return;
	if (stamp > last_stamp && (!stamp_step || stamp - last_stamp < stamp_step))
		stamp_step = stamp - last_stamp;
	last_stamp = stamp;
	at += 2;
	pid = strrchr(at, '@');
	ret = strstr(at, " returned ");
	if (!init_started && sscanf(at, "calling %127[^+ ]", name) == 1 && pid) {
		if (nr_initcalls == MAX_INITCALLS) {
			fprintf(stderr, "check_log: more than %d initcalls\n", MAX_INITCALLS);
			exit(2);
		}
		c = &initcalls[nr_initcalls++];
		*c = (struct initcall) {
			.stamp = stamp, .task = atoi(pid + 1), .module = strchr(at, '['),
			.usecs = -1, .mark = -1, .outer = -1, .row = -1,
		};
		strcpy(c->name, name);
	} else if (sscanf(at, "initcall %127[^+ ]", name) == 1 && ret &&
		   sscanf(ret, " returned %d after %lld usecs", &result, &us) == 2) {
		for (size_t i = nr_initcalls; i-- > 0;) {
			if (initcalls[i].usecs >= 0 || strcmp(initcalls[i].name, name))
				continue;
			initcalls[i].usecs = us;
			initcalls[i].result = result;
			break;
		}
	} else if (strstr(at, " as init process")) {
		init_started = true;
	} else if (strstr(at, "Switched to clocksource") && !clocksource_seen) {
		clocksource_seen = true;
		for (size_t i = 0; i < nr_initcalls; i++)
			initcalls[i].in_ticks = true;
	} else if (strstr(at, "sched_clock: Marking stable")) {
		stable_stamp = stamp;
	}
}

static void read_dmesg(const char *path)
{
	char *text = read_file(path), *save, *line;

	for (line = strtok_r(text, "\r\n", &save); line; line = strtok_r(NULL, "\r\n", &save))
		parse_dmesg_line(line);
	free(text);
}

static struct initcall *next_unmatched(int task)
{
	for (size_t i = 0; i < nr_initcalls; i++)
		if (initcalls[i].task == task && initcalls[i].usecs >= 0 && initcalls[i].mark < 0)
			return &initcalls[i];
	return NULL;
}

/*
 * Tie the k-th initcall of a task in the kernel log to its k-th mark. Those of task 0 have none:
 * they are console_init()'s, not do_one_initcall()'s.
 */
static void match_marks(const struct tracelog *log)
{
	struct initcall *c;
	char func[128];
	long mark = -1;
	int result;

	while ((mark = tl_find_event(log, "initcall", "", mark + 1)) >= 0) {
		const struct tl_event *e = &log->events[mark];
		const char *last = strrchr(e->args, ' ');

		c = next_unmatched(e->task);
		if (!c || !last || sscanf(e->args, "%127s", func) != 1 ||
		    sscanf(last, "%d", &result) != 1 || result != c->result ||
		    (strcmp(func, c->name) && !(c->module && !strncmp(func, "0x", 2)))) {
			printf("initcalls: the mark at %llu us: %s; the kernel log has %s %d\n",
			       (unsigned long long)e->us, e->args, c ? c->name : "no more",
			       c ? c->result : 0);
			problems++;
			return;
		}
		c->mark = mark;
	}
	for (size_t i = 0; i < nr_initcalls; i++) {
		if (!initcalls[i].task || initcalls[i].usecs < 0 || initcalls[i].mark >= 0)
			continue;
		printf("initcalls: %s is in the kernel log, but has no mark in the trace\n",
		       initcalls[i].name);
		problems++;
		return;
	}
}

static bool same_func(const char *func, const char *name, size_t len)
{
	return !strncmp(func, name, len) && !func[len];
}

/*
 * Find the rows of an initcall, above its mark. Two calls below do_one_initcall() may be around the
 * kernel's two times and dropped by @mintime: what the outer call took besides is theirs.
 */
static void match_row(const struct tracelog *log, struct initcall *c, long long mintime)
{
	const struct tl_event *e = &log->events[c->mark];
	size_t len = strcspn(e->args, " ");
	const struct tl_row *r, *outer;
	long long dropped;

	for (size_t i = e->row; i-- > 0 && c->outer < 0;) {
		r = &log->rows[i];
		if (r->task != e->task || r->ctx != 't' ||
		    !same_func(r->func, "do_one_initcall", strlen("do_one_initcall")))
			continue;
		if (r->delta_ns >= 0 && r->entry_ns + r->delta_ns < e->ns)
			return;
		c->outer = i;
	}
	if (c->outer < 0)
		return;
	outer = &log->rows[c->outer];
	/* Preempted, or interrupted, outside of all calls below it. */
	c->outside_ns = outer->local_ns + outer->off_ns + outer->irq_ns;
	for (size_t i = c->outer + 1; i < e->row; i++) {
		r = &log->rows[i];
		if (r->task != e->task || r->ctx != 't' || r->depth != outer->depth + 1)
			continue;
		c->outside_ns -= r->off_ns + r->irq_ns;
		if (c->row < 0 && same_func(r->func, e->args, len))
			c->row = i;
		else if (r->delta_ns > 0 && strncmp(r->caller, e->args, len))
			c->outside_ns += r->delta_ns;
	}
	if (c->row < 0)
		return;
	dropped = outer->delta_ns - log->rows[c->row].delta_ns - c->outside_ns;
	if (dropped > 0)
		c->outside_ns += dropped < 2000 * mintime ? dropped : 2000 * mintime;
}

static int compare_durations(const void *a, const void *b)
{
	const struct initcall *x = a, *y = b;

	return (x->usecs < y->usecs) - (x->usecs > y->usecs);
}

static bool is_instrumented(const char *name)
{
	size_t len = strlen(name);
	const char *at = instrumented;

	while (at && (at = strstr(at, name)) && (at[-1] != '\n' || at[len] != '\n'))
		at += len;
	return !instrumented || at;
}

/*
 * Compare one initcall with its row. A call that @mintime dropped took less than that, and has no
 * row. Return: what to print behind its times, or NULL if there is nothing to compare.
 */
static const char *compare_initcall(const struct tracelog *log, const struct initcall *c,
			       long long mintime)
{
	const struct tl_event *e = &log->events[c->mark];
	const struct tl_row *r = c->row < 0 ? NULL : &log->rows[c->row];
	long long us = r ? r->delta_us : mintime, limit;

	/* Before the clock ran, or before the kernel's own was more than its ticks. */
	if (!e->ns || (r && r->marks & TL_NOTIME) || (c->in_ticks && us >= 0))
		return NULL;
	limit = c->usecs * TOLERANCE_PERCENT / 100;
	if (limit < TOLERANCE_US)
		limit = TOLERANCE_US;
	if (us < 0 || (c->outer >= 0 && log->rows[c->outer].delta_ns < 0)) {
		problems++;
		return "NOT ENDED";
	}
	if (r && r->entry_ns + r->delta_ns > e->ns) {
		problems++;
		return "ENDS AFTER ITS MARK";
	}
	if (!r && (c->usecs <= us + limit || !is_instrumented(c->name)))
		return NULL;
	if (llabs(c->usecs - us) <= limit) {
		nr_agree++;
		return "";
	}
	if (c->usecs > us && c->usecs - us <= c->outside_ns / 1000 + limit) {
		nr_disturbed++;
		return "disturbed: the rest is in do_one_initcall()";
	}
	problems++;
	return r ? "DIFFER" : "MISSING";
}

static void compare_initcalls(const struct tracelog *log, long long mintime)
{
	int bad = problems, done = 0;

	qsort(initcalls, nr_initcalls, sizeof(*initcalls), compare_durations);
	printf("%-36s %12s %12s\n", "initcall", "kernel us", "trace us");
	for (size_t i = 0; i < nr_initcalls; i++) {
		const struct initcall *c = &initcalls[i];
		const char *verdict = c->mark < 0 ? NULL : compare_initcall(log, c, mintime);

		if (!verdict || (done++ >= NR_LONGEST && !*verdict))
			continue;
		printf("%-36s %12lld %12lld%s%s\n", c->name, c->usecs,
		       c->row < 0 ? -1LL : (long long)log->rows[c->row].delta_us,
		       *verdict ? "  " : "", verdict);
	}
	bad = problems - bad;
	if (!done) {
		printf("initcalls: FAILED: none to compare, %zu in the kernel log\n", nr_initcalls);
		problems++;
		return;
	}
	printf("initcalls: %d to compare: %d agree within %d %% or %d us, %d do not, %d disturbed\n",
	       done, nr_agree, TOLERANCE_PERCENT, TOLERANCE_US, bad, nr_disturbed);
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
static double start_seconds(const struct tracelog *log)
{
	double usec;

	return log->started && sscanf(log->started, "at %lf usec", &usec) == 1 ? usec / 1e6 : 0;
}

static void check_pace(const char *what, const double *x, const double *y, size_t n)
{
	double s, length = n ? x[n - 1] - x[0] : 0;

	if (n < 3 || length < PACE_SECONDS ||
	    length * PACE_PERCENT / 100 < stamp_step * PACE_STEPS) {
		printf("%s: too little to compare: %zu events in %.3f s, stamps in steps of %.6f s\n",
		       what, n, length, stamp_step);
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

static int compare_times(const void *a, const void *b)
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
	static struct event e[MAX_INITCALLS + 1];
	static double x[MAX_INITCALLS + 1], y[MAX_INITCALLS + 1];
	double zero = start_seconds(log);
	size_t n = 0;

	for (size_t i = 0; i < nr_initcalls; i++)
		if (initcalls[i].row >= 0 && initcalls[i].stamp > stable_stamp)
			e[n++] = (struct event) {
				zero + log->rows[initcalls[i].row].entry_ns / 1e9,
				initcalls[i].stamp,
			};
	if (run_start > 0 && run_stamp > stable_stamp)
		e[n++] = (struct event) { run_start, run_stamp };
	qsort(e, n, sizeof(*e), compare_times);
	for (size_t i = 0; i < n; i++) {
		x[i] = e[i].x;
		y[i] = e[i].y;
	}
	check_pace("trace and printk", x, y, n);
}

/* The stamp of the first line with these words in a file of console times. */
static double find_stamp(const char *path, const char *words)
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
	static double x[MAX_INITCALLS], y[MAX_INITCALLS];
	char *text = read_file(path), *save, *line;
	double host, stamp, last = 0;
	bool live = false;
	size_t n = 0;

	for (line = strtok_r(text, "\n", &save); line && n < MAX_INITCALLS;
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
		if (stamp <= stable_stamp || stamp <= last)
			continue;
		last = stamp;
		x[n] = stamp;
		y[n++] = host;
	}
	check_pace("printk and host", x, y, n);
	free(text);
}

/* The filter mintime of a log, in microseconds: a line of its header that tl_parse() ignores. */
static long long mintime_of(const char *text)
{
	const char *line = strstr(text, " usecs minimum execution time");

	while (line && line > text && line[-1] != '\n')
		line--;
	return line ? atoll(line) : 0;
}

static void usage(int status)
{
	fputs("usage: check_log [-e] [-f FUNCTION] [-d DMESG [-i LIST] [-t TIMES [-r LATER]]] LOG\n"
	      "Checks a trace (a text of /proc/kfi_trace, resolved or not).\n"
	      "  -f FUNCTION  which must be that of the first row\n"
	      "  -d DMESG     kernel log of the boot with initcall_debug: compare durations with a\n"
	      "               resolved trace that has \"mark initcalls\", and no filters but mintime\n"
	      "               and noints\n"
	      "  -i LIST      the instrumented functions, as scripts/instrumented prints them: no\n"
	      "               others can be missing\n"
	      "  -t TIMES     console lines with the host's times\n"
	      "  -r LATER     log of a run that started just after the line \"" DEMO_LINE "\"\n"
	      "  -e           the guest's time was exact, apart from the host's: their pace is not\n"
	      "               compared\n"
	      "status: 0 all holds, 1 something does not, 2 could not run, 4 nothing is wrong, but\n"
	      "the host disturbed half of the initcalls, or more: boot again\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	const char *first = NULL, *dmesg = NULL, *host = NULL, *later = NULL;
	const char *list = NULL;
	double run_start = -1, run_stamp = -1;
	struct tracelog log, next;
	long long mintime;
	bool exact = false;
	char *text;
	char why[200];
	int opt;

	while ((opt = getopt(argc, argv, "ef:d:i:t:r:h")) != -1) {
		switch (opt) {
		case 'e': exact = true; break;
		case 'f': first = optarg; break;
		case 'd': dmesg = optarg; break;
		case 'i': list = optarg; break;
		case 't': host = optarg; break;
		case 'r': later = optarg; break;
		case 'h': usage(0); break;
		default: usage(2);
		}
	}
	if (optind != argc - 1)
		usage(2);
	text = read_file(argv[optind]);
	mintime = mintime_of(text);
	if (tl_parse(&log, text, why, sizeof(why))) {
		printf("%s: %s\n", argv[optind], why);
		return 1;
	}
	problems = tl_check(&log, stdout);
	if (!log.nr_rows && !log.nr_sums) {
		printf("no rows\n");
		problems++;
	} else if (first && (!log.nr_rows || tl_first_call(&log, first) < 0)) {
		printf("the first row is %s, not %s\n",
		       log.nr_rows ? log.rows[0].func : "that of a function", first);
		problems++;
	}
	if (!problems)
		printf("log: %zu rows, %lld calls seen, accounting, order, nesting and times hold\n",
		       log.nr_rows, tl_num(&log, "Calls seen"));
	if (dmesg) {
		read_dmesg(dmesg);
		if (list) {
			text = read_file(list);
			instrumented = malloc(strlen(text) + 2);
			sprintf(instrumented, "\n%s", text);
			free(text);
		}
		match_marks(&log);
		for (size_t i = 0; i < nr_initcalls; i++)
			if (initcalls[i].mark >= 0)
				match_row(&log, &initcalls[i], mintime);
		compare_initcalls(&log, mintime);
		if (later && host) {
			if (tl_parse(&next, read_file(later), why, sizeof(why))) {
				printf("%s: %s\n", later, why);
				return 1;
			}
			run_start = start_seconds(&next);
			run_stamp = find_stamp(host, DEMO_LINE);
			tl_free(&next);
		}
		compare_printk(&log, run_start, run_stamp);
		if (host && exact)
			printf("printk and host: not compared, the guest's time was exact\n");
		else if (host)
			compare_host(host);
	}
	tl_free(&log);
	if (!problems && nr_disturbed && nr_disturbed >= nr_agree) {
		printf("too few initcalls undisturbed: nothing is shown\n");
		return STATUS_DISTURBED;
	}
	return problems ? 1 : 0;
}
