/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The one seam between the core (conf, filter, stack, rec, ring, fmt) and the world it runs in.
 *
 * In a kernel it brings in the kernel's own headers; on a host (tools, unit tests, fuzzers)
 * kfi_port_host.h of tools/lib gives the same names. Core files include nothing else from outside.
 */
#ifndef KFI_PORT_H
#define KFI_PORT_H

#ifdef __KERNEL__

#include <asm/local.h>
#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/types.h>

#else

#include "kfi_port_host.h"

#endif

#endif /* KFI_PORT_H */
