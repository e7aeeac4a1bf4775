/* SPDX-License-Identifier: GPL-2.0 */
/* Asking kd for what it knows of a log, for fuzz targets. */
#ifndef KFI_FUZZ_KD_ASK_H
#define KFI_FUZZ_KD_ASK_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "kd.h"
#include "kd_alone.h"
#include "kd_html.h"
#include "kd_tui.h"
#include "kd_tui_draw.h"

static int make_page(struct kd *kd, struct kfi_err *err)
{
	char *notes[] = { "a note" };

	return kd_html_end(kd_html(kd, err), notes, 1, false, err);
}

/* Lines that are unfolded: of a large log some are enough. */
#define LINES	300

/* What the terminal browser makes of a log, whatever keys are pressed. */
static int browse_tree(const struct tui_log *log, bool merged, enum tui_scope scope, u32 id)
{
	struct tui_tree t = { .log = log, .merged = merged, .scope = scope, .id = id };
	char text[64];
	u32 row;
	int ret = tui_tree_make(&t);

	for (u32 i = 0; !ret && i < t.nrows && i < LINES; i++) {
		struct kfi_str name = log->kd->in.names.str[t.node[t.row[i]].sums.func];

		ret = tui_tree_open(&t, t.row[i], true);
		if (tui_clean(text, sizeof(text), name.s, name.len, 1, 20) > 20)
			abort();
	}
	for (u32 i = TUI_BY_FIRST; !ret && i <= TUI_BY_MAX; i++)
		ret = tui_tree_sort(&t, i);
	/* Each call of the tree has a row. */
	for (u32 i = 0; !ret && i < log->n && i < LINES; i++) {
		ret = tui_tree_show(&t, i, &row);
		if (!ret != (t.in_scope && !t.in_scope[i]) ||
		    (ret > 0 && !tui_tree_has(&t, t.row[row], i)))
			abort();
		ret = ret < 0 ? ret : 0;
	}
	for (u32 i = tui_tree_longest(&t, KFI_NONE), n = 0; i != KFI_NONE && n < 9; n++) {
		u32 next = tui_tree_longest(&t, i);

		if (next != KFI_NONE && log->call[next].delta > log->call[i].delta)
			abort();
		i = next;
	}
	tui_tree_free(&t);
	return ret;
}

static int browse(struct kd *kd, struct kfi_err *err)
{
	struct tui_list list = { 0 };
	struct tui_log log;
	int ret;

	kd->opt.out = KD_OUT_TEXT;
	kd->opt.dmesg = kd->opt.without = NULL;
	ret = tui_log_read(&log, kd, err);
	for (u32 i = 0; i < log.report.n && !ret; i++)
		if (log.report.line[i].place != KFI_NONE && log.report.line[i].place >= log.n)
			abort();
	ret = ret ? : browse_tree(&log, false, TUI_ALL, 0);
	ret = ret ? : browse_tree(&log, true, TUI_ALL, 0);
	if (!ret && log.n) {
		ret = browse_tree(&log, false, TUI_FUNC, log.call[0].func);
		ret = ret ? : browse_tree(&log, true, TUI_FUNC, log.call[log.n - 1].func);
		ret = ret ? : browse_tree(&log, true, TUI_TASK, (u32)log.call[log.n / 2].task);
		ret = ret ? : tui_list_butterfly(&list, &log, log.call[log.n / 2].func);
	}
	ret = ret ? : tui_list_functions(&list, &log);
	if (!ret)
		tui_list_sort(&list, TUI_BY_SELF);
	if (!ret)
		tui_tasks_sort(&log, TUI_BY_COUNT);
	free(list.row);
	tui_log_free(&log);
	return ret;
}

static int (*const questions[KD_MODES])(struct kd *kd, struct kfi_err *err) = {
	[KD_SUMMARY] = kd_summary, [KD_BOOT] = kd_boot, [KD_CALLS] = kd_trace,
	[KD_FOLLOW] = kd_follow, [KD_TREE] = kd_tree, [KD_FIRST] = kd_first,
	[KD_LONGEST] = kd_first, [KD_GAPS] = kd_gaps, [KD_INITCALLS] = kd_initcalls,
	[KD_MARKS] = kd_marks, [KD_ARGS] = kd_args, [KD_ERRORS] = kd_args,
	[KD_EXPORT] = kd_export, [KD_HTML] = make_page, [KD_TUI] = browse,
};

/* Those that write to standard output. */
static const char *const exports[] = {
	"folded", "chrome", "perfetto", "speedscope", "callgrind", "pprof", "flamegraph",
	"graphviz", "bootchart",
};

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

static void ask_once(struct kd kd, uint8_t question)
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

static void ask_input(uint8_t question, uint8_t filters, uint8_t how)
{
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
	};
	struct kfi_err err;
	char *both[] = { "-", "-" };

	if (kd.opt.at_parse)
		kd.opt.out = KD_OUT_TEXT;
	set_filter(&kd.opt.filter, filters);
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

/* Ask a question of a log. Modes behind that of the browser read files: fuzz_record. */
static void ask(const uint8_t *data, size_t size, uint8_t question, uint8_t filters, uint8_t how)
{
	static FILE *nowhere;
	FILE *out = stdout;

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	if (!nowhere)
		abort();
	give(data, size);
	stdout = nowhere;
	ask_input(question, filters, how);
	fflush(stdout);
	stdout = out;
}

#endif /* KFI_FUZZ_KD_ASK_H */
