// SPDX-License-Identifier: GPL-2.0
/*
 * case_list.c - lists of functions: several of them, exclude, only under, patterns, modules
 *
 * What is kept is compared with what the kernel's own symbols say, or with what the test module
 * does a known number of times.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

/* Record a directory being made and removed, from `start` to `stop`. */
static enum outcome record_mkdir(const char *items, struct tracelog *log)
{
	char text[1000];
	int ret;

	snprintf(text, sizeof(text), "new begin logentries 200000\n%s\nend", items);
	ret = kfi_write(text);
	if (ret)
		return because(FAIL, "refused with errno %d: %s", -ret, items);
	WANT_EQ(kfi_write("start"), 0);
	make_dir();
	remove_dir();
	WANT_EQ(kfi_write("stop"), 0);
	return wait_and_read_log(log);
}

/* The same with a command of the module, which is loaded. */
static enum outcome record_module(const char *items, const char *command, struct tracelog *log)
{
	char text[1000];
	int ret;

	snprintf(text, sizeof(text), "new begin logentries 200000\n%s\nend", items);
	ret = kfi_write(text);
	if (ret)
		return because(FAIL, "refused with errno %d: %s", -ret, items);
	WANT_EQ(kfi_write("start"), 0);
	WANT_EQ(module_command(command), 0);
	WANT_EQ(kfi_write("stop"), 0);
	return wait_and_read_log(log);
}

/* Addresses of text symbols. */
struct symbols {
	unsigned long addr[4000];
	size_t nr;
};

/* Those whose names begin with @head; NULL: those of the module. */
static struct symbols *symbols_of(const char *head)
{
	struct symbols *s = calloc(1, sizeof(*s));
	const struct ksym *all;
	size_t nr;

	all = symbols(&nr);
	for (size_t i = 0; s && i < nr && s->nr < 4000; i++)
		if (strchr("tTwW", all[i].type) &&
		    (head ? !strncmp(all[i].name, head, strlen(head)) : all[i].of_module))
			s->addr[s->nr++] = all[i].addr;
	return s;
}

static bool has_function(const struct symbols *s, const struct tl_row *r)
{
	unsigned long addr = strtoul(r->func, NULL, 16);

	for (size_t i = 0; i < s->nr; i++)
		if (s->addr[i] == addr)
			return true;
	return false;
}

static long count_rows_in(const struct tracelog *log, const struct symbols *s)
{
	long nr = 0;

	for (size_t i = 0; i < log->nr_rows; i++)
		nr += has_function(s, &log->rows[i]);
	return nr;
}

static enum outcome several(void)
{
	struct tracelog log;

	TRY(record_mkdir("filter funclist vfs_mkdir fend\nfilter funclist vfs_rmdir, vfs_mkdir fend",
			 &log));
	WANT_EQ(log.nr_rows, 2);
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	WANT_EQ(count_rows(&log, "vfs_rmdir"), 1);
	WANT(tl_num(&log, "Function List filter count") > 10);
	return PASS;
}

static enum outcome exclude(void)
{
	struct tracelog log;

	TRY(record_mkdir("filter exclude vfs_mkdir fend filter exclude vfs_rmdir fend", &log));
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 0);
	WANT_EQ(count_rows(&log, "vfs_rmdir"), 0);
	/* What they call is there. */
	WANT_EQ(count_rows(&log, "ramfs_mkdir"), 1);
	WANT_EQ(tl_num(&log, "Exclude list filter count"), 2);
	WANT_EQ(tl_num(&log, "Total entries filtered"), 2);
	return PASS;
}

static enum outcome exclude_overrides(void)
{
	struct tracelog log;

	TRY(record_mkdir("filter funclist vfs_mkdir ramfs_mkdir fend filter exclude vfs_mkdir fend",
			 &log));
	WANT_EQ(log.nr_rows, 1);
	WANT_EQ(count_rows(&log, "ramfs_mkdir"), 1);
	WANT_EQ(tl_num(&log, "Exclude list filter count"), 1);
	WANT(tl_num(&log, "Function List filter count") > 10);
	return PASS;
}

/* As many calls of this task as a run without a list has. */
static enum outcome pattern(void)
{
	struct symbols *vfs = symbols_of("vfs_");
	struct tracelog all, some;
	char items[100];
	long nr;

