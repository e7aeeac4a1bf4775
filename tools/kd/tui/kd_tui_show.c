// SPDX-License-Identifier: GPL-2.0
/* Draws the views of the terminal browser (--tui), and makes its texts: see kd_tui_view.h. */
#include <curses.h>
#include <stdio.h>
#include <stdlib.h>

#include "kd_tui_draw.h"
#include "kd_tui_view.h"

static const char help_text[] =
	"Keys\n"
	"\n"
	"  Down Up j k        next, previous line\n"
	"  PgDn PgUp Space    a screen further, back (also Ctrl-F, Ctrl-B)\n"
	"  Home End g G       first, last line\n"
	"  Right Left l h     tree: unfold, fold, or go down and up\n"
	"                     texts: move sideways\n"
	"  Enter              tree: unfold or fold\n"
	"                     boot: show the place of the line in the tree\n"
	"                     functions: calls of it; tasks: calls of it\n"
	"                     callers and callees: those of that function\n"
	"  + -                unfold, fold\n"
	"\n"
	"  1 ... 5  Tab       boot, tree, functions, tasks, log\n"
	"  z                  calls of the function at the cursor\n"
	"  b                  its callers and callees\n"
	"  L                  its longest call; in the tree the longest\n"
	"                     call there is, again: the next longest\n"
	"  >                  tree: the longest call directly below\n"
	"  M                  tree: calls of a function below the same\n"
	"                     line become one line, or single again\n"
	"  a                  tree: all calls again\n"
	"  Esc Backspace      back to where you were\n"
	"\n"
	"  e t s c m          sort by entry, total time, self time,\n"
	"                     count, longest call\n"
	"  / n N              search: part of a name, or a pattern with\n"
	"                     * and ?; next, previous hit. In the tree\n"
	"                     in order of time, folded calls, too\n"
	"\n"
	"  F1 ?               this help\n"
	"  Ctrl-L             draw the screen again\n"
	"  q                  leave\n"
	"\n"
	"Marks\n"
	"\n"
	"  ?                  unknown: the exit of a call was not seen, or\n"
	"                     it has no time for another reason\n"
	"  12?                the best that the log allows\n"
	"  + name, - name     calls below are folded away, or seen\n"
	"  5:Log!             there are notes: the log is incomplete, or\n"
	"                     uncertain\n"
	"\n"
	"Times are microseconds.\n";

/* Draw the first line, which has the tabs. */
static void draw_tabs(const struct tui *u)
{
	static const char *const names[V_TABS] = {
		"1:Boot", "2:Tree", "3:Functions", "4:Tasks", "5:Log",
	};
	const char *file = u->log.kd->in.log.in.name;
	int x = 0;

	for (u32 i = 0; i < V_TABS; i++) {
		bool is = i == (u32)u->view || (i == V_FUNCS && u->view == V_FLY);

		x = tui_put(0, x, names[i], strlen(names[i]), 0, is ? TUI_CURSOR : TUI_PLAIN);
		if (i == V_LOG && u->notes)
			x = tui_put(0, x, "!", 1, 0, TUI_WARN);
		x++;
	}
	if (x + (int)strlen(file) < COLS)
		tui_put(0, COLS - (int)strlen(file), file, strlen(file), 0, TUI_PLAIN);
}

static void task_text(const struct tui *u, s32 task, char text[64])
{
	const char *name = task > 0 ? kd_comm(u->log.kd, task, S64_MAX) :
			   task ? "(interrupts)" : "swapper";

	snprintf(text, 64, "%s", name ? name : "-");
}

