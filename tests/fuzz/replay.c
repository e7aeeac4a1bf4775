// SPDX-License-Identifier: GPL-2.0
/*
 * main() for fuzz targets built without a fuzzer: gives each file named to the target once, so
 * that the corpus is replayed by every test run, under any compiler.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data = NULL;
	size_t size = 0, got = 1;
	int ret = -1;

	if (!f)
		return -1;
	while (got) {
		uint8_t *more = realloc(data, size + 65536);

		if (!more)
			goto out;
		data = more;
		got = fread(data + size, 1, 65536, f);
		size += got;
	}
	if (!ferror(f)) {
		/* An exact copy, so that a read past the end is seen. */
		uint8_t *exact = realloc(data, size ? size : 1);

		if (!exact)
			goto out;
		data = exact;
		LLVMFuzzerTestOneInput(data, size);
		ret = 0;
	}
out:
	free(data);
	fclose(f);
	return ret;
}

int main(int argc, char **argv)
{
	int passed = 0, failed = 0;

	for (int i = 1; i < argc; i++) {
		if (replay(argv[i]) == 0) {
			passed++;
			continue;
		}
		printf("not ok - %s: cannot be read\n", argv[i]);
		failed++;
	}
	printf("%d passed, %d failed\n", passed, failed);
	return failed || !passed;
}
