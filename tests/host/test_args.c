// SPDX-License-Identifier: GPL-2.0
/* Arguments and return values: of which calls they are recorded, and where they stand. */
#include <stdio.h>

#include "check.h"
#include "hooks/slow.h"

#define NCHUNKS	8

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
static unsigned long listed[] = { 7, 5 };

static void set_up(u32 args, bool ret)
{
	u32 i;

	memset(memory, 0, sizeof(memory));
	for (i = 0; i < NCHUNKS; i++)
		chunks[i] = (struct kfi_chunk *)memory[i];
	memset(&cpu, 0, sizeof(cpu));
	memset(&stack, 0, sizeof(stack));
	run = (struct kfi_run) {
		.id = 1, .stop_at = U64_MAX, .stop_after = U64_MAX, .args = args, .ret = ret,
	};
	/* No call passes: all that is in the ring are arguments and return values. */
	run.filter.max = 0;
	run.filter.ctx_mask = 0xf;
	run.filter.lists[KFI_LIST_RECORD].given = true;
	kfi_filter_set_list(&run.filter, KFI_LIST_RECORD, listed, ARRAY_SIZE(listed));
	now = 1000;
	kfi_ring_init(&run.ring, chunks, NCHUNKS, sizeof(memory[0]), 0);
	kfi_ring_cpu_init(&cpu.ring);
	kfi_stack_begin(&stack, 1, 40);
	kfi_run_start(&run, KFI_BY_USER, 0);
}

static void enter_in(unsigned long func, unsigned int ctx)
{
	unsigned long args[KFI_CONF_ARGS_MAX] = { func * 10, func * 10 + 1, func * 10 + 2, ~0ul };

	kfi_call_enter(&run, &cpu, 0, &stack, func, func + 1, ctx);
	kfi_slow_args(&run, &cpu, 0, &stack, func, args, run.args);
}

static void enter(unsigned long func)
{
	enter_in(func, KFI_CTX_TASK);
}

static void leave(unsigned long func, long value)
{
	kfi_slow_ret(&run, &cpu, 0, &stack, func, (unsigned long)value);
	kfi_call_exit(&run, &cpu, 0, &stack, func, KFI_CTX_TASK);
}

/* The rows so far, as "depth:function(arguments)" and "depth:function=value". */
static const char *rows(void)
{
	static char text[4000];
	size_t at = 0;
	u32 c, w, n, i;
	u64 value;

	text[0] = 0;
	for (c = 0; c < kfi_ring_taken(&run.ring); c++) {
		struct kfi_event e;
		struct kfi_rec r;

		for (w = 0; (n = kfi_ring_read(&run.ring, c, w, &r)); w += n) {
			CHECK(kfi_ring_event(&run.ring, c, w, &e));
			CHECK_EQ(e.site, e.func + 1);
			CHECK_EQ(e.pid, 40);
			CHECK(e.time > 1000 && e.time <= now);
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%u:%llu",
					       at ? " " : "", e.depth, (unsigned long long)e.func);
			if (e.kind == KFI_EVENT_RET) {
				at += (size_t)snprintf(text + at, sizeof(text) - at, "=%lld",
						       (long long)e.value);
				continue;
			}
			CHECK_EQ(e.kind, KFI_EVENT_ARGS);
			for (i = 0; i < e.len / sizeof(value); i++) {
				memcpy(&value, e.text + i * sizeof(value), sizeof(value));
				at += (size_t)snprintf(text + at, sizeof(text) - at, "%c%llx",
						       i ? ',' : '(', (unsigned long long)value);
			}
			at += (size_t)snprintf(text + at, sizeof(text) - at, ")");
		}
	}
	return text;
}

static void listed_only(void)
{
	set_up(3, true);
	enter(1);
	enter(5);
	enter(7);
	leave(7, -2);
	leave(5, 6);
	leave(1, -1);
	CHECK_STR(rows(), "2:5(32,33,34) 3:7(46,47,48) 3:7=-2 2:5=6");
	CHECK_EQ(kfi_count_read(&cpu, KFI_MARKS_KEPT), 4);
}

/* Registers are unsigned, return values are not. The entry is that of the call. */
static void values(void)
{
	struct kfi_event e;
	struct kfi_rec r;

	set_up(4, false);
	enter(7);
	CHECK_STR(rows(), sizeof(long) == 8 ? "1:7(46,47,48,ffffffffffffffff)" :
					      "1:7(46,47,48,ffffffff)");
	kfi_ring_read(&run.ring, 0, 0, &r);
	CHECK(kfi_ring_event(&run.ring, 0, 0, &e));
	CHECK_EQ(e.time, stack.frame[0].entry);
	set_up(0, true);
	enter(7);
	leave(7, LONG_MIN);
	CHECK_EQ(kfi_count_read(&cpu, KFI_MARKS_KEPT), 2);
}

static void filtered(void)
{
	set_up(1, true);
	run.filter.ctx_mask = 1 << KFI_CTX_TASK;
	enter_in(7, KFI_CTX_HARDIRQ);
	CHECK_STR(rows(), "");
	set_up(1, true);
	run.filter.rare = true;
	run.filter.nums = 1 << KFI_NUM_PID;
	run.filter.num[KFI_NUM_PID] = 41;
	enter(7);
	leave(7, 1);
	CHECK_STR(rows(), "");
}

/* The call has no frame, or its exit is not that of the topmost frame, or is of no session. */
static void no_frame(void)
{
	u32 i;

	set_up(1, true);
	for (i = 0; i < KFI_STACK_DEPTH; i++)
		enter(1);
	enter(7);
	leave(7, 1);
	CHECK_STR(rows(), "");
	set_up(1, true);
	enter(1);
	leave(7, 1);
	CHECK_STR(rows(), "");
	set_up(1, true);
	enter(7);
	stack.generation = 2;
	kfi_slow_ret(&run, &cpu, 0, &stack, 7, 1);
	kfi_slow_ret(&run, &cpu, 0, NULL, 7, 1);
	CHECK_STR(rows(), "1:7(46)");
	set_up(1, true);
	enter(7);
	kfi_run_stop(&run, KFI_BY_USER, 0);
	leave(7, 1);
	CHECK_STR(rows(), "1:7(46)");
}

/* As with all marks, what does not fit is counted and does not end the session. */
static void full(void)
{
	u32 i;

	set_up(6, true);
	for (i = 0; i < 1000; i++) {
		enter(7);
		leave(7, (long)i);
	}
	CHECK_EQ(kfi_count_read(&cpu, KFI_MARKS_KEPT) + kfi_count_read(&cpu, KFI_MARKS_LOST), 2000);
	CHECK(kfi_count_read(&cpu, KFI_MARKS_LOST) > 0);
	CHECK_EQ(atomic_read(&run.state), KFI_TRIGGERED);
}

static const struct check_case cases[] = {
	{ "of the functions of the list", listed_only },
	{ "what they are", values },
	{ "calls that filters drop", filtered },
	{ "calls without a frame", no_frame },
	{ "the log is full", full },
};

CHECK_MAIN(cases)
