// SPDX-License-Identifier: GPL-2.0
/*
 * Report of a boot (--boot): reads the log and passes it to the other files. See kd_boot.h.
 * Memory use grows with functions, marks, and calls that took at least a thousandth of the log.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kd_boot.h"
#include "kd_boot_without.h"

/*
 * Bits in the id of a tree frame, beside the number of the listed call that the frame is or lies
 * in.
 */
#define IS_IDLE		0x20000000u	/* the call is the loop of an idle task, or lies in it */
#define IS_LISTED	0x10000000u	/* the call itself is in the list */
#define NO_CALL		0x0fffffffu	/* the frame is in no listed call */
static_assert((IS_IDLE | IS_LISTED | NO_CALL) < KD_NOBODY);

/* Upper limit of @base, ns. However long the boot is, the list has all calls that take longer. */
#define BASE_MAX	5000000
/* Longest name of a task: TASK_COMM_LEN of the kernel, less the NUL. */
#define TASK_NAME	15
/* Number of programs that a message about --until names. */
#define UNTIL_SHOWN	8
/* @base if the log does not say how long it is. */
#define BASE_UNKNOWN	10000

u32 boot_task(struct kd_boot *b, s32 pid, s32 cpu)
{
	u64 key = pid ? (u32)pid : 1ull << 32 | (u32)cpu;
	u32 *at;

	if (key == b->last_key)
		return b->last_task;
	at = kfi_map_get(&b->task_of, key, b->task.n);
	if (!at)
		return KFI_NONE;
	if (*at == b->task.n) {
		if (boot_grow(&b->task))
			return KFI_NONE;
		b->task.at[b->task.n++] = (struct boot_task){
			.pid = pid, .cpu = pid ? -1 : cpu, .name = KFI_NONE, .event = KFI_NONE,
			.call = KFI_NONE, .first = b->now, .idle_from = -1,
		};
	}
	if (pid == 1)
		b->init_task = *at;
	b->last_key = key;
	b->last_task = *at;
	return *at;
}

static void end_boot(struct kd_boot *b, s64 at, const char *by)
{
	b->end = at;
	b->end_by = by;
	b->is_over = true;
}

/* End the boot, or begin the phase of user space if --until makes the boot go on. */
static void enter_user(struct kd_boot *b, s64 at, const char *by)
{
	if (!b->kd->opt.until)
		end_boot(b, at, by);
	else if (b->user < 0)
		b->user = at;
}

/* End the boot when kernel_init() returns, in case a filter dropped to_userspace() behind it. */
static void look_for_end(struct kd_boot *b)
{
	if (!b->is_over && b->init_end >= 0 && b->now > b->init_end)
		enter_user(b, b->init_end, "the return of kernel_init");
}

/* Record what the call of a function with a role says about the boot. */
static int see_role(struct kd_boot *b, enum boot_role role, const struct kfi_row *row, u32 func)
{
	struct kfi_str name = b->kd->in.names.str[func];
	s64 end = row->delta_ns < 0 ? -1 : row->entry_ns + row->delta_ns;

	if (role == BOOT_IS_START && b->start < 0) {
		b->start = row->entry_ns;
		b->boot_task = boot_task(b, 0, row->cpu);
		if (b->boot_task == KFI_NONE)
			return -ENOMEM;
		return boot_begin_phase(b, row->entry_ns, false, name.s, name.len);
	}
	if (b->start < 0)
		return 0;
	if (role == BOOT_IS_END)
		enter_user(b, row->entry_ns, name.s);
	if (role == BOOT_IS_INIT)
		b->init_end = end;
	if (role == BOOT_IS_SETUP)
		b->setup_end = end;
	if (role == BOOT_IS_EARLY)
		b->early_end = end;
	if (role == BOOT_IS_REST || role == BOOT_IS_INIT)
		return boot_begin_phase(b, row->entry_ns, false, name.s, name.len);
	if (role == BOOT_IS_SETUP || role == BOOT_IS_PHASE)
		return boot_begin_phase(b, row->entry_ns, true, name.s, name.len);
	return 0;
}

/*
 * Add a call to the list. @around: listed call that contains it. Return: its number, or KFI_NONE.
 */
