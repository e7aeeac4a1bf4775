/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files in /proc, as Documentation/formats.rst describes them, and what a crash leaves. One
 * section for each file of this folder.
 */
#ifndef KFI_FILES_H
#define KFI_FILES_H

#include <linux/math64.h>
#include <linux/sizes.h>
#include <linux/time64.h>

#include "arch/arch.h"
#include "core/check.h"
#include "core/keep.h"
#include "core/serial.h"
#include "session/session.h"

/* ---- proc.c ---- */

/**
 * kfi_proc_may_print() - Return true if the kernel log may have kernel addresses.
 *
 * Context: any; may print a line in the kernel log.
 * Return: false where kptr_restrict or lockdown hides addresses: anybody may read that log.
 */
bool kfi_proc_may_print(void);

/**
 * kfi_proc_may_open() - Return true if a file with kernel addresses may be opened.
 *
 * Context: open().
 * Return: 0; -EPERM without CAP_PERFMON, or where addresses are to be hidden even from root.
 */
int kfi_proc_may_open(void);

/* ---- show.c, show_head.c: the text of a log, and of the status ---- */

/* Digits of an address, and the width of the columns of functions and callers. */
#define KFI_ADDR_DIGITS		((int)(2 * sizeof(long)))
#define KFI_NAME_WIDTH		32

/**
 * kfi_show_us() - Convert what was rounded to nanoseconds.
 * @ns: nanoseconds
 *
 * Return: microseconds, rounded down.
 */
static inline u64 kfi_show_us(u64 ns)
{
	return div_u64(ns, NSEC_PER_USEC);
}

/**
 * kfi_show_ns() - Convert a difference of raw counts, by the rate that belongs to a log.
 * @log: the log
 * @counts: raw counts
 *
 * Return: nanoseconds, rounded down.
 */
static inline u64 kfi_show_ns(const struct kfi_log *log, u64 counts)
{
	return kfi_clock_ns(counts, log->hz);
}

/**
 * kfi_show_origin() - What Entry counts from: the start, or the clock's own beginning if that was
 * later.
 * @log: the log
 *
 * Return: raw clock count.
 */
static inline u64 kfi_show_origin(const struct kfi_log *log)
{
	return log->run.start.time ?: kfi_clock.zero;
}

/**
 * kfi_show_elapsed() - Return how long a session took.
 * @log: the log
 *
 * Return: nanoseconds from the origin to the stop; 0 if there was none.
 */
static inline u64 kfi_show_elapsed(const struct kfi_log *log)
{
	u64 stop = log->run.stop.time;

	return stop ? kfi_show_ns(log, stop - kfi_show_origin(log)) : 0;
}

/**
 * kfi_show_state() - Return the state of the session.
 * @log: the log
 *
 * Return: enum kfi_state; a caller that sees KFI_COMPLETE sees the reason, too.
 */
static inline int kfi_show_state(const struct kfi_log *log)
{
	return atomic_read_acquire(&log->run.state);
}

/**
 * kfi_show_header() - Print all that stands above the rows, the rule included.
 * @m: where to
 * @log: a log with a reference
 * @whole: it is collected, and its rows follow
 */
void kfi_show_header(struct seq_file *m, const struct kfi_log *log, bool whole);

/**
 * kfi_show_state_note() - Print why a session is not complete, or was over before it started.
 * @m: where to
 * @log: a log with a reference
 */
void kfi_show_state_note(struct seq_file *m, const struct kfi_log *log);

/**
 * kfi_show_addr() - Print the address of a function or of a call site.
 * @m: where to
 * @log: the log that it is in
 * @addr: the address
 * @offset: it need not be the beginning of a function
 * @width: columns, filled with blanks
 *
 * In a log that may have no addresses it is a name, as addr2sym would write it.
 */
void kfi_show_addr(struct seq_file *m, const struct kfi_log *log, unsigned long addr, bool offset,
		   int width);

/**
 * kfi_show_check() - Print a check line, unless there was no row since the last.
 * @m: where to
 * @log: the log that the rows are of
 * @c: sums of the rows since then; 0 afterwards
 */
void kfi_show_check(struct seq_file *m, const struct kfi_log *log, struct kfi_check *c);

