// SPDX-License-Identifier: GPL-2.0
/*
 * guest.c - what the guest's cases share, see guest.h
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "guest.h"
#include "stress.h"

/* Timeout of wait_until(): far longer than a wait takes on any host. */
#define WAIT_MS		60000

int kfi_write_n(const char *text, size_t len)
{
	int fd = open("/proc/kfi", O_WRONLY);
	ssize_t n;
	int ret = 0;

	if (fd < 0)
		return -errno;
	n = write(fd, text, len);
	if (n < 0)
		ret = -errno;
	else if ((size_t)n != len)
		ret = -EIO;
	close(fd);
	return ret;
}

int kfi_write(const char *text)
{
	return kfi_write_n(text, strlen(text));
}

char *read_whole_bytes(const char *path, size_t chunk, size_t *len)
{
	size_t room = 1 << 16;
	char *buf = malloc(room);
	int fd = open(path, O_RDONLY);
	ssize_t n = -1;

	*len = 0;
	while (fd >= 0 && buf) {
		size_t want = room - *len - 1;

		n = read(fd, buf + *len, chunk && chunk < want ? chunk : want);
		if (n <= 0)
			break;
		*len += n;
		if (room - *len < 4096) {
			char *more = realloc(buf, room *= 2);

			if (!more)
				n = -1;
			else
				buf = more;
			if (n < 0)
				break;
		}
	}
	if (fd >= 0)
		close(fd);
	if (n < 0) {
		free(buf);
		return NULL;
	}
	buf[*len] = 0;
	return buf;
}

bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	if (fd >= 0)
		close(fd);
	return ok;
}

char *read_whole_file(const char *path, size_t chunk)
{
	size_t len;

	return read_whole_bytes(path, chunk, &len);
}

static char *status_line(void)
{
	char *text = read_whole_file("/proc/kfi", 0);
	char *line = text ? strstr(text, "status:") : NULL;

	if (!line) {
		free(text);
		return NULL;
	}
	line[strcspn(line, "\n")] = 0;
	memmove(text, line, strlen(line) + 1);
	return text;
}

bool kfi_state_is(const char *word)
{
	char no[40], *line = status_line();
	bool yes;

	snprintf(no, sizeof(no), "not %s", word);
	yes = line && strstr(line, word) && !strstr(line, no);
	free(line);
	return yes;
}

int kfi_run_id(void)
{
	char *line = status_line();
	int id = -1;

	if (line && sscanf(line, "status: run id %d", &id) != 1)
		id = -1;
	free(line);
	return id;
}

bool time_is_exact(void)
{
	static int exact = -1;
	char *text;

	if (exact < 0) {
		text = read_whole_file("/proc/cmdline", 0);
		exact = text && strstr(text, "kfi_time=exact");
		free(text);
	}
	return exact;
}

enum outcome skip_inexact_time(void)
{
	return because(SKIP, "durations are judged where time is exact only");
}

int scale_timeout(int time)
{
	static const char word[] = "kfi_slow=";
	static int slow;
	char *text, *at;

	if (!slow) {
		text = read_whole_file("/proc/cmdline", 0);
		at = text ? strstr(text, word) : NULL;
		slow = at ? atoi(at + strlen(word)) : 1;
		slow = slow > 1 ? slow : 1;
		free(text);
	}
	return slow * time;
}

bool wait_until(bool (*holds)(void))
{
	long long end = uptime_ms() + scale_timeout(WAIT_MS);

	while (!holds()) {
		if (uptime_ms() > end)
			return false;
		sleep_ms(10);
	}
	return true;
}

static const char *awaited_state;

static bool has_awaited_state(void)
{
	return kfi_state_is(awaited_state);
}

bool wait_state(const char *word)
{
	awaited_state = word;
	return wait_until(has_awaited_state);
}

