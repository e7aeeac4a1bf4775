// SPDX-License-Identifier: GPL-2.0
/*
 * Reads samples of perf, as "perf script" prints them:
 *
 *	sh 13664/13664 [000]  4195.240399:     250000 cpu-clock:
 *		ffffffff81637e68 get_page_from_freelist+0x1668 ([kernel.kallsyms])
 *		    7fca420f2ad7 [unknown] (/usr/lib/x86_64-linux-gnu/libc.so.6)
 *
 *	  sh  5260  4771.72: 250000 cpu-clock:  ffffffff81775b9a elf_load+0x28a ([kernel.kallsyms])
 *	  sh  5746 [001] 4781.5: sched:sched_switch: prev_comm=sh prev_pid=5746 ...
 *
 * The first form has a call chain, the innermost function first. A sample says where a CPU was at a
 * moment, not how long a call took. So each function of a chain becomes a row whose duration is the
 * period of the sample; kd shows sums of them as estimates.
 * It reads samples of one event: of @log->event, or of the first event that is no tracepoint.
 * Other tracepoints become marks.
 */
#include <stdio.h>
#include <stdlib.h>

#include "import/formats.h"
#include "import/text.h"

/* Number of other events that notes name. */
#define OTHERS	4

/**
 * struct perf_sample - the first line of a sample
 * @comm: name of the task, which may contain blanks
 * @tid: the task, -1: unknown to perf
 * @cpu: processor, -1: not printed
 * @ns: time, -1: not printed
 * @period: period, -1: not printed
 * @event: name of the event
 * @rest: text behind the event
 * @lost: number of lost samples; then the other members are not set; 0: this is a sample
 */
struct perf_sample {
	struct kfi_str comm;
	s32 tid;
	s32 cpu;
	s64 ns;
	s64 period;
	struct kfi_str event;
	struct kfi_str rest;
	u64 lost;
};

/**
 * struct perf - state of the reader
 * @in_sample: lines of a call chain may follow
 * @counts: this sample is of the event that is ranked
 * @at: time and place of the sample
 * @thread: thread of its task
 * @weight: period of the sample
 * @func: its call chain, innermost first
 * @nfuncs: length of @func
 * @room: for how many there is room
 * @samples: number of samples of the event
 * @unweighted: number of samples without a period
 * @last_ns: time of the last sample: kd wants rows in order
 * @tracepoints: number of lines of tracepoints
 * @events: names of the events, tracepoints that are marks excepted
 * @ours: number of the event that is ranked, KFI_NONE: there was no sample of it
 * @count: by number: samples of the event
 * @count_room: for how many there is room
 */
