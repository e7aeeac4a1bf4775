// SPDX-License-Identifier: GPL-2.0
/*
 * kfi.mem=SIZE@ADDRESS names memory that neither Linux nor the boot loader uses, and that keeps
 * what is in it over a warm reboot (core/keep.h). A crash copies the end of the session there. Full
 * chunks are copied each second before, since no code sees it when a watchdog resets the machine.
 * The next boot makes a raw log of it, clears the memory, and shows the log in /proc/kfi_last.
 */
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/nmi.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/workqueue.h>
#include <asm/barrier.h>

#include "files/files.h"
#include "hooks/live.h"

#define SIZE_LEAST	SZ_64K
#define SIZE_MOST	SZ_16M

#define OPENS_PER_SLOT	(sizeof(((struct kfi_keep_slot *)NULL)->data) / sizeof(struct kfi_raw_open))

static u64 address;
static u64 size;
static const char *refused;

/* Mapped uncached, so that nothing is left in a cache when the machine is reset. */
static struct kfi_keep memory;

/* The user of that memory: the live copy or a crash, which keeps it. */
enum { NOBODY, LIVE, CRASH };
static atomic_t writer = ATOMIC_INIT(NOBODY);

static struct kfi_keep_slot crash_slot;

/* The raw log that the boot before has left there; NULL: none. */
static void *last;
static size_t last_len;

/* ---- slots ---- */

/* A chunk becomes the part of a slot; its rows are counted by kind. */
static void fill_chunk(struct kfi_keep_slot *s, const struct kfi_log *log,
		       const struct kfi_chunk *c, u64 *rows)
{
	struct kfi_raw_chunk *head = (struct kfi_raw_chunk *)s->data;
	const struct kfi_ring *ring = &log->run.ring;
	u32 *words = (u32 *)(head + 1), at, n, bytes;
	struct kfi_rec r;

	BUILD_BUG_ON(sizeof(*head) + KFI_CHUNK_BYTES - sizeof(*c) > sizeof(s->data));
	/* A chunk may be taken again during the copy: copy_chunk() checks that afterwards. */
	*head = data_race(kfi_raw_chunk_of(ring, c));
	bytes = head->words * sizeof(u32);
	/* These words may change, too. */
	data_race(memcpy(words, c->words, bytes));
	s->part = (struct kfi_raw_part) { KFI_RAW_CHUNK, sizeof(*head) + bytes };
	s->calls = 0;
	s->others = 0;
	for (at = 0; (n = kfi_rec_decode(words + at, head->words - at, &r, ring->text, head->base));
	     at += n) {
		if (kfi_collect_verdict(log, &r) != KFI_KEPT)
			continue;
		rows[kfi_excerpt_kind(&r)]++;
		s->calls += !r.event;
		s->others += !!r.event;
	}
}

static bool has_records(const struct kfi_ring *ring, u32 chunk)
{
	return kfi_ring_order(ring, chunk) && local_read(&ring->chunks[chunk]->used);
}

/* Return true if a CPU writes to this chunk now. */
static bool is_current(const struct kfi_run *run, const struct kfi_chunk *c)
{
	return kfi_ring_chunk(&run->ring, &run->cpus[c->cpu].ring) == c;
}

/* ---- a header ---- */

/* Modules may be many: if they do not fit, the header says that they are forgotten. */
static bool print_header(struct kfi_keep_commit *c, struct kfi_log *log, bool whole)
{
	struct kfi_loads *loads = &log->loads;
	struct seq_file m;

	for (;;) {
		m = (struct seq_file) { .buf = c->text, .size = memory.commit_bytes - sizeof(*c) };
		kfi_show_header(&m, log, whole);
		if (!seq_has_overflowed(&m))
			break;
		if (!loads->n) {
			pr_err_once("kfi: the log's header does not fit into kfi.mem=\n");
			return false;
		}
		loads->forgotten += loads->n;
		loads->n = 0;
	}
	c->head = kfi_raw_head_of(log);
	c->part.bytes = m.count;
	return true;
}

/* ---- a crash ---- */

/*
 * The chunks that CPUs write to have what is newest, however long ago they were taken. Of the
 * others those that were taken last are copied, as many as fit.
 */
static void crash_chunks(const struct kfi_log *log, u32 room, u64 *rows)
{
	const struct kfi_ring *ring = &log->run.ring;
	u32 n, have[2] = {}, skip[2];

	for (n = 0; n < kfi_ring_taken(ring); n++)
		if (has_records(ring, n))
			have[is_current(&log->run, ring->chunks[n])]++;
	skip[true] = have[true] - min(have[true], room);
	room -= have[true] - skip[true];
	skip[false] = have[false] - min(have[false], room);
	for (n = kfi_ring_taken(ring); n--;) {
		u32 i = kfi_ring_newest(ring, n);
		const struct kfi_chunk *c = ring->chunks[i];

		if (!has_records(ring, i))
			continue;
		if (skip[is_current(&log->run, c)]) {
			skip[is_current(&log->run, c)]--;
			continue;
		}
		fill_chunk(&crash_slot, log, c, rows);
		kfi_keep_put(&memory, &crash_slot);
	}
}

