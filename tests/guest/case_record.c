// SPDX-License-Identifier: GPL-2.0
/*
 * case_record.c - arguments and return values of chosen functions
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "guest.h"

#define NO_FD		1000
#define BYTES		(3 * 4096)
#define MOST		10

/**
 * struct told - the arguments, or the return value, of a call
 * @depth: its depth
 * @n: how many arguments
 * @arg: the arguments
 * @ret: the return value
 * @event: the row
 */
struct told {
	unsigned int depth;
	unsigned int n;
	unsigned long long arg[MOST];
	long long ret;
	const struct tl_event *event;
};

static enum outcome record(const char *items)
{
	char text[400];

	snprintf(text, sizeof(text), "new begin\n%s\nlogentries 100000\nend\n", items);
	WANT_EQ(kfi_write(text), 0);
	WANT_EQ(kfi_write("start"), 0);
	return PASS;
}

static enum outcome stop(struct tracelog *log)
{
	WANT_EQ(kfi_write("stop"), 0);
	TRY(wait_and_read_log(log));
	WANT_EQ(tl_num(log, "Marks lost"), 0);
	return PASS;
}

/* The n-th row of this task of a kind, from 0, for a function. Return false: there is none. */
static bool find(const struct tracelog *log, const char *kind, const char *func, unsigned int n,
		 struct told *t)
{
	size_t i, len;

	for (i = 0; i < log->nr_events; i++) {
		const struct tl_event *e = &log->events[i];
		const char *want = hex(symbol(func));
		char *at;

		len = strlen(want);
		if (strcmp(e->kind, kind) || e->task != getpid() || strncmp(e->args, want, len) ||
		    e->args[len] != ' ' || n--)
			continue;
		t->event = e;
		t->depth = strtoul(e->args + len, &at, 10);
		if (!strcmp(kind, "ret")) {
			t->ret = strtoll(at, &at, 10);
			return !*at;
		}
		for (t->n = 0; *at && t->n < MOST; t->n++)
			t->arg[t->n] = strtoull(at, &at, 16);
		return !*at;
	}
	return false;
}

/* Arguments and results as the caller knows them, at the times and the depth of the call. */
static enum outcome both(void)
{
	const struct tl_row *row;
	struct told args, ret;
	struct tracelog log;
	long call;

	if (!is_after_inlining())
		return because(SKIP, "instrumented before inlining");
	TRY(record("record args 3 ret ksys_dup3 fend\nfilter funclist ksys_dup3"));
	WANT_EQ(syscall(SYS_dup3, NO_FD, NO_FD + 1, O_CLOEXEC), -1);
	WANT_EQ(errno, EBADF);
	WANT_EQ(syscall(SYS_dup3, 1, 77, 0), 77);
	close(77);
	TRY(stop(&log));
	WANT(find(&log, "args", "ksys_dup3", 0, &args));
	WANT_EQ(args.n, 3);
	WANT_EQ((unsigned int)args.arg[0], NO_FD);
	WANT_EQ((unsigned int)args.arg[1], NO_FD + 1);
	WANT_EQ((int)args.arg[2], O_CLOEXEC);
	WANT(find(&log, "ret", "ksys_dup3", 0, &ret));
	WANT_EQ((int)ret.ret, -EBADF);
	WANT_EQ(ret.depth, args.depth);

	call = tl_find(&log, hex(symbol("ksys_dup3")), 0);
	WANT(call >= 0);
	row = &log.rows[call];
	WANT_EQ(row->depth, args.depth);
	WANT_EQ(args.event->ns, row->entry_ns);
	WANT(ret.event->ns >= row->entry_ns);
	WANT(ret.event->ns <= row->entry_ns + row->delta_ns);

	WANT(find(&log, "args", "ksys_dup3", 1, &args));
	WANT_EQ((unsigned int)args.arg[0], 1);
	WANT_EQ((unsigned int)args.arg[1], 77);
	WANT(find(&log, "ret", "ksys_dup3", 1, &ret));
	WANT_EQ((int)ret.ret, 77);
	WANT(!find(&log, "ret", "ksys_dup3", 2, &ret));
	WANT_EQ(tl_num(&log, "Marks kept"), 4);
	return PASS;
}

/* Six arguments, on 32-bit ARM two of them on the stack, and a pointer as the result. */
static enum outcome most(void)
{
	struct told args, ret;
	struct tracelog log;
	bool found = false;
	unsigned int i;
	char *p;

