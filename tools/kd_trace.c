// SPDX-License-Identifier: GPL-2.0
/*
 * kd's call trace (-c): each tree by itself, interlaced in order of entry (-i), or as read (-r).
 * Marks and watch rows stand in it as comments, where and when they happened.
 *
 * Threads of execution have a punctuation character each. Interlaced, a stack of threads says what
 * goes on: the lowest is the ground and has no frame; what interrupts it, or runs while it rests,
 * stands in a frame of its own until the ground goes on or it has no more calls to show.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kd.h"
#include "out.h"

/* Threads' characters, as the historic kd gave them out, and again from the start. */
static const char chars[] = "|!@[#;($/{%]*)&:\\}";

/* Indented no further than this; deeper calls show their level as a number. */
#define INDENT_MAX	200

#define NODE_UNSURE	0x80	/* beside KFI_MARK_*: a call below has an unknown duration */
#define NODE_WATCH	0x40	/* a watch row: no call */

/**
 * struct node - one call
 * @entry: nanoseconds
 * @delta: nanoseconds, -1: unknown
 * @local: nanoseconds; in historic logs what is left of @delta, below 0: impossible
 * @func: number of the function, KFI_NONE: a mark, whose text is @args
 * @root: number of the root of its tree
 * @depth: level in its tree, from 1
 * @thread: thread of execution
 * @args: number of a text: argument columns or a mark, KFI_NONE: none
 * @pid: process
 * @cpu: processor, if it was glued to the pid, else -1
 * @marks: KFI_MARK_*, NODE_UNSURE and NODE_WATCH
 * @task: it is a call in a task (today's logs)
 */
struct node {
	s64 entry;
	s64 delta;
	s64 local;
	u32 func;
	u32 root;
	u32 depth;
	u32 thread;
	u32 args;
	s32 pid;
	s16 cpu;
	u8 marks;
	bool task;
};

/**
 * struct trace - the trace under construction
 * @kd: the run
 * @node: the calls in order of the log
 * @n: how many
 * @room: for how many there is room
 * @nthreads: threads of execution there are
 * @args: argument columns, marks
 * @format: columns to show
 * @hidden: calls not shown because they are too deep
 * @out: where to
 */
struct trace {
	struct kd *kd;
	struct node *node;
	u32 n;
	u32 room;
	u32 nthreads;
	struct kfi_names args;
	char format[8];
	u64 hidden;
	struct kfi_out out;
};

static char char_of(u32 thread)
{
	return chars[thread % (sizeof(chars) - 1)];
}

/* Printed microseconds nest as those of the log do: floor of exit less floor of entry. */
static s64 usecs(s64 entry, s64 delta)
{
	return (entry + delta) / 1000 - entry / 1000;
}

static void put(struct trace *t, const char *s)
{
	kfi_out_put(&t->out, s, strlen(s));
}

/* A number or a text, right-aligned, and a blank. */
static void put_number(struct trace *t, s64 v, const char *mark, size_t width)
{
	char text[32], *end = text + sizeof(text), *s;
	size_t n = strlen(mark);

	memcpy(end - n, mark, n);
	s = kfi_out_number(v, end - n);
	kfi_out_right(&t->out, s, end - s, width);
	kfi_out_put(&t->out, " ", 1);
}

static void print_head(struct trace *t)
{
	static const struct {
		char id;
		const char *title;
		const char *rule;
	} columns[] = {
		{ 'e', " Entry     ", "---------- " },
		{ 't', " Duration  ", "---------- " },
		{ 'l', " Local     ", "---------- " },
		{ 'p', "  Pid   ", "------- " },
	};

	for (int rule = 0; rule < 2; rule++) {
		for (const char *f = t->format; *f; f++)
			for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
				if (columns[i].id == *f)
					put(t, rule ? columns[i].rule : columns[i].title);
		put(t, rule ? "---------------------------------\n" : " Trace \n");
	}
}

static void print_local(struct trace *t, const struct node *x)
{
	bool unsure = x->delta >= 0 && (x->local < 0 || (x->marks & NODE_UNSURE));

	t->kd->unsure |= unsure;
	if (x->delta < 0)
		put_number(t, -1, "", 10);
	else if (unsure && t->kd->at_parse)
		put(t, "         ? ");
	else
		put_number(t, x->local < 0 ? 0 : x->local / 1000, unsure ? "?" : "", 10);
}

