// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: records of boots. What can be read is written, read again, and written as before.
 */
#include <stdio.h>
#include <stdlib.h>

#include "record.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *write_record(const struct kfi_record *r, size_t *size)
{
	static struct kfi_out out;
	char *text = NULL;

	out.file = open_memstream(&text, size);
	if (!out.file)
		abort();
	kfi_record_put(r, &out);
	kfi_out_flush(&out);
	if (fclose(out.file))
		abort();
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kfi_record a, b;
	size_t first_size, second_size;
	char *first, *second;
	struct kfi_err err;

	if (!kfi_record_parse(&a, (const char *)data, size, "input", 1, &err)) {
		first = write_record(&a, &first_size);
		if (kfi_record_parse(&b, first, first_size - 1, "copy", 1, &err))
			abort();
		second = write_record(&b, &second_size);
		if (first_size != second_size || memcmp(first, second, first_size))
			abort();
		free(first);
		free(second);
		kfi_record_free(&b);
	}
	kfi_record_free(&a);
	return 0;
}
