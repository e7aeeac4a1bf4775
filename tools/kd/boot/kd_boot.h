/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Report of a boot (--boot): where its time went, from start_kernel() to to_userspace().
 *
 *	kd_boot.c	reads the log: self times, long calls
 *	kd_boot_phase.c	finds the phases
 *	kd_boot_role.c	tells what functions are known for
 *	kd_boot_marks.c	reads its marks: what happened to each task
 *	kd_boot_path.c	walks back through them: the critical path, in pieces
 *	kd_boot_line.c	cuts the pieces at long calls, and folds short ones, into lines
 *	kd_boot_show.c	prints phases and the path; kd_boot_lists.c prints what took longest;
 *			kd_boot_row.c has their rows
 *	kd_boot_dmesg.c	places lines of printk (--dmesg)
 *	kd_boot_without.h	the boot without a function (--without)
 *
 * Memory use grows with the number of marks and of listed calls.
 */
#ifndef KFI_KD_BOOT_H
#define KFI_KD_BOOT_H

#include "kd.h"
#include "kd_boot_path.h"
#include "kd_initcalls.h"
#include "kd_walk.h"

struct boot_row;

/**
 * enum boot_role - what kd knows a function for, by its name
 * @BOOT_ANY: nothing
 * @BOOT_IS_START: start_kernel(): the boot begins with it
 * @BOOT_IS_REST: rest_init(): a phase of its own
 * @BOOT_IS_INIT: kernel_init(): a phase of its own; the boot is over when it returns
 * @BOOT_IS_END: to_userspace(): the boot is over
 * @BOOT_IS_PHASE: a phase of its own, if the log has no levels of initcalls
 * @BOOT_IS_EARLY: the level of early initcalls is over when it returns
 * @BOOT_IS_SETUP: the last level of initcalls is over when it returns
 * @BOOT_IS_INITCALLS: calls the initcalls
 * @BOOT_IS_IDLE: the loop of idle tasks
 * @BOOT_IS_SLEEP: part of the scheduler: its caller says what a task waits for
 * @BOOT_IS_LOOP: a loop in which a kernel thread waits for work
 * @BOOT_IS_TIMER: runs timers
 * @BOOT_IS_RCU: runs what waited for a grace period
 * @BOOT_IS_WAKE: part of the scheduler: its caller says what woke a task
 * @BOOT_IS_ASYNC: runs an async function; calls of this role and of those below are always listed
 * @BOOT_IS_WORK: runs a work item
 * @BOOT_IS_PROBE: runs deferred probes
 * @BOOT_JOINS_ASYNC: waits for all async functions
 * @BOOT_JOINS_SOME_ASYNC: waits for some async functions
 * @BOOT_JOINS_PROBE: waits for deferred probes and async functions
 * @BOOT_JOINS_SOME_WORK: waits for some work items
 * @BOOT_ROLES: number of roles
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
 * struct boot_func - sums of a function
 * @local: self time of its calls, nanoseconds
 * @calls: number of calls
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
 * struct boot_call - a listed call: one that took long, or has not returned; times in nanoseconds
 * @entry: its entry
 * @end: its exit; if the exit was not seen, the latest possible one
 * @delta: its duration, -1: unknown
 * @off: the part of @delta for which the task was switched out, -1: unknown
 * @irq: the part of @delta in interrupts, -1: unknown
 * @below: sum of @delta of the calls directly below it that are long enough for a line
 * @below_off: the sum of their @off
 * @below_irq: the sum of their @irq
 * @rows: calls below it that lie in none of those counted in @below
 * @dropped: calls without a row below it that lie in none of those counted in @below
 * @all_rows: calls below it; set when it is over
 * @all_dropped: calls without a row below it
 * @longer: the last call of its task that is long enough for a line, up to itself; KFI_NONE: none
 * @func: its function
 * @task: its task
 * @parent: the listed call that it lies in, KFI_NONE: none
 * @prev: the listed call that its task entered before, KFI_NONE: none
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
	u64 dropped;
	u64 all_rows;
	u64 all_dropped;
	u32 func;
	u32 task;
	u32 parent;
	u32 prev;
	u32 longer;
	bool is_open;
};

/**
 * struct boot_task - a task; each CPU has an idle task of its own
 * @pid: its process number
 * @cpu: its CPU, if it is an idle task
 * @name: number of its latest name, KFI_NONE: unknown
 * @event: its latest event, KFI_NONE: none so far
 * @call: its latest listed call, KFI_NONE: none so far
 * @first: when it was first seen
 * @idle_from: task 0 of the first CPU: when it entered the idle loop, -1: not known
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

/* Recording a call takes less than this, nanoseconds. */
#define BOOT_COST_MAX	1000000

