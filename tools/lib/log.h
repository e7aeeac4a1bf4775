/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reader of the text logs in all formats: KFI v1, KFI v2, KFT to 2.6.36, formats 3 and later.
 *
 *	header lines			state HEAD	counters, "Name = value" lines
 *	" Entry    Delta ..."		the title: which columns there are
 *	"-------- -------- ..."		the rule: from here on, rows
 *	"  12  34  0 func caller ..."	state ROWS	blank lines, # comments and "." are none
 *	"# 12 12345 0 47 t switch .."	a mark, in the rows of formats 3 to 5
 *	"# check 64 0123abcd 4567cdef"	sums over the rows and marks since the last such line
 *	"Kernel Instrumentation Run"	the header of another run
 *	"[    1.234567] ..."		the same among the lines of a console: log_console.c
 *
 * A raw log (raw.h) is read through the same functions: its header is text, its rows are made.
 *
 * Rows are decoded in place; what cannot be read is counted and the first such line remembered.
 * Times come out in nanoseconds, from historic logs in whole microseconds. Called by kd, addr2sym.
 */
#ifndef KFI_LOG_H
#define KFI_LOG_H

#include "core/check.h"
#include "hash.h"
#include "in.h"
#include "kfi_abi.h"
#include "kfi_port_host.h"

#define KFI_LOG_NOTES	8
#define KFI_LOG_PRINTKS	16
#define KFI_LOG_COUNTERS	24
#define KFI_LOG_PRINTK_MAX	(S64_MAX / 4)	/* of a time in these */
#define KFI_LOG_EVENT	64	/* room for the name of an event */

/**
 * enum kfi_sampled - whether calls are those of samples
 * @KFI_SAMPLED_NOT: they are calls, and durations are durations
 * @KFI_SAMPLED_TIME: weights are nanoseconds between samples: sums are estimates of times
 * @KFI_SAMPLED_EVENTS: weights count events: no time follows from them
 */
enum kfi_sampled {
	KFI_SAMPLED_NOT,
	KFI_SAMPLED_TIME,
	KFI_SAMPLED_EVENTS,
};

/**
 * enum kfi_log_kind - what the rows look like
 * @KFI_LOG_V1: KFI v1, raw: hex without 0x, "i" behind the pid, delta 0 where the exit was not seen
 * @KFI_LOG_V1_NAMES: listing with v1's wide columns; made of v1 logs and of later ones alike
 * @KFI_LOG_KFT: KFI v2 and KFT: one blank between columns, -1 or "no exit", ".cpu", arguments
 * @KFI_LOG_FORMAT3: formats 3 and 4: more columns to the right
 * @KFI_LOG_PROFILE: a profile in these: sums of each function, no calls
 */
enum kfi_log_kind {
	KFI_LOG_V1,
	KFI_LOG_V1_NAMES,
	KFI_LOG_KFT,
	KFI_LOG_FORMAT3,
	KFI_LOG_PROFILE,
};

/**
 * enum kfi_log_line - what a line turned out to be
 * @KFI_LINE_OTHER: header, title, blank line, comment
 * @KFI_LINE_ROW: a row: a call
 * @KFI_LINE_WATCH: a row that is no call: it was found on a stack with little room left
 * @KFI_LINE_MARK: a mark: struct kfi_log_mark
 * @KFI_LINE_SUMS: a row of a profile: struct kfi_sums
 * @KFI_LINE_RULE: the rule: the header is over, what follows is of run number @run
 * @KFI_LINE_GAP: dots: rows were left out here by hand
 * @KFI_LINE_BAD: in the place of a row, and none
 * @KFI_LINE_CHECK: a check line
 */
enum kfi_log_line {
	KFI_LINE_OTHER,
	KFI_LINE_ROW,
	KFI_LINE_WATCH,
	KFI_LINE_MARK,
	KFI_LINE_SUMS,
	KFI_LINE_RULE,
	KFI_LINE_GAP,
	KFI_LINE_BAD,
	KFI_LINE_CHECK,
};

/* The first log format whose rows say how many calls below them have no row. */
#define KFI_BELOW_FORMAT	5

