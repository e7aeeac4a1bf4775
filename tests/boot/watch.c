// SPDX-License-Identifier: GPL-2.0
/*
 * watch - start a guest, keep its console with the time of each line, judge it by its verdict
 *
 * The guest (any command, usually QEMU) gets two stream sockets: its console and the channel on
 * which tests/guest reports. The report alone decides: the console may be noisy or full of lies.
 * But the console must exist, because tests/boot/run scans it for what the kernel reports. A guest
 * without a complete report in time, or without a console, is "lost", which is never "passed". If a
 * signal ended the command, this program did not send it, and the guest had neither failed a case
 * nor panicked, the status is that of a crash: QEMU's, or that of the kernel for um.
 * Called by scripts/run-guest; tests/boot/selftest shows it bad guests.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "line.h"

enum { ST_PASS = 0, ST_FAIL = 1, ST_CANNOT = 2, ST_LOST = 3, ST_CRASHED = 4, ST_BREAK = 130 };

/* Seconds a guest may still run: after its last word, its last line of a panic, SIGTERM. */
#define GRACE_VERDICT	10
#define GRACE_PANIC	5
#define GRACE_TERM	3

/*
 * Seconds that a program has to read what came over the line before the guest ended; it is taken to
 * have done so if nothing is left to read for a while: the kernel passes bytes on with a delay.
 */
#define GRACE_LINE	10
#define GRACE_DRAINED	1

/* Milliseconds between looks at a line that no program has open, or that has its pace. */
#define LOOK_MS		100
#define PACE_MS		2

/* Room for what a guest prints while this program gets no CPU, bytes. */
#define CONSOLE_BUFFER	(16 << 20)

/* One channel: bytes go to a file as they come; lines are cut here. */
struct channel {
	int fd;			/* -1 once closed */
	FILE *file;		/* every byte, or NULL */
	double line_start;	/* when the current line began */
	size_t len;
	char line[4096];
};

/* The report so far. */
struct report {
	int plan;		/* from "1..N", -1 before */
	int ok, failed, skipped;
	int disturbed;		/* times that a case was run again; no case of their own */
	bool done;		/* the verdict line came, and nothing after it */
	bool counts_agree;	/* its counts are those of the lines */
	char last[160];		/* last line of any kind */
};

static struct line line = { .fd = -1 };
static double start_time;
static FILE *times_file;
static bool quiet, on_terminal;
static bool panic_allowed;	/* a panic is not the end */
static double panic_time;
static long console_lines;
static char console_last[100];

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec + ts.tv_nsec / 1e9 - start_time;
}

