// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: kd's answers to any log. The first three bytes say what is asked, of which calls,
 * and in which form; the rest is the log. What kd.c does with a command line is not in it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kd.h"
#include "kd_html.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int make_page(struct kd *kd, struct kfi_err *err)
{
	char *notes[] = { "a note" };

	return kd_html_end(kd_html(kd, err), notes, 1, err);
}

static int (*const questions[KD_MODES])(struct kd *kd, struct kfi_err *err) = {
	[KD_SUMMARY] = kd_summary, [KD_BOOT] = kd_boot, [KD_CALLS] = kd_trace, [KD_TREE] = kd_tree,
	[KD_FIRST] = kd_first, [KD_LONGEST] = kd_first, [KD_GAPS] = kd_gaps,
	[KD_INITCALLS] = kd_initcalls, [KD_MARKS] = kd_marks, [KD_EXPORT] = kd_export,
	[KD_HTML] = make_page,
};

/* Those that write to standard output. */
static const char *const exports[] = {
	"folded", "chrome", "perfetto", "speedscope", "callgrind", "pprof", "flamegraph",
	"graphviz", "bootchart",
};

/* As kd.c has them, but that nobody is told. */
void kd_note(const char *fmt, ...)
{
	(void)fmt;
}

void kd_say(const char *text)
{
	(void)text;
}

int kd_columns(struct kd *k, const char *format, const struct kd_column *columns, size_t ncolumns,
	       const char *known, char out[KD_COLUMNS_MAX], struct kfi_err *err)
{
	size_t n = 0;

	for (; *format; format++) {
		bool is = false;

		for (size_t i = 0; i < ncolumns; i++)
			is |= columns[i].id == *format && (!known || strchr(known, *format));
		if (is)
			out[n++] = *format;
	}
	out[n] = '\0';
	return 0;
}

static void set_filter(struct kd_filter *f, uint8_t what)
{
	f->depth = what & 1 ? 2 : U64_MAX;
	f->pattern[KD_FUNC].text = what & 2 ? "*a*,re*" : NULL;
	f->pattern[KD_UNDER].text = what & 4 ? "re:^[a-m]" : NULL;
	f->pattern[what & 8 ? KD_CALLERS : KD_CALLEES].text = what & 16 ? "*" : NULL;
	f->pids = what & 32 ? "0-9,-1" : NULL;
	f->from = what & 64 ? "1us" : NULL;
	f->ctxs = what & 128 ? "th" : NULL;
}

static void ask_once(struct kd kd, uint32_t question)
{
	struct kfi_err err;

	kd.opt.mode = question;
	if (!kd_open(&kd, "-", &err)) {
		questions[question](&kd, &err);
		kd_close(&kd);
	}
	kfi_names_free(&kd.in.names);
	free(kd.in.matches.bits);
}

static void ask(const uint8_t *data)
{
	uint8_t how = data[2];
	struct kd kd = {
		.opt = {
			.num = how & 1 ? 3 : U64_MAX, .depth = U64_MAX, .threshold = 5,
			.interlaced = how & 4, .braces = how & 8, .at_parse = how & 16,
			.out = how & 32 ? KD_OUT_JSON : how & 64 ? KD_OUT_CSV : KD_OUT_TEXT,
			.format = how & 128 ? NULL : "FctarslLpwiAMPQZmnoCue",
			.sort = how & 4 ? "+lFQ" : "t",
			.without = how & 2 ? "slow_probe" : NULL,
			/* The log itself, from its beginning. */
			.dmesg = how & 8 ? "/proc/self/fd/0" : NULL,
			.export = exports[(how >> 1) % ARRAY_SIZE(exports)],
		},
		.in = { .last_ns = -1 },
	};
	uint32_t question = data[0] % KD_MODES;
	struct kfi_err err;
	char *both[] = { "-", "-" };

	if (kd.opt.at_parse)
		kd.opt.out = KD_OUT_TEXT;
	set_filter(&kd.opt.filter, data[1]);
	if (kd_filter_parse(&kd.opt.filter, &err))
		abort();
	kd.opt.filtered = kd.opt.filter.calls || kd.opt.filter.pattern[KD_FUNC].text;
	if (question == KD_DIFF) {
		kd.opt.mode = question;
		kd.opt.sort = "Q";
		kd_diff(&kd, 2, both, &err);
		kfi_names_free(&kd.in.names);
		free(kd.in.matches.bits);
	} else {
		ask_once(kd, question);
	}
	kd_filter_free(&kd.opt.filter);
}

/* Makes the log standard input, one file for all of them: opening one each time takes long. */
static void give(const uint8_t *data, size_t size)
{
	static bool made;
	int fd = made ? STDIN_FILENO : memfd_create("log", MFD_CLOEXEC);

	if (!made && (fd < 0 || dup2(fd, STDIN_FILENO) < 0))
		abort();
	if (!made)
		close(fd);
	made = true;
	if (ftruncate(STDIN_FILENO, 0) || lseek(STDIN_FILENO, 0, SEEK_SET) ||
	    pwrite(STDIN_FILENO, data, size, 0) != (ssize_t)size)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static FILE *nowhere;
	FILE *out = stdout;

	if (size < 3)
		return 0;
	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	if (!nowhere)
		abort();
	give(data + 3, size - 3);
	stdout = nowhere;
	ask(data);
	fflush(stdout);
	stdout = out;
	return 0;
}