/**
 * struct kfi_row - one call of the log; slices point into the line
 * @entry_ns: entry, since the start trigger
 * @delta_ns: entry to exit; -1: exit not seen
 * @local_ns: what the function itself ran; -1: unknown, always so in historic logs
 * @off_ns: the part of @delta_ns for which the task was switched out; -1: unknown, always so in
 *	historic logs and where the title does not name it
 * @irq_ns: the part of @delta_ns that interrupts took; -1: unknown, as @off_ns
 * @func: function: name or address
 * @caller: call site: name, name+0xOFF or address
 * @args: argument columns of KFT, as they stand, else empty
 * @numbers: if not 0, @func and @caller are empty so far, see @numbers of struct kfi_log: bits of
 *	an address
 * @func_at: then the address of the function
 * @site: then that of the call site, U64_MAX: unknown
 * @pid: process, -1 in interrupt context
 * @task: process in whose context the call ran; @pid in historic logs
 * @cpu: processor, -1: unknown
 * @depth: nesting in its task from 1; 0: unknown, always so in historic logs
 * @ctx: enum kfi_ctx; historic interrupt rows count as KFI_CTX_HARDIRQ
 * @below: how many calls below it have no row; 0 before KFI_BELOW_FORMAT
 * @marks: mask of KFI_MARK_*; an exit not seen is KFI_MARK_OPEN in historic logs
 * @watch: it is a watch row, Delta -2: no call
 */
struct kfi_row {
	s64 entry_ns;
	s64 delta_ns;
	s64 local_ns;
	s64 off_ns;
	s64 irq_ns;
	struct kfi_str func;
	struct kfi_str caller;
	struct kfi_str args;
	u64 func_at;
	u64 site;
	s32 pid;
	s32 task;
	s32 cpu;
	u32 depth;
	u32 below;
	u8 ctx;
	u8 marks;
	bool watch;
	u8 numbers;
};

/**
 * struct kfi_log_mark - something that happened, and is no call; slices point into the line
 * @entry_ns: when, since the start trigger
 * @task: in which task
 * @cpu: on which processor
 * @ctx: enum kfi_ctx
 * @depth: open calls of the task and one more, of imports only; 0: not known
 * @kind: what: a word
 * @text: that word and all behind it
 */
struct kfi_log_mark {
	s64 entry_ns;
	s32 task;
	s32 cpu;
	u8 ctx;
	u32 depth;
	struct kfi_str kind;
	struct kfi_str text;
};

/**
 * struct kfi_sums - one function of a profile, times in nanoseconds; the slice points into the line
 * @func: name or address
 * @count: calls with a duration
 * @total: their durations
 * @local: their self time
 * @min: shortest
 * @max: longest
 * @off: the part of @total switched out
 * @irq: the part of @total in interrupts
 * @untimed: calls without a duration, in none of the above
 */
struct kfi_sums {
	struct kfi_str func;
	u64 count;
	u64 total;
	u64 local;
	u64 min;
	u64 max;
	u64 off;
	u64 irq;
	u64 untimed;
};

/**
 * struct kfi_log_printk - a moment, by two clocks
 * @entry_ns: on the axis of Entry
 * @printk_ns: what printk would have written
 */
struct kfi_log_printk {
	s64 entry_ns;
	u64 printk_ns;
};

/**
 * struct kfi_log_counter - a line of the header that counts calls without a row
 * @name: "Depth filter count", "Lost to log full" ...
 * @value: how many
 */
struct kfi_log_counter {
	char name[48];
	u64 value;
};