struct perf {
	bool in_sample;
	bool counts;
	struct kfi_import_at at;
	u32 thread;
	s64 weight;
	u32 *func;
	u32 nfuncs;
	u32 room;
	u64 samples;
	u64 unweighted;
	s64 last_ns;
	u64 tracepoints;
	struct kfi_names events;
	u32 ours;
	u64 *count;
	u32 count_room;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Read "4195.240399:", or with nine digits. Return: the next character, or NULL. */
static const char *take_time(const char *s, const char *end, s64 *ns)
{
	u64 sec, part;
	const char *dot = kfi_take_number(s, end, &sec), *stop;

	if (!dot || dot == end || *dot != '.' || sec > S64_MAX / 2000000000)
		return NULL;
	stop = kfi_take_number(dot + 1, end, &part);
	if (!stop || stop == end || *stop != ':' || (stop - dot != 7 && stop - dot != 10))
		return NULL;
	*ns = (s64)(sec * 1000000000 + part * (stop - dot == 7 ? 1000 : 1));
	return stop + 1;
}

/*
 * Read "cpu-clock:", "cpu/cycles/u:", "sched:sched_switch:". Return: the next character, or NULL.
 */
static const char *take_event(const char *s, const char *end, struct kfi_str *event)
{
	const char *from = s;

	if (s == end || is_digit(*s) || *s == ':' || *s == '[')
		return NULL;
	for (; s < end && *s != ' ' && *s != '\t'; s++)
		if (*s == ':' && (s + 1 == end || s[1] == ' ' || s[1] == '\t')) {
			*event = (struct kfi_str){ from, (u32)(s - from) };
			return s + 1;
		}
	return NULL;
}

/*
 * Parse what follows the name of the task. Return: false if it is not the first line of a sample.
 */
static bool take_rest(const char *s, const char *end, struct perf_sample *p)
{
	bool minus = s < end && *s == '-';
	u64 v;
	const char *at = kfi_take_number(s + minus, end, &v);

	if (at && at < end && *at == '/')
		at = kfi_take_number(at + 1 + (at + 1 < end && at[1] == '-'), end, &v);
	if (!at || at == end || (*at != ' ' && *at != '\t') || v > INT32_MAX)
		return false;
	p->tid = minus ? -1 : (s32)v;
	p->cpu = -1;
	p->ns = p->period = -1;
	p->lost = 0;
	at = kfi_skip_blanks(at, end);
	if (at < end && *at == '[') {
		s = kfi_take_number(at + 1, end, &v);
		if (!s || s == end || *s != ']' || v > INT16_MAX)
			return false;
		p->cpu = (s32)v;
		at = kfi_skip_blanks(s + 1, end);
	}
	s = take_time(at, end, &p->ns);
	if (s)
		at = kfi_skip_blanks(s, end);
	if (end - at > 12 && !memcmp(at, "PERF_RECORD_", 12)) {
		p->event = (struct kfi_str){ at, (u32)(end - at) };
		s = memmem(at, end - at, "_LOST lost ", 11);
		p->lost = s && kfi_take_number(s + 11, end, &v) ? v : 0;
		return true;
	}
	s = kfi_take_number(at, end, &v);
	if (s && s < end && (*s == ' ' || *s == '\t')) {
		p->period = (s64)v;
		at = kfi_skip_blanks(s, end);
	}
	s = take_event(at, end, &p->event);
	if (!s)
		return false;
	s = kfi_skip_blanks(s, end);
	p->rest = (struct kfi_str){ s, (u32)(end - s) };
	return true;
}

/* Parse the first line of a sample. The first word that can be a pid ends the name of the task. */
static bool take_sample(const char *s, size_t len, struct perf_sample *p)
{
	const char *end = s + len, *from, *at;

	while (end > s && (end[-1] == ' ' || end[-1] == '\r'))
		end--;
	from = kfi_skip_blanks(s, end);
	for (at = from; at < end; ) {
		const char *blank = memchr(at, ' ', end - at), *word;

		if (!blank)
			return false;
		word = kfi_skip_blanks(blank, end);
		if (word < end && (is_digit(*word) || *word == '-') && take_rest(word, end, p)) {
			p->comm = (struct kfi_str){ from, (u32)(blank - from) };
			return true;
		}
		at = word;
	}
	return false;
}

static bool is_perf(const char *s, size_t len)
{
	struct perf_sample p;

	return len && *s != '#' && *s != '\t' && take_sample(s, len, &p) && p.ns >= 0;
}

/* Return true for "SUBSYSTEM:NAME", false for an event with modifiers such as "cycles:u". */
static bool is_tracepoint(struct kfi_str event)
{
	const char *colon = memchr(event.s, ':', event.len), *end = event.s + event.len;

	if (!colon || memchr(event.s, '/', event.len))
		return false;
	for (const char *s = colon + 1; s < end; s++)
		if (!memchr("ukhGHIpPSDWeb", *s, 13))
			return true;
	return false;
}

/* Return true if periods of an event count nanoseconds. */
static bool counts_time(struct kfi_str event)
{
	static const char *const clocks[] = { "cpu-clock", "task-clock" };

	for (size_t i = 0; i < ARRAY_SIZE(clocks); i++) {
		size_t n = strlen(clocks[i]);

		if (event.len >= n && !memcmp(event.s, clocks[i], n) &&
		    (event.len == n || event.s[n] == ':'))
			return true;
	}
	return false;
}

static bool is_named(struct kfi_str s, const char *name)
{
	return s.len == strlen(name) && !memcmp(s.s, name, s.len);
}

/*
 * Count a sample of an event. @x->counts: set to whether its samples are ranked: without --event
 * those of the first event that is no tracepoint are. Return: 0 or -ENOMEM.
 */
static int count_sample(struct kfi_import *im, struct perf *x, struct kfi_str event)
{
	struct kfi_log_head *head = &im->log->head;
	const char *want = im->log->event;
	u32 room = x->count_room, id;

	x->counts = want ? is_named(event, want) : !is_tracepoint(event);
	if (!x->counts && is_tracepoint(event))
		return 0;
	id = kfi_names_get(&x->events, event.s, event.len);
	if (id == KFI_NONE ||
	    kfi_grow((void **)&x->count, &x->count_room, id + 1, sizeof(*x->count)))
		return -ENOMEM;
	memset(x->count + room, 0, (x->count_room - room) * sizeof(*x->count));
	x->count[id]++;
	if (x->counts && x->ours == KFI_NONE) {
		x->ours = id;
		snprintf(head->event, sizeof(head->event), "%.*s", (int)event.len, event.s);
		head->sampled = counts_time(event) ? KFI_SAMPLED_TIME : KFI_SAMPLED_EVENTS;
	}
	x->counts = id == x->ours;
	return 0;
}

/* Find the end of the function's name in "get_page+0x1668 ([kernel.kallsyms])". */
static const char *name_end(const char *s, const char *end, struct kfi_str *dso)
{
	static const char inlined[] = " (inlined)";
	size_t n = strlen(inlined);
	u32 open = 0;

	*dso = (struct kfi_str){ "", 0 };
	if ((size_t)(end - s) > n && !memcmp(end - n, inlined, n))
		end -= n;
	/* The file is in the last brackets. Its name may have brackets, too: "/a (deleted)". */
	for (const char *at = end; end > s && end[-1] == ')' && at > s; at--) {
		open += at[-1] == ')';
		open -= at[-1] == '(';
		if (open)
			continue;
		if (at - s > 1 && at[-2] == ' ') {
			*dso = (struct kfi_str){ at, (u32)(end - 1 - at) };
			end = at - 2;
		}
		break;
	}
	for (const char *at = end; at - s > 3; at--) {
		const char c = at[-1];

		if (c == 'x' && at < end && at[-2] == '0' && at[-3] == '+')
			return at - 3;
		if (!is_digit(c) && (c < 'a' || c > 'f'))
			break;
	}
	return end;
}

/* Return the last part of a path. */
static struct kfi_str base_of(struct kfi_str path)
{
	const char *slash = memrchr(path.s, '/', path.len);

