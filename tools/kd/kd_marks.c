// SPDX-License-Identifier: GPL-2.0
/*
 * Prints kd's list of marks (-k), and keeps the names of tasks, which come from marks. Only filters
 * that make sense for a mark apply.
 */
#include <stdlib.h>

#include "kd_initcalls.h"

static const struct kd_column columns[] = {
	{ 'e', " Entry    ", 10, NULL, "entry_ns" },
	{ 'C', "Cpu", 3, NULL, "cpu" },
	{ 'T', " Task  ", 7, NULL, "task" },
	{ 'k', "Name", -15, NULL, "comm" },
	{ 'x', "Ctx", 3, NULL, "ctx" },
	{ 'M', "Mark", 0, NULL, "mark" },
};

bool kd_mark_pid(const struct kfi_log_mark *m, s32 *pid)
{
	struct kfi_str word = kd_mark_word(m, 1);
	s64 v = 0;

	for (u32 i = 0; i < word.len; i++) {
		if (word.s[i] < '0' || word.s[i] > '9')
			return false;
		v = 10 * v + (word.s[i] - '0');
		if (v > INT32_MAX)
			return false;
	}
	*pid = (s32)v;
	return word.len;
}

void kd_tree_mark(const struct kd *kd, struct kfi_tree *tree)
{
	const struct kfi_log_mark *m = &kd->in.log.mark;
	s32 pid;

	if (kfi_log_mark_is(m, "new") && kd_mark_pid(m, &pid))
		kfi_tree_end_task(tree, pid, m->entry_ns);
}

int kd_comm_keep(struct kd *kd, s32 pid, s64 from, struct kfi_str name)
{
	struct kd_input *in = &kd->in;
	u32 number = kfi_names_get(&in->comms, name.s, name.len);
	u32 *last = number == KFI_NONE ? NULL : kfi_map_get(&in->comm_of, (u32)pid, KFI_NONE);

	if (!last)
		return -ENOMEM;
	if (*last != KFI_NONE && in->comm[*last].name == number)
		return 0;
	/* A log that never ends keeps only the latest name of each task. */
	if (*last != KFI_NONE && in->log.follow) {
		in->comm[*last] = (struct kd_named){ from, number, KFI_NONE };
		return 0;
	}
	if (kfi_grow((void **)&in->comm, &in->comm_room, in->ncomms + 1, sizeof(*in->comm)))
		return -ENOMEM;
	in->comm[in->ncomms] = (struct kd_named){ .from = from, .name = number, .before = *last };
	*last = in->ncomms++;
	return 0;
}

int kd_comm_mark(struct kd *kd)
{
	const struct kfi_log_mark *m = &kd->in.log.mark;
	bool is_exec = kfi_log_mark_is(m, "exec");
	struct kfi_str name = kd_mark_word(m, is_exec ? 1 : 2);
	s32 pid = m->task;

	if (!is_exec && !kfi_log_mark_is(m, "switch") && !kfi_log_mark_is(m, "preempt") &&
	    !kfi_log_mark_is(m, "new"))
		return 0;
	if (!name.len || (!is_exec && !kd_mark_pid(m, &pid)))
		return 0;
	/* The name is the rest of the text: it may have blanks. */
	name.len = (u32)(m->text.s + m->text.len - name.s);
	return kd_comm_keep(kd, pid, m->entry_ns, name);
}

const char *kd_comm(const struct kd *kd, s32 pid, s64 at)
{
	const u32 *last = pid > 0 ? kfi_map_find(&kd->in.comm_of, (u32)pid) : NULL;
	const struct kd_named *c = last ? &kd->in.comm[*last] : NULL;
	const char *name;

	/* A task had its first name before the mark that tells it. */
	while (c && c->from > at && c->before != KFI_NONE)
		c = &kd->in.comm[c->before];
	name = c ? kd->in.comms.str[c->name].s : NULL;

	/* Until task 1 executes init, it has the name of the task that made it. */
	return name && pid == 1 && !strncmp(name, "swapper", 7) ? "kernel_init" : name;
}

void kd_comm_cell(const struct kd *kd, struct kd_table *t, s32 pid, s64 at)
{
	const char *name = pid ? kd_comm(kd, pid, at) : "swapper";

	if (name)
		kd_cell_text(t, name);
	else if (t->out == KD_OUT_TEXT)
		kd_cell_text(t, "-");
	else
		kd_cell_unknown(t);
}

static int print(const struct kd *kd, struct kd_table *t, const struct kfi_log_mark *m)
{
	char *text = strndup(m->text.s, m->text.len);

	if (!text)
		return -ENOMEM;
	kd_cell_time_or_unknown(t, kd->in.head.no_entry ? -1 : m->entry_ns);
	m->cpu < 0 ? kd_cell_unknown(t) : kd_cell_count(t, m->cpu);
	kd_cell_pid(t, m->task);
	kd_comm_cell(kd, t, m->task, m->entry_ns);
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
		if (item != KFI_LINE_MARK || !kd_filter_mark(&kd->opt.filter, &kd->in.log.mark) ||
		    t.rows >= kd->opt.num)
			continue;
		if (print(kd, &t, &kd->in.log.mark))
			return kfi_err_set(err, ENOMEM, "out of memory");
	}
	return item;
}
