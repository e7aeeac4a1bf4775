// SPDX-License-Identifier: GPL-2.0
/*
 * Writes large logs for benchmarks: calls that nest, of several tasks on two cpus, with interrupts
 * and switches among them. The same calls come out in each form. Called by tests/bench/tools.sh.
 *
 * usage: mklog FORM CALLS OUT
 *
 *	map		System.map of the functions
 *	text, names	a log of format 4 with addresses, or with names
 *	boot		the same with names, of a boot, with marks of switches and wake-ups
 *	kft, kftnames	a log of KFT with addresses, or with names
 *	raw		what /proc/kfi_raw has
 *	uftrace		OUT is a folder, for uftrace
 *
 * Calls are made in batches: what one cpu does between two system calls. Rows of a batch are in
 * order of entry; the batches of the two cpus are merged.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "core/check.h"
#include "kfi_abi.h"

#define FUNCS		3000
#define CPUS		2
#define TASKS		6		/* of each cpu */
#define BATCH		8192		/* rows in one, at most */
#define DEPTH_MAX	40
#define TEXT		0xffffffff81000000ull
#define CODE		640		/* bytes of a function */

struct row {
	u64 entry, delta, local, off, irq;
	u32 func, caller, site;
	u32 task, depth, batch;
	u32 woken, next;	/* of a mark: the task that is woken, or comes next; 0: none */
	u8 cpu, ctx;
};

static struct cpu {
	u64 now;
	u32 task, n, at;
	u32 budget;
	struct row row[BATCH];
	u64 off, irq;		/* in all, so far */
	bool away;		/* another task runs while one rests */
} cpus[CPUS];

static char names[FUNCS][32];
static u64 seed = 88172645463325252ull;
static FILE *out;
static u64 written;
static bool with_marks;

static u32 rnd(u32 n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (u32)(seed >> 32) % n;
}

static u64 address(u32 func)
{
	return TEXT + (u64)func * CODE;
}

static void make_names(void)
{
	static const char *const word[] = {
		"vfs", "get", "put", "sysfs", "dentry", "alloc", "free", "page", "lock", "irq",
		"mmc", "clk", "of", "node", "read", "write", "timer", "queue", "work", "cpu",
		"update", "do", "device", "driver", "probe", "kobject", "inode", "path", "walk",
		"set", "find", "rb", "tree", "sched", "task", "mem", "slab", "init",
	};

	for (u32 i = 0; i < FUNCS; i++)
		snprintf(names[i], sizeof(names[i]), "%s_%s_%s%u", word[rnd(ARRAY_SIZE(word))],
			 word[rnd(ARRAY_SIZE(word))], word[rnd(ARRAY_SIZE(word))], i);
}

/* Always a function further up, so that calls end. */
static u32 callee(u32 func, u32 which)
{
	u32 step = 1 + (func * 7919 + which * 104729 + 13) % 450;

	return func + step < FUNCS ? func + step : FUNCS - 1 - which;
}

/* A function does mostly the same. */
static u32 calls_of(u32 func)
{
	static const u8 few[16] = { 1, 2, 1, 3, 0, 1, 2, 4, 1, 0, 2, 1, 3, 2, 6, 1 };

	if (func > FUNCS - 200)
		return 0;
	return rnd(128) ? few[func * 2654435761u >> 28] : rnd(5);
}

static void call(struct cpu *c, u32 func, u32 caller, u32 depth, u8 ctx);

static u32 pid_of(const struct cpu *c, u32 task)
{
	u32 n = (u32)(c - cpus) * TASKS + task;

	/* A boot has a task 1. */
	return with_marks && !n ? 1 : 100 + n;
}

/* The cpu's task wakes another one, and is switched out for it. */
static void switch_to(struct cpu *c, u32 task)
{
	struct row r = { .entry = c->now, .task = pid_of(c, c->task), .cpu = (u8)(c - cpus) };

	if (with_marks && task != c->task) {
		r.woken = pid_of(c, task);
		c->row[c->n++] = r;
		r.woken = 0;
		r.next = pid_of(c, task);
		c->row[c->n++] = r;
	}
	c->task = task;
}

static void maybe_interrupt(struct cpu *c, u32 func, u32 depth)
{
	u64 begin = c->now, irq = c->irq;

	if (rnd(300) || c->n > BATCH - 1000)
		return;
	call(c, rnd(16), func, depth + 1, KFI_CTX_HARDIRQ);
	if (!rnd(2))
		call(c, 16 + rnd(16), func, depth + 1, KFI_CTX_SOFTIRQ);
	c->irq = irq + (c->now - begin);
}

