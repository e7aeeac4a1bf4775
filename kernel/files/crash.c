// SPDX-License-Identifier: GPL-2.0
/*
 * After a panic or an oops the run is stopped, and its newest calls go to the console as a small
 * log (kfi.dump=), to memory that outlives a reboot (kfi.mem=, files/mem.c), or both. Nothing here
 * allocates, waits or takes a lock that it does not get at once.
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
#include <linux/string.h>

#include "session/collect.h"
#include "files/crash.h"
#include "session/life.h"
#include "files/mem.h"
#include "files/show.h"
#include "session/task.h"

#define ROWS		200
#define ROWS_MAX	1000

/* What kfi.dump= asks for; 0: nothing. */
static u32 dump_rows;

/* There is something to be done in a crash. */
static bool wanted;

/* The first crash of a boot is the one that counts. */
static atomic_t crashed = ATOMIC_INIT(0);

static struct kfi_last_item items[ROWS_MAX + KFI_STACK_DEPTH];
static char text[KFI_CRASH_TEXT];
static struct seq_file seq = { .buf = text, .size = sizeof(text) };
static struct kfi_excerpt excerpt = { .text = &seq };

/* The hook at the beginning of panic() and of an oops: what follows is the crash's own. */
void kfi_crash(void)
{
	struct kfi_run *run;

	if (!READ_ONCE(wanted) || atomic_read(&crashed))
		return;
	preempt_disable_notrace();
	run = READ_ONCE(kfi_live);
	if (run && !kfi_run_stop(run, KFI_BY_CRASH, 0) && kfi_run_between(run))
		kfi_run_end_waiting(run, KFI_PRIMED, KFI_BY_CRASH);
	preempt_enable_notrace();
}

/* ---- an excerpt ---- */

static enum kfi_excerpt_kind kind_of(const struct kfi_rec *r)
{
	if (!r->event)
		return KFI_EXCERPT_CALL;
	return r->event == KFI_EVENT_STACK ? KFI_EXCERPT_WATCH : KFI_EXCERPT_MARK;
}

static void take_ring(struct kfi_excerpt *e)
{
	const struct kfi_ring *ring = &e->log.run.ring;
	u32 chunk;

	for (chunk = 0; chunk < kfi_ring_taken(ring); chunk++) {
		struct kfi_last_item it = { .chunk = chunk };
		struct kfi_rec r;
		u32 words;

		for (; (words = kfi_ring_read(ring, chunk, it.at, &r)); it.at += words) {
			if (!kfi_collect_late(&e->log, &r))
				continue;
			if (r.event)
				kfi_collect_event(&e->log, chunk, it.at);
			e->found[kind_of(&r)]++;
			it.when = r.exit;
			it.depth = r.depth;
			kfi_last_add(&e->last, &it);
		}
	}
}

/* Return: false if it is an event that cannot be read. */
static bool read_row(const struct kfi_excerpt *e, u32 i, struct kfi_rec *r, struct kfi_event *event)
{
	const struct kfi_last_item *it = &e->last.item[i];
	const struct kfi_ring *ring = &e->log.run.ring;

	if (it->chunk == KFI_ROW_OPEN)
		return kfi_call_open(e->stack, it->at, r);
	kfi_ring_read(ring, it->chunk, it->at, r);
	return !r->event || kfi_ring_event(ring, it->chunk, it->at, event);
}

/* Add the calls in which the task that crashed was: there is room for all. Return: how many. */
static u32 add_open(struct kfi_excerpt *e)
{
	const struct kfi_stack *s = current->kfi.stack;
	u32 i, n = e->last.n;
	struct kfi_rec r;

	if (!s || !kfi_run_has(&e->log.run, s->stamp))
		return 0;
	e->stack = s;
	for (i = 0; i < kfi_stack_held(s); i++)
		if (kfi_call_open(s, i, &r) && kfi_call_kind(&e->log.run, &r) == KFI_KEPT)
			e->last.item[e->last.n++] = (struct kfi_last_item) {
				.chunk = KFI_ROW_OPEN, .at = i
			};
	return e->last.n - n;
}

