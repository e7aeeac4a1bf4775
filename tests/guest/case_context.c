// SPDX-License-Identifier: GPL-2.0
/*
 * case_context.c - calls in every context: interrupts, their threads, NMIs, idle, tasks that end
 *
 * Most have the module of tests/guest/module do something at a known place for a known time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

/* First row of a function, NULL if there is none. */
static const struct tl_row *row(const struct tracelog *log, const char *func)
{
	long i = tl_find(log, hex(symbol(func)), 0);

	return i < 0 ? NULL : &log->rows[i];
}

/* A module's calls nest as they are written, and nothing of it stays when it is taken out. */
static enum outcome module_calls(void)
{
	struct tracelog log;

	for (int i = 0; i < 2; i++) {
		const struct tl_row *outer, *middle, *inner;

		TRY(module_load());
		TRY(arm("trigger start entry kfi_test_outer\ntrigger stop exit kfi_test_outer\n"
			"filter noints"));
		WANT_EQ(module_do("call 2"), 0);
		TRY(finish(&log));
		WANT_EQ(count_rows(&log, "kfi_test_outer"), 1);
		WANT_EQ(count_rows(&log, "kfi_test_middle"), 1);
		WANT_EQ(count_rows(&log, "kfi_test_inner"), 3);
		outer = row(&log, "kfi_test_outer");
		middle = row(&log, "kfi_test_middle");
		inner = row(&log, "kfi_test_inner");
		WANT(outer->depth == 1 && middle->depth == 2 && inner->depth == 3);
		tl_free(&log);
		TRY(module_unload());
	}
	WANT_EQ(module_do("call"), -2);
	return PASS;
}

const struct guest_case context_cases[] = {
	{ "context_module_calls", module_calls },
	{ NULL, NULL },
};
