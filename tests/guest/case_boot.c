// SPDX-License-Identifier: GPL-2.0
/*
 * case_boot.c - what the kernel's command line says of the run of the boot
 *
 * Each case needs words of its own on the command line, from tests/boot/tables: kfi_guest=boot and
 * kfi_case= choose it. Cases whose words do not contradict each other can share a boot. They run in
 * the order of boot_cases[], first those that look at the run of the boot. After boot_oops or a
 * case of boot_bad_* the recorder or the module is of no more use: one of them, as the last.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"
#include "rawlog.h"

static bool has(const char *path, const char *words)
{
	char *text = read_whole_file(path, 0);
	bool yes = text && strstr(text, words);

	free(text);
	return yes;
}

/* The first call of a task. An interrupt may come between the start and the entry that started. */
static const struct tl_row *first_task_row(const struct tracelog *log)
{
	for (size_t i = 0; i < log->nr_rows; i++)
		if (log->rows[i].ctx == 't')
			return &log->rows[i];
	return NULL;
}

/* The run between entry and exit of vfs_caches_init(), whatever is compiled in. */
static enum outcome read_vfs_init_run(struct tracelog *log)
{
	const struct tl_row *first;

	WANT(wait_state("complete"));
	/* It is the only run there was, and nothing was wrong with it. */
	WANT_EQ(kfi_run_id(), 0);
	WANT(!has("/proc/kfi", "error:"));
	WANT(has("/proc/kfi", "  trigger start entry vfs_caches_init\n"));
	WANT(has("/proc/kfi", "  trigger stop exit vfs_caches_init\n"));
	WANT(has("/proc/kfi", "  filter mintime 0\n"));
	TRY(read_log(log));
	WANT(log->nr_rows > 5);
	WANT(symbol("vfs_caches_init"));
	first = first_task_row(log);
	WANT(first && !strcmp(first->func, hex(symbol("vfs_caches_init"))));
	WANT_EQ(first->pid, 0);
	WANT(log->started && strstr(log->started, hex(symbol("vfs_caches_init"))));
	WANT(log->stopped && strstr(log->stopped, hex(symbol("vfs_caches_init"))));
	WANT(!strcmp(tl_text(log, "Clock since"), "start_kernel"));
	return PASS;
}

/* It asks for more than the compiled-in run has room for. */
static enum outcome boot_override(void)
{
	struct tracelog log;

	TRY(read_vfs_init_run(&log));
	WANT(has("/proc/kfi", "  logentries 100000\n"));
	WANT(tl_note(&log, "room for 100000 entries only, 200000 were asked for"));
	return PASS;
}

/* No compiled-in run: armed after setup_arch(), in memory of its own. */
static enum outcome boot_late(void)
{
	struct tracelog log;

	TRY(read_vfs_init_run(&log));
	WANT(has("/proc/kfi", "  logentries 20000\n"));
	WANT(!tl_note(&log, "room for"));
	return PASS;
}

/* A small log is full when it says so, though there is room in the compiled-in one. */
static enum outcome boot_full(void)
{
	struct tracelog log;

	TRY(wait_and_read_log(&log));
	WANT(tl_note(&log, "log full"));
	WANT(log.nr_rows >= 500 && log.nr_rows < 2000);
	return PASS;
}

/* A wrong one is rejected, with the place, and the compiled-in configuration is recorded. */
static enum outcome boot_refused(void)
{
	static const char why[] = "line 1 column 27: unknown function: no_such_function";
	struct tracelog log;
	char line[160];

	snprintf(line, sizeof(line), "error: kfi.conf= on the command line: %s\n", why);
	WANT(has("/proc/kfi", line));
	WANT(has("/proc/kfi", "  trigger start entry start_kernel\n"));
	TRY(wait_and_read_log(&log));
	WANT(tl_note(&log, "kfi.conf= was refused"));
	WANT(tl_note(&log, why));
	WANT(!strcmp(log.rows[0].func, hex(symbol("start_kernel"))));
	return PASS;
}

/* Levels and initcalls of the whole boot are marked; its deepest stack is known. */
static enum outcome boot_marks(void)
{
	static const char * const levels[] = {
		"early", "pure", "core", "postcore", "arch", "subsys", "fs", "device", "late",
	};
	size_t i, level = 0, initcalls = 0, rows = 0;
	uint64_t last = 0;
	struct tracelog log;

