// SPDX-License-Identifier: GPL-2.0
/* Calls of a kernel from a trace of its blocks: see rebuild.h. */
#include <stdlib.h>

#include "import/rebuild.h"

/* More processors no trace has that comes from one QEMU. */
#define CPUS_MAX	1024

/* A stack with more calls has lost their returns. */
#define DEPTH_MAX	1000

/* Blocks that wait for their task to be known; then the one that was left first is taken. */
#define WAIT_MAX	65536

/* The call that the code really made is looked for in this number of blocks. */
#define PATCHED_MAX	32

/* An exception in a list of return addresses. */
#define IN_EXCEPTION	U64_MAX

#define TAIL		1	/* a jump, not a call: it returns with the one below */
#define EXCEPTION	2	/* begun by an exception, an interrupt or a system call */
#define SWITCH		4	/* it is the function that switches stacks */
#define THUNK		8	/* it is a thunk: what it jumps to takes its place */
#define PLACE		16	/* it is no function: enum kfi_place */

/**
 * struct frame - an open call
 * @ret: return address; 0: unknown, or there is none
 * @func: the function, NULL: a place
 * @flags: see above
 * @ctx: enum kfi_ctx
 * @at: the block that ran last before an exception, or NULL
 */
struct frame {
	u64 ret;
	struct kfi_code_func *func;
	const struct kfi_block *at;
	u8 flags;
	u8 ctx;
};

/**
 * struct task - a task, as far as one can tell them apart
 * @f: its open calls
 * @n: how many
 * @room: for how many there is room
 * @thread: its number for import.h
 * @left: when a cpu left it, as a number that grows; 0: it runs
 */
struct task {
	struct frame *f;
	u32 n;
	u32 room;
	u32 thread;
	u64 left;
};

/**
 * struct waiting - a block whose task is not known yet
 * @ns: when
 * @pc: its address
 */
struct waiting {
	s64 ns;
	u64 pc;
};

/**
 * struct pick - to which task has a cpu switched?
 * @on: it is not known yet
 * @task: those that it can be
 * @ntasks: how many
 * @room: for how many there is room
 * @taken: by each of them, how many of its calls have returned since
 * @ret: return addresses of calls that were made since; where an exception began,
 *	the block before and IN_EXCEPTION
 * @nrets: how many
 * @ret_room: for how many there is room
 * @wait: the blocks since
 * @nwait: how many
 * @wait_room: for how many there is room
 *
 * Each return that belongs to none of @ret belongs to the task: a task whose next return address
 * differs is not the one.
 */
struct pick {
	bool on;
	u32 *task;
	u32 *taken;
	u32 ntasks;
	u32 room;
	u32 taken_room;
	u64 *ret;
	u32 nrets;
	u32 ret_room;
	struct waiting *wait;
	u32 nwait;
	u32 wait_room;
};

/**
 * struct cpu - a processor
 * @task: the task that it runs, KFI_NONE: it has not run yet
 * @block: the block that ran last, NULL: none, or it was in a place
 * @place: that place, or KFI_PLACES
 * @guessed: the task was one of several that were left: it may be another one of these
 * @pick: which task it runs
 */
struct cpu {
	u32 task;
	const struct kfi_block *block;
	u8 place;
	bool guessed;
	struct pick pick;
};

/**
 * struct kfi_rebuild - the calls
 * @im: where they go
 * @code: the code
 * @cpu: processors
 * @ncpus: how many
 * @cpu_room: for how many there is room
 * @task: tasks
 * @ntasks: how many
 * @task_room: for how many there is room
 * @places: numbers of the names of places
 * @near: kfi_code_near()
 * @order: counts switches
 * @started: the kernel runs at its own addresses
 * @lost: blocks are missing before the next one
 * @picking: the cpu whose blocks wait, KFI_NONE: none
 * @switches: of tasks
 * @guessed: those where several tasks were left
 * @jumps: tail calls
 * @resyncs: where nothing explains how a block came after the one before
 */
struct kfi_rebuild {
	struct kfi_import *im;
	struct kfi_code *code;
	struct cpu *cpu;
	u32 ncpus;
	u32 cpu_room;
	struct task *task;
	u32 ntasks;
	u32 task_room;
	u32 places[KFI_PLACES];
	u64 near;
	u64 order;
	bool started;
	bool lost;
	u32 picking;
	u64 switches;
	u64 guessed;
	u64 jumps;
	u64 resyncs;
};

