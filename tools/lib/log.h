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
 *	"[    1.234567] ..."		the same in a console log: see log_console.c
 *
 * A raw log (raw.h) is read by the same functions: its header is text, its rows are made from
 * records.
 *
 * Rows are decoded in place. Lines that cannot be read are counted, and the first is remembered.
 * Times are in nanoseconds; historic logs have whole microseconds. Called by kd and addr2sym.
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
 * enum kfi_sampled - whether rows are calls or samples
 * @KFI_SAMPLED_NOT: rows are calls, and durations are durations
 * @KFI_SAMPLED_TIME: weights are nanoseconds between samples: sums are estimates of times
 * @KFI_SAMPLED_EVENTS: weights count events: no time follows from them
 */
enum kfi_sampled {
	KFI_SAMPLED_NOT,
	KFI_SAMPLED_TIME,
	KFI_SAMPLED_EVENTS,
};

/**
 * enum kfi_log_kind - layouts of rows
 * @KFI_LOG_V1: KFI v1, raw: hex without 0x, "i" behind the pid, delta 0 where the exit was not seen
 * @KFI_LOG_V1_NAMES: listing with the wide columns of v1, of a v1 log or a later one
 * @KFI_LOG_KFT: KFI v2 and KFT: one blank between columns, -1 or "no exit", ".cpu", arguments
 * @KFI_LOG_FORMAT3: formats 3 and 4: more columns to the right
 * @KFI_LOG_PROFILE: a profile in these formats: sums of each function, no calls
 */
enum kfi_log_kind {
	KFI_LOG_V1,
	KFI_LOG_V1_NAMES,
	KFI_LOG_KFT,
	KFI_LOG_FORMAT3,
	KFI_LOG_PROFILE,
};

/**
 * enum kfi_log_line - kinds of lines
 * @KFI_LINE_OTHER: header, title, blank line, comment
 * @KFI_LINE_ROW: a row: a call
 * @KFI_LINE_WATCH: a row that is no call: a function found on a stack with little room left
 * @KFI_LINE_MARK: a mark: struct kfi_log_mark
 * @KFI_LINE_SUMS: a row of a profile: struct kfi_sums
 * @KFI_LINE_RULE: the rule: the header has ended; rows of run number @run follow
 * @KFI_LINE_GAP: dots: rows were left out here by hand
 * @KFI_LINE_BAD: a line in the place of a row that is no row
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

/* The first log format whose rows tell how many calls below them have no row. */
#define KFI_BELOW_FORMAT	5

/**
 * struct kfi_row - a call of the log; slices point into the line
 * @entry_ns: time of the entry since the start trigger
 * @delta_ns: duration; -1: the exit was not seen
 * @local_ns: self time; -1: unknown, always so in historic logs
 * @off_ns: the part of @delta_ns for which the task was switched out; -1: unknown, always so in
 *	historic logs and where the title does not name it
 * @irq_ns: the part of @delta_ns that interrupts took; -1: unknown, as @off_ns
 * @func: name or address of the function
 * @caller: call site: name, name+0xOFF or address
 * @args: argument columns of KFT as text, else empty
 * @numbers: 0, or the number of bits of an address: then @func and @caller are empty; see @numbers
 *	of struct kfi_log
 * @func_at: address of the function, if @numbers is not 0
 * @site: address of the call site, if @numbers is not 0; U64_MAX: unknown
 * @pid: process, -1 in interrupt context
 * @task: process in whose context the call ran; @pid in historic logs
 * @cpu: processor, -1: unknown
 * @depth: nesting in its task from 1; 0: unknown, always so in historic logs
 * @ctx: enum kfi_ctx; historic interrupt rows count as KFI_CTX_HARDIRQ
 * @below: number of calls below it that have no row; 0 before KFI_BELOW_FORMAT
 * @marks: mask of KFI_MARK_*; an exit not seen is KFI_MARK_OPEN in historic logs
 * @watch: it is a watch row, whose Delta is -2: no call
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
 * struct kfi_log_mark - a mark; slices point into the line
 * @entry_ns: time since the start trigger
 * @task: the task
 * @cpu: the processor
 * @ctx: enum kfi_ctx
 * @depth: imports: number of open calls of the task plus 1; 0: unknown
 * @kind: first word of the text
 * @text: the text, including @kind
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
 * struct kfi_sums - a row of a profile, times in nanoseconds; the slice points into the line
 * @func: name or address
 * @count: number of calls with a duration
 * @total: sum of their durations
 * @local: sum of their self times
 * @min: shortest duration
 * @max: longest duration
 * @off: the part of @total switched out
 * @irq: the part of @total in interrupts
 * @untimed: number of calls without a duration, which count in none of the above
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
 * struct kfi_log_printk - a moment on two clocks
 * @entry_ns: time on the axis of Entry
 * @printk_ns: time of printk
 */
