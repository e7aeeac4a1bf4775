// SPDX-License-Identifier: GPL-2.0
/*
 * init.c - process 1 of the guests
 *
 * What it does is told on the kernel command line:
 *   kfi_guest=test	runs the cases and reports on the verdict channel (the default)
 *   kfi_guest=boot	runs those of case_boot.c, which look at this boot's own words
 *   kfi_guest=crash	dies by a panic, or as kfi_end says, see crash_as(); if the boot before
 *			has died so and left its end, runs crash_cases[] and prints that, in
 *			lines "last: BASE64"
 *   kfi_guest=script	runs /etc/kfi/script with busybox, then reports one case, `script`
 *   kfi_guest=shell	a shell on the console
 *   kfi_guest=compare	counts the calls of a program (compare.c); kfi_callers=FUNCTION
 *   kfi_guest=bench	measures what instrumentation costs (bench.c); of the boot only with
 *			kfi_bench=boot
 *   kfi_guest=stress	everything at once (stress.c), for kfi_seconds=N, from kfi_seed=N
 *   kfi_guest=panic, hang, silent, die, fail	bad guests, to test the harness with
 *   kfi_verdict=PATH	the verdict channel; without it those in channels[] are tried;
 *			`semihost` on an ARM or RISC-V machine that QEMU gave no second serial line
 *   kfi_live=1		the run of the boot may go on when a case begins
 *   kfi_case=NAME[,...]	only the cases whose name begins so; a word that no case begins with
 *			fails
 *   kfi_time=exact	the guest's time is a count of its instructions (run-guest -e): cases judge
 *			durations, and the host cannot disturb them
 *   kfi_slow=N		this kernel is slow: what must come in some time may take N times as long
 * The verdict is the last thing written before the machine is switched off.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/random.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "bench.h"
#include "compare.h"
#include "guest.h"
#include "stress.h"

#define CASE_SECONDS	300
#define SCRIPT_SECONDS	600
/* As many times a case may be disturbed. */
#define MAX_DISTURBED	5

static const char * const channels[] = {
	"/dev/vport0p1", "/dev/ttySAC1", "/dev/ttyS1", "/dev/ttyAMA1",
};

static int verdict_fd = -1;
static bool semihost;
static int passed, failed, skipped, disturbed;
static char *reason;		/* shared with the process of a case */
#define REASON_SIZE	4096

#ifdef __thumb2__
/*
 * Where QEMU serves semihosting to user space, the emulated processor itself writes the string to
 * a channel: no driver is needed. Elsewhere this is getpid().
 */
void semihost_write0(const char *s);
asm(".text\n.thumb\n.thumb_func\n.global semihost_write0\n.type semihost_write0, %function\n"
    "semihost_write0:\n"
    "	push	{r7, lr}\n"
    "	mov	r1, r0\n"
    "	movs	r0, #4\n"	/* SYS_WRITE0 */
    "	movs	r7, #20\n"	/* __NR_getpid */
    "	svc	0xab\n"
    "	pop	{r7, pc}\n");
#elif defined(__aarch64__)
void semihost_write0(const char *s);
asm(".text\n.global semihost_write0\n.type semihost_write0, %function\n"
    "semihost_write0:\n"
    "	mov	x1, x0\n"
    "	mov	w0, #4\n"	/* SYS_WRITE0 */
    "	hlt	#0xf000\n"
    "	ret\n");
#elif defined(__riscv)
/* The three instructions that QEMU looks for are of four bytes each, in one page. */
void semihost_write0(const char *s);
asm(".text\n.balign 32\n.global semihost_write0\n.type semihost_write0, %function\n"
	"semihost_write0:\n"
	"	.option push\n"
	"	.option norvc\n"
	"	mv	a1, a0\n"
	"	li	a0, 4\n"	/* SYS_WRITE0 */
	"	slli	zero, zero, 0x1f\n"
	"	ebreak\n"
	"	srai	zero, zero, 7\n"
	"	ret\n"
	"	.option pop\n");
