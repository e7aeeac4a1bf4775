// SPDX-License-Identifier: GPL-2.0
/*
 * Prints a configuration in its own language: the "config:" part of /proc/kfi. What it prints as a
 * block, kfi_conf_parse_block() reads back to the same meaning.
 */
#include "core/conf_tok.h"

static void put_word(struct kfi_conf_out *o, enum kfi_word_id id)
{
	kfi_conf_puts(o, kfi_conf_words[id].word);
}

/* Begins a line with one or two keywords; the second may be KFI_W_NONE. */
static void put_item(struct kfi_conf_out *o, enum kfi_word_id a, enum kfi_word_id b)
{
	kfi_conf_puts(o, "  ");
	put_word(o, a);
	if (b != KFI_W_NONE) {
		kfi_conf_puts(o, " ");
		put_word(o, b);
	}
}

static void put_number(struct kfi_conf_out *o, u64 v)
{
	kfi_conf_puts(o, " ");
	kfi_conf_putu(o, v);
}

static void put_func(struct kfi_conf_out *o, const struct kfi_func *f)
{
	kfi_conf_puts(o, " ");
	kfi_conf_put(o, f->name, f->len);
}

static void put_trigger(struct kfi_conf_out *o, enum kfi_word_id edge, const struct kfi_trigger *t)
{
	if (t->kind == KFI_TRIG_NONE) {
		kfi_conf_puts(o, "  # ");
		put_word(o, KFI_W_TRIGGER);
		kfi_conf_puts(o, " ");
		put_word(o, edge);
		kfi_conf_puts(o, " not set\n");
		return;
	}
	put_item(o, KFI_W_TRIGGER, edge);
	kfi_conf_puts(o, " ");
	switch (t->kind) {
	case KFI_TRIG_ENTRY:
		put_word(o, KFI_W_ENTRY);
		put_func(o, &t->func);
		break;
	case KFI_TRIG_EXIT:
		put_word(o, KFI_W_EXIT);
		put_func(o, &t->func);
		break;
	default:
		put_word(o, KFI_W_TIME);
		put_number(o, t->usecs);
	}
	kfi_conf_puts(o, "\n");
}

static const enum kfi_word_id num_words[KFI_NUMS] = {
	[KFI_NUM_DEPTH]	= KFI_W_DEPTH,
	[KFI_NUM_PID]	= KFI_W_PID,
	[KFI_NUM_CPU]	= KFI_W_CPU,
};

/* What is recorded of the functions whose list follows. */
static void put_record(struct kfi_conf_out *o, const struct kfi_conf *c)
{
	put_item(o, KFI_W_RECORD, c->args ? KFI_W_ARGS : KFI_W_RET);
	if (!c->args)
		return;
	put_number(o, c->args);
	if (c->ret) {
		kfi_conf_puts(o, " ");
		put_word(o, KFI_W_RET);
	}
}

/* All lists of a kind as one: that is what they mean. */
static void put_list(struct kfi_conf_out *o, const struct kfi_conf *c, u32 list)
{
	static const enum kfi_word_id words[KFI_LISTS] = {
		[KFI_LIST_ONLY]		= KFI_W_FUNCLIST,
		[KFI_LIST_EXCLUDE]	= KFI_W_EXCLUDE,
		[KFI_LIST_UNDER]	= KFI_W_ONLY,
	};
	bool begun = false;
	u32 i;

	for (i = 0; i < c->nfuncs; i++) {
		if (c->funcs[i].list != list)
			continue;
		if (!begun && list == KFI_LIST_RECORD)
			put_record(o, c);
		else if (!begun)
			put_item(o, KFI_W_FILTER, words[list]);
		if (!begun && list == KFI_LIST_UNDER) {
			kfi_conf_puts(o, " ");
			put_word(o, KFI_W_UNDER);
		}
		begun = true;
		put_func(o, &c->funcs[i]);
	}
	if (begun) {
		kfi_conf_puts(o, " ");
		put_word(o, KFI_W_FEND);
		kfi_conf_puts(o, "\n");
	}
}

