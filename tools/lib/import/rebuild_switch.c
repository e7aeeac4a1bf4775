// SPDX-License-Identifier: GPL-2.0
/* Finds the task to which a CPU has switched: see struct kfi_rebuild_pick in rebuild_state.h. */
#include <stdlib.h>

#include "import/rebuild_state.h"

/* Limit of blocks that wait for their task. Then the task that was left first is chosen. */
#define WAIT_MAX	65536

/* Marks an exception in a list of return addresses. */
#define IN_EXCEPTION	U64_MAX

/*
 * Largest distance between the stack pointer when a task is left and when the task continues. Stack
 * pointers on two stacks are further apart: one stack would have to be full, the other empty.
 */
#define NEAR		4096

static u64 distance(u64 a, u64 b)
{
	return a < b ? b - a : a - b;
}

/*
 * Record that a task was left with its stack pointer near @stack. Other tasks left there are dead.
 */
static void set_stack(struct kfi_rebuild *r, u32 task, u64 stack)
{
	for (u32 i = 0; i < r->ntasks; i++)
		if (i != task && r->task[i].left && distance(r->task[i].stack, stack) < NEAR)
			r->task[i].left = 0;
	r->task[task].stack = stack;
}

/*
 * Of the possible tasks, keep the one that was left nearest to @stack. If none was left near
 * @stack, keep the tasks whose stack pointers are unknown.
 */
static void pick_by_stack(const struct kfi_rebuild *r, struct kfi_rebuild_pick *p, u64 stack)
{
	u64 least = NEAR;
	u32 best = KFI_NONE, n = 0;

	for (u32 i = 0; i < p->ntasks; i++) {
		u64 d = distance(r->task[p->task[i]].stack, stack);

		if (d < least) {
			least = d;
			best = p->task[i];
		}
	}
	for (u32 i = 0; i < p->ntasks; i++) {
		if (best != KFI_NONE ? p->task[i] != best : r->task[p->task[i]].stack)
			continue;
		p->nreturned[n] = p->nreturned[i];
		p->task[n++] = p->task[i];
	}
	p->ntasks = n;
}

static void stop_picking(struct kfi_rebuild_pick *p)
{
	p->is_active = false;
	p->ntasks = p->nrets = p->nwait = 0;
}

/* Continue a task that a CPU had left, at the return address of its innermost call. */
static int resume_task(struct kfi_rebuild *r, u32 cpu, s64 ns, u32 next, struct kfi_err *err)
{
	struct kfi_rebuild_cpu *c = &r->cpu[cpu];
	struct kfi_import_at at = kfi_rebuild_at(cpu, ns, KFI_CTX_TASK);
	u32 prev = c->task;
	int ret;

	/* Another task with the same calls may have run. Only the task would be wrong. */
	if (next == prev)
		return 0;
	r->switches++;
	r->task[prev].left = ++r->order;
	r->task[next].left = 0;
	ret = kfi_import_switch(r->im, &at, r->task[prev].thread, false, r->task[next].thread, err);
	c->task = next;
	return ret;
}

/* Choose the possible task that was left first, and run the blocks that wait. */
int kfi_rebuild_pick(struct kfi_rebuild *r, u32 cpu, struct kfi_err *err)
{
	struct kfi_rebuild_cpu *c = &r->cpu[cpu];
	struct kfi_rebuild_pick p = c->pick;
	u32 next = p.task[0];
	int ret;

	for (u32 i = 1; i < p.ntasks; i++)
		if (next == c->task ||
		    (p.task[i] != c->task && r->task[p.task[i]].left < r->task[next].left))
			next = p.task[i];
	c->guessed = p.ntasks > 1;
	r->guessed += p.ntasks > 1;
	/* A switch among the waiting blocks needs a pick of its own. */
	c->pick = (struct kfi_rebuild_pick){ 0 };
	ret = resume_task(r, cpu, p.wait[0].ns, next, err);
	if (!ret)
		ret = kfi_rebuild_pop_to(r, cpu, p.wait[0].ns, r->task[next].n - 1, err);
	for (u32 i = 1; !ret && i < p.nwait; i++)
		ret = c->pick.is_active ?
		      kfi_rebuild_unmoved(r, cpu, p.wait[i].ns, p.wait[i].pc, err) :
		      kfi_rebuild_run(r, cpu, p.wait[i].ns, p.wait[i].pc, err);
	if (c->pick.is_active || c->pick.task) {
		free(p.task);
		free(p.nreturned);
		free(p.ret);
		free(p.wait);
	} else {
		c->pick = p;
		stop_picking(&c->pick);
	}
	return ret;
}

