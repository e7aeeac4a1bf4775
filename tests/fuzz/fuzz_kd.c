// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: kd's answers to any log. The first three bytes say what is asked, of which calls,
 * and in which form; the rest is the log. What kd.c does with a command line is not in it.
 */
#include "kd_ask.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size >= 3)
		ask(data + 3, size - 3, data[0] % (KD_TUI + 1), data[1], data[2]);
	return 0;
}
