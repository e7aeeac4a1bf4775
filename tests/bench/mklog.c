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
#include <zlib.h>

#include "core/check.h"
#include "kfi_abi.h"

#define FUNCS		3000
#define CPUS		2
#define TASKS		6		/* of each cpu */
#define BATCH_ROWS	8192		/* rows in a batch, at most */
#define DEPTH_MAX	40
#define TEXT		0xffffffff81000000ull
#define FUNC_BYTES	640

struct row {
	u64 entry, delta, local, off, irq;
	u32 func, caller, site;
	u32 task, depth, batch;
	u32 woken, next_task;	/* of a mark: the task that is woken, or switched to; 0: none */
	u8 cpu, ctx;
};

static struct cpu {
	u64 now;
	u32 task, n, at;
	u32 call_budget;
	struct row row[BATCH_ROWS];
	u64 off, irq;		/* in all, so far */
	bool nested_task;	/* another task runs in a call of the first one */
} cpus[CPUS];

static char names[FUNCS][32];
static u64 seed = 88172645463325252ull;
static FILE *out;
static u64 rows_written;
static bool boot_marks;

static u32 random_below(u32 n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (u32)(seed >> 32) % n;
}

static u64 address(u32 func)
{
	return TEXT + (u64)func * FUNC_BYTES;
}

static void generate_names(void)
{
	static const char *const word[] = {
		"vfs", "get", "put", "sysfs", "dentry", "alloc", "free", "page", "lock", "irq",
		"mmc", "clk", "of", "node", "read", "write", "timer", "queue", "work", "cpu",
		"update", "do", "device", "driver", "probe", "kobject", "inode", "path", "walk",
		"set", "find", "rb", "tree", "sched", "task", "mem", "slab", "init",
	};

	for (u32 i = 0; i < FUNCS; i++)
		snprintf(names[i], sizeof(names[i]), "%s_%s_%s%u",
			 word[random_below(ARRAY_SIZE(word))], word[random_below(ARRAY_SIZE(word))],
			 word[random_below(ARRAY_SIZE(word))], i);
}

/* Return a function at a higher address always, so that the recursion ends. */
static u32 choose_callee(u32 func, u32 which)
{
	u32 step = 1 + (func * 7919 + which * 104729 + 13) % 450;

	return func + step < FUNCS ? func + step : FUNCS - 1 - which;
}

/* A function makes the same number of calls most of the time. */
static u32 number_of_calls(u32 func)
{
	static const u8 few[16] = { 1, 2, 1, 3, 0, 1, 2, 4, 1, 0, 2, 1, 3, 2, 6, 1 };

	if (func > FUNCS - 200)
		return 0;
	return random_below(128) ? few[func * 2654435761u >> 28] : random_below(5);
}

static void generate_call(struct cpu *c, u32 func, u32 caller, u32 depth, u8 ctx);

static u32 pid_of(const struct cpu *c, u32 task)
{
	u32 n = (u32)(c - cpus) * TASKS + task;

	/* A boot has a task 1. */
	return boot_marks && !n ? 1 : 100 + n;
}

/* The cpu's task wakes another one, and is switched out for it. */
static void switch_to(struct cpu *c, u32 task)
{
	struct row r = { .entry = c->now, .task = pid_of(c, c->task), .cpu = (u8)(c - cpus) };

	if (boot_marks && task != c->task) {
		r.woken = pid_of(c, task);
		c->row[c->n++] = r;
		r.woken = 0;
		r.next_task = pid_of(c, task);
		c->row[c->n++] = r;
	}
	c->task = task;
}

static void simulate_interrupt(struct cpu *c, u32 func, u32 depth)
{
	u64 begin = c->now, irq = c->irq;

	if (random_below(300) || c->n > BATCH_ROWS - 1000)
		return;
	generate_call(c, random_below(16), func, depth + 1, KFI_CTX_HARDIRQ);
	if (!random_below(2))
		generate_call(c, 16 + random_below(16), func, depth + 1, KFI_CTX_SOFTIRQ);
	c->irq = irq + (c->now - begin);
}

static void simulate_switch(struct cpu *c)
{
	u64 begin = c->now, off = c->off, irq = c->irq;
	u32 task = c->task, call_budget = c->call_budget;

	if (random_below(500) || c->n > BATCH_ROWS - 2000 || c->nested_task)
		return;
	c->nested_task = true;
	switch_to(c, (task + 1 + random_below(TASKS - 1)) % TASKS);
	c->call_budget = random_below(500) + 1;
	generate_call(c, 32 + random_below(10), 31, 1, KFI_CTX_TASK);
	c->nested_task = false;
	switch_to(c, task);
	c->call_budget = call_budget;
	c->off = off + (c->now - begin);
	c->irq = irq;
}

