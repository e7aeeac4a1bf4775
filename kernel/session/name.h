/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From function names to addresses.
 */
#ifndef KFI_NAME_H
#define KFI_NAME_H

#include "core/conf.h"
#include "core/filter.h"

/* Functions in all lists of a run. */
#define KFI_NAME_FUNCS_MAX	65536

/**
 * kfi_name_resolve_all() - Find the addresses of all functions that a configuration names.
 * @conf: the configuration; its names become resolved
 * @err: says which function is unknown or ambiguous
 *
 * Works from start_kernel on: reads constant tables only. One caller at a time.
 * Return: 0, -ENOENT for an unknown name, -EINVAL for one that several functions share or an
 * address that is in no function.
 */
int kfi_name_resolve_all(struct kfi_conf *conf, struct kfi_conf_err *err);

/**
 * kfi_name_count() - How many addresses are there in the lists of a configuration?
 * @conf: the configuration, all names resolved
 * @max: at most so many
 * @err: says which pattern matches nothing, or that all match too much
 *
 * Works from start_kernel on: reads constant tables, and modules only if there can be any. One
 * caller at a time.
 * Return: the number, double ones included; -ENOENT, -E2BIG.
 */
int kfi_name_count(const struct kfi_conf *conf, u32 max, struct kfi_conf_err *err);

/**
 * kfi_name_fill() - Make the filters of a run, and fill their lists.
 * @conf: the configuration, all names resolved
 * @filter: the filters
 * @addr: memory for the addresses, to be kept as long as they
 * @room: how many fit
 *
 * Lists of whole modules are looked after by kfi_mods_watch().
 * Context: as kfi_name_count().
 * Return: what kfi_name_count() counts; more than @room: the lists are not made.
 */
u32 kfi_name_fill(const struct kfi_conf *conf, struct kfi_filter *filter, unsigned long *addr,
		  u32 room);

/**
 * kfi_name_lists() - The same, in memory that is allocated for it.
 * @conf: the configuration, all names resolved
 * @filter: the filters
 * @addr: filled: the memory, the caller's to kfree(); NULL if none is needed
 * @err: says why not
 *
 * Context: process context, sleeps. One caller at a time.
 * Return: 0, -ENOENT, -E2BIG, -ENOMEM, -EBUSY.
 */
int kfi_name_lists(const struct kfi_conf *conf, struct kfi_filter *filter, unsigned long **addr,
		   struct kfi_conf_err *err);

#endif /* KFI_NAME_H */
