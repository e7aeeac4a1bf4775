// SPDX-License-Identifier: GPL-2.0
/*
 * Computes the sums of each function: see kd_sum.h. The log is streamed: memory use grows with
 * functions, pairs of caller and called function, and open calls, never with the log.
 *
 * Net times are times less the cost of recording. The recorder reads its clock late at an entry and
 * early at an exit, so the cost of a call is in the time of its caller. The cost of each call below
 * is subtracted from a time, that of each call directly below from a local time. If calls below
 * have no row, the log does not show which were directly below, and the net local time is unknown.
 */
#include <stdlib.h>

#include "kd_boot.h"
#include "kd_sum.h"

static __always_inline void add(u64 *sum, u64 v)
{
	if (unlikely(__builtin_add_overflow(*sum, v, sum)))
		*sum = U64_MAX;
}

/* Add up a call that is over: its self time is known only now. */
static void call_over(void *arg, const struct kfi_tree_frame *f)
{
	struct kd_sum *s = arg;
	u32 func = KD_NUMBER(f->id);
	struct kd_func *fn = &s->func[func];
	s64 local = f->local_ns;

	if (f->delta_ns < 0 || func == KD_NOBODY)
		return;
	fn->below += f->is_recursive ? 0 : f->below;
	fn->all_below += f->below;
	fn->dropped += f->is_recursive ? 0 : f->dropped;
	fn->all_dropped += f->dropped;
	fn->children += f->children;
	if (local < 0) {
		local = f->delta_ns - f->child_ns;
		fn->unsure |= f->unsure || local < 0;
		if (local < 0)
			local = 0;
	}
	add(&fn->local, local);
}

static void add_parts(struct kd_func *fn, const struct kfi_row *row)
{
	s64 off = row->off_ns, irq = row->irq_ns;

	fn->no_off |= off < 0;
	fn->no_irq |= irq < 0;
	off = off < 0 ? 0 : off;
	irq = irq < 0 ? 0 : irq;
	off = off < row->delta_ns ? off : row->delta_ns;
	irq = irq < row->delta_ns - off ? irq : row->delta_ns - off;
	add(&fn->on, row->delta_ns - off - irq);
	add(&fn->off, off);
	add(&fn->irq, irq);
}

static void add_span(struct kd_func *fn, const struct kfi_row *row)
{
	s64 end = row->entry_ns + (row->delta_ns > 0 ? row->delta_ns : 0);

	if (!fn->seen || row->entry_ns < fn->first)
		fn->first = row->entry_ns;
	if (!fn->seen || end > fn->last)
		fn->last = end;
	fn->seen = true;
}

static __always_inline int count_call(struct kd_sum *s, u32 func, const struct kfi_row *row,
				      bool is_recursive)
{
	s64 delta = row->delta_ns;
	struct kd_func *fn = &s->func[func];

	if (s->want & KD_WANT_SPAN)
		add_span(fn, row);
	/*
	 * A sample counts once for a function, even if the function is several times in its chain.
	 */
	fn->calls += !(is_recursive && s->kd->in.head.sampled);
	s->kd->res.recursive += is_recursive;
	if (delta < 0)
		return 0;
	add(&fn->all, delta);
	if (!is_recursive) {
		add(&fn->time, delta);
		if (s->want & KD_WANT_PARTS)
			add_parts(fn, row);
	}
	if (!fn->timed++ || (u64)delta < fn->min)
		fn->min = delta;
	if ((u64)delta > fn->max)
		fn->max = delta;
	return s->want & KD_WANT_HIST ? kfi_hist_add(&s->hist[func], delta) : 0;
}

/* Return true for a function whose calls end initcall levels: see end_levels(). */
static bool ends_levels(const struct kd_sum *s, u32 func)
{
	enum boot_role role = boot_role_of(s->kd->in.names.str[func]);

	return role == BOOT_IS_EARLY || role == BOOT_IS_SETUP || role == BOOT_IS_INIT ||
	       role == BOOT_IS_END;
}

static int room_for(struct kd_sum *s, u32 func)
{
	u32 old = s->hist_room;

	if (likely(func < s->known))
		return 0;
	if (kfi_grow((void **)&s->func, &s->room, func + 1, sizeof(*s->func)))
		return -ENOMEM;
	if (s->want & KD_WANT_HIST) {
		if (kfi_grow((void **)&s->hist, &s->hist_room, func + 1, sizeof(*s->hist)))
			return -ENOMEM;
		memset(s->hist + old, 0, (s->hist_room - old) * sizeof(*s->hist));
	}
	for (; s->known <= func; s->known++)
		s->func[s->known] = (struct kd_func){
			.best = KFI_NONE, .ends_levels = ends_levels(s, s->known),
		};
	return 0;
}

