// SPDX-License-Identifier: GPL-2.0
/*
 * arm: the generic timer, or a memory-mapped counter that the device tree names, mapped by hand
 * because start_kernel() comes before every kind of ioremap; and call sites from ARMv7 on.
 *
 * An enabled site is "bl", a disabled one "nop"; in a function that ends with a branch to the hook
 * they are "b" and "bx lr". After inlining a site may be a branch, too: entry_arm.S. The linker may
 * lead either through a veneer, so the table keeps the instruction as linked when a site is first
 * disabled.
 */
#include <linux/init.h>
#include <linux/io.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/libfdt.h>
#include <linux/notifier.h>
#include <linux/preempt.h>
#include <linux/sizes.h>
#include <linux/suspend.h>
#include <linux/timer.h>
#include <linux/vmalloc.h>
#include <asm/barrier.h>
#include <asm/cacheflush.h>
#include <asm/cputype.h>
#include <asm/memory.h>
#include <asm/opcodes.h>
#include <asm/pgtable.h>
#include <asm/sections.h>
#include <asm/tlbflush.h>

#include "arch/arch.h"

#define MIDR_CPUID	0x000f0000	/* MIDR: the architecture is told by the ID registers */
#define PFR1_GENTIMER	0x000f0000	/* ID_PFR1: there is a generic timer */

const u64 kfi_clock_arch_slowest = 1000000;

/*
 * Counters that this file can map. A row: the compatible string of the node; offsets of the low and
 * the high half, of the register that starts the counter and the bit that does; counts per second.
 * The multi core timer of Exynos counts the board's 24 MHz crystal; the generic timer of Exynos 5
 * is fed from it and stands still until it is started.
 */
struct counter {
	const char *compatible;
	const char *name;
	u16 low;
	u16 high;
	u16 control;
	u32 run;
	u32 hz;
};

static const struct counter counters[] = {
	{ "samsung,exynos4210-mct", "mct", 0x100, 0x104, 0x240, BIT(8), 24000000 },
};

static u32 cntfrq(void)
{
	u32 hz;

	asm volatile("mrc p15, 0, %0, c14, c0, 0" : "=r" (hz));
	return hz;
}

static bool has_generic_timer(void)
{
	return (read_cpuid_id() & MIDR_CPUID) == MIDR_CPUID &&
	       (read_cpuid_ext(CPUID_EXT_PFR1) & PFR1_GENTIMER) && cntfrq();
}

/*
 * The clock is the physical count. Linux may read it: if it was started in HYP mode it has allowed
 * that itself, else the boot loader has. The virtual count cannot be used in the second case, since
 * its offset may not have been set. The rate must be in CNTFRQ: if it is not there, the firmware
 * has not set the timer up.
 */
static bool try_generic_timer(struct kfi_clock *clock)
{
	if (!has_generic_timer() || !kfi_clock_advances(clock, KFI_CLOCK_CNTPCT))
		return false;
	clock->name = "generic timer (CNTPCT)";
	clock->hz = cntfrq();
	clock->calibration = "CNTFRQ";
	return true;
}

#ifdef CONFIG_ARM_LPAE

static void __iomem *map_early(struct kfi_clock *clock, phys_addr_t phys)
{
	return NULL;	/* such cpus have the generic timer */
}

u64 kfi_clock_read_mmio(void)
{
	return 0;
}

#else

/*
 * A section below the fixed mapping of the device tree. devicemaps_init() clears the page table
 * there once more, so readers check first that it is mapped. The area is reserved in vmalloc's
 * list, so the section stays for good.
 */
#define EARLY_VIRT	(FDT_FIXED_BASE - PMD_SIZE)
#define EARLY_FLAGS	(PMD_TYPE_SECT | PMD_SECT_AP_WRITE | PMD_SECT_XN | PMD_SECT_S | \
			 PMD_SECT_TEX(1) | PMD_DOMAIN(DOMAIN_IO))

static struct vm_struct early_vm = {
	.addr = (void *)EARLY_VIRT,
	.size = PMD_SIZE,
	.flags = VM_IOREMAP,
	.caller = kfi_clock_arch_init,
};

/* Entry of the kernel's page table that maps the counter. */
static volatile u32 *map_entry;

static void set_map(const struct kfi_clock *clock)
{
	*map_entry = clock->map_to;
	flush_pmd_entry((void *)map_entry);
	isb();
}

