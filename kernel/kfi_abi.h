/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contract: what the recorder and the tools share. Names, numbers, versions; no code.
 *
 * The text of a log is described in Documentation/formats.rst. A counter or a context is one row
 * of one table here; header lines, accounting and tests are derived from it.
 */
#ifndef KFI_ABI_H
#define KFI_ABI_H

#include "core/port.h"

/* Version of the text log ("Log format = N"); 1 and 2 are the historic KFI v1 and KFI v2/KFT. */
#define KFI_LOG_FORMAT		4

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
 * LOST_SNAPSHOT is counted apart, with the calls SEEN that it is of (struct kfi_cpu).
 * LOST_OVERWRITTEN is counted apart, per kind of record (struct kfi_ring_cpu): such calls are KEPT,
 * or DIED, until they are overwritten.
 */
enum kfi_count {
	KFI_SEEN,
	KFI_KEPT,
	KFI_FILTERED_NOINTS,
	KFI_FILTERED_ONLYINTS,
	KFI_FILTERED_FUNCLIST,
	KFI_FILTERED_EXCLUDE,
	KFI_FILTERED_UNDER,
	KFI_FILTERED_DEPTH,
	KFI_FILTERED_PID,
	KFI_FILTERED_CPU,
	KFI_FILTERED_MINTIME,
	KFI_FILTERED_MAXTIME,
	KFI_LOST_FULL,
	KFI_LOST_DEPTH,
	KFI_LOST_STACK,
	KFI_LOST_CLOCK,
	KFI_LOST_SNAPSHOT,
	KFI_LOST_OVERWRITTEN,
	KFI_DIED,
	KFI_NOT_FOUND,
	KFI_NOTIME,
	KFI_STEPS_BACK,
	KFI_MARKS_KEPT,
	KFI_MARKS_LOST,
	KFI_WATCH_KEPT,
	KFI_WATCH_LOST,
	KFI_COUNTS
};

#define KFI_FILTERED_FIRST	KFI_FILTERED_NOINTS
#define KFI_FILTERED_LAST	KFI_FILTERED_MAXTIME
#define KFI_LOST_FIRST		KFI_LOST_FULL
#define KFI_LOST_LAST		KFI_LOST_OVERWRITTEN

/* Marks of a row; a row with none shows "-". */
#define KFI_MARK_NOTIME		0x1	/* entered before the clock ran: no entry, no duration */
#define KFI_MARK_UNWOUND	0x2	/* an outer call returned first: its exit was never seen */
#define KFI_MARK_OPEN		0x4	/* not returned when the run stopped or the task died */
#define KFI_MARK_STACK		0x8	/* a row of a watch, no call */
#define KFI_MARK_BITS		4

/* Those that a call's record holds. */
#define KFI_MARK_CALL		(KFI_MARK_NOTIME | KFI_MARK_UNWOUND | KFI_MARK_OPEN)

/*
 * What is in a log besides calls, and counts as none. Words and arguments: kfi_event_kinds[]. STACK
 * is a row of a watch; the others are marks.
 */
enum kfi_event_kind {
	KFI_EVENT_NONE,
	KFI_EVENT_SWITCH,
	KFI_EVENT_INITCALL,
	KFI_EVENT_LEVEL,
	KFI_EVENT_SYSCALL,
	KFI_EVENT_SYSRET,
	KFI_EVENT_MARK,
	KFI_EVENT_STACK,
	KFI_EVENTS
};

#define KFI_EVENT_TEXT_MAX	80	/* bytes of text in one */

/*
 * A raw log (/proc/kfi_raw): a head and parts behind it, up to the part KFI_RAW_END, all in the
 * byte order of the machine. Each part is padded with zeros to a multiple of 8 bytes.
 *
 *	struct kfi_raw_head | part: header as text | parts: chunks ... | parts: open calls ... | end
 *
 * Described in Documentation/formats.rst, "/proc/kfi_raw"; the words of a chunk in "Records".
 */
#define KFI_RAW_MAGIC		"\211KFIraw\n"	/* 8 bytes, without the NUL */
#define KFI_RAW_ORDER		0x01020304u	/* 04 03 02 01 from a little endian machine */
#define KFI_RAW_VERSION		2
#define KFI_RAW_ALIGN		8

/**
 * struct kfi_raw_head - how a raw log begins
 * @magic: KFI_RAW_MAGIC
 * @order: KFI_RAW_ORDER
 * @version: KFI_RAW_VERSION; another one if what stands here changes its meaning
 * @word_bits: of a long of the machine: 32 or 64
 * @bytes: of this structure; what a reader does not know at its end it skips
 * @text: what near addresses in records are relative to
 * @origin: raw count of the clock at Entry 0
 * @hz: counts per second; 0: not known
 * @min: closed calls of fewer counts are to be dropped by the reader
 * @max: those of more, too
 */
struct kfi_raw_head {
	char magic[8];
	u32 order;
	u32 version;
	u32 word_bits;
	u32 bytes;
	u64 text;
	u64 origin;
	u64 hz;
	u64 min;
	u64 max;
};
static_assert(sizeof(struct kfi_raw_head) == 64);

enum kfi_raw_kind {
	KFI_RAW_END = 1,	/* struct kfi_raw_end: the last part */
	KFI_RAW_TEXT,		/* the text above the rows of the log */
	KFI_RAW_CHUNK,		/* struct kfi_raw_chunk and its words */
	KFI_RAW_OPEN,		/* some struct kfi_raw_open */
};

/**
 * struct kfi_raw_part - what stands before each part
 * @kind: enum kfi_raw_kind; a reader skips what it does not know
 * @bytes: of what follows, the padding behind it not counted
 */
struct kfi_raw_part {
	u32 kind;
	u32 bytes;
};
static_assert(sizeof(struct kfi_raw_part) == KFI_RAW_ALIGN);

/**
 * struct kfi_raw_chunk - records of one cpu, in the order in which their space was reserved
 * @base: what times of its records are relative to
 * @cpu: the cpu
 * @words: 32-bit words that follow; a word 0 in the place of a record's first ends them before that
 */
struct kfi_raw_chunk {
	u64 base;
	u32 cpu;
	u32 words;
};
static_assert(sizeof(struct kfi_raw_chunk) == 16);

/**
 * struct kfi_raw_open - a call that had not returned
 * @func: address of the function
 * @site: address of the call site
 * @entry: raw clock count at entry
 * @pid: of the task on whose shadow stack it was
 * @cpu: of its entry
 * @depth: 1-based nesting depth there
 * @ctx: enum kfi_ctx
 * @marks: KFI_MARK_*
 * @pad: 0
 */
struct kfi_raw_open {
	u64 func;
	u64 site;
	u64 entry;
	u32 pid;
	u16 cpu;
	u16 depth;
	u8 ctx;
	u8 marks;
	u8 pad[6];
};
static_assert(sizeof(struct kfi_raw_open) == 40);

/**
 * struct kfi_raw_end - the end of a raw log: what does not have one was cut off
 * @rows: rows that a reader must have got, the open calls included
 */
struct kfi_raw_end {
	u64 rows;
};
static_assert(sizeof(struct kfi_raw_end) == 8);

#endif /* KFI_ABI_H */
