// SPDX-License-Identifier: GPL-2.0
/*
 * Printing a log and the status. Only formats what others have collected.
 */
#include <linux/elf.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/time64.h>
#include <linux/utsname.h>
#include <asm/sections.h>
#ifdef CONFIG_X86_TSC
#include <asm/tsc.h>
#endif

#include "kfi_instrumented.h"
#include "kfi_show.h"

#define NT_GNU_BUILD_ID	3	/* ELF note, see elf(5) */

/* Digits of an address, and the width of the columns of functions and callers. */
#define ADDR_DIGITS	((int)(2 * sizeof(long)))
#define NAME_WIDTH	32

static u64 us_of(u64 ns)
{
	return div_u64(ns, NSEC_PER_USEC);
}

static u64 ns_of(const struct kfi_log *log, u64 counts)
{
	return kfi_clock_ns(counts, log->hz);
}

/* What Entry counts from: the start, or the clock's own beginning if that was later. */
static u64 origin(const struct kfi_log *log)
{
	return log->run.start.time ?: kfi_clock.zero;
}

/* Nanoseconds from there to the stop. */
static u64 elapsed(const struct kfi_log *log)
{
	return log->run.stop.time ? ns_of(log, log->run.stop.time - origin(log)) : 0;
}

static int state_of(const struct kfi_log *log)
{
	return atomic_read_acquire(&log->run.state);
}

static u64 sum(const struct kfi_log *log, enum kfi_count first, enum kfi_count last)
{
	u64 n = 0;

	for (; first <= last; first++)
		n += log->total[first];
	return n;
}

static u64 open_calls(const struct kfi_log *log)
{
	return log->total[KFI_DIED] + log->nopen;
}

/* ---- when and why a run started and stopped ---- */

static void show_edge(struct seq_file *m, const char *what, const struct kfi_edge *e, u64 time,
		      const struct kfi_trigger *t, const char *since)
{
	seq_printf(m, "Logging %s at %llu usec by ", what, us_of(time));
	switch (e->cause) {
	case KFI_BY_ENTRY:
		seq_printf(m, "entry to function 0x%0*lx\n", ADDR_DIGITS, e->func);
		break;
	case KFI_BY_EXIT:
		seq_printf(m, "exit from function 0x%0*lx\n", ADDR_DIGITS, e->func);
		break;
	case KFI_BY_TIME:
		seq_printf(m, "time at %llu usec from %s\n", t->usecs, since);
		break;
	case KFI_BY_FULL:
		seq_puts(m, "log full\n");
		break;
	default:
		seq_puts(m, "user action\n");
	}
}

static void show_edges(struct seq_file *m, const struct kfi_log *log)
{
	const struct kfi_run *run = &log->run;
	u64 start = ns_of(log, origin(log) - kfi_clock.zero);
	int state = state_of(log);

	if (state < KFI_TRIGGERED || run->start.cause == KFI_BY_NOTHING) {
		seq_puts(m, "Logging not yet triggered\n");
		return;
	}
	show_edge(m, "started", &run->start, start, &log->conf.start, "boot");
	if (state != KFI_COMPLETE)
		seq_puts(m, "Logging is running\n");
	else
		show_edge(m, "stopped", &run->stop, start + elapsed(log), &log->conf.stop,
			  "start trigger");
}

/* ---- filters and accounting ---- */

/* Filters with a number: their line, that of their counter, and the counter. */
static const struct {
	const char *text;
	const char *name;
	enum kfi_count count;
} number_filters[KFI_NUMS] = {
	[KFI_NUM_DEPTH]	= { "\tat most %u deep\n", "Depth", KFI_FILTERED_DEPTH },
	[KFI_NUM_PID]	= { "\tonly pid %u\n", "Pid", KFI_FILTERED_PID },
	[KFI_NUM_CPU]	= { "\tonly cpu %u\n", "Cpu", KFI_FILTERED_CPU },
};

