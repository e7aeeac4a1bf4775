// SPDX-License-Identifier: GPL-2.0
/* Rebuilds the calls of a kernel from a trace of its blocks: see rebuild.h. */
#include <stdio.h>
#include <stdlib.h>

#include "import/rebuild_state.h"

/* Largest number of processors; QEMU has no more. */
#define CPUS_MAX	1024

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

static int bad_range(const char *s, size_t len, struct kfi_err *err)
{
	return kfi_err_set(err, EINVAL, "--range %.*s: expected NAME=FROM-TO with addresses in hex and FROM not above TO",
			   (int)min_t(size_t, len, 80), s);
}

/* Add a range "NAME=0xFROM-0xTO". */
static int add_range(struct kfi_rebuild *r, const char *s, size_t len, struct kfi_err *err)
{
	const char *equals = memchr(s, '=', len), *end = s + len, *dash;
	struct kfi_rebuild_range *x = &r->range[r->nranges];
	struct kfi_str from, to;

	if (!equals || equals == s || (size_t)(equals - s) > sizeof(x->name) - 3)
		return bad_range(s, len, err);
	dash = memchr(equals, '-', end - equals);
	if (!dash)
		return bad_range(s, len, err);
	from = (struct kfi_str){ equals + 1, (u32)(dash - equals - 1) };
	to = (struct kfi_str){ dash + 1, (u32)(end - dash - 1) };
	if ((!kfi_str_hex(from, &x->from) && !kfi_str_hex_digits(from, &x->from)) ||
	    (!kfi_str_hex(to, &x->to) && !kfi_str_hex_digits(to, &x->to)) || x->from > x->to)
		return bad_range(s, len, err);
	if (r->nranges + 1 == KFI_NAMED_RANGES)
		return kfi_err_set(err, EINVAL, "--range: more than %u ranges",
				   KFI_NAMED_RANGES - 1);
	snprintf(x->name, sizeof(x->name), "[%.*s]", (int)(equals - s), s);
	x->func = kfi_import_func(r->im, x->name, strlen(x->name));
	if (x->func == KFI_NONE)
		return kfi_import_no_memory(r->im, err);
	r->nranges++;
	return 0;
}

static int add_program(struct kfi_rebuild *r, const char *s, size_t len, struct kfi_err *err)
{
	r->has_programs = true;
	return kfi_code_add(r->code, s, len, err);
}

/* Handles one item of an option's value. */
typedef int add_fn(struct kfi_rebuild *r, const char *s, size_t len, struct kfi_err *err);

static int add_lines_of(struct kfi_rebuild *r, const char *path, add_fn *add, struct kfi_err *err)
{
	struct kfi_in in = { 0 };
	const char *s;
	size_t len;
	int ret = kfi_in_open(&in, path, err);

	if (ret)
		return ret;
	while (!ret && (ret = kfi_in_line(&in, &s, &len, err)) > 0) {
		while (len && (s[len - 1] == ' ' || s[len - 1] == '\r'))
			len--;
		ret = !len || *s == '#' ? 0 : add(r, s, len, err);
	}
	kfi_in_close(&in);
	return ret;
}

/* Handle items with commas between them, or "@FILE" with one item on each line. */
static int add_items(struct kfi_rebuild *r, const char *text, add_fn *add, struct kfi_err *err)
{
	int ret = 0;

	if (!text)
		return 0;
	if (*text == '@')
		return add_lines_of(r, text + 1, add, err);
	for (size_t n; !ret; text += n + 1) {
		n = strcspn(text, ",");
		ret = add(r, text, n, err);
		if (!text[n])
			break;
	}
	return ret;
}

int kfi_rebuild_ranges(struct kfi_rebuild *r, const char *text, struct kfi_err *err)
{
	return add_items(r, text, add_range, err);
}

int kfi_rebuild_programs(struct kfi_rebuild *r, const char *text, struct kfi_err *err)
{
	return add_items(r, text, add_program, err);
}

