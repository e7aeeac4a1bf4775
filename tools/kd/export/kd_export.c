// SPDX-License-Identifier: GPL-2.0
/*
 * Files for other programs (--export): the table of formats, and the file that one writes to.
 * Called by kd.c. Each format has a file kd_to_*.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kd_export.h"

/**
 * struct format - a format
 * @name: in --export
 * @write: writes the file
 * @binary: it must not be written to a terminal
 * @folder: it makes a folder
 * @parts: --split can split it
 * @whole: it always has all calls; --from and --to choose what is shown
 * @threshold: it leaves out functions below --threshold
 */
static const struct format {
	const char *name;
	int (*write)(struct kd_export *x, struct kfi_err *err);
	bool binary;
	bool folder;
	bool parts;
	bool whole;
	bool threshold;
} formats[] = {
	{ "folded", kd_export_folded },
	{ "chrome", kd_export_chrome, .parts = true },
	{ "perfetto", kd_export_perfetto, .binary = true, .parts = true },
	{ "speedscope", kd_export_speedscope },
	{ "callgrind", kd_export_callgrind },
	{ "uftrace", kd_export_uftrace, .folder = true },
	{ "pprof", kd_export_pprof, .binary = true },
	{ "ctf", kd_export_ctf, .folder = true },
	{ "flamegraph", kd_export_flamegraph },
	{ "graphviz", kd_export_graphviz, .threshold = true },
	{ "bootchart", kd_export_bootchart, .whole = true },
};

static const struct format *format_of(const char *name, struct kfi_err *err)
{
	char all[256] = "";

	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		if (!strcmp(formats[i].name, name))
			return &formats[i];
		snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s%s", i ? ", " : "",
			 formats[i].name);
	}
	kfi_err_set(err, EINVAL, "--export %s: no such format; there are: %s", name, all);
	return NULL;
}

int kd_export_check(const struct kd *kd, struct kfi_err *err)
{
	const struct format *f = format_of(kd->opt.export, err);
	const struct kd_filter *filter = &kd->opt.filter;

	if (!f)
		return -EINVAL;
	if (f->folder && !kd->opt.output)
		return kfi_err_set(err, EINVAL, "--export %s makes a folder: give -o FOLDER",
				   f->name);
	if (f->whole && (filter->pids || filter->cpus || filter->ctxs ||
			 filter->pattern[KD_UNDER].text || kd->opt.depth != U64_MAX))
		return kfi_err_set(err, EINVAL, "--export %s shows all calls: only --from and --to",
				   f->name);
	if (kd->opt.has_threshold && !f->threshold)
		return kfi_err_set(err, EINVAL, "--threshold is for graphviz: --export %s has all functions",
				   f->name);
	if (kd->opt.split && !f->parts)
		return kfi_err_set(err, EINVAL,
				   "--split is for chrome and perfetto: choose calls of %s with --from and --to",
				   f->name);
	if (kd->opt.split && !kd->opt.output)
		return kfi_err_set(err, EINVAL, "--split makes several files: give -o FILE");
	if (f->binary && !kd->opt.output && isatty(STDOUT_FILENO))
		return kfi_err_set(err, EINVAL, "--export %s is not for a terminal: give -o FILE",
				   f->name);
	return 0;
}

void kd_put_line_text(struct kd_export *x, const char *s, const char *special)
{
	for (; *s; s++)
		kfi_out_put(&x->out, (unsigned char)*s < ' ' || *s == 0x7f || strchr(special, *s) ?
			    "?" : s, 1);
}

void kd_export_title(const struct kd_export *x, char text[KD_TITLE])
{
	const struct kfi_log_head *h = &x->kd->in.head;
	int n;

	if (h->sampled)
		n = snprintf(text, KD_TITLE, "sampled: %llu samples of %.60s",
			     (unsigned long long)h->samples, h->event);
	else
		n = snprintf(text, KD_TITLE, "kernel%s%.100s", *h->kernel ? " " : "", h->kernel);
	if (h->lost)
		snprintf(text + n, KD_TITLE - n, ", calls lost: %llu", (unsigned long long)h->lost);
}

static int failed(const struct kd_export *x, const char *name, struct kfi_err *err)
{
	return kfi_err_set(err, errno, "%s %s%s%s: %s", x->option, x->path, *name ? "/" : "", name,
			   strerror(errno));
}

static FILE *open_in(const struct kd_export *x, const char *name, const char *mode)
{
	FILE *file = NULL;
	char *path;

	if (asprintf(&path, "%s/%s", x->path, name) < 0)
		return NULL;
	file = fopen(path, mode);
	free(path);
	return file;
}

int kd_folder_append(struct kd_export *x, const char *name, const void *data, size_t n,
		     struct kfi_err *err)
{
	FILE *file = open_in(x, name, "ae");
	bool whole;

	if (!file)
		return failed(x, name, err);
	whole = fwrite(data, 1, n, file) == n;
	return fclose(file) || !whole ? failed(x, name, err) : 0;
}

int kd_folder_begin(struct kd_export *x, const char *name, struct kfi_err *err)
{
	x->out.file = open_in(x, name, "we");
	return x->out.file ? 0 : failed(x, name, err);
}

int kd_folder_end(struct kd_export *x, const char *name, struct kfi_err *err)
{
	bool whole;

	kfi_out_flush(&x->out);
	whole = !ferror(x->out.file);
	return fclose(x->out.file) || !whole ? failed(x, name, err) : 0;
}

int kd_export_open(struct kd_export *x, struct kfi_err *err)
{
	int ret = x->path ? kfi_file_begin(&x->file, x->option, x->path, err) : 0;

	x->out.file = x->path ? x->file.file : stdout;
	return ret;
}

int kd_export_close(struct kd_export *x, int ret, struct kfi_err *err)
{
	if (!ret)
		kfi_out_flush(&x->out);
	return x->path ? kfi_file_end(&x->file, ret, err) : ret;
}

int kd_export(struct kd *kd, struct kfi_err *err)
{
	static struct kd_export x;
	const struct format *f = format_of(kd->opt.export, err);
	int ret;

	if (!f)
		return -EINVAL;
	x.kd = kd;
	x.path = kd->opt.output;
	x.option = "-o";
	if (f->folder)
		return mkdir(x.path, 0777) ? failed(&x, "", err) : f->write(&x, err);
	if (kd->opt.split)
		return f->write(&x, err);
	ret = kd_export_open(&x, err);
	return ret ? ret : kd_export_close(&x, f->write(&x, err), err);
}
