// SPDX-License-Identifier: GPL-2.0
/*
 * What the readers of other tracers' logs share: open calls of each thread, times of calls, and
 * records, of which rows are made; see import.h.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "import/import.h"
#include "import/spool.h"

/* No tracer follows more open calls of a task, so a thread with more has lost their exits. */
#define DEPTH_MAX	65535

/**
 * struct frame - an open call
 * @place: place of its record
 * @entry_ns: time of the entry, -1: unknown
 * @child_ns: sum of the durations of calls directly below it
 * @off_ns: @off_ns of the thread at the entry
 * @irq_ns: @irq_ns of the thread at the entry
 * @func: its function
 * @ctx: enum kfi_ctx
 * @unsure: a call below it has no duration
 */
struct frame {
	u64 place;
	s64 entry_ns;
	s64 child_ns;
	s64 off_ns;
	s64 irq_ns;
	u32 func;
	u8 ctx;
	bool unsure;
};

/**
 * struct kfi_import_thread - a thread of execution
 * @pid: the task; for an unknown task -2 - cpu
 * @cpu: processor of an idle task or an unknown one
 * @known: its task is known
 * @comm: number of its name, KFI_NONE: unknown
 * @f: its open calls, outermost first
 * @n: how many
 * @room: for how many there is room
 * @off_ns: total time for which it was switched out
 * @off_since: time since which it is switched out; -1: it is not, or unknown
 * @irq_ns: total time for which interrupts ran on it
 */
struct kfi_import_thread {
	s32 pid;
	s32 cpu;
	bool known;
	u32 comm;
	struct frame *f;
	u32 n;
	u32 room;
	s64 off_ns;
	s64 off_since;
	s64 irq_ns;
};

/**
 * struct kfi_import_run - a run of the input that has ended
 * @head: its header
 * @records: number of its calls and marks
 * @calls: number of its calls
 * @first_ns: as in struct kfi_import, as the next four
 * @no_times: an Entry is unknown
 * @switches: Off-ns is known
 * @irqs: Irq-ns is known
 * @first_thread: number of its first thread
 */
struct kfi_import_run {
	struct kfi_log_head head;
	u64 records;
	u64 calls;
	s64 first_ns;
	bool no_times;
	bool switches;
	bool irqs;
	u32 first_thread;
};

/* A clock of one boot does not step back by so much. */
#define STEP_NS	100000000

/*
 * Formats
 */

const struct kfi_import_format *kfi_import_look(const struct kfi_log *log, const char *s,
						size_t len)
{
	const struct kfi_import_format *const *f = log->formats;

	for (; f && *f; f++)
		if ((!log->input || !strcmp(log->input, (*f)->name)) && (*f)->is(s, len))
			return *f;
	return NULL;
}

const struct kfi_import_format *
kfi_import_named(const struct kfi_import_format *const *formats, const char *name)
{
	for (; formats && *formats; formats++)
		if (!strcmp(name, (*formats)->name))
			return *formats;
	return NULL;
}

/*
 * Problems
 */

int kfi_import_no_memory(const struct kfi_import *im, struct kfi_err *err)
{
	return kfi_err_set(err, ENOMEM, "%s: out of memory", im->log->in.name);
}

void kfi_import_bad(struct kfi_import *im, const char *s, size_t len, u32 column, const char *why)
{
	if (!im->log->bad) {
		im->bad_column = column;
		snprintf(im->bad_why, sizeof(im->bad_why), "%s", why);
	}
	kfi_log_bad(im->log, s, len);
}

void kfi_import_bad_byte(struct kfi_import *im, u64 byte, const char *why)
{
	kfi_import_bad(im, "", 0, 0, why);
	im->bad_byte = byte;
}

void kfi_import_note(struct kfi_import *im, const char *fmt, ...)
{
	struct kfi_log_head *head = &im->log->head;
	va_list ap;

	if (head->nnotes == KFI_LOG_NOTES)
		return;
	va_start(ap, fmt);
	vsnprintf(head->note[head->nnotes++], sizeof(head->note[0]), fmt, ap);
	va_end(ap);
}

