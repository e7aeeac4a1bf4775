// SPDX-License-Identifier: GPL-2.0
/*
 * After a panic or an oops the session is stopped. Its newest calls go to the console as a small
 * log (kfi.dump=panic), or all as lines (kfi.dump=console, serial.c); what fits goes to memory that
 * outlives a reboot (kfi.mem=, last.c).
 * Nothing that runs in a crash allocates, sleeps or takes a lock that it does not get at once.
 */
#include <linux/init.h>
#include <linux/kdebug.h>
#include <linux/kernel.h>
#include <linux/kfi.h>
#include <linux/nmi.h>
#include <linux/notifier.h>
#include <linux/panic_notifier.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "files/files.h"
#include "hooks/live.h"

#define ROWS		200
#define ROWS_MAX	1000

/* What kfi.dump= asks for; 0: nothing. */
static u32 dump_rows;

/* There is something to be done in a crash. */
static bool wanted;

/* The first crash of a boot is the one that counts. */
static atomic_t crashed = ATOMIC_INIT(0);

static struct kfi_row rows[ROWS_MAX + KFI_STACK_DEPTH];
static struct kfi_rec opens[KFI_STACK_DEPTH];
static struct kfi_excerpt excerpt;

/* A header with a note for each function of a list and a line for each module fits. */
static char text[KFI_KEEP_COMMIT_MAX] __aligned(8);

/* The hook at the beginning of panic() and of an oops: what follows is the crash's own. */
void kfi_crash(void)
{
	struct kfi_run *run;

	if (!READ_ONCE(wanted) || atomic_read(&crashed))
		return;
	kfi_serial_interrupt();
	preempt_disable_notrace();
	run = READ_ONCE(kfi_live);
	if (run)
		kfi_run_stop(run, KFI_BY_CRASH, 0);
	preempt_enable_notrace();
}

/* ---- the end of a session ---- */

void kfi_excerpt_init(struct kfi_excerpt *e, const struct kfi_run *run)
{
	struct kfi_log *log = &e->log;

	memcpy(log, container_of(run, struct kfi_log, run), sizeof(*log));
	/* Its exact times are not for the hooks. */
	log->run.tag = 0;
	log->hz = kfi_clock.hz;
	log->drift_ms = 0;
	kfi_loads_peek(&log->loads);
	kfi_log_set_times(log, true);
	log->excerpt = e;
	log->nevents = 0;
}

/* Add a row to those that return last, of which there is room for @room. */
static void insert_by_exit(struct kfi_log *log, const struct kfi_row *row, u32 room)
{
	struct kfi_row *r = log->rows;
	u32 i;

	if (log->nrows < room) {
		for (i = log->nrows++; i && r[i - 1].entry > row->entry; i--)
			r[i] = r[i - 1];
		r[i] = *row;
	} else if (room && r[0].entry < row->entry) {
		for (i = 1; i < room && r[i].entry < row->entry; i++)
			r[i - 1] = r[i];
		r[i - 1] = *row;
	}
}

/* Count all rows in the ring; the newest @room become rows, by their exit. */
static void add_ring_rows(struct kfi_excerpt *e, u32 room)
{
	const struct kfi_ring *ring = &e->log.run.ring;
	u32 n;

	for (n = 0; n < kfi_ring_taken(ring); n++) {
		struct kfi_row row = { .chunk = kfi_ring_newest(ring, n) };
		struct kfi_rec r;
		u32 words;

		for (; (words = kfi_ring_read(ring, row.chunk, row.at, &r)); row.at += words) {
			if (!kfi_collect_refilter(&e->log, &r))
				continue;
			if (r.event)
				kfi_collect_event(&e->log, row.chunk, row.at);
			e->found[kfi_excerpt_kind(&r)]++;
			row.entry = r.exit;
			insert_by_exit(&e->log, &row, room);
		}
	}
}

