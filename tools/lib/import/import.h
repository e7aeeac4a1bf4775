/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Logs of other tracers: ftrace, QEMU, perf, and each format that has a reader in this folder.
 *
 *	lines of the input -> reader of a format (struct kfi_import_format)
 *	  -> kfi_import_enter(), _exit(), _mark(), _switch()	in the order of the input
 *	  -> records in a temporary file, each with the duration that its exit has brought
 *	  -> kfi_import_item(): rows and marks as log.h has them, in order of entry
 *
 * An input may have several boots, or traces, one after the other: a reader calls
 * kfi_import_next_run() where another one begins.
 *
 * kd works on rows and marks only. A reader passes on what its input has. What it leaves out, such
 * as a duration, Off-ns or the task, is unknown to kd.
 *
 * In a trace the exit of a call comes later than its entry, but a row has both. So the records stay
 * in a file (in $TMPDIR) until the input has ended, packed: see spool.h. Memory use grows with
 * functions, tasks and open calls. Called by log.c.
 */
#ifndef KFI_IMPORT_H
#define KFI_IMPORT_H

#include "err.h"
#include "hash.h"
#include "kfi_port_host.h"
#include "log.h"

/* Names of formats in --input, for help and messages. */
#define KFI_IMPORT_NAMES	"kfi, ftrace, trace.dat, qemu, initcalls, perf"

struct kfi_import;

/**
 * struct kfi_import_format - a format, and its reader
 * @name: its name in --input
 * @what: its name in messages
 * @weak: the input may be a console log, in which a KFI log follows
 * @is: checks whether a line is of this format and of no other; for binary formats the first line
 * @begin: allocates @im->state; or NULL
 * @line: reads a line. The first one is the line that @is has accepted. @im->in.line is its number.
 *	Return: 0, also for a line that it has reported to kfi_import_bad(); or -errno
 * @whole: instead of @line: reads all of @im->in, whose next byte is behind that first line.
 *	Return: 0 or -errno
 * @end: called when the input has ended; or NULL. Return: 0 or -errno
 * @free: frees @im->state, which may be NULL; or NULL
 */
struct kfi_import_format {
	const char *name;
	const char *what;
	bool weak;
	bool (*is)(const char *s, size_t len);
	int (*begin)(struct kfi_import *im, struct kfi_err *err);
	int (*line)(struct kfi_import *im, const char *s, size_t len, struct kfi_err *err);
	int (*whole)(struct kfi_import *im, const char *s, size_t len, struct kfi_err *err);
	int (*end)(struct kfi_import *im, struct kfi_err *err);
	void (*free)(struct kfi_import *im);
};

/**
 * struct kfi_import_at - time and place of an event
 * @ns: nanoseconds on the clock of the input; -1: unknown
 * @cpu: processor, -1: unknown
 * @ctx: enum kfi_ctx
 */
struct kfi_import_at {
	s64 ns;
	s32 cpu;
	u8 ctx;
};

struct kfi_import_run;
struct kfi_import_thread;
struct kfi_spool;
struct kfi_spool_rec;

/**
 * struct kfi_import - an input that is being read; a reader uses the members up to @irqs
 * @log: the log: @log->in is the input, and a reader may fill @log->head
 * @format: its format
 * @state: state of the reader
 * @irqs: the reader sets the context of calls, so Irq-ns is known
 * @first_ns: time of the first call or mark, at which Entry is 0; -1: none had a time
 * @last_ns: time of the last call or mark
 * @no_times: a call or mark had no time, so Entry is unknown
 * @switches: there were switches of tasks, so Off-ns is known
 * @flat: entries have no depth, so the caller of a call is the one that its row names
 * @root_caller: the caller of calls that have none in the log; KFI_NONE: unknown
 * @no_entry: number of exits without an entry
 * @unwound: number of calls that were over and whose exits are missing
 * @records: number of calls and marks of the run that is read
 * @calls: number of its calls
 * @first_thread: number of its first thread
 * @run: the runs that have ended
 * @nruns: how many
 * @run_room: for how many there is room
 * @left: number of records of the current run that have not been delivered
 * @bad_column: column of the error in the first bad line
 * @bad_byte: the byte after which a binary input is damaged; 0: none
 * @bad_why: what is wrong at @bad_column or @bad_byte
 * @funcs: names of functions; addresses as 0xADDRESS
 * @of_address: maps an address to its number in @funcs; private, as is the rest
 * @address: by number of a function: its address, U64_MAX: it has a name
 * @address_room: for how many there is room
 * @comms: names of tasks
 * @thread: threads of execution
 * @nthreads: how many
 * @thread_room: for how many there is room
 * @of_task: maps a task to its thread
 * @spool: the records
 * @ahead: the record that was read ahead and not delivered yet, or NULL
 * @names: room for addresses of the last row as text
 * @text: room for the text of a mark
 */
