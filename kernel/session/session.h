/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sessions in process context: configuration, memory, modules, tasks, and what is collected when a
 * session is complete. One section for each file of this folder.
 *
 * A configuration has one or several sessions, one after the other: a chain of logs, all of which
 * have their memory from the start. There is one configuration at a time, compiled in (boot.c) or
 * from /proc/kfi. Readers hold a reference to the first log, for all, so that a new configuration
 * does not take them away.
 */
#ifndef KFI_SESSION_H
#define KFI_SESSION_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/sched.h>

#include "arch/arch.h"
#include "core/call.h"
#include "core/conf.h"

struct module;
struct seq_file;

/**
 * kfi_resched() - Let another task run if one waits for this CPU.
 *
 * Every loop over the records or the memory of a log calls it: such a loop may take seconds, and
 * without preemption nothing else would end it before.
 * Context: process context, sleeps.
 */
static inline void kfi_resched(void)
{
	if (need_resched())
		cond_resched();
}

/* ---- module.c: modules in the lists of sessions, and where modules were ---- */

/**
 * struct kfi_mods - the modules in the lists of a session
 * @link: in the list of all sessions that have such lists
 * @run: the session
 * @conf: its configuration
 * @in: the modules whose text is in the lists; NULL: a free place
 * @missed: how many modules should be in a list and found no place
 *
 * Written under the mutex of module.c.
 */
struct kfi_mods {
	struct list_head link;
	struct kfi_run *run;
	const struct kfi_conf *conf;
	const struct module *in[KFI_LISTS][KFI_LIST_MODULES];
	u32 missed;
};

/* Modules that are remembered. */
#define KFI_LOADS_MAX	256

/* Bytes of a name; that of a module in Linux has fewer. */
#define KFI_LOAD_NAME	64

/**
 * struct kfi_load - one load of a module, from its loading to its unloading
 * @name: its name
 * @text: address of its text
 * @text_size: bytes of that
 * @init: address of the text of its init functions; 0: it has none
 * @init_size: bytes of that
 * @loaded: raw clock count before its first init function; 0 in all three: not yet
 * @init_over: when its init functions had returned: their text was freed later
 * @unloaded: when its exit functions had returned: its text was freed later
 */
struct kfi_load {
	char name[KFI_LOAD_NAME];
	unsigned long text;
	unsigned long text_size;
	unsigned long init;
	unsigned long init_size;
	u64 loaded;
	u64 init_over;
	u64 unloaded;
};

/**
 * struct kfi_loads - what a log knows of modules
 * @load: modules that were there during the session, in order of loading
 * @n: how many
 * @forgotten: modules that are not in it since there was no room for them; some of them may not
 *	have been there during the session
 * @kernel_init_freed: raw clock count when the kernel's init text had been freed; 0: not yet
 */
struct kfi_loads {
	struct kfi_load *load;
	u32 n;
	u32 forgotten;
	u64 kernel_init_freed;
};

#ifdef CONFIG_MODULES

/**
 * kfi_mods_watch() - Keep the lists of a session up to date.
 * @m: for the session
 * @run: the session; its filters are made
 * @conf: its configuration
 *
 * Context: the boot, or process context, sleeps.
 */
void kfi_mods_watch(struct kfi_mods *m, struct kfi_run *run, const struct kfi_conf *conf);

/**
 * kfi_mods_forget() - Stop keeping the lists of a session up to date.
 * @m: as given to kfi_mods_watch(), or zeroed
 *
 * Context: process context, sleeps.
 */
void kfi_mods_forget(struct kfi_mods *m);

#else

static inline void kfi_mods_watch(struct kfi_mods *m, struct kfi_run *run,
				  const struct kfi_conf *conf)
{
}

static inline void kfi_mods_forget(struct kfi_mods *m)
{
}

#endif

/**
 * kfi_loads_get() - Copy the modules that were there during a time.
 * @loads: filled; @load is to be freed with kvfree()
 * @from: raw clock count
 * @to: raw clock count
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM, and then @loads is left alone.
 */
int kfi_loads_get(struct kfi_loads *loads, u64 from, u64 to);

/* Return a number that changes when modules come or go. */
u32 kfi_loads_version(void);

