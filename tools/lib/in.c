// SPDX-License-Identifier: GPL-2.0
/* Reads input by lines, from a map or in blocks: see in.h. */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file.h"
#include "in.h"
#include "unpack.h"

#define BLOCK	(1u << 20)

/* Limit of unpacked bytes: a small hostile file can unpack to very many. */
#define UNPACKED_MAX	((size_t)1 << (sizeof(size_t) > 4 ? 33 : 29))

/* Number of bytes of a map that may stay in memory behind the line that is being read. */
#define PASSED_MAX	(32u << 20)

static const char nothing[1];

void kfi_in_memory(struct kfi_in *in, const char *name, const void *data, size_t len)
{
	*in = (struct kfi_in){ .name = name, .fd = -1 };
	in->pos = len ? data : nothing;
	in->end = in->pos + len;
}

static int no_memory(struct kfi_in *in, struct kfi_err *err)
{
	return kfi_err_set(err, ENOMEM, "%s: out of memory", in->name);
}

/* Reject what no reader can read, by its first bytes, and say what to do with it. */
static int reject_unknown(const struct kfi_in *in, struct kfi_err *err)
{
	static const char utf16[] = "text in UTF-16", iconv[] = "iconv -f UTF-16 -t UTF-8";
	static const struct {
		const char *magic;
		size_t len;
		const char *what;
		const char *command;
	} known[] = {
		{ "PK\003\004", 4, "a zip archive", "unzip" },
		{ "7z\274\257\047\034", 6, "a 7z archive", "7z x" },
		{ "\004\042\115\030", 4, "compressed by lz4", "lz4 -d" },
		{ "\377\376", 2, utf16, iconv },
		{ "\376\377", 2, utf16, iconv },
		{ "BZh", 3, "compressed by bzip2", "bunzip2" },
	};
	size_t len = in->end - in->pos;
	const char *s = in->pos;

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		if (len < known[i].len || memcmp(s, known[i].magic, known[i].len))
			continue;
		/* On a serial line these may be noise: one of two bytes of a Latin letter is 0. */
		if (known[i].len == 2 && (len < 4 || (s[2] && s[3])))
			continue;
		/* Behind the three letters of bzip2 come its level and a fixed number. */
		if (*s == 'B' && (len < 6 || s[3] < '1' || s[3] > '9' || memcmp(s + 4, "1A", 2)))
			continue;
		return kfi_err_set(err, EINVAL, "%s: %s, which is not read: convert it with %s",
				   in->name, known[i].what, known[i].command);
	}
	return 0;
}

/* Find out whether the input is compressed. */
static int detect_compression(struct kfi_in *in, struct kfi_err *err)
{
	int ret = reject_unknown(in, err);

	if (ret)
		return ret;
	in->sniffed = true;
	if (!kfi_unpack_known(in->pos, in->end - in->pos))
		return 0;
	in->unpack = kfi_unpack_open(in->pos, in->end - in->pos);
	if (!in->unpack)
		return no_memory(in, err);
	in->zpos = (const u8 *)in->pos;
	in->zend = (const u8 *)in->end;
	in->zbuf = (u8 *)in->buf;
	in->buf = NULL;
	in->cap = 0;
	in->pos = in->end = nothing;
	in->passed = NULL;
	return 0;
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
	code = -kfi_file_input(&st);
	if (code)
		goto fail;
	/* Files of /proc have the size 0, so a file without a size is read, not mapped. */
	off = lseek(in->fd, 0, SEEK_CUR);
	if (!S_ISREG(st.st_mode) || st.st_size == 0 || off < 0 || off >= st.st_size)
		return 0;
	in->map = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, in->fd, 0);
	if (in->map == MAP_FAILED) {
		in->map = NULL;
		return 0;
	}
	in->map_len = st.st_size;
	in->passed = in->map;
	madvise(in->map, in->map_len, MADV_SEQUENTIAL);
	in->pos = (const char *)in->map + off;
	in->end = (const char *)in->map + in->map_len;
	if (!use_stdin)
		close(in->fd);
	in->fd = -1;
	code = -detect_compression(in, err);
	if (code)
		kfi_in_close(in);
	return -code;
fail:
	kfi_err_set(err, code, "%s: %s", in->name, strerror(code));
	kfi_in_close(in);
	return -code;
}

static bool is_stopped(const struct kfi_in *in)
{
	return in->stop && *in->stop;
}

/* Read from the file or pipe. Return: number of bytes, 0 at the end, -errno. */
static ssize_t read_input(struct kfi_in *in, void *buf, size_t room, struct kfi_err *err)
{
	struct pollfd more = { .fd = in->fd, .events = POLLIN };
	ssize_t n;

	if (in->fd < 0)
		return 0;
	while (in->idle && !is_stopped(in) && poll(&more, 1, KFI_IN_IDLE_MS) == 0)
		in->idle();
	do
		n = is_stopped(in) ? 0 : read(in->fd, buf, room);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return kfi_err_set(err, errno, "%s: %s", in->name, strerror(errno));
	if (n)
		return n;
	if (in->fd != STDIN_FILENO)
		close(in->fd);
	in->fd = -1;
	return 0;
}

