// SPDX-License-Identifier: GPL-2.0
/*
 * Sums of a raw log that is read from its last call back: see kd_sum.h. Each call is counted when
 * its chunk is read, as if there were no recursion; what is recursion comes out in the order of
 * exits, and is taken back. Of a log that is not made for this nobody sees that it was tried.
 */
#include <stdlib.h>

#include "back.h"
#include "kd_sum.h"
#include "raw_back.h"

/* A kernel has less. */
#define ADDRESSES_MAX	(1u << 20)

/**
 * struct named - an address, where symbols were given
 * @addr: the address
 * @func: number of its function, KFI_NONE: it is a call site only
 * @known: it has a name
 * @name: its name
 * @from: the name holds from then on, microseconds
 * @to: until then
 * @first: the call that had it first
 * @site: there it was the call site
 * @count: how often it was looked for
 */
struct named {
	u64 addr;
	u32 func;
	bool known;
	struct kfi_name name;
	s64 from;
	s64 to;
	struct kfi_raw_span first;
	bool site;
	u64 count;
};

/**
 * struct back - one reading
 * @s: the sums
 * @raw: the log
 * @back: what is recursion
 * @named: addresses that have been looked up; @index leads to them
 * @n: how many
 * @room: for how many there is room
 * @index: address to number
 * @taken: calls that the filter took
 * @opened: calls without a duration, marked open
 * @unwound: those that are not marked
 * @recursive: calls within a call of the same function
 */
struct back {
	struct kd_sum *s;
	struct kfi_raw_back raw;
	struct kfi_back back;
	struct named *named;
	u32 n;
	u32 room;
	struct kfi_map index;
	u64 taken;
	u64 opened;
	u64 unwound;
	u64 recursive;
};

/* Numbers a function by its name, or its address. Return: 0 or -ENOMEM. */
static int number_by_name(struct back *b, struct named *x, const struct kfi_row *row)
{
	struct kd *kd = b->s->kd;
	struct kfi_row text = *row;
	struct kfi_str str;

	kfi_log_names(&text, kd->row_text);
	str = !x->known ? text.func : x->name.off ? kfi_resolve_full(kd->resolve, &x->name) :
						    x->name.str;
	x->func = kfi_names_get(&kd->names, str.s, str.len);
	return x->func == KFI_NONE ? -ENOMEM : 0;
}

/* One that is new. Return: its number, or KFI_NONE: out of memory. */
static u32 add_address(struct back *b, u64 addr, s64 us, const struct kfi_raw_span *span)
{
	u32 *at = kfi_map_get(&b->index, addr, b->n);
	struct named *x;

	if (!at)
		return KFI_NONE;
	if (*at != b->n)
		return *at;
	if (kfi_grow((void **)&b->named, &b->room, b->n + 1, sizeof(*x)))
		return KFI_NONE;
	x = &b->named[b->n];
	*x = (struct named){ .addr = addr, .func = KFI_NONE, .first = *span, .site = true };
	x->known = kfi_resolve_span(b->s->kd->resolve, addr, us, &x->name, &x->from, &x->to);
	return b->n++;
}

/* What an address is called. Return: 0; 1: that depends on when; -ENOMEM. */
static int find(struct back *b, const struct kfi_row *row, const struct kfi_raw_span *span,
		u64 addr, bool site, u32 *func)
{
	const u32 *at = kfi_map_at_once(&b->index, addr);
	s64 us = row->entry_ns / 1000;
	u32 number;
	struct named *x;

	if (unlikely(addr == U64_MAX || b->n > ADDRESSES_MAX))
		return 1;
	number = likely(at) ? *at : add_address(b, addr, us, span);
	if (unlikely(number == KFI_NONE))
		return -ENOMEM;
	x = &b->named[number];
	if (unlikely(x->func == KFI_NONE) && !site && number_by_name(b, x, row))
		return -ENOMEM;
	x->count++;
	/* Of one call the function comes first. */
	if (span->entry <= x->first.entry && kfi_raw_back_order(&b->raw, span, &x->first) < !site) {
		x->first = *span;
		x->site = site;
	}
	*func = x->func;
	return us < x->from || us > x->to;
}

/* The number of a call's function. Return: 0, 1 or -ENOMEM. */
static __always_inline int number(struct back *b, const struct kfi_row *row,
				  const struct kfi_raw_span *span, u32 *func)
{
	struct kd *kd = b->s->kd;
	const u32 *id;
	int ret;

	if (kd->resolve) {
		ret = find(b, row, span, row->func_at, false, func);
		/* The call site, too, is looked up where trees would need it. */
		if (!ret && row->ctx != KFI_CTX_TASK)
			ret = find(b, row, span, row->site, true, &(u32){ 0 });
		return ret;
	}
	id = kfi_map_at_once(&kd->by_address, row->func_at);
	*func = likely(id) ? *id : kd_number(kd, row);
	return *func == KFI_NONE ? -ENOMEM : 0;
}

