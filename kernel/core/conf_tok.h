/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words, numbers and reasons: what the parser of the configuration language is built of.
 *
 * Internal to conf_*.c; conf.h is the interface of the language.
 */
#ifndef KFI_CONF_TOK_H
#define KFI_CONF_TOK_H

#include "core/conf.h"

/* Index into kfi_conf_words[]; the order is that in which messages list what is expected. */
enum kfi_word_id {
	KFI_W_NEW,
	KFI_W_PRIME,
	KFI_W_START,
	KFI_W_STOP,
	KFI_W_SELFTEST,
	KFI_W_BEGIN,
	KFI_W_FEND,
	KFI_W_TRIGGER,
	KFI_W_FILTER,
	KFI_W_OVERWRITE,
	KFI_W_PROFILE,
	KFI_W_AUTOREPEAT,
	KFI_W_MARK,
	KFI_W_WATCH,
	KFI_W_RECORD,
	KFI_W_LOGENTRIES,
	KFI_W_LOGSIZE,
	KFI_W_END,
	KFI_W_ENTRY,
	KFI_W_EXIT,
	KFI_W_MINTIME,
	KFI_W_MAXTIME,
	KFI_W_NOINTS,
	KFI_W_NOINT,
	KFI_W_ONLYINTS,
	KFI_W_ONLYINT,
	KFI_W_FUNCLIST,
	KFI_W_TIME,
	KFI_W_UNTIMED,
	KFI_W_TRACETYPE,
	KFI_W_DEPTH,
	KFI_W_PID,
	KFI_W_CPU,
	KFI_W_EXCLUDE,
	KFI_W_ONLY,
	KFI_W_UNDER,
	KFI_W_CHILDREN,
	KFI_W_SWITCHES,
	KFI_W_INITCALLS,
	KFI_W_SYSCALLS,
	KFI_W_WAKEUPS,
	KFI_W_CALLERS,
	KFI_W_STACK,
	KFI_W_WORST_STACK,
	KFI_W_ARGS,
	KFI_W_RET,
	KFI_W_COUNT,
	KFI_W_NONE = KFI_W_COUNT,
};

/**
 * struct kfi_tok - one token: a word, a comma, or the end of the text
 * @s: its first byte; at the end of the text one behind the last
 * @len: its bytes; 0: the end of the text
 * @line: its line, from 1
 * @col: its column in bytes, from 1
 * @word: which keyword it is; KFI_W_NONE: none
 */
struct kfi_tok {
	const char *s;
	u32 len;
	u32 line;
	u32 col;
	enum kfi_word_id word;
};

/**
 * struct kfi_scan - reading position in a text
 * @text: the text
 * @len: its length
 * @pos: offset of the next byte to look at
 * @line: its line
 * @col: its column
 */
struct kfi_scan {
	const char *text;
	u32 len;
	u32 pos;
	u32 line;
	u32 col;
};

/**
 * struct kfi_conf_out - bounded text under construction
 * @buf: where to
 * @size: its size
 * @len: what has been put so far, whether it fitted or not
 */
struct kfi_conf_out {
	char *buf;
	size_t size;
	size_t len;
};

/**
 * kfi_conf_put() - append bytes
 * @o: the text; stays NUL-terminated if its size is not 0
 * @s: bytes
 * @len: how many
 */
void kfi_conf_put(struct kfi_conf_out *o, const char *s, size_t len);

/**
 * kfi_conf_puts() - append a string
 * @o: the text
 * @s: string, with NUL
 */
void kfi_conf_puts(struct kfi_conf_out *o, const char *s);

/**
 * kfi_conf_putu() - append a number in decimal
 * @o: the text
 * @v: number
 */
void kfi_conf_putu(struct kfi_conf_out *o, u64 v);

/**
 * kfi_conf_fail() - set the reason and the place at which a text is rejected
 * @err: filled
 * @at: the token at fault; its place becomes the place of the error
 * @num: number or mask for @reason
 * @reason: where ``@`` stands for the quoted token, ``%`` for @num in decimal, ``$`` for @num as
 *	a byte in hex, ``&`` for the keywords that may stand at the enum kfi_conf_place @num
 *
 * Return: -EINVAL.
 */
int kfi_conf_fail(struct kfi_conf_err *err, const struct kfi_tok *at, u64 num, const char *reason);

/**
 * kfi_scan_init() - begin to read a text
 * @s: filled
 * @text: the text
 * @len: its length
 * @err: why not
 *
 * Return: 0, or -E2BIG.
 */
int kfi_scan_init(struct kfi_scan *s, const char *text, size_t len, struct kfi_conf_err *err);

/**
 * kfi_scan_next() - read the next token, past blanks and comments
 * @s: reading position, advanced
 * @t: filled
 * @err: why not
 *
 * Return: 0, or -EINVAL at a byte that no text may contain.
 */
int kfi_scan_next(struct kfi_scan *s, struct kfi_tok *t, struct kfi_conf_err *err);

/**
 * kfi_scan_line() - take the rest of the line as it is
 * @s: reading position, advanced to the end of the line
 * @t: filled: the rest of the line without blanks around it; its length may be 0
 * @err: why not
 *
 * Return: 0, or -EINVAL at a byte that is not printable.
 */
int kfi_scan_line(struct kfi_scan *s, struct kfi_tok *t, struct kfi_conf_err *err);

/**
 * kfi_tok_number() - decimal number of a token
 * @t: the token
 * @unit: accept the endings us, ms and s, and count in microseconds
 * @min: smallest value accepted
 * @max: greatest value accepted
 * @v: filled, untouched on failure
 * @err: why not
 *
 * Return: 0 or -EINVAL.
 */
int kfi_tok_number(const struct kfi_tok *t, bool unit, u64 min, u64 max, u64 *v,
		   struct kfi_conf_err *err);

/**
 * kfi_tok_is() - compare the bytes of a token with a word
 * @s: first byte of the token
 * @len: its length
 * @word: the word, with NUL
 *
 * Return: true if they are the same.
 */
bool kfi_tok_is(const char *s, size_t len, const char *word);

/**
 * kfi_tok_func() - the FUNC that a token is
 * @t: the token
 * @many: a pattern or the name of a module is right, too: it stands in a list
 * @f: filled but for its list, untouched on failure
 * @err: why not
 *
 * Return: 0, -EINVAL, or -E2BIG for an over-long name.
 */
int kfi_tok_func(const struct kfi_tok *t, bool many, struct kfi_func *f, struct kfi_conf_err *err);

#endif /* KFI_CONF_TOK_H */
