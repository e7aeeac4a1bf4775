// SPDX-License-Identifier: GPL-2.0
/*
 * sym2addr: turns the function names of a configuration into 0x addresses, for kernels that cannot
 * look names up themselves. Comments, lines, blanks, patterns and modules stay as they are.
 *
 * The configuration is read by the parser of the kernel (kfi_conf), so the kernel accepts what is
 * accepted here. A name with several addresses is rejected, and the addresses are listed. In the
 * input of sym2addr only, such a name may be written name@file.c. Before parsing, the file is
 * replaced by blanks.
 *
 * Addresses are those at which the kernel ran, if a copy of kallsyms says where that was.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "in.h"
#include "core/conf.h"
#include "opt.h"
#include "resolve.h"
#include "version.h"

static struct kfi_files files;
static bool want_help;
static bool want_version;

static const struct kfi_opt options[] = {
	KFI_RESOLVE_OPTIONS(files, 'm'),
	{ 0, "modules", KFI_OPT_STR, "DIR", &files.modules },
	{ 'h', "help", KFI_OPT_FLAG, NULL, &want_help, .help = "print this help" },
	{ 'V', "version", KFI_OPT_FLAG, NULL, &want_version, .help = "print the version" },
};

/**
 * struct job - a configuration that is being rewritten
 * @file: its name
 * @text: its text
 * @len: its length
 * @parsed: the same text with blanks in the place of files, for the parser
 * @files: number of functions so far that have a file
 * @done: number of bytes of @text that have been printed
 * @names: the symbol tables
 * @print: false in the first pass, which only checks
 * @bad: number of functions that could not be turned into an address
 */
struct job {
	const char *file;
	const char *text;
	size_t len;
	char *parsed;
	u32 files;
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

/* Return where a symbol of a table was when the kernel ran. */
static u64 ran_at(const struct kfi_table *t, const struct kfi_sym *s)
{
	u64 addr = s->addr + t->shift;

	return t->syms.wide ? addr : (u32)addr;
}

static void list(struct job *job, const struct kfi_table *t, const struct kfi_sym *s, u32 n)
{
	const struct kfi_syms *syms = &t->syms;
	char label[KFI_SYM_LABEL];

	for (; n; n--, s++) {
		struct kfi_str str = kfi_resolve_label(&job->names, syms, s, label);

		fprintf(stderr, "\t0x%0*llx %c %.*s", syms->wide ? 16 : 8,
			(unsigned long long)ran_at(t, s), s->type, (int)str.len, str.s);
		if (s->module.len)
			fprintf(stderr, " [%.*s]", (int)s->module.len, s->module.s);
		fputc('\n', stderr);
	}
}

/* Report a function that no table has, with similar names. */
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
		const struct kfi_table *t = &job->names.table[i];

		n = kfi_syms_parts(&t->syms, f->name, f->len, &s);
		if (n)
			say("what the compiler has made of it:");
		list(job, t, s, n);
	}
}

static bool file_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("._/+-", c));
}

/* Return the file behind a function that ends before @at, empty: none. */
static struct kfi_str file_at(const struct job *job, size_t at)
{
	size_t end = at + 1;

	if (at >= job->len || job->text[at] != '@')
		return (struct kfi_str){ "", 0 };
	while (end < job->len && file_byte(job->text[end]))
		end++;
	return (struct kfi_str){ job->text + at + 1, (u32)(end - at - 1) };
}

/*
 * Find a table that has a function. Return: number of functions with this name, in the file if one
 * is named; 0: none.
 */
static u32 find(struct job *job, const struct kfi_func *f, struct kfi_str file,
		const struct kfi_table **t, const struct kfi_sym **s)
{
	const struct kfi_sym *of = NULL;
	u32 n = 0, in = 0;

	*t = &job->names.table[0];
	for (u32 i = 0; i < job->names.ntables && !n; i++) {
		*t = &job->names.table[i];
		n = kfi_syms_named(&(*t)->syms, f->name, f->len, s);
	}
	for (u32 i = 0; file.len && i < n; i++) {
		if (!kfi_resolve_in(&job->names, &(*t)->syms, *s + i, file))
			continue;
		of = *s + i;
		in++;
	}
	if (in == 1) {
		*s = of;
		return 1;
	}
	return file.len && n == 1 ? 0 : n;
}

