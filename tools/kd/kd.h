/* SPDX-License-Identifier: GPL-2.0 */
/* The state that kd's files share: options, the log that is being read, and results. */
#ifndef KFI_KD_H
#define KFI_KD_H

#include "err.h"
#include "kd_filter.h"
#include "kd_table.h"
#include "log.h"
#include "resolve.h"
#include "term.h"
#include "tree.h"

/* Number of calls that are read at once. */
#define KD_ROWS	64

/* Number of runs of a file that are listed. */
#define KD_RUNS	16

/**
 * struct kd_run - a run in the file
 * @id: its ID in the header
 * @has_id: @id is known
 * @rows: number of calls in the header; of another tracer that of calls, or samples, of the run
 * @has_rows: @rows is known
 * @profile: it is a profile
 * @imported: it is of another tracer, and has no ID
 * @sampled: @rows are samples
 * @start_by: reason of its start, empty: unknown
 */
struct kd_run {
	u64 id;
	bool has_id;
	u64 rows;
	bool has_rows;
	bool profile;
	bool imported;
	bool sampled;
	char start_by[sizeof(((struct kfi_log_head *)0)->start_by)];
};

struct kd_line;

/**
 * struct kd_lines - source lines of the functions of a log (--srcline)
 * @addr: address of the function of the last row or mark, U64_MAX: it has none
 * @us: time of that row or mark, on the axis of Entry, or KFI_ANY_TIME
 * @line: by number of the function; private to kd_lines.c, as are the next three
 * @n: how many
 * @room: for how many there is room
 * @texts: texts "file:line"
 * @asked: a function was looked up
 * @found: a function has a line
 */
struct kd_lines {
	u64 addr;
	s64 us;
	struct kd_line *line;
	u32 n;
	u32 room;
	struct kfi_names texts;
	bool asked;
	bool found;
};

/**
 * enum kd_has - what a log or a boot says of a function
 * @KD_HAS_NO_CALLS: no call
 * @KD_HAS_VALUE: calls, and their time
 * @KD_HAS_NO_VALUE: calls, but not how long they took
 */
enum kd_has {
	KD_HAS_NO_CALLS,
	KD_HAS_VALUE,
	KD_HAS_NO_VALUE,
};

/**
 * enum kd_mode - the modes of kd
 */
enum kd_mode {
	KD_SUMMARY,
	KD_BOOT,
	KD_CALLS,
	KD_FOLLOW,
	KD_TREE,
	KD_FIRST,
	KD_LONGEST,
	KD_GAPS,
	KD_INITCALLS,
	KD_MARKS,
	KD_ARGS,
	KD_ERRORS,
	KD_DIFF,
	KD_EXPORT,
	KD_HTML,
	KD_TUI,
	KD_RECORD,
	KD_FLEET,
	KD_GATE,
	KD_MODES
};

/**
 * struct kd_options - the command line
 * @mode: the mode
 * @num: -n: number of rows, U64_MAX: all
 * @time: -t as given, or NULL
 * @time_ns: -t: show functions with at least this time, nanoseconds; 0: not given
 * @depth: -d: deepest level of trees
 * @filter: the filters
 * @filtered: a filter leaves out calls or functions
 * @name_len: -m: longest name in a call trace, 0: not given
 * @format: -f, or NULL
 * @sort: -s as letters with their signs, or NULL
 * @input: --input: a format, or NULL: by content
 * @event: --event, or NULL
 * @ranges: --range, or NULL
 * @elf: --elf, or NULL
 * @kaslr: --kaslr, or NULL
 * @want_run: -R: number of the run, from 1; 0: not given, the first
 * @net: -N
 * @longer: -l
 * @threshold: --threshold, percent
 * @has_threshold: it was given
 * @budget: --budget: a file, or NULL
 * @dmesg: --dmesg: a file, or NULL
 * @until: --until: a program, or NULL
 * @without: --without: a function, or NULL
 * @export: --export: a format, or NULL
 * @output: -o: a file, or NULL
 * @split: --split as given, or NULL
 * @split_ns: length of a part of --split; 0: not given
 * @html: --html: a file, or NULL
 * @braces: --braces
 * @interlaced: -i
 * @at_parse: -r
 * @no_marks: -K
 * @srcline: --srcline
 * @source_names: functions have their names in the source, without what the compiler added
 * @label: --label, or NULL
 * @path: --path, or NULL
 * @symbols: --symbols: a folder, or NULL
 * @fleet: --fleet: a file or a folder, or NULL
 * @ask: --ask, or NULL
 * @junit: --junit: a file, or NULL
 * @markdown: --markdown: a file, or NULL
 * @csv: --csv
 * @json: --json
 * @out: output form, from @csv and @json
 * @term: --color, --no-pager
 * @files: files with symbols
 * @help: -h
 * @version: -V
 */
