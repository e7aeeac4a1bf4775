// SPDX-License-Identifier: GPL-2.0
/*
 * The only instrumented functions of the recorder: to_userspace(), which is there for triggers to
 * name, and the known calls, which the selftest records and judges. Neither compiler nor plugin
 * may inline or clone them.
 */
#include <linux/compiler.h>
#include <linux/hrtimer.h>
#include <linux/kfi.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "session/session.h"

noinline void to_userspace(void)
{
	kfi_loads_kernel_init_freed();
	kfi_clock_pair_boot();
	kfi_selftest_boot();
}

noinline __noclone void kfi_known_root(void (*run)(void *arg), void *arg)
{
	run(arg);
	barrier();
}

noinline __noclone void kfi_known_inner(void)
{
	barrier();
}

noinline __noclone void kfi_known_middle(void)
{
	int i;

	for (i = 0; i < KFI_KNOWN_INNER; i++)
		kfi_known_inner();
}

noinline __noclone void kfi_known_outer(void)
{
	kfi_known_middle();
	barrier();
}

/* One cpu at a time makes known calls. */
static struct hrtimer timer, soft_timer;
static bool fired;
static struct kfi_known *nested;	/* whose task waits for the softirq of @soft_timer */

static void start(struct hrtimer *t, enum hrtimer_restart (*expired)(struct hrtimer *t), u64 ns,
		  enum hrtimer_mode mode)
{
	hrtimer_init(t, CLOCK_MONOTONIC, mode);
	t->function = expired;
	hrtimer_start(t, ns_to_ktime(ns), mode);
}

noinline __noclone void kfi_known_interrupt(void)
{
	u64 begun = ktime_get_ns();

	while (ktime_get_ns() - begun < KFI_KNOWN_INTERRUPT_NS)
		cpu_relax();
}

static enum hrtimer_restart expired(struct hrtimer *t)
{
	kfi_known_interrupt();
	WRITE_ONCE(fired, true);
	return HRTIMER_NORESTART;
}

noinline __noclone void kfi_known_spin(struct kfi_known *known)
{
	u64 begun = ktime_get_ns(), ns;

	fired = false;
	/*
	 * Without preemption the timer can only interrupt this function and functions that it
	 * calls.
	 */
	preempt_disable();
	start(&timer, expired, KFI_KNOWN_SPIN_NS / 4, HRTIMER_MODE_REL_PINNED_HARD);
	do {
		cpu_relax();
		ns = ktime_get_ns() - begun;
	} while (ns < KFI_KNOWN_SPIN_NS || (!READ_ONCE(fired) && ns < KFI_KNOWN_LATEST_NS));
	preempt_enable();
	hrtimer_cancel(&timer);
	known->fired = fired;
	WRITE_ONCE(known->spun, ns);
}

static void spin(struct kfi_known *known)
{
	u64 begun = ktime_get_ns();

	kfi_known_spin(known);
	known->spin = ktime_get_ns() - begun;
}

static enum hrtimer_restart expired_soft(struct hrtimer *t)
{
	/* In a thread it is not on top of that task. */
	if (current->pid == nested->pid)
		spin(nested);
	return HRTIMER_NORESTART;
}

/*
 * The task itself runs for less time than the interrupt in the spin takes. So if that were
 * subtracted twice, more would be subtracted than there is.
 */
noinline __noclone void kfi_known_nest(struct kfi_known *known)
{
	u64 begun = ktime_get_ns();

	nested = known;
	preempt_disable();
	start(&soft_timer, expired_soft, 0, HRTIMER_MODE_REL_PINNED_SOFT);
	while (!READ_ONCE(known->spun) && ktime_get_ns() - begun < KFI_KNOWN_SOFTIRQ_NS)
		cpu_relax();
	preempt_enable();
	hrtimer_cancel(&soft_timer);
}

/* Another task's work on the same cpu, and how long it took. */
struct rival {
	struct work_struct work;
	u64 ns;
};

static void keep_cpu(struct work_struct *work)
{
	struct rival *r = container_of(work, struct rival, work);
	u64 begun;

	/* The waiting task may have been preempted before it slept: it must not run in between. */
	preempt_disable();
	begun = ktime_get_ns();
	do {
		cpu_relax();
		r->ns = ktime_get_ns() - begun;
	} while (r->ns < KFI_KNOWN_SPIN_NS);
	preempt_enable();
}

/* This task cannot run while the other task does, even if a host stops the cpu in between. */
noinline __noclone void kfi_known_wait(struct kfi_known *known)
{
	struct rival r;

	INIT_WORK_ONSTACK(&r.work, keep_cpu);
	schedule_work_on(known->cpu, &r.work);
	flush_work(&r.work);
	destroy_work_on_stack(&r.work);
	known->waited = r.ns;
}

noinline __noclone void kfi_known_timed(struct kfi_known *known)
{
	u64 begun;

	spin(known);
	begun = ktime_get_ns();
	kfi_known_wait(known);
	known->wait = ktime_get_ns() - begun;
}

noinline __noclone void kfi_known_work(struct kfi_known *known)
{
	kfi_known_outer();
	if (known->then)
		known->then(known);
	barrier();
}