/**
 * kfi_show_row() - Print one row.
 * @m: where to
 * @log: a collected log
 * @i: 0..@log->nrows - 1
 * @c: sums that the row is added to
 */
void kfi_show_row(struct seq_file *m, const struct kfi_log *log, u32 i, struct kfi_check *c);

/**
 * kfi_show_watch_lowest() - Print how low the stack was seen, if it is watched.
 * @m: where to
 * @log: a log with a reference
 */
void kfi_show_watch_lowest(struct seq_file *m, const struct kfi_log *log);

/**
 * kfi_show_event_counts() - Print what was counted of marks and watches.
 * @m: where to
 * @log: a collected log
 */
void kfi_show_event_counts(struct seq_file *m, const struct kfi_log *log);

/**
 * kfi_show_status() - Print what cat /proc/kfi shows of the current session.
 * @m: where to
 * @first: the first log of a configuration, with a reference; NULL: there is none
 *
 * Context: process context, sleeps.
 */
void kfi_show_status(struct seq_file *m, struct kfi_log *first);

/* ---- raw.c: a log in binary, as kfi_abi.h lays it out ---- */

/**
 * kfi_raw_head_of() - Make the head of a raw log.
 * @log: the log
 *
 * Return: the head.
 */
struct kfi_raw_head kfi_raw_head_of(const struct kfi_log *log);

/**
 * kfi_raw_chunk_of() - Make what stands before the words of a chunk.
 * @ring: the ring
 * @c: a chunk of it
 *
 * Return: that.
 */
struct kfi_raw_chunk kfi_raw_chunk_of(const struct kfi_ring *ring, const struct kfi_chunk *c);

/**
 * kfi_raw_moved() - Return by how much the kernel was moved (KASLR).
 *
 * Return: the difference of its addresses from those of System.map.
 */
unsigned long kfi_raw_moved(void);

/**
 * kfi_raw_move() - Return how addresses are shown as those of System.map.
 * @hide: nothing may tell where the kernel lies: modules and recorded values are hidden
 *
 * Return: that.
 */
struct kfi_move kfi_raw_move(bool hide);

/**
 * kfi_raw_open_of() - Make an open call of a raw log.
 * @log: the log
 * @r: the call
 *
 * Return: that.
 */
struct kfi_raw_open kfi_raw_open_of(const struct kfi_log *log, const struct kfi_rec *r);

/**
 * struct kfi_raw - what is made before a raw log is written
 * @log: the log; its reference is the caller's
 * @whole: it is collected
 * @text: its header
 * @len: length of @text in bytes
 * @nchunks: chunks that are written
 * @order: which they are, in the order in which they were taken
 * @copy: what @log points to, if it is a copy whose addresses are shown in another way
 */
struct kfi_raw {
	const struct kfi_log *log;
	struct kfi_log *copy;
	bool whole;
	char *text;
	u32 len;
	u32 nchunks;
	u32 *order;
};

/**
 * kfi_raw_prepare() - Make ready to write a log.
 * @raw: filled; all 0 before
 * @log: a log with a reference
 * @whole: it is collected
 * @move: how addresses are shown; NULL: as they are
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM; kfi_raw_forget() is needed in either case.
 */
int kfi_raw_prepare(struct kfi_raw *raw, const struct kfi_log *log, bool whole,
		    const struct kfi_move *move);

/**
 * kfi_raw_prepare_stream() - Make ready to write the head, the open calls and the end of a log.
 * @raw: filled; all 0 before, or given to kfi_raw_forget()
 * @log: a log with a reference; no chunk of its ring becomes a piece
 * @whole: its counters, its open calls and the number of its rows are known
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM; kfi_raw_forget() is needed in either case.
 */
int kfi_raw_prepare_stream(struct kfi_raw *raw, const struct kfi_log *log, bool whole);

/**
 * kfi_raw_forget() - Give the memory back.
 * @raw: as given to kfi_raw_prepare(), or all 0
 */
void kfi_raw_forget(struct kfi_raw *raw);

/**
 * kfi_raw_pieces() - Return the number of pieces in which a raw log is written.
 * @raw: made ready
 *
 * Return: pieces, at least 2.
 */
u32 kfi_raw_pieces(const struct kfi_raw *raw);

