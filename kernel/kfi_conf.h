/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The configuration language: one parser for kfistatic.conf, /proc/kfi and the tools.
 *
 * A configuration is taken whole or refused whole, with line, column and reason. Nothing here knows
 * what a function's address is (the caller resolves names), allocates, or changes the text.
 * Called by kfi_run.c, kfi_proc.c, mkkfistatic and tools/sym2addr; the language itself is described
 * in Documentation/config-language.rst.
 */
#ifndef KFI_CONF_H
#define KFI_CONF_H

#include "kfi_port.h"

/* Limits of the language; each is part of a message, a test and the page. */
#define KFI_CONF_TEXT_MAX	65536		/* bytes of one configuration */
#define KFI_CONF_FUNCS_MAX	128		/* functions in one funclist */
#define KFI_CONF_NAME_MAX	511		/* bytes of one function name, as in the kernel */
#define KFI_CONF_ENTRIES_MAX	16777216	/* logentries */
#define KFI_CONF_FILTER_US_MAX	U32_MAX		/* mintime, maxtime: microseconds */
#define KFI_CONF_DEPTH_MAX	1023		/* filter depth */
#define KFI_CONF_PID_MAX	4194304		/* filter pid: as the kernel's own limit */
#define KFI_CONF_CPU_MAX	8191		/* filter cpu: likewise */
#define KFI_CONF_TRIGGER_US_MAX	9223372036854775ULL	/* trigger time: ns fit in s64 */

/**
 * enum kfi_conf_flags - where a text comes from
 * @KFI_CONF_ANY: the word ``new`` may stand before ``begin``
 * @KFI_CONF_STATIC: a kfistatic.conf: as KFI_CONF_ANY
 * @KFI_CONF_PROC: written to /proc/kfi: ``new begin`` is mandatory
 * @KFI_CONF_BLOCK: only for kfi_conf_format(): print ``begin`` and ``end`` around the items
 */
enum kfi_conf_flags {
	KFI_CONF_ANY	= 0,
	KFI_CONF_STATIC	= 1 << 0,
	KFI_CONF_PROC	= 1 << 1,
	KFI_CONF_BLOCK	= 1 << 2,
};

/**
 * struct kfi_func - one FUNC of a configuration, with the place it was read from
 * @name: the word as written, a name or 0x and hex digits; points into the text, no NUL behind it
 * @addr: its address, 0 while unknown
 * @len: bytes of @name
 * @line: line of the text, from 1
 * @col: byte of the line, from 1
 * @resolved: @addr is valid; the parser sets it for 0x addresses, the caller for names
 */
struct kfi_func {
	const char *name;
	u64 addr;
	u32 len;
	u32 line;
	u32 col;
	bool resolved;
};

/**
 * enum kfi_trig_kind - what a trigger waits for
 * @KFI_TRIG_NONE: not given: only the commands start and stop, or the log being full
 * @KFI_TRIG_ENTRY: entry to a function
 * @KFI_TRIG_EXIT: exit from a function
 * @KFI_TRIG_TIME: a time, since the trace clock's zero (start) or since the start trigger (stop)
 */
enum kfi_trig_kind {
	KFI_TRIG_NONE,
	KFI_TRIG_ENTRY,
	KFI_TRIG_EXIT,
	KFI_TRIG_TIME,
};

/**
 * struct kfi_trigger - start or stop trigger
 * @kind: what it waits for
 * @func: the function, for entry and exit
 * @usecs: the time, for KFI_TRIG_TIME
 */
struct kfi_trigger {
	enum kfi_trig_kind kind;
	struct kfi_func func;
	u64 usecs;
};

/* Filters with one number: a call passes if it is at most so deep, of that pid, on that cpu. */
enum kfi_conf_num {
	KFI_NUM_DEPTH,
	KFI_NUM_PID,
	KFI_NUM_CPU,
	KFI_NUMS
};

/**
 * struct kfi_conf - one parsed run
 * @start: start trigger
 * @stop: stop trigger
 * @mintime_us: shortest call that is kept; 0: no limit
 * @maxtime_us: longest call that is kept; 0: no limit; else never below @mintime_us
 * @logentries: size of the log; 0: not given, the caller's default
 * @nfuncs: functions in @funcs; 0: no function filter
 * @num: the numbers of the filters depth, pid and cpu
 * @nums: mask of those that are given
 * @noints: drop calls in interrupt context
 * @onlyints: drop calls NOT in interrupt context; never together with @noints
 * @funcs: the function list, in the order written, doubles included
 *
 * Some 4 KiB: not for a kernel stack. Written by kfi_conf_parse() and, as far as addresses and
 * defaults go, by its caller before the run is published; constant afterwards.
 */
struct kfi_conf {
	struct kfi_trigger start;
	struct kfi_trigger stop;
	u64 mintime_us;
	u64 maxtime_us;
	u32 logentries;
	u32 nfuncs;
	u32 num[KFI_NUMS];
	u32 nums;
	bool noints;
	bool onlyints;
	struct kfi_func funcs[KFI_CONF_FUNCS_MAX];
};

/**
 * struct kfi_conf_err - why a text was refused
 * @line: line, from 1
 * @col: byte of that line, from 1
 * @reason: NUL-terminated, printable, without newline
 */
struct kfi_conf_err {
	u32 line;
	u32 col;
	char reason[160];
};

