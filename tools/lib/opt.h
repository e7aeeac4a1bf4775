/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options: each tool has one typed table, from which parsing and --help are derived.
 *
 * Every tool also has -h/--help and -V/--version, which are rows of its table like all others.
 */
#ifndef KFI_OPT_H
#define KFI_OPT_H

#include <stdio.h>

#include "err.h"
#include "kfi_port_host.h"

/**
 * enum kfi_opt_type - types of options
 * @KFI_OPT_FLAG: sets a bool
 * @KFI_OPT_NUM: sets a u64 within limits
 * @KFI_OPT_STR: sets a const char *
 * @KFI_OPT_HEAD: no option: a heading of the help
 */
enum kfi_opt_type {
	KFI_OPT_FLAG,
	KFI_OPT_NUM,
	KFI_OPT_STR,
	KFI_OPT_HEAD,
};

/**
 * struct kfi_opt - a row of a tool's table
 * @letter: short option, 0: none
 * @name: long option, without dashes
 * @type: type of its argument
 * @arg: name of its argument in the help, NULL: it has none
 * @value: pointer to the value: bool, u64 or const char *
 * @min: smallest number accepted
 * @max: greatest number accepted
 * @help: its description, lines separated by newlines; for KFI_OPT_HEAD the heading; NULL: the tool
 *	rejects it with a reason, so it is not in the help
 * @use: mask of the modes of the tool that accept it; 0: all
 */
struct kfi_opt {
	char letter;
	const char *name;
	enum kfi_opt_type type;
	const char *arg;
	void *value;
	u64 min;
	u64 max;
	const char *help;
	u32 use;
};

/**
 * kfi_opt_parse() - parse a command line
 * @opt: the table
 * @n: number of rows
 * @argc: argument of main()
 * @argv: argument of main(); reordered: arguments that are no options come last
 * @given: by row: set to true if it was given; or NULL
 * @err: set to the reason of a failure
 *
 * Of numbers and --color the last one counts, so that they may be given after those of an alias. An
 * option with another argument can be given once: nothing would tell that an earlier one is lost.
 *
 * Return: index in @argv of the first word that is no option, or -EINVAL.
 */
int kfi_opt_parse(const struct kfi_opt *opt, size_t n, int argc, char **argv, bool *given,
		  struct kfi_err *err);

/**
 * kfi_opt_help() - print the options of a table
 * @opt: the table
 * @n: number of rows
 * @use: print options for one of these modes only; 0: all
 * @out: where to print
 */
void kfi_opt_help(const struct kfi_opt *opt, size_t n, u32 use, FILE *out);

#endif /* KFI_OPT_H */
