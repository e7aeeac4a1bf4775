// SPDX-License-Identifier: GPL-2.0
/*
 * Lists calls with arguments and return values (--args), and calls that failed (--errors), from the
 * rows that ``record`` puts into a log:
 *
 *	args FUNCTION DEPTH ARGUMENT...		at its entry
 *	ret FUNCTION DEPTH VALUE		at its exit
 *
 * Names and types come from the debug information of the kernel, or from its BTF. Memory use grows
 * with such calls.
 */
#include <stdlib.h>

#include "kd_initcalls.h"

#define ARGS_MAX	10
#define ERRNO_MAX	4095

/**
 * struct valued - a call with arguments or a return value
 * @entry: nanoseconds
 * @exit: nanoseconds, -1: unknown
 * @delta: duration, -1: unknown
 * @from_ret: @delta ends where the return value was recorded: the call has no row
 * @nr: its number in the order of the calls' first rows
 * @func: number of the function
 * @caller: number of the function that called it, KFI_NONE: unknown
 * @task: task on whose stack the call was
 * @cpu: processor of its first row
 * @depth: depth on that stack
 * @ctx: context
 * @nargs: number of arguments that are known
 * @returned: @ret is known
 * @arg: arguments, as the registers and the stack had them
 * @ret: the return value, as the register had it
 * @error: number of the error that @ret is, 0: none; set when the call is printed
 */
struct valued {
	s64 entry;
	s64 exit;
	s64 delta;
	u32 nr;
	u32 func;
	u32 caller;
	s32 task;
	s32 cpu;
	u32 depth;
	u8 ctx;
	u8 nargs;
	bool from_ret;
	bool returned;
	u64 arg[ARGS_MAX];
	s64 ret;
	int error;
};

/**
 * struct last - the last call at a depth of a task
 * @entry: nanoseconds
 * @delta: nanoseconds, -1: unknown
 * @func: number of the function
 * @caller: number of the function that called it
 */
struct last {
	s64 entry;
	s64 delta;
	u32 func;
	u32 caller;
};

/**
 * struct values - the calls with values of a log
 * @kd: the run
 * @call: the calls, in order of their first rows
 * @n: how many
 * @room: for how many there is room
 * @last_call: maps stack and depth to the number of the latest call in @call
 * @last: rows of calls, the latest one at each depth
 * @nlast: how many
 * @last_room: for how many there is room
 * @last_at: maps stack and depth to a number in @last
 * @types: by function: its types
 * @ntypes: length of @types
 * @untyped: a type was missing to tell whether a call failed
 */
struct values {
	struct kd *kd;
	struct valued *call;
	u32 n;
	u32 room;
	struct kfi_map last_call;
	struct last *last;
	u32 nlast;
	u32 last_room;
	struct kfi_map last_at;
	struct typed {
		bool looked;
		bool known;
		struct kfi_types types;
	} *types;
	u32 ntypes;
	bool untyped;
};

static const struct kd_column columns[] = {
	{ 'e', " Entry    ", 10, NULL, "entry_ns" },
	{ 't', " Duration ", 10, NULL, "duration_ns" },
	{ 'p', "  Task ", 7, NULL, "task" },
	{ 'k', "Name", -15, NULL, "comm" },
	{ 'C', "Cpu", 3, NULL, "cpu" },
	{ 'x', "Ctx", 3, NULL, "ctx" },
	{ 'd', "Depth", 5, NULL, "depth" },
	{ 'B', "Called by", -25, NULL, "caller" },
	{ 'F', "Function", -25, NULL, "function" },
	{ 'a', "Arguments", -30, NULL, "args" },
	{ 'r', "Value", 0, NULL, "ret" },
	{ 'E', "Error", 0, NULL, "error" },
	{ 'X', "Call", 0, NULL, "call" },
};

/* Return a key for a shadow stack and a depth. The idle task, pid 0, has a stack on each CPU. */
static u64 key_of(s32 task, s32 cpu, u32 depth)
{
	return (task > 0 ? (u64)(u32)task << 32 : (u64)(u32)(cpu + 1) << 32 | 1u << 31) | depth;
}

/* ---- types ---- */

static struct kfi_types *types_of(struct values *v, u32 func)
{
	struct typed *t = func < v->ntypes ? &v->types[func] : NULL;

	return t && t->known ? &t->types : NULL;
}