static void put_filters(struct kfi_conf_out *o, const struct kfi_conf *c)
{
	u32 i;

	put_item(o, KFI_W_FILTER, KFI_W_MINTIME);
	put_number(o, c->mintime_us);
	kfi_conf_puts(o, "\n");
	put_item(o, KFI_W_FILTER, KFI_W_MAXTIME);
	put_number(o, c->maxtime_us);
	kfi_conf_puts(o, "\n");
	if (c->noints || c->onlyints) {
		put_item(o, KFI_W_FILTER, c->noints ? KFI_W_NOINTS : KFI_W_ONLYINTS);
		kfi_conf_puts(o, "\n");
	}
	for (i = 0; i < KFI_NUMS; i++) {
		if (!(c->nums >> i & 1))
			continue;
		put_item(o, KFI_W_FILTER, num_words[i]);
		put_number(o, c->num[i]);
		if (i == KFI_NUM_PID && c->children) {
			kfi_conf_puts(o, " ");
			put_word(o, KFI_W_CHILDREN);
		}
		kfi_conf_puts(o, "\n");
	}
	for (i = 0; i < KFI_LIST_RECORD; i++)
		put_list(o, c, i);
}

static const enum kfi_word_id mark_words[KFI_MARKS] = {
	[KFI_MARKS_SWITCHES]	= KFI_W_SWITCHES,
	[KFI_MARKS_INITCALLS]	= KFI_W_INITCALLS,
	[KFI_MARKS_SYSCALLS]	= KFI_W_SYSCALLS,
	[KFI_MARKS_WAKEUPS]	= KFI_W_WAKEUPS,
	[KFI_MARKS_CALLERS]	= KFI_W_CALLERS,
};

/* What is recorded apart from calls, and in which way. */
static void put_ways(struct kfi_conf_out *o, const struct kfi_conf *c)
{
	u32 i;

	if (c->mode != KFI_MODE_START) {
		put_item(o, c->mode == KFI_MODE_PROFILE ? KFI_W_PROFILE : KFI_W_OVERWRITE,
			 KFI_W_NONE);
		kfi_conf_puts(o, "\n");
	}
	if (c->autorepeat) {
		put_item(o, KFI_W_AUTOREPEAT, KFI_W_NONE);
		kfi_conf_puts(o, "\n");
	}
	if (c->marks)
		put_item(o, KFI_W_MARK, KFI_W_NONE);
	for (i = 0; i < KFI_MARKS; i++) {
		if (!(c->marks >> i & 1))
			continue;
		kfi_conf_puts(o, " ");
		put_word(o, mark_words[i]);
	}
	if (c->marks)
		kfi_conf_puts(o, "\n");
	if (c->watch != KFI_WATCH_NONE) {
		put_item(o, KFI_W_WATCH,
			 c->watch == KFI_WATCH_STACK ? KFI_W_STACK : KFI_W_WORST_STACK);
		if (c->watch_bytes)
			put_number(o, c->watch_bytes);
		kfi_conf_puts(o, "\n");
	}
	put_list(o, c, KFI_LIST_RECORD);
}

size_t kfi_conf_format(const struct kfi_conf *c, char *buf, size_t size)
{
	struct kfi_conf_out o = { .buf = buf, .size = size };

	if (size)
		buf[0] = '\0';
	put_trigger(&o, KFI_W_START, &c->start);
	put_trigger(&o, KFI_W_STOP, &c->stop);
	put_filters(&o, c);
	put_ways(&o, c);
	if (c->logentries) {
		put_item(&o, KFI_W_LOGENTRIES, KFI_W_NONE);
		put_number(&o, c->logentries);
		kfi_conf_puts(&o, "\n");
	}
	return o.len;
}