	if (!is_after_inlining())
		return because(SKIP, "instrumented before inlining");
	TRY(record("record args 6 ret vm_mmap_pgoff fend\nfilter funclist vm_mmap_pgoff"));
	p = mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	WANT(p != MAP_FAILED);
	TRY(stop(&log));
	for (i = 0; find(&log, "args", "vm_mmap_pgoff", i, &args); i++) {
		if (args.n < 3 || args.arg[2] != BYTES)
			continue;
		found = true;
		WANT_EQ(args.n, 6);
		WANT_EQ(args.arg[0], 0);
		WANT_EQ(args.arg[1], 0);
		WANT_EQ(args.arg[3], PROT_READ);
		WANT_EQ(args.arg[4], MAP_PRIVATE | MAP_ANONYMOUS);
		WANT_EQ(args.arg[5], 0);
		WANT(find(&log, "ret", "vm_mmap_pgoff", i, &ret));
		WANT_EQ((unsigned long)ret.ret, (unsigned long)p);
	}
	munmap(p, BYTES);
	WANT(found);
	return PASS;
}

/* More arguments than registers have, of a function that knows what it was passed. */
static enum outcome on_the_stack(void)
{
	struct tracelog log;
	struct told t;
	unsigned int i;

	if (!is_after_inlining())
		return because(SKIP, "instrumented before inlining");
	TRY(module_load());
	TRY(record("record args 10 ret kfi_test_many fend\nfilter funclist kfi_test_many"));
	WANT_EQ(module_command("many 1000"), 0);
	TRY(stop(&log));
	WANT(find(&log, "args", "kfi_test_many", 0, &t));
	WANT_EQ(t.n, MOST);
	for (i = 0; i < MOST; i++)
		WANT_EQ(t.arg[i], 1000 + i);
	WANT(find(&log, "ret", "kfi_test_many", 0, &t));
	WANT_EQ(t.ret, 10 * 1000 + 45);
	return module_unload();
}

/* Filters of time do not apply to them, all others do. One alone is without the other. */
static enum outcome filters(void)
{
	struct tracelog log;
	struct told t;

	if (!is_after_inlining())
		return because(SKIP, "instrumented before inlining");
	TRY(record("record ret ksys_dup3 vm_mmap_pgoff fend filter mintime 1000s\n"
		   "filter exclude vm_mmap_pgoff"));
	syscall(SYS_dup3, NO_FD, NO_FD + 1, 0);
	munmap(mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), BYTES);
	TRY(stop(&log));
	WANT(find(&log, "ret", "ksys_dup3", 0, &t));
	WANT_EQ((int)t.ret, -EBADF);
	WANT(!find(&log, "args", "ksys_dup3", 0, &t));
	WANT(!find(&log, "ret", "vm_mmap_pgoff", 0, &t));
	WANT(tl_num(&log, "Calls seen") > 10);

	TRY(record("record args 1 ksys_dup3 fend filter noints"));
	syscall(SYS_dup3, NO_FD, NO_FD + 1, 0);
	TRY(stop(&log));
	WANT(find(&log, "args", "ksys_dup3", 0, &t));
	WANT_EQ(t.n, 1);
	WANT_EQ((unsigned int)t.arg[0], NO_FD);
	WANT(!find(&log, "ret", "ksys_dup3", 0, &t));
	return PASS;
}

/* A session that starts and stops by the function itself has both of its rows. */
static enum outcome at_triggers(void)
{
	struct tracelog log;
	struct told t;

	if (!is_after_inlining())
		return because(SKIP, "instrumented before inlining");
	WANT_EQ(kfi_write("new begin trigger start entry ksys_dup3 trigger stop exit ksys_dup3\n"
			  "record args 2 ret ksys_dup3 end"), 0);
	WANT_EQ(kfi_write("prime"), 0);
	syscall(SYS_dup3, NO_FD, NO_FD + 1, 0);
	TRY(wait_and_read_log(&log));
	WANT(find(&log, "args", "ksys_dup3", 0, &t));
	WANT_EQ((unsigned int)t.arg[0], NO_FD);
	WANT_EQ(t.depth, 1);
	WANT(find(&log, "ret", "ksys_dup3", 0, &t));
	WANT_EQ((int)t.ret, -EBADF);
	return PASS;
}

/* Arguments that the hooks of this kernel do not know are rejected, with the reason. */
static enum outcome refused(void)
{
	char *why;

	if (is_after_inlining()) {
		WANT_EQ(kfi_write("new begin record args 10 ret vfs_mkdir end"), 0);
		return PASS;
	}
	WANT_EQ(kfi_write("new begin record args 1 ret vfs_mkdir end"), -EOPNOTSUPP);
	why = read_whole_file("/proc/kfi", 0);
	WANT(why && strstr(why, "instrumented after inlining"));
	free(why);
	return PASS;
}

const struct guest_case record_cases[] = {
	{ "record_both", both },
	{ "record_most", most },
	{ "record_on_the_stack", on_the_stack },
	{ "record_filters", filters },
	{ "record_at_triggers", at_triggers },
	{ "record_refused", refused },
	{ }
};
