// SPDX-License-Identifier: GPL-2.0
/*
 * Lists initcalls (--initcalls): the calls that do_one_initcall() made, also for modules, with
 * level and result if the log has such marks. Memory use grows with the number of initcalls.
 */
#include <stdlib.h>

#include "kd_initcalls.h"

static const struct kd_column columns[] = {
	{ 'e', " Entry    ", 10, NULL, "entry_ns" },
	{ 't', " Duration ", 10, NULL, "duration_ns" },
	{ 'l', " Local    ", 10, NULL, "local_ns" },
	{ 'p', "  Pid  ", 7, NULL, "pid" },
	{ 'k', "Task", -15, NULL, "comm" },
	{ 'v', "Level  ", 7, NULL, "level" },
	{ 'R', "Result", 6, NULL, "result" },
	{ 'F', "Initcall", -35, NULL, "function" },
};

static bool is_initcall(struct kfi_str caller)
{
	static const char name[] = "do_one_initcall";
	size_t n = sizeof(name) - 1;

	return caller.len >= n && !memcmp(caller.s, name, n) &&
	       (caller.len == n || caller.s[n] == '+');
}

static u64 key(s32 pid, u32 func)
{
	return (u64)(u32)pid << 32 | func;
}

static int add(struct kd_initcalls *l, const struct kd_initcall *x)
{
	u32 *at = kfi_map_get(&l->latest, key(x->pid, x->func), 0);

	if (!at)
		return -ENOMEM;
	*at = l->n;
	if (kfi_grow((void **)&l->one, &l->room, l->n + 1, sizeof(*l->one)))
		return -ENOMEM;
	l->one[l->n++] = *x;
	return 0;
}

/* Return 1 if a row's call site lies in do_one_initcall(), 0 if not, -ENOMEM. */
static int is_from_initcalls(struct kd_initcalls *l, const struct kfi_row *row)
{
	u64 site;
	u32 *is;

	if (!kd_site(l->kd, row, &site))
		return is_initcall(row->caller);
	if (!l->kd->in.resolve || site == U64_MAX)
		return 0;
	is = kfi_map_get(&l->sites, site, KFI_NONE);
	if (!is)
		return -ENOMEM;
	if (*is == KFI_NONE)
		*is = is_initcall(kd_site_name(l->kd, site, row->entry_ns / 1000));
	return *is;
}

int kd_initcalls_call(struct kd_initcalls *l, const struct kfi_tree_call *c,
		      const struct kfi_tree_place *place)
{
	const struct kfi_row *row = c->row;
	bool ours = false;

	if (place->parent_func != KFI_NONE)
		ours = is_initcall(l->kd->in.names.str[place->parent_func]);
	if (row->ctx != KFI_CTX_TASK)
		return 0;
	/* A filter may have dropped the call of do_one_initcall(). */
	if (!ours) {
		int ret = is_from_initcalls(l, row);

		if (ret <= 0)
			return ret;
	}
	return add(l, &(struct kd_initcall){
		.entry = row->entry_ns, .delta = row->delta_ns, .local = row->local_ns,
		.func = c->func, .pid = row->pid, .level = l->level, .result = KFI_NONE,
		.call = KFI_NONE,
	});
}

struct kfi_str kd_mark_word(const struct kfi_log_mark *m, u32 at)
{
	const char *p = m->text.s, *end = m->text.s + m->text.len;

	for (;; at--) {
		const char *from;

		while (p < end && *p == ' ')
			p++;
		for (from = p; p < end && *p != ' '; p++)
			;
		if (!at || p == end)
			return (struct kfi_str){ from, at ? 0 : (u32)(p - from) };
	}
}

/*
 * Return true if the filters exclude an initcall that only its mark tells of. Its place in the call
 * graph is not known.
 */
static bool is_excluded(const struct kd *kd, const struct kfi_log_mark *m)
{
	const struct kd_filter *f = &kd->opt.filter;

	return f->depth != U64_MAX || f->pattern[KD_UNDER].text || f->pattern[KD_CALLERS].text ||
	       f->pattern[KD_CALLEES].text || !kd_filter_mark(f, m);
}

/* Handle "initcall FUNC N": set the result of the latest call of FUNC, if the log has the call. */
static int add_result(struct kd_initcalls *l, const struct kfi_log_mark *m)
{
	struct kfi_str name = kd_mark_word(m, 1), result = kd_mark_word(m, 2);
	u32 func = kfi_names_get(&l->kd->in.names, name.s, name.len);
	u32 text = kfi_names_get(&l->words, result.s, result.len), *at;

	if (func == KFI_NONE || text == KFI_NONE)
		return -ENOMEM;
	l->marks = true;
	at = kfi_map_find(&l->latest, key(m->task, func));
	if (at && l->one[*at].result == KFI_NONE) {
		l->one[*at].result = text;
		return 0;
	}
	return add(l, &(struct kd_initcall){
		.entry = m->entry_ns, .delta = -1, .local = -1, .func = func, .pid = m->task,
		.level = l->level, .result = text, .call = KFI_NONE,
		.excluded = is_excluded(l->kd, m),
	});
}

