// SPDX-License-Identifier: GPL-2.0
/*
 * The call tree of the terminal browser (--tui): see kd_tui.h. The children of a line are made when
 * it is first unfolded, so a line that is never unfolded takes neither time nor memory.
 */
#include <stdlib.h>

#include "kd_tui.h"

void tui_tree_free(struct tui_tree *t)
{
	free(t->in_scope);
	free(t->node);
	free(t->order);
	free(t->set);
	free(t->row);
	*t = (struct tui_tree){
		.log = t->log, .scope = t->scope, .id = t->id, .merged = t->merged, .sort = t->sort,
	};
}

/*
 * Return true if a call is a root of the tree. A line of several calls must not count a call twice.
 */
static bool is_root(const struct tui_tree *t, u32 call)
{
	const struct tui_call *c = &t->log->call[call];

	if (t->scope == TUI_FUNC)
		return c->func == t->id &&
		       (!t->merged || c->parent == KFI_NONE || !t->in_scope[c->parent]);
	return c->parent == KFI_NONE && (t->scope == TUI_ALL || c->task == (s32)t->id);
}

/* Find the calls in the scope. A parent has a lower number than its children. */
static int find_scope(struct tui_tree *t)
{
	if (t->scope == TUI_ALL)
		return 0;
	t->in_scope = malloc((size_t)t->log->n + 1);
	if (!t->in_scope)
		return -ENOMEM;
	for (u32 i = 0; i < t->log->n; i++) {
		u32 parent = t->log->call[i].parent;

		t->in_scope[i] = is_root(t, i) || (parent != KFI_NONE && t->in_scope[parent]);
	}
	return 0;
}

/* Return: a new node, KFI_NONE: out of memory. */
static u32 new_node(struct tui_tree *t, u32 parent)
{
	if (kfi_grow((void **)&t->node, &t->room, t->n + 1, sizeof(*t->node)) ||
	    kfi_grow((void **)&t->order, &t->order_room, t->n + 1, sizeof(*t->order)))
		return KFI_NONE;
	t->node[t->n] = (struct tui_node){
		.sums = TUI_NO_SUMS, .set = KFI_NONE, .parent = parent,
		.level = parent == KFI_NONE ? 0 : t->node[parent].level + 1,
	};
	return t->n++;
}

/**
 * struct children - state while the children of a node are made
 * @t: the tree
 * @parent: the node, KFI_NONE: make the roots
 * @first: its first child
 * @node_of: maps a function (and the context of a root) to a node, if the calls of a function share
 *	a line
 */
struct children {
	struct tui_tree *t;
	u32 parent;
	u32 first;
	struct kfi_map node_of;
};

/* Add a call to a line: the first pass counts it, the @second puts it into the line's list. */
static int put_call(struct children *k, u32 call, bool second)
{
	struct tui_tree *t = k->t;
	const struct tui_call *c = &t->log->call[call];
	u64 key = (u64)(k->parent == KFI_NONE ? c->ctx : 0) << 32 | c->func;
	u32 *at = t->merged ? kfi_map_get(&k->node_of, key, t->n) : &t->n, id;
	struct tui_node *x;

	if (!at)
		return -ENOMEM;
	id = *at;
	if (id == t->n && new_node(t, k->parent) == KFI_NONE)
		return -ENOMEM;
	x = &t->node[id];
	if (second) {
		/* While the list is filled, @pos is the number of its calls. */
		if (x->sums.count > 1)
			t->set[x->set + x->pos++] = call;
		return 0;
	}
	tui_sums_add(&x->sums, t->log, call);
	x->sums.func = c->func;
	x->has_below |= c->child != KFI_NONE;
	return 0;
}