#else
static void semihost_write0(const char *s)
{
	(void)s;
}
#endif

enum outcome because(enum outcome out, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(reason, REASON_SIZE, fmt, ap);
	va_end(ap);
	return out;
}

static void __attribute__((format(printf, 1, 2))) report(const char *fmt, ...)
{
	char line[600];
	size_t len, done = 0;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line) - 2, fmt, ap);
	va_end(ap);
	for (len = 0; line[len]; len++)
		if (line[len] == '\n')
			line[len] = ' ';
	/* The console only shows it; it does not count there. */
	printf("%s\n", line);
	fflush(stdout);
	line[len++] = '\n';
	line[len] = 0;
	if (semihost)
		semihost_write0(line);
	while (verdict_fd >= 0 && done < len) {
		ssize_t n = write(verdict_fd, line + done, len - done);

		if (n < 0 && errno != EINTR && errno != EAGAIN)
			break;
		if (n > 0)
			done += n;
	}
}

static const char *cmdline(const char *name, const char *dflt)
{
	static char *words;
	static char value[4][256];
	static int turn;
	size_t len = strlen(name);
	char *at;

	if (!words)
		words = read_whole_file("/proc/cmdline", 0);
	for (at = words; at && (at = strstr(at, name)); at += len) {
		char *v = value[turn = (turn + 1) % 4];

		if ((at != words && at[-1] != ' ') || at[len] != '=')
			continue;
		snprintf(v, sizeof(value[0]), "%.*s", (int)strcspn(at + len + 1, " \n"),
			 at + len + 1);
		return v;
	}
	return dflt;
}

static void mount_all(void)
{
	static const struct {
		const char *type, *dir;
	} fs[] = {
		{ "devtmpfs", "/dev" }, { "proc", "/proc" }, { "sysfs", "/sys" },
		{ "ramfs", "/tmp" },
	};

	for (size_t i = 0; i < sizeof(fs) / sizeof(fs[0]); i++) {
		mkdir(fs[i].dir, 0755);
		if (mount(fs[i].type, fs[i].dir, fs[i].type, 0, NULL) && errno != EBUSY)
			printf("init: %s: %s\n", fs[i].dir, strerror(errno));
	}
	chmod("/tmp", 01777);
}

/* Where the kernel gave process 1 no console, /dev has one now. */
static void open_console(void)
{
	int fd = open("/dev/console", O_RDWR);

	if (fd < 0)
		return;
	for (int i = 0; i < 3; i++)
		dup2(fd, i);
	if (fd > 2)
		close(fd);
}

static void open_verdict(void)
{
	const char *path = cmdline("kfi_verdict", NULL);
	struct termios tio;

	if (path && !strcmp(path, "semihost")) {
		semihost = true;
		return;
	}
	if (path)
		verdict_fd = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
	for (size_t i = 0; !path && verdict_fd < 0 && i < sizeof(channels) / sizeof(*channels); i++)
		verdict_fd = open(channels[i], O_WRONLY | O_NOCTTY | O_CLOEXEC);
	if (verdict_fd < 0) {
		printf("init: no verdict channel: %s\n", strerror(errno));
		return;
	}
	if (!tcgetattr(verdict_fd, &tio)) {
		cfmakeraw(&tio);
		tcsetattr(verdict_fd, TCSANOW, &tio);
	}
}

/* QEMU's smdkc210 can be switched off, but not reset. */
static void switch_off(void)
{
	if (verdict_fd >= 0)
		tcdrain(verdict_fd);
	fflush(stdout);
	tcdrain(1);
	sync();
	reboot(RB_POWER_OFF);
	reboot(RB_AUTOBOOT);
	for (;;)
		pause();
}

/* Runs in a process of its own what may crash or hang; the others of the guest live on. */
static enum outcome run_case(const struct guest_case *c)
{
	int status = 0;
	pid_t pid;

