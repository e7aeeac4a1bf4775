// SPDX-License-Identifier: GPL-2.0
/*
 * The text of rows: calls, events, sums of a profile; and the status. It only formats what others
 * have collected. What stands above the rows is in show_head.c.
 */
#include <linux/ctype.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "files/files.h"
#include "hooks/slow.h"

/* ---- addresses ---- */

/* Used in a crash only, and only one crash is handled. */
static char symbol[KSYM_NAME_LEN];

static void show_name(struct seq_file *m, unsigned long addr, bool with_offset, int width)
{
	unsigned long size, offset;
	size_t from = m->count;
	const char *name;
	char *module;

	name = kallsyms_lookup(addr, &size, &offset, &module, symbol);
	seq_puts(m, name ?: "?");
	if (name && with_offset)
		seq_printf(m, "+0x%lx", offset);
	seq_printf(m, "%*s", max_t(int, 0, width - (int)(m->count - from)), "");
}

/* Names take the place of addresses, and of values, which may be addresses. */
static bool hides_addresses(const struct kfi_log *log)
{
	return unlikely(log->excerpt && log->excerpt->names);
}

void kfi_show_addr(struct seq_file *m, const struct kfi_log *log, unsigned long addr, bool offset,
		   int width)
{
	if (hides_addresses(log))
		show_name(m, addr, offset, width);
	else
		seq_printf(m, "0x%0*lx%*s", KFI_ADDR_DIGITS,
			   (unsigned long)kfi_move_addr(&log->move, addr),
			   max_t(int, 0, width - 2 - KFI_ADDR_DIGITS), "");
}

/* ---- marks and watches ---- */

/* Characters that are not plain text would break the line, or confuse a terminal. */
static void show_text(struct seq_file *m, const struct kfi_event *e)
{
	u32 i;

	for (i = 0; i < e->len; i++)
		seq_putc(m, isascii(e->text[i]) && isprint(e->text[i]) ? e->text[i] : '?');
}

/* Add the text of a mark to the checksum, as the bytes that were printed. */
static void check_text(struct seq_file *m, size_t from, struct kfi_check *c)
{
	size_t end = m->count;

	/* A terminal may drop blanks at the end of a line. */
	while (end > from && m->buf[end - 1] == ' ')
		end--;
	if (!seq_has_overflowed(m))
		kfi_check_text(&c->addresses, m->buf + from, end - from);
}

static void show_arg(struct seq_file *m, const struct kfi_log *log, const struct kfi_event *e,
		     char arg)
{
	u64 value;
	u32 i;

	for (i = 0; arg == 's' && i < e->nfuncs; i++) {
		seq_putc(m, ' ');
		kfi_show_addr(m, log, (unsigned long)kfi_event_func(e, i, log->run.ring.text),
			      false, 0);
	}
	for (i = 0; arg == 'a' && i < e->len / sizeof(value); i++) {
		memcpy(&value, e->text + i * sizeof(value), sizeof(value));
		if (hides_addresses(log))
			seq_puts(m, " ?");
		else
			seq_printf(m, " 0x%llx", value);
	}
	if (arg == 's' || arg == 'a' || (arg == 't' && !e->len))
		return;
	seq_putc(m, ' ');
	if (arg == 'f')
		kfi_show_addr(m, log, (unsigned long)e->func, false, 0);
	else if (arg == 'd')
		seq_printf(m, "%u", e->depth);
	else if (arg == 'v' && e->kind == KFI_EVENT_RET && hides_addresses(log))
		seq_putc(m, '?');
	else if (arg == 'v')
		seq_printf(m, "%lld", e->value);
	else
		show_text(m, e);
}

static void show_mark(struct seq_file *m, const struct kfi_log *log, const struct kfi_event *e,
		      struct kfi_check *c)
{
	const struct kfi_event_row *kind = &kfi_event_kinds[e->kind];
	u64 ns = 0, origin = kfi_show_origin(log);
	const char *arg;
	size_t from;

	if (e->time > origin)
		ns = kfi_show_ns(log, e->time - origin);
	seq_printf(m, "# %8llu %12llu %3u %7u %c ", kfi_show_us(ns), ns, e->cpu, e->pid,
		   KFI_CTX_LETTERS[e->ctx]);
	from = m->count;
	seq_puts(m, kind->word);
	for (arg = kind->args; *arg; arg++)
		show_arg(m, log, e, *arg);
	kfi_check_mark(c, ns, e->pid, e->cpu, e->ctx);
	check_text(m, from, c);
	seq_putc(m, '\n');
}

