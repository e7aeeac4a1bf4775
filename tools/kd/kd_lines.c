// SPDX-License-Identifier: GPL-2.0
/*
 * Finds file and line of functions (--srcline) in the debug information of the kernel. The address
 * of a function at its first call is kept, and looked up when the function is first shown.
 */
#include <stdlib.h>

#include "kd.h"

/**
 * struct kd_line - the source line of a function
 * @addr: its address, U64_MAX: not known
 * @us: time when it had that address, on the axis of Entry
 * @text: number of its text "file:line", KFI_NONE: unknown, or not looked up
 * @looked: it has been looked up
 */
struct kd_line {
	u64 addr;
	s64 us;
	u32 text;
	bool looked;
};

static struct kd_line *line_of(struct kd_lines *l, u32 func)
{
	if (func >= l->n && kfi_grow((void **)&l->line, &l->room, func + 1, sizeof(*l->line)))
		return NULL;
	for (; l->n <= func; l->n++)
		l->line[l->n] = (struct kd_line){ .addr = U64_MAX, .text = KFI_NONE };
	return &l->line[func];
}

int kd_line_keep(struct kd *k, u32 func)
{
	struct kd_line *x = line_of(&k->in.lines, func);

	if (!x)
		return -ENOMEM;
	if (x->addr == U64_MAX) {
		x->addr = k->in.lines.addr;
		x->us = k->in.lines.us;
	}
	return 0;
}

int kd_line_set(struct kd *k, u32 func, const char *text)
{
	struct kd_line *x = line_of(&k->in.lines, func);

	if (x && x->text == KFI_NONE && text)
		x->text = kfi_names_get(&k->in.lines.texts, text, (u32)strlen(text));
	return x ? 0 : -ENOMEM;
}

const char *kd_line_of(struct kd *k, u32 func)
{
	struct kd_lines *l = &k->in.lines;
	struct kd_line *x = func < l->n ? &l->line[func] : NULL;
	char text[KFI_SOURCE_TEXT];

	l->asked |= func != KFI_NONE;
	if (!x)
		return NULL;
	if (!x->looked && x->addr != U64_MAX &&
	    kfi_resolve_line(k->in.resolve, x->addr, x->us, false, text))
		kd_line_set(k, func, text);
	x->looked = true;
	l->found |= x->text != KFI_NONE;
	return x->text == KFI_NONE ? NULL : l->texts.str[x->text].s;
}

void kd_line_cell(struct kd *k, struct kd_table *t, u32 func)
{
	const char *line = t->lines ? kd_line_of(k, func) : NULL;

	if (line)
		kd_cell_text(t, line);
	else if (t->lines)
		kd_cell_unknown(t);
}

int kd_lines_check(const struct kd *k, struct kfi_err *err)
{
	if (!k->in.lines.asked || k->in.lines.found)
		return 0;
	return kfi_err_set(err, EBADMSG,
			   "no function has a source line: the symbols have no debug information, or the log has names instead of addresses");
}

void kd_lines_free(struct kd *k)
{
	free(k->in.lines.line);
	kfi_names_free(&k->in.lines.texts);
	k->in.lines = (struct kd_lines){ 0 };
}
