// SPDX-License-Identifier: GPL-2.0
/* Keeps the records of an import in a temporary file: see spool.h. */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hash.h"
#include "import/spool.h"

/* Size of the buffer, and how much is written at once. */
#define BUF_SIZE	(2u << 20)
#define FLUSH_SIZE	(BUF_SIZE / 4 * 3)

/* Number of fields that are packed, the size of a packed record, and room for some of them. */
#define FIELDS		11
#define RECORD_MAX	(sizeof(u32) + FIELDS * sizeof(u64) + KFI_SPOOL_TEXT)
#define PACKED_SIZE	(64u << 10)

/* Bits of the mask that is before each record in the file. */
#define MASK_MARK	(1u << 24)
#define MASK_WAITS	(1u << 31)

static_assert(sizeof(u32) + sizeof(struct kfi_spool_rec) <= RECORD_MAX);
static_assert(2 * FIELDS <= 24);

/**
 * struct kfi_spool_late - a record in the file that waits for its exit
 * @place: its place
 * @at: its offset in the file; U64_MAX: it has become complete
 */
struct kfi_spool_late {
	u64 place;
	u64 at;
};

static size_t padded(size_t len)
{
	return (len + 7) & ~(size_t)7;
}

static size_t size_of(const struct kfi_spool_rec *rec)
{
	return sizeof(*rec) + (rec->is_mark ? padded(rec->func) : 0);
}

