/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Address ranges of code and when it was loaded: parses the lines of a header that list them, and
 * looks up an address at a time.
 *
 *	Kernel text = ADDRESS BYTES
 *	Kernel init text = ADDRESS BYTES T
 *	Module = NAME ADDRESS BYTES ADDRESS BYTES T T T
 *	Modules forgotten = N
 *
 * Documentation/format-text.rst describes the lines. If a log has none of them, any code may be at
 * an address. Called by log.c and resolve.c.
 */
#ifndef KFI_RANGES_H
#define KFI_RANGES_H

#include "hash.h"
#include "kfi_port_host.h"

/* Time of an event whose time is not known: any range that ever had the address matches. */
#define KFI_ANY_TIME	S64_MAX

/*
 * Limit of modules. A recorder lists fewer; more of them, in a hostile header, are counted as
 * forgotten.
 */
#define KFI_RANGES_MAX	4096

/**
 * enum kfi_range_kind - the kind of code at an address
 * @KFI_RANGE_UNKNOWN: the header does not say
 * @KFI_RANGE_KERNEL: the kernel's own text
 * @KFI_RANGE_MODULE: the text of a module
 * @KFI_RANGE_FREED: init text of the kernel that had been freed
 */
enum kfi_range_kind {
	KFI_RANGE_UNKNOWN,
	KFI_RANGE_KERNEL,
	KFI_RANGE_MODULE,
	KFI_RANGE_FREED,
};

/**
 * struct kfi_range - a range of text and when it was loaded
 * @addr: first address
 * @size: size in bytes
 * @from: time when it was loaded, microseconds on the axis of Entry
 * @to: time when it was removed; KFI_ANY_TIME: it stayed
 */
struct kfi_range {
	u64 addr;
	u64 size;
	s64 from;
	s64 to;
};

/**
 * struct kfi_module_range - the ranges of a loaded module
 * @name: its name
 * @code: its text
 * @init: the text of its init functions
 */
struct kfi_module_range {
	char name[64];
	struct kfi_range code;
	struct kfi_range init;
};

/**
 * struct kfi_ranges - the ranges that a header lists
 * @text: the kernel's text; size 0: not in the header
 * @init: its init text
 * @module: modules in order of loading
 * @n: how many
 * @room: for how many there is room
 * @forgotten: number of modules that are not in the table
 */
struct kfi_ranges {
	struct kfi_range text;
	struct kfi_range init;
	struct kfi_module_range *module;
	u32 n;
	u32 room;
	u64 forgotten;
};

/**
 * kfi_ranges_line() - parse one line of a header
 * @ranges: zeroed before the first line
 * @s: first byte
 * @len: length, without newline
 *
 * Other lines, and lines that cannot be parsed, are skipped.
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_ranges_line(struct kfi_ranges *ranges, const char *s, size_t len);

/**
 * kfi_ranges_at() - find the code at an address
 * @ranges: the ranges of the header
 * @addr: the address, as in the log
 * @us: time on the axis of Entry, or KFI_ANY_TIME
 * @module: set to the module, if the address is in one
 * @code: set to the range in the module
 *
 * Return: kind of the code.
 */
enum kfi_range_kind kfi_ranges_at(const struct kfi_ranges *ranges, u64 addr, s64 us,
				  const struct kfi_module_range **module,
				  const struct kfi_range **code);

/**
 * kfi_ranges_count() - count the ranges that held an address at different times
 * @ranges: the ranges of the header
 * @addr: the address, as in the log
 *
 * Return: the number; 0 also for the kernel's own text, which is always there.
 */
u32 kfi_ranges_count(const struct kfi_ranges *ranges, u64 addr);

/**
 * kfi_ranges_free() - free the memory
 * @ranges: empty afterwards, ready for another header
 */
void kfi_ranges_free(struct kfi_ranges *ranges);

#endif /* KFI_RANGES_H */
