// SPDX-License-Identifier: GPL-2.0
/* Reasons of failure as text: see err.h. */
#include <stdarg.h>
#include <stdio.h>

#include "err.h"

int kfi_err_set(struct kfi_err *err, int code, const char *fmt, ...)
{
	va_list ap;

	if (err) {
		va_start(ap, fmt);
		vsnprintf(err->text, sizeof(err->text), fmt, ap);
		va_end(ap);
		/* Text from a damaged file must not harm a terminal. */
		for (char *p = err->text; *p; p++)
			if (*p < ' ' || *p > '~')
				*p = '?';
	}
	return -code;
}