	*reason = 0;
	pid = fork();
	if (pid < 0)
		return because(FAIL, "fork: %s", strerror(errno));
	if (!pid) {
		alarm(scale_timeout(CASE_SECONDS));
		if (!cmdline("kfi_live", NULL))
			stop_runs();
		_exit(c->run());
	}
	while (waitpid(pid, &status, 0) != pid)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) <= DISTURBED)
		return WEXITSTATUS(status);
	if (WIFSIGNALED(status))
		return because(FAIL, "signal %d%s", WTERMSIG(status),
			       WTERMSIG(status) == SIGALRM ? ", it took too long" : "");
	return because(FAIL, "status 0x%x", status);
}

/* Runs a case again as long as what it needs is spoiled. */
static enum outcome run_undisturbed(const struct guest_case *c)
{
	enum outcome out;
	char last[200];
	int times = 0;

	while ((out = run_case(c)) == DISTURBED) {
		snprintf(last, sizeof(last), "%.199s", reason);
		report("# disturbed %s: %s", c->name, last);
		disturbed++;
		if (++times == MAX_DISTURBED)
			return because(FAIL, "disturbed %d times: %s", times, last);
	}
	return out;
}

static void run_and_report(const struct guest_case *c)
{
	long long t = uptime_ms();
	enum outcome out = run_undisturbed(c);
	int nr = passed + failed + skipped + 1;

	switch (out) {
	case PASS:
		passed++;
		report("ok %d %s (%lld ms)", nr, c->name, uptime_ms() - t);
		break;
	case SKIP:
		skipped++;
		report("ok %d %s # SKIP %s", nr, c->name, reason);
		break;
	default:
		failed++;
		report("not ok %d %s # %s", nr, c->name, reason);
	}
}

static enum outcome failing_case(void)
{
	return because(FAIL, "asked for");
}

static enum outcome crashing_case(void)
{
	raise(SIGSEGV);
	return PASS;
}

static enum outcome disturbed_case(void)
{
	return because(DISTURBED, "asked for");
}

static enum outcome disturbed_twice(void)
{
	return disturbed < 2 ? disturbed_case() : PASS;
}

static const struct guest_case harness_cases[] = {
	{ "harness_fail", failing_case },
	{ "harness_crash", crashing_case },
	{ "harness_disturbed_twice", disturbed_twice },
	{ "harness_disturbed_always", disturbed_case },
	{ NULL, NULL },
};

static enum outcome script_case(void)
{
	int status;
	pid_t pid;

	alarm(scale_timeout(SCRIPT_SECONDS));
	pid = fork();
	if (!pid) {
		execl("/bin/sh", "sh", "/etc/kfi/script", NULL);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	if (status)
		return because(FAIL, "/etc/kfi/script: status 0x%x", status);
	return PASS;
}

static enum outcome compare_case(void)
{
	const char *wrong;

	alarm(scale_timeout(SCRIPT_SECONDS));
	wrong = compare(report, cmdline("kfi_callers", NULL));
	return wrong ? because(FAIL, "%s", wrong) : PASS;
}

static enum outcome stress_case(void)
{
	const char *seed = cmdline("kfi_seed", NULL), *wrong;
	uint64_t from = seed ? strtoull(seed, NULL, 0) : 0;

	alarm(0);
	if (!seed && getrandom(&from, 4, GRND_NONBLOCK) != 4)
		from = uptime_ms();
	wrong = stress(report, atoi(cmdline("kfi_seconds", "60")), from);
	return wrong ? because(FAIL, "%s", wrong) : PASS;
}

static enum outcome leaks_case(void)
{
	if (!kmemleak_available())
		return because(SKIP, "no kmemleak in this kernel");
	WANT_EQ(kfi_write("new begin logentries 100 end"), 0);
	WANT_EQ(count_leaks(report), 0);
	return PASS;
}

/* No report of a race is worth nothing if nobody watches. */
static enum outcome races_case(void)
{
	char *text, *at;

