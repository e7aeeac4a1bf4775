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
#include "sym.h"
#include "version.h"

static bool want_help;
static bool want_version;

static const struct kfi_opt options[] = {
	{ 'h', "help", KFI_OPT_FLAG, NULL, &want_help, .help = "print this help" },
	{ 'V', "version", KFI_OPT_FLAG, NULL, &want_version, .help = "print the version" },
};

/**
 * struct job - one configuration being rewritten
 * @file: its name
 * @text: its text
 * @done: bytes of it already printed
 * @syms: the map
 * @print: false on the first pass, which only checks
 * @bad: functions that could not be turned into an address
 */
struct job {
	const char *file;
	const char *text;
	size_t done;
	struct kfi_syms syms;
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

static void refuse(struct job *job, const struct kfi_func *f, const struct kfi_sym *s, u32 n)
{
	job->bad++;
	if (n > 1) {
		say("%s:%u:%u: \"%.*s\" is ambiguous, give one of %u by address:",
		    job->file, f->line, f->col, (int)f->len, f->name, n);
		for (u32 i = 0; i < n; i++)
			fprintf(stderr, "\t0x%0*llx %c %.*s\n", job->syms.wide ? 16 : 8,
				(unsigned long long)s[i].addr, s[i].type, (int)f->len, f->name);
		return;
	}
	say("%s:%u:%u: unknown function \"%.*s\"%s",
	    job->file, f->line, f->col, (int)f->len, f->name,
	    kfi_syms_is_data(&job->syms, f->name, f->len) ? ": it is data" : "");
}

static void function(void *arg, const struct kfi_func *f)
{
	struct job *job = arg;
	const struct kfi_sym *s;
	u32 n;

	/* What a pattern or a module stands for is found out by the kernel. */
	if (f->kind != KFI_FUNC_NAME)
		return;
	n = kfi_syms_named(&job->syms, f->name, f->len, &s);
	if (!job->print) {
		if (n != 1)
			refuse(job, f, s, n);
		return;
	}
	fwrite(job->text + job->done, 1, f->name - job->text - job->done, stdout);
	printf("0x%0*llx", job->syms.wide ? 16 : 8, (unsigned long long)s->addr);
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
	       "\n"
	       "Turns the function names of a trace configuration into 0x addresses, by System.map or\n"
	       "a copy of /proc/kallsyms. Everything else stays as it is. \"-\" is standard input.\n\n");
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
	if (argc - first != 2) {
		say("wants a configuration and a map. See usage for help. (Use -h)");
		return 2;
	}
	if (kfi_syms_load(&job.syms, argv[first + 1], &err)) {
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
	status = convert(&job, len);
	if (fflush(stdout) || ferror(stdout)) {
		say("cannot write: %s", strerror(errno));
		status = 2;
	}
close:
	kfi_in_close(&in);
free_syms:
	kfi_syms_free(&job.syms);
	return status;
}
