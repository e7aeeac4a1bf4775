// SPDX-License-Identifier: GPL-2.0
/* Parses options by a table: see opt.h. */
#include <getopt.h>
#include <stdlib.h>

#include "opt.h"

/* Limit of rows in a table. */
#define OPT_MAX	128
/* Value that getopt_long() returns for the long option of row i: above all letters. */
#define ROW(i)	(256 + (int)(i))

/* Find the row for a letter, or for a value of ROW(). */
static const struct kfi_opt *find_option(const struct kfi_opt *opt, size_t n, int c)
{
	if (c >= ROW(0))
		return &opt[c - ROW(0)];
	for (size_t i = 0; i < n; i++)
		if (opt[i].type != KFI_OPT_HEAD && opt[i].letter == c)
			return &opt[i];
	return NULL;
}

/* Return "-n", or "--num" if the row has no letter. */
static const char *option_name(const struct kfi_opt *o, char *text, size_t size)
{
	if (o->letter)
		snprintf(text, size, "-%c", o->letter);
	else
		snprintf(text, size, "--%s", o->name);
	return text;
}

static int set_option(const struct kfi_opt *o, const char *arg, struct kfi_err *err)
{
	char *end, name[40];
	unsigned long long v;

	if (o->type == KFI_OPT_FLAG) {
		*(bool *)o->value = true;
		return 0;
	}
	if (o->type == KFI_OPT_STR) {
		*(const char **)o->value = arg;
		return 0;
	}
	errno = 0;
	v = strtoull(arg, &end, 10);
	if (errno || end == arg || *end || *arg < '0' || *arg > '9' || v < o->min || v > o->max)
		return kfi_err_set(err, EINVAL,
				   "option %s needs a number from %llu to %llu, not \"%s\"",
				   option_name(o, name, sizeof(name)), (unsigned long long)o->min,
				   (unsigned long long)o->max, arg);
	*(u64 *)o->value = v;
	return 0;
}

int kfi_opt_parse(const struct kfi_opt *opt, size_t n, int argc, char **argv, bool *given,
		  struct kfi_err *err)
{
	struct option longs[OPT_MAX + 1] = { 0 };
	char shorts[2 * OPT_MAX + 2] = ":";
	bool seen[OPT_MAX] = { 0 };
	char name[40];
	size_t s = 1, l = 0;
	int c, ret;

	if (n > OPT_MAX)
		return kfi_err_set(err, E2BIG, "more options than OPT_MAX: %zu", n);
	for (size_t i = 0; i < n; i++) {
		if (opt[i].type == KFI_OPT_HEAD)
			continue;
		if (opt[i].letter) {
			shorts[s++] = opt[i].letter;
			if (opt[i].arg)
				shorts[s++] = ':';
		}
		longs[l].name = opt[i].name;
		longs[l].has_arg = opt[i].arg ? required_argument : no_argument;
		longs[l++].val = ROW(i);
	}
	for (size_t i = 0; given && i < n; i++)
		given[i] = false;
	optind = 0;
	opterr = 0;
	while ((c = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const struct kfi_opt *o = c == '?' || c == ':' ? NULL : find_option(opt, n, c);

		if (c == ':')
			return kfi_err_set(err, EINVAL, "option %s needs an argument",
					   argv[optind - 1]);
		if (!o && optopt && find_option(opt, n, optopt))
			return kfi_err_set(err, EINVAL, "option %s takes no argument",
					   argv[optind - 1]);
		if (!o && optopt)
			return kfi_err_set(err, EINVAL, "unknown option -%c", optopt);
		if (!o)
			return kfi_err_set(err, EINVAL, "unknown option %s", argv[optind - 1]);
		if (o->type == KFI_OPT_STR && strcmp(o->arg, "WHEN") && seen[o - opt])
			return kfi_err_set(err, EINVAL, "option %s is given twice, and takes one argument",
					   option_name(o, name, sizeof(name)));
		seen[o - opt] = true;
		ret = set_option(o, optarg, err);
		if (ret)
			return ret;
		if (given)
			given[o - opt] = true;
	}
	return optind;
}

/* Return true if an option is for one of @use. */
static bool applies_to(const struct kfi_opt *o, u32 use)
{
	return !use || !o->use || o->use & use;
}

/* Return true if a heading has an option below it that is for one of @use. */
static bool has_options(const struct kfi_opt *head, const struct kfi_opt *end, u32 use)
{
	for (const struct kfi_opt *o = head + 1; o < end && o->type != KFI_OPT_HEAD; o++)
		if (applies_to(o, use))
			return true;
	return false;
}

void kfi_opt_help(const struct kfi_opt *opt, size_t n, u32 use, FILE *out)
{
	for (size_t i = 0; i < n; i++) {
		const char *line = opt[i].help, *nl;
		int used;

		if (opt[i].type == KFI_OPT_HEAD) {
			if (has_options(&opt[i], opt + n, use))
				fprintf(out, "%s\n", opt[i].help);
			continue;
		}
		if (!opt[i].help || !applies_to(&opt[i], use))
			continue;
		used = opt[i].letter ? fprintf(out, "  -%c, ", opt[i].letter) :
				       fprintf(out, "      ");
		used += fprintf(out, "--%s%s%s", opt[i].name, opt[i].arg ? " " : "",
				opt[i].arg ? opt[i].arg : "");
		for (;; line = nl + 1) {
			nl = strchr(line, '\n');
			fprintf(out, "%*s%.*s\n", used < 23 ? 24 - used : 1, "",
				nl ? (int)(nl - line) : (int)strlen(line), line);
			if (!nl)
				break;
			used = 0;
		}
	}
}
