// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: a fleet on standard input (kd --fleet -). The first byte chooses the question.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kd_alone.h"
#include "kd_fleet.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct kd kd;
	struct kfi_err err = { 0 };
	FILE *out = stdout;
	int ret;

	if (!size)
		return 0;
	give(data + 1, size - 1);
	stdout = fopen("/dev/null", "w");
	if (!stdout)
		abort();
	memset(&kd, 0, sizeof(kd));
	kd.opt.fleet = "-";
	kd.opt.ask = *data & 1 ? "changes" : "bimodal";
	kd.opt.out = KD_OUT_CSV;
	kd.opt.num = U64_MAX;
	ret = kd_fleet(&kd, 0, NULL, &err);
	/* Either it is read, or the error says where it is wrong. */
	if (ret && !strstr(err.text, "standard input"))
		abort();
	fclose(stdout);
	stdout = out;
	return 0;
}
