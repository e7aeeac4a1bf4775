// SPDX-License-Identifier: GPL-2.0
/*
 * The fast path of hooks: an interrupt, a stop, or both, after each of its instructions. Times and
 * accounting must be those of the slow path. Stepped through where that is possible: see step.h.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "hooks.h"
#include "check.h"
#include "clock.h"
#include "hooks/slow.h"
#include "step.h"

#ifdef KFI_LOCAL_EXCLUSIVE
static const bool is_narrow = KFI_FAST_TIME_BITS == 32;
#else
static const bool is_narrow;
#endif

#define CHUNK		1024
#define NCHUNKS		8

static struct kfi_run run;
static struct kfi_fast fast;
static struct kfi_cpu cpu __attribute__((aligned(64)));
static struct kfi_stack stack;
static struct kfi_chunk *chunks[NCHUNKS];

/* What an interrupt does besides its calls, and whether its first one is entered late. */
static bool stops, leaves_open, short_one, late;

/* Which hooks of the session can use the fast path. DROPS, WRAPS: exits that drop the call. */
static enum { ALL, NONE, ENTRIES, DROPS, WRAPS, KINDS } can_use;

/* Whether the free frame for b is not for a plain one: an interrupt may have left it so. */
static bool left_so;

/* The clock is one that is not read by one instruction. */
static bool clock_is_asked;

/* The exit of b is that of a hook that knows the call site. */
static bool by_site;

/* b takes longer than a call on the fast path can. */
static bool too_long;

/* In what it comes: a task, or a softirq. */
static unsigned int where = KFI_CTX_TASK;

static void enter(unsigned long func, unsigned int ctx)
{
	if (!hook_enter(run.fast_state, &stack, func, ctx) &&
	    atomic_read(&run.state) == KFI_TRIGGERED)
		kfi_call_enter(&run, &cpu, 0, &stack, func, func + 4, ctx);
}

static void leave(unsigned long func, unsigned int ctx)
{
	if (!hook_exit(run.fast_state, &stack, func, ctx) &&
	    atomic_read(&run.state) == KFI_TRIGGERED)
		kfi_call_exit(&run, &cpu, 0, &stack, func, ctx);
}

static void set_up(u64 min)
{
	u32 i;

	memset(&run, 0, sizeof(run));
	memset(&cpu, 0, sizeof(cpu));
	memset(&stack, 0, sizeof(stack));
	for (i = 0; i < NCHUNKS; i++) {
		free(chunks[i]);
		chunks[i] = calloc(1, CHUNK);
	}
	run.id = 1;
	clock_now = 1000;
	run.cpus = &cpu;
	run.fast_state = &fast;
	run.stop_at = U64_MAX;
	run.stop_after = U64_MAX;
	run.filter.min = min;
	run.filter.mintime = min;
	run.filter.max = U64_MAX - (can_use == DROPS);
	run.filter.ctx_mask = 0xf;
	run.stops_by_time = can_use == NONE;
	run.ret = can_use == ENTRIES;
	kfi_ring_init(&run.ring, chunks, NCHUNKS, CHUNK, 0);
	run.ring.wrap = can_use == WRAPS;
	kfi_ring_cpu_init(&cpu.ring);
	kfi_run_start(&run, KFI_BY_USER, 0);
	stack_of_task(&stack, 0);
	kfi_stack_allow_plain(&stack, run.tag, kfi_fast_trigger(&run), 0, &cpu);
	kfi_stack_begin(&stack, run.id, 40);
	if (clock_is_asked) {
		fast.entry_tag |= KFI_FAST_TRIGGER;
		fast.exit_tag = KFI_FAST_NONE;
	}
}

static u64 count(enum kfi_count what)
{
	u64 in_chunks = what == KFI_SEEN || what == KFI_KEPT ? kfi_ring_kept(&run.ring) : 0;

	return kfi_count_read(&cpu, what) + on_stack(&stack, what) + in_chunks;
}

/* Calls of a function that are open. */
static u64 open_of(u64 func)
{
	struct kfi_rec r;
	u64 n = 0;
	u32 i;

	for (i = 0; i < kfi_stack_frames(&stack); i++)
		n += kfi_call_open(&stack, i, &r) && r.func == func;
	return n;
}

/* All of them, none of a function that was never entered. */
static u64 open_calls(void)
{
	struct kfi_rec r;
	u64 n = 0;
	u32 i;

	for (i = 0; i < kfi_stack_frames(&stack); i++) {
		if (!kfi_call_open(&stack, i, &r))
			continue;
		n++;
		CHECK(r.func == 0xa0 || r.func == 0xb0 || r.func == 0xc0 || r.func == 0x10 ||
		      r.func == 0x20);
		CHECK_EQ(r.site, r.func + 4);
		if (r.func == 0x20 || (r.func == 0x10 && late))
			CHECK_EQ(r.ctx, KFI_CTX_HARDIRQ);
		else if (r.func == 0x10)	/* a softirq's until a hook of the softirq ends */
			CHECK(r.ctx == where || r.ctx == KFI_CTX_TASK);
		else
			CHECK_EQ(r.ctx, where);
	}
	return n;
}

static void check_identity(void)
{
	u64 n = 0;
	enum kfi_count c;

	for (c = KFI_FILTERED_FIRST; c <= KFI_FILTERED_LAST; c++)
		n += count(c);
	for (c = KFI_LOST_FIRST; c <= KFI_LOST_LAST; c++)
		n += count(c);
	CHECK_EQ(count(KFI_SEEN), count(KFI_KEPT) + n + open_calls());
}

/* The record of the n-th call of a function. */
static bool find(u64 func, u32 n, struct kfi_rec *r)
{
	u32 chunk, words;

	for (chunk = 0; chunk < kfi_ring_taken(&run.ring); chunk++) {
		u32 at = 0;

		for (; (words = kfi_ring_read(&run.ring, chunk, at, r)); at += words)
			if (r->func == func && !n--)
				return true;
	}
	return false;
}

/*
 * An interrupt of 10, 8 of which are its own two calls': the outer one is entered before the
 * context says so, unless it is @late. Or it has only that one.
 */
