// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: traces of QEMU's blocks, and what the user says of addresses. The input is lines up
 * to a zero byte, then the trace:
 *
 *	RANGES [newline KASLR [newline ADDRESS]]
 *
 * as --range, --kaslr and --elf FILE=ADDRESS have them; an empty one is not given. With ADDRESS an
 * ELF file is before the trace: its length in two bytes, the lower one first, and its bytes. The
 * kernel is tests/data/foreign/qemu.vmlinux, or $KFI_FUZZ_VMLINUX.
 */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "import/formats.h"
#include "rows.h"

/* make -C tests runs it in tests. */
#define VMLINUX	"data/foreign/qemu.vmlinux"

static void check(const struct kfi_log *log, const struct kfi_row *row)
{
	(void)log;
	MUST(row->entry_ns >= 0);
	MUST(row->func.len);
}

/* Takes a line off the words. Return: it; NULL: it is empty, or there are no more. */
static char *next_line(char **words)
{
	char *line = strsep(words, "\n");

	return line && *line ? line : NULL;
}

/* Make a file of the ELF file before the trace. Return: its bytes in the input, -1: none. */
static ssize_t make_elf(const uint8_t *data, size_t size, const char *address, char *spec,
			size_t room)
{
	static int fd = -1;
	size_t len;

	if (size < 2)
		return -1;
	len = data[0] | (size_t)data[1] << 8;
	if (len > size - 2)
		return -1;
	/* One file for all of them: opening one each time takes long. */
	if (fd < 0)
		fd = memfd_create("elf", MFD_CLOEXEC);
	MUST(fd >= 0 && !ftruncate(fd, 0) && pwrite(fd, data + 2, len, 0) == (ssize_t)len);
	snprintf(spec, room, "/proc/self/fd/%d=%s", fd, address);
	return (ssize_t)len + 2;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *zero = memchr(data, 0, size);
	const char *vmlinux = getenv("KFI_FUZZ_VMLINUX");
	char *words, *rest, *ranges, *kaslr, *address, spec[256];
	struct kfi_log log = { 0 };
	ssize_t elf = 0;

	/* A range in a file is not one of the input's. */
	if (!zero || *data == '@')
		return 0;
	rest = words = strdup((const char *)data);
	MUST(words);
	size -= (size_t)(zero + 1 - data);
	data = zero + 1;
	ranges = next_line(&rest);
	kaslr = next_line(&rest);
	address = next_line(&rest);
	/* Nor are files behind a comma. */
	if (address)
		elf = strchr(address, ',') || strlen(address) > 100 ? -1 :
		      make_elf(data, size, address, spec, sizeof(spec));
	if (elf < 0)
		goto out;
	kfi_in_memory(&log.in, "fuzz", data + elf, size - (size_t)elf);
	kfi_log_start(&log);
	log.formats = kfi_import_formats;
	log.input = "qemu";
	log.vmlinux = vmlinux ? vmlinux : VMLINUX;
	log.named_ranges = ranges;
	log.kaslr = kaslr;
	log.elf_files = address ? spec : NULL;
	MUST(access(log.vmlinux, R_OK) == 0);
	read_rows(&log, check);
out:
	free(words);
	return 0;
}
