/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The calls of a log with their places in their trees, as kd's call traces show them. Marks and
 * watch rows stand among them. Memory use grows with the log.
 */
#ifndef KFI_KD_CALLS_H
#define KFI_KD_CALLS_H

#include "kd.h"

/* Bits in @marks besides KFI_MARK_*: */
#define KD_NODE_UNSURE	0x80	/* a call below has an unknown duration */
#define KD_NODE_WATCH	0x40	/* it is a watch row, not a call */
#define KD_NODE_HIDDEN	0x20	/* a filter excludes it */

/**
 * struct kd_node - one call
 * @entry: nanoseconds
 * @delta: nanoseconds, -1: unknown
 * @local: self time, nanoseconds; in historic logs @delta less the calls below, negative:
 *	impossible
 * @func: number of the function, KFI_NONE: a mark, whose text is @args
 * @root: number of the root of its tree
 * @depth: level in its tree, from 1
 * @thread: thread of execution
 * @args: number of a text: argument columns or a mark, KFI_NONE: none
 * @pid: process
 * @cpu: processor, -1: unknown
 * @marks: KFI_MARK_* and KD_NODE_*
 * @task: it is a call in a task (formats 3 to 5)
 */
struct kd_node {
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
 * struct kd_calls - the calls
 * @kd: the run
 * @node: the calls in order of the log
 * @n: how many
 * @room: for how many there is room
 * @nthreads: number of threads of execution
 * @args: argument columns, marks
 */
struct kd_calls {
	struct kd *kd;
	struct kd_node *node;
	u32 n;
	u32 room;
	u32 nthreads;
	struct kfi_names args;
};

/**
 * kd_calls_start() - prepare to read calls
 * @c: the calls; @c->kd is set
 * @tree: filled: state of the trees; kfi_tree_free() must follow
 */
void kd_calls_start(struct kd_calls *c, struct kfi_tree *tree);

/**
 * kd_calls_next() - read one call, mark or watch row
 * @c: the calls
 * @tree: as kd_calls_start() left it
 * @x: filled
 * @id: its number in @c->node, if the caller keeps it there
 * @err: set to the reason of a failure
 *
 * Return: 1, 0 at the end, -errno.
 */
int kd_calls_next(struct kd_calls *c, struct kfi_tree *tree, struct kd_node *x, u32 id,
		  struct kfi_err *err);

/**
 * kd_calls_read() - read all calls, marks and watch rows
 * @c: zeroed, but for @c->kd
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno; kd_calls_free() must follow in any case.
 */
int kd_calls_read(struct kd_calls *c, struct kfi_err *err);

/**
 * kd_calls_by_tree() - list the calls one tree after the other
 * @c: the calls
 *
 * Return: numbers of the calls, which the caller frees; NULL: out of memory.
 */
u32 *kd_calls_by_tree(const struct kd_calls *c);

/**
 * kd_calls_free() - free the memory
 * @c: the calls
 */
void kd_calls_free(struct kd_calls *c);

/* Return true for a call, false for a mark or a watch row. */
static inline bool kd_node_is_call(const struct kd_node *x)
{
	return x->func != KFI_NONE && !(x->marks & KD_NODE_WATCH);
}

/* Return true if the filters and -d select a node. */
static inline bool kd_node_is_shown(const struct kd_calls *c, const struct kd_node *x)
{
	return x->depth <= c->kd->opt.depth && !(x->marks & KD_NODE_HIDDEN);
}

/* Return the name of a function, or the text of a mark. */
static inline struct kfi_str kd_node_name(const struct kd_calls *c, const struct kd_node *x)
{
	return x->func == KFI_NONE ? c->args.str[x->args] : c->kd->in.names.str[x->func];
}

/*
 * Return the duration in microseconds: floor of exit less floor of entry, so that durations nest.
 */
static inline s64 kd_node_usecs(const struct kd_node *x)
{
	return (x->entry + x->delta) / 1000 - x->entry / 1000;
}

/* Return true if the local time is a best guess. */
static inline bool kd_node_is_unsure(const struct kd_node *x)
{
	return x->delta >= 0 && (x->local < 0 || (x->marks & KD_NODE_UNSURE));
}

#endif /* KFI_KD_CALLS_H */