static int keep_waiting(struct kfi_rebuild *r, struct kfi_rebuild_pick *p, s64 ns, u64 pc,
			struct kfi_err *err)
{
	if (kfi_grow((void **)&p->wait, &p->wait_room, p->nwait + 1, sizeof(*p->wait)))
		return kfi_rebuild_no_memory(r, err);
	p->wait[p->nwait++] = (struct kfi_rebuild_waiting){ ns, pc };
	return 0;
}

int kfi_rebuild_switch(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *b,
		       struct kfi_err *err)
{
	struct kfi_rebuild_cpu *c = &r->cpu[cpu];
	struct kfi_rebuild_pick *p = &c->pick;
	struct kfi_rebuild_task *t = &r->task[c->task];
	bool moved = c->moved;
	u32 next, n = t->n;
	int ret;

	/* Calls below the function that switches stacks are over; that function stays open. */
	while (n && !(t->f[n - 1].flags & KFI_FRAME_SWITCH))
		n--;
	ret = kfi_rebuild_pop_to(r, cpu, ns, n, err);
	if (ret)
		return ret;
	c->block = b;
	c->moved = false;
	c->left = moved ? KFI_NONE : c->task;
	if (moved)
		set_stack(r, c->task, c->from);
	else
		t->stack = 0;
	if (b->func->flags & KFI_CODE_NEW_TASK) {
		next = kfi_rebuild_new_task(r, cpu);
		if (next == KFI_NONE)
			return kfi_rebuild_no_memory(r, err);
		ret = resume_task(r, cpu, ns, next, err);
		return ret ? : kfi_rebuild_push(r, cpu, ns, b->func, 0, 0, 0, err);
	}
	p->ntasks = p->nrets = p->nwait = 0;
	for (u32 i = 0; i < r->ntasks; i++) {
		t = &r->task[i];
		if ((!t->left && !(i == c->task && c->guessed)) || !t->n ||
		    !(t->f[t->n - 1].flags & KFI_FRAME_SWITCH) ||
		    !kfi_rebuild_is_ret(r, t->f[t->n - 1].ret, b->pc))
			continue;
		if (kfi_grow((void **)&p->task, &p->room, p->ntasks + 1, sizeof(*p->task)) ||
		    kfi_grow((void **)&p->nreturned, &p->nreturned_room, p->ntasks + 1,
			     sizeof(*p->nreturned)))
			return kfi_rebuild_no_memory(r, err);
		p->nreturned[p->ntasks] = 1;
		p->task[p->ntasks++] = i;
	}
	if (moved)
		pick_by_stack(r, p, c->to);
	if (!p->ntasks) {
		/* The task was left before the trace, or the cpu has switched from it to itself. */
		t = &r->task[c->task];
		if (!moved && t->n && kfi_rebuild_is_ret(r, t->f[t->n - 1].ret, b->pc))
			return kfi_rebuild_pop_to(r, cpu, ns, t->n - 1, err);
		next = kfi_rebuild_new_task(r, cpu);
		if (next == KFI_NONE)
			return kfi_rebuild_no_memory(r, err);
		ret = resume_task(r, cpu, ns, next, err);
		return ret ? : kfi_rebuild_push(r, cpu, ns, b->func, 0, 0, 0, err);
	}
	p->is_active = true;
	r->waiting_cpu = cpu;
	ret = keep_waiting(r, p, ns, b->pc, err);
	if (!ret && p->ntasks == 1)
		ret = kfi_rebuild_pick(r, cpu, err);
	return ret;
}

int kfi_rebuild_stack(struct kfi_rebuild *r, u32 cpu, u64 from, u64 to, struct kfi_err *err)
{
	struct kfi_rebuild_cpu *c = cpu < r->ncpus ? &r->cpu[cpu] : NULL;
	struct kfi_rebuild_pick *p;
	u32 n;

	if (unlikely(r->move.is_searching) && r->move.n)
		return kfi_rebuild_move_wait(r, &(struct kfi_rebuild_early){
			.pc = to, .from = from, .cpu = cpu, .is_stack = true }, err);
	if (!c || c->task == KFI_NONE)
		return 0;
	r->has_stacks = true;
	c->moved = true;
	c->from = from;
	c->to = to;
	if (c->left != KFI_NONE)
		set_stack(r, c->left, from);
	c->left = KFI_NONE;
	p = &c->pick;
	if (!p->is_active)
		return 0;
	n = p->ntasks;
	pick_by_stack(r, p, to);
	if (!p->ntasks)
		p->ntasks = n;
	return p->ntasks == 1 ? kfi_rebuild_pick(r, cpu, err) : 0;
}