/**
 * kfi_loads_peek() - Look at all modules that are remembered, without waiting.
 * @loads: filled; @load is not to be freed
 *
 * Context: a crash: the function does not wait for a module that is being loaded.
 */
void kfi_loads_peek(struct kfi_loads *loads);

/**
 * kfi_loads_kernel_init_freed() - Keep the time when the kernel's init text has been freed.
 *
 * Context: once, in the boot.
 */
void kfi_loads_kernel_init_freed(void);

/* ---- name.c: from function names to addresses ---- */

/**
 * kfi_name_resolve_all() - Find the addresses of all functions that a configuration names.
 * @conf: the configuration; its names become resolved
 * @err: set to the name that is unknown or ambiguous
 *
 * Works from start_kernel on: reads constant tables only. One caller at a time.
 * Return: 0, -ENOENT for an unknown name, -EINVAL for one that several functions share or an
 * address that is in no function, -EOPNOTSUPP for arguments that the hooks of this kernel do not
 * know.
 */
int kfi_name_resolve_all(struct kfi_conf *conf, struct kfi_conf_err *err);

/**
 * kfi_name_count() - Return how many addresses the lists of a configuration have.
 * @conf: the configuration, all names resolved
 * @max: the largest number that is allowed
 * @err: set to the pattern that matches nothing, or to the limit that all exceed
 *
 * Works from start_kernel on: reads constant tables, and modules only if there can be any. One
 * caller at a time.
 * Return: the number, double ones included; -ENOENT, -E2BIG.
 */
int kfi_name_count(const struct kfi_conf *conf, u32 max, struct kfi_conf_err *err);

/**
 * kfi_name_fill() - Make the filters of a session, and fill their lists.
 * @conf: the configuration, all names resolved
 * @filter: the filters
 * @addr: memory for the addresses, to be kept as long as they
 * @room: how many fit
 *
 * Lists of whole modules are looked after by kfi_mods_watch().
 * Context: as kfi_name_count().
 * Return: what kfi_name_count() counts; more than @room: the lists are not made.
 */
u32 kfi_name_fill(const struct kfi_conf *conf, struct kfi_filter *filter, unsigned long *addr,
		  u32 room);

/**
 * kfi_name_lists() - Make and fill the filters of a session, in memory that is allocated for it.
 * @conf: the configuration, all names resolved
 * @filter: the filters
 * @addr: filled: the memory, the caller's to kfree(); NULL if none is needed
 * @err: set to the reason of a failure
 *
 * Context: process context, sleeps. One caller at a time.
 * Return: 0, -ENOENT, -E2BIG, -ENOMEM, -EBUSY.
 */
int kfi_name_lists(const struct kfi_conf *conf, struct kfi_filter *filter, unsigned long **addr,
		   struct kfi_conf_err *err);

/* ---- log.c: a session with all that belongs to it ---- */

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

/* This number of calls is measured at once, because the clock may tick slowly. */
#define KFI_COST_CALLS	256

/* In interrupts. The tick of a timer makes 20 to 30 calls. */
#define KFI_COST_INTERRUPT	16

/**
 * struct kfi_cost - raw counts that KFI_COST_CALLS calls take longer than with disabled call sites
 * @kept: of calls that are written into the log
 * @filtered: of calls that the time filter drops
 * @noints: of calls in interrupts that noints drops: one in KFI_COST_INTERRUPT is the first of an
 *	interrupt; 0: not known
 *
 * All are 0 if they could not be measured.
 */
struct kfi_cost {
	u64 kept;
	u64 filtered;
	u64 noints;
};

struct kfi_excerpt;

