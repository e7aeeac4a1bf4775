// SPDX-License-Identifier: GPL-2.0
/*
 * Prints kd's call trace (-c): each tree by itself, interlaced in order of entry (-i), or as read
 * (-r). Marks and watch rows stand in it as comments, where and when they happened. Each thread of
 * execution has a punctuation character, and frames: see kd_frames.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kd_frames.h"
#include "kd_trace.h"

/* Characters of threads in the order of the historic kd; after the last comes the first again. */
static const char chars[] = "|!@[#;($/{%]*)&:\\}";

/* Prefetch a call this number of calls before it is printed: trees lie mixed in memory. */
#define SOON		12

/* Deeper calls are not indented further, and show their level as a number. */
#define INDENT_MAX	200

static char char_of(u32 thread)
{
	return chars[thread % (sizeof(chars) - 1)];
}

static void put(struct kd_trace *t, const char *s)
{
	kfi_out_put(&t->out, s, strlen(s));
}

/* Print a number or a text, right-aligned, and a blank. */
static void put_number(struct kd_trace *t, s64 v, const char *mark, size_t width)
{
	char text[32], *end = text + sizeof(text) - 1, *s;
	size_t n = strlen(mark);

	*end = ' ';
	memcpy(end - n, mark, n);
	s = kfi_out_number(v, end - n);
	while (end - s < (ptrdiff_t)width)
		*--s = ' ';
	kfi_out_put(&t->out, s, end + 1 - s);
}

/* Titles of the columns, as wide as the columns. */
static const struct {
	char id;
	const char *title;
	const char *rule;
} heads[] = {
	{ 'e', " Entry     ", "---------- " },
	{ 't', " Duration  ", "---------- " },
	{ 'l', " Local     ", "---------- " },
	{ 'p', "  Pid   ", "------- " },
	{ 'k', "Task            ", "--------------- " },
};

size_t kd_trace_width(const struct kd_trace *t)
{
	size_t n = 0;

	for (const char *f = t->format; *f; f++)
		for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
			if (heads[i].id == *f)
				n += strlen(heads[i].rule);
	return n;
}

static void print_head(struct kd_trace *t)
{
	for (int rule = 0; rule < 2; rule++) {
		put(t, term_ink(rule ? TERM_PLAIN : TERM_TITLE));
		for (const char *f = t->format; *f; f++)
			for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
				if (heads[i].id == *f)
					put(t, rule ? heads[i].rule : heads[i].title);
		put(t, rule ? "---------------------------------\n" : " Trace \n");
	}
}

static void put_unknown(struct kd_trace *t)
{
	put(t, "         ? ");
}

static void print_local(struct kd_trace *t, const struct kd_node *x)
{
	bool unsure = kd_node_is_unsure(x);

	t->kd->res.unsure |= unsure;
	if (x->delta < 0 || (unsure && t->kd->opt.at_parse))
		put_unknown(t);
	else
		put_number(t, x->local < 0 ? 0 : x->local / 1000, unsure ? "?" : "", 10);
}

/* KFT appended a digit to the pid: the CPU, if it is known. */
static void print_pid(struct kd_trace *t, const struct kd_node *x)
{
	char pid[32];
	int n;

	if (unlikely(x->pid < -1)) {
		put(t, "      ? ");
		return;
	}
	if (likely(t->kd->in.kind != KFI_LOG_KFT || x->cpu < 0 || x->cpu > 8)) {
		put_number(t, x->pid, "", 7);
		return;
	}
	n = snprintf(pid, sizeof(pid), "%d.%d", x->pid, x->cpu);
	kfi_out_right(&t->out, pid, n, 7);
	put(t, " ");
}

/* Print the name of the task, padded to the longest name. */
static void print_comm(struct kd_trace *t, const struct kd_node *x)
{
	const char *name = x->pid ? kd_comm(t->kd, x->pid, x->entry) : "swapper";
	char text[17];

	snprintf(text, sizeof(text), "%-15.15s ", name ? name : "-");
	kfi_out_put(&t->out, text, sizeof(text) - 1);
}

void kd_trace_columns(struct kd_trace *t, const struct kd_node *x)
{
	for (const char *f = t->format; *f; f++) {
		switch (*f) {
		case 'e':
			if (t->kd->in.head.no_entry)
				put_unknown(t);
			else
				put_number(t, x->entry / 1000, "", 10);
			break;
		case 't':
		case 'l':
			if (!kd_node_is_call(x))
				put(t, "           ");
			else if (*f == 'l')
				print_local(t, x);
			else if (x->delta < 0)
				put_unknown(t);
			else
				put_number(t, kd_node_usecs(x), "", 10);
			break;
		case 'p':
			print_pid(t, x);
			break;
		case 'k':
			print_comm(t, x);
			break;
		}
	}
}

