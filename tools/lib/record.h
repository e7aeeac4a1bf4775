/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The record of a boot: kd --record writes one line of JSON for each boot.
 *
 *	kfi, version			"record" and KFI_RECORD_VERSION
 *	board, boot, ... total_ns	texts and numbers; null if unknown
 *	phase.name, phase.entry_ns ...	a list by columns: elements at an index make a row
 *
 * The keys of a list are those of a Nested structure of ClickHouse. Documentation/fleet.rst
 * describes all keys. Called by kd.
 */
#ifndef KFI_RECORD_H
#define KFI_RECORD_H

#include "err.h"
#include "hash.h"
#include "kfi_port_host.h"
#include "out.h"

/* Changes when a key changes its meaning or is removed; not when a key is added. */
#define KFI_RECORD_VERSION	1

/**
 * enum kfi_record_text - texts of a record
 */
enum kfi_record_text {
	KFI_RECORD_BOARD,
	KFI_RECORD_BOOT,
	KFI_RECORD_BUILD,
	KFI_RECORD_ARCH,
	KFI_RECORD_CONFIG,
	KFI_RECORD_LOG,
	KFI_RECORD_KERNEL,
	KFI_RECORD_BUILD_ID,
	KFI_RECORD_CLOCK,
	KFI_RECORD_FILTERS,
	KFI_RECORD_END_BY,
	KFI_RECORD_TEXTS
};

/**
 * enum kfi_record_number - numbers of a record; negative: unknown
 */
enum kfi_record_number {
	KFI_RECORD_TIME,
	KFI_RECORD_RUN,
	KFI_RECORD_CALLS,
	KFI_RECORD_FILTERED,
	KFI_RECORD_LOST,
	KFI_RECORD_MARKS_LOST,
	KFI_RECORD_LEFT_OUT,
	KFI_RECORD_COMPLETE,
	KFI_RECORD_TOTAL,
	KFI_RECORD_NUMBERS
};

/**
 * enum kfi_record_lists - lists of a record
 * @KFI_RECORD_PHASES: text: name; numbers: entry, length
 * @KFI_RECORD_PATH: the critical path. Texts: kind, function; numbers: entry, length
 * @KFI_RECORD_FUNCS: text: name; numbers: count, total, self, max
 */
enum kfi_record_lists {
	KFI_RECORD_PHASES,
	KFI_RECORD_PATH,
	KFI_RECORD_FUNCS,
	KFI_RECORD_LISTS
};

#define KFI_RECORD_ROW_TEXTS	2
#define KFI_RECORD_ROW_NUMBERS	4

/* Columns of numbers. */
enum { KFI_RECORD_ENTRY, KFI_RECORD_LENGTH };
enum { KFI_RECORD_COUNT, KFI_RECORD_TOTAL_NS, KFI_RECORD_SELF_NS, KFI_RECORD_MAX_NS };
/* Columns of texts. */
enum { KFI_RECORD_NAME };
enum { KFI_RECORD_KIND, KFI_RECORD_FUNCTION };

/**
 * struct kfi_record_row - an element of a list
 * @text: numbers of the texts in @names of the record, KFI_NONE: unknown
 * @number: numbers, negative: unknown
 */
struct kfi_record_row {
	u32 text[KFI_RECORD_ROW_TEXTS];
	s64 number[KFI_RECORD_ROW_NUMBERS];
};

/**
 * struct kfi_record_list - a list
 * @row: its elements
 * @n: how many
 * @room: for how many there is room
 */
struct kfi_record_list {
	struct kfi_record_row *row;
	u32 n;
	u32 room;
};

/**
 * struct kfi_record - a record
 * @names: all texts
 * @text: by enum kfi_record_text: number of a text, KFI_NONE: unknown
 * @number: by enum kfi_record_number
 * @list: by enum kfi_record_lists
 */
struct kfi_record {
	struct kfi_names names;
	u32 text[KFI_RECORD_TEXTS];
	s64 number[KFI_RECORD_NUMBERS];
	struct kfi_record_list list[KFI_RECORD_LISTS];
};

/**
 * kfi_record_init() - make a record in which nothing is known
 * @r: filled; kfi_record_free() must follow
 */
void kfi_record_init(struct kfi_record *r);

/**
 * kfi_record_set() - set a text
 * @r: the record
 * @key: key of the text
 * @s: the text; NULL or empty: unknown
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_record_set(struct kfi_record *r, enum kfi_record_text key, const char *s);

/**
 * kfi_record_text() - return a text
 * @r: the record
 * @id: its number
 *
 * Return: the text, NULL: unknown.
 */
const char *kfi_record_text(const struct kfi_record *r, u32 id);

/**
 * kfi_record_add() - add an element to a list
 * @r: the record
 * @list: which list
 *
 * Return: the element, in which nothing is known; NULL: out of memory.
 */
struct kfi_record_row *kfi_record_add(struct kfi_record *r, enum kfi_record_lists list);

/**
 * kfi_record_text_key() - return the key of a text
 * @key: the text
 *
 * Return: the key in JSON.
 */
const char *kfi_record_text_key(enum kfi_record_text key);

/**
 * kfi_record_put() - write a record as a line of JSON
 * @r: the record
 * @out: where to write it
 */
void kfi_record_put(const struct kfi_record *r, struct kfi_out *out);

/**
 * kfi_record_parse() - read a line of JSON
 * @r: filled on success; kfi_record_free() must follow in any case
 * @s: first byte of the line
 * @len: its length, without newline
 * @name: name of the file, for messages
 * @line: number of the line
 * @err: set to the reason of a failure
 *
 * Return: 0; -EINVAL: not a record; -ENOMEM.
 */
int kfi_record_parse(struct kfi_record *r, const char *s, size_t len, const char *name, u64 line,
		     struct kfi_err *err);

/**
 * kfi_record_free() - free the memory
 * @r: the record; may be freed twice
 */
void kfi_record_free(struct kfi_record *r);

#endif /* KFI_RECORD_H */
