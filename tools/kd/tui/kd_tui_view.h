/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of the terminal browser (--tui): its views, and the cursor in each. kd_tui.c changes it
 * by keys, kd_tui_show.c draws it, kd_tui_view.c finds what is at the cursor.
 */
#ifndef KFI_KD_TUI_VIEW_H
#define KFI_KD_TUI_VIEW_H

#include "kd_tui.h"

/* Number of lines above and below the rows: tabs and titles; details and hints. */
#define ABOVE	2
#define BELOW	2

/* Number of places that the user can go back to. */
#define BACK	64

/* Views in the order of Tab; other keys show the last two. */
enum tui_view { V_BOOT, V_TREE, V_FUNCS, V_TASKS, V_LOG, V_TABS, V_FLY = V_TABS, V_HELP, V_VIEWS };

/**
 * struct spot - cursor and scroll position in a view
 * @cur: row of the cursor
 * @top: first row on the screen
 * @left: number of columns that are scrolled out at the left
 */
struct spot {
	u32 cur;
	u32 top;
	u32 left;
};

/**
 * struct place - a place to go back to
 * @view: the view
 * @spot: cursor in the view
 * @scope: scope of the tree
 * @id: task or function of the scope
 * @call: the call at the cursor of the tree
 * @func: function of the butterfly
 */
struct place {
	enum tui_view view;
	struct spot spot;
	enum tui_scope scope;
	u32 id;
	u32 call;
	u32 func;
};

/**
 * struct tui - the state of the browser
 * @log: the log that it shows
 * @tree: the call tree
 * @funcs: functions
 * @fly: butterfly
 * @fly_func: function of the butterfly
 * @info: notes and header
 * @help: keys
 * @view: the view on the screen
 * @before_help: the view before the help
 * @spot: by view
 * @sort: by view
 * @message: shown until the next key
 * @pattern: text of the search, empty: none
 * @match: by function: the search matches it
 * @longest: the call that was found last as the longest of @tree
 * @back: places to go back to
 * @nback: how many
 * @notes: notes about the log
 * @colours: the user wants colours
 * @failed: an allocation failed
 * @done: the user wants to leave
 */
struct tui {
	struct tui_log log;
	struct tui_tree tree;
	struct tui_list funcs;
	struct tui_list fly;
	u32 fly_func;
	struct tui_text info;
	struct tui_text help;
	enum tui_view view;
	enum tui_view before_help;
	struct spot spot[V_VIEWS];
	enum tui_sort sort[V_VIEWS];
	char message[160];
	char pattern[128];
	bool *match;
	u32 longest;
	struct place back[BACK];
	u32 nback;
	u32 notes;
	bool colours;
	bool failed;
	bool done;
};

/**
 * tui_name() - return the name of a function
 * @u: the browser
 * @func: its number, KFI_NONE: callers that the log does not have
 *
 * Return: the name.
 */
struct kfi_str tui_name(const struct tui *u, u32 func);

/**
 * tui_text_of() - return the text that is on the screen
 * @u: the browser
 *
 * Return: the text, NULL: the view is not a text.
 */
const struct tui_text *tui_text_of(const struct tui *u);

/**
 * tui_list_of() - return the list of functions that is on the screen
 * @u: the browser
 *
 * Return: the list, NULL: the view is none.
 */
const struct tui_list *tui_list_of(const struct tui *u);

/**
 * tui_rows() - return how many rows the view on the screen has
 * @u: the browser
 *
 * Return: the number.
 */
u32 tui_rows(const struct tui *u);

/**
 * tui_page() - return how many rows the screen has room for
 *
 * Return: the number, at least 1.
 */
u32 tui_page(void);

/**
 * tui_fit() - put the cursor on an existing row, and scroll to the cursor
 * @u: the browser
 */
void tui_fit(struct tui *u);

/**
 * tui_go_to_row() - put the cursor on a row, and scroll a row that is not on the screen to its
 * middle
 * @u: the browser
 * @row: the row
 */
void tui_go_to_row(struct tui *u, u32 row);

/**
 * tui_node_at() - return the node at the cursor of the tree
 * @u: the browser
 *
 * Return: the node, KFI_NONE: there are no calls.
 */
u32 tui_node_at(const struct tui *u);

/**
 * tui_call_at() - return the call of the line at the cursor; of several calls the first
 * @u: the browser
 *
 * Return: the call, KFI_NONE: the line has none.
 */
u32 tui_call_at(const struct tui *u);

/**
 * tui_func_at() - return the function of the line at the cursor
 * @u: the browser
 *
 * Return: its number, KFI_NONE: the line has none.
 */
u32 tui_func_at(const struct tui *u);

/**
 * tui_matches() - check whether the search finds a name
 * @u: the browser
 * @name: the name
 *
 * Return: true if so.
 */
bool tui_matches(const struct tui *u, const char *name);

/**
 * tui_text_matches() - check whether the search finds a line of a text
 * @u: the browser
 * @t: the text
 * @line: number of the line
 *
 * Return: true if so.
 */
bool tui_text_matches(const struct tui *u, const struct tui_text *t, u32 line);

/**
 * tui_draw() - bring the screen up to date
 * @u: the browser
 */
void tui_draw(struct tui *u);

/**
 * tui_make_texts() - make the help, and the notes with the header of the log
 * @u: the browser
 * @note: notes
 * @n: how many
 *
 * Return: 0 or -ENOMEM.
 */
int tui_make_texts(struct tui *u, char *const *note, u32 n);

#endif /* KFI_KD_TUI_VIEW_H */
