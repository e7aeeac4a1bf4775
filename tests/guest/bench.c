// SPDX-License-Identifier: GPL-2.0
/*
 * bench.c - what the instrumentation costs, in time of the guest's clock
 *
 * Run by init with kfi_guest=bench, on any kernel. Under QEMU's -icount shift=0 with one cpu a
 * nanosecond is an instruction, and the figures repeat. Each line that it says is
 *
 *	# bench WORK MODE NS CALLS BYTES
 *
 * with the time that the work took, the calls that were recorded then, 0 where none were, and
 * the memory that they took, 0 where it is not known; of the boot also nanoseconds of a count of
 * the counter, 0 if it is not known, and as calls those that its run has kept. Where there is a
 * function graph tracer, lines "# can NAME..." say what it can trace.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __arm__
#include <asm/hwcap.h>
#endif

#include "bench.h"
#include "compare.h"
#include "guest.h"

#define READS	5000
#define FORKS	200
#define REPEATS	5

#if !defined(__x86_64__) && !defined(__aarch64__) && !defined(__riscv)

static long long monotonic_ns(int *step)
{
	struct timespec t;

	*step = 0;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

#endif

/*
 * The machine's counter, which no kernel has set: under -icount its time is that since the machine
 * was switched on.
 */
static long long now_ns(int *step)
{
#if defined(__x86_64__)
	*step = 1;
	return (long long)__builtin_ia32_rdtsc();
#elif defined(__aarch64__) || defined(__arm__)
	unsigned long long count;
	unsigned long hz;

#ifdef __aarch64__
	__asm__ volatile("mrs %0, cntvct_el0\n\tmrs %1, cntfrq_el0" : "=r" (count), "=r" (hz));
#else
	/* The Exynos 4 has no such counter; where there is one the kernel lets us read it. */
	if (!(getauxval(AT_HWCAP) & HWCAP_EVTSTRM))
		return monotonic_ns(step);
	__asm__ volatile("mrrc p15, 1, %Q0, %R0, c14" : "=r" (count));
	__asm__ volatile("mrc p15, 0, %0, c14, c0, 0" : "=r" (hz));
#endif
	*step = (int)(1000000000 / hz);
	return (long long)(count / hz * 1000000000 + count % hz * 1000000000 / hz);
#elif defined(__riscv)
	unsigned long count;

	/* The rate is in the device tree, which cannot be read when the boot ends. QEMU has one. */
	__asm__ volatile("rdtime %0" : "=r" (count));
	*step = 100;
	return (long long)count * *step;
#else
	return monotonic_ns(step);
#endif
}

static void read_and_write(void)
{
	static char page[4096];
	int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY);

	for (int i = 0; i < READS; i++)
		if (read(zero, page, sizeof(page)) < 0 || write(null, page, sizeof(page)) < 0)
			break;
	close(zero);
	close(null);
}

static void fork_and_wait(void)
{
	for (int i = 0; i < FORKS; i++) {
		pid_t pid = fork();

		if (!pid)
			_exit(0);
		waitpid(pid, NULL, 0);
	}
}

static const struct {
	const char *name;
	void (*run)(void);
} workloads[] = {
	{ "reads", read_and_write }, { "forks", fork_and_wait },
};

/* ---- what records during a workload ---- */

#define TRACING "/sys/kernel/tracing/"
#define LOG "/proc/kfi_trace"

#define QUIET_US	200000

/* The time of a workload, and the calls recorded during it. */
struct measurement {
	long long ns;
	long long calls;
	long long bytes;
};

/* The number in a line of a file that is read up to its first part; 0: there is none. */
static long long read_number(const char *path, const char *name)
{
	char text[8192], *at;
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[n > 0 ? n : 0] = 0;
	at = strstr(text, name);
	return at ? atoll(at + strlen(name)) : 0;
}

static bool begin_kfi(const char *items)
{
	char text[100];

	snprintf(text, sizeof(text), "new begin %s end", items);
	return !kfi_write(text) && !kfi_write("start");
}