/* Some calls, in no order. */
static int add_rows(void *arg, const struct kfi_row *rows, struct kfi_raw_span *span, u32 n)
{
	struct back *b = arg;
	struct kd_sum *s = b->s;
	const bool filter = s->kd->filter.calls;
	int ret;

	for (u32 i = 0; i < n; i++) {
		const struct kfi_row *row = &rows[i];
		u32 func;

		ret = number(b, row, &span[i], &func);
		if (unlikely(ret))
			return ret;
		if (unlikely(func >= s->known) && kd_sum_room(s, func))
			return -ENOMEM;
		span[i].func = KFI_NONE;
		if (unlikely(row->delta_ns < 0)) {
			b->opened += (row->marks & KFI_MARK_OPEN) != 0;
			b->unwound += !(row->marks & KFI_MARK_OPEN);
		}
		if (filter && !kd_filter_row(&s->kd->filter, row))
			continue;
		b->taken++;
		if (likely(row->delta_ns >= 0))
			span[i].func = func;
		if (kd_sum_call(s, func, row, false))
			return -ENOMEM;
	}
	return 0;
}

/* A call that lies in one of the same function. */
static void take_back(struct back *b, const struct kfi_raw_span *span)
{
	struct kd_func *fn = &b->s->func[span->func];
	struct kd_func parts = { .time = 0 };
	struct kfi_row row;

	kfi_raw_back_row(&b->raw, span, &row);
	kd_sum_parts(&parts, &row);
	fn->time -= (u64)row.delta_ns;
	if (b->s->want & KD_WANT_PARTS) {
		fn->on -= parts.on;
		fn->off -= parts.off;
		fn->irq -= parts.irq;
	}
	b->recursive++;
}

static int add_span(struct back *b, const struct kfi_raw_span *span)
{
	int ret = kfi_back_call(&b->back, span->entry, span->end, span->func, span->depth,
				span->task, span->cpu);

	if (unlikely(ret == 1))
		take_back(b, span);
	return ret & ~1;
}

/* All calls. Return: 0; 1 or 2: not for this; -ENOMEM. */
static int read_all(struct back *b, struct kfi_raw *raw)
{
	struct kfi_raw_lane *l;
	s64 until;
	int ret = kfi_raw_back_open(&b->raw, raw, add_rows, b);

	for (u32 i = 0; i < b->raw.nopens && !ret; i++)
		ret = add_span(b, &b->raw.open[i]);
	while (!ret) {
		ret = kfi_raw_back_next(&b->raw, add_rows, b, &l, &until);
		if (ret != 1)
			break;
		ret = 0;
		while (!ret && l->n > l->low && l->span[l->n - 1].end >= until) {
			l->last = l->span[--l->n].end;
			ret = add_span(b, &l->span[l->n]);
		}
		/* Times of which some may be in doubt early on: not to be read all in vain. */
		if (unlikely(!kfi_back_sure(&b->back, raw->hz > 1000000000)))
			ret = 1;
	}
	return ret;
}

/* The log that is sorted, for qsort(). */
static const struct kfi_raw_back *sorting;

static int by_first(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int order = kfi_raw_back_order(sorting, &x->first, &y->first);

	return order ? order : (int)x->site - (int)y->site;
}

/*
 * What is said of addresses without a name, and of names of several functions, is about those that
 * come first: they are looked up in their order.
 */
static void look_up_again(struct back *b)
{
	struct kfi_resolve *r = b->s->kd->resolve;
	struct kfi_name n;
	u64 unknown = 0;

	if (!b->n)
		return;
	sorting = &b->raw;
	qsort(b->named, b->n, sizeof(*b->named), by_first);
	kfi_resolve_forget(r);
	for (u32 i = 0; i < b->n; i++) {
		const struct named *x = &b->named[i];

		kfi_resolve_at(r, x->addr, x->first.entry / 1000, &n);
		unknown += x->known || !x->addr ? 0 : x->count;
	}
	r->unknown = unknown;
}

/* Whether sums did not become too large to be taken back from. */
static bool sane(const struct kd_sum *s)
{
	for (u32 i = 0; i < s->known; i++)
		if (s->func[i].all == U64_MAX)
			return false;
	return true;
}

/* Counts what kd counts. */
static void tell(const struct back *b)
{
	struct kd *kd = b->s->kd;
	u64 addr;

	kd->calls += b->raw.rows;
	kd->taken += b->taken;
	kd->opened += b->opened;
	kd->unwound += b->unwound;
	kd->recursive += b->recursive;
	kd->marks += b->raw.marks;
	kd->watch_rows += b->raw.others - b->raw.marks;
	kd->log.rows += b->raw.rows;
	kd->log.others += b->raw.others;
	if (b->raw.rows)
		kd->addresses = !b->n || kd_address(kd, kd->names.str[b->named[0].func], &addr);
}

/* As if nothing had been read. */
static void undo(struct back *b)
{
	struct kd_sum *s = b->s;

	for (u32 i = 0; i < s->hist_room; i++)
		kfi_hist_free(&s->hist[i]);
	s->known = 0;
	if (s->kd->resolve)
		kfi_resolve_forget(s->kd->resolve);
}

int kd_sum_back(struct kd_sum *s)
{
	struct kfi_raw *raw = kfi_log_raw_whole(&s->kd->log);
	struct back b = { .s = s };
	int ret;

	if (!raw)
		return 1;
	kfi_back_init(&b.back);
	ret = read_all(&b, raw);
	/* What marks and watch rows name is looked up in its turn. */
	if (!ret && ((s->kd->resolve && b.raw.others) || !sane(s) ||
		     !kfi_raw_back_whole(&b.raw)))
		ret = 1;
	if (!ret) {
		look_up_again(&b);
		tell(&b);
	} else if (ret > 0) {
		undo(&b);
	}
	kfi_raw_back_close(&b.raw);
	kfi_back_free(&b.back);
	kfi_map_free(&b.index);
	free(b.named);
	return ret > 0 ? 1 : ret;
}