struct kfi_import {
	struct kfi_log *log;
	const struct kfi_import_format *format;
	void *state;
	bool irqs;
	s64 first_ns;
	s64 last_ns;
	bool no_times;
	bool switches;
	bool flat;
	u32 root_caller;
	u64 no_entry;
	u64 unwound;
	u64 records;
	u64 calls;
	u32 first_thread;
	struct kfi_import_run *run;
	u32 nruns;
	u32 run_room;
	u64 left;
	u32 bad_column;
	u64 bad_byte;
	char bad_why[96];
	struct kfi_names funcs;
	struct kfi_map of_address;
	u64 *address;
	u32 address_room;
	struct kfi_names comms;
	struct kfi_import_thread *thread;
	u32 nthreads;
	u32 thread_room;
	struct kfi_map of_task;
	struct kfi_spool *spool;
	const struct kfi_spool_rec *ahead;
	kfi_log_text names;
	char text[1024];
};

/*
 * For readers
 */

/**
 * kfi_import_bad() - report a line that cannot be read
 * @im: the input
 * @s: the line
 * @len: its length
 * @column: column of the error, from 1
 * @why: what is wrong, and what to do
 */
void kfi_import_bad(struct kfi_import *im, const char *s, size_t len, u32 column, const char *why);

/**
 * kfi_import_bad_byte() - report a binary input that is damaged; the caller stops reading it
 * @im: the input
 * @byte: how many bytes precede the damage; more than 0
 * @why: what is wrong, and what to do
 */
void kfi_import_bad_byte(struct kfi_import *im, u64 byte, const char *why);

/**
 * kfi_import_no_memory() - set the error for a failed allocation
 * @im: the input
 * @err: set
 *
 * Return: -ENOMEM.
 */
int kfi_import_no_memory(const struct kfi_import *im, struct kfi_err *err);

/**
 * kfi_import_note() - keep a note for the user about the log
 * @im: the input
 * @fmt: printf format
 */
void kfi_import_note(struct kfi_import *im, const char *fmt, ...) kfi_printf(2, 3);

/**
 * kfi_import_next_run() - begin another run: the next line is of another boot, or another trace
 * @im: the input; @im->state is freed and allocated again
 * @err: set to the reason of a failure
 *
 * A run without calls and marks is forgotten.
 *
 * Return: 0 or -errno.
 */
int kfi_import_next_run(struct kfi_import *im, struct kfi_err *err);

/**
 * kfi_import_is_earlier() - check whether the clock was set back, as another boot does
 * @im: the input, in which a time never steps back by 0.1 s
 * @ns: time of a line; -1: unknown
 *
 * Return: true if the line is of another run.
 */
bool kfi_import_is_earlier(const struct kfi_import *im, s64 ns);

/**
 * kfi_import_is_boot() - check whether a line is the first one that a kernel prints
 * @s: first byte
 * @len: length, without newline
 *
 * Return: true if it is "Linux version ...", perhaps behind a stamp.
 */
bool kfi_import_is_boot(const char *s, size_t len);

/**
 * kfi_import_func() - return the number of a function that has a name
 * @im: the input
 * @s: first byte
 * @len: length, not 0
 *
 * Return: the number, KFI_NONE: out of memory.
 */
