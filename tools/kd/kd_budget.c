// SPDX-License-Identifier: GPL-2.0
/* Reads a file of limits: see kd_budget.h. */
#include <stdio.h>
#include <stdlib.h>

#include "in.h"
#include "kd.h"
#include "kd_budget.h"

/* Parse "+3%". Return true if it is a percentage. */
static bool parse_growth(const char *text, double *percent)
{
	char *end;

	if (*text != '+' || !strchr("0123456789.", text[1]))
		return false;
	*percent = strtod(text + 1, &end);
	return !strcmp(end, "%") && *percent >= 0 && *percent < 1e6;
}

/* Parse a line. Return: 1: it has a limit, 0: it is empty or a comment, -EINVAL. */
static int parse_line(struct kd_limit *limit, const struct kfi_in *in, const char *s, size_t len,
		      struct kfi_err *err)
{
	char line[512], rest[2];
	size_t n;

	snprintf(line, sizeof(line), "%.*s", (int)(len < sizeof(line) ? len : sizeof(line) - 1), s);
	line[strcspn(line, "#\r")] = '\0';
	if (!line[strspn(line, " \t")])
		return 0;
	*limit = (struct kd_limit){ .ns = -1, .file = in->name, .line = in->line };
	if (sscanf(line, " %255[^<] < %31s %1s", limit->name, limit->text, rest) != 2)
		goto wrong;
	n = strlen(limit->name);
	while (n && strchr(" \t", limit->name[n - 1]))
		limit->name[--n] = '\0';
	if (n && (parse_growth(limit->text, &limit->percent) || kd_time(limit->text, &limit->ns)))
		return 1;
wrong:
	return kfi_err_set(err, EINVAL, "%s:%llu: a budget has lines as \"time_init < 50ms\"",
			   in->name, (unsigned long long)in->line);
}

int kd_budget_read(const char *path,
		   int (*take)(void *arg, const struct kd_limit *limit, struct kfi_err *err),
		   void *arg, struct kfi_err *err)
{
	struct kd_limit limit;
	struct kfi_in in;
	const char *s;
	size_t len;
	u64 limits = 0;
	int ret = kfi_in_open(&in, path, err);

	if (ret)
		return ret;
	while ((ret = kfi_in_line(&in, &s, &len, err)) > 0) {
		ret = parse_line(&limit, &in, s, len, err);
		limits += ret > 0;
		if (ret > 0)
			ret = take(arg, &limit, err);
		if (ret)
			break;
	}
	/* Fewer limits than were meant would be kept more easily. */
	if (!ret && *in.fault)
		ret = kfi_err_set(err, EBADMSG, "%s: ends behind line %llu: %s", in.name,
				  (unsigned long long)in.line, in.fault);
	else if (!ret && !limits)
		ret = kfi_err_set(err, EINVAL, "%s: no line has a limit: a budget has lines as \"time_init < 50ms\"; leave out --budget to compare without limits",
				  in.name);
	kfi_in_close(&in);
	return ret;
}