/**
 * struct kfi_log_head - values of the header; flags tell which lines it had
 * @id: "Kernel Instrumentation Run ID"
 * @format: "Log format", 0: not there
 * @text: "Text", where the kernel's _text was
 * @stext: "Kernel text", where the kernel's _stext was
 * @kaslr: "KASLR offset", by how much @text is more than where it was linked to
 * @rows: "Number of entries after filters"
 * @filtered: "Calls filtered"
 * @lost: "Calls lost"
 * @overwritten: "Lost to overwriting", a part of @lost
 * @word_bits: "Word size": bits of a register, 0: not there
 * @marks: "Marks kept"
 * @marks_lost: "Marks lost"
 * @watch_rows: "Watch rows"
 * @watch_lost: "Watch rows lost"
 * @left_out: "Calls left out" of an excerpt that a crash left
 * @marks_out: "Marks left out"
 * @watch_out: "Watch rows left out"
 * @chunks_dropped: "Chunks dropped" of a log from memory that outlived a reboot
 * @calls_dropped: "Calls dropped", with those chunks
 * @others_dropped: "Other rows dropped"
 * @chunks_missed: "Chunks missed": they were overwritten before they were copied there
 * @rounds: "Rounds" of an autorepeat
 * @steps_back: "Clock steps back"
 * @cost_ns: "Callout cost": the time of both hooks of a call that is kept
 * @filtered_cost_ns: and those of one that a time filter drops, 0: not there
 * @noints_cost_ns: and those of one in an interrupt that noints drops, 0: not there
 * @noints: how many noints dropped
 * @start_kernel_ns: "Clock at start_kernel": its value, if it counts from the reset of the
 *	machine, 0: not there
 * @mintime_us: "usecs minimum execution time"
 * @has_text: @text was there
 * @has_stext: @stext was there
 * @has_kaslr: @kaslr was there
 * @has_cost: @cost_ns was there
 * @has_rows: @rows was there
 * @start_us: "Logging started at", on the axis of the clock
 * @stop_us: "Logging stopped at", the same
 * @has_start: @start_us was there
 * @has_stop: @stop_us was there
 * @no_entry: it is not known when calls were entered: Entry is 0 (imports)
 * @sampled: calls are those of samples: durations are weights (imports)
 * @samples: how many samples, if so
 * @event: what was sampled
 * @start_by: why it started: the text behind @start_us, empty: not there
 * @stop_by: why it stopped, as in @start_by
 * @running: "Logging is running": the run had not stopped
 * @streamed: "Read while running": the rows came out of /proc/kfi_pipe
 * @no_run: "No logging run registered"
 * @build_id: "Build id", empty: not there
 * @kernel: "Kernel", the same
 * @clock: "Clock", the same
 * @filters: the lines below "Filters:", with semicolons between; cut if there is no room
 * @in_filters: such a line may come next
 * @ncounters: how many of @counter
 * @counter: lines that count calls by the reason why they have no row
 * @nprintk: how many of @printk
 * @printk: "Printk clock" lines
 * @nnotes: how many of @note
 * @note: "Note" lines
 */
struct kfi_log_head {
	u64 id;
	u64 format;
	u64 text;
	u64 stext;
	u64 kaslr;
	u64 rows;
	u64 filtered;
	u64 lost;
	u64 overwritten;
	u64 word_bits;
	u64 marks;
	u64 marks_lost;
	u64 watch_rows;
	u64 watch_lost;
	u64 left_out;
	u64 marks_out;
	u64 watch_out;
	u64 chunks_dropped;
	u64 calls_dropped;
	u64 others_dropped;
	u64 chunks_missed;
	u64 rounds;
	u64 steps_back;
	u64 cost_ns;
	u64 filtered_cost_ns;
	u64 noints_cost_ns;
	u64 noints;
	u64 start_kernel_ns;
	u64 mintime_us;
	bool has_text;
	bool has_stext;
	bool has_kaslr;
	bool has_cost;
	bool has_rows;
	u64 start_us;
	u64 stop_us;
	bool has_start;
	bool has_stop;
	bool no_entry;
	enum kfi_sampled sampled;
	u64 samples;
	char event[KFI_LOG_EVENT];
	char start_by[72];
	char stop_by[72];
	bool running;
	bool streamed;
	bool no_run;
	char build_id[72];
	char kernel[72];
	char clock[72];
	char filters[200];
	bool in_filters;
	u32 ncounters;
	struct kfi_log_counter counter[KFI_LOG_COUNTERS];
	u32 nprintk;
	struct kfi_log_printk printk[KFI_LOG_PRINTKS];
	u32 nnotes;
	char note[KFI_LOG_NOTES][160];
};

/**
 * kfi_log_head_span() - how long a run went on
 * @head: its header
 *
 * Return: microseconds, -1: the header does not say it.
 */
static inline s64 kfi_log_head_span(const struct kfi_log_head *head)
{
	u64 us = head->stop_us - head->start_us;

	return head->has_start && head->has_stop && us <= S64_MAX / 1000 ? (s64)us : -1;
}