/**
 * struct kfi_log - a session and its log
 * @run: what the hooks see
 * @next: the log of the next session of the configuration, or NULL
 * @first: the log of the first session
 * @ref: of the first log, for all: being current is one reference, each reader another
 * @conf: its configuration; names point into @text
 * @text: text of the whole configuration, @len bytes; static for a compiled-in one
 * @len: its length
 * @funcs: memory for the addresses in the lists of its filters; NULL if there are none
 * @mods: modules in these lists
 * @entries: calls that its ring holds at least
 * @wanted: how many were requested, if that is more; else 0
 * @boot: of the boot: its memory is never freed
 * @primed: it was armed: by command, at boot, or because the session before it was complete
 * @armed_at: of a session after another one: raw clock count when it was published
 * @taken: no hook uses the session any more, and @open has its open calls; without the mutex: by
 *	smp_load_acquire()
 * @retired: of a first log: another configuration has taken its place; without the mutex
 * @collected: the session is complete, no hook can touch it any more, and what follows is valid.
 *	Without the mutex: kfi_log_is_collected()
 * @total: counters, all cpus together
 * @hz: rate of the clock as it was known on collecting: by it all times of the log are shown
 * @made: the clocks when the log was made, which is before its session starts
 * @read: the clocks when it was collected, which is after the session stopped
 * @drift_ppm: how much the clock was fast against the kernel's time
 * @drift_ms: over how many milliseconds that was measured; 0: it was not
 * @open: the calls that were still open, @ntaken of them; once collected those that pass the
 *	filters come first, @nopen of them
 * @rows: all rows, @nrows of them, calls or not
 * @nrows: how many
 * @sums: of a profile, in place of @rows: its functions, @nrows of them
 * @refined: of a profile: the time filters were not exact from the beginning
 * @nevents: how many are no calls
 * @lowest: the row of a watch with the least stack left, the deepest if there are several; its
 *	value is 0 if there is none
 * @of: the log that this is a snapshot of, with a reference to its @first; NULL: none. Then all
 *	that is not copied, such as @text, is that one's
 * @cost: what a call costs, measured before it became current; of a log of the boot, when the last
 *	session was complete: before that nothing is known
 * @loads: modules that were there
 * @still: raw counts for which all cpus stood still for it
 * @excerpt: set in a copy that has only some of the rows: files/crash.c
 * @move: how addresses are shown: as they are, but in a copy for a console
 *
 * All fields but @run are written under the mutex of session/control.c. None changes after
 * @collected is set.
 */
struct kfi_log {
	struct kfi_run run;
	struct kfi_log *next;
	struct kfi_log *first;
	struct kref ref;
	struct kfi_conf conf;
	const char *text;
	size_t len;
	unsigned long *funcs;
	struct kfi_mods mods;
	u32 entries;
	u32 wanted;
	bool boot;
	bool primed;
	u64 armed_at;
	bool taken;
	bool retired;
	bool collected;
	u64 total[KFI_COUNTS];
	u64 hz;
	struct kfi_clock_pair made;
	struct kfi_clock_pair read;
	s64 drift_ppm;
	u64 drift_ms;
	struct kfi_rec *open;
	u32 ntaken;
	u32 nopen;
	struct kfi_row *rows;
	u64 nrows;
	struct kfi_prof_sum *sums;
	bool refined;
	u64 nevents;
	struct kfi_event lowest;
	struct kfi_cost cost;
	struct kfi_loads loads;
	struct kfi_log *of;
	u64 still;
	const struct kfi_excerpt *excerpt;
	struct kfi_move move;
};

/**
 * kfi_log_setup() - Make a log from a parsed configuration whose functions are resolved.
 * @log: the log; @conf, @text, @entries, the filters and the cpus of its session are set
 * @chunks: table of zeroed chunks of KFI_CHUNK_BYTES
 * @nchunks: how many
 *
 * Context: any; nobody else knows @log yet.
 */
void kfi_log_setup(struct kfi_log *log, struct kfi_chunk **chunks, u32 nchunks);

/**
 * kfi_log_add() - Put a log behind another one: its session follows that one's.
 * @last: the last log of a configuration, or NULL
 * @log: a log that has been set up
 *
 * Context: any; nobody else knows them yet.
 */
void kfi_log_add(struct kfi_log *last, struct kfi_log *log);

/**
 * kfi_log_before() - Find the session before this one.
 * @log: its log
 *
 * Return: the log of the session before, or NULL.
 */
struct kfi_log *kfi_log_before(const struct kfi_log *log);

/**
 * kfi_log_current() - Return the session of a configuration that has its turn.
 * @log: its first log
 *
 * Return: the first log whose session is not complete, or the last one.
 */
struct kfi_log *kfi_log_current(struct kfi_log *log);

/**
 * kfi_log_is_collected() - Return true if a log can be read.
 * @log: the log
 *
 * Context: any, with a reference.
 * Return: true if it has been collected; then nothing in it changes any more.
 */