int kfi_spool_init(struct kfi_spool *s)
{
	/* Fields are read by eight bytes, so the buffers have some more than is used. */
	*s = (struct kfi_spool){ .fd = -1, .buf = calloc(1, BUF_SIZE + RECORD_MAX),
				 .packed = malloc(PACKED_SIZE + RECORD_MAX) };
	if (s->buf && s->packed)
		return 0;
	kfi_spool_free(s);
	return -ENOMEM;
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

/*
 * Packing
 */

/* Differences are small, but may be negative. */
static __always_inline u64 to_zigzag(u64 v)
{
	return v << 1 ^ (u64)((s64)v >> 63);
}

static __always_inline u64 from_zigzag(u64 v)
{
	return v >> 1 ^ (0 - (v & 1));
}

/* The codes in a mask stand for 0, 2, 4 and 8 bytes. */
static __always_inline size_t width(u32 code)
{
	return (1u << code) & ~1u;
}

static __always_inline char *put(char *p, u64 v, u32 bit, u32 *mask)
{
	u32 code = (u32)(v > 0) + (v > U16_MAX) + (v > U32_MAX);

	*mask |= code << bit;
	v = htole64(v);
	memcpy(p, &v, sizeof(v));
	return p + width(code);
}

static __always_inline u64 get(const char **p, u32 bit, u32 mask)
{
	static const u64 bytes[] = { 0, U16_MAX, U32_MAX, U64_MAX };
	u32 code = mask >> bit & 3;
	u64 v;

	memcpy(&v, *p, sizeof(v));
	*p += width(code);
	return le64toh(v) & bytes[code];
}

static __always_inline u64 place_of(const struct kfi_spool_rec *r)
{
	return (u64)(u16)r->cpu << 16 | (u64)r->ctx << 8;
}

/* Return what off_ns and irq_ns are expected to be. */
static __always_inline u64 expected(const struct kfi_spool_rec *r)
{
	return r->delta_ns < 0 ? U64_MAX : 0;
}

/* Pack a record behind @last. Return: the end of the packed record. */
static char *pack(char *p, const struct kfi_spool_rec *r, const struct kfi_spool_rec *last)
{
	u64 site = r->site - last->site, thread = r->thread ^ last->thread;
	u64 place = (place_of(r) ^ place_of(last)) | r->marks;
	u64 off = (u64)r->off_ns - expected(r), irq = (u64)r->irq_ns - expected(r);
	u32 mask = r->is_mark ? MASK_MARK : 0;
	char *start = p;

	p += sizeof(mask);
	p = put(p, to_zigzag((u64)r->entry_ns - (u64)last->entry_ns), 0, &mask);
	p = put(p, r->func, 2, &mask);
	p = put(p, r->caller + 1, 4, &mask);
	p = put(p, (u64)r->delta_ns + 1, 6, &mask);
	p = put(p, to_zigzag((u64)r->delta_ns - (u64)r->local_ns), 8, &mask);
	p = put(p, to_zigzag((u64)r->depth - last->depth), 10, &mask);
	if (site | thread | place | off | irq) {
		p = put(p, to_zigzag(site), 12, &mask);
		p = put(p, thread, 14, &mask);
		p = put(p, place, 16, &mask);
		p = put(p, to_zigzag(off), 18, &mask);
		p = put(p, to_zigzag(irq), 20, &mask);
	}
	memcpy(start, &mask, sizeof(mask));
	return p;
}

/* Unpack a record. @r: the record before, which is replaced. Return: its end. */
static const char *unpack(const char *p, u32 mask, struct kfi_spool_rec *r)
{
	r->entry_ns = (s64)((u64)r->entry_ns + from_zigzag(get(&p, 0, mask)));
	r->func = (u32)get(&p, 2, mask);
	r->caller = (u32)get(&p, 4, mask) - 1;
	r->delta_ns = (s64)(get(&p, 6, mask) - 1);
	r->local_ns = (s64)((u64)r->delta_ns - from_zigzag(get(&p, 8, mask)));
	r->depth += (u32)from_zigzag(get(&p, 10, mask));
	r->off_ns = r->irq_ns = (s64)expected(r);
	r->is_mark = mask & MASK_MARK;
	r->waits = false;
	r->marks = 0;
	if (mask >> 12 & 0x3ff) {
		u64 place;

		r->site += from_zigzag(get(&p, 12, mask));
		r->thread ^= (u32)get(&p, 14, mask);
		place = place_of(r) ^ get(&p, 16, mask);
		r->cpu = (s16)(place >> 16);
		r->ctx = (u8)(place >> 8);
		r->marks = (u8)place;
		r->off_ns += (s64)from_zigzag(get(&p, 18, mask));
		r->irq_ns += (s64)from_zigzag(get(&p, 20, mask));
	}
	return p;
}

/*
 * Writing
 */

/* Forget the records that have become complete, if they are most of those that waited. */
static void forget_complete(struct kfi_spool *s)
{
	u32 n = 0;

	if (s->late_done <= s->nlate / 2)
		return;
	for (u32 i = 0; i < s->nlate; i++)
		if (s->late[i].at != U64_MAX)
			s->late[n++] = s->late[i];
	s->nlate = n;
	s->late_done = 0;
}

static int write_packed(struct kfi_spool *s)
{
	int ret = kfi_spool_write(s->fd, s->packed, s->packed_len, s->file_len);

	s->file_len += s->packed_len;
	s->packed_len = 0;
	return ret;
}

/* Write a record of the buffer to the file. @last: no record will become complete any more. */
static int write_record(struct kfi_spool *s, size_t at, bool last)
{
	const struct kfi_spool_rec *rec = (const void *)(s->buf + at);
	char *p = s->packed + s->packed_len;
	u32 mask = MASK_WAITS;

	if (rec->waits && !last) {
		if (kfi_grow((void **)&s->late, &s->late_room, s->nlate + 1, sizeof(*s->late)))
			return -ENOMEM;
		s->late[s->nlate++] = (struct kfi_spool_late){
			s->base + at, s->file_len + s->packed_len + sizeof(mask),
		};
		memcpy(p, &mask, sizeof(mask));
		memcpy(p + sizeof(mask), rec, sizeof(*rec));
		p += sizeof(mask) + sizeof(*rec);
	} else {
		p = pack(p, rec, &s->last);
		if (rec->is_mark) {
			memcpy(p, rec + 1, rec->func);
			p += rec->func;
		}
	}
	s->last = *rec;
	s->packed_len = (size_t)(p - s->packed);
	return s->packed_len < PACKED_SIZE ? 0 : write_packed(s);
}

/* Write the oldest records of the buffer to the file, at least @len bytes. */
static int flush(struct kfi_spool *s, size_t len, bool last)
{
	size_t at = 0;
	int ret = 0;

	if (s->fd < 0)
		ret = s->fd = kfi_spool_file();
	if (ret < 0)
		return ret;
	forget_complete(s);
	for (ret = 0; !ret && at < len; at += size_of((const void *)(s->buf + at)))
		ret = write_record(s, at, last);
	if (!ret)
		ret = write_packed(s);
	if (ret)
		return ret;
	memmove(s->buf, s->buf + at, s->len - at);
	s->base += at;
	s->len -= at;
	return 0;
}

int kfi_spool_add(struct kfi_spool *s, const struct kfi_spool_rec *rec, const char *text,
		  u64 *place)
{
	size_t size = size_of(rec);
	int ret;

	if (unlikely(s->len + size > BUF_SIZE)) {
		ret = flush(s, FLUSH_SIZE, false);
		if (ret)
			return ret;
	}
	*place = s->base + s->len;
	memcpy(s->buf + s->len, rec, sizeof(*rec));
	if (text)
		memcpy(s->buf + s->len + sizeof(*rec), text, rec->func);
	s->len += size;
	s->size = s->base + s->len;
	return 0;
}

/* Complete a record in the file. */
static int exit_late(struct kfi_spool *s, u64 place, const char *from, size_t n)
{
	u32 low = 0, high = s->nlate;
	int ret;

	while (low + 1 < high) {
		u32 middle = low + (high - low) / 2;

		if (s->late[middle].place <= place)
			low = middle;
		else
			high = middle;
	}
	ret = kfi_spool_write(s->fd, from, n, s->late[low].at + KFI_SPOOL_EXIT);
	s->late[low].at = U64_MAX;
	s->late_done++;
	return ret;
}

int kfi_spool_exit(struct kfi_spool *s, u64 place, const struct kfi_spool_rec *rec)
{
	const char *from = (const char *)rec + KFI_SPOOL_EXIT;
	size_t n = sizeof(*rec) - KFI_SPOOL_EXIT;

	if (unlikely(place < s->base))
		return exit_late(s, place, from, n);
	memcpy(s->buf + (place - s->base) + KFI_SPOOL_EXIT, from, n);
	return 0;
}

/*
 * Reading
 */

int kfi_spool_read(struct kfi_spool *s)
{
	int ret = s->fd < 0 ? 0 : flush(s, s->len, true);

	if (s->fd >= 0) {
		s->base = s->len = 0;
		s->size = s->file_len;
		s->last = (struct kfi_spool_rec){ 0 };
	}
	s->at = 0;
	return ret;
}

/* Read until the buffer has a whole record, if the file has one. Return: 0 or -errno. */
static int fill(struct kfi_spool *s)
{
	memmove(s->buf, s->buf + s->at, s->len - s->at);
	s->base += s->at;
	s->len -= s->at;
	s->at = 0;
	while (s->len < RECORD_MAX && s->base + s->len < s->size) {
		ssize_t n = pread(s->fd, s->buf + s->len, BUF_SIZE - s->len,
				  (off_t)(s->base + s->len));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EIO;
		s->len += (size_t)n;
	}
	return 0;
}

/* Read the next record of the file. Return: as kfi_spool_next(). */
static int next_packed(struct kfi_spool *s)
{
	int ret = unlikely(s->len - s->at < RECORD_MAX) ? fill(s) : 0;
	const char *p = s->buf + s->at;
	u32 mask;

	if (ret || s->at == s->len)
		return ret;
	memcpy(&mask, p, sizeof(mask));
	p += sizeof(mask);
	if (unlikely(mask & MASK_WAITS)) {
		memcpy(&s->last, p, sizeof(s->last));
		p += sizeof(s->last);
	} else {
		p = unpack(p, mask, &s->last);
		s->text = p;
		p += s->last.is_mark ? s->last.func : 0;
	}
	s->at = (size_t)(p - s->buf);
	return s->at <= s->len ? 1 : -EIO;
}

int kfi_spool_next(struct kfi_spool *s, const struct kfi_spool_rec **rec)
{
	int ret;

	if (s->fd >= 0) {
		ret = next_packed(s);
		if (ret > 0)
			*rec = &s->last;
		return ret;
	}
	if (s->at == s->len)
		return 0;
	*rec = (const void *)(s->buf + s->at);
	s->text = (const char *)(*rec + 1);
	s->at += size_of(*rec);
	return 1;
}

void kfi_spool_free(struct kfi_spool *s)
{
	if (s->buf && s->fd >= 0)
		close(s->fd);
	free(s->buf);
	free(s->packed);
	free(s->late);
	*s = (struct kfi_spool){ .fd = -1 };
}