const char *kd_trace_line(const struct kd_trace *t, const struct kd_node *x)
{
	const char *line = kd_line_of(t->kd, x->func);

	return line ? line : "?";
}

static void print_indent(struct kd_trace *t, u32 indent, char c)
{
	/* The text is made once for many calls: threads change seldom. */
	static char text[3 * INDENT_MAX + KFI_OUT_FEW];

	if (unlikely(*text != c))
		for (u32 i = 0; i < INDENT_MAX; i++)
			memcpy(text + 3 * i, (const char[]){ c, ' ', ' ' }, 3);
	kfi_out_pattern(&t->out, text, 3 * (size_t)indent);
}

static void print_node(struct kd_trace *t, const struct kd_node *x, char c)
{
	struct kfi_str name = kd_node_name(&t->calls, x);
	u32 indent = x->depth - 1 < INDENT_MAX ? x->depth - 1 : INDENT_MAX;
	size_t used = 3 * (size_t)indent;
	char level[16];

	if (!kd_trace_shows(t, x))
		return;
	kd_trace_columns(t, x);
	print_indent(t, indent, c);
	if (unlikely(x->depth - 1 > INDENT_MAX)) {
		used += snprintf(level, sizeof(level), "(%u) ", x->depth);
		put(t, level);
	}
	if (unlikely(x->func == KFI_NONE))
		put(t, "# ");
	else if (t->kd->opt.name_len && name.len > t->kd->opt.name_len)
		name.len = t->kd->opt.name_len;
	kfi_out_put(&t->out, name.s, name.len);
	if (unlikely(x->marks & KD_NODE_WATCH))
		put(t, "  # stack");
	if (unlikely(x->func != KFI_NONE && x->args != KFI_NONE)) {
		size_t column = 3 * 20 + (t->kd->opt.name_len ? t->kd->opt.name_len : 40);

		used += name.len;
		kfi_out_fill(&t->out, ' ', used < column ? column - used : 1);
		kfi_out_put(&t->out, t->calls.args.str[x->args].s, t->calls.args.str[x->args].len);
	}
	if (unlikely(t->kd->opt.srcline) && kd_node_is_call(x)) {
		put(t, "  # ");
		put(t, kd_trace_line(t, x));
	}
	kfi_out_put(&t->out, "\n", 1);
}

/* Print each tree by itself, in order of the entry of its root. */
static int by_tree(struct kd_trace *t, struct kfi_err *err)
{
	u32 *order = kd_calls_by_tree(&t->calls);

	if (!order)
		return kfi_err_set(err, ENOMEM, "out of memory");
	for (u32 i = 0; i < t->calls.n; i++) {
		if (i + SOON < t->calls.n)
			__builtin_prefetch(&t->calls.node[order[i + SOON]]);
		print_node(t, &t->calls.node[order[i]], chars[0]);
	}
	free(order);
	return 0;
}

/* The ground has no frame. */
static void frame(void *arg, const struct kd_frames *f, u32 thread, bool start, u32 at)
{
	struct kd_trace *t = arg;

	if (f->n < (start ? 1 : 2))
		return;
	put(t, "----------- ");
	kfi_out_fill(&t->out, char_of(thread), 4);
	put(t, start ? " start --------------\n" : " end ----------------\n");
}

static int interlaced(struct kd_trace *t, struct kfi_err *err)
{
	struct kd_frames f = { .calls = &t->calls, .turn = frame, .arg = t };
	int ret = kd_frames_begin(&f);

	for (u32 i = 0; !ret && i < t->calls.n; i++) {
		if (kd_node_is_shown(&t->calls, &t->calls.node[i]))
			kd_frames_turn(&f, i);
		print_node(t, &t->calls.node[i], char_of(t->calls.node[i].thread));
	}
	kd_frames_end(&f);
	kd_frames_free(&f);
	return ret ? kfi_err_set(err, ENOMEM, "out of memory") : 0;
}

