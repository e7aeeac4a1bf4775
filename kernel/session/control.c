// SPDX-License-Identifier: GPL-2.0
/*
 * The current configuration: its sessions are published to the hooks, commanded, and given to
 * readers. The one place that waits until no CPU is in a hook.
 */
#include <linux/cpuhotplug.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/irq_work.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/static_call.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#ifdef CONFIG_X86
#include <asm/timer.h>
#endif

#include "arch/arch.h"
#include "hooks/live.h"
#include "session/session.h"

/* Protects the current logs, their state changes by command, and collecting them. */
static DEFINE_MUTEX(log_mutex);

/* The first one of the current configuration. */
static struct kfi_log *logs;
static u32 last_id;

/*
 * The logs that a crash reads, without the mutex: @logs, but not those of the selftest. With
 * preemption off they cannot be freed: before that this becomes NULL, and kfi_control_quiesce()
 * waits.
 */
static struct kfi_log *crash_logs;

/*
 * The task that runs the selftest, the only one that may write; @logs and @last_id before the
 * test.
 */
static struct task_struct *tester;
static struct kfi_log *aside;
static u32 aside_id;

/* Shut the fast path if the clock is not, or no longer, a plain counter: see arch/arm64.c. */
static void check_fast_path(void)
{
	/*
	 * Pairs with the barrier in kfi_run_start_at(): either that function sees that the clock
	 * has changed, or this one shuts a fast path that is open already.
	 */
	smp_mb();
	if (!kfi_clock_is_lockless())
		kfi_fast_close(&kfi_fast);
}

/* The rate of the clock may be known, or known better, by now. */
static void update_times(void)
{
	static u64 hz;		/* the rate with which the times of all logs were set */
	struct kfi_log *log;

	kfi_clock_update();
	check_fast_path();
	if (hz == kfi_clock.hz)
		return;
	hz = kfi_clock.hz;
	for (log = logs; log; log = log->next)
		if (!log->collected)
			kfi_log_set_times(log, false);
}

void kfi_control_publish(struct kfi_log *log)
{
	/* Pairs with READ_ONCE in the hooks: an address dependency. */
	smp_store_release(&kfi_live, &log->run);
	WRITE_ONCE(kfi_fast.on, 1);
}

static void quiesce_cpu(struct work_struct *work)
{
}

/*
 * Hooks run with preemption off, so when every cpu that is online has run a work item, none is left
 * that began before; RCU does not watch all the places where hooks run. A cpu that is not online is
 * not on its way there or back, since that is waited for, and its hooks get no session: see
 * kfi_live_run().
 */
int kfi_control_quiesce(void)
{
	return schedule_on_each_cpu(quiesce_cpu);
}

/* Return: 0 when no hook uses any session any more, -ENOMEM. */
static int unpublish(void)
{
	if (READ_ONCE(kfi_live)) {
		WRITE_ONCE(kfi_live, NULL);
		WRITE_ONCE(kfi_fast.on, 0);
		kfi_mark_prepare(NULL);
	}
	return kfi_control_quiesce();
}

static bool is_complete(const struct kfi_log *log)
{
	/* Pairs with the release in complete() of core/run.c. */
	return atomic_read_acquire(&log->run.state) == KFI_COMPLETE;
}

/*
 * Unpublish a complete session, and take its open calls off the stacks. None after it is live yet:
 * see go_live(). Return: 0, -ENOMEM.
 */
static int take_open_calls(struct kfi_log *log)
{
	int ret = log->taken ? 0 : unpublish();

	if (!ret && !log->taken) {
		ret = kfi_task_take(&log->run, &log->open, &log->ntaken);
		log->nopen = log->ntaken;
	}
	/* Pairs with the acquire in fill_excerpt() of files/crash.c. */
	smp_store_release(&log->taken, !ret);
	return ret;
}

/*
 * Publish a session from process context. The sessions before it are complete. Processes that exist
 * are prepared for its marks (kfi_mark_prepare()). Return: 0, -ENOMEM.
 */