static const char *const place_names[] = {
	[KFI_PLACE_FIRMWARE] = "[firmware]",
	[KFI_PLACE_LOADER] = "[boot loader]",
	[KFI_PLACE_UNPACK] = "[decompressor]",
	[KFI_PLACE_ENTRY] = "[kernel entry]",
	[KFI_PLACE_VECTORS] = "[exception vectors]",
	[KFI_PLACE_OTHER] = "[kernel code without symbols]",
	[KFI_PLACE_USER] = "[user space]",
};
static_assert(ARRAY_SIZE(place_names) == KFI_PLACES);

static int no_memory(const struct kfi_rebuild *r, struct kfi_err *err)
{
	return kfi_err_set(err, ENOMEM, "%s: out of memory", r->im->log->in.name);
}

int kfi_rebuild_open(struct kfi_rebuild **rebuild, struct kfi_import *im, struct kfi_code *code,
		     struct kfi_err *err)
{
	struct kfi_rebuild *r = calloc(1, sizeof(*r));

	if (!r)
		return kfi_err_set(err, ENOMEM, "%s: out of memory", im->log->in.name);
	r->im = im;
	r->code = code;
	r->near = kfi_code_near(code);
	r->picking = KFI_NONE;
	for (u32 i = 0; i < KFI_PLACES; i++) {
		r->places[i] = kfi_import_func(im, place_names[i], strlen(place_names[i]));
		if (r->places[i] == KFI_NONE) {
			free(r);
			return kfi_err_set(err, ENOMEM, "%s: out of memory", im->log->in.name);
		}
	}
	*rebuild = r;
	return 0;
}

/* Tasks */

/* A task that has not run before. Return: its number, KFI_NONE: no memory. */
static u32 new_task(struct kfi_rebuild *r, u32 cpu)
{
	/* The first task of each cpu is its idle task. */
	bool idle = r->cpu[cpu].task == KFI_NONE;
	u32 thread = kfi_import_thread(r->im, idle ? 0 : (s32)r->ntasks, (s32)cpu);

	if (thread == KFI_NONE || kfi_grow((void **)&r->task, &r->task_room, r->ntasks + 1,
					   sizeof(*r->task)))
		return KFI_NONE;
	r->task[r->ntasks] = (struct task){ .thread = thread };
	return r->ntasks++;
}

static struct kfi_import_at at_of(u32 cpu, s64 ns, u8 ctx)
{
	return (struct kfi_import_at){ .ns = ns, .cpu = (s32)cpu, .ctx = ctx };
}

/* Open calls */

static int push(struct kfi_rebuild *r, u32 cpu, s64 ns, struct kfi_code_func *func, u32 place,
		u64 ret, u8 flags, struct kfi_err *err)
{
	struct task *t = &r->task[r->cpu[cpu].task];
	u8 ctx = t->n ? t->f[t->n - 1].ctx : KFI_CTX_TASK;
	struct kfi_import_at at;
	u32 id;

	if (t->n == DEPTH_MAX)
		return kfi_err_set(err, EINVAL, "%s:%llu: more than %u calls of a task are open: is the vmlinux that of the traced kernel?",
				   r->im->log->in.name, (unsigned long long)r->im->log->in.line,
				   DEPTH_MAX);
	if (kfi_grow((void **)&t->f, &t->room, t->n + 1, sizeof(*t->f)))
		return no_memory(r, err);
	if (func) {
		if (unlikely(func->id == KFI_NONE))
			func->id = func->addr ? kfi_import_func_at(r->im, func->addr) :
				   kfi_import_func(r->im, func->name.s, func->name.len);
		if (func->ctx != KFI_CTX_TASK)
			ctx = func->ctx;
		if (func->flags & KFI_CODE_SWITCH)
			flags |= SWITCH;
		if (func->flags & KFI_CODE_THUNK)
			flags |= THUNK;
	}
	id = func ? func->id : r->places[place];
	if (id == KFI_NONE)
		return no_memory(r, err);
	t->f[t->n++] = (struct frame){ .ret = ret, .func = func, .flags = flags, .ctx = ctx };
	if (flags & THUNK)
		return 0;
	at = at_of(cpu, ns, ctx);
	return kfi_import_enter(r->im, t->thread, &at, id, ret ? ret : U64_MAX, err);
}

