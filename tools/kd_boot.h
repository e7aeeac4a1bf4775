/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the time of a boot went (--boot), from start_kernel() to to_userspace().
 *
 *	kd_boot.c	reads the log: self times, long calls
 *	kd_boot_phase.c	has the phases
 *	kd_boot_role.c	what functions are known for
 *	kd_boot_marks.c	reads its marks: what happened to each task
 *	kd_boot_path.c	walks back through them: the critical path, in pieces
 *	kd_boot_line.c	cuts the pieces at long calls, and folds short ones, into lines
 *	kd_boot_show.c	prints phases and the path; kd_boot_lists.c prints what took longest;
 *			kd_boot_row.c has their rows
 *	kd_boot_without.h	the boot without a function (--without)
 *
 * The critical path is one chain without a hole from start_kernel to to_userspace: at each moment
 * the task for which the boot waited. It is found backwards. At time t the boot waits for task X:
 *
 * - From X's last switch-in until t X ran. From the wake-up until that switch-in X was runnable.
 * - There is no wake-up, and X did not block when it was switched out: X was preempted, or it
 *   yielded.
 * - A task woke X: go on in that task at that moment. It does not matter what X did before: the
 *   other task may have been at work for longer than X has waited for it.
 * - An interrupt woke X: X waited for a timer, an RCU grace period or a device since it was
 *   switched out. Go on in X at that moment. If no function of the interrupt is known, nor is that
 *   for which X waited.
 * - X is new: it was runnable since it was made. Go on in the task that made it.
 * - X is the idle task of a CPU that has just started: the CPU was brought up. Go on in the task
 *   that waited for it.
 *
 * Three cases need care. A task may be woken before it is switched out, when it is on its way to
 * that: then it was runnable at once. An idle task that is idle wakes others on behalf of an
 * interrupt. And if an interrupt finds a kernel thread in the loop in which it waits for work, the
 * past of that thread has nothing to do with the present: the task that waits for the thread waited
 * for the interrupt. So the walk keeps the tasks through which it came, and returns to the last of
 * them. That task may not have begun to wait then: go on with what it did.
 *
 * Must hold: pieces and lines have no hole between them and no overlap, so that their lengths add
 * up to that of the boot; check_sum() in kd_boot.c looks after that. Each step goes to an event
 * that stands further up in the log, so the walk ends.
 *
 * Without marks the path is that of task 0 until task 1 begins, then of task 1. Memory goes with
 * marks and with calls of some length.
 */
#ifndef KFI_KD_BOOT_H
#define KFI_KD_BOOT_H

#include "kd.h"
#include "kd_initcalls.h"

/**
 * enum boot_kind - what a time on the path was
 * @BOOT_RAN: the task ran, interrupts included
 * @BOOT_RUNNABLE: it had been woken, or made, and waited for a CPU
 * @BOOT_PREEMPTED: it had not blocked, and waited for a CPU
 * @BOOT_TIMER: it slept until a timer woke it
 * @BOOT_DEVICE: it waited for the interrupt of a device
 * @BOOT_RCU: it waited for a grace period
 * @BOOT_CPU_UP: it waited for a CPU that was brought up
 * @BOOT_WAITED: it slept; the log does not say for what it waited
 * @BOOT_MIXED: it ran or did not run
 * @BOOT_UNKNOWN: marks are missing
 */
enum boot_kind {
	BOOT_RAN,
	BOOT_RUNNABLE,
	BOOT_PREEMPTED,
	BOOT_TIMER,
	BOOT_DEVICE,
	BOOT_RCU,
	BOOT_CPU_UP,
	BOOT_WAITED,
	BOOT_MIXED,
	BOOT_UNKNOWN,
	BOOT_KINDS
};

