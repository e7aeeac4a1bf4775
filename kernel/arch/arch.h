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

/*
 * How many arguments are passed in registers, which kfi_entry_saving() saves, and where the others
 * are: a number of longs from the first one. 0: the kernel is instrumented before inlining, so the
 * hooks know no arguments.
 */
#ifndef CONFIG_KFI_AFTER_INLINING
#define KFI_ARG_REGISTERS	0
#define KFI_ARGS_TO_STACK	0
#elif defined(CONFIG_ARM)
#define KFI_ARG_REGISTERS	4
#define KFI_ARGS_TO_STACK	7	/* also r4, ip and lr */
#elif defined(CONFIG_ARM64)
#define KFI_ARG_REGISTERS	8
#define KFI_ARGS_TO_STACK	10	/* also x8 and x9 */
#elif defined(CONFIG_RISCV)
#define KFI_ARG_REGISTERS	8
#define KFI_ARGS_TO_STACK	12	/* also t2, t3, s0 and ra */
#else
#define KFI_ARG_REGISTERS	6
/* Also the return addresses of the hook and of the function, and the frame pointer. */
#define KFI_ARGS_TO_STACK	(8 + IS_ENABLED(CONFIG_FRAME_POINTER))
#endif

/*
 * Where the stub of the entry hook after inlining saves the frame pointer of the instrumented
 * function's caller: a number of longs from the first argument.
 */
#ifdef CONFIG_ARM64
#define KFI_ARGS_TO_FRAME	(-2)
#elif defined(CONFIG_RISCV)
#define KFI_ARGS_TO_FRAME	(KFI_ARGS_TO_STACK - 2)
#else
#define KFI_ARGS_TO_FRAME	KFI_ARG_REGISTERS
#endif

/* ---- the clock; it is read in core/port_clock.h ---- */

/**
 * kfi_clock_init() - Choose the clock, if one of the architecture's counters advances.
 * @since: where in the boot this is, for the log
 *
 * Context: the beginning of start_kernel(): interrupts off, one cpu, no allocator.
 */
void kfi_clock_init(const char *since);

/**
 * kfi_clock_update() - Update the rate of the clock, which the kernel may have found out by now.
 *
 * Context: process context.
 */
void kfi_clock_update(void);

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
 * kfi_clock_at_most() - Return a number of raw counts that takes no longer than a given time.
 * @us: microseconds
 *
 * Exact, rounded up, once the rate is known; before that, on the side that makes a time filter keep
 * too much: counts of the slowest clock that may be in use.
 * Context: any, but divides.
 * Return: raw counts; U64_MAX if they do not fit.
 */
u64 kfi_clock_at_most(u64 us);

/**
 * kfi_clock_at_least() - Return a number of raw counts that takes no less than a given time.
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
 * Return: false if the drift is not known yet.
 */
bool kfi_clock_drift(s64 *ppm, u64 *ms);

/**
 * struct kfi_clock_pair - a moment, by two clocks
 * @count: raw count of the recorder's clock; 0: the clock did not run, or the clocks were not read
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
 * Readings of both clocks during the boot, in order; behind the last one @count is 0. There are
 * several, because printk's clock changes its pace during the boot.
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

/**
 * kfi_clock_advances() - Use a counter as the clock if it advances.
 * @clock: kfi_clock; its kind becomes @kind, or KFI_CLOCK_NONE if the counter stands still
 * @kind: how the counter is read
 *
 * Context: kfi_clock_arch_init().
 * Return: true if it advances.
 */
bool kfi_clock_advances(struct kfi_clock *clock, enum kfi_clock_kind kind);

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

/**
 * kfi_bootline_fdt() - Return the flattened device tree, or NULL. Only on arm.
 *
 * Context: as kfi_bootline_find().
 */
const void *kfi_bootline_fdt(void);

/* ---- call sites ---- */

/*
 * Call sites of the hooks: on (calls) while a session is armed, waits or is recorded; otherwise off
 * (nops).
 *
 *	        before a session is primed
 *	 off  -------------------------->  on	all sites of the kernel and of all modules at once
 *	   ^                               |
 *	   `-------------------------------'
 *	      no session is left (a work item)
 *
 * An image has its sites on, so that a session of the boot has the first function, too. If there
 * will be none, the hook of start_kernel() turns them off. While sites are changed,
 * all cpus stand still, in no hook and in no interrupt. So either all entries and exits of an
 * interrupt are seen, or none. Only x86 has NMIs at that time (elsewhere kfi_sites_mask() masks
 * them); their calls are not recorded.
 *
 * Init text is changed before it runs, or while there is one cpu, and never later, because it may
 * be freed at any time. A site that is on without a session does no harm: its call just returns.
 *
 * The table is made by kfi_sites.h; what an instruction becomes is in x86.c, arm.c,
 * arm64.c and riscv.c.
 */