/* Print each call when it is read: the calls below it are not known yet. */
static int as_read(struct kd_trace *t, struct kfi_err *err)
{
	struct kfi_tree tree;
	struct kd_node x;
	int ret;

	kd_calls_start(&t->calls, &tree);
	while ((ret = kd_calls_next(&t->calls, &tree, &x, 0, err)) > 0)
		print_node(t, &x, chars[0]);
	kfi_tree_free(&tree);
	return ret;
}

static const struct kd_column columns[] = {
	{ 'e', "", 0, NULL, "entry_ns" },
	{ 't', "", 0, NULL, "duration_ns", "total" },
	{ 'l', "", 0, NULL, "local_ns", "self" },
	{ 'p', "", 0, NULL, "pid" },
	{ 'k', "", 0, NULL, "comm" },
	{ 'C', "", 0, NULL, "cpu" },
	{ 'T', "", 0, NULL, "thread" },
	{ 'V', "", 0, NULL, "level" },
	{ 'F', "", 0, NULL, "function" },
};

static void print_cell(const struct kd_trace *t, struct kd_table *table, const struct kd_node *x,
		       char id)
{
	if (id == 'e')
		kd_cell_time_or_unknown(table, t->kd->in.head.no_entry ? -1 : x->entry);
	else if (id == 'p')
		kd_cell_pid(table, x->pid);
	else if (id == 'k')
		kd_comm_cell(t->kd, table, x->pid, x->entry);
	else if (id == 'T' || id == 'V')
		kd_cell_count(table, id == 'T' ? x->thread : x->depth);
	else if (id == 'F')
		kd_cell_text(table, kd_node_name(&t->calls, x).s);
	else if (id == 'C' && x->cpu >= 0)
		kd_cell_count(table, x->cpu);
	else if (id == 'C' || x->delta < 0)
		kd_cell_unknown(table);
	else if (id == 't')
		kd_cell_time(table, x->delta, false);
	else
		kd_cell_time(table, x->local < 0 ? 0 : x->local, kd_node_is_unsure(x));
}

/* Print calls for programs: without frames, in the order of the text. */
static int as_table(struct kd_trace *t, struct kfi_err *err)
{
	struct kd_table table = { .out = t->kd->opt.out, .lines = t->kd->opt.srcline };
	u32 *order = t->kd->opt.interlaced ? NULL : kd_calls_by_tree(&t->calls);
	char format[KD_COLUMNS_MAX + 8];

	if (!t->kd->opt.interlaced && !order)
		return kfi_err_set(err, ENOMEM, "out of memory");
	snprintf(format, sizeof(format), "%sCTVF", t->format);
	kd_table_begin(&table, columns, ARRAY_SIZE(columns), format, false);
	for (u32 i = 0; i < t->calls.n; i++) {
		const struct kd_node *x = &t->calls.node[order ? order[i] : i];

		if (!kd_node_is_call(x) || !kd_node_is_shown(&t->calls, x))
			continue;
		for (const char *f = format; *f; f++)
			print_cell(t, &table, x, *f);
		kd_line_cell(t->kd, &table, x->func);
		kd_row_end(&table);
	}
	t->kd->res.unsure |= table.any_unsure;
	free(order);
	return 0;
}

int kd_trace(struct kd *kd, struct kfi_err *err)
{
	static struct kd_trace t;
	const char *usual = kd->opt.longer || kd->opt.out != KD_OUT_TEXT ? "etlpk" : "";
	int ret;

	t.kd = t.calls.kd = kd;
	t.out.file = stdout;
	if (kd_columns(kd, kd->opt.format ? : usual, columns, ARRAY_SIZE(columns), "etlpk",
		       t.format, err))
		return -EINVAL;
	if (kd->opt.at_parse) {
		/* Only now it is known whether the log has names of tasks. */
		if (!kd->opt.format)
			t.format[strcspn(t.format, "k")] = '\0';
		print_head(&t);
		ret = as_read(&t, err);
	} else {
		ret = kd_calls_read(&t.calls, err);
		if (!kd->opt.format && !kd_shows_comm(kd))
			t.format[strcspn(t.format, "k")] = '\0';
		if (!ret && kd->opt.out == KD_OUT_TEXT)
			print_head(&t);
		if (!ret && kd->opt.out != KD_OUT_TEXT)
			ret = as_table(&t, err);
		else if (!ret && kd->opt.braces)
			ret = kd_braces(&t, err);
		else if (!ret)
			ret = kd->opt.interlaced ? interlaced(&t, err) : by_tree(&t, err);
	}
	kfi_out_flush(&t.out);
	kd_calls_free(&t.calls);
	return ret;
}