struct kd_options {
	enum kd_mode mode;
	u64 num;
	const char *time;
	s64 time_ns;
	u64 depth;
	struct kd_filter filter;
	bool filtered;
	u64 name_len;
	const char *format;
	const char *sort;
	const char *input;
	const char *event;
	const char *ranges;
	const char *elf;
	const char *kaslr;
	u64 want_run;
	bool net;
	bool longer;
	u64 threshold;
	bool has_threshold;
	const char *budget;
	const char *dmesg;
	const char *until;
	const char *without;
	const char *export;
	const char *output;
	const char *split;
	s64 split_ns;
	const char *html;
	bool braces;
	bool interlaced;
	bool at_parse;
	bool no_marks;
	bool srcline;
	bool source_names;
	const char *label;
	const char *path;
	const char *symbols;
	const char *fleet;
	const char *ask;
	const char *junit;
	const char *markdown;
	bool csv;
	bool json;
	enum kd_out out;
	struct term term;
	struct kfi_files files;
	bool help;
	bool version;
};

/**
 * struct kd_named - a name that a task had
 * @from: time from which it had the name, nanoseconds
 * @name: in @comms of struct kd_input
 * @before: its name before that, in @comm; KFI_NONE: this is its first one
 */
struct kd_named {
	s64 from;
	u32 name;
	u32 before;
};

/**
 * struct kd_input - the log that is being read, and the item that was read last
 * @log: the log
 * @head: header of the run that is shown
 * @kind: kind of the log
 * @reached: reading has reached this run
 * @passed: reading has passed this run: what follows belongs to others
 * @runs: the first runs of the file
 * @row_text: room for addresses of @row as text
 * @resolve: symbols for addresses, NULL: none were given
 * @keep_resolve: @resolve belongs to the caller of kd_open(), who uses it for several logs
 * @lines: source lines of functions, for --srcline
 * @mark_text: room for the text of a mark in which a name replaces an address
 * @names: functions of the log
 * @comms: names of tasks, from marks of switches, new tasks and programs
 * @comm: former and present names of tasks, in order of the log
 * @ncomms: number of elements of @comm
 * @comm_room: how many there is room for
 * @comm_of: maps a pid to the latest name of the task, in @comm
 * @by_address: maps an address to the number of a function, in logs without names for addresses
 * @matches: functions that the patterns of the filter match
 * @rule: how to make trees of this log
 * @row: the row, if the last item was one: one of @rows
 * @rows: calls that were read at once
 * @nrows: how many
 * @next_row: first of them that kd_item() has not delivered
 * @ahead: kind of an item that was read ahead and not delivered yet, 0: none
 * @addresses: functions are addresses, not names
 * @vague: a call may lie below one that is over: see is_vague() in tree.c
 * @tally: counts of the calls read, for kfi_log_faults()
 */
struct kd_input {
	struct kfi_log log;
	struct kfi_log_head head;
	enum kfi_log_kind kind;
	bool reached;
	bool passed;
	struct kd_run runs[KD_RUNS];
	kfi_log_text row_text;
	struct kfi_resolve *resolve;
	bool keep_resolve;
	struct kd_lines lines;
	char mark_text[1024];
	struct kfi_names names;
	struct kfi_names comms;
	struct kd_named *comm;
	u32 ncomms;
	u32 comm_room;
	struct kfi_map comm_of;
	struct kfi_map by_address;
	struct kd_matches matches;
	enum kfi_tree_rule rule;
	struct kfi_row *row;
	struct kfi_row rows[KD_ROWS];
	u32 nrows;
	u32 next_row;
	int ahead;
	bool addresses;
	bool vague;
	struct kfi_log_tally tally;
};

