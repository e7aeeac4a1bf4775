/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fast parser for rows whose columns are all in the places where the recorder's printf() puts
 * them. It takes sixteen bytes at a time: it first classifies all bytes, and then reads only the
 * numbers that are not known to be small. It accepts only rows that log_row.c accepts, with the
 * same result. A row that it does not accept may still be a row. Included by log_row.c only, for
 * SSE2.
 *
 *	0 Entry 8 | 9 Delta 8 | 18 PID 8 | 27 Function 32 | 60 Caller 32 |	KFI_FIXED_TAIL
 *	0 Entry-ns 12 | 13 Delta-ns 12 | 26 Local-ns 12 | 39 Cpu 3 | 43 Depth 5 | 51 Ctx 1 |
 *	53 Task 7 | 61 Marks 14 | 76 Off-ns 12 | 89 Irq-ns 12
 *
 * Rows of KFT end behind Caller.
 */
#ifndef KFI_LOG_FIXED_H
#define KFI_LOG_FIXED_H

#include "kfi_port_host.h"

/* Columns at which Function, Caller and what follows begin. */
#define KFI_FIXED_FUNC		27
#define KFI_FIXED_CALLER	(KFI_FIXED_FUNC + 33)
#define KFI_FIXED_TAIL		(KFI_FIXED_CALLER + 33)

/* Number of bytes from there to the end of the line. */
#define KFI_FIXED_FORMAT3		101

#define KFI_ONES		0x0101010101010101ull
#define KFI_TOPS		(KFI_ONES << 7)
#define KFI_BLANKS		(KFI_ONES * ' ')

static __always_inline u64 kfi_eight(const char *p)
{
	u64 v;

	memcpy(&v, p, sizeof(v));
	return v;
}


#ifdef __SSE2__
#include <emmintrin.h>

#define KFI_FIXED	1

/* "      -1" */
#define KFI_MINUS_ONE	0x312d202020202020ull

/* Parse eight bytes: blanks, then at least one digit to the end; or -1. */
static __always_inline bool kfi_fixed_signed(u64 v, s64 *val)
{
	u64 d = v ^ (KFI_ONES * '0');
	u64 other = (((d & ~KFI_TOPS) + KFI_ONES * (127 - 9)) | d) & KFI_TOPS;

	if (other) {
		u32 bits = 64 - __builtin_clzll(other);	/* to the last byte that is no digit */

		*val = -1;
		if (v == KFI_MINUS_ONE)
			return true;
		if (bits == 64 || (v ^ KFI_BLANKS) << (64 - bits))
			return false;
		d = d >> bits << bits;
	}
	/* Combine digits to pairs, then all four pairs at once. */
	d = d * 10 + (d >> 8);
	*val = ((d & 0x000000ff000000ff) * 0x000f424000000064 +
		(d >> 16 & 0x000000ff000000ff) * 0x0000271000000001) >> 32;
	return true;
}

/**
 * struct kfi_class - classes of bytes, a bit for each byte
 * @digit: they are digits
 * @blank: they are blanks
 */
struct kfi_class {
	u64 digit;
	u64 blank;
};

static __always_inline struct kfi_class kfi_class16(const char *p)
{
	__m128i v = _mm_loadu_si128((const __m128i *)p);
	__m128i d = _mm_sub_epi8(v, _mm_set1_epi8('0'));

	return (struct kfi_class){
		.digit = (u32)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(d, _mm_set1_epi8(9)),
							       d)),
		.blank = (u32)_mm_movemask_epi8(_mm_cmpeq_epi8(v, _mm_set1_epi8(' '))),
	};
}

static __always_inline struct kfi_class kfi_class_join(struct kfi_class low, struct kfi_class high,
						       u32 bits)
{
	return (struct kfi_class){
		.digit = low.digit | high.digit << bits, .blank = low.blank | high.blank << bits,
	};
}

/*
 * Check right-aligned columns of digits: a blank at each bit of @gap, a digit at each bit of @last,
 * and behind a digit no blank except in a gap.
 */
static __always_inline bool kfi_class_columns(struct kfi_class c, u64 all, u64 gap, u64 last)
{
	return ((c.digit | c.blank) & all) == all && (c.blank & gap) == gap &&
	       (c.digit & last) == last && !(c.digit << 1 & c.blank & all & ~gap);
}

/* Return the length of a name of up to 32 bytes with a blank behind it, 0: none. */
static __always_inline u32 kfi_fixed_name(const char *p)
{
	const __m128i blank = _mm_set1_epi8(' ');
	__m128i v = _mm_loadu_si128((const __m128i *)p);
	__m128i w = _mm_loadu_si128((const __m128i *)(p + 16));
	/* Bytes up to a blank, and the blanks among these bytes. */
	u64 low = (u32)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(v, blank), v)) |
		  (u32)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(w, blank), w)) << 16;
	u64 is_blank = (u32)_mm_movemask_epi8(_mm_cmpeq_epi8(v, blank)) |
		       (u32)_mm_movemask_epi8(_mm_cmpeq_epi8(w, blank)) << 16;
	u32 len = (u32)__builtin_ctzll(low | 1ull << 32);

	/* After the first blank there are only blanks. */
	if (low != is_blank || low != (0xffffffffull << len & 0xffffffff) || p[32] != ' ')
		return 0;
	return len;
}

/* Number of bytes that are read from the last name on. */
#define KFI_FIXED_LAST		48

/*
 * Read a name, optional blanks, and the end of the line. Return: place of the end, 0: other text.
 */
