// SPDX-License-Identifier: GPL-2.0
/*
 * case_context.c - calls in every context: interrupts, their threads, NMIs, idle, tasks that end
 *
 * Most have the module of tests/guest/module do something at a known place for a known time.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

static int64_t on_cpu_ns(const struct tl_row *r)
{
	return r->delta_ns - r->off_ns - r->irq_ns;
}

#define MS	1000000

/* A module's calls nest as they are written, and nothing of it stays when it is taken out. */
static enum outcome module_calls(void)
{
	struct tracelog log;

	for (int i = 0; i < 2; i++) {
		const struct tl_row *outer, *middle, *inner;

		TRY(module_load());
		TRY(arm_run("trigger start entry kfi_test_outer\ntrigger stop exit kfi_test_outer\n"
			    "filter noints"));
		WANT_EQ(module_command("call 2"), 0);
		TRY(wait_and_read_log(&log));
		WANT_EQ(count_rows(&log, "kfi_test_outer"), 1);
		WANT_EQ(count_rows(&log, "kfi_test_middle"), 1);
		WANT_EQ(count_rows(&log, "kfi_test_inner"), 3);
		outer = first_row(&log, "kfi_test_outer");
		middle = first_row(&log, "kfi_test_middle");
		inner = first_row(&log, "kfi_test_inner");
		WANT(outer->depth == 1 && middle->depth == 2 && inner->depth == 3);
		tl_free(&log);
		TRY(module_unload());
	}
	WANT_EQ(module_command("call"), -2);
	return PASS;
}

/*
 * A timer interrupt lands in a busy function: what it takes is Irq-ns of that function and of those
 * around it, and no local time of any. The judge compares all of them with the interrupt's rows.
 */
static enum outcome irq(void)
{
	const struct tl_row *victim, *spin, *handler;
	struct tracelog log;
	unsigned long addr;
	long i;

	TRY(record_command(&log, "irq", "kfi_test_victim", "kfi_test_victim", ""));
	TRY(victim_interrupted());
	victim = first_row(&log, "kfi_test_victim");
	handler = first_row(&log, "kfi_test_irq");
	WANT(handler && is_below(handler, victim));
	WANT(handler->ctx == 'h' && handler->pid == -1);
	WANT(handler->delta_ns >= 3 * MS);
	WANT(victim->irq_ns >= handler->delta_ns);
	/* The victim's own loop, not that of the handler. */
	addr = symbol("kfi_test_spin");
	for (i = -1; (i = tl_find(&log, hex(addr), i + 1)) >= 0;)
		if (log.rows[i].ctx == 't')
			break;
	WANT(i >= 0);
	spin = &log.rows[i];
	WANT(is_below(handler, spin) && spin->depth == victim->depth + 1);
	WANT(spin->irq_ns >= handler->delta_ns);
	WANT(spin->delta_ns >= 10 * MS);
	WANT(spin->local_ns <= spin->delta_ns - handler->delta_ns);
	WANT_EQ(victim->off_ns, 0);
	return PASS;
}

/* A softirq runs at the end of the interrupt that raised it, on top of the same task. */
static enum outcome softirq(void)
{
	const struct tl_row *victim, *tasklet, *handler;
	struct tracelog log;
	unsigned long addr;
	long i, soft = 0;

	TRY(record_command(&log, "softirq", "kfi_test_victim", "kfi_test_victim", ""));
	TRY(victim_interrupted());
	if (!module_result("tasklet", 0))
		return because(DISTURBED, "the softirq was left to ksoftirqd");
	victim = first_row(&log, "kfi_test_victim");
	handler = first_row(&log, "kfi_test_irq");
	tasklet = first_row(&log, "kfi_test_tasklet");
	WANT(handler && tasklet);
	WANT(tasklet->ctx == 's' && tasklet->pid == -1);
	WANT(is_below(tasklet, victim));
	WANT(tasklet->entry_ns > handler->entry_ns + handler->delta_ns);
	WANT(tasklet->delta_ns >= 2 * MS);
	WANT(victim->irq_ns >= handler->delta_ns + tasklet->delta_ns);
	addr = symbol("kfi_test_spin");
	for (i = -1; (i = tl_find(&log, hex(addr), i + 1)) >= 0;)
		soft += log.rows[i].ctx == 's' && is_below(&log.rows[i], tasklet);
	WANT_EQ(soft, 1);
	return PASS;
}

