/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a call costs that is recorded, measured on this machine.
 */
#ifndef KFI_COST_H
#define KFI_COST_H

#include <linux/types.h>

struct kfi_fast;
struct kfi_run;

/* So many calls are measured at once: the clock may tick slowly. */
#define KFI_COST_CALLS	256

/**
 * struct kfi_cost - raw counts that the two callouts of KFI_COST_CALLS calls take
 * @kept: of calls that are written into the log
 * @filtered: of calls that the time filter drops
 *
 * Both are 0 if they could not be measured.
 */
struct kfi_cost {
	u64 kept;
	u64 filtered;
};

/**
 * kfi_cost_measure() - Measure it, with a run that nobody else sees.
 * @cost: where to put it
 *
 * Context: process context, sleeps. Interrupts are off for KFI_COST_CALLS calls at a time.
 */
void kfi_cost_measure(struct kfi_cost *cost);

/**
 * kfi_hook_calls() - Have the callouts see some calls of a run that is not the live one.
 * @run: the run, triggered, whose @gate is kfi_cost_fast
 * @n: calls, one after the other, not 0
 *
 * Context: interrupts off; current has a shadow stack that nobody else uses.
 */
void kfi_hook_calls(struct kfi_run *run, u32 n);

/* What the callouts that are measured look at first. */
extern struct kfi_fast kfi_cost_fast;

/* Those of a kernel that is instrumented after inlining, as in hooks/hook.h. */
void kfi_entry_measured(void);
void kfi_exit_measured(void);
void kfi_entry_measured_saving(void);
void kfi_cost_enter(unsigned long func, unsigned long site);
void kfi_cost_exit(unsigned long func);

#endif /* KFI_COST_H */