static inline bool kfi_log_is_collected(const struct kfi_log *log)
{
	/* Pairs with the release in kfi_collect_rows(). */
	return smp_load_acquire(&log->collected);
}

/**
 * kfi_log_create() - Make the logs of a text, with memory of their own.
 * @text: the configuration; copied
 * @len: its length in bytes
 * @err: set when the text is rejected
 *
 * Context: process context, sleeps.
 * Return: the first log, with one reference; ERR_PTR of what kfi_control_write() returns.
 */
struct kfi_log *kfi_log_create(const char *text, size_t len, struct kfi_conf_err *err);

/**
 * kfi_log_alloc_chunks() - Get memory for a ring.
 * @n: chunks of KFI_CHUNK_BYTES
 *
 * Context: process context, sleeps.
 * Return: a table of zeroed chunks, NULL if there is no memory, or if less than a quarter of it
 * would be left.
 */
struct kfi_chunk **kfi_log_alloc_chunks(u32 n);

/**
 * kfi_log_free_chunks() - Free the memory of a ring.
 * @chunks: the table, or NULL
 * @n: chunks in it
 *
 * Context: process context.
 */
void kfi_log_free_chunks(struct kfi_chunk **chunks, u32 n);

/**
 * kfi_log_sum_entries() - Add up the rows that the logs of a configuration have room for.
 * @log: the first log, or NULL
 * @entries: where to put the sum
 * @wanted: where to put the sum of what was asked for
 */
void kfi_log_sum_entries(const struct kfi_log *log, u64 *entries, u64 *wanted);

/**
 * kfi_log_put() - Drop a reference.
 * @log: the log
 *
 * Context: process context.
 */
void kfi_log_put(struct kfi_log *log);

/**
 * kfi_log_reject() - Set a reason for a rejection that has no place in the text.
 * @err: where to
 * @ret: what the caller will return
 * @reason: why
 *
 * Return: @ret.
 */
int kfi_log_reject(struct kfi_conf_err *err, int ret, const char *reason);

/**
 * kfi_log_set_times() - Set all of a session that depends on the clock's rate.
 * @log: the log
 * @exact: the rate is final; else the limits of the time filters are a little wide, since it may
 *	still be refined, and what they keep too much is dropped on collecting
 *
 * Context: process context, under the mutex, or the boot.
 */
void kfi_log_set_times(struct kfi_log *log, bool exact);

/**
 * kfi_log_decode() - Decode a row, wherever its index has it.
 * @log: a log
 * @row: the row
 * @r: where to put it
 */
void kfi_log_decode(const struct kfi_log *log, const struct kfi_row *row, struct kfi_rec *r);

/**
 * kfi_log_row() - Decode a row.
 * @log: a collected log
 * @i: 0..@log->nrows - 1
 * @r: where to put it
 */
void kfi_log_row(const struct kfi_log *log, u32 i, struct kfi_rec *r);

/**
 * kfi_log_event() - Decode a row that is no call.
 * @log: a collected log
 * @i: a row that kfi_log_row() says is an event
 * @e: where to put it; its text lies in the log
 *
 * Return: false if it is none.
 */
bool kfi_log_event(const struct kfi_log *log, u32 i, struct kfi_event *e);

/* ---- task.c: the shadow stacks of all tasks ---- */

/**
 * kfi_task_boot() - Give the boot task its stack, and every task that is forked from now on.
 * @give: false: no more tasks, because no session is armed at boot after all
 *
 * Context: start_kernel, before there is any other task.
 */
void kfi_task_boot(bool give);

/**
 * kfi_task_give_all() - Give every task a stack that has none, and see that new ones get theirs.
 *
 * Context: process context, sleeps. Nothing to undo: an unused stack costs memory only.
 * Return: 0 or -ENOMEM.
 */
int kfi_task_give_all(void);

/**
 * kfi_task_set_logs() - Set the logs that get the open calls of a task when it dies.
 * @first: the first log of a configuration; the others are its @next
 * @keep: keep which tasks are followed (filter pid N children): the selftest begins or ends
 *
 * All stacks are of no session afterwards.
 * Context: process context, or the boot; no session is live, and none of them has started.
 */
void kfi_task_set_logs(struct kfi_log *first, bool keep);