	snprintf(items, sizeof(items), "filter pid %d", (int)getpid());
	TRY(record_mkdir(items, &all));
	nr = count_rows_in(&all, vfs);
	WANT(nr >= 2 && (size_t)nr < all.nr_rows);
	strcat(items, " filter funclist vf[s]_* fend");
	TRY(record_mkdir(items, &some));
	WANT_EQ(some.nr_rows, nr);
	WANT_EQ(count_rows_in(&some, vfs), nr);
	WANT_EQ(count_rows(&some, "vfs_mkdir"), 1);
	/* All the others, and only they. */
	snprintf(items, sizeof(items), "filter pid %d filter exclude vfs_*", (int)getpid());
	TRY(record_mkdir(items, &some));
	WANT_EQ(count_rows_in(&some, vfs), 0);
	WANT_EQ(tl_num(&some, "Exclude list filter count"), nr);
	WANT_EQ(count_rows(&some, "ramfs_mkdir"), 1);
	return PASS;
}

/* All there is: thousands of addresses, some of them named as well. */
static enum outcome pattern_all(void)
{
	struct tracelog log;

	WANT_EQ(kfi_write("new begin filter funclist * vfs_mkdir fend filter noints end"), 0);
	TRY(record_mkdir("filter funclist * vfs_mkdir fend", &log));
	WANT_EQ(tl_num(&log, "Function List filter count"), 0);
	WANT_EQ(count_rows(&log, "vfs_mkdir"), 1);
	TRY(record_mkdir("filter exclude [a-zA-Z]* _*", &log));
	WANT_EQ(log.nr_rows, 0);
	WANT(tl_num(&log, "Exclude list filter count") > 10);
	return PASS;
}

/* The text is rejected with an errno; the reason has these words. */
static enum outcome is_rejected(const char *text, int err, const char *words)
{
	char *status;

	WANT_EQ(kfi_write(text), -err);
	status = read_whole_file("/proc/kfi", 0);
	if (!status || !strstr(status, words))
		return because(FAIL, "no \"%s\" after %.80s", words, text);
	free(status);
	return PASS;
}

static enum outcome rejected(void)
{
	TRY(is_rejected("new begin filter funclist vfs_mkdir no_such_thing_* fend end", ENOENT,
			"line 1 column 37: no function matches: no_such_thing_*"));
	TRY(is_rejected("new begin filter exclude not_there end", ENOENT,
			"line 1 column 26: unknown function: not_there"));
	TRY(is_rejected("new begin filter only under saved_command_l* end", ENOENT,
			"line 1 column 29: no function matches: saved_command_l*"));
	/* Only init code matches, and that is gone. */
	TRY(is_rejected("new begin filter exclude start_kern* end", ENOENT,
			"line 1 column 26: no function matches: start_kern*"));
	TRY(is_rejected("new begin trigger start entry vfs_* end", EINVAL, "no pattern"));
	TRY(is_rejected("new begin trigger stop exit module:x end", EINVAL, "no module"));
	return PASS;
}

/* What the status shows is what was written, several lists of a kind as one. */
static enum outcome status_shows_lists(void)
{
	char *status;

	WANT_EQ(kfi_write("new begin filter only under vfs_mkdir filter exclude vfs_r* filter "
			  "exclude module:no_such_module\nend"), 0);
	status = read_whole_file("/proc/kfi", 0);
	WANT(status && strstr(status, "  filter exclude vfs_r* module:no_such_module fend\n"
				      "  filter only under vfs_mkdir fend\n"));
	free(status);
	return PASS;
}

/* kfi_test_outer() 3 times: each calls kfi_test_middle(), and that kfi_test_inner() 3 times. */
static enum outcome under(void)
{
	struct tracelog log;

	TRY(module_load());
	TRY(record_module("filter only under kfi_test_outer fend filter noints", "call 3", &log));
	/* Where other tasks may preempt this one, the scheduler may be below, too. */
	WANT(time_is_exact() ? log.nr_rows == 15 : log.nr_rows >= 15);
	WANT_EQ(count_rows(&log, "kfi_test_outer"), 3);
	WANT_EQ(count_rows(&log, "kfi_test_middle"), 3);
	WANT_EQ(count_rows(&log, "kfi_test_inner"), 9);
	WANT(tl_num(&log, "Under filter count") > 10);
	/* With other lists: exclude drops, and what is below stays. */
	TRY(record_module("filter only under kfi_test_outer fend filter exclude kfi_test_m*",
			  "call 2", &log));
	WANT_EQ(count_rows(&log, "kfi_test_outer"), 2);
	WANT_EQ(count_rows(&log, "kfi_test_middle"), 0);
	WANT_EQ(count_rows(&log, "kfi_test_inner"), 6);
	TRY(record_module("filter only under kfi_test_mid* fend filter funclist *", "call 2",
			  &log));
	WANT_EQ(count_rows(&log, "kfi_test_outer"), 0);
	WANT_EQ(count_rows(&log, "kfi_test_inner"), 6);
	return module_unload();
}

