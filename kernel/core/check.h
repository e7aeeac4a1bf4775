/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checksums over the header and the rows of a text log, so that a digit that is lost on a serial
 * line does not change a table. The recorder writes them, the tools compare them.
 * Documentation/format-text.rst, "Check lines".
 */
#ifndef KFI_CHECK_H
#define KFI_CHECK_H

#include "core/port.h"

/* The first log format that has check lines, and the first whose header has one. */
#define KFI_CHECK_FORMAT	4
#define KFI_CHECK_HEADER_FORMAT	6

/* It is the last line of the header with a value. */
#define KFI_CHECK_HEADER	"Header check = "

/* A check line follows this number of rows and marks, and the last row or mark. */
#define KFI_CHECK_LINES		64

/**
 * struct kfi_check - sums over the lines since the last check line
 * @lines: how many
 * @numbers: over the numeric columns
 * @addresses: over the addresses and the text of marks, which addr2sym changes
 */
struct kfi_check {
	u32 lines;
	u64 numbers;
	u64 addresses;
};

/**
 * kfi_check_add() - Add a value to a sum.
 * @sum: the sum; each of the steps can be undone, so one changed value always changes it
 * @value: the value
 */
static __always_inline void kfi_check_add(u64 *sum, u64 value)
{
	/* An odd constant, 2^64 divided by the golden ratio: bits of a value move to all above. */
	u64 mixed = (*sum ^ value) * 0x9e3779b97f4a7c15ull;

	*sum = mixed ^ mixed >> 32;
}

/**
 * kfi_check_row() - Add a row of a call, or of a watch.
 * @c: the sums
 * @ns: Entry-ns, Delta-ns, Local-ns, Off-ns and Irq-ns
 * @task: Task
 * @cpu: Cpu
 * @depth: Depth
 * @ctx: enum kfi_ctx
 * @marks: KFI_MARK_*
 * @below: how many calls below it have no row
 *
 * Entry, Delta and PID are not in the sum: they follow from the others.
 */
static __always_inline void kfi_check_row(struct kfi_check *c, const s64 ns[5], u32 task, u32 cpu,
					  u32 depth, u32 ctx, u32 marks, u32 below)
{
	u32 i;

	c->lines++;
	for (i = 0; i < 5; i++)
		kfi_check_add(&c->numbers, (u64)ns[i]);
	kfi_check_add(&c->numbers, (u64)task << 32 | depth);
	kfi_check_add(&c->numbers, (u64)cpu << 32 | ctx << 8 | marks);
	if (below)
		kfi_check_add(&c->numbers, below);
}

/**
 * kfi_check_mark() - Add a mark, but for its text.
 * @c: the sums
 * @ns: Entry-ns
 * @task: Task
 * @cpu: Cpu
 * @ctx: enum kfi_ctx
 */
static __always_inline void kfi_check_mark(struct kfi_check *c, u64 ns, u32 task, u32 cpu, u32 ctx)
{
	c->lines++;
	kfi_check_add(&c->numbers, ns);
	kfi_check_add(&c->numbers, (u64)task << 32 | cpu << 8 | ctx);
}

/**
 * kfi_check_text() - Add bytes to a sum.
 * @sum: the sum
 * @text: the bytes
 * @len: number of bytes
 */
static inline void kfi_check_text(u64 *sum, const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		kfi_check_add(sum, (unsigned char)text[i]);
}

/**
 * kfi_check_header() - Add a line of a header to a sum, if it has a value.
 * @sum: the sum
 * @line: the line, without blanks around it
 * @len: number of bytes
 *
 * Lines without a value do not count: a console may write other text between. A line counts up to
 * " function ": addr2sym changes what follows.
 */
static inline void kfi_check_header(u64 *sum, const char *line, size_t len)
{
	static const char value[] = " = ", logging[] = "Logging ", function[] = " function ";
	const size_t nvalue = sizeof(value) - 1, nfunction = sizeof(function) - 1;
	bool has_value;
	size_t i;

	has_value = len >= sizeof(logging) && memcmp(line, logging, sizeof(logging) - 1) == 0;
	for (i = 0; i < len; i++) {
		has_value |= len - i >= nvalue && memcmp(line + i, value, nvalue) == 0;
		if (len - i >= nfunction && memcmp(line + i, function, nfunction) == 0)
			break;
	}
	if (!has_value)
		return;
	kfi_check_text(sum, line, i);
	kfi_check_add(sum, '\n');
}

#endif /* KFI_CHECK_H */
