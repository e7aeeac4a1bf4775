// SPDX-License-Identifier: GPL-2.0
/*
 * The terminal browser (--tui): reads keys and acts on them. kd_tui_view.h has the state,
 * kd_tui_draw.h draws the screen. Called by kd.c.
 */
#include <curses.h>
#include <stdio.h>
#include <stdlib.h>

#include "kd_tui_draw.h"
#include "kd_tui_view.h"

static struct tui tui;

static void say(struct tui *u, const char *fmt, ...) kfi_printf(2, 3);

static void say(struct tui *u, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(u->message, sizeof(u->message), fmt, ap);
	va_end(ap);
}

static struct place here(const struct tui *u)
{
	u32 node = tui_node_at(u);

	return (struct place){
		.view = u->view, .spot = u->spot[u->view], .scope = u->tree.scope, .id = u->tree.id,
		.call = node == KFI_NONE ? KFI_NONE : u->tree.node[node].sums.first,
		.func = u->fly_func,
	};
}

static void remember(struct tui *u)
{
	if (u->nback == BACK)
		memmove(u->back, u->back + 1, --u->nback * sizeof(*u->back));
	u->back[u->nback++] = here(u);
}

static void want_memory(struct tui *u, int ret)
{
	u->failed |= ret == -ENOMEM;
}

/* Make a tree of the calls in a scope. */
static void set_scope(struct tui *u, enum tui_scope scope, u32 id)
{
	if (u->tree.node && u->tree.scope == scope && u->tree.id == id)
		return;
	u->tree.scope = scope;
	u->tree.id = id;
	u->longest = KFI_NONE;
	u->spot[V_TREE] = (struct spot){ 0 };
	want_memory(u, tui_tree_make(&u->tree));
}

/* Move the cursor to a call in the current tree, or in the tree of all calls. */
static void show_call(struct tui *u, u32 call)
{
	u32 row = 0;
	int ret;

	u->view = V_TREE;
	ret = tui_tree_show(&u->tree, call, &row);
	if (!ret) {
		set_scope(u, TUI_ALL, 0);
		ret = tui_tree_show(&u->tree, call, &row);
	}
	want_memory(u, ret);
	if (ret > 0)
		tui_go_to_row(u, row);
}

static void go_back(struct tui *u)
{
	struct place p;
	u32 row;

	if (u->view == V_HELP) {
		u->view = u->before_help;
		return;
	}
	if (!u->nback) {
		say(u, "no previous place; q leaves");
		return;
	}
	p = u->back[--u->nback];
	u->view = p.view;
	set_scope(u, p.scope, p.id);
	if (p.view == V_FLY && p.func != u->fly_func) {
		u->fly_func = p.func;
		want_memory(u, tui_list_butterfly(&u->fly, &u->log, p.func));
		tui_list_sort(&u->fly, u->sort[V_FLY]);
	}
	u->spot[p.view] = p.spot;
	if (p.view == V_TREE && p.call != KFI_NONE) {
		int ret = tui_tree_show(&u->tree, p.call, &row);

		want_memory(u, ret);
		if (ret > 0)
			tui_go_to_row(u, row);
	}
}

static void show_calls_of(struct tui *u, u32 func)
{
	if (func == KFI_NONE || u->log.first[func] == KFI_NONE) {
		say(u, "this line has no function");
		return;
	}
	remember(u);
	u->view = V_TREE;
	set_scope(u, TUI_FUNC, func);
}

static void show_butterfly(struct tui *u, u32 func)
{
	if (func == KFI_NONE || u->log.first[func] == KFI_NONE) {
		say(u, "this line has no function");
		return;
	}
	remember(u);
	u->view = V_FLY;
	u->fly_func = func;
	want_memory(u, tui_list_butterfly(&u->fly, &u->log, func));
	tui_list_sort(&u->fly, u->sort[V_FLY]);
	u->spot[V_FLY] = (struct spot){ 0 };
	for (u32 i = 0; i < u->fly.n; i++)
		if (u->fly.row[i].part == TUI_SELF)
			tui_go_to_row(u, i);
}