/* Draw the titles: above names, the name of the task or function whose calls the tree has. */
static void draw_titles(const struct tui *u)
{
	enum tui_kind kind = u->view == V_TASKS ? TUI_TASKS :
			     u->view == V_TREE && !u->tree.merged ? TUI_ONE_CALL : TUI_SUMS;
	char text[512], task[64];
	int x;

	if (tui_text_of(u)) {
		const char *what = u->view == V_LOG ? "Notes and header of the log" :
				   u->view == V_HELP ? "Help" :
				   "Boot report: Enter shows the place of a line";

		tui_put(1, 0, what, strlen(what), 0, TUI_TITLE);
		return;
	}
	x = tui_put_titles(1, tui_columns(kind, u->sort[u->view], COLS), kind);
	if (u->view == V_TASKS) {
		snprintf(text, sizeof(text), "Task");
	} else if (u->view == V_FUNCS) {
		snprintf(text, sizeof(text), "Function");
	} else if (u->view == V_FLY) {
		snprintf(text, sizeof(text), "Callers, then callees");
	} else if (u->tree.scope == TUI_TASK) {
		task_text(u, (s32)u->tree.id, task);
		snprintf(text, sizeof(text), "Tree of task %d %s", (s32)u->tree.id, task);
	} else if (u->tree.scope == TUI_FUNC) {
		snprintf(text, sizeof(text), "Tree of %s", tui_name(u, u->tree.id).s);
	} else {
		snprintf(text, sizeof(text), "Tree");
	}
	tui_put(1, x, text, strlen(text), 0, TUI_TITLE);
}

/* Draw a node. If it is too deep to be indented, its line begins with the depth as a number. */
static void draw_node(const struct tui *u, int y, u32 node)
{
	static const char *const contexts[KFI_CTX_COUNT] = {
		[KFI_CTX_SOFTIRQ] = "  (softirq)", [KFI_CTX_HARDIRQ] = "  (interrupt)",
		[KFI_CTX_NMI] = "  (NMI)",
	};
	enum tui_kind kind = u->tree.merged ? TUI_SUMS : TUI_ONE_CALL;
	const struct tui_node *n = &u->tree.node[node];
	const struct tui_call *c = &u->log.call[n->sums.first];
	struct kfi_str name = tui_name(u, n->sums.func);
	const char *format = tui_columns(kind, u->sort[V_TREE], COLS);
	int x = tui_put_cells(y, format, kind, &u->log, &n->sums, 0);
	u32 room = x < COLS ? (u32)(COLS - x) / 2 : 0;
	char text[96], task[64];

	if (2 * n->level <= room) {
		x += 2 * (int)n->level;
	} else {
		snprintf(text, sizeof(text), "(%u) ", n->level + 1);
		x += (int)(room > strlen(text) ? room - strlen(text) : 0);
		x = tui_put(y, x, text, strlen(text), 0, TUI_PLAIN);
	}
	tui_put(y, x, !n->has_below ? " " : n->is_open ? "-" : "+", 1, 0, TUI_PLAIN);
	x = tui_put(y, x + 2, name.s, name.len, 0, u->match[n->sums.func] ? TUI_HIT : TUI_PLAIN);
	if (n->level)
		return;
	if (c->ctx != KFI_CTX_TASK) {
		tui_put(y, x, contexts[c->ctx], strlen(contexts[c->ctx]), 0, TUI_PLAIN);
	} else if (kind == TUI_ONE_CALL) {
		task_text(u, c->task, task);
		snprintf(text, sizeof(text), "  (%d %s)", c->task, task);
		tui_put(y, x, text, strlen(text), 0, TUI_PLAIN);
	}
}

static void draw_sums(const struct tui *u, int y, const struct tui_sums *s)
{
	const char *format = tui_columns(TUI_SUMS, u->sort[u->view], COLS);
	int x = tui_put_cells(y, format, TUI_SUMS, &u->log, s, 0);
	struct kfi_str name = tui_name(u, s->func);
	bool hit = s->func != KFI_NONE && u->match[s->func];

	if (u->view == V_FLY) {
		const char *what = s->part == TUI_CALLER ? "caller " :
				   s->part == TUI_SELF ? "------ " : "callee ";

		x = tui_put(y, x, what, strlen(what), 0, TUI_PLAIN);
	}
	tui_put(y, x, name.s, name.len, u->spot[u->view].left, hit ? TUI_HIT : TUI_PLAIN);
}

static void draw_task(const struct tui *u, int y, const struct tui_task *t)
{
	int x = tui_put_cells(y, tui_columns(TUI_TASKS, u->sort[V_TASKS], COLS), TUI_TASKS, &u->log,
			      &t->sums, t->open);
	char text[64];

	task_text(u, t->task, text);
	tui_put(y, x, text, strlen(text), 0, tui_matches(u, text) ? TUI_HIT : TUI_PLAIN);
}

