/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between architectures: clocks, call sites, the boot loader's command line.
 */
#ifndef KFI_ARCH_H
#define KFI_ARCH_H

#include <linux/types.h>

#include "core/port.h"

struct module;
struct seq_file;

/* ---- the clock; it is read in core/port_clock.h ---- */

/**
 * kfi_clock_init() - Choose the clock, if one of the architecture's counters advances.
 * @since: where in the boot this is, for the log
 *
 * Context: the beginning of start_kernel(): interrupts off, one cpu, no allocator.
 */
void kfi_clock_init(const char *since);

/**
 * kfi_clock_update() - Ask whether the rate of the clock is known, or known better, by now.
 *
 * Context: process context.
 * Return: true if the rate was changed by this call.
 */
bool kfi_clock_update(void);

/**
 * kfi_clock_ns() - Convert a difference of raw counts.
 * @counts: raw counts
 * @hz: counts per second, below 2^34; 0: not known
 *
 * Context: any, but divides.
 * Return: nanoseconds, rounded down; 0 while the rate is not known.
 */
u64 kfi_clock_ns(u64 counts, u64 hz);

/**
 * kfi_clock_at_most() - A number of raw counts that takes no longer than a given time.
 * @us: microseconds
 *
 * Exact, rounded up, once the rate is known; before that, on the side that makes a time filter keep
 * too much: counts of the slowest clock that may be in use.
 * Context: any, but divides.
 * Return: raw counts; U64_MAX if they do not fit.
 */
u64 kfi_clock_at_most(u64 us);

/**
 * kfi_clock_at_least() - A number of raw counts that takes no less than a given time.
 * @us: microseconds
 *
 * As kfi_clock_at_most(), on the other side while the rate is unknown.
 * Context: any, but divides.
 * Return: raw counts; U64_MAX if they do not fit, or while the rate is unknown.
 */
u64 kfi_clock_at_least(u64 us);

/**
 * kfi_clock_drift() - Compare the clock with the kernel's own time.
 * @ppm: parts per million by which the clock is fast against CLOCK_MONOTONIC_RAW
 * @ms: milliseconds over which this was measured, since late in the boot
 *
 * Context: process context.
 * Return: false if it cannot be said yet.
 */
bool kfi_clock_drift(s64 *ppm, u64 *ms);

/**
 * struct kfi_clock_pair - a moment, by two clocks
 * @count: raw count of the recorder's clock; 0: the clock did not run, or nobody looked
 * @printk_ns: what printk would have written
 */
struct kfi_clock_pair {
	u64 count;
	u64 printk_ns;
};

/**
 * kfi_clock_pair() - Read the recorder's clock and that of printk at once.
 * @pair: where to put them
 *
 * Context: any but hooks and NMIs, from start_kernel() on: printk's clock is instrumented.
 */
void kfi_clock_pair(struct kfi_clock_pair *pair);

/*
 * What both clocks said during the boot, in order; behind the last one @count is 0. There are some,
 * because printk's clock changes its pace then.
 */
#define KFI_CLOCK_PAIRS	8
extern struct kfi_clock_pair kfi_clock_pairs[KFI_CLOCK_PAIRS];

/**
 * kfi_clock_pair_boot() - Add a pair to kfi_clock_pairs[], if there is room.
 *
 * Context: the task that boots.
 */
void kfi_clock_pair_boot(void);

/*
 * The architecture's half. kfi_clock_arch_init() sets kind and name, leaves them alone if no
 * counter advances, and sets hz and calibration if it knows them; kfi_clock_arch_rate() sets the
 * latter two when the kernel has found them out. kfi_clock_arch_slowest is the lowest rate that
 * @kind can have.
 */
void kfi_clock_arch_init(struct kfi_clock *clock);
void kfi_clock_arch_rate(struct kfi_clock *clock);
extern const u64 kfi_clock_arch_slowest;

/* ---- the command line ---- */

/**
 * kfi_bootline_find() - Find the value of a parameter at start_kernel.
 * @name: the parameter, without "="
 * @value: where to put the first byte of its value; it is gone after the boot
 * @len: where to put its length
 *
 * As kfi_cmdline_find(), in the line that setup_arch() will make of what the boot loader gave and
 * what is compiled in. What comes from a bootconfig is not in it.
 * Context: the beginning of start_kernel(): one cpu, interrupts off.
 * Return: false if there is no such value, or if this machine's line cannot be read so early.
 */
bool kfi_bootline_find(const char *name, const char **value, size_t *len);

/* ---- call sites ---- */

/*
 * Call sites of the hooks: on while a session is primed, waits or is recorded, nops else.
 *
 *	        before a session is primed
 *	 off  -------------------------->  on	all sites of the kernel and of all modules at once
 *	   ^                               |
 *	   `-------------------------------'
 *	      no session is left (a work item)
 *
 * An image has its sites on: runs of the boot record from the first function. If there are none,
 * the hook of start_kernel() turns them off. All cpus stand still while sites are changed, in no
 * hook and in no interrupt; so an interrupt's entries and exits are all seen, or none. Only on x86
 * NMIs come; nothing is recorded then.
 *
 * Init text is changed before it runs, or as long as there is one cpu, and never later: it may be
 * gone any time. A site that is on without a session is a call that returns, no more.
 *
 * The table is made by sites_asm.h; what an instruction becomes is in x86.c, arm.c and arm64.c.
 */

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
 * kfi_sites_module() - Set the call sites of a module that comes; forget those of one that goes.
 * @mod: the module
 * @state: enum module_state
 *
 * Context: the module notifier.
 */
