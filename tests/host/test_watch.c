// SPDX-License-Identifier: GPL-2.0
/* Watches: which functions are reported, how often, and interrupts in between. */
#include <stdio.h>

#include "check.h"
#include "hooks/slow.h"
#include "step.h"

#define NCHUNKS	40

static u64 now;
static void (*at_read)(void);	/* an interrupt when the clock is read */

u64 kfi_now(void)
{
	void (*interrupt)(void) = at_read;

	at_read = NULL;
	if (interrupt)
		interrupt();
	return ++now;
}

static struct kfi_run run;
static struct kfi_cpu cpu;
static struct kfi_stack stack;
static u64 memory[NCHUNKS][512];
static struct kfi_chunk *chunks[NCHUNKS];

static void set_up(enum kfi_conf_watch kind, u32 bytes)
{
	u32 i;

	memset(memory, 0, sizeof(memory));
	for (i = 0; i < NCHUNKS; i++)
		chunks[i] = (struct kfi_chunk *)memory[i];
	memset(&cpu, 0, sizeof(cpu));
	memset(&stack, 0, sizeof(stack));
	run = (struct kfi_run) { .id = 1, .stop_at = U64_MAX, .stop_after = U64_MAX };
	/* Nothing passes the filters: all that is in the ring is of the watch. */
	run.filter.max = 0;
	run.filter.ctx_mask = 0xf;
	now = 1000;
	at_read = NULL;
	kfi_watch_init(&run, kind, bytes);
	kfi_ring_init(&run.ring, chunks, NCHUNKS, sizeof(memory[0]), 0);
	kfi_ring_cpu_init(&cpu.ring);
	kfi_stack_begin(&stack, 1, 40);
	kfi_run_start(&run, KFI_BY_USER, 0);
}

static void enter_in(unsigned long func, u32 left, unsigned int ctx)
{
	struct kfi_event call = { .func = func, .site = func + 1, .ctx = (u8)ctx };

	kfi_call_enter(&run, &cpu, 0, &stack, func, func + 1, ctx);
	kfi_watch_enter(&run, &cpu, 0, &stack, &call, left);
}

static void enter(unsigned long func, u32 left)
{
	enter_in(func, left, KFI_CTX_TASK);
}

static void leave(unsigned long func)
{
	kfi_call_exit(&run, &cpu, 0, &stack, func, KFI_CTX_TASK);
}

/* The reports so far, in the order in which they were written, as "depth:function=left ...". */
static const char *reports(void)
{
	static char text[4000];
	size_t at = 0;
	u32 c, w, n;

	text[0] = 0;
	for (c = 0; c < kfi_ring_taken(&run.ring); c++) {
		struct kfi_event e;
		struct kfi_rec r;

		for (w = 0; (n = kfi_ring_read(&run.ring, c, w, &r)); w += n) {
			CHECK(kfi_ring_event(&run.ring, c, w, &e));
			CHECK_EQ(e.kind, KFI_EVENT_STACK);
			CHECK_EQ(e.site, e.func + 1);
			CHECK_EQ(e.pid, 40);
			at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%u:%llu=%lld",
					       at ? " " : "", e.depth,
					       (unsigned long long)e.func, (long long)e.value);
		}
	}
	return text;
}

static void threshold(void)
{
	set_up(KFI_WATCH_STACK, 100);
	enter(1, 300);
	enter(2, 100);
	CHECK_STR(reports(), "");
	enter(3, 99);
	CHECK_STR(reports(), "1:1=99 2:2=99 3:3=99");
	CHECK_EQ(kfi_count_read(&cpu, KFI_WATCH_KEPT), 3);
	CHECK_EQ(kfi_watch_limit(&run), 100);
	/* It is not on this stack. */
	enter(4, KFI_WATCH_ELSEWHERE);
	CHECK_EQ(kfi_count_read(&cpu, KFI_WATCH_KEPT), 3);
}