static __ref void __iomem *map_early(struct kfi_clock *clock, phys_addr_t phys)
{
	pmd_t *pmd = pmd_off_k(EARLY_VIRT);

	if (!pmd_none(*pmd))
		return NULL;
	early_vm.phys_addr = phys & SECTION_MASK;
	vm_area_add_early(&early_vm);
	map_entry = (volatile u32 *)pmd;
	clock->map = map_entry;
	clock->map_to = (phys & SECTION_MASK) | EARLY_FLAGS;
	set_map(clock);
	return (void __iomem *)(EARLY_VIRT + (phys & ~SECTION_MASK));
}

/*
 * Reads both halves, and moves the base. The base stays one unit behind: a cpu that finds a new
 * base may have read the low half before. Must hold: between two calls the low half does not go
 * round and come back to where kfi_clock_try_mmio() trusts it. That takes 2^32 -
 * KFI_CLOCK_AHEAD_MAX counts, 134 s at 24 MHz. base_timer sees to it.
 */
u64 kfi_clock_read_mmio(void)
{
	u32 low, high, base;
	u64 count;

	if (unlikely(!*map_entry))
		set_map(&kfi_clock);
	do {
		high = __raw_readl(kfi_clock.high);
		low = __raw_readl(kfi_clock.low);
	} while (unlikely(__raw_readl(kfi_clock.high) != high));
	count = (u64)high << 32 | low;
	base = (u32)(count >> KFI_CLOCK_BASE_SHIFT);
	/* In the first unit there is none behind: at boot, or if it started again in a sleep. */
	WRITE_ONCE(kfi_clock.base, base ? base - 1 : 0);
	return count;
}

static void move_base(struct timer_list *timer)
{
	kfi_clock_read_mmio();
	mod_timer(timer, jiffies + 60 * HZ);
}
static DEFINE_TIMER(base_timer, move_base);

/*
 * While the system sleeps, base_timer stands still, and the counter may go on or start again. So
 * the fast path must not trust the base from before that until after it. It sees no mapping then,
 * and each hook reads both halves, which moves the base.
 */
static int on_sleep(struct notifier_block *nb, unsigned long event, void *data)
{
	static volatile u32 none;

	switch (event) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
	case PM_RESTORE_PREPARE:
		WRITE_ONCE(kfi_clock.map, &none);
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		kfi_clock_read_mmio();
		WRITE_ONCE(kfi_clock.map, map_entry);
		break;
	}
	return NOTIFY_DONE;
}
static struct notifier_block sleep_notifier = { .notifier_call = on_sleep };

static int __init start_base_timer(void)
{
	if (kfi_clock.kind == KFI_CLOCK_MMIO) {
		move_base(&base_timer);
		register_pm_notifier(&sleep_notifier);
	}
	return 0;
}
early_initcall(start_base_timer);

#endif

static __ref bool try_counter(struct kfi_clock *clock, const void *fdt, const struct counter *c)
{
	int node = fdt_node_offset_by_compatible(fdt, -1, c->compatible);
	const fdt32_t *reg = node < 0 ? NULL : fdt_getprop(fdt, node, "reg", NULL);
	void __iomem *base;

	if (!reg)
		return false;
	base = map_early(clock, fdt32_to_cpu(*reg));
	if (!base)
		return false;
	writel_relaxed(readl_relaxed(base + c->control) | c->run, base + c->control);
	clock->low = base + c->low;
	clock->high = base + c->high;
	/*
	 * The generic timer, which is cheaper to read, may have stood still without this counter.
	 */
	if (try_generic_timer(clock))
		return true;
	if (!kfi_clock_advances(clock, KFI_CLOCK_MMIO))
		return false;
	clock->name = c->name;
	clock->hz = c->hz;
	clock->calibration = "nominal";
	return true;
}

/* __ref: runs once, in start_kernel(), and reads init data, which is freed later. */
__ref void kfi_clock_arch_init(struct kfi_clock *clock)
{
	const void *fdt = kfi_bootline_fdt();
	unsigned int i;

	if (try_generic_timer(clock))
		return;
	if (!fdt || fdt_check_header(fdt))
		return;
	for (i = 0; i < ARRAY_SIZE(counters); i++)
		if (try_counter(clock, fdt, &counters[i]))
			return;
}

void kfi_clock_arch_rate(struct kfi_clock *clock)
{
	/* Every clock above comes with its rate. */
}

#ifdef CONFIG_KFI_PATCH_SITES

/*
 * Return the instruction with which a branch is disabled; 0: @insn is no branch.
 * @returns: a return follows the branch. In ARM code it has four bytes, and takes its place.
 */
#ifdef CONFIG_THUMB2_KERNEL