static void print_columns(struct trace *t, const struct node *x)
{
	char pid[32];
	int n;

	for (const char *f = t->format; *f; f++) {
		switch (*f) {
		case 'e':
			put_number(t, x->entry / 1000, "", 10);
			break;
		case 't':
		case 'l':
			if (x->func == KFI_NONE)
				put(t, "           ");
			else if (x->marks & NODE_WATCH)
				put_number(t, *f == 't' ? -2 : -1, "", 10);
			else if (*f == 'l')
				print_local(t, x);
			else
				put_number(t, x->delta < 0 ? -1 : usecs(x->entry, x->delta), "",
					   10);
			break;
		case 'p':
			if (x->cpu < 0) {
				put_number(t, x->pid, "", 7);
				break;
			}
			n = snprintf(pid, sizeof(pid), "%d.%d", x->pid, x->cpu);
			kfi_out_right(&t->out, pid, n, 7);
			put(t, " ");
			break;
		}
	}
}

static bool is_call(const struct node *x)
{
	return x->func != KFI_NONE && !(x->marks & NODE_WATCH);
}

static void print_node(struct trace *t, const struct node *x, char c)
{
	const struct kfi_str *name = x->func == KFI_NONE ? &t->args.str[x->args] :
				     &t->kd->names.str[x->func];
	u64 name_max = t->kd->name_len ? t->kd->name_len : 40;
	u32 indent = x->depth - 1 < INDENT_MAX ? x->depth - 1 : INDENT_MAX;
	size_t len = name->len, used = 3 * indent;
	char level[16];

	if (x->depth > t->kd->filter.depth) {
		t->hidden += is_call(x);
		return;
	}
	print_columns(t, x);
	for (u32 i = 0; i < indent; i++)
		kfi_out_put(&t->out, (const char[]){ c, ' ', ' ' }, 3);
	if (x->depth - 1 > INDENT_MAX) {
		used += snprintf(level, sizeof(level), "(%u) ", x->depth);
		put(t, level);
	}
	if (x->func == KFI_NONE)
		put(t, "# ");
	else if (t->kd->name_len && len > t->kd->name_len)
		len = t->kd->name_len;
	kfi_out_put(&t->out, name->s, len);
	if (x->marks & NODE_WATCH)
		put(t, "  # stack");
	if (x->func != KFI_NONE && x->args != KFI_NONE) {
		size_t column = 3 * 20 + name_max;

		used += len;
		kfi_out_fill(&t->out, ' ', used < column ? column - used : 1);
		kfi_out_put(&t->out, t->args.str[x->args].s, t->args.str[x->args].len);
	}
	put(t, "\n");
}

static int no_memory(const struct trace *t, struct kfi_err *err)
{
	return kfi_err_set(err, ENOMEM, "%s: out of memory", t->kd->log.in.name);
}

/* A call as a node; corrects its parent's local time. */
static int call_node(struct trace *t, struct kfi_tree *tree, struct node *x, u32 id,
		     struct kfi_err *err)
{
	struct kd *kd = t->kd;
	const struct kfi_row *row = &kd->row;
	struct kfi_tree_call call = { .id = id };
	struct kfi_tree_place place;
	int ret = kd_call(kd, &call, err);

	if (ret)
		return ret;
	if (kfi_tree_add(tree, &call, &place))
		return no_memory(t, err);
	*x = (struct node){
		.entry = row->entry_ns, .delta = row->delta_ns, .func = call.func, .root = id,
		.local = row->local_ns < 0 ? row->delta_ns : row->local_ns,
		.depth = place.level,
		.thread = place.thread, .args = KFI_NONE, .pid = row->pid, .cpu = -1,
		.marks = row->marks,
		.task = kd->rule == KFI_TREE_DEPTH && row->ctx == KFI_CTX_TASK,
	};
	if (kd->kind == KFI_LOG_KFT)
		x->cpu = (s16)(row->cpu < 9 ? row->cpu : -1);
	if (row->args.len) {
		x->args = kfi_names_get(&t->args, row->args.s, row->args.len);
		if (x->args == KFI_NONE)
			return no_memory(t, err);
	}
	kd->recursive += place.again;
	if (kd->at_parse) {
		if (kd->rule != KFI_TREE_DEPTH)
			x->marks |= NODE_UNSURE;
		return 0;
	}
	if (place.parent == KFI_NONE)
		return 0;
	x->root = t->node[place.parent].root;
	if (kd->rule == KFI_TREE_DEPTH)
		return 0;
	if (x->delta < 0)
		t->node[place.parent].marks |= NODE_UNSURE;
	else
		t->node[place.parent].local -= x->delta;
	return 0;
}

