// SPDX-License-Identifier: GPL-2.0
/*
 * Types commands to the board's shell: logs in, and then types the steps. A command has ended when
 * the shell prints a line that the echo of the command does not contain.
 */
#include <stdlib.h>
#include <unistd.h>

#include "capture.h"

/*
 * Appended to each command. The echo of the command contains "$?" and "$((6*7))", not their values.
 */
#define END_COMMAND	"; echo kfi-capture:$?:$((6*7))"
#define END_SHOWN	"kfi-capture:%d:42"

/* Text at the end of the output is a prompt if the board then sends nothing for this time. */
#define QUIET_MS	300

/* If the prompt stands for this time, the line that ends a command was lost. */
#define END_LOST_MS	5000

/* Milliseconds between empty lines, which are typed to get a prompt. */
#define EMPTY_LINE_MS	3000

/* Attempts to log in. */
#define LOGINS_MAX	3

/* Texts that only a booting board prints. */
static const char *const boot_signs[] = { "Linux version ", "U-Boot ", "Starting kernel ..." };

void shell_add(struct shell *s, enum shell_kind kind, const char *what, const char *text)
{
	char *copy = strdup(text);

	if (copy && s->nsteps < SHELL_STEPS_MAX)
		s->steps[s->nsteps++] = (struct shell_step){ kind, what, copy };
	else
		free(copy);
}

void shell_free(struct shell *s)
{
	for (u32 i = 0; i < s->nsteps; i++)
		free(s->steps[i].text);
	s->nsteps = 0;
}

/* ---- output of the board ---- */

static bool ends_with(const struct shell *s, const char *end)
{
	size_t len = strlen(end);

	return s->len >= len && memcmp(s->tail + s->len - len, end, len) == 0;
}

static void end_of_line(struct shell *s)
{
	const char *end = strstr(s->tail, "kfi-capture:");
	int status;

	if (end && sscanf(end, END_SHOWN, &status) == 1 && strstr(end, ":42"))
		s->status = status;
	for (size_t i = 0; i < ARRAY_SIZE(boot_signs); i++) {
		if (!strstr(s->tail, boot_signs[i]))
			continue;
		if (!s->booting)
			s->boots++;
		s->booting = true;
	}
	s->len = 0;
}

/* Skip control sequences of a terminal: busybox sends one behind its prompt. */
static bool is_escape(struct shell *s, unsigned char c)
{
	if (c == '\033')
		s->escape = ESCAPE_BEGINS;
	else if (s->escape == ESCAPE_BEGINS)
		s->escape = c == '[' ? ESCAPE_GOES_ON : ESCAPE_NONE;
	else if (s->escape == ESCAPE_GOES_ON && c >= '@')
		s->escape = ESCAPE_NONE;
	else
		return s->escape == ESCAPE_GOES_ON;
	return true;
}

void shell_text(struct shell *s, const char *text, size_t len)
{
	if (len)
		s->heard_ms = now_ms();
	for (; len; len--, text++) {
		if (is_escape(s, (unsigned char)*text))
			continue;
		if (*text == '\n' || *text == '\r') {
			s->tail[s->len] = '\0';
			if (s->len)
				end_of_line(s);
			continue;
		}
		if (s->len == sizeof(s->tail) - 1) {
			memmove(s->tail, s->tail + 1, s->len - 1);
			s->len--;
		}
		s->tail[s->len++] = *text ? *text : '?';
	}
}

static bool is_quiet(const struct shell *s)
{
	return now_ms() - s->heard_ms >= QUIET_MS;
}

static bool at_prompt(const struct shell *s)
{
	return ends_with(s, s->prompt) && is_quiet(s);
}

/* ---- typing ---- */

/* Send line by line: a shell may lose a part of a longer text. */
static void send(struct shell *s, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		len += text[len] == '\n';
		board_write(s->b, text, len);
		text += len;
		if (*text)
			usleep((useconds_t)(20000 + len * 10000000 / s->b->baud));
	}
	s->len = 0;
	s->heard_ms = now_ms();
}

