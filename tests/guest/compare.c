// SPDX-License-Identifier: GPL-2.0
/*
 * compare.c - count the calls of each function while one program runs, see compare.h
 *
 * Only what the program's own process calls in task context is counted, from its first getppid()
 * to its end. Interrupts are left out, with all that they call once they have said that they are
 * over. On one cpu (nr_cpus=1), so that nothing waits for another one.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compare.h"
#include "guest.h"
#include "rawlog.h"

/* Enough that a count which depends on the pages there are is not the same in all by chance. */
#define RUNS	8
#define PROGRAM	"/tmp/" WORKLOAD
#define TRACING	"/sys/kernel/tracing"

/* Functions that an interrupt calls outside interrupt context. */
static const char * const interrupts[] = {
	"irq_enter", "irq_enter_rcu", "irq_exit", "irq_exit_rcu", "__irq_exit_rcu", "handle_softirqs",
	"tick_irq_enter", "tick_irq_exit",
};

/* The functions seen, by name; those of kallsyms, by address. */
struct func {
	char *name;
	long calls[RUNS];
};

struct sym {
	unsigned long addr;
	char *name;
};

static struct func *funcs;
static size_t nr_funcs;
static struct sym *syms;
static size_t nr_syms;
static char why[200];

static const char *errno_message(const char *what)
{
	snprintf(why, sizeof(why), "%s: %s", what, strerror(errno));
	return why;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct func *)a)->name, ((const struct func *)b)->name);
}

/* A compiler's copy counts as the function. */
static void count_call(int run, const char *name, size_t len)
{
	static struct func **hash;
	unsigned int h = 0, size = 1 << 15;
	size_t i;

	if (!hash) {
		hash = calloc(size, sizeof(*hash));
		funcs = calloc(size / 2, sizeof(*funcs));
	}
	for (i = 0; i < len && name[i] != '.'; i++)
		h = h * 31 + (unsigned char)name[i];
	len = i;
	for (h %= size; hash[h]; h = (h + 1) % size)
		if (!strncmp(hash[h]->name, name, len) && !hash[h]->name[len])
			break;
	if (!hash[h]) {
		if (nr_funcs == size / 2)
			return;
		hash[h] = &funcs[nr_funcs++];
		hash[h]->name = strndup(name, len);
	}
	hash[h]->calls[run]++;
}

/* Counts a call by its caller, too: to find out which caller causes a difference. */
static void count_call_and_caller(int run, const char *name, size_t len, int depth,
				  const char *callers_of)
{
	static char stack[300][64];
	char pair[140];

	count_call(run, name, len);
	if (!callers_of || depth < 1 || depth >= 300)
		return;
	snprintf(stack[depth], sizeof(stack[depth]), "%.*s", (int)len, name);
	if (strcmp(stack[depth], callers_of))
		return;
	snprintf(pair, sizeof(pair), "%s<%s", stack[depth], stack[depth - 1]);
	count_call(run, pair, strlen(pair));
}

static bool is_interrupt_function(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(interrupts) / sizeof(*interrupts); i++)
		if (strlen(interrupts[i]) == len && !strncmp(interrupts[i], name, len))
			return true;
	return false;
}

/* A file that nobody else has mapped: the tree of its mappings is the same each time. */
static bool copy_program(void)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to = open(PROGRAM, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
	ssize_t n;

	do {
		n = sendfile(to, from, NULL, 1 << 20);
	} while (n > 0);
	close(from);
	close(to);
	return !n;
}

/*
 * The program waits until it may go on: it is to be traced by its pid. It is a fresh one, in the
 * same place in memory each time, whatever this one has made of its own memory.
 */