/* What has been reported and is still open is not reported again. */
static void excursions(void)
{
	set_up(KFI_WATCH_STACK, 100);
	enter(1, 300);
	enter(2, 50);
	enter(3, 40);
	CHECK_STR(reports(), "1:1=50 2:2=50 3:3=40");
	leave(3);
	enter(4, 45);
	CHECK_STR(reports(), "1:1=50 2:2=50 3:3=40 3:4=45");
	leave(4);
	leave(2);
	/* A call that is not low, then a low one below it: both are new. */
	enter(5, 150);
	enter(6, 60);
	CHECK_STR(reports(), "1:1=50 2:2=50 3:3=40 3:4=45 2:5=60 3:6=60");
	leave(6);
	leave(5);
	leave(1);
	/* At the same depth, but another call. */
	enter(1, 99);
	CHECK_STR(reports(), "1:1=50 2:2=50 3:3=40 3:4=45 2:5=60 3:6=60 1:1=99");
	CHECK_EQ(kfi_count_read(&cpu, KFI_WATCH_LOST), 0);
	leave(1);
	/* The same, and not low itself. */
	enter(7, 150);
	enter(8, 10);
	CHECK(strstr(reports(), " 1:1=99 1:7=10 2:8=10"));
}

/* Between two iterations nothing is reported, and what was reported before may return. */
static void paused(void)
{
	set_up(KFI_WATCH_STACK, 100);
	run.repeat = true;
	enter(1, 50);
	enter(2, 40);
	CHECK(kfi_run_stop(&run, KFI_BY_ENTRY, 9));
	leave(2);
	leave(1);
	enter(3, 30);
	enter(4, 20);
	CHECK_STR(reports(), "1:1=50 2:2=40");
	CHECK(kfi_run_start(&run, KFI_BY_ENTRY, 9));
	enter(5, 10);
	CHECK_STR(reports(), "1:1=50 2:2=40 1:3=10 2:4=10 3:5=10");
}

/* A call that is closed has a row already; another run has its own reports. */
static void not_reported(void)
{
	set_up(KFI_WATCH_STACK, 100);
	enter(1, 300);
	enter(2, 300);
	stack.frame[0].func = 0;
	enter(3, 10);
	CHECK_STR(reports(), "2:2=10 3:3=10");
	kfi_stack_begin(&stack, 2, 40);
	CHECK_EQ(stack.watched, 0);
}

static void worst(void)
{
	set_up(KFI_WATCH_WORST, 0);
	CHECK_EQ(kfi_watch_limit(&run), U32_MAX);
	enter(1, KFI_WATCH_ELSEWHERE);
	CHECK_STR(reports(), "");
	enter(2, 900);
	CHECK_STR(reports(), "1:1=900 2:2=900");
	enter(3, 900);
	enter(4, 950);
	CHECK_EQ(kfi_watch_limit(&run), 900);
	enter(5, 899);
	CHECK_STR(reports(), "1:1=900 2:2=900 3:3=899 4:4=899 5:5=899");
	CHECK_EQ(kfi_watch_limit(&run), 899);
	set_up(KFI_WATCH_WORST, 500);
	enter(1, 500);
	CHECK_STR(reports(), "");
	enter(2, 499);
	CHECK_EQ(kfi_watch_limit(&run), 499);
}

/* Deeper than the shadow stack: the call itself is reported, what is between is counted as lost. */
static void too_deep(void)
{
	u32 i;

	set_up(KFI_WATCH_STACK, 100);
	for (i = 0; i < KFI_STACK_DEPTH + 5; i++)
		enter(10 + i, 1000);
	CHECK_STR(reports(), "");
	enter(9999, 10);
	CHECK_EQ(kfi_count_read(&cpu, KFI_WATCH_KEPT), KFI_STACK_DEPTH + 1);
	CHECK_EQ(kfi_count_read(&cpu, KFI_WATCH_LOST), 5);
	CHECK(strstr(reports(), " 140:149=10 146:9999=10"));
	/* Not again. */
	enter(8888, 5);
	CHECK_EQ(kfi_count_read(&cpu, KFI_WATCH_KEPT), KFI_STACK_DEPTH + 2);
	CHECK_EQ(kfi_count_read(&cpu, KFI_WATCH_LOST), 5);
}

static void low_interrupt(void)
{
	enter_in(7, 20, KFI_CTX_HARDIRQ);
	kfi_call_exit(&run, &cpu, 0, &stack, 7, KFI_CTX_HARDIRQ);
}

/* An interrupt while a call is pushed: that one was entered after it, and its frame holds nothing. */
static void interrupted_push(void)
{
	struct kfi_event call = { .func = 2, .site = 3 };

	set_up(KFI_WATCH_STACK, 100);
	/* The frame that the push will use holds something old. */
	enter(1, 300);
	enter(66, 300);
	leave(66);
	at_read = low_interrupt;
	kfi_call_enter(&run, &cpu, 0, &stack, 2, 3, KFI_CTX_TASK);
	CHECK_STR(reports(), "1:1=20 3:7=20");
	/* Now it is there, and is reported when it is low itself. */
	kfi_watch_enter(&run, &cpu, 0, &stack, &call, 90);
	CHECK_STR(reports(), "1:1=20 3:7=20 2:2=90");
}

