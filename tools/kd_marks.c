// SPDX-License-Identifier: GPL-2.0
/* kd's list of marks (-k). Of the filters those hold that a mark can answer. */
#include <stdlib.h>

#include "kd.h"

static const struct kd_column columns[] = {
	{ 'e', " Entry    ", 10, NULL, "entry_ns" },
	{ 'C', "Cpu", 3, NULL, "cpu" },
	{ 'T', " Task  ", 7, NULL, "task" },
	{ 'x', "Ctx", 3, NULL, "ctx" },
	{ 'M', "Mark", 0, NULL, "mark" },
};

static bool is_asked_for(const struct kd *kd, const struct kfi_log_mark *m)
{
	const struct kfi_row at = {
		.entry_ns = m->entry_ns, .task = m->task, .cpu = m->cpu, .ctx = m->ctx,
	};

	return kd_filter_row(&kd->opt.filter, &at);
}

static int print(struct kd_table *t, const struct kfi_log_mark *m)
{
	char *text = strndup(m->text.s, m->text.len);

	if (!text)
		return -ENOMEM;
	kd_cell_time(t, m->entry_ns, false);
	kd_cell_count(t, m->cpu);
	kd_cell_count(t, m->task);
	kd_cell_text(t, (const char[]){ KFI_CTX_LETTERS[m->ctx], '\0' });
	kd_cell_text(t, text);
	kd_row_end(t);
	free(text);
	return 0;
}

int kd_marks(struct kd *kd, struct kfi_err *err)
{
	struct kd_table t = { .out = kd->opt.out };
	int item;

	kd_table_begin(&t, columns, ARRAY_SIZE(columns), NULL, false);
	while ((item = kd_item(kd, err)) > 0) {
		if (item != KFI_LINE_MARK || !is_asked_for(kd, &kd->in.log.mark) ||
		    t.rows >= kd->opt.num)
			continue;
		if (print(&t, &kd->in.log.mark))
			return kfi_err_set(err, ENOMEM, "out of memory");
	}
	return item;
}
