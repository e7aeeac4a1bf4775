/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A raw log as lines of printable characters, for a serial console: compact, numbered, each with a
 * checksum, and each readable if others are lost. Documentation/format-serial.rst describes them.
 *
 *	~ 10 digits: checksum, number, id, last | digits: items |
 *	       two digits of base 91: 13 bits      a bit stream of the range coder
 *
 * One model of a log, in serial.c, serves both directions: it codes an item if the state writes,
 * and fills it if the state reads. All it has learnt is forgotten where a line begins, but for the
 * table of functions and call sites: a line says how many entries that had. Allocates nothing and
 * takes no lock, so it can be used in a panic.
 */
#ifndef KFI_SERIAL_H
#define KFI_SERIAL_H

#include "kfi_abi.h"
#include "core/port.h"
#include "core/rec.h"

#define KFI_SERIAL_VERSION	1

#define KFI_SERIAL_BEGIN	'~'
#define KFI_SERIAL_END		'|'
#define KFI_SERIAL_ZERO		'!'	/* the lowest of the digits, which end below the frame */
#define KFI_SERIAL_BASE		91
#define KFI_SERIAL_PAIR_BITS	13
#define KFI_SERIAL_HEAD_DIGITS	10

#define KFI_SERIAL_SEQ_BITS	20
#define KFI_SERIAL_ID_BITS	12

/* Bytes of a line's items: a line ends with the item that reaches the first; the longest item. */
#define KFI_SERIAL_FULL		512
#define KFI_SERIAL_ITEM_MAX	2816
#define KFI_SERIAL_BYTES_MAX	(KFI_SERIAL_FULL + KFI_SERIAL_ITEM_MAX)

/*
 * Bytes of a raw log that a line stands for: it ends with the item that reaches the first; what
 * stands for more than the second is no line.
 */
#define KFI_SERIAL_STANDS_FULL	8192
#define KFI_SERIAL_STANDS_MAX	(KFI_SERIAL_STANDS_FULL + 4 * KFI_SERIAL_ZEROS_MAX)
#define KFI_SERIAL_ZEROS_MAX	1024	/* words of 0 in an item */

/*
 * Characters of a line with its frame, without newline and NUL. The items of the longest line end
 * with a pair of digits: kfi_serial_frame() relies on that.
 */
#define KFI_SERIAL_LINE_MAX	\
	(2 + KFI_SERIAL_HEAD_DIGITS + 2 * (KFI_SERIAL_BYTES_MAX * 8 / KFI_SERIAL_PAIR_BITS))
static_assert(KFI_SERIAL_BYTES_MAX * 8 % KFI_SERIAL_PAIR_BITS == 0);

/* Entries of the table of functions and call sites: a power of two of these. */
#define KFI_SERIAL_DEFS_MIN	256
#define KFI_SERIAL_DEFS_MAX	32768

enum kfi_serial_kind {
	KFI_SERIAL_RECORD,	/* a record of a chunk; the other kinds have numbers in lines */
	KFI_SERIAL_LINE_END,	/* no more items in this line */
	KFI_SERIAL_HEAD,	/* struct kfi_raw_head */
	KFI_SERIAL_PART,	/* a part of which BYTES follow */
	KFI_SERIAL_BYTES,
	KFI_SERIAL_CHUNK,	/* a chunk of which RECORD, WORDS and ZEROS follow */
	KFI_SERIAL_WORDS,	/* words that are no record */
	KFI_SERIAL_ZEROS,
	KFI_SERIAL_OPENS,	/* a part of which OPEN follow */
	KFI_SERIAL_OPEN,	/* struct kfi_raw_open */
	KFI_SERIAL_ROWS,	/* struct kfi_raw_end */
	KFI_SERIAL_LAST,	/* all logs are sent */
	KFI_SERIAL_SUMS,	/* a part of which SUM follow */
	KFI_SERIAL_SUM,		/* struct kfi_prof_sum */
	KFI_SERIAL_KINDS
};

