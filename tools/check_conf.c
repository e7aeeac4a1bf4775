// SPDX-License-Identifier: GPL-2.0
/*
 * kfi-check-conf: checks a configuration on the host, before it is compiled into a kernel or copied
 * to a board. The parser is that of the kernel (kfi_conf). The checks of names, and their messages,
 * are those that the build of the kernel makes after the link: mkkfistatic.c is one file with a
 * main() of its own, and is included here. Only the symbols come from the tools' symbol tables,
 * which also read vmlinux and /proc/kallsyms.
 *
 * It also warns of a log that takes long to copy over a serial line.
 */
int mkkfistatic_main(int argc, char **argv);

#define main mkkfistatic_main
#include "mkkfistatic.c"
#undef main

#include "in.h"
#include "opt.h"
#include "resolve.h"
#include "version.h"

/* Default of CONFIG_KFI_LOG_ENTRIES. */
#define LOG_ENTRIES	100000
/* Bytes of memory for a call, as in Documentation/building.rst. */
#define ENTRY_BYTES	25
/* Bytes of a row of /proc/kfi_trace. */
#define ROW_BYTES	196
/* Bits on a serial line for each byte: start, eight, stop. */
#define BYTE_BITS	10
/* Warn if copying a full log takes more than this number of minutes. */
#define COPY_MINUTES	60

static struct kfi_files files;
static u64 baud = 115200;
static bool want_help;
static bool want_version;

static const struct kfi_opt options[] = {
	KFI_RESOLVE_OPTIONS(files, 'm'),
	{ 0, "modules", KFI_OPT_STR, "DIR", &files.modules },
	{ 'b', "baud", KFI_OPT_NUM, "NUM", &baud, 50, 100000000,
	  .help = "rate of the serial line (default: 115200), to warn of a log\n"
		  "that takes more than an hour to be copied" },
	{ 'h', "help", KFI_OPT_FLAG, NULL, &want_help, .help = "print this help" },
	{ 'V', "version", KFI_OPT_FLAG, NULL, &want_version, .help = "print the version" },
};

static void say_text(void *arg, const char *text)
{
	fprintf(stderr, "kfi-check-conf: %s\n", text);
}

/* Copy symbols to where the checks look for them, with a NUL behind each name. */
static bool add_syms(struct check *k, const struct kfi_sym *from, u32 n)
{
	struct sym *more = realloc(k->syms, (k->nsyms + n + 1) * sizeof(*more));

	if (!more)
		return false;
	k->syms = more;
	for (u32 i = 0; i < n; i++) {
		char *name;

		/* A part of a name is no function of the kernel. */
		if (from[i].is_cut)
			continue;
		name = strndup(from[i].name.s, from[i].name.len);
		if (!name)
			return false;
		k->syms[k->nsyms++] = (struct sym) {
			.name = name, .addr = from[i].addr, .type = from[i].type
		};
	}
	return true;
}

static void free_syms(struct check *k)
{
	for (size_t i = 0; i < k->nsyms; i++)
		free((char *)k->syms[i].name);
	free(k->syms);
}

/**
 * struct counts - what a configuration names
 * @names: number of functions and patterns
 * @modules: number of modules, which no map has
 */
struct counts {
	u32 names;
	u32 modules;
};

static void count_name(void *arg, const struct kfi_func *f)
{
	struct counts *n = arg;

	n->names += f->kind == KFI_FUNC_NAME || f->kind == KFI_FUNC_PATTERN;
	n->modules += f->kind == KFI_FUNC_MODULE;
}

/* Warn if session @number, from 1, can fill a log that takes too long over a serial line. */
static void check_size(const struct check *k, const struct kfi_conf *c, u32 number)
{
	u64 entries = c->logentries ? c->logentries : LOG_ENTRIES;
	u64 minutes = entries * ROW_BYTES * BYTE_BITS / baud / 60;

	/* A profile has only one row for each function. */
	if (c->mode == KFI_MODE_PROFILE || minutes < COPY_MINUTES)
		return;
	fprintf(stderr, "%s: warning: a full log of session %u has %llu calls: %llu MB of memory, and %llu MB of text, which take %llu h %llu min at %llu baud; lower logentries, or read /proc/kfi_serial, which takes a tenth\n",
		k->conf_name, number, (unsigned long long)entries,
		(unsigned long long)(entries * ENTRY_BYTES / 1000000),
		(unsigned long long)(entries * ROW_BYTES / 1000000),
		(unsigned long long)(minutes / 60), (unsigned long long)(minutes % 60),
		(unsigned long long)baud);
}

