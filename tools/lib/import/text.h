/* SPDX-License-Identifier: GPL-2.0 */
/* Reads parts of lines, for readers of text. */
#ifndef KFI_IMPORT_TEXT_H
#define KFI_IMPORT_TEXT_H

#include "kfi_port_host.h"

/**
 * kfi_skip_blanks() - Return the first character that is neither a blank nor a tab, or @end.
 * @s: where to begin
 * @end: end of the line
 */
static inline const char *kfi_skip_blanks(const char *s, const char *end)
{
	while (s < end && (*s == ' ' || *s == '\t'))
		s++;
	return s;
}

/**
 * kfi_take_number() - read 1 to 18 decimal digits
 * @s: where they begin
 * @end: end of the line
 * @v: set to their value
 *
 * Return: the next character; NULL: there are none, or more.
 */
static inline const char *kfi_take_number(const char *s, const char *end, u64 *v)
{
	const char *first = s;
	u64 sum = 0;

	while (s < end && (u8)(*s - '0') < 10 && s - first < 19)
		sum = sum * 10 + (u64)(*s++ - '0');
	*v = sum;
	return s > first && s - first <= 18 ? s : NULL;
}

#endif /* KFI_IMPORT_TEXT_H */
