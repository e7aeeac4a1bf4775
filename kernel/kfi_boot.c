// SPDX-License-Identifier: GPL-2.0
/*
 * The run of the boot: the configuration that is compiled in, or in its place kfi.conf= of the
 * command line.
 *
 * It is armed by the first callout of start_kernel, in static memory. Where the command line is not
 * known then, or nothing is compiled in, kfi.conf= is armed when the kernel's own parser meets it,
 * after setup_arch(), the latter in memory from memblock.
 */
#include <linux/cpumask.h>
#include <linux/init.h>
#include <linux/memblock.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/start_kernel.h>
#include <linux/string.h>
#include <asm/setup.h>

#include "kfi_boot.h"
#include "kfi_bootline.h"
#include "kfi_clock.h"
#include "kfi_cmdline.h"
#include "kfi_log.h"
#include "kfi_name.h"
#include "kfi_static.h"
#include "kfi_task.h"

/* Room for the addresses in lists. */
#ifdef CONFIG_KFI_STATIC_RUN
#define BOOT_FUNCS	kfi_static_nfuncs
#else
#define BOOT_FUNCS	KFI_CONF_STATIC_FUNCS
#endif

static struct kfi_log boot_log;

/* Parsed and resolved here, so that a run that is armed keeps its own until another is taken. */
static struct kfi_conf parsed __initdata;

/* Why a configuration was refused; only if its line is not 0. */
static struct kfi_conf_err param_error, static_error;

/* The command line was found to say something of the run at start_kernel. */
static bool seen_early __initdata;
static bool switched_off;

/* What kfi.conf= asked for, where that is more than its log holds. */
static u32 entries_wanted;

/* How many addresses there are in its lists. */
static u32 parsed_funcs __initdata;

static __ref bool parse(const char *text, size_t len, struct kfi_conf_err *err)
{
	int n;

	if (kfi_conf_parse(&parsed, text, len, KFI_CONF_STATIC, err) ||
	    kfi_name_resolve_all(&parsed, err))
		return false;
	n = kfi_name_count(&parsed, BOOT_FUNCS, err);
	if (n < 0)
		return false;
	parsed_funcs = n;
	return true;
}

static bool is_off(const char *text, size_t len)
{
	return len == 3 && !memcmp(text, "off", 3);
}

/* Arm what was parsed; the run is primed as the historic ones were. */
static __ref void arm(const char *text, size_t len, u32 entries, struct kfi_cpu *cpus,
		      struct kfi_chunk **chunks, u32 nchunks, unsigned long *funcs)
{
	boot_log.conf = parsed;
	kfi_name_fill(&boot_log.conf, &boot_log.run.filter, funcs, parsed_funcs);
	boot_log.text = text;
	boot_log.len = len;
	boot_log.flags = KFI_CONF_STATIC;
	boot_log.entries = entries;
	boot_log.conf.logentries = entries;
	boot_log.boot = true;
	boot_log.run.cpus = cpus;
	kfi_log_setup(&boot_log, chunks, nchunks);
	kfi_log_set_current(&boot_log);
	boot_log.primed = true;
	atomic_set(&boot_log.run.state, KFI_PRIMED);
	kfi_log_publish(&boot_log);
}

#ifdef CONFIG_KFI_STATIC_RUN

static struct kfi_cpu boot_cpus[NR_CPUS];

/* The boot loader's line is gone after the boot; names of a configuration point into its text. */
static char param_text[COMMAND_LINE_SIZE];

static __ref void arm_static(const char *text, size_t len)
{
	u32 want = parsed.logentries ?: CONFIG_KFI_LOG_ENTRIES, i;
	u32 entries = min_t(u32, want, kfi_static_entries);
	u32 nchunks = kfi_ring_chunks_for(entries, NR_CPUS, KFI_CHUNK_BYTES);

	if (want > entries)
		entries_wanted = want;
	nchunks = min_t(u32, nchunks, kfi_static_nchunks);
	for (i = 0; i < nchunks; i++)
		kfi_static_chunks[i] = (struct kfi_chunk *)kfi_static_pool[i];
	arm(text, len, entries, boot_cpus, kfi_static_chunks, nchunks, kfi_static_funcs);
}

/* Take the compiled-in run, which may have begun, away: one cpu, interrupts off. */
static void __init disarm(void)
{
	u32 i;

	WRITE_ONCE(kfi_live, NULL);
	if (!boot_log.boot)
		return;
	kfi_log_set_current(NULL);
	kfi_mods_forget(&boot_log.mods);
	for (i = 0; i < kfi_ring_taken(&boot_log.run.ring); i++)
		memset(kfi_static_pool[i], 0, KFI_CHUNK_BYTES);
	memset(boot_cpus, 0, sizeof(boot_cpus));
	memset(&boot_log, 0, sizeof(boot_log));
}

static void __init arm_late(const char *text, size_t len)
{
	disarm();
	arm_static(text, len);
}

/* Return: true if the command line has said what becomes of the run. */
static __ref bool obey_early(void)
{
	const char *text;
	size_t len;

	if (kfi_bootline_find("kfi", &text, &len) && is_off(text, len)) {
		switched_off = true;
		seen_early = true;
		return true;
	}
	if (!kfi_bootline_find("kfi.conf", &text, &len))
		return false;
	seen_early = true;
	len = min(len, sizeof(param_text));
	memcpy(param_text, text, len);
	if (!parse(param_text, len, &param_error))
		return false;
	arm_static(param_text, len);
	return true;
}