/**
 * kfi_task_count_open() - Return how many calls of a session may be open.
 * @run: the session
 *
 * Context: under the lock of the stacks, or while all cpus stand still.
 * Return: as many or more.
 */
u32 kfi_task_count_open(const struct kfi_run *run);

/**
 * kfi_task_copy_open() - Copy the open calls of a session off all stacks, and leave them there.
 * @run: the session
 * @open: where to; room for kfi_task_count_open()
 *
 * Context: under the lock of the stacks, or while all cpus stand still.
 * Return: how many there were.
 */
u32 kfi_task_copy_open(const struct kfi_run *run, struct kfi_rec *open);

/**
 * kfi_task_add_counts() - Add up what the fast path of the hooks has counted on all stacks.
 * @run: the session
 * @to: what a copy of it keeps for a cpu
 *
 * Context: while all cpus stand still.
 */
void kfi_task_add_counts(const struct kfi_run *run, struct kfi_cpu *to);

/**
 * kfi_task_take() - Take the open calls of a complete session off all stacks.
 * @run: the session; no hook uses it any more, and none is live
 * @open: where to put an array of them, to be freed with kvfree()
 * @nopen: where to put their number
 *
 * After that its stacks are of no session, and no dying task hands anything over to @run.
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM, and then nothing has changed.
 */
int kfi_task_take(struct kfi_run *run, struct kfi_rec **open, u32 *nopen);

/**
 * kfi_task_peek_open() - Count what is open on all stacks, in a crash.
 * @run: a session that has been stopped
 * @total: where to count the calls that its filters drop, and what was counted on the stacks
 * @nopen: where to put the number of the others
 *
 * Context: any, a crash included: it does not wait for the lock.
 * Return: false if somebody has the lock: nothing was counted then.
 */
bool kfi_task_peek_open(const struct kfi_run *run, u64 *total, u32 *nopen);

/* ---- collect.c: the log of a complete session, or a snapshot of a live one ---- */

/**
 * kfi_collect_rows() - Make the rows of a log whose records and open calls are there.
 * @log: the log: nobody writes to its ring any more, @open and @nopen are set
 *
 * Context: process context, sleeps; no one else uses @log.
 * Return: 0 or -ENOMEM, and then nothing has changed.
 */
int kfi_collect_rows(struct kfi_log *log);

/**
 * kfi_collect_counts() - Add the counters of all cpus up.
 * @log: the log; its totals are set
 * @read: what was overwritten after /proc/kfi_pipe had given it counts as kept: the log has it
 *
 * Context: any; exact when its session is complete and no hook is under way.
 */
void kfi_collect_counts(struct kfi_log *log, bool read);

/**
 * kfi_collect_overwritten() - Count what was overwritten before /proc/kfi_pipe could give it.
 * @run: the session
 * @n: filled, by kind of record
 *
 * Context: any; exact when no hook is under way.
 */
void kfi_collect_overwritten(const struct kfi_run *run, u64 n[KFI_REC_KINDS]);

/**
 * kfi_collect_open() - Filter the open calls of a log, as far as they are known.
 * @log: the log; those that pass come first in its array, the others are counted in its totals
 *
 * Context: process context, sleeps; once for each array.
 */
void kfi_collect_open(struct kfi_log *log);

/**
 * kfi_collect_clocks() - Read the clocks, so that the log can tell how exact its times are.
 * @log: the log; its session is over
 *
 * Context: process context.
 */
void kfi_collect_clocks(struct kfi_log *log);

/**
 * kfi_collect_compare() - Compare two rows: the order of a log.
 * @a: a struct kfi_row
 * @b: another one
 * @log: their log
 *
 * Return: less than 0 if the first one comes first; more than 0 if the second one does.
 */
int kfi_collect_compare(const void *a, const void *b, const void *log);

/**
 * kfi_collect_verdict() - Apply the exact time filters to a call that was kept.
 * @log: the log, whose exact times are set
 * @r: the call, or a record that is none
 *
 * Return: KFI_KEPT, or why it is filtered.
 */
enum kfi_count kfi_collect_verdict(const struct kfi_log *log, const struct kfi_rec *r);

