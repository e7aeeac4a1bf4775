// SPDX-License-Identifier: GPL-2.0
/* tools/lib/tree: parents, threads, recursion and local time, by all three rules; and hash. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "tree.h"

#define ROOT	(-1)
#define OPEN	KFI_MARK_OPEN
#define NOTIME	KFI_MARK_NOTIME
#define UNWOUND	KFI_MARK_UNWOUND

/**
 * struct call - one call of a case and what must become of it
 * @task: task; @pid is -1 in interrupts
 * @ctx: enum kfi_ctx
 * @depth: nesting in the task
 * @entry: entry
 * @delta: duration, -1: unknown
 * @func: function, a letter
 * @caller: caller's function, a letter, 0: none
 * @marks: KFI_MARK_*
 * @parent: index of the parent it must get
 * @is_recursive: it must count as recursion
 * @cpu: cpu
 */
struct call {
	int task;
	int ctx;
	int depth;
	int entry;
	int delta;
	char func;
	char caller;
	int marks;
	int parent;
	bool is_recursive;
	int cpu;
};

static s64 child_ns[64];
static u64 overs;

static void over(void *arg, const struct kfi_tree_frame *f)
{
	CHECK(arg == child_ns);
	child_ns[f->id] = f->child_ns;
	overs++;
}

static struct kfi_row row_of(const struct call *c)
{
	return (struct kfi_row){
		.entry_ns = c->entry, .delta_ns = c->delta, .local_ns = -1,
		.pid = c->ctx ? -1 : c->task, .task = c->task, .cpu = c->cpu,
		.depth = c->depth, .ctx = c->ctx, .marks = c->marks,
	};
}

static u32 thread[64], level[64];

static void run(enum kfi_tree_rule rule, const struct call *c, size_t n)
{
	struct kfi_tree tree;

	overs = 0;
	kfi_tree_init(&tree, rule, over, child_ns);
	for (size_t i = 0; i < n; i++) {
		struct kfi_row row = row_of(&c[i]);
		struct kfi_tree_call call = {
			.row = &row, .func = c[i].func,
			.caller = c[i].caller ? (u32)c[i].caller : KFI_NONE, .id = i,
		};
		struct kfi_tree_place place;

		if (rule != KFI_TREE_DEPTH)
			row.task = row.pid;
		if (!CHECK_EQ(kfi_tree_add(&tree, &call, &place), 0))
			break;
		if (!CHECK_EQ((int)place.parent, c[i].parent) ||
		    !CHECK_EQ(place.is_recursive, c[i].is_recursive))
			printf("# at call %zu, %c\n", i, c[i].func);
		thread[i] = place.thread;
		level[i] = place.level;
	}
	kfi_tree_flush(&tree);
	CHECK_EQ(overs, n);
	kfi_tree_free(&tree);
}

#define RUN(rule, c)	run(rule, c, ARRAY_SIZE(c))

static void by_depth(void)
{
	static const struct call c[] = {
		{ 1, 0, 1, 0, 100, 'a', 0, 0, ROOT },
		{ 1, 0, 2, 10, 50, 'b', 'a', 0, 0 },
		{ 1, 0, 3, 20, 10, 'c', 'b', 0, 1 },
		{ 1, 0, 3, 40, 10, 'c', 'b', 0, 1 },
		/* d's parent at depth 2 was filtered, and b is over: a is the innermost left. */
		{ 1, 0, 3, 70, 10, 'd', 'x', 0, 0 },
		/* Another task, at the same time. */
		{ 2, 0, 1, 75, 100, 'a', 0, 0, ROOT },
		{ 2, 0, 2, 76, 10, 'b', 'a', 0, 5 },
		{ 1, 0, 2, 90, 5, 'b', 'a', 0, 0 },
		{ 1, 0, 1, 100, 5, 'e', 0, 0, ROOT },
	};

	RUN(KFI_TREE_DEPTH, c);
	CHECK_EQ(child_ns[0], 65);
	CHECK_EQ(child_ns[1], 20);
	CHECK_EQ(child_ns[5], 10);
	CHECK_EQ(level[4], 2);
	CHECK_EQ(thread[0], thread[8]);
	CHECK(thread[0] != thread[5]);
}

