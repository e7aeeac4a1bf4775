// SPDX-License-Identifier: GPL-2.0
/*
 * stress.c - everything that can be done to the recorder, at once, for a while
 *
 * A process for each thing: texts for /proc/kfi, reading logs and judging them, random system
 * calls, a module that comes and goes, cpus that do, forks. One looks through the kernel's log for
 * reports. Afterwards no memory must be missing, and each log that was read was exact.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"
#include "rawlog.h"
#include "stress.h"

/* A process that ends later than this after it was told to hangs. */
#define HANG_SECONDS	240

/* By this much the free memory may shrink from the first part to the second: 1 MiB. */
#define MEMORY_SLACK_KB	1024

#define LOG_BEGIN	"\nKernel Instrumentation Run ID "

/* What the processes share. */
static struct shared {
	volatile int stop;
	int failed;
	char why[300];
	unsigned long long calls;
	unsigned long accepted, rejected, started, logs, snapshots, raw, streams, syscalls;
	unsigned long modules, offline, forks, reports;
} *shared;

static void increment(unsigned long *what)
{
	__atomic_add_fetch(what, 1, __ATOMIC_RELAXED);
}

/* Stop everything. The first reason is kept. */
static void fail(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

static void fail(const char *fmt, ...)
{
	va_list ap;

	if (__atomic_exchange_n(&shared->failed, 1, __ATOMIC_SEQ_CST))
		return;
	va_start(ap, fmt);
	vsnprintf(shared->why, sizeof(shared->why), fmt, ap);
	va_end(ap);
	shared->stop = 1;
}

/* ---- the processes: each does one thing until it is told to stop ---- */

/* Return: may a write be rejected with this error? */
static bool is_expected_error(int err)
{
	return err == EINVAL || err == ENOENT || err == EBUSY || err == E2BIG || err == ENOMEM ||
	       err == EOPNOTSUPP;
}

static void write_texts(void)
{
	static char text[STRESS_TEXT_MAX];
	size_t len = stress_text(text);
	int ret = kfi_write_n(text, len);

	if (!ret)
		increment(&shared->accepted);
	else if (is_expected_error(-ret))
		increment(&shared->rejected);
	else
		fail("a write of %zu bytes: errno %d: %.60s", len, -ret, text);
	if (!ret && !strncmp(text, "start", 5))
		increment(&shared->started);
	sleep_ms(rnd(rnd(4) ? 10 : 150));
}

/* A run that has not started has only a header, which is not checked. */
static void check_log(const struct tracelog *log, const char *what)
{
	if ((log->started || log->nr_rows) && tl_check(log, stdout))
		fail("%s is wrong: see the console", what);
}

static void check_log_text(char *text)
{
	struct tracelog log;
	char why[200];

	if (tl_parse(&log, text, why, sizeof(why))) {
		fail("a log: %s", why);
		return;
	}
	check_log(&log, "a log");
	__atomic_add_fetch(&shared->calls, tl_num(&log, "Calls seen") > 0 ?
			   tl_num(&log, "Calls seen") : 0, __ATOMIC_RELAXED);
	if (log.started)
		increment(log.running ? &shared->snapshots : &shared->logs);
	tl_free(&log);
}

static void read_text(void)
{
	char *text = read_whole_file("/proc/kfi_trace", rnd(3) ? 0 : rnd(5000) + 1), *at, *next;

	free(read_whole_file("/proc/kfi", rnd(2) ? 0 : rnd(100) + 1));
	if (!text && errno != ENOMEM && errno != EAGAIN)
		fail("/proc/kfi_trace: %s", strerror(errno));
	for (at = text ? strstr(text, LOG_BEGIN) : NULL; at; at = next) {
		next = strstr(at + 1, LOG_BEGIN);
		check_log_text(next ? strndup(at, next - at) : strdup(at));
	}
	free(text);
	sleep_ms(rnd(30));
}

/* What a process reads. One for all: each of its pages is copied at each fork of any case. */
static char data[8 << 20];

static void check_raw_log(size_t len, const char *what)
{
	struct tracelog log;
	char why[200];

	if (raw_parse(&log, data, len, why, sizeof(why))) {
		fail("%s: %s", what, why);
		return;
	}
	check_log(&log, what);
	tl_free(&log);
}

/* A file with one log in it is judged; several are only read. */
static void read_raw(void)
{
	size_t len = 0, most = rnd(2) ? sizeof(data) : rnd(9000) + 1, left;
	int fd = open("/proc/kfi_raw", O_RDONLY), err;
	char *begin;
	ssize_t n;

	if (fd < 0 && errno != ENOMEM && errno != EAGAIN)
		fail("/proc/kfi_raw: %s", strerror(errno));
	if (fd < 0)
		return;
	do {
		left = sizeof(data) - len;
		n = read(fd, data + len, left < most ? left : most);
		len += n > 0 ? n : 0;
	} while (n > 0);
	err = errno;
	close(fd);
	if (n < 0) {
		fail("reading /proc/kfi_raw: %s", strerror(err));
		return;
	}
	increment(&shared->raw);
	begin = memmem(data, len, LOG_BEGIN + 1, strlen(LOG_BEGIN) - 1);
	if (!begin || len == sizeof(data) ||
	    memmem(begin + 1, data + len - begin - 1, LOG_BEGIN + 1, strlen(LOG_BEGIN) - 1))
		return;
	check_raw_log(len, "a raw log");
	sleep_ms(rnd(50));
}

/* Until the session is over, or for a while. A stream that came to its end is judged. */
static void read_stream(void)
{
	int fd = open("/proc/kfi_pipe", O_RDONLY | (rnd(2) ? O_NONBLOCK : 0));
	size_t len = 0, most = rnd(2) ? sizeof(data) : rnd(9000) + 1, left;
	long long end = uptime_ms() + rnd(2000);
	ssize_t n;

	if (fd < 0) {
		if (errno != ENODATA && errno != EOPNOTSUPP && errno != ENOMEM && errno != EAGAIN)
			fail("/proc/kfi_pipe: %s", strerror(errno));
		sleep_ms(rnd(20));
		return;
	}
	do {
		left = sizeof(data) - len;
		n = read(fd, data + len, left < most ? left : most);
		len += n > 0 ? n : 0;
		if (n < 0 && errno == EAGAIN)
			sleep_ms(10);
		else if (n < 0 && errno != ENOMEM)
			fail("reading /proc/kfi_pipe: %s", strerror(errno));
	} while (n && len < sizeof(data) && uptime_ms() < end && !shared->stop);
	close(fd);
	if (n || !len)
		return;
	check_raw_log(len, "a stream");
	increment(&shared->streams);
}

static void read_serial(void)
{
	int fd = open("/proc/kfi_serial", O_RDONLY), pieces = rnd(400);
	ssize_t n;

	if (fd < 0) {
		if (errno != ENOMEM && errno != EAGAIN)
			fail("/proc/kfi_serial: %s", strerror(errno));
		return;
	}
	while ((n = read(fd, data, 3000)) > 0 && pieces--)
		;
	if (n < 0 && errno != ENOMEM && errno != EIO)
		fail("reading /proc/kfi_serial: %s", strerror(errno));
	close(fd);
	sleep_ms(rnd(200));
}

static void make_random_calls(void)
{
	__atomic_add_fetch(&shared->syscalls, stress_calls(), __ATOMIC_RELAXED);
	sleep_ms(rnd(5));
}

static void load_module(void)
{
	static const char * const commands[] = {
		"call 300", "irq", "softirq", "mark", "work", "leaves", "returns", "flood 20",
		"msleep 3",
	};
	enum outcome out = module_load();

	if (out == SKIP) {
		sleep_ms(1000);
		return;
	}
	for (int i = rnd(3); out == PASS && i; i--)
		module_command(commands[rnd(sizeof(commands) / sizeof(*commands))]);
	if (out == PASS)
		out = module_unload();
	if (out != PASS)
		fail("kfi_test.ko does not come or go");
	increment(&shared->modules);
	sleep_ms(rnd(100));
}

static bool set_cpu(int cpu, const char *on)
{
	char path[80];
	int fd;
	bool done;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	fd = open(path, O_WRONLY);
	done = fd >= 0 && write(fd, on, 1) == 1;
	if (fd >= 0)
		close(fd);
	return done;
}

static void online_all_cpus(void)
{
	for (int cpu = 1; cpu < sysconf(_SC_NPROCESSORS_CONF); cpu++)
		set_cpu(cpu, "1");
}

static void toggle_cpus(void)
{
	int cpu = 1 + rnd(3);

	if (set_cpu(cpu, "0"))
		increment(&shared->offline);
	sleep_ms(rnd(200));
	if (rnd(3))
		set_cpu(cpu, "1");
	else
		set_cpu(1 + rnd(3), "1");
	sleep_ms(rnd(400));
}

/* Up to forty children at once. */
static void fork_many(void)
{
	int n = rnd(40) + 1, i;

	for (i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid < 0)
			break;
		increment(&shared->forks);
		if (!pid) {
			char dir[40];

			snprintf(dir, sizeof(dir), "/tmp/d%d", getpid());
			mkdir(dir, 0755);
			free(read_whole_file("/proc/meminfo", 0));
			rmdir(dir);
			if (rnd(4) == 0)
				raise(SIGKILL);
			_exit(0);
		}
		rnd(2);
	}
	while (wait(NULL) > 0)
		;
	sleep_ms(rnd(100));
}