static pid_t start_program(int *start_fd)
{
	int p[2];
	pid_t pid;
	char c;

	unlink(PROGRAM);
	if (!copy_program() || pipe2(p, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		close(p[1]);
		if (read(p[0], &c, 1) < 0)
			_exit(1);
		personality(ADDR_NO_RANDOMIZE);
		execl(PROGRAM, WORKLOAD, NULL);
		_exit(1);
	}
	close(p[0]);
	*start_fd = p[1];
	return pid;
}

static bool finish_program(pid_t pid, int start_fd)
{
	int status;

	close(start_fd);
	return waitpid(pid, &status, 0) == pid && !status;
}

static int by_addr(const void *a, const void *b)
{
	unsigned long x = ((const struct sym *)a)->addr, y = ((const struct sym *)b)->addr;

	return x < y ? -1 : x > y;
}

static int by_addr_and_name(const void *a, const void *b)
{
	int by = by_addr(a, b);

	return by ? by : strcmp(((const struct sym *)a)->name, ((const struct sym *)b)->name);
}

static int by_sym_name(const void *a, const void *b)
{
	return strcmp(((const struct sym *)a)->name, ((const struct sym *)b)->name);
}

static void load_symbols(void)
{
	char line[512], name[256], type;
	FILE *f = fopen("/proc/kallsyms", "r");
	unsigned long addr;

	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx %c %255s", &addr, &type, name) != 3 || !strchr("tTwW", type))
			continue;
		if (!(nr_syms & (nr_syms - 1)))
			syms = realloc(syms, (nr_syms ? 2 * nr_syms : 1) * sizeof(*syms));
		syms[nr_syms++] = (struct sym) { addr, strdup(name) };
	}
	if (f)
		fclose(f);
	qsort(syms, nr_syms, sizeof(*syms), by_addr_and_name);
}

/*
 * The function that @addr is in: on arm function graph has the address of its call at the beginning
 * of the function. Of several names of one function, always the same one; NULL if there is none.
 */
static char *name_at(unsigned long addr)
{
	size_t first = 0, end = nr_syms;

	while (first < end) {
		size_t i = (first + end) / 2;

		if (syms[i].addr <= addr)
			first = i + 1;
		else
			end = i;
	}
	while (first > 1 && syms[first - 2].addr == syms[first - 1].addr)
		first--;
	return first ? syms[first - 1].name : NULL;
}

/* Gives each function the name of name_at(): a tracer may print another name of its address. */
static void unify_names(void)
{
	struct sym *names = malloc(nr_syms * sizeof(*names)), key, *s;

	memcpy(names, syms, nr_syms * sizeof(*names));
	qsort(names, nr_syms, sizeof(*names), by_sym_name);
	for (size_t i = 0; i < nr_funcs; i++) {
		key.name = funcs[i].name;
		s = bsearch(&key, names, nr_syms, sizeof(*names), by_sym_name);
		if (s)
			funcs[i].name = name_at(s->addr);
	}
	free(names);
}

/* ---- KFI ---- */

/* The raw log: the kernel need not format, and this need not parse, a line for each call. */
static enum outcome read_raw(struct tracelog *log)
{
	size_t len;
	char *data = read_whole_bytes("/proc/kfi_raw", 0, &len), why_not[200], *complaints = NULL;
	int ret = data ? raw_parse(log, data, len, why_not, sizeof(why_not)) : -1;
	FILE *out = open_memstream(&complaints, &len);

	free(data);
	if (!ret && out)
		ret = tl_check(log, out);
	if (out)
		fclose(out);
	free(complaints);
	return ret || !out ? FAIL : PASS;
}

static const char *count_with_kfi(int run, const char *callers_of)
{
	static const char * const start[] = { "__x64_sys_getppid", "sys_getppid" };
	struct tracelog log;
	char text[300];
	int start_fd, skipped_depth = 0;
	pid_t pid = start_program(&start_fd);

	snprintf(text, sizeof(text), "new begin trigger start exit %s filter pid %d filter noints "
		 "logentries 2000000 end", symbol(start[0]) ? start[0] : start[1], pid);
	if (kfi_write(text) || kfi_write("prime"))
		return errno_message("/proc/kfi");
	if (!finish_program(pid, start_fd))
		return "the program failed";
	if (kfi_write("stop") || read_raw(&log) != PASS)
		return "no log that is true";
	if (tl_num(&log, "Calls lost"))
		return "calls were lost";
	for (size_t i = 0; i < log.nr_rows; i++) {
		const struct tl_row *r = &log.rows[i];
		const char *name = name_at(strtoul(r->func, NULL, 16));

		if (skipped_depth && r->depth > skipped_depth)
			continue;
		skipped_depth = 0;
		if (!name)
			name = r->func;
		if (is_interrupt_function(name, strcspn(name, "."))) {
			skipped_depth = r->depth;
			continue;
		}
		count_call_and_caller(run, name, strlen(name), r->depth, callers_of);
	}
	tl_free(&log);
	return NULL;
}

