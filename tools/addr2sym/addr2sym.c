// SPDX-License-Identifier: GPL-2.0
/*
 * addr2sym: turns the addresses of a log into names, line by line, and changes nothing else.
 *
 * In a row the function becomes "name" and the call site "name+0xOFF". Columns keep their places as
 * far as the names fit. In the header only the functions of "Logging started/stopped ... by entry
 * to function" become names. This file has options and messages, addr2sym_line.c rewrites lines,
 * addr2sym_log.c tells them apart, lib/resolve.c finds names.
 */
#include <stdarg.h>
#include <stdio.h>

#include "addr2sym.h"
#include "term.h"
#include "version.h"

static struct kfi_files files;
static bool want_help;
static bool want_version;
static struct term term;
static struct job job;

static const struct kfi_opt options[] = {
	KFI_RESOLVE_OPTIONS(files, 'm'),
	KFI_RESOLVE_MODULES(files),
	{ 0, "srcline", KFI_OPT_FLAG, NULL, &job.lines, .help =
	  "end each row with \"# FILE:LINE < FILE:LINE\", of the function\n"
	  "and of the call, by the debug information of the kernel" },
	TERM_PAGER_OPTION(term),
	{ 'h', "help", KFI_OPT_FLAG, NULL, &want_help, .help = "print this help" },
	{ 'V', "version", KFI_OPT_FLAG, NULL, &want_version, .help = "print the version" },
};

static void say(const char *fmt, ...) kfi_printf(1, 2);

static void say(const char *fmt, ...)
{
	va_list ap;

	term_say();
	kfi_out_flush(&job.out);
	fflush(stdout);
	fputs("addr2sym: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

static void say_text(void *arg, const char *text)
{
	say("%s", text);
}

/* Return the name that messages have for the symbol table. */
static const char *table_name(void)
{
	return job.names.ntables == 1 ? job.names.table[0].path : "the symbol tables";
}

/* Report addresses without a name, after the last line. Return: exit status. */
static int report_unnamed(void)
{
	struct kfi_err err, faults[KFI_LOG_FAULTS];
	int status = job.names.bad;
	u32 n;

	if (job.unnamed)
		say("note: %llu of %llu blocks are in no symbol of %s: left as they are",
		    (unsigned long long)job.unnamed, (unsigned long long)job.blocks, table_name());
	if (!job.rows && !job.log.in_rows && !*job.log.in.fault) {
		if (job.blocks)
			return status;
		say("%s: not a KFI log: no call and no line of dashes in it", job.log.in.name);
		return 1;
	}
	n = kfi_log_faults(&job.log, &job.tally, faults);
	for (u32 i = 0; i < n; i++) {
		say("%s", faults[i].text);
		status = 1;
	}
	if (job.lines && job.rows && !job.rows_with_line) {
		say("no row has a source line: the symbols have no debug information");
		status = 1;
	}
	if (kfi_resolve_check(&job.names, job.log.in.name, &err)) {
		say("%s", err.text);
		status = 1;
	}
	if (job.names.unknown) {
		say("%s:%llu: 0x%llx is in no symbol of %s; %llu such address%s left as they are",
		    job.log.in.name, (unsigned long long)job.first_line,
		    (unsigned long long)job.names.first_unknown, table_name(),
		    (unsigned long long)job.names.unknown, job.names.unknown > 1 ? "es" : "");
		status = 1;
	}
	return status;
}

static void help(void)
{
	printf("usage: addr2sym -m MAP [FILE] >LISTING\n"
	       "\n"
	       "Turns the addresses of a KFI or KFT log into names. FILE is what was read from\n"
	       "/proc/kfi_trace or /proc/kfi_raw, or a trace of QEMU's blocks as text; without it, or\n"
	       "if it is \"-\", standard input is read.\n\n");
	kfi_opt_help(options, ARRAY_SIZE(options), 0, stdout);
	printf("\n"
	       "Addresses in no symbol stay as they are.\n"
	       "Exit status: 0 done, 1 something was not found or not readable, 2 could not run.\n"
	       "\n"
	       "Examples:\n"
	       "  addr2sym kfi.log -m System.map >kfi.lst\n"
	       "  addr2sym <kfi.log -m System.map | kd -n 15 -\n");
}

/* Return the exit status, which is 2 if the output could not be written. */
static int finish(int status)
{
	if ((!fflush(stdout) && !ferror(stdout)) || term_left())
		return status;
	say("cannot write: %s", strerror(errno));
	return 2;
}

int main(int argc, char **argv)
{
	struct kfi_err err;
	int first, status = 2;

	job.out.file = stdout;
	first = kfi_opt_parse(options, ARRAY_SIZE(options), argc, argv, NULL, &err);
	if (first < 0) {
		say("Error: %s. See usage for help. (Use -h)", err.text);
		return 2;
	}
	if (want_help) {
		help();
		return finish(0);
	}
	if (want_version) {
		printf("addr2sym version " KFI_VERSION "\n");
		return finish(0);
	}
	if (!kfi_files_any(&files)) {
		say("Error: no map file specified. See usage for help. (Use -h)");
		return 2;
	}
	if (argc - first > 1) {
		say("Error: one file at a time, not %d. See usage for help. (Use -h)",
		    argc - first);
		return 2;
	}
	if (term_begin(&term, "addr2sym", true, &err)) {
		say("Error: %s. See usage for help. (Use -h)", err.text);
		return 2;
	}
	if (kfi_resolve_open(&job.names, &files, say_text, NULL, &err)) {
		say("Error: Cannot read map file: %s", err.text);
		return 2;
	}
	if (kfi_in_open(&job.log.in, first < argc ? argv[first] : "-", &err)) {
		say("Error: Cannot read log: %s", err.text);
		kfi_resolve_close(&job.names);
		return 2;
	}
	term_watch(&job.log);
	if (convert(&job, &err))
		say("%s", err.text);
	else
		status = report_unnamed();
	term_done();
	kfi_out_flush(&job.out);
	status = finish(status);
	kfi_log_close(&job.log);
	kfi_resolve_close(&job.names);
	return status;
}
