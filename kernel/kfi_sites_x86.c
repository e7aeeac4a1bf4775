// SPDX-License-Identifier: GPL-2.0
/*
 * Call sites on x86: call rel32 is on, test $imm32, %eax is off. Both have one byte of opcode and
 * the same four after it, so one byte is changed, and whoever runs there meanwhile, an NMI, sees
 * the one or the other. That it changes the flags does no harm: so does a call.
 */
#include <asm/sync_core.h>

#include "kfi_sites.h"

#define CALL	0xe8
#define TEST	0xa9

void kfi_sites_write(struct kfi_site *from, struct kfi_site *to, const struct kfi_window *w,
		     bool on)
{
	u8 now = on ? CALL : TEST, then = on ? TEST : CALL;
	struct kfi_site *s;

	for (s = from; s < to; s++) {
		unsigned long at = (unsigned long)s + s->at;
		u8 *op = (u8 *)(at + w->shift);

		if (at - w->from < w->size && *op == then)
			*(volatile u8 *)op = now;
	}
}

void kfi_sites_flush(const struct kfi_window *w)
{
	sync_core();
}

bool kfi_sites_can_boot(void)
{
	return true;
}

void kfi_sites_flush_boot(void)
{
	sync_core();
}

void kfi_sites_sync(void)
{
	sync_core();
}