/**
 * struct kfi_serial_item - a piece of a raw log
 * @kind: what it is
 * @n: words in @w, bytes in @bytes, or zeros
 * @cpu: of a chunk
 * @part: kind of a part
 * @size: bytes of a part, words of a chunk
 * @base: of a chunk; rows of the end
 * @unknown: when read: what of a call is unknown, as in struct kfi_serial_def
 * @w: words, as numbers
 * @bytes: bytes, as they are in the raw log
 * @sum: a function of a profile, as numbers
 */
struct kfi_serial_item {
	enum kfi_serial_kind kind;
	u32 n;
	u32 cpu;
	u32 part;
	u32 size;
	u64 base;
	u32 unknown;
	u32 w[KFI_REC_WORDS_MAX];
	u8 bytes[64];
	struct kfi_prof_sum sum;
};

/* What of a call is unknown, where the line that defines it is lost, or one that it is near to. */
#define KFI_SERIAL_NO_FUNC	1u
#define KFI_SERIAL_NO_SITE	2u
#define KFI_SERIAL_NO_CALL	(KFI_SERIAL_NO_FUNC | KFI_SERIAL_NO_SITE)

/**
 * struct kfi_serial_def - an entry of the table
 * @func: function, as in the record
 * @site: call site
 * @unknown: what of it is unknown: KFI_SERIAL_NO_FUNC, KFI_SERIAL_NO_SITE
 */
struct kfi_serial_def {
	u32 func;
	u32 site;
	u32 unknown;
};

/* A probability: 12 bits of it, and 4 bits that count how often it was adapted. */
typedef u16 kfi_serial_prob;

#define KFI_SERIAL_STEPS	8

/**
 * struct kfi_serial_num - how numbers of one sort are coded: the class, that is the number of bits,
 * by its distance from the mean class, then the bits
 * @mean: of the classes so far, times 16
 * @not_zero: of numbers that are often 0
 * @negative: of signed numbers
 * @differs: the class is not the mean
 * @below: it is below the mean
 * @stop: the distance is reached: above and below the mean, by distance
 */
struct kfi_serial_num {
	s16 mean;
	kfi_serial_prob not_zero;
	kfi_serial_prob negative;
	kfi_serial_prob differs;
	kfi_serial_prob below;
	kfi_serial_prob stop[2][KFI_SERIAL_STEPS];
};

/* Sorts of numbers; those of words are chosen by the place of the word. */
#define KFI_SERIAL_WORD_NUMS	8
enum kfi_serial_num_of {
	KFI_SERIAL_LOGS,
	KFI_SERIAL_PARTS,
	KFI_SERIAL_DEFS,
	KFI_SERIAL_CPU,
	KFI_SERIAL_TIME,
	KFI_SERIAL_SIZE,
	KFI_SERIAL_PID,
	KFI_SERIAL_REF,
	KFI_SERIAL_SITE_NEAR,
	KFI_SERIAL_SITE_FAR,
	KFI_SERIAL_FUNC_NEAR,
	KFI_SERIAL_FUNC_FAR,
	KFI_SERIAL_DEPTH,
	KFI_SERIAL_LEAD,
	KFI_SERIAL_TAIL,
	KFI_SERIAL_GAP,
	KFI_SERIAL_DURATION,
	KFI_SERIAL_REST,
	KFI_SERIAL_REST_LEAF,
	KFI_SERIAL_OFF,
	KFI_SERIAL_IRQ,
	KFI_SERIAL_EVENT_TIME,
	KFI_SERIAL_SUM_FUNC,
	KFI_SERIAL_SUM_COUNT,
	KFI_SERIAL_SUM_TOTAL,
	KFI_SERIAL_SUM_LOCAL,
	KFI_SERIAL_SUM_OFF,
	KFI_SERIAL_SUM_IRQ,
	KFI_SERIAL_SUM_MAX,
	KFI_SERIAL_SUM_MIN,
	KFI_SERIAL_SUM_UNTIMED,
	KFI_SERIAL_WORD,
	KFI_SERIAL_NUMS = KFI_SERIAL_WORD + KFI_SERIAL_WORD_NUMS
};

/* Depths that are told apart; events that are remembered. */
#define KFI_SERIAL_LEVELS	64
#define KFI_SERIAL_EVENTS	8

