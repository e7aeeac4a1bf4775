// SPDX-License-Identifier: GPL-2.0
/*
 * Bad states: see bad.h.
 */
#include "core/bad.h"

static atomic_t found;

static const char * const texts[] = {
	[KFI_BAD_STACK] = "the top of a shadow stack is not in it",
	[KFI_BAD_OVER] = "a negative number of calls is too deep for a shadow stack",
	[KFI_BAD_CHUNK] = "a negative number of words is used of a chunk",
	[KFI_BAD_TURN] = "it is the turn of a chunk that is not there",
	[KFI_BAD_LEVEL] = "a negative number of writers is at work",
};
static_assert(ARRAY_SIZE(texts) == KFI_BADS, "each has a text");

void kfi_bad_found(enum kfi_bad what)
{
	atomic_cmpxchg(&found, KFI_BAD_NOTHING, (int)what);
}

enum kfi_bad kfi_bad(void)
{
	return (enum kfi_bad)atomic_read(&found);
}

const char *kfi_bad_text(void)
{
	return texts[kfi_bad()];
}

void kfi_bad_forget(void)
{
	atomic_set(&found, KFI_BAD_NOTHING);
}