/* Report a problem with the temporary file. */
static int cannot_keep(const struct kfi_import *im, int ret, struct kfi_err *err)
{
	return kfi_err_set(err, -ret, "%s: temporary file in %s: %s; set TMPDIR to a folder with room",
			   im->log->in.name, getenv("TMPDIR") ? : "/tmp", strerror(-ret));
}

/*
 * Functions
 */

static u32 number_func(struct kfi_import *im, const char *s, size_t len, u64 address)
{
	u32 id = kfi_names_get(&im->funcs, s, (u32)len);

	if (id == KFI_NONE || id < im->address_room)
		goto set;
	{
		u32 room = im->address_room;

		if (kfi_grow((void **)&im->address, &im->address_room, id + 1, sizeof(u64)))
			return KFI_NONE;
		memset(im->address + room, 0xff, (im->address_room - room) * sizeof(u64));
	}
set:
	if (id != KFI_NONE && address != U64_MAX)
		im->address[id] = address;
	return id;
}

u32 kfi_import_func(struct kfi_import *im, const char *s, size_t len)
{
	return number_func(im, s, len, U64_MAX);
}

u32 kfi_import_func_at(struct kfi_import *im, u64 address)
{
	u32 *at = kfi_map_get(&im->of_address, address, KFI_NONE);
	char text[20];

	if (!at || *at != KFI_NONE)
		return at ? *at : KFI_NONE;
	*at = number_func(im, text, (size_t)snprintf(text, sizeof(text), "0x%llx",
						     (unsigned long long)address), address);
	return *at;
}

/*
 * Threads
 */

static u32 new_thread(struct kfi_import *im, s32 pid, s32 cpu, bool known)
{
	if (kfi_grow((void **)&im->thread, &im->thread_room, im->nthreads + 1,
		     sizeof(*im->thread)))
		return KFI_NONE;
	im->thread[im->nthreads] = (struct kfi_import_thread){
		.pid = pid, .cpu = cpu, .known = known, .comm = KFI_NONE, .off_since = -1,
	};
	return im->nthreads++;
}

static u64 task_key(s32 pid, s32 cpu)
{
	return (u64)(u32)pid << 32 | (pid ? 0 : (u32)cpu + 1);
}

u32 kfi_import_thread(struct kfi_import *im, s32 pid, s32 cpu)
{
	u32 *at = kfi_map_get(&im->of_task, task_key(pid, cpu), KFI_NONE);

	if (at && *at == KFI_NONE)
		*at = new_thread(im, pid, pid ? -1 : cpu, true);
	return at ? *at : KFI_NONE;
}

u32 kfi_import_unknown(struct kfi_import *im, s32 cpu)
{
	return new_thread(im, -2 - cpu, cpu, false);
}

int kfi_import_is(struct kfi_import *im, u32 thread, s32 pid, s32 cpu)
{
	struct kfi_import_thread *t = &im->thread[thread];
	u32 *at;

	if (t->known)
		return 0;
	at = kfi_map_get(&im->of_task, task_key(pid, cpu), KFI_NONE);
	if (!at)
		return -ENOMEM;
	if (*at != KFI_NONE)
		return 0;
	*at = thread;
	t->known = true;
	t->pid = pid;
	t->cpu = pid ? -1 : cpu;
	return 0;
}

int kfi_import_comm(struct kfi_import *im, u32 thread, const char *s, size_t len)
{
	u32 *comm = &im->thread[thread].comm;

	/* Usually the task already has this name. */
	if (*comm != KFI_NONE && im->comms.str[*comm].len == len &&
	    !memcmp(im->comms.str[*comm].s, s, len))
		return 0;
	*comm = kfi_names_get(&im->comms, s, (u32)len);
	return *comm == KFI_NONE ? -ENOMEM : 0;
}