/**
 * kfi_collect_refilter() - Apply the time filters once more, to a call that was kept.
 * @log: the log, whose exact times are set; a call that is dropped is counted so in its totals
 * @r: the call
 *
 * Return: true if it stays.
 */
bool kfi_collect_refilter(struct kfi_log *log, const struct kfi_rec *r);

/**
 * kfi_collect_event() - Count a record that is no call.
 * @log: the log, in which it counts
 * @chunk: where it is in the ring
 * @at: its place in that chunk
 */
void kfi_collect_event(struct kfi_log *log, u32 chunk, u32 at);

/**
 * kfi_collect_lowest() - Keep the lowest row of a watch.
 * @low: the lowest so far; its value is 0 if there was none
 * @e: an event
 */
void kfi_collect_lowest(struct kfi_event *low, const struct kfi_event *e);

/**
 * kfi_collect_snapshot() - Copy what a live session has recorded until now.
 * @log: a log whose session is triggered
 *
 * All cpus stand still during the copy, outside of any hook; the session then continues as if
 * nothing had happened. The copy has a reference to @log. It can be read like any other log once
 * kfi_collect_rows() has made its rows.
 * Context: process context, sleeps; under the mutex of session/control.c.
 * Return: the copy with one reference; ERR_PTR(-ENOMEM); ERR_PTR(-ESTALE) if the session was not
 * triggered, or no more.
 */
struct kfi_log *kfi_collect_snapshot(struct kfi_log *log);

/* ---- cost.c: how long recording a call takes, measured on this machine ---- */

/**
 * kfi_cost_measure() - Measure how long recording a call takes.
 * @run: a session: an entry takes longer if a function stops it
 * @cost: where to put the result
 *
 * Context: process context, sleeps; under the mutex of control.c, and no session is live.
 * Interrupts are off for KFI_COST_CALLS calls at a time.
 */
void kfi_cost_measure(const struct kfi_run *run, struct kfi_cost *cost);

/* ---- control.c: the current configuration, and commands ---- */

/**
 * kfi_control_set_current() - Make a configuration the current one.
 * @first: its first log, all being set up; or NULL: there is none
 *
 * Context: the boot, or under the mutex.
 */
void kfi_control_set_current(struct kfi_log *first);

/**
 * kfi_control_publish() - Let the hooks see a session.
 * @log: its log
 *
 * Must hold: no hook uses another session, and all stacks are of no session.
 */
void kfi_control_publish(struct kfi_log *log);

/**
 * kfi_control_quiesce() - Wait until no hook is under way that has begun before.
 *
 * Context: process context, sleeps.
 * Return: 0, -ENOMEM.
 */
int kfi_control_quiesce(void);

/**
 * kfi_control_write() - Take what was written to /proc/kfi: a configuration or a command.
 * @text: what was written, not empty
 * @len: its length in bytes
 * @err: set when the configuration or the command is rejected
 *
 * Context: process context, sleeps.
 * Return: 0; -EINVAL, -ENOENT, -E2BIG for what is wrong with the text; -EBUSY in a wrong state;
 * -EIO after a bad one (core/bad.h); -ENOMEM. After an error everything is as it was.
 */
int kfi_control_write(const char *text, size_t len, struct kfi_conf_err *err);

/**
 * kfi_control_report() - Print what the current configuration has room for, one line.
 *
 * Context: process context, sleeps.
 */
void kfi_control_report(void);

/**
 * kfi_control_get() - Get the current logs, collected where their sessions are complete.
 *
 * Context: process context, sleeps.
 * Return: the first log with a reference for the caller, NULL if there is none, ERR_PTR(-ENOMEM).
 */
struct kfi_log *kfi_control_get(void);

/**
 * kfi_control_get_uncollected() - Get the current logs as they are.
 *
 * Nothing is collected, so a session that is complete stays where a crash looks for it.
 * Context: process context, sleeps.
 * Return: the first log with a reference for the caller; NULL if there is none, or a selftest runs.
 */
struct kfi_log *kfi_control_get_uncollected(void);

/**
 * kfi_control_peek() - Look at the current logs in a crash, which may wait for no mutex.
 *
 * Those of a selftest are not among them.
 * Context: any, with preemption off: as long as that lasts the logs stay.
 * Return: the first log, without a reference; NULL if there is none.
 */
