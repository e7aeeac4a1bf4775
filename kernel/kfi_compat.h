/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between the kernels that are supported: the only file that looks at their version.
 */
#ifndef KFI_COMPAT_H
#define KFI_COMPAT_H

#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)

/* Defines a function to be told about each symbol. */
#define KFI_SYMBOL_FN(fn, data, name, addr) \
	int fn(void *data, const char *name, struct module *mod_, unsigned long addr)

#define kfi_each_module_symbol(fn, data)	module_kallsyms_on_each_symbol((fn), (data))

#else

#define KFI_SYMBOL_FN(fn, data, name, addr) \
	int fn(void *data, const char *name, unsigned long addr)

#define kfi_each_module_symbol(fn, data)	module_kallsyms_on_each_symbol(NULL, (fn), (data))

#endif

/* Look at all consoles; linux/console.h must be there. */
#if KERNEL_VERSION(6, 2, 0) > LINUX_VERSION_CODE
#define kfi_consoles_begin()		0
#define kfi_consoles_end(cookie)	((void)(cookie))
#define kfi_each_console(con)		for_each_console(con)
#else
#define kfi_consoles_begin()		console_srcu_read_lock()
#define kfi_consoles_end(cookie)	console_srcu_read_unlock(cookie)
#define kfi_each_console(con)		for_each_console_srcu(con)
#endif

#if defined(CONFIG_ARM64) && LINUX_VERSION_CODE < KERNEL_VERSION(6, 9, 0)
/* This version has no page tables of five levels. */
#define p4d_offset_kimg(pgd, addr)	p4d_offset((pgd), (addr))
#endif

/**
 * kfi_stays_runnable() - Return true if a task that a CPU leaves stays on its run queue.
 * @p: the task
 *
 * Its state does not tell: a task may be preempted after it has said that it will sleep.
 * Context: the scheduler, run queue locked; @p has been left for another task.
 */
static inline bool kfi_stays_runnable(struct task_struct *p)
{
#if KERNEL_VERSION(6, 12, 0) > LINUX_VERSION_CODE
	return p->on_rq;
#else
	/*
	 * A sleeping task may stay on the queue until it would run: it does not count as
	 * runnable.
	 */
	return task_is_runnable(p);
#endif
}

#ifdef CONFIG_MODULES

/**
 * kfi_module_text() - Get the address range of a module's text.
 * @mod: the module
 * @init: that of its init functions
 * @size: filled: bytes; 0: it has none, or no more
 *
 * Context: any; the module must not go.
 * Return: its address.
 */
static inline unsigned long kfi_module_text(const struct module *mod, bool init,
					    unsigned long *size)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 4, 0)
	const struct module_layout *l = init ? &mod->init_layout : &mod->core_layout;

	*size = l->text_size;
	return (unsigned long)l->base;
#else
	const struct module_memory *m = &mod->mem[init ? MOD_INIT_TEXT : MOD_TEXT];

	*size = m->size;
	return (unsigned long)m->base;
#endif
}

#endif

#endif /* KFI_COMPAT_H */