static void crash_opens(const struct kfi_excerpt *e, u64 *rows)
{
	struct kfi_raw_open *o = (struct kfi_raw_open *)crash_slot.data;
	u32 i = 0, n;

	while (i < e->nopen) {
		for (n = 0; n < OPENS_PER_SLOT && i < e->nopen; n++)
			o[n] = kfi_raw_open_of(&e->log, &e->log.open[i++]);
		crash_slot.part = (struct kfi_raw_part) { KFI_RAW_OPEN, n * sizeof(*o) };
		crash_slot.calls = n;
		crash_slot.others = 0;
		rows[KFI_EXCERPT_CALL] += n;
		kfi_keep_put(&memory, &crash_slot);
	}
}

void kfi_last_crash(struct kfi_excerpt *e, void *text)
{
	u64 rows[KFI_EXCERPT_KINDS] = {};
	struct kfi_keep_commit *c = text;
	u32 i;

	if (!memory.mem)
		return;
	BUILD_BUG_ON(KFI_STACK_DEPTH > 8 * OPENS_PER_SLOT);
	/* Wait for a live copy, but a millisecond at most: the crash may have interrupted it. */
	for (i = 0; i < 1000 && atomic_cmpxchg(&writer, NOBODY, CRASH) != NOBODY; i++)
		udelay(1);
	atomic_set(&writer, CRASH);
	kfi_keep_begin(&memory);
	crash_chunks(&e->log, memory.nslots - DIV_ROUND_UP(e->nopen, OPENS_PER_SLOT), rows);
	crash_opens(e, rows);
	for (i = 0; i < KFI_EXCERPT_KINDS; i++)
		/* min(): in an oops other CPUs go on, and may have written rows since the count. */
		e->left_out[i] = e->found[i] - min(e->found[i], rows[i]);
	e->log.nevents = rows[KFI_EXCERPT_MARK] + rows[KFI_EXCERPT_WATCH];
	e->log.nrows = rows[KFI_EXCERPT_CALL] + e->log.nevents;
	c->until = 0;
	c->missed = 0;
	if (print_header(c, &e->log, true) && kfi_keep_commit(&memory, c))
		pr_emerg("kfi: %llu rows are kept for the next boot\n", e->log.nrows);
	touch_nmi_watchdog();
}

/* ---- before a crash: full chunks, each second or more often ---- */

/**
 * struct live - the session that is copied
 * @e: of it, with its header
 * @id: its number; 0: there is none yet
 * @start: when it started: after a selftest numbers come again
 * @hz: rate of the clock that its rows were counted with
 * @done: by chunk: lower half of the order in which it was taken when it was copied
 * @copied: how often a chunk was copied, or passed over
 * @complete: it was complete then
 * @committed: so were its last copies
 * @mark: of what its header was printed from; 0: there is no header
 * @wait: jiffies until the next copy
 * @slot: for kfi_keep_put()
 * @commit: for kfi_keep_commit()
 */
struct live {
	struct kfi_excerpt e;
	u32 id;
	u64 start;
	u64 hz;
	u32 *done;
	u64 copied;
	bool complete;
	bool committed;
	u32 mark;
	unsigned long wait;
	struct kfi_keep_slot slot;
	struct kfi_keep_commit *commit;
};
static struct live *live;

static bool lock_memory(void)
{
	preempt_disable_notrace();
	if (atomic_cmpxchg(&writer, NOBODY, LIVE) == NOBODY)
		return true;
	preempt_enable_notrace();
	return false;
}

static void unlock_memory(void)
{
	atomic_cmpxchg(&writer, LIVE, NOBODY);
	preempt_enable_notrace();
}

/* Return: false if there is no memory. */
static bool follow_log(const struct kfi_log *log)
{
	if (live->id == log->run.id && live->start == log->run.start.time &&
	    live->hz == kfi_clock.hz)
		return true;
	live->id = 0;
	kvfree(live->done);
	live->done = kvcalloc(log->run.ring.nchunks, sizeof(*live->done), GFP_KERNEL);
	if (!live->done)
		return false;
	live->id = log->run.id;
	live->start = log->run.start.time;
	live->hz = kfi_clock.hz;
	live->copied = 0;
	live->complete = false;
	live->committed = false;
	live->mark = 0;
	if (!lock_memory())
		return false;
	kfi_keep_begin(&memory);
	unlock_memory();
	return true;
}