/* The innermost calls return, until @n are left. */
static int pop_to(struct kfi_rebuild *r, u32 cpu, s64 ns, u32 n, struct kfi_err *err)
{
	struct task *t = &r->task[r->cpu[cpu].task];
	int ret = 0;

	while (!ret && t->n > n) {
		const struct frame *f = &t->f[--t->n];
		struct kfi_import_at at = at_of(cpu, ns, f->ctx);

		if (!(f->flags & THUNK))
			ret = kfi_import_exit(r->im, t->thread, &at, KFI_NONE, -1, err);
	}
	return ret;
}

static bool is_ret(const struct kfi_rebuild *r, u64 ret, u64 pc)
{
	return ret && ret - pc <= r->near;
}

/* The call that returns to an address. Return: its index, or @t->n. */
static u32 find_ret(const struct kfi_rebuild *r, const struct task *t, u64 pc)
{
	for (u32 i = t->n; i--;) {
		if (is_ret(r, t->f[i].ret, pc))
			return i;
		if (t->f[i].flags & EXCEPTION)
			break;
	}
	return t->n;
}

/* The innermost exception. Return: its index, or @t->n. */
static u32 find_exception(const struct task *t)
{
	for (u32 i = t->n; i--;)
		if (t->f[i].flags & EXCEPTION)
			return i;
	return t->n;
}

/*
 * Nothing explains why this block runs. If its function is open, it was returned to in an unknown
 * way; else it is a call of which only the function is known.
 */
static int resync(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *b,
		  struct kfi_err *err)
{
	struct task *t = &r->task[r->cpu[cpu].task];
	u32 exception = find_exception(t);
	int ret;

	if (b->func->flags & KFI_CODE_PART && t->n)
		return 0;
	for (u32 i = t->n; i--;) {
		if (t->f[i].func == b->func) {
			/* One call less: it was patched, and so its return address is not known. */
			r->resyncs += i + 2 < t->n;
			return pop_to(r, cpu, ns, i + 1, err);
		}
	}
	/* The trace begins here. */
	r->resyncs += t->n || r->cpu[cpu].block;
	ret = pop_to(r, cpu, ns, exception < t->n ? exception + 1 : 0, err);
	return ret ? : push(r, cpu, ns, b->func, 0, 0, 0, err);
}

/* Whether an exception begins with a block: code that was called may return to any other place. */
static bool begins_exception(const struct kfi_block *b)
{
	return b->func->flags & KFI_CODE_EXCEPTION &&
	       (b->is_entry || b->func->flags & KFI_CODE_STUBS);
}

/* Switches */

static void stop_picking(struct pick *p)
{
	p->on = false;
	p->ntasks = p->nrets = p->nwait = 0;
}

static int block_runs(struct kfi_rebuild *r, u32 cpu, s64 ns, u64 pc, struct kfi_err *err);

/* The cpu goes on with a task that it had left, at the return address of its innermost call. */
static int go_on(struct kfi_rebuild *r, u32 cpu, s64 ns, u32 next, struct kfi_err *err)
{
	struct cpu *c = &r->cpu[cpu];
	struct kfi_import_at at = at_of(cpu, ns, KFI_CTX_TASK);
	u32 prev = c->task;
	int ret;

	/* It was not this task that has run, but one with the same calls: nothing else is wrong. */
	if (next == prev)
		return 0;
	r->switches++;
	r->task[prev].left = ++r->order;
	r->task[next].left = 0;
	ret = kfi_import_switch(r->im, &at, r->task[prev].thread, false, r->task[next].thread, err);
	c->task = next;
	return ret;
}

/* Of the possible tasks, take the one that was left first, and let the blocks run that wait. */
static int pick_first(struct kfi_rebuild *r, u32 cpu, struct kfi_err *err)
{
	struct cpu *c = &r->cpu[cpu];
	struct pick p = c->pick;
	u32 next = p.task[0];
	int ret;

	for (u32 i = 1; i < p.ntasks; i++)
		if (next == c->task ||
		    (p.task[i] != c->task && r->task[p.task[i]].left < r->task[next].left))
			next = p.task[i];
	c->guessed = p.ntasks > 1;
	r->guessed += p.ntasks > 1;
	/* A switch among the blocks that wait needs another one. */
	c->pick = (struct pick){ 0 };
	ret = go_on(r, cpu, p.wait[0].ns, next, err);
	if (!ret)
		ret = pop_to(r, cpu, p.wait[0].ns, r->task[next].n - 1, err);
	for (u32 i = 1; !ret && i < p.nwait; i++)
		ret = c->pick.on ? kfi_rebuild_block(r, cpu, p.wait[i].ns, p.wait[i].pc, err) :
				   block_runs(r, cpu, p.wait[i].ns, p.wait[i].pc, err);
	if (c->pick.on || c->pick.task) {
		free(p.task);
		free(p.taken);
		free(p.ret);
		free(p.wait);
	} else {
		c->pick = p;
		stop_picking(&c->pick);
	}
	return ret;
}