u32 kfi_import_func(struct kfi_import *im, const char *s, size_t len);

/**
 * kfi_import_func_at() - return the number of a function by its address; kd's options name it
 * @im: the input
 * @address: the address, not U64_MAX
 *
 * Return: the number, KFI_NONE: out of memory.
 */
u32 kfi_import_func_at(struct kfi_import *im, u64 address);

/**
 * kfi_import_thread() - return the thread of a task; add it if it is new
 * @im: the input
 * @pid: its pid; idle tasks, which are 0, need @cpu
 * @cpu: processor, -1: unknown
 *
 * Return: number of the thread, KFI_NONE: out of memory.
 */
u32 kfi_import_thread(struct kfi_import *im, s32 pid, s32 cpu);

/**
 * kfi_import_unknown() - add a thread whose task is not known, or not known yet
 * @im: the input
 * @cpu: processor
 *
 * Return: number of the thread, KFI_NONE: out of memory.
 */
u32 kfi_import_unknown(struct kfi_import *im, s32 cpu);

/**
 * kfi_import_is() - set the task of an unknown thread, also for what it has done so far
 * @im: the input
 * @thread: the thread; ignored if it is known, or if the task has another thread
 * @pid: the task
 * @cpu: as for kfi_import_thread()
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_import_is(struct kfi_import *im, u32 thread, s32 pid, s32 cpu);

/**
 * kfi_import_comm() - set the name of a task
 * @im: the input
 * @thread: its thread
 * @s: first byte
 * @len: length
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_import_comm(struct kfi_import *im, u32 thread, const char *s, size_t len);

/**
 * kfi_import_depth() - return the number of open calls of a thread
 * @im: the input
 * @thread: the thread
 *
 * Return: the number.
 */
u32 kfi_import_depth(const struct kfi_import *im, u32 thread);

/**
 * kfi_import_top() - find the innermost open call of a thread
 * @im: the input
 * @thread: the thread
 * @entry: set to its entry; or NULL
 *
 * Return: its function, KFI_NONE: no call is open.
 */
u32 kfi_import_top(const struct kfi_import *im, u32 thread, s64 *entry);

/**
 * kfi_import_enter() - begin a call
 * @im: the input
 * @thread: its thread
 * @at: time and place
 * @func: number of the function
 * @site: call site, U64_MAX: unknown
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_import_enter(struct kfi_import *im, u32 thread, const struct kfi_import_at *at, u32 func,
		     u64 site, struct kfi_err *err);

/**
 * kfi_import_exit() - end the innermost call of a thread
 * @im: the input
 * @thread: the thread; without an open call the exit is counted in @im->no_entry
 * @at: time and place; @at->ns may be unknown if @delta is known
 * @func: the function; calls within its call are unwound. If it has no open call, nothing returns,
 *	and @im->no_entry counts. KFI_NONE: the function of the innermost call
 * @delta: duration, -1: the time since the entry
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_import_exit(struct kfi_import *im, u32 thread, const struct kfi_import_at *at, u32 func,
		    s64 delta, struct kfi_err *err);

/**
 * kfi_import_open() - end the innermost call of a thread, whose duration is unknown
 * @im: the input
 * @thread: the thread, with an open call
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_import_open(struct kfi_import *im, u32 thread, struct kfi_err *err);

/**
 * kfi_import_entry() - add a call of which only the entry is known
 * @im: the input
 * @thread: the thread
 * @at: time and place
 * @func: number of the function
 * @caller: number of the function that called it, KFI_NONE: unknown
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_import_entry(struct kfi_import *im, u32 thread, const struct kfi_import_at *at, u32 func,
		     u32 caller, struct kfi_err *err);

/**
 * kfi_import_sample() - add a sample: a call of each function of its chain
 * @im: the input; @im->log->head.sampled is set
 * @thread: the thread
 * @at: time and place
 * @func: numbers of the functions, the innermost first
 * @n: number of functions, not 0
 * @weight: weight of the sample, used as the duration of these calls
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_import_sample(struct kfi_import *im, u32 thread, const struct kfi_import_at *at,
		      const u32 *func, u32 n, s64 weight, struct kfi_err *err);

/**
 * kfi_import_unwind() - end calls whose exits were not seen
 * @im: the input
 * @thread: the thread
 * @depth: number of calls that stay open
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_import_unwind(struct kfi_import *im, u32 thread, u32 depth, struct kfi_err *err);

/**
 * kfi_import_mark() - add a mark: an event that is no call
 * @im: the input
 * @thread: its thread
 * @at: time and place
 * @kind: a word as in format-text.rst, or one of the format; or NULL
 * @s: first byte of the arguments, or, without @kind, of the whole text
 * @len: their length
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_import_mark(struct kfi_import *im, u32 thread, const struct kfi_import_at *at,
		    const char *kind, const char *s, size_t len, struct kfi_err *err);

/**
 * kfi_import_switch() - switch a CPU to another task: add the mark, and count Off-ns
 * @im: the input
 * @at: time and CPU
 * @prev: thread of the task that the CPU leaves
 * @preempted: @prev stays runnable
 * @next: thread of the task that the CPU runs from now on
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int kfi_import_switch(struct kfi_import *im, const struct kfi_import_at *at, u32 prev,
		      bool preempted, u32 next, struct kfi_err *err);

/*
 * For log.c
 */

