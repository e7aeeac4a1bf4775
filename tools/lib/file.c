// SPDX-License-Identifier: GPL-2.0
/* Compares files by their names, and replaces a file as a whole: see file.h. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "file.h"
#include "hash.h"

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

/* The regular files that are read. */
static struct {
	struct input {
		dev_t dev;
		ino_t ino;
	} *at;
	u32 n;
	u32 room;
} inputs;

/* Return the number of a file in the list, @inputs.n: it is not there. */
static u32 find_input(const struct stat *st)
{
	for (u32 i = inputs.n; i--; )
		if (inputs.at[i].dev == st->st_dev && inputs.at[i].ino == st->st_ino)
			return i;
	return inputs.n;
}

int kfi_file_input(const struct stat *st)
{
	if (!S_ISREG(st->st_mode) || !st->st_size)
		return 0;
	if (kfi_grow((void **)&inputs.at, &inputs.room, inputs.n + 1, sizeof(*inputs.at)))
		return -ENOMEM;
	inputs.at[inputs.n++] = (struct input){ st->st_dev, st->st_ino };
	return 0;
}

void kfi_file_release(const char *path)
{
	struct stat st;
	u32 i;

	if (stat(strcmp(path, "-") ? path : KFI_FILE_STDIN, &st))
		return;
	i = find_input(&st);
	if (i < inputs.n)
		inputs.at[i] = inputs.at[--inputs.n];
}

int kfi_file_check(const char *option, const char *name, struct kfi_err *err)
{
	struct stat st;

	if (stat(name, &st) || find_input(&st) == inputs.n)
		return 0;
	return kfi_err_set(err, EINVAL, "%s %s: this file is read, too: name another one", option,
			   name);
}

static int failed(const struct kfi_file *f, int code, struct kfi_err *err)
{
	return kfi_err_set(err, code, "%s %s: %s", f->option, f->name, strerror(code));
}

/* Return true if a file is the one to which standard output or standard error goes. */
static bool is_std_file(const struct stat *st)
{
	struct stat std;

	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (!fstat(fd, &std) && std.st_dev == st->st_dev && std.st_ino == st->st_ino)
			return true;
	return false;
}

/* Give the new file the owner and mode of the old one, or the mode that fopen() gives a file. */
static int set_mode(int fd, const struct stat *old)
{
	mode_t mask;

	if (old) {
		/* Only root can give files away: another user becomes the owner. */
		if (fchown(fd, old->st_uid, old->st_gid) && fchown(fd, (uid_t)-1, old->st_gid))
			errno = 0;
		return fchmod(fd, old->st_mode & 07777);
	}
	mask = umask(0);
	umask(mask);
	return fchmod(fd, 0666 & ~mask);
}

/* Open the file that will take the place of @f->path. @old: what is there, or NULL */
static int open_temp(struct kfi_file *f, const struct stat *old, struct kfi_err *err)
{
	int folder = (int)(last_part(f->path) - f->path), fd, code;

	if (asprintf(&f->temp, "%.*s.kfi-XXXXXX", folder, f->path) < 0) {
		f->temp = NULL;
		return failed(f, ENOMEM, err);
	}
	fd = mkostemp(f->temp, O_CLOEXEC);
	if (fd < 0)
		return kfi_err_set(err, errno, old ?
				   "%s %s: cannot make a new file beside it: %s" : "%s %s: %s",
				   f->option, f->name, strerror(errno));
	f->file = set_mode(fd, old) ? NULL : fdopen(fd, "w");
	if (f->file)
		return 0;
	code = errno;
	close(fd);
	unlink(f->temp);
	return failed(f, code, err);
}

static void free_names(struct kfi_file *f)
{
	free(f->path);
	free(f->temp);
	f->path = f->temp = NULL;
}

int kfi_file_begin(struct kfi_file *f, const char *option, const char *name, struct kfi_err *err)
{
	bool exists, direct;
	struct stat st, link;
	int ret = kfi_file_check(option, name, err);

	*f = (struct kfi_file){ .option = option, .name = name };
	if (ret)
		return ret;
	exists = !stat(name, &st);
	/* A link to a file that does not exist stays a link. */
	direct = exists ? !S_ISREG(st.st_mode) || is_std_file(&st) : !lstat(name, &link);
	if (direct) {
		f->file = fopen(name, "we");
		return f->file ? 0 : failed(f, errno, err);
	}
	if (exists && access(name, W_OK))
		return failed(f, errno, err);
	f->path = exists ? realpath(name, NULL) : strdup(name);
	ret = f->path ? open_temp(f, exists ? &st : NULL, err) : failed(f, errno, err);
	if (ret)
		free_names(f);
	return ret;
}

int kfi_file_end(struct kfi_file *f, int ret, struct kfi_err *err)
{
	bool bad = fflush(f->file) || ferror(f->file) || (f->path && fsync(fileno(f->file)));
	int code = bad ? errno ? : EIO : 0;

	if (fclose(f->file) && !code)
		code = errno;
	/* A file that was opened since kfi_file_begin() may be the same. */
	if (!ret && !code && f->path)
		ret = kfi_file_check(f->option, f->name, err);
	if (!ret && !code && f->path && rename(f->temp, f->path))
		code = errno;
	if (f->path && (ret || code))
		unlink(f->temp);
	free_names(f);
	if (ret || !code)
		return ret;
	return kfi_err_set(err, code, "%s %s: cannot write: %s", f->option, f->name,
			   strerror(code));
}