/**
 * kfi_raw_piece() - Write one piece.
 * @m: where to
 * @raw: made ready
 * @i: which piece: 0..kfi_raw_pieces() - 1
 */
void kfi_raw_piece(struct seq_file *m, const struct kfi_raw *raw, u32 i);

/* Room for the largest piece of a raw log without its text, @len of struct kfi_raw. */
#define KFI_RAW_PIECE_BYTES	(KFI_CHUNK_BYTES + 2 * SZ_1K)

/**
 * kfi_raw_write_text() - Write the header as a part.
 * @m: where to
 * @raw: made ready
 */
void kfi_raw_write_text(struct seq_file *m, const struct kfi_raw *raw);

/**
 * kfi_raw_write_chunk() - Write records as a part.
 * @m: where to
 * @head: what stands before them
 * @words: the records
 */
void kfi_raw_write_chunk(struct seq_file *m, const struct kfi_raw_chunk *head, const u32 *words);

/**
 * kfi_raw_write_progress() - Write how far a stream has come.
 * @m: where to
 * @progress: that
 */
void kfi_raw_write_progress(struct seq_file *m, const struct kfi_raw_progress *progress);

/* ---- proc.c: the logs of a configuration, one after the other ---- */

/**
 * struct kfi_part - one of them
 * @log: the log; NULL if there is none
 * @whole: it was collected when the file was opened, so that header and rows belong together
 * @raw: what the raw file needs
 * @pos: the position that the text file has shown last
 * @before: sums over the rows before that one, since the last check line
 * @check: the same, and that one
 */
struct kfi_part {
	const struct kfi_log *log;
	bool whole;
	struct kfi_raw raw;
	u32 pos;
	struct kfi_check before, check;
};

/**
 * struct kfi_parts_kind - text or raw
 * @end: number of positions
 * @show: print a position
 */
struct kfi_parts_kind {
	u32 (*end)(const struct kfi_part *p);
	void (*show)(struct seq_file *m, struct kfi_part *p, u32 pos);
};

/**
 * struct kfi_parts - what a file shows
 * @kind: text or raw
 * @log: what kfi_control_get_rows() or kfi_control_get_complete() has given; or NULL
 * @n: logs that are shown, at least 1
 * @part: those
 */
struct kfi_parts {
	const struct kfi_parts_kind *kind;
	struct kfi_log *log;
	u32 n;
	struct kfi_part part[KFI_CONF_BLOCKS_MAX];
};

/**
 * kfi_parts_get_raw() - Get the current logs, and make ready to write them raw.
 * @f: filled; all 0 before
 * @move: how addresses are shown
 *
 * Context: process context, sleeps.
 * Return: 0, -errno. kfi_parts_put() is needed in either case.
 */
int kfi_parts_get_raw(struct kfi_parts *f, const struct kfi_move *move);

/**
 * kfi_parts_set_raw() - The same, with logs that are complete.
 * @f: filled
 * @log: the logs; the reference becomes that of @f
 * @move: how addresses are shown
 *
 * Context: process context, sleeps.
 * Return: as kfi_parts_get_raw().
 */
int kfi_parts_set_raw(struct kfi_parts *f, struct kfi_log *log, const struct kfi_move *move);

/**
 * kfi_parts_find() - Find the log that a position is in.
 * @f: the logs
 * @pos: a position or a piece of all of them; becomes that in the log
 *
 * Return: the log; NULL behind the last one.
 */
struct kfi_part *kfi_parts_find(struct kfi_parts *f, loff_t *pos);

/**
 * kfi_parts_put() - Give the logs and the memory back.
 * @f: the logs
 */
void kfi_parts_put(struct kfi_parts *f);

/* ---- pipe.c: a raw log while the session goes on ---- */

/**
 * kfi_pipe_create() - Make /proc/kfi_pipe.
 *
 * Context: the boot.
 * Return: false if there is no memory.
 */
bool kfi_pipe_create(void);

/* ---- serial.c: in lines for a console ---- */

struct kfi_excerpt;

/**
 * kfi_serial_create() - Make /proc/kfi_serial.
 *
 * Context: the boot.
 * Return: false if there is no memory.
 */
bool kfi_serial_create(void);

