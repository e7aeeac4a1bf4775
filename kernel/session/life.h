/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which code was where at what time: modules that came and went since the boot, and the kernel's
 * own init text, so that an address in a log can be named even if something else is there by now.
 */
#ifndef KFI_LIFE_H
#define KFI_LIFE_H

#include <linux/types.h>

/* Modules that are remembered. */
#define KFI_LIVES_MAX	256

/* Bytes of a name; that of a module in Linux has fewer. */
#define KFI_LIFE_NAME	64

/**
 * struct kfi_life - a module, from its loading to its end
 * @name: its name
 * @text: address of its text
 * @text_size: bytes of that
 * @init: address of the text of its init functions; 0: it has none
 * @init_size: bytes of that
 * @loaded: raw clock count before its first init function; 0 in all three: not yet
 * @init_over: when its init functions had returned: their text was freed later
 * @unloaded: when its exit functions had returned: its text was freed later
 */
struct kfi_life {
	char name[KFI_LIFE_NAME];
	unsigned long text;
	unsigned long text_size;
	unsigned long init;
	unsigned long init_size;
	u64 loaded;
	u64 init_over;
	u64 unloaded;
};

/**
 * struct kfi_lives - what a log knows of modules
 * @life: modules that were there during the run, in order of loading
 * @n: how many
 * @forgotten: modules that are not in it since there was no room for them; some of them may not
 *	have been there during the run
 * @kernel_init_over: raw clock count when the kernel's init text had been freed; 0: not yet
 */
struct kfi_lives {
	struct kfi_life *life;
	u32 n;
	u32 forgotten;
	u64 kernel_init_over;
};

/**
 * kfi_lives_get() - Copy the modules that were there during a time.
 * @lives: filled; @life is to be freed with kvfree()
 * @from: raw clock count
 * @to: raw clock count
 *
 * Context: process context, sleeps.
 * Return: 0 or -ENOMEM, and then @lives is left alone.
 */
int kfi_lives_get(struct kfi_lives *lives, u64 from, u64 to);

/**
 * kfi_lives_peek() - Look at all modules that are remembered, without waiting.
 * @lives: filled; @life is not to be freed
 *
 * Context: a crash: whoever is just loading a module is not waited for.
 */
void kfi_lives_peek(struct kfi_lives *lives);

/**
 * kfi_life_kernel_init_over() - The kernel's init text has been freed.
 *
 * Context: once, in the boot.
 */
void kfi_life_kernel_init_over(void);

#endif /* KFI_LIFE_H */
