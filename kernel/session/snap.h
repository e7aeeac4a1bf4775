/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading a run while it goes on. Called by session/log.c only.
 */
#ifndef KFI_SNAP_H
#define KFI_SNAP_H

#include "session/log.h"

/**
 * kfi_snap_take() - Copy what a live run has recorded until now.
 * @log: a log whose run is triggered
 *
 * All cpus stand still meanwhile, outside of any callout; the run then goes on as if nothing had
 * happened. The copy has a reference to @log and is read like a log of its own once
 * kfi_collect_rows() has made its rows.
 * Context: process context, sleeps; under the mutex of session/log.c.
 * Return: the copy with one reference; ERR_PTR(-ENOMEM); ERR_PTR(-ESTALE) if the run was not
 * triggered, or no more; ERR_PTR(-EAGAIN) if NMIs recorded all the time.
 */
struct kfi_log *kfi_snap_take(struct kfi_log *log);

#endif /* KFI_SNAP_H */