/* What is no call: where it lies, and that it leaves the calls alone. */
static void looked_at(void)
{
	static const struct call c[] = {
		{ 1, 0, 1, 0, 100, 'a', 0, 0, ROOT },
		{ 1, 0, 2, 10, 50, 'b', 'a', 0, 0 },
		{ 1, 2, 3, 20, 10, 'i', 'x', 0, ROOT },
	};
	static const struct {
		int task, ctx, entry, parent, level;
		int thread;	/* that of this call, -1: of none */
	} at[] = {
		{ 1, 2, 25, 2, 2, 2 },		/* in the interrupt */
		{ 1, 0, 25, 1, 3, 1 },		/* an interrupt does not hold what its task does */
		{ 1, 3, 25, ROOT, 1, -1 },	/* nor a call the NMI that is not in the log */
		{ 2, 0, 26, ROOT, 1, -1 },	/* another task */
		{ 1, 2, 30, 2, 2, 2 },		/* at its end: still in it */
		{ 1, 2, 31, ROOT, 1, 2 },	/* behind it: on its thread */
		{ 1, 0, 61, 0, 2, 0 },		/* b is over */
		{ 1, 0, 101, ROOT, 1, 0 },	/* so is a */
	};
	struct kfi_tree_place place;
	struct kfi_tree tree;

	overs = 0;
	kfi_tree_init(&tree, KFI_TREE_DEPTH, over, child_ns);
	for (size_t i = 0; i < ARRAY_SIZE(c); i++) {
		struct kfi_row row = row_of(&c[i]);
		struct kfi_tree_call call = { &row, c[i].func, KFI_NONE, i };

		CHECK_EQ(kfi_tree_add(&tree, &call, &place), 0);
		thread[i] = place.thread;
	}
	for (size_t i = 0; i < ARRAY_SIZE(at); i++) {
		struct kfi_row row = {
			.entry_ns = at[i].entry, .delta_ns = -1, .task = at[i].task,
			.ctx = at[i].ctx,
		};

		CHECK_EQ(kfi_tree_find_place(&tree, &row, &place), 0);
		CHECK_EQ((int)place.parent, at[i].parent);
		CHECK_EQ(place.level, (u32)at[i].level);
		if (at[i].thread >= 0)
			CHECK_EQ(place.thread, thread[at[i].thread]);
		else
			CHECK(place.thread > thread[2]);
	}
	kfi_tree_flush(&tree);
	CHECK_EQ(overs, ARRAY_SIZE(c));
	kfi_tree_free(&tree);
}

/* A new task has the pid of a dead one: the calls of the dead one are over. */
static void reused_pid(void)
{
	static const struct {
		struct call c;
		int ended;	/* the pid for which a new task is made before the call */
	} c[] = {
		{ { 1, 0, 1, 0, -1, 'a', 0, OPEN, ROOT }, 1 },
		{ { 1, 0, 2, 10, -1, 'b', 'a', OPEN, 0 }, 2 },
		{ { 1, 2, 3, 15, 5, 'i', 'x', 0, ROOT }, -1 },
		{ { 2, 0, 1, 20, -1, 'a', 0, OPEN, ROOT }, 0 },
		{ { 1, 0, 4, 30, 10, 'c', 'x', 0, ROOT }, 1 },
		{ { 1, 0, 5, 35, 1, 'd', 'c', 0, 4 }, 3 },
		{ { 2, 0, 2, 40, 1, 'd', 'a', 0, 3 }, 1 },
		/* All idle tasks have the pid 0, and never die. */
		{ { 0, 0, 1, 50, -1, 'a', 0, OPEN, ROOT }, 1 },
		{ { 0, 0, 2, 60, 1, 'b', 'a', 0, 7 }, 0 },
		/* A call that returns later is not one of a dead task. */
		{ { 3, 0, 1, 70, 9, 'a', 0, 0, ROOT }, 3 },
		{ { 3, 0, 2, 71, 1, 'b', 'a', 0, 9 }, 3 },
	};
	struct kfi_tree_place place;
	struct kfi_tree tree;

	overs = 0;
	kfi_tree_init(&tree, KFI_TREE_DEPTH, over, child_ns);
	for (size_t i = 0; i < ARRAY_SIZE(c); i++) {
		struct kfi_row row = row_of(&c[i].c);
		struct kfi_tree_call call = { &row, c[i].c.func, c[i].c.caller, i };

		kfi_tree_end_task(&tree, c[i].ended, c[i].c.entry);
		CHECK_EQ(kfi_tree_add(&tree, &call, &place), 0);
		CHECK_EQ((int)place.parent, c[i].c.parent);
		thread[i] = place.thread;
	}
	CHECK_EQ(overs, 5);
	CHECK_EQ(thread[0], thread[4]);
	kfi_tree_flush(&tree);
	CHECK_EQ(overs, ARRAY_SIZE(c));
	kfi_tree_free(&tree);
}

