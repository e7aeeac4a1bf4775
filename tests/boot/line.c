// SPDX-License-Identifier: GPL-2.0
/*
 * The serial line of a guest, as a program of the host sees it (kfi-capture, for example): a
 * pseudo-terminal. Called by watch.c, which reads the guest's console.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "line.h"

/* What the line makes up for if this program got no CPU: seconds. */
#define PACE_BURST	0.1

static const char *slave_of(const struct line *l)
{
	return ptsname(l->fd);
}

const char *line_open(struct line *l)
{
	struct termios raw;
	int slave;

	if (openpty(&l->fd, &slave, NULL, NULL, NULL))
		return "openpty";
	/* A program may read before it sets the line. */
	if (tcgetattr(slave, &raw))
		return "tcgetattr";
	cfmakeraw(&raw);
	if (tcsetattr(slave, TCSANOW, &raw))
		return "tcsetattr";
	/* Without an open slave the master hangs up: look() sees when a program opens it. */
	close(slave);
	fcntl(l->fd, F_SETFD, FD_CLOEXEC);
	fcntl(l->fd, F_SETFL, O_NONBLOCK);
	unlink(l->link);
	if (symlink(slave_of(l), l->link))
		return l->link;
	return NULL;
}

size_t line_room(struct line *l, double now)
{
	double room;

	if (!l->rate)
		return SIZE_MAX;
	l->budget += (now - l->budget_time) * l->rate;
	l->budget_time = now;
	if (l->budget > l->rate * PACE_BURST)
		l->budget = l->rate * PACE_BURST;
	room = l->budget;
	return room < 1 ? 0 : (size_t)room;
}

static uint32_t random_below(struct line *l, uint32_t n)
{
	l->random ^= l->random << 13;
	l->random ^= l->random >> 7;
	l->random ^= l->random << 17;
	return (uint32_t)(l->random >> 32) % n;
}

static bool is_faulty(struct line *l)
{
	return l->fault_of && l->is_open && !random_below(l, l->fault_of);
}

static void add(struct line *l, char c)
{
	if (l->len == l->size) {
		l->size = l->size ? 2 * l->size : 65536;
		l->queue = realloc(l->queue, l->size);
		if (!l->queue)
			abort();
	}
	l->queue[l->len++] = c;
}

void line_put(struct line *l, const char *buf, size_t n)
{
	if (l->rate)
		l->budget -= (double)n;
	if (l->programs && !l->is_open)
		return;
	for (size_t i = 0; i < n; i++) {
		char c = buf[i];

		if (is_faulty(l))
			continue;
		if (is_faulty(l))
			c ^= (char)(1 << random_below(l, 8));
		add(l, c);
		if (is_faulty(l))
			add(l, c);
	}
}

/* Looks whether a program has the line open. */
static void look(struct line *l)
{
	struct pollfd p = { .fd = l->fd };
	bool is_open = poll(&p, 1, 0) >= 0 && !(p.revents & POLLHUP);

	if (is_open && !l->is_open) {
		/* Never 0: the generator would stay there. */
		l->random = ++l->programs * 0x9e3779b97f4a7c15;
	}
	if (!is_open && l->is_open)
		l->len = 0;
	l->is_open = is_open;
}

static void send_queue(struct line *l)
{
	ssize_t n;

	while (l->len) {
		n = write(l->fd, l->queue, l->len);
		if (n <= 0)
			return;
		l->len -= (size_t)n;
		memmove(l->queue, l->queue + n, l->len);
	}
}

static void take_typed(struct line *l, int guest)
{
	ssize_t n = read(l->fd, l->typed + l->typed_len, sizeof(l->typed) - l->typed_len);

	if (n > 0)
		l->typed_len += (size_t)n;
	if (guest < 0)
		l->typed_len = 0;
	if (!l->typed_len)
		return;
	n = write(guest, l->typed, l->typed_len);
	if (n <= 0)
		return;
	l->typed_len -= (size_t)n;
	memmove(l->typed, l->typed + n, l->typed_len);
}

void line_work(struct line *l, int guest)
{
	if (l->fd < 0)
		return;
	look(l);
	if (!l->is_open)
		return;
	send_queue(l);
	take_typed(l, guest);
}

short line_events(const struct line *l)
{
	if (l->fd < 0 || !l->is_open)
		return 0;
	return (short)((l->typed_len < sizeof(l->typed) ? POLLIN : 0) | (l->len ? POLLOUT : 0));
}

bool line_drained(struct line *l)
{
	int slave, waiting = 0;

	if (l->fd < 0)
		return true;
	if (l->len)
		return false;
	slave = open(slave_of(l), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave >= 0) {
		ioctl(slave, FIONREAD, &waiting);
		close(slave);
	}
	return !waiting;
}

void line_close(struct line *l)
{
	if (l->fd < 0)
		return;
	unlink(l->link);
	close(l->fd);
	free(l->queue);
	l->fd = -1;
}
