// SPDX-License-Identifier: GPL-2.0
/*
 * Makes trees of calls: tree.h has the rules.
 *
 * Each task has a stack of the calls that are not over. Ends never grow from the bottom of the
 * stack to the top, since an unknown end is taken from the frame around. So calls that are over are
 * on top, except with historic interrupts. To find the highest frame of a function without a
 * search, each stack has a table of lists of frames by function.
 */
#include <stdlib.h>

#include "tree.h"

/* Initial number of lists of a stack; later there are as many as frames. */
#define LISTS		128

/**
 * struct kfi_tree_stack - the calls of a task that are not over
 * @f: the frames, outermost first
 * @n: how many
 * @room: for how many there is room
 * @mask: number of lists - 1
 * @list: by number of the function & @mask: the highest frame of the list, KFI_NONE: none; it leads
 *	to the other frames of the list
 */
struct kfi_tree_stack {
	struct kfi_tree_frame *f;
	u32 n;
	u32 room;
	u32 mask;
	u32 *list;
};

static void forget_interrupted(struct kfi_tree *t)
{
	memset(t->interrupted, 0xff, sizeof(t->interrupted));
}

/* Return the stack of the process that was seen last on the row's CPU. */
static u32 *interrupted_stack(struct kfi_tree *t, const struct kfi_row *row)
{
	u32 cpu = (u32)row->cpu + 1;

	return &t->interrupted[cpu < KFI_TREE_CPUS ? cpu : 0];
}

void kfi_tree_init(struct kfi_tree *t, enum kfi_tree_rule rule, kfi_tree_over_fn over, void *arg)
{
	*t = (struct kfi_tree){ .rule = rule, .over = over, .arg = arg };
	for (u32 i = 0; i < KFI_TREE_LATEST; i++)
		t->latest[i].stack = KFI_NONE;
	forget_interrupted(t);
}

static u64 pair(u32 a, u32 b)
{
	return (u64)a << 32 | b;
}

/* Make room for more frames and lists. Return: 0 or -ENOMEM. */
static int grow_frames(struct kfi_tree_stack *s)
{
	u32 lists, *list;

	if (kfi_grow((void **)&s->f, &s->room, s->n + 1, sizeof(*s->f)))
		return -ENOMEM;
	lists = s->room > LISTS ? s->room : LISTS;
	if (lists == s->mask + 1)
		return 0;
	list = malloc(lists * sizeof(*list));
	if (!list) {
		s->room = s->n;
		return -ENOMEM;
	}
	memset(list, 0xff, lists * sizeof(*list));
	free(s->list);
	s->list = list;
	s->mask = lists - 1;
	for (u32 i = 0; i < s->n; i++) {
		if (s->f[i].finished)
			continue;
		s->f[i].same = list[s->f[i].func & s->mask];
		list[s->f[i].func & s->mask] = i;
	}
	return 0;
}

/* Remove the highest frame. */
static __always_inline struct kfi_tree_frame *pop_frame(struct kfi_tree_stack *s)
{
	struct kfi_tree_frame *f = &s->f[--s->n];
	u32 *list = &s->list[f->func & s->mask];

	/*
	 * Higher frames were removed already, so this frame is the first of its list, if it is in a
	 * list.
	 */
	*list = *list == s->n ? f->same : *list;
	return f;
}

static inline void end_call(struct kfi_tree *t, u32 stack)
{
	struct kfi_tree_stack *s = &t->stack[stack];
	struct kfi_tree_frame *f = pop_frame(s);

	if (s->n)
		f[-1].below += f->below + 1;
	if (t->over)
		t->over(t->arg, f);
}

/*
 * Return true if a call may be over or not: it was entered before the clock ran and is not known to
 * be open, or it is open, and its iteration is unknown.
 */
static bool may_be_over(const struct kfi_tree *t, const struct kfi_tree_frame *f)
{
	if (f->marks & KFI_MARK_OPEN)
		return t->rounds;
	return f->marks & KFI_MARK_NOTIME;
}

static s64 end_of(const struct kfi_row *row)
{
	return row->delta_ns < 0 ? KFI_TREE_NO_END : row->entry_ns + row->delta_ns;
}

/*
 * Return true if a call ends too early to contain one from @entry to @end. A call that ends at
 * @entry contains the other only if that takes no time.
 */
