// SPDX-License-Identifier: GPL-2.0
/*
 * case_mark.c - what stands between the calls: texts, switches, initcalls, system calls
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

#define ONLY_MARKS	"filter funclist vfs_mkdir\n"

static char *read_status(void)
{
	return read_whole_file("/proc/kfi", 0);
}

static enum outcome start_run(const char *items)
{
	char text[300];

	snprintf(text, sizeof(text), "new begin\n%s\nend\n", items);
	WANT_EQ(kfi_write(text), 0);
	WANT_EQ(kfi_write("start"), 0);
	return PASS;
}

static enum outcome stop_run(struct tracelog *log)
{
	kfi_write("stop");
	return wait_and_read_log(log);
}

/* A text is taken while a run is triggered, and only then; it stands where it was written. */
static enum outcome text(void)
{
	static const char long_text[] = "mark "
		"0123456789012345678901234567890123456789012345678901234567890123456789012345678\t";
	struct tracelog log;
	char *why;
	long i, dir;

	WANT_EQ(kfi_write("new begin " ONLY_MARKS "end"), 0);
	WANT_EQ(kfi_write("mark early"), -EBUSY);
	why = read_status();
	WANT(why && strstr(why, "no log is being recorded"));
	free(why);
	WANT_EQ(kfi_write("prime"), 0);
	WANT_EQ(kfi_write("mark early"), -EBUSY);
	WANT_EQ(kfi_write("start"), 0);
	WANT_EQ(kfi_write("mark before the call  # 1\n"), 0);
	WANT(make_dir());
	WANT_EQ(kfi_write("mark after"), 0);
	WANT_EQ(kfi_write(long_text), 0);
	remove_dir();
	WANT_EQ(kfi_write("stop"), 0);
	WANT_EQ(kfi_write("mark late"), -EBUSY);
	TRY(wait_and_read_log(&log));
	WANT_EQ(log.nr_events, 3);
	WANT_EQ(tl_num(&log, "Marks kept"), 3);
	WANT_EQ(tl_num(&log, "Marks lost"), 0);
	WANT_EQ(log.nr_rows, 1);
	dir = tl_find(&log, hex(symbol("vfs_mkdir")), 0);
	WANT_EQ(dir, 0);
	WANT_EQ(log.events[0].row, 0);
	WANT_EQ(log.events[1].row, 1);
	for (i = 0; i < 3; i++) {
		WANT(!strcmp(log.events[i].kind, "mark"));
		WANT_EQ(log.events[i].task, getpid());
		WANT_EQ(log.events[i].ctx, 't');
		WANT(log.events[i].ns > 0);
	}
	WANT(!strcmp(log.events[0].args, "before the call  # 1"));
	WANT(!strcmp(log.events[1].args, "after"));
	WANT(strlen(log.events[2].args) == 79);
	return PASS;
}

/* A profile has no lines: what is told there changes nothing, and does not end it. */
static enum outcome profile(void)
{
	struct tracelog log;

	TRY(module_load());
	TRY(start_run("profile"));
	WANT_EQ(kfi_write("mark in a profile"), -EBUSY);
	WANT_EQ(module_command("mark"), 0);
	WANT(!kfi_state_is("complete"));
	TRY(stop_run(&log));
	WANT(tl_num(&log, "Calls kept") > 100);
	WANT_EQ(tl_num(&log, "Marks kept"), 0);
	WANT_EQ(tl_num(&log, "Marks lost"), 0);
	return module_unload();
}

/* Two processes on one cpu that hand a byte to and fro are switched. */
static void ping_pong(int rounds)
{
	int to[2], fro[2];
	char c = 0;

	use_cpu(0);
	if (pipe(to) || pipe(fro))
		return;
	if (!fork()) {
		while (rounds-- && read(to[0], &c, 1) == 1 && write(fro[1], &c, 1) == 1)
			;
		_exit(0);
	}
	while (rounds-- && write(to[1], &c, 1) == 1 && read(fro[0], &c, 1) == 1)
		;
	wait(NULL);
	close(to[0]);
	close(to[1]);
	close(fro[0]);
	close(fro[1]);
}

/* What each cpu switches to is what it switches from next: no switch is missing. */
static enum outcome switches(void)
{
	static int next[64];
	struct tracelog log;
	int mine = 0;
	size_t i;