/* Return the file behind a function; the parsed part is as long as the text. */
static struct kfi_str file_of(const struct job *job, const struct kfi_func *f)
{
	return file_at(job, f->name - job->parsed + f->len);
}

/* Return a table that has a function of the kernel at other addresses only; NULL: none. */
static const struct kfi_table *
find_contradiction(const struct job *job, const struct kfi_func *f, const struct kfi_table *t,
		   const struct kfi_sym *s, u64 *addr)
{
	const struct kfi_sym *same;

	for (u32 i = 0; i < job->names.ntables; i++) {
		const struct kfi_table *other = &job->names.table[i];
		u32 n = kfi_syms_named(&other->syms, f->name, f->len, &same);
		bool is_other = false;

		for (; n; n--, same++) {
			if (same->module.len)
				continue;
			*addr = ran_at(other, same);
			is_other = *addr != ran_at(t, s);
			if (!is_other)
				break;
		}
		if (is_other)
			return other;
	}
	return NULL;
}

/* Check the only address that was found for a function. */
static void check_address(struct job *job, const struct kfi_func *f, const struct kfi_table *t,
			  const struct kfi_sym *s)
{
	const struct kfi_table *other;
	u64 addr;

	if (s->is_cut) {
		job->bad++;
		say("%s:%u:%u: \"%.*s\" may be a part of a name: it ends the last line of %s, which has no newline",
		    job->file, f->line, f->col, (int)f->len, f->name, t->path);
		return;
	}
	/* A module may have a function of the same name. */
	other = s->module.len ? NULL : find_contradiction(job, f, t, s, &addr);
	if (!other)
		return;
	job->bad++;
	say("%s:%u:%u: \"%.*s\" is at 0x%llx by %s, but at 0x%llx by %s: the files belong to different kernels, or the kernel was moved when it booted: give a copy of its /proc/kallsyms as --kallsyms",
	    job->file, f->line, f->col, (int)f->len, f->name,
	    (unsigned long long)ran_at(t, s), t->path, (unsigned long long)addr, other->path);
}

static void check(struct job *job, const struct kfi_func *f)
{
	struct kfi_str file = file_of(job, f);
	const struct kfi_table *t;
	const struct kfi_sym *s;
	u32 n = find(job, f, file, &t, &s);

	job->bad += n != 1;
	job->files += file.len > 0;
	if (!n && file.len) {
		say("%s:%u:%u: no function \"%.*s\" is known in %.*s", job->file, f->line,
		    f->col, (int)f->len, f->name, (int)file.len, file.s);
	} else if (!n) {
		unknown(job, f);
	} else if (n > 1) {
		say("%s:%u:%u: \"%.*s\" is ambiguous, give one of %u by address:",
		    job->file, f->line, f->col, (int)f->len, f->name, n);
		list(job, t, s, n);
	} else {
		check_address(job, f, t, s);
	}
}

static void function(void *arg, const struct kfi_func *f)
{
	const struct kfi_table *t;
	const struct kfi_sym *s;
	struct job *job = arg;
	struct kfi_str file;

	/* The kernel finds out what a pattern or a module stands for. */
	if (f->kind != KFI_FUNC_NAME)
		return;
	if (!job->print) {
		check(job, f);
		return;
	}
	file = file_of(job, f);
	find(job, f, file, &t, &s);
	fwrite(job->text + job->done, 1, f->name - job->parsed - job->done, stdout);
	printf("0x%0*llx", t->syms.wide ? 16 : 8, (unsigned long long)ran_at(t, s));
	job->done = f->name - job->parsed + f->len + (file.len ? file.len + 1 : 0);
}

