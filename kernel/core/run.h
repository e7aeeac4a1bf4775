/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A session (struct kfi_run) as the hooks see it: its states, when and why it started and stopped,
 * its counters, and what the fast path compares with. What a session does to a call is in call.h.
 *
 *	        prime          start trigger          stop trigger, log full
 *	IDLE ----------> PRIMED -------------> TRIGGERED ------------------> COMPLETE
 *	   `--------------- start ---------------^
 *
 * The hook or command that wins the cmpxchg of the state changes it; STARTING and STOPPING last
 * while the winner writes down when and why.
 *
 * With autorepeat a stop trigger only pauses a session, and its start trigger resumes it: see
 * @phase of struct kfi_run. During a pause it stays TRIGGERED, and the hooks go on to push and pop
 * frames, so each call has one frame from its entry to its exit. Calls entered during a pause are
 * filtered as KFI_FILTERED_BETWEEN.
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

/* The lower bits of @phase of struct kfi_run; the bits above count the iterations that are over. */
enum kfi_phase {
	KFI_RECORDING,
	KFI_PAUSED,
	KFI_RESUMING,	/* while the winner writes down when */
	KFI_PHASES = 4
};

/* Why a session started or stopped. */
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
 * struct kfi_edge - the start or the stop of a session
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
 * struct kfi_cpu - data of a cpu; no other cpu writes to it while a session is live
 * @ring: its place in the ring
 * @count: its share of the counters
 * @still_seen: calls of NMIs that came while it stood still for a snapshot. Neither they nor
 *	@still_lost change at any other time. Of what is above only KFI_MARKS_LOST of @count
 *	changes then: marks of NMIs are lost, too
 * @still_lost: the same number, since none of them is recorded
 * @prof: its first entry, in a profile
 */
struct kfi_cpu {
	struct kfi_ring_cpu ring;
	struct kfi_counter count[KFI_COUNTS];
	struct kfi_counter still_seen;
	struct kfi_counter still_lost;
	struct kfi_prof_entry *prof;
} ____cacheline_aligned;

/* In struct kfi_fast: a tag that no frame has, so that no hook takes the fast path. */
#define KFI_FAST_NONE		U32_MAX

/**
 * struct kfi_fast - the fast-path state: what the hooks compare with a frame's tag, and more
 * @entry_tag: what an entry compares with the tag of the free frame: @tag of the session, or
 *	KFI_FAST_NONE. If the session has a stop trigger, or if the clock is not read by one
 *	instruction (kfi_clock_is_counter()), it also has the bit KFI_FAST_TRIGGER. The comparison
 *	then fails, and the hook checks whether that bit is the only difference
 * @on: a session is live; 0: the hooks have nothing to do
 * @exit_tag: what an exit compares first: @tag; if the clock is not read by one instruction,
 *	KFI_FAST_NONE
 * @tag: what an exit compares with the tag of its frame: @tag of the session while it is triggered
 *	and its exits can use the fast path; else KFI_FAST_NONE
 * @min: @min of the filter. At most LONG_MAX, so that a negative duration of a clock that stepped
 *	back is no short one
 * @packed_end: with KFI_CHUNK_COUNTS: @room plus the words of a packed record. It is compared with
 *	the words that are used with the new record
 * @text: text base of the ring
 * @room: words of a chunk, less one common record
 * @noints: calls in interrupts are filtered
 * @ring: the ring of the session; NULL if the fast path keeps no calls (@fast of struct kfi_ring)
 *
 * A kernel has one. @on is written when a session is published or withdrawn, and when the last one
 * is complete. @min also changes while a session is live, but only grows. The winner of STARTING
 * writes all other members; the winner of STOPPING writes @tag, @exit_tag and @entry_tag.
 */
struct kfi_fast {
	u32 entry_tag;
	u32 on;
	u32 exit_tag;
	unsigned long min;
#ifdef KFI_CHUNK_COUNTS
	long packed_end;
#endif
	unsigned long text;
	long room;
	u32 tag;
	bool noints;
	struct kfi_ring *ring;
};

/**
 * enum kfi_fast_part - what the hooks of a session do on the fast path (hooks/fast.h)
 * @KFI_FAST_NOTHING: nothing
 * @KFI_FAST_ENTRIES: entries push their frames
 * @KFI_FAST_DROPS: exits pop the frames of calls that mintime or noints drops, too. There is a
 *	mintime
 * @KFI_FAST_ALL: exits keep the other calls, too
 */
enum kfi_fast_part { KFI_FAST_NOTHING, KFI_FAST_ENTRIES, KFI_FAST_DROPS, KFI_FAST_ALL };

/**
 * struct kfi_run - a session, as the hooks see it
 * @state: enum kfi_state
 * @routine: generation of the stacks on which a hook only has to record its call: @id, or
 *	KFI_GENERATION_NEVER before the start, and with autorepeat
 * @at_entry: kfi_call_at_entry() must be called at each entry: for ``only under`` or autorepeat
 * @stop_entry: stop when this function is entered; 0: no such trigger
 * @stop_exit: stop when this function has returned; 0: no such trigger
 * @stop_at: stop at this raw clock count; U64_MAX: never. Written by the winner of STARTING
 * @filter: which calls are kept
 * @start_entry: as @stop_entry
 * @start_exit: as @stop_exit
 * @start_at: start at this raw clock count; U64_MAX: no such trigger, or not known yet
 * @stop_after: raw counts from start to stop; U64_MAX: no such trigger, or the rate of the clock is
 *	not known yet
 * @stops_by_time: there is such a trigger
 * @cpus: what is kept per cpu, by its number: not per-cpu data, which does not exist yet at
 *	start_kernel
 * @marks: bit per enum kfi_conf_mark: which marks are wanted
 * @watch: enum kfi_conf_watch: what is watched
 * @args: how many arguments of the functions of KFI_LIST_RECORD are recorded
 * @ret: their return values are recorded
 * @watch_limit: with fewer bytes free than these a function is reported
 * @profile: calls are added up, not kept
 * @notime_room: calls without time that may still be kept: they must not fill the log
 * @id: number of the session, from 1: no other one has it while this one is live. It is the
 *	generation of stacks with calls of this session
 * @repeat: a stop trigger pauses it
 * @phase: enum kfi_phase, and above it how many iterations are over
 * @began: raw clock count at which the last iteration began
 * @on_complete: called when the session is complete, in any context, or NULL
 * @fast_state: the fast-path state of the hooks (hooks/fast.h), or NULL
 * @tag: the tag of its plain frames, which no other session has; 0: it cannot use the fast path
 * @fast: what its hooks do on the fast path
 * @start: when and why it started first; written by the winner of STARTING
 * @stop: when and why it stopped; written by the winner of STOPPING
 * @ring: where its records are
 *
 * The winner of STARTING writes @routine, @tag, @fast, @fast of @ring, @began and @stop_at; that of
 * KFI_RESUMING writes @began and @stop_at. If the rate of the clock is known only later,
 * kfi_run_know_stop() writes @stop_at. The configuring process writes everything else before the
 * session is published, except where a member says otherwise.
 */
struct kfi_run {
	atomic_t state;
	u32 routine;
	bool at_entry;
	unsigned long stop_entry;
	unsigned long stop_exit;
	u64 stop_at;
	struct kfi_cpu *cpus;
	u32 marks;
	u32 watch;
	u32 args;
	bool ret;
	atomic_t watch_limit;
	struct kfi_filter filter;
	unsigned long start_entry;
	unsigned long start_exit;
	u64 start_at;
	u64 stop_after;
	bool stops_by_time;
	bool profile;
	atomic_t notime_room;
	u32 id;
	bool repeat;
	atomic_t phase;
	u64 began;
	void (*on_complete)(void);
	struct kfi_fast *fast_state;
	u32 tag;
	enum kfi_fast_part fast;
	struct kfi_edge start;
	struct kfi_edge stop;
	struct kfi_ring ring;
};

/**
 * kfi_run_is_paused() - Return true if a session has started and is between two iterations.
 * @run: the session
 */
static __always_inline bool kfi_run_is_paused(const struct kfi_run *run)
{
	return (u32)atomic_read(&run->phase) % KFI_PHASES != KFI_RECORDING;
}

/**
 * kfi_run_iterations() - Return how many iterations of a session have begun.
 * @run: the session
 */
static inline u32 kfi_run_iterations(const struct kfi_run *run)
{
	/* Pairs with the release in kfi_run_start_at(). */
	if (atomic_read_acquire(&run->state) < KFI_TRIGGERED || run->start.cause == KFI_BY_NOTHING)
		return 0;
	return (u32)atomic_read(&run->phase) / KFI_PHASES + 1;
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
 * kfi_run_know_stop() - Set after how long a session stops: its rate is known, or known better.
 * @run: the session
 * @after: raw counts from start to stop; U64_MAX: no such trigger, or not known yet
 * @zero: raw clock count when the clock was chosen
 *
 * A session that has started while this was not known gets its end now. If it has started before
 * the clock ran, @after counts from @zero, as all times of its log do.
 * Context: process, interrupts on.
 */
void kfi_run_know_stop(struct kfi_run *run, u64 after, u64 zero);

/**
 * kfi_run_start_at() - Start a session that is primed, or resume it, and return when.
 * @run: the session
 * @cause: why
 * @func: the function whose entry or exit it was, or 0
 * @at: where to put the raw clock count; untouched if this caller did not start it
 *
 * Return: true if this caller started it.
 */
bool kfi_run_start_at(struct kfi_run *run, enum kfi_cause cause, unsigned long func, u64 *at);

/**
 * kfi_run_start() - Start a session that is primed, or resume it; the user, an idle one, too.
 * @run: the session
 * @cause: why
 * @func: the function whose entry or exit it was, or 0
 *
 * Return: true if this caller started it.
 */
static inline bool kfi_run_start(struct kfi_run *run, enum kfi_cause cause, unsigned long func)
{
	u64 at;

	return kfi_run_start_at(run, cause, func, &at);
}

/**
 * kfi_run_stop() - Stop a session: flips its state, nothing else.
 * @run: the session
 * @cause: why
 * @func: the function whose entry or exit it was, or 0
 *
 * A trigger pauses a session with autorepeat. Calls that other cpus are recording at that moment
 * may still be written.
 * Context: any, NMI included.
 * Return: true if this caller stopped or paused it.
 */
bool kfi_run_stop(struct kfi_run *run, enum kfi_cause cause, unsigned long func);

/**
 * kfi_run_end() - Complete a session by command, whatever its state.
 * @run: the session
 *
 * Context: process context; one caller at a time.
 * Return: false if it is complete already.
 */
bool kfi_run_end(struct kfi_run *run);

/**
 * kfi_fast_part() - Return what the hooks of a session can do on the fast path.
 * @run: the session, about to start
 */
enum kfi_fast_part kfi_fast_part(const struct kfi_run *run);

/**
 * kfi_fast_trigger() - Return the function that may not take the fast path.
 * @run: a session whose entries do
 *
 * It is the one that stops the session by its entry or its exit; 0: there is none.
 */
static inline unsigned long kfi_fast_trigger(const struct kfi_run *run)
{
	return run->stop_entry | run->stop_exit;
}

/**
 * kfi_fast_open() - Let the hooks take the fast path.
 * @fast: the fast-path state
 * @run: the session; its @tag and @fast are set
 *
 * Context: any; in state STARTING.
 */
void kfi_fast_open(struct kfi_fast *fast, struct kfi_run *run);

/**
 * kfi_fast_close() - Send all hooks to the slow path.
 * @fast: the fast-path state
 *
 * Context: any; in state STOPPING.
 */
static inline void kfi_fast_close(struct kfi_fast *fast)
{
	WRITE_ONCE(fast->entry_tag, KFI_FAST_NONE);
	WRITE_ONCE(fast->exit_tag, KFI_FAST_NONE);
	WRITE_ONCE(fast->tag, KFI_FAST_NONE);
}

/**
 * kfi_fast_set_min() - Set mintime of the fast path.
 * @fast: the fast-path state
 * @min: raw counts
 *
 * Context: any; hooks may be reading.
 */
static inline void kfi_fast_set_min(struct kfi_fast *fast, u64 min)
{
	WRITE_ONCE(fast->min, min_t(u64, min, LONG_MAX));
}

#endif /* KFI_RUN_H */
