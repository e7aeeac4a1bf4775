/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A bad state: a value that cannot be.
 *
 * Something has written over the recorder's memory, or the recorder is wrong; neither must take
 * the system down. The code that sees such a value does not use it, and reports it here. The
 * session is stopped, none starts until the next boot, and session/control.c prints one warning.
 *
 * Values that are used as an index or as a count are checked on the slow path and by readers. The
 * fast path relies on the top of a shadow stack: one push or pop too many reaches frames that lead
 * to the slow path (@root and @end of struct kfi_stack).
 *
 * A small module of its own: the ring finds such values, a session is stopped for one, and session/
 * and files/ print it. So it belongs to none of these, and all include it.
 */
#ifndef KFI_BAD_H
#define KFI_BAD_H

#include "core/port.h"

enum kfi_bad {
	KFI_BAD_NOTHING,
	KFI_BAD_STACK,		/* the top of a shadow stack is not in it */
	KFI_BAD_OVER,		/* a negative number of calls is too deep for it */
	KFI_BAD_CHUNK,		/* a negative number of words is used of a chunk */
	KFI_BAD_TURN,		/* it is the turn of a chunk that is not there */
	KFI_BAD_LEVEL,		/* a negative number of writers is at work */
	KFI_BADS
};

/**
 * kfi_bad_found() - Report an impossible state.
 * @what: the state, not KFI_BAD_NOTHING; the first report is kept
 *
 * Context: any, NMI included.
 */
void kfi_bad_found(enum kfi_bad what);

/**
 * kfi_bad() - Return the bad state that was found, if any.
 *
 * Return: what, or KFI_BAD_NOTHING.
 */
enum kfi_bad kfi_bad(void);

/**
 * kfi_bad_text() - Describe it.
 *
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
