// SPDX-License-Identifier: GPL-2.0
/*
 * kd's table of functions. Streams: memory goes with functions, pairs of caller and called function
 * and calls not over, never with the log.
 *
 * Net times are less what recording took. The recorder reads its clock late at an entry and early
 * at an exit, so what a call costs falls to what is around it: each call below takes from a time,
 * each call directly below from a local time.
 *
 * Time adds up the calls whose exit was seen, of recursive calls the outermost. Local adds up what
 * these calls ran themselves; Sub-time is the difference of the two. Of the same calls as Time,
 * Off-cpu adds up the time switched out, Irq the time in interrupts, On-cpu what remains.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kd.h"

/**
 * struct func - what is known of one function, times in nanoseconds
 * @calls: calls, with or without a duration
 * @timed: those with a duration
 * @all: sum of their durations
 * @time: the same without calls within calls of the function
 * @local: sum of their local times
 * @on: the part of @time on a cpu
 * @off: the part of @time switched out
 * @irq: the part of @time in interrupts
 * @below: calls below those in @time
 * @all_below: calls below those in @all
 * @children: calls directly below those in @all
 * @min: shortest
 * @max: longest
 * @best: its pair that costs most, KFI_NONE: none
 * @unsure: @local is a best guess
 * @no_off_irq: of a call in @time the parts are not known
 */
struct func {
	u64 calls;
	u64 timed;
	u64 all;
	u64 time;
	u64 local;
	u64 on;
	u64 off;
	u64 irq;
	u64 below;
	u64 all_below;
	u64 children;
	u64 min;
	u64 max;
	u32 best;
	bool unsure;
	bool no_off_irq;
};

/**
 * struct edge - one function called by another
 * @time: sum of the durations of these calls
 * @calls: how many
 * @from: the caller
 * @to: the called function
 */
struct edge {
	u64 time;
	u64 calls;
	u32 from;
	u32 to;
};

/**
 * struct sum - the table under construction
 * @kd: the run
 * @cost_ns: what is taken off for each call below, 0: nothing
 * @func: by number of the function
 * @room: for how many @func has room
 * @known: how many of @func are in use
 * @edge: pairs
 * @nedges: how many
 * @edge_room: for how many there is room
 * @edge_of: (caller, called) to its place in @edge
 * @first_edge: by function: its first place in @edge once sorted
 */
struct sum {
	struct kd *kd;
	u64 cost_ns;
	struct func *func;
	u32 room;
	u32 known;
	struct edge *edge;
	u32 nedges;
	u32 edge_room;
	struct kfi_map edge_of;
	u32 *first_edge;
};

static void add(u64 *sum, u64 v)
{
	if (__builtin_add_overflow(*sum, v, sum))
		*sum = U64_MAX;
}

/* A call is over: only now its local time is known. */
static void call_over(void *arg, const struct kfi_tree_frame *f)
{
	struct sum *s = arg;
	struct func *fn = &s->func[f->func];
	s64 local = f->local_ns;

	if (f->delta_ns < 0)
		return;
	fn->below += f->again ? 0 : f->below;
	fn->all_below += f->below;
	fn->children += f->children;
	if (local < 0) {
		local = f->delta_ns - f->child_ns;
		fn->unsure |= f->unsure || local < 0;
		if (local < 0)
			local = 0;
	}
	add(&fn->local, local);
}

static int count_edge(struct sum *s, u32 from, u32 to, s64 delta)
{
	u32 *at = kfi_map_get(&s->edge_of, (u64)from << 32 | to, s->nedges);

	if (!at)
		return -ENOMEM;
	if (*at == s->nedges) {
		if (kfi_grow((void **)&s->edge, &s->edge_room, s->nedges + 1, sizeof(*s->edge)))
			return -ENOMEM;
		s->edge[s->nedges++] = (struct edge){ .from = from, .to = to };
	}
	s->edge[*at].calls++;
	if (delta > 0)
		add(&s->edge[*at].time, delta);
	return 0;
}