static int go_live(struct kfi_log *log)
{
	struct kfi_log *before;
	int ret;

	for (before = logs; before != log; before = before->next) {
		ret = take_open_calls(before);
		if (ret)
			return ret;
	}
	if (log != logs)
		log->armed_at = kfi_now();
	kfi_control_publish(log);
	kfi_mark_prepare(&log->run);
	return 0;
}

static bool is_running(struct kfi_log *log)
{
	int state = log ? atomic_read(&log->run.state) : KFI_IDLE;

	return state == KFI_STARTING || state == KFI_TRIGGERED || state == KFI_STOPPING;
}

static void advance_all(struct work_struct *work);
static DECLARE_DELAYED_WORK(advance_work, advance_all);

/* Return true if this session must be armed now, because the one before it is complete. */
static bool is_next(const struct kfi_log *log)
{
	const struct kfi_log *before = kfi_log_before(log);

	/* Not after a crash: the session that it stopped stays published for files/crash.c. */
	return before && before->run.stop.cause != KFI_BY_CRASH && !kfi_bad() &&
	       atomic_read(&log->run.state) == KFI_IDLE;
}

/*
 * Arm the next session if it is its turn. Enable call sites if a session is armed or recorded, and
 * disable them otherwise: a boot may not have been able to do either.
 */
static void advance(void)
{
	struct kfi_log *log = kfi_log_current(logs);
	int state = KFI_IDLE;

	if (log && is_next(log)) {
		/* The call sites are off if the session before was never armed. */
		if (kfi_sites_set(true) || go_live(log)) {
			/* No memory: try again later, as below. */
			schedule_delayed_work(&advance_work, HZ / 10);
			return;
		}
		log->primed = true;
		atomic_set(&log->run.state, KFI_PRIMED);
	}
	if (log)
		state = atomic_read(&log->run.state);
	/* Without memory call sites stay as they are: if they are on, the hooks just return. */
	if (kfi_sites_set(state != KFI_IDLE && state != KFI_COMPLETE))
		schedule_delayed_work(&advance_work, HZ / 10);
}

void (*kfi_control_done)(void);

static void advance_all(struct work_struct *work)
{
	mutex_lock(&log_mutex);
	advance();
	mutex_unlock(&log_mutex);
	/* Set once, and for ever. */
	if (READ_ONCE(kfi_control_done))
		kfi_control_done();
}

/* From here on there are work items. */
static bool ready;

static void report_bad(void)
{
	static atomic_t reported;

	if (kfi_bad() && !atomic_xchg(&reported, 1))
		pr_warn("kfi: switched off until the next boot: %s\n", kfi_bad_text());
}

static void end_of_last(struct irq_work *work)
{
	report_bad();
	if (READ_ONCE(ready))
		schedule_delayed_work(&advance_work, 0);
}

/* One for each cpu: that of a cpu which has just died stays pending until it is back. */
static DEFINE_PER_CPU(struct irq_work, end_work) = IRQ_WORK_INIT(end_of_last);

/*
 * A session is complete; any context, NMI included. Before there are interrupts the initcalls do
 * the rest.
 */
static void session_completed(void)
{
	if (system_state >= SYSTEM_SCHEDULING)
		irq_work_queue(raw_cpu_ptr(&end_work));
}

static void update_all(struct work_struct *work)
{
	mutex_lock(&log_mutex);
	update_times();
	mutex_unlock(&log_mutex);
}
static DECLARE_WORK(times_work, update_all);

static int __init update_at_initcalls(void)
{
	update_all(NULL);
	report_bad();
	return 0;
}
early_initcall(update_at_initcalls);
late_initcall_sync(update_at_initcalls);

/* The timer of a cpu may have an erratum that no other has. The mutex may wait for hotplug. */
static int cpu_comes_online(unsigned int cpu)
{
	schedule_work(&times_work);
	return 0;
}

