// SPDX-License-Identifier: GPL-2.0
/*
 * The shadow stacks: allocated at fork, freed with the task, searched when a session is complete.
 * kernel/fork.c calls kfi_task_init() and kfi_task_free().
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include <linux/delay.h>
#include <linux/kfi.h>
#include <linux/list.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "hooks/live.h"
#include "session/session.h"

/**
 * struct task_stack - a shadow stack and its place among all others
 * @link: in stacks, under stacks_lock
 * @s: the stack
 */
struct task_stack {
	struct list_head link;
	struct kfi_stack s;
};

/*
 * Protects the list, the stacks of tasks that do not run, and @logs. Taken by free_task(), which
 * may run in a softirq.
 */
static DEFINE_RAW_SPINLOCK(stacks_lock);
static LIST_HEAD(stacks);

/* The first log of the current configuration. */
static struct kfi_log *logs;

/* True if fork gives new tasks a stack. Set by the first configuration. */
static bool wanted;

static struct task_stack init_task_stack;

/*
 * The sessions that keep the calls of a task that @parent forks, as a mask. Their numbers follow
 * each other, and there are at most as many as a mask has bits. Called under the lock.
 */
static u8 sessions_followed(const struct task_struct *parent)
{
	const struct kfi_log *log;
	u8 mask = parent->kfi.stack->follows;

	for (log = logs; log; log = log->next)
		if (log->conf.num[KFI_NUM_PID] == (u32)parent->pid)
			mask |= log->run.filter.follows;
	return mask;
}

/* Allocate a stack for a task that @parent forks, or for another one (NULL). */
static struct task_stack *alloc_stack(const struct task_struct *tsk,
				      const struct task_struct *parent, gfp_t gfp)
{
	struct task_stack *ts = kmalloc(sizeof(*ts), gfp);
	unsigned long flags;

	if (!ts)
		return NULL;
	kfi_stack_init(&ts->s, &tsk->kfi.interrupts);
	raw_spin_lock_irqsave(&stacks_lock, flags);
	if (parent)
		ts->s.follows = sessions_followed(parent);
	list_add(&ts->link, &stacks);
	raw_spin_unlock_irqrestore(&stacks_lock, flags);
	return ts;
}

void kfi_task_boot(bool give)
{
	BUILD_BUG_ON(BITS_PER_LONG == 64 && sizeof(struct task_stack) > 8192);
	wanted = give;
	if (init_task.kfi.stack == &init_task_stack.s)
		return;
	kfi_stack_init(&init_task_stack.s, &init_task.kfi.interrupts);
	list_add(&init_task_stack.link, &stacks);
	init_task.kfi.stack = &init_task_stack.s;
}

void kfi_task_set_logs(struct kfi_log *first, bool keep)
{
	struct task_stack *ts;
	struct kfi_log *log;
	unsigned long flags;

	BUILD_BUG_ON(KFI_CONF_BLOCKS_MAX > BITS_PER_BYTE);
	for (log = first; log; log = log->next)
		log->run.filter.follows =
			log->conf.children ? 1u << log->run.id % BITS_PER_BYTE : 0;
	raw_spin_lock_irqsave(&stacks_lock, flags);
	list_for_each_entry(ts, &stacks, link) {
		kfi_stack_detach(&ts->s);
		if (!keep)
			ts->s.follows = 0;
	}
	logs = first;
	raw_spin_unlock_irqrestore(&stacks_lock, flags);
}

void kfi_task_init(struct task_struct *tsk)
{
	struct task_stack *ts;

	tsk->kfi.stack = &kfi_no_stack;
	tsk->kfi.interrupts = 0;
	if (!READ_ONCE(wanted))
		return;
	/*
	 * Charged to the memory cgroup of who forks, as the kernel stack is. Without one the task's
	 * calls are counted as lost.
	 */
	ts = alloc_stack(tsk, current, GFP_KERNEL_ACCOUNT);
	if (ts)
		tsk->kfi.stack = &ts->s;
}

/* Record the open calls of a stack whose task will not run any more. Called under the lock. */
static void save_open_calls(struct kfi_stack *s)
{
	int cpu = raw_smp_processor_id();
	struct kfi_log *log = s->generation ? logs : NULL;

	while (log && log->run.id != s->generation)
		log = log->next;
	if (log)
		kfi_call_died(&log->run, &log->run.cpus[cpu], cpu, s);
	kfi_stack_detach(s);
}

