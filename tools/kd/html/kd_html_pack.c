// SPDX-License-Identifier: GPL-2.0
/* Packs the data of a page: see kd_html_pack.h. */
#include <string.h>

#include "kd_html_pack.h"

/* Write @text as base64: whole groups of three bytes, or all of it if this is the end. */
static void put_base64(struct kd_packer *p, bool last)
{
	static const char digit[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	u32 i = 0;

	for (; i + 3 <= p->n || (last && i < p->n); i += 3) {
		u32 left = p->n - i, b[3] = { p->text[i] };
		char group[4];

		b[1] = left > 1 ? p->text[i + 1] : 0;
		b[2] = left > 2 ? p->text[i + 2] : 0;
		group[0] = digit[b[0] >> 2];
		group[1] = digit[(b[0] & 3) << 4 | b[1] >> 4];
		group[2] = left > 1 ? digit[(b[1] & 15) << 2 | b[2] >> 6] : '=';
		group[3] = left > 2 ? digit[b[2] & 63] : '=';
		kfi_out_put(p->out, group, 4);
	}
	if (i < p->n)
		memmove(p->text, p->text + i, p->n - i);
	p->n -= i < p->n ? i : p->n;
}

static void pack(struct kd_packer *p, const void *data, size_t n, bool last)
{
	p->z.next_in = (void *)data;
	p->z.avail_in = (uInt)n;
	do {
		p->z.next_out = p->text + p->n;
		p->z.avail_out = (uInt)(sizeof(p->text) - p->n);
		deflate(&p->z, last ? Z_FINISH : Z_NO_FLUSH);
		p->n = (u32)(sizeof(p->text) - p->z.avail_out);
		put_base64(p, last && p->z.avail_out);
	} while (p->z.avail_in || !p->z.avail_out);
}

void kd_pack_section(struct kd_packer *p, const void *data, size_t n)
{
	const u8 size[4] = { (u8)n, (u8)(n >> 8), (u8)(n >> 16), (u8)(n >> 24) };

	pack(p, size, sizeof(size), false);
	if (n)
		pack(p, data, n, false);
}

int kd_pack_begin(struct kd_packer *p, struct kfi_out *out)
{
	memset(p, 0, sizeof(*p));
	p->out = out;
	return deflateInit(&p->z, Z_DEFAULT_COMPRESSION) == Z_OK ? 0 : -ENOMEM;
}

void kd_pack_end(struct kd_packer *p)
{
	pack(p, NULL, 0, true);
	deflateEnd(&p->z);
}