/* Return the number behind that of the last thread of the run that is delivered. */
static u32 last_thread(const struct kfi_import *im)
{
	u32 next = im->log->run + 1;

	return next < im->nruns ? im->run[next].first_thread : im->nthreads;
}

const char *kfi_import_task(const struct kfi_log *log, u32 n, s32 *pid)
{
	const struct kfi_import *im = log->import;

	if (!im || n >= last_thread(im) - im->first_thread)
		return NULL;
	n += im->first_thread;
	*pid = im->thread[n].pid;
	return im->thread[n].comm == KFI_NONE ? "" : im->comms.str[im->thread[n].comm].s;
}

u32 kfi_import_depth(const struct kfi_import *im, u32 thread)
{
	return im->thread[thread].n;
}

u32 kfi_import_top(const struct kfi_import *im, u32 thread, s64 *entry)
{
	const struct kfi_import_thread *t = &im->thread[thread];

	if (!t->n)
		return KFI_NONE;
	if (entry)
		*entry = t->f[t->n - 1].entry_ns;
	return t->f[t->n - 1].func;
}

/*
 * Calls
 */

static void see_time(struct kfi_import *im, s64 ns)
{
	if (unlikely(ns < 0)) {
		im->no_times = true;
		return;
	}
	if (unlikely(im->first_ns < 0))
		im->first_ns = ns;
	if (im->last_ns < ns)
		im->last_ns = ns;
}

static int add_record(struct kfi_import *im, const struct kfi_spool_rec *rec, const char *text,
		      u64 *place)
{
	im->records++;
	im->calls += !rec->is_mark;
	return kfi_spool_add(im->spool, rec, text, place);
}

int kfi_import_enter(struct kfi_import *im, u32 thread, const struct kfi_import_at *at, u32 func,
		     u64 site, struct kfi_err *err)
{
	struct kfi_import_thread *t = &im->thread[thread];
	struct kfi_spool_rec rec = {
		.entry_ns = at->ns, .site = site, .func = func,
		.caller = t->n ? KFI_NONE : im->root_caller, .thread = thread,
		.cpu = (s16)at->cpu, .ctx = at->ctx, .marks = KFI_MARK_OPEN, .waits = true,
		.delta_ns = -1, .local_ns = -1, .off_ns = -1, .irq_ns = -1,
	};
	struct frame *f;
	int ret;

	if (unlikely(t->n == t->room)) {
		if (t->n == DEPTH_MAX)
			return kfi_err_set(err, EINVAL, "%s:%llu: more than %u calls of a task are open: their exits are missing",
					   im->log->in.name, (unsigned long long)im->log->in.line,
					   DEPTH_MAX);
		if (kfi_grow((void **)&t->f, &t->room, t->n + 1, sizeof(*t->f)))
			return kfi_import_no_memory(im, err);
	}
	see_time(im, at->ns);
	f = &t->f[t->n];
	if (t->n && f[-1].ctx == at->ctx)
		rec.caller = f[-1].func;
	*f = (struct frame){
		.entry_ns = at->ns, .func = func, .ctx = at->ctx, .off_ns = t->off_ns,
		.irq_ns = t->irq_ns,
	};
	rec.depth = ++t->n;
	ret = add_record(im, &rec, NULL, &f->place);
	return ret ? cannot_keep(im, ret, err) : 0;
}