static u32 list_call(struct kd_boot *b, const struct kfi_tree_call *c, u32 around)
{
	const struct kfi_row *row = c->row;
	u32 task = boot_task(b, row->task, row->cpu);

	if (task == KFI_NONE || b->call.n >= NO_CALL || boot_grow(&b->call))
		return KFI_NONE;
	b->call.at[b->call.n] = (struct boot_call){
		.entry = row->entry_ns, .delta = row->delta_ns, .off = row->off_ns,
		.irq = row->irq_ns, .func = c->func, .task = task, .is_open = row->delta_ns < 0,
		.end = row->delta_ns < 0 ? KFI_TREE_NO_END : row->entry_ns + row->delta_ns,
		.parent = around == NO_CALL ? KFI_NONE : around, .prev = b->task.at[task].call,
		.all_dropped = row->below,
	};
	b->task.at[task].call = b->call.n;
	return b->call.n++;
}

/* Add a call of the --without function. @listed: its number in the list. Return: 0 or -ENOMEM. */
static int add_removed(struct kd_boot *b, const struct kfi_row *row, u32 listed)
{
	u32 task = boot_task(b, row->task, row->cpu);

	if (task == KFI_NONE || boot_grow(&b->removed))
		return -ENOMEM;
	b->removed.at[b->removed.n++] = (struct boot_removed){
		.from = row->entry_ns, .task = task,
		.to = row->entry_ns + (row->delta_ns > 0 ? row->delta_ns : 0),
		.call = row->delta_ns < 0 ? listed : KFI_NONE,
	};
	return 0;
}

/* Record a time of which rows are missing. Return: 0 or -ENOMEM. */
static int add_gap(struct kd_boot *b, s64 from, s64 to)
{
	if (b->gap.n && from < b->gap.at[b->gap.n - 1].to)
		from = b->gap.at[b->gap.n - 1].to;
	if (from >= to)
		return 0;
	if (boot_grow(&b->gap))
		return -ENOMEM;
	b->gap.at[b->gap.n++] = (struct boot_gap){ from, to };
	return 0;
}

/* Rows are missing at a line of dots, and before the first kept call if others were overwritten. */
static int look_for_gap(struct kd_boot *b, const struct kfi_row *row)
{
	const struct kfi_log_head *h = &b->kd->in.head;
	s64 before = b->row_end;
	bool dots = b->gaps != b->kd->in.log.gaps;
	bool first = row->delta_ns >= 0 && !b->has_closed && (h->overwritten || h->left_out);

	b->gaps = b->kd->in.log.gaps;
	b->has_closed |= row->delta_ns >= 0;
	b->row_end = row->entry_ns + (row->delta_ns > 0 ? row->delta_ns : 0);
	if (first)
		return add_gap(b, 0, row->entry_ns);
	return dots ? add_gap(b, before, row->entry_ns) : 0;
}

static int begin_idle(struct kd_boot *b, const struct kfi_row *row)
{
	u32 task = boot_task(b, 0, row->cpu);

	if (task == KFI_NONE)
		return -ENOMEM;
	if (task == b->boot_task && b->task.at[task].idle_from < 0)
		b->task.at[task].idle_from = row->entry_ns;
	return 0;
}

/* Logs of other tracers begin after start_kernel(): begin the boot with the first initcall. */
static int begin_late(struct kd_boot *b, const struct kfi_tree_call *c,
		      const struct kfi_tree_place *place)
{
	static const char name[] = "do_one_initcall";
	const struct kfi_str *names = b->kd->in.names.str;
	bool is = !strcmp(names[c->func].s, name);

	if (place->parent_func != KFI_NONE)
		is |= !strcmp(names[place->parent_func].s, name);
	if (c->row->task != 1 || !is)
		return 0;
	b->start = c->row->entry_ns;
	b->boot_task = boot_task(b, 1, c->row->cpu);
	if (b->boot_task == KFI_NONE)
		return -ENOMEM;
	return boot_begin_phase(b, b->start, false, name, (u32)strlen(name));
}