/* A mark or a watch row: below the call that goes on there; a watch row as deep as it says. */
static int comment_node(struct trace *t, struct kfi_tree *tree, struct node *x, u32 id, int item,
			struct kfi_err *err)
{
	const struct kfi_log_mark *m = &t->kd->log.mark;
	struct kfi_row at = t->kd->row;
	struct kfi_tree_place place;
	u32 *number = item == KFI_LINE_MARK ? &x->args : &x->func;

	if (item == KFI_LINE_MARK)
		at = (struct kfi_row){
			.entry_ns = m->entry_ns, .task = m->task, .cpu = m->cpu, .ctx = m->ctx,
			.pid = m->ctx == KFI_CTX_TASK ? m->task : -1,
		};
	if (kfi_tree_look(tree, &at, &place))
		return no_memory(t, err);
	*x = (struct node){
		.entry = at.entry_ns, .delta = -1, .func = KFI_NONE, .root = id,
		.depth = place.level, .thread = place.thread, .args = KFI_NONE, .pid = at.pid,
		.cpu = -1, .task = at.ctx == KFI_CTX_TASK,
	};
	if (item == KFI_LINE_MARK) {
		*number = kfi_names_get(&t->args, m->text.s, m->text.len);
	} else {
		*number = kfi_names_get(&t->kd->names, at.func.s, at.func.len);
		x->marks = NODE_WATCH;
		if (at.depth)
			x->depth = at.depth;
	}
	if (*number == KFI_NONE)
		return no_memory(t, err);
	if (!t->kd->at_parse && place.parent != KFI_NONE)
		x->root = t->node[place.parent].root;
	return 0;
}

/* The next node. Return: 1, 0 at the end, -errno. */
static int read_node(struct trace *t, struct kfi_tree *tree, struct node *x, u32 id,
		     struct kfi_err *err)
{
	int item, ret;

	do
		item = kd_item(t->kd, err);
	while (item > 0 && item != KFI_LINE_ROW && t->kd->no_marks);
	if (item <= 0)
		return item;
	if (likely(item == KFI_LINE_ROW))
		ret = call_node(t, tree, x, id, err);
	else
		ret = comment_node(t, tree, x, id, item, err);
	if (ret)
		return ret;
	if (x->thread >= t->nthreads)
		t->nthreads = x->thread + 1;
	return 1;
}

static int read_all(struct trace *t, struct kfi_err *err)
{
	struct kfi_tree tree;
	struct node x;
	int ret;

	kfi_tree_init(&tree, t->kd->rule, NULL, NULL);
	tree.rounds = t->kd->head.rounds > 1;
	while ((ret = read_node(t, &tree, &x, t->n, err)) > 0) {
		if (t->n >= KFI_NONE - 1 ||
		    kfi_grow((void **)&t->node, &t->room, t->n + 1, sizeof(*t->node))) {
			ret = kfi_err_set(err, ENOMEM, "%s: out of memory at call %u",
					  t->kd->log.in.name, t->n);
			break;
		}
		t->node[t->n++] = x;
	}
	kfi_tree_free(&tree);
	return ret;
}

/* Each tree by itself, in order of the entry of its root. */
static int by_tree(struct trace *t, struct kfi_err *err)
{
	u32 *at = calloc((size_t)t->n + 1, sizeof(*at)), *order, sum = 0;

	order = malloc(((size_t)t->n + 1) * sizeof(*order));
	if (!at || !order) {
		free(at);
		free(order);
		return kfi_err_set(err, ENOMEM, "out of memory");
	}
	for (u32 i = 0; i < t->n; i++)
		at[t->node[i].root]++;
	for (u32 i = 0; i < t->n; i++) {
		u32 count = at[i];

		at[i] = sum;
		sum += count;
	}
	for (u32 i = 0; i < t->n; i++)
		order[at[t->node[i].root]++] = i;
	for (u32 i = 0; i < t->n; i++)
		print_node(t, &t->node[order[i]], chars[0]);
	free(at);
	free(order);
	return 0;
}

/**
 * struct going - the threads that go on, lowest first
 * @stack: their numbers
 * @n: how many
 * @on: by thread: it is on the stack
 * @last: by thread: its last call
 */