/**
 * struct boot_name - a former name of a task
 * @until: when the task executed another program
 * @task: number of the task
 * @name: number of the name, KFI_NONE: unknown
 */
struct boot_name {
	s64 until;
	u32 task;
	u32 name;
};

/**
 * struct boot_phase - a part of the boot; it ends where the next one begins
 * @from: when it begins
 * @name: its name
 * @weak: it is left out if the log has levels of initcalls
 */
struct boot_phase {
	s64 from;
	u32 name;
	bool weak;
};

/**
 * struct boot_program - a program that a task started after the boot
 * @at: when it was started
 * @pid: the task that started it
 * @name: its name
 */
struct boot_program {
	s64 at;
	s32 pid;
	u32 name;
};

/**
 * struct boot_gap - a period of which rows are missing
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
 * @call: if @to is not known, the number of the call in the list; else KFI_NONE
 */
struct boot_removed {
	s64 from;
	s64 to;
	u32 task;
	u32 call;
};

/**
 * struct boot_message - a line of printk
 * @at: when it was printed, on the axis of Entry; -1: before printk's clock ran
 * @line: number of its line in the file
 * @text: number of its text
 * @unsure: @at is an estimate
 */
struct boot_message {
	s64 at;
	u64 line;
	u32 text;
	bool unsure;
};

/* A growing array: @at has @n elements, and room for @room. */
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
BOOT_LIST(boot_names, struct boot_name);
BOOT_LIST(boot_phases, struct boot_phase);
BOOT_LIST(boot_programs, struct boot_program);
BOOT_LIST(boot_gaps, struct boot_gap);
BOOT_LIST(boot_removals, struct boot_removed);
BOOT_LIST(boot_messages, struct boot_message);

/**
 * struct kd_boot - the boot, as far as the log was read
 * @kd: the run
 * @start: entry of start_kernel(), nanoseconds; -1: not seen
 * @end: entry of to_userspace(), the start of the program of --until, or the end of the log
 * @user: with --until: entry of to_userspace(), -1: not seen
 * @setup_end: when the last level of initcalls was over, -1: unknown
 * @early_end: when the level of early initcalls was over, -1: unknown
 * @early_end: when that of the early ones was over, -1: unknown
 * @base: calls of at least this length are listed
 * @base: calls of this length are in the list
 * @now: entry of the item that was read last
 * @last_mark: time of the latest event, -1: there is none
 * @row_end: when the call of the last row returned, or was entered if its exit is not known
 * @gaps: lines of dots read so far
 * @has_closed: a call that has returned was read
 * @is_over: the end of the boot has been reached
 * @end_by: what ended it: to_userspace(), what comes right behind that, or the program of --until
 * @until: with --until: text for the end of the boot
 * @has_switches: there are marks of switches
 * @has_wakeups: there are marks of wake-ups, or of new tasks
 * @boot_task: task 0 of the first CPU
 * @init_task: task 1, KFI_NONE: not seen
 * @end_task: the task that ends the boot: task 1, or the one that starts the program of --until
 * @func: functions by their number
 * @call: listed calls, in order of entry
 * @task: tasks
 * @event: what happened to tasks, in order of time
 * @piece: the path, in order of time
 * @line: the path as it is printed
 * @name: former names of tasks, in order of time
 * @phase: phases, in order of time
 * @program: programs that were started after to_userspace(), in order of time
 * @gap: periods of which rows are missing, in order
 * @removed: calls of the function of --without, in order of entry
 * @message: lines of printk, in order of time
 * @message_shown: number of lines of printk that have been printed
 * @without: the function of --without, KFI_NONE: not given
 * @cpus: number of CPUs that marks of switches name
 * @threshold: calls and pieces of at least this length have lines of their own
 * @words: names of tasks and phases, lines of printk
 * @task_of: maps the key of a task to its number
 * @in_of: maps a CPU to its latest BOOT_IN event
 * @initcalls: the initcalls
 * @last_key: key of the task that was looked up last
 * @last_task: number of that task
 * @row: called for each row that has been printed; NULL: not wanted
 * @row_arg: its first argument
 */