static __always_inline u32 kfi_fixed_last(const char *p, struct kfi_str *name)
{
	const __m128i blank = _mm_set1_epi8(' '), newline = _mm_set1_epi8('\n');
	u64 low = 0, is_blank = 0, is_end = 0;

	for (u32 i = 0; i < KFI_FIXED_LAST; i += 16) {
		__m128i v = _mm_loadu_si128((const __m128i *)(p + i));

		low |= (u64)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(v, blank), v)) << i;
		is_blank |= (u64)_mm_movemask_epi8(_mm_cmpeq_epi8(v, blank)) << i;
		is_end |= (u64)_mm_movemask_epi8(_mm_cmpeq_epi8(v, newline)) << i;
	}
	/* The extra bit ends the search in any case. */
	name->len = (u32)__builtin_ctzll(low | 1ull << 63);
	name->s = p;
	is_end = is_end & -is_end;
	/* Bytes between the end of the name and the end of the line. */
	low &= is_end - 1;
	return is_end && name->len && low == (is_blank & (is_end - 1)) &&
	       low == (is_end - 1) >> name->len << name->len ? (u32)__builtin_ctzll(is_end) : 0;
}

/* Read eight bytes that are known to be blanks and digits; a blank counts as 0. */
static __always_inline u64 kfi_fixed_eight(const char *p)
{
	u64 d = kfi_eight(p) & KFI_ONES * 15;

	d = d * 10 + (d >> 8);
	return ((d & 0x000000ff000000ff) * 0x000f424000000064 +
		(d >> 16 & 0x000000ff000000ff) * 0x0000271000000001) >> 32;
}

/* Read twelve such bytes. */
static __always_inline s64 kfi_fixed_twelve(const char *p, bool high)
{
	s64 v = (s64)kfi_fixed_eight(p + 4);
	u32 d;

	if (!high)
		return v;
	memcpy(&d, p, sizeof(d));
	d &= 0x0f0f0f0f;
	d = d * 10 + (d >> 8);
	return v + (s64)((d & 0xff) * 100 + (d >> 16 & 0xff)) * 100000000;
}

#define KFI_BITS(from, n)	(((1ull << (n)) - 1) << (from))
#define KFI_BIT(n)		(1ull << (n))

/* Check Entry and Delta. */
static __always_inline bool kfi_fixed_start(const char *s)
{
	struct kfi_class c = kfi_class16(s);

	return kfi_class_columns(c, 0xffff, KFI_BIT(8), KFI_BIT(7)) &&
	       (unsigned char)(s[16] - '0') <= 9 && s[17] == ' ' && s[26] == ' ';
}

/* Parse the columns behind Caller, of a call without marks. */
static __always_inline bool kfi_fixed_tail(const char *p, struct kfi_row *row)
{
	static const char letters[] = KFI_CTX_LETTERS;
	const u64 gap = KFI_BIT(12) | KFI_BIT(25) | KFI_BIT(38) | KFI_BIT(42) | KFI_BITS(48, 3) |
			KFI_BIT(52) | KFI_BIT(60) | KFI_BITS(62, 2);
	const u64 last = KFI_BIT(11) | KFI_BIT(24) | KFI_BIT(37) | KFI_BIT(41) | KFI_BIT(47) |
			 KFI_BIT(59);
	/* Columns from 69 on. */
	const u64 gap2 = KFI_BITS(0, 76 - 69) | KFI_BIT(88 - 69);
	const u64 last2 = KFI_BIT(87 - 69) | KFI_BIT(100 - 69);
	struct kfi_class c = kfi_class_join(
		kfi_class_join(kfi_class16(p), kfi_class16(p + 16), 16),
		kfi_class_join(kfi_class16(p + 32), kfi_class16(p + 48), 16), 32);
	struct kfi_class d = kfi_class_join(kfi_class16(p + 69), kfi_class16(p + 85), 16);
	const char *ctx;

	if (!kfi_class_columns(c, ~(KFI_BIT(51) | KFI_BIT(61)), gap, last) ||
	    !kfi_class_columns(d, 0xffffffff, gap2, last2) || p[61] != '-' ||
	    kfi_eight(p + 62) != KFI_BLANKS)
		return false;
	ctx = likely(p[51] == *letters) ? letters : memchr(letters, p[51], sizeof(letters) - 1);
	if (!ctx)
		return false;
	row->ctx = (u8)(ctx - letters);
	row->marks = 0;
	row->entry_ns = kfi_fixed_twelve(p, true);
	row->delta_ns = kfi_fixed_twelve(p + 13, c.digit & KFI_BITS(13, 4));
	row->local_ns = kfi_fixed_twelve(p + 26, c.digit & KFI_BITS(26, 4));
	row->cpu = p[41] & 15;
	if (unlikely(c.digit & KFI_BITS(39, 2)))
		row->cpu += (p[40] & 15) * 10 + (p[39] & 15) * 100;
	row->depth = (p[46] & 15) * 10 + (p[47] & 15);
	if (unlikely(c.digit & KFI_BITS(43, 3)))
		row->depth += (p[45] & 15) * 100 + (p[44] & 15) * 1000 + (p[43] & 15) * 10000;
	row->task = (s32)kfi_fixed_eight(p + 52);
	row->off_ns = p[87] & 15;
	row->irq_ns = p[100] & 15;
	if (unlikely(d.digit & ~last2)) {
		row->off_ns = kfi_fixed_twelve(p + 76, true);
		row->irq_ns = kfi_fixed_twelve(p + 89, true);
	}
	return true;
}

#else
#define KFI_FIXED	0
#endif

#endif /* KFI_LOG_FIXED_H */
