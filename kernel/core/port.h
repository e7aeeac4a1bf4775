/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The one seam between the core and its environment.
 *
 * In a kernel it includes the kernel's headers; on a host (tools, unit tests, fuzzers)
 * kfi_port_host.h of tools/lib defines the same names. Core files include nothing else from
 * outside.
 *
 * kfi_now() is part of it: the raw count of the recorder's clock, 0 while no clock runs. The clock
 * is not an argument of the hooks, because they read it again after an interrupt.
 */
#ifndef KFI_PORT_H
#define KFI_PORT_H

#ifdef __KERNEL__

#include <asm/local.h>
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/cache.h>
#include <linux/compiler.h>
#include <linux/crc32.h>
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/swab.h>
#include <linux/types.h>

#include "core/port_clock.h"

/* Interrupts off and on again, for a few instructions of a hook; without tracing. */
#define kfi_irq_save(flags)		raw_local_irq_save(flags)
#define kfi_irq_restore(flags)		raw_local_irq_restore(flags)

/* The CRC-32 of @n bytes from @p on, as of zlib. */
#define kfi_crc32(p, n)			(~crc32_le(~0u, (p), (n)))

/* The builtins may need a library that kernels do not link: riscv. */
#define kfi_swab32(v)			swab32(v)
#define kfi_swab64(v)			swab64(v)

/*
 * local_t without the barriers that some architectures borrow from atomic_long_t: only this cpu
 * looks on.
 */
#ifdef _ASM_GENERIC_LOCAL_H
#define kfi_local_cmpxchg(l, o, n)	atomic_long_cmpxchg_relaxed(&(l)->a, (o), (n))
#if defined(CONFIG_ARM64) && !defined(CONFIG_CPU_BIG_ENDIAN)
#include "core/port_arm64.h"
#define kfi_local_add_return(i, l)	atomic_long_add_return_relaxed((i), &(l)->a)
#elif defined(CONFIG_ARM) && __LINUX_ARM_ARCH__ >= 7 && !defined(CONFIG_CPU_BIG_ENDIAN)
#include "core/port_arm.h"
#else
#define kfi_local_add_return(i, l)	atomic_long_add_return_relaxed((i), &(l)->a)
#define kfi_local_add(i, l)		atomic_long_add((i), &(l)->a)
#define kfi_local_fetch_add(i, l)	atomic_long_fetch_add_relaxed((i), &(l)->a)
#endif
#ifdef KFI_LOCAL_EXCLUSIVE
static __always_inline long kfi_local_fetch_add(long i, local_t *l)
{
	long v;

	do
		v = kfi_local_load(l);
	while (!kfi_local_store(l, v + i));
	return v;
}
#define kfi_local_add(i, l)		((void)kfi_local_fetch_add((long)(i), (l)))
#endif
#else
#define kfi_local_add_return(i, l)	local_add_return((i), (l))
#define kfi_local_fetch_add(i, l)	(local_add_return((i), (l)) - (i))
#define kfi_local_cmpxchg(l, o, n)	local_cmpxchg((l), (o), (n))
#define kfi_local_add(i, l)		local_add((i), (l))
#endif

/*
 * Return true if the word at @p has a value. x86 has one instruction that compares a register with
 * memory, and the compiler does not use it for a volatile read. The asm keeps its order among
 * volatile reads, as READ_ONCE() does.
 */
#if defined(CONFIG_X86) && defined(__GCC_ASM_FLAG_OUTPUTS__)
#define kfi_read_equal(p, value) ({							\
	bool _equal;									\
											\
	asm volatile("cmpl %2, %1" : "=@cce" (_equal) : "m" (*(p)), "r" ((u32)(value)));	\
	_equal;										\
})
#else
#define kfi_read_equal(p, value)	(READ_ONCE(*(p)) == (value))
#endif

/* Kernel and modules lie within 2 GiB: the compiler takes it for granted, or there is no more. */
#define KFI_TEXT_IS_NEAR	(BITS_PER_LONG == 32 || IS_ENABLED(CONFIG_X86))

/*
 * Return the address of code, as in the symbol table. Pointers to functions and return addresses
 * have bit 0 set if the code is Thumb-2.
 */
#define KFI_THUMB_BIT		IS_ENABLED(CONFIG_THUMB2_KERNEL)
#define kfi_code_address(p)	((unsigned long)(p) & ~(unsigned long)KFI_THUMB_BIT)

/*
 * 64 bits that only this cpu changes, and the interrupts on it, as one value. Where a long has 32
 * bits the machine's own exchange of 64 is used (ldrexd, cmpxchg8b); a machine that has none turns
 * interrupts off for it, and there an NMI may find half a value.
 */
#define kfi_local64_cmpxchg(p, o, n)	cmpxchg64_local((p), (o), (n))
#if BITS_PER_LONG == 64
#define kfi_local64_read(p)		READ_ONCE(*(p))
#else
#define kfi_local64_read(p)		cmpxchg64_local((p), 0, 0)
#endif

#else

#include "kfi_port_host.h"

#endif

#endif /* KFI_PORT_H */
