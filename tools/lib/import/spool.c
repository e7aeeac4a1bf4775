// SPDX-License-Identifier: GPL-2.0
/* Keeps the records of an import in a temporary file: see spool.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "import/spool.h"

/* Size of the buffer, and of what is written at once. */
#define BUF_SIZE	(4u << 20)
#define FLUSH_SIZE	(3u << 20)

static size_t padded(size_t len)
{
	return (len + 7) & ~(size_t)7;
}

int kfi_spool_init(struct kfi_spool *s)
{
	*s = (struct kfi_spool){ .fd = -1, .buf = malloc(BUF_SIZE) };
	return s->buf ? 0 : -ENOMEM;
}

int kfi_spool_file(void)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];
	int fd;

	dir = dir && *dir ? dir : "/tmp";
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
		return fd < 0 ? -errno : fd;
	/* The file system has no files without names. */
	if ((size_t)snprintf(path, sizeof(path), "%s/kd.XXXXXX", dir) >= sizeof(path))
		return -ENAMETOOLONG;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	unlink(path);
	return fd;
}

int kfi_spool_write(int fd, const char *s, size_t len, u64 place)
{
	while (len) {
		ssize_t n = pwrite(fd, s, len, (off_t)place);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -ENOSPC;
		s += n;
		len -= (size_t)n;
		place += (u64)n;
	}
	return 0;
}

/* Write the oldest @len bytes of the buffer to the file. */
static int flush(struct kfi_spool *s, size_t len)
{
	int ret = 0;

	if (s->fd < 0)
		ret = s->fd = kfi_spool_file();
	if (ret >= 0)
		ret = kfi_spool_write(s->fd, s->buf, len, s->base);
	if (ret)
		return ret;
	memmove(s->buf, s->buf + len, s->len - len);
	s->base += len;
	s->len -= len;
	return 0;
}

int kfi_spool_add(struct kfi_spool *s, const struct kfi_spool_rec *rec, const char *text,
		  u64 *place)
{
	size_t more = text ? padded(rec->func) : 0;
	int ret;

	if (unlikely(s->len + sizeof(*rec) + more > BUF_SIZE)) {
		ret = flush(s, FLUSH_SIZE);
		if (ret)
			return ret;
	}
	*place = s->base + s->len;
	memcpy(s->buf + s->len, rec, sizeof(*rec));
	s->len += sizeof(*rec);
	if (text) {
		memcpy(s->buf + s->len, text, rec->func);
		memset(s->buf + s->len + rec->func, 0, more - rec->func);
		s->len += more;
	}
	s->size = s->base + s->len;
	return 0;
}

int kfi_spool_exit(struct kfi_spool *s, u64 place, const struct kfi_spool_rec *rec)
{
	const char *from = (const char *)rec + KFI_SPOOL_EXIT;
	size_t n = sizeof(*rec) - KFI_SPOOL_EXIT, in_file = 0;

	place += KFI_SPOOL_EXIT;
	/* A record may begin before the buffer. */
	if (unlikely(place < s->base)) {
		int ret;

		in_file = s->base - place < n ? (size_t)(s->base - place) : n;
		ret = kfi_spool_write(s->fd, from, in_file, place);
		if (ret)
			return ret;
	}
	memcpy(s->buf + (place + in_file - s->base), from + in_file, n - in_file);
	return 0;
}

int kfi_spool_read(struct kfi_spool *s)
{
	int ret = s->fd < 0 ? 0 : flush(s, s->len);

	if (s->fd >= 0)
		s->base = s->len = 0;
	s->at = 0;
	return ret;
}

/* Read until @need bytes are in the buffer. Return: 1; 0: the input has fewer; -errno. */
static int fill(struct kfi_spool *s, size_t need)
{
	while (unlikely(s->len - s->at < need)) {
		ssize_t n;

		if (s->fd < 0 || s->base + s->len >= s->size)
			return 0;
		memmove(s->buf, s->buf + s->at, s->len - s->at);
		s->base += s->at;
		s->len -= s->at;
		s->at = 0;
		n = pread(s->fd, s->buf + s->len, BUF_SIZE - s->len, (off_t)(s->base + s->len));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		s->len += (size_t)n;
	}
	return 1;
}

int kfi_spool_next(struct kfi_spool *s, const struct kfi_spool_rec **rec)
{
	const struct kfi_spool_rec *r;
	int ret = fill(s, sizeof(*r));
	size_t size;

	if (ret <= 0)
		return ret;
	r = (const void *)(s->buf + s->at);
	size = sizeof(*r) + (r->is_mark ? padded(r->func) : 0);
	ret = fill(s, size);
	if (ret <= 0)
		return ret < 0 ? ret : -EIO;
	*rec = (const void *)(s->buf + s->at);
	s->at += size;
	return 1;
}

void kfi_spool_free(struct kfi_spool *s)
{
	free(s->buf);
	if (s->buf && s->fd >= 0)
		close(s->fd);
	*s = (struct kfi_spool){ .fd = -1 };
}