	TRY(wait_and_read_log(&log));
	for (i = 0; i < log.nr_events; i++) {
		const struct tl_event *e = &log.events[i];
		char func[20];
		long row = -1;

		WANT_EQ(e->task, 1);
		if (!strcmp(e->kind, "level")) {
			WANT(level < sizeof(levels) / sizeof(*levels));
			WANT(!strcmp(e->args, levels[level]));
			level++;
			continue;
		}
		WANT(!strcmp(e->kind, "initcall") && level);
		initcalls++;
		WANT(sscanf(e->args, "%19s", func) == 1);
		while ((row = tl_find(&log, func, row + 1)) >= 0 && log.rows[row].delta_ns < 0)
			;
		if (row < 0)
			continue;
		/* The mark comes after its return, and before the next one is entered. */
		rows++;
		WANT(e->ns >= log.rows[row].entry_ns + (uint64_t)log.rows[row].delta_ns);
		WANT(log.rows[row].entry_ns >= last);
		last = e->ns;
	}
	WANT_EQ(level, sizeof(levels) / sizeof(*levels));
	WANT(initcalls > 50 && rows > 0);
	WANT(tl_num(&log, "Watch rows") > 10);
	WANT_EQ(tl_num(&log, "Watch rows lost"), 0);
	WANT(tl_text(&log, "Watch lowest"));
	return PASS;
}

/* All calls of the whole boot, in the memory of an ordinary log. */
static enum outcome boot_profile(void)
{
	const struct tl_sum *start;
	struct tracelog log;

	TRY(wait_and_read_log(&log));
	WANT(log.profile);
	start = tl_sum(&log, hex(symbol("start_kernel")));
	WANT(start && !start->count && start->untimed == 1);
	WANT(tl_num(&log, "Calls kept") > 100000);
	WANT(tl_num(&log, "Lost to log full") <= 0);
	WANT_EQ(tl_num(&log, "Total entries filtered"), 0);
	WANT(log.nr_sums > 1000);
	printf("# %lld calls of %zu functions\n", tl_num(&log, "Calls kept"), log.nr_sums);
	return PASS;
}

/* Does the name of each row's function end so? */
static bool all_names_end_with(const struct tracelog *log, const char *tail)
{
	size_t left = log->nr_rows, nr;
	const struct ksym *all;

	all = symbols(&nr);
	for (size_t k = 0; k < nr; k++) {
		size_t len = strlen(all[k].name);

		if (len < strlen(tail) || strcmp(all[k].name + len - strlen(tail), tail))
			continue;
		for (size_t i = 0; i < log->nr_rows; i++)
			left -= !strcmp(log->rows[i].func, hex(all[k].addr));
	}
	return !left;
}

/* Patterns, exclude and only under when there is no memory yet but what is static, or memblock. */
static enum outcome boot_lists(void)
{
	struct tracelog log;
	long from, other;

	TRY(wait_and_read_log(&log));
	WANT(has("/proc/kfi", "  filter funclist vfs_caches_init *_init fend\n"));
	WANT(has("/proc/kfi", "  filter exclude inode_i* module:nothing fend\n"));
	WANT(has("/proc/kfi", "  filter only under mnt_init dcache_init inode_init fend\n"));
	WANT_EQ(count_rows(&log, "mnt_init"), 1);
	WANT_EQ(count_rows(&log, "dcache_init"), 1);
	WANT_EQ(count_rows(&log, "inode_init"), 0);
	WANT_EQ(count_rows(&log, "vfs_caches_init"), 0);
	from = tl_find(&log, hex(symbol("mnt_init")), 0);
	other = tl_find(&log, hex(symbol("shmem_init")), 0);
	WANT(from >= 0 && other > from);
	WANT(log.rows[other].depth == log.rows[from].depth + 1);
	WANT(all_names_end_with(&log, "_init"));
	WANT(tl_num(&log, "Exclude list filter count") >= 1);
	WANT(tl_num(&log, "Under filter count") >= 1);
	WANT(tl_num(&log, "Function List filter count") > 100);
	return PASS;
}

