// SPDX-License-Identifier: GPL-2.0
/*
 * Prints kd's tree (--tree): calls with the same path from the root are added up. Calls in
 * interrupts have roots of their own. The log is streamed: memory use grows with the paths and the
 * open calls.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kd_walk.h"

/* Deeper nodes are not indented further, and show their level as a number. */
#define INDENT_MAX	100

/**
 * struct node - calls with the same path, times in nanoseconds; what each call changes comes first
 * @time: sum of their durations
 * @local: sum of their local times
 * @calls: number of calls
 * @open: number of calls without a duration
 * @func: number of the function; of a root its context
 * @latest: while the log is read: the child that was called last
 * @child: in the end: the first of its children
 * @follow: while the log is read: the sibling that was called after it the last time
 * @next: in the end: the next one in the order of its siblings
 * @level: its level, 0: a root
 * @parent: the node above
 * @cost: @time, or the sum of the calls below if that is more, since calls may not have returned
 * @beside: next of its siblings in a ring, while the parent has few children
 * @keep: --func and -t select it, or a node below it
 * @many: its children are in @node_of, since it has many
 * @unsure: @local is a best guess
 */
struct node {
	u64 time;
	u64 local;
	u64 calls;
	u64 open;
	u32 func;
	union {
		u32 latest;
		u32 child;
	};
	union {
		u32 follow;
		u32 next;
	};
	u32 level : 29;
	bool keep : 1;
	bool unsure : 1;
	bool many : 1;
	u32 parent;
	u32 beside;
	u64 cost;
};

/* A node fits into a cache line. */
static_assert(sizeof(struct node) <= 64);

/* Up to this number of children a linear search is used. */
#define FEW	6

/**
 * struct under - number of calls below those calls of a node that have a duration, for -N
 * @below: calls with rows
 * @children: the part of @below that is directly below
 * @dropped: calls without a row
 */
struct under {
	u64 below;
	u64 children;
	u64 dropped;
};

/**
 * struct call_tree - the tree under construction
 * @kd: the run
 * @node: nodes, the contexts first
 * @n: how many
 * @room: for how many there is room
 * @cost: cost to subtract for each call below
 * @under: by node: calls below it
 * @under_room: for how many there is room
 * @failed: an allocation failed
 * @node_of: maps (parent, function) to a node, for parents with many children
 */
struct call_tree {
	struct kd *kd;
	struct node *node;
	u32 n;
	u32 room;
	struct kd_cost cost;
	struct under *under;
	u32 under_room;
	bool failed;
	struct kfi_map node_of;
};

/* For people the tree is the last column. */
static const struct kd_column columns[] = {
	{ 'V', "", 0, NULL, "level" },
	{ 't', "Time", 10, "Net time", "time_ns", "total", "~Time", "estimated_time_ns" },
	{ 'l', "Local", 10, "Net local", "local_ns", "self", "~Local",
	  "estimated_local_ns" },
	{ 'c', "Count", 8, NULL, "count", "count", "Samples", "samples" },
	{ 'a', "Average", 10, "Net avg", "average_ns" },
	{ 'o', "Open", 6, NULL, "open" },
	{ 'F', "Tree", 0, NULL, "function" },
};

static void add(u64 *sum, u64 v)
{
	if (__builtin_add_overflow(*sum, v, sum))
		*sum = U64_MAX;
}

/* Return: a new node, KFI_NONE: out of memory. */
static u32 new_node(struct call_tree *w, u32 parent, u32 func)
{
	if (w->n >= KD_NOBODY)
		return KFI_NONE;
	if (unlikely(w->n == w->room) &&
	    kfi_grow((void **)&w->node, &w->room, w->n + 1, sizeof(*w->node)))
		return KFI_NONE;
	w->node[w->n] = (struct node){
		.func = func, .parent = parent, .latest = KFI_NONE, .follow = KFI_NONE,
		.beside = w->n, .level = w->node[parent].level + 1,
	};
	return w->n++;
}

static u32 *in_map(struct call_tree *w, u32 parent, u32 func)
{
	return kfi_map_get(&w->node_of, (u64)parent << 32 | func, KFI_NONE);
}

/* Put all children of a parent into the map, since it has many now. Return: 0 or -ENOMEM. */
static int change_to_many(struct call_tree *w, u32 parent)
{
	u32 child = w->node[parent].latest;

	do {
		u32 *at = in_map(w, parent, w->node[child].func);

		if (!at)
			return -ENOMEM;
		*at = child;
		child = w->node[child].beside;
	} while (child != w->node[parent].latest);
	w->node[parent].many = true;
	return 0;
}