void shell_type(struct shell *s, const char *command)
{
	bool types = s->b->has_shell && !s->only_print;

	for (const char *line = command; *line; line += strcspn(line, "\n"), line += *line == '\n')
		fprintf(stderr, "kfi-capture: %s: %.*s\n", types ? "types" : "type on the board",
			(int)strcspn(line, "\n"), line);
	if (types)
		send(s, command);
}

/* Log in if the board asks for it. Return: true if it asks; then @ret is set to 0 or -errno. */
static bool log_in(struct shell *s, struct kfi_err *err, int *ret)
{
	bool user = ends_with(s, "login: "), password = ends_with(s, "assword: ");
	char line[300];

	if ((!user && !password) || !is_quiet(s))
		return false;
	s->booting = true;
	if (!s->password) {
		*ret = s->logins++ || !shell_is_busy(s) ? 0 :
		       kfi_err_set(err, EACCES, "the board asks for a login: give --password FILE");
		return true;
	}
	if (user && s->logins++ == LOGINS_MAX) {
		*ret = kfi_err_set(err, EACCES, "the board does not let %s log in", s->user);
		return true;
	}
	if (user) {
		snprintf(line, sizeof(line), "%s\n", s->user);
		shell_type(s, line);
	} else if (s->b->has_shell && !s->only_print) {
		fprintf(stderr, "kfi-capture: types the password\n");
		snprintf(line, sizeof(line), "%s\n", s->password);
		send(s, line);
	}
	return true;
}

/* ---- steps ---- */

static void begin_step(struct shell *s)
{
	struct shell_step *step = &s->steps[s->step];
	char *text = NULL;
	bool ends = step->kind == SHELL_COMMAND || step->kind == SHELL_ANY;

	if (asprintf(&text, "%s%s\n", step->text, ends ? END_COMMAND : "") < 0)
		return;
	s->status = -1;
	shell_type(s, text);
	free(text);
	s->step_ms = now_ms();
	s->state = SHELL_WAIT_END;
	if (step->kind == SHELL_REBOOT) {
		s->state = SHELL_WAIT_BOOT;
		s->status = (int)s->boots;
	} else if (!ends) {
		s->step++;
		s->state = SHELL_WAIT_PROMPT;
	}
}

static int end_step(struct shell *s, struct kfi_err *err)
{
	const struct shell_step *step = &s->steps[s->step];

	if (step->kind == SHELL_COMMAND && s->status > 0)
		return kfi_err_set(err, EIO, "%s: the command failed on the board with status %d",
				   step->what, s->status);
	s->step++;
	s->state = SHELL_WAIT_PROMPT;
	return 0;
}

/* Type an empty line, so that the shell prints its prompt again. */
static void type_empty_line(struct shell *s)
{
	u64 wait = s->empty_line_ms ? EMPTY_LINE_MS : QUIET_MS;

	/* With many console messages, the board may never be quiet for longer. */
	if (s->booting || now_ms() - s->empty_line_ms < wait || !is_quiet(s))
		return;
	s->empty_line_ms = now_ms();
	board_write(s->b, "\n", 1);
}

int shell_tick(struct shell *s, bool have_lines, struct kfi_err *err)
{
	int ret = 0;

	if (s->b->fd < 0 || !s->b->has_shell || s->only_print)
		return 0;
	if (at_prompt(s))
		s->booting = false;
	if (log_in(s, err, &ret))
		return ret;
	if (!shell_is_busy(s))
		return 0;
	switch (s->state) {
	case SHELL_WAIT_BOOT:
		if ((int)s->boots != s->status)
			return end_step(s, err);
		break;
	case SHELL_WAIT_END:
		if (s->status >= 0 && at_prompt(s))
			return end_step(s, err);
		/* The line that ends the command was damaged. */
		if (s->status < 0 && at_prompt(s) && now_ms() - s->heard_ms > END_LOST_MS)
			return end_step(s, err);
		break;
	default:
		if (s->steps[s->step].kind == SHELL_FETCH_IF_NONE && have_lines)
			s->step++;
		else if (at_prompt(s))
			begin_step(s);
		else
			type_empty_line(s);
	}
	return 0;
}