struct going {
	u32 *stack;
	u32 n;
	bool *on;
	u32 *last;
};

static void frame(struct trace *t, u32 thread, bool start)
{
	put(t, "----------- ");
	kfi_out_fill(&t->out, char_of(thread), 4);
	put(t, start ? " start --------------\n" : " end ----------------\n");
}

static void leave(struct trace *t, struct going *g)
{
	u32 thread = g->stack[--g->n];

	g->on[thread] = false;
	if (g->n)
		frame(t, thread, false);
}

static void enter(struct trace *t, struct going *g, u32 thread)
{
	if (g->n)
		frame(t, thread, true);
	g->on[thread] = true;
	g->stack[g->n++] = thread;
}

/* Makes the thread of a call the one that goes on, with the frames this takes. */
static void turn_to(struct trace *t, struct going *g, const struct node *x, u32 i)
{
	while (g->n && g->last[g->stack[g->n - 1]] < i)
		leave(t, g);
	if (g->on[x->thread])
		while (g->stack[g->n - 1] != x->thread)
			leave(t, g);
	if (g->n && g->stack[g->n - 1] == x->thread)
		return;
	/* A task does not run within another one: only the ground stays. */
	while (x->task && g->n > 1)
		leave(t, g);
	enter(t, g, x->thread);
}

static int interlaced(struct trace *t, struct kfi_err *err)
{
	size_t n = (size_t)t->nthreads + 1;
	struct going g = {
		.stack = malloc(n * sizeof(*g.stack)),
		.on = calloc(n, sizeof(*g.on)),
		.last = calloc(n, sizeof(*g.last)),
	};
	int ret = 0;

	if (!g.stack || !g.on || !g.last) {
		ret = kfi_err_set(err, ENOMEM, "out of memory");
		goto out;
	}
	for (u32 i = 0; i < t->n; i++)
		if (t->node[i].depth <= t->kd->filter.depth)
			g.last[t->node[i].thread] = i;
	for (u32 i = 0; i < t->n; i++) {
		if (t->node[i].depth <= t->kd->filter.depth)
			turn_to(t, &g, &t->node[i], i);
		print_node(t, &t->node[i], char_of(t->node[i].thread));
	}
	while (g.n)
		leave(t, &g);
out:
	free(g.stack);
	free(g.on);
	free(g.last);
	return ret;
}

/* Each call when it is read: what is below a call is not known yet. */
static int as_read(struct trace *t, struct kfi_err *err)
{
	struct kfi_tree tree;
	struct node x;
	int ret;

	kfi_tree_init(&tree, t->kd->rule, NULL, NULL);
	tree.rounds = t->kd->head.rounds > 1;
	while ((ret = read_node(t, &tree, &x, 0, err)) > 0)
		print_node(t, &x, chars[0]);
	kfi_tree_free(&tree);
	return ret;
}

int kd_marks(struct kd *kd, struct kfi_err *err)
{
	int item;

	printf("%s\n%s\n", " Entry     Cpu  Task   Ctx Mark", "---------- --- ------- --- -----");
	while ((item = kd_item(kd, err)) > 0) {
		const struct kfi_log_mark *m = &kd->log.mark;

		if (item == KFI_LINE_MARK)
			printf("%10lld %3d %7d   %c %.*s\n", (long long)m->entry_ns / 1000,
			       m->cpu, m->task, KFI_CTX_LETTERS[m->ctx], (int)m->text.len,
			       m->text.s);
	}
	return item;
}

int kd_trace(struct kd *kd, struct kfi_err *err)
{
	static struct trace t;
	int ret;

	if (kd->kind == KFI_LOG_PROFILE)
		return kfi_err_set(err, EINVAL, "%s: a profile has sums, no calls: -c cannot show it",
				   kd->log.in.name);
	t.kd = kd;
	t.out.file = stdout;
	kd_columns(kd, kd->format ? kd->format : kd->longer ? "etlp" : "", "etlp", t.format,
		   sizeof(t.format));
	print_head(&t);
	if (kd->at_parse) {
		ret = as_read(&t, err);
	} else {
		ret = read_all(&t, err);
		if (!ret)
			ret = kd->interlaced ? interlaced(&t, err) : by_tree(&t, err);
	}
	kd->hidden = t.hidden;
	kfi_out_flush(&t.out);
	free(t.node);
	kfi_names_free(&t.args);
	return ret;
}
