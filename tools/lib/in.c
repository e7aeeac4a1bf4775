// SPDX-License-Identifier: GPL-2.0
/* Input by lines, mapped or in blocks: see in.h. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "in.h"

#define BLOCK	(1u << 20)

static const char nothing[1];

void kfi_in_memory(struct kfi_in *in, const char *name, const void *data, size_t len)
{
	*in = (struct kfi_in){ .name = name, .fd = -1 };
	in->pos = len ? data : nothing;
	in->end = in->pos + len;
}

int kfi_in_open(struct kfi_in *in, const char *path, struct kfi_err *err)
{
	bool use_stdin = strcmp(path, "-") == 0;
	struct stat st;
	off_t off;
	int code;

	kfi_in_memory(in, use_stdin ? "standard input" : path, NULL, 0);
	in->fd = use_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0)
		return kfi_err_set(err, errno, "%s: %s", path, strerror(errno));
	if (fstat(in->fd, &st) < 0) {
		code = errno;
		goto fail;
	}
	if (S_ISDIR(st.st_mode)) {
		code = EISDIR;
		goto fail;
	}
	/* Files of /proc say that they are empty: they are read. */
	off = lseek(in->fd, 0, SEEK_CUR);
	if (!S_ISREG(st.st_mode) || st.st_size == 0 || off < 0 || off >= st.st_size)
		return 0;
	in->map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, in->fd, 0);
	if (in->map == MAP_FAILED) {
		in->map = NULL;
		return 0;
	}
	in->map_len = st.st_size;
	madvise(in->map, in->map_len, MADV_SEQUENTIAL);
	in->pos = (const char *)in->map + off;
	in->end = (const char *)in->map + in->map_len;
	if (!use_stdin)
		close(in->fd);
	in->fd = -1;
	return 0;
fail:
	kfi_err_set(err, code, "%s: %s", in->name, strerror(code));
	kfi_in_close(in);
	return -code;
}

/* Reads a block more behind what is not yet delivered. Return: 1, 0 at the end, -errno. */
static int more(struct kfi_in *in, struct kfi_err *err)
{
	size_t have = in->end - in->pos;

	if (in->fd < 0)
		return 0;
	if (have && in->buf && in->pos != in->buf)
		memmove(in->buf, in->pos, have);
	if (in->cap - have < BLOCK / 2) {
		size_t cap = in->cap ? in->cap * 2 : BLOCK;
		char *buf = realloc(in->buf, cap);

		if (!buf) {
			if (in->buf)
				in->pos = in->buf;
			in->end = in->pos + have;
			return kfi_err_set(err, ENOMEM, "%s: out of memory", in->name);
		}
		in->buf = buf;
		in->cap = cap;
	}
	in->pos = in->buf;
	in->end = in->buf + have;
	/* A whole block, not what a pipe or a terminal gives at a time: headers stay together. */
	while (in->end < in->buf + in->cap) {
		size_t used = in->end - in->buf;
		ssize_t n = read(in->fd, in->buf + used, in->cap - used);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return kfi_err_set(err, errno, "%s: %s", in->name, strerror(errno));
		if (n == 0) {
			if (in->fd != STDIN_FILENO)
				close(in->fd);
			in->fd = -1;
			break;
		}
		in->end += n;
	}
	return in->end > in->buf + have;
}

int kfi_in_line(struct kfi_in *in, const char **s, size_t *len, struct kfi_err *err)
{
	size_t looked = 0;
	const char *nl;
	int ret;

	for (;;) {
		nl = memchr(in->pos + looked, '\n', in->end - in->pos - looked);
		if (likely(nl)) {
			*s = in->pos;
			*len = nl - in->pos;
			in->pos = nl + 1;
			in->line++;
			return 1;
		}
		looked = in->end - in->pos;
		ret = more(in, err);
		if (ret < 0)
			return ret;
		if (ret == 0)
			break;
	}
	if (in->pos == in->end)
		return 0;
	*s = in->pos;
	*len = in->end - in->pos;
	in->pos = in->end;
	in->line++;
	in->cut = true;
	return 1;
}

int kfi_in_rest(struct kfi_in *in, const char **s, size_t *len, struct kfi_err *err)
{
	int ret;

	do
		ret = more(in, err);
	while (ret > 0);
	if (ret < 0)
		return ret;
	*s = in->pos;
	*len = in->end - in->pos;
	return 0;
}

void kfi_in_close(struct kfi_in *in)
{
	if (in->map)
		munmap(in->map, in->map_len);
	free(in->buf);
	if (in->fd >= 0 && in->fd != STDIN_FILENO)
		close(in->fd);
	kfi_in_memory(in, in->name, NULL, 0);
}