/* End the innermost call. @delta: -1: its exit was not seen. */
static int pop(struct kfi_import *im, struct kfi_import_thread *t, s64 delta, struct kfi_err *err)
{
	struct frame *f = &t->f[--t->n];
	struct kfi_spool_rec rec = {
		.delta_ns = delta, .local_ns = -1, .off_ns = -1, .irq_ns = -1,
		.marks = delta < 0 ? KFI_MARK_UNWOUND : 0,
	};
	s64 ran = delta;
	int ret;

	if (likely(delta >= 0)) {
		rec.off_ns = min_t(s64, t->off_ns - f->off_ns, delta);
		rec.irq_ns = min_t(s64, t->irq_ns - f->irq_ns, delta - rec.off_ns);
		ran -= rec.off_ns + rec.irq_ns;
		if (!f->unsure)
			rec.local_ns = max_t(s64, ran - f->child_ns, 0);
	} else {
		im->unwound++;
	}
	if (t->n && f[-1].ctx == f->ctx) {
		f[-1].unsure |= delta < 0;
		if (delta >= 0 && __builtin_add_overflow(f[-1].child_ns, ran, &f[-1].child_ns))
			f[-1].child_ns = S64_MAX;
	} else if (delta >= 0 && f->ctx != KFI_CTX_TASK) {
		/* The time of this interrupt includes interrupts that came during it. */
		t->irq_ns = f->irq_ns + delta - rec.off_ns;
	}
	ret = kfi_spool_exit(im->spool, f->place, &rec);
	return ret ? cannot_keep(im, ret, err) : 0;
}

int kfi_import_open(struct kfi_import *im, u32 thread, struct kfi_err *err)
{
	struct kfi_import_thread *t = &im->thread[thread];
	static const struct kfi_spool_rec rec = {
		.delta_ns = -1, .local_ns = -1, .off_ns = -1, .irq_ns = -1, .marks = KFI_MARK_OPEN,
	};
	int ret;

	if (--t->n)
		t->f[t->n - 1].unsure = true;
	ret = kfi_spool_exit(im->spool, t->f[t->n].place, &rec);
	return ret ? cannot_keep(im, ret, err) : 0;
}

int kfi_import_entry(struct kfi_import *im, u32 thread, const struct kfi_import_at *at, u32 func,
		     u32 caller, struct kfi_err *err)
{
	struct kfi_spool_rec rec = {
		.entry_ns = at->ns, .site = U64_MAX, .func = func, .caller = caller,
		.thread = thread, .cpu = (s16)at->cpu, .ctx = at->ctx, .marks = KFI_MARK_OPEN,
		.delta_ns = -1, .local_ns = -1, .off_ns = -1, .irq_ns = -1, .depth = 1,
	};
	u64 place;
	int ret;

	im->flat = true;
	see_time(im, at->ns);
	ret = add_record(im, &rec, NULL, &place);
	return ret ? cannot_keep(im, ret, err) : 0;
}

int kfi_import_sample(struct kfi_import *im, u32 thread, const struct kfi_import_at *at,
		      const u32 *func, u32 n, s64 weight, struct kfi_err *err)
{
	struct kfi_spool_rec rec = {
		.entry_ns = at->ns, .site = U64_MAX, .caller = KFI_NONE, .thread = thread,
		.cpu = (s16)at->cpu, .ctx = at->ctx, .delta_ns = weight, .off_ns = -1,
		.irq_ns = -1,
	};
	u64 place;
	int ret = 0;

	see_time(im, at->ns);
	while (!ret && n--) {
		rec.func = func[n];
		rec.local_ns = n ? 0 : weight;
		rec.depth++;
		ret = add_record(im, &rec, NULL, &place);
	}
	return ret ? cannot_keep(im, ret, err) : 0;
}

int kfi_import_unwind(struct kfi_import *im, u32 thread, u32 depth, struct kfi_err *err)
{
	struct kfi_import_thread *t = &im->thread[thread];
	int ret = 0;

	while (!ret && t->n > depth)
		ret = pop(im, t, -1, err);
	return ret;
}

int kfi_import_exit(struct kfi_import *im, u32 thread, const struct kfi_import_at *at, u32 func,
		    s64 delta, struct kfi_err *err)
{
	struct kfi_import_thread *t = &im->thread[thread];
	u32 n = t->n;
	int ret;

	see_time(im, at->ns);
	while (n && func != KFI_NONE && t->f[n - 1].func != func)
		n--;
	if (unlikely(!n)) {
		im->no_entry++;
		return 0;
	}
	ret = n < t->n ? kfi_import_unwind(im, thread, n, err) : 0;
	if (ret)
		return ret;
	if (delta < 0 && at->ns >= 0 && t->f[n - 1].entry_ns >= 0)
		delta = max_t(s64, at->ns - t->f[n - 1].entry_ns, 0);
	return pop(im, t, delta, err);
}