/**
 * struct kfi_log_console - of a log among the lines of a console
 * @seen: it is one
 * @titled: a title was the last thing seen: dashes are its rule, and not any others
 * @named: a run has been named: lines before that belong to no log
 * @talk: something else came before
 * @stamped: the lines of the header have time stamps, so its rows have them, too
 * @chatter: lines of others among those of the log
 * @busy: the last line was a piece, or pieces wait
 * @aside: bytes of the last line that wait to be joined: a piece
 * @joined: the line that was made of pieces and the last one; in @text
 * @lost: pieces that the last line did not make whole; in @text
 * @len: bytes that wait
 * @text: they
 */
struct kfi_log_console {
	bool seen;
	bool titled;
	bool named;
	bool talk;
	bool stamped;
	u64 chatter;
	bool busy;
	u32 aside;
	struct kfi_str joined;
	struct kfi_str lost;
	u32 len;
	char text[512];
};

/**
 * struct kfi_log_checks - what check lines say, from format 4 on
 * @on: the run has such lines
 * @now: sums over rows and marks since the last one
 * @gap: dots are among these: nothing is known
 * @after: number of the last check line, or of the rule
 * @damaged: check lines that did not agree
 * @from: the first of these came behind this line
 * @to: and stands in that one
 */
struct kfi_log_checks {
	bool on;
	struct kfi_check now;
	bool gap;
	u64 after;
	u64 damaged;
	u64 from;
	u64 to;
};

struct kfi_import;
struct kfi_import_format;
struct kfi_log_raw;
struct kfi_ranges;
struct kfi_raw;

/**
 * struct kfi_log - one log being read
 * @in: where from
 * @ranges: where lines of a header go that say which code was where, or NULL; may be set between
 *	kfi_log_start() and kfi_log_begin()
 * @formats: readers of other tracers' logs, up to NULL; or NULL: only KFI's logs are read; may be
 *	set between kfi_log_start() and kfi_log_begin()
 * @input: the format that the input must have, as import/import.h names it, or NULL; may be set
 *	between kfi_log_start() and kfi_log_begin()
 * @vmlinux: ELF file of the kernel, for traces of its code, or NULL; may be set like @input
 * @event: the event whose samples are read, or NULL: the first one; may be set like @input
 * @named_ranges: names of addresses that are not in @vmlinux, or NULL; may be set like @input
 * @elf_files: ELF files that were in memory besides @vmlinux, or NULL; may be set like @input
 * @kaslr: how far the kernel was moved, or NULL: it is found; may be set like @input
 * @import: the reader of a log of another tracer, or NULL
 * @raw: the reader of raw logs; NULL: it is text
 * @follow: rows of a raw log are delivered as they come, in order of exit; other logs are rejected;
 *	may be set between kfi_log_start() and kfi_log_begin()
 * @numbers: calls of raw logs may come as numbers, without text: see kfi_log_names(); may be set
 *	after kfi_log_start()
 * @no_lines: there are no lines of core/serial.h, though there is what looks like one
 * @alike: that one, or NULL
 * @mark: the mark, if that is what the last line was
 * @sums: the row of a profile, the same
 * @kind: what rows look like; valid once in the rows
 * @head: header of the current run
 * @in_rows: in the rows of a run
 * @ruled: a rule has been seen
 * @args: the title names argument columns
 * @off_irq: the title names Off-ns and Irq-ns: each row has them (early logs of format 3 do not)
 * @zero_open: delta 0 means that the exit was not seen
 * @run: runs that had a rule, before this one, in the same input
 * @rows: calls read, those in the sums of profiles, too, of all runs
 * @rows_want: calls that the headers of all runs so far promise
 * @others: marks and watch rows read, of all runs
 * @others_want: those that the headers promise
 * @gaps: gap lines
 * @bad: lines in the place of a row that are none
 * @bad_line: number of the first of them
 * @bad_text: its beginning
 * @rows_before: @rows where the run began
 * @uncounted: a run whose header does not say how many calls it has
 * @console: where it stands among lines of a console
 * @checks: whether rows came through unharmed
 * @title: what kind the last title says: KFI_LOG_FORMAT3, KFI_LOG_PROFILE or any historic one
 */