/* An interrupt belongs to what it interrupts, and what it calls to it, but not the other way. */
static enum outcome under_interrupts(void)
{
	struct tracelog log;
	long irq, from, to = -1;

	TRY(module_load());
	TRY(record_module("filter only under kfi_test_victim", "irq", &log));
	TRY(victim_interrupted());
	WANT_EQ(count_rows(&log, "kfi_test_victim"), 1);
	WANT_EQ(count_rows(&log, "kfi_test_irq"), 1);
	irq = tl_find(&log, hex(symbol("kfi_test_irq")), 0);
	WANT_EQ(log.rows[irq].ctx, 'h');
	from = tl_find(&log, hex(symbol("kfi_test_victim")), 0);
	for (size_t i = 0; i < log.nr_rows; i++) {
		const struct tl_row *r = &log.rows[i];

		WANT(r->task == log.rows[from].task);
		WANT(r->entry_ns >= log.rows[from].entry_ns);
		/*
		 * An interrupt may come when the exit hook has read the clock, but has not freed
		 * the frame: then it is below the call, as its depth shows, and begins behind it.
		 */
		WANT(r->ctx != 't' ||
		     r->entry_ns <= log.rows[from].entry_ns + (uint64_t)log.rows[from].delta_ns);
		WANT((long)i == from || r->depth > log.rows[from].depth);
	}
	TRY(record_module("filter only under kfi_test_victim fend filter noints", "irq", &log));
	WANT_EQ(count_rows(&log, "kfi_test_irq"), 0);
	WANT(log.nr_rows >= 2);
	for (size_t i = 0; i < log.nr_rows; i++)
		WANT_EQ(log.rows[i].ctx, 't');
	TRY(record_module("filter only under kfi_test_irq", "irq", &log));
	WANT_EQ(count_rows(&log, "kfi_test_victim"), 0);
	WANT_EQ(count_rows(&log, "kfi_test_irq"), 1);
	WANT_EQ(count_rows(&log, "kfi_test_irq_work"), 1);
	irq = tl_find(&log, hex(symbol("kfi_test_irq")), 0);
	for (size_t i = 0; i < log.nr_rows; i++) {
		WANT(log.rows[i].ctx != 't');
		to = log.rows[i].depth > log.rows[irq].depth ? to : (long)i;
	}
	WANT_EQ(to, irq);
	return module_unload();
}

/* Calls that are open when the run stops are filtered like the others. */
static enum outcome under_open(void)
{
	const struct tl_row *middle;
	struct tracelog log;

	TRY(module_load());
	TRY(arm_run("trigger start entry kfi_test_outer\ntrigger stop entry kfi_test_inner\n"
		    "filter only under kfi_test_middle\nfilter noints"));
	WANT_EQ(module_command("call 1"), 0);
	TRY(wait_and_read_log(&log));
	WANT_EQ(count_rows(&log, "kfi_test_middle"), 1);
	middle = first_row(&log, "kfi_test_middle");
	WANT(middle->marks & TL_OPEN);
	/* What an interrupt calls behind its context, and the scheduler, may come below it. */
	for (size_t i = 0; i < log.nr_rows; i++)
		WANT(&log.rows[i] == middle ||
		     (log.rows[i].task == middle->task && log.rows[i].depth > middle->depth &&
		      log.rows[i].entry_ns >= middle->entry_ns));
	WANT(tl_num(&log, "Under filter count") >= 1);
	return module_unload();
}

static enum outcome module_lists(void)
{
	struct symbols *text;
	struct tracelog log;

