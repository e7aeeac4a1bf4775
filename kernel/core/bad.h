/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A bad state: what the recorder has found to be impossible.
 *
 * Something has written over its memory, or it is wrong itself; neither must take the system down.
 * Whoever sees a value that cannot be uses it no further, and says so here. The run is stopped, no
 * other one starts until the next boot, and somebody who may print does, once (session/log.c).
 *
 * What is looked at is what is used as an index, or as the number of something, on the slow path of
 * the hooks and by readers. The fast path relies on the top of a shadow stack: one too many pushed
 * or popped comes upon frames that send it to the slow path (@root and @end of struct kfi_stack).
 */
#ifndef KFI_BAD_H
#define KFI_BAD_H

#include "core/port.h"

enum kfi_bad {
	KFI_BAD_NOTHING,
	KFI_BAD_STACK,		/* the top of a shadow stack is not in it */
	KFI_BAD_OVER,		/* less than no calls are too deep for it */
	KFI_BAD_CHUNK,		/* less than nothing is used of a chunk */
	KFI_BAD_TURN,		/* it is the turn of a chunk that is not there */
	KFI_BAD_LEVEL,		/* fewer than no writers are at work */
	KFI_BADS
};

/**
 * kfi_bad_found() - Say that something cannot be.
 * @what: what, not KFI_BAD_NOTHING; what is said first is kept
 *
 * Context: any, NMI included.
 */
void kfi_bad_found(enum kfi_bad what);

/**
 * kfi_bad() - Has anything been found?
 *
 * Context: any.
 * Return: what, or KFI_BAD_NOTHING.
 */
enum kfi_bad kfi_bad(void);

/**
 * kfi_bad_text() - Describe it.
 *
 * Context: any.
 * Return: a text for people, NULL if there is nothing.
 */
const char *kfi_bad_text(void);

/**
 * kfi_bad_forget() - Begin again: for tests.
 *
 * Context: nobody records.
 */
void kfi_bad_forget(void);

#endif /* KFI_BAD_H */