struct kfi_log {
	struct kfi_in in;
	struct kfi_ranges *ranges;
	const struct kfi_import_format *const *formats;
	const char *input;
	const char *vmlinux;
	const char *event;
	const char *named_ranges;
	const char *elf_files;
	const char *kaslr;
	struct kfi_import *import;
	struct kfi_log_raw *raw;
	bool follow;
	bool numbers;
	bool no_lines;
	char *alike;
	struct kfi_log_mark mark;
	struct kfi_sums sums;
	enum kfi_log_kind kind;
	struct kfi_log_head head;
	bool in_rows;
	bool ruled;
	bool args;
	bool off_irq;
	bool zero_open;
	u32 run;
	u64 rows;
	u64 rows_want;
	u64 others;
	u64 others_want;
	u64 gaps;
	u64 bad;
	u64 bad_line;
	char bad_text[64];
	u64 rows_before;
	bool uncounted;
	struct kfi_log_console console;
	struct kfi_log_checks checks;
	enum kfi_log_kind title;
};

/**
 * kfi_log_start() - begin with a log
 * @log: filled, but for @log->in, which the caller opens (before or after)
 */
void kfi_log_start(struct kfi_log *log);

/**
 * kfi_log_feed() - understand one line
 * @log: the log; its in.line numbers the line in messages
 * @s: first byte
 * @len: length, without newline
 * @row: filled if it is a row, also one that is no call
 *
 * Return: its kind.
 */
enum kfi_log_line kfi_log_feed(struct kfi_log *log, const char *s, size_t len,
			       struct kfi_row *row);

/**
 * kfi_log_fast_row() - kfi_in_line() and kfi_log_feed() of the next line, if it is a plain row
 * @log: the log; on failure as it was
 * @s: set to the first byte of the line
 * @len: set to its length
 * @row: filled
 *
 * Return: whether it is a row, of a call; else nothing is known of the line.
 */
bool kfi_log_fast_row(struct kfi_log *log, const char **s, size_t *len, struct kfi_row *row);

/**
 * kfi_log_line() - kfi_log_feed() of a whole line without a stamp; for log_console.c
 * @log: the log
 * @s: first byte
 * @len: length
 * @row: filled if it is a row
 * @stamped: it had a stamp
 *
 * Return: its kind.
 */
enum kfi_log_line kfi_log_line(struct kfi_log *log, const char *s, size_t len,
			       struct kfi_row *row, bool stamped);

/**
 * kfi_log_console() - kfi_log_feed() of a line that is no plain row: stamps, pieces
 * @log: the log; @log->console says what became of the line
 * @s: first byte
 * @len: length
 * @row: filled if it is a row
 *
 * Return: its kind.
 */
enum kfi_log_line kfi_log_console(struct kfi_log *log, const char *s, size_t len,
				  struct kfi_row *row);

/**
 * kfi_log_stamp() - the stamps before the text of a console's line
 * @s: first byte
 * @len: length
 *
 * Return: length of "[    1.234567] " and the like; 0: there is none.
 */
size_t kfi_log_stamp(const char *s, size_t len);

/**
 * kfi_log_printk_stamp() - the same of a line that begins with printk's time
 * @s: first byte
 * @len: length
 * @ns: set to the time
 *
 * Return: its length, 0: none.
 */
size_t kfi_log_printk_stamp(const char *s, size_t len, u64 *ns);

/* Bytes of a check line at most, newline and NUL included. */
#define KFI_LOG_CHECK_MAX	48

/* What ends those that addr2sym has written: addresses are no longer there. */
#define KFI_LOG_CHECK_NAMES	" names"

/**
 * kfi_log_check_names() - check whether a check line is one of those
 * @s: first byte
 * @len: length, blanks at the end taken away
 *
 * Return: whether it is.
 */
bool kfi_log_check_names(const char *s, size_t len);

/**
 * kfi_log_check_text() - the check line that follows rows made from a raw log, with names
 * @c: sums over the rows made since the last one; unchanged if @c->on is not set
 * @row: the row that was made, with addresses; or NULL
 * @mark: or the mark
 * @sums: or the function of a profile; none of them: the log is over
 * @text: KFI_LOG_CHECK_MAX bytes; the line is put here, if there is one
 *
 * Return: bytes of @text, without a NUL; 0: no line follows here.
 */
size_t kfi_log_check_text(struct kfi_log_checks *c, const struct kfi_row *row,
			  const struct kfi_log_mark *mark, const struct kfi_sums *sums, char *text);

/**
 * kfi_log_bad() - count a line that is in the place of a row, and none
 * @log: the log
 * @s: first byte
 * @len: length
 */
void kfi_log_bad(struct kfi_log *log, const char *s, size_t len);