/**
 * struct kd_results - counts made while reading, for notes and the exit status
 * @calls: number of calls read
 * @taken: number of calls that the filter took
 * @watch_rows: number of watch rows read
 * @marks: number of marks read
 * @opened: calls without a duration, marked open or, in historic logs, not marked
 * @untimed: calls of a profile that have no duration
 * @unwound: calls without a duration because an outer call returned first
 * @notime: calls entered before the clock ran
 * @recursive: calls within a call of the same function
 * @hidden: calls not shown because they are too deep
 * @unsure: a value with a question mark was printed
 * @no_off_irq: a column or key needs Off-ns and Irq-ns, and a call has no such values
 * @status: exit status so far
 */
struct kd_results {
	u64 calls;
	u64 taken;
	u64 watch_rows;
	u64 marks;
	u64 opened;
	u64 untimed;
	u64 unwound;
	u64 notime;
	u64 recursive;
	u64 hidden;
	bool unsure;
	bool no_off_irq;
	int status;
};

/**
 * struct kd - the state of kd
 * @opt: the options
 * @in: the input
 * @res: the results
 */
struct kd {
	struct kd_options opt;
	struct kd_input in;
	struct kd_results res;
};

/**
 * kd_open() - open a log and go to the run that is shown
 * @kd: the run
 * @path: file, or "-"
 * @err: set to the reason of a failure
 *
 * Return: 0; -EINVAL: not a log; -ENOENT: it has no such run, or no such file; another -errno.
 */
int kd_open(struct kd *kd, const char *path, struct kfi_err *err);

/**
 * kd_item() - read the next item of the run that is shown
 * @kd: the run
 * @err: set to the reason of a failure
 *
 * The item is at kd->in.row, or in kd->in.log.mark or kd->in.log.sums, until the next call. Calls
 * and watch rows are counted.
 *
 * Return: KFI_LINE_ROW, KFI_LINE_WATCH, KFI_LINE_MARK or KFI_LINE_SUMS; 0 at the end, or -errno.
 */
int kd_item(struct kd *kd, struct kfi_err *err);

/**
 * kd_close() - free what kd_open() allocated, except names
 * @kd: the run
 */
void kd_close(struct kd *kd);

/**
 * struct kd_cost - cost of recording a call, nanoseconds
 * @kept: cost of a call that has a row; 0: unknown, or not needed
 * @dropped: cost of a call that has no row
 */
struct kd_cost {
	u64 kept;
	u64 dropped;
};

/**
 * kd_cost() - return the cost to subtract for each call
 * @kd: the run
 * @cost: set to it; 0 without -N
 * @err: why the log does not have it
 *
 * Return: 0 or -EINVAL.
 */
int kd_cost(const struct kd *kd, struct kd_cost *cost, struct kfi_err *err);

/**
 * kd_cost_of() - return the cost of recording some calls
 * @kept: how many that have rows
 * @dropped: how many that have none
 * @cost: cost of a call of each kind
 *
 * Return: nanoseconds, U64_MAX if they are too many.
 */
static inline u64 kd_cost_of(u64 kept, u64 dropped, const struct kd_cost *cost)
{
	u64 ns, more;

	if (__builtin_mul_overflow(kept, cost->kept, &ns) ||
	    __builtin_mul_overflow(dropped, cost->dropped, &more) ||
	    __builtin_add_overflow(ns, more, &ns))
		return U64_MAX;
	return ns;
}

/**
 * kd_noints_ns() - return the added cost of calls in interrupts that noints drops
 * @h: header of the log
 *
 * Return: nanoseconds for the whole log, 0: none, or unknown.
 */
static inline double kd_noints_ns(const struct kfi_log_head *h)
{
	if (h->noints_cost_ns <= h->filtered_cost_ns)
		return 0;
	return (double)h->noints * (double)(h->noints_cost_ns - h->filtered_cost_ns);
}

/**
 * kd_without() - subtract the cost of recording some calls from a time
 * @time: the time
 * @kept: how many that have rows
 * @dropped: how many that have none
 * @cost: cost of each
 *
 * Return: the difference, at least 0.
 */
static inline u64 kd_without(u64 time, u64 kept, u64 dropped, const struct kd_cost *cost)
{
	u64 ns = kd_cost_of(kept, dropped, cost);

	return ns > time ? 0 : time - ns;
}