static int add_call(void *arg, const struct kfi_tree_call *c, struct kfi_tree_place *place,
		    bool taken)
{
	const struct kfi_row *row = c->row;
	struct kd_boot *b = arg;
	u32 around = place->parent == KFI_NONE || place->parent == KD_NOBODY ?
		     NO_CALL : place->parent & NO_CALL;
	u32 idle = place->parent == KFI_NONE || place->parent == KD_NOBODY ?
		   0 : place->parent & IS_IDLE;
	u32 ninitcalls = b->initcalls.n;
	bool listed;
	int role;

	b->now = row->entry_ns;
	if (row->delta_ns > 0 && b->log_end < row->entry_ns + row->delta_ns)
		b->log_end = row->entry_ns + row->delta_ns;
	place->frame->id = KD_NOBODY;
	if (b->start < 0 && b->kd->in.log.import && begin_late(b, c, place))
		return -ENOMEM;
	look_for_end(b);
	if (b->is_over)
		return 0;
	if (look_for_gap(b, row))
		return -ENOMEM;
	role = boot_role(b, c->func);
	if (role < 0 || (role && see_role(b, role, row, c->func)))
		return -ENOMEM;
	/* Idle tasks of other CPUs, and task 1, exist from their first call on. */
	if ((row->task == 0 || row->task == 1) && boot_task(b, row->task, row->cpu) == KFI_NONE)
		return -ENOMEM;
	b->func.at[c->func].calls++;
	if (role == BOOT_IS_IDLE && !row->task && begin_idle(b, row))
		return -ENOMEM;
	if (role == BOOT_IS_IDLE && !row->task)
		idle = IS_IDLE;
	listed = row->ctx == KFI_CTX_TASK && !idle &&
		 (row->delta_ns < 0 || row->delta_ns >= b->base ||
		  (b->without != KFI_NONE && boot_is_join(role)));
	if (listed) {
		around = list_call(b, c, around);
		if (around == KFI_NONE)
			return -ENOMEM;
	}
	if (c->func == b->without && !idle && add_removed(b, row, listed ? around : KFI_NONE))
		return -ENOMEM;
	place->frame->id = around | idle | (listed ? IS_LISTED : 0);
	if (kd_initcalls_call(&b->initcalls, c, place))
		return -ENOMEM;
	if (listed && b->initcalls.n > ninitcalls)
		b->initcalls.one[ninitcalls].call = around;
	return 0;
}

/* Add the self time of a call that has ended. Calls without an exit get their latest end here. */
static void call_over(void *arg, const struct kfi_tree_frame *f)
{
	struct kd_boot *b = arg;
	u32 id = KD_NUMBER(f->id);
	struct boot_func *fn;
	s64 local = f->local_ns;

	if (id == KD_NOBODY)
		return;
	fn = &b->func.at[f->func];
	if (id & IS_LISTED && f->delta_ns < 0)
		b->call.at[id & NO_CALL].end = f->end < b->now ? f->end : b->now;
	if (id & IS_LISTED)
		b->call.at[id & NO_CALL].all_rows = f->below;
	if (f->delta_ns < 0 || id & IS_IDLE)
		return;
	if (local < 0) {
		/* A historic log does not tell whether a task slept or ran. */
		if (fn->role == BOOT_IS_SLEEP)
			return;
		local = f->delta_ns - f->child_ns;
		fn->unsure |= f->unsure || local < 0;
	}
	/* If a call goes on when the boot is over, the time before that is unknown. */
	if (b->is_over && f->end > b->end) {
		fn->unsure = true;
		if (local > b->end - (f->end - f->delta_ns))
			local = b->end - (f->end - f->delta_ns);
	}
	if (local > 0 && __builtin_add_overflow(fn->local, (u64)local, &fn->local))
		fn->local = U64_MAX;
}

/* Record a program that was started after the boot. The name is the rest of the mark's text. */
static int add_program(struct kd_boot *b, const struct kfi_log_mark *m)
{
	struct kfi_str name = kd_mark_word(m, 1);
	struct boot_program *x;

	if (!name.len)
		return 0;
	if (boot_grow(&b->program))
		return -ENOMEM;
	x = &b->program.at[b->program.n++];
	*x = (struct boot_program){
		.at = m->entry_ns, .pid = m->task,
		.name = kfi_names_get(&b->words, name.s, (u32)(m->text.s + m->text.len - name.s)),
	};
	return x->name == KFI_NONE ? -ENOMEM : 0;
}

