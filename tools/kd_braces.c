// SPDX-License-Identifier: GPL-2.0
/*
 * kd's call trace in the braces of the function graph tracer (--braces), each tree by itself, so
 * that braces always match and an editor can fold them.
 */
#include <stdlib.h>

#include "kd_trace.h"

#define INDENT_MAX	200

/* What a column is wide, and the blank behind it. */
static size_t width_of(const char *format)
{
	size_t n = 0;

	for (; *format; format++)
		n += *format == 'p' ? 8 : 11;
	return n;
}

static void put(struct kd_trace *t, const char *s)
{
	kfi_out_put(&t->out, s, strlen(s));
}

static void indent(struct kd_trace *t, u32 depth)
{
	kfi_out_fill(&t->out, ' ', 2 * (size_t)(depth - 1 < INDENT_MAX ? depth - 1 : INDENT_MAX));
}

static void put_name(struct kd_trace *t, const struct kd_node *x)
{
	struct kfi_str name = kd_node_name(&t->calls, x);

	if (t->kd->name_len && name.len > t->kd->name_len && x->func != KFI_NONE)
		name.len = t->kd->name_len;
	kfi_out_put(&t->out, name.s, name.len);
}

static void close_brace(struct kd_trace *t, const struct kd_node *x)
{
	kfi_out_fill(&t->out, ' ', width_of(t->format));
	indent(t, x->depth);
	put(t, "} /* ");
	put_name(t, x);
	put(t, " */\n");
}

static void print_node(struct kd_trace *t, const struct kd_node *x, bool opens)
{
	kd_trace_columns(t, x);
	indent(t, x->depth);
	if (!kd_node_is_call(x))
		put(t, "/* ");
	put_name(t, x);
	if (!kd_node_is_call(x)) {
		put(t, x->func == KFI_NONE ? " */\n" : ": stack */\n");
		return;
	}
	put(t, opens ? "() {" : "();");
	if (t->kd->srcline) {
		put(t, " /* ");
		put(t, kd_trace_line(t, x));
		put(t, " */");
	}
	put(t, "\n");
}

/* The next call that is shown, from @i on in @order. */
static const struct kd_node *shown(struct kd_trace *t, const u32 *order, u32 *i)
{
	for (; *i < t->calls.n; ++*i) {
		const struct kd_node *x = &t->calls.node[order[*i]];

		if (kd_node_is_shown(&t->calls, x)) {
			++*i;
			return x;
		}
		t->kd->hidden += kd_node_is_call(x) && !(x->marks & KD_NODE_HIDDEN);
	}
	return NULL;
}

int kd_braces(struct kd_trace *t, struct kfi_err *err)
{
	u32 *order = kd_calls_by_tree(&t->calls), i = 0, room = 0, n = 0;
	const struct kd_node **open = NULL, *x, *next;
	int ret = 0;

	if (!order)
		return kfi_err_set(err, ENOMEM, "out of memory");
	for (x = shown(t, order, &i); x && !ret; x = next) {
		bool opens;

		next = shown(t, order, &i);
		while (n && (open[n - 1]->root != x->root || open[n - 1]->depth >= x->depth))
			close_brace(t, open[--n]);
		opens = kd_node_is_call(x) && next && next->root == x->root &&
			next->depth > x->depth;
		print_node(t, x, opens);
		if (!opens)
			continue;
		if (kfi_grow((void **)&open, &room, n + 1, sizeof(*open)))
			ret = kfi_err_set(err, ENOMEM, "out of memory");
		else
			open[n++] = x;
	}
	while (n)
		close_brace(t, open[--n]);
	free(open);
	free(order);
	return ret;
}
