// SPDX-License-Identifier: GPL-2.0
/* By what the function of a trigger was called: frame records on a stack, and marks of them. */
#include <stdio.h>

#include "check.h"
#include "hooks/slow.h"

#define NCHUNKS	8
#define TEXT	0x10000ul
#define START	0x20000ul
#define STOP	0x30000ul
#define SITE	0x11000ul	/* in the caller of the trigger's function */

static u64 now;

u64 kfi_now(void)
{
	return ++now;
}

static struct kfi_run run;
static struct kfi_cpu cpu;
static struct kfi_stack stack;
static u64 memory[NCHUNKS][512];
static struct kfi_chunk *chunks[NCHUNKS];
static unsigned long records[2 * 100];

static void set_up(u32 marks)
{
	u32 i;

	memset(memory, 0, sizeof(memory));
	memset(records, 0, sizeof(records));
	for (i = 0; i < NCHUNKS; i++)
		chunks[i] = (struct kfi_chunk *)memory[i];
	memset(&cpu, 0, sizeof(cpu));
	memset(&stack, 0, sizeof(stack));
	run = (struct kfi_run) {
		.id = 1, .stop_at = U64_MAX, .stop_after = U64_MAX, .start_at = U64_MAX,
		.start_entry = START, .stop_entry = STOP, .marks = marks, .cpus = &cpu,
	};
	run.filter.max = U64_MAX;
	run.filter.ctx_mask = 0xf;
	now = 1000;
	kfi_ring_init(&run.ring, chunks, NCHUNKS, sizeof(memory[0]), TEXT);
	kfi_ring_cpu_init(&cpu.ring);
	kfi_stack_begin(&stack, 1, 40);
	atomic_set(&run.state, KFI_PRIMED);
}

/* Where the pointer to record @i points. */
static unsigned long record_at(u32 i)
{
	return (unsigned long)(records + 2 * i + KFI_FRAME_BELOW);
}

/* Make @n records, whose return addresses count up from SITE. */
static void chain(u32 n)
{
	for (u32 i = 0; i < n; i++) {
		records[2 * i] = i + 1 < n ? record_at(i + 1) : 0;
		records[2 * i + 1] = SITE + i;
	}
}

static void enter_from(unsigned long func, unsigned long site, u32 first, bool is_caller)
{
	struct kfi_hook_context context = {
		.stack = &stack, .pid = 40, .ctx = KFI_CTX_SOFTIRQ,
		.frame = (const unsigned long *)record_at(first), .is_caller = is_caller,
		.end = records + ARRAY_SIZE(records),
	};

	kfi_slow_enter(&run, &context, func, site);
}

/* The marks so far, as "function:callers from SITE on". */
static const char *marks(void)
{
	static char text[4000];
	size_t len = 0;

	text[0] = 0;
	for (u32 c = 0; c < kfi_ring_taken(&run.ring); c++) {
		struct kfi_event e;
		struct kfi_rec r;

		for (u32 w = 0, n; (n = kfi_ring_read(&run.ring, c, w, &r)); w += n) {
			if (!r.event)
				continue;
			CHECK(kfi_ring_event(&run.ring, c, w, &e));
			CHECK_EQ(e.kind, KFI_EVENT_CALLERS);
			CHECK_EQ(e.pid, 40);
			CHECK_EQ(e.ctx, KFI_CTX_SOFTIRQ);
			CHECK(e.time > 1000 && e.time <= now);
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%s:",
						len ? " " : "", e.func == START ? "start" : "stop");
			for (u32 i = 0; i < e.nfuncs; i++) {
				s64 at = (s64)(kfi_event_func(&e, i, TEXT) - SITE);

				len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%lld",
							i ? "," : "", (long long)at);
			}
		}
	}
	return text;
}

#define CALLERS	(1u << KFI_MARKS_CALLERS)

/* Before inlining the records begin with those of the hooks. */
static void hooks_are_left_out(void)
{
	set_up(CALLERS);
	chain(6);
	enter_from(START, SITE + 2, 0, false);
	CHECK_STR(marks(), "start:2,3,4,5");
	CHECK_EQ(kfi_count_read(&cpu, KFI_MARKS_KEPT), 1);
	/* The time of the start is that of the call. */
	CHECK_EQ(stack.frame[0].entry, run.start.time);
}

/* After inlining they begin with that of the caller, whose own return address comes next. */
static void from_the_caller(void)
{
	set_up(CALLERS);
	chain(6);
	enter_from(START, SITE - 1, 3, true);
	CHECK_STR(marks(), "start:-1,3,4,5");
}

