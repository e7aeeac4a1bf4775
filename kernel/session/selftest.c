// SPDX-License-Identifier: GPL-2.0
/*
 * The selftest: does the recorder record on this machine what it should? Known calls (known.c) are
 * made on every cpu. They are recorded by runs that are configured, primed and read like a user's,
 * and each log is judged by what is known of the calls and by the kernel's own clock. Called by
 * control.c for the command, and at the end of the boot.
 */
#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/init.h>
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/stringify.h>
#include <linux/workqueue.h>

#include "arch/arch.h"
#include "core/serial.h"
#include "hooks/live.h"
#include "session/session.h"

/* Short calls take less, the others more. */
#define MINTIME_US	200

/*
 * Room for what else runs during the test, and for what each CPU adds. A line of the kernel log
 * that another CPU prints in this time takes thousands of calls on a slow serial console.
 */
#define ENTRIES		50000
#define CPU_ENTRIES	4000

/* By how much the recorder's clock and the kernel's may differ over a time. */
#define TOLERANCE(ns)	((ns) / 64 + 20 * NSEC_PER_USEC)

/**
 * struct test - a selftest under way
 * @known: what was called, by cpu
 * @cpus: on which cpus calls are made in the session under way
 * @then: what these calls are, besides the nested ones, or NULL
 * @log: the log that is judged
 * @passed: how many checks have passed
 * @failed: how many have not
 * @err: where to put the first failure, or why the test cannot go on
 */
struct test {
	struct kfi_known *known;
	const struct cpumask *cpus;
	void (*then)(struct kfi_known *known);
	struct kfi_log *log;
	u32 passed;
	u32 failed;
	struct kfi_conf_err *err;
};

/**
 * struct found - the calls of one known function by one task on one cpu
 * @first: the first one
 * @n: how many
 * @open: how many of them are open
 * @ran: raw counts that they ran, neither switched out nor interrupted
 */
struct found {
	struct kfi_rec first;
	u32 n;
	u32 open;
	u64 ran;
};

/* ---- what the judges use ---- */

static void __printf(3, 4) check(struct test *t, bool holds, const char *fmt, ...)
{
	char text[sizeof(t->err->reason) - sizeof("selftest: ")];
	struct kfi_conf_err err = {};
	va_list args;

	if (holds) {
		t->passed++;
		return;
	}
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	snprintf(err.reason, sizeof(err.reason), "selftest: %s", text);
	pr_err("kfi: %s\n", kfi_conf_err_public(&err).reason);
	if (!t->failed++)
		*t->err = err;
}

static u64 dur_of(const struct kfi_rec *r)
{
	return r->exit - r->entry;
}

static u64 ran_of(const struct kfi_rec *r)
{
	return dur_of(r) - r->off - r->irq;
}

static u64 ns_of(const struct test *t, u64 counts)
{
	return kfi_clock_ns(counts, t->log->hz);
}

/* The calls of @func in the log; only those of @k unless that is NULL. */
static struct found find(const struct test *t, const void *func, const struct kfi_known *k)
{
	struct found f = { .n = 0 };
	struct kfi_rec r;
	u32 i;

	for (i = 0; i < t->log->nrows; i++) {
		kfi_resched();
		kfi_log_row(t->log, i, &r);
		if (r.event || r.func != kfi_code_address(func) ||
		    (k && (r.pid != k->pid || r.cpu != k->cpu)))
			continue;
		if (!f.n++)
			f.first = r;
		if (r.marks & KFI_MARK_OPEN)
			f.open++;
		else
			f.ran += ran_of(&r);
	}
	return f;
}

static bool is_within(const struct kfi_rec *in, const struct kfi_rec *r)
{
	return in->entry >= r->entry && in->exit <= r->exit && in->depth > r->depth;
}

/* What the calls directly below @up ran; interrupts are no calls of it. */
static u64 ran_below(const struct test *t, const struct kfi_rec *up)
{
	struct kfi_rec r;
	u64 ran = 0;
	u32 i;

	for (i = 0; i < t->log->nrows; i++) {
		kfi_resched();
		kfi_log_row(t->log, i, &r);
		if (!r.event && r.pid == up->pid && r.ctx == up->ctx &&
		    r.depth == up->depth + 1 && is_within(&r, up))
			ran += ran_of(&r);
	}
	return ran;
}