static void show_filters(struct seq_file *m, const struct kfi_conf *c)
{
	u32 i;

	seq_puts(m, "\nFilters:\n");
	if (c->mintime_us)
		seq_printf(m, "\t%llu usecs minimum execution time\n", c->mintime_us);
	if (c->maxtime_us)
		seq_printf(m, "\t%llu usecs maximum execution time\n", c->maxtime_us);
	if (c->noints)
		seq_puts(m, "\tno functions in interrupt context\n");
	if (c->onlyints)
		seq_puts(m, "\tno functions NOT in interrupt context\n");
	for (i = 0; i < KFI_NUMS; i++)
		if (c->nums >> i & 1)
			seq_printf(m, number_filters[i].text, c->num[i]);
	if (c->nfuncs)
		seq_printf(m, "\t%u-entry function list\n", c->nfuncs);
}

static void show_filter_counts(struct seq_file *m, const struct kfi_log *log)
{
	const struct kfi_conf *c = &log->conf;
	const u64 *n = log->total;
	u32 i;

	seq_puts(m, "\nFilter Counters:\n\n");
	if (c->mintime_us || c->maxtime_us)
		seq_printf(m, "Execution time filter count = %llu\n",
			   n[KFI_FILTERED_MINTIME] + n[KFI_FILTERED_MAXTIME]);
	if (c->noints)
		seq_printf(m, "No Interrupt functions filter count = %llu\n",
			   n[KFI_FILTERED_NOINTS]);
	if (c->onlyints)
		seq_printf(m, "Only Interrupt functions filter count = %llu\n",
			   n[KFI_FILTERED_ONLYINTS]);
	for (i = 0; i < KFI_NUMS; i++)
		if (c->nums >> i & 1)
			seq_printf(m, "%s filter count = %llu\n", number_filters[i].name,
				   n[number_filters[i].count]);
	if (c->nfuncs)
		seq_printf(m, "Function List filter count = %llu\n", n[KFI_FILTERED_FUNCLIST]);
	seq_printf(m, "Total entries filtered = %llu\n",
		   sum(log, KFI_FILTERED_FIRST, KFI_FILTERED_LAST));
	seq_printf(m, "Entries not found = %llu\n", n[KFI_NOT_FOUND]);
	seq_printf(m, "\nNumber of entries after filters = %u\n\n", log->nrows);
}

static void show_accounting(struct seq_file *m, const struct kfi_log *log)
{
	const u64 *n = log->total;

	seq_printf(m, "Calls seen = %llu\n", n[KFI_SEEN]);
	seq_printf(m, "Calls kept = %llu\n", n[KFI_KEPT]);
	seq_printf(m, "Calls filtered = %llu\n",
		   sum(log, KFI_FILTERED_FIRST, KFI_FILTERED_LAST));
	seq_printf(m, "Calls lost = %llu\n", sum(log, KFI_LOST_FIRST, KFI_LOST_LAST));
	seq_printf(m, "Lost to log full = %llu\n", n[KFI_LOST_FULL]);
	seq_printf(m, "Lost to depth = %llu\n", n[KFI_LOST_DEPTH]);
	seq_printf(m, "Lost to no stack = %llu\n", n[KFI_LOST_STACK]);
	seq_printf(m, "Lost to no clock = %llu\n", n[KFI_LOST_CLOCK]);
	seq_printf(m, "Calls open = %llu\n", open_calls(log));
	seq_printf(m, "Calls without time = %llu\n", n[KFI_NOTIME]);
}

/* ---- what a reader needs to know of the machine ---- */

static void show_clock(struct seq_file *m, const struct kfi_log *log)
{
	if (kfi_clock.kind == KFI_CLOCK_NONE) {
		seq_puts(m, "Clock = none\n");
		return;
	}
	seq_printf(m, "Clock = %s\n", kfi_clock.name);
	seq_printf(m, "Clock rate = %llu Hz\n", log->hz);
	if (log->hz)
		seq_printf(m, "Clock resolution = %llu ns\n",
			   div64_u64(NSEC_PER_SEC + log->hz - 1, log->hz));
	seq_printf(m, "Clock since = %s\n", kfi_clock.since);
	seq_printf(m, "Clock calibration = %s", kfi_clock.calibration ?: "not known yet");
	if (log->drift_ms)
		seq_printf(m, ", %lld ppm against CLOCK_MONOTONIC_RAW in %llu ms",
			   log->drift_ppm, log->drift_ms);
	seq_printf(m, "\nClock steps back = %llu\n", log->total[KFI_STEPS_BACK]);
}