void kfi_task_free(struct task_struct *tsk)
{
	struct task_stack *ts;
	unsigned long flags;

	if (tsk->kfi.stack == &kfi_no_stack)
		return;
	ts = container_of(tsk->kfi.stack, struct task_stack, s);
	tsk->kfi.stack = &kfi_no_stack;
	raw_spin_lock_irqsave(&stacks_lock, flags);
	save_open_calls(&ts->s);
	list_del(&ts->link);
	raw_spin_unlock_irqrestore(&stacks_lock, flags);
	kfree(ts);
}

/*
 * Give @tsk a stack unless it has or gets one otherwise. Not charged to a memory cgroup: it is the
 * configuration that asks for it, once, and a cgroup at its limit must not keep that from anybody.
 */
static int give_stack(struct task_struct *tsk)
{
	struct task_stack *ts;

	if (READ_ONCE(tsk->kfi.stack) != &kfi_no_stack)
		return 0;
	ts = alloc_stack(tsk, NULL, GFP_KERNEL);
	if (!ts)
		return -ENOMEM;
	/* Pairs with the hooks' reading of current->kfi.stack. */
	smp_store_release(&tsk->kfi.stack, &ts->s);
	return 0;
}

/*
 * Idle tasks of CPUs that go offline and come back. A CPU that has reported itself dead, or is
 * not online yet, runs its idle task. The idle task is parked while the CPU is still online, by a
 * thread that has preempted it, so that none of its hooks is under way:
 *
 *	       cpu_goes_offline()                     cpu_prepare()
 *	online ------------> parked ... offline -------------> own stack, empty ... online
 *	  ^                    |
 *	  `--------------------' cpu_back_online(): going offline has failed
 */

/* The shadow stack of a parked idle task. Written under the lock of CPU hotplug. */
static DEFINE_PER_CPU(struct kfi_stack *, parked);

static int cpu_goes_offline(unsigned int cpu)
{
	struct task_struct *idle = idle_task(cpu);

	if (!idle || idle->kfi.stack == &kfi_parked_stack)
		return 0;
	per_cpu(parked, cpu) = idle->kfi.stack;
	WRITE_ONCE(idle->kfi.stack, &kfi_parked_stack);
	return 0;
}

static int cpu_back_online(unsigned int cpu)
{
	struct task_struct *idle = idle_task(cpu);
	struct kfi_stack *own = per_cpu(parked, cpu);

	if (idle && idle->kfi.stack == &kfi_parked_stack)
		smp_store_release(&idle->kfi.stack, own);	/* pairs with the hooks' read */
	return 0;
}

/*
 * Before a CPU comes back, its idle task gets its stack again, empty, because it begins again in
 * start_secondary(). Calls that were open when the CPU went offline stay open in the log. Without
 * memory for a stack its calls are lost.
 */
static int cpu_prepare(unsigned int cpu)
{
	struct kfi_stack *s;
	unsigned long flags;

	if (!idle_task(cpu))
		return 0;
	cpu_back_online(cpu);
	/*
	 * The first configuration may have given all other tasks stacks while this one was
	 * parked.
	 */
	if (READ_ONCE(wanted))
		give_stack(idle_task(cpu));
	s = idle_task(cpu)->kfi.stack;
	if (s == &kfi_no_stack)
		return 0;
	raw_spin_lock_irqsave(&stacks_lock, flags);
	save_open_calls(s);
	raw_spin_unlock_irqrestore(&stacks_lock, flags);
	return 0;
}

static int __init watch_cpus(void)
{
	int ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "kfi:prepare", cpu_prepare,
					    cpu_goes_offline);

	if (ret >= 0)
		ret = cpuhp_setup_state_nocalls(CPUHP_AP_ONLINE_DYN, "kfi:online", cpu_back_online,
						cpu_goes_offline);
	return ret < 0 ? ret : 0;
}
core_initcall(watch_cpus);

/* The next task without a stack, with a reference. */
static struct task_struct *next_without_stack(void)
{
	struct task_struct *p, *t;

	rcu_read_lock();
	for_each_process_thread(p, t) {
		if (READ_ONCE(t->kfi.stack) != &kfi_no_stack)
			continue;
		get_task_struct(t);
		rcu_read_unlock();
		return t;
	}
	rcu_read_unlock();
	return NULL;
}

