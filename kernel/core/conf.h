/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The configuration language: one parser for kfistatic.conf, /proc/kfi and the tools.
 *
 * A configuration is accepted as a whole or rejected as a whole, with line, column and reason. The
 * parser does not know function addresses (the caller resolves names), does not allocate, and does
 * not change the text. Called by session/log.c, session/control.c, mkkfistatic and tools/sym2addr.
 * Documentation/config-language.rst describes the language.
 */
#ifndef KFI_CONF_H
#define KFI_CONF_H

#include "core/port.h"

/* Limits of the language; each is part of a message, a test and the page. */
#define KFI_CONF_TEXT_MAX	65536		/* bytes of one configuration */
#define KFI_CONF_BLOCKS_MAX	8		/* blocks in one text */
#define KFI_CONF_FUNCS_MAX	128		/* functions in the lists of one block */
#define KFI_CONF_NAME_MAX	511		/* bytes of one function name, as in the kernel */
#define KFI_CONF_ENTRIES_MAX	16777216	/* logentries */
#define KFI_CONF_FILTER_US_MAX	U32_MAX		/* mintime, maxtime: microseconds */
#define KFI_CONF_DEPTH_MAX	1023		/* filter depth */
#define KFI_CONF_PID_MAX	4194304		/* filter pid: as the kernel's own limit */
#define KFI_CONF_CPU_MAX	8191		/* filter cpu: the same */
#define KFI_CONF_MATCHES_MAX	262144		/* functions in all lists: 2 MB for kmalloc() */
#define KFI_CONF_STATIC_FUNCS	16384		/* functions that compiled-in patterns may match */
#define KFI_CONF_STATIC_LEAST	2048		/* room for functions of lists without a pattern */
#define KFI_CONF_WATCH_MAX	65536		/* watch: bytes of a kernel stack */
#define KFI_CONF_MARK_MAX	80		/* bytes of the text of a mark */
#define KFI_CONF_ARGS_MAX	10		/* record args: arguments of a call */
#define KFI_CONF_TRIGGER_US_MAX	9223372036854775ULL	/* trigger time: ns fit in s64 */

/**
 * enum kfi_func_kind - what a FUNC was written as
 * @KFI_FUNC_NAME: a name
 * @KFI_FUNC_ADDR: 0x and hex digits
 * @KFI_FUNC_PATTERN: a name with ``*``, ``?`` or ``[...]`` in it, for all functions it matches
 * @KFI_FUNC_MODULE: ``module:`` and a name or pattern, for all functions of those modules
 */
enum kfi_func_kind {
	KFI_FUNC_NAME,
	KFI_FUNC_ADDR,
	KFI_FUNC_PATTERN,
	KFI_FUNC_MODULE,
};

/**
 * enum kfi_conf_list - which list a FUNC stands in
 * @KFI_LIST_ONLY: ``filter funclist``: only calls of these
 * @KFI_LIST_EXCLUDE: ``filter exclude``: no calls of these
 * @KFI_LIST_UNDER: ``filter only under``: only calls of these and what runs below them
 * @KFI_LIST_RECORD: ``record``: arguments and return values of these; it drops no calls
 */
enum kfi_conf_list {
	KFI_LIST_ONLY,
	KFI_LIST_EXCLUDE,
	KFI_LIST_UNDER,
	KFI_LIST_RECORD,
	KFI_LISTS
};

/**
 * struct kfi_func - one FUNC of a configuration, with the place it was read from
 * @name: the word as written; points into the text, no NUL behind it
 * @addr: its address, 0 while unknown
 * @len: bytes of @name
 * @line: line of the text, from 1
 * @col: byte of the line, from 1
 * @kind: enum kfi_func_kind: what it was written as; in a trigger only a name or an address
 * @list: enum kfi_conf_list, for those that stand in a list
 * @resolved: @addr is valid; the parser sets it for 0x addresses, the caller for names
 */
