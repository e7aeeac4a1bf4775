/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters: decide which calls are kept, from values that are passed in.
 */
#ifndef KFI_FILTER_H
#define KFI_FILTER_H

#include "kfi_abi.h"
#include "core/conf.h"

/* Modules in a list: their text and that of their init functions. */
#define KFI_LIST_MODULES	8
#define KFI_RANGES		(2 * KFI_LIST_MODULES)

/*
 * A range of addresses in one word, so that no reader sees half of it: the address of its first
 * page, and in the bits below the number of pages. 0: the range is empty.
 */
#define KFI_RANGE_PAGE		4096ul
#define KFI_RANGE_MAX		((KFI_RANGE_PAGE - 1) * KFI_RANGE_PAGE)

/**
 * kfi_range() - Make a range.
 * @base: its first address
 * @size: its length; what is beyond KFI_RANGE_MAX is left out
 *
 * Return: the range, in whole pages.
 */
static inline unsigned long kfi_range(unsigned long base, unsigned long size)
{
	unsigned long first = base & ~(KFI_RANGE_PAGE - 1);
	unsigned long bytes = min_t(unsigned long, size, KFI_RANGE_MAX) + (base - first);

	if (!size)
		return 0;
	bytes = min_t(unsigned long, bytes + KFI_RANGE_PAGE - 1, KFI_RANGE_MAX);
	return first | bytes / KFI_RANGE_PAGE;
}

/**
 * kfi_in_range() - Return true if an address is in a range.
 * @range: the range
 * @addr: the address
 *
 * Return: true if it is.
 */
static inline bool kfi_in_range(unsigned long range, unsigned long addr)
{
	return (addr & ~(KFI_RANGE_PAGE - 1)) - (range & ~(KFI_RANGE_PAGE - 1)) <
	       (range & (KFI_RANGE_PAGE - 1)) * KFI_RANGE_PAGE;
}

/**
 * struct kfi_list - a list of functions, ready for the hooks
 * @given: the configuration has this list; otherwise no call is compared with it
 * @modules: functions of modules are in it
 * @n: functions in @addr
 * @addr: addresses, ascending, each once; no vmalloc memory
 * @range: text of modules; each word may be changed while the session is live
 *
 * Written before the session is published, but for @range, by session/module.c.
 */
struct kfi_list {
	bool given;
	bool modules;
	u32 n;
	const unsigned long *addr;
	unsigned long range[KFI_RANGES];
};

/**
 * struct kfi_filter - the filters of a session, ready for the hooks
 * @min: shortest duration kept, raw counts; 0: no limit. May be changed while the session is live,
 *	when the clock's rate becomes known: only upwards
 * @mintime: there is such a limit, though @min may be 0 until the rate is known
 * @max: longest duration kept, raw counts; U64_MAX: no limit; may be changed like @min
 * @ctx_mask: bit per enum kfi_ctx: contexts kept
 * @rare: there are filters besides times and contexts: those of the members below
 * @num: as in struct kfi_conf
 * @nums: as in struct kfi_conf
 * @follows: bit of this session in @follows of a struct kfi_stack; 0: only the task with that pid
 * @lists: the lists, by enum kfi_conf_list
 *
 * Written by the configuring process before the session is published, but for @min and @max.
 */
struct kfi_filter {
	u64 min;
	u64 max;
	u32 ctx_mask;
	bool mintime;
	bool rare;
	u32 num[KFI_NUMS];
	u32 nums;
	u8 follows;
	struct kfi_list lists[KFI_LISTS];
};

/**
 * kfi_filter_init() - Make the filters of a configuration.
 * @f: the filters
 * @conf: configuration
 *
 * kfi_filter_set_times() sets the time limits, kfi_filter_set_list() the functions of the lists.
 */
void kfi_filter_init(struct kfi_filter *f, const struct kfi_conf *conf);

/**
 * kfi_filter_set_list() - Set the functions of a list.
 * @f: the filters
 * @list: which list
 * @addr: their addresses in any order; sorted here, and kept
 * @n: how many
 *
 * Context: any; takes some time if there are many.
 */
void kfi_filter_set_list(struct kfi_filter *f, enum kfi_conf_list list, unsigned long *addr, u32 n);

/**
 * kfi_list_has() - Return true if a function is in a list.
 * @l: the list
 * @func: address of the function
 *
 * Context: any, hooks included.
 * Return: true if it is.
 */
bool kfi_list_has(const struct kfi_list *l, unsigned long func);