static void maybe_switch(struct cpu *c)
{
	u64 begin = c->now, off = c->off, irq = c->irq;
	u32 task = c->task, budget = c->budget;

	if (rnd(500) || c->n > BATCH - 2000 || c->away)
		return;
	c->away = true;
	switch_to(c, (task + 1 + rnd(TASKS - 1)) % TASKS);
	c->budget = rnd(500) + 1;
	call(c, 32 + rnd(10), 31, 1, KFI_CTX_TASK);
	c->away = false;
	switch_to(c, task);
	c->budget = budget;
	c->off = off + (c->now - begin);
	c->irq = irq;
}

static void call(struct cpu *c, u32 func, u32 caller, u32 depth, u8 ctx)
{
	u32 at = c->n++, calls = ctx != KFI_CTX_TASK ? rnd(3) : calls_of(func);
	struct row *r = &c->row[at];
	u64 children = 0, off = c->off, irq = c->irq;

	*r = (struct row){
		.entry = c->now, .func = func, .caller = caller, .site = 4 + rnd(CODE - 8),
		.task = pid_of(c, c->task), .depth = depth,
		.cpu = (u8)(c - cpus), .ctx = ctx,
	};
	c->now += 40 + rnd(400);
	for (u32 i = 0; i < calls && c->budget && depth < DEPTH_MAX && c->n < BATCH - 100; i++) {
		u64 begin = c->now, lost = c->off + c->irq;

		c->budget--;
		call(c, ctx == KFI_CTX_TASK ? callee(func, rnd(128) ? i : rnd(6)) : rnd(32), func, depth + 1, ctx);
		children += (c->now - begin) - (c->off + c->irq - lost);
		c->now += 20 + rnd(200);
		if (ctx == KFI_CTX_TASK) {
			maybe_interrupt(c, func, depth);
			maybe_switch(c);
		}
	}
	r->delta = c->now - r->entry;
	r->off = c->off - off;
	r->irq = c->irq - irq;
	r->local = r->delta - children - r->off - r->irq;
}

static void batch(struct cpu *c)
{
	c->n = c->at = 0;
	c->off = c->irq = 0;
	switch_to(c, rnd(TASKS));
	while (c->n < BATCH / 2) {
		c->budget = 20 + rnd(2000);
		call(c, 32 + (rnd(8) ? rnd(10) : rnd(200)), 31, 1, KFI_CTX_TASK);
		c->now += rnd(2000);
		if (!rnd(4))
			switch_to(c, (c->task + 1) % TASKS);
	}
}

/* The next call, in order of entry. */
static const struct row *next(void)
{
	struct cpu *best = NULL;

	for (u32 i = 0; i < CPUS; i++) {
		struct cpu *c = &cpus[i];

		if (c->at == c->n)
			batch(c);
		if (!best || c->row[c->at].entry < best->row[best->at].entry)
			best = c;
	}
	return &best->row[best->at++];
}

static void header(u64 calls, FILE *to)
{
	fprintf(to, "\nKernel Instrumentation Run ID 0\n\n"
		"Logging started at 0 usec by user action\nLogging stopped at 1 usec by log full\n\n"
		"Filter Counters:\n\nTotal entries filtered = 0\nEntries not found = 0\n\n"
		"Number of entries after filters = %" PRIu64 "\n\n", calls);
}

static void title_today(FILE *to)
{
	fprintf(to, "Clock = tsc\nKernel = 6.12.0-bench\nWord size = 64\nText = 0x%llx\n"
		"Callout cost = 20 ns kept, 10 ns dropped\nLog format = 5\n\n", TEXT);
	fprintf(to, " Entry    Delta     PID     %-32s %-32s %12s %12s %12s Cpu Depth Ctx    Task "
		"%-14s %12s %12s\n", "Function", "Caller", "Entry-ns", "Delta-ns", "Local-ns", "Marks",
		"Off-ns", "Irq-ns");
	fprintf(to, "-------- -------- -------- -------------------------------- "
		"-------------------------------- ------------ ------------ ------------ --- ----- "
		"--- ------- -------------- ------------ ------------\n");
}

static void title_kft(FILE *to)
{
	fprintf(to, "\n Entry    Delta     PID        Function                        Caller\n"
		"-------- -------- -------- ----------------                 ------------\n");
}

/* The sums of format 4 since the last check line, and that line. */
static struct kfi_check check;