/*
 * Return true if a mark starts the program of --until. Marks have the name of the task, which has
 * no folders.
 */
static bool is_until(const struct kd_boot *b, const struct kfi_log_mark *m)
{
	const char *want = b->kd->opt.until, *slash = want ? strrchr(want, '/') : NULL;
	struct kfi_str name = kd_mark_word(m, 1);
	u32 len = name.len ? (u32)(m->text.s + m->text.len - name.s) : 0;

	want = slash ? slash + 1 : want;
	return want && len == strnlen(want, TASK_NAME) && !strncmp(want, name.s, len);
}

/* Handle the mark of a task that executes another program. */
static int add_exec(struct kd_boot *b, const struct kfi_log_mark *m)
{
	if (!b->is_over && b->start >= 0 && m->task == 1)
		enter_user(b, m->entry_ns, "the first program");
	if (!b->is_over && b->start >= 0 && is_until(b, m)) {
		b->end_task = boot_task(b, m->task, m->cpu);
		end_boot(b, m->entry_ns, b->until);
		if (b->end_task == KFI_NONE)
			return -ENOMEM;
	}
	return b->is_over || b->user >= 0 ? add_program(b, m) : 0;
}

static int add_item(void *arg, int item)
{
	struct kd_boot *b = arg;
	const struct kfi_log_mark *m = &b->kd->in.log.mark;
	struct kfi_str level;

	if (item != KFI_LINE_MARK)
		return 0;
	b->now = m->entry_ns;
	look_for_end(b);
	if (kfi_log_mark_is(m, "exec") && add_exec(b, m))
		return -ENOMEM;
	/* This mark was kept, so no mark of the boot was lost before the boot's end. */
	if (b->is_over) {
		b->last_mark = b->end;
		return 0;
	}
	if (kfi_log_mark_is(m, "level")) {
		char name[KFI_EVENT_TEXT_MAX + 16];

		level = kd_mark_word(m, 1);
		snprintf(name, sizeof(name), "initcalls: %.*s",
			 (int)min_t(u32, level.len, KFI_EVENT_TEXT_MAX), level.s);
		if (boot_begin_phase(b, m->entry_ns, false, name, (u32)strlen(name)))
			return -ENOMEM;
	}
	return boot_mark(b, m) || kd_initcalls_mark(&b->initcalls, m) ? -ENOMEM : 0;
}

/* Return true if @cause is "entry to function NAME" with this role. NAME may be an address. */
static bool is_entry_to(const struct kd *kd, const char *cause, enum boot_role role)
{
	static const char text[] = "entry to function ";
	struct kfi_str func = { cause + strlen(text), 0 };
	struct kfi_name name;
	u64 addr;

	if (strncmp(cause, text, strlen(text)))
		return false;
	func.len = (u32)strlen(func.s);
	if (kd->in.resolve && kfi_str_hex(func, &addr) &&
	    kfi_resolve_at(kd->in.resolve, addr, KFI_ANY_TIME, &name))
		func = name.str;
	return boot_role_of(func) == role;
}

bool kd_is_boot(const struct kd *kd)
{
	return is_entry_to(kd, kd->in.head.start_by, BOOT_IS_START);
}

/* Find when the boot and the log ended. */
static void find_end(struct kd_boot *b)
{
	s64 span = kfi_log_head_span(&b->kd->in.head);

	if (b->log_end < b->now)
		b->log_end = b->now;
	/* The header has two times, each in whole microseconds. */
	if (span >= 0 && span <= S64_MAX / 1000 && b->log_end < span * 1000)
		b->log_end = span * 1000;
	if (b->is_over)
		return;
	b->end = b->log_end;
	if (is_entry_to(b->kd, b->kd->in.head.stop_by, BOOT_IS_END))
		end_boot(b, b->log_end, "to_userspace");
	else if (b->init_end >= 0)
		end_boot(b, b->init_end, "the return of kernel_init");
}