/* A session may have ended on the cpu when it ran no more irq_work. */
static int cpu_has_died(unsigned int cpu)
{
	schedule_delayed_work(&advance_work, 0);
	return 0;
}

static int __init watch_cpus(void)
{
	int ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "kficlock", cpu_comes_online, NULL);

	if (ret >= 0)
		ret = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "kfiend", NULL, cpu_has_died);
	return ret < 0 ? ret : 0;
}
core_initcall(watch_cpus);

static int __init control_ready(void)
{
	WRITE_ONCE(ready, true);
	advance_all(NULL);
	return 0;
}
early_initcall(control_ready);

#ifdef CONFIG_KPROBES

/*
 * The code that handles a probe is instrumented. A probe on what runs in a hook would call the
 * hook, which would hit the probe again, without end. So kprobes rejects all code of the recorder,
 * and what the hooks call elsewhere (scripts/check-hook-calls compares).
 */
NOKPROBE_SYMBOL(memcpy);
NOKPROBE_SYMBOL(memset);
NOKPROBE_SYMBOL(sched_clock);
#if defined(CONFIG_X86) && defined(CONFIG_PARAVIRT)
/* The static call by which sched_clock() reads the clock. */
NOKPROBE_SYMBOL(STATIC_CALL_TRAMP(pv_sched_clock));
NOKPROBE_SYMBOL(native_sched_clock);
#endif

static int __init reject_probes(void)
{
	/* x86: what the first two jump to on some CPUs. Only their own file can name these. */
	static const char * const names[] = {
		"memcpy_erms", "memcpy_orig", "memset_erms", "memset_orig",
	};
	extern char __start_kfi_text[], __stop_kfi_text[];
	extern char __start_kfi_unlikely[], __stop_kfi_unlikely[];
	unsigned long addr;
	int i, ret;

	ret = kprobe_add_area_blacklist((unsigned long)__start_kfi_text,
					(unsigned long)__stop_kfi_text);
	if (!ret)
		ret = kprobe_add_area_blacklist((unsigned long)__start_kfi_unlikely,
						(unsigned long)__stop_kfi_unlikely);
	for (i = 0; i < ARRAY_SIZE(names) && ret >= 0; i++) {
		addr = kallsyms_lookup_name(names[i]);
		if (addr)
			ret = kprobe_add_ksym_blacklist(addr);
	}
	if (ret < 0)
		pr_err("kfi: kprobes on the recorder are not rejected: error %d\n", ret);
	return 0;
}
early_initcall(reject_probes);

#endif

void kfi_control_set_current(struct kfi_log *first)
{
	struct kfi_log *log;

	/*
	 * Set the ids before a dying task looks for the session of its stack. No session has id
	 * 0.
	 */
	for (log = first; log; log = log->next) {
		log->run.id = ++last_id;
		log->run.on_complete = session_completed;
	}
	logs = first;
	if (!tester)
		/* Pairs with READ_ONCE in kfi_control_peek(): an address dependency. */
		smp_store_release(&crash_logs, first);
	kfi_task_set_logs(first, tester);
}

/* ---- readers ---- */

static int collect(struct kfi_log *log)
{
	int ret = take_open_calls(log);

	return ret || log->collected ? ret : kfi_collect_rows(log);
}

/*
 * Measure the cost of a call for sessions of the boot, which could not do so. Return: 0, -ENOMEM.
 */
static int measure_after_boot(void)
{
	struct kfi_log *last = kfi_log_current(logs), *log;
	int ret;

	if (!last || last->collected || last->cost.kept || !is_complete(last))
		return 0;
	ret = unpublish();
	if (ret)
		return ret;
	for (log = logs; log; log = log->next)
		if (!log->collected)
			kfi_cost_measure(&log->run, &log->cost);
	return 0;
}

/* Collect the logs of complete sessions. Return: as kfi_control_get(). */
static struct kfi_log *get_locked(void)
{
	struct kfi_log *log;
	int ret;