/* Calls that were taken off the stacks: all count, those of the task that crashed become rows. */
static void add_taken_calls(struct kfi_excerpt *e)
{
	struct kfi_log *log = &e->log;
	u32 i;

	log->nopen = 0;
	for (i = 0; i < e->ntaken; i++) {
		const struct kfi_rec *r = &e->taken[i];
		enum kfi_count verdict = kfi_call_filtered_by(&log->run, r);

		if (verdict != KFI_KEPT) {
			log->total[verdict]++;
			continue;
		}
		log->nopen++;
		if (r->pid == e->pid && e->nopen < ARRAY_SIZE(opens))
			log->open[e->nopen++] = *r;
	}
}

/* The calls in which the task that crashed was: there is room for all. */
static void take_open(struct kfi_excerpt *e)
{
	const struct kfi_stack *s = current->kfi.stack;
	const struct kfi_run *run = &e->log.run;
	struct kfi_rec *r = e->log.open;
	u32 i;

	for (i = 0; s && s->generation == run->id && i < kfi_stack_valid_frames(s); i++)
		if (kfi_call_open(s, i, &r[e->nopen]) &&
		    kfi_call_filtered_by(run, &r[e->nopen]) == KFI_KEPT)
			e->nopen++;
	e->log.nopen = e->nopen;
	e->open_unknown = !kfi_task_peek_open(run, e->log.total, &e->log.nopen);
	/* Then the time filters may have dropped more calls than were counted. */
	if ((s64)e->log.total[KFI_KEPT] < 0)
		e->log.total[KFI_KEPT] = 0;
}

/* What @of has, whether it is collected or not: the newest @room rows, and counts of all. */
static void fill_excerpt(struct kfi_excerpt *e, const struct kfi_log *of, u32 room)
{
	/* Pair with the releases in take_open_calls() and kfi_collect_rows(). */
	bool is_taken = smp_load_acquire(&of->taken), is_collected = kfi_log_is_collected(of);
	struct kfi_log *log = &e->log;

	kfi_clock_update();
	memset(e, 0, sizeof(*e));
	kfi_excerpt_init(e, &of->run);
	kfi_collect_counts(log, false);
	e->pid = current->pid;
	log->rows = rows;
	log->nrows = 0;
	log->open = opens;
	/* A profile has no records: its functions are read when they are sent. */
	if (!of->run.profile)
		add_ring_rows(e, room);
	if (is_taken) {
		e->taken = of->open;
		e->ntaken = of->ntaken;
		add_taken_calls(e);
	} else {
		take_open(e);
	}
	if (is_collected)
		memcpy(log->total, of->total, sizeof(log->total));
	e->found[KFI_EXCERPT_CALL] += log->nopen;
}

/* Return true if a session has left anything. */
static bool has_recorded(const struct kfi_log *log)
{
	return atomic_read_acquire(&log->run.state) == KFI_COMPLETE &&
	       log->run.start.cause != KFI_BY_NOTHING;
}

/* The session to show: the newest one with records, unless somebody has read it, or reads it. */
static const struct kfi_log *find_unread(const struct kfi_log *log)
{
	const struct kfi_log *found = NULL;

	for (; log; log = log->next)
		if (has_recorded(log) && !log->run.profile && !kfi_log_is_collected(log))
			found = log;
	return found;
}

bool kfi_crash_take(struct kfi_excerpt *e, const struct kfi_log *log)
{
	if (!has_recorded(log))
		return false;
	fill_excerpt(e, log, 0);
	return true;
}

static bool has_unread_profile(const struct kfi_log *log)
{
	for (; log; log = log->next)
		if (log->run.profile && log->run.start.cause != KFI_BY_NOTHING &&
		    !kfi_log_is_collected(log))
			return true;
	return false;
}

/* ---- the console ---- */

static void prepare_rows(struct kfi_excerpt *e, u32 n)
{
	struct kfi_log *log = &e->log;
	struct kfi_rec r;
	u32 i;

	memcpy(e->left_out, e->found, sizeof(e->found));
	log->nevents = 0;
	for (i = 0; i < e->nopen; i++)
		rows[n++] = (struct kfi_row) { .chunk = KFI_ROW_OPEN, .at = i };
	log->nrows = n;
	for (i = 0; i < n; i++) {
		kfi_log_row(log, i, &r);
		rows[i].entry = r.entry;
		log->nevents += !!r.event;
		e->left_out[kfi_excerpt_kind(&r)]--;
	}
	sort_r(rows, n, sizeof(*rows), kfi_collect_compare, NULL, log);
}