static void add_to_check(const struct row *r)
{
	const s64 ns[5] = {
		(s64)r->entry, (s64)r->delta, (s64)r->local, (s64)r->off, (s64)r->irq,
	};

	kfi_check_row(&check, ns, r->task, r->cpu, r->depth, r->ctx, 0, 0);
	kfi_check_add(&check.addresses, address(r->func));
	kfi_check_add(&check.addresses, address(r->caller) + r->site);
}

static void write_check(bool names_too)
{
	fprintf(out, "# check %u %08x %08x%s\n", check.lines, (u32)check.numbers,
		(u32)check.addresses, names_too ? " names" : "");
	check = (struct kfi_check){ 0 };
}

/* What a boot begins with: rows of calls that do not return. */
static void write_begin(void)
{
	static const struct {
		const char *name;
		u32 task;
	} begin[] = { { "start_kernel", 0 }, { "kernel_init", 1 } };
	const s64 open[5] = { 0, -1, -1, -1, -1 };

	for (size_t i = 0; i < ARRAY_SIZE(begin); i++) {
		fprintf(out, "0 -1 %u %s 0x0 0 -1 -1 0 1 t %u open -1 -1\n", begin[i].task,
			begin[i].name, begin[i].task);
		kfi_check_row(&check, open, begin[i].task, 0, 1, KFI_CTX_TASK, KFI_MARK_OPEN,
			      0);
	}
	written += ARRAY_SIZE(begin);
}

static void write_mark(const struct row *r)
{
	fprintf(out, "# %8" PRIu64 " %12" PRIu64 " %3u %7u t ", r->entry / 1000, r->entry, r->cpu,
		r->task);
	if (r->woken)
		fprintf(out, "wakeup %u %s %s\n", r->woken, names[r->woken], names[r->task]);
	else
		fprintf(out, "switch %u task%u\n", r->next, r->next);
	kfi_check_mark(&check, r->entry, r->task, r->cpu, KFI_CTX_TASK);
	if (check.lines == KFI_CHECK_LINES)
		write_check(true);
}

static void write_text(const struct row *r, bool names_too, bool today)
{
	char func[48], caller[48];
	u64 us = r->entry / 1000, delta = (r->entry + r->delta) / 1000 - us;

	if (r->woken || r->next) {
		write_mark(r);
		return;
	}

	if (names_too) {
		snprintf(func, sizeof(func), "%s", names[r->func]);
		snprintf(caller, sizeof(caller), "%s+0x%x", names[r->caller], r->site);
	} else {
		snprintf(func, sizeof(func), "0x%016" PRIx64, address(r->func));
		snprintf(caller, sizeof(caller), "0x%016" PRIx64, address(r->caller) + r->site);
	}
	fprintf(out, "%8" PRIu64 " %8" PRIu64 " %8d %-32s %-32s", us, delta,
		r->ctx == KFI_CTX_TASK ? (int)r->task : -1, func, caller);
	if (today)
		fprintf(out, " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %3u %5u   %c %7u %-14s %12"
			PRIu64 " %12" PRIu64, r->entry, r->delta, r->local, r->cpu, r->depth,
			KFI_CTX_LETTERS[r->ctx], r->task, "-", r->off, r->irq);
	fputc('\n', out);
	if (!today)
		return;
	add_to_check(r);
	if (check.lines == KFI_CHECK_LINES)
		write_check(names_too);
}

static int by_exit(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	u64 i = x->entry + x->delta, j = y->entry + y->delta;

	return i < j ? -1 : i > j;
}

static void part(u32 kind, const void *data, u32 bytes)
{
	struct kfi_raw_part p = { kind, bytes };
	static const char zeros[8];

	fwrite(&p, sizeof(p), 1, out);
	fwrite(data, 1, bytes, out);
	fwrite(zeros, 1, -bytes % KFI_RAW_ALIGN, out);
}

/*
 * What the recorder writes of most calls: all that fits, in five words, or six of a call on top of
 * which interrupts ran. Return: its words, 0: it does not fit.
 */
static u32 packed_record(const struct row *r, u64 base, u32 *w)
{
	u64 exit = r->entry + r->delta, split = r->irq ? r->irq : r->local;
	u32 n = 3, form = r->irq ? 1 : 5;

	if (r->off || exit - base > INT32_MAX || r->local >> 20 || split >> 20 || r->depth > 255 ||
	    (r->irq ? r->delta >> 32 : r->delta >> 20))
		return 0;
	w[0] = form | (u32)r->ctx << 5 | r->task << 10;
	w[1] = (u32)(address(r->func) - TEXT) | r->depth << 24;
	w[2] = (u32)(address(r->caller) + r->site - TEXT) | (u32)(split >> 12) << 24;
	w[n++] = (u32)(exit - base);
	if (r->irq)
		w[n++] = (u32)r->delta;
	w[n++] = (u32)(r->irq ? r->local : r->delta) | (u32)split << 20;
	return n;
}