	TRY(start_run("mark switches\n" ONLY_MARKS "logentries 20000"));
	ping_pong(20);
	TRY(stop_run(&log));
	WANT_EQ(tl_num(&log, "Marks lost"), 0);
	for (i = 0; i < 64; i++)
		next[i] = -1;
	for (i = 0; i < log.nr_events; i++) {
		const struct tl_event *e = &log.events[i];
		char *name;
		long to = strtol(e->args, &name, 10);

		WANT(!strcmp(e->kind, "switch") || !strcmp(e->kind, "preempt"));
		WANT(e->cpu < 64 && *name == ' ' && name[1]);
		if (next[e->cpu] != -1 && next[e->cpu] != e->task)
			return because(FAIL, "mark %zu: cpu %d goes from %d, but went to %d", i,
				       e->cpu, e->task, next[e->cpu]);
		next[e->cpu] = to;
		if (to == getpid()) {
			mine++;
			WANT(!strcmp(name + 1, "init"));
		}
	}
	WANT(mine >= 20);
	return PASS;
}

/* The state of a task between its switches and wake-ups. */
struct sleeper {
	enum { UNKNOWN, RUNS, BLOCKED, PREEMPTED } state;
	int woken_before;	/* since it was switched in */
	int woken_after;	/* since it was switched out */
};

/* Return: is there a reason for the task to run again? One wake-up for each time it slept. */
static bool may_run(const struct sleeper *s)
{
	if (s->state == BLOCKED)
		return s->woken_after == 1 || (!s->woken_after && s->woken_before);
	/* One that was preempted on its way to sleep may be woken as well. */
	return s->state != RUNS;
}

/* All switches of all tasks but the idle ones. */
static enum outcome check_switches(const struct tracelog *log, int max)
{
	struct sleeper *tasks = calloc(max, sizeof(*tasks)), woken = { 0 };
	long slept = 0, bad = -1;
	size_t i;

	WANT(tasks);
	for (i = 0; i < log->nr_events && bad < 0; i++) {
		const struct tl_event *e = &log->events[i];
		int to = atoi(e->args);
		bool blocks = !strcmp(e->kind, "switch");

		if (!strcmp(e->kind, "wakeup") && to < max)
			(*(tasks[to].state == RUNS ? &tasks[to].woken_before :
			   &tasks[to].woken_after))++;
		if (!blocks && strcmp(e->kind, "preempt"))
			continue;
		if (e->task < max) {
			/* It ran before the log began, and may have been woken before, too. */
			if (tasks[e->task].state == UNKNOWN)
				tasks[e->task] = (struct sleeper) { .woken_before = 1 };
			tasks[e->task].state = blocks ? BLOCKED : PREEMPTED;
		}
		if (to >= max)
			continue;
		slept += to && tasks[to].state == BLOCKED;
		if (to && tasks[to].state != UNKNOWN && !may_run(&tasks[to])) {
			bad = i;
			woken = tasks[to];
		}
		tasks[to] = (struct sleeper) { .state = RUNS };
	}
	free(tasks);
	if (bad >= 0)
		return because(FAIL, "mark %ld, %s %s: woken %d times before it slept, %d times after",
			       bad, log->events[bad].kind, log->events[bad].args,
			       woken.woken_before, woken.woken_after);
	WANT(slept >= 5);
	return PASS;
}

/* Is a function among those of a wake-up? */
static bool has_func(const struct tl_event *e, const char *func)
{
	return strstr(e->args, func) != NULL;
}

/* A thread that sleeps is made, and woken by a known function; a program is executed. */
static enum outcome wakeups(void)
{
	struct tracelog log;
	char pid[24], func[24], *after;
	int sleeper, child, woken = 0, slept = 0;
	long i, made, new_child, exec;

	TRY(module_load());
	TRY(start_run("mark switches wakeups\n" ONLY_MARKS "logentries 40000"));
	WANT_EQ(module_command("wake 5"), 0);
	sleeper = module_result("pid", 0);
	child = fork();
	if (!child) {
		execl("/bin/busybox", "true", NULL);
		_exit(1);
	}
	waitpid(child, NULL, 0);
	TRY(stop_run(&log));
	WANT_EQ(tl_num(&log, "Marks lost"), 0);
	WANT(sleeper > 0 && child > 0);