char *kernel_log(void)
{
	static char text[1 << 18];
	int n = klogctl(3 /* SYSLOG_ACTION_READ_ALL */, text, sizeof(text) - 1);
	char *from = text, *to = text;

	text[n > 0 ? n : 0] = '\0';
	while (*from) {
		size_t len;

		if (*from == '<')
			from += strcspn(from, ">") + 1;
		if (*from == '[')
			from += strcspn(from, "]") + 2;
		len = strcspn(from, "\n") + 1;
		memmove(to, from, len);
		from += len;
		to += len;
	}
	*to = '\0';
	return text;
}

enum outcome parse_and_check_log(struct tracelog *log, char *text, const char *what)
{
	char why[200];

	if (tl_parse(log, text, why, sizeof(why)))
		return because(FAIL, "%s: %s", what, why);
	return check_parsed_log(log, what);
}

enum outcome check_parsed_log(struct tracelog *log, const char *what)
{
	char *complaints = NULL;
	size_t size;
	FILE *f;

	f = open_memstream(&complaints, &size);
	if (f && tl_check(log, f)) {
		fclose(f);
		fprintf(stderr, "%s", complaints);
		return because(FAIL, "%s: %.*s", what, (int)strcspn(complaints, "\n"), complaints);
	}
	if (f)
		fclose(f);
	free(complaints);
	return PASS;
}

enum outcome read_log_file(const char *path, struct tracelog *log)
{
	char *text = read_whole_file(path, 0);

	if (!text)
		return because(FAIL, "%s: %s", path, strerror(errno));
	return parse_and_check_log(log, text, path);
}

enum outcome read_log(struct tracelog *log)
{
	return read_log_file("/proc/kfi_trace", log);
}

enum outcome wait_and_read_log(struct tracelog *log)
{
	if (!wait_state("complete")) {
		char *line = status_line();

		return because(FAIL, "the run does not end: %s", line ? line : "no status");
	}
	return read_log(log);
}

bool has_kcsan(void)
{
	kmemleak_available();	/* mounts the file system */
	return !access("/sys/kernel/debug/kcsan", F_OK);
}

bool is_after_inlining(void)
{
	return symbol("kfi_entry");
}

/*
 * Return true if calls may have been lost to NMIs while shadow stacks were prepared. Each NMI makes
 * some ten calls. Other NMIs have rows.
 */
static bool lost_to_nmis(const struct tracelog *log)
{
	long long lost = tl_num(log, "Lost to no stack");

	for (size_t i = 0; i < log->nr_rows && lost > 0 && lost < 50; i++)
		if (log->rows[i].ctx == 'n')
			return true;
	return false;
}

enum outcome lost_nothing(const struct tracelog *log, const char *but)
{
	char text[300] = "";
	size_t at = 0;

	if (tl_num(log, "Lost to log full") > 0 && !log->profile)
		return because(DISTURBED, "the log was full after %s calls",
			       tl_text(log, "Calls kept"));
	if (lost_to_nmis(log))
		return because(DISTURBED, "an NMI came while a shadow stack was prepared");
	for (size_t i = 0; i < log->nr_head && at < sizeof(text); i++) {
		const char *name = log->head[i].name;

		if (strncmp(name, "Lost to ", 8) || (but && !strcmp(name + 8, but)) ||
		    (!strcmp(name + 8, "snapshot") && has_kcsan()))
			continue;
		if (tl_num(log, name))
			at += (size_t)snprintf(text + at, sizeof(text) - at, ", %lld %s",
					       tl_num(log, name), name);
	}
	if (*text)
		return because(FAIL, "calls lost: %s", text + 2);
	WANT(tl_num(log, "Calls lost") >= 0);
	return PASS;
}

enum outcome arm_run(const char *items)
{
	char text[4096];
	int ret;

	snprintf(text, sizeof(text), "new begin\n%s\nend\n", items);
	ret = kfi_write(text);
	if (ret)
		return because(FAIL, "refused with errno %d: %.120s", -ret, items);
	ret = kfi_write("prime");
	if (ret)
		return because(FAIL, "prime: errno %d", -ret);
	return PASS;
}