/* Return the node of a function below a parent; add it if it is new. KFI_NONE: out of memory. */
static u32 find_child(struct call_tree *w, u32 parent, u32 func)
{
	u32 latest = w->node[parent].latest, child = latest, n = 0, id;

	if (w->node[parent].many) {
		u32 *at = in_map(w, parent, func);

		if (at && *at == KFI_NONE)
			*at = new_node(w, parent, func);
		return at ? *at : KFI_NONE;
	}
	for (; child != KFI_NONE && (!n || child != latest); child = w->node[child].beside, n++)
		if (w->node[child].func == func)
			return child;
	id = new_node(w, parent, func);
	if (id == KFI_NONE || latest == KFI_NONE)
		return id;
	w->node[id].beside = w->node[latest].beside;
	w->node[latest].beside = id;
	return n < FEW || !change_to_many(w, parent) ? id : KFI_NONE;
}

/* Do the same fast: a function mostly calls the same functions in the same order as before. */
static u32 find_next_child(struct call_tree *w, u32 parent, u32 func)
{
	u32 latest = w->node[parent].latest, id = KFI_NONE;

	if (latest != KFI_NONE)
		id = w->node[latest].func == func ? latest : w->node[latest].follow;
	if (id == KFI_NONE || w->node[id].func != func)
		id = find_child(w, parent, func);
	if (id == KFI_NONE)
		return KFI_NONE;
	if (latest != KFI_NONE && latest != id)
		w->node[latest].follow = id;
	w->node[parent].latest = id;
	return id;
}

static void count_under(struct call_tree *w, u32 id, const struct kfi_tree_frame *f)
{
	u32 old = w->under_room;

	if (kfi_grow((void **)&w->under, &w->under_room, id + 1, sizeof(*w->under))) {
		w->failed = true;
		return;
	}
	memset(w->under + old, 0, (w->under_room - old) * sizeof(*w->under));
	w->under[id].below += f->below;
	w->under[id].children += f->children;
	w->under[id].dropped += f->dropped;
}

/* Subtract the cost of recording, as in the table of functions: see kd_sum.c. */
static void take_cost_off(struct call_tree *w)
{
	for (u32 i = 0; i < w->under_room && i < w->n; i++) {
		const struct under *u = &w->under[i];
		struct node *x = &w->node[i];

		x->time = kd_without(x->time, u->below, u->dropped, &w->cost);
		x->local = kd_without(x->local, u->children, 0, &w->cost);
		if (x->local > x->time)
			x->local = x->time;
	}
}

static void call_over(void *arg, const struct kfi_tree_frame *f)
{
	struct call_tree *w = arg;
	s64 local = f->delta_ns - f->child_ns;
	struct node *x;

	if (unlikely(w->cost.kept) && f->delta_ns >= 0 && KD_NUMBER(f->id) != KD_NOBODY)
		count_under(w, KD_NUMBER(f->id), f);
	/* If the row has a self time, that has been added. */
	if (f->local_ns >= 0 || f->delta_ns < 0 || KD_NUMBER(f->id) == KD_NOBODY)
		return;
	x = &w->node[KD_NUMBER(f->id)];
	x->unsure |= f->unsure || local < 0;
	if (local > 0)
		add(&x->local, local);
}

static int add_call(void *arg, const struct kfi_tree_call *call, struct kfi_tree_place *place,
		    bool taken)
{
	struct call_tree *w = arg;
	u32 parent = place->parent == KFI_NONE ? KD_NOBODY : place->parent, id;
	struct node *x;

	place->frame->id = KD_NOBODY;
	if (!taken)
		return 0;
	id = find_next_child(w, parent == KD_NOBODY ? call->row->ctx : parent, call->func);
	if (id == KFI_NONE)
		return -ENOMEM;
	place->frame->id = id;
	x = &w->node[id];
	x->calls++;
	if (call->row->delta_ns < 0) {
		x->open++;
		return 0;
	}
	add(&x->time, call->row->delta_ns);
	if (call->row->local_ns > 0)
		add(&x->local, call->row->local_ns);
	return 0;
}

/*
 * Select nodes by --func and -t, with their parents. A parent has a lower number than its children.
 */