void kfi_sites_module(const struct module *mod, unsigned long state);

/**
 * kfi_sites_has() - Return true if a piece of code has a call site.
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
 * enum kfi_site_write - what kfi_sites_write_table() does to a site
 * @KFI_SITE_OFF: disables it
 * @KFI_SITE_ON: enables it
 * @KFI_SITE_BREAK: x86: makes it a breakpoint, on its way to one of the other two
 * @KFI_SITE_LOOK: x86: looks whether it is somebody else's, and must stay as it is
 */
enum kfi_site_write {
	KFI_SITE_OFF,
	KFI_SITE_ON,
	KFI_SITE_BREAK,
	KFI_SITE_LOOK,
};

/**
 * kfi_site_within() - Return true if a call site is in a window.
 * @s: its entry in the table
 * @w: the window
 * @site: where to put its address
 *
 * Context: any.
 * Return: true if it is.
 */
static __always_inline bool kfi_site_within(const struct kfi_site *s, const struct kfi_window *w,
					    unsigned long *site)
{
	*site = (unsigned long)s + s->at;
	return *site - w->from < w->size;
}

/**
 * kfi_sites_write_table() - Write the sites of a table that are in a window.
 * @from: the table
 * @to: behind that
 * @w: the window
 * @to_be: what they become
 *
 * One that is neither on nor off is somebody else's, a kprobe's for instance, and stays as it is.
 * Context: nobody else runs this code, but for NMIs on x86.
 */
void kfi_sites_write_table(struct kfi_site *from, struct kfi_site *to, const struct kfi_window *w,
			   enum kfi_site_write to_be);

/**
 * kfi_sites_write() - Write all sites whose text is mapped to be changed, and flush it.
 * @to_be: what they become
 *
 * Context: all cpus stand still, or kfi_sites_begin().
 */
void kfi_sites_write(enum kfi_site_write to_be);

/**
 * kfi_sites_flush() - Let all cpus fetch changed text anew.
 * @w: what has been changed
 *
 * Context: after kfi_sites_write_table(), on the same cpu; not as early as kfi_sites_boot().
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

#ifdef CONFIG_X86

/**
 * kfi_sites_begin() - Look for sites that must stay, and pass over breakpoints of the others.
 *
 * Context: process context, under text_mutex and cpus_read_lock().
 * Return: 0; -ENOMEM: it does not.
 */
int kfi_sites_begin(void);

/**
 * kfi_sites_end() - No site is a breakpoint any more.
 *
 * Context: as kfi_sites_begin(), which has returned 0.
 */
void kfi_sites_end(void);

/* NMIs cannot be masked. */
static inline unsigned long kfi_sites_mask(void) { return 0; }
static inline void kfi_sites_unmask(unsigned long masked) { }

#else

/**
 * kfi_sites_write_one() - Write a site.
 * @s: its entry in the table
 * @text: where it can be written to
 * @on: what it becomes
 *
 * Context: as kfi_sites_write_table(), which calls this.
 */
void kfi_sites_write_one(struct kfi_site *s, void *text, bool on);

static inline int kfi_sites_begin(void) { return 0; }
static inline void kfi_sites_end(void) { }

/**
 * kfi_sites_mask() - Take no interrupt on this cpu, not even one that is not masked as others are.
 *
 * Context: interrupts are off.
 * Return: for kfi_sites_unmask().
 */
unsigned long kfi_sites_mask(void);

/**
 * kfi_sites_unmask() - Take interrupts as before kfi_sites_mask().
 * @masked: what that has returned
 *
 * Context: after kfi_sites_mask(), on the same cpu.
 */
void kfi_sites_unmask(unsigned long masked);

#endif

#else

static inline void kfi_sites_boot(bool on) { }
static inline int kfi_sites_set(bool on) { return 0; }
static inline void kfi_sites_module(const struct module *mod, unsigned long state) { }
static inline bool kfi_sites_has(unsigned long from, unsigned long size) { return false; }
static inline void kfi_sites_show(struct seq_file *m) { }

#endif

enum kfi_instrumented {
	KFI_INSTRUMENTED_NO,
	KFI_INSTRUMENTED_YES,
	KFI_INSTRUMENTED_UNKNOWN,
};

/**
 * kfi_instrumented() - Look for a call of the entry hook in a function's code.
 * @func: address of the function
 *
 * Context: process context; the function's memory must still be there.
 * Return: KFI_INSTRUMENTED_UNKNOWN where the code cannot be read or calls may take a detour.
 */
enum kfi_instrumented kfi_instrumented(unsigned long func);

#endif /* KFI_ARCH_H */
