// SPDX-License-Identifier: GPL-2.0
/*
 * Text of ftrace: the files trace and trace_pipe of the tracers function_graph and function, and
 * the output of "trace-cmd report", each with events in between.
 *
 *	[TIME |] [CPU)] [COMM-PID |] [FLAGS |] DURATION | TEXT		function_graph
 *	COMM-PID [(TGID)] [CPU] [FLAGS] TIME: EVENT: TEXT		events, trace-cmd report
 *	COMM-PID [(TGID)] [CPU] [FLAGS] TIME: FUNC <-PARENT [REPEATS]	function
 *
 * TEXT of function_graph is "FUNC() {", "FUNC();", "}" or a comment, indented by two blanks for
 * each call around it. The indentation says which calls are open, also after lost events. Without
 * COMM-PID the task of a CPU is known from the lines "CPU) COMM-PID => COMM-PID" where it changes.
 */
#include <stdio.h>
#include <stdlib.h>

#include "import/formats.h"
#include "import/ftrace_line.h"

/**
 * struct open - the indentation of the open calls of a thread
 * @at: by call, outermost first: its indentation
 * @room: for how many there is room
 * @irq: an arrow has said that an interrupt runs
 * @irq_cpu: its processor, -1: unknown
 * @irq_indent: indentation that its calls have at least: more than the call that it interrupted
 */
struct open {
	u32 *at;
	u32 room;
	bool irq;
	s32 irq_cpu;
	u32 irq_indent;
};

/**
 * struct latest - a line of the function tracer; its members are numbers
 * @thread: its thread
 * @func: the function, KFI_NONE: there was no line
 * @caller: the calling function
 * @ctx: enum kfi_ctx
 */
struct latest {
	u32 thread;
	u32 func;
	u32 caller;
	u8 ctx;
};

/**
 * struct ftrace - state of the reader
 * @open: by thread
 * @room: for how many there is room
 * @current: by CPU + 1, without COMM-PID: thread of the current task, KFI_NONE: unknown
 * @latest: by CPU: the latest line of the function tracer
 * @repeats: number of calls that the function tracer has only counted
 * @mixed: a line of the function graph has neither a CPU nor a task
 */
struct ftrace {
	struct open *open;
	u32 room;
	u32 current[CPUS + 1];
	struct latest latest[CPUS];
	u64 repeats;
	bool mixed;
};

/*
 * Calls
 */

static struct open *open_of(struct ftrace *f, u32 thread)
{
	u32 room = f->room;

	if (thread >= f->room) {
		if (kfi_grow((void **)&f->open, &f->room, thread + 1, sizeof(*f->open)))
			return NULL;
		memset(f->open + room, 0, (f->room - room) * sizeof(*f->open));
	}
	return &f->open[thread];
}

/*
 * Return the number of a function in "NAME[+OFFSET/SIZE] [[MODULE]] [<ADDRESS>][(ARGUMENTS)]", of
 * which options of the tracers print a part. kd's form is "NAME[MODULE]". KFI_NONE: out of memory.
 */
static u32 func_of(struct kfi_import *im, struct part p)
{
	const char *paren = memchr(p.s, '(', p.len), *end = paren ? paren : p.s + p.len;
	const char *open = memmem(p.s, (size_t)(end - p.s), " [", 2);
	const char *close = open ? memchr(open, ']', (size_t)(end - open)) : NULL;
	size_t n = 0, module = close ? (size_t)(close - open) : 0;
	char text[512];

	while (p.s + n < end && !memchr("+ \t", p.s[n], 3))
		n++;
	if (!n)
		return kfi_import_func(im, p.s, p.len);
	if (!module || n + module > sizeof(text))
		return kfi_import_func(im, p.s, n);
	memcpy(text, p.s, n);
	memcpy(text + n, open + 1, module);
	return kfi_import_func(im, text, n + module);
}