static int keep_waiting(struct kfi_rebuild *r, struct pick *p, s64 ns, u64 pc, struct kfi_err *err)
{
	if (kfi_grow((void **)&p->wait, &p->wait_room, p->nwait + 1, sizeof(*p->wait)))
		return no_memory(r, err);
	p->wait[p->nwait++] = (struct waiting){ ns, pc };
	return 0;
}

/* A cpu returns from the function that switches stacks. */
static int switch_task(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *b,
		       struct kfi_err *err)
{
	struct cpu *c = &r->cpu[cpu];
	struct pick *p = &c->pick;
	struct task *t = &r->task[c->task];
	u32 next, n = t->n;
	int ret;

	/* What the function that switches has jumped to is over; itself it stays open. */
	while (n && !(t->f[n - 1].flags & SWITCH))
		n--;
	ret = pop_to(r, cpu, ns, n, err);
	if (ret)
		return ret;
	c->block = b;
	if (b->func->flags & KFI_CODE_NEW_TASK) {
		next = new_task(r, cpu);
		if (next == KFI_NONE)
			return no_memory(r, err);
		ret = go_on(r, cpu, ns, next, err);
		return ret ? : push(r, cpu, ns, b->func, 0, 0, 0, err);
	}
	p->ntasks = p->nrets = p->nwait = 0;
	for (u32 i = 0; i < r->ntasks; i++) {
		t = &r->task[i];
		if ((!t->left && !(i == c->task && c->guessed)) || !t->n ||
		    !(t->f[t->n - 1].flags & SWITCH) ||
		    !is_ret(r, t->f[t->n - 1].ret, b->pc))
			continue;
		if (kfi_grow((void **)&p->task, &p->room, p->ntasks + 1, sizeof(*p->task)) ||
		    kfi_grow((void **)&p->taken, &p->taken_room, p->ntasks + 1,
			     sizeof(*p->taken)))
			return no_memory(r, err);
		p->taken[p->ntasks] = 1;
		p->task[p->ntasks++] = i;
	}
	if (!p->ntasks) {
		/* It was left before the trace began, or it has switched to itself. */
		t = &r->task[c->task];
		if (t->n && is_ret(r, t->f[t->n - 1].ret, b->pc))
			return pop_to(r, cpu, ns, t->n - 1, err);
		next = new_task(r, cpu);
		if (next == KFI_NONE)
			return no_memory(r, err);
		ret = go_on(r, cpu, ns, next, err);
		return ret ? : push(r, cpu, ns, b->func, 0, 0, 0, err);
	}
	p->on = true;
	r->picking = cpu;
	ret = keep_waiting(r, p, ns, b->pc, err);
	if (!ret && p->ntasks == 1)
		ret = pick_first(r, cpu, err);
	return ret;
}

/* The next return address of a task, jumps passed over. Return: whether it can be @pc. */
static bool may_return(const struct kfi_rebuild *r, const struct task *t, u32 *taken, u64 pc)
{
	u32 n = t->n - *taken;

	while (n && !t->f[n - 1].ret && !(t->f[n - 1].flags & EXCEPTION))
		n--;
	if (!n || !is_ret(r, t->f[n - 1].ret, pc))
		return false;
	*taken = t->n - (n - 1);
	return true;
}

/* A return that belongs to the task. Return: how many tasks are left; 0: it fits none. */
static u32 narrow(struct kfi_rebuild *r, struct pick *p, u64 pc)
{
	u32 left = 0;

	for (u32 i = 0; i < p->ntasks; i++) {
		u32 taken = p->taken[i];

		left += may_return(r, &r->task[p->task[i]], &taken, pc);
	}
	if (!left)
		return 0;
	left = 0;
	for (u32 i = 0; i < p->ntasks; i++) {
		u32 taken = p->taken[i], task = p->task[i];

		if (!may_return(r, &r->task[task], &taken, pc))
			continue;
		p->taken[left] = taken;
		p->task[left++] = task;
	}
	p->ntasks = left;
	return left;
}