/* The build id of vmlinux, from its notes. */
static void show_build_id(struct seq_file *m)
{
	extern const char __start_notes[], __stop_notes[];
	const char *at = __start_notes;

	while (at + sizeof(Elf32_Nhdr) <= __stop_notes) {
		const Elf32_Nhdr *note = (const Elf32_Nhdr *)at;
		const char *name = at + sizeof(*note);
		const u8 *id = (const u8 *)name + ALIGN(note->n_namesz, 4);

		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
		    !memcmp(name, "GNU", 4)) {
			seq_printf(m, "Build id = %*phN\n", (int)note->n_descsz, id);
			return;
		}
		at = (const char *)id + ALIGN(note->n_descsz, 4);
	}
}

static void show_machine(struct seq_file *m)
{
	seq_printf(m, "Kernel = %s\n", init_utsname()->release);
	seq_printf(m, "Word size = %d\n", BITS_PER_LONG);
	seq_printf(m, "Text = 0x%0*lx\n", ADDR_DIGITS, (unsigned long)_text);
	show_build_id(m);
	seq_printf(m, "Log format = %d\n", KFI_LOG_FORMAT);
}

/* ---- notes: why a log is not what one would expect ---- */

static void note_trigger(struct seq_file *m, const char *edge, const struct kfi_trigger *t)
{
	if (t->kind != KFI_TRIG_ENTRY && t->kind != KFI_TRIG_EXIT)
		return;
	if (kfi_instrumented((unsigned long)t->func.addr) == KFI_INSTRUMENTED_NO)
		seq_printf(m, "Note = the function of the %s trigger is not instrumented: 0x%0*lx\n",
			   edge, ADDR_DIGITS, (unsigned long)t->func.addr);
}

static void note_funcs(struct seq_file *m, const struct kfi_conf *c)
{
	u32 i;

	for (i = 0; i < c->nfuncs; i++)
		if (kfi_instrumented((unsigned long)c->funcs[i].addr) == KFI_INSTRUMENTED_NO)
			seq_printf(m, "Note = a function of the list is not instrumented: 0x%0*lx\n",
				   ADDR_DIGITS, (unsigned long)c->funcs[i].addr);
}

static void note_state(struct seq_file *m, const struct kfi_log *log)
{
	switch (state_of(log)) {
	case KFI_IDLE:
		seq_puts(m, "Note = the run was never primed: echo prime >/proc/kfi\n");
		break;
	case KFI_PRIMED:
		seq_puts(m, "Note = the start trigger was not seen yet\n");
		break;
	case KFI_COMPLETE:
		if (log->run.start.cause == KFI_BY_NOTHING)
			seq_printf(m, "Note = stopped by user action before %s\n",
				   log->primed ? "the start trigger was seen" : "it was primed");
		break;
	default:
		seq_puts(m, "Note = still recording: the log can be read when the run is complete\n");
	}
}

static void show_notes(struct seq_file *m, const struct kfi_log *log, bool whole)
{
	const struct kfi_run *run = &log->run;

	note_state(m, log);
	note_trigger(m, "start", &log->conf.start);
	note_trigger(m, "stop", &log->conf.stop);
	note_funcs(m, &log->conf);
	if (kfi_clock.kind != KFI_CLOCK_NONE && !log->hz)
		seq_puts(m, "Note = the rate of the clock is not known: times cannot be shown\n");
#ifdef CONFIG_X86_TSC
	if (kfi_clock.kind == KFI_CLOCK_TSC && check_tsc_unstable())
		seq_puts(m, "Note = the kernel has found the tsc unstable: times may be wrong\n");
#endif
	if (!whole)
		return;
	if (run->start.cause != KFI_BY_NOTHING && !run->start.time &&
	    kfi_clock.kind != KFI_CLOCK_NONE)
		seq_puts(m, "Note = started before the clock ran: times count from when it did\n");
	if (run->stop.cause == KFI_BY_FULL)
		seq_printf(m, "Note = log full after %llu ms: raise logentries or mintime\n",
			   div_u64(elapsed(log), NSEC_PER_MSEC));
	if (!log->nrows && run->start.cause != KFI_BY_NOTHING)
		seq_printf(m, "Note = %s\n", log->total[KFI_SEEN] ?
			   "no call passed the filters" :
			   "no instrumented function was called between start and stop");
}