struct kd_boot {
	struct kd *kd;
	void (*row)(void *arg, struct kd_boot *b, const struct boot_row *r);
	void *row_arg;
	s64 start;
	s64 end;
	s64 user;
	s64 log_end;
	s64 setup_end;
	s64 early_end;
	s64 init_end;
	s64 base;
	s64 now;
	s64 last_mark;
	s64 row_end;
	u64 gaps;
	bool has_closed;
	bool is_over;
	const char *end_by;
	const char *until;
	bool has_switches;
	bool has_wakeups;
	u32 boot_task;
	u32 init_task;
	u32 end_task;
	struct boot_funcs func;
	struct boot_calls call;
	struct boot_tasks task;
	struct boot_events event;
	struct boot_pieces piece;
	struct boot_lines line;
	struct boot_names name;
	struct boot_phases phase;
	struct boot_programs program;
	struct boot_gaps gap;
	struct boot_removals removed;
	struct boot_messages message;
	u32 message_shown;
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

/* Make room for one more element in a BOOT_LIST. Return: 0 or -ENOMEM. */
#define boot_grow(list)		\
	kfi_grow((void **)&(list)->at, &(list)->room, (list)->n + 1, sizeof(*(list)->at))

/**
 * boot_begin() - prepare to read the log of a boot
 * @b: filled; boot_free() must follow in any case
 * @kd: the run
 * @visit: filled: the visitor
 * @err: set to the reason of a failure
 *
 * Return: 0 or -ENOMEM.
 */
int boot_begin(struct kd_boot *b, struct kd *kd, struct kd_visit *visit, struct kfi_err *err);

/**
 * boot_end() - find the phases and the path of a boot, after its log was read
 * @b: the boot
 * @err: set to the reason of a failure
 *
 * Return: 0; -EINVAL: it is not the log of a boot; -ENOMEM.
 */
int boot_end(struct kd_boot *b, struct kfi_err *err);

/**
 * boot_check_sum() - check whether the lines of the path add up to the boot
 * @b: the boot, after boot_lines()
 * @err: set to the reason of a failure
 *
 * Each line must begin where the one before ends, from the start of the boot to its end.
 *
 * Return: 0 or -EBADMSG.
 */
int boot_check_sum(const struct kd_boot *b, struct kfi_err *err);

/**
 * boot_report() - print the report, or the answer of --without
 * @b: the boot, after boot_end()
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int boot_report(struct kd_boot *b, struct kfi_err *err);

/**
 * boot_free() - free the memory
 * @b: the boot
 */
void boot_free(struct kd_boot *b);

/**
 * boot_role_of() - return the role that a function has by its name
 * @name: name of a function
 *
 * Return: enum boot_role.
 */
enum boot_role boot_role_of(struct kfi_str name);

/**
 * boot_role() - return the role of a function
 * @b: the boot
 * @func: number of the function
 *
 * Return: enum boot_role, or -ENOMEM.
 */
int boot_role(struct kd_boot *b, u32 func);

/**
 * boot_task() - return the number of a task; add the task if it is new
 * @b: the boot
 * @pid: its pid
 * @cpu: the CPU, which tells idle tasks apart
 *
 * Return: the number, KFI_NONE: out of memory.
 */
u32 boot_task(struct kd_boot *b, s32 pid, s32 cpu);

/**
 * boot_begin_phase() - add a phase of the boot
 * @b: the boot
 * @from: when it begins
 * @weak: leave it out if the log has levels of initcalls
 * @name: its name
 * @len: length of the name
 *
 * Return: 0 or -ENOMEM.
 */
int boot_begin_phase(struct kd_boot *b, s64 from, bool weak, const char *name, u32 len);

/**
 * boot_end_phases() - add the phases that no call begins, and sort the phases of the boot
 * @b: the boot, after the last item of the log
 *
 * Return: 0 or -ENOMEM.
 */
int boot_end_phases(struct kd_boot *b);

/**
 * boot_around() - find the innermost long call in which a task was at a time
 * @b: the boot
 * @call: a call of the task, entered before @at
 * @at: the time
 * @length: least length of the call
 *
 * Return: the call, KFI_NONE: none.
 */
u32 boot_around(const struct kd_boot *b, u32 call, s64 at, s64 length);

/**
 * boot_initcall_of() - find the initcall that a call lies in, or is
 * @b: the boot
 * @call: the call, or KFI_NONE
 *
 * Return: the call of the initcall, KFI_NONE: it lies in none.
 */
u32 boot_initcall_of(struct kd_boot *b, u32 call);

/**
 * boot_is_join() - check whether a role is to do work that others wait for, or to wait for it
 * @role: the role
 *
 * Return: true if so.
 */
static inline bool boot_is_join(enum boot_role role)
{
	return role >= BOOT_IS_ASYNC;
}

/**
 * boot_waits_in() - find the call that tells what a task waited for, outside of the scheduler
 * @b: the boot
 * @call: the innermost call, or KFI_NONE
 *
 * Return: the call, KFI_NONE: none.
 */
u32 boot_waits_in(struct kd_boot *b, u32 call);

/**
 * boot_messages() - read the file of --dmesg, and find when its lines were printed
 * @b: the boot, whose start and end are known; @b->message is filled
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int boot_messages(struct kd_boot *b, struct kfi_err *err);

/**
 * boot_show() - print the report
 * @b: the boot
 *
 * Return: 0 or -ENOMEM.
 */
int boot_show(struct kd_boot *b);

/**
 * boot_part() - estimate the share that some calls have of a time of all CPUs
 * @b: the boot
 * @whole: the time, such as that of interrupts, nanoseconds
 * @ran: how long the calls ran, nanoseconds
 *
 * Return: nanoseconds, 0: unknown.
 */
static inline double boot_part(const struct kd_boot *b, double whole, s64 ran)
{
	const struct kfi_log_head *h = &b->kd->in.head;

	if (ran <= 0 || !h->has_start || !h->has_stop || h->stop_us <= h->start_us)
		return 0;
	return whole * (double)ran / (b->cpus ? b->cpus : 1) / 1e3 /
	       (double)(h->stop_us - h->start_us);
}

/**
 * boot_recording() - estimate how long recording some calls took
 * @b: the boot
 * @rows: number of calls with rows
 * @dropped: number of calls without rows, as rows above them tell
 * @ran: how long the calls ran, nanoseconds; interrupts come in proportion to it
 *
 * Return: nanoseconds, -1: unknown.
 */
static inline s64 boot_recording(const struct kd_boot *b, u64 rows, u64 dropped, s64 ran)
{
	const struct kfi_log_head *h = &b->kd->in.head;
	const struct kd_cost cost = { h->cost_ns, h->filtered_cost_ns };
	u64 ns = kd_cost_of(rows, dropped, &cost);
	double noints;

	if (!h->has_cost || cost.kept >= BOOT_COST_MAX || ns > S64_MAX)
		return -1;
	if (h->filtered && (h->format < KFI_BELOW_FORMAT || !cost.dropped))
		return -1;
	noints = boot_part(b, kd_noints_ns(h), ran);
	if (noints >= 0x1p62)
		return -1;
	ns += (u64)noints;
	return ns > S64_MAX ? -1 : (s64)ns;
}

#endif /* KFI_KD_BOOT_H */