static void edges_of_time(void)
{
	static const struct call c[] = {
		{ 1, 0, 1, 0, 100, 'a', 0, 0, ROOT },
		{ 1, 0, 2, 10, 10, 'b', 'a', 0, 0 },
		/* Begins when b ends and lasts: not in b. */
		{ 1, 0, 3, 20, 10, 'c', 'x', 0, 0 },
		/* Ends when its parent does. */
		{ 1, 0, 2, 50, 50, 'b', 'a', 0, 0 },
		{ 1, 0, 3, 60, 40, 'c', 'b', 0, 3 },
		/* No time at all, at the very end. */
		{ 1, 0, 4, 100, 0, 'd', 'c', 0, 4 },
		/* Begins when its neighbour ends, and nobody knows how long it lasts. */
		{ 3, 0, 1, 0, 1000, 'a', 0, 0, ROOT },
		{ 3, 0, 2, 10, 10, 'b', 'a', 0, 6 },
		{ 3, 0, 3, 20, -1, 'c', 'x', UNWOUND, 6 },
		/* Reaches out of what is around it: a damaged log. */
		{ 1, 0, 1, 200, 100, 'a', 0, 0, ROOT },
		{ 1, 0, 2, 250, 100, 'b', 'a', 0, ROOT },
	};

	RUN(KFI_TREE_DEPTH, c);
}

static void open_calls(void)
{
	static const struct call c[] = {
		{ 1, 0, 1, 0, -1, 'a', 0, OPEN, ROOT },
		{ 1, 0, 2, 10, 100, 'b', 'a', 0, 0 },
		{ 1, 0, 3, 20, -1, 'c', 'b', UNWOUND, 1 },
		{ 1, 0, 4, 30, 10, 'd', 'c', 0, 2 },
		/* b is over, and c with it. */
		{ 1, 0, 4, 120, 10, 'd', 'x', 0, 0 },
		{ 1, 0, 2, 140, -1, 'e', 'a', OPEN, 0 },
		{ 1, 0, 3, 150, 10, 'd', 'e', 0, 5 },
		/* As deep as e, so e is over, though its exit was not seen. */
		{ 1, 0, 2, 170, 10, 'b', 'a', 0, 0 },
	};

	RUN(KFI_TREE_DEPTH, c);
	CHECK_EQ(child_ns[0], 120);
	CHECK_EQ(child_ns[1], 0);
	CHECK_EQ(child_ns[5], 10);
}