/*
 * Return true if a chunk is full, and written by nobody any more. In a ring that does not wrap a
 * hook may still write to it: kfi_control_quiesce() waits for that.
 */
static bool is_full(const struct kfi_run *run, const struct kfi_chunk *c, bool complete)
{
	if (complete)
		return true;
	/* Pairs with give_back() of core/ring.c: its records are whole. */
	return run->ring.wrap ? !atomic_read_acquire(&c->owner) : !is_current(run, c);
}

/*
 * The copy is used only if the chunk was not taken again before it was complete. Taking a chunk
 * gives it an owner, then another order. Return: false if there is a crash.
 */
static bool copy_chunk(const struct kfi_log *log, u32 i)
{
	const struct kfi_ring *ring = &log->run.ring;
	const struct kfi_chunk *c = ring->chunks[i];
	u64 order = kfi_ring_order(ring, i), rows[KFI_EXCERPT_KINDS] = {};

	smp_rmb();	/* the order is that of the records, or of older ones */
	fill_chunk(&live->slot, log, c, rows);
	smp_rmb();	/* pairs with the exchange of the owner in claim() of core/ring.c */
	/* The owner first: once the chunk has none again, its next order is seen. */
	if (!is_full(&log->run, c, live->complete) || kfi_ring_order(ring, i) != order)
		return true;
	if (!lock_memory())
		return false;
	kfi_keep_put(&memory, &live->slot);
	unlock_memory();
	live->done[i] = (u32)order;
	live->copied++;
	return true;
}

/*
 * Find the chunks that are to be copied: they get the inverse of their order in @live->done.
 * Return: how many. @until becomes the time until which all calls are in those or in the log.
 */
static u32 find_full(const struct kfi_log *log, u64 *until, u64 *missed)
{
	const struct kfi_ring *ring = &log->run.ring;
	u64 newest = 0, left = 0;
	u32 i, n = 0;

	for (i = 0; i < kfi_ring_taken(ring); i++) {
		const struct kfi_chunk *c = ring->chunks[i];
		u64 order = kfi_ring_order(ring, i);

		kfi_resched();
		newest = max(newest, order);
		if (!order || live->done[i] == (u32)order)
			continue;
		if (has_records(ring, i) && is_full(&log->run, c, live->complete)) {
			live->done[i] = ~(u32)order;
			n++;
			continue;
		}
		left++;
		if (has_records(ring, i))
			*until = min(*until, READ_ONCE(c->base));
	}
	*missed = newest - min(newest, live->copied + left + n);
	return n;
}

/*
 * Print a header anew when something that it says has changed. Without memory for the modules, or
 * room for the header, there is none, and the next copy tries again.
 */
static void update_header(struct kfi_log *log)
{
	const struct kfi_run *run = &log->run;
	/* Read before the modules: what changes in between is printed next time. */
	u32 mark = 2 * kfi_loads_version() + live->complete + 1;

	if (mark == live->mark)
		return;
	live->mark = 0;
	/* Modules may come and go now: print a copy, not what kfi_loads_peek() gave. */
	log->loads = (struct kfi_loads) {};
	if (kfi_loads_get(&log->loads, run->start.time, run->stop.time ?: kfi_now()))
		return;
	if (print_header(live->commit, log, false))
		live->mark = mark;
	kvfree(log->loads.load);
	log->loads = (struct kfi_loads) {};
}

static void copy_log(const struct kfi_log *from)
{
	const struct kfi_run *run = &from->run;
	u64 until = kfi_now(), missed;
	struct kfi_log *log = &live->e.log;
	u32 n, skip, i;

	if (!follow_log(from) || live->committed)
		return;
	if (!live->complete && atomic_read_acquire(&run->state) == KFI_COMPLETE) {
		if (kfi_control_quiesce())
			return;
		live->complete = true;
	}
	kfi_excerpt_init(&live->e, run);
	n = find_full(log, &until, &missed);
	/* Come again before all of the ring has been overwritten. */
	if (n > log->run.ring.nchunks / 4)
		live->wait = max(live->wait / 4, 1UL);
	if (n && !run->ring.wrap && !live->complete && kfi_control_quiesce())
		return;
	skip = n - min(n, memory.nslots);
	for (n = kfi_ring_taken(&log->run.ring); n--;) {
		kfi_resched();
		i = kfi_ring_newest(&log->run.ring, n);
		if (live->done[i] != ~(u32)kfi_ring_order(&log->run.ring, i))
			continue;
		if (skip) {
			skip--;
			live->done[i] = ~live->done[i];
			live->copied++;
		} else if (!copy_chunk(log, i)) {
			return;
		}
	}
	update_header(log);
	if (!live->mark || !lock_memory())
		return;
	live->commit->until = until;
	live->commit->missed = (u32)min_t(u64, missed, U32_MAX);
	kfi_keep_commit(&memory, live->commit);
	unlock_memory();
	live->committed = live->complete;
}