struct kfi_log_printk {
	s64 entry_ns;
	u64 printk_ns;
};

/**
 * struct kfi_log_counter - a line of the header that counts calls without a row
 * @name: "Depth filter count", "Lost to log full" ...
 * @value: the number
 */
struct kfi_log_counter {
	char name[48];
	u64 value;
};

/**
 * struct kfi_log_head - values of the header; flags tell which lines it has
 * @id: "Kernel Instrumentation Run ID"
 * @has_id: @id was there
 * @check: sum over its lines, as of its check line
 * @is_checked: it has such a line
 * @format: "Log format", 0: not there
 * @text: "Text", where the kernel's _text was
 * @stext: "Kernel text", where the kernel's _stext was
 * @kaslr: "KASLR offset": difference between @text and the address that was linked
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
 * @rounds: "Rounds": number of iterations of a session with autorepeat
 * @steps_back: "Clock steps back"
 * @cost_ns: time of both hooks of a call that is kept; its line of the header has a historic name
 * @filtered_cost_ns: time of both hooks of a call that a time filter drops, 0: not there
 * @noints_cost_ns: time of both hooks of a call in an interrupt that noints drops, 0: not there
 * @noints: number of calls that noints dropped
 * @start_kernel_ns: "Clock at start_kernel": value of the clock, if it counts from the reset of the
 *	machine, 0: not there
 * @mintime_us: "usecs minimum execution time"
 * @has_text: @text was there
 * @has_stext: @stext was there
 * @has_kaslr: @kaslr was there
 * @has_cost: @cost_ns was there
 * @has_rows: @rows was there
 * @start_us: "Logging started at", on the clock of the log
 * @stop_us: "Logging stopped at", on the clock of the log
 * @has_start: @start_us was there
 * @has_stop: @stop_us was there
 * @no_entry: imports: times of entry are unknown, and Entry is 0
 * @sampled: imports: rows are samples, and durations are weights
 * @samples: number of samples
 * @event: event that was sampled
 * @start_by: reason of the start: the text behind @start_us, empty: not there
 * @stop_by: reason of the stop: the text behind @stop_us, empty: not there
 * @running: "Logging is running": the run had not stopped
 * @streamed: "Read while running": the rows came out of /proc/kfi_pipe
 * @no_run: "No logging run registered"
 * @build_id: "Build id", empty: not there
 * @kernel: "Kernel", empty: not there
 * @clock: "Clock", empty: not there
 * @filters: the lines below "Filters:", with semicolons between; cut if there is no room
 * @in_filters: the next line may be one of these
 * @ncounters: length of @counter
 * @counter: lines that count calls without a row by reason
 * @nprintk: length of @printk
 * @printk: "Printk clock" lines
 * @nnotes: length of @note
 * @note: "Note" lines
 */
