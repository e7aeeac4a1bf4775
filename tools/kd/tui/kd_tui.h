/* SPDX-License-Identifier: GPL-2.0 */
/*
 * --tui: shows a log on the screen of a terminal, where the user browses it by keys.
 *
 *	kd_tui_log.c	reads the log: its calls, sums of functions, the report of the boot
 *	kd_tui_tree.c	the call tree: makes the lines that are unfolded
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

/* Bit in @marks besides KFI_MARK_*: the self time is a best guess. */
#define TUI_UNSURE	0x80

/**
 * struct tui_call - a call, times in nanoseconds
 * @entry: its entry
 * @delta: its duration, -1: unknown
 * @local: its self time; if @delta is unknown, the sum of the calls below, a lower bound of it
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
 * @total: sum of durations, nanoseconds; -1: no duration is known
 * @least: the same, but calls without a duration count with the sum of the calls below
 * @self: sum of self times; -1: none is known
 * @max: longest duration; -1: none is known
 * @count: number of calls
 * @first: the first call
 * @func: the function; KFI_NONE: callers that are not in the log
 * @part: enum tui_part, in a butterfly
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
 * enum tui_sort - sort keys; the greatest comes first, except with TUI_BY_FIRST
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
 * @open: number of calls without a duration
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
 * @place: the call that it is about, KFI_NONE: none
 */
struct tui_line {
	size_t from;
	u32 len;
	u32 place;
};

/**
 * struct tui_text - a text on the screen
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
 * struct tui_log - a log in memory
 * @kd: the run
 * @call: calls, in order of the log
 * @n: how many
 * @room: for how many there is room
 * @root: the first call that is a root, KFI_NONE: there are no calls
 * @ordered: calls are in order of entry
 * @sum: sums of functions
 * @first: by function: its first call, KFI_NONE: none
 * @longest: by function: its longest call, or its first one if no duration is known
 * @task: tasks
 * @ntasks: how many
 * @task_room: for how many there is room
 * @report: report of --boot
 * @no_report: reason why there is no report
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
 * tui_text_cut() - divide a text into lines
 * @t: the text; lines that end where @place says are about a call
 * @place: elements in order: @from is where a line ends, @place is its call
 * @n: number of elements
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
 * @s: the sums; initialised with TUI_NO_SUMS
 * @log: the log
 * @call: the call
 */
void tui_sums_add(struct tui_sums *s, const struct tui_log *log, u32 call);

#define TUI_NO_SUMS	((struct tui_sums){					\
	.total = -1, .least = -1, .self = -1, .max = -1, .first = KFI_NONE,	\
})

/**
 * tui_sums_compare() - compare two lines
 * @a: sums of one
 * @b: sums of the other
 * @sort: by what
 *
 * Return: negative if @a comes first, positive if @b does.
 */
int tui_sums_compare(const struct tui_sums *a, const struct tui_sums *b, enum tui_sort sort);

/**
 * enum tui_scope - the calls that a tree has
 * @TUI_ALL: all calls
 * @TUI_TASK: calls of a task, and of interrupts on top of it
 * @TUI_FUNC: calls of a function, and what is below them
 */
enum tui_scope {
	TUI_ALL,
	TUI_TASK,
	TUI_FUNC,
};

/**
 * struct tui_node - a line of the tree, which may be folded away
 * @sums: sums of its calls
 * @set: place of its calls in @set of the tree, KFI_NONE: @sums.first is its only call
 * @parent: the node above, KFI_NONE: none
 * @child: the first of its children
 * @nchildren: number of children; 0 until they are made
 * @pos: its place in @order of the tree
 * @level: from 0
 * @is_open: it is unfolded
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
 * @scope: the calls that it has
 * @id: the task or the function of @scope
 * @merged: calls of a function below the same line are one line
 * @sort: order of siblings
 * @in_scope: by call: it is in the tree; NULL: all are
 * @node: nodes; siblings stand side by side
 * @n: how many
 * @room: for how many there is room
 * @order: nodes, with siblings in the order of @sort
 * @order_room: for how many there is room
 * @nroots: number of roots, which are the first nodes
 * @set: calls of the nodes that have several
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
 * tui_tree_make() - make a tree in which all is folded
 * @t: @log, @scope, @id, @merged and @sort are set; memory of a former tree is freed
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
 * tui_tree_sort() - sort all lines
 * @t: the tree
 * @sort: by what
 */
int tui_tree_sort(struct tui_tree *t, enum tui_sort sort);

/**
 * tui_tree_show() - unfold the lines above a call
 * @t: the tree
 * @call: the call
 * @row: set to its row
 *
 * Return: 1; 0: the tree does not have the call; -ENOMEM.
 */
int tui_tree_show(struct tui_tree *t, u32 call, u32 *row);

/**
 * tui_tree_row() - find the row of a node, or of the innermost visible node around it
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
 * tui_tree_longest() - find the longest call of a tree, or the next longest
 * @t: the tree
 * @after: find the longest call that comes after this one; KFI_NONE: the longest of all
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
 * struct tui_list - a list of functions with sums
 * @row: the rows
 * @n: how many
 * @room: for how many there is room
 */
struct tui_list {
	struct tui_sums *row;
	u32 n;
	u32 room;
};

/**
 * tui_list_functions() - fill a list with all functions, as in kd's table
 * @list: filled; rows that it has are replaced
 * @log: the log
 *
 * Return: 0 or -ENOMEM, as the next one.
 */
int tui_list_functions(struct tui_list *list, const struct tui_log *log);

/**
 * tui_list_butterfly() - fill a list with the callers of a function, itself, and what it calls
 * @list: filled; rows that it has are replaced
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
 * kd_tui() - read the log to show
 * @kd: the run
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno; kd_tui_end() must follow in any case.
 */
int kd_tui(struct kd *kd, struct kfi_err *err);

/**
 * kd_tui_end() - show the log until the user leaves
 * @ret: result of kd_tui()
 * @note: notes about the log
 * @n: number of notes
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
