// SPDX-License-Identifier: GPL-2.0
/* Reads calls, marks and watch rows with their places in their trees: see kd_calls.h. */
#include <stdlib.h>

#include "kd_calls.h"

/* Bit in the id of a tree frame: the call is one of --under, or lies in one. */
#define UNDER		0x80000000u

static int no_memory(const struct kd_calls *c, struct kfi_err *err)
{
	return kfi_err_set(err, ENOMEM, "%s: out of memory", c->kd->in.log.in.name);
}

/* Apply the filters to a call. Return: 0 or -ENOMEM. */
static int filter(struct kd *kd, const struct kfi_tree_call *call,
		  const struct kfi_tree_place *place, bool *hidden)
{
	bool under = place->parent != KFI_NONE && place->parent & UNDER;
	int ret = 1, bits;

	if (kd->opt.filter.calls)
		ret = kd_filter_call(&kd->opt.filter, &kd->in.matches, &kd->in.names, call, place,
				     &under);
	if (ret < 0)
		return ret;
	if (ret && kd->opt.filter.pattern[KD_FUNC].text) {
		bits = kd_filter_match(&kd->opt.filter, &kd->in.matches, &kd->in.names, call->func);
		if (bits < 0)
			return bits;
		ret = bits >> KD_FUNC & 1;
	}
	if (under)
		place->frame->id |= UNDER;
	*hidden = !ret;
	return 0;
}

/* Make a node of a call, and correct the local time of its parent. */
static int call_node(struct kd_calls *c, struct kfi_tree *tree, struct kd_node *x, u32 id,
		     struct kfi_err *err)
{
	struct kd *kd = c->kd;
	const struct kfi_row *row = kd->in.row;
	struct kfi_tree_call call = { .id = id };
	struct kfi_tree_place place;
	bool hidden = false;
	int ret = kd_call(kd, &call, err);

	if (ret)
		return ret;
	if (kfi_tree_add(tree, &call, &place))
		return no_memory(c, err);
	if (unlikely(kd->opt.filtered) && filter(kd, &call, &place, &hidden))
		return no_memory(c, err);
	kd->res.taken += !hidden;
	*x = (struct kd_node){
		.entry = row->entry_ns, .delta = row->delta_ns, .func = call.func, .root = id,
		.local = row->local_ns < 0 ? row->delta_ns : row->local_ns,
		.depth = place.level,
		.thread = place.thread, .args = KFI_NONE, .pid = row->pid, .cpu = (s16)row->cpu,
		.marks = row->marks | (hidden ? KD_NODE_HIDDEN : 0),
		.task = kfi_tree_by_depth(kd->in.rule) && row->ctx == KFI_CTX_TASK,
	};
	if (kd->in.rule == KFI_TREE_NESTED && row->delta_ns >= 0 && row->local_ns < 0)
		x->marks |= KD_NODE_UNSURE;
	if (unlikely(row->args.len)) {
		x->args = kfi_names_get(&c->args, row->args.s, row->args.len);
		if (x->args == KFI_NONE)
			return no_memory(c, err);
	}
	kd->res.recursive += place.is_recursive;
	if (kd->opt.at_parse) {
		if (!kfi_tree_by_depth(kd->in.rule))
			x->marks |= KD_NODE_UNSURE;
		return 0;
	}
	if (place.parent == KFI_NONE)
		return 0;
	place.parent &= ~UNDER;
	x->root = c->node[place.parent].root;
	if (kfi_tree_by_depth(kd->in.rule))
		return 0;
	if (x->delta < 0)
		c->node[place.parent].marks |= KD_NODE_UNSURE;
	else
		c->node[place.parent].local -= x->delta;
	return 0;
}

/* Return true if a mark passes the filters. With --func, --callers or --callees none does. */
static bool is_under(const struct kd *kd, const struct kfi_tree_place *place)
{
	const struct kd_pattern *p = kd->opt.filter.pattern;

	if (p[KD_FUNC].text || p[KD_CALLERS].text || p[KD_CALLEES].text)
		return false;
	return !p[KD_UNDER].text || (place->parent != KFI_NONE && place->parent & UNDER);
}

/*
 * Make a node of a mark or a watch row, below the call that is open there, or as deep as the watch
 * row says.
 */
