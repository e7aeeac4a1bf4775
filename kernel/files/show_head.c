// SPDX-License-Identifier: GPL-2.0
/*
 * Printing what stands above the rows of a log: when it ran, what it counted, on what machine. Only
 * formats what others have collected.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/seq_file.h>
#include <linux/time64.h>

#include "files/crash.h"
#include "files/show.h"

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
	seq_printf(m, "Logging %s at %llu usec by ", what, kfi_show_us(time));
	switch (e->cause) {
	case KFI_BY_ENTRY:
		seq_printf(m, "entry to function 0x%0*lx\n", KFI_ADDR_DIGITS, e->func);
		break;
	case KFI_BY_EXIT:
		seq_printf(m, "exit from function 0x%0*lx\n", KFI_ADDR_DIGITS, e->func);
		break;
	case KFI_BY_TIME:
		seq_printf(m, "time at %llu usec from %s\n", t->usecs, since);
		break;
	case KFI_BY_CRASH:
		seq_puts(m, "a crash\n");
		break;
	case KFI_BY_BAD:
		seq_puts(m, "a bad state\n");
		break;
	case KFI_BY_FULL:
		seq_puts(m, "log full\n");
		break;
	default:
		seq_puts(m, "user action\n");
	}
}

/* What is not whole had not started when the file was opened, whatever it does meanwhile. */
static void show_edges(struct seq_file *m, const struct kfi_log *log, bool whole)
{
	const struct kfi_run *run = &log->run;
	u64 start = kfi_show_ns(log, kfi_show_origin(log) - kfi_clock.zero);
	int state = kfi_show_state(log);

	if (!whole || (state < KFI_TRIGGERED && !kfi_run_between(run)) ||
	    run->start.cause == KFI_BY_NOTHING) {
		seq_puts(m, "Logging not yet triggered\n");
		return;
	}
	show_edge(m, "started", &run->start, start, &log->conf.start, "boot");
	if (state != KFI_COMPLETE)
		seq_puts(m, "Logging is running\n");
	else
		show_edge(m, "stopped", &run->stop, start + kfi_show_elapsed(log), &log->conf.stop,
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

/* Lists: their line, that of their counter, and the counter. */
static const struct {
	const char *text;
	const char *name;
	enum kfi_count count;
} list_filters[KFI_LISTS] = {
	[KFI_LIST_ONLY]	   = { "\t%u-entry function list", "Function List", KFI_FILTERED_FUNCLIST },
	[KFI_LIST_EXCLUDE] = { "\t%u-entry exclude list", "Exclude list", KFI_FILTERED_EXCLUDE },
	[KFI_LIST_UNDER]   = { "\t%u-entry only under list", "Under", KFI_FILTERED_UNDER },
};

/* How many functions, and the modules as they are written. */
static void show_list(struct seq_file *m, const struct kfi_log *log, u32 list)
{
	const struct kfi_list *l = &log->run.filter.lists[list];
	const struct kfi_conf *c = &log->conf;
	u32 i;

	if (!l->given)
		return;
	seq_printf(m, list_filters[list].text, l->n);
	for (i = 0; i < c->nfuncs; i++)
		if (c->funcs[i].list == list && c->funcs[i].kind == KFI_FUNC_MODULE)
			seq_printf(m, " %.*s", (int)c->funcs[i].len, c->funcs[i].name);
	seq_putc(m, '\n');
}

static void show_filters(struct seq_file *m, const struct kfi_log *log)
{
	const struct kfi_conf *c = &log->conf;
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
	for (i = 0; i < KFI_LISTS; i++)
		show_list(m, log, i);
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
	for (i = 0; i < KFI_LISTS; i++)
		if (log->run.filter.lists[i].given)
			seq_printf(m, "%s filter count = %llu\n", list_filters[i].name,
				   n[list_filters[i].count]);
	seq_printf(m, "Total entries filtered = %llu\n",
		   sum(log, KFI_FILTERED_FIRST, KFI_FILTERED_LAST));
	seq_printf(m, "Entries not found = %llu\n", n[KFI_NOT_FOUND]);
	seq_printf(m, "\nNumber of entries after filters = %llu\n\n",
		   log->run.profile ? log->total[KFI_KEPT] + open_calls(log) :
				      (u64)(log->nrows - log->nevents));
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
	seq_printf(m, "Lost to overwriting = %llu\n", n[KFI_LOST_OVERWRITTEN]);
	seq_printf(m, "Calls open = %llu\n", open_calls(log));
	if (log->excerpt)
		seq_printf(m, "Calls left out = %llu\n", log->excerpt->left_out[KFI_EXCERPT_CALL]);
	seq_printf(m, "Calls without time = %llu\n", n[KFI_NOTIME]);
	kfi_show_event_counts(m, log);
	seq_printf(m, "Log memory = %llu of %llu bytes\n",
		   (u64)kfi_ring_taken(&log->run.ring) * KFI_CHUNK_BYTES,
		   (u64)log->run.ring.nchunks * KFI_CHUNK_BYTES);
}

static void show_rounds(struct seq_file *m, const struct kfi_log *log)
{
	const struct kfi_run *run = &log->run;

	if (!log->conf.autorepeat)
		return;
	seq_printf(m, "Rounds = %u\n", run->rounds);
	if (run->rounds && run->began >= kfi_show_origin(log))
		seq_printf(m, "Last round began = %llu usec\n",
			   kfi_show_us(kfi_show_ns(log, run->began - kfi_show_origin(log))));
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

static u64 cost_ns(const struct kfi_log *log, u64 counts)
{
	return div_u64(kfi_show_ns(log, counts) + KFI_COST_CALLS / 2, KFI_COST_CALLS);
}

static void show_cost(struct seq_file *m, const struct kfi_log *log)
{
	if (log->cost.kept && log->hz)
		seq_printf(m, "Callout cost = %llu ns kept, %llu ns filtered\n",
			   cost_ns(log, log->cost.kept), cost_ns(log, log->cost.filtered));
}

/* ---- all of it ---- */

void kfi_show_header(struct seq_file *m, const struct kfi_log *log, bool whole)
{
	seq_printf(m, "\nKernel Instrumentation Run ID %u\n\n", log->run.id - 1);
	show_edges(m, log, whole);
	show_filters(m, log);
	if (whole) {
		show_filter_counts(m, log);
		show_accounting(m, log);
		show_rounds(m, log);
	} else {
		seq_putc(m, '\n');
	}
	show_clock(m, log);
	if (whole)
		show_cost(m, log);
	kfi_show_machine(m, log, whole);
	kfi_show_notes(m, log, whole);
	if (log->run.profile) {
		kfi_show_sum_title(m);
		return;
	}
	seq_printf(m, "\n %-7s  %-7s  %-7s %-*s %-*s %12s %12s %12s Cpu Depth Ctx %7s Marks          %12s %12s\n",
		   "Entry", "Delta", "PID", KFI_NAME_WIDTH, "    Function", KFI_NAME_WIDTH, "    Caller",
		   "Entry-ns", "Delta-ns", "Local-ns", "Task", "Off-ns", "Irq-ns");
	seq_printf(m, "-------- -------- -------- %.*s %.*s ------------ ------------ ------------ --- ----- --- ------- -------------- ------------ ------------\n",
		   KFI_NAME_WIDTH, "----------------------------------------",
		   KFI_NAME_WIDTH, "----------------------------------------");
}