/*
 * Count a call for its caller and for its function, for each of these two if the filters select the
 * call of that.
 */
static int count_edge(struct kd_sum *s, const struct kfi_tree_call *call,
		      const struct kfi_tree_place *place, bool taken)
{
	bool from_taken = place->parent == KFI_NONE ? taken : place->parent != KD_NOBODY;
	u32 from = place->parent_func, to = call->func;
	struct kd_edge *edge;
	u32 *at;

	if (!taken && !from_taken)
		return 0;
	at = kfi_map_get(&s->edge_of, (u64)from << 32 | to, s->nedges);
	/* In an import the caller may be a mere name, and the newest one. */
	if (!at || room_for(s, from))
		return -ENOMEM;
	if (*at == s->nedges) {
		if (kfi_grow((void **)&s->edge, &s->edge_room, s->nedges + 1, sizeof(*s->edge)))
			return -ENOMEM;
		s->edge[s->nedges++] = (struct kd_edge){ .from = from, .to = to };
	}
	edge = &s->edge[*at];
	edge->is_taken |= taken;
	edge->calls += from_taken;
	if (from_taken && call->row->delta_ns > 0)
		add(&edge->time, call->row->delta_ns);
	return 0;
}

int kd_sum_row(struct kd_sum *s, u32 func, const struct kfi_row *row)
{
	if (room_for(s, func) || count_call(s, func, row, false))
		return -ENOMEM;
	if (row->delta_ns >= 0)
		add(&s->func[func].local, row->local_ns < 0 ? 0 : row->local_ns);
	return 0;
}

/* Add the sums that a profile has of a function. Functions of the same name become one. */
static int count_sums(struct kd_sum *s)
{
	const struct kfi_sums *p = &s->kd->in.log.sums;
	u32 id = kd_function(s->kd, p->func);
	struct kfi_row row = { .delta_ns = p->total, .off_ns = p->off, .irq_ns = p->irq };
	struct kd_func *fn;

	if (id == KFI_NONE || room_for(s, id) || (s->kd->opt.srcline && kd_line_keep(s->kd, id)))
		return -ENOMEM;
	fn = &s->func[id];
	add(&fn->calls, p->count);
	add(&fn->calls, p->untimed);
	s->kd->res.calls += p->count + p->untimed;
	s->kd->res.untimed += p->untimed;
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
	add_parts(fn, &row);
	return 0;
}

/* Return the function that stands for the caller in --callers if the log has none. */
static u32 no_caller(struct kd_sum *s)
{
	static const char text[] = "(none in the log)";
	u32 func = kfi_names_get(&s->kd->in.names, text, sizeof(text) - 1);

	return func == KFI_NONE || room_for(s, func) ? KFI_NONE : func;
}

/* End the current level, in nanoseconds after the start. */
static void end_level(struct kd_sum *s, s64 at)
{
	if (at > s->level_to)
		at = s->level_to;
	if (s->level != KFI_NONE && at > s->level_from)
		add(&s->level_ns[s->level], at - s->level_from);
	s->level = KFI_NONE;
}

/*
 * Handle a call of a function that runs initcall levels, or of one that ends the boot. As in
 * --boot, the last level ends with the boot if the log does not say when the former returned.
 */
static void end_levels(struct kd_sum *s, u32 func, const struct kfi_row *row)
{
	enum boot_role role = boot_role_of(s->kd->in.names.str[func]);
	s64 end = row->delta_ns < 0 ? -1 : row->entry_ns + row->delta_ns;

	if (role == BOOT_IS_END)
		end_level(s, row->entry_ns);
	else if (role == BOOT_IS_INIT)
		s->boot_end = end;
	else
		s->levels_end = end;
}

