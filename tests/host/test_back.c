// SPDX-License-Identifier: GPL-2.0
/* tools/lib/back: recursion from the last call back is that of the trees, or nobody can say. */
#include <stdlib.h>

#include "back.h"
#include "check.h"
#include "tree.h"

#define MANY	4000
#define ROUNDS	60
#define TASKS	3
#define FUNCS	6
#define NO_END	(S64_MAX - 1)

static struct made {
	s64 entry, end;
	u32 func, depth, at;
	s32 task, cpu;
	bool again;
} made[MANY];
static u32 n;
static s64 now;
static u64 seed = 7;

static u32 rnd(u32 below)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)(seed >> 33) % below;
}

/* Calls that nest; @least: what lies between two times at least. */
static void make_calls(s32 task, u32 depth, u32 least)
{
	struct made *m = &made[n];

	*m = (struct made){
		.entry = now, .func = rnd(FUNCS), .depth = depth, .task = task, .at = n,
		.cpu = (s32)rnd(2),
	};
	if (!task)
		m->cpu = 0;
	/* Of some the record is missing. */
	n += rnd(8) != 0;
	if (n == (u32)(m - made))
		m = NULL;
	for (u32 calls = rnd(4); calls && depth < 12 && n < MANY - 20; calls--) {
		now += least + rnd(3);
		make_calls(task, depth + 1, least);
	}
	now += least + rnd(3);
	if (m)
		m->end = now;
	now += least + rnd(2);
}