#define MOST \
	"start:0,1,2,3,4,5,6,7 start:8,9,10,11,12,13,14,15 start:16,17,18,19,20,21,22,23"

static void many(void)
{
	static const struct {
		u32 records;
		const char *want;
	} t[] = {
		{ 0, "start:0" },
		{ 7, "start:0,1,2,3,4,5,6,7" },
		{ 8, "start:0,1,2,3,4,5,6,7 start:8" },
		{ 60, MOST },
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		set_up(CALLERS);
		chain(t[i].records + 1);
		records[0] = record_at(1);
		enter_from(START, SITE, t[i].records ? 1 : 0, true);
		if (!t[i].records)
			continue;
		CHECK_STR(marks(), t[i].want);
	}
	/* No record at all. */
	set_up(CALLERS);
	kfi_slow_enter(&run, &(struct kfi_hook_context){
		.stack = &stack, .pid = 40, .ctx = KFI_CTX_SOFTIRQ
	}, START, SITE);
	CHECK_STR(marks(), "start:0");
}

/* A pointer that leads nowhere ends the search. */
static void damaged(void)
{
	static const struct {
		unsigned long next, ret;
		const char *want;
	} t[] = {
		{ 1, SITE + 2, "start:0,1,2" },
		{ ~0ul, SITE + 2, "start:0,1,2" },
		{ ~0ul & ~7ul, SITE + 2, "start:0,1,2" },
		{ 8, SITE + 2, "start:0,1,2" },
		{ 0, 0, "start:0,1" },
	};
	unsigned long last = (unsigned long)(records + ARRAY_SIZE(records) + KFI_FRAME_BELOW);
	const unsigned long next[] = {
		record_at(1), record_at(2), last - sizeof(long), last, last - 2 * sizeof(long),
	};

	for (size_t i = 0; i < ARRAY_SIZE(t); i++) {
		set_up(CALLERS);
		chain(6);
		records[2 * 2] = t[i].next;
		records[2 * 2 + 1] = t[i].ret;
		enter_from(START, SITE, 1, true);
		CHECK_STR(marks(), t[i].want);
	}
	/* In a circle, to itself, half behind the end, wholly; the last one that has room. */
	for (u32 i = 0; i < ARRAY_SIZE(next); i++) {
		set_up(CALLERS);
		chain(6);
		records[2 * 99 + 1] = SITE + 9;
		records[2 * 2] = next[i];
		enter_from(START, SITE, 1, true);
		CHECK_STR(marks(), i < 4 ? "start:0,1,2" : "start:0,1,2,9");
	}
	/* The call site is not among the return addresses. */
	set_up(CALLERS);
	chain(6);
	enter_from(START, SITE + 77, 0, false);
	CHECK_STR(marks(), "start:77");
}

/* Both triggers have marks, in each iteration, and none if none were asked for. */
static void triggers(void)
{
	set_up(CALLERS);
	run.repeat = true;
	chain(3);
	for (u32 i = 0; i < 2; i++) {
		enter_from(0x40000, SITE, 1, true);
		enter_from(START, SITE, 1, true);
		enter_from(0x40000, SITE, 1, true);
		enter_from(START, SITE, 1, true);
		enter_from(STOP, SITE, 2, true);
		enter_from(STOP, SITE, 2, true);
	}
	CHECK_STR(marks(), "start:0,1,2 stop:0,2 start:0,1,2 stop:0,2");
	set_up(CALLERS);
	chain(3);
	enter_from(START, SITE, 1, true);
	enter_from(STOP, SITE, 1, true);
	enter_from(STOP, SITE, 1, true);
	CHECK_STR(marks(), "start:0,1,2 stop:0,1,2");
	CHECK_EQ(atomic_read(&run.state), KFI_COMPLETE);
	set_up(~CALLERS);
	chain(3);
	enter_from(START, SITE, 1, true);
	enter_from(STOP, SITE, 1, true);
	CHECK_STR(marks(), "");
}

/* A cpu that stands still for a snapshot writes nothing. */
static void still(void)
{
	set_up(CALLERS);
	kfi_slow_enter(&run, &(struct kfi_hook_context){ .pid = 40, .still = true }, START, SITE);
	CHECK_STR(marks(), "");
	CHECK_EQ(kfi_count_read(&cpu, KFI_MARKS_LOST), 1);
}

static const struct check_case cases[] = {
	{ "records of hooks are left out", hooks_are_left_out },
	{ "from the caller's record on", from_the_caller },
	{ "several marks for many callers", many },
	{ "damaged records", damaged },
	{ "both triggers, and iterations", triggers },
	{ "a cpu that stands still", still },
};

CHECK_MAIN(cases)