#define NOP	0xf3af8000

static u32 disabled_insn(u32 insn, bool returns)
{
	bool is_b = (insn & 0xf800d000) == 0xf0009000, is_bl = (insn & 0xf800d000) == 0xf000d000;

	return is_b || is_bl ? NOP : 0;
}

static u32 read_insn(const void *text)
{
	const u16 *op = text;

	return (u32)__mem_to_opcode_thumb16(op[0]) << 16 | __mem_to_opcode_thumb16(op[1]);
}

static void write_insn(void *text, u32 insn)
{
	u16 *op = text;

	WRITE_ONCE(op[0], __opcode_to_mem_thumb16(insn >> 16));
	WRITE_ONCE(op[1], __opcode_to_mem_thumb16(insn & 0xffff));
}

static bool is_return(const void *text)
{
	return false;
}

/* No kprobe is optimized. */
static bool is_kprobe(const struct kfi_site *s, u32 insn)
{
	return false;
}

#else

#define BL	0xeb000000
#define B	0xea000000
#define OP	0xff000000
#define NOP	0xe320f000
#define BX_LR	0xe12fff1e

static u32 disabled_insn(u32 insn, bool returns)
{
	switch (insn & OP) {
	case BL:
		return NOP;
	case B:
		return returns ? BX_LR : NOP;
	default:
		return 0;
	}
}

static u32 read_insn(const void *text)
{
	return __mem_to_opcode_arm(*(const u32 *)text);
}

static void write_insn(void *text, u32 insn)
{
	WRITE_ONCE(*(u32 *)text, __opcode_to_mem_arm(insn));
}

static bool is_return(const void *text)
{
	return read_insn(text) == BX_LR;
}

/* An optimized kprobe is a branch in place of an instruction, of any, even of a site. */
static bool is_kprobe(const struct kfi_site *s, u32 insn)
{
	bool is;

	if ((insn & OP) != B)
		return false;
	preempt_disable_notrace();
	is = get_kprobe((void *)((unsigned long)s + s->at));
	preempt_enable_notrace();
	return is;
}

#endif

/* Before inlining, a branch to a hook is always the end of its function. */
void kfi_sites_write_one(struct kfi_site *s, void *text, bool on)
{
	bool returns = !IS_ENABLED(CONFIG_KFI_AFTER_INLINING) || is_return(text + 4);
	u32 insn = read_insn(text), off = disabled_insn(insn, returns);

	if (on && s->insn &&
	    (insn == disabled_insn(s->insn, false) || insn == disabled_insn(s->insn, true)))
		write_insn(text, s->insn);
	if (on || !off || is_kprobe(s, insn))
		return;
	s->insn = insn;
	write_insn(text, off);
}

void kfi_sites_flush(const struct kfi_window *w)
{
	flush_kernel_vmap_range((void *)(w->from + w->shift), (int)w->size);
	flush_icache_range(w->from, w->from + w->size);
	isb();
}

bool kfi_sites_boot_begin(struct kfi_window *w)
{
	return true;
}

/* Clean data cache lines by address, to the point of unification. */
static void clean_dcache(const char *from, const char *to, unsigned long line)
{
	unsigned long at;

	for (at = (unsigned long)from & ~(line - 1); at < (unsigned long)to; at += line)
		asm volatile("mcr p15, 0, %0, c7, c11, 1" : : "r" (at) : "memory");
}

/* The kernel's own cache functions are not set up before setup_arch(). */
void kfi_sites_boot_end(const struct kfi_window *w)
{
	unsigned long type, line;

	asm volatile("mrc p15, 0, %0, c0, c0, 1" : "=r" (type));
	line = 4 << (type >> 16 & 15);
	dsb();
	clean_dcache(_stext, _etext, line);
	clean_dcache(__init_begin, __init_end, line);
	dsb();
	/* Invalidate the instruction cache and the branch predictor. */
	asm volatile("mcr p15, 0, %0, c7, c5, 0" : : "r" (0) : "memory");
	asm volatile("mcr p15, 0, %0, c7, c5, 6" : : "r" (0) : "memory");
	dsb();
	isb();
}

void kfi_sites_sync(void)
{
	isb();
}

/* Fast interrupts, too. */
unsigned long kfi_sites_mask(void)
{
	unsigned long cpsr = arch_local_save_flags();

	local_fiq_disable();
	return cpsr;
}

void kfi_sites_unmask(unsigned long cpsr)
{
	arch_local_irq_restore(cpsr);
}

#endif /* CONFIG_KFI_PATCH_SITES */