static bool is_kernel_report(const char *line)
{
	static const char * const signs[] = {
		"WARNING: ", "BUG: ", "INFO: task ", "INFO: trying to register", "Oops",
		"general protection fault", "page allocation failure", "suspected memory leaks",
		"possible recursive locking", "possible circular locking", "suspicious RCU",
		"inconsistent lock state", "Bad page state", "invoked oom-killer", "UBSAN: ",
	};

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (strstr(line, signs[i]))
			return true;
	return false;
}

/*
 * The kernel does not show its messages on the console in this time: there are too many of rejected
 * texts. This shows a report, and the lines after it.
 */
static void watch_log(void)
{
	static int fd = -1, show;
	char line[2000], *text;
	ssize_t n;

	if (fd < 0)
		fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	while (fd >= 0 && ((n = read(fd, line, sizeof(line) - 1)) > 0 || errno == EPIPE)) {
		if (n < 0) {
			printf("stress: messages were lost\n");
			continue;
		}
		line[n] = 0;
		text = strchr(line, ';');
		if (!text)
			continue;
		text[1 + strcspn(text, "\n")] = 0;
		if (is_kernel_report(text)) {
			/* Of races only those count in which the recorder is: the host looks. */
			if (!strstr(text, "BUG: KCSAN"))
				increment(&shared->reports);
			show = 60;
		}
		if (show && show--)
			printf("stress: %s\n", text + 1);
	}
	sleep_ms(20);
}

