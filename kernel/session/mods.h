/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Modules in the lists of runs: they may come and go while a run is live.
 */
#ifndef KFI_MODS_H
#define KFI_MODS_H

#include <linux/list.h>

#include "core/call.h"
#include "core/conf.h"

struct module;

/**
 * struct kfi_mods - the modules in the lists of a run
 * @link: in the list of all runs that have such lists
 * @run: the run
 * @conf: its configuration
 * @in: the modules whose text is in the lists; NULL: a free place
 * @missed: how many modules should be in a list and found no place
 *
 * Written under the mutex of session/mods.c.
 */
struct kfi_mods {
	struct list_head link;
	struct kfi_run *run;
	const struct kfi_conf *conf;
	const struct module *in[KFI_LISTS][KFI_LIST_MODULES];
	u32 missed;
};

#ifdef CONFIG_MODULES

/**
 * kfi_mods_watch() - Keep the lists of a run up to date.
 * @m: for the run
 * @run: the run; its filters are made
 * @conf: its configuration
 *
 * Context: the boot, or process context, sleeps.
 */
void kfi_mods_watch(struct kfi_mods *m, struct kfi_run *run, const struct kfi_conf *conf);

/**
 * kfi_mods_forget() - The run is over.
 * @m: as given to kfi_mods_watch(), or zeroed
 *
 * Context: process context, sleeps.
 */
void kfi_mods_forget(struct kfi_mods *m);

#else

static inline void kfi_mods_watch(struct kfi_mods *m, struct kfi_run *run,
				  const struct kfi_conf *conf)
{
}

static inline void kfi_mods_forget(struct kfi_mods *m)
{
}

#endif

#endif /* KFI_MODS_H */
