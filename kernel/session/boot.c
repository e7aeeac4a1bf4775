// SPDX-License-Identifier: GPL-2.0
/*
 * The sessions of the boot: the compiled-in configuration, or kfi.conf= of the command line in its
 * place.
 *
 * They are armed at the beginning of start_kernel(), in static memory. If the command line is not
 * known then, kfi.conf= is armed when the kernel's own parser meets it, after setup_arch();
 * without a compiled-in configuration so too, in memory from memblock.
 */
#include <linux/cpumask.h>
#include <linux/init.h>
#include <linux/kfi.h>
#include <linux/memblock.h>
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/start_kernel.h>
#include <linux/string.h>
#include <asm/setup.h>

#include "arch/arch.h"
#include "core/cmdline.h"
#include "hooks/hook.h"
#include "session/session.h"

/* The logs of the runs that were armed, one after the other in memory; NULL: there are none. */
static struct kfi_log *boot_logs;

/*
 * The parsed configurations. Sessions that are armed keep copies of their own until they are
 * replaced.
 */
static struct kfi_conf parsed[KFI_CONF_BLOCKS_MAX] __initdata;
static u32 nparsed __initdata;

/* Number of addresses in the lists of each parsed configuration. */
static u32 parsed_funcs[KFI_CONF_BLOCKS_MAX] __initdata;

/* Why a configuration was refused; only if its line is not 0. */
static struct kfi_conf_err param_error, static_error;

/* kfi_bootline_find() found a parameter of the recorder on the command line at start_kernel(). */
static bool seen_early __initdata;
static bool switched_off;

/* Limits by the memory of the sessions: their number, and the addresses in the lists of each. */
#ifdef CONFIG_KFI_STATIC_RUN
#define MOST_RUNS	kfi_static_nruns
#define MOST_FUNCS(i)	(kfi_static_runs[i].nfuncs)
#else
#define MOST_RUNS	KFI_CONF_BLOCKS_MAX
#define MOST_FUNCS(i)	KFI_CONF_STATIC_FUNCS
#endif

static __ref bool parse_one(const char *text, size_t len, u32 i, struct kfi_conf_err *err)
{
	int n;

	if (kfi_conf_parse_block(&parsed[i], text, len, i, err) ||
	    kfi_name_resolve_all(&parsed[i], err))
		return false;
	n = kfi_name_count(&parsed[i], MOST_FUNCS(i), err);
	if (n < 0)
		return false;
	parsed_funcs[i] = n;
	return true;
}

static __ref bool parse(const char *text, size_t len, struct kfi_conf_err *err)
{
	int i, n = kfi_conf_count(text, len, err);

	if (n < 0)
		return false;
	if (n > MOST_RUNS) {
		kfi_log_reject(err, -ENOMEM, "there is memory for as many runs as are compiled in");
		return false;
	}
	for (i = 0; i < n; i++)
		if (!parse_one(text, len, i, err))
			return false;
	nparsed = n;
	return true;
}

static bool is_off(const char *text, size_t len)
{
	return len == 3 && !memcmp(text, "off", 3);
}

static __ref u32 entries_wanted(u32 n)
{
	return parsed[n].logentries ?: CONFIG_KFI_LOG_ENTRIES;
}

/* Set up the n-th log with its parsed configuration. */
static __ref void set_up(u32 n, const char *text, size_t len, u32 entries, struct kfi_cpu *cpus,
			 struct kfi_chunk **chunks, u32 nchunks, unsigned long *funcs)
{
	struct kfi_log *log = &boot_logs[n];

	log->conf = parsed[n];
	kfi_name_fill(&log->conf, &log->run.filter, funcs, parsed_funcs[n]);
	log->text = text;
	log->len = len;
	log->entries = entries;
	log->conf.logentries = entries;
	log->wanted = entries_wanted(n) > entries ? entries_wanted(n) : 0;
	log->boot = true;
	log->run.cpus = cpus;
	kfi_log_setup(log, chunks, nchunks);
	kfi_log_add(n ? log - 1 : NULL, log);
}