/* Return the thread of a line. */
static u32 thread_of(struct kfi_import *im, const struct head *h)
{
	struct ftrace *f = im->state;
	u32 *current = &f->current[h->at.cpu + 1];

	if (h->pid >= 0) {
		u32 thread = kfi_import_thread(im, h->pid, h->at.cpu);

		if (thread != KFI_NONE && h->comm.len &&
		    kfi_import_comm(im, thread, h->comm.s, h->comm.len))
			return KFI_NONE;
		return thread;
	}
	if (*current == KFI_NONE)
		*current = kfi_import_unknown(im, h->at.cpu);
	f->mixed |= h->at.cpu < 0;
	return *current;
}

/* End the calls that are at least as deep as a line: their exits are missing. */
static int close_calls(struct kfi_import *im, u32 thread, const struct open *o, u32 indent,
		       struct kfi_err *err)
{
	u32 n = kfi_import_depth(im, thread), keep = n;

	while (keep && o->at[keep - 1] >= indent)
		keep--;
	return keep < n ? kfi_import_unwind(im, thread, keep, err) : 0;
}

static int enter(struct kfi_import *im, u32 thread, struct open *o, const struct head *h,
		 struct part name, u32 indent, struct kfi_err *err)
{
	u32 func, n;
	int ret;

	ret = close_calls(im, thread, o, indent, err);
	if (ret)
		return ret;
	func = func_of(im, name);
	n = kfi_import_depth(im, thread);
	if (func == KFI_NONE || kfi_grow((void **)&o->at, &o->room, n + 1, sizeof(*o->at)))
		return kfi_import_no_memory(im, err);
	o->at[n] = indent;
	return kfi_import_enter(im, thread, &h->at, func, U64_MAX, err);
}

static int leave(struct kfi_import *im, u32 thread, const struct open *o, const struct head *h,
		 u32 indent, struct kfi_err *err)
{
	int ret = close_calls(im, thread, o, indent + 1, err);
	u32 n = kfi_import_depth(im, thread);

	if (ret)
		return ret;
	if (!n || o->at[n - 1] != indent) {
		im->no_entry++;
		return 0;
	}
	return kfi_import_exit(im, thread, &h->at, KFI_NONE, h->delta, err);
}

/* Cut a comment off the end. @comment: set to it, empty: none. Return: the rest. */
static struct part strip_comment(struct part p, struct part *comment)
{
	const char *at = p.s + p.len;

	*comment = (struct part){ NULL, 0 };
	if (p.len < 4 || at[-1] != '/' || at[-2] != '*')
		return p;
	for (at -= 4; at >= p.s; at--)
		if (at[0] == '/' && at[1] == '*') {
			*comment = trim(at + 2, p.s + p.len - 2);
			return trim(p.s, at);
		}
	return p;
}

/*
 * Handle an arrow. Interrupts nest: a softirq in the outer one may be interrupted. Arrows while
 * calls of the outer interrupt are open belong to an inner one.
 */
static void handle_arrow(const struct kfi_import *im, u32 thread, struct open *o,
			 const struct head *h)
{
	u32 n = kfi_import_depth(im, thread), indent = n ? o->at[n - 1] + 1 : 0;

	if (o->irq && o->irq_cpu == h->at.cpu && indent > o->irq_indent)
		return;
	o->irq = h->arrow > 0;
	o->irq_cpu = h->at.cpu;
	o->irq_indent = indent;
}

/*
 * Return true if a call or an exit belongs to an interrupt. Its end may be among lost events: it is
 * over when its task runs on another processor, or gets back to the call that it interrupted.
 */
static bool in_irq(struct open *o, const struct head *h, u32 indent)
{
	if (o->irq && (o->irq_cpu != h->at.cpu || indent < o->irq_indent))
		o->irq = false;
	return o->irq;
}

static int event(struct kfi_import *im, struct head *h, struct part p, struct kfi_err *err);