/*
 * What is no call
 */

int kfi_import_mark(struct kfi_import *im, u32 thread, const struct kfi_import_at *at,
		    const char *kind, const char *s, size_t len, struct kfi_err *err)
{
	struct kfi_spool_rec rec = {
		.entry_ns = at->ns, .site = U64_MAX, .caller = KFI_NONE, .thread = thread,
		.cpu = (s16)at->cpu, .ctx = at->ctx, .is_mark = true,
		.depth = im->thread[thread].n + 1,
	};
	int n = kind ? snprintf(im->text, sizeof(im->text), len ? "%s %.*s" : "%s%.*s", kind,
				(int)min_t(size_t, len, sizeof(im->text)), s) : 0;
	u64 place;
	int ret;

	if (kind) {
		s = im->text;
		len = min_t(size_t, (size_t)n, sizeof(im->text) - 1);
	}
	see_time(im, at->ns);
	rec.func = (u32)min_t(size_t, len, sizeof(im->text) - 1);
	ret = add_record(im, &rec, s, &place);
	return ret ? cannot_keep(im, ret, err) : 0;
}

int kfi_import_switch(struct kfi_import *im, const struct kfi_import_at *at, u32 prev,
		      bool preempted, u32 next, struct kfi_err *err)
{
	struct kfi_import_thread *p = &im->thread[prev], *n = &im->thread[next];
	char text[64];
	int len = snprintf(text, sizeof(text), n->comm == KFI_NONE ? "%d" : "%d %.40s", n->pid,
			   n->comm == KFI_NONE ? "" : im->comms.str[n->comm].s);

	im->switches = true;
	p->off_since = at->ns;
	if (n->off_since >= 0 && at->ns > n->off_since)
		n->off_ns += at->ns - n->off_since;
	n->off_since = -1;
	return kfi_import_mark(im, prev, at, preempted ? "preempt" : "switch", text,
			       min_t(size_t, (size_t)len, sizeof(text) - 1), err);
}

/*
 * Runs
 */

static void set_up_run(struct kfi_import *im)
{
	im->first_ns = -1;
	im->root_caller = KFI_NONE;
	im->first_thread = im->nthreads;
}

/* End the run that is read, and keep what its rows are made with. Forget it if it is empty. */
static int end_run(struct kfi_import *im, struct kfi_err *err)
{
	struct kfi_log_head *head = &im->log->head;
	int ret = im->format->end ? im->format->end(im, err) : 0;

	if (ret || !im->records)
		return ret;
	if (im->no_entry)
		kfi_import_note(im, "calls without an entry, which was lost or came before the trace: %llu, left out",
				(unsigned long long)im->no_entry);
	head->no_entry = im->no_times;
	if (im->first_ns >= 0 && !im->no_times) {
		head->has_start = head->has_stop = true;
		head->start_us = (u64)im->first_ns / 1000;
		head->stop_us = (u64)im->last_ns / 1000;
	}
	if (kfi_grow((void **)&im->run, &im->run_room, im->nruns + 1, sizeof(*im->run)))
		return kfi_import_no_memory(im, err);
	im->run[im->nruns++] = (struct kfi_import_run){
		.head = *head, .records = im->records, .calls = im->calls,
		.first_ns = im->first_ns, .no_times = im->no_times, .switches = im->switches,
		.irqs = im->irqs, .first_thread = im->first_thread,
	};
	return 0;
}

