// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes into the configuration language. An accepted text, printed and read again, must mean
 * the same and print the same; a rejected one must leave the structure alone, and give a reason and
 * its place.
 */
#include <string.h>

#include "conf.h"
#include "fuzz.h"

static struct kfi_conf one, two;
static char first[KFI_CONF_TEXT_MAX + 4096], second[sizeof(first)];

static int same_func(const struct kfi_func *a, const struct kfi_func *b)
{
	return a->len == b->len && a->addr == b->addr && a->resolved == b->resolved &&
	       a->kind == b->kind && a->list == b->list &&
	       (!a->len || !memcmp(a->name, b->name, a->len));
}

static int same_trigger(const struct kfi_trigger *a, const struct kfi_trigger *b)
{
	return a->kind == b->kind && a->usecs == b->usecs && same_func(&a->func, &b->func);
}

/* The lists keep their order; those of a kind are printed as one. */
static void check_same_lists(void)
{
	u32 list, i, j;

	MUST(one.nfuncs == two.nfuncs);
	for (list = 0; list < KFI_LISTS; list++) {
		for (i = 0, j = 0; i < one.nfuncs; i++) {
			if (one.funcs[i].list != list)
				continue;
			while (j < two.nfuncs && two.funcs[j].list != list)
				j++;
			MUST(j < two.nfuncs && same_func(&one.funcs[i], &two.funcs[j]));
			j++;
		}
	}
}

static void check_same(void)
{
	MUST(same_trigger(&one.start, &two.start));
	MUST(same_trigger(&one.stop, &two.stop));
	MUST(one.mintime_us == two.mintime_us);
	MUST(one.maxtime_us == two.maxtime_us);
	MUST(one.noints == two.noints);
	MUST(one.onlyints == two.onlyints);
	MUST(one.nums == two.nums && !memcmp(one.num, two.num, sizeof(one.num)));
	MUST(one.logentries == two.logentries);
	MUST(one.mode == two.mode && one.autorepeat == two.autorepeat && one.marks == two.marks);
	MUST(one.watch == two.watch && one.watch_bytes == two.watch_bytes);
	MUST(one.args == two.args && one.ret == two.ret);
	check_same_lists();
}

static void check_sane(const char *text, size_t size)
{
	u32 i;

	MUST(!one.maxtime_us || one.mintime_us <= one.maxtime_us);
	MUST(!(one.noints && one.onlyints));
	MUST(one.logentries <= KFI_CONF_ENTRIES_MAX);
	MUST(one.mode != KFI_MODE_PROFILE || (!one.marks && !one.watch && !one.args && !one.ret));
	MUST(one.marks < 1u << KFI_MARKS);
	MUST(one.watch_bytes <= KFI_CONF_WATCH_MAX && (!one.watch_bytes || one.watch));
	MUST(one.args <= KFI_CONF_ARGS_MAX);
	MUST(one.nfuncs <= KFI_CONF_FUNCS_MAX);
	MUST(one.start.func.kind <= KFI_FUNC_ADDR && one.stop.func.kind <= KFI_FUNC_ADDR);
	for (i = 0; i < one.nfuncs; i++) {
		const struct kfi_func *f = &one.funcs[i];

		MUST(f->name >= text && f->name + f->len <= text + size);
		MUST(f->len && f->line && f->col);
		MUST(f->resolved == (f->kind == KFI_FUNC_ADDR));
		MUST(f->kind <= KFI_FUNC_MODULE && f->list < KFI_LISTS);
		MUST(!conf_is_word(f->name, f->len));
		/* What is taken can be matched with, without a look behind its end. */
		if (f->kind == KFI_FUNC_PATTERN)
			kfi_match(f->name, f->len, "an_aZ09.name$");
		if (f->kind == KFI_FUNC_MODULE)
			kfi_match_module(f, "ext4");
		if (f->kind == KFI_FUNC_NAME)
			MUST(!kfi_match(f->name, f->len, "0"));
	}
}

struct walk {
	const char *last;
	u32 n;
};

static void count(void *arg, const struct kfi_func *f)
{
	struct walk *w = arg;

	MUST(f->name > w->last);
	w->last = f->name;
	w->n++;
}

static void check_err(const struct kfi_conf_err *err, size_t size)
{
	size_t i;

	MUST(err->line >= 1 && err->line <= size + 1);
	MUST(err->col >= 1 && err->col <= size + 1);
	MUST(memchr(err->reason, 0, sizeof(err->reason)));
	MUST(err->reason[0]);
	for (i = 0; err->reason[i]; i++)
		MUST(err->reason[i] >= ' ' && err->reason[i] <= '~');
}

/* Print the configuration as a block. Return: its length. */
static size_t print_block(const struct kfi_conf *c, char *buf, size_t size)
{
	size_t len = (size_t)sprintf(buf, "begin\n");

	len += kfi_conf_format(c, buf + len, size - len);
	MUST(len + strlen("end") < size && len == strlen(buf));
	return len + (size_t)sprintf(buf + len, "end");
}

static void check_block(const char *text, size_t size)
{
	struct kfi_conf_err err;
	size_t len;

	check_sane(text, size);
	len = print_block(&one, first, sizeof(first));
	MUST(conf_parse(&two, first, len, &err) == 0);
	check_same();
	print_block(&two, second, sizeof(second));
	MUST(!strcmp(first, second));
}

static void check_command(const char *text, size_t size)
{
	struct kfi_conf_text mark = { NULL, 0 };
	struct kfi_conf_err err;
	int ret = kfi_conf_command(text, size, &mark, &err);

	if (ret < 0)
		check_err(&err, size);
	MUST(!!mark.s == (ret == KFI_CMD_MARK));
	if (!mark.s)
		return;
	MUST(mark.len && mark.len <= KFI_CONF_MARK_MAX);
	MUST(mark.s > text && mark.s + mark.len <= text + size);
	MUST(mark.s[0] != ' ' && mark.s[mark.len - 1] != ' ');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	struct walk w = { NULL, 0 };
	struct kfi_conf_text mark;
	struct kfi_conf_err err;
	u32 funcs = 0;
	size_t i;
	int ret, n;

	check_command(text, size);
	memset(&one, 0xa5, sizeof(one));
	ret = conf_parse(&one, text, size, &err);
	n = kfi_conf_count(text, size, &err);
	if (ret) {
		MUST(ret == -EINVAL || ret == -E2BIG);
		check_err(&err, size);
		for (i = 0; i < sizeof(one); i++)
			MUST(((unsigned char *)&one)[i] == 0xa5);
		MUST(n == ret);
		MUST(kfi_conf_walk(text, size, count, &w, &err) == ret && !w.n);
		return 0;
	}
	MUST(kfi_conf_command(text, size, &mark, &err) == KFI_CMD_NEW);
	MUST(n >= 1 && n <= KFI_CONF_BLOCKS_MAX);
	for (i = 0; i < (size_t)n; i++) {
		MUST(kfi_conf_parse_block(&one, text, size, i, &err) == 0);
		check_block(text, size);
		funcs += one.nfuncs + (one.start.func.len > 0) + (one.stop.func.len > 0);
	}
	MUST(kfi_conf_parse_block(&one, text, size, n, &err) == -ENOENT);
	MUST(kfi_conf_walk(text, size, count, &w, &err) == 0);
	MUST(w.n == funcs);
	return 0;
}
