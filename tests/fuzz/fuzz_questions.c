// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: all of kd's answers to any log, in several forms. Replayed with the logs of another
 * target, which are hostile, too.
 */
#include "kd_ask.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Of ask(): the usual text, JSON of the first rows, CSV, braces of all tasks, exports. */
	static const uint8_t forms[] = { 0, 0x21, 0x40, 0x8c, 0x10, 0x82, 0x84, 0x88, 0x90 };
	FILE *out = stdout;

	stdout = open_nowhere();
	for (uint8_t question = 0; question <= KD_TUI; question++) {
		for (size_t i = 0; i < sizeof(forms); i++) {
			give(data, size);
			ask(question, i & 1 ? 0x16 : 0, forms[i]);
		}
	}
	fflush(stdout);
	stdout = out;
	return 0;
}