static struct {
	struct ksym *sym;
	size_t nr, nr_kernel;
	unsigned long symbols_base;	/* of the module's text when its symbols were read */
	unsigned long module_base;	/* of the module's text now; 0: no module */
	bool module_base_known;
} symtab;

static int by_name(const void *a, const void *b)
{
	const struct ksym *x = a, *y = b;

	return strcmp(x->name, y->name);
}

static void add_symbol(const struct ksym *s)
{
	if (!(symtab.nr & (symtab.nr - 1)))
		symtab.sym = realloc(symtab.sym, (symtab.nr ? 2 * symtab.nr : 1) * sizeof(*s));
	if (symtab.sym)
		symtab.sym[symtab.nr++] = *s;
}

/*
 * Reads "ADDRESS TYPE NAME[\t[MODULE]]", the modules' after all of the kernel's. The kernel's are
 * taken by the first read only; their names lie in its text, which stays.
 */
static void read_symbols(void)
{
	char *text = read_whole_file("/proc/kallsyms", 1 << 16), *line, *next;
	bool all = !symtab.nr_kernel;

	for (line = text; line && *line; line = next) {
		struct ksym s;
		char *at;

		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		s.addr = strtoul(line, &at, 16);
		if (at[0] != ' ' || !at[1] || at[2] != ' ')
			continue;
		s.type = at[1];
		s.name = at + 3;
		at = strchr(s.name, '\t');
		s.of_module = at;
		if (at)
			*at = 0;
		if (s.of_module)
			s.name = strdup(s.name);
		if (all || s.of_module)
			add_symbol(&s);
		if (all && !s.of_module)
			symtab.nr_kernel = symtab.nr;
	}
	if (!all)
		free(text);
	else
		qsort(symtab.sym, symtab.nr_kernel, sizeof(*symtab.sym), by_name);
	qsort(symtab.sym + symtab.nr_kernel, symtab.nr - symtab.nr_kernel, sizeof(*symtab.sym),
	      by_name);
}

void symbols_changed(void)
{
	symtab.module_base_known = false;
}

const struct ksym *symbols(size_t *nr)
{
	if (!symtab.module_base_known) {
		symtab.module_base = module_address();
		symtab.module_base_known = true;
	}
	if (!symtab.nr || (symtab.module_base && !symtab.symbols_base)) {
		symtab.nr = symtab.nr_kernel;
		read_symbols();
		symtab.symbols_base = symtab.module_base;
	}
	/* The text of the module may be elsewhere each time, but is the same. */
	if (symtab.module_base && symtab.module_base != symtab.symbols_base) {
		for (size_t i = symtab.nr_kernel; i < symtab.nr; i++)
			symtab.sym[i].addr += symtab.module_base - symtab.symbols_base;
		symtab.symbols_base = symtab.module_base;
	}
	*nr = symtab.module_base ? symtab.nr : symtab.nr_kernel;
	return symtab.sym;
}