/* Replace the files behind names by blanks, outside of comments. Return: number of files. */
static u32 blank_files(const struct job *job, char *copy)
{
	bool comment = false;
	u32 n = 0;

	for (size_t i = 0; i < job->len; i++) {
		struct kfi_str file;

		comment = job->text[i] == '#' || (comment && job->text[i] != '\n');
		file = comment || !i || !file_byte(job->text[i - 1]) ? (struct kfi_str){ "", 0 } :
								       file_at(job, i);
		if (!file.len)
			continue;
		memset(copy + i, ' ', file.len + 1);
		i += file.len;
		n++;
	}
	return n;
}

/* Check everything first: nothing is printed unless all of it can be. Return: exit status. */
static int convert(struct job *job)
{
	char *copy = malloc(job->len + 1);
	struct kfi_conf_err cerr;
	u32 pieces;
	int ret;

	if (!copy) {
		say("out of memory");
		return 2;
	}
	memcpy(copy, job->text, job->len);
	job->parsed = copy;
	pieces = blank_files(job, copy);
	ret = kfi_conf_walk(copy, job->len, function, job, &cerr);
	/* A file behind a word that is no function is an error, too. */
	if (!ret && job->files != pieces) {
		memcpy(copy, job->text, job->len);
		ret = kfi_conf_walk(copy, job->len, function, job, &cerr);
	}
	if (ret)
		say("%s:%u:%u: %s", job->file, cerr.line, cerr.col, cerr.reason);
	if (!ret && !job->bad) {
		job->print = true;
		kfi_conf_walk(copy, job->len, function, job, &cerr);
		fwrite(job->text + job->done, 1, job->len - job->done, stdout);
	}
	free(copy);
	return ret || job->bad;
}

static void report_shifts(const struct kfi_resolve *names)
{
	for (u32 i = 0; i < names->ntables; i++) {
		const struct kfi_table *t = &names->table[i];
		bool lower = (s64)t->shift < 0;

		if (t->shift)
			say("%s: the kernel ran 0x%llx %s, by %s: addresses are shifted", t->path,
			    (unsigned long long)(lower ? 0 - t->shift : t->shift),
			    lower ? "lower" : "higher", files.kallsyms);
	}
}

static void help(void)
{
	printf("usage: sym2addr CONFIGURATION MAP >CONFIGURATION.addr\n"
	       "       sym2addr OPTIONS CONFIGURATION >CONFIGURATION.addr\n"
	       "\n"
	       "Turns the function names of a trace configuration into 0x addresses, by MAP, which is\n"
	       "--map, or what other options name. Everything else stays as it is. \"-\" is standard\n"
	       "input. If several functions have a name, write NAME@FILE.c, as its message lists them.\n\n");
	kfi_opt_help(options, ARRAY_SIZE(options), 0, stdout);
	printf("\n"
	       "Exit status: 0 done; 1 the configuration is wrong, or a name is unknown or stands for\n"
	       "several functions: nothing is printed then; 2 could not run.\n"
	       "\n"
	       "Example:\n"
	       "  sym2addr kficonf System.map >kficonf.addr\n");
}

/* Return the exit status, which is 2 if the output could not be written. */
static int finish(int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	say("cannot write: %s", strerror(errno));
	return 2;
}

int main(int argc, char **argv)
{
	struct job job = { 0 };
	struct kfi_err err;
	struct kfi_in in;
	int first, status = 2;

	first = kfi_opt_parse(options, ARRAY_SIZE(options), argc, argv, NULL, &err);
	if (first < 0) {
		say("%s. See usage for help. (Use -h)", err.text);
		return 2;
	}
	if (want_help) {
		help();
		return finish(0);
	}
	if (want_version) {
		printf("sym2addr version " KFI_VERSION "\n");
		return finish(0);
	}
	if (argc - first == 2 && !files.map)
		files.map = argv[first + 1];
	else if (argc - first != 1)
		first = argc;
	if (first == argc || !(files.map || files.vmlinux || files.kallsyms)) {
		say("give a configuration and a map. See usage for help. (Use -h)");
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
	report_shifts(&job.names);
	if (kfi_in_whole(&in, argv[first], &job.text, &job.len, &err)) {
		say("%s", err.text);
		goto free_syms;
	}
	job.file = in.name;
	status = finish(convert(&job));
	kfi_in_close(&in);
free_syms:
	kfi_resolve_close(&job.names);
	return status;
}
