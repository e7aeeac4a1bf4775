// SPDX-License-Identifier: GPL-2.0
/*
 * kfi_test - a module that does on command what the guest's cases want to see in a log
 *
 * Not a part of the recorder and not for use: it keeps a processor busy on purpose. A command is
 * written to /proc/kfi_test, a word and perhaps a number; the write returns when it is done. A read
 * gives what the last command found out, "NAME VALUE" a line. Each function here has a name of its
 * own that begins with kfi_test_, is never inlined, and does what its comment says.
 *
 * Used by tests/guest/case_*.c through guest.h, module_*().
 */

/* A function that gcc puts first. clang has no such attribute. */
#if __has_attribute(no_reorder)
#define put_first	__attribute__((no_reorder))
#else
#define put_first
#endif

/*
 * The first function of the module's text, before which no memory is mapped: it comes before the
 * inline ones of headers. It is only called directly, so that it has no endbr64.
 */
static put_first noinline unsigned long kfi_test_first(unsigned long n)
{
	__asm__ volatile("" : "+r" (n));
	return n;
}

#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/kfi.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <linux/uaccess.h>
#include <linux/workqueue.h>
#if IS_ENABLED(CONFIG_X86)
#include <asm/apic.h>
#include <asm/nmi.h>
#endif

#include "core/call.h"

#define MS	((u64)NSEC_PER_MSEC)

/* What the last command found out; written by one command at a time, under lock. */
static DEFINE_MUTEX(lock);
static char result[256];