	update_times();
	ret = measure_after_boot();
	for (log = logs; log && !ret; log = log->next) {
		if (is_complete(log))
			ret = collect(log);
		if (!log->collected)
			log->hz = kfi_clock.hz;
	}
	if (ret)
		return ERR_PTR(ret);
	if (logs)
		kref_get(&logs->ref);
	return logs;
}

struct kfi_log *kfi_control_get(void)
{
	struct kfi_log *log;

	mutex_lock(&log_mutex);
	log = get_locked();
	mutex_unlock(&log_mutex);
	return log;
}

struct kfi_log *kfi_control_get_complete(void)
{
	struct kfi_log *log = NULL;

	mutex_lock(&log_mutex);
	if (!tester && logs && is_complete(kfi_log_current(logs)))
		log = get_locked();
	mutex_unlock(&log_mutex);
	return log;
}

struct kfi_log *kfi_control_get_uncollected(void)
{
	struct kfi_log *log;

	mutex_lock(&log_mutex);
	log = tester ? NULL : logs;
	if (log)
		kref_get(&log->ref);
	mutex_unlock(&log_mutex);
	return log;
}

const struct kfi_log *kfi_control_peek(void)
{
	return READ_ONCE(crash_logs);
}

static bool is_current(const struct kfi_log *log)
{
	const struct kfi_log *l;

	for (l = logs; l && l != log; l = l->next)
		;
	return l;
}

int kfi_control_copy_open(struct kfi_log *log, struct kfi_rec **open, u32 *nopen)
{
	int ret = 0;

	mutex_lock(&log_mutex);
	/* Those of one that is not current were taken when another took its place. */
	if (is_current(log))
		ret = take_open_calls(log);
	if (!ret) {
		*nopen = log->ntaken;
		*open = kvmalloc_array(*nopen + 1, sizeof(**open), GFP_KERNEL);
		ret = *open ? 0 : -ENOMEM;
	}
	if (!ret && *nopen)
		memcpy(*open, log->open, *nopen * sizeof(**open));
	mutex_unlock(&log_mutex);
	return ret;
}

/* Get the logs; in their place a snapshot, if a run that goes on has something to show. */
static struct kfi_log *get_or_snap(void)
{
	struct kfi_log *log = get_locked(), *turn = kfi_log_current(logs), *snap;

	if (IS_ERR_OR_NULL(log) || !is_running(turn))
		return log;
	snap = kfi_collect_snapshot(turn);
	kfi_log_put(log);
	return snap;
}

struct kfi_log *kfi_control_get_rows(void)
{
	struct kfi_log *log = ERR_PTR(-ESTALE);
	int ret;

	mutex_lock(&log_mutex);
	while (log == ERR_PTR(-ESTALE))
		log = get_or_snap();
	mutex_unlock(&log_mutex);
	if (IS_ERR_OR_NULL(log) || !log->of)
		return log;
	ret = kfi_collect_rows(log);
	if (!ret)
		return log;
	kfi_log_put(log);
	return ERR_PTR(ret);
}

/* ---- commands ---- */

#define TESTING		"the selftest is running"

/* Retire the current sessions, so that others can replace them. On an error nothing has changed. */
static int retire_current(void)
{
	struct kfi_log *log;
	int state, ret;

	if (!logs)
		return 0;
	/* It must not start while it is being unpublished. */
	log = kfi_log_current(logs);
	state = atomic_cmpxchg(&log->run.state, KFI_PRIMED, KFI_IDLE);
	if (state != KFI_PRIMED && state != KFI_IDLE && state != KFI_COMPLETE)
		return -EBUSY;
	if (!tester)
		WRITE_ONCE(crash_logs, NULL);
	ret = unpublish();
	/* The reader of /proc/kfi_pipe may not have come to the end yet. */
	for (log = logs; log && !ret && kref_read(&logs->ref) > 1; log = log->next)
		if (is_complete(log))
			ret = take_open_calls(log);
	if (ret && !tester)
		WRITE_ONCE(crash_logs, logs);
	if (!ret || state != KFI_PRIMED)
		return ret;
	/* The sessions before it have been taken. */
	log = kfi_log_current(logs);
	go_live(log);
	atomic_set(&log->run.state, KFI_PRIMED);
	return ret;
}

