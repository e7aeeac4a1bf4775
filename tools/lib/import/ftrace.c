// SPDX-License-Identifier: GPL-2.0
/* Text of ftrace: see import.h. */
#include "import/formats.h"

static bool is_ftrace(const char *s, size_t len)
{
	static const char tracer[] = "# tracer: ";

	return len > strlen(tracer) && !memcmp(s, tracer, strlen(tracer));
}

static int line(struct kfi_import *im, const char *s, size_t len, struct kfi_err *err)
{
	return 0;
}

const struct kfi_import_format kfi_import_ftrace = {
	.name = "ftrace", .what = "a text of ftrace", .is = is_ftrace, .line = line,
};