int kfi_import_next_run(struct kfi_import *im, struct kfi_err *err)
{
	int ret = im->records ? end_run(im, err) : 0;

	if (ret)
		return ret;
	if (im->format->free)
		im->format->free(im);
	im->state = NULL;
	/* Open calls stay so: no exit of the other run is theirs. */
	for (u32 i = im->first_thread; i < im->nthreads; i++) {
		free(im->thread[i].f);
		im->thread[i].f = NULL;
		im->thread[i].n = im->thread[i].room = 0;
	}
	kfi_map_free(&im->of_task);
	im->log->head = (struct kfi_log_head){ 0 };
	im->irqs = im->no_times = im->switches = im->flat = false;
	im->last_ns = 0;
	im->no_entry = im->unwound = im->records = im->calls = 0;
	set_up_run(im);
	return im->format->begin ? im->format->begin(im, err) : 0;
}

bool kfi_import_is_earlier(const struct kfi_import *im, s64 ns)
{
	return ns >= 0 && im->records && im->last_ns - ns > STEP_NS;
}

bool kfi_import_is_boot(const char *s, size_t len)
{
	static const char banner[] = "Linux version ";
	const char *at = memmem(s, len, banner, sizeof(banner) - 1);

	return at && (at == s || at[-1] == ' ' || at[-1] == '>');
}

/* Set what the rows of a run are made with. */
static void deliver_run(struct kfi_import *im, u32 n)
{
	const struct kfi_import_run *run = &im->run[n];

	im->log->head = run->head;
	im->log->run = n;
	im->left = run->records;
	im->calls = run->calls;
	im->first_ns = run->first_ns;
	im->no_times = run->no_times;
	im->switches = run->switches;
	im->irqs = run->irqs;
	im->first_thread = run->first_thread;
}

u64 kfi_import_calls(const struct kfi_log *log)
{
	return log->head.sampled ? log->head.samples : log->import->calls;
}

/*
 * From the first line to rows
 */

int kfi_import_begin(struct kfi_log *log, const struct kfi_import_format *format,
		     struct kfi_err *err)
{
	struct kfi_import *im = calloc(1, sizeof(*im));
	struct kfi_spool *spool = calloc(1, sizeof(*spool));

	log->import = im;
	if (im) {
		im->log = log;
		im->format = format;
		im->spool = spool;
		set_up_run(im);
	} else {
		free(spool);
	}
	if (!im || !spool || kfi_spool_init(spool))
		return kfi_err_set(err, ENOMEM, "%s: out of memory", log->in.name);
	return format->begin ? format->begin(im, err) : 0;
}

int kfi_import_end(struct kfi_log *log, struct kfi_err *err)
{
	struct kfi_import *im = log->import;
	int ret = end_run(im, err);

	if (ret)
		return ret;
	if (!im->nruns && im->bad_byte)
		return kfi_err_set(err, EINVAL, "%s: not %s: byte %llu: %s", log->in.name,
				   im->format->what, (unsigned long long)im->bad_byte, im->bad_why);
	if (!im->nruns && log->bad)
		return kfi_err_set(err, EINVAL, "%s:%llu:%u: not %s: %s: \"%s\"", log->in.name,
				   (unsigned long long)log->bad_line, im->bad_column,
				   im->format->what, im->bad_why, log->bad_text);
	if (!im->nruns)
		return kfi_err_set(err, EINVAL, "%s: %s, but it has neither calls nor events",
				   log->in.name, im->format->what);
	ret = kfi_spool_read(im->spool);
	if (ret)
		return cannot_keep(im, ret, err);
	deliver_run(im, 0);
	log->kind = KFI_LOG_FORMAT3;
	log->in_rows = log->ruled = true;
	return 0;
}

static s64 entry_of(const struct kfi_import *im, s64 ns)
{
	return im->no_times || ns < 0 ? 0 : ns - im->first_ns;
}

