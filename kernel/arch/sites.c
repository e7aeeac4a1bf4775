// SPDX-License-Identifier: GPL-2.0
/*
 * Enables and disables the call sites of the hooks, in the kernel and its modules: see arch.h.
 * Called by session/boot.c while the kernel boots, by session/control.c when a session is armed
 * and when none is left, and by session/module.c.
 */
#include <linux/cpu.h>
#include <linux/init.h>
#include <linux/io.h>
#include <linux/list.h>
#include <linux/memory.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/stop_machine.h>
#include <linux/vmalloc.h>
#include <asm/sections.h>

#include "arch/arch.h"
#include "kfi_compat.h"

/**
 * struct part - sites in the same piece of text; without those that are never changed again
 * @link: in parts
 * @mod: the module, or NULL: the kernel
 * @from: its table
 * @to: behind that
 * @window: the text, which can be written only while @mapped is set
 * @mapped: where the text is mapped for writing; NULL: it is not mapped
 */
struct part {
	struct list_head link;
	const struct module *mod;
	struct kfi_site *from;
	struct kfi_site *to;
	struct kfi_window window;
	void *mapped;
};

/* Defined by the linker scripts. */
extern struct kfi_site __start_kfi_sites[], __stop_kfi_sites[];

/* kfi.sites= of the command line: "on", "nops". */
static bool stay_on;
bool kfi_sites_nops;

/* Protects the variables below, and all sites once there is more than one cpu. */
static DEFINE_MUTEX(sites_mutex);
static LIST_HEAD(parts);
static bool are_on = true;

static struct part kernel_part;

#ifdef CONFIG_X86

void kfi_sites_look(void (*look)(struct kfi_site *from, struct kfi_site *to,
				 const struct kfi_window *w))
{
	const struct part *p;

	list_for_each_entry(p, &parts, link)
		if (p->mapped)
			look(p->from, p->to, &p->window);
}

#else

void kfi_sites_write_table(struct kfi_site *from, struct kfi_site *to, const struct kfi_window *w,
			   enum kfi_site_write to_be)
{
	struct kfi_site *s;
	unsigned long at;

	for (s = from; s < to; s++)
		if (kfi_site_within(s, w, &at))
			kfi_sites_write_one(s, (void *)(at + w->shift), to_be == KFI_SITE_ON);
}

#endif

/* ---- text that is to be written to, mapped for that ---- */

static struct page *page_of(const struct part *p, unsigned long addr)
{
	return p->mod ? vmalloc_to_page((void *)addr) : pfn_to_page(PHYS_PFN(__pa_symbol(addr)));
}

static int map_part(struct part *p)
{
	unsigned long first = p->window.from & PAGE_MASK, i;
	unsigned long n = PAGE_ALIGN(p->window.from + p->window.size - first) / PAGE_SIZE;
	struct page **pages = kvmalloc_array(n, sizeof(*pages), GFP_KERNEL);

	if (!pages)
		return -ENOMEM;
	for (i = 0; i < n; i++)
		pages[i] = page_of(p, first + i * PAGE_SIZE);
	p->mapped = vmap(pages, n, VM_MAP, PAGE_KERNEL);
	kvfree(pages);
	if (!p->mapped)
		return -ENOMEM;
	p->window.shift = (long)((unsigned long)p->mapped - first);
	return 0;
}

static void unmap_part(struct part *p)
{
	vunmap(p->mapped);
	p->mapped = NULL;
}

/* ---- all at once ---- */

/* On x86 a site is a breakpoint in between, for NMIs: see x86.c. */
#define STEPS	(IS_ENABLED(CONFIG_X86) ? 2 : 1)

/**
 * struct change - what all cpus do together
 * @to_be: what sites become, step by step
 * @cpus: number of cpus
 * @came: cpus that have arrived in change_sites(); the last one writes
 * @early: it was not the last one: a fault
 * @done: steps that the writing cpu has finished
 * @synced: number of kfi_sites_sync() calls by all cpus, one for each step
 */
struct change {
	enum kfi_site_write to_be[STEPS];
	int cpus;
	atomic_t came;
	bool early;
	int done;
	atomic_t synced;
};

/* Write all sites whose text is mapped to be changed, and flush it. All cpus stand still. */
static void write_sites(enum kfi_site_write to_be)
{
	struct part *p;

	list_for_each_entry(p, &parts, link)
		if (p->mapped) {
			kfi_sites_write_table(p->from, p->to, &p->window, to_be);
			kfi_sites_flush(&p->window);
		}
}

/*
 * stop_machine() may call this on one cpu while others still run code of stop_machine(), which
 * has sites. So nothing is written before all cpus are in this function, which has no sites, with
 * interrupts masked.
 */
static int change_sites(void *data)
{
	unsigned long masked = kfi_sites_mask();
	struct change *c = data;
	bool writes = atomic_inc_return(&c->came) == c->cpus;
	int i;

	if (writes)
		c->early = atomic_read(&c->came) != c->cpus;
	for (i = 0; i < STEPS; i++) {
		if (writes) {
			write_sites(c->to_be[i]);
			smp_store_release(&c->done, i + 1);	/* pairs with the acquire below */
		} else {
			while (smp_load_acquire(&c->done) <= i)	/* pairs with the release above */
				cpu_relax();
		}
		kfi_sites_sync();
		atomic_inc(&c->synced);
		while (atomic_read(&c->synced) < c->cpus * (i + 1))
			cpu_relax();
	}
	kfi_sites_unmask(masked);
	return 0;
}

