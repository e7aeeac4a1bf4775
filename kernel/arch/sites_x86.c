// SPDX-License-Identifier: GPL-2.0
/*
 * Call sites on x86: call rel32 is on, test $imm32, %eax is off. Both have one byte of opcode and
 * the same four after it, so one byte is changed, and whoever runs there meanwhile, an NMI, sees
 * the one or the other. That it changes the flags does no harm: so does a call.
 *
 * A call before a return is off as a return: so are all exits of functions that were instrumented
 * after inlining. Not where a return must be followed by int3, or jumps to one that is safe.
 */
#include <linux/kconfig.h>
#include <asm/sync_core.h>

#include "arch/sites.h"

#define CALL	0xe8
#define TEST	0xa9
#define RET	0xc3
#define SIZE	5

void kfi_sites_write_one(struct kfi_site *s, void *text, bool on)
{
	u8 *op = text;
	bool returns = op[SIZE] == RET && !IS_ENABLED(CONFIG_SLS) &&
		       !IS_ENABLED(CONFIG_MITIGATION_SLS);

	if (!on && *op == CALL)
		*(volatile u8 *)op = returns ? RET : TEST;
	else if (on && (*op == TEST || *op == RET))
		*(volatile u8 *)op = CALL;
}

void kfi_sites_flush(const struct kfi_window *w)
{
	sync_core();
}

bool kfi_sites_boot_begin(struct kfi_window *w)
{
	return true;
}

void kfi_sites_boot_end(const struct kfi_window *w)
{
	sync_core();
}

void kfi_sites_sync(void)
{
	sync_core();
}