/**
 * struct kfi_serial_level - calls at one depth that have returned, and whose caller has not
 * @valid: there are any
 * @unknown: when read: @site is not known, because a line is lost
 * @site: call site of the last one
 * @first: entry of the first one
 * @below: what they took, without @off and @irq: of tasks, of interrupts
 * @off: what they were switched out
 * @irq: what interrupts took of them
 */
struct kfi_serial_level {
	bool valid;
	bool unknown;
	u32 site;
	u64 first;
	s64 below[2];
	s64 off;
	s64 irq;
};

/**
 * struct kfi_serial_learnt - all that is forgotten where a line begins
 * @num: sorts of numbers
 * @same_form: a record has the form of the one before
 * @form: else: its form, bit by bit
 * @kind: kind of an item, bit by bit
 * @same_task: context, marks and pid are those of the record before
 * @ctx: else: context and marks, bit by bit
 * @new_def: function and call site are not in the table yet
 * @has_below: a packed record says how many calls below have no record
 * @is_event: a long record is an event
 * @same_word: a word is that of an event before, by its place
 * @zero_word: a word is 0: as above
 * @byte: a byte, bit by bit
 * @level: calls that have returned
 * @event: the last events
 * @events: how many they are
 * @w0: first word of the record before, without its form
 * @last_form: its form
 * @depth: its depth
 * @ref: its entry in the table
 * @site: call site that was defined last
 * @unknown: when read: that one is not known
 * @sum: function of a profile that was last
 */
struct kfi_serial_learnt {
	struct kfi_serial_num num[KFI_SERIAL_NUMS];
	kfi_serial_prob same_form;
	kfi_serial_prob form[32];
	kfi_serial_prob kind[16];
	kfi_serial_prob same_task;
	kfi_serial_prob ctx[32];
	kfi_serial_prob new_def;
	kfi_serial_prob has_below;
	kfi_serial_prob is_event;
	kfi_serial_prob same_word[KFI_SERIAL_WORD_NUMS];
	kfi_serial_prob zero_word[KFI_SERIAL_WORD_NUMS];
	kfi_serial_prob byte[256];
	struct kfi_serial_level level[KFI_SERIAL_LEVELS];
	u32 event[KFI_SERIAL_EVENTS][KFI_REC_WORDS_MAX];
	u32 events;
	u32 w0;
	u32 last_form;
	u32 depth;
	u32 ref;
	u32 site;
	bool unknown;
	struct kfi_prof_sum sum;
};

/**
 * struct kfi_serial - state of a transmission, to write or to read it
 * @write: where a line goes, with its newline; NULL: the state reads
 * @arg: its first argument
 * @def: the table
 * @hash: to write: indices of entries, plus 1; 2 * @max_defs of them
 * @max_defs: entries that fit; to read: as many as the writer has, once its head is read
 * @ndefs: entries there are
 * @seq: number of the line
 * @id: of the transmission
 * @in_line: the line has begun
 * @swap: the raw log has the other byte order
 * @move: to write: how addresses in records are shown; set after kfi_serial_init()
 * @logs: heads so far
 * @parts: heads and parts so far
 * @cpu: of the chunk
 * @base: of the chunk
 * @time: of the last record: raw count
 * @low: of the range coder: lower end of what is possible
 * @range: of the range coder: its size
 * @code: to read: what the line has, from @low on
 * @at: bytes in @bytes, or those that were read
 * @len: to read: bytes in @bytes
 * @stands: bytes of a raw log that the line stands for
 * @bad: to read: what cannot be; to write: there are no more numbers for lines
 * @before: stands before the bytes in the checksum
 * @bytes: items of the line
 * @line: to write: the line as text
 * @now: what was learnt in this line
 */
struct kfi_serial {
	void (*write)(void *arg, u32 seq, const char *line, u32 len);
	void *arg;
	struct kfi_serial_def *def;
	u16 *hash;
	u32 max_defs;
	u32 ndefs;
	u32 seq;
	u32 id;
	bool in_line;
	bool swap;
	struct kfi_move move;
	u32 logs;
	u32 parts;
	u32 cpu;
	u64 base;
	u64 time;
	u32 low;
	u32 range;
	u32 code;
	u32 at;
	u32 len;
	u32 stands;
	bool bad;
	u8 before[8];
	u8 bytes[KFI_SERIAL_BYTES_MAX];
	char line[KFI_SERIAL_LINE_MAX + 2];
	struct kfi_serial_learnt now;
};