struct kfi_log_head {
	u64 id;
	bool has_id;
	u64 check;
	bool is_checked;
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
 * kfi_log_head_span() - return how long a run took
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
 * struct kfi_log_console - state of reading a console log
 * @seen: the log stands in a console log
 * @titled: the last line of the log was a title: the next dashes are its rule
 * @named: a run has begun: lines before it belong to no log
 * @others_before: other lines came before the log
 * @stamped: the lines of the header have time stamps, so the rows have them, too
 * @others_within: number of other lines among those of the log
 * @busy: the last line was a piece, or pieces are kept
 * @aside: number of bytes of the last line that were kept as a piece
 * @joined: the line that was joined from pieces and the last line; points into @text
 * @lost: pieces that the last line did not complete; points into @text
 * @len: number of bytes of pieces
 * @text: the pieces
 */
struct kfi_log_console {
	bool seen;
	bool titled;
	bool named;
	bool others_before;
	bool stamped;
	u64 others_within;
	bool busy;
	u32 aside;
	struct kfi_str joined;
	struct kfi_str lost;
	u32 len;
	char text[512];
};

/**
 * struct kfi_log_checks - state of checking rows by check lines (from format 4 on)
 * @on: the run may have such lines
 * @due: it has had one, so that there must be one behind the last lines, too
 * @now: sums over rows and marks since the last check line
 * @gap: a line of dots is among these, so the sums are not compared
 * @after: number of the last check line, or of the rule
 * @heads: number of headers that do not agree with their check line, or should have one
 * @damaged: number of check lines that did not agree
 * @from: line before the first damaged part
 * @to: number of its check line
 * @why: the first reason behind KFI_LOG_CHECK_DAMAGED; empty: none
 */
struct kfi_log_checks {
	bool on;
	bool due;
	struct kfi_check now;
	bool gap;
	u64 after;
	u64 heads;
	u64 damaged;
	u64 from;
	u64 to;
	char why[320];
};

/**
 * struct kfi_log_count - how many lines a header announces, and how many its session has
 * @want: number that the header announces
 * @have: number that were read
 * @number: number of the session in the file, from 1; 0: there is no fault
 */
struct kfi_log_count {
	u64 want;
	u64 have;
	u32 number;
};

/**
 * struct kfi_log_counts - faults of the sessions so far: the first one of each kind
 * @few_rows: calls are missing, besides lines that could not be read
 * @many_rows: there are too many calls
 * @few_others: marks or watch rows are missing
 * @unchecked: no check line is behind the last lines, @want
 */
struct kfi_log_counts {
	struct kfi_log_count few_rows;
	struct kfi_log_count many_rows;
	struct kfi_log_count few_others;
	struct kfi_log_count unchecked;
};

/**
 * struct kfi_log_session - the current session, to compare what it has with what its header says
 * @rows: @rows of the log when it began
 * @others: @others of the log then
 * @gaps: @gaps of the log then
 * @bad: @bad of the log then
 * @rows_want: number of calls that the header announces
 * @others_want: number of marks and watch rows that it announces
 * @counted: the header has the number of calls
 */
struct kfi_log_session {
	u64 rows;
	u64 others;
	u64 gaps;
	u64 bad;
	u64 rows_want;
	u64 others_want;
	bool counted;
};

struct kfi_import;
struct kfi_import_format;
struct kfi_log_raw;
struct kfi_ranges;
struct kfi_raw;

/**
 * struct kfi_log - a log that is being read
 * @in: the input
 * @ranges: filled with the header lines that tell which code was where, or NULL; may be set between
 *	kfi_log_start() and kfi_log_begin()
 * @formats: readers of other tracers' logs, up to NULL; or NULL: only KFI's logs are read; may be
 *	set between kfi_log_start() and kfi_log_begin()
 * @input: name of the format that the input must have, as in import/import.h, or NULL; may be set
 *	between kfi_log_start() and kfi_log_begin()
 * @vmlinux: ELF file of the kernel, for traces of its code, or NULL; may be set like @input
 * @event: the event whose samples are read, or NULL: the first one; may be set like @input
 * @named_ranges: names of addresses that are not in @vmlinux, or NULL; may be set like @input
 * @elf_files: ELF files that were in memory besides @vmlinux, or NULL; may be set like @input
 * @kaslr: how far the kernel was moved, or NULL: it is found; may be set like @input
 * @import: state of reading another tracer's log, or NULL
 * @raw: state of reading raw logs; NULL: the log is text
 * @follow: rows of a raw log are delivered as they come, in order of exit; other logs are rejected;
 *	may be set between kfi_log_start() and kfi_log_begin()
 * @numbers: the caller takes calls of raw logs as numbers: see kfi_log_names(); may be set after
 *	kfi_log_start()
 * @both: if a console has both a text log and lines of core/serial.h, the one that comes later is
 *	read, too: its runs follow; may be set after kfi_log_start()
 * @no_lines: the input has no lines of core/serial.h, although one looks like it; or they were read
 * @copied_line: copy of that line, or NULL
 * @mark: the mark, if the last line is a mark
 * @sums: the row of a profile, if the last line is such a row
 * @kind: layout of the rows; valid in the rows of a run
 * @head: header of the current run
 * @in_rows: the rows of a run have begun
 * @ruled: a rule was read
 * @args: the title names argument columns
 * @off_irq: the title names Off-ns and Irq-ns: each row has them (early logs of format 3 do not)
 * @zero_open: delta 0 means that the exit was not seen
 * @run: number of runs with a rule before this one
 * @rows: number of calls in all runs so far, including those in sums of profiles
 * @others: number of marks and watch rows in all runs so far
 * @gaps: number of lines of dots
 * @bad: number of lines in the place of a row that are no row
 * @bad_line: number of the first such line
 * @bad_text: its first characters
 * @rows_before: @rows when the run began
 * @session: the current run, as its header announces it
 * @counts: what the runs before it have too much or too little
 * @console: state of reading a console log
 * @checks: state of checking the rows
 * @title: layout that the last title shows: KFI_LOG_FORMAT3, KFI_LOG_PROFILE or any historic one
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
	bool both;
	bool no_lines;
	char *copied_line;
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
	u64 others;
	u64 gaps;
	u64 bad;
	u64 bad_line;
	char bad_text[64];
	u64 rows_before;
	struct kfi_log_session session;
	struct kfi_log_counts counts;
	struct kfi_log_console console;
	struct kfi_log_checks checks;
	enum kfi_log_kind title;
};

/**
 * kfi_log_start() - prepare to read a log
 * @log: filled, but for @log->in, which the caller opens before or after
 */
void kfi_log_start(struct kfi_log *log);

/**
 * kfi_log_feed() - handle a line
 * @log: the log; its in.line numbers the line in messages
 * @s: first byte
 * @len: length, without newline
 * @row: filled if it is a row, also a watch row
 *
 * Return: kind of the line.
 */
enum kfi_log_line kfi_log_feed(struct kfi_log *log, const char *s, size_t len,
			       struct kfi_row *row);

/**
 * kfi_log_fast_row() - do kfi_in_line() and kfi_log_feed() of the next line if it is a plain row
 * @log: the log; unchanged on failure
 * @s: set to the first byte of the line
 * @len: set to its length
 * @row: filled
 *
 * Return: true if it is the row of a call; otherwise the line must be read again.
 */
bool kfi_log_fast_row(struct kfi_log *log, const char **s, size_t *len, struct kfi_row *row);

/**
 * kfi_log_line() - do kfi_log_feed() of a whole line without a stamp; for log_console.c
 * @log: the log
 * @s: first byte
 * @len: length
 * @row: filled if it is a row
 * @stamped: the line had a stamp
 *
 * Return: kind of the line.
 */
enum kfi_log_line kfi_log_line(struct kfi_log *log, const char *s, size_t len,
			       struct kfi_row *row, bool stamped);

/**
 * kfi_log_is_title() - find the line with which a log begins
 * @s: first byte of a line without a stamp
 * @len: length
 *
 * Return: true if it is that line.
 */
bool kfi_log_is_title(const char *s, size_t len);

/**
 * kfi_log_console() - do kfi_log_feed() of a line that is no plain row: join pieces, skip stamps
 * @log: the log; @log->console is set to what became of the line
 * @s: first byte
 * @len: length
 * @row: filled if it is a row
 *
 * Return: kind of the line.
 */
enum kfi_log_line kfi_log_console(struct kfi_log *log, const char *s, size_t len,
				  struct kfi_row *row);

/**
 * kfi_log_stamp() - find the stamps before the text of a console line
 * @s: first byte
 * @len: length
 *
 * Return: length of "[ 1.234567] ", "12:00:01.123 " and similar stamps; 0: none.
 */
size_t kfi_log_stamp(const char *s, size_t len);

/**
 * kfi_log_printk_stamp() - find the stamp of a line that begins with printk's time
 * @s: first byte
 * @len: length
 * @ns: set to the time
 *
 * Return: length of the stamp, 0: none.
 */
size_t kfi_log_printk_stamp(const char *s, size_t len, u64 *ns);

/* Largest size of a check line, newline and NUL included. */
#define KFI_LOG_CHECK_MAX	48

/* End of check lines that addr2sym has written: addresses were replaced by names. */
#define KFI_LOG_CHECK_NAMES	" names"

/* The last check line that addr2sym writes for a damaged raw log; the reason follows. */
#define KFI_LOG_CHECK_DAMAGED	"# check damaged: "

/**
 * kfi_log_check_names() - check whether a line is a check line with KFI_LOG_CHECK_NAMES
 * @s: first byte
 * @len: length without blanks at the end
 *
 * Return: true if so.
 */
bool kfi_log_check_names(const char *s, size_t len);

/**
 * kfi_log_check_text() - write the check line for rows made from a raw log, with names
 * @c: sums over the rows since the last check line; unchanged if @c->on is not set
 * @row: the row that was made, with addresses; or NULL
 * @mark: the mark that was made, or NULL
 * @sums: the function of a profile that was made, or NULL; all three NULL: the log ends
 * @text: filled with the line, if there is one; KFI_LOG_CHECK_MAX bytes
 *
 * Return: length of @text, without a NUL; 0: no line follows here.
 */
size_t kfi_log_check_text(struct kfi_log_checks *c, const struct kfi_row *row,
			  const struct kfi_log_mark *mark, const struct kfi_sums *sums, char *text);

/**
 * kfi_log_bad() - count a line in the place of a row that is no row
 * @log: the log
 * @s: first byte
 * @len: length
 */
void kfi_log_bad(struct kfi_log *log, const char *s, size_t len);

/**
 * kfi_log_row() - decode a line as a row, whatever lines stand around it
 * @log: the log, for kind, zero_open and off_irq
 * @s: first byte
 * @len: length, without newline
 * @row: filled if it is a row, else undefined
 *
 * Return: true if it is a row.
 */
bool kfi_log_row(const struct kfi_log *log, const char *s, size_t len, struct kfi_row *row);

/**
 * kfi_log_row_fixed() - decode the line at a place as a row if all columns are in their usual
 * places
 * @log: the log, for kind and off_irq
 * @s: first byte
 * @end: end of the bytes in memory
 * @row: filled as by kfi_log_row() if it is such a row, else undefined
 * @len: set to the length of the line, without newline, if it is such a row
 *
 * Return: true if it is such a row; otherwise it may be another row.
 */
bool kfi_log_row_fixed(const struct kfi_log *log, const char *s, const char *end,
		       struct kfi_row *row, size_t *len);

/**
 * kfi_log_mark() - decode a line as a mark
 * @s: first byte
 * @len: length, without newline
 * @mark: filled if it is a mark, else undefined
 *
 * Return: true if it is a mark; other lines that begin with # are comments.
 */
bool kfi_log_mark(const char *s, size_t len, struct kfi_log_mark *mark);

/**
 * kfi_log_sums() - decode a line as a row of a profile
 * @s: first byte
 * @len: length, without newline
 * @sums: filled if it is such a row, else undefined
 *
 * Return: true if it is such a row.
 */
bool kfi_log_sums(const char *s, size_t len, struct kfi_sums *sums);

/**
 * kfi_log_head_line() - handle a line of a header
 * @head: filled with the value of the line
 * @s: first byte, no blank
 * @len: length, the last byte is no blank
 */
void kfi_log_head_line(struct kfi_log_head *head, const char *s, size_t len);

/**
 * kfi_log_open() - open a log and read up to its first row
 * @log: filled
 * @path: file, or "-"; must outlive @log
 * @err: set to the reason of a failure
 *
 * Return: 0; -EINVAL: not a log; another -errno. On success kfi_log_close() must follow.
 */
int kfi_log_open(struct kfi_log *log, const char *path, struct kfi_err *err);

/**
 * kfi_log_begin() - do the same as kfi_log_open() with log->in already opened
 * @log: kfi_log_start() has been called
 * @err: set to the reason of a failure
 *
 * Return: as kfi_log_open(); log->in stays open on failure.
 */
int kfi_log_begin(struct kfi_log *log, struct kfi_err *err);

/**
 * kfi_log_item() - read the next row, mark or rule
 * @log: the log
 * @row: filled if it is a row; its slices, and those in @log, are valid until the next call
 * @err: set to the reason of a failure
 *
 * Return: KFI_LINE_ROW, KFI_LINE_WATCH, KFI_LINE_MARK, KFI_LINE_SUMS; KFI_LINE_RULE where another
 * run begins or, with @log->follow, where the header has changed; 0 at the end; or -errno.
 */
int kfi_log_item(struct kfi_log *log, struct kfi_row *row, struct kfi_err *err);

/**
 * kfi_log_rows() - read the next calls, as far as they need no text
 * @log: the log
 * @row: filled
 * @n: largest number of rows
 *
 * Return: number of rows; 0: kfi_log_item() has the next item.
 */
u32 kfi_log_rows(struct kfi_log *log, struct kfi_row *row, u32 n);

/**
 * kfi_log_next() - read the next call; skip marks, watch rows and profiles
 * @log: the log
 * @row: filled; its slices are valid until the next call
 * @err: set to the reason of a failure
 *
 * Return: 1, 0 at the end, or -errno.
 */
int kfi_log_next(struct kfi_log *log, struct kfi_row *row, struct kfi_err *err);

/**
 * kfi_log_percent() - return how much of a log has been read
 * @log: any log
 *
 * Return: percent of the file, or of the current raw log; -1: unknown.
 */
int kfi_log_percent(const struct kfi_log *log);

/**
 * kfi_log_check() - check after the last row whether everything could be read
 * @log: the log
 * @err: set to the faults: bad lines, fewer rows than the header announces
 *
 * Return: 0, or -EBADMSG with the reason.
 */
int kfi_log_check(const struct kfi_log *log, struct kfi_err *err);

/**
 * struct kfi_log_tally - what the caller of kfi_log_item() counts for kfi_log_faults()
 * @format: the highest log format of a run
 * @calls: number of calls
 * @late: number of calls that stand behind a call of their run that was entered later
 * @misplaced: the part of @late in runs whose calls must be in order of entry
 * @marks: number of marks
 * @misplaced_marks: number of marks that are not between the calls and marks of their time
 * @last_ns: entry of the last call of the current run; -1: there was none
 * @mark_ns: time of the last mark of the current run, -1: there was none, or it is misplaced
 * @ordered: the calls and marks of the current run must be in order of time
 */
struct kfi_log_tally {
	u64 format;
	u64 calls;
	u64 late;
	u64 misplaced;
	u64 marks;
	u64 misplaced_marks;
	s64 last_ns;
	s64 mark_ns;
	bool ordered;
};

/**
 * kfi_log_tally_begin() - begin to count the calls of a run
 * @tally: zeroed before the first run
 * @log: the log, after the header of the run
 */
static inline void kfi_log_tally_begin(struct kfi_log_tally *tally, const struct kfi_log *log)
{
	tally->format = max_t(u64, tally->format, log->head.format);
	tally->last_ns = -1;
	tally->mark_ns = -1;
	tally->ordered = log->kind >= KFI_LOG_FORMAT3 && !log->follow;
}

/**
 * kfi_log_tally_row() - count a call
 * @tally: kfi_log_tally_begin() was called for its run
 * @row: the call, no watch row
 */
static inline void kfi_log_tally_row(struct kfi_log_tally *tally, const struct kfi_row *row)
{
	bool late = row->entry_ns < tally->last_ns;

	tally->calls++;
	tally->late += late;
	tally->misplaced += late & tally->ordered;
	tally->last_ns = row->entry_ns;
	if (unlikely(row->entry_ns < tally->mark_ns)) {
		/* Count the mark before this call once. */
		tally->misplaced_marks += !late & tally->ordered;
		tally->mark_ns = -1;
	}
}

/**
 * kfi_log_tally_mark() - count a mark
 * @tally: kfi_log_tally_begin() was called for its run
 * @mark: the mark
 */
static inline void kfi_log_tally_mark(struct kfi_log_tally *tally, const struct kfi_log_mark *mark)
{
	bool late = mark->entry_ns < tally->last_ns || mark->entry_ns < tally->mark_ns;

	tally->marks++;
	tally->misplaced_marks += late & tally->ordered;
	tally->mark_ns = late ? -1 : mark->entry_ns;
}

/* Largest number of faults that kfi_log_faults() finds. */
#define KFI_LOG_FAULTS	4

/**
 * kfi_log_faults() - find the faults of a log after the last row
 * @log: the log
 * @tally: counts of the runs that the caller uses
 * @fault: filled with one text for each: kfi_log_check(), an unknown log format, rows and
 *	marks out of order
 *
 * Return: number of faults; each makes the exit status 1.
 */
u32 kfi_log_faults(const struct kfi_log *log, const struct kfi_log_tally *tally,
		   struct kfi_err fault[KFI_LOG_FAULTS]);

/**
 * kfi_log_is_raw() - check whether a line is the beginning of a raw log
 * @s: first byte
 * @len: length, without newline
 *
 * Return: true if so.
 */
bool kfi_log_is_raw(const char *s, size_t len);

/**
 * kfi_log_raw() - begin to read a raw log; called by kfi_log_begin()
 * @log: after kfi_log_start(); the line KFI_RAW_LINE has been read
 * @err: set to the reason of a failure
 *
 * Return: 0: the first header has been read; -EINVAL: unknown version, or no rows; another -errno.
 * kfi_log_raw_close() must follow in any case.
 */
int kfi_log_raw(struct kfi_log *log, struct kfi_err *err);

/**
 * kfi_log_lines() - begin to read a raw log that came as lines (lines.h); called by kfi_log_begin()
 * @log: after kfi_log_start(); a line has been read
 * @s: that line; set to its new place
 * @len: its length
 * @err: set to the reason of a failure
 *
 * Return: 1: the first header has been read; 0: there are no such lines; -errno as kfi_log_raw().
 */
int kfi_log_lines(struct kfi_log *log, const char **s, size_t len, struct kfi_err *err);

/**
 * kfi_log_raw_rows() - do kfi_log_rows() of a raw log
 * @log: the log
 * @row: filled
 * @n: largest number of rows
 *
 * Return: number of rows.
 */
u32 kfi_log_raw_rows(struct kfi_log *log, struct kfi_row *row, u32 n);

/**
 * kfi_log_raw_item() - do kfi_log_item() of a raw log
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
 * kfi_log_names() - make text of the addresses of a row; an unknown one becomes empty
 * @row: the row; unchanged if it has text
 * @text: room for the text
 */
void kfi_log_names(struct kfi_row *row, kfi_log_text text);

/**
 * kfi_log_raw_text() - return the header of a raw log
 * @log: the log
 *
 * Return: its lines, including the rule, valid until the next header is read.
 */
struct kfi_str kfi_log_raw_text(const struct kfi_log *log);

/**
 * kfi_log_raw_fault() - return the first fault of a raw log
 * @log: any log
 *
 * Return: the fault, NULL: none so far, or not a raw log.
 */
const char *kfi_log_raw_fault(const struct kfi_log *log);

/**
 * kfi_log_has_records() - check whether rows are made from records
 * @log: any log
 *
 * Return: false if they are lines of text.
 */
bool kfi_log_has_records(const struct kfi_log *log);

/**
 * kfi_log_text_item() - do kfi_log_item() of text; for log_raw.c
 * @log: the log
 * @row: filled if it is a row
 * @err: set to the reason of a failure
 *
 * Return: as kfi_log_item().
 */
int kfi_log_text_item(struct kfi_log *log, struct kfi_row *row, struct kfi_err *err);

/**
 * kfi_log_raw_percent() - do kfi_log_percent() of a raw log
 * @log: the log
 *
 * Return: percent, -1: its rows have not been counted yet.
 */
int kfi_log_raw_percent(const struct kfi_log *log);

/**
 * kfi_log_raw_close() - free what kfi_log_raw() allocated
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
 * @kind: word of the kind
 *
 * Return: true if so.
 */
bool kfi_log_mark_is(const struct kfi_log_mark *m, const char *kind);

/**
 * kfi_log_mark_addresses() - return the end of the words of a mark that may be addresses of
 * functions
 * @m: the mark: "initcall 0xADDRESS RESULT", "wakeup PID 0xADDRESS ...", "args 0xADDRESS ..."
 *
 * Return: pointer into its text; the begin of the text: no word is an address.
 */
const char *kfi_log_mark_addresses(const struct kfi_log_mark *m);

/**
 * kfi_str_hex_digits() - parse hex digits without 0x
 * @str: the text
 * @v: set to the value
 *
 * Return: false if it is not 1 to 16 hex digits.
 */
bool kfi_str_hex_digits(struct kfi_str str, u64 *v);

/**
 * kfi_str_hex() - parse an address as logs have it
 * @str: the text
 * @addr: set to the value
 *
 * Return: false if it is not 0x and 1 to 16 hex digits.
 */
bool kfi_str_hex(struct kfi_str str, u64 *addr);

#endif /* KFI_LOG_H */