static void interrupts(void)
{
	static const struct call c[] = {
		{ 1, KFI_CTX_TASK, 1, 0, 1000, 'a', 0, 0, ROOT },
		{ 1, KFI_CTX_HARDIRQ, 2, 10, 100, 'h', 'x', 0, ROOT },
		{ 1, KFI_CTX_HARDIRQ, 3, 20, 50, 'i', 'h', 0, 1 },
		/* Called by h itself: it belongs to it. */
		{ 1, KFI_CTX_SOFTIRQ, 3, 80, 20, 's', 'h', 0, 1 },
		/* Only interrupted it. */
		{ 1, KFI_CTX_NMI, 4, 85, 5, 'n', 'x', 0, ROOT },
		{ 1, KFI_CTX_TASK, 2, 200, 10, 'b', 'a', 0, 0 },
		{ 1, KFI_CTX_HARDIRQ, 2, 300, 100, 'h', 'x', 0, ROOT },
		{ 1, KFI_CTX_HARDIRQ, 2, 500, 100, 'h', 'x', 0, ROOT, false, 1 },
	};

	RUN(KFI_TREE_DEPTH, c);
	CHECK_EQ(child_ns[0], 10);
	CHECK_EQ(child_ns[1], 70);
	CHECK_EQ(thread[1], thread[6]);
	CHECK(thread[1] != thread[7]);
	CHECK(thread[1] != thread[0]);
	CHECK(thread[4] != thread[1]);
	CHECK_EQ(thread[3], thread[1]);
}

static void without_clock(void)
{
	static const struct call c[] = {
		{ 0, 0, 1, 0, -1, 'a', 0, NOTIME | OPEN, ROOT },
		{ 0, 0, 2, 0, -1, 'b', 'a', NOTIME, 0 },
		{ 0, 0, 3, 0, -1, 'c', 'b', NOTIME, 1 },
		/* b was entered before the clock ran, and still called d: the caller says so. */
		{ 0, 0, 3, 10, 5, 'd', 'b', 0, 1 },
		/* Nothing says that b still runs. */
		{ 0, 0, 4, 20, 5, 'e', 'x', 0, 0 },
	};

	RUN(KFI_TREE_DEPTH, c);
}

static void idle_tasks(void)
{
	static const struct call c[] = {
		{ 0, 0, 1, 0, -1, 'a', 0, OPEN, ROOT, false, 0 },
		{ 0, 0, 1, 10, -1, 'a', 0, OPEN, ROOT, false, 1 },
		{ 0, 0, 2, 20, 5, 'b', 'a', 0, 0, false, 0 },
		{ 0, 0, 2, 30, 5, 'b', 'a', 0, 1, false, 1 },
		/* A task that moves to another cpu stays one thread. */
		{ 7, 0, 1, 40, 50, 'c', 0, 0, ROOT, false, 0 },
		{ 7, 0, 2, 50, 5, 'd', 'c', 0, 4, false, 1 },
	};

	RUN(KFI_TREE_DEPTH, c);
}

static void recursion(void)
{
	static const struct call c[] = {
		{ 1, 0, 1, 0, -1, 'f', 0, OPEN, ROOT },
		/* Within an open call only: counted. */
		{ 1, 0, 2, 10, 100, 'f', 'f', 0, 0, false },
		{ 1, 0, 3, 20, 50, 'g', 'f', 0, 1, false },
		{ 1, 0, 4, 30, 10, 'f', 'g', 0, 2, true },
		{ 1, 0, 2, 200, 10, 'f', 'f', 0, 0, false },
	};

	RUN(KFI_TREE_DEPTH, c);
	RUN(KFI_TREE_TIME, c);
	RUN(KFI_TREE_CALLER, c);
}

static void by_caller(void)
{
	static const struct call c[] = {
		{ 33, 0, 0, 0, 100, 's', 'w', 0, ROOT },
		{ 105, 0, 0, 10, 500, 's', 'r', 0, ROOT },
		/* Equal names: each process finds its own. */
		{ 33, 0, 0, 20, 30, 't', 's', 0, 0 },
		{ 105, 0, 0, 60, 20, 't', 's', 0, 1 },
		/* 33's s is over; 105's is not 33's. */
		{ 33, 0, 0, 150, 20, 't', 's', 0, ROOT },
		/* An interrupt: its first function still has the pid. */
		{ 105, 0, 0, 200, 100, 'i', 'x', 0, ROOT },
		{ 105, 2, 0, 210, 20, 'k', 'i', 0, 5 },
		{ 105, 2, 0, 215, 5, 'l', 'k', 0, 6 },
		/* After it the interrupted call goes on. */
		{ 105, 0, 0, 350, 20, 'u', 's', 0, 1 },
	};

	RUN(KFI_TREE_CALLER, c);
	CHECK_EQ(child_ns[1], 40);
	CHECK_EQ(child_ns[5], 20);
	CHECK(thread[0] != thread[4]);
	CHECK_EQ(thread[7], thread[5]);
	CHECK_EQ(level[7], 3);
}