static int choose(struct call_tree *w)
{
	struct kd *kd = w->kd;
	bool all = !kd->opt.filter.pattern[KD_FUNC].text;

	for (u32 i = w->n; i-- > 0;) {
		struct node *x = &w->node[i];
		int bits = 0;

		if (x->level)
			bits = kd_filter_match(&kd->opt.filter, &kd->in.matches, &kd->in.names,
					       x->func);
		if (bits < 0)
			return bits;
		x->keep |= x->time >= (u64)kd->opt.time_ns && (all || bits & 1 << KD_FUNC);
		if (x->cost < x->time)
			x->cost = x->time;
		if (!x->level)
			continue;
		w->node[x->parent].keep |= x->keep;
		add(&w->node[x->parent].cost, x->cost);
	}
	return 0;
}

/* qsort() passes no argument. */
static const struct call_tree *sorting;

/* Sort by cost, the greatest first. */
static int by_cost(const void *a, const void *b)
{
	const struct node *x = &sorting->node[*(const u32 *)a];
	const struct node *y = &sorting->node[*(const u32 *)b];
	const struct kfi_str *names = sorting->kd->in.names.str;

	if (x->cost != y->cost)
		return x->cost > y->cost ? -1 : 1;
	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	return strcmp(names[x->func].s, names[y->func].s);
}

/* Sort nodes by parent. @at: set to the end of the nodes of each parent */
static void by_parent(const struct call_tree *w, u32 *order, u32 *at)
{
	u32 sum = 0;

	for (u32 i = KFI_CTX_COUNT; i < w->n; i++)
		at[w->node[i].parent]++;
	for (u32 i = 0; i < w->n; i++) {
		u32 count = at[i];

		at[i] = sum;
		sum += count;
	}
	for (u32 i = KFI_CTX_COUNT; i < w->n; i++)
		order[at[w->node[i].parent]++] = i;
}

/* Link the children of each node to a list, and add up the contexts. */
static int link_nodes(struct call_tree *w)
{
	u32 *order = malloc((size_t)w->n * sizeof(*order)), *at = calloc(w->n, sizeof(*at));

	if (!order || !at) {
		free(order);
		free(at);
		return -ENOMEM;
	}
	by_parent(w, order, at);
	sorting = w;
	for (u32 i = 0, from = 0; i < w->n; from = at[i++]) {
		u32 n = at[i] - from;

		if (n > 1)
			qsort(order + from, n, sizeof(*order), by_cost);
		w->node[i].child = n ? order[from] : KFI_NONE;
		for (u32 k = from; k < at[i]; k++)
			w->node[order[k]].next = k + 1 < at[i] ? order[k + 1] : KFI_NONE;
	}
	for (u32 i = KFI_CTX_COUNT; i < w->n; i++) {
		struct node *x = &w->node[i], *p = &w->node[x->parent];

		if (p->level)
			continue;
		add(&p->time, x->time);
		p->calls += x->calls;
		p->open += x->open;
	}
	free(order);
	free(at);
	return 0;
}

static const char *name_of(const struct call_tree *w, const struct node *x)
{
	static const char *const context[KFI_CTX_COUNT] = {
		[KFI_CTX_TASK] = "(tasks)", [KFI_CTX_SOFTIRQ] = "(softirqs)",
		[KFI_CTX_HARDIRQ] = "(interrupts)", [KFI_CTX_NMI] = "(NMIs)",
	};

	return x->level ? w->kd->in.names.str[x->func].s : context[x->func];
}

/* Print a name, indented by its level; a node that is too deep shows its level as a number. */
static void print_name(const struct call_tree *w, struct kd_table *t, const struct node *x)
{
	static char *text;
	static size_t room;
	u32 indent = x->level < INDENT_MAX ? x->level : INDENT_MAX;
	const char *name = name_of(w, x);
	size_t need = strlen(name) + 2 * INDENT_MAX + 32, n = 2 * (size_t)indent;
	char *more;

	if (room < need) {
		more = realloc(text, 2 * need);
		if (more) {
			text = more;
			room = 2 * need;
		}
	}
	if (t->out != KD_OUT_TEXT || room < need) {
		kd_cell_text(t, name);
		return;
	}
	memset(text, ' ', n);
	if (x->level > INDENT_MAX)
		n += (size_t)sprintf(text + n, "(%u) ", x->level);
	memcpy(text + n, name, strlen(name) + 1);
	kd_cell_text(t, text);
}

/* Return true if calls below have no row, so that -N cannot subtract their cost from one node. */
static bool has_dropped(const struct call_tree *w, const struct node *x)
{
	u32 i = (u32)(x - w->node);

	return i < w->under_room && w->under[i].dropped;
}