/**
 * struct kfi_site - an entry of the table
 * @at: address of the call, relative to this entry
 * @insn: instruction of the enabled site; 0: not known yet
 * @first: the first instruction that makes an argument of the call. A branch stands in its place
 *	while the site is off; 0: no branch does
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
 * @shift: distance from @from to the address at which the text can be written
 */
struct kfi_window {
	unsigned long from;
	unsigned long size;
	long shift;
};

#ifdef CONFIG_KFI_PATCH_SITES

/*
 * kfi.sites=nops: the instructions that make a call's arguments stay. Written while there is one
 * cpu.
 */
extern bool kfi_sites_nops;

/**
 * kfi_sites_boot() - Turn all sites of the kernel on or off when it has begun to boot.
 * @on: which
 *
 * Where the text cannot be written at that moment, the sites stay as they are until the first
 * initcalls. This function also looks for kfi.sites= on the command line; with kfi.sites=on they
 * stay on for good.
 * Context: one cpu, interrupts off, no vmalloc yet.
 */
void kfi_sites_boot(bool on);

/**
 * kfi_sites_set() - Turn all sites on or off.
 * @on: which
 *
 * After that the hooks see every function that is entered, or none.
 * Context: process context, sleeps; under the mutex of session/control.c.
 * Return: 0; -ENOMEM: no site was changed.
 */
int kfi_sites_set(bool on);

/**
 * kfi_sites_module() - Set the call sites of a module that is loaded; forget those of an unloaded
 * one.
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
 * Return: true if the table of the kernel itself has one; call sites of modules are not looked at.
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
 */
enum kfi_site_write {
	KFI_SITE_OFF,
	KFI_SITE_ON,
	KFI_SITE_BREAK,
};

/**
 * kfi_site_within() - Return true if a call site is in a window.
 * @s: its entry in the table
 * @w: the window
 * @site: where to put its address
 *
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
 * A site that is neither on nor off stays as it is: another user, such as a kprobe, has changed it.
 * Context: no cpu runs this code, except NMIs on x86.
 */
void kfi_sites_write_table(struct kfi_site *from, struct kfi_site *to, const struct kfi_window *w,
			   enum kfi_site_write to_be);

/**
 * kfi_sites_flush() - Let all cpus fetch changed text anew.
 * @w: what has been changed
 *
 * Context: after kfi_sites_write_table(), on the same cpu; not as early as kfi_sites_boot().
 */
void kfi_sites_flush(const struct kfi_window *w);

/**
 * kfi_sites_boot_begin() - Make text writable when the kernel begins to boot.
 * @w: all text; @shift is filled if the text can be written at another address only
 *
 * Context: as kfi_sites_boot().
 * Return: false: the text cannot be written.
 */
bool kfi_sites_boot_begin(struct kfi_window *w);

/**
 * kfi_sites_boot_end() - Let the cpu fetch changed text anew.
 * @w: as kfi_sites_boot_begin() has left it
 *
 * Context: as kfi_sites_boot().
 */
void kfi_sites_boot_end(const struct kfi_window *w);

/**
 * kfi_sites_sync() - Drop the instructions that this cpu has fetched already.
 *
 * Context: any, after kfi_sites_flush() on another cpu.
 */
void kfi_sites_sync(void);

#ifdef CONFIG_X86

/**
 * kfi_sites_look() - Look at all tables of sites whose text is mapped to be changed.
 * @look: called for each table
 *
 * Context: kfi_sites_begin().
 */
void kfi_sites_look(void (*look)(struct kfi_site *from, struct kfi_site *to,
				 const struct kfi_window *w));

/**
 * kfi_sites_begin() - Begin to change sites: find those that must stay; kfi_int3() skips the
 * others.
 *
 * Context: process context, under text_mutex and cpus_read_lock().
 * Return: 0; -ENOMEM: nothing was begun.
 */
int kfi_sites_begin(void);

/**
 * kfi_sites_end() - End what kfi_sites_begin() began: no site is a breakpoint any more.
 *
 * Context: as kfi_sites_begin(), which has returned 0.
 */
void kfi_sites_end(void);

/* x86: interrupts are off already, and NMIs cannot be masked. */
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