int kfi_task_give_all(void)
{
	struct task_struct *t;
	int cpu, ret = 0;

	if (READ_ONCE(wanted))
		return 0;
	/*
	 * A fork that has read @wanted just before makes a task without a stack. Its calls are
	 * lost.
	 */
	WRITE_ONCE(wanted, true);
	while ((t = next_without_stack())) {
		ret = give_stack(t);
		put_task_struct(t);
		kfi_resched();
		if (ret)
			goto fail;
	}
	/* A cpu that goes offline or comes back gives its idle task another stack. */
	cpus_read_lock();
	for_each_possible_cpu(cpu) {
		ret = idle_task(cpu) ? give_stack(idle_task(cpu)) : 0;
		if (ret)
			break;
	}
	cpus_read_unlock();
	if (!ret)
		return 0;
fail:
	WRITE_ONCE(wanted, false);
	return ret;
}

u32 kfi_task_count_open(const struct kfi_run *run)
{
	struct task_stack *ts;
	u32 n = 0;

	list_for_each_entry(ts, &stacks, link)
		if (READ_ONCE(ts->s.generation) == run->id)
			n += kfi_stack_valid_frames(&ts->s);
	return n;
}

void kfi_task_add_counts(const struct kfi_run *run, struct kfi_cpu *to)
{
	struct task_stack *ts;

	list_for_each_entry(ts, &stacks, link)
		if (READ_ONCE(ts->s.generation) == run->id)
			kfi_call_flush(to, &ts->s);
}

bool kfi_task_peek_open(const struct kfi_run *run, u64 *total, u32 *nopen)
{
	struct task_stack *ts;
	unsigned long flags;
	struct kfi_rec r;
	u32 i, n = 0;

	/* Wait for another CPU, but a millisecond at most: the crash may have interrupted it. */
	for (i = 0; !raw_spin_trylock_irqsave(&stacks_lock, flags); i++) {
		if (i == 1000)
			return false;
		udelay(1);
	}
	list_for_each_entry(ts, &stacks, link) {
		if (READ_ONCE(ts->s.generation) != run->id)
			continue;
		total[KFI_SEEN] += kfi_stack_seen(&ts->s);
		total[KFI_KEPT] += kfi_stack_kept(&ts->s);
		total[KFI_FILTERED_MINTIME] += kfi_stack_too_short(&ts->s);
		for (i = 0; i < kfi_stack_valid_frames(&ts->s); i++) {
			enum kfi_count verdict;

			if (!kfi_call_open(&ts->s, i, &r))
				continue;
			verdict = kfi_call_filtered_by(run, &r);
			if (verdict == KFI_KEPT)
				n++;
			else
				total[verdict]++;
		}
	}
	raw_spin_unlock_irqrestore(&stacks_lock, flags);
	*nopen = n;
	return true;
}

static u32 copy_open(const struct kfi_stack *s, struct kfi_rec *open)
{
	u32 i, depth = kfi_stack_valid_frames(s), n = 0;

	for (i = 0; i < depth; i++)
		n += kfi_call_open(s, i, &open[n]);
	return n;
}

u32 kfi_task_copy_open(const struct kfi_run *run, struct kfi_rec *open)
{
	struct task_stack *ts;
	u32 n = 0;

	list_for_each_entry(ts, &stacks, link)
		if (READ_ONCE(ts->s.generation) == run->id)
			n += copy_open(&ts->s, &open[n]);
	return n;
}

/*
 * Copy the open calls of a session off all stacks, and empty the stacks. Return: number of calls.
 */
static u32 take_open(struct kfi_run *run, struct kfi_rec *open)
{
	struct task_stack *ts;
	u32 n = 0;

	list_for_each_entry(ts, &stacks, link) {
		if (ts->s.generation != run->id)
			continue;
		n += copy_open(&ts->s, &open[n]);
		kfi_call_flush(&run->cpus[0], &ts->s);
		kfi_stack_detach(&ts->s);
	}
	return n;
}

int kfi_task_take(struct kfi_run *run, struct kfi_rec **open, u32 *nopen)
{
	struct kfi_rec *memory = NULL;
	unsigned long flags;
	u32 room = 0, n;

	for (;;) {
		raw_spin_lock_irqsave(&stacks_lock, flags);
		n = kfi_task_count_open(run);
		if (n <= room)
			break;
		raw_spin_unlock_irqrestore(&stacks_lock, flags);
		kvfree(memory);
		memory = kvcalloc(n, sizeof(*memory), GFP_KERNEL);
		if (!memory)
			return -ENOMEM;
		room = n;
	}
	n = take_open(run, memory);
	raw_spin_unlock_irqrestore(&stacks_lock, flags);
	*open = memory;
	*nopen = n;
	return 0;
}
