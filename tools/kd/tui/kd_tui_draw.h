/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the terminal browser (--tui) puts on the screen: texts that cannot harm the terminal, and
 * cells of tables. curses sends only what has changed since the last time.
 */
#ifndef KFI_KD_TUI_DRAW_H
#define KFI_KD_TUI_DRAW_H

#include "kd_tui.h"

/* Least size of the screen; on a smaller one nothing is shown. */
#define TUI_WIDTH_MIN	30
#define TUI_HEIGHT_MIN	8

/* Size of the longest line in bytes, with room for characters of several bytes. */
#define TUI_TEXT_MAX	4096

/**
 * enum tui_ink - colours of texts
 */
enum tui_ink {
	TUI_PLAIN,
	TUI_TITLE,
	TUI_HIT,
	TUI_WARN,
	TUI_CURSOR,
};

/**
 * tui_screen_begin() - begin to use the terminal
 * @colours: the user wants colours
 * @err: set to the reason of a failure
 *
 * Return: 0 or -EINVAL.
 */
int tui_screen_begin(bool colours, struct kfi_err *err);

/**
 * tui_screen_end() - restore the terminal
 */
void tui_screen_end(void);

/**
 * tui_clean() - copy a text without control sequences, for the terminal
 * @out: filled, NUL-terminated; a character that cannot be printed becomes ?
 * @size: its size
 * @s: the text, in the user's locale
 * @len: its bytes
 * @skip: columns to leave out at its start
 * @width: columns at most
 *
 * Return: number of columns.
 */
u32 tui_clean(char *out, size_t size, const char *s, size_t len, u32 skip, u32 width);

/**
 * tui_put() - put a text on the screen, cleaned and cut
 * @y: line
 * @x: column
 * @s: the text
 * @len: its bytes
 * @skip: columns to leave out at its start
 * @ink: its colour
 *
 * Return: the next column.
 */
int tui_put(int y, int x, const char *s, size_t len, u32 skip, enum tui_ink ink);

/**
 * tui_paint() - give a line a colour up to the right edge
 * @y: the line
 * @ink: the colour
 */
void tui_paint(int y, enum tui_ink ink);

/**
 * enum tui_kind - what the rows of a table stand for
 */
enum tui_kind {
	TUI_ONE_CALL,
	TUI_SUMS,
	TUI_TASKS,
};

/**
 * tui_columns() - choose the columns that a screen has room for
 * @kind: kind of table
 * @sort: sort key, whose column is always chosen
 * @width: of the screen
 *
 * Return: their letters: e entry, t total, l self, c count, m longest, o open, p pid.
 */
const char *tui_columns(enum tui_kind kind, enum tui_sort sort, int width);

/**
 * tui_put_titles() - put the titles of columns on the screen
 * @y: line
 * @format: their letters
 * @kind: kind of table
 *
 * Return: the next column.
 */
int tui_put_titles(int y, const char *format, enum tui_kind kind);

/**
 * tui_put_cells() - put cells on the screen
 * @y: line
 * @format: letters of their columns
 * @kind: kind of table
 * @log: the log
 * @s: sums to print
 * @open: calls without a duration, for tasks
 *
 * Return: the next column.
 */
int tui_put_cells(int y, const char *format, enum tui_kind kind, const struct tui_log *log,
		  const struct tui_sums *s, u64 open);

#endif /* KFI_KD_TUI_DRAW_H */