void kfi_excerpt_take(struct kfi_excerpt *e, const struct kfi_run *run, u32 room)
{
	struct kfi_log *log = &e->log;
	struct kfi_event event;
	struct kfi_rec r;
	u32 i;

	memcpy(log, container_of(run, struct kfi_log, run), sizeof(*log));
	kfi_clock_update();
	log->hz = kfi_clock.hz;
	log->drift_ms = 0;
	kfi_lives_peek(&log->lives);
	kfi_log_set_times(log, true);
	kfi_collect_counts(log);
	log->excerpt = e;
	e->pid = current->pid;
	memset(e->found, 0, sizeof(e->found));
	e->last.n = 0;
	e->last.room = room - KFI_STACK_DEPTH;
	e->stack = NULL;
	take_ring(e);
	log->nopen = add_open(e);
	e->open_unknown = !kfi_task_look_open(&log->run, log->total, &log->nopen);
	e->found[KFI_EXCERPT_CALL] += log->nopen;
	for (i = 0; i < e->last.n; i++) {
		read_row(e, i, &r, &event);
		e->last.item[i].when = r.entry;
		e->last.item[i].depth = r.depth;
	}
	kfi_last_sort(&e->last);
}

void kfi_excerpt_row(struct kfi_excerpt *e, u32 i)
{
	struct kfi_event event;
	struct kfi_rec r;

	e->text->count = 0;
	if (read_row(e, i, &r, &event))
		kfi_show_rec(e->text, &e->log, &r, &event);
}

void kfi_excerpt_head(struct kfi_excerpt *e, u32 rows)
{
	struct kfi_event event;
	struct kfi_rec r;
	u32 i;

	memcpy(e->left_out, e->found, sizeof(e->found));
	for (i = e->last.n - rows; i < e->last.n; i++) {
		read_row(e, i, &r, &event);
		e->left_out[kind_of(&r)]--;
	}
	e->log.nrows = rows;
	e->log.nevents = rows - (e->found[KFI_EXCERPT_CALL] - e->left_out[KFI_EXCERPT_CALL]);
	e->text->count = 0;
	kfi_show_header(e->text, &e->log, true);
}

/* ---- the console ---- */

/* Line by line, as urgent as the panic itself. */
static void say(struct seq_file *m)
{
	char *at = m->buf, *end;

	m->buf[min(m->count, m->size - 1)] = '\0';
	for (; (end = strchr(at, '\n')); at = end + 1) {
		*end = '\0';
		pr_emerg("%s\n", at);
	}
	touch_nmi_watchdog();
}

static void dump(struct kfi_excerpt *e)
{
	u32 i;

	pr_emerg("kfi: what was recorded last:\n");
	kfi_excerpt_head(e, e->last.n);
	say(e->text);
	for (i = 0; i < e->last.n; i++) {
		kfi_excerpt_row(e, i);
		say(e->text);
	}
	pr_emerg("kfi: end of %u rows\n", e->last.n);
}

/* ---- the crash ---- */

static int on_crash(struct notifier_block *nb, unsigned long event, void *arg)
{
	struct kfi_run *run;

	kfi_crash();
	if (atomic_xchg(&crashed, 1))
		return NOTIFY_DONE;
	/* With preemption off the run cannot go away: see kfi_log_unpublish(). */
	preempt_disable_notrace();
	run = READ_ONCE(kfi_live);
	if (!run || atomic_read_acquire(&run->state) != KFI_COMPLETE ||
	    run->start.cause == KFI_BY_NOTHING || run->profile) {
		pr_emerg("kfi: nothing was being recorded\n");
		goto out;
	}
	kfi_mem_write(&excerpt, run);
	if (dump_rows) {
		excerpt.last.item = items;
		kfi_excerpt_take(&excerpt, run, dump_rows + KFI_STACK_DEPTH);
		dump(&excerpt);
	}
out:
	preempt_enable_notrace();
	return NOTIFY_DONE;
}

static int on_die(struct notifier_block *nb, unsigned long event, void *arg)
{
	return event == DIE_OOPS ? on_crash(nb, event, arg) : NOTIFY_DONE;
}

static struct notifier_block panic_block = { .notifier_call = on_crash, .priority = INT_MAX };
static struct notifier_block die_block = { .notifier_call = on_die, .priority = INT_MAX };

void kfi_crash_want(void)
{
	if (wanted)
		return;
	WRITE_ONCE(wanted, true);
	atomic_notifier_chain_register(&panic_notifier_list, &panic_block);
	register_die_notifier(&die_block);
}

static int __init dump_param(char *arg)
{
	u32 rows = ROWS;

	if (!arg || strncmp(arg, "panic", 5) ||
	    (arg[5] && (arg[5] != ',' || kstrtou32(arg + 6, 10, &rows))) ||
	    !rows || rows > ROWS_MAX) {
		pr_err("kfi: kfi.dump=%s: not panic or panic,ROWS with ROWS from 1 to %u\n",
		       arg ?: "", ROWS_MAX);
		return 0;
	}
	dump_rows = rows;
	kfi_crash_want();
	return 0;
}
early_param("kfi.dump", dump_param);
