/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The critical path of a boot (kd --boot): one chain without a hole from start_kernel to
 * to_userspace, or to the start of the program of --until, at each moment the task for which the
 * boot waited. It is found backwards. At time t the boot waits for task X:
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
 * up to that of the boot; boot_check_sum() looks after that. Each step goes to an event
 * that stands further up in the log, so the walk ends.
 *
 * Without marks the path is that of task 0 until task 1 begins, then of task 1.
 */
#ifndef KFI_KD_BOOT_PATH_H
#define KFI_KD_BOOT_PATH_H

#include "kd.h"

struct kd_boot;
struct boot_pieces;

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

/* Functions that a wake-up names, at most. */
#define BOOT_FUNCS	8

/**
 * struct boot_event - something that happens to a task
 * @at: time, nanoseconds
 * @task: the task that it happens to
 * @prev: the event of @task before it, KFI_NONE: none
 * @call: the latest listed call of @task
 * @other: BOOT_WAKE, BOOT_NEW: the task that caused it, or that was interrupted
 * @other_event: the latest event of @other
 * @other_call: the latest listed call of @other
 * @cpu: BOOT_IN: number of the CPU, in order of appearance
 * @by: BOOT_WAKE: function that stands for the interrupt, KFI_NONE: unknown
 * @kind: enum boot_event_kind
 * @ctx: context of what caused it: enum kfi_ctx
 * @cause: BOOT_WAKE by an interrupt: enum boot_kind of the wait that it ends
 * @is_cut: BOOT_IN: the next switch of the CPU is from another task: marks are missing
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
	bool is_cut;
};

/**
 * struct boot_piece - a piece of the path, up to the next one
 * @from: when it begins, nanoseconds
 * @to: when it ends
 * @task: the task
 * @call: the latest listed call of @task that was entered before @to, KFI_NONE: none
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
 * struct boot_line - one printed line of the path: a piece, or several
 * @from: when it begins
 * @to: when it ends
 * @task: the task; of several pieces the task of the longest
 * @call: the call in which it is, KFI_NONE: none
 * @by: what woke it; KFI_NONE: unknown, or several
 * @pieces: number of pieces
 * @init_call: the call in which task 0 or 1 was during all of the line
 * @initcall: the initcall that contains @init_call, KFI_NONE: no long one
 * @longest: length of the longest piece
 * @folded: it has short pieces
 * @several: it has short pieces of more than one task: @call is @init_call
 * @unsure: @irq, @off and @recording are best guesses
 * @of: time of each kind
 * @irq: time in interrupts, -1: unknown
 * @off: time switched out, where the log does not tell when; -1: unknown
 * @recording: how long recording the calls of the log took, -1: unknown
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
 * boot_mark() - handle a mark that has been read
 * @b: the boot
 * @m: the mark
 *
 * Return: 0 or -ENOMEM.
 */
int boot_mark(struct kd_boot *b, const struct kfi_log_mark *m);

/**
 * boot_name_at() - return the name that a task had
 * @b: the boot
 * @task: number of the task
 * @at: when, -1: at last
 *
 * A task has one name for each program. The marks before that name it after the task that made it.
 *
 * Return: number of the name, KFI_NONE: unknown.
 */
u32 boot_name_at(const struct kd_boot *b, u32 task, s64 at);

/**
 * boot_waited_for_work() - check whether a task was switched out in its loop that waits for work
 * @b: the boot
 * @out: the event with which it was switched out
 *
 * Return: true if so.
 */
bool boot_waited_for_work(struct kd_boot *b, u32 out);

/**
 * boot_is_by_interrupt() - check whether an interrupt, not a task, woke or made a task
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
 * boot_path_of_call() - find the critical path of one call, from its exit back to its entry
 * @b: the boot
 * @call: a call that has returned
 * @piece: its pieces are added, the last one first
 *
 * Return: 0 or -ENOMEM.
 */
int boot_path_of_call(struct kd_boot *b, u32 call, struct boot_pieces *piece);

/**
 * boot_lines() - make lines of the path
 * @b: the boot; @b->line is filled, @b->threshold is set
 *
 * Return: 0 or -ENOMEM.
 */
int boot_lines(struct kd_boot *b);

/**
 * boot_greatest_kind() - return the kind that most of a time was
 * @of: the time of each kind
 *
 * Return: the kind.
 */
enum boot_kind boot_greatest_kind(const s64 of[BOOT_KINDS]);

/**
 * boot_kind_key() - return the word for a kind, for programs
 * @kind: the kind
 *
 * Return: the key.
 */
const char *boot_kind_key(enum boot_kind kind);

/**
 * boot_is_waiting() - check whether a kind is a time in which a task did not want to run
 * @kind: the kind
 *
 * Return: true if so.
 */
static inline bool boot_is_waiting(enum boot_kind kind)
{
	return kind == BOOT_TIMER || kind == BOOT_DEVICE || kind == BOOT_RCU || kind == BOOT_WAITED;
}

/**
 * boot_is_running() - check whether a kind is a time in which a task ran, as far as one knows
 * @kind: the kind
 *
 * Return: true if so.
 */
static inline bool boot_is_running(enum boot_kind kind)
{
	return kind == BOOT_RAN || kind == BOOT_MIXED;
}

#endif /* KFI_KD_BOOT_PATH_H */