static void generate_call(struct cpu *c, u32 func, u32 caller, u32 depth, u8 ctx)
{
	u32 at = c->n++, calls = ctx != KFI_CTX_TASK ? random_below(3) : number_of_calls(func);
	struct row *r = &c->row[at];
	u64 children = 0, off = c->off, irq = c->irq;

	*r = (struct row){
		.entry = c->now, .func = func, .caller = caller,
		.site = 4 + random_below(FUNC_BYTES - 8),
		.task = pid_of(c, c->task), .depth = depth,
		.cpu = (u8)(c - cpus), .ctx = ctx,
	};
	c->now += 40 + random_below(400);
	for (u32 i = 0; i < calls && c->call_budget && depth < DEPTH_MAX &&
	     c->n < BATCH_ROWS - 100; i++) {
		u64 begin = c->now, lost = c->off + c->irq;

		c->call_budget--;
		generate_call(c, ctx != KFI_CTX_TASK ? random_below(32) :
			      choose_callee(func, random_below(128) ? i : random_below(6)),
			      func, depth + 1, ctx);
		children += (c->now - begin) - (c->off + c->irq - lost);
		c->now += 20 + random_below(200);
		if (ctx == KFI_CTX_TASK) {
			simulate_interrupt(c, func, depth);
			simulate_switch(c);
		}
	}
	r->delta = c->now - r->entry;
	r->off = c->off - off;
	r->irq = c->irq - irq;
	r->local = r->delta - children - r->off - r->irq;
}

static void generate_batch(struct cpu *c)
{
	c->n = c->at = 0;
	c->off = c->irq = 0;
	switch_to(c, random_below(TASKS));
	while (c->n < BATCH_ROWS / 2) {
		c->call_budget = 20 + random_below(2000);
		generate_call(c, 32 + (random_below(8) ? random_below(10) : random_below(200)), 31,
			      1, KFI_CTX_TASK);
		c->now += random_below(2000);
		if (!random_below(4))
			switch_to(c, (c->task + 1) % TASKS);
	}
}

/* The next row, in order of entry. */
static const struct row *next_row(void)
{
	struct cpu *best = NULL;

	for (u32 i = 0; i < CPUS; i++) {
		struct cpu *c = &cpus[i];

		if (c->at == c->n)
			generate_batch(c);
		if (!best || c->row[c->at].entry < best->row[best->at].entry)
			best = c;
	}
	return &best->row[best->at++];
}

static void write_header(u64 calls, FILE *to)
{
	fprintf(to, "\nKernel Instrumentation Run ID 0\n\n"
		"Logging started at 0 usec by user action\nLogging stopped at 1 usec by log full\n\n"
		"Filter Counters:\n\nTotal entries filtered = 0\nEntries not found = 0\n\n"
		"Number of entries after filters = %" PRIu64 "\n\n", calls);
}

static void write_title(FILE *to)
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

static void write_kft_title(FILE *to)
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
static void write_boot_rows(void)
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
	rows_written += ARRAY_SIZE(begin);
}

static void write_mark(const struct row *r)
{
	fprintf(out, "# %8" PRIu64 " %12" PRIu64 " %3u %7u t ", r->entry / 1000, r->entry, r->cpu,
		r->task);
	if (r->woken)
		fprintf(out, "wakeup %u %s %s\n", r->woken, names[r->woken], names[r->task]);
	else
		fprintf(out, "switch %u task%u\n", r->next_task, r->next_task);
	kfi_check_mark(&check, r->entry, r->task, r->cpu, KFI_CTX_TASK);
	if (check.lines == KFI_CHECK_LINES)
		write_check(true);
}