static bool is_called_by(const struct kfi_rec *r, const void *caller)
{
	unsigned long size, offset;

	return kallsyms_lookup_size_offset(r->site, &size, &offset) &&
	       r->site - offset == kfi_code_address(caller);
}

/* ---- the known calls ---- */

/* A function of its own also where there is one cpu, and work_on_cpu_safe() is a plain call. */
static noinline long work(void *known)
{
	struct kfi_known *k = known;

	k->pid = current->pid;
	kfi_known_work(k);
	return 0;
}

/* One cpu after the other. A cpu that is not online makes none. */
static void call_everywhere(void *test)
{
	struct test *t = test;
	unsigned int cpu;

	for_each_cpu(cpu, t->cpus) {
		struct kfi_known *k = &t->known[cpu];

		*k = (struct kfi_known) { .cpu = cpu, .then = t->then, .online = k->online };
		k->result = work_on_cpu_safe(cpu, work, k);
	}
}

/* Do on this cpu what the command does, which only the task of the test may write. */
static void stop(struct kfi_known *k)
{
	struct kfi_run *run = READ_ONCE(kfi_live);

	/* NULL: its log was full, and it has been taken. */
	if (run)
		kfi_run_end(run);
	kfi_known_outer();
}

/* ---- the judges ---- */

/* What holds for each log. @cause: why its run has stopped. */
static void judge_log(struct test *t, enum kfi_cause cause)
{
	struct found root = find(t, kfi_known_root, NULL);
	const struct kfi_log *log = t->log;
	const u64 *n = log->total;
	u64 sum = n[KFI_KEPT] + n[KFI_DIED] + log->nopen;
	u32 i;

	check(t, !log->of && log->run.stop.cause == cause,
	      "stop of the run: by cause %d, not %d", log->run.stop.cause, cause);
	check(t, root.n == 1 && root.open == (cause == KFI_BY_USER),
	      "outermost call: %u rows, %u of them open", root.n, root.open);
	check(t, log->nrows - log->nevents == sum, "rows of the log: %llu, calls kept or open: %llu",
	      log->nrows - log->nevents, sum);
	for (i = KFI_FILTERED_FIRST; i <= KFI_LOST_LAST; i++)
		sum += n[i];
	check(t, n[KFI_SEEN] == sum, "calls seen: %llu, kept, filtered, lost or open: %llu",
	      n[KFI_SEEN], sum);
}

static void judge_short(struct test *t, const struct kfi_known *k)
{
	static const struct {
		void *func, *caller;
		u32 times;
	} calls[] = {
		{ kfi_known_work, work, 1 },
		{ kfi_known_outer, kfi_known_work, 1 },
		{ kfi_known_middle, kfi_known_outer, 1 },
		{ kfi_known_inner, kfi_known_middle, KFI_KNOWN_INNER },
	};
	struct found f, up = { .n = 0 };
	int i;

	for (i = 0; i < ARRAY_SIZE(calls); i++, up = f) {
		f = find(t, calls[i].func, k);
		check(t, f.n == calls[i].times && !f.open,
		      "calls on cpu %u: %ps has %u rows, not %u, and %u are open", k->cpu,
		      calls[i].func, f.n, calls[i].times, f.open);
		check(t, is_called_by(&f.first, calls[i].caller),
		      "caller on cpu %u: of %ps it is %pS, not %ps", k->cpu, calls[i].func,
		      (void *)(unsigned long)f.first.site, calls[i].caller);
		if (!i)
			continue;
		check(t, f.first.depth == up.first.depth + 1 && is_within(&f.first, &up.first),
		      "nesting on cpu %u: %ps, of depth %u, is not in its caller, of depth %u",
		      k->cpu, calls[i].func, f.first.depth, up.first.depth);
		check(t, up.first.local == ran_of(&up.first) - ran_below(t, &up.first),
		      "local time on cpu %u: %llu ns, not what %ps has left of %llu", k->cpu,
		      ns_of(t, up.first.local), calls[i].func, ns_of(t, up.ran));
	}
}