/* Read and unpack. Return: as read_input(). */
static ssize_t read_unpacked(struct kfi_in *in, void *buf, size_t room, struct kfi_err *err)
{
	const char *fault = NULL;
	ssize_t n;

	if (*in->fault)
		return 0;
	for (;;) {
		n = kfi_unpack_run(in->unpack, &in->zpos, in->zend, in->fd < 0, buf, room, &fault);
		if (n > 0)
			return n;
		if (n < 0) {
			snprintf(in->fault, sizeof(in->fault), "%s", fault);
			return 0;
		}
		if (in->fd < 0)
			return 0;
		n = read_input(in, in->zbuf, BLOCK, err);
		if (n < 0)
			return n;
		in->zpos = in->zbuf;
		in->zend = in->zbuf + n;
	}
}

/* Make room for a block behind the bytes that are not delivered yet. */
static int make_room(struct kfi_in *in, struct kfi_err *err)
{
	size_t have = in->end - in->pos;

	if (have && in->buf && in->pos != in->buf)
		memmove(in->buf, in->pos, have);
	if (in->cap - have < BLOCK / 2) {
		size_t cap = in->cap ? in->cap * 2 : BLOCK;
		char *buf = in->unpack && cap > UNPACKED_MAX ? NULL : realloc(in->buf, cap);

		if (!buf) {
			if (in->buf)
				in->pos = in->buf;
			in->end = in->pos + have;
			return no_memory(in, err);
		}
		in->buf = buf;
		in->cap = cap;
	}
	in->pos = in->buf;
	in->end = in->buf + have;
	return 0;
}

/* Read a block behind the bytes that are not delivered yet. Return: 1, 0 at the end, -errno. */
static int read_block(struct kfi_in *in, struct kfi_err *err)
{
	size_t have = in->end - in->pos;
	ssize_t n;

	if (in->fd < 0 && !in->unpack)
		return 0;
	n = make_room(in, err);
	if (n < 0)
		return n;
	/*
	 * Fill a whole block, even if a pipe gives less at a time, so that headers stay together.
	 */
	while (in->end < in->buf + in->cap) {
		size_t room = in->buf + in->cap - in->end;

		if (in->idle)
			in->idle();
		n = in->unpack ? read_unpacked(in, (char *)in->end, room, err) :
				 read_input(in, (char *)in->end, room, err);
		if (n < 0)
			return n;
		if (n == 0)
			break;
		in->end += n;
		if (unlikely(!in->sniffed) && in->end - in->pos >= KFI_UNPACK_MAGIC) {
			n = detect_compression(in, err);
			if (n == 0 && in->unpack)
				n = make_room(in, err);
			if (n < 0)
				return n;
		}
		/* Compressed input may have given no bytes yet. */
		if (in->live && in->sniffed && in->end > in->pos)
			break;
	}
	return in->end > in->pos + have;
}

/*
 * Free the memory of the part of a map that has been read, so that memory use does not grow with
 * the file. If that part is used again, the system reads it from the file again.
 */
static void release_passed(struct kfi_in *in)
{
	size_t len = (size_t)(in->pos - in->passed) / PASSED_MAX * PASSED_MAX;

	madvise((void *)in->passed, len, MADV_DONTNEED);
	in->passed += len;
}

/* Limit of the length of a line. Lines of logs, maps and configurations are far shorter. */
#define LINE_MAX_LEN	(16u << 20)

int kfi_in_line(struct kfi_in *in, const char **s, size_t *len, struct kfi_err *err)
{
	size_t looked = 0;
	const char *nl;
	int ret;

	if (unlikely(in->passed && in->pos - in->passed >= PASSED_MAX))
		release_passed(in);
	for (;;) {
		size_t look = min_t(size_t, in->end - in->pos, LINE_MAX_LEN + 1);

		nl = memchr(in->pos + looked, '\n', look - looked);
		if (likely(nl)) {
			*s = in->pos;
			*len = nl - in->pos;
			in->pos = nl + 1;
			in->line++;
			return 1;
		}
		looked = look;
		if (looked > LINE_MAX_LEN)
			return kfi_err_set(err, EFBIG, "%s:%llu: a line of more than %u bytes: not a log",
					   in->name, (unsigned long long)in->line + 1,
					   LINE_MAX_LEN);
		ret = read_block(in, err);
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

int kfi_in_peek(struct kfi_in *in, size_t want, const char **s, size_t *len, struct kfi_err *err)
{
	int ret = 1;

	if (unlikely(in->passed && in->pos - in->passed >= PASSED_MAX))
		release_passed(in);
	while (ret > 0 && (size_t)(in->end - in->pos) < want)
		ret = read_block(in, err);
	*s = in->pos;
	*len = in->end - in->pos;
	return min_t(int, ret, 0);
}

int kfi_in_rest(struct kfi_in *in, const char **s, size_t *len, struct kfi_err *err)
{
	int ret;

	do
		ret = read_block(in, err);
	while (ret > 0);
	if (ret < 0)
		return ret;
	*s = in->pos;
	*len = in->end - in->pos;
	return 0;
}

int kfi_in_whole(struct kfi_in *in, const char *path, const char **s, size_t *len,
		 struct kfi_err *err)
{
	int ret = kfi_in_open(in, path, err);

	if (ret)
		return ret;
	ret = kfi_in_rest(in, s, len, err);
	if (!ret && *in->fault)
		ret = kfi_err_set(err, EBADMSG, "%s: cannot be unpacked: %s", in->name, in->fault);
	if (ret)
		kfi_in_close(in);
	return ret;
}

void kfi_in_close(struct kfi_in *in)
{
	if (in->map)
		munmap(in->map, in->map_len);
	kfi_unpack_close(in->unpack);
	free(in->zbuf);
	free(in->buf);
	if (in->fd >= 0 && in->fd != STDIN_FILENO)
		close(in->fd);
	kfi_in_memory(in, in->name, NULL, 0);
}