/* Check the lists of session @number as /proc/kfi does; warn if a boot has no room for them. */
static void check_lists(struct check *k, const struct kfi_conf *c, u32 number)
{
	u32 n = check_room(k, c, KFI_CONF_MATCHES_MAX);

	if (n > KFI_CONF_STATIC_FUNCS && n <= KFI_CONF_MATCHES_MAX)
		fprintf(stderr, "%s: warning: the lists of session %u match %u functions: /proc/kfi takes them, but a configuration that is compiled in, or in kfi.conf=, has room for %u at most\n",
			k->conf_name, number, n, KFI_CONF_STATIC_FUNCS);
}

/* Check a configuration. Return: exit status. */
static int check_text(struct check *k, const char *text, size_t len)
{
	struct kfi_conf_err err;
	struct kfi_conf c;
	struct counts n = { 0 };

	if (kfi_conf_walk(text, len, count_name, &n, &err)) {
		fprintf(stderr, "%s:%u:%u: %s\n", k->conf_name, err.line, err.col, err.reason);
		return 1;
	}
	for (u32 i = 0; !kfi_conf_parse_block(&c, text, len, i, &err); i++)
		check_size(k, &c, i + 1);
	if (!k->map_name) {
		printf("%s: no errors%s\n", k->conf_name,
		       n.names ? "; names were not checked: give --vmlinux or --map" : "");
		return 0;
	}
	kfi_conf_walk(text, len, check_func, k, &err);
	for (u32 i = 0; !kfi_conf_parse_block(&c, text, len, i, &err); i++)
		check_lists(k, &c, i + 1);
	if (k->bad)
		return 1;
	printf("%s: no errors; all names are in %s%s\n", k->conf_name, k->map_name,
	       n.modules ? ", but modules were not checked" : "");
	return 0;
}

static int check_file(struct check *k, const char *name)
{
	struct kfi_err err;
	const char *text;
	struct kfi_in in;
	size_t len;
	int status;

	if (kfi_in_whole(&in, name, &text, &len, &err)) {
		say_text(NULL, err.text);
		return 2;
	}
	k->conf_name = in.name;
	status = check_text(k, text, len);
	kfi_in_close(&in);
	return status;
}

static void help(void)
{
	printf("usage: kfi-check-conf CONFIGURATION [MAP]\n"
	       "       kfi-check-conf OPTIONS CONFIGURATION\n"
	       "\n"
	       "Checks a trace configuration as the kernel and its build do. With MAP, which is --map, or\n"
	       "--vmlinux or --kallsyms, it also checks that the kernel has each function, once. Each\n"
	       "error is a line FILE:LINE:COLUMN: REASON. \"-\" is standard input.\n"
	       "A line FILE: warning: TEXT does not change the exit status.\n\n");
	kfi_opt_help(options, ARRAY_SIZE(options), 0, stdout);
	printf("\n"
	       "Exit status: 0 no errors; 1 the configuration is wrong, or a name is unknown or stands\n"
	       "for several functions; 2 could not run.\n"
	       "\n"
	       "Example:\n"
	       "  kfi-check-conf do_fork.conf System.map\n");
}

/* Return the exit status, which is 2 if the output could not be written. */
static int finish(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	fprintf(stderr, "kfi-check-conf: cannot write: %s\n", strerror(errno));
	return 2;
}

int main(int argc, char **argv)
{
	struct kfi_resolve names = { 0 };
	struct check k = { 0 };
	struct kfi_err err;
	int first, status;

	first = kfi_opt_parse(options, ARRAY_SIZE(options), argc, argv, NULL, &err);
	if (first < 0) {
		fprintf(stderr, "kfi-check-conf: %s. See usage for help. (Use -h)\n", err.text);
		return 2;
	}
	if (want_help) {
		help();
		return finish(0);
	}
	if (want_version) {
		printf("kfi-check-conf version " KFI_VERSION "\n");
		return finish(0);
	}
	if (argc - first == 2 && !files.map)
		files.map = argv[first + 1];
	else if (argc - first != 1)
		first = argc;
	if (first == argc || !!files.map + !!files.vmlinux + !!files.kallsyms > 1) {
		say_text(NULL, "give a configuration and at most one map. See usage for help. (Use -h)");
		return 2;
	}
	if (files.modules) {
		say_text(NULL, "modules are not checked: take --kallsyms, not --modules");
		return 2;
	}
	k.map_name = files.vmlinux ? files.vmlinux : files.map ? files.map : files.kallsyms;
	if (k.map_name && kfi_resolve_open(&names, &files, say_text, NULL, &err)) {
		fprintf(stderr, "kfi-check-conf: Cannot read map file: %s\n", err.text);
		return 2;
	}
	if (k.map_name && (!add_syms(&k, names.table[0].syms.name, names.table[0].syms.nname) ||
			   !add_syms(&k, names.table[0].syms.data, names.table[0].syms.ndata))) {
		say_text(NULL, "out of memory");
		status = 2;
	} else {
		status = check_file(&k, argv[first]);
	}
	status = finish(status);
	free_syms(&k);
	if (k.map_name)
		kfi_resolve_close(&names);
	return status;
}