const struct kfi_log *kfi_control_peek(void);

/**
 * kfi_control_get_rows() - Get the current logs, or a snapshot while a session is recorded.
 *
 * From a snapshot, @of leads to the log of that session. The logs of the sessions before that one
 * are collected.
 * Context: process context, sleeps.
 * Return: as kfi_control_get().
 */
struct kfi_log *kfi_control_get_rows(void);

/**
 * kfi_control_get_complete() - Get the current logs if all their sessions are complete.
 *
 * Context: process context, sleeps.
 * Return: as kfi_control_get(); NULL, too, if a session is not complete, or a selftest runs.
 */
struct kfi_log *kfi_control_get_complete(void);

/**
 * kfi_control_copy_open() - Copy the open calls of a complete session.
 * @log: its log, with a reference
 * @open: set to the copy, to be freed with kvfree()
 * @nopen: how many
 *
 * Takes the open calls off the stacks first, if that has not been done. When the function returns,
 * no hook writes to the ring of @log any more.
 * Context: process context, sleeps.
 * Return: 0, -ENOMEM.
 */
int kfi_control_copy_open(struct kfi_log *log, struct kfi_rec **open, u32 *nopen);

/* Called in process context when the last session of a configuration is complete, or NULL. */
extern void (*kfi_control_done)(void);

/**
 * kfi_control_begin_test() - Set the current logs aside, and let only this task write.
 * @err: set to the reason of a failure
 *
 * Context: process context, sleeps.
 * Return: 0; -EBUSY while a session is armed or recorded, or another task tests; -ENOMEM.
 */
int kfi_control_begin_test(struct kfi_conf_err *err);

/**
 * kfi_control_end_test() - Drop what the test has recorded; what was set aside is current again.
 *
 * Context: process context, sleeps; after kfi_control_begin_test() of the same task.
 */
void kfi_control_end_test(void);

/* ---- known.c: the instrumented functions of the recorder ---- */

/* Times that kfi_known_middle() calls kfi_known_inner(). */
#define KFI_KNOWN_INNER		3

/*
 * How long a spin takes at least, how long the interrupt in it, and how late that and a softirq may
 * come.
 */
#define KFI_KNOWN_SPIN_NS	(2 * NSEC_PER_MSEC)
#define KFI_KNOWN_INTERRUPT_NS	(NSEC_PER_MSEC / 2)
#define KFI_KNOWN_LATEST_NS	(5ull * NSEC_PER_SEC)
#define KFI_KNOWN_SOFTIRQ_NS	(100ull * NSEC_PER_MSEC)

/**
 * struct kfi_known - the known calls on one cpu, as they saw themselves
 * @cpu: on which they are made
 * @then: what kfi_known_work() calls last, or NULL
 * @online: the cpu was online when the test began
 * @result: 0 or the error for which none were made; -ENODEV: the cpu was offline
 * @pid: of the task that made them; 0: none were made
 * @fired: the timer has interrupted kfi_known_spin()
 * @spun: nanoseconds within kfi_known_spin(), by the kernel's time; 0: it was not called
 * @spin: nanoseconds around it
 * @waited: nanoseconds for which another task had the cpu within kfi_known_wait()
 * @wait: nanoseconds around it
 */
struct kfi_known {
	u32 cpu;
	void (*then)(struct kfi_known *known);
	bool online;
	long result;
	u32 pid;
	bool fired;
	u64 spun;
	u64 spin;
	u64 waited;
	u64 wait;
};

/**
 * kfi_known_root() - Call a function: the call that starts and stops the sessions of the selftest.
 * @run: the function
 * @arg: for it
 *
 * Context: that of @run.
 */
void kfi_known_root(void (*run)(void *arg), void *arg);

/**
 * kfi_known_work() - Call kfi_known_outer(), then @then of @known.
 * @known: cpu, then and pid are set; the rest is filled
 *
 * Context: process context, sleeps; a task that is bound to its cpu, one at a time.
 */
void kfi_known_work(struct kfi_known *known);

/**
 * kfi_known_timed() - Call kfi_known_spin() and kfi_known_wait().
 * @known: as for kfi_known_work(), which calls this
 */
void kfi_known_timed(struct kfi_known *known);

