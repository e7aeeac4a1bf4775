// SPDX-License-Identifier: GPL-2.0
/*
 * After a panic or an oops the session is stopped, and its newest calls go to the console as a
 * small log (kfi.dump=), to memory that outlives a reboot (kfi.mem=), or both. Nothing that runs
 * in a crash allocates, waits or takes a lock that it does not get at once.
 *
 * kfi.mem=SIZE@ADDRESS names memory that neither Linux nor the boot loader uses, and that keeps
 * what is in it over a warm reboot. The next boot copies the text that a crash has left there,
 * invalidates it, and shows it in /proc/kfi_last.
 */
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/kdebug.h>
#include <linux/kernel.h>
#include <linux/kfi.h>
#include <linux/mm.h>
#include <linux/nmi.h>
#include <linux/notifier.h>
#include <linux/panic_notifier.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/proc_fs.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/barrier.h>

#include "core/keep.h"
#include "files/files.h"
#include "hooks/live.h"

/* A header with a note for each function of a list and a line for each module fits. */
#define TEXT_SIZE	49152

#define ROWS		200
#define ROWS_MAX	1000

/* What kfi.dump= asks for; 0: nothing. */
static u32 dump_rows;

/* There is something to be done in a crash. */
static bool wanted;

/* The first crash of a boot is the one that counts. */
static atomic_t crashed = ATOMIC_INIT(0);

static struct kfi_last_item items[ROWS_MAX + KFI_STACK_DEPTH];
static char text[TEXT_SIZE];
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

static void take_excerpt(struct kfi_excerpt *e, const struct kfi_run *run, u32 room)
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

static void print_row(struct kfi_excerpt *e, u32 i)
{
	struct kfi_event event;
	struct kfi_rec r;

	e->text->count = 0;
	if (read_row(e, i, &r, &event))
		kfi_show_rec(e->text, &e->log, &r, &event, &e->check);
}

static void print_head(struct kfi_excerpt *e, u32 rows)
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
	e->check = (struct kfi_check) {};
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
	print_head(e, e->last.n);
	say(e->text);
	for (i = 0; i < e->last.n; i++) {
		print_row(e, i);
		if (e->check.lines == KFI_CHECK_LINES || i == e->last.n - 1)
			kfi_show_check(e->text, &e->log, &e->check);
		say(e->text);
	}
	pr_emerg("kfi: end of %u rows\n", e->last.n);
}

/* ---- memory that outlives a reboot ---- */

#define SIZE_LEAST	SZ_64K
#define SIZE_MOST	SZ_16M

/* No row is shorter: see kfi_show_rec(). */
#define ROW_LEAST	160

/* The header of what is kept may have longer numbers than when it was measured. */
#define HEAD_SLACK		256

static phys_addr_t address;
static u64 size;
static const char *refused;

/* Mapped uncached, so that nothing is left in a cache when the machine is reset. */
static struct kfi_keep memory;
static struct kfi_last_item *mem_items;

/* What the boot before has left there; NULL: nothing. */
static char *last;
static size_t last_len;

static void write_memory(struct kfi_excerpt *e, const struct kfi_run *run)
{
	u32 above, n;

	if (!mem_items)
		return;
	e->last.item = mem_items;
	take_excerpt(e, run, memory.size / ROW_LEAST + KFI_STACK_DEPTH);
	print_head(e, e->last.n);
	above = e->text->count;
	if (!kfi_keep_begin(&memory, above + HEAD_SLACK))
		return;
	for (n = 0; n < e->last.n; n++) {
		print_row(e, e->last.n - 1 - n);
		if (!kfi_keep_row(&memory, e->text->buf, e->text->count))
			break;
	}
	print_head(e, n);
	kfi_keep_end(&memory, e->text->buf, e->text->count);
	wmb();	/* before whatever resets the machine */
	pr_emerg("kfi: %u rows are kept for the next boot\n", n);
}

/* ---- the crash ---- */

