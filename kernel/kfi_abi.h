/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contract: what the recorder and the tools share. Names, numbers, versions; no code.
 *
 * The text of a log is described in Documentation/format-text.rst. A counter or a context is one
 * row of one table here; header lines, accounting and tests are derived from it.
 */
#ifndef KFI_ABI_H
#define KFI_ABI_H

#include "core/port.h"

/*
 * Version of the text log ("Log format = N"); 1 and 2 are the historic KFI v1 and KFI v2/KFT.
 * Before 5 no row says how many calls below it have none, before 6 no header has a check line.
 */
#define KFI_LOG_FORMAT		6

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
 * FILTERED_BETWEEN: entered between two iterations.
 * The rows after that are no terms of the sum: they say how good the trace is.
 * LOST_SNAPSHOT is counted apart, with the calls SEEN that it is of (struct kfi_cpu).
 * LOST_OVERWRITTEN is counted apart, per kind of record (struct kfi_ring_cpu): such calls are KEPT,
 * or DIED, until they are overwritten.
 */
enum kfi_count {
	KFI_SEEN,
	KFI_KEPT,
	KFI_FILTERED_BETWEEN,
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

#define KFI_FILTERED_FIRST	KFI_FILTERED_BETWEEN
#define KFI_FILTERED_LAST	KFI_FILTERED_MAXTIME
#define KFI_LOST_FIRST		KFI_LOST_FULL
#define KFI_LOST_LAST		KFI_LOST_OVERWRITTEN

/* Marks of a row; a row with none shows "-". */
#define KFI_MARK_NOTIME		0x1	/* entered before the clock ran: no entry, no duration */
#define KFI_MARK_UNWOUND	0x2	/* an outer call returned first: its exit was never seen */
#define KFI_MARK_OPEN		0x4	/* not returned when the run stopped or the task died */
#define KFI_MARK_STACK		0x8	/* a row of a watch, no call */
#define KFI_MARK_BITS		4

/* Marks that the record of a call can have. */
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
	KFI_EVENT_PREEMPT,
	KFI_EVENT_WAKEUP,
	KFI_EVENT_NEW,
	KFI_EVENT_EXEC,
	KFI_EVENT_ARGS,
	KFI_EVENT_RET,
	KFI_EVENT_CALLERS,
	KFI_EVENTS
};

#define KFI_EVENT_TEXT_MAX	80	/* bytes of text in one */
#define KFI_EVENT_FUNCS_MAX	8	/* functions in one */

/**
 * struct kfi_event_row - the word of a kind of event, and its arguments in the log
 * @word: the word; NULL: the kind is no mark
 * @args: a letter for each argument: ``f`` function, ``d`` depth, ``v`` value, ``t`` text if there
 *	is any, ``s`` functions in the place of the text, ``a`` numbers of 64 bits in the place of
 *	the text, in the byte order of the machine
 */
struct kfi_event_row {
	const char *word;
	const char *args;
};

/* Initialises an array of struct kfi_event_row, by enum kfi_event_kind. */
#define KFI_EVENT_ROWS {					\
	[KFI_EVENT_SWITCH]	= { "switch", "vt" },		\
	[KFI_EVENT_INITCALL]	= { "initcall", "fv" },		\
	[KFI_EVENT_LEVEL]	= { "level", "t" },		\
	[KFI_EVENT_SYSCALL]	= { "syscall", "vt" },		\
	[KFI_EVENT_SYSRET]	= { "sysret", "v" },		\
	[KFI_EVENT_MARK]	= { "mark", "t" },		\
	[KFI_EVENT_PREEMPT]	= { "preempt", "vt" },		\
	[KFI_EVENT_WAKEUP]	= { "wakeup", "vs" },		\
	[KFI_EVENT_NEW]		= { "new", "vt" },		\
	[KFI_EVENT_EXEC]	= { "exec", "t" },		\
	[KFI_EVENT_ARGS]	= { "args", "fda" },		\
	[KFI_EVENT_RET]		= { "ret", "fdv" },		\
	[KFI_EVENT_CALLERS]	= { "callers", "fs" },		\
}