/**
 * enum boot_role - what a function is known for, by its name
 * @BOOT_ANY: nothing
 * @BOOT_IS_START: start_kernel(): the boot begins
 * @BOOT_IS_REST: rest_init(): a phase of its own
 * @BOOT_IS_INIT: kernel_init(): a phase of its own; when it returns the boot is over
 * @BOOT_IS_END: to_userspace(): the boot is over
 * @BOOT_IS_PHASE: a phase of its own, if there are no levels
 * @BOOT_IS_EARLY: when it returns the level of early initcalls is over
 * @BOOT_IS_SETUP: when it returns the last level is over
 * @BOOT_IS_INITCALLS: calls the initcalls
 * @BOOT_IS_IDLE: the loop of idle tasks
 * @BOOT_IS_SLEEP: the scheduler's: callers say what a task waits for
 * @BOOT_IS_LOOP: a loop in which a kernel thread waits for work
 * @BOOT_IS_TIMER: runs timers
 * @BOOT_IS_RCU: runs what waited for a grace period
 * @BOOT_IS_WAKE: the scheduler's: callers say who woke a task
 * @BOOT_IS_ASYNC: runs an async function; this one and all behind it are listed, however short
 * @BOOT_IS_WORK: runs a work
 * @BOOT_IS_PROBE: runs deferred probes
 * @BOOT_JOINS_ASYNC: waits for all async functions
 * @BOOT_JOINS_SOME_ASYNC: waits for some of them
 * @BOOT_JOINS_PROBE: waits for deferred probes and async functions
 * @BOOT_JOINS_SOME_WORK: waits for some works
 * @BOOT_ROLES: their number
 */
enum boot_role {
	BOOT_ANY,
	BOOT_IS_START,
	BOOT_IS_REST,
	BOOT_IS_INIT,
	BOOT_IS_END,
	BOOT_IS_PHASE,
	BOOT_IS_EARLY,
	BOOT_IS_SETUP,
	BOOT_IS_INITCALLS,
	BOOT_IS_IDLE,
	BOOT_IS_SLEEP,
	BOOT_IS_LOOP,
	BOOT_IS_TIMER,
	BOOT_IS_RCU,
	BOOT_IS_WAKE,
	BOOT_IS_ASYNC,
	BOOT_IS_WORK,
	BOOT_IS_PROBE,
	BOOT_JOINS_ASYNC,
	BOOT_JOINS_SOME_ASYNC,
	BOOT_JOINS_PROBE,
	BOOT_JOINS_SOME_WORK,
	BOOT_ROLES
};

/**
 * struct boot_func - what is known of a function
 * @local: self time of its calls, nanoseconds
 * @calls: calls
 * @role: enum boot_role
 * @unsure: @local is a best guess
 */
struct boot_func {
	u64 local;
	u64 calls;
	u8 role;
	bool unsure;
};

/**
 * struct boot_call - a call of a task that took long, or has not returned; times in nanoseconds
 * @entry: its entry
 * @end: its exit; of one whose exit was not seen the latest possible one
 * @delta: its duration, -1: unknown
 * @off: the part of it switched out, -1: unknown
 * @irq: the part of it in interrupts, -1: unknown
 * @below: sum of @delta of the calls of a line's length that lie directly in it
 * @below_off: the sum of their @off
 * @below_irq: the sum of their @irq
 * @rows: calls below it that lie in none of those
 * @longer: the last call of its task of a line's length, up to itself; KFI_NONE: none
 * @func: its function
 * @task: its task
 * @parent: the call of the list that it lies in, KFI_NONE: none
 * @prev: the call of the list that its task entered before, KFI_NONE: none
 * @is_open: it had not returned when the log ended, or its exit was not seen
 */
struct boot_call {
	s64 entry;
	s64 end;
	s64 delta;
	s64 off;
	s64 irq;
	s64 below;
	s64 below_off;
	s64 below_irq;
	u64 rows;
	u32 func;
	u32 task;
	u32 parent;
	u32 prev;
	u32 longer;
	bool is_open;
};

/**
 * struct boot_task - a task; an idle task is one of a CPU
 * @pid: its number
 * @cpu: of an idle task its CPU
 * @name: number of its name, KFI_NONE: unknown
 * @event: the last event of it, KFI_NONE: none so far
 * @call: the last call of it in the list, KFI_NONE: none so far
 * @first: when it was first seen
 * @idle_from: since when task 0 of the first CPU is idle, -1: not known
 */
struct boot_task {
	s32 pid;
	s32 cpu;
	u32 name;
	u32 event;
	u32 call;
	s64 first;
	s64 idle_from;
};

/**
 * enum boot_event_kind - what happens to a task
 * @BOOT_IN: it is switched in
 * @BOOT_BLOCKS: it is switched out, and does not want to run
 * @BOOT_STAYS: it is switched out, and wants to run
 * @BOOT_WAKE: it is woken
 * @BOOT_NEW: it is made
 */
