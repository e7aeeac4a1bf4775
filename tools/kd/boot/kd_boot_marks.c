// SPDX-License-Identifier: GPL-2.0
/* Marks of a boot: the events of each task, and who caused them. See kd_boot.h. */
#include "kd_boot.h"

/* Set the name of a task: the text from word number @at to the end, which may have blanks. */
static int set_name(struct kd_boot *b, u32 task, const struct kfi_log_mark *m, u32 at)
{
	struct kfi_str word = kd_mark_word(m, at);
	u32 name;

	if (!word.len)
		return 0;
	name = kfi_names_get(&b->words, word.s, (u32)(m->text.s + m->text.len - word.s));
	b->task.at[task].name = name;
	return name == KFI_NONE ? -ENOMEM : 0;
}

/* Keep the name that a task had until now, since it executes another program. */
static int end_name(struct kd_boot *b, u32 task)
{
	if (boot_grow(&b->name))
		return -ENOMEM;
	b->name.at[b->name.n++] = (struct boot_name){ b->now, task, b->task.at[task].name };
	return 0;
}

u32 boot_name_at(const struct kd_boot *b, u32 task, s64 at)
{
	for (u32 i = 0; i < b->name.n && at >= 0; i++)
		if (b->name.at[i].task == task && at < b->name.at[i].until)
			return b->name.at[i].name;
	return b->task.at[task].name;
}

/* Return a new event of a task, whose other members the caller sets; NULL: out of memory. */
static struct boot_event *add_event(struct kd_boot *b, u32 task, enum boot_event_kind kind)
{
	struct boot_task *t = &b->task.at[task];
	struct boot_event *e;

	if (b->event.n == KFI_NONE || boot_grow(&b->event))
		return NULL;
	e = &b->event.at[b->event.n];
	*e = (struct boot_event){
		.at = b->now, .task = task, .prev = t->event, .call = t->call, .other = KFI_NONE,
		.other_event = KFI_NONE, .other_call = KFI_NONE, .by = KFI_NONE, .kind = kind,
	};
	t->event = b->event.n++;
	b->last_mark = b->now;
	return e;
}

/* Handle a mark of a switch of a CPU from one task to another. */
static int add_switch(struct kd_boot *b, const struct kfi_log_mark *m, enum boot_event_kind kind)
{
	u32 *in = kfi_map_get(&b->in_of, (u32)m->cpu, KFI_NONE), out, next;
	s32 pid;

	if (!kd_mark_pid(m, &pid))
		return 0;
	out = boot_task(b, m->task, m->cpu);
	next = boot_task(b, pid, m->cpu);
	if (!in || out == KFI_NONE || next == KFI_NONE || set_name(b, next, m, 2))
		return -ENOMEM;
	if (*in != KFI_NONE && b->event.at[*in].task != out)
		b->event.at[*in].is_cut = true;
	b->has_switches = true;
	if (!add_event(b, out, kind) || !add_event(b, next, BOOT_IN))
		return -ENOMEM;
	b->event.at[b->event.n - 1].cpu = *in == KFI_NONE ? b->cpus++ : b->event.at[*in].cpu;
	*in = b->event.n - 1;
	return 0;
}

/* Find what the functions named by a wake-up did, and which one stands for them. */
static int look_at_functions(struct kd_boot *b, const struct kfi_log_mark *m, enum boot_kind *cause,
			     u32 *by)
{
	*cause = BOOT_DEVICE;
	*by = KFI_NONE;
	for (u32 i = 0; i < BOOT_FUNCS; i++) {
		struct kfi_str name = kd_mark_word(m, 2 + i);
		u32 func;
		int role;

		if (!name.len)
			break;
		func = kfi_names_get(&b->kd->in.names, name.s, name.len);
		role = func == KFI_NONE ? -ENOMEM : boot_role(b, func);
		if (role < 0)
			return role;
		if (role != BOOT_IS_WAKE && *by == KFI_NONE)
			*by = func;
		if (*cause == BOOT_DEVICE && role == BOOT_IS_RCU)
			*cause = BOOT_RCU;
		if (*cause == BOOT_DEVICE && role == BOOT_IS_TIMER)
			*cause = BOOT_TIMER;
	}
	/* If the mark names no function outside of the scheduler, the cause is unknown. */
	if (*by == KFI_NONE)
		*cause = BOOT_WAITED;
	return 0;
}

/* Handle a mark of a task that wakes or makes another one. */
static int add_other(struct kd_boot *b, const struct kfi_log_mark *m, enum boot_event_kind kind)
{
	struct boot_event *e;
	enum boot_kind cause;
	u32 task, other, by;
	s32 pid;

	if (!kd_mark_pid(m, &pid))
		return 0;
	other = boot_task(b, m->task, m->cpu);
	task = boot_task(b, pid, m->cpu);
	if (task == KFI_NONE || other == KFI_NONE)
		return -ENOMEM;
	if (kind == BOOT_NEW ? set_name(b, task, m, 2) : look_at_functions(b, m, &cause, &by))
		return -ENOMEM;
	b->has_wakeups = true;
	e = add_event(b, task, kind);
	if (!e)
		return -ENOMEM;
	e->other = other;
	e->other_event = task == other ? e->prev : b->task.at[other].event;
	e->other_call = b->task.at[other].call;
	e->ctx = m->ctx;
	if (kind == BOOT_WAKE) {
		e->cause = cause;
		e->by = by;
	}
	return 0;
}

int boot_mark(struct kd_boot *b, const struct kfi_log_mark *m)
{
	u32 task;

	if (kfi_log_mark_is(m, "switch"))
		return add_switch(b, m, BOOT_BLOCKS);
	if (kfi_log_mark_is(m, "preempt"))
		return add_switch(b, m, BOOT_STAYS);
	if (kfi_log_mark_is(m, "wakeup"))
		return add_other(b, m, BOOT_WAKE);
	if (kfi_log_mark_is(m, "new"))
		return add_other(b, m, BOOT_NEW);
	if (!kfi_log_mark_is(m, "exec"))
		return 0;
	task = boot_task(b, m->task, m->cpu);
	return task == KFI_NONE || end_name(b, task) ? -ENOMEM : set_name(b, task, m, 1);
}

/*
 * Return true if an idle task caused the event after it had finished what it did before. Only the
 * idle task of the first CPU can be preempted before that.
 */
static bool is_by_idle(const struct kd_boot *b, const struct boot_event *e)
{
	const struct boot_task *t = &b->task.at[e->other];

	if (t->pid)
		return false;
	return t->idle_from >= 0 ? e->at >= t->idle_from : e->other_event != KFI_NONE;
}

bool boot_is_by_interrupt(const struct kd_boot *b, const struct boot_event *e)
{
	return e->ctx != KFI_CTX_TASK || e->cause == BOOT_RCU || is_by_idle(b, e);
}
