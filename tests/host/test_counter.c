// SPDX-License-Identifier: GPL-2.0
/*
 * Counters, and what interrupts add to them between any two instructions of an addition. Where a
 * long is 32 bits (make -C tests step) a counter has two halves, and an interrupt may come when one
 * of them has changed and the other has not.
 */
#include "check.h"
#include "step.h"
#include "core/stack.h"

#define LOW_MAX		0xffffffffull

/* Start, what the task adds, what an interrupt adds, and what an NMI adds on top of that. */
static const u64 sums[][4] = {
	{ 0, 1, 1, 1 },
	{ LOW_MAX, 1, 1, 1 },
	{ LOW_MAX - 1, 1, 1, 1 },
	{ LOW_MAX - 2, 1, 1, 1 },
	{ 1, LOW_MAX, LOW_MAX, LOW_MAX },
	{ LOW_MAX, LOW_MAX, 1, LOW_MAX - 1 },
	{ LOW_MAX, 1, 1ull << 32, 1 },
	{ LOW_MAX, 7ull << 32, 1, 9ull << 32 | LOW_MAX },
	{ 5ull << 32, 3ull << 32 | LOW_MAX, 0, 1 },
	{ LOW_MAX << 32, 0, LOW_MAX, 1 },
};

static struct kfi_counter counter;
static const u64 *sum;
static long place;
static bool nmi_came;

static void task_adds(void)
{
	kfi_counter_add(&counter, sum[1]);
}

static void interrupt_adds(void)
{
	kfi_counter_add(&counter, sum[2]);
}

static void nmi_adds(void)
{
	kfi_counter_add(&counter, sum[3]);
}

static void interrupt_and_nmi_add(void)
{
	nmi_came = step_into(interrupt_adds, nmi_adds, place);
}

static void set_up(void)
{
	counter = (struct kfi_counter){ 0 };
	kfi_counter_add(&counter, sum[0]);
}

static void additions(void)
{
	bool came;
	long n;

	for (size_t i = 0; i < ARRAY_SIZE(sums); i++) {
		sum = sums[i];
		for (n = 0, came = true; came; n++) {
			set_up();
			came = step_into(task_adds, interrupt_adds, n);
			CHECK_EQ(kfi_counter_read(&counter), sum[0] + sum[1] + (came ? sum[2] : 0));
		}
#ifdef STEPS
		CHECK(n > 5);
#endif
	}
}

static void additions_three_deep(void)
{
	bool came, any_nmi;
	long n;

	for (size_t i = 0; i < ARRAY_SIZE(sums); i++) {
		sum = sums[i];
		/* How many instructions the interrupt has depends on what the task has done. */
		for (place = 0, any_nmi = true; any_nmi; place++) {
			for (n = 0, came = true, any_nmi = false; came; n++) {
				set_up();
				came = step_into(task_adds, interrupt_and_nmi_add, n);
				any_nmi |= came && nmi_came;
				CHECK_EQ(kfi_counter_read(&counter), sum[0] + sum[1] +
					 (came ? sum[2] + (nmi_came ? sum[3] : 0) : 0));
			}
		}
#ifdef STEPS
		CHECK(place > 5);
#endif
	}
}

#ifdef KFI_STACK_HALVES

static struct kfi_stack stack;

static void counts_and_carries(void)
{
	kfi_stack_count(&stack.dropped);
	kfi_stack_carry(&stack.dropped);
}

/* Bit 31 is moved once, by the task or by the interrupt. */
static void carries(void)
{
	for (u32 start = 0x7ffffffc; start < 0x80000003; start++) {
		bool came = true;

		for (long n = 0; came; n++) {
			local_set(&stack.dropped.low, (long)start);
			local_set(&stack.dropped.high, 5);
			came = step_into(counts_and_carries, counts_and_carries, n);
			CHECK_EQ(kfi_stack_dropped(&stack),
				 (5ull << KFI_DROPPED_BITS) + start + 1 + came);
		}
	}
}

#endif

static const struct check_case cases[] = {
	{ "an interrupt before each instruction of an addition", additions },
	{ "an NMI before each instruction of the addition in an interrupt", additions_three_deep },
#ifdef KFI_STACK_HALVES
	{ "an interrupt before each instruction of a carry", carries },
#endif
};

CHECK_MAIN(cases)
