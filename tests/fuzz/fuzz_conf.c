// SPDX-License-Identifier: GPL-2.0
/*
 * Any bytes into the configuration language. What is taken must, printed and read again, mean the
 * same and print the same; what is refused must leave the structure alone and say why and where.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kfi_conf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct kfi_conf one, two;
static char first[KFI_CONF_TEXT_MAX + 4096], second[sizeof(first)];

static void must(int ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "does not hold: %s\n", what);
	abort();
}
#define MUST(cond) must(!!(cond), #cond)

static int same_func(const struct kfi_func *a, const struct kfi_func *b)
{
	return a->len == b->len && a->addr == b->addr && a->resolved == b->resolved &&
	       (!a->len || !memcmp(a->name, b->name, a->len));
}

static int same_trigger(const struct kfi_trigger *a, const struct kfi_trigger *b)
{
	return a->kind == b->kind && a->usecs == b->usecs && same_func(&a->func, &b->func);
}

static void check_same(void)
{
	u32 i;

	MUST(same_trigger(&one.start, &two.start));
	MUST(same_trigger(&one.stop, &two.stop));
	MUST(one.mintime_us == two.mintime_us);
	MUST(one.maxtime_us == two.maxtime_us);
	MUST(one.noints == two.noints);
	MUST(one.onlyints == two.onlyints);
	MUST(one.logentries == two.logentries);
	MUST(one.nfuncs == two.nfuncs);
	for (i = 0; i < one.nfuncs; i++)
		MUST(same_func(&one.funcs[i], &two.funcs[i]));
}

static void check_sane(const char *text, size_t size)
{
	u32 i;

	MUST(!one.maxtime_us || one.mintime_us <= one.maxtime_us);
	MUST(!(one.noints && one.onlyints));
	MUST(one.logentries <= KFI_CONF_ENTRIES_MAX);
	MUST(one.nfuncs <= KFI_CONF_FUNCS_MAX);
	for (i = 0; i < one.nfuncs; i++) {
		const struct kfi_func *f = &one.funcs[i];

		MUST(f->name >= text && f->name + f->len <= text + size);
		MUST(f->len && f->line && f->col);
		MUST(f->resolved == kfi_func_is_addr(f));
		MUST(!kfi_conf_is_word(f->name, f->len));
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned int flags[] = { KFI_CONF_ANY, KFI_CONF_STATIC, KFI_CONF_PROC };
	const char *text = (const char *)data;
	struct kfi_conf_err err;
	struct walk w = { NULL, 0 };
	unsigned int flag;
	size_t len, i;
	int ret;

	ret = kfi_conf_command(text, size, &err);
	if (ret < 0)
		check_err(&err, size);
	flag = flags[size % 3];
	memset(&one, 0xa5, sizeof(one));
	ret = kfi_conf_parse(&one, text, size, flag, &err);
	if (ret) {
		MUST(ret == -EINVAL || ret == -E2BIG);
		check_err(&err, size);
		for (i = 0; i < sizeof(one); i++)
			MUST(((unsigned char *)&one)[i] == 0xa5);
		MUST(kfi_conf_walk(text, size, flag, count, &w, &err) == ret && !w.n);
		return 0;
	}
	MUST(kfi_conf_command(text, size, &err) == KFI_CMD_NEW);
	check_sane(text, size);
	MUST(kfi_conf_walk(text, size, flag, count, &w, &err) == 0);
	MUST(w.n == one.nfuncs + (one.start.func.len > 0) + (one.stop.func.len > 0));
	len = kfi_conf_format(&one, KFI_CONF_BLOCK | KFI_CONF_PROC, first, sizeof(first));
	MUST(len < sizeof(first) && len == strlen(first));
	MUST(kfi_conf_parse(&two, first, len, KFI_CONF_PROC, &err) == 0);
	check_same();
	kfi_conf_format(&two, KFI_CONF_BLOCK | KFI_CONF_PROC, second, sizeof(second));
	MUST(!strcmp(first, second));
	return 0;
}