/*
 * A record in a chunk of the ring buffer, and of a raw log, consists of 32-bit words. Word 0 is
 * stored last and is never 0: it makes the record valid. The common record has six words:
 *
 *	word 0	[4:0] form  [6:5] context  [9:7] marks  [31:10] pid of the stack's task
 *	word 1	function, relative to the text base of the ring
 *	word 2	call site, relative to the same
 *	word 3	exit time, relative to the time base of the chunk, signed
 *	word 4	duration
 *	word 5	[21:0] self time, or the cpu on which an open call began  [31:22] depth
 *
 * Its form is KFI_REC_WORDS. A value that does not fit makes the record longer: the form is then
 * the number of words, and word 6 tells which parts follow (KFI_EXT_*).
 *
 * Most calls are packed. They lie near the text base, have no marks, and most of their times fit
 * into 20 bits. Self time (KFI_REC_PACKED) or the time of interrupts (the others) is split: its
 * lower 12 bits stand in the last of these words, its upper 8 bits in word 2:
 *
 *	word 1	[23:0] function, relative to the text base  [31:24] depth
 *	word 2	[23:0] call site, relative to the same
 *	word 3	exit time, as above
 *	word 4	KFI_REC_PACKED: [19:0] duration  [31:20] self time; no more words
 *		else: duration
 *	word 5	[19:0] self time  [31:20] interrupted; KFI_REC_OFF: time of the calls below
 *	word 6	KFI_REC_BOTH: switched out
 *	then	with KFI_W0_BELOW in word 0: how many calls below it have no record
 *
 * KFI_REC_AWAY is a common record with two more words: switched out, interrupted. All times are raw
 * counts of the recorder's clock.
 *
 * An event is a mark or a row of a watch. KFI_EXT_EVENT in word 6 tells it from a call:
 *
 *	word 0	as above
 *	word 1	time, low half		word 2	high half
 *	word 3	value, low half		word 4	high half
 *	word 5	[15:0] depth  [23:16] number of functions in the place of the text
 *		[24] KFI_EVENT_HIDDEN
 *	word 6	[7:0] KFI_EXT_EVENT, KFI_EXT_FAR  [15:8] kind  [23:16] bytes of text
 *	then	with KFI_EXT_FAR function and call site, two words each, low half first
 *	then	the text, as many words as it needs
 *
 * Functions in the place of the text take one word each, relative to the text base. If one of them
 * is too far away for that, each takes two words, low half first.
 */
#define KFI_REC_WORDS		6	/* words of a common record */
#define KFI_REC_WORDS_MAX	31	/* the largest form */

/* Forms that are not a number of words. */
#define KFI_REC_IRQ		1	/* packed, interrupted */
#define KFI_REC_OFF		2	/* packed, switched out */
#define KFI_REC_BOTH		3	/* packed, both */
#define KFI_REC_AWAY		4	/* common, and switched out or interrupted, in 32 bits */
#define KFI_REC_PACKED		5	/* packed, neither */

/*
 * Words of each form up to KFI_REC_WORDS, without KFI_W0_BELOW; 0: there is no such form. Higher
 * forms are the number.
 */
#define KFI_REC_FORM_WORDS {						\
	[KFI_REC_IRQ] = 6, [KFI_REC_OFF] = 6, [KFI_REC_BOTH] = 7,	\
	[KFI_REC_AWAY] = 8, [KFI_REC_PACKED] = KFI_REC_PACKED,		\
	[KFI_REC_WORDS] = KFI_REC_WORDS,				\
}

#define KFI_PACKED_ADDR_BITS	24
#define KFI_PACKED_TIME_BITS	20
#define KFI_PACKED_DEPTH_MAX	255
#define KFI_PACKED_LOW_BITS	12	/* of a time that is in two words */

#define KFI_REC_LOCAL_BITS	22	/* of a local time in the common words */
#define KFI_PID_MAX		((1u << 22) - 1)

/* Word 0, first to last: form, context, marks, pid. */
#define KFI_W0_FORM		0x1fu
#define KFI_W0_CTX_SHIFT	5
#define KFI_W0_MARK_SHIFT	7
#define KFI_W0_PID_SHIFT	10

/* A packed record has no marks, and one more word instead of the first. */
#define KFI_W0_BELOW		(1u << KFI_W0_MARK_SHIFT)

/* Word 6: the parts that follow, in this order. A value has two words, the low one first. */
#define KFI_EXT_TIME		0x1u	/* exit (absolute), duration, local time */
#define KFI_EXT_FAR		0x2u	/* function, call site (absolute) */
#define KFI_EXT_AWAY		0x4u	/* switched out, interrupted */
#define KFI_EXT_EVENT		0x8u	/* this is an event */
#define KFI_EXT_BELOW		0x10u	/* how many calls below have no record: one word */
#define KFI_EXT_WORDS(ext) \
	(((ext) & KFI_EXT_TIME ? 6 : 0) + ((ext) & KFI_EXT_FAR ? 4 : 0) + \
	((ext) & KFI_EXT_AWAY ? 4 : 0) + ((ext) & KFI_EXT_BELOW ? 1 : 0))