/**
 * kfi_log_row() - decode a line as a row, whatever stands around it
 * @log: the log, for kind, zero_open and off_irq
 * @s: first byte
 * @len: length, without newline
 * @row: filled if it is a row, else in disorder
 *
 * Return: whether it is one.
 */
bool kfi_log_row(const struct kfi_log *log, const char *s, size_t len, struct kfi_row *row);

/**
 * kfi_log_row_fixed() - decode the line that begins here, if all its columns are where they usually
 * are
 * @log: the log, for kind and off_irq
 * @s: first byte
 * @end: behind the last byte that is in memory
 * @row: filled if it is such a row, as kfi_log_row() would, else in disorder
 * @len: set to the length of the line, without newline, if it is one
 *
 * Return: whether it is one; else it may be a row all the same.
 */
bool kfi_log_row_fixed(const struct kfi_log *log, const char *s, const char *end,
		       struct kfi_row *row, size_t *len);

/**
 * kfi_log_mark() - decode a line as a mark
 * @s: first byte
 * @len: length, without newline
 * @mark: filled if it is a mark, else in disorder
 *
 * Return: whether it is one; any other line that begins with # is a comment.
 */
bool kfi_log_mark(const char *s, size_t len, struct kfi_log_mark *mark);

/**
 * kfi_log_sums() - decode a line as a row of a profile
 * @s: first byte
 * @len: length, without newline
 * @sums: filled if it is one, else in disorder
 *
 * Return: whether it is one.
 */
bool kfi_log_sums(const char *s, size_t len, struct kfi_sums *sums);

/**
 * kfi_log_head_line() - understand one line of a header
 * @head: filled with its value
 * @s: first byte, no blank
 * @len: length, the last byte is no blank
 */
void kfi_log_head_line(struct kfi_log_head *head, const char *s, size_t len);

/**
 * kfi_log_open() - open a log and read to its first row
 * @log: filled
 * @path: file, or "-"; must outlive @log
 * @err: set to the reason of a failure
 *
 * Return: 0; -EINVAL when it is not a log; another -errno. On success kfi_log_close() must follow.
 */
int kfi_log_open(struct kfi_log *log, const char *path, struct kfi_err *err);

/**
 * kfi_log_begin() - as kfi_log_open(), with log->in already opened
 * @log: kfi_log_start() has been called
 * @err: set to the reason of a failure
 *
 * Return: as kfi_log_open(); log->in stays open on failure.
 */
int kfi_log_begin(struct kfi_log *log, struct kfi_err *err);

/**
 * kfi_log_item() - the next line that says something, in the rows
 * @log: the log
 * @row: filled if it is a row; its slices, and those in @log, are valid until the next call
 * @err: set to the reason of a failure
 *
 * Return: KFI_LINE_ROW, KFI_LINE_WATCH, KFI_LINE_MARK, KFI_LINE_SUMS, or KFI_LINE_RULE where
 * another run begins, or, if @log->follow is set, where the header has changed; 0 at the end, or
 * -errno.
 */
int kfi_log_item(struct kfi_log *log, struct kfi_row *row, struct kfi_err *err);

/**
 * kfi_log_rows() - kfi_log_item() of the next ones, as far as they are calls and no text
 * @log: the log
 * @row: filled
 * @n: how many at most
 *
 * Return: how many; 0: kfi_log_item() has the next item.
 */
u32 kfi_log_rows(struct kfi_log *log, struct kfi_row *row, u32 n);

/**
 * kfi_log_next() - the next call; marks, watch rows and profiles are passed over
 * @log: the log
 * @row: filled; its slices are valid until the next call
 * @err: set to the reason of a failure
 *
 * Return: 1, 0 at the end, or -errno.
 */
int kfi_log_next(struct kfi_log *log, struct kfi_row *row, struct kfi_err *err);

/**
 * kfi_log_percent() - how far a log has been read
 * @log: any log
 *
 * Return: percent of the file, or of the raw log that is read; -1: not known.
 */
int kfi_log_percent(const struct kfi_log *log);

/**
 * kfi_log_check() - check whether all was read, after the last row
 * @log: the log
 * @err: the faults: bad lines, fewer rows than the header promises
 *
 * Return: 0, or -EBADMSG with the reason.
 */
int kfi_log_check(const struct kfi_log *log, struct kfi_err *err);

