// SPDX-License-Identifier: GPL-2.0
/*
 * kfi.mem=SIZE@ADDRESS names memory that neither Linux nor the boot loader uses, and that keeps
 * what is in it over a warm reboot. A crash leaves the newest calls of its run there, as text; the
 * next boot copies that, invalidates it, and shows it in /proc/kfi_last.
 */
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/io.h>
#include <linux/ioport.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <asm/barrier.h>

#include "files/crash.h"
#include "core/keep.h"
#include "files/mem.h"
#include "files/proc.h"

#define SIZE_LEAST	SZ_64K
#define SIZE_MOST	SZ_16M

/* No row is shorter: see kfi_show_rec(). */
#define ROW_LEAST	160

/* The header of what is kept may have longer numbers than when it was measured. */
#define SLACK		256

static phys_addr_t address;
static u64 size;
static const char *refused;

/* Mapped uncached, so that nothing is left in a cache when the machine is reset. */
static struct kfi_keep memory;
static struct kfi_last_item *items;

/* What the boot before has left there; NULL: nothing. */
static char *last;
static size_t last_len;

void kfi_mem_write(struct kfi_excerpt *e, const struct kfi_run *run)
{
	u32 above, n;

	if (!items)
		return;
	e->last.item = items;
	kfi_excerpt_take(e, run, memory.size / ROW_LEAST + KFI_STACK_DEPTH);
	kfi_excerpt_head(e, e->last.n);
	above = e->text->count;
	if (!kfi_keep_begin(&memory, above + SLACK))
		return;
	for (n = 0; n < e->last.n; n++) {
		kfi_excerpt_row(e, e->last.n - 1 - n);
		if (!kfi_keep_row(&memory, e->text->buf, e->text->count))
			break;
	}
	kfi_excerpt_head(e, n);
	kfi_keep_end(&memory, e->text->buf, e->text->count);
	wmb();	/* before whatever resets the machine */
	pr_emerg("kfi: %u rows are kept for the next boot\n", n);
}

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
	items = kvcalloc(memory.size / ROW_LEAST + KFI_STACK_DEPTH, sizeof(*items), GFP_KERNEL);
	if (!items) {
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
	kfi_crash_want();
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
