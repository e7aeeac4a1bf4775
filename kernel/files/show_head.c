// SPDX-License-Identifier: GPL-2.0
/*
 * The text above the rows of a log: when the session ran, what it counted, on what machine, and
 * notes why a log is not what one would expect. It only formats what others have collected.
 */
#include <linux/buildid.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/seq_file.h>
#include <linux/time64.h>
#include <linux/utsname.h>
#include <asm/sections.h>
#ifdef CONFIG_X86
#include <asm/tsc.h>
#endif

#include "files/files.h"
#include "hooks/live.h"

static u64 sum_counts(const struct kfi_log *log, enum kfi_count first, enum kfi_count last)
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

static void show_trigger(struct seq_file *m, const struct kfi_log *log, const char *what,
			 const struct kfi_edge *e, u64 time, const struct kfi_trigger *t,
			 const char *since)
{
	seq_printf(m, "Logging %s at %llu usec by ", what, kfi_show_us(time));
	switch (e->cause) {
	case KFI_BY_ENTRY:
		seq_puts(m, "entry to function ");
		kfi_show_addr(m, log, e->func, false, 0);
		seq_putc(m, '\n');
		break;
	case KFI_BY_EXIT:
		seq_puts(m, "exit from function ");
		kfi_show_addr(m, log, e->func, false, 0);
		seq_putc(m, '\n');
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

static bool is_live(const struct kfi_log *log)
{
	return log->excerpt && log->excerpt->live;
}

/* If the log is not @whole, the session had not started when the file was opened. */
static void show_start_stop(struct seq_file *m, const struct kfi_log *log, bool whole)
{
	const struct kfi_run *run = &log->run;
	u64 start = kfi_show_ns(log, kfi_show_origin(log) - kfi_clock.zero);
	int state = kfi_show_state(log);

	if (!(whole || is_live(log)) || state < KFI_TRIGGERED ||
	    run->start.cause == KFI_BY_NOTHING) {
		seq_puts(m, "Logging not yet triggered\n");
		return;
	}
	show_trigger(m, log, "started", &run->start, start, &log->conf.start, "boot");
	if (state != KFI_COMPLETE)
		seq_puts(m, "Logging is running\n");
	else
		show_trigger(m, log, "stopped", &run->stop, start + kfi_show_elapsed(log),
			     &log->conf.stop, "start trigger");
}

/* ---- filters and accounting ---- */

/* Filters with a number: their line, that of their counter, and the counter. */
static const struct {
	const char *text;
	const char *name;
	enum kfi_count count;
} number_filters[KFI_NUMS] = {
	[KFI_NUM_DEPTH]	= { "\tat most %u deep%s\n", "Depth", KFI_FILTERED_DEPTH },
	[KFI_NUM_PID]	= { "\tonly pid %u%s\n", "Pid", KFI_FILTERED_PID },
	[KFI_NUM_CPU]	= { "\tonly cpu %u%s\n", "Cpu", KFI_FILTERED_CPU },
};

/* Lists: their line, that of their counter, and the counter. */
static const struct {
	const char *text;
	const char *name;
	enum kfi_count count;
} list_filters[KFI_LIST_RECORD] = {
	[KFI_LIST_ONLY]	   = { "\t%u-entry function list", "Function List", KFI_FILTERED_FUNCLIST },
	[KFI_LIST_EXCLUDE] = { "\t%u-entry exclude list", "Exclude list", KFI_FILTERED_EXCLUDE },
	[KFI_LIST_UNDER]   = { "\t%u-entry only under list", "Under", KFI_FILTERED_UNDER },
};

/* Print how many functions a list has, by the format @text, and the modules as they are written. */
static void show_list(struct seq_file *m, const struct kfi_log *log, u32 list, const char *text)
{
	const struct kfi_list *l = &log->run.filter.lists[list];
	const struct kfi_conf *c = &log->conf;
	u32 i;

	if (!l->given)
		return;
	seq_printf(m, text, l->n);
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
			seq_printf(m, number_filters[i].text, c->num[i],
				   i == KFI_NUM_PID && c->children ? " and its children" : "");
	for (i = 0; i < ARRAY_SIZE(list_filters); i++)
		show_list(m, log, i, list_filters[i].text);
	show_list(m, log, KFI_LIST_RECORD, "\targuments and return values of %u functions recorded");
}

/* Calls that no row stands for. */
static u64 calls_left_out(const struct kfi_log *log)
{
	return log->excerpt ? log->excerpt->left_out[KFI_EXCERPT_CALL] : 0;
}

static void show_filter_counts(struct seq_file *m, const struct kfi_log *log)
{
	const struct kfi_conf *c = &log->conf;
	const u64 *n = log->total;
	u32 i;

	seq_puts(m, "\nFilter Counters:\n\n");
	if (c->autorepeat)
		seq_printf(m, "Between rounds filter count = %llu\n", n[KFI_FILTERED_BETWEEN]);
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
	for (i = 0; i < ARRAY_SIZE(list_filters); i++)
		if (log->run.filter.lists[i].given)
			seq_printf(m, "%s filter count = %llu\n", list_filters[i].name,
				   n[list_filters[i].count]);
	seq_printf(m, "Total entries filtered = %llu\n",
		   sum_counts(log, KFI_FILTERED_FIRST, KFI_FILTERED_LAST));
	seq_printf(m, "Entries not found = %llu\n", n[KFI_NOT_FOUND]);
	seq_printf(m, "\nNumber of entries after filters = %llu\n\n",
		   log->run.profile ? log->total[KFI_KEPT] + open_calls(log) - calls_left_out(log) :
				      log->nrows - log->nevents);
}

static u64 chunks_used(const struct kfi_log *log)
{
	const struct kfi_ring *ring = &log->run.ring;
	u64 n = 0;
	u32 i;

	for (i = 0; i < kfi_ring_taken(ring); i++)
		n += kfi_ring_order(ring, i) != 0;
	return n;
}

static void show_accounting(struct seq_file *m, const struct kfi_log *log)
{
	const u64 *n = log->total;

	seq_printf(m, "Calls seen = %llu\n", n[KFI_SEEN]);
	seq_printf(m, "Calls kept = %llu\n", n[KFI_KEPT]);
	seq_printf(m, "Calls filtered = %llu\n",
		   sum_counts(log, KFI_FILTERED_FIRST, KFI_FILTERED_LAST));
	seq_printf(m, "Calls lost = %llu\n", sum_counts(log, KFI_LOST_FIRST, KFI_LOST_LAST));
	seq_printf(m, "Lost to log full = %llu\n", n[KFI_LOST_FULL]);
	seq_printf(m, "Lost to depth = %llu\n", n[KFI_LOST_DEPTH]);
	seq_printf(m, "Lost to no stack = %llu\n", n[KFI_LOST_STACK]);
	seq_printf(m, "Lost to no clock = %llu\n", n[KFI_LOST_CLOCK]);
	seq_printf(m, "Lost to snapshot = %llu\n", n[KFI_LOST_SNAPSHOT]);
	seq_printf(m, "Lost to overwriting = %llu\n", n[KFI_LOST_OVERWRITTEN]);
	seq_printf(m, "Calls open = %llu\n", open_calls(log));
	if (log->excerpt)
		seq_printf(m, "Calls left out = %llu\n", calls_left_out(log));
	seq_printf(m, "Calls without time = %llu\n", n[KFI_NOTIME]);
	kfi_show_event_counts(m, log);
	/* A snapshot has only as much memory as the session has used. */
	seq_printf(m, "Log memory = %llu of %llu bytes\n", chunks_used(log) * KFI_CHUNK_BYTES,
		   (u64)(log->of ?: log)->run.ring.nchunks * KFI_CHUNK_BYTES);
}

static void show_iterations(struct seq_file *m, const struct kfi_log *log)
{
	const struct kfi_run *run = &log->run;

	if (!log->conf.autorepeat)
		return;
	seq_printf(m, "Rounds = %u\n", kfi_run_iterations(run));
	if (kfi_run_iterations(run) && run->began >= kfi_show_origin(log))
		seq_printf(m, "Last round began = %llu usec\n",
			   kfi_show_us(kfi_show_ns(log, run->began - kfi_show_origin(log))));
}

/* A session after another one is armed from process context, some time after that was complete. */
static void show_gap(struct seq_file *m, const struct kfi_log *log)
{
	const struct kfi_log *before = kfi_log_before(log->of ?: log);

	if (before && log->armed_at && log->hz)
		seq_printf(m, "Gap before = %llu usec\n",
			   kfi_show_us(kfi_show_ns(log, log->armed_at - before->run.stop.time)));
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
	/* A counter counts from the reset of the machine. The counter of um is that of its host. */
	if (kfi_clock.kind != KFI_CLOCK_SCHED && !IS_ENABLED(CONFIG_UML) && log->hz)
		seq_printf(m, "Clock at start_kernel = %llu ns\n",
			   kfi_show_ns(log, kfi_clock.zero));
	seq_printf(m, "Clock calibration = %s", kfi_clock.calibration ?: "not known yet");
	if (log->drift_ms)
		seq_printf(m, ", %lld ppm against CLOCK_MONOTONIC_RAW in %llu ms",
			   log->drift_ppm, log->drift_ms);
	seq_printf(m, "\nClock steps back = %llu\n", log->total[KFI_STEPS_BACK]);
}

/* Print a time on the axis of Entry, in units of @ns; a time before the start is negative. */
static void show_time(struct seq_file *m, const struct kfi_log *log, u64 time, u32 ns)
{
	u64 origin = kfi_show_origin(log), away = time < origin ? origin - time : time - origin;

	seq_printf(m, " %s%llu", time < origin ? "-" : "", div_u64(kfi_show_ns(log, away), ns));
}

static void show_pair(struct seq_file *m, const struct kfi_log *log, const struct kfi_clock_pair *p)
{
	if (!p->count || !log->hz)
		return;
	seq_puts(m, "Printk clock =");
	show_time(m, log, p->count, 1);
	seq_printf(m, " %llu\n", p->printk_ns);
}

/* In order of time: a log may have been made before the boot or after it. */
static void show_pairs(struct seq_file *m, const struct kfi_log *log)
{
	const struct kfi_clock_pair *p;

	show_pair(m, log, &log->made);
	for (p = kfi_clock_pairs; p->count; p++)
		if (p->count > log->made.count)
			show_pair(m, log, p);
	show_pair(m, log, &log->read);
}

static u64 cost_ns(const struct kfi_log *log, u64 counts)
{
	return div_u64(kfi_show_ns(log, counts) + KFI_COST_CALLS / 2, KFI_COST_CALLS);
}

static void show_cost(struct seq_file *m, const struct kfi_log *log)
{
	if (!log->cost.kept || !log->hz)
		return;
	seq_printf(m, "Callout cost = %llu ns kept, %llu ns filtered", cost_ns(log, log->cost.kept),
		   cost_ns(log, log->cost.filtered));
	if (log->cost.noints)
		seq_printf(m, ", %llu ns noints", cost_ns(log, log->cost.noints));
	seq_putc(m, '\n');
}

/* ---- what is needed to give names to addresses ---- */

/* The build id of vmlinux, from its notes. */
static void show_build_id(struct seq_file *m)
{
	extern const char __start_notes[], __stop_notes[];
	unsigned char id[BUILD_ID_SIZE_MAX];

	if (!build_id_parse_buf(__start_notes, id, __stop_notes - __start_notes))
		seq_printf(m, "Build id = %*phN\n", BUILD_ID_SIZE_MAX, id);
}

/* Print a time of the load history in microseconds; "-" for 0, an unknown time. */
static void show_load_time(struct seq_file *m, const struct kfi_log *log, u64 time)
{
	if (time)
		show_time(m, log, time, NSEC_PER_USEC);
	else
		seq_puts(m, " -");
}

static void show_text(struct seq_file *m, const struct kfi_log *log, unsigned long from,
		      unsigned long size)
{
	seq_printf(m, " 0x%0*lx %lu", KFI_ADDR_DIGITS,
		   (unsigned long)kfi_move_addr(&log->move, from), size);
}

static void show_modules(struct seq_file *m, const struct kfi_log *log)
{
	u32 i;

	seq_puts(m, "Kernel text =");
	show_text(m, log, (unsigned long)_stext, _etext - _stext);
	seq_puts(m, "\nKernel init text =");
	show_text(m, log, (unsigned long)_sinittext, _einittext - _sinittext);
	show_load_time(m, log, log->loads.kernel_init_freed);
	seq_putc(m, '\n');
	/* All that is hidden has one address, which readers give this name. */
	if (log->move.end)
		seq_printf(m, "Module = hidden 0x%llx 1 0x0 0 0 - -\n",
			   log->move.end - log->move.by);
	for (i = 0; i < log->loads.n && !log->move.end; i++) {
		const struct kfi_load *l = &log->loads.load[i];

		seq_printf(m, "Module = %s", l->name);
		show_text(m, log, l->text, l->text_size);
		show_text(m, log, l->init, l->init_size);
		show_load_time(m, log, l->loaded);
		show_load_time(m, log, l->init_over);
		show_load_time(m, log, l->unloaded);
		seq_putc(m, '\n');
	}
	if (log->loads.forgotten)
		seq_printf(m, "Modules forgotten = %u\n", log->loads.forgotten);
}

/*
 * The word of the line "Instrumented". Before inlining, inlined functions have rows of their own.
 */
static const char *instrumented(void)
{
	return IS_ENABLED(CONFIG_KFI_AFTER_INLINING) ? "after" : "before";
}

static void show_machine(struct seq_file *m, const struct kfi_log *log, bool whole)
{
	bool hidden = log->excerpt && log->excerpt->names;

	seq_printf(m, "Kernel = %s\n", init_utsname()->release);
	seq_printf(m, "Word size = %d\n", BITS_PER_LONG);
	/* If rows have names, the header must not show addresses. */
	if (!hidden) {
		seq_printf(m, "Text = 0x%0*lx\n", KFI_ADDR_DIGITS,
			   (unsigned long)kfi_move_addr(&log->move, KFI_TEXT_BASE));
		seq_printf(m, "KASLR offset = 0x%llx\n", kfi_raw_moved() - log->move.by);
	}
	seq_printf(m, "Instrumented = %s inlining\n", instrumented());
	if ((whole || is_live(log)) && !hidden)
		show_modules(m, log);
	show_build_id(m);
	seq_printf(m, "Log format = %d\n", KFI_LOG_FORMAT);
}

/* ---- notes ---- */

static void note_trigger(struct seq_file *m, const struct kfi_log *log, const char *edge,
			 const struct kfi_trigger *t)
{
	if (t->kind != KFI_TRIG_ENTRY && t->kind != KFI_TRIG_EXIT)
		return;
	if (kfi_instrumented((unsigned long)t->func.addr) != KFI_INSTRUMENTED_NO)
		return;
	seq_printf(m, "Note = the function of the %s trigger is not instrumented: ", edge);
	kfi_show_addr(m, log, (unsigned long)t->func.addr, false, 0);
	seq_putc(m, '\n');
}

/*
 * Print a note for each function that a list names and that is not instrumented. Not for patterns,
 * which often match such functions, and not for the list of exclude.
 */
static void note_funcs(struct seq_file *m, const struct kfi_log *log)
{
	const struct kfi_conf *c = &log->conf;
	u32 i;

	for (i = 0; i < c->nfuncs; i++) {
		const struct kfi_func *f = &c->funcs[i];

		if (f->list == KFI_LIST_EXCLUDE || !f->resolved)
			continue;
		if (kfi_instrumented((unsigned long)f->addr) != KFI_INSTRUMENTED_NO)
			continue;
		seq_puts(m, "Note = a function of the list is not instrumented: ");
		kfi_show_addr(m, log, (unsigned long)f->addr, false, 0);
		seq_putc(m, '\n');
	}
}

static void note_state(struct seq_file *m, const struct kfi_log *log, int state)
{
	if (kfi_bad())
		seq_printf(m, "Note = switched off in a bad state, until the next boot: %s\n",
			   kfi_bad_text());
	switch (state) {
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
		seq_puts(m, kfi_run_is_paused(&log->run) ?
			 "Note = the start trigger was not seen again yet\n" :
			 "Note = still recording: what is read now is a snapshot\n");
	}
}

void kfi_show_state_note(struct seq_file *m, const struct kfi_log *log)
{
	note_state(m, log, kfi_show_state(log));
}

static void note_snapshot(struct seq_file *m, const struct kfi_log *log)
{
	u64 at = kfi_show_ns(log, log->run.stop.time - kfi_clock.zero);

	seq_printf(m, "Note = snapshot of a live run at %llu usec: all cpus stood still for %llu usec\n",
		   kfi_show_us(at), kfi_show_us(kfi_show_ns(log, log->still)));
}

/* Print from which time on a log that overwrites has all calls. */
static void note_oldest(struct seq_file *m, const struct kfi_log *log)
{
	u64 since = kfi_ring_since(&log->run.ring), ns;

	if (!since)
		return;
	ns = since > kfi_show_origin(log) ? kfi_show_ns(log, since - kfi_show_origin(log)) : 0;
	seq_printf(m, "Note = the log holds the last %llu ms: all calls that ended after %llu ns\n",
		   div_u64(kfi_show_elapsed(log) - min(ns, kfi_show_elapsed(log)), NSEC_PER_MSEC),
		   ns);
}

static void show_notes(struct seq_file *m, const struct kfi_log *log, bool whole)
{
	const struct kfi_run *run = &log->run;
	int state = kfi_show_state(log);

	if (log->of)
		note_snapshot(m, log);
	else if (!is_live(log))
		note_state(m, log, whole ? state : min_t(int, state, KFI_PRIMED));
	if ((log->of ?: log)->boot)
		kfi_boot_notes(m, log->of ?: log);
	note_trigger(m, log, "start", &log->conf.start);
	note_trigger(m, log, "stop", &log->conf.stop);
	note_funcs(m, log);
	if (log->mods.missed)
		seq_printf(m, "Note = a list has room for %u modules, and more have come: %u\n",
			   KFI_LIST_MODULES, log->mods.missed);
	if (!KFI_MARKS_ARCH_SYSCALLS && log->run.marks & BIT(KFI_MARKS_SYSCALLS))
		seq_puts(m, "Note = system calls cannot be marked on this architecture\n");
	if (kfi_clock.kind != KFI_CLOCK_NONE && !log->hz)
		seq_puts(m, "Note = the rate of the clock is not known: times cannot be shown\n");
#ifdef CONFIG_X86
	if (kfi_clock.kind == KFI_CLOCK_TSC && check_tsc_unstable())
		seq_puts(m, "Note = the kernel has found the tsc unstable: times may be wrong\n");
#endif
	if (log->move.end)
		seq_puts(m, "Note = hidden by kptr_restrict or lockdown: modules, arguments, return values\n");
	if (!whole)
		return;
	if (log->excerpt && !log->excerpt->stream)
		seq_printf(m, "Note = made in a crash: %s, and those that were open in task %u\n",
			   run->profile ? "the calls that had returned" : "the newest calls",
			   log->excerpt->pid);
	if (log->excerpt && log->excerpt->open_unknown)
		seq_puts(m, "Note = the stacks of tasks could not be read: calls that they count and open calls of other tasks are missing\n");
	if (run->start.cause != KFI_BY_NOTHING && !run->start.time &&
	    kfi_clock.kind != KFI_CLOCK_NONE)
		seq_puts(m, "Note = started before the clock ran: times count from when it did\n");
	if (log->hz && kfi_clock.safe_from > kfi_show_origin(log))
		seq_printf(m, "Note = the clock is read around its erratum from %llu ns on: earlier times may be wrong\n",
			   kfi_show_ns(log, kfi_clock.safe_from - kfi_show_origin(log)));
	if (run->stop.cause == KFI_BY_FULL)
		seq_printf(m, "Note = log full after %llu ms: raise logentries or mintime\n",
			   div_u64(kfi_show_elapsed(log), NSEC_PER_MSEC));
	if (log->excerpt && log->excerpt->stream && log->total[KFI_LOST_OVERWRITTEN])
		seq_printf(m, "Note = calls were overwritten before /proc/kfi_pipe was read: %llu: raise logentries or mintime\n",
			   log->total[KFI_LOST_OVERWRITTEN]);
	if (!run->ring.wrap && atomic_read(&(log->of ?: log)->run.ring.marks) < 0)
		seq_puts(m, "Note = marks took half of the log, and no more were kept: raise logentries\n");
	if (log->run.profile && log->total[KFI_LOST_FULL])
		seq_puts(m, "Note = no room for all functions: raise logentries\n");
	if (log->refined)
		seq_puts(m, "Note = the rate of the clock was refined during the session: the time filters were not exact before\n");
	if (!log->excerpt || !log->excerpt->stream)
		note_oldest(m, log);
	if (log->nrows == log->nevents && run->start.cause != KFI_BY_NOTHING)
		seq_printf(m, "Note = %s\n", log->total[KFI_SEEN] ?
			   "no call passed the filters" :
			   "no instrumented function was called between start and stop");
}

/* ---- all of it ---- */

/* The check line of what stands in @m from @from on. */
static void show_check(struct seq_file *m, size_t from)
{
	const char *line = m->buf + from, *end = m->buf + m->count, *eol;
	u64 sum = 0;

	for (; line < end; line = eol + 1) {
		eol = memchr(line, '\n', end - line) ?: end;
		kfi_check_header(&sum, line, eol - line);
	}
	seq_printf(m, KFI_CHECK_HEADER "%08x\n", (u32)sum);
}

static void show_sum_titles(struct seq_file *m)
{
	seq_printf(m, "\n %-*s %10s %14s %14s %12s %12s %14s %14s %10s\n", KFI_NAME_WIDTH - 1,
		   "Function", "Count", "Total-ns", "Local-ns", "Min-ns", "Max-ns", "Off-ns",
		   "Irq-ns", "Untimed");
	seq_printf(m, "%.*s ---------- -------------- -------------- ------------ ------------ -------------- -------------- ----------\n",
		   KFI_NAME_WIDTH, "----------------------------------------");
}

void kfi_show_header(struct seq_file *m, const struct kfi_log *log, bool whole)
{
	size_t from = m->count;

	seq_printf(m, "\nKernel Instrumentation Run ID %u\n\n", log->run.id - 1);
	show_start_stop(m, log, whole);
	if (log->excerpt && log->excerpt->stream)
		seq_puts(m, "Read while running = yes\n");
	show_filters(m, log);
	if (whole) {
		show_filter_counts(m, log);
		show_accounting(m, log);
		show_iterations(m, log);
		show_gap(m, log);
	} else {
		seq_putc(m, '\n');
	}
	show_clock(m, log);
	if (whole) {
		show_pairs(m, log);
		show_cost(m, log);
	}
	show_machine(m, log, whole);
	show_notes(m, log, whole);
	show_check(m, from);
	if (log->run.profile) {
		show_sum_titles(m);
		return;
	}
	seq_printf(m, "\n %-7s  %-7s  %-7s %-*s %-*s %12s %12s %12s Cpu Depth Ctx %7s Marks          %12s %12s\n",
		   "Entry", "Delta", "PID", KFI_NAME_WIDTH, "    Function", KFI_NAME_WIDTH, "    Caller",
		   "Entry-ns", "Delta-ns", "Local-ns", "Task", "Off-ns", "Irq-ns");
	seq_printf(m, "-------- -------- -------- %.*s %.*s ------------ ------------ ------------ --- ----- --- ------- -------------- ------------ ------------\n",
		   KFI_NAME_WIDTH, "----------------------------------------",
		   KFI_NAME_WIDTH, "----------------------------------------");
}
