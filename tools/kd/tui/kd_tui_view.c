// SPDX-License-Identifier: GPL-2.0
/*
 * Finds what is at the cursor of the terminal browser (--tui), and what is a hit: see
 * kd_tui_view.h.
 */
#include <curses.h>
#include <fnmatch.h>

#include "kd_tui_draw.h"
#include "kd_tui_view.h"

struct kfi_str tui_name(const struct tui *u, u32 func)
{
	static const struct kfi_str none = { "(none in the log)", 17 };

	return func == KFI_NONE ? none : u->log.kd->in.names.str[func];
}

const struct tui_text *tui_text_of(const struct tui *u)
{
	return u->view == V_BOOT ? &u->log.report : u->view == V_LOG ? &u->info :
	       u->view == V_HELP ? &u->help : NULL;
}

const struct tui_list *tui_list_of(const struct tui *u)
{
	return u->view == V_FUNCS ? &u->funcs : u->view == V_FLY ? &u->fly : NULL;
}

u32 tui_rows(const struct tui *u)
{
	if (u->view == V_TREE)
		return u->tree.nrows;
	if (u->view == V_TASKS)
		return u->log.ntasks;
	return tui_text_of(u) ? tui_text_of(u)->n : tui_list_of(u)->n;
}

u32 tui_page(void)
{
	int rows = LINES - ABOVE - BELOW;

	return rows > 0 ? (u32)rows : 1;
}

/* Put the cursor on an existing row, and scroll so that it is on the screen. */
void tui_fit(struct tui *u)
{
	struct spot *s = &u->spot[u->view];
	u32 n = tui_rows(u);

	if (s->cur >= n)
		s->cur = n ? n - 1 : 0;
	if (s->top > s->cur)
		s->top = s->cur;
	if (s->cur - s->top >= tui_page())
		s->top = s->cur - tui_page() + 1;
	if (n <= tui_page())
		s->top = 0;
	else if (s->top > n - tui_page())
		s->top = n - tui_page();
}

/* Put the cursor on a row, and scroll a row that is not on the screen to its middle. */
void tui_go_to_row(struct tui *u, u32 row)
{
	struct spot *s = &u->spot[u->view];

	s->cur = row;
	if (row < s->top || row - s->top >= tui_page())
		s->top = row > tui_page() / 2 ? row - tui_page() / 2 : 0;
	tui_fit(u);
}

/* Return the node at the cursor of the tree, KFI_NONE: there are no calls. */
u32 tui_node_at(const struct tui *u)
{
	u32 cur = u->spot[V_TREE].cur;

	return cur < u->tree.nrows ? u->tree.row[cur] : KFI_NONE;
}

/* Return the call of the line at the cursor, KFI_NONE: it has none. */
u32 tui_call_at(const struct tui *u)
{
	u32 cur = u->spot[u->view].cur, node;

	if (cur >= tui_rows(u))
		return KFI_NONE;
	if (u->view == V_TREE) {
		node = tui_node_at(u);
		return node == KFI_NONE ? KFI_NONE : u->tree.node[node].sums.first;
	}
	if (u->view == V_TASKS)
		return u->log.task[cur].sums.first;
	return tui_text_of(u) ? tui_text_of(u)->line[cur].place : tui_list_of(u)->row[cur].first;
}

/* Return the function of the line at the cursor, KFI_NONE: it has none. */
u32 tui_func_at(const struct tui *u)
{
	u32 call = tui_call_at(u), cur = u->spot[u->view].cur;

	if (u->view == V_TASKS)
		return KFI_NONE;
	if (tui_list_of(u))
		return cur < tui_rows(u) ? tui_list_of(u)->row[cur].func : KFI_NONE;
	return call == KFI_NONE ? KFI_NONE : u->log.call[call].func;
}

/* Return true if a name matches the search. */
bool tui_matches(const struct tui *u, const char *name)
{
	if (!*u->pattern)
		return false;
	if (strpbrk(u->pattern, "*?["))
		return !fnmatch(u->pattern, name, FNM_CASEFOLD);
	return strcasestr(name, u->pattern);
}

/*
 * Return true if a line matches the search. It has no NUL behind it, and patterns match a part of
 * it.
 */
bool tui_text_matches(const struct tui *u, const struct tui_text *t, u32 line)
{
	char text[TUI_TEXT_MAX];
	u32 n = min_t(u32, t->line[line].len, sizeof(text) - 1);

	memcpy(text, t->text + t->line[line].from, n);
	text[n] = '\0';
	return *u->pattern && strcasestr(text, u->pattern);
}