/* Set an end for calls that have none. */
static void end_calls(struct kd_boot *b)
{
	for (u32 i = 0; i < b->call.n; i++)
		if (b->call.at[i].is_open && b->call.at[i].end >= b->now)
			b->call.at[i].end = b->log_end;
}

static void set_base(struct kd_boot *b)
{
	s64 span = kfi_log_head_span(&b->kd->in.head);

	/* A thousandth of the log: the span is in microseconds, @base in nanoseconds. */
	b->base = span < 0 ? BASE_UNKNOWN : span;
	if (b->base > BASE_MAX)
		b->base = BASE_MAX;
	if (b->kd->opt.time)
		b->base = b->kd->opt.time_ns;
	if (b->base < 1)
		b->base = 1;
}

/* Report that the program of --until was not started, and which ones were. */
static int report_until(const struct kd_boot *b, struct kfi_err *err)
{
	const char *log = b->kd->in.log.in.name, *until = b->kd->opt.until;
	char list[UNTIL_SHOWN * (KFI_EVENT_TEXT_MAX + 2) + 1] = "";
	size_t n = 0;

	if (!b->program.n)
		return kfi_err_set(err, EINVAL,
				   "%s: --until %s: the log has no start of a program after to_userspace: record the boot with mark wakeups, and go on after it",
				   log, until);
	for (u32 i = 0; i < b->program.n && i < UNTIL_SHOWN; i++)
		n += snprintf(list + n, sizeof(list) - n, "%s%.*s", i ? ", " : "",
			      KFI_EVENT_TEXT_MAX, b->words.str[b->program.at[i].name].s);
	return kfi_err_set(err, EINVAL, "%s: --until %s: it was not started; programs that were: %s%s",
			   log, until, list, b->program.n > UNTIL_SHOWN ? ", ..." : "");
}

/* Set the task with which the boot ends: that of --until, or task 1. */
static int find_end_task(struct kd_boot *b, struct kfi_err *err)
{
	if (b->kd->opt.until && b->end_task == KFI_NONE)
		return report_until(b, err);
	if (b->end_task == KFI_NONE)
		b->end_task = b->init_task;
	return 0;
}

/* Return the number of the first run that began with the boot, from 1, or 0 if there is none. */
static u32 find_boot_run(const struct kd *kd)
{
	for (u32 i = 0; i <= kd->in.log.run && i < KD_RUNS; i++)
		if (is_entry_to(kd, kd->in.runs[i].start_by, BOOT_IS_START))
			return i + 1;
	return 0;
}

/* Report that functions are addresses, and where names for them are missing. */
static int report_addresses(const struct kd *kd, struct kfi_err *err)
{
	static const char text[] = "--boot needs the names of functions";
	const char *name = kd->in.log.in.name, *build_id = kd->in.head.build_id;

	if (!kd->opt.symbols)
		return kfi_err_set(err, EINVAL, "%s: %s: --map, --vmlinux or addr2sym", name, text);
	if (!*build_id)
		return kfi_err_set(err, EINVAL,
				   "%s: %s: the log has no build id, which --symbols needs: use --map, --vmlinux or addr2sym",
				   name, text);
	return kfi_err_set(err, EINVAL, "%s: %s: --symbols: there is no %s/%.64s/vmlinux, and no System.map in its place",
			   name, text, kd->opt.symbols, build_id);
}

/* Check that the log has what the report needs. Return: 0 or -EINVAL. */
static int check_log(struct kd_boot *b, struct kfi_err *err)
{
	const char *name = b->kd->in.log.in.name;
	u32 run = b->start < 0 ? find_boot_run(b->kd) : 0;

	if (b->start < 0 && b->kd->in.addresses && !b->kd->in.resolve)
		return report_addresses(b->kd, err);
	if (run && run != (b->kd->opt.want_run ? b->kd->opt.want_run : 1))
		return kfi_err_set(err, EINVAL,
				   "%s: --boot needs the log of a boot: that is run %u of this file: use -R %u",
				   name, run, run);
	if (b->start < 0)
		return kfi_err_set(err, EINVAL,
				   "%s: --boot needs the log of a boot: start_kernel is not in it",
				   name);
	if (b->kd->in.head.rounds > 1)
		return kfi_err_set(err, EINVAL,
				   "%s: --boot cannot tell the iterations of a log apart: record the boot without autorepeat",
				   name);
	return 0;
}