/* Make runs of a text, in place of the current ones. @text may be their own. */
static int install(const char *text, size_t len, struct kfi_conf_err *err)
{
	struct kfi_log *log, *new, *old = logs;
	int ret;

	if (is_running(kfi_log_current(logs)))
		return kfi_log_reject(err, -EBUSY, "a run is being recorded: stop it first");
	new = kfi_log_create(text, len, err);
	if (IS_ERR(new))
		return PTR_ERR(new);
	ret = retire_current();
	if (ret) {
		kfi_log_put(new);
		return kfi_log_reject(err, ret, ret == -EBUSY ?
				      "a run has just started: stop it first" :
				      "no memory to end the run before");
	}
	for (log = new; log; log = log->next)
		kfi_cost_measure(&log->run, &log->cost);
	kfi_control_set_current(new);
	if (old)
		WRITE_ONCE(old->retired, true);
	kfi_log_put(old);
	return 0;
}

static int enable_sites(struct kfi_conf_err *err)
{
	return kfi_sites_set(true) ?
	       kfi_log_reject(err, -ENOMEM, "no memory to turn the call sites on") : 0;
}

static int set_live(struct kfi_log *log, struct kfi_conf_err *err)
{
	int ret = enable_sites(err);

	if (!ret && go_live(log))
		ret = kfi_log_reject(err, -ENOMEM, "no memory to end the run before");
	return ret;
}

/* Complete runs are primed again as new ones with the same configuration. */
static int command_prime(struct kfi_conf_err *err)
{
	struct kfi_log *log = kfi_log_current(logs);
	int ret;

	if (!log)
		return kfi_log_reject(err, -EINVAL, "there is no run: write begin ... end first");
	if (atomic_read(&log->run.state) == KFI_COMPLETE) {
		/* All that can fail comes before the complete log is dropped. */
		ret = enable_sites(err) ?: install(log->text, log->len, err);
		if (ret)
			return ret;
		log = logs;
	}
	if (atomic_read(&log->run.state) != KFI_IDLE)
		return kfi_log_reject(err, -EBUSY, is_running(log) ? "the run is started already" :
			      "the run is primed already");
	ret = set_live(log, err);
	if (ret)
		return ret;
	log->primed = true;
	atomic_set(&log->run.state, KFI_PRIMED);
	return 0;
}

static int command_start(struct kfi_conf_err *err)
{
	struct kfi_log *log = kfi_log_current(logs);
	int ret;

	if (!log)
		return kfi_log_reject(err, -EINVAL, "there is no run: write begin ... end first");
	if (atomic_read(&log->run.state) == KFI_IDLE) {
		ret = set_live(log, err);
		if (ret)
			return ret;
	}
	if (kfi_run_start(&log->run, KFI_BY_USER, 0))
		return 0;
	return kfi_log_reject(err, -EBUSY, atomic_read(&log->run.state) == KFI_COMPLETE ?
		      "the run is complete: prime it again, or write a new one" : "the run is started already");
}

static int command_stop(struct kfi_conf_err *err)
{
	struct kfi_log *log = kfi_log_current(logs);

	if (!log)
		return kfi_log_reject(err, -EINVAL, "there is no run: write begin ... end first");
	if (kfi_run_end(&log->run))
		return 0;
	return kfi_log_reject(err, -EBUSY, "the run is complete already");
}

static int command_mark(const struct kfi_conf_text *mark, struct kfi_conf_err *err)
{
	BUILD_BUG_ON(KFI_CONF_MARK_MAX > KFI_EVENT_TEXT_MAX);
	if (kfi_mark_text(mark->s, mark->len))
		return 0;
	return kfi_log_reject(err, -EBUSY, "no log is being recorded that a mark could be put into");
}