static void open_by_caller(void)
{
	static const struct call c[] = {
		{ 1, 0, 0, 0, -1, 'a', 0, OPEN, ROOT },
		{ 1, 0, 0, 10, -1, 'b', 'a', OPEN, 0 },
		{ 1, 0, 0, 20, 5, 'c', 'b', 0, 1 },
		/* a goes on: b has returned. */
		{ 1, 0, 0, 30, 50, 'd', 'a', 0, 0 },
		{ 1, 0, 0, 40, 5, 'c', 'b', 0, ROOT },
		{ 1, 0, 0, 50, -1, 'e', 'd', OPEN, 3 },
		{ 1, 0, 0, 60, 5, 'c', 'e', 0, 5 },
		/* d is over, and e with it. */
		{ 1, 0, 0, 90, 5, 'c', 'e', 0, ROOT },
		/* The inner f is over, but an open call lies on it; the outer f calls. */
		{ 2, 0, 0, 100, 500, 'f', 'x', 0, ROOT },
		{ 2, 0, 0, 110, 20, 'f', 'f', 0, 8, true },
		{ 2, 0, 0, 115, -1, 'g', 'x', OPEN, ROOT },
		{ 2, 0, 0, 150, 10, 'h', 'f', 0, 8 },
		{ 2, 0, 0, 170, 10, 'h', 'f', 0, 8 },
	};

	RUN(KFI_TREE_CALLER, c);
}

static void by_time(void)
{
	static const struct call c[] = {
		{ 1, 0, 0, 0, 100, 'a', 0, 0, ROOT },
		{ 1, 0, 0, 10, 50, 'b', 0, 0, 0 },
		{ 2, 0, 0, 20, 10, 'c', 0, 0, ROOT },
		{ 1, 0, 0, 70, 10, 'd', 0, 0, 0 },
		{ 1, 2, 0, 75, 2, 'i', 0, 0, ROOT },
		{ 1, 0, 0, 100, 10, 'd', 0, 0, ROOT },
	};

	RUN(KFI_TREE_TIME, c);
}

/* Many open calls, deep nesting, equal names: the time must not grow with their square. */
static double seconds(enum kfi_tree_rule rule, u32 n)
{
	struct timespec a, b;
	struct kfi_tree tree;

	kfi_tree_init(&tree, rule, NULL, NULL);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
	for (u32 i = 0; i < n; i++) {
		/* Every third call is never over; callers are there, over, or unknown. */
		struct kfi_row row = {
			.entry_ns = i, .delta_ns = i % 3 ? (s64)i % 7 : -1, .pid = (s32)(i % 5) - 1,
			.task = i % 2, .depth = i, .marks = i % 3 ? 0 : OPEN, .cpu = -1,
		};
		struct kfi_tree_call call = { &row, i % 11, i % 13, i };
		struct kfi_tree_place place;

		if (rule != KFI_TREE_DEPTH)
			row.task = row.pid;
		if (!CHECK_EQ(kfi_tree_add(&tree, &call, &place), 0))
			break;
	}
	kfi_tree_flush(&tree);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
	kfi_tree_free(&tree);
	return (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) / 1e9;
}

static void not_quadratic(void)
{
	for (int rule = KFI_TREE_DEPTH; rule <= KFI_TREE_TIME; rule++) {
		double s = seconds(rule, 300000);

		/* Under sanitizers some 0.2 s; a search per call would take minutes. */
		if (!CHECK(s < 10))
			printf("# rule %d: %.1f s\n", rule, s);
	}
}