/*
 * The time of a stop trigger counts from the start, also where the rate of the clock was not known
 * then. It is a number of microseconds. The first call after it stops the session: x86 calls
 * nothing for a tenth of a second while it calibrates the APIC's timer.
 */
static enum outcome boot_stop_time(void)
{
	long long began, ended;
	struct tracelog log;

	TRY(wait_and_read_log(&log));
	WANT(strstr(log.stopped, "by time"));
	WANT(sscanf(log.started, "at %lld", &began) == 1);
	WANT(sscanf(log.stopped, "at %lld", &ended) == 1);
	if (ended - began < 3000000 || ended - began > 3150000)
		return because(FAIL, "started at %lld, stopped at %lld", began, ended);
	return PASS;
}

/* init's own system calls, though it was no process yet when the run was armed. */
static enum outcome boot_syscalls(void)
{
	struct tracelog log;
	size_t i, calls = 0;

	for (i = 0; i < 20; i++)
		getppid();
	WANT(!kfi_write("stop") || kfi_state_is("complete"));
	TRY(wait_and_read_log(&log));
	for (i = 0; i < log.nr_events; i++)
		calls += log.events[i].task == 1 && !strcmp(log.events[i].kind, "syscall");
	WANT(calls > 10);
	return PASS;
}

static enum outcome boot_too_late(void)
{
	WANT(has("/proc/kfi", "error: kfi.conf= on the command line: line 1 column 27: "
		 "without a compiled-in run recording begins after setup_arch()\n"));
	WANT(has("/proc/kfi", "No logging run registered\n"));
	/* They were left on for the session. */
	WANT(wait_sites_off());
	return PASS;
}

/* Memory that Linux uses is left alone, and words that are not understood are reported. */
static enum outcome boot_mem_refused(void)
{
	WANT(has("/proc/kfi_last", "kfi.mem= refused: Linux uses this memory: keep it from it with "
		 "memmap=, mem= or reserved-memory\n"));
	WANT(strstr(kernel_log(),
		    "kfi: kfi.dump=oops: not panic,ROWS with ROWS from 1 to 1000 or "));
	return PASS;
}

/* Memory that belongs to something else, here to the firmware's ROM. */
static enum outcome boot_mem_claimed(void)
{
	WANT(has("/proc/kfi_last",
		 "kfi.mem= refused: something else has this memory: /proc/iomem says what\n"));
	return PASS;
}

static bool is_log_sent(void)
{
	return strstr(kernel_log(), "kfi: kfi.dump=console: ");
}

/*
 * The log is sent on the console without any program, then by one. The host compares what came with
 * what is printed here.
 */
static enum outcome boot_console(void)
{
	char *lines;

	WANT(wait_until(is_log_sent));
	WANT(strstr(kernel_log(), " lines are sent\n"));
	print_log("/proc/kfi_raw");
	lines = read_whole_file("/proc/kfi_serial", 0);
	WANT(lines);
	printf("serial:\n%s", lines);
	fflush(stdout);
	free(lines);
	return PASS;
}

/* A run that records one mkdir(). */
static enum outcome record_one_mkdir(void)
{
	struct tracelog log;

	TRY(arm_run("trigger start entry vfs_mkdir trigger stop exit vfs_mkdir"));
	WANT(make_dir());
	WANT(remove_dir());
	TRY(wait_and_read_log(&log));
	WANT(count_rows(&log, "vfs_mkdir") == 1);
	return PASS;
}

static const char *find_note(const struct tracelog *log, const char *begin)
{
	for (size_t i = 0; i < log->nr_head; i++)
		if (!strcmp(log->head[i].name, "Note") &&
		    !strncmp(log->head[i].value, begin, strlen(begin)))
			return log->head[i].value;
	return NULL;
}

/* End the run of the boot. Of how many of 100 calls of it was the frame one of the fast path? */
static enum outcome stop_boot_run(struct tracelog *log, long long *fast)
{
	TRY(module_load());
	WANT_EQ(module_command("fast 100"), 0);
	*fast = module_result("fast", 0);
	TRY(module_unload());
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(log));
	WANT(log->nr_rows > 10);
	return PASS;
}

/*
 * The device tree says that the timer sometimes returns a wrong count. The run of the boot, which
 * has begun before anybody could know, and later ones read it as the kernel does: not on the fast
 * path, which the run had until then.
 */
