// SPDX-License-Identifier: GPL-2.0
/*
 * Printing what a reader needs to know of the machine to give names to addresses.
 */
#include <linux/elf.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/utsname.h>
#include <asm/sections.h>
#ifdef CONFIG_X86
#include <asm/setup.h>
#endif

#include "files/show.h"

#define NT_GNU_BUILD_ID	3	/* ELF note, see elf(5) */

/* The build id of vmlinux, from its notes. */
static void show_build_id(struct seq_file *m)
{
	extern const char __start_notes[], __stop_notes[];
	const char *at = __start_notes;

	while (at + sizeof(Elf32_Nhdr) <= __stop_notes) {
		const Elf32_Nhdr *note = (const Elf32_Nhdr *)at;
		const char *name = at + sizeof(*note);
		const u8 *id = (const u8 *)name + ALIGN(note->n_namesz, 4);

		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
		    !memcmp(name, "GNU", 4)) {
			seq_printf(m, "Build id = %*phN\n", (int)note->n_descsz, id);
			return;
		}
		at = (const char *)id + ALIGN(note->n_descsz, 4);
	}
}

/* By how much the kernel was moved. */
static unsigned long moved(void)
{
#if defined(CONFIG_X86) || defined(CONFIG_ARM64)
	return kaslr_offset();
#else
	return 0;
#endif
}

/* On the axis of Entry, where there are times before the start. */
static void show_time(struct seq_file *m, const struct kfi_log *log, u64 time)
{
	u64 origin = kfi_show_origin(log);

	if (!time)
		seq_puts(m, " -");
	else if (time >= origin)
		seq_printf(m, " %llu", kfi_show_us(kfi_show_ns(log, time - origin)));
	else
		seq_printf(m, " -%llu", kfi_show_us(kfi_show_ns(log, origin - time)));
}

static void show_text(struct seq_file *m, unsigned long from, unsigned long size)
{
	seq_printf(m, " 0x%0*lx %lu", KFI_ADDR_DIGITS, from, size);
}

static void show_lives(struct seq_file *m, const struct kfi_log *log)
{
	u32 i;

	seq_puts(m, "Kernel text =");
	show_text(m, (unsigned long)_stext, _etext - _stext);
	seq_puts(m, "\nKernel init text =");
	show_text(m, (unsigned long)_sinittext, _einittext - _sinittext);
	show_time(m, log, log->lives.kernel_init_over);
	seq_putc(m, '\n');
	for (i = 0; i < log->lives.n; i++) {
		const struct kfi_life *l = &log->lives.life[i];

		seq_printf(m, "Module = %s", l->name);
		show_text(m, l->text, l->text_size);
		show_text(m, l->init, l->init_size);
		show_time(m, log, l->loaded);
		show_time(m, log, l->init_over);
		show_time(m, log, l->unloaded);
		seq_putc(m, '\n');
	}
	if (log->lives.forgotten)
		seq_printf(m, "Modules forgotten = %u\n", log->lives.forgotten);
}

/* Whether what was inlined has rows of its own. */
static const char *instrumented(void)
{
	return IS_ENABLED(CONFIG_KFI_AFTER_INLINING) ? "after" : "before";
}

void kfi_show_machine(struct seq_file *m, const struct kfi_log *log, bool whole)
{
	seq_printf(m, "Kernel = %s\n", init_utsname()->release);
	seq_printf(m, "Word size = %d\n", BITS_PER_LONG);
	seq_printf(m, "Text = 0x%0*lx\n", KFI_ADDR_DIGITS, (unsigned long)_text);
	seq_printf(m, "KASLR offset = 0x%lx\n", moved());
	seq_printf(m, "Instrumented = %s inlining\n", instrumented());
	if (whole)
		show_lives(m, log);
	show_build_id(m);
	seq_printf(m, "Log format = %d\n", KFI_LOG_FORMAT);
}