/* Handle the text of a line of the function graph. */
static int handle_call(struct kfi_import *im, struct head *h, const char *s, size_t len,
		       struct kfi_err *err)
{
	struct part all = trim(h->text.s, h->text.s + h->text.len), comment, p;
	u32 indent = (u32)(all.s - h->text.s), thread;
	const char *paren;
	struct open *o;
	bool is_call;
	int ret;

	p = strip_comment(all, &comment);
	paren = p.len ? memchr(p.s, '(', p.len) : NULL;
	is_call = paren > p.s && (p.s[p.len - 1] == '{' || p.s[p.len - 1] == ';');
	if (!h->arrow && !all.len)
		return 0;
	if (!h->arrow && !is_call && (p.len || !comment.len) && *all.s != '}') {
		kfi_import_bad(im, s, len, (u32)(all.s - s) + 1,
			       "neither a call nor a } nor an event of the function graph tracer");
		return 0;
	}
	thread = thread_of(im, h);
	o = thread == KFI_NONE ? NULL : open_of(im->state, thread);
	if (!o)
		return kfi_import_no_memory(im, err);
	if (h->arrow) {
		handle_arrow(im, thread, o, h);
		im->irqs = true;
		return 0;
	}
	/* A comment inside of the outermost call has the indentation of that call. */
	if (in_irq(o, h, p.len ? indent : U32_MAX) && !h->has_ctx)
		h->at.ctx = KFI_CTX_HARDIRQ;
	im->irqs |= h->has_ctx;
	if (!p.len)
		return event(im, h, comment, err);
	if (*p.s == '}')
		return leave(im, thread, o, h, indent, err);
	ret = enter(im, thread, o, h, trim(p.s, paren), indent, err);
	if (ret || p.s[p.len - 1] == '{')
		return ret;
	return h->delta < 0 ? kfi_import_open(im, thread, err) :
			      kfi_import_exit(im, thread, &h->at, KFI_NONE, h->delta, err);
}

/*
 * Events
 */

/* Find the text behind "KEY=". Return: false if there is none. */
static bool find_value(struct part p, const char *key, struct cursor *c)
{
	const char *at = memmem(p.s, p.len, key, strlen(key));

	if (!at)
		return false;
	*c = (struct cursor){ at + strlen(key), p.s + p.len };
	return true;
}

static bool find_pid(struct part p, const char *key, s32 *pid)
{
	struct cursor c;
	u64 v;

	if (!find_value(p, key, &c) || !parse_number(&c, &v) || v > INT32_MAX)
		return false;
	*pid = (s32)v;
	return true;
}

/* Parse trace-cmd's form of a task: "comm:PID [PRIO]". */
static bool parse_short_task(struct part p, struct head *h)
{
	const char *colon = memrchr(p.s, ':', p.len);
	struct cursor c = { colon ? colon + 1 : NULL, p.s + p.len };
	u64 pid;

	if (!colon || colon == p.s || !parse_number(&c, &pid) || c.p != c.end || pid > INT32_MAX)
		return false;
	h->pid = (s32)pid;
	h->comm = (struct part){ p.s, (size_t)(colon - p.s) };
	return true;
}

/* Return the text up to a blank and "[". */
static struct part text_to_bracket(const char *s, const char *end)
{
	const char *at = memmem(s, (size_t)(end - s), " [", 2);

	return (struct part){ s, (size_t)((at ? at : end) - s) };
}

static u32 named_thread(struct kfi_import *im, const struct head *h)
{
	u32 thread = kfi_import_thread(im, h->pid, h->at.cpu);

	if (thread == KFI_NONE || (h->comm.len &&
				   kfi_import_comm(im, thread, h->comm.s, h->comm.len)))
		return KFI_NONE;
	return thread;
}

