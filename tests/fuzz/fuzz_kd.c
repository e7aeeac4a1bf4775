// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: kd's answers to any log. The first three bytes say what is asked, of which calls,
 * and in which form; the rest is the log. What kd.c does with a command line is not in it. A table
 * of functions is made twice: of a raw log read from its end back, if that can be, and in order.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../tools/kd.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int (*const questions[])(struct kd *kd, struct kfi_err *err) = {
	kd_summary, kd_tree, kd_first, kd_gaps, kd_initcalls, kd_trace, kd_marks,
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

void kd_columns(struct kd *k, const char *format, const char *known, char *out, size_t size)
{
	size_t n = 0;

	for (; *format; format++)
		if (strchr(known, *format) && n + 1 < size)
			out[n++] = *format;
	out[n] = '\0';
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

/* What kd counts besides what it prints. */
static void same_counts(const struct kd *a, const struct kd *b)
{
	if (a->calls != b->calls || a->taken != b->taken || a->opened != b->opened ||
	    a->unwound != b->unwound || a->notime != b->notime || a->recursive != b->recursive ||
	    a->marks != b->marks || a->watch_rows != b->watch_rows ||
	    a->addresses != b->addresses || a->unordered != b->unordered ||
	    a->log.rows != b->log.rows || a->log.others != b->log.others ||
	    a->matches.seen != b->matches.seen)
		abort();
}

/* @in_order: such that the place of each call in its tree is asked for, if that changes nothing. */
static struct kd ask_once(struct kd kd, uint32_t question, bool in_order)
{
	struct kfi_err err;

	if (lseek(STDIN_FILENO, 0, SEEK_SET))
		abort();
	if (!kd_open(&kd, "-", &err)) {
		if (in_order)
			kd.filter.depth--;
		questions[question](&kd, &err);
		kd_close(&kd);
	}
	kfi_names_free(&kd.names);
	free(kd.matches.bits);
	return kd;
}

/* The same answer in two ways. */
static void ask_twice(const struct kd *kd)
{
	FILE *out = stdout;
	char *text[2];
	size_t len[2];
	struct kd after[2];

	for (int i = 0; i < 2; i++) {
		stdout = open_memstream(&text[i], &len[i]);
		if (!stdout)
			abort();
		after[i] = ask_once(*kd, 0, i);
		fclose(stdout);
	}
	stdout = out;
	if (len[0] != len[1] || memcmp(text[0], text[1], len[0]))
		abort();
	same_counts(&after[0], &after[1]);
	free(text[0]);
	free(text[1]);
}

static void ask(const uint8_t *data)
{
	uint8_t how = data[2];
	struct kd kd = {
		.num = how & 1 ? 3 : U64_MAX, .depth = U64_MAX, .last_ns = -1, .threshold = 5,
		.longest = how & 2, .interlaced = how & 4, .braces = how & 8, .at_parse = how & 16,
		.out = how & 32 ? KD_OUT_JSON : how & 64 ? KD_OUT_CSV : KD_OUT_TEXT,
		.format = how & 128 ? NULL : "FctarslLpwiAMPQZmnoCue", .sort = how & 4 ? "+lFQ" : "t",
	};
	uint32_t question = data[0] % (ARRAY_SIZE(questions) + 1);
	struct kfi_err err;
	char *both[] = { "-", "-" };

	if (kd.at_parse)
		kd.out = KD_OUT_TEXT;
	set_filter(&kd.filter, data[1]);
	if (kd_filter_parse(&kd.filter, &err))
		abort();
	kd.filtered = kd.filter.calls || kd.filter.pattern[KD_FUNC].text;
	if (question == ARRAY_SIZE(questions)) {
		kd.sort = "Q";
		kd_diff(&kd, 2, both, &err);
		kfi_names_free(&kd.names);
		free(kd.matches.bits);
	} else if (!question && kd.filter.depth == U64_MAX) {
		ask_twice(&kd);
	} else {
		ask_once(kd, question, false);
	}
	kd_filter_free(&kd.filter);
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
