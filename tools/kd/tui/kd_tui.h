/* SPDX-License-Identifier: GPL-2.0 */
/*
 * --tui: a log on the screen of a terminal, to be browsed by keys.
 *
 *	kd_tui_log.c	reads the log: its calls, sums of functions, the report of the boot
 *	kd_tui_tree.c	the call tree: which lines of it are there
 *	kd_tui_list.c	the other lists: functions, callers and callees, tasks
 *	kd_tui_draw.h	texts and cells on the screen
 *	kd_tui_view.h	the views: kd_tui_show.c draws them, kd_tui.c does what keys ask for
 *
 * Nothing is read from the log while the user browses. A call takes sizeof(struct tui_call) bytes,
 * and 4 more while the log is read. A line of the tree that has been unfolded takes
 * sizeof(struct tui_node) and 8 more, and 4 for each of its calls if several are one line.
 */
#ifndef KFI_KD_TUI_H
#define KFI_KD_TUI_H

#include "kd.h"
#include "kd_sum.h"

/* Beside KFI_MARK_*: the self time is a best guess. */
#define TUI_UNSURE	0x80

/**
 * struct tui_call - a call, times in nanoseconds
 * @entry: its entry
 * @delta: its duration, -1: unknown
 * @local: its self time; if @delta is unknown what the calls below took, which it took at least
 * @func: its function
 * @parent: the call that it lies in, KFI_NONE: it is a root
 * @child: the first call directly below it, KFI_NONE: none
 * @next: the next call with the same parent, KFI_NONE: none
 * @task: process in whose context it ran
 * @cpu: processor, -1: unknown
 * @ctx: enum kfi_ctx
 * @marks: KFI_MARK_* and TUI_UNSURE
 */
struct tui_call {
	s64 entry;
	s64 delta;
	s64 local;
	u32 func;
	u32 parent;
	u32 child;
	u32 next;
	s32 task;
	s16 cpu;
	u8 ctx;
	u8 marks;
};

static_assert(sizeof(struct tui_call) == 48);

/**
 * struct tui_sums - sums of calls, as kd's tables have them
 * @total: durations, nanoseconds; -1: none is known
 * @least: the same, with what calls without a duration took at least
 * @self: self times; -1: none is known
 * @max: longest; -1: none is known
 * @count: calls
 * @first: the first of them
 * @func: the function; KFI_NONE: callers that the log does not have
 * @part: of butterflies, where the row belongs
 * @unsure: @self is a best guess
 */
struct tui_sums {
	s64 total;
	s64 least;
	s64 self;
	s64 max;
	u64 count;
	u32 first;
	u32 func;
	u8 part;
	bool unsure;
};

/**
 * enum tui_sort - by what lines are sorted: the greatest first, but for TUI_BY_FIRST
 */
enum tui_sort {
	TUI_BY_FIRST,
	TUI_BY_TOTAL,
	TUI_BY_SELF,
	TUI_BY_COUNT,
	TUI_BY_MAX,
};

/**
 * struct tui_task - a task
 * @sums: its calls, and those of interrupts on top of it; @func is not used
 * @open: calls without a duration
 * @task: its pid
 */
struct tui_task {
	struct tui_sums sums;
	u64 open;
	s32 task;
};

/**
 * struct tui_line - a line of a text
 * @from: its first byte
 * @len: how many bytes
 * @place: the call that it is about, KFI_NONE: it is about none
 */
struct tui_line {
	size_t from;
	u32 len;
	u32 place;
};

/**
 * struct tui_text - a text to look at
 * @text: all of it
 * @size: its bytes
 * @line: its lines
 * @n: how many
 * @room: for how many there is room
 */
struct tui_text {
	char *text;
	size_t size;
	struct tui_line *line;
	u32 n;
	u32 room;
};

/**
 * struct tui_log - what is known of the log
 * @kd: the run
 * @call: calls, in order of the log
 * @n: how many
 * @room: for how many there is room
 * @root: the first call that is a root, KFI_NONE: there are no calls
 * @ordered: calls are in order of entry
 * @sum: sums of functions
 * @first: by function: its first call, KFI_NONE: none
 * @longest: by function: its longest call, or the first if no duration is known
 * @task: tasks
 * @ntasks: how many
 * @task_room: for how many there is room
 * @report: of --boot
 * @no_report: why there is none
 */