/* Draw a line of a text. In the report a title stands behind an empty line. */
static void draw_line(const struct tui *u, int y, const struct tui_text *t, u32 row)
{
	const struct tui_line *l = &t->line[row];
	bool title = u->view != V_LOG && (!row || !t->line[row - 1].len);
	enum tui_ink ink = u->view == V_LOG && row < u->notes ? TUI_WARN :
			   *u->pattern && tui_text_matches(u, t, row) ? TUI_HIT :
			   title ? TUI_TITLE : TUI_PLAIN;

	tui_put(y, 0, t->text + l->from, l->len, u->spot[u->view].left, ink);
}

static void draw_row(const struct tui *u, int y, u32 row)
{
	if (u->view == V_TREE)
		draw_node(u, y, u->tree.row[row]);
	else if (u->view == V_TASKS)
		draw_task(u, y, &u->log.task[row]);
	else if (tui_text_of(u))
		draw_line(u, y, tui_text_of(u), row);
	else
		draw_sums(u, y, &tui_list_of(u)->row[row]);
}

/* Return the reason why a call has no duration. */
static const char *why(const struct tui_call *c)
{
	return c->delta >= 0 ? "" :
	       c->marks & KFI_MARK_NOTIME ? "; entered before the clock ran" :
	       c->marks & KFI_MARK_UNWOUND ? "; unwound: an outer call returned first" :
	       "; had not returned, or has no exit";
}

/* Draw all about the line at the cursor: the whole name, callers, why it has no duration. */
static void draw_details(struct tui *u)
{
	u32 call = tui_call_at(u), func = tui_func_at(u);
	const struct tui_call *c = call == KFI_NONE ? NULL : &u->log.call[call];
	char text[TUI_TEXT_MAX] = "", task[64];
	const char *line;
	size_t n = 0;

	if (u->view == V_HELP || u->view == V_LOG || (func == KFI_NONE && u->view != V_TASKS) || !c)
		return;
	task_text(u, c->task, task);
	if (u->view == V_TASKS)
		n = (size_t)snprintf(text, sizeof(text), "task %d %s", c->task, task);
	else
		n = (size_t)snprintf(text, sizeof(text), "%.1000s", tui_name(u, func).s);
	if (u->view == V_TREE || u->view == V_BOOT) {
		for (u32 up = c->parent; up != KFI_NONE && n < 1024; up = u->log.call[up].parent)
			n += (size_t)snprintf(text + n, sizeof(text) - n, " < %.500s",
					      tui_name(u, u->log.call[up].func).s);
		n = min_t(size_t, n, 2048);
		n += (size_t)snprintf(text + n, sizeof(text) - n, "; %d %s", c->task, task);
		if (c->cpu >= 0)
			n += (size_t)snprintf(text + n, sizeof(text) - n, ", CPU %d", c->cpu);
		if (u->view == V_TREE && u->tree.node[tui_node_at(u)].sums.count == 1)
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s", why(c));
	} else if (u->view != V_TASKS) {
		const struct tui_sums *s = &tui_list_of(u)->row[u->spot[u->view].cur];

		n += (size_t)snprintf(text + n, sizeof(text) - n, "; first at %lld us",
				      (long long)c->entry / 1000);
		if (s->max >= 0)
			n += (size_t)snprintf(text + n, sizeof(text) - n, ", longest %lld us",
					      (long long)s->max / 1000);
	}
	line = u->log.kd->opt.srcline && func != KFI_NONE ? kd_line_of(u->log.kd, func) : NULL;
	if (line)
		snprintf(text + n, sizeof(text) - n, "  # %.500s", line);
	tui_put(LINES - 2, 0, text, strlen(text), 0, TUI_PLAIN);
}

static void draw_status(struct tui *u)
{
	static const char *const hints[V_VIEWS] = {
		[V_BOOT] = "Enter place  / search  ? help  q quit",
		[V_TREE] = "Enter unfold  ? help  q quit  / search  z calls  b callers  L longest",
		[V_FUNCS] = "Enter calls  ? help  q quit  / search  b callers  L longest",
		[V_TASKS] = "Enter calls  ? help  q quit  / search",
		[V_LOG] = "? help  q quit  / search",
		[V_FLY] = "Enter go on  Esc back  ? help  q quit  z calls  L longest",
		[V_HELP] = "Esc back",
	};
	const struct spot *s = &u->spot[u->view];
	u32 n = tui_rows(u);
	const char *text = *u->message ? u->message : hints[u->view];
	char where[40];
	int len = snprintf(where, sizeof(where), " %u/%u", n ? s->cur + 1 : 0, n);

	tui_put(LINES - 1, 0, text, strlen(text), 0, *u->message ? TUI_TITLE : TUI_PLAIN);
	/* Leave the last cell free: some terminals scroll after it. */
	if (len < COLS - 1) {
		move(LINES - 1, COLS - 1 - len);
		clrtoeol();
		tui_put(LINES - 1, COLS - 1 - len, where, (size_t)len, 0, TUI_PLAIN);
	}
}