static void show_longest(struct tui *u)
{
	u32 call = tui_call_at(u), func = tui_func_at(u), node = tui_node_at(u);

	if (u->view != V_TREE) {
		call = func == KFI_NONE ? KFI_NONE : u->log.longest[func];
		if (call == KFI_NONE)
			say(u, "this line has no function");
		if (call == KFI_NONE)
			return;
		remember(u);
		show_call(u, call);
		return;
	}
	/* Begin again with the longest call if the user has moved the cursor. */
	if (u->longest != KFI_NONE &&
	    (node == KFI_NONE || !tui_tree_has(&u->tree, node, u->longest)))
		u->longest = KFI_NONE;
	call = tui_tree_longest(&u->tree, u->longest);
	if (call == KFI_NONE) {
		say(u, u->longest == KFI_NONE ? "no call has a duration" :
						"that was the shortest call");
		return;
	}
	remember(u);
	u->longest = call;
	show_call(u, call);
}

/* A call that has not returned took at least as long as its children. */
static s64 longest_of(const struct tui_node *n)
{
	return n->sums.max < n->sums.least && n->sums.count == 1 ? n->sums.least : n->sums.max;
}

static void go_down(struct tui *u)
{
	u32 node = tui_node_at(u), best = KFI_NONE;
	const struct tui_node *x;

	if (node == KFI_NONE)
		return;
	want_memory(u, tui_tree_open(&u->tree, node, true));
	x = &u->tree.node[node];
	for (u32 i = x->child; i < x->child + x->nchildren; i++) {
		s64 length = longest_of(&u->tree.node[i]);

		if (best == KFI_NONE || length > longest_of(&u->tree.node[best]))
			best = i;
	}
	if (best == KFI_NONE)
		say(u, "no calls below");
	else
		tui_go_to_row(u, tui_tree_row(&u->tree, best));
}

static void unfold(struct tui *u, bool open)
{
	u32 node = tui_node_at(u);

	if (node == KFI_NONE)
		return;
	if (open && !u->tree.node[node].has_below)
		say(u, "no calls below");
	else
		want_memory(u, tui_tree_open(&u->tree, node, open));
}

/* Right and Left: unfold or fold a line, else go to its child or parent. Scroll a text sideways. */
static void go_sideways(struct tui *u, bool right)
{
	struct spot *s = &u->spot[u->view];
	u32 node = tui_node_at(u);

	if (u->view != V_TREE) {
		s->left = right ? s->left + 8 : s->left > 8 ? s->left - 8 : 0;
		if (s->left > TUI_TEXT_MAX)
			s->left = TUI_TEXT_MAX;
		return;
	}
	if (node == KFI_NONE)
		return;
	if (right && u->tree.node[node].is_open)
		s->cur++;
	else if (right)
		unfold(u, true);
	else if (u->tree.node[node].is_open)
		unfold(u, false);
	else if (u->tree.node[node].parent != KFI_NONE)
		tui_go_to_row(u, tui_tree_row(&u->tree, u->tree.node[node].parent));
}

static void enter(struct tui *u)
{
	u32 node = tui_node_at(u), call = tui_call_at(u), func = tui_func_at(u);

	switch (u->view) {
	case V_TREE:
		if (node != KFI_NONE)
			unfold(u, !u->tree.node[node].is_open);
		break;
	case V_BOOT:
	case V_LOG:
	case V_HELP:
		if (call == KFI_NONE) {
			say(u, "this line has no place in the tree");
			break;
		}
		remember(u);
		set_scope(u, TUI_ALL, 0);
		show_call(u, call);
		break;
	case V_FUNCS:
		show_calls_of(u, func);
		break;
	case V_TASKS:
		if (call == KFI_NONE)
			break;
		remember(u);
		u->view = V_TREE;
		set_scope(u, TUI_TASK, (u32)u->log.call[call].task);
		break;
	default:
		show_butterfly(u, func);
		break;
	}
}