static void copy_new(struct work_struct *work);
static DECLARE_DELAYED_WORK(copy_work, copy_new);

static void copy_new(struct work_struct *work)
{
	struct kfi_log *first = kfi_control_get_uncollected(), *log = kfi_log_current(first);
	int state = log ? atomic_read_acquire(&log->run.state) : KFI_IDLE;

	live->wait = min(live->wait * 2, (unsigned long)HZ);
	if (state == KFI_TRIGGERED || state == KFI_COMPLETE)
		if (log->run.start.cause != KFI_BY_NOTHING && !log->run.profile)
			copy_log(log);
	kfi_log_put(first);
	if (atomic_read(&writer) != CRASH)
		schedule_delayed_work(&copy_work, live->wait);
}

/* ---- the next boot ---- */

/* Print the lines of the header about rows that the log of the boot before has lost. */
static u32 __init print_lost(char *to, u32 room, const struct kfi_keep_commit *c,
			     const struct kfi_keep_lost *lost)
{
	u64 since = c->until - min(c->until, c->head.origin);
	u32 len;

	len = scnprintf(to, room,
			"Chunks dropped = %u\nCalls dropped = %u\nOther rows dropped = %u\n",
			lost->slots, lost->calls, lost->others);
	if (!c->until)
		return len;
	len += scnprintf(to + len, room - len,
			 "Number of entries after filters = %u\nChunks missed = %u\n",
			 c->calls, c->missed);
	return len + scnprintf(to + len, room - len,
			       "Note = ended by a reset: calls that returned after %llu ns may be missing\n",
			       kfi_clock_ns(since, c->head.hz));
}

static void __init read_last(void)
{
	void *copy = kvmalloc(memory.size, GFP_KERNEL);
	const struct kfi_keep_commit *c;
	struct kfi_keep_lost lost;
	struct kfi_keep k;
	char more[300];
	u32 len;

	if (copy) {
		memcpy(copy, memory.mem, memory.size);
		kfi_keep_init(&k, copy, memory.size);
		c = kfi_keep_find(&k, &lost);
		if (!c)
			goto out;
		len = print_lost(more, sizeof(more), c, &lost);
		last = kvmalloc(memory.size + len, GFP_KERNEL);
		if (last)
			last_len = kfi_keep_log(&k, c, more, len, last);
	}
	if (!last)
		pr_err("kfi: no memory for what the boot before has left\n");
out:
	kvfree(copy);
}

static const char * __init map_memory(void)
{
	static const char used[] =
		"Linux uses this memory: keep it from it with memmap=, mem= or reserved-memory";
	void *mem;

	if (size < SIZE_LEAST || size > SIZE_MOST || size % PAGE_SIZE || address % PAGE_SIZE)
		return "SIZE must be from 64K to 16M, both in whole pages";
	if ((phys_addr_t)address != address || (phys_addr_t)(address + size - 1) < address)
		return "beyond what this kernel can address";
	if (region_intersects(address, size, IORESOURCE_SYSTEM_RAM, IORES_DESC_NONE) !=
	    REGION_DISJOINT)
		return used;
	/* A driver that requests the same memory later does not get it. */
	if (!request_mem_region(address, size, "kfi.mem"))
		return "something else has this memory: /proc/iomem says what";
	mem = memremap(address, size, MEMREMAP_WC);
	if (!mem) {
		release_mem_region(address, size);
		return "the memory cannot be mapped";
	}
	kfi_keep_init(&memory, mem, (u32)size);
	live = kvzalloc(sizeof(*live), GFP_KERNEL);
	if (live)
		live->commit = kvzalloc(memory.commit_bytes, GFP_KERNEL);
	if (live && live->commit)
		return NULL;
	kvfree(live);
	memunmap(mem);
	release_mem_region(address, size);
	memory.mem = NULL;
	return "no memory to copy from";
}

static int __init mem_begin(void)
{
	if (!size && !refused)
		return 0;
	if (!refused)
		refused = map_memory();
	if (refused) {
		pr_err("kfi: kfi.mem= refused: %s\n", refused);
		return 0;
	}
	live->e.live = true;
	live->wait = HZ;
	read_last();
	/* The log was for this boot only. */
	memset(memory.mem, 0, memory.size);
	kfi_crash_wanted();
	schedule_delayed_work(&copy_work, live->wait);
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