static int put_calls(struct children *k, bool second)
{
	struct tui_tree *t = k->t;
	const struct tui_call *call = t->log->call;
	int ret = 0;

	if (k->parent == KFI_NONE && t->scope == TUI_FUNC) {
		for (u32 i = 0; i < t->log->n && !ret; i++)
			if (is_root(t, i))
				ret = put_call(k, i, second);
		return ret;
	}
	if (k->parent == KFI_NONE) {
		for (u32 i = t->log->root; i != KFI_NONE && !ret; i = call[i].next)
			if (is_root(t, i))
				ret = put_call(k, i, second);
		return ret;
	}
	for (u64 n = 0; n < t->node[k->parent].sums.count && !ret; n++) {
		const struct tui_node *x = &t->node[k->parent];
		u32 above = x->set == KFI_NONE ? x->sums.first : t->set[x->set + n];

		for (u32 i = call[above].child; i != KFI_NONE && !ret; i = call[i].next)
			ret = put_call(k, i, second);
	}
	return ret;
}

static int by_number(const void *a, const void *b)
{
	const u32 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Sort the calls of a line: those of several parents are mixed. */
static void sort_set(struct tui_tree *t, struct tui_node *x)
{
	u32 *set = t->set + x->set;

	for (u64 i = 1; i < x->sums.count; i++)
		if (set[i - 1] > set[i]) {
			qsort(set, x->sums.count, sizeof(*set), by_number);
			break;
		}
	x->sums.first = *set;
}

/* Make room for the calls of lines that have several. */
static int make_sets(struct children *k)
{
	struct tui_tree *t = k->t;
	u64 more = t->nset;

	for (u32 i = k->first; i < t->n; i++) {
		if (t->node[i].sums.count < 2)
			continue;
		t->node[i].set = (u32)more;
		more += t->node[i].sums.count;
	}
	if (more >= KFI_NONE ||
	    kfi_grow((void **)&t->set, &t->set_room, (u32)more + 1, sizeof(*t->set)))
		return -ENOMEM;
	t->nset = (u32)more;
	if (put_calls(k, true))
		return -ENOMEM;
	for (u32 i = k->first; i < t->n; i++)
		if (t->node[i].set != KFI_NONE)
			sort_set(t, &t->node[i]);
	return 0;
}

static int compare(const void *a, const void *b, void *tree)
{
	const struct tui_tree *t = tree;

	return tui_sums_compare(&t->node[*(const u32 *)a].sums, &t->node[*(const u32 *)b].sums,
				t->sort);
}

static void sort_siblings(struct tui_tree *t, u32 first, u32 n)
{
	/* Nodes begin in the order in which they are made. */
	for (u32 i = first; i < first + n; i++)
		t->order[i] = i;
	if (n > 1 && (t->sort != TUI_BY_FIRST || t->merged))
		qsort_r(t->order + first, n, sizeof(*t->order), compare, t);
	for (u32 i = first; i < first + n; i++)
		t->node[t->order[i]].pos = i;
}

static int make_children(struct tui_tree *t, u32 parent)
{
	struct children k = { .t = t, .parent = parent, .first = t->n };
	int ret = put_calls(&k, false);

	if (!ret && t->merged)
		ret = make_sets(&k);
	kfi_map_free(&k.node_of);
	if (ret)
		return ret;
	sort_siblings(t, k.first, t->n - k.first);
	if (parent == KFI_NONE) {
		t->nroots = t->n;
		return 0;
	}
	t->node[parent].child = k.first;
	t->node[parent].nchildren = t->n - k.first;
	t->node[parent].is_made = true;
	return 0;
}

/* Return the next node on the screen, KFI_NONE: none. */
static u32 next_node(const struct tui_tree *t, u32 node)
{
	const struct tui_node *x = &t->node[node];

	if (x->is_open && x->nchildren)
		return t->order[x->child];
	for (;; x = &t->node[x->parent]) {
		const struct tui_node *p = x->parent == KFI_NONE ? NULL : &t->node[x->parent];
		u32 end = p ? p->child + p->nchildren : t->nroots;

		if (x->pos + 1 < end)
			return t->order[x->pos + 1];
		if (!p)
			return KFI_NONE;
	}
}

static int make_rows(struct tui_tree *t)
{
	t->nrows = 0;
	for (u32 i = t->nroots ? t->order[0] : KFI_NONE; i != KFI_NONE; i = next_node(t, i)) {
		if (kfi_grow((void **)&t->row, &t->row_room, t->nrows + 1, sizeof(*t->row)))
			return -ENOMEM;
		t->row[t->nrows++] = i;
	}
	return 0;
}

int tui_tree_make(struct tui_tree *t)
{
	tui_tree_free(t);
	return find_scope(t) || make_children(t, KFI_NONE) || make_rows(t) ? -ENOMEM : 0;
}

static int open_node(struct tui_tree *t, u32 node, bool open)
{
	if (open && !t->node[node].is_made && make_children(t, node))
		return -ENOMEM;
	t->node[node].is_open = open;
	return 0;
}

int tui_tree_open(struct tui_tree *t, u32 node, bool open)
{
	return open_node(t, node, open) || make_rows(t) ? -ENOMEM : 0;
}

int tui_tree_sort(struct tui_tree *t, enum tui_sort sort)
{
	t->sort = sort;
	sort_siblings(t, 0, t->nroots);
	for (u32 i = 0; i < t->n; i++)
		if (t->node[i].nchildren)
			sort_siblings(t, t->node[i].child, t->node[i].nchildren);
	return make_rows(t);
}

bool tui_tree_has(const struct tui_tree *t, u32 node, u32 call)
{
	const struct tui_node *x = &t->node[node];

	if (x->set == KFI_NONE)
		return x->sums.first == call;
	return bsearch(&call, t->set + x->set, x->sums.count, sizeof(call), by_number);
}

/* Return the sibling whose line has a call, or KFI_NONE. */
static u32 find_among(const struct tui_tree *t, u32 first, u32 n, u32 call)
{
	const struct tui_call *c = &t->log->call[call];

	for (u32 i = first; i < first + n; i++) {
		const struct tui_node *x = &t->node[i];
		bool same_root = x->parent != KFI_NONE ||
				 t->log->call[x->sums.first].ctx == c->ctx;

		if (t->merged ? x->sums.func == c->func && same_root : x->sums.first == call)
			return i;
	}
	return KFI_NONE;
}

int tui_tree_show(struct tui_tree *t, u32 call, u32 *row)
{
	u32 n = 0, room = 0, *way = NULL, at = call, node = KFI_NONE;
	int ret = 0;

	if (call >= t->log->n || (t->in_scope && !t->in_scope[call]))
		return 0;
	for (;; at = t->log->call[at].parent) {
		if (kfi_grow((void **)&way, &room, n + 1, sizeof(*way))) {
			free(way);
			return -ENOMEM;
		}
		way[n++] = at;
		if (is_root(t, at))
			break;
	}
	node = find_among(t, 0, t->nroots, way[--n]);
	while (n-- > 0 && node != KFI_NONE && !ret) {
		ret = open_node(t, node, true);
		if (!ret)
			node = find_among(t, t->node[node].child, t->node[node].nchildren, way[n]);
	}
	free(way);
	if (ret || make_rows(t))
		return -ENOMEM;
	if (node == KFI_NONE)
		return 0;
	*row = tui_tree_row(t, node);
	return 1;
}

u32 tui_tree_row(const struct tui_tree *t, u32 node)
{
	u32 up = t->node[node].parent, seen = node, row = 0;

	for (; up != KFI_NONE; up = t->node[up].parent)
		if (!t->node[up].is_open)
			seen = up;
	while (row < t->nrows && t->row[row] != seen)
		row++;
	return row < t->nrows ? row : 0;
}

/*
 * Return true if a call is longer; of equal ones the earlier counts as longer, as in kd --longest.
 */
static bool is_longer(const struct tui_log *log, u32 a, u32 b)
{
	const struct tui_call *x = &log->call[a], *y = &log->call[b];

	if (x->delta != y->delta)
		return x->delta > y->delta;
	return x->entry != y->entry ? x->entry < y->entry : a < b;
}

u32 tui_tree_longest(const struct tui_tree *t, u32 after)
{
	u32 best = KFI_NONE;

	for (u32 i = 0; i < t->log->n; i++) {
		if (t->log->call[i].delta < 0 || (t->in_scope && !t->in_scope[i]) || i == after ||
		    (after != KFI_NONE && is_longer(t->log, i, after)))
			continue;
		if (best == KFI_NONE || is_longer(t->log, i, best))
			best = i;
	}
	return best;
}