/* Samples have no calls, so no average; without a clock they have no times either. */
static bool is_known(const struct kd *kd, char id)
{
	return !kd->in.head.sampled ||
	       (kd->in.head.sampled == KFI_SAMPLED_TIME && id != 'a');
}

static const char *usual_columns(const struct kd *kd)
{
	if (kd->in.head.sampled)
		return kd->in.head.sampled == KFI_SAMPLED_TIME ? "tlc" : "c";
	return kd->opt.out == KD_OUT_TEXT ? "tlc" : "tlcao";
}

static void print_node(const struct call_tree *w, struct kd_table *t, const struct node *x)
{
	u64 timed = x->calls - x->open;

	for (u32 i = 0; i < t->n - t->lines; i++) {
		char id = t->col[i]->id;

		if (id == 'F')
			print_name(w, t, x);
		else if (id == 'V')
			kd_cell_count(t, x->level);
		else if (id == 'c' || id == 'o')
			kd_cell_count(t, id == 'c' ? x->calls : x->open);
		else if (!timed || (id == 'l' && !x->level) || !is_known(w->kd, id))
			kd_cell_unknown(t);
		else if (id == 'l' && has_dropped(w, x))
			kd_cell_unknown(t);
		else if (id == 'l')
			kd_cell_time(t, x->local, x->unsure);
		else
			kd_cell_time(t, id == 't' ? x->time : x->time / timed, false);
	}
	kd_line_cell(w->kd, t, x->level ? x->func : KFI_NONE);
	if (w->kd->opt.srcline && t->out == KD_OUT_TEXT && x->level) {
		const char *line = kd_line_of(w->kd, x->func);

		kd_row_put("  # ");
		kd_row_put(line ? line : "?");
	}
	kd_row_end(t);
}

/* Print a node and those below it, without recursion, since a log may be nested deeply. */
static void print_tree(const struct call_tree *w, struct kd_table *t, u32 root)
{
	const struct kd *kd = w->kd;
	u32 at = root;
	u32 *shown = calloc((size_t)w->n, sizeof(*shown));	/* children printed so far */

	if (!shown)
		return;
	print_node(w, t, &w->node[root]);
	at = w->node[root].child;
	while (at != KFI_NONE) {
		const struct node *x = &w->node[at];
		bool show = x->keep && shown[x->parent] < kd->opt.num;
		u32 up = at;

		if (show) {
			shown[x->parent]++;
			print_node(w, t, x);
		}
		at = show ? x->child : KFI_NONE;
		while (at == KFI_NONE && up != root) {
			at = w->node[up].next;
			up = w->node[up].parent;
		}
	}
	free(shown);
}

int kd_tree(struct kd *kd, struct kfi_err *err)
{
	struct call_tree w = { .kd = kd };
	struct kd_table t = {
		.out = kd->opt.out, .sampled = kd->in.head.sampled,
		.lines = kd->opt.srcline && kd->opt.out != KD_OUT_TEXT,
	};
	struct kd_visit visit = { .call = add_call, .over = call_over, .arg = &w };
	char letters[KD_COLUMNS_MAX], format[KD_COLUMNS_MAX + 2];
	int ret;

	if (kd_columns(kd, kd->opt.format ? : usual_columns(kd), columns, ARRAY_SIZE(columns), "tlcao",
		       letters, err))
		return -EINVAL;
	snprintf(format, sizeof(format), "%s%sF", kd->opt.out == KD_OUT_TEXT ? "" : "V", letters);
	if (kd_cost(kd, &w.cost, err))
		return -EINVAL;
	if (kfi_grow((void **)&w.node, &w.room, KFI_CTX_COUNT, sizeof(*w.node)))
		return kfi_err_set(err, ENOMEM, "out of memory");
	for (w.n = 0; w.n < KFI_CTX_COUNT; w.n++)
		w.node[w.n] = (struct node){
			.func = w.n, .latest = KFI_NONE, .follow = KFI_NONE,
		};
	ret = kd_walk(kd, &visit, err);
	take_cost_off(&w);
	if (!ret && (w.failed || choose(&w) || link_nodes(&w)))
		ret = kfi_err_set(err, ENOMEM, "out of memory");
	if (!ret) {
		kd_table_begin(&t, columns, ARRAY_SIZE(columns), format, kd->opt.net);
		for (u32 i = 0; i < KFI_CTX_COUNT; i++)
			if (w.node[i].calls && w.node[i].keep)
				print_tree(&w, &t, i);
		kd->res.unsure |= t.any_unsure;
	}
	free(w.node);
	free(w.under);
	kfi_map_free(&w.node_of);
	return ret;
}