/* Return true if the next return address of a task, without tail calls, can be @pc. */
static bool can_return_to(const struct kfi_rebuild *r, const struct kfi_rebuild_task *t,
			  u32 *nreturned, u64 pc)
{
	u32 n = t->n - *nreturned;

	while (n && !t->f[n - 1].ret && !(t->f[n - 1].flags & KFI_FRAME_EXCEPTION))
		n--;
	if (!n || !kfi_rebuild_is_ret(r, t->f[n - 1].ret, pc))
		return false;
	*nreturned = t->n - (n - 1);
	return true;
}

/* Handle a return of the task. Return: number of tasks that are possible; 0: it fits none. */
static u32 filter_candidates(struct kfi_rebuild *r, struct kfi_rebuild_pick *p, u64 pc)
{
	u32 left = 0;

	for (u32 i = 0; i < p->ntasks; i++) {
		u32 nreturned = p->nreturned[i];

		left += can_return_to(r, &r->task[p->task[i]], &nreturned, pc);
	}
	if (!left)
		return 0;
	left = 0;
	for (u32 i = 0; i < p->ntasks; i++) {
		u32 nreturned = p->nreturned[i], task = p->task[i];

		if (!can_return_to(r, &r->task[task], &nreturned, pc))
			continue;
		p->nreturned[left] = nreturned;
		p->task[left++] = task;
	}
	p->ntasks = left;
	return left;
}

static int keep_return(struct kfi_rebuild *r, struct kfi_rebuild_pick *p, u64 addr,
		       struct kfi_err *err)
{
	if (kfi_grow((void **)&p->ret, &p->ret_room, p->nrets + 1, sizeof(*p->ret)))
		return kfi_rebuild_no_memory(r, err);
	p->ret[p->nrets++] = addr;
	return 0;
}

/* Handle a return to an address. Return: true if the task is known now. */
static bool returned(struct kfi_rebuild *r, struct kfi_rebuild_pick *p, u64 pc)
{
	for (u32 n = p->nrets; n--;) {
		if (p->ret[n] == IN_EXCEPTION)
			return false;
		if (kfi_rebuild_is_ret(r, p->ret[n], pc)) {
			p->nrets = n;
			return false;
		}
	}
	return filter_candidates(r, p, pc) <= 1;
}

/* Handle a return from an exception. Return: address of the interrupted block; 0: unknown. */
static u64 pop_exception(struct kfi_rebuild_pick *p)
{
	while (p->nrets)
		if (p->ret[--p->nrets] == IN_EXCEPTION)
			return p->ret[--p->nrets];
	return 0;
}

/* Handle a block of a CPU whose task is not known. */
int kfi_rebuild_wait(struct kfi_rebuild *r, u32 cpu, s64 ns, u64 pc, struct kfi_err *err)
{
	struct kfi_rebuild_cpu *c = &r->cpu[cpu];
	struct kfi_rebuild_pick *p = &c->pick;
	const struct kfi_block *last, *b;
	bool known = p->nwait >= WAIT_MAX;
	int ret;

	last = kfi_code_block(r->code, p->wait[p->nwait - 1].pc);
	b = kfi_code_is_in(r->code, pc) ? kfi_code_block(r->code, pc) : NULL;
	if (!last || (!b && kfi_code_is_in(r->code, pc)))
		return kfi_rebuild_no_memory(r, err);
	ret = keep_waiting(r, p, ns, pc, err);
	if (ret)
		return ret;
	/* The interrupted block is the one before. */
	if (b && last->last == KFI_END_ERET && pc - last->pc - 1 >= last->within &&
	    !kfi_rebuild_begins_exception(b)) {
		u64 at = pop_exception(p);

		last = at ? kfi_code_block(r->code, at) : NULL;
		if (at && !last)
			return kfi_rebuild_no_memory(r, err);
	}
	if (!b || !last)
		known = true;	/* in user space the stack is empty */
	else if (pc - last->pc - 1 < last->within)
		;		/* the code continues */
	else if (kfi_rebuild_begins_exception(b) && b->func != last->func && pc != last->target)
		ret = keep_return(r, p, last->pc, err) ? : keep_return(r, p, IN_EXCEPTION, err);
	else if ((last->last == KFI_END_CALL || last->last == KFI_END_CALL_REG) && b->is_entry)
		ret = keep_return(r, p, kfi_rebuild_return_address(r, last, b), err);
	else if (last->last == KFI_END_RETURN && !b->is_entry)
		known |= returned(r, p, pc);
	if (b && b->func->flags & KFI_CODE_SWITCH)
		known = true;
	if (ret)
		return ret;
	return known ? kfi_rebuild_pick(r, cpu, err) : 0;
}