static int by_entry(const void *a, const void *b)
{
	const struct made *x = a, *y = b;

	if (x->entry != y->entry)
		return x->entry < y->entry ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static int by_end(const void *a, const void *b)
{
	const struct made *x = a, *y = b;

	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->depth < y->depth ? -1 : x->depth > y->depth;
}

/* What the trees say. */
static void ask_trees(void)
{
	struct kfi_tree tree;

	kfi_tree_init(&tree, KFI_TREE_DEPTH, NULL, NULL);
	tree.quiet = true;
	qsort(made, n, sizeof(*made), by_entry);
	for (u32 i = 0; i < n; i++) {
		struct made *m = &made[i];
		bool open = m->end == NO_END;
		struct kfi_row row = {
			.entry_ns = m->entry, .delta_ns = open ? -1 : m->end - m->entry,
			.task = m->task, .pid = m->task, .cpu = m->cpu, .depth = m->depth,
			.marks = open ? KFI_MARK_OPEN : 0,
		};

		CHECK_EQ(kfi_tree_again(&tree, &row, &m->func, &(u32){ KFI_NONE }, 1, &m->again),
			 0);
	}
	kfi_tree_free(&tree);
}

/* Return: recursive calls; 0: nobody can say. */
static u32 ask_back(void)
{
	struct kfi_back back;
	u32 differ = 0, again = 0;
	int ret = 0;

	kfi_back_init(&back);
	qsort(made, n, sizeof(*made), by_end);
	for (u32 i = 0; i < n && ret != 2; i++) {
		const struct made *m = &made[i];

		ret = kfi_back_call(&back, m->entry, m->end, m->end == NO_END ? KFI_NONE : m->func,
				    m->depth, m->task, m->cpu);
		CHECK(ret >= 0);
		differ += ret != m->again;
		again += ret == 1;
	}
	if (ret == 2 || !kfi_back_sure(&back, false))
		again = 0;
	else
		CHECK_EQ(differ, 0);
	kfi_back_free(&back);
	return again;
}

static u32 some_answer(u32 least, u32 moved)
{
	u32 answered = 0;

	for (u32 round = 0; round < ROUNDS; round++) {
		u32 opens = rnd(3);

		n = 0;
		now = 0;
		for (u32 i = 0; i < opens; i++)
			made[n++] = (struct made){
				.entry = now += 1 + least, .end = NO_END, .func = rnd(FUNCS),
				.depth = i + 1, .task = 1, .at = i,
			};
		now++;
		while (n < MANY / 8) {
			s32 task = (s32)rnd(TASKS);

			make_calls(task, 1 + (task == 1 ? opens : 0), least);
		}
		for (u32 i = 0; i < moved; i++) {
			struct made *m = &made[rnd(n)];

			if (m->end != NO_END)
				m->end += (s64)rnd(20);
			m->entry += (s64)rnd(2);
			if (m->entry > m->end)
				m->entry = m->end;
			m->depth += rnd(2);
		}
		ask_trees();
		answered += ask_back() > 0;
	}
	return answered;
}

/* All that nest are for this, also where outer calls are missing or have not returned. */
static void nested(void)
{
	CHECK_EQ(some_answer(1, 0), ROUNDS);
}

/* Where the clock is coarse, or the log is not what it should be, no answer is wrong. */
static void others(void)
{
	CHECK_EQ(some_answer(0, 0), 0);
	some_answer(1, 1);
	some_answer(1, 5);
	some_answer(0, 5);
}

/* One after the other: entry, end, function, depth, and what comes out. */
static void by_hand(void)
{
	static const struct {
		s64 entry, end;
		u32 func, depth;
		int ret;
	} t[] = {
		{ 10, 90, 1, 1, 0 },
		{ 70, 80, 2, 2, 0 },
		{ 72, 78, 1, 3, 1 },
		{ 20, 60, KFI_NONE, 2, 0 },
		{ 30, 50, 2, 3, 0 },	/* what is around it does not count */
		{ 22, 25, 1, 5, 1 },	/* depth 4 is missing */
		{ 21, 23, 1, 5, 2 },	/* sticks out */
		{ 5, 15, 3, 1, 2 },
		{ 1, 9, 1, 0, 2 },
		{ 1, 9, 1, 2000000, 2 },
		{ 1, 9, 1, 1, 0 },
	};
	struct kfi_back back;

	kfi_back_init(&back);
	for (size_t i = 0; i < ARRAY_SIZE(t); i++)
		CHECK_EQ(kfi_back_call(&back, t[i].entry, t[i].end, t[i].func, t[i].depth, 5, 0),
			 t[i].ret);
	/* Overlapping an outer one, and a deeper one whose outer ones are missing. */
	CHECK_EQ(kfi_back_call(&back, 50, 60, 1, 1, 6, 0), 0);
	CHECK_EQ(kfi_back_call(&back, 40, 55, 2, 2, 6, 0), 2);
	CHECK_EQ(kfi_back_call(&back, 10, 20, 1, 3, 7, 0), 0);
	CHECK_EQ(kfi_back_call(&back, 5, 15, 2, 2, 7, 0), 2);
	CHECK(kfi_back_sure(&back, true));
	/* Idle tasks of two cpus are two; what touches and what is empty can be in either. */
	CHECK_EQ(kfi_back_call(&back, 1, 8, 4, 1, 0, 0), 0);
	CHECK_EQ(kfi_back_call(&back, 2, 7, 4, 2, 0, 1), 0);
	CHECK_EQ(kfi_back_call(&back, 2, 6, 4, 2, 0, 0), 1);
	CHECK_EQ(kfi_back_call(&back, 2, 5, 4, 3, 0, 0), 1);
	CHECK(kfi_back_sure(&back, false));
	CHECK(!kfi_back_sure(&back, true));
	CHECK_EQ(kfi_back_call(&back, 1, 2, 9, 2, 0, 0), 0);
	CHECK(kfi_back_sure(&back, false));
	CHECK_EQ(kfi_back_call(&back, 1, 1, 9, 3, 0, 0), 1);
	CHECK(!kfi_back_sure(&back, false));
	kfi_back_free(&back);
}

static void no_memory(void)
{
	for (long k = 0;; k++) {
		struct kfi_back back;
		int ret;

		check_fail_alloc(k);
		kfi_back_init(&back);
		ret = kfi_back_call(&back, 1, 2, 3, 4, 5, 0);
		if (!check_alloc_failed()) {
			check_fail_alloc(-1);
			CHECK_EQ(ret, 0);
			kfi_back_free(&back);
			break;
		}
		check_fail_alloc(-1);
		CHECK_EQ(ret, -ENOMEM);
		kfi_back_free(&back);
	}
}

static const struct check_case cases[] = {
	{ "calls that nest", nested },
	{ "others", others },
	{ "by hand", by_hand },
	{ "each allocation fails once", no_memory },
};

CHECK_MAIN(cases)