void kfi_show_watch_lowest(struct seq_file *m, const struct kfi_log *log)
{
	u32 lowest = log->lowest.value ? (u32)log->lowest.value : U32_MAX;

	if (!log->run.watch)
		return;
	if (log->run.watch == KFI_WATCH_WORST)
		lowest = min(lowest, kfi_watch_limit(&log->run));
	if (lowest == U32_MAX || lowest == log->conf.watch_bytes)
		return;
	seq_printf(m, "Watch lowest = %u bytes free", lowest);
	/* The task is unknown if its row was lost, or was not read yet. */
	if (log->lowest.value == lowest) {
		seq_printf(m, ", task %u, at entry to function ", log->lowest.pid);
		kfi_show_addr(m, log, (unsigned long)log->lowest.func, false, 0);
	}
	seq_putc(m, '\n');
}

void kfi_show_event_counts(struct seq_file *m, const struct kfi_log *log)
{
	const u64 *n = log->total;

	seq_printf(m, "Marks kept = %llu\n", n[KFI_MARKS_KEPT]);
	seq_printf(m, "Marks lost = %llu\n", n[KFI_MARKS_LOST]);
	if (log->excerpt)
		seq_printf(m, "Marks left out = %llu\n", log->excerpt->left_out[KFI_EXCERPT_MARK]);
	if (!log->run.watch)
		return;
	seq_printf(m, "Watch rows = %llu\n", n[KFI_WATCH_KEPT]);
	seq_printf(m, "Watch rows lost = %llu\n", n[KFI_WATCH_LOST]);
	if (log->excerpt)
		seq_printf(m, "Watch rows left out = %llu\n",
			   log->excerpt->left_out[KFI_EXCERPT_WATCH]);
	kfi_show_watch_lowest(m, log);
}

/* ---- rows ---- */

/* The words of Marks with commas between, "-" for none. */
static const char *marks_text(u8 marks, u32 below, char *buf, size_t size)
{
	static const char * const names[KFI_MARK_BITS] = {
		"notime", "unwound", "open", "stack"
	};
	unsigned int i;
	size_t at = 0;

	for (i = 0; i < KFI_MARK_BITS; i++)
		if (marks >> i & 1)
			at += scnprintf(buf + at, size - at, "%s%s", at ? "," : "", names[i]);
	if (below)
		at += scnprintf(buf + at, size - at, "%sbelow=%u", at ? "," : "", below);
	return at ? buf : "-";
}

static void show_rec(struct seq_file *m, const struct kfi_log *log, const struct kfi_rec *r,
		     const struct kfi_event *e, struct kfi_check *c)
{
	s64 delta_us = -1, delta = -1, local = -1, off = -1, irq = -1;
	u64 entry = 0, exit;
	u32 below = r->marks ? 0 : r->below;
	char marks[32];

	if (r->event && r->event != KFI_EVENT_STACK) {
		show_mark(m, log, e, c);
		return;
	}
	if (r->marks & KFI_MARK_STACK)
		delta_us = -2;
	if (!(r->marks & KFI_MARK_NOTIME))
		entry = kfi_show_ns(log, r->entry - kfi_show_origin(log));
	if (!r->marks) {
		/* Differences of rounded times, so that printed rows nest as the calls did. */
		exit = kfi_show_ns(log, r->exit - kfi_show_origin(log));
		delta = exit - entry;
		delta_us = kfi_show_us(exit) - kfi_show_us(entry);
		local = min_t(u64, kfi_show_ns(log, r->local), delta);
		off = min_t(u64, kfi_show_ns(log, r->off), delta);
		irq = min_t(u64, kfi_show_ns(log, r->irq), delta - off);
	}
	seq_printf(m, "%8llu %8lld %8d ", kfi_show_us(entry), delta_us,
		   r->ctx == KFI_CTX_TASK ? (int)r->pid : -1);
	kfi_show_addr(m, log, (unsigned long)r->func, false, KFI_NAME_WIDTH);
	seq_putc(m, ' ');
	kfi_show_addr(m, log, (unsigned long)r->site, true, KFI_NAME_WIDTH);
	seq_printf(m, " %12llu %12lld %12lld %3u %5u   %c %7u %-14s %12lld %12lld\n",
		   entry, delta, local, r->cpu, r->depth, KFI_CTX_LETTERS[r->ctx], r->pid,
		   marks_text(r->marks, below, marks, sizeof(marks)), off, irq);
	kfi_check_row(c, (s64[]){ entry, delta, local, off, irq }, r->pid, r->cpu, r->depth, r->ctx,
		      r->marks, below);
	kfi_check_add(&c->addresses, (unsigned long)r->func);
	kfi_check_add(&c->addresses, (unsigned long)r->site);
}