static void interrupt(void)
{
	clock_now += 1;
	if (late)
		interrupt_enter(&stack);
	enter(0x10, late ? KFI_CTX_HARDIRQ : where);
	if (!late)
		interrupt_enter(&stack);
	if (short_one) {
		clock_now += 8;
		leave(0x10, KFI_CTX_HARDIRQ);
		interrupt_exit(&stack, where);
		clock_now += 1;
		return;
	}
	clock_now += 2;
	enter(0x20, KFI_CTX_HARDIRQ);
	clock_now += 4;
	if (stops)
		kfi_run_stop(&run, KFI_BY_USER, 0);
	if (!leaves_open) {
		leave(0x20, KFI_CTX_HARDIRQ);
		clock_now += 2;
		leave(0x10, KFI_CTX_HARDIRQ);
	}
	interrupt_exit(&stack, where);
	clock_now += !leaves_open;
}

static void enter_b(void)
{
	enter(0xb0, where);
}

static void leave_b(void)
{
	if (!by_site)
		leave(0xb0, where);
	else if (!try_fast_exit_by_site(run.fast_state, &stack, 0xb4, KFI_CTX_TASK) &&
		 !try_fast_exit_by_site(run.fast_state, &stack, 0xb4, where) &&
		 atomic_read(&run.state) == KFI_TRIGGERED)
		kfi_call_exit(&run, &cpu, 0, &stack, 0xb0, where);
}

/*
 * c is called, then a, which calls b, whose entry or exit is interrupted after @n instructions.
 * @full: the chunk is. Return: false if there are fewer.
 */
static bool interrupt_pair_at(u64 min, bool at_entry, long n, bool full)
{
	struct kfi_chunk *chunk;
	bool came;

	set_up(min);
	/* Chunks are there, and have room or have none. */
	if (where != KFI_CTX_TASK) {
		interrupt_enter(&stack);
		enter(0xc0, where);
	}
	enter(0xc0, where);
	clock_now += 100;
	leave(0xc0, where);
	chunk = kfi_ring_chunk(&run.ring, &cpu.ring);
	if (full && chunk != &kfi_ring_none)
		local_set(&chunk->used, (long)run.ring.room - 3);
	clock_now = 2000;
	enter(0xa0, where);
	clock_now += 10;
	if (left_so)
		kfi_stack_top(&stack)->tag = 0;
	if (at_entry)
		came = step_into(enter_b, interrupt, n);
	else
		enter_b();
	clock_now += too_long ? 1ull << 40 : 20;
	if (!at_entry)
		came = step_into(leave_b, interrupt, n);
	else
		leave_b();
	clock_now += 30;
	leave(0xa0, where);
	if (where != KFI_CTX_TASK) {
		leave(0xc0, where);
		interrupt_exit(&stack, KFI_CTX_TASK);
	}
	return came;
}

static void check_times(u64 min)
{
	struct kfi_rec a, b;
	const u64 away = 8, of_interrupt = 2 - short_one;

	check_identity();
	CHECK_EQ(open_calls(), 0);
	CHECK_EQ(count(KFI_STEPS_BACK) + count(KFI_NOT_FOUND), 0);
	CHECK_EQ(count(KFI_SEEN), 5 - short_one + (where != KFI_CTX_TASK));
	/* c and a, the outer c; b, if it is long enough. */
	CHECK_EQ(count(KFI_KEPT),
		 min ? 2ul + (where != KFI_CTX_TASK) + (min < 20) : count(KFI_SEEN));
	if (!CHECK(find(0xa0, 0, &a)))
		return;
	CHECK_EQ(a.below, min ? of_interrupt + (min > 20) : 0);
	CHECK_EQ(a.ctx, where);
	CHECK_EQ(a.entry, 2000);
	CHECK_EQ(a.exit, 2070);
	CHECK_EQ(a.off + a.irq, away);
	CHECK_EQ(a.off, 0);
	if (min > 20) {
		/* b is 20, or 30 if what came lies in it, and dropped. */
		CHECK(a.local == 70 - away - 20 || a.local == 70 - away - (30 - away));
		return;
	}
	if (!CHECK(find(0xb0, 0, &b)))
		return;
	CHECK_EQ(a.local + b.local, 70 - away);
	CHECK_EQ(b.local, b.exit - b.entry - b.off - b.irq);
	CHECK(b.off + b.irq == 0 || b.off + b.irq == away);
	/* What came is below it if it is in its time. */
	CHECK_EQ(b.below, min && b.irq ? of_interrupt : 0);
	/* Wholly before, within or after. */
	CHECK_EQ(b.exit - b.entry, b.off + b.irq ? 30 : 20);
	CHECK_EQ(b.depth, where == KFI_CTX_TASK ? 2 : 3);
	CHECK_EQ(b.ctx, where);
	CHECK_EQ(b.pid, 40);
}

static void steps(u64 min, bool at_entry, bool full)
{
	bool came;
	long n;
	u32 i;

	for (n = 0; n < 5000; n++) {
		came = interrupt_pair_at(min, at_entry, n, full);
		if (!came)
			break;
		check_times(min);
		/* Plain frames go on being plain, and none is taken for an interrupt's later. */
		CHECK_EQ(stack.frame[0].tag, run.tag);
		for (i = 0; i < KFI_STACK_DEPTH; i++)
			CHECK_EQ(KFI_AT_CTX(stack.frame[i].at), KFI_CTX_TASK);
	}
	printf("# %ld instructions\n", n);
}

static void all_steps(u64 min)
{
	int i;

	for (i = 0; i < 16; i++) {
		left_so = i & 8;
		short_one = i & 4;
		steps(min, i & 1, i & 2);
	}
	left_so = false;
	short_one = false;
}

static void kept(void)
{
	all_steps(0);
}

static void dropped(void)
{
	all_steps(60);
}

static void some_dropped(void)
{
	all_steps(15);
}

/* A clock that is not read by one instruction: each hook asks how it is read. */
static void asked(void)
{
	clock_is_asked = true;
	all_steps(0);
	all_steps(60);
	clock_is_asked = false;
}

/* The same by the call site. */
static void of_site(void)
{
	by_site = true;
	all_steps(0);
	all_steps(60);
	all_steps(15);
	by_site = false;
}

/* The same in a softirq. */
static void in_softirq(void)
{
	struct kfi_rec r;

	where = KFI_CTX_SOFTIRQ;
	all_steps(0);
	CHECK(find(0xc0, 1, &r) && r.ctx == KFI_CTX_SOFTIRQ && r.depth == 1);
	all_steps(60);
	all_steps(15);
	where = KFI_CTX_TASK;
}

/* The same, where not all exits take the fast path. */
static void all_ways(void)
{
	kept();
	dropped();
	some_dropped();
	asked();
	of_site();
	in_softirq();
}

/* Entries take the fast path, exits the slow one. */
static void entries_only(void)
{
	can_use = ENTRIES;
	all_ways();
	can_use = ALL;
}