static void die(const char *fmt, ...)
{
	va_list ap;

	fputs("watch: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(ST_CANNOT);
}

static void console_line(struct channel *ch)
{
	if (times_file)
		fprintf(times_file, "%.6f %s\n", ch->line_start, ch->line);
	if (!quiet)
		printf("%s\n", ch->line);
	console_lines++;
	snprintf(console_last, sizeof(console_last), "%.70s", ch->line);
	/* It may dump a log then: it is over when it says nothing any more. */
	if (panic_time || (!panic_allowed && strstr(ch->line, "Kernel panic - not syncing")))
		panic_time = now();
}

static void report_line(struct report *r, const char *s)
{
	int ok, failed, skipped, disturbed, n;

	if (!*s)
		return;
	/* A verdict that is not the last word is none. */
	r->done = false;
	snprintf(r->last, sizeof(r->last), "%.150s", s);
	if (sscanf(s, "1..%d", &n) == 1) {
		r->plan = n;
	} else if (!strncmp(s, "ok ", 3)) {
		if (strstr(s, "# SKIP"))
			r->skipped++;
		else
			r->ok++;
	} else if (!strncmp(s, "not ok ", 7)) {
		r->failed++;
	} else if (!strncmp(s, "# disturbed ", 12)) {
		r->disturbed++;
	} else if (sscanf(s, "# verdict: %d passed, %d failed, %d skipped, %d disturbed",
			  &ok, &failed, &skipped, &disturbed) == 4) {
		r->done = true;
		r->counts_agree = ok == r->ok && failed == r->failed && skipped == r->skipped &&
			    disturbed == r->disturbed && ok + failed + skipped == r->plan;
	}
}

/* Returns false at the end of the channel. */
static bool channel_read(struct channel *ch, struct report *r)
{
	char buf[8192];
	size_t room = r ? sizeof(buf) : line_room(&line, now());
	ssize_t n = read(ch->fd, buf, room < sizeof(buf) ? room : sizeof(buf));
	double t = now();

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (n <= 0) {
		close(ch->fd);
		ch->fd = -1;
		return false;
	}
	if (ch->file)
		fwrite(buf, 1, n, ch->file);
	if (!r && line.fd >= 0)
		line_put(&line, buf, (size_t)n);
	for (ssize_t i = 0; i < n; i++) {
		if (!ch->len)
			ch->line_start = t;
		if (buf[i] != '\n') {
			if (ch->len < sizeof(ch->line) - 1)
				ch->line[ch->len++] = buf[i];
			continue;
		}
		while (ch->len && ch->line[ch->len - 1] == '\r')
			ch->len--;
		ch->line[ch->len] = 0;
		if (r)
			report_line(r, ch->line);
		else
			console_line(ch);
		ch->len = 0;
	}
	return true;
}

static void flush_files(struct channel *console, struct channel *verdict)
{
	if (console->file)
		fflush(console->file);
	if (verdict->file)
		fflush(verdict->file);
	if (times_file)
		fflush(times_file);
	fflush(stdout);
}

static FILE *open_out(const char *path)
{
	FILE *f = fopen(path, "w");

	if (!f)
		die("%s: %s", path, strerror(errno));
	return f;
}

static char *replace_by_fd(const char *arg, const char *word, int fd)
{
	const char *at = strstr(arg, word);
	char *s;

	if (!at)
		return NULL;
	if (asprintf(&s, "%.*s%d%s", (int)(at - arg), arg, fd, at + strlen(word)) < 0)
		die("out of memory");
	return s;
}

static pid_t spawn(char **argv, int console, int verdict, const sigset_t *old)
{
	pid_t pid = fork();
	int null;

	if (pid < 0)
		die("fork: %s", strerror(errno));
	if (pid) {
		setpgid(pid, pid);
		return pid;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setpgid(0, 0);
	sigprocmask(SIG_SETMASK, old, NULL);
	null = open("/dev/null", O_RDONLY);
	dup2(null, 0);
	dup2(2, 1);
	for (int i = 0; argv[i]; i++) {
		char *s;

		while ((s = replace_by_fd(argv[i], "@con@", console)) ||
		       (s = replace_by_fd(argv[i], "@verdict@", verdict)))
			argv[i] = s;
	}
	execvp(argv[0], argv);
	fprintf(stderr, "watch: %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

static void usage(int status)
{
	fputs("usage: watch [-qr] [-t SECONDS] [-c CONSOLE] [-s TIMES] [-v VERDICT]\n"
	      "             [-l LINK [-p RATE] [-f N]] -- COMMAND...\n"
	      "Runs COMMAND, in which @con@ and @verdict@ become the numbers of two open sockets.\n"
	      "  -c CONSOLE  file for the bytes of the console\n"
	      "  -s TIMES    file for its lines, each after the seconds at which it began to come\n"
	      "  -v VERDICT  file for the bytes of the report\n"
	      "  -t SECONDS  how long the guest may take (default 300)\n"
	      "  -q          do not show the console\n"
	      "  -r          a panic is not the end: the guest boots again\n"
	      "  -l LINK     the console is a terminal, too, which a program can open by this name\n"
	      "  -p RATE     bytes a second that the guest can send\n"
	      "  -f N        of N bytes on the terminal one is flipped, one dropped, and one doubled; the\n"
	      "              faults are others for each program that opens it, and the same each time\n"
	      "status: 0 all passed, 1 something failed, 2 could not run, 3 lost, 4 crashed\n",
	      status ? stderr : stdout);
	exit(status);
}

/*
 * A guest with exact time must not wait for this program: its clock then jumps from timer to timer.
 * Only root may have more room than the system's limit. A guest with the pace of a line must wait.
 */
static void enlarge_send_buffer(int fd, bool waits)
{
	int size = waits ? 1 : CONSOLE_BUFFER;

	if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof(size)))
		setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
}

static void open_line(void)
{
	const char *what = line.link ? line_open(&line) : NULL;

	if (what)
		die("%s: %s", what, strerror(errno));
}

/* The guest has ended: the program may still have to read. */
static void end_line(void)
{
	double end = now() + GRACE_LINE, busy = now();

	while (line.is_open && now() < end && now() < busy + GRACE_DRAINED) {
		line_work(&line, -1);
		if (!line_drained(&line))
			busy = now();
		poll(NULL, 0, PACE_MS);
	}
}

/* For how long may poll() wait, in milliseconds? */
static int wait_ms(double left, bool exited, bool pacing)
{
	int ms = exited ? 200 : left > 1 || left < 0 ? 1000 : left * 1000 + 1;

	if (line.fd >= 0 && !line.is_open && ms > LOOK_MS)
		ms = LOOK_MS;
	return pacing ? PACE_MS : ms;
}

int main(int argc, char **argv)
{
	struct channel console = { .fd = -1 }, verdict = { .fd = -1 };
	struct report result = { .plan = -1 };
	int sockets[2], sfd, opt, wstatus = 0, status = ST_LOST;
	bool exited = false, interrupted = false, timed_out = false, sent_term = false;
	double limit = 300, deadline, next_progress = 0, term_time = 0;
	sigset_t set, old;
	int console_fd, verdict_fd;
	pid_t pid;

	/* Nobody else ends the guest. */
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	while ((opt = getopt(argc, argv, "+qrt:c:s:v:l:p:f:h")) != -1) {
		switch (opt) {
		case 'q':
			quiet = true;
			break;
		case 'r':
			panic_allowed = true;
			break;
		case 't':
			limit = atof(optarg);
			break;
		case 'c':
			console.file = open_out(optarg);
			break;
		case 's':
			times_file = open_out(optarg);
			break;
		case 'v':
			verdict.file = open_out(optarg);
			break;
		case 'l':
			line.link = optarg;
			break;
		case 'p':
			line.rate = (unsigned int)atoi(optarg);
			break;
		case 'f':
			line.fault_of = (unsigned int)atoi(optarg);
			break;
		case 'h':
			usage(0);
			break;
		default:
			usage(ST_CANNOT);
		}
	}
	if (optind == argc || limit <= 0 || (!line.link && (line.rate || line.fault_of)))
		usage(ST_CANNOT);
	on_terminal = quiet && isatty(2);
	open_line();

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
		die("socketpair: %s", strerror(errno));
	console.fd = sockets[0];
	console_fd = sockets[1];
	enlarge_send_buffer(console_fd, line.rate);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets))
		die("socketpair: %s", strerror(errno));
	verdict.fd = sockets[0];
	verdict_fd = sockets[1];
	fcntl(console.fd, F_SETFD, FD_CLOEXEC);
	fcntl(verdict.fd, F_SETFD, FD_CLOEXEC);
	fcntl(console.fd, F_SETFL, O_NONBLOCK);
	fcntl(verdict.fd, F_SETFL, O_NONBLOCK);

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, &old);
	sfd = signalfd(-1, &set, SFD_CLOEXEC);
	if (sfd < 0)
		die("signalfd: %s", strerror(errno));

	start_time = now();
	pid = spawn(argv + optind, console_fd, verdict_fd, &old);
	close(console_fd);
	close(verdict_fd);
	deadline = limit;

	/* Ends when the guest is gone and what it said is read. */
	while (!exited || console.fd >= 0 || verdict.fd >= 0) {
		bool pacing = console.fd >= 0 && !line_room(&line, now());
		short line_wants = line_events(&line);
		struct pollfd p[4] = {
			{ .fd = sfd, .events = POLLIN },
			{ .fd = pacing ? -1 : console.fd, .events = POLLIN },
			{ .fd = verdict.fd, .events = POLLIN },
			{ .fd = line_wants ? line.fd : -1, .events = line_wants },
		};

		/* A child of the guest may still hold the sockets: do not wait for it. */
		if (poll(p, 4, wait_ms(deadline - now(), exited, pacing)) == 0 && exited && !pacing)
			break;
		line_work(&line, console.fd);
		if (p[1].revents)
			channel_read(&console, NULL);
		if (p[2].revents)
			channel_read(&verdict, &result);
		flush_files(&console, &verdict);
		if (p[0].revents) {
			struct signalfd_siginfo si;

			if (read(sfd, &si, sizeof(si)) == sizeof(si) && si.ssi_signo != SIGCHLD) {
				interrupted = true;
				limit = 0;
			}
			if (waitpid(pid, &wstatus, WNOHANG) == pid)
				exited = true;
		}
		if (result.done && now() + GRACE_VERDICT < limit)
			limit = now() + GRACE_VERDICT;
		deadline = limit;
		if (panic_time && panic_time + GRACE_PANIC < limit)
			deadline = panic_time + GRACE_PANIC;
		if (!exited && now() >= deadline) {
			timed_out = true;
			if (!sent_term)
				term_time = now();
			kill(-pid, sent_term && now() > term_time + GRACE_TERM ? SIGKILL : SIGTERM);
			sent_term = true;
		}
		if (quiet && now() >= next_progress) {
			if (on_terminal)
				fprintf(stderr, "\r\033[K%4.0f s, %5ld lines  %.60s", now(),
					console_lines, console_last);
			else if (next_progress > 0)
				fprintf(stderr, "%4.0f s, %5ld lines\n", now(), console_lines);
			next_progress = now() + (on_terminal ? 1 : 15);
		}
	}
	if (on_terminal)
		fputs("\r\033[K", stderr);
	if (console.len) {
		console.line[console.len] = 0;
		console_line(&console);
	}
	flush_files(&console, &verdict);
	if (!interrupted)
		end_line();
	line_close(&line);

	if (interrupted) {
		fputs("watch: interrupted\n", stderr);
		return ST_BREAK;
	}
	if (WIFEXITED(wstatus) && WEXITSTATUS(wstatus) == 127 && !console_lines)
		return ST_CANNOT;
	if (result.done && result.counts_agree && result.plan > 0 && console_lines) {
		status = result.failed ? ST_FAIL : ST_PASS;
		printf("guest: %d passed, %d failed, %d skipped, %d disturbed in %.1f s\n",
		       result.ok, result.failed, result.skipped, result.disturbed, now());
	} else if (exited && WIFSIGNALED(wstatus) && !timed_out && !panic_time && !result.failed &&
		   !result.done) {
		status = ST_CRASHED;
		printf("guest: ended by signal %d (%s) after %.1f s; last console line: %s\n",
		       WTERMSIG(wstatus), strsignal(WTERMSIG(wstatus)), now(),
		       *console_last ? console_last : "none");
	} else {
		const char *why =
			result.done && !result.counts_agree ? "the verdict disagrees with the report" :
			result.done && result.plan <= 0 ? "the report is empty" :
			result.done ? "the console is missing" :
			panic_time ? "the kernel panicked" :
			timed_out ? "time is up" : "it ended without a verdict";

		printf("guest: lost after %.1f s: %s; %d passed, %d failed before; last report: %s\n",
		       now(), why, result.ok, result.failed, *result.last ? result.last : "none");
		printf("guest: last console line: %s\n", *console_last ? console_last : "none");
	}
	return status;
}