static enum outcome boot_erratum(void)
{
	struct tracelog log;
	long long fast;

	TRY(stop_boot_run(&log, &fast));
	WANT_EQ(fast, 0);
	WANT(find_note(&log, "the clock is read around its erratum from "));
	WANT(tl_text(&log, "Clock"));
	WANT(!strcmp(tl_text(&log, "Clock"),
		     "generic timer (CNTVCT, read around Freescale erratum a005858)"));
	WANT(!strcmp(tl_text(&log, "Clock since"), "start_kernel"));
	tl_free(&log);
	return record_one_mkdir();
}

/*
 * Entered as a hypervisor, on a CPU on which Linux does not stay one: the offset of the virtual
 * count may be a guest's.
 */
static enum outcome boot_hypervisor(void)
{
	struct tracelog log;
	long long fast;

	TRY(stop_boot_run(&log, &fast));
	/* Each interrupt takes it from the frames that it finds. */
	WANT(fast > 50);
	WANT(!find_note(&log, "the clock is read around"));
	WANT(!strcmp(tl_text(&log, "Clock") ?: "", "generic timer (CNTPCT)"));
	tl_free(&log);
	return record_one_mkdir();
}

/* Nothing is armed, and everything works later. */
static enum outcome boot_off(void)
{
	WANT(has("/proc/kfi", "No logging run registered\n"));
	WANT(has("/proc/kfi", "Note = kfi=off: nothing was armed at boot\n"));
	WANT(has("/proc/kfi_trace", "No logging run registered\n"));
	return record_one_mkdir();
}

/* kfi.sites=on, and nothing armed: they are not touched, before a run or after it. */
static enum outcome boot_sites_on(void)
{
	WANT(has("/proc/kfi", ", on, for ever: kfi.sites=on\n"));
	TRY(record_one_mkdir());
	usleep(200000);
	WANT(has("/proc/kfi", ", on, for ever: kfi.sites=on\n"));
	return PASS;
}

/* kfi.sites=nops: calls only, not what makes their arguments. */
static enum outcome boot_sites_nops(void)
{
	WANT(has("/proc/kfi", ", off\n"));
	TRY(record_one_mkdir());
	WANT(wait_sites_off());
	return PASS;
}

/* Return: the number of rows of @part if all of them are rows of @whole, else -1. */
static int count_common_rows(const char *part, const char *whole)
{
	int nr = 0;

	for (const char *at = part; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		char row[400];

		snprintf(row, sizeof(row), "\n%.*s\n", (int)strcspn(at, "\n"), at);
		if (!strstr(row, " 0x"))
			continue;
		if (!strstr(whole, row)) {
			printf("# not in the log:%s", row);
			return -1;
		}
		nr++;
	}
	return nr;
}

/* How many closed calls returned after @ns? */
static long count_returned_after(const struct tracelog *log, uint64_t ns)
{
	long nr = 0;

	for (size_t i = 0; i < log->nr_rows; i++)
		nr += log->rows[i].delta_ns >= 0 &&
		      log->rows[i].entry_ns + log->rows[i].delta_ns > ns;
	return nr;
}

/* Until a PC has refined what it knows of its clock, the same counts may be other times later. */
static bool clock_is_final(void)
{
	return !has("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc-early");
}

/* Start a run in which a process, *@pid, dies of an oops. */
static enum outcome record_oops(const char *conf, pid_t *pid)
{
	int status;

	TRY(module_load());
	WANT(!kfi_write(conf) && !kfi_write("start"));
	*pid = fork();
	if (!*pid)
		_exit(module_command("oops") ? 1 : 0);
	WANT(waitpid(*pid, &status, 0) == *pid && WIFSIGNALED(status));
	return PASS;
}

/*
 * An oops that the machine survives: what the dump shows are rows of the log, the last to return,
 * and the open ones of the task that did it.
 */
static enum outcome boot_oops(void)
{
	struct tracelog log, dump;
	char *part, *rows, *end;
	uint64_t first = -1;
	pid_t pid;
	long i;

	WANT(wait_until(clock_is_final));
	TRY(record_oops("new begin end", &pid));
	TRY(wait_and_read_log(&log));
	WANT(log.stopped && strstr(log.stopped, "by a crash"));
	i = tl_find(&log, hex(symbol("kfi_test_oops")), 0);
	WANT(i >= 0 && log.rows[i].task == pid && log.rows[i].marks & TL_OPEN);