static bool is_over(const struct kfi_tree_frame *f, s64 entry, s64 end)
{
	return f->end < entry || (f->end == entry && end > entry) ||
	       (f->end < end && end != KFI_TREE_NO_END);
}

/* Return the key of a task's stack. @cpu: 0: the task has a pid of its own. */
static u64 task_key(s32 task, u32 cpu)
{
	return pair((u32)task, cpu) & (U64_MAX >> 1);
}

/* Find the stack of a task that is not in the cache. */
static u32 find_stack(struct kfi_tree *t, s32 task, u32 cpu)
{
	u32 *at = kfi_map_get(&t->stack_of, task_key(task, cpu), KFI_NONE);

	if (!at || *at != KFI_NONE)
		return at ? *at : KFI_NONE;
	if (kfi_grow((void **)&t->stack, &t->room, t->nstacks + 1, sizeof(*t->stack)))
		return KFI_NONE;
	t->stack[t->nstacks] = (struct kfi_tree_stack){ 0 };
	*at = t->nstacks;
	return t->nstacks++;
}

static inline u32 stack_of(struct kfi_tree *t, const struct kfi_row *row)
{
	/* All idle tasks have the pid 0, and in historic logs all interrupts have the pid -1. */
	u32 cpu = row->task > 0 ? 0 : (u32)row->cpu + 1;
	struct kfi_tree_latest *l = &t->latest[((u32)row->task + cpu) % KFI_TREE_LATEST];

	if (unlikely(l->task != row->task || l->cpu != cpu || l->stack == KFI_NONE)) {
		l->stack = find_stack(t, row->task, cpu);
		l->task = row->task;
		l->cpu = cpu;
	}
	return l->stack;
}

/* Formats 3 to 5: find the parent by depth and time, and remove calls that are over. */
static __always_inline u32 find_by_depth(struct kfi_tree *t, u32 stack, const struct kfi_row *row,
					 u32 caller)
{
	struct kfi_tree_stack *s = &t->stack[stack];
	s64 end = end_of(row);
	u32 at;

	while (s->n && (s->f[s->n - 1].depth >= row->depth ||
			is_over(&s->f[s->n - 1], row->entry_ns, end)))
		end_call(t, stack);
	/* A call that may be over is a parent only if the row names it as the caller. */
	for (at = s->n; at-- > 0;) {
		const struct kfi_tree_frame *f = &s->f[at];

		if (!may_be_over(t, f) || (f->depth + 1 == row->depth && f->func == caller))
			return at;
		/* Frames in between are removed, so they are not searched again. */
		end_call(t, stack);
	}
	return KFI_NONE;
}

/* Imports: the parent is the latest call whose depth is one less. */
static u32 find_by_nesting(struct kfi_tree *t, u32 stack, const struct kfi_row *row)
{
	struct kfi_tree_stack *s = &t->stack[stack];

	while (s->n && s->f[s->n - 1].depth >= row->depth)
		end_call(t, stack);
	return s->n ? s->n - 1 : KFI_NONE;
}

static u32 find_by_time(struct kfi_tree *t, u32 stack, const struct kfi_tree_call *c)
{
	struct kfi_tree_stack *s = &t->stack[stack];

	while (s->n && is_over(&s->f[s->n - 1], c->row->entry_ns, end_of(c->row)))
		end_call(t, stack);
	return s->n ? s->n - 1 : KFI_NONE;
}

/* Return the highest frame of a function that is not over at @entry. */
static __always_inline u32 find_same(struct kfi_tree_stack *s, u32 func, s64 entry)
{
	u32 *link = s->list ? &s->list[func & s->mask] : NULL;
	bool first = true;

	if (!link)
		return KFI_NONE;
	while (unlikely(*link != KFI_NONE)) {
		struct kfi_tree_frame *f = &s->f[*link];

		if (f->func == func && f->end >= entry)
			return *link;
		/* A call that is over stays over: it is not checked again. */
		if (f->func == func && !first) {
			f->finished = true;
			*link = f->same;
			continue;
		}
		first &= f->func != func;
		link = &f->same;
	}
	return KFI_NONE;
}

/*
 * Historic logs: find the caller by name in the same process; *pstack may become the interrupted
 * one.
 */
