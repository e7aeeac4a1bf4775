// SPDX-License-Identifier: GPL-2.0
/*
 * case_module.c - modules in the header: where they were, and from when to when
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

#define NOT_YET	(-0x7fffffffffffffffLL)

struct load_history {
	char name[64];
	unsigned long text, init;
	long text_size, init_size;
	long long loaded, init_end, unloaded;
};

static long long parse_time(const char *s)
{
	return strcmp(s, "-") ? atoll(s) : NOT_YET;
}

/* Parse the header's line @nr, from 0, of the module kfi_test. */
static bool find_load_history(const struct tracelog *log, int nr, struct load_history *l)
{
	char t[3][32];

	for (size_t i = 0; i < log->nr_head; i++) {
		if (strcmp(log->head[i].name, "Module") ||
		    sscanf(log->head[i].value, "%63s 0x%lx %ld 0x%lx %ld %31s %31s %31s",
			   l->name, &l->text, &l->text_size, &l->init, &l->init_size,
			   t[0], t[1], t[2]) != 8 ||
		    strcmp(l->name, "kfi_test") || nr--)
			continue;
		l->loaded = parse_time(t[0]);
		l->init_end = parse_time(t[1]);
		l->unloaded = parse_time(t[2]);
		return true;
	}
	return false;
}

static unsigned long parse_address(const char *hex)
{
	return strtoul(hex, NULL, 16);
}

static bool is_in_range(unsigned long addr, unsigned long from, long size)
{
	return addr >= from && addr - from < (unsigned long)size;
}

/* The module is loaded twice: before the run began, and until after it ended. */
static enum outcome load_histories(void)
{
	unsigned long inner, at[2];
	int init = 0, called = 0;
	struct tracelog log;
	struct load_history l[2], none;

