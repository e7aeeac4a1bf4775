// SPDX-License-Identifier: GPL-2.0
/*
 * kd's tree (--tree): who called whom, calls of the same way from the root added up. What runs in
 * interrupts has roots of its own. Streams: memory goes with the ways there are, and open calls.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kd_walk.h"

/* Indented no further than this; deeper nodes show their level as a number. */
#define INDENT_MAX	100

/**
 * struct node - the calls of one way, times in nanoseconds
 * @time: sum of their durations
 * @cost: that, or what is below them, if that is more: some may not have returned
 * @local: sum of their local times
 * @calls: calls, with or without a duration
 * @open: those without
 * @func: function; of a root its context
 * @parent: node
 * @child: first of its children, in the end
 * @next: place in the order of its siblings, in the end: the next one
 * @latest: child that was called last, while the log is read
 * @follow: sibling that was called after it, the last time, likewise
 * @level: of the tree, 0: a root
 * @keep: --func and -t take it, or one below it
 * @unsure: @local is a best guess
 */
struct node {
	u64 time;
	u64 cost;
	u64 local;
	u64 calls;
	u64 open;
	u32 func;
	u32 parent;
	u32 child;
	u32 next;
	u32 latest;
	u32 follow;
	u32 level;
	bool keep;
	bool unsure;
};

/**
 * struct ways - the tree under construction
 * @kd: the run
 * @node: nodes, the contexts first
 * @n: how many
 * @room: for how many there is room
 * @node_of: (parent, function) to node
 */
struct ways {
	struct kd *kd;
	struct node *node;
	u32 n;
	u32 room;
	struct kfi_map node_of;
};

/* For people the tree stands last. */
static const struct kd_column columns[] = {
	{ 'V', "", 0, NULL, "level" },
	{ 't', "Time", 10, NULL, "time_ns" },
	{ 'l', "Local", 10, NULL, "local_ns" },
	{ 'c', "Count", 8, NULL, "count" },
	{ 'a', "Average", 10, NULL, "average_ns" },
	{ 'o', "Open", 6, NULL, "open" },
	{ 'F', "Tree", 0, NULL, "function" },
};

static void add(u64 *sum, u64 v)
{
	if (__builtin_add_overflow(*sum, v, sum))
		*sum = U64_MAX;
}

/* Return: the node of a way, KFI_NONE: out of memory. */
static u32 look_up(struct ways *w, u32 parent, u32 func)
{
	u32 *at = kfi_map_get(&w->node_of, (u64)parent << 32 | func, w->n);

	if (!at)
		return KFI_NONE;
	if (*at < w->n)
		return *at;
	if (w->n >= KD_NOBODY || kfi_grow((void **)&w->node, &w->room, w->n + 1, sizeof(*w->node)))
		return KFI_NONE;
	w->node[w->n] = (struct node){
		.func = func, .parent = parent, .child = KFI_NONE, .next = KFI_NONE,
		.latest = KFI_NONE, .follow = KFI_NONE,
		.level = w->node[parent].level + 1,
	};
	return w->n++;
}

/* The same; functions mostly call what they called before, in the same order. */
static u32 way(struct ways *w, u32 parent, u32 func)
{
	u32 latest = w->node[parent].latest, id = KFI_NONE;

	if (latest != KFI_NONE)
		id = w->node[latest].func == func ? latest : w->node[latest].follow;
	if (id == KFI_NONE || w->node[id].func != func)
		id = look_up(w, parent, func);
	if (id == KFI_NONE)
		return KFI_NONE;
	if (latest != KFI_NONE && latest != id)
		w->node[latest].follow = id;
	w->node[parent].latest = id;
	return id;
}

static void call_over(void *arg, const struct kfi_tree_frame *f)
{
	struct ways *w = arg;
	u32 id = KD_NUMBER(f->id);
	struct node *x = &w->node[id];
	s64 local = f->local_ns;

	if (f->delta_ns < 0 || id == KD_NOBODY)
		return;
	if (local < 0) {
		local = f->delta_ns - f->child_ns;
		x->unsure |= f->unsure || local < 0;
		if (local < 0)
			local = 0;
	}
	add(&x->local, local);
}

static int add_call(void *arg, const struct kfi_tree_call *call, struct kfi_tree_place *place,
		    bool taken)
{
	struct ways *w = arg;
	u32 parent = place->parent == KFI_NONE ? KD_NOBODY : place->parent, id;

	place->frame->id = KD_NOBODY;
	if (!taken)
		return 0;
	id = way(w, parent == KD_NOBODY ? call->row->ctx : parent, call->func);
	if (id == KFI_NONE)
		return -ENOMEM;
	place->frame->id = id;
	w->node[id].calls++;
	if (call->row->delta_ns < 0)
		w->node[id].open++;
	else
		add(&w->node[id].time, call->row->delta_ns);
	return 0;
}