/* Sort the visible lines; the cursor stays on its line. */
static void sort_by(struct tui *u, enum tui_sort sort)
{
	static const char *const names[] = {
		[TUI_BY_FIRST] = "entry", [TUI_BY_TOTAL] = "total time",
		[TUI_BY_SELF] = "self time", [TUI_BY_COUNT] = "count",
		[TUI_BY_MAX] = "longest call",
	};
	u32 node = tui_node_at(u), call = tui_call_at(u);

	if (tui_text_of(u)) {
		say(u, "a text cannot be sorted");
		return;
	}
	u->sort[u->view] = sort;
	if (u->view == V_TREE) {
		want_memory(u, tui_tree_sort(&u->tree, sort));
		if (node != KFI_NONE)
			tui_go_to_row(u, tui_tree_row(&u->tree, node));
	} else if (u->view == V_TASKS) {
		tui_tasks_sort(&u->log, sort);
	} else {
		tui_list_sort(u->view == V_FUNCS ? &u->funcs : &u->fly, sort);
	}
	if (u->view != V_TREE)
		for (u32 i = 0; i < tui_rows(u); i++) {
			u32 first = u->view == V_TASKS ? u->log.task[i].sums.first :
							 tui_list_of(u)->row[i].first;
			if (first == call)
				tui_go_to_row(u, i);
		}
	say(u, "sorted by %s", names[sort]);
}

static void merge(struct tui *u)
{
	u32 call = tui_call_at(u);

	if (u->view != V_TREE)
		return;
	u->tree.merged = !u->tree.merged;
	u->longest = KFI_NONE;
	want_memory(u, tui_tree_make(&u->tree));
	u->spot[V_TREE] = (struct spot){ 0 };
	if (call != KFI_NONE)
		show_call(u, call);
	say(u, u->tree.merged ? "calls of a function below the same line are one line" :
				"each call has a line");
}

static void find_matches(struct tui *u)
{
	for (u32 i = 0; i < u->log.kd->in.names.count; i++)
		u->match[i] = tui_matches(u, u->log.kd->in.names.str[i].s);
}

static bool is_hit(const struct tui *u, u32 i)
{
	const struct tui_text *t = tui_text_of(u);
	const char *name;

	if (u->view == V_TREE)
		return u->match[u->log.call[i].func] && (!u->tree.in_scope || u->tree.in_scope[i]);
	if (t)
		return tui_text_matches(u, t, i);
	if (u->view != V_TASKS) {
		u32 func = tui_list_of(u)->row[i].func;

		return func != KFI_NONE && u->match[func];
	}
	name = kd_comm(u->log.kd, u->log.task[i].task, S64_MAX);
	return name && tui_matches(u, name);
}

/* Go to the next or previous hit: search all calls of a tree, or the rows of another view. */
static void find(struct tui *u, bool forward)
{
	bool tree = u->view == V_TREE;
	u32 n = tree ? u->log.n : tui_rows(u), node = tui_node_at(u), found = KFI_NONE;
	u32 from = tree ? tui_call_at(u) : u->spot[u->view].cur;
	u64 hits = 0, number = 0;
	bool wrapped = false;

	if (!*u->pattern) {
		say(u, "nothing is searched for yet: / asks for a name");
		return;
	}
	for (u32 i = 0; i < n; i++)
		hits += is_hit(u, i);
	for (u32 k = 1; k <= n && hits; k++) {
		u32 i = forward ? (from + k) % n : (from + (n - k)) % n;

		/* A line of several calls is one hit. */
		if (!is_hit(u, i) ||
		    (tree && k < n && u->tree.merged && tui_tree_has(&u->tree, node, i)))
			continue;
		wrapped = forward ? i <= from : i >= from;
		found = i;
		break;
	}
	if (found == KFI_NONE) {
		say(u, "no hits for %s", u->pattern);
		return;
	}
	for (u32 i = 0; i <= found; i++)
		number += is_hit(u, i);
	if (tree)
		show_call(u, found);
	else
		tui_go_to_row(u, found);
	say(u, "hit %llu of %llu%s", (unsigned long long)number, (unsigned long long)hits,
	    wrapped ? ", from the other end" : "");
}

static void set_view(struct tui *u, enum tui_view view)
{
	u->view = view;
}