struct tui_log {
	struct kd *kd;
	struct tui_call *call;
	u32 n;
	u32 room;
	u32 root;
	bool ordered;
	struct kd_sum sum;
	u32 *first;
	u32 *longest;
	struct tui_task *task;
	u32 ntasks;
	u32 task_room;
	struct tui_text report;
	struct kfi_err no_report;
};

/**
 * tui_log_read() - read a log to its end
 * @log: filled; tui_log_free() must follow in any case
 * @kd: the run
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int tui_log_read(struct tui_log *log, struct kd *kd, struct kfi_err *err);

/**
 * tui_log_free() - free the memory
 * @log: the log
 */
void tui_log_free(struct tui_log *log);

/**
 * tui_text_cut() - find the lines of a text
 * @t: its text; those of its lines that end where @place says are about that call
 * @place: @from: where a line ends; @place: its call; in order
 * @n: how many
 *
 * Return: 0 or -ENOMEM.
 */
int tui_text_cut(struct tui_text *t, const struct tui_line *place, u32 n);

/**
 * tui_text_free() - free the memory
 * @t: the text
 */
void tui_text_free(struct tui_text *t);

/**
 * tui_sums_add() - add a call to sums
 * @s: the sums; begin with TUI_NO_SUMS
 * @log: the log
 * @call: the call
 */
void tui_sums_add(struct tui_sums *s, const struct tui_log *log, u32 call);

#define TUI_NO_SUMS	((struct tui_sums){					\
	.total = -1, .least = -1, .self = -1, .max = -1, .first = KFI_NONE,	\
})

/**
 * tui_sums_compare() - compare two lines: which comes first
 * @a: sums of one
 * @b: sums of the other
 * @sort: by what
 *
 * Return: below 0 if @a does, above 0 if @b does.
 */
int tui_sums_compare(const struct tui_sums *a, const struct tui_sums *b, enum tui_sort sort);

/**
 * enum tui_scope - of which calls a tree is
 * @TUI_ALL: of all
 * @TUI_TASK: of those of a task, and of interrupts on top of it
 * @TUI_FUNC: of those of a function, with what is below them
 */
enum tui_scope {
	TUI_ALL,
	TUI_TASK,
	TUI_FUNC,
};

/**
 * struct tui_node - a line of the tree, seen or folded away
 * @sums: of its calls
 * @set: where its calls stand in @set of the tree, KFI_NONE: it is @sums.first only
 * @parent: the node above, KFI_NONE: none
 * @child: the first of its children
 * @nchildren: how many; 0 before they were asked for
 * @pos: its place in @order of the tree
 * @level: from 0
 * @is_open: unfolded
 * @is_made: its children have been made
 * @has_below: it has calls below
 */
struct tui_node {
	struct tui_sums sums;
	u32 set;
	u32 parent;
	u32 child;
	u32 nchildren;
	u32 pos;
	u32 level : 29;
	bool is_open : 1;
	bool is_made : 1;
	bool has_below : 1;
};

/**
 * struct tui_tree - a call tree with some of its nodes
 * @log: the log
 * @scope: of which calls
 * @id: task or function
 * @merged: calls of a function below the same line are one line
 * @sort: order of siblings
 * @in_scope: by call: it is in the tree; NULL: all are
 * @node: nodes; siblings stand side by side
 * @n: how many
 * @room: for how many there is room
 * @order: the same, siblings in their order
 * @order_room: for how many there is room
 * @nroots: roots, which are the first nodes
 * @set: calls of nodes that have several
 * @nset: how many
 * @set_room: for how many there is room
 * @row: nodes that are not folded away, in the order in which they are shown
 * @nrows: how many
 * @row_room: for how many there is room
 */
