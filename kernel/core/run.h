/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session (struct kfi_run) as the hooks see it: its states, when and why it started and stopped,
 * its counters, and what the fast path compares with. What a session does to a call is in call.h.
 *
 *	        prime          start trigger          stop trigger, log full
 *	IDLE ----------> PRIMED -------------> TRIGGERED ------------------> COMPLETE
 *	   `--------------- start ---------------^
 *	                   ^------ stop trigger --`	with autorepeat: a round is over
 *
 * A run is changed by whoever wins the cmpxchg of its state; STARTING and STOPPING last while the
 * winner writes down when and why. Who completes a run arms the one after it and shows it to the
 * hooks.
 *
 * Each start is a round, and has a stamp, which the shadow stacks bear. Stamps are counted through
 * all rounds of all runs of a configuration, so a higher one is a later one.
 */
#ifndef KFI_RUN_H
#define KFI_RUN_H

#include "kfi_abi.h"
#include "core/bad.h"
#include "core/counter.h"
#include "core/filter.h"
#include "core/port.h"
#include "core/prof.h"
#include "core/ring.h"
#include "core/stack.h"

enum kfi_state {
	KFI_IDLE,
	KFI_PRIMED,
	KFI_STARTING,
	KFI_TRIGGERED,
	KFI_STOPPING,
	KFI_COMPLETE,
};

/* The last stamp after which a round may follow; what is left is for the runs after that. */
#define KFI_STAMP_LAST		0xffff0000u

/* Why a run started or stopped. */
enum kfi_cause {
	KFI_BY_NOTHING,
	KFI_BY_ENTRY,
	KFI_BY_EXIT,
	KFI_BY_TIME,
	KFI_BY_USER,
	KFI_BY_FULL,	/* stop only */
	KFI_BY_CRASH,	/* stop only */
	KFI_BY_BAD,	/* stop only: core/bad.h */
};

/**
 * struct kfi_edge - the start or the stop of a run
 * @cause: why
 * @func: the function, for KFI_BY_ENTRY and KFI_BY_EXIT
 * @time: raw clock count
 */
struct kfi_edge {
	enum kfi_cause cause;
	unsigned long func;
	u64 time;
};

/**
 * struct kfi_cpu - what the recorder keeps per cpu; no other cpu writes to it while a run is live
 * @ring: its place in the ring
 * @count: its share of the counters
 * @still_seen: calls of NMIs that came while it stood still for a snapshot. Neither they nor
 *	@still_lost change at any other time, and nothing else changes then
 * @still_lost: as many, since none of them is recorded
 * @prof: its first entry, in a profile
 */
struct kfi_cpu {
	struct kfi_ring_cpu ring;
	struct kfi_counter count[KFI_COUNTS];
	struct kfi_counter still_seen;
	struct kfi_counter still_lost;
	struct kfi_prof_entry *prof;
} ____cacheline_aligned;

/* What no plain frame bears. */
#define KFI_FAST_NONE		U32_MAX

/**
 * struct kfi_fast - what hooks look at first
 * @any: @id; if there is a function that may not take the fast path, with KFI_FAST_TRIGGER
 * @on: a run is live; 0: there is nothing to do
 * @id: @fast of the run, while it is triggered and for the fast path; else KFI_FAST_NONE
 * @min: that of its filter, but less than what a clock seems to show that has stepped back
 * @text: text base of its ring
 * @room: that of its ring, less one common record
 * @noints: what interrupts call is filtered
 * @ring: its ring
 *
 * There is one in a kernel. @on is written by who publishes a run, or takes it away, and when the
 * last one is complete; @min also while the run is live: only upwards; all else by the winner of
 * STARTING, and @id and @any of STOPPING.
 */
struct kfi_fast {
	u32 any;
	u32 on;
	u32 id;
	u64 min;
	unsigned long text;
	long room;
	bool noints;
	struct kfi_ring *ring;
};

