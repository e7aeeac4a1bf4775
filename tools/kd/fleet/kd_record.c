// SPDX-License-Identifier: GPL-2.0
/* Prints a record of each log, one line of JSON a boot (--record): see kd_fleet.h. */
#include <stdio.h>

#include "file.h"
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
	struct kfi_file file = { NULL };
	int ret = fleet_input_open(&f, err);
	bool is_empty;

	/* The old file may be among those that are read: its records are kept then. */
	if (!ret && kd->opt.output)
		ret = kfi_file_begin(&file, "-o", kd->opt.output, err);
	out.file = file.file ? : stdout;
	ret = ret ? : fleet_input_read(&f, argc, argv, err);
	is_empty = !ret && !f.records;
	if (file.file)
		ret = kfi_file_end(&file, is_empty ? -ENODATA : ret, err);
	fleet_input_close(&f);
	if (!is_empty)
		return ret;
	kd_say(kd->opt.output ? "no file has a boot: no record was made, and -o is as it was" :
				"no file has a boot: no record was made");
	kd->res.status = 1;
	return 0;
}
