// SPDX-License-Identifier: GPL-2.0
/*
 * arm64: the count of the generic timer, and call sites. Firmware must have made it the same on
 * all CPUs (Documentation/arch/arm64/booting.rst), so it is only tested whether it advances.
 *
 * It is the virtual count, unless the kernel was entered as a hypervisor and runs at a lower level:
 * then KVM changes the offset of the virtual count on a CPU while that has a guest's registers.
 * Before that the offset is 0, so it does not matter that a boot begins with the virtual count.
 *
 * Some timers return a wrong count now and then. The kernel knows that once it has probed the
 * timer, or, of an erratum of some CPUs only, once the first of these has come. From then on the
 * count is read as the kernel reads it, and there is no fast path.
 *
 * An enabled site is "bl", a disabled one "nop". The linker may lead a call through a veneer, so
 * the table keeps the instruction as linked when a site is first disabled. No function ends with a
 * branch to the hook: these kernels have frame pointers (scripts/check-sites would find one).
 * After inlining an enabled site is a branch; before a return it is disabled by a return.
 *
 * Before inlining, the instructions that make the arguments of a disabled call are skipped by a
 * branch in place of the first of them, as far as they are right before the call.
 *
 * Since 6.9 text is mapped read-only from the first C function on. At start_kernel() it is mapped
 * once more for a moment, behind the image, where the kernel's page table has room then.
 */
#include <linux/arm_sdei.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/pgtable.h>
#include <linux/preempt.h>
#include <linux/sizes.h>
#include <asm/alternative.h>
#include <asm/arch_timer.h>
#include <asm/barrier.h>
#include <asm/memory.h>
#include <asm/sections.h>
#include <asm/sysreg.h>
#include <asm/tlbflush.h>
#include <asm/virt.h>

#include "kfi_compat.h"
#include "arch/arch.h"

/* Below what any such timer counts at; the rate is known from the start. */
const u64 kfi_clock_arch_slowest = 1000000;

static bool is_physical(void)
{
	return is_hyp_mode_available() && !is_kernel_in_hyp_mode();
}

#define REG	0x000000e0	/* of "mrs", where these two registers differ */
#define CNTPCT	0x00000020

/* Called when Linux patches itself for the CPUs that it runs on. */
void __init kfi_choose_count(struct alt_instr *alt, __le32 *from, __le32 *to, int n)
{
	u32 insn = le32_to_cpu(*from);

	*to = cpu_to_le32(is_physical() ? (insn & ~REG) | CNTPCT : insn);
}

void kfi_clock_arch_init(struct kfi_clock *clock)
{
	u64 hz = read_sysreg(cntfrq_el0);

	if (!hz || !kfi_clock_advances(clock, KFI_CLOCK_CNTVCT))
		return;
	clock->name = is_physical() ? "generic timer (CNTPCT)" : "generic timer (CNTVCT)";
	clock->hz = hz;
	clock->calibration = "CNTFRQ";
}

#ifdef CONFIG_ARM_ARCH_TIMER_OOL_WORKAROUND

/* Return the erratum of a CPU's timer; NULL: the kernel knows of none. */
static const char *timer_erratum(void)
{
	const struct arch_timer_erratum_workaround *wa;
	unsigned int cpu;

	for_each_possible_cpu(cpu) {
		wa = READ_ONCE(per_cpu(timer_unstable_counter_workaround, cpu));
		if (wa && (is_physical() ? wa->read_cntpct_el0 : wa->read_cntvct_el0))
			return wa->desc;
	}
	return NULL;
}

/* The kernel's functions for this are notrace: they call no hook. */
static __always_inline u64 read_stable(void)
{
	u64 count;

	preempt_disable_notrace();
	count = is_physical() ? __arch_counter_get_cntpct_stable() :
				__arch_counter_get_cntvct_stable();
	preempt_enable_notrace();
	return count;
}

#else

static const char *timer_erratum(void)
{
	return NULL;
}

static __always_inline u64 read_stable(void)
{
	u64 count;

	kfi_now_lockless(&count);
	return count;
}

#endif

