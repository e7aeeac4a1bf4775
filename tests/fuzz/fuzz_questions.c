// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: all of kd's answers to any log, in several forms. Its corpus is that of fuzz_log.
 */
#include "kd_ask.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Of ask(): text, JSON of all rows and of the first, CSV, braces, each of the exports. */
	static const uint8_t forms[] = {
		0x00, 0x81, 0x20, 0x21, 0x40, 0x8c, 0x10, 0x82, 0x84, 0x86, 0x88, 0x8a, 0x8e, 0x90,
	};

	for (uint8_t question = 0; question <= KD_TUI; question++)
		for (size_t i = 0; i < sizeof(forms); i++)
			ask(data, size, question, i & 1 ? 0x16 : 0, forms[i]);
	return 0;
}
