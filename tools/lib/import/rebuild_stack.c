// SPDX-License-Identifier: GPL-2.0
/* Keeps the open calls of the tasks of a trace of blocks: see rebuild_state.h. */
#include "import/rebuild_state.h"

/* Limit of open calls. A stack with more has lost their returns. */
#define DEPTH_MAX	1000

/* If more calls are open, a block that nothing explains closes the others. */
#define UNEXPLAINED_MAX	200

/* Number of blocks in which the call that was really made is searched. */
#define PATCHED_MAX	32

int kfi_rebuild_no_memory(const struct kfi_rebuild *r, struct kfi_err *err)
{
	return kfi_err_set(err, ENOMEM, "%s: out of memory", r->im->log->in.name);
}

u32 kfi_rebuild_new_task(struct kfi_rebuild *r, u32 cpu)
{
	/* The first task of each cpu is its idle task. */
	bool idle = r->cpu[cpu].task == KFI_NONE;
	u32 thread = kfi_import_thread(r->im, idle ? 0 : (s32)r->ntasks, (s32)cpu);

	if (thread == KFI_NONE || kfi_grow((void **)&r->task, &r->task_room, r->ntasks + 1,
					   sizeof(*r->task)))
		return KFI_NONE;
	r->task[r->ntasks] = (struct kfi_rebuild_task){ .thread = thread };
	return r->ntasks++;
}

u32 kfi_rebuild_func_id(struct kfi_rebuild *r, struct kfi_code_func *func)
{
	if (unlikely(func->id == KFI_NONE))
		func->id = func->addr && !(func->flags & KFI_CODE_NAMED) ?
			   kfi_import_func_at(r->im, func->addr) :
			   kfi_import_func(r->im, func->name.s, func->name.len);
	return func->id;
}

int kfi_rebuild_push(struct kfi_rebuild *r, u32 cpu, s64 ns, struct kfi_code_func *func, u32 id,
		     u64 ret, u8 flags, struct kfi_err *err)
{
	struct kfi_rebuild_task *t = &r->task[r->cpu[cpu].task];
	u8 ctx = t->n ? t->f[t->n - 1].ctx : KFI_CTX_TASK;
	struct kfi_import_at at;

	if (t->n == DEPTH_MAX)
		return kfi_err_set(err, EINVAL, "%s:%llu: more than %u calls of a task are open: is the vmlinux that of the traced kernel?",
				   r->im->log->in.name, (unsigned long long)r->im->log->in.line,
				   DEPTH_MAX);
	if (kfi_grow((void **)&t->f, &t->room, t->n + 1, sizeof(*t->f)))
		return kfi_rebuild_no_memory(r, err);
	if (func) {
		id = kfi_rebuild_func_id(r, func);
		if (func->ctx != KFI_CTX_TASK)
			ctx = func->ctx;
		if (func->flags & KFI_CODE_SWITCH) {
			flags |= KFI_FRAME_SWITCH;
			r->cpu[cpu].moved = false;
		}
		if (func->flags & KFI_CODE_THUNK)
			flags |= KFI_FRAME_THUNK;
	}
	if (id == KFI_NONE)
		return kfi_rebuild_no_memory(r, err);
	t->f[t->n++] = (struct kfi_rebuild_frame){
		.ret = ret, .func = func, .flags = flags, .ctx = ctx
	};
	if (flags & KFI_FRAME_THUNK)
		return 0;
	at = kfi_rebuild_at(cpu, ns, ctx);
	return kfi_import_enter(r->im, t->thread, &at, id, ret ? ret : U64_MAX, err);
}

int kfi_rebuild_pop_to(struct kfi_rebuild *r, u32 cpu, s64 ns, u32 n, struct kfi_err *err)
{
	struct kfi_rebuild_task *t = &r->task[r->cpu[cpu].task];
	int ret = 0;

	while (!ret && t->n > n) {
		const struct kfi_rebuild_frame *f = &t->f[--t->n];
		struct kfi_import_at at = kfi_rebuild_at(cpu, ns, f->ctx);

		if (!(f->flags & KFI_FRAME_THUNK))
			ret = kfi_import_exit(r->im, t->thread, &at, KFI_NONE, -1, err);
	}
	return ret;
}

u32 kfi_rebuild_find_ret(const struct kfi_rebuild *r, const struct kfi_rebuild_task *t, u64 pc)
{
	for (u32 i = t->n; i--;) {
		if (kfi_rebuild_is_ret(r, t->f[i].ret, pc))
			return i;
		if (t->f[i].flags & KFI_FRAME_EXCEPTION)
			break;
	}
	return t->n;
}

u32 kfi_rebuild_find_exception(const struct kfi_rebuild_task *t)
{
	for (u32 i = t->n; i--;)
		if (t->f[i].flags & KFI_FRAME_EXCEPTION)
			return i;
	return t->n;
}

int kfi_rebuild_resync(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *b,
		       struct kfi_err *err)
{
	struct kfi_rebuild_task *t = &r->task[r->cpu[cpu].task];
	u32 exception = kfi_rebuild_find_exception(t);
	int ret = 0;

	if (b->func->flags & KFI_CODE_PART && t->n)
		return 0;
	for (u32 i = t->n; i--;) {
		if (t->f[i].func == b->func) {
			/*
			 * If only one call has ended, it was patched, so its return address is
			 * unknown: do not count it.
			 */
			r->resyncs += i + 2 < t->n;
			return kfi_rebuild_pop_to(r, cpu, ns, i + 1, err);
		}
	}
	r->resyncs += t->n || r->cpu[cpu].block;
	/*
	 * If blocks are missing, returns may be missing, too. Otherwise code has changed where it
	 * continues: calls stay open until something returns to them.
	 */
	if (!r->cpu[cpu].block || t->n >= UNEXPLAINED_MAX)
		ret = kfi_rebuild_pop_to(r, cpu, ns, exception < t->n ? exception + 1 : 0, err);
	return ret ? : kfi_rebuild_push(r, cpu, ns, b->func, 0, 0, 0, err);
}

u64 kfi_rebuild_return_address(struct kfi_rebuild *r, const struct kfi_block *a,
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