__ref void kfi_boot(void)
{
	kfi_clock_init("start_kernel");
	kfi_task_boot();
	WRITE_ONCE(kfi_live, NULL);
	if (obey_early())
		return;
	/*
	 * mkkfistatic has parsed it: only a name can be wrong, and that only in an unchecked
	 * kernel.
	 */
	if (parse(kfi_static_text, kfi_static_len, &static_error))
		arm_static(kfi_static_text, kfi_static_len);
}

#else

static void __init disarm(void)
{
}

/* Memory for the log, or for half of it, or half of that ...; it is never given back. */
static void __init arm_late(const char *text, size_t len)
{
	u32 want = parsed.logentries ?: CONFIG_KFI_LOG_ENTRIES, entries, n, i;
	struct kfi_chunk **chunks;
	unsigned long *funcs;
	struct kfi_cpu *cpus;
	u8 *pool = NULL;

	funcs = memblock_alloc(array_size(parsed_funcs + 1, sizeof(*funcs)), SMP_CACHE_BYTES);
	cpus = memblock_alloc(array_size(nr_cpu_ids, sizeof(*cpus)), SMP_CACHE_BYTES);
	for (entries = want; funcs && cpus && entries; entries /= 2) {
		n = kfi_ring_chunks_for(entries, nr_cpu_ids, KFI_CHUNK_BYTES);
		pool = memblock_alloc(array_size(n, KFI_CHUNK_BYTES + sizeof(*chunks)), PAGE_SIZE);
		if (pool)
			break;
	}
	if (!pool) {
		param_error = (struct kfi_conf_err) {
			.line = 1, .col = 1, .reason = "no memory for the log: lower logentries"
		};
		return;
	}
	if (want > entries)
		entries_wanted = want;
	chunks = (struct kfi_chunk **)(pool + (size_t)n * KFI_CHUNK_BYTES);
	for (i = 0; i < n; i++)
		chunks[i] = (struct kfi_chunk *)(pool + (size_t)i * KFI_CHUNK_BYTES);
	kfi_task_boot();
	arm(text, len, entries, cpus, chunks, n, funcs);
}

void kfi_boot(void)
{
	kfi_clock_init("start_kernel");
	WRITE_ONCE(kfi_live, NULL);
}

#endif

/* Triggers that a run which is armed after setup_arch() can have missed only. */
static bool __init too_late(const struct kfi_trigger *t)
{
	unsigned long func = (unsigned long)t->func.addr;

	if (t->kind != KFI_TRIG_ENTRY && t->kind != KFI_TRIG_EXIT)
		return false;
	return (t->kind == KFI_TRIG_ENTRY && func == (unsigned long)start_kernel) ||
	       func == (unsigned long)setup_arch;
}

static bool __init late_value(const char *name, const char **text, size_t *len)
{
	return kfi_cmdline_find(saved_command_line, SIZE_MAX, name, text, len);
}

/*
 * The kernel's own parser has met one of the parameters. It does so in start_kernel between
 * setup_arch() and mm_core_init(): memblock knows the memory, there is one cpu, and interrupts are
 * off.
 */
static void __init obey_late(void)
{
	static bool done __initdata;
	const char *text;
	size_t len;

	if (seen_early || done)
		return;
	done = true;
	if (late_value("kfi", &text, &len) && is_off(text, len)) {
		switched_off = true;
		disarm();
		return;
	}
	if (!late_value("kfi.conf", &text, &len) || !parse(text, len, &param_error))
		return;
	if (too_late(&parsed.start))
		param_error = (struct kfi_conf_err) {
			.line = parsed.start.func.line, .col = parsed.start.func.col,
			.reason = "without a compiled-in run recording begins after setup_arch()"
		};
	else
		arm_late(text, len);
}

static int __init kfi_param(char *unused)
{
	obey_late();
	return 1;
}
__setup("kfi=", kfi_param);

static int __init kfi_conf_param(char *unused)
{
	obey_late();
	return 1;
}
__setup("kfi.conf=", kfi_conf_param);

void kfi_boot_show(struct seq_file *m)
{
	if (switched_off)
		seq_puts(m, "Note = kfi=off: nothing was armed at boot\n");
	if (param_error.line)
		seq_printf(m, "error: kfi.conf= on the command line: line %u column %u: %s\n",
			   param_error.line, param_error.col, param_error.reason);
	if (static_error.line)
		seq_printf(m, "error: compiled-in configuration: line %u column %u: %s\n",
			   static_error.line, static_error.col, static_error.reason);
}

void kfi_boot_notes(struct seq_file *m)
{
	if (param_error.line)
		seq_printf(m, "Note = kfi.conf= was refused: line %u column %u: %s\n",
			   param_error.line, param_error.col, param_error.reason);
	if (entries_wanted)
		seq_printf(m, "Note = room for %u entries only, %u were asked for\n",
			   boot_log.entries, entries_wanted);
}

static int __init report(void)
{
	if (param_error.line)
		pr_err("kfi: kfi.conf=:%u:%u: %s\n", param_error.line, param_error.col,
		       param_error.reason);
	if (entries_wanted)
		pr_warn("kfi: Allocated %u log entries (%u were requested).\n", boot_log.entries,
			entries_wanted);
#ifdef CONFIG_KFI_STATIC_RUN
	if (static_error.line)
		pr_err("kfi: %s:%u:%u: %s\n", kfi_static_name, static_error.line,
		       static_error.col, static_error.reason);
#endif
	return 0;
}
early_initcall(report);
