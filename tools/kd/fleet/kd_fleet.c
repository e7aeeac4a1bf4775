// SPDX-License-Identifier: GPL-2.0
/* Adds records to the file of a fleet and answers a question about it (--fleet): see kd_fleet.h. */
#include <stdlib.h>
#include <sys/stat.h>

#include "file.h"
#include "kd_ask.h"
#include "kd_fleet.h"

/* Name of the fleet's file, if the user names a folder. */
#define FILE_NAME	"fleet.db"

static int load(struct kd *kd, struct store *s, int argc, char **argv, bool is_folder,
		struct kfi_err *err)
{
	struct fleet_input f = { .kd = kd, .on_record = store_add, .arg = s };
	char *folder = (char *)kd->opt.fleet;
	int ret = fleet_input_open(&f, err);

	if (!ret && is_folder)
		ret = fleet_input_read(&f, 1, &folder, err);
	ret = ret ? : fleet_input_read(&f, argc, argv, err);
	ret = ret ? : store_commit(s, err);
	fleet_input_close(&f);
	if (!ret && (argc || is_folder))
		kd_note("boots added: %llu, known before: %llu", (unsigned long long)s->added,
			(unsigned long long)s->known);
	return ret;
}

int kd_fleet(struct kd *kd, int argc, char **argv, struct kfi_err *err)
{
	const char *path = kd->opt.fleet;
	char *file = NULL;
	struct store s = { 0 };
	struct stat st;
	bool is_stream = !strcmp(path, "-");
	bool is_folder = !is_stream && !stat(path, &st) && S_ISDIR(st.st_mode);
	int ret = fleet_check_question(&kd->opt, is_stream, err);

	if (!ret && kd->opt.sort && (strlen(kd->opt.sort) != 1 || !strchr("tlZ", *kd->opt.sort)))
		ret = kfi_err_set(err, EINVAL, "--fleet has the columns total, self and max: -s t, l or Z");
	if (!ret && is_stream &&
	    (argc || kd->opt.html || kd->opt.sort || kd->opt.filter.pattern[KD_FUNC].text))
		ret = kfi_err_set(err, EINVAL, "--fleet - takes neither logs nor --html, -s or --func: the fleet is kept elsewhere");
	if (!ret && is_stream)
		return fleet_ask(kd, NULL, err);
	if (!ret && !is_folder && !argc && stat(path, &st))
		ret = kfi_err_set(err, errno, "%s: %s", path, strerror(errno));
	if (!ret && is_folder && asprintf(&file, "%s/" FILE_NAME, path) < 0) {
		file = NULL;
		ret = kfi_err_set(err, ENOMEM, "out of memory");
	}
	if (!ret) {
		ret = store_open(&s, file ? file : path, err);
		if (!ret && !stat(file ? file : path, &st) && kfi_file_input(&st))
			ret = kfi_err_set(err, ENOMEM, "out of memory");
		if (!ret && kd->opt.html)
			ret = kfi_file_check("--html", kd->opt.html, err);
		ret = ret ? : load(kd, &s, argc, argv, is_folder, err);
		ret = ret ? : fleet_ask(kd, &s, err);
		store_close(&s);
	}
	free(file);
	return ret;
}