/* @least and @most: what the kernel's clock says. */
static void judge_time(struct test *t, const struct kfi_known *k, const struct found *f,
		       const char *what, u64 least, u64 most)
{
	u64 ns = f->n ? ns_of(t, dur_of(&f->first)) : 0;

	check(t, f->n == 1 && ns + TOLERANCE(least) >= least && ns <= most + TOLERANCE(most),
	      "%s on cpu %u: %u rows, %llu ns, not %llu to %llu", what, k->cpu, f->n, ns, least,
	      most);
}

/* A call on top of which another one came, as the outermost known one of its context @ctx. */
static void judge_interrupted(struct test *t, const struct kfi_known *k, const char *what,
			      const struct found *under, const struct found *on, unsigned int ctx)
{
	const struct kfi_rec *r = &under->first;

	check(t, on->first.ctx == ctx && is_within(&on->first, r),
	      "context on cpu %u: what came on top of the %s has %c, not %c, or is not in it",
	      k->cpu, what, KFI_CTX_LETTERS[on->first.ctx], KFI_CTX_LETTERS[ctx]);
	check(t, r->irq >= dur_of(&on->first) && r->irq <= dur_of(r) && r->local <= under->ran,
	      "interrupt time on cpu %u: %llu of %llu ns of the %s, with an interrupt of %llu",
	      k->cpu, ns_of(t, r->irq), ns_of(t, dur_of(r)), what,
	      ns_of(t, dur_of(&on->first)));
}

/* The spin, on top of @under unless that is NULL. */
static void judge_spin(struct test *t, const struct kfi_known *k, const struct found *under)
{
	struct found spin = find(t, kfi_known_spin, k), irq = find(t, kfi_known_interrupt, k);

	judge_time(t, k, &spin, "spin", k->spun, k->spin);
	check(t, k->fired, "timer on cpu %u: no interrupt within 5 s", k->cpu);
	judge_time(t, k, &irq, "interrupt", KFI_KNOWN_INTERRUPT_NS, k->spin);
	judge_interrupted(t, k, "spin", &spin, &irq, KFI_CTX_HARDIRQ);
	if (under)
		judge_interrupted(t, k, "task", under, &spin, KFI_CTX_SOFTIRQ);
}

static void judge_timed(struct test *t, const struct kfi_known *k)
{
	struct found wait = find(t, kfi_known_wait, k), brief = find(t, kfi_known_middle, k);
	u64 off;

	judge_spin(t, k, NULL);
	judge_time(t, k, &wait, "wait", k->waited, k->wait);
	off = ns_of(t, wait.first.off);
	check(t, off + TOLERANCE(k->waited) >= k->waited && wait.first.local <= wait.ran,
	      "time switched out on cpu %u: %llu ns, another task ran for %llu", k->cpu, off,
	      k->waited);
	/* The host of a virtual machine may have made it long. */
	check(t, !brief.n || dur_of(&brief.first) >= t->log->run.filter.min,
	      "mintime on cpu %u: a call of %llu ns was kept", k->cpu,
	      ns_of(t, dur_of(&brief.first)));
}

static void judge_nested(struct test *t, const struct kfi_known *k)
{
	struct found nest = find(t, kfi_known_nest, k);

	if (k->spun)
		judge_spin(t, k, &nest);
	else
		pr_info("kfi: selftest: no interrupt on top of another one on cpu %u: within %llu ms no softirq came on top of the task\n",
			k->cpu, KFI_KNOWN_SOFTIRQ_NS / NSEC_PER_MSEC);
}

static void judge_stop(struct test *t, const struct kfi_known *k)
{
	struct found in = find(t, kfi_known_work, k), outer = find(t, kfi_known_outer, k);

	check(t, in.n == 1 && in.open == 1,
	      "stop on cpu %u: the call in which it came has %u rows, %u open", k->cpu, in.n,
	      in.open);
	check(t, outer.n == 1 && !outer.open,
	      "stop on cpu %u: of a call before and one after it %u have rows, %u open", k->cpu,
	      outer.n, outer.open);
}