/**
 * kfi_log_is_raw() - check whether a line is the beginning of a raw log
 * @s: first byte
 * @len: length, without newline
 *
 * Return: true if so.
 */
bool kfi_log_is_raw(const char *s, size_t len);

/**
 * kfi_log_raw() - begin with a raw log; kfi_log_begin() does so by itself
 * @log: kfi_log_start() has been called, and a line was read that is KFI_RAW_LINE
 * @err: set to the reason of a failure
 *
 * Return: 0 when its first header has been read; -EINVAL when it is of no known version, or has no
 * rows; another -errno. kfi_log_raw_close() must follow in any case.
 */
int kfi_log_raw(struct kfi_log *log, struct kfi_err *err);

/**
 * kfi_log_lines() - begin with a raw log that came over a console as lines (lines.h);
 * kfi_log_begin() does so by itself
 * @log: kfi_log_start() has been called, and a line was read
 * @s: that line; set to where it is afterwards
 * @len: its length
 * @err: set to the reason of a failure
 *
 * Return: 1 when the first header has been read, 0 if there are no such lines; as kfi_log_raw().
 */
int kfi_log_lines(struct kfi_log *log, const char **s, size_t len, struct kfi_err *err);

/**
 * kfi_log_raw_rows() - kfi_log_rows() of a raw log
 * @log: the log
 * @row: filled
 * @n: how many at most
 *
 * Return: how many.
 */
u32 kfi_log_raw_rows(struct kfi_log *log, struct kfi_row *row, u32 n);

/**
 * kfi_log_raw_item() - kfi_log_item() of a raw log
 * @log: the log
 * @row: filled if it is a row
 * @err: set to the reason of a failure
 *
 * Return: as kfi_log_item().
 */
int kfi_log_raw_item(struct kfi_log *log, struct kfi_row *row, struct kfi_err *err);

/* Room for the text of two addresses. */
typedef char kfi_log_text[2][20];

/**
 * kfi_log_names() - make text of the function and the call site of a row; an unknown one is empty
 * @row: the row; one that has text is left as it is
 * @text: where to
 */
void kfi_log_names(struct kfi_row *row, kfi_log_text text);

/**
 * kfi_log_raw_text() - the header of a raw log
 * @log: the log
 *
 * Return: the lines, the rule included, valid until the next one is read.
 */
struct kfi_str kfi_log_raw_text(const struct kfi_log *log);

/**
 * kfi_log_raw_fault() - the first fault of a raw log
 * @log: any log
 *
 * Return: NULL: nothing so far, or it is text.
 */
const char *kfi_log_raw_fault(const struct kfi_log *log);

/**
 * kfi_log_raw_percent() - kfi_log_percent() of a raw log
 * @log: the log
 *
 * Return: percent, -1: its rows have not been counted yet.
 */
int kfi_log_raw_percent(const struct kfi_log *log);

/**
 * kfi_log_raw_close() - give back what kfi_log_raw() took
 * @log: any log
 */
void kfi_log_raw_close(struct kfi_log *log);

/**
 * kfi_log_close() - close what kfi_log_open() opened
 * @log: the log
 */
void kfi_log_close(struct kfi_log *log);

/**
 * kfi_log_mark_is() - check whether a mark is of a kind
 * @m: the mark
 * @kind: the word of the kind
 *
 * Return: true if so.
 */
bool kfi_log_mark_is(const struct kfi_log_mark *m, const char *kind);

/**
 * kfi_log_mark_addresses() - Return up to where the words of a mark may be addresses of functions.
 * @m: the mark: "initcall 0xADDRESS RESULT", "wakeup PID 0xADDRESS ...", "args 0xADDRESS ..."
 *
 * Return: the end of that part of its text; its beginning: no word is an address.
 */
const char *kfi_log_mark_addresses(const struct kfi_log_mark *m);

/**
 * kfi_str_hex_digits() - value of hex digits without 0x
 * @str: the text
 * @v: set to the value
 *
 * Return: false when it is not 1 to 16 hex digits.
 */
bool kfi_str_hex_digits(struct kfi_str str, u64 *v);

/**
 * kfi_str_hex() - value of an address as logs write it
 * @str: the text
 * @addr: set to the value
 *
 * Return: false when it is not 0x and 1 to 16 hex digits.
 */
bool kfi_str_hex(struct kfi_str str, u64 *addr);

#endif /* KFI_LOG_H */
