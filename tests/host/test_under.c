// SPDX-License-Identifier: GPL-2.0
/*
 * `only under`: which calls are below a function of the list, wherever interrupts come, and that the
 * others are counted.
 */
#include <stdlib.h>

#include "check.h"
#include "core/call.h"

#define CHUNK	4096
#define NCHUNKS	16

#define ROOT	0x1000ul
#define OTHER	0x2000ul

static u64 clock_now;

u64 kfi_now(void)
{
	return clock_now;
}

#define FRAME		((long)sizeof(struct kfi_frame))

struct machine {
	struct kfi_run run;
	struct kfi_cpu cpu;
	struct kfi_stack stack;
	struct kfi_chunk *chunks[NCHUNKS];
	unsigned long funcs[1];
};

static struct machine *make(void)
{
	struct machine *m = aligned_alloc(64, (sizeof(*m) + 63) / 64 * 64);
	struct kfi_list *l = &m->run.filter.lists[KFI_LIST_UNDER];
	u32 i;

	memset(m, 0, sizeof(*m));
	for (i = 0; i < NCHUNKS; i++)
		m->chunks[i] = calloc(1, CHUNK);
	m->run.id = 1;
	m->run.stop_at = U64_MAX;
	m->run.stop_after = U64_MAX;
	m->run.filter.max = U64_MAX;
	m->run.filter.ctx_mask = 0xf;
	m->run.filter.rare = true;
	m->run.at_entry = true;
	l->given = true;
	m->funcs[0] = ROOT;
	kfi_filter_set_list(&m->run.filter, KFI_LIST_UNDER, m->funcs, 1);
	kfi_ring_init(&m->run.ring, m->chunks, NCHUNKS, CHUNK, 0);
	kfi_ring_cpu_init(&m->cpu.ring);
	kfi_stack_begin(&m->stack, 1, 40);
	clock_now = 100;
	kfi_run_start(&m->run, KFI_BY_USER, 0);
	return m;
}

static void destroy(struct machine *m)
{
	u32 i;

	for (i = 0; i < NCHUNKS; i++)
		free(m->chunks[i]);
	free(m);
}

/* The highest cpu there can be: its number and the mark lie side by side. */
#define CPU	8191

static void enter(struct machine *m, unsigned long func, unsigned int ctx)
{
	clock_now += 10;
	kfi_call_enter(&m->run, &m->cpu, CPU, &m->stack, func, func + 4, ctx);
}

static void leave(struct machine *m, unsigned long func, unsigned int ctx)
{
	clock_now += 10;
	kfi_call_exit(&m->run, &m->cpu, CPU, &m->stack, func, ctx);
}

static u64 kept(struct machine *m)
{
	return kfi_counter_read(&m->stack.kept);
}

static u64 dropped(struct machine *m)
{
	return kfi_count_read(&m->cpu, KFI_FILTERED_UNDER);
}

static void nested(void)
{
	struct machine *m = make();

	enter(m, OTHER, KFI_CTX_TASK);
	enter(m, OTHER + 1, KFI_CTX_TASK);
	leave(m, OTHER + 1, KFI_CTX_TASK);
	CHECK_EQ(dropped(m), 1);
	enter(m, ROOT, KFI_CTX_TASK);
	enter(m, OTHER, KFI_CTX_TASK);
	enter(m, OTHER, KFI_CTX_TASK);
	leave(m, OTHER, KFI_CTX_TASK);
	enter(m, ROOT, KFI_CTX_TASK);
	leave(m, ROOT, KFI_CTX_TASK);
	leave(m, OTHER, KFI_CTX_TASK);
	leave(m, ROOT, KFI_CTX_TASK);
	CHECK_EQ(kept(m), 4);
	/* What comes after it on the same frames is not below it. */
	enter(m, OTHER, KFI_CTX_TASK);
	enter(m, OTHER, KFI_CTX_TASK);
	leave(m, OTHER, KFI_CTX_TASK);
	leave(m, OTHER, KFI_CTX_TASK);
	leave(m, OTHER, KFI_CTX_TASK);
	CHECK_EQ(kept(m), 4);
	CHECK_EQ(dropped(m), 4);
	CHECK_EQ(kfi_stack_seen(&m->stack), 8);
	destroy(m);
}