/* Only exits of calls that are dropped take the fast path. */
static void drops_only(void)
{
	can_use = DROPS;
	all_ways();
	can_use = ALL;
}

/* The same, since the ring wraps. */
static void ring_wraps(void)
{
	can_use = WRAPS;
	all_ways();
	can_use = ALL;
}

/* The run is stopped in the interrupt, which leaves its calls open, or has just ended them. */
static void stopped_at(u64 min, bool at_entry)
{
	struct kfi_rec r;
	long n;

	for (n = 0; n < 5000; n++) {
		bool came = interrupt_pair_at(min, at_entry, n, false);

		if (!came)
			break;
		/* One that comes before the open calls are taken. */
		interrupt_enter(&stack);
		interrupt_exit(&stack, where);
		check_identity();
		CHECK(open_calls() >= 1);
		/* b is one thing or the other; the interrupt's calls are what they were left as. */
		if (!at_entry)
			CHECK_EQ(open_of(0xb0) + find(0xb0, 0, &r) + (min && count(KFI_FILTERED_MINTIME)), 1);
		CHECK_EQ(open_of(0x10), leaves_open || !find(0x10, 0, &r));
		if (leaves_open)
			CHECK_EQ(open_of(0x20), 1);
		CHECK_EQ(atomic_read(&run.state), KFI_COMPLETE);
	}
}

static void stopped(void)
{
	int i;

	stops = true;
	for (i = 0; i < 32 * KINDS; i++) {
		leaves_open = i & 1;
		late = i & 8;
		too_long = i & 16;
		can_use = (unsigned int)i / 32;
		stopped_at(i & 4 ? 60 : 0, i & 2);
		by_site = true;
		stopped_at(i & 4 ? 60 : 0, i & 2);
		by_site = false;
		where = KFI_CTX_SOFTIRQ;
		stopped_at(i & 4 ? 60 : 0, i & 2);
		where = KFI_CTX_TASK;
	}
	stops = false;
	leaves_open = false;
	late = false;
	can_use = ALL;
	too_long = false;
}

static void stop(void)
{
	kfi_run_stop(&run, KFI_BY_USER, 0);
}

/* On another cpu than the one that stops the session: b calls itself. */
static void call_b(void)
{
	enter(0xb0, where);
	clock_now += 5;
	leave(0xb0, where);
}

/* The same: a, which is not on the fast path, returns to b, which calls c. */
static void leave_a_call_c(void)
{
	leave(0xa0, where);
	enter(0xc0, where);
	clock_now += 7;
	leave(0xc0, where);
}

/* All hooks see a stop at once, or calls would be taken for others. */
static void stop_of_other_cpu(void)
{
	struct kfi_rec r;
	bool came;
	long n;

	for (n = 0, came = true; came; n++) {
		set_up(0);
		enter(0xb0, where);
		came = step_into(stop, call_b, n);
		check_identity();
		CHECK_EQ(open_of(0xb0) >= 1, 1);
		CHECK(!find(0xb0, 0, &r) || r.depth == 2);
		CHECK(!find(0xb0, 1, &r));

		set_up(0);
		enter(0xb0, where);
		enter(0xa0, where);
		kfi_stack_materialise(&stack);
		came |= step_into(stop, leave_a_call_c, n);
		check_identity();
		CHECK_EQ(open_of(0xa0) + find(0xa0, 0, &r), 1);
		CHECK(!find(0xc0, 0, &r) || (r.depth == 2 && !open_of(0xa0)));
	}
	printf("# %ld instructions\n", n);
}

/* Another cpu stops the session, and then an interrupt comes, which nothing counts. */
static void stop_and_interrupt(void)
{
	stop();
	interrupt_enter(&stack);
	clock_now += 400000;
	interrupt_exit(&stack, where);
}

static void stop_in_exit(void)
{
	struct kfi_rec r;
	bool came;
	long n;

	for (n = 0, came = true; came; n++) {
		set_up(0);
		enter(0xb0, where);
		kfi_stack_materialise(&stack);
		clock_now += 100;
		came = step_into(leave_b, stop_and_interrupt, n);
		check_identity();
		CHECK_EQ(open_of(0xb0) + find(0xb0, 0, &r), 1);
		CHECK(!find(0xb0, 0, &r) || r.local == 100);
	}
	printf("# %ld instructions\n", n);
}

/* ---- what the run is for, and what is not for it ---- */

static void which_sessions(void)
{
	set_up(0);
	CHECK_EQ(kfi_fast_part(&run), KFI_FAST_ALL);
	run.stop_entry = 1;
	CHECK_EQ(kfi_fast_part(&run), KFI_FAST_ALL);
	run.stop_exit = 1;
	CHECK_EQ(kfi_fast_part(&run), KFI_FAST_NOTHING);
	run.stop_entry = 0;
	CHECK_EQ(kfi_fast_part(&run), KFI_FAST_ALL);
#define WITH(field, value, part) do {			\
	__typeof__(run.field) was_ = run.field;		\
	run.field = (value);				\
	CHECK_EQ(kfi_fast_part(&run), part);		\
	run.field = was_;				\
	CHECK_EQ(kfi_fast_part(&run), KFI_FAST_ALL);	\
} while (0)
	WITH(fast_state, NULL, KFI_FAST_NOTHING);
	WITH(stops_by_time, true, KFI_FAST_NOTHING);
	WITH(watch, 1, KFI_FAST_NOTHING);
	WITH(args, 1, KFI_FAST_NOTHING);
	WITH(at_entry, true, KFI_FAST_NOTHING);
	WITH(ret, true, KFI_FAST_ENTRIES);
	WITH(profile, true, KFI_FAST_ENTRIES);
	WITH(filter.rare, true, KFI_FAST_ENTRIES);
	WITH(filter.max, 1, KFI_FAST_ENTRIES);
	WITH(filter.ctx_mask, 0xeu, KFI_FAST_ENTRIES);
	WITH(ring.wrap, true, KFI_FAST_ENTRIES);
	run.filter.mintime = true;
	WITH(ret, true, KFI_FAST_ENTRIES);
	WITH(filter.ctx_mask, 0xeu, KFI_FAST_ENTRIES);
	WITH(filter.ctx_mask, 0x1u, KFI_FAST_ALL);
	WITH(profile, true, KFI_FAST_DROPS);
	WITH(filter.rare, true, KFI_FAST_DROPS);
	WITH(ring.wrap, true, KFI_FAST_DROPS);
	WITH(filter.max, 1, KFI_FAST_DROPS);
#undef WITH
}