/*
 * Softirqs that run where a task enables them: no call of theirs is the task's, neither the first
 * one nor that of a second softirq.
 */
static enum outcome softirqs_enabled(void)
{
	const struct tl_row *enabler, *tasklet;
	struct tracelog log;
	unsigned long addr;
	long i, soft = 0;
	size_t k;

	TRY(record_command(&log, "bottom", "kfi_test_bottom", "kfi_test_bottom", ""));
	if (!module_result("tasklet", 0))
		return because(DISTURBED, "the softirqs were left to ksoftirqd");
	enabler = first_row(&log, "kfi_test_bottom");
	WANT(enabler && enabler->ctx == 't');
	addr = symbol("kfi_test_tasklet");
	for (i = -1; (i = tl_find(&log, hex(addr), i + 1)) >= 0; soft++) {
		tasklet = &log.rows[i];
		WANT(tasklet->ctx == 's' && tasklet->pid == -1);
		WANT(is_below(tasklet, enabler));
		for (k = 0; k < log.nr_rows; k++)
			WANT(log.rows[k].ctx != 't' || !is_below(&log.rows[k], tasklet));
	}
	WANT_EQ(soft, 2);
	WANT(enabler->irq_ns >= 4 * MS);
	WANT(enabler->local_ns < MS || !time_is_exact());
	return PASS;
}

/* Until SIGKILL, or until the case has ended. */
static void spin(int cpu)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	use_cpu(cpu);
	for (;;)
		;
}

/* Wait for a byte, again and again. */
static void wait_for_bytes(int fd)
{
	char byte;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	use_cpu(1);
	while (read(fd, &byte, 1) == 1)
		;
}

/*
 * The first call of a task comes in an interrupt: one by which another CPU has a task woken, and
 * which changes the context in a function. What it calls is not the task's.
 */
static enum outcome first_in_interrupt(void)
{
	unsigned long begin = symbol("sysvec_reschedule_ipi"), end = -1ul;
	const struct ksym *all;
	struct tracelog log;
	pid_t spinner, waiter;
	int fd[2], hits = 0;
	size_t i, n;

	if (!begin || !symbol("preempt_count_add"))
		return because(SKIP, "no function changes the context in such an interrupt");
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		return because(SKIP, "one CPU");
	all = symbols(&n);
	for (i = 0; i < n; i++)
		if (all[i].addr > begin && all[i].addr < end)
			end = all[i].addr;
	WANT(!pipe(fd));
	spinner = start_in_background(spin, 1);
	waiter = start_in_background(wait_for_bytes, fd[0]);
	use_cpu(0);
	sleep_ms(100);
	WANT_EQ(kfi_write("new begin logentries 400000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	for (i = 0; i < 20; i++) {
		WANT_EQ(write(fd[1], "x", 1), 1);
		sleep_ms(10);
	}
	WANT_EQ(kfi_write("stop"), 0);
	kill(spinner, SIGKILL);
	kill(waiter, SIGKILL);
	waitpid(spinner, NULL, 0);
	waitpid(waiter, NULL, 0);
	TRY(wait_and_read_log(&log));
	for (i = 0; i < log.nr_rows; i++) {
		const struct tl_row *r = &log.rows[i];
		unsigned long caller = strtoul(r->caller, NULL, 16);

		if (caller < begin || caller >= end)
			continue;
		hits += r->task == spinner;
		if (r->ctx == 't')
			return because(FAIL, "a call of sysvec_reschedule_ipi() at %llu ns is a task's",
				       (unsigned long long)r->entry_ns);
	}
	tl_free(&log);
	return hits ? PASS : because(SKIP, "no task was woken by such an interrupt");
}

/* A threaded handler is a task of its own: its time is no interrupt time. */
static enum outcome threaded(void)
{
	const struct tl_row *victim, *handler, *thread;
	struct tracelog log;

	if (is_user_mode_linux())
		return because(SKIP, "um has no interrupt numbers to give away");
	TRY(record_command(&log, "threaded", "kfi_test_victim", "kfi_test_thread", ""));
	TRY(victim_interrupted());
	victim = first_row(&log, "kfi_test_victim");
	handler = first_row(&log, "kfi_test_handler");
	thread = first_row(&log, "kfi_test_thread");
	WANT(handler && thread);
	WANT(handler->ctx == 'h' && handler->pid == -1 && handler->task == victim->task);
	WANT(thread->ctx == 't' && thread->pid > 0 && thread->task != victim->task);
	WANT(thread->delta_ns >= 2 * MS);
	if (time_is_exact())
		WANT(on_cpu_ns(thread) > MS);
	WANT(thread->entry_ns > handler->entry_ns);
	return PASS;
}

/* NMIs come anywhere, in hooks too: each has its rows, and all times still add up. */
static enum outcome nmi(void)
{
	struct tracelog log;
	unsigned long addr;
	long i, nr = 0, into = 0;