/**
 * kfi_filter_set_times() - Set the time limits.
 * @f: the filters
 * @min: raw counts, or 0
 * @max: raw counts, or U64_MAX
 *
 * Context: any; hooks may be reading, if kfi_filter_widen() has rounded both.
 */
void kfi_filter_set_times(struct kfi_filter *f, u64 min, u64 max);

/**
 * kfi_filter_widen() - Round time limits so that hooks may read them while they change.
 * @min: raw counts, or 0; rounded down
 * @max: raw counts, or U64_MAX; rounded up
 *
 * Where a long has 32 bits a hook reads a limit in two halves, and may find one half of the old
 * limit and one of the new one. Then the high half of @min is always 0 here, and @max is U64_MAX if
 * its high half is not 0. So a mix of two limits keeps each call that both limits keep. What it
 * keeps too much is dropped on collecting. The fast path does the same (kfi_fast_set_min()).
 */
static inline void kfi_filter_widen(u64 *min, u64 *max)
{
	*min = min_t(u64, *min, ULONG_MAX);
	if (*max > ULONG_MAX)
		*max = U64_MAX;
}

/**
 * struct kfi_what - properties of a call that the filters look at, except its times
 * @func: its function
 * @ctx: enum kfi_ctx
 * @depth: 1-based nesting depth
 * @pid: of the task on whose shadow stack it is
 * @cpu: on which it returns, or was entered if it does not
 * @under: it is one of the functions of ``only under``, or below one
 * @between: it was entered between two iterations
 * @follows: as in struct kfi_stack
 */
struct kfi_what {
	unsigned long func;
	u32 ctx;
	u32 depth;
	u32 pid;
	u32 cpu;
	bool under;
	bool between;
	u8 follows;
};

/* Apply the filters that are seldom used: see @rare of struct kfi_filter. */
enum kfi_count kfi_filter_rare(const struct kfi_filter *f, const struct kfi_what *w);

/* Apply what comes before all other filters: iterations and contexts. */
static __always_inline enum kfi_count kfi_filter_first(const struct kfi_filter *f,
						       const struct kfi_what *w)
{
	if (unlikely(w->between))
		return KFI_FILTERED_BETWEEN;
	if (likely(f->ctx_mask >> w->ctx & 1))
		return KFI_KEPT;
	return w->ctx == KFI_CTX_TASK ? KFI_FILTERED_ONLYINTS : KFI_FILTERED_NOINTS;
}

/* Apply the filters that remain if a call passes kfi_filter_first() and those of time. */
static __always_inline enum kfi_count kfi_filter_others(const struct kfi_filter *f,
							const struct kfi_what *w)
{
	return unlikely(f->rare) ? kfi_filter_rare(f, w) : KFI_KEPT;
}

/**
 * kfi_filter_except_time() - Apply all filters but those of time.
 * @f: the filters
 * @w: the call
 *
 * Return: KFI_KEPT, or why it is filtered.
 */
static __always_inline enum kfi_count kfi_filter_except_time(const struct kfi_filter *f,
							     const struct kfi_what *w)
{
	enum kfi_count kind = kfi_filter_first(f, w);

	return kind == KFI_KEPT ? kfi_filter_others(f, w) : kind;
}

/**
 * kfi_filter_time() - Apply the time filters to a call whose duration is known.
 * @f: the filters
 * @dur: raw counts from entry to exit
 *
 * Return: KFI_KEPT, or why it is filtered.
 */
static __always_inline enum kfi_count kfi_filter_time(const struct kfi_filter *f, u64 dur)
{
	if (dur < f->min)
		return KFI_FILTERED_MINTIME;
	if (unlikely(dur > f->max))
		return KFI_FILTERED_MAXTIME;
	return KFI_KEPT;
}

/**
 * kfi_filter_call() - Apply all filters to a call.
 * @f: the filters
 * @w: the call
 * @dur: raw counts from entry to exit
 *
 * The first reason counts: between two iterations, the context, the duration, then the others. So
 * the fast path, which knows only the context and the duration, counts short calls as this does.
 * Return: KFI_KEPT, or why it is filtered.
 */
static __always_inline enum kfi_count kfi_filter_call(const struct kfi_filter *f,
						      const struct kfi_what *w, u64 dur)
{
	enum kfi_count kind = kfi_filter_first(f, w);

	if (likely(kind == KFI_KEPT))
		kind = kfi_filter_time(f, dur);
	return kind == KFI_KEPT ? kfi_filter_others(f, w) : kind;
}

#endif /* KFI_FILTER_H */
