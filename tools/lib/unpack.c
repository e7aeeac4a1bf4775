// SPDX-License-Identifier: GPL-2.0
/* Unpacks gzip, xz and zstd with one interface: see unpack.h. */
#include <lzma.h>
#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#include "unpack.h"

/* Limit of the memory of a decoder: a hostile file can ask for much more. */
#define MEMORY_MAX	(1u << 30)
#define WINDOW_LOG_MAX	30

/* Size of a piece that the counters of all three libraries can hold. */
#define PIECE		(1u << 30)

struct format;

/**
 * struct kfi_unpack - a compressed stream
 * @format: its format
 * @within: the decoder is in the middle of a member
 * @done: the decoder has seen the end
 * @fault: the fault, which is reported after the bytes before it have been delivered
 * @gz: decoder of gzip
 * @xz: decoder of xz
 * @zst: decoder of zstd
 */
struct kfi_unpack {
	const struct format *format;
	bool within;
	bool done;
	const char *fault;
	z_stream gz;
	lzma_stream xz;
	ZSTD_DStream *zst;
};

/* Decode, and move the input on. Sets u->fault on failure. Return: number of decoded bytes. */
typedef size_t run_fn(struct kfi_unpack *u, const u8 **s, size_t len, bool last, void *out,
		      size_t room);

struct format {
	const char *magic;
	size_t len;
	bool (*open)(struct kfi_unpack *u);
	run_fn *run;
	void (*close)(struct kfi_unpack *u);
};

static bool gz_open(struct kfi_unpack *u)
{
	/* 16 asks for the header of gzip. */
	return inflateInit2(&u->gz, 15 + 16) == Z_OK;
}

static size_t gz_run(struct kfi_unpack *u, const u8 **s, size_t len, bool last, void *out,
		     size_t room)
{
	int ret;

	u->gz.next_in = (u8 *)*s;
	u->gz.avail_in = (uInt)len;
	u->gz.next_out = out;
	u->gz.avail_out = (uInt)room;
	ret = inflate(&u->gz, Z_NO_FLUSH);
	*s = u->gz.next_in;
	u->within = ret != Z_STREAM_END;
	if (ret == Z_STREAM_END)
		ret = inflateReset(&u->gz);
	if (ret != Z_OK && ret != Z_BUF_ERROR)
		u->fault = u->gz.msg ? u->gz.msg : "it cannot be unpacked";
	return room - u->gz.avail_out;
}

static void gz_close(struct kfi_unpack *u)
{
	inflateEnd(&u->gz);
}

static bool xz_open(struct kfi_unpack *u)
{
	return lzma_stream_decoder(&u->xz, MEMORY_MAX, LZMA_CONCATENATED) == LZMA_OK;
}

static const char *xz_fault(lzma_ret ret)
{
	switch (ret) {
	case LZMA_MEM_ERROR:
	case LZMA_MEMLIMIT_ERROR:
		return "not enough memory to unpack it";
	case LZMA_FORMAT_ERROR:
		return "other data follows the compressed data";
	case LZMA_OPTIONS_ERROR:
		return "compressed in a way that is not supported";
	case LZMA_BUF_ERROR:
		return "the compressed data is cut off";
	default:
		return "the compressed data is damaged";
	}
}

static size_t xz_run(struct kfi_unpack *u, const u8 **s, size_t len, bool last, void *out,
		     size_t room)
{
	lzma_ret ret;

	u->xz.next_in = *s;
	u->xz.avail_in = len;
	u->xz.next_out = out;
	u->xz.avail_out = room;
	ret = lzma_code(&u->xz, last ? LZMA_FINISH : LZMA_RUN);
	*s = u->xz.next_in;
	u->done = ret == LZMA_STREAM_END;
	if (ret != LZMA_OK && !u->done && (ret != LZMA_BUF_ERROR || last))
		u->fault = xz_fault(ret);
	return room - u->xz.avail_out;
}

static void xz_close(struct kfi_unpack *u)
{
	lzma_end(&u->xz);
}

static bool zst_open(struct kfi_unpack *u)
{
	u->zst = ZSTD_createDStream();
	return u->zst &&
	       !ZSTD_isError(ZSTD_DCtx_setParameter(u->zst, ZSTD_d_windowLogMax, WINDOW_LOG_MAX));
}

static size_t zst_run(struct kfi_unpack *u, const u8 **s, size_t len, bool last, void *out,
		      size_t room)
{
	ZSTD_inBuffer from = { *s, len, 0 };
	ZSTD_outBuffer to = { out, room, 0 };
	size_t ret;

	ret = ZSTD_decompressStream(u->zst, &to, &from);
	*s += from.pos;
	if (ZSTD_isError(ret))
		u->fault = ZSTD_getErrorName(ret);
	u->within = ret != 0;
	return to.pos;
}

static void zst_close(struct kfi_unpack *u)
{
	ZSTD_freeDStream(u->zst);
}

static const struct format formats[] = {
	{ "\037\213", 2, gz_open, gz_run, gz_close },
	{ "\3757zXZ\0", 6, xz_open, xz_run, xz_close },
	{ "\050\265\057\375", 4, zst_open, zst_run, zst_close },
};

static const struct format *format_of(const void *s, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
		static_assert(sizeof("\3757zXZ\0") - 1 == KFI_UNPACK_MAGIC, "the longest");
		if (len >= formats[i].len && memcmp(s, formats[i].magic, formats[i].len) == 0)
			return &formats[i];
	}
	return NULL;
}

bool kfi_unpack_known(const void *s, size_t len)
{
	return format_of(s, len);
}

struct kfi_unpack *kfi_unpack_open(const void *s, size_t len)
{
	struct kfi_unpack *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->format = format_of(s, len);
	if (u->format && u->format->open(u))
		return u;
	kfi_unpack_close(u);
	return NULL;
}

ssize_t kfi_unpack_run(struct kfi_unpack *u, const u8 **s, const u8 *end, bool last, void *out,
		       size_t room, const char **fault)
{
	size_t n = 0;

	while (!u->fault && !u->done && n == 0 && (*s < end || (last && u->within))) {
		size_t len = min_t(size_t, end - *s, PIECE);
		const u8 *from = *s;
		bool all = last && len == (size_t)(end - from);

		u->within = true;
		n = u->format->run(u, s, len, all, out, min_t(size_t, room, PIECE));
		if (n == 0 && *s == from && all && !u->done && !u->fault)
			u->fault = "the compressed data is cut off";
	}
	if (n || !u->fault)
		return n;
	*fault = u->fault;
	return -1;
}

void kfi_unpack_close(struct kfi_unpack *u)
{
	if (u && u->format)
		u->format->close(u);
	free(u);
}