/* One that comes when it is pushed sees it. */
static void interrupted(void)
{
	set_up(KFI_WATCH_STACK, 100);
	enter(1, 300);
	enter(2, 300);
	low_interrupt();
	CHECK_STR(reports(), "1:1=20 2:2=20 3:7=20");
	leave(2);
	enter(3, 50);
	CHECK_STR(reports(), "1:1=20 2:2=20 3:7=20 2:3=50");
}

/* ---- an interrupt at each instruction ---- */

static unsigned int interrupt_ctx;

static void any_interrupt(void)
{
	enter_in(7, 20, interrupt_ctx);
	kfi_call_exit(&run, &cpu, 0, &stack, 7, interrupt_ctx);
}

static void push(void)
{
	enter(2, 90);
}

/* Whenever it comes: what is reported is true, is counted, and nothing that is low is missing. */
static void check_reports(void)
{
	u32 c, w, n, of[3] = { 0 }, all = 0;

	for (c = 0; c < kfi_ring_taken(&run.ring); c++) {
		struct kfi_event e;
		struct kfi_rec r;

		for (w = 0; (n = kfi_ring_read(&run.ring, c, w, &r)); w += n) {
			all++;
			CHECK(kfi_ring_event(&run.ring, c, w, &e));
			CHECK_EQ(e.site, e.func + 1);
			if (e.func == 7) {
				of[2]++;
				CHECK(e.depth == 2 || e.depth == 3);
				CHECK_EQ(e.value, 20);
				continue;
			}
			if (!CHECK(e.func == e.depth && (e.func == 1 || e.func == 2)))
				continue;
			of[e.func - 1]++;
			CHECK_EQ(e.time, stack.frame[e.depth - 1].entry);
			CHECK_EQ(e.ctx, KFI_CTX_TASK);
		}
	}
	CHECK_EQ(all, kfi_count_read(&cpu, KFI_WATCH_KEPT));
	CHECK_EQ(of[2], 1);
	/* Once; twice if it comes between the call and its own report. */
	CHECK(of[0] == 1 || of[0] == 2);
	CHECK(of[1] == 1 || of[1] == 2);
	CHECK_EQ(kfi_count_read(&cpu, KFI_WATCH_LOST), 0);
	CHECK_EQ(kfi_stack_depth(&stack), 2);
	/* That of an interrupt which came last is gone with the next entry. */
	CHECK(stack.watched == 2 || stack.watched == 3);
}

static void anywhere(void)
{
	long n = 0, i;
	bool came;

	for (i = 0; i < 2; i++) {
		interrupt_ctx = i ? KFI_CTX_TASK : KFI_CTX_HARDIRQ;
		n = 0;
		do {
			set_up(KFI_WATCH_STACK, 100);
			enter(1, 300);
			/* What is left in the frame that the push will use. */
			enter(66, 300);
			leave(66);
			came = step_into(push, any_interrupt, n);
			if (came)
				check_reports();
			n++;
		} while (came);
	}
	printf("# %ld instructions\n", n);
}

static void full(void)
{
	u32 i;

	set_up(KFI_WATCH_STACK, 100);
	run.ring.nchunks = 1;
	for (i = 0; i < KFI_STACK_DEPTH; i++)
		enter(10 + i, 1000);
	enter(9999, 10);
	CHECK(kfi_count_read(&cpu, KFI_WATCH_LOST) > 0);
	CHECK_EQ(kfi_count_read(&cpu, KFI_WATCH_LOST) + kfi_count_read(&cpu, KFI_WATCH_KEPT),
		 KFI_STACK_DEPTH + 1);
	CHECK_EQ(run.stop.cause, KFI_BY_FULL);
}

static const struct check_case cases[] = {
	{ "who is below a threshold", threshold },
	{ "each call once as long as it is open", excursions },
	{ "between two iterations", paused },
	{ "calls that are closed, and of another run", not_reported },
	{ "each new low", worst },
	{ "calls that are too deep", too_deep },
	{ "an interrupt while a call is pushed", interrupted_push },
	{ "an interrupt on top of a call", interrupted },
	{ "an interrupt at any instruction", anywhere },
	{ "the log is full", full },
};

CHECK_MAIN(cases)