void tui_draw(struct tui *u)
{
	u32 n = tui_rows(u);
	const struct spot *s = &u->spot[u->view];

	erase();
	if (COLS < TUI_WIDTH_MIN || LINES < TUI_HEIGHT_MIN) {
		char text[96];

		snprintf(text, sizeof(text), "%dx%d is too small: %dx%d; q quits", COLS, LINES,
			 TUI_WIDTH_MIN, TUI_HEIGHT_MIN);
		tui_put(0, 0, text, strlen(text), 0, TUI_PLAIN);
		refresh();
		return;
	}
	tui_fit(u);
	draw_tabs(u);
	draw_titles(u);
	for (u32 i = 0; i < tui_page() && s->top + i < n; i++) {
		int y = ABOVE + (int)i;

		draw_row(u, y, s->top + i);
		if (s->top + i == s->cur)
			tui_paint(y, TUI_CURSOR);
	}
	if (u->view == V_BOOT && !n) {
		const char *why_not = u->log.no_report.text;

		tui_put(ABOVE, 0, why_not, strlen(why_not), 0, TUI_PLAIN);
	}
	draw_details(u);
	draw_status(u);
	refresh();
}

/* Print the values of the header, below the notes. */
static void print_head(const struct tui *u, FILE *f)
{
	const struct kd *kd = u->log.kd;
	const struct kfi_log_head *h = &kd->in.head;
	const struct {
		const char *name;
		u64 value;
		bool is_known;
	} numbers[] = {
		{ "Log format", h->format, h->format },
		{ "Session", h->id, true },
		{ "Started at, us", h->start_us, h->has_start },
		{ "Stopped at, us", h->stop_us, h->has_stop },
		{ "Calls read", u->log.n, true },
		{ "Calls kept", h->rows, h->has_rows },
		{ "Calls filtered", h->filtered, true },
		{ "Calls lost", h->lost, true },
		{ "Calls overwritten", h->overwritten, true },
		{ "Calls left out", h->left_out, true },
		{ "Calls not returned", kd->res.opened, true },
		{ "Calls unwound", kd->res.unwound, true },
		{ "Calls before the clock ran", kd->res.notime, true },
		{ "Marks kept", h->marks, true },
		{ "Marks lost", h->marks_lost, true },
		{ "Clock steps back", h->steps_back, true },
		{ "Recording a call takes, ns", h->cost_ns, h->has_cost },
	};
	const struct {
		const char *name;
		const char *text;
	} texts[] = {
		{ "Log", kd->in.log.in.name }, { "Kernel", h->kernel }, { "Build id", h->build_id },
		{ "Clock", h->clock }, { "Filters", h->filters }, { "Started by", h->start_by },
		{ "Stopped by", h->stop_by },
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++)
		if (*texts[i].text)
			fprintf(f, "%-27s %s\n", texts[i].name, texts[i].text);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (numbers[i].is_known)
			fprintf(f, "%-27s %llu\n", numbers[i].name,
				(unsigned long long)numbers[i].value);
}

int tui_make_texts(struct tui *u, char *const *note, u32 n)
{
	FILE *f = open_memstream(&u->info.text, &u->info.size);

	u->help.text = strdup(help_text);
	u->help.size = sizeof(help_text) - 1;

	if (!f)
		return -ENOMEM;
	for (u32 i = 0; i < n; i++)
		fprintf(f, "%s\n", note[i]);
	if (n)
		fputc('\n', f);
	print_head(u, f);
	u->notes = n;
	return fclose(f) || !u->help.text || tui_text_cut(&u->help, NULL, 0) ||
	       tui_text_cut(&u->info, NULL, 0) ? -ENOMEM : 0;
}