static void no_memory(void)
{
	for (long n = 0; n < 100; n++) {
		struct kfi_row row = { .delta_ns = 5, .pid = 1, .task = 1, .depth = 1 };
		struct kfi_tree_call call = { &row, 1, KFI_NONE, 0 };
		struct kfi_tree_place place;
		struct kfi_tree tree;
		int ret;

		kfi_tree_init(&tree, KFI_TREE_DEPTH, NULL, NULL);
		check_fail_alloc(n);
		ret = kfi_tree_add(&tree, &call, &place);
		check_fail_alloc(-1);
		kfi_tree_free(&tree);
		if (ret == 0) {
			CHECK(n >= 5);
			return;
		}
		CHECK_EQ(ret, -ENOMEM);
	}
	CHECK(false);
}

static void names(void)
{
	struct kfi_names n = { 0 };
	char text[32];
	static char big[200000];

	CHECK_EQ(kfi_names_find(&n, "a", 1), KFI_NONE);
	for (u32 round = 0; round < 2; round++) {
		for (u32 i = 0; i < 20000; i++) {
			int len = snprintf(text, sizeof(text), "name_%u", i);

			if (!CHECK_EQ(kfi_names_get(&n, text, len), i))
				break;
		}
	}
	CHECK_EQ(n.count, 20000);
	CHECK_STR(n.str[12345].s, "name_12345");
	CHECK_EQ(kfi_names_find(&n, "name_7", 6), 7);
	CHECK_EQ(kfi_names_find(&n, "name_x", 6), KFI_NONE);
	memset(big, 'x', sizeof(big));
	/* A name and its NUL that just do not fit into what is left of a block. */
	for (u32 len = 65300; len < 65536; len++) {
		struct kfi_names one = { 0 };

		kfi_names_get(&one, big, len);
		kfi_names_get(&one, big, 65536 - len - 1);
		CHECK_EQ(one.str[1].s[one.str[1].len], 0);
		kfi_names_free(&one);
	}
	CHECK_EQ(kfi_names_get(&n, big, sizeof(big)), 20000);
	CHECK_EQ(kfi_names_get(&n, big, sizeof(big)), 20000);
	kfi_names_free(&n);
	CHECK_EQ(n.count, 0);
	for (long i = 0; ; i++) {
		u32 got;

		check_fail_alloc(i);
		got = kfi_names_get(&n, "a", 1);
		check_fail_alloc(-1);
		if (got != KFI_NONE) {
			CHECK(i >= 4 || n.count == 1);
			break;
		}
	}
	CHECK_EQ(kfi_names_find(&n, "a", 1), 0);
	kfi_names_free(&n);
}

static void map(void)
{
	struct kfi_map m = { 0 };

	CHECK(!kfi_map_find(&m, 0));
	CHECK(kfi_map_get(&m, 0, 0));
	CHECK(!kfi_map_at_once(&m, U64_MAX));
	for (u64 i = 0; i < 20000; i++) {
		u32 *v = kfi_map_get(&m, i << 32, (u32)i);

		if (!CHECK(v) || !CHECK_EQ(*v, i))
			break;
	}
	CHECK_EQ(m.count, 20000);
	CHECK_EQ(*kfi_map_get(&m, 77ull << 32, 1), 77);
	CHECK(!kfi_map_find(&m, 77));
	kfi_map_free(&m);
}

static const struct check_case cases[] = {
	{ "by depth and task", by_depth },
	{ "what is no call", looked_at },
	{ "a new task with the pid of a dead one", reused_pid },
	{ "calls that touch, calls that stick out", edges_of_time },
	{ "open and unwound calls", open_calls },
	{ "interrupts are trees of their own", interrupts },
	{ "calls before the clock", without_clock },
	{ "idle tasks of several cpus", idle_tasks },
	{ "recursion, by all rules", recursion },
	{ "by caller, processes never mixed", by_caller },
	{ "by caller, open calls", open_by_caller },
	{ "by time", by_time },
	{ "no step is quadratic", not_quadratic },
	{ "each allocation fails once", no_memory },
	{ "names to numbers", names },
	{ "keys to values", map },
};

CHECK_MAIN(cases)