	/* Made by kthreadd, before it is switched to. */
	snprintf(pid, sizeof(pid), "%d ", sleeper);
	snprintf(func, sizeof(func), "%s", hex(symbol("kfi_test_wake")));
	made = tl_find_event(&log, "new", pid, 0);
	WANT(made >= 0 && !strncmp(log.events[made].args, pid, strlen(pid)));
	WANT_EQ(log.events[made].task, 2);
	for (i = 0; i < (long)log.nr_events; i++) {
		const struct tl_event *e = &log.events[i];
		bool blocks = !strcmp(e->kind, "switch");

		if (e->task == sleeper || ((blocks || !strcmp(e->kind, "preempt")) &&
					   atoi(e->args) == sleeper))
			WANT(i > made);
		slept += e->task == sleeper && blocks;
		if (strcmp(e->kind, "wakeup") || strtol(e->args, &after, 10) != sleeper)
			continue;
		if (!has_func(e, func))
			continue;
		/* By this process, and the innermost function comes first. */
		WANT_EQ(e->task, getpid());
		WANT_EQ(e->ctx, 't');
		WANT(strncmp(after + 1, func, strlen(func)) != 0);
		woken++;
	}
	WANT_EQ(woken, 5);
	WANT(slept >= 5);

	snprintf(pid, sizeof(pid), "%d ", child);
	new_child = tl_find_event(&log, "new", pid, 0);
	WANT(new_child >= 0);
	WANT_EQ(log.events[new_child].task, getpid());
	exec = tl_find_event(&log, "exec", "busybox", 0);
	WANT(exec > new_child);
	WANT_EQ(log.events[exec].task, child);
	WANT(!strcmp(log.events[exec].args, "busybox"));
	TRY(check_switches(&log, 32768));
	return module_unload();
}

/* One that spins is preempted by one that sleeps now and then, and blocks each time. */
static enum outcome preempted(void)
{
	struct sched_param high = { .sched_priority = 1 };
	int sleeper, spinner = 0, i, preempts = 0, blocks = 0;
	struct tracelog log;
	size_t n;

	use_cpu(0);
	TRY(start_run("mark switches wakeups\n" ONLY_MARKS "logentries 40000"));
	spinner = fork();
	if (!spinner)
		for (;;)
			;
	sleeper = fork();
	if (!sleeper) {
		if (sched_setscheduler(0, SCHED_FIFO, &high))
			_exit(1);
		for (i = 0; i < 5; i++)
			usleep(20000);
		_exit(0);
	}
	waitpid(sleeper, &i, 0);
	kill(spinner, SIGKILL);
	waitpid(spinner, NULL, 0);
	TRY(stop_run(&log));
	WANT_EQ(i, 0);
	WANT_EQ(tl_num(&log, "Marks lost"), 0);
	for (n = 0; n < log.nr_events; n++) {
		const struct tl_event *e = &log.events[n];

		/* It never sleeps: the last switch is its death. */
		if (e->task == spinner && !strcmp(e->kind, "preempt"))
			preempts++;
		if (e->task == spinner && !strcmp(e->kind, "switch"))
			blocks++;
		WANT(blocks <= 1 && (e->task != spinner || strcmp(e->kind, "preempt") || !blocks));
	}
	WANT(preempts >= 5);
	/* Its last switch is later than waitpid(), if that preempts it while it dies. */
	blocks = 0;
	for (n = 0; n < log.nr_events; n++)
		blocks += log.events[n].task == sleeper && !strcmp(log.events[n].kind, "switch");
	WANT(blocks >= 6);
	return check_switches(&log, 32768);
}

#define NO_SYSCALLS	"system calls cannot be marked on this architecture"

/* A task's system calls come and return in turn, with their numbers and values. */
static enum outcome syscalls(void)
{
	struct tracelog log;
	char nr[20];
	int calls = 0, errors = 0;
	size_t i;

	TRY(start_run("mark syscalls\n" ONLY_MARKS "logentries 20000"));
	for (i = 0; i < 10; i++) {
		syscall(SYS_getppid);
		syscall(SYS_close, -1);
	}
	TRY(stop_run(&log));
	WANT_EQ(tl_note(&log, NO_SYSCALLS), !can_mark_syscalls());
	if (!can_mark_syscalls())
		return because(SKIP, NO_SYSCALLS);
	WANT_EQ(tl_num(&log, "Marks lost"), 0);
	for (i = 0; i + 1 < log.nr_events; i++) {
		const struct tl_event *e = &log.events[i], *ret = e + 1;

		if (e->task != getpid() || strcmp(e->kind, "syscall"))
			continue;
		while (ret < log.events + log.nr_events && ret->task != e->task)
			ret++;
		if (ret == log.events + log.nr_events)
			break;
		WANT(!strcmp(ret->kind, "sysret"));
		snprintf(nr, sizeof(nr), "%d", SYS_getppid);
		if (!strcmp(e->args, nr)) {
			WANT_EQ(atoi(ret->args), getppid());
			calls++;
		}
		snprintf(nr, sizeof(nr), "%d", SYS_close);
		if (!strcmp(e->args, nr) && atoi(ret->args) == -EBADF)
			errors++;
	}
	WANT_EQ(calls, 10);
	WANT_EQ(errors, 10);
	tl_free(&log);