	TRY(module_load());
	if (!symbol("kfi_test_nmi_victim"))
		return because(SKIP, "no NMIs can be sent on this architecture");
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		return because(SKIP, "one cpu sends NMIs to another");
	TRY(record_command(&log, "nmi 30", "kfi_test_nmi_victim", "kfi_test_nmi_victim",
			   "filter cpu 1"));
	if (module_result("nmis", 0) <= 10)
		return because(DISTURBED, "%lld of 30 NMIs came", module_result("nmis", 0));
	addr = symbol("kfi_test_nmi_work");
	for (i = -1; (i = tl_find(&log, hex(addr), i + 1)) >= 0; nr++)
		WANT(log.rows[i].ctx == 'n' && log.rows[i].pid == -1);
	WANT_EQ(nr, module_result("nmis", 0));
	for (i = 0; i < (long)log.nr_rows; i++)
		into += log.rows[i].ctx == 't' && log.rows[i].irq_ns > 0;
	WANT(into > 0);
	return PASS;
}

/* A work item runs in a worker: its sleep is off the cpu, its loop is not. */
static enum outcome workqueue(void)
{
	const struct tl_row *work;
	struct tracelog log;

	TRY(record_command(&log, "work", "kfi_test_work", "kfi_test_work", ""));
	work = first_row(&log, "kfi_test_work");
	WANT(work->ctx == 't' && work->task > 0 && work->task != getpid());
	/* Ticks that a cpu catches up on after its host has stopped it make a sleep short. */
	WANT(work->delta_ns >= (time_is_exact() ? 7 : 2) * MS);
	if (!work->off_ns && !time_is_exact())
		return because(DISTURBED, "the sleep was over before its task was switched out");
	WANT(work->off_ns > 0);
	if (time_is_exact())
		WANT(work->off_ns >= 4900000 && on_cpu_ns(work) + work->irq_ns >= 2 * MS);
	return PASS;
}

/* A known sleep: nearly all of it off the cpu. */
static enum outcome sleeps(void)
{
	const struct tl_row *sleep, *schedule;
	struct tracelog log;
	unsigned long addr;
	long i;

	TRY(record_command(&log, "msleep 200", "kfi_test_msleep", "kfi_test_msleep",
			   "filter noints"));
	sleep = first_row(&log, "kfi_test_msleep");
	schedule = first_row(&log, "schedule");
	/* Ticks that a cpu catches up on after its host has stopped it make a sleep short. */
	WANT(sleep->delta_ns >= (time_is_exact() ? 200 : 2) * MS);
	WANT(sleep->off_ns > 0);
	/* schedule() is not to blame. */
	addr = symbol("schedule");
	for (i = -1; (i = tl_find(&log, hex(addr), i + 1)) >= 0;)
		if (is_below(&log.rows[i], sleep))
			break;
	WANT(i >= 0);
	schedule = &log.rows[i];
	WANT(schedule->off_ns > 0 && schedule->local_ns <= schedule->delta_ns - schedule->off_ns);
	if (time_is_exact()) {
		WANT(sleep->off_ns >= 195 * MS && on_cpu_ns(sleep) < 40 * MS);
		WANT(schedule->delta_ns >= 195 * MS && schedule->local_ns < 20 * MS);
	}
	return PASS;
}

/*
 * An idle task runs while its cpu waits: the waiting is on-cpu time of cpuidle_idle_call(), which
 * is never switched out and lets others run only when it has returned.
 */
static enum outcome idle(void)
{
	int64_t waited = 0, first = -1, last = 0;
	struct tracelog log;
	/* It may have been inlined, into one that lets others run before it returns. */
	unsigned long call = symbol("cpuidle_idle_call"), addr = call ? call : symbol("do_idle");
	long i, nr = 0;