/* Ask for a line of text at the bottom. Return false if the user gives none. */
static bool ask(struct tui *u, const char *what, char *text, size_t size)
{
	size_t n = 0;
	int key;

	*text = '\0';
	for (;;) {
		int x;

		u->message[0] = '\0';
		tui_draw(u);
		move(LINES - 1, 0);
		clrtoeol();
		x = tui_put(LINES - 1, 0, what, strlen(what), 0, TUI_TITLE);
		x = tui_put(LINES - 1, x, text, n, 0, TUI_PLAIN);
		move(LINES - 1, x < COLS ? x : COLS - 1);
		curs_set(1);
		refresh();
		key = getch();
		curs_set(0);
		if (key == '\r' || key == '\n' || key == KEY_ENTER)
			return n;
		if (key == 27 || key == ERR)
			return false;
		if ((key == KEY_BACKSPACE || key == 127 || key == '\b') && n) {
			/* Remove all bytes of a character. */
			while (--n && ((unsigned char)text[n] & 0xc0) == 0x80)
				;
		} else if (key == 'U' - '@') {
			n = 0;
		} else if (key >= ' ' && key < 256 && key != 127 && n + 1 < size) {
			text[n++] = (char)key;
		}
		text[n] = '\0';
	}
}

static void search(struct tui *u)
{
	char text[sizeof(u->pattern)];

	if (!ask(u, "/", text, sizeof(text)))
		return;
	memcpy(u->pattern, text, sizeof(text));
	find_matches(u);
	find(u, true);
}

static void move_by(struct tui *u, s64 by)
{
	struct spot *s = &u->spot[u->view];
	s64 to = (s64)s->cur + by, n = tui_rows(u);

	/* Scroll by a page. The cursor stays on its line of the screen, if possible. */
	if (by >= (s64)tui_page() || -by >= (s64)tui_page()) {
		s64 top = (s64)s->top + by;

		s->top = (u32)(top < 0 ? 0 : top < n ? top : n ? n - 1 : 0);
	}
	s->cur = (u32)(to < 0 ? 0 : to < n ? to : n ? n - 1 : 0);
}

static void view_key(struct tui *u, int key)
{
	if (key >= '1' && key < '1' + V_TABS)
		set_view(u, (enum tui_view)(key - '1'));
	else if (key == '\t')
		set_view(u, u->view >= V_TABS - 1 ? V_BOOT : u->view + 1);
	else if (key == KEY_BTAB)
		set_view(u, u->view == V_BOOT || u->view >= V_TABS ? V_LOG : u->view - 1);
	else if ((key == '?' || key == KEY_F(1)) && u->view != V_HELP) {
		u->before_help = u->view;
		u->view = V_HELP;
	}
}

/* Handle the keys that act on the line at the cursor. Return true if the key was one of them. */
static bool line_key(struct tui *u, int key)
{
	switch (key) {
	case '\r':
	case '\n':
	case KEY_ENTER:
		enter(u);
		return true;
	case '+':
	case '=':
	case '-':
		if (u->view == V_TREE)
			unfold(u, key != '-');
		return true;
	case 'z':
		show_calls_of(u, tui_func_at(u));
		return true;
	case 'b':
		show_butterfly(u, tui_func_at(u));
		return true;
	case 'L':
		show_longest(u);
		return true;
	case '>':
		if (u->view == V_TREE)
			go_down(u);
		return true;
	case 'M':
		merge(u);
		return true;
	case 'a':
		if (u->view == V_TREE && u->tree.scope != TUI_ALL) {
			u32 call = tui_call_at(u);

			remember(u);
			set_scope(u, TUI_ALL, 0);
			if (call != KFI_NONE)
				show_call(u, call);
		}
		return true;
	default:
		return false;
	}
}

