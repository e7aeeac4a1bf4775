/* SPDX-License-Identifier: GPL-2.0 */
/* What fuzz targets of kd need that is in kd.c, or is standard input. */
#ifndef KFI_FUZZ_KD_ALONE_H
#define KFI_FUZZ_KD_ALONE_H

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kd.h"

/* As kd.c has them, but that nobody is told. */
void kd_note(const char *fmt, ...)
{
	(void)fmt;
}

u32 kd_notes(char *const **text)
{
	*text = NULL;
	return 0;
}

void kd_say(const char *text)
{
	(void)text;
}

int kd_columns(struct kd *k, const char *format, const struct kd_column *columns, size_t ncolumns,
	       const char *known, char out[KD_COLUMNS_MAX], struct kfi_err *err)
{
	size_t n = 0;

	for (; *format; format++) {
		bool is = false;

		for (size_t i = 0; i < ncolumns; i++)
			is |= columns[i].id == *format && (!known || strchr(known, *format));
		if (is)
			out[n++] = *format;
	}
	out[n] = '\0';
	return 0;
}

/* Makes the log standard input, one file for all of them: opening one each time takes long. */
static void give(const uint8_t *data, size_t size)
{
	static bool made;
	int fd = made ? STDIN_FILENO : memfd_create("log", MFD_CLOEXEC);

	if (!made && (fd < 0 || dup2(fd, STDIN_FILENO) < 0))
		abort();
	if (!made)
		close(fd);
	made = true;
	if (ftruncate(STDIN_FILENO, 0) || lseek(STDIN_FILENO, 0, SEEK_SET) ||
	    pwrite(STDIN_FILENO, data, size, 0) != (ssize_t)size)
		abort();
}

#endif /* KFI_FUZZ_KD_ALONE_H */
