// SPDX-License-Identifier: GPL-2.0
/*
 * Call sites on arm, from ARMv7 on: bl is on, nop is off; of a function that ends by branching to
 * the callout, b and bx lr. The linker may lead either through a veneer, so what it has made of
 * them is kept in the table when they are first turned off.
 */
#include <linux/kernel.h>
#include <asm/barrier.h>
#include <asm/cacheflush.h>
#include <asm/opcodes.h>
#include <asm/sections.h>

#include "arch/sites.h"

#define BL	0xeb000000
#define B	0xea000000
#define OP	0xff000000
#define NOP	0xe320f000
#define BX_LR	0xe12fff1e

/* Return: what a branch becomes; 0: it is none. */
static u32 off_of(u32 insn)
{
	switch (insn & OP) {
	case BL:
		return NOP;
	case B:
		return BX_LR;
	default:
		return 0;
	}
}

void kfi_sites_write_one(struct kfi_site *s, void *text, bool on)
{
	u32 *op = text, insn = __mem_to_opcode_arm(*op), off = off_of(insn);

	if (on && s->insn && insn == off_of(s->insn))
		WRITE_ONCE(*op, __opcode_to_mem_arm(s->insn));
	if (on || !off)
		return;
	s->insn = insn;
	WRITE_ONCE(*op, __opcode_to_mem_arm(off));
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

/* By address to the point of unification. */
static void clean(const char *from, const char *to, unsigned long line)
{
	unsigned long at;

	for (at = (unsigned long)from & ~(line - 1); at < (unsigned long)to; at += line)
		asm volatile("mcr p15, 0, %0, c7, c11, 1" : : "r" (at) : "memory");
}

/* The kernel's own ways do not know the cpu before setup_arch(). */
void kfi_sites_boot_end(const struct kfi_window *w)
{
	unsigned long type, line;

	asm volatile("mrc p15, 0, %0, c0, c0, 1" : "=r" (type));
	line = 4 << (type >> 16 & 15);
	dsb();
	clean(_stext, _etext, line);
	clean(__init_begin, __init_end, line);
	dsb();
	/* All of the instruction cache, and what is known of branches. */
	asm volatile("mcr p15, 0, %0, c7, c5, 0" : : "r" (0) : "memory");
	asm volatile("mcr p15, 0, %0, c7, c5, 6" : : "r" (0) : "memory");
	dsb();
	isb();
}

void kfi_sites_sync(void)
{
	isb();
}