static int on_crash(struct notifier_block *nb, unsigned long event, void *arg)
{
	struct kfi_run *run;

	kfi_crash();
	if (atomic_xchg(&crashed, 1))
		return NOTIFY_DONE;
	/* With preemption off the run cannot go away: see unpublish() in session/control.c. */
	preempt_disable_notrace();
	run = READ_ONCE(kfi_live);
	if (!run || atomic_read_acquire(&run->state) != KFI_COMPLETE ||
	    run->start.cause == KFI_BY_NOTHING || run->profile) {
		pr_emerg("kfi: nothing was being recorded\n");
		goto out;
	}
	write_memory(&excerpt, run);
	if (dump_rows) {
		excerpt.last.item = items;
		excerpt.names = !kfi_proc_may_print();
		take_excerpt(&excerpt, run, dump_rows + KFI_STACK_DEPTH);
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

/* From now on a crash stops the session. */
static void crash_wanted(void)
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
	crash_wanted();
	return 0;
}
early_param("kfi.dump", dump_param);

/* ---- the next boot ---- */

/* Both texts, one behind the other. */
static void __init copy_last(void)
{
	const struct kfi_keep_head *h = memory.head;
	const char *mem = (const char *)h;

	if (!kfi_keep_valid(&memory))
		return;
	last = kvmalloc(h->above + h->rows, GFP_KERNEL);
	if (!last) {
		pr_err("kfi: no memory for what the boot before has left\n");
		return;
	}
	memcpy(last, mem + sizeof(*h), h->above);
	memcpy(last + h->above, mem + h->size - h->rows, h->rows);
	last_len = h->above + h->rows;
}

static const char * __init map(void)
{
	if (size < SIZE_LEAST || size > SIZE_MOST || size % PAGE_SIZE || address % PAGE_SIZE)
		return "SIZE must be from 64K to 16M, both in whole pages";
	if (region_intersects(address, size, IORESOURCE_SYSTEM_RAM, IORES_DESC_NONE) !=
	    REGION_DISJOINT)
		return "Linux uses this memory: keep it from it with memmap=, mem= or reserved-memory";
	memory.head = memremap(address, size, MEMREMAP_WC);
	if (!memory.head)
		return "the memory cannot be mapped";
	memory.size = (u32)size;
	mem_items = kvcalloc(memory.size / ROW_LEAST + KFI_STACK_DEPTH, sizeof(*mem_items),
			     GFP_KERNEL);
	if (!mem_items) {
		memunmap(memory.head);
		return "no memory to sort the rows";
	}
	return NULL;
}

static int __init mem_begin(void)
{
	if (!size && !refused)
		return 0;
	if (!refused)
		refused = map();
	if (refused) {
		pr_err("kfi: kfi.mem= refused: %s\n", refused);
		return 0;
	}
	copy_last();
	/* What is there was for this boot. */
	memory.head->magic = 0;
	crash_wanted();
	return 0;
}
early_initcall(mem_begin);

static int __init mem_param(char *arg)
{
	char *at = arg;

	refused = "not SIZE@ADDRESS";
	if (!arg)
		return 0;
	size = memparse(arg, &at);
	if (!size || *at != '@' || !at[1])
		return 0;
	address = memparse(at + 1, &at);
	if (!*at)
		refused = NULL;
	return 0;
}
early_param("kfi.mem", mem_param);

/* ---- /proc/kfi_last ---- */

static int last_show(struct seq_file *m, void *v)
{
	if (refused)
		seq_printf(m, "kfi.mem= refused: %s\n", refused);
	else if (!last)
		seq_puts(m, "The boot before has left nothing\n");
	return 0;
}

static int last_open(struct inode *inode, struct file *file)
{
	int ret = kfi_proc_may_open();

	return ret ?: single_open(file, last_show, NULL);
}

static ssize_t last_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	if (!last)
		return seq_read(file, buf, len, pos);
	return simple_read_from_buffer(buf, len, pos, last, last_len);
}

static const struct proc_ops last_ops = {
	.proc_open = last_open,
	.proc_read = last_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
};

static int __init last_init(void)
{
	if ((size || refused) && !proc_create("kfi_last", 0400, NULL, &last_ops))
		pr_err("kfi: no memory for /proc/kfi_last\n");
	return 0;
}
fs_initcall(last_init);