/* Look up the types of a function when its first row is read, since its address is known then. */
static int look_up(struct values *v, u32 func)
{
	struct kfi_resolve *r = v->kd->in.resolve;
	struct kfi_str name = v->kd->in.names.str[func];
	u32 old = v->ntypes;
	struct typed *t;

	if (kfi_grow((void **)&v->types, &v->ntypes, func + 1, sizeof(*v->types)))
		return -ENOMEM;
	memset(v->types + old, 0, (v->ntypes - old) * sizeof(*v->types));
	t = &v->types[func];
	if (t->looked || !r)
		return 0;
	t->looked = true;
	/* A copy made by the compiler may have fewer parameters, in other registers. */
	if (memmem(name.s, name.len, ".isra.", 6) || memmem(name.s, name.len, ".constprop.", 11))
		return 0;
	t->known = v->kd->in.lines.addr != U64_MAX ?
		   kfi_resolve_types(r, v->kd->in.lines.addr, v->kd->in.lines.us, &t->types) :
		   kfi_resolve_named(r, name, &t->types);
	return 0;
}

static u64 mask_of(u32 bytes)
{
	return bytes && bytes < 8 ? (1ull << 8 * bytes) - 1 : U64_MAX;
}

static s64 signed_of(u64 value, u32 bytes)
{
	u32 shift = bytes && bytes < 8 ? 64 - 8 * bytes : 0;

	return (s64)(value << shift) >> shift;
}

/* Return the width of a register in bytes. */
static u32 register_bytes(const struct values *v)
{
	return v->kd->in.head.word_bits == 32 ? 4 : 8;
}

static void put_value(FILE *out, const struct kfi_param *p, u64 value)
{
	switch (p ? p->kind : KFI_TYPE_UNKNOWN) {
	case KFI_TYPE_SIGNED:
		fprintf(out, "%lld", (long long)signed_of(value, p->bytes));
		break;
	case KFI_TYPE_BOOL:
		fputs(value & 0xff ? "true" : "false", out);
		break;
	case KFI_TYPE_POINTER:
		if (!value) {
			fputs("NULL", out);
			break;
		}
		/* fall through */
	default:
		fprintf(out, "0x%llx", (unsigned long long)(value & mask_of(p ? p->bytes : 0)));
	}
}

/*
 * Print the arguments. A parameter takes one register; behind the last register, one word of the
 * stack. Where a register has 32 bits, a parameter of 64 bits takes two, the first of which has an
 * even number on ARM (Procedure Call Standard, 6.4), on the stack, too. What is behind a parameter
 * of another size, or of a struct, is in places that only the compiler knows.
 */
static void put_args(FILE *out, struct values *v, const struct valued *c)
{
	const struct kfi_types *t = types_of(v, c->func);
	u32 width = register_bytes(v), reg = 0, i;

	/* The first register may hold the address at which a struct is returned. */
	if (t && t->result.kind == KFI_TYPE_UNKNOWN)
		t = NULL;

	for (i = 0; t && i < t->n && i < KFI_TYPES_MAX && reg < c->nargs; i++) {
		const struct kfi_param *p = &t->param[i];
		u64 value;

		if (p->kind == KFI_TYPE_UNKNOWN || p->bytes > 8)
			break;
		if (p->bytes > width)
			reg += reg & 1;
		if (reg + (p->bytes > width) >= c->nargs)
			break;
		value = c->arg[reg++];
		if (p->bytes > width)
			value |= c->arg[reg++] << 32;
		fprintf(out, "%s%s%s", i ? ", " : "", p->name, *p->name ? "=" : "");
		put_value(out, p, value);
	}
	if (t && i == t->n)
		return;
	if (t && reg >= c->nargs) {
		fprintf(out, "%s...", i ? ", " : "");
		return;
	}
	for (; reg < c->nargs; reg++)
		fprintf(out, "%s0x%llx", reg ? ", " : "", (unsigned long long)c->arg[reg]);
}

/* ---- errors ---- */

