/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One pass of the parser over a text, shared by the files of the grammar.
 *
 * Internal to core/conf.c and core/conf_filter.c. The language's interface is core/conf.h.
 */
#ifndef KFI_CONF_PARSE_H
#define KFI_CONF_PARSE_H

#include "core/conf_tok.h"

/* Items of a block that may be given once. */
enum kfi_once {
	KFI_ONCE_START,
	KFI_ONCE_STOP,
	KFI_ONCE_MINTIME,
	KFI_ONCE_MAXTIME,
	KFI_ONCE_NOINTS,
	KFI_ONCE_ONLYINTS,
	KFI_ONCE_ENTRIES,
	KFI_ONCE_OVERWRITE,
	KFI_ONCE_PROFILE,
	KFI_ONCE_AUTOREPEAT,
	KFI_ONCE_WATCH,
	KFI_ONCE_MARK,				/* one for each enum kfi_conf_mark */
	KFI_ONCE_NUM = KFI_ONCE_MARK + KFI_MARKS,	/* one for each enum kfi_conf_num */
	KFI_ONCE_COUNT = KFI_ONCE_NUM + KFI_NUMS,
};

/**
 * struct kfi_block - what is known of the block that is being read
 * @begun: line of its begin
 * @trig: start and stop trigger
 * @mintime: as in struct kfi_conf
 * @maxtime: likewise
 * @entries: logentries
 * @watch: which stacks are reported
 * @watch_bytes: as in struct kfi_conf
 * @num: the numbers of the filters depth, pid and cpu
 * @nfuncs: functions of all lists
 * @given: line of each item that may be given once; 0: not given
 *
 * All that struct kfi_conf holds apart from its long array, which is filled directly.
 */
struct kfi_block {
	u32 begun;
	struct kfi_trigger trig[2];
	u64 mintime;
	u64 maxtime;
	u64 entries;
	enum kfi_conf_watch watch;
	u64 watch_bytes;
	u64 num[KFI_NUMS];
	u32 nfuncs;
	u32 given[KFI_ONCE_COUNT];
};

/**
 * struct kfi_parse - one pass over a text
 * @scan: where it is
 * @tok: the token not yet consumed
 * @err: filled when the text is refused
 * @flags: enum kfi_conf_flags
 * @b: the block that is being read
 * @nblocks: blocks begun
 * @want: the block that goes to @out
 * @out: where to; NULL in the checking pass
 * @fn: told about each FUNC; NULL: nobody
 * @arg: first argument of @fn
 */
struct kfi_parse {
	struct kfi_scan scan;
	struct kfi_tok tok;
	struct kfi_conf_err *err;
	unsigned int flags;
	struct kfi_block b;
	u32 nblocks;
	u32 want;
	struct kfi_conf *out;
	kfi_conf_func_fn fn;
	void *arg;
};

/**
 * kfi_parse_next() - consume the current token
 * @p: the pass
 *
 * Context: any.
 * Return: 0, or -EINVAL if the next one cannot be read.
 */
static inline int kfi_parse_next(struct kfi_parse *p)
{
	return kfi_scan_next(&p->scan, &p->tok, p->err);
}

/**
 * kfi_parse_fail() - refuse the current token
 * @p: the pass
 * @num: number or mask for @reason
 * @reason: as for kfi_conf_fail()
 *
 * Context: any.
 * Return: -EINVAL.
 */
static inline int kfi_parse_fail(struct kfi_parse *p, u64 num, const char *reason)
{
	return kfi_conf_fail(p->err, &p->tok, num, reason);
}

/**
 * kfi_parse_place() - may the current token stand at this place, as far as the recorder goes
 * @p: the pass
 * @place: the place
 *
 * Context: any.
 * Return: 0, or -EINVAL for a word that is none of this place, or not supported yet.
 */
int kfi_parse_place(struct kfi_parse *p, enum kfi_conf_place place);

/**
 * kfi_parse_once() - note an item that may be given once
 * @p: the pass; the current token is the item's
 * @item: which
 *
 * Context: any.
 * Return: 0, or -EINVAL if it was given before.
 */
int kfi_parse_once(struct kfi_parse *p, enum kfi_once item);

/**
 * kfi_parse_func() - consume the FUNC that must stand here
 * @p: the pass
 * @many: as for kfi_tok_func()
 * @f: filled
 *
 * Context: any.
 * Return: 0, -EINVAL, or -E2BIG for an over-long name.
 */
int kfi_parse_func(struct kfi_parse *p, bool many, struct kfi_func *f);

/**
 * kfi_parse_filter() - consume what follows the word filter
 * @p: the pass
 *
 * Context: any.
 * Return: 0, -EINVAL, or -E2BIG for too many functions.
 */
int kfi_parse_filter(struct kfi_parse *p);

#endif /* KFI_CONF_PARSE_H */
