// SPDX-License-Identifier: GPL-2.0
/*
 * Reads what the kernel prints with initcall_debug, among all its other messages:
 *
 *	[    0.123456] calling  foo_init+0x0/0x40 @ 1
 *	[    0.124456] initcall foo_init+0x0/0x40 returned 0 after 1000 usecs
 *	[    0.130000] probe of 12345.uart returned 0 after 345 usecs
 *	[    0.500000] Run /sbin/init as init process
 *
 *	[    0.000000] Linux version 6.12 ...			another boot
 *
 * The lines may come from dmesg, a console or a journal, and names may have "[module]" behind them.
 * Initcalls of several tasks overlap. All other lines are skipped.
 */
#include <stdio.h>
#include <stdlib.h>

#include "import/formats.h"

/**
 * struct initcalls - state of the reader
 * @thread_of: maps a function to the thread that has entered it last
 */
struct initcalls {
	struct kfi_map thread_of;
};

/**
 * struct initcall_line - the contents of a line
 * @what: first letter of the kind of line, see above; 0: another line
 * @name: name of the function, device or program
 * @pid: the task
 * @result: the returned value
 * @usecs: the duration
 */
struct initcall_line {
	char what;
	struct kfi_str name;
	s64 pid;
	s64 result;
	s64 usecs;
};

/* Find a word that stands apart from other words. */
static const char *find_word(const char *s, size_t len, const char *word)
{
	const char *at = memmem(s, len, word, strlen(word));

	return at && (at == s || at[-1] == ' ' || at[-1] == ':' || at[-1] == '\t') ? at : NULL;
}

static bool skip_word(const char **p, const char *end, const char *word)
{
	size_t n = strlen(word);

	if ((size_t)(end - *p) < n || memcmp(*p, word, n))
		return false;
	*p += n;
	return true;
}

static bool take_number(const char **p, const char *end, s64 *v)
{
	bool minus = skip_word(p, end, "-");
	const char *from = *p;

	*v = 0;
	for (; *p < end && **p >= '0' && **p <= '9' && *p - from < 15; ++*p)
		*v = *v * 10 + (**p - '0');
	if (*p == from)
		return false;
	*v = minus ? -*v : *v;
	return true;
}

/* Read the name in "foo+0x0/0x40", without the offset and with "[module]" behind it. */
static bool take_name(const char **p, const char *end, char *text, size_t size,
		      struct kfi_str *name)
{
	const char *from = *p, *plus, *module = NULL;
	int n;

	while (*p < end && **p != ' ')
		++*p;
	plus = memchr(from, '+', (size_t)(*p - from));
	if (*p == from || plus == from)
		return false;
	n = (int)((plus ? plus : *p) - from);
	if (end - *p > 2 && (*p)[1] == '[') {
		module = *p + 1;
		*p = memchr(module, ']', (size_t)(end - module));
		if (!*p)
			return false;
		++*p;
	}
	n = snprintf(text, size, "%.*s%.*s", n, from, module ? (int)(*p - module) : 0,
		     module ? module : "");
	*name = (struct kfi_str){ text, (u32)n };
	return n > 0 && (size_t)n < size;
}

static bool parse_duration(const char **p, const char *end, struct initcall_line *w)
{
	return skip_word(p, end, " returned ") && take_number(p, end, &w->result) &&
	       skip_word(p, end, " after ") && take_number(p, end, &w->usecs) && w->usecs >= 0 &&
	       skip_word(p, end, " usecs");
}

/* Parse a line. Return: the error, or NULL; then @w->what says whether the line counts. */
static const char *read_line(const char *s, size_t len, char *text, size_t size,
			     struct initcall_line *w)
{
	static const char as_init[] = " as init process";
	const char *end = s + len, *p;

	*w = (struct initcall_line){ 0 };
	while (end > s && (end[-1] == '\r' || end[-1] == ' '))
		end--;
	p = find_word(s, len, "calling  ");
	if (p) {
		p += strlen("calling  ");
		if (!take_name(&p, end, text, size, &w->name) || !skip_word(&p, end, " @ ") ||
		    !take_number(&p, end, &w->pid) || w->pid < 0 || w->pid > INT32_MAX)
			return "expected FUNCTION @ PID after calling";
		/* "calling  device+ @ 1, parent: ..." is printed by suspend, not by initcalls. */
		w->what = p == end ? 'c' : 0;
		return NULL;
	}
	p = find_word(s, len, "initcall ");
	if (p) {
		p += strlen("initcall ");
		if (memmem(s, len, " returned ", 10) == NULL)
			return NULL;
		if (!take_name(&p, end, text, size, &w->name) || !parse_duration(&p, end, w))
			return "expected FUNCTION returned RESULT after TIME usecs";
		w->what = 'i';
		return NULL;
	}
	p = find_word(s, len, "probe of ");
	if (p) {
		p += strlen("probe of ");
		w->name.s = p;
		while (p < end && *p != ' ')
			p++;
		w->name.len = (u32)(p - w->name.s);
		w->what = w->name.len && parse_duration(&p, end, w) ? 'p' : 0;
		return NULL;
	}
	p = find_word(s, len, "Run /");
	if (p && end - p > 20 && !memcmp(end - strlen(as_init), as_init, strlen(as_init))) {
		end -= strlen(as_init);
		w->name = (struct kfi_str){ p + 4, (u32)(end - p - 4) };
		w->what = 'R';
	}
	return NULL;
}

