// SPDX-License-Identifier: GPL-2.0
/*
 * sym2addr: turns the function names of a configuration into 0x addresses, for kernels that cannot
 * look names up themselves. Comments, lines, blanks, patterns and modules stay as they are.
 *
 * The configuration is read by the parser of the kernel (kfi_conf), so that what passes here is
 * accepted there. A name that stands at several addresses is refused and the addresses are listed.
 */
#include <stdarg.h>
#include <stdio.h>

#include "in.h"
#include "kfi_conf.h"
#include "opt.h"
#include "resolve.h"
#include "version.h"

static struct kfi_files files;
static bool want_help;
static bool want_version;

static const struct kfi_opt options[] = {
	KFI_RESOLVE_OPTIONS(files, 'm'),
	{ 'h', "help", KFI_OPT_FLAG, NULL, &want_help, .help = "print this help" },
	{ 'V', "version", KFI_OPT_FLAG, NULL, &want_version, .help = "print the version" },
};

/**
 * struct job - one configuration being rewritten
 * @file: its name
 * @text: its text
 * @done: bytes of it already printed
 * @names: the symbol tables
 * @print: false on the first pass, which only checks
 * @bad: functions that could not be turned into an address
 */
struct job {
	const char *file;
	const char *text;
	size_t done;
	struct kfi_resolve names;
	bool print;
	u64 bad;
};

static void say(const char *fmt, ...) kfi_printf(1, 2);