void kfi_show_header(struct seq_file *m, const struct kfi_log *log, bool whole)
{
	seq_printf(m, "\nKernel Instrumentation Run ID %u\n\n", log->run.id - 1);
	show_edges(m, log);
	show_filters(m, &log->conf);
	if (whole) {
		show_filter_counts(m, log);
		show_accounting(m, log);
	} else {
		seq_putc(m, '\n');
	}
	show_clock(m, log);
	show_machine(m);
	show_notes(m, log, whole);
	seq_printf(m, "\n %-7s  %-7s  %-7s %-*s %-*s %12s %12s %12s Cpu Depth Ctx %7s Marks          %12s %12s\n",
		   "Entry", "Delta", "PID", NAME_WIDTH, "    Function", NAME_WIDTH, "    Caller",
		   "Entry-ns", "Delta-ns", "Local-ns", "Task", "Off-ns", "Irq-ns");
	seq_printf(m, "-------- -------- -------- %.*s %.*s ------------ ------------ ------------ --- ----- --- ------- -------------- ------------ ------------\n",
		   NAME_WIDTH, "----------------------------------------",
		   NAME_WIDTH, "----------------------------------------");
}

/* ---- rows ---- */

/* The words of @marks with commas between, "-" for none. */
static const char *marks_text(u8 marks, char *buf, size_t size)
{
	static const char * const names[KFI_MARK_BITS] = { "notime", "unwound", "open" };
	unsigned int i;
	size_t at = 0;

	for (i = 0; i < KFI_MARK_BITS; i++)
		if (marks >> i & 1)
			at += scnprintf(buf + at, size - at, "%s%s", at ? "," : "", names[i]);
	return at ? buf : "-";
}

void kfi_show_row(struct seq_file *m, const struct kfi_log *log, u32 i)
{
	s64 delta_us = -1, delta = -1, local = -1, off = -1, irq = -1;
	u64 entry = 0, exit;
	struct kfi_rec r;
	char marks[24];

	kfi_log_row(log, i, &r);
	if (!(r.marks & KFI_MARK_NOTIME))
		entry = ns_of(log, r.entry - origin(log));
	if (!r.marks) {
		/* Differences of rounded times, so that printed rows nest as the calls did. */
		exit = ns_of(log, r.exit - origin(log));
		delta = exit - entry;
		delta_us = us_of(exit) - us_of(entry);
		local = min_t(u64, ns_of(log, r.local), delta);
		off = min_t(u64, ns_of(log, r.off), delta);
		irq = min_t(u64, ns_of(log, r.irq), delta - off);
	}
	seq_printf(m, "%8llu %8lld %8d 0x%0*lx%*s 0x%0*lx%*s %12llu %12lld %12lld %3u %5u   %c %7u %-14s %12lld %12lld\n",
		   us_of(entry), delta_us, r.ctx == KFI_CTX_TASK ? (int)r.pid : -1,
		   ADDR_DIGITS, (unsigned long)r.func, NAME_WIDTH - 2 - ADDR_DIGITS, "",
		   ADDR_DIGITS, (unsigned long)r.site, NAME_WIDTH - 2 - ADDR_DIGITS, "",
		   entry, delta, local, r.cpu, r.depth, KFI_CTX_LETTERS[r.ctx], r.pid,
		   marks_text(r.marks, marks, sizeof(marks)), off, irq);
}

/* ---- status ---- */

static void show_config(struct seq_file *m, const struct kfi_conf *c)
{
	size_t len = kfi_conf_format(c, 0, NULL, 0);
	char *text = kmalloc(len + 1, GFP_KERNEL);

	if (!text)
		return;
	kfi_conf_format(c, 0, text, len + 1);
	seq_puts(m, text);
	kfree(text);
}

void kfi_show_status(struct seq_file *m, const struct kfi_log *log)
{
	bool triggered, complete;

	if (!log) {
		seq_puts(m, "No logging run registered\n");
		return;
	}
	complete = state_of(log) == KFI_COMPLETE;
	triggered = complete ? log->run.start.cause != KFI_BY_NOTHING :
			       state_of(log) >= KFI_TRIGGERED;
	seq_printf(m, "status: run id %u, %sprimed, %striggered, %scomplete\n\nconfig:\n  mode 0\n",
		   log->run.id - 1, log->primed ? "" : "not ", triggered ? "" : "not ",
		   complete ? "" : "not ");
	show_config(m, &log->conf);
	note_state(m, log);
}
