// SPDX-License-Identifier: GPL-2.0
/* Pager, colours and progress on a terminal: see term.h. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "term.h"

/* Progress is shown after this number of milliseconds. */
#define PATIENCE_MS	1000
#define STEP_MS		200

static bool colours;
/* Standard output is a terminal, with or without a pager. */
static bool shows;
static pid_t pager;
/* The pager also gets standard error. */
static bool pager_errors;
/* Descriptors of the original standard output and error. */
static int kept[2] = { -1, -1 };

/*
 * State of the progress: descriptor or -1; name of the tool; the log; time of the next output; true
 * if it is on the screen.
 */
static int progress_fd = -1;
static const char *progress_tool;
static const struct kfi_log *watched;
static s64 show_at_ms;
static bool shown;
/* Output has gone to the pager, which owns the terminal now. */
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

bool term_take_ink(void)
{
	bool had = colours;

	colours = false;
	return had;
}

/* Return true for a terminal whose cursor can go back. */
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
		return kfi_err_set(err, EINVAL, "--color needs auto, always or never, not \"%s\"",
				   when);
	return 0;
}

/*
 * Restore standard output and error, which ends the pager's input, and wait until the user leaves
 * it.
 */
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

/* Ctrl-C in a pager must not end this program while the pager runs. */
static void at_signal(int sig)
{
	leave_pager();
	signal(sig, SIG_DFL);
	raise(sig);
}

/* In the child: run the pager when there is something to show. */
static _Noreturn void be_pager(int in)
{
	struct pollfd p = { .fd = in, .events = POLLIN };
	const char *command = getenv("PAGER");

	while (poll(&p, 1, -1) < 0 && errno == EINTR)
		;
	if (!(p.revents & POLLIN))
		_exit(0);
	dup2(in, STDIN_FILENO);
	/*
	 * Options of less: leave at once if it is one page, show colours, do not clear the screen.
	 */
	setenv("LESS", "FRX", 0);
	if (command) {
		/* A pager that cannot be found has read nothing, so cat shows everything. */
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
		/*
		 * When a user leaves the pager early, this program ends with its usual exit status.
		 */
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

static s64 now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (s64)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

void term_look(void)
{
	const struct kfi_log *log = watched;
	int percent, ret;

	if (!log || now_ms() < show_at_ms)
		return;
	show_at_ms = now_ms() + STEP_MS;
	percent = kfi_log_percent(log);
	if (percent >= 0)
		ret = dprintf(progress_fd, "\r%s: %.100s: %d %%\033[K", progress_tool, log->in.name,
			      percent);
	/* A raw log has no lines; an input that is read as a whole has not delivered any yet. */
	else if (log->in.line && !log->raw)
		ret = dprintf(progress_fd, "\r%s: %.100s: %llu lines\033[K", progress_tool,
			      log->in.name, (unsigned long long)log->in.line);
	else
		ret = dprintf(progress_fd, "\r%s: %.100s\033[K", progress_tool, log->in.name);
	shown = true;
	if (ret < 0)
		watched = NULL;
}

void term_watch(struct kfi_log *log)
{
	if (progress_fd < 0 || given)
		return;
	watched = log;
	log->in.idle = term_look;
	show_at_ms = now_ms() + PATIENCE_MS;
}

void term_done(void)
{
	watched = NULL;
	if (shown && write(progress_fd, "\r\033[K", 4) < 0)
		progress_fd = -1;
	shown = false;
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
