// SPDX-License-Identifier: GPL-2.0
/* Draws lines of the terminal browser (--tui): see kd_tui_draw.h. */
#include <curses.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <termcap.h>
#include <unistd.h>
#include <wchar.h>
#include <wctype.h>

#include "kd_tui_draw.h"

static struct screen *screen;
static FILE *keys;
static attr_t inks[] = {
	[TUI_PLAIN] = A_NORMAL, [TUI_TITLE] = A_BOLD, [TUI_HIT] = A_UNDERLINE,
	[TUI_WARN] = A_BOLD, [TUI_CURSOR] = A_REVERSE,
};

/* Read keys from the terminal: standard input may be the log. */
static bool has_keys(void)
{
	int fd = isatty(STDIN_FILENO) ? STDIN_FILENO : open("/dev/tty", O_RDONLY | O_CLOEXEC);

	if (fd > STDIN_FILENO)
		close(fd);
	return fd >= 0;
}

/* Check the terminal before the log is read, which may take long. */
int kd_tui_check(struct kfi_err *err)
{
	const char *name = getenv("TERM");

	if (!isatty(STDOUT_FILENO))
		return kfi_err_set(err, EINVAL, "--tui needs a terminal: standard output is not a terminal");
	if (!has_keys())
		return kfi_err_set(err, EINVAL, "--tui needs a terminal: there is none to read keys from");
	if (!name || !*name)
		return kfi_err_set(err, EINVAL,
				   "--tui: TERM is not set: set it to the kind of this terminal");
	if (tgetent(NULL, name) != 1)
		return kfi_err_set(err, EINVAL,
				   "--tui: this system does not know the terminal \"%.64s\": set TERM to one that it knows, as vt100",
				   name);
	if (!tgetstr("cm", NULL))
		return kfi_err_set(err, EINVAL,
				   "--tui: the cursor of a terminal \"%.64s\" cannot be moved: use another mode, or set TERM",
				   name);
	return 0;
}

static void begin_colours(void)
{
	start_color();
	use_default_colors();
	init_pair(1, COLOR_CYAN, -1);
	init_pair(2, COLOR_YELLOW, -1);
	init_pair(3, COLOR_RED, -1);
	inks[TUI_TITLE] |= COLOR_PAIR(1);
	inks[TUI_HIT] = COLOR_PAIR(2);
	inks[TUI_WARN] |= COLOR_PAIR(3);
}

int tui_screen_begin(bool colours, struct kfi_err *err)
{
	setlocale(LC_CTYPE, "");
	/* The log may come from standard input. */
	keys = isatty(STDIN_FILENO) ? stdin : fopen("/dev/tty", "r");
	if (keys)
		screen = newterm(NULL, stdout, keys);
	if (!screen)
		return kfi_err_set(err, EINVAL, "--tui: the terminal cannot be used: %s",
				   keys ? "set TERM to its kind" : strerror(errno));
	set_term(screen);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	/* Where the terminal can move lines, they are not sent again. */
	idlok(stdscr, TRUE);
	curs_set(0);
	if (!getenv("ESCDELAY"))
		set_escdelay(100);
	if (colours && has_colors())
		begin_colours();
	return 0;
}

void tui_screen_end(void)
{
	if (!screen)
		return;
	endwin();
	delscreen(screen);
	screen = NULL;
	if (keys != stdin)
		fclose(keys);
}

u32 tui_clean(char *out, size_t size, const char *s, size_t len, u32 skip, u32 width)
{
	mbstate_t state = { 0 };
	u32 used = 0, at = 0;
	size_t n = 0;

	while (len) {
		wchar_t c = 0;
		size_t bytes = mbrtowc(&c, s, len, &state);
		int cells = 1;
		bool good = bytes - 1 < len && iswprint((wint_t)c) && (cells = wcwidth(c)) > 0;

		if (!good) {
			bytes = 1;
			cells = 1;
			state = (mbstate_t){ 0 };
		}
		if (at >= skip) {
			if (used + (u32)cells > width || n + bytes >= size)
				break;
			if (good)
				memcpy(out + n, s, bytes);
			else
				out[n] = '?';
			n += bytes;
			used += (u32)cells;
		}
		at += (u32)cells;
		s += bytes;
		len -= bytes;
	}
	out[n] = '\0';
	return used;
}