static void write_text(const struct row *r, bool names_too, bool format5)
{
	char func[48], caller[48];
	u64 us = r->entry / 1000, delta = (r->entry + r->delta) / 1000 - us;

	if (r->woken || r->next_task) {
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
	if (format5)
		fprintf(out, " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %3u %5u   %c %7u %-14s %12"
			PRIu64 " %12" PRIu64, r->entry, r->delta, r->local, r->cpu, r->depth,
			KFI_CTX_LETTERS[r->ctx], r->task, "-", r->off, r->irq);
	fputc('\n', out);
	if (!format5)
		return;
	add_to_check(r);
	if (check.lines == KFI_CHECK_LINES)
		write_check(names_too);
}

static int compare_exits(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	u64 i = x->entry + x->delta, j = y->entry + y->delta;

	return i < j ? -1 : i > j;
}

/* Write bytes of a part, and continue its checksum. */
static u32 write_checked(u32 crc, const void *data, u32 bytes)
{
	fwrite(data, 1, bytes, out);
	return (u32)crc32(crc, data, bytes);
}

/* @crc: checksum of what stands before the first part; 0 for the others. */
static void write_raw_part(u32 crc, u32 kind, const void *data, u32 bytes)
{
	struct kfi_raw_part p = { kind, bytes };
	static const char zeros[KFI_RAW_ALIGN];

	crc = write_checked(crc, &p, sizeof(p));
	crc = write_checked(crc, data, bytes);
	crc = write_checked(crc, zeros, KFI_RAW_PART_BYTES(bytes) - bytes - KFI_RAW_CHECK_BYTES);
	fwrite(&crc, sizeof(crc), 1, out);
}

/*
 * What the recorder writes of most calls: all that fits, in five words, or six of a call on top of
 * which interrupts ran. Return: its words, 0: it does not fit.
 */
static u32 encode_packed(const struct row *r, u64 base, u32 *w)
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

/* Encode a call as a record of a chunk. Return: the number of words. */
static u32 encode_record(const struct row *r, u64 base, u32 *w)
{
	u64 exit = r->entry + r->delta;
	u32 n = encode_packed(r, base, w), parts = 0;

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
	u32 head_check;
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
	head_check = write_checked(0, &h, sizeof(h));
	write_header(calls, mem);
	write_title(mem);
	fclose(mem);
	write_raw_part(head_check, KFI_RAW_TEXT, text, (u32)len);
	for (u64 i = 0; i < calls; i++)
		rows[i] = *next_row();
	qsort(rows, calls, sizeof(*rows), compare_exits);
	for (u32 cpu = 0; cpu < CPUS; cpu++) {
		chunk.head = (struct kfi_raw_chunk){ .cpu = cpu };
		for (u64 i = 0; i < calls; i++) {
			if (rows[i].cpu != cpu)
				continue;
			if (!chunk.head.words)
				chunk.head.base = rows[i].entry + rows[i].delta;
			chunk.head.words += encode_record(&rows[i], chunk.head.base,
						   chunk.w + chunk.head.words);
			if (chunk.head.words < 1000)
				continue;
			write_raw_part(0, KFI_RAW_CHUNK, &chunk,
				       sizeof(chunk.head) + chunk.head.words * 4);
			chunk.head.words = 0;
		}
		if (chunk.head.words)
			write_raw_part(0, KFI_RAW_CHUNK, &chunk,
				       sizeof(chunk.head) + chunk.head.words * 4);
	}
	write_raw_part(0, KFI_RAW_END, &end, sizeof(end));
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

/* Write a record of uftrace: entry (0) or exit (1). A program's addresses begin at 0x1000. */
static void write_uftrace_record(FILE *f, u64 time, u32 type, u32 depth, u32 func)
{
	u64 address = 0x1000 + func * FUNC_BYTES;
	u64 w[2] = { time, type | 5u << 3 | (u64)depth << 6 | address << 16 };

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
		const struct row *r = i < calls ? next_row() : NULL;

		for (u32 t = 0; t < ARRAY_SIZE(task); t++) {
			if (r && r->task != 100 + t)
				continue;
			while (task[t].n) {
				struct row *o = &task[t].rows[task[t].n - 1];

				if (r && o->entry + o->delta > r->entry)
					break;
				task[t].n--;
				write_uftrace_record(task[t].f, o->entry + o->delta + 1, 1,
						     task[t].n, o->func);
			}
			if (!r)
				continue;
			write_uftrace_record(task[t].f, r->entry + 1, 0, task[t].n, r->func);
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
		fprintf(f, "%016x T %s\n", i * FUNC_BYTES, names[i]);
	fprintf(f, "%016x ? __sym_end\n", FUNCS * FUNC_BYTES);
	fclose(f);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		bool names, format5, boot;
	} texts[] = {
		{ "text", false, true }, { "names", true, true }, { "boot", true, true, true },
		{ "kft", false, false }, { "kftnames", true, false },
	};
	static char buf[1 << 20];
	const char *form = argc == 4 ? argv[1] : "";
	u64 calls = argc == 4 ? strtoull(argv[2], NULL, 10) : 0;

	generate_names();
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
		write_header(calls, out);
		if (texts[i].format5)
			write_title(out);
		else
			write_kft_title(out);
		boot_marks = texts[i].boot;
		if (boot_marks)
			write_boot_rows();
		while (rows_written < calls) {
			const struct row *r = next_row();

			write_text(r, texts[i].names, texts[i].format5);
			rows_written += !r->woken && !r->next_task;
		}
		if (check.lines)
			write_check(texts[i].names);
	}
	return fclose(out) ? 2 : 0;
}
