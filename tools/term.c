// SPDX-License-Identifier: GPL-2.0
/* A pager, colours and progress on a terminal: see term.h. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "out.h"
#include "term.h"

/* Who waits for less wants to know nothing. */
#define PATIENCE_MS	1000
#define STEP_MS		200

static bool colours;
/* Standard output is a terminal, with a pager or without. */
static bool shows;
static pid_t pager;
/* The pager shows standard error, too. */
static bool pager_errors;
/* Standard output and error as they were. */
static int kept[2] = { -1, -1 };

/* Where progress is shown, or -1; what is watched, and whether something of it stands there. */
static int progress_fd = -1;
static const char *progress_tool;
static const struct kfi_in *volatile watched;
static volatile sig_atomic_t shown;
/* The pager has got something: the terminal is its own. */
static bool given;

const char *term_ink(enum term_ink ink)
{
	static const char *const inks[] = {
		[TERM_PLAIN] = "\033[0m",
		[TERM_TITLE] = "\033[1m",
		[TERM_GOOD] = "\033[32m",
		[TERM_BAD] = "\033[31m",
	};
	static_assert(ARRAY_SIZE(inks) == TERM_INKS);

	return colours ? inks[ink] : "";
}

/* A terminal on which a cursor can go back. */
static bool able(int fd)
{
	const char *name = getenv("TERM");

	return isatty(fd) && name && *name && strcmp(name, "dumb") != 0;
}

static int set_colours(const char *when, struct kfi_err *err)
{
	const char *no = getenv("NO_COLOR");

	if (!when || strcmp(when, "auto") == 0)
		colours = able(STDOUT_FILENO) && !(no && *no);
	else if (strcmp(when, "always") == 0)
		colours = true;
	else if (strcmp(when, "never") != 0)
		return kfi_err_set(err, EINVAL, "--color wants auto, always or never, not \"%s\"",
				   when);
	return 0;
}

/* Gives standard output and error back: the end of what the pager reads. Waits until it is left. */
static void leave_pager(void)
{
	dup2(kept[0], STDOUT_FILENO);
	if (pager_errors)
		dup2(kept[1], STDERR_FILENO);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
}

static void at_exit(void)
{
	fflush(stdout);
	leave_pager();
}

/* Whoever interrupts a pager does not want the shell to come back while it is there. */
static void at_signal(int sig)
{
	leave_pager();
	signal(sig, SIG_DFL);
	raise(sig);
}

/* In the child: becomes the pager when there is something to show. */
static _Noreturn void be_pager(int in)
{
	struct pollfd p = { .fd = in, .events = POLLIN };
	const char *command = getenv("PAGER");

	while (poll(&p, 1, -1) < 0 && errno == EINTR)
		;
	if (!(p.revents & POLLIN))
		_exit(0);
	dup2(in, STDIN_FILENO);
	/* Leave at once if it is one page, show colours, do not clear the screen. */
	setenv("LESS", "FRX", 0);
	if (command) {
		/* What cannot be found has read nothing: all is still there for cat. */
		execl("/bin/sh", "sh", "-c", "eval \"$PAGER\"; s=$?; [ $s -ne 127 ] || exec cat; exit $s",
		      (char *)NULL);
	} else {
		execlp("less", "less", (char *)NULL);
		execlp("more", "more", (char *)NULL);
		execlp("cat", "cat", (char *)NULL);
	}
	_exit(127);
}

static void start_pager(void)
{
	const char *command = getenv("PAGER");
	int pipes[2];

	if (command && (!*command || strcmp(command, "cat") == 0))
		return;
	if (pipe2(pipes, O_CLOEXEC) < 0)
		return;
	kept[0] = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	kept[1] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	fflush(stdout);
	pager = kept[0] < 0 || kept[1] < 0 ? -1 : fork();
	if (pager == 0) {
		close(pipes[1]);
		be_pager(pipes[0]);
	}
	close(pipes[0]);
	if (pager > 0) {
		pager_errors = isatty(STDERR_FILENO);
		dup2(pipes[1], STDOUT_FILENO);
		if (pager_errors)
			dup2(pipes[1], STDERR_FILENO);
		atexit(at_exit);
		/* Who quits the pager has seen enough: the exit status stays. */
		signal(SIGPIPE, SIG_IGN);
		signal(SIGINT, at_signal);
		signal(SIGTERM, at_signal);
		signal(SIGHUP, at_signal);
	}
	close(pipes[1]);
}

int term_begin(const struct term *t, const char *tool, bool streams, struct kfi_err *err)
{
	const bool output = able(STDOUT_FILENO), errors = able(STDERR_FILENO);
	int ret = set_colours(t->color, err);

	if (ret)
		return ret;
	shows = isatty(STDOUT_FILENO);
	if (errors && !(output && streams))
		progress_fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	progress_tool = tool;
	if (output && !t->no_pager)
		start_pager();
	return 0;
}

/* How much of a file has been read, in percent; -1: nobody knows. */
static int percent(const struct kfi_in *in)
{
	const char *start = in->map, *at = in->unpack ? (const char *)in->zpos : in->pos;

	if (!start || !in->map_len || at < start || at > start + in->map_len)
		return -1;
	return (int)((double)(at - start) * 100 / (double)in->map_len);
}

static void add(char *text, size_t *n, const char *s)
{
	for (int i = 0; s[i] && i < 100; i++)
		text[(*n)++] = s[i];
}

/* Only what may be done at any time. */
static void show(int sig)
{
	const struct kfi_in *in = watched;
	char text[256], number[32], *end = number + sizeof(number), *digits;
	int code = errno, at;
	size_t n = 0;

	(void)sig;
	if (!in)
		return;
	at = percent(in);
	digits = kfi_out_number(at >= 0 ? at : (s64)in->line, end);
	add(text, &n, "\r");
	add(text, &n, progress_tool);
	add(text, &n, ": ");
	add(text, &n, in->name);
	/* What is read as a whole has no lines. */
	if (at > 0 || in->line) {
		add(text, &n, ": ");
		memcpy(text + n, digits, end - digits);
		n += end - digits;
		add(text, &n, at >= 0 ? " %" : " lines");
	}
	add(text, &n, "\033[K");
	shown = 1;
	if (write(progress_fd, text, n) < 0)
		watched = NULL;
	errno = code;
}

static void set_timer(int first_ms, int then_ms)
{
	struct itimerval when = {
		.it_value = { first_ms / 1000, first_ms % 1000 * 1000 },
		.it_interval = { then_ms / 1000, then_ms % 1000 * 1000 },
	};

	setitimer(ITIMER_REAL, &when, NULL);
}

void term_watch(const struct kfi_in *in)
{
	struct sigaction action = { .sa_handler = show, .sa_flags = SA_RESTART };

	if (progress_fd < 0 || given)
		return;
	watched = in;
	sigaction(SIGALRM, &action, NULL);
	set_timer(PATIENCE_MS, STEP_MS);
}

void term_done(void)
{
	if (!watched)
		return;
	set_timer(0, 0);
	watched = NULL;
	if (shown && write(progress_fd, "\r\033[K", 4) < 0)
		progress_fd = -1;
	shown = 0;
}

bool term_shows(void)
{
	return shows;
}

bool term_left(void)
{
	return pager > 0 && errno == EPIPE;
}

void term_say(void)
{
	term_done();
	given = pager_errors;
}