int tui_put(int y, int x, const char *s, size_t len, u32 skip, enum tui_ink ink)
{
	char text[TUI_TEXT_MAX];
	u32 used;

	if (x >= COLS)
		return x;
	used = tui_clean(text, sizeof(text), s, len, skip, (u32)(COLS - x));
	attrset(inks[ink]);
	mvaddstr(y, x, text);
	attrset(A_NORMAL);
	return x + (int)used;
}

void tui_paint(int y, enum tui_ink ink)
{
	mvchgat(y, 0, -1, inks[ink] & ~A_COLOR, (short)PAIR_NUMBER(inks[ink]), NULL);
}

const char *tui_columns(enum tui_kind kind, enum tui_sort sort, int width)
{
	static const char *const narrow[] = {
		[TUI_BY_FIRST] = "t", [TUI_BY_TOTAL] = "t", [TUI_BY_SELF] = "l",
		[TUI_BY_COUNT] = "c", [TUI_BY_MAX] = "m",
	};

	if (kind == TUI_TASKS)
		return width < 64 ? "lp" : "celop";
	if (kind == TUI_ONE_CALL)
		return width < 64 ? sort == TUI_BY_SELF ? "l" : "t" : width < 100 ? "etl" : "etlp";
	if (width < 64)
		return narrow[sort];
	if (width >= 100)
		return "tlcme";
	return sort == TUI_BY_MAX ? "tlcm" : sort == TUI_BY_FIRST ? "etlc" : "tlc";
}

static int width_of(char column)
{
	return column == 'c' ? 8 : column == 'p' ? 7 : column == 'o' ? 6 : 10;
}

int tui_put_titles(int y, const char *format, enum tui_kind kind)
{
	int x = 0;

	for (; *format; format++) {
		const char *title = *format == 'e' ? kind == TUI_ONE_CALL ? "Entry" : "First" :
				    *format == 't' ? kind == TUI_ONE_CALL ? "Duration" : "Time" :
				    *format == 'l' ? "Local" : *format == 'c' ? "Count" :
				    *format == 'm' ? "Max" : *format == 'o' ? "Open" : "Pid";
		int width = width_of(*format);

		tui_put(y, x + width - (int)strlen(title), title, strlen(title), 0, TUI_TITLE);
		x += width + 1;
	}
	return x;
}

static void put_number(char text[32], s64 v, bool unsure)
{
	if (v < 0)
		snprintf(text, 32, "?");
	else
		snprintf(text, 32, "%lld%s", (long long)v, unsure ? "?" : "");
}

/* Return microseconds as kd's listings have them. */
static s64 usecs(s64 ns)
{
	return ns < 0 ? -1 : ns / 1000;
}

int tui_put_cells(int y, const char *format, enum tui_kind kind, const struct tui_log *log,
		  const struct tui_sums *s, u64 open)
{
	const struct tui_call *c = &log->call[s->first];
	int x = 0;

	for (; *format; format++) {
		int width = width_of(*format), len;
		char text[32];

		switch (*format) {
		case 'e':
			put_number(text, usecs(c->entry), false);
			break;
		case 't':
			/* Printed microseconds nest as those of the log do. */
			put_number(text, kind == TUI_ONE_CALL && s->total >= 0 ?
				   (c->entry + c->delta) / 1000 - c->entry / 1000 : usecs(s->total),
				   false);
			break;
		case 'l':
			put_number(text, usecs(s->self), s->unsure);
			break;
		case 'c':
			put_number(text, (s64)s->count, false);
			break;
		case 'm':
			put_number(text, usecs(s->max), false);
			break;
		case 'o':
			put_number(text, (s64)open, false);
			break;
		default:
			snprintf(text, sizeof(text), "%d",
				 kind == TUI_ONE_CALL && c->ctx != KFI_CTX_TASK ? -1 : c->task);
			break;
		}
		len = (int)strlen(text);
		if (len > width)
			width = len;
		tui_put(y, x + width - len, text, (size_t)len, 0, TUI_PLAIN);
		x += width + 1;
	}
	return x;
}
