/* SPDX-License-Identifier: GPL-2.0 */
/*
 * kfi-capture, in files by job: capture.c captures, capture_board.c has the connection,
 * capture_shell.c types to the board's shell, capture_show.c shows what comes. All that the board
 * sends is hostile input.
 */
#ifndef CAPTURE_H
#define CAPTURE_H

#include <stdio.h>
#include <sys/types.h>

#include "err.h"
#include "lines.h"
#include "telnet.h"

/* How long to wait for input, in milliseconds. */
#define WAIT_MS		100

/**
 * now_ms() - the time
 *
 * Return: milliseconds since any moment.
 */
u64 now_ms(void);

/* Ctrl-C, SIGTERM or SIGHUP has come. */
bool stopped(void);

/* ---- capture_board.c ---- */

/**
 * struct board - the connection to the board
 * @name: device, tcp:HOST:PORT, file, or -
 * @baud: rate of a serial line
 * @fd: it; -1: not open
 * @types: it has a shell that can be typed to
 * @returns: it is opened again when it is gone
 * @tcp: it is a TCP connection
 * @tried: when it was opened last, in milliseconds
 * @telnet: state of TELNET
 */
struct board {
	const char *name;
	u64 baud;
	int fd;
	bool types;
	bool returns;
	bool tcp;
	u64 tried;
	struct kfi_telnet telnet;
};

/**
 * board_open() - open the connection
 * @b: name and rate are set
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int board_open(struct board *b, struct kfi_err *err);

/**
 * board_read() - wait a little for what comes
 * @b: the board
 * @buf: where to put it
 * @size: bytes of @buf
 * @err: why it cannot be read
 *
 * A connection that is gone is opened again, as often as it is gone.
 * Return: bytes; 0: none have come; -ENODATA: the end of a file; other -errno.
 */
ssize_t board_read(struct board *b, char *buf, size_t size, struct kfi_err *err);

/**
 * board_write() - send text
 * @b: the board
 * @text: the text
 * @len: bytes of it
 */
void board_write(struct board *b, const char *text, size_t len);

/**
 * board_close() - end the connection
 * @b: the board
 */
void board_close(struct board *b);

/* ---- capture_show.c ---- */

/**
 * struct show - what the user sees
 * @log: the console log, or NULL
 * @begin: when all began, in milliseconds
 * @shown_newline: what is shown is at the beginning of a line
 * @log_newline: what is in the console log is
 * @bytes: bytes of lines of a log so far
 * @progress: the last time that progress was shown
 * @before: bytes at that time
 * @rate: bytes a second, on average
 */
struct show {
	FILE *log;
	u64 begin;
	bool shown_newline;
	bool log_newline;
	u64 bytes;
	u64 progress;
	u64 before;
	u64 rate;
};

/**
 * show_text() - show text of the board, with times, and nothing that a terminal could obey
 * @s: state
 * @text: the text
 * @len: bytes of it
 */
void show_text(struct show *s, const char *text, size_t len);

/**
 * show_line() - put a line of a log into the console log, whole if something had cut it
 * @s: state
 * @a: its digits, first piece
 * @alen: bytes of @a
 * @b: second piece
 * @blen: bytes of @b
 */
void show_line(struct show *s, const char *a, size_t alen, const char *b, size_t blen);

/**
 * show_progress() - show how far the transmission is, now and then
 * @s: state
 * @l: all lines
 * @sent: the transmission, or NULL
 */
void show_progress(struct show *s, struct kfi_lines *l, const struct kfi_lines_sent *sent);

/* ---- capture_shell.c ---- */

/**
 * struct shell - the board's shell
 * @b: the board
 * @silent: nothing is typed: what to type is printed
 * @prompt: what its prompt ends with
 * @user: who logs in
 * @password: the password; NULL: nobody logs in
 * @tail: the line that has not ended
 * @len: bytes of it
 * @heard: when the board has sent something last
 * @booting: it boots, or asks who logs in: no shell is there
 * @boots: how often it was seen to boot
 * @status: exit status of the last command; -1: it has not ended
 * @nudged: when an empty line was typed last
 * @logins: how often somebody has logged in
 * @state: of @step
 * @since: since when
 * @step: the next step
 * @steps: what is to be done, one after the other
 * @nsteps: how many
 */
#define SHELL_STEPS_MAX	12

enum shell_kind {
	SHELL_COMMAND,		/* must succeed */
	SHELL_ANY,		/* may fail */
	SHELL_REBOOT,		/* the board boots then */
	SHELL_FETCH,		/* shows the log */
	SHELL_FETCH_IF_NONE,	/* the same, unless lines have come by themselves */
};

struct shell_step {
	enum shell_kind kind;
	const char *what;
	char *text;
};

struct shell {
	struct board *b;
	bool silent;
	const char *prompt;
	const char *user;
	const char *password;
	char tail[256];
	size_t len;
	u64 heard;
	bool booting;
	u32 boots;
	int status;
	u64 nudged;
	u32 logins;
	enum { SHELL_WAIT_PROMPT, SHELL_WAIT_END, SHELL_WAIT_BOOT } state;
	u64 since;
	u32 step;
	struct shell_step steps[SHELL_STEPS_MAX];
	u32 nsteps;
};

/**
 * shell_add() - add a step
 * @s: the shell
 * @kind: its kind
 * @what: what it does, for messages
 * @text: what is typed, without its last newline; copied
 */
void shell_add(struct shell *s, enum shell_kind kind, const char *what, const char *text);

/**
 * shell_text() - look at what the board shows
 * @s: the shell
 * @text: text that is no line of a log
 * @len: bytes of it
 */
void shell_text(struct shell *s, const char *text, size_t len);

/**
 * shell_tick() - go on with what is to be done
 * @s: the shell
 * @have_lines: lines of a log have come
 * @err: which step has failed
 *
 * Return: 0, -errno.
 */
int shell_tick(struct shell *s, bool have_lines, struct kfi_err *err);

/**
 * shell_is_busy() - are there steps that are not done?
 * @s: the shell
 *
 * Return: true if there are.
 */
static inline bool shell_is_busy(const struct shell *s)
{
	return s->step < s->nsteps;
}

/**
 * shell_type() - type a command; the user sees it
 * @s: the shell
 * @command: the command, with its newline
 */
void shell_type(struct shell *s, const char *command);

/**
 * shell_free() - give back the memory
 * @s: the shell
 */
void shell_free(struct shell *s);

#endif /* CAPTURE_H */