	/* A run that does not ask for them has none, though this task was just told. */
	TRY(start_run(ONLY_MARKS));
	syscall(SYS_getppid);
	TRY(stop_run(&log));
	WANT_EQ(log.nr_events, 0);
	return PASS;
}

/* Calls of the slow path that this task's system calls take, with a run of these items. */
static enum outcome slow_calls(const char *items, long *nr)
{
	struct tracelog log;
	char text[200];
	size_t i;

	snprintf(text, sizeof(text), "new begin\n%s\nfilter funclist syscall_trace_enter\nend\n",
		 items);
	if (kfi_write(text))
		return because(SKIP, "syscall_trace_enter() is not there");
	WANT_EQ(kfi_write("start"), 0);
	for (i = 0; i < 10; i++)
		syscall(SYS_getppid);
	TRY(stop_run(&log));
	*nr = 0;
	for (i = 0; i < log.nr_rows; i++)
		*nr += log.rows[i].task == getpid() && log.rows[i].ctx == 't';
	tl_free(&log);
	return PASS;
}

/* Without such a session system calls take the kernel's fast path again. */
static enum outcome fast_path_restored(void)
{
	long nr;

	if (is_user_mode_linux())
		return because(SKIP, "um has no fast path of system calls");
	TRY(slow_calls("mark syscalls", &nr));
	if (!nr)
		return because(SKIP, "syscall_trace_enter() is not instrumented");
	WANT(nr >= 10);
	/* The run has been collected; this is the first system call after it. */
	syscall(SYS_getppid);
	TRY(slow_calls("", &nr));
	WANT_EQ(nr, 0);
	return PASS;
}

/* Forked by whom, and wherever it runs: its system calls are seen from the first on. */
static enum outcome forked(void)
{
	struct tracelog log;
	int status_of, ids[8], n;
	char nr[20];
	long i;

	if (!can_mark_syscalls())
		return because(SKIP, NO_SYSCALLS);
	TRY(start_run("mark syscalls\n" ONLY_MARKS "logentries 20000"));
	for (n = 0; n < 8; n++) {
		ids[n] = fork();
		if (!ids[n]) {
			syscall(SYS_getppid);
			_exit(0);
		}
	}
	while (wait(&status_of) > 0)
		;
	TRY(stop_run(&log));
	snprintf(nr, sizeof(nr), "%d", SYS_getppid);
	for (n = 0; n < 8; n++) {
		for (i = -1; (i = tl_find_event(&log, "syscall", nr, i + 1)) >= 0;)
			if (log.events[i].task == ids[n])
				break;
		if (i < 0)
			return because(FAIL, "child %d: no system call of %d", n, ids[n]);
	}
	return PASS;
}

/* A module's init function is an initcall. */
static enum outcome initcalls(void)
{
	struct tracelog log;
	long i;

	TRY(module_load());
	TRY(module_unload());
	TRY(start_run("mark initcalls\n" ONLY_MARKS));
	TRY(module_load());
	TRY(stop_run(&log));
	TRY(module_unload());
	i = tl_find_event(&log, "initcall", "0x", 0);
	WANT(i >= 0);
	WANT(!strcmp(strchr(log.events[i].args, ' '), " 0"));
	return PASS;
}

/* kfi_mark() of any context: here of a module's task, timer, tasklet and NMI. */
static enum outcome all_contexts(void)
{
	static const struct {
		const char *text;
		char ctx;
	} marks[] = {
		{ "kfi_test in a task???", 't' }, { "kfi_test in an interrupt", 'h' },
		{ "kfi_test in a softirq", 's' }, { "kfi_test in an nmi", 'n' },
	};
	const struct tl_event *e;
	const struct tl_row *victim;
	struct tracelog log;
	size_t i;
	int nmi;