static const struct {
	const char *name;
	void (*run_once)(void);
} workers[] = {
	{ "watch", watch_log },
	{ "texts", write_texts }, { "texts", write_texts },
	{ "text logs", read_text }, { "raw logs", read_raw }, { "streams", read_stream },
	{ "serial lines", read_serial },
	{ "system calls", make_random_calls }, { "system calls", make_random_calls },
	{ "module", load_module }, { "cpus", toggle_cpus }, { "forks", fork_many },
};

#define WORKERS (sizeof(workers) / sizeof(*workers))

/* ---- around them ---- */

/* Free pages that each cpu keeps to itself: many after much has been freed, and not in MemFree. */
static long long per_cpu_free_kb(void)
{
	char *text = read_whole_file("/proc/zoneinfo", 0), *line, *save;
	long long pages = 0, n;
	bool lists = false;

	for (line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		if (!strncmp(line, "Node ", 5) || strstr(line, "start_pfn"))
			lists = false;
		else if (strstr(line, "pagesets"))
			lists = true;
		else if (lists && sscanf(line, " count: %lld", &n) == 1)
			pages += n;
	}
	free(text);
	return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static void report_memory(void (*report)(const char *fmt, ...), const char *when)
{
	static const char * const parts[] = {
		"MemFree", "Cached", "AnonPages", "Slab", "KernelStack", "PageTables", "VmallocUsed",
		"Percpu",
	};
	char line[300] = "";

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		snprintf(line + strlen(line), sizeof(line) - strlen(line), " %s %lld", parts[i],
			 meminfo_kb(parts[i]));
	report("# memory %s, kB:%s, in cpus' lists %lld", when, line, per_cpu_free_kb());
}

static void write_or_report(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd >= 0 && write(fd, text, strlen(text)) < 0)
		printf("stress: %s: %s\n", path, strerror(errno));
	if (fd >= 0)
		close(fd);
}

/*
 * What is free when the recorder is as small as can be, and all caches are empty. What others free
 * comes late: it is the most, of which there is not more for some seconds.
 */
static long long free_kb(void)
{
	long long most = 0, kb;

	for (int i = 0; i < 10 && kfi_write("new begin logentries 100 end"); i++) {
		kfi_write("stop");
		sleep_ms(50);
	}
	free(read_whole_file("/proc/kfi_trace", 0));
	for (int i = 0, same = 0; i < 60 && same < 6; i++) {
		write_or_report("/proc/sys/vm/drop_caches", "3");
		sleep_ms(500);
		write_or_report("/proc/sys/vm/stat_refresh", "1");
		kb = meminfo_kb("MemFree") + per_cpu_free_kb();
		same = kb > most ? 0 : same + 1;
		most = kb > most ? kb : most;
	}
	return most;
}

static void run_worker(size_t i, uint64_t seed)
{
	rnd_seed(seed + i);
	while (!shared->stop)
		workers[i].run_once();
	/* The messages of this time are looked through to their end. */
	if (!i)
		watch_log();
	_exit(0);
}