	kmemleak_available();
	text = read_whole_file("/sys/kernel/debug/kcsan", 0);
	if (!text)
		return because(SKIP, "no KCSAN in this kernel");
	report("# kcsan: %.120s", text);
	at = strstr(text, "setup_watchpoints: ");
	WANT(strstr(text, "enabled: 1"));
	WANT(at && atol(strchr(at, ' ')) > 0);
	return PASS;
}

static const struct guest_case leaks_cases[] = {
	{ "races_watched", races_case }, { "leaks_none", leaks_case }, { NULL, NULL },
};
static const struct guest_case stress_cases[] = { { "stress", stress_case }, { NULL, NULL } };
static const struct guest_case compare_cases[] = { { "compare", compare_case }, { NULL, NULL } };
static const struct guest_case script_cases[] = { { "script", script_case }, { NULL, NULL } };

/* Does @name begin with one of @prefixes, words with commas between them? */
static bool has_prefix(const char *name, const char *prefixes)
{
	for (size_t len;; prefixes += len + 1) {
		len = strcspn(prefixes, ",");
		if (!strncmp(name, prefixes, len))
			return true;
		if (!prefixes[len])
			return false;
	}
}

/* Runs the cases whose names begin with one of @prefixes, or only counts them. Return: how many. */
static int run_or_count_cases(const struct guest_case * const *tables, int nr, const char *prefixes,
			      bool run)
{
	int found = 0;

	for (int i = 0; i < nr; i++)
		for (const struct guest_case *c = tables[i]; c->name; c++) {
			if (!has_prefix(c->name, prefixes))
				continue;
			found++;
			if (run)
				run_and_report(c);
		}
	return found;
}

static void report_verdict(void)
{
	report("# verdict: %d passed, %d failed, %d skipped, %d disturbed", passed, failed, skipped,
	       disturbed);
}

static void run_tables(const struct guest_case * const *tables, int nr)
{
	const char *only = cmdline("kfi_case", "");
	char words[256], *word, *save, *wrong[64];
	int nr_wrong = 0;

	snprintf(words, sizeof(words), "%s", only);
	for (word = strtok_r(words, ",", &save); word; word = strtok_r(NULL, ",", &save))
		if (!run_or_count_cases(tables, nr, word, false) && nr_wrong < 64)
			wrong[nr_wrong++] = word;
	report("KTAP version 1");
	report("1..%d", run_or_count_cases(tables, nr, only, false) + nr_wrong);
	run_or_count_cases(tables, nr, only, true);
	for (int i = 0; i < nr_wrong; i++)
		report("not ok %d kfi_case=%s # no case has a name that begins so",
		       passed + skipped + ++failed, wrong[i]);
	report_verdict();
}

static void read_repeatedly(int ms)
{
	long long since = uptime_ms();

	while (uptime_ms() < since + ms) {
		free(read_whole_file("/proc/meminfo", 0));
		usleep(50000);
	}
}

/* Arms @runs, the first of which starts with a mkdir(). */
static void record_then(const char *runs)
{
	char text[320];

	snprintf(text, sizeof(text), "new %s", runs);
	if (kfi_write(text) || kfi_write("prime") || mkdir("/tmp/crash", 0700))
		printf("init: nothing is recorded\n");
}

static void die_of_oops(bool loaded)
{
	int status;

	if (loaded && !fork())
		_exit(module_command("oops"));
	wait(&status);
}

/*
 * Waits on another CPU until an oops has begun, and sends; then completes the second of three
 * sessions. No message may come in between on the console, where it would damage a line.
 */
static void complete_in_oops(void)
{
	static const char completed[] = "kfi test: completed\n", sent[] = " lines are sent\n";
	const char *log;
	bool during;
	int fd;

	/* Without a timer, for which QEMU lets this CPU wait while the other one writes. */
	while (!strstr(kernel_log(), "RIP: "))
		;
	klogctl(6, NULL, 0);
	spin_ms(300);
	during = !strstr(kernel_log(), sent);
	during &= !mkdir("/tmp/second", 0700);
	fd = open("/dev/kmsg", O_WRONLY);
	during &= write(fd, completed, strlen(completed)) > 0;
	while (!strstr(kernel_log(), sent))
		usleep(100000);
	log = strstr(kernel_log(), completed);
	during &= log && strstr(log, sent);
	if (!during)
		printf("init: disturbed: nothing was complete while the crash was sending\n");
	fflush(stdout);
	_exit(0);
}

/* The third session starts when the oops is over: the whole chain is sent once more by a task. */
static void oops_and_complete(bool loaded)
{
	static const char first[] =
		"begin trigger start entry vfs_mkdir trigger stop exit vfs_rmdir";
	static const char second[] =
		"begin trigger start entry vfs_mkdir trigger stop exit vfs_mkdir end";
	static const char third[] =
		"begin trigger start entry vfs_symlink trigger stop exit vfs_symlink end";
	char runs[300];

	snprintf(runs, sizeof(runs), "%s overwrite logentries 5000 end %s %s", first, second,
		 third);
	record_then(runs);
	read_repeatedly(1000);
	rmdir("/tmp/crash");
	usleep(500000);
	/* The CPU that sends lets no task go elsewhere. */
	use_cpu(1);
	if (!fork())
		complete_in_oops();
	use_cpu(0);
	die_of_oops(loaded);
	wait(NULL);
	klogctl(7, NULL, 0);
	if (symlink("/tmp", "/tmp/third"))
		printf("init: the third session is not recorded\n");
	sleep(3);
}

/*
 * Dies in some way that the next boot is told of, or in one of which nothing is told. @end: panic,
 * panic_in_nmi, oops, reset; sending: an oops while a task sends the log to the console;
 * collecting: a panic while a task collects it; waiting: one while the second session of a chain
 * waits; profile: one while a profile is made; survived: an oops that ends one task, before a
 * session that is sent; completes: an oops that sends a session, during which the next one of a
 * chain is complete.
 */
static int crash_as(const char *end)
{
	bool loaded;

	if (!strcmp(end, "oops")) {
		die_of_oops(module_load() == PASS);
	} else if (!strcmp(end, "panic_in_nmi")) {
		if (module_load() == PASS)
			module_command("nmipanic");
	} else if (!strcmp(end, "sending")) {
		loaded = module_load() == PASS;
		kfi_write("stop");
		sleep(3);
		die_of_oops(loaded);
	} else if (!strcmp(end, "collecting")) {
		read_repeatedly(1000);
		kfi_write("stop");
		usleep(4000);
		return 1;
	} else if (!strcmp(end, "waiting")) {
		record_then("begin trigger start entry vfs_mkdir trigger stop exit vfs_mkdir end "
			    "begin trigger start entry vfs_rmdir end");
		return 1;
	} else if (!strcmp(end, "profile")) {
		record_then("begin trigger start entry vfs_mkdir trigger stop exit vfs_mkdir end "
			    "begin profile trigger start entry vfs_rmdir end");
		usleep(500000);
		rmdir("/tmp/crash");
		return 1;
	} else if (!strcmp(end, "survived")) {
		die_of_oops(module_load() == PASS);
		record_then("begin trigger start entry vfs_mkdir trigger stop exit vfs_mkdir end");
		sleep(5);
	} else if (!strcmp(end, "completes")) {
		oops_and_complete(module_load() == PASS);
	} else if (!strcmp(end, "reset")) {
		read_repeatedly(3000);
		kfi_write("mark before the reset");
		/* More is more calls than the memory may hold. */
		read_repeatedly(300);
	} else {
		return 1;
	}
	reboot(RB_AUTOBOOT);
	return 1;
}

void print_log(const char *path)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t len, at;
	unsigned char *data = (void *)read_whole_bytes(path, 1 << 16, &len);