static int comment_node(struct kd_calls *c, struct kfi_tree *tree, struct kd_node *x, u32 id,
			int item, struct kfi_err *err)
{
	const struct kfi_log_mark *m = &c->kd->in.log.mark;
	struct kfi_row at = *c->kd->in.row;
	struct kfi_tree_place place;
	u32 *number = item == KFI_LINE_MARK ? &x->args : &x->func;

	if (item == KFI_LINE_MARK)
		at = (struct kfi_row){
			.entry_ns = m->entry_ns, .task = m->task, .cpu = m->cpu, .ctx = m->ctx,
			.depth = m->depth,
			.pid = m->ctx == KFI_CTX_TASK ? m->task : -1,
		};
	if (kfi_tree_find_place(tree, &at, &place))
		return no_memory(c, err);
	*x = (struct kd_node){
		.entry = at.entry_ns, .delta = -1, .func = KFI_NONE, .root = id,
		.depth = place.level, .thread = place.thread, .args = KFI_NONE, .pid = at.pid,
		.cpu = (s16)at.cpu, .task = at.ctx == KFI_CTX_TASK,
		.marks = c->kd->opt.filtered && (!kd_filter_row(&c->kd->opt.filter, &at) ||
					     !is_under(c->kd, &place)) ? KD_NODE_HIDDEN : 0,
	};
	if (item == KFI_LINE_MARK) {
		*number = kfi_names_get(&c->args, m->text.s, m->text.len);
	} else {
		*number = kfi_names_get(&c->kd->in.names, at.func.s, at.func.len);
		x->marks |= KD_NODE_WATCH;
		if (at.depth)
			x->depth = at.depth;
	}
	if (*number == KFI_NONE)
		return no_memory(c, err);
	if (!c->kd->opt.at_parse && place.parent != KFI_NONE)
		x->root = c->node[place.parent & ~UNDER].root;
	return 0;
}

int kd_calls_next(struct kd_calls *c, struct kfi_tree *tree, struct kd_node *x, u32 id,
		  struct kfi_err *err)
{
	int item, ret;

	do {
		item = kd_item(c->kd, err);
		if (item == KFI_LINE_MARK)
			kd_tree_mark(c->kd, tree);
	} while (item > 0 && item != KFI_LINE_ROW && c->kd->opt.no_marks);
	if (item <= 0)
		return item;
	if (likely(item == KFI_LINE_ROW))
		ret = call_node(c, tree, x, id, err);
	else
		ret = comment_node(c, tree, x, id, item, err);
	if (ret)
		return ret;
	if (x->thread >= c->nthreads)
		c->nthreads = x->thread + 1;
	return 1;
}

void kd_calls_start(struct kd_calls *c, struct kfi_tree *tree)
{
	kfi_tree_init(tree, c->kd->in.rule, NULL, NULL);
	tree->rounds = c->kd->in.head.rounds > 1;
}

int kd_calls_read(struct kd_calls *c, struct kfi_err *err)
{
	struct kfi_tree tree;
	struct kd_node x;
	int ret;

	kd_calls_start(c, &tree);
	while ((ret = kd_calls_next(c, &tree, &x, c->n, err)) > 0) {
		if (c->n >= UNDER - 1 ||
		    kfi_grow((void **)&c->node, &c->room, c->n + 1, sizeof(*c->node))) {
			ret = kfi_err_set(err, ENOMEM, "%s: out of memory at call %u",
					  c->kd->in.log.in.name, c->n);
			break;
		}
		c->node[c->n++] = x;
	}
	kfi_tree_free(&tree);
	return ret;
}

u32 *kd_calls_by_tree(const struct kd_calls *c)
{
	u32 *at = calloc((size_t)c->n + 1, sizeof(*at)), *order, sum = 0;

	order = malloc(((size_t)c->n + 1) * sizeof(*order));
	if (!at || !order) {
		free(at);
		free(order);
		return NULL;
	}
	for (u32 i = 0; i < c->n; i++)
		at[c->node[i].root]++;
	for (u32 i = 0; i < c->n; i++) {
		u32 count = at[i];

		at[i] = sum;
		sum += count;
	}
	for (u32 i = 0; i < c->n; i++)
		order[at[c->node[i].root]++] = i;
	free(at);
	return order;
}

void kd_calls_free(struct kd_calls *c)
{
	free(c->node);
	kfi_names_free(&c->args);
	*c = (struct kd_calls){ .kd = c->kd };
}