/* Return true if the exit of a call of @len takes the fast path to its end. */
static bool exit_is_fast(u64 len)
{
	CHECK(try_fast_enter(&fast, &stack, 0xb0, 0xb4, KFI_CTX_TASK));
	clock_now += len;
	if (try_fast_exit(&fast, &stack, 0xb0, KFI_CTX_TASK))
		return true;
	kfi_call_exit(&run, &cpu, 0, &stack, 0xb0, KFI_CTX_TASK);
	return false;
}

/* Exits of calls that are dropped take the fast path, though those of others do not. */
static void only_dropped(void)
{
	long used;

	set_up(60);
	CHECK(exit_is_fast(20) && !exit_is_fast(100));
	used = local_read(&kfi_ring_none.used);
	CHECK(exit_is_fast(20) && !exit_is_fast(100));
	/* All cpus share it. */
	CHECK_EQ(local_read(&kfi_ring_none.used), used);
	CHECK_EQ(count(KFI_KEPT), 2);
	CHECK_EQ(count(KFI_FILTERED_MINTIME), 2);
	/* Calls of an interrupt are dropped, but for the first of them on the fast path. */
	run.filter.ctx_mask = 1 << KFI_CTX_TASK;
	kfi_fast_open(&fast, &run);
	interrupt_enter(&stack);
	enter(0x10, KFI_CTX_HARDIRQ);
	CHECK(try_fast_enter(&fast, &stack, 0x20, 0x24, KFI_CTX_HARDIRQ));
	clock_now += 100;
	CHECK(try_fast_exit(&fast, &stack, 0x20, KFI_CTX_HARDIRQ));
	leave(0x10, KFI_CTX_HARDIRQ);
	interrupt_exit(&stack, KFI_CTX_TASK);
	CHECK_EQ(count(KFI_FILTERED_NOINTS), 2);
	check_identity();
	/* Without a mintime they do not try. */
	set_up(0);
	CHECK(!exit_is_fast(0));
}

static void which_exits(void)
{
	can_use = ENTRIES;
	set_up(60);
	CHECK(!exit_is_fast(20) && !exit_is_fast(100));
	can_use = DROPS;
	only_dropped();
	can_use = WRAPS;
	only_dropped();
	can_use = ALL;
	set_up(60);
	CHECK(exit_is_fast(20) && exit_is_fast(100));
}

/*
 * An exit whose call site is not that of the topmost frame takes the slow path, and so does one
 * whose entry or whose context was another. A frame that was left by a missing exit is unwound.
 */
static void sites(void)
{
	struct kfi_rec r;

	set_up(0);
	CHECK(!try_fast_exit_by_site(&fast, &stack, 0xa4, KFI_CTX_TASK));
	CHECK(!try_fast_exit_by_site(&fast, &stack, 0, KFI_CTX_TASK));
	CHECK(try_fast_enter(&fast, &stack, 0xa0, 0xa4, KFI_CTX_TASK));
	CHECK(!try_fast_exit_by_site(&fast, &stack, 0xa0, KFI_CTX_TASK));
	CHECK(!try_fast_exit_by_site(&fast, &stack, 0xb4, KFI_CTX_TASK));
	CHECK(!try_fast_exit_by_site(&fast, &stack, 0xa4, KFI_CTX_SOFTIRQ));
	CHECK_EQ(kfi_stack_frames(&stack), 1);
	/* From another place in the same function, and from the same place again. */
	CHECK(try_fast_enter(&fast, &stack, 0xb0, 0xb8, KFI_CTX_TASK));
	CHECK(try_fast_enter(&fast, &stack, 0xb0, 0xb4, KFI_CTX_TASK));
	CHECK(!try_fast_exit_by_site(&fast, &stack, 0xb8, KFI_CTX_TASK));
	CHECK(try_fast_exit_by_site(&fast, &stack, 0xb4, KFI_CTX_TASK));
	CHECK(try_fast_enter(&fast, &stack, 0xc0, 0xb4, KFI_CTX_TASK));
	CHECK(try_fast_exit_by_site(&fast, &stack, 0xb4, KFI_CTX_TASK));
	CHECK(find(0xb0, 0, &r) && r.site == 0xb4);
	CHECK(find(0xc0, 0, &r) && r.site == 0xb4);
	/* The exit of b is missing. */
	CHECK(!try_fast_exit_by_site(&fast, &stack, 0xa4, KFI_CTX_TASK));
	kfi_call_exit(&run, &cpu, 0, &stack, 0xa0, KFI_CTX_TASK);
	CHECK(find(0xb0, 1, &r) && r.site == 0xb8 && r.marks & KFI_MARK_UNWOUND);
	CHECK(find(0xa0, 0, &r) && !r.marks);
	CHECK_EQ(kfi_stack_frames(&stack), 0);
	check_identity();
}

/* A trigger takes the slow path at its entry and its exit; the calls in it need not. */
static void trigger(void)
{
	set_up(0);
	run.stop_exit = 0xb0;
	kfi_fast_open(&fast, &run);
	stack.trigger = kfi_fast_trigger(&run);
	CHECK(try_fast_enter(&fast, &stack, 0xa0, 0xa4, KFI_CTX_TASK));
	CHECK(!try_fast_enter(&fast, &stack, 0xb0, 0xb4, KFI_CTX_TASK));
	kfi_call_enter(&run, &cpu, 0, &stack, 0xb0, 0xb4, KFI_CTX_TASK);
	CHECK(try_fast_enter(&fast, &stack, 0xc0, 0xc4, KFI_CTX_TASK) ||
	      (kfi_call_enter(&run, &cpu, 0, &stack, 0xc0, 0xc4, KFI_CTX_TASK), true));
	leave(0xc0, KFI_CTX_TASK);
	CHECK(!try_fast_exit(&fast, &stack, 0xb0, KFI_CTX_TASK));
	check_identity();
}