/* A record of a chunk; Return: its words. */
static u32 record(const struct row *r, u64 base, u32 *w)
{
	u64 exit = r->entry + r->delta;
	u32 n = packed_record(r, base, w), parts = 0;

	if (n)
		return n;
	n = 6;
	w[1] = (u32)(address(r->func) - TEXT);
	w[2] = (u32)(address(r->caller) + r->site - TEXT);
	w[3] = (u32)(exit - base);
	w[4] = (u32)r->delta;
	w[5] = (u32)(r->local & 0x3fffff) | r->depth << 22;
	if (exit - base > INT32_MAX || r->delta > U32_MAX || r->local > 0x3fffff)
		parts |= 1;
	if (r->off || r->irq)
		parts |= 4;
	if (parts)
		w[n++] = parts;
	if (parts & 1) {
		u64 v[] = { exit, r->delta, r->local };

		memcpy(w + n, v, sizeof(v));
		n += 6;
	}
	if (parts & 4) {
		u64 v[] = { r->off, r->irq };

		memcpy(w + n, v, sizeof(v));
		n += 4;
	}
	w[0] = n | (u32)r->ctx << 5 | r->task << 10;
	return n;
}

static void write_raw(u64 calls)
{
	struct kfi_raw_head h = {
		.magic = KFI_RAW_MAGIC, .order = KFI_RAW_ORDER, .version = KFI_RAW_VERSION,
		.word_bits = 64, .bytes = sizeof(h), .text = TEXT, .hz = 1000000000, .max = U64_MAX,
	};
	struct kfi_raw_end end = { calls };
	static struct {
		struct kfi_raw_chunk head;
		u32 w[1024];
	} chunk;
	struct row *rows = calloc(calls, sizeof(*rows));
	char *text;
	size_t len;
	FILE *mem = open_memstream(&text, &len);

	if (!rows || !mem)
		exit(2);
	fwrite(&h, sizeof(h), 1, out);
	header(calls, mem);
	title_today(mem);
	fclose(mem);
	part(KFI_RAW_TEXT, text, (u32)len);
	for (u64 i = 0; i < calls; i++)
		rows[i] = *next();
	qsort(rows, calls, sizeof(*rows), by_exit);
	for (u32 cpu = 0; cpu < CPUS; cpu++) {
		chunk.head = (struct kfi_raw_chunk){ .cpu = cpu };
		for (u64 i = 0; i < calls; i++) {
			if (rows[i].cpu != cpu)
				continue;
			if (!chunk.head.words)
				chunk.head.base = rows[i].entry + rows[i].delta;
			chunk.head.words += record(&rows[i], chunk.head.base,
						   chunk.w + chunk.head.words);
			if (chunk.head.words < 1000)
				continue;
			part(KFI_RAW_CHUNK, &chunk, sizeof(chunk.head) + chunk.head.words * 4);
			chunk.head.words = 0;
		}
		if (chunk.head.words)
			part(KFI_RAW_CHUNK, &chunk, sizeof(chunk.head) + chunk.head.words * 4);
	}
	part(KFI_RAW_END, &end, sizeof(end));
}

static void write_map(void)
{
	for (u32 i = 0; i < FUNCS; i++)
		fprintf(out, "%016" PRIx64 " %c %s\n", address(i), i % 2 ? 'T' : 't', names[i]);
	fprintf(out, "%016" PRIx64 " T _etext\n", address(FUNCS));
}

static FILE *file_in(const char *dir, const char *name)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	f = fopen(path, "w");
	if (!f) {
		perror(path);
		exit(2);
	}
	return f;
}

/* A record of uftrace: entry (0) or exit (1). Addresses are those of a program from 0x1000 on. */
static void put_uftrace(FILE *f, u64 time, u32 type, u32 depth, u32 func)
{
	u64 w[2] = { time, type | 5u << 3 | (u64)depth << 6 | (u64)(0x1000 + func * CODE) << 16 };

	fwrite(w, sizeof(w), 1, f);
}

