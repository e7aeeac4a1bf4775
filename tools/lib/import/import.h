/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Logs of other tracers: ftrace, and what else has a file in this folder.
 *
 *	lines of the input -> reader of a format (struct kfi_import_format)
 *	  -> kfi_import_enter(), _exit(), _mark(), _switch()	in the order of the input
 *	  -> records in a temporary file, each with the duration that its exit has brought
 *	  -> kfi_import_item(): rows and marks as log.h has them, in order of entry
 *
 * All of kd works on rows and marks, so there is no other way for a format to reach it. A reader
 * says what its input says; what it leaves out is unknown to kd: no duration, no Off-ns, no task.
 *
 * A trace has an exit behind its entry, and a row has both. So the records are in a file (in
 * $TMPDIR) until the input has ended, 72 bytes for each call. Memory goes with functions, tasks and
 * open calls. Called by log.c.
 */
#ifndef KFI_IMPORT_H
#define KFI_IMPORT_H

#include "err.h"
#include "hash.h"
#include "kfi_port_host.h"
#include "log.h"

/* Formats of readers, as --input names them, for help and messages. */
#define KFI_IMPORT_NAMES	"kfi, ftrace, trace.dat, qemu, initcalls, perf"

struct kfi_import;

/**
 * struct kfi_import_format - a format, and its reader
 * @name: as --input names it
 * @what: what messages call such a file
 * @weak: a KFI log may follow in the same input: lines of a console
 * @is: whether a line is of this format and of no other; of binary formats the first line
 * @begin: makes @im->state; or NULL
 * @line: understands a line, in order, beginning with that of @is; @im->in.line is its number.
 *	Return: 0, also for a line that it has reported to kfi_import_bad(); or -errno
 * @whole: instead of @line: reads all of @im->in, whose next byte is behind that first line.
 *	Return: 0 or -errno
 * @end: the input has ended; or NULL. Return: 0 or -errno
 * @free: gives back @im->state, which may be NULL; or NULL
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
 * struct kfi_import_at - when and where something happens
 * @ns: nanoseconds by the clock of the input; -1: unknown
 * @cpu: processor, -1: unknown
 * @ctx: enum kfi_ctx
 */
struct kfi_import_at {
	s64 ns;
	s32 cpu;
	u8 ctx;
};

struct kfi_import_thread;
struct kfi_spool;
struct kfi_spool_rec;

/**
 * struct kfi_import - an input that is read; a reader uses the fields up to @irqs
 * @log: the log: @log->in is the input, and a reader may fill @log->head
 * @format: its format
 * @state: the reader's own
 * @irqs: the reader says in which context calls are: Irq-ns is known
 * @first_ns: the clock at Entry 0: that of the first thing that happened; -1: nothing had a time
 * @last_ns: that of the last thing
 * @no_times: something had no time: Entry is unknown
 * @switches: there were switches of tasks: Off-ns is known
 * @flat: it has entries without depth: callers are those that the rows name
 * @root_caller: the function that calls what no call of the log does, KFI_NONE: unknown
 * @no_entry: exits without an entry
 * @unwound: calls that were over, though their exits are missing
 * @bad_column: column of the first bad line
 * @bad_why: what is wrong with it
 * @funcs: names of functions; addresses as 0xADDRESS
 * @of_address: number of an address in @funcs; private, as is the rest
 * @address: by number of a function: its address, U64_MAX: it has a name
 * @address_room: for how many there is room
 * @comms: names of tasks
 * @thread: threads of execution
 * @nthreads: how many
 * @thread_room: for how many there is room
 * @of_task: task to thread
 * @spool: the records
 * @ahead: the record that was read and not delivered yet, or NULL
 * @names: addresses of the row read last as text
 * @text: text of a mark
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
	u32 bad_column;
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
 * @column: where it is wrong, from 1
 * @why: what is wrong, and what to do
 */
void kfi_import_bad(struct kfi_import *im, const char *s, size_t len, u32 column, const char *why);

/**
 * kfi_import_no_memory() - say that there is no memory
 * @im: the input
 * @err: set
 *
 * Return: -ENOMEM.
 */
int kfi_import_no_memory(const struct kfi_import *im, struct kfi_err *err);

