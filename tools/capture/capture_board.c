// SPDX-License-Identifier: GPL-2.0
/* The connection to the board: a serial line, TCP with or without TELNET, a file, or a pipe. */
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include "capture.h"

/* Milliseconds between attempts to open a closed connection again. */
#define REOPEN_MS	500

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

static int open_tcp(struct board *b, struct kfi_err *err)
{
	struct addrinfo want = { .ai_socktype = SOCK_STREAM }, *list, *a;
	const char *where = b->name + strlen("tcp:"), *port = strrchr(where, ':');
	char host[256];
	int ret;

	b->fd = -1;
	if (!port || port == where || port - where >= (long)sizeof(host))
		return kfi_err_set(err, EINVAL, "%s: not tcp:HOST:PORT", b->name);
	snprintf(host, sizeof(host), "%.*s", (int)(port - where), where);
	ret = getaddrinfo(host, port + 1, &want, &list);
	if (ret)
		return kfi_err_set(err, EINVAL, "%s: %s", b->name, gai_strerror(ret));
	for (a = list; a && b->fd < 0; a = a->ai_next) {
		b->fd = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
		if (b->fd >= 0 && connect(b->fd, a->ai_addr, a->ai_addrlen)) {
			ret = errno;
			close(b->fd);
			b->fd = -1;
		}
	}
	freeaddrinfo(list);
	b->telnet = (struct kfi_telnet){ 0 };
	b->tcp = b->has_shell = b->reopens = true;
	return b->fd < 0 ? kfi_err_set(err, ret, "%s: %s", b->name, strerror(ret)) : 0;
}

static int configure_line(struct board *b, struct kfi_err *err)
{
	speed_t speed = speed_of(b->baud);
	struct termios t;

	if (speed == B0)
		return kfi_err_set(err, EINVAL, "%llu baud: this system does not know the rate",
				   (unsigned long long)b->baud);
	/* If two programs read the line, each gets a part of the text. */
	if (flock(b->fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		return kfi_err_set(err, EBUSY, "%s: another program uses it: end that first",
				   b->name);
	if (tcgetattr(b->fd, &t))
		return kfi_err_set(err, errno, "%s: %s", b->name, strerror(errno));
	cfmakeraw(&t);
	t.c_cflag |= CLOCAL | CREAD;
	t.c_cflag &= ~CRTSCTS;
	cfsetispeed(&t, speed);
	cfsetospeed(&t, speed);
	if (tcsetattr(b->fd, TCSANOW, &t))
		return kfi_err_set(err, errno, "%s: %s", b->name, strerror(errno));
	return 0;
}

/* Return true if a descriptor is that of a regular file. */
static bool is_file(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

int board_open(struct board *b, struct kfi_err *err)
{
	struct stat st;
	bool is_device;

	if (strcmp(b->name, "-") == 0) {
		b->fd = STDIN_FILENO;
		b->whole = is_file(b->fd);
		return 0;
	}
	if (strncmp(b->name, "tcp:", 4) == 0)
		return open_tcp(b, err);
	is_device = stat(b->name, &st) == 0 && S_ISCHR(st.st_mode);
	b->fd = open(b->name, is_device ? O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK :
					  O_RDONLY | O_CLOEXEC);
	if (b->fd < 0)
		return kfi_err_set(err, errno, "%s: %s", b->name, strerror(errno));
	b->has_shell = b->reopens = is_device && isatty(b->fd);
	b->whole = !is_device && is_file(b->fd);
	return b->has_shell ? configure_line(b, err) : 0;
}

void board_close(struct board *b)
{
	if (b->fd > STDIN_FILENO)
		close(b->fd);
	b->fd = -1;
}

/*
 * Try to open the connection again. A connection without a shell is closed instead: the name of an
 * unplugged adapter may now belong to an ordinary file.
 */
static void reopen(struct board *b)
{
	struct kfi_err err;

	poll(NULL, 0, WAIT_MS);
	if (now_ms() - b->opened_ms < REOPEN_MS)
		return;
	b->opened_ms = now_ms();
	if (board_open(b, &err) || !b->has_shell)
		board_close(b);
	else
		fprintf(stderr, "kfi-capture: %s: the connection is back\n", b->name);
	b->has_shell = b->reopens = true;
}

/* Handle a closed connection. @why: errno value, or 0. Return: as board_read(). */
static ssize_t handle_disconnect(struct board *b, int why, struct kfi_err *err)
{
	if (!b->reopens)
		return why ? kfi_err_set(err, why, "%s: %s", b->name, strerror(why)) : -ENODATA;
	fprintf(stderr, "kfi-capture: %s: the connection is gone; waiting until it is back\n",
		b->name);
	board_close(b);
	b->opened_ms = now_ms();
	return 0;
}

static void send_bytes(struct board *b, const char *bytes, size_t len)
{
	size_t done = 0;

	while (done < len && b->fd >= 0 && !is_interrupted()) {
		struct pollfd p = { .fd = b->fd, .events = POLLOUT };
		ssize_t n = b->tcp ? send(b->fd, bytes + done, len - done, MSG_NOSIGNAL) :
				     write(b->fd, bytes + done, len - done);

		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return;
		if (n > 0)
			done += (size_t)n;
		else
			poll(&p, 1, WAIT_MS);
	}
}

/*
 * Remove TELNET commands from the @n bytes of @buf, and answer them. Return: bytes that are left.
 */
static size_t strip_telnet(struct board *b, char *buf, size_t n)
{
	u8 reply[KFI_TELNET_REPLY_MAX(4096)];
	size_t text = 0, at = 0, part, replied;

	for (; at < n; at += part) {
		part = min_t(size_t, n - at, 4096);
		memmove(buf + text, buf + at, part);
		text += kfi_telnet_feed(&b->telnet, buf + text, part, reply, &replied);
		send_bytes(b, (const char *)reply, replied);
	}
	return text;
}

ssize_t board_read(struct board *b, char *buf, size_t size, struct kfi_err *err)
{
	struct pollfd p = { .fd = b->fd, .events = POLLIN };
	ssize_t n;

	if (b->fd < 0) {
		reopen(b);
		return 0;
	}
	if (poll(&p, 1, WAIT_MS) <= 0)
		return 0;
	n = read(b->fd, buf, size);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	if (n <= 0)
		return handle_disconnect(b, n && errno != EIO ? errno : 0, err);
	return b->tcp ? (ssize_t)strip_telnet(b, buf, (size_t)n) : n;
}

void board_write(struct board *b, const char *text, size_t len)
{
	size_t from = 0;

	for (size_t i = 0; i < len; i++) {
		if (!kfi_telnet_doubles(&b->telnet, text[i]))
			continue;
		send_bytes(b, text + from, i + 1 - from);
		from = i;
	}
	send_bytes(b, text + from, len - from);
}