/* Arm the first session, like every session of the historic recorder. */
static void arm(void)
{
	kfi_task_boot(true);
	kfi_sites_boot(true);
	kfi_control_set_current(boot_logs);
	boot_logs->primed = true;
	atomic_set(&boot_logs->run.state, KFI_PRIMED);
	kfi_control_publish(boot_logs);
}

#ifdef CONFIG_KFI_STATIC_RUN

/* The boot loader's line is gone after the boot; names of a configuration point into its text. */
static char param_text[COMMAND_LINE_SIZE];

static __ref void arm_static(const char *text, size_t len)
{
	u32 i, n;

	boot_logs = kfi_static_logs;
	for (n = 0; n < nparsed; n++) {
		const struct kfi_static_run *mem = &kfi_static_runs[n];
		u32 entries = min_t(u32, entries_wanted(n), mem->entries);
		u32 nchunks = KFI_RING_CHUNKS(entries, NR_CPUS, KFI_CHUNK_BYTES);

		nchunks = min_t(u32, nchunks, mem->nchunks);
		for (i = 0; i < nchunks; i++)
			mem->chunks[i] = (struct kfi_chunk *)mem->pool[i];
		set_up(n, text, len, entries, kfi_static_cpus[n], mem->chunks, nchunks,
		       mem->funcs);
	}
	arm();
}

/* Drop the compiled-in sessions, which may have begun: one cpu, interrupts off. */
static void __init disarm(void)
{
	u32 i, n;

	WRITE_ONCE(kfi_live, NULL);
	WRITE_ONCE(kfi_fast.on, 0);
	kfi_fast_close(&kfi_fast);
	kfi_sites_boot(false);
	if (!boot_logs)
		return;
	kfi_task_boot(false);
	kfi_control_set_current(NULL);
	boot_logs = NULL;
	for (n = 0; n < kfi_static_nruns; n++) {
		for (i = 0; i < kfi_ring_taken(&kfi_static_logs[n].run.ring); i++)
			memset(kfi_static_runs[n].pool[i], 0, KFI_CHUNK_BYTES);
		kfi_mods_forget(&kfi_static_logs[n].mods);
		memset(kfi_static_cpus[n], 0, sizeof(kfi_static_cpus[n]));
		memset(&kfi_static_logs[n], 0, sizeof(kfi_static_logs[n]));
	}
}

static void __init arm_late(const char *text, size_t len)
{
	disarm();
	arm_static(text, len);
}

/* Apply kfi=off or kfi.conf=. Return: true if one of them decides what is armed. */
static __ref bool apply_early_param(void)
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

static __ref void boot(void)
{
	kfi_clock_init("start_kernel");
	/*
	 * mkkfistatic has parsed it: only a name can be wrong, and that only in an unchecked
	 * kernel.
	 */
	if (!apply_early_param() && parse(kfi_static_text, kfi_static_len, &static_error))
		arm_static(kfi_static_text, kfi_static_len);
	if (!boot_logs)
		kfi_sites_boot(false);
}

#else

static void __init disarm(void)
{
}

/* Get memory for a log, or for half of it, or half of that, and so on. It is never freed. */
static bool __init arm_one(u32 i, const char *text, size_t len)
{
	struct kfi_chunk **chunks;
	unsigned long *funcs;
	struct kfi_cpu *cpus;
	u32 entries, n, c;
	u8 *pool = NULL;

	funcs = memblock_alloc(array_size(parsed_funcs[i] + 1, sizeof(*funcs)), SMP_CACHE_BYTES);
	cpus = memblock_alloc(array_size(nr_cpu_ids, sizeof(*cpus)), SMP_CACHE_BYTES);
	for (entries = entries_wanted(i); funcs && cpus && entries; entries /= 2) {
		n = KFI_RING_CHUNKS(entries, nr_cpu_ids, KFI_CHUNK_BYTES);
		pool = memblock_alloc(array_size(n, KFI_CHUNK_BYTES + sizeof(*chunks)), PAGE_SIZE);
		if (pool)
			break;
	}
	if (!pool)
		return false;
	chunks = (struct kfi_chunk **)(pool + (size_t)n * KFI_CHUNK_BYTES);
	for (c = 0; c < n; c++)
		chunks[c] = (struct kfi_chunk *)(pool + (size_t)c * KFI_CHUNK_BYTES);
	set_up(i, text, len, entries, cpus, chunks, n, funcs);
	return true;
}