/* The end of the call instruction that was really run, if the code was patched; else that of @a. */
static u64 return_address(struct kfi_rebuild *r, const struct kfi_block *a,
			  const struct kfi_block *b)
{
	const struct kfi_block *x = a;

	for (u32 i = 0; i < PATCHED_MAX && x; i++) {
		if (x->last == KFI_END_CALL_REG || (x->last == KFI_END_CALL && x->target == b->pc))
			return x->end;
		if (x->last == KFI_END_RETURN || x->last == KFI_END_ERET ||
		    !kfi_code_is_in(r->code, x->end))
			break;
		x = kfi_code_block(r->code, x->end);
		if (x && x->func != a->func)
			break;
	}
	return a->end;
}

static int keep_ret(struct kfi_rebuild *r, struct pick *p, u64 addr, struct kfi_err *err)
{
	if (kfi_grow((void **)&p->ret, &p->ret_room, p->nrets + 1, sizeof(*p->ret)))
		return no_memory(r, err);
	p->ret[p->nrets++] = addr;
	return 0;
}

/* A return, to an address. Return: whether the task is known now. */
static bool returned(struct kfi_rebuild *r, struct pick *p, u64 pc)
{
	for (u32 n = p->nrets; n--;) {
		if (p->ret[n] == IN_EXCEPTION)
			return false;
		if (is_ret(r, p->ret[n], pc)) {
			p->nrets = n;
			return false;
		}
	}
	return narrow(r, p, pc) <= 1;
}

/* A return from an exception. Return: the block that it has interrupted; 0: there is none. */
static u64 exception_returned(struct pick *p)
{
	while (p->nrets)
		if (p->ret[--p->nrets] == IN_EXCEPTION)
			return p->ret[--p->nrets];
	return 0;
}

/* A block whose task is not known. */
static int wait_block(struct kfi_rebuild *r, u32 cpu, s64 ns, u64 pc, struct kfi_err *err)
{
	struct cpu *c = &r->cpu[cpu];
	struct pick *p = &c->pick;
	const struct kfi_block *last, *b;
	bool known = p->nwait >= WAIT_MAX;
	int ret;

	last = kfi_code_block(r->code, p->wait[p->nwait - 1].pc);
	b = kfi_code_is_in(r->code, pc) ? kfi_code_block(r->code, pc) : NULL;
	if (!last || (!b && kfi_code_is_in(r->code, pc)))
		return no_memory(r, err);
	ret = keep_waiting(r, p, ns, pc, err);
	if (ret)
		return ret;
	/* The block that was interrupted is the one before. */
	if (b && last->last == KFI_END_ERET && pc - last->pc - 1 >= last->within &&
	    !begins_exception(b)) {
		u64 at = exception_returned(p);

		last = at ? kfi_code_block(r->code, at) : NULL;
		if (at && !last)
			return no_memory(r, err);
	}
	if (!b || !last)
		known = true;	/* in user space the stack is empty */
	else if (pc - last->pc - 1 < last->within)
		;		/* it goes on */
	else if (begins_exception(b) && b->func != last->func && pc != last->target)
		ret = keep_ret(r, p, last->pc, err) ? : keep_ret(r, p, IN_EXCEPTION, err);
	else if ((last->last == KFI_END_CALL || last->last == KFI_END_CALL_REG) && b->is_entry)
		ret = keep_ret(r, p, return_address(r, last, b), err);
	else if (last->last == KFI_END_RETURN && !b->is_entry)
		known |= returned(r, p, pc);
	if (b && b->func->flags & KFI_CODE_SWITCH)
		known = true;
	if (ret)
		return ret;
	return known ? pick_first(r, cpu, err) : 0;
}

/* From one block to the next */

/* The block is the beginning of a function, and the one before has jumped there. */
static int jump(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *b,
		struct kfi_err *err)
{
	struct task *t = &r->task[r->cpu[cpu].task];
	struct frame *f = t->n ? &t->f[t->n - 1] : NULL;
	int ret;