	return slash ? (struct kfi_str){ slash + 1, (u32)(path.s + path.len - slash - 1) } : path;
}

/*
 * Add the frame "ffffffff81637e68 get_page+0x1668 ([kernel.kallsyms])". Return: 1, 0: it is none,
 * or -ENOMEM.
 */
static int add_frame(struct kfi_import *im, struct perf *x, const char *s, const char *end)
{
	const char *at = s, *stop;
	struct kfi_str dso;
	char text[128];
	size_t n;

	while (at < end && at - s < 17 && (is_digit(*at) || (*at >= 'a' && *at <= 'f')))
		at++;
	if (at == s || at - s > 16 || (at < end && *at != ' '))
		return 0;
	at = kfi_skip_blanks(at, end);
	stop = name_end(at, end, &dso);
	dso = base_of(dso);
	n = (size_t)(stop - at);
	if ((!n || is_named((struct kfi_str){ at, (u32)n }, "[unknown]")) && dso.len &&
	    *dso.s != '[') {
		n = (size_t)snprintf(text, sizeof(text), "[%.*s]", (int)dso.len, dso.s);
		at = text;
	} else if (dso.len > 2 && *dso.s == '[' && dso.s[dso.len - 1] == ']' &&
		   !memchr(dso.s, '.', dso.len) && *at != '[' && n + dso.len < sizeof(text)) {
		/* Append a module to the name, as KFI does; [vdso] and the like are no modules. */
		bool module = !is_named(dso, "[vdso]") && !is_named(dso, "[vsyscall]") &&
			      !is_named(dso, "[unknown]") && !is_named(dso, "[heap]") &&
			      !is_named(dso, "[stack]");

		n = (size_t)snprintf(text, sizeof(text), "%.*s%.*s", (int)n, at,
				     module ? (int)dso.len : 0, dso.s);
		at = text;
	} else if (dso.len > 3 && !memcmp(dso.s + dso.len - 3, ".ko", 3) &&
		   n + dso.len < sizeof(text)) {
		n = (size_t)snprintf(text, sizeof(text), "%.*s[%.*s]", (int)n, at,
				     (int)dso.len - 3, dso.s);
		at = text;
	}
	if (!n) {
		at = "[unknown]";
		n = strlen(at);
	}
	n = min_t(size_t, n, at == text ? sizeof(text) - 1 : n);
	if (kfi_grow((void **)&x->func, &x->room, x->nfuncs + 1, sizeof(*x->func)))
		return -ENOMEM;
	x->func[x->nfuncs] = kfi_import_func(im, at, n);
	return x->func[x->nfuncs++] == KFI_NONE ? -ENOMEM : 1;
}

/* Pass on the sample, whose chain is complete. */
static int flush(struct kfi_import *im, struct perf *x, struct kfi_err *err)
{
	static const char unknown[] = "[unknown]";

	if (!x->in_sample)
		return 0;
	x->in_sample = false;
	if (!x->counts)
		return 0;
	if (!x->nfuncs) {
		if (kfi_grow((void **)&x->func, &x->room, 1, sizeof(*x->func)))
			return kfi_import_no_memory(im, err);
		x->func[0] = kfi_import_func(im, unknown, strlen(unknown));
		if (x->func[x->nfuncs++] == KFI_NONE)
			return kfi_import_no_memory(im, err);
	}
	x->samples++;
	return kfi_import_sample(im, x->thread, &x->at, x->func, x->nfuncs, x->weight, err);
}

/* Return true if a line tells of the recording, not of a sample. */
static bool is_record(const struct perf_sample *p)
{
	return p->lost || (p->event.len > 12 && !memcmp(p->event.s, "PERF_RECORD_", 12));
}

static int begin_sample(struct kfi_import *im, struct perf *x, const struct perf_sample *p,
			struct kfi_err *err)
{
	const char *rest = p->rest.s, *end = rest + p->rest.len;
	bool tracepoint = is_tracepoint(p->event);
	int ret;

