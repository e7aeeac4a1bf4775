/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which calls are kept: pure decisions on values that are passed in.
 */
#ifndef KFI_FILTER_H
#define KFI_FILTER_H

#include "kfi_abi.h"
#include "kfi_conf.h"

/**
 * struct kfi_filter - the filters of a run, ready for the callouts
 * @min: shortest duration kept, raw counts; 0: no limit. May be changed while the run is live,
 *	when the clock's rate becomes known: only upwards
 * @max: longest duration kept, raw counts; U64_MAX: no limit; likewise
 * @ctx_mask: bit per enum kfi_ctx: contexts kept
 * @rare: there is more than times and contexts: look at what follows
 * @num: as in struct kfi_conf
 * @nums: likewise
 * @nfuncs: functions in @funcs; 0: all functions
 * @funcs: the function list, ascending
 *
 * Written by the configuring process before the run is published, but for @min and @max.
 */
struct kfi_filter {
	u64 min;
	u64 max;
	u32 ctx_mask;
	bool rare;
	u32 num[KFI_NUMS];
	u32 nums;
	u32 nfuncs;
	unsigned long funcs[KFI_CONF_FUNCS_MAX];
};

/**
 * kfi_filter_init() - Make the filters of a configuration.
 * @f: the filters
 * @conf: configuration, every function resolved
 *
 * The time limits are set apart, by kfi_filter_set_times().
 * Context: any.
 */
void kfi_filter_init(struct kfi_filter *f, const struct kfi_conf *conf);

/**
 * kfi_filter_set_times() - Set the time limits.
 * @f: the filters
 * @min: raw counts, or 0
 * @max: raw counts, or U64_MAX
 *
 * Context: any; callouts may be reading.
 */
void kfi_filter_set_times(struct kfi_filter *f, u64 min, u64 max);

/**
 * struct kfi_what - what the filters know of a call apart from its times
 * @func: its function
 * @ctx: enum kfi_ctx
 * @depth: 1-based nesting depth
 * @pid: of the task on whose shadow stack it is
 * @cpu: on which it returns, or was entered if it does not
 */
struct kfi_what {
	unsigned long func;
	u32 ctx;
	u32 depth;
	u32 pid;
	u32 cpu;
};

/* The half of kfi_filter_kind() for filters that are not often used. */
enum kfi_count kfi_filter_rare(const struct kfi_filter *f, const struct kfi_what *w);

/**
 * kfi_filter_kind() - What becomes of a call, whatever it took?
 * @f: the filters
 * @w: the call
 *
 * Context: any.
 * Return: KFI_KEPT, or why it is filtered.
 */
static __always_inline enum kfi_count kfi_filter_kind(const struct kfi_filter *f,
						      const struct kfi_what *w)
{
	if (unlikely(!(f->ctx_mask >> w->ctx & 1)))
		return w->ctx == KFI_CTX_TASK ? KFI_FILTERED_ONLYINTS : KFI_FILTERED_NOINTS;
	return unlikely(f->rare) ? kfi_filter_rare(f, w) : KFI_KEPT;
}

/**
 * kfi_filter_time() - What becomes of a call whose duration is known?
 * @f: the filters
 * @dur: raw counts from entry to exit
 *
 * Context: any.
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
 * kfi_filter_call() - What becomes of a call?
 * @f: the filters
 * @w: the call
 * @dur: raw counts from entry to exit
 *
 * Context: any.
 * Return: KFI_KEPT, or why it is filtered.
 */
static __always_inline enum kfi_count kfi_filter_call(const struct kfi_filter *f,
						      const struct kfi_what *w, u64 dur)
{
	enum kfi_count kind = kfi_filter_kind(f, w);

	return kind == KFI_KEPT ? kfi_filter_time(f, dur) : kind;
}

#endif /* KFI_FILTER_H */