int boot_check_sum(const struct kd_boot *b, struct kfi_err *err)
{
	s64 at = b->start;

	for (u32 i = 0; i < b->line.n; i++) {
		s64 sum = 0;

		for (u32 k = 0; k < BOOT_KINDS; k++)
			sum += b->line.at[i].of[k];
		if (b->line.at[i].from != at || b->line.at[i].to - at != sum || sum < 0)
			at = S64_MAX;
		else
			at = b->line.at[i].to;
	}
	if (at == b->end)
		return 0;
	return kfi_err_set(err, EBADMSG,
			   "%s: the pieces of the path do not add up to the boot: please report this error of kd",
			   b->kd->in.log.in.name);
}

/* Set the text that the report shows for the end of the boot with --until. */
static int name_end(struct kd_boot *b)
{
	char text[256];
	u32 name;

	snprintf(text, sizeof(text), "the start of %s", b->kd->opt.until);
	name = kfi_names_get(&b->words, text, (u32)strlen(text));
	if (name == KFI_NONE)
		return -ENOMEM;
	b->until = b->words.str[name].s;
	return 0;
}

int boot_begin(struct kd_boot *b, struct kd *kd, struct kd_visit *visit, struct kfi_err *err)
{
	*b = (struct kd_boot){
		.kd = kd, .start = -1, .end = -1, .log_end = -1, .setup_end = -1, .early_end = -1,
		.init_end = -1, .last_mark = -1, .user = -1, .boot_task = KFI_NONE,
		.init_task = KFI_NONE, .end_task = KFI_NONE,
		.without = KFI_NONE, .last_key = U64_MAX,
		.initcalls = { .kd = kd, .level = KFI_NONE },
	};
	*visit = (struct kd_visit){
		.call = add_call, .over = call_over, .item = add_item, .arg = b,
	};
	if (kd->opt.without) {
		u32 len = (u32)strlen(kd->opt.without);

		b->without = kfi_names_get(&kd->in.names, kd->opt.without, len);
		if (b->without == KFI_NONE)
			return kfi_err_set(err, ENOMEM, "out of memory");
	}
	if (kd->opt.until && name_end(b))
		return kfi_err_set(err, ENOMEM, "out of memory");
	set_base(b);
	return 0;
}

int boot_end(struct kd_boot *b, struct kfi_err *err)
{
	int ret = check_log(b, err) ? : find_end_task(b, err);

	if (ret)
		return ret;
	find_end(b);
	end_calls(b);
	if (boot_end_phases(b) || boot_path(b))
		return kfi_err_set(err, ENOMEM, "out of memory");
	return 0;
}

int boot_report(struct kd_boot *b, struct kfi_err *err)
{
	int ret;

	if (boot_lines(b))
		return kfi_err_set(err, ENOMEM, "out of memory");
	ret = b->kd->opt.dmesg ? boot_messages(b, err) : 0;
	ret = ret ? : boot_check_sum(b, err);
	if (!ret && boot_show(b))
		ret = kfi_err_set(err, ENOMEM, "out of memory");
	return ret;
}

void boot_free(struct kd_boot *b)
{
	free(b->func.at);
	free(b->call.at);
	free(b->task.at);
	free(b->event.at);
	free(b->piece.at);
	free(b->line.at);
	free(b->name.at);
	free(b->phase.at);
	free(b->program.at);
	free(b->gap.at);
	free(b->removed.at);
	free(b->message.at);
	kfi_names_free(&b->words);
	kfi_map_free(&b->task_of);
	kfi_map_free(&b->in_of);
	kd_initcalls_free(&b->initcalls);
}

int kd_boot(struct kd *kd, struct kfi_err *err)
{
	struct kd_visit visit;
	struct kd_boot b;
	int ret = boot_begin(&b, kd, &visit, err);

	ret = ret ? : kd_walk(kd, &visit, err);
	ret = ret ? : boot_end(&b, err);
	if (!ret)
		ret = kd->opt.without ? boot_without(&b, err) : boot_report(&b, err);
	boot_free(&b);
	return ret;
}