static void make_row(struct kfi_import *im, const struct kfi_spool_rec *rec, struct kfi_row *row)
{
	const struct kfi_import_thread *t = &im->thread[rec->thread];
	u64 address = im->address[rec->func];
	static const struct kfi_str none = { "", 0 };
	bool named = address == U64_MAX;

	*row = (struct kfi_row){
		.entry_ns = entry_of(im, rec->entry_ns), .delta_ns = rec->delta_ns,
		.local_ns = rec->local_ns,
		.off_ns = im->switches ? rec->off_ns : -1, .irq_ns = im->irqs ? rec->irq_ns : -1,
		.func = named ? im->funcs.str[rec->func] : none, .caller = none, .args = none,
		.pid = rec->ctx == KFI_CTX_TASK ? t->pid : -1, .task = t->pid, .cpu = rec->cpu,
		.depth = rec->depth, .ctx = rec->ctx, .marks = rec->marks,
		.numbers = named ? 0 : 64, .func_at = address, .site = rec->site,
	};
	if (rec->caller == KFI_NONE)
		return;
	if (named)
		row->caller = im->funcs.str[rec->caller];
	else if (row->site == U64_MAX)
		row->site = im->address[rec->caller];
}

static void make_mark(struct kfi_import *im, const struct kfi_spool_rec *rec,
		      struct kfi_log_mark *mark)
{
	const char *text = im->spool->text, *blank = memchr(text, ' ', rec->func);

	*mark = (struct kfi_log_mark){
		.entry_ns = entry_of(im, rec->entry_ns), .task = im->thread[rec->thread].pid,
		.cpu = rec->cpu, .ctx = rec->ctx, .depth = rec->depth, .text = { text, rec->func },
		.kind = { text, blank ? (u32)(blank - text) : rec->func },
	};
}

/* Read the next record of the run. Return: as kfi_spool_next(). */
static int next_record(struct kfi_import *im, const struct kfi_spool_rec **rec)
{
	if (unlikely(!im->left))
		return 0;
	im->left--;
	return kfi_spool_next(im->spool, rec);
}

int kfi_import_item(struct kfi_log *log, struct kfi_row *row, struct kfi_err *err)
{
	struct kfi_import *im = log->import;
	const struct kfi_spool_rec *rec = im->ahead;
	int ret;

	if (!rec && !im->left && log->run + 1 < im->nruns) {
		deliver_run(im, log->run + 1);
		return KFI_LINE_RULE;
	}
	ret = rec ? 1 : next_record(im, &rec);
	im->ahead = NULL;
	if (ret <= 0)
		return ret ? cannot_keep(im, ret, err) : 0;
	if (rec->is_mark) {
		make_mark(im, rec, &log->mark);
		log->others++;
		return KFI_LINE_MARK;
	}
	make_row(im, rec, row);
	if (!log->numbers)
		kfi_log_names(row, im->names);
	log->rows++;
	return KFI_LINE_ROW;
}

u32 kfi_import_rows(struct kfi_log *log, struct kfi_row *row, u32 max)
{
	struct kfi_import *im = log->import;
	u32 n = 0;

	if (!log->numbers)
		return 0;
	while (n < max && !im->ahead && next_record(im, &im->ahead) > 0) {
		if (im->ahead->is_mark)
			break;
		make_row(im, im->ahead, &row[n++]);
		im->ahead = NULL;
	}
	log->rows += n;
	return n;
}

int kfi_import_percent(const struct kfi_log *log)
{
	const struct kfi_spool *s = log->import->spool;

	return (int)((double)(s->base + s->at) * 100 / (double)(s->size ? : 1));
}

void kfi_import_close(struct kfi_log *log)
{
	struct kfi_import *im = log->import;

	log->import = NULL;
	if (!im)
		return;
	if (im->format->free)
		im->format->free(im);
	for (u32 i = 0; i < im->nthreads; i++)
		free(im->thread[i].f);
	if (im->spool)
		kfi_spool_free(im->spool);
	free(im->spool);
	free(im->thread);
	free(im->run);
	free(im->address);
	kfi_names_free(&im->funcs);
	kfi_names_free(&im->comms);
	kfi_map_free(&im->of_address);
	kfi_map_free(&im->of_task);
	free(im);
}