/* No call of a session that is over, or of another stack, takes the fast path. */
static void other_session(void)
{
	struct kfi_stack none = { .generation = 0 };
	u32 was;

	kfi_stack_detach(&none);
	set_up(0);
	CHECK(!try_fast_enter(&fast, &none, 0xa0, 0xa4, KFI_CTX_TASK));
	CHECK(!try_fast_exit(&fast, &none, 0xa0, KFI_CTX_TASK));
	CHECK(try_fast_enter(&fast, &stack, 0xa0, 0xa4, KFI_CTX_TASK));
	was = fast.tag;
	fast.on = 1;
	kfi_run_stop(&run, KFI_BY_USER, 0);
	CHECK_EQ(fast.on, 0);
	CHECK(!try_fast_enter(&fast, &stack, 0xb0, 0xb4, KFI_CTX_TASK));
	CHECK(!try_fast_exit(&fast, &stack, 0xa0, KFI_CTX_TASK));
	check_identity();
	CHECK_EQ(open_calls(), 1);
	/* The next session has another number: frames left on stacks are not of it. */
	set_up(0);
	CHECK(fast.tag != was && fast.tag != KFI_FAST_NONE);
	kfi_stack_detach(&stack);
	CHECK(!try_fast_enter(&fast, &stack, 0xa0, 0xa4, KFI_CTX_TASK));
	CHECK(!try_fast_exit(&fast, &stack, 0xa0, KFI_CTX_TASK));
}

/* An open call began on the cpu where its task was then, wherever that has gone since. */
static void migrated(void)
{
	struct kfi_rec r;

	set_up(0);
	enter(0xa0, KFI_CTX_TASK);
	kfi_stack_switch_out(&stack, clock_now += 10, kfi_counter_read(&stack.irq));
	kfi_stack_switch_in(&stack, clock_now += 10, 3, &cpu);
	enter(0xb0, KFI_CTX_TASK);
	enter(0xc0, KFI_CTX_TASK);
	CHECK(kfi_call_open(&stack, 0, &r) && r.cpu == 0);
	CHECK(kfi_call_open(&stack, 1, &r) && r.cpu == 3);
	CHECK(kfi_call_open(&stack, 2, &r) && r.cpu == 3);
	check_identity();
}

/* What goes on between being switched out and gone is recorded, and is no time away. */
static void task_being_switched_out(void)
{
	struct kfi_rec r;

	set_up(0);
	enter(0xa0, KFI_CTX_TASK);
	kfi_stack_switch_out(&stack, clock_now += 10, kfi_counter_read(&stack.irq));
	enter(0xb0, KFI_CTX_TASK);
	clock_now += 5;
	leave(0xb0, KFI_CTX_TASK);
	kfi_stack_switch_in(&stack, clock_now += 10, 0, &cpu);
	leave(0xa0, KFI_CTX_TASK);
	CHECK(find(0xa0, 0, &r) && r.off == 10 && r.local == 10);
	CHECK(find(0xb0, 0, &r) && r.off == 0 && r.local == 5);
	check_identity();
	/* What that calls in turn, and an NMI: all of it is one's own, or the NMI's, once. */
	set_up(0);
	enter(0xa0, KFI_CTX_TASK);
	kfi_stack_switch_out(&stack, clock_now += 10, kfi_counter_read(&stack.irq));
	enter(0xb0, KFI_CTX_TASK);
	clock_now += 5;
	enter(0xc0, KFI_CTX_TASK);
	clock_now += 2;
	interrupt_enter(&stack);
	enter(0x10, KFI_CTX_NMI);
	clock_now += 3;
	leave(0x10, KFI_CTX_NMI);
	interrupt_exit(&stack, KFI_CTX_TASK);
	clock_now += 1;
	leave(0xc0, KFI_CTX_TASK);
	clock_now += 4;
	leave(0xb0, KFI_CTX_TASK);
	kfi_stack_switch_in(&stack, clock_now += 10, 0, &cpu);
	leave(0xa0, KFI_CTX_TASK);
	CHECK(find(0xa0, 0, &r) && r.off == 10 && r.irq == 3 && r.local == 10);
	CHECK(find(0xb0, 0, &r) && r.off == 0 && r.irq == 3 && r.local == 9);
	CHECK(find(0xc0, 0, &r) && r.off == 0 && r.irq == 3 && r.local == 3);
	check_identity();
}

/* Calls in interrupts take the fast path, except the first frame, and are filtered by noints. */
static void interrupts(void)
{
	struct kfi_rec r;
	int noints;

	for (noints = 0; noints < 2; noints++) {
		set_up(0);
		if (noints) {
			run.filter.ctx_mask = 1 << KFI_CTX_TASK;
			kfi_fast_open(&fast, &run);
		}
		enter(0xa0, KFI_CTX_TASK);
		interrupt_enter(&stack);
		/* Hooks do not look for an interrupt: no entry and no exit is a task's now. */
		CHECK(!try_fast_enter(&fast, &stack, 0xb0, 0xb4, KFI_CTX_TASK));
		CHECK(!try_fast_exit(&fast, &stack, 0xa0, KFI_CTX_TASK));
		CHECK(!try_fast_enter(&fast, &stack, 0x10, 0x14, KFI_CTX_HARDIRQ));
		enter(0x10, KFI_CTX_HARDIRQ);
		CHECK(try_fast_enter(&fast, &stack, 0x20, 0x24, KFI_CTX_HARDIRQ));
		CHECK(kfi_call_open(&stack, 2, &r) && r.ctx == KFI_CTX_HARDIRQ && r.cpu == 0);
		CHECK(!try_fast_enter(&fast, &stack, 0xb0, 0xb4, KFI_CTX_NMI));
		CHECK(!try_fast_enter(&fast, &stack, 0xb0, 0xb4, KFI_CTX_TASK));
		CHECK(!try_fast_exit(&fast, &stack, 0x20, KFI_CTX_TASK));
		CHECK(try_fast_exit(&fast, &stack, 0x20, KFI_CTX_HARDIRQ));
		leave(0x10, KFI_CTX_HARDIRQ);
		/* Nor behind its first call. */
		CHECK(!try_fast_enter(&fast, &stack, 0xb0, 0xb4, KFI_CTX_TASK));
		interrupt_exit(&stack, KFI_CTX_TASK);
		CHECK(try_fast_enter(&fast, &stack, 0xb0, 0xb4, KFI_CTX_TASK));
		/* The next interrupt's first frame, in that place, is not on the fast path. */
		CHECK(!try_fast_enter(&fast, &stack, 0x10, 0x14, KFI_CTX_HARDIRQ));
		enter(0xc0, KFI_CTX_TASK);
		CHECK(!try_fast_enter(&fast, &stack, 0x10, 0x14, KFI_CTX_HARDIRQ));
		leave(0xc0, KFI_CTX_TASK);
		leave(0xb0, KFI_CTX_TASK);
		leave(0xa0, KFI_CTX_TASK);
		CHECK_EQ(count(KFI_FILTERED_NOINTS), noints ? 2 : 0);
		CHECK(find(0x20, 0, &r) == !noints);
		CHECK(noints || r.ctx == KFI_CTX_HARDIRQ);
		check_identity();
	}
}