/**
 * enum kfi_conf_cmd - what a write to /proc/kfi asks for
 * @KFI_CMD_NEW: a configuration: give the same text to kfi_conf_parse() with KFI_CONF_PROC
 * @KFI_CMD_PRIME: arm the run
 * @KFI_CMD_START: start it now
 * @KFI_CMD_STOP: stop it now
 */
enum kfi_conf_cmd {
	KFI_CMD_NEW,
	KFI_CMD_PRIME,
	KFI_CMD_START,
	KFI_CMD_STOP,
};

/**
 * enum kfi_conf_place - where in the language a keyword may stand
 * @KFI_AT_COMMAND: first word written to /proc/kfi
 * @KFI_AT_BLOCK: structure of a block
 * @KFI_AT_ITEM: begins an item
 * @KFI_AT_EDGE: after ``trigger``
 * @KFI_AT_KIND: after ``trigger start`` and ``trigger stop``
 * @KFI_AT_FILTER: after ``filter``
 */
enum kfi_conf_place {
	KFI_AT_COMMAND	= 1 << 0,
	KFI_AT_BLOCK	= 1 << 1,
	KFI_AT_ITEM	= 1 << 2,
	KFI_AT_EDGE	= 1 << 3,
	KFI_AT_KIND	= 1 << 4,
	KFI_AT_FILTER	= 1 << 5,
};

/**
 * struct kfi_conf_word - one keyword
 * @word: the word, exactly
 * @at: mask of enum kfi_conf_place
 * @alias: @word is an old spelling of another one: read, never printed
 * @later: recognised, and refused as not supported yet
 */
struct kfi_conf_word {
	const char *word;
	u8 at;
	bool alias;
	bool later;
};

/* Every keyword there is. No keyword can be a FUNC: such a function is given by its address. */
extern const struct kfi_conf_word kfi_conf_words[];
extern const u32 kfi_conf_nwords;

/**
 * kfi_conf_is_word() - is this a keyword
 * @word: first byte of a word, no NUL needed behind it
 * @len: its length
 *
 * Context: any.
 * Return: true for a word of kfi_conf_words[], aliases and words for later included.
 */
bool kfi_conf_is_word(const char *word, size_t len);

/**
 * kfi_func_is_addr() - was this FUNC written as a 0x address
 * @f: function of a parsed configuration
 *
 * Context: any.
 * Return: true for an address, false for a name (no name begins with a digit).
 */
static inline bool kfi_func_is_addr(const struct kfi_func *f)
{
	return f->len && f->name[0] == '0';
}

/**
 * kfi_conf_parse() - read one configuration
 * @c: where it goes; untouched on failure. The text is read twice, so no scratch is needed
 * @text: the text, which must outlive @c (names point into it) and need not end in NUL
 * @len: its length
 * @flags: KFI_CONF_ANY, KFI_CONF_STATIC or KFI_CONF_PROC
 * @err: why it failed; untouched on success
 *
 * Context: any; needs about 700 bytes of stack, takes time linear in @len.
 * Return: 0; -EINVAL for a wrong text; -E2BIG for an over-long text, name or list.
 */
int kfi_conf_parse(struct kfi_conf *c, const char *text, size_t len, unsigned int flags,
		   struct kfi_conf_err *err);

/**
 * typedef kfi_conf_func_fn - told about one FUNC by kfi_conf_walk()
 * @arg: as given to kfi_conf_walk()
 * @f: the function; f->name - text is its offset; gone after the call
 */
typedef void (*kfi_conf_func_fn)(void *arg, const struct kfi_func *f);

/**
 * kfi_conf_walk() - deliver each FUNC of a configuration, in the order of the text
 * @text: the text
 * @len: its length
 * @flags: as for kfi_conf_parse()
 * @fn: called for each FUNC; never called when the text is refused
 * @arg: first argument of @fn
 * @err: why it failed; untouched on success
 *
 * For programs that rewrite the functions of a text and keep its comments and layout.
 *
 * Context: any.
 * Return: as kfi_conf_parse().
 */
int kfi_conf_walk(const char *text, size_t len, unsigned int flags, kfi_conf_func_fn fn, void *arg,
		  struct kfi_conf_err *err);

/**
 * kfi_conf_command() - what does a write to /proc/kfi ask for
 * @text: what was written
 * @len: its length
 * @err: why it is none; untouched on success
 *
 * Exact words; only blanks, newlines and comments may stand around prime, start and stop. A text
 * that begins with ``begin`` is a KFI_CMD_NEW too, so that the parser can say what it lacks.
 *
 * Context: any.
 * Return: an enum kfi_conf_cmd, or -EINVAL, or -E2BIG for an over-long text.
 */
int kfi_conf_command(const char *text, size_t len, struct kfi_conf_err *err);

/**
 * kfi_conf_format() - print a configuration in its own language
 * @c: the configuration
 * @flags: KFI_CONF_BLOCK for a complete block, with KFI_CONF_PROC one that begins with ``new``;
 *         else only the items, as in the status
 * @buf: where to
 * @size: its size; at most @size - 1 bytes and a NUL are written
 *
 * One item a line, two blanks before it. mintime and maxtime are always there, a trigger not set is
 * a comment, logentries is there unless 0. A block can be parsed again, to the same meaning.
 *
 * Context: any.
 * Return: length of the whole text without NUL; it was cut when that is @size or more.
 */
size_t kfi_conf_format(const struct kfi_conf *c, unsigned int flags, char *buf, size_t size);

#endif /* KFI_CONF_H */