static void interrupts(void)
{
	struct machine *m = make();

	enter(m, ROOT, KFI_CTX_TASK);
	enter(m, OTHER, KFI_CTX_HARDIRQ);
	enter(m, OTHER, KFI_CTX_HARDIRQ);
	leave(m, OTHER, KFI_CTX_HARDIRQ);
	leave(m, OTHER, KFI_CTX_HARDIRQ);
	leave(m, ROOT, KFI_CTX_TASK);
	CHECK_EQ(kept(m), 3);
	/* It is the interrupt that calls the function: the task is not below it. */
	enter(m, OTHER, KFI_CTX_TASK);
	enter(m, OTHER, KFI_CTX_HARDIRQ);
	enter(m, ROOT, KFI_CTX_HARDIRQ);
	enter(m, OTHER, KFI_CTX_HARDIRQ);
	enter(m, OTHER, KFI_CTX_NMI);
	leave(m, OTHER, KFI_CTX_NMI);
	leave(m, OTHER, KFI_CTX_HARDIRQ);
	leave(m, ROOT, KFI_CTX_HARDIRQ);
	CHECK_EQ(kept(m), 6);
	leave(m, OTHER, KFI_CTX_HARDIRQ);
	leave(m, OTHER, KFI_CTX_TASK);
	CHECK_EQ(kept(m), 6);
	CHECK_EQ(dropped(m), 2);
	destroy(m);
}

/*
 * An interrupt that comes when a frame is reserved and not yet filled, and another in the same
 * moment of that one, are below what is below.
 */
static void between(void)
{
	unsigned int gaps;

	for (gaps = 0; gaps < KFI_CTX_COUNT; gaps++) {
		struct machine *m = make();

		enter(m, ROOT, KFI_CTX_TASK);
		(void)kfi_local_add_return(gaps * FRAME, &m->stack.top);
		enter(m, OTHER, KFI_CTX_NMI);
		leave(m, OTHER, KFI_CTX_NMI);
		CHECK_EQ(kept(m), 1);
		(void)kfi_local_add_return(-(long)gaps * FRAME, &m->stack.top);
		leave(m, ROOT, KFI_CTX_TASK);
		CHECK_EQ(kept(m), 2);
		/* Nothing is left of it. */
		(void)kfi_local_add_return(gaps * FRAME, &m->stack.top);
		enter(m, OTHER, KFI_CTX_NMI);
		leave(m, OTHER, KFI_CTX_NMI);
		CHECK_EQ(kept(m), 2);
		CHECK_EQ(dropped(m), 1);
		destroy(m);
	}
}

/* Calls without an end go through the same filter. */
static void unfinished(void)
{
	struct machine *m = make();
	struct kfi_rec r;

	enter(m, OTHER, KFI_CTX_TASK);
	enter(m, ROOT, KFI_CTX_TASK);
	enter(m, OTHER, KFI_CTX_TASK);
	enter(m, OTHER + 1, KFI_CTX_TASK);
	/* The innermost was left without having returned. */
	leave(m, OTHER, KFI_CTX_TASK);
	CHECK_EQ(kept(m), 2);
	CHECK(kfi_call_open(&m->stack, 0, &r));
	CHECK_EQ(kfi_call_filtered_by(&m->run, &r), KFI_FILTERED_UNDER);
	CHECK_EQ(r.cpu, CPU);
	CHECK(kfi_call_open(&m->stack, 1, &r));
	CHECK_EQ(kfi_call_filtered_by(&m->run, &r), KFI_KEPT);
	CHECK_EQ(r.cpu, CPU);
	CHECK_EQ(r.ctx, KFI_CTX_TASK);
	kfi_call_died(&m->run, &m->cpu, CPU, &m->stack);
	CHECK_EQ(kfi_count_read(&m->cpu, KFI_DIED), 1);
	CHECK_EQ(dropped(m), 1);
	destroy(m);
}

/* Not asked for, it changes nothing. */
static void off(void)
{
	struct machine *m = make();

	m->run.at_entry = false;
	m->run.filter.lists[KFI_LIST_UNDER].given = false;
	enter(m, ROOT, KFI_CTX_TASK);
	enter(m, OTHER, KFI_CTX_TASK);
	CHECK_EQ(m->stack.frame[0].at | m->stack.frame[1].at, KFI_AT(CPU, KFI_CTX_TASK));
	leave(m, OTHER, KFI_CTX_TASK);
	leave(m, ROOT, KFI_CTX_TASK);
	CHECK_EQ(kept(m), 2);
	destroy(m);
}

static const struct check_case cases[] = {
	{ "calls below a function of the list", nested },
	{ "interrupts above it, and a list function in an interrupt", interrupts },
	{ "interrupts while a frame is filled", between },
	{ "calls that do not end", unfinished },
	{ "not asked for", off },
};

CHECK_MAIN(cases)