/*
 * The function that makes the context an interrupt's, and what it calls before that. Interrupts are
 * counted: one that came in there has not taken away that another one begins.
 */
static void beginning(void)
{
	struct kfi_rec r;

	set_up(0);
	enter(0xa0, KFI_CTX_TASK);
	interrupt_enter(&stack);
	CHECK(!try_fast_enter(&fast, &stack, 0xb0, 0xb4, KFI_CTX_TASK));
	enter(0x10, KFI_CTX_TASK);
	interrupt_enter(&stack);
	interrupt_exit(&stack, KFI_CTX_TASK);
	CHECK(!try_fast_enter(&fast, &stack, 0xb0, 0xb4, KFI_CTX_TASK));
	enter(0x20, KFI_CTX_TASK);
	leave(0x20, KFI_CTX_TASK);
	CHECK(!try_fast_enter(&fast, &stack, 0xb0, 0xb4, KFI_CTX_TASK));
	clock_now += 4;
	leave(0x10, KFI_CTX_HARDIRQ);
	CHECK(!try_fast_enter(&fast, &stack, 0xb0, 0xb4, KFI_CTX_TASK));
	interrupt_exit(&stack, KFI_CTX_TASK);
	enter(0xb0, KFI_CTX_TASK);
	CHECK_EQ(stack.frame[1].tag, run.tag);
	leave(0xb0, KFI_CTX_TASK);
	leave(0xa0, KFI_CTX_TASK);
	CHECK(find(0x10, 0, &r) && r.ctx == KFI_CTX_HARDIRQ);
	CHECK(find(0xa0, 0, &r) && r.irq == 4 && r.local == 0);
	check_identity();
}

static void call(unsigned long func, u64 ran)
{
	enter(func, KFI_CTX_TASK);
	clock_now += ran;
	leave(func, KFI_CTX_TASK);
}

/* Return: how many calls below the n-th of a function have no record. */
static u32 below(u64 func, u32 n)
{
	struct kfi_rec r;

	return CHECK(find(func, n, &r)) ? r.below : U32_MAX;
}

/* Calls that have a record and calls that have none, below one another. @open: calls around them */
static void check_below(u32 open)
{
	u32 i;

	enter(0xa0, KFI_CTX_TASK);
	enter(0xb0, KFI_CTX_TASK);
	call(0xc0, 10);
	leave(0xb0, KFI_CTX_TASK);		/* 2 */
	enter(0xb0, KFI_CTX_TASK);
	call(0xc0, 10);				/* 1 in b */
	call(0xc0, 100);
	interrupt();				/* 2 more */
	leave(0xb0, KFI_CTX_TASK);
	enter(0xb0, KFI_CTX_TASK);
	call(0xc0, 200);
	leave(0xb0, KFI_CTX_TASK);
	enter(0xb0, KFI_CTX_TASK);
	call(0xc0, 10);				/* 1 in b, whose record cannot be a packed one */
	clock_now += 1 << KFI_PACKED_TIME_BITS;
	leave(0xb0, KFI_CTX_TASK);
	/* A frame too few. */
	for (i = 0; i < KFI_STACK_DEPTH; i++)
		enter(0x20, KFI_CTX_TASK);
	for (i = 0; i < KFI_STACK_DEPTH; i++)
		leave(0x20, KFI_CTX_TASK);
	leave(0xa0, KFI_CTX_TASK);
	CHECK_EQ(below(0xc0, 0) + below(0xc0, 1), 0);
	CHECK_EQ(below(0xb0, 0), 3);
	CHECK_EQ(below(0xb0, 1), 0);
	CHECK_EQ(below(0xb0, 2), 1);
	CHECK_EQ(below(0xa0, 0), 6 + KFI_STACK_DEPTH);
	CHECK_EQ(count(KFI_LOST_DEPTH), 1 + open);
	check_identity();
}

static void without_record(void)
{
	u32 was;

	set_up(60);
	check_below(0);
	/* On the slow path; where a log overwrites, too; in another round. */
	set_up(60);
	run.fast_state = NULL;
	stack.tag = 0;
	for (was = 0; was < KFI_STACK_DEPTH; was++)
		stack.frame[was].tag = 0;
	kfi_ring_init(&run.ring, chunks, NCHUNKS, CHUNK, 0);
	run.ring.wrap = true;
	check_below(0);
	kfi_stack_begin(&stack, run.id, 40);
	call(0xd0, 100);
	CHECK_EQ(below(0xd0, 0), 0);
	/* A half of 32 bits that passes its end. */
	set_up(60);
	enter(0xc0, KFI_CTX_TASK);
	local_set(&stack.dropped.low, (long)U32_MAX - 2);
	stack.frame[0].dropped = U32_MAX - 2;
	check_below(1);
}

/*
 * A record that does not fit the chunk goes to the next one, and the time of its call is added to
 * that of its caller once, whether it has a number of calls below or not.
 */
static void fill_chunks(bool with_below)
{
	const u32 calls = NCHUNKS * CHUNK / sizeof(u32) / 2 / (KFI_REC_PACKED + 1);
	struct kfi_rec r;
	u32 i;

	set_up(60);
	enter(0xa0, KFI_CTX_TASK);
	for (i = 0; i < calls; i++) {
		enter(0xb0, KFI_CTX_TASK);
		if (with_below)
			call(0xc0, 10);
		clock_now += 100;
		leave(0xb0, KFI_CTX_TASK);
		clock_now += 3;
	}
	leave(0xa0, KFI_CTX_TASK);
	CHECK_EQ(count(KFI_KEPT), calls + 1);
	CHECK_EQ(below(0xa0, 0), with_below ? calls : 0);
	if (CHECK(find(0xa0, 0, &r)))
		CHECK_EQ(r.local, 3 * calls);
	check_identity();
}

static void full_chunks(void)
{
	fill_chunks(false);
	fill_chunks(true);
}

/* To the last frame and beyond, with recursion at the end, and an interrupt on top. */
static void deep(void)
{
	u32 i, n = KFI_STACK_DEPTH + 3;

	set_up(60);
	for (i = 0; i < n; i++)
		enter(0xa0, KFI_CTX_TASK);
	CHECK_EQ(kfi_stack_depth(&stack), n);
	CHECK_EQ(count(KFI_LOST_DEPTH), 3);
	interrupt();
	CHECK_EQ(kfi_stack_depth(&stack), n);
	CHECK_EQ(count(KFI_LOST_DEPTH), 5);
	for (i = 0; i < n; i++)
		leave(0xa0, KFI_CTX_TASK);
	CHECK_EQ(kfi_stack_depth(&stack), 0);
	CHECK_EQ(count(KFI_FILTERED_MINTIME), KFI_STACK_DEPTH);
	check_identity();
}