	if (b->func->flags & (KFI_CODE_PART | KFI_CODE_THUNK) || (f && f->func == b->func))
		return 0;
	if (f && f->flags & THUNK) {
		u64 site = f->ret;
		u8 flags = f->flags & TAIL;

		t->n--;
		return push(r, cpu, ns, b->func, 0, site, flags, err);
	}
	/* Code in assembler jumps between names: not one call for each. */
	for (u32 i = t->n; i && t->f[i - 1].flags & TAIL; i--) {
		if (t->f[i - 1].func == b->func)
			return pop_to(r, cpu, ns, i, err);
	}
	ret = push(r, cpu, ns, b->func, 0, 0, TAIL, err);
	r->jumps++;
	return ret;
}

static int returns(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *b,
		   struct kfi_err *err)
{
	struct task *t = &r->task[r->cpu[cpu].task];
	u32 n = t->n;

	while (n && t->f[n - 1].flags & TAIL && !(t->f[n - 1].flags & SWITCH))
		n--;
	if (n && t->f[n - 1].flags & SWITCH)
		return switch_task(r, cpu, ns, b, err);
	n = find_ret(r, t, b->pc);
	if (n < t->n)
		return pop_to(r, cpu, ns, n, err);
	/* A return in the place of a jump. */
	if (b->is_entry)
		return jump(r, cpu, ns, b, err);
	return resync(r, cpu, ns, b, err);
}

/* @a: the block before, or NULL. */
static int exception(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *a,
		     const struct kfi_block *b, struct kfi_err *err)
{
	int ret = push(r, cpu, ns, b->func, 0, 0, EXCEPTION, err);
	struct task *t = &r->task[r->cpu[cpu].task];

	if (!ret)
		t->f[t->n - 1].at = a;
	return ret;
}

static int follows(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *a,
		   const struct kfi_block *b, struct kfi_err *err);

/* A return from an exception to the kernel: now the block runs that follows the one before it. */
static int exception_returns(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *b,
			     struct kfi_err *err)
{
	struct task *t = &r->task[r->cpu[cpu].task];
	u32 n = find_exception(t);

	if (n < t->n) {
		const struct kfi_block *a = t->f[n].at;
		int ret = pop_to(r, cpu, ns, n, err);

		return ret || !a ? ret : follows(r, cpu, ns, a, b, err);
	}
	return b->func == (t->n ? t->f[t->n - 1].func : NULL) ? 0 : resync(r, cpu, ns, b, err);
}

/* From code of vmlinux to code of vmlinux. */
static int within(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *a,
		  const struct kfi_block *b, struct kfi_err *err)
{
	bool goes_there = b->pc == a->target && a->target;

	if (begins_exception(b) && b->func != a->func && !goes_there) {
		/* Another exception comes before any block of what the last one has interrupted. */
		if (a->last == KFI_END_ERET) {
			struct task *t = &r->task[r->cpu[cpu].task];
			u32 n = find_exception(t);
			int ret;

			a = n < t->n ? t->f[n].at : NULL;
			ret = pop_to(r, cpu, ns, n < t->n ? n : 0, err);
			if (ret)
				return ret;
		}
		return exception(r, cpu, ns, a, b, err);
	}
	switch (a->last) {
	case KFI_END_CALL:
	case KFI_END_CALL_REG:
		if (b->is_entry)
			return push(r, cpu, ns, b->func, 0, goes_there ? a->end :
				    return_address(r, a, b), 0, err);
		break;
	case KFI_END_JUMP:
	case KFI_END_BRANCH:
	case KFI_END_JUMP_REG:
		if (b->is_entry && (goes_there || a->last == KFI_END_JUMP_REG))
			return a->last == KFI_END_JUMP_REG && r->task[r->cpu[cpu].task].n &&
			       r->task[r->cpu[cpu].task].f[r->task[r->cpu[cpu].task].n - 1].flags &
			       SWITCH ? returns(r, cpu, ns, b, err) : jump(r, cpu, ns, b, err);
		if (goes_there)
			return 0;
		break;
	case KFI_END_RETURN:
		return returns(r, cpu, ns, b, err);
	case KFI_END_ERET:
		return exception_returns(r, cpu, ns, b, err);
	default:
		break;
	}
	/* Code that was patched, or the next instruction after an exception. */
	if (b->func == a->func)
		return 0;
	if (b->is_entry)
		return push(r, cpu, ns, b->func, 0, return_address(r, a, b), 0, err);
	return find_ret(r, &r->task[r->cpu[cpu].task], b->pc) <
	       r->task[r->cpu[cpu].task].n ? returns(r, cpu, ns, b, err) :
					     resync(r, cpu, ns, b, err);
}