static bool move_key(struct tui *u, int key)
{
	u32 n = tui_rows(u), step = tui_page();

	switch (key) {
	case KEY_DOWN:
	case 'j':
		move_by(u, 1);
		return true;
	case KEY_UP:
	case 'k':
		move_by(u, -1);
		return true;
	case KEY_NPAGE:
	case ' ':
	case 'F' - '@':
		move_by(u, step);
		return true;
	case KEY_PPAGE:
	case 'B' - '@':
		move_by(u, -(s64)step);
		return true;
	case KEY_HOME:
	case 'g':
		u->spot[u->view].cur = 0;
		return true;
	case KEY_END:
	case 'G':
		u->spot[u->view].cur = n ? n - 1 : 0;
		return true;
	case KEY_RIGHT:
	case 'l':
	case KEY_LEFT:
	case 'h':
		go_sideways(u, key == KEY_RIGHT || key == 'l');
		return true;
	default:
		return false;
	}
}

static void other_key(struct tui *u, int key)
{
	switch (key) {
	case 'q':
		/* As in less, the first q leaves the help. */
		if (u->view == V_HELP)
			go_back(u);
		else
			u->done = true;
		break;
	case 27:
	case KEY_BACKSPACE:
	case 127:
	case '\b':
		go_back(u);
		break;
	case '/':
		search(u);
		break;
	case 'n':
	case 'N':
		find(u, key == 'n');
		break;
	case 'e':
		sort_by(u, TUI_BY_FIRST);
		break;
	case 't':
		sort_by(u, TUI_BY_TOTAL);
		break;
	case 's':
		sort_by(u, TUI_BY_SELF);
		break;
	case 'c':
		sort_by(u, TUI_BY_COUNT);
		break;
	case 'm':
		sort_by(u, TUI_BY_MAX);
		break;
	case 'L' - '@':
		clearok(stdscr, TRUE);
		break;
	case KEY_RESIZE:
		break;
	default:
		view_key(u, key);
		break;
	}
}

static int browse(struct tui *u, struct kfi_err *err)
{
	u32 nothing = 0;

	while (!u->done && !u->failed) {
		int key;

		tui_draw(u);
		key = getch();
		/* Many errors in a row mean that the terminal was closed. */
		if (key == ERR && ++nothing > 16)
			break;
		if (key == ERR)
			continue;
		nothing = 0;
		u->message[0] = '\0';
		if (COLS < TUI_WIDTH_MIN || LINES < TUI_HEIGHT_MIN)
			u->done = key == 'q';
		else if (!move_key(u, key) && !line_key(u, key))
			other_key(u, key);
	}
	return u->failed ? kfi_err_set(err, ENOMEM, "out of memory") : 0;
}

static int make_views(struct tui *u, char *const *note, u32 n)
{
	u->match = calloc((size_t)u->log.kd->in.names.count + 1, sizeof(*u->match));
	u->tree.log = &u->log;
	u->longest = KFI_NONE;
	u->sort[V_FUNCS] = u->sort[V_FLY] = TUI_BY_TOTAL;
	u->sort[V_TASKS] = TUI_BY_SELF;
	u->view = u->log.report.n ? V_BOOT : V_TREE;
	if (!u->match || tui_make_texts(u, note, n) || tui_tree_make(&u->tree) ||
	    tui_list_functions(&u->funcs, &u->log))
		return -ENOMEM;
	tui_list_sort(&u->funcs, u->sort[V_FUNCS]);
	tui_tasks_sort(&u->log, u->sort[V_TASKS]);
	if (n)
		say(u, "notes about this log: %u, 5 shows them", n);
	return 0;
}

int kd_tui(struct kd *kd, struct kfi_err *err)
{
	tui.colours = term_take_ink();
	return tui_log_read(&tui.log, kd, err);
}

int kd_tui_end(int ret, char *const *note, u32 n, struct kfi_err *err)
{
	struct tui *u = &tui;

	if (!ret && make_views(u, note, n))
		ret = kfi_err_set(err, ENOMEM, "out of memory");
	if (!ret) {
		ret = tui_screen_begin(u->colours, err);
		if (!ret)
			ret = browse(u, err);
		tui_screen_end();
	}
	tui_tree_free(&u->tree);
	tui_text_free(&u->info);
	tui_text_free(&u->help);
	free(u->funcs.row);
	free(u->fly.row);
	free(u->match);
	tui_log_free(&u->log);
	memset(u, 0, sizeof(*u));
	return ret;
}
