/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A run with all that belongs to it: configuration, memory, what was collected when it was
 * complete.
 *
 * A configuration has one, or several, one after the other: a chain of logs, all of which have
 * their memory from the start. There is one configuration at a time, compiled in (boot.c) or
 * from /proc/kfi. Readers hold a reference to the first log, for all, so that a new configuration
 * does not take them away.
 */
#ifndef KFI_LOG_H
#define KFI_LOG_H

#include <linux/kref.h>

#include "core/call.h"
#include "core/conf.h"
#include "session/cost.h"
#include "session/life.h"
#include "session/mods.h"

/*
 * Bytes of a chunk of the ring. Pages are cut into chunks, so that a log can be had when memory is
 * in pieces. Small, because every cpu may leave one half empty, for which the log is made larger.
 */
#define KFI_CHUNK_BYTES		2048

/**
 * struct kfi_row - a row of the log, in the order of entry
 * @entry: raw clock count
 * @chunk: chunk of the ring it is in, or KFI_ROW_OPEN
 * @at: word within the chunk, or index of the open call
 */
struct kfi_row {
	u64 entry;
	u32 chunk;
	u32 at;
};

#define KFI_ROW_OPEN		U32_MAX

struct kfi_excerpt;

/**
 * struct kfi_log - a run and its log
 * @run: what the callouts see
 * @next: that of the next run of the configuration, or NULL
 * @first: that of the first run
 * @ref: of the first log, for all: being current is one reference, each reader another
 * @conf: its configuration; names point into @text
 * @text: text of the whole configuration, @len bytes; static for a compiled-in one
 * @len: its length
 * @flags: enum kfi_conf_flags that it is parsed with
 * @funcs: memory for the addresses in the lists of its filters; NULL if there are none
 * @mods: modules in these lists
 * @entries: calls that its ring holds at least
 * @wanted: how many it was asked to hold, at boot, if that is more; else 0
 * @boot: of the boot: its memory is never freed
 * @primed: it was primed by command, or at boot
 * @collected: the run is complete, no callout can touch it any more, and what follows is valid
 * @total: counters, all cpus together
 * @hz: rate of the clock as it was known on collecting: by it all times of the log are shown
 * @drift_ppm: how much the clock was fast against the kernel's time
 * @drift_ms: over how many milliseconds that was measured; 0: it was not
 * @open: the calls that were still open and pass the filters, @nopen of them
 * @rows: all rows, @nrows of them, calls or not
 * @nrows: how many
 * @sums: of a profile, in place of @rows: its functions, @nrows of them
 * @refined: of a profile: the time filters were not exact from the beginning
 * @nevents: how many are no calls
 * @lowest: the row of a watch with the least stack left, the deepest if there are several; its
 *	value is 0 if there is none
 * @of: the log that this is a snapshot of, with a reference to its @first; NULL: none. Then all
 *	that is not copied, such as @text, is that one's
 * @cost: what a call has cost
 * @lives: modules that were there
 * @still: raw counts for which all cpus stood still for it
 * @excerpt: set in a copy that is made in a crash, which has only some of the rows
 *
 * But for @run, written under kfi_log_mutex; after @collected by nobody.
 */
struct kfi_log {
	struct kfi_run run;
	struct kfi_log *next;
	struct kfi_log *first;
	struct kref ref;
	struct kfi_conf conf;
	const char *text;
	size_t len;
	unsigned int flags;
	unsigned long *funcs;
	struct kfi_mods mods;
	u32 entries;
	u32 wanted;
	bool boot;
	bool primed;
	bool collected;
	u64 total[KFI_COUNTS];
	u64 hz;
	s64 drift_ppm;
	u64 drift_ms;
	struct kfi_rec *open;
	u32 nopen;
	struct kfi_row *rows;
	u32 nrows;
	struct kfi_prof_sum *sums;
	bool refined;
	u32 nevents;
	struct kfi_event lowest;
	struct kfi_cost cost;
	struct kfi_lives lives;
	struct kfi_log *of;
	u64 still;
	const struct kfi_excerpt *excerpt;
};

/* The run that callouts look at; NULL: none. Published with release, read once per callout. */
extern struct kfi_run *kfi_live;

/**
 * kfi_log_setup() - Make a log from a parsed configuration whose functions are resolved.
 * @log: the log; @conf, @text, @entries, the filters and the cpus of its run are set
 * @chunks: table of zeroed chunks of KFI_CHUNK_BYTES
 * @nchunks: how many
 *
 * Context: any; nobody else knows @log yet.
 */
void kfi_log_setup(struct kfi_log *log, struct kfi_chunk **chunks, u32 nchunks);

/**
 * kfi_log_add() - Put a log behind another one, whose run its own run follows.
 * @last: the last log of a configuration, or NULL
 * @log: a log that has been set up
 *
 * Context: any; nobody else knows them yet.
 */
void kfi_log_add(struct kfi_log *last, struct kfi_log *log);

/**
 * kfi_log_turn() - Which run of a configuration has its turn?
 * @log: its first log
 *
 * Context: any.
 * Return: the first log whose run is not complete, or the last one.
 */
struct kfi_log *kfi_log_turn(struct kfi_log *log);

/**
 * kfi_log_was_primed() - Has a run been primed, by command or because the one before it was over?
 * @log: its log
 *
 * Context: any.
 * Return: true if it has.
 */
static inline bool kfi_log_was_primed(const struct kfi_log *log)
{
	const struct kfi_run *prev = log->run.prev;

	return log->primed || (prev && atomic_read(&prev->state) == KFI_COMPLETE);
}