/* Parse sched_switch in both forms. Return: false if it is in none of them. */
static bool read_switch(struct part p, struct head *prev, struct head *next, char *state)
{
	const char *arrow = memmem(p.s, p.len, " ==> ", 5);
	struct part left, right;
	struct cursor c;

	if (!arrow)
		return false;
	left = (struct part){ p.s, (size_t)(arrow - p.s) };
	right = (struct part){ arrow + 5, (size_t)(p.s + p.len - arrow - 5) };
	if (find_value(left, "prev_state=", &c)) {
		const char *comm = left.s + strlen("prev_comm=");
		const char *end = memmem(left.s, left.len, " prev_pid=", 10);
		const char *next_end = memmem(right.s, right.len, " next_pid=", 10);

		if (c.p == c.end || !begins(left, "prev_comm=") || !begins(right, "next_comm=") ||
		    !end || !next_end)
			return false;
		*state = *c.p;
		prev->comm = (struct part){ comm, (size_t)(end - comm) };
		next->comm = (struct part){ right.s + 10, (size_t)(next_end - right.s - 10) };
		return find_pid(left, " prev_pid=", &prev->pid) &&
		       find_pid(right, " next_pid=", &next->pid);
	}
	*state = left.len ? left.s[left.len - 1] : 0;
	if (*state == '+' && left.len > 1)
		*state = left.s[left.len - 2];
	return parse_short_task(text_to_bracket(left.s, left.s + left.len), prev) &&
	       parse_short_task(text_to_bracket(right.s, right.s + right.len), next);
}

static int do_switch(struct kfi_import *im, const struct head *h, struct part p, bool *done,
		     struct kfi_err *err)
{
	struct ftrace *f = im->state;
	struct head prev = *h, next = *h;
	u32 from, to;
	char state;

	*done = read_switch(p, &prev, &next, &state);
	if (!*done)
		return 0;
	/* Only now the task of the CPU is known. */
	if (h->pid < 0 && f->current[h->at.cpu + 1] != KFI_NONE &&
	    kfi_import_is(im, f->current[h->at.cpu + 1], prev.pid, h->at.cpu))
		return kfi_import_no_memory(im, err);
	from = named_thread(im, &prev);
	to = named_thread(im, &next);
	if (from == KFI_NONE || to == KFI_NONE)
		return kfi_import_no_memory(im, err);
	return kfi_import_switch(im, &h->at, from, state == 'R', to, err);
}

/* Events that become marks of KFI's kinds. */
static const struct {
	const char *event;
	const char *kind;
	const char *key;	/* argument that the mark has */
} kinds[] = {
	{ "sched_wakeup", "wakeup", "pid=" },
	{ "sched_wakeup_new", "wakeup", "pid=" },
	{ "sched_process_fork", "new", "child_pid=" },
	{ "sys_enter", "syscall", "NR " },
	{ "sys_exit", "sysret", " = " },
	{ "initcall_level", "level", "level=" },
	{ "initcall_finish", "initcall", "func=" },
};

static const char *const own_kinds[] = {
	"switch", "preempt", "wakeup", "new", "exec", "level", "initcall", "syscall", "sysret", "mark",
};

/* Format the arguments of a mark of KFI's kinds. Return: length, 0: the event cannot be parsed. */
static size_t format_arguments(struct part p, const char *kind, const char *key, char *text,
			       size_t size)
{
	struct cursor c;
	struct head h = no_head;
	s32 pid;
	int n = 0;

	if (!strcmp(kind, "initcall")) {
		struct cursor ret;
		const char *plus;

		if (!find_value(p, key, &c) || !find_value(p, " ret=", &ret))
			return 0;
		plus = memchr(c.p, '+', (size_t)(ret.p - 5 - c.p));
		n = snprintf(text, size, "%.*s %.*s", (int)((plus ? plus : ret.p - 5) - c.p), c.p,
			     (int)(ret.end - ret.p), ret.p);
	} else if (!strcmp(kind, "level") || !strcmp(kind, "sysret")) {
		if (find_value(p, key, &c))
			n = snprintf(text, size, "%.*s", (int)(c.end - c.p), c.p);
	} else if (find_pid(p, key, &pid)) {
		n = snprintf(text, size, "%d", pid);
		if (!strcmp(kind, "new") && find_value(p, "child_comm=", &c)) {
			const char *end = memmem(c.p, (size_t)(c.end - c.p), " child_pid=", 11);

			n = snprintf(text, size, "%d %.*s", pid,
				     (int)((end ? end : c.end) - c.p), c.p);
		}
	} else if (!strcmp(kind, "wakeup") && parse_short_task(text_to_bracket(p.s, p.s + p.len),
							       &h)) {
		n = snprintf(text, size, "%d", h.pid);
	}
	return n > 0 && (size_t)n < size ? (size_t)n : 0;
}