enum boot_event_kind {
	BOOT_IN,
	BOOT_BLOCKS,
	BOOT_STAYS,
	BOOT_WAKE,
	BOOT_NEW,
};

/* What recording a call takes is less than that, nanoseconds. */
#define BOOT_COST_MAX	1000000

/* Functions that a wake-up names, at most. */
#define BOOT_FUNCS	8

/**
 * struct boot_event - something that happens to a task
 * @at: when, nanoseconds
 * @task: to which task
 * @prev: what happened to it before, KFI_NONE: nothing
 * @call: the last call of @task in the list
 * @other: BOOT_WAKE, BOOT_NEW: the task that did it, or that was interrupted
 * @other_event: what happened last to that
 * @other_call: its last call in the list
 * @cpu: BOOT_IN: number of the CPU, in order of appearance
 * @by: BOOT_WAKE: function that stands for the interrupt, KFI_NONE: unknown
 * @kind: enum boot_event_kind
 * @ctx: of the one who did it: enum kfi_ctx
 * @cause: BOOT_WAKE: enum boot_kind of a wait that it ends, if it is by an interrupt
 * @torn: BOOT_IN: the cpu was next left by another task: marks are missing
 */
struct boot_event {
	s64 at;
	u32 task;
	u32 prev;
	u32 call;
	u32 other;
	u32 other_event;
	u32 other_call;
	u32 cpu;
	u32 by;
	u8 kind;
	u8 ctx;
	u8 cause;
	bool torn;
};

/**
 * struct boot_piece - a piece of the path, up to the next one
 * @from: when it begins, nanoseconds
 * @to: when it ends
 * @task: the task
 * @call: its last call in the list that was entered before @to, KFI_NONE: none
 * @by: what woke it, if it waited for an interrupt; KFI_NONE: unknown
 * @kind: enum boot_kind
 */
struct boot_piece {
	s64 from;
	s64 to;
	u32 task;
	u32 call;
	u32 by;
	u8 kind;
};

/**
 * struct boot_line - what is printed of the path as one line: a piece, or several
 * @from: when it begins
 * @to: when it ends
 * @task: the task, of folded ones that of the longest
 * @call: the call in which it is, KFI_NONE: none
 * @by: what woke it; KFI_NONE: unknown, or several
 * @pieces: how many pieces
 * @init_call: the call in which task 0 or 1 was, of folded ones during all of them
 * @initcall: the initcall in which that is, KFI_NONE: in none of a line's length
 * @longest: length of the longest
 * @folded: they are short
 * @several: and of more than one task: @call is @init_call
 * @unsure: @irq, @off and @recording are best guesses
 * @of: time of each kind in it
 * @irq: interrupts' time in it, -1: unknown
 * @off: time switched out, where it is not known what was; -1: unknown
 * @recording: what recording the calls of the log in it took, -1: unknown
 */
struct boot_line {
	s64 from;
	s64 to;
	u32 task;
	u32 call;
	u32 by;
	u32 pieces;
	u32 init_call;
	u32 initcall;
	s64 longest;
	bool folded;
	bool several;
	bool unsure;
	s64 of[BOOT_KINDS];
	s64 irq;
	s64 off;
	s64 recording;
};

/**
 * struct boot_phase - a part of the boot, up to the next one
 * @from: when it begins
 * @name: what it is called
 * @weak: it is of no interest if the levels of initcalls are known
 */
struct boot_phase {
	s64 from;
	u32 name;
	bool weak;
};

/**
 * struct boot_gap - a time of which rows are missing
 * @from: when it begins
 * @to: when it ends
 */
struct boot_gap {
	s64 from;
	s64 to;
};

/**
 * struct boot_removed - a call of the function of --without
 * @from: its entry
 * @to: its exit
 * @task: its task, or the one that was interrupted
 * @call: the call of the list that it is, and @to is not known; else KFI_NONE
 */
struct boot_removed {
	s64 from;
	s64 to;
	u32 task;
	u32 call;
};

/* A growing array: its elements, how many there are, and for how many there is room. */
#define BOOT_LIST(name, type)	\
	struct name {		\
		type *at;	\
		u32 n;		\
		u32 room;	\
	}