int kfi_control_write(const char *text, size_t len, struct kfi_conf_err *err)
{
	struct kfi_conf_text mark;
	int cmd = kfi_conf_command(text, len, &mark, err), ret;

	if (cmd < 0)
		return cmd;
	if (kfi_bad())
		return kfi_log_reject(err, -EIO, "switched off in a bad state, until the next boot");
	if (cmd == KFI_CMD_SELFTEST)
		return kfi_selftest(err);
	mutex_lock(&log_mutex);
	if (tester && tester != current) {
		mutex_unlock(&log_mutex);
		return kfi_log_reject(err, -EBUSY, TESTING);
	}
	update_times();
	advance();
	switch (cmd) {
	case KFI_CMD_NEW:
		ret = install(text, len, err);
		break;
	case KFI_CMD_PRIME:
		ret = command_prime(err);
		break;
	case KFI_CMD_START:
		ret = command_start(err);
		break;
	case KFI_CMD_MARK:
		ret = command_mark(&mark, err);
		break;
	default:
		ret = command_stop(err);
		break;
	}
	advance();
	mutex_unlock(&log_mutex);
	return ret;
}

void kfi_control_report(void)
{
	u64 entries, wanted;
	bool some;

	mutex_lock(&log_mutex);
	some = logs && !tester;
	if (some)
		kfi_log_sum_entries(logs, &entries, &wanted);
	mutex_unlock(&log_mutex);
	if (some && entries == wanted)
		pr_info("kfi: new run installed, with room for %llu calls\n", entries);
	else if (some)
		pr_warn("kfi: new run installed, with room for %llu calls (%llu were requested)\n",
			entries, wanted);
}

/* ---- the selftest ---- */

static int begin_test_locked(struct kfi_conf_err *err)
{
	struct kfi_log *turn, *log;
	int state;

	if (tester)
		return kfi_log_reject(err, -EBUSY, TESTING);
	advance();
	turn = kfi_log_current(logs);
	state = turn ? atomic_read(&turn->run.state) : KFI_IDLE;
	if (state != KFI_IDLE && state != KFI_COMPLETE)
		return kfi_log_reject(err, -EBUSY, "a run is primed or being recorded: stop it first");
	/* Collect: open calls of these sessions are on the shadow stacks, which the test needs. */
	log = get_locked();
	if (IS_ERR(log))
		return kfi_log_reject(err, PTR_ERR(log), "no memory to keep the log of the run before");
	/* The reference of get_locked() is dropped, since @logs keeps its own. */
	kfi_log_put(log);
	aside = logs;
	aside_id = last_id;
	tester = current;
	kfi_control_set_current(NULL);
	return 0;
}

int kfi_control_begin_test(struct kfi_conf_err *err)
{
	int ret;

	mutex_lock(&log_mutex);
	ret = begin_test_locked(err);
	mutex_unlock(&log_mutex);
	return ret;
}

void kfi_control_end_test(void)
{
	struct kfi_log *log, *tested;

	mutex_lock(&log_mutex);
	if (logs)
		kfi_run_end(&logs->run);
	/* Without memory try again: hooks may still use these sessions. */
	while (retire_current())
		msleep(100);
	tested = logs;
	/* Not kfi_control_set_current(): these sessions keep their ids. */
	logs = aside;
	last_id = aside_id;
	kfi_task_set_logs(logs, true);
	/* Only now: a task that forks looks at them. */
	kfi_log_put(tested);
	for (log = logs; log; log = log->next)
		if (!log->collected)
			kfi_log_set_times(log, false);
	aside = NULL;
	tester = NULL;
	advance();
	mutex_unlock(&log_mutex);
	/* A log that was complete before the test may not have been sent yet (files/serial.c). */
	if (READ_ONCE(kfi_control_done))
		kfi_control_done();
}
