/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes trees of calls, one call at a time, in order of entry.
 *
 * Formats 3 to 5: a tree is made of (task, depth, time). The parent is the innermost call of the
 * same task that is less deep and not over; a call in interrupt context that its parent did not
 * call itself begins a tree of its own, on the thread of its cpu and context.
 *
 * Historic logs: the parent is the innermost call of the same process that is not over and has
 * the caller's name. A call in interrupt context (pid -1) may also hang below a call of the process
 * that was interrupted. Processes are never mixed. A log that still has addresses has no callers'
 * names: there the parent is the innermost call of the same process that is not over.
 *
 * Calls whose end is unknown are over when an outer call is, when a call is entered that cannot lie
 * in them, or when another task gets the pid. Each call takes constant time, whatever the log is.
 * Memory use grows with the number of calls that are not over. Called by kd.
 */
#ifndef KFI_TREE_H
#define KFI_TREE_H

#include "hash.h"
#include "kfi_port_host.h"
#include "log.h"

/* End of a call whose exit was not seen. */
#define KFI_TREE_NO_END	S64_MAX

/* CPUs that a digit of KFT can tell apart, and the unknown one. */
#define KFI_TREE_CPUS	10

/**
 * enum kfi_tree_rule - rules to find the parent of a call
 * @KFI_TREE_DEPTH: by depth (formats 3 to 5)
 * @KFI_TREE_NESTED: by depth alone (imports): a call has one more than its caller, and times are
 *	rounded, or unknown
 * @KFI_TREE_CALLER: by the caller's name (historic, names)
 * @KFI_TREE_TIME: by time alone (historic, addresses)
 */
enum kfi_tree_rule {
	KFI_TREE_DEPTH,
	KFI_TREE_NESTED,
	KFI_TREE_CALLER,
	KFI_TREE_TIME,
};

/**
 * kfi_tree_by_depth() - check whether a log has the depth of calls
 * @rule: its rule
 *
 * Return: true if so; false for a historic log.
 */
static inline bool kfi_tree_by_depth(enum kfi_tree_rule rule)
{
	return rule <= KFI_TREE_NESTED;
}

/**
 * struct kfi_tree_call - a call to add to a tree
 * @row: the row
 * @func: number of its function
 * @caller: number of the function that its call site lies in, KFI_NONE: unknown
 * @id: an id that the caller chooses
 */
struct kfi_tree_call {
	const struct kfi_row *row;
	u32 func;
	u32 caller;
	u32 id;
};

/**
 * struct kfi_tree_frame - a call that is not over; @id, @func, @ctx, @marks are those of the call
 * @end: its end, or that of the innermost call around it whose end is known
 * @cover: end of the innermost call of the same function around it whose end is known, or -1
 * @child_ns: sum of the known durations of the calls directly below it
 * @below: number of calls and interrupts that came while it was on top, and are over
 * @children: the part of @below that is directly below it in its tree, over or not
 * @dropped: number of calls below it that have no row, from its row
 * @delta_ns: its duration, -1: unknown
 * @local_ns: self time in the log, -1: unknown
 * @id: number given to kfi_tree_add()
 * @func: number of the function
 * @parent_func: function of its parent, KFI_NONE: it is a root
 * @depth: depth in its task, from 1, in the log; in historic logs equal to @level
 * @level: level in its tree, from 1
 * @thread: number of its thread of execution
 * @same: the next frame of its list (private)
 * @ctx: enum kfi_ctx
 * @marks: KFI_MARK_*
 * @unsure: a call below it has an unknown duration, so @child_ns is too small
 * @is_recursive: it lies in a call of the same function whose duration is known: recursion
 * @excluded: calls of its function below it are no recursion; set by the caller
 * @finished: it was found to be over when another frame of its function was searched (private)
 */
struct kfi_tree_frame {
	s64 end;
	s64 cover;
	s64 child_ns;
	u64 below;
	s64 delta_ns;
	s64 local_ns;
	u32 id;
	u32 func;
	u32 parent_func;
	u32 depth;
	u32 level;
	u32 thread;
	u32 same;
	u32 children;
	u32 dropped;
	u8 ctx;
	u8 marks;
	bool unsure;
	bool is_recursive;
	bool excluded;
	bool finished;
};