BOOT_LIST(boot_funcs, struct boot_func);
BOOT_LIST(boot_calls, struct boot_call);
BOOT_LIST(boot_tasks, struct boot_task);
BOOT_LIST(boot_events, struct boot_event);
BOOT_LIST(boot_pieces, struct boot_piece);
BOOT_LIST(boot_lines, struct boot_line);
BOOT_LIST(boot_phases, struct boot_phase);
BOOT_LIST(boot_gaps, struct boot_gap);
BOOT_LIST(boot_removals, struct boot_removed);

/**
 * struct kd_boot - what is known of a boot
 * @kd: the run
 * @start: entry of start_kernel(), nanoseconds; -1: not seen
 * @end: entry of to_userspace(), or the end of the log
 * @log_end: the end of the log
 * @setup_end: when the last level of initcalls was over, -1: unknown
 * @early_end: when that of the early ones was over, -1: unknown
 * @init_end: when kernel_init() returned, -1: unknown
 * @before_ns: what the clock said at Entry 0, -1: unknown
 * @base: calls of this length are in the list
 * @now: entry of what was read last
 * @last_mark: when the last event was, -1: there is none
 * @row_end: when the call of the last row returned, or was entered if that is not known
 * @gaps: gap lines read
 * @has_closed: a call that has returned was read
 * @is_over: the end of the boot has been reached
 * @end_by: what it was: to_userspace(), or what comes right behind it
 * @has_switches: there are marks of switches
 * @has_wakeups: there are marks of wake-ups, or of new tasks
 * @boot_task: task 0 of the first CPU
 * @init_task: task 1, KFI_NONE: not seen
 * @func: functions by their number
 * @call: long calls, in order of entry
 * @task: tasks
 * @event: what happened, in order of time
 * @piece: the path, in order of time
 * @line: the same as it is printed
 * @phase: phases, in order of time
 * @gap: times of which rows are missing, in order
 * @removed: calls of the function of --without, in order of entry
 * @without: that function, KFI_NONE: none is to be left out
 * @cpus: how many CPUs marks of switches name
 * @threshold: calls and pieces of this length have lines of their own
 * @words: names of tasks and phases
 * @task_of: key of a task to its number
 * @in_of: cpu to its last BOOT_IN
 * @initcalls: initcalls
 * @last_key: key of the task that was looked up last
 * @last_task: its number
 */
struct kd_boot {
	struct kd *kd;
	s64 start;
	s64 end;
	s64 log_end;
	s64 setup_end;
	s64 early_end;
	s64 init_end;
	s64 before_ns;
	s64 base;
	s64 now;
	s64 last_mark;
	s64 row_end;
	u64 gaps;
	bool has_closed;
	bool is_over;
	const char *end_by;
	bool has_switches;
	bool has_wakeups;
	u32 boot_task;
	u32 init_task;
	struct boot_funcs func;
	struct boot_calls call;
	struct boot_tasks task;
	struct boot_events event;
	struct boot_pieces piece;
	struct boot_lines line;
	struct boot_phases phase;
	struct boot_gaps gap;
	struct boot_removals removed;
	u32 without;
	u32 cpus;
	s64 threshold;
	struct kfi_names words;
	struct kfi_map task_of;
	struct kfi_map in_of;
	struct kd_initcalls initcalls;
	u64 last_key;
	u32 last_task;
};

/* Room for one more in a BOOT_LIST. Return: 0 or -ENOMEM. */
#define boot_grow(list)		\
	kfi_grow((void **)&(list)->at, &(list)->room, (list)->n + 1, sizeof(*(list)->at))

/**
 * boot_role_of() - what a name is known for
 * @name: of a function
 *
 * Return: enum boot_role.
 */
enum boot_role boot_role_of(struct kfi_str name);

/**
 * boot_role() - what a function is known for
 * @b: the boot
 * @func: its number
 *
 * Return: enum boot_role, or -ENOMEM.
 */
int boot_role(struct kd_boot *b, u32 func);

/**
 * boot_task() - the number of a task, a new one if it is new
 * @b: the boot
 * @pid: its pid
 * @cpu: the CPU, which tells idle tasks apart
 *
 * Return: the number, KFI_NONE: out of memory.
 */