/* ---- function graph ---- */

/* The folder of its files. They are mounted nowhere while the program runs: it would see that. */
static int tracing = -1;

static bool open_tracing(void)
{
	if (mount("tracefs", TRACING, "tracefs", 0, NULL) && errno != EBUSY)
		return false;
	tracing = open(TRACING, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return tracing >= 0 && !umount2(TRACING, MNT_DETACH);
}

static FILE *open_file(const char *file)
{
	int fd = openat(tracing, file, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? NULL : fdopen(fd, "r");
}

static bool write_tracing(const char *file, const char *text)
{
	int fd = openat(tracing, file, O_WRONLY | O_TRUNC | O_CLOEXEC);
	bool ok;

	ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
	if (fd >= 0)
		close(fd);
	return ok;
}

/* The event of an entry: its number, and where in it the function and the depth are. */
static struct {
	unsigned int id, func, depth;
} entry_format;

static bool read_entry_format(void)
{
	FILE *f = open_file("events/ftrace/funcgraph_entry/format");
	char line[200], *at;

	entry_format = (typeof(entry_format)) { 0 };
	while (f && fgets(line, sizeof(line), f)) {
		at = strstr(line, "offset:");
		if (!strncmp(line, "ID: ", 4))
			entry_format.id = atoi(line + 4);
		else if (at && strstr(line, " func;"))
			entry_format.func = atoi(at + strlen("offset:"));
		else if (at && strstr(line, " depth;"))
			entry_format.depth = atoi(at + strlen("offset:"));
	}
	if (f)
		fclose(f);
	return entry_format.id && entry_format.func && entry_format.depth;
}

/* State while the events of one run are read. */
struct graph {
	int run;
	const char *callers_of;
	bool started;		/* the program has called getppid() */
	int skipped_depth;	/* calls deeper than this are skipped; -1: none is */
};

static void graph_event(struct graph *g, const char *data)
{
	unsigned long func;
	unsigned short id;
	const char *name;
	int depth;

	memcpy(&id, data, sizeof(id));
	if (id != entry_format.id)
		return;
	memcpy(&func, data + entry_format.func, sizeof(func));
	memcpy(&depth, data + entry_format.depth, sizeof(depth));
	if (g->skipped_depth >= 0 && depth > g->skipped_depth)
		return;
	g->skipped_depth = -1;
	name = name_at(func);
	if (!name)
		return;
	if (!g->started) {
		g->started = strstr(name, "sys_getppid");
		g->skipped_depth = g->started ? depth : -1;
	} else if (is_interrupt_function(name, strcspn(name, "."))) {
		g->skipped_depth = depth;
	} else {
		count_call_and_caller(g->run, name, strlen(name), depth + 1, g->callers_of);
	}
}

/* A page of the ring buffer, as include/linux/ring_buffer.h and events/header_page describe it. */
#define PAGE_HEAD	(8 + sizeof(long))	/* time stamp, bytes that are committed */
#define PAGE_BYTES	4096

static bool graph_page(struct graph *g, const char *page)
{
	uint32_t commit, head, len;

	memcpy(&commit, page + 8, sizeof(commit));
	if (commit > PAGE_BYTES - PAGE_HEAD)
		return false;	/* too long, or events were missed before it */
	for (uint32_t at = 0; at < commit;) {
		const char *data = page + PAGE_HEAD + at;
		unsigned int type;

		memcpy(&head, data, sizeof(head));
		memcpy(&len, data + 4, sizeof(len));
		type = head & 31;
		if (type == 29) {		/* padding */
			if (!(head >> 5))
				break;
			at += 4 + len;
		} else if (type >= 30) {	/* time only */
			at += 8;
		} else if (type) {
			graph_event(g, data + 4);
			at += 4 + 4 * type;
		} else {
			graph_event(g, data + 8);
			at += 4 + len;
		}
	}
	return true;
}

static const char *count_with_graph(int run, const char *callers_of)
{
	struct graph g = { .run = run, .callers_of = callers_of, .skipped_depth = -1 };
	char pid_text[20], line[512], page[PAGE_BYTES];
	int start_fd, fd;
	pid_t pid = start_program(&start_fd);
	bool whole = true;
	long lost = -1;
	ssize_t n;
	FILE *f;

	snprintf(pid_text, sizeof(pid_text), "%d", pid);
	if (!write_tracing("tracing_on", "0") || !write_tracing("trace", "") ||
	    !write_tracing("set_ftrace_pid", pid_text) ||
	    !write_tracing("options/funcgraph-irqs", "0") ||
	    !write_tracing("buffer_size_kb", "150000") ||
	    !write_tracing("current_tracer", "function_graph") || !read_entry_format() ||
	    !write_tracing("tracing_on", "1"))
		return errno_message(TRACING);
	if (!finish_program(pid, start_fd))
		return "the program failed";
	write_tracing("tracing_on", "0");
	f = open_file("per_cpu/cpu0/stats");
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "overrun: %ld", &lost) == 1 ||
		    sscanf(line, "dropped events: %ld", &lost) == 1)
			whole = whole && !lost;
	if (!f || lost < 0 || !whole)
		return "events were lost";
	fclose(f);
	fd = openat(tracing, "per_cpu/cpu0/trace_pipe_raw", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	while ((n = read(fd, page, sizeof(page))) == sizeof(page))
		if (!graph_page(&g, page))
			return "not a page of the ring buffer, or events were missed";
	if (fd < 0 || n > 0 || (n < 0 && errno != EAGAIN))
		return errno_message("trace_pipe_raw");
	close(fd);
	return g.started ? NULL : "the program does not call getppid()";
}

void report_traceable(void (*report)(const char *fmt, ...))
{
	FILE *f;
	char line[256], many[500] = "";

	if (tracing < 0 && !open_tracing())
		return;
	f = open_file("available_filter_functions");
	if (!f)
		return;
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, " .\n")] = 0;
		if (strlen(many) + strlen(line) + 2 > sizeof(many)) {
			report("# can%s", many);
			*many = 0;
		}
		strcat(strcat(many, " "), line);
	}
	report("# can%s", many);
	fclose(f);
}

const char *compare(void (*report)(const char *fmt, ...), const char *callers_of)
{
	bool kfi = !access("/proc/kfi", F_OK);
	const char *wrong = NULL;
	char line[300];

	load_symbols();
	if (!kfi && !open_tracing())
		return errno_message("tracefs");
	for (int run = 0; run < RUNS && !wrong; run++)
		wrong = kfi ? count_with_kfi(run, callers_of) : count_with_graph(run, callers_of);
	if (wrong)
		return wrong;
	unify_names();
	qsort(funcs, nr_funcs, sizeof(*funcs), by_name);
	for (size_t i = 0; i < nr_funcs; i++) {
		long calls[RUNS] = { 0 };
		size_t first = i;
		int n = 0;

		for (; i < nr_funcs && !strcmp(funcs[i].name, funcs[first].name); i++)
			for (int run = 0; run < RUNS; run++)
				calls[run] += funcs[i].calls[run];
		i--;
		for (int run = 0; run < RUNS; run++)
			n += snprintf(line + n, sizeof(line) - n, " %ld", calls[run]);
		report("# calls %s%s", funcs[i].name, line);
	}
	if (!kfi)
		report_traceable(report);
	return NULL;
}