static bool is_initcalls(const char *s, size_t len)
{
	char text[256];
	struct initcall_line w;

	return !read_line(s, len, text, sizeof(text), &w) && (w.what == 'c' || w.what == 'i');
}

static int begin(struct kfi_import *im, struct kfi_err *err)
{
	im->state = calloc(1, sizeof(struct initcalls));
	/* The clock of printk begins with the boot. */
	im->first_ns = 0;
	/* This function prints the lines, and calls the functions that they name. */
	im->root_caller = kfi_import_func(im, "do_one_initcall", strlen("do_one_initcall"));
	return im->state && im->root_caller != KFI_NONE ? 0 : kfi_import_no_memory(im, err);
}

/* Read the time "[    0.123456]", which may follow "<6>" or text of a journal. */
static s64 time_of(const char *s, size_t len)
{
	const char *open = memchr(s, '[', len);
	u64 ns;

	return open && kfi_log_printk_stamp(open, len - (size_t)(open - s), &ns) ? (s64)ns : -1;
}

static int handle_call(struct kfi_import *im, const struct initcall_line *w,
		       const struct kfi_import_at *at,
		       struct kfi_err *err)
{
	struct initcalls *x = im->state;
	u32 thread = kfi_import_thread(im, (s32)w->pid, -1);
	u32 func = kfi_import_func(im, w->name.s, w->name.len);
	u32 *of = func == KFI_NONE ? NULL : kfi_map_get(&x->thread_of, func, thread);

	if (thread == KFI_NONE || !of)
		return kfi_import_no_memory(im, err);
	*of = thread;
	return kfi_import_enter(im, thread, at, func, U64_MAX, err);
}

static int handle_return(struct kfi_import *im, const struct initcall_line *w,
			 const struct kfi_import_at *at,
			 struct kfi_err *err)
{
	struct initcalls *x = im->state;
	u32 func = kfi_import_func(im, w->name.s, w->name.len);
	u32 *of = func == KFI_NONE ? NULL : kfi_map_find(&x->thread_of, func);
	char text[300];
	int n, ret;

	if (func == KFI_NONE)
		return kfi_import_no_memory(im, err);
	if (!of) {
		im->no_entry++;
		return 0;
	}
	ret = kfi_import_exit(im, *of, at, func, w->usecs * 1000, err);
	n = snprintf(text, sizeof(text), "%.*s %lld", (int)w->name.len, w->name.s,
		     (long long)w->result);
	return ret ? ret : kfi_import_mark(im, *of, at, "initcall", text, (size_t)n, err);
}

static int line(struct kfi_import *im, const char *s, size_t len, struct kfi_err *err)
{
	struct kfi_import_at at = { .ns = time_of(s, len), .cpu = -1, .ctx = KFI_CTX_TASK };
	char text[256], probe[300];
	struct initcall_line w;
	const char *why = read_line(s, len, text, sizeof(text), &w);
	bool is_boot;
	u32 init;
	int n;

	/* Without a time it may be the output of a program, unless no line has one. */
	is_boot = (at.ns >= 0 || im->no_times) && kfi_import_is_boot(s, len);
	/* The first lines of a boot may be missing. */
	if (is_boot || (w.what && kfi_import_is_earlier(im, at.ns))) {
		n = kfi_import_next_run(im, err);
		if (n)
			return n;
	}
	if (why)
		kfi_import_bad(im, s, len, 1, why);
	switch (w.what) {
	case 'c':
		return handle_call(im, &w, &at, err);
	case 'i':
		return handle_return(im, &w, &at, err);
	case 'p':
	case 'R':
		break;
	default:
		return 0;
	}
	init = kfi_import_thread(im, w.what == 'R' ? 1 : -2, -1);
	if (init == KFI_NONE)
		return kfi_import_no_memory(im, err);
	if (w.what == 'R') {
		const char *slash = memrchr(w.name.s, '/', w.name.len);
		const char *name = slash ? slash + 1 : w.name.s;

		return kfi_import_mark(im, init, &at, "exec", name,
				       (size_t)(w.name.s + w.name.len - name), err);
	}
	n = snprintf(probe, sizeof(probe), "%.*s returned %lld after %lld us",
		     (int)min_t(u32, w.name.len, 200), w.name.s, (long long)w.result,
		     (long long)w.usecs);
	return kfi_import_mark(im, init, &at, "probe", probe, (size_t)n, err);
}

static void free_state(struct kfi_import *im)
{
	struct initcalls *x = im->state;

	if (x)
		kfi_map_free(&x->thread_of);
	free(x);
}

const struct kfi_import_format kfi_import_initcalls = {
	.name = "initcalls", .what = "a kernel log with initcall_debug", .weak = true,
	.is = is_initcalls, .begin = begin, .line = line, .free = free_state,
};