static void say(const char *fmt, ...)
{
	va_list ap;

	fputs("sym2addr: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

static void say_text(void *arg, const char *text)
{
	say("%s", text);
}

static void list(struct job *job, const struct kfi_syms *syms, const struct kfi_sym *s, u32 n)
{
	char label[KFI_SYM_LABEL];

	for (; n; n--, s++) {
		struct kfi_str str = kfi_resolve_label(&job->names, syms, s, label);

		fprintf(stderr, "\t0x%0*llx %c %.*s", syms->wide ? 16 : 8,
			(unsigned long long)s->addr, s->type, (int)str.len, str.s);
		if (s->module.len)
			fprintf(stderr, " [%.*s]", (int)s->module.len, s->module.s);
		fputc('\n', stderr);
	}
}

/* No table has the function: what it may be instead. */
static void unknown(struct job *job, const struct kfi_func *f)
{
	const struct kfi_sym *s;
	bool data = false;
	u32 n = 0;

	for (u32 i = 0; i < job->names.ntables && !data; i++)
		data = kfi_syms_is_data(&job->names.table[i].syms, f->name, f->len);
	say("%s:%u:%u: unknown function \"%.*s\"%s", job->file, f->line, f->col, (int)f->len,
	    f->name, data ? ": it is data" : "");
	for (u32 i = 0; i < job->names.ntables && !n; i++) {
		const struct kfi_syms *syms = &job->names.table[i].syms;

		n = kfi_syms_parts(syms, f->name, f->len, &s);
		if (n)
			say("what the compiler has made of it:");
		list(job, syms, s, n);
	}
}

/* The table that has a function. Return: how many it has of that name; 0: none has it. */
static u32 find(struct job *job, const struct kfi_func *f, const struct kfi_syms **syms,
		const struct kfi_sym **s)
{
	u32 n = 0;

	*syms = &job->names.table[0].syms;
	for (u32 i = 0; i < job->names.ntables && !n; i++) {
		*syms = &job->names.table[i].syms;
		n = kfi_syms_named(*syms, f->name, f->len, s);
	}
	return n;
}

static void check(struct job *job, const struct kfi_func *f)
{
	const struct kfi_syms *syms;
	const struct kfi_sym *s;
	u32 n = find(job, f, &syms, &s);

	job->bad += n != 1;
	if (!n) {
		unknown(job, f);
	} else if (n > 1) {
		say("%s:%u:%u: \"%.*s\" is ambiguous, give one of %u by address:",
		    job->file, f->line, f->col, (int)f->len, f->name, n);
		list(job, syms, s, n);
	}
}

static void function(void *arg, const struct kfi_func *f)
{
	const struct kfi_syms *syms;
	const struct kfi_sym *s;
	struct job *job = arg;

	/* What a pattern or a module stands for is found out by the kernel. */
	if (f->kind != KFI_FUNC_NAME)
		return;
	if (!job->print) {
		check(job, f);
		return;
	}
	find(job, f, &syms, &s);
	fwrite(job->text + job->done, 1, f->name - job->text - job->done, stdout);
	printf("0x%0*llx", syms->wide ? 16 : 8, (unsigned long long)s->addr);
	job->done = f->name - job->text + f->len;
}

/* Nothing is printed unless all of it can be. Return: exit status. */
static int convert(struct job *job, size_t len)
{
	struct kfi_conf_err cerr;

	if (kfi_conf_walk(job->text, len, KFI_CONF_ANY, function, job, &cerr)) {
		say("%s:%u:%u: %s", job->file, cerr.line, cerr.col, cerr.reason);
		return 1;
	}
	if (job->bad)
		return 1;
	job->print = true;
	kfi_conf_walk(job->text, len, KFI_CONF_ANY, function, job, &cerr);
	fwrite(job->text + job->done, 1, len - job->done, stdout);
	return 0;
}

static void help(void)
{
	printf("usage: sym2addr CONFIGURATION MAP >CONFIGURATION.addr\n"
	       "       sym2addr OPTIONS CONFIGURATION >CONFIGURATION.addr\n"
	       "\n"
	       "Turns the function names of a trace configuration into 0x addresses, by MAP, which is\n"
	       "--map, or what other options name. Everything else stays as it is. \"-\" is standard\n"
	       "input.\n\n");
	kfi_opt_help(options, ARRAY_SIZE(options), stdout);
	printf("\n"
	       "Exit status: 0 done; 1 the configuration is wrong, or a name is unknown or stands for\n"
	       "several functions: nothing is printed then; 2 could not run.\n"
	       "\n"
	       "Example:\n"
	       "  sym2addr kficonf System.map >kficonf.addr\n");
}

int main(int argc, char **argv)
{
	struct job job = { 0 };
	struct kfi_err err;
	struct kfi_in in;
	int first, status = 2;
	size_t len;

	first = kfi_opt_parse(options, ARRAY_SIZE(options), argc, argv, &err);
	if (first < 0) {
		say("%s. See usage for help. (Use -h)", err.text);
		return 2;
	}
	if (want_help) {
		help();
		return 0;
	}
	if (want_version) {
		printf("sym2addr version " KFI_VERSION "\n");
		return 0;
	}
	if (argc - first == 2 && !files.map)
		files.map = argv[first + 1];
	else if (argc - first != 1)
		first = argc;
	if (first == argc || !(files.map || files.vmlinux || files.kallsyms)) {
		say("wants a configuration and a map. See usage for help. (Use -h)");
		return 2;
	}
	if (files.modules) {
		say("a module has no addresses until it is loaded: take --kallsyms, not --modules");
		return 2;
	}
	if (kfi_resolve_open(&job.names, &files, say_text, NULL, &err)) {
		say("Cannot read map file: %s", err.text);
		return 2;
	}
	if (kfi_in_open(&in, argv[first], &err)) {
		say("%s", err.text);
		goto free_syms;
	}
	job.file = in.name;
	if (kfi_in_rest(&in, &job.text, &len, &err)) {
		say("%s", err.text);
		goto close;
	}
	if (*in.fault) {
		say("%s: cannot be unpacked: %s", in.name, in.fault);
		goto close;
	}
	status = convert(&job, len);
	if (fflush(stdout) || ferror(stdout)) {
		say("cannot write: %s", strerror(errno));
		status = 2;
	}
close:
	kfi_in_close(&in);
free_syms:
	kfi_resolve_close(&job.names);
	return status;
}