/* Handle an event "NAME: ARGUMENTS", or a text without a name. */
static int event(struct kfi_import *im, struct head *h, struct part p, struct kfi_err *err)
{
	const char *colon = memchr(p.s, ':', p.len), *blank = memchr(p.s, ' ', p.len);
	struct part name = { p.s, colon ? (size_t)(colon - p.s) : 0 };
	struct part rest = colon ? trim(colon + 1, p.s + p.len) : p;
	char kind[64] = "", text[256];
	u32 thread = thread_of(im, h);
	bool done = false;
	int ret = 0;

	if (thread == KFI_NONE)
		return kfi_import_no_memory(im, err);
	if (!colon || (blank && blank < colon) || name.len >= sizeof(kind) - 8)
		return kfi_import_mark(im, thread, &h->at, "trace_printk", p.s, p.len, err);
	snprintf(kind, sizeof(kind), "%.*s", (int)name.len, name.s);
	if (!strcmp(kind, "sched_switch"))
		ret = do_switch(im, h, rest, &done, err);
	if (ret || done)
		return ret;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		size_t n = strcmp(kind, kinds[i].event) ? 0 :
			   format_arguments(rest, kinds[i].kind, kinds[i].key, text, sizeof(text));

		if (n)
			return kfi_import_mark(im, thread, &h->at, kinds[i].kind, text, n, err);
	}
	/* An event whose name is one of KFI's kinds is not such a mark. */
	for (size_t i = 0; i < ARRAY_SIZE(own_kinds); i++)
		if (!strcmp(kind, own_kinds[i]))
			snprintf(kind, sizeof(kind), "event:%s", own_kinds[i]);
	return kfi_import_mark(im, thread, &h->at, kind, rest.s, rest.len, err);
}

/*
 * Parse "FUNC <-PARENT", or trace-cmd's "FUNC <-- PARENT". Return: false if it is not that, as in
 * "EVENT: a text with <- in it". Only arguments of FUNC may have a colon.
 */
static bool is_function(struct part p, struct part *func, struct part *parent)
{
	const char *arrow = memmem(p.s, p.len, " <-", 3);
	const char *from, *paren;

	if (!arrow)
		return false;
	paren = memchr(p.s, '(', (size_t)(arrow - p.s));
	if (memchr(p.s, ':', (size_t)((paren ? paren : arrow) - p.s)))
		return false;
	from = arrow + 3;
	while (from < p.s + p.len && *from == '-')
		from++;
	*func = trim(p.s, arrow);
	*parent = trim(from, p.s + p.len);
	return func->len && parent->len;
}

/*
 * Cut off how often a call was repeated: "(repeats: 3, last_ts: 100.000010)", in trace-cmd's form
 * "(repeats:3  delta: -10)". @n: set to it, 0: it is a call. Return: false if that is no number of
 * the tracer, which counts in 16 bits.
 */
static bool strip_repeats(struct part *p, u64 *n)
{
	static const char word[] = "(repeats:";
	const char *at = memmem(p->s, p->len, word, sizeof(word) - 1);
	struct cursor c;

	*n = 0;
	if (!at)
		return true;
	c = (struct cursor){ at + sizeof(word) - 1, p->s + p->len };
	skip_blanks(&c);
	*p = trim(p->s, at);
	return parse_number(&c, n) && *n && *n <= U16_MAX;
}

