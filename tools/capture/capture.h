/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files of kfi-capture: capture.c receives the log, capture_board.c has the connection,
 * capture_shell.c types commands to the board's shell, capture_show.c prints the board's output and
 * the progress, capture_stream.c copies a raw log. Everything that the board sends is untrusted
 * input.
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
 * now_ms() - return the time of a monotonic clock
 *
 * Return: milliseconds since an arbitrary moment.
 */
u64 now_ms(void);

/* Return true after Ctrl-C, SIGTERM or SIGHUP. */
bool is_interrupted(void);

/* ---- capture_board.c ---- */

/**
 * struct board - the connection to the board
 * @name: device, tcp:HOST:PORT, file, or -
 * @baud: rate of a serial line
 * @fd: its file descriptor; -1: not open
 * @has_shell: the connection can be written to, so that a shell can read commands
 * @reopens: the connection is opened again after it was closed
 * @tcp: it is a TCP connection
 * @whole: it is a file, which has all that the board has sent
 * @opened_ms: when the program last tried to open it, in milliseconds
 * @telnet: state of the TELNET protocol
 */
struct board {
	const char *name;
	u64 baud;
	int fd;
	bool has_shell;
	bool reopens;
	bool tcp;
	bool whole;
	u64 opened_ms;
	struct kfi_telnet telnet;
};

/**
 * board_open() - open the connection
 * @b: the board; its name and rate are set
 * @err: the reason of a failure
 *
 * Return: 0 or -errno.
 */
int board_open(struct board *b, struct kfi_err *err);

/**
 * board_read() - read what the board sends; wait at most WAIT_MS
 * @b: the board
 * @buf: receives the bytes
 * @size: bytes of @buf
 * @err: the reason of a failure
 *
 * If the connection was closed, the function tries to open it again.
 * Return: bytes read; 0: none yet; -ENODATA: the end of a file; other -errno.
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
 * board_close() - close the connection
 * @b: the board
 */
void board_close(struct board *b);

/* ---- capture_show.c ---- */

/**
 * struct show - state of the output for the user
 * @log: the console log, or NULL
 * @log_error: errno value of the first error in writing it, or 0
 * @text_error: the same of standard output
 * @begin: when the capture began, in milliseconds
 * @shown_newline: standard output is at the beginning of a line
 * @log_newline: the console log is at the beginning of a line
 * @bytes: number of bytes in the log's lines, or of the raw log, so far
 * @first_line: when the first line was received, in milliseconds
 * @last_line: when the last line was received, in milliseconds
 * @progress: when progress was printed last, in milliseconds
 * @before: @bytes at that time
 * @rate: average bytes a second
 */
struct show {
	FILE *log;
	int log_error;
	int text_error;
	u64 begin;
	bool shown_newline;
	bool log_newline;
	u64 bytes;
	u64 first_line;
	u64 last_line;
	u64 progress;
	u64 before;
	u64 rate;
};

/**
 * show_text() - print text of the board with times; control characters become "?"
 * @s: state
 * @text: the text
 * @len: bytes of it
 */
void show_text(struct show *s, const char *text, size_t len);

/**
 * show_line() - write a line of the log to the console log, in one piece
 * @s: state
 * @a: the line's digits, first piece
 * @alen: bytes of @a
 * @b: second piece, if other text had interrupted the line
 * @blen: bytes of @b
 */
void show_line(struct show *s, const char *a, size_t alen, const char *b, size_t blen);

/**
 * show_progress() - print the progress of a transmission at regular intervals
 * @s: state
 * @l: all lines
 * @sent: the transmission, or NULL
 */
void show_progress(struct show *s, struct kfi_lines *l, const struct kfi_lines_sent *sent);

/**
 * show_stream() - print the progress of a raw log at regular intervals
 * @s: state
 */
void show_stream(struct show *s);

/* ---- capture_stream.c ---- */

/**
 * stream_begins() - check whether the first bytes that have come are those of a raw log
 * @text: the bytes
 * @len: number of them
 *
 * Return: true if they are, or may be when more have come.
 */
bool stream_begins(const char *text, size_t len);