/**
 * struct kfi_tree_place - the place of a call in its tree
 * @parent: the parent's id, KFI_NONE: it is a root
 * @parent_func: the parent's function, KFI_NONE: it is a root
 * @thread: its thread of execution, numbered from 0 in order of appearance: a task, or
 *	interrupts of one kind on one cpu; in historic logs each root begins a new one
 * @level: its level in its tree, from 1
 * @is_recursive: it lies in a call of the same function whose duration is known: recursion
 * @frame: the call itself, until the next one is added; NULL: nothing was added
 */
struct kfi_tree_place {
	struct kfi_tree_frame *frame;
	u32 parent;
	u32 parent_func;
	u32 thread;
	u32 level;
	bool is_recursive;
};

/**
 * typedef kfi_tree_over_fn - called for each call when it is over and its children are known
 * @arg: argument of kfi_tree_init()
 * @f: the call; it is freed after this
 */
typedef void (*kfi_tree_over_fn)(void *arg, const struct kfi_tree_frame *f);

struct kfi_tree_stack;

/* Number of tasks in the cache. */
#define KFI_TREE_LATEST	32

/**
 * struct kfi_tree_latest - a stack in the cache
 * @task: its task
 * @cpu: its CPU, as in the key of the stack
 * @stack: number of the stack, KFI_NONE: none yet
 */
struct kfi_tree_latest {
	s32 task;
	u32 cpu;
	u32 stack;
};

/**
 * struct kfi_tree - trees under construction; private
 * @rule: how parents are found
 * @over: called for calls that are over, or NULL
 * @arg: its first argument
 * @rounds: the log has iterations of a run: an open call may belong to an earlier iteration, and
 *	then it is not around calls of a later one; the caller sets this after kfi_tree_init()
 * @stack: stacks, one for each task
 * @nstacks: number of stacks
 * @room: for how many there is room
 * @stack_of: maps the key of a task to a stack
 * @latest: cache of stacks, by task
 * @thread_of: maps the key of a thread to a thread (formats 3 to 5)
 * @nthreads: number of threads so far
 * @interrupted: by CPU + 1: stack of the process seen there last, KFI_NONE: none (historic logs)
 */
struct kfi_tree {
	enum kfi_tree_rule rule;
	kfi_tree_over_fn over;
	void *arg;
	bool rounds;
	struct kfi_tree_stack *stack;
	u32 nstacks;
	u32 room;
	struct kfi_map stack_of;
	struct kfi_tree_latest latest[KFI_TREE_LATEST];
	struct kfi_map thread_of;
	u32 nthreads;
	u32 interrupted[KFI_TREE_CPUS];
};

/**
 * kfi_tree_init() - prepare to make trees
 * @tree: filled
 * @rule: how parents are found
 * @over: called for calls that are over, or NULL
 * @arg: its first argument
 */
void kfi_tree_init(struct kfi_tree *tree, enum kfi_tree_rule rule, kfi_tree_over_fn over,
		   void *arg);

/**
 * kfi_tree_add() - add the next call
 * @tree: trees
 * @call: the call, which was not entered before the last one
 * @place: filled
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_tree_add(struct kfi_tree *tree, const struct kfi_tree_call *call,
		 struct kfi_tree_place *place);

/**
 * kfi_tree_find_place() - find the place of a row that is no call, without adding it
 * @tree: trees
 * @row: entry_ns, cpu, task, ctx and, for imports, depth are used; not before the last call
 * @place: filled: @place->parent is the innermost call of the task that is not over, if it has that
 *	context
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_tree_find_place(struct kfi_tree *tree, const struct kfi_row *row,
			struct kfi_tree_place *place);

/**
 * kfi_tree_end_task() - end all calls of a task that has died, whose pid another task has got
 * @tree: trees
 * @task: the pid; idle tasks, which are 0, never die
 * @at: time at which the other task was made; a call that returns later is one of the new task
 */
void kfi_tree_end_task(struct kfi_tree *tree, s32 task, s64 at);

/**
 * kfi_tree_flush() - end all calls, at the end of a run
 * @tree: trees; calls of another run may be added
 */
void kfi_tree_flush(struct kfi_tree *tree);

/**
 * kfi_tree_free() - free the memory; @over is not called for open calls
 * @tree: trees
 */
void kfi_tree_free(struct kfi_tree *tree);

#endif /* KFI_TREE_H */