/* Handle a call of the function tracer, or @n calls that it has only counted. */
static int handle_function(struct kfi_import *im, const struct head *h, struct part func,
			   struct part parent, u64 n, struct kfi_err *err)
{
	struct ftrace *f = im->state;
	struct latest *latest = &f->latest[h->at.cpu];
	struct latest l = { .thread = thread_of(im, h), .func = func_of(im, func),
			    .caller = func_of(im, parent), .ctx = h->at.ctx };
	struct kfi_import_at at = h->at;
	int ret = 0;

	if (l.thread == KFI_NONE || l.func == KFI_NONE || l.caller == KFI_NONE)
		return kfi_import_no_memory(im, err);
	/* The tracer prints the count at the next call, which another task or context may make. */
	if (n && latest->func == l.func && latest->caller == l.caller)
		l = *latest;
	*latest = l;
	at.ctx = l.ctx;
	f->repeats += n;
	do
		ret = kfi_import_entry(im, l.thread, &at, l.func, l.caller, err);
	while (!ret && n-- > 1);
	return ret;
}

static int line_of_event(struct kfi_import *im, struct head *h, const char *s, size_t len,
			 struct kfi_err *err)
{
	struct part p = trim(h->text.s, h->text.s + h->text.len), func, parent;
	bool is_entry = begins(p, "funcgraph_entry:"), is_exit = begins(p, "funcgraph_exit:");
	u64 n;

	if (h->at.ns < 0) {
		kfi_import_bad(im, s, len, (u32)(p.s - s), "the time is not in seconds: set trace_clock to local");
		return 0;
	}
	im->irqs |= h->has_ctx;
	if (is_entry || is_exit) {
		const char *colon = memchr(p.s, ':', p.len);

		kfi_ftrace_graph_columns((struct cursor){ colon + 1, p.s + p.len }, h);
		return handle_call(im, h, s, len, err);
	}
	if (begins(p, "function:") || begins(p, "func_repeats:")) {
		const char *colon = memchr(p.s, ':', p.len);

		p = trim(colon + 1, p.s + p.len);
	}
	if (!is_function(p, &func, &parent))
		return event(im, h, p, err);
	if (!strip_repeats(&parent, &n) || !parent.len) {
		kfi_import_bad(im, s, len, (u32)(parent.s - s) + 1,
			       "not a caller, and a number of repeats from 1 to 65535");
		return 0;
	}
	return handle_function(im, h, func, parent, n, err);
}

/*
 * Lines
 */


static int handle_lost_events(struct kfi_import *im, s32 cpu, u64 n, struct kfi_err *err)
{
	struct ftrace *f = im->state;
	int ret = 0;

	im->log->head.lost += n;
	/* An interrupt stays on its processor, so its end is among the lost events of that one. */
	for (u32 i = 0; i < f->room; i++)
		if (cpu < 0 || f->open[i].irq_cpu < 0 || f->open[i].irq_cpu == cpu)
			f->open[i].irq = false;
	for (u32 i = 0; i < im->nthreads && !ret; i++)
		ret = kfi_import_unwind(im, i, 0, err);
	return ret;
}


static int handle_task_change(struct kfi_import *im, const struct head *prev,
			      const struct head *next, struct kfi_err *err)
{
	struct ftrace *f = im->state;
	s32 cpu = prev->at.cpu;
	u32 *current = &f->current[cpu + 1];

	if (*current != KFI_NONE && kfi_import_is(im, *current, prev->pid, cpu))
		return kfi_import_no_memory(im, err);
	*current = named_thread(im, next);
	if (named_thread(im, prev) == KFI_NONE || *current == KFI_NONE)
		return kfi_import_no_memory(im, err);
	return 0;
}