static int add_call(void *arg, const struct kfi_tree_call *call, struct kfi_tree_place *place,
		    bool taken)
{
	struct kd_sum *s = arg;
	const struct kd_pattern *p = s->kd->opt.filter.pattern;
	u32 func = call->func;

	/* The percentage of samples is of all samples in the log, as in perf report. */
	if (s->kd->in.head.sampled && call->row->depth == 1)
		add(&s->all_samples, call->row->delta_ns);
	if (room_for(s, func))
		return -ENOMEM;
	if (unlikely(s->func[func].ends_levels))
		end_levels(s, func, call->row);
	if (taken && p[KD_CALLERS].text) {
		func = place->parent_func == KFI_NONE ? no_caller(s) : place->parent_func;
		if (func == KFI_NONE || room_for(s, func))
			return -ENOMEM;
	}
	place->frame->excluded = !taken;
	place->frame->id = taken ? func : KD_NOBODY;
	if (place->parent_func == call->func)
		s->func[call->func].calls_itself |= taken;
	else if (s->want & KD_WANT_EDGES && place->parent_func != KFI_NONE &&
		 count_edge(s, call, place, taken))
		return -ENOMEM;
	if (!taken)
		return 0;
	/*
	 * With --callers or --callees a row is a pair of functions: each call counts for its
	 * caller.
	 */
	if (p[KD_CALLERS].text || p[KD_CALLEES].text)
		place->frame->is_recursive = false;
	return count_call(s, func, call->row, place->frame->is_recursive);
}

/* Handle "level NAME": end the current level and begin another. */
static int begin_level(struct kd_sum *s, const struct kfi_log_mark *m)
{
	static const char word[] = "level ";
	size_t n = sizeof(word) - 1;
	u32 count = s->levels.count, id;

	if (m->text.len <= n || memcmp(m->text.s, word, n))
		return 0;
	end_level(s, m->entry_ns);
	id = kfi_names_get(&s->levels, m->text.s + n, m->text.len - n);
	if (id == KFI_NONE || kfi_grow((void **)&s->level_ns, &s->level_room, s->levels.count,
				       sizeof(*s->level_ns)))
		return -ENOMEM;
	if (id == count)
		s->level_ns[id] = 0;
	s->level = id;
	s->level_from = m->entry_ns;
	s->level_to = s->levels_end > m->entry_ns ? s->levels_end :
		      s->boot_end > m->entry_ns ? s->boot_end : S64_MAX;
	return 0;
}

static int add_item(void *arg, int item)
{
	struct kd_sum *s = arg;

	if (item == KFI_LINE_MARK)
		return begin_level(s, &s->kd->in.log.mark);
	return item == KFI_LINE_SUMS ? count_sums(s) : 0;
}