static u32 find_by_caller(struct kfi_tree *t, u32 *pstack, const struct kfi_tree_call *c)
{
	s64 entry = c->row->entry_ns;
	u32 stack = *pstack, at = KFI_NONE;
	struct kfi_tree_stack *s = &t->stack[stack];

	while (s->n && s->f[s->n - 1].end < entry)
		end_call(t, stack);
	if (c->caller == KFI_NONE)
		return KFI_NONE;
	at = find_same(s, c->caller, entry);
	if (at != KFI_NONE) {
		/* The parent runs again, so open calls above it have returned. */
		while (s->n - 1 > at && (s->f[s->n - 1].end < entry || s->f[s->n - 1].delta_ns < 0))
			end_call(t, stack);
		return at;
	}
	if (c->row->pid >= 0 || *interrupted_stack(t, c->row) == KFI_NONE)
		return KFI_NONE;
	*pstack = *interrupted_stack(t, c->row);
	return find_same(&t->stack[*pstack], c->caller, entry);
}

/* Return true if @p made a call in another context, and was not just interrupted by it. */
static bool is_called_by(const struct kfi_tree_call *c, const struct kfi_tree_frame *p)
{
	return p->depth + 1 == c->row->depth && p->func == c->caller;
}

/*
 * Return the thread of a call: a task, or a kind of interrupt on a CPU; in historic logs each root.
 */
static u32 thread_of(struct kfi_tree *t, const struct kfi_row *row, u32 stack)
{
	u64 key;
	u32 *thread;

	if (!kfi_tree_by_depth(t->rule))
		return t->nthreads++;
	key = row->ctx == KFI_CTX_TASK ? stack : pair(row->ctx, (u32)row->cpu + 1);
	thread = kfi_map_get(&t->thread_of, key, t->nthreads);
	if (!thread)
		return KFI_NONE;
	if (*thread == t->nthreads)
		t->nthreads++;
	return *thread;
}

/*
 * Return the end of the innermost closed call of a function that is still open at @entry, -1: none.
 * Calls without an exit count in no time, so calls in them do not count twice.
 */
static inline s64 find_cover(struct kfi_tree_stack *s, u32 func, s64 entry)
{
	u32 at = find_same(s, func, entry);
	const struct kfi_tree_frame *f;

	if (likely(at == KFI_NONE))
		return -1;
	f = &s->f[at];
	return f->delta_ns >= 0 && !f->excluded ? f->end : f->cover;
}

/* Push a frame onto the stack. */
static __always_inline void push_frame(struct kfi_tree_stack *s, struct kfi_tree_frame *f)
{
	u32 *list = &s->list[f->func & s->mask];

	f->finished = false;
	f->same = *list;
	*list = s->n++;
}

/* Add the time of a call to the child time of its parent. */
static void add_to_parent(struct kfi_tree_frame *p, const struct kfi_row *row)
{
	p->children++;
	if (row->delta_ns < 0)
		p->unsure = true;
	else if (__builtin_add_overflow(p->child_ns, row->delta_ns, &p->child_ns))
		p->child_ns = S64_MAX;
}