/* Return true for a line without call and event: title, separator, stack trace, or of trace-cmd. */
static bool is_ignored(struct part p)
{
	/* Most lines begin with the CPU or the time. */
	if (p.len && is_digit(*p.s))
		return false;
	return !p.len || *p.s == '#' || begins(p, "-----") || begins(p, "=> ") ||
	       begins(p, "cpus=") || begins(p, "version =") || begins(p, "CPU ") ||
	       begins(p, "<stack trace>");
}

/* Return true for the first line of the file trace, and of trace-cmd report. */
static bool is_title(struct part p)
{
	return begins(p, "# tracer: ") || (begins(p, "cpus=") && p.len < 12);
}

static bool is_ftrace(const char *s, size_t len)
{
	struct head h = no_head;
	struct part p = trim(s, s + len);
	struct cursor c = { s, s + len };

	if (is_title(p))
		return true;
	if (kfi_ftrace_event_head(c, &h))
		return h.at.ns >= 0;
	kfi_ftrace_graph_columns(c, &h);
	p = trim(h.text.s, h.text.s + h.text.len);
	return h.at.cpu >= 0 && h.text.s > s && h.text.s[-1] == '|' && p.len &&
	       (p.s[p.len - 1] == ';' || p.s[p.len - 1] == '{' || p.s[p.len - 1] == '}' ||
		p.s[p.len - 1] == '/');
}

static int begin(struct kfi_import *im, struct kfi_err *err)
{
	struct ftrace *f = calloc(1, sizeof(*f));

	im->state = f;
	if (!f)
		return kfi_import_no_memory(im, err);
	memset(f->current, 0xff, sizeof(f->current));
	memset(f->latest, 0xff, sizeof(f->latest));
	return 0;
}

static int line(struct kfi_import *im, const char *s, size_t len, struct kfi_err *err)
{
	struct head h = no_head, prev, next;
	struct part p;
	struct cursor c;
	size_t stamp;
	bool bars;
	s32 cpu;
	u64 n;

	while (len && s[len - 1] == '\r')
		len--;
	stamp = kfi_log_stamp(s, len);
	c = (struct cursor){ s + stamp, s + len };
	p = trim(c.p, c.end);
	if (is_title(p) || (stamp && begins(p, "Linux version ")))
		return kfi_import_next_run(im, err);
	if (is_ignored(p))
		return 0;
	if (kfi_ftrace_lost_events(p, &cpu, &n))
		return handle_lost_events(im, cpu, n, err);
	if (kfi_ftrace_event_head(c, &h))
		return line_of_event(im, &h, s, len, err);
	bars = kfi_ftrace_graph_columns(c, &h);
	if (!bars && h.at.cpu >= 0 && kfi_ftrace_task_change(c, &prev, &next))
		return handle_task_change(im, &prev, &next, err);
	/* In a dump on a console, other messages may stand between the lines. */
	if (h.at.cpu < 0 && h.pid < 0 && stamp && kfi_log_printk_stamp(s, len, &n))
		return 0;
	return handle_call(im, &h, s, len, err);
}

static int end(struct kfi_import *im, struct kfi_err *err)
{
	struct ftrace *f = im->state;

	if (f->repeats)
		kfi_import_note(im, "calls that the trace has only counted (func-no-repeats): %llu; their Entry is the time of the next call",
				(unsigned long long)f->repeats);
	if (f->mixed)
		kfi_import_note(im, "the trace names neither task nor CPU: calls of several CPUs may be mixed; set funcgraph-cpu or funcgraph-proc");
	return 0;
}

static void free_state(struct kfi_import *im)
{
	struct ftrace *f = im->state;

	for (u32 i = 0; f && i < f->room; i++)
		free(f->open[i].at);
	if (f)
		free(f->open);
	free(f);
}

const struct kfi_import_format kfi_import_ftrace = {
	.name = "ftrace", .what = "a text of ftrace", .is = is_ftrace, .begin = begin, .line = line,
	.end = end, .free = free_state,
};
