// SPDX-License-Identifier: GPL-2.0
/*
 * kfi.mem=SIZE@ADDRESS names memory that neither Linux nor the boot loader uses, and that keeps
 * what is in it over a warm reboot (core/keep.h). A crash copies the end of the session there. The
 * next boot makes a raw log of it, clears the memory, and shows the log in /proc/kfi_last.
 */
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/nmi.h>
#include <linux/printk.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <asm/barrier.h>

#include "files/files.h"
#include "hooks/live.h"

#define SIZE_LEAST	SZ_64K
#define SIZE_MOST	SZ_16M

#define OPENS_PER_SLOT	(sizeof(((struct kfi_keep_slot *)NULL)->data) / sizeof(struct kfi_raw_open))

static phys_addr_t address;
static u64 size;
static const char *refused;

/* Mapped uncached, so that nothing is left in a cache when the machine is reset. */
static struct kfi_keep memory;

static struct kfi_keep_slot crash_slot;

/* What the boot before has left there; NULL: nothing. */
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
	*head = kfi_raw_chunk_of(ring, c);
	bytes = head->words * sizeof(u32);
	memcpy(words, c->words, bytes);
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

/* Is it what its CPU writes to? */
static bool is_current(const struct kfi_run *run, const struct kfi_chunk *c)
{
	return READ_ONCE(run->cpus[c->cpu].ring.chunk) == c;
}

/* ---- a header ---- */

static bool print_header(struct kfi_keep_commit *c, const struct kfi_log *log)
{
	struct seq_file m = { .buf = c->text, .size = memory.commit_bytes - sizeof(*c) };

	kfi_show_header(&m, log, true);
	c->head = kfi_raw_head_of(log);
	c->part.bytes = m.count;
	if (!seq_has_overflowed(&m))
		return true;
	pr_err_once("kfi: the log's header does not fit into kfi.mem=\n");
	return false;
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
			o[n] = kfi_raw_open_of(&e->log.open[i++]);
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
	kfi_keep_begin(&memory);
	crash_chunks(&e->log, memory.nslots - DIV_ROUND_UP(e->nopen, OPENS_PER_SLOT), rows);
	crash_opens(e, rows);
	for (i = 0; i < KFI_EXCERPT_KINDS; i++)
		e->left_out[i] = e->found[i] - rows[i];
	e->log.nevents = rows[KFI_EXCERPT_MARK] + rows[KFI_EXCERPT_WATCH];
	e->log.nrows = rows[KFI_EXCERPT_CALL] + e->log.nevents;
	c->until = 0;
	c->missed = 0;
	if (print_header(c, &e->log) && kfi_keep_commit(&memory, c))
		pr_emerg("kfi: %u rows are kept for the next boot\n", e->log.nrows);
	touch_nmi_watchdog();
}

/* ---- the next boot ---- */

/* What the log of the boot before has lost, for its header. */
static u32 __init print_lost(char *to, u32 room, const struct kfi_keep_lost *lost)
{
	return scnprintf(to, room,
			 "Chunks dropped = %u\nCalls dropped = %u\nOther rows dropped = %u\n",
			 lost->slots, lost->calls, lost->others);
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
		len = print_lost(more, sizeof(more), &lost);
		last = kvmalloc(memory.size + len, GFP_KERNEL);
		if (last)
			last_len = kfi_keep_log(&k, c, more, len, last);
	}
	if (!last)
		pr_err("kfi: no memory for what the boot before has left\n");
out:
	kvfree(copy);
}

static const char * __init map(void)
{
	static const char used[] =
		"Linux uses this memory: keep it from it with memmap=, mem= or reserved-memory";
	void *mem;

	if (size < SIZE_LEAST || size > SIZE_MOST || size % PAGE_SIZE || address % PAGE_SIZE)
		return "SIZE must be from 64K to 16M, both in whole pages";
	if (region_intersects(address, size, IORESOURCE_SYSTEM_RAM, IORES_DESC_NONE) !=
	    REGION_DISJOINT)
		return used;
	mem = memremap(address, size, MEMREMAP_WC);
	if (!mem)
		return "the memory cannot be mapped";
	kfi_keep_init(&memory, mem, (u32)size);
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
	read_last();
	/* What is there was for this boot. */
	memset(memory.mem, 0, memory.size);
	kfi_crash_wanted();
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