struct kfi_func {
	const char *name;
	u64 addr;
	u32 len;
	u32 line;
	u32 col;
	u8 kind;
	u8 list;
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

/* Filters with one number: a limit of the depth, a pid, a cpu. */
enum kfi_conf_num {
	KFI_NUM_DEPTH,
	KFI_NUM_PID,
	KFI_NUM_CPU,
	KFI_NUMS
};

/**
 * enum kfi_conf_mode - what is recorded, and what becomes of a log that is full
 * @KFI_MODE_START: each call; a full log ends the session: the beginning is kept
 * @KFI_MODE_OVERWRITE: each call; a full log loses its oldest: the end is kept
 * @KFI_MODE_PROFILE: no calls: for each function how many there were, and how long they took
 */
enum kfi_conf_mode {
	KFI_MODE_START,
	KFI_MODE_OVERWRITE,
	KFI_MODE_PROFILE,
};

/**
 * enum kfi_conf_mark - what is marked in the log; bits of a mask
 * @KFI_MARKS_SWITCHES: switches of tasks
 * @KFI_MARKS_INITCALLS: initcalls and their levels
 * @KFI_MARKS_SYSCALLS: system calls
 * @KFI_MARKS_WAKEUPS: tasks that are woken, made, or execute a program
 * @KFI_MARKS_CALLERS: by what the function of a trigger was called
 */
enum kfi_conf_mark {
	KFI_MARKS_SWITCHES,
	KFI_MARKS_INITCALLS,
	KFI_MARKS_SYSCALLS,
	KFI_MARKS_WAKEUPS,
	KFI_MARKS_CALLERS,
	KFI_MARKS
};

/**
 * enum kfi_conf_watch - which stacks are reported
 * @KFI_WATCH_NONE: none
 * @KFI_WATCH_STACK: each with too few bytes free
 * @KFI_WATCH_WORST: each that is worse than all before
 */
enum kfi_conf_watch {
	KFI_WATCH_NONE,
	KFI_WATCH_STACK,
	KFI_WATCH_WORST,
};

/**
 * struct kfi_conf - one parsed run
 * @start: start trigger
 * @stop: stop trigger
 * @mintime_us: shortest call that is kept; 0: no limit
 * @maxtime_us: longest call that is kept; 0: no limit; else never below @mintime_us
 * @logentries: size of the log; 0: not given, the caller's default
 * @mode: what is recorded
 * @autorepeat: the stop trigger pauses the session, the start trigger resumes it
 * @marks: mask of enum kfi_conf_mark
 * @watch: which kernel stacks are reported
 * @watch_bytes: bytes free below which they are; 0 with KFI_WATCH_WORST: no limit
 * @args: how many arguments of the functions of ``record`` are recorded
 * @ret: their return values are recorded
 * @nfuncs: functions in @funcs
 * @num: the numbers of the filters depth, pid and cpu
 * @nums: mask of those that are given
 * @children: the filter pid also keeps calls of tasks that its task forks, and that these fork
 * @noints: drop calls in interrupt context
 * @onlyints: drop calls NOT in interrupt context; never together with @noints
 * @funcs: the functions of all lists, in the order written, doubles included
 *
 * 5 KiB: not for a kernel stack. Written by kfi_conf_parse_block() and, as far as addresses and
 * defaults go, by its caller before the session is published; constant afterwards.
 */
struct kfi_conf {
	struct kfi_trigger start;
	struct kfi_trigger stop;
	u64 mintime_us;
	u64 maxtime_us;
	u32 logentries;
	enum kfi_conf_mode mode;
	bool autorepeat;
	u32 marks;
	enum kfi_conf_watch watch;
	u32 watch_bytes;
	u32 args;
	bool ret;
	u32 nfuncs;
	u32 num[KFI_NUMS];
	u32 nums;
	bool children;
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
	char reason[192];
};

/**
 * kfi_conf_err_public() - Return an error as anybody may see it, as in the kernel log.
 * @err: why a text was refused
 *
 * Return: a copy that has "..." in the place of what may be an address.
 */
struct kfi_conf_err kfi_conf_err_public(const struct kfi_conf_err *err);

/**
 * enum kfi_conf_cmd - what a write to /proc/kfi asks for
 * @KFI_CMD_NEW: a configuration: give the same text to kfi_conf_parse_block()
 * @KFI_CMD_PRIME: arm the session
 * @KFI_CMD_START: start it now
 * @KFI_CMD_STOP: stop it now
 * @KFI_CMD_MARK: put a text into the log
 * @KFI_CMD_SELFTEST: test the recorder itself
 */
enum kfi_conf_cmd {
	KFI_CMD_NEW,
	KFI_CMD_PRIME,
	KFI_CMD_START,
	KFI_CMD_STOP,
	KFI_CMD_MARK,
	KFI_CMD_SELFTEST,
};

/**
 * struct kfi_conf_text - the text of a mark
 * @s: its first byte; points into what was written, no NUL behind it
 * @len: its bytes, 1..KFI_CONF_MARK_MAX
 */
struct kfi_conf_text {
	const char *s;
	u32 len;
};

/**
 * enum kfi_conf_place - where in the language a keyword may stand
 * @KFI_AT_COMMAND: first word written to /proc/kfi
 * @KFI_AT_BLOCK: structure of a block
 * @KFI_AT_ITEM: begins an item
 * @KFI_AT_EDGE: after ``trigger``
 * @KFI_AT_KIND: after ``trigger start`` and ``trigger stop``
 * @KFI_AT_FILTER: after ``filter``
 * @KFI_AT_ONLY: after ``filter only``
 * @KFI_AT_PID: after ``filter pid N``, where it need not be
 * @KFI_AT_MARK: after ``mark``, in a block
 * @KFI_AT_WATCH: after ``watch``
 * @KFI_AT_RECORD: after ``record``
 */
enum kfi_conf_place {
	KFI_AT_COMMAND	= 1 << 0,
	KFI_AT_BLOCK	= 1 << 1,
	KFI_AT_ITEM	= 1 << 2,
	KFI_AT_EDGE	= 1 << 3,
	KFI_AT_KIND	= 1 << 4,
	KFI_AT_FILTER	= 1 << 5,
	KFI_AT_ONLY	= 1 << 6,
	KFI_AT_MARK	= 1 << 7,
	KFI_AT_WATCH	= 1 << 8,
	KFI_AT_PID	= 1 << 9,
	KFI_AT_RECORD	= 1 << 10,
};

/**
 * struct kfi_conf_word - one keyword
 * @word: the word, exactly
 * @at: mask of enum kfi_conf_place
 * @alias: @word is an old spelling of another one: read, never printed
 * @later: recognised, and refused as not supported yet: the language has no more of it
 */
struct kfi_conf_word {
	const char *word;
	u16 at;
	bool alias;
	bool later;
};

/* Every keyword there is. No keyword can be a FUNC: such a function is given by its address. */
extern const struct kfi_conf_word kfi_conf_words[];

/* What a module's name is written behind. */
#define KFI_CONF_MODULE		"module:"

/**
 * kfi_conf_count() - Count the blocks of a text.
 * @text: the text
 * @len: its length
 * @err: why it failed; untouched on success
 *
 * Return: 1..KFI_CONF_BLOCKS_MAX, or as kfi_conf_parse_block().
 */
int kfi_conf_count(const char *text, size_t len, struct kfi_conf_err *err);

/**
 * kfi_conf_parse_block() - Read one block of a text; all of the text must be right.
 * @c: where it goes; untouched on failure. The text is read twice, so no scratch is needed
 * @text: the text, which must outlive @c (names point into it) and need not end in NUL
 * @len: its length
 * @n: number of the block, 0..kfi_conf_count() - 1
 * @err: why it failed; untouched on success
 *
 * Context: any; needs about 1 KiB of stack, takes time linear in @len.
 * Return: 0; -EINVAL for a wrong text; -E2BIG for an over-long text, name or list; -ENOENT, without
 * a reason, if there is no such block.
 */
int kfi_conf_parse_block(struct kfi_conf *c, const char *text, size_t len, u32 n,
			 struct kfi_conf_err *err);

/**
 * typedef kfi_conf_func_fn - receives a FUNC from kfi_conf_walk()
 * @arg: as given to kfi_conf_walk()
 * @f: the function; f->name - text is its offset; gone after the call
 */
typedef void (*kfi_conf_func_fn)(void *arg, const struct kfi_func *f);

/**
 * kfi_conf_walk() - Deliver each FUNC of a text, of all blocks, in the order of the text.
 * @text: the text
 * @len: its length
 * @fn: called for each FUNC; never called when the text is rejected
 * @arg: first argument of @fn
 * @err: why it failed; untouched on success
 *
 * For programs that rewrite the functions of a text and keep its comments and layout.
 *
 * Return: as kfi_conf_parse_block().
 */
int kfi_conf_walk(const char *text, size_t len, kfi_conf_func_fn fn, void *arg,
		  struct kfi_conf_err *err);

/**
 * kfi_conf_command() - Find out what a write to /proc/kfi asks for.
 * @text: what was written
 * @len: its length
 * @mark: filled for KFI_CMD_MARK; untouched otherwise
 * @err: why it is none; untouched on success
 *
 * Exact words; only blanks, newlines and comments may stand around prime, start, stop and selftest,
 * and behind the line of a mark. A text that begins with ``new`` or ``begin`` is a KFI_CMD_NEW,
 * whatever follows.
 *
 * Return: an enum kfi_conf_cmd, or -EINVAL, or -E2BIG for an over-long text or mark.
 */
int kfi_conf_command(const char *text, size_t len, struct kfi_conf_text *mark,
		     struct kfi_conf_err *err);

/**
 * enum kfi_conf_first - the first word of a text
 * @KFI_FIRST_NONE: there is none: blanks and comments
 * @KFI_FIRST_BEGIN: ``begin`` or ``new``
 * @KFI_FIRST_OTHER: anything else
 */
enum kfi_conf_first {
	KFI_FIRST_NONE,
	KFI_FIRST_BEGIN,
	KFI_FIRST_OTHER,
};

/**
 * kfi_conf_first() - Return what a text begins with.
 * @text: the text
 * @len: its length
 *
 * Return: the kind of its first word.
 */
enum kfi_conf_first kfi_conf_first(const char *text, size_t len);

/**
 * kfi_conf_rest_of_comment() - Return how much of a text goes on a comment of the text before it.
 * @before: what has been written so far
 * @blen: its length
 * @text: what follows
 * @len: its length
 *
 * Return: bytes of @text, without the newline; 0 if @before does not end in a comment.
 */
size_t kfi_conf_rest_of_comment(const char *before, size_t blen, const char *text, size_t len);

/**
 * kfi_conf_is_begun() - Check whether a text is the beginning of a configuration.
 * @text: what has been written so far
 * @len: its length
 *
 * Return: true if it is no whole configuration, but may become one by what follows: what it is
 * rejected for is its end, or its last word, which may go on unless it is ``end``.
 */
bool kfi_conf_is_begun(const char *text, size_t len);

/**
 * kfi_conf_format() - Print the items of a configuration in its own language.
 * @c: the configuration
 * @buf: where to
 * @size: its size; at most @size - 1 bytes and a NUL are written
 *
 * One item a line, two blanks before it. mintime and maxtime are always there, a trigger not set is
 * a comment, logentries is there unless 0. Between ``begin`` and ``end`` the items can be parsed
 * again, to the same meaning.
 *
 * Return: length of the whole text without NUL; it was cut when that is @size or more.
 */
size_t kfi_conf_format(const struct kfi_conf *c, char *buf, size_t size);

/**
 * kfi_match() - Return true if a whole name matches a pattern.
 * @pattern: a pattern or a name that the parser has taken; no NUL needed behind it
 * @len: its length
 * @name: the name, with NUL
 *
 * Context: any; takes time linear in the length of @name but for patterns with several ``*``.
 * Return: true if it does.
 */
bool kfi_match(const char *pattern, u32 len, const char *name);

/**
 * kfi_match_module() - Return true if a FUNC of the kind KFI_FUNC_MODULE stands for a module.
 * @f: the FUNC
 * @name: name of the module, with NUL
 *
 * Return: true if it is.
 */
static inline bool kfi_match_module(const struct kfi_func *f, const char *name)
{
	const u32 prefix = sizeof(KFI_CONF_MODULE) - 1;

	return kfi_match(f->name + prefix, f->len - prefix, name);
}

#endif /* KFI_CONF_H */