int kd_initcalls_mark(struct kd_initcalls *l, const struct kfi_log_mark *m)
{
	struct kfi_str level;

	if (kfi_log_mark_is(m, "initcall"))
		return add_result(l, m);
	if (kfi_log_mark_is(m, "level")) {
		level = kd_mark_word(m, 1);
		l->level = kfi_names_get(&l->words, level.s, level.len);
		return l->level == KFI_NONE ? -ENOMEM : 0;
	}
	return 0;
}

static int add_call(void *arg, const struct kfi_tree_call *c, struct kfi_tree_place *place,
		    bool taken)
{
	struct kd_initcalls *l = arg;
	u32 n = l->n;

	if (kd_initcalls_call(l, c, place))
		return -ENOMEM;
	/* The mark of its return finds it, also if the filters exclude it. */
	if (l->n > n)
		l->one[n].excluded = !taken;
	return 0;
}

static int add_item(void *arg, int item)
{
	struct kd_initcalls *l = arg;

	return item == KFI_LINE_MARK ? kd_initcalls_mark(l, &l->kd->in.log.mark) : 0;
}

static bool is_shown(const struct kd_initcalls *l, const struct kd_initcall *x)
{
	struct kd *kd = l->kd;

	if (x->excluded || !kd_initcalls_has(l, x))
		return false;
	if (kd->opt.time_ns && (x->delta < 0 || x->delta < kd->opt.time_ns))
		return false;
	return kd_filter_func(&kd->opt.filter, &kd->in.matches, &kd->in.names, x->func);
}

static int by_entry(const void *a, const void *b)
{
	const struct kd_initcall *x = a, *y = b;

	if (x->entry != y->entry)
		return x->entry < y->entry ? -1 : 1;
	return x->func < y->func ? -1 : x->func > y->func;
}

static int by_cost(const void *a, const void *b)
{
	const struct kd_initcall *x = a, *y = b;

	if (x->delta != y->delta)
		return x->delta > y->delta ? -1 : 1;
	return by_entry(a, b);
}

void kd_initcalls_sort(struct kd_initcalls *l, bool by_time)
{
	if (l->n)
		qsort(l->one, l->n, sizeof(*l->one), by_time ? by_cost : by_entry);
}

void kd_initcalls_free(struct kd_initcalls *l)
{
	free(l->one);
	kfi_names_free(&l->words);
	kfi_map_free(&l->latest);
	kfi_map_free(&l->sites);
}

static void word_cell(const struct kd_initcalls *l, struct kd_table *t, u32 number)
{
	if (number == KFI_NONE)
		kd_cell_unknown(t);
	else
		kd_cell_text(t, l->words.str[number].s);
}

static void print(struct kd_initcalls *l)
{
	struct kd_table t = { .out = l->kd->opt.out, .lines = l->kd->opt.srcline };

	kd_table_begin(&t, columns, ARRAY_SIZE(columns),
		       kd_shows_comm(l->kd) ? NULL : "etlpvRF", false);
	for (u32 i = 0; i < l->n && t.rows < l->kd->opt.num; i++) {
		const struct kd_initcall *x = &l->one[i];

		if (!is_shown(l, x))
			continue;
		kd_cell_time_or_unknown(&t, l->kd->in.head.no_entry ? -1 : x->entry);
		kd_cell_span(&t, x->entry, x->delta);
		kd_cell_time_or_unknown(&t, x->delta < 0 ? -1 : x->local);
		kd_cell_pid(&t, x->pid);
		if (kd_shows_comm(l->kd))
			kd_comm_cell(l->kd, &t, x->pid, x->entry);
		word_cell(l, &t, x->level);
		word_cell(l, &t, x->result);
		kd_cell_text(&t, l->kd->in.names.str[x->func].s);
		kd_line_cell(l->kd, &t, x->func);
		kd_row_end(&t);
	}
}

int kd_initcalls(struct kd *kd, struct kfi_err *err)
{
	struct kd_initcalls l = { .kd = kd, .level = KFI_NONE };
	struct kd_visit visit = { .call = add_call, .item = add_item, .arg = &l };
	int ret;

	ret = kd_walk(kd, &visit, err);
	if (!ret) {
		kd_initcalls_sort(&l, kd->opt.sort && *kd->opt.sort == 't');
		print(&l);
	}
	kd_initcalls_free(&l);
	return ret;
}