	part = strstr(kernel_log(), "\nKernel Instrumentation Run");
	WANT(part);
	end = strstr(part, "kfi: end of ");
	rows = strstr(part, "\n--------");
	WANT(end && rows);
	*end++ = '\0';
	WANT_EQ(count_common_rows(rows, read_whole_file("/proc/kfi_trace", 0)),
		atoi(end + strlen("fi: end of ")));
	TRY(parse_and_check_log(&dump, strdup(part), "the dump"));
	i = tl_find(&dump, hex(symbol("kfi_test_oops")), 0);
	WANT(i > 0 && dump.rows[i].task == pid && dump.rows[i].marks & TL_OPEN);
	for (size_t k = 0; k < dump.nr_rows; k++) {
		const struct tl_row *r = &dump.rows[k];

		WANT(!(r->marks & TL_OPEN) || r->task == pid);
		if (r->delta_ns >= 0 && r->entry_ns + r->delta_ns < first)
			first = r->entry_ns + r->delta_ns;
	}
	WANT(count_returned_after(&dump, 0) == 50);
	/* Without this nobody could name it. */
	WANT(tl_text(&dump, "Module") && !strncmp(tl_text(&dump, "Module"), "kfi_test ", 9));
	WANT_EQ(count_returned_after(&dump, first), count_returned_after(&log, first));
	return PASS;
}

/*
 * With kptr_restrict the dump in the kernel log has names: neither an address nor what tells where
 * the kernel lies. /proc/kfi_trace, which only root may read, has addresses.
 */
static enum outcome boot_names_in_dump(void)
{
	int fd = open("/proc/sys/kernel/kptr_restrict", O_WRONLY);
	bool records = is_after_inlining();
	char *part, *end, *trace;
	pid_t pid;

	WANT(fd >= 0 && write(fd, "1", 1) == 1);
	close(fd);
	/* The calls of a tick are more than the dump has rows. */
	TRY(record_oops(!records ? "new begin end" :
			"new begin filter noints record args 4 ret vfs_write ksys_write fend end",
			&pid));
	part = strstr(kernel_log(), "\nKernel Instrumentation Run");
	WANT(part);
	end = strstr(part, "kfi: end of ");
	WANT(end);
	*end = '\0';
	WANT(strstr(part, " kfi_test_oops  "));
	WANT(strstr(part, " kfi_test_write+0x"));
	WANT(!strstr(part, "0xffff"));
	/* Arguments may be addresses. */
	WANT(!records || strstr(part, " args vfs_write "));
	WANT(!records || strstr(part, " ? ? ? ?\n"));
	WANT(!strstr(part, "\nText =") && !strstr(part, "\nKASLR offset ="));
	WANT(!strstr(part, "\nKernel text =") && !strstr(part, "\nModule ="));
	WANT(strstr(part, "\nBuild id ="));
	trace = read_whole_file("/proc/kfi_trace", 0);
	WANT(trace && strstr(trace, "\nText = 0xffff"));
	free(trace);
	return PASS;
}

bool last_boot_left_log(void)
{
	char *text = read_whole_file("/proc/kfi_last", 0);
	bool yes = text && strcmp(text, "The boot before has left nothing\n");

	free(text);
	return yes;
}

/* As hex(symbol(@name)), but of the boot before, whose kernel KASLR may have put elsewhere. */
static const char *last_hex(const struct tracelog *log, const char *name)
{
	const char *text = tl_text(log, "Kernel text");

	return hex(symbol(name) + (text ? strtoul(text, NULL, 16) - symbol("_stext") : 0));
}

/* What the boot before left: nothing of it is damaged, and it can be read more than once. */
static enum outcome read_last_log(struct tracelog *log)
{
	size_t len, len2;
	char why[200], *data = read_whole_bytes("/proc/kfi_last", 1 << 16, &len);
	char *again = read_whole_bytes("/proc/kfi_last", 100, &len2);