u64 kfi_clock_read_other(void)
{
	enum kfi_clock_kind kind = READ_ONCE(kfi_clock.kind);

	if (kind == KFI_CLOCK_CNTVCT_STABLE)
		return read_stable();
	return kind == KFI_CLOCK_NONE ? 0 : kfi_clock_read_sched();
}

/* It comes with its rate; but an erratum may be known by now. */
void kfi_clock_arch_rate(struct kfi_clock *clock)
{
	static char name[80];
	const char *desc = clock->kind == KFI_CLOCK_CNTVCT ? timer_erratum() : NULL;

	if (!desc)
		return;
	snprintf(name, sizeof(name), "generic timer (%s, read around %s)",
		 is_physical() ? "CNTPCT" : "CNTVCT", desc);
	clock->name = name;
	WRITE_ONCE(clock->kind, KFI_CLOCK_CNTVCT_STABLE);
	clock->safe_from = kfi_now();
}

#ifdef CONFIG_KFI_PATCH_SITES

#define B	0x14000000
#define BL	0x94000000
#define OP	0xfc000000
#define NOP	0xd503201f
#define RET	0xd65f03c0

static void put_insn(__le32 *op, u32 insn)
{
	WRITE_ONCE(*op, cpu_to_le32(insn));
	/* To the point of coherency: that of unification would do, but for errata of Cortex-A53. */
	asm volatile("dc civac, %0" : : "r" (op) : "memory");
}

#ifdef CONFIG_KFI_AFTER_INLINING

static void skip_arguments(struct kfi_site *s, __le32 *call) { }
static void make_arguments(struct kfi_site *s, __le32 *call) { }

#else

/*
 * Return true if an instruction only fills a register that a call does not preserve: x0 or x1, the
 * arguments, or x30; by adrp, add with a constant, mov, or ldr from the stack.
 */
static bool makes_argument(u32 insn)
{
	u32 to = insn & 31, base = insn >> 5 & 31;

	if (to != 0 && to != 1 && to != 30)
		return false;
	return (insn & 0x9f000000) == 0x90000000 || (insn & 0xff800000) == 0x91000000 ||
	       (insn & 0xffe0ffe0) == 0xaa0003e0 ||
	       ((insn & 0xffc00000) == 0xf9400000 && (base == 29 || base == 31));
}

/* Return the first of the instructions right before a call that make its arguments, or the call. */
static __le32 *arguments_of(__le32 *call)
{
	__le32 *op = call;

	while (makes_argument(le32_to_cpu(op[-1])))
		op--;
	return op;
}

/* Return a branch to the instruction after a call. */
static u32 branch_over(const __le32 *op, const __le32 *call)
{
	return B | (u32)(call + 1 - op);
}

static void skip_arguments(struct kfi_site *s, __le32 *call)
{
	__le32 *op = kfi_sites_nops ? call : arguments_of(call);

	s->first = op < call ? le32_to_cpu(*op) : 0;
	if (s->first)
		put_insn(op, branch_over(op, call));
}

static void make_arguments(struct kfi_site *s, __le32 *call)
{
	__le32 *op = arguments_of(call) - 1;

	if (s->first && le32_to_cpu(*op) == branch_over(op, call))
		put_insn(op, s->first);
}

#endif

void kfi_sites_write_one(struct kfi_site *s, void *text, bool on)
{
	const u32 branch = IS_ENABLED(CONFIG_KFI_AFTER_INLINING) ? B : BL;
	__le32 *op = text;
	bool returns = branch == B && op[1] == cpu_to_le32(RET);
	u32 insn = le32_to_cpu(*op);

	if (on && s->insn && (insn == NOP || insn == RET)) {
		make_arguments(s, op);
		put_insn(op, s->insn);
	} else if (!on && (insn & OP) == branch) {
		s->insn = insn;
		put_insn(op, returns ? RET : NOP);
		skip_arguments(s, op);
	}
}

/* All of the instruction caches; the data caches have been cleaned. */
static void invalidate_icache(void)
{
	dsb(ish);
	asm volatile("ic ialluis" : : : "memory");
	dsb(ish);
	isb();
}

void kfi_sites_flush(const struct kfi_window *w)
{
	invalidate_icache();
}

void kfi_sites_sync(void)
{
	isb();
}