	klogctl(6, NULL, 0);
	for (at = 0; data && at < len; at += 3) {
		uint32_t v = data[at] << 16 | (at + 1 < len ? data[at + 1] << 8 : 0) |
			     (at + 2 < len ? data[at + 2] : 0);

		if (at % 180 == 0)
			printf("%slast: ", at ? "\n" : "");
		printf("%c%c%c%c", digits[v >> 18], digits[v >> 12 & 63],
		       at + 1 < len ? digits[v >> 6 & 63] : '=',
		       at + 2 < len ? digits[v & 63] : '=');
	}
	printf("\n");
	free(data);
}

static void install_busybox(void)
{
	pid_t pid = fork();

	if (!pid) {
		execl("/bin/busybox", "busybox", "--install", "-s", "/bin", NULL);
		_exit(127);
	}
	waitpid(pid, NULL, 0);
	setenv("PATH", "/bin", 1);
	setenv("HOME", "/", 1);
}

/* Once for all cases: their processes have what is read here. */
static void read_all_symbols(void)
{
	bool loaded = module_load() == PASS;
	size_t nr;

	symbols(&nr);
	if (loaded)
		module_unload();
}

int main(int argc, char **argv)
{
	static const struct guest_case * const tests[] = {
		static_cases, sites_cases, trigger_cases, filter_cases, list_cases, conf_cases,
		perm_cases, load_cases,
		script_tools_cases, time_cases, context_cases, fault_cases,
		runs_cases,
		read_cases, pipe_cases, module_cases, mark_cases, watch_cases, mode_cases,
		record_cases,
		serial_cases,
		selftest_cases, leaks_cases,
	};
	static const struct guest_case * const boot[] = { boot_cases };
	static const struct guest_case * const crash[] = { crash_cases };
	static const struct guest_case * const comparison[] = { compare_cases };
	static const struct guest_case * const stress_tables[] = { stress_cases };
	static const struct guest_case * const script[] = { script_cases };
	static const struct guest_case * const bad[] = { harness_cases };
	const char *mode;

	note_boot_end();
	(void)argc;
	if (!strcmp(argv[0], WORKLOAD))
		workload();
	if (getpid() != 1) {
		fputs("init: this is for process 1 of a test guest\n", stderr);
		return 2;
	}
	mount_all();
	open_console();
	open_verdict();
	reason = mmap(NULL, REASON_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	mode = cmdline("kfi_guest", "test");
	printf("init: %s\n", mode);
	if (!strcmp(mode, "test")) {
		install_busybox();
		read_all_symbols();
		run_tables(tests, sizeof(tests) / sizeof(*tests));
	} else if (!strcmp(mode, "boot")) {
		run_tables(boot, 1);
	} else if (!strcmp(mode, "crash")) {
		if (!last_boot_left_log())
			return crash_as(cmdline("kfi_end", "panic"));
		print_log("/proc/kfi_last");
		run_tables(crash, 1);
	} else if (!strcmp(mode, "stress")) {
		run_tables(stress_tables, 1);
	} else if (!strcmp(mode, "script")) {
		install_busybox();
		run_tables(script, 1);
	} else if (!strcmp(mode, "shell")) {
		install_busybox();
		execl("/bin/sh", "sh", NULL);
	} else if (!strcmp(mode, "bench")) {
		report("1..1");
		bench(report, cmdline("kfi_bench", NULL));
		report("ok 1 bench");
		passed++;
		report_verdict();
	} else if (!strcmp(mode, "compare")) {
		run_tables(comparison, 1);
	} else if (!strcmp(mode, "fail")) {
		run_tables(bad, 1);
	} else if (!strcmp(mode, "panic")) {
		return 1;
	} else if (!strcmp(mode, "hang")) {
		report("1..1");
		for (;;)
			pause();
	} else if (!strcmp(mode, "die")) {
		report("1..2");
		report("ok 1 first");
	} else if (strcmp(mode, "silent")) {
		report("init: no such mode: %s", mode);
	}
	switch_off();
	return 0;
}
