// SPDX-License-Identifier: GPL-2.0
/*
 * kfi-capture: takes a trace off a board over its console. What the board shows comes out with the
 * time of its arrival; lines of /proc/kfi_serial are checked and kept (lines.h). For those that are
 * missing it types a request to the board's shell. All that the board sends is hostile input.
 */
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "lines.h"
#include "opt.h"
#include "version.h"

#define WAIT_MS		200
/* A shell that gets more at once may lose it; the file takes no more ranges. */
#define RANGES_MAX	24

static const char *device = "-";
static const char *output;
static const char *console;
static u64 baud = 115200;
static u64 idle_ms = 1500;
static u64 tries = 10;
static bool fetch;
static bool listen_only;
static bool want_help;
static bool want_version;

static const struct kfi_opt options[] = {
	{ 'd', "device", KFI_OPT_STR, "DEVICE", &device, .help =
	  "serial line, tcp:HOST:PORT, file, or - (default: standard input)" },
	{ 'b', "baud", KFI_OPT_NUM, "N", &baud, .min = 50, .max = 4000000, .help =
	  "rate of a serial line (default: 115200)" },
	{ 'o', "output", KFI_OPT_STR, "FILE", &output, .help = "raw log to write, for kd" },
	{ 'c', "console", KFI_OPT_STR, "FILE", &console, .help =
	  "console log to write: all that came, lines of the log, too" },
	{ 'f', "fetch", KFI_OPT_FLAG, NULL, &fetch, .help =
	  "type \"cat /proc/kfi_serial\" first" },
	{ 'n', "no-typing", KFI_OPT_FLAG, NULL, &listen_only, .help =
	  "type nothing: print what to type" },
	{ 'i', "idle", KFI_OPT_NUM, "MS", &idle_ms, .min = 100, .max = 3600000, .help =
	  "lines are missing if none came for so long (default: 1500)" },
	{ 't', "tries", KFI_OPT_NUM, "N", &tries, .max = 1000, .help =
	  "requests without any new line, before it gives up (default: 10)" },
	{ 'h', "help", KFI_OPT_FLAG, NULL, &want_help, .help = "print this help" },
	{ 'V', "version", KFI_OPT_FLAG, NULL, &want_version, .help = "print the version" },
};

/**
 * struct capture - what is under way
 * @fd: the board
 * @types: it has a shell that can be typed to
 * @lines: lines that have come
 * @have: how many they were when one came last
 * @last: when that was, in milliseconds
 * @asked: requests since then
 * @text: what has come and is not taken yet
 * @len: bytes of it
 * @log: the console log, or NULL
 * @begin: when all began, in milliseconds
 * @shown_newline: what is shown is at the beginning of a line
 * @log_newline: what is in the console log is
 */
struct capture {
	int fd;
	bool types;
	struct kfi_lines lines;
	u64 have;
	u64 last;
	u64 asked;
	char text[65536];
	size_t len;
	FILE *log;
	u64 begin;
	bool shown_newline;
	bool log_newline;
};
static_assert(sizeof(((struct capture *)0)->text) > 2 * KFI_LINES_SPAN_MAX);

static volatile sig_atomic_t stopped;

static void stop(int sig)
{
	stopped = 1;
}

static u64 now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Text with the time at which each line began; nothing that a terminal could obey. */
static void put_text(FILE *f, bool *newline, u64 ms, const char *s, size_t len)
{
	for (; len; len--, s++) {
		if (*s == '\r')
			continue;
		if (*newline)
			fprintf(f, "[%5llu.%03llu] ", (unsigned long long)ms / 1000,
				(unsigned long long)ms % 1000);
		*newline = *s == '\n';
		putc((*s >= ' ' && *s <= '~') || *s == '\n' || *s == '\t' ? *s : '?', f);
	}
}

static void put_other(void *arg, const char *s, size_t len)
{
	struct capture *c = arg;

	put_text(stdout, &c->shown_newline, now_ms() - c->begin, s, len);
	fflush(stdout);
	if (c->log)
		put_text(c->log, &c->log_newline, now_ms() - c->begin, s, len);
}

