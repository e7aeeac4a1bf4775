// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the call trace in the braces of the function graph tracer (--braces): each tree by itself,
 * or all calls in order of entry (-i). With -i, a call is within the braces of the call that it
 * interrupts, or that is switched out at the time. Braces always match, so that an editor can fold
 * them.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kd_frames.h"
#include "kd_trace.h"

#define INDENT_MAX	200

static void put(struct kd_trace *t, const char *s)
{
	kfi_out_put(&t->out, s, strlen(s));
}

static void indent(struct kd_trace *t, u32 level)
{
	kfi_out_fill(&t->out, ' ', 2 * (size_t)(level < INDENT_MAX ? level : INDENT_MAX));
}

/* Begin a line without the columns of a call. */
static void begin_line(struct kd_trace *t, u32 level)
{
	kfi_out_fill(&t->out, ' ', kd_trace_width(t));
	indent(t, level);
}

static void put_name(struct kd_trace *t, const struct kd_node *x)
{
	struct kfi_str name = kd_node_name(&t->calls, x);

	if (t->kd->opt.name_len && name.len > t->kd->opt.name_len && x->func != KFI_NONE)
		name.len = t->kd->opt.name_len;
	kfi_out_put(&t->out, name.s, name.len);
}

static void close_brace(struct kd_trace *t, const struct kd_node *x, u32 level, bool over)
{
	begin_line(t, level);
	put(t, "} /* ");
	put_name(t, x);
	put(t, over ? " */\n" : " goes on */\n");
}

static void print_node(struct kd_trace *t, const struct kd_node *x, u32 level, bool opens)
{
	kd_trace_columns(t, x);
	indent(t, level);
	if (!kd_node_is_call(x))
		put(t, "/* ");
	put_name(t, x);
	if (!kd_node_is_call(x)) {
		put(t, x->func == KFI_NONE ? " */\n" : ": stack */\n");
		return;
	}
	put(t, opens ? "() {" : "();");
	if (t->kd->opt.srcline) {
		put(t, " /* ");
		put(t, kd_trace_line(t, x));
		put(t, " */");
	}
	put(t, "\n");
}

/* Return the next call of @order that is shown, from @i on. */
static const struct kd_node *shown(struct kd_trace *t, const u32 *order, u32 *i)
{
	for (; *i < t->calls.n; ++*i) {
		const struct kd_node *x = &t->calls.node[order[*i]];

		if (kd_trace_shows(t, x)) {
			++*i;
			return x;
		}
	}
	return NULL;
}

static void close_one(struct kd_trace *t, const struct kd_node *x)
{
	close_brace(t, x, x->depth - 1, true);
}

static int by_tree(struct kd_trace *t, struct kfi_err *err)
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
			close_one(t, open[--n]);
		opens = kd_node_is_call(x) && next && next->root == x->root &&
			next->depth > x->depth;
		print_node(t, x, x->depth - 1, opens);
		if (!opens)
			continue;
		if (kfi_grow((void **)&open, &room, n + 1, sizeof(*open)))
			ret = kfi_err_set(err, ENOMEM, "out of memory");
		else
			open[n++] = x;
	}
	while (n)
		close_one(t, open[--n]);
	free(open);
	free(order);
	return ret;
}

/**
 * struct braces - the open braces, in order of entry
 * @t: the trace
 * @inner: by thread: its innermost call with an open brace, KFI_NONE: none
 * @outer: by call with an open brace: the next outer one of its thread, or KFI_NONE
 * @base: by thread: levels of the calls that it interrupts
 */
struct braces {
	struct kd_trace *t;
	u32 *inner;
	u32 *outer;
	u32 *base;
};

/* Return true if a call is known to be over at a time. */
static bool is_over(const struct kd_node *x, s64 at)
{
	return x->delta >= 0 && x->entry + x->delta <= at;
}

static void close_inner(struct braces *b, u32 thread, bool over)
{
	const struct kd_node *x = &b->t->calls.node[b->inner[thread]];

	close_brace(b->t, x, b->base[thread] + x->depth - 1, over);
	b->inner[thread] = b->outer[b->inner[thread]];
}

static u32 level_in(const struct braces *b, u32 thread)
{
	u32 i = b->inner[thread];

	return b->base[thread] + (i == KFI_NONE ? 0 : b->t->calls.node[i].depth);
}

/* Print the arrow at an interrupt, as the function graph tracer does. */
static void put_frame(struct braces *b, u32 thread, const struct kd_node *x)
{
	char text[80], cpu[24] = "";

	begin_line(b->t, b->base[thread] - 1);
	if (!x) {
		put(b->t, "} /* <========== */\n");
		return;
	}
	if (x->cpu >= 0)
		snprintf(cpu, sizeof(cpu), ", cpu %d", x->cpu);
	if (x->pid < 0)
		snprintf(text, sizeof(text), "{ /* ==========> interrupt%s */\n", cpu);
	else
		snprintf(text, sizeof(text), "{ /* ==========> process %d%s */\n", x->pid, cpu);
	put(b->t, text);
}