static int by_caller(const void *a, const void *b)
{
	const struct kd_edge *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

/* Return the time of a function without what recording took. */
static u64 net_time(const struct kd_sum *s, const struct kd_func *fn)
{
	return kd_without(fn->time, fn->below, fn->dropped, &s->cost);
}

/* The same of its self time. It must not exceed the net time, even if that is small. */
static u64 net_local(const struct kd_sum *s, const struct kd_func *fn)
{
	return min_t(u64, kd_without(fn->local, fn->children, 0, &s->cost), net_time(s, fn));
}

/* Return true if a part of the cost may have been self time: see kd_sum_known(). */
static bool is_net_local_unknown(const struct kd_sum *s, const struct kd_func *fn)
{
	return s->cost.kept && fn->all_dropped;
}

/* Bound sums of self times: calls of historic logs may overlap without nesting. */
static void bound_local(struct kd_sum *s)
{
	for (u32 i = 0; i < s->known; i++) {
		struct kd_func *fn = &s->func[i];

		if (fn->local > fn->time) {
			fn->local = fn->time;
			fn->unsure = true;
		}
		add(&s->all_local, net_local(s, fn));
		s->is_all_unknown |= fn->timed && is_net_local_unknown(s, fn);
	}
}

static void sort_edges(struct kd_sum *s)
{
	if (s->nedges)
		qsort(s->edge, s->nedges, sizeof(*s->edge), by_caller);
	for (u32 i = 0; i < s->known; i++)
		s->func[i].callers = s->func[i].calls_itself;
	for (u32 i = s->nedges; i-- > 0;) {
		if (s->edge[i].calls)
			s->func[s->edge[i].from].best = i;
		s->func[s->edge[i].to].callers += s->edge[i].is_taken;
	}
}

/* Reject what a profile cannot show. */
static int check_profile(const struct kd_sum *s, struct kfi_err *err)
{
	if (s->kd->in.kind != KFI_LOG_PROFILE || !s->kd->opt.filter.calls)
		return 0;
	return kfi_err_set(err, EINVAL,
			   "%s: a profile has sums, no calls: of the filters it knows --func only",
			   s->kd->in.log.in.name);
}

void kd_sum_begin(struct kd_sum *s, struct kd_visit *visit)
{
	s->level = KFI_NONE;
	*visit = (struct kd_visit){
		.call = add_call, .over = call_over, .item = add_item, .arg = s,
	};
}

void kd_sum_end(struct kd_sum *s)
{
	s64 span = kfi_log_head_span(&s->kd->in.head);

	end_level(s, span < 0 ? s->kd->in.tally.last_ns : span * 1000);
	bound_local(s);
	sort_edges(s);
}

int kd_sum_read(struct kd_sum *s, struct kfi_err *err)
{
	int ret = check_profile(s, err);
	struct kd_visit visit;

	kd_sum_begin(s, &visit);
	if (!ret)
		ret = kd_walk(s->kd, &visit, err);
	if (!ret)
		kd_sum_end(s);
	return ret;
}

/*
 * Return true if samples have this value: they tell where time went, but neither durations nor
 * counts.
 */
static bool sampled_known(const struct kd_sum *s, char key)
{
	return strchr("FcTLC", key) ||
	       (s->kd->in.head.sampled == KFI_SAMPLED_TIME && strchr("tls", key));
}

bool kd_sum_known(const struct kd_sum *s, u32 func, char key)
{
	const struct kd_func *fn = &s->func[func];

	if (s->kd->in.head.sampled && !sampled_known(s, key))
		return false;
	switch (key) {
	case 'F':
	case 'c':
	case 'o':
		return true;
	case 'T':
		return s->kd->in.head.sampled;
	case 'b':
	case 'e':
		return fn->seen && !s->kd->in.head.no_entry;
	case 'm':
	case 'n':
	case 'u':
	case 'C':
		return s->kd->in.kind != KFI_LOG_PROFILE &&
		       !s->kd->opt.filter.pattern[KD_CALLERS].text;
	case 'M':
	case 'P':
	case 'Q':
		return fn->timed && s->kd->in.kind != KFI_LOG_PROFILE;
	case 'l':
	case 's':
		return fn->timed && !is_net_local_unknown(s, fn);
	case 'L':
		return fn->timed && !s->is_all_unknown;
	case 'p':
	case 'w':
	case 'i':
		return fn->timed && !(fn->no_off && key != 'i') &&
		       !(fn->no_irq && key != 'w');
	default:
		return fn->timed;
	}
}

static u64 percentile(const struct kd_sum *s, u32 func, u32 percent)
{
	return s->hist ? kfi_hist_at(&s->hist[func], s->func[func].timed, percent) : 0;
}

u64 kd_sum_value(const struct kd_sum *s, u32 func, char key)
{
	const struct kd_func *fn = &s->func[func];
	u64 all = s->kd->in.head.sampled ? s->all_samples : s->all_local;
	u64 time = net_time(s, fn), local = net_local(s, fn);

	switch (key) {
	case 'c':
		return fn->calls;
	case 't':
		return time;
	case 'a':
		return fn->timed ? kd_without(fn->all, fn->all_below, fn->all_dropped, &s->cost) /
				   fn->timed : 0;
	case 's':
		return time > local ? time - local : 0;
	case 'l':
		return local;
	case 'L':
	case 'T':
		return all ? (u64)((__uint128_t)(key == 'L' ? local : time) * 10000 / all) : 0;
	case 'p':
		return kd_without(fn->on, fn->below, fn->dropped, &s->cost);
	case 'w':
		return fn->off;
	case 'i':
		return fn->irq;
	case 'A':
		return fn->min;
	case 'Z':
	case 'r':
		return fn->max;
	case 'M':
		return percentile(s, func, 50);
	case 'P':
		return percentile(s, func, 90);
	case 'Q':
		return percentile(s, func, 99);
	case 'b':
		return fn->first > 0 ? (u64)fn->first : 0;
	case 'e':
		return fn->last > 0 ? (u64)fn->last : 0;
	case 'C':
		return fn->callers;
	case 'o':
		return fn->calls - fn->timed;
	case 'n':
		return fn->best == KFI_NONE ? 0 : s->edge[fn->best].calls;
	default:
		return 0;
	}
}

void kd_sum_free(struct kd_sum *s)
{
	for (u32 i = 0; i < s->hist_room; i++)
		kfi_hist_free(&s->hist[i]);
	free(s->hist);
	free(s->func);
	free(s->edge);
	free(s->level_ns);
	kfi_names_free(&s->levels);
	kfi_map_free(&s->edge_of);
	*s = (struct kd_sum){ .kd = s->kd };
}
