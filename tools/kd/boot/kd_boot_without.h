/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How long a boot would take without a function (--boot --without FUNC).
 *
 *	kd_boot_cut.c		what the function took of each task and each CPU: the cuts
 *	kd_boot_replay.c	replays the boot with these cuts
 *	kd_boot_without.c	does that for the best and the worst case, and prints the result
 *
 * The function is taken for one that does what it does in no time: it neither runs nor waits. Its
 * wake-ups and new tasks come when it is called. The boot is replayed from its start on, event by
 * event in the order of the log. Each event gets a new time, which follows from events before it:
 *
 * - A task that runs comes as far as before in the same time, less the cuts.
 * - A wake-up, or a new task, comes when the task that causes it has reached it.
 * - A wake-up by an interrupt comes as long after its task was switched out as before: timers,
 *   devices and grace periods keep their lengths. If the task is a kernel thread without work, the
 *   task that the thread wakes next is the one that waits for the interrupt. Then the wake-up comes
 *   as long after the last event of that task as before. If the thread wakes no task, task 1 stands
 *   for that task.
 * - A task that was woken by a task goes on when the wake-up has come, but not before the task has
 *   reached its wait. If the wake-up comes before that, the task does not wait.
 * - A task that waits for a CPU waits for the work of other tasks there: as long as before, less
 *   the cuts of that CPU. A preempted task waits for the CPU that it left, until another CPU takes
 *   it: less the cuts of the one or of the other.
 * - A wait in the function is over at once.
 * - A call that waits for what other tasks do (async_synchronize_full(), wait_for_device_probe())
 *   leaves no wake-up if all has been done. Without the function there may be something left to do:
 *   the call returns when the last work that had ended before its return in the log has ended.
 *
 * Nothing in the replay is later than in the log, so the boot never takes longer. What other tasks
 * do limits the gain: a function that is not on the critical path gains nothing. A function on the
 * path gains no more than the difference to the next path behind it.
 *
 * What the log leaves open are doubts. The replay without doubts has the shortest boot, that with
 * all of them the longest. See enum boot_doubt. Nothing tells when a timer or a device was started:
 * the replay treats one that was started before the function as if it was started after it.
 */
#ifndef KFI_KD_BOOT_WITHOUT_H
#define KFI_KD_BOOT_WITHOUT_H

#include "kd_boot.h"

/**
 * enum boot_doubt - what the log leaves open, as bits: the case that gains less
 * @BOOT_DOUBT_JOIN: a call that may wait for some work only (flush_work(), cookies and domains of
 *	async functions), or a wake-up of a task that ran: there was something to wait for
 * @BOOT_DOUBT_CPU: what other tasks did on a CPU while the function waited must be done before
 *	its caller goes on
 */
enum boot_doubt {
	BOOT_DOUBT_JOIN = 1,
	BOOT_DOUBT_CPU = 2,
	BOOT_DOUBTS = 3,
};

/**
 * struct boot_span - a period of a list; the periods of a list do not overlap and are in order
 * @from: when it begins
 * @to: when it ends
 * @before: sum of the lengths of the periods before it
 */
struct boot_span {
	s64 from;
	s64 to;
	s64 before;
};

BOOT_LIST(boot_spans, struct boot_span);

/**
 * struct boot_cuts - the periods in which a function ran or waited
 * @task: by task: the times in which it was in the function
 * @cpu: by CPU: the times in which the function ran there
 * @busy: by CPU: the times in which any task ran there
 */
struct boot_cuts {
	struct boot_spans *task;
	struct boot_spans *cpu;
	struct boot_spans *busy;
};

/**
 * struct boot_longer - a wait of task 1 that is longer than in the log
 * @at: when it was over in the log
 * @more: difference in length
 * @call: the call that waits, KFI_NONE: unknown
 * @task: the task that is waited for, KFI_NONE: unknown
 */
struct boot_longer {
	s64 at;
	s64 more;
	u32 call;
	u32 task;
};

BOOT_LIST(boot_longers, struct boot_longer);

/**
 * boot_spans_in() - return how much of a period lies in the periods of a list
 * @l: the list
 * @from: when it begins
 * @to: when it ends
 *
 * Return: the sum, 0 if @to is not after @from.
 */
s64 boot_spans_in(const struct boot_spans *l, s64 from, s64 to);

/**
 * boot_cuts_make() - find the periods that the function took
 * @b: the boot; @b->removed has the calls of the function
 * @c: zeroed; boot_cuts_free() must follow in any case
 *
 * Return: 0 or -ENOMEM.
 */
int boot_cuts_make(struct kd_boot *b, struct boot_cuts *c);

/**
 * boot_cuts_free() - free the memory
 * @b: the boot
 * @c: the cuts
 */
void boot_cuts_free(const struct kd_boot *b, struct boot_cuts *c);

/**
 * boot_replay() - replay the boot without the function
 * @b: the boot
 * @c: what the function took
 * @doubts: enum boot_doubt
 * @end: set to when the boot would be over, on the axis of the log
 * @longer: waits of task 1 that are longer are added, NULL: not wanted
 *
 * Return: 0 or -ENOMEM.
 */
int boot_replay(struct kd_boot *b, const struct boot_cuts *c, unsigned int doubts, s64 *end,
		struct boot_longers *longer);

/**
 * boot_without() - print how long the boot would take without the function of --without
 * @b: the boot, after boot_path()
 * @err: set to the reason of a failure
 *
 * Return: 0 or -errno.
 */
int boot_without(struct kd_boot *b, struct kfi_err *err);

#endif /* KFI_KD_BOOT_WITHOUT_H */