/**
 * kd_names_open() - read symbols, if there are any
 * @kd: the run: kd->opt.files, kd->in.resolve
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_names_open(struct kd *kd, struct kfi_err *err);

/**
 * kd_names_begin() - begin to name addresses, after the header of the run that is shown
 * @kd: the run
 * @err: set to the reason of a failure
 *
 * Return: 0 or -ENOMEM.
 */
int kd_names_begin(struct kd *kd, struct kfi_err *err);

/**
 * kd_names_item() - replace the addresses of an item by names
 * @kd: the run; kd->in.resolve is set
 * @item: kind of the item: KFI_LINE_*
 */
void kd_names_item(struct kd *kd, int item);

/**
 * kd_site() - return the address of a row's call site
 * @kd: the run
 * @row: the row
 * @site: set to the address; U64_MAX: unknown
 *
 * Return: true, or false if @row->caller is a name.
 */
bool kd_site(const struct kd *kd, const struct kfi_row *row, u64 *site);

/**
 * kd_site_name() - find the function that a call site lies in
 * @kd: the run
 * @site: its address
 * @us: time on the axis of Entry
 *
 * Return: the name, empty if it is not known.
 */
struct kfi_str kd_site_name(struct kd *kd, u64 site, s64 us);

/**
 * kd_names_check() - check whether all addresses had names, after the last item
 * @kd: the run
 * @err: set to the reason of a failure
 *
 * Return: 0 or -EBADMSG.
 */
int kd_names_check(const struct kd *kd, struct kfi_err *err);

/**
 * kd_names_close() - free the memory
 * @kd: the run
 */
void kd_names_close(struct kd *kd);

/**
 * kd_line_keep() - keep the address of the last row or mark, for kd_line_of()
 * @kd: the run
 * @func: number of its function
 *
 * Return: 0 or -ENOMEM.
 */
int kd_line_keep(struct kd *kd, u32 func);

/**
 * kd_line_set() - set where a function begins whose address is unknown
 * @kd: the run
 * @func: its number
 * @text: "file:line", or NULL
 *
 * Return: 0 or -ENOMEM.
 */
int kd_line_set(struct kd *kd, u32 func, const char *text);

/**
 * kd_line_of() - return where a function begins
 * @kd: the run
 * @func: its number; KFI_NONE: none
 *
 * Return: "file:line", or NULL: it is not known.
 */
const char *kd_line_of(struct kd *kd, u32 func);

/**
 * kd_line_cell() - put the last cell of a row: the source line of a function
 * @kd: the run
 * @t: the table; without the column nothing is put
 * @func: number of the function of the row, KFI_NONE: it has none
 */
void kd_line_cell(struct kd *kd, struct kd_table *t, u32 func);

/**
 * kd_lines_check() - check whether debug information was there
 * @kd: the run, after the last row
 * @err: why no function has a line
 *
 * Return: 0 or -EBADMSG.
 */
int kd_lines_check(const struct kd *kd, struct kfi_err *err);

/**
 * kd_lines_free() - free the memory
 * @kd: the run
 */
void kd_lines_free(struct kd *kd);

/**
 * kd_wants_caller() - check whether the call site of a row matters for its tree
 * @kd: the run
 * @row: the row
 *
 * The call site matters where the context changes, after calls that may be over, and for entries
 * without exits.
 *
 * Return: true if so.
 */
static inline bool kd_wants_caller(const struct kd *kd, const struct kfi_row *row)
{
	return kd->in.rule == KFI_TREE_CALLER || row->ctx != KFI_CTX_TASK || kd->in.vague ||
	       (kd->in.rule == KFI_TREE_NESTED && row->depth == 1) ||
	       kd->opt.mode == KD_ARGS || kd->opt.mode == KD_ERRORS;
}

/**
 * kd_address() - parse the word of a function or call site that is an address
 * @kd: the run: format 1 has addresses without 0x
 * @str: the word
 * @addr: set to the value
 *
 * Return: true if it is an address.
 */
bool kd_address(const struct kd *kd, struct kfi_str str, u64 *addr);

/**
 * struct kd_place - what the functions of a log are called by
 * @path: the log; NULL: none was read
 * @addresses: they are all addresses, and no symbols were given
 * @text: Text of its header, 0: unknown
 * @build_id: build id of its kernel, empty: unknown
 */
