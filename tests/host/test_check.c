// SPDX-License-Identifier: GPL-2.0
/* The check header itself: the n-th allocation fails, and only that one. */
#include <stdlib.h>

#include "check.h"

static void nth_allocation(void)
{
	void *a, *b, *c;

	check_fail_alloc(1);
	a = malloc(1);
	CHECK(a);
	CHECK(!check_alloc_failed());
	b = calloc(1, 1);
	CHECK(!b);
	CHECK(check_alloc_failed());
	c = realloc(NULL, 1);
	CHECK(c);
	free(a);
	free(c);
}

static const struct check_case cases[] = {
	{ "only the n-th allocation fails", nth_allocation },
};

CHECK_MAIN(cases)
