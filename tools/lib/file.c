// SPDX-License-Identifier: GPL-2.0
/* Compares files by their names: see file.h. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "file.h"

/* Return the part of a name behind the last slash. */
static const char *last_part(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? slash + 1 : name;
}

static bool stat_folder(const char *name, struct stat *st)
{
	char path[PATH_MAX];
	int len = snprintf(path, sizeof(path), "%.*s.", (int)(last_part(name) - name), name);

	return len < (int)sizeof(path) && !stat(path, st);
}

bool kfi_file_same(const char *a, const char *b)
{
	bool a_exists, b_exists;
	struct stat x, y;

	a_exists = !stat(a, &x);
	b_exists = !stat(b, &y);
	if (a_exists != b_exists)
		return false;
	if (!a_exists && (strcmp(last_part(a), last_part(b)) || !stat_folder(a, &x) ||
			  !stat_folder(b, &y)))
		return false;
	if (S_ISCHR(x.st_mode) && x.st_rdev == makedev(1, 3))
		return false;
	return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}