	TRY(module_load());
	at[0] = module_address();
	WANT_EQ(kfi_write("new begin logentries 1000000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	TRY(module_unload());
	TRY(module_load());
	WANT_EQ(kfi_write("stop"), 0);
	inner = symbol("kfi_test_inner");
	at[1] = module_address();
	TRY(wait_and_read_log(&log));
	TRY(module_unload());
	TRY(lost_nothing(&log, NULL));
	WANT(find_load_history(&log, 0, &l[0]) && find_load_history(&log, 1, &l[1]) &&
	     !find_load_history(&log, 2, &none));
	WANT(at[0] && is_in_range(at[0], l[0].text, l[0].text_size));
	WANT(at[1] && is_in_range(at[1], l[1].text, l[1].text_size));
	WANT(inner && is_in_range(inner, l[1].text, l[1].text_size));
	WANT(l[0].loaded < 0 && l[0].loaded <= l[0].init_end && l[0].init_end <= 0);
	WANT(l[0].unloaded > 0 && l[0].unloaded <= l[1].loaded);
	WANT(l[1].loaded <= l[1].init_end && l[1].unloaded == NOT_YET);
	/* From the first init function on, and nothing of it afterwards. */
	for (size_t i = 0; i < log.nr_rows; i++) {
		const struct tl_row *r = &log.rows[i];
		long long entry = r->entry_us;

		if (is_in_range(parse_address(r->func), l[1].init, l[1].init_size) &&
		    entry >= l[1].loaded) {
			WANT(entry <= l[1].init_end);
			init++;
		}
		if (parse_address(r->func) == inner && entry >= l[1].loaded &&
		    is_in_range(parse_address(r->caller), l[1].init, l[1].init_size))
			called++;
	}
	WANT_EQ(init, 3);
	WANT_EQ(called, 1);
	tl_free(&log);
	return PASS;
}

/* Modules that were unloaded before the run, or loaded after it, are not in its header. */
static enum outcome not_during_run(void)
{
	struct tracelog log;
	struct load_history l;

	TRY(module_load());
	TRY(module_unload());
	WANT_EQ(kfi_write("new begin filter mintime 1000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	sleep_ms(10);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(module_load());
	TRY(module_unload());
	TRY(wait_and_read_log(&log));
	WANT(!find_load_history(&log, 0, &l));
	WANT(log.nr_rows > 0);
	tl_free(&log);
	return PASS;
}

/* The kernel's own text, and where it was linked to. */
static enum outcome kernel_text(void)
{
	const char *init, *moved;
	struct tracelog log;
	unsigned long addr, text, linked;
	long size;
	char freed[32], *file;
	bool may_move;

	WANT_EQ(kfi_write("new begin filter mintime 1000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	init = tl_text(&log, "Kernel init text");
	WANT(init && sscanf(init, "0x%lx %ld %31s", &addr, &size, freed) == 3);
	WANT(size > 10000);
	WANT_EQ(addr, symbol("_sinittext"));
	WANT_EQ(addr + size, symbol("_einittext"));
	/* Long ago: before the run. */
	WANT(freed[0] == '-' && atoll(freed) < 0);
	init = tl_text(&log, "Kernel text");
	WANT(init && sscanf(init, "0x%lx", &text) == 1);
	WANT_EQ(text, symbol("_stext"));
	moved = tl_text(&log, "KASLR offset");
	WANT(moved && !strncmp(moved, "0x", 2));
	/* From tests/boot/kernel: where _stext was linked to, and whether KASLR may move it. */
	file = read_whole_file("/etc/kfi/stext", 0);
	may_move = file && strstr(file, "CONFIG_RANDOMIZE_BASE=y");
	linked = file ? strtoul(file, NULL, 16) : text;
	WANT_EQ(strtoul(moved, NULL, 16), text - linked);
	WANT(may_move || text == linked);
#ifdef __aarch64__
	/* Never by 0. */
	WANT(!may_move || text != linked);
#endif
	tl_free(&log);
	return PASS;
}

/* A function that was inlined has a row of its own where the header says so, and no other does. */
static enum outcome inlined(void)
{
	struct tracelog log;
	const char *when;
	bool before;

	TRY(module_load());
	WANT_EQ(kfi_write("new begin logentries 1000000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	WANT_EQ(module_command("inlined 1"), 0);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	when = tl_text(&log, "Instrumented");
	before = when && !strcmp(when, "before inlining");
	WANT(before || (when && !strcmp(when, "after inlining")));
	WANT_EQ(count_rows(&log, "kfi_test_around"), 1);
	WANT_EQ(count_rows(&log, "kfi_test_within"), before);
	WANT_EQ(count_rows(&log, "kfi_test_wide"), 1);
	TRY(module_unload());
	tl_free(&log);
	return PASS;
}

/*
 * The entry hook finds the function by its call site alone. It must not look at what is before:
 * before a module's first function nothing is mapped.
 */
static enum outcome first_function(void)
{
	struct tracelog log;
	unsigned long first;

	TRY(module_load());
	first = symbol("kfi_test_first");
	WANT(first);
	if (first != module_address() || first % sysconf(_SC_PAGESIZE)) {
		TRY(module_unload());
		return because(SKIP, "another function comes first");
	}
	WANT_EQ(kfi_write("new begin logentries 1000000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	WANT_EQ(module_command("first 1"), 0);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	WANT_EQ(count_rows(&log, "kfi_test_first"), 1);
	tl_free(&log);
	return module_unload();
}

/* A function within a function still finds the variables of that one while calls are recorded. */
static enum outcome nested(void)
{
	struct tracelog log;

	TRY(module_load());
	WANT_EQ(kfi_write("new begin logentries 1000000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	WANT_EQ(module_command("nested 100"), 0);
	WANT_EQ(module_result("sum", 0), 5050);
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(&log));
	WANT_EQ(count_rows(&log, "kfi_test_do_nested"), 1);
	tl_free(&log);
	return module_unload();
}

const struct guest_case module_cases[] = {
	{ "module_load_history", load_histories },
	{ "module_not_during_run", not_during_run },
	{ "module_kernel_text", kernel_text },
	{ "module_inlined", inlined },
	{ "module_first_function", first_function },
	{ "module_nested", nested },
	{ NULL, NULL },
};