static void write_uftrace(const char *dir, u64 calls)
{
	static struct {
		FILE *f;
		const struct row *open[2 * DEPTH_MAX + 4];
		struct row rows[2 * DEPTH_MAX + 4];
		u32 n;
	} task[CPUS * TASKS];
	char name[32], list[512] = "";
	FILE *f;
	struct {
		char magic[8];
		u32 version;
		u16 head;
		u8 order, bits;
		u64 feat, info;
		u16 depth, unused[3];
	} head = { "Ftrace!", 4, 40, 1, 2, 0x2 | 0x20 | 0x40, 0x1 | 0x2 | 0x80, 1024, { 0 } };

	if (mkdir(dir, 0755) && errno != EEXIST) {
		perror(dir);
		exit(2);
	}
	for (u32 i = 0; i < ARRAY_SIZE(task); i++) {
		snprintf(name, sizeof(name), "%u.dat", 100 + i);
		task[i].f = file_in(dir, name);
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%u", i ? "," : "",
			 100 + i);
	}
	for (u64 i = 0; i <= calls; i++) {
		const struct row *r = i < calls ? next() : NULL;

		for (u32 t = 0; t < ARRAY_SIZE(task); t++) {
			if (r && r->task != 100 + t)
				continue;
			while (task[t].n) {
				struct row *o = &task[t].rows[task[t].n - 1];

				if (r && o->entry + o->delta > r->entry)
					break;
				task[t].n--;
				put_uftrace(task[t].f, o->entry + o->delta + 1, 1, task[t].n, o->func);
			}
			if (!r)
				continue;
			put_uftrace(task[t].f, r->entry + 1, 0, task[t].n, r->func);
			task[t].rows[task[t].n++] = *r;
		}
	}
	for (u32 i = 0; i < ARRAY_SIZE(task); i++)
		fclose(task[i].f);
	f = file_in(dir, "info");
	fwrite(&head, sizeof(head), 1, f);
	fprintf(f, "exename:/bench\nbuild_id:%040d\ntaskinfo:lines=2\ntaskinfo:nr_tid=%u\n"
		"taskinfo:tids=%s\n", 0, (u32)ARRAY_SIZE(task), list);
	fclose(f);
	f = file_in(dir, "task.txt");
	fprintf(f, "SESS timestamp=0.000000001 pid=100 sid=00000000bench001 exename=\"/bench\"\n");
	for (u32 i = 0; i < ARRAY_SIZE(task); i++)
		fprintf(f, "TASK timestamp=0.000000001 tid=%u pid=100\n", 100 + i);
	fclose(f);
	f = file_in(dir, "sid-00000000bench001.map");
	fprintf(f, "00001000-01000000 r-xp 00000000 00:00 0                          /bench\n"
		"7ffc00000000-7ffc00001000 rw-p 00000000 00:00 0                          [stack]\n");
	fclose(f);
	f = file_in(dir, "bench.sym");
	for (u32 i = 0; i < FUNCS; i++)
		fprintf(f, "%016x T %s\n", i * CODE, names[i]);
	fprintf(f, "%016x ? __sym_end\n", FUNCS * CODE);
	fclose(f);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		bool names, today, boot;
	} texts[] = {
		{ "text", false, true }, { "names", true, true }, { "boot", true, true, true },
		{ "kft", false, false }, { "kftnames", true, false },
	};
	static char buf[1 << 20];
	const char *form = argc == 4 ? argv[1] : "";
	u64 calls = argc == 4 ? strtoull(argv[2], NULL, 10) : 0;

	make_names();
	if (!strcmp(form, "uftrace")) {
		write_uftrace(argv[3], calls);
		return 0;
	}
	out = argc == 4 ? fopen(argv[3], "w") : NULL;
	if (!out) {
		fprintf(stderr, "usage: mklog map|text|names|boot|kft|kftnames|raw|uftrace CALLS OUT\n");
		return 2;
	}
	setvbuf(out, buf, _IOFBF, sizeof(buf));
	if (!strcmp(form, "map"))
		write_map();
	else if (!strcmp(form, "raw"))
		write_raw(calls);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		if (strcmp(form, texts[i].name))
			continue;
		header(calls, out);
		if (texts[i].today)
			title_today(out);
		else
			title_kft(out);
		with_marks = texts[i].boot;
		if (with_marks)
			write_begin();
		while (written < calls) {
			const struct row *r = next();

			write_text(r, texts[i].names, texts[i].today);
			written += !r->woken && !r->next;
		}
		if (check.lines)
			write_check(texts[i].names);
	}
	return fclose(out) ? 2 : 0;
}
