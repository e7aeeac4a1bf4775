// SPDX-License-Identifier: GPL-2.0
/*
 * kfi-capture against a board on a pseudo-terminal or a TCP connection: a shell that obeys its
 * requests, behind a line with faults, at the pace of a serial line. What is written is the log of
 * the board.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "core/serial.h"
#include "telnet.h"

#define FAULT_OF	10000	/* bytes: one of them is flipped, one dropped, one doubled */
#define SEEDS		20
#define COPIES		12
#define CHAT_MS		700	/* milliseconds between messages of a kernel that prints many */
#define TOOL_S		240	/* seconds after which a tool hangs */

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
 * @faults: bytes are damaged, and come at the pace of 115200 baud
 * @telnet: the line is a TELNET connection
 * @login: it asks for a login
 * @programs: the log comes by itself, as with kfi.dump=console, while a program writes to the console
 * @chatty: the kernel prints a message after the first prompt, and whenever nothing was typed for a
 *	while
 * @cut: lines after which it boots, panics, or its line is gone; 0: none
 * @boots: it boots then
 * @panics: it panics then, and sends no more; it has booted just before the log
 * @from: first line that is asked for, by range
 * @to: last line
 * @n: ranges; 0: all lines
 * @sent: bytes so far, for the pace
 * @lines: lines so far
 * @typed: file for what was typed
 */
struct board {
	int fd;
	bool faults;
	bool telnet;
	bool login;
	bool programs;
	bool chatty;
	u32 cut;
	bool boots;
	bool panics;
	u32 from[32];
	u32 to[32];
	u32 n;
	u32 sent;
	u32 lines;
	FILE *typed;
};

static bool put(struct board *b, char c)
{
	/* An offer in the middle of the text: it will echo. */
	if (b->telnet && ++b->sent % 100 == 0 && write(b->fd, "\377\373\001", 3) != 3)
		return false;
	if (write(b->fd, &c, 1) != 1)
		return false;
	return !b->telnet || c != '\r' || write(b->fd, "", 1) == 1;
}

static void send_text(struct board *b, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = s[i];

		if (b->faults && !rnd(FAULT_OF))
			continue;
		if (b->faults && !rnd(FAULT_OF))
			c ^= 1 << rnd(8);
		if (!put(b, c) || (b->faults && !rnd(FAULT_OF) && !put(b, c)))
			return;
		/* In steps of a few milliseconds. */
		if (b->faults && ++b->sent % 64 == 0)
			usleep(64 * 1000000 / 11520);
	}
}

static void say(struct board *b, const char *text)
{
	send_text(b, text, strlen(text));
}

/* After some lines: it boots, it panics, or the cable is pulled out. */
static void cut(struct board *b)
{
	while (b->panics)
		pause();
	if (!b->boots)
		_exit(0);
	b->cut = 0;
	b->login = true;
	say(b, "\r\n\r\nU-Boot 2024.01\r\n[    0.000000] Linux version 6.12\r\n");
}

#define DAMAGED_OF	7	/* lines: in one of them a program writes */

/* The bytes of the kernel and those of a program are sent in turns. */
static void send_mixed(struct board *b, const char *line, u32 len)
{
	static const char program[] = "\rtar: 47% ~|~ of all files |\r";
	u32 at = len / 2;

	send_text(b, line, at);
	for (u32 i = 0; program[i]; i++, at++) {
		send_text(b, line + at, 1);
		send_text(b, program + i, 1);
	}
	send_text(b, line + at, len - at);
	say(b, "\r\n");
}

static bool is_damaged(u32 seq)
{
	return seq % DAMAGED_OF == DAMAGED_OF - 1;
}

static const char printk[] = "[    5.000000] usb 1-1: new device\r\n";