	WANT(data && again && len == len2 && !memcmp(data, again, len));
	if (raw_parse(log, data, len, why, sizeof(why)))
		return because(FAIL, "/proc/kfi_last: %s", why);
	free(data);
	free(again);
	WANT_EQ(tl_num(log, "Chunks dropped"), 0);
	WANT_EQ(tl_num(log, "Calls dropped"), 0);
	WANT_EQ(tl_num(log, "Other rows dropped"), 0);
	/* It has been recorded since start_kernel, over and over. */
	WANT(log->started && strstr(log->started, last_hex(log, "start_kernel")));
	return check_parsed_log(log, "/proc/kfi_last");
}

/*
 * What the boot before left when its process 1 ended: the newest calls up to the one in which it
 * died. There are as many as fit, or all that the log had.
 */
static enum outcome boot_last(void)
{
	struct tracelog log;
	struct tl_row *r;
	long i;

	WANT(has("/proc/iomem", " : kfi.mem\n"));
	TRY(read_last_log(&log));
	WANT(log.stopped && strstr(log.stopped, "by a crash"));
	WANT(tl_note(&log, "made in a crash: the newest calls, and those that were open in task 1"));
	WANT(!tl_text(&log, "Chunks missed"));
	/* The open calls of the other tasks, at least. */
	WANT(tl_num(&log, "Calls left out") > 0);
	WANT(tl_num(&log, "Lost to overwriting") > 10000);
	WANT(log.nr_rows > 3000);
	if (has("/proc/cmdline", "kfi.mem=128K"))
		WANT(tl_num(&log, "Calls left out") > 3000);
	else
		WANT(tl_num(&log, "Calls left out") < 1000);
	i = tl_find(&log, last_hex(&log, "panic"), 0);
	WANT(i > 0);
	r = &log.rows[i];
	WANT(r->marks & TL_OPEN && r->task == 1);
	/* It is the deepest, and what panic() itself calls is not in the log. */
	for (size_t k = i + 1; k < log.nr_rows; k++)
		WANT(log.rows[k].task != 1 || log.rows[k].ctx != 't');
	i = tl_find(&log, last_hex(&log, "do_exit"), 0);
	WANT(i >= 0 && tl_find(&log, last_hex(&log, "do_exit"), i + 1) < 0);
	return PASS;
}

/* An oops that the machine has survived: what was recorded until then stays, though it went on. */
static enum outcome boot_oops_last(void)
{
	const char *made = "made in a crash: the newest calls, and those that were open in task ";
	const char *note;
	struct tracelog log;
	size_t open = 0;

	TRY(read_last_log(&log));
	WANT(log.stopped && strstr(log.stopped, "by a crash"));
	note = find_note(&log, made);
	WANT(note);
	WANT(tl_text(&log, "Module") && !strncmp(tl_text(&log, "Module"), "kfi_test ", 9));
	for (size_t i = 0; i < log.nr_rows; i++) {
		const struct tl_row *r = &log.rows[i];

		open += r->marks & TL_OPEN && r->task == atoi(note + strlen(made));
	}
	/* From the system call to the module. */
	WANT(open > 3);
	return PASS;
}

/* A panic in an NMI: all calls of the task that it interrupted are open, and those of the NMI. */
static enum outcome boot_nmi_last(void)
{
	const struct tl_row *top;
	struct tracelog log;
	unsigned int open = 0;
	bool in_write = false;
	long i;

	TRY(read_last_log(&log));
	WANT(log.stopped && strstr(log.stopped, "by a crash"));
	i = tl_find(&log, last_hex(&log, "panic"), 0);
	WANT(i > 0);
	top = &log.rows[i];
	WANT(top->marks & TL_OPEN && top->ctx == 'n');
	for (size_t k = 0; k < log.nr_rows; k++) {
		const struct tl_row *r = &log.rows[k];

		if (r->task != top->task || !(r->marks & TL_OPEN))
			continue;
		WANT_EQ(r->depth, ++open);
		in_write |= r->ctx == 't' && !strcmp(r->func, last_hex(&log, "ksys_write"));
	}
	WANT_EQ(top->depth, open);
	WANT(in_write);
	return PASS;
}

/*
 * A reset of which nothing was told: what was copied until then. The mark shortly before the end is
 * there, and so are calls after it.
 */
static enum outcome boot_reset_last(void)
{
	struct tracelog log;
	unsigned long long until;
	const char *note;
	long mark;