/* Records that are not common ones. */
static void uncommon(void)
{
	const u64 far = sizeof(long) == 8 ? 0x7f0000000000ull : 0xb0;
	struct kfi_rec r;

	set_up(0);
	/* From here on there is a chunk. */
	enter(0xc0, KFI_CTX_TASK);
	leave(0xc0, KFI_CTX_TASK);
	enter(0xa0, KFI_CTX_TASK);
	enter(0xb0, KFI_CTX_TASK);
	clock_now += 1ull << KFI_REC_LOCAL_BITS;	/* a local time too long */
	leave(0xb0, KFI_CTX_TASK);
	enter((unsigned long)far, KFI_CTX_TASK);
	leave((unsigned long)far, KFI_CTX_TASK);
	clock_now += 1ull << 33;			/* a duration, and too far from the base */
	enter(0xc0, KFI_CTX_TASK);
	leave(0xc0, KFI_CTX_TASK);
	leave(0xa0, KFI_CTX_TASK);
	CHECK(find(0xb0, 0, &r) && r.local == 1ull << KFI_REC_LOCAL_BITS);
	CHECK(find(far, 0, &r) && r.site == far + 4);
	CHECK(find(0xc0, 1, &r) && r.exit == clock_now && r.local == 0);
	CHECK(find(0xa0, 0, &r) && r.exit - r.entry == (1ull << 33) + (1ull << KFI_REC_LOCAL_BITS) &&
	      r.local == 1ull << 33);
	check_identity();
}

/* What an interrupt calls when the context says task again is still part of it, every time. */
static void end_of_interrupt(void)
{
	struct kfi_rec r;
	int i;

	set_up(0);
	enter(0xa0, KFI_CTX_TASK);
	interrupt_enter(&stack);
	enter(0x10, KFI_CTX_HARDIRQ);
	interrupt_exit(&stack, KFI_CTX_TASK);
	for (i = 0; i < 3; i++) {
		enter(0x20, KFI_CTX_TASK);
		enter(0xc0, KFI_CTX_TASK);
		clock_now += 2;
		leave(0xc0, KFI_CTX_TASK);
		leave(0x20, KFI_CTX_TASK);
	}
	leave(0x10, KFI_CTX_TASK);
	enter(0xb0, KFI_CTX_TASK);
	leave(0xb0, KFI_CTX_TASK);
	leave(0xa0, KFI_CTX_TASK);
	for (i = 0; i < 3; i++) {
		CHECK(find(0x20, (u32)i, &r) && r.ctx == KFI_CTX_HARDIRQ && r.local == 0);
		CHECK(find(0xc0, (u32)i, &r) && r.ctx == KFI_CTX_HARDIRQ && r.local == 2);
	}
	CHECK(find(0xb0, 0, &r) && r.ctx == KFI_CTX_TASK);
	CHECK(find(0xa0, 0, &r) && r.irq == 6 && r.local == 0);
	/* A plain call that ends on the slow path was not switched out: that was before it. */
	enter(0xb0, KFI_CTX_TASK);
	clock_now += 1ull << KFI_REC_LOCAL_BITS;
	leave(0xb0, KFI_CTX_TASK);
	CHECK(find(0xb0, 1, &r) && r.irq == 0 && r.off == 0 &&
	      r.local == 1ull << KFI_REC_LOCAL_BITS);
	check_identity();
}

static void enter_action(void)
{
	enter(0xb0, KFI_CTX_SOFTIRQ);
}

static void leave_action(void)
{
	leave(0xb0, KFI_CTX_SOFTIRQ);
}

/*
 * An interrupt ends by running softirqs with interrupts on: another one comes while an action is
 * entered or left. Return: false if that has fewer instructions.
 */
static bool action(bool at_entry, long n)
{
	bool came = false;

	set_up(0);
	enter(0xa0, KFI_CTX_TASK);
	interrupt_enter(&stack);
	enter(0x10, KFI_CTX_HARDIRQ);
	interrupt_exit(&stack, KFI_CTX_TASK);
	enter(0x20, KFI_CTX_TASK);
	clock_now += 5;
	/* It leaves a free frame for calls of the interrupt. */
	enter(0xc0, KFI_CTX_TASK);
	clock_now += 2;
	leave(0xc0, KFI_CTX_TASK);
	interrupt_enter(&stack);
	if (at_entry)
		came = step_into(enter_action, interrupt, n);
	else
		enter_action();
	clock_now += 20;
	if (!at_entry)
		came = step_into(leave_action, interrupt, n);
	else
		leave_action();
	interrupt_exit(&stack, KFI_CTX_TASK);
	leave(0x20, KFI_CTX_TASK);
	leave(0x10, KFI_CTX_TASK);
	leave(0xa0, KFI_CTX_TASK);
	return came;
}

/* Each moment is one call's: the local times add up to the time of the outermost call. */
static void softirq_of_interrupt(void)
{
	static const u64 funcs[] = { 0xa0, 0x10, 0x20, 0xc0, 0xb0 };
	struct kfi_rec r, a;
	long n;
	int i;

	where = KFI_CTX_SOFTIRQ;
	for (i = 0; i < 2; i++) {
		for (n = 0; n < 5000; n++) {
			u64 local = 0;
			u32 f, k;

			if (!action(i, n))
				break;
			for (f = 0; f < 5; f++)
				for (k = 0; find(funcs[f], k, &r); k++)
					local += r.local;
			CHECK(find(0xa0, 0, &a));
			CHECK_EQ(local, a.exit - a.entry);
			check_identity();
		}
		printf("# %ld instructions\n", n);
	}
	where = KFI_CTX_TASK;
}

/* After a full chunk comes another, and after the last the slow path, which stops the session. */
static void chunks_fill(void)
{
	u32 i, n, each;

	set_up(0);
	/* The first of each is a common one. */
	each = 2 + (run.ring.room - 2 * KFI_REC_WORDS) / KFI_REC_PACKED;
	for (n = 0; atomic_read(&run.state) == KFI_TRIGGERED; n++) {
		CHECK(try_fast_enter(&fast, &stack, 0xa0, 0xa4, KFI_CTX_TASK));
		clock_now += 10;
		if (!try_fast_exit(&fast, &stack, 0xa0, KFI_CTX_TASK))
			kfi_call_exit(&run, &cpu, 0, &stack, 0xa0, KFI_CTX_TASK);
		else
			CHECK_EQ(kfi_ring_taken(&run.ring), n / each + 1);
	}
	CHECK_EQ(n, NCHUNKS * each + 1);
	CHECK_EQ(count(KFI_LOST_FULL), 1);
	CHECK_EQ(count(KFI_KEPT), n - 1);
	for (i = 0; i < NCHUNKS; i++)
		CHECK(chunks[i]->base == 1000 + 10 * (i * each + 1));
	check_identity();
}