/* Parts of the time never add up to more, whatever the log says. */
static void count_parts(struct func *fn, const struct kfi_row *row)
{
	s64 off = row->off_ns, irq = row->irq_ns;

	if (off < 0 || irq < 0) {
		fn->no_off_irq = true;
		return;
	}
	off = off < row->delta_ns ? off : row->delta_ns;
	irq = irq < row->delta_ns - off ? irq : row->delta_ns - off;
	add(&fn->on, row->delta_ns - off - irq);
	add(&fn->off, off);
	add(&fn->irq, irq);
}

static void count_call(struct sum *s, const struct kfi_tree_call *c, bool again)
{
	s64 delta = c->row->delta_ns;
	struct func *fn = &s->func[c->func];

	fn->calls++;
	s->kd->recursive += again;
	if (delta < 0)
		return;
	add(&fn->all, delta);
	if (!again) {
		add(&fn->time, delta);
		count_parts(fn, c->row);
	}
	if (!fn->timed++ || (u64)delta < fn->min)
		fn->min = delta;
	if ((u64)delta > fn->max)
		fn->max = delta;
}

/* Room for a function that may be new. */
static int room_for(struct sum *s, u32 func)
{
	if (likely(func < s->known))
		return 0;
	if (kfi_grow((void **)&s->func, &s->room, func + 1, sizeof(*s->func)))
		return -ENOMEM;
	for (; s->known <= func; s->known++)
		s->func[s->known] = (struct func){ .best = KFI_NONE };
	return 0;
}

/* A function of a profile: sums that the recorder made. Same-named ones are one here, as ever. */
static int count_sums(struct sum *s)
{
	const struct kfi_sums *p = &s->kd->log.sums;
	u32 id = kfi_names_get(&s->kd->names, p->func.s, p->func.len);
	struct kfi_row row = { .delta_ns = p->total, .off_ns = p->off, .irq_ns = p->irq };
	struct func *fn;

	if (id == KFI_NONE || room_for(s, id))
		return -ENOMEM;
	fn = &s->func[id];
	add(&fn->calls, p->count);
	add(&fn->calls, p->untimed);
	s->kd->calls += p->count + p->untimed;
	s->kd->untimed += p->untimed;
	if (!p->count)
		return 0;
	if (!fn->timed || p->min < fn->min)
		fn->min = p->min;
	if (p->max > fn->max)
		fn->max = p->max;
	add(&fn->timed, p->count);
	add(&fn->all, p->total);
	add(&fn->time, p->total);
	add(&fn->local, p->local);
	count_parts(fn, &row);
	return 0;
}

static int read_call(struct sum *s, struct kfi_tree *tree, bool edges, struct kfi_err *err)
{
	struct kfi_tree_call call = { .id = 0 };
	struct kfi_tree_place place;
	int ret = kd_call(s->kd, &call, err);

	if (ret)
		return ret;
	if (room_for(s, call.func) || kfi_tree_add(tree, &call, &place))
		return -ENOMEM;
	count_call(s, &call, place.again);
	if (edges && place.parent_func != KFI_NONE && place.parent_func != call.func)
		return count_edge(s, place.parent_func, call.func, call.row->delta_ns);
	return 0;
}

static int read_all(struct sum *s, bool edges, struct kfi_err *err)
{
	struct kfi_tree tree;
	int ret;

	kfi_tree_init(&tree, s->kd->rule, call_over, s);
	tree.rounds = s->kd->head.rounds > 1;
	while ((ret = kd_item(s->kd, err)) > 0) {
		if (likely(ret == KFI_LINE_ROW))
			ret = read_call(s, &tree, edges, err);
		else
			ret = ret == KFI_LINE_SUMS ? count_sums(s) : 0;
		if (ret)
			break;
	}
	if (ret == 0)
		kfi_tree_flush(&tree);
	kfi_tree_free(&tree);
	if (ret == -ENOMEM)
		kfi_err_set(err, ENOMEM, "%s: out of memory", s->kd->log.in.name);
	return ret;
}

