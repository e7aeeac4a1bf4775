// SPDX-License-Identifier: GPL-2.0
/*
 * The run that is compiled in: armed by the first callout of start_kernel, from static memory.
 */
#include <linux/init.h>
#include <linux/printk.h>

#include "kfi_boot.h"
#include "kfi_clock.h"
#include "kfi_log.h"
#include "kfi_name.h"
#include "kfi_static.h"
#include "kfi_task.h"

#ifdef CONFIG_KFI_STATIC_RUN

static struct kfi_log boot_log;
static struct kfi_cpu boot_cpus[NR_CPUS];
static struct kfi_conf_err boot_error;
static bool refused;

/* Parse and resolve; the run is primed as the historic ones were. */
static bool arm(void)
{
	u32 i;

	/*
	 * mkkfistatic has parsed it: only a name can be wrong, and that only in an unchecked
	 * kernel.
	 */
	if (kfi_conf_parse(&boot_log.conf, kfi_static_text, kfi_static_len, KFI_CONF_STATIC,
			   &boot_error) ||
	    kfi_name_resolve_all(&boot_log.conf, &boot_error))
		return false;
	for (i = 0; i < kfi_static_nchunks; i++)
		kfi_static_chunks[i] = (struct kfi_chunk *)kfi_static_pool[i];
	boot_log.text = kfi_static_text;
	boot_log.len = kfi_static_len;
	boot_log.flags = KFI_CONF_STATIC;
	boot_log.entries = kfi_static_entries;
	boot_log.conf.logentries = kfi_static_entries;
	boot_log.boot = true;
	boot_log.run.cpus = boot_cpus;
	kfi_log_setup(&boot_log, kfi_static_chunks, kfi_static_nchunks);
	kfi_log_set_current(&boot_log);
	boot_log.primed = true;
	atomic_set(&boot_log.run.state, KFI_PRIMED);
	return true;
}

void kfi_boot(void)
{
	kfi_clock_init("start_kernel");
	kfi_task_boot();
	refused = !arm();
	if (refused)
		WRITE_ONCE(kfi_live, NULL);
	else
		kfi_log_publish(&boot_log);
}

const struct kfi_conf_err *kfi_boot_error(void)
{
	return refused ? &boot_error : NULL;
}

static int __init report(void)
{
	if (refused)
		pr_err("kfi: %s:%u:%u: %s\n", kfi_static_name, boot_error.line, boot_error.col,
		       boot_error.reason);
	return 0;
}
early_initcall(report);

#else

void kfi_boot(void)
{
	kfi_clock_init("start_kernel");
	WRITE_ONCE(kfi_live, NULL);
}

const struct kfi_conf_err *kfi_boot_error(void)
{
	return NULL;
}

#endif