static void wait_for(pid_t pid, const char *name)
{
	long long end = uptime_ms() + scale_timeout(HANG_SECONDS) * 1000ll;
	char path[60], *stack;

	while (!waitpid(pid, NULL, WNOHANG)) {
		/* A reader of a stream waits until its session is over. */
		kfi_write("stop");
		if (uptime_ms() > end) {
			fail("%s: hangs", name);
			snprintf(path, sizeof(path), "/proc/%d/stack", pid);
			stack = read_whole_file(path, 0);
			printf("stress: %s hangs:\n%s\n", name, stack ? stack : "");
			kill(pid, SIGKILL);
			return;
		}
		sleep_ms(20);
	}
}

static bool all_actions_tried(void)
{
	return shared->calls && shared->accepted && shared->offline && shared->snapshots &&
	       shared->streams;
}

/* The last part is extended until each action was tried: on a busy host that takes longer. */
static void run_workers(int seconds, uint64_t seed, bool last)
{
	long long end = uptime_ms() + seconds * 1000ll;
	long long latest = end + (last ? scale_timeout(HANG_SECONDS) * 1000ll : 0);
	pid_t pid[WORKERS];

	shared->stop = 0;
	for (size_t i = 0; i < WORKERS; i++) {
		pid[i] = fork();
		if (!pid[i])
			run_worker(i, seed);
	}
	while (uptime_ms() < (all_actions_tried() ? end : latest) && !shared->stop)
		sleep_ms(200);
	shared->stop = 1;
	/* The worker that reads the kernel's messages is the last. */
	for (size_t i = WORKERS; i-- > 0;)
		wait_for(pid[i], workers[i].name);
	online_all_cpus();
	kfi_write("stop");
}

const char *stress(void (*report)(const char *fmt, ...), int seconds, uint64_t seed)
{
	long long before, after;
	static char why[80];
	int found;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (shared == MAP_FAILED)
		return "no memory";
	klogctl(8 /* SYSLOG_ACTION_CONSOLE_LEVEL */, NULL, 1);
	report("# stress: %d s, seed %llu", seconds, (unsigned long long)seed);
	run_workers(seconds / 4, seed, false);
	before = free_kb();
	report_memory(report, "after a quarter");
	if (!shared->failed)
		run_workers(seconds - seconds / 4, seed + 1000, true);
	after = free_kb();
	report_memory(report, "at the end");
	found = count_leaks(report);
	report("# calls %llu, in %lu logs and %lu snapshots; %lu raw logs, %lu streams",
	       shared->calls, shared->logs, shared->snapshots, shared->raw, shared->streams);
	report("# texts %lu taken, %lu refused; runs started %lu", shared->accepted,
	       shared->rejected, shared->started);
	report("# system calls %lu, module loads %lu, cpus taken off %lu, forks %lu",
	       shared->syscalls, shared->modules, shared->offline, shared->forks);
	report("# reports %lu, leaks %d", shared->reports, found);
	if (shared->failed)
		return shared->why;
	if (shared->reports)
		return "the kernel reports faults: see the console";
	if (found > 0)
		return "memory has leaked";
	/* Where leaks are looked for memory is not free at once. */
	if (!kmemleak_available() && before - after > MEMORY_SLACK_KB) {
		snprintf(why, sizeof(why), "%lld kB of memory are missing", before - after);
		return why;
	}
	if (!all_actions_tried())
		return "nothing was tried";
	return NULL;
}

/* ---- kmemleak ---- */

#define KMEMLEAK	"/sys/kernel/debug/kmemleak"

bool kmemleak_available(void)
{
	mount("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL);
	return !access(KMEMLEAK, R_OK | W_OK);
}

static bool scan_for_leaks(void)
{
	int fd = open(KMEMLEAK, O_WRONLY);
	bool done = fd >= 0 && write(fd, "scan", 4) == 4;

	if (fd >= 0)
		close(fd);
	return done;
}

int count_leaks(void (*report)(const char *fmt, ...))
{
	char *text, *line, *save;
	int n = 0;

	if (!kmemleak_available())
		return 0;
	/* What is a few seconds old, and was not found twice. */
	sleep_ms(6000);
	if (!scan_for_leaks() || !scan_for_leaks()) {
		report("# kmemleak: %s", strerror(errno));
		return -1;
	}
	text = read_whole_file(KMEMLEAK, 0);
	for (line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		n += !strncmp(line, "unreferenced object", 19);
		if (n < 10)
			report("# %s", line);
	}
	free(text);
	return n;
}
