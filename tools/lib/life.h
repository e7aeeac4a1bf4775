/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which code was where at what time: the lines of a header that say so, and what they say of an
 * address.
 *
 *	Kernel text = ADDRESS BYTES
 *	Kernel init text = ADDRESS BYTES T
 *	Module = NAME ADDRESS BYTES ADDRESS BYTES T T T
 *	Modules forgotten = N
 *
 * Described in Documentation/formats.rst. A log without them leaves everything open. Called by
 * log.c and resolve.c.
 */
#ifndef KFI_LIFE_H
#define KFI_LIFE_H

#include "hash.h"
#include "kfi_port_host.h"

/* Of an event whose time is not known: whatever was there once. */
#define KFI_ANY_TIME	S64_MAX

/* A recorder lists fewer modules; more, which a hostile header may have, are forgotten. */
#define KFI_LIVES_MAX	4096

/**
 * enum kfi_place - the kind of code at an address
 * @KFI_PLACE_OPEN: the header does not say
 * @KFI_PLACE_KERNEL: the kernel's own text
 * @KFI_PLACE_MODULE: the text of a module
 * @KFI_PLACE_GONE: init text of the kernel that had been freed
 */
enum kfi_place {
	KFI_PLACE_OPEN,
	KFI_PLACE_KERNEL,
	KFI_PLACE_MODULE,
	KFI_PLACE_GONE,
};

/**
 * struct kfi_code - some text and when it was there
 * @addr: address
 * @size: bytes
 * @from: microseconds on the axis of Entry
 * @to: the same; KFI_ANY_TIME: it stayed
 */
struct kfi_code {
	u64 addr;
	u64 size;
	s64 from;
	s64 to;
};

/**
 * struct kfi_life - a module
 * @name: its name
 * @code: its text
 * @init: the text of its init functions
 */
struct kfi_life {
	char name[64];
	struct kfi_code code;
	struct kfi_code init;
};

/**
 * struct kfi_lives - what a header says
 * @text: the kernel's text; no bytes: not in the header
 * @init: its init text
 * @life: modules in order of loading
 * @n: how many
 * @room: for how many there is room
 * @forgotten: modules that are not in the table
 */
struct kfi_lives {
	struct kfi_code text;
	struct kfi_code init;
	struct kfi_life *life;
	u32 n;
	u32 room;
	u64 forgotten;
};

/**
 * kfi_lives_line() - understand one line of a header
 * @lives: zeroed before the first line
 * @s: first byte
 * @len: length, without newline
 *
 * Lines of another kind, and such that cannot be understood, are passed over.
 *
 * Return: 0 or -ENOMEM.
 */
int kfi_lives_line(struct kfi_lives *lives, const char *s, size_t len);

/**
 * kfi_lives_at() - find the code at an address
 * @lives: what the header says
 * @addr: the address, as in the log
 * @us: when, on the axis of Entry, or KFI_ANY_TIME
 * @life: set to the module, if it is in one
 * @code: set to that part of it
 *
 * Return: its kind.
 */
enum kfi_place kfi_lives_at(const struct kfi_lives *lives, u64 addr, s64 us,
			    const struct kfi_life **life, const struct kfi_code **code);

/**
 * kfi_lives_holders() - how many pieces of code were at an address, one after the other
 * @lives: what the header says
 * @addr: the address, as in the log
 *
 * Return: 0 also where the kernel's own text is, which was always there.
 */
u32 kfi_lives_holders(const struct kfi_lives *lives, u64 addr);

/**
 * kfi_lives_free() - give back the memory
 * @lives: empty afterwards, for another header
 */
void kfi_lives_free(struct kfi_lives *lives);

#endif /* KFI_LIFE_H */
