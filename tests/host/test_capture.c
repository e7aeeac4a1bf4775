// SPDX-License-Identifier: GPL-2.0
/*
 * kfi-capture against a board on a pseudo-terminal: a shell that obeys its requests, behind a line
 * with faults, at the pace of a serial line. What is written is the log of the board.
 */
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "core/serial.h"

#define FAULT_OF	10000	/* bytes: one of them is flipped, one dropped, one doubled */
#define SEEDS		3
#define COPIES		12

static u64 rnd_state;

static u32 rnd(u32 n)
{
	rnd_state ^= rnd_state << 13;
	rnd_state ^= rnd_state >> 7;
	rnd_state ^= rnd_state << 17;
	return (u32)(rnd_state >> 32) % n;
}

/* Some logs, one behind the other. */
static u8 image[1 << 16] __aligned(8);
static u32 image_len;

static bool read_image(void)
{
	FILE *f = fopen("data/raw32le.raw", "rb");

	if (!CHECK(f))
		return false;
	image_len = (u32)fread(image, 1, sizeof(image) / COPIES, f);
	fclose(f);
	for (u32 i = 1; i < COPIES; i++)
		memcpy(image + i * image_len, image, image_len);
	image_len *= COPIES;
	return true;
}

/**
 * struct board - the board's end of the line
 * @fd: the line
 * @from: first line that is asked for, by range
 * @to: last line
 * @n: ranges; 0: all lines
 * @sent: bytes so far, for the pace
 */
struct board {
	int fd;
	u32 from[32];
	u32 to[32];
	u32 n;
	u32 sent;
};

static void send_text(struct board *b, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = s[i];

		if (!rnd(FAULT_OF))
			continue;
		if (!rnd(FAULT_OF))
			c ^= 1 << rnd(8);
		if (write(b->fd, &c, 1) != 1 || (!rnd(FAULT_OF) && write(b->fd, &c, 1) != 1))
			return;
		/* 115200 baud, in steps of a few milliseconds. */
		if (++b->sent % 64 == 0)
			usleep(64 * 1000000 / 11520);
	}
}

static void send_line(void *arg, u32 seq, const char *line, u32 len)
{
	static const char printk[] = "[    5.000000] usb 1-1: new device\r\n";
	struct board *b = arg;
	bool asked = !b->n;
	u32 cut = rnd(8) ? len : rnd(len);

	for (u32 i = 0; i < b->n; i++)
		asked |= seq >= b->from[i] && seq <= b->to[i];
	if (!asked)
		return;
	send_text(b, line, cut);
	if (cut != len)
		send_text(b, printk, strlen(printk));
	send_text(b, line + cut, len - cut - (cut != len));
	send_text(b, "\r\n", 2);
}

static void obey(struct board *b, char *command)
{
	static u32 memory[1024 * 4];
	static struct kfi_serial s;
	char *p = command;

	b->n = 0;
	send_text(b, command, strlen(command));
	if (strncmp(command, "echo ", 5) == 0) {
		for (p += 5; *p >= '0' && *p <= '9' && b->n < 32; p += *p == ',') {
			b->from[b->n] = b->to[b->n] = (u32)strtoul(p, &p, 10);
			if (*p == '-')
				b->to[b->n] = p[1] >= '0' && p[1] <= '9' ?
					      (u32)strtoul(p + 1, &p, 10) : (p++, U32_MAX);
			b->n++;
		}
	}
	kfi_serial_init(&s, 1024, memory, send_line, b);
	kfi_serial_log(&s, image, image_len);
	kfi_serial_last(&s);
	send_text(b, "~ # ", 4);
}

/* The shell: a line, and what it shows. */
static void board(int fd)
{
	struct board b = { .fd = fd };
	char command[1000];
	size_t len = 0;

	while (len < sizeof(command) - 1 && read(fd, command + len, 1) == 1) {
		if (command[len++] != '\n')
			continue;
		command[len] = '\0';
		len = 0;
		obey(&b, command);
	}
	_exit(0);
}

static void tool(char *path, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", path, size - 20);

	path[n < 0 ? 0 : n] = '\0';
	n = strrchr(path, '/') ? strrchr(path, '/') + 1 - path : 0;
	snprintf(path + n, size - (size_t)n, "kfi-capture");
}

static int run_tool(const char *tty, const char *out)
{
	char path[1000];
	int status;
	pid_t pid;

	tool(path, sizeof(path));
	pid = fork();
	if (!pid) {
		int null = open("/dev/null", O_WRONLY);

		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execl(path, path, "-d", tty, "-f", "-i", "300", "-o", out, (char *)NULL);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void same_log(const char *out)
{
	static u8 got[sizeof(image) + 1];
	FILE *f = fopen(out, "rb");
	size_t len;

	if (!CHECK(f))
		return;
	len = fread(got, 1, sizeof(got), f);
	fclose(f);
	CHECK_EQ(len, image_len);
	CHECK(memcmp(got, image, image_len) == 0);
}

static void asked_again(void)
{
	char out[] = "/tmp/kfi-capture-XXXXXX", tty[100];
	int fd = mkstemp(out);

	if (!CHECK(fd >= 0) || !read_image())
		return;
	close(fd);
	for (u32 seed = 1; seed <= SEEDS; seed++) {
		struct termios raw;
		int master, slave;
		pid_t pid;

		rnd_state = 0x9e3779b97f4a7c15ull * seed;
		if (!CHECK_EQ(openpty(&master, &slave, tty, NULL, NULL), 0))
			return;
		tcgetattr(slave, &raw);
		cfmakeraw(&raw);
		tcsetattr(slave, TCSANOW, &raw);
		pid = fork();
		if (!pid) {
			close(slave);
			board(master);
		}
		CHECK_EQ(run_tool(tty, out), 0);
		close(master);
		close(slave);
		waitpid(pid, NULL, 0);
		same_log(out);
	}
	unlink(out);
}

static const struct check_case cases[] = {
	{ "a board on a line with faults", asked_again },
};
CHECK_MAIN(cases)