	TRY(module_load());
	text = symbols_of(NULL);
	TRY(record_module("filter funclist module:kfi_t?st fend", "call 5", &log));
	WANT_EQ(count_rows(&log, "kfi_test_outer"), 5);
	WANT_EQ(count_rows(&log, "kfi_test_inner"), 15);
	WANT(count_rows_in(&log, text) >= 25);
	WANT(tl_num(&log, "Function List filter count") > 10);
	TRY(record_module("filter exclude module:kfi_test fend", "call 5", &log));
	WANT_EQ(count_rows_in(&log, text), 0);
	WANT(tl_num(&log, "Exclude list filter count") >= 25);
	WANT(log.nr_rows > 10);
	TRY(record_module("filter only under module:kfi_test fend filter noints", "call 5", &log));
	WANT_EQ(count_rows(&log, "kfi_test_inner"), 15);
	/* The kernel's own functions that it calls are below it. */
	WANT((size_t)count_rows_in(&log, text) < log.nr_rows);
	WANT(has_function(text, &log.rows[0]));
	free(text);
	return module_unload();
}

/* Load, use and unload the module @n times while a run is recorded. */
static enum outcome reload_module(int n, struct tracelog *log, struct symbols **text,
				  unsigned long *inner)
{
	WANT_EQ(kfi_write("new begin filter funclist module:nothing module:kfi_* fend "
			  "logentries 50000 end"), 0);
	WANT_EQ(kfi_write("start"), 0);
	while (n--) {
		TRY(module_load());
		*inner = symbol("kfi_test_inner");
		*text = symbols_of(NULL);
		WANT_EQ(module_command("call 2"), 0);
		TRY(module_unload());
	}
	WANT_EQ(kfi_write("stop"), 0);
	return wait_and_read_log(log);
}

/* A module is in a list while it is there, from its init function on; and again when it is back. */
static enum outcome module_comes(void)
{
	unsigned long inner = 0;
	struct symbols *text;
	struct tracelog log;
	long inners = 0, inits = 0;
	size_t nr;

	TRY(reload_module(1, &log, &text, &inner));
	nr = log.nr_rows;
	for (size_t i = 0; i < nr; i++) {
		inners += strtoul(log.rows[i].func, NULL, 16) == inner;
		/* Only the text of the init functions is gone and so has no names. */
		inits += !has_function(text, &log.rows[i]);
	}
	/* The module's init and exit functions call it, too. */
	WANT_EQ(inners, 6 + 2);
	WANT(inits >= 1 && inits < 10);
	WANT(!tl_note(&log, "a list has room for"));
	TRY(reload_module(10, &log, &text, &inner));
	WANT_EQ(log.nr_rows, 10 * nr);
	WANT(!tl_note(&log, "a list has room for"));
	/* The names are of no use any more. */
	WANT_EQ(kfi_write("new begin filter funclist kfi_test_inner fend end"), -ENOENT);
	WANT_EQ(kfi_write("new begin filter funclist kfi_test_* fend end"), -ENOENT);
	return PASS;
}

/* A name that a module has, too, is ambiguous as long as the module is there. */
static enum outcome ambiguous(void)
{
	struct tracelog log;
	char *text;

	WANT_EQ(kfi_write("new begin filter funclist ramfs_symlink end"), 0);
	TRY(module_load());
	TRY(is_rejected("new begin filter funclist ramfs_symlink end", EINVAL,
			"line 1 column 27: ambiguous function, give an address: ramfs_symlink 0x"));
	/* The kernel log has the reason, too, but is for anybody to read. */
	text = kernel_log();
	WANT(strstr(text, "give an address: ramfs_symlink 0x... 0x...\n"));
	/* A pattern means both. */
	TRY(record_mkdir("filter funclist ramfs_symlin[k] fend", &log));
	text = read_whole_file("/proc/kfi_trace", 0);
	WANT(text && strstr(text, "\t2-entry function list\n"));
	free(text);
	TRY(module_unload());
	WANT_EQ(kfi_write("new begin filter funclist ramfs_symlink end"), 0);
	return PASS;
}

const struct guest_case list_cases[] = {
	{ "list_several", several },
	{ "list_exclude", exclude },
	{ "list_exclude_overrides", exclude_overrides },
	{ "list_pattern", pattern },
	{ "list_pattern_all", pattern_all },
	{ "list_rejected", rejected },
	{ "list_in_status", status_shows_lists },
	{ "list_ambiguous", ambiguous },
	{ "list_under", under },
	{ "list_under_interrupts", under_interrupts },
	{ "list_under_open", under_open },
	{ "list_module", module_lists },
	{ "list_module_comes", module_comes },
	{ NULL, NULL },
};
