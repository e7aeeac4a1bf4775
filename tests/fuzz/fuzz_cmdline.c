// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes as a kernel command line. A value lies within the line, behind its name; and a
 * parameter that is put behind a line is found there, unless a quote or "--" hides it.
 */
#include <string.h>

#include "core/cmdline.h"
#include "fuzz.h"

static int has(const char *line, size_t len, const char *what)
{
	return len && memmem(line, len, what, strlen(what));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char name[] = "kfi.conf", more[] = " kfi.conf=\"begin end\"";
	const char *line = (const char *)data, *value = NULL;
	size_t len = SIZE_MAX, n = strlen(name), used = strnlen(line, size);
	char *longer;
	bool found;

	found = kfi_cmdline_find(line, size, name, &value, &len);
	MUST(found == (value != NULL));
	if (found) {
		MUST(value >= line + n + 1 && len <= used && value + len <= line + used);
		if (value[-1] == '"')
			value--;
		MUST(value[-1] == '=' && !memcmp(value - 1 - n, name, n));
	}
	longer = malloc(used + sizeof(more));
	if (!longer)
		return 0;
	memcpy(longer, line, used);
	memcpy(longer + used, more, sizeof(more));
	if (!has(line, used, "\"") && !has(line, used, "--")) {
		MUST(kfi_cmdline_find(longer, used + sizeof(more), name, &value, &len));
		MUST(len == strlen("begin end") && !memcmp(value, "begin end", len));
		MUST(value == longer + used + strlen(" kfi.conf=\""));
	}
	free(longer);
	return 0;
}
