/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contract: what the recorder and the tools share. Names, numbers, versions; no code.
 *
 * The text of a log is described in Documentation/formats.rst. A counter or a context is one row
 * of one table here; header lines, accounting and tests are derived from it.
 */
#ifndef KFI_ABI_H
#define KFI_ABI_H

/* Version of the text log ("Log format = N"); 1 and 2 are the historic KFI v1 and KFI v2/KFT. */
#define KFI_LOG_FORMAT		3

/* What a call ran in, as the Ctx column shows it. The order is that of nesting. */
enum kfi_ctx {
	KFI_CTX_TASK,
	KFI_CTX_SOFTIRQ,
	KFI_CTX_HARDIRQ,
	KFI_CTX_NMI,
	KFI_CTX_COUNT
};

#define KFI_CTX_LETTERS		"tshn"

/*
 * What is counted. Every call that is entered between start and stop is SEEN and ends in exactly
 * one of KEPT, FILTERED_*, LOST_* or open (DIED, or still on a shadow stack when the run stops).
 * The rows after that are no terms of the sum: they say how good the trace is.
 */
enum kfi_count {
	KFI_SEEN,
	KFI_KEPT,
	KFI_FILTERED_NOINTS,
	KFI_FILTERED_ONLYINTS,
	KFI_FILTERED_FUNCLIST,
	KFI_FILTERED_DEPTH,
	KFI_FILTERED_PID,
	KFI_FILTERED_CPU,
	KFI_FILTERED_MINTIME,
	KFI_FILTERED_MAXTIME,
	KFI_LOST_FULL,
	KFI_LOST_DEPTH,
	KFI_LOST_STACK,
	KFI_LOST_CLOCK,
	KFI_DIED,
	KFI_NOT_FOUND,
	KFI_NOTIME,
	KFI_STEPS_BACK,
	KFI_COUNTS
};

#define KFI_FILTERED_FIRST	KFI_FILTERED_NOINTS
#define KFI_FILTERED_LAST	KFI_FILTERED_MAXTIME
#define KFI_LOST_FIRST		KFI_LOST_FULL
#define KFI_LOST_LAST		KFI_LOST_CLOCK

/* Marks of a row; a row with none shows "-". */
#define KFI_MARK_NOTIME		0x1	/* entered before the clock ran: no entry, no duration */
#define KFI_MARK_UNWOUND	0x2	/* an outer call returned first: its exit was never seen */
#define KFI_MARK_OPEN		0x4	/* not returned when the run stopped or the task died */
#define KFI_MARK_BITS		3

#endif /* KFI_ABI_H */