/* Counts functions named @name in @nr symbols, sorted by name; @addr is set to the last one's. */
static int count_functions(const struct ksym *s, size_t nr, const char *name, unsigned long *addr)
{
	size_t from = 0, to = nr;
	int found = 0;

	while (from < to) {
		size_t mid = (from + to) / 2;

		if (strcmp(s[mid].name, name) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	for (; from < nr && !strcmp(s[from].name, name); from++)
		if (s[from].type == 't' || s[from].type == 'T') {
			*addr = s[from].addr;
			found++;
		}
	return found;
}

unsigned long symbol(const char *name)
{
	unsigned long addr = 0;
	const struct ksym *s;
	size_t nr;
	int found;

	s = symbols(&nr);
	found = count_functions(s, symtab.nr_kernel, name, &addr) +
		count_functions(s + symtab.nr_kernel, nr - symtab.nr_kernel, name, &addr);
	return found == 1 ? addr : 0;
}

const char *hex(unsigned long addr)
{
	static char buf[4][24];
	static int turn;

	turn = (turn + 1) % 4;
	snprintf(buf[turn], sizeof(buf[turn]), "0x%0*lx", (int)(2 * sizeof(addr)), addr);
	return buf[turn];
}

long count_rows(const struct tracelog *log, const char *func)
{
	const char *as = hex(symbol(func));
	long nr = 0, i = -1;

	while ((i = tl_find(log, as, i + 1)) >= 0)
		nr++;
	return nr;
}

long long meminfo_kb(const char *name)
{
	char *text = read_whole_file("/proc/meminfo", 0);
	char *at = text ? strstr(text, name) : NULL;
	long long kb = at ? atoll(at + strlen(name) + 1) : 0;

	free(text);
	return kb;
}

void use_cpu(int cpu)
{
	cpu_set_t one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	sched_setaffinity(0, sizeof(one), &one);
}

pid_t start_in_background(void (*work)(int), int arg)
{
	pid_t pid = fork();

	if (!pid) {
		work(arg);
		_exit(0);
	}
	return pid;
}

void fork_children(int n)
{
	for (int i = 0; i < n; i++) {
		if (!fork()) {
			free(read_whole_file("/proc/meminfo", 0));
			_exit(0);
		}
		wait(NULL);
	}
}

long calls_of_a_fork(void)
{
	long calls = 0, seen;
	struct tracelog log;

	/* The least of three: other tasks may run at the same time. */
	for (int i = 0; i < 3; i++) {
		if (kfi_write("new begin logentries 300000 end") || kfi_write("start"))
			return 0;
		fork_children(1);
		if (kfi_write("stop") || wait_and_read_log(&log) != PASS)
			return 0;
		seen = (long)tl_num(&log, "Calls seen");
		tl_free(&log);
		calls = !i || seen < calls ? seen : calls;
	}
	printf("# a fork: %ld calls\n", calls);
	return calls > 0 ? calls : 0;
}

void sleep_ms(int ms)
{
	struct timespec ts = { ms / 1000, ms % 1000 * 1000000L };

	while (nanosleep(&ts, &ts) && errno == EINTR)
		;
}

static volatile sig_atomic_t got_sigterm;

static void on_sigterm(int sig)
{
	(void)sig;
	got_sigterm = 1;
}

void catch_sigterm(void)
{
	signal(SIGTERM, on_sigterm);
}

bool task_sleeps(pid_t pid)
{
	char path[40], *text, *at;
	bool yes;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	text = read_whole_file(path, 0);
	at = text ? strrchr(text, ')') : NULL;
	yes = at && !strncmp(at, ") S", 3);
	free(text);
	return yes;
}

bool sigterm_received(void)
{
	return got_sigterm;
}

void stop_runs(void)
{
	/* Others may follow the one that is stopped. */
	for (int i = 0; i < 9 && kfi_state_is("triggered") && !kfi_state_is("complete"); i++)
		kfi_write("stop");
}

bool is_user_mode_linux(void)
{
	char *text = read_whole_file("/proc/cpuinfo", 0);
	bool found = text && strstr(text, "User Mode Linux");

	free(text);
	return found;
}

bool can_mark_syscalls(void)
{
	int version = 0, patchlevel = 0;
	struct utsname name;

	if (uname(&name) || strcmp(name.machine, "riscv64"))
		return true;
	return sscanf(name.release, "%d.%d", &version, &patchlevel) == 2 &&
	       (version > 6 || (version == 6 && patchlevel >= 4));
}

long long uptime_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_BOOTTIME, &ts);
	return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

void spin_ms(int ms)
{
	long long end = uptime_ms() + ms;

	while (uptime_ms() < end)
		;
}

bool make_dir(void)
{
	return !mkdir("/tmp/one", 0755);
}

bool remove_dir(void)
{
	return !rmdir("/tmp/one");
}