	TRY(module_load());
	TRY(start_run("filter funclist kfi_test_victim\nlogentries 20000"));
	WANT_EQ(module_command("mark"), 0);
	TRY(victim_interrupted());
	/* None may come in time where the machine is emulated, and the host busy. */
	nmi = module_command("nmi 50") ? 0 : module_result("nmis", 0);
	TRY(stop_run(&log));
	for (i = 0; i < sizeof(marks) / sizeof(*marks) - !nmi; i++) {
		long at = tl_find_event(&log, "mark", marks[i].text, 0);

		if (at < 0)
			return because(FAIL, "no mark \"%s\"", marks[i].text);
		WANT(!strcmp(log.events[at].args, marks[i].text));
		WANT_EQ(log.events[at].ctx, marks[i].ctx);
	}
	/* The timer's came while the victim was busy: 2 ms after its entry at the earliest. */
	e = &log.events[tl_find_event(&log, "mark", marks[1].text, 0)];
	WANT(e->row > 0);
	victim = &log.rows[e->row - 1];
	WANT_EQ(e->task, victim->task);
	WANT(e->ns > victim->entry_ns + 2000000);
	WANT(e->ns < victim->entry_ns + (uint64_t)victim->delta_ns);
	for (i = 0; i < log.nr_events; i++)
		nmi -= log.events[i].ctx == 'n';
	WANT_EQ(nmi, 0);
	return module_unload();
}

/* Marks take half of a log. Each that does not fit is counted, and ends nothing. */
static enum outcome full(void)
{
	struct tracelog log;
	int i;

	if (!can_mark_syscalls())
		return because(SKIP, NO_SYSCALLS);
	TRY(start_run("mark syscalls\n" ONLY_MARKS "logentries 1000"));
	for (i = 0; i < 2000; i++)
		syscall(SYS_getppid);
	WANT(!kfi_state_is("complete"));
	WANT(make_dir());
	remove_dir();
	TRY(stop_run(&log));
	WANT(strstr(log.stopped, "user"));
	WANT(log.nr_events > 50);
	WANT(tl_num(&log, "Marks lost") >= 1);
	WANT(tl_find(&log, hex(symbol("vfs_mkdir")), 0) >= 0);
	TRY(lost_nothing(&log, NULL));
	WANT(tl_note(&log, "marks took half of the log"));
	return PASS;
}

/* Return true if the @i-th word of a mark, from 0, is an address up to 512 bytes behind @func. */
static bool is_call_from(const struct tl_event *e, int i, const char *func)
{
	unsigned long addr = 0;
	const char *at = e->args;
	char *end = NULL;

	for (; i >= 0; i--, at = end)
		addr = strtoul(at, &end, 16);
	return end != e->args && addr - symbol(func) < 512;
}

/* Return how many words a mark has. */
static int count_words(const struct tl_event *e)
{
	int n = *e->args != 0;

	for (const char *at = e->args; *at; at++)
		n += *at == ' ';
	return n;
}

/* By what the functions of both triggers were called, from before the session, too. */
static enum outcome called_by(void)
{
	const char *outer, *inner;
	struct tracelog log;
	long start, stop;

	TRY(module_load());
	outer = hex(symbol("kfi_test_outer"));
	inner = hex(symbol("kfi_test_inner"));
	TRY(arm_run("trigger start entry kfi_test_outer trigger stop entry kfi_test_inner\n"
		    "mark callers\n" ONLY_MARKS));
	WANT_EQ(module_command("call 1"), 0);
	TRY(wait_and_read_log(&log));
	start = tl_find_event(&log, "callers", outer, 0);
	stop = tl_find_event(&log, "callers", inner, 0);
	WANT(start >= 0 && stop > start);
	WANT_EQ(log.events[start].task, getpid());
	WANT_EQ(log.events[start].ns, 0);
	WANT(is_call_from(&log.events[start], 1, "kfi_test_calls"));
	WANT(is_call_from(&log.events[stop], 1, "kfi_test_middle"));
	/* Without frame pointers only the call site is known. */
	WANT_EQ(module_command("frames"), 0);
	if (module_result("frames", 0)) {
		WANT_EQ(count_words(&log.events[start]), 9);
		WANT(is_call_from(&log.events[stop], 2, "kfi_test_outer"));
		WANT(is_call_from(&log.events[stop], 3, "kfi_test_calls"));
	} else {
		WANT_EQ(log.nr_events, 2);
		WANT_EQ(count_words(&log.events[start]), 2);
	}
	return module_unload();
}

const struct guest_case mark_cases[] = {
	{ "mark_text", text },
	{ "mark_profile", profile },
	{ "mark_switches", switches },
	{ "mark_wakeups", wakeups },
	{ "mark_preempted", preempted },
	{ "mark_syscalls", syscalls },
	{ "mark_fast_path_restored", fast_path_restored },
	{ "mark_forked", forked },
	{ "mark_initcalls", initcalls },
	{ "mark_all_contexts", all_contexts },
	{ "mark_full", full },
	{ "mark_callers", called_by },
	{ NULL, NULL },
};
