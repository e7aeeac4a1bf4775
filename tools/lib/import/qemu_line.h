/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the address of the block in a line of a trace of QEMU:
 *
 *	exec_tb tb:0x7f5a1c000100 pc=0xffffffff81000000	an event, whatever stands before it
 *	Trace 0: 0x7f5a1c000100 [cs_base/pc/flags/cflags] sym	-d exec
 *	Trace 0x7f5a1c000100 [pc] sym				of earlier versions
 *
 * Used by qemu.c, which makes calls of the blocks, and by addr2sym, which puts names into lines.
 */
#ifndef KFI_QEMU_LINE_H
#define KFI_QEMU_LINE_H

#include "kfi_port_host.h"

static const s8 kfi_hex_value[256] = {
	['0'] = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
	['a'] = 11, 12, 13, 14, 15, 16, ['A'] = 11, 12, 13, 14, 15, 16,
};

/**
 * kfi_take_hex() - read 1 to 16 hex digits
 * @s: where they begin
 * @end: end of the line
 * @v: set to their value
 *
 * Return: the next character; NULL: there are none, or more.
 */
static inline const char *kfi_take_hex(const char *s, const char *end, u64 *v)
{
	const char *first = s;
	u64 sum = 0;

	while (s < end && kfi_hex_value[(u8)*s])
		sum = sum << 4 | (u64)(kfi_hex_value[(u8)*s++] - 1);
	*v = sum;
	return s > first && s - first <= 16 ? s : NULL;
}

/**
 * kfi_qemu_event() - find the address in an event: "pc=0xADDRESS"
 * @s: where the event begins
 * @end: end of the line
 * @at: set to where the address begins, with 0x
 * @pc: set to the address
 *
 * Return: the character behind the address; NULL: no address.
 */
static inline const char *kfi_qemu_event(const char *s, const char *end, const char **at, u64 *pc)
{
	const char *x = memmem(s, (size_t)(end - s), " pc=0x", 6);

	if (!x)
		return NULL;
	*at = x + 4;
	return kfi_take_hex(x + 6, end, pc);
}

/**
 * kfi_qemu_trace() - find a block's address in a line of -d exec: "[ADDRESS]", "[CS_BASE/ADDRESS/"
 * @s: the line
 * @end: its end
 * @at: set to where the address begins, or where it is expected
 * @pc: set to the address
 *
 * Return: the character behind the address; NULL: no address, or no ] behind it.
 */
static inline const char *kfi_qemu_trace(const char *s, const char *end, const char **at, u64 *pc)
{
	const char *x = memchr(s, '[', (size_t)(end - s));

	*at = x ? x + 1 : end;
	x = kfi_take_hex(*at, end, pc);
	if (x && x < end && *x == '/') {
		*at = x + 1;
		x = kfi_take_hex(*at, end, pc);
	}
	return x && x < end && (*x == '/' || *x == ']') && memchr(x, ']', (size_t)(end - x)) ?
	       x : NULL;
}

#endif /* KFI_QEMU_LINE_H */
