// SPDX-License-Identifier: GPL-2.0
/*
 * Printing what a reader needs to know of the machine to give names to addresses.
 */
#include <linux/elf.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/utsname.h>
#include <asm/sections.h>

#include "kfi_show.h"

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

void kfi_show_machine(struct seq_file *m)
{
	seq_printf(m, "Kernel = %s\n", init_utsname()->release);
	seq_printf(m, "Word size = %d\n", BITS_PER_LONG);
	seq_printf(m, "Text = 0x%0*lx\n", KFI_ADDR_DIGITS, (unsigned long)_text);
	show_build_id(m);
	seq_printf(m, "Log format = %d\n", KFI_LOG_FORMAT);
}