/**
 * struct stream - a raw log that comes
 * @text: its first bytes; the memory is used for the others
 * @room: bytes of @text
 * @len: number of the first bytes
 * @output: the file to copy it to
 * @silence_ms: milliseconds for which nothing may come, 0: no limit
 */
struct stream {
	char *text;
	size_t room;
	size_t len;
	const char *output;
	u64 silence_ms;
};

/**
 * stream_take() - copy a raw log to the output file until it ends, and report what it has
 * @b: the connection; one that a console may be behind is an error
 * @show: the progress
 * @s: the raw log
 * @err: the reason of a failure, or what the log lacks
 *
 * Return: exit status.
 */
int stream_take(struct board *b, struct show *show, struct stream *s, struct kfi_err *err);

/* ---- capture_shell.c ---- */

/**
 * struct shell - the board's shell
 * @b: the board
 * @only_print: print commands for the user instead of typing them
 * @prompt: the end of the shell's prompt
 * @user: the user to log in as
 * @password: the password; NULL: do not log in
 * @tail: the last line that the board sent, while it has no newline
 * @len: bytes of @tail
 * @escape: a control sequence of a terminal has begun; it is not kept in @tail
 * @heard_ms: when the board last sent something, in milliseconds
 * @booting: the board boots or waits for a login, so there is no shell
 * @boots: number of boots that were seen
 * @status: exit status of the last command; -1: it has not ended. While the board reboots: @boots
 *	before the reboot
 * @empty_line_ms: when an empty line was typed last, in milliseconds
 * @logins: number of times the user name was typed
 * @state: state of the step @step
 * @step_ms: when the step began, in milliseconds
 * @step: the current step
 * @steps: commands to type, in order
 * @nsteps: number of steps
 */
#define SHELL_STEPS_MAX	12

enum shell_kind {
	SHELL_COMMAND,		/* must succeed */
	SHELL_ANY,		/* may fail */
	SHELL_REBOOT,		/* the board boots as a result */
	SHELL_FETCH,		/* shows the log */
	SHELL_FETCH_IF_NONE,	/* shows the log, unless the board has begun to send it */
};

struct shell_step {
	enum shell_kind kind;
	const char *what;
	char *text;
};

struct shell {
	struct board *b;
	bool only_print;
	const char *prompt;
	const char *user;
	const char *password;
	char tail[256];
	size_t len;
	enum { ESCAPE_NONE, ESCAPE_BEGINS, ESCAPE_GOES_ON } escape;
	u64 heard_ms;
	bool booting;
	u32 boots;
	int status;
	u64 empty_line_ms;
	u32 logins;
	enum { SHELL_WAIT_PROMPT, SHELL_WAIT_END, SHELL_WAIT_BOOT } state;
	u64 step_ms;
	u32 step;
	struct shell_step steps[SHELL_STEPS_MAX];
	u32 nsteps;
};

/**
 * shell_add() - add a step
 * @s: the shell
 * @kind: the kind of step
 * @what: the step's name in messages
 * @text: the command to type, without the last newline; copied
 */
void shell_add(struct shell *s, enum shell_kind kind, const char *what, const char *text);

/**
 * shell_text() - find prompts, ends of commands and boots in what the board sends
 * @s: the shell
 * @text: text that is no line of a log
 * @len: bytes of it
 */
void shell_text(struct shell *s, const char *text, size_t len);

/**
 * shell_tick() - log in, and begin or end a step, if the board is ready for it
 * @s: the shell
 * @have_lines: lines of a log have come
 * @err: the step that failed
 *
 * Return: 0 or -errno.
 */
int shell_tick(struct shell *s, bool have_lines, struct kfi_err *err);

/**
 * shell_is_busy() - check for steps that are not done
 * @s: the shell
 *
 * Return: true if there is such a step.
 */
static inline bool shell_is_busy(const struct shell *s)
{
	return s->step < s->nsteps;
}

/**
 * shell_type() - type a command, and print it for the user
 * @s: the shell
 * @command: the command, with its newline
 */
void shell_type(struct shell *s, const char *command);

/**
 * shell_free() - free the steps
 * @s: the shell
 */
void shell_free(struct shell *s);

#endif /* CAPTURE_H */