/* As within(), which does not look whether the second block only goes on. */
static int follows(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *a,
		   const struct kfi_block *b, struct kfi_err *err)
{
	bool calls = a->last == KFI_END_CALL || a->last == KFI_END_CALL_REG;

	if (likely(b->pc - a->pc - 1 < a->within))
		return 0;
	/* An instruction that is repeated, or did not run before an exception. */
	if (b == a && !(calls && a->target == b->pc))
		return 0;
	/* Most often a jump within a function. */
	if (b->pc == a->target && b->func == a->func && !b->is_entry)
		return 0;
	return within(r, cpu, ns, a, b, err);
}

/* Whether a place is a part of the kernel: its stay has a caller in the kernel. */
static bool is_called(u8 place)
{
	return place == KFI_PLACE_OTHER || place == KFI_PLACE_VECTORS;
}

/* A stage of the boot begins. */
static int stage(struct kfi_rebuild *r, u32 cpu, s64 ns, const char *name, struct kfi_err *err)
{
	struct kfi_import_at at = at_of(cpu, ns, KFI_CTX_TASK);

	return kfi_import_mark(r->im, r->task[r->cpu[cpu].task].thread, &at, "stage", name,
			       strlen(name), err);
}

/* The block is not in vmlinux. */
static int enter_place(struct kfi_rebuild *r, u32 cpu, s64 ns, u8 place, struct kfi_err *err)
{
	struct cpu *c = &r->cpu[cpu];
	const struct kfi_block *a = c->block;
	u64 site = a && (a->last == KFI_END_CALL || a->last == KFI_END_CALL_REG) ? a->end : 0;
	struct task *t = &r->task[c->task];
	bool was_new = !t->n && c->place == KFI_PLACES && !a;
	int ret = 0;

	/* A module returns to a module: its call is still open. */
	if (is_called(place) && a && a->last == KFI_END_RETURN)
		for (u32 i = t->n; i--;)
			if (t->f[i].flags & PLACE && !t->f[i].func)
				return pop_to(r, cpu, ns, i + 1, err);
	/* In user space the kernel stack is empty. Stages of the boot return to none before. */
	if (!is_called(place))
		ret = pop_to(r, cpu, ns, 0, err);
	else if (c->place != KFI_PLACES && t->n)
		ret = pop_to(r, cpu, ns, t->n - 1, err);
	if (!ret && !is_called(place) && place != KFI_PLACE_USER && !r->started &&
	    (was_new || place != c->place))
		ret = stage(r, cpu, ns, place_names[place], err);
	return ret ? : push(r, cpu, ns, NULL, place, site,
			    PLACE | (place == KFI_PLACE_VECTORS ? EXCEPTION : 0), err);
}

/* The block before was not in vmlinux, and this one is. */
static int leave_place(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *b,
		       struct kfi_err *err)
{
	struct cpu *c = &r->cpu[cpu];
	struct task *t = &r->task[c->task];
	u32 n;
	int ret;

	if (c->place == KFI_PLACE_VECTORS)
		return b->is_entry ? push(r, cpu, ns, b->func, 0, 0, TAIL, err) :
				     resync(r, cpu, ns, b, err);
	if (begins_exception(b)) {
		ret = is_called(c->place) ? 0 : pop_to(r, cpu, ns, 0, err);
		return ret ? : exception(r, cpu, ns, NULL, b, err);
	}
	if (!is_called(c->place)) {
		ret = pop_to(r, cpu, ns, 0, err);
		return ret ? : push(r, cpu, ns, b->func, 0, 0, 0, err);
	}
	n = find_ret(r, t, b->pc);
	if (n < t->n)
		return pop_to(r, cpu, ns, n, err);
	return b->is_entry ? push(r, cpu, ns, b->func, 0, 0, 0, err) :
			     resync(r, cpu, ns, b, err);
}

/* Code of vmlinux runs: for the first time a stage begins. */
static int see_kernel(struct kfi_rebuild *r, u32 cpu, s64 ns, struct kfi_err *err)
{
	if (r->started)
		return 0;
	r->started = true;
	return stage(r, cpu, ns, "[kernel]", err);
}

