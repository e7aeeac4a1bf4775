/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From function names to addresses.
 */
#ifndef KFI_NAME_H
#define KFI_NAME_H

#include "kfi_conf.h"

/**
 * kfi_name_resolve_all() - Find the addresses of all functions of a configuration.
 * @conf: the configuration; its functions become resolved
 * @err: says which function is unknown or ambiguous
 *
 * Works from start_kernel on: reads constant tables only. One caller at a time.
 * Return: 0, -ENOENT for an unknown name, -EINVAL for one that several functions share or an
 * address that is in no function.
 */
int kfi_name_resolve_all(struct kfi_conf *conf, struct kfi_conf_err *err);

#endif /* KFI_NAME_H */