	if (is_record(p)) {
		im->log->head.lost += p->lost;
		return 0;
	}
	x->in_sample = true;
	x->nfuncs = 0;
	x->tracepoints += tracepoint;
	if (count_sample(im, x, p->event))
		return kfi_import_no_memory(im, err);
	if (!x->counts && !tracepoint)
		return 0;
	x->at = (struct kfi_import_at){ .ns = p->ns, .cpu = p->cpu, .ctx = KFI_CTX_TASK };
	if (p->ns >= 0 && p->ns < x->last_ns) {
		x->at.ns = x->last_ns;
		im->log->head.steps_back++;
	} else if (p->ns >= 0) {
		x->last_ns = p->ns;
	}
	x->thread = kfi_import_thread(im, p->tid < 0 ? -2 : p->tid, p->cpu);
	if (x->thread == KFI_NONE || kfi_import_comm(im, x->thread, p->comm.s, p->comm.len))
		return kfi_import_no_memory(im, err);
	x->unweighted += x->counts && p->period < 0;
	x->weight = p->period < 0 ? 1 : p->period;
	if (x->counts) {
		ret = tracepoint ? 0 : add_frame(im, x, rest, end);
		return ret < 0 ? kfi_import_no_memory(im, err) : 0;
	}
	return kfi_import_mark(im, x->thread, &x->at, NULL, p->event.s,
			       (size_t)(end - p->event.s), err);
}

static int line(struct kfi_import *im, const char *s, size_t len, struct kfi_err *err)
{
	const char *end = s + len, *at;
	struct perf *x = im->state;
	struct perf_sample p;
	int ret;

	while (end > s && (end[-1] == ' ' || end[-1] == '\r'))
		end--;
	at = kfi_skip_blanks(s, end);
	if (at == end)
		return flush(im, x, err);
	if (end - s > 13 && !memcmp(s, "# captured on", 13)) {
		ret = flush(im, x, err);
		return ret ? ret : kfi_import_next_run(im, err);
	}
	if (*s == '#')
		return 0;
	if (*s != '\t' && take_sample(s, (size_t)(end - s), &p)) {
		ret = flush(im, x, err);
		/* perf script sorts samples by time, but not what tells of the recording. */
		if (!ret && !is_record(&p) && kfi_import_is_earlier(im, p.ns))
			ret = kfi_import_next_run(im, err);
		return ret ? ret : begin_sample(im, im->state, &p, err);
	}
	if (x->in_sample && at > s) {
		/* Other lines are file and line of a frame. */
		ret = x->counts ? add_frame(im, x, at, end) : 0;
		return ret < 0 ? kfi_import_no_memory(im, err) : 0;
	}
	kfi_import_bad(im, s, len, 1, "neither a sample of perf script nor a line of a call chain");
	return 0;
}

static int begin(struct kfi_import *im, struct kfi_err *err)
{
	struct perf *x = calloc(1, sizeof(*x));

	im->state = x;
	if (!x)
		return kfi_import_no_memory(im, err);
	x->ours = KFI_NONE;
	return 0;
}

static int end(struct kfi_import *im, struct kfi_err *err)
{
	struct kfi_log_head *head = &im->log->head;
	struct perf *x = im->state;
	int ret = flush(im, x, err);
	u32 named = 0;
	u64 more = 0;

	if (ret)
		return ret;
	if (!x->samples && im->log->event && !im->nruns)
		return kfi_err_set(err, EINVAL, "%s: no samples of the event %s", im->log->in.name,
				   im->log->event);
	if (!x->samples && !x->tracepoints)
		return 0;
	if (!x->samples) {
		kfi_import_note(im, "the trace has only tracepoints, which are marks: kd -k shows them; --event NAME ranks the call chains of one");
		return 0;
	}
	head->samples = x->samples;
	if (x->unweighted) {
		head->sampled = KFI_SAMPLED_EVENTS;
		kfi_import_note(im, "the samples have no period, so each counts 1: print periods with perf script -F +period");
	}
	for (u32 i = 0; i < x->events.count; i++) {
		if (i == x->ours)
			continue;
		if (++named > OTHERS)
			more += x->count[i];
		else
			kfi_import_note(im, "samples of %s are left out: %llu; --event NAME ranks another event than %s",
					x->events.str[i].s, (unsigned long long)x->count[i],
					head->event);
	}
	if (more)
		kfi_import_note(im, "samples of %u more events are left out: %llu",
				named - OTHERS, (unsigned long long)more);
	return 0;
}

static void free_state(struct kfi_import *im)
{
	struct perf *x = im->state;

	if (x) {
		free(x->func);
		free(x->count);
		kfi_names_free(&x->events);
	}
	free(x);
	im->state = NULL;
}

const struct kfi_import_format kfi_import_perf = {
	.name = "perf", .what = "output of perf script", .is = is_perf, .begin = begin,
	.line = line, .end = end, .free = free_state,
};
