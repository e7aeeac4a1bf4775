// SPDX-License-Identifier: GPL-2.0
/*
 * --export graphviz: a graph of who calls whom, for dot. A node is a root, or a function with its
 * Count, Time and Local of kd's table. Functions with less than --threshold percent of all time on
 * CPUs are left out. Their calls become a dashed edge from the nearest caller that is shown, so the
 * counts of all edges to a function add up to its Count.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kd_boot_show.h"
#include "kd_export.h"
#include "kd_paths.h"

/**
 * struct node - a function, or a root
 * @calls: calls
 * @open: calls without a duration
 * @total: Time
 * @self: Local
 * @weight: time on CPUs in it and below it
 * @shown: it is drawn
 */
struct node {
	u64 calls;
	u64 open;
	u64 total;
	u64 self;
	u64 weight;
	bool shown;
};

/**
 * struct edge - calls of a function by another
 * @from: number of the node
 * @to: number of the node
 * @is_direct: no function between them is left out
 * @calls: how many
 * @total: their durations
 */
struct edge {
	u32 from;
	u32 to;
	bool is_direct;
	u64 calls;
	u64 total;
};

/**
 * struct graph - the graph
 * @x: the file
 * @p: the paths
 * @node: roots by context, then functions by number
 * @nodes: how many
 * @edge: edges
 * @n: how many
 * @room: for how many there is room
 * @of: maps (from, to) to an edge, one map for each value of @is_direct
 * @on_cpu: by path: its time without time switched out
 * @all: time on CPUs of all roots
 * @hidden: number of functions that are left out
 */
struct graph {
	struct kd_export *x;
	struct kd_paths p;
	struct node *node;
	u32 nodes;
	struct edge *edge;
	u32 n;
	u32 room;
	struct kfi_map of[2];
	u64 *on_cpu;
	u64 all;
	u32 hidden;
};

static bool is_call(const struct kd_path *x)
{
	return x->kind == KD_PATH_CALLS || x->kind == KD_PATH_OPEN;
}

static u32 node_of(const struct kd_path *x)
{
	return x->kind == KD_PATH_ROOT ? x->func : KFI_CTX_COUNT + x->func;
}

/* Return true if a path above is of the same function, whether or not its calls have a duration. */
static bool is_within(const struct graph *g, const struct kd_path *x)
{
	for (u32 i = x->parent; i != KFI_NONE; i = g->p.at[i].parent)
		if (is_call(&g->p.at[i]) && g->p.at[i].func == x->func)
			return true;
	return false;
}

static void add_up(struct graph *g)
{
	for (u32 i = g->p.n; i-- > 0;) {
		const struct kd_path *x = &g->p.at[i];

		if (x->kind != KD_PATH_OFF)
			g->on_cpu[i] += x->self;
		if (x->parent != KFI_NONE)
			g->on_cpu[x->parent] += g->on_cpu[i];
		else
			g->all += g->on_cpu[i];
	}
	for (u32 i = 0; i < g->p.n; i++) {
		const struct kd_path *x = &g->p.at[i];
		struct node *node = &g->node[node_of(x)];

		if (x->kind == KD_PATH_ROOT)
			node->total = x->total;
		if (is_call(x)) {
			node->calls += x->calls;
			node->open += x->kind == KD_PATH_OPEN ? x->calls : 0;
			node->self += x->self;
			node->total += x->kind == KD_PATH_CALLS && !x->is_recursive ? x->total : 0;
		}
		if (x->kind == KD_PATH_ROOT || (is_call(x) && !is_within(g, x)))
			node->weight += g->on_cpu[i];
	}
	for (u32 i = 0; i < g->nodes; i++) {
		struct node *node = &g->node[i];
		double percent = g->all ? 100.0 * node->weight / g->all : 0;

		/* A root is shown if it is a caller of a function that is shown. */
		node->shown = node->calls && percent >= g->x->kd->opt.threshold;
		g->hidden += node->calls && !node->shown;
	}
}

static int add_edge(struct graph *g, const struct kd_path *x)
{
	u32 parent = x->parent, to = node_of(x), *at;
	bool is_direct = true;

	if (!g->node[to].shown)
		return 0;
	for (; g->p.at[parent].kind != KD_PATH_ROOT && !g->node[node_of(&g->p.at[parent])].shown;
	     is_direct = false)
		parent = g->p.at[parent].parent;
	parent = node_of(&g->p.at[parent]);
	g->node[parent].shown = true;
	at = kfi_map_get(&g->of[is_direct], (u64)parent << 32 | to, g->n);
	if (!at)
		return -ENOMEM;
	if (*at == g->n) {
		if (kfi_grow((void **)&g->edge, &g->room, g->n + 1, sizeof(*g->edge)))
			return -ENOMEM;
		g->edge[g->n++] = (struct edge){ parent, to, is_direct };
	}
	g->edge[*at].calls += x->calls;
	g->edge[*at].total += x->kind == KD_PATH_CALLS ? x->total : 0;
	return 0;
}