/**
 * kfi_import_note() - say something that the user must know of the log
 * @im: the input
 * @fmt: printf format
 */
void kfi_import_note(struct kfi_import *im, const char *fmt, ...) kfi_printf(2, 3);

/**
 * kfi_import_func() - number of a function that has a name
 * @im: the input
 * @s: first byte
 * @len: length, not 0
 *
 * Return: the number, KFI_NONE: no memory.
 */
u32 kfi_import_func(struct kfi_import *im, const char *s, size_t len);

/**
 * kfi_import_func_at() - number of a function by its address, which kd's options give a name
 * @im: the input
 * @address: the address, not U64_MAX
 *
 * Return: the number, KFI_NONE: no memory.
 */
u32 kfi_import_func_at(struct kfi_import *im, u64 address);

/**
 * kfi_import_thread() - the thread of a task
 * @im: the input
 * @pid: its pid; idle tasks, which are 0, need @cpu
 * @cpu: processor, -1: unknown
 *
 * Return: number of the thread, KFI_NONE: no memory.
 */
u32 kfi_import_thread(struct kfi_import *im, s32 pid, s32 cpu);

/**
 * kfi_import_unknown() - a new thread of a task that is not known, or not known yet
 * @im: the input
 * @cpu: processor
 *
 * Return: number of the thread, KFI_NONE: no memory.
 */
u32 kfi_import_unknown(struct kfi_import *im, s32 cpu);

/**
 * kfi_import_is() - say which task an unknown thread was all the time
 * @im: the input
 * @thread: the thread; nothing happens if it is known, or if the task has another one
 * @pid: the task
 * @cpu: as for kfi_import_thread()
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_import_is(struct kfi_import *im, u32 thread, s32 pid, s32 cpu);

/**
 * kfi_import_comm() - say how a task is called
 * @im: the input
 * @thread: its thread
 * @s: first byte
 * @len: length
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_import_comm(struct kfi_import *im, u32 thread, const char *s, size_t len);

/**
 * kfi_import_depth() - how many calls of a thread are open
 * @im: the input
 * @thread: the thread
 *
 * Return: their number.
 */
u32 kfi_import_depth(const struct kfi_import *im, u32 thread);

/**
 * kfi_import_top() - the innermost open call of a thread
 * @im: the input
 * @thread: the thread
 * @entry: set to its entry; or NULL
 *
 * Return: its function, KFI_NONE: no call is open.
 */
u32 kfi_import_top(const struct kfi_import *im, u32 thread, s64 *entry);

/**
 * kfi_import_enter() - a call begins
 * @im: the input
 * @thread: its thread
 * @at: when and where
 * @func: number of the function
 * @site: call site, U64_MAX: unknown
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_import_enter(struct kfi_import *im, u32 thread, const struct kfi_import_at *at, u32 func,
		     u64 site, struct kfi_err *err);

/**
 * kfi_import_exit() - the innermost call of a thread returns
 * @im: the input
 * @thread: the thread; without an open call the exit is counted in @im->no_entry
 * @at: when and where; @at->ns may be unknown if @delta is known
 * @func: the function; calls within the call of it are unwound, and if there is none, nothing
 *	returns, and @im->no_entry counts; KFI_NONE: that of the innermost call
 * @delta: how long it took, -1: the time since the entry
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_import_exit(struct kfi_import *im, u32 thread, const struct kfi_import_at *at, u32 func,
		    s64 delta, struct kfi_err *err);

/**
 * kfi_import_open() - the innermost call of a thread is over, and nobody says how long it took
 * @im: the input
 * @thread: the thread, with an open call
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_import_open(struct kfi_import *im, u32 thread, struct kfi_err *err);

/**
 * kfi_import_entry() - a function was entered, and that is all that is known
 * @im: the input
 * @thread: the thread
 * @at: when and where
 * @func: number of the function
 * @caller: number of the function that called it, KFI_NONE: unknown
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_import_entry(struct kfi_import *im, u32 thread, const struct kfi_import_at *at, u32 func,
		     u32 caller, struct kfi_err *err);

/**
 * kfi_import_sample() - a sample was taken: a call of each function of its chain
 * @im: the input; @im->log->head.sampled is set
 * @thread: the thread
 * @at: when and where
 * @func: numbers of the functions, the innermost first
 * @n: how many, not 0
 * @weight: what the sample stands for, as the duration of these calls
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_import_sample(struct kfi_import *im, u32 thread, const struct kfi_import_at *at,
		      const u32 *func, u32 n, s64 weight, struct kfi_err *err);

/**
 * kfi_import_unwind() - calls are over, and their exits were not seen
 * @im: the input
 * @thread: the thread
 * @depth: how many calls stay open
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_import_unwind(struct kfi_import *im, u32 thread, u32 depth, struct kfi_err *err);

/**
 * kfi_import_mark() - something happens that is no call
 * @im: the input
 * @thread: its thread
 * @at: when and where
 * @kind: a word, as format-text.rst has them, or one of the format; or NULL
 * @s: first byte of the arguments, or, without @kind, of all
 * @len: their length
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_import_mark(struct kfi_import *im, u32 thread, const struct kfi_import_at *at,
		    const char *kind, const char *s, size_t len, struct kfi_err *err);

/**
 * kfi_import_switch() - a cpu leaves a task for another one: makes the mark, and counts Off-ns
 * @im: the input
 * @at: when, and on which cpu
 * @prev: thread of the task that it leaves
 * @preempted: this one stays runnable
 * @next: thread of the other one
 * @err: why not
 *
 * Return: 0 or -errno.
 */