struct kd_place {
	const char *path;
	bool addresses;
	u64 text;
	char build_id[72];
};

/**
 * kd_check_place() - reject a log whose functions cannot be matched with those of another one
 * @first: the other log; without a path: set to this one
 * @kd: the run, which was read
 * @addresses: all functions that have calls are addresses, and no symbols were given
 * @path: the log; it must outlive @first
 * @err: set to the reason, without @path
 *
 * An address means another function in another kernel, and in the same one if it was moved.
 * Return: 0 or -EINVAL.
 */
int kd_check_place(struct kd_place *first, const struct kd *kd, bool addresses, const char *path,
		   struct kfi_err *err);

/**
 * kd_tree_mark() - end the calls of a dead task, if the last mark says that its pid is a new task's
 * @kd: the run
 * @tree: trees of its calls; each reader of calls must call this for each mark
 */
void kd_tree_mark(const struct kd *kd, struct kfi_tree *tree);

/**
 * kd_comm_mark() - keep the name of a task, if the last mark has one
 * @kd: the run
 *
 * Return: 0 or -ENOMEM.
 */
int kd_comm_mark(struct kd *kd);

/**
 * kd_comm_keep() - keep the name of a task
 * @kd: the run
 * @pid: its pid
 * @from: time from which it has the name, nanoseconds; not before its last name
 * @name: its name
 *
 * Return: 0 or -ENOMEM.
 */
int kd_comm_keep(struct kd *kd, s32 pid, s64 from, struct kfi_str name);

/**
 * kd_shows_comm() - check whether a table has a column of task names
 * @kd: the run, after the last item of the log
 *
 * Return: true if so; for people only if the log has names.
 */
static inline bool kd_shows_comm(const struct kd *kd)
{
	return kd->in.comms.count || kd->opt.out != KD_OUT_TEXT;
}

/**
 * kd_comm() - return the name of a task at some time, as far as the log was read
 * @kd: the run
 * @pid: its pid; idle tasks, which share the pid 0, have none
 * @at: the time, nanoseconds; S64_MAX: the end
 *
 * Return: the name, NULL: unknown.
 */
const char *kd_comm(const struct kd *kd, s32 pid, s64 at);

/**
 * kd_comm_cell() - print a name of a task in its column
 * @kd: the run
 * @t: the table
 * @pid: its pid
 * @at: time at which it had the name, nanoseconds
 */
void kd_comm_cell(const struct kd *kd, struct kd_table *t, s32 pid, s64 at);

/**
 * kd_source_name() - return a function's name without what the compiler added to it
 * @str: the name
 * @name: filled; "[module]" and "@file" stay
 * @size: its size
 *
 * Return: length of @name, 0: the compiler added nothing, or it does not fit.
 */
size_t kd_source_name(struct kfi_str str, char *name, size_t size);

/**
 * kd_function() - return the number of a function
 * @kd: the run: kd->opt.source_names
 * @func: its name
 *
 * Return: the number, KFI_NONE: out of memory.
 */
u32 kd_function(struct kd *kd, struct kfi_str func);

/**
 * kd_call() - number the call that was read last, for the trees
 * @kd: the run
 * @call: filled, but for @call->id
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_call(struct kd *kd, struct kfi_tree_call *call, struct kfi_err *err);

/**
 * kd_find_caller() - find the function that a row's call site lies in: slow half of kd_caller()
 * @kd: the run
 * @row: the row
 *
 * Return: as kd_caller().
 */
u32 kd_find_caller(struct kd *kd, const struct kfi_row *row);

/**
 * kd_caller() - return the number of the function that a row's call site lies in, if it matters
 * @kd: the run
 * @row: the row
 *
 * Return: the number, KFI_NONE: not known, or it does not matter.
 */
static inline u32 kd_caller(struct kd *kd, const struct kfi_row *row)
{
	if (likely(!kd_wants_caller(kd, row) && !row->marks))
		return KFI_NONE;
	return kd_find_caller(kd, row);
}

/**
 * kd_summary() - print the table of functions
 * @kd: the run
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_summary(struct kd *kd, struct kfi_err *err);

/**
 * kd_summary_sort() - parse -s: letters, or names with commas, each with + or - or no sign
 * @text: -s
 * @out: filled with letters and signs
 * @err: set to the reason of a failure
 *
 * Return: 0 or -EINVAL.
 */