/* Write a name in quotes, with escapes. Bytes above 127 are written as in HTML. */
static void put_name(struct graph *g, const char *s)
{
	char text[8];

	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;

		if (c == '"' || c == '\\')
			kd_put_text(g->x, "\\");
		if (c == '&' || c >= 0x7f)
			kfi_out_put(&g->x->out, text, sprintf(text, "&#%u;", c));
		else
			kfi_out_put(&g->x->out, c < ' ' ? "?" : s, 1);
	}
}

static void put_numbers(struct graph *g, u64 calls, u64 open, u64 total)
{
	char text[160];

	snprintf(text, sizeof(text), ", calls=%llu, open=%llu, total_ns=%llu",
		 (unsigned long long)calls, (unsigned long long)open, (unsigned long long)total);
	kd_put_text(g->x, text);
}

static void put_node(struct graph *g, u32 i)
{
	const struct node *node = &g->node[i];
	bool is_root = i < KFI_CTX_COUNT;
	double share = g->all ? (double)node->self / g->all : 0;
	char text[256], total[32], self[32];
	const char *name = is_root ? kd_path_name(&g->p, &g->p.at[i]) :
			   g->x->kd->in.names.str[i - KFI_CTX_COUNT].s;

	snprintf(text, sizeof(text), "\tn%u [name=\"", i);
	kd_put_text(g->x, text);
	put_name(g, name);
	kd_put_text(g->x, "\", label=\"");
	put_name(g, name);
	boot_time_text((s64)node->total, total);
	boot_time_text((s64)node->self, self);
	if (is_root)
		snprintf(text, sizeof(text), "\\n%s\", shape=ellipse", total);
	else if (node->open == node->calls)
		snprintf(text, sizeof(text), "\\nno exit\\ncalls %llu\", style=\"filled,dashed\"",
			 (unsigned long long)node->calls);
	else
		snprintf(text, sizeof(text),
			 "\\ntotal %s\\nself %s (%.1f %%)\\ncalls %llu\"", total, self, 100 * share,
			 (unsigned long long)node->calls);
	kd_put_text(g->x, text);
	put_numbers(g, node->calls, node->open, node->total);
	/* The more self time a function has, the redder it is. */
	snprintf(text, sizeof(text), ", self_ns=%llu, fillcolor=\"0.08 %.2f 1.0\"];\n",
		 (unsigned long long)node->self, share > 0.5 ? 0.8 : 0.05 + 1.5 * share);
	kd_put_text(g->x, text);
}

static void put_edge(struct graph *g, const struct edge *e)
{
	double share = g->all ? (double)e->total / g->all : 0;
	char text[160];

	snprintf(text, sizeof(text), "\tn%u -> n%u [label=\"%llu\"%s, penwidth=%.1f", e->from,
		 e->to, (unsigned long long)e->calls, e->is_direct ? "" : ", style=dashed",
		 1 + (share > 1 ? 1 : share) * 5);
	kd_put_text(g->x, text);
	put_numbers(g, e->calls, 0, e->total);
	kd_put_text(g->x, "];\n");
}

static int put_graph(struct graph *g)
{
	char title[KD_TITLE], text[160];
	int ret = 0;

	add_up(g);
	kd_export_title(g->x, title);
	kd_put_text(g->x, "digraph kfi {\n\tlabelloc=t;\n\tlabel=\"");
	put_name(g, title);
	snprintf(text, sizeof(text),
		 "\\nfunctions with less than %llu %% of the time, not shown: %u\";\n",
		 (unsigned long long)g->x->kd->opt.threshold, g->hidden);
	kd_put_text(g->x, text);
	kd_put_text(g->x, "\tnode [shape=box, style=filled, fontname=\"monospace\"];\n");
	for (u32 i = 0; i < g->p.n && !ret; i++)
		if (is_call(&g->p.at[i]))
			ret = add_edge(g, &g->p.at[i]);
	for (u32 i = 0; i < g->nodes; i++)
		if (g->node[i].shown)
			put_node(g, i);
	for (u32 i = 0; i < g->n && !ret; i++)
		put_edge(g, &g->edge[i]);
	kd_put_text(g->x, "}\n");
	return ret;
}

int kd_export_graphviz(struct kd_export *x, struct kfi_err *err)
{
	struct graph g = { .x = x, .p = { .kd = x->kd } };
	int ret = kd_paths_read(&g.p, err);

	if (!ret) {
		g.nodes = KFI_CTX_COUNT + x->kd->in.names.count;
		g.node = calloc(g.nodes, sizeof(*g.node));
		g.on_cpu = calloc(g.p.n, sizeof(*g.on_cpu));
		if (!g.node || !g.on_cpu || put_graph(&g))
			ret = kfi_err_set(err, ENOMEM, "out of memory");
	}
	free(g.node);
	free(g.on_cpu);
	free(g.edge);
	kfi_map_free(&g.of[0]);
	kfi_map_free(&g.of[1]);
	kd_paths_free(&g.p);
	return ret;
}