/**
 * kfi_log_create() - Make the logs of a text, with memory of their own.
 * @text: the configuration; copied
 * @len: its length in bytes
 * @flags: enum kfi_conf_flags that it is parsed with
 * @err: set when the text is refused
 *
 * Context: process context, sleeps.
 * Return: the first log, with one reference; ERR_PTR of what kfi_log_write() returns.
 */
struct kfi_log *kfi_log_create(const char *text, size_t len, unsigned int flags,
			       struct kfi_conf_err *err);

/**
 * kfi_log_alloc_chunks() - Get memory for a ring.
 * @n: chunks of KFI_CHUNK_BYTES
 *
 * Context: process context, sleeps.
 * Return: a table of zeroed chunks, NULL if there is no memory.
 */
struct kfi_chunk **kfi_log_alloc_chunks(u32 n);

/**
 * kfi_log_free_chunks() - Give it back.
 * @chunks: the table, or NULL
 * @n: chunks in it
 *
 * Context: process context.
 */
void kfi_log_free_chunks(struct kfi_chunk **chunks, u32 n);

/**
 * kfi_log_release() - Free all logs of a configuration when the last reference is gone.
 * @ref: the reference of the first one
 *
 * Context: process context; no callout knows their runs any more.
 */
void kfi_log_release(struct kref *ref);

/**
 * kfi_log_refuse() - Say why something is refused that is not at any place of the text.
 * @err: where to
 * @ret: what the caller will return
 * @reason: why
 *
 * Context: any.
 * Return: @ret.
 */
int kfi_log_refuse(struct kfi_conf_err *err, int ret, const char *reason);

/**
 * kfi_log_set_current() - Make a configuration the current one.
 * @log: its first log, all being set up; or NULL: there is none
 *
 * Context: the boot, or under the mutex.
 */
void kfi_log_set_current(struct kfi_log *log);

/**
 * kfi_log_publish() - Let the callouts see a run; the next ones come by themselves.
 * @log: its log
 *
 * Context: any.
 */
void kfi_log_publish(struct kfi_log *log);

/**
 * kfi_log_unpublish() - Take a run away from the callouts.
 * @log: its log; the run is complete, or cannot start
 *
 * If it is complete and another one follows, that stays live.
 * Context: process context, sleeps; under the mutex.
 * Return: 0 when no callout uses it any more, -ENOMEM.
 */
int kfi_log_unpublish(struct kfi_log *log);

/**
 * kfi_log_pass() - Wait until no callout is under way that has begun before.
 *
 * Context: process context, sleeps.
 * Return: 0, -ENOMEM.
 */
int kfi_log_pass(void);

/**
 * kfi_log_set_times() - Set all of a run that depends on the clock's rate.
 * @log: the log
 * @exact: the rate is final; else the limits of the time filters are a little wide, since it may
 *	still be refined, and what they keep too much is dropped on collecting
 *
 * Context: process context, under the mutex, or the boot.
 */
void kfi_log_set_times(struct kfi_log *log, bool exact);

/**
 * kfi_log_write() - Take what was written to /proc/kfi: a configuration or a command.
 * @text: what was written, not empty
 * @len: its length in bytes
 * @err: set when the configuration or the command is refused
 *
 * Context: process context, sleeps.
 * Return: 0; -EINVAL, -ENOENT, -E2BIG for what is wrong with the text; -EBUSY in a wrong state;
 * -EIO after a bad one (core/bad.h); -ENOMEM. After an error everything is as it was.
 */
int kfi_log_write(const char *text, size_t len, struct kfi_conf_err *err);

/**
 * kfi_log_settle() - Turn the call sites off if no run is primed or recorded.
 *
 * Context: process context, sleeps.
 */
void kfi_log_settle(void);

/**
 * kfi_log_over() - A run is complete and none follows.
 *
 * Turns the call sites off, soon; and if it was a bad state that ended it, says so.
 * Context: any, NMI included.
 */
void kfi_log_over(void);

/**
 * kfi_log_get() - Get the current logs, collected where their runs are complete.
 *
 * Context: process context, sleeps.
 * Return: the first log with a reference for the caller, NULL if there is none, ERR_PTR(-ENOMEM).
 */
struct kfi_log *kfi_log_get(void);

/**
 * kfi_log_get_rows() - Get the current logs, or a snapshot while a run is recorded.
 *
 * Those of the runs before that are reached from what it is a snapshot @of, and collected.
 * Context: process context, sleeps.
 * Return: as kfi_log_get(); also ERR_PTR(-EAGAIN), see kfi_snap_take().
 */
struct kfi_log *kfi_log_get_rows(void);

/**
 * kfi_log_put() - Give a reference back.
 * @log: the log
 *
 * Context: process context.
 */
void kfi_log_put(struct kfi_log *log);

/**
 * kfi_log_row() - Decode a row.
 * @log: a collected log
 * @i: 0..@log->nrows - 1
 * @r: where to put it
 *
 * Context: any.
 */
void kfi_log_row(const struct kfi_log *log, u32 i, struct kfi_rec *r);

/**
 * kfi_log_event() - Decode a row that is no call.
 * @log: a collected log
 * @i: a row that kfi_log_row() says is an event
 * @e: where to put it; its text lies in the log
 *
 * Context: any.
 * Return: false if it is none.
 */
bool kfi_log_event(const struct kfi_log *log, u32 i, struct kfi_event *e);

#endif /* KFI_LOG_H */