/* For so long a log may be sent. */
#define KFI_SERIAL_SECONDS_MAX	3600

/**
 * kfi_serial_param() - Take the value of kfi.dump=console.
 * @arg: what follows: empty, or a comma and seconds
 *
 * Context: the boot.
 * Return: false if it is none.
 */
bool kfi_serial_param(const char *arg);

/**
 * kfi_serial_interrupt() - Have a task that sends stop in its line: the report of a crash begins.
 *
 * Else characters of both come in turn, since the report does not wait for the console's lock. The
 * crash sends this line again.
 * Context: a crash.
 */
void kfi_serial_interrupt(void);

/**
 * kfi_serial_crash() - Send to the consoles what was not sent yet, if kfi.dump=console is given.
 * @first: the current logs; NULL: there are none
 * @e: memory for what is sent of each
 * @text: memory for a header
 * @size: bytes of it
 *
 * What a task was sending comes first, from the line where that task was.
 * Context: a crash.
 * Return: true if something was sent.
 */
bool kfi_serial_crash(const struct kfi_log *first, struct kfi_excerpt *e, void *text, u32 size);

/* ---- crash.c: the end of a session on the console; last.c: in memory ---- */

/* What rows are counted as. */
enum kfi_excerpt_kind {
	KFI_EXCERPT_CALL,
	KFI_EXCERPT_MARK,
	KFI_EXCERPT_WATCH,
	KFI_EXCERPT_KINDS
};

/**
 * struct kfi_excerpt - some rows of a session
 * @log: a copy of its log, with what a header says
 * @pid: the task that crashed
 * @nopen: calls in @log.open: those that were open in that task
 * @taken: all open calls, if they were taken off the stacks; they still have to be filtered
 * @ntaken: how many
 * @found: rows that the whole log would have, by enum kfi_excerpt_kind
 * @left_out: how many of them do not follow the header
 * @open_unknown: the stacks of tasks could not be read: calls that they count, and open calls of
 *	other tasks, are missing
 * @names: it may have no addresses
 * @live: the session goes on: only its records are known, and no counter
 * @stream: it is given by /proc/kfi_pipe, and what is left out was given to a reader before
 */
struct kfi_excerpt {
	struct kfi_log log;
	u32 pid;
	u32 nopen;
	const struct kfi_rec *taken;
	u32 ntaken;
	u64 found[KFI_EXCERPT_KINDS];
	u64 left_out[KFI_EXCERPT_KINDS];
	bool open_unknown;
	bool names;
	bool live;
	bool stream;
};

/**
 * kfi_excerpt_init() - Copy the log of a session, for a header.
 * @e: filled, but for its counts. Its modules are those of kfi_loads_peek(), for a crash: others
 *	that print them call kfi_loads_get()
 * @run: the session
 *
 * Context: any; with a reference to the log, or when it cannot be freed.
 */
void kfi_excerpt_init(struct kfi_excerpt *e, const struct kfi_run *run);

/**
 * kfi_excerpt_kind() - Return the kind that a record counts as.
 * @r: the record
 *
 * Return: its kind.
 */
static inline enum kfi_excerpt_kind kfi_excerpt_kind(const struct kfi_rec *r)
{
	if (!r->event)
		return KFI_EXCERPT_CALL;
	return r->event == KFI_EVENT_STACK ? KFI_EXCERPT_WATCH : KFI_EXCERPT_MARK;
}

/**
 * kfi_crash_take() - Take what a complete session has left.
 * @e: filled; no records become rows, and of a profile no functions
 * @log: its log
 *
 * Context: a crash, with preemption off.
 * Return: false if the session is not complete, or has recorded nothing.
 */
bool kfi_crash_take(struct kfi_excerpt *e, const struct kfi_log *log);

/**
 * kfi_crash_wanted() - From now on a crash stops the session.
 *
 * Context: the boot.
 */
void kfi_crash_wanted(void);

/**
 * kfi_last_crash() - Copy the end of a session to memory that outlives a reboot, if there is any.
 * @e: the session; its header is made for what was copied
 * @text: KFI_KEEP_COMMIT_MAX bytes for that header
 *
 * Context: a crash.
 */
void kfi_last_crash(struct kfi_excerpt *e, void *text);

#endif /* KFI_FILES_H */