static void end_kfi(struct measurement *r)
{
	kfi_write("stop");
	r->calls = read_number(LOG, "Calls seen = ");
	r->bytes = read_number(LOG, "Log memory = ");
}

#define STATS TRACING "per_cpu/cpu0/stats"

static bool begin_graph(void)
{
	return write_file(TRACING "buffer_size_kb", "8192") &&
	       write_file(TRACING "tracing_on", "0") &&
	       write_file(TRACING "current_tracer", "function_graph") &&
	       write_file(TRACING "tracing_on", "1");
}

/*
 * Entry and return are an event each; what was overwritten was recorded, too. Another tracer begins
 * with an empty buffer. While it is put in place many calls are seen already: it is not on yet.
 */
static void end_graph(struct measurement *r)
{
	write_file(TRACING "tracing_on", "0");
	r->calls = (read_number(STATS, "entries: ") + read_number(STATS, "overrun: ")) / 2;
	r->bytes = read_number(STATS, "bytes: ");
	write_file(TRACING "current_tracer", "nop");
}

/*
 * @items: of the configuration of KFI, or NULL. Calls that are open when their task dies are kept
 * whatever their time.
 * @graph: the function graph tracer records
 */
static const struct {
	const char *name;
	const char *items;
	bool graph;
} modes[] = {
	{ "off", NULL, false },
	{ "kept", "logentries 2000000", false },
	{ "dropped", "filter mintime 4000s logentries 100000", false },
	{ "overwrite", "overwrite filter mintime 4000s logentries 100000", false },
	{ "profile", "profile logentries 100000", false },
	{ "graph", NULL, true },
};

static bool begin(int m)
{
	if (modes[m].graph)
		return begin_graph();
	return !modes[m].items || begin_kfi(modes[m].items);
}

static void end(int m, struct measurement *r)
{
	if (modes[m].graph)
		end_graph(r);
	else if (modes[m].items)
		end_kfi(r);
}

static long long boot_ns;
static int boot_step;

void note_boot_end(void)
{
	boot_ns = now_ns(&boot_step);
}

/* Return: what a workload takes in a mode, 0 where there is no such mode. */
static struct measurement measure(int m, int w)
{
	struct measurement r = { 0 };
	long long t;
	int step;

	usleep(QUIET_US);
	if (!begin(m))
		return r;
	t = now_ns(&step);
	workloads[w].run();
	r.ns = now_ns(&step) - t;
	end(m, &r);
	return r;
}

/*
 * All is printed at the end, and each workload begins when it is quiet: the console takes time.
 * Now and then the kernel does millions of instructions of its own. They are in one of several
 * times: the least is taken.
 */
void bench(void (*report)(const char *fmt, ...), bool only_boot)
{
	enum {
		MODES = sizeof(modes) / sizeof(*modes),
		WORKLOADS = sizeof(workloads) / sizeof(*workloads),
	};
	struct measurement r[MODES][WORKLOADS] = { 0 };

	report("# bench boot - %lld %lld %lld %d", boot_ns, read_number(LOG, "Calls kept = "),
	       read_number(LOG, "Log memory = "), boot_step);
	if (only_boot)
		return;
	mount("tracefs", TRACING, "tracefs", 0, NULL);
	for (int w = 0; w < WORKLOADS; w++)
		workloads[w].run();	/* what the first time costs more is not counted */
	for (int m = 0; m < MODES; m++)
		for (int w = 0; w < WORKLOADS; w++)
			for (int n = 0; n < REPEATS; n++) {
				struct measurement now = measure(m, w);

				if (!n || now.ns < r[m][w].ns)
					r[m][w] = now;
			}
	for (int m = 0; m < MODES; m++)
		for (int w = 0; w < WORKLOADS; w++)
			if (r[m][w].ns)
				report("# bench %s %s %lld %lld %lld", workloads[w].name,
				       modes[m].name, r[m][w].ns, r[m][w].calls, r[m][w].bytes);
	umount(TRACING);
	report_traceable(report);
}