	TRY(read_last_log(&log));
	WANT(!log.stopped);
	note = find_note(&log, "ended by a reset");
	WANT(note && sscanf(note, "ended by a reset: calls that returned after %llu ns",
			    &until) == 1);
	WANT_EQ(tl_num(&log, "Calls seen"), -1);
	mark = tl_find_event(&log, "mark", "before the reset", 0);
	WANT(mark >= 0);
	/* It may be before the mark: a CPU that was idle then has not filled its chunk. */
	WANT(until > 0);
	WANT(count_returned_after(&log, log.events[mark].ns) > 100);
	return PASS;
}

const struct guest_case crash_cases[] = {
	{ "boot_last", boot_last },
	{ "boot_oops_last", boot_oops_last },
	{ "boot_nmi_last", boot_nmi_last },
	{ "boot_reset_last", boot_reset_last },
	{ NULL, NULL },
};

/* The recorder finds a value that cannot be: it is off from then on, and says so once. */
static enum outcome check_bad_state(const char *command, const char *why)
{
	static const char off[] = "kfi: switched off until the next boot: ";
	char line[160], *log, *text;

	TRY(module_load());
	WANT_EQ(kfi_write("new begin end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	WANT_EQ(module_command("call 3"), 0);
	WANT_EQ(module_command(command), 0);
	WANT(wait_state("complete"));
	snprintf(line, sizeof(line), "%s%s\n", off, why);
	log = kernel_log();
	WANT(strstr(log, line));
	WANT(!strstr(strstr(log, off) + 1, off));
	/* Nothing is recorded any more, what there is can be read. */
	WANT_EQ(kfi_write("new begin end"), -EIO);
	WANT_EQ(kfi_write("prime"), -EIO);
	WANT(has("/proc/kfi", "error: line 1 column 1: switched off in a bad state, until the next boot\n"));
	text = read_whole_file("/proc/kfi_trace", 0);
	WANT(text);
	WANT(strstr(text, "usec by a bad state\n"));
	WANT(strstr(text, "Note = switched off in a bad state, until the next boot: "));
	WANT_EQ(module_command("call 100"), 0);
	TRY(module_unload());
	for (int i = 0; i < 20; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
	log = kernel_log();
	WANT(!strstr(strstr(log, off) + 1, off));
	WANT(!strstr(log, "WARNING: ") && !strstr(log, "BUG: "));
	return PASS;
}

static enum outcome boot_bad_above(void)
{
	return check_bad_state("bad 1", "the top of a shadow stack is not in it");
}

static enum outcome boot_bad_below(void)
{
	return check_bad_state("bad 2", "the top of a shadow stack is not in it");
}

static enum outcome boot_bad_chunk(void)
{
	return check_bad_state("bad 3", "a negative number of words is used of a chunk");
}

/* lockdown=confidentiality. The run of the boot is recorded, and nobody sees it. */
static enum outcome boot_lockdown(void)
{
	return check_root_is_refused();
}

const struct guest_case boot_cases[] = {
	{ "boot_lockdown", boot_lockdown },
	{ "boot_override", boot_override },
	{ "boot_selftest", check_selftest_passed },
	{ "boot_late", boot_late },
	{ "boot_full", boot_full },
	{ "boot_refused", boot_refused },
	{ "boot_marks", boot_marks },
	{ "boot_lists", boot_lists },
	{ "boot_profile", boot_profile },
	{ "boot_stop_time", boot_stop_time },
	{ "boot_syscalls", boot_syscalls },
	{ "boot_too_late", boot_too_late },
	{ "boot_mem_refused", boot_mem_refused },
	{ "boot_mem_claimed", boot_mem_claimed },
	{ "boot_console", boot_console },
	{ "boot_erratum", boot_erratum },
	{ "boot_hypervisor", boot_hypervisor },
	{ "boot_off", boot_off },
	{ "boot_sites_on", boot_sites_on },
	{ "boot_sites_nops", boot_sites_nops },
	{ "boot_oops", boot_oops },
	{ "boot_names_in_dump", boot_names_in_dump },
	{ "boot_bad_above", boot_bad_above },
	{ "boot_bad_below", boot_bad_below },
	{ "boot_bad_chunk", boot_bad_chunk },
	{ NULL, NULL },
};