/**
 * struct kfi_run - a run, as the hooks see it
 * @state: enum kfi_state
 * @quick: stamp of the stacks with which a hook has nothing to do but its call; it is that of
 *	the run, or KFI_STAMP_NEVER: before the start, and in a run that something may follow
 * @under: ``only under`` is asked for
 * @stop_entry: stop when this function is entered; 0: no such trigger
 * @stop_exit: stop when this function has returned; 0: no such trigger
 * @stop_at: stop at this raw clock count; U64_MAX: never. Written by the winner of STARTING
 * @filter: which calls are kept
 * @start_entry: as @stop_entry
 * @start_exit: as @stop_exit
 * @start_at: as @stop_at; 0: no such trigger
 * @stop_after: raw counts from start to stop; U64_MAX: no such trigger
 * @cpus: what is kept per cpu, by its number: not per-cpu data, which does not exist yet at
 *	start_kernel
 * @marks: bit per enum kfi_conf_mark: which marks are wanted
 * @marks_ahead: likewise, by this run or one after it
 * @watch: enum kfi_conf_watch: what is watched
 * @watch_limit: with fewer bytes free than these a function is reported
 * @profile: calls are added up, not kept
 * @notime_room: calls without time that may still be kept: they must not fill the log
 * @id: number of the run, from 1
 * @stamp: stamp of its last round; 0: it never started
 * @first_stamp: that of its first round
 * @rounds: how often it started
 * @began: raw clock count at the last of these
 * @repeat: its stop trigger arms it again
 * @next: the run after this one, or NULL
 * @prev: the run before this one, or NULL
 * @live: where hooks look for the run that is live
 * @over: called when it is complete and nothing follows, from anywhere, or NULL
 * @gate: where they look for what they need on the fast path (hooks/fast.h), or NULL
 * @fast: by what its plain frames are known; 0: it is not for the fast path
 * @start: when and why it started first; written by the winner of STARTING
 * @stop: when and why it, or its last round, stopped; written by the winner of STOPPING
 * @ring: where its records are
 *
 * @quick, @fast, @stamp, @first_stamp, @rounds and @began are written by the winner of STARTING,
 * all else but for what is said above by the configuring process before it is published.
 */
struct kfi_run {
	atomic_t state;
	u32 quick;
	bool under;
	unsigned long stop_entry;
	unsigned long stop_exit;
	u64 stop_at;
	struct kfi_cpu *cpus;
	u32 marks;
	u32 marks_ahead;
	u32 watch;
	atomic_t watch_limit;
	struct kfi_filter filter;
	unsigned long start_entry;
	unsigned long start_exit;
	u64 start_at;
	u64 stop_after;
	bool profile;
	atomic_t notime_room;
	u32 id;
	u32 stamp;
	u32 first_stamp;
	u32 rounds;
	u64 began;
	bool repeat;
	struct kfi_run *next;
	struct kfi_run *prev;
	struct kfi_run **live;
	void (*over)(void);
	struct kfi_fast *gate;
	u32 fast;
	struct kfi_edge start;
	struct kfi_edge stop;
	struct kfi_ring ring;
};

/**
 * kfi_run_has() - Is a stamp one of this run's?
 * @run: the run
 * @stamp: a stamp
 *
 * Context: any.
 * Return: true if it is.
 */
static inline bool kfi_run_has(const struct kfi_run *run, u32 stamp)
{
	u32 first = READ_ONCE(run->first_stamp);

	return first && stamp >= first && stamp <= READ_ONCE(run->stamp);
}

/**
 * kfi_run_between() - Does a run that repeats wait for its next round?
 * @run: the run
 *
 * Context: any.
 * Return: true if it had a round and waits for another one.
 */
static inline bool kfi_run_between(const struct kfi_run *run)
{
	/* Pairs with the release in kfi_run_stop(). */
	return atomic_read_acquire(&run->state) == KFI_PRIMED && run->rounds;
}

/**
 * kfi_count_add_one() - Count one.
 * @cpu: this cpu
 * @what: what to count
 *
 * Context: any; the caller stays on its cpu.
 */
static __always_inline void kfi_count_add_one(struct kfi_cpu *cpu, enum kfi_count what)
{
	kfi_counter_add(&cpu->count[what], 1);
}

/**
 * kfi_count_read() - Read a counter.
 * @cpu: any cpu
 * @what: which
 *
 * Context: any; exact when that cpu records nothing.
 * Return: the count.
 */
