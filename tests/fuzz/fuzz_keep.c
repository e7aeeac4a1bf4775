// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes as what the boot before has left in memory: never read past the end, and what is taken
 * for valid lies within. The same bytes with a fitting sum are tried as well.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/keep.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "does not hold: %s\n", what);
	abort();
}
#define MUST(cond) must(!!(cond), #cond)

static void check(const struct kfi_keep *k)
{
	if (!kfi_keep_valid(k))
		return;
	MUST(k->head->size == k->size);
	MUST(sizeof(*k->head) + (u64)k->head->above + k->head->rows <= k->size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kfi_keep k = { .size = (u32)size };
	u32 top = size ? data[0] : 0, at, len;

	k.head = malloc(size ? size : 1);
	if (!k.head)
		return 0;
	memcpy(k.head, data, size);
	check(&k);
	if (size >= sizeof(*k.head)) {
		k.head->magic = KFI_KEEP_MAGIC;
		k.head->size = k.size;
		check(&k);
	}
	/* Filled with rows of the lengths that the bytes say. */
	if (kfi_keep_begin(&k, top)) {
		for (at = 1; at < size; at += 1 + len) {
			len = data[at];
			if (at + 1 + len > size || !kfi_keep_row(&k, (const char *)data + at, len))
				break;
		}
		kfi_keep_end(&k, (const char *)data, top < size ? top : (u32)size);
		MUST(kfi_keep_valid(&k));
		check(&k);
	}
	free(k.head);
	return 0;
}