/* A cpu without known calls fails the test, unless it was offline. */
static void judge_everywhere(struct test *t, void (*judge)(struct test *, const struct kfi_known *))
{
	unsigned int cpu;

	for_each_cpu(cpu, t->cpus) {
		const struct kfi_known *k = &t->known[cpu];

		if (k->pid)
			judge(t, k);
		else if (k->result != -ENODEV)
			check(t, false, "cpu %u was not tested: error %ld", cpu, k->result);
		else if (k->online)
			pr_info("kfi: selftest: cpu %u went offline and was not tested\n", cpu);
	}
}

/* ---- lines for a console ---- */

/**
 * struct lines - the log as lines, and what is read from these
 * @out: what writes them
 * @in: what reads them
 * @item: what was read last
 * @ring: what is written
 * @chunk: the chunk whose words are read
 * @at: words of it that were read
 * @read: all words that were read
 * @wrong: what was read is not what was written
 * @items: those of a line, with room before them
 */
struct lines {
	struct kfi_serial out;
	struct kfi_serial in;
	struct kfi_serial_item item;
	const struct kfi_ring *ring;
	u32 chunk;
	u32 at;
	u64 read;
	bool wrong;
	u8 items[8 + KFI_SERIAL_BYTES_MAX];
};

static bool has_same_words(struct lines *l)
{
	u32 n = l->item.n;
	bool same;

	if (l->item.kind == KFI_SERIAL_CHUNK) {
		l->at = 0;
		return ++l->chunk < kfi_ring_taken(l->ring);
	}
	if (l->item.kind == KFI_SERIAL_LINE_END || l->item.kind == KFI_SERIAL_LAST)
		return true;
	same = l->chunk < kfi_ring_taken(l->ring) &&
	       n <= kfi_ring_used(l->ring, l->ring->chunks[l->chunk]) - l->at &&
	       (l->item.kind == KFI_SERIAL_ZEROS ||
		!memcmp(l->ring->chunks[l->chunk]->words + l->at, l->item.w, n * sizeof(u32)));
	l->at += n;
	l->read += n;
	return same;
}

static void read_back(void *arg, u32 seq, const char *line, u32 len)
{
	struct kfi_serial_frame f;
	struct lines *l = arg;

	l->wrong |= !kfi_serial_frame(line + 1, len - 3, &f, l->items) || f.seq != seq ||
		    !kfi_serial_begin(&l->in, l->items + 8, f.len);
	do {
		l->wrong |= l->wrong || !kfi_serial_read(&l->in, &l->item) || !has_same_words(l);
	} while (!l->wrong && l->item.kind != KFI_SERIAL_LINE_END);
}

/* All chunks as lines and back. */
static int judge_lines(struct test *t)
{
	const struct kfi_ring *ring = &t->log->run.ring;
	size_t size = kfi_serial_memory(KFI_SERIAL_DEFS_MIN);
	struct lines *l = kvzalloc(sizeof(*l), GFP_KERNEL);
	void *memory = kvmalloc(2 * size, GFP_KERNEL);
	u64 words = 0;
	u32 i;

	if (!l || !memory) {
		kvfree(memory);
		kvfree(l);
		return kfi_log_reject(t->err, -ENOMEM, "out of memory");
	}
	l->ring = ring;
	l->chunk = U32_MAX;
	kfi_serial_init(&l->out, KFI_SERIAL_DEFS_MIN, memory, read_back, l);
	kfi_serial_init(&l->in, KFI_SERIAL_DEFS_MIN, memory + size, NULL, NULL);
	for (i = 0; i < kfi_ring_taken(ring); i++) {
		const struct kfi_chunk *c = ring->chunks[i];
		struct kfi_raw_chunk head = {
			.base = c->base, .cpu = c->cpu, .words = kfi_ring_used(ring, c),
		};

		kfi_resched();
		kfi_serial_chunk(&l->out, &head, c->words);
		words += head.words;
	}
	kfi_serial_last(&l->out);
	check(t, !l->wrong && l->read == words,
	      "lines for a console: of %llu words %llu are read, chunk %u, word %u", words, l->read,
	      l->chunk, l->at);
	kvfree(memory);
	kvfree(l);
	return 0;
}