int kd_summary_sort(const char *text, char out[KD_COLUMNS_MAX], struct kfi_err *err);

/**
 * kd_tree() - print the calls as one tree; calls with the same path are added up
 * @kd: the run
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_tree(struct kd *kd, struct kfi_err *err);

/**
 * kd_trace() - print the call trace
 * @kd: the run
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_trace(struct kd *kd, struct kfi_err *err);

/**
 * kd_follow() - print calls as they come, and at the end the table of functions
 * @kd: the run
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_follow(struct kd *kd, struct kfi_err *err);

/**
 * kd_follow_input() - let SIGINT end the input of kd_follow(), and read it without delay
 * @kd: the run; its input is open
 */
void kd_follow_input(struct kd *kd);

struct kd_sum;

/**
 * kd_summary_want() - return what the order of the rows needs in the sums
 * @kd: the run
 *
 * Return: KD_WANT_*.
 */
u32 kd_summary_want(const struct kd *kd);

/**
 * kd_summary_print() - print a table of functions from sums that the caller made
 * @s: the sums
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_summary_print(struct kd_sum *s, struct kfi_err *err);

/**
 * kd_args() - print calls with arguments and return values, or in KD_ERRORS calls that failed
 * @kd: the run
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_args(struct kd *kd, struct kfi_err *err);

/**
 * kd_first() - print the first call of each function, or in KD_LONGEST the longest calls
 * @kd: the run
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_first(struct kd *kd, struct kfi_err *err);

/**
 * kd_gaps() - print the longest gaps
 * @kd: the run
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_gaps(struct kd *kd, struct kfi_err *err);

/**
 * kd_boot() - print where the time of a boot went
 * @kd: the run
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_boot(struct kd *kd, struct kfi_err *err);

/**
 * kd_is_boot() - check whether a log begins with start_kernel()
 * @kd: the run
 *
 * Return: true if so.
 */
bool kd_is_boot(const struct kd *kd);

/**
 * kd_initcalls() - print what initcalls cost
 * @kd: the run
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_initcalls(struct kd *kd, struct kfi_err *err);

/* Exit status if a function got slower. */
#define KD_SLOWER	3

/**
 * kd_diff() - print the differences between logs, and notes
 * @kd: options; its status becomes KD_SLOWER if a function got slower
 * @argc: number of words
 * @argv: files, and the separator of the two sides
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_diff(struct kd *kd, int argc, char **argv, struct kfi_err *err);

/**
 * kd_note() - print a note on standard error, and keep it for JSON
 * @fmt: printf format
 */
void kd_note(const char *fmt, ...) kfi_printf(1, 2);

/**
 * kd_notes() - return the notes that were kept for JSON or a page
 * @text: set to the texts
 *
 * Return: how many.
 */
u32 kd_notes(char *const **text);

/**
 * kd_say() - print an error message
 * @text: the message
 */
void kd_say(const char *text);

/**
 * kd_marks() - print the marks of the log, one a line
 * @kd: the run
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_marks(struct kd *kd, struct kfi_err *err);

/**
 * kd_export_check() - check whether a format exists and can be written
 * @kd: options
 * @err: set to the reason of a failure
 *
 * Return: 0 or -EINVAL.
 */
int kd_export_check(const struct kd *kd, struct kfi_err *err);

/**
 * kd_export() - write the log for another program
 * @kd: the run
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kd_export(struct kd *kd, struct kfi_err *err);

/**
 * kd_columns() - parse -f: letters, or names with commas
 * @kd: the run; its status becomes 1 for an unknown column, which is reported and left out
 * @format: -f, or the default letters
 * @columns: the columns of the mode
 * @n: number of columns
 * @known: letters of the columns that are allowed, NULL: all
 * @out: filled with letters, NUL-terminated
 * @err: set to the reason of a failure
 *
 * Return: 0; -EINVAL: nothing of @format is a column.
 */
int kd_columns(struct kd *kd, const char *format, const struct kd_column *columns, size_t n,
	       const char *known, char out[KD_COLUMNS_MAX], struct kfi_err *err);

#endif /* KFI_KD_H */