#define tell(fmt, ...) \
	snprintf(result + strlen(result), sizeof(result) - strlen(result), fmt, ##__VA_ARGS__)

/*
 * The timer that is to interrupt a task in kfi_test_spin(): where that task is, as it says itself,
 * and whether the timer came then. Written by the task and by interrupts on its cpu.
 */
static struct {
	struct task_struct *busy;	/* in kfi_test_spin(), else NULL */
	int early;			/* how often the timer has expired before */
	bool fired;
	bool landed;			/* while @busy was the current task */
	bool tasklet_landed;		/* the same of the tasklet that it raised */
} hit;

/*
 * Busy for @ns. A leaf but for the clock. With @until_hit until the timer has fired, too: where the
 * machine is emulated that comes later than it is due; a second is too late.
 */
static noinline void kfi_test_spin(u64 ns, bool until_hit)
{
	u64 end = ktime_get_ns() + ns, latest = end + NSEC_PER_SEC, now;

	if (until_hit)
		WRITE_ONCE(hit.busy, current);
	do {
		cpu_relax();
		now = ktime_get_ns();
	} while (now < end || (until_hit && !READ_ONCE(hit.fired) && now < latest));
	if (until_hit)
		WRITE_ONCE(hit.busy, NULL);
}

/* Three levels, each called once by the one above, the innermost three times. */
static noinline void kfi_test_inner(void)
{
	barrier();
}

static noinline void kfi_test_middle(void)
{
	int i;

	for (i = 0; i < 3; i++)
		kfi_test_inner();
}

static noinline void kfi_test_outer(void)
{
	kfi_test_middle();
	barrier();
}

/* But not this one, which has the name of a function of the kernel: the name alone is ambiguous. */
static noinline __used void ramfs_symlink(void)
{
	barrier();
}

/* call N: kfi_test_outer() N times, and how long that took by the kernel's clock. */
static noinline void kfi_test_calls(unsigned long n)
{
	while (n--)
		kfi_test_outer();
	barrier();
}

static int kfi_test_do_call(unsigned long n)
{
	u64 begun = ktime_get_ns();

	kfi_test_calls(n);
	tell("took %llu\n", ktime_get_ns() - begun);
	return 0;
}

/* many N: ten arguments, from N on. */
static noinline __noclone long kfi_test_many(long a, long b, long c, long d, long e, long f,
					     long g, long h, long i, long j)
{
	barrier();
	return a + b + c + d + e + f + g + h + i + j;
}

/*
 * nested N: the sum of 1 to N, made by a function within this one. It gets a pointer to the sum in
 * a register that no other function has as an argument. Only gcc knows such functions, and on arm64
 * that register is x18, which points to the return addresses of CONFIG_SHADOW_CALL_STACK.
 */
static noinline int kfi_test_do_nested(unsigned long n)
{
	unsigned long sum = 0;

#if defined(__clang__) || defined(__CHECKER__) || defined(CONFIG_SHADOW_CALL_STACK)
	sum = n * (n + 1) / 2;
#else
	noinline void kfi_test_add(unsigned long i)
	{
		barrier();
		sum += i;
	}

	for (; n; n--)
		kfi_test_add(n);
#endif
	tell("sum %lu\n", sum);
	return 0;
}

static int kfi_test_do_many(unsigned long n)
{
	long sum = kfi_test_many(n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9);

	tell("sum %ld\n", sum);
	return 0;
}

/* spin N: busy N times, for a hundredth less than 1 ms each. */
static noinline int kfi_test_spins(unsigned long n)
{
	while (n--)
		kfi_test_spin(MS - MS / 100, false);
	barrier();
	return 0;
}

/* first N: kfi_test_first() once. */
static int kfi_test_do_first(unsigned long n)
{
	return kfi_test_first(n) == n ? 0 : -EIO;
}

/* bh N: the same with bottom halves disabled. */
static int kfi_test_do_bh(unsigned long n)
{
	int ret;

	local_bh_disable();
	ret = kfi_test_do_call(n);
	local_bh_enable();
	return ret;
}

/* msleep N: sleep for N ms. */
static noinline int kfi_test_msleep(unsigned long n)
{
	msleep(n);
	barrier();
	return 0;
}

/*
 * What fires: a timer that expires in hard interrupt context while kfi_test_victim() is busy on the
 * same cpu, and what it fires off.
 */
static struct hrtimer timer;
static struct tasklet_struct tasklet;
static int irq = -1;
static void (*fire)(void);
static struct completion fired;

/* The time that the interrupt's own function takes: 3 ms. */
static noinline void kfi_test_irq_work(void)
{
	kfi_test_spin(3 * MS, false);
}

static noinline void kfi_test_irq_raise(void)
{
	if (fire)
		fire();
	barrier();
}

static noinline void kfi_test_irq(void)
{
	hit.landed = READ_ONCE(hit.busy) == current;
	WRITE_ONCE(hit.fired, true);
	kfi_test_irq_work();
	kfi_test_irq_raise();
}

/*
 * An emulator that is told of a timer may go on only when it has expired, before kfi_test_victim()
 * is busy. Then it expires once more.
 */
static notrace enum hrtimer_restart timer_expires(struct hrtimer *t)
{
	if (READ_ONCE(hit.busy) != current && hit.early++ < 100) {
		hrtimer_forward_now(t, ns_to_ktime(2 * MS));
		return HRTIMER_RESTART;
	}
	kfi_test_irq();
	return HRTIMER_NORESTART;
}

/* Busy for 10 ms, with the timer expiring after 2. */
static noinline void kfi_test_victim(void)
{
	hrtimer_start(&timer, ns_to_ktime(2 * MS), HRTIMER_MODE_REL_PINNED_HARD);
	kfi_test_spin(10 * MS, true);
}

/* Tells whether the timer fired, and whether it and its tasklet landed where they were to. */
static void fire_while_busy(void (*what)(void))
{
	fire = what;
	hit.early = 0;
	hit.fired = false;
	hit.landed = false;
	hit.tasklet_landed = false;
	preempt_disable();
	kfi_test_victim();
	preempt_enable();
	hrtimer_cancel(&timer);
	fire = NULL;
	tell("fired %d\nlanded %d\ntasklet %d\n", hit.fired, hit.landed, hit.tasklet_landed);
}

/* irq: kfi_test_irq() interrupts kfi_test_victim(). */
static int kfi_test_do_irq(unsigned long n)
{
	fire_while_busy(NULL);
	return 0;
}

/* softirq: the timer schedules a tasklet, which is busy for 2 ms on the way out. */
static noinline void kfi_test_tasklet(unsigned long data)
{
	hit.tasklet_landed = READ_ONCE(hit.busy) == current;
	kfi_test_spin(2 * MS, false);
}

static void raise_softirq_now(void)
{
	tasklet_schedule(&tasklet);
}

static int kfi_test_do_softirq(unsigned long n)
{
	fire_while_busy(raise_softirq_now);
	tasklet_kill(&tasklet);
	return 0;
}

/*
 * bottom: a task that enables softirqs runs those that wait: two, one after the other, each of
 * which is busy for 2 ms.
 */
static struct tasklet_struct urgent;

static noinline void kfi_test_bottom(void)
{
	local_bh_disable();
	tasklet_hi_schedule(&urgent);
	tasklet_schedule(&tasklet);
	WRITE_ONCE(hit.busy, current);
	local_bh_enable();
	WRITE_ONCE(hit.busy, NULL);
}

static int kfi_test_do_bottom(unsigned long n)
{
	tasklet_init(&urgent, kfi_test_tasklet, 0);
	hit.tasklet_landed = false;
	kfi_test_bottom();
	tasklet_kill(&urgent);
	tasklet_kill(&tasklet);
	tell("tasklet %d\n", hit.tasklet_landed);
	return 0;
}

/* mark: one in this task, one in a hard interrupt, one in a softirq. */
static struct tasklet_struct marking;

static void mark_in_softirq(unsigned long data)
{
	kfi_mark("kfi_test in a softirq");
}

static void mark_in_interrupt(void)
{
	kfi_mark("kfi_test in an interrupt");
	tasklet_schedule(&marking);
}

static int kfi_test_do_mark(unsigned long n)
{
	kfi_mark("kfi_test in a task\n\303\244");
	tasklet_init(&marking, mark_in_softirq, 0);
	fire_while_busy(mark_in_interrupt);
	tasklet_kill(&marking);
	return 0;
}

/*
 * threaded: an interrupt with a handler of its own and a thread, raised in the timer's interrupt.
 * The thread is busy for 2 ms.
 */
static noinline irqreturn_t kfi_test_handler(int nr, void *data)
{
	barrier();
	return IRQ_WAKE_THREAD;
}

static noinline irqreturn_t kfi_test_thread(int nr, void *data)
{
	kfi_test_spin(2 * MS, false);
	complete(&fired);
	return IRQ_HANDLED;
}

static void raise_irq_now(void)
{
	generic_handle_irq(irq);
}

static int kfi_test_do_threaded(unsigned long n)
{
	int err;

	irq = irq_alloc_desc(NUMA_NO_NODE);
	if (irq < 0)
		return irq;
	irq_set_chip_and_handler(irq, &dummy_irq_chip, handle_simple_irq);
	irq_clear_status_flags(irq, IRQ_NOREQUEST);
	reinit_completion(&fired);
	err = request_threaded_irq(irq, kfi_test_handler, kfi_test_thread, 0, "kfi_test", &fired);
	if (!err) {
		fire_while_busy(raise_irq_now);
		if (!wait_for_completion_timeout(&fired, 10 * HZ))
			err = -ETIMEDOUT;
		free_irq(irq, &fired);
	}
	irq_free_desc(irq);
	return err;
}

/*
 * flood N: a timer interrupt every 100 us and softirqs one after the other, until there were N of
 * each, or N / 10 where timers are slow, for 30 s at most. Each softirq is a call of kfi_test_bh(),
 * each interrupt one of kfi_test_tick().
 */
static struct hrtimer ticker;
static unsigned long ticks, max_ticks, bhs;

static noinline enum hrtimer_restart kfi_test_tick(struct hrtimer *t)
{
	WRITE_ONCE(ticks, ticks + 1);
	kfi_test_inner();
	hrtimer_forward_now(t, ns_to_ktime(100 * NSEC_PER_USEC));
	/* Where a tick takes longer than that, nothing else would go on. */
	return ticks < max_ticks ? HRTIMER_RESTART : HRTIMER_NORESTART;
}

static noinline void kfi_test_bh(unsigned long data)
{
	WRITE_ONCE(bhs, bhs + 1);
	kfi_test_inner();
}

static noinline void kfi_test_flood(unsigned long n)
{
	static DECLARE_TASKLET_OLD(bh, kfi_test_bh);
	u64 latest = ktime_get_ns() + 30ULL * NSEC_PER_SEC;

	hrtimer_init(&ticker, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	ticker.function = kfi_test_tick;
	hrtimer_start(&ticker, ns_to_ktime(100 * NSEC_PER_USEC), HRTIMER_MODE_REL_PINNED_HARD);
	while ((READ_ONCE(ticks) < n || READ_ONCE(bhs) < n) && ktime_get_ns() < latest) {
		local_bh_disable();
		tasklet_schedule(&bh);
		local_bh_enable();
		kfi_test_outer();
	}
	hrtimer_cancel(&ticker);
	tasklet_kill(&bh);
}

static int kfi_test_do_flood(unsigned long n)
{
	/* Each interrupt takes a tick of the kernel where a busy host has let its timer fail. */
	if (hrtimer_resolution > MS)
		n = n / 10 + 1;
	ticks = 0;
	max_ticks = n;
	bhs = 0;
	kfi_test_flood(n);
	tell("wanted %lu\nticks %lu\nbhs %lu\n", n, ticks, bhs);
	return 0;
}

/* work: a work item that sleeps for 5 ms and is busy for 2. */
static noinline void kfi_test_work(struct work_struct *work)
{
	msleep(5);
	kfi_test_spin(2 * MS, false);
}

static int kfi_test_do_work(unsigned long n)
{
	static DECLARE_WORK(work, kfi_test_work);

	schedule_work(&work);
	flush_work(&work);
	return 0;
}

/* A thread on cpu @cpu that runs @fn; to be stopped with kthread_stop(). */
static struct task_struct *thread_on(int cpu, int (*fn)(void *), void *data)
{
	struct task_struct *t = kthread_create(fn, data, "kfi_test");

	if (IS_ERR(t))
		return t;
	get_task_struct(t);
	kthread_bind(t, cpu);
	tell("pid %d\n", t->pid);
	wake_up_process(t);
	return t;
}

static int stop_thread(struct task_struct *t)
{
	kthread_stop(t);
	put_task_struct(t);
	return 0;
}

/* returns: a kernel thread that ends by returning from its function. */
static noinline int kfi_test_returning(void *data)
{
	complete(&fired);
	kfi_test_spin(MS, false);
	return 0;
}

/* leaves: one that ends in the middle of two calls, which never return. */
static noinline void kfi_test_leave(void)
{
	kfi_test_inner();
	complete(&fired);
	kthread_complete_and_exit(NULL, 0);
}

static noinline int kfi_test_leaving(void *data)
{
	kfi_test_leave();
	return 0;
}

static int run_thread(int (*fn)(void *))
{
	struct task_struct *t;

	reinit_completion(&fired);
	t = thread_on(0, fn, NULL);
	if (IS_ERR(t))
		return PTR_ERR(t);
	/* Not stopped before it runs: it would never. */
	wait_for_completion_timeout(&fired, 10 * HZ);
	return stop_thread(t);
}

static int kfi_test_do_returns(unsigned long n)
{
	return run_thread(kfi_test_returning);
}

static int kfi_test_do_leaves(unsigned long n)
{
	return run_thread(kfi_test_leaving);
}

/* wake N: a thread that sleeps until kfi_test_wake() wakes it, N times. */
static struct completion asleep;
static unsigned long to_sleep;

static int kfi_test_sleeper(void *data)
{
	unsigned long n;

	for (n = (unsigned long)data; n; n--) {
		WRITE_ONCE(to_sleep, n);
		wait_for_completion(&asleep);
		complete(&fired);
	}
	return 0;
}

static noinline void kfi_test_wake(void)
{
	complete(&asleep);
	barrier();
}

/* Waits until it sleeps for the last time but @n - 1; for 10 s at most. */
static void wait_asleep(const struct task_struct *t, unsigned long n)
{
	u64 end = ktime_get_ns() + 10000 * MS;

	while ((READ_ONCE(to_sleep) != n || READ_ONCE(t->__state) == TASK_RUNNING) &&
	       ktime_get_ns() < end)
		fsleep(1000);
	/* Its state changes before it is switched out. */
	msleep(20);
}

static int kfi_test_do_wake(unsigned long n)
{
	struct task_struct *t;

	to_sleep = 0;
	init_completion(&asleep);
	reinit_completion(&fired);
	t = thread_on(0, kfi_test_sleeper, (void *)n);
	if (IS_ERR(t))
		return PTR_ERR(t);
	for (; n; n--) {
		wait_asleep(t, n);
		kfi_test_wake();
		if (!wait_for_completion_timeout(&fired, 10 * HZ))
			break;
	}
	/* It is waited for below: have it end. */
	complete_all(&asleep);
	stop_thread(t);
	return n ? -ETIMEDOUT : 0;
}

/*
 * busy N: two threads compete for the last cpu. One of them runs kfi_test_busy() until it had about
 * N ms of it, and prints what the scheduler has counted for it in this time; and the rest of that
 * time without the waits for the other one, which is what it ran where nothing preempts it.
 */
static noinline int kfi_test_rival(void *data)
{
	while (!kthread_should_stop()) {
		kfi_test_spin(MS, false);
		cond_resched();
	}
	return 0;
}

/* The scheduler's count is of the last switch: yield() makes that now. Return: ns it waited. */
static noinline u64 kfi_test_busy(u64 ns)
{
	u64 end = current->se.sum_exec_runtime + ns, waited = 0, since;

	while (READ_ONCE(current->se.sum_exec_runtime) < end) {
		kfi_test_spin(MS / 2, false);
		since = ktime_get_ns();
		cond_resched();
		waited += ktime_get_ns() - since;
	}
	since = ktime_get_ns();
	yield();
	return waited + ktime_get_ns() - since;
}

static noinline int kfi_test_runner(void *data)
{
	u64 ns = (unsigned long)data * MS, ran, begun, waited;

	yield();
	ran = current->se.sum_exec_runtime;
	begun = ktime_get_ns();
	waited = kfi_test_busy(ns);
	begun += waited;
	tell("left %llu\n", ktime_get_ns() - begun);
	tell("ran %llu\n", current->se.sum_exec_runtime - ran);
	complete(&fired);
	while (!kthread_should_stop())
		msleep(1);
	return 0;
}

static int kfi_test_do_busy(unsigned long n)
{
	int cpu = cpumask_last(cpu_online_mask);
	struct task_struct *rival, *runner;
	int err = 0;

	rival = thread_on(cpu, kfi_test_rival, NULL);
	if (IS_ERR(rival))
		return PTR_ERR(rival);
	reinit_completion(&fired);
	runner = thread_on(cpu, kfi_test_runner, (void *)n);
	if (IS_ERR(runner)) {
		err = PTR_ERR(runner);
	} else {
		if (!wait_for_completion_timeout(&fired, 60 * HZ))
			err = -ETIMEDOUT;
		stop_thread(runner);
	}
	stop_thread(rival);
	return err;
}

#if IS_ENABLED(CONFIG_X86) && IS_ENABLED(CONFIG_SMP)
/* nmi N: this cpu sends N NMIs to another one, which is busy in kfi_test_nmi_victim(). */
static atomic_t nmis;
static int nmi_cpu = -1;

/* pingpong N: two cpus send each other N NMIs, from the handler, also while all stand still. */
static int nmi_pair[2] = { -1, -1 };
static int nmi_last;

/* What was interrupted may be about to send an IPI: the cpu it is for stays as it is. */
static void send_from_nmi(int cpu)
{
	u32 icr2 = x2apic_enabled() ? 0 : apic->read(APIC_ICR2);

	apic->send_IPI(cpu, NMI_VECTOR);
	if (!x2apic_enabled())
		apic->write(APIC_ICR2, icr2);
}

/* nmipanic: a panic in an NMI that this cpu sends itself. */
static bool nmi_panics;

static noinline void kfi_test_nmi_work(void)
{
	kfi_mark("kfi_test in an nmi");
}

static noinline int kfi_test_nmi(unsigned int type, struct pt_regs *regs)
{
	int cpu = smp_processor_id();

	if (nmi_panics)
		nmi_panic(regs, "kfi_test in an nmi");
	if (cpu == READ_ONCE(nmi_pair[0]) || cpu == READ_ONCE(nmi_pair[1])) {
		kfi_test_nmi_work();
		udelay(50);
		if (atomic_inc_return(&nmis) < nmi_last)
			send_from_nmi(nmi_pair[cpu == nmi_pair[0]]);
		return NMI_HANDLED;
	}
	if (READ_ONCE(nmi_cpu) != cpu)
		return NMI_DONE;
	kfi_test_nmi_work();
	atomic_inc(&nmis);
	return NMI_HANDLED;
}

static int kfi_test_do_pingpong(unsigned long n)
{
	int err = register_nmi_handler(NMI_LOCAL, kfi_test_nmi, 0, "kfi_test"), seen = -1;

	if (err)
		return err;
	cpus_read_lock();
	atomic_set(&nmis, 0);
	nmi_last = n;
	nmi_pair[0] = cpumask_first(cpu_online_mask);
	nmi_pair[1] = cpumask_last(cpu_online_mask);
	cpus_read_unlock();
	if (nmi_pair[0] == nmi_pair[1]) {
		err = -EOPNOTSUPP;
	} else {
		preempt_disable();
		apic->send_IPI(nmi_pair[smp_processor_id() == nmi_pair[0]], NMI_VECTOR);
		preempt_enable();
		/* Until all have come, or none comes any more. */
		while (atomic_read(&nmis) < n && atomic_read(&nmis) != seen) {
			seen = atomic_read(&nmis);
			msleep(100);
		}
	}
	nmi_pair[0] = -1;
	nmi_pair[1] = -1;
	unregister_nmi_handler(NMI_LOCAL, "kfi_test");
	tell("nmis %d\n", atomic_read(&nmis));
	return err;
}

static noinline int kfi_test_do_nmipanic(unsigned long n)
{
	int err = register_nmi_handler(NMI_LOCAL, kfi_test_nmi, 0, "kfi_test");

	if (err)
		return err;
	nmi_panics = true;
	preempt_disable();
	apic->send_IPI(smp_processor_id(), NMI_VECTOR);
	preempt_enable();
	return 0;
}

static noinline int kfi_test_nmi_victim(void *data)
{
	complete(&fired);
	/* stop_machine(), which a snapshot calls, waits for this cpu to schedule. */
	while (!kthread_should_stop()) {
		kfi_test_outer();
		cond_resched();
	}
	return 0;
}

static int kfi_test_do_nmi(unsigned long n)
{
	int cpu = cpumask_last(cpu_online_mask), err;
	struct task_struct *victim;
	unsigned long i;

	if (num_online_cpus() < 2)
		return -EOPNOTSUPP;
	/* From there none could be sent. */
	err = set_cpus_allowed_ptr(current, cpumask_of(cpumask_first(cpu_online_mask)));
	if (err)
		return err;
	atomic_set(&nmis, 0);
	err = register_nmi_handler(NMI_LOCAL, kfi_test_nmi, 0, "kfi_test");
	if (err)
		return err;
	reinit_completion(&fired);
	victim = thread_on(cpu, kfi_test_nmi_victim, NULL);
	if (IS_ERR(victim)) {
		err = PTR_ERR(victim);
	} else {
		wait_for_completion(&fired);
		WRITE_ONCE(nmi_cpu, cpu);
		for (i = 0; i < n; i++) {
			u64 end = ktime_get_ns() + 100 * MS;

			apic->send_IPI(cpu, NMI_VECTOR);
			while (atomic_read(&nmis) <= i && ktime_get_ns() < end)
				cpu_relax();
			udelay(137);
		}
		WRITE_ONCE(nmi_cpu, -1);
		stop_thread(victim);
	}
	unregister_nmi_handler(NMI_LOCAL, "kfi_test");
	set_cpus_allowed_ptr(current, cpu_possible_mask);
	tell("nmis %d\n", atomic_read(&nmis));
	return err;
}
#endif

/* Called once, so that any compiler inlines it, with hooks or without. */
static unsigned long kfi_test_within(unsigned long n)
{
	unsigned long sum = 0;

	while (n--)
		sum += (unsigned long)READ_ONCE(irq);
	return sum;
}

static noinline unsigned long kfi_test_around(unsigned long n)
{
	return kfi_test_within(n) + 1;
}

/* Arguments in all registers that there are for them and on the stack, a value in two registers. */
struct wide {
	unsigned long low;
	unsigned long high;
};

static noinline struct wide kfi_test_wide(unsigned long a, unsigned long b, unsigned long c,
					  unsigned long d, unsigned long e, unsigned long f,
					  unsigned long g, unsigned long h)
{
	barrier();
	return (struct wide) {
		.low = a | b << 3 | c << 6 | d << 9, .high = e | f << 3 | g << 6 | h << 9,
	};
}

/* inlined N: what is inlined, N rounds of it, and what passes much; -EIO if with 1 it is wrong. */
static int kfi_test_do_inlined(unsigned long n)
{
	/* Not the same constants each time, for which the compiler might make a copy. */
	struct wide w = kfi_test_wide(n, 2 * n, 3 * n, 4 * n, 5 * n, 6 * n, 7 * n, n - 1);

	tell("sum %lu\n", kfi_test_around(n));
	return n != 1 || (w.low == 04321 && w.high == 0765) ? 0 : -EIO;
}

/* oops: write where nothing is. It does not return; no other command can be given after it. */
static noinline int kfi_test_oops(unsigned long n)
{
	int *nowhere = (int *)sizeof(*nowhere);

	OPTIMIZER_HIDE_VAR(nowhere);
	WRITE_ONCE(*nowhere, n);
	return 0;
}

/*
 * bad N: have the shadow stack of this task end beyond itself (1), or before it (2); have less than
 * nothing used of what this cpu writes to (3). The recorder has to see that it cannot be.
 */
static noinline int kfi_test_bad(unsigned long n)
{
	struct kfi_stack *s = current->kfi.stack;

	/* No session, or this cpu does not keep its calls on the fast path (kfi_ring_none). */
	if (!s->percpu || (n == 3 && local_read(&s->percpu->ring.chunk->used) > LONG_MAX / 4))
		return -ENXIO;
	preempt_disable();
	if (n == 1)
		local_set(&s->top, (long)&s->end[2]);
	else if (n == 2)
		local_set(&s->top, (long)&s->root);
	else
		local_set(&s->percpu->ring.chunk->used, -100000);
	preempt_enable();
	kfi_test_inner();
	barrier();
	return 0;
}

/* dropped: as if nearly as many calls more of this task had been dropped as fit 32 bits. */
static int kfi_test_do_dropped(unsigned long n)
{
	unsigned long more = 0xffff0000;

	OPTIMIZER_HIDE_VAR(more);	/* no operand of an instruction of x86_64 */
	preempt_disable();
	local_add(more, &current->kfi.stack->dropped.low);
	preempt_enable();
	return 0;
}

/*
 * sites: what is at the first call site of a function: 1: a call of the recorder, 0: a nop, -1:
 * there is none.
 */
#if IS_ENABLED(CONFIG_KFI_AFTER_INLINING)
extern void kfi_entry(void);
#define CALLED	kfi_entry
#else
extern void __cyg_profile_func_enter(void *func, void *site);
#define CALLED	__cyg_profile_func_enter
#endif

#if IS_ENABLED(CONFIG_X86)

/* While Linux tracks the call depth, calls go to the padding before a function. */
#if IS_ENABLED(CONFIG_CALL_THUNKS)
#define BEFORE_CALLED	CONFIG_FUNCTION_PADDING_BYTES
#else
#define BEFORE_CALLED	0
#endif

static int site_offset(const void *func)
{
	const u8 *code = func, *to;
	s32 distance;
	int i;

	for (i = 0; i < 100; i++) {
		memcpy(&distance, &code[i + 1], sizeof(distance));
		to = &code[i + 5] + distance;
		if ((const u8 *)CALLED - to >= 0 && (const u8 *)CALLED - to <= BEFORE_CALLED &&
		    (code[i] == 0xe8 || code[i] == 0xa9))
			return i;
	}
	return -1;
}

static int site_state(const void *func)
{
	int at = site_offset(func);

	return at < 0 ? at : ((const u8 *)func)[at] == 0xe8;
}

#elif IS_ENABLED(CONFIG_THUMB2_KERNEL)

/* The first instruction: a branch, or a nop of four bytes. Bit 0 of a pointer is no address. */
static int site_state(const void *func)
{
	const u16 *code = (const void *)((unsigned long)func & ~1ul);

	if ((code[0] & 0xf800) == 0xf000 && (code[1] & 0xd000) == 0x9000)
		return 1;
	return code[0] == 0xf3af && code[1] == 0x8000 ? 0 : -1;
}

#elif IS_ENABLED(CONFIG_RISCV)

/*
 * The hook is the first function called: auipc ra, or a jump over the rest of the call; after
 * inlining, jumped to, or a nop. Instructions have two bytes or four.
 */
static int site_state(const void *func)
{
	const bool branches = IS_ENABLED(CONFIG_KFI_AFTER_INLINING);
	const u32 call = branches ? 0x0000006f : 0x00000097;
	const u16 *code = func, *end = code + 60;
	u32 insn;

	for (; code < end; code += (*code & 3) == 3 ? 2 : 1) {
		insn = code[0] | (u32)code[1] << 16;
		if (insn == (branches ? 0x00000013 : 0x0080006f))
			return 0;
		if ((insn & 0xfff) == call)
			return 1;
	}
	return -1;
}

#else

#if IS_ENABLED(CONFIG_ARM64)
#define CALL		(IS_ENABLED(CONFIG_KFI_AFTER_INLINING) ? 0x14000000 : 0x94000000)
#define CALL_MASK	0xfc000000
#define NOP		0xd503201f
#else
#define CALL		(IS_ENABLED(CONFIG_KFI_AFTER_INLINING) ? 0xea000000 : 0xeb000000)
#define CALL_MASK	0xff000000
#define NOP		0xe320f000
#endif

/* The hook is the first function called, perhaps by a detour; after inlining, branched to. */
static int site_state(const void *func)
{
	const u32 *code = func;
	int i;

	for (i = 0; i < 30; i++) {
		if ((code[i] & CALL_MASK) == CALL)
			return 1;
		if (code[i] == NOP)
			return 0;
	}
	return -1;
}

#endif

/* frames: 1: functions of the kernel link their frames, as kernel/hooks/hook.c needs it; 0: not. */
static int kfi_test_do_frames(unsigned long n)
{
	tell("frames %d\n", IS_ENABLED(CONFIG_FRAME_POINTER) && !IS_ENABLED(CONFIG_ARM) &&
	     !IS_ENABLED(CONFIG_UML));
	return 0;
}

/* Return true if the fast path has pushed the frame of this call: it does not fill @at. */
static noinline bool kfi_test_is_fast(void)
{
	return !kfi_stack_top(current->kfi.stack)[-1].at;
}

/* fast N: how many of N calls the fast path has pushed. */
static int kfi_test_do_fast(unsigned long n)
{
	int fast = 0;

	while (n--) {
		/* A call before may have left its own. */
		kfi_stack_top(current->kfi.stack)->at = 0;
		fast += kfi_test_is_fast();
	}
	tell("fast %d\n", fast);
	return 0;
}

static int kfi_test_do_sites(unsigned long n)
{
	tell("kernel %d\nmodule %d\n", site_state(msleep), site_state(kfi_test_outer));
	return 0;
}

/*
 * probe 0: try to probe functions of the recorder, and some that it calls: how many are refused
 * with -EINVAL, how many are not.
 * probe N: probe instrumented functions, on x86 one of them at its first call site, call
 * kfi_test_outer() N times: how often each was hit.
 */
#ifdef CONFIG_KPROBES

static unsigned long hits[3];
static struct kprobe probes[3];

static int probe_hit(struct kprobe *p, struct pt_regs *regs)
{
	hits[p - probes]++;
	return 0;
}

static noinline int kfi_test_probe_recorder(void)
{
	static const char * const names[] = {
#if IS_ENABLED(CONFIG_KFI_AFTER_INLINING)
		"kfi_entry", "kfi_exit", "kfi_entry_saving", "kfi_exit_saving",
#if IS_ENABLED(CONFIG_X86)
		"kfi_exit_wide",
#endif
#else
		"__cyg_profile_func_enter", "__cyg_profile_func_exit",
#endif
		"kfi_hook_enter_slow", "kfi_hook_exit_slow", "kfi_hook_enter_outline", "kfi_hook_exit_outline",
		"kfi_slow_enter", "kfi_slow_exit", "kfi_call_write", "kfi_ring_write",
		"kfi_stack_begin", "kfi_rec_encode", "kfi_prof_add", "kfi_switch", "kfi_syscall",
		"kfi_run_stop", "kfi_collect_rows", "memset", "memcpy", "sched_clock",
#if IS_ENABLED(CONFIG_X86_64)
		"memset_orig",
#if IS_ENABLED(CONFIG_PARAVIRT)
		"native_sched_clock",
#endif
#endif
	};
	int i, refused = 0, ret;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		struct kprobe p = { .symbol_name = names[i] };

		ret = register_kprobe(&p);
		if (!ret)
			unregister_kprobe(&p);
		if (ret == -EINVAL)
			refused++;
		else
			tell("%s %d\n", names[i], ret);
	}
	tell("refused %d\nnot %d\n", refused, (int)ARRAY_SIZE(names) - refused);
	return 0;
}

static noinline int kfi_test_do_probe(unsigned long n)
{
	static const char * const names[] = { "kfi_test_inner", "kfi_test_outer", "vfs_write" };
	int i, ret = 0;

	BUILD_BUG_ON(ARRAY_SIZE(names) != ARRAY_SIZE(probes));
	if (!n)
		return kfi_test_probe_recorder();
	memset(hits, 0, sizeof(hits));
	for (i = 0; i < ARRAY_SIZE(probes) && !ret; i++) {
		probes[i] = (struct kprobe) { .symbol_name = names[i], .pre_handler = probe_hit };
#if IS_ENABLED(CONFIG_X86)
		if (i == 1)
			probes[i].offset = site_offset(kfi_test_outer);
#endif
		ret = register_kprobe(&probes[i]);
	}
	if (!ret) {
		kfi_test_calls(n / 2);
		/* The longer they are there, the more ways of doing it are tried. */
		msleep(200);
		kfi_test_calls(n - n / 2);
	}
	/* The last one was not taken if there was an error. */
	for (i -= !!ret; i--; )
		unregister_kprobe(&probes[i]);
	for (i = 0; i < ARRAY_SIZE(probes); i++)
		tell("hits %lu\n", hits[i]);
	return ret;
}

#else

static int kfi_test_do_probe(unsigned long n)
{
	return -EOPNOTSUPP;
}

#endif

static const struct {
	const char *word;
	int (*run)(unsigned long n);
} commands[] = {
	{ "call", kfi_test_do_call },
	{ "many", kfi_test_do_many },
	{ "nested", kfi_test_do_nested },
	{ "spin", kfi_test_spins },
	{ "first", kfi_test_do_first },
	{ "bh", kfi_test_do_bh },
	{ "msleep", kfi_test_msleep },
	{ "irq", kfi_test_do_irq },
	{ "softirq", kfi_test_do_softirq },
	{ "bottom", kfi_test_do_bottom },
	{ "mark", kfi_test_do_mark },
	{ "threaded", kfi_test_do_threaded },
	{ "flood", kfi_test_do_flood },
	{ "work", kfi_test_do_work },
	{ "returns", kfi_test_do_returns },
	{ "leaves", kfi_test_do_leaves },
	{ "wake", kfi_test_do_wake },
	{ "busy", kfi_test_do_busy },
	{ "sites", kfi_test_do_sites },
	{ "frames", kfi_test_do_frames },
	{ "fast", kfi_test_do_fast },
	{ "inlined", kfi_test_do_inlined },
	{ "oops", kfi_test_oops },
	{ "bad", kfi_test_bad },
	{ "dropped", kfi_test_do_dropped },
	{ "probe", kfi_test_do_probe },
#if IS_ENABLED(CONFIG_X86) && IS_ENABLED(CONFIG_SMP)
	{ "nmi", kfi_test_do_nmi },
	{ "pingpong", kfi_test_do_pingpong },
	{ "nmipanic", kfi_test_do_nmipanic },
#endif
};

static ssize_t kfi_test_write(struct file *file, const char __user *from, size_t len, loff_t *pos)
{
	unsigned long n = 1;
	char text[40], word[20];
	ssize_t ret = -EINVAL;
	int i;

	if (len >= sizeof(text) || copy_from_user(text, from, len))
		return -EFAULT;
	text[len] = 0;
	if (sscanf(text, "%19s %lu", word, &n) < 1)
		return -EINVAL;
	mutex_lock(&lock);
	result[0] = 0;
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		if (!strcmp(word, commands[i].word))
			ret = commands[i].run(n) ?: (ssize_t)len;
	mutex_unlock(&lock);
	return ret;
}

static int kfi_test_show(struct seq_file *m, void *v)
{
	mutex_lock(&lock);
	seq_puts(m, result);
	mutex_unlock(&lock);
	return 0;
}

static int kfi_test_open(struct inode *inode, struct file *file)
{
	return single_open(file, kfi_test_show, NULL);
}

static const struct proc_ops kfi_test_ops = {
	.proc_open = kfi_test_open,
	.proc_read = seq_read,
	.proc_write = kfi_test_write,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

/* In memory that is freed once the module has been initialised. */
static noinline void __init kfi_test_init_late(void)
{
	kfi_test_inner();
}

static noinline void __init kfi_test_init_early(void)
{
	kfi_test_init_late();
	barrier();
}

static int __init kfi_test_init(void)
{
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer.function = timer_expires;
	tasklet_init(&tasklet, kfi_test_tasklet, 0);
	init_completion(&fired);
	kfi_test_init_early();
	return proc_create("kfi_test", 0600, NULL, &kfi_test_ops) ? 0 : -ENOMEM;
}

static void __exit kfi_test_exit(void)
{
	remove_proc_entry("kfi_test", NULL);
	kfi_test_inner();
}

#ifdef CONFIG_RISCV
/*
 * With -fno-toplevel-reorder a static function of linux/mm.h that nobody calls is in the module, in
 * Linux 6.1. It calls this one, which is not exported.
 */
void __show_free_areas(unsigned int flags, nodemask_t *nodemask, int max_zone_idx);
void __show_free_areas(unsigned int flags, nodemask_t *nodemask, int max_zone_idx)
{
}
#endif

module_init(kfi_test_init);
module_exit(kfi_test_exit);
MODULE_DESCRIPTION("What KFI's tests want to see in a log");
MODULE_LICENSE("GPL");