/* The task of the cpu is known. */
static int block_runs(struct kfi_rebuild *r, u32 cpu, s64 ns, u64 pc, struct kfi_err *err)
{
	struct cpu *c = &r->cpu[cpu];
	const struct kfi_block *a = c->block, *b;
	u8 place;
	int ret = 0;

	if (likely(kfi_code_is_in(r->code, pc))) {
		b = kfi_code_block(r->code, pc);
		if (unlikely(!b))
			return no_memory(r, err);
		if (likely(a)) {
			c->block = b;
			return follows(r, cpu, ns, a, b, err);
		}
		ret = see_kernel(r, cpu, ns, err);
		if (ret)
			return ret;
		ret = c->place != KFI_PLACES ? leave_place(r, cpu, ns, b, err) :
					      resync(r, cpu, ns, b, err);
		c->block = b;
		c->place = KFI_PLACES;
		return ret;
	}
	place = kfi_code_place(r->code, pc, c->place, r->started);
	if (likely(place == c->place && !a))
		return 0;
	ret = enter_place(r, cpu, ns, place, err);
	c->block = NULL;
	c->place = place;
	return ret;
}

static int add_cpus(struct kfi_rebuild *r, u32 cpu, struct kfi_err *err)
{
	if (cpu >= CPUS_MAX)
		return kfi_err_set(err, EINVAL, "%s:%llu: cpu %u: more than %u are too many",
				   r->im->log->in.name, (unsigned long long)r->im->log->in.line,
				   cpu, CPUS_MAX);
	if (kfi_grow((void **)&r->cpu, &r->cpu_room, cpu + 1, sizeof(*r->cpu)))
		return no_memory(r, err);
	for (; r->ncpus <= cpu; r->ncpus++)
		r->cpu[r->ncpus] = (struct cpu){ .task = KFI_NONE, .place = KFI_PLACES };
	return 0;
}

int kfi_rebuild_block(struct kfi_rebuild *r, u32 cpu, s64 ns, u64 pc, struct kfi_err *err)
{
	int ret;

	if (unlikely(cpu >= r->ncpus)) {
		ret = add_cpus(r, cpu, err);
		if (ret)
			return ret;
	}
	if (unlikely(r->cpu[cpu].task == KFI_NONE)) {
		u32 task = new_task(r, cpu);

		if (task == KFI_NONE)
			return no_memory(r, err);
		r->cpu[cpu].task = task;
	}
	if (unlikely(r->lost)) {
		for (u32 i = 0; i < r->ncpus; i++) {
			if (r->cpu[i].pick.on) {
				ret = pick_first(r, i, err);
				if (ret)
					return ret;
			}
			r->cpu[i].block = NULL;
		}
		r->lost = false;
	}
	/* Records are in order of time: others do not go on while blocks wait. */
	if (unlikely(r->picking != KFI_NONE && r->picking != cpu)) {
		while (r->cpu[r->picking].pick.on) {
			ret = pick_first(r, r->picking, err);
			if (ret)
				return ret;
		}
		r->picking = KFI_NONE;
	}
	if (unlikely(r->cpu[cpu].pick.on))
		return wait_block(r, cpu, ns, pc, err);
	return block_runs(r, cpu, ns, pc, err);
}

void kfi_rebuild_lost(struct kfi_rebuild *r)
{
	r->lost = true;
}

int kfi_rebuild_end(struct kfi_rebuild *r, struct kfi_err *err)
{
	int ret = 0;

	for (u32 i = 0; !ret && i < r->ncpus; i++)
		while (!ret && r->cpu[i].pick.on)
			ret = pick_first(r, i, err);
	if (r->jumps)
		kfi_import_note(r->im, "%llu calls are jumps at the end of a function (tail calls): they are below the function that jumped",
				(unsigned long long)r->jumps);
	if (r->switches)
		kfi_import_note(r->im, "tasks are told apart by return addresses; of %llu switches %llu could have gone to several tasks: the one that had waited longest was taken",
				(unsigned long long)r->switches, (unsigned long long)r->guessed);
	if (r->resyncs)
		kfi_import_note(r->im, "%llu times code went on in a way that no call, return or exception explains: calls were closed or opened there",
				(unsigned long long)r->resyncs);
	return ret;
}

void kfi_rebuild_close(struct kfi_rebuild *r)
{
	if (!r)
		return;
	for (u32 i = 0; i < r->ncpus; i++) {
		free(r->cpu[i].pick.task);
		free(r->cpu[i].pick.taken);
		free(r->cpu[i].pick.ret);
		free(r->cpu[i].pick.wait);
	}
	for (u32 i = 0; i < r->ntasks; i++)
		free(r->task[i].f);
	free(r->task);
	free(r->cpu);
	free(r);
}