/**
 * kfi_known_nest() - Wait for a softirq that calls kfi_known_spin().
 * @known: as for kfi_known_work(), which calls this. Its @spun stays 0 if no softirq comes on top
 *	of this task, as where softirqs have a thread
 */
void kfi_known_nest(struct kfi_known *known);

/* What they call: outer, middle and inner below each other. The interrupt comes in the spin. */
void kfi_known_outer(void);
void kfi_known_middle(void);
void kfi_known_inner(void);
void kfi_known_spin(struct kfi_known *known);
void kfi_known_interrupt(void);
void kfi_known_wait(struct kfi_known *known);

/* ---- selftest.c: test that the recorder works on this machine ---- */

/**
 * kfi_selftest() - Record known calls on every cpu, and judge the logs.
 * @err: the first failure, or why nothing was tested
 *
 * The kernel log has a line for each failure, and one with their number. The current logs stay.
 * Context: process context, sleeps.
 * Return: 0; -EIO if something failed; what kfi_control_begin_test() and kfi_control_write()
 * return if it could not be tested.
 */
int kfi_selftest(struct kfi_conf_err *err);

/**
 * kfi_selftest_boot() - Run the selftest if the kernel's command line asks for it.
 *
 * Context: to_userspace().
 */
void kfi_selftest_boot(void);

/* ---- boot.c: the session of the boot, compiled in or given on the kernel's command line ---- */

/**
 * kfi_boot_show() - Print why no session, or another one, was armed at boot.
 * @m: where to: the status
 *
 * Context: process context.
 */
void kfi_boot_show(struct seq_file *m);

/**
 * kfi_boot_notes() - Print in a log in what the session differs from what kfi.conf= asks for.
 * @m: where to: the header of the log
 * @log: a log of the boot
 */
void kfi_boot_notes(struct seq_file *m, const struct kfi_log *log);

/* What mkkfistatic makes of kfistatic.conf: its text, and memory for its logs. */

/* The configuration, already parsed once; the NUL is not in the length. */
extern const char kfi_static_name[];
extern const char kfi_static_text[];
extern const u32 kfi_static_len;

/**
 * struct kfi_static_run - the memory of one session
 * @entries: calls that its log holds at least
 * @nchunks: chunks for them
 * @chunks: table of the chunks, to be filled
 * @pool: the chunks
 * @nfuncs: room for addresses in its lists
 * @funcs: that room
 */
struct kfi_static_run {
	u32 entries;
	u32 nchunks;
	struct kfi_chunk **chunks;
	u8 (*pool)[KFI_CHUNK_BYTES];
	u32 nfuncs;
	unsigned long *funcs;
};

/* The sessions, one a block of the text, each with a log and its share per cpu. */
extern const struct kfi_static_run kfi_static_runs[];
extern const u32 kfi_static_nruns;
extern struct kfi_log kfi_static_logs[];
extern struct kfi_cpu kfi_static_cpus[][NR_CPUS];

#define KFI_STATIC_ENTRIES(n)	((n) ? (n) : CONFIG_KFI_LOG_ENTRIES)
#define KFI_STATIC_NCHUNKS(n)	KFI_RING_CHUNKS(KFI_STATIC_ENTRIES(n), NR_CPUS, KFI_CHUNK_BYTES)

/* Define the memory of session i: "logentries n" (0: there is none), f addresses in lists. */
#define KFI_STATIC_POOL(i, n, f)						\
	static struct kfi_chunk *chunks_##i[KFI_STATIC_NCHUNKS(n)];		\
	static u8 pool_##i[KFI_STATIC_NCHUNKS(n)][KFI_CHUNK_BYTES] __aligned(KFI_CHUNK_BYTES); \
	static unsigned long funcs_##i[f]

/* A row of kfi_static_runs[], and what goes with a table of n rows. */
#define KFI_STATIC_RUN(i, n, f)							\
	{ KFI_STATIC_ENTRIES(n), KFI_STATIC_NCHUNKS(n), chunks_##i, pool_##i, (f), funcs_##i }
#define KFI_STATIC_LOGS(n)							\
	const u32 kfi_static_nruns = (n);					\
	struct kfi_log kfi_static_logs[n];					\
	struct kfi_cpu kfi_static_cpus[n][NR_CPUS]

#endif /* KFI_SESSION_H */