/* What is masked by priority only (pseudo-NMIs), SErrors, and events of the firmware, too. */
unsigned long kfi_sites_mask(void)
{
	unsigned long daif = read_sysreg(daif);

	sdei_mask_local_cpu();
	asm volatile("msr daifset, #0xf" : : : "memory");
	return daif;
}

void kfi_sites_unmask(unsigned long daif)
{
	asm volatile("msr daif, %0" : : "r" (daif) : "memory");
	sdei_unmask_local_cpu();
}

/* ---- at start_kernel ---- */

/* The tables of an image are in it when it begins, since 6.9; memory cannot be reached yet. */
static bool in_image(const void *table)
{
	return table >= (void *)_text && table < (void *)_end;
}

/* The entry for an address in a table of the second level that is there, or NULL. */
static pmd_t *pmd_of(unsigned long addr)
{
	pgd_t *pgd = pgd_offset_k(addr);
	p4d_t *p4d;
	pud_t *pud;
	pmd_t *pmd;

	if (pgd_none(READ_ONCE(*pgd)))
		return NULL;
	p4d = p4d_offset_kimg(pgd, addr);
	if (!in_image(p4d) || p4d_none(READ_ONCE(*p4d)))
		return NULL;
	pud = pud_offset_kimg(p4d, addr);
	if (!in_image(pud) || pud_none(READ_ONCE(*pud)) || pud_leaf(READ_ONCE(*pud)))
		return NULL;
	pmd = pmd_offset_kimg(pud, addr);
	return in_image(pmd) ? pmd : NULL;
}

/**
 * struct alias - where the text of the kernel is mapped once more
 * @at: its address there
 * @phys: and in memory
 * @size: bytes of the image up to the end of all text
 * @entry: of the page table
 */
struct alias {
	unsigned long at;
	phys_addr_t phys;
	unsigned long size;
	pmd_t *entry;
};

/*
 * Behind the image, in the table that maps its end. Images begin at a block of 2 MB; where blocks
 * are larger they would map other memory, too.
 */
static bool place_behind_image(struct alias *a)
{
	if (PMD_SIZE > SZ_2M)
		return false;
	a->at = ALIGN((unsigned long)_end, PMD_SIZE);
	a->phys = __pa_symbol(_text);
	a->size = ALIGN((unsigned long)(__inittext_end - _text), PMD_SIZE);
	a->entry = pmd_of(a->at);
	return a->entry && !(a->phys % PMD_SIZE) &&
	       a->at / PUD_SIZE == (a->at + a->size - 1) / PUD_SIZE;
}

static bool is_alias_free(const struct alias *a)
{
	unsigned long i;

	for (i = 0; i < a->size / PMD_SIZE; i++)
		if (!pmd_none(READ_ONCE(a->entry[i])))
			return false;
	return true;
}

static void map(const struct alias *a)
{
	unsigned long i;

	for (i = 0; i < a->size / PMD_SIZE; i++)
		WRITE_ONCE(a->entry[i], pfn_pmd(PHYS_PFN(a->phys + i * PMD_SIZE),
						mk_pmd_sect_prot(PAGE_KERNEL)));
	dsb(ishst);
	isb();
}

static void unmap(const struct alias *a)
{
	unsigned long i;

	for (i = 0; i < a->size / PMD_SIZE; i++)
		WRITE_ONCE(a->entry[i], __pmd(0));
	local_flush_tlb_all();
}

static bool can_write(const void *at)
{
	asm volatile("at s1e1w, %0" : : "r" (at));
	isb();
	return !(read_sysreg_par() & SYS_PAR_EL1_F);
}

bool kfi_sites_boot_begin(struct kfi_window *w)
{
	struct alias a;

	if (can_write(_stext))
		return true;
	if (!place_behind_image(&a) || !is_alias_free(&a))
		return false;
	map(&a);
	w->shift = (long)(a.at - (unsigned long)_text);
	return true;
}

void kfi_sites_boot_end(const struct kfi_window *w)
{
	struct alias a;

	invalidate_icache();
	if (w->shift && place_behind_image(&a))
		unmap(&a);
}

#endif /* CONFIG_KFI_PATCH_SITES */