void kfi_show_check(struct seq_file *m, const struct kfi_log *log, struct kfi_check *c)
{
	bool names = log->excerpt && log->excerpt->names;

	/*
	 * With names instead of addresses: a sum of the addresses would show where the kernel
	 * lies.
	 */
	if (c->lines)
		seq_printf(m, "# check %u %08x %08x%s\n", c->lines, (u32)c->numbers,
			   names ? 0 : (u32)c->addresses, names ? " names" : "");
	*c = (struct kfi_check) {};
}

/* ---- profiles ---- */

static void show_sum(struct seq_file *m, const struct kfi_log *log, const struct kfi_prof_sum *s,
		     struct kfi_check *c)
{
	const u64 v[] = {
		s->count, kfi_show_ns(log, s->total), kfi_show_ns(log, s->local),
		kfi_show_ns(log, s->min), kfi_show_ns(log, s->max), kfi_show_ns(log, s->off),
		kfi_show_ns(log, s->irq), s->untimed
	};
	unsigned int i;

	kfi_show_addr(m, log, (unsigned long)s->func, false, KFI_NAME_WIDTH);
	seq_printf(m, " %10llu %14llu %14llu %12llu %12llu %14llu %14llu %10llu\n", v[0], v[1],
		   v[2], v[3], v[4], v[5], v[6], v[7]);
	c->lines++;
	for (i = 0; i < ARRAY_SIZE(v); i++)
		kfi_check_add(&c->numbers, v[i]);
	kfi_check_add(&c->addresses, (unsigned long)s->func);
}

void kfi_show_row(struct seq_file *m, const struct kfi_log *log, u32 i, struct kfi_check *c)
{
	struct kfi_event e;
	struct kfi_rec r;

	if (log->run.profile) {
		show_sum(m, log, &log->sums[i], c);
		return;
	}
	kfi_log_row(log, i, &r);
	if (!r.event || kfi_log_event(log, i, &e))
		show_rec(m, log, &r, &e, c);
}

/* ---- status ---- */

static void show_config(struct seq_file *m, const struct kfi_conf *c)
{
	size_t len = kfi_conf_format(c, NULL, 0);
	char *text = kmalloc(len + 1, GFP_KERNEL);

	if (!text)
		return;
	kfi_conf_format(c, text, len + 1);
	seq_puts(m, text);
	kfree(text);
}

/* The number of a run among all of the configuration. */
static void show_run_number(struct seq_file *m, const struct kfi_log *first,
			    const struct kfi_log *log)
{
	unsigned int n = 0, nth = 0;

	for (; first; first = first->next) {
		n++;
		if (first == log)
			nth = n;
	}
	if (n > 1)
		seq_printf(m, "run %u of %u\n", nth, n);
}

void kfi_show_status(struct seq_file *m, struct kfi_log *first)
{
	const struct kfi_log *log = kfi_log_current(first);
	bool triggered, complete;

	if (!log) {
		seq_puts(m, "No logging run registered\n");
		return;
	}
	complete = kfi_show_state(log) == KFI_COMPLETE;
	triggered = complete ? log->run.start.cause != KFI_BY_NOTHING :
			       kfi_show_state(log) >= KFI_TRIGGERED &&
			       !kfi_run_is_paused(&log->run);
	seq_printf(m, "status: run id %u, %sprimed, %striggered, %scomplete\n", log->run.id - 1,
		   log->primed ? "" : "not ", triggered ? "" : "not ",
		   complete ? "" : "not ");
	show_run_number(m, first, log);
	if (log->conf.autorepeat)
		seq_printf(m, "rounds %u\n", kfi_run_iterations(&log->run));
	seq_puts(m, "\nconfig:\n");
	seq_puts(m, "  mode 0\n");
	show_config(m, &log->conf);
	kfi_show_watch_lowest(m, log);
	kfi_show_state_note(m, log);
}