static inline u64 kfi_count_read(const struct kfi_cpu *cpu, enum kfi_count what)
{
	return kfi_counter_read(&cpu->count[what]);
}

/**
 * kfi_run_start_at() - Start a run that is idle or primed, and tell when that was.
 * @run: the run
 * @cause: why
 * @func: the function whose entry or exit it was, or 0
 * @at: where to put the raw clock count; untouched if this caller did not start it
 *
 * Context: any.
 * Return: true if this caller started it.
 */
bool kfi_run_start_at(struct kfi_run *run, enum kfi_cause cause, unsigned long func, u64 *at);

/**
 * kfi_run_start() - Start a run that is idle or primed.
 * @run: the run
 * @cause: why
 * @func: the function whose entry or exit it was, or 0
 *
 * Context: any.
 * Return: true if this caller started it.
 */
static inline bool kfi_run_start(struct kfi_run *run, enum kfi_cause cause, unsigned long func)
{
	u64 at;

	return kfi_run_start_at(run, cause, func, &at);
}

/**
 * kfi_run_stop() - Stop a run, or a round of it: flips its state, nothing else.
 * @run: the run
 * @cause: why
 * @func: the function whose entry or exit it was, or 0
 *
 * By a trigger a run that repeats is primed again, else it is complete, and the next one is live.
 * Calls that are being recorded on other cpus meanwhile may still be written.
 * Context: any, NMI included.
 * Return: true if this caller stopped it.
 */
bool kfi_run_stop(struct kfi_run *run, enum kfi_cause cause, unsigned long func);

/**
 * kfi_run_end_waiting() - Complete a run that is not being recorded.
 * @run: the run
 * @state: KFI_IDLE or KFI_PRIMED: what it must be in
 * @cause: why
 *
 * Context: any.
 * Return: true if this caller completed it.
 */
bool kfi_run_end_waiting(struct kfi_run *run, enum kfi_state state, enum kfi_cause cause);

/**
 * kfi_run_end() - Complete a run by command, whatever its state.
 * @run: the run
 *
 * Context: process context; one caller at a time.
 * Return: false if it is complete already.
 */
bool kfi_run_end(struct kfi_run *run);

/**
 * kfi_run_stamps() - Count stamps anew.
 * @last: the next one is one more than this
 *
 * Context: no run is live, and no stack bears a stamp.
 */
void kfi_run_stamps(u32 last);

/**
 * kfi_fast_can() - Is a run for the fast path?
 * @run: the run, about to start
 *
 * Context: any.
 * Return: true if it is.
 */
bool kfi_fast_can(const struct kfi_run *run);

/**
 * kfi_fast_trigger() - Which function may not take the fast path?
 * @run: a run, for which kfi_fast_can() holds
 *
 * Context: any.
 * Return: the one that stops the run by its entry or its exit; 0: there is none.
 */
static inline unsigned long kfi_fast_trigger(const struct kfi_run *run)
{
	return run->stop_entry | run->stop_exit;
}

/**
 * kfi_fast_open() - Let hooks take the fast path.
 * @fast: what they look at
 * @run: the run, for which kfi_fast_can() holds; @run->fast is set
 *
 * Context: any; in state STARTING.
 */
void kfi_fast_open(struct kfi_fast *fast, struct kfi_run *run);

/**
 * kfi_fast_shut() - Let none take the fast path any more.
 * @fast: what they look at
 *
 * Context: any; in state STOPPING.
 */
static inline void kfi_fast_shut(struct kfi_fast *fast)
{
	WRITE_ONCE(fast->any, KFI_FAST_NONE);
	WRITE_ONCE(fast->id, KFI_FAST_NONE);
}

/**
 * kfi_fast_set_min() - Set mintime.
 * @fast: what hooks look at
 * @min: raw counts
 *
 * Context: any; hooks may be reading.
 */
static inline void kfi_fast_set_min(struct kfi_fast *fast, u64 min)
{
	WRITE_ONCE(fast->min, min_t(u64, min, S64_MAX));
}

#endif /* KFI_RUN_H */