/* Return 1 + the number of the first range that contains an address, 0: none. */
static u8 range_of(const struct kfi_rebuild *r, u64 pc)
{
	for (u32 i = 0; i < r->nranges; i++)
		if (pc >= r->range[i].from && pc <= r->range[i].to)
			return (u8)(i + 1);
	return 0;
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
	r->boot = kfi_code_named(code, "start_kernel", strlen("start_kernel"));
	r->waiting_cpu = KFI_NONE;
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

/* Handle a block that begins a function, after a block that has jumped to it. */
static int handle_jump(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *b,
		       struct kfi_err *err)
{
	struct kfi_rebuild_task *t = &r->task[r->cpu[cpu].task];
	struct kfi_rebuild_frame *f = t->n ? &t->f[t->n - 1] : NULL;
	int ret;

	if (b->func->flags & (KFI_CODE_PART | KFI_CODE_THUNK) || (f && f->func == b->func))
		return 0;
	if (f && f->flags & KFI_FRAME_THUNK) {
		u64 site = f->ret;
		u8 flags = f->flags & KFI_FRAME_TAIL;

		t->n--;
		return kfi_rebuild_push(r, cpu, ns, b->func, 0, site, flags, err);
	}
	/* Code in assembler jumps between names: do not make a call for each. */
	for (u32 i = t->n; i && t->f[i - 1].flags & KFI_FRAME_TAIL; i--) {
		if (t->f[i - 1].func == b->func)
			return kfi_rebuild_pop_to(r, cpu, ns, i, err);
	}
	ret = kfi_rebuild_push(r, cpu, ns, b->func, 0, 0, KFI_FRAME_TAIL, err);
	r->jumps++;
	return ret;
}

static int handle_return(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *b,
			 struct kfi_err *err)
{
	struct kfi_rebuild_task *t = &r->task[r->cpu[cpu].task];
	u32 n = t->n;

	while (n && t->f[n - 1].flags & KFI_FRAME_TAIL && !(t->f[n - 1].flags & KFI_FRAME_SWITCH))
		n--;
	if (n && t->f[n - 1].flags & KFI_FRAME_SWITCH)
		return kfi_rebuild_switch(r, cpu, ns, b, err);
	n = kfi_rebuild_find_ret(r, t, b->pc);
	if (n < t->n)
		return kfi_rebuild_pop_to(r, cpu, ns, n, err);
	/* A jump that does the work of a return. */
	if (b->is_entry)
		return handle_jump(r, cpu, ns, b, err);
	return kfi_rebuild_resync(r, cpu, ns, b, err);
}

/* Begin an exception. @a: the block before, or NULL. */
static int enter_exception(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *a,
			   const struct kfi_block *b, struct kfi_err *err)
{
	int ret = kfi_rebuild_push(r, cpu, ns, b->func, 0, 0, KFI_FRAME_EXCEPTION, err);
	struct kfi_rebuild_task *t = &r->task[r->cpu[cpu].task];

	if (!ret)
		t->f[t->n - 1].at = a;
	return ret;
}

static int follows(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *a,
		   const struct kfi_block *b, struct kfi_err *err);

/*
 * Return from an exception to the kernel: the block that runs now must follow the interrupted one.
 */
static int leave_exception(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *b,
			   struct kfi_err *err)
{
	struct kfi_rebuild_task *t = &r->task[r->cpu[cpu].task];
	u32 n = kfi_rebuild_find_exception(t);

	if (n < t->n) {
		const struct kfi_block *a = t->f[n].at;
		int ret = kfi_rebuild_pop_to(r, cpu, ns, n, err);

		return ret || !a ? ret : follows(r, cpu, ns, a, b, err);
	}
	if (b->func == (t->n ? t->f[t->n - 1].func : NULL))
		return 0;
	return kfi_rebuild_resync(r, cpu, ns, b, err);
}

/* Handle the step from code of vmlinux to code of vmlinux. */
static int run_in_kernel(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *a,
			 const struct kfi_block *b, struct kfi_err *err)
{
	bool goes_there = b->pc == a->target && a->target;

	if (kfi_rebuild_begins_exception(b) && b->func != a->func && !goes_there) {
		/* A second exception begins before the interrupted code runs again. */
		if (a->last == KFI_END_ERET) {
			struct kfi_rebuild_task *t = &r->task[r->cpu[cpu].task];
			u32 n = kfi_rebuild_find_exception(t);
			int ret;

			a = n < t->n ? t->f[n].at : NULL;
			ret = kfi_rebuild_pop_to(r, cpu, ns, n < t->n ? n : 0, err);
			if (ret)
				return ret;
		}
		return enter_exception(r, cpu, ns, a, b, err);
	}
	switch (a->last) {
	case KFI_END_CALL:
	case KFI_END_CALL_REG:
		if (b->is_entry)
			return kfi_rebuild_push(r, cpu, ns, b->func, 0, goes_there ? a->end :
						kfi_rebuild_return_address(r, a, b), 0, err);
		break;
	case KFI_END_JUMP:
	case KFI_END_BRANCH:
	case KFI_END_JUMP_REG:
		if (b->is_entry && (goes_there || a->last == KFI_END_JUMP_REG))
			return a->last == KFI_END_JUMP_REG && r->task[r->cpu[cpu].task].n &&
			       r->task[r->cpu[cpu].task].f[r->task[r->cpu[cpu].task].n - 1].flags &
			       KFI_FRAME_SWITCH ? handle_return(r, cpu, ns, b, err) :
						  handle_jump(r, cpu, ns, b, err);
		if (goes_there)
			return 0;
		break;
	case KFI_END_RETURN:
		return handle_return(r, cpu, ns, b, err);
	case KFI_END_ERET:
		return leave_exception(r, cpu, ns, b, err);
	default:
		break;
	}
	/* The code was patched, or this is the next instruction after an exception. */
	if (b->func == a->func)
		return 0;
	if (b->is_entry)
		return kfi_rebuild_push(r, cpu, ns, b->func, 0,
					kfi_rebuild_return_address(r, a, b), 0, err);
	return kfi_rebuild_find_ret(r, &r->task[r->cpu[cpu].task], b->pc) <
	       r->task[r->cpu[cpu].task].n ? handle_return(r, cpu, ns, b, err) :
					     kfi_rebuild_resync(r, cpu, ns, b, err);
}

/* As run_in_kernel(), if the second block does not merely continue the first. */
static int follows(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *a,
		   const struct kfi_block *b, struct kfi_err *err)
{
	bool calls = a->last == KFI_END_CALL || a->last == KFI_END_CALL_REG;

	if (likely(b->pc - a->pc - 1 < a->within))
		return 0;
	/* An instruction that is repeated, or that had not run when an exception came. */
	if (b == a && !(calls && a->target == b->pc))
		return 0;
	/* Usually a jump within a function. */
	if (b->pc == a->target && b->func == a->func && !b->is_entry)
		return 0;
	return run_in_kernel(r, cpu, ns, a, b, err);
}

/* Return true if a place is a part of the kernel, which code of the kernel calls. */
static bool is_called(u8 place)
{
	return place == KFI_PLACE_OTHER || place == KFI_PLACE_VECTORS;
}

/* Begin a stage of the boot. */
static int begin_stage(struct kfi_rebuild *r, u32 cpu, s64 ns, const char *name,
		       struct kfi_err *err)
{
	struct kfi_import_at at = kfi_rebuild_at(cpu, ns, KFI_CTX_TASK);

	return kfi_import_mark(r->im, r->task[r->cpu[cpu].task].thread, &at, "stage", name,
			       strlen(name), err);
}

/* Handle a block that is not in vmlinux. */
static int enter_place(struct kfi_rebuild *r, u32 cpu, s64 ns, u8 place, u8 range,
		       struct kfi_code_func *program, struct kfi_err *err)
{
	struct kfi_rebuild_cpu *c = &r->cpu[cpu];
	const struct kfi_block *a = c->block;
	u64 site = a && (a->last == KFI_END_CALL || a->last == KFI_END_CALL_REG) ? a->end : 0;
	struct kfi_rebuild_task *t = &r->task[c->task];
	bool was_new = !t->n && c->place == KFI_PLACES && !a;
	u32 id = program ? kfi_rebuild_func_id(r, program) :
		 range ? r->range[range - 1].func : r->places[place];
	int ret = 0;

	/* A module returns to a module whose call is still open. */
	if (is_called(place) && a && a->last == KFI_END_RETURN)
		for (u32 i = t->n; i--;)
			if (t->f[i].flags & KFI_FRAME_PLACE && !t->f[i].func)
				return kfi_rebuild_pop_to(r, cpu, ns, i + 1, err);
	/*
	 * In user space the kernel stack is empty. A stage of the boot never returns to another
	 * one.
	 */
	if (!is_called(place))
		ret = kfi_rebuild_pop_to(r, cpu, ns, 0, err);
	else if (c->place != KFI_PLACES && t->n)
		ret = kfi_rebuild_pop_to(r, cpu, ns, t->n - 1, err);
	if (!ret && !is_called(place) && place != KFI_PLACE_USER && !r->started &&
	    (was_new || place != c->place || range != c->range))
		ret = begin_stage(r, cpu, ns,
				  range ? r->range[range - 1].name : place_names[place], err);
	return ret ? : kfi_rebuild_push(r, cpu, ns, NULL, id, site,
					KFI_FRAME_PLACE | (place == KFI_PLACE_VECTORS ?
							   KFI_FRAME_EXCEPTION : 0), err);
}

/* Handle a block in vmlinux after a block that was not in vmlinux. */
static int leave_place(struct kfi_rebuild *r, u32 cpu, s64 ns, const struct kfi_block *b,
		       struct kfi_err *err)
{
	struct kfi_rebuild_cpu *c = &r->cpu[cpu];
	struct kfi_rebuild_task *t = &r->task[c->task];
	u32 n;
	int ret;

	if (c->place == KFI_PLACE_VECTORS)
		return b->is_entry ?
		       kfi_rebuild_push(r, cpu, ns, b->func, 0, 0, KFI_FRAME_TAIL, err) :
		       kfi_rebuild_resync(r, cpu, ns, b, err);
	if (kfi_rebuild_begins_exception(b)) {
		ret = is_called(c->place) ? 0 : kfi_rebuild_pop_to(r, cpu, ns, 0, err);
		return ret ? : enter_exception(r, cpu, ns, NULL, b, err);
	}
	if (!is_called(c->place)) {
		ret = kfi_rebuild_pop_to(r, cpu, ns, 0, err);
		return ret ? : kfi_rebuild_push(r, cpu, ns, b->func, 0, 0, 0, err);
	}
	n = kfi_rebuild_find_ret(r, t, b->pc);
	if (n < t->n)
		return kfi_rebuild_pop_to(r, cpu, ns, n, err);
	return b->is_entry ? kfi_rebuild_push(r, cpu, ns, b->func, 0, 0, 0, err) :
			     kfi_rebuild_resync(r, cpu, ns, b, err);
}

/* The first time that code of vmlinux runs, a stage of the boot begins. */
static int begin_kernel_stage(struct kfi_rebuild *r, u32 cpu, s64 ns, struct kfi_err *err)
{
	if (r->started)
		return 0;
	r->started = true;
	return begin_stage(r, cpu, ns, "[kernel]", err);
}

/* Run a block of a CPU whose task is known. */
int kfi_rebuild_run(struct kfi_rebuild *r, u32 cpu, s64 ns, u64 pc, struct kfi_err *err)
{
	struct kfi_rebuild_cpu *c = &r->cpu[cpu];
	const struct kfi_block *a = c->block, *b;
	struct kfi_code_func *program = NULL;
	u8 place, range;
	int ret = 0;

	if (likely(kfi_code_is_in(r->code, pc))) {
		b = kfi_code_block(r->code, pc);
		if (unlikely(!b))
			return kfi_rebuild_no_memory(r, err);
		if (likely(a)) {
			c->block = b;
			return follows(r, cpu, ns, a, b, err);
		}
		ret = begin_kernel_stage(r, cpu, ns, err);
		if (ret)
			return ret;
		ret = c->place != KFI_PLACES ? leave_place(r, cpu, ns, b, err) :
					      kfi_rebuild_resync(r, cpu, ns, b, err);
		c->block = b;
		c->place = KFI_PLACES;
		return ret;
	}
	place = kfi_code_place(r->code, pc, c->place, r->started);
	range = unlikely(r->nranges) ? range_of(r, pc) : 0;
	if (unlikely(r->has_programs) && !range)
		program = kfi_code_program(r->code, pc);
	if (likely(place == c->place && range == c->range && program == c->program && !a))
		return 0;
	if (range)
		r->range[range - 1].has_run = true;
	ret = enter_place(r, cpu, ns, place, range, program, err);
	c->block = NULL;
	c->place = place;
	c->range = range;
	c->program = program;
	return ret;
}

static int add_cpus(struct kfi_rebuild *r, u32 cpu, struct kfi_err *err)
{
	if (cpu >= CPUS_MAX)
		return kfi_err_set(err, EINVAL, "%s:%llu: CPU %u: kd reads traces of up to %u CPUs",
				   r->im->log->in.name, (unsigned long long)r->im->log->in.line,
				   cpu, CPUS_MAX);
	if (kfi_grow((void **)&r->cpu, &r->cpu_room, cpu + 1, sizeof(*r->cpu)))
		return kfi_rebuild_no_memory(r, err);
	for (; r->ncpus <= cpu; r->ncpus++)
		r->cpu[r->ncpus] = (struct kfi_rebuild_cpu){ .task = KFI_NONE,
							     .place = KFI_PLACES,
							     .left = KFI_NONE };
	return 0;
}

int kfi_rebuild_unmoved(struct kfi_rebuild *r, u32 cpu, s64 ns, u64 pc, struct kfi_err *err)
{
	int ret;

	r->boots += unlikely(pc == r->boot);
	if (unlikely(cpu >= r->ncpus)) {
		ret = add_cpus(r, cpu, err);
		if (ret)
			return ret;
	}
	if (unlikely(r->cpu[cpu].task == KFI_NONE)) {
		u32 task = kfi_rebuild_new_task(r, cpu);

		if (task == KFI_NONE)
			return kfi_rebuild_no_memory(r, err);
		r->cpu[cpu].task = task;
	}
	if (unlikely(r->lost)) {
		for (u32 i = 0; i < r->ncpus; i++) {
			if (r->cpu[i].pick.is_active) {
				ret = kfi_rebuild_pick(r, i, err);
				if (ret)
					return ret;
			}
			r->cpu[i].block = NULL;
		}
		r->lost = false;
	}
	/* Records must be in order of time, so no other CPU may continue while blocks wait. */
	if (unlikely(r->waiting_cpu != KFI_NONE && r->waiting_cpu != cpu)) {
		while (r->cpu[r->waiting_cpu].pick.is_active) {
			ret = kfi_rebuild_pick(r, r->waiting_cpu, err);
			if (ret)
				return ret;
		}
		r->waiting_cpu = KFI_NONE;
	}
	if (unlikely(r->cpu[cpu].pick.is_active))
		return kfi_rebuild_wait(r, cpu, ns, pc, err);
	return kfi_rebuild_run(r, cpu, ns, pc, err);
}

int kfi_rebuild_block(struct kfi_rebuild *r, u32 cpu, s64 ns, u64 pc, struct kfi_err *err)
{
	const struct kfi_rebuild_move *m = &r->move;

	if (unlikely(m->is_searching) && (pc >> 63 || m->n))
		return kfi_rebuild_move_wait(r, &(struct kfi_rebuild_early){
			.ns = ns, .pc = pc, .cpu = cpu }, err);
	if (unlikely(m->offset) && pc - m->offset - m->from < m->size)
		pc -= m->offset;
	return kfi_rebuild_unmoved(r, cpu, ns, pc, err);
}

int kfi_rebuild_lost(struct kfi_rebuild *r, struct kfi_err *err)
{
	int ret = r->move.n ? kfi_rebuild_moved(r, err) : 0;

	r->lost = true;
	return ret;
}

/* Report ranges of the user in which no block has run: their addresses are probably wrong. */
static void note_unused_ranges(struct kfi_rebuild *r)
{
	char names[400];
	size_t n = 0;
	u32 more = 0;

	for (u32 i = 0; i < r->nranges; i++) {
		const struct kfi_rebuild_range *x = &r->range[i];

		if (x->has_run)
			continue;
		if (n + strlen(x->name) + 3 > sizeof(names))
			more++;
		else
			n += (size_t)sprintf(names + n, n ? " %s" : "%s", x->name);
	}
	if (more)
		kfi_import_note(r->im, "--range: no block outside vmlinux ran in %s and %u others",
				names, more);
	else if (n)
		kfi_import_note(r->im, "--range: no block outside vmlinux ran in %s", names);
}

int kfi_rebuild_end(struct kfi_rebuild *r, struct kfi_err *err)
{
	int ret = r->move.n ? kfi_rebuild_moved(r, err) : 0;

	for (u32 i = 0; !ret && i < r->ncpus; i++)
		while (!ret && r->cpu[i].pick.is_active)
			ret = kfi_rebuild_pick(r, i, err);
	if (r->boots > 1)
		kfi_import_note(r->im, "start_kernel begins %llu times: calls of several boots are added up; write each boot to a trace of its own",
				(unsigned long long)r->boots);
	if (r->jumps)
		kfi_import_note(r->im, "%llu calls are jumps at the end of a function (tail calls): kd shows them below the function that jumped",
				(unsigned long long)r->jumps);
	if (r->switches)
		kfi_import_note(r->im, "kd tells tasks apart by %s; of %llu switches %llu could have gone to several tasks: kd chose the task that had waited longest",
				r->has_stacks ? "their stacks" : "return addresses",
				(unsigned long long)r->switches, (unsigned long long)r->guessed);
	if (r->resyncs)
		kfi_import_note(r->im, "%llu blocks follow from no call, return or exception: kd closed or opened calls there",
				(unsigned long long)r->resyncs);
	if (r->move.offset)
		kfi_import_note(r->im, "the kernel was 0x%llx above the addresses of vmlinux (KASLR)",
				(unsigned long long)r->move.offset);
	note_unused_ranges(r);
	return ret;
}

void kfi_rebuild_close(struct kfi_rebuild *r)
{
	if (!r)
		return;
	for (u32 i = 0; i < r->ncpus; i++) {
		free(r->cpu[i].pick.task);
		free(r->cpu[i].pick.nreturned);
		free(r->cpu[i].pick.ret);
		free(r->cpu[i].pick.wait);
	}
	for (u32 i = 0; i < r->ntasks; i++)
		free(r->task[i].f);
	free(r->move.wait);
	free(r->task);
	free(r->cpu);
	free(r);
}