/* A line that printk had cut is whole again in the console log. */
static void put_line(void *arg, const char *a, size_t alen, const char *b, size_t blen)
{
	struct capture *c = arg;

	if (!c->log)
		return;
	fprintf(c->log, "%s%c%.*s%.*s%c\n", c->log_newline ? "" : "\n", KFI_SERIAL_BEGIN, (int)alen,
		a, (int)blen, b, KFI_SERIAL_END);
	c->log_newline = true;
}

static u64 count_lines(const struct capture *c)
{
	u64 n = 0;

	for (u32 i = 0; i < c->lines.nsent; i++)
		n += c->lines.sent[i].have;
	return n;
}

/* The transmission that is under way. */
static const struct kfi_lines_sent *newest(const struct capture *c)
{
	return c->lines.nsent ? &c->lines.sent[c->lines.nsent - 1] : NULL;
}

static bool is_whole(const struct capture *c)
{
	const struct kfi_lines_sent *sent = newest(c);
	u32 from = 0, to;

	return sent && !kfi_lines_missing(sent, &from, &to);
}

/* ---- the board ---- */

static speed_t speed_of(u64 rate)
{
	static const struct {
		u32 rate;
		speed_t speed;
	} speeds[] = {
		{ 9600, B9600 }, { 19200, B19200 }, { 38400, B38400 }, { 57600, B57600 },
		{ 115200, B115200 }, { 230400, B230400 }, { 460800, B460800 },
		{ 921600, B921600 }, { 1000000, B1000000 }, { 1500000, B1500000 },
		{ 2000000, B2000000 }, { 3000000, B3000000 }, { 4000000, B4000000 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(speeds); i++)
		if (speeds[i].rate == rate)
			return speeds[i].speed;
	return B0;
}

static int open_tcp(const char *where, struct kfi_err *err)
{
	struct addrinfo want = { .ai_socktype = SOCK_STREAM }, *list, *a;
	const char *port = strrchr(where, ':');
	char host[256];
	int fd = -1, ret;

	if (!port || port == where || port - where >= (long)sizeof(host))
		return kfi_err_set(err, EINVAL, "tcp:%s: not tcp:HOST:PORT", where);
	snprintf(host, sizeof(host), "%.*s", (int)(port - where), where);
	ret = getaddrinfo(host, port + 1, &want, &list);
	if (ret)
		return kfi_err_set(err, EINVAL, "tcp:%s: %s", where, gai_strerror(ret));
	for (a = list; a && fd < 0; a = a->ai_next) {
		fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
		if (fd >= 0 && connect(fd, a->ai_addr, a->ai_addrlen)) {
			ret = errno;
			close(fd);
			fd = -1;
		}
	}
	freeaddrinfo(list);
	return fd < 0 ? kfi_err_set(err, ret, "tcp:%s: %s", where, strerror(ret)) : fd;
}

static int set_line(int fd, struct kfi_err *err)
{
	speed_t speed = speed_of(baud);
	struct termios t;

	if (speed == B0)
		return kfi_err_set(err, EINVAL, "%llu baud: not a usual rate",
				   (unsigned long long)baud);
	if (tcgetattr(fd, &t))
		return kfi_err_set(err, errno, "%s: %s", device, strerror(errno));
	cfmakeraw(&t);
	t.c_cflag |= CLOCAL | CREAD;
	t.c_cflag &= ~CRTSCTS;
	cfsetispeed(&t, speed);
	cfsetospeed(&t, speed);
	if (tcsetattr(fd, TCSANOW, &t))
		return kfi_err_set(err, errno, "%s: %s", device, strerror(errno));
	return 0;
}

/* Return: 0 or -errno. */
static int open_board(struct capture *c, struct kfi_err *err)
{
	struct stat st;
	int ret = 0;

	if (strcmp(device, "-") == 0) {
		c->fd = STDIN_FILENO;
		return 0;
	}
	if (strncmp(device, "tcp:", 4) == 0) {
		c->fd = open_tcp(device + 4, err);
		c->types = c->fd >= 0;
		return c->fd < 0 ? c->fd : 0;
	}
	if (stat(device, &st) == 0 && S_ISCHR(st.st_mode)) {
		c->fd = open(device, O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
		c->types = c->fd >= 0 && isatty(c->fd);
		if (c->types)
			ret = set_line(c->fd, err);
	} else {
		c->fd = open(device, O_RDONLY | O_CLOEXEC);
	}
	if (c->fd < 0)
		return kfi_err_set(err, errno, "%s: %s", device, strerror(errno));
	return ret;
}

/* A command to the board's shell; the user sees it. */
static void type(struct capture *c, const char *command)
{
	size_t len = strlen(command), done = 0;

	if (!c->types || listen_only) {
		fprintf(stderr, "kfi-capture: type on the board: %.*s\n", (int)len - 1, command);
		return;
	}
	fprintf(stderr, "kfi-capture: types: %.*s\n", (int)len - 1, command);
	while (done < len && !stopped) {
		struct pollfd p = { .fd = c->fd, .events = POLLOUT };
		ssize_t n = write(c->fd, command + done, len - done);

		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return;
		if (n > 0)
			done += (size_t)n;
		else
			poll(&p, 1, WAIT_MS);
	}
}

static void ask(struct capture *c)
{
	const struct kfi_lines_sent *sent = newest(c);
	u32 from = 0, to, n = 0;
	char command[600];
	size_t len;

	len = (size_t)snprintf(command, sizeof(command), "echo ");
	for (; n < RANGES_MAX && kfi_lines_missing(sent, &from, &to); from = to + 1, n++) {
		len += (size_t)snprintf(command + len, sizeof(command) - len, "%s%u", n ? "," : "",
					from);
		if (to != from)
			len += (size_t)snprintf(command + len, sizeof(command) - len, "-");
		if (to == U32_MAX)
			break;
		if (to != from)
			len += (size_t)snprintf(command + len, sizeof(command) - len, "%u", to);
	}
	snprintf(command + len, sizeof(command) - len,
		 " >/proc/kfi_serial; cat /proc/kfi_serial\n");
	type(c, command);
}

/* ---- the capture ---- */

/* Return: 0, or -ENOMEM. */
static int take(struct capture *c, bool more)
{
	ssize_t n = kfi_lines_feed(&c->lines, c->text, c->len, more);
	u64 have;

	if (n < 0)
		return (int)n;
	memmove(c->text, c->text + n, c->len - (size_t)n);
	c->len -= (size_t)n;
	have = count_lines(c);
	if (have != c->have) {
		c->have = have;
		c->last = now_ms();
		c->asked = 0;
	}
	return 0;
}

static void report_progress(const struct capture *c)
{
	static u64 shown;
	const struct kfi_lines_sent *sent = newest(c);

	if (!sent || !isatty(STDERR_FILENO) || now_ms() - shown < 1000)
		return;
	shown = now_ms();
	fprintf(stderr, "\rkfi-capture: %u lines, %u missing\r", sent->have, sent->n - sent->have);
}

/* No line has come for a while. Return: false: no more are to be expected. */
static bool wait_more(struct capture *c)
{
	if (!newest(c) || is_whole(c) || now_ms() - c->last < idle_ms)
		return true;
	if (c->asked++ == tries)
		return false;
	ask(c);
	c->last = now_ms();
	return true;
}

/* Return: 0 at the end of what the board sends, or when all is there; -errno. */
static int run(struct capture *c, struct kfi_err *err)
{
	while (!stopped && !is_whole(c) && wait_more(c)) {
		struct pollfd p = { .fd = c->fd, .events = POLLIN };
		ssize_t n;

		report_progress(c);
		if (poll(&p, 1, WAIT_MS) <= 0) {
			if (take(c, false))
				return kfi_err_set(err, ENOMEM, "out of memory");
			continue;
		}
		n = read(c->fd, c->text + c->len, sizeof(c->text) - c->len);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			continue;
		if (n < 0 && errno != EIO)
			return kfi_err_set(err, errno, "%s: %s", device, strerror(errno));
		if (n <= 0)
			break;
		c->len += (size_t)n;
		if (take(c, true))
			return kfi_err_set(err, ENOMEM, "out of memory");
	}
	return take(c, false) ? kfi_err_set(err, ENOMEM, "out of memory") : 0;
}

/* Return: exit status. */
static int write_log(struct capture *c, struct kfi_err *err)
{
	char fault[320];
	size_t len;
	u8 *raw;
	FILE *f;
	int bad;

	if (!newest(c)) {
		kfi_err_set(err, EINVAL, "no lines of /proc/kfi_serial came");
		return 2;
	}
	if (kfi_lines_raw(&c->lines, "kfi-capture", &raw, &len, fault, sizeof(fault), err))
		return 2;
	f = fopen(output, "w");
	bad = !f || fwrite(raw, 1, len, f) != len;
	bad |= f && fclose(f);
	free(raw);
	if (bad) {
		kfi_err_set(err, errno, "%s: %s", output, strerror(errno));
		return 2;
	}
	if (*fault)
		kfi_err_set(err, EBADMSG, "%s: %s", output, fault);
	else
		fprintf(stderr, "kfi-capture: %s: %zu bytes of %u lines, whole\n", output, len,
			newest(c)->n);
	return *fault ? 1 : 0;
}

static int capture(struct kfi_err *err)
{
	static struct capture c = { .fd = -1, .shown_newline = true, .log_newline = true };
	struct sigaction act = { .sa_handler = stop };
	int status = 2;

	sigaction(SIGINT, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	c.lines.other = put_other;
	c.lines.line = put_line;
	c.lines.arg = &c;
	c.begin = c.last = now_ms();
	if (console) {
		c.log = fopen(console, "w");
		if (!c.log)
			return kfi_err_set(err, errno, "%s: %s", console, strerror(errno)), 2;
	}
	if (!open_board(&c, err)) {
		if (fetch)
			type(&c, "cat /proc/kfi_serial\n");
		if (!run(&c, err))
			status = write_log(&c, err);
	}
	if (c.log && fclose(c.log)) {
		kfi_err_set(err, errno, "%s: %s", console, strerror(errno));
		status = 2;
	}
	if (c.fd > STDIN_FILENO)
		close(c.fd);
	kfi_lines_free(&c.lines);
	return status;
}

static void help(void)
{
	printf("usage: kfi-capture [OPTIONS] -o FILE\n"
	       "\n"
	       "Takes a trace off a board over its console: what cat /proc/kfi_serial shows there becomes\n"
	       "a raw log. It shows other text with the time, and asks again for lines that are missing.\n"
	       "Ctrl-C ends it, and keeps what has come.\n\n");
	kfi_opt_help(options, ARRAY_SIZE(options), 0, stdout);
	printf("\n"
	       "Exit status: 0 the log is whole; 1 lines are missing; 2 could not run, or no log came.\n"
	       "\n"
	       "Example:\n"
	       "  kfi-capture -o boot.raw <console.log\n");
}

int main(int argc, char **argv)
{
	struct kfi_err err = { "" };
	int first, status;

	first = kfi_opt_parse(options, ARRAY_SIZE(options), argc, argv, NULL, &err);
	if (first >= 0 && want_help) {
		help();
		return 0;
	}
	if (first >= 0 && want_version) {
		printf("kfi-capture version " KFI_VERSION "\n");
		return 0;
	}
	if (first >= 0 && (!output || first != argc))
		first = kfi_err_set(&err, EINVAL, "wants -o FILE and no other words");
	if (first < 0) {
		fprintf(stderr, "kfi-capture: %s. See usage for help. (Use -h)\n", err.text);
		return 2;
	}
	status = capture(&err);
	if (status)
		fprintf(stderr, "kfi-capture: %s\n", err.text);
	return status;
}