static int by_caller(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

/* Calls that overlap without nesting, as historic logs have them, must not add up to nonsense. */
static void bound_local(struct sum *s)
{
	for (u32 i = 0; i < s->kd->names.count; i++) {
		struct func *fn = &s->func[i];

		if (fn->local <= fn->time)
			continue;
		fn->local = fn->time;
		fn->unsure = true;
	}
}

static void sort_edges(struct sum *s)
{
	if (s->nedges)
		qsort(s->edge, s->nedges, sizeof(*s->edge), by_caller);
	for (u32 i = s->nedges; i-- > 0;)
		s->func[s->edge[i].from].best = i;
}

/* What the log must have more than a duration for: p, w, i. */
static bool is_part(char key)
{
	return key == 'p' || key == 'w' || key == 'i';
}

/* Whether there is a value: a function without one comes last, whatever the key. */
static bool is_known(const struct func *fn, char key)
{
	return fn->timed && !(is_part(key) && fn->no_off_irq);
}

/* A time without what recording @calls took. */
static u64 less(const struct sum *s, u64 time, u64 calls)
{
	u64 cost;

	if (__builtin_mul_overflow(calls, s->cost_ns, &cost) || cost > time)
		return 0;
	return time - cost;
}

/* What a column shows and is sorted by; times in nanoseconds. */
static u64 value(const struct sum *s, const struct func *fn, char key)
{
	/* Never more than the whole, however little is left of it. */
	u64 time = less(s, fn->time, fn->below);
	u64 local = min_t(u64, less(s, fn->local, fn->children), time);

	switch (key) {
	case 'c':
		return fn->calls;
	case 'a':
		return fn->timed ? less(s, fn->all, fn->all_below) / fn->timed : 0;
	case 's':
		return time - local;
	case 'l':
		return local;
	case 'p':
		return less(s, fn->on, fn->below);
	case 'w':
		return fn->off;
	case 'i':
		return fn->irq;
	default:
		return time;
	}
}

/* qsort() passes no argument. */
static const struct sum *sorting;

static int by_key(const void *a, const void *b)
{
	const struct sum *s = sorting;
	u32 x = *(const u32 *)a, y = *(const u32 *)b;
	const struct func *f = &s->func[x], *g = &s->func[y];
	char key = s->kd->sort ? *s->kd->sort : 't';
	const char *name_f = s->kd->names.str[x].s, *name_g = s->kd->names.str[y].s;

	if (key == 'F')
		return strcmp(name_g, name_f);
	if (key != 'c' && is_known(f, key) != is_known(g, key))
		return is_known(f, key) ? -1 : 1;
	if (value(s, f, key) != value(s, g, key))
		return value(s, f, key) > value(s, g, key) ? -1 : 1;
	return strcmp(name_f, name_g);
}

/* The columns: title, width (negative: left), title of net times, in the order of -f's letters. */
static const struct column {
	char id;
	const char *title;
	int width;
	const char *net;
} columns[] = {
	{ 'F', "Function", -35 },
	{ 'c', "Count", 5 },
	{ 't', "Time", 8, "Net time" },
	{ 'a', "Average", 8, "Net avg" },
	{ 'r', "Range", 12 },
	{ 's', "Sub-time", 8, "Net sub" },
	{ 'l', "Local", 8, "Net loc" },
	{ 'p', "On-cpu", 8, "Net cpu" },
	{ 'w', "Off-cpu", 8 },
	{ 'i', "Irq", 8 },
	{ 'm', "Max-sub", 35 },
	{ 'n', "Ms count", 8 },
	{ 'o', "Open", 5 },
	{ 'u', "Sub list", 0 },
};

static const struct column *column(char id)
{
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		if (columns[i].id == id)
			return &columns[i];
	return &columns[0];
}

static void print_head(const char *format, bool net)
{
	static const char dashes[] = "-----------------------------------";

	for (const char *f = format; *f; f++) {
		const struct column *c = column(*f);

		printf("%s%-*s", f > format ? " " : "", abs(c->width),
		       net && c->net ? c->net : c->title);
	}
	putchar('\n');
	for (const char *f = format; *f; f++) {
		int width = abs(column(*f)->width);

		printf("%s%.*s", f > format ? " " : "", width ? width : 8, dashes);
	}
	putchar('\n');
}

static void print_list(const struct sum *s, u32 func)
{
	bool first = true;

	for (u32 i = s->func[func].best; i < s->nedges && s->edge[i].from == func; i++) {
		printf("%s%s(%llu,%llu)", first ? "" : ", ", s->kd->names.str[s->edge[i].to].s,
		       (unsigned long long)s->edge[i].calls,
		       (unsigned long long)s->edge[i].time / 1000);
		first = false;
	}
}

static void print_value(struct sum *s, u32 func, const struct column *c)
{
	const struct func *fn = &s->func[func];
	const char *mark = "";
	char text[64] = "?";

	if (s->kd->kind == KFI_LOG_PROFILE && strchr("mnu", c->id)) {
		printf("%*s", c->width, "?");
		return;
	}
	switch (c->id) {
	case 'F':
		printf("%*s", c->width, s->kd->names.str[func].s);
		return;
	case 'u':
		print_list(s, func);
		return;
	case 'm':
		printf("%*s", c->width, fn->best == KFI_NONE ? "" :
		       s->kd->names.str[s->edge[fn->best].to].s);
		return;
	case 'c':
		printf("%*llu", c->width, (unsigned long long)fn->calls);
		return;
	case 'o':
		printf("%*llu", c->width, (unsigned long long)(fn->calls - fn->timed));
		return;
	case 'n':
		printf("%*llu", c->width, fn->best == KFI_NONE ? 0ull :
		       (unsigned long long)s->edge[fn->best].calls);
		return;
	case 'r':
		if (fn->timed)
			snprintf(text, sizeof(text), "(%llu-%llu)",
				 (unsigned long long)fn->min / 1000,
				 (unsigned long long)fn->max / 1000);
		printf("%*s", c->width, text);
		return;
	case 's':
	case 'l':
		if (fn->timed && fn->unsure) {
			mark = "?";
			s->kd->unsure = true;
		}
		break;
	}
	if (is_known(fn, c->id))
		snprintf(text, sizeof(text), "%llu%s",
			 (unsigned long long)value(s, fn, c->id) / 1000, mark);
	printf("%*s", c->width, text);
}

static int print_table(struct sum *s, const char *format, struct kfi_err *err)
{
	u32 n = s->kd->names.count, *order = malloc((n ? n : 1) * sizeof(*order));
	u64 shown = 0;

	if (!order)
		return kfi_err_set(err, ENOMEM, "out of memory");
	for (u32 i = 0; i < n; i++)
		order[i] = i;
	sorting = s;
	qsort(order, n, sizeof(*order), by_key);
	print_head(format, s->kd->net);
	for (u32 i = 0; i < n && shown < s->kd->num; i++) {
		if (value(s, &s->func[order[i]], 't') / 1000 < s->kd->time_us)
			continue;
		for (const char *f = format; *f; f++) {
			if (f > format)
				putchar(' ');
			print_value(s, order[i], column(*f));
		}
		putchar('\n');
		shown++;
	}
	free(order);
	return 0;
}

/* Whether what was asked for is missing in the log: kd says so. */
static void look_for_parts(const struct sum *s, const char *format)
{
	if (!strpbrk(format, "pwi") && !(s->kd->sort && is_part(*s->kd->sort)))
		return;
	for (u32 i = 0; i < s->kd->names.count; i++)
		s->kd->no_off_irq |= s->func[i].no_off_irq;
}

int kd_summary(struct kd *kd, struct kfi_err *err)
{
	struct sum s = { .kd = kd };
	char known[ARRAY_SIZE(columns) + 1] = "", format[64];
	int ret;

	if (kd->net && (!kd->head.has_cost || kd->kind == KFI_LOG_PROFILE))
		return kfi_err_set(err, EINVAL, "%s: -N: %s", kd->log.in.name,
				   kd->kind == KFI_LOG_PROFILE ?
				   "a profile does not say which calls are below which" :
				   "the log does not say what recording a call costs");
	s.cost_ns = kd->net ? kd->head.cost_ns : 0;
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		known[i] = columns[i].id;
	kd_columns(kd, kd->format ? kd->format : kd->longer ? "Fctalsmn" : "Fctal", known, format,
		   sizeof(format));
	ret = read_all(&s, strpbrk(format, "mnu") != NULL, err);
	if (ret == 0) {
		look_for_parts(&s, format);
		bound_local(&s);
		sort_edges(&s);
		ret = print_table(&s, format, err);
	}
	free(s.func);
	free(s.edge);
	kfi_map_free(&s.edge_of);
	return ret;
}
