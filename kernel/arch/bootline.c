// SPDX-License-Identifier: GPL-2.0
/*
 * Finds the command line at start_kernel(): on x86 it has been copied already, on arm, arm64 and
 * riscv it is in the flattened device tree, elsewhere it is not known yet.
 */
#include <linux/init.h>
#include <linux/kconfig.h>
#include <linux/libfdt.h>
#include <linux/mm.h>
#include <asm/setup.h>

#include "arch/arch.h"
#include "core/cmdline.h"

#ifdef CONFIG_CMDLINE
#define BUILT_IN	CONFIG_CMDLINE
#else
#define BUILT_IN	""
#endif

/* The line in a flattened device tree; NULL: there is no tree. */
static __ref __maybe_unused const char *fdt_command_line(const void *fdt, size_t *max)
{
	const char *line;
	int len = 0;

	if (!fdt || fdt_check_header(fdt))
		return NULL;
	line = fdt_getprop(fdt, fdt_path_offset(fdt, "/chosen"), "bootargs", &len);
	*max = line ? len : 0;
	return line ?: "";
}

#if defined(CONFIG_X86)

static __ref const char *find_loader_line(size_t *max)
{
	*max = COMMAND_LINE_SIZE;
	return boot_command_line;
}

#elif defined(CONFIG_ARM)

extern unsigned int __atags_pointer;

__ref const void *kfi_bootline_fdt(void)
{
	return __atags_pointer ? FDT_VIRT_BASE(__atags_pointer) : NULL;
}

static __ref const char *find_loader_line(size_t *max)
{
	return fdt_command_line(kfi_bootline_fdt(), max);
}

#elif defined(CONFIG_ARM64)

#include <asm/fixmap.h>
#include <asm/mmu.h>
#include <asm/pgtable.h>

/* Mapped where and how setup_arch() is about to map it, which is fine twice. */
static __ref const char *find_loader_line(size_t *max)
{
	const void *fdt;
	int len;

	early_fixmap_init();
	fdt = fixmap_remap_fdt(__fdt_pointer, &len, PAGE_KERNEL);
	return fdt_command_line(fdt, max);
}

#elif defined(CONFIG_RISCV)

#include <asm/pgtable.h>

/* Mapped since setup_vm(), before the first C function with virtual addresses. */
static __ref const char *find_loader_line(size_t *max)
{
	return fdt_command_line(dtb_early_va, max);
}

#else

static const char *find_loader_line(size_t *max)
{
	return NULL;
}

#endif

/* clang knows what find_loader_line() returns, and refers to that from here. */
__ref bool kfi_bootline_find(const char *name, const char **value, size_t *len)
{
	size_t max;
	const char *line = find_loader_line(&max);
	bool built_in, loader;

	if (!line)
		return false;
	/*
	 * The last value in the kernel's line counts, so the text that comes last is searched
	 * first.
	 */
	built_in = kfi_cmdline_find(BUILT_IN, strlen(BUILT_IN), name, value, len);
	if (IS_ENABLED(CONFIG_CMDLINE_FORCE) || IS_ENABLED(CONFIG_CMDLINE_OVERRIDE) ||
	    (IS_ENABLED(CONFIG_CMDLINE_EXTEND) && built_in))
		return built_in;
	loader = kfi_cmdline_find(line, max, name, value, len);
	if (IS_ENABLED(CONFIG_X86))
		return loader || built_in;
	/*
	 * With a device tree: without EXTEND the compiled-in line counts only if the loader
	 * gives none.
	 */
	return loader || (built_in && !strnlen(line, max));
}
