/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The columns of a row that stand where the recorder's printf() put them: read as blocks of eight
 * bytes, without a branch for each byte. Whatever does not look like that, if it is a row or not,
 * is for the reader byte by byte. Included by log_row.c alone.
 *
 *	Entry    Delta    PID		8 bytes each, and a blank: KFI_BLOCK_START
 *	  Entry-ns Delta-ns Local-ns Cpu Depth   C    Task Marks    Off-ns Irq-ns: KFI_BLOCK_TODAY
 */
#ifndef KFI_LOG_BLOCK_H
#define KFI_LOG_BLOCK_H

#include "kfi_port_host.h"

#define KFI_BLOCKS	(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

/* Bytes of the columns before Function, and of those behind Caller. */
#define KFI_BLOCK_START	27
#define KFI_BLOCK_TODAY	101

/* Bytes of Function and Caller, unless the name is longer. */
#define KFI_BLOCK_NAME	32

#define KFI_ONES	0x0101010101010101ull
#define KFI_TOPS	(KFI_ONES << 7)
#define KFI_BLANKS	(KFI_ONES * ' ')

/* "      -1" */
#define KFI_MINUS_ONE	0x312d202020202020ull

static __always_inline u64 kfi_eight(const char *p)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* Eight bytes: blanks, then at least one digit, and digits to the end. */
static __always_inline bool kfi_block(u64 v, u64 *val)
{
	u64 d = v ^ (KFI_ONES * '0');
	u64 other = (((d & ~KFI_TOPS) + KFI_ONES * (127 - 9)) | d) & KFI_TOPS;

	if (other) {
		u32 bits = 64 - __builtin_clzll(other);	/* to the last byte that is no digit */

		if (bits == 64 || (v ^ KFI_BLANKS) << (64 - bits))
			return false;
		d = d >> bits << bits;
	}
	/* Pairs of digits, then all four pairs at once. */
	d = d * 10 + (d >> 8);
	*val = ((d & 0x000000ff000000ff) * 0x000f424000000064 +
		(d >> 16 & 0x000000ff000000ff) * 0x0000271000000001) >> 32;
	return true;
}

/* The same, or -1. */
static __always_inline bool kfi_block_signed(u64 v, s64 *val)
{
	u64 u = -1;

	if (!kfi_block(v, &u) && v != KFI_MINUS_ONE)
		return false;
	*val = (s64)u;
	return true;
}

/* The last @width bytes before @end; there are eight. */
static __always_inline bool kfi_block_short(const char *end, u32 width, u64 *val)
{
	u32 others = 8 * (8 - width);

	return kfi_block(kfi_eight(end - 8) >> others << others | KFI_BLANKS >> 8 * width, val);
}

/* Twelve bytes: a number, or -1. */
static __always_inline bool kfi_block_nsecs(const char *p, s64 *val)
{
	u64 high = kfi_eight(p) << 32 | KFI_BLANKS >> 32, v;
	s64 low;

	if (!kfi_block_signed(kfi_eight(p + 4), &low))
		return false;
	*val = low;
	if (likely(high == KFI_BLANKS))
		return true;
	/* Below digits there are no blanks. */
	if (p[4] == ' ' || !kfi_block(high, &v))
		return false;
	*val += (s64)v * 100000000;
	return true;
}

#endif /* KFI_LOG_BLOCK_H */