u32 boot_task(struct kd_boot *b, s32 pid, s32 cpu);

/**
 * boot_begin_phase() - a phase begins
 * @b: the boot
 * @from: when
 * @weak: levels of initcalls, if there are any, say more
 * @name: what it is called
 * @len: characters of that
 *
 * Return: 0 or -ENOMEM.
 */
int boot_begin_phase(struct kd_boot *b, s64 from, bool weak, const char *name, u32 len);

/**
 * boot_end_phases() - add phases that nothing begins, and put all of the boot in order
 * @b: the boot, after the last item of the log
 *
 * Return: 0 or -ENOMEM.
 */
int boot_end_phases(struct kd_boot *b);

/**
 * boot_mark() - a mark has been read
 * @b: the boot
 * @m: the mark
 *
 * Return: 0 or -ENOMEM.
 */
int boot_mark(struct kd_boot *b, const struct kfi_log_mark *m);

/**
 * boot_waited_for_work() - whether a task was switched out in the loop in which it waits for work
 * @b: the boot
 * @out: the event with which it was switched out
 *
 * Return: true if so.
 */
bool boot_waited_for_work(struct kd_boot *b, u32 out);

/**
 * boot_is_by_interrupt() - whether a task was woken, or made, by an interrupt and not by a task
 * @b: the boot
 * @e: the event
 *
 * Return: true if so; also of what an idle task does for an interrupt, and of grace periods.
 */
bool boot_is_by_interrupt(const struct kd_boot *b, const struct boot_event *e);

/**
 * boot_path() - find the critical path, after the last item of the log
 * @b: the boot; @b->piece is filled
 *
 * Return: 0 or -ENOMEM.
 */
int boot_path(struct kd_boot *b);

/**
 * boot_lines() - make lines of the path
 * @b: the boot; @b->line is filled, @b->threshold is set
 *
 * Return: 0 or -ENOMEM.
 */
int boot_lines(struct kd_boot *b);

/**
 * boot_greatest_kind() - the kind of most of a time
 * @of: the time of each kind
 *
 * Return: the kind.
 */
enum boot_kind boot_greatest_kind(const s64 of[BOOT_KINDS]);

/**
 * boot_around() - the innermost long call in which a task was at a time
 * @b: the boot
 * @call: a call of the task, entered before that
 * @at: the time
 * @length: the call took so long at least
 *
 * Return: the call, KFI_NONE: none.
 */
u32 boot_around(const struct kd_boot *b, u32 call, s64 at, s64 length);

/**
 * boot_initcall_of() - the initcall in which a call lies, or which it is
 * @b: the boot
 * @call: the call, or KFI_NONE
 *
 * Return: the call of the initcall, KFI_NONE: it lies in none.
 */
u32 boot_initcall_of(struct kd_boot *b, u32 call);

/**
 * boot_is_join() - whether a role is to do work, or to wait for it
 * @role: the role
 *
 * Return: true if so.
 */
static inline bool boot_is_join(enum boot_role role)
{
	return role >= BOOT_IS_ASYNC;
}

/**
 * boot_is_waiting() - whether a kind is a time in which a task did not want to run
 * @kind: the kind
 *
 * Return: true if so.
 */
static inline bool boot_is_waiting(enum boot_kind kind)
{
	return kind == BOOT_TIMER || kind == BOOT_DEVICE || kind == BOOT_RCU || kind == BOOT_WAITED;
}

/**
 * boot_is_running() - whether a kind is a time in which a task ran, as far as one knows
 * @kind: the kind
 *
 * Return: true if so.
 */
static inline bool boot_is_running(enum boot_kind kind)
{
	return kind == BOOT_RAN || kind == BOOT_MIXED;
}

/**
 * boot_waits_in() - the call that says for what a task waited: not one of the scheduler's own
 * @b: the boot
 * @call: the innermost call, or KFI_NONE
 *
 * Return: the call, KFI_NONE: none.
 */
u32 boot_waits_in(struct kd_boot *b, u32 call);

/**
 * boot_show() - print what was found
 * @b: the boot
 *
 * Return: 0 or -ENOMEM.
 */
int boot_show(struct kd_boot *b);

#endif /* KFI_KD_BOOT_H */