static int change_all(bool on)
{
	struct change c = { };
	struct part *p;
	int ret = 0;

	/* With STEPS == 1 the second line overwrites the first. */
	c.to_be[0] = KFI_SITE_BREAK;
	c.to_be[STEPS - 1] = on ? KFI_SITE_ON : KFI_SITE_OFF;
	list_for_each_entry(p, &parts, link)
		if (!ret && p->window.size)
			ret = map_part(p);
	if (!ret) {
		/* Take the locks in the order of jump labels. text_mutex protects the text. */
		cpus_read_lock();
		mutex_lock(&text_mutex);
		c.cpus = num_online_cpus();
		ret = kfi_sites_begin();
		if (!ret) {
			ret = stop_machine_cpuslocked(change_sites, &c, cpu_online_mask);
			kfi_sites_end();
			WARN_ON_ONCE(c.early);
		}
		mutex_unlock(&text_mutex);
		cpus_read_unlock();
	}
	list_for_each_entry(p, &parts, link)
		if (p->mapped)
			unmap_part(p);
	return ret;
}

int kfi_sites_set(bool on)
{
	int ret = 0;

	mutex_lock(&sites_mutex);
	on |= stay_on;
	if (on != are_on)
		ret = change_all(on);
	if (!ret)
		are_on = on;
	mutex_unlock(&sites_mutex);
	return ret;
}

/* Read kfi.sites= once, at start_kernel(): later the boot loader's line is gone. */
static __ref void apply_boot_param(void)
{
	static bool done;
	const char *text;
	size_t len;

	if (done)
		return;
	done = true;
	if (!kfi_bootline_find("kfi.sites", &text, &len))
		return;
	stay_on = len == 2 && !memcmp(text, "on", 2);
	kfi_sites_nops = len == 4 && !memcmp(text, "nops", 4);
}

static int __init sites_param(char *unused)
{
	return 1;
}
__setup("kfi.sites=", sites_param);

void kfi_sites_boot(bool on)
{
	struct kfi_window all = { .size = ULONG_MAX };

	apply_boot_param();
	on |= stay_on;
	if (on == are_on || !kfi_sites_boot_begin(&all))
		return;
	kfi_sites_write_table(__start_kfi_sites, __stop_kfi_sites, &all,
			      on ? KFI_SITE_ON : KFI_SITE_OFF);
	kfi_sites_boot_end(&all);
	are_on = on;
}

static int __init sites_ready(void)
{
	kernel_part.from = __start_kfi_sites;
	kernel_part.to = __stop_kfi_sites;
	kernel_part.window.from = (unsigned long)_stext;
	kernel_part.window.size = (unsigned long)(_etext - _stext);
	list_add(&kernel_part.link, &parts);
	return 0;
}
early_initcall(sites_ready);

/* ---- modules ---- */

#ifdef CONFIG_MODULES

static struct kfi_site *symbol_of(const struct module *mod, const char *symbol)
{
	char name[MODULE_NAME_LEN + 32];

	snprintf(name, sizeof(name), "%s:%s", mod->name, symbol);
	return (struct kfi_site *)module_kallsyms_lookup_name(name);
}

/* Disable sites of a module whose code does not run yet. Without memory they stay enabled. */
static void disable_part(struct part *p)
{
	if (!p->window.size || map_part(p))
		return;
	kfi_sites_write_table(p->from, p->to, &p->window, KFI_SITE_OFF);
	kfi_sites_flush(&p->window);
	unmap_part(p);
}

static void module_loads(const struct module *mod)
{
	struct kfi_site *from = symbol_of(mod, "__start_kfi_sites");
	struct kfi_site *to = symbol_of(mod, "__stop_kfi_sites");
	struct part *p = from < to ? kzalloc(sizeof(*p), GFP_KERNEL) : NULL;

	if (!p)
		return;
	p->mod = mod;
	p->from = from;
	p->to = to;
	if (!are_on) {
		p->window.from = kfi_module_text(mod, true, &p->window.size);
		disable_part(p);
	}
	p->window.from = kfi_module_text(mod, false, &p->window.size);
	if (!are_on)
		disable_part(p);
	list_add(&p->link, &parts);
}

static void module_unloads(const struct module *mod)
{
	struct part *p;

	list_for_each_entry(p, &parts, link)
		if (p->mod == mod) {
			list_del(&p->link);
			kfree(p);
			return;
		}
}

void kfi_sites_module(const struct module *mod, unsigned long state)
{
	mutex_lock(&sites_mutex);
	if (state == MODULE_STATE_COMING)
		module_loads(mod);
	else if (state == MODULE_STATE_GOING)
		module_unloads(mod);
	mutex_unlock(&sites_mutex);
}

#endif

/* ---- what others ask ---- */

bool kfi_sites_has(unsigned long from, unsigned long size)
{
	const struct kfi_site *s;

	for (s = __start_kfi_sites; s < __stop_kfi_sites; s++)
		if ((unsigned long)s + s->at - from < size)
			return true;
	return false;
}

void kfi_sites_show(struct seq_file *m)
{
	const struct part *p;
	unsigned long n = 0;

	mutex_lock(&sites_mutex);
	list_for_each_entry(p, &parts, link)
		n += p->to - p->from;
	seq_printf(m, "sites %lu, %s%s\n", n, are_on ? "on" : "off",
		   stay_on ? ", for ever: kfi.sites=on" : "");
	mutex_unlock(&sites_mutex);
}
