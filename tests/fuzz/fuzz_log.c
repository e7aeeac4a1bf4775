// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: any bytes as a log, read, put into trees by all rules, and checked for what must
 * hold of every row and every tree.
 */
#include <stdlib.h>

#include "ranges.h"
#include "log.h"
#include "tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MUST(x)	do { if (!(x)) abort(); } while (0)

static void over(void *arg, const struct kfi_tree_frame *f)
{
	u64 *n = arg;

	(*n)++;
	MUST(f->level >= 1);
	MUST(f->child_ns >= 0);
	MUST(f->delta_ns >= -1);
}

static void check_row(const struct kfi_log *log, const struct kfi_row *row, const uint8_t *data,
		      size_t size)
{
	const char *s = (const char *)data;

	MUST(row->entry_ns >= 0);
	MUST(row->delta_ns >= -1 && row->local_ns >= -1);
	MUST(row->off_ns >= -1 && row->irq_ns >= -1);
	MUST(row->delta_ns >= 0 || (row->local_ns & row->off_ns & row->irq_ns) == -1);
	MUST(row->delta_ns < 0 || row->entry_ns <= S64_MAX - row->delta_ns);
	MUST(row->ctx < KFI_CTX_COUNT);
	MUST(row->func.len && row->caller.len);
	/* The names of a raw log's rows are made. */
	if (log->raw)
		return;
	if (row->func.s == log->console.joined.s ||
	    (row->func.s > log->console.text &&
	     row->func.s < log->console.text + sizeof(log->console.text))) {
		s = log->console.text;
		size = sizeof(log->console.text);
	}
	MUST(row->func.s >= s && row->func.s + row->func.len <= s + size);
	MUST(row->caller.s >= s && row->caller.s + row->caller.len <= s + size);
}

static void check_others(const struct kfi_log *log, int item)
{
	const struct kfi_log_mark *m = &log->mark;

	if (item == KFI_LINE_MARK) {
		MUST(log->kind == KFI_LOG_FORMAT3);
		MUST(m->entry_ns >= 0 && m->cpu >= -1 && m->task >= -1 && m->ctx < KFI_CTX_COUNT);
		MUST(m->kind.len && m->kind.s == m->text.s && m->text.len >= m->kind.len);
	}
	if (item == KFI_LINE_SUMS)
		MUST(log->kind == KFI_LOG_PROFILE && log->sums.func.len);
}

static u64 read_with(enum kfi_tree_rule rule, const uint8_t *data, size_t size)
{
	struct kfi_names names = { 0 };
	struct kfi_tree tree;
	struct kfi_log log;
	struct kfi_row row;
	struct kfi_err err;
	u64 n = 0, overs = 0, others = 0, summed = 0;
	int item;

	kfi_in_memory(&log.in, "log", data, size);
	kfi_log_start(&log);
	if (kfi_log_begin(&log, &err)) {
		kfi_log_raw_close(&log);
		return 0;
	}
	kfi_tree_init(&tree, rule, over, &overs);
	while ((item = kfi_log_item(&log, &row, &err)) > 0) {
		struct kfi_tree_call call = { .row = &row, .id = (u32)n };
		struct kfi_tree_place place;
		const char *plus;

		check_others(&log, item);
		if (item == KFI_LINE_MARK)
			kfi_tree_end_task(&tree, log.mark.task, log.mark.entry_ns);
		summed += item == KFI_LINE_SUMS ? log.sums.count + log.sums.untimed : 0;
		others += item == KFI_LINE_MARK || item == KFI_LINE_WATCH;
		if (item == KFI_LINE_ROW || item == KFI_LINE_WATCH) {
			check_row(&log, &row, data, size);
			MUST(row.watch == (item == KFI_LINE_WATCH));
		}
		if (item == KFI_LINE_WATCH) {
			MUST(row.delta_ns == -1);
			MUST(kfi_tree_find_place(&tree, &row, &place) == 0);
			MUST(place.parent == KFI_NONE || place.parent < n);
			MUST((place.parent == KFI_NONE) == (place.level == 1));
		}
		if (item != KFI_LINE_ROW)
			continue;
		plus = memchr(row.caller.s, '+', row.caller.len);
		call.func = kfi_names_get(&names, row.func.s, row.func.len);
		call.caller = kfi_names_find(&names, row.caller.s,
					     plus ? (u32)(plus - row.caller.s) : row.caller.len);
		MUST(kfi_tree_add(&tree, &call, &place) == 0);
		MUST(place.parent == KFI_NONE || place.parent < n);
		MUST((place.parent == KFI_NONE) == (place.level == 1));
		n++;
	}
	kfi_tree_flush(&tree);
	MUST(overs == n);
	MUST(log.rows == n + summed && log.others == others);
	kfi_log_check(&log, &err);
	kfi_log_raw_close(&log);
	kfi_tree_free(&tree);
	kfi_names_free(&names);
	return n;
}

/* A raw log as it comes: rows are those of any log, but for their order. */
static void follow(const uint8_t *data, size_t size)
{
	struct kfi_log log;
	struct kfi_row row;
	struct kfi_err err;
	u64 n = 0, others = 0;
	int item;

	kfi_in_memory(&log.in, "log", data, size);
	kfi_log_start(&log);
	log.follow = true;
	if (!kfi_log_begin(&log, &err)) {
		while ((item = kfi_log_item(&log, &row, &err)) > 0) {
			check_others(&log, item);
			if (item == KFI_LINE_ROW || item == KFI_LINE_WATCH)
				check_row(&log, &row, data, size);
			n += item == KFI_LINE_ROW;
			others += item == KFI_LINE_WATCH || item == KFI_LINE_MARK;
		}
		MUST(log.rows == n && log.others == others);
		kfi_log_check(&log, &err);
	}
	kfi_log_close(&log);
}

/* Every line as one of a header's table of modules. */
static void read_ranges(const uint8_t *data, size_t size)
{
	struct kfi_ranges ranges = { 0 };
	const struct kfi_range *code;
	const struct kfi_module_range *module;
	struct kfi_in in;
	const char *s;
	size_t len;

	kfi_in_memory(&in, "log", data, size);
	while (kfi_in_line(&in, &s, &len, NULL) > 0)
		MUST(kfi_ranges_line(&ranges, s, len) == 0);
	for (u32 i = 0; i < ranges.n && i < 16; i++) {
		const struct kfi_range *c = &ranges.module[i].code;

		MUST(strlen(ranges.module[i].name) < sizeof(ranges.module[i].name));
		if (kfi_ranges_at(&ranges, c->addr, c->from, &module, &code) == KFI_RANGE_MODULE)
			MUST(c->addr - code->addr < code->size);
	}
	kfi_ranges_free(&ranges);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	u64 n = read_with(KFI_TREE_DEPTH, data, size);

	read_ranges(data, size);
	follow(data, size);
	MUST(read_with(KFI_TREE_CALLER, data, size) == n);
	MUST(read_with(KFI_TREE_TIME, data, size) == n);
	return 0;
}