/**
 * kfi_serial_memory() - Return how much memory a table takes.
 * @max_defs: entries, a power of two within KFI_SERIAL_DEFS_MIN and KFI_SERIAL_DEFS_MAX
 *
 * Return: bytes.
 */
static inline size_t kfi_serial_memory(u32 max_defs)
{
	return max_defs * (sizeof(struct kfi_serial_def) + 2 * sizeof(u16));
}

/**
 * kfi_serial_init() - Begin a transmission, or to read one.
 * @s: the state
 * @max_defs: entries of the table
 * @memory: kfi_serial_memory() bytes, aligned to 4; what they hold does not matter
 * @write: gets each line; NULL: to read
 * @arg: its first argument
 */
void kfi_serial_init(struct kfi_serial *s, u32 max_defs, void *memory,
		     void (*write)(void *arg, u32 seq, const char *line, u32 len), void *arg);

/* ---- writing ---- */

/**
 * kfi_serial_log() - Write a piece of a raw log.
 * @s: the state
 * @raw: a head with the part behind it, or some whole parts, each with its zeros and its checksum,
 *	which is not looked at
 * @bytes: bytes of that
 *
 * Return: false if that is no such piece, or there are too many lines; nothing more may be written
 * then.
 */
bool kfi_serial_log(struct kfi_serial *s, const void *raw, u32 bytes);

/**
 * kfi_serial_part() - Write a part; kfi_serial_log() does so by itself.
 * @s: the state
 * @kind: enum kfi_raw_kind
 * @p: what follows struct kfi_raw_part, aligned to four bytes
 * @bytes: bytes of that, without zeros and checksum
 */
void kfi_serial_part(struct kfi_serial *s, u32 kind, const void *p, u32 bytes);

/**
 * kfi_serial_chunk() - Write a chunk; kfi_serial_log() does so by itself.
 * @s: the state
 * @c: what stands before its words
 * @words: the words
 */
void kfi_serial_chunk(struct kfi_serial *s, const struct kfi_raw_chunk *c, const u32 *words);

/**
 * kfi_serial_last() - Write the end of the transmission.
 * @s: the state
 *
 * Return: false if there are too many lines: it is not written.
 */
bool kfi_serial_last(struct kfi_serial *s);

/* ---- reading ---- */

/**
 * struct kfi_serial_frame - what is known of a line without its items
 * @seq: its number
 * @id: of its transmission
 * @last: it is the last one
 * @len: bytes of its items
 */
struct kfi_serial_frame {
	u32 seq;
	u32 id;
	bool last;
	u32 len;
};

/**
 * kfi_serial_frame() - Check a line.
 * @text: its digits, without KFI_SERIAL_BEGIN and KFI_SERIAL_END
 * @len: how many
 * @f: filled
 * @bytes: KFI_SERIAL_BYTES_MAX + 8 bytes; the items are put at 8
 *
 * Return: false if it is damaged, or no such line.
 */
bool kfi_serial_frame(const char *text, u32 len, struct kfi_serial_frame *f, u8 *bytes);

/**
 * kfi_serial_begin() - Begin to read the items of a line; @s->logs, @s->parts, @s->cpu and @s->time
 * are those where the line begins.
 * @s: the state
 * @bytes: the items
 * @len: bytes of them, at most KFI_SERIAL_BYTES_MAX
 *
 * Return: false if that cannot be.
 */
bool kfi_serial_begin(struct kfi_serial *s, const u8 *bytes, u32 len);

/**
 * kfi_serial_read() - Read the next item of a line.
 * @s: the state; after lines that are lost @s->base must be set before a record is read
 * @item: filled
 *
 * Return: false if what is there makes no sense.
 */
bool kfi_serial_read(struct kfi_serial *s, struct kfi_serial_item *item);

#endif /* KFI_SERIAL_H */