/* Numbers that only the kernel uses (include/linux/errno.h); the C library has the others. */
static const char *error_name(int error)
{
	static const struct {
		int error;
		const char *name;
	} kernel[] = {
		{ 512, "ERESTARTSYS" }, { 513, "ERESTARTNOINTR" }, { 514, "ERESTARTNOHAND" },
		{ 515, "ENOIOCTLCMD" }, { 516, "ERESTART_RESTARTBLOCK" }, { 517, "EPROBE_DEFER" },
		{ 518, "EOPENSTALE" }, { 519, "ENOPARAM" }, { 521, "EBADHANDLE" },
		{ 522, "ENOTSYNC" }, { 523, "EBADCOOKIE" }, { 524, "ENOTSUPP" },
		{ 525, "ETOOSMALL" }, { 526, "ESERVERFAULT" }, { 527, "EBADTYPE" },
		{ 528, "EJUKEBOX" }, { 529, "EIOCBQUEUED" }, { 530, "ERECALLCONFLICT" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(kernel); i++)
		if (kernel[i].error == error)
			return kernel[i].name;
	return error ? strerrorname_np(error) : NULL;
}

/*
 * Return the error number in a return value, 0: it is no error. A pointer, or an unsigned number as
 * wide as a pointer, is an error if it is one of the 4095 greatest values (include/linux/err.h). If
 * the type is unknown, a negative number of 32 bits or of a register counts as an error if errno.h
 * has a name for it.
 */
static int error_of(struct values *v, const struct valued *c)
{
	const struct kfi_types *t = types_of(v, c->func);
	const struct kfi_param *p = t ? &t->result : NULL;
	u32 width = register_bytes(v);
	s64 value = c->ret;

	if (!c->returned)
		return 0;
	switch (p ? p->kind : KFI_TYPE_UNKNOWN) {
	case KFI_TYPE_SIGNED:
		value = signed_of((u64)value, p->bytes);
		break;
	case KFI_TYPE_UNSIGNED:
		if (p->bytes != width)
			return 0;
		/* fall through */
	case KFI_TYPE_POINTER:
		value = signed_of((u64)value, width);
		break;
	case KFI_TYPE_UNKNOWN:
		if (p)
			return 0;
		if (!((u64)value >> 32) || width == 4)
			value = signed_of((u64)value, 4);
		if (value >= 0 || value < -ERRNO_MAX || !error_name((int)-value))
			return 0;
		v->untyped = true;
		break;
	default:
		return 0;
	}
	return value < 0 && value >= -ERRNO_MAX ? (int)-value : 0;
}

static void put_ret(FILE *out, struct values *v, const struct valued *c)
{
	const struct kfi_types *t = types_of(v, c->func);

	if (c->error)
		fprintf(out, "%d", -c->error);
	else
		put_value(out, t ? &t->result : NULL, (u64)c->ret & mask_of(register_bytes(v)));
}

/* ---- reading ---- */

static struct valued *add_call(struct values *v, const struct kfi_log_mark *m, u32 func, u32 depth)
{
	if (kfi_grow((void **)&v->call, &v->room, v->n + 1, sizeof(*v->call)))
		return NULL;
	v->call[v->n] = (struct valued){
		.entry = m->entry_ns, .exit = -1, .delta = -1, .nr = v->n, .func = func,
		.caller = KFI_NONE,
		.task = m->task, .cpu = m->cpu, .depth = depth, .ctx = m->ctx,
	};
	return &v->call[v->n++];
}

/* Take the duration and the caller of a call from its row. */
static void use_row(struct valued *c, const struct last *row)
{
	c->entry = row->entry;
	c->delta = row->delta;
	c->caller = row->caller;
	c->from_ret = false;
}

static struct last *last_of(struct values *v, const struct kfi_log_mark *m, u32 depth)
{
	const u32 *at = kfi_map_find(&v->last_at, key_of(m->task, m->cpu, depth));

	return at ? &v->last[*at] : NULL;
}

static int read_row(struct values *v)
{
	struct kfi_row *row = v->kd->in.row;
	u64 key = key_of(row->task, row->cpu, row->depth);
	u32 *at = kfi_map_get(&v->last_at, key, KFI_NONE);
	struct last x = { .entry = row->entry_ns, .delta = row->delta_ns };
	struct kfi_str caller;
	const char *offset;
	const u32 *call;

	/* Without symbols marks have addresses as text: make text of those of the row, too. */
	kfi_log_names(row, v->kd->in.row_text);
	x.func = kd_function(v->kd, row->func);
	caller = row->caller;
	offset = memchr(caller.s, '+', caller.len);
	if (offset)
		caller.len = (u32)(offset - caller.s);
	x.caller = kd_function(v->kd, caller);

	if (!at || x.func == KFI_NONE || x.caller == KFI_NONE)
		return -ENOMEM;
	if (*at == KFI_NONE) {
		if (kfi_grow((void **)&v->last, &v->last_room, v->nlast + 1, sizeof(*v->last)))
			return -ENOMEM;
		*at = v->nlast++;
	}
	v->last[*at] = x;
	/* The row with the arguments may stand before this row: both have the time of the entry. */
	call = kfi_map_find(&v->last_call, key);
	if (call && v->call[*call].func == x.func && v->call[*call].entry == x.entry)
		use_row(&v->call[*call], &x);
	return 0;
}

static bool read_number(struct kfi_str word, u64 *value)
{
	char text[24], *end;
	bool hex = word.len > 2 && word.s[1] == 'x';

	if (!word.len || word.len >= sizeof(text))
		return false;
	memcpy(text, word.s, word.len);
	text[word.len] = '\0';
	errno = 0;
	*value = *text == '-' ? (u64)strtoll(text, &end, 10) : strtoull(text, &end, hex ? 16 : 10);
	return !errno && !*end;
}

static int read_args(struct values *v, const struct kfi_log_mark *m, u32 func, u32 depth)
{
	u64 key = key_of(m->task, m->cpu, depth);
	const struct last *row = last_of(v, m, depth);
	struct valued *c = add_call(v, m, func, depth);
	u32 *call = c ? kfi_map_get(&v->last_call, key, KFI_NONE) : NULL;

	if (!call)
		return -ENOMEM;
	*call = c->nr;
	while (c->nargs < ARGS_MAX &&
	       read_number(kd_mark_word(m, 3 + c->nargs), &c->arg[c->nargs]))
		c->nargs++;
	if (row && row->func == func && row->entry == m->entry_ns)
		use_row(c, row);
	return 0;
}

static int read_ret(struct values *v, const struct kfi_log_mark *m, u32 func, u32 depth)
{
	const u32 *call = kfi_map_find(&v->last_call, key_of(m->task, m->cpu, depth));
	const struct last *row = last_of(v, m, depth);
	struct valued *c = call ? &v->call[*call] : NULL;
	u64 value;

	if (!read_number(kd_mark_word(m, 3), &value))
		return 0;
	/* The row with the arguments was lost, or arguments are not recorded. */
	if (c && (c->func != func || c->returned))
		c = NULL;
	if (!c)
		c = add_call(v, m, func, depth);
	if (!c)
		return -ENOMEM;
	c->returned = true;
	c->ret = (s64)value;
	c->exit = m->entry_ns;
	if (c->nargs && c->delta < 0) {
		c->delta = c->exit - c->entry;
		c->from_ret = true;
	}
	if (!c->nargs && row && row->func == func && row->entry <= m->entry_ns &&
	    (row->delta < 0 || m->entry_ns <= row->entry + row->delta))
		use_row(c, row);
	return 0;
}

static int read_mark(struct values *v)
{
	const struct kfi_log_mark *m = &v->kd->in.log.mark;
	bool args = kfi_log_mark_is(m, "args");
	struct kd *kd = v->kd;
	u64 depth;
	u32 func;

	if ((!args && !kfi_log_mark_is(m, "ret")) || !read_number(kd_mark_word(m, 2), &depth) ||
	    depth > UINT16_MAX)
		return 0;
	func = kd_function(kd, kd_mark_word(m, 1));
	if (func == KFI_NONE || look_up(v, func))
		return -ENOMEM;
	if (!kd_filter_func(&kd->opt.filter, &kd->in.matches, &kd->in.names, func))
		return 0;
	return args ? read_args(v, m, func, (u32)depth) : read_ret(v, m, func, (u32)depth);
}

/* ---- printing ---- */

/* Sort by exit: a call that returned later may have failed because of an earlier one. */
static int by_exit(const void *a, const void *b)
{
	const struct valued *x = a, *y = b;

	if (x->exit != y->exit)
		return x->exit < y->exit ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth > y->depth ? -1 : 1;
	return x->nr < y->nr ? -1 : x->nr > y->nr;
}

static int by_entry(const void *a, const void *b)
{
	const struct valued *x = a, *y = b;

	if (x->entry != y->entry)
		return x->entry < y->entry ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return x->nr < y->nr ? -1 : x->nr > y->nr;
}

/* Return false for type void: the register has a value then, too, but the value means nothing. */
static bool has_value(struct values *v, const struct valued *c)
{
	const struct kfi_types *t = types_of(v, c->func);

	return c->returned && !(t && t->result.kind == KFI_TYPE_VOID);
}

static void put_call(FILE *out, struct values *v, const struct valued *c)
{
	fputs(v->kd->in.names.str[c->func].s, out);
	if (c->nargs) {
		fputc('(', out);
		put_args(out, v, c);
		fputc(')', out);
	}
	if (!has_value(v, c))
		return;
	fputs(" = ", out);
	put_ret(out, v, c);
	if (error_name(c->error))
		fprintf(out, " %s", error_name(c->error));
}

/* Print a cell with @put, or an unknown cell if @known is false. */
static int put_cell(struct kd_table *t, struct values *v, const struct valued *c, bool known,
		    void (*put)(FILE *out, struct values *v, const struct valued *c))
{
	char *text = NULL;
	size_t size;
	FILE *out = known ? open_memstream(&text, &size) : NULL;

	if (!known) {
		kd_cell_unknown(t);
		return 0;
	}
	if (!out)
		return -ENOMEM;
	put(out, v, c);
	if (fclose(out)) {
		free(text);
		return -ENOMEM;
	}
	kd_cell_text(t, text);
	free(text);
	return 0;
}

static int put_values(struct kd_table *t, struct values *v, const struct valued *c)
{
	if (t->out == KD_OUT_TEXT)
		return put_cell(t, v, c, true, put_call);
	kd_cell_text(t, v->kd->in.names.str[c->func].s);
	if (put_cell(t, v, c, c->nargs, put_args) || put_cell(t, v, c, has_value(v, c), put_ret))
		return -ENOMEM;
	if (error_name(c->error))
		kd_cell_text(t, error_name(c->error));
	else
		kd_cell_unknown(t);
	return 0;
}

/*
 * Return true if the filters select a call. They look at its entry: its return value may have been
 * recorded later, and on another CPU.
 */
static bool is_shown(const struct values *v, const struct valued *c)
{
	const struct kfi_row at = {
		.entry_ns = c->entry, .cpu = c->cpu, .task = c->task, .ctx = c->ctx,
	};

	return kd_filter_row(&v->kd->opt.filter, &at);
}

static int print(struct values *v)
{
	struct kd *kd = v->kd;
	struct kd_table t = { .out = kd->opt.out };
	bool comm = kd_shows_comm(kd);
	const char *format = comm ? "etpkBX" : "etpBX";

	if (t.out != KD_OUT_TEXT)
		format = comm ? "etpkCxdBFarE" : "etpCxdBFarE";
	if (v->n)
		qsort(v->call, v->n, sizeof(*v->call),
		      kd->opt.mode == KD_ERRORS ? by_exit : by_entry);
	kd_table_begin(&t, columns, ARRAY_SIZE(columns), format, false);
	for (u32 i = 0; i < v->n && t.rows < kd->opt.num; i++) {
		struct valued *c = &v->call[i];

		if (!is_shown(v, c))
			continue;
		c->error = error_of(v, c);
		if (kd->opt.mode == KD_ERRORS && !c->error)
			continue;
		kd_cell_time_or_unknown(&t, kd->in.head.no_entry ? -1 : c->entry);
		if (c->from_ret)
			kd_cell_time(&t, c->delta, true);
		else
			kd_cell_span(&t, c->entry, c->delta);
		kd_cell_pid(&t, c->task);
		if (comm)
			kd_comm_cell(kd, &t, c->task, c->entry);
		if (t.out != KD_OUT_TEXT) {
			kd_cell_count(&t, c->cpu);
			kd_cell_text(&t, (const char[]){ KFI_CTX_LETTERS[c->ctx], '\0' });
			kd_cell_count(&t, c->depth);
		}
		if (c->caller == KFI_NONE)
			kd_cell_unknown(&t);
		else
			kd_cell_text(&t, kd->in.names.str[c->caller].s);
		if (put_values(&t, v, c))
			return -ENOMEM;
		kd_row_end(&t);
	}
	kd->res.unsure |= t.any_unsure;
	return 0;
}

static int read_all(struct values *v, struct kfi_err *err)
{
	int item, ret;

	while ((item = kd_item(v->kd, err)) > 0) {
		ret = item == KFI_LINE_MARK ? read_mark(v) : item == KFI_LINE_ROW ? read_row(v) : 0;
		if (ret)
			return kfi_err_set(err, ENOMEM, "out of memory");
	}
	return item;
}

int kd_args(struct kd *kd, struct kfi_err *err)
{
	struct values v = { .kd = kd };
	int ret = read_all(&v, err);

	if (!ret && print(&v))
		ret = kfi_err_set(err, ENOMEM, "out of memory");
	if (!ret && !v.n)
		kd_note("the log has no arguments or return values: record args 4 ret FUNC ... in the configuration has the kernel record them");
	if (kd->in.resolve && kd->in.resolve->used_btf)
		kd_note("types are from BTF, which has no addresses: in rare cases they are those of another function of the same name");
	if (v.untyped)
		kd_note("types are unknown: a negative value counts as an error; give --vmlinux with debug information or BTF");
	free(v.call);
	free(v.last);
	free(v.types);
	kfi_map_free(&v.last_call);
	kfi_map_free(&v.last_at);
	return ret;
}
