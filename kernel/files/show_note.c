// SPDX-License-Identifier: GPL-2.0
/*
 * The notes in a header: why a log is not what one would expect.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/seq_file.h>
#include <linux/time64.h>
#ifdef CONFIG_X86
#include <asm/tsc.h>
#endif

#include "session/boot.h"
#include "files/crash.h"
#include "arch/instrumented.h"
#include "files/show.h"
#include "hooks/tell.h"

static void note_trigger(struct seq_file *m, const char *edge, const struct kfi_trigger *t)
{
	if (t->kind != KFI_TRIG_ENTRY && t->kind != KFI_TRIG_EXIT)
		return;
	if (kfi_instrumented((unsigned long)t->func.addr) == KFI_INSTRUMENTED_NO)
		seq_printf(m, "Note = the function of the %s trigger is not instrumented: 0x%0*lx\n",
			   edge, KFI_ADDR_DIGITS, (unsigned long)t->func.addr);
}

/* What is written by name or address; of what a pattern matches some is never instrumented. */
static void note_funcs(struct seq_file *m, const struct kfi_conf *c)
{
	u32 i;

	for (i = 0; i < c->nfuncs; i++) {
		const struct kfi_func *f = &c->funcs[i];

		if (f->list == KFI_LIST_EXCLUDE || !f->resolved)
			continue;
		if (kfi_instrumented((unsigned long)f->addr) == KFI_INSTRUMENTED_NO)
			seq_printf(m, "Note = a function of the list is not instrumented: 0x%0*lx\n",
				   KFI_ADDR_DIGITS, (unsigned long)f->addr);
	}
}

static void show_state(struct seq_file *m, const struct kfi_log *log, int state)
{
	if (kfi_bad())
		seq_printf(m, "Note = switched off in a bad state, until the next boot: %s\n",
			   kfi_bad_text());
	switch (state) {
	case KFI_IDLE:
		seq_puts(m, "Note = the run was never primed: echo prime >/proc/kfi\n");
		break;
	case KFI_PRIMED:
		seq_printf(m, "Note = the start trigger was not seen %s\n",
			   log->run.rounds ? "again yet" : "yet");
		break;
	case KFI_COMPLETE:
		if (log->run.start.cause == KFI_BY_NOTHING)
			seq_printf(m, "Note = stopped by user action before %s\n",
				   kfi_log_was_primed(log) ? "the start trigger was seen" : "it was primed");
		break;
	default:
		seq_puts(m, "Note = still recording: what is read now is a snapshot\n");
	}
}

void kfi_show_state_note(struct seq_file *m, const struct kfi_log *log)
{
	show_state(m, log, kfi_show_state(log));
}

static void note_snapshot(struct seq_file *m, const struct kfi_log *log)
{
	u64 at = kfi_show_ns(log, log->run.stop.time - kfi_clock.zero);

	seq_printf(m, "Note = snapshot of a live run at %llu usec: all cpus stood still for %llu usec\n",
		   kfi_show_us(at), kfi_show_us(kfi_show_ns(log, log->still)));
}

/* From when on a log that overwrites has all calls. */
static void note_since(struct seq_file *m, const struct kfi_log *log)
{
	u64 since = kfi_ring_since(&log->run.ring), ns;

	if (!since)
		return;
	ns = since > kfi_show_origin(log) ? kfi_show_ns(log, since - kfi_show_origin(log)) : 0;
	seq_printf(m, "Note = the log holds the last %llu ms: all calls that ended after %llu ns\n",
		   div_u64(kfi_show_elapsed(log) - min(ns, kfi_show_elapsed(log)), NSEC_PER_MSEC),
		   ns);
}

void kfi_show_notes(struct seq_file *m, const struct kfi_log *log, bool whole)
{
	const struct kfi_run *run = &log->run;
	int state = kfi_show_state(log);

	if (log->of)
		note_snapshot(m, log);
	else
		show_state(m, log, whole ? state : min_t(int, state, KFI_PRIMED));
	if ((log->of ?: log)->boot)
		kfi_boot_notes(m, log->of ?: log);
	note_trigger(m, "start", &log->conf.start);
	note_trigger(m, "stop", &log->conf.stop);
	note_funcs(m, &log->conf);
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
	if (!whole)
		return;
	if (log->excerpt)
		seq_printf(m, "Note = made in a crash: the newest calls, and those that were open in task %u\n",
			   log->excerpt->pid);
	if (log->excerpt && log->excerpt->open_unknown)
		seq_puts(m, "Note = the open calls of other tasks could not be counted\n");
	if (run->start.cause != KFI_BY_NOTHING && !run->start.time &&
	    kfi_clock.kind != KFI_CLOCK_NONE)
		seq_puts(m, "Note = started before the clock ran: times count from when it did\n");
	if (run->stop.cause == KFI_BY_FULL)
		seq_printf(m, "Note = log full after %llu ms: raise logentries or mintime\n",
			   div_u64(kfi_show_elapsed(log), NSEC_PER_MSEC));
	if (log->run.profile && log->total[KFI_LOST_FULL])
		seq_puts(m, "Note = no room for all functions: raise logentries\n");
	if (log->refined)
		seq_puts(m, "Note = the rate of the clock was refined meanwhile: the time filters were not exact before\n");
	note_since(m, log);
	if (log->nrows == log->nevents && run->start.cause != KFI_BY_NOTHING)
		seq_printf(m, "Note = %s\n", log->total[KFI_SEEN] ?
			   "no call passed the filters" :
			   "no instrumented function was called between start and stop");
}
