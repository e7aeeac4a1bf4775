/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call sites of the callouts: on while a run is primed, waits or is recorded, nops else.
 *
 *	        before a run is primed
 *	 off  -------------------------->  on	all sites of the kernel and of all modules at once
 *	   ^                               |
 *	   `-------------------------------'
 *	      no run is left (a work item)
 *
 * An image has its sites on: runs of the boot record from the first function. If there are none,
 * the hook of start_kernel() turns them off. All cpus stand still while sites are changed, in no
 * callout and in no interrupt; so an interrupt's entries and exits are all seen, or none.
 *
 * Init text is changed before it runs, or as long as there is one cpu, and never later: it may be
 * gone any time. A site that is on without a run is a call that returns, no more.
 *
 * The table is made by arch/sites_asm.h; what an instruction becomes is in arch/sites_x86.c and its
 * like.
 */
#ifndef KFI_SITES_H
#define KFI_SITES_H

#include <linux/types.h>

struct seq_file;

/**
 * struct kfi_site - an entry of the table
 * @at: where the call is, from here
 * @insn: what it is when it is on; 0: not known yet
 * @first: what makes the first of its arguments, where a branch is while it is off; 0: none is
 *
 * Written, with the site, under the mutex of arch/sites.c, or while there is one cpu.
 */
struct kfi_site {
	s32 at;
#ifndef CONFIG_X86
	u32 insn;
#endif
#if defined(CONFIG_ARM64) && !defined(CONFIG_KFI_AFTER_INLINING)
	u32 first;
#endif
};

/**
 * struct kfi_window - text that is to be changed
 * @from: its address
 * @size: bytes; sites elsewhere stay as they are
 * @shift: where it can be written: so far from where it is
 */
struct kfi_window {
	unsigned long from;
	unsigned long size;
	long shift;
};

#ifdef CONFIG_KFI_PATCH_SITES

/* kfi.sites=nops: what makes a call's arguments is left alone. Written while there is one cpu. */
extern bool kfi_sites_nops;

/**
 * kfi_sites_boot() - Turn all sites of the kernel on or off when it has begun to boot.
 * @on: which
 *
 * Where that cannot be, they stay on until the first initcalls; with kfi.sites=on for ever. That is
 * looked for here.
 * Context: one cpu, interrupts off, no vmalloc yet.
 */
void kfi_sites_boot(bool on);

/**
 * kfi_sites_set() - Turn all sites on or off.
 * @on: which
 *
 * When it returns, every function that is entered is seen, or none.
 * Context: process context, sleeps; under the mutex of session/log.c.
 * Return: 0, -ENOMEM: all is as it was.
 */
int kfi_sites_set(bool on);

/**
 * kfi_sites_over() - A run is complete and none follows: the sites may be turned off, soon.
 *
 * Context: any, NMI included.
 */
void kfi_sites_over(void);

/**
 * kfi_sites_has() - Is there a site in a piece of code?
 * @from: its address
 * @size: bytes
 *
 * Context: any.
 * Return: true if the table has one, of the kernel itself.
 */
bool kfi_sites_has(unsigned long from, unsigned long size);

/**
 * kfi_sites_show() - Print how many sites there are, and whether they are on.
 * @m: where to
 *
 * Context: process context, sleeps.
 */
void kfi_sites_show(struct seq_file *m);

/* What each architecture has. */

/**
 * kfi_sites_write_one() - Write a site.
 * @s: its entry in the table
 * @text: where it can be written to
 * @on: what it becomes
 *
 * One that is neither on nor off is somebody else's, a kprobe's for instance, and stays as it is.
 * Context: nobody else runs this code.
 */
void kfi_sites_write_one(struct kfi_site *s, void *text, bool on);

/**
 * kfi_sites_flush() - Let all cpus fetch changed text anew.
 * @w: what has been changed
 *
 * Context: after kfi_sites_write_one(), on the same cpu; not as early as kfi_sites_boot().
 */
void kfi_sites_flush(const struct kfi_window *w);

/**
 * kfi_sites_boot_begin() - Let text be written to as the kernel begins to boot.
 * @w: all text; @shift is filled if that can be done elsewhere only
 *
 * Context: as kfi_sites_boot().
 * Return: false: it cannot.
 */
bool kfi_sites_boot_begin(struct kfi_window *w);

/**
 * kfi_sites_boot_end() - Text has been changed: let it be fetched anew.
 * @w: as kfi_sites_boot_begin() has left it
 *
 * Context: as kfi_sites_boot().
 */
void kfi_sites_boot_end(const struct kfi_window *w);

/**
 * kfi_sites_sync() - Forget what this cpu has fetched already.
 *
 * Context: any, after kfi_sites_flush() on another cpu.
 */
void kfi_sites_sync(void);

#else

static inline void kfi_sites_boot(bool on) { }
static inline int kfi_sites_set(bool on) { return 0; }
static inline void kfi_sites_over(void) { }
static inline bool kfi_sites_has(unsigned long from, unsigned long size) { return false; }
static inline void kfi_sites_show(struct seq_file *m) { }

#endif

#endif /* KFI_SITES_H */
