// SPDX-License-Identifier: GPL-2.0
/*
 * Measures what a call costs: calls the hooks, for a function that is not entered, with a session
 * that is not live, a shadow stack of its own and a small ring. What the same calls take
 * with disabled call sites is subtracted. The entries and exits take the same paths as those of the
 * session, and write into a ring of the same kind or into a profile.
 */
#include <linux/irqflags.h>
#include <linux/kfi.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "hooks/live.h"
#include "session/session.h"

/* The least of this number is taken: interrupts of a hypervisor, and cold caches, only add. */
#define BATCHES		8

/* Room for the records of a batch, and a chunk that is begun. */
#define CHUNKS		(KFI_COST_CALLS * KFI_REC_WORDS * sizeof(u32) / (KFI_CHUNK_BYTES / 2) + 2)

/* In place of a function that stops the session: no function has this address. */
#define NO_FUNCTION	1UL

/**
 * struct bench - what a measurement needs
 * @run: the run
 * @stack: the shadow stack
 * @chunks: of the run's ring
 * @wrap: the ring overwrites its oldest records
 */
struct bench {
	struct kfi_run run;
	struct kfi_stack stack;
	struct kfi_chunk **chunks;
	bool wrap;
};

/*
 * Other CPUs may run hooks at the same time: none of their frames has the number that kfi_fast
 * has then, and no session is live. If NMIs fill the ring, the run is stopped before the end.
 * Return: raw counts; U64_MAX: it was stopped.
 */
static u64 batch(struct bench *b, bool interrupts)
{
	struct kfi_stack *own;
	unsigned long flags;
	u32 i, cpu;
	u64 time;

	for (i = 0; i < CHUNKS; i++)
		memset(b->chunks[i], 0, KFI_CHUNK_BYTES);
	memset(b->run.cpus, 0, nr_cpu_ids * sizeof(*b->run.cpus));
	for (i = 0; i < nr_cpu_ids; i++)
		kfi_ring_cpu_init(&b->run.cpus[i].ring);
	kfi_ring_init(&b->run.ring, b->chunks, CHUNKS, KFI_CHUNK_BYTES, KFI_TEXT_BASE);
	b->run.ring.wrap = b->wrap;
	b->run.ring.fast = b->run.fast == KFI_FAST_ALL;
	atomic_set(&b->run.state, KFI_TRIGGERED);
	if (b->run.tag)
		kfi_fast_open(&kfi_fast, &b->run);
	WRITE_ONCE(kfi_fast.on, 1);
	local_irq_save(flags);
	cpu = raw_smp_processor_id();
	b->stack.interrupts = &current->kfi.interrupts;
	kfi_stack_allow_plain(&b->stack, b->run.tag, kfi_fast_trigger(&b->run), cpu,
			      &b->run.cpus[cpu]);
	kfi_stack_begin(&b->stack, KFI_GENERATION_TAKEN, current->pid);
	own = current->kfi.stack;
	WRITE_ONCE(current->kfi.stack, &b->stack);
	time = kfi_now();
	if (interrupts)
		kfi_hook_interrupts(&b->run, KFI_COST_CALLS / KFI_COST_INTERRUPT,
				    KFI_COST_INTERRUPT - 1);
	else
		kfi_hook_calls_of(&b->run, KFI_COST_CALLS);
	time = kfi_now() - time;
	WRITE_ONCE(current->kfi.stack, own);
	local_irq_restore(flags);
	WRITE_ONCE(kfi_fast.on, 0);
	kfi_fast_close(&kfi_fast);
	return atomic_read(&b->run.state) == KFI_TRIGGERED ? time : U64_MAX;
}

/* The same with disabled call sites. */
static u64 batch_without(void)
{
	unsigned long flags;
	u64 time;

	local_irq_save(flags);
	time = kfi_now();
	kfi_hook_no_calls(KFI_COST_CALLS);
	time = kfi_now() - time;
	local_irq_restore(flags);
	return time;
}

/* Return: raw counts; 0: not known. */
static u64 least_time(struct bench *b, u64 min, bool interrupts)
{
	u64 best = U64_MAX, without = U64_MAX;
	int i;

	b->run.filter.min = min;
	b->run.filter.ctx_mask = interrupts ? BIT(KFI_CTX_TASK) : U32_MAX;
	for (i = 0; i < BATCHES; i++)
		best = min(best, batch(b, interrupts));
	for (i = 0; i < BATCHES; i++)
		without = min(without, batch_without());
	return best != U64_MAX && best > without ? best - without : 0;
}

void kfi_cost_measure(const struct kfi_run *run, struct kfi_cost *cost)
{
	/* Not vmalloc memory: a hook must not fault. */
	struct bench *b = kzalloc(sizeof(*b), GFP_KERNEL | __GFP_NOWARN);

	*cost = (struct kfi_cost) { 0 };
	if (!b)
		return;
	b->run.cpus = kcalloc(nr_cpu_ids, sizeof(*b->run.cpus), GFP_KERNEL);
	b->chunks = kfi_log_alloc_chunks(CHUNKS);
	if (b->run.cpus && b->chunks) {
		b->run.fast_state = &kfi_fast;
		/* An NMI of a run that is live sees the stack taken. */
		b->run.routine = KFI_GENERATION_TAKEN;
		b->run.fast = kfi_fast_part(run);
		b->run.tag = b->run.fast ? KFI_FAST_COST : 0;
		b->run.stop_at = U64_MAX;
		b->run.stop_entry = run->stop_entry ? NO_FUNCTION : 0;
		b->run.stop_exit = run->stop_exit ? NO_FUNCTION : 0;
		b->run.filter.max = U64_MAX;
		b->run.profile = run->profile;
		b->wrap = run->ring.wrap;
		cost->kept = least_time(b, 0, false);
		cost->filtered = least_time(b, U64_MAX, false);
		if (b->run.fast >= KFI_FAST_DROPS)
			cost->noints = least_time(b, U64_MAX, true);
	}
	kfi_log_free_chunks(b->chunks, CHUNKS);
	kfree(b->run.cpus);
	kfree(b);
}
