// SPDX-License-Identifier: GPL-2.0
/*
 * riscv: the time CSR, whose rate is in the device tree, and call sites.
 *
 * The counter is the same on all harts, and firmware has made it readable: the kernel's own clock
 * source needs it, too. So it is only tested whether it advances.
 *
 * An enabled site is "auipc ra; jalr ra", which the linker is told not to shorten: only the first
 * of the two instructions changes. A disabled site begins with a jump over the second one; in a
 * function that ends with a jump to the hook (auipc t1; jr t1), with a return. Instructions may be
 * at any even address, but all harts stand still while they change.
 * After inlining an enabled site is a jump; before a return it is disabled by a return.
 *
 * Text can be written at start_kernel(). The page table that setup_arch() makes protects it.
 */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/libfdt.h>
#include <asm/cacheflush.h>
#include <asm/csr.h>
#include <asm/delay.h>
#include <asm/pgtable.h>

#include "arch/arch.h"

/* Below what any such timer counts at; only used while the rate is not known. */
const u64 kfi_clock_arch_slowest = 32768;

/* Return the rate that the device tree has; 0: it has none, as with ACPI. */
static __ref u64 timebase(void)
{
	const void *fdt = dtb_early_va;
	const fdt32_t *hz;
	int len = 0;

	if (!fdt || fdt_check_header(fdt))
		return 0;
	hz = fdt_getprop(fdt, fdt_path_offset(fdt, "/cpus"), "timebase-frequency", &len);
	return hz && len == sizeof(*hz) ? fdt32_to_cpu(*hz) : 0;
}

void kfi_clock_arch_init(struct kfi_clock *clock)
{
	if (!kfi_clock_advances(clock, KFI_CLOCK_TIME))
		return;
	clock->name = "time CSR";
	clock->hz = timebase();
	clock->calibration = clock->hz ? "timebase-frequency of the device tree" : NULL;
}

/* With ACPI the kernel knows the rate from time_init() on. */
void kfi_clock_arch_rate(struct kfi_clock *clock)
{
	if (clock->hz || !riscv_timebase)
		return;
	clock->calibration = "riscv_timebase of the kernel";
	clock->hz = riscv_timebase;
}

#ifdef CONFIG_KFI_PATCH_SITES

/* Instructions of four bytes, and a return of two. */
#define AUIPC_RA	0x00000097
#define AUIPC_T1	0x00000317
#define JAL_ZERO	0x0000006f
#define OP_AND_RD	0x00000fff
#define NOP		0x00000013
#define RET		0x00008067
#define C_RET		0x8082
/* Behind the next instruction. */
#define JUMP_OVER	0x0080006f

static u32 get_insn(const u16 *op)
{
	return READ_ONCE(op[0]) | (u32)READ_ONCE(op[1]) << 16;
}

static void put_insn(u16 *op, u32 insn)
{
	WRITE_ONCE(op[0], (u16)insn);
	WRITE_ONCE(op[1], (u16)(insn >> 16));
}

/* Return the instruction that disables the enabled site @op; 0: it is not an enabled one. */
static u32 disabled(const u16 *op)
{
	switch (get_insn(op) & OP_AND_RD) {
	case JAL_ZERO:
		if (!IS_ENABLED(CONFIG_KFI_AFTER_INLINING))
			return 0;
		return op[2] == C_RET || get_insn(op + 2) == RET ? RET : NOP;
	case AUIPC_RA:
		return JUMP_OVER;
	case AUIPC_T1:
		return RET;
	default:
		return 0;
	}
}

/* Return true if a site with this instruction may be a disabled one. */
static bool is_disabled(u32 insn)
{
	return insn == RET || insn == (IS_ENABLED(CONFIG_KFI_AFTER_INLINING) ? NOP : JUMP_OVER);
}

void kfi_sites_write_one(struct kfi_site *s, void *text, bool on)
{
	u32 insn = get_insn(text), off = on ? 0 : disabled(text);

	if (on && s->insn && is_disabled(insn)) {
		put_insn(text, s->insn);
	} else if (off) {
		s->insn = insn;
		put_insn(text, off);
	}
}

/* What this hart has written; the others follow by kfi_sites_sync(). */
void kfi_sites_flush(const struct kfi_window *w)
{
	smp_mb();	/* pairs with that of kfi_sites_sync() on other harts */
	local_flush_icache_all();
}

void kfi_sites_sync(void)
{
	smp_mb();	/* pairs with that of kfi_sites_flush() */
	local_flush_icache_all();
}

/* Interrupts are off already, and there are no others. */
unsigned long kfi_sites_mask(void)
{
	return 0;
}

void kfi_sites_unmask(unsigned long masked)
{
}

bool kfi_sites_boot_begin(struct kfi_window *w)
{
	return !IS_ENABLED(CONFIG_STRICT_KERNEL_RWX) ||
	       (csr_read(CSR_SATP) & SATP_PPN) != PFN_DOWN(__pa_symbol(swapper_pg_dir));
}

void kfi_sites_boot_end(const struct kfi_window *w)
{
	local_flush_icache_all();
}

#endif /* CONFIG_KFI_PATCH_SITES */