	WANT_EQ(kfi_write("new begin logentries 400000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	for (i = 0; i < 30; i++)
		sleep_ms(10);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	for (i = -1; (i = tl_find(&log, hex(addr), i + 1)) >= 0; nr++) {
		const struct tl_row *r = &log.rows[i];

		WANT_EQ(r->task, 0);
		if (r->delta_ns < 0)
			continue;
		WANT(r->off_ns == 0 || addr != call);
		if (first < 0)
			first = r->entry_ns;
		last = r->entry_ns + r->delta_ns;
		waited += on_cpu_ns(r);
	}
	WANT(nr > 0 && waited > 0);
	if (time_is_exact() && (last - first <= 100 * MS || waited < (last - first) / 2))
		return because(FAIL, "idle for %lld ns of %lld", (long long)waited,
			       (long long)(last - first));
	return PASS;
}

/* The log has one row of a function in @task, and that row is marked open. */
static enum outcome has_only_open_row(const struct tracelog *log, const char *func, int task)
{
	unsigned long addr;
	long i, nr = 0;

	addr = symbol(func);
	for (i = -1; (i = tl_find(log, hex(addr), i + 1)) >= 0;) {
		if (log->rows[i].task != task)
			continue;
		nr++;
		if (!(log->rows[i].marks & TL_OPEN))
			return because(FAIL, "%s of task %d is not open", func, task);
	}
	if (nr != 1)
		return because(FAIL, "%ld rows of %s of task %d", nr, func, task);
	return PASS;
}

/* Record a command of the module from `start` to `stop`, without interrupts. */
static enum outcome record_until_stop(struct tracelog *log, const char *command)
{
	TRY(module_load());
	WANT_EQ(kfi_write("new begin filter noints logentries 400000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	WANT_EQ(module_command(command), 0);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(log));
	TRY(lost_nothing(log, NULL));
	return PASS;
}

/* A kernel thread whose function returns: that call is over, those around it never are. */
static enum outcome thread_returns(void)
{
	const struct tl_row *r;
	struct tracelog log;

	TRY(record_until_stop(&log, "returns"));
	r = first_row(&log, "kfi_test_returning");
	WANT(r && r->task == module_result("pid", 0) && r->delta_ns >= MS);
	TRY(has_only_open_row(&log, "kthread", r->task));
	TRY(has_only_open_row(&log, "do_exit", r->task));
	return PASS;
}

/* One that ends within its calls: they stay open, and what they called is in its place. */
static enum outcome thread_leaves(void)
{
	const struct tl_row *leave, *inner;
	struct tracelog log;

	TRY(record_until_stop(&log, "leaves"));
	leave = first_row(&log, "kfi_test_leave");
	inner = first_row(&log, "kfi_test_inner");
	WANT(leave && inner && inner->task == leave->task);
	WANT(leave->task == module_result("pid", 0));
	WANT_EQ(inner->depth, leave->depth + 1);
	WANT(inner->delta_ns >= 0);
	TRY(has_only_open_row(&log, "kthread", leave->task));
	TRY(has_only_open_row(&log, "kfi_test_leaving", leave->task));
	TRY(has_only_open_row(&log, "kfi_test_leave", leave->task));
	TRY(has_only_open_row(&log, "do_exit", leave->task));
	return PASS;
}

/* Tasks that are born and die in the run: each has its calls, and those it died in are open. */
static enum outcome forks(void)
{
	struct tracelog log;
	int pid[3];

	WANT_EQ(kfi_write("new begin filter noints logentries 400000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	for (int i = 0; i < 3; i++) {
		pid[i] = fork();
		if (!pid[i])
			_exit(0);
		waitpid(pid[i], NULL, 0);
	}
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	for (int i = 0; i < 3; i++) {
		TRY(has_only_open_row(&log, "do_group_exit", pid[i]));
		TRY(has_only_open_row(&log, "do_exit", pid[i]));
	}
	return PASS;
}

/*
 * What a task ran according to the log is what the scheduler has counted for it, while another one
 * takes its cpu away again and again. The scheduler's count has interrupts in it. One in whole ms
 * is of ticks: then it is what the task itself has counted.
 */
static enum outcome sum_exec_runtime(void)
{
	const char *by = "the scheduler";
	const struct tl_row *busy;
	long long counted, mine;
	struct tracelog log;

	TRY(record_command(&log, "busy 300", "kfi_test_busy", "kfi_test_busy",
			   "filter funclist kfi_test_busy fend"));
	busy = first_row(&log, "kfi_test_busy");
	counted = module_result("ran", 0);
	if (counted % 1000000 == 0) {
		counted = module_result("left", 0);
		by = "itself";
	}
	mine = busy->delta_ns - busy->off_ns;
	/* With CONFIG_IRQ_TIME_ACCOUNTING the scheduler leaves interrupts out. */
	if (symbol("irqtime_account_irq"))
		mine -= busy->irq_ns;
	/* There was something to be taken off. */
	WANT(busy->off_ns > 0);
	if (!time_is_exact())
		return skip_inexact_time();
	WANT(busy->off_ns > busy->delta_ns / 5);
	if (llabs(mine - counted) > counted / 50)
		return because(FAIL, "%lld ns by the log, %lld by %s (of %lld)", mine, counted, by,
			       (long long)busy->delta_ns);
	printf("# sum_exec_runtime: %lld ns by the log, %lld by %s, of %lld\n", mine, counted, by,
	       (long long)busy->delta_ns);
	return PASS;
}

/* A task with bottom halves disabled is a task: its calls take no slow path. */
static enum outcome bottom_halves_disabled(void)
{
	long long enabled, disabled;
	struct tracelog log;

	if (!time_is_exact())
		return because(SKIP, "instructions cannot be counted");
	TRY(module_load());
	WANT_EQ(kfi_write("new begin filter mintime 1000000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	WANT_EQ(module_command("call 2000"), 0);
	enabled = module_result("took", 0);
	WANT_EQ(module_command("bh 2000"), 0);
	disabled = module_result("took", 0);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	WANT(enabled > 0);
	if (disabled > 3 * enabled)
		return because(FAIL, "%lld ns with bottom halves, %lld ns without", enabled,
			       disabled);
	tl_free(&log);
	return module_unload();
}

/* Return: false if the last cpu cannot be made so. */
static bool set_online(bool online)
{
	char file[80];
	FILE *f;

	snprintf(file, sizeof(file), "/sys/devices/system/cpu/cpu%ld/online",
		 sysconf(_SC_NPROCESSORS_CONF) - 1);
	f = fopen(file, "w");
	return f && fputs(online ? "1" : "0", f) >= 0 && !fclose(f);
}

/*
 * Nobody waits for a cpu that has reported itself dead: what its idle task calls then must not
 * touch the run. When it comes back its calls are recorded again.
 */
static enum outcome cpu_offline(void)
{
	struct tracelog log;

	if (sysconf(_SC_NPROCESSORS_CONF) < 2 || !set_online(false))
		return because(SKIP, "no cpu can go offline");
	WANT(set_online(true));
	WANT_EQ(kfi_write("new begin\nfilter funclist cpuhp_*_idle* finish_cpu fend\nend"), 0);
	WANT_EQ(kfi_write("start"), 0);
	WANT(set_online(false));
	WANT(set_online(true));
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	WANT_EQ(count_rows(&log, "finish_cpu"), 1);
	WANT_EQ(count_rows(&log, "cpuhp_report_idle_dead"), 0);
	WANT_EQ(count_rows(&log, "cpuhp_online_idle"), 1);
	tl_free(&log);
	return PASS;
}

/* On arm the low half of what a stack counts is stored with another word, and carried later. */
static enum outcome dropped_past_32_bits(void)
{
	const long long pretended = 0xffff0000;
	struct tracelog log;

	TRY(module_load());
	WANT_EQ(kfi_write("new begin filter mintime 5000000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	WANT_EQ(module_command("dropped"), 0);
	sleep_ms(20);
	WANT_EQ(module_command("call 20000"), 0);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	WANT(tl_num(&log, "Calls seen") > pretended + 100000);
	WANT(tl_num(&log, "Calls filtered") > pretended + 50000);
	tl_free(&log);
	return PASS;
}

const struct guest_case context_cases[] = {
	{ "context_module_calls", module_calls },
	{ "context_irq", irq },
	{ "context_softirq", softirq },
	{ "context_softirqs_enabled", softirqs_enabled },
	{ "context_first_in_interrupt", first_in_interrupt },
	{ "context_threaded_irq", threaded },
	{ "context_nmi", nmi },
	{ "context_bh_disabled", bottom_halves_disabled },
	{ "context_cpu_offline", cpu_offline },
	{ "context_workqueue", workqueue },
	{ "context_sleeps", sleeps },
	{ "context_idle", idle },
	{ "context_kthread_returns", thread_returns },
	{ "context_kthread_leaves", thread_leaves },
	{ "context_forks", forks },
	{ "context_dropped_past_32_bits", dropped_past_32_bits },
	{ "context_sum_exec_runtime", sum_exec_runtime },
	{ NULL, NULL },
};
