// SPDX-License-Identifier: GPL-2.0
/* Prints a record of each log, one line of JSON a boot (--record): see kd_fleet.h. */
#include <stdio.h>

#include "kd_fleet.h"

static int print(void *arg, struct kfi_record *r, struct kfi_err *err)
{
	struct kfi_out *out = arg;

	kfi_record_put(r, out);
	kfi_out_flush(out);
	if (ferror(out->file))
		return kfi_err_set(err, EIO, "cannot write: %s", strerror(errno));
	return 0;
}

int kd_record(struct kd *kd, int argc, char **argv, struct kfi_err *err)
{
	static struct kfi_out out;
	struct fleet_input f = { .kd = kd, .on_record = print, .arg = &out };
	int ret = fleet_input_open(&f, err);

	out.file = stdout;
	if (!ret && kd->opt.output) {
		out.file = fopen(kd->opt.output, "w");
		if (!out.file)
			ret = kfi_err_set(err, errno, "%s: %s", kd->opt.output, strerror(errno));
	}
	ret = ret ? : fleet_input_read(&f, argc, argv, err);
	if (kd->opt.output && out.file && fclose(out.file) && !ret)
		ret = kfi_err_set(err, errno, "%s: %s", kd->opt.output, strerror(errno));
	fleet_input_close(&f);
	return ret;
}