/**
 * kfi_import_look() - find the format of an input by a line of it
 * @log: the log; @log->formats and @log->input are used
 * @s: first byte
 * @len: length, without newline
 *
 * Return: the format, NULL: none.
 */
const struct kfi_import_format *kfi_import_look(const struct kfi_log *log, const char *s,
						size_t len);

/**
 * kfi_import_named() - find a format by its name
 * @formats: the readers, up to NULL; or NULL: there are none
 * @name: its name in --input
 *
 * Return: the format, NULL: unknown, or KFI's own.
 */
const struct kfi_import_format *
kfi_import_named(const struct kfi_import_format *const *formats, const char *name);

/**
 * kfi_import_begin() - begin to read an input
 * @log: the log; @log->import is set
 * @format: its format
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno. kfi_import_close() must follow in any case.
 */
int kfi_import_begin(struct kfi_log *log, const struct kfi_import_format *format,
		     struct kfi_err *err);

/**
 * kfi_import_end() - make the header, after the last line
 * @log: the log
 * @err: set to the reason of a failure
 *
 * Return: 0; -EINVAL: the input has neither calls nor marks; another -errno.
 */
int kfi_import_end(struct kfi_log *log, struct kfi_err *err);

/**
 * kfi_import_item() - read the next item, as kfi_log_item() does
 * @log: the log
 * @row: filled if it is a row
 * @err: set to the reason of a failure
 *
 * Return: as kfi_log_item().
 */
int kfi_import_item(struct kfi_log *log, struct kfi_row *row, struct kfi_err *err);

/**
 * kfi_import_rows() - read the next items of the run, as long as they are calls
 * @log: the log
 * @row: filled
 * @n: largest number of rows
 *
 * Return: number of rows; 0: kfi_import_item() has the next item or the error.
 */
u32 kfi_import_rows(struct kfi_log *log, struct kfi_row *row, u32 n);

/**
 * kfi_import_percent() - return how much of the rows has been read
 * @log: the log
 *
 * Return: percent.
 */
int kfi_import_percent(const struct kfi_log *log);

/**
 * kfi_import_calls() - return the number of calls, or samples, of the current run
 * @log: a log with @log->import
 *
 * Return: the number.
 */
u64 kfi_import_calls(const struct kfi_log *log);

/**
 * kfi_import_task() - list the tasks whose names the current run has
 * @log: any log
 * @n: number of the task, from 0
 * @pid: set to the task
 *
 * Return: its name, empty: unknown; NULL: there are no more.
 */
const char *kfi_import_task(const struct kfi_log *log, u32 n, s32 *pid);

/**
 * kfi_import_close() - free what kfi_import_begin() allocated
 * @log: any log
 */
void kfi_import_close(struct kfi_log *log);

#endif /* KFI_IMPORT_H */