/* Word 6 of an event, above KFI_EXT_*. */
#define KFI_EVENT_KIND_SHIFT	8
#define KFI_EVENT_LEN_SHIFT	16
#define KFI_EVENT_BYTE		0xffu
#define KFI_EVENT_FUNCS_SHIFT	16	/* in word 5 */
#define KFI_EVENT_HIDDEN	(1u << 24)	/* in word 5: the values were replaced by 0 */

/*
 * A raw log (/proc/kfi_raw): a head and parts behind it, up to the part KFI_RAW_END, all in the
 * byte order of the machine. The length of a part is a multiple of 8 bytes. It ends with zeros, and
 * a CRC-32 (that of zlib) of all before it in the part, in the first part also of the head.
 *
 *	struct kfi_raw_head | part: header as text | parts: chunks ... | parts: open calls ... | end
 *
 * /proc/kfi_pipe gives a log while it is recorded. There are parts KFI_RAW_PROGRESS between the
 * chunks, and the text comes again when it has changed; the last one counts.
 *
 * Described in Documentation/format-raw.rst; the words of a chunk in its section "Records".
 */
#define KFI_RAW_MAGIC		"\211KFIraw\n"	/* 8 bytes, without the NUL */
#define KFI_RAW_ORDER		0x01020304u	/* 04 03 02 01 from a little endian machine */
#define KFI_RAW_VERSION		4
#define KFI_RAW_ALIGN		8
#define KFI_RAW_CHECK_VERSION	4	/* the first with checksums */
#define KFI_RAW_CHECK_BYTES	4

/* Bytes behind struct kfi_raw_part: of what follows it, with zeros and the checksum. */
#define KFI_RAW_PART_BYTES(bytes) \
	(((bytes) + KFI_RAW_CHECK_BYTES + KFI_RAW_ALIGN - 1) & ~(KFI_RAW_ALIGN - 1))

/**
 * struct kfi_raw_head - how a raw log begins
 * @magic: KFI_RAW_MAGIC
 * @order: KFI_RAW_ORDER
 * @version: KFI_RAW_VERSION; another one if what stands here changes its meaning. Before 3 no
 *	record says how many calls below it have none; before 4 there are no checksums
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
	KFI_RAW_SUMS,		/* some struct kfi_prof_sum: a profile has no other rows */
	KFI_RAW_PROGRESS,	/* struct kfi_raw_progress, in /proc/kfi_pipe only */
};

/**
 * struct kfi_raw_part - what stands before each part
 * @kind: enum kfi_raw_kind; a reader skips what it does not know
 * @bytes: of what follows, the zeros and the checksum behind it not counted
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
 * struct kfi_raw_progress - how far a log has come that is read while the session goes on
 * @time: raw count: the chunks above have what was recorded until about then, on all cpus
 * @calls: calls that were overwritten before they could be read, since the session started
 * @others: marks and rows of watches, too
 */
struct kfi_raw_progress {
	u64 time;
	u64 calls;
	u64 others;
};
static_assert(sizeof(struct kfi_raw_progress) == 24);

/**
 * struct kfi_prof_sum - a function of a profile
 * @func: its address
 * @count: calls with times
 * @total: raw counts from entry to exit of these, together
 * @local: raw counts spent in the function itself
 * @off: raw counts for which the tasks were switched out
 * @irq: raw counts that interrupts took
 * @min: the shortest call; 0 if @count is
 * @max: the longest call
 * @untimed: calls without times
 */
struct kfi_prof_sum {
	u64 func;
	u64 count;
	u64 total;
	u64 local;
	u64 off;
	u64 irq;
	u64 min;
	u64 max;
	u64 untimed;
};
static_assert(sizeof(struct kfi_prof_sum) == 72);

/**
 * struct kfi_raw_end - the end of a raw log: what does not have one was cut off
 * @rows: rows that a reader must have got, the open calls included; functions of a profile
 */
struct kfi_raw_end {
	u64 rows;
};
static_assert(sizeof(struct kfi_raw_end) == 8);

#endif /* KFI_ABI_H */