/* What --func and -t take, and the way there. A node's number is greater than its parent's. */
static int choose(struct ways *w)
{
	struct kd *kd = w->kd;
	bool all = !kd->filter.pattern[KD_FUNC].text;

	for (u32 i = w->n; i-- > 0;) {
		struct node *x = &w->node[i];
		int bits = 0;

		if (x->level)
			bits = kd_filter_match(&kd->filter, &kd->matches, &kd->names, x->func);
		if (bits < 0)
			return bits;
		x->keep |= x->time / 1000 >= kd->time_us && (all || bits & 1 << KD_FUNC);
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
static const struct ways *sorting;

/* By parent; of one parent the most expensive first. */
static int by_cost(const void *a, const void *b)
{
	const struct node *x = &sorting->node[*(const u32 *)a];
	const struct node *y = &sorting->node[*(const u32 *)b];
	const struct kfi_str *names = sorting->kd->names.str;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->cost != y->cost)
		return x->cost > y->cost ? -1 : 1;
	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	return strcmp(names[x->func].s, names[y->func].s);
}

/* Makes lists of children; adds up what the contexts have. */
static int link_nodes(struct ways *w)
{
	u32 *order = malloc((size_t)w->n * sizeof(*order));

	if (!order)
		return -ENOMEM;
	for (u32 i = 0; i < w->n; i++)
		order[i] = i;
	sorting = w;
	if (w->n > KFI_CTX_COUNT)
		qsort(order + KFI_CTX_COUNT, w->n - KFI_CTX_COUNT, sizeof(*order), by_cost);
	for (u32 i = w->n; i-- > KFI_CTX_COUNT;) {
		struct node *x = &w->node[order[i]], *p = &w->node[x->parent];

		x->next = p->child;
		p->child = order[i];
		if (!p->level) {
			add(&p->time, x->time);
			p->calls += x->calls;
			p->open += x->open;
		}
	}
	free(order);
	return 0;
}

static const char *name_of(const struct ways *w, const struct node *x)
{
	static const char *const context[KFI_CTX_COUNT] = {
		[KFI_CTX_TASK] = "(tasks)", [KFI_CTX_SOFTIRQ] = "(softirqs)",
		[KFI_CTX_HARDIRQ] = "(interrupts)", [KFI_CTX_NMI] = "(NMIs)",
	};

	return x->level ? w->kd->names.str[x->func].s : context[x->func];
}

/* Indented by its level; one that is too deep shows it as a number. */
static void print_name(const struct ways *w, struct kd_table *t, const struct node *x)
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

static void print_node(const struct ways *w, struct kd_table *t, const struct node *x)
{
	u64 timed = x->calls - x->open;

	for (u32 i = 0; i < t->n; i++) {
		char id = t->col[i]->id;

		if (id == 'F')
			print_name(w, t, x);
		else if (id == 'V')
			kd_cell_count(t, x->level);
		else if (id == 'c' || id == 'o')
			kd_cell_count(t, id == 'c' ? x->calls : x->open);
		else if (!timed || (id == 'l' && !x->level))
			kd_cell_unknown(t);
		else if (id == 'l')
			kd_cell_time(t, x->local, x->unsure);
		else
			kd_cell_time(t, id == 't' ? x->time : x->time / timed, false);
	}
	kd_row_end(t);
}

/* A node and those below it, without recursion: however deep the log is. */
static void print_tree(const struct ways *w, struct kd_table *t, u32 root)
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
		bool show = x->keep && shown[x->parent] < kd->num;
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
	struct ways w = { .kd = kd };
	struct kd_table t = { .out = kd->out };
	struct kd_visit visit = { .call = add_call, .over = call_over, .arg = &w };
	char letters[16], format[20];
	int ret;

	if (kd->kind == KFI_LOG_PROFILE)
		return kfi_err_set(err, EINVAL, "%s: a profile has sums, no calls: --tree cannot show it",
				   kd->log.in.name);
	kd_columns(kd, kd->format ? kd->format : kd->out == KD_OUT_TEXT ? "tlc" : "tlcao", "tlcao",
		   letters, sizeof(letters));
	snprintf(format, sizeof(format), "%s%sF", kd->out == KD_OUT_TEXT ? "" : "V", letters);
	if (kfi_grow((void **)&w.node, &w.room, KFI_CTX_COUNT, sizeof(*w.node)))
		return kfi_err_set(err, ENOMEM, "out of memory");
	for (w.n = 0; w.n < KFI_CTX_COUNT; w.n++)
		w.node[w.n] = (struct node){
			.func = w.n, .child = KFI_NONE, .next = KFI_NONE, .latest = KFI_NONE,
			.follow = KFI_NONE,
		};
	ret = kd_walk(kd, &visit, err);
	if (!ret && (choose(&w) || link_nodes(&w)))
		ret = kfi_err_set(err, ENOMEM, "out of memory");
	if (!ret) {
		kd_table_begin(&t, columns, ARRAY_SIZE(columns), format, false);
		for (u32 i = 0; i < KFI_CTX_COUNT; i++)
			if (w.node[i].calls && w.node[i].keep)
				print_tree(&w, &t, i);
		kd->unsure |= t.any_unsure;
	}
	free(w.node);
	kfi_map_free(&w.node_of);
	return ret;
}