static void send_line(void *arg, u32 seq, const char *line, u32 len)
{
	struct board *b = arg;
	bool asked = !b->n;
	u32 at = b->faults && !rnd(8) ? rnd(len) : len;

	for (u32 i = 0; i < b->n; i++)
		asked |= seq >= b->from[i] && seq <= b->to[i];
	if (!asked || (b->boots && b->login))
		return;
	if (b->cut && ++b->lines > b->cut) {
		cut(b);
		return;
	}
	if (b->programs && !b->n && is_damaged(seq)) {
		send_mixed(b, line, len);
		return;
	}
	send_text(b, line, at);
	if (at != len)
		say(b, printk);
	send_text(b, line + at, len - at - (at != len));
	say(b, "\r\n");
}

static void parse_request(struct board *b, char *p)
{
	for (p += 5; *p >= '0' && *p <= '9' && b->n < 32; p += *p == ',') {
		b->from[b->n] = b->to[b->n] = (u32)strtoul(p, &p, 10);
		if (*p == '-')
			b->to[b->n] = p[1] >= '0' && p[1] <= '9' ? (u32)strtoul(p + 1, &p, 10) :
							       (p++, U32_MAX);
		b->n++;
	}
}

static void show_log(struct board *b)
{
	static u32 memory[1024 * 4];
	static struct kfi_serial s;

	kfi_serial_init(&s, 1024, memory, send_line, b);
	kfi_serial_log(&s, image, image_len);
	kfi_serial_last(&s);
}

/* A line that was typed. */
static void obey(struct board *b, char *line)
{
	char *end = strstr(line, "; echo kfi-capture:$?:$((6*7))");
	static bool spoiled;
	static char asks = 'l';

	if (b->typed) {
		fprintf(b->typed, "%s\n", line);
		fflush(b->typed);
	}
	if (b->login) {
		if (asks == 'p' && strcmp(line, "secret") == 0)
			b->login = false;
		asks = asks == 'l' && *line ? 'p' : 'l';
		say(b, !b->login ? "\r\n# " : asks == 'p' ? "root\r\nPassword: " : "\r\nboard login: ");
		b->n = 0;
		return;
	}
	say(b, line);
	say(b, "\r\n");
	b->n = 0;
	if (strncmp(line, "echo ", 5) == 0)
		parse_request(b, line);
	if (strstr(line, "cat /proc/kfi_serial"))
		show_log(b);
	if (b->boots && b->login) {
		b->boots = false;
		say(b, "\r\nboard login: ");
		return;
	}
	if (end)
		say(b, strstr(line, "fails") ? "kfi-capture:3:42\r\n" : "kfi-capture:0:42\r\n");
	/* busybox asks for the cursor's place behind its prompt. */
	say(b, b->telnet ? "~ # " : "~ # \033[6n");
	if (b->chatty && !*line && !spoiled)
		say(b, printk);
	spoiled = true;
	b->chatty &= *line == '\0';
}

/* The shell: a line, and what it shows. */
static void run_board(struct board *b)
{
	char line[4096];
	size_t len = 0;
	u8 c;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (b->telnet && write(b->fd, "\377\375\003", 3) != 3)
		_exit(1);
	if (b->login)
		say(b, "\r\nboard login: ");
	if (b->panics)
		say(b, "[    0.000000] Linux version 6.12\r\n");
	if (b->programs) {
		show_log(b);
		say(b, "~ # ");
	}
	while (len < sizeof(line) - 1) {
		struct pollfd p = { .fd = b->fd, .events = POLLIN };

		if (b->chatty && poll(&p, 1, CHAT_MS) == 0) {
			say(b, printk);
			continue;
		}
		if (read(b->fd, &c, 1) != 1)
			break;
		/* What the other end says of options. */
		if (b->telnet && c == 255) {
			if (read(b->fd, &c, 1) != 1 || read(b->fd, &c, 1) != 1)
				break;
			continue;
		}
		if (c != '\n') {
			line[len++] = (char)c;
			continue;
		}
		line[len] = '\0';
		len = 0;
		obey(b, line);
	}
	_exit(0);
}

/* ---- the tool ---- */

static const char dir_like[] = "/tmp/kfi-capture-XXXXXX";
static char dir[sizeof(dir_like)];

