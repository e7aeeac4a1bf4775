/* SPDX-License-Identifier: GPL-2.0 */
/* What a fuzz target requires of the code that it calls. */
#ifndef KFI_FUZZ_H
#define KFI_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/**
 * MUST() - end the program if a condition does not hold
 * @cond: the condition
 */
#define MUST(cond) must(!!(cond), #cond)

static inline void must(int ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "does not hold: %s\n", what);
	abort();
}

#endif /* KFI_FUZZ_H */
