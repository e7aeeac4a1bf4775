/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What kfi_entry() and kfi_exit() find on arm64, see arch/entry_arm64.S. Only for hooks/entry.c and
 * hooks/exit.c, in which x9 and x10 are set apart.
 */
#ifndef KFI_ENTRY_ARM64_H
#define KFI_ENTRY_ARM64_H

#include <linux/types.h>

/* kfi_exit_other() and kfi_cost_exit(), of what is in these registers; no other one changes. */
void kfi_exit_saving(void);
void kfi_exit_measured_saving(void);

register unsigned long kfi_return_address asm("x9");
register unsigned long kfi_function asm("x10");

#define kfi_entry_func()	kfi_function
#define kfi_entry_site()	kfi_return_address
#define kfi_exit_func()		kfi_function

static __always_inline void kfi_exit_more(unsigned long func, bool tried)
{
	kfi_exit_saving();
}

static __always_inline void kfi_exit_measured_more(unsigned long func)
{
	kfi_exit_measured_saving();
}

#endif /* KFI_ENTRY_ARM64_H */