/* The clock steps back: reported once, on the slow path. */
static void steps_back(void)
{
	struct kfi_rec r;

	set_up(0);
	enter(0xa0, KFI_CTX_TASK);
	clock_now -= 100;
	leave(0xa0, KFI_CTX_TASK);
	CHECK(find(0xa0, 0, &r) && r.entry == r.exit && r.local == 0);
	CHECK_EQ(count(KFI_STEPS_BACK), 1);
	check_identity();
}

/*
 * Where times on the fast path have 32 bits, what is entered before the high half of the clock
 * changes and left after it takes the slow path, with its whole time.
 */
static void high_half(void)
{
	const u64 high = 1ull << 32;
	struct kfi_rec r;
	u64 min;

	for (min = 0; min <= 60; min += 60) {
		set_up(min);
		clock_now = high - 10;
		enter(0xa0, KFI_CTX_TASK);
		enter(0xb0, KFI_CTX_TASK);
		clock_now += 100;
		CHECK_EQ(try_fast_exit(&fast, &stack, 0xb0, KFI_CTX_TASK), !is_narrow);
		if (is_narrow)
			kfi_call_exit(&run, &cpu, 0, &stack, 0xb0, KFI_CTX_TASK);
		/* A multiple of 2^32 later the low halves look like a short call. */
		enter(0xc0, KFI_CTX_TASK);
		clock_now += high + 5;
		leave(0xc0, KFI_CTX_TASK);
		enter(0xc0, KFI_CTX_TASK);
		clock_now += 70;
		leave(0xc0, KFI_CTX_TASK);
		leave(0xa0, KFI_CTX_TASK);
		CHECK(find(0xb0, 0, &r) && r.entry == high - 10 && r.exit == high + 90);
		CHECK(find(0xc0, 0, &r) && r.exit - r.entry == high + 5);
		CHECK(find(0xc0, 1, &r) && r.exit - r.entry == 70 && r.local == 70);
		CHECK(find(0xa0, 0, &r) && r.exit - r.entry == high + 175 && r.local == 0);
		check_identity();
	}
}

/* ---- the first call on a stack, which begins it: here an interrupt is an NMI ---- */

static void first_enter(unsigned long func, unsigned int ctx)
{
	struct kfi_hook_context context = { .stack = &stack, .pid = 40, .ctx = ctx };

	if (!try_fast_enter(run.fast_state, &stack, func, func + 4, ctx))
		kfi_slow_enter(&run, &context, func, func + 4);
	clock_now += 5;
}

static void first_leave(unsigned long func, unsigned int ctx)
{
	struct kfi_hook_context context = { .stack = &stack, .pid = 40, .ctx = ctx };

	if (!try_fast_exit(run.fast_state, &stack, func, ctx))
		kfi_slow_exit(&run, &context, func);
}

static void enter_first(void)
{
	first_enter(0xb0, KFI_CTX_TASK);
}

static void nmi(void)
{
	first_enter(0x10, KFI_CTX_NMI);
	first_enter(0x20, KFI_CTX_NMI);
	first_leave(0x20, KFI_CTX_NMI);
	first_leave(0x10, KFI_CTX_NMI);
}

/*
 * Wherever it comes, each call is seen once, and a record is there for each that was kept. Most of
 * the instructions are those of two loops over all frames: by strides of a prime.
 */
static void stack_begins(void)
{
	struct kfi_rec r;
	u64 records;
	bool came;
	long n;

	for (n = 0; n < 20000; n += n < 300 ? 1 : 7) {
		set_up(0);
		kfi_stack_detach(&stack);
		came = step_into(enter_first, nmi, n);
		if (!came)
			break;
		first_leave(0xb0, KFI_CTX_TASK);
		check_identity();
		CHECK_EQ(open_calls(), 0);
		CHECK_EQ(count(KFI_SEEN), 3);
		CHECK_EQ(count(KFI_NOT_FOUND), 0);
		for (records = 0; find(0xb0, records, &r); records++)
			;
		CHECK_EQ(records, 1);
		records += find(0x10, 0, &r) + find(0x20, 0, &r);
		CHECK_EQ(count(KFI_KEPT), records);
		CHECK_EQ(count(KFI_LOST_STACK), 3 - records);
	}
	printf("# %ld instructions\n", n);
}

static const struct check_case cases[] = {
	{ "an interrupt after each instruction, calls kept", kept },
	{ "an interrupt after each instruction, calls dropped", dropped },
	{ "an interrupt after each instruction, its calls dropped", some_dropped },
	{ "an interrupt after each instruction, the call site known", of_site },
	{ "an interrupt after each instruction of a softirq", in_softirq },
	{ "an interrupt after each instruction, the clock asked", asked },
	{ "an interrupt after each instruction, entries on the fast path only", entries_only },
	{ "an interrupt after each instruction, calls not kept on the fast path", drops_only },
	{ "an interrupt after each instruction, the ring wraps", ring_wraps },
	{ "a stop after each instruction", stopped },
	{ "calls of another cpu after each instruction of a stop", stop_of_other_cpu },
	{ "a stop and an interrupt after each instruction of an exit", stop_in_exit },
	{ "which sessions it is for", which_sessions },
	{ "which exits it is for", which_exits },
	{ "exits by the call site", sites },
	{ "a trigger", trigger },
	{ "a session that is over, another stack", other_session },
	{ "a task that has moved to another cpu", migrated },
	{ "a task that is being switched out", task_being_switched_out },
	{ "what interrupts call", interrupts },
	{ "the beginning of an interrupt", beginning },
	{ "calls that have no record", without_record },
	{ "records that do not fit the chunk", full_chunks },
	{ "calls that are too deep", deep },
	{ "records that are not common", uncommon },
	{ "the end of an interrupt", end_of_interrupt },
	{ "softirqs at the end of an interrupt, and another one", softirq_of_interrupt },
	{ "chunks that fill", chunks_fill },
	{ "a clock that steps back", steps_back },
	{ "a clock whose high half changes", high_half },
	{ "an NMI while a stack begins", stack_begins },
};

CHECK_MAIN(cases)