static const char *file(const char *name)
{
	static char path[32][200];
	static u32 turn;
	char *p = path[turn++ % 32];

	snprintf(p, sizeof(path[0]), "%s/%s", dir, name);
	return p;
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(file(name), "w");

	if (!CHECK(f))
		return;
	fputs(text, f);
	fclose(f);
}

static bool has(const char *name, const char *words)
{
	static char text[1 << 20];
	FILE *f = fopen(file(name), "r");
	size_t len = f ? fread(text, 1, sizeof(text), f) : 0;

	if (f)
		fclose(f);
	return memmem(text, len, words, strlen(words));
}

#define ARGS_MAX	24

/* Nobody reads what the tool shows, as behind "| head". */
static bool no_reader;

static int open_stdout(void)
{
	int ends[2];

	if (!no_reader)
		return open(file("stdout"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (pipe(ends))
		return -1;
	close(ends[0]);
	return ends[1];
}

/* @words: NULL-terminated, behind -d DEVICE -o OUT. */
static pid_t start_tool(const char *device, const char *const *words)
{
	const char *args[ARGS_MAX] = { "kfi-capture", "-d", device, "-i", "300",
					 "-t", "100", "-o" };
	char path[1000];
	u32 n = 8;
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 20);
	pid_t pid;

	path[len < 0 ? 0 : len] = '\0';
	memcpy(strrchr(path, '/') + 1, "kfi-capture", sizeof("kfi-capture"));
	args[n++] = file("out");
	for (; *words && n < ARGS_MAX - 1; words++)
		args[n++] = *words;
	pid = fork();
	if (!pid) {
		int out = open_stdout();
		int err = open(file("stderr"), O_WRONLY | O_CREAT | O_TRUNC, 0600);

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		alarm(TOOL_S);
		dup2(out, STDOUT_FILENO);
		dup2(err, STDERR_FILENO);
		execv(path, (char **)args);
		_exit(127);
	}
	return pid;
}

static int end_tool(pid_t pid)
{
	int status;

	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool same_log(void)
{
	static u8 got[sizeof(image) + 1];
	FILE *f = fopen(file("out"), "rb");
	size_t len;

	if (!CHECK(f))
		return false;
	len = fread(got, 1, sizeof(got), f);
	fclose(f);
	return CHECK_EQ(len, image_len) &&
	       CHECK(memcmp(got, image, image_len) == 0);
}

/* ---- a board on a pseudo-terminal, whose name is a link ---- */

/* Return: its process. */
static pid_t start_board(const struct board *like)
{
	int master, slave;
	struct board b = *like;
	struct termios raw;
	char tty[100];
	pid_t pid;

	if (!CHECK_EQ(openpty(&master, &slave, tty, NULL, NULL), 0))
		return -1;
	tcgetattr(slave, &raw);
	cfmakeraw(&raw);
	tcsetattr(slave, TCSANOW, &raw);
	unlink(file("new"));
	CHECK_EQ(symlink(tty, file("new")), 0);
	CHECK_EQ(rename(file("new"), file("tty")), 0);
	pid = fork();
	if (!pid) {
		/* It keeps the other end open: without one it could not read. */
		b.fd = master;
		b.typed = fopen(file("typed"), "a");
		run_board(&b);
	}
	close(master);
	close(slave);
	return pid;
}

static void end_board(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Wait until @name has @words, for 20 s. */
static bool wait_for(const char *name, const char *words)
{
	for (int i = 0; i < 2000; i++) {
		if (has(name, words))
			return true;
		usleep(10000);
	}
	return false;
}

static void clean(void)
{
	static const char *const names[] = { "typed", "out", "stdout", "stderr", "con" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		unlink(file(names[i]));
}

static int run_tool(const struct board *b, const char *const *words)
{
	pid_t board = start_board(b);
	int status = end_tool(start_tool(file("tty"), words));

	end_board(board);
	return status;
}

/* ---- cases ---- */

static void remove_files(void)
{
	static const char *const names[] = { "tty", "password", "conf" };

	clean();
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		unlink(file(names[i]));
	CHECK_EQ(rmdir(dir), 0);
}

static bool one_seed(u32 seed)
{
	static const char *const words[] = { "-f", NULL };
	struct board b = { .faults = true };

	rnd_state = 0x9e3779b97f4a7c15ull * seed;
	return CHECK_EQ(run_tool(&b, words), 0) && same_log();
}

/* All seeds at once, since a slow line is mostly waited for. */
static void asked_again(void)
{
	pid_t pid[SEEDS];
	int status;

	fflush(stdout);
	for (u32 i = 0; i < SEEDS; i++) {
		pid[i] = fork();
		if (pid[i])
			continue;
		memcpy(dir, dir_like, sizeof(dir));
		alarm(250);
		status = CHECK(mkdtemp(dir)) && one_seed(i + 1);
		remove_files();
		fflush(stdout);
		_exit(!status);
	}
	for (u32 i = 0; i < SEEDS; i++) {
		CHECK_EQ(waitpid(pid[i], &status, 0), pid[i]);
		CHECK_EQ(status, 0);
	}
}

static void nobody_reads(void)
{
	static const char *const words[] = { "-f", NULL };
	struct board b = { .fd = -1 };

	clean();
	no_reader = true;
	CHECK_EQ(run_tool(&b, words), 0);
	no_reader = false;
	same_log();
}

/* A message behind the prompt hides it, and no silence is long. */
static void chatty(void)
{
	static const char *const words[] = { "-f", NULL };
	struct board b = { .chatty = true };

	clean();
	CHECK_EQ(run_tool(&b, words), 0);
	same_log();
}

/* A program that writes to the console damages lines. They are reported, and asked for again. */
static void programs_write(void)
{
	static const char *const words[] = { NULL }, *const once[] = { "-n", "-t", "0", NULL };
	struct board b = { .programs = true };
	char missing[100] = " lines are missing:", list[100] = "echo ";

	for (u32 i = 0; i < 3; i++) {
		u32 seq = (i + 1) * DAMAGED_OF - 1;

		sprintf(missing + strlen(missing), " %u", seq);
		sprintf(list + strlen(list), "%s%u", i ? "," : "", seq);
	}
	clean();
	CHECK_EQ(run_tool(&b, words), 0);
	same_log();
	CHECK(has("stderr", list) && has("typed", list));
	clean();
	CHECK_EQ(run_tool(&b, once), 1);
	CHECK(has("stderr", missing));
	CHECK(has("out", "Kernel Instrumentation Run"));
	CHECK(!has("typed", "echo"));
}

/* A terminal server: options come in the middle, and a zero after each CR. */
static void telnet(void)
{
	static const char *const words[] = { "-f", NULL };
	struct sockaddr_in at = {
		.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	socklen_t len = sizeof(at);
	int server = socket(AF_INET, SOCK_STREAM, 0);
	char device[40];
	pid_t pid;

	clean();
	if (!CHECK_EQ(bind(server, (struct sockaddr *)&at, sizeof(at)), 0) ||
	    !CHECK_EQ(listen(server, 1), 0))
		return;
	getsockname(server, (struct sockaddr *)&at, &len);
	snprintf(device, sizeof(device), "tcp:127.0.0.1:%u", ntohs(at.sin_port));
	pid = fork();
	if (!pid) {
		struct board b = { .telnet = true, .fd = accept(server, NULL, NULL) };

		run_board(&b);
	}
	close(server);
	CHECK_EQ(end_tool(start_tool(device, words)), 0);
	end_board(pid);
	same_log();
	CHECK(has("stdout", "~ # ") || has("stdout", "cat /proc/kfi_serial"));
	CHECK(!has("stdout", "?"));
}

/* The bytes of TELNET, wherever what comes is cut. */
static void telnet_bytes(void)
{
	static const char in[] = "\377\375\000a\377\373\001b\377\375\003c\r\0d\377\372\030\001\377\360e\377\377f\377gh\r\n"
				 "\377\373\042\377\373\001i\377\374\001";
	static const char text[] = "abc\rde\377fh\r\ni";
	static const char want[] = "\377\373\000\377\375\001\377\373\003\377\376\042\377\376\001";
	size_t n = sizeof(in) - 1;

	for (size_t cut = 0; cut <= n; cut++) {
		struct kfi_telnet t = { 0 };
		size_t len, more, replied, again;
		u8 reply[200];
		char buf[200];

		memcpy(buf, in, cut);
		len = kfi_telnet_feed(&t, buf, cut, reply, &replied);
		memcpy(buf + len, in + cut, n - cut);
		more = kfi_telnet_feed(&t, buf + len, n - cut, reply + replied, &again);
		CHECK_EQ(len + more, sizeof(text) - 1);
		CHECK(memcmp(buf, text, sizeof(text) - 1) == 0);
		CHECK_EQ(replied + again, sizeof(want) - 1);
		CHECK(memcmp(reply, want, sizeof(want) - 1) == 0);
	}
}

/* A plain connection: noise may look like TELNET, and nothing is answered. */
static void plain_bytes(void)
{
	static const char in[] = "a\377\373\001b\r\0\377\375\003\377\372c\377\377";
	static const char noise[] = "\377\377\373\001";
	struct kfi_telnet t = { 0 };
	char buf[sizeof(in)];
	u8 reply[KFI_TELNET_REPLY_MAX(sizeof(in))];
	size_t replied;

	memcpy(buf, in, sizeof(in));
	CHECK_EQ(kfi_telnet_feed(&t, buf, sizeof(in), reply, &replied), sizeof(in));
	CHECK(memcmp(buf, in, sizeof(in)) == 0);
	CHECK_EQ(replied, 0);
	CHECK(!kfi_telnet_doubles(&t, '\377'));
	t = (struct kfi_telnet){ 0 };
	memcpy(buf, noise, sizeof(noise));
	CHECK_EQ(kfi_telnet_feed(&t, buf, sizeof(noise), reply, &replied), sizeof(noise) - 1);
	CHECK(memcmp(buf, noise + 1, sizeof(noise) - 1) == 0);
	CHECK_EQ(replied, 0);
}

/* The board sends some lines and says no more. */
static void interrupted(void)
{
	const char *const words[] = { "-f", "-c", file("con"), NULL };
	struct board b = { .cut = 20, .boots = true };
	pid_t board, tool;

	clean();
	board = start_board(&b);
	tool = start_tool(file("tty"), words);
	CHECK(wait_for("stderr", "the board boots"));
	/* The boot loader's text may come alone. */
	CHECK(wait_for("con", "Linux version"));
	kill(tool, SIGINT);
	CHECK_EQ(end_tool(tool), 1);
	end_board(board);
	CHECK(has("stderr", "or more lines are missing: from "));
	/* What has come is a log. */
	CHECK(has("out", "Kernel Instrumentation Run"));
}

/* What a board that boots has not sent is lost; the log that it has then comes whole. */
static void boots(void)
{
	const char *const words[] = { "-f", "-p", file("password"), "-c", file("con"), NULL };
	struct board b = { .cut = 20, .boots = true };

	clean();
	write_file("password", "secret\n");
	CHECK_EQ(run_tool(&b, words), 0);
	same_log();
	CHECK(has("stderr", "the board boots: what it has not sent yet is lost, 1"));
	CHECK(has("stderr", "types: root\n"));
	CHECK(has("stderr", "types the password\n"));
	CHECK(!has("stderr", "secret") && !has("con", "secret") && !has("stdout", "secret"));
	CHECK(has("typed", "secret\n"));
	/* Nothing is typed at a boot loader. */
	CHECK(has("typed", "\nsecret\necho "));
}

/* A board that has booted, sends a part of its log and then nothing, and one that sends nothing. */
static void falls_silent(void)
{
	static const char *const no_requests[] = { "-t", "0", NULL };
	static const char *const wait[] = { "-w", "1", NULL };
	struct board panics = { .programs = true, .panics = true, .cut = 20 };
	struct board silent = { .fd = -1 };

	clean();
	CHECK_EQ(run_tool(&panics, no_requests), 1);
	CHECK(has("stderr", " lines are missing"));
	CHECK(has("out", "Kernel Instrumentation Run"));
	clean();
	CHECK_EQ(run_tool(&panics, wait), 1);
	CHECK(has("stderr", "the board has said nothing for 1 s"));
	CHECK(has("out", "Kernel Instrumentation Run"));
	/* It may have no shell. */
	CHECK(!has("typed", "\n"));
	clean();
	CHECK_EQ(run_tool(&silent, wait), 2);
	CHECK(has("stderr", "the board has said nothing for 1 s"));
}

/* The cable is pulled out in the middle of the log, and put back. */
static void pulled_out(void)
{
	static const char *const words[] = { "-f", NULL };
	struct board b = { .cut = 20 };
	pid_t board, tool;

	clean();
	board = start_board(&b);
	tool = start_tool(file("tty"), words);
	CHECK(wait_for("stderr", "the connection is gone; waiting until it is back"));
	waitpid(board, NULL, 0);
	b.cut = 0;
	board = start_board(&b);
	CHECK_EQ(end_tool(tool), 0);
	end_board(board);
	same_log();
	CHECK(has("stderr", "the connection is back"));
	/* What has come is not asked for again. */
	CHECK(has("typed", "- >/proc/kfi_serial"));
}

/* A whole session on the board. */
static void whole_session(void)
{
	const char *const words[] = { "-r", file("conf"), "-p", file("password"), "--", "ls", "-l",
				      NULL };
	struct board b = { .login = true };

	clean();
	write_file("password", "secret\n");
	write_file("conf", "new begin\n\ttrigger start entry f\n\ttrigger stop exit f\nend\n");
	CHECK_EQ(run_tool(&b, words), 0);
	same_log();
	CHECK(has("typed", "cat >/proc/kfi <<'kfi-end'\nnew begin\n\ttrigger start entry f\n"
			   "\ttrigger stop exit f\nend\nkfi-end\ntest $? = 0; echo"));
	CHECK(has("typed", "\necho prime >/proc/kfi; echo kfi-capture"));
	CHECK(has("typed", "\nls -l; echo kfi-capture"));
	CHECK(has("typed", "\ncat /proc/kfi_serial\n"));
}

/* A step that fails on the board ends it. */
static void failing_session(void)
{
	const char *const words[] = { "-r", file("conf"), NULL };
	struct board b = { .fd = -1 };

	clean();
	write_file("conf", "begin trigger start entry f end # fails\n");
	CHECK_EQ(run_tool(&b, words), 0);
	clean();
	write_file("conf", "begin trigger start entri f end\n");
	CHECK_EQ(run_tool(&b, words), 2);
	CHECK(has("stderr", "conf:1:21: "));
	CHECK(!has("typed", "cat"));
}

static void prepare(void)
{
	/* Nothing here takes that long. */
	alarm(300);
	memcpy(dir, dir_like, sizeof(dir));
	CHECK(mkdtemp(dir));
	read_image();
}

static const struct check_case cases[] = {
	{ "files", prepare },
	{ "a board on a line with faults", asked_again },
	{ "nobody reads what is shown", nobody_reads },
	{ "a console with many messages", chatty },
	{ "programs that write to the console", programs_write },
	{ "a terminal server with TELNET", telnet },
	{ "bytes of TELNET", telnet_bytes },
	{ "bytes of a plain connection", plain_bytes },
	{ "an interrupted capture", interrupted },
	{ "a board that boots in the middle", boots },
	{ "a board that falls silent", falls_silent },
	{ "a cable that is pulled out and put back", pulled_out },
	{ "a whole session", whole_session },
	{ "a session that cannot be", failing_session },
	{ "no files are left", remove_files },
};
CHECK_MAIN(cases)