int kfi_import_switch(struct kfi_import *im, const struct kfi_import_at *at, u32 prev,
		      bool preempted, u32 next, struct kfi_err *err);

/*
 * For log.c
 */

/**
 * kfi_import_look() - whether a line is of one of the formats
 * @log: the log: @log->formats and @log->input are looked at
 * @s: first byte
 * @len: length, without newline
 *
 * Return: the format, NULL: none.
 */
const struct kfi_import_format *kfi_import_look(const struct kfi_log *log, const char *s,
						size_t len);

/**
 * kfi_import_named() - the format of a name
 * @formats: the readers, up to NULL; or NULL: there are none
 * @name: as --input has it
 *
 * Return: the format, NULL: there is none, or it is KFI's own.
 */
const struct kfi_import_format *
kfi_import_named(const struct kfi_import_format *const *formats, const char *name);

/**
 * kfi_import_begin() - begin with an input
 * @log: the log; @log->import is set
 * @format: its format
 * @err: why not
 *
 * Return: 0 or -errno. kfi_import_close() must follow in any case.
 */
int kfi_import_begin(struct kfi_log *log, const struct kfi_import_format *format,
		     struct kfi_err *err);

/**
 * kfi_import_end() - all lines have been read: make the header
 * @log: the log
 * @err: why not
 *
 * Return: 0; -EINVAL: it has neither calls nor marks; another -errno.
 */
int kfi_import_end(struct kfi_log *log, struct kfi_err *err);

/**
 * kfi_import_item() - kfi_log_item() of such a log
 * @log: the log
 * @row: filled if it is a row
 * @err: why not
 *
 * Return: as kfi_log_item().
 */
int kfi_import_item(struct kfi_log *log, struct kfi_row *row, struct kfi_err *err);

/**
 * kfi_import_rows() - kfi_import_item() of the next ones, as far as they are calls
 * @log: the log
 * @row: filled
 * @n: how many at most
 *
 * Return: how many; 0: kfi_import_item() has the next item, or says what is wrong.
 */
u32 kfi_import_rows(struct kfi_log *log, struct kfi_row *row, u32 n);

/**
 * kfi_import_percent() - how far the rows have been read
 * @log: the log
 *
 * Return: percent.
 */
int kfi_import_percent(const struct kfi_log *log);

/**
 * kfi_import_task() - the tasks that the input names
 * @log: any log
 * @n: from 0
 * @pid: set to the task
 *
 * Return: its name, empty: it has none; NULL: there are no more.
 */
const char *kfi_import_task(const struct kfi_log *log, u32 n, s32 *pid);

/**
 * kfi_import_close() - give back what kfi_import_begin() took
 * @log: any log
 */
void kfi_import_close(struct kfi_log *log);

#endif /* KFI_IMPORT_H */