static void __init arm_late(const char *text, size_t len)
{
	u32 i;

	boot_logs = memblock_alloc(array_size(nparsed, sizeof(*boot_logs)), SMP_CACHE_BYTES);
	for (i = 0; boot_logs && i < nparsed; i++)
		if (!arm_one(i, text, len))
			boot_logs = NULL;
	if (!boot_logs) {
		param_error = (struct kfi_conf_err) {
			.line = 1, .col = 1, .reason = "no memory for the log: lower logentries"
		};
		return;
	}
	arm();
}

/*
 * A session of kfi.conf= is armed after setup_arch(), which may have made the text read-only by
 * then. So its call sites stay on until then.
 */
static void boot(void)
{
	const char *text;
	size_t len;

	kfi_clock_init("start_kernel");
	kfi_sites_boot(kfi_bootline_find("kfi.conf", &text, &len));
}

#endif

/* Return true if a session that is armed after setup_arch() has certainly missed this trigger. */
static bool __init is_too_late(const struct kfi_trigger *t)
{
	unsigned long func = (unsigned long)t->func.addr;

	if (t->kind != KFI_TRIG_ENTRY && t->kind != KFI_TRIG_EXIT)
		return false;
	return (t->kind == KFI_TRIG_ENTRY && func == kfi_code_address(start_kernel)) ||
	       func == kfi_code_address(setup_arch);
}

static bool __init find_late_value(const char *name, const char **text, size_t *len)
{
	return kfi_cmdline_find(saved_command_line, SIZE_MAX, name, text, len);
}

/*
 * The kernel's own parser has met one of the parameters. It does so in start_kernel between
 * setup_arch() and mm_core_init(): memblock knows the memory, there is one cpu, and interrupts are
 * off.
 */
static void __init apply_late_param(void)
{
	static bool done __initdata;
	const char *text;
	size_t len;

	if (seen_early || done)
		return;
	done = true;
	if (find_late_value("kfi", &text, &len) && is_off(text, len)) {
		switched_off = true;
		disarm();
		return;
	}
	if (!find_late_value("kfi.conf", &text, &len) || !parse(text, len, &param_error))
		return;
	if (is_too_late(&parsed[0].start))
		param_error = (struct kfi_conf_err) {
			.line = parsed[0].start.func.line, .col = parsed[0].start.func.col,
			.reason = "without a compiled-in run recording begins after setup_arch()"
		};
	else
		arm_late(text, len);
}

static int __init kfi_param(char *unused)
{
	apply_late_param();
	return 1;
}
__setup("kfi=", kfi_param);

static int __init kfi_conf_param(char *unused)
{
	apply_late_param();
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

void kfi_boot_notes(struct seq_file *m, const struct kfi_log *log)
{
	if (param_error.line)
		seq_printf(m, "Note = kfi.conf= was refused: line %u column %u: %s\n",
			   param_error.line, param_error.col,
			   kfi_conf_err_public(&param_error).reason);
	if (log->wanted)
		seq_printf(m, "Note = room for %u entries only, %u were asked for\n",
			   log->entries, log->wanted);
}

static int __init report(void)
{
	u64 entries, wanted;

	if (param_error.line)
		pr_err("kfi: kfi.conf=:%u:%u: %s\n", param_error.line, param_error.col,
		       kfi_conf_err_public(&param_error).reason);
	kfi_log_sum_entries(boot_logs, &entries, &wanted);
	if (entries != wanted)
		pr_warn("kfi: room for %llu calls (%llu were requested)\n", entries, wanted);
#ifdef CONFIG_KFI_STATIC_RUN
	if (static_error.line)
		pr_err("kfi: %s:%u:%u: %s\n", kfi_static_name, static_error.line,
		       static_error.col, kfi_conf_err_public(&static_error).reason);
#endif
	return 0;
}
early_initcall(report);

/*
 * Called at the beginning of start_kernel(), after that function's own entry hook: when it ran,
 * nothing was live.
 */
void __init kfi_start_kernel(void *site)
{
	boot();
	kfi_hook_enter_slow(kfi_code_address(start_kernel), kfi_code_address(site), NULL);
}