/* Line by line, as urgent as the panic itself. */
static void print_lines(struct seq_file *m)
{
	char *at = m->buf, *end;

	m->buf[min(m->count, m->size - 1)] = '\0';
	for (; (end = strchr(at, '\n')); at = end + 1) {
		*end = '\0';
		pr_emerg("%s\n", at);
	}
	m->count = 0;
	touch_nmi_watchdog();
}

static void dump(struct kfi_excerpt *e)
{
	struct seq_file m = { .buf = text, .size = sizeof(text) };
	const struct kfi_log *log = &e->log;
	struct kfi_check check = {};
	u32 i;

	pr_emerg("kfi: what was recorded last:\n");
	kfi_show_header(&m, log, true);
	print_lines(&m);
	for (i = 0; i < log->nrows; i++) {
		kfi_show_row(&m, log, i, &check);
		if (check.lines == KFI_CHECK_LINES || i == log->nrows - 1)
			kfi_show_check(&m, log, &check);
		print_lines(&m);
	}
	pr_emerg("kfi: end of %llu rows\n", log->nrows);
}

/* ---- the crash ---- */

static int on_crash(struct notifier_block *nb, unsigned long event, void *arg)
{
	const struct kfi_log *first, *log;
	bool is_sent;
	u32 n;

	kfi_crash();
	if (atomic_xchg(&crashed, 1))
		return NOTIFY_DONE;
	/* As long as preemption is off the logs cannot go away. */
	preempt_disable_notrace();
	first = kfi_control_peek();
	log = find_unread(first);
	if (log) {
		fill_excerpt(&excerpt, log, dump_rows);
		n = excerpt.log.nrows;
		kfi_last_crash(&excerpt, text);
		if (dump_rows) {
			excerpt.names = !kfi_proc_may_print();
			prepare_rows(&excerpt, n);
			dump(&excerpt);
		}
	}
	is_sent = kfi_serial_crash(first, &excerpt, text, sizeof(text));
	if (!is_sent && has_unread_profile(first))
		pr_emerg("kfi: a profile is not kept in a crash\n");
	else if (!log && !is_sent)
		pr_emerg("kfi: nothing was being recorded\n");
	preempt_enable_notrace();
	return NOTIFY_DONE;
}

static int on_die(struct notifier_block *nb, unsigned long event, void *arg)
{
	return event == DIE_OOPS ? on_crash(nb, event, arg) : NOTIFY_DONE;
}

static struct notifier_block panic_block = { .notifier_call = on_crash, .priority = INT_MAX };
static struct notifier_block die_block = { .notifier_call = on_die, .priority = INT_MAX };

void kfi_crash_wanted(void)
{
	if (wanted)
		return;
	WRITE_ONCE(wanted, true);
	atomic_notifier_chain_register(&panic_notifier_list, &panic_block);
	register_die_notifier(&die_block);
}

static int __init dump_param(char *arg)
{
	u32 n = ROWS;

	if (arg && !strncmp(arg, "console", 7) && kfi_serial_param(arg + 7)) {
		kfi_crash_wanted();
		return 0;
	}
	if (!arg || strncmp(arg, "panic", 5) ||
	    (arg[5] && (arg[5] != ',' || kstrtou32(arg + 6, 10, &n))) ||
	    !n || n > ROWS_MAX) {
		pr_err("kfi: kfi.dump=%s: not panic,ROWS with ROWS from 1 to %u or console,SECONDS with SECONDS from 1 to %u\n",
		       arg ?: "", ROWS_MAX, KFI_SERIAL_SECONDS_MAX);
		return 0;
	}
	dump_rows = n;
	kfi_crash_wanted();
	return 0;
}
early_param("kfi.dump", dump_param);