int kfi_tree_add(struct kfi_tree *t, const struct kfi_tree_call *c, struct kfi_tree_place *place)
{
	const struct kfi_row *row = c->row;
	u32 stack = stack_of(t, row), pstack = stack, at;
	struct kfi_tree_frame *f, *p = NULL;
	struct kfi_tree_stack *s;

	if (stack == KFI_NONE)
		return -ENOMEM;
	if (t->rule == KFI_TREE_DEPTH)
		at = find_by_depth(t, stack, row, c->caller);
	else if (t->rule == KFI_TREE_NESTED)
		at = find_by_nesting(t, stack, row);
	else if (t->rule == KFI_TREE_CALLER)
		at = find_by_caller(t, &pstack, c);
	else
		at = find_by_time(t, stack, c);
	if (row->pid >= 0)
		*interrupted_stack(t, row) = stack;

	s = &t->stack[stack];
	if (unlikely(s->n == s->room) && grow_frames(s))
		return -ENOMEM;
	f = &s->f[s->n];
	f->end = end_of(row);
	f->child_ns = 0;
	f->below = 0;
	f->delta_ns = row->delta_ns;
	f->local_ns = row->local_ns;
	f->id = c->id;
	f->func = c->func;
	f->parent_func = KFI_NONE;
	f->depth = row->depth;
	f->level = 1;
	f->children = 0;
	f->dropped = row->below;
	f->ctx = row->ctx;
	f->marks = row->marks;
	f->unsure = false;
	f->excluded = false;
	if (at != KFI_NONE) {
		p = &t->stack[pstack].f[at];
		if (!kfi_tree_by_depth(t->rule))
			f->depth = p->depth + 1;
		/* An unknown end is at most the end of the frame around, also across interrupts. */
		if ((f->end == KFI_TREE_NO_END && pstack == stack) ||
		    (t->rule == KFI_TREE_NESTED && f->end > p->end))
			f->end = p->end;
		if (kfi_tree_by_depth(t->rule) && p->ctx != row->ctx && !is_called_by(c, p))
			p = NULL;
	} else if (!kfi_tree_by_depth(t->rule)) {
		f->depth = 1;
	}
	/*
	 * A row may only name its caller. Then the caller's function is known, but there is no call
	 * of it.
	 */
	if (at == KFI_NONE && t->rule == KFI_TREE_NESTED)
		f->parent_func = c->caller;
	f->cover = find_cover(s, c->func, t->rule == KFI_TREE_NESTED ? 0 : row->entry_ns);
	f->is_recursive = row->delta_ns >= 0 &&
			  f->cover >= (t->rule == KFI_TREE_NESTED ? 0 :
				       row->entry_ns + row->delta_ns);
	place->parent = KFI_NONE;
	if (p) {
		add_to_parent(p, row);
		f->parent_func = p->func;
		f->level = p->level + 1;
		f->thread = p->thread;
		place->parent = p->id;
	} else {
		f->thread = thread_of(t, row, stack);
		if (f->thread == KFI_NONE)
			return -ENOMEM;
	}
	push_frame(s, f);
	place->frame = f;
	place->parent_func = f->parent_func;
	place->thread = f->thread;
	place->level = f->level;
	place->is_recursive = f->is_recursive;
	return 0;
}

int kfi_tree_find_place(struct kfi_tree *t, const struct kfi_row *row, struct kfi_tree_place *place)
{
	u32 stack = stack_of(t, row);
	struct kfi_tree_stack *s;
	u32 at;

	if (stack == KFI_NONE)
		return -ENOMEM;
	s = &t->stack[stack];
	if (t->rule == KFI_TREE_NESTED)
		find_by_nesting(t, stack, row);
	while (s->n && t->rule != KFI_TREE_NESTED && s->f[s->n - 1].end < row->entry_ns)
		end_call(t, stack);
	/* A call that an interrupt left open is not around what its task does. */
	for (at = s->n; at && s->f[at - 1].ctx > row->ctx; at--)
		;
	*place = (struct kfi_tree_place){ .parent = KFI_NONE, .parent_func = KFI_NONE, .level = 1 };
	if (at && s->f[at - 1].ctx == row->ctx) {
		const struct kfi_tree_frame *p = &s->f[at - 1];

		place->parent = p->id;
		place->parent_func = p->func;
		place->thread = p->thread;
		place->level = p->level + 1;
		return 0;
	}
	place->thread = thread_of(t, row, stack);
	return place->thread == KFI_NONE ? -ENOMEM : 0;
}

void kfi_tree_end_task(struct kfi_tree *t, s32 task, s64 at)
{
	const u32 *stack = task > 0 ? kfi_map_find(&t->stack_of, task_key(task, 0)) : NULL;
	const struct kfi_tree_stack *s = stack && *stack != KFI_NONE ? &t->stack[*stack] : NULL;

	while (s && s->n && (t->rule == KFI_TREE_NESTED || s->f[s->n - 1].end <= at ||
			     s->f[s->n - 1].end == KFI_TREE_NO_END))
		end_call(t, *stack);
}

void kfi_tree_flush(struct kfi_tree *t)
{
	for (u32 i = 0; i < t->nstacks; i++)
		while (t->stack[i].n)
			end_call(t, i);
	forget_interrupted(t);
}

void kfi_tree_free(struct kfi_tree *t)
{
	for (u32 i = 0; i < t->nstacks; i++) {
		free(t->stack[i].f);
		free(t->stack[i].list);
	}
	free(t->stack);
	kfi_map_free(&t->stack_of);
	kfi_map_free(&t->thread_of);
	*t = (struct kfi_tree){ 0 };
}