struct tui_tree {
	const struct tui_log *log;
	enum tui_scope scope;
	u32 id;
	bool merged;
	enum tui_sort sort;
	bool *in_scope;
	struct tui_node *node;
	u32 n;
	u32 room;
	u32 *order;
	u32 order_room;
	u32 nroots;
	u32 *set;
	u32 nset;
	u32 set_room;
	u32 *row;
	u32 nrows;
	u32 row_room;
};

/**
 * tui_tree_make() - make a tree, all folded
 * @t: @log, @scope, @id, @merged and @sort are set; what else it had is given back
 *
 * Return: 0 or -ENOMEM, as the next four.
 */
int tui_tree_make(struct tui_tree *t);

/**
 * tui_tree_open() - unfold a node, or fold it
 * @t: the tree
 * @node: the node
 * @open: unfold it
 */
int tui_tree_open(struct tui_tree *t, u32 node, bool open);

/**
 * tui_tree_sort() - sort all lines in another way
 * @t: the tree
 * @sort: by what
 */
int tui_tree_sort(struct tui_tree *t, enum tui_sort sort);

/**
 * tui_tree_show() - unfold what is above a call
 * @t: the tree
 * @call: the call
 * @row: set to its row
 *
 * Return: 1: it is there; 0: the tree does not have it; -ENOMEM.
 */
int tui_tree_show(struct tui_tree *t, u32 call, u32 *row);

/**
 * tui_tree_row() - find the row of a node, or of the innermost node around it that is seen
 * @t: the tree
 * @node: the node
 *
 * Return: the row.
 */
u32 tui_tree_row(const struct tui_tree *t, u32 node);

/**
 * tui_tree_has() - check whether a node stands for a call
 * @t: the tree
 * @node: the node
 * @call: the call
 *
 * Return: true if so.
 */
bool tui_tree_has(const struct tui_tree *t, u32 node, u32 call);

/**
 * tui_tree_longest() - find the longest call of a tree, or the next one
 * @t: the tree
 * @after: the longest of those that are no longer than this call; KFI_NONE: of all
 *
 * Return: the call, KFI_NONE: no more have a duration.
 */
u32 tui_tree_longest(const struct tui_tree *t, u32 after);

/**
 * tui_tree_free() - free the memory
 * @t: the tree
 */
void tui_tree_free(struct tui_tree *t);

/* Parts of a butterfly, in the order in which they are shown. */
enum tui_part {
	TUI_CALLER,
	TUI_SELF,
	TUI_CALLEE,
};

/**
 * struct tui_list - functions with sums
 * @row: they
 * @n: how many
 * @room: for how many there is room
 */
struct tui_list {
	struct tui_sums *row;
	u32 n;
	u32 room;
};

/**
 * tui_list_functions() - fill a list with all functions, as kd's table has them
 * @list: filled; it may have rows
 * @log: the log
 *
 * Return: 0 or -ENOMEM, as the next one.
 */
int tui_list_functions(struct tui_list *list, const struct tui_log *log);

/**
 * tui_list_butterfly() - fill a list with the callers of a function, itself, and what it calls
 * @list: filled; it may have rows
 * @log: the log
 * @func: the function
 */
int tui_list_butterfly(struct tui_list *list, const struct tui_log *log, u32 func);

/**
 * tui_list_sort() - sort the rows of each part
 * @list: the list
 * @sort: by what
 */
void tui_list_sort(struct tui_list *list, enum tui_sort sort);

/**
 * tui_tasks_sort() - sort tasks
 * @log: the log
 * @sort: by what
 */
void tui_tasks_sort(struct tui_log *log, enum tui_sort sort);

/**
 * kd_tui() - read the log that is to be shown
 * @kd: the run
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno; kd_tui_end() must follow in any case.
 */
int kd_tui(struct kd *kd, struct kfi_err *err);

/**
 * kd_tui_end() - show it until the user leaves
 * @ret: what kd_tui() returned
 * @note: what was said about the log
 * @n: how many of these
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_tui_end(int ret, char *const *note, u32 n, struct kfi_err *err);

/**
 * kd_tui_check() - check whether there is a terminal for the browser
 * @err: set to the reason of a failure
 *
 * Return: 0 or -EINVAL.
 */
int kd_tui_check(struct kfi_err *err);

#endif /* KFI_KD_TUI_H */
