// SPDX-License-Identifier: GPL-2.0
/*
 * Finding a parameter in a kernel command line.
 */
#include "core/cmdline.h"

/* What isspace() of a kernel takes for a blank. */
static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || c == '\xa0';
}

/* The end of the parameter that begins at @at: a blank outside of quotes. */
static const char *end_of(const char *at, const char *end)
{
	bool quoted = false;

	for (; at < end && (quoted || !is_blank(*at)); at++)
		if (*at == '"')
			quoted = !quoted;
	return at;
}

bool kfi_cmdline_find(const char *line, size_t max, const char *name, const char **value,
		      size_t *len)
{
	const char *at = line, *end = line + strnlen(line, max), *stop, *next;
	size_t n = strlen(name);
	bool found = false;

	for (; at < end; at = next) {
		bool quoted = *at == '"';

		if (is_blank(*at)) {
			next = at + 1;
			continue;
		}
		next = end_of(at, end);
		stop = next;
		at += quoted;
		/*
		 * One quote at the end belongs to the one at the beginning of the parameter or of
		 * its value.
		 */
		if (at < stop && stop[-1] == '"' &&
		    (quoted || (at + n + 1 < stop && at[n + 1] == '"')))
			stop--;
		if (stop - at == 2 && !memcmp(at, "--", 2))
			break;
		if ((size_t)(stop - at) <= n || memcmp(at, name, n) || at[n] != '=')
			continue;
		at += n + 1;
		if (at < stop && *at == '"')
			at++;
		*value = at;
		*len = (size_t)(stop - at);
		found = true;
	}
	return found;
}