/*
 * Start or stop a thread. Stopping closes all braces of the thread, so a thread that continues
 * begins with its next call.
 */
static void turn(void *arg, const struct kd_frames *f, u32 thread, bool start, u32 at)
{
	const struct kd_calls *c = f->calls;
	const struct kd_node *x = at < c->n ? &c->node[at] : NULL;
	struct braces *b = arg;

	if (!start) {
		while (b->inner[thread] != KFI_NONE)
			close_inner(b, thread, !x || f->last[thread] < at ||
				    is_over(&c->node[b->inner[thread]], x->entry));
		if (f->n > 1)
			put_frame(b, thread, NULL);
		return;
	}
	b->base[thread] = 0;
	if (!f->n)
		return;
	while (b->inner[f->stack[f->n - 1]] != KFI_NONE &&
	       is_over(&c->node[b->inner[f->stack[f->n - 1]]], x->entry))
		close_inner(b, f->stack[f->n - 1], true);
	b->base[thread] = 1 + (x->task ? 0 : level_in(b, f->stack[f->n - 1]));
	put_frame(b, thread, x);
}

/* Return the next call that is shown, from @i on; calls->n: none. */
static u32 next_shown(const struct kd_trace *t, u32 i)
{
	while (i < t->calls.n && !kd_trace_shows(t, &t->calls.node[i]))
		i++;
	return i;
}

/* Return true if the next call, or a frame around it, lies in this call, which continues. */
static bool opens(const struct kd_frames *f, u32 i, u32 next)
{
	const struct kd_node *x = &f->calls->node[i], *y = &f->calls->node[next];

	if (!kd_node_is_call(x) || next == f->calls->n)
		return false;
	if (x->thread == y->thread)
		return y->depth > x->depth && y->root == x->root;
	return !is_over(x, y->entry) && kd_frames_goes_on(f, x->thread, next) &&
	       !f->on[y->thread] && !(y->task && f->n > 1);
}

/* Return true if another interrupt begins, and the call that the last one came in is over. */
static bool is_another(const struct braces *b, const struct kd_frames *f, const struct kd_node *x)
{
	u32 below = f->n > 1 ? b->inner[f->stack[f->n - 2]] : KFI_NONE;

	return below != KFI_NONE && f->stack[f->n - 1] == x->thread && x->depth == 1 && !x->task &&
	       is_over(&b->t->calls.node[below], x->entry);
}

static void print_in_order(struct braces *b, struct kd_frames *f)
{
	struct kd_trace *t = b->t;

	for (u32 i = next_shown(t, 0), next; i < t->calls.n; i = next) {
		const struct kd_node *x = &t->calls.node[i], *o;
		u32 *inner = &b->inner[x->thread];
		bool has;

		next = next_shown(t, i + 1);
		if (is_another(b, f, x))
			kd_frames_leave(f, i);
		kd_frames_turn(f, i);
		has = opens(f, i, next);
		while (*inner != KFI_NONE) {
			o = &t->calls.node[*inner];
			if (o->root == x->root && o->depth < x->depth)
				break;
			close_inner(b, x->thread, true);
		}
		print_node(t, x, b->base[x->thread] + x->depth - 1, has);
		if (has) {
			b->outer[i] = *inner;
			*inner = i;
		}
	}
}

static int in_order(struct kd_trace *t, struct kfi_err *err)
{
	size_t threads = (size_t)t->calls.nthreads + 1;
	struct braces b = {
		.t = t,
		.inner = malloc(threads * sizeof(*b.inner)),
		.outer = malloc(((size_t)t->calls.n + 1) * sizeof(*b.outer)),
		.base = calloc(threads, sizeof(*b.base)),
	};
	struct kd_frames f = { .calls = &t->calls, .turn = turn, .arg = &b, .to_end = true };
	int ret = b.inner && b.outer && b.base ? kd_frames_begin(&f) : -ENOMEM;

	if (!ret) {
		memset(b.inner, 0xff, threads * sizeof(*b.inner));
		print_in_order(&b, &f);
		kd_frames_end(&f);
	}
	kd_frames_free(&f);
	free(b.inner);
	free(b.outer);
	free(b.base);
	return ret ? kfi_err_set(err, ENOMEM, "out of memory") : 0;
}

int kd_braces(struct kd_trace *t, struct kfi_err *err)
{
	return t->kd->opt.interlaced ? in_order(t, err) : by_tree(t, err);
}