/* ---- the runs ---- */

/* From entry to exit of the outermost call. */
#define ROOT	"trigger start entry kfi_known_root trigger stop exit kfi_known_root"

/* Record the known calls with the configuration @items; the caller puts the log. */
static int record(struct test *t, const char *items)
{
	char text[200];
	int len, ret;

	len = scnprintf(text, sizeof(text), "begin " ROOT " logentries %u %s end",
			ENTRIES + CPU_ENTRIES * num_online_cpus(), items);
	ret = kfi_control_write(text, len, t->err) ?: kfi_control_write("prime", 5, t->err);
	if (ret)
		return ret;
	kfi_known_root(call_everywhere, t);
	t->log = kfi_control_get_rows();
	if (IS_ERR(t->log))
		return kfi_log_reject(t->err, PTR_ERR(t->log), "no memory for the rows");
	if (t->log->run.stop.cause == KFI_BY_FULL) {
		kfi_log_put(t->log);
		return kfi_log_reject(t->err, -EBUSY,
				      "selftest: its log is full of calls of other tasks, try again later");
	}
	return 0;
}

static int test_session(struct test *t, const char *items, const struct cpumask *cpus,
			void (*then)(struct kfi_known *known),
			void (*judge)(struct test *t, const struct kfi_known *k))
{
	int ret;

	t->cpus = cpus;
	t->then = then;
	ret = record(t, items);
	if (ret)
		return ret;
	/* On a cpu that went offline nothing was stopped. */
	judge_log(t, then == stop && t->known[cpumask_first(cpus)].pid ? KFI_BY_USER : KFI_BY_EXIT);
	judge_everywhere(t, judge);
	ret = judge_lines(t);
	kfi_log_put(t->log);
	return ret;
}

static int test_all(struct test *t)
{
	static const char mintime[] = "filter mintime " __stringify(MINTIME_US);
	const struct cpumask *all = cpu_possible_mask;
	unsigned int cpu;
	int ret;

	ret = test_session(t, "", all, NULL, judge_short) ?:
	      test_session(t, mintime, all, kfi_known_timed, judge_timed) ?:
	      test_session(t, mintime, all, kfi_known_nest, judge_nested);
	for_each_online_cpu(cpu)
		ret = ret ?: test_session(t, "", cpumask_of(cpu), stop, judge_stop);
	return ret;
}

int kfi_selftest(struct kfi_conf_err *err)
{
	struct test t = { .err = err };
	unsigned int cpu;
	int ret;

	ret = kfi_control_begin_test(err);
	if (ret)
		return ret;
	t.known = kcalloc(nr_cpu_ids, sizeof(*t.known), GFP_KERNEL);
	if (t.known) {
		for_each_online_cpu(cpu)
			t.known[cpu].online = true;
		ret = test_all(&t);
	} else {
		ret = kfi_log_reject(err, -ENOMEM, "out of memory");
	}
	kfi_control_end_test();
	kfree(t.known);
	if (ret)
		return ret;
	if (t.failed) {
		err->line = 1;
		err->col = 1;
		pr_err("kfi: selftest: %u passed, %u failed\n", t.passed, t.failed);
		return -EIO;
	}
	pr_info("kfi: selftest: %u passed, %u failed\n", t.passed, t.failed);
	return 0;
}

/* ---- at the end of the boot ---- */

static bool asked_for;

void kfi_selftest_boot(void)
{
	struct kfi_conf_err err;

	if (asked_for && kfi_selftest(&err))
		pr_err("kfi: kfi.selftest: %s\n", kfi_conf_err_public(&err).reason);
}

static int __init selftest_param(char *rest)
{
	asked_for = !*rest;
	return asked_for;
}
__setup("kfi.selftest", selftest_param);
